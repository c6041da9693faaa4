/* The same bits everywhere: a hash over every number that mesh queries return for seeded poses. A change of it is a
 * change of answers, and belongs into the changelog; a compiler, a flag or a CPU must never change it. Only square
 * roots and the basic operations go into the input, so that no maths library has a say. */
#include "support/solids.h"

#if defined(CAROM_F64)
#define EXPECTED      UINT64_C(0x0e7f1bd08b356a87)
#define EXPECTED_RAYS UINT64_C(0xc53efaac0c5eb6b8)
#else
#define EXPECTED      UINT64_C(0xb8a29c25c2ad73ba)
#define EXPECTED_RAYS UINT64_C(0x3c281098275e1bdf)
#endif

/* FNV-1a, by value bits. */
static void hash_bytes(uint64_t *h, const void *data, size_t size) {
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; ++i) *h = (*h ^ byte[i]) * UINT64_C(0x100000001b3);
}
static void hash_real(uint64_t *h, cm_real x) {
    double d = x == 0 ? 0 : (double)x;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    unsigned char little[8];
    for (int i = 0; i < 8; ++i) little[i] = (unsigned char)(bits >> 8 * i);
    hash_bytes(h, little, sizeof little);
}
static void hash_vec3(uint64_t *h, cm_vec3 v) { hash_real(h, v.x), hash_real(h, v.y), hash_real(h, v.z); }
static void hash_number(uint64_t *h, uint64_t n) {
    unsigned char little[8];
    for (int i = 0; i < 8; ++i) little[i] = (unsigned char)(n >> 8 * i);
    hash_bytes(h, little, sizeof little);
}

static cm_real small_number(rng *r) { return CM_REAL((int)rng_below(r, 2001) - 1000) / 1000; }

static cm_pose plain_pose(rng *r) {
    cm_real n[7]; /* in order: the arguments of one call may be evaluated in any */
    for (int i = 0; i < 7; ++i) n[i] = small_number(r);
    cm_pose p;
    p.position = cm_v(n[0], n[1], n[2]);
    p.rotation.x = n[3], p.rotation.y = n[4], p.rotation.z = n[5];
    p.rotation.w = n[6] + CM_REAL(0.001);
    p.rotation = cm_quat_normalize(p.rotation);
    return p;
}

/* A cube's grid of points, pushed out to a sphere. */
static cm_mesh *ball(int cells) {
    soup s = {0};
    soup_add_box(&s, cm_v(-1, -1, -1), cm_v(1, 1, 1), cells, false, false);
    for (size_t i = 0; i < 9 * (size_t)s.triangles; i += 3) {
        cm_vec3 p = cm_normalize(cm_v(s.numbers[i], s.numbers[i + 1], s.numbers[i + 2]), cm_v(0, 0, 1));
        s.numbers[i] = p.x, s.numbers[i + 1] = p.y, s.numbers[i + 2] = p.z;
    }
    return soup_build(&s, true);
}

static bool hash_crossing(void *user, const cm_crossing *c) {
    uint64_t *h = user;
    hash_number(h, c->triangle_a), hash_number(h, c->triangle_b), hash_number(h, c->coplanar);
    hash_vec3(h, c->start), hash_vec3(h, c->end);
    return true;
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    rng r = rng_start("poses", 77);
    cm_mesh *meshes[3] = {ball(6), solid_box(1, CM_REAL(0.5), CM_REAL(0.25), 3, true), surface_sheet(1, 1, 5)};
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 300; ++i) {
        cm_shape a = cm_make_mesh(meshes[rng_below(&r, 3)]);
        cm_shape b = cm_make_mesh(meshes[rng_below(&r, 3)]);
        cm_pose pa = plain_pose(&r);
        cm_pose pb = plain_pose(&r);
        pb.position = cm_scale(pb.position, CM_REAL(2.5));
        hash_number(&h, cm_overlap(&a, &pa, &b, &pb));
        hash_number(&h, cm_mesh_crossings(&a, &pa, &b, &pb, hash_crossing, &h));
        cm_witness w;
        hash_real(&h, cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w));
        hash_vec3(&h, w.point_a), hash_vec3(&h, w.point_b), hash_vec3(&h, w.normal);
        cm_relation_result rel;
        assert_int_equal(cm_mesh_relation(&a, &pa, &b, &pb, 0, CM_REAL_MAX, &rel), CM_OK);
        hash_number(&h, (uint64_t)rel.relation), hash_real(&h, rel.distance), hash_vec3(&h, rel.point_a);
    }
    for (int k = 0; k < 3; ++k) cm_mesh_destroy(meshes[k], NULL);
    check_that(h == EXPECTED, "hash 0x%016llx", (unsigned long long)h);
}

static void hash_rays(uint64_t *h, rng *r, const cm_shape *shape) {
    enum { RAYS = 500 };
    static cm_ray rays[RAYS];
    static cm_ray_hit hits[RAYS];
    static bool met[RAYS];
    cm_pose pose = plain_pose(r);
    for (int i = 0; i < RAYS; ++i) {
        cm_real n[6];
        for (int k = 0; k < 6; ++k) n[k] = small_number(r);
        rays[i].origin = cm_add(pose.position, cm_scale(cm_v(n[0], n[1], n[2]), CM_REAL(1.5)));
        rays[i].direction = cm_v(n[3], n[4], n[5]);
        rays[i].max = i % 4 ? CM_REAL_MAX : CM_REAL(0.5);
    }
    hash_number(h, cm_raycast_many(rays, RAYS, shape, &pose, met, hits));
    for (int i = 0; i < RAYS; ++i) {
        if (!met[i]) continue;
        hash_number(h, (uint64_t)i), hash_number(h, hits[i].part), hash_number(h, hits[i].inside);
        hash_real(h, hits[i].t), hash_vec3(h, hits[i].point), hash_vec3(h, hits[i].normal);
    }
}

static void rays_have_the_same_bits_everywhere(void **state) {
    (void)state;
    rng r = rng_start("rays", 78);
    cm_real heights[31 * 17];
    for (int i = 0; i < 31 * 17; ++i) heights[i] = small_number(&r) / 4;
    cm_height_field_desc desc = {0};
    desc.heights = heights;
    desc.columns = 31, desc.rows = 17;
    desc.column_spacing = CM_REAL(0.0625), desc.row_spacing = CM_REAL(0.125);
    desc.origin = cm_v(-1, -1, 0);
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    cm_mesh *meshes[3] = {ball(12), solid_box(1, CM_REAL(0.5), CM_REAL(0.25), 5, true), surface_sheet(1, 1, 9)};
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (int k = 0; k < 3; ++k) {
        cm_shape mesh = cm_make_mesh(meshes[k]);
        hash_rays(&h, &r, &mesh);
        cm_mesh_destroy(meshes[k], NULL);
    }
    cm_shape terrain = cm_make_height_field(field);
    hash_rays(&h, &r, &terrain);
    cm_height_field_destroy(field, NULL);
    check_that(h == EXPECTED_RAYS, "hash 0x%016llx", (unsigned long long)h);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere),
                                       cmocka_unit_test(rays_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
