/* Cores with few corners: point, segment, triangle, box. Support points are exact: one of
 * the corners, the first of equals. */
#include "shape/core.h"
#include "math/round.h"

static double core_max(double a, double b) { return a > b ? a : b; }

static void core_start(const cm__core_ops *ops, uint32_t count, cm__core *out) {
    out->ops = ops;
    out->data = NULL;
    out->count = count;
    out->radius = 0;
    out->guess_error = 0;
}

static void facet_corner(cm__facet *out, cm__point p, uint32_t id, cm__point normal) {
    out->count = 1;
    out->number = CM_NONE;
    out->point[0] = p;
    out->id[0] = id;
    out->normal = normal;
}

/* Point, segment, triangle: their own support points are fast enough. */
static uint32_t few_core_near(const cm__core *core, cm_vec3 direction, uint32_t hint, cm_vec3 *from_center) {
    uint32_t id = hint;
    cm__point p = core->ops->support(core, cm__point_of(direction), &id);
    *from_center = cm__vec3_of(cm__point_sub(p, core->center));
    return id;
}

static double few_core_inner(const cm__core *core) {
    (void)core;
    return 0;
}

/* --- point ------------------------------------------------------------------------------------------------------ */

static cm__point point_core_support(const cm__core *core, cm__point direction, uint32_t *id) {
    (void)direction;
    *id = 0;
    return core->v[0];
}
static cm__point few_core_corner(const cm__core *core, uint32_t id) { return core->v[id]; }
static void point_core_facet(const cm__core *core, cm__point direction, cm__facet *out) {
    facet_corner(out, core->v[0], 0, direction);
}
void cm__core_point(cm__point p, cm__core *out) {
    static const cm__core_ops ops = {.support = point_core_support,
                                     .corner = few_core_corner,
                                     .facet = point_core_facet,
                                     .near = few_core_near,
                                     .inner = few_core_inner};
    core_start(&ops, 1, out);
    out->v[0] = out->center = p;
    out->size = 0;
}

/* --- segment ---------------------------------------------------------------------------------------------------- */

static cm__point segment_core_support(const cm__core *core, cm__point direction, uint32_t *id) {
    *id = cm__point_dot(direction, cm__point_sub(core->v[1], core->v[0])) > 0;
    return core->v[*id];
}
/* Always the whole of it: whether it lies along the contact is the clipping's to judge. */
static void segment_core_facet(const cm__core *core, cm__point direction, cm__facet *out) {
    facet_corner(out, core->v[0], 0, direction);
    if (cm__point_equal(core->v[0], core->v[1])) return;
    out->count = 2;
    out->point[1] = core->v[1];
    out->id[1] = 1;
}
static double segment_core_reach(const cm__core *core, cm__point d) {
    const double p = cm__point_dot(core->v[0], d), q = cm__point_dot(core->v[1], d);
    return p > q ? p : q;
}
static void segment_core_flats(const cm__core *core, cm__flats *out) {
    const cm__point along = cm__point_sub(core->v[1], core->v[0]);
    out->even = false;
    out->normals = 0;
    out->circles = cm__point_largest(along) > 0;
    out->axis[0] = wide_normalize(along, cm__p(1, 0, 0)), out->height[0] = 0;
}
void cm__core_segment(cm__point a, cm__point b, cm__core *out) {
    static const cm__core_ops ops = {.support = segment_core_support,
                                     .corner = few_core_corner,
                                     .facet = segment_core_facet,
                                     .near = few_core_near,
                                     .inner = few_core_inner,
                                     .reach = segment_core_reach,
                                     .flats = segment_core_flats};
    core_start(&ops, 2, out);
    out->v[0] = a, out->v[1] = b;
    out->center = cm__p(a.x / 2 + b.x / 2, a.y / 2 + b.y / 2, a.z / 2 + b.z / 2);
    out->size =
        core_max(cm__point_length(cm__point_sub(a, out->center)), cm__point_length(cm__point_sub(b, out->center)));
}

/* --- triangle --------------------------------------------------------------------------------------------------- */

/* The dots are taken from the first corner on: they do not round more because the triangle is far from its origin. */
static cm__point triangle_core_support(const cm__core *core, cm__point direction, uint32_t *id) {
    double b = cm__point_dot(direction, cm__point_sub(core->v[1], core->v[0]));
    double c = cm__point_dot(direction, cm__point_sub(core->v[2], core->v[0]));
    *id = b > 0 ? (c > b ? 2 : 1) : (c > 0 ? 2 : 0);
    return core->v[*id];
}
static void triangle_core_facet(const cm__core *core, cm__point direction, cm__facet *out) {
    const cm__point *v = core->v;
    cm__point ab = cm__point_sub(v[1], v[0]), ac = cm__point_sub(v[2], v[0]), bc = cm__point_sub(v[2], v[1]);
    double lab = cm__point_dot(ab, ab), lac = cm__point_dot(ac, ac), lbc = cm__point_dot(bc, bc);
    double longest = core_max(lab, core_max(lac, lbc));
    cm__point n = cm__point_cross(ab, ac);
    double nn = cm__point_dot(n, n);
    out->number = CM_NONE;
    out->normal = direction;
    if (!(longest > 0)) {
        facet_corner(out, v[0], 0, direction);
    } else if (!(nn > 1e-28 * longest * longest)) { /* no area: its longest edge */
        uint32_t from = longest == lbc ? 1 : 0, to = longest == lab ? 1 : 2;
        out->count = 2;
        out->point[0] = v[from], out->point[1] = v[to];
        out->id[0] = from, out->id[1] = to;
    } else {
        double side = cm__point_dot(n, direction) < 0 ? -1 : 1;
        out->count = 3;
        out->number = side < 0;
        out->normal = cm__point_scale(n, side / sqrt(nn));
        for (uint32_t i = 0; i < 3; i++) out->point[i] = v[i], out->id[i] = i;
    }
}
static double triangle_core_reach(const cm__core *core, cm__point d) {
    const double p = cm__point_dot(core->v[0], d), q = cm__point_dot(core->v[1], d), r = cm__point_dot(core->v[2], d);
    return core_max(core_max(p, q), r);
}
static void triangle_core_flats(const cm__core *core, cm__flats *out) {
    const cm__point *v = core->v, n = cm__point_normal(v[0], v[1], v[2]);
    out->even = false;
    out->normals = out->circles = 0;
    if (!(cm__point_largest(n) > 0)) return;
    out->normal[0] = wide_normalize(n, cm__p(1, 0, 0)), out->normal[1] = wide_neg(out->normal[0]);
    out->normals = 2, out->circles = 3;
    for (int i = 0; i < 3; i++) {
        out->axis[i] = wide_normalize(cm__point_sub(v[(i + 1) % 3], v[i]), cm__p(1, 0, 0));
        out->height[i] = 0;
    }
}
void cm__core_triangle(cm__point a, cm__point b, cm__point c, cm__core *out) {
    static const cm__core_ops ops = {.support = triangle_core_support,
                                     .corner = few_core_corner,
                                     .facet = triangle_core_facet,
                                     .near = few_core_near,
                                     .inner = few_core_inner,
                                     .reach = triangle_core_reach,
                                     .flats = triangle_core_flats};
    core_start(&ops, 3, out);
    out->v[0] = a, out->v[1] = b, out->v[2] = c;
    out->center = cm__p(a.x / 3 + b.x / 3 + c.x / 3, a.y / 3 + b.y / 3 + c.y / 3, a.z / 3 + b.z / 3 + c.z / 3);
    out->size = 0;
    for (int i = 0; i < 3; i++)
        out->size = core_max(out->size, cm__point_length(cm__point_sub(out->v[i], out->center)));
}

/* --- box -------------------------------------------------------------------------------------------------------- */

/* Corner i is at +half.x where bit 0 is set, +half.y for bit 1, +half.z for bit 2. */
static cm__point box_core_corner(const cm__core *core, uint32_t id) {
    const cm__point h = core->v[0]; /* times 1 or -1: without jumps, which nothing could predict */
    const int x = (int)(id & 1), y = (int)(id >> 1 & 1), z = (int)(id >> 2 & 1);
    return cm__p(h.x * (2 * x - 1), h.y * (2 * y - 1), h.z * (2 * z - 1));
}
static cm__point box_core_support(const cm__core *core, cm__point direction, uint32_t *id) {
    *id = (uint32_t)(direction.x > 0) | (uint32_t)(direction.y > 0) << 1 | (uint32_t)(direction.z > 0) << 2;
    return box_core_corner(core, *id);
}
/* A box without thickness along an axis still has both its faces there. */
static void box_core_facet(const cm__core *core, cm__point direction, cm__facet *out) {
    double d[3] = {direction.x, direction.y, direction.z};
    uint32_t axis = fabs(d[1]) > fabs(d[0]) ? 1 : 0;
    if (fabs(d[2]) > fabs(d[axis])) axis = 2;
    uint32_t u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3, up = d[axis] > 0, base = up << axis;
    const uint32_t corners[4] = {base, base | u, base | u | v, base | v};
    double side = up ? 1 : -1;
    out->count = 4;
    out->number = 2 * axis + up;
    out->normal = cm__p(axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0);
    for (int i = 0; i < 4; i++) out->point[i] = box_core_corner(core, corners[i]), out->id[i] = corners[i];
}
static uint32_t box_core_near(const cm__core *core, cm_vec3 d, uint32_t hint, cm_vec3 *from_center) {
    cm_vec3 h = cm__vec3_of(core->v[0]);
    (void)hint;
    *from_center = cm_v(d.x > 0 ? h.x : -h.x, d.y > 0 ? h.y : -h.y, d.z > 0 ? h.z : -h.z);
    return (uint32_t)(d.x > 0) | (uint32_t)(d.y > 0) << 1 | (uint32_t)(d.z > 0) << 2;
}
static cm__point box_core_closest(const cm__core *core, cm__point to) {
    const cm__point h = core->v[0];
    return cm__p(cm__least(cm__most(to.x, -h.x), h.x), cm__least(cm__most(to.y, -h.y), h.y),
                 cm__least(cm__most(to.z, -h.z), h.z));
}
static double box_core_inner(const cm__core *core) {
    cm__point h = core->v[0];
    double least = h.x < h.y ? h.x : h.y;
    return least < h.z ? least : h.z;
}
static double box_core_reach(const cm__core *core, cm__point d) {
    return fabs(d.x) * core->v[0].x + fabs(d.y) * core->v[0].y + fabs(d.z) * core->v[0].z;
}
static void box_core_flats(const cm__core *core, cm__flats *out) {
    (void)core;
    out->even = true;
    out->normals = 6, out->circles = 3;
    for (int i = 0; i < 3; i++) {
        out->axis[i] = cm__p(i == 0, i == 1, i == 2), out->height[i] = 0;
        out->normal[2 * i] = out->axis[i], out->normal[2 * i + 1] = wide_neg(out->axis[i]);
    }
}
void cm__core_box(cm__point half, cm__core *out) {
    static const cm__core_ops ops = {.support = box_core_support,
                                     .corner = box_core_corner,
                                     .facet = box_core_facet,
                                     .near = box_core_near,
                                     .inner = box_core_inner,
                                     .closest = box_core_closest,
                                     .reach = box_core_reach,
                                     .flats = box_core_flats};
    core_start(&ops, 8, out);
    out->v[0] = half;
    out->center = cm__p(0, 0, 0);
    out->size = cm__point_length(half);
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

void cm__core_bounds(const cm__core *core, const cm_pose *pose, cm_aabb *out) {
    cm__frame f = frame_of_pose(pose);
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        cm__point axis = frame_unrotate(&f, cm__p(i == 0, i == 1, i == 2));
        uint32_t id = CM_NONE;
        high[i] = cm__point_dot(axis, core->ops->support(core, axis, &id));
        low[i] = cm__point_dot(axis, core->ops->support(core, cm__point_scale(axis, -1), &id));
        if (low[i] > high[i]) { /* a support function of the caller's that lies */
            double swap = low[i];
            low[i] = high[i], high[i] = swap;
        }
    }
    cm__point p = f.position;
    out->min = cm__vec3_of(cm__p(low[0] + p.x, low[1] + p.y, low[2] + p.z));
    out->max = cm__vec3_of(cm__p(high[0] + p.x, high[1] + p.y, high[2] + p.z));
    cm_real size = (cm_real)(core->size + cm__point_largest(core->center));
    *out = cm_aabb_grow(*out, cm__pose_error(pose, size));
}
