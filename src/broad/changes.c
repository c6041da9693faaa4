/* Which pairs began and which ended since the last update.
 *
 * A pair is on where both objects live, their filters agree and their boxes overlap. A pair began where it is on now
 * and was off at the last update, so both are decided by the boxes and filters of then and now alone: no list of pairs
 * is kept. Only pairs with a touched object can change. Both ends are found by looking for overlaps of touched with
 * untouched objects: the old and the new box of each touched one, through the structure; among touched objects: all
 * overlaps of the new boxes, and all of the old ones. So the cost follows what was touched. */
#include "broad/columns.h"

enum { CHANGES_ALL = 48 /* more than one touched in so many is much */ };

/* A slot's state at the last update. Untouched slots are as they were. */
typedef struct slot_past {
    const cm_aabb *box;
    uint32_t id, layer, mask;
    uint8_t flags;
} slot_past;

static slot_past past_of(const cm_broad *b, uint32_t s) {
    slot_past past = {&b->boxes[s], b->ids[s], b->layers[s], b->masks[s], b->flags[s]};
    if (b->flags[s] & CM__TOUCHED) past.box = &b->old_boxes[s], past.id = b->old_ids[s], past.flags = b->old_flags[s];
    if (b->flags[s] & CM__OLD_FILTER) past.layer = b->old_layers[s], past.mask = b->old_masks[s];
    return past;
}

static bool pair_was_on(const slot_past *s, const slot_past *t) {
    uint8_t both = s->flags & t->flags;
    return (both & CM__LIVE) && !(both & CM__FIXED) && (s->layer & t->mask) && (t->layer & s->mask) &&
           cm_aabb_overlaps(s->box, t->box);
}

static bool pair_is_on(const cm_broad *b, uint32_t s, uint32_t t) {
    return (b->flags[s] & b->flags[t] & CM__LIVE) && cm__pair_passes(b, s, t) &&
           cm_aabb_overlaps(&b->boxes[s], &b->boxes[t]);
}

/* Appends the pair to what began or ended, if it did. A slot freed since the last update is not reused before the end
 * of this one, so that ids are plain. */
static bool change_note(cm_broad *b, uint32_t s, uint32_t t, bool began, bool ended) {
    slot_past past_s = past_of(b, s), past_t = past_of(b, t);
    bool was = pair_was_on(&past_s, &past_t), is = pair_is_on(b, s, t);
    if (is && !was && began) {
        if (!cm__sink_room(&b->began, 1)) return false;
        cm__sink_put(&b->began, b->ids[s], b->ids[t]);
    }
    if (was && !is && ended) {
        if (!cm__sink_room(&b->ended, 1)) return false;
        cm__sink_put(&b->ended, past_s.id, past_t.id);
    }
    return true;
}

typedef struct change_visitor {
    cm__visitor base;
    cm_broad *b;
    uint32_t slot;
    bool past, failed; /* past: looking around the old box, for ends */
} change_visitor;

/* Overlaps of a touched slot with an untouched one, which stands where it stood. */
static bool change_take(cm__visitor *v, uint32_t slot, double key) {
    change_visitor *c = (change_visitor *)v;
    (void)key;
    if (c->b->flags[slot] & CM__TOUCHED) return true;
    if (!change_note(c->b, c->slot, slot, !c->past, c->past)) c->failed = true;
    return !c->failed;
}

static cm_status changes_around(cm_broad *b, uint32_t slot, const cm_aabb *box, bool past) {
    change_visitor c = {
        {b, *box, 0, UINT32_MAX, 0, false, false, cm__box_bound, change_take, NULL, 0}, b, slot, past, false};
    b->ops->visit(b, &c.base);
    for (uint32_t i = 0; i < b->unbounded_count && !c.failed; ++i) cm__visit(&c.base, b->unbounded[i]);
    return c.failed ? CM_NO_MEMORY : CM_OK;
}

static cm_status changes_with_untouched(cm_broad *b) {
    for (uint32_t i = 0; i < b->touched_count; ++i) {
        uint32_t s = b->touched[i];
        cm_status status = CM_OK;
        if (b->old_flags[s] & CM__LIVE) status = changes_around(b, s, &b->old_boxes[s], true);
        if (status == CM_OK && (b->flags[s] & CM__LIVE)) status = changes_around(b, s, &b->boxes[s], false);
        if (status != CM_OK) return status;
    }
    return CM_OK;
}

/* --- changes among touched objects --------------------------------------------------------------------------- */

typedef enum change_when { CHANGE_NOW, CHANGE_PAST, CHANGE_BOTH } change_when;

/* Clamped, so that no box is infinite and the same boxes overlap: each reaches into the valid range. */
static cm_aabb clamped_box(const cm_aabb *box) {
    const cm_real most = 2 * CM_COORD_MAX;
    cm_aabb out;
    out.min = cm_vec3_max(box->min, cm_v(-most, -most, -most));
    out.max = cm_vec3_min(box->max, cm_v(most, most, most));
    return out;
}

/* Where an object is, was, or both: the box around the two. False where it is (was) nowhere. A box too large would cost
 * time and change nothing: candidates are looked at again. */
static bool change_box(const cm_broad *b, uint32_t s, change_when when, cm_aabb *out) {
    bool touched = (b->flags[s] & CM__TOUCHED) != 0;
    bool now = (b->flags[s] & CM__LIVE) != 0, past = touched ? (b->old_flags[s] & CM__LIVE) != 0 : now;
    cm_aabb box = cm_aabb_empty();
    if (when != CHANGE_PAST && now) box = b->boxes[s];
    if (when != CHANGE_NOW && past) box = cm_aabb_union(box, touched ? b->old_boxes[s] : b->boxes[s]);
    if (!(box.min.x <= box.max.x)) return false;
    *out = clamped_box(&box);
    return true;
}

/* Is the box around both places of most objects little larger than one? Judged by some of them; either answer gives the
 * same changes. */
static bool changes_are_small(const cm_broad *b) {
    double one = 0, both = 0;
    uint32_t step = b->touched_count / 1024 + 1;
    for (uint32_t i = 0; i < b->touched_count; i += step) {
        cm_aabb now, joined;
        uint32_t s = b->touched[i];
        if (!change_box(b, s, CHANGE_BOTH, &joined)) continue;
        if (!change_box(b, s, CHANGE_NOW, &now) && !change_box(b, s, CHANGE_PAST, &now)) continue;
        cm_vec3 size = cm_sub(now.max, now.min), around = cm_sub(joined.max, joined.min);
        one += (double)size.x + (double)size.y + (double)size.z;
        both += (double)around.x + (double)around.y + (double)around.z;
    }
    return both <= 1.5 * one;
}

/* Static at the times that are looked at, where it is there at all: never a pair with another such. */
static bool change_is_still(const cm_broad *b, uint32_t s, change_when when) {
    const uint8_t now = b->flags[s], past = now & CM__TOUCHED ? b->old_flags[s] : now;
    return (when == CHANGE_PAST || !(now & CM__LIVE) || (now & CM__FIXED)) &&
           (when == CHANGE_NOW || !(past & CM__LIVE) || (past & CM__FIXED));
}

/* Both places of an object side by side, in one cache line, so that they alone decide most pairs. The box of what
 * is or was nowhere is empty and overlaps nothing. */
typedef struct change_place {
    cm_aabb now, past;
    uint32_t slot, id;
    uint32_t strange; /* boxes alone do not tell: it has a filter, came or went, or is not static as it was */
    uint32_t unused;
} change_place;

static void change_place_set(const cm_broad *b, uint32_t s, change_place *out) {
    const bool touched = (b->flags[s] & CM__TOUCHED) != 0;
    out->now = b->boxes[s];
    out->past = touched ? b->old_boxes[s] : b->boxes[s];
    out->slot = s;
    out->id = b->ids[s];
    out->strange =
        b->flags[s] & (CM__OLD_FILTER | CM__FILTERED) || (touched && (b->flags[s] ^ b->old_flags[s]) & CM__FIXED);
}

static inline bool change_overlaps(const cm_aabb *a, const cm_aabb *b) { /* without a branch */
    return (a->min.x <= b->max.x) & (b->min.x <= a->max.x) & (a->min.y <= b->max.y) & (b->min.y <= a->max.y) &
           (a->min.z <= b->max.z) & (b->min.z <= a->max.z);
}

enum { CHANGE_BATCH = 128, CHANGE_AHEAD = 24 };

static inline void change_fetch(const void *line) { /* it will be read soon */
#if defined(__GNUC__)
    __builtin_prefetch(line);
#else
    (void)line;
#endif
}

/* Notes those of the candidates that changed. Which ones did cannot be predicted, and their boxes are anywhere in
 * memory: so a batch is gone through without a branch that would wait for them. */
static cm_status changes_pick(cm_broad *b, const change_place *places, change_when when) {
    const cm_broad_pair *pairs = b->candidates.pairs;
    const size_t count = b->candidates.count;
    const bool begins = when != CHANGE_PAST, ends = when != CHANGE_NOW;
    for (size_t first = 0; first < count; first += CHANGE_BATCH) {
        const size_t last = count - first < CHANGE_BATCH ? count : first + CHANGE_BATCH;
        if (!cm__sink_room(&b->began, CHANGE_BATCH) || !cm__sink_room(&b->ended, CHANGE_BATCH)) return CM_NO_MEMORY;
        cm_broad_pair *began = b->began.pairs + b->began.count, *ended = b->ended.pairs + b->ended.count;
        uint32_t left[CHANGE_BATCH], n = 0, came = 0, went = 0;
        for (size_t i = first; i < last; ++i) {
            const change_place *p = &places[pairs[i].a], *q = &places[pairs[i].b];
            const size_t later = i + CHANGE_AHEAD < count ? i + CHANGE_AHEAD : i;
            change_fetch(&places[pairs[later].a]), change_fetch(&places[pairs[later].b]);
            const bool was = change_overlaps(&p->past, &q->past), is = change_overlaps(&p->now, &q->now);
            const bool plain = !(p->strange | q->strange);
            const cm_broad_pair pair = {p->id < q->id ? p->id : q->id, p->id < q->id ? q->id : p->id};
            began[came] = ended[went] = pair;
            left[n] = (uint32_t)(i - first);
            came += plain & is & !was & begins;
            went += plain & was & !is & ends;
            n += !plain;
        }
        b->began.count += came, b->ended.count += went;
        for (uint32_t k = 0; k < n; ++k) {
            const cm_broad_pair pair = pairs[first + left[k]];
            if (!change_note(b, places[pair.a].slot, places[pair.b].slot, begins, ends)) return CM_NO_MEMORY;
        }
    }
    return CM_OK;
}

/* Overlaps among the touched objects, or among all, at one time or over both. */
static cm_status changes_among(cm_broad *b, bool all, change_when when) {
    b->candidates.count = 0;
    uint32_t most = all ? b->slot_count : b->touched_count, n = 0;
    uint32_t still = 0;
    if (most == 0) return CM_OK;
    size_t bytes = most * (sizeof(change_place) + sizeof(cm_aabb) + 1) + 64;
    if (cm__buffer_bytes(b->mem, &b->scratch, bytes) != CM_OK) return CM_NO_MEMORY;
    change_place *places =
        (change_place *)(void *)((char *)b->scratch.items + (64 - ((uintptr_t)b->scratch.items & 63)));
    cm_aabb *boxes = (cm_aabb *)(void *)(places + most);
    uint8_t *flags = (uint8_t *)(boxes + most);
    for (uint32_t i = 0; i < most; ++i) {
        const uint32_t s = all ? i : b->touched[i];
        if (!change_box(b, s, when, &boxes[n])) continue;
        change_place_set(b, s, &places[n]);
        const bool is_still = change_is_still(b, s, when);
        flags[n++] = (uint8_t)(CM__LIVE | (is_still ? CM__FIXED : 0));
        still += is_still;
    }
    cm__box_source source = {boxes, NULL, flags, n, still, true};
    cm_status status = cm__columns_fill(b->columns, &source);
    b->candidates.limit = when == CHANGE_PAST ? 0 : b->desc.pair_limit; /* the past was within it */
    if (status == CM_OK) status = cm__sink_status(&b->candidates, cm__columns_pairs(b->columns, &b->candidates));
    return status == CM_OK ? changes_pick(b, places, when) : status;
}

/* Did a touched object stand anywhere at the last update? */
static bool changes_have_past(const cm_broad *b) {
    for (uint32_t i = 0; i < b->touched_count; ++i) {
        if (b->old_flags[b->touched[i]] & CM__LIVE) return true;
    }
    return false;
}

cm_status cm__find_changes(cm_broad *b) {
    /* Where much was touched, sorting everything is cheaper than asking the structure about each. */
    const bool all = b->touched_count > b->live_count / CHANGES_ALL;
    cm_status status = all ? CM_OK : changes_with_untouched(b);
    const bool small = status == CM_OK && changes_are_small(b);
    if (small) status = changes_among(b, all, CHANGE_BOTH);
    /* boxes around both places may overlap where boxes never did: too many of those say nothing */
    if (small ? status == CM_LIMIT && changes_have_past(b) : status == CM_OK) {
        status = changes_among(b, all, CHANGE_NOW);
        if (status == CM_OK) status = changes_among(b, all, CHANGE_PAST);
    }
    if (status == CM_OK) status = cm__sink_sort(&b->began, &b->scratch);
    if (status == CM_OK) status = cm__sink_sort(&b->ended, &b->scratch);
    if (status != CM_OK) return status;
    const size_t held = b->held + b->began.count - b->ended.count;
    if (b->desc.pair_limit && held > b->desc.pair_limit) return CM_LIMIT;
    b->held = held;
    return CM_OK;
}

cm_status cm_broad_get_changes(const cm_broad *b, cm_broad_changes *out) {
    if (!b || !out) return CM_INVALID;
    if (!b->desc.changes) return CM_UNSUPPORTED;
    out->began.pairs = b->began.pairs, out->began.count = b->began.count;
    out->ended.pairs = b->ended.pairs, out->ended.count = b->ended.count;
    return CM_OK;
}
