/* Findings of two checks, side by side: see cm_check_compare in carom/check.h. */
#include "check/check.h"
#include "base/memory.h"
#include "base/sort.h"
#include "carom/broad.h"

#include <string.h>

/* --- by id ------------------------------------------------------------------------------------------------------- */

typedef struct compare_key {
    uint64_t id;
    uint32_t index;
} compare_key;

static int compare_keys(const void *left, const void *right) {
    const compare_key *a = left, *b = right;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static compare_key *compare_sorted(const cm_finding *list, uint32_t count, const cm_allocator *mem) {
    compare_key *keys = cm__alloc(mem, count, sizeof *keys);
    if (!keys) return NULL;
    for (uint32_t i = 0; i < count; i++) keys[i] = (compare_key){list[i].id, i};
    cm__sort(keys, count, sizeof *keys, compare_keys);
    return keys;
}

/* The two lists, and the matches found so far. */
typedef struct compare_work {
    const cm_finding *before, *now;
    uint32_t before_count, now_count;
    uint32_t *before_of; /* of each of now, or CM_NONE */
    bool *taken;         /* of each of before */
    const cm_allocator *mem;
} compare_work;

static void compare_take(compare_work *w, uint32_t before, uint32_t now) {
    w->before_of[now] = before;
    w->taken[before] = true;
}

static cm_status compare_by_id(compare_work *w) {
    compare_key *old = compare_sorted(w->before, w->before_count, w->mem);
    compare_key *new = compare_sorted(w->now, w->now_count, w->mem);
    const bool ok = old && new;
    for (uint32_t i = 0, k = 0; ok && i < w->before_count && k < w->now_count;) {
        if (old[i].id == new[k].id)
            compare_take(w, old[i++].index, new[k++].index);
        else if (old[i].id < new[k].id)
            i++;
        else
            k++;
    }
    cm__free(w->mem, old, w->before_count, sizeof *old);
    cm__free(w->mem, new, w->now_count, sizeof *new);
    return ok ? CM_OK : CM_NO_MEMORY;
}

/* --- by place ---------------------------------------------------------------------------------------------------- */

static cm_real compare_extent(const cm_finding *f) {
    return f->result.distance < CM_REAL_MAX ? cm_abs(f->result.distance) : 0;
}

static cm_aabb compare_box(const cm_finding *f) {
    cm_aabb box = f->outline_box.min.x <= f->outline_box.max.x ? f->outline_box : cm_aabb_empty();
    box = cm_aabb_add_point(cm_aabb_add_point(box, f->result.point_a), f->result.point_b);
    return cm_aabb_grow(box, cm_max(compare_extent(f), f->result.tolerance));
}

static int compare_gravity(const cm_finding *f) {
    return f->kind == CM_FINDING_CLEARANCE ? 2 : f->kind == CM_FINDING_TOUCHING ? 1 : 0;
}

static bool compare_share_part(const cm_finding *a, const cm_finding *b) {
    return a->id_a == b->id_a || a->id_a == b->id_b || a->id_b == b->id_a || a->id_b == b->id_b;
}

/* The distance between the points of two findings, with the parts in the order that gives the lesser. */
static cm_real compare_points(const cm_finding *f, const cm_finding *g) {
    const cm_relation_result *r = &f->result, *s = &g->result;
    const cm_real straight =
        cm_max(cm_length(cm_sub(r->point_a, s->point_a)), cm_length(cm_sub(r->point_b, s->point_b)));
    const cm_real swapped =
        cm_max(cm_length(cm_sub(r->point_a, s->point_b)), cm_length(cm_sub(r->point_b, s->point_a)));
    return cm_min(straight, swapped);
}

typedef struct compare_candidate {
    uint32_t before, now;
    int rank; /* 0: they share a part; 1: all is as it was but the names */
    cm_real apart;
} compare_candidate;

static int compare_candidates(const void *left, const void *right) {
    const compare_candidate *a = left, *b = right;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    if (a->apart != b->apart) return a->apart < b->apart ? -1 : 1;
    if (a->before != b->before) return a->before < b->before ? -1 : 1;
    return a->now < b->now ? -1 : a->now > b->now;
}

/* Two findings whose boxes overlap are a candidate for a match. */
static bool compare_is_candidate(const cm_finding *f, const cm_finding *g, compare_candidate *out) {
    if (compare_gravity(f) != compare_gravity(g)) return false;
    out->apart = compare_points(f, g);
    out->rank = compare_share_part(f, g) ? 0 : 1;
    if (out->rank == 0) return true;
    const cm_aabb a = compare_box(f), b = compare_box(g);
    const cm_real size = cm_min(cm_length(cm_sub(a.max, a.min)), cm_length(cm_sub(b.max, b.min)));
    const cm_real change = cm_abs(compare_extent(f) - compare_extent(g));
    return out->apart <= size / 100 && change <= size / 100;
}

/* The findings of one list that have no match yet: their numbers and boxes. */
typedef struct compare_unmatched {
    uint32_t *list, count, room;
    cm_aabb *boxes;
} compare_unmatched;

static bool compare_make_rest(const compare_work *w, bool of_before, compare_unmatched *rest) {
    const cm_finding *all = of_before ? w->before : w->now;
    rest->room = of_before ? w->before_count : w->now_count;
    rest->list = cm__alloc(w->mem, rest->room, sizeof *rest->list);
    rest->boxes = cm__alloc(w->mem, rest->room, sizeof *rest->boxes);
    if (!rest->list || !rest->boxes) return false;
    for (uint32_t i = 0; i < rest->room; i++) {
        if (of_before ? w->taken[i] : w->before_of[i] != CM_NONE) continue;
        rest->boxes[rest->count] = compare_box(&all[i]);
        rest->list[rest->count++] = i;
    }
    return true;
}

static void compare_free_rest(const compare_work *w, compare_unmatched *rest) {
    cm__free(w->mem, rest->list, rest->room, sizeof *rest->list);
    cm__free(w->mem, rest->boxes, rest->room, sizeof *rest->boxes);
}

static cm_status compare_take_nearest(compare_work *w, const compare_unmatched *old, const compare_unmatched *new,
                                      const cm_broad_pair_list *pairs) {
    compare_candidate *list = cm__alloc(w->mem, pairs->count, sizeof *list);
    size_t count = 0;
    if (!list) return CM_NO_MEMORY;
    for (size_t i = 0; i < pairs->count; i++) {
        compare_candidate *c = &list[count];
        c->before = old->list[pairs->pairs[i].a], c->now = new->list[pairs->pairs[i].b];
        count += compare_is_candidate(&w->before[c->before], &w->now[c->now], c);
    }
    cm__sort(list, count, sizeof *list, compare_candidates);
    for (size_t i = 0; i < count; i++)
        if (!w->taken[list[i].before] && w->before_of[list[i].now] == CM_NONE)
            compare_take(w, list[i].before, list[i].now);
    cm__free(w->mem, list, pairs->count, sizeof *list);
    return CM_OK;
}

static cm_status compare_by_place(compare_work *w) {
    compare_unmatched old = {0}, new = {0};
    cm_broad_pair_list pairs = {0};
    const cm_broad_pairs_desc desc = {.mem = w->mem};
    cm_status status = compare_make_rest(w, true, &old) && compare_make_rest(w, false, &new) ? CM_OK : CM_NO_MEMORY;
    if (status == CM_OK && old.count > 0 && new.count > 0) {
        status = cm_broad_pairs_between(old.boxes, old.count, new.boxes, new.count, &desc, &pairs);
        if (status == CM_OK) status = compare_take_nearest(w, &old, &new, &pairs);
    }
    cm_broad_pair_list_free(&pairs, w->mem);
    compare_free_rest(w, &old);
    compare_free_rest(w, &new);
    return status;
}

/* What a box around a finding is made of; its outline's may be empty. */
static cm_status compare_check(const cm_finding *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const cm_vec3 low = list[i].outline_box.min, high = list[i].outline_box.max;
        if (!cm_vec3_is_valid(list[i].result.point_a) || !cm_vec3_is_valid(list[i].result.point_b))
            return CM_NOT_FINITE;
        if (low.x > high.x) continue;
        if (!cm_vec3_is_valid(low) || !cm_vec3_is_valid(high)) return CM_NOT_FINITE;
        if (low.y > high.y || low.z > high.z) return CM_INVALID;
    }
    return CM_OK;
}

cm_status cm_check_compare(const cm_finding *before, uint32_t before_count, const cm_finding *now, uint32_t now_count,
                           const cm_allocator *mem, uint32_t *before_of) {
    if ((before_count > 0 && !before) || (now_count > 0 && (!now || !before_of))) return CM_INVALID;
    cm_status status = compare_check(before, before_count);
    if (status == CM_OK) status = compare_check(now, now_count);
    if (status != CM_OK) return status;
    compare_work w = {before, now, before_count, now_count, NULL, NULL, mem};
    w.before_of = cm__alloc(mem, now_count, sizeof *w.before_of);
    w.taken = cm__alloc(mem, before_count, sizeof *w.taken);
    if (!w.before_of || !w.taken) status = CM_NO_MEMORY;
    if (status == CM_OK) {
        for (uint32_t i = 0; i < now_count; i++) w.before_of[i] = CM_NONE;
        memset(w.taken, 0, before_count * sizeof *w.taken);
        status = compare_by_id(&w);
    }
    if (status == CM_OK) status = compare_by_place(&w);
    if (status == CM_OK && now_count > 0) memcpy(before_of, w.before_of, now_count * sizeof *before_of);
    cm__free(mem, w.before_of, now_count, sizeof *w.before_of);
    cm__free(mem, w.taken, before_count, sizeof *w.taken);
    return status;
}
