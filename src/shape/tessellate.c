/* Shapes as triangles.
 *
 * A convex shape is drawn as the hull of points on its surface, built by exact signs (hull/), so it comes out closed
 * and convex whatever the shape. Without a radius the points are the core's: its corners, or a ring, or its support
 * points along a grid of directions. With one they are the ends of the radius: over every face of the core's hull,
 * at each of its corners, and along every direction of the grid, from each point of the core that is farthest there.
 *
 * The grid is an octahedron's, cut by angles: its circles in the three coordinate planes are even. It is turned so that
 * its poles lie along a segment, or perpendicular to a flat shape; then a capsule's sides are straight.
 *
 * Between neighboring directions lie at most about 2 pi / segments, so a chord's middle stays within (pi / segments)^2
 * / 2 < 5 / segments^2 of the size beneath an arc; ellipsoids, whose points bunch where they curve, within twice
 * that. */
#include "base/memory.h"
#include "carom/hull.h"
#include "math/trig.h"
#include "math/wide.h"
#include "shape/picture.h"
#include "shape/shape.h"

#define PICTURE_SEGMENTS 32
#define PICTURE_MOST     (UINT32_C(1) << 31)

static void picture_fail(cm__picture *p, cm_status status) {
    if (p->status == CM_OK) p->status = status;
}

uint32_t cm__picture_point(cm__picture *p, cm_vec3 point) {
    if (p->point_count >= PICTURE_MOST) picture_fail(p, CM_LIMIT);
    if (p->status != CM_OK) return 0;
    cm_vec3 placed = p->pose ? cm_pose_apply(p->pose, point) : point;
    if (!cm_vec3_is_valid(placed)) picture_fail(p, CM_NOT_FINITE);
    void *points = p->points;
    if (!cm__reserve(p->mem, &points, &p->point_room, p->point_count + 1, sizeof(cm_vec3)))
        picture_fail(p, CM_NO_MEMORY);
    p->points = points;
    if (p->status != CM_OK) return 0;
    p->points[p->point_count] = placed;
    return (uint32_t)p->point_count++;
}

void cm__picture_triangle(cm__picture *p, uint32_t a, uint32_t b, uint32_t c) {
    if (p->index_count / 3 >= PICTURE_MOST) picture_fail(p, CM_LIMIT);
    if (p->status != CM_OK) return;
    void *indices = p->indices;
    if (!cm__reserve(p->mem, &indices, &p->index_room, p->index_count + 3, sizeof(uint32_t)))
        picture_fail(p, CM_NO_MEMORY);
    p->indices = indices;
    if (p->status != CM_OK) return;
    const uint32_t corners[3] = {a, b, c};
    for (int k = 0; k < 3; k++) p->indices[p->index_count++] = corners[k];
}

cm_vec3 cm__picture_circle(const cm__picture *p, int i, cm_real radius, cm_real z) {
    double sine, cosine;
    cm__sine_cosine(6.28318530717958647693 * i / p->segments, &sine, &cosine);
    return cm_v((cm_real)((double)radius * cosine), (cm_real)((double)radius * sine), z);
}

/* --- convex shapes ------------------------------------------------------------------------------------------------ */

void cm__picture_corner(cm__picture *p, cm_vec3 corner) {
    void *corners = p->corners;
    if (p->status != CM_OK) return;
    if (!cm__reserve(p->mem, &corners, &p->corner_room, p->corner_count + 1, sizeof(cm_vec3)))
        picture_fail(p, CM_NO_MEMORY);
    p->corners = corners;
    if (p->status == CM_OK) p->corners[p->corner_count++] = corner;
}

/* Octants of (n + 1)(n + 2) / 2 directions, n = segments / 4; those between octants come from the positive side. */
bool cm__picture_direction(const cm__picture *p, int i, cm__point *out) {
    int n = p->segments / 4, octant = i & 7, at = i >> 3, x = 0;
    for (int row = n + 1; x <= n && at >= row; row--) at -= row, x++;
    if (x > n) return false;
    const int share[3] = {x, at, n - x - at};
    double d[3];
    for (int k = 0; k < 3; k++) {
        double cosine;
        cm__sine_cosine(1.57079632679489661923 * share[k] / n, &d[k], &cosine);
        if (octant >> k & 1) d[k] = share[k] > 0 ? -d[k] : 2; /* 2: the positive side has it */
    }
    bool twice = d[0] > 1.5 || d[1] > 1.5 || d[2] > 1.5;
    *out = twice ? cm__p(0, 0, 0) : wide_normalize(cm__p(d[0], d[1], d[2]), cm__p(0, 0, 1));
    return true;
}

static void picture_emit(cm__picture *p, const cm_hull *hull) {
    const cm_vec3 *v = cm_hull_vertices(hull);
    uint32_t base = (uint32_t)p->point_count;
    for (uint32_t i = 0; i < cm_hull_vertex_count(hull); i++) cm__picture_point(p, v[i]);
    for (uint32_t i = 0; i < cm_hull_face_count(hull); i++) {
        cm_hull_face f;
        cm_hull_get_face(hull, i, &f);
        for (uint32_t k = 2; k < f.count; k++)
            cm__picture_triangle(p, base + f.vertices[0], base + f.vertices[k - 1], base + f.vertices[k]);
    }
}

/* Of the corners, which are used up; NULL on failure. */
static cm_hull *picture_close(cm__picture *p) {
    cm_hull *hull = NULL;
    size_t count = p->corner_count;
    p->corner_count = 0;
    if (p->status != CM_OK) return NULL;
    cm_hull_desc desc = {&p->corners->x, sizeof(cm_vec3), (uint32_t)count, 0, 0, {0, 0, 0}};
    cm_status status = count >= PICTURE_MOST ? CM_LIMIT : cm_hull_build(&desc, p->mem, &hull, NULL);
    if (status != CM_OK) picture_fail(p, status);
    return hull;
}

/* The grid's poles: along a core that is a line, perpendicular to one that is flat. */
static cm_quat picture_turn(const cm_hull *hull, int dimension) {
    const cm_vec3 *v = cm_hull_vertices(hull);
    cm_vec3 pole = {0, 0, 1};
    if (dimension == 1) pole = cm_normalize(cm_sub(v[1], v[0]), pole);
    if (dimension == 2) {
        cm_hull_face f;
        cm_hull_get_face(hull, 0, &f);
        pole = f.normal;
    }
    if (pole.z < 0) pole = cm_neg(pole); /* the grid is the same upside down */
    cm_quat turn = {-pole.y, pole.x, 0, 1 + pole.z};
    return cm_quat_normalize(turn);
}

static void picture_round(cm__picture *p, const cm_hull *core, cm_real radius) {
    const cm_vec3 *v = cm_hull_vertices(core);
    uint32_t count = cm_hull_vertex_count(core);
    cm_hull_info info;
    cm_hull_get_info(core, &info);
    for (uint32_t i = 0; i < cm_hull_face_count(core); i++) {
        cm_hull_face f;
        cm_hull_get_face(core, i, &f);
        for (uint32_t k = 0; k < f.count; k++) cm__picture_corner(p, cm_mul_add(v[f.vertices[k]], radius, f.normal));
    }
    cm_quat turn = picture_turn(core, info.dimension);
    cm_vec3 size = cm_sub(info.bounds.max, info.bounds.min);
    cm_real equal = 32 * CM_REAL_EPSILON * cm_max(size.x, cm_max(size.y, size.z));
    cm__point direction;
    for (int i = 0; p->status == CM_OK && cm__picture_direction(p, i, &direction); i++) {
        cm_vec3 d = cm_rotate(turn, cm__vec3_of(direction));
        cm_real most = -CM_REAL_MAX;
        if (direction.x == 0 && direction.y == 0 && direction.z == 0) continue;
        for (uint32_t k = 0; k < count; k++) most = cm_max(most, cm_dot(d, cm_sub(v[k], info.center)));
        for (uint32_t k = 0; k < count; k++)
            if (cm_dot(d, cm_sub(v[k], info.center)) >= most - equal)
                cm__picture_corner(p, cm_mul_add(v[k], radius, d));
    }
    cm_hull *whole = picture_close(p);
    if (whole) picture_emit(p, whole);
    cm_hull_destroy(whole, p->mem);
}

void cm__picture_hull(cm__picture *p, cm_real radius) {
    cm_hull *core = picture_close(p);
    if (core && radius > 0)
        picture_round(p, core, radius);
    else if (core)
        picture_emit(p, core);
    cm_hull_destroy(core, p->mem);
}

/* The general way: by corners, or by support points along the grid. */
static void picture_convex(cm__picture *p, const cm_shape *shape) {
    cm__core core;
    cm__ops(shape->kind)->core(shape, &core);
    for (uint32_t i = 0; core.ops->corner && i < core.count; i++)
        cm__picture_corner(p, cm__vec3_of(core.ops->corner(&core, i)));
    cm__point d;
    for (int i = 0; !core.ops->corner && p->status == CM_OK && cm__picture_direction(p, i, &d); i++) {
        uint32_t id = CM_NONE;
        if (d.x == 0 && d.y == 0 && d.z == 0) continue;
        cm__picture_corner(p, cm__vec3_of(core.ops->support(&core, d, &id)));
    }
    cm__picture_hull(p, shape->radius);
}

/* --- any shape ---------------------------------------------------------------------------------------------------- */

void cm__picture_shape(cm__picture *p, const cm_shape *shape) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (ops->picture)
        ops->picture(p, shape);
    else
        picture_convex(p, shape);
}

cm_status cm_shape_tessellate(const cm_shape *shape, const cm_tessellate_desc *desc, const cm_allocator *mem,
                              cm_tessellation *out) {
    cm_status status = cm_shape_check(shape, NULL);
    int segments = desc && desc->segments != 0 ? desc->segments : PICTURE_SEGMENTS;
    cm_real extent = desc && desc->extent != 0 ? desc->extent : 1;
    if (status != CM_OK) return status;
    if (!out || segments < 4 || segments > 256 || !(extent > 0 && cm_is_coord(extent))) return CM_INVALID;
    cm__picture p = {mem, (segments + 3) / 4 * 4, extent, NULL, CM_OK, NULL, NULL, 0, 0, 0, 0, NULL, 0, 0};
    cm__picture_shape(&p, shape);
    if (p.status == CM_OK) {
        cm_tessellation t = {cm__alloc(mem, p.point_count, sizeof(cm_vec3)),
                             cm__alloc(mem, p.index_count, sizeof(uint32_t)), (uint32_t)p.point_count,
                             (uint32_t)(p.index_count / 3)};
        if (t.points && t.indices) {
            for (size_t i = 0; i < p.point_count; i++) t.points[i] = p.points[i];
            for (size_t i = 0; i < p.index_count; i++) t.indices[i] = p.indices[i];
            *out = t;
        } else {
            p.status = CM_NO_MEMORY;
            cm_tessellation_destroy(&t, mem);
        }
    }
    cm__free(mem, p.points, p.point_room, sizeof(cm_vec3));
    cm__free(mem, p.indices, p.index_room, sizeof(uint32_t));
    cm__free(mem, p.corners, p.corner_room, sizeof(cm_vec3));
    return p.status;
}

void cm_tessellation_destroy(cm_tessellation *t, const cm_allocator *mem) {
    if (!t) return;
    cm__free(mem, t->points, t->point_count, sizeof(cm_vec3));
    cm__free(mem, t->indices, (size_t)t->triangle_count * 3, sizeof(uint32_t));
    t->points = NULL, t->indices = NULL;
    t->point_count = t->triangle_count = 0;
}
