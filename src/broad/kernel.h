/* The inner loops of the broad phase, one set an instruction set, chosen at run time. */
#ifndef BROAD_KERNEL_H
#define BROAD_KERNEL_H

#include "carom/broad.h"

enum { CM__BLOCK = 16 /* boxes tested at a time, whatever the vector width: tests and order never depend on it */ };

/* Boxes side by side, sorted by lo[0] for cm__kernel.sweep; behind the last stand CM__BLOCK entries whose lo[0] is
 * CM_REAL_MAX. A pair whose drop bits have one in common is left out. */
typedef struct cm__lanes {
    cm_real *lo[3], *hi[3];
    uint32_t *id, *drop;
    uint32_t count;
} cm__lanes;

/* Where a loop stands, so that it can go on once there is more room. */
typedef struct cm__cursor {
    uint32_t i, j; /* next block: box i against the boxes from j; j = 0: box i has not begun */
} cm__cursor;

typedef struct cm__kernel {
    const char *name;
    /* Pairs of a box and a later one, in order of the first and then of the second; stops before box `end`, or with less
     * than CM__BLOCK pairs of room left. Returns the pairs written; cursor->i == end tells that it is done. */
    size_t (*sweep)(const cm__lanes *lanes, uint32_t end, cm__cursor *cursor, cm_broad_pair *out, size_t room,
                    uint64_t *tests);
    /* The same where lanes are not sorted: all six sides are compared. */
    size_t (*brute)(const cm__lanes *lanes, uint32_t end, cm__cursor *cursor, cm_broad_pair *out, size_t room,
                    uint64_t *tests);
    /* Pairs of each box of `a` in [cursor->i, end) with those boxes of `b` whose lo[0] lies within its x interval:
     * >= its lo[0], or > where `after`, and <= its hi[0]. Both sorted; cursor->start moves along b. */
    size_t (*merge)(const cm__lanes *a, const cm__lanes *b, bool after, uint32_t end, cm__cursor *cursor,
                    uint32_t *start, cm_broad_pair *out, size_t room, uint64_t *tests);
} cm__kernel;

/* The fastest set that this CPU runs; the environment variable CAROM_ISA (sse2, avx2, avx512) forces a lesser one. */
const cm__kernel *cm__kernel_get(void);

extern const cm__kernel cm__kernel_base, cm__kernel_avx2, cm__kernel_avx512;

#endif
