/* Part of kernel.c: boxes into columns. */
#ifndef BROAD_KERNEL_SCATTER_H
#define BROAD_KERNEL_SCATTER_H

#include "broad/kernel_changes.h"

/* The columns of a box's lower and of its upper corner. */
typedef struct cells_spot {
    uint32_t first, last;
} cells_spot;

/* Boxes that are looked at together. */
enum { SCATTER_BLOCK = CM__SCATTER_BLOCK };

/* --- boxes in numbers ------------------------------------------------------------------------------------------ */

/* Words in the order of a box's numbers, lo z and hi x twice: lo x y z, hi x; lo z, hi x y z. */
typedef struct cells_map {
    const cm__column_grid *grid;
    f32x4 origin[2], scale[2];
    u16x8 base, span, factor, weight, less;
    u16x8 keep[4]; /* what stays of a copy beyond the first column along u (bit 0), along v (bit 1) */
} cells_map;

static inline u16x8 cells_words(const uint16_t x[3]) {
    const uint16_t words[8] = {x[0], x[1], x[2], x[0], x[2], x[0], x[1], x[2]};
    return u16x8_load(words);
}

static inline cells_map cells_map_of(const cm__column_grid *g) {
    cells_map m;
    m.grid = g;
#if !defined(CAROM_F64)
    const float *o = g->origin, *s = g->scale;
    m.origin[0] = f32x4_of(o[0], o[1], o[2], o[0]), m.origin[1] = f32x4_of(o[2], o[0], o[1], o[2]);
    m.scale[0] = f32x4_of(s[0], s[1], s[2], s[0]), m.scale[1] = f32x4_of(s[2], s[0], s[1], s[2]);
#endif
    m.base = cells_words(g->base), m.span = cells_words(g->span), m.factor = cells_words(g->factor);
    const uint16_t less[8] = {1, 1, 1};
    uint16_t weight[8] = {0};
    weight[g->u] = weight[5 + g->u] = 1, weight[g->v] = weight[5 + g->v] = (uint16_t)g->cells[0];
    m.weight = u16x8_load(weight), m.less = u16x8_load(less);
    for (int k = 0; k < 4; ++k) {
        uint16_t keep[8];
        for (int a = 0; a < 8; ++a) keep[a] = (a == g->u && k & 1) || (a == g->v && k & 2) ? 0 : UINT16_MAX;
        m.keep[k] = u16x8_load(keep);
    }
    return m;
}

/* The numbers of the sides of box i: cm__grid_number. `both`: of the one around both places, which are written too. */
KERNEL_INLINE u16x8 cells_numbers(const cells_map *m, const cm__scatter *s, uint32_t i, bool both) {
    const cm_aabb *now = &s->boxes.now[i];
#if defined(CAROM_F64)
    cm_aabb box = *now;
    if (both) place_set(&s->places[i], now, &s->boxes.past[i], false, CM__CHANGE_BOTH, &box);
    const cm_real *lo = &box.min.x, *hi = &box.max.x;
    uint16_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = (uint16_t)cm__grid_number(m->grid, a, lo[a]), high[a] = (uint16_t)cm__grid_number(m->grid, a, hi[a]);
    }
    const uint16_t words[8] = {low[0], low[1], low[2], high[0], low[2], high[0], high[1], high[2]};
    return u16x8_load(words);
#else
    const f32x4 low = f32x4_all((float)CM__LOWEST), high = f32x4_all((float)CM__HIGHEST);
    f32x4 front = f32x4_load(&now->min.x), back = f32x4_load(&now->min.z);
    if (both) place_set_plain(&s->places[i], &s->boxes.past[i], &front, &back);
    front = f32x4_mul(f32x4_sub(front, m->origin[0]), m->scale[0]);
    back = f32x4_mul(f32x4_sub(back, m->origin[1]), m->scale[1]);
    front = f32x4_min(f32x4_max(front, low), high), back = f32x4_min(f32x4_max(back, low), high);
    return u16x8_of_u32(u32x4_of_f32(front), u32x4_of_f32(back));
#endif
}

KERNEL_INLINE void cells_one(const cells_map *m, const cm__scatter *s, uint32_t i, bool both, cm__record *record,
                             cells_spot *spot) {
    const uint32_t id = s->ids ? s->ids[i] : i;
    const u16x8 q = cells_numbers(m, s, i, both), inner = u16x8_min(u16x8_sub_sat(q, m->base), m->span);
    u32x4 columns = u16x8_dot(u16x8_mul_high(inner, m->factor), m->weight); /* along u and v apart */
    columns = u32x4_add(columns, u32x4_pick(columns, 1, 0, 3, 2));
    u32x4_store2(&spot->first, u32x4_pick(columns, 0, 2, 0, 2));
    const u32x4 words = u32x4_mix(u32x4_bits_of_u16x8(q), u32x4_all(id), 0, 1, 3, 4);
    const u16x8 out = u16x8_sub(u16x8_bits_of_u32x4(words), m->less);
    memcpy(record, &out, sizeof *record);
}

/* Writes a copy; `drop`: bit 0 the box began earlier along u, bit 1 along v. */
static inline void cells_copy(const cells_map *m, const cm__record *r, uint32_t drop, cm__record *out) {
    u16x8 all;
    memcpy(&all, r, sizeof all);
    all = u16x8_and(all, m->keep[drop]);
    memcpy(out, &all, sizeof all);
}

/* Which of the boxes [first, last), at most a block, are to be copied. Returns how many. */
static inline uint32_t scatter_members(const cm__scatter *s, uint32_t first, uint32_t last, uint32_t *members) {
    const uint32_t n = last - first;
    uint8_t other = 0;
    for (uint32_t k = 0; s->flags && k < n; ++k) other |= (uint8_t)((s->flags[first + k] & s->mask) ^ s->want);
    if (!other) {
        for (uint32_t k = 0; k < n; ++k) members[k] = first + k;
        return n;
    }
    uint32_t m = 0;
    for (uint32_t k = 0; k < n; ++k) {
        members[m] = first + k;
        m += (s->flags[first + k] & s->mask) == s->want;
    }
    return m;
}

/* The records and spots of the members of a block. Returns their number. */
static inline uint32_t scatter_records(const cm__scatter *s, const cells_map *map, uint32_t first, uint32_t last,
                                       cm__record *records, cells_spot *spots) {
    uint32_t members[SCATTER_BLOCK];
    const uint32_t n = scatter_members(s, first, last, members);
    if (s->boxes.past)
        for (uint32_t k = 0; k < n; ++k) cells_one(map, s, members[k], true, records + k, spots + k);
    else
        for (uint32_t k = 0; k < n; ++k) cells_one(map, s, members[k], false, records + k, spots + k);
    return n;
}

static bool kernel_plain(const cm_aabb *boxes, size_t stride, uint32_t count) {
    const char *at = (const char *)boxes;
#if !defined(CAROM_F64)
    const f32x4 most = f32x4_all(CM_COORD_MAX);
    const u32x4 last = u32x4_of(0, 0, 0, UINT32_MAX); /* hi x against lo z says nothing */
    u32x4 ok = u32x4_all(UINT32_MAX);
    for (uint32_t i = 0; i < count; ++i, at += stride) {
        const cm_aabb *box = (const cm_aabb *)(const void *)at;
        const f32x4 lo = f32x4_load(&box->min.x), back = f32x4_load(&box->min.z), hi = f32x4_pick(back, 1, 2, 3, 0);
        ok = u32x4_and(ok, u32x4_or(last, f32x4_le(lo, hi)));
        ok = u32x4_and(ok, u32x4_and(f32x4_le(f32x4_abs(lo), most), f32x4_le(f32x4_abs(back), most)));
    }
    return u32x4_mask(ok) == 15;
#else
    bool ok = true;
    for (uint32_t i = 0; i < count; ++i, at += stride) {
        const cm_aabb *box = (const cm_aabb *)(const void *)at;
        const cm_real *lo = &box->min.x, *hi = &box->max.x, most = CM_COORD_MAX;
        for (int a = 0; a < 3; ++a) ok &= (lo[a] <= hi[a]) & (lo[a] >= -most) & (hi[a] <= most);
    }
    return ok;
#endif
}

/* --- into columns ---------------------------------------------------------------------------------------------- */

static void kernel_count(const cm__scatter *scatter, uint32_t first, uint32_t last) {
    const cm__scatter s = *scatter;
    const cells_map map = cells_map_of(s.grid);
    const uint32_t width = (uint32_t)s.grid->cells[0];
    cm__record records[SCATTER_BLOCK];
    cells_spot spots[SCATTER_BLOCK];
    for (uint32_t stop; first < last; first = stop) {
        stop = last - first < SCATTER_BLOCK ? last : first + SCATTER_BLOCK;
        const uint32_t n = scatter_records(&s, &map, first, stop, records, spots);
        for (uint32_t k = 0; k < n; ++k) {
            const uint32_t more = spots[k].last - spots[k].first, rows = more / width, beside = more % width;
            uint32_t *at = s.next + spots[k].first;
            for (uint32_t v = 0; v <= rows; ++v, at += width) {
                for (uint32_t u = 0; u <= beside; ++u) ++at[u];
            }
        }
    }
}

/* Boxes in two columns or more. */
static bool scatter_many(const cm__scatter *s, const cells_map *map, const cm__record *r, cells_spot spot,
                         uint32_t width) {
    const uint32_t more = spot.last - spot.first, rows = more / width, beside = more % width;
    uint32_t column = spot.first;
    for (uint32_t v = 0; v <= rows; ++v, column += width) {
        for (uint32_t u = 0; u <= beside; ++u) {
            const uint32_t n = s->next[column + u];
            if (n >= s->end[column + u]) return false;
            s->next[column + u] = n + 1;
            cells_copy(map, r, (u > 0) | (uint32_t)(v > 0) << 1, &s->records[n]);
        }
    }
    return true;
}

/* Whether a box meets one column, two or more comes in no order that a CPU could predict: so those of a block that meet
 * one are listed, those that meet two, and the others, and each list is a loop of its own. */
static bool kernel_scatter(const cm__scatter *scatter, uint32_t first, uint32_t last) {
    const cm__scatter s = *scatter;
    const cells_map map = cells_map_of(s.grid);
    const uint32_t width = (uint32_t)s.grid->cells[0];
    uint32_t *const next = s.next;
    const uint32_t *const end = s.end;
    cm__record *const out = s.records;
    cm__record records[SCATTER_BLOCK];
    cells_spot spots[SCATTER_BLOCK];
    uint8_t ones[SCATTER_BLOCK], twos[SCATTER_BLOCK], others[SCATTER_BLOCK];
    for (uint32_t stop; first < last; first = stop) {
        stop = last - first < SCATTER_BLOCK ? last : first + SCATTER_BLOCK;
        const uint32_t n = scatter_records(&s, &map, first, stop, records, spots);
        uint32_t one = 0, two = 0, other = 0;
        for (uint32_t k = 0; k < n; ++k) {
            const uint32_t more = spots[k].last - spots[k].first;
            const bool pair = (more == 1) | (more == width);
            ones[one] = twos[two] = others[other] = (uint8_t)k;
            one += !more, two += pair, other += (more != 0) & !pair;
        }
        for (uint32_t i = 0; i < one; ++i) {
            const uint32_t column = spots[ones[i]].first, at = next[column];
            if (at >= end[column]) return false;
            out[at] = records[ones[i]], next[column] = at + 1;
        }
        for (uint32_t i = 0; i < two; ++i) {
            const cells_spot spot = spots[twos[i]];
            const uint32_t column = spot.first, beyond = spot.last;
            const uint32_t at = next[column], then = next[beyond];
            if ((at >= end[column]) | (then >= end[beyond])) return false;
            out[at] = records[twos[i]], next[column] = at + 1;
            cells_copy(&map, &records[twos[i]], spot.last - spot.first == 1 ? 1 : 2, &out[then]),
                next[beyond] = then + 1;
        }
        for (uint32_t i = 0; i < other; ++i) {
            if (!scatter_many(&s, &map, &records[others[i]], spots[others[i]], width)) return false;
        }
    }
    return true;
}

#endif
