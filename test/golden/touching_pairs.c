/* The same bits everywhere, of convex shapes that meet in more than one way at once. See touching.h. */
#include "touching.h"

/* From where the last query ended: the same pose, and beside it. */
static void ask_cached(uint64_t *h, rng *r, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                       const cm_pose *pb) {
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    cm_pose p = *pb;
    for (int k = 0; k < 3; ++k) {
        cm_witness w;
        hash_number(h, cm_overlap_cached(a, pa, b, &p, &cache));
        cm_real d = cm_distance_cached(a, pa, b, &p, k == 1 ? half : CM_REAL_MAX, &cache, &w);
        hash_witness(h, d, &w);
        int found = cm_contact_cached(a, pa, b, &p, CM_REAL(0.0625), &cache, parts, PARTS);
        hash_manifolds(h, found, parts, PARTS);
        cm_vec3 step = small_vec3(r, 1);
        p.position = cm_mul_add(p.position, CM_REAL(0.0078125), step);
    }
}

static void see_step(void *user, const cm_step *s) {
    uint64_t *h = user;
    hash_number(h, (uint64_t)s->kind), hash_real(h, s->lower), hash_real(h, s->upper), hash_vec3(h, s->closest);
}
static void ask_observed(uint64_t *h, rng *r, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                         const cm_pose *pb) {
    (void)r;
    cm_witness w;
    cm_real d = cm_distance_observed(a, pa, b, pb, half, see_step, h, &w);
    hash_witness(h, d, &w);
    int found = cm_contact_observed(a, pa, b, pb, CM_REAL(0.0625), see_step, h, parts, PARTS);
    hash_manifolds(h, found, parts, PARTS);
}

/* So small or large that squares of lengths leave the range of cm_real; the least offsets are no normal numbers. */
static void ask_scaled(uint64_t *h, rng *r, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                       const cm_pose *pb) {
#ifdef CAROM_F64
    static const double scales[4] = {0x1p-1016, 0x1p-1001, 0x1p-332, 0x1p308};
#else
    static const double scales[4] = {0x1p-106, 0x1p25, 0x1p-120, 0x1p-50};
#endif
    const cm_real by = CM_REAL(scales[rng_below(r, 4)]);
    cm_shape p = *a, q = *b;
    if (cm_shape_scaled(a, cm_v(by, by, by), &p) != CM_OK || cm_shape_scaled(b, cm_v(by, by, by), &q) != CM_OK) return;
    cm_pose pose_a = *pa, pose_b = *pb;
    pose_a.position = cm_scale(pose_a.position, by), pose_b.position = cm_scale(pose_b.position, by);
    cm_witness w;
    hash_number(h, cm_overlap(&p, &pose_a, &q, &pose_b));
    cm_real d = cm_distance(&p, &pose_a, &q, &pose_b, CM_REAL_MAX, &w);
    hash_witness(h, d, &w);
    if (cm_abs(d) < CM_REAL_MAX) assert_true(cm_abs(cm_dot(w.normal, w.normal) - 1) < 64 * CM_REAL_EPSILON);
    int found = cm_contact(&p, &pose_a, &q, &pose_b, by / 16, parts, PARTS);
    hash_manifolds(h, found, parts, PARTS);
}

static void distances_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_distance, AMONG_CONVEX, 24, 1), GOLDEN(0x0cd7c149d7abe109, 0x255a4f20cc4d8e7e));
}
static void contacts_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_contact, AMONG_CONVEX, 24, 2), GOLDEN(0xfde9a4d429abbd42, 0xbc62923c7a8a85c3));
}
static void segments_and_capsules_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_distance, WITH_SEGMENTS, 80, 7), GOLDEN(0x0639443bfcae22a9, 0x6ee8b97d32ecd6e8));
    check_hash(hash_of(ask_contact, WITH_SEGMENTS, 80, 8), GOLDEN(0xab93ce56bb1d73c9, 0x14a30323d8b5d0fe));
}
static void bad_input_is_refused_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_spoiled, AMONG_CONVEX, 10, 3), GOLDEN(0xc34fb34a35bcf121, 0xf2fecffa2c17c7bb));
}
static void answers_at_any_scale_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_scaled, AMONG_CONVEX, 10, 4), GOLDEN(0x2dec4c4b14afbb9b, 0xbceead14f0c9fe98));
}
static void answers_from_a_cache_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_cached, AMONG_CONVEX, 8, 5), GOLDEN(0x3185ee78453c059b, 0x163fe830c76d09ef));
}
static void observed_steps_have_the_same_bits_everywhere(void **state) {
    (void)state;
    check_hash(hash_of(ask_observed, AMONG_CONVEX, 2, 6), GOLDEN(0xc3c73c6c7345a3fa, 0xba8c9a9c208dea88));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances_have_the_same_bits_everywhere),
                                       cmocka_unit_test(contacts_have_the_same_bits_everywhere),
                                       cmocka_unit_test(segments_and_capsules_have_the_same_bits_everywhere),
                                       cmocka_unit_test(bad_input_is_refused_everywhere),
                                       cmocka_unit_test(answers_at_any_scale_have_the_same_bits_everywhere),
                                       cmocka_unit_test(answers_from_a_cache_have_the_same_bits_everywhere),
                                       cmocka_unit_test(observed_steps_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
