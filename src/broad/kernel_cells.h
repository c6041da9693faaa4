/* Part of kernel.c: boxes in numbers of sixteen bits, one against thirty-two others. */
#ifndef BROAD_KERNEL_CELLS_H
#define BROAD_KERNEL_CELLS_H

#include "broad/kernel_lanes.h"

/* What box i of lanes a is compared with in lanes b, number by number, and its own numbers, in every lane of a vector.
 * With d = hi - lo (0 where that is below 0) for both ways on the three axes, a 0 says apart, all above 1 say
 * overlapping, and a 1 leaves it to the boxes, as the lo are one less. A box that began in an earlier column meets
 * along that axis all that reach here, so the number compared is lo instead: it is 0 where the other began earlier,
 * too. */
typedef struct cells_box {
    const uint16_t *hi_u, *hi_v; /* of b; along w it is always hi, and the lo are always lo */
    u16w lo_u, lo_v, lo_w, hi_u_mine, hi_v_mine, hi_w_mine, drop;
} cells_box;

static inline cells_box cells_box_at(const cm__cell_lanes *a, const cm__cell_lanes *b, uint32_t i, bool drops) {
    const uint16_t u = a->lo[0][i], v = a->lo[1][i];
    const size_t if_u = b->length & (0u - (size_t)(u != 0)), if_v = b->length & (0u - (size_t)(v != 0));
    const cells_box q = {b->lo[0] + if_u,
                         b->lo[1] + if_v,
                         u16w_all(u),
                         u16w_all(v), /* no branch */
                         u16w_all(a->lo[2][i]),
                         u16w_all(a->hi[0][i]),
                         u16w_all(a->hi[1][i]),
                         u16w_all(a->hi[2][i]),
                         u16w_all(drops ? a->drop[i] : 0)};
    return q;
}

static inline u16w cells_axis(const uint16_t *hi, const uint16_t *lo, u16w my_lo, u16w my_hi) {
    return u16w_min(u16w_sub_sat(u16w_load(hi), my_lo), u16w_sub_sat(my_hi, u16w_load(lo)));
}

/* Bit k: box j + k may overlap; *doubt: the numbers do not tell. */
static inline uint32_t cells_mask(const cells_box *q, const cm__cell_lanes *b, uint32_t j, bool drops,
                                  uint32_t *doubt) {
    enum { LANE_COUNT = SIMD_BYTES / sizeof(uint16_t) };
    uint32_t bits = 0, ones = 0;
    for (uint32_t h = 0; h < CM__CELL_BLOCK; h += SIMD_MASKS * LANE_COUNT) {
        m16w off[SIMD_MASKS], one[SIMD_MASKS];
        for (int k = 0; k < SIMD_MASKS; ++k, j += LANE_COUNT) {
            u16w least = u16w_min(cells_axis(q->hi_u + j, b->lo[0] + j, q->lo_u, q->hi_u_mine),
                                  cells_axis(q->hi_v + j, b->lo[1] + j, q->lo_v, q->hi_v_mine));
            least = u16w_min(least, cells_axis(b->hi[2] + j, b->lo[2] + j, q->lo_w, q->hi_w_mine));
            if (drops) least = u16w_where(u16w_apart(u16w_load(b->drop + j), q->drop), least);
            off[k] = u16w_eq(least, u16w_all(0)), one[k] = u16w_eq(least, u16w_all(1));
        }
        bits |= m16w_bits(off) << h;
        ones |= m16w_bits(one) << h;
    }
    *doubt = ones;
    return ~bits;
}

/* What is found is noted first, sixteen boxes a note, then decided where in doubt, then written: each step alone runs
 * without branches that a CPU could not predict. */
typedef struct cells_note {
    uint32_t i, j, bits, unused; /* sixteen bytes are addressed faster than twelve */
} cells_note;
typedef struct cells_doubt {
    uint32_t note, bits;
} cells_doubt;
enum { CELLS_NOTES = 512 };

/* Takes out what the boxes themselves tell apart. */
static void cells_decide(const cm__cell_lanes *a, const cm__cell_lanes *b, cells_note *notes, const cells_doubt *doubts,
                         uint32_t doubt_count, const box_set *boxes) {
    for (uint32_t d = 0; d < doubt_count; ++d) {
        cells_note *note = &notes[doubts[d].note];
        const cm_aabb box = box_set_at(boxes, a->id[note->i] & CM__SLOT_MASK);
        uint32_t out = 0;
        for (uint32_t bits = doubts[d].bits; bits; bits &= bits - 1) {
            uint32_t low = bits & (0u - bits), k = 0;
            while (low >> k != 1) ++k;
            const cm_aabb other = box_set_at(boxes, b->id[note->j + k] & CM__SLOT_MASK);
            if (!cm_aabb_overlaps(&box, &other)) out |= low;
        }
        note->bits &= ~out;
    }
}

/* The least lo along w that may follow: of i's key, or of the next. */
static inline uint32_t cells_start(const cm__cell_lanes *a, uint32_t i, cm__cell_mode mode) {
    uint32_t lo = a->lo[2][i], d = lo > a->base ? lo - a->base : 0;
    uint32_t key = ((d < a->span ? d : a->span) >> a->shift) + (mode == CM__CELLS_BEYOND);
    if (key > a->span >> a->shift) return CM__HIGHEST;
    return key ? a->base + (key << a->shift) : 0;
}

KERNEL_INLINE size_t cells_sweep(const cm__cell_lanes *lanes_a, const cm__cell_lanes *lanes_b, const cm__cell_mode mode,
                                 const bool drops, const box_set *boxes, cm__cursor *cursor, cm_broad_pair *out,
                                 size_t room, uint64_t *tests) {
    const cm__cell_lanes copy_a = *lanes_a, copy_b = *lanes_b, *a = &copy_a, *b = &copy_b;
    const uint16_t *const their_lo = b->lo[2], *const my_stop = a->stop;
    const uint32_t end = a->count, their_end = b->count;
    uint32_t i = cursor->i, resumed = cursor->j, from = cursor->from;
    size_t found = 0;
    uint64_t tested = 0;
    cells_note notes[CELLS_NOTES];
    cells_doubt doubts[CELLS_NOTES];
    while (i < end && room - found >= CM__CELL_BLOCK) {
        const uint32_t most = room - found < 32 * CELLS_NOTES ? (uint32_t)((room - found) / 32) - 1 : CELLS_NOTES - 1;
        uint32_t n = 0, m = 0;
        for (; i < end; ++i) {
            const uint32_t stop = my_stop[i];
            uint32_t j = i + 1;
            if (mode != CM__CELLS_SELF) {
                const uint32_t start = cells_start(a, i, mode);
                while (from < their_end && their_lo[from] < start) ++from;
                j = from;
            }
            if (resumed) j = resumed - 1, resumed = 0;
            if (their_lo[j] > stop) continue; /* also behind the last */
            const cells_box q = cells_box_at(a, b, i, drops);
            const uint32_t first = j;
            do {
                uint32_t doubt, bits = cells_mask(&q, b, j, drops, &doubt);
                if (n > most) {
                    resumed = j + 1;
                    tested += kernel_tested(first, j, their_end);
                    goto full;
                }
                notes[n].i = i, notes[n].j = j, notes[n].bits = bits;
                if (doubt) doubts[m].note = n, doubts[m++].bits = doubt;
                n += bits != 0;
                j += CM__CELL_BLOCK;
            } while (their_lo[j] <= stop);
            tested += kernel_tested(first, j, their_end);
        }
    full:
        cells_decide(a, b, notes, doubts, m, boxes);
        for (uint32_t k = 0; k < n; ++k) {
            const uint32_t *theirs = b->id + notes[k].j, mine = a->id[notes[k].i], bits = notes[k].bits;
            found += kernel_put(theirs, mine, bits & 0xffff, out + found);
            if (bits >> 16) found += kernel_put(theirs + 16, mine, bits >> 16, out + found);
        }
    }
    cursor->i = i, cursor->j = resumed, cursor->from = from;
    *tests += tested;
    return found;
}

static size_t kernel_cells(const cm__cell_lanes *a, const cm__cell_lanes *b, cm__cell_mode mode, const box_set *boxes,
                           cm__cursor *cursor, cm_broad_pair *out, size_t room, uint64_t *tests) {
    if (mode == CM__CELLS_FROM) return cells_sweep(a, b, CM__CELLS_FROM, false, boxes, cursor, out, room, tests);
    if (mode == CM__CELLS_BEYOND) return cells_sweep(a, b, CM__CELLS_BEYOND, false, boxes, cursor, out, room, tests);
    if (a->drop) return cells_sweep(a, b, CM__CELLS_SELF, true, boxes, cursor, out, room, tests);
    return cells_sweep(a, b, CM__CELLS_SELF, false, boxes, cursor, out, room, tests);
}

#endif
