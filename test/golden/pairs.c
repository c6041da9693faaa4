/* The same bits everywhere, of pairs: a hash over every number that distance, contact, sweep and rays return for all
 * convex kinds under seeded poses. A change of it is a change of answers, and belongs into the changelog; a compiler, a
 * flag or a CPU must never change it. Only square roots and the basic operations go into the input, so that no maths
 * library has a say. */
#include "support/support.h"

#if defined(CAROM_F64)
#define EXPECTED UINT64_C(0xf2b3ebc717ffb323)
#else
#define EXPECTED UINT64_C(0xcd74314fd0e1d736)
#endif

static void mix(uint64_t *h, cm_real x) {
    double wide = (double)x + 0.0; /* -0 is 0 */
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    *h = (*h ^ bits) * UINT64_C(0x100000001b3);
}
static void mix3(uint64_t *h, cm_vec3 v) { mix(h, v.x), mix(h, v.y), mix(h, v.z); }

static cm_pose plain_pose(rng *r, double half) {
    cm_pose p;
    cm_quat q;
    p.position = rng_vec3(r, half);
    q.x = CM_REAL(rng_range(r, -1, 1)), q.y = CM_REAL(rng_range(r, -1, 1));
    q.z = CM_REAL(rng_range(r, -1, 1)), q.w = CM_REAL(rng_range(r, -1, 1));
    p.rotation = cm_quat_normalize(q);
    return p;
}

static void mix_contact(uint64_t *h, const cm_shape *a, const cm_pose *pa, const cm_shape *b, const cm_pose *pb) {
    cm_witness w;
    cm_manifold m;
    cm_real d = cm_distance(a, pa, b, pb, CM_REAL_MAX, &w);
    mix(h, d);
    if (cm_abs(d) < CM_REAL_MAX) mix3(h, w.point_a), mix3(h, w.point_b), mix3(h, w.normal);
    if (!cm_contact(a, pa, b, pb, CM_REAL(0.1), &m, 1)) return;
    mix3(h, m.normal);
    for (int k = 0; k < m.count; k++) {
        mix3(h, m.points[k].point_a), mix(h, m.points[k].depth);
        *h = (*h ^ m.points[k].feature_a) * UINT64_C(0x100000001b3) ^ m.points[k].feature_b;
    }
}

static void mix_motion(uint64_t *h, const cm_shape *a, const cm_pose *pa, const cm_shape *b, const cm_pose *pb,
                       rng *r) {
    for (int turn = 0; turn < 2; turn++) {
        cm_motion ma = {.start = *pa}, mb = {.start = *pb};
        cm_sweep_hit hit;
        ma.move = rng_vec3(r, 2), mb.move = rng_vec3(r, 2);
        if (turn) ma.spin = rng_vec3(r, 1), mb.spin = rng_vec3(r, 1);
        if (!cm_sweep(a, &ma, b, &mb, &hit)) continue;
        mix(h, hit.first), mix(h, hit.last), mix3(h, hit.normal), mix3(h, hit.point);
    }
    cm_ray ray = {.max = CM_REAL_MAX};
    cm_ray_hit hit;
    ray.origin = rng_vec3(r, 3), ray.direction = rng_vec3(r, 1);
    if (cm_raycast(&ray, b, pb, &hit)) mix(h, hit.t), mix(h, hit.exit), mix3(h, hit.normal);
}

static void pairs_give_the_same_bits_everywhere(void **state) {
    (void)state;
    rng r = rng_start("golden pairs", 42);
    cm_vec3 points[30];
    for (int i = 0; i < 30; i++) points[i] = rng_vec3(&r, 1);
    cm_hull_desc desc = {.points = &points[0].x, .point_count = 30};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    const cm_real third = CM_REAL(0.3), half = CM_REAL(0.5), most = CM_REAL(0.7);
    const cm_shape shapes[] = {cm_make_point(cm_v(0, 0, 0)),
                               cm_make_sphere(cm_v(0, 0, 0), most),
                               cm_make_segment(cm_v(0, -1, 0), cm_v(half, 1, 0)),
                               cm_make_capsule(cm_v(0, -1, 0), cm_v(0, 1, 0), third),
                               cm_make_triangle(cm_v(0, 0, 0), cm_v(1, 0, 0), cm_v(0, 1, third)),
                               cm_make_box(cm_v(1, half, most)),
                               cm_make_rounded_box(cm_v(1, third, most), third),
                               cm_make_cylinder(half, 1),
                               cm_make_cone(most, 1),
                               cm_make_ellipsoid(cm_v(1, third, most)),
                               cm_make_hull(hull),
                               cm_make_halfspace(cm_v(0, 0, 1), third)};
    const int kinds = (int)(sizeof shapes / sizeof *shapes);
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < kinds; i++) {
        for (int j = 0; j < kinds; j++) {
            for (int k = 0; k < 20; k++) {
                cm_pose a = plain_pose(&r, 1), b = plain_pose(&r, 1.5);
                mix_contact(&h, &shapes[i], &a, &shapes[j], &b);
                mix_motion(&h, &shapes[i], &a, &shapes[j], &b, &r);
            }
        }
    }
    check_that(h == EXPECTED, "the hash is 0x%016llx", (unsigned long long)h);
    cm_hull_destroy(hull, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_give_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
