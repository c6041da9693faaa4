/* A caller's strided points, read as doubles. */
#ifndef BOUND_POINTS_H
#define BOUND_POINTS_H

#include "carom/bound.h"
#include "math/strided.h"
#include "math/wide.h"

static inline cm__point points_at(const cm_points *points, uint32_t i) {
    return cm__point_of(cm__strided_point(points->data, points->stride, i));
}
/* At least one point, all of them within the valid range? */
static inline bool points_are_valid(const cm_points *points) {
    if (!points || !points->data || points->count == 0) return false;
    for (uint32_t i = 0; i < points->count; i++)
        if (!cm_vec3_is_valid(cm__vec3_of(points_at(points, i)))) return false;
    return true;
}

/* Unit axes of the covariance of the points, right-handed, largest spread first. */
void cm__bound_principal(const cm_points *points, cm__point axes[3]);
/* The smallest ball around `count` points; see cm_fit_sphere. `at` gives point i. Returns the number of supports. */
int cm__bound_ball(cm__point (*at)(const void *user, uint32_t i), const void *user, uint32_t count, cm__point *center,
                   double *radius);

#endif
