/* Which pairs began and which ended since the last update.
 *
 * A pair is on where both objects live, their filters agree and their boxes overlap. A pair began where it is on now
 * and was off at the last update, so both are decided by the boxes and filters of then and now alone: no list of pairs
 * is kept. Only pairs with a marked object can change. Both ends are found by looking for overlaps of marked with
 * unmarked objects: the old and the new box of each marked one, through the structure; among marked objects: all
 * overlaps of the new boxes, and all of the old ones. So the cost follows what was marked. */
#include "broad/columns.h"
#include "math/axis.h"

enum {
    CHANGES_ALL = 48,    /* more than one marked in so many is much */
    CHANGES_SAMPLE = 256 /* marked objects by which motion is judged */
};

/* A slot's state at the last update. Untouched slots are as they were. */
typedef struct slot_past {
    const cm_aabb *box;
    uint32_t id, layer, mask;
    uint8_t flags;
} slot_past;

static slot_past past_of(const cm_broad *b, uint32_t s) {
    slot_past past = {&b->boxes[s], b->ids[s], b->layers[s], b->masks[s], b->flags[s]};
    if (b->flags[s] & CM__MARKED) past.box = &b->old_boxes[s], past.id = b->old_ids[s], past.flags = b->old_flags[s];
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

/* Overlaps of a marked slot with an unmarked one, which stands where it stood. */
static bool change_take(cm__visitor *v, uint32_t slot, double key) {
    change_visitor *c = (change_visitor *)v;
    (void)key;
    if (c->b->flags[slot] & CM__MARKED) return true;
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
    for (uint32_t i = 0; i < b->marked_count; ++i) {
        uint32_t s = b->marked[i];
        cm_status status = CM_OK;
        if (b->old_flags[s] & CM__LIVE) status = changes_around(b, s, &b->old_boxes[s], true);
        if (status == CM_OK && (b->flags[s] & CM__LIVE)) status = changes_around(b, s, &b->boxes[s], false);
        if (status != CM_OK) return status;
    }
    return CM_OK;
}

/* --- changes among marked objects --------------------------------------------------------------------------- */

/* Is the box around both places of most objects little larger than one? Judged by some of them; either answer gives the
 * same changes. */
static bool changes_are_small(const cm_broad *b) {
    double one = 0, both = 0;
    uint32_t step = b->marked_count / CHANGES_SAMPLE + 1;
    for (uint32_t i = 0; i < b->marked_count; i += step) {
        const uint32_t slot = b->marked[i];
        if ((b->flags[slot] | b->old_flags[slot]) & CM__UNBOUNDED) continue;
        const cm_aabb *now = &b->boxes[slot], *past = &b->old_boxes[slot];
        const cm_aabb joined = cm_aabb_union(*now, *past);
        if (!(joined.min.x <= joined.max.x)) continue;
        const cm_aabb *place = now->min.x <= now->max.x ? now : past;
        for (int a = 0; a < 3; ++a) {
            one += (double)vec3_reals(&place->max)[a] - (double)vec3_reals(&place->min)[a];
            both += (double)vec3_reals(&joined.max)[a] - (double)vec3_reals(&joined.min)[a];
        }
    }
    return both <= 1.5 * one;
}

/* The usual case of much motion: whatever lives is marked, bounded, moving and without a filter, now and before. */
static bool changes_are_plain(const cm_broad *b) {
    if (b->marked_count != b->live_count) return false; /* so that nothing dead is marked */
    const uint8_t looked_at = (uint8_t)~CM__IN_KIND, looked_at_then = CM__LIVE | CM__UNBOUNDED | CM__FIXED;
    const uint8_t *const flags = b->flags, *const old_flags = b->old_flags;
    const uint32_t slots = b->slot_count;
    uint8_t other = 0;
    for (uint32_t s = 0; s < slots; ++s) {
        const uint8_t now = flags[s], live = (uint8_t)(0 - (now & CM__LIVE)); /* all bits or none */
        other |= (uint8_t)((now ^ (CM__LIVE | CM__MARKED)) & looked_at & live);
        other |= (uint8_t)((old_flags[s] ^ CM__LIVE) & looked_at_then & live);
    }
    return !other;
}

/* Where all objects are, were, or both; or the marked ones alone. */
static cm_status changes_collect(cm_broad *b, bool all, cm__change_when when, cm__change_set *set) {
    set->slots = all ? NULL : b->marked;
    set->count = all ? b->slot_count : b->marked_count;
    const size_t bytes = (size_t)set->count * (sizeof *set->places + sizeof *set->boxes + 1) + 64;
    if (cm__buffer_bytes(b->mem, &b->scratch, bytes) != CM_OK) return CM_NO_MEMORY;
    char *start = b->scratch.items;
    set->places = (cm__change_place *)(void *)(start + (64 - ((uintptr_t)start & 63)));
    set->boxes = (cm_aabb *)(void *)(set->places + set->count);
    set->flags = (uint8_t *)(set->boxes + set->count);
    set->plain = all && when == CM__CHANGE_BOTH && changes_are_plain(b);
    set->still = set->strange = 0;
    if (!set->plain) cm__kernel_get()->places(b, set, when);
    return CM_OK;
}

static uint32_t place_slot(const uint32_t *slots, uint32_t place) {
    return slots ? slots[place] : place & CM__SLOT_MASK;
}

/* Pairs of places as pairs of ids. */
static void changes_to_ids(const cm_broad *b, const uint32_t *slots, cm_broad_pair *pairs, uint32_t count) {
    const uint32_t *const ids = b->ids;
    for (uint32_t k = 0; k < count; ++k) {
        const cm_broad_pair pair = pairs[k];
        const uint32_t s = ids[place_slot(slots, pair.a)], t = ids[place_slot(slots, pair.b)];
        pairs[k].a = s < t ? s : t, pairs[k].b = s < t ? t : s;
    }
}

/* Notes those of the candidates that changed: places in the set, or ids of all objects. */
static cm_status changes_pick(cm_broad *b, const cm__change_set *set, cm__change_when when) {
    const bool begins = when != CM__CHANGE_PAST, ends = when != CM__CHANGE_NOW;
    const size_t count = b->candidates.count;
    const cm__kernel *kernel = cm__kernel_get();
    for (size_t first = 0; first < count; first += CM__CHANGE_BATCH) {
        const cm_broad_pair *pairs = b->candidates.pairs + first;
        const size_t rest = count - first, batch = rest < CM__CHANGE_BATCH ? rest : CM__CHANGE_BATCH;
        if (!cm__sink_room(&b->began, CM__CHANGE_BATCH) || !cm__sink_room(&b->ended, CM__CHANGE_BATCH))
            return CM_NO_MEMORY;
        uint32_t left[CM__CHANGE_BATCH];
        cm__changed out = {
            b->began.pairs + b->began.count, b->ended.pairs + b->ended.count, left, 0, 0, 0,
        };
        kernel->changes(set, pairs, batch, rest - batch, &out);
        if (begins) changes_to_ids(b, set->slots, out.began, out.came), b->began.count += out.came;
        if (ends) changes_to_ids(b, set->slots, out.ended, out.went), b->ended.count += out.went;
        for (uint32_t k = 0; k < out.left_count; ++k) {
            const cm_broad_pair pair = pairs[left[k]];
            const uint32_t s = place_slot(set->slots, pair.a), t = place_slot(set->slots, pair.b);
            if (!change_note(b, s, t, begins, ends)) return CM_NO_MEMORY;
        }
    }
    return CM_OK;
}

/* Overlaps among the marked objects, or among all, at one time or over both. */
static cm_status changes_among(cm_broad *b, cm__columns *c, bool all, cm__change_when when) {
    cm__change_set set;
    if (!(all ? b->slot_count : b->marked_count)) return CM_OK;
    cm_status status = changes_collect(b, all, when, &set);
    if (status != CM_OK) return status;
    /* The kind's own columns keep what is static, with ids. Else only few of the pairs will need them. */
    const cm__box_source source = {.boxes = {set.plain ? b->boxes : set.boxes, set.plain ? b->old_boxes : NULL},
                                   .ids = all && !set.plain ? b->ids : NULL,
                                   .flags = set.plain ? b->flags : set.flags,
                                   .count = set.count,
                                   .fixed_count = set.still,
                                   .fixed_dirty = c == b->columns,
                                   .places = set.places};
    status = cm__columns_fill(c, &source);
    if (status != CM_OK) return status;
    b->candidates.count = 0;
    b->candidates.limit = when == CM__CHANGE_PAST ? 0 : b->desc.pair_limit; /* the past was within it */
    status = cm__sink_status(&b->candidates, cm__columns_pairs(c, &b->candidates));
    return status == CM_OK ? changes_pick(b, &set, when) : status;
}

/* Where much was marked, sorting everything is cheaper than asking the structure about each. */
static bool changes_are_many(const cm_broad *b) { return b->marked_count > b->live_count / CHANGES_ALL; }

bool cm__changes_may_share(const cm_broad *b) {
    return b->desc.changes && !b->fixed_dirty && !b->unbounded_count && !b->freed_count && changes_are_many(b) &&
           changes_are_small(b);
}

/* Did a marked object stand anywhere at the last update? */
static bool changes_have_past(const cm_broad *b) {
    for (uint32_t i = 0; i < b->marked_count; ++i) {
        if (b->old_flags[b->marked[i]] & CM__LIVE) return true;
    }
    return false;
}

cm_status cm__find_changes(cm_broad *b, cm__columns *shared) {
    const bool all = shared || changes_are_many(b);
    cm_status status = all ? CM_OK : changes_with_untouched(b);
    const bool small = shared || (status == CM_OK && changes_are_small(b));
    if (small) status = changes_among(b, shared ? shared : b->columns, all, CM__CHANGE_BOTH);
    /* boxes around both places may overlap where boxes never did: too many of those say nothing */
    if (small ? status == CM_LIMIT && changes_have_past(b) : status == CM_OK) {
        status = changes_among(b, b->columns, all, CM__CHANGE_NOW);
        if (status == CM_OK) status = changes_among(b, b->columns, all, CM__CHANGE_PAST);
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
