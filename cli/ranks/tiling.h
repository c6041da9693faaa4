/* What every rank of a check knows of all parts, how space is cut by it, and which tiles are whose. Every rank comes to
 * the same cuts, as all do the same sums with the same numbers. */
#ifndef CLI_TILING_H
#define CLI_TILING_H

#include "ranks/spread.h"

/* What all ranks know of a part. */
typedef struct part_outline {
    cm_aabb box; /* grown by the margin */
    uint32_t triangles;
    uint32_t sides; /* that it has in any test */
} part_outline;

/* What goes with a part to those that have it. */
typedef struct part_links {
    double deviation;
    uint64_t node, parent, product; /* numbers over all files; 0 = none */
} part_links;

typedef struct pair_list {
    cm_broad_pair *pairs; /* numbers of parts */
    uint32_t count;
    size_t capacity;
} pair_list;

typedef struct tiling {
    const spread *spread;
    const cm_check_desc *desc;
    uint32_t count; /* parts of all */
    int *owner;     /* of each: the rank that read it */
    part_outline *outlines;
    cm_real margin;
    uint8_t *sides;           /* of each test one a part of all, then of each tolerance */
    cm_check_part *own_parts; /* of spread->own */
    part_links *own_links;
    uint32_t *own_numbers;
    uint64_t content;     /* a hash of all parts, in no order; 0 where nothing is kept for a later run */
    cm_check_tile *tiles; /* neighbors in the list are mostly neighbors in space */
    uint32_t tile_count;
    uint32_t *open; /* the tiles that are to be done, ascending */
    uint32_t open_count;
} tiling;

/* A tile that this rank is to do. */
typedef struct tile_work {
    uint32_t tile;
    pair_list near;
    double work; /* counted as pair_cost counts it */
} tile_work;

/* Together: what all know. `hashed`: the contents of parts, too. */
void tiling_share(tiling *t, const spread *s, uint32_t file_count, const cm_check_desc *desc, bool hashed);
void tiling_free(tiling *t);
/* Together: cuts space into tiles, all of them open. Returns the same on all ranks: 0, or an exit code. */
int tiling_cut(tiling *t);
/* Together: divides the open tiles, with their near pairs. `out` is this rank's list; free it with tile_works_free. */
int tiling_divide(const tiling *t, tile_work **out, uint32_t *count);
void tile_works_free(tile_work *list, uint32_t count);

/* Which parts the pairs have: their numbers, ascending. free() it. */
uint32_t *tiling_parts(const tiling *t, const tile_work *list, uint32_t count, uint32_t *part_count);

#endif
