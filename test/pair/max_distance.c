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

/* A field of one cell, a hole: nothing is any distance from it. */
static void nothing_is_near_what_is_empty(void **state) {
    (void)state;
    rng r = rng_start("empty", 24);
    const cm_real heights[4] = {0};
    const uint8_t hole = 1;
    const cm_height_field_desc desc = {
        .heights = heights, .columns = 2, .rows = 2, .column_spacing = 1, .row_spacing = 1, .holes = &hole};
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    const cm_shape empty = cm_make_height_field(field);
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < SPECIMEN_KINDS; i++) {
        specimen a;
        specimen_random(&a, (specimen_kind)i, 1, &r);
        for (int swap = 0; swap < 2; swap++) {
            const cm_shape *first = swap ? &empty : &a.shape, *second = swap ? &a.shape : &empty;
            cm_witness w, before;
            memset(&w, 0x5a, sizeof w);
            before = w;
            const cm_real d = cm_distance(first, &home, second, &home, CM_REAL_MAX, &w);
            check_that(d == CM_REAL_MAX && memcmp(&w, &before, sizeof w) == 0, "%s: " REAL_FORMAT, specimen_names[i],
                       (double)d);
            check_that(!cm_overlap(first, &home, second, &home), "%s overlaps", specimen_names[i]);
            assert_int_equal(cm_contact(first, &home, second, &home, 1, NULL, 0), 0);
        }
        specimen_free(&a);
    }
    cm_height_field_destroy(field, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_gap_beyond_the_limit_is_none),
                                       cmocka_unit_test(nothing_is_near_what_is_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
