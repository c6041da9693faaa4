/* Cores with few corners: point, segment, triangle, box, and the hull of a few points. Support points are exact: one of
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
    static const cm__core_ops ops = {point_core_support, NULL,          few_core_corner,
                                     point_core_facet,   few_core_near, few_core_inner};
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
void cm__core_segment(cm__point a, cm__point b, cm__core *out) {
    static const cm__core_ops ops = {segment_core_support, NULL,          few_core_corner,
                                     segment_core_facet,   few_core_near, few_core_inner};
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
void cm__core_triangle(cm__point a, cm__point b, cm__point c, cm__core *out) {
    static const cm__core_ops ops = {triangle_core_support, NULL,          few_core_corner,
                                     triangle_core_facet,   few_core_near, few_core_inner};
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
    cm__point h = core->v[0];
    return cm__p(id & 1 ? h.x : -h.x, id & 2 ? h.y : -h.y, id & 4 ? h.z : -h.z);
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
static double box_core_inner(const cm__core *core) {
    cm__point h = core->v[0];
    double least = h.x < h.y ? h.x : h.y;
    return least < h.z ? least : h.z;
}
void cm__core_box(cm__point half, cm__core *out) {
    static const cm__core_ops ops = {box_core_support, NULL,          box_core_corner,
                                     box_core_facet,   box_core_near, box_core_inner};
    core_start(&ops, 8, out);
    out->v[0] = half;
    out->center = cm__p(0, 0, 0);
    out->size = cm__point_length(half);
}

/* --- a few points ----------------------------------------------------------------------------------------------- */

static cm__point points_core_corner(const cm__core *core, uint32_t id) {
    return cm__point_of(((const cm_vec3 *)core->data)[id]);
}
static cm__point points_core_support(const cm__core *core, cm__point direction, uint32_t *id) {
    const cm_vec3 *p = core->data;
    cm__point first = cm__point_of(p[0]);
    double most = 0;
    uint32_t best = 0;
    for (uint32_t i = 1; i < core->count; i++) {
        double d = cm__point_dot(direction, cm__point_sub(cm__point_of(p[i]), first));
        if (d > most) most = d, best = i;
    }
    *id = best;
    return points_core_corner(core, best);
}

/* The face through the farthest corner that leans least away from the direction, by gift wrapping: turn a plane square
 * to the direction about the corner until it meets a second one, then about that edge until it meets a third. Points on
 * the plane make the polygon. */
static bool points_core_wrap(const cm__core *core, cm__point direction, cm__facet *out);

static void points_core_facet(const cm__core *core, cm__point direction, cm__facet *out) {
    uint32_t id = 0;
    cm__point top = points_core_support(core, direction, &id);
    facet_corner(out, top, id, direction);
    if (core->count > 1 && core->size > 0 && !points_core_wrap(core, direction, out))
        facet_corner(out, top, id, direction);
}

/* Adds p to a polygon kept in order around `normal`, corners only; the points are those of a plane. */
static void polygon_add(cm__facet *f, cm__point p, uint32_t id, double tolerance) {
    for (int i = 0; i < f->count; i++)
        if (cm__point_length(cm__point_sub(p, f->point[i])) <= tolerance) return;
    if (f->count < CM__FACET_MAX) f->point[f->count] = p, f->id[f->count++] = id;
}

/* Orders the collected points around their normal and drops those that are no corners: a planar gift wrapping. */
static void polygon_order(cm__facet *f, double tolerance) {
    cm__facet in = *f;
    cm__point n = f->normal;
    int start = 0;
    cm__point along = fabs(n.x) < 0.6 ? cm__p(1, 0, 0) : cm__p(0, 1, 0);
    for (int i = 1; i < in.count; i++) {
        cm__point d = cm__point_sub(in.point[i], in.point[start]);
        if (cm__point_dot(d, along) < 0) start = i;
    }
    int at = start;
    f->count = 0;
    do {
        f->point[f->count] = in.point[at], f->id[f->count++] = in.id[at];
        int next = -1;
        for (int i = 0; i < in.count; i++) {
            if (i == at) continue;
            if (next < 0) {
                next = i;
                continue;
            }
            cm__point to = cm__point_sub(in.point[next], in.point[at]), d = cm__point_sub(in.point[i], in.point[at]);
            double turn = cm__point_dot(n, cm__point_cross(to, d)), l = cm__point_length(to);
            if (turn < -tolerance * l || (turn <= tolerance * l && cm__point_dot(d, d) > cm__point_dot(to, to)))
                next = i;
        }
        at = next;
    } while (at >= 0 && at != start && f->count < in.count);
}

static bool points_core_wrap(const cm__core *core, cm__point direction, cm__facet *out) {
    const cm_vec3 *p = core->data;
    double tolerance = 1e-12 * core->size;
    cm__point top = out->point[0];
    /* the edge from the top that falls least, measured by the slope against the direction */
    uint32_t second = CM_NONE;
    double best = -DBL_MAX;
    for (uint32_t i = 0; i < core->count; i++) {
        cm__point e = cm__point_sub(cm__point_of(p[i]), top);
        double l = cm__point_length(e);
        if (!(l > tolerance)) continue;
        double slope = cm__point_dot(e, direction) / l;
        if (slope > best) best = slope, second = i;
    }
    if (second == CM_NONE) return false;
    cm__point edge = cm__point_sub(cm__point_of(p[second]), top);
    edge = cm__point_scale(edge, 1 / cm__point_length(edge));
    cm__point up = cm__point_mul_add(direction, -cm__point_dot(direction, edge), edge);
    double lu = cm__point_length(up);
    if (!(lu > 1e-9)) { /* the direction lies along the edge: no side looks there */
        out->count = 2;
        out->point[1] = cm__point_of(p[second]), out->id[1] = second;
        return cm__point_dot(edge, direction) < 0.5;
    }
    up = cm__point_scale(up, 1 / lu);
    cm__point side = cm__point_cross(edge, up);
    /* both faces at the edge: to either side the point that falls least; keep the one that leans less */
    cm__point normal[2];
    bool found[2] = {false, false};
    for (int k = 0; k < 2; k++) {
        double least = DBL_MAX;
        cm__point s = cm__point_scale(side, k ? -1 : 1);
        for (uint32_t i = 0; i < core->count; i++) {
            cm__point e = cm__point_sub(cm__point_of(p[i]), top);
            double x = cm__point_dot(e, s), fall = -cm__point_dot(e, up);
            if (!(x > tolerance) || !(fall / x < least)) continue;
            least = fall / x;
            double l = sqrt(1 + least * least);
            normal[k] = cm__point_scale(cm__point_mul_add(up, least, s), 1 / l);
            found[k] = true;
        }
    }
    if (!found[0] && !found[1]) {
        out->count = 2;
        out->point[1] = cm__point_of(p[second]), out->id[1] = second;
        out->normal = up;
        return true;
    }
    int k = !found[0] || (found[1] && cm__point_dot(normal[1], direction) > cm__point_dot(normal[0], direction));
    out->normal = normal[k];
    out->count = 0;
    uint32_t lowest = CM_NONE;
    for (uint32_t i = 0; i < core->count; i++) {
        cm__point q = cm__point_of(p[i]);
        if (fabs(cm__point_dot(cm__point_sub(q, top), normal[k])) > 1e-9 * core->size) continue;
        polygon_add(out, q, i, tolerance);
        if (i < lowest) lowest = i;
    }
    polygon_order(out, tolerance);
    out->number = out->count >= 3 ? lowest : CM_NONE; /* faces of the same lowest corner share a number */
    return out->count >= 1;
}

void cm__core_points(const cm_vec3 *points, uint32_t count, cm__core *out) {
    static const cm__core_ops ops = {points_core_support, NULL, points_core_corner, points_core_facet, NULL, NULL};
    core_start(&ops, count, out);
    out->data = points;
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < count; i++) box = cm_aabb_add_point(box, points[i]);
    cm__point low = cm__point_of(box.min), high = cm__point_of(box.max);
    out->center = cm__p(low.x / 2 + high.x / 2, low.y / 2 + high.y / 2, low.z / 2 + high.z / 2);
    out->size = 0;
    for (uint32_t i = 0; i < count; i++)
        out->size = core_max(out->size, cm__point_length(cm__point_sub(cm__point_of(points[i]), out->center)));
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

void cm__core_bounds(const cm__core *core, const cm_pose *pose, cm_aabb *out) {
    cm__frame f = frame_of_pose(pose);
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        cm__point axis = frame_unturn(&f, cm__p(i == 0, i == 1, i == 2));
        uint32_t id = CM_NONE;
        high[i] = cm__point_dot(axis, core->ops->support(core, axis, &id));
        low[i] = cm__point_dot(axis, core->ops->support(core, cm__point_scale(axis, -1), &id));
    }
    cm__point p = f.position;
    out->min = cm__vec3_of(cm__p(low[0] + p.x, low[1] + p.y, low[2] + p.z));
    out->max = cm__vec3_of(cm__p(high[0] + p.x, high[1] + p.y, high[2] + p.z));
    cm_real size = (cm_real)(core->size + cm__point_largest(core->center));
    *out = cm_aabb_grow(*out, cm__pose_error(pose, size));
}
