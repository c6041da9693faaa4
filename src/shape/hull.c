/* A convex hull, borrowed: the general way's core. Support points come from the hull's fast scan or walk, whose
 * rounding is the float's; where an exact one is asked for, a walk in double starts from the corner that was found. */
#include "shape/shape.h"
#include "base/error.h"
#include "hull/hull.h"

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
    out->center = cm__p(low.x / 2 + high.x / 2, low.y / 2 + high.y / 2, low.z / 2 + high.z / 2);
    out->size = cm__point_length(cm__point_sub(high, out->center));
    out->guess_error = 16 * (double)CM_REAL_EPSILON * out->size;
}

static void hull_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm__core core;
    hull_core(shape, &core);
    cm__core_bounds(&core, pose, out);
}

const cm__shape_ops cm__shape_hull = {
    .name = "hull", .shape_class = CM__CONVEX, .check = hull_check, .bounds = hull_bounds, .core = hull_core};
