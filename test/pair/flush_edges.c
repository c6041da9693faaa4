/* A box stands on a table, level with it but for rounding, and its side is flush with the table's, or a grid line of
 * its foot lies on the table's edge. Where two edges lie on each other the direction of what is left of a gap between
 * them is rounding, and either surface has many. The contacts are those of the two faces all the same: none is
 * sideways, be the box and the table boxes, hulls, solid meshes or compounds, in any place that rounds them. */
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

static const form_kind solid_forms[] = {FORM_BOX,  FORM_HULL,  FORM_MESH_12, FORM_MESH_192,
                                        FORM_FANS, FORM_WALLS, FORM_HALVES};

enum { SOLIDS = sizeof solid_forms / sizeof *solid_forms, MANIFOLDS = 256, GRID = 4 /* of the mesh of 192 */ };

/* Of the middle of a body over the table along one axis: its side flush with the table's, a line of its grid over the
 * table's edge, or within. */
static double flush_place(double table, double body, double rounding, rng *r) {
    const double side = rng_below(r, 2) ? 1 : -1, off = rng_below(r, 2) ? rng_range(r, -rounding, rounding) : 0;
    switch (rng_below(r, 3)) {
    case 0:
        return side * (table - body) + off;
    case 1:
        return side * (table + body - 2 * body / GRID * (1 + rng_below(r, GRID - 1))) + off;
    default:
        return 0;
    }
}

static double tilt_of(const cm_shape *body, const cm_pose *at, const cm_shape *table, const cm_pose *frame, cm_vec3 up,
                      double margin) {
    cm_manifold m[MANIFOLDS];
    double worst = 1;
    const int count = cm_contact(table, frame, body, at, CM_REAL(margin), m, MANIFOLDS);
    for (int i = 0; i < count && i < MANIFOLDS; i++) worst = fmin(worst, (double)cm_dot(m[i].normal, up));
    return worst;
}

/* One such pose. */
static void check_flush(uint64_t seed) {
    rng r = {.state = seed};
    const double scale = rng_below(&r, 2) ? 1 : 0.01, eps = (double)CM_REAL_EPSILON;
    cm_vec3 half[2];
    for (int k = 0; k < 2; k++)
        half[k] = cm_v(CM_REAL(nice_size(&r) * scale), CM_REAL(nice_size(&r) * scale), CM_REAL(nice_size(&r) * scale));
    form table, box;
    form_box(&table, solid_forms[rng_below(&r, SOLIDS)], half[0], &r);
    form_box(&box, solid_forms[rng_below(&r, SOLIDS)], half[1], &r);
    const cm_pose frame = nice_frame(scale, &r);
    const double high = (rng_below(&r, 129) - 64.0) * eps * scale, z = (double)half[0].z + (double)half[1].z + high;
    const double x = flush_place((double)half[0].x, (double)half[1].x, 16 * eps * scale, &r);
    const double y = flush_place((double)half[0].y, (double)half[1].y, 16 * eps * scale, &r);
    const cm_pose local = cm_pose_at(cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)));
    const cm_pose at = cm_pose_mul(&frame, &local);
    const cm_vec3 up = cm_rotate(frame.rotation, cm_v(0, 0, 1));
    /* of convex bodies only the other's surface is asked which directions it has: at an edge it has many */
    const double least = form_is_convex(box.kind) || box.kind == FORM_HALVES ? 0.95 : 0.99;
    for (int k = 0; k < 2; k++) {
        const double margin = k == 0 ? 0 : 256 * eps * scale;
        const double cosine = tilt_of(&box.shape, &at, &table.shape, &frame, up, margin);
        check_that(cosine > least, "pose %llu: %s on %s, margin %g: a normal's cosine with the way up is %.9g",
                   (unsigned long long)seed, form_names[box.kind], form_names[table.kind], margin, cosine);
    }
    form_free(&table), form_free(&box);
}

static void what_stands_flush_with_an_edge_touches_the_top(void **state) {
    (void)state;
    static const uint64_t wrong_once[] = {1052169455, 218466443, 760334462, 703901995};
    rng r = rng_start("flush edges", 4211);
    for (size_t i = 0; i < sizeof wrong_once / sizeof *wrong_once; i++) check_flush(wrong_once[i]);
    for (int i = 0, count = samples(1500, 100000); i < count; i++) check_flush(rng_below(&r, 1 << 30));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_stands_flush_with_an_edge_touches_the_top)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
