/* The pairs of overlapping boxes: one list, sorted by ids, brought up to date by what began and ended.
 *
 * The merge writes a new list beside the old one, so that running out of memory leaves the old one. The changes are
 * lost then, and the next update takes all pairs of the broad phase. */
#include "world/world.h"
#include "base/bits.h"
#include "base/memory.h"

#include <string.h>

/* Translates pairs from the broad phase's ids to the world's. A slot there keeps its user value until it is used again,
 * which is after this. */
static cm_status pairs_translate(cm_world *w, const cm_broad_pair_view *from, cm__pair_sink *to) {
    to->count = 0;
    if (!cm__sink_room(to, from->count)) return CM_NO_MEMORY;
    const uint64_t *users = w->broad->users;
    for (size_t i = 0; i < from->count; i++) {
        uint32_t s = (uint32_t)users[from->pairs[i].a & CM__SLOT_MASK];
        uint32_t t = (uint32_t)users[from->pairs[i].b & CM__SLOT_MASK];
        cm__sink_put(to, w->ids[s], w->ids[t]);
    }
    return cm__sink_sort(to, &w->scratch);
}

static void pair_end(cm_world *w, const cm__world_pair *p) {
    if (!(p->state & (CM__PAIR_CONTACT | CM__PAIR_INSIDE))) return;
    cm__world_end *end = &w->ends[w->end_count++];
    end->a = p->a, end->b = p->b;
    end->user_a = w->bodies[cm__world_slot(p->a)].user;
    end->user_b = w->bodies[cm__world_slot(p->b)].user;
    end->kind = p->state & CM__PAIR_CONTACT ? CM_WORLD_ENDED : CM_WORLD_LEFT;
}

static void pair_begin(cm__world_pair *p, cm_broad_pair ids) {
    static const cm__world_pair none;
    *p = none;
    p->a = ids.a, p->b = ids.b;
}

static uint64_t least_key(uint64_t x, uint64_t y) { return x < y ? x : y; }
static uint64_t key_at(const cm__pair_sink *sink, size_t at) {
    return at < sink->count ? cm__world_pair_key(sink->pairs[at].a, sink->pairs[at].b) : CM__WORLD_NO_PAIR;
}

/* Where the pairs before this one end, from pair `i` on. */
static size_t pairs_before(const cm_world *w, size_t i, uint64_t key) {
    while (i < w->pair_count && cm__world_pair_key(w->pairs[i].a, w->pairs[i].b) < key) i++;
    return i;
}

/* Are as many pairs too many? Exact for pairs; the bytes of a pair are a bound, and at the limit of bytes either answer
 * is right. */
static bool pairs_are_over(const cm_world *w, size_t count) {
    return count > w->desc.pair_limit || count > w->desc.byte_limit / CM__WORLD_PAIR_BYTES;
}

/* `all`: began is every pair there is. */
static cm_status pairs_merge(cm_world *w, bool all) {
    size_t most_ended = all ? w->pair_count : w->ended.count;
    if (!WORLD_RESERVE(w, merged, w->pair_count + w->began.count) || !WORLD_RESERVE(w, ends, w->end_count + most_ended))
        return CM_NO_MEMORY;
    const cm_broad_pair *began = w->began.pairs, *ended = w->ended.pairs;
    const size_t began_count = w->began.count, ended_count = all ? 0 : w->ended.count;
    cm__world_pair *out = w->merged;
    size_t b = 0, e = 0, n = 0;
    for (size_t i = 0;; i++) {
        const uint64_t next = all ? 0 : least_key(key_at(&w->began, b), key_at(&w->ended, e));
        const size_t kept = pairs_before(w, i, next) - i;
        if (kept) memcpy(&out[n], &w->pairs[i], kept * sizeof *out);
        i += kept, n += kept;
        if (i == w->pair_count) break;
        const cm__world_pair *old = &w->pairs[i];
        for (; b < began_count && cm__world_order(began[b].a, began[b].b, old->a, old->b); b++)
            pair_begin(&out[n++], began[b]);
        bool listed = b < began_count && began[b].a == old->a && began[b].b == old->b;
        if (listed) b++;
        while (e < ended_count && cm__world_order(ended[e].a, ended[e].b, old->a, old->b)) e++;
        bool ends = e < ended_count && ended[e].a == old->a && ended[e].b == old->b;
        if (all ? listed : !ends)
            out[n++] = *old;
        else
            pair_end(w, old);
    }
    for (; b < began_count; b++) pair_begin(&out[n++], began[b]);
    w->pair_count = n;
    cm__world_pair *pairs = w->pairs;
    size_t capacity = w->pairs_capacity;
    w->pairs = w->merged, w->pairs_capacity = w->merged_capacity;
    w->merged = pairs, w->merged_capacity = capacity;
    return CM_OK;
}

cm_status cm__world_find_pairs(cm_world *w) {
    cm_broad_changes changes;
    cm_status status = cm_broad_update(w->broad);
    if (status != CM_OK) return status;
    bool all = w->lost;
    w->ended.count = 0;
    if (all) {
        status = cm_broad_find_pairs(w->broad, 0, &changes.began);
        if (status == CM_OK && pairs_are_over(w, changes.began.count)) status = CM_LIMIT;
        if (status == CM_OK) status = pairs_translate(w, &changes.began, &w->began);
    } else {
        cm_broad_get_changes(w->broad, &changes);
        if (!changes.began.count && !changes.ended.count) return CM_OK;
        /* before anything is taken for them */
        if (pairs_are_over(w, changes.began.count + w->pair_count - changes.ended.count)) status = CM_LIMIT;
        if (status == CM_OK) status = pairs_translate(w, &changes.began, &w->began);
        if (status == CM_OK) status = pairs_translate(w, &changes.ended, &w->ended);
    }
    if (status == CM_OK) status = pairs_merge(w, all);
    w->lost = status != CM_OK;
    return status;
}

size_t cm__world_pair_at(const cm_world *w, uint32_t a, uint32_t b) {
    size_t lo = 0, hi = w->pair_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (cm__world_order(w->pairs[mid].a, w->pairs[mid].b, a, b))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < w->pair_count && w->pairs[lo].a == a && w->pairs[lo].b == b ? lo : w->pair_count;
}

bool cm__world_may_meet(cm_world *w, uint32_t a, uint32_t b) {
    if (!w->desc.meet) return true;
    cm__world_busy before = w->busy;
    w->busy = CM__WORLD_ASKING;
    bool may = w->desc.meet(w->desc.user, w, a, b);
    w->busy = before;
    return may;
}

void cm__world_decide(cm_world *w, bool start) {
    enum { AHEAD = 8 };
    w->todo_count = 0;
    for (size_t i = 0; i < w->pair_count; i++) {
        cm__world_pair *p = &w->pairs[i];
        if (i + AHEAD < w->pair_count) { /* second objects lie anywhere in memory */
            const uint32_t next = cm__world_slot(w->pairs[i + AHEAD].b);
            BITS_FETCH(&w->flags[next]);
            BITS_FETCH(&w->bodies[next].layer);
        }
        uint32_t s = cm__world_slot(p->a), t = cm__world_slot(p->b);
        const bool passes = cm__world_filter(w, s, t) == CM_WORLD_WHY_MEET;
        if (start || !(p->state & CM__PAIR_DECIDED) || (passes && (p->state & CM__PAIR_REFUSED))) {
            bool allowed = passes && cm__world_may_meet(w, p->a, p->b);
            p->state &= ~(uint32_t)(CM__PAIR_ALLOWED | CM__PAIR_REFUSED);
            p->state |= CM__PAIR_DECIDED | (allowed ? CM__PAIR_ALLOWED : 0) | (passes ? 0 : CM__PAIR_REFUSED);
        } else if (!passes) {
            p->state &= ~(uint32_t)CM__PAIR_ALLOWED;
        }
        if ((p->state & CM__PAIR_ALLOWED) && ((w->flags[s] | w->flags[t]) & CM__BODY_SWEPT))
            w->todo_count += cm__world_pair_is_fast(w, s, t, 0);
    }
}
