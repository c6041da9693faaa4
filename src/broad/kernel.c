/* The inner loops of the broad phase. Comparisons only, so every instruction set gives the same pairs in the same
 * order.
 *
 * This file is compiled once per instruction set, and it is the only one to include the three parts. The tests are
 * plain comparisons, but no compiler turns them into a bit mask by itself, and the mask is what the loops live on:
 * hence the few intrinsics, with a plain loop behind them.
 */
#include "broad/kernel_cells.h"
#include "broad/kernel_lanes.h"
#include "broad/kernel_scatter.h"

/* --- records into lanes --------------------------------------------------------------------------------------- */

#if defined(KERNEL_VECTORS)
/* The low and the high words of eight numbers of 32 bits. */
static inline void cells_split(__m128i a, __m128i b, uint16_t *low, uint16_t *high) {
    __m128i l = _mm_packs_epi32(_mm_srai_epi32(_mm_slli_epi32(a, 16), 16), _mm_srai_epi32(_mm_slli_epi32(b, 16), 16));
    __m128i h = _mm_packs_epi32(_mm_srai_epi32(a, 16), _mm_srai_epi32(b, 16));
    _mm_storeu_si128((__m128i *)(void *)low, l);
    _mm_storeu_si128((__m128i *)(void *)high, h);
}

/* Four records of four words to four lanes of four. */
static inline void cells_turn(const cm__record *records, __m128i lanes[4]) {
    const __m128i *r = (const __m128i *)(const void *)records;
    __m128i a = _mm_loadu_si128(r), b = _mm_loadu_si128(r + 1), c = _mm_loadu_si128(r + 2), d = _mm_loadu_si128(r + 3);
    __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);
    lanes[0] = _mm_unpacklo_epi64(ab, cd), lanes[1] = _mm_unpackhi_epi64(ab, cd);
    ab = _mm_unpackhi_epi32(a, b), cd = _mm_unpackhi_epi32(c, d);
    lanes[2] = _mm_unpacklo_epi64(ab, cd), lanes[3] = _mm_unpackhi_epi64(ab, cd);
}
#endif

static void kernel_pack(const cm__column_grid *g, const cm__record *records, uint32_t count, cm__cell_lanes *lanes) {
    const cm__cell_lanes copy = *lanes, *l = &copy;
    uint16_t *lo[3], *hi[3];
    const int axes[3] = {g->u, g->v, g->w};
    for (int k = 0; k < 3; ++k) lo[axes[k]] = l->lo[k], hi[axes[k]] = l->hi[k];
    uint32_t i = 0;
#if defined(KERNEL_VECTORS)
    for (; i + 8 <= count; i += 8) {
        __m128i a[4], b[4];
        cells_turn(records + i, a), cells_turn(records + i + 4, b);
        cells_split(a[0], b[0], lo[0] + i, lo[1] + i);
        cells_split(a[1], b[1], lo[2] + i, hi[0] + i);
        cells_split(a[2], b[2], hi[1] + i, hi[2] + i);
        _mm_storeu_si128((__m128i *)(void *)(l->id + i), a[3]);
        _mm_storeu_si128((__m128i *)(void *)(l->id + i + 4), b[3]);
    }
#endif
    for (; i < count; ++i) {
        for (int a = 0; a < 3; ++a) lo[a][i] = records[i].lo[a], hi[a][i] = records[i].hi[a];
        l->id[i] = records[i].id;
    }
    const uint32_t base = g->base[g->w], span = g->span[g->w], shift = g->shift;
    const uint16_t *top = l->hi[2];
    for (i = 0; i < count; ++i) {
        uint32_t d = top[i] - 1u > base ? top[i] - 1u - base : 0;
        d = (((d < span ? d : span) >> shift) + 1) << shift;
        l->stop[i] = (uint16_t)(d > span ? CM__HIGHEST - 1 : base + d - 1);
    }
    for (i = count; i <= count + CM__CELL_BLOCK; ++i) { /* the last is one more than is read */
        for (int a = 0; a < 3; ++a) l->lo[a][i] = CM__HIGHEST, l->hi[a][i] = 0;
        l->id[i] = 0;
    }
    lanes->count = count;
    lanes->base = base, lanes->span = span, lanes->shift = shift;
}

const cm__kernel KERNEL_TABLE = {kernel_sweep, kernel_cells, kernel_plain, kernel_count, kernel_scatter, kernel_pack};
