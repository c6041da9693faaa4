/* Parts that a rank has for its tiles: those that it has read, and those that others have sent. */
#ifndef CLI_HALO_H
#define CLI_HALO_H

#include "ranks/tiling.h"

typedef struct part_here {
    uint32_t number; /* in the whole check */
    cm_pose pose;
    part_links links;
    double rounding;
    cm_mesh *mesh;
} part_here;

typedef struct halo {
    part_here *parts; /* by their numbers, ascending */
    uint32_t count;
    size_t capacity;
    cm_mesh **sent; /* the meshes that came from others, and are the halo's */
    uint32_t sent_count;
    size_t sent_capacity;
} halo;

/* Together: the parts that the pairs of these tiles have. */
void halo_fetch(const tiling *t, const tile_work *list, uint32_t count, halo *out);
/* Parts of the halo, all of which it has, for another rank; each of their meshes once. */
void halo_put(const halo *h, const uint32_t *numbers, uint32_t count, block *out);
/* Adds what another has put. */
void halo_take(halo *h, block *b);
/* The part of that number, which the halo has. */
const part_here *halo_find(const halo *h, uint32_t number);
void halo_free(halo *h);

#endif
