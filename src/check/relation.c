/* One pair of parts: its tolerance, its relation, and the names of relations and findings. */
#include "check/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "math/wide.h"
#include "pair/mesh_mesh.h"
#include "shape/shape.h"

#include <float.h>

/* The most tests, and the most tolerances: more than anybody writes. Each needs a byte for each part. */
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

cm_status cm__check_refuse_rules(const cm_check_desc *desc, cm_error *error) {
    if (desc->exception_count > 0 && !desc->exceptions) return cm__refuse(error, CM_INVALID, "exceptions", CM_NONE);
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
        const bool chosen = t->sides || (t->first && t->second);
        if (!chosen || !(t->tolerance > 0) || !is_length(t->tolerance))
            return cm__refuse(error, CM_INVALID, "tolerances", i);
    }
    return refuse_tests(desc, error);
}

cm_status cm__check_refuse_desc(const cm_check_desc *desc, cm_error *error) {
    if (!desc) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    if (desc->part_count > 0 && !desc->parts) return cm__refuse(error, CM_INVALID, "parts", CM_NONE);
    if (!is_length(desc->tolerance)) return cm__refuse(error, CM_INVALID, "tolerance", CM_NONE);
    if (!is_length(desc->clearance)) return cm__refuse(error, CM_INVALID, "clearance", CM_NONE);
    if ((unsigned)desc->fail_on > CM_FAIL_CLEARANCE) return cm__refuse(error, CM_INVALID, "fail_on", CM_NONE);
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const cm_check_part *part = &desc->parts[i];
        const cm_status status = cm_shape_check(&part->shape, NULL);
        if (status != CM_OK) return cm__refuse(error, status, "shape", i);
        if (!shape_mesh(&part->shape)) return cm__refuse(error, CM_UNSUPPORTED, "shape", i);
        if (!cm_pose_is_valid(&part->pose)) return cm__refuse(error, CM_NOT_FINITE, "pose", i);
        if (!(part->rounding >= 0 && part->rounding < 1)) return cm__refuse(error, CM_INVALID, "rounding", i);
        if (!(part->deviation >= 0 && part->deviation <= (double)CM_REAL_MAX))
            return cm__refuse(error, CM_INVALID, "deviation", i);
        if (part->property_count > 0 && !part->properties) return cm__refuse(error, CM_INVALID, "properties", i);
    }
    return cm__check_refuse_rules(desc, error);
}

/* `placed`: the boxes of both in the world. */
static cm_real check_default_tolerance(const cm_check_part *a, const cm_check_part *b, const cm_aabb placed[2]) {
    const double deviation = a->deviation + b->deviation;
    const bool known = a->rounding > 0 && b->rounding > 0;
    if (!known && !(deviation > 0)) return 0;
    const cm_check_part *parts[2] = {a, b};
    double rounding = 0;
    for (int i = 0; i < 2; i++) {
        const double of_points = 4 * parts[i]->rounding * check_own_reach(parts[i]);
        const double of_place =
            4 * (known ? (double)CM_REAL_EPSILON : (double)FLT_EPSILON) * check_reach_of(&placed[i]);
        rounding = wide_max(rounding, wide_max(of_points, of_place));
    }
    const cm_aabb both = cm_aabb_union(placed[0], placed[1]);
    const double share = 1e-6 * (double)cm_length(cm_sub(both.max, both.min));
    return (cm_real)wide_max(wide_max(share, rounding), deviation) + CM_REAL_MIN;
}

cm_real cm_check_tolerance(const cm_check_part *a, const cm_check_part *b) {
    cm_aabb placed[2];
    cm_shape_bounds(&a->shape, &a->pose, &placed[0]);
    cm_shape_bounds(&b->shape, &b->pose, &placed[1]);
    return check_default_tolerance(a, b, placed);
}

cm_aabb *cm__check_boxes(const cm_check_desc *desc, const cm_allocator *mem) {
    cm_aabb *boxes = cm__alloc(mem, desc->part_count, sizeof *boxes);
    for (uint32_t i = 0; i < desc->part_count && boxes; i++)
        cm_shape_bounds(&desc->parts[i].shape, &desc->parts[i].pose, &boxes[i]);
    return boxes;
}

static bool check_add_crossing(void *user, const cm_crossing *crossing) {
    check_crossings *all = user;
    all->box = cm_aabb_add_point(cm_aabb_add_point(all->box, crossing->start), crossing->end);
    if (!crossing->coplanar) all->length += (double)cm_length(cm_sub(crossing->end, crossing->start));
    return true;
}

cm_status cm__check_relation(const cm_check_desc *desc, const cm_aabb *boxes, double tolerance, cm_broad_pair pair,
                             cm_real max_gap, check_crossings *crossings, cm_relation_result *out) {
    const cm_check_part *a = &desc->parts[pair.a], *b = &desc->parts[pair.b];
    const cm_aabb placed[2] = {boxes[pair.a], boxes[pair.b]};
    const cm_real judged = tolerance > 0 ? (cm_real)tolerance : check_default_tolerance(a, b, placed);
    if (crossings) *crossings = (check_crossings){cm_aabb_empty(), 0};
    return cm__mesh_relation_and_crossings(&a->shape, &a->pose, &b->shape, &b->pose, judged, max_gap,
                                           crossings ? check_add_crossing : NULL, crossings, out);
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
