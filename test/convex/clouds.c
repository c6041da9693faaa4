/* Pairs of the recorded clouds' hulls: the signed distance is proven by the clouds themselves. The normal separates all
 * points of one from all of the other by the distance, in long double; the witness points lie in the hulls and are as
 * far apart; and where they overlap, no face's normal and none of many directions parts them sooner. */
#include "support/clouds.h"
#include "support/solid.h"

#include <math.h>

#define BOUND (sizeof(cm_real) == 4 ? 4e-6L : 1e-9L) /* of the coordinates */

typedef struct cloud {
    cm_vec3 p[128];
    uint32_t count;
    cm_hull *hull;
} cloud;

static bool cloud_read(FILE *file, cloud *c) {
    float raw[3 * 128];
    if (fread(&c->count, sizeof c->count, 1, file) != 1) return false;
    assert_true(c->count >= 1 && c->count <= 128);
    assert_int_equal(fread(raw, 3 * sizeof(float), c->count, file), c->count);
    for (uint32_t i = 0; i < c->count; i++)
        c->p[i] = cm_v((cm_real)raw[3 * i], (cm_real)raw[3 * i + 1], (cm_real)raw[3 * i + 2]);
    c->hull = hull_of(c->p, c->count);
    return true;
}

/* A frame in long double. */
typedef struct place {
    solid s; /* only its turn and position are used */
} place;

static wide3 place_point(const place *at, cm_vec3 p) {
    const wide3 *t = at->s.turn;
    wide3 turned = w3_add(w3_scale(t[0], (long double)p.x), w3_scale(t[1], (long double)p.y));
    return w3_add(w3_add(turned, w3_scale(t[2], (long double)p.z)), at->s.position);
}

/* max n.p over the cloud. */
static long double cloud_reach(const cloud *c, const place *at, wide3 n) {
    long double most = -HUGE_VALL;
    for (uint32_t i = 0; i < c->count; i++) most = fmaxl(most, w3_dot(n, place_point(at, c->p[i])));
    return most;
}

/* The width of what separates B from A along n. */
static long double clouds_separation(const cloud *a, const place *pa, const cloud *b, const place *pb, wide3 n) {
    return -cloud_reach(b, pb, w3_scale(n, -1)) - cloud_reach(a, pa, n);
}

/* No direction of many shows the point outside of the cloud's hull: by how much one does. */
static long double outside(const cloud *c, const place *at, wide3 p, rng *r) {
    long double most = 0;
    for (int i = 0; i < 32; i++) {
        wide3 n = w3_of_vec3(rng_direction(r));
        most = fmaxl(most, w3_dot(n, p) - cloud_reach(c, at, n));
    }
    return most;
}

static void judge_pair(const cloud *a, const cloud *b, long number, rng *r) {
    cm_shape sa = cm_make_hull(a->hull), sb = cm_make_hull(b->hull);
    cm_hull_info ia, ib;
    cm_hull_get_info(a->hull, &ia);
    cm_hull_get_info(b->hull, &ib);
    double size_a = (double)cm_largest(cm_sub(ia.bounds.max, ia.bounds.min));
    double size_b = (double)cm_largest(cm_sub(ib.bounds.max, ib.bounds.min));
    double size = size_a > size_b ? size_a : size_b;
    cm_pose pose_a = cm_pose_identity(), pose_b = pose_a;
    pose_a.rotation = rng_rotation(r), pose_b.rotation = rng_rotation(r);
    cm_vec3 home = cm_rotate(pose_a.rotation, cm_aabb_center(&ia.bounds));
    cm_vec3 other = cm_rotate(pose_b.rotation, cm_aabb_center(&ib.bounds));
    cm_vec3 away = cm_scale(rng_direction(r), CM_REAL(size * rng_range(r, 0, 1.2)));
    pose_b.position = cm_add(cm_sub(home, other), away);
    place pa, pb;
    solid_place(&pa.s, pose_a.rotation, w3_of_vec3(pose_a.position));
    solid_place(&pb.s, pose_b.rotation, w3_of_vec3(pose_b.position));
    long double scale = (long double)size + (long double)cm_largest(home) + (long double)cm_largest(pose_b.position);
    cm_witness w;
    cm_real d = cm_distance(&sa, &pose_a, &sb, &pose_b, CM_REAL_MAX, &w);
    check_that(d < CM_REAL_MAX && cm_overlap(&sa, &pose_a, &sb, &pose_b) == (d <= 0), "pair %ld: %g", number,
               (double)d);
    wide3 n = w3_unit(w3_of_vec3(w.normal)), on_a = w3_of_vec3(w.point_a), on_b = w3_of_vec3(w.point_b);
    long double proof = fabsl(clouds_separation(a, &pa, b, &pb, n) - (long double)d) / scale;
    long double apart = w3_length(w3_sub(w3_sub(on_b, on_a), w3_scale(n, (long double)d))) / scale;
    long double out = fmaxl(outside(a, &pa, on_a, r), outside(b, &pb, on_b, r)) / scale;
    check_that(proof <= BOUND && apart <= BOUND && out <= BOUND, "pair %ld, distance %g: proof %Lg, apart %Lg, out %Lg",
               number, (double)d, proof, apart, out);
    if (d > 0) return;
    long double sooner = -HUGE_VALL;
    for (int side = 0; side < 2; side++) {
        const cloud *c = side ? b : a;
        for (uint32_t i = 0; i < cm_hull_face_count(c->hull); i++) {
            cm_hull_face face;
            cm_hull_get_face(c->hull, i, &face);
            cm_vec3 m = cm_rotate(side ? pose_b.rotation : pose_a.rotation, face.normal);
            sooner = fmaxl(sooner, clouds_separation(a, &pa, b, &pb, w3_of_vec3(side ? cm_neg(m) : m)));
        }
    }
    for (int i = 0; i < 200; i++)
        sooner = fmaxl(sooner, clouds_separation(a, &pa, b, &pb, w3_of_vec3(rng_direction(r))));
    check_that(sooner - (long double)d <= 4 * BOUND * scale, "pair %ld: depth %g, but %Lg parts them", number,
               -(double)d, -sooner);
}

static void distances_of_recorded_clouds_are_proven(void **state) {
    (void)state;
    const char *path = data_path("meshes/hull_clouds.bin");
    if (!path) skip();
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    rng r = rng_start("cloud pairs", 41);
    static cloud first, last, now;
    int rounds = samples(1, 20);
    long pairs = 0;
    assert_true(cloud_read(file, &first));
    last = first;
    while (cloud_read(file, &now)) {
        for (int i = 0; i < rounds; i++) judge_pair(&last, &now, pairs++, &r);
        if (last.hull != first.hull) cm_hull_destroy(last.hull, NULL);
        last = now;
    }
    fclose(file);
    cm_hull_destroy(last.hull, NULL);
    cm_hull_destroy(first.hull, NULL);
    assert_int_equal(pairs, 2999 * rounds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_of_recorded_clouds_are_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
