#include "support/triangles.h"

#include <math.h>

static const char *const pair_names[PAIR_KINDS] = {
    "random",           "small grid",         "coplanar on a grid",
    "near coplanar",    "shared corner",      "shared edge",
    "corner on face",   "corner on edge",     "edge on edge",
    "degenerate",       "degenerate on face", "needles",
    "crossing needles", "posed walls",        "tenths",
    "near touching",    "far from origin",    "mixed sizes",
    "parallel",
};
const char *triangle_pair_name(int kind) { return pair_names[kind]; }

static int rng_int(rng *r, int lo, int hi) { return lo + (int)rng_below(r, (uint32_t)(hi - lo + 1)); }
static cm_vec3 grid_point(rng *r, int half) {
    int x = rng_int(r, -half, half), y = rng_int(r, -half, half), z = rng_int(r, -half, half);
    return cm_v((cm_real)x, (cm_real)y, (cm_real)z);
}
static void random_triangle(rng *r, cm_vec3 t[3]) {
    for (int i = 0; i < 3; i++) t[i] = rng_vec3(r, 1);
}
static void grid_triangle(rng *r, int half, cm_vec3 t[3]) {
    for (int i = 0; i < 3; i++) t[i] = grid_point(r, half);
}
/* A point of the triangle with weights n/16: exact for grid triangles whose coordinates are multiples of 16. */
static cm_vec3 sixteenth_point(rng *r, const cm_vec3 t[3]) {
    int u = rng_int(r, 0, 16), v = rng_int(r, 0, 16 - u), w = 16 - u - v;
    cm_vec3 p = cm_scale(t[0], (cm_real)u / 16);
    p = cm_mul_add(p, (cm_real)v / 16, t[1]);
    return cm_mul_add(p, (cm_real)w / 16, t[2]);
}
static cm_real coin(rng *r) { return rng_below(r, 2) ? CM_REAL(1) : CM_REAL(-1); }
/* The neighboring number, up or down, or the number itself. */
static cm_real nudge(rng *r, cm_real x) {
    int way = rng_int(r, -1, 1);
    cm_real to = way < 0 ? -CM_REAL_MAX : CM_REAL_MAX;
    if (way == 0) return x;
    /* signs are promised from 2^-305 on; what is made here is scaled later */
    if (x == 0 && sizeof(cm_real) == 8) return (cm_real)way * CM_REAL(ldexp(1, -260));
#if defined(CAROM_F64)
    return nextafter(x, to);
#else
    return nextafterf(x, to);
#endif
}
static cm_vec3 nudge3(rng *r, cm_vec3 p) {
    cm_real x = nudge(r, p.x), y = nudge(r, p.y), z = nudge(r, p.z);
    return cm_v(x, y, z);
}
static void scale_triangle(cm_vec3 t[3], cm_real s) {
    for (int i = 0; i < 3; i++) t[i] = cm_scale(t[i], s);
}
/* Length 1, width about `thin`. */
static void needle(rng *r, double thin, cm_vec3 t[3]) {
    t[0] = rng_vec3(r, 1);
    t[1] = cm_add(t[0], rng_direction(r));
    double at = rng_range(r, -0.2, 1.2);
    t[2] = cm_add(cm_lerp(t[0], t[1], CM_REAL(at)), cm_scale(rng_direction(r), CM_REAL(thin)));
}
static void degenerate_triangle(rng *r, cm_vec3 t[3]) {
    t[0] = grid_point(r, 4);
    cm_vec3 step = grid_point(r, 2);
    t[1] = cm_mul_add(t[0], (cm_real)rng_int(r, -2, 2), step);
    t[2] = cm_mul_add(t[0], (cm_real)rng_int(r, -2, 2), step);
}

static void pair_on_features(rng *r, int kind, cm_vec3 a[3], cm_vec3 b[3]) {
    grid_triangle(r, 6, a);
    grid_triangle(r, 6, b);
    scale_triangle(a, 16);
    scale_triangle(b, 16);
    cm_real t = (cm_real)rng_int(r, 0, 16) / 16, u = (cm_real)rng_int(r, 0, 16) / 16;
    switch (kind) {
    case PAIR_SHARED_CORNER:
        b[0] = a[0];
        break;
    case PAIR_SHARED_EDGE:
        b[0] = a[0], b[1] = a[1];
        break;
    case PAIR_CORNER_ON_FACE:
        b[0] = sixteenth_point(r, a);
        break;
    case PAIR_CORNER_ON_EDGE:
        b[0] = cm_lerp(a[0], a[1], t);
        break;
    default: { /* an edge of b passes through a point of an edge of a */
        cm_vec3 through = cm_lerp(a[0], a[1], t), step = grid_point(r, 5);
        b[0] = cm_mul_add(through, -16 * u, step);
        b[1] = cm_mul_add(through, 16 * (1 - u), step);
    }
    }
    if (rng_below(r, 4) == 0) b[0] = nudge3(r, b[0]);
}

static void pair_degenerate_on_face(rng *r, cm_vec3 a[3], cm_vec3 b[3]) {
    grid_triangle(r, 6, a);
    scale_triangle(a, 16);
    b[0] = sixteenth_point(r, a);
    b[1] = rng_below(r, 2) ? sixteenth_point(r, a) : cm_add(b[0], cm_scale(grid_point(r, 3), 16));
    b[2] = rng_below(r, 2) ? cm_lerp(b[0], b[1], CM_REAL(0.5)) : b[rng_below(r, 2)];
    if (rng_below(r, 4) == 0) {
        cm_vec3 off = nudge3(r, b[0]);
        b[0] = b[1] = b[2] = off;
    }
}

/* Two rectangles' triangles in one plane, or a hair apart, after a rotation: what abutting walls become. */
static void pair_posed_walls(rng *r, cm_vec3 a[3], cm_vec3 b[3]) {
    cm_pose pose = rng_pose(r, 10);
    cm_real gap = (cm_real)rng_int(r, -1, 1) * CM_REAL_EPSILON * (cm_real)rng_int(r, 0, 4);
    for (int i = 0; i < 3; i++) {
        cm_vec3 p = grid_point(r, 3), q = grid_point(r, 3);
        p.z = 0, q.z = gap;
        if (rng_below(r, 8) == 0) q.z = (cm_real)rng_int(r, 0, 1);
        a[i] = cm_pose_apply(&pose, p);
        b[i] = cm_pose_apply(&pose, q);
    }
}

/* b's nearest corner or edge a hair above a's face or edge. */
static void pair_near_touching(rng *r, cm_vec3 a[3], cm_vec3 b[3]) {
    random_triangle(r, a);
    random_triangle(r, b);
    cm_real u = CM_REAL(rng_unit(r)), v = CM_REAL(rng_unit(r));
    cm_vec3 on_a = cm_lerp(cm_lerp(a[0], a[1], u), a[2], rng_below(r, 2) ? v : 0);
    cm_vec3 on_b = rng_below(r, 2) ? b[0] : cm_lerp(b[0], b[1], v);
    cm_vec3 move = cm_sub(on_a, on_b);
    double hair = rng_log_range(r, 1e-17, 1e-2);
    move = cm_mul_add(move, CM_REAL(hair), rng_direction(r));
    for (int i = 0; i < 3; i++) b[i] = cm_add(b[i], move);
}

static void pair_coplanar_grid(rng *r, cm_vec3 a[3], cm_vec3 b[3]) {
    cm_vec3 u = grid_point(r, 2), v = grid_point(r, 2), o = grid_point(r, 2);
    for (int i = 0; i < 6; i++) {
        cm_vec3 p = cm_mul_add(o, (cm_real)rng_int(r, -3, 3), u);
        *(i < 3 ? &a[i] : &b[i - 3]) = cm_mul_add(p, (cm_real)rng_int(r, -3, 3), v);
    }
}

static void pair_near_coplanar(rng *r, cm_vec3 a[3], cm_vec3 b[3]) {
    grid_triangle(r, 3, a);
    grid_triangle(r, 3, b);
    for (int i = 0; i < 3; i++) {
        a[i].z = 3 - a[i].x - a[i].y;
        b[i].z = 3 - b[i].x - b[i].y;
        b[i] = nudge3(r, b[i]);
    }
}

static void pair_of_kind(rng *r, int kind, cm_vec3 a[3], cm_vec3 b[3]) {
    random_triangle(r, a);
    random_triangle(r, b);
    switch (kind) {
    case PAIR_RANDOM:
        break;
    case PAIR_SMALL_GRID:
        grid_triangle(r, 2, a);
        grid_triangle(r, 2, b);
        break;
    case PAIR_COPLANAR_GRID:
        pair_coplanar_grid(r, a, b);
        break;
    case PAIR_NEAR_COPLANAR:
        pair_near_coplanar(r, a, b);
        break;
    case PAIR_SHARED_CORNER:
    case PAIR_SHARED_EDGE:
    case PAIR_CORNER_ON_FACE:
    case PAIR_CORNER_ON_EDGE:
    case PAIR_EDGE_ON_EDGE:
        pair_on_features(r, kind, a, b);
        break;
    case PAIR_DEGENERATE:
        degenerate_triangle(r, a);
        if (rng_below(r, 2))
            degenerate_triangle(r, b);
        else
            grid_triangle(r, 3, b);
        break;
    case PAIR_DEGENERATE_ON_FACE:
        pair_degenerate_on_face(r, a, b);
        break;
    case PAIR_NEEDLES:
        needle(r, rng_log_range(r, 1e-6, 1e-2), a);
        needle(r, rng_log_range(r, 1e-6, 1e-2), b);
        break;
    case PAIR_NEEDLES_CROSSING: {
        needle(r, rng_log_range(r, 1e-6, 1e-2), a);
        needle(r, rng_log_range(r, 1e-6, 1e-2), b);
        cm_vec3 move = cm_sub(cm_lerp(a[0], a[1], CM_REAL(0.3)), cm_lerp(b[0], b[1], CM_REAL(0.6)));
        for (int i = 0; i < 3; i++) b[i] = cm_add(b[i], move);
        break;
    }
    case PAIR_POSED_WALLS:
        pair_posed_walls(r, a, b);
        break;
    case PAIR_TENTHS:
        grid_triangle(r, 3, a);
        grid_triangle(r, 3, b);
        scale_triangle(a, CM_REAL(0.1));
        scale_triangle(b, CM_REAL(0.1));
        break;
    case PAIR_NEAR_TOUCHING:
        pair_near_touching(r, a, b);
        break;
    case PAIR_FAR_FROM_ORIGIN: {
        cm_vec3 far = rng_vec3(r, 1e6);
        for (int i = 0; i < 3; i++) a[i] = cm_add(a[i], far), b[i] = cm_add(b[i], far);
        break;
    }
    case PAIR_MIXED_SIZES: {
        cm_vec3 near = cm_lerp(cm_lerp(a[0], a[1], CM_REAL(0.4)), a[2], CM_REAL(0.3));
        cm_real small = CM_REAL(rng_log_range(r, 1e-6, 1e-1));
        for (int i = 0; i < 3; i++) b[i] = cm_mul_add(near, small, b[i]);
        break;
    }
    default: { /* PAIR_PARALLEL: same plane direction, edges parallel too */
        cm_vec3 move = rng_vec3(r, 1);
        cm_real s = coin(r) * CM_REAL(rng_range(r, 0.5, 2));
        for (int i = 0; i < 3; i++) b[i] = cm_mul_add(move, s, a[i]);
    }
    }
}

static void shuffle_corners(rng *r, cm_vec3 t[3]) {
    for (uint32_t i = 2; i > 0; i--) {
        uint32_t j = rng_below(r, i + 1);
        cm_vec3 keep = t[i];
        t[i] = t[j], t[j] = keep;
    }
}

void triangle_pair(rng *r, int kind, int min_exponent, int max_exponent, cm_vec3 a[3], cm_vec3 b[3]) {
    pair_of_kind(r, kind, a, b);
    shuffle_corners(r, a);
    shuffle_corners(r, b);
    if (rng_below(r, 2)) {
        for (int i = 0; i < 3; i++) {
            cm_vec3 keep = a[i];
            a[i] = b[i], b[i] = keep;
        }
    }
    cm_real s = CM_REAL(ldexp(1, rng_int(r, min_exponent, max_exponent)));
    scale_triangle(a, s);
    scale_triangle(b, s);
}

void point_doubles(cm_vec3 p, double out[3]) { out[0] = (double)p.x, out[1] = (double)p.y, out[2] = (double)p.z; }
void segment_doubles(cm_vec3 s0, cm_vec3 s1, double out[2][3]) {
    point_doubles(s0, out[0]);
    point_doubles(s1, out[1]);
}
void triangle_doubles(const cm_vec3 t[3], double out[3][3]) {
    for (int i = 0; i < 3; i++) point_doubles(t[i], out[i]);
}
