/* Points, segments and triangles without radius: whether they share a point is decided exactly.
 *
 * All three are triangles, some without area, and triangle_triangle.h decides for those, for the very coordinates that
 * B has in A's frame after the pose was applied and rounded. The distance is then made to agree. */
#include "pair/pair.h"
#include "pair/triangle_triangle.h"

static void flat_shape_corners(const cm_shape *s, const cm_pose *pose, cm_vec3 out[3]) {
    const cm_vec3 *p = s->kind == CM_SHAPE_POINT     ? &s->u.point
                       : s->kind == CM_SHAPE_SEGMENT ? &s->u.segment.a
                                                     : &s->u.triangle.a;
    int count = s->kind == CM_SHAPE_POINT ? 1 : s->kind == CM_SHAPE_SEGMENT ? 2 : 3;
    for (int i = 0; i < 3; i++) {
        cm_vec3 corner = p[i < count ? i : count - 1];
        out[i] = pose ? cm_pose_apply(pose, corner) : corner;
    }
}

bool cm__flat_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm_vec3 corners_a[3], corners_b[3];
    flat_shape_corners(a, NULL, corners_a);
    flat_shape_corners(b, b_in_a, corners_b);
    return cm__overlap_triangle_triangle(corners_a, corners_b);
}

void cm__flat_agree(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *gap) {
    bool touch = cm__flat_overlap(a, b, b_in_a);
    if (touch && gap->distance > 0) gap->distance = 0;
    if (!touch && !(gap->distance > 0)) gap->distance = DBL_MIN;
}
