/* The connected pieces of a mesh: see pieces.h. */
#include "read/pieces.h"

#include "common/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 4 /* triangles that enclose anything */ };

/* --- which triangles repeat others ------------------------------------------------------------------------------- */

typedef struct turned_triangle {
    uint32_t corner[3]; /* turned so that the least comes first */
    uint32_t number;
} turned_triangle;

static int compare_u32(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_triangles(const void *a, const void *b) {
    const turned_triangle *s = a, *t = b;
    for (int k = 0; k < 3; k++)
        if (s->corner[k] != t->corner[k]) return compare_u32(s->corner[k], t->corner[k]);
    return compare_u32(s->number, t->number);
}

static bool are_copies(const turned_triangle *a, const turned_triangle *b) {
    return memcmp(a->corner, b->corner, sizeof a->corner) == 0;
}

/* A triangle that repeats earlier ones, and how many: the copies with the same `layer` repeat nothing twice. */
typedef struct repeated_triangle {
    uint32_t layer, number;
    uint32_t piece; /* of the list: the first of those that it hangs together with */
} repeated_triangle;

static int compare_repeated(const void *a, const void *b) {
    const repeated_triangle *s = a, *t = b;
    return s->layer != t->layer ? compare_u32(s->layer, t->layer) : compare_u32(s->number, t->number);
}

/* Those triangles, by layer and number. One with two equal corners bounds nothing, and is none of them. */
static repeated_triangle *list_repeated(const cm_mesh *mesh, uint32_t *count) {
    const uint32_t triangles = cm_mesh_triangle_count(mesh);
    turned_triangle *all = allocate(triangles, sizeof *all);
    uint32_t n = 0;
    for (uint32_t t = 0; t < triangles; t++) {
        uint32_t c[3];
        cm_mesh_corners(mesh, t, c);
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        const int least = c[1] < c[0] ? (c[2] < c[1] ? 2 : 1) : (c[2] < c[0] ? 2 : 0);
        all[n++] = (turned_triangle){{c[least], c[(least + 1) % 3], c[(least + 2) % 3]}, t};
    }
    qsort(all, n, sizeof *all, compare_triangles);
    repeated_triangle *list = allocate(n, sizeof *list);
    *count = 0;
    for (uint32_t i = 1, layer = 0; i < n; i++) {
        layer = are_copies(&all[i - 1], &all[i]) ? layer + 1 : 0;
        if (layer > 0) list[(*count)++] = (repeated_triangle){.layer = layer, .number = all[i].number};
    }
    free(all);
    qsort(list, *count, sizeof *list, compare_repeated);
    return list;
}

/* --- which of these hang together -------------------------------------------------------------------------------- */

static uint32_t first_of(repeated_triangle *list, uint32_t at) {
    while (list[at].piece != at) at = list[at].piece = list[list[at].piece].piece;
    return at;
}

/* Sets `piece` of each: those of one layer that share points. */
static void join_repeated(const cm_mesh *mesh, repeated_triangle *list, uint32_t count) {
    uint32_t *at_point = allocate(cm_mesh_point_count(mesh), sizeof *at_point); /* the latest there, and one more */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t corner[3];
        list[i].piece = i;
        cm_mesh_corners(mesh, list[i].number, corner);
        for (int k = 0; k < 3; k++) {
            const uint32_t other = at_point[corner[k]];
            at_point[corner[k]] = i + 1;
            if (other == 0 || list[other - 1].layer != list[i].layer) continue;
            const uint32_t a = first_of(list, other - 1), b = first_of(list, i);
            list[a > b ? a : b].piece = a < b ? a : b;
        }
    }
    for (uint32_t i = 0; i < count; i++) list[i].piece = first_of(list, i);
    free(at_point);
}

/* --- which of these are bodies ----------------------------------------------------------------------------------- */

typedef struct piece_edge {
    uint32_t piece, low, high;
    int sense; /* 1 from low to high, -1 back */
} piece_edge;

static int compare_piece_edges(const void *a, const void *b) {
    const piece_edge *s = a, *t = b;
    if (s->piece != t->piece) return compare_u32(s->piece, t->piece);
    return s->low != t->low ? compare_u32(s->low, t->low) : compare_u32(s->high, t->high);
}

/* Sets open[i] of the first of those that hang together, where an edge of theirs is not met by its reverse. */
static void find_open_copies(const cm_mesh *mesh, const repeated_triangle *list, uint32_t count, bool *open) {
    piece_edge *edges = allocate(3 * (size_t)count, sizeof *edges);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c[3];
        cm_mesh_corners(mesh, list[i].number, c);
        for (int k = 0; k < 3; k++) {
            const uint32_t from = c[k], to = c[(k + 1) % 3];
            edges[3 * (size_t)i + (size_t)k] =
                (piece_edge){list[i].piece, from < to ? from : to, from < to ? to : from, (from < to) - (to < from)};
        }
    }
    qsort(edges, 3 * (size_t)count, sizeof *edges, compare_piece_edges);
    for (size_t i = 0, end = 0; i < 3 * (size_t)count; i = end) {
        int sum = 0;
        for (end = i; end < 3 * (size_t)count && compare_piece_edges(&edges[i], &edges[end]) == 0; end++)
            sum += edges[end].sense;
        if (sum != 0) open[edges[i].piece] = true;
    }
    free(edges);
}

/* How many triangles of each component repeat no earlier one. */
static uint32_t *count_distinct(const repeated_triangle *list, uint32_t count, const uint32_t *component,
                                uint32_t triangles, uint32_t components) {
    uint32_t *distinct = allocate(components, sizeof *distinct);
    for (uint32_t t = 0; t < triangles; t++) distinct[component[t]]++;
    for (uint32_t i = 0; i < count; i++) distinct[component[list[i].number]]--;
    return distinct;
}

uint32_t pieces_number(const cm_mesh *mesh, uint32_t *out) {
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    cm_mesh_components(mesh, out);
    if (info.duplicate == 0) return info.components;
    uint32_t count, pieces = info.components;
    repeated_triangle *list = list_repeated(mesh, &count);
    bool *open = allocate(count, sizeof *open);
    uint32_t *size = allocate(count, sizeof *size), *number = allocate(count, sizeof *number);
    uint32_t *distinct = count_distinct(list, count, out, info.triangles, info.components);
    join_repeated(mesh, list, count);
    find_open_copies(mesh, list, count, open);
    for (uint32_t i = 0; i < count; i++) size[list[i].piece]++;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = list[i].piece, component = out[list[first].number];
        if (first != i) continue;
        const bool is_body = !open[i] && size[i] >= FEWEST;
        number[i] = is_body || size[i] == distinct[component] ? pieces++ : component;
    }
    for (uint32_t i = 0; i < count; i++) out[list[i].number] = number[list[i].piece];
    free(list), free(open), free(size), free(number), free(distinct);
    return pieces;
}
