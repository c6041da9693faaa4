/* The same bits everywhere, of two shapes in motion: straight and turning, of every kind with every kind, from apart,
 * from touching (into, along, away) and from overlapping; first, last, start, blocking, normal and point. See golden.h.
 */
#include "golden.h"

static bool hash_sweep(uint64_t *h, const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    cm_sweep_hit hit;
    cm_real last;
    bool met = cm_sweep(a, ma, b, mb, &hit);
    hash_number(h, met);
    if (met) {
        hash_real(h, hit.first), hash_real(h, hit.last), hash_vec3(h, hit.point), hash_vec3(h, hit.normal);
        hash_number(h, (uint64_t)hit.start), hash_number(h, hit.blocking);
        hash_number(h, hit.part_a), hash_number(h, hit.part_b);
    }
    if (cm_sweep_last(a, ma, b, mb, &last)) hash_real(h, last);
    return met;
}

/* From where they are drawn; and from where that distance is gone: in touch, or nearly. */
static int hash_motions(uint64_t *h, const cm_shape *a, const cm_shape *b, bool touching, bool turning, rng *r) {
    cm_motion ma = {.start = plain_pose(r, 1)}, mb = {.start = plain_pose(r, 2)};
    cm_witness w = {.normal = cm_v(0, 0, 1)};
    cm_real d = cm_distance(a, &ma.start, b, &mb.start, CM_REAL_MAX, &w);
    bool known = cm_abs(d) < CM_REAL_MAX;
    if (touching && known) mb.start.position = cm_mul_add(mb.start.position, -d, w.normal);
    int met = 0;
    for (int way = 0; way < (touching ? 3 : 2); ++way) {
        ma.move = small_vec3(r, 1), mb.move = small_vec3(r, 2);
        if (turning) ma.spin = small_vec3(r, 1), mb.spin = small_vec3(r, CM_REAL(1.5)), mb.pivot = small_vec3(r, 1);
        if (touching && way < 2) { /* along the surface, and into it */
            cm_vec3 by = cm_sub(mb.move, ma.move);
            by = cm_mul_add(by, -cm_dot(by, w.normal), w.normal);
            mb.move = cm_mul_add(cm_add(ma.move, by), way ? CM_REAL(-0.5) : 0, w.normal);
        }
        met += hash_sweep(h, a, &ma, b, &mb);
    }
    return met;
}

static uint64_t hash_of_sweeps(bool turning, int *met) {
    zoo z;
    zoo_build(&z);
    rng r = {44};
    uint64_t h = HASH_START;
    *met = 0;
    for (int i = 0; i < z.count; ++i)
        for (int j = 0; j < z.count; ++j)
            for (int k = 0; k < 4; ++k) *met += hash_motions(&h, &z.shapes[i], &z.shapes[j], k % 2 == 1, turning, &r);
    zoo_free(&z);
    return h;
}

static void straight_motions_give_the_same_bits_everywhere(void **state) {
    (void)state;
    int met;
    uint64_t h = hash_of_sweeps(false, &met);
    check_that(met > 1000, "only %d met", met);
    check_hash(h, GOLDEN(0xeaaf5d9243f87198, 0xd6ce6179ff2f4f79));
}

static void turning_motions_give_the_same_bits_everywhere(void **state) {
    (void)state;
    int met;
    uint64_t h = hash_of_sweeps(true, &met);
    check_that(met > 1000, "only %d met", met);
    check_hash(h, GOLDEN(0x0b7544a8fbccaf37, 0x477664deb8196648));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(straight_motions_give_the_same_bits_everywhere),
                                       cmocka_unit_test(turning_motions_give_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
