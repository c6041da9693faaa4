/* The same bits everywhere, of meshes: overlap, crossings, distance and relation of pairs of them, and rays at them and
 * at a height field. See golden.h. */
#include "golden.h"

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
    rng r = {77};
    cm_mesh *meshes[3] = {ball(6), solid_box(1, CM_REAL(0.5), CM_REAL(0.25), 3, true), surface_sheet(1, 1, 5)};
    uint64_t h = HASH_START;
    for (int i = 0; i < 300; ++i) {
        cm_shape a = cm_make_mesh(meshes[rng_below(&r, 3)]);
        cm_shape b = cm_make_mesh(meshes[rng_below(&r, 3)]);
        cm_pose pa = plain_pose(&r, 1);
        cm_pose pb = plain_pose(&r, 1);
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
    check_hash(h, GOLDEN(0x8928cdb85486ec7d, 0x7f5e58d57f971438));
}

static void hash_rays(uint64_t *h, rng *r, const cm_shape *shape) {
    enum { RAYS = 500 };
    static cm_ray rays[RAYS];
    static cm_ray_hit hits[RAYS];
    static bool met[RAYS];
    cm_pose pose = plain_pose(r, 1);
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
    rng r = {78};
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
    uint64_t h = HASH_START;
    for (int k = 0; k < 3; ++k) {
        cm_shape mesh = cm_make_mesh(meshes[k]);
        hash_rays(&h, &r, &mesh);
        cm_mesh_destroy(meshes[k], NULL);
    }
    cm_shape terrain = cm_make_height_field(field);
    hash_rays(&h, &r, &terrain);
    cm_height_field_destroy(field, NULL);
    check_hash(h, GOLDEN(0x3c281098275e1bdf, 0xc53efaac0c5eb6b8));
}

static void volumes_have_the_same_bits_everywhere(void **state) {
    (void)state;
    rng r = {79};
    soup ring = {0};
    soup_add_box(&ring, cm_v(-1, -1, -1), cm_v(1, 1, 1), 2, false, false);
    soup_add_box(&ring, cm_v(CM_REAL(-0.5), CM_REAL(-0.5), CM_REAL(-0.5)), cm_v(1, 1, 1), 3, true, true);
    cm_mesh *meshes[3] = {ball(6), solid_box(1, CM_REAL(0.5), CM_REAL(0.25), 3, true), soup_build(&ring, true)};
    uint64_t h = HASH_START;
    for (int i = 0; i < 200; ++i) {
        const cm_shape a = cm_make_mesh(meshes[rng_below(&r, 3)]), b = cm_make_mesh(meshes[rng_below(&r, 3)]);
        cm_pose pa = plain_pose(&r, 1), pb = plain_pose(&r, 1);
        if (i % 3 == 0) pa.rotation = pb.rotation = cm_quat_identity(); /* in the same planes */
        if (i % 6 == 0) pb.position = pa.position;
        cm_interference found;
        assert_int_equal(cm_mesh_interference(&a, &pa, &b, &pb, &found), CM_OK);
        const double numbers[2] = {found.volume, found.error};
        for (int k = 0; k < 2; ++k) {
            uint64_t bits;
            memcpy(&bits, &numbers[k], sizeof bits);
            hash_number(&h, bits);
        }
        hash_vec3(&h, found.center), hash_vec3(&h, found.bounds.min), hash_vec3(&h, found.bounds.max);
    }
    for (int k = 0; k < 3; ++k) cm_mesh_destroy(meshes[k], NULL);
    check_hash(h, GOLDEN(0x0839a47410bcba34, 0x7d514e50752ed3fc));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere),
                                       cmocka_unit_test(rays_have_the_same_bits_everywhere),
                                       cmocka_unit_test(volumes_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
