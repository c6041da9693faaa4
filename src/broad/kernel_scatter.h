/* Part of kernel.c: boxes into columns. */
#ifndef BROAD_KERNEL_SCATTER_H
#define BROAD_KERNEL_SCATTER_H

#include "broad/kernel_lanes.h"

/* The columns of a box: `more` from the one with its lower corner to the one with its upper corner. */
typedef struct cells_spot {
    uint32_t first, more;
} cells_spot;

/* Boxes that are looked at together. */
enum { SCATTER_BLOCK = CM__SCATTER_BLOCK };

/* --- boxes in numbers ------------------------------------------------------------------------------------------ */

#if defined(KERNEL_VECTORS) && !defined(CAROM_F64)

typedef struct cells_map {
    __m128 origin[2], scale[2]; /* for lo x y z, hi x and lo z, hi x y z */
    __m128i base, span, factor, weight, less;
    __m128i keep[4]; /* what stays of a copy beyond the first column along u (bit 0), along v (bit 1) */
} cells_map;

static inline __m128i cells_words(const uint16_t *of_axis) {
    const short x = (short)of_axis[0], y = (short)of_axis[1], z = (short)of_axis[2];
    return _mm_setr_epi16(x, y, z, x, z, x, y, z);
}

static inline cells_map cells_map_of(const cm__column_grid *g) {
    cells_map m;
    const float *o = g->origin, *s = g->scale;
    m.origin[0] = _mm_setr_ps(o[0], o[1], o[2], o[0]), m.origin[1] = _mm_setr_ps(o[2], o[0], o[1], o[2]);
    m.scale[0] = _mm_setr_ps(s[0], s[1], s[2], s[0]), m.scale[1] = _mm_setr_ps(s[2], s[0], s[1], s[2]);
    m.base = cells_words(g->base), m.span = cells_words(g->span), m.factor = cells_words(g->factor);
    short weight[3] = {0, 0, 0};
    weight[g->u] = 1, weight[g->v] = (short)g->cells[0];
    m.weight = _mm_setr_epi16(weight[0], weight[1], weight[2], 0, 0, weight[0], weight[1], weight[2]);
    m.less = _mm_setr_epi16(1, 1, 1, 0, 0, 0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        short keep[3];
        for (int a = 0; a < 3; ++a) keep[a] = (a == g->u && k & 1) || (a == g->v && k & 2) ? 0 : -1;
        m.keep[k] = _mm_setr_epi16(keep[0], keep[1], keep[2], -1, -1, -1, -1, -1);
    }
    return m;
}

/* Eight coordinates are turned into numbers: those of a box, lo z and hi x twice. */
static inline void cells_one(const cells_map *m, const cm_aabb *box, uint32_t id, cm__record *record,
                             cells_spot *spot) {
    const __m128 low = _mm_set1_ps((float)CM__LOWEST), high = _mm_set1_ps((float)CM__HIGHEST);
    const __m128i half = _mm_set1_epi32(32768);
    __m128 front = _mm_loadu_ps(&box->min.x), back = _mm_loadu_ps(&box->min.z);
    front = _mm_mul_ps(_mm_sub_ps(front, m->origin[0]), m->scale[0]);
    back = _mm_mul_ps(_mm_sub_ps(back, m->origin[1]), m->scale[1]);
    front = _mm_min_ps(_mm_max_ps(front, low), high), back = _mm_min_ps(_mm_max_ps(back, low), high);
    __m128i a = _mm_sub_epi32(_mm_cvttps_epi32(front), half), b = _mm_sub_epi32(_mm_cvttps_epi32(back), half);
    __m128i q = _mm_xor_si128(_mm_packs_epi32(a, b), _mm_set1_epi16((short)-32768));
    __m128i inner = _mm_subs_epu16(q, m->base);
    inner = _mm_sub_epi16(inner, _mm_subs_epu16(inner, m->span));
    __m128i column = _mm_madd_epi16(_mm_mulhi_epu16(inner, m->factor), m->weight);
    column = _mm_add_epi32(column, _mm_shuffle_epi32(column, 0xb1));
    column = _mm_shuffle_epi32(column, 0x88);
    _mm_storel_epi64((__m128i *)(void *)spot, _mm_sub_epi32(column, _mm_slli_epi64(column, 32)));
    __m128i end = _mm_unpacklo_epi32(_mm_srli_si128(q, 12), _mm_cvtsi32_si128((int)id));
    _mm_storeu_si128((__m128i *)(void *)record, _mm_sub_epi16(_mm_unpacklo_epi64(q, end), m->less));
}

#if defined(__AVX2__)
static inline __m256 cells_both(const cm_real *one, const cm_real *other) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(one)), _mm_loadu_ps(other), 1);
}
static inline __m256 cells_twice(__m128 x) { return _mm256_insertf128_ps(_mm256_castps128_ps256(x), x, 1); }

/* The same for two boxes, one in each half. */
static inline void cells_two(const cells_map *m, const cm_aabb *box, const cm_aabb *other, uint32_t id,
                             uint32_t other_id, cm__record *records, cells_spot *spots) {
    const __m256 low = _mm256_set1_ps((float)CM__LOWEST), high = _mm256_set1_ps((float)CM__HIGHEST);
    const __m256i half = _mm256_set1_epi32(32768);
    __m256 front = cells_both(&box->min.x, &other->min.x), back = cells_both(&box->min.z, &other->min.z);
    front = _mm256_mul_ps(_mm256_sub_ps(front, cells_twice(m->origin[0])), cells_twice(m->scale[0]));
    back = _mm256_mul_ps(_mm256_sub_ps(back, cells_twice(m->origin[1])), cells_twice(m->scale[1]));
    front = _mm256_min_ps(_mm256_max_ps(front, low), high), back = _mm256_min_ps(_mm256_max_ps(back, low), high);
    __m256i a = _mm256_sub_epi32(_mm256_cvttps_epi32(front), half);
    __m256i b = _mm256_sub_epi32(_mm256_cvttps_epi32(back), half);
    __m256i q = _mm256_xor_si256(_mm256_packs_epi32(a, b), _mm256_set1_epi16((short)-32768));
    __m256i inner = _mm256_subs_epu16(q, _mm256_broadcastsi128_si256(m->base));
    inner = _mm256_sub_epi16(inner, _mm256_subs_epu16(inner, _mm256_broadcastsi128_si256(m->span)));
    __m256i column = _mm256_madd_epi16(_mm256_mulhi_epu16(inner, _mm256_broadcastsi128_si256(m->factor)),
                                       _mm256_broadcastsi128_si256(m->weight));
    column = _mm256_add_epi32(column, _mm256_shuffle_epi32(column, 0xb1));
    column = _mm256_shuffle_epi32(column, 0x88);
    column = _mm256_sub_epi32(column, _mm256_slli_epi64(column, 32));
    _mm_storeu_si128((__m128i *)(void *)spots, _mm256_castsi256_si128(_mm256_permute4x64_epi64(column, 8)));
    __m256i ids = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_cvtsi32_si128((int)id)),
                                          _mm_cvtsi32_si128((int)other_id), 1);
    __m256i end = _mm256_unpacklo_epi32(_mm256_srli_si256(q, 12), ids);
    _mm256_storeu_si256((__m256i *)(void *)records,
                        _mm256_sub_epi16(_mm256_unpacklo_epi64(q, end), _mm256_broadcastsi128_si256(m->less)));
}
#endif

/* Writes a copy; `drop`: bit 0 the box began earlier along u, bit 1 along v. */
static inline void cells_copy(const cells_map *m, const cm__record *r, uint32_t drop, cm__record *out) {
    __m128i all = _mm_loadu_si128((const __m128i *)(const void *)r);
    _mm_storeu_si128((__m128i *)(void *)out, _mm_and_si128(all, m->keep[drop]));
}

#else

typedef struct cells_map {
    const cm__column_grid *g;
} cells_map;

static inline cells_map cells_map_of(const cm__column_grid *g) {
    cells_map m = {g};
    return m;
}

static inline void cells_one(const cells_map *m, const cm_aabb *box, uint32_t id, cm__record *record,
                             cells_spot *spot) {
    const cm__column_grid *g = m->g;
    const cm_real *lo = &box->min.x, *hi = &box->max.x;
    uint32_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = cm__grid_number(g, a, lo[a]), high[a] = cm__grid_number(g, a, hi[a]);
        record->lo[a] = (uint16_t)(low[a] - 1), record->hi[a] = (uint16_t)high[a];
    }
    record->id = id;
    const uint32_t width = (uint32_t)g->cells[0];
    spot->first = cm__grid_cell(g, g->u, low[g->u]) + width * cm__grid_cell(g, g->v, low[g->v]);
    spot->more = cm__grid_cell(g, g->u, high[g->u]) + width * cm__grid_cell(g, g->v, high[g->v]) - spot->first;
}

static inline void cells_copy(const cells_map *m, const cm__record *r, uint32_t drop, cm__record *out) {
    *out = *r;
    if (drop & 1) out->lo[m->g->u] = 0;
    if (drop & 2) out->lo[m->g->v] = 0;
}

#endif

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
    uint32_t k = 0;
#if defined(__AVX2__) && defined(KERNEL_VECTORS) && !defined(CAROM_F64)
    for (; k + 2 <= n; k += 2) {
        const uint32_t i = members[k], j = members[k + 1];
        cells_two(map, &s->boxes[i], &s->boxes[j], s->ids ? s->ids[i] : i, s->ids ? s->ids[j] : j, records + k,
                  spots + k);
    }
#endif
    for (; k < n; ++k) {
        const uint32_t i = members[k];
        cells_one(map, &s->boxes[i], s->ids ? s->ids[i] : i, records + k, spots + k);
    }
    return n;
}

static bool kernel_plain(const cm_aabb *boxes, size_t stride, uint32_t count) {
    const char *at = (const char *)boxes;
#if defined(KERNEL_VECTORS) && !defined(CAROM_F64)
    const __m128 most = _mm_set1_ps(CM_COORD_MAX), sign = _mm_set1_ps(-0.0f);
    const __m128 last = _mm_castsi128_ps(_mm_set_epi32(-1, 0, 0, 0)); /* hi x against lo z says nothing */
    __m128 ok = _mm_castsi128_ps(_mm_set1_epi32(-1));
    for (uint32_t i = 0; i < count; ++i, at += stride) {
        const cm_aabb *box = (const cm_aabb *)(const void *)at;
        __m128 lo = _mm_loadu_ps(&box->min.x), back = _mm_loadu_ps(&box->min.z);
        __m128 hi = _mm_shuffle_ps(back, back, _MM_SHUFFLE(0, 3, 2, 1));
        ok = _mm_and_ps(ok, _mm_or_ps(last, _mm_cmple_ps(lo, hi)));
        ok = _mm_and_ps(
            ok, _mm_and_ps(_mm_cmple_ps(_mm_andnot_ps(sign, lo), most), _mm_cmple_ps(_mm_andnot_ps(sign, back), most)));
    }
    return _mm_movemask_ps(ok) == 15;
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
            const uint32_t rows = spots[k].more / width, beside = spots[k].more % width;
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
    const uint32_t rows = spot.more / width, beside = spot.more % width;
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
            const uint32_t more = spots[k].more;
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
            const uint32_t column = spot.first, beyond = column + spot.more;
            const uint32_t at = next[column], then = next[beyond];
            if ((at >= end[column]) | (then >= end[beyond])) return false;
            out[at] = records[twos[i]], next[column] = at + 1;
            cells_copy(&map, &records[twos[i]], spot.more == 1 ? 1 : 2, &out[then]), next[beyond] = then + 1;
        }
        for (uint32_t i = 0; i < other; ++i) {
            if (!scatter_many(&s, &map, &records[others[i]], spots[others[i]], width)) return false;
        }
    }
    return true;
}

#endif
