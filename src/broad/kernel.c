/* The inner loops of the broad phase. Comparisons only, so every instruction set gives the same pairs in the same
 * order.
 *
 * This file is compiled once per instruction set, and it is the only one to include the four parts. The tests are
 * plain comparisons, but no compiler turns them into a bit mask by itself, and the mask is what the loops live on:
 * hence the vectors.
 */
#include "broad/kernel_cells.h"
#include "broad/kernel_changes.h"
#include "broad/kernel_lanes.h"
#include "broad/kernel_scatter.h"

/* --- records into lanes --------------------------------------------------------------------------------------- */

static void kernel_pack(const cm__column_grid *g, const cm__record *records, uint32_t count, cm__cell_lanes *lanes) {
    const cm__cell_lanes copy = *lanes, *l = &copy;
    uint16_t *lo[3], *hi[3];
    const int axes[3] = {g->u, g->v, g->w};
    for (int k = 0; k < 3; ++k) lo[axes[k]] = l->lo[k], hi[axes[k]] = l->hi[k];
    uint16_t *const words[6] = {lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]}; /* as in a record */
    uint32_t i = 0;
    for (; i + 8 <= count; i += 8) {
        u32x4 a[4], b[4];
        for (uint32_t k = 0; k < 4; ++k) memcpy(&a[k], &records[i + k], sizeof a[k]);
        for (uint32_t k = 0; k < 4; ++k) memcpy(&b[k], &records[i + 4 + k], sizeof b[k]);
        u32x4_transpose(a), u32x4_transpose(b);
        for (int k = 0; k < 3; ++k) {
            const u16x8 first = u16x8_bits_of_u32x4(a[k]), last = u16x8_bits_of_u32x4(b[k]);
            u16x8_store(words[2 * k] + i, u16x8_evens(first, last));
            u16x8_store(words[2 * k + 1] + i, u16x8_odds(first, last));
        }
        u32x4_store(l->id + i, a[3]), u32x4_store(l->id + i + 4, b[3]);
    }
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

const cm__kernel KERNEL_TABLE = {kernel_sweep,   kernel_cells, kernel_plain,  kernel_count,
                                 kernel_scatter, kernel_pack,  kernel_places, kernel_changes};
