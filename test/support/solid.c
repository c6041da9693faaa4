/* See solid.h. Everything by definition and by trying all, nothing clever. */
#include "support/solid.h"

#include <math.h>

const char *const solid_names[SOLID_KINDS] = {"point", "segment",  "triangle", "box",
                                              "cloud", "cylinder", "cone",     "ellipsoid"};

bool solid_is_polytope(const solid *s) { return s->kind <= SOLID_CLOUD; }

/* Half sizes of a flavor: needles and slabs down to 1e-6. */
static cm_vec3 random_half(int flavor, double size, rng *r) {
    double h[3];
    for (int i = 0; i < 3; i++) h[i] = rng_range(r, 0.2, 1) * size;
    uint32_t k = rng_below(r, 3);
    if (flavor == 1) h[k] *= rng_log_range(r, 1e2, 1e6), h[0] /= 1e3, h[1] /= 1e3, h[2] /= 1e3;
    if (flavor == 2) h[k] *= rng_log_range(r, 1e-6, 1e-2);
    if (flavor == 3) h[k] = 0;
    return cm_v(CM_REAL(h[0]), CM_REAL(h[1]), CM_REAL(h[2]));
}

void solid_random(solid *s, solid_kind kind, int flavor, double size, rng *r) {
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->turn[0] = w3(1, 0, 0), s->turn[1] = w3(0, 1, 0), s->turn[2] = w3(0, 0, 1);
    cm_vec3 h = random_half(flavor, size, r);
    s->size = h;
    int count = kind == SOLID_POINT      ? 1
                : kind == SOLID_SEGMENT  ? 2
                : kind == SOLID_TRIANGLE ? 3
                : kind == SOLID_CLOUD    ? 4 + (int)rng_below(r, 13)
                                         : 0;
    s->count = count;
    bool ball = rng_below(r, 2) == 0;
    for (int i = 0; i < count; i++) {
        cm_vec3 d = ball ? rng_direction(r) : rng_vec3(r, 1);
        s->point[i] = cm_v(d.x * h.x, d.y * h.y, d.z * h.z);
    }
    if (flavor == 3 && kind == SOLID_TRIANGLE && rng_below(r, 2))
        s->point[2] = cm_lerp(s->point[0], s->point[1], CM_REAL(0.5));
    if (flavor == 3 && kind == SOLID_SEGMENT && rng_below(r, 4) == 0) s->point[1] = s->point[0];
    if (flavor == 3 && kind == SOLID_CLOUD && rng_below(r, 2)) s->point[1] = s->point[0];
    if (kind == SOLID_BOX) {
        s->count = 8;
        for (int i = 0; i < 8; i++) s->point[i] = cm_v(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    }
    solid_features(s);
}

static void add_direction(wide3 *list, int *count, int room, wide3 d, bool both) {
    for (int i = 0; i < *count; i++) {
        if (w3_length(w3_sub(list[i], d)) < 1e-15L) return;
        if (both && w3_length(w3_add(list[i], d)) < 1e-15L) return;
    }
    if (*count < room) list[(*count)++] = d;
}

/* A triple spans a face where no corner lies above its plane; an edge of such a triple is one if it is not cut by
 * others: extra directions do no harm, so all of them are kept. */
void solid_features(solid *s) {
    s->faces = s->edges = 0;
    if (!solid_is_polytope(s)) return;
    if (s->kind == SOLID_BOX) {
        for (int i = 0; i < 3; i++) {
            wide3 axis = w3(i == 0, i == 1, i == 2);
            s->face[s->faces++] = axis;
            s->face[s->faces++] = w3_scale(axis, -1);
            s->edge[s->edges++] = axis;
        }
        return;
    }
    long double size = 0;
    for (int i = 0; i < s->count; i++)
        size = fmaxl(size, w3_length(w3_sub(w3_of_vec3(s->point[i]), w3_of_vec3(s->point[0]))));
    bool any = false;
    for (int i = 0; i < s->count; i++) {
        for (int j = i + 1; j < s->count; j++) {
            for (int k = j + 1; k < s->count; k++) {
                wide3 p = w3_of_vec3(s->point[i]), e = w3_sub(w3_of_vec3(s->point[j]), p),
                      f = w3_sub(w3_of_vec3(s->point[k]), p);
                wide3 n = w3_cross(e, f);
                if (!(w3_length(n) > 1e-17L * w3_length(e) * w3_length(f))) continue;
                n = w3_unit(n);
                long double high = 0, low = 0;
                for (int m = 0; m < s->count; m++) {
                    long double d = w3_dot(n, w3_sub(w3_of_vec3(s->point[m]), p));
                    high = fmaxl(high, d), low = fminl(low, d);
                }
                long double eps = 1e-18L * size;
                if (high > eps && low < -eps) continue;
                any = true;
                if (high <= eps) add_direction(s->face, &s->faces, SOLID_FACES, n, false);
                if (low >= -eps) add_direction(s->face, &s->faces, SOLID_FACES, w3_scale(n, -1), false);
                wide3 g = w3_sub(f, e);
                add_direction(s->edge, &s->edges, SOLID_EDGES, w3_unit(e), true);
                add_direction(s->edge, &s->edges, SOLID_EDGES, w3_unit(f), true);
                if (w3_length(g) > 0) add_direction(s->edge, &s->edges, SOLID_EDGES, w3_unit(g), true);
            }
        }
    }
    if (any) return;
    for (int i = 0; i < s->count; i++) { /* collinear */
        for (int j = i + 1; j < s->count; j++) {
            wide3 e = w3_sub(w3_of_vec3(s->point[j]), w3_of_vec3(s->point[i]));
            if (w3_length(e) > 0) add_direction(s->edge, &s->edges, SOLID_EDGES, w3_unit(e), true);
        }
    }
}

void solid_place(solid *s, cm_quat q, wide3 position) {
    long double x = (long double)q.x, y = (long double)q.y, z = (long double)q.z, w = (long double)q.w;
    long double l = sqrtl(x * x + y * y + z * z + w * w);
    x /= l, y /= l, z /= l, w /= l;
    s->turn[0] = w3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
    s->turn[1] = w3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
    s->turn[2] = w3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
    s->position = position;
}
static wide3 to_own(const solid *s, wide3 d) {
    return w3(w3_dot(s->turn[0], d), w3_dot(s->turn[1], d), w3_dot(s->turn[2], d));
}
static wide3 from_own(const solid *s, wide3 d) {
    return w3_add(w3_add(w3_scale(s->turn[0], d.x), w3_scale(s->turn[1], d.y)), w3_scale(s->turn[2], d.z));
}

static long double core_reach(const solid *s, wide3 d) {
    long double a = (long double)s->size.x, b = (long double)s->size.y, c = (long double)s->size.z;
    long double across = sqrtl(d.x * d.x + d.y * d.y), best = -HUGE_VALL;
    switch (s->kind) {
    case SOLID_CYLINDER:
        return a * across + b * fabsl(d.z);
    case SOLID_CONE:
        return fmaxl(b * d.z, a * across - b * d.z);
    case SOLID_ELLIPSOID:
        return sqrtl(a * a * d.x * d.x + b * b * d.y * d.y + c * c * d.z * d.z);
    default:
        break;
    }
    for (int i = 0; i < s->count; i++) best = fmaxl(best, w3_dot(d, w3_of_vec3(s->point[i])));
    return best;
}
long double solid_reach(const solid *s, wide3 n) {
    return w3_dot(n, s->position) + core_reach(s, to_own(s, n)) + (long double)s->radius * w3_length(n);
}

static long double to_segment(wide3 p, wide3 a, wide3 b) {
    wide3 d = w3_sub(b, a);
    long double l = w3_dot(d, d), t = l > 0 ? w3_dot(w3_sub(p, a), d) / l : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return w3_length(w3_sub(p, w3_add(a, w3_scale(d, t))));
}
static long double to_triangle(wide3 p, wide3 a, wide3 b, wide3 c) {
    wide3 ab = w3_sub(b, a), ac = w3_sub(c, a), n = w3_cross(ab, ac), ap = w3_sub(p, a);
    long double edges = fminl(to_segment(p, a, b), fminl(to_segment(p, a, c), to_segment(p, b, c)));
    if (!(w3_length(n) > 1e-17L * w3_length(ab) * w3_length(ac))) return edges;
    long double u = w3_dot(w3_cross(ap, ac), n), v = w3_dot(w3_cross(ab, ap), n);
    if (u >= 0 && v >= 0 && u + v <= w3_dot(n, n)) return fminl(edges, fabsl(w3_dot(ap, w3_unit(n))));
    return edges;
}

static long double core_outside(const solid *s, wide3 p) {
    long double a = (long double)s->size.x, b = (long double)s->size.y, c = (long double)s->size.z;
    long double across = sqrtl(p.x * p.x + p.y * p.y), worst = 0;
    switch (s->kind) {
    case SOLID_POINT:
        return w3_length(w3_sub(p, w3_of_vec3(s->point[0])));
    case SOLID_SEGMENT:
        return to_segment(p, w3_of_vec3(s->point[0]), w3_of_vec3(s->point[1]));
    case SOLID_TRIANGLE:
        return to_triangle(p, w3_of_vec3(s->point[0]), w3_of_vec3(s->point[1]), w3_of_vec3(s->point[2]));
    case SOLID_BOX: {
        wide3 d = w3(fmaxl(fabsl(p.x) - a, 0), fmaxl(fabsl(p.y) - b, 0), fmaxl(fabsl(p.z) - c, 0));
        return w3_length(d);
    }
    case SOLID_CYLINDER: {
        long double x = fmaxl(across - a, 0), y = fmaxl(fabsl(p.z) - b, 0);
        return sqrtl(x * x + y * y);
    }
    case SOLID_CONE: { /* the triangle (0, b), (a, -b), (0, -b) of the half plane, solid */
        long double slope = sqrtl(a * a + 4 * b * b);
        bool inside = p.z >= -b && 2 * b * across + a * (p.z - b) <= 0;
        if (inside || !(slope > 0)) return inside ? 0 : w3_length(p);
        wide3 q = w3(across, p.z, 0);
        return fminl(to_segment(q, w3(0, b, 0), w3(a, -b, 0)), to_segment(q, w3(0, -b, 0), w3(a, -b, 0)));
    }
    case SOLID_ELLIPSOID: { /* the point scaled to the surface is at most this far */
        long double f = 0, flat = 0, h[3] = {a, b, c}, x[3] = {p.x, p.y, p.z};
        for (int i = 0; i < 3; i++) {
            if (h[i] > 0)
                f += (x[i] / h[i]) * (x[i] / h[i]);
            else
                flat = fmaxl(flat, fabsl(x[i]));
        }
        f = sqrtl(f);
        return f > 1 ? fmaxl(flat, w3_length(p) * (1 - 1 / f)) : flat;
    }
    default:
        break;
    }
    for (int i = 0; i < s->faces; i++) worst = fmaxl(worst, w3_dot(s->face[i], p) - core_reach(s, s->face[i]));
    for (int i = 0; i < s->edges; i++) {
        worst = fmaxl(worst, w3_dot(s->edge[i], p) - core_reach(s, s->edge[i]));
        worst = fmaxl(worst, -w3_dot(s->edge[i], p) - core_reach(s, w3_scale(s->edge[i], -1)));
    }
    return worst;
}
long double solid_core_outside(const solid *s, wide3 p) { return core_outside(s, to_own(s, w3_sub(p, s->position))); }

long double solid_separation(const solid *a, const solid *b, wide3 n) {
    return -solid_reach(b, w3_scale(n, -1)) - solid_reach(a, n);
}

static void try_axis(const solid *a, const solid *b, wide3 n, long double *best, wide3 *axis) {
    for (int side = 0; side < 2; side++) {
        wide3 m = side ? w3_scale(n, -1) : n;
        long double s = solid_separation(a, b, m);
        if (s > *best) *best = s, *axis = m;
    }
}

long double solid_best_axis(const solid *a, const solid *b, wide3 *axis) {
    long double best = -HUGE_VALL;
    *axis = w3(1, 0, 0);
    for (int i = 0; i < a->faces; i++) try_axis(a, b, from_own(a, a->face[i]), &best, axis);
    for (int i = 0; i < b->faces; i++) try_axis(a, b, from_own(b, b->face[i]), &best, axis);
    bool any = a->faces > 0 || b->faces > 0;
    for (int i = 0; i < a->edges; i++) {
        for (int j = 0; j < b->edges; j++) {
            wide3 n = w3_cross(from_own(a, a->edge[i]), from_own(b, b->edge[j]));
            if (!(w3_length(n) > 1e-17L)) continue;
            any = true;
            try_axis(a, b, w3_unit(n), &best, axis);
        }
    }
    if (any) return best;
    /* both lie on one line, or are points: any axis square to it */
    wide3 e = a->edges > 0 ? from_own(a, a->edge[0]) : b->edges > 0 ? from_own(b, b->edge[0]) : w3(0, 0, 1);
    wide3 n = w3_cross(e, fabsl(e.x) < 0.6L ? w3(1, 0, 0) : w3(0, 1, 0));
    try_axis(a, b, w3_unit(n), &best, axis);
    return best;
}

/* Walks uphill by a pattern of eight directions around, turned each time, since ridges hold one that keeps its
 * directions; halved where none is better. */
static long double climb_axis(const solid *a, const solid *b, wide3 *n) {
    const long double h = 0.70710678118654752440L; /* of 45 degrees */
    const long double around[8][2] = {{1, 0}, {h, h}, {0, 1}, {-h, h}, {-1, 0}, {-h, -h}, {0, -1}, {h, -h}};
    long double best = solid_separation(a, b, *n), cosine = 1, sine = 0;
    for (long double step = 0.3L; step > 1e-9L; step /= 2) {
        bool moved = true;
        for (int round = 0; moved && round < 50; round++) {
            moved = false;
            wide3 u = w3_unit(w3_cross(*n, fabsl(n->x) < 0.6L ? w3(1, 0, 0) : w3(0, 1, 0))), v = w3_cross(*n, u);
            wide3 from = *n;
            long double next = 0.8L * cosine - 0.6L * sine;
            sine = 0.6L * cosine + 0.8L * sine, cosine = next;
            for (int i = 0; i < 8; i++) {
                long double x = (around[i][0] * cosine - around[i][1] * sine) * step;
                long double y = (around[i][0] * sine + around[i][1] * cosine) * step;
                wide3 m = w3_unit(w3_add(from, w3_add(w3_scale(u, x), w3_scale(v, y))));
                long double s = solid_separation(a, b, m);
                if (s > best + 1e-19L * fabsl(best)) best = s, *n = m, moved = true;
            }
        }
    }
    return best;
}

long double solid_search_axis(const solid *a, const solid *b, wide3 guess, int tries, rng *r, wide3 *axis) {
    *axis = guess;
    long double best = climb_axis(a, b, axis);
    for (int i = 0; i < tries; i++) {
        cm_vec3 d = rng_direction(r);
        wide3 n = w3_unit(w3_of_vec3(d));
        /* climb only what starts well */
        if (i >= 8 && solid_separation(a, b, n) < best - fabsl(best)) continue;
        long double s = climb_axis(a, b, &n);
        if (s > best) best = s, *axis = n;
    }
    return best;
}
