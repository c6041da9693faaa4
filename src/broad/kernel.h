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

/* A grid of columns over two axes, and the numbers of sixteen bits that stand for coordinates in it.
 *
 * A coordinate becomes q = (x - origin) * scale, cut to [2, 65535]: a monotone map, so that q(a) < q(b) proves a < b
 * and only equal numbers need a look at the boxes. The cell of q is min(q - base, span) * factor / 65536. Its key along
 * w, by which columns are sorted, is min(q - base, span) >> shift. Differences below 0 are 0. */
typedef struct cm__column_grid {
    cm_real origin[3], scale[3];          /* by axis x y z, as all here */
    uint16_t base[3], span[3], factor[3]; /* factor: of u and v, else 0 */
    int u, v, w;                          /* w is the axis sorted along */
    int cells[2];                         /* along u and v, 64 at most */
    uint32_t shift, keys;
    uint32_t columns;
} cm__column_grid;

enum { CM__LOWEST = 2, CM__HIGHEST = 65535 };

/* Monotone, the same for every instruction set. */
static inline uint32_t cm__grid_number(const cm__column_grid *g, int axis, cm_real x) {
    cm_real at = (x - g->origin[axis]) * g->scale[axis];
    at = at > (cm_real)CM__LOWEST ? at : (cm_real)CM__LOWEST;
    at = at < (cm_real)CM__HIGHEST ? at : (cm_real)CM__HIGHEST;
    return (uint32_t)(int32_t)at;
}
static inline uint32_t cm__grid_inner(const cm__column_grid *g, int axis, uint32_t q) {
    uint32_t d = q > g->base[axis] ? q - g->base[axis] : 0;
    return d < g->span[axis] ? d : g->span[axis];
}
static inline uint32_t cm__grid_cell(const cm__column_grid *g, int axis, uint32_t q) {
    return cm__grid_inner(g, axis, q) * g->factor[axis] >> 16;
}

/* A box in a column, in numbers of the grid: lo is q - 1, so that touching boxes differ by one at least, and 0 along u
 * or v where the box began in an earlier column: of two such boxes the pair counts elsewhere. */
typedef struct cm__record {
    uint16_t lo[3], hi[3]; /* x y z */
    uint32_t id;
} cm__record;

/* Records side by side, in ascending order of their keys; u v w. Behind the last stand CM__CELL_BLOCK + 1 entries that
 * overlap nothing. A pair whose drop bits have one in common is left out. */
typedef struct cm__cell_lanes {
    uint16_t *lo[3], *hi[3]; /* hi[k] is lo[k] + length */
    size_t length;
    uint16_t *stop; /* the last lo along w that a box with this key may overlap */
    uint16_t *drop; /* NULL: none */
    uint32_t *id;
    uint32_t count;
    uint32_t base, span, shift; /* of the keys */
} cm__cell_lanes;
enum { CM__CELL_BLOCK = 32 };

/* Copies are written in blocks of so many boxes, which begin at multiples of it: their order within a column depends on
 * nothing else. */
enum { CM__SCATTER_BLOCK = 64 };

/* Both places of an object side by side, in one cache line (in float), so that they alone decide most pairs: the sides
 * of now, then those of before. The box of what is or was nowhere is empty and overlaps nothing. The fourth sides
 * overlap, unless an object is strange: boxes alone do not tell, as it has a filter or is not static as it was. */
typedef struct cm__change_place {
    cm_real lo[8], hi[8];
} cm__change_place;

/* Boxes: where objects are or, with `past`, those around where they are and were. */
typedef struct box_set {
    const cm_aabb *now, *past;
} box_set;

static inline cm_aabb box_set_at(const box_set *boxes, uint32_t i) {
    return boxes->past ? cm_aabb_union(boxes->now[i], boxes->past[i]) : boxes->now[i];
}

/* Boxes to be counted or copied, those with (flags & mask) == want; without flags all. Without ids the index is it. */
typedef struct cm__scatter {
    const cm__column_grid *grid;
    box_set boxes;
    cm__change_place *places; /* written on the way where the boxes have a past; all are plain then */
    const uint32_t *ids;
    const uint8_t *flags;
    uint8_t mask, want;
    cm__record *records;
    uint32_t *next;      /* by column: where its next record goes … */
    const uint32_t *end; /* … and where its room ends */
} cm__scatter;

/* Where a loop stands, so that it can go on once there is more room. Start with zeros. */
typedef struct cm__cursor {
    uint32_t i, j; /* box i is next, against the boxes from j on; j = 0: it has not begun */
    uint32_t from; /* two sets: the first of the other that i meets; j is one more there than the box it means */
} cm__cursor;

typedef enum cm__cell_mode {
    CM__CELLS_SELF,  /* a box and a later one of the same lanes */
    CM__CELLS_FROM,  /* a box of a and one of b whose key is no less */
    CM__CELLS_BEYOND /* … greater */
} cm__cell_mode;

typedef enum cm__change_when { CM__CHANGE_NOW, CM__CHANGE_PAST, CM__CHANGE_BOTH } cm__change_when;

/* The objects among which changes are looked for. */
typedef struct cm__change_set {
    const uint32_t *slots; /* NULL: all, by slot */
    uint32_t count;
    uint32_t still, strange; /* how many are static or nowhere at the times that are looked at; are strange */
    cm__change_place *places;
    cm_aabb *boxes; /* around the times that are looked at; not where all are plain */
    uint8_t *flags; /* CM__LIVE and CM__FIXED of these boxes; the same */
    bool plain;     /* whatever lives is marked, bounded, moving and without a filter, now and before */
} cm__change_set;

/* Pairs that began and ended, and which of those looked at boxes alone do not tell. Room for CM__CHANGE_BATCH each. */
typedef struct cm__changed {
    cm_broad_pair *began, *ended;
    uint32_t *left;
    uint32_t came, went, left_count;
} cm__changed;
enum { CM__CHANGE_BATCH = 128 };

typedef struct cm__kernel {
    /* Pairs of a box and a later one, in order of the first and then of the second. Stops before box `end`, or with
     * less than CM__BLOCK pairs of room left. Returns the pairs written; cursor->i == end tells that it is done. */
    size_t (*sweep)(const cm__lanes *lanes, uint32_t end, cm__cursor *cursor, cm_broad_pair *out, size_t room,
                    uint64_t *tests);
    /* The same for numbers, of one or two lanes of one grid; done at cursor->i == a->count. What the numbers do not
     * decide, the boxes at id & CM__SLOT_MASK do. */
    size_t (*cells)(const cm__cell_lanes *a, const cm__cell_lanes *b, cm__cell_mode mode, const box_set *boxes,
                    cm__cursor *cursor, cm_broad_pair *out, size_t room, uint64_t *tests);
    /* Are all boxes bounded and in order? (box_is_plain) */
    bool (*plain)(const cm_aabb *boxes, size_t stride, uint32_t count);
    /* Adds the copies of boxes [first, last) to next[column]. */
    void (*count)(const cm__scatter *scatter, uint32_t first, uint32_t last);
    /* Copies them to records[next[column]++] of every column they meet. False: a column had no room. */
    bool (*scatter)(const cm__scatter *scatter, uint32_t first, uint32_t last);
    /* Lane i becomes record i, and the entries behind the last are written; not drop. */
    void (*pack)(const cm__column_grid *grid, const cm__record *records, uint32_t count, cm__cell_lanes *lanes);
    /* Places, boxes and flags of the set, and its counts. */
    void (*places)(const struct cm_broad *b, cm__change_set *set, cm__change_when when);
    /* Sorts out `count` pairs, a batch at most; `behind` more may be read. Pairs are numbers of places in the low bits,
     * where all is plain in all bits. */
    void (*changes)(const cm__change_set *set, const cm_broad_pair *pairs, size_t count, size_t behind,
                    cm__changed *out);
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
/* The same for lanes of numbers; `block` is a multiple of 64. */
size_t cm__cell_lanes_bytes(size_t count, bool with_drop);
void cm__cell_lanes_place(cm__cell_lanes *lanes, void *block, size_t count, bool with_drop);
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
