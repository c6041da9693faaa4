/* The parts of a composite, one after the other, as a query asks for them.
 *
 * All in the composite's own frame. A query offers every part that it is asked for and perhaps some that it is not: it
 * leaves out by boxes, the exact decision is the caller's. It allocates nothing, keeps its state in itself, and its
 * order depends on nothing but the input. Two queries of one composite may run at the same time. */
#ifndef SHAPE_PARTS_H
#define SHAPE_PARTS_H

#include "bvh/near_box.h"
#include "carom/shape.h"
#include "math/point.h"
#include "mesh/height_field.h"

typedef struct cm__part {
    cm_shape shape; /* a triangle without radius (meshes, height fields), or a child of a compound: anything else */
    cm_pose pose;   /* in the composite's frame; the identity, exactly, where `identity` */
    bool identity;
    uint32_t number; /* triangle or child: what answers tell */
} cm__part;

/* Where a query stands. Composites over a tree (meshes, compounds) use the first three; another kind adds its own. */
typedef struct cm__parts {
    const cm_shape *shape;
    union {
        cm__bvh_box_near_query walk;
        cm__field_walk field; /* of height fields */
    };
    uint32_t at, end; /* what is left of the last leaf */
    cm_aabb box;      /* of the query */
    cm_vec3 move;     /* of a cast */
} cm__parts;

/* How the triangles of a composite are joined. Edge e of triangle t, from its corner e to its corner (e + 1) % 3, is
 * half-edge 3 t + e. */
typedef struct cm__surface_ops {
    /* The half-edge of the one neighbor across a half-edge, which runs through that edge the other way, and the
     * neighbor's third corner. CM_NONE at an open edge, one of more than two triangles, or one that two triangles run
     * through in the same direction. */
    uint32_t (*across)(const cm_shape *shape, uint32_t half_edge, cm_vec3 *third);
    bool (*solid)(const cm_shape *shape); /* only the front of a triangle is outside */
} cm__surface_ops;

/* The tree of a composite's parts, for walks that hold nodes of two of them at a time. A node is a number of the
 * composite's own; those with CM__TREE_PART set are parts. All boxes are in the composite's frame. */
#define CM__TREE_PART (UINT64_C(1) << 63)
#define CM__TREE_FAN  8 /* a node holds at most that many */

typedef struct cm__tree_ops {
    uint32_t (*root)(const cm_shape *shape, uint64_t *out); /* how many parts there are under it; 0: no root */
    int (*open)(const cm_shape *shape, uint64_t node, uint64_t out[CM__TREE_FAN]);
    void (*box)(const cm_shape *shape, uint64_t node, cm__point *center, cm__point *half);
    void (*part)(const cm_shape *shape, uint64_t node, cm__part *out);
} cm__tree_ops;

typedef struct cm__parts_ops {
    /* A box around everything, in constant time; empty where there are no parts. */
    void (*box)(const cm_shape *shape, cm_aabb *out);
    /* Parts whose box is no farther from `box` than `bound`, roughly the nearest first; 0 offers what touches. Shrink
     * `bound` (>= 0) from call to call; CM_REAL_MAX is no bound. Sides of the box may be infinite (±CM_REAL_MAX); to an
     * empty box nothing is near. */
    void (*start)(cm__parts *q, const cm_shape *shape, const cm_aabb *box);
    bool (*next)(cm__parts *q, cm_real bound, cm__part *out);
    /* Parts whose box is touched by box + t move for some t in [0, limit], limit <= 1, roughly the first to be met
     * first. Shrink `limit` from call to call. */
    void (*cast_start)(cm__parts *q, const cm_shape *shape, const cm_aabb *box, cm_vec3 move);
    bool (*cast_next)(cm__parts *q, cm_real limit, cm__part *out);
    const cm__surface_ops *surface; /* NULL where the parts are no triangles */
    /* Is the point within, or on, what the composite, placed at `pose` in the point's frame, encloses? Exact for the
     * posed points. NULL where it encloses nothing but its parts, as all but meshes do. */
    bool (*holds)(const cm_shape *shape, const cm_pose *pose, cm_vec3 point);
    bool children; /* parts are any shapes, few; else triangles, many */
    cm__tree_ops tree;
} cm__parts_ops;

/* Nodes and parts of a tree of boxes: a node is a slot (bvh.h), a part its position in the tree's order. */
static inline int tree_open(const cm__bvh *tree, uint64_t slot, uint64_t out[CM__TREE_FAN]) {
    const cm__bvh_node *n = &tree->nodes[slot / 4];
    const uint32_t child = n->child[slot % 4], items = n->count[slot % 4];
    int count = 0;
    for (uint32_t i = 0; i < items; ++i) out[count++] = CM__TREE_PART | (child + i);
    if (items > 0) return count;
    for (uint32_t i = 0; i < 4; ++i)
        if (!(tree->nodes[child].half[0][i] < 0)) out[count++] = 4 * (uint64_t)child + i;
    return count;
}
static inline void tree_box(const cm__bvh *tree, uint64_t slot, cm__point *center, cm__point *half) {
    const cm__bvh_node *n = &tree->nodes[slot / 4];
    const uint64_t i = slot % 4;
    const double unit = 1 / tree->scale; /* a power of two */
    *center = cm__p(tree->origin[0] + (double)n->center[0][i] * unit, tree->origin[1] + (double)n->center[1][i] * unit,
                    tree->origin[2] + (double)n->center[2][i] * unit);
    *half = cm__p((double)n->half[0][i] * unit, (double)n->half[1][i] * unit, (double)n->half[2][i] * unit);
}
/* The box from one corner to another. */
static inline void tree_box_of(cm_vec3 low, cm_vec3 high, cm__point *center, cm__point *half) {
    const cm__point l = cm__point_of(low), h = cm__point_of(high);
    *center = cm__p((l.x + h.x) / 2, (l.y + h.y) / 2, (l.z + h.z) / 2);
    *half = cm__p((h.x - l.x) / 2, (h.y - l.y) / 2, (h.z - l.z) / 2);
}
static inline void tree_box_of_face(const cm_vec3 c[3], cm__point *center, cm__point *half) {
    tree_box_of(cm_vec3_min(c[0], cm_vec3_min(c[1], c[2])), cm_vec3_max(c[0], cm_vec3_max(c[1], c[2])), center, half);
}

/* How far the box of a triangle lies from `box` along the axis that parts them most; <= 0 where they touch. */
static inline cm_real parts_apart(const cm_vec3 c[3], const cm_aabb *box) {
    cm_vec3 low = cm_vec3_min(c[0], cm_vec3_min(c[1], c[2])), high = cm_vec3_max(c[0], cm_vec3_max(c[1], c[2]));
    cm_real x = cm_max(box->min.x - high.x, low.x - box->max.x), y = cm_max(box->min.y - high.y, low.y - box->max.y);
    cm_real z = cm_max(box->min.z - high.z, low.z - box->max.z);
    return cm_max(x, cm_max(y, z));
}
/* Is the box of a triangle no farther than `bound` from `box`? Never a wrong no. */
static inline bool parts_near(const cm_vec3 c[3], const cm_aabb *box, cm_real bound) {
    return !(parts_apart(c, box) > bound * (1 + 4 * CM_REAL_EPSILON));
}
/* Is it touched by box + t move for some t in [0, limit]? Never a wrong no: by the swept box only. */
static inline bool parts_met(const cm_vec3 c[3], const cm_aabb *box, cm_vec3 move, cm_real limit) {
    cm_real wide = limit * (1 + 8 * CM_REAL_EPSILON);
    cm_vec3 low = cm_vec3_min(c[0], cm_vec3_min(c[1], c[2])), high = cm_vec3_max(c[0], cm_vec3_max(c[1], c[2]));
    cm_vec3 way = cm_scale(move, wide);
    return !(low.x > box->max.x + cm_max(way.x, 0) || low.y > box->max.y + cm_max(way.y, 0) ||
             low.z > box->max.z + cm_max(way.z, 0) || high.x < box->min.x + cm_min(way.x, 0) ||
             high.y < box->min.y + cm_min(way.y, 0) || high.z < box->min.z + cm_min(way.z, 0));
}

#endif
