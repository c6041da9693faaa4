/* Spheres around points; the smallest one exactly.
 *
 * The smallest ball is carried by 2, 3 or 4 of the points (1 where all coincide). Starting from one point, the farthest
 * point outside the ball so far joins its at most 4 supports, and the smallest ball around those 5 is found by trying
 * every subset that could carry it; its radius strictly grows, so no set of supports comes twice [Gaertner99]. Radius
 * and center are then rounded to cm_real, and the radius enlarged to the farthest point from the rounded center: every
 * point is inside in exact arithmetic. Bound: 1000 rounds (real sets take about 10); stopping early costs tightness,
 * never containment. Coordinates are taken relative to the first point and scaled, so size and distance from the origin
 * do not matter. */
#include "bound/points.h"

typedef struct ball {
    cm__point center;
    double square; /* of the radius; < 0: no ball */
    int count;
    cm__point support[4];
} ball;

/* The ball with all of p[0 .. n-1] on its surface and its center in their hull's plane: n <= 4. In coordinates relative
 * to p[0]: the center c solves 2 (p_i - p_0).c = |p_i - p_0|^2. False where they do not span enough. */
static bool ball_through(const cm__point *p, int n, ball *out) {
    cm__point d[3], c = cm__p(0, 0, 0);
    for (int i = 1; i < n; i++) d[i - 1] = cm__point_sub(p[i], p[0]);
    if (n == 2) {
        c = cm__point_scale(d[0], 0.5);
    } else if (n == 3) {
        /* the circle's center: ((|d0|^2 d1 - |d1|^2 d0) x (d0 x d1)) / (2 |d0 x d1|^2) */
        cm__point m = cm__point_cross(d[0], d[1]);
        double mm = cm__point_dot(m, m), d0 = cm__point_dot(d[0], d[0]), d1 = cm__point_dot(d[1], d[1]);
        if (!(mm > 1e-26 * d0 * d1)) return false;
        cm__point w = cm__point_sub(cm__point_scale(d[1], d0), cm__point_scale(d[0], d1));
        c = cm__point_scale(cm__point_cross(w, m), 0.5 / mm);
    } else if (n == 4) {
        cm__point x01 = cm__point_cross(d[0], d[1]), x12 = cm__point_cross(d[1], d[2]),
                  x20 = cm__point_cross(d[2], d[0]);
        double det = cm__point_dot(d[0], x12);
        double s0 = cm__point_dot(d[0], d[0]), s1 = cm__point_dot(d[1], d[1]), s2 = cm__point_dot(d[2], d[2]);
        if (!(det * det > 1e-26 * s0 * s1 * s2)) return false;
        c = cm__point_scale(cm__point_mul_add(cm__point_mul_add(cm__point_scale(x12, s0), s1, x20), s2, x01),
                            0.5 / det);
    }
    out->center = cm__point_add(p[0], c);
    out->square = cm__point_dot(c, c);
    out->count = n;
    for (int i = 0; i < n; i++) out->support[i] = p[i];
    return true;
}

static double ball_perpendicular_to(const ball *b, cm__point p) {
    cm__point d = cm__point_sub(p, b->center);
    return cm__point_dot(d, d);
}

/* The smallest ball around p[0 .. n-1], n <= 5, with p[n-1] on its surface; by trying all supports that hold it. */
static bool ball_of_few(const cm__point *p, int n, ball *best) {
    best->square = -1;
    for (int mask = 0; mask < 1 << (n - 1); mask++) {
        cm__point chosen[5];
        int count = 0;
        chosen[count++] = p[n - 1];
        for (int i = 0; i < n - 1; i++)
            if (mask >> i & 1) chosen[count++] = p[i];
        ball b;
        if (count > 4 || !ball_through(chosen, count, &b)) continue;
        if (best->square >= 0 && b.square >= best->square) continue;
        bool holds = true;
        for (int i = 0; i < n && holds; i++) holds = ball_perpendicular_to(&b, p[i]) <= b.square * (1 + 1e-11) + 1e-300;
        if (holds) *best = b;
    }
    return best->square >= 0;
}

int cm__bound_ball(cm__point (*at)(const void *user, uint32_t i), const void *user, uint32_t count, cm__point *center,
                   double *radius) {
    cm__point origin = at(user, 0);
    double size = 0;
    for (uint32_t i = 0; i < count; i++) size = wide_max(size, cm__point_largest(cm__point_sub(at(user, i), origin)));
    *center = origin;
    *radius = 0;
    if (!(size > 0)) return 1;
    ball b = {.center = cm__p(0, 0, 0), .square = 0, .count = 1};
    b.support[0] = b.center;
    for (int round = 0; round < 1000; round++) {
        double far = -1;
        cm__point farthest = b.center;
        for (uint32_t i = 0; i < count; i++) {
            cm__point p = cm__point_scale(cm__point_sub(at(user, i), origin), 1 / size);
            double square = ball_perpendicular_to(&b, p);
            if (square > far) far = square, farthest = p;
        }
        if (far <= b.square * (1 + 1e-14)) break;
        cm__point p[5];
        for (int i = 0; i < b.count; i++) p[i] = b.support[i];
        p[b.count] = farthest;
        ball next;
        if (!ball_of_few(p, b.count + 1, &next) || !(next.square > b.square)) break; /* as good as rounding allows */
        b = next;
    }
    *center = cm__point_mul_add(origin, size, b.center);
    *radius = size * sqrt(b.square);
    return b.count;
}

/* The sphere around `center`, as rounded, that holds all points in exact arithmetic: the distance in double is right to
 * 4 ulps of double, and is rounded up. */
static void sphere_around(const cm_points *points, cm__point center, cm_sphere *out) {
    out->center = cm__vec3_of(center);
    cm__point c = cm__point_of(out->center);
    double far = 0;
    for (uint32_t i = 0; i < points->count; i++) {
        cm__point d = cm__point_sub(points_at(points, i), c);
        far = wide_max(far, cm__point_dot(d, d));
    }
    double r = sqrt(far);
    if (!(r > 1e-140)) { /* the squares are below the range of double: take the lengths themselves */
        r = 0;
        for (uint32_t i = 0; i < points->count; i++)
            r = wide_max(r, cm__point_length(cm__point_sub(points_at(points, i), c)));
    }
    out->radius = wide_up(r * (1 + 8 * DBL_EPSILON));
}

static cm__point sphere_point_at(const void *user, uint32_t i) { return points_at((const cm_points *)user, i); }

int cm_fit_sphere(const cm_points *points, cm_sphere *out) {
    if (!points_are_valid(points)) return 0;
    cm__point center;
    double radius;
    int supports = cm__bound_ball(sphere_point_at, points, points->count, &center, &radius);
    sphere_around(points, center, out);
    return supports;
}

bool cm_fit_sphere_from_box(const cm_points *points, cm_sphere *out) {
    cm_aabb box;
    if (!cm_fit_aabb(points, &box)) return false;
    sphere_around(points, cm__point_scale(cm__point_add(cm__point_of(box.min), cm__point_of(box.max)), 0.5), out);
    return true;
}

bool cm_fit_sphere_from_mean(const cm_points *points, cm_sphere *out) {
    if (!points_are_valid(points)) return false;
    cm__point origin = points_at(points, 0), sum = cm__p(0, 0, 0);
    for (uint32_t i = 0; i < points->count; i++)
        sum = cm__point_mul_add(sum, 1.0 / points->count, cm__point_sub(points_at(points, i), origin));
    sphere_around(points, cm__point_add(origin, sum), out);
    return true;
}

bool cm_fit_sphere_at(const cm_points *points, cm_vec3 center, cm_sphere *out) {
    if (!points_are_valid(points) || !cm_vec3_is_valid(center)) return false;
    sphere_around(points, cm__point_of(center), out);
    return true;
}

bool cm_fit_sphere_through(const cm_vec3 points[4], cm_sphere *out) {
    const cm_points all = {&points[0].x, sizeof points[0], 4};
    cm__point p[4];
    double size = 0;
    if (!points_are_valid(&all)) return false;
    for (int i = 0; i < 4; i++) {
        p[i] = cm__point_sub(cm__point_of(points[i]), cm__point_of(points[0]));
        size = wide_max(size, cm__point_largest(p[i]));
    }
    for (int i = 0; i < 4; i++) p[i] = cm__point_scale(p[i], size > 0 ? 1 / size : 0);
    /* six times the tetrahedron's volume; below what the rounding of the corners makes, it is noise */
    double volume = fabs(cm__point_dot(p[1], cm__point_cross(p[2], p[3])));
    double edges = cm__point_length(p[1]) * cm__point_length(p[2]) * cm__point_length(p[3]);
    ball b;
    if (!(volume > 8 * (double)CM_REAL_EPSILON * edges) || !ball_through(p, 4, &b)) return false;
    cm__point center = cm__point_mul_add(cm__point_of(points[0]), size, b.center);
    if (!(cm__point_largest(center) + size * sqrt(b.square) <= (double)CM_COORD_MAX)) return false;
    sphere_around(&all, center, out);
    return true;
}
