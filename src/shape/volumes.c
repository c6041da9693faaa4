/* The plain volumes: checks, boxes around them, measures, conversions. Boxes are rounded outwards. */
#include "carom/primitives.h"
#include "math/quat.h"
#include "math/wide.h"

static const double volume_pi = 3.14159265358979323846;

static bool size_is_valid(cm_real x) { return x >= 0 && x <= CM_COORD_MAX; }

static bool rotation_is_valid(cm_quat q) {
    cm_real n = quat_square(q);
    return n >= CM_REAL(0.998) && n <= CM_REAL(1.002);
}

bool cm_sphere_is_valid(const cm_sphere *s) { return cm_vec3_is_valid(s->center) && size_is_valid(s->radius); }

bool cm_aabb_is_valid(const cm_aabb *b) {
    return cm_vec3_is_valid(b->min) && cm_vec3_is_valid(b->max) && b->min.x <= b->max.x && b->min.y <= b->max.y &&
           b->min.z <= b->max.z;
}

bool cm_obb_is_valid(const cm_obb *b) {
    return cm_vec3_is_valid(b->center) && size_is_valid(b->half.x) && size_is_valid(b->half.y) &&
           size_is_valid(b->half.z) && rotation_is_valid(b->rotation);
}

bool cm_plane_is_valid(const cm_plane *p) {
    cm_real nn = cm_dot(p->normal, p->normal);
    return nn >= CM_REAL(0.998) && nn <= CM_REAL(1.002) && cm_is_coord(p->d);
}

bool cm_segment_is_valid(const cm_segment *s) { return cm_vec3_is_valid(s->a) && cm_vec3_is_valid(s->b); }

bool cm_capsule_is_valid(const cm_capsule *c) {
    return cm_vec3_is_valid(c->a) && cm_vec3_is_valid(c->b) && size_is_valid(c->radius);
}

bool cm_triangle_is_valid(const cm_triangle *t) {
    return cm_vec3_is_valid(t->a) && cm_vec3_is_valid(t->b) && cm_vec3_is_valid(t->c);
}

bool cm_frustum_is_valid(const cm_frustum *f) {
    for (int i = 0; i < 6; i++)
        if (!cm_plane_is_valid(&f->planes[i])) return false;
    return true;
}

/* --- boxes around ------------------------------------------------------------------------------------------------- */

static void bounds_around(cm__point center, cm__point reach, cm_aabb *out) {
    bool point = wide_sum(reach) == 0; /* then nothing was rounded */
    double slop = point ? 0 : 8 * DBL_EPSILON * (cm__point_largest(center) + wide_sum(reach));
    wide_box(cm__point_sub(center, reach), cm__point_add(center, reach), slop, out);
}

void cm_bounds_sphere(const cm_sphere *s, cm_aabb *out) {
    double r = (double)s->radius;
    bounds_around(cm__point_of(s->center), cm__p(r, r, r), out);
}

/* How far an oriented box of half extents h reaches along each axis. */
static cm__point turned_reach(const cm__frame *r, cm__point h) {
    return cm__p(fabs(r->x.x) * h.x + fabs(r->y.x) * h.y + fabs(r->z.x) * h.z,
                 fabs(r->x.y) * h.x + fabs(r->y.y) * h.y + fabs(r->z.y) * h.z,
                 fabs(r->x.z) * h.x + fabs(r->y.z) * h.y + fabs(r->z.z) * h.z);
}

void cm_bounds_obb(const cm_obb *b, cm_aabb *out) {
    cm__frame r = frame_of_quat(b->rotation);
    bounds_around(cm__point_of(b->center), turned_reach(&r, cm__point_of(b->half)), out);
}

void cm_bounds_segment(const cm_segment *s, cm_aabb *out) {
    out->min = cm_vec3_min(s->a, s->b);
    out->max = cm_vec3_max(s->a, s->b);
}

void cm_bounds_triangle(const cm_triangle *t, cm_aabb *out) {
    out->min = cm_vec3_min(cm_vec3_min(t->a, t->b), t->c);
    out->max = cm_vec3_max(cm_vec3_max(t->a, t->b), t->c);
}

void cm_bounds_capsule(const cm_capsule *c, cm_aabb *out) {
    double r = (double)c->radius;
    cm_segment s = {c->a, c->b};
    cm_aabb core;
    cm_bounds_segment(&s, &core);
    cm__point low = cm__point_of(core.min), high = cm__point_of(core.max), reach = cm__p(r, r, r);
    double slop = 2 * DBL_EPSILON * (wide_max(cm__point_largest(low), cm__point_largest(high)) + r);
    wide_box(cm__point_sub(low, reach), cm__point_add(high, reach), r > 0 ? slop : 0, out);
}

/* --- measures ----------------------------------------------------------------------------------------------------- */

cm_real cm_volume_sphere(const cm_sphere *s) {
    double r = (double)s->radius;
    return (cm_real)(4.0 / 3 * volume_pi * r * r * r);
}
cm_real cm_area_sphere(const cm_sphere *s) {
    double r = (double)s->radius;
    return (cm_real)(4 * volume_pi * r * r);
}
static cm_real half_volume(cm__point h) { return (cm_real)(8 * h.x * h.y * h.z); }
static cm_real half_area(cm__point h) { return (cm_real)(8 * (h.x * h.y + h.y * h.z + h.z * h.x)); }
static cm__point aabb_half_wide(const cm_aabb *b) {
    return cm__point_scale(cm__point_sub(cm__point_of(b->max), cm__point_of(b->min)), 0.5);
}
cm_real cm_volume_aabb(const cm_aabb *b) { return half_volume(aabb_half_wide(b)); }
cm_real cm_area_aabb(const cm_aabb *b) { return half_area(aabb_half_wide(b)); }
cm_real cm_volume_obb(const cm_obb *b) { return half_volume(cm__point_of(b->half)); }
cm_real cm_area_obb(const cm_obb *b) { return half_area(cm__point_of(b->half)); }
static double capsule_length(const cm_capsule *c) {
    return cm__point_length(cm__point_sub(cm__point_of(c->b), cm__point_of(c->a)));
}
/* A cylinder and a ball. */
cm_real cm_volume_capsule(const cm_capsule *c) {
    double r = (double)c->radius;
    return (cm_real)(volume_pi * r * r * (capsule_length(c) + 4.0 / 3 * r));
}
cm_real cm_area_capsule(const cm_capsule *c) {
    double r = (double)c->radius;
    return (cm_real)(2 * volume_pi * r * (capsule_length(c) + 2 * r));
}
cm_real cm_area_triangle(const cm_triangle *t) {
    cm__point a = cm__point_of(t->a);
    cm__point n = cm__point_normal(a, cm__point_of(t->b), cm__point_of(t->c));
    return (cm_real)(cm__point_length(n) / 2);
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

bool cm_plane_from_points(cm_vec3 a, cm_vec3 b, cm_vec3 c, cm_plane *out) {
    if (!cm_vec3_is_valid(a) || !cm_vec3_is_valid(b) || !cm_vec3_is_valid(c)) return false;
    cm__point p = cm__point_of(a), u = cm__point_sub(cm__point_of(b), p), v = cm__point_sub(cm__point_of(c), p);
    u = wide_normalize(u, cm__p(0, 0, 0)), v = wide_normalize(v, cm__p(0, 0, 0));
    cm__point n = cm__point_cross(u, v);
    double sine = cm__point_length(n);
    /* below the rounding of the points themselves the direction of n is noise */
    if (!(sine > 8 * (double)CM_REAL_EPSILON)) return false;
    n = cm__point_scale(n, 1 / sine);
    out->normal = cm__vec3_of(n);
    /* with the normal as rounded: the plane passes through a, and as close as can be by b and c */
    out->d = (cm_real)-cm__point_dot(cm__point_of(out->normal), p);
    return true;
}

bool cm_plane_from_equation(cm_real a, cm_real b, cm_real c, cm_real d, cm_plane *out) {
    cm__point n = cm__p((double)a, (double)b, (double)c);
    double size = cm__point_largest(n);
    if (!(size > 0 && size <= DBL_MAX)) return false;
    n = cm__p(n.x / size, n.y / size, n.z / size); /* so that no length leaves the range */
    double length = cm__point_length(n), far = (double)d / size / length;
    if (!(fabs(far) <= (double)CM_COORD_MAX)) return false;
    out->normal = cm__vec3_of(cm__point_scale(n, 1 / length));
    out->d = (cm_real)far;
    return true;
}

void cm_corners_obb(const cm_obb *box, cm_vec3 out[8]) {
    cm__frame turn = frame_of_quat(box->rotation);
    for (int i = 0; i < 8; i++) {
        cm__point local = cm__point_of(cm_v(i & 1 ? box->half.x : -box->half.x, i & 2 ? box->half.y : -box->half.y,
                                            i & 4 ? box->half.z : -box->half.z));
        out[i] = cm__vec3_of(cm__point_add(cm__point_of(box->center), frame_rotate(&turn, local)));
    }
}

/* The center as rounded, and the distance to the farthest corner from there. */
void cm_sphere_from_aabb(const cm_aabb *box, cm_sphere *out) {
    out->center = cm_aabb_center(box);
    cm__point c = cm__point_of(out->center), low = cm__point_of(box->min), high = cm__point_of(box->max);
    cm__point far = cm__p(wide_max(high.x - c.x, c.x - low.x), wide_max(high.y - c.y, c.y - low.y),
                          wide_max(high.z - c.z, c.z - low.z));
    out->radius = wide_up(cm__point_length(far) * (1 + 8 * DBL_EPSILON));
}

bool cm_sphere_contains(const cm_sphere *outer, const cm_sphere *inner) {
    cm__point d = cm__point_sub(cm__point_of(inner->center), cm__point_of(outer->center));
    double room = (double)outer->radius - (double)inner->radius;
    return room >= 0 && cm__point_dot(d, d) <= room * room;
}

/* The smallest sphere around two has the far ends of the line through both centers as its diameter. */
void cm_sphere_union(const cm_sphere *a, const cm_sphere *b, cm_sphere *out) {
    const cm_sphere first = *a, second = *b;
    if (cm_sphere_contains(&first, &second)) {
        *out = first;
        return;
    }
    if (cm_sphere_contains(&second, &first)) {
        *out = second;
        return;
    }
    cm__point p = cm__point_of(first.center), d = cm__point_sub(cm__point_of(second.center), p);
    double length = cm__point_length(d), ra = (double)first.radius, rb = (double)second.radius;
    double radius = (length + ra + rb) / 2;
    out->center = cm__vec3_of(cm__point_mul_add(p, (radius - ra) / length, d));
    cm__point c = cm__point_of(out->center); /* as rounded */
    double to_a = cm__point_length(cm__point_sub(p, c)) + ra;
    double to_b = cm__point_length(cm__point_sub(cm__point_of(second.center), c)) + rb;
    out->radius = wide_up(wide_max(to_a, to_b) * (1 + 8 * DBL_EPSILON));
}

/* a - b, rounded up to cm_real: the error of the difference is a double, and its sign is known exactly. */
static cm_real difference_up(double a, double b) {
    double d = a - b, back = d - a, error = (a - (d - back)) - (b + back);
    if (error > 0) d += fabs(d) * DBL_EPSILON;
    return wide_up(d);
}

void cm_obb_from_aabb(const cm_aabb *box, cm_obb *out) {
    out->center = cm_aabb_center(box);
    out->rotation = cm_quat_identity();
    cm__point c = cm__point_of(out->center), low = cm__point_of(box->min), high = cm__point_of(box->max);
    out->half = cm_v(cm_max(difference_up(high.x, c.x), difference_up(c.x, low.x)),
                     cm_max(difference_up(high.y, c.y), difference_up(c.y, low.y)),
                     cm_max(difference_up(high.z, c.z), difference_up(c.z, low.z)));
}

void cm_obb_posed(const cm_aabb *box, const cm_pose *pose, cm_obb *out) {
    cm_obb local;
    cm_obb_from_aabb(box, &local);
    local.center = cm_pose_apply(pose, local.center);
    local.rotation = pose->rotation;
    *out = local;
}

void cm_aabb_posed(const cm_aabb *box, const cm_pose *pose, cm_aabb *out) {
    cm__frame r = frame_of_quat(pose->rotation);
    cm__point low = cm__point_of(box->min), high = cm__point_of(box->max), h = aabb_half_wide(box);
    cm__point center = cm__point_scale(cm__point_add(low, high), 0.5);
    cm__point moved = cm__point_add(cm__point_of(pose->position), frame_rotate(&r, center));
    cm__point reach = turned_reach(&r, h);
    double slop = 16 * DBL_EPSILON * (cm__point_largest(cm__point_of(pose->position)) + wide_sum(center) + wide_sum(h));
    wide_box(cm__point_sub(moved, reach), cm__point_add(moved, reach), slop, out);
}
