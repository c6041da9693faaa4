/* Moving meshes: the answer is that of all pairs of features, one by one; the same bytes from any number of workers. */
#include "support/support.h"

#include <math.h>

enum { MOST = 2048 };

typedef struct moving {
    cm_mesh *mesh;
    cm_vec3 start[MOST], end[MOST];
    uint32_t points, triangles;
} moving;

/* A sheet of n x n quads that is not flat, in motion; `move` times the size of a quad. */
static void make_sheet(rng *r, uint32_t n, cm_vec3 at, double move, moving *out) {
    uint32_t indices[6 * 32 * 32], count = 0;
    cm_vec3 points[MOST];
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n; j++) {
            const cm_vec3 p = cm_v((cm_real)i / (cm_real)n, (cm_real)j / (cm_real)n, 0);
            points[i * (n + 1) + j] = cm_add(cm_add(p, at), rng_vec3(r, 0.3 / n));
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t a = i * (n + 1) + j, b = a + n + 1;
            const uint32_t quad[6] = {a, b, b + 1, a, b + 1, a + 1};
            for (int k = 0; k < 6; k++) indices[count++] = quad[k];
        }
    indices[count++] = 0, indices[count++] = n + 2, indices[count++] = 2 * n + 3; /* an edge of three triangles */
    cm_mesh_desc desc = {.points = &points[0].x, .point_count = (n + 1) * (n + 1), .weld = -1};
    desc.indices = indices, desc.triangle_count = count / 3;
    assert_int_equal(cm_mesh_build(&desc, NULL, &out->mesh, NULL), CM_OK);
    out->points = cm_mesh_point_count(out->mesh), out->triangles = cm_mesh_triangle_count(out->mesh);
    for (uint32_t i = 0; i < out->points; i++) {
        out->start[i] = cm_mesh_points(out->mesh)[i];
        out->end[i] = cm_add(out->start[i], rng_vec3(r, move / n));
    }
}

static cm_moving_mesh as_moving(const moving *m) {
    const cm_moving_mesh way = {m->mesh, m->start, m->end};
    return way;
}

static cm_path path_of(const moving *m, uint32_t i) {
    const cm_path p = {m->start[i], m->end[i]};
    return p;
}

/* What a visit or all pairs found. */
typedef struct found {
    cm_path_contact contacts[MOST];
    int count, stop;
} found;

static bool keep(void *user, const cm_path_contact *contact) {
    found *f = user;
    if (f->count < MOST) f->contacts[f->count] = *contact;
    return ++f->count != f->stop;
}

static bool shares(const uint32_t *a, int count_a, const uint32_t *b, int count_b) {
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++)
            if (a[i] == b[j]) return true;
    return false;
}

typedef struct edge_list {
    uint32_t ends[6 * MOST][2];
    int count;
} edge_list;

static void list_edges(const moving *m, edge_list *out) {
    out->count = 0;
    for (uint32_t t = 0; t < m->triangles; t++) {
        uint32_t c[3];
        cm_mesh_corners(m->mesh, t, c);
        for (int k = 0; k < 3; k++) {
            const uint32_t low = c[k] < c[(k + 1) % 3] ? c[k] : c[(k + 1) % 3], high = c[k] + c[(k + 1) % 3] - low;
            bool known = low == high;
            for (int i = 0; i < out->count && !known; i++) known = out->ends[i][0] == low && out->ends[i][1] == high;
            if (known) continue;
            out->ends[out->count][0] = low, out->ends[out->count++][1] = high;
        }
    }
}

/* Each point of `a` and each triangle of `b`. */
static void all_points(const moving *a, const moving *b, bool self, cm_real d, cm_real tolerance, found *out) {
    for (uint32_t i = 0; i < a->points; i++)
        for (uint32_t t = 0; t < b->triangles; t++) {
            uint32_t c[3];
            cm_mesh_corners(b->mesh, t, c);
            if (self && shares(&i, 1, c, 3)) continue;
            const cm_path p = path_of(a, i), q[3] = {path_of(b, c[0]), path_of(b, c[1]), path_of(b, c[2])};
            cm_path_contact contact = {0};
            contact.verdict = cm_sweep_point_triangle(&p, q, d, tolerance, &contact.hit);
            if (contact.verdict != CM_PATH_FREE) keep(out, &contact);
        }
}

static void all_pairs(const moving *a, const moving *b, cm_real d, cm_real tolerance, found *out) {
    static edge_list edges_a, edges_b;
    const bool self = a == b;
    out->count = out->stop = 0;
    all_points(a, b, self, d, tolerance, out);
    if (!self) all_points(b, a, false, d, tolerance, out);
    list_edges(a, &edges_a), list_edges(b, &edges_b);
    for (int i = 0; i < edges_a.count; i++)
        for (int j = self ? i + 1 : 0; j < edges_b.count; j++) {
            const uint32_t *e = edges_a.ends[i], *f = edges_b.ends[j];
            if (self && shares(e, 2, f, 2)) continue;
            const cm_path p[2] = {path_of(a, e[0]), path_of(a, e[1])}, q[2] = {path_of(b, f[0]), path_of(b, f[1])};
            cm_path_contact contact = {0};
            contact.verdict = cm_sweep_edge_edge(p, q, d, tolerance, &contact.hit);
            if (contact.verdict != CM_PATH_FREE) keep(out, &contact);
        }
}

static int by_time(const void *a, const void *b) {
    const cm_path_contact *p = a, *q = b;
    if (p->hit.u != q->hit.u) return p->hit.u < q->hit.u ? -1 : 1;
    return p->hit.distance < q->hit.distance ? -1 : p->hit.distance > q->hit.distance;
}

/* By features, then the numbers of A's and of B's points. */
static bool comes_before(const cm_path_contact *p, const cm_path_contact *q) {
    const uint32_t a[7] = {(uint32_t)p->features, p->a[0], p->a[1], p->a[2], p->b[0], p->b[1], p->b[2]};
    const uint32_t b[7] = {(uint32_t)q->features, q->a[0], q->a[1], q->a[2], q->b[0], q->b[1], q->b[2]};
    for (int k = 0; k < 7; k++)
        if (a[k] != b[k]) return a[k] < b[k];
    return false;
}

static long compared; /* contacts */

static void compare(const char *what, int i, const cm_mesh_sweep_desc *desc, found *expect) {
    static found seen;
    cm_path_contact least;
    cm_mesh_sweep_desc asked = *desc;
    memset(&seen, 0, sizeof seen);
    asked.visit = keep, asked.user = &seen;
    assert_int_equal(cm_mesh_sweep_vertices(&asked, NULL, &least), CM_OK);
    compared += seen.count;
    check_that(seen.count == expect->count && seen.count < MOST, "%s %d: %d visits, %d pairs", what, i, seen.count,
               expect->count);
    qsort(seen.contacts, (size_t)seen.count, sizeof *seen.contacts, by_time);
    qsort(expect->contacts, (size_t)expect->count, sizeof *expect->contacts, by_time);
    for (int k = 0; k < seen.count; k++)
        check_that(seen.contacts[k].hit.u == expect->contacts[k].hit.u &&
                       seen.contacts[k].hit.distance == expect->contacts[k].hit.distance,
                   "%s %d: contact %d at %.17g, by pairs %.17g", what, i, k, (double)seen.contacts[k].hit.u,
                   (double)expect->contacts[k].hit.u);
    const cm_real u = seen.count ? expect->contacts[0].hit.u : 1;
    for (int k = 0; k < seen.count && seen.contacts[k].hit.u == u; k++)
        check_that(!comes_before(&seen.contacts[k], &least), "%s %d: of equal times not the first by its numbers", what,
                   i);
    check_that(least.hit.u == u && (least.verdict == CM_PATH_FREE) == (seen.count == 0), "%s %d: least %.17g of %.17g",
               what, i, (double)least.hit.u, (double)u);
    cm_path_contact alone;
    assert_int_equal(cm_mesh_sweep_vertices(desc, NULL, &alone), CM_OK);
    assert_memory_equal(&alone.hit, &least.hit, sizeof alone.hit);
    assert_int_equal(alone.features, least.features);
    assert_memory_equal(alone.a, least.a, sizeof least.a);
    assert_memory_equal(alone.b, least.b, sizeof least.b);
}

static void itself(void **state) {
    (void)state;
    static moving m;
    static found expect;
    rng r = rng_start("deform mesh itself", 1);
    int hits = 0;
    for (int i = 0; i < samples(40, 1000); i++) {
        make_sheet(&r, 3 + rng_below(&r, 5), cm_v(0, 0, 0), i % 4 == 0 ? 2 : 0.6, &m);
        const cm_real d = i % 3 == 0 ? CM_REAL(0.005) : 0;
        all_pairs(&m, &m, d, CM_REAL(1e-5), &expect);
        const cm_mesh_sweep_desc desc = {.mesh = as_moving(&m), .separation = d, .tolerance = CM_REAL(1e-5)};
        compare("sample", i, &desc, &expect);
        hits += expect.count;
        cm_mesh_destroy(m.mesh, NULL);
    }
    check_that(hits > 0, "no hits");
}

static void another(void **state) {
    (void)state;
    static moving m, n;
    static found expect;
    rng r = rng_start("deform mesh another", 2);
    int hits = 0;
    for (int i = 0; i < samples(40, 1000); i++) {
        make_sheet(&r, 3 + rng_below(&r, 4), cm_v(0, 0, 0), 0.5, &m);
        make_sheet(&r, 3 + rng_below(&r, 4), cm_v(0, 0, CM_REAL(0.4)), 0.5, &n);
        for (uint32_t k = 0; k < n.points; k++) n.end[k].z -= (cm_real)(i % 5) / 5;
        all_pairs(&m, &n, 0, 0, &expect);
        cm_mesh_sweep_desc desc = {.mesh = as_moving(&m), .other = as_moving(&n)};
        compare("sample", i, &desc, &expect);
        hits += expect.count;
        cm_mesh_destroy(m.mesh, NULL), cm_mesh_destroy(n.mesh, NULL);
    }
    check_that(hits > 0, "no hits");
}

/* A square that falls flat onto an equal one: all features meet at one time, and the first by its numbers is told. */
static void ties(void **state) {
    (void)state;
    static moving m, n;
    static found expect;
    const cm_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const uint32_t indices[6] = {2, 3, 0, 0, 1, 2};
    cm_mesh_desc desc = {.points = &points[0].x, .point_count = 4, .indices = indices, .triangle_count = 2, .weld = -1};
    moving *both[2] = {&m, &n};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cm_mesh_build(&desc, NULL, &both[i]->mesh, NULL), CM_OK);
        both[i]->points = 4, both[i]->triangles = 2;
        for (int k = 0; k < 4; k++) {
            both[i]->start[k] = cm_add(points[k], cm_v(0, 0, (cm_real)i));
            both[i]->end[k] = cm_sub(points[k], cm_v(0, 0, (cm_real)i));
        }
    }
    all_pairs(&m, &n, 0, CM_REAL(1e-3), &expect);
    const cm_mesh_sweep_desc sweep = {.mesh = as_moving(&m), .other = as_moving(&n), .tolerance = CM_REAL(1e-3)};
    compare("square", 0, &sweep, &expect);
    cm_path_contact least;
    assert_int_equal(cm_mesh_sweep_vertices(&sweep, NULL, &least), CM_OK);
    check_that(least.features == CM_PATH_POINT_TRIANGLE && least.a[0] == 0, "features %d, point %u",
               (int)least.features, (unsigned)least.a[0]);
    cm_mesh_destroy(m.mesh, NULL), cm_mesh_destroy(n.mesh, NULL);
}

/* Equal bytes from one worker and from three, also with more contacts than there is room for at once; a visit that says
 * no ends it. */
static void workers(void **state) {
    (void)state;
    static moving m, n;
    static found one, more;
    rng r = rng_start("deform mesh workers", 3);
    make_sheet(&r, 24, cm_v(0, 0, 0), 1, &m);
    make_sheet(&r, 24, cm_v(0, 0, CM_REAL(0.02)), 1, &n);
    for (uint32_t k = 0; k < n.points; k++) n.end[k].z -= CM_REAL(0.05);
    cm_pool *pool = NULL;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    memset(&one, 0, sizeof one), memset(&more, 0, sizeof more);
    cm_mesh_sweep_desc desc = {.mesh = as_moving(&m), .other = as_moving(&n), .visit = keep, .user = &one};
    cm_path_contact least_one, least_more;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &least_one), CM_OK);
    desc.tasks = &tasks, desc.user = &more;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &least_more), CM_OK);
    static found expect;
    all_pairs(&m, &n, 0, 0, &expect);
    check_that(one.count == expect.count && one.count > 4000, "%d contacts, %d pairs", one.count, expect.count);
    assert_memory_equal(&one, &more, sizeof one);
    assert_memory_equal(&least_one, &least_more, sizeof least_one);
    desc.visit = NULL;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &least_more), CM_OK);
    check_that(least_one.hit.u == least_more.hit.u, "%.17g and %.17g", (double)least_one.hit.u,
               (double)least_more.hit.u);
    memset(&more, 0, sizeof more);
    desc.visit = keep, more.stop = 7;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &least_more), CM_OK);
    assert_int_equal(more.count, 7);
    cm_pool_destroy(pool);
    cm_mesh_destroy(m.mesh, NULL), cm_mesh_destroy(n.mesh, NULL);
}

/* The distance of a triangle of the mesh at a time from a placed shape. */
static double triangle_distance(const moving *m, const uint32_t c[3], double u, const cm_shape *shape,
                                const cm_pose *pose) {
    const cm_pose home = cm_pose_identity();
    cm_vec3 p[3];
    for (int k = 0; k < 3; k++)
        p[k] = cm_add(m->start[c[k]], cm_scale(cm_sub(m->end[c[k]], m->start[c[k]]), (cm_real)u));
    const cm_shape triangle = cm_make_triangle(p[0], p[1], p[2]);
    return (double)cm_distance(&triangle, &home, shape, pose, CM_REAL_MAX, NULL);
}

/* That of all its triangles from a shape in motion. */
static double distance_at(const moving *m, const cm_shape *shape, const cm_motion *motion, double u) {
    cm_pose pose;
    cm_motion_at(motion, (cm_real)u, &pose);
    double least = 1e30;
    for (uint32_t t = 0; t < m->triangles; t++) {
        uint32_t c[3];
        cm_mesh_corners(m->mesh, t, c);
        least = fmin(least, triangle_distance(m, c, u, shape, &pose));
    }
    return least;
}

static void shapes(void **state) {
    (void)state;
    static moving m, wall;
    rng r = rng_start("deform mesh shapes", 4);
    make_sheet(&r, 4, cm_v(CM_REAL(-0.5), CM_REAL(-0.5), 0), 0.2, &wall);
    const cm_compound_child children[3] = {
        {.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.2)), .pose.position = {CM_REAL(0.4), 0, 0}},
        {.shape = cm_make_box(cm_v(CM_REAL(0.1), CM_REAL(0.2), CM_REAL(0.1))), .pose.position = {0, CM_REAL(-0.3), 0}},
        {.shape = cm_make_mesh(wall.mesh), .pose = {{0, 0, CM_REAL(-0.1)}, {0, CM_REAL(0.6), 0, CM_REAL(0.8)}}}};
    const cm_compound_desc compound_desc = {.children = children, .count = 3};
    cm_compound *compound = NULL;
    assert_int_equal(cm_compound_build(&compound_desc, NULL, &compound, NULL), CM_OK);
    const cm_shape list[] = {cm_make_sphere(cm_v(CM_REAL(0.1), 0, 0), CM_REAL(0.3)),
                             cm_make_rounded_box(cm_v(CM_REAL(0.3), CM_REAL(0.2), CM_REAL(0.1)), CM_REAL(0.02)),
                             cm_make_cylinder(CM_REAL(0.2), CM_REAL(0.3)),
                             cm_make_ellipsoid(cm_v(CM_REAL(0.3), CM_REAL(0.2), CM_REAL(0.1))),
                             cm_make_halfspace(cm_v(0, 0, 1), CM_REAL(0.1)),
                             cm_make_mesh(wall.mesh),
                             cm_make_compound(compound)};
    enum { KINDS = sizeof list / sizeof *list };
    int hits[KINDS] = {0};
    for (int i = 0; i < KINDS * samples(20, 1000); i++) {
        const cm_shape *shape = &list[i % KINDS];
        make_sheet(&r, 3, cm_v(CM_REAL(-0.5), CM_REAL(-0.5), CM_REAL(0.8)), 0.5, &m);
        for (uint32_t k = 0; k < m.points; k++) m.end[k].z -= CM_REAL(0.7);
        cm_motion motion = {.start = {rng_vec3(&r, 0.1), rng_rotation(&r)}, .move = rng_vec3(&r, 0.3)};
        if (i % KINDS == 4) motion.start.rotation = cm_quat_identity();
        const cm_real d = i % 2 ? CM_REAL(0.01) : 0, tolerance = CM_REAL(1e-3);
        const cm_mesh_sweep_desc desc = {
            .mesh = as_moving(&m), .shape = shape, .shape_motion = motion, .separation = d, .tolerance = tolerance};
        cm_path_contact least;
        assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &least), CM_OK);
        const double u = (double)least.hit.u, room = 1e-5;
        check_that(least.verdict == CM_PATH_FREE || least.verdict == CM_PATH_HIT || least.verdict == CM_PATH_START,
                   "sample %d: verdict %d", i, (int)least.verdict);
        const double start = distance_at(&m, shape, &motion, 0);
        check_that((least.verdict == CM_PATH_START) == (start <= (double)d + room), "sample %d: verdict %d from %g", i,
                   (int)least.verdict, start);
        hits[i % KINDS] += least.verdict == CM_PATH_HIT;
        if (least.verdict == CM_PATH_START) continue;
        for (int k = 0; k <= 20; k++) {
            const double at = distance_at(&m, shape, &motion, u * k / 20);
            check_that(at > (double)d - 2e-6, "sample %d: %.9g apart at %g of u = %.9g, d = %g", i, at, k / 20.0, u,
                       (double)d);
        }
        if (least.verdict == CM_PATH_HIT) {
            const double at = distance_at(&m, shape, &motion, u);
            /* another pair may be nearer, which gets as near as this one later */
            const double told = (double)least.hit.distance;
            check_that(at <= told + room && told <= (double)(d + tolerance) + room,
                       "sample %d: %g apart at u = %g, of that pair %g", i, at, u, told);
            const cm_vec3 between = cm_sub(least.hit.point_b, least.hit.point_a);
            check_that(fabs((double)cm_length(between) - told) <= room, "sample %d: points %g apart, not %g", i,
                       (double)cm_length(between), told);
            const cm_shape point = cm_make_point(least.hit.point_b);
            const cm_pose home = cm_pose_identity();
            check_that(fabs(triangle_distance(&m, least.a, u, &point, &home) - told) <= room,
                       "sample %d: the point is not %g from the triangle", i, told);
        }
        cm_mesh_destroy(m.mesh, NULL);
    }
    for (int k = 0; k < KINDS; k++) check_that(hits[k] > 0, "no hit with shape %d", k);
    cm_compound_destroy(compound, NULL);
    cm_mesh_destroy(wall.mesh, NULL);
}

static void refusals(void **state) {
    (void)state;
    static moving m;
    rng r = rng_start("deform mesh refusals", 5);
    make_sheet(&r, 4, cm_v(0, 0, 0), 0.5, &m);
    cm_path_contact out, before;
    memset(&out, 7, sizeof out);
    before = out;
    cm_mesh_sweep_desc desc = {.mesh = as_moving(&m)};
    assert_int_equal(cm_mesh_sweep_vertices(NULL, NULL, &out), CM_INVALID);
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, NULL), CM_INVALID);
    desc.separation = -1;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &out), CM_INVALID);
    desc.separation = 0, desc.tolerance = (cm_real)NAN;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &out), CM_INVALID);
    desc.tolerance = 0;
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    desc.shape = &ball;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &out), CM_INVALID); /* no pose */
    desc.shape_motion.start = cm_pose_identity();
    desc.shape_motion.spin.x = (cm_real)NAN;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &out), CM_NOT_FINITE);
    desc.shape_motion.spin.x = 2 * CM_COORD_MAX;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &out), CM_NOT_FINITE);
    desc.shape = NULL;
    m.end[3].y = (cm_real)INFINITY;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &out), CM_NOT_FINITE);
    m.end[3].y = 0;
    for (size_t fail = 1;; fail++) { /* every allocation in turn */
        counting_allocator c;
        counting_allocator_start(&c, fail);
        cm_path_contact now = before;
        const cm_status status = cm_mesh_sweep_vertices(&desc, &c.mem, &now);
        assert_int_equal(c.live_blocks, 0);
        if (status == CM_OK) break;
        assert_int_equal(status, CM_NO_MEMORY);
        assert_memory_equal(&now, &before, sizeof now);
        check_that(fail < 50, "%zu allocations", fail);
    }
    assert_memory_equal(&out, &before, sizeof out);
    cm_mesh_destroy(m.mesh, NULL);
}

/* Each was compared. */
static int meshes_seen(void **state) {
    (void)state;
    promise_seen(
        "Meshes whose points go straight: found is what all pairs of features find, at the same times (contacts)",
        compared, "0 others");
    return 0;
}

static int by_part(const void *x, const void *y) {
    const cm_path_contact *p = x, *q = y;
    return p->b[0] < q->b[0] ? -1 : p->b[0] > q->b[0];
}

/* One triangle that comes down on more parts of a shape than there is room for at once: all are told, each once. */
static void many_parts_under_one_triangle(void **state) {
    (void)state;
    enum { ROW = 30, PARTS = ROW * ROW };
    cm_compound_child *children = calloc(PARTS, sizeof *children);
    for (int i = 0; i < PARTS; i++) {
        children[i].shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25));
        children[i].pose = cm_pose_at(cm_v((cm_real)(i % ROW), (cm_real)(i / ROW), 0));
    }
    const cm_compound_desc compound_desc = {.children = children, .count = PARTS};
    cm_compound *compound = NULL;
    assert_int_equal(cm_compound_build(&compound_desc, NULL, &compound, NULL), CM_OK);
    const cm_vec3 points[3] = {{-100, -100, 1}, {200, -100, 1}, {-100, 200, 1}};
    const cm_vec3 end[3] = {{-100, -100, 0}, {200, -100, 0}, {-100, 200, 0}};
    const uint32_t indices[3] = {0, 1, 2};
    const cm_mesh_desc mesh_desc = {
        .points = &points[0].x, .point_count = 3, .indices = indices, .triangle_count = 1, .weld = -1};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&mesh_desc, NULL, &mesh, NULL), CM_OK);
    const cm_shape shape = cm_make_compound(compound);
    static found all;
    all.count = 0, all.stop = 0;
    cm_mesh_sweep_desc desc = {.mesh = {mesh, NULL, end}, .shape = &shape, .visit = keep, .user = &all};
    desc.shape_motion.start = cm_pose_identity();
    cm_path_contact least;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &least), CM_OK);
    check_that(all.count == PARTS, "%d contacts of %d", all.count, PARTS);
    qsort(all.contacts, PARTS, sizeof *all.contacts, by_part);
    for (uint32_t i = 0; i < PARTS; i++) check_that(all.contacts[i].b[0] == i, "part %u is not told", i);
    cm_mesh_destroy(mesh, NULL);
    cm_compound_destroy(compound, NULL);
    free(children);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(itself),
        cmocka_unit_test(another),
        cmocka_unit_test(ties),
        cmocka_unit_test(workers),
        cmocka_unit_test(shapes),
        cmocka_unit_test(refusals),
        cmocka_unit_test(many_parts_under_one_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, meshes_seen);
}
