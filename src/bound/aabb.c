/* Axis-aligned boxes around points. Exact without a pose; with one, rounded outwards. */
#include "bound/points.h"

bool cm_fit_aabb(const cm_points *points, cm_aabb *out) {
    if (!points_are_valid(points)) return false;
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < points->count; i++) box = cm_aabb_add_point(box, cm__vec3_of(points_at(points, i)));
    *out = box;
    return true;
}

/* Rotating a point in double and adding the position: below 8 ulps of double of |p| + |position|. */
bool cm_fit_aabb_posed(const cm_points *points, const cm_pose *pose, cm_aabb *out) {
    if (!points_are_valid(points) || !pose || !cm_pose_is_valid(pose)) return false;
    cm__frame turn = frame_of_quat(pose->rotation);
    cm__point position = cm__point_of(pose->position), low = cm__p(DBL_MAX, DBL_MAX, DBL_MAX), high = wide_neg(low);
    double size = wide_sum(position);
    for (uint32_t i = 0; i < points->count; i++) {
        cm__point local = points_at(points, i), p = cm__point_add(position, frame_rotate(&turn, local));
        size = wide_max(size, wide_sum(position) + wide_sum(local));
        low = cm__p(wide_min(low.x, p.x), wide_min(low.y, p.y), wide_min(low.z, p.z));
        high = cm__p(wide_max(high.x, p.x), wide_max(high.y, p.y), wide_max(high.z, p.z));
    }
    double slop = 8 * DBL_EPSILON * size;
    wide_box(low, high, slop, out);
    return true;
}
