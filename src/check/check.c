/* Every part against every other: see carom/check.h.
 *
 * Guaranteed: no pair that is a finding is left out. Its boxes, each grown by the margin (tile.c), overlap. Each near
 * pair is decided by itself and writes to its own place; what is left is sorted by a total order, so that neither
 * threads nor the order of near pairs show, nor tiles.
 * Memory is taken on the caller's thread only: outlines are gathered after all findings are known. */
#include "check/check.h"
#include "base/counter.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/tasks.h"
#include "carom/broad.h"

#include <string.h>

/* --- near pairs -------------------------------------------------------------------------------------------------- */

/* One part of A, the other of B. */
static bool check_is_asked_for(int sides_a, int sides_b) {
    return ((sides_a & CM_CHECK_A) && (sides_b & CM_CHECK_B)) || ((sides_a & CM_CHECK_B) && (sides_b & CM_CHECK_A));
}

/* Pairs with one part of A and one of B, each once. */
static uint64_t check_count_pairs(const cm_check_desc *desc) {
    uint64_t in_a = 0, in_b = 0, in_both = 0;
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const int sides = check_side(desc, i);
        in_a += (sides & CM_CHECK_A) != 0, in_b += (sides & CM_CHECK_B) != 0;
        in_both += (sides & CM_CHECK_A) && (sides & CM_CHECK_B);
    }
    return in_a * in_b - in_both * (in_both + 1) / 2;
}

/* The margin of a check without tiles. */
static cm_real check_whole_margin(const cm_check_desc *desc, const cm_aabb *boxes) {
    cm_check_extent all;
    cm__check_extent(desc->parts, desc->part_count, boxes, &all);
    return cm_check_margin(desc, &all);
}

/* Of the pairs whose boxes overlap those that are asked for, and that are the tile's; NULL: all. */
static void check_keep_pairs(const cm_check_desc *desc, const cm_check_tile *tile, const cm_aabb *boxes,
                             cm_broad_pair_list *near_pairs) {
    size_t kept = 0;
    for (size_t i = 0; i < near_pairs->count; i++) {
        const cm_broad_pair pair = near_pairs->pairs[i];
        if (!check_is_asked_for(check_side(desc, pair.a), check_side(desc, pair.b))) continue;
        if (tile && !cm_check_owns(tile, &boxes[pair.a], &boxes[pair.b], check_number(tile, pair.a),
                                   check_number(tile, pair.b)))
            continue;
        near_pairs->pairs[kept++] = pair;
    }
    near_pairs->count = kept;
}

static cm_status check_find_near(const cm_check_desc *desc, const cm_check_tile *tile, const cm_allocator *mem,
                                 cm_broad_pair_list *near_pairs) {
    const uint32_t count = desc->part_count;
    cm_aabb *boxes = cm__alloc(mem, count, sizeof *boxes);
    if (!boxes) return CM_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) cm_shape_bounds(&desc->parts[i].shape, &desc->parts[i].pose, &boxes[i]);
    const cm_real margin = tile ? tile->margin : check_whole_margin(desc, boxes);
    for (uint32_t i = 0; i < count; i++) boxes[i] = cm_aabb_grow(boxes[i], margin);
    cm_broad_pairs_desc broad = {.mem = mem, .flags = CM_BROAD_SORTED};
    const cm_status status = count > 0 ? cm_broad_pairs(boxes, count, &broad, near_pairs) : CM_OK;
    if (status == CM_OK) check_keep_pairs(desc, tile, boxes, near_pairs);
    cm__free(mem, boxes, count, sizeof *boxes);
    if (status != CM_OK) return status;
    return near_pairs->count > INT32_MAX ? CM_LIMIT : CM_OK;
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

typedef struct check_work {
    const cm_check_desc *desc;
    const cm_broad_pair *pairs;
    size_t count;
    cm_finding *found; /* one a pair */
    cm_status *statuses;
    uint32_t done, ended; /* counters: pairs that are decided; not 0: the caller ended it */
} check_work;

static bool check_bound_crossing(void *user, const cm_crossing *crossing) {
    cm_aabb *box = user;
    *box = cm_aabb_add_point(cm_aabb_add_point(*box, crossing->start), crossing->end);
    return true;
}

static bool check_is_finding(const check_work *work, const cm_relation_result *r) {
    if (r->relation != CM_RELATION_SEPARATED) return r->relation != CM_RELATION_NONE;
    return r->distance < work->desc->clearance;
}

static void check_pair(void *argument, int index, int worker) {
    (void)worker;
    check_work *work = argument;
    const cm_check_desc *desc = work->desc;
    const cm_broad_pair pair = work->pairs[index];
    const cm_check_part *a = &desc->parts[pair.a], *b = &desc->parts[pair.b];
    cm_finding *f = &work->found[index];
    work->statuses[index] = CM_LIMIT;
    if (counter_get(&work->ended)) return;
    memset(f, 0, sizeof *f);
    f->part_a = pair.a, f->part_b = pair.b, f->allowed = CM_NONE, f->outline_box = cm_aabb_empty();
    work->statuses[index] = cm__check_relation(desc, a, b, desc->clearance, &f->result);
    if (work->statuses[index] == CM_OK && check_is_finding(work, &f->result) && f->result.crossings > 0)
        cm_mesh_crossings(&a->shape, &a->pose, &b->shape, &b->pose, check_bound_crossing, &f->outline_box);
    const uint32_t done = counter_add(&work->done, 1);
    if (desc->progress && !desc->progress(desc->user, done, work->count)) counter_add(&work->ended, 1);
}

/* Findings move to the front, in the order of the pairs. */
static cm_status check_run_pairs(check_work *work, size_t *count, cm_error *error) {
    cm__run(work->desc->tasks, (int)work->count, check_pair, work);
    *count = 0;
    if (counter_get(&work->ended)) return cm__refuse(error, CM_LIMIT, "progress", CM_NONE);
    for (size_t i = 0; i < work->count; i++) {
        if (work->statuses[i] != CM_OK) return cm__refuse(error, work->statuses[i], "parts", work->pairs[i].a);
        if (!check_is_finding(work, &work->found[i].result)) continue;
        work->found[*count] = work->found[i];
        work->found[(*count)++].kind = cm__check_kind(work->found[i].result.relation);
    }
    return CM_OK;
}

/* --- findings ---------------------------------------------------------------------------------------------------- */

static int check_compare(const void *left, const void *right) {
    const cm_finding *a = left, *b = right;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->result.distance != b->result.distance) return a->result.distance < b->result.distance ? -1 : 1;
    if (a->part_a != b->part_a) return a->part_a < b->part_a ? -1 : 1;
    return a->part_b < b->part_b ? -1 : a->part_b > b->part_b;
}

/* Counts the uses of every exception, also where an earlier one has accepted the finding. */
static void check_allow(const cm_check_desc *desc, cm_finding *f, uint32_t *uses) {
    const cm_check_part *a = &desc->parts[f->part_a], *b = &desc->parts[f->part_b];
    for (uint32_t i = 0; i < desc->exception_count; i++) {
        const cm_check_exception *e = &desc->exceptions[i];
        if (!(cm_check_selects(e->first, a) && cm_check_selects(e->second, b)) &&
            !(cm_check_selects(e->first, b) && cm_check_selects(e->second, a)))
            continue;
        uses[i]++;
        if (f->allowed == CM_NONE) f->allowed = i;
    }
}

static bool check_kind_fails(const cm_check_desc *desc, cm_finding_kind kind) {
    cm_check_fail_on level = desc->fail_on;
    if (level == CM_FAIL_DEFAULT) level = desc->clearance > 0 ? CM_FAIL_CLEARANCE : CM_FAIL_CROSSING;
    if (kind == CM_FINDING_CLEARANCE) return level >= CM_FAIL_CLEARANCE;
    if (kind == CM_FINDING_TOUCHING) return level >= CM_FAIL_TOUCHING;
    return level >= CM_FAIL_CROSSING;
}

static void check_classify(const cm_check_desc *desc, cm_check_result *r) {
    for (size_t i = 0; i < r->count; i++) {
        cm_finding *f = &r->findings[i];
        check_allow(desc, f, r->uses);
        const bool allowed = f->allowed != CM_NONE;
        f->fails = !allowed && check_kind_fails(desc, f->kind);
        r->allowed += allowed;
        r->failing += f->fails;
        if (!allowed) r->kinds[f->kind]++;
    }
}

/* --- outlines ---------------------------------------------------------------------------------------------------- */

typedef struct check_outlines {
    const cm_check_desc *desc;
    cm_check_result *result;
} check_outlines;

typedef struct check_outline {
    cm_vec3 *points;
    size_t used, room;
} check_outline;

static bool check_keep_crossing(void *user, const cm_crossing *crossing) {
    check_outline *outline = user;
    if (outline->used + 2 > outline->room) return false; /* never: the room is for as many as were counted */
    outline->points[outline->used++] = crossing->start;
    outline->points[outline->used++] = crossing->end;
    return true;
}

static void check_draw(void *argument, int index, int worker) {
    (void)worker;
    const check_outlines *work = argument;
    cm_check_result *r = work->result;
    const cm_finding *f = &r->findings[index];
    const cm_check_part *a = &work->desc->parts[f->part_a], *b = &work->desc->parts[f->part_b];
    if (f->outline_segments == 0) return;
    check_outline outline = {r->outlines + (f->outline - r->outlines), 0, 2 * f->outline_segments};
    cm_mesh_crossings(&a->shape, &a->pose, &b->shape, &b->pose, check_keep_crossing, &outline);
}

static cm_status check_make_outlines(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *r) {
    size_t points = 0;
    for (size_t i = 0; i < r->count; i++) points += 2 * (size_t)r->findings[i].result.crossings;
    r->outlines = cm__alloc(mem, points, sizeof *r->outlines);
    if (!r->outlines) return CM_NO_MEMORY;
    r->outline_points = points;
    points = 0;
    for (size_t i = 0; i < r->count; i++) {
        cm_finding *f = &r->findings[i];
        if (f->result.crossings == 0) continue;
        f->outline = r->outlines + points, f->outline_segments = (size_t)f->result.crossings;
        points += 2 * f->outline_segments;
    }
    check_outlines work = {desc, r};
    cm__run(desc->tasks, (int)r->count, check_draw, &work);
    return CM_OK;
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static cm_status check_identify(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *r) {
    uint64_t *ids = cm__alloc(mem, desc->part_count, sizeof *ids);
    cm_status status = ids ? cm__check_identities(desc, mem, ids) : CM_NO_MEMORY;
    for (size_t i = 0; i < r->count && status == CM_OK; i++) {
        cm_finding *f = &r->findings[i];
        f->id_a = ids[f->part_a], f->id_b = ids[f->part_b];
        f->id = cm__check_pair_identity(f->id_a, f->id_b);
    }
    cm__free(mem, ids, desc->part_count, sizeof *ids);
    return status;
}

/* All that needs every part of the check. */
cm_status cm__check_settle(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *r) {
    r->pairs_total = check_count_pairs(desc);
    r->uses = cm__alloc(mem, desc->exception_count, sizeof *r->uses);
    if (!r->uses) return CM_NO_MEMORY;
    r->exception_count = desc->exception_count;
    memset(r->uses, 0, desc->exception_count * sizeof *r->uses);
    if (check_identify(desc, mem, r) != CM_OK) return CM_NO_MEMORY;
    check_classify(desc, r);
    return CM_OK;
}

void cm__check_sort(cm_check_result *r) { cm__sort(r->findings, r->count, sizeof *r->findings, check_compare); }

/* The work's findings in blocks of the right size. */
static cm_status check_make_result(const check_work *work, const cm_check_tile *tile, size_t count,
                                   const cm_allocator *mem, cm_check_result *r) {
    const cm_check_desc *desc = work->desc;
    r->findings = cm__alloc(mem, count, sizeof *r->findings);
    if (!r->findings) return CM_NO_MEMORY;
    memcpy(r->findings, work->found, count * sizeof *r->findings);
    r->count = count;
    if (!tile && cm__check_settle(desc, mem, r) != CM_OK) return CM_NO_MEMORY;
    cm__check_sort(r);
    if (desc->outlines && check_make_outlines(desc, mem, r) != CM_OK) return CM_NO_MEMORY;
    for (size_t i = 0; i < count && tile; i++) {
        r->findings[i].part_a = check_number(tile, r->findings[i].part_a);
        r->findings[i].part_b = check_number(tile, r->findings[i].part_b);
    }
    return CM_OK;
}

/* NULL instead of a tile: the whole. */
static cm_status check_run(const cm_check_desc *desc, const cm_check_tile *tile, const cm_allocator *mem,
                           cm_check_result *out, cm_error *error) {
    cm_broad_pair_list near_pairs = {0};
    cm_status status = check_find_near(desc, tile, mem, &near_pairs);
    if (status != CM_OK) {
        cm_broad_pair_list_free(&near_pairs, mem);
        return cm__refuse(error, status, NULL, CM_NONE);
    }
    check_work work = {.desc = desc, .pairs = near_pairs.pairs, .count = near_pairs.count};
    cm_check_result result = {.pairs_near = near_pairs.count};
    size_t count = 0;
    work.found = cm__alloc(mem, work.count, sizeof *work.found);
    work.statuses = cm__alloc(mem, work.count, sizeof *work.statuses);
    if (!work.found || !work.statuses)
        status = cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    else if ((status = check_run_pairs(&work, &count, error)) == CM_OK &&
             (status = check_make_result(&work, tile, count, mem, &result)) != CM_OK)
        cm__refuse(error, status, NULL, CM_NONE);
    cm__free(mem, work.found, work.count, sizeof *work.found);
    cm__free(mem, work.statuses, work.count, sizeof *work.statuses);
    cm_broad_pair_list_free(&near_pairs, mem);
    if (status == CM_OK)
        *out = result;
    else
        cm_check_result_destroy(&result, mem);
    return status;
}

cm_status cm_check_parts(const cm_check_desc *desc, const cm_allocator *mem, cm_check_result *out, cm_error *error) {
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    const cm_status status = cm__check_refuse_desc(desc, error);
    return status == CM_OK ? check_run(desc, NULL, mem, out, error) : status;
}

cm_status cm_check_tile_parts(const cm_check_desc *desc, const cm_check_tile *tile, const cm_allocator *mem,
                              cm_check_result *out, cm_error *error) {
    if (!out || !tile) return cm__refuse(error, CM_INVALID, tile ? NULL : "tile", CM_NONE);
    const cm_status status = cm__check_refuse_desc(desc, error);
    if (status != CM_OK) return status;
    if (!(tile->margin >= 0 && tile->margin <= CM_REAL_MAX)) return cm__refuse(error, CM_INVALID, "margin", CM_NONE);
    for (uint32_t i = 1; i < desc->part_count && tile->numbers; i++)
        if (tile->numbers[i] <= tile->numbers[i - 1]) return cm__refuse(error, CM_INVALID, "numbers", i);
    return check_run(desc, tile, mem, out, error);
}

void cm_check_result_destroy(cm_check_result *result, const cm_allocator *mem) {
    if (!result) return;
    cm__free(mem, result->findings, result->count, sizeof *result->findings);
    cm__free(mem, result->uses, result->exception_count, sizeof *result->uses);
    cm__free(mem, result->outlines, result->outline_points, sizeof *result->outlines);
    memset(result, 0, sizeof *result);
}
