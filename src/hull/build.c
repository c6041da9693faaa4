/* cm_hull_build: reads the points, finds the dimension and the hull, and writes all of it into one block of memory.
 *
 * The scratch memory comes from the caller's allocator and is returned before the end, whatever fails. */
#include "base/memory.h"
#include "base/error.h"
#include "hull/hull.h"
#include "math/strided.h"

#include <string.h>

/* --- reading ------------------------------------------------------------------------------------------------------ */

static cm_status hull_check_desc(const cm_hull_desc *desc, cm_error *error) {
    if (!desc) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    if (!desc->points) return cm__refuse(error, CM_INVALID, "points", CM_NONE);
    if (desc->point_count == 0) return cm__refuse(error, CM_INVALID, "point_count", CM_NONE);
    if (desc->point_count > CM__HULL_MAX_POINTS) return cm__refuse(error, CM_LIMIT, "point_count", CM_NONE);
    if (desc->point_stride != 0 && desc->point_stride < 3 * sizeof(cm_real))
        return cm__refuse(error, CM_INVALID, "point_stride", CM_NONE);
    if (desc->max_vertices > 0 && desc->max_vertices < 4) return cm__refuse(error, CM_INVALID, "max_vertices", CM_NONE);
    if (!cm_vec3_is_valid(desc->scale)) return cm__refuse(error, CM_NOT_FINITE, "scale", CM_NONE);
    if (cm_largest(desc->scale) > 0 && (desc->scale.x == 0 || desc->scale.y == 0 || desc->scale.z == 0))
        return cm__refuse(error, CM_INVALID, "scale", CM_NONE);
    if (!cm_is_coord(desc->merge)) return cm__refuse(error, CM_NOT_FINITE, "merge", CM_NONE);
    return CM_OK;
}

/* -0 becomes 0. In the double build numbers below 2^-305 become 0 too: then every bit of a product of three coordinates
 * is above the smallest denormal, so signs of determinants are exact (math/exact.h). Of floats they always are. */
static cm_real hull_number(cm_real x) {
#if defined(CAROM_F64)
    if (cm_abs(x) < 0x1p-305) return 0;
#endif
    return x + 0;
}

/* The power of two by which tiny points are scaled up for the build, to a size of 2^-22 to 2^300, so that next to no
 * coordinate is below 2^-305. In the float build none is. */
static cm_real hull_lift(cm_real largest) {
    const double size = (double)largest;
    if (sizeof(cm_real) == sizeof(float) || size >= 0x1p-200) return 1;
    return (cm_real)(size >= 0x1p-400 ? 0x1p400 : size >= 0x1p-700 ? 0x1p700 : 0x1p1000);
}

static cm_status hull_read_points(const cm_hull_desc *desc, cm__quick_point *points, cm_real *lift, cm_error *error) {
    cm_vec3 s = cm_largest(desc->scale) > 0 ? desc->scale : cm_v(1, 1, 1);
    cm_real largest = 0;
    for (uint32_t i = 0; i < desc->point_count; ++i) {
        cm_vec3 p = cm__strided_point(desc->points, desc->point_stride, i);
        points[i].at = cm_v(p.x * s.x, p.y * s.y, p.z * s.z);
        points[i].next = CM_NONE;
        if (!cm_vec3_is_valid(points[i].at)) return cm__refuse(error, CM_NOT_FINITE, "points", i);
        largest = cm_max(largest, cm_largest(points[i].at));
    }
    *lift = hull_lift(largest);
    for (uint32_t i = 0; i < desc->point_count; ++i) {
        cm_vec3 p = cm_scale(points[i].at, *lift);
        points[i].at = cm_v(hull_number(p.x), hull_number(p.y), hull_number(p.z));
    }
    return CM_OK;
}

/* --- the block ---------------------------------------------------------------------------------------------------- */

static uint64_t hull_reserve(uint64_t *bytes, uint64_t count, uint64_t size) {
    uint64_t at = (*bytes + 15) / 16 * 16;
    *bytes = at + count * size;
    return at;
}
static void *hull_array(cm_hull *hull, uint64_t offset) { return (char *)hull + offset; }

static void hull_lay_out(const cm__hull_parts *parts, cm_hull *head) {
    memset(head, 0, sizeof *head);
    uint64_t bytes = sizeof *head, vertices = parts->vertex_count, faces = parts->face_count;
    uint64_t edges = parts->half_edge_count, ends = parts->dimension == 1 ? 2 : edges;
    head->info.dimension = parts->dimension;
    head->info.vertices = parts->vertex_count;
    head->info.faces = head->info.patches = parts->face_count;
    head->info.edges = (uint32_t)(ends / 2);
    double loss = parts->loss / (double)parts->lift;
    head->info.loss = (cm_real)loss;
    if ((double)head->info.loss < loss) head->info.loss += head->info.loss * CM_REAL_EPSILON + CM_REAL_MIN;
    head->half_edges = parts->half_edge_count;
    head->padded = (parts->vertex_count + CM__HULL_LANES - 1) / CM__HULL_LANES * CM__HULL_LANES;
    head->cells = parts->dimension >= 2 ? cm__hull_cells(parts->vertex_count) : 0;
    head->points = hull_reserve(&bytes, vertices, sizeof(cm_vec3));
    head->sources = hull_reserve(&bytes, vertices, sizeof(uint32_t));
    head->lanes = hull_reserve(&bytes, head->padded, 3 * sizeof(cm_real));
    head->first = hull_reserve(&bytes, faces + 1, sizeof(uint32_t));
    head->corner = hull_reserve(&bytes, edges, sizeof(uint32_t));
    head->twin = hull_reserve(&bytes, edges, sizeof(uint32_t));
    head->edge_face = hull_reserve(&bytes, edges, sizeof(uint32_t));
    head->plane = hull_reserve(&bytes, faces, sizeof(cm__hull_plane));
    head->neighbor_first = hull_reserve(&bytes, vertices + 1, sizeof(uint32_t));
    head->neighbor = hull_reserve(&bytes, ends, sizeof(uint32_t));
    head->vertex_edge = hull_reserve(&bytes, vertices, sizeof(uint32_t));
    head->start = hull_reserve(&bytes, 6 * (uint64_t)head->cells * head->cells, sizeof(uint32_t));
    head->face_lanes =
        hull_reserve(&bytes, parts->dimension == 3 ? cm__hull_padded_faces(head) : 0, 4 * sizeof(cm_real));
    const bool has_arcs = parts->dimension == 3 && parts->face_count <= CM__HULL_ARCS;
    head->arc = hull_reserve(&bytes, has_arcs ? head->info.edges : 0, sizeof(cm__hull_arc));
    head->ends = hull_reserve(&bytes, has_arcs ? head->info.edges : 0, sizeof(cm__hull_ends));
    head->star = hull_reserve(&bytes, has_arcs ? vertices + 1 + parts->half_edge_count : 0, sizeof(uint16_t));
    head->patch_first = head->first;
    head->patch_corner = head->corner;
    head->patch_plane = head->plane;
    head->face_patch = 0;
    head->bytes = bytes;
}

/* A polygon's two faces, front and back, both starting at vertex 0. parts->vertices come in order around the polygon,
 * and are sorted by number afterwards. */
static cm_status hull_write_polygon(cm__quick_point *points, cm__hull_parts *parts, uint32_t *first, uint32_t *corner,
                                    uint32_t *twin) {
    uint32_t count = parts->vertex_count, *vertices = parts->vertices, start = 0;
    cm__hull_key *keys = cm__alloc(parts->mem, count, 2 * sizeof(cm__hull_key));
    if (!keys) return CM_NO_MEMORY;
    for (uint32_t i = 0; i < count; ++i) keys[i].item = vertices[i];
    cm__hull_sort_points(points, -1, keys, keys + count, count);
    for (uint32_t i = 0; i < count; ++i) points[keys[i].item].next = i;
    while (points[vertices[start]].next != 0) ++start;
    uint32_t *front = corner, *back = corner + count;
    for (uint32_t i = 0; i < count; ++i)
        front[i] = points[vertices[start + i < count ? start + i : start + i - count]].next;
    for (uint32_t i = 0; i < count; ++i) back[i] = front[i == 0 ? 0 : count - i];
    if (back[1] < front[1]) { /* faces are ordered by their second vertex */
        for (uint32_t i = 1; i < count; ++i) {
            uint32_t swap = front[i];
            front[i] = back[i];
            back[i] = swap;
        }
    }
    for (uint32_t i = 0; i < count; ++i) twin[i] = 2 * count - 1 - i, twin[2 * count - 1 - i] = i;
    for (uint32_t i = 0; i < count; ++i) vertices[i] = keys[i].item;
    first[0] = 0, first[1] = count, first[2] = 2 * count;
    cm__free(parts->mem, keys, count, 2 * sizeof(cm__hull_key));
    return CM_OK;
}

static void hull_write_vertices(cm_hull *hull, const cm__quick_point *points, const cm__hull_parts *parts) {
    uint32_t count = parts->vertex_count, padded = hull->padded;
    cm_vec3 *vertices = hull_array(hull, hull->points);
    cm_real *lanes = hull_array(hull, hull->lanes);
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < count; ++i) {
        vertices[i] = cm_scale(points[parts->vertices[i]].at, 1 / parts->lift);
        box = cm_aabb_add_point(box, vertices[i]);
    }
    memcpy(hull_array(hull, hull->sources), parts->vertices, count * sizeof(uint32_t));
    hull->info.bounds = box;
    hull->middle = cm_aabb_center(&box);
    hull->half = cm_largest(cm_sub(box.max, hull->middle));
    hull->half = cm_max(hull->half, cm_largest(cm_sub(box.min, hull->middle)));
    for (uint32_t i = 0; i < padded; ++i) {
        cm_vec3 p = cm_sub(vertices[i < count ? i : count - 1], hull->middle);
        lanes[i] = p.x, lanes[padded + i] = p.y, lanes[2 * (size_t)padded + i] = p.z;
    }
}

/* The face of each half-edge; a half-edge and the neighbors of each vertex, in the order of half-edges. */
static void hull_write_links(cm_hull *hull) {
    uint32_t vertices = hull->info.vertices, sum = 0;
    const uint32_t *first = cm__hull_first(hull), *corner = cm__hull_corner(hull), *twin = cm__hull_twin(hull);
    uint32_t *edge_face = hull_array(hull, hull->edge_face), *edge = hull_array(hull, hull->vertex_edge);
    uint32_t *begin = hull_array(hull, hull->neighbor_first), *neighbor = hull_array(hull, hull->neighbor);
    for (uint32_t v = 0; v < vertices; ++v) edge[v] = CM_NONE;
    if (hull->info.dimension == 1) neighbor[0] = 1, neighbor[1] = 0, begin[1] = 1, begin[2] = 2;
    if (hull->info.faces == 0) return;
    for (uint32_t f = 0; f < hull->info.faces; ++f) {
        for (uint32_t h = first[f]; h < first[f + 1]; ++h) {
            edge_face[h] = f;
            begin[corner[h]]++;
            if (edge[corner[h]] == CM_NONE) edge[corner[h]] = h;
        }
    }
    for (uint32_t v = 0; v <= vertices; ++v) {
        uint32_t count = begin[v];
        begin[v] = sum;
        sum += count;
    }
    for (uint32_t h = 0; h < hull->half_edges; ++h) neighbor[begin[corner[h]]++] = corner[twin[h]];
    for (uint32_t v = vertices; v > 0; --v) begin[v] = begin[v - 1];
    begin[0] = 0;
}

static double hull_merge_tolerance(const cm_hull_desc *desc, const cm_aabb *bounds) {
    if (desc->merge != 0) return desc->merge > 0 ? (double)desc->merge : 0;
    return 16 * (double)CM_REAL_EPSILON * (double)cm_max(cm_largest(bounds->min), cm_largest(bounds->max));
}

/* The planes of a solid's faces as lanes, and planes that nothing is over past the last. */
static void hull_write_face_lanes(cm_hull *hull) {
    const cm__hull_plane *planes = cm__hull_planes(hull);
    const uint32_t padded = cm__hull_padded_faces(hull);
    cm_real *lanes = hull_array(hull, hull->face_lanes);
    for (uint32_t f = 0; f < padded && hull->info.dimension == 3; ++f) {
        bool is = f < hull->info.faces;
        lanes[f] = is ? planes[f].normal.x : 0;
        lanes[padded + f] = is ? planes[f].normal.y : 0;
        lanes[2 * (size_t)padded + f] = is ? planes[f].normal.z : 0;
        lanes[3 * (size_t)padded + f] = is ? planes[f].d : -CM_REAL_MAX;
    }
}

/* By edge its faces and its vertices, then by vertex its faces. */
static void hull_write_arcs(cm_hull *hull) {
    const uint32_t *corner = cm__hull_corner(hull), *twin = cm__hull_twin(hull), *face = cm__hull_edge_face(hull);
    cm__hull_arc *arcs = hull_array(hull, hull->arc);
    cm__hull_ends *ends = hull_array(hull, hull->ends);
    if (!cm__hull_has_arcs(hull)) return;
    for (uint32_t h = 0, e = 0; h < hull->half_edges; ++h) {
        if (h > twin[h]) continue;
        arcs[e].face[0] = (uint8_t)face[h], arcs[e].face[1] = (uint8_t)face[twin[h]];
        ends[e].corner[0] = (uint16_t)corner[h], ends[e].corner[1] = (uint16_t)corner[twin[h]];
        e++;
    }
    uint16_t *star = hull_array(hull, hull->star);
    uint32_t at = hull->info.vertices + 1;
    for (uint32_t v = 0; v < hull->info.vertices; ++v) {
        const uint32_t start = cm__hull_vertex_edge(hull)[v];
        uint32_t h = start;
        star[v] = (uint16_t)at;
        do { /* in order: of equal faces the first is the lowest */
            uint32_t to = at++;
            for (; to > star[v] && star[to - 1] > face[h]; --to) star[to] = star[to - 1];
            star[to] = (uint16_t)face[h];
            h = cm__hull_around(hull, h);
        } while (h != start);
    }
    star[hull->info.vertices] = (uint16_t)at;
}

/* Merges faces to patches. Where any were, *hull becomes a larger copy of the block with the patches at its end. */
static cm_status hull_add_patches(const cm_hull_desc *desc, const cm_allocator *mem, cm_hull **hull) {
    cm_hull *old = *hull, head;
    cm__hull_patches patches;
    old->info.merge = (cm_real)hull_merge_tolerance(desc, &old->info.bounds);
    if (desc->merge < 0) return CM_OK;
    cm_status status = cm__hull_merge(old, mem, &patches);
    if (status != CM_OK || patches.count == 0) return status;
    head = *old;
    head.info.patches = patches.count;
    head.patch_first = hull_reserve(&head.bytes, (uint64_t)patches.count + 1, sizeof(uint32_t));
    head.patch_corner = hull_reserve(&head.bytes, patches.corners, sizeof(uint32_t));
    head.patch_plane = hull_reserve(&head.bytes, patches.count, sizeof(cm__hull_plane));
    head.face_patch = hull_reserve(&head.bytes, head.info.faces, sizeof(uint32_t));
    cm_hull *grown = head.bytes <= SIZE_MAX / 2 ? cm__alloc(mem, (size_t)head.bytes, 1) : NULL;
    if (grown) {
        memcpy(grown, old, (size_t)old->bytes);
        memset((char *)grown + old->bytes, 0, (size_t)(head.bytes - old->bytes));
        *grown = head;
        memcpy(hull_array(grown, head.patch_first), patches.first, ((size_t)patches.count + 1) * sizeof(uint32_t));
        memcpy(hull_array(grown, head.patch_corner), patches.corner, patches.corners * sizeof(uint32_t));
        memcpy(hull_array(grown, head.face_patch), patches.patch, head.info.faces * sizeof(uint32_t));
        cm__hull_plane *planes = hull_array(grown, head.patch_plane);
        for (uint32_t p = 0; p < patches.count; ++p) planes[p] = cm__hull_planes(old)[patches.seed[p]];
        cm_hull_destroy(old, mem);
        *hull = grown;
    }
    cm__hull_free_patches(&patches, mem);
    return grown ? CM_OK : CM_NO_MEMORY;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Reads the points and finds the hull's dimension, vertices and faces. */
static cm_status hull_gather(cm__quick *q, const cm_hull_desc *desc, cm__hull_parts *parts) {
    uint32_t simplex[4];
    parts->dimension = cm__hull_simplex(q->points, q->point_count, simplex);
    if (parts->dimension == 3) {
        cm_status status = cm__quick_build(q, simplex, desc->max_vertices, &parts->loss);
        return status == CM_OK ? cm__hull_join(q, parts) : status;
    }
    if (parts->dimension == 2) {
        cm_status status = cm__hull_polygon(q->points, q->point_count, simplex, desc->max_vertices, parts);
        parts->face_count = 2;
        parts->half_edge_count = 2 * parts->vertex_count;
        return status;
    }
    parts->vertex_capacity = 2;
    parts->vertices = cm__alloc(parts->mem, parts->vertex_capacity, sizeof(uint32_t));
    if (!parts->vertices) return CM_NO_MEMORY;
    parts->vertex_count = parts->dimension == 1 ? 2 : 1;
    parts->vertices[0] = simplex[0];
    parts->vertices[1] = simplex[1];
    return CM_OK;
}

static cm_status hull_make(cm__quick *q, const cm_hull_desc *desc, cm__hull_parts *parts, cm_hull **out) {
    cm_hull head;
    hull_lay_out(parts, &head);
    cm_hull *hull = head.bytes <= SIZE_MAX / 2 ? cm__alloc(q->mem, (size_t)head.bytes, 1) : NULL;
    if (!hull) return CM_NO_MEMORY;
    memset(hull, 0, (size_t)head.bytes); /* the gaps too: equal hulls are equal bytes */
    *hull = head;
    uint32_t *first = hull_array(hull, head.first), *corner = hull_array(hull, head.corner);
    uint32_t *twin = hull_array(hull, head.twin);
    cm_status status = CM_OK;
    if (parts->dimension == 3) status = cm__hull_write_faces(q, parts, first, corner, twin);
    if (parts->dimension == 2) status = hull_write_polygon(q->points, parts, first, corner, twin);
    if (status == CM_OK) {
        hull_write_vertices(hull, q->points, parts);
        hull_write_links(hull);
        cm__hull_measure(hull, hull_array(hull, hull->plane));
        hull_write_face_lanes(hull);
        hull_write_arcs(hull);
        cm__hull_fill_starts(hull, hull_array(hull, hull->start));
        status = hull_add_patches(desc, q->mem, &hull);
    }
    if (status == CM_OK)
        *out = hull;
    else
        cm_hull_destroy(hull, q->mem);
    return status;
}

cm_status cm_hull_build(const cm_hull_desc *desc, const cm_allocator *mem, cm_hull **out, cm_error *error) {
    cm_status status = hull_check_desc(desc, error);
    if (status != CM_OK) return status;
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    cm__quick q;
    cm__hull_parts parts;
    memset(&q, 0, sizeof q);
    memset(&parts, 0, sizeof parts);
    q.mem = parts.mem = mem;
    q.point_count = desc->point_count;
    q.points = cm__alloc(mem, q.point_count, sizeof(cm__quick_point));
    status = q.points ? hull_read_points(desc, q.points, &parts.lift, error) : CM_NO_MEMORY;
    if (status == CM_OK) status = hull_gather(&q, desc, &parts);
    if (status == CM_OK) status = hull_make(&q, desc, &parts, out);
    if (status == CM_NO_MEMORY) cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    cm__free(mem, parts.loops, parts.loop_capacity, sizeof(cm__hull_key));
    cm__free(mem, parts.vertices, parts.vertex_capacity, sizeof(uint32_t));
    cm__quick_free(&q);
    cm__free(mem, q.points, q.point_count, sizeof(cm__quick_point));
    return status;
}

/* --- the rest of the interface ------------------------------------------------------------------------------------ */

void cm_hull_destroy(cm_hull *hull, const cm_allocator *mem) {
    if (hull) cm__free(mem, hull, (size_t)hull->bytes, 1);
}
size_t cm_hull_bytes(const cm_hull *hull) { return (size_t)hull->bytes; }
void cm_hull_get_info(const cm_hull *hull, cm_hull_info *out) { *out = hull->info; }
uint32_t cm_hull_vertex_count(const cm_hull *hull) { return hull->info.vertices; }
uint32_t cm_hull_face_count(const cm_hull *hull) { return hull->info.faces; }
const cm_vec3 *cm_hull_vertices(const cm_hull *hull) { return cm__hull_points(hull); }
const uint32_t *cm_hull_sources(const cm_hull *hull) { return (const uint32_t *)cm__hull_at(hull, hull->sources); }
void cm_hull_get_face(const cm_hull *hull, uint32_t face, cm_hull_face *out) {
    const uint32_t *first = cm__hull_first(hull);
    out->first = first[face];
    out->count = first[face + 1] - first[face];
    out->vertices = cm__hull_corner(hull) + first[face];
    out->twins = cm__hull_twin(hull) + first[face];
    out->normal = cm__hull_planes(hull)[face].normal;
    out->d = cm__hull_planes(hull)[face].d;
}
uint32_t cm_hull_edge_face(const cm_hull *hull, uint32_t half_edge) { return cm__hull_edge_face(hull)[half_edge]; }
