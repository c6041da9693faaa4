/* Spheres and boxes in motion against planes at rest.
 *
 * The height over the plane is linear in time, h + u s, so contact is |h + u s| <= r for the two-sided plane and
 * h + u s <= r for the half-space; a box has r = |n.x| half.x + |n.y| half.y + |n.z| half.z. s = 0 is parallel motion:
 * always or never. r grows by the bound on rounding. Based on: [Gomez99], corrected: docs/theory/article-errata.md. */
#include "carom/primitives.h"
#include "sweep/hit.h"

typedef struct plane_sweep {
    cm__point normal; /* unit */
    double height, speed, reach;
} plane_sweep;

static plane_sweep plane_sweep_of(const cm_plane *plane, cm__point center, cm__point move) {
    plane_sweep s;
    cm__point n = cm__point_of(plane->normal);
    double length = cm__point_length(n);
    s.normal = cm__point_scale(n, 1 / length);
    s.height = (cm__point_dot(n, center) + (double)plane->d) / length;
    s.speed = cm__point_dot(s.normal, move);
    s.reach = 0;
    return s;
}

/* `support` is the corner (or center) of A that is nearest to the plane when approached from its front, and `back` from
 * behind; `radius` goes on top of it. `overlap`: the decision at rest; NULL: it is asked for where it is NEAR. */
static cm__straight_end plane_sweep_run(const plane_sweep *s, bool solid, double size, cm__point move,
                                        cm__point support, cm__point back, double radius, const bool *overlap,
                                        cm_sweep_hit *out) {
    double reach = s->reach + CM__SPAN_SLOP * size;
    cm__span span = {0, 1};
    bool meets = cm__span_slab(s->height, s->speed, solid ? -DBL_MAX : -reach, reach, &span);
    bool front = solid || s->height > 0 || (s->height == 0 && s->speed <= 0);
    double side = front ? 1 : -1, gap = side * s->height - s->reach, rate = side * s->speed;
    cm_sweep_hit hit;
    cm__sweep_start_state start = {gap, rate, straight_band(size)};
    if (!meets && !(gap <= start.band)) return CM__STRAIGHT_MISS;
    cm__straight_end end = cm__sweep_begin(&start, span, &hit);
    if (end == CM__STRAIGHT_MISS || (end == CM__STRAIGHT_NEAR && !overlap)) return end;
    if (end == CM__STRAIGHT_NEAR) {
        if (!*overlap && !(rate < 0)) return CM__STRAIGHT_MISS;
        hit.start = *overlap ? CM_SWEEP_TOUCHING : CM_SWEEP_SEPARATED;
        hit.first = *overlap ? 0 : CM_REAL_MIN;
        hit.last = cm_max(meets ? wide_up(wide_min(span.last, 1)) : 0, hit.first);
    }
    cm__point normal = cm__point_scale(s->normal, -side);
    cm__point point = cm__point_mul_add(front ? support : back, (double)hit.first, move);
    cm__sweep_end(move, normal, cm__point_mul_add(point, radius, normal), &hit);
    /* how much deeper it gets is linear in time */
    if (end == CM__STRAIGHT_NEAR) hit.blocking = -rate > start.band * 7 / 8, hit.free_until = 0;
    *out = hit;
    return CM__STRAIGHT_HIT;
}

static bool plane_sweep_sphere(const cm_sphere *a, cm_vec3 move_a, const cm_plane *b, bool solid, cm_sweep_hit *out) {
    if (!cm_sphere_is_valid(a) || !cm_plane_is_valid(b) || !cm_vec3_is_valid(move_a)) return false;
    cm__point center = cm__point_of(a->center), move = cm__point_of(move_a);
    plane_sweep s = plane_sweep_of(b, center, move);
    s.reach = (double)a->radius;
    double size = wide_length_most(center) + wide_length_most(move) + s.reach + fabs((double)b->d);
    cm_sweep_hit hit;
    cm__straight_end end = plane_sweep_run(&s, solid, size, move, center, center, s.reach, NULL, &hit);
    if (end == CM__STRAIGHT_NEAR) {
        bool overlap = solid ? cm_overlap_sphere_halfspace(a, b) : cm_overlap_sphere_plane(a, b);
        end = plane_sweep_run(&s, solid, size, move, center, center, s.reach, &overlap, &hit);
    }
    if (end == CM__STRAIGHT_HIT && out) *out = hit;
    return end == CM__STRAIGHT_HIT;
}

bool cm_sweep_sphere_plane(const cm_sphere *a, cm_vec3 move_a, const cm_plane *b, cm_sweep_hit *out) {
    return plane_sweep_sphere(a, move_a, b, false, out);
}

bool cm_sweep_sphere_halfspace(const cm_sphere *a, cm_vec3 move_a, const cm_plane *b, cm_sweep_hit *out) {
    return plane_sweep_sphere(a, move_a, b, true, out);
}

bool cm_sweep_aabb_plane(const cm_aabb *a, cm_vec3 move_a, const cm_plane *b, cm_sweep_hit *out) {
    if (!cm_aabb_is_valid(a) || !cm_plane_is_valid(b) || !cm_vec3_is_valid(move_a)) return false;
    cm__point low = cm__point_of(a->min), high = cm__point_of(a->max), move = cm__point_of(move_a);
    cm__point center = cm__point_scale(cm__point_add(low, high), 0.5);
    cm__point half = cm__point_scale(cm__point_sub(high, low), 0.5);
    plane_sweep s = plane_sweep_of(b, center, move);
    s.reach = fabs(s.normal.x) * half.x + fabs(s.normal.y) * half.y + fabs(s.normal.z) * half.z;
    double size = wide_length_most(center) + wide_length_most(half) + wide_length_most(move) + fabs((double)b->d);
    cm__point n = s.normal;
    cm__point support = cm__p(n.x > 0 ? low.x : high.x, n.y > 0 ? low.y : high.y, n.z > 0 ? low.z : high.z);
    cm__point back = cm__p(n.x > 0 ? high.x : low.x, n.y > 0 ? high.y : low.y, n.z > 0 ? high.z : low.z);
    cm_sweep_hit hit;
    cm__straight_end end = plane_sweep_run(&s, false, size, move, support, back, 0, NULL, &hit);
    if (end == CM__STRAIGHT_NEAR) {
        bool overlap = cm_overlap_aabb_plane(a, b);
        end = plane_sweep_run(&s, false, size, move, support, back, 0, &overlap, &hit);
    }
    if (end == CM__STRAIGHT_HIT && out) *out = hit;
    return end == CM__STRAIGHT_HIT;
}
