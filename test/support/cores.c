/* The hull of a few points as a core that shares nothing with the library's hulls. */
#include "support/cores.h"

#include <math.h>

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

/* The face through the farthest corner that leans least away from the direction, by gift wrapping: turn a plane square
 * to the direction about the corner until it meets a second one, then about that edge until it meets a third. Points on
 * the plane make the polygon. */
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

static void points_core_top(cm__facet *out, cm__point p, uint32_t id, cm__point normal) {
    out->count = 1;
    out->number = CM_NONE;
    out->point[0] = p;
    out->id[0] = id;
    out->normal = normal;
}

static void points_core_facet(const cm__core *core, cm__point direction, cm__facet *out) {
    uint32_t id = 0;
    cm__point top = points_core_support(core, direction, &id);
    points_core_top(out, top, id, direction);
    if (core->count > 1 && core->size > 0 && !points_core_wrap(core, direction, out))
        points_core_top(out, top, id, direction);
}

void core_of_points(const cm_vec3 *points, uint32_t count, cm__core *out) {
    static const cm__core_ops ops = {
        .support = points_core_support, .corner = points_core_corner, .facet = points_core_facet};
    memset(out, 0, sizeof *out);
    out->ops = &ops;
    out->data = points;
    out->count = count;
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < count; i++) box = cm_aabb_add_point(box, points[i]);
    cm__point low = cm__point_of(box.min), high = cm__point_of(box.max);
    out->center = cm__p(low.x / 2 + high.x / 2, low.y / 2 + high.y / 2, low.z / 2 + high.z / 2);
    for (uint32_t i = 0; i < count; i++)
        out->size = fmax(out->size, cm__point_length(cm__point_sub(cm__point_of(points[i]), out->center)));
}
