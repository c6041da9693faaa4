/* A polygon of a model file as triangles: see polygon.h.
 *
 * Not by Assimp 5.2, which covers notches of polygons with corners on straight edges: a wall around a passage came out
 * without it.
 *
 * The polygon is seen along the axis that its normal (Newell's) is nearest to, turned so that it goes to the left. A
 * convex one is a fan. Of others ears are cut: a corner that turns to the left, with none of the corners that do not in
 * its triangle. Those are found in a k-d tree of all corners: n log n steps for outlines whose ears are small, such as
 * contours and gears, where a look at all of them for each ear took n squared. A corner is asked again only when one
 * beside it was cut off, so that a corrugated sheet, whose ears are at its ends, takes no longer. Where the triangles
 * cover more or less than the polygon, it crosses itself. A quadrilateral always has its two triangles: it may be bent.
 */
#include "read/polygon.h"

#include "common/text.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef double point2[2];
enum { MANY = 16 };

static double turn(const point2 a, const point2 b, const point2 c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
static bool equal(const point2 a, const point2 b) { return a[0] == b[0] && a[1] == b[1]; }

static void make_room(polygon_room *room, uint32_t count) {
    if (count <= room->capacity) return;
    polygon_room_free(room);
    room->flat = allocate(count, sizeof *room->flat);
    room->tree = allocate(count, sizeof *room->tree);
    room->next = allocate(count, sizeof *room->next);
    room->before = allocate(count, sizeof *room->before);
    room->place = allocate(count, sizeof *room->place);
    room->waiting = allocate(3 * (size_t)count, sizeof *room->waiting);
    room->capacity = count;
}
void polygon_room_free(polygon_room *room) {
    free(room->flat), free(room->tree), free(room->next), free(room->before), free(room->place), free(room->waiting);
    *room = (polygon_room){0};
}

/* Where the polygon is seen flat; false where it has no normal. */
static bool flatten(point2 *flat, const float *points, const uint32_t *corners, uint32_t count) {
    const float *origin = &points[3 * (size_t)corners[0]];
    double normal[3] = {0}, size = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float *p = &points[3 * (size_t)corners[i]], *q = &points[3 * (size_t)corners[(i + 1) % count]];
        double a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = (double)p[k] - (double)origin[k], b[k] = (double)q[k] - (double)origin[k];
            size = fmax(size, fabs(a[k]));
        }
        for (int k = 0; k < 3; k++) normal[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    if (!(length > 1e-9 * size * size)) return false;
    int k = fabs(normal[0]) >= fabs(normal[1]) ? 0 : 1;
    if (fabs(normal[2]) > fabs(normal[k])) k = 2;
    const int u = (k + (normal[k] > 0 ? 1 : 2)) % 3, v = 3 - k - u;
    for (uint32_t i = 0; i < count; i++) {
        const float *p = &points[3 * (size_t)corners[i]];
        flat[i][0] = (double)p[u] - (double)origin[u], flat[i][1] = (double)p[v] - (double)origin[v];
    }
    return true;
}

static void put(uint32_t **out, const uint32_t *corners, uint32_t a, uint32_t b, uint32_t c) {
    *(*out)++ = corners[a], *(*out)++ = corners[b], *(*out)++ = corners[c];
}

static void put_fan(const uint32_t *corners, uint32_t count, uint32_t start, uint32_t *out) {
    for (uint32_t i = 1; i + 1 < count; i++) put(&out, corners, start, (start + i) % count, (start + i + 1) % count);
}

static double cosine(const double a[3], const double b[3]) {
    const double lengths = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    return lengths > 0 ? (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / sqrt(lengths) : 1;
}

/* A fan of the corner at which the angles to the diagonal are a half turn together, or more; else of the first. Not
 * seen flat, as it may be bent. */
static void cut_four(const float *points, const uint32_t *corners, uint32_t *out) {
    uint32_t start = 0;
    for (uint32_t i = 4; i-- > 0;) {
        const float *at = &points[3 * (size_t)corners[i]];
        double to[3][3]; /* the other corners */
        for (uint32_t n = 0; n < 3; n++)
            for (int k = 0; k < 3; k++)
                to[n][k] = (double)points[3 * (size_t)corners[(i + 1 + n) % 4] + (size_t)k] - (double)at[k];
        if (cosine(to[0], to[1]) + cosine(to[1], to[2]) <= 1e-9) start = i;
    }
    put_fan(corners, 4, start, out);
}

/* Turns to the left at each corner, and goes around once. */
static bool is_convex(const point2 *flat, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!(turn(flat[i], flat[(i + 1) % count], flat[(i + 2) % count]) > 0)) return false;
    for (uint32_t i = 1; i + 1 < count; i++)
        if (!(turn(flat[0], flat[i], flat[i + 1]) > 0)) return false;
    return true;
}

static int compare_u(const void *a, const void *b) {
    const double u = ((const polygon_node *)a)->at[0], v = ((const polygon_node *)b)->at[0];
    return (u > v) - (u < v);
}
static int compare_v(const void *a, const void *b) {
    const double u = ((const polygon_node *)a)->at[1], v = ((const polygon_node *)b)->at[1];
    return (u > v) - (u < v);
}

/* The k-d tree: the middle node splits the others, those before it with a coordinate that is not more, those after it
 * with one that is not less; by turns u and v. */
static void grow_tree(polygon_node *nodes, uint32_t count, int axis) {
    if (count < 2) return;
    const uint32_t middle = count / 2;
    qsort(nodes, count, sizeof *nodes, axis == 0 ? compare_u : compare_v);
    grow_tree(nodes, middle, 1 - axis);
    grow_tree(nodes + middle + 1, count - middle - 1, 1 - axis);
}

static void find_box(polygon_room *room, uint32_t count) {
    for (int k = 0; k < 2; k++) {
        room->low[k] = room->high[k] = room->flat[0][k];
        for (uint32_t i = 1; i < count; i++) {
            room->low[k] = fmin(room->low[k], room->flat[i][k]);
            room->high[k] = fmax(room->high[k], room->flat[i][k]);
        }
    }
}

/* Does corner i, which turns to the right or not at all, lie in the triangle or on it? One at the place of a corner of
 * the triangle is that corner, or the other end of a cut that leads to a hole. */
static bool is_in_the_way(const polygon_room *room, uint32_t i, const double *const triangle[3]) {
    const point2 *p = (const point2 *)room->flat;
    const double *a = triangle[0], *b = triangle[1], *c = triangle[2];
    if (room->next[i] == i || turn(p[room->before[i]], p[i], p[room->next[i]]) > 0) return false;
    if (equal(p[i], a) || equal(p[i], b) || equal(p[i], c)) return false;
    return turn(a, b, p[i]) >= 0 && turn(b, c, p[i]) >= 0 && turn(c, a, p[i]) >= 0;
}
/* All of the box is to the right of a side of the triangle, which turns to the left. */
static bool is_beside(const double low[2], const double high[2], const double *const triangle[3]) {
    for (int i = 0; i < 3; i++) {
        const double *a = triangle[i], *b = triangle[(i + 1) % 3];
        const point2 leftmost = {b[1] < a[1] ? high[0] : low[0], b[0] > a[0] ? high[1] : low[1]};
        if (turn(a, b, leftmost) < 0) return true;
    }
    return false;
}
/* The nodes lie in the box from low to high. Where there are few, looking at them costs less than at the box. */
static bool one_is_in_the_way(const polygon_room *room, const polygon_node *nodes, uint32_t count, int axis,
                              const double low[2], const double high[2], const double *const triangle[3]) {
    if (count == 0 || (count >= MANY && is_beside(low, high, triangle))) return false;
    const uint32_t middle = count / 2;
    const double split = nodes[middle].at[axis], x = triangle[0][axis], y = triangle[1][axis], z = triangle[2][axis];
    double cut_high[2] = {high[0], high[1]}, cut_low[2] = {low[0], low[1]};
    cut_high[axis] = cut_low[axis] = split;
    return is_in_the_way(room, nodes[middle].corner, triangle) ||
           ((x <= split || y <= split || z <= split) &&
            one_is_in_the_way(room, nodes, middle, 1 - axis, low, cut_high, triangle)) ||
           ((x >= split || y >= split || z >= split) &&
            one_is_in_the_way(room, nodes + middle + 1, count - middle - 1, 1 - axis, cut_low, high, triangle));
}

static bool is_ear(const polygon_room *room, uint32_t count, uint32_t b) {
    const point2 *p = (const point2 *)room->flat;
    const double *const triangle[3] = {p[room->before[b]], p[b], p[room->next[b]]};
    return turn(triangle[0], triangle[1], triangle[2]) > 0 &&
           !one_is_in_the_way(room, room->tree, count, 0, room->low, room->high, triangle);
}

/* The corners that may be ears wait in a queue: at first all of them, then the two beside each that was cut off, which
 * go to its end, so that ears do not follow on one another around a corner. An ear remains one until then, and a corner
 * that is none does, but for what touches its triangle. At most 3 count are asked, where nothing touches. */
typedef struct waiting {
    uint32_t *list, *place; /* corners; where each is in the list: an entry elsewhere is of before */
    uint32_t first, end;
} waiting;

static void ask(waiting *w, uint32_t corner) {
    w->place[corner] = w->end;
    w->list[w->end++] = corner;
}
static void ask_all(const polygon_room *room, waiting *w, uint32_t at, uint32_t left) {
    w->first = w->end = 0;
    for (uint32_t i = 0; i < left; i++, at = room->next[at]) ask(w, at);
}
static bool find_ear(const polygon_room *room, uint32_t count, waiting *w, uint32_t *ear) {
    while (w->first < w->end) {
        const uint32_t place = w->first++, corner = w->list[place];
        if (w->place[corner] != place || room->next[corner] == corner || !is_ear(room, count, corner)) continue;
        *ear = corner;
        return true;
    }
    return false;
}

/* A corner on a straight line, the first from there on; else that one. */
static uint32_t find_straight(const polygon_room *room, uint32_t at, uint32_t left) {
    const point2 *p = (const point2 *)room->flat;
    uint32_t corner = at;
    for (uint32_t i = 0; i < left; i++, corner = room->next[corner])
        if (turn(p[room->before[corner]], p[corner], p[room->next[corner]]) == 0) return corner;
    return at;
}

/* One that is cut off is its own next. Where there is no ear any more, a corner on a straight line goes, or any. */
static double cut_ears(polygon_room *room, const uint32_t *corners, uint32_t count, uint32_t *out) {
    const point2 *p = (const point2 *)room->flat;
    waiting w = {.list = room->waiting, .place = room->place};
    double covered = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        room->next[i] = (i + 1) % count, room->before[i] = (i + count - 1) % count;
        room->tree[i] = (polygon_node){.at = {p[i][0], p[i][1]}, .corner = i};
    }
    grow_tree(room->tree, count, 0);
    find_box(room, count);
    ask_all(room, &w, at, count);
    for (uint32_t left = count; left > 2; left--) {
        uint32_t ear;
        bool found = find_ear(room, count, &w, &ear);
        if (!found) {
            ask_all(room, &w, at, left);
            found = find_ear(room, count, &w, &ear);
        }
        if (!found) ear = find_straight(room, at, left);
        const uint32_t a = room->before[ear], c = room->next[ear];
        put(&out, corners, a, ear, c);
        covered += fabs(turn(p[a], p[ear], p[c]));
        room->next[a] = c, room->before[c] = a, room->next[ear] = ear;
        at = room->next[c];
        ask(&w, a);
        ask(&w, c);
    }
    return covered;
}

bool polygon_cut(polygon_room *room, const float *points, const uint32_t *corners, uint32_t count, uint32_t *out) {
    make_room(room, count);
    const bool has_normal = flatten(room->flat, points, corners, count);
    if (count == 4) {
        cut_four(points, corners, out);
    } else if (!has_normal || is_convex((const point2 *)room->flat, count)) {
        put_fan(corners, count, 0, out);
    } else {
        const point2 *p = (const point2 *)room->flat;
        double area = 0;
        for (uint32_t i = 0; i < count; i++) area += turn(p[0], p[i], p[(i + 1) % count]);
        const double covered = cut_ears(room, corners, count, out);
        return fabs(covered - area) <= 1e-6 * area;
    }
    return true;
}
