/* Every part against every other: see carom/check.h.
 *
 * Guaranteed: no finding is left out, as the boxes of its two parts, each grown by the margin (tile.c), overlap. Near
 * pairs are decided independently, each writing to its own slot, and findings are sorted by a total order. So the
 * result depends neither on threads, nor on the order of near pairs, nor on tiles. Memory is allocated on the caller's
 * thread only: outlines are gathered once all findings are known. */
#include "check/check.h"
#include "base/counter.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/tasks.h"
#include "math/wide.h"

#include <string.h>

/* --- near pairs -------------------------------------------------------------------------------------------------- */

/* How many tests ask for the pair. A pair that is skipped has none, and is counted as skipped. */
static uint32_t check_count_askers(const cm_check_desc *desc, const check_plan *plan, cm_broad_pair pair,
                                   cm_check_result *r) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < plan->count; i++) count += check_asks(&plan->tests[i], pair.a, pair.b);
    const uint32_t skip = count > 0 ? cm__check_skips(desc, pair.a, pair.b) : 0;
    r->skipped_product += skip == CM_CHECK_SKIP_PRODUCT;
    r->skipped_parent += skip == CM_CHECK_SKIP_PARENT;
    return skip ? 0 : count;
}

/* The margin of a check without tiles. */
static cm_real check_whole_margin(const cm_check_desc *desc, const cm_aabb *boxes) {
    cm_check_extent all;
    cm__check_extent(desc->parts, desc->part_count, boxes, &all);
    return cm_check_margin(desc, &all);
}

/* Keeps, of the pairs whose boxes overlap, those that tests ask for and that belong to the tile (NULL: all do). Returns
 * how often tests ask for them in all. */
static uint64_t check_keep_pairs(const cm_check_desc *desc, const check_plan *plan, const cm_check_tile *tile,
                                 const cm_aabb *boxes, cm_broad_pair_list *near_pairs, cm_check_result *r) {
    uint64_t questions = 0;
    size_t kept = 0;
    for (size_t i = 0; i < near_pairs->count; i++) {
        const cm_broad_pair pair = near_pairs->pairs[i];
        if (tile && !cm_check_owns(tile, &boxes[pair.a], &boxes[pair.b], check_number(tile, pair.a),
                                   check_number(tile, pair.b)))
            continue;
        const uint32_t askers = check_count_askers(desc, plan, pair, r);
        if (askers > 0) near_pairs->pairs[kept++] = pair;
        questions += askers;
    }
    near_pairs->count = r->pairs_near = kept;
    return questions;
}

/* The near pairs: their grown boxes overlap, and tests ask for them. `questions`: how often tests do in all. */
static cm_status check_find_near(const cm_check_desc *desc, const check_plan *plan, const cm_check_tile *tile,
                                 const cm_aabb *boxes, const cm_allocator *mem, cm_broad_pair_list *near_pairs,
                                 uint64_t *questions, cm_check_result *r) {
    const uint32_t count = desc->part_count;
    cm_aabb *grown = cm__alloc(mem, count, sizeof *grown);
    if (!grown) return CM_NO_MEMORY;
    const cm_real margin = tile ? tile->margin : check_whole_margin(desc, boxes);
    for (uint32_t i = 0; i < count; i++) grown[i] = cm_aabb_grow(boxes[i], margin);
    cm_broad_pairs_desc broad = {.mem = mem, .flags = CM_BROAD_SORTED};
    const cm_status status = count > 0 ? cm_broad_pairs(grown, count, &broad, near_pairs) : CM_OK;
    if (status == CM_OK) *questions = check_keep_pairs(desc, plan, tile, grown, near_pairs, r);
    cm__free(mem, grown, count, sizeof *grown);
    if (status != CM_OK) return status;
    return *questions > INT32_MAX ? CM_LIMIT : CM_OK;
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

typedef struct check_work {
    const cm_check_desc *desc;
    const check_plan *plan;
    const cm_aabb *boxes; /* of the parts */
    const cm_broad_pair *pairs;
    size_t count;
    cm_finding *found;    /* one for each test that asks for a pair, in the order of pairs, then of tests */
    uint32_t *first;      /* one a pair: its first in `found`; one more for the end */
    cm_status *statuses;  /* one a pair */
    uint32_t done, ended; /* counters: pairs that are decided; not 0: the caller ended it */
} check_work;

static bool check_is_finding(const check_test *test, const cm_relation_result *r) {
    if (r->relation == CM_RELATION_NONE || !test->finds[cm__check_kind(r->relation)]) return false;
    return r->relation != CM_RELATION_SEPARATED || (double)r->distance < test->clearance;
}

/* The relation of the pair in a test, gaps measured up to `max_gap`. Tests with the same tolerance for the pair share
 * it. The first test measures the crossings, which do not depend on the tolerance. */
static cm_status check_relate(const check_work *work, cm_finding *f, const cm_finding *earlier, double max_gap,
                              check_crossings *crossings) {
    const cm_check_desc *desc = work->desc;
    const check_test *test = &work->plan->tests[f->test];
    const double tolerance = cm__check_pair_tolerance(desc, work->plan, test, f->part_a, f->part_b);
    if (earlier < f) crossings = NULL;
    for (; earlier < f; earlier++) {
        const check_test *other = &work->plan->tests[earlier->test];
        if (cm__check_pair_tolerance(desc, work->plan, other, f->part_a, f->part_b) != tolerance) continue;
        f->result = earlier->result;
        return CM_OK;
    }
    return cm__check_relation(desc, work->boxes, tolerance, (cm_broad_pair){f->part_a, f->part_b}, (cm_real)max_gap,
                              crossings, &f->result);
}

/* All tests that ask for the pair. Where one finds something, the crossings are measured. */
static cm_status check_ask(const check_work *work, cm_broad_pair pair, cm_finding *first) {
    cm_finding *f = first;
    bool any = false;
    double max_gap = 0;
    check_crossings crossings = {cm_aabb_empty(), 0};
    for (uint32_t i = 0; i < work->plan->count; i++)
        if (check_asks(&work->plan->tests[i], pair.a, pair.b))
            max_gap = wide_max(max_gap, work->plan->tests[i].clearance);
    for (uint32_t i = 0; i < work->plan->count; i++) {
        if (!check_asks(&work->plan->tests[i], pair.a, pair.b)) continue;
        memset(f, 0, sizeof *f);
        f->part_a = pair.a, f->part_b = pair.b, f->test = i, f->allowed = CM_NONE, f->outline_box = cm_aabb_empty();
        const cm_status status = check_relate(work, f, first, max_gap, &crossings);
        if (status != CM_OK) return status;
        const bool is_finding = check_is_finding(&work->plan->tests[i], &f->result);
        f->kind = is_finding ? cm__check_kind(f->result.relation) : CM_FINDING_KIND_COUNT;
        any |= is_finding;
        f++;
    }
    if (!any || first->result.crossings == 0) return CM_OK;
    for (cm_finding *other = first; other < f; other++) {
        other->outline_box = crossings.box;
        other->crossing_extent = cm_length(cm_sub(crossings.box.max, crossings.box.min));
        other->crossing_length = (cm_real)crossings.length;
    }
    return CM_OK;
}

static void check_pair(void *argument, int index, int worker) {
    (void)worker;
    check_work *work = argument;
    const cm_check_desc *desc = work->desc;
    work->statuses[index] = CM_LIMIT;
    if (counter_get(&work->ended)) return;
    work->statuses[index] = check_ask(work, work->pairs[index], &work->found[work->first[index]]);
    const uint32_t done = counter_add(&work->done, 1);
    if (desc->progress && !desc->progress(desc->user, done, work->count)) counter_add(&work->ended, 1);
}

/* Gives each pair slots for its findings: as many as tests ask for it. */
static void check_number_questions(check_work *work) {
    uint32_t at = 0;
    for (size_t i = 0; i < work->count; i++) {
        work->first[i] = at;
        for (uint32_t k = 0; k < work->plan->count; k++)
            at += check_asks(&work->plan->tests[k], work->pairs[i].a, work->pairs[i].b);
    }
    work->first[work->count] = at;
}

/* Decides all pairs, and moves the findings to the front of the slots, in the order of the pairs. */
static cm_status check_run_pairs(check_work *work, size_t *count, cm_error *error) {
    check_number_questions(work);
    cm__run(work->desc->tasks, (int)work->count, check_pair, work);
    *count = 0;
    if (counter_get(&work->ended)) return cm__refuse(error, CM_LIMIT, "progress", CM_NONE);
    for (size_t i = 0; i < work->count; i++) {
        if (work->statuses[i] != CM_OK) return cm__refuse(error, work->statuses[i], "parts", work->pairs[i].a);
        for (uint32_t k = work->first[i]; k < work->first[i + 1]; k++)
            if (work->found[k].kind != CM_FINDING_KIND_COUNT) work->found[(*count)++] = work->found[k];
    }
    return CM_OK;
}

/* --- findings ---------------------------------------------------------------------------------------------------- */

/* Two surfaces that cross each other are not deep in each other. */
static bool check_has_no_depth(const cm_finding *f) {
    return f->kind == CM_FINDING_CROSSING && f->result.surface_a && f->result.surface_b;
}

static bool check_accepts(const check_plan *plan, const cm_check_exception *e, const cm_finding *f,
                          const cm_check_part *a, const cm_check_part *b) {
    const char *test = plan->tests[f->test].name;
    if (e->id && e->id != f->id) return false;
    if (e->test && strcmp(e->test, test ? test : "") != 0) return false;
    if (e->depth > 0 && -f->result.distance > e->depth) return false;
    return !e->first || (cm_check_selects(e->first, a) && cm_check_selects(e->second, b)) ||
           (cm_check_selects(e->first, b) && cm_check_selects(e->second, a));
}

/* Counts the uses of every exception, also where an earlier one has accepted the finding. */
static void check_allow(const cm_check_desc *desc, const check_plan *plan, cm_finding *f, uint32_t *uses) {
    const cm_check_part *a = &desc->parts[f->part_a], *b = &desc->parts[f->part_b];
    for (uint32_t i = 0; i < desc->exception_count; i++) {
        if (!check_accepts(plan, &desc->exceptions[i], f, a, b)) continue;
        uses[i]++;
        if (f->allowed == CM_NONE) f->allowed = i;
    }
}

static void check_classify(const cm_check_desc *desc, const check_plan *plan, cm_check_result *r) {
    for (size_t i = 0; i < r->count; i++) {
        cm_finding *f = &r->findings[i];
        cm_check_test_result *test = &r->tests[f->test];
        check_allow(desc, plan, f, r->uses);
        const bool allowed = f->allowed != CM_NONE;
        f->fails = !allowed && plan->tests[f->test].fails[f->kind];
        test->findings++;
        test->allowed += allowed, r->allowed += allowed;
        test->failing += f->fails, r->failing += f->fails;
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

static cm_status check_identify(const cm_check_desc *desc, const check_plan *plan, const cm_allocator *mem,
                                cm_check_result *r) {
    uint64_t *ids = cm__alloc(mem, desc->part_count, sizeof *ids);
    cm_status status = ids ? cm__check_identities(desc, mem, ids) : CM_NO_MEMORY;
    for (size_t i = 0; i < r->count && status == CM_OK; i++) {
        cm_finding *f = &r->findings[i];
        f->id_a = ids[f->part_a], f->id_b = ids[f->part_b];
        f->id = cm__check_finding_identity(f->id_a, f->id_b, plan->tests[f->test].name);
    }
    cm__free(mem, ids, desc->part_count, sizeof *ids);
    return status;
}

/* The steps that need every part of the check, not only a tile's. */
cm_status cm__check_settle(const cm_check_desc *desc, const check_plan *plan, const cm_allocator *mem,
                           cm_check_result *r) {
    r->uses = cm__alloc(mem, desc->exception_count, sizeof *r->uses);
    if (!r->uses) return CM_NO_MEMORY;
    r->exception_count = desc->exception_count;
    memset(r->uses, 0, desc->exception_count * sizeof *r->uses);
    if (check_identify(desc, plan, mem, r) != CM_OK) return CM_NO_MEMORY;
    check_classify(desc, plan, r);
    return CM_OK;
}

/* What a finding is sorted by, and where it stands. */
typedef struct check_sort_key {
    cm_real measure; /* the less of it, the further ahead */
    uint32_t rank, part_a, part_b, test;
    size_t from;
} check_sort_key;

/* Findings that cross without a depth come behind those that have one. */
static check_sort_key check_sort_key_of(const cm_finding *f, size_t from) {
    const bool flat = check_has_no_depth(f);
    const check_sort_key key = {.measure = flat ? -f->crossing_length : f->result.distance,
                                .rank = 2 * (uint32_t)f->kind + flat,
                                .part_a = f->part_a,
                                .part_b = f->part_b,
                                .test = f->test,
                                .from = from};
    return key;
}

static int check_compare_keys(const void *left, const void *right) {
    const check_sort_key *a = left, *b = right;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    if (a->measure != b->measure) return a->measure < b->measure ? -1 : 1;
    if (a->part_a != b->part_a) return a->part_a < b->part_a ? -1 : 1;
    if (a->part_b != b->part_b) return a->part_b < b->part_b ? -1 : 1;
    return a->test < b->test ? -1 : a->test > b->test;
}

/* Findings are large: their keys are sorted, then each finding moves once, along the circles of the permutation. */
cm_status cm__check_sort(cm_check_result *r, const cm_allocator *mem) {
    check_sort_key *keys = cm__alloc(mem, r->count, sizeof *keys);
    if (!keys) return CM_NO_MEMORY;
    for (size_t i = 0; i < r->count; i++) keys[i] = check_sort_key_of(&r->findings[i], i);
    cm__sort(keys, r->count, sizeof *keys, check_compare_keys);
    for (size_t i = 0; i < r->count; i++) {
        if (keys[i].from == i) continue;
        const cm_finding first = r->findings[i];
        size_t at = i;
        for (size_t from; (from = keys[at].from) != i; at = from) {
            r->findings[at] = r->findings[from];
            keys[at].from = at;
        }
        r->findings[at] = first;
        keys[at].from = at;
    }
    cm__free(mem, keys, r->count, sizeof *keys);
    return CM_OK;
}

/* Takes over the memory of the findings, of so many slots, and makes it exactly as large as they are. */
static cm_status check_make_result(check_work *work, const cm_check_tile *tile, size_t slots, size_t count,
                                   const cm_allocator *mem, cm_check_result *r) {
    const cm_check_desc *desc = work->desc;
    const size_t each = sizeof *r->findings;
    r->findings = count > 0 ? cm__resize(mem, work->found, slots * each, count * each) : cm__alloc(mem, 0, each);
    if (!r->findings) return CM_NO_MEMORY;
    if (count > 0) work->found = NULL;
    r->count = count;
    if (!tile && cm__check_settle(desc, work->plan, mem, r) != CM_OK) return CM_NO_MEMORY;
    if (cm__check_sort(r, mem) != CM_OK) return CM_NO_MEMORY;
    if (desc->outlines && check_make_outlines(desc, mem, r) != CM_OK) return CM_NO_MEMORY;
    if (desc->volumes && cm__check_volumes(desc, mem, r) != CM_OK) return CM_NO_MEMORY;
    for (size_t i = 0; i < count && tile; i++) {
        r->findings[i].part_a = check_number(tile, r->findings[i].part_a);
        r->findings[i].part_b = check_number(tile, r->findings[i].part_b);
    }
    return CM_OK;
}

/* Decides the near pairs. `questions`: how often tests ask for them. */
static cm_status check_decide(const cm_check_desc *desc, const check_plan *plan, const cm_check_tile *tile,
                              const cm_aabb *boxes, const cm_broad_pair_list *near_pairs, size_t questions,
                              const cm_allocator *mem, cm_check_result *r, cm_error *error) {
    check_work work = {
        .desc = desc, .plan = plan, .boxes = boxes, .pairs = near_pairs->pairs, .count = near_pairs->count};
    cm_status status;
    size_t count = 0;
    work.found = cm__alloc(mem, questions, sizeof *work.found);
    work.first = cm__alloc(mem, work.count + 1, sizeof *work.first);
    work.statuses = cm__alloc(mem, work.count, sizeof *work.statuses);
    if (!work.found || !work.first || !work.statuses)
        status = cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    else if ((status = check_run_pairs(&work, &count, error)) == CM_OK &&
             (status = check_make_result(&work, tile, questions, count, mem, r)) != CM_OK)
        cm__refuse(error, status, NULL, CM_NONE);
    cm__free(mem, work.found, questions, sizeof *work.found);
    cm__free(mem, work.first, work.count + 1, sizeof *work.first);
    cm__free(mem, work.statuses, work.count, sizeof *work.statuses);
    return status;
}

/* Removes the results of tests, which a tile cannot know: they count over all parts. */
static void check_forget_tests(cm_check_result *r, const cm_allocator *mem) {
    cm__free(mem, r->tests, r->test_count, sizeof *r->tests);
    r->tests = NULL, r->test_count = 0;
    r->pairs_total = 0, r->parts_left_out = 0;
}

/* Runs a tile's check, or with NULL the whole. */
static cm_status check_run(const cm_check_desc *desc, const cm_check_tile *tile, const cm_allocator *mem,
                           cm_check_result *out, cm_error *error) {
    cm_check_result result = {.count = 0};
    cm_broad_pair_list near_pairs = {0};
    check_plan plan = {.count = 0};
    uint64_t questions = 0;
    cm_aabb *boxes = cm__check_boxes(desc, mem);
    cm_status status = boxes ? cm__check_plan_make(desc, mem, &plan, &result) : CM_NO_MEMORY;
    if (status == CM_OK) status = check_find_near(desc, &plan, tile, boxes, mem, &near_pairs, &questions, &result);
    if (status != CM_OK)
        cm__refuse(error, status, NULL, CM_NONE);
    else
        status = check_decide(desc, &plan, tile, boxes, &near_pairs, (size_t)questions, mem, &result, error);
    if (tile) check_forget_tests(&result, mem);
    cm_broad_pair_list_free(&near_pairs, mem);
    cm__check_plan_free(&plan, mem);
    cm__free(mem, boxes, desc->part_count, sizeof *boxes);
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
    cm__free(mem, result->tests, result->test_count, sizeof *result->tests);
    cm__free(mem, result->outlines, result->outline_points, sizeof *result->outlines);
    memset(result, 0, sizeof *result);
}
