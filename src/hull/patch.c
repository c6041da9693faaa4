/* Patches: neighboring faces taken for one where contacts are clipped.
 *
 * Where a box was rotated in floats, its exact hull has up to twelve triangles instead of six squares. The faces are
 * exact and stay as they are; what a contact clips is the patch. Starting from the largest face, a neighbor joins if
 * all its corners lie within the tolerance of the face's plane and its normal is within 60 degrees; so do its neighbors
 * in turn. The patch's polygon is the convex hull of all these corners, seen along the face's normal. So its corners
 * are vertices of the hull, it has the winding of the face, and it lies within the tolerance of both the plane and the
 * hull's surface.
 *
 * Containment and support never depend on patches. Each face belongs to one patch. */
#include "base/memory.h"
#include "hull/hull.h"
#include "math/wide.h"

#include <string.h>

typedef struct patch_work {
    const cm_hull *hull;
    double merge;
    uint32_t *patch;    /* by face; CM_NONE: not yet */
    uint32_t *stack;    /* of faces */
    uint32_t *stamp;    /* by vertex: 1 + the last patch that took it */
    cm__hull_key *keys; /* by face, then by the vertices of a patch; twice */
    double *flat;       /* by vertex: its place in the plane */
} patch_work;

static cm__point patch_point(const patch_work *w, uint32_t vertex) {
    return cm__point_of(cm__hull_points(w->hull)[vertex]);
}

/* Do all corners of `face` lie within the tolerance of the plane through `a`, and is its normal within 60 degrees? */
static bool patch_fits(const patch_work *w, cm__point normal, cm__point a, uint32_t face) {
    const uint32_t *first = cm__hull_first(w->hull), *corner = cm__hull_corner(w->hull);
    if (!(cm__point_dot(normal, cm__point_of(cm__hull_planes(w->hull)[face].normal)) > 0.5)) return false;
    for (uint32_t h = first[face]; h < first[face + 1]; ++h)
        if (!(fabs(cm__point_dot(normal, cm__point_sub(patch_point(w, corner[h]), a))) <= w->merge)) return false;
    return true;
}

/* Could any face join its neighbor? If not, all stays as it is. */
static bool patch_any(const patch_work *w) {
    const uint32_t *first = cm__hull_first(w->hull), *corner = cm__hull_corner(w->hull), *twin = cm__hull_twin(w->hull);
    const uint32_t *edge_face = cm__hull_edge_face(w->hull);
    for (uint32_t f = 0; f < w->hull->info.faces; ++f) {
        cm__point normal = cm__point_of(cm__hull_planes(w->hull)[f].normal), a = patch_point(w, corner[first[f]]);
        for (uint32_t h = first[f]; h < first[f + 1]; ++h)
            if (patch_fits(w, normal, a, edge_face[twin[h]])) return true;
    }
    return false;
}

static void patch_order(patch_work *w) {
    const uint32_t *first = cm__hull_first(w->hull), *corner = cm__hull_corner(w->hull);
    uint32_t faces = w->hull->info.faces;
    for (uint32_t f = 0; f < faces; ++f) {
        cm__point a = patch_point(w, corner[first[f]]), sum = cm__p(0, 0, 0);
        for (uint32_t h = first[f] + 1; h + 1 < first[f + 1]; ++h)
            sum = cm__point_add(sum, cm__point_normal(a, patch_point(w, corner[h]), patch_point(w, corner[h + 1])));
        double size = cm__point_length(sum);
        memcpy(&w->keys[f].key, &size, sizeof size); /* not negative: ordered as its bits are */
        w->keys[f].key = ~w->keys[f].key;
        w->keys[f].item = f;
    }
    cm__hull_sort(w->keys, w->keys + faces, faces);
}

/* Gathers the faces of a patch; returns how many there are, in w->stack. */
static uint32_t patch_grow(patch_work *w, uint32_t seed, uint32_t patch) {
    const uint32_t *first = cm__hull_first(w->hull), *corner = cm__hull_corner(w->hull), *twin = cm__hull_twin(w->hull);
    const uint32_t *edge_face = cm__hull_edge_face(w->hull);
    cm__point normal = cm__point_of(cm__hull_planes(w->hull)[seed].normal), a = patch_point(w, corner[first[seed]]);
    uint32_t count = 1;
    w->stack[0] = seed;
    w->patch[seed] = patch;
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t h = first[w->stack[i]]; h < first[w->stack[i] + 1]; ++h) {
            uint32_t other = edge_face[twin[h]];
            if (w->patch[other] != CM_NONE || !patch_fits(w, normal, a, other)) continue;
            w->patch[other] = patch;
            w->stack[count++] = other;
        }
    }
    return count;
}

static uint64_t patch_bits(double x) {
    uint64_t bits;
    x += 0.0; /* no -0 */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Sorts the vertices keys[i].item by u, then v. */
static void patch_sort(patch_work *w, cm__hull_key *scratch, uint32_t count) {
    for (int k = 1; k >= 0; --k) {
        for (uint32_t i = 0; i < count; ++i)
            w->keys[i].key = patch_bits(w->flat[2 * (size_t)w->keys[i].item + (size_t)k]);
        cm__hull_sort(w->keys, scratch, count);
    }
}

/* One chain of the polygon; see polygon.c. */
static uint32_t patch_chain(const patch_work *w, uint32_t count, bool back, uint32_t *out, uint32_t length) {
    uint32_t floor = length;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t p = w->keys[back ? count - 1 - i : i].item;
        const double *c = w->flat + 2 * (size_t)p;
        while (length >= floor + 2) {
            const double *a = w->flat + 2 * (size_t)out[length - 2], *b = w->flat + 2 * (size_t)out[length - 1];
            if ((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0) break;
            --length;
        }
        out[length++] = p;
    }
    return length - 1;
}

/* The polygon of the faces in w->stack; returns its length. `out` has room for all their corners. */
static uint32_t patch_polygon(patch_work *w, uint32_t seed, uint32_t faces, uint32_t patch, cm__hull_key *scratch,
                              uint32_t *polygon, uint32_t *out) {
    const uint32_t *first = cm__hull_first(w->hull), *corner = cm__hull_corner(w->hull);
    uint32_t sides = first[seed + 1] - first[seed];
    uint32_t length = 0, count = 0;
    if (faces > 1) {
        cm__point n = cm__point_of(cm__hull_planes(w->hull)[seed].normal), a = patch_point(w, corner[first[seed]]);
        cm__point u = cm__point_cross(wide_least_axis(n), n), v;
        u = cm__point_scale(u, 1 / cm__point_length(u));
        v = cm__point_cross(n, u);
        for (uint32_t i = 0; i < faces; ++i) {
            for (uint32_t h = first[w->stack[i]]; h < first[w->stack[i] + 1]; ++h) {
                uint32_t vertex = corner[h];
                if (w->stamp[vertex] == patch + 1) continue;
                w->stamp[vertex] = patch + 1;
                cm__point p = cm__point_sub(patch_point(w, vertex), a);
                w->flat[2 * (size_t)vertex] = cm__point_dot(p, u);
                w->flat[2 * (size_t)vertex + 1] = cm__point_dot(p, v);
                w->keys[count++].item = vertex;
            }
        }
        patch_sort(w, scratch, count);
        length = patch_chain(w, count, false, polygon, 0);
        length = patch_chain(w, count, true, polygon, length);
    }
    if (length < 3) { /* one face, or flat beyond double */
        memcpy(out, corner + first[seed], sides * sizeof *out);
        return sides;
    }
    uint32_t lowest = 0;
    for (uint32_t i = 1; i < length; ++i)
        if (polygon[i] < polygon[lowest]) lowest = i;
    for (uint32_t i = 0; i < length; ++i) out[i] = polygon[lowest + i < length ? lowest + i : lowest + i - length];
    return length;
}

static void patch_all(patch_work *w, uint32_t *order, uint32_t *polygon, cm__hull_patches *out) {
    uint32_t faces = w->hull->info.faces, count = 0, at = 0;
    size_t room = faces > w->hull->info.vertices ? faces : w->hull->info.vertices;
    patch_order(w);
    for (uint32_t i = 0; i < faces; ++i) order[i] = w->keys[i].item;
    for (uint32_t f = 0; f < faces; ++f) w->patch[f] = CM_NONE;
    memset(w->stamp, 0, w->hull->info.vertices * sizeof *w->stamp);
    for (uint32_t i = 0; i < faces; ++i) {
        if (w->patch[order[i]] != CM_NONE) continue;
        uint32_t members = patch_grow(w, order[i], count);
        out->first[count] = at;
        out->seed[count] = order[i];
        at += patch_polygon(w, order[i], members, count, w->keys + room, polygon, out->corner + at);
        ++count;
    }
    out->first[count] = at;
    out->count = count;
    out->corners = at;
}

cm_status cm__hull_merge(const cm_hull *hull, const cm_allocator *mem, cm__hull_patches *out) {
    patch_work w = {.hull = hull, .merge = (double)hull->info.merge};
    uint32_t faces = hull->info.faces, vertices = hull->info.vertices;
    memset(out, 0, sizeof *out);
    if (hull->info.dimension < 3 || !(w.merge >= 0) || !patch_any(&w)) return CM_OK;
    size_t room = faces > vertices ? faces : vertices, half_edges = hull->half_edges;
    out->room = 3 * (size_t)faces + 1 + half_edges;
    out->numbers = cm__alloc(mem, out->room, sizeof(uint32_t));
    uint32_t *numbers = cm__alloc(mem, 4 * room + 2, sizeof(uint32_t)); /* stack, order, stamp, polygon */
    w.keys = cm__alloc(mem, 2 * room, sizeof(cm__hull_key));
    w.flat = cm__alloc(mem, vertices, 2 * sizeof(double));
    bool done = out->numbers && numbers && w.keys && w.flat;
    if (done) {
        out->patch = out->numbers;
        out->seed = out->patch + faces;
        out->first = out->seed + faces;
        out->corner = out->first + faces + 1;
        w.patch = out->patch;
        w.stack = numbers;
        w.stamp = numbers + 2 * room;
        patch_all(&w, numbers + room, numbers + 3 * room, out);
    }
    cm__free(mem, w.flat, vertices, 2 * sizeof(double));
    cm__free(mem, w.keys, 2 * room, sizeof(cm__hull_key));
    cm__free(mem, numbers, 4 * room + 2, sizeof(uint32_t));
    if (!done) cm__hull_free_patches(out, mem);
    return done ? CM_OK : CM_NO_MEMORY;
}

void cm__hull_free_patches(cm__hull_patches *patches, const cm_allocator *mem) {
    cm__free(mem, patches->numbers, patches->room, sizeof(uint32_t));
    memset(patches, 0, sizeof *patches);
}
