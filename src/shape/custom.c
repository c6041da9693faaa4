/* A convex shape of the caller's own: its support function is all that is known of it.
 *
 * What the function says is made safe first: a point that is not finite, or outside of the stated size, counts as the
 * center. So every answer is one for some set of points within the size, and no search can run away; whether it is
 * right is up to the function. A function that says so already at the first probe is refused as a bad shape. */
#include "shape/shape.h"
#include "base/error.h"
#include "math/wide.h"
#include "shape/ray.h"

static bool custom_is_finite(cm__point p) {
    return fabs(p.x) <= DBL_MAX && fabs(p.y) <= DBL_MAX && fabs(p.z) <= DBL_MAX;
}

static bool custom_ask(const cm_custom *c, cm__point d, cm__point *out) {
    const double direction[3] = {d.x, d.y, d.z};
    double p[3] = {0, 0, 0};
    c->support(c->user, direction, p);
    *out = cm__p(p[0], p[1], p[2]);
    if (!custom_is_finite(*out)) return false;
    double off = cm__point_length(cm__point_sub(*out, cm__point_of(c->center)));
    double room = (double)c->size * (1 + 8 * (double)CM_REAL_EPSILON);
    return off <= room + 8 * DBL_EPSILON * wide_sum(cm__point_of(c->center));
}

static cm_status custom_check(const cm_shape *shape, cm_error *error) {
    const cm_custom *c = &shape->u.custom;
    cm__point p;
    if (!c->support) return cm__refuse(error, CM_INVALID, "support", CM_NONE);
    if (!cm_vec3_is_valid(c->center)) return cm__refuse(error, CM_NOT_FINITE, "center", CM_NONE);
    if (!cm_is_coord(c->size)) return cm__refuse(error, CM_NOT_FINITE, "size", CM_NONE);
    if (c->size < 0) return cm__refuse(error, CM_INVALID, "size", CM_NONE);
    if (!custom_ask(c, cm__p(1, 0, 0), &p))
        return cm__refuse(error, custom_is_finite(p) ? CM_INVALID : CM_NOT_FINITE, "support", CM_NONE);
    return CM_OK;
}

static cm__point custom_core_support(const cm__core *core, cm__point d, uint32_t *id) {
    *id = CM_NONE;
    cm__point p;
    double largest = cm__point_largest(d);
    if (!(largest > 0 && largest <= DBL_MAX)) d = cm__p(1, 0, 0);
    if (largest > 1e100 || largest < 1e-100) d = wide_normalize(d, cm__p(1, 0, 0));
    return custom_ask(core->data, d, &p) ? p : core->center;
}

/* Which points around belong to one side is not known: a corner. */
static void custom_core_facet(const cm__core *core, cm__point d, cm__facet *out) {
    out->count = 1;
    out->number = CM_NONE;
    out->normal = d;
    out->point[0] = custom_core_support(core, d, &out->id[0]);
    out->id[0] = 0;
}

static void custom_core(const cm_shape *shape, cm__core *out) {
    static const cm__core_ops ops = {.support = custom_core_support, .facet = custom_core_facet};
    out->ops = &ops;
    out->data = &shape->u.custom;
    out->count = 0;
    out->radius = (double)shape->radius;
    out->guess_error = 0;
    out->center = cm__point_of(shape->u.custom.center);
    out->size = (double)shape->u.custom.size;
}

static void custom_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm__core core;
    custom_core(shape, &core);
    cm__core_bounds(&core, pose, out);
}

static const cm_field custom_fields[] = {
    CM__FIELD("support", POINTER, custom.support), CM__FIELD("user", POINTER, custom.user),
    CM__FIELD("center", VEC3, custom.center), CM__FIELD("size", REAL, custom.size)};

const cm__shape_ops cm__shape_custom = {.name = "custom",
                                        .shape_class = CM__CONVEX,
                                        .check = custom_check,
                                        .bounds = custom_bounds,
                                        .core = custom_core,
                                        .raycast = cm__ray_core,
                                        CM__FIELDS(custom_fields)};
