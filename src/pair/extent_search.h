/* The state of cm__mesh_extent's search, shared by its three parts: the walk over X's tree (mesh_extent.c), the search
 * of one triangle (extent_triangle.c), and what they ask of one point or box (extent_point.c). Y's frame. */
#ifndef PAIR_EXTENT_SEARCH_H
#define PAIR_EXTENT_SEARCH_H

#include "pair/extent_cuts.h"
#include "pair/extent_moved.h"
#include "pair/mesh_extent.h"

#include "bvh/bvh.h"
#include "math/closest.h"
#include "math/wide.h"

/* Distance evaluations, which take less than a second. */
#define CM__EXTENT_LIMIT 200000

typedef struct cm__extent_search {
    const cm__extent_query *query;
    cm__extent *out;
    cm__bvh tree_x, tree_y;
    bool x_is_solid;
    bool may_move; /* Y and what is asked for have an inside */
    cm__extent_moves moves;
    uint32_t missed, wait; /* how often moving settled nothing, the last few times; so often it is not tried */
    cm__extent_slack slack;
    uint32_t last; /* of Y, below the triangle of X that was looked at last, if that was settled by it; or CM_NONE */
    int evaluations;
    bool over;
} cm__extent_search;

/* A node of X's tree that is still to be looked at, or some of a leaf's triangles. */
typedef struct cm__extent_node {
    uint32_t slot;         /* CM_NONE: some of a leaf's */
    uint32_t first, count; /* places of the triangles; 0 of them in a node of nodes */
    uint32_t near;         /* a triangle of Y close to it, or, if `stale`, to what it is part of */
    uint32_t settled;      /* bit i: the triangle at first + i is; of all else 0 */
    bool one_sided, stale;
    cm__point center;
    double distance, upper; /* of its center; of all of it at most */
} cm__extent_node;

/* --- of one point or box (extent_point.c) ------------------------------------------------------------------------- */

/* Distance from p to Y's surface, or, with `share` < 1, to a point of it such that none is closer than that share of
 * the distance: what Y lies around is as far from most of it. *triangle is a hint on entry (or CM_NONE), the closest
 * triangle on return. */
double cm__extent_near(cm__extent_search *s, cm__point p, double share, uint32_t *triangle, cm__point *nearest);
/* Is the point p, in Y's frame, on the side that was asked for? */
bool cm__extent_side_is_wanted(const cm__extent_search *s, cm__point p);
/* Is the point p of X's triangle on the boundary of the union that X's shells enclose? */
bool cm__extent_is_boundary(const cm__extent_search *s, uint32_t triangle, cm__point p);
/* How deep a point of [low, high] can be in Y's box at most, hence in Y: the way out along each axis. Negative where
 * they are apart. */
double cm__extent_deepest(const cm__extent_search *s, const double low[3], const double high[3]);
/* Is no point of the triangle deep enough in Y's box to be of interest? */
bool cm__extent_is_shallow(const cm__extent_search *s, const cm__point v[3]);
static inline double extent_nearest(cm__extent_search *s, cm__point p, uint32_t *triangle, cm__point *nearest) {
    return cm__extent_near(s, p, 1, triangle, nearest);
}

/* Distance from p to triangle `t` of Y. */
static inline double extent_to_triangle(const cm__extent_search *s, cm__point p, uint32_t t, cm__point *nearest) {
    cm__point y[3];
    cm__closest_on_triangle c;
    extent_corners(s->query->y, t, y);
    cm__closest_point_triangle(p, y[0], y[1], y[2], &c);
    if (nearest) *nearest = c.point;
    return cm__point_length(c.gap);
}

/* May the depth in Y's box settle what is looked at? It tells nothing of what lies outside Y, of which `any_side` says
 * that it is close too. That is not spoiled where something is known to be farther from Y than the tolerance, or was
 * left out before. `beyond`: what is looked at extends that far out of Y's box. */
static inline bool extent_may_look_inside(const cm__extent_search *s, bool beyond) {
    return s->query->side == CM__SIDE_WITHIN && (beyond || !s->out->any_side || s->out->value > s->query->tolerance);
}
/* What is no deeper in Y's box than this is settled by it. Only what a few operations round is let pass: a face that is
 * parallel to one of the box, as where bodies stand on each other, has its depth to that, and sweeps rest on it. */
static inline double extent_reached(const cm__extent_search *s) {
    return wide_max(wide_max(s->out->value, s->query->known), s->query->floor) + s->slack.rounding / 64;
}

/* --- of the answer so far ----------------------------------------------------------------------------------------- */

/* Below this an upper bound closes the case. */
static inline double extent_settled(const cm__extent_search *s) {
    double value = wide_max(s->out->value, s->query->known) * (1 + CM__EXTENT_RELATIVE) + s->slack.flush;
    return value > s->query->floor ? value : s->query->floor;
}

static inline bool extent_is_farther(const cm__extent_search *s, double distance) {
    return distance > s->out->value && distance > s->query->floor;
}

/* What is not on the wanted side, or not on X's boundary, is left out: nothing of it is looked at. */
static inline bool extent_wrong_side(cm__extent_search *s) {
    s->out->any_side = false;
    return false;
}

/* --- of one triangle of X (extent_triangle.c) --------------------------------------------------------------------- */

/* Searches it for a point farther than all so far. node->near is a triangle of Y to begin from, and the one to begin
 * from next on return. */
void cm__extent_triangle(cm__extent_search *s, uint32_t triangle, cm__extent_node *node);

#endif
