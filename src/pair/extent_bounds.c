/* Bounds over a triangle: by four planes, and by the heights over a surface. */
#include "pair/extent_bounds.h"

#include "math/wide.h"

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

/* A point over the triangle v: its barycentric coordinates there, and its height over a plane. */
typedef struct bounds_point {
    double weight[3], height;
} bounds_point;

typedef struct bounds_base {
    cm__point normal, at; /* heights are measured along it, from this point */
    cm__point axis[3];    /* weight[i] of p = offset[i] + dot(axis[i], p) */
    double offset[3];     /* */
    double height[3];     /* of v's corners */
    double inset;         /* weights are kept at least this large: v without a rim */
} bounds_base;

/* false where either triangle has no area, or v stands upright over the other. */
static bool bounds_base_of(const cm__point y[3], const cm__point v[3], double slack, bounds_base *out) {
    cm__point n = cm__point_cross(cm__point_sub(y[1], y[0]), cm__point_sub(y[2], y[0]));
    double length = cm__point_length(n);
    if (!(length > 0)) return false;
    out->normal = n = cm__point_scale(n, 1 / length);
    out->at = y[0];
    cm__point u = cm__point_sub(v[1], v[0]), w = cm__point_sub(v[2], v[0]);
    double area = cm__point_dot(n, cm__point_cross(u, w));
    /* the weights round by 2^-52 / area of a unit triangle: upright ones are left to other bounds */
    if (!(fabs(area) > 1e-6 * cm__point_length(u) * cm__point_length(w))) return false;
    out->axis[1] = cm__point_scale(cm__point_cross(w, n), 1 / area);
    out->axis[2] = cm__point_scale(cm__point_cross(n, u), 1 / area);
    out->axis[0] = cm__point_scale(cm__point_add(out->axis[1], out->axis[2]), -1);
    double radius = 0;
    cm__point center = cm__point_scale(cm__point_add(cm__point_add(v[0], v[1]), v[2]), 1.0 / 3);
    for (int i = 0; i < 3; ++i) {
        out->offset[i] = (i == 0) - cm__point_dot(out->axis[i], v[0]);
        out->height[i] = cm__point_dot(n, cm__point_sub(v[i], out->at));
        radius = wide_max(radius, cm__point_length(cm__point_sub(v[i], center)));
    }
    /* shrunk about its center by the factor 1 - 3 inset, no point of it moves farther than `slack` */
    out->inset = wide_min(slack / (3 * radius), 0.25);
    return true;
}

static bounds_point bounds_at(const bounds_base *base, cm__point p) {
    bounds_point q;
    for (int i = 0; i < 3; ++i) q.weight[i] = base->offset[i] + cm__point_dot(base->axis[i], p);
    q.height = cm__point_dot(base->normal, cm__point_sub(p, base->at));
    return q;
}

/* Does the edge run below v, by more than its rim? */
static bool bounds_runs_below(const bounds_base *base, const bounds_point *from, const bounds_point *to) {
    double first = 0, last = 1;
    for (int i = 0; i < 3; ++i) {
        double a = from->weight[i] - base->inset, b = to->weight[i] - base->inset;
        if (a <= 0 && b <= 0) return false;
        if (a < 0) first = wide_max(first, a / (a - b));
        if (b < 0) last = wide_min(last, a / (a - b));
    }
    return first < last;
}

/* The greatest |height of v over the triangle y| where both are. */
static double bounds_highest(const bounds_base *base, const bounds_point y[3]) {
    bounds_point polygon[2][6]; /* clipped by three lines: at most six corners */
    int count = 3, from = 0;
    for (int i = 0; i < 3; ++i) polygon[0][i] = y[i];
    for (int i = 0; i < 3; ++i, from = 1 - from) {
        const bounds_point *in = polygon[from];
        bounds_point *out = polygon[1 - from];
        int kept = 0;
        for (int k = 0; k < count; ++k) {
            const bounds_point *a = &in[k], *b = &in[k + 1 < count ? k + 1 : 0];
            double at_a = a->weight[i], at_b = b->weight[i];
            if (at_a >= 0) out[kept++] = *a;
            if ((at_a > 0 && at_b < 0) || (at_a < 0 && at_b > 0)) {
                double t = at_a / (at_a - at_b);
                bounds_point *p = &out[kept++];
                for (int j = 0; j < 3; ++j) p->weight[j] = a->weight[j] + t * (b->weight[j] - a->weight[j]);
                p->weight[i] = 0;
                p->height = a->height + t * (b->height - a->height);
            }
        }
        count = kept;
    }
    double most = 0;
    for (int k = 0; k < count; ++k) {
        const bounds_point *p = &polygon[from][k];
        double over = p->weight[0] * base->height[0] + p->weight[1] * base->height[1] + p->weight[2] * base->height[2];
        most = wide_max(most, fabs(over - p->height));
    }
    return most;
}

static void bounds_corners(const cm_mesh *mesh, uint32_t triangle, cm__point out[3]) {
    cm_triangle t = cm__mesh_triangle(mesh, triangle);
    out[0] = cm__point_of(t.a), out[1] = cm__point_of(t.b), out[2] = cm__point_of(t.c);
}

double cm__height_over_surface(const cm_mesh *mesh, uint32_t below, const cm__point v[3], double slack) {
    enum { BOUNDS_LIMIT = 48 };
    uint32_t face[BOUNDS_LIMIT];
    cm__point y[3];
    bounds_base base;
    bounds_corners(mesh, below, y);
    if (!bounds_base_of(y, v, slack, &base)) return DBL_MAX;
    cm__point center = cm__point_scale(cm__point_add(cm__point_add(v[0], v[1]), v[2]), 1.0 / 3);
    for (int i = 0; i < 3; ++i) {
        cm__point edge = cm__point_sub(y[(i + 1) % 3], y[i]);
        if (cm__point_dot(cm__point_cross(base.normal, edge), cm__point_sub(center, y[i])) < 0) return DBL_MAX;
    }
    double most = 0;
    int count = 1;
    face[0] = below;
    for (int k = 0; k < count; ++k) {
        bounds_point corner[3];
        bounds_corners(mesh, face[k], y);
        for (int i = 0; i < 3; ++i) corner[i] = bounds_at(&base, y[i]);
        cm__point up = cm__point_cross(cm__point_sub(y[1], y[0]), cm__point_sub(y[2], y[0]));
        if (!(cm__point_dot(up, base.normal) > 0)) return DBL_MAX;
        most = wide_max(most, bounds_highest(&base, corner));
        for (int e = 0; e < 3; ++e) {
            if (!bounds_runs_below(&base, &corner[e], &corner[(e + 1) % 3])) continue;
            uint32_t across = cm__mesh_neighbors(mesh)[3 * (size_t)face[k] + (size_t)e];
            if (across == CM_NONE || count == BOUNDS_LIMIT) return DBL_MAX;
            across /= 3;
            int known = 0;
            while (known < count && face[known] != across) ++known;
            if (known == count) face[count++] = across;
        }
    }
    return most + slack;
}
