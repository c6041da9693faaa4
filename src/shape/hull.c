/* A convex hull, borrowed: the general way's core. Support points come from the hull's fast scan or walk, whose
 * rounding is that of cm_real; where an exact one is asked for, the few corners that the scan cannot tell apart are
 * compared in double, or, where they are not few, a walk in double starts from the corner that was found. */
#include "shape/shape.h"
#include "base/error.h"
#include "hull/kernel.h"
#include "hull/lanes.h"
#include "math/wide.h"
#include "mesh/ray.h"
#include "shape/ray.h"

static cm_status hull_check(const cm_shape *shape, cm_error *error) {
    if (shape->u.hull) return CM_OK;
    return cm__refuse(error, CM_INVALID, "hull", CM_NONE);
}

static cm__point hull_core_corner(const cm__core *core, uint32_t id) {
    return cm__point_of(cm__hull_points(core->data)[id]);
}

/* Scaled by its largest component where a float could lose it. */
static cm__point hull_core_guess(const cm__core *core, cm__point d, uint32_t *id) {
    const cm_hull *hull = core->data;
    double largest = cm__point_largest(d);
    if (!(largest > 1e-10 && largest < 1e10)) d = cm__point_scale(d, 1 / largest);
    *id = cm__hull_support(hull, cm__vec3_of(d), *id);
    return hull_core_corner(core, *id);
}

/* What the scan may be wrong by, of a direction whose largest component is 1: twice its own rounding and more. */
#define HULL_SURE  (64 * CM_REAL_EPSILON)
#define HULL_CLOSE 8 /* corners, of more the walk is faster */

/* How far along d, in double. */
static double hull_core_along(const cm__core *core, uint32_t vertex, cm__point d) {
    const cm_vec3 *points = cm__hull_points(core->data);
    return cm__point_dot(cm__point_sub(cm__point_of(points[vertex]), core->center), d);
}

/* The farthest of the few corners that the scan's rounding leaves: *id among equals, else the first. CM_NONE: they are
 * not few, or the scan cannot be asked. */
static uint32_t hull_core_few(const cm__core *core, cm__point d, uint32_t id) {
    const cm_hull *hull = core->data;
    const cm__hull_scans *scans = core->means;
    const double largest = cm__point_largest(d);
    uint32_t bits[CM__HULL_SCAN / 32];
    if (hull->cells > 0 || !(largest > 1e-10 && largest < 1e10)) return CM_NONE;
    const cm_real slack = HULL_SURE * (cm_real)largest * hull->half;
    scans->near(cm__hull_lanes(hull), hull->padded, cm__vec3_of(d), slack, bits);
    uint32_t best = CM_NONE, count = 0;
    double most = -DBL_MAX;
    for (uint32_t i = 0; i < hull->padded; i += 32) {
        for (uint32_t rest = bits[i / 32]; rest; rest &= rest - 1) {
            const uint32_t vertex = i + (uint32_t)bits_lowest(rest);
            if (vertex >= core->count) break; /* copies of the last one */
            if (count++ == HULL_CLOSE) return CM_NONE;
            const double value = hull_core_along(core, vertex, d);
            const uint32_t better = 0 - (uint32_t)((value > most) | ((value == most) & (vertex == id)));
            best ^= (best ^ vertex) & better; /* a jump could not be predicted */
            most = cm__most(value, most);
        }
    }
    return best;
}

/* Of the few corners that the scan finds farthest, which reads memory that others did just before, the one that is so
 * in double. Else, in double, uphill from *id to the corner none of whose neighbors is farther: on a convex body the
 * farthest. Every step is a gain of the same function, so no corner is seen twice. */
static cm__point hull_core_support(const cm__core *core, cm__point d, uint32_t *id) {
    const cm_hull *hull = core->data;
    const cm_vec3 *points = cm__hull_points(hull);
    const uint32_t few = hull_core_few(core, d, *id);
    if (few != CM_NONE) {
        *id = few;
        return cm__point_of(points[few]);
    }
    const uint32_t *first = cm__hull_neighbor_first(hull), *neighbors = cm__hull_neighbors(hull);
    if (*id >= core->count) hull_core_guess(core, d, id);
    uint32_t vertex = *id, from;
    double most = hull_core_along(core, vertex, d);
    do {
        from = vertex;
        for (uint32_t i = first[from]; i < first[from + 1]; i++) {
            double value = hull_core_along(core, neighbors[i], d);
            if (value > most) most = value, vertex = neighbors[i];
        }
    } while (vertex != from);
    *id = vertex;
    return hull_core_corner(core, vertex);
}

/* A patch with more corners than a facet holds is thinned evenly. */
static void hull_core_facet(const cm__core *core, cm__point d, cm__facet *out) {
    const cm_hull *hull = core->data;
    uint32_t vertex = out->hint;
    cm__hull_side side;
    if (!out->farthest) hull_core_support(core, d, &vertex);
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

/* From the scan's own numbers. */
static uint32_t hull_core_near(const cm__core *core, cm_vec3 d, uint32_t hint, cm_vec3 *from_center) {
    const cm_hull *hull = core->data;
    const cm_real *lanes = cm__hull_lanes(hull);
    const cm__hull_scans *scans = core->means;
    uint32_t id = hull->cells == 0 ? scans->scan(lanes, hull->padded, d) : cm__hull_support(hull, d, hint);
    cm_vec3 from_middle = cm_v(lanes[id], lanes[hull->padded + id], lanes[2 * (size_t)hull->padded + id]);
    *from_center = cm_sub(from_middle, cm_sub(hull->info.center, hull->middle));
    return id;
}
static double hull_core_inner(const cm__core *core) { return (double)((const cm_hull *)core->data)->inner; }

static void hull_core(const cm_shape *shape, cm__core *out) {
    static const cm__core_ops ops = {.support = hull_core_support,
                                     .guess = hull_core_guess,
                                     .corner = hull_core_corner,
                                     .facet = hull_core_facet,
                                     .near = hull_core_near,
                                     .inner = hull_core_inner,
                                     .is_hull = true};
    const cm_hull *hull = shape->u.hull;
    out->ops = &ops;
    out->data = hull;
    out->means = cm__hull_scans_best();
    out->count = hull->info.vertices;
    out->radius = (double)shape->radius;
    out->center = cm__point_of(hull->info.center); /* the middle of the bounds may lie outside */
    out->size = (double)hull->outer;
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

/* A face's normal in double, of any length, from its corners; that of its plane where it is too thin for that. */
static cm__point hull_face_normal(const cm_hull *hull, uint32_t face) {
    const uint32_t *first = cm__hull_first(hull), *corner = cm__hull_corner(hull);
    const cm_vec3 *points = cm__hull_points(hull);
    cm__point a = cm__point_of(points[corner[first[face]]]), sum = cm__p(0, 0, 0);
    cm__point before = cm__point_sub(cm__point_of(points[corner[first[face] + 1]]), a);
    for (uint32_t h = first[face] + 2; h < first[face + 1]; h++) {
        cm__point next = cm__point_sub(cm__point_of(points[corner[h]]), a);
        sum = cm__point_add(sum, cm__point_cross(before, next));
        before = next;
    }
    cm__point stored = cm__point_of(cm__hull_planes(hull)[face].normal);
    return cm__point_dot(sum, stored) > 0.999999 * cm__point_length(sum) ? sum : stored;
}

/* When the ray passes the plane of a face; `rough` where it runs along it, within rounding. */
static double hull_face_time(const cm_hull *hull, uint32_t face, cm__point n, cm__point o, cm__point d, double rough) {
    cm__point a = cm__point_of(cm__hull_points(hull)[cm__hull_corner(hull)[cm__hull_first(hull)[face]]]);
    double speed = cm__point_dot(n, d), t = cm__point_dot(n, cm__point_sub(a, o)) / speed;
    bool cuts = fabs(speed) > 16 * DBL_EPSILON * cm__point_length(n) * cm__point_length(d);
    return cuts && fabs(t) <= DBL_MAX ? t : rough;
}

/* Does the ray meet a face? By the exact signs of the triangles of its fan. */
static bool hull_face_is_met(const cm_hull *hull, uint32_t face, const cm__ray_line *line) {
    const uint32_t *first = cm__hull_first(hull), *corner = cm__hull_corner(hull);
    const cm_vec3 *points = cm__hull_points(hull);
    cm__point c[3] = {cm__point_of(points[corner[first[face]]]), cm__point_of(points[corner[first[face] + 1]])};
    for (uint32_t h = first[face] + 2; h < first[face + 1]; h++) {
        cm__mesh_hit hit;
        c[2] = cm__point_of(points[corner[h]]);
        if (cm__ray_hits_face(line, c, &hit)) return true;
        c[1] = c[2];
    }
    return false;
}

/* Rays that touch a corner or an edge, or begin or end at the surface: rounding does not tell them from those that
 * miss. */
static bool hull_is_grazed(const cm_ray *ray, const cm_hull *hull, double max) {
    const cm__ray_line line = {cm__point_of(ray->origin), cm__point_of(ray->direction), max};
    for (uint32_t f = 0; f < hull->info.faces; f++)
        if (hull_face_is_met(hull, f, &line)) return true;
    return false;
}

/* The span of times between the planes of all faces, which lie outside of the hull by no more than rounding; which two
 * of them decide, and what a height's rounding makes of the time at which each is passed. */
typedef struct hull_cut {
    cm__span span;
    uint32_t in, leave;
    double in_error, leave_error;
} hull_cut;
static bool hull_cut_by_planes(const cm_hull *hull, cm__point o, cm__point d, double height_error, hull_cut *out) {
    const cm__hull_plane *planes = cm__hull_planes(hull);
    const double still = 4 * DBL_EPSILON * wide_sum(d); /* along a face, within rounding */
    out->span.first = -DBL_MAX, out->span.last = DBL_MAX;
    out->in = out->leave = CM_NONE;
    out->in_error = out->leave_error = 0;
    for (uint32_t f = 0; f < hull->info.faces; f++) {
        cm__point n = cm__point_of(planes[f].normal);
        double height = cm__point_dot(n, o) + (double)planes[f].d, speed = cm__point_dot(n, d), t = -height / speed;
        if (!(fabs(speed) > still)) {
            if (height > height_error) return false;
            continue;
        }
        if (speed < 0 && t > out->span.first) out->span.first = t, out->in = f, out->in_error = -height_error / speed;
        if (speed > 0 && t < out->span.last)
            out->span.last = t, out->leave = f, out->leave_error = height_error / speed;
        if (out->span.first - out->span.last > out->in_error + out->leave_error) return false;
    }
    return out->in != CM_NONE && out->leave != CM_NONE; /* else the direction vanishes against every face */
}

/* Cut by the planes of all faces; then the two planes that decide are taken again, through their corners in double.
 * Either way the planes hold the hull, so that t is not late. Where they leave nothing, or hardly anything, of the ray,
 * exact signs decide. */
static bool hull_solid_raycast(const cm_ray *ray, const cm_hull *hull, cm_ray_hit *out) {
    const double max = (double)ray->max;
    cm__point o = cm__point_of(ray->origin), d = cm__point_of(ray->direction);
    const double height_error =
        8 * DBL_EPSILON * (wide_sum(o) + wide_sum(cm__point_of(hull->middle)) + (double)hull->half);
    hull_cut cut;
    if (!hull_cut_by_planes(hull, o, d, height_error, &cut)) return false;
    cm__point n_in = hull_face_normal(hull, cut.in), n_leave = hull_face_normal(hull, cut.leave);
    double first = hull_face_time(hull, cut.in, n_in, o, d, cut.span.first);
    double last = hull_face_time(hull, cut.leave, n_leave, o, d, cut.span.last);
    const double late = max + 4 * cut.in_error;
    if (!(first <= late && last >= -4 * cut.leave_error)) return false;
    if (!(first <= last && first <= max && last >= 0) && !hull_is_grazed(ray, hull, late)) return false;
    bool inside = wide_min(first, last) <= 0;
    cm__span span = {wide_clamp(wide_min(first, last), 0, max), wide_clamp(wide_max(first, last), 0, max)};
    cm__ray_finish(ray, span, wide_normalize(inside ? n_leave : n_in, cm__p(0, 0, 1)), out);
    if (out) out->inside = inside;
    return true;
}

static bool hull_is_along(const cm_hull *hull, const cm_ray *ray) {
    const uint32_t *corner = cm__hull_corner(hull);
    const cm_vec3 *points = cm__hull_points(hull);
    cm__point a = cm__point_of(points[corner[0]]), b = cm__point_of(points[corner[1]]);
    cm__point c = cm__point_of(points[corner[2]]);
    return cm__orient3(a, b, c, cm__point_of(ray->origin)) == 0 &&
           cm__orient3_along(a, b, c, cm__point_of(ray->direction)) == 0;
}

/* A polygon: of a ray in its plane what its own edges leave, else the nearest hit of the triangles of its fan, which
 * share their edges. */
static bool hull_polygon_raycast(const cm_ray *ray, const cm_hull *hull, cm_ray_hit *out) {
    const uint32_t *corner = cm__hull_corner(hull);
    const cm_vec3 *points = cm__hull_points(hull);
    uint32_t count = cm__hull_first(hull)[1];
    if (hull_is_along(hull, ray)) return cm__ray_in_plane(ray, points, corner, count, hull_face_normal(hull, 0), out);
    bool found = false;
    for (uint32_t i = 1; i + 1 < count; i++) {
        cm_ray_hit hit;
        if (!cm__ray_triangle(ray, points[corner[0]], points[corner[i]], points[corner[i + 1]], 0, &hit)) continue;
        if (!found || hit.t < out->t) *out = hit;
        found = true;
    }
    return found;
}

static bool hull_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    const cm_hull *hull = shape->u.hull;
    const cm_vec3 *points = cm__hull_points(hull);
    cm_ray_hit hit;
    bool found;
    if (hull->info.dimension < 2)
        found = cm__ray_capsule(ray, points[0], points[hull->info.vertices - 1], shape->radius, &hit);
    else if (shape->radius > 0)
        found = cm__ray_core(ray, shape, &hit);
    else if (hull->info.dimension == 2)
        found = hull_polygon_raycast(ray, hull, &hit);
    else
        found = hull_solid_raycast(ray, hull, &hit);
    if (found && out) *out = hit;
    return found;
}

static const cm_field hull_fields[] = {CM__FIELD("hull", POINTER, hull)};

const cm__shape_ops cm__shape_hull = {.name = "hull",
                                      .shape_class = CM__CONVEX,
                                      .check = hull_check,
                                      .bounds = hull_bounds,
                                      .core = hull_core,
                                      .mass = hull_mass,
                                      .raycast = hull_raycast,
                                      CM__FIELDS(hull_fields)};
