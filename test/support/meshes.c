#include "support/meshes.h"
#include "pair/pair.h"

cm_mesh *mesh_built(const cm_mesh_desc *desc) {
    cm_mesh *mesh = NULL;
    cm_error error = {CM_OK, NULL, 0};
    cm_status status = cm_mesh_build(desc, NULL, &mesh, &error);
    if (status != CM_OK) fail_msg("%s: %s %u", cm_status_text(status), error.field ? error.field : "-", error.index);
    return mesh;
}

cm_mesh *mesh_of(const cm_real *points, uint32_t point_count, const uint32_t *indices, uint32_t triangle_count,
                 bool solid) {
    cm_mesh_desc desc = {0};
    desc.points = points, desc.point_count = point_count;
    desc.indices = indices, desc.triangle_count = triangle_count;
    desc.solid = solid;
    return mesh_built(&desc);
}

cm_mesh *mesh_recorded(const char *name, bool solid) {
    char relative[300];
    snprintf(relative, sizeof relative, "meshes/%s", name);
    const char *path = data_path(relative);
    if (!path) return NULL;
    mesh_file file;
    if (!mesh_file_load(path, &file)) fail_msg("%s cannot be read", path);
    cm_real *points = mesh_file_reals(&file);
    cm_mesh *mesh = mesh_of(points, file.point_count, file.indices, file.triangle_count, solid);
    free(points);
    mesh_file_free(&file);
    return mesh;
}

cm_mesh *mesh_boxes(const cm_aabb *boxes, const bool *inward, uint32_t count, bool solid) {
    static const uint32_t faces[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    cm_real *points = malloc((size_t)count * 24 * sizeof *points);
    uint32_t *indices = malloc((size_t)count * 36 * sizeof *indices);
    for (uint32_t b = 0; b < count; ++b) {
        for (uint32_t i = 0; i < 8; ++i) {
            points[24 * b + 3 * i] = i & 1 ? boxes[b].max.x : boxes[b].min.x;
            points[24 * b + 3 * i + 1] = i & 2 ? boxes[b].max.y : boxes[b].min.y;
            points[24 * b + 3 * i + 2] = i & 4 ? boxes[b].max.z : boxes[b].min.z;
        }
        for (uint32_t i = 0; i < 36; ++i) indices[36 * b + i] = 8 * b + faces[inward && inward[b] ? 35 - i : i];
    }
    cm_mesh *mesh = mesh_of(points, 8 * count, indices, 12 * count, solid);
    free(points);
    free(indices);
    return mesh;
}

cm_mesh *mesh_box(cm_vec3 min, cm_vec3 max, bool solid) {
    cm_aabb box;
    box.min = min, box.max = max;
    return mesh_boxes(&box, NULL, 1, solid);
}

typedef struct ball {
    cm_real *points;
    size_t count;
    cm_vec3 center;
    cm_real radius;
} ball;

static void ball_corner(ball *b, cm_vec3 p) {
    p = cm_mul_add(b->center, b->radius, cm_normalize(p, p));
    b->points[b->count++] = p.x;
    b->points[b->count++] = p.y;
    b->points[b->count++] = p.z;
}
static void ball_face(ball *b, cm_vec3 p, cm_vec3 q, cm_vec3 r, int levels) { /* a test may recurse */
    if (levels == 0) {
        ball_corner(b, p), ball_corner(b, q), ball_corner(b, r);
        return;
    }
    cm_vec3 u = cm_add(p, q), v = cm_add(q, r), w = cm_add(r, p);
    u = cm_normalize(u, u), v = cm_normalize(v, v), w = cm_normalize(w, w);
    ball_face(b, p, u, w, levels - 1);
    ball_face(b, u, q, v, levels - 1);
    ball_face(b, w, v, r, levels - 1);
    ball_face(b, u, v, w, levels - 1);
}

cm_mesh *mesh_ball(cm_vec3 center, cm_real radius, int levels, bool solid) {
    uint32_t triangles = UINT32_C(8) << (2 * levels);
    ball b = {malloc((size_t)triangles * 9 * sizeof(cm_real)), 0, center, radius};
    for (int i = 0; i < 8; ++i) {
        cm_vec3 x = cm_v(i & 1 ? -1 : 1, 0, 0), y = cm_v(0, i & 2 ? -1 : 1, 0), z = cm_v(0, 0, i & 4 ? -1 : 1);
        bool turned = (i & 1) ^ (i >> 1 & 1) ^ (i >> 2 & 1);
        ball_face(&b, x, turned ? z : y, turned ? y : z, levels);
    }
    cm_mesh_desc desc = {0};
    desc.points = b.points, desc.point_count = 3 * triangles, desc.solid = solid;
    cm_mesh *mesh = NULL;
    if (cm_mesh_build(&desc, NULL, &mesh, NULL) != CM_OK) fail_msg("the ball cannot be built");
    free(b.points);
    return mesh;
}

int contacts_by_part(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b, cm_real margin,
                     cm_manifold *out, int capacity) {
    const cm_pose b_in_a = cm_pose_between(pose_a, pose_b);
    const int count = cm__pair_contact(a, b, &b_in_a, margin, out, capacity);
    for (int i = 0; i < count && i < capacity; i++) cm__manifold_to_world(&out[i], pose_a);
    return count;
}
