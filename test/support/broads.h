/* Every broad phase there is to be tested: the kinds, and those of their options that make another structure; and what
 * counts what a query tells. */
#ifndef TEST_SUPPORT_BROADS_H
#define TEST_SUPPORT_BROADS_H

#include <carom/carom.h>

enum { BROADS_CLIPPED_OCTREE = CM_BROAD_KIND_COUNT, BROADS_CLIPPED_QUADTREE, BROADS };

/* A description with kind and options; below CM_BROAD_KIND_COUNT the number is the kind. */
static inline cm_broad_desc broads_desc(int number) {
    cm_broad_desc desc = {.kind = (cm_broad_kind)number};
    if (number == BROADS_CLIPPED_OCTREE) desc.kind = CM_BROAD_OCTREE, desc.clipped = true;
    if (number == BROADS_CLIPPED_QUADTREE) desc.kind = CM_BROAD_QUADTREE, desc.clipped = true;
    return desc;
}

static inline const char *broads_name(int number) {
    if (number == BROADS_CLIPPED_OCTREE) return "clipped octree";
    if (number == BROADS_CLIPPED_QUADTREE) return "clipped quadtree";
    return cm_broad_kind_text((cm_broad_kind)number);
}

/* Callbacks of queries: how often they are called, in a uint32_t. */
static inline bool count_find(void *context, uint32_t id) {
    (void)id;
    ++*(uint32_t *)context;
    return true;
}
static inline cm_real count_hit(void *context, uint32_t id, cm_real t) {
    (void)id, (void)t;
    ++*(uint32_t *)context;
    return CM_REAL_MAX;
}

#endif
