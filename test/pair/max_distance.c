/* The farthest distance that is asked for, of every kind with every kind: a gap that is no farther is told as without
 * the limit, one that is beyond it is told as none, and then the witness stays as it was; with a cache and without.
 * Depths know no limit. */
#include "support/specimen.h"

#include <math.h>

#define NEAR 1e-5 /* of the gap: by so much a search may err */

static void check_limit(const specimen *a, const specimen *b, cm_real gap, cm_real limit, cm_pair_cache *cache) {
    cm_witness none, w;
    memset(&none, 0x5a, sizeof none);
    w = none;
    const cm_real told = cm_distance_cached(&a->shape, &a->pose, &b->shape, &b->pose, limit, cache, &w);
    const bool untouched = memcmp(&w, &none, sizeof w) == 0;
    if (gap <= 0)
        check_that(told <= 0 && told == w.distance, "%s with %s, within " REAL_FORMAT ": " REAL_FORMAT,
                   specimen_names[a->kind], specimen_names[b->kind], (double)limit, (double)told);
    else if (gap > limit)
        check_that(told == CM_REAL_MAX && untouched,
                   "%s with %s, " REAL_FORMAT " apart, within " REAL_FORMAT ": " REAL_FORMAT ", witness untouched %d",
                   specimen_names[a->kind], specimen_names[b->kind], (double)gap, (double)limit, (double)told,
                   untouched);
    else
        check_that(fabs((double)told - (double)gap) <= NEAR * (double)gap && told == w.distance,
                   "%s with %s, " REAL_FORMAT " apart, within " REAL_FORMAT ": " REAL_FORMAT, specimen_names[a->kind],
                   specimen_names[b->kind], (double)gap, (double)limit, (double)told);
}

/* Returns whether they are apart. */
static bool check_pair(const specimen *a, const specimen *b) {
    const cm_real gap = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, NULL);
    const cm_real share[] = {0, CM_REAL(0.5), CM_REAL(1 - 2 * NEAR), CM_REAL(1 + 2 * NEAR), 2, 1000};
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
        const cm_real limit = gap > 0 ? share[i] * gap : share[i];
        check_limit(a, b, gap, limit, NULL);
        check_limit(a, b, gap, limit, &cache);
    }
    return gap > 0;
}

static void a_gap_beyond_the_limit_is_none(void **state) {
    (void)state;
    rng r = rng_start("limits", 23);
    const long count = samples(60, 6000);
    long apart = 0;
    for (int i = 0; i < SPECIMEN_KINDS; i++)
        for (int j = 0; j < SPECIMEN_KINDS; j++)
            for (long k = 0; k < count; k++) {
                specimen a, b;
                specimen_random(&a, (specimen_kind)i, 1, &r);
                specimen_random(&b, (specimen_kind)j, 1, &r);
                const cm_pose pa = rng_pose(&r, 1), pb = rng_pose(&r, 4);
                specimen_place(&a, &pa);
                specimen_place(&b, &pb);
                apart += check_pair(&a, &b);
                specimen_free(&a);
                specimen_free(&b);
            }
    assert_true(apart > count * SPECIMEN_KINDS * SPECIMEN_KINDS / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_gap_beyond_the_limit_is_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
