/* A triangle: three points, in any position; degenerate ones are segments or points. */
#include "shape/shape.h"
#include "shape/scale.h"
#include "base/error.h"
#include "math/round.h"
#include "shape/ray.h"

static cm_status triangle_check(const cm_shape *shape, cm_error *error) {
    const cm_triangle *t = &shape->u.triangle;
    bool a = cm_vec3_is_valid(t->a), b = cm_vec3_is_valid(t->b);
    if (a && b && cm_vec3_is_valid(t->c)) return CM_OK;
    return cm__refuse(error, CM_NOT_FINITE, !a ? "a" : !b ? "b" : "c", CM_NONE);
}

static void triangle_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    const cm_triangle *t = &shape->u.triangle;
    cm_aabb box = cm_aabb_empty();
    box = cm_aabb_add_point(box, cm_pose_apply(pose, t->a));
    box = cm_aabb_add_point(box, cm_pose_apply(pose, t->b));
    box = cm_aabb_add_point(box, cm_pose_apply(pose, t->c));
    cm_real size = cm_max(cm_largest(t->a), cm_max(cm_largest(t->b), cm_largest(t->c)));
    *out = cm_aabb_grow(box, cm__pose_error(pose, size));
}

static bool triangle_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    const cm_triangle *t = &shape->u.triangle;
    return cm__ray_triangle(ray, t->a, t->b, t->c, shape->radius, out);
}

static void triangle_polytope(const cm_shape *shape, const cm__frame *pose, cm__polytope *out) {
    const cm_triangle *t = &shape->u.triangle;
    out->corner[0] = cm__point_of(t->a);
    out->corner[1] = cm__point_of(t->b);
    out->corner[2] = cm__point_of(t->c);
    for (int i = 0; i < 3 && pose; i++) out->corner[i] = frame_apply(pose, out->corner[i]);
    out->center =
        cm__point_scale(cm__point_add(cm__point_add(out->corner[0], out->corner[1]), out->corner[2]), 1.0 / 3);
    out->corner_count = 3;
}
static void triangle_sides(cm__polytope *out) {
    out->edge_count = out->axis_count = 3;
    for (int i = 0; i < 3; i++) {
        int j = i < 2 ? i + 1 : 0;
        out->edge[i][0] = (uint8_t)i, out->edge[i][1] = (uint8_t)j;
        out->axis[i] = wide_normalize(cm__point_sub(out->corner[j], out->corner[i]), cm__p(0, 0, 0));
    }
    /* Of the three products of sides, which all point the same way, the one of the largest sine. Rounding tilts it
     * by an ulp over that sine; along the longest side, where that would show, the tilt is taken out again. */
    cm__point n = cm__point_cross(out->axis[0], out->axis[1]);
    int longest = 0;
    double most = -1, sine = cm__point_dot(n, n);
    for (int i = 0; i < 3; i++) {
        int j = i < 2 ? i + 1 : 0;
        cm__point side = cm__point_sub(out->corner[j], out->corner[i]), m = cm__point_cross(out->axis[i], out->axis[j]);
        double length = cm__point_dot(side, side), mm = cm__point_dot(m, m);
        if (length > most) most = length, longest = i;
        if (mm > sine) sine = mm, n = m;
    }
    out->normal_count = cm__point_largest(n) > 0;
    n = wide_normalize(n, cm__p(1, 0, 0));
    cm__point along = out->axis[longest];
    out->normal[0] = wide_normalize(cm__point_mul_add(n, -cm__point_dot(n, along), along), n);
}

static void triangle_core(const cm_shape *shape, cm__core *out) {
    cm__core_triangle(cm__point_of(shape->u.triangle.a), cm__point_of(shape->u.triangle.b),
                      cm__point_of(shape->u.triangle.c), out);
    out->radius = (double)shape->radius;
}

/* Without a radius nothing; with one, two prisms, three half cylinders and three corners. Without area: the longest of
 * its edges, as a capsule. */
static cm_status triangle_mass(const cm_shape *shape, cm__mass_sum *out) {
    const cm_vec3 *corner = &shape->u.triangle.a;
    cm__point a = cm__point_of(corner[0]), p[3], from;
    double unit = (double)shape->radius, longest = -1;
    int end = 0;
    for (int i = 0; i < 3; i++) {
        double length = cm__point_length(cm__point_sub(cm__point_of(corner[(i + 1) % 3]), cm__point_of(corner[i])));
        if (length > longest) longest = length, end = i;
    }
    unit += longest;
    if (!(unit > 0)) unit = 1;
    for (int i = 0; i < 3; i++) p[i] = cm__point_scale(cm__point_sub(cm__point_of(corner[i]), a), 1 / unit);
    cm__point ab = cm__point_sub(p[1], p[0]), ac = cm__point_sub(p[2], p[0]), n = cm__point_cross(ab, ac);
    if (shape->radius > 0 && !(cm__point_length(n) > 1e-14 * longest * longest / (unit * unit))) {
        cm_shape capsule = cm_make_capsule(corner[end], corner[(end + 1) % 3], shape->radius);
        return cm__shape_segment.mass(&capsule, out);
    }
    cm__moments m = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    double r = (double)shape->radius / unit;
    n = wide_normalize(n, cm__p(0, 0, 0));
    cm__point back = wide_neg(n), centroid = cm__point_scale(cm__point_add(ab, ac), 1.0 / 3);
    from = cm__point_add(cm__point_scale(a, 1 / unit), centroid); /* of no volume: the middle */
    for (int i = 0; i < 3; i++) p[i] = cm__point_sub(p[i], centroid);
    for (int i = 0; i < 3 && r > 0; i++) {
        cm__point next = p[(i + 1) % 3], before = p[(i + 2) % 3];
        if (i == 0) {
            cm__moments_add_prism(&m, p[0], p[1], p[2], n, r);
            cm__moments_add_prism(&m, p[0], p[1], p[2], back, r);
        }
        cm__moments_add_wedge(&m, p[i], next, n, back, r);
        cm__corner_sum s = {0};
        cm__point to_next = wide_normalize(cm__point_sub(next, p[i]), n);
        cm__point to_before = wide_normalize(cm__point_sub(before, p[i]), n);
        cm__corner_add_edge(&s, to_next, n, back);
        cm__corner_add_edge(&s, to_before, back, n);
        cm__moments_add_corner(&m, p[i], &s, r);
    }
    cm__mass_of_moments(&m, from, unit, out);
    return CM_OK;
}

static bool triangle_scale(cm_shape *io, cm_vec3 s) {
    cm_vec3 *corner[3] = {&io->u.triangle.a, &io->u.triangle.b, &io->u.triangle.c};
    if (io->radius > 0 && !scale_is_even(s)) return false;
    for (int i = 0; i < 3; i++) *corner[i] = scale_point(*corner[i], s);
    return true;
}

static const cm_field triangle_fields[] = {CM__FIELD("a", VEC3, triangle.a), CM__FIELD("b", VEC3, triangle.b),
                                           CM__FIELD("c", VEC3, triangle.c)};

const cm__shape_ops cm__shape_triangle = {.name = "triangle",
                                          .shape_class = CM__POLYTOPE,
                                          .check = triangle_check,
                                          .bounds = triangle_bounds,
                                          .raycast = triangle_raycast,
                                          .corners = 3,
                                          .polytope = triangle_polytope,
                                          .polytope_sides = triangle_sides,
                                          .core = triangle_core,
                                          .mass = triangle_mass,
                                          .scale = triangle_scale,
                                          CM__FIELDS(triangle_fields)};
