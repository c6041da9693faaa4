/* Thin bodies at seams: needles, rods, plates and discs that lie or stand across the seam of a floor's two flush
 * children, rotated ones too, or of a mesh's triangles. The seam is none: no contact points along it, what slides over
 * it, leaves it or yaws on it is not stopped, and what presses down is at once. */
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

enum { FLOOR_BOXES, FLOOR_TURNED, FLOOR_MESHES, FLOOR_MESH, FLOOR_FINE, FLOORS };
static const char *const floor_names[FLOORS] = {"two boxes", "two turned boxes", "two meshes", "mesh", "fine mesh"};

#define WIDE 2 /* the floor: [-WIDE, WIDE] x [-WIDE, WIDE] x [-1, 0], the seam at x = 0 */

typedef struct ground {
    cm_shape shape;
    cm_mesh *mesh;
    cm_compound *compound;
} ground;

static void ground_make(ground *g, int kind, rng *r) {
    memset(g, 0, sizeof *g);
    if (kind == FLOOR_MESH || kind == FLOOR_FINE) {
        soup s = {NULL, 0, 0};
        soup_add_box(&s, cm_v(-WIDE, -WIDE, -1), cm_v(WIDE, WIDE, 0), kind == FLOOR_FINE ? 8 : 2, rng_below(r, 2),
                     false);
        g->mesh = soup_build(&s, true);
        g->shape = cm_make_mesh(g->mesh);
        return;
    }
    cm_compound_child child[2];
    const cm_compound_desc desc = {child, 2};
    memset(child, 0, sizeof child);
    g->mesh = solid_box(WIDE / 2, WIDE, CM_REAL(0.5), 2, true);
    for (int i = 0; i < 2; i++) {
        const cm_vec3 half = cm_v(WIDE / 2, WIDE, CM_REAL(0.5));
        cm_pose *pose = &child[i].pose;
        *pose = cm_pose_identity();
        child[i].shape = kind == FLOOR_MESHES ? cm_make_mesh(g->mesh) : cm_make_box(half);
        if (kind == FLOOR_TURNED) { /* the box as it stands there, seen from a turned frame */
            pose->rotation = cube_rotation(rng_below(r, 24));
            const cm_vec3 own = cm_unrotate(pose->rotation, half);
            const double x = rint(2 * fabs((double)own.x)) / 2, y = rint(2 * fabs((double)own.y)) / 2,
                         z = rint(2 * fabs((double)own.z)) / 2;
            child[i].shape = cm_make_box(cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)));
        }
        pose->position = cm_v(i ? WIDE / 2 : -WIDE / 2, 0, CM_REAL(-0.5));
    }
    assert_int_equal(cm_compound_build(&desc, NULL, &g->compound, NULL), CM_OK);
    g->shape = cm_make_compound(g->compound);
}
static void ground_free(ground *g) {
    cm_compound_destroy(g->compound, NULL);
    cm_mesh_destroy(g->mesh, NULL);
}

/* One `thin` at its thinnest; *low: how far its foot is below its origin as it lies or stands, *reach: how far any of
 * it is from there in the plan. */
static cm_shape thin_body(int kind, double thin, double *low, double *reach, cm_quat *upright) {
    const cm_real t = CM_REAL(thin / 2), one = CM_REAL(0.5);
    static const double root = 0.70710678118654752;
    const cm_quat lying = {CM_REAL(root), 0, 0, CM_REAL(root)};
    *low = thin / 2, *reach = 0.75;
    *upright = cm_quat_identity();
    switch (kind) {
    case 0: /* a needle */
        return cm_make_box(cm_v(one, t, t));
    case 1: /* a plate, lying */
        return cm_make_box(cm_v(one, one, t));
    case 2: /* and standing on its edge */
        *low = 0.5;
        return cm_make_box(cm_v(one, t, one));
    case 3: /* a needle, standing */
        *low = 0.5;
        return cm_make_box(cm_v(t, t, one));
    case 4: /* a rod */
        return cm_make_capsule(cm_v(-one, 0, 0), cm_v(one, 0, 0), t);
    case 5: /* a disc */
        return cm_make_cylinder(one, t);
    default: /* a wire, lying: a cylinder on its side */
        *upright = lying;
        return cm_make_cylinder(t, one);
    }
}
enum { THIN_BODIES = 7 };

typedef struct lying {
    const char *floor;
    int number, body;
    double thin, depth;
    cm_shape shape, ground;
    cm_motion of_body, of_ground;
    cm_vec3 up;
} lying;

static void check_rest(const lying *l) {
    static cm_manifold found[256];
    const int count = cm_contact(&l->ground, &l->of_ground.start, &l->shape, &l->of_body.start, 0, found, 256);
    const double noise = 64 * (double)CM_REAL_EPSILON * 8;
    if (l->depth > noise) check_that(count > 0, "%d: thin body %d on %s: none", l->number, l->body, l->floor);
    for (int i = 0; i < count && i < 256; i++) {
        const double cosine = (double)cm_dot(found[i].normal, l->up);
        check_that(cosine > 0.99 || l->depth < noise,
                   "%d: thin body %d (%g) on %s, %g deep: a normal's cosine with the way up is %g", l->number, l->body,
                   l->thin, l->floor, l->depth, cosine);
    }
}

static void check_free(const lying *l, const char *what) {
    cm_sweep_hit hit;
    if (!cm_sweep(&l->ground, &l->of_ground, &l->shape, &l->of_body, &hit)) return;
    check_that(!hit.blocking,
               "%d: thin body %d (%g) on %s, %g deep, %s: blocked at %g, the normal's cosine with the way up is %g",
               l->number, l->body, l->thin, l->floor, l->depth, what, (double)hit.first,
               (double)cm_dot(hit.normal, l->up));
}

static void what_is_thin_is_not_held_by_a_seam(void **state) {
    (void)state;
    rng r = rng_start("thin at seams", 1541);
    const int count = samples(2400, 200000);
    for (int i = 0; i < count; i++) {
        ground g;
        lying l;
        double low, reach;
        cm_quat upright, yaw;
        memset(&l, 0, sizeof l);
        l.number = i, l.body = (int)rng_below(&r, THIN_BODIES), l.floor = floor_names[i % FLOORS];
        ground_make(&g, i % FLOORS, &r);
        l.ground = g.shape;
        l.thin = rng_log_range(&r, 1e-3, 1e-1);
        l.shape = thin_body(l.body, l.thin, &low, &reach, &upright);
        /* of what lies: by less than half of it, else the way up is not the way out. What is round touches each child
         * on its own, and leans at the seam of two as far as it is deep. */
        l.depth = rng_below(&r, 3) ? l.thin * rng_log_range(&r, 1e-4, 0.3) : rng_below(&r, 2) ? 0 : -l.thin * 1e-3;
        if ((l.body == 4 || l.body == 6) && i % FLOORS < FLOOR_MESH) l.depth = fmin(l.depth, 0);
        const double turn = rng_below(&r, 2) ? 1.5707963267948966 * rng_below(&r, 4) : rng_range(&r, -3, 3);
        /* in the middle of the seam, or over it by less than it is deep, or anywhere near */
        double x = rng_below(&r, 3) ? 0 : rng_range(&r, -0.6, 0.6), y = rng_range(&r, -0.5, 0.5);
        if (rng_below(&r, 3) == 0) x = (rng_below(&r, 2) ? 0.5 : l.thin / 2) - rng_unit(&r) * fmax(l.depth, 0);
        cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(turn), &yaw);
        const cm_pose frame = nice_frame(1, &r);
        cm_pose own = {cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(low - l.depth)),
                       cm_quat_normalize(cm_quat_mul(yaw, upright))};
        l.of_ground.start = frame, l.of_body.start = cm_pose_mul(&frame, &own);
        l.up = cm_rotate(frame.rotation, cm_v(0, 0, 1));
        check_rest(&l);
        const double way = rng_log_range(&r, 1e-2, WIDE - reach - 0.5),
                     to = rng_below(&r, 2) ? turn : rng_range(&r, -3, 3);
        const cm_vec3 along = cm_v(CM_REAL(way * cos(to)), CM_REAL(way * sin(to)), 0);
        l.of_body.move = cm_rotate(frame.rotation, along);
        check_free(&l, "slides");
        l.of_body.spin = cm_scale(l.up, CM_REAL(rng_range(&r, -1, 1)));
        check_free(&l, "yaws");
        l.of_body.move = cm_scale(l.up, CM_REAL(way));
        check_free(&l, "leaves");
        memset(&l.of_body.spin, 0, sizeof l.of_body.spin);
        l.of_body.move = cm_mul_add(cm_rotate(frame.rotation, along), CM_REAL(-way), l.up);
        cm_sweep_hit hit;
        const bool met = cm_sweep(&l.ground, &l.of_ground, &l.shape, &l.of_body, &hit);
        const double gap = promised_gap(&l.ground, &l.of_ground, &l.shape, &l.of_body);
        check_that(met && hit.blocking && (double)hit.first * way <= fmax(-l.depth, 0) + 2 * gap,
                   "%d: thin body %d (%g) on %s, %g deep, presses down: hit %d, blocking %d, at %g", i, l.body, l.thin,
                   l.floor, l.depth, met, hit.blocking, (double)hit.first);
        ground_free(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_thin_is_not_held_by_a_seam)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
