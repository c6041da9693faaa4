/* An ellipsoid along its own axes; flat where a half axis is 0. */
#include "shape/shape.h"
#include "shape/scale.h"
#include "base/error.h"
#include "shape/ray.h"

static cm_status ellipsoid_check(const cm_shape *shape, cm_error *error) {
    cm_vec3 h = shape->u.ellipsoid;
    bool valid = cm_vec3_is_valid(h);
    if (valid && h.x >= 0 && h.y >= 0 && h.z >= 0) return CM_OK;
    return cm__refuse(error, valid ? CM_INVALID : CM_NOT_FINITE, "half", CM_NONE);
}

static void ellipsoid_core(const cm_shape *shape, cm__core *out) {
    cm__core_ellipsoid(cm__point_of(shape->u.ellipsoid), out);
    out->radius = (double)shape->radius;
}

static void ellipsoid_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm__core core;
    ellipsoid_core(shape, &core);
    cm__core_bounds(&core, pose, out);
}

/* A ball squeezed along the axes; with a radius only where it is a ball: else its surface is an elliptic integral. */
static cm_status ellipsoid_mass(const cm_shape *shape, cm__mass_sum *out) {
    cm__point h = cm__point_of(shape->u.ellipsoid);
    double s = (double)shape->radius, unit = cm__point_largest(h) + s;
    if (s > 0 && !(h.x == h.y && h.y == h.z)) return CM_UNSUPPORTED;
    if (!(unit > 0)) unit = 1;
    h = cm__p((h.x + s) / unit, (h.y + s) / unit, (h.z + s) / unit);
    double v = 4 * 3.14159265358979323846 / 3 * h.x * h.y * h.z;
    double xx = v * h.x * h.x / 5, yy = v * h.y * h.y / 5, zz = v * h.z * h.z / 5;
    out->unit = unit, out->volume = v;
    out->center = cm__p(0, 0, 0);
    out->inertia[0] = yy + zz, out->inertia[1] = zz + xx, out->inertia[2] = xx + yy;
    out->inertia[3] = out->inertia[4] = out->inertia[5] = 0;
    return CM_OK;
}

static bool ellipsoid_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    if (shape->radius > 0) return cm__ray_core(ray, shape, out);
    return cm__ray_ellipsoid(ray, cm__point_of(shape->u.ellipsoid), out);
}

static bool ellipsoid_scale(cm_shape *io, cm_vec3 s) {
    if (io->radius > 0 && !scale_is_even(s)) return false;
    io->u.ellipsoid = scale_point(io->u.ellipsoid, cm_vec3_abs(s));
    return true;
}

/* The points of a sphere, scaled: those of its support would bunch at the rim of what is flat. */
static void ellipsoid_picture(cm__picture *p, const cm_shape *shape) {
    cm_vec3 h = shape->u.ellipsoid;
    cm__point d;
    for (int i = 0; cm__picture_direction(p, i, &d); i++)
        if (d.x != 0 || d.y != 0 || d.z != 0)
            cm__picture_corner(p, cm__vec3_of(cm__p(d.x * (double)h.x, d.y * (double)h.y, d.z * (double)h.z)));
    cm__picture_hull(p, shape->radius);
}

static const cm_field ellipsoid_fields[] = {CM__FIELD("half", VEC3, ellipsoid)};

static bool ellipsoid_axis(const cm_shape *shape, bool *any, cm__point *out) {
    const cm_vec3 e = shape->u.ellipsoid;
    *any = e.x == e.y && e.y == e.z;
    *out = cm__p(0, 0, 1);
    if (*any) return true;
    if (e.y == e.z) *out = cm__p(1, 0, 0);
    if (e.z == e.x) *out = cm__p(0, 1, 0);
    return e.x == e.y || e.y == e.z || e.z == e.x;
}

const cm__shape_ops cm__shape_ellipsoid = {.name = "ellipsoid",
                                           .shape_class = CM__CONVEX,
                                           .check = ellipsoid_check,
                                           .bounds = ellipsoid_bounds,
                                           .core = ellipsoid_core,
                                           .curved = cm__shape_is_curved,
                                           .axis = ellipsoid_axis,
                                           .mass = ellipsoid_mass,
                                           .raycast = ellipsoid_raycast,
                                           .scale = ellipsoid_scale,
                                           .picture = ellipsoid_picture,
                                           CM__FIELDS(ellipsoid_fields)};
