#include "support/clouds.h"

#include <math.h>

#include <gmp.h>

#include "math/exact.h"

const char *cloud_name(int kind) {
    static const char *const names[CLOUD_KINDS] = {"cube",        "ball",   "sphere", "cylinder",   "grid",
                                                   "tenths",      "plane",  "line",   "near plane", "near line",
                                                   "turned grid", "needle", "slab",   "far",        "clusters"};
    return names[kind];
}

/* Some ulps of x. */
static double jitter(rng *r, double x) { return x * (double)CM_REAL_EPSILON * (double)((int)rng_below(r, 7) - 3); }
static double small(rng *r, int half) { return (double)((int)rng_below(r, 2 * (uint32_t)half + 1) - half); }

static void cloud_point(rng *r, int kind, cm_quat turn, uint32_t i, double out[3]) {
    cm_vec3 v = rng_vec3(r, 1);
    double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    cm_vec3 d = rng_direction(r);
    switch (kind) {
    case CLOUD_BALL:
        x = cbrt(fabs(x)), out[0] = x * (double)d.x, out[1] = x * (double)d.y, out[2] = x * (double)d.z;
        return;
    case CLOUD_SPHERE:
        out[0] = (double)d.x, out[1] = (double)d.y, out[2] = (double)d.z;
        return;
    case CLOUD_CYLINDER: {
        double angle = 6.283185307179586 * (double)rng_below(r, 64) / 64;
        out[0] = cos(angle), out[1] = sin(angle), out[2] = i % 3 == 0 ? 1 : i % 3 == 1 ? -1 : z;
        return;
    }
    case CLOUD_GRID:
        x = small(r, 1), y = small(r, 1), z = small(r, 1);
        break;
    case CLOUD_TENTHS:
        x = 0.1 * small(r, 4), y = 1 + 0.2 * small(r, 4), z = 0.6 * small(r, 4);
        break;
    case CLOUD_PLANE:
        x = small(r, 4), y = small(r, 4), z = 2 * x - 3 * y + 1;
        break;
    case CLOUD_LINE:
        x = small(r, 9), y = 3 * x - 1, z = -2 * x;
        break;
    case CLOUD_NEAR_PLANE:
        z = 0.3 * x - 0.7 * y, x += jitter(r, x), y += jitter(r, y), z += jitter(r, z);
        break;
    case CLOUD_NEAR_LINE:
        y = 0.3 * x, z = -0.7 * x, x += jitter(r, x), y += jitter(r, y), z += jitter(r, z);
        break;
    case CLOUD_TURNED_GRID: {
        x = small(r, 2), y = small(r, 2), z = small(r, 2);
        v = cm_rotate(turn, cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)));
        x = (double)v.x, y = (double)v.y, z = (double)v.z;
        break;
    }
    case CLOUD_NEEDLE:
    case CLOUD_SLAB: {
        v = cm_rotate(turn, cm_v(CM_REAL(x), CM_REAL(kind == CLOUD_SLAB ? y : y * 1e-6), CM_REAL(z * 1e-6)));
        x = (double)v.x, y = (double)v.y, z = (double)v.z;
        break;
    }
    case CLOUD_FAR:
        x += 1e5, y -= 3e5, z += 2e5;
        break;
    case CLOUD_CLUSTERS: {
        rng place = {1000 + rng_below(r, 6)};
        v = rng_vec3(&place, 1);
        x = (double)v.x, y = (double)v.y, z = (double)v.z;
        x += jitter(r, x), y += jitter(r, y), z += jitter(r, z);
        break;
    }
    default:
        break;
    }
    out[0] = x, out[1] = y, out[2] = z;
}

void cloud_fill(rng *r, int kind, double scale, cm_vec3 *points, uint32_t count) {
    cm_quat turn = rng_rotation(r);
    for (uint32_t i = 0; i < count; ++i) {
        double p[3];
        cloud_point(r, kind, turn, i, p);
        points[i] = cm_v(CM_REAL(p[0] * scale), CM_REAL(p[1] * scale), CM_REAL(p[2] * scale));
    }
}

cm_hull *hull_of_desc(const cm_hull_desc *desc) {
    cm_hull *hull = NULL;
    cm_error error = {CM_OK, NULL, 0};
    cm_status status = cm_hull_build(desc, NULL, &hull, &error);
    check_that(status == CM_OK, "%s at %s", cm_status_text(status), error.field ? error.field : "-");
    return hull;
}
cm_hull *hull_of(const cm_vec3 *points, uint32_t count) {
    cm_hull_desc desc = {.points = &points[0].x, .point_count = count};
    return hull_of_desc(&desc);
}

/* --- the check ---------------------------------------------------------------------------------------------------- */

static bool before(cm_vec3 a, cm_vec3 b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }
static bool same(cm_vec3 a, cm_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static void check_vertices(const cm_hull *hull, const cm_vec3 *points, uint32_t count) {
    const cm_vec3 *v = cm_hull_vertices(hull);
    for (uint32_t i = 0; i < cm_hull_vertex_count(hull); ++i) {
        uint32_t source = cm_hull_sources(hull)[i];
        check_that(source < count && same(points[source], v[i]), "vertex %u", i);
        if (i > 0) check_that(before(v[i - 1], v[i]), "vertex %u", i);
    }
}

/* From a number of the build's precision to the next larger one. */
static double ulp_of(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp((double)CM_REAL_EPSILON, exponent - 1);
}

/* dot(normal, p) + d, in rational arithmetic: never 0 where it is not, and of the right sign. */
static double plane_value(const cm_hull_face *face, cm_vec3 p) {
    const double term[4][2] = {{(double)face->normal.x, (double)p.x},
                               {(double)face->normal.y, (double)p.y},
                               {(double)face->normal.z, (double)p.z},
                               {(double)face->d, 1}};
    mpq_t sum, x, y;
    mpq_inits(sum, x, y, NULL);
    for (int i = 0; i < 4; ++i) {
        mpq_set_d(x, term[i][0]), mpq_set_d(y, term[i][1]);
        mpq_mul(x, x, y);
        mpq_add(sum, sum, x);
    }
    double value = mpq_get_d(sum);
    if (value == 0) value = mpq_sgn(sum) * 0x1p-1074;
    mpq_clears(sum, x, y, NULL);
    return value;
}

/* Is its area below 2^-48 of its length squared? By the largest triangle of its fan, each area to 2^-40. */
static bool is_vague(const cm_hull_face *face, const cm_vec3 *v) {
    cm__point a = cm__point_of(v[face->vertices[0]]);
    double area = 0, length = 0;
    for (uint32_t i = 1; i + 1 < face->count; ++i) {
        cm__point b = cm__point_of(v[face->vertices[i]]), c = cm__point_of(v[face->vertices[i + 1]]);
        for (int k = 0; k < 3; ++k) {
            double size = fmax(cm__point_largest(a), fmax(cm__point_largest(b), cm__point_largest(c)));
            cm__point d = cm__p(a.x + (k == 0) * size, a.y + (k == 1) * size, a.z + (k == 2) * size);
            if (size > 0) area = fmax(area, fabs(cm__orient3_value(&a, &b, &c, &d)) / size / 2);
        }
        length = fmax(length, fmax(cm__point_length(cm__point_sub(b, a)), cm__point_length(cm__point_sub(c, a))));
        length = fmax(length, cm__point_length(cm__point_sub(c, b)));
    }
    return !(area > 0x1p-47 * length * length);
}

static void check_face(const cm_hull *hull, uint32_t f, const cm_vec3 *points, uint32_t count, bool inside) {
    cm_hull_info info;
    cm_hull_face face, other;
    cm_hull_get_info(hull, &info);
    cm_hull_get_face(hull, f, &face);
    const cm_vec3 *v = cm_hull_vertices(hull);
    check_that(face.count >= 3, "face %u has %u corners", f, face.count);
    cm__point a = cm__point_of(v[face.vertices[0]]), b = cm__point_of(v[face.vertices[1]]);
    cm__point c = cm__point_of(v[face.vertices[2]]);
    int axis = cm__triangle_axis(a, b, c), turn = axis < 0 ? 0 : cm__orient2_along(axis, a, b, c);
    check_that(turn != 0, "face %u begins on a line", f);
    for (uint32_t i = 0; i < face.count; ++i) {
        uint32_t k = (i + 1) % face.count, n = (i + 2) % face.count, h = face.first + i;
        if (i > 0) check_that(face.vertices[i] > face.vertices[0], "face %u corner %u", f, i);
        cm__point p = cm__point_of(v[face.vertices[i]]), q = cm__point_of(v[face.vertices[k]]);
        cm__point s = cm__point_of(v[face.vertices[n]]);
        check_that(cm__orient2_along(axis, p, q, s) == turn, "face %u does not turn at %u", f, k);
        check_that(cm__orient3(a, b, c, p) == 0, "face %u corner %u is off the plane", f, i);
        check_that(cm_hull_edge_face(hull, h) == f, "half-edge %u", h);
        uint32_t twin = face.twins[i], across = cm_hull_edge_face(hull, twin);
        cm_hull_get_face(hull, across, &other);
        uint32_t at = twin - other.first;
        check_that(across != f && at < other.count && other.twins[at] == h, "half-edges %u and %u", h, twin);
        check_that(other.vertices[at] == face.vertices[k], "half-edge %u", h);
        check_that(other.vertices[(at + 1) % other.count] == face.vertices[i], "half-edge %u", h);
        cm__point beyond = cm__point_of(v[other.vertices[(at + 2) % other.count]]);
        int side = cm__orient3(a, b, c, beyond);
        check_that(side == (info.dimension == 3 ? -1 : 0), "faces %u and %u meet with side %d", f, across, side);
    }
    for (uint32_t i = 0; i < count && inside; ++i)
        check_that(cm__orient3(a, b, c, cm__point_of(points[i])) <= 0, "point %u is in front of face %u", i, f);
    for (uint32_t i = 0; i < info.vertices && info.vertices <= 64; ++i)
        check_that(plane_value(&face, v[i]) <= 0, "vertex %u is in front of the plane of face %u", i, f);
    if (is_vague(&face, v)) return;
    double ulp = ulp_of((double)cm_max(cm_largest(info.bounds.min), cm_largest(info.bounds.max)));
    for (uint32_t i = 0; i < face.count; ++i) {
        double value = plane_value(&face, v[face.vertices[i]]);
        check_that(value <= 0 && value >= (sizeof(cm_real) == 8 ? -100 : -8) * ulp,
                   "corner %u of %u of face %u is %.3g ulp off its plane", i, face.count, f, value / ulp);
    }
}

/* Walks over all half-edges from face 0 on: every face must be met. */
static void check_connected(const cm_hull *hull) {
    uint32_t faces = cm_hull_face_count(hull), count = 1;
    uint32_t *stack = malloc(faces * sizeof *stack);
    bool *met = calloc(faces, 1);
    assert_non_null(stack);
    assert_non_null(met);
    stack[0] = 0;
    met[0] = true;
    for (uint32_t i = 0; i < count; ++i) {
        cm_hull_face face;
        cm_hull_get_face(hull, stack[i], &face);
        for (uint32_t k = 0; k < face.count; ++k) {
            uint32_t other = cm_hull_edge_face(hull, face.twins[k]);
            if (!met[other]) met[other] = true, stack[count++] = other;
        }
    }
    check_that(count == faces, "%u of %u faces connected", count, faces);
    free(stack);
    free(met);
}

void check_hull(const cm_hull *hull, const cm_vec3 *points, uint32_t count, bool inside) {
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    check_vertices(hull, points, count);
    if (info.dimension < 2) {
        check_that(info.vertices == (uint32_t)info.dimension + 1 && info.faces == 0, "dimension %d", info.dimension);
        check_that(info.edges == (uint32_t)info.dimension, "%u edges", info.edges);
        const cm_vec3 *v = cm_hull_vertices(hull);
        for (uint32_t i = 0; i < count; ++i)
            check_that(
                cm__point_on_segment(cm__point_of(points[i]), cm__point_of(v[0]), cm__point_of(v[info.vertices - 1])),
                "point %u", i);
        return;
    }
    check_that(info.vertices + info.faces == info.edges + 2, "V %u E %u F %u", info.vertices, info.edges, info.faces);
    check_that(info.faces >= (info.dimension == 3 ? 4u : 2u), "%u faces", info.faces);
    check_that(info.patches >= 1 && info.patches <= info.faces, "%u patches", info.patches);
    uint32_t half_edges = 0, last[2] = {0, 0};
    for (uint32_t f = 0; f < info.faces; ++f) {
        cm_hull_face face;
        cm_hull_get_face(hull, f, &face);
        check_that(face.first == half_edges, "face %u starts at %u", f, face.first);
        half_edges += face.count;
        if (f > 0)
            check_that(face.vertices[0] > last[0] || (face.vertices[0] == last[0] && face.vertices[1] > last[1]),
                       "order of face %u", f);
        last[0] = face.vertices[0], last[1] = face.vertices[1];
        check_face(hull, f, points, count, inside);
    }
    check_that(half_edges == 2 * info.edges, "%u half-edges, %u edges", half_edges, info.edges);
    check_connected(hull);
}
