/* T-junctions, closed: see junctions.h.
 *
 * Where two faces meet in a straight edge that a program cut differently on either side, the corners of one lie on
 * edges of the other, and the mesh is open though there is no hole. A seam is such an edge: from one corner that both
 * sides have to the next one, open edges on one side, open edges the other way on the other, all on one line. It is
 * closed by cutting the triangles on each side at the corners of the other. No corner moves, and what the surface
 * bounds changes by no more than rounding.
 *
 * How near to the line: each number of a file is off by half a place of its precision, epsilon / 2 of its size or less.
 * A point is then off by sqrt(3) epsilon / 2 of its largest coordinate, its distance from a line through two others by
 * as much again, so by sqrt(3) epsilon at most; taken is 2 epsilon. Where points that are nearly equal count as one
 * (--weld), corners that are as near to an edge lie on it. Corners that are no farther apart than that have no order
 * along the line.
 *
 * Ambiguous, and left as it is: where at any corner of the seam another open edge sets out along its line, where two
 * corners are too near to one another, where a triangle is too thin to be cut. So each edge is in one seam at most. A
 * seam that a third sheet runs along, or that ends in a real hole, stays open.
 *
 * Seams are found from corner to corner, without a look at what is near: linear in the triangles, times the open edges
 * at a corner, of which those with more than SEAM_WAYS have no seams. */
#include "read/junctions.h"

#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEAM_WAYS = 64 };

/* A half-edge 3 t + e runs from corner e of triangle t to the next one. */
typedef struct seams {
    const cm_vec3 *points;
    uint32_t *corners;
    uint32_t point_count, triangle_count;
    double near, weld; /* how near is on the line: of the largest coordinate; at least */
    uint32_t *open;
    uint32_t open_count;
    uint32_t *out_end, *outs, *in_end, *ins; /* by point: open half-edges that begin, that end there; those of a point
                                                lie before its end, behind the last point's */
    uint32_t *order;                         /* the corners of the seam at hand */
    uint32_t *cut_first, *cut_count;         /* by half-edge: its corners in `cuts`, in its direction */
    bool *used;                              /* by half-edge: a seam has it */
    uint32_t *cuts;
    uint32_t cut_total;
    size_t cut_capacity;
} seams;

static uint32_t seam_next(uint32_t half_edge) { return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1; }
static uint32_t seam_from(const seams *s, uint32_t half_edge) { return s->corners[half_edge]; }
static uint32_t seam_to(const seams *s, uint32_t half_edge) { return s->corners[seam_next(half_edge)]; }
static uint32_t seam_apex(const seams *s, uint32_t half_edge) { return s->corners[seam_next(seam_next(half_edge))]; }

/* --- open edges --------------------------------------------------------------------------------------------------- */

static int compare_edges(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool has_edges(const uint32_t *c) { return c[0] != c[1] && c[1] != c[2] && c[2] != c[0]; }

/* Of each point's edges to higher ones, those that one triangle has. */
static void take_open(seams *s, uint64_t *edges, uint32_t count) {
    qsort(edges, count, sizeof *edges, compare_edges);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && edges[end] >> 32 == edges[i] >> 32; end++) {
        }
        if (end - i == 1) s->open[s->open_count++] = (uint32_t)edges[i];
    }
}

static void find_open(seams *s) {
    const uint32_t half_edges = 3 * s->triangle_count;
    uint32_t *end = allocate(s->point_count, sizeof *end), sum = 0;
    uint64_t *edges = allocate(half_edges, sizeof *edges);
    s->open = allocate(half_edges, sizeof *s->open);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t h = 0; h < half_edges; h++) {
            const uint32_t a = seam_from(s, h), b = seam_to(s, h), low = a < b ? a : b, high = a < b ? b : a;
            if (!has_edges(s->corners + (h - h % 3))) continue;
            if (pass == 0)
                end[low]++;
            else
                edges[end[low]++] = (uint64_t)high << 32 | h;
        }
        for (uint32_t p = 0; p < s->point_count && pass == 0; p++) {
            const uint32_t count = end[p];
            end[p] = sum, sum += count;
        }
    }
    for (uint32_t p = 0, first = 0; p < s->point_count; first = end[p++]) take_open(s, edges + first, end[p] - first);
    free(edges), free(end);
}

/* Those that begin (or end) at each point. */
static void list_ways(const seams *s, bool begin, uint32_t **ends, uint32_t **list) {
    uint32_t *end = allocate(s->point_count, sizeof *end), *all = allocate(s->open_count, sizeof *all), sum = 0;
    for (uint32_t i = 0; i < s->open_count; i++) end[begin ? seam_from(s, s->open[i]) : seam_to(s, s->open[i])]++;
    for (uint32_t p = 0; p < s->point_count; p++) {
        const uint32_t count = end[p];
        end[p] = sum, sum += count;
    }
    for (uint32_t i = 0; i < s->open_count; i++)
        all[end[begin ? seam_from(s, s->open[i]) : seam_to(s, s->open[i])]++] = s->open[i];
    *ends = end, *list = all;
}

/* --- along a line ------------------------------------------------------------------------------------------------- */

static double seam_nearness(const seams *s, uint32_t p, uint32_t a, uint32_t b) {
    const cm_vec3 *x = s->points;
    return fmax(s->weld, s->near * fmax(cm_largest(x[p]), fmax(cm_largest(x[a]), cm_largest(x[b]))));
}
static double seam_length(const seams *s, uint32_t a, uint32_t b) {
    return cm_length(cm_sub(s->points[b], s->points[a]));
}

/* Is p between a and b, on the line and away from both? */
static bool seam_is_between(const seams *s, uint32_t p, uint32_t a, uint32_t b) {
    const double near = seam_nearness(s, p, a, b);
    const cm_vec3 along = cm_sub(s->points[b], s->points[a]), to = cm_sub(s->points[p], s->points[a]);
    const double length = cm_length(along), at = cm_dot(to, along) / length;
    if (!(at > near && at < length - near)) return false;
    return cm_length(cm_sub(to, cm_scale(along, at / length))) <= near;
}

/* Do the ways from `at` to p and to q run along one another as far as the shorter goes? */
static bool seam_is_along(const seams *s, uint32_t at, uint32_t p, uint32_t q) {
    if (p == q) return true;
    const cm_vec3 u = cm_sub(s->points[p], s->points[at]), v = cm_sub(s->points[q], s->points[at]);
    const double both = cm_dot(u, v);
    if (both <= 0 || both * both < 0.49 * cm_dot(u, u) * cm_dot(v, v)) return false; /* by more than 45 degrees */
    return seam_length(s, at, p) < seam_length(s, at, q) ? seam_is_between(s, p, at, q) : seam_is_between(s, q, at, p);
}

/* How many open edges at the point run toward another one, or come from there; the last of them. */
static uint32_t count_ways(const seams *s, uint32_t at, uint32_t toward, bool out, uint32_t *half_edge) {
    const uint32_t *ends = out ? s->out_end : s->in_end, *list = out ? s->outs : s->ins;
    const uint32_t first = at > 0 ? ends[at - 1] : 0;
    uint32_t count = 0;
    if (ends[at] - first > SEAM_WAYS) return SEAM_WAYS;
    for (uint32_t i = first; i < ends[at]; i++) {
        if (!seam_is_along(s, at, out ? seam_to(s, list[i]) : seam_from(s, list[i]), toward)) continue;
        *half_edge = list[i];
        count++;
    }
    return count;
}

/* --- a seam ------------------------------------------------------------------------------------------------------- */

/* The corners of a seam in order, from a corner of both sides to the next one, into `order`; 0 where there is none. The
 * side that begins with the half-edge runs that way, the other against it. What is nearer goes on. */
static uint32_t follow_seam(const seams *s, uint32_t half_edge) {
    const uint32_t start = seam_from(s, half_edge);
    uint32_t count = 0, front[2] = {seam_to(s, half_edge), 0}, way = 0;
    if (count_ways(s, start, front[0], true, &way) != 1 || count_ways(s, start, front[0], false, &way) != 1) return 0;
    front[1] = seam_from(s, way);
    s->order[count++] = start;
    while (front[0] != front[1]) {
        const bool out = seam_length(s, start, front[0]) < seam_length(s, start, front[1]); /* which side goes on */
        const uint32_t at = front[!out], target = front[out];
        uint32_t on = 0;
        if (count_ways(s, at, target, !out, &way) != 0 || count_ways(s, at, start, out, &way) != 0 ||
            count_ways(s, at, start, !out, &way) != 1 || count_ways(s, at, target, out, &on) != 1)
            return 0;
        const uint32_t next = out ? seam_to(s, on) : seam_from(s, on);
        if (!(seam_length(s, start, next) > seam_length(s, start, at))) return 0; /* else this might not end */
        s->order[count++] = at;
        front[!out] = next;
    }
    s->order[count++] = front[0];
    if (count_ways(s, front[0], start, true, &way) != 1 || count_ways(s, front[0], start, false, &way) != 1) return 0;
    return count;
}

/* Is what is left of the triangle at the edge, cut at these corners, the way round that it was? */
static bool pieces_are_sound(const seams *s, uint32_t half_edge, uint32_t first, uint32_t last, int step) {
    const cm_vec3 *p = s->points;
    const cm_vec3 apex = p[seam_apex(s, half_edge)], a = p[seam_from(s, half_edge)], b = p[seam_to(s, half_edge)];
    const cm_vec3 normal = cm_cross(cm_sub(b, a), cm_sub(apex, a));
    for (uint32_t i = first; i != last; i += (uint32_t)step) {
        const cm_vec3 u = p[s->order[i]], v = p[s->order[i + (uint32_t)step]];
        if (!(cm_dot(cm_cross(cm_sub(v, u), cm_sub(apex, u)), normal) > 0)) return false;
    }
    return true;
}

/* The half-edge that runs over a seam's corners from the one at `first`, `step` at a time: one that is open, and ends
 * at a corner of the seam. Its end's place, or `first` where it is not fit to be cut at those between. */
static uint32_t check_edge(const seams *s, uint32_t first, int step, uint32_t limit, uint32_t *half_edge) {
    const uint32_t from = s->order[first], toward = s->order[limit];
    if (count_ways(s, from, toward, true, half_edge) != 1 || s->used[*half_edge]) return first;
    const uint32_t to = seam_to(s, *half_edge);
    uint32_t last = first;
    do last += (uint32_t)step;
    while (s->order[last] != to && last != limit);
    if (s->order[last] != to) return first;
    for (uint32_t i = first + (uint32_t)step; i != last; i += (uint32_t)step)
        if (!seam_is_between(s, s->order[i], from, to) ||
            !seam_is_between(s, s->order[i], s->order[i - (uint32_t)step], to))
            return first;
    return pieces_are_sound(s, *half_edge, first, last, step) ? last : first;
}

/* Cuts the edges of one side; or only asks whether they may be. */
static bool cut_side(seams *s, uint32_t count, bool forward, bool ask) {
    const int step = forward ? 1 : -1;
    const uint32_t limit = forward ? count - 1 : 0;
    for (uint32_t at = forward ? 0 : count - 1, last; at != limit; at = last) {
        uint32_t half_edge = 0;
        last = check_edge(s, at, step, limit, &half_edge);
        if (last == at) return false;
        if (ask) continue;
        s->used[half_edge] = true;
        s->cut_first[half_edge] = s->cut_total;
        for (uint32_t i = at + (uint32_t)step; i != last; i += (uint32_t)step) {
            s->cuts = grow(s->cuts, s->cut_total, &s->cut_capacity, sizeof *s->cuts);
            s->cuts[s->cut_total++] = s->order[i];
            s->cut_count[half_edge]++;
        }
    }
    return true;
}

/* --- triangles ---------------------------------------------------------------------------------------------------- */

typedef struct triangle_list {
    uint32_t *indices;
    size_t used, first; /* numbers; the first triangle takes the place of the one that is cut */
    bool begun;
} triangle_list;

static void add_triangle(triangle_list *out, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *at = out->indices + (out->begun ? out->used : out->first);
    out->used += out->begun ? 3 : 0;
    out->begun = true;
    at[0] = a, at[1] = b, at[2] = c;
}

/* The corners of a half-edge with those at which it is cut: the i-th of cut_count + 2. */
static uint32_t cut_at(const seams *s, uint32_t half_edge, uint32_t i) {
    if (i == 0) return seam_from(s, half_edge);
    return i <= s->cut_count[half_edge] ? s->cuts[s->cut_first[half_edge] + i - 1] : seam_to(s, half_edge);
}

/* A fan around `apex` over the half-edge, from its corner `first` to its corner `last`. */
static void add_fan(const seams *s, triangle_list *out, uint32_t half_edge, uint32_t first, uint32_t last,
                    uint32_t apex) {
    for (uint32_t i = first; i < last; i++)
        add_triangle(out, cut_at(s, half_edge, i), cut_at(s, half_edge, i + 1), apex);
}

/* Around the opposite corner; the first and the last triangle have the other two edges, and are fans over these. */
static void cut_triangle(const seams *s, triangle_list *out, uint32_t triangle) {
    uint32_t ab = 3 * triangle;
    while (s->cut_count[ab] == 0) ab++;
    const uint32_t bc = seam_next(ab), ca = seam_next(bc), count = s->cut_count[ab];
    out->first = 3 * (size_t)triangle, out->begun = false;
    add_fan(s, out, ca, 0, s->cut_count[ca] + 1, cut_at(s, ab, 1));
    add_fan(s, out, ab, 1, count, seam_from(s, ca));
    add_fan(s, out, bc, 0, s->cut_count[bc] + 1, cut_at(s, ab, count));
}

static void cut_triangles(const seams *s, split_triangles *out) {
    const size_t own = 3 * (size_t)s->triangle_count;
    triangle_list list = {.indices = allocate(own + 3 * (size_t)s->cut_total, sizeof *list.indices), .used = own};
    memcpy(list.indices, s->corners, own * sizeof *list.indices);
    for (uint32_t t = 0; t < s->triangle_count; t++)
        if (s->cut_count[3 * (size_t)t] + s->cut_count[3 * (size_t)t + 1] + s->cut_count[3 * (size_t)t + 2] > 0)
            cut_triangle(s, &list, t);
    *out = (split_triangles){list.indices, (uint32_t)(list.used / 3), s->cut_total};
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void find_seams(seams *s) {
    const uint32_t half_edges = 3 * s->triangle_count;
    find_open(s);
    list_ways(s, true, &s->out_end, &s->outs);
    list_ways(s, false, &s->in_end, &s->ins);
    s->order = allocate((size_t)s->open_count + 2, sizeof *s->order);
    s->cut_first = allocate(half_edges, sizeof *s->cut_first);
    s->cut_count = allocate(half_edges, sizeof *s->cut_count);
    s->used = allocate(half_edges, sizeof *s->used);
    for (uint32_t i = 0; i < s->open_count; i++) {
        if (s->used[s->open[i]]) continue;
        const uint32_t count = follow_seam(s, s->open[i]);
        if (count < 3 || !cut_side(s, count, true, true) || !cut_side(s, count, false, true)) continue;
        cut_side(s, count, true, false);
        cut_side(s, count, false, false);
    }
}

bool split_at_junctions(const cm_mesh *mesh, double epsilon, double weld, split_triangles *out) {
    seams s = {.points = cm_mesh_points(mesh),
               .point_count = cm_mesh_point_count(mesh),
               .triangle_count = cm_mesh_triangle_count(mesh),
               .near = 2 * epsilon,
               .weld = weld};
    s.corners = allocate(s.triangle_count, 3 * sizeof *s.corners);
    for (uint32_t t = 0; t < s.triangle_count; t++) cm_mesh_corners(mesh, t, s.corners + 3 * (size_t)t);
    find_seams(&s);
    if (s.cut_total > 0) cut_triangles(&s, out);
    free(s.corners), free(s.open), free(s.out_end), free(s.outs), free(s.in_end), free(s.ins);
    free(s.order), free(s.cut_first), free(s.cut_count), free(s.used), free(s.cuts);
    return s.cut_total > 0;
}
