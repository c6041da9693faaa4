/* One pair of parts: its tolerance, its relation, and what that is called. */
#include "check/check.h"
#include "base/error.h"
#include "base/text.h"
#include "math/wide.h"

#include <float.h>

/* More tests, or tolerances, than anybody writes. Each takes a byte a part. */
enum { CHECK_MOST_RULES = 65536 };

static bool is_length(cm_real x) { return x >= 0 && x <= CM_REAL_MAX; }

static cm_status refuse_tests(const cm_check_desc *desc, cm_error *error) {
    if (desc->test_count > 0 && !desc->tests) return cm__refuse(error, CM_INVALID, "tests", CM_NONE);
    if (desc->test_count > CHECK_MOST_RULES) return cm__refuse(error, CM_LIMIT, "tests", CM_NONE);
    if (desc->test_count > 0 && desc->sides) return cm__refuse(error, CM_INVALID, "sides", CM_NONE);
    for (uint32_t i = 0; i < desc->test_count; i++) {
        const cm_check_test *test = &desc->tests[i];
        if ((unsigned)test->kind >= CM_TEST_KIND_COUNT) return cm__refuse(error, CM_INVALID, "kind", i);
        if ((unsigned)test->severity >= CM_SEVERITY_COUNT) return cm__refuse(error, CM_INVALID, "severity", i);
        if (!is_length(test->tolerance)) return cm__refuse(error, CM_INVALID, "tolerance", i);
        const bool lacks = test->kind == CM_TEST_CLEARANCE && !(test->clearance > 0 || desc->clearance > 0);
        if (!is_length(test->clearance) || lacks) return cm__refuse(error, CM_INVALID, "clearance", i);
    }
    return CM_OK;
}

static cm_status refuse_rules(const cm_check_desc *desc, cm_error *error) {
    for (uint32_t i = 0; i < desc->exception_count; i++) {
        const cm_check_exception *e = &desc->exceptions[i];
        const bool says = e->first || e->id || e->test;
        if (!says || !e->first != !e->second || !is_length(e->depth))
            return cm__refuse(error, CM_INVALID, "exceptions", i);
    }
    if (desc->tolerance_count > 0 && !desc->tolerances) return cm__refuse(error, CM_INVALID, "tolerances", CM_NONE);
    if (desc->tolerance_count > CHECK_MOST_RULES) return cm__refuse(error, CM_LIMIT, "tolerances", CM_NONE);
    for (uint32_t i = 0; i < desc->tolerance_count; i++) {
        const cm_check_pair_tolerance *t = &desc->tolerances[i];
        if (!t->first || !t->second || !(t->tolerance > 0) || !is_length(t->tolerance))
            return cm__refuse(error, CM_INVALID, "tolerances", i);
    }
    return refuse_tests(desc, error);
}

cm_status cm__check_refuse_desc(const cm_check_desc *desc, cm_error *error) {
    if (!desc) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    if (desc->part_count > 0 && !desc->parts) return cm__refuse(error, CM_INVALID, "parts", CM_NONE);
    if (desc->exception_count > 0 && !desc->exceptions) return cm__refuse(error, CM_INVALID, "exceptions", CM_NONE);
    if (!is_length(desc->tolerance)) return cm__refuse(error, CM_INVALID, "tolerance", CM_NONE);
    if (!is_length(desc->clearance)) return cm__refuse(error, CM_INVALID, "clearance", CM_NONE);
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const cm_check_part *part = &desc->parts[i];
        const cm_status status = cm_shape_check(&part->shape, NULL);
        if (status != CM_OK) return cm__refuse(error, status, "shape", i);
        if (part->shape.kind != CM_SHAPE_MESH) return cm__refuse(error, CM_UNSUPPORTED, "shape", i);
        if (!cm_pose_is_valid(&part->pose)) return cm__refuse(error, CM_NOT_FINITE, "pose", i);
        if (!(part->rounding >= 0 && part->rounding < 1)) return cm__refuse(error, CM_INVALID, "rounding", i);
        if (!(part->deviation >= 0 && part->deviation <= (double)CM_REAL_MAX))
            return cm__refuse(error, CM_INVALID, "deviation", i);
        if (part->property_count > 0 && !part->properties) return cm__refuse(error, CM_INVALID, "properties", i);
    }
    return refuse_rules(desc, error);
}

cm_real cm_check_tolerance(const cm_check_part *a, const cm_check_part *b) {
    if (!(a->rounding > 0) || !(b->rounding > 0)) return 0;
    const cm_check_part *parts[2] = {a, b};
    cm_aabb both = cm_aabb_empty();
    double rounding = 0;
    for (int i = 0; i < 2; i++) {
        cm_aabb placed;
        cm_shape_bounds(&parts[i]->shape, &parts[i]->pose, &placed);
        both = cm_aabb_union(both, placed);
        const double of_points = 4 * parts[i]->rounding * check_own_reach(parts[i]);
        const double of_place = 4 * (double)CM_REAL_EPSILON * check_reach_of(&placed);
        rounding = wide_max(rounding, wide_max(of_points, of_place));
    }
    const double share = 1e-6 * (double)cm_length(cm_sub(both.max, both.min));
    return (cm_real)wide_max(wide_max(share, rounding), a->deviation + b->deviation) + CM_REAL_MIN;
}

cm_status cm__check_relation(double tolerance, const cm_check_part *a, const cm_check_part *b, cm_real max_gap,
                             cm_relation_result *out) {
    const cm_real judged = tolerance > 0 ? (cm_real)tolerance : cm_check_tolerance(a, b);
    return cm_mesh_relation(&a->shape, &a->pose, &b->shape, &b->pose, judged, max_gap, out);
}

/* --- names ------------------------------------------------------------------------------------------------------- */

cm_finding_kind cm__check_kind(cm_relation relation) {
    static const cm_finding_kind kinds[] = {
        [CM_RELATION_NONE] = CM_FINDING_CROSSING,       [CM_RELATION_IDENTICAL] = CM_FINDING_IDENTICAL,
        [CM_RELATION_A_IN_B] = CM_FINDING_INSIDE,       [CM_RELATION_B_IN_A] = CM_FINDING_INSIDE,
        [CM_RELATION_SEPARATED] = CM_FINDING_CLEARANCE, [CM_RELATION_TOUCHING] = CM_FINDING_TOUCHING,
        [CM_RELATION_CROSSING] = CM_FINDING_CROSSING};
    return kinds[relation];
}

const char *cm_finding_kind_text(cm_finding_kind kind) {
    static const char *const texts[] = {CM_FINDING_LIST(CM__TEXT)};
    return cm__text_of(texts, sizeof texts / sizeof texts[0], (size_t)kind, "unknown");
}

const char *cm_finding_text(const cm_finding *finding) {
    if (finding->kind == CM_FINDING_INSIDE) return cm_relation_text(finding->result.relation);
    return cm_finding_kind_text(finding->kind);
}
