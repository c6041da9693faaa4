/* A half-space: everything on or behind a plane; a radius moves the plane forward. */
#include "shape/shape.h"
#include "shape/scale.h"
#include "base/error.h"
#include "math/round.h"
#include "shape/ray.h"

static cm_status halfspace_check(const cm_shape *shape, cm_error *error) {
    const cm_plane *plane = &shape->u.halfspace;
    cm_real nn = cm_dot(plane->normal, plane->normal);
    cm_status status = CM_OK;
    const char *field = "normal";
    if (!cm_vec3_is_valid(plane->normal)) {
        status = CM_NOT_FINITE;
    } else if (!(nn >= CM_REAL(0.998) && nn <= CM_REAL(1.002))) {
        status = CM_INVALID;
    } else if (!cm_is_coord(plane->d)) {
        status = CM_NOT_FINITE;
        field = "d";
    }
    return status == CM_OK ? CM_OK : cm__refuse(error, status, field, CM_NONE);
}

/* Endless on every side, but for a normal exactly along an axis, which bounds that side. The radius is within. */
static void halfspace_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm_vec3 n = cm_rotate(pose->rotation, shape->u.halfspace.normal);
    cm_real level = cm_dot(n, pose->position) - shape->u.halfspace.d + shape->radius;
    level += cm__pose_error(pose, cm_abs(shape->u.halfspace.d) + shape->radius);
    out->min = cm_v(-CM_REAL_MAX, -CM_REAL_MAX, -CM_REAL_MAX);
    out->max = cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX);
    if (n.y == 0 && n.z == 0) {
        if (n.x > 0)
            out->max.x = level / n.x;
        else
            out->min.x = level / n.x;
    } else if (n.x == 0 && n.z == 0) {
        if (n.y > 0)
            out->max.y = level / n.y;
        else
            out->min.y = level / n.y;
    } else if (n.x == 0 && n.y == 0) {
        if (n.z > 0)
            out->max.z = level / n.z;
        else
            out->min.z = level / n.z;
    }
}

static bool halfspace_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    return cm__ray_halfspace(ray, &shape->u.halfspace, shape->radius, out);
}

/* n.p + d <= 0 for p = q / s, component by component; the radius moves the plane out before an uneven scale. */
static bool halfspace_scale(cm_shape *io, cm_vec3 s) {
    cm_plane *plane = &io->u.halfspace;
    cm__point n = cm__point_of(plane->normal);
    n = cm__p(n.x / (double)s.x, n.y / (double)s.y, n.z / (double)s.z);
    double length = cm__point_length(n), d = (double)plane->d;
    if (!scale_is_even(s)) d -= (double)io->radius, io->radius = 0;
    if (!(length > 0 && length <= DBL_MAX)) return false;
    plane->normal = cm__vec3_of(cm__point_scale(n, 1 / length));
    plane->d = (cm_real)(d / length);
    return true;
}

/* Its square, with a side along the axis that is least along the normal. */
static void halfspace_picture(cm__picture *p, const cm_shape *shape) {
    cm_vec3 n = cm_normalize(shape->u.halfspace.normal, cm_v(0, 0, 1)), along = {1, 0, 0};
    if (cm_abs(n.y) < cm_abs(n.x)) along = cm_v(0, 1, 0);
    if (cm_abs(n.z) < cm_min(cm_abs(n.x), cm_abs(n.y))) along = cm_v(0, 0, 1);
    cm_vec3 v = cm_scale(cm_normalize(cm_cross(n, along), along), p->extent), u = cm_cross(v, n);
    cm_vec3 middle = cm_scale(n, shape->radius - shape->u.halfspace.d);
    uint32_t a = cm__picture_point(p, cm_sub(cm_sub(middle, u), v)),
             b = cm__picture_point(p, cm_sub(cm_add(middle, u), v));
    uint32_t c = cm__picture_point(p, cm_add(cm_add(middle, u), v)),
             d = cm__picture_point(p, cm_add(cm_sub(middle, u), v));
    cm__picture_triangle(p, a, b, c);
    cm__picture_triangle(p, a, c, d);
}

static const cm_field halfspace_fields[] = {CM__FIELD("normal", VEC3, halfspace.normal),
                                            CM__FIELD("d", REAL, halfspace.d)};

const cm__shape_ops cm__shape_halfspace = {.name = "halfspace",
                                           .shape_class = CM__HALFSPACE,
                                           .check = halfspace_check,
                                           .bounds = halfspace_bounds,
                                           .raycast = halfspace_raycast,
                                           .scale = halfspace_scale,
                                           .picture = halfspace_picture,
                                           CM__FIELDS(halfspace_fields)};
