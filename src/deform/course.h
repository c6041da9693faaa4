/* The certified search for the first time at which two moving sets are no more than a separation apart.
 *
 * One set is the hull of at most four points v_k(u) = start_k + u (end_k - start_k), the corners of B as seen from the
 * corners of A (all differences b_j - a_i), or of a moving triangle as seen from a body that keeps its form; the other
 * is the origin, or that body, a fixed set K about it. What is asked is the distance s(u) of the hull from the origin
 * (with a body: of the body from the triangle).
 *
 * Theorem. For one fixed unit direction n let f(u) = min over k of n.v_k(u), plus the least of n.x over K. Each n.v_k
 * is linear in u, so f is concave, and s(u) >= f(u). Where f is above d at two times it is above d at all times between
 * them, and so is s.
 *
 * The search. At u = 0 and after each step the closest points give an upper bound of s(u) and a direction n; the next
 * time is the first at which f falls to d + tau / 2, found by one division for each k, or the end. All times between
 * are free by the theorem. The search ends where the upper bound is no more than d + tau. As the direction is that of
 * the closest points, f touches s at the time it was taken, and the steps are Newton's, which never overshoot.
 *
 * Rounding, with unit roundoff w = 2^-53 and M as in deform.h; all in double, in units in which M is in (1/2, 1]: v_k
 * at either end: one subtraction, w M a component, and that much for the time between: sqrt(3) w M of n.v_k; n.v_k at
 * an end: three products and two sums, 3 w (|n_x v_x| + ...) <= 3 sqrt(3) w M; between the ends: a difference, a
 * product, a sum of numbers up to 2 sqrt(3) M and sqrt(3) M: 5 sqrt(3) w M; |n| is 1 up to 4 w: 4 sqrt(3) w M. Together
 * below 24 w M; the comparison with d adds w M. The time of a step is right to 3 w of itself, f there to 3 w |f - d -
 * tau / 2| <= 9 w M more, and a time rounded down to cm_real is an earlier one of the same step, free by concavity. An
 * upper bound: the points v_k(u) are off by 6 w M a component, the closest point by 8 w (L + s) <= 42 w M
 * (math/closest.h), the rest by 3 w: below 60 w M. E = 64 w M holds each of them; a body adds the error of its support
 * points. As tau >= 8 E and tau >= 16 CM_REAL_EPSILON M, a step from above d + tau - E to d + tau / 2 is longer than
 * the spacing of the times in cm_real. What is proved does not hang on where a direction comes from: one that is poor
 * only costs steps, or ends in a limit.
 *
 * Bound: CM_PATH_STEPS steps. No memory.
 * Based on: [Wang21] for the task and its data; [Mirtich96] advancement along a direction. */
#ifndef DEFORM_COURSE_H
#define DEFORM_COURSE_H

#include "carom/deform.h"
#include "math/point.h"

/* The closest points at a time. */
typedef struct cm__course_near {
    cm__point gap;    /* of the closest point of the hull from the origin, in the course's units */
    double distance;  /* its length: at most E above the truth */
    double weight[4]; /* of the v_k: gap = sum of weight * v_k but for a body */
    double s, t;      /* of edges: where on A's and on B's */
    cm__point point;  /* of a body: its closest point */
} cm__course_near;

typedef enum cm__course_kind { CM__COURSE_CORNERS, CM__COURSE_EDGES, CM__COURSE_BODY } cm__course_kind;

typedef struct cm__course {
    cm__course_kind kind;
    int count; /* of the v_k; of edges v_00, v_01, v_11, v_10, around the parallelogram */
    cm__point start[4], end[4];
    double scale; /* of the units: a power of two; 1 after cm__course_scale where nothing was to be done */
    double separation, tolerance, error, rounding;
    const struct cm__course_body *body;
} cm__course;

/* A body that keeps its form: see body.h. */
typedef struct cm__course_body {
    const void *data;
    /* The closest points of the body and the triangle with these corners; gap and distance of *out. */
    void (*near)(const struct cm__course_body *body, const cm__point corner[3], cm__course_near *out);
    /* The least of n.x over the body, n unit. */
    double (*least)(const struct cm__course_body *body, cm__point n);
    double error; /* of both, beyond E */
    double size;  /* which M holds too */
} cm__course_body;

/* How far apart boxes must be, along an axis, that what they hold is more than d apart beyond doubt. */
CM_INLINE double cm__course_far(double separation) { return separation * (1 + 4 * DBL_EPSILON); }

/* Are all v_k on one side of a plane across an axis, more than the separation from the origin, at both ends? */
bool cm__course_is_far(const cm__course *c);
/* Chooses the units, and what hangs on M. The course holds start, end, separation and tolerance as they came. */
void cm__course_scale(cm__course *c);
/* The closest points of the v_k that are given. */
void cm__course_measure(const cm__course *c, const cm__point at[4], cm__course_near *out);
void cm__course_at(const cm__course *c, double u, cm__point at[4]);

typedef struct cm__course_end {
    double u;
    cm__point normal; /* unit, from A to B; 0 where there is none */
    cm__course_near near;
} cm__course_end;

/* @param until  the search may end with CM_PATH_FREE once it has proved all before this time free. */
cm_path_verdict cm__course_run(const cm__course *c, double until, cm__course_end *out);

/* --- two features, their corners valid (features.c) -------------------------------------------------------------- */

/* A's and B's corners, at most 1 + 3 or 2 + 2. */
typedef struct cm__features {
    int count_a, count_b;
    const cm_path *a[3], *b[3];
} cm__features;

cm_path_verdict cm__features_sweep(const cm__features *f, cm_real separation, cm_real tolerance, double until,
                                   cm_path_hit *out);

#endif
