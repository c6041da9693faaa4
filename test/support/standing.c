/* Nice numbers, poses of a body on a table, and what is true of them. See standing.h. */
#include "support/standing.h"

#include <math.h>

/* --- nice numbers ---------------------------------------------------------------------------------------------- */

static const double sizes[] = {0.1, 0.2, 0.25, 0.3, 0.5, 0.6, 0.75, 1, 1.5, 2, 3};
#define SIZES ((uint32_t)(sizeof sizes / sizeof *sizes))

double nice_size(rng *r) { return sizes[rng_below(r, SIZES)]; }

double nice_offset(rng *r) {
    uint32_t what = rng_below(r, 6);
    if (what == 0) return 0;
    double a = nice_size(r), b = nice_size(r), sum = what < 3 ? a : what < 5 ? a + b : a - b;
    return rng_below(r, 2) ? sum : -sum;
}

static cm_real step_real(cm_real x, cm_real to) {
#if defined(CAROM_F64)
    return nextafter(x, to);
#else
    return nextafterf(x, to);
#endif
}

cm_real nice_ulps(cm_real x, rng *r) {
    static const int steps[] = {0, 0, 0, 1, 1, 2, 3, 7};
    int n = steps[rng_below(r, 8)];
    cm_real to = rng_below(r, 2) ? CM_REAL_MAX : -CM_REAL_MAX;
    while (n-- > 0) x = step_real(x, to);
    return x;
}

cm_quat cube_rotation(uint32_t number) {
    cm_quat q = cm_quat_identity();
    cm_real *part[4] = {&q.x, &q.y, &q.z, &q.w};
    if (number < 4) { /* half turns */
        q.w = 0;
        *part[number] = 1;
    } else if (number < 16) { /* quarter turns, and half turns about diagonals of faces */
        static const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
        const int *p = pairs[(number - 4) / 2];
        const cm_real h = CM_REAL(0.70710678118654752);
        q.w = 0;
        *part[p[0]] = number & 1 ? -h : h;
        *part[p[1]] = h;
    } else { /* third turns */
        const cm_real h = CM_REAL(0.5);
        q.x = number & 1 ? -h : h, q.y = number & 2 ? -h : h, q.z = number & 4 ? -h : h, q.w = h;
    }
    return q;
}

double nice_angle(rng *r) {
    const double pi = 3.14159265358979324;
    uint32_t what = rng_below(r, 8);
    if (what < 4) return pi / 2 * rng_below(r, 4);
    return what < 7 ? pi / 12 * rng_below(r, 24) : rng_range(r, -pi, pi);
}

double nice_height(double size, rng *r) {
    static const double depths[] = {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2};
    uint32_t what = rng_below(r, 8);
    double sign = rng_below(r, 3) == 0 ? 1 : -1; /* mostly deep */
    if (what < 2) return 0;
    if (what == 2) return sign * (double)CM_REAL_EPSILON * size * (1 + rng_below(r, 8));
    return sign * depths[rng_below(r, 7)] * size;
}

cm_pose nice_frame(double size, rng *r) {
    cm_pose p = cm_pose_identity();
    uint32_t what = rng_below(r, 5);
    if (what >= 2) p.rotation = cube_rotation(rng_below(r, 24));
    if (what >= 1) {
        double x = nice_offset(r), y = nice_offset(r), z = nice_offset(r);
        p.position = cm_v(CM_REAL(x * size), CM_REAL(y * size), CM_REAL(z * size));
    }
    if (what == 4) p.rotation = rng_rotation(r);
    return p;
}

/* --- poses ----------------------------------------------------------------------------------------------------- */

double plan_offset(double table, double body, rng *r) {
    double side = rng_below(r, 2) ? 1 : -1;
    switch (rng_below(r, 8)) {
    case 0:
        return 0;
    case 1:
        return side * table; /* the origin over the edge */
    case 2:
        return side * (table - body); /* flush */
    case 3:
        return side * (table + body); /* touching from beside */
    case 4:
        return side * (table + body * rng_range(r, -1, 1)); /* over the edge */
    case 5:
        return side * (table + body / 2 - body * rng_below(r, 2));
    case 6:
        return fmod(nice_offset(r), table + body);
    default:
        return rng_range(r, -1, 1) * (table + body);
    }
}

static void stand_hold(stand *s, const stander *body) {
    s->hold = -HUGE_VAL;
    double c = cos(s->yaw), n = sin(s->yaw);
    for (int i = 0; i < body->feet; i++) {
        double x = s->at[0] + c * body->foot[i][0] - n * body->foot[i][1];
        double y = s->at[1] + n * body->foot[i][0] + c * body->foot[i][1];
        s->hold = fmax(s->hold, fmin(s->plan[0] - fabs(x), s->plan[1] - fabs(y)));
    }
}

void stand_make(stand *s, cm_vec3 table_half, const stander *body, rng *r) {
    stand_make_turned(s, table_half, cube_rotation(rng_below(r, 24)), body, r);
}

void stand_make_turned(stand *s, cm_vec3 table_half, cm_quat turn, const stander *body, rng *r) {
    double size = fmin(fmin((double)body->half.x, (double)body->half.y), (double)cm_largest(table_half));
    cm_vec3 t = cm_vec3_abs(cm_rotate(turn, table_half));
    memset(s, 0, sizeof *s);
    /* exactly the halves, in another order */
    const cm_real all[3] = {table_half.x, table_half.y, table_half.z};
    cm_real *mine[3] = {&t.x, &t.y, &t.z};
    for (int i = 0; i < 3; i++) {
        cm_real best = all[0];
        for (int k = 1; k < 3; k++)
            if (cm_abs(all[k] - *mine[i]) < cm_abs(best - *mine[i])) best = all[k];
        *mine[i] = best;
    }
    s->table_half = t;
    s->plan[0] = (double)t.x, s->plan[1] = (double)t.y, s->top = (double)t.z;
    s->yaw = nice_angle(r);
    double c = fabs(cos(s->yaw)), n = fabs(sin(s->yaw)); /* half extents of the turned body's plan */
    double bx = c * (double)body->half.x + n * (double)body->half.y,
           by = n * (double)body->half.x + c * (double)body->half.y;
    double x = plan_offset(s->plan[0], bx, r), y = plan_offset(s->plan[1], by, r);
    double z = s->top + body->bottom + nice_height(size, r);
    cm_vec3 at = cm_v(nice_ulps(CM_REAL(x), r), nice_ulps(CM_REAL(y), r), nice_ulps(CM_REAL(z), r));
    s->at[0] = (double)at.x, s->at[1] = (double)at.y, s->at[2] = (double)at.z;
    s->height = (double)((long double)at.z - (long double)s->top - (long double)body->bottom);
    s->frame = nice_frame((double)cm_largest(table_half), r);
    cm_pose table = {cm_v(0, 0, 0), turn}, stander_pose = {at, body->upright};
    cm_quat yaw;
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(s->yaw), &yaw);
    if (s->yaw == 0) yaw = cm_quat_identity();
    stander_pose.rotation = s->yaw == 0 ? body->upright : cm_quat_normalize(cm_quat_mul(yaw, body->upright));
    s->yaw = 2 * atan2((double)yaw.z, (double)yaw.w); /* as rounded */
    s->table = cm_pose_mul(&s->frame, &table);
    s->body = cm_pose_mul(&s->frame, &stander_pose);
    s->up = cm_rotate(s->frame.rotation, cm_v(0, 0, 1));
    s->scale =
        (double)cm_largest(s->frame.position) + (double)cm_largest(at) + (double)cm_length(table_half) + body->reach;
    stand_hold(s, body);
}

bool stand_holds(const stand *s, const stander *body) {
    /* sideways the body would have to go by `hold`, downwards through the table, or itself through the top */
    double depth = fmax(-s->height, 0), least = fmin(s->hold, fmin(2 * s->top, 2 * (double)body->half.z));
    if (body->kind == STANDER_TRIANGLE) least = fmin(s->hold, 2 * s->top);
    least = fmin(least, fmin((double)body->half.x, (double)body->half.y));
    return s->hold > 1e-3 * s->top && least > 10 * depth && least > 256 * stand_noise(s);
}

double stand_noise(const stand *s) { return 16 * (double)CM_REAL_EPSILON * s->scale; }

cm_vec3 stand_world(const stand *s, double x, double y, double z) {
    return cm_rotate(s->frame.rotation, cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)));
}

/* The five axes that can part two boxes with parallel upright axes: center and half width along each. */
static void box_axes(const stand *s, const stander *body, long double center[5], long double width[5],
                     long double axis[5][3]) {
    long double c = cosl((long double)s->yaw), n = sinl((long double)s->yaw);
    const long double to[5][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {c, n, 0}, {-n, c, 0}};
    const long double hx = (long double)body->half.x, hy = (long double)body->half.y;
    for (int i = 0; i < 5; i++) {
        center[i] = 0;
        for (int k = 0; k < 3; k++) {
            axis[i][k] = to[i][k];
            center[i] += to[i][k] * (long double)s->at[k];
        }
        const long double *a = to[i];
        width[i] = fabsl(a[0]) * (long double)s->plan[0] + fabsl(a[1]) * (long double)s->plan[1] +
                   fabsl(a[2]) * (long double)s->top;
        width[i] +=
            fabsl(a[0] * c + a[1] * n) * hx + fabsl(a[1] * c - a[0] * n) * hy + fabsl(a[2]) * (long double)body->half.z;
    }
}

void stand_axes(const stand *s, const stander *body, double sep[5]) {
    long double center[5], width[5], axis[5][3];
    box_axes(s, body, center, width, axis);
    for (int i = 0; i < 5; i++) sep[i] = (double)(fabsl(center[i]) - width[i]);
}

/* The distance of a point from a segment in the plan. */
static long double plan_distance(const long double p[2], const long double a[2], const long double b[2]) {
    long double e[2] = {b[0] - a[0], b[1] - a[1]}, d[2] = {p[0] - a[0], p[1] - a[1]};
    long double l = e[0] * e[0] + e[1] * e[1], t = l > 0 ? (d[0] * e[0] + d[1] * e[1]) / l : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypotl(d[0] - t * e[0], d[1] - t * e[1]);
}

/* The gap of two disjoint rectangles: between a corner of one and an edge of the other. */
static long double plan_gap(const stand *s, const stander *body) {
    static const int sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    long double c = cosl((long double)s->yaw), n = sinl((long double)s->yaw), p[2][4][2], best = HUGE_VALL;
    for (int i = 0; i < 4; i++) {
        long double x = sign[i][0] * (long double)body->half.x, y = sign[i][1] * (long double)body->half.y;
        p[0][i][0] = sign[i][0] * (long double)s->plan[0], p[0][i][1] = sign[i][1] * (long double)s->plan[1];
        p[1][i][0] = (long double)s->at[0] + c * x - n * y, p[1][i][1] = (long double)s->at[1] + n * x + c * y;
    }
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++) best = fminl(best, plan_distance(p[a][i], p[1 - a][k], p[1 - a][(k + 1) % 4]));
    return best;
}

double stand_gap(const stand *s, const stander *body) {
    double sep[5];
    stand_axes(s, body, sep);
    double beside = fmax(fmax(sep[1], sep[2]), fmax(sep[3], sep[4]));
    if (beside <= 0) return fmax(sep[0], beside);
    return (double)hypotl(plan_gap(s, body), fmaxl((long double)sep[0], 0));
}

bool stand_enters(const stand *s, const stander *body, const double move[3], double limit, double *from, double *to,
                  double *closing) {
    long double center[5], width[5], axis[5][3], first = 0, last = 1, speed = 0;
    box_axes(s, body, center, width, axis);
    for (int i = 0; i < 5; i++) {
        long double v = 0, w = width[i] + (long double)limit;
        for (int k = 0; k < 3; k++) v += axis[i][k] * (long double)move[k];
        if (w <= 0) return false;
        if (v == 0) {
            if (fabsl(center[i]) >= w) return false;
            continue;
        }
        long double u0 = (-w - center[i]) / v, u1 = (w - center[i]) / v;
        if (u0 > u1) {
            long double t = u0;
            u0 = u1, u1 = t;
        }
        if (u0 > first) first = u0, speed = fabsl(v);
        last = fminl(last, u1);
    }
    *from = (double)first, *to = (double)last, *closing = (double)speed;
    return first < last;
}

/* --- what a sweep promises ------------------------------------------------------------------------------------- */

static double reach_of(const cm_shape *s) {
    if (s->kind == CM_SHAPE_HALFSPACE) return fabs((double)s->u.halfspace.d) + (double)s->radius; /* of a unit normal */
    cm_aabb box;
    cm_pose home = cm_pose_identity();
    cm_shape_bounds(s, &home, &box);
    double most = 0;
    for (int i = 0; i < 8; i++) {
        cm_vec3 p = cm_v(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
        most = fmax(most, (double)cm_length(p));
    }
    return most;
}
/* How far its turn carries a shape, at most. */
static double turn_of(const cm_shape *s, const cm_motion *m) {
    return (double)cm_length(m->spin) * (reach_of(s) + (double)cm_length(m->pivot));
}
static double along_axes(cm_vec3 v) { return fabs((double)v.x) + fabs((double)v.y) + fabs((double)v.z); }

double promised_gap(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    double sum = along_axes(cm_sub(mb->start.position, ma->start.position)) + along_axes(ma->move) +
                 along_axes(mb->move) + reach_of(a) + reach_of(b);
    sum += turn_of(a, ma) + turn_of(b, mb) + (along_axes(ma->accelerate) + along_axes(mb->accelerate)) / 2;
    double far = fmax((double)cm_largest(ma->start.position), (double)cm_largest(mb->start.position));
    double known = sizeof(cm_real) == 8 ? 1e-11 * (reach_of(a) + reach_of(b)) : 0;
    bool curved = a->kind == CM_SHAPE_CYLINDER || a->kind == CM_SHAPE_CONE || a->kind == CM_SHAPE_ELLIPSOID ||
                  b->kind == CM_SHAPE_CYLINDER || b->kind == CM_SHAPE_CONE || b->kind == CM_SHAPE_ELLIPSOID;
    return (double)CM_REAL_EPSILON * (16 * sum + 4 * far) + (curved ? known : 0);
}

/* --- prints ---------------------------------------------------------------------------------------------------- */

void pose_print(const char *what, const cm_pose *p) {
    print_error("    %s at " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT ", rotation " REAL_FORMAT " " REAL_FORMAT
                " " REAL_FORMAT " " REAL_FORMAT "\n",
                what, (double)p->position.x, (double)p->position.y, (double)p->position.z, (double)p->rotation.x,
                (double)p->rotation.y, (double)p->rotation.z, (double)p->rotation.w);
}

void stand_print(const stand *s, const stander *body, const char *table) {
    const cm_vec3 *t = &s->table_half, *b = &body->half;
    print_error("    table (%s), upright halves " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT "\n", table, (double)t->x,
                (double)t->y, (double)t->z);
    pose_print("table", &s->table);
    print_error("    body (%s%s%s), upright halves " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT ", radius " REAL_FORMAT
                "\n",
                stander_names[body->kind], stander_is_box(body) ? " given as " : "",
                stander_is_box(body) ? form_names[body->form.kind] : "", (double)b->x, (double)b->y, (double)b->z,
                (double)body->shape.radius);
    pose_print("body", &s->body);
    print_error("    stands %.9g above the top, %.9g within its edges; up is %.9g %.9g %.9g\n", s->height, s->hold,
                (double)s->up.x, (double)s->up.y, (double)s->up.z);
}

void motion_print(const char *whose, const cm_motion *m) {
    print_error("    %s moves " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT ", spins " REAL_FORMAT " " REAL_FORMAT
                " " REAL_FORMAT " about " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT "\n",
                whose, (double)m->move.x, (double)m->move.y, (double)m->move.z, (double)m->spin.x, (double)m->spin.y,
                (double)m->spin.z, (double)m->pivot.x, (double)m->pivot.y, (double)m->pivot.z);
}
