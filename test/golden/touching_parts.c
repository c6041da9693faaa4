/* The same bits everywhere, of meshes, height fields and compounds that meet in more than one way at once. See
 * touching.h. */
#include "touching.h"

static bool see_crossing(void *user, const cm_crossing *c) {
    uint64_t *h = user;
    hash_number(h, c->triangle_a), hash_number(h, c->triangle_b), hash_number(h, c->coplanar);
    hash_vec3(h, c->start), hash_vec3(h, c->end);
    return true;
}
static void ask_meshes(uint64_t *h, rng *r, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                       const cm_pose *pb) {
    static const double tolerances[4] = {0, 0.0078125, 0.25, 0.5};
    hash_number(h, cm_mesh_crossings(a, pa, b, pb, see_crossing, h));
    const cm_real tolerance = CM_REAL(tolerances[rng_below(r, 4)]);
    cm_relation_result rel;
    cm_status status = cm_mesh_relation(a, pa, b, pb, tolerance, rng_below(r, 2) ? CM_REAL_MAX : half, &rel);
    hash_number(h, (uint64_t)status);
    if (status == CM_OK) {
        hash_number(h, (uint64_t)rel.relation), hash_number(h, rel.crossings);
        hash_real(h, rel.distance), hash_real(h, rel.tolerance);
        hash_number(h, rel.triangle_a), hash_number(h, rel.triangle_b);
        if (rel.distance < CM_REAL_MAX) hash_vec3(h, rel.point_a), hash_vec3(h, rel.point_b);
        hash_number(h, (uint64_t)(rel.surface_a + 2 * rel.surface_b + 4 * rel.thin_a + 8 * rel.thin_b));
    }
    cm_interference found;
    status = cm_mesh_interference(a, pa, b, pb, &found);
    hash_number(h, (uint64_t)status);
    if (status != CM_OK) return;
    uint64_t bits[2];
    memcpy(&bits[0], &found.volume, sizeof bits[0]);
    memcpy(&bits[1], &found.error, sizeof bits[1]);
    hash_number(h, bits[0]), hash_number(h, bits[1]);
    hash_vec3(h, found.center), hash_vec3(h, found.bounds.min), hash_vec3(h, found.bounds.max);
}

static void distances_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_distance, WITH_COMPOSITES, 8, 1), GOLDEN(0x3bdade92ee525839, 0x4f5e1390288f6ce8));
}
static void contacts_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_contact, WITH_COMPOSITES, 8, 2), GOLDEN(0xdf6ee8ad526ff189, 0x77a21dc4fa2c002b));
}
static void bad_input_is_refused_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_spoiled, WITH_COMPOSITES, 2, 3), GOLDEN(0x622d6729d4830895, 0x2619546692768eb1));
}
static void relations_and_volumes_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_meshes, AMONG_MESHES, 32, 4), GOLDEN(0xaa87d3626c583beb, 0x5aaa0d9fe90c932b));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances_have_the_same_bits_everywhere),
                                       cmocka_unit_test(contacts_have_the_same_bits_everywhere),
                                       cmocka_unit_test(bad_input_is_refused_everywhere),
                                       cmocka_unit_test(relations_and_volumes_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
