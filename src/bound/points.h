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

#define BOUND_CLOUD 64 /* points that the searches for a box look at */

/* Up to BOUND_CLOUD points that reach farthest along directions spread over the sphere; all points where they are few.
 * Boxes around them are good guesses for boxes around all. Returns how many. */
int cm__bound_cloud(const cm_points *points, cm__point *out);
/* Unit axes of the covariance of the points, right-handed, largest spread first. */
void cm__bound_principal(const cm_points *points, cm__point axes[3]);
/* The smallest ball around `count` points; see cm_fit_sphere. `at` gives point i. Returns the number of supports. */
int cm__bound_ball(cm__point (*at)(const void *user, uint32_t i), const void *user, uint32_t count, cm__point *center,
                   double *radius);
/* The box with the axes of `rotation` around all points, rounded outwards. */
void cm__bound_obb(const cm_points *points, cm_quat rotation, cm_obb *out);
/* The unit quaternion that turns x, y, z into the three axes (unit, square to each other, right-handed). */
cm_quat cm__bound_rotation(const cm__point axes[3]);

#endif
