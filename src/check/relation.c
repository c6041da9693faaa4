/* One pair of parts: its tolerance, its relation, and what that is called. */
#include "check/check.h"
#include "base/error.h"
#include "base/text.h"

#include <float.h>

cm_status cm__check_refuse_desc(const cm_check_desc *desc, cm_error *error) {
    if (!desc) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    if (desc->part_count > 0 && !desc->parts) return cm__refuse(error, CM_INVALID, "parts", CM_NONE);
    if (desc->exception_count > 0 && !desc->exceptions) return cm__refuse(error, CM_INVALID, "exceptions", CM_NONE);
    if (!(desc->tolerance >= 0 && desc->tolerance <= CM_REAL_MAX))
        return cm__refuse(error, CM_INVALID, "tolerance", CM_NONE);
    if (!(desc->clearance >= 0 && desc->clearance <= CM_REAL_MAX))
        return cm__refuse(error, CM_INVALID, "clearance", CM_NONE);
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const cm_check_part *part = &desc->parts[i];
        const cm_status status = cm_shape_check(&part->shape, NULL);
        if (status != CM_OK) return cm__refuse(error, status, "shape", i);
        if (part->shape.kind != CM_SHAPE_MESH) return cm__refuse(error, CM_UNSUPPORTED, "shape", i);
        if (!cm_pose_is_valid(&part->pose)) return cm__refuse(error, CM_NOT_FINITE, "pose", i);
        if (!(part->rounding >= 0 && part->rounding < 1)) return cm__refuse(error, CM_INVALID, "rounding", i);
    }
    for (uint32_t i = 0; i < desc->exception_count; i++)
        if (!desc->exceptions[i].first || !desc->exceptions[i].second)
            return cm__refuse(error, CM_INVALID, "exceptions", i);
    return CM_OK;
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
        rounding = of_points > rounding ? of_points : rounding;
        rounding = of_place > rounding ? of_place : rounding;
    }
    const double share = 1e-6 * (double)cm_length(cm_sub(both.max, both.min));
    return (cm_real)(share > rounding ? share : rounding) + CM_REAL_MIN;
}

cm_status cm__check_relation(const cm_check_desc *desc, const cm_check_part *a, const cm_check_part *b, cm_real max_gap,
                             cm_relation_result *out) {
    const cm_real tolerance = desc->tolerance > 0 ? desc->tolerance : cm_check_tolerance(a, b);
    return cm_mesh_relation(&a->shape, &a->pose, &b->shape, &b->pose, tolerance, max_gap, out);
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
