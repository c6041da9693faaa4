/* A sphere in motion against a box: its center against the box with rounded edges and corners.
 *
 * Exact: the box is neither enlarged to sharp corners nor taken apart into regions by hand. See math/span.c for the
 * solution, in the box's frame; the radius grows by the bound on rounding. */
#include "carom/primitives.h"
#include "sweep/hit.h"

/* From p to the closest point of the box, and its gap with the radii. The normal is from the point to the box. */
static cm__point box_way(cm__point p, cm__point half, double *gap, bool *inside) {
    cm__point d = cm__p(wide_clamp(p.x, -half.x, half.x) - p.x, wide_clamp(p.y, -half.y, half.y) - p.y,
                        wide_clamp(p.z, -half.z, half.z) - p.z);
    *inside = d.x == 0 && d.y == 0 && d.z == 0;
    if (!*inside) {
        *gap = cm__point_length(d);
        return d;
    }
    double x = half.x - fabs(p.x), y = half.y - fabs(p.y), z = half.z - fabs(p.z);
    if (x <= y && x <= z) {
        *gap = -x;
        return cm__p(p.x >= 0 ? -1 : 1, 0, 0);
    }
    if (y <= z) {
        *gap = -y;
        return cm__p(0, p.y >= 0 ? -1 : 1, 0);
    }
    *gap = -z;
    return cm__p(0, 0, p.z >= 0 ? -1 : 1);
}

static bool sweep_point_box(cm__point p, cm__point v, cm__point half, double radius_a, double radius_b,
                            const cm__wide_mat3 *turn, cm__point center, cm__point move, cm_sweep_hit *out) {
    double reach = radius_a + radius_b, size = wide_sum(p) + wide_sum(v) + wide_sum(half) + reach;
    double slop = CM__SPAN_SLOP * size;
    cm__span span = {0, 1};
    if (!cm__span_box(p, v, half, reach + slop, &span)) return false;
    double gap;
    bool inside;
    cm__point way = box_way(p, half, &gap, &inside), normal = wide_normalize(way, cm__p(1, 0, 0));
    cm__sweep_start_state start = {gap - reach, inside || gap_within(way, reach), sweep_rate(v, normal), size};
    if (!cm__sweep_begin(&start, span, out)) return false;
    double u = (double)out->first;
    normal = wide_normalize(box_way(cm__point_mul_add(p, u, v), half, &gap, &inside), normal);
    cm__point outer = turn ? wide_mul(turn, normal) : normal, motion = turn ? wide_mul(turn, v) : v;
    cm__sweep_end(motion, outer, cm__point_mul_add(cm__point_mul_add(center, u, move), radius_a, outer), out);
    return true;
}

bool cm__straight_point_box(const cm__straight *s, cm_sweep_hit *out) {
    const cm__wide_mat3 *turn = &s->pose_b.turn;
    cm__point center = wide_pose_apply(&s->pose_a, cm__point_of(s->a->u.point));
    cm__point p = wide_mul_transposed(turn, cm__point_sub(center, s->pose_b.position));
    return sweep_point_box(p, wide_mul_transposed(turn, s->v), cm__point_of(s->b->u.box), (double)s->a->radius,
                           (double)s->b->radius, turn, center, s->move, out);
}

bool cm_sweep_sphere_aabb(const cm_sphere *a, cm_vec3 move_a, const cm_aabb *b, cm_vec3 move_b, cm_sweep_hit *out) {
    cm__point low = cm__point_of(b->min), high = cm__point_of(b->max), c = cm__point_of(a->center);
    cm__point half = cm__point_scale(cm__point_sub(high, low), 0.5);
    /* from the middle of the box, without rounding the middle itself */
    cm__point p = cm__point_scale(cm__point_sub(cm__point_sub(c, low), cm__point_sub(high, c)), 0.5);
    cm__point move = cm__point_of(move_a), v = cm__point_sub(move, cm__point_of(move_b));
    cm_sweep_hit hit;
    if (!sweep_point_box(p, v, half, (double)a->radius, 0, NULL, c, move, &hit)) return false;
    if (!cm_sphere_is_valid(a) || !cm_aabb_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    if (out) *out = hit;
    return true;
}

bool cm_sweep_sphere_obb(const cm_sphere *a, cm_vec3 move_a, const cm_obb *b, cm_vec3 move_b, cm_sweep_hit *out) {
    cm__wide_mat3 turn = wide_mat3_from_quat(b->rotation);
    cm__point c = cm__point_of(a->center), move = cm__point_of(move_a);
    cm__point p = wide_mul_transposed(&turn, cm__point_sub(c, cm__point_of(b->center)));
    cm__point v = wide_mul_transposed(&turn, cm__point_sub(move, cm__point_of(move_b)));
    cm_sweep_hit hit;
    if (!sweep_point_box(p, v, cm__point_of(b->half), (double)a->radius, 0, &turn, c, move, &hit)) return false;
    if (!cm_sphere_is_valid(a) || !cm_obb_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    if (out) *out = hit;
    return true;
}
