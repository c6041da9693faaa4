/* A convex hull, borrowed: the general way's core. Support points come from the hull's fast scan or walk, whose
 * rounding is the float's; where an exact one is asked for, a walk in double starts from the corner that was found. */
#include "shape/shape.h"
#include "base/error.h"
#include "hull/hull.h"
#include "math/wide.h"

#if defined(__SSE2__) && !defined(CAROM_F64)
#include <emmintrin.h>
#endif

static cm_status hull_check(const cm_shape *shape, cm_error *error) {
    if (shape->u.hull) return CM_OK;
    return cm__refuse(error, CM_INVALID, "hull", CM_NONE);
}

static cm__point hull_core_corner(const cm__core *core, uint32_t id) {
    return cm__point_of(cm__hull_points(core->data)[id]);
}

/* The farthest of few corners. First the farthest value alone, lane by lane, then who has it: the first of equals. The
 * products are those of cm__hull_support, in the same order, so both forms below give the same corner. */
#if defined(__SSE2__) && !defined(CAROM_F64)
static uint32_t hull_core_scan(const cm_real *lanes, uint32_t padded, cm_vec3 d) {
    const float *x = lanes, *y = lanes + padded, *z = lanes + 2 * (size_t)padded;
    const __m128 dx = _mm_set1_ps(d.x), dy = _mm_set1_ps(d.y), dz = _mm_set1_ps(d.z);
    __m128 value[(CM__HULL_SCAN + CM__HULL_LANES) / 4], best[2];
    best[0] = best[1] = _mm_set1_ps(-FLT_MAX);
    for (uint32_t i = 0; i < padded; i += 8) {
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t at = i + 4 * k;
            __m128 v = _mm_add_ps(_mm_mul_ps(_mm_loadu_ps(x + at), dx), _mm_mul_ps(_mm_loadu_ps(y + at), dy));
            v = _mm_add_ps(v, _mm_mul_ps(_mm_loadu_ps(z + at), dz));
            value[at / 4] = v;
            best[k] = _mm_max_ps(v, best[k]);
        }
    }
    __m128 most = _mm_max_ps(best[0], best[1]);
    most = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(1, 0, 3, 2)));
    most = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(2, 3, 0, 1)));
    for (uint32_t i = 0; i < padded; i += 16) { /* sixteen at a time: a branch less to guess wrong */
        unsigned mask = 0;
        for (uint32_t k = 0; k < 4 && i + 4 * k < padded; k++)
            mask |= (unsigned)_mm_movemask_ps(_mm_cmpeq_ps(value[i / 4 + k], most)) << 4 * k;
        if (!mask) continue;
        uint32_t k = 0;
        if (!(mask & 0xff)) k += 8, mask >>= 8;
        if (!(mask & 0xf)) k += 4, mask >>= 4;
        if (!(mask & 3)) k += 2, mask >>= 2;
        return i + k + !(mask & 1);
    }
    return 0; /* not a number */
}
#else
static uint32_t hull_core_scan(const cm_real *lanes, uint32_t padded, cm_vec3 d) {
    const cm_real *x = lanes, *y = lanes + padded, *z = lanes + 2 * (size_t)padded;
    cm_real value[CM__HULL_SCAN + CM__HULL_LANES], most = -CM_REAL_MAX;
    for (uint32_t i = 0; i < padded; i++) value[i] = x[i] * d.x + y[i] * d.y + z[i] * d.z;
    for (uint32_t i = 0; i < padded; i++) most = value[i] > most ? value[i] : most;
    for (uint32_t i = 0; i < padded; i++)
        if (value[i] == most) return i;
    return 0; /* not a number */
}
#endif

/* Scaled by its largest component where a float could lose it. */
static cm__point hull_core_guess(const cm__core *core, cm__point d, uint32_t *id) {
    const cm_hull *hull = core->data;
    double largest = cm__point_largest(d);
    if (!(largest > 1e-10 && largest < 1e10)) d = cm__point_scale(d, 1 / largest);
    *id = hull->cells == 0 ? hull_core_scan(cm__hull_lanes(hull), hull->padded, cm__vec3_of(d))
                           : cm__hull_support(hull, cm__vec3_of(d), *id);
    if (*id >= core->count) *id = core->count - 1; /* padding repeats the last */
    return hull_core_corner(core, *id);
}

/* Uphill from *id to the corner none of whose neighbors is farther: on a convex body the farthest. Every step is a gain
 * of the same function, so no corner is seen twice. */
static cm__point hull_core_support(const cm__core *core, cm__point d, uint32_t *id) {
    const cm_hull *hull = core->data;
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t *first = cm__hull_neighbor_first(hull), *neighbors = cm__hull_neighbors(hull);
    if (*id >= core->count) hull_core_guess(core, d, id);
    uint32_t vertex = *id, from;
    double most = cm__point_dot(cm__point_sub(cm__point_of(points[vertex]), core->center), d);
    do {
        from = vertex;
        for (uint32_t i = first[from]; i < first[from + 1]; i++) {
            double value = cm__point_dot(cm__point_sub(cm__point_of(points[neighbors[i]]), core->center), d);
            if (value > most) most = value, vertex = neighbors[i];
        }
    } while (vertex != from);
    *id = vertex;
    return hull_core_corner(core, vertex);
}

/* A patch with more corners than a facet holds is thinned evenly. */
static void hull_core_facet(const cm__core *core, cm__point d, cm__facet *out) {
    const cm_hull *hull = core->data;
    uint32_t vertex = CM_NONE;
    cm__hull_side side;
    hull_core_support(core, d, &vertex);
    cm__hull_patch_toward(hull, cm__vec3_of(d), vertex, &side);
    uint32_t count = side.count <= CM__FACET_MAX ? side.count : CM__FACET_MAX;
    out->count = (int)count;
    out->number = side.patch;
    out->normal = cm__point_of(side.normal);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t corner = side.corner[(uint64_t)i * side.count / count];
        out->id[i] = corner;
        out->point[i] = hull_core_corner(core, corner);
    }
    double length = cm__point_length(out->normal);
    if (count >= 3 && length > 0) out->normal = cm__point_scale(out->normal, 1 / length);
}

static void hull_core(const cm_shape *shape, cm__core *out) {
    static const cm__core_ops ops = {hull_core_support, hull_core_guess, hull_core_corner, hull_core_facet};
    const cm_hull *hull = shape->u.hull;
    cm__point low = cm__point_of(hull->info.bounds.min), high = cm__point_of(hull->info.bounds.max);
    out->ops = &ops;
    out->data = hull;
    out->count = hull->info.vertices;
    out->radius = (double)shape->radius;
    out->center = cm__point_of(hull->info.center); /* the middle of the bounds may lie outside */
    cm__point up = cm__point_sub(high, out->center), down = cm__point_sub(out->center, low);
    out->size = cm__point_length(cm__p(wide_max(up.x, down.x), wide_max(up.y, down.y), wide_max(up.z, down.z)));
    out->guess_error = 16 * (double)CM_REAL_EPSILON * out->size;
}

static void hull_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm__core core;
    hull_core(shape, &core);
    cm__core_bounds(&core, pose, out);
}

/* What the build measured. */
static void hull_mass_core(const cm_hull *hull, cm__mass_sum *out) {
    const cm_mat3 *t = &hull->info.inertia;
    const cm_real tensor[6] = {t->x.x, t->y.y, t->z.z, t->y.z, t->z.x, t->x.y};
    out->unit = 1;
    out->volume = (double)hull->info.volume;
    out->center = cm__point_of(hull->info.center);
    for (int k = 0; k < 6; k++) out->inertia[k] = (double)tensor[k];
}

/* A hull seen from the middle of its bounds, in units of its size; normals scaled to length 1. */
typedef struct hull_view {
    const cm_hull *hull;
    cm__point middle;
    double over, r;
} hull_view;
static cm__point hull_view_point(const hull_view *v, uint32_t vertex) {
    return cm__point_scale(cm__point_sub(cm__point_of(cm__hull_points(v->hull)[vertex]), v->middle), v->over);
}
static cm__point hull_view_normal(const hull_view *v, uint32_t face) {
    return wide_normalize(cm__point_of(cm__hull_planes(v->hull)[face].normal), cm__p(1, 0, 0));
}

static void hull_mass_face(const hull_view *v, uint32_t face, cm__moments *m) {
    const uint32_t *first = cm__hull_first(v->hull), *corner = cm__hull_corner(v->hull);
    const uint32_t *twin = cm__hull_twin(v->hull), *edge_face = cm__hull_edge_face(v->hull);
    cm__point n = hull_view_normal(v, face), a = hull_view_point(v, corner[first[face]]);
    for (uint32_t h = first[face]; h < first[face + 1]; h++) {
        cm__point b = hull_view_point(v, corner[h]), c = hull_view_point(v, cm__hull_target(v->hull, h));
        if (h > first[face] && h + 1 < first[face + 1]) {
            if (v->hull->info.dimension == 3) cm__moments_add_tetrahedron(m, a, b, c);
            cm__moments_add_prism(m, a, b, c, n, v->r);
        }
        if (h < twin[h]) cm__moments_add_wedge(m, b, c, n, hull_view_normal(v, edge_face[twin[h]]), v->r);
    }
}

static void hull_mass_corner(const hull_view *v, uint32_t vertex, cm__moments *m) {
    const uint32_t *twin = cm__hull_twin(v->hull), *edge_face = cm__hull_edge_face(v->hull);
    cm__point p = hull_view_point(v, vertex);
    uint32_t start = cm__hull_vertex_edge(v->hull)[vertex], h = start;
    cm__corner_sum s = {0};
    do {
        cm__point e = cm__point_sub(hull_view_point(v, cm__hull_target(v->hull, h)), p);
        cm__corner_add_edge(&s, wide_normalize(e, cm__p(1, 0, 0)), hull_view_normal(v, edge_face[h]),
                            hull_view_normal(v, edge_face[twin[h]]));
        h = cm__hull_around(v->hull, h);
    } while (h != start);
    cm__moments_add_corner(m, p, &s, v->r);
}

static cm_status hull_mass(const cm_shape *shape, cm__mass_sum *out) {
    const cm_hull *hull = shape->u.hull;
    if (!(shape->radius > 0)) {
        hull_mass_core(hull, out);
        return CM_OK;
    }
    if (hull->info.faces == 0) { /* a point or a segment */
        cm_shape capsule =
            cm_make_capsule(cm__hull_points(hull)[0], cm__hull_points(hull)[hull->info.vertices - 1], shape->radius);
        return cm__shape_segment.mass(&capsule, out);
    }
    double unit = (double)hull->half + (double)shape->radius;
    hull_view v = {hull, cm__point_of(hull->middle), 1 / unit, (double)shape->radius / unit};
    cm__moments m = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (uint32_t f = 0; f < hull->info.faces; f++) hull_mass_face(&v, f, &m);
    for (uint32_t i = 0; i < hull->info.vertices; i++) hull_mass_corner(&v, i, &m);
    cm__mass_of_moments(&m, cm__point_scale(v.middle, v.over), unit, out);
    return CM_OK;
}

const cm__shape_ops cm__shape_hull = {.name = "hull",
                                      .shape_class = CM__CONVEX,
                                      .check = hull_check,
                                      .bounds = hull_bounds,
                                      .core = hull_core,
                                      .mass = hull_mass};
