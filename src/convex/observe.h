/* The steps of a pair's searches, written down for a caller who watches (carom/observe.h): from A's frame and double
 * into the world, the caller's order of the shapes, and cm_real. Nobody watches most pairs: pair->watch is NULL then,
 * and a search asks once a step for no more than that. What is written is what the search has at that moment. */
#ifndef CONVEX_OBSERVE_H
#define CONVEX_OBSERVE_H

#include "carom/observe.h"
#include "convex/convex.h"
#include "math/two.h"

struct cm__watch {
    void (*step)(void *user, const cm_step *step);
    void *user;
    cm__frame frame;          /* A's, in the world */
    bool swapped;             /* the caller's B is A here */
    double unit;              /* a length of the pair, in the world: not 1 while the pair is scaled (rescaled.h) */
    uint32_t searches, index; /* begun; and steps of the last */
    cm_real lower, upper;     /* of the last step */
};

/* The next step is the first of a search. */
static inline void watch_search(cm__watch *watch) {
    if (watch) watch->searches++, watch->index = 0;
}

/* In the world: a point; a point of D, which is the way from one to another; a unit direction from A to B; a pair of
 * support points. */
cm_vec3 cm__watch_point(const cm__watch *watch, cm__point p);
cm_vec3 cm__watch_way(const cm__watch *watch, cm__point w);
cm_vec3 cm__watch_direction(const cm__watch *watch, cm__point n);
cm_step_vertex cm__watch_vertex(const cm__watch *watch, const cm__convex_vertex *x);

/* A step with no details yet, its bounds those of the last one. */
void cm__watch_begin(const cm__watch *watch, cm_step_kind kind, cm_step *out);
/* Bounds of the cores' distance, whose radii are taken off. */
void cm__watch_bounds(const cm__convex_pair *pair, double lower, double upper, cm_step *out);
void cm__watch_send(cm__watch *watch, cm_step *step);

/* A simplex of GJK, v its closest point; the way that was asked for a support point and the one that was found, or
 * NULL at the end, where the origin is in the simplex. */
typedef struct cm__watch_simplex {
    const cm__convex_vertex *vertex, *support;
    const cm__point *v, *way;
    int count;
    bool exact;
    double lower, upper;
} cm__watch_simplex;
void cm__watch_send_simplex(const cm__convex_pair *pair, const cm__watch_simplex *simplex);
/* What the searches found; `distance` is what the caller gets. */
void cm__watch_send_distance(const cm__convex_pair *pair, const cm__convex_gap *gap, cm_real distance);

#endif
