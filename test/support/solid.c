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
    memset(s, 0, offsetof(solid, side));
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
    cm_quat none = cm_pose_identity().rotation;
    solid_place(s, none, w3(0, 0, 0));
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
    s->faces = s->edges = s->sides = 0;
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
        size = wl_max(size, w3_length(w3_sub(w3_of_vec3(s->point[i]), w3_of_vec3(s->point[0]))));
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
                    if (m == i || m == j || m == k) continue; /* how far rounding sees them off is no height */
                    long double d = w3_dot(n, w3_sub(w3_of_vec3(s->point[m]), p));
                    high = wl_max(high, d), low = wl_min(low, d);
                }
                long double eps = 1e-18L * size;
                if (high > eps && low < -eps) continue;
                any = true;
                if (s->sides >= 0 && s->sides < SOLID_SIDES) {
                    unsigned char *side = s->side[s->sides++];
                    side[0] = (unsigned char)i, side[1] = (unsigned char)j, side[2] = (unsigned char)k;
                } else {
                    s->sides = -1;
                }
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
    for (int i = 0; i < s->count; i++) {
        wide3 c = w3_of_vec3(s->point[i]);
        wide3 t = w3_add(w3_add(w3_scale(s->turn[0], c.x), w3_scale(s->turn[1], c.y)), w3_scale(s->turn[2], c.z));
        s->corner[0][i] = (double)t.x, s->corner[1][i] = (double)t.y, s->corner[2][i] = (double)t.z;
    }
    for (int i = 0; i < 3; i++) {
        s->axis[i][0] = (double)s->turn[i].x, s->axis[i][1] = (double)s->turn[i].y;
        s->axis[i][2] = (double)s->turn[i].z;
    }
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
        return wl_max(b * d.z, a * across - b * d.z);
    case SOLID_ELLIPSOID:
        return sqrtl(a * a * d.x * d.x + b * b * d.y * d.y + c * c * d.z * d.z);
    default:
        break;
    }
    for (int i = 0; i < s->count; i++) best = wl_max(best, w3_dot(d, w3_of_vec3(s->point[i])));
    return best;
}
long double solid_reach(const solid *s, wide3 n) {
    return w3_dot(n, s->position) + core_reach(s, to_own(s, n)) + (long double)s->radius * w3_length(n);
}

/* Squares: the root is taken once. */
static long double square_to_segment(wide3 p, wide3 a, wide3 b) {
    wide3 d = w3_sub(b, a);
    long double l = w3_dot(d, d), t = l > 0 ? w3_dot(w3_sub(p, a), d) / l : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    wide3 gap = w3_sub(p, w3_add(a, w3_scale(d, t)));
    return w3_dot(gap, gap);
}
static long double to_segment(wide3 p, wide3 a, wide3 b) { return sqrtl(square_to_segment(p, a, b)); }
long double solid_to_triangle(wide3 p, wide3 a, wide3 b, wide3 c) {
    wide3 ab = w3_sub(b, a), ac = w3_sub(c, a), n = w3_cross(ab, ac), ap = w3_sub(p, a);
    long double nn = w3_dot(n, n);
    if (nn > 1e-34L * w3_dot(ab, ab) * w3_dot(ac, ac)) { /* over the face? */
        long double u = w3_dot(w3_cross(ap, ac), n), v = w3_dot(w3_cross(ab, ap), n);
        if (u >= 0 && v >= 0 && u + v <= nn) return fabsl(w3_dot(ap, n)) / sqrtl(nn);
    }
    return sqrtl(wl_min(square_to_segment(p, a, b), wl_min(square_to_segment(p, a, c), square_to_segment(p, b, c))));
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
        return solid_to_triangle(p, w3_of_vec3(s->point[0]), w3_of_vec3(s->point[1]), w3_of_vec3(s->point[2]));
    case SOLID_BOX: {
        wide3 d = w3(wl_max(fabsl(p.x) - a, 0), wl_max(fabsl(p.y) - b, 0), wl_max(fabsl(p.z) - c, 0));
        return w3_length(d);
    }
    case SOLID_CYLINDER: {
        long double x = wl_max(across - a, 0), y = wl_max(fabsl(p.z) - b, 0);
        return sqrtl(x * x + y * y);
    }
    case SOLID_CONE: { /* the triangle (0, b), (a, -b), (0, -b) of the half plane, solid */
        long double slope = sqrtl(a * a + 4 * b * b);
        bool inside = fabsl(p.z) <= b && across <= a && 2 * b * across + a * (p.z - b) <= 0;
        if (inside || !(slope > 0)) return inside ? 0 : w3_length(p);
        wide3 q = w3(across, p.z, 0);
        return wl_min(to_segment(q, w3(0, b, 0), w3(a, -b, 0)), to_segment(q, w3(0, -b, 0), w3(a, -b, 0)));
    }
    case SOLID_ELLIPSOID: { /* the point scaled to the surface is at most this far */
        long double f = 0, flat = 0, h[3] = {a, b, c}, x[3] = {p.x, p.y, p.z};
        for (int i = 0; i < 3; i++) {
            if (h[i] > 0)
                f += (x[i] / h[i]) * (x[i] / h[i]);
            else
                flat = wl_max(flat, fabsl(x[i]));
        }
        f = sqrtl(f);
        return f > 1 ? wl_max(flat, w3_length(p) * (1 - 1 / f)) : flat;
    }
    default:
        break;
    }
    for (int i = 0; i < s->faces; i++) worst = wl_max(worst, w3_dot(s->face[i], p) - core_reach(s, s->face[i]));
    for (int i = 0; i < s->edges; i++) {
        worst = wl_max(worst, w3_dot(s->edge[i], p) - core_reach(s, s->edge[i]));
        worst = wl_max(worst, -w3_dot(s->edge[i], p) - core_reach(s, w3_scale(s->edge[i], -1)));
    }
    return worst;
}
long double solid_core_outside(const solid *s, wide3 p) { return core_outside(s, to_own(s, w3_sub(p, s->position))); }

static long double core_inside(const solid *s, wide3 p) {
    long double a = (long double)s->size.x, b = (long double)s->size.y, c = (long double)s->size.z;
    long double across = sqrtl(p.x * p.x + p.y * p.y), least = HUGE_VALL;
    switch (s->kind) {
    case SOLID_CYLINDER:
        return wl_min(a - across, b - fabsl(p.z));
    case SOLID_CONE:
        return wl_min(p.z + b, -(2 * b * across + a * (p.z - b)) / sqrtl(a * a + 4 * b * b));
    case SOLID_ELLIPSOID: {
        if (!(a > 0 && b > 0 && c > 0)) return 0;
        long double f = sqrtl(p.x * p.x / (a * a) + p.y * p.y / (b * b) + p.z * p.z / (c * c));
        return (1 - f) * wl_min(a, wl_min(b, c));
    }
    default:
        break;
    }
    for (int i = 0; i < s->faces; i++) least = wl_min(least, core_reach(s, s->face[i]) - w3_dot(s->face[i], p));
    return s->faces > 0 ? least : 0;
}
long double solid_core_inside(const solid *s, wide3 p) {
    return wl_max(core_inside(s, to_own(s, w3_sub(p, s->position))), 0);
}

long double solid_separation(const solid *a, const solid *b, wide3 n) {
    return -solid_reach(b, w3_scale(n, -1)) - solid_reach(a, n);
}

/* --- in double: searches, whose best axis is then measured in long double ----------------------------------------- */

typedef struct quick3 {
    double x, y, z;
} quick3;

static quick3 q3_of(wide3 a) { return (quick3){(double)a.x, (double)a.y, (double)a.z}; }
static wide3 q3_wide(quick3 a) { return w3((long double)a.x, (long double)a.y, (long double)a.z); }
static double q3_dot(quick3 a, quick3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static quick3 q3_cross(quick3 a, quick3 b) {
    return (quick3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static quick3 q3_unit(quick3 a) {
    double f = 1 / sqrt(q3_dot(a, a));
    return (quick3){a.x * f, a.y * f, a.z * f};
}

/* max of n.p over the solid, its position left out. */
static double quick_reach(const solid *s, quick3 n) {
    double r = (double)s->radius, best = -HUGE_VAL;
    if (solid_is_polytope(s)) {
        for (int i = 0; i < s->count; i++) {
            double d = n.x * s->corner[0][i] + n.y * s->corner[1][i] + n.z * s->corner[2][i];
            best = d > best ? d : best;
        }
        return best + r;
    }
    double a = (double)s->size.x, b = (double)s->size.y, c = (double)s->size.z, d[3];
    for (int i = 0; i < 3; i++) d[i] = n.x * s->axis[i][0] + n.y * s->axis[i][1] + n.z * s->axis[i][2];
    if (s->kind == SOLID_ELLIPSOID) return sqrt(a * a * d[0] * d[0] + b * b * d[1] * d[1] + c * c * d[2] * d[2]) + r;
    double across = sqrt(d[0] * d[0] + d[1] * d[1]);
    if (s->kind == SOLID_CYLINDER) return a * across + b * fabs(d[2]) + r;
    double tip = b * d[2], rim = a * across - b * d[2];
    return (tip > rim ? tip : rim) + r;
}

typedef struct quick_pair {
    const solid *a, *b;
    quick3 between;
} quick_pair;

static quick_pair quick_pair_of(const solid *a, const solid *b) {
    return (quick_pair){a, b, q3_of(w3_sub(b->position, a->position))};
}
static double quick_separation(const quick_pair *p, quick3 n) {
    quick3 back = {-n.x, -n.y, -n.z};
    return q3_dot(n, p->between) - quick_reach(p->b, back) - quick_reach(p->a, n);
}

/* Both ways along n; whether what was found is enough. */
static bool quick_try(const quick_pair *p, quick3 n, double enough, double *best, quick3 *axis) {
    for (int side = 0; side < 2; side++) {
        quick3 m = {side ? -n.x : n.x, side ? -n.y : n.y, side ? -n.z : n.z};
        double s = quick_separation(p, m);
        if (s > *best) *best = s, *axis = m;
    }
    return *best >= enough;
}

/* Edges that are parallel to a millionth: their product is not known in double. */
static void slow_try(const quick_pair *p, int i, int j, double *best, quick3 *axis) {
    wide3 n = w3_cross(from_own(p->a, p->a->edge[i]), from_own(p->b, p->b->edge[j]));
    if (w3_length(n) > 1e-17L) quick_try(p, q3_of(w3_unit(n)), HUGE_VAL, best, axis);
}

static void quick_edges(const quick_pair *p, double enough, double *best, quick3 *axis, bool *any) {
    quick3 of_b[SOLID_EDGES];
    for (int j = 0; j < p->b->edges; j++) of_b[j] = q3_of(from_own(p->b, p->b->edge[j]));
    for (int i = 0; i < p->a->edges; i++) {
        quick3 e = q3_of(from_own(p->a, p->a->edge[i]));
        for (int j = 0; j < p->b->edges; j++) {
            quick3 n = q3_cross(e, of_b[j]);
            if (q3_dot(n, n) > 1e-12) {
                *any = true;
                if (quick_try(p, q3_unit(n), enough, best, axis)) return;
            } else {
                double before = *best;
                slow_try(p, i, j, best, axis);
                *any = *any || *best > before;
            }
        }
    }
}

long double solid_best_axis(const solid *a, const solid *b, long double enough, wide3 *axis) {
    quick_pair p = quick_pair_of(a, b);
    double best = -HUGE_VAL, most = (double)enough;
    quick3 at = {1, 0, 0};
    bool any = a->faces > 0 || b->faces > 0, done = false;
    for (int i = 0; i < a->faces && !done; i++) done = quick_try(&p, q3_of(from_own(a, a->face[i])), most, &best, &at);
    for (int i = 0; i < b->faces && !done; i++) done = quick_try(&p, q3_of(from_own(b, b->face[i])), most, &best, &at);
    if (!done) quick_edges(&p, most, &best, &at, &any);
    if (!any) { /* both lie on one line, or are points: any axis square to it */
        wide3 e = a->edges > 0 ? from_own(a, a->edge[0]) : b->edges > 0 ? from_own(b, b->edge[0]) : w3(0, 0, 1);
        quick_try(&p, q3_of(w3_unit(w3_cross(e, fabsl(e.x) < 0.6L ? w3(1, 0, 0) : w3(0, 1, 0)))), most, &best, &at);
    }
    *axis = w3_unit(q3_wide(at));
    return solid_separation(a, b, *axis);
}

/* Walks uphill by a pattern of eight directions around, turned each time, since ridges hold one that keeps its
 * directions; halved where none is better. */
static double climb_axis(const quick_pair *p, quick3 *n) {
    const double h = 0.70710678118654752440; /* of 45 degrees */
    const double around[8][2] = {{1, 0}, {h, h}, {0, 1}, {-h, h}, {-1, 0}, {-h, -h}, {0, -1}, {h, -h}};
    double best = quick_separation(p, *n), cosine = 1, sine = 0;
    for (double step = 0.3; step > 1e-8; step /= 2) {
        bool moved = true;
        for (int round = 0; moved && round < 50; round++) {
            moved = false;
            quick3 x = {fabs(n->x) < 0.6, !(fabs(n->x) < 0.6), 0}, u = q3_unit(q3_cross(*n, x)), v = q3_cross(*n, u);
            quick3 from = *n;
            double next = 0.8 * cosine - 0.6 * sine;
            sine = 0.6 * cosine + 0.8 * sine, cosine = next;
            for (int i = 0; i < 8; i++) {
                double s = (around[i][0] * cosine - around[i][1] * sine) * step;
                double t = (around[i][0] * sine + around[i][1] * cosine) * step;
                quick3 m = q3_unit(
                    (quick3){from.x + u.x * s + v.x * t, from.y + u.y * s + v.y * t, from.z + u.z * s + v.z * t});
                double value = quick_separation(p, m);
                if (value > best + 1e-15 * fabs(best)) best = value, *n = m, moved = true;
            }
        }
    }
    return best;
}

long double solid_search_axis(const solid *a, const solid *b, wide3 guess, int tries, rng *r, wide3 *axis) {
    quick_pair p = quick_pair_of(a, b);
    quick3 at = q3_of(guess);
    double best = climb_axis(&p, &at);
    for (int i = 0; i < tries; i++) {
        cm_vec3 d = rng_direction(r);
        quick3 n = q3_unit((quick3){(double)d.x, (double)d.y, (double)d.z});
        /* climb only what starts well */
        if (i >= 8 && quick_separation(&p, n) < best - fabs(best)) continue;
        double s = climb_axis(&p, &n);
        if (s > best) best = s, at = n;
    }
    *axis = w3_unit(q3_wide(at));
    long double found = solid_separation(a, b, *axis), given = solid_separation(a, b, guess);
    if (given > found) *axis = guess, found = given;
    return found;
}
