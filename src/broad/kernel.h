/* The inner loops of the broad phase, one set an instruction set, chosen at run time. */
#ifndef BROAD_KERNEL_H
#define BROAD_KERNEL_H

#include "carom/broad.h"

enum { CM__BLOCK = 16 /* boxes tested at a time, whatever the vector width: tests and order never depend on it */ };

/* Boxes side by side, in ascending order of `key`; behind the last stand CM__BLOCK entries with key CM_NONE.
 * Key and stop are a monotone map of lo and hi along the sorted axis to numbers below CM_NONE, as coarse as one likes:
 * boxes that overlap have key <= stop both ways. A pair whose drop bits have one in common is left out. */
typedef struct cm__lanes {
    cm_real *lo[3], *hi[3];
    uint32_t *key, *stop, *id, *drop;
    uint32_t count;
} cm__lanes;

/* A box on its way into lanes. */
typedef struct cm__record {
    cm_real lo[3], hi[3]; /* x y z */
    uint32_t id, drop;
} cm__record;

/* Boxes to be copied into columns of a grid `width` wide. Cells: those that a box begins and ends in, a byte each: u,
 * u, v, v; CM__NO_CELLS: none. Without ids the index is the id; without flags none is fixed (CM__FIXED of the flags
 * becomes a drop bit). */
typedef struct cm__scatter {
    const cm_aabb *boxes;
    const uint32_t *ids, *cells;
    const uint8_t *flags;
    cm__record *records;
    uint32_t width, fixed_flag;
} cm__scatter;
enum { CM__NO_CELLS = 1 };

/* Where a loop stands, so that it can go on once there is more room. Start with zeros. */
typedef struct cm__cursor {
    uint32_t i, j; /* box i is next, against the boxes from j on; j = 0: it has not begun */
} cm__cursor;

typedef struct cm__kernel {
    const char *name;
    /* Pairs of a box and a later one, in order of the first and then of the second. Stops before box `end`, or with
     * less than CM__BLOCK pairs of room left. Returns the pairs written; cursor->i == end tells that it is done. */
    size_t (*sweep)(const cm__lanes *lanes, uint32_t end, cm__cursor *cursor, cm_broad_pair *out, size_t room,
                    uint64_t *tests);
    /* Lane i becomes record order[i]; key and stop are not touched. */
    /* Copies boxes [first, last) to records[next[column]++] of every column they meet, with drop bit 0 where they began
     * in an earlier column along u, and 1 along v. */
    void (*scatter)(const cm__scatter *scatter, uint32_t first, uint32_t last, uint32_t *next);
    void (*gather)(const cm__record *records, const uint32_t *order, uint32_t count, const cm__lanes *lanes);
} cm__kernel;

/* The fastest set that this CPU runs; the environment variable CAROM_ISA (sse2, avx2, avx512) forces a lesser one. */
const cm__kernel *cm__kernel_get(void);

extern const cm__kernel cm__kernel_base, cm__kernel_avx2, cm__kernel_avx512;

/* Bytes for lanes of `count` boxes, and laying them out in so many at `block`. */
size_t cm__lanes_bytes(size_t count);
void cm__lanes_place(cm__lanes *lanes, void *block, size_t count);
static inline void cm__lanes_set(cm__lanes *l, uint32_t i, const cm_aabb *box, uint32_t key, uint32_t stop, uint32_t id,
                                 uint32_t drop) {
    l->lo[0][i] = box->min.x, l->lo[1][i] = box->min.y, l->lo[2][i] = box->min.z;
    l->hi[0][i] = box->max.x, l->hi[1][i] = box->max.y, l->hi[2][i] = box->max.z;
    l->key[i] = key, l->stop[i] = stop, l->id[i] = id, l->drop[i] = drop;
}
/* Ends the lanes after `count` boxes: writes the entries behind the last. */
void cm__lanes_close(cm__lanes *lanes, uint32_t count);
/* A monotone map of all numbers to [0, 0xfffffffe]: order of keys, never stricter than that of the numbers. */
static inline uint32_t cm__real_key(cm_real x) {
    float f = (float)x + 0.0f; /* rounding is monotone; the sum makes -0 equal to 0 */
    union {
        float f;
        uint32_t u;
    } bits;
    bits.f = f;
    uint32_t key = bits.u >> 31 ? ~bits.u : bits.u | 0x80000000u;
    return key < CM_NONE ? key : CM_NONE - 1;
}

#endif
