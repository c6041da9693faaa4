/* Bounds over a triangle: by four planes, and by the heights over a surface. */
#include "pair/extent_bounds.h"

#include "math/closest.h"
#include "math/wide.h"
#include "pair/mesh_leaf.h"

#include <math.h>

/* It is highest at a corner, where two planes cross an edge, or where three planes meet. */
double cm__highest_of_lowest(double h[4][3]) {
    double best = -DBL_MAX;
    double w[3 + 18 + 4][3];
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        w[count][i] = 1, w[count][(i + 1) % 3] = 0, w[count][(i + 2) % 3] = 0;
        ++count;
    }
    for (int k = 0; k < 4; ++k) {
        for (int l = 0; l < k; ++l) {
            double d[3] = {h[k][0] - h[l][0], h[k][1] - h[l][1], h[k][2] - h[l][2]};
            for (int i = 0; i < 3; ++i) {
                int j = (i + 1) % 3;
                if (!((d[i] > 0) != (d[j] > 0))) continue;
                double t = d[i] / (d[i] - d[j]);
                w[count][i] = 1 - t, w[count][j] = t, w[count][(i + 2) % 3] = 0;
                ++count;
            }
        }
    }
    for (int out = 0; out < 4; ++out) { /* the three planes but `out` are equally high at w: both differences vanish */
        const double *p = h[(out + 1) % 4], *q = h[(out + 2) % 4], *r = h[(out + 3) % 4];
        cm__point d = cm__p(p[0] - q[0], p[1] - q[1], p[2] - q[2]), e = cm__p(p[0] - r[0], p[1] - r[1], p[2] - r[2]);
        cm__point at = cm__point_cross(d, e);
        double sum = at.x + at.y + at.z;
        if (sum == 0) continue;
        at = cm__point_scale(at, 1 / sum);
        if (!(at.x >= 0 && at.y >= 0 && at.z >= 0)) continue;
        w[count][0] = at.x, w[count][1] = at.y, w[count][2] = at.z;
        ++count;
    }
    for (int c = 0; c < count; ++c) {
        double low = DBL_MAX;
        for (int k = 0; k < 4; ++k) low = wide_min(low, w[c][0] * h[k][0] + w[c][1] * h[k][1] + w[c][2] * h[k][2]);
        best = wide_max(best, low);
    }
    return best;
}

/* A point over or under the triangle v: its barycentric coordinates there, and its height. */
typedef struct bounds_point {
    double weight[3], height;
} bounds_point;

static cm__point bounds_center(const cm__point v[3]) {
    return cm__point_scale(cm__point_add(cm__point_add(v[0], v[1]), v[2]), 1.0 / 3);
}

/* How far an upright triangle is tilted out of the direction it is seen along: enough for its weights not to round, and
 * so little that it is not spread over more of the surface than needed. */
#define BOUNDS_TILT 0.05

static cm__point bounds_normal(const cm__point y[3]) { return cm__point_normal(y[0], y[1], y[2]); }

/* false where v has no area, or there is no normal. An upright v is seen along one that is tilted out of its plane. */
static bool bounds_base_of(const cm__point y[3], cm__point n, const cm__point v[3], double slack, cm__sheet *out) {
    const double length = cm__point_length(n);
    if (!(length > 0)) return false;
    n = cm__point_scale(n, 1 / length);
    const cm__point u = cm__point_sub(v[1], v[0]), w = cm__point_sub(v[2], v[0]);
    const cm__point across = cm__point_cross(u, w);
    /* the weights round by 2^-52 / area of a unit triangle */
    const double least = 1e-6 * cm__point_length(u) * cm__point_length(w);
    double area = cm__point_dot(n, across);
    out->begun = fabs(area) > least;
    if (!out->begun) {
        const double twice = cm__point_length(across);
        if (!(twice > 0)) return false;
        n = cm__point_mul_add(n, BOUNDS_TILT / twice, across);
        n = cm__point_scale(n, 1 / cm__point_length(n));
        area = cm__point_dot(n, across);
        if (!(fabs(area) > least)) return false;
    }
    out->normal = n;
    out->at = y[0];
    out->axis[1] = cm__point_scale(cm__point_cross(w, n), 1 / area);
    out->axis[2] = cm__point_scale(cm__point_cross(n, u), 1 / area);
    out->axis[0] = cm__point_scale(cm__point_add(out->axis[1], out->axis[2]), -1);
    double radius = 0;
    cm__point center = bounds_center(v);
    for (int i = 0; i < 3; ++i) {
        out->offset[i] = (i == 0) - cm__point_dot(out->axis[i], v[0]);
        out->height[i] = cm__point_dot(n, cm__point_sub(v[i], out->at));
        radius = wide_max(radius, cm__point_length(cm__point_sub(v[i], center)));
    }
    /* shrunk about its center by the factor 1 - 3 inset, no point of it moves farther than `slack` */
    out->inset = wide_min(slack / (3 * radius), 0.25);
    return true;
}

static bounds_point bounds_at(const cm__sheet *base, cm__point p) {
    bounds_point q;
    for (int i = 0; i < 3; ++i) q.weight[i] = base->offset[i] + cm__point_dot(base->axis[i], p);
    q.height = cm__point_dot(base->normal, cm__point_sub(p, base->at));
    return q;
}

/* Does the edge run below v, by more than its rim? */
static bool bounds_runs_below(const cm__sheet *base, const bounds_point *from, const bounds_point *to) {
    double first = 0, last = 1;
    for (int i = 0; i < 3; ++i) {
        double a = from->weight[i] - base->inset, b = to->weight[i] - base->inset;
        if (a <= 0 && b <= 0) return false;
        if (a < 0) first = wide_max(first, a / (a - b));
        if (b < 0) last = wide_min(last, a / (a - b));
    }
    return first < last;
}

/* What of the triangle y is over or under v, where all three weights are at least `inset`: at most six corners. */
static int bounds_clip(const bounds_point y[3], double inset, bounds_point out[6]) {
    bounds_point in[6];
    int count = 3;
    for (int i = 0; i < 3; ++i) out[i] = y[i];
    for (int i = 0; i < 3; ++i) {
        bool cut = false;
        for (int k = 0; k < count; ++k) cut = cut || !(out[k].weight[i] >= inset);
        if (!cut) continue;
        for (int k = 0; k < count; ++k) in[k] = out[k];
        int kept = 0;
        for (int k = 0; k < count; ++k) {
            const bounds_point *a = &in[k], *b = &in[k + 1 < count ? k + 1 : 0];
            double at_a = a->weight[i] - inset, at_b = b->weight[i] - inset;
            if (at_a >= 0) out[kept++] = *a;
            if ((at_a > 0 && at_b < 0) || (at_a < 0 && at_b > 0)) {
                double t = at_a / (at_a - at_b);
                bounds_point *p = &out[kept++];
                for (int j = 0; j < 3; ++j) p->weight[j] = a->weight[j] + t * (b->weight[j] - a->weight[j]);
                p->weight[i] = inset;
                p->height = a->height + t * (b->height - a->height);
            }
        }
        count = kept;
    }
    return count;
}

/* How far from the triangle y the point of v with these weights is: its height over it at most. */
static double bounds_distance(const cm__point v[3], const double w[3], const cm__point y[3]) {
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__sheet_point(v, w), y[0], y[1], y[2], &c);
    return cm__point_length(c.gap);
}

/* The height of v's plane over the point. */
static double bounds_rise(const cm__sheet *sheet, const bounds_point *p) {
    const double *w = p->weight, *height = sheet->height;
    return w[0] * height[0] + w[1] * height[1] + w[2] * height[2] - p->height;
}

/* How far v is from the triangle y at most where it is over it, and where it is under it. The distance from a triangle
 * is convex, so it is greatest at a corner of what is common to both; a height is only taken for it up to `enough`.
 * Where v's plane is within `known` of all of y, that will do. */
static void bounds_heights(cm__sheet *sheet, const cm_mesh *mesh, uint32_t face, const cm__point v[3],
                           const bounds_point corner[3], double known, double enough) {
    cm__point y[3];
    bounds_point polygon[6];
    double rise[3], most = 0;
    for (int i = 0; i < 3; ++i) rise[i] = bounds_rise(sheet, &corner[i]), most = wide_max(most, fabs(rise[i]));
    const bool close = most <= known;
    int count = close ? 3 : bounds_clip(corner, 0, polygon);
    for (int k = 0; k < count; ++k) {
        const double *weight = close ? corner[k].weight : polygon[k].weight;
        const double at = close ? rise[k] : bounds_rise(sheet, &polygon[k]);
        const int under = at < 0;
        double far = fabs(at);
        const double level = close ? corner[k].height : polygon[k].height;
        sheet->level[0] = wide_min(sheet->level[0], level);
        sheet->level[1] = wide_max(sheet->level[1], level);
        sheet->high[under] = wide_max(sheet->high[under], far);
        if (far > sheet->far[under] && far > enough) {
            extent_corners(mesh, face, y);
            far = wide_min(far, bounds_distance(v, weight, y));
        }
        if (!(far > sheet->far[under])) continue;
        sheet->far[under] = far;
        sheet->under[under] = face;
        for (int j = 0; j < 3; ++j) sheet->where[under][j] = weight[j];
    }
}

static bool sheet_has(const cm__sheet *sheet, uint32_t face) {
    for (int k = 0; k < sheet->count; ++k)
        if (sheet->face[k] == face) return true;
    return false;
}

/* A triangle of the mesh over or under which p lies along the normal (NULL: the triangle's own), a few steps across
 * edges from `near`; CM_NONE where there is none. */
enum { SHEET_STEPS = 16 };
static uint32_t sheet_start(const cm_mesh *mesh, uint32_t near, const cm__point *along, cm__point p, cm__point y[3]) {
    for (int step = 0; step < SHEET_STEPS; ++step) {
        extent_corners(mesh, near, y);
        cm__point normal = along ? *along : bounds_normal(y);
        uint32_t edge = 0;
        for (; edge < 3; ++edge) {
            cm__point side = cm__point_sub(y[(edge + 1) % 3], y[edge]);
            if (cm__point_dot(cm__point_cross(normal, side), cm__point_sub(p, y[edge])) < 0) break;
        }
        if (edge == 3) return near;
        uint32_t across = cm__mesh_neighbors(mesh)[3 * (size_t)near + edge];
        if (across == CM_NONE) break;
        near = across / 3;
    }
    return CM_NONE;
}

/* Twice the area of the triangle over that of v; negative where, as seen along the normal, they run opposite ways. */
static double bounds_area_ratio(const bounds_point corner[3]) {
    const double *a = corner[0].weight, *b = corner[1].weight, *c = corner[2].weight;
    return (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
}

bool cm__sheet_below(const cm_mesh *mesh, uint32_t near, const cm__point *along, const cm__point v[3], double slack,
                     double known, double enough, cm__sheet *out) {
    cm__point y[3];
    bounds_point corner[CM__SHEET_LIMIT][3];
    const uint32_t *neighbors = cm__mesh_neighbors(mesh), *corners = cm__mesh_corners(mesh);
    const cm_vec3 *points = cm__mesh_points(mesh);
    out->begun = false;
    uint32_t below = sheet_start(mesh, near, along, bounds_center(v), y);
    if (below == CM_NONE || !bounds_base_of(y, along ? *along : bounds_normal(y), v, slack, out)) return false;
    /* seen along a tilted direction another triangle lies below the center: from one that does not, no edge leads on */
    if (!out->begun) below = sheet_start(mesh, below, &out->normal, bounds_center(v), y);
    if (below == CM_NONE) return false;
    out->far[0] = out->far[1] = out->high[0] = out->high[1] = 0;
    out->level[0] = DBL_MAX, out->level[1] = -DBL_MAX;
    out->count = 1;
    out->face[0] = below;
    for (int i = 0; i < 3; ++i) corner[0][i] = bounds_at(out, y[i]);
    const double up = cm__point_dot(bounds_normal(v), out->normal) < 0 ? -1 : 1;
    for (int k = 0; k < out->count; ++k) {
        const bounds_point *here = corner[k];
        if (!(up * bounds_area_ratio(here) > 0)) return false;
        bounds_heights(out, mesh, out->face[k], v, here, known, enough);
        for (int e = 0; e < 3; ++e) {
            const bounds_point *from = &here[e], *to = &here[e < 2 ? e + 1 : 0];
            const uint32_t across = neighbors[3 * (size_t)out->face[k] + (size_t)e];
            const uint32_t face = across / 3, back = across % 3;
            if (across != CM_NONE && sheet_has(out, face)) continue;
            if (!bounds_runs_below(out, from, to)) continue;
            if (across == CM_NONE) return false;
            if (out->count == CM__SHEET_LIMIT) return false;
            bounds_point *there = corner[out->count]; /* but for one, its corners are known */
            const uint32_t next = (back + 1) % 3, last = (back + 2) % 3;
            there[back] = *to, there[next] = *from;
            there[last] = bounds_at(out, cm__point_of(points[corners[3 * (size_t)face + last]]));
            out->face[out->count++] = face;
        }
    }
    return true;
}

bool cm__sheet_may_settle(const cm_mesh *mesh, const uint32_t near[3], const cm__point v[3], double enough,
                          uint32_t *flat) {
    const cm__point own = bounds_normal(v);
    double most = -1;
    for (int i = 0; i < 3; ++i) {
        cm__point y[3];
        extent_corners(mesh, near[i], y);
        const cm__point normal = bounds_normal(y);
        const double square = cm__point_dot(normal, normal), height = cm__point_dot(normal, cm__point_sub(v[i], y[0]));
        if (!(height * height <= enough * enough * square)) return false;
        const double slope = cm__point_dot(own, normal);
        if (!(slope * slope > most * square)) continue;
        most = slope * slope / square;
        *flat = near[i];
    }
    return most >= 0;
}

/* Does the polygon come between v and the sheet, or within `slack` of that? Over v the sheet rises no higher than
 * high[1], and under it it lies no deeper than high[0]. */
static bool sheet_shares(const cm__sheet *sheet, const bounds_point polygon[6], int count, double slack) {
    bool over = true, under = true; /* higher than that, or deeper */
    for (int k = 0; k < count; ++k) {
        const double rise = bounds_rise(sheet, &polygon[k]);
        over = over && -rise > sheet->high[1] + slack;
        under = under && rise > sheet->high[0] + slack;
    }
    return count > 0 && !over && !under;
}

bool cm__sheet_is_alone(const cm_mesh *mesh, const cm__point v[3], double slack, const cm__sheet *sheet) {
    cm_aabb box = extent_box(v, 2 * slack);
    for (int side = 0; side < 2; ++side) {
        cm__point at[3];
        for (int i = 0; i < 3; ++i)
            at[i] = cm__point_mul_add(v[i], sheet->level[side] - sheet->height[i], sheet->normal);
        box = cm_aabb_union(box, extent_box(at, 2 * slack));
    }
    cm__leaf_walk walk;
    cm__leaf_walk_start(mesh, &box, &walk);
    for (uint32_t at; (at = cm__leaf_walk_next(&walk)) != CM_NONE;) {
        const uint32_t t = walk.tree.items[at];
        if (sheet_has(sheet, t)) continue;
        cm__point y[3];
        bounds_point corner[3], polygon[6];
        extent_corners(mesh, t, y);
        for (int k = 0; k < 3; ++k) corner[k] = bounds_at(sheet, y[k]);
        if (sheet_shares(sheet, polygon, bounds_clip(corner, sheet->inset, polygon), slack)) return false;
    }
    return true;
}
