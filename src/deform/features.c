/* Points, edges and triangles that move, and at rest, two at a time: see course.h for the search, and carom/deform.h
 * for what is promised.
 *
 * Same bits whatever the order: corners of a feature are taken in the order of their numbers (start, then end), and two
 * edges in the order of their first corners, then their second; answers are given in the caller's order. Corners
 * with all numbers equal are the same for the search. */
#include "deform/course.h"
#include "math/wide.h"

#include <string.h>

/* Which of two paths is the first: < 0, 0, > 0. */
static int path_compare(const cm_path *p, const cm_path *q) {
    const cm_real a[6] = {p->start.x, p->start.y, p->start.z, p->end.x, p->end.y, p->end.z};
    const cm_real b[6] = {q->start.x, q->start.y, q->start.z, q->end.x, q->end.y, q->end.z};
    for (int k = 0; k < 6; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return 0;
}

static void path_sort(const cm_path *const *paths, int count, int order[3]) {
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && path_compare(paths[i], paths[order[at - 1]]) < 0; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

/* The order in which two features are solved. */
typedef struct path_order {
    int a[3], b[3];
    bool swap;
} path_order;

static void path_order_of(const cm__features *f, path_order *out) {
    path_sort(f->a, f->count_a, out->a);
    path_sort(f->b, f->count_b, out->b);
    out->swap = false;
    if (f->count_a != f->count_b) return;
    for (int i = 0; i < f->count_a; i++) {
        const int which = path_compare(f->a[out->a[i]], f->b[out->b[i]]);
        if (which == 0) continue;
        out->swap = which > 0;
        return;
    }
}

static cm__point path_between(cm_vec3 a, cm_vec3 b) { return cm__point_sub(cm__point_of(b), cm__point_of(a)); }

static void course_of(const cm__features *f, const path_order *o, cm_real separation, cm_real tolerance,
                      cm__course *out) {
    const cm_path *const *a = o->swap ? f->b : f->a, *const *b = o->swap ? f->a : f->b;
    const int *order_a = o->swap ? o->b : o->a, *order_b = o->swap ? o->a : o->b;
    out->kind = f->count_a == 2 ? CM__COURSE_EDGES : CM__COURSE_CORNERS;
    out->count = out->kind == CM__COURSE_EDGES ? 4 : f->count_b;
    for (int k = 0; k < out->count; k++) {
        const bool edges = out->kind == CM__COURSE_EDGES;
        const cm_path *p = a[order_a[edges && k >= 2 ? 1 : 0]], *q = b[order_b[edges ? k == 1 || k == 2 : k]];
        out->start[k] = path_between(p->start, q->start);
        out->end[k] = path_between(p->end, q->end);
    }
    out->separation = (double)separation;
    out->tolerance = (double)tolerance;
    out->body = NULL;
}

/* The weights of A's and B's corners, in the caller's order. */
static void path_weights(const cm__features *f, const path_order *o, const cm__course_near *near, double weight_a[3],
                         double weight_b[3]) {
    for (int i = 0; i < 3; i++) weight_a[i] = weight_b[i] = 0;
    if (f->count_a == 2) {
        const double first = o->swap ? near->t : near->s, second = o->swap ? near->s : near->t;
        weight_a[o->a[0]] = 1 - first, weight_a[o->a[1]] = first;
        weight_b[o->b[0]] = 1 - second, weight_b[o->b[1]] = second;
        return;
    }
    weight_a[0] = 1;
    for (int i = 0; i < f->count_b; i++) weight_b[o->b[i]] = near->weight[i];
}

static cm__point path_weigh(const cm_path *const *corners, int count, const double weight[3], double u) {
    cm__point p = cm__p(0, 0, 0);
    for (int i = 0; i < count; i++) {
        const cm__point at = cm__point_between(cm__point_of(corners[i]->start), cm__point_of(corners[i]->end), u);
        p = cm__point_mul_add(p, weight[i], at);
    }
    return p;
}

cm_path_verdict cm__features_sweep(const cm__features *f, cm_real separation, cm_real tolerance, double until,
                                   cm_path_hit *out) {
    path_order order;
    cm__course course;
    path_order_of(f, &order);
    course_of(f, &order, separation, tolerance, &course);
    if (cm__course_is_far(&course)) return CM_PATH_FREE;
    cm__course_scale(&course);
    cm__course_end end;
    const cm_path_verdict verdict = cm__course_run(&course, until, &end);
    if (verdict == CM_PATH_FREE || !out) return verdict;
    double weight_a[3], weight_b[3];
    path_weights(f, &order, &end.near, weight_a, weight_b);
    out->u = (cm_real)end.u;
    out->distance = (cm_real)(end.near.distance / course.scale);
    out->normal = cm__vec3_of(order.swap ? wide_neg(end.normal) : end.normal);
    out->point_a = cm__vec3_of(path_weigh(f->a, f->count_a, weight_a, end.u));
    out->point_b = cm__vec3_of(path_weigh(f->b, f->count_b, weight_b, end.u));
    for (int i = 0; i < 3; i++) out->weight_a[i] = (cm_real)weight_a[i], out->weight_b[i] = (cm_real)weight_b[i];
    return verdict;
}

static bool path_is_valid(const cm_path *p, int count) {
    for (int i = 0; i < count; i++)
        if (!cm_vec3_is_valid(p[i].start) || !cm_vec3_is_valid(p[i].end)) return false;
    return true;
}

static bool length_is_valid(cm_real x) { return x >= 0 && x <= CM_COORD_MAX; }

static cm_path_verdict path_sweep(const cm_path *a, int count_a, const cm_path *b, int count_b, cm_real separation,
                                  cm_real tolerance, cm_path_hit *out) {
    if (!a || !b || !path_is_valid(a, count_a) || !path_is_valid(b, count_b) || !length_is_valid(separation) ||
        !length_is_valid(tolerance))
        return CM_PATH_INVALID;
    cm__features f = {.count_a = count_a, .count_b = count_b};
    for (int i = 0; i < count_a; i++) f.a[i] = a + i;
    for (int i = 0; i < count_b; i++) f.b[i] = b + i;
    return cm__features_sweep(&f, separation, tolerance, 2, out);
}

cm_path_verdict cm_sweep_point_point(const cm_path *a, const cm_path *b, cm_real separation, cm_real tolerance,
                                     cm_path_hit *out) {
    return path_sweep(a, 1, b, 1, separation, tolerance, out);
}
cm_path_verdict cm_sweep_point_edge(const cm_path *point, const cm_path edge[2], cm_real separation, cm_real tolerance,
                                    cm_path_hit *out) {
    return path_sweep(point, 1, edge, 2, separation, tolerance, out);
}
cm_path_verdict cm_sweep_point_triangle(const cm_path *point, const cm_path triangle[3], cm_real separation,
                                        cm_real tolerance, cm_path_hit *out) {
    return path_sweep(point, 1, triangle, 3, separation, tolerance, out);
}
cm_path_verdict cm_sweep_edge_edge(const cm_path a[2], const cm_path b[2], cm_real separation, cm_real tolerance,
                                   cm_path_hit *out) {
    return path_sweep(a, 2, b, 2, separation, tolerance, out);
}

/* --- at rest ------------------------------------------------------------------------------------------------------ */

static bool gap_of(const cm_vec3 *a, int count_a, const cm_vec3 *b, int count_b, cm_feature_gap *out) {
    cm_path path_a[3], path_b[3];
    if (!a || !b || !out) return false;
    cm__features f = {.count_a = count_a, .count_b = count_b};
    for (int i = 0; i < count_a; i++) path_a[i].start = path_a[i].end = a[i], f.a[i] = path_a + i;
    for (int i = 0; i < count_b; i++) path_b[i].start = path_b[i].end = b[i], f.b[i] = path_b + i;
    if (!path_is_valid(path_a, count_a) || !path_is_valid(path_b, count_b)) return false;
    path_order order;
    cm__course course;
    cm__course_end end;
    path_order_of(&f, &order);
    course_of(&f, &order, 0, 0, &course);
    cm__course_scale(&course);
    course.separation = 4; /* all are within it at the start, in these units: only measured */
    cm__course_run(&course, 2, &end);
    double weight_a[3], weight_b[3];
    path_weights(&f, &order, &end.near, weight_a, weight_b);
    const double sign = order.swap ? -1 : 1;
    const cm__point gap = cm__point_scale(end.near.gap, sign / course.scale);
    out->distance = (cm_real)(end.near.distance / course.scale);
    out->normal = cm__vec3_of(cm__point_scale(end.normal, sign));
    out->point_a = cm__vec3_of(path_weigh(f.a, count_a, weight_a, 0));
    out->point_b = cm__vec3_of(path_weigh(f.b, count_b, weight_b, 0));
    for (int i = 0; i < 3; i++) {
        out->weight_a[i] = (cm_real)weight_a[i], out->weight_b[i] = (cm_real)weight_b[i];
        out->gradient_a[i] = cm__vec3_of(cm__point_scale(gap, -2 * weight_a[i]));
        out->gradient_b[i] = cm__vec3_of(cm__point_scale(gap, 2 * weight_b[i]));
    }
    return true;
}

bool cm_gap_point_point(cm_vec3 a, cm_vec3 b, cm_feature_gap *out) { return gap_of(&a, 1, &b, 1, out); }
bool cm_gap_point_edge(cm_vec3 point, const cm_vec3 edge[2], cm_feature_gap *out) {
    return gap_of(&point, 1, edge, 2, out);
}
bool cm_gap_point_triangle(cm_vec3 point, const cm_vec3 triangle[3], cm_feature_gap *out) {
    return gap_of(&point, 1, triangle, 3, out);
}
bool cm_gap_edge_edge(const cm_vec3 a[2], const cm_vec3 b[2], cm_feature_gap *out) { return gap_of(a, 2, b, 2, out); }
