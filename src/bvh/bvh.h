/* A bounding volume hierarchy over boxes, for meshes, compounds and other callers that ask which of many boxes a query
 * touches.
 *
 * Four children a node, their boxes side by side, so that one vector comparison tests them all. Nodes lie in one array,
 * children after their parent, no pointers. Boxes are kept as single floats in both precisions, in the tree's own
 * units:
 *
 *     tree coordinate = (x - origin) * scale,   origin: where most boxes are,   scale: a power of two, |coordinate| <=
 * 1
 *
 * so that the culling arithmetic neither overflows nor loses digits to a far origin. Every box is rounded outwards and
 * grows by CM__BVH_GROWTH of its own coordinates, and every query below by as much of its own, which covers all
 * rounding of the walks: a query may offer an item that does not qualify, but never omits one that does. The caller
 * decides exactly, on the items that are offered. As all that is relative to the distance from the origin, a few boxes
 * far from all others, which fix the scale, cost the others nothing.
 *
 * Queries are iterators: start, then next until it says no. They keep their stack in themselves (its bound is proven:
 * a node pushes at most 4 and was popped itself, and no tree is deeper than CM__BVH_DEPTH), allocate nothing, and offer
 * items in an order that depends on nothing but the input.
 *
 * Based on: [Wald07] binned surface area heuristic; [Wald08] wide nodes; [Gottschalk96] 15 axes of two boxes. */
#ifndef BVH_BVH_H
#define BVH_BVH_H

#include "carom/math.h"

#include <string.h>

#define CM__BVH_GROWTH 0x1p-20f /* several times what four roundings of 2^-24 can lose */
#define CM__BVH_STILL  0x1p-57f /* tree units: a component below 1e-18 of a direction moves less within the tree */

#define CM__BVH_DEPTH 36                      /* levels, proven in build.c */
#define CM__BVH_STACK (3 * CM__BVH_DEPTH + 4) /* entries that a depth-first walk can need */

/* A side of a query's box, in tree units, moved out. */
CM_INLINE float cm__bvh_low_side(double x) { return (float)(x - (x < 0 ? -x : x) * (double)CM__BVH_GROWTH); }
CM_INLINE float cm__bvh_high_side(double x) { return -cm__bvh_low_side(-x); }

/* A slot is node * 4 + lane; slot 0 is the whole tree (node 0 holds nothing else). */
typedef struct cm__bvh_node {
    float center[3][4], half[3][4]; /* an empty slot has half = -1e18: no test ever accepts it */
    uint32_t child[4];              /* inner: a node; leaf: its first position in `items` */
    uint32_t count[4];              /* inner: 0; leaf: how many items */
} cm__bvh_node;

typedef struct cm__bvh {
    double origin[3], scale;
    const cm__bvh_node *nodes;
    const uint32_t *items; /* leaves refer to positions in here; it holds the numbers of the boxes given to build */
    uint32_t node_count, item_count;
    size_t node_room; /* of the block of nodes, where cm__bvh_build made it */
} cm__bvh;

/* Positions [first, first + count) in `items`. */
typedef struct cm__bvh_leaf {
    uint32_t first, count;
} cm__bvh_leaf;

/* --- build --------------------------------------------------------------------------------------------------- */

/* Builds a tree over `count` boxes, each valid (min <= max, finite, within CM_COORD_MAX), at most 2^30.
 * @param leaf  how many items a leaf holds at most, 1 to 8.
 * `out->nodes` and `out->items` are then owned by the caller: cm__bvh_free, or copy them and point there.
 * @return CM_OK, CM_NO_MEMORY. Cost: O(n log n). */
cm_status cm__bvh_build(const cm_aabb *boxes, uint32_t count, uint32_t leaf, const cm_allocator *mem, cm__bvh *out);

/* Where a caller with memory to spare lets a tree be built; nothing overlaps, but `boxes` and `keys` may lie within
 * `nodes`. */
typedef struct cm__bvh_space {
    void *items;           /* count * CM__BVH_ITEM bytes */
    uint64_t *keys;        /* 2 count */
    cm__bvh_node *nodes;   /* cm__bvh_node_room(count, leaf) */
    uint32_t *numbers;     /* count */
    const cm_aabb *bounds; /* of all boxes; NULL: to be found */
} cm__bvh_space;

#define CM__BVH_ITEM 32

/* The most nodes that a tree can need on its way. */
size_t cm__bvh_node_room(uint32_t count, uint32_t leaf);
/* The same, with the result in `space->nodes` and `space->numbers`, where it stays the caller's. Little memory is taken
 * from `mem`, and given back. `tasks`: NULL = serial; the tree does not depend on it. */
cm_status cm__bvh_build_in(const cm__bvh_space *space, const cm_aabb *boxes, uint32_t count, uint32_t leaf,
                           const cm_allocator *mem, const cm_tasks *tasks, cm__bvh *out);
void cm__bvh_free(cm__bvh *tree, const cm_allocator *mem);

/* Nodes of leaves that hold at most `leaf` items, 1 to 8, become leaves themselves, and the others move up: a tree of
 * fewer nodes, whose leaves are separated as well as those it was grown with.
 * @param scratch a number a node. Cost: O(n). */
void cm__bvh_merge_leaves(cm__bvh_node *nodes, uint32_t leaf, uint32_t *scratch, cm__bvh *tree);

/* Fits the nodes of a tree, and its units, to boxes that have changed: which child holds which items stays. Moved to
 * the boxes it was built over, it is the same bytes.
 * @param bounds  of all boxes.
 * @param scratch 6 numbers a node. Cost: O(n). */
void cm__bvh_refit(const cm_aabb *bounds, const cm_aabb *boxes, float *scratch, cm__bvh_node *nodes, cm__bvh *tree);

/* --- what touches a box -------------------------------------------------------------------------------------- */

typedef struct cm__bvh_box_query {
    const cm__bvh *tree;
    float low[3], high[3];
    int top;
    uint32_t stack[CM__BVH_STACK];
} cm__bvh_box_query;

/* Leaves that touch `box`, which may have infinite (±CM_REAL_MAX) sides; an empty box touches nothing. */
void cm__bvh_box_start(cm__bvh_box_query *q, const cm__bvh *tree, const cm_aabb *box);
bool cm__bvh_box_next(cm__bvh_box_query *q, cm__bvh_leaf *out);

/* --- what is near a point ------------------------------------------------------------------------------------ */

typedef struct cm__bvh_near_query {
    const cm__bvh *tree;
    float point[3], margin[3];
    int top;
    uint64_t stack[CM__BVH_STACK]; /* high half: the bits of the gap squared, tree units; low half: ~slot */
} cm__bvh_near_query;

/* Leaves whose box is no farther from `point` than `bound`, roughly the nearest first. Shrink `bound` as items are
 * found; CM_REAL_MAX is no bound. */
void cm__bvh_near_start(cm__bvh_near_query *q, const cm__bvh *tree, cm_vec3 point);
bool cm__bvh_near_next(cm__bvh_near_query *q, cm_real bound, cm__bvh_leaf *out);

/* --- what a ray meets ---------------------------------------------------------------------------------------- */

/* A ray in the tree's units, beginning where it comes near the tree. */
typedef struct cm__bvh_ray_line {
    float origin[3], inverse[3], margin;
    double skipped, rate; /* t = skipped + (parameter of the walk) / rate; rate 0: all of the ray at once */
} cm__bvh_ray_line;

typedef struct cm__bvh_ray_query {
    const cm__bvh *tree;
    cm__bvh_ray_line line;
    /* What the caller reads of the items of a leaf, in the order of the leaves, to be loaded ahead; may be set after
     * the start. */
    const char *items;
    size_t item_size;
    int top;
    uint64_t stack[CM__BVH_STACK]; /* high half: the bits of the float at which the ray enters; low half: the slot */
} cm__bvh_ray_query;

/* Leaves whose box, grown by `error` (in the caller's length units), is met by origin + t direction for some t in
 * [0, bound], roughly the nearest first. Shrink `bound` as hits are found. A zero direction meets what holds the
 * origin. */
void cm__bvh_ray_start(cm__bvh_ray_query *q, const cm__bvh *tree, cm_vec3 origin, cm_vec3 direction, cm_real error);
bool cm__bvh_ray_next(cm__bvh_ray_query *q, cm_real bound, cm__bvh_leaf *out);

/* For other walks of rays. False: the ray meets nothing. `error` as above. */
bool cm__bvh_ray_line_of(const double tree_origin[3], double tree_scale, cm_vec3 origin, cm_vec3 direction,
                         cm_real error, cm__bvh_ray_line *out);
/* A bound on t as one on the parameter of the walk, rounded up; below 0: nothing is left. */
CM_INLINE float cm__bvh_ray_limit(const cm__bvh_ray_line *line, cm_real bound) {
    if (!(bound >= 0)) return -1;
    if (!(line->rate > 0)) return 1e30f;
    double reach = ((double)bound - line->skipped) * line->rate;
    return reach < 1e29 ? (float)(reach + fabs(reach) * 1e-6) + 2 * line->margin : 1e30f;
}
/* A parameter that is not negative, with what it belongs to: ordered as numbers, the nearer the smaller. */
CM_INLINE uint64_t cm__bvh_key(float enter, uint32_t what) {
    uint32_t bits;
    memcpy(&bits, &enter, sizeof bits);
    return (uint64_t)bits << 32 | what;
}
CM_INLINE float cm__bvh_key_value(uint64_t key) {
    uint32_t bits = (uint32_t)(key >> 32);
    float enter;
    memcpy(&enter, &bits, sizeof enter);
    return enter;
}

/* --- two trees under a relative pose ------------------------------------------------------------------------- */

/* How boxes of one tree look in the units of another: x = m y + t (rows). */
typedef struct cm__bvh_link {
    double m[3][3], m_abs[3][3], t[3];
    double unit;         /* the other's unit of length in this tree's */
    double margin;       /* what the caller grows by, and rounding but for that of the posed points' size: */
    double posed_origin; /* the origin's largest |coordinate| of the tree that is posed, */
    bool other_posed;    /* which is the other */
    float axis[3][3], axis_abs[3][3]; /* axis[j]: where the other's axis j points, unit; absolute, with an allowance */
} cm__bvh_link;

/* How B lies in A's frame: p = rotation * local + position, of which each point is off by cm__place_error at most. */
typedef struct cm__bvh_placing {
    cm_mat3 rotation;
    cm_vec3 position;
} cm__bvh_placing;

#define CM__BVH_HEAP 192 /* pairs kept in order of their distance */

typedef struct cm__bvh_pair_entry {
    uint32_t a, b;
    float gap; /* how far apart, at least; nearest pairs: in A's units, negative where they overlap: minus the depth */
} cm__bvh_pair_entry;

typedef struct cm__bvh_pair_query {
    const cm__bvh *a, *b;
    cm__bvh_link to_a, to_b;
    double b_in_a; /* length of B's unit in A's */
    int top, heap;
    /* May be set after cm__bvh_pair_start. Called before a pair is offered; a pair that it says to be apart is
     * skipped. */
    bool (*apart)(void *user, const cm__bvh_leaf *of_a, const cm__bvh_leaf *of_b);
    void *user;
    cm__bvh_pair_entry stack[CM__BVH_HEAP + 2 * CM__BVH_STACK];
} cm__bvh_pair_query;

/* Pairs of leaves that may touch: all of those that do are offered. `grow` >= 0 widens every test by that length: then
 * all pairs at most `grow` apart are offered. Depth-first, the deeper of two pairs of boxes before the other. */
void cm__bvh_pair_start(cm__bvh_pair_query *q, const cm__bvh *a, const cm__bvh *b, const cm__bvh_placing *b_in_a,
                        cm_real grow);
bool cm__bvh_pair_next(cm__bvh_pair_query *q, cm__bvh_leaf *leaf_a, cm__bvh_leaf *leaf_b);

/* Pairs of leaves whose boxes are at most `bound` apart, the nearest first as long as few are waiting; shrink `bound`
 * as pairs are measured. Start with cm__bvh_pair_near_start. */
void cm__bvh_pair_near_start(cm__bvh_pair_query *q, const cm__bvh *a, const cm__bvh *b, const cm__bvh_placing *b_in_a);
bool cm__bvh_pair_near_next(cm__bvh_pair_query *q, cm_real bound, cm__bvh_leaf *leaf_a, cm__bvh_leaf *leaf_b);

#endif
