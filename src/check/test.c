/* Tests: which pairs each asks for, with which tolerance, and what it finds of them.
 *
 * All selectors are applied to each part once. Whether a test asks for a pair is then a comparison of bytes. */
#include "check/check.h"
#include "base/memory.h"
#include "base/text.h"
#include "math/wide.h"

#include <string.h>

/* --- names ------------------------------------------------------------------------------------------------------- */

const char *cm_check_test_kind_text(cm_check_test_kind kind) {
    static const char *const texts[] = {CM_TEST_LIST(CM__TEXT)};
    return cm__text_of(texts, sizeof texts / sizeof texts[0], (size_t)kind, "unknown");
}

const char *cm_check_severity_text(cm_check_severity severity) {
    static const char *const texts[] = {CM_SEVERITY_LIST(CM__TEXT)};
    return cm__text_of(texts, sizeof texts / sizeof texts[0], (size_t)severity, "unknown");
}

/* --- what a test finds ------------------------------------------------------------------------------------------- */

static bool level_includes(cm_check_fail_on level, cm_finding_kind kind) {
    if (kind == CM_FINDING_CLEARANCE) return level >= CM_FAIL_CLEARANCE;
    if (kind == CM_FINDING_TOUCHING) return level >= CM_FAIL_TOUCHING;
    return level >= CM_FAIL_CROSSING;
}

static void decide_kinds(const cm_check_desc *desc, const cm_check_test *asked, check_test *test) {
    static const cm_check_fail_on levels[CM_TEST_KIND_COUNT] = {[CM_TEST_ANY] = CM_FAIL_CLEARANCE,
                                                                [CM_TEST_HARD] = CM_FAIL_CROSSING,
                                                                [CM_TEST_TOUCHING] = CM_FAIL_TOUCHING,
                                                                [CM_TEST_CLEARANCE] = CM_FAIL_CLEARANCE,
                                                                [CM_TEST_DUPLICATE] = CM_FAIL_CROSSING};
    cm_check_fail_on fails = levels[asked->kind];
    if (asked->kind == CM_TEST_ANY) fails = desc->fail_on;
    if (fails == CM_FAIL_DEFAULT) fails = test->clearance > 0 ? CM_FAIL_CLEARANCE : CM_FAIL_CROSSING;
    if (desc->fail_on == CM_FAIL_NEVER || asked->severity != CM_SEVERITY_ERROR) fails = CM_FAIL_NEVER;
    for (int k = 0; k < CM_FINDING_KIND_COUNT; k++) {
        const cm_finding_kind kind = (cm_finding_kind)k;
        test->finds[k] = level_includes(levels[asked->kind], kind);
        if (asked->kind == CM_TEST_DUPLICATE) test->finds[k] = kind == CM_FINDING_IDENTICAL;
        test->fails[k] = test->finds[k] && level_includes(fails, kind);
    }
}

/* --- the plan ---------------------------------------------------------------------------------------------------- */

/* By part its sides: as given, else as the two selectors choose. */
static void take_sides(const cm_check_desc *desc, const uint8_t *given, const char *a, const char *b, uint8_t *sides) {
    if (given && desc->part_count > 0) memcpy(sides, given, desc->part_count);
    if (given) return;
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const cm_check_part *part = &desc->parts[i];
        if (!a || cm_check_selects(a, part)) sides[i] |= CM_CHECK_A;
        if (!b || cm_check_selects(b, part)) sides[i] |= CM_CHECK_B;
    }
}

/* Counts the parts of A, those of B, and the pairs of one of each, every pair once. */
static void count_sides(const uint8_t *sides, uint32_t count, cm_check_test_result *out) {
    uint64_t both = 0;
    for (uint32_t i = 0; i < count; i++) {
        out->parts_a += (sides[i] & CM_CHECK_A) != 0;
        out->parts_b += (sides[i] & CM_CHECK_B) != 0;
        both += (sides[i] & CM_CHECK_A) && (sides[i] & CM_CHECK_B);
    }
    out->pairs = (uint64_t)out->parts_a * out->parts_b - both * (both + 1) / 2;
}

static void ready_test(const cm_check_desc *desc, const cm_check_test *asked, const uint8_t *left_out, uint8_t *sides,
                       check_test *test) {
    const bool measures = asked->kind == CM_TEST_ANY || asked->kind == CM_TEST_CLEARANCE;
    *test = (check_test){.name = asked->name, .sides = sides};
    test->tolerance = (double)(asked->tolerance > 0 ? asked->tolerance : desc->tolerance);
    if (measures) test->clearance = (double)(asked->clearance > 0 ? asked->clearance : desc->clearance);
    decide_kinds(desc, asked, test);
    take_sides(desc, asked->sides, asked->a, asked->b, sides);
    for (uint32_t i = 0; i < desc->part_count; i++)
        if (left_out[i]) sides[i] = 0;
}

cm_status cm__check_plan_make(const cm_check_desc *desc, const cm_allocator *mem, check_plan *plan,
                              cm_check_result *r) {
    const cm_check_test whole = {.sides = desc->sides};
    const cm_check_test *tests = desc->test_count > 0 ? desc->tests : &whole;
    const uint32_t count = desc->test_count > 0 ? desc->test_count : 1;
    const size_t parts = desc->part_count, rows = (size_t)count + desc->tolerance_count + 1;
    if (parts > 0 && rows > (SIZE_MAX - count * sizeof(check_test)) / parts) return CM_NO_MEMORY;
    *plan = (check_plan){.count = count, .size = count * sizeof(check_test) + rows * parts};
    plan->block = cm__alloc(mem, plan->size, 1);
    r->tests = cm__alloc(mem, count, sizeof *r->tests);
    r->test_count = r->tests ? count : 0;
    if (!plan->block || !r->tests) return CM_NO_MEMORY;
    memset(r->tests, 0, count * sizeof *r->tests);
    memset(plan->block, 0, plan->size);
    plan->tests = plan->block;
    uint8_t *sides = (uint8_t *)(plan->tests + count), *left_out = sides + (rows - 1) * parts;
    if (desc->left_out) r->parts_left_out = cm_check_choose(desc->parts, desc->part_count, desc->left_out, 1, left_out);
    for (uint32_t i = 0; i < count; i++, sides += parts) {
        ready_test(desc, &tests[i], left_out, sides, &plan->tests[i]);
        count_sides(sides, desc->part_count, &r->tests[i]);
        r->pairs_total += r->tests[i].pairs;
        plan->clearance = wide_max(plan->clearance, plan->tests[i].clearance);
    }
    plan->tolerance_sides = sides;
    for (uint32_t i = 0; i < desc->tolerance_count; i++, sides += parts)
        take_sides(desc, desc->tolerances[i].sides, desc->tolerances[i].first, desc->tolerances[i].second, sides);
    return CM_OK;
}

void cm__check_plan_free(check_plan *plan, const cm_allocator *mem) {
    cm__free(mem, plan->block, plan->size, 1);
    *plan = (check_plan){.count = 0};
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* Are the two pieces of one product? Some programs copy a product with its id: parts at two nodes are two products. */
static bool is_one_product(const cm_check_part *one, const cm_check_part *other) {
    if (!one->id || !*one->id || (one->node && other->node && one->node != other->node)) return false;
    return is_same_text(one->id, other->id) && is_same_text(one->file, other->file);
}

uint32_t cm__check_skips(const cm_check_desc *desc, uint32_t a, uint32_t b) {
    const cm_check_part *one = &desc->parts[a], *other = &desc->parts[b];
    if ((desc->skip & CM_CHECK_SKIP_PRODUCT) && is_one_product(one, other)) return CM_CHECK_SKIP_PRODUCT;
    if ((desc->skip & CM_CHECK_SKIP_PARENT) &&
        ((one->node && one->node == other->parent) || (other->node && other->node == one->parent)))
        return CM_CHECK_SKIP_PARENT;
    return 0;
}

double cm__check_pair_tolerance(const cm_check_desc *desc, const check_plan *plan, const check_test *test, uint32_t a,
                                uint32_t b) {
    for (uint32_t i = 0; i < desc->tolerance_count; i++) {
        const check_test about = {.sides = plan->tolerance_sides + (size_t)i * desc->part_count};
        if (check_asks(&about, a, b)) return (double)desc->tolerances[i].tolerance;
    }
    return test->tolerance;
}
