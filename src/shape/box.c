/* A box around its own origin, given by half extents; with a radius, its edges and corners are rounded. */
#include "shape/shape.h"
#include "shape/scale.h"
#include "base/error.h"
#include "math/round.h"
#include "shape/ray.h"

static cm_status box_check(const cm_shape *shape, cm_error *error) {
    cm_vec3 h = shape->u.box;
    bool valid = cm_vec3_is_valid(h);
    if (valid && h.x >= 0 && h.y >= 0 && h.z >= 0) return CM_OK;
    return cm__refuse(error, valid ? CM_INVALID : CM_NOT_FINITE, "half", CM_NONE);
}

/* Along x the box reaches |axis_x.x| half.x + |axis_y.x| half.y + |axis_z.x| half.z from its center. */
static void box_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm_vec3 h = shape->u.box;
    cm_mat3 r = cm_mat3_from_quat(pose->rotation);
    r.x = cm_vec3_abs(r.x), r.y = cm_vec3_abs(r.y), r.z = cm_vec3_abs(r.z);
    cm_vec3 reach = cm_mat3_mul(&r, h);
    cm_aabb box = {cm_sub(pose->position, reach), cm_add(pose->position, reach)};
    *out = cm_aabb_grow(box, cm__pose_error(pose, cm_largest(h)));
}

static bool box_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    return cm__ray_box(ray, shape->u.box, shape->radius, out);
}

/* Corner i is at +half.x where bit 0 is set, +half.y for bit 1, +half.z for bit 2. */
static void box_polytope(const cm_shape *shape, const cm__frame *pose, cm__polytope *out) {
    static const uint8_t edges[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                         {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    cm__point h = cm__point_of(shape->u.box);
    out->axis[0] = pose ? pose->x : cm__p(1, 0, 0);
    out->axis[1] = pose ? pose->y : cm__p(0, 1, 0);
    out->axis[2] = pose ? pose->z : cm__p(0, 0, 1);
    out->center = pose ? pose->position : cm__p(0, 0, 0);
    out->half[0] = h.x, out->half[1] = h.y, out->half[2] = h.z;
    for (int i = 0; i < 3; i++) out->normal[i] = out->axis[i];
    for (int i = 0; i < 8; i++) {
        cm__point p = out->center;
        for (int k = 0; k < 3; k++) p = cm__point_mul_add(p, i >> k & 1 ? out->half[k] : -out->half[k], out->axis[k]);
        out->corner[i] = p;
    }
    for (int i = 0; i < 12; i++) out->edge[i][0] = edges[i][0], out->edge[i][1] = edges[i][1];
    out->corner_count = 8, out->edge_count = 12, out->axis_count = out->normal_count = 3;
}

static void box_core(const cm_shape *shape, cm__core *out) {
    cm__core_box(cm__point_of(shape->u.box), out);
    out->radius = (double)shape->radius;
}

/* The integral of x^2 over the positive octant of a box, rounded by r: the box itself and what lies beyond its faces,
 * edges (quarters of a cylinder) and corner (an eighth of a ball). */
static double box_octant(double x, double y, double z, double r) {
    const double pi = 3.14159265358979323846;
    double inner = x * x * x / 3, rr = r * r, disk = pi * rr / 4;
    double beyond = r * (x * x + x * r + rr / 3);                           /* over [x, x + r] */
    double quarter = disk * x * x + 2 * x * rr * r / 3 + pi * rr * rr / 16; /* over a quarter of a disk */
    double eighth = pi * rr * r / 6 * x * x + x * pi * rr * rr / 8 + pi * rr * rr * r / 30;
    return inner * (y * z + r * (y + z) + disk) + beyond * y * z + quarter * (y + z) + eighth;
}

static double box_reach(const cm_shape *shape, cm__point from) {
    const cm__point far = cm__p(fabs(from.x), fabs(from.y), fabs(from.z));
    return cm__point_length(cm__point_add(far, cm__point_of(shape->u.box)));
}

static cm_status box_mass(const cm_shape *shape, cm__mass_sum *out) {
    const double pi = 3.14159265358979323846;
    cm__point h = cm__point_of(shape->u.box);
    double r = (double)shape->radius, unit = cm__point_largest(h) + r > 0 ? cm__point_largest(h) + r : 1;
    h = cm__p(h.x / unit, h.y / unit, h.z / unit);
    r /= unit;
    double xx = 8 * box_octant(h.x, h.y, h.z, r), yy = 8 * box_octant(h.y, h.z, h.x, r);
    double zz = 8 * box_octant(h.z, h.x, h.y, r);
    out->unit = unit;
    out->volume = 8 * (h.x * h.y * h.z + r * (h.x * h.y + h.y * h.z + h.z * h.x) + pi * r * r / 4 * (h.x + h.y + h.z) +
                       pi * r * r * r / 6);
    out->center = cm__p(0, 0, 0);
    out->inertia[0] = yy + zz, out->inertia[1] = zz + xx, out->inertia[2] = xx + yy;
    out->inertia[3] = out->inertia[4] = out->inertia[5] = 0;
    return CM_OK;
}

static bool box_scale(cm_shape *io, cm_vec3 s) {
    if (io->radius > 0 && !scale_is_even(s)) return false;
    io->u.box = scale_point(io->u.box, cm_vec3_abs(s));
    return true;
}

static const cm_field box_fields[] = {CM__FIELD("half", VEC3, box)};

const cm__shape_ops cm__shape_box = {.name = "box",
                                     .shape_class = CM__POLYTOPE,
                                     .check = box_check,
                                     .bounds = box_bounds,
                                     .raycast = box_raycast,
                                     .polytope = box_polytope,
                                     .core = box_core,
                                     .reach = box_reach,
                                     .mass = box_mass,
                                     .scale = box_scale,
                                     CM__FIELDS(box_fields)};
