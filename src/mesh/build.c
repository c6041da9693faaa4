/* cm_mesh_build: reads the description, joins points, reports what is wrong with the triangles, grows the tree, and
 * lays all of it into one block. Nothing is repaired or dropped: triangle numbers stay the source's.
 *
 * The block is taken as soon as the points are counted, with room for the largest trees; what the steps need on their
 * way lies where their results will be, or behind the trees, and in the end the block is cut to its size: where trees
 * are smaller, nothing was written, so that a system which hands out memory as it is touched has given none for it.
 * Other scratch memory comes from the caller's allocator and is returned before the end, whatever fails. */
#include "base/memory.h"
#include "base/error.h"
#include "math/strided.h"
#include "bvh/wide.h"
#include "carom/hull.h"
#include "mesh/mesh.h"

#include <string.h>

/* What the build works on. */
typedef struct mesh_parts {
    uint32_t source_points, triangles;
    cm_vec3 *source;  /* source_points of them, the first info.points kept */
    uint32_t *remap;  /* source point to kept point; then, by kept point, the component of its triangles */
    cm_mesh *mesh;    /* the block */
    size_t room;      /* of the block */
    uint64_t scratch; /* where in the block 3 points a triangle have room, behind the trees however large */
    cm_mesh head;     /* of the block, until it is complete */
    cm__bvh tree;
} mesh_parts;

static void *mesh_array(cm_mesh *mesh, uint64_t offset) { return (char *)mesh + offset; }

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

static cm_status mesh_read_corners(const cm_mesh_desc *desc, const mesh_parts *m, uint32_t *corners, cm_error *error) {
    const bool mirror = (desc->scale.x < 0) != ((desc->scale.y < 0) != (desc->scale.z < 0));
    for (uint32_t t = 0; t < m->triangles; ++t) {
        uint32_t *c = corners + 3 * (size_t)t;
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

/* --- the block ---------------------------------------------------------------------------------------------------- */

static uint64_t mesh_reserve(uint64_t *bytes, uint64_t count, uint64_t size) {
    uint64_t at = (*bytes + 15) / 16 * 16;
    *bytes = at + count * size;
    return at;
}

/* Where nodes may begin, so that each lies in two lines: large blocks of common heaps begin 16 beyond a line's. */
static uint64_t mesh_on_line(uint64_t bytes) { return (bytes + 79) / 64 * 64 - 16; }

static uint64_t mesh_meshlet_count(uint64_t triangles) { return (triangles + CM__MESH_MESHLET - 1) / CM__MESH_MESHLET; }

/* All whose size is known before the tree is; ends where the nodes begin. */
static void mesh_lay_out(const mesh_parts *m, cm_mesh *head) {
    uint64_t triangles = m->triangles, bytes = sizeof *head;
    head->points = mesh_reserve(&bytes, head->info.points, sizeof(cm_vec3));
    head->corners = mesh_reserve(&bytes, triangles, 3 * sizeof(uint32_t));
    head->neighbors = mesh_reserve(&bytes, triangles, 3 * sizeof(uint32_t));
    head->numbers = mesh_reserve(&bytes, triangles, sizeof(uint32_t));
    head->meshlets = mesh_reserve(&bytes, mesh_meshlet_count(triangles), sizeof(uint32_t));
    head->seats = mesh_reserve(&bytes, triangles + CM__MESH_LEAF - 1, sizeof(cm__mesh_seat));
    head->nodes = mesh_on_line(bytes);
    head->bytes = head->nodes;
}

static uint64_t mesh_cell_count(uint64_t rows) { return rows * rows * rows; }

enum { MESH_GAPS = 192 }; /* at most, between the arrays behind the nodes */

static bool mesh_take_block(mesh_parts *m, const cm_allocator *mem) {
    mesh_lay_out(m, &m->head);
    const uint64_t nodes = cm__bvh_node_room(m->triangles, CM__MESH_SPLIT), triangles = m->triangles;
    const uint64_t trees = m->head.bytes + nodes * sizeof(cm__bvh_node) +
                           CM__WIDE_NODE_ROOM(triangles) * sizeof(cm__wide_node) + MESH_GAPS;
    m->scratch = trees / 16 * 16;
    const uint64_t room = trees + triangles * 3 * sizeof(cm_vec3) + sizeof(cm_real) +
                          triangles * 2 * sizeof(uint32_t) + /* roots, components */
                          mesh_cell_count(cm__mesh_cell_rows(m->triangles)) + MESH_GAPS;
    if (room > SIZE_MAX / 2) return false;
    m->mesh = cm__alloc(mem, (size_t)room, 1);
    if (m->mesh) m->room = (size_t)room;
    return m->mesh != NULL;
}

/* Where the eight-wide nodes begin. */
static void mesh_lay_out_rays(const mesh_parts *m, cm_mesh *head) {
    uint64_t bytes = head->nodes;
    for (int k = 0; k < 3; ++k) head->origin[k] = m->tree.origin[k];
    head->scale = m->tree.scale;
    head->node_count = m->tree.node_count;
    head->point_reach = cm_max(cm_largest(head->info.bounds.min), cm_largest(head->info.bounds.max));
    mesh_reserve(&bytes, m->tree.node_count, sizeof(cm__bvh_node));
    head->rays = mesh_on_line(bytes);
}

/* What is too finely split for all but the rays' tree, which now is there, and moves up. */
static void mesh_merge_leaves(mesh_parts *m, uint32_t *scratch) {
    const uint64_t rays = m->head.rays;
    cm__bvh_merge_leaves(mesh_array(m->mesh, m->head.nodes), CM__MESH_LEAF, scratch, &m->tree);
    mesh_lay_out_rays(m, &m->head);
    memmove(mesh_array(m->mesh, m->head.rays), mesh_array(m->mesh, rays),
            m->head.ray_node_count * sizeof(cm__wide_node));
}

static uint64_t mesh_vertex_bytes(const cm_mesh *head) {
    return head->vertex_count * sizeof(cm_vec3) + sizeof(cm_real);
}

/* The rest, and the end. */
static void mesh_lay_out_remaining(cm_mesh *head) {
    uint64_t bytes = head->vertices;
    mesh_reserve(&bytes, mesh_vertex_bytes(head), 1);
    head->roots = mesh_reserve(&bytes, head->info.components, sizeof(uint32_t));
    const uint32_t components = head->info.components;
    head->component_size = components <= 1 ? 0 : components <= 256 ? 1 : components <= 65536 ? 2 : 4;
    head->components = mesh_reserve(&bytes, head->info.triangles, head->component_size);
    head->cell_rows = head->info.solid ? cm__mesh_cell_rows(head->info.triangles) : 0;
    cm__mesh_fit_cells(head);
    head->cells = mesh_reserve(&bytes, mesh_cell_count(head->cell_rows), 1);
    head->bytes = bytes;
}

/* Zeros between the end of an array and the next: equal meshes are equal bytes. */
static void mesh_close_gap(cm_mesh *mesh, uint64_t at, uint64_t count, uint64_t size, uint64_t next) {
    memset(mesh_array(mesh, at + count * size), 0, (size_t)(next - at - count * size));
}
static void mesh_close_gaps(cm_mesh *mesh, const cm_mesh *head) {
    uint64_t triangles = head->info.triangles;
    mesh_close_gap(mesh, 0, 1, sizeof *head, head->points);
    mesh_close_gap(mesh, head->points, head->info.points, sizeof(cm_vec3), head->corners);
    mesh_close_gap(mesh, head->corners, triangles, 3 * sizeof(uint32_t), head->neighbors);
    mesh_close_gap(mesh, head->neighbors, triangles, 3 * sizeof(uint32_t), head->numbers);
    mesh_close_gap(mesh, head->numbers, triangles, sizeof(uint32_t), head->meshlets);
    mesh_close_gap(mesh, head->meshlets, mesh_meshlet_count(triangles), sizeof(uint32_t), head->seats);
    mesh_close_gap(mesh, head->seats, triangles, sizeof(cm__mesh_seat), head->nodes);
    mesh_close_gap(mesh, head->nodes, head->node_count, sizeof(cm__bvh_node), head->rays);
    mesh_close_gap(mesh, head->rays, head->ray_node_count, sizeof(cm__wide_node), head->vertices);
    mesh_close_gap(mesh, head->vertices, mesh_vertex_bytes(head), 1, head->roots);
    mesh_close_gap(mesh, head->roots, head->info.components, sizeof(uint32_t), head->components);
    mesh_close_gap(mesh, head->components, triangles, head->component_size, head->cells);
}

/* The first triangle of each component, and each triangle's component. */
static void mesh_write_components(const mesh_parts *m, cm_mesh *mesh) {
    const uint32_t *corners = cm__mesh_corners(mesh);
    uint32_t *roots = mesh_array(mesh, mesh->roots), *of = mesh_array(mesh, mesh->components);
    uint16_t *of_2 = (uint16_t *)(void *)of;
    uint8_t *of_1 = (uint8_t *)(void *)of;
    for (uint32_t t = m->triangles; t-- > 0;) { /* backwards: the first one stays */
        const uint32_t component = m->remap[corners[3 * (size_t)t]];
        roots[component] = t;
        if (mesh->component_size == 1) of_1[t] = (uint8_t)component;
        if (mesh->component_size == 2) of_2[t] = (uint16_t)component;
        if (mesh->component_size == 4) of[t] = component;
    }
}

/* Cuts the block to its size, and puts the hull of a convex solid behind all else. */
static cm_status mesh_close(mesh_parts *m, const cm_allocator *mem) {
    cm_hull *hull;
    cm_status status = cm__mesh_build_hull(m->mesh, mem, &hull);
    if (status != CM_OK) return status;
    uint64_t bytes = m->mesh->bytes;
    const size_t hull_bytes = hull ? cm_hull_bytes(hull) : 0;
    const uint64_t at = mesh_reserve(&bytes, hull_bytes, 1);
    if (!hull) bytes = m->mesh->bytes;
    void *block = cm__resize(mem, m->mesh, m->room, (size_t)bytes);
    if (block) m->mesh = block, m->room = (size_t)bytes;
    if (block && hull) {
        mesh_close_gap(m->mesh, m->mesh->bytes, 0, 0, at);
        memcpy(mesh_array(m->mesh, at), hull, hull_bytes);
        m->mesh->hull = at, m->mesh->bytes = bytes, m->mesh->info.convex = true;
    }
    cm_hull_destroy(hull, mem);
    return block ? CM_OK : CM_NO_MEMORY;
}

/* Writes what is missing. */
static cm_status mesh_finish(mesh_parts *m, const cm_allocator *mem, const cm_tasks *tasks) {
    cm_mesh *mesh = m->mesh, *head = &m->head;
    uint64_t bytes = head->rays;
    mesh_reserve(&bytes, head->ray_node_count, sizeof(cm__wide_node));
    head->vertices = mesh_reserve(&bytes, 0, 1);
    *mesh = *head;
    head->vertex_count =
        cm__mesh_fill_meshlets(mesh, tasks, mesh_array(mesh, head->seats), mesh_array(mesh, head->meshlets),
                               mesh_array(mesh, m->scratch), mesh_array(mesh, head->vertices));
    mesh_lay_out_remaining(head);
    *mesh = *head;
    mesh_close_gaps(mesh, head);
    mesh_write_components(m, mesh);
    cm__mesh_fill_cells(mesh, mesh_array(mesh, head->cells));
    return mesh_close(m, mem);
}

/* --- the steps ---------------------------------------------------------------------------------------------------- */

static cm_status mesh_gather(const cm_mesh_desc *desc, const cm_allocator *mem, mesh_parts *m, cm_error *error) {
    m->source = cm__alloc(mem, m->source_points, sizeof(cm_vec3));
    m->remap = cm__alloc(mem, m->source_points, sizeof(uint32_t));
    if (!m->source || !m->remap) return CM_NO_MEMORY;
    cm_status status = mesh_read_points(desc, m->source, error);
    if (status != CM_OK) return status;
    cm_mesh_info *info = &m->head.info;
    status = cm__mesh_weld(m->source, m->source_points, desc->weld, mem, m->remap, &info->points);
    if (status != CM_OK) return status;
    info->welded = m->source_points - info->points;
    info->triangles = m->triangles;
    if (!mesh_take_block(m, mem)) return CM_NO_MEMORY;
    cm_vec3 *points = mesh_array(m->mesh, m->head.points);
    memcpy(points, m->source, info->points * sizeof *points);
    cm__free(mem, m->source, m->source_points, sizeof(cm_vec3)); /* before the tree takes memory */
    m->source = NULL;
    return mesh_read_corners(desc, m, mesh_array(m->mesh, m->head.corners), error);
}

static cm_status mesh_grow(const cm_mesh_desc *desc, const cm_allocator *mem, mesh_parts *m, cm_error *error) {
    cm_mesh_info *info = &m->head.info;
    const cm_vec3 *points = mesh_array(m->mesh, m->head.points);
    const uint32_t *corners = mesh_array(m->mesh, m->head.corners);
    uint32_t *neighbors = mesh_array(m->mesh, m->head.neighbors), open_triangle = CM_NONE;
    /* for half-edges, then for components, then for items */
    void *scratch = mesh_array(m->mesh, m->scratch);
    _Static_assert(3 * sizeof(cm_vec3) >= 3 * sizeof(uint64_t) && 3 * sizeof(cm_vec3) >= CM__BVH_ITEM, "scratch fits");
    uint8_t *marks = mesh_array(m->mesh, m->head.numbers); /* until the tree numbers its items */
    cm_status status = cm__mesh_edges(points, info->points, corners, m->triangles, mem, desc->tasks, scratch, neighbors,
                                      marks, info, &open_triangle);
    if (status != CM_OK) return status;
    if (desc->solid && !info->closed) return cm__refuse(error, CM_NOT_SOLID, "solid", open_triangle);
    info->solid = desc->solid;
    cm__bvh_space space;
    space.items = scratch;
    space.nodes = mesh_array(m->mesh, m->head.nodes);
    space.numbers = mesh_array(m->mesh, m->head.numbers);
    /* two items need a node: half a node an item holds a box and two keys, and the root's node what is left over */
    _Static_assert(2 * (sizeof(cm_aabb) + 2 * sizeof(uint64_t)) <= sizeof(cm__bvh_node), "boxes and keys fit nodes");
    space.keys = (uint64_t *)(void *)space.nodes;
    cm_aabb *boxes = (cm_aabb *)(void *)(space.keys + 2 * (size_t)m->triangles);
    status = cm__mesh_facts(points, corners, neighbors, m->triangles, mem, desc->tasks, marks, boxes, info);
    if (status != CM_OK) return status;
    uint32_t *components = scratch;
    info->components = cm__mesh_join(corners, m->triangles, m->remap, info->points, components);
    for (uint32_t t = 0; t < m->triangles; ++t) m->remap[corners[3 * (size_t)t]] = components[t];
    space.bounds = &info->bounds;
    status = cm__bvh_build_in(&space, boxes, m->triangles, CM__MESH_SPLIT, mem, desc->tasks, &m->tree);
    if (status != CM_OK) return status;
    mesh_lay_out_rays(m, &m->head);
    bool ok = cm__wide_build(&m->tree, mem, desc->tasks, mesh_array(m->mesh, m->head.rays), &m->head.ray_node_count);
    if (!ok) return CM_NO_MEMORY;
    mesh_merge_leaves(m, scratch);
    return mesh_finish(m, mem, desc->tasks);
}

static void mesh_release(mesh_parts *m, const cm_allocator *mem) {
    if (m->mesh) cm__free(mem, m->mesh, m->room, 1);
    cm__free(mem, m->remap, m->source_points, sizeof(uint32_t));
    cm__free(mem, m->source, m->source_points, sizeof(cm_vec3));
}

cm_status cm_mesh_build(const cm_mesh_desc *desc, const cm_allocator *mem, cm_mesh **out, cm_error *error) {
    mesh_parts m;
    memset(&m, 0, sizeof m);
    cm_status status = mesh_check_desc(desc, &m.triangles, error);
    if (status != CM_OK) return status;
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    m.source_points = desc->point_count;
    status = mesh_gather(desc, mem, &m, error);
    if (status == CM_OK) status = mesh_grow(desc, mem, &m, error);
    if (status == CM_OK) {
        *out = m.mesh;
        m.mesh = NULL;
    }
    if (status == CM_NO_MEMORY) cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    mesh_release(&m, mem);
    return status;
}

void cm_mesh_destroy(cm_mesh *mesh, const cm_allocator *mem) {
    if (mesh) cm__free(mem, mesh, (size_t)mesh->bytes, 1);
}
