/* The same bits everywhere, of hulls: all that a build finds, its faces and support points, what pairs of hulls answer,
 * and the fits of spheres, boxes and capsules around the same points. See golden.h. */
#include "golden.h"

enum { MOST = 200 };

/* Points as they come: random, on a grid, on a sphere, on two rings of 4, 8 or 16 corners, within a plane, flat. */
static uint32_t make_cloud(rng *r, int kind, cm_vec3 *points) {
    uint32_t count = 4 + rng_below(r, kind < 3 ? 60 : 24);
    for (uint32_t i = 0; i < count; ++i) {
        cm_vec3 p = small_vec3(r, 1);
        switch (kind) {
        case 1:
            p.x = (cm_real)rng_below(r, 4), p.y = (cm_real)rng_below(r, 4), p.z = (cm_real)rng_below(r, 3);
            break;
        case 2:
            p = cm_normalize(p, cm_v(0, 0, 1));
            break;
        case 3: { /* 5, 12 and 8, 6: round enough */
            const cm_real at[4][2] = {{5, 12}, {12, 5}, {-5, 12}, {13, 0}};
            const cm_real *c = at[i % 4];
            p = cm_v(i % 8 < 4 ? c[0] : -c[0], i % 3 ? c[1] : -c[1], (cm_real)(i % 2) / 3);
            break;
        }
        case 4:
            p.z = p.x / 2 - p.y / 4;
            break;
        case 5:
            p.z *= CM_REAL(1e-6);
            break;
        default:
            break;
        }
        points[i] = p;
    }
    return count;
}

static void hash_hull(uint64_t *h, const cm_hull *hull, rng *r) {
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    hash_number(h, (uint64_t)info.dimension), hash_number(h, info.vertices), hash_number(h, info.faces);
    hash_number(h, info.edges), hash_number(h, info.patches);
    hash_real(h, info.loss), hash_real(h, info.merge), hash_real(h, info.volume), hash_real(h, info.area);
    hash_vec3(h, info.center), hash_vec3(h, info.inertia.x), hash_vec3(h, info.inertia.y);
    hash_vec3(h, info.inertia.z), hash_vec3(h, info.bounds.min), hash_vec3(h, info.bounds.max);
    const cm_vec3 *vertices = cm_hull_vertices(hull);
    const uint32_t *sources = cm_hull_sources(hull);
    for (uint32_t i = 0; i < info.vertices; ++i) hash_vec3(h, vertices[i]), hash_number(h, sources[i]);
    for (uint32_t f = 0; f < info.faces; ++f) {
        cm_hull_face face;
        cm_hull_get_face(hull, f, &face);
        hash_number(h, face.first), hash_vec3(h, face.normal), hash_real(h, face.d);
        for (uint32_t k = 0; k < face.count; ++k) {
            hash_number(h, face.vertices[k]), hash_number(h, face.twins[k]);
            hash_number(h, cm_hull_edge_face(hull, face.first + k));
        }
    }
    for (int i = 0; i < 20; ++i) hash_number(h, cm_hull_support(hull, small_vec3(r, 1)));
}

static void hash_pair(uint64_t *h, const cm_hull *one, const cm_hull *other, rng *r) {
    cm_shape a = cm_make_hull(one), b = cm_make_hull(other);
    cm_pose pa = plain_pose(r, 1), pb = plain_pose(r, 2);
    if (rng_below(r, 4) == 0) pa.rotation = pb.rotation; /* faces side by side */
    cm_witness w;
    cm_manifold m;
    hash_number(h, cm_overlap(&a, &pa, &b, &pb));
    hash_real(h, cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w));
    hash_vec3(h, w.point_a), hash_vec3(h, w.point_b), hash_vec3(h, w.normal);
    if (cm_contact(&a, &pa, &b, &pb, CM_REAL(0.2), &m, 1) > 0) hash_manifold(h, &m);
}

static void hulls_have_the_same_bits_everywhere(void **state) {
    (void)state;
    rng r = {91};
    uint64_t h = HASH_START;
    for (int round = 0; round < 120; ++round) {
        cm_hull *hulls[2];
        for (int k = 0; k < 2; ++k) {
            cm_vec3 points[MOST];
            cm_hull_desc desc = {.points = &points[0].x};
            desc.point_count = make_cloud(&r, (round + k) % 6, points);
            if (round % 5 == 1) desc.max_vertices = 8;
            if (round % 7 == 2) desc.scale = cm_v(CM_REAL(0.5), -1, CM_REAL(1.5));
            if (round % 11 == 3) desc.merge = CM_REAL(0.01);
            assert_int_equal(cm_hull_build(&desc, NULL, &hulls[k], NULL), CM_OK);
            hash_hull(&h, hulls[k], &r);
        }
        for (int i = 0; i < 5; ++i) hash_pair(&h, hulls[0], hulls[1], &r);
        for (int k = 0; k < 2; ++k) cm_hull_destroy(hulls[k], NULL);
    }
    check_hash(h, GOLDEN(0x75cad36be4381c63, 0x31c5543e9924166f));
}

static void hash_sphere(uint64_t *h, const cm_sphere *s) { hash_vec3(h, s->center), hash_real(h, s->radius); }
static void hash_obb(uint64_t *h, const cm_obb *b) {
    cm_pose pose = {b->center, b->rotation};
    hash_pose(h, &pose), hash_vec3(h, b->half);
}

static void fits_have_the_same_bits_everywhere(void **state) {
    (void)state;
    rng r = {92};
    uint64_t h = HASH_START;
    for (int round = 0; round < 60; ++round) {
        cm_vec3 cloud[MOST];
        cm_points points = {.data = &cloud[0].x};
        points.count = make_cloud(&r, round % 6, cloud);
        cm_pose pose = plain_pose(&r, 1);
        cm_sphere sphere;
        cm_aabb box;
        cm_obb obb;
        cm_capsule capsule;
        assert_true(cm_fit_aabb_posed(&points, &pose, &box));
        hash_vec3(&h, box.min), hash_vec3(&h, box.max);
        assert_true(cm_fit_sphere_from_box(&points, &sphere));
        hash_sphere(&h, &sphere);
        assert_true(cm_fit_sphere_from_mean(&points, &sphere));
        hash_sphere(&h, &sphere);
        hash_number(&h, (uint64_t)cm_fit_sphere(&points, &sphere));
        hash_sphere(&h, &sphere);
        assert_true(cm_fit_obb_principal(&points, &obb));
        hash_obb(&h, &obb);
        assert_true(cm_fit_obb(&points, &obb));
        hash_obb(&h, &obb);
        assert_true(cm_fit_capsule(&points, &capsule));
        hash_vec3(&h, capsule.a), hash_vec3(&h, capsule.b), hash_real(&h, capsule.radius);
    }
    check_hash(h, GOLDEN(0xc6a9341952a57db6, 0x500bbc9c2ad44657));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hulls_have_the_same_bits_everywhere),
                                       cmocka_unit_test(fits_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
