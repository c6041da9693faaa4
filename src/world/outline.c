/* The box of a large mesh that moves, in constant time.
 *
 * A box around all corners would cost time proportional to the triangles, at every step. So a mesh that may move has
 * its outline made once: at most OUTLINE_MOST vertices of its convex hull, chosen so that little is left outside
 * (hull.h), and how far anything lies outside of them, at most: `loss`.
 *
 * Guaranteed: the box holds every corner, and no side is farther out than the smallest box's by more than `loss` and
 * rounding: 0 where the hull has no more vertices, at most a 32nd of the largest half side of the mesh else, or there
 * is no outline; of a ball, the worst that is known, 1.7 %. Frame: lanes are relative to the middle of the mesh, so
 * that it may lie far from its origin. Bound: three products for each of OUTLINE_MOST points. */
#include "world/world.h"
#include "base/memory.h"
#include "carom/hull.h"
#include "math/round.h"
#include "mesh/mesh.h"
#include "shape/shape.h"

#include <string.h>

enum {
    OUTLINE_MOST = 256,   /* vertices */
    OUTLINE_LEAST = 256,  /* triangles; fewer are looked at as fast */
    OUTLINE_SHARE = 32,   /* loss of so little a share of the largest half side is little */
    OUTLINE_LANES = 8,    /* at once */
    OUTLINE_PATIENCE = 3, /* motions of one shape before it is worth an outline */
    OUTLINE_REFUSED = 255
};

struct cm__outline {
    cm_vec3 middle;
    cm_real loss, reach;
    uint32_t count; /* of each coordinate, a multiple of OUTLINE_LANES */
};

static cm_real *outline_lanes(const cm__outline *o) { return (cm_real *)(uintptr_t)(o + 1); }

size_t cm__outline_bytes(const cm__outline *o) { return o ? sizeof *o + 3 * o->count * sizeof(cm_real) : 0; }

/* --- making ------------------------------------------------------------------------------------------------------ */

/* The points that are corners of triangles, to the front of `points`. */
static uint32_t outline_gather(const cm_mesh *mesh, uint8_t *used, cm_vec3 *points) {
    const uint32_t *corners = cm__mesh_corners(mesh);
    uint32_t count = 0;
    memset(used, 0, mesh->info.points);
    for (size_t i = 0; i < 3 * (size_t)mesh->info.triangles; i++) used[corners[i]] = 1;
    for (uint32_t i = 0; i < mesh->info.points; i++) {
        if (used[i]) points[count++] = cm__mesh_points(mesh)[i];
    }
    return count;
}

static cm__outline *outline_of_hull(const cm_hull *hull, const cm_mesh *mesh, const cm_allocator *mem) {
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    const uint32_t count = (info.vertices + OUTLINE_LANES - 1) / OUTLINE_LANES * OUTLINE_LANES;
    cm__outline *o = cm__alloc(mem, sizeof *o + 3 * count * sizeof(cm_real), 1);
    if (!o) return NULL;
    o->middle = cm_aabb_center(&info.bounds);
    o->loss = info.loss, o->reach = mesh->point_reach, o->count = count;
    cm_real *lanes = outline_lanes(o);
    for (uint32_t i = 0; i < count; i++) { /* the last once more, to the end */
        const cm_vec3 p = cm_sub(cm_hull_vertices(hull)[i < info.vertices ? i : info.vertices - 1], o->middle);
        lanes[i] = p.x, lanes[count + i] = p.y, lanes[2 * count + i] = p.z;
    }
    return o;
}

static cm__outline *outline_make(const cm_mesh *mesh, const cm_allocator *mem, bool *refused) {
    const uint32_t room = mesh->info.points;
    cm_vec3 *points = cm__alloc(mem, room, sizeof *points);
    uint8_t *used = cm__alloc(mem, room, 1);
    cm__outline *made = NULL;
    cm_hull *hull;
    if (points && used) {
        const cm_hull_desc desc = {
            .points = &points[0].x, .point_count = outline_gather(mesh, used, points), .max_vertices = OUTLINE_MOST};
        const cm_status status = cm_hull_build(&desc, mem, &hull, NULL);
        *refused = status != CM_OK && status != CM_NO_MEMORY;
        if (status == CM_OK) {
            cm_hull_info info;
            cm_hull_get_info(hull, &info);
            const cm_vec3 sides = cm_sub(info.bounds.max, info.bounds.min);
            *refused = !(info.loss <= cm_largest(sides) / (2 * OUTLINE_SHARE));
            if (!*refused) made = outline_of_hull(hull, mesh, mem);
            cm_hull_destroy(hull, mem);
        }
    }
    cm__free(mem, points, room, sizeof *points);
    cm__free(mem, used, room, 1);
    return made;
}

void cm__world_outline(cm_world *w, uint32_t slot, bool at_once) {
    cm__body *body = &w->bodies[slot];
    const cm_mesh *mesh = shape_mesh(&body->shape);
    if (body->outline || !mesh || mesh->info.triangles < OUTLINE_LEAST || body->moves == OUTLINE_REFUSED) return;
    if (!at_once && body->moves + 1 < OUTLINE_PATIENCE) {
        body->moves++;
        return;
    }
    bool refused = false;
    body->outline = outline_make(mesh, w->mem, &refused);
    body->moves = refused ? OUTLINE_REFUSED : OUTLINE_PATIENCE - 1;
    w->outline_bytes += cm__outline_bytes(body->outline);
}

void cm__world_forget_outline(cm_world *w, uint32_t slot) {
    cm__body *body = &w->bodies[slot];
    const size_t bytes = cm__outline_bytes(body->outline);
    cm__free(w->mem, body->outline, bytes, 1);
    w->outline_bytes -= bytes;
    body->outline = NULL;
    body->moves = 0;
}

/* --- asking ------------------------------------------------------------------------------------------------------ */

/* The least and the largest product of the points with a direction. */
static void outline_span(const cm__outline *o, cm_real x, cm_real y, cm_real z, cm_real *low, cm_real *high) {
    const cm_real *px = outline_lanes(o), *py = px + o->count, *pz = py + o->count;
    cm_real lo[OUTLINE_LANES], hi[OUTLINE_LANES];
    for (int k = 0; k < OUTLINE_LANES; k++) lo[k] = CM_REAL_MAX, hi[k] = -CM_REAL_MAX;
    for (uint32_t i = 0; i < o->count; i += OUTLINE_LANES) {
        for (uint32_t k = 0; k < OUTLINE_LANES; k++) {
            const cm_real d = px[i + k] * x + py[i + k] * y + pz[i + k] * z;
            lo[k] = d < lo[k] ? d : lo[k];
            hi[k] = d > hi[k] ? d : hi[k];
        }
    }
    *low = lo[0], *high = hi[0];
    for (int k = 1; k < OUTLINE_LANES; k++) *low = cm_min(*low, lo[k]), *high = cm_max(*high, hi[k]);
}

void cm__outline_box(const cm__outline *o, const cm_pose *pose, cm_aabb *out) {
    const cm_mat3 turn = cm_mat3_from_quat(cm_quat_normalize(pose->rotation));
    const cm_vec3 middle = cm_add(cm_mat3_mul(&turn, o->middle), pose->position);
    cm_vec3 low, high;
    outline_span(o, turn.x.x, turn.y.x, turn.z.x, &low.x, &high.x);
    outline_span(o, turn.x.y, turn.y.y, turn.z.y, &low.y, &high.y);
    outline_span(o, turn.x.z, turn.y.z, turn.z.z, &low.z, &high.z);
    const cm_aabb box = {cm_add(middle, low), cm_add(middle, high)};
    *out = cm_aabb_grow(box, o->loss * (1 + 4 * CM_REAL_EPSILON) + 2 * cm__pose_error(pose, o->reach));
}
