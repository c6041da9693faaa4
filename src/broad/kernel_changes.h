/* Part of kernel.c: where objects are and were, and which of the pairs that come near have changed. */
#ifndef BROAD_KERNEL_CHANGES_H
#define BROAD_KERNEL_CHANGES_H

#include "broad/kernel_lanes.h"

/* --- places ----------------------------------------------------------------------------------------------------- */

/* `around`: the box around those of the times that are looked at, clamped so that none is infinite and the same boxes
 * overlap, as each reaches into the valid range. */
#if defined(CAROM_F64)
KERNEL_INLINE void place_set(cm__change_place *p, const cm_aabb *now, const cm_aabb *past, bool strange,
                             cm__change_when when, cm_aabb *around) {
    const cm_real most = 2 * CM_COORD_MAX, fourth = strange ? -CM_REAL_MAX : CM_REAL_MAX;
    const cm_aabb joined = when == CM__CHANGE_NOW ? *now : when == CM__CHANGE_PAST ? *past : cm_aabb_union(*now, *past);
    const cm__change_place place = {
        {now->min.x, now->min.y, now->min.z, 0, past->min.x, past->min.y, past->min.z, 0},
        {now->max.x, now->max.y, now->max.z, fourth, past->max.x, past->max.y, past->max.z, fourth}};
    *p = place;
    around->min = cm_vec3_max(joined.min, cm_v(-most, -most, -most));
    around->max = cm_vec3_min(joined.max, cm_v(most, most, most));
}

/* Bit by side: they overlap along it. */
static inline uint32_t places_meet(const cm__change_place *p, const cm__change_place *q) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 8; ++k) bits |= (uint32_t)((p->lo[k] <= q->hi[k]) & (q->lo[k] <= p->hi[k])) << k;
    return bits;
}
#else
KERNEL_INLINE void place_set(cm__change_place *p, const cm_aabb *now, const cm_aabb *past, bool strange,
                             cm__change_when when, cm_aabb *around) {
    const u32x4 sides = u32x4_of(UINT32_MAX, UINT32_MAX, UINT32_MAX, 0);
    const f32x4 most = f32x4_all(2 * CM_COORD_MAX), least = f32x4_all(-2 * CM_COORD_MAX);
    const f32x4 fourth = f32x4_all(strange ? -CM_REAL_MAX : CM_REAL_MAX);
    f32x4 lo = f32x4_load(&now->min.x), hi = f32x4_load(&now->min.z);
    f32x4 past_lo = f32x4_load(&past->min.x), past_hi = f32x4_load(&past->min.z);
    lo = f32x4_where(sides, lo), past_lo = f32x4_where(sides, past_lo);
    hi = f32x4_select(sides, f32x4_pick(hi, 1, 2, 3, 0), fourth);
    past_hi = f32x4_select(sides, f32x4_pick(past_hi, 1, 2, 3, 0), fourth);
    f32x4_store(p->lo, lo), f32x4_store(p->hi, hi);
    f32x4_store(p->lo + 4, past_lo), f32x4_store(p->hi + 4, past_hi);
    if (when == CM__CHANGE_PAST) lo = past_lo, hi = past_hi;
    if (when == CM__CHANGE_BOTH) lo = f32x4_min(lo, past_lo), hi = f32x4_max(hi, past_hi);
    lo = f32x4_max(lo, least), hi = f32x4_min(hi, most);
    f32x4_store(&around->min.x, lo); /* and one number more, which is written over */
    f32x4_store(&around->min.z, f32x4_mix(f32x4_pick(lo, 2, 2, 2, 2), f32x4_pick(hi, 3, 0, 1, 2), 0, 5, 6, 7));
}

/* The same where neither box reaches beyond the valid range, so that there is nothing to clamp and any fourth side
 * below the most will do. `front`, `back`: lo x y z, hi x, and lo z, hi x y z, of the box of now, then of both. */
KERNEL_INLINE void place_set_plain(cm__change_place *p, const cm_aabb *past, f32x4 *front, f32x4 *back) {
    const f32x4 fourth = f32x4_all(CM_REAL_MAX);
    const f32x4 past_front = f32x4_load(&past->min.x), past_back = f32x4_load(&past->min.z);
    f32x4_store(p->lo, *front), f32x4_store(p->lo + 4, past_front);
    f32x4_store(p->hi, f32x4_mix(*back, fourth, 1, 2, 3, 4));
    f32x4_store(p->hi + 4, f32x4_mix(past_back, fourth, 1, 2, 3, 4));
    const f32x4 lo = f32x4_min(*front, past_front), hi = f32x4_max(*back, past_back);
    *front = f32x4_mix(lo, hi, 0, 1, 2, 5), *back = f32x4_mix(lo, hi, 2, 5, 6, 7);
}

static inline uint32_t places_meet(const cm__change_place *p, const cm__change_place *q) {
    return u32x8_mask(
        u32x8_and(f32x8_le(f32x8_load(p->lo), f32x8_load(q->hi)), f32x8_le(f32x8_load(q->lo), f32x8_load(p->hi))));
}
#endif

/* Static at the times that are looked at, where it is there at all: never a pair with another such. */
static inline bool place_is_still(uint32_t now, uint32_t past, cm__change_when when) {
    const bool still_now = (now & (CM__LIVE | CM__FIXED)) != CM__LIVE;
    const bool still_past = (past & (CM__LIVE | CM__FIXED)) != CM__LIVE;
    return (still_now | (when == CM__CHANGE_PAST)) & (still_past | (when == CM__CHANGE_NOW));
}

KERNEL_INLINE void places_fill(const cm_broad *b, cm__change_set *set, bool all, cm__change_when when) {
    const uint8_t *const flags = b->flags, *const old_flags = b->old_flags;
    const cm_aabb *const boxes = b->boxes, *const old_boxes = b->old_boxes;
    const uint32_t *const slots = set->slots;
    cm__change_place *const places = set->places;
    cm_aabb *const around = set->boxes;
    uint8_t *const out = set->flags;
    const uint32_t count = set->count;
    uint32_t still = 0, strange = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t s = all ? i : slots[i], now = flags[s];
        const bool marked = (now & CM__MARKED) != 0;
        const uint32_t past = marked ? old_flags[s] : now;
        const bool is_strange = (now & (CM__OLD_FILTER | CM__FILTERED)) | ((now ^ past) & CM__FIXED);
        place_set(&places[i], &boxes[s], marked ? &old_boxes[s] : &boxes[s], is_strange, when, &around[i]);
        const bool there = around[i].min.x <= around[i].max.x, is_still = there & place_is_still(now, past, when);
        out[i] = (uint8_t)((there ? CM__LIVE : 0) | (is_still ? CM__FIXED : 0));
        still += is_still, strange += is_strange;
    }
    set->still = still, set->strange = strange;
}

static void kernel_places(const cm_broad *b, cm__change_set *set, cm__change_when when) {
    if (set->slots)
        places_fill(b, set, false, when);
    else if (when == CM__CHANGE_BOTH)
        places_fill(b, set, true, CM__CHANGE_BOTH);
    else
        places_fill(b, set, true, when);
}

/* --- pairs ------------------------------------------------------------------------------------------------------ */

enum { CHANGE_AHEAD = 24, PLACE_PLAIN = 8 /* the fourth side overlaps */ };

/* By sides that overlap, those of now in the low four bits: did the pair begin, did it end? */
static const size_t change_came[256] = {
    [0x0f] = 1, [0x1f] = 1, [0x2f] = 1, [0x3f] = 1, [0x4f] = 1, [0x5f] = 1, [0x6f] = 1, [0x7f] = 1,
    [0x8f] = 1, [0x9f] = 1, [0xaf] = 1, [0xbf] = 1, [0xcf] = 1, [0xdf] = 1, [0xef] = 1};
static const size_t change_went[256] = {
    [0xf0] = 1, [0xf1] = 1, [0xf2] = 1, [0xf3] = 1, [0xf4] = 1, [0xf5] = 1, [0xf6] = 1, [0xf7] = 1,
    [0xf8] = 1, [0xf9] = 1, [0xfa] = 1, [0xfb] = 1, [0xfc] = 1, [0xfd] = 1, [0xfe] = 1};

static inline void change_fetch(const cm__change_place *place) { /* it will be read soon */
#if defined(__GNUC__)
    __builtin_prefetch(place);
#else
    (void)place;
#endif
}

/* Which ones have changed cannot be predicted, and their places are anywhere in memory: so there is no branch that
 * would wait for them. */
KERNEL_INLINE void changes_sort_out(const cm__change_place *places, const cm_broad_pair *pairs, size_t count,
                                    size_t ahead, uint32_t mask, bool strange, cm__changed *out) {
    cm_broad_pair *const began = out->began, *const ended = out->ended;
    size_t came = 0, went = 0;
    uint32_t left = 0;
    for (size_t i = 0; i < count; ++i) {
        const cm_broad_pair *pair = &pairs[i], *later = pair + ahead;
        uint64_t both; /* numbers, copied as one */
        memcpy(&both, pair, sizeof both);
        change_fetch(&places[later->a & mask]), change_fetch(&places[later->b & mask]);
        const uint32_t meets = places_meet(&places[pair->a & mask], &places[pair->b & mask]);
        memcpy(&began[came], &both, sizeof both), memcpy(&ended[went], &both, sizeof both);
        came += change_came[meets], went += change_went[meets];
        if (strange) out->left[left] = (uint32_t)i, left += !(meets & PLACE_PLAIN);
    }
    out->came = (uint32_t)came, out->went = (uint32_t)went, out->left_count = left;
}

static void kernel_changes(const cm__change_set *set, const cm_broad_pair *pairs, size_t count, size_t behind,
                           cm__changed *out) {
    const size_t ahead = behind >= CHANGE_AHEAD ? CHANGE_AHEAD : 0;
    if (set->plain)
        changes_sort_out(set->places, pairs, count, ahead, UINT32_MAX, false, out);
    else if (set->strange)
        changes_sort_out(set->places, pairs, count, ahead, CM__SLOT_MASK, true, out);
    else
        changes_sort_out(set->places, pairs, count, ahead, CM__SLOT_MASK, false, out);
}

#endif
