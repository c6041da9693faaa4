/* Sides of parts on all ranks: see sides.h. */
#include "ranks/sides.h"

#include "common/text.h"
#include "ranks/ranks.h"

#include <stdlib.h>

uint32_t sides_tests(const cm_check_desc *desc) { return desc->test_count > 0 ? desc->test_count : 1; }
uint32_t sides_rows(const cm_check_desc *desc) { return sides_tests(desc) + desc->tolerance_count; }

/* A selector that is not there chooses all. */
static void choose(const cm_check_desc *desc, const char *a, const char *b, uint8_t *sides) {
    if (a) cm_check_choose(desc->parts, desc->part_count, a, CM_CHECK_A, sides);
    if (b) cm_check_choose(desc->parts, desc->part_count, b, CM_CHECK_B, sides);
    for (uint32_t i = 0; i < desc->part_count; i++) sides[i] |= (a ? 0 : CM_CHECK_A) | (b ? 0 : CM_CHECK_B);
}

static void choose_all(const cm_check_desc *desc, uint32_t count, uint8_t *sides) {
    uint8_t *left_out = allocate(count, sizeof *left_out);
    if (desc->left_out) cm_check_choose(desc->parts, count, desc->left_out, 1, left_out);
    for (uint32_t i = 0; i < sides_tests(desc); i++, sides += count) {
        const cm_check_test *test = desc->test_count > 0 ? &desc->tests[i] : NULL;
        choose(desc, test ? test->a : NULL, test ? test->b : NULL, sides);
        for (uint32_t p = 0; p < count; p++)
            if (left_out[p]) sides[p] = 0;
    }
    for (uint32_t i = 0; i < desc->tolerance_count; i++, sides += count)
        choose(desc, desc->tolerances[i].first, desc->tolerances[i].second, sides);
    free(left_out);
}

void sides_share(const cm_check_desc *desc, uint32_t count, uint8_t *sides) {
    if (ranks_own() == 0) choose_all(desc, count, sides);
    for (uint32_t i = 0; i < sides_rows(desc); i++) ranks_from(0, &sides[(size_t)i * count], count);
}

void sides_choose(cm_check_desc *desc, const uint8_t *sides, uint32_t count, const uint32_t *numbers, tile_sides *out) {
    const uint32_t rows = sides_rows(desc), tests = sides_tests(desc), here = desc->part_count;
    *out = (tile_sides){.tests = allocate(tests, sizeof *out->tests),
                        .tolerances = allocate(desc->tolerance_count, sizeof *out->tolerances),
                        .sides = allocate((size_t)rows * here, sizeof *out->sides)};
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < here; i++)
            out->sides[(size_t)row * here + i] = sides[(size_t)row * count + numbers[i]];
    for (uint32_t i = 0; i < tests; i++) {
        if (desc->test_count > 0) out->tests[i] = desc->tests[i];
        out->tests[i].sides = &out->sides[(size_t)i * here];
    }
    for (uint32_t i = 0; i < desc->tolerance_count; i++) {
        out->tolerances[i] = desc->tolerances[i];
        out->tolerances[i].sides = &out->sides[(size_t)(tests + i) * here];
    }
    desc->tests = out->tests, desc->test_count = tests, desc->tolerances = out->tolerances;
}

void sides_free(tile_sides *t) {
    free(t->tests);
    free(t->tolerances);
    free(t->sides);
}
