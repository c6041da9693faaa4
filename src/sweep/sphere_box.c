/* A sphere in motion against a box: its center against the box with rounded edges and corners.
 *
 * Exact: the box is neither enlarged with sharp corners nor divided into regions by hand. math/span.c has the solution,
 * in the box's frame; the radius grows by the bound on rounding. */
#include "carom/primitives.h"
#include "sweep/brush.h"
#include "sweep/hit.h"

/* From p to the closest point of the box, and its gap with the radii. The normal is from the point to the box. */
static cm__point box_gap_to(cm__point p, cm__point half, double *gap) {
    cm__point d = cm__p(wide_clamp(p.x, -half.x, half.x) - p.x, wide_clamp(p.y, -half.y, half.y) - p.y,
                        wide_clamp(p.z, -half.z, half.z) - p.z);
    if (d.x != 0 || d.y != 0 || d.z != 0) {
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

/* A lower bound of the distance of p from the box. */
static double box_beside(cm__point p, cm__point half) {
    return wide_max(wide_max(fabs(p.x) - half.x, fabs(p.y) - half.y), fabs(p.z) - half.z);
}

/* A ball's center p, and its motion v, in the frame of a box; `center` and `move` in the world. */
typedef struct point_box {
    cm__point p, v, half, center, move;
    double radius_a, radius_b, size, band;
    const cm__frame *turn; /* of the box; NULL: none */
} point_box;

static cm__straight_end sweep_point_box(const point_box *s, cm_sweep_hit *out) {
    double reach = s->radius_a + s->radius_b, slop = CM__SPAN_SLOP * s->size, gap;
    cm__span span = {0, 1};
    const bool meets = cm__span_box(s->p, s->v, s->half, reach + slop, &span);
    if (!meets && box_beside(s->p, s->half) - reach > s->band) return CM__STRAIGHT_MISS;
    cm__point way = box_gap_to(s->p, s->half, &gap), normal = wide_normalize(way, cm__p(1, 0, 0));
    if (!meets) return gap - reach <= s->band ? CM__STRAIGHT_NEAR : CM__STRAIGHT_MISS;
    cm__sweep_start_state start = {gap - reach, sweep_rate(s->v, normal), s->band};
    cm__straight_end end = cm__sweep_begin(&start, span, out);
    if (end != CM__STRAIGHT_HIT) return end;
    double u = (double)out->first;
    normal = wide_normalize(box_gap_to(cm__point_mul_add(s->p, u, s->v), s->half, &gap), normal);
    cm__point outer = s->turn ? frame_rotate(s->turn, normal) : normal,
              motion = s->turn ? frame_rotate(s->turn, s->v) : s->v;
    cm__point at = cm__point_mul_add(cm__point_mul_add(s->center, u, s->move), s->radius_a, outer);
    cm__sweep_end(motion, outer, at, out);
    return CM__STRAIGHT_HIT;
}

static void point_box_measure(point_box *s) {
    s->size = wide_length_most(s->p) + wide_length_most(s->v) + wide_length_most(s->half) + s->radius_a + s->radius_b;
    s->band = straight_band(s->size);
}

cm__straight_end cm__straight_point_box(const cm__straight *s, cm_sweep_hit *out) {
    const cm__frame *turn = &s->pose_b;
    cm__point center = frame_apply(&s->pose_a, cm__point_of(s->a->u.point));
    point_box box = {.p = frame_unrotate(turn, cm__point_sub(center, s->pose_b.position)),
                     .v = frame_unrotate(turn, s->v),
                     .half = cm__point_of(s->b->u.box),
                     .center = center,
                     .move = s->move,
                     .radius_a = (double)s->a->radius,
                     .radius_b = (double)s->b->radius,
                     .turn = turn};
    point_box_measure(&box);
    box.band = s->band;
    return sweep_point_box(&box, out);
}

/* A start in the band, and a hit that may only brush: the ball and the box as cores, relative to the ball's center. */
static bool point_box_settle(const point_box *box, cm__straight_end end, bool overlap, cm_sweep_hit *hit) {
    const cm__frame turn = box->turn ? *box->turn : frame_at(cm__p(0, 0, 0));
    cm__straight_pair s = {.frame_b = turn, .move = box->move, .origin = box->center, .band = box->band};
    s.frame_a = frame_at(cm__p(0, 0, 0));
    s.frame_b.position = wide_neg(box->turn ? frame_rotate(&turn, box->p) : box->p);
    s.v = box->turn ? frame_rotate(&turn, box->v) : box->v;
    cm__core_point(cm__p(0, 0, 0), &s.a), cm__core_box(box->half, &s.b);
    s.a.radius = box->radius_a;
    return cm__straight_settle(&s, end, overlap, hit);
}
static bool point_box_is_settled(const point_box *s, cm__straight_end end, const cm_sweep_hit *hit) {
    return straight_is_settled(end, hit, s->turn ? frame_rotate(s->turn, s->v) : s->v, s->radius_a, s->band);
}

bool cm_sweep_sphere_aabb(const cm_sphere *a, cm_vec3 move_a, const cm_aabb *b, cm_vec3 move_b, cm_sweep_hit *out) {
    cm__point low = cm__point_of(b->min), high = cm__point_of(b->max), c = cm__point_of(a->center);
    point_box box = {.half = cm__point_scale(cm__point_sub(high, low), 0.5), .center = c, .turn = NULL};
    /* from the middle of the box, without rounding the middle itself */
    box.p = cm__point_scale(cm__point_sub(cm__point_sub(c, low), cm__point_sub(high, c)), 0.5);
    box.move = cm__point_of(move_a), box.v = cm__point_sub(box.move, cm__point_of(move_b));
    box.radius_a = (double)a->radius, box.radius_b = 0;
    point_box_measure(&box);
    cm_sweep_hit hit;
    cm__straight_end end = sweep_point_box(&box, &hit);
    if (end == CM__STRAIGHT_MISS) return false;
    if (!cm_sphere_is_valid(a) || !cm_aabb_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    if (!point_box_is_settled(&box, end, &hit) &&
        !point_box_settle(&box, end, end == CM__STRAIGHT_NEAR && cm_overlap_sphere_aabb(a, b), &hit))
        return false;
    if (out) *out = hit;
    return true;
}

bool cm_sweep_sphere_obb(const cm_sphere *a, cm_vec3 move_a, const cm_obb *b, cm_vec3 move_b, cm_sweep_hit *out) {
    cm__frame turn = frame_of_quat(b->rotation);
    cm__point c = cm__point_of(a->center), move = cm__point_of(move_a);
    point_box box = {.p = frame_unrotate(&turn, cm__point_sub(c, cm__point_of(b->center))),
                     .v = frame_unrotate(&turn, cm__point_sub(move, cm__point_of(move_b))),
                     .half = cm__point_of(b->half),
                     .center = c,
                     .move = move,
                     .radius_a = (double)a->radius,
                     .turn = &turn};
    point_box_measure(&box);
    cm_sweep_hit hit;
    cm__straight_end end = sweep_point_box(&box, &hit);
    if (end == CM__STRAIGHT_MISS) return false;
    if (!cm_sphere_is_valid(a) || !cm_obb_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    if (!point_box_is_settled(&box, end, &hit) &&
        !point_box_settle(&box, end, end == CM__STRAIGHT_NEAR && cm_overlap_sphere_obb(a, b), &hit))
        return false;
    if (out) *out = hit;
    return true;
}
