/* Contacts with a surface do not depend on the order of its triangles: not which of those that none of the surface's
 * directions fits stands for them either, where some are only touched and others overlapped. */
#include "support/meshes.h"

enum { ORDER_BODIES = 20, ORDER_MOST = 8 };

/* Two by two cells over an integer grid, heights of a few whole numbers, any of the triangles missing; up is any axis.
 */
typedef struct patch {
    cm_real points[9][3];
    uint32_t triangles[8][3], count;
} patch;

static void patch_random(patch *p, rng *r) {
    const uint32_t up = rng_below(r, 3);
    for (uint32_t i = 0; i < 9; i++) {
        const int height = rng_below(r, 3) ? 0 : (int)rng_below(r, 5) - 2;
        p->points[i][(up + 1) % 3] = CM_REAL((int)(i % 3) - 1), p->points[i][(up + 2) % 3] = CM_REAL((int)(i / 3) - 1);
        p->points[i][up] = CM_REAL(height);
    }
    p->count = 0;
    for (uint32_t cell = 0; cell < 4; cell++) {
        const uint32_t o = cell % 2 + 3 * (cell / 2), other = rng_below(r, 2);
        const uint32_t halves[2][2][3] = {{{o, o + 1, o + 4}, {o, o + 4, o + 3}},
                                          {{o, o + 1, o + 3}, {o + 1, o + 4, o + 3}}};
        for (int half = 0; half < 2; half++)
            if (rng_below(r, 4)) memcpy(p->triangles[p->count++], halves[other][half], sizeof halves[0][0]);
    }
}

static cm_mesh *patch_mesh(const patch *p, bool backwards) {
    uint32_t t[8][3];
    for (uint32_t i = 0; i < p->count; i++)
        memcpy(t[backwards ? p->count - 1 - i : i], p->triangles[i], sizeof p->triangles[i]);
    return mesh_of(p->points[0], 9, t[0], p->count, false);
}

static cm_vec3 whole(rng *r, int half) {
    double v[3];
    for (int i = 0; i < 3; i++) v[i] = (int)rng_below(r, (uint32_t)(2 * half + 1)) - half;
    return cm_v(CM_REAL(v[0]), CM_REAL(v[1]), CM_REAL(v[2]));
}

static cm_shape body_random(rng *r, cm_pose *at) {
    *at = cm_pose_identity();
    const cm_vec3 a = whole(r, 2), b = whole(r, 2), c = whole(r, 2);
    switch (rng_below(r, 4)) {
    case 0:
        return cm_make_segment(a, b);
    case 1:
        return cm_make_triangle(a, b, c);
    case 2:
        return cm_make_capsule(a, b, CM_REAL(0.5));
    }
    at->position = cm_scale(cm_add(b, c), CM_REAL(0.5));
    return cm_make_box(cm_scale(cm_vec3_abs(a), CM_REAL(0.5)));
}

/* Normal, greatest depth, number of points and triangle of a contact. */
typedef struct contact_line {
    double number[6];
} contact_line;

static int lines_compare(const void *a, const void *b) {
    const contact_line *x = a, *y = b;
    for (int i = 0; i < 6; i++)
        if (x->number[i] != y->number[i]) return x->number[i] < y->number[i] ? -1 : 1;
    return 0;
}

static int lines_of(const cm_shape *body, const cm_pose *at, const cm_mesh *mesh, uint32_t last, cm_real margin,
                    contact_line out[ORDER_MOST]) {
    cm_manifold m[ORDER_MOST];
    const cm_shape surface = cm_make_mesh(mesh);
    const cm_pose home = cm_pose_identity();
    const int count = contacts_by_part(body, at, &surface, &home, margin, m, ORDER_MOST);
    assert_true(count <= ORDER_MOST);
    for (int i = 0; i < count; i++) {
        cm_real depth = m[i].points[0].depth;
        for (int k = 1; k < m[i].count; k++) depth = cm_max(depth, m[i].points[k].depth);
        const uint32_t part = last ? last - m[i].part_b : m[i].part_b;
        out[i] = (contact_line){
            {(double)m[i].normal.x, (double)m[i].normal.y, (double)m[i].normal.z, (double)depth, m[i].count, part}};
    }
    qsort(out, (size_t)count, sizeof *out, lines_compare);
    return count;
}

static void contacts_are_those_of_any_order_of_the_triangles(void **state) {
    (void)state;
    rng r = rng_start("orders", 91);
    long met = 0;
    for (long i = 0, count = samples(3000, 300000); i < count; i++) {
        patch p;
        do patch_random(&p, &r);
        while (p.count == 0);
        cm_mesh *mesh[2] = {patch_mesh(&p, false), patch_mesh(&p, true)};
        for (int k = 0; k < ORDER_BODIES; k++) {
            cm_pose at;
            const cm_shape body = body_random(&r, &at);
            const cm_real margin = rng_below(&r, 2) ? 0 : CM_REAL(0.5);
            contact_line line[2][ORDER_MOST];
            int lines[2];
            for (int way = 0; way < 2; way++)
                lines[way] = lines_of(&body, &at, mesh[way], way ? p.count - 1 : 0, margin, line[way]);
            const cm_shape surface = cm_make_mesh(mesh[0]);
            const cm_pose home = cm_pose_identity();
            const bool overlap = cm_overlap(&body, &at, &surface, &home);
            check_that(margin > 0 || overlap == (lines[0] > 0), "patch %ld, body %d: overlap %d, %d contacts", i, k,
                       overlap, lines[0]);
            check_that(lines[0] == lines[1], "patch %ld, body %d: %d contacts, backwards %d", i, k, lines[0], lines[1]);
            for (int n = 0; n < lines[0]; n++) {
                const double *x = line[0][n].number, *y = line[1][n].number;
                check_that(lines_compare(x, y) == 0,
                           "patch %ld, body %d (%s): normal %g %g %g, depth %.17g, %g points, triangle %g; backwards "
                           "%g %g %g, %.17g, %g, %g",
                           i, k, cm_kind_name(body.kind), x[0], x[1], x[2], x[3], x[4], x[5], y[0], y[1], y[2], y[3],
                           y[4], y[5]);
            }
            met += lines[0] > 0;
        }
        cm_mesh_destroy(mesh[0], NULL), cm_mesh_destroy(mesh[1], NULL);
    }
    check_that(met > 0, "nothing met");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_those_of_any_order_of_the_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
