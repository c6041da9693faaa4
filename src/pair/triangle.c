/* Triangles against triangles and boxes, on plain structs: the answers of the shapes' own pairs. */
#include "carom/primitives.h"
#include "pair/pair.h"

bool cm_overlap_triangle_triangle(const cm_triangle *a, const cm_triangle *b) {
    cm_shape sa = cm_make_triangle(a->a, a->b, a->c), sb = cm_make_triangle(b->a, b->b, b->c);
    cm_pose identity = cm_pose_identity();
    return cm_overlap(&sa, &identity, &sb, &identity);
}

bool cm_overlap_triangle_aabb(const cm_triangle *a, const cm_aabb *b) {
    if (!cm_triangle_is_valid(a) || !cm_aabb_is_valid(b)) return false;
    cm_shape triangle = cm_make_triangle(a->a, a->b, a->c), box = cm_make_box(cm_aabb_half(b));
    cm__polytope pa, pb;
    cm__point low = cm__point_of(b->min), high = cm__point_of(b->max);
    cm__frame pose = frame_of_quat(cm_quat_identity());
    pose.position = cm__point_scale(cm__point_add(low, high), 0.5);
    cm__polytope_of(&triangle, NULL, &pa);
    cm__polytope_of(&box, &pose, &pb);
    return cm__polytopes_overlap(&pa, &pb, 0);
}
