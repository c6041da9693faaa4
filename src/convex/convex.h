/* Any convex pair: signed distance, its sign alone, and the points and normal at which the two face each other.
 *
 * Everything is in A's frame and in double. The Minkowski difference D = B - A of the cores holds all b - a. For a unit
 * direction n let s(n) be the least n.x over the points x of D: the separation of the cores along n, negative where
 * they overlap along n. The signed distance of the cores is the largest s(n) over all n, apart or overlapping, and that
 * n is the normal from A to B. So every n proves a lower bound. Upper bounds:
 * - apart: the length of any point of D. At an angle from the true normal s(n) is at most the distance times the cosine
 *   of the angle, so an n that proves all but e of the distance is within sqrt(2 e / distance) of the true normal;
 * - overlapping: the distance of the nearest face of any polytope within D that holds the origin, negated.
 * Both searches (gjk.c, depth.c) end where lower and upper bound agree. Radii are taken off at the end: signed distance
 * = that of the cores - radius of A - radius of B. Range: every valid coordinate; pairs whose products of four lengths
 * would overflow or vanish (beyond 1e40, below 1e-40) are scaled first (rescaled.h). */
#ifndef CONVEX_CONVEX_H
#define CONVEX_CONVEX_H

#include "carom/pair.h"
#include "hull/hull.h"
#include "shape/core.h"

#define CM__GJK_STEPS 128 /* of gjk.c: the tests took at most 80 */

typedef struct cm__watch cm__watch;

typedef struct cm__convex_pair {
    const cm__core *a, *b;
    cm__frame b_in_a;
    double near;      /* sum of the radii of the balls within the cores: centers no farther apart than that overlap */
    double far;       /* sum of the radii of the balls around the cores: centers farther apart than that are apart */
    double scale;     /* of the coordinates that enter: rounding errors are DBL_EPSILON times a few of it */
    bool sharp;       /* both are polytopes: answers are exact to rounding */
    cm__watch *watch; /* sees the steps (observe.h), or NULL */
} cm__convex_pair;

/* From the center of A's core to that of B's. */
static inline cm__point pair_between(const cm__convex_pair *pair) {
    return cm__point_sub(frame_apply(&pair->b_in_a, pair->b->center), pair->a->center);
}

/* A bound on the lengths of D's points, to which tolerances of the searches are relative. `scale` may be far larger: a
 * core far from its own origin has more rounding, but D is no larger by it. */
static inline double pair_extent(const cm__convex_pair *pair) {
    double extent = cm__point_length(pair_between(pair)) + pair->far;
    return extent < pair->scale ? extent : pair->scale;
}

/* A point of D: the support points of both, b - a = w. */
typedef struct cm__convex_vertex {
    cm__point w, a;
    uint32_t id_a, id_b; /* of polytopes; CM_NONE of curved cores */
} cm__convex_vertex;

typedef enum cm__convex_end {
    CM__CONVEX_PROVEN, /* the bounds agree, or rounding kept them from coming closer than `scale` allows */
    CM__CONVEX_BEYOND, /* apart by more than was asked for: distance is a lower bound */
    CM__CONVEX_LIMIT   /* the step limit: the distance still is a proven bound (lower bound where apart) */
} cm__convex_end;

typedef struct cm__convex_gap {
    cm__point a, b;           /* on the surfaces, radii included: b - a = distance * normal up to rounding */
    cm__point normal;         /* unit, from A to B */
    double distance;          /* > 0 apart, <= 0 minus the depth */
    cm__point core_a, core_b; /* the same of the cores */
    double core_distance;
    uint32_t id_a, id_b; /* of polytopes: corners that are the farthest along the normal or near that; or CM_NONE */
    bool farthest;       /* id_a and id_b are the support points' along the normal */
    double slack;        /* core_distance is a proven bound; the truth is at most this farther, besides rounding */
    cm__convex_end end;
    int steps;       /* support points taken apart, without those of the approximate search */
    int depth_steps; /* and overlapping */
} cm__convex_gap;

/* Both cores must outlive the pair. */
void cm__convex_pair_of(const cm__core *a, const cm__core *b, const cm__frame *b_in_a, cm__convex_pair *out);
/* Do the shapes, radii included, share a point? The sign of cm__convex_gap, faster. */
bool cm__convex_overlap(const cm__convex_pair *pair, cm_pair_cache *cache);
/* @param max_distance  gaps beyond it are not measured: end = CM__CONVEX_BEYOND then.
 * @param cache         NULL, or in and out. */
void cm__convex_gap_of(const cm__convex_pair *pair, double max_distance, cm_pair_cache *cache, cm__convex_gap *out);

/* As cm__convex_gap_of without a limit, but without a depth: for pairs that overlap or nearly touch the distance is 0,
 * and so is everything else. */
void cm__convex_gap_apart(const cm__convex_pair *pair, cm_pair_cache *cache, cm__convex_gap *out);

/* For curved cores that overlap: a normal within the search's error of that of a flat face becomes the face's normal,
 * if that proves as much depth. Else *io stays. Sweeps need this: sliding along a face and approaching it differ by
 * less than the search's error. */
void cm__convex_settle(const cm__convex_pair *pair, cm__convex_gap *io);

/* --- the two searches ------------------------------------------------------------------------------------------- */

typedef enum cm__gjk_end {
    CM__GJK_APART,   /* v is the closest point of D, |v| > 0 beyond doubt */
    CM__GJK_BEYOND,  /* lower > the limit */
    CM__GJK_DECIDED, /* only a verdict was asked for, and is there */
    CM__GJK_INSIDE,  /* the origin lies in D beyond doubt */
    CM__GJK_TOUCHING /* the origin lies in D or out of it by rounding */
} cm__gjk_end;

typedef struct cm__gjk {
    cm__gjk_end end;
    cm__point v;      /* the closest point found; not set for INSIDE and TOUCHING */
    cm__point normal; /* of any length: the direction that proves `lower` */
    double upper, lower;
    int count, steps;
    int verdict; /* which of the radii's bounds was passed first: 1 apart, -1 overlapping, 0 neither */
    bool limit;
    cm__convex_vertex vertex[4]; /* what v lies between */
    double weight[4];
} cm__gjk;

/* The end of a search in cm_real: corners of D by their numbers. */
typedef struct cm__gjk_approx {
    int count;                 /* 0: nowhere; 4: the origin is between these, */
    bool inside;               /* beyond doubt */
    uint32_t id_a[4], id_b[4]; /* the fourth: the one taken last */
    cm_vec3 normal;            /* of any length; only of what is proved to be apart, or inside */
} cm__gjk_approx;

/* GJK in cm_real, for polytopes whose size and scale cm_real holds. True: the cores are proved to be more than
 * `far` >= 0 apart. `cache` may be NULL. */
bool cm__gjk_approx_run(const cm__convex_pair *pair, double far, const cm_pair_cache *cache, cm__gjk_approx *out);

/* B drifts straight, by u * drift from where it is. Up to the time that is returned the shapes, radii included, are
 * more than `least` apart beyond doubt, which may be 0 (nothing is known even of u = 0); 2: for all of u <= 1. At times
 * below 1 they may be near. *cache becomes a place to start from there. */
double cm__gjk_approx_ray(const cm__convex_pair *pair, cm__point drift, double least, cm_pair_cache *cache);

typedef struct cm__gjk_task {
    double far;                   /* gaps of the cores beyond it are not measured */
    double apart;                 /* the verdict is 1 where the gap is more, */
    double together;              /* and -1 where it is not more than this; < 0: never */
    bool verdict_only;            /* stop there */
    const cm_pair_cache *cache;   /* or NULL; where `approx` is NULL */
    const cm__gjk_approx *approx; /* or NULL */
} cm__gjk_task;

/* The closest point of D to the origin, or that the origin lies in D. */
void cm__gjk_run(const cm__convex_pair *pair, const cm__gjk_task *task, cm__gjk *out);

typedef struct cm__depth {
    cm__point normal; /* unit, from A to B */
    double distance;  /* s(normal) = n.w over all w of D: minus the depth; > 0 where they are apart after all */
    double slack;
    cm__point a, b;
    uint32_t id_a, id_b; /* as in cm__convex_gap, */
    bool farthest;       /* and this */
    int steps;
    bool limit;
} cm__depth;

/* The smallest translation, from the simplex around the origin that the first search ended with. */
void cm__depth_run(const cm__convex_pair *pair, const cm__gjk *start, cm__depth *out);

/* The same for two solid hulls, from their faces and edges (gauss_map.c). False: not answered, and *out is
 * undefined. */
bool cm__gauss_map_run(const cm__convex_pair *pair, cm__depth *out);

/* The corner of a number, of polytopes. A hull's own is read here: an answer of `corner` comes back through memory,
 * which took a tenth of the distance of two hulls. */
static inline cm__point convex_corner(const cm__core *core, uint32_t id) {
    const cm_hull *hull = core_hull(core);
    return hull ? cm__point_of(cm__hull_points(hull)[id]) : core->ops->corner(core, id);
}
/* The vertex of D that two corners make. */
static inline cm__convex_vertex convex_vertex_of(const cm__convex_pair *pair, uint32_t id_a, uint32_t id_b) {
    const cm__point a = convex_corner(pair->a, id_a), b = frame_apply(&pair->b_in_a, convex_corner(pair->b, id_b));
    const cm__convex_vertex x = {.w = cm__point_sub(b, a), .a = a, .id_a = id_a, .id_b = id_b};
    return x;
}

/* The vertex of D with the least n.w, n of any length; *n* points from A to B. */
static inline void convex_support(const cm__convex_pair *pair, cm__point n, bool exact, cm__convex_vertex *io) {
    const cm__core *a = pair->a, *b = pair->b;
    cm__point back = frame_unrotate(&pair->b_in_a, n);
    back = cm__p(-back.x, -back.y, -back.z);
    io->a = (exact || !a->ops->guess ? a->ops->support : a->ops->guess)(a, n, &io->id_a);
    cm__point p = (exact || !b->ops->guess ? b->ops->support : b->ops->guess)(b, back, &io->id_b);
    io->w = cm__point_sub(frame_apply(&pair->b_in_a, p), io->a);
}

/* The normal of the face of D that three vertices span, of two polytopes, better than from the vertices: a face of A
 * from A's own corners, a face of B in B's own frame, or the product of an edge of each; oriented as `near` and unit.
 * `near` itself where it is none of these. */
cm__point cm__convex_face_normal(const cm__convex_pair *pair, const cm__convex_vertex *const v[3], cm__point near);

#endif
