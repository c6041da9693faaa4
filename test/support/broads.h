/* Every broad phase there is to be tested: the kinds, and those of their options that make another structure. */
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

#endif
