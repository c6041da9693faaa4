/* cm_mesh_build: reads the description, joins points, reports what is wrong with the triangles, grows the tree, and
 * lays all of it into one block. Nothing is repaired or dropped: triangle numbers stay the source's.
 *
 * The scratch memory comes from the caller's allocator and is returned before the end, whatever fails. */
#include "base/memory.h"
#include "base/error.h"
#include "math/exact.h"
#include "math/strided.h"
#include "bvh/wide.h"
#include "mesh/mesh.h"

#include <string.h>

/* What is gathered before the block can be laid out. */
typedef struct mesh_parts {
    uint32_t source_points, triangles;
    cm_vec3 *points; /* source_points of them, the first info.points kept */
    uint32_t *remap; /* source point to kept point; then scratch */
    uint32_t *corners, *neighbors, *components;
    cm_aabb *boxes;
    cm__bvh tree;       /* nodes == NULL until built */
    cm__wide_tree rays; /* as well */
    uint32_t component_count;
    cm_mesh_info info;
} mesh_parts;

/* --- reading ------------------------------------------------------------------------------------------------------ */

static cm_status mesh_check_desc(const cm_mesh_desc *desc, uint32_t *triangles, cm_error *error) {
    if (!desc) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    if (!desc->points || desc->point_count == 0) return cm__refuse(error, CM_INVALID, "points", CM_NONE);
    if (desc->point_stride != 0 && desc->point_stride < 3 * sizeof(cm_real))
        return cm__refuse(error, CM_INVALID, "point_stride", CM_NONE);
    if (desc->index_size != 0 && desc->index_size != 2 && desc->index_size != 4)
        return cm__refuse(error, CM_INVALID, "index_size", CM_NONE);
    if (!cm_vec3_is_valid(desc->scale)) return cm__refuse(error, CM_NOT_FINITE, "scale", CM_NONE);
    if (cm_largest(desc->scale) > 0 && (desc->scale.x == 0 || desc->scale.y == 0 || desc->scale.z == 0))
        return cm__refuse(error, CM_INVALID, "scale", CM_NONE);
    if (!(desc->weld <= CM_COORD_MAX && desc->weld >= -CM_COORD_MAX))
        return cm__refuse(error, CM_NOT_FINITE, "weld", CM_NONE);
    uint32_t count = desc->triangle_count;
    if (!desc->indices && count == 0) count = desc->point_count / 3;
    if (count == 0) return cm__refuse(error, CM_INVALID, "triangle_count", CM_NONE);
    if (count > UINT32_C(1) << 30) return cm__refuse(error, CM_LIMIT, "triangle_count", CM_NONE);
    if (!desc->indices && 3 * (uint64_t)count > desc->point_count)
        return cm__refuse(error, CM_OUT_OF_RANGE, "triangle_count", desc->point_count / 3);
    *triangles = count;
    return CM_OK;
}

static cm_status mesh_read_points(const cm_mesh_desc *desc, cm_vec3 *points, cm_error *error) {
    const cm_vec3 s = desc->scale;
    const bool scaled = cm_largest(s) > 0;
    for (uint32_t i = 0; i < desc->point_count; ++i) {
        cm_vec3 p = cm__strided_point(desc->points, desc->point_stride, i);
        points[i] = scaled ? cm_v(p.x * s.x, p.y * s.y, p.z * s.z) : p;
        if (!cm_vec3_is_valid(points[i])) return cm__refuse(error, CM_NOT_FINITE, "points", i);
    }
    return CM_OK;
}

static uint32_t mesh_read_index(const cm_mesh_desc *desc, size_t i) {
    if (!desc->indices) return (uint32_t)i;
    if (desc->index_size == 2) {
        uint16_t index;
        memcpy(&index, (const char *)desc->indices + 2 * i, sizeof index);
        return index;
    }
    uint32_t index;
    memcpy(&index, (const char *)desc->indices + 4 * i, sizeof index);
    return index;
}

static cm_status mesh_read_corners(const cm_mesh_desc *desc, mesh_parts *m, cm_error *error) {
    const bool mirror = (desc->scale.x < 0) != ((desc->scale.y < 0) != (desc->scale.z < 0));
    for (uint32_t t = 0; t < m->triangles; ++t) {
        uint32_t *c = m->corners + 3 * (size_t)t;
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t index = mesh_read_index(desc, 3 * (size_t)t + k);
            if (index >= desc->point_count) return cm__refuse(error, CM_OUT_OF_RANGE, "indices", t);
            c[k] = m->remap[index];
        }
        if (desc->flip != mirror) {
            uint32_t swap = c[1];
            c[1] = c[2];
            c[2] = swap;
        }
    }
    return CM_OK;
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

/* Boxes, bounds, area and volume; the volume about the middle of the bounds, so that a far origin costs no digits. */
static void mesh_measure(mesh_parts *m) {
    cm_aabb all = cm_aabb_empty();
    for (uint32_t t = 0; t < m->triangles; ++t) {
        const uint32_t *c = m->corners + 3 * (size_t)t;
        cm_aabb box = cm_aabb_empty();
        for (int k = 0; k < 3; ++k) box = cm_aabb_add_point(box, m->points[c[k]]);
        m->boxes[t] = box;
        all = cm_aabb_union(all, box);
    }
    m->info.bounds = all;
    cm_vec3 middle = cm_aabb_center(&all);
    double area = 0, volume = 0;
    for (uint32_t t = 0; t < m->triangles; ++t) {
        const uint32_t *c = m->corners + 3 * (size_t)t;
        cm__point o = cm__point_of(middle), a = cm__point_sub(cm__point_of(m->points[c[0]]), o);
        cm__point b = cm__point_sub(cm__point_of(m->points[c[1]]), o);
        cm__point d = cm__point_sub(cm__point_of(m->points[c[2]]), o);
        cm__point normal = cm__point_cross(cm__point_sub(b, a), cm__point_sub(d, a));
        area += cm__point_length(normal);   /* twice */
        volume += cm__point_dot(a, normal); /* six times */
    }
    area /= 2, volume /= 6;
    const double most = (double)CM_REAL_MAX;
    m->info.area = (cm_real)(area < most ? area : most);
    m->info.volume = (cm_real)(volume > most ? most : volume < -most ? -most : volume);
}

static cm_status mesh_gather(const cm_mesh_desc *desc, const cm_allocator *mem, mesh_parts *m, cm_error *error) {
    size_t half_edges = 3 * (size_t)m->triangles;
    m->points = cm__alloc(mem, m->source_points, sizeof(cm_vec3));
    m->remap = cm__alloc(mem, m->source_points, sizeof(uint32_t));
    m->corners = cm__alloc(mem, half_edges, sizeof(uint32_t));
    m->neighbors = cm__alloc(mem, half_edges, sizeof(uint32_t));
    m->components = cm__alloc(mem, m->triangles, sizeof(uint32_t));
    m->boxes = cm__alloc(mem, m->triangles, sizeof(cm_aabb));
    if (!m->points || !m->remap || !m->corners || !m->neighbors || !m->components || !m->boxes) return CM_NO_MEMORY;

    cm_status status = mesh_read_points(desc, m->points, error);
    if (status != CM_OK) return status;
    uint32_t kept = 0, open_triangle = CM_NONE;
    status = cm__mesh_weld(m->points, m->source_points, desc->weld, mem, m->remap, &kept);
    if (status != CM_OK) return status;
    status = mesh_read_corners(desc, m, error);
    if (status != CM_OK) return status;
    m->info.points = kept;
    m->info.welded = m->source_points - kept;
    m->info.triangles = m->triangles;
    mesh_measure(m);
    status = cm__mesh_edges(m->points, kept, m->corners, m->triangles, mem, m->neighbors, &m->info, &open_triangle);
    if (status != CM_OK) return status;
    if (desc->solid && !m->info.closed) return cm__refuse(error, CM_NOT_SOLID, "solid", open_triangle);
    m->info.solid = desc->solid;
    m->component_count = cm__mesh_join(m->corners, m->triangles, m->remap, kept, m->components);
    m->info.components = m->component_count;
    status = cm__bvh_build(m->boxes, m->triangles, CM__MESH_LEAF, mem, &m->tree);
    if (status != CM_OK) return status;
    return cm__wide_build(&m->tree, mem, &m->rays) ? CM_OK : CM_NO_MEMORY;
}

/* --- the block ---------------------------------------------------------------------------------------------------- */

static uint64_t mesh_reserve(uint64_t *bytes, uint64_t count, uint64_t size) {
    uint64_t at = (*bytes + 15) / 16 * 16;
    *bytes = at + count * size;
    return at;
}

static void mesh_lay_out(const mesh_parts *m, cm_mesh *head) {
    memset(head, 0, sizeof *head);
    uint64_t triangles = m->triangles, bytes = sizeof *head;
    head->info = m->info;
    for (int k = 0; k < 3; ++k) head->origin[k] = m->tree.origin[k];
    head->scale = m->tree.scale;
    head->node_count = m->tree.node_count;
    head->ray_node_count = m->rays.count;
    head->point_reach = cm_max(cm_largest(m->info.bounds.min), cm_largest(m->info.bounds.max));
    head->nodes = mesh_reserve(&bytes, m->tree.node_count, sizeof(cm__bvh_node));
    bytes = (bytes + 79) / 64 * 64 - 16; /* large blocks of common heaps begin 16 beyond a multiple of a line: */
    head->rays = mesh_reserve(&bytes, m->rays.count, sizeof(cm__wide_node));
    head->lanes = mesh_reserve(&bytes, CM__MESH_LANE * triangles + CM__MESH_LANES_ROOM, sizeof(cm_real));
    head->places = mesh_reserve(&bytes, triangles, sizeof(cm__face));
    head->points = mesh_reserve(&bytes, m->info.points, sizeof(cm_vec3));
    head->corners = mesh_reserve(&bytes, triangles, 3 * sizeof(uint32_t));
    head->neighbors = mesh_reserve(&bytes, triangles, 3 * sizeof(uint32_t));
    head->numbers = mesh_reserve(&bytes, triangles, sizeof(uint32_t));
    head->components = mesh_reserve(&bytes, triangles, sizeof(uint32_t));
    head->roots = mesh_reserve(&bytes, m->component_count, sizeof(uint32_t));
    head->bytes = bytes;
}

static void *mesh_array(cm_mesh *mesh, uint64_t offset) { return (char *)mesh + offset; }

static void mesh_fill(const mesh_parts *m, const cm_mesh *head, cm_mesh *mesh) {
    size_t triangles = m->triangles;
    memset(mesh, 0, head->bytes); /* the gaps too: equal meshes are equal bytes */
    *mesh = *head;
    memcpy(mesh_array(mesh, head->nodes), m->tree.nodes, m->tree.node_count * sizeof(cm__bvh_node));
    memcpy(mesh_array(mesh, head->rays), m->rays.nodes, m->rays.count * sizeof(cm__wide_node));
    memcpy(mesh_array(mesh, head->points), m->points, m->info.points * sizeof(cm_vec3));
    memcpy(mesh_array(mesh, head->corners), m->corners, triangles * 3 * sizeof(uint32_t));
    memcpy(mesh_array(mesh, head->neighbors), m->neighbors, triangles * 3 * sizeof(uint32_t));
    memcpy(mesh_array(mesh, head->numbers), m->tree.items, triangles * sizeof(uint32_t));
    memcpy(mesh_array(mesh, head->components), m->components, triangles * sizeof(uint32_t));
    cm__face *faces = mesh_array(mesh, head->places);
    for (size_t place = 0; place < triangles; ++place) {
        const uint32_t *c = m->corners + 3 * (size_t)m->tree.items[place];
        for (int k = 0; k < 3; ++k) faces[place].corner[k] = m->points[c[k]];
    }
    cm__mesh_fill_lanes(mesh, mesh_array(mesh, head->lanes));
    uint32_t *roots = mesh_array(mesh, head->roots);
    for (uint32_t t = m->triangles; t-- > 0;) roots[m->components[t]] = t; /* backwards: the first one stays */
}

static void mesh_release(mesh_parts *m, const cm_allocator *mem) {
    size_t half_edges = 3 * (size_t)m->triangles;
    if (m->rays.nodes) cm__wide_free(&m->rays, mem);
    if (m->tree.nodes) cm__bvh_free(&m->tree, mem);
    cm__free(mem, m->boxes, m->triangles, sizeof(cm_aabb));
    cm__free(mem, m->components, m->triangles, sizeof(uint32_t));
    cm__free(mem, m->neighbors, half_edges, sizeof(uint32_t));
    cm__free(mem, m->corners, half_edges, sizeof(uint32_t));
    cm__free(mem, m->remap, m->source_points, sizeof(uint32_t));
    cm__free(mem, m->points, m->source_points, sizeof(cm_vec3));
}

cm_status cm_mesh_build(const cm_mesh_desc *desc, const cm_allocator *mem, cm_mesh **out, cm_error *error) {
    mesh_parts m;
    memset(&m, 0, sizeof m);
    cm_status status = mesh_check_desc(desc, &m.triangles, error);
    if (status != CM_OK) return status;
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    m.source_points = desc->point_count;
    status = mesh_gather(desc, mem, &m, error);
    if (status == CM_OK) {
        cm_mesh head, *mesh = NULL;
        mesh_lay_out(&m, &head);
        if (head.bytes <= SIZE_MAX / 2) mesh = cm__alloc(mem, (size_t)head.bytes, 1);
        if (mesh) {
            mesh_fill(&m, &head, mesh);
            *out = mesh;
        } else {
            status = CM_NO_MEMORY;
        }
    }
    if (status == CM_NO_MEMORY) cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    mesh_release(&m, mem);
    return status;
}

void cm_mesh_destroy(cm_mesh *mesh, const cm_allocator *mem) {
    if (mesh) cm__free(mem, mesh, (size_t)mesh->bytes, 1);
}
