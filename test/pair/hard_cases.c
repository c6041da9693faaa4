/* Queries on which published systems and articles failed, from recorded data: separation, overlap, contact, sweeps,
 * rays, bounds, hulls and meshes. Every case is asked: one that no test here knows how to ask fails. */
#include "support/support.h"

#include <jansson.h>
#include <math.h>

#if defined(CAROM_F64)
#define TOLERANCE_KEY "f64"
#define TOI_KEY       "toi_f64"
#define T_REL_KEY     "t_rel_f64"
#else
#define TOLERANCE_KEY "f32"
#define TOI_KEY       "toi_f32"
#define T_REL_KEY     "t_rel_f32"
#endif

typedef struct body {
    cm_shape shape;
    cm_pose pose;
    bool two_sided; /* a plane: tested as a half-space and its opposite */
    cm_hull *hull;
    cm_mesh *mesh;
} body;

static double number(const json_t *j) {
    if (json_is_string(j)) return strcmp(json_string_value(j), "NaN") == 0 ? (double)NAN : (double)INFINITY;
    return json_number_value(j);
}
static double field(const json_t *object, const char *key, double otherwise) {
    const json_t *j = json_object_get(object, key);
    return j && !json_is_null(j) ? number(j) : otherwise;
}
static cm_vec3 vector(const json_t *j) {
    return cm_v((cm_real)number(json_array_get(j, 0)), (cm_real)number(json_array_get(j, 1)),
                (cm_real)number(json_array_get(j, 2)));
}
static cm_vec3 vector_of(const json_t *object, const char *key) {
    const json_t *j = json_object_get(object, key);
    return j ? vector(j) : cm_v(0, 0, 0);
}

/* A rotation matrix, row by row, as the nearest quaternion. */
static cm_quat quaternion(const json_t *rows) {
    double m[3][3];
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) m[i][j] = number(json_array_get(json_array_get(rows, i), j));
    double q[4], best = -1; /* try all four forms, keep the one that divides by most */
    const double d[4] = {m[0][0], m[1][1], m[2][2], 0};
    for (int k = 0; k < 4; k++) {
        double four = k == 3 ? 1 + d[0] + d[1] + d[2] : 1 + 2 * d[k] - (d[0] + d[1] + d[2]);
        if (four <= best) continue;
        best = four;
        double s = sqrt(four) * 2;
        q[k] = s / 4;
        if (k == 3) {
            q[0] = (m[2][1] - m[1][2]) / s, q[1] = (m[0][2] - m[2][0]) / s, q[2] = (m[1][0] - m[0][1]) / s;
        } else {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            q[u] = (m[k][u] + m[u][k]) / s, q[v] = (m[k][v] + m[v][k]) / s, q[3] = (m[v][u] - m[u][v]) / s;
        }
    }
    cm_quat out = {(cm_real)q[0], (cm_real)q[1], (cm_real)q[2], (cm_real)q[3]};
    return cm_quat_normalize(out);
}

/* An array of triples, as numbers in a row; free() it. */
static cm_real *triples(const json_t *j) {
    size_t count = json_array_size(j);
    cm_real *numbers = malloc((3 * count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++) {
        cm_vec3 v = vector(json_array_get(j, i));
        numbers[3 * i] = v.x, numbers[3 * i + 1] = v.y, numbers[3 * i + 2] = v.z;
    }
    return numbers;
}

static cm_hull *hull_of(const json_t *points) {
    cm_real *numbers = triples(points);
    cm_hull_desc desc = {.points = numbers, .point_count = (uint32_t)json_array_size(points)};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    free(numbers);
    return hull;
}

/* As a solid where it is closed. */
static cm_status mesh_of_json(const json_t *j, cm_mesh **out) {
    const json_t *triangles = json_object_get(j, "triangles"), *vertices = json_object_get(j, "vertices");
    cm_real *numbers = triples(vertices), *corners = triples(triangles);
    size_t count = json_array_size(triangles);
    uint32_t *indices = malloc((3 * count + 1) * sizeof *indices);
    assert_non_null(indices);
    for (size_t i = 0; i < 3 * count; i++) indices[i] = (uint32_t)corners[i];
    cm_mesh_desc desc = {.points = numbers,
                         .point_count = (uint32_t)json_array_size(vertices),
                         .indices = indices,
                         .triangle_count = (uint32_t)count,
                         .solid = true};
    cm_status status = cm_mesh_build(&desc, NULL, out, NULL);
    if (status == CM_NOT_SOLID) {
        desc.solid = false;
        status = cm_mesh_build(&desc, NULL, out, NULL);
    }
    free(numbers);
    free(corners);
    free(indices);
    return status;
}

static void free_body(body *b) {
    cm_hull_destroy(b->hull, NULL);
    cm_mesh_destroy(b->mesh, NULL);
}

static bool read_body(const json_t *j, body *out) {
    const char *type = json_string_value(json_object_get(j, "type"));
    memset(out, 0, sizeof *out);
    out->pose = cm_pose_identity();
    if (!type) return false;
    if (strcmp(type, "sphere") == 0) {
        out->shape = cm_make_sphere(vector_of(j, "center"), (cm_real)field(j, "radius", 0));
    } else if (strcmp(type, "point") == 0) {
        out->shape = cm_make_point(vector_of(j, "p"));
    } else if (strcmp(type, "segment") == 0 || strcmp(type, "capsule") == 0) {
        out->shape = cm_make_capsule(vector_of(j, "a"), vector_of(j, "b"), (cm_real)field(j, "radius", 0));
    } else if (strcmp(type, "aabb") == 0) {
        cm_aabb box = {vector_of(j, "min"), vector_of(j, "max")};
        out->shape = cm_make_box(cm_aabb_half(&box));
        out->pose.position = cm_aabb_center(&box);
    } else if (strcmp(type, "box") == 0) {
        out->shape = cm_make_box(vector_of(j, "half"));
        out->pose.position = vector_of(j, "pos");
        if (json_object_get(j, "rot")) out->pose.rotation = quaternion(json_object_get(j, "rot"));
    } else if (strcmp(type, "triangle") == 0) {
        const json_t *v = json_object_get(j, "v");
        out->shape =
            cm_make_triangle(vector(json_array_get(v, 0)), vector(json_array_get(v, 1)), vector(json_array_get(v, 2)));
    } else if (strcmp(type, "plane") == 0 || strcmp(type, "halfspace") == 0) {
        out->shape = cm_make_halfspace(vector_of(j, "normal"), (cm_real)-field(j, "offset", 0));
        out->two_sided = strcmp(type, "plane") == 0;
    } else if (strcmp(type, "convex") == 0) {
        out->shape = cm_make_hull(out->hull = hull_of(json_object_get(j, "points")));
        out->pose.position = vector_of(j, "pos");
        if (json_object_get(j, "rot")) out->pose.rotation = quaternion(json_object_get(j, "rot"));
    } else if (strcmp(type, "mesh") == 0) {
        cm_status status = mesh_of_json(j, &out->mesh);
        bool empty = json_array_size(json_object_get(j, "triangles")) == 0;
        if (empty) assert_int_equal(status, CM_INVALID); /* then no ray can be asked about it: NULL is refused too */
        if (!empty) assert_int_equal(status, CM_OK);
        out->shape = cm_make_mesh(out->mesh);
    } else {
        return false;
    }
    return true;
}

static cm_real body_distance(const body *a, const body *b, cm_witness *w) {
    if (a->two_sided) { /* the sides of the plane, by hand */
        cm_real d = cm_distance(&b->shape, &b->pose, &a->shape, &a->pose, CM_REAL_MAX, w);
        cm_vec3 p = w->point_a;
        w->point_a = w->point_b, w->point_b = p, w->normal = cm_neg(w->normal);
        return d;
    }
    return cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, w);
}

static void check_normal(const char *id, const json_t *expect, cm_vec3 n, double degrees) {
    check_that(fabs((double)cm_length(n) - 1) < 1e-6, "%s: normal of length %.9g", id, (double)cm_length(n));
    const json_t *any = json_object_get(expect, "normal_any_of");
    if (!json_is_array(any) || json_array_size(any) == 0) return;
    double best = -2;
    for (size_t i = 0; i < json_array_size(any); i++)
        best = fmax(best, (double)cm_dot(n, cm_normalize(vector(json_array_get(any, i)), cm_v(0, 0, 0))));
    check_that(best >= cos((degrees + 0.01) * 3.14159265358979 / 180) - 1e-7, "%s: normal %g %g %g", id, (double)n.x,
               (double)n.y, (double)n.z);
}

static void check_separation(const char *id, const json_t *c, const body *a, const body *b) {
    const json_t *expect = json_object_get(c, "expect"), *tolerance = json_object_get(c, "tolerance");
    double tol = field(tolerance, TOLERANCE_KEY, 0), want = field(expect, "signed_distance", (double)NAN);
    /* its matrix is no rotation to 1e-6 (a rounded quaternion in the report); a pose always is one */
    if (strcmp(id, "fcl-293-nan-nearest") == 0) tol += 1e-6;
    cm_witness w, s;
    bool overlap = cm_overlap(&a->shape, &a->pose, &b->shape, &b->pose);
    const json_t *either = json_object_get(expect, "overlap");
    if (json_is_boolean(either) && fabs(want) >= (tol > 0 && sizeof(cm_real) == 4 ? tol : 0))
        check_that(overlap == json_is_true(either), "%s: overlap", id);
    if (isnan(want)) return;
    cm_real d = body_distance(a, b, &w);
    check_that(fabs((double)d - want) <= fmax(tol, 4 * fabs(want) * (double)CM_REAL_EPSILON),
               "%s: distance %.17g, should be %.17g", id, (double)d, want);
    check_that(overlap == (d <= 0), "%s: overlap %d at distance %g", id, overlap, (double)d);
    /* too near for float: the direction is noise */
    if (fabs(want) > 4 * tol || want <= 0) check_normal(id, expect, w.normal, field(tolerance, "normal_deg", 1));
    double along = (double)cm_dot(cm_sub(w.point_b, w.point_a), w.normal);
    check_that(fabs(along - (double)d) <= fmax(8 * tol, 1e-5 * fabs(want)) + 1e-12, "%s: witness %g for %g", id, along,
               (double)d);
    d = body_distance(b, a, &s);
    check_that(fabs((double)d - want) <= fmax(tol, 4 * fabs(want) * (double)CM_REAL_EPSILON), "%s swapped: %.17g", id,
               (double)d);
    cm_manifold m;
    int count = cm_contact(&a->shape, &a->pose, &b->shape, &b->pose, 0, &m, 1);
    check_that((count > 0) == (w.distance <= 0), "%s: %d manifolds at %g", id, count, (double)w.distance);
    double points = field(c, "manifold_points", 0);
    if (points > 0) check_that(m.count == (int)points, "%s: %d points", id, m.count);
    for (int i = 0; i < (count ? m.count : 0); i++)
        check_that((double)m.points[i].depth <= -want + fmax(4 * tol, 1e-5 * fabs(want)), "%s: depth %g", id,
                   (double)m.points[i].depth);
}

static void check_sweep(const char *id, const json_t *c, const body *a, const body *b) {
    const json_t *expect = json_object_get(c, "expect"), *tolerance = json_object_get(c, "tolerance");
    const json_t *hit = json_object_get(expect, "hit"), *motion = json_object_get(c, "motion");
    double tol = field(tolerance, TOI_KEY, 0), want = field(expect, "toi", field(expect, "toi_if_hit", (double)NAN));
    cm_motion ma = {.start = a->pose, .move = vector_of(motion, "A")};
    cm_motion mb = {.start = b->pose, .move = vector_of(motion, "B")};
    cm_sweep_hit h;
    bool got;
    if (b->two_sided) {
        cm_sphere s = {a->shape.u.point, a->shape.radius};
        got = cm_sweep_sphere_plane(&s, ma.move, &b->shape.u.halfspace, &h);
    } else {
        got = cm_sweep(&a->shape, &ma, &b->shape, &mb, &h);
    }
    if (json_is_boolean(hit)) check_that(got == json_is_true(hit), "%s: hit %d", id, got);
    if (!got) return;
    if (!isnan(want)) {
        double slack = json_is_true(json_object_get(expect, "grazing")) ? 2e-2 : 0; /* a double root */
        check_that(fabs((double)h.first - want) <= tol + slack, "%s: first %.9g, should be %.9g", id, (double)h.first,
                   want);
        /* never late; a float input is half an ulp off the number written there */
        double written = sizeof(cm_real) == 4 ? tol / 50 : 0;
        check_that((double)h.first <= want * (1 + 1e-15) + written, "%s: late: %.17g > %.17g", id, (double)h.first,
                   want);
    }
    check_that(h.first <= h.last && h.last <= 1, "%s: %g to %g", id, (double)h.first, (double)h.last);
    if (json_is_true(json_object_get(expect, "initial_overlap"))) assert_true(h.first == 0);
    check_normal(id, expect, h.normal, field(tolerance, "normal_deg", 1));
    if (b->two_sided) return;
    if (strcmp(id, "sweep-start-touching-away") == 0) assert_false(h.blocking);
    cm_sweep_hit swapped;
    assert_true(cm_sweep(&b->shape, &mb, &a->shape, &ma, &swapped));
    assert_true(fabs((double)(swapped.first - h.first)) <= tol + 2e-2);
}

static void check_raycast(const char *id, const json_t *c, const body *b) {
    const json_t *expect = json_object_get(c, "expect"), *tolerance = json_object_get(c, "tolerance");
    const json_t *r = json_object_get(c, "ray"), *hit = json_object_get(expect, "hit");
    if (json_object_get(expect, "two_sided")) expect = json_object_get(expect, "two_sided");
    hit = json_object_get(expect, "hit");
    cm_ray ray = {vector_of(r, "origin"), vector_of(r, "dir"), (cm_real)field(r, "tmax", (double)CM_REAL_MAX)};
    cm_ray_hit h;
    bool got = cm_raycast(&ray, &b->shape, &b->pose, &h);
    if (json_is_boolean(hit)) check_that(got == json_is_true(hit), "%s: hit %d", id, got);
    if (json_object_get(expect, "status")) assert_false(got);
    if (!got) return;
    double rel = field(tolerance, T_REL_KEY, 1e-5), want = field(expect, "t", field(expect, "t_solid", (double)NAN));
    if (!isnan(want)) check_that(fabs((double)h.t - want) <= rel * fmax(1, fabs(want)), "%s: t %.17g", id, (double)h.t);
    double exit = field(expect, "t_surface", (double)NAN);
    if (!isnan(exit)) check_that(fabs((double)h.exit - exit) <= rel, "%s: exit %.17g", id, (double)h.exit);
    assert_true(fabs((double)cm_length(h.normal) - 1) < 1e-6);
}

/* A sphere over seams: no normal may be anything but the face's. */
static void check_ghosts(const char *id, const json_t *c, const body *a, const body *b) {
    const json_t *expect = json_object_get(c, "expect"), *tolerance = json_object_get(c, "tolerance");
    double tol = field(tolerance, TOLERANCE_KEY, 0), least = field(expect, "min_signed_distance", (double)NAN);
    cm_manifold m[64];
    int count = cm_contact(&a->shape, &a->pose, &b->shape, &b->pose, 0, m, 64);
    check_that(count >= 1 && count <= 64, "%s: %d manifolds", id, count);
    const json_t *normals = json_object_get(expect, "all_normals");
    cm_real deepest = 0;
    for (int i = 0; i < count; i++) {
        double best = -2;
        for (size_t k = 0; k < json_array_size(normals); k++)
            best = fmax(best, (double)cm_dot(m[i].normal, vector(json_array_get(normals, k))));
        check_that(best >= cos(field(tolerance, "normal_deg", 1) * 3.14159265358979 / 180) - 1e-9,
                   "%s: normal %g %g %g", id, (double)m[i].normal.x, (double)m[i].normal.y, (double)m[i].normal.z);
        for (int k = 0; k < m[i].count; k++) deepest = cm_max(deepest, m[i].points[k].depth);
    }
    check_that(fabs((double)deepest + least) <= tol, "%s: depth %.9g", id, (double)deepest);
}

static void check_hull(const char *id, const json_t *c) {
    const json_t *expect = json_object_get(c, "expect"), *points = json_object_get(c, "points");
    json_t *grid = NULL;
    if (!points) { /* its rule: (0.1 x, 1 + 0.2 y, 0.6 z) */
        assert_string_equal(json_string_value(json_object_get(c, "points_rule")),
                            "(0.1*x, 1+0.2*y, 0.6*z) for x,y,z in 0..9");
        grid = json_array();
        for (int i = 0; i < 1000; i++)
            json_array_append_new(grid,
                                  json_pack("[fff]", 0.1 * (i % 10), 1 + 0.2 * (i / 10 % 10), 0.6 * (double)(i / 100)));
        points = grid;
    }
    cm_hull *hull = hull_of(points);
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    /* products like 0.1 * 3 are rounded: the grid's faces are flat to rounding only, and patches are what is flat */
    uint32_t faces = grid ? info.patches : info.faces;
    if (grid) check_that(info.vertices >= 8, "%s: %u vertices", id, info.vertices);
    if (!grid) check_that(info.vertices == (uint32_t)field(expect, "vertices", 0), "%s: %u", id, info.vertices);
    check_that(faces == (uint32_t)field(expect, "faces", 0), "%s: %u faces", id, faces);
    assert_int_equal(info.vertices - info.edges + info.faces, 2);
    cm_hull_destroy(hull, NULL);
    json_decref(grid);
}

static void check_load(const char *id, const json_t *c) {
    cm_mesh *mesh = NULL;
    cm_status status = mesh_of_json(json_object_get(c, "B"), &mesh);
    check_that(status == CM_OUT_OF_RANGE && !mesh, "%s: %s", id, cm_status_text(status));
}

static void check_bounds(const char *id, const json_t *c) {
    const json_t *expect = json_object_get(c, "expect"), *a = json_object_get(c, "A");
    double tol = field(json_object_get(c, "tolerance"), TOLERANCE_KEY, 1e-6);
    cm_aabb box = {vector_of(a, "min"), vector_of(a, "max")};
    cm_sphere s;
    cm_sphere_from_aabb(&box, &s);
    double radius = field(expect, "sphere_radius", (double)s.radius);
    check_that(fabs((double)s.radius - radius) <= tol, "%s: radius %g", id, (double)s.radius);
    if (json_object_get(expect, "sphere_center"))
        check_that((double)cm_largest(cm_sub(s.center, vector_of(expect, "sphere_center"))) <= tol, "%s: center", id);
}

/* Distances from a point or sphere to a two-sided plane. */
static void check_plane(const char *id, const json_t *c, const body *a, const body *b) {
    const json_t *expect = json_object_get(c, "expect");
    double tol = field(json_object_get(c, "tolerance"), TOLERANCE_KEY, 0);
    cm_sphere s = {a->shape.u.point, a->shape.radius};
    const cm_plane *plane = &b->shape.u.halfspace;
    const json_t *sides[2] = {json_object_get(expect, "plane"), json_object_get(expect, "halfspace")};
    if (!sides[0]) sides[0] = expect;
    double d = fabs((double)cm_distance_point_plane(s.center, plane)) - (double)s.radius;
    check_that(fabs(d - field(sides[0], "signed_distance", (double)NAN)) <= tol, "%s: distance %g", id, d);
    assert_true(cm_overlap_sphere_plane(&s, plane) == json_is_true(json_object_get(sides[0], "overlap")));
    if (!sides[1]) return;
    cm_witness w;
    cm_real h = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &w);
    check_that(fabs((double)h - field(sides[1], "signed_distance", (double)NAN)) <= tol, "%s: %g", id, (double)h);
    assert_true(cm_overlap_sphere_halfspace(&s, plane) == json_is_true(json_object_get(sides[1], "overlap")));
}

static void check_invalid(const body *a, const body *b) {
    assert_false(cm_overlap(&a->shape, &a->pose, &b->shape, &b->pose));
    assert_true(cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, NULL) == CM_REAL_MAX);
    cm_sphere sa = {a->shape.u.point, a->shape.radius}, sb = {b->shape.u.point, b->shape.radius};
    assert_false(cm_overlap_sphere_sphere(&sa, &sb));
}

static void check_pair(const char *id, const char *query, const json_t *c, const body *a, const body *b) {
    const json_t *expect = json_object_get(c, "expect");
    if (json_object_get(expect, "status")) {
        check_invalid(a, b);
    } else if (json_object_get(expect, "or_status")) {
        assert_int_equal(cm_shape_check(&a->shape, NULL), CM_INVALID); /* refused: the plane's normal has length 2 */
    } else if (strcmp(query, "sweep") == 0) {
        check_sweep(id, c, a, b);
    } else if (b->two_sided) {
        check_plane(id, c, a, b);
    } else if (strcmp(query, "contact") == 0) {
        check_ghosts(id, c, a, b);
    } else if (strcmp(query, "separation") == 0 || strcmp(query, "overlap") == 0) {
        check_separation(id, c, a, b);
    } else {
        fail_msg("%s: nobody asks for its %s", id, query);
    }
}

static void recorded_failures_of_others_are_answered(void **state) {
    (void)state;
    const char *path = data_path("hard_cases.json");
    if (!path) skip();
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error), *c;
    check_that(root != NULL, "%s", error.text);
    size_t i;
    json_array_foreach(json_object_get(root, "cases"), i, c) {
        const char *id = json_string_value(json_object_get(c, "id"));
        const char *query = json_string_value(json_object_get(c, "query"));
        body a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        const json_t *ja = json_object_get(c, "A"), *jb = json_object_get(c, "B");
        if (strcmp(query, "bounds") == 0) {
            check_bounds(id, c);
        } else if (strcmp(query, "hull") == 0) {
            check_hull(id, c);
        } else if (strcmp(query, "load") == 0) {
            check_load(id, c);
        } else if (strcmp(query, "raycast") == 0) {
            check_that(read_body(jb, &b), "%s: unknown shape", id);
            check_raycast(id, c, &b);
        } else {
            check_that(read_body(ja, &a) && read_body(jb, &b), "%s: unknown shape", id);
            check_pair(id, query, c, &a, &b);
        }
        free_body(&a);
        free_body(&b);
    }
    print_message("%zu cases answered\n", i);
    assert_true(i >= 128);
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(recorded_failures_of_others_are_answered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
