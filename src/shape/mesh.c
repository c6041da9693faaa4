/* A mesh as a shape. */
#include "mesh/kernel.h"
#include "mesh/mesh.h"
#include "base/error.h"
#include "shape/shape.h"

#include "math/round.h"

static cm_status mesh_check(const cm_shape *shape, cm_error *error) {
    if (shape->u.mesh) return CM_OK;
    return cm__refuse(error, CM_INVALID, "mesh", CM_NONE);
}

/* The smallest box: by every corner, so O(triangles). */
static void mesh_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    const cm_mesh *mesh = shape->u.mesh;
    const uint32_t *corners = cm__mesh_corners(mesh);
    const cm_vec3 *points = cm__mesh_points(mesh);
    cm_mat3 turn = cm_mat3_from_quat(cm_quat_normalize(pose->rotation));
    cm_aabb box = cm_aabb_empty();
    for (size_t k = 0; k < 3 * (size_t)mesh->info.triangles; ++k)
        box = cm_aabb_add_point(box, cm_add(cm_mat3_mul(&turn, points[corners[k]]), pose->position));
    *out = cm_aabb_grow(box, cm__pose_error(pose, mesh->point_reach));
}

static bool mesh_meets(const cm_ray *ray, const cm_shape *shape) {
    return cm__mesh_ray(shape->u.mesh, ray->origin, ray->direction, ray->max, NULL);
}

static void mesh_tell_hit(const cm_mesh *mesh, const cm_ray *ray, const cm__mesh_ray_job *job, bool inside,
                          cm_ray_hit *out) {
    const cm__mesh_hit *hit = &job->hit;
    const cm_vec3 *c = job->face.corner;
    cm_vec3 normal = cm_normalize(cm_cross(cm_sub(c[1], c[0]), cm_sub(c[2], c[0])), cm_v(0, 0, 0));
    if (cm_largest(normal) == 0) normal = cm_normalize(ray->direction, cm_v(0, 0, 1));
    out->t = out->exit = (cm_real)hit->t;
    out->inside = inside;
    out->normal = mesh->info.solid || hit->side >= 0 ? normal : cm_neg(normal);
    out->part = hit->triangle;
}

static void mesh_ask(const cm_ray *ray, bool any, cm__mesh_ray_job *job) {
    job->origin = ray->origin, job->direction = ray->direction, job->max = ray->max;
    job->ask = any ? CM__MESH_ANY : CM__MESH_FIRST;
}

/* The first triangle on the ray, from inside too; of solids also whether the ray starts within. */
static bool mesh_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    const cm_mesh *mesh = shape->u.mesh;
    cm__mesh_ray_job job;
    mesh_ask(ray, false, &job);
    cm__mesh_kernel_get()->ray(mesh, ray->origin, ray->direction, &job);
    if (!job.found) return false;
    bool on_surface = false, inside = mesh->info.solid && cm_mesh_winding(mesh, ray->origin, &on_surface) != 0;
    mesh_tell_hit(mesh, ray, &job, inside || on_surface, out);
    return true;
}

/* Where the rays that hit a solid start. */
static void mesh_ask_inside(const cm_mesh *mesh, const cm_ray *rays, uint32_t count, const bool *met, bool *inside) {
    cm__mesh_ray_job jobs[CM__RAYS_AT_ONCE];
    uint8_t source[CM__RAYS_AT_ONCE];
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        cm_aabb at;
        at.min = at.max = rays[i].origin;
        inside[i] = false;
        if (!met[i] || !cm_aabb_overlaps(&mesh->info.bounds, &at)) continue;
        const int known = cm__mesh_cell_winding(mesh, rays[i].origin);
        if (known != CM__MESH_MIXED) {
            inside[i] = known != 0;
            continue;
        }
        cm__mesh_ask_winding(rays[i].origin, &jobs[n]);
        source[n++] = (uint8_t)i;
    }
    cm__mesh_kernel_get()->rays(mesh, jobs, n);
    for (uint32_t i = 0; i < n; ++i) inside[source[i]] = jobs[i].found || jobs[i].turns != 0;
}

static void mesh_raycast_many(const cm_ray *rays, uint32_t count, const cm_shape *shape, bool *met, cm_ray_hit *out) {
    const cm_mesh *mesh = shape->u.mesh;
    cm__mesh_ray_job jobs[CM__RAYS_AT_ONCE];
    bool inside[CM__RAYS_AT_ONCE];
    for (uint32_t i = 0; i < count; ++i) mesh_ask(&rays[i], !out, &jobs[i]);
    cm__mesh_kernel_get()->rays(mesh, jobs, count);
    for (uint32_t i = 0; i < count; ++i) met[i] = jobs[i].found;
    if (!out) return;
    if (mesh->info.solid) mesh_ask_inside(mesh, rays, count, met, inside);
    for (uint32_t i = 0; i < count; ++i)
        if (met[i]) mesh_tell_hit(mesh, &rays[i], &jobs[i], mesh->info.solid && inside[i], &out[i]);
}

/* --- its triangles as parts -------------------------------------------------------------------------------------- */

static void mesh_parts_box(const cm_shape *shape, cm_aabb *out) { *out = shape->u.mesh->info.bounds; }

static void mesh_parts_open(cm__parts *q, const cm_shape *shape, const cm_aabb *box) {
    q->shape = shape;
    q->box = *box;
    q->at = q->end = 0;
}

static void mesh_part_of(const cm_mesh *mesh, uint32_t place, const cm__face *face, cm__part *out) {
    const cm_vec3 *c = face->corner;
    out->shape = cm_make_triangle(c[0], c[1], c[2]);
    out->pose = cm_pose_identity();
    out->identity = true;
    out->number = cm__mesh_numbers(mesh)[place];
}

static void mesh_parts_start(cm__parts *q, const cm_shape *shape, const cm_aabb *box) {
    cm__bvh tree = cm__mesh_tree(shape->u.mesh);
    mesh_parts_open(q, shape, box);
    cm__bvh_box_near_start(&q->walk, &tree, box);
}

static bool mesh_parts_next(cm__parts *q, cm_real bound, cm__part *out) {
    const cm_mesh *mesh = q->shape->u.mesh;
    for (;;) {
        for (; q->at < q->end; ++q->at) {
            const cm__face face = cm__mesh_face(mesh, q->at);
            if (!parts_near(face.corner, &q->box, bound)) continue;
            mesh_part_of(mesh, q->at++, &face, out);
            return true;
        }
        cm__bvh_leaf leaf;
        if (!cm__bvh_box_near_next(&q->walk, bound, &leaf)) return false;
        q->at = leaf.first, q->end = leaf.first + leaf.count;
    }
}

static void mesh_parts_cast_start(cm__parts *q, const cm_shape *shape, const cm_aabb *box, cm_vec3 move) {
    cm__bvh tree = cm__mesh_tree(shape->u.mesh);
    mesh_parts_open(q, shape, box);
    q->move = move;
    cm__bvh_cast_start(&q->walk, &tree, box, move);
}

static bool mesh_parts_cast_next(cm__parts *q, cm_real limit, cm__part *out) {
    const cm_mesh *mesh = q->shape->u.mesh;
    for (;;) {
        for (; q->at < q->end; ++q->at) {
            const cm__face face = cm__mesh_face(mesh, q->at);
            if (!parts_met(face.corner, &q->box, q->move, limit)) continue;
            mesh_part_of(mesh, q->at++, &face, out);
            return true;
        }
        cm__bvh_leaf leaf;
        if (!cm__bvh_cast_next(&q->walk, limit, &leaf)) return false;
        q->at = leaf.first, q->end = leaf.first + leaf.count;
    }
}

static uint32_t mesh_across(const cm_shape *shape, uint32_t half_edge, cm_vec3 *third) {
    const cm_mesh *mesh = shape->u.mesh;
    const uint32_t other = cm__mesh_neighbors(mesh)[half_edge];
    if (other == CM_NONE) return CM_NONE;
    *third = cm__mesh_points(mesh)[cm__mesh_corners(mesh)[other / 3 * 3 + (other % 3 + 2) % 3]];
    return other;
}

static bool mesh_solid(const cm_shape *shape) { return shape->u.mesh->info.solid; }

static const cm__surface_ops mesh_surface = {.across = mesh_across, .solid = mesh_solid};

static bool mesh_parts_holds(const cm_shape *shape, const cm_pose *pose, cm_vec3 point) {
    const cm_mesh *mesh = shape->u.mesh;
    if (!mesh->info.solid) return false;
    cm_vec3 local = cm_pose_unapply(pose, point);
    cm_aabb box = cm_aabb_grow(mesh->info.bounds, 4 * cm__pose_error(pose, mesh->point_reach));
    if (!(local.x >= box.min.x && local.x <= box.max.x && local.y >= box.min.y && local.y <= box.max.y &&
          local.z >= box.min.z && local.z <= box.max.z))
        return false;
    cm__bvh_placing placing;
    bool on_surface;
    cm__mesh_place(pose, &placing);
    return cm__mesh_winding_placed(mesh, &placing, point, &on_surface) != 0 || on_surface;
}

static uint32_t mesh_tree_root(const cm_shape *shape, uint64_t *out) {
    *out = 0;
    return shape->u.mesh->info.triangles;
}

static int mesh_tree_open(const cm_shape *shape, uint64_t node, uint64_t out[CM__TREE_FAN]) {
    const cm__bvh tree = cm__mesh_tree(shape->u.mesh);
    return tree_open(&tree, node, out);
}

static void mesh_tree_box(const cm_shape *shape, uint64_t node, cm__point *center, cm__point *half) {
    const cm__bvh tree = cm__mesh_tree(shape->u.mesh);
    if (node & CM__TREE_PART) {
        const cm__face face = cm__mesh_face(shape->u.mesh, (uint32_t)(node & ~CM__TREE_PART));
        tree_box_of_face(face.corner, center, half);
    } else {
        tree_box(&tree, node, center, half);
    }
}

static void mesh_tree_part(const cm_shape *shape, uint64_t node, cm__part *out) {
    const uint32_t place = (uint32_t)(node & ~CM__TREE_PART);
    const cm__face face = cm__mesh_face(shape->u.mesh, place);
    mesh_part_of(shape->u.mesh, place, &face, out);
}

static const cm__parts_ops mesh_parts_ops = {.box = mesh_parts_box,
                                             .start = mesh_parts_start,
                                             .next = mesh_parts_next,
                                             .cast_start = mesh_parts_cast_start,
                                             .cast_next = mesh_parts_cast_next,
                                             .surface = &mesh_surface,
                                             .holds = mesh_parts_holds,
                                             .tree = {mesh_tree_root, mesh_tree_open, mesh_tree_box, mesh_tree_part}};

/* Tetrahedra from the middle of the bounds to every triangle. A solid turned inside out weighs the same. */
static cm_status mesh_mass(const cm_shape *shape, cm__mass_sum *out) {
    const cm_mesh *mesh = shape->u.mesh;
    if (!mesh->info.solid) return CM_NOT_SOLID;
    cm__point low = cm__point_of(mesh->info.bounds.min), high = cm__point_of(mesh->info.bounds.max);
    cm__point side = cm__point_sub(high, low), middle = cm__point_mul_add(low, 0.5, side);
    double unit = cm__point_largest(side) > 0 ? cm__point_largest(side) : 1, over = 1 / unit;
    cm__moments m = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (uint32_t t = 0; t < mesh->info.triangles; ++t) {
        const cm__face face = cm__mesh_face(mesh, t);
        cm__point p[3];
        for (int k = 0; k < 3; ++k) p[k] = cm__point_scale(cm__point_sub(cm__point_of(face.corner[k]), middle), over);
        cm__moments_add_tetrahedron(&m, p[0], p[1], p[2]);
    }
    if (m.volume < 0) {
        m.volume = -m.volume, m.first = cm__point_scale(m.first, -1);
        for (int k = 0; k < 6; ++k) m.second[k] = -m.second[k];
    }
    cm__mass_of_moments(&m, cm__point_scale(middle, over), unit, out);
    return CM_OK;
}

static void mesh_picture(cm__picture *p, const cm_shape *shape) {
    const cm_mesh *mesh = shape->u.mesh;
    const cm_vec3 *points = cm_mesh_points(mesh);
    uint32_t base = (uint32_t)p->point_count, corner[3];
    for (uint32_t i = 0; i < cm_mesh_point_count(mesh); i++) cm__picture_point(p, points[i]);
    for (uint32_t i = 0; i < cm_mesh_triangle_count(mesh); i++) {
        cm_mesh_corners(mesh, i, corner);
        cm__picture_triangle(p, base + corner[0], base + corner[1], base + corner[2]);
    }
}

static const cm_field mesh_fields[] = {CM__FIELD("mesh", POINTER, mesh)};

const cm__shape_ops cm__shape_mesh = {.name = "mesh",
                                      .shape_class = CM__COMPOSITE,
                                      .check = mesh_check,
                                      .bounds = mesh_bounds,
                                      .raycast = mesh_raycast,
                                      .meets = mesh_meets,
                                      .raycast_many = mesh_raycast_many,
                                      .parts = &mesh_parts_ops,
                                      .mass = mesh_mass,
                                      .picture = mesh_picture,
                                      CM__FIELDS(mesh_fields)};
