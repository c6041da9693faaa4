/* The findings of tiles as those of one check: see carom/check.h.
 *
 * A tile decides its findings. What depends on all parts is added here, by the same code as in cm_check_parts:
 * identities, exceptions, counts, and the total order, after which nothing tells that there were tiles. */
#include "check/check.h"
#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static cm_status merge_check_desc(const cm_check_desc *desc, const cm_check_result *tiles, uint32_t count,
                                  cm_error *error) {
    if (!desc || (count > 0 && !tiles)) return cm__refuse(error, CM_INVALID, desc ? "tiles" : NULL, CM_NONE);
    if (desc->part_count > 0 && !desc->parts) return cm__refuse(error, CM_INVALID, "parts", CM_NONE);
    return cm__check_refuse_rules(desc, error);
}

/* Copies the findings of all tiles one after the other, with outlines where the tiles have them. */
static cm_status merge_gather(const cm_check_desc *desc, const cm_check_result *tiles, uint32_t count,
                              const cm_allocator *mem, cm_check_result *r, cm_error *error) {
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += tiles[i].count;
        r->pairs_near += tiles[i].pairs_near;
        r->skipped_product += tiles[i].skipped_product, r->skipped_parent += tiles[i].skipped_parent;
    }
    if (r->pairs_near > INT32_MAX) return cm__refuse(error, CM_LIMIT, NULL, CM_NONE);
    r->findings = cm__alloc(mem, total, sizeof *r->findings);
    if (!r->findings) return cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    r->count = total;
    cm_finding *at = r->findings;
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = 0; k < tiles[i].count; k++, at++) {
            *at = tiles[i].findings[k];
            if (at->part_a >= desc->part_count || at->part_b >= desc->part_count || at->test >= r->test_count ||
                (unsigned)at->kind >= CM_FINDING_KIND_COUNT)
                return cm__refuse(error, CM_OUT_OF_RANGE, "tiles", i);
        }
    return CM_OK;
}

/* Has a pair two findings of one test? They would be adjacent in the total order. */
static bool merge_has_pair_twice(const cm_check_result *r) {
    for (size_t i = 1; i < r->count; i++)
        if (r->findings[i].part_a == r->findings[i - 1].part_a && r->findings[i].part_b == r->findings[i - 1].part_b &&
            r->findings[i].test == r->findings[i - 1].test)
            return true;
    return false;
}

static cm_status merge_outlines(const cm_allocator *mem, cm_check_result *r) {
    size_t points = 0;
    for (size_t i = 0; i < r->count; i++) points += 2 * r->findings[i].outline_segments;
    r->outlines = cm__alloc(mem, points, sizeof *r->outlines);
    if (!r->outlines) return CM_NO_MEMORY;
    r->outline_points = points;
    cm_vec3 *at = r->outlines;
    for (size_t i = 0; i < r->count; i++) {
        cm_finding *f = &r->findings[i];
        const size_t own = 2 * f->outline_segments;
        if (own == 0) continue;
        memcpy(at, f->outline, own * sizeof *at);
        f->outline = at;
        at += own;
    }
    return CM_OK;
}

static void merge_drop_outlines(cm_check_result *r) {
    for (size_t i = 0; i < r->count; i++) r->findings[i].outline = NULL, r->findings[i].outline_segments = 0;
}

cm_status cm_check_merge(const cm_check_desc *desc, const cm_check_result *tiles, uint32_t count,
                         const cm_allocator *mem, cm_check_result *out, cm_error *error) {
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    cm_status status = merge_check_desc(desc, tiles, count, error);
    if (status != CM_OK) return status;
    cm_check_result r;
    memset(&r, 0, sizeof r);
    check_plan plan = {.count = 0};
    if (cm__check_plan_make(desc, mem, &plan, &r) != CM_OK) status = cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    if (status == CM_OK) status = merge_gather(desc, tiles, count, mem, &r, error);
    if (status == CM_OK && cm__check_sort(&r, mem) != CM_OK) status = cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    if (status == CM_OK && merge_has_pair_twice(&r)) status = cm__refuse(error, CM_INVALID, "tiles", CM_NONE);
    if (status == CM_OK && cm__check_settle(desc, &plan, mem, &r) != CM_OK)
        status = cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    cm__check_plan_free(&plan, mem);
    if (!desc->outlines)
        merge_drop_outlines(&r);
    else if (status == CM_OK && merge_outlines(mem, &r) != CM_OK)
        status = cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    if (status == CM_OK)
        *out = r;
    else
        cm_check_result_destroy(&r, mem);
    return status;
}
