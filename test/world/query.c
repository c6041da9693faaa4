/* Queries against all objects one by one; what they see; and why two objects do not meet. */
#include "scene.h"

enum { QUERY_OBJECTS = 300 };

typedef struct room {
    cm_world *world;
    uint32_t ids[QUERY_OBJECTS];
    cm_world_object_desc objects[QUERY_OBJECTS];
} room;

static void room_make(room *m, cm_broad_kind kind, uint64_t seed) {
    rng r = rng_start(cm_broad_kind_text(kind), seed);
    cm_world_desc desc = {.kind = kind};
    assert_int_equal(cm_world_create(&desc, &m->world, NULL), CM_OK);
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        m->objects[i] = scene_object(&r, 8);
        m->objects[i].layer = 1u << rng_below(&r, 3);
        assert_int_equal(cm_world_add(m->world, &m->objects[i], &m->ids[i], NULL), CM_OK);
    }
    if (seed % 2) assert_int_equal(cm_world_update(m->world, NULL), CM_OK); /* or not: right all the same */
}

static bool room_sees(const room *m, int i, const cm_world_query *q) {
    if (q->mask && !(m->objects[i].layer & q->mask)) return false;
    if (m->objects[i].trigger && !q->triggers) return false;
    return m->ids[i] != q->except;
}

static cm_world_query random_query(rng *r, const room *m) {
    cm_world_query q;
    memset(&q, 0, sizeof q);
    q.mask = rng_below(r, 8);
    q.triggers = rng_below(r, 2);
    q.except = m->ids[rng_below(r, QUERY_OBJECTS)];
    return q;
}

static void check_ray(const room *m, rng *r) {
    cm_world_query q = random_query(r, m);
    cm_ray ray = {rng_vec3(r, 10), rng_direction(r), (cm_real)rng_range(r, 1, 30)};
    uint32_t count = 0;
    double first = 1e30;
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        cm_ray_hit hit;
        if (!room_sees(m, i, &q) || !cm_raycast(&ray, &m->objects[i].shape, &m->objects[i].pose, &hit)) continue;
        count++;
        if ((double)hit.t < first) first = (double)hit.t;
    }
    cm_world_ray_hit hits[QUERY_OBJECTS], one;
    check_that(cm_world_raycast_all(m->world, &ray, &q, hits, QUERY_OBJECTS) == count, "all: %u", count);
    assert_int_equal(cm_world_raycast(m->world, &ray, &q, &one), count > 0);
    assert_int_equal(cm_world_raycast_any(m->world, &ray, &q), count > 0);
    if (!count) return;
    check_that((double)one.hit.t == first && one.id == hits[0].id, "first %g", first);
    for (uint32_t i = 1; i < count; i++) assert_true(hits[i - 1].hit.t <= hits[i].hit.t);
    assert_int_equal(cm_world_raycast_all(m->world, &ray, &q, hits, 1), count);
    assert_int_equal(hits[0].id, one.id);
}

static void check_sweep(const room *m, rng *r) {
    cm_world_query q = random_query(r, m);
    q.blocking = rng_below(r, 2);
    cm_shape shape = scene_shape(r);
    cm_motion motion = scene_motion(r, 8, 2);
    motion.start = rng_pose(r, 8);
    uint32_t count = 0;
    double first = 1e30;
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        cm_motion rest;
        cm_sweep_hit hit;
        memset(&rest, 0, sizeof rest);
        rest.start = m->objects[i].pose;
        if (!room_sees(m, i, &q) || !cm_sweep(&shape, &motion, &m->objects[i].shape, &rest, &hit)) continue;
        if (q.blocking && !hit.blocking) continue;
        count++;
        if ((double)hit.first < first) first = (double)hit.first;
    }
    cm_world_sweep_hit hits[QUERY_OBJECTS], one;
    check_that(cm_world_sweep_all(m->world, &shape, &motion, &q, hits, QUERY_OBJECTS) == count, "all: %u", count);
    assert_int_equal(cm_world_sweep(m->world, &shape, &motion, &q, &one), count > 0);
    if (count) check_that((double)one.hit.first == first && one.id == hits[0].id, "first %g", first);
}

static void check_overlap_and_distance(const room *m, rng *r) {
    cm_world_query q = random_query(r, m);
    cm_shape shape = scene_shape(r);
    cm_pose pose = rng_pose(r, 10);
    cm_real most = (cm_real)rng_range(r, 0, 4);
    uint32_t expected[QUERY_OBJECTS], count = 0;
    cm_real nearest = CM_REAL_MAX;
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        if (!room_sees(m, i, &q)) continue;
        const cm_world_object_desc *o = &m->objects[i];
        if (cm_overlap(&shape, &pose, &o->shape, &o->pose)) expected[count++] = m->ids[i];
        cm_real d = cm_distance(&shape, &pose, &o->shape, &o->pose, most, NULL);
        if (d < nearest) nearest = d;
    }
    uint32_t ids[QUERY_OBJECTS];
    check_that(cm_world_overlap(m->world, &shape, &pose, &q, ids, QUERY_OBJECTS) == count, "%u overlap", count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(ids[i], expected[i]);
    if (count > 1) { /* the lowest ids where there is no room for all */
        assert_int_equal(cm_world_overlap(m->world, &shape, &pose, &q, ids, count - 1), count);
        for (uint32_t i = 0; i + 1 < count; i++) assert_int_equal(ids[i], expected[i]);
    }
    cm_world_near near;
    cm_real d = cm_world_distance(m->world, &shape, &pose, most, &q, &near);
    check_that(d == nearest, "distance %g, expected %g", (double)d, (double)nearest);
    if (d < CM_REAL_MAX) assert_true(near.witness.distance == d);
}

/* A frustum as a camera has it: from `at`, along the pose's -z, 45 degrees to each side, from 1 to 30. */
static void camera_at(const cm_pose *at, cm_frustum *out, cm_vec3 corners[8]) {
    const cm_real h = CM_REAL(0.70710678118654752);
    const cm_vec3 normals[6] = {{-h, 0, h}, {h, 0, h}, {0, -h, h}, {0, h, h}, {0, 0, 1}, {0, 0, -1}};
    const cm_real depth[6] = {0, 0, 0, 0, 1, 30};
    for (int i = 0; i < 6; i++) {
        cm_vec3 on = cm_pose_apply(at, cm_v(0, 0, -depth[i]));
        out->planes[i] = cm_plane_from_point(on, cm_rotate(at->rotation, normals[i]));
    }
    for (int i = 0; i < 8; i++) {
        cm_real z = i & 4 ? 30 : 1;
        corners[i] = cm_pose_apply(at, cm_v(i & 1 ? z : -z, i & 2 ? z : -z, -z));
    }
}

/* Those not outside a plane, one by one; and never without one that the frustum's hull meets. */
static void check_frustum(const room *m, rng *r, int *kept, int *seen) {
    cm_world_query q = random_query(r, m);
    cm_pose camera = rng_pose(r, 10), here = cm_pose_identity();
    cm_frustum f;
    cm_vec3 corners[8];
    camera_at(&camera, &f, corners);
    cm_hull_desc desc = {.points = &corners[0].x, .point_count = 8};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    cm_shape shape = cm_make_hull(hull);
    uint32_t expected[QUERY_OBJECTS], ids[QUERY_OBJECTS], count = 0;
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        const cm_world_object_desc *o = &m->objects[i];
        if (!room_sees(m, i, &q)) continue;
        bool in = true, hit = cm_overlap(&shape, &here, &o->shape, &o->pose);
        for (int k = 0; k < 6; k++) {
            cm_shape inner = cm_make_halfspace(f.planes[k].normal, f.planes[k].d);
            in = in && cm_overlap(&o->shape, &o->pose, &inner, &here);
        }
        double gap = (double)cm_distance(&shape, &here, &o->shape, &o->pose, CM_REAL_MAX, NULL);
        check_that(in || !hit || fabs(gap) < 1e-4, "object %d is seen by %g and not kept", i, gap);
        if (in) expected[count++] = m->ids[i];
        *kept += in, *seen += hit;
    }
    check_that(cm_world_query_frustum(m->world, &f, &q, ids, QUERY_OBJECTS) == count, "%u in the frustum", count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(ids[i], expected[i]);
    if (count > 1) {
        assert_int_equal(cm_world_query_frustum(m->world, &f, &q, ids, count - 1), count);
        assert_int_equal(ids[count - 2], expected[count - 2]);
    }
    cm_hull_destroy(hull, NULL);
}

/* The camera at the origin looks along -z; its right plane is x + z = 0. A ball at (8, 0, -5) is 3 / sqrt 2 = 2.1213
 * outside of it: its box reaches in from a radius of 1.5 on, the ball itself from 2.1213 on. */
static void a_frustum_keeps_what_is_not_outside_a_plane(void **state) {
    (void)state;
    cm_world *world;
    cm_frustum f;
    cm_vec3 corners[8];
    cm_pose eye = cm_pose_identity();
    const cm_real radii[] = {CM_REAL(1.4), CM_REAL(2.1), CM_REAL(2.13)};
    uint32_t ids[4], found[4];
    camera_at(&eye, &f, corners);
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    for (int i = 0; i < 3; i++) {
        cm_world_object_desc ball = {.shape = cm_make_sphere(cm_v(0, 0, 0), radii[i]), .pose.position = {8, 0, -5}};
        assert_int_equal(cm_world_add(world, &ball, &ids[i], NULL), CM_OK);
    }
    cm_world_object_desc behind = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1), .pose.position = {0, 0, 3}};
    assert_int_equal(cm_world_add(world, &behind, &ids[3], NULL), CM_OK);
    assert_int_equal(cm_world_query_frustum(world, &f, NULL, found, 4), 1);
    assert_int_equal(found[0], ids[2]);
    f.planes[0].normal = cm_v(0, 0, 0);
    assert_int_equal(cm_world_query_frustum(world, &f, NULL, found, 4), 0);
    cm_world_destroy(world);
}

static void queries_see_what_all_objects_one_by_one_say(void **state) {
    (void)state;
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        room m;
        room_make(&m, (cm_broad_kind)kind, 40 + (uint64_t)kind);
        rng r = rng_start("queries", 9);
        int kept = 0, seen = 0;
        for (int i = 0; i < samples(150, 5000); i++) {
            check_ray(&m, &r);
            check_sweep(&m, &r);
            check_overlap_and_distance(&m, &r);
            if (i % 8 == 0) check_frustum(&m, &r, &kept, &seen);
        }
        check_that(seen > 50, "%d seen, %d kept", seen, kept);
        cm_world_destroy(m.world);
    }
}

static void a_point_is_in_what_holds_it(void **state) {
    (void)state;
    cm_world *world;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    cm_world_object_desc box = {.shape = cm_make_box(cm_v(1, 1, 1)), .pose.position = {5, 0, 0}};
    uint32_t id, found;
    assert_int_equal(cm_world_add(world, &box, &id, NULL), CM_OK);
    assert_int_equal(cm_world_overlap_point(world, cm_v(6, 1, 1), NULL, &found, 1), 1); /* its corner */
    assert_int_equal(found, id);
    assert_int_equal(cm_world_overlap_point(world, cm_v(CM_REAL(6.01), 0, 0), NULL, &found, 1), 0);
    cm_world_destroy(world);
}

static bool never(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    (void)user, (void)world, (void)a, (void)b;
    return false;
}

static void the_reason_is_the_first_filter_that_says_no(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        cm_world_desc desc = {.meet = with ? never : NULL};
        cm_world *world;
        assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
        cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
        uint32_t a, b;
        assert_int_equal(cm_world_add(world, &d, &a, NULL), CM_OK);
        d.pose.position = cm_v(1, 0, 0);
        assert_int_equal(cm_world_add(world, &d, &b, NULL), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), with ? CM_WORLD_WHY_CALLBACK : CM_WORLD_WHY_MEET);
        assert_int_equal(cm_world_why(world, a, a), CM_WORLD_WHY_SAME);
        assert_int_equal(cm_world_why(world, a, 99), CM_WORLD_WHY_STALE);
        assert_int_equal(cm_world_set_filter(world, a, 1, 2, 0), CM_OK);
        assert_int_equal(cm_world_why(world, b, a), CM_WORLD_WHY_LAYER);
        assert_int_equal(cm_world_set_filter(world, a, 1, 2, 4), CM_OK);
        assert_int_equal(cm_world_set_filter(world, b, 1, 0, 4), CM_OK); /* the same positive group: always */
        assert_int_equal(cm_world_why(world, a, b), with ? CM_WORLD_WHY_CALLBACK : CM_WORLD_WHY_MEET);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        assert_int_equal(scene_event(world, CM_WORLD_BEGAN, a, b) != NULL, !with);
        assert_int_equal(cm_world_set_filter(world, a, 1, 1, -3), CM_OK);
        assert_int_equal(cm_world_set_filter(world, b, 1, 1, -3), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), CM_WORLD_WHY_GROUP);
        assert_int_equal(cm_world_set_trigger(world, a, true), CM_OK);
        assert_int_equal(cm_world_set_trigger(world, b, true), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), CM_WORLD_WHY_TRIGGERS);
        assert_int_equal(cm_world_set_fixed(world, a, true), CM_OK);
        assert_int_equal(cm_world_set_fixed(world, b, true), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), CM_WORLD_WHY_FIXED);
        cm_pose pose = {{CM_REAL(1.5), CM_REAL(1.5), 0}, {0, 0, 0, 1}};
        assert_int_equal(cm_world_set_fixed(world, b, false), CM_OK);
        assert_int_equal(cm_world_set_trigger(world, b, false), CM_OK);
        assert_int_equal(cm_world_set_trigger(world, a, false), CM_OK);
        assert_int_equal(cm_world_set_filter(world, b, 1, 1, 0), CM_OK);
        assert_int_equal(cm_world_set_pose(world, b, &pose), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), with ? CM_WORLD_WHY_CALLBACK : CM_WORLD_WHY_SHAPES);
        pose.position.x = 9;
        assert_int_equal(cm_world_set_pose(world, b, &pose), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), with ? CM_WORLD_WHY_CALLBACK : CM_WORLD_WHY_BOXES);
        assert_string_equal(cm_world_why_text(CM_WORLD_WHY_BOXES), "their boxes are apart");
        assert_string_equal(cm_world_why_text((cm_world_reason)99), "unknown");
        cm_world_destroy(world);
    }
}

/* A ray through a ball; then no world, no ray, or none that is valid. */
static void a_ray_that_is_none_hits_nothing(void **state) {
    (void)state;
    cm_world *world;
    uint32_t id;
    cm_world_ray_hit hit;
    cm_world_object_desc ball = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    cm_ray ray = {.origin = {-5, 0, 0}, .direction = {1, 0, 0}, .max = CM_REAL_MAX}, none = ray;
    none.direction = cm_v(0, 0, 0);
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &ball, &id, NULL), CM_OK);
    assert_true(cm_world_raycast(world, &ray, NULL, &hit));
    assert_true(cm_world_raycast_any(world, &ray, NULL));
    assert_int_equal(cm_world_raycast_all(world, &ray, NULL, &hit, 1), 1);
    const struct {
        const cm_world *world;
        const cm_ray *ray;
    } bad[] = {{NULL, &ray}, {world, NULL}, {world, &none}, {NULL, NULL}};
    for (int i = 0; i < 4; i++) {
        assert_false(cm_world_raycast(bad[i].world, bad[i].ray, NULL, &hit));
        assert_false(cm_world_raycast_any(bad[i].world, bad[i].ray, NULL));
        assert_int_equal(cm_world_raycast_all(bad[i].world, bad[i].ray, NULL, &hit, 1), 0);
    }
    cm_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_see_what_all_objects_one_by_one_say),
        cmocka_unit_test(a_point_is_in_what_holds_it),
        cmocka_unit_test(a_frustum_keeps_what_is_not_outside_a_plane),
        cmocka_unit_test(the_reason_is_the_first_filter_that_says_no),
        cmocka_unit_test(a_ray_that_is_none_hits_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
