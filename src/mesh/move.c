/* cm_mesh_move_points: all that hangs on where the points are, made anew in place: trees refitted, triangles laid out
 * once more, cells of a solid asked again. What can fail is done first, beside the mesh. */
#include "base/memory.h"
#include "bvh/wide.h"
#include "mesh/mesh.h"

#include <string.h>

typedef struct move_scratch {
    cm_aabb *boxes;  /* of the triangles */
    uint8_t *marks;  /* of the triangles */
    float *nodes;    /* 6 a node */
    double *rays;    /* 6 a triangle, 6 a node of the rays' tree */
    cm_vec3 *points; /* where they go */
    size_t triangles, node_count, ray_count, point_count;
} move_scratch;

static bool move_take(move_scratch *s, const cm_mesh *mesh, const cm_allocator *mem) {
    s->triangles = mesh->info.triangles, s->node_count = 6 * (size_t)mesh->node_count;
    s->ray_count = 6 * (s->triangles + mesh->ray_node_count), s->point_count = mesh->info.points;
    s->boxes = cm__alloc(mem, s->triangles, sizeof *s->boxes);
    s->marks = cm__alloc(mem, s->triangles, 1);
    s->nodes = cm__alloc(mem, s->node_count, sizeof *s->nodes);
    s->rays = cm__alloc(mem, s->ray_count, sizeof *s->rays);
    s->points = cm__alloc(mem, s->point_count, sizeof *s->points);
    return s->boxes && s->marks && s->nodes && s->rays && s->points;
}

static void move_free(move_scratch *s, const cm_allocator *mem) {
    cm__free(mem, s->boxes, s->triangles, sizeof *s->boxes);
    cm__free(mem, s->marks, s->triangles, 1);
    cm__free(mem, s->nodes, s->node_count, sizeof *s->nodes);
    cm__free(mem, s->rays, s->ray_count, sizeof *s->rays);
    cm__free(mem, s->points, s->point_count, sizeof *s->points);
}

static void *move_array(cm_mesh *mesh, uint64_t offset) { return (char *)mesh + offset; }

/* Nothing fails from here on. */
static void move_make(cm_mesh *mesh, const cm_mesh_info *facts, const move_scratch *s) {
    cm_mesh_info *info = &mesh->info;
    info->bounds = facts->bounds, info->area = facts->area, info->volume = facts->volume;
    info->degenerate = facts->degenerate;
    info->convex = false, mesh->hull = 0;
    memcpy(move_array(mesh, mesh->points), s->points, s->point_count * sizeof *s->points);
    mesh->point_reach = cm_max(cm_largest(info->bounds.min), cm_largest(info->bounds.max));
    cm__bvh tree = cm__mesh_tree(mesh);
    cm__bvh_refit(&info->bounds, s->boxes, s->nodes, move_array(mesh, mesh->nodes), &tree);
    for (int k = 0; k < 3; k++) mesh->origin[k] = tree.origin[k];
    mesh->scale = tree.scale;
    cm__wide_refit(&tree, s->rays, move_array(mesh, mesh->rays), mesh->ray_node_count);
    cm__mesh_fill_vertices(mesh, move_array(mesh, mesh->vertices));
    cm__mesh_fit_cells(mesh);
    cm__mesh_fill_cells(mesh, move_array(mesh, mesh->cells));
}

cm_status cm_mesh_move_points(cm_mesh *mesh, const cm_vec3 *points, const cm_allocator *mem) {
    if (!mesh || !points) return CM_INVALID;
    for (uint32_t i = 0; i < mesh->info.points; i++)
        if (!cm_vec3_is_valid(points[i])) return CM_NOT_FINITE;
    move_scratch s;
    cm_mesh_info facts;
    memset(&s, 0, sizeof s), memset(&facts, 0, sizeof facts);
    cm_status status = move_take(&s, mesh, mem) ? CM_OK : CM_NO_MEMORY;
    if (status == CM_OK) {
        const uint32_t *corners = cm__mesh_corners(mesh);
        memcpy(s.points, points, s.point_count * sizeof *points);
        for (size_t t = 0; t < s.triangles; t++) {
            const uint32_t *c = corners + 3 * t;
            s.marks[t] = c[0] == c[1] || c[1] == c[2] || c[2] == c[0] ? CM__MESH_REPEATED : 0;
        }
        status = cm__mesh_facts(s.points, corners, cm__mesh_neighbors(mesh), mesh->info.triangles, mem, NULL, s.marks,
                                s.boxes, &facts);
    }
    if (status == CM_OK) move_make(mesh, &facts, &s);
    move_free(&s, mem);
    return status;
}
