/* The same bits everywhere, of two shapes at rest: overlap, distance and contact of every kind with every kind, apart,
 * into each other and touching, and rays at each. See golden.h. */
#include "golden.h"

static void hash_pair(uint64_t *h, const cm_shape *a, const cm_pose *pa, const cm_shape *b, const cm_pose *pb) {
    enum { PARTS = 64 };
    static cm_manifold parts[PARTS];
    cm_witness w;
    hash_number(h, cm_overlap(a, pa, b, pb));
    cm_real d = cm_distance(a, pa, b, pb, CM_REAL_MAX, &w);
    hash_real(h, d);
    if (cm_abs(d) < CM_REAL_MAX) {
        hash_vec3(h, w.point_a), hash_vec3(h, w.point_b), hash_vec3(h, w.normal);
        hash_number(h, w.part_a), hash_number(h, w.part_b), hash_number(h, w.flags);
    }
    int found = cm_contact(a, pa, b, pb, CM_REAL(0.1), parts, PARTS);
    hash_number(h, (uint64_t)found);
    for (int k = 0; k < found && k < PARTS; ++k) hash_manifold(h, &parts[k]);
}

static void pairs_give_the_same_bits_everywhere(void **state) {
    (void)state;
    zoo z;
    zoo_build(&z);
    rng r = {42};
    uint64_t h = HASH_START;
    for (int i = 0; i < z.count; ++i) {
        for (int j = 0; j < z.count; ++j) {
            for (int k = 0; k < 12; ++k) {
                const cm_shape *a = &z.shapes[i], *b = &z.shapes[j];
                cm_pose pa = plain_pose(&r, 1), pb = plain_pose(&r, CM_REAL(1.5));
                if (k % 4 == 2) pa.rotation = pb.rotation;
                cm_witness w;
                cm_real d = cm_distance(a, &pa, b, &pb, CM_REAL_MAX, &w);
                if (k % 3 == 2 && cm_abs(d) < CM_REAL_MAX) pb.position = cm_mul_add(pb.position, -d, w.normal);
                hash_pair(&h, a, &pa, b, &pb);
            }
        }
    }
    zoo_free(&z);
    check_hash(h, GOLDEN(0xd50c13cdd207039e, 0xaac9b9ed7e8188be));
}

static void rays_give_the_same_bits_everywhere(void **state) {
    (void)state;
    zoo z;
    zoo_build(&z);
    rng r = {43};
    uint64_t h = HASH_START;
    for (int i = 0; i < z.count; ++i) {
        for (int k = 0; k < 100; ++k) {
            cm_pose pose = plain_pose(&r, 1);
            cm_ray ray = {.max = CM_REAL_MAX};
            ray.origin = small_vec3(&r, 3), ray.direction = small_vec3(&r, 1);
            cm_ray_hit hit;
            if (!cm_raycast(&ray, &z.shapes[i], &pose, &hit)) continue;
            hash_number(&h, (uint64_t)k), hash_real(&h, hit.t), hash_real(&h, hit.exit);
            hash_vec3(&h, hit.point), hash_vec3(&h, hit.normal), hash_number(&h, hit.part), hash_number(&h, hit.inside);
        }
    }
    zoo_free(&z);
    check_hash(h, GOLDEN(0x850898f016bc05df, 0xb9da7fd7774aac1f));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_give_the_same_bits_everywhere),
                                       cmocka_unit_test(rays_give_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
