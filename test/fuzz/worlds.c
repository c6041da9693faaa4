/* Broad phases, worlds and dynamics told nasty things: whatever fails leaves them as they were, and what they then say
 * holds no NaN. */
#include "support/nasty.h"

#include <math.h>

static bool count_found(void *context, uint32_t id) {
    (void)id;
    ++*(uint32_t *)context;
    return true;
}
static cm_real count_hit(void *context, uint32_t id, cm_real t) {
    (void)id;
    ++*(uint32_t *)context;
    check_that(t >= 0 && t == t, "t %g", (double)t);
    return CM_REAL_MAX;
}

static cm_aabb nasty_bounds(nasty *n) {
    cm_aabb b;
    cm_vec3 p = nasty_vec3(n), q = nasty_vec3(n);
    b.min = rng_below(&n->r, 10) ? cm_vec3_min(p, q) : p;
    b.max = rng_below(&n->r, 10) ? cm_vec3_max(p, q) : q;
    if (rng_below(&n->r, 20) == 0) b.max.y = (cm_real)HUGE_VAL;
    return b;
}

static void ask_broad(cm_broad *broad, nasty *n) {
    uint32_t found = 0, ids[8], all = cm_broad_count(broad);
    cm_real distances[8];
    cm_aabb box = nasty_bounds(n);
    cm_vec3 p = nasty_vec3(n), d = nasty_vec3(n), normals[3] = {nasty_direction(n), nasty_vec3(n), nasty_vec3(n)};
    cm_real r = nasty_real(n), levels[3] = {nasty_real(n), nasty_real(n), nasty_real(n)};
    assert_in_range(cm_broad_query_box(broad, &box, 0, count_found, &found), 0, all);
    assert_in_range(cm_broad_query_point(broad, p, 0, count_found, &found), 0, all);
    assert_in_range(cm_broad_query_sphere(broad, p, r, 0, count_found, &found), 0, all);
    assert_in_range(cm_broad_query_halfspace(broad, normals[0], levels[0], 0, count_found, &found), 0, all);
    assert_in_range(cm_broad_query_frustum(broad, normals, levels, 3, 0, count_found, &found), 0, all);
    assert_in_range(cm_broad_raycast(broad, p, d, rng_below(&n->r, 2) ? r : CM_REAL_MAX, 0, count_hit, &found), 0, all);
    assert_in_range(cm_broad_sweep(broad, &box, d, rng_below(&n->r, 2) ? r : 1, 0, count_hit, &found), 0, all);
    uint32_t near = cm_broad_nearest(broad, p, rng_below(&n->r, 2) ? r : -1, 0, 8, ids, distances);
    assert_in_range(near, 0, 8);
    for (uint32_t i = 0; i < near; i++) check_that(distances[i] >= 0, "distance %g", (double)distances[i]);
}

static void broad_phases_with_nasty_boxes(void **state) {
    (void)state;
    nasty n = {.r = rng_start("broad", 51)};
    for (int i = 0; i < samples(96, 30000); i++) {
        nasty_turn(&n);
        cm_broad_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.kind = (cm_broad_kind)(i % CM_BROAD_KIND_COUNT);
        desc.changes = rng_below(&n.r, 2);
        if (rng_below(&n.r, 4) == 0) desc.cell = nasty_size(&n);
        cm_broad *broad = NULL, *brute = NULL;
        cm_status status = cm_broad_create(&desc, &broad, NULL);
        if (status != CM_OK) {
            assert_true(status == CM_INVALID && !(desc.cell >= 0));
            continue;
        }
        desc.kind = CM_BROAD_BRUTE;
        desc.cell = 0;
        assert_int_equal(cm_broad_create(&desc, &brute, NULL), CM_OK);
        uint32_t ids[80], twins[80], count = 0;
        for (int k = 0; k < 80; k++) {
            cm_broad_object_desc o = {.box = nasty_bounds(&n), .fixed = rng_below(&n.r, 8) == 0};
            cm_status one = cm_broad_add(broad, &o, &ids[count]), two = cm_broad_add(brute, &o, &twins[count]);
            assert_int_equal(one, two);
            assert_true(one == CM_OK || one == CM_NOT_FINITE || one == CM_INVALID);
            count += one == CM_OK;
        }
        for (int frame = 0; frame < 4; frame++) {
            cm_broad_pair_view a, b;
            assert_int_equal(cm_broad_update(broad), CM_OK);
            assert_int_equal(cm_broad_find_pairs(broad, CM_BROAD_SORTED, &a), CM_OK);
            assert_int_equal(cm_broad_find_pairs(brute, CM_BROAD_SORTED, &b), CM_OK);
            check_that(a.count == b.count && (!a.count || !memcmp(a.pairs, b.pairs, a.count * sizeof *a.pairs)),
                       "sample %d, frame %d, %s: %zu pairs, not %zu", i, frame,
                       cm_broad_kind_text((cm_broad_kind)(i % CM_BROAD_KIND_COUNT)), a.count, b.count);
            ask_broad(broad, &n);
            for (uint32_t k = 0; k < count; k += 2) {
                cm_aabb box = nasty_bounds(&n);
                assert_int_equal(cm_broad_move(broad, ids[k], &box), cm_broad_move(brute, twins[k], &box));
            }
        }
        cm_broad_destroy(broad);
        cm_broad_destroy(brute);
    }
}

static cm_motion nasty_way(nasty *n) {
    cm_motion m;
    memset(&m, 0, sizeof m);
    m.move = nasty_vec3(n);
    if (rng_below(&n->r, 2)) m.spin = rng_below(&n->r, 4) ? rng_vec3(&n->r, 7) : nasty_vec3(n);
    if (rng_below(&n->r, 4) == 0) m.pivot = nasty_vec3(n);
    if (rng_below(&n->r, 4) == 0) m.accelerate = nasty_vec3(n);
    return m;
}

static void ask_world(const cm_world *world, nasty *n) {
    nasty_shape s;
    nasty_shape_random(&s, n);
    cm_pose pose = nasty_pose(n);
    cm_motion m = nasty_way(n);
    m.start = pose;
    cm_ray ray = {nasty_vec3(n), nasty_vec3(n), CM_REAL_MAX};
    uint32_t ids[8];
    cm_world_ray_hit hit, hits[4];
    cm_world_sweep_hit swept[4], first;
    cm_world_near near;
    memset(&hit, NASTY_FILL, sizeof hit), memset(&first, NASTY_FILL, sizeof first),
        memset(&near, NASTY_FILL, sizeof near);
    bool met = cm_world_raycast(world, &ray, NULL, &hit);
    check_that(met ? hit.hit.t >= 0 && nasty_is_finite(hit.hit.point) : nasty_untouched(&hit, sizeof hit), "ray");
    check_that(cm_world_raycast_any(world, &ray, NULL) == met, "any %d", !met);
    check_that((cm_world_raycast_all(world, &ray, NULL, hits, 4) > 0) == met, "all");
    bool ran = cm_world_sweep(world, &s.shape, &m, NULL, &first);
    check_that(ran ? first.hit.first >= 0 && first.hit.first <= 1 : nasty_untouched(&first, sizeof first), "sweep");
    check_that((cm_world_sweep_all(world, &s.shape, &m, NULL, swept, 4) > 0) == ran, "sweeps");
    uint32_t over = cm_world_overlap(world, &s.shape, &pose, NULL, ids, 8);
    cm_world_overlap_point(world, nasty_vec3(n), NULL, ids, 8);
    cm_frustum frustum;
    for (int i = 0; i < 6; i++) frustum.planes[i].normal = nasty_direction(n), frustum.planes[i].d = nasty_real(n);
    uint32_t shown = cm_world_query_frustum(world, &frustum, NULL, ids, 8);
    check_that(shown <= cm_world_count(world) && (!shown || cm_frustum_is_valid(&frustum)), "%u shown", shown);
    cm_real d = cm_world_distance(world, &s.shape, &pose, CM_REAL_MAX, NULL, &near);
    check_that(d == d && (d < CM_REAL_MAX || nasty_untouched(&near, sizeof near)), "distance %g", (double)d);
    if (!n->mixed && !s.lies && cm_pose_is_valid(&pose))
        check_that((over > 0) == (d <= 0), "%u overlap, distance %g", over, (double)d);
    nasty_shape_free(&s);
}

static void check_events(const cm_world *world, int sample) {
    cm_world_event_view view;
    cm_world_get_events(world, &view);
    for (size_t i = 0; i < view.count; i++) {
        const cm_world_event *e = &view.events[i];
        check_that(e->kind < CM_WORLD_EVENT_KINDS && e->a < e->b && e->u >= 0 && e->u <= 1, "sample %d: event %zu",
                   sample, i);
        for (int k = 0; k < e->manifold_count; k++)
            check_that(e->manifolds[k].count >= 1 && e->manifolds[k].count <= 8 &&
                           nasty_is_finite(e->manifolds[k].normal),
                       "sample %d: manifold", sample);
    }
}

static void worlds_with_nasty_objects(void **state) {
    (void)state;
    enum { COUNT = 12 };
    nasty n = {.r = rng_start("worlds", 52)};
    double worst = 0;
    int added = 0, samples_run = samples(60, 15000);
    for (int i = 0; i < samples_run; i++) {
        do nasty_turn(&n);
        while (n.abyss);
        cm_world_desc desc = {.margin = rng_below(&n.r, 4) ? 0 : nasty_size(&n)};
        cm_world *world = NULL;
        cm_status status = cm_world_create(&desc, &world, NULL);
        if (status != CM_OK) {
            assert_true(status == CM_INVALID && !world);
            continue;
        }
        nasty_shape shapes[COUNT];
        uint32_t ids[COUNT], count = 0;
        for (int k = 0; k < COUNT; k++) {
            nasty_shape_random(&shapes[k], &n);
            cm_world_object_desc o = {
                .shape = shapes[k].shape, .pose = nasty_pose(&n), .fixed = rng_below(&n.r, 4) == 0};
            o.sweep = (cm_world_sweep_mode)rng_below(&n.r, 4);
            if (shapes[k].lies) continue; /* its answers prove nothing */
            status = cm_world_add(world, &o, &ids[count], NULL);
            count += status == CM_OK;
            check_that(status == CM_OK || status == CM_INVALID || status == CM_NOT_FINITE, "sample %d: %s", i,
                       cm_status_text(status));
        }
        added += (int)count;
        double start = nasty_clock();
        for (int step = 0; step < 3; step++) {
            for (uint32_t k = 0; k < count; k++) {
                cm_motion m = nasty_way(&n);
                uint64_t before = cm_world_hash(world);
                if (cm_world_set_motion(world, ids[k], &m) != CM_OK) assert_true(cm_world_hash(world) == before);
            }
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            check_events(world, i);
            for (uint32_t k = 0; k < count; k++) {
                cm_world_object_desc o;
                assert_int_equal(cm_world_get(world, ids[k], &o), CM_OK);
                check_that(cm_pose_is_valid(&o.pose), "sample %d: object %u", i, k);
                check_that(cm_world_why(world, ids[k], ids[(k + 1) % count]) < CM_WORLD_WHY_COUNT, "sample %d", i);
            }
        }
        ask_world(world, &n);
        double took = nasty_clock() - start;
        worst = took > worst ? took : worst;
        cm_world_destroy(world);
        for (int k = 0; k < COUNT; k++) nasty_shape_free(&shapes[k]);
    }
    print_message("  %d objects in %d worlds; the longest took %.3g ms\n", added, samples_run, 1e3 * worst);
}

static void bodies_with_nasty_numbers(void **state) {
    (void)state;
    enum { COUNT = 10 };
    nasty n = {.r = rng_start("bodies", 53)};
    int added = 0, stepped = 0;
    for (int i = 0; i < samples(80, 20000); i++) {
        do nasty_turn(&n);
        while (n.abyss);
        cm_world *world = NULL;
        cm_dynamics *dynamics = NULL;
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        cm_dynamics_desc desc = {.gravity = rng_below(&n.r, 2) ? cm_v(0, -9, 0) : nasty_vec3(&n)};
        if (cm_dynamics_create(world, &desc, &dynamics) != CM_OK) {
            assert_null(dynamics);
            cm_world_destroy(world);
            continue;
        }
        uint32_t ids[COUNT], count = 0;
        for (int k = 0; k < COUNT; k++) {
            nasty_shape s;
            nasty_shape_of(&s, (cm_kind)rng_below(&n.r, CM_SHAPE_HULL), &n); /* those that borrow nothing */
            cm_world_object_desc o = {.shape = s.shape, .pose = nasty_pose(&n), .sweep = CM_WORLD_SWEEP_ALWAYS};
            if (cm_world_add(world, &o, &ids[count], NULL) != CM_OK) continue;
            cm_body_desc b;
            memset(&b, 0, sizeof b);
            b.velocity = nasty_vec3(&n), b.spin = nasty_vec3(&n);
            b.mass = rng_below(&n.r, 2) ? 1 : nasty_size(&n);
            b.density = rng_below(&n.r, 2) ? 0 : nasty_size(&n);
            b.restitution = rng_below(&n.r, 2) ? CM_REAL(0.5) : nasty_size(&n);
            b.friction = rng_below(&n.r, 2) ? CM_REAL(0.5) : nasty_size(&n);
            b.damping = rng_below(&n.r, 2) ? 0 : nasty_size(&n);
            b.spin_damping = rng_below(&n.r, 2) ? 0 : nasty_size(&n);
            b.gravity_scale = rng_below(&n.r, 2) ? 0 : nasty_real(&n);
            b.response = rng_below(&n.r, 33);
            cm_status status = cm_dynamics_add(dynamics, ids[count], &b);
            check_that(status == CM_OK || status == CM_INVALID || status == CM_NOT_FINITE, "sample %d: %s", i,
                       cm_status_text(status));
            if (status == CM_OK) added++;
            count++;
        }
        for (int step = 0; step < 5; step++) {
            cm_real dt = rng_below(&n.r, 3) ? CM_REAL(0.02) : nasty_real(&n);
            if (count && rng_below(&n.r, 2)) {
                uint32_t id = ids[rng_below(&n.r, count)];
                cm_dynamics_apply_force_at(dynamics, id, nasty_vec3(&n), nasty_vec3(&n));
                cm_dynamics_apply_torque(dynamics, id, nasty_vec3(&n));
                cm_dynamics_apply_impulse_at(dynamics, id, nasty_vec3(&n), nasty_vec3(&n));
            }
            uint64_t before = cm_dynamics_hash(dynamics);
            cm_status status = cm_dynamics_step(dynamics, dt);
            check_that(status == CM_OK || status == CM_INVALID || status == CM_NOT_FINITE, "sample %d: %s", i,
                       cm_status_text(status));
            if (status != CM_OK)
                check_that(cm_dynamics_hash(dynamics) == before, "sample %d: %s, and changed", i,
                           cm_status_text(status));
            stepped += status == CM_OK;
            for (uint32_t k = 0; k < count; k++) {
                cm_body_state s;
                cm_pose pose;
                if (cm_world_get_pose(world, ids[k], &pose) != CM_OK) continue; /* it vanished */
                check_that(cm_pose_is_valid(&pose), "sample %d: body %u", i, k);
                if (cm_dynamics_get(dynamics, ids[k], &s) != CM_OK) continue;
                const cm_real all[] = {s.velocity.x,
                                       s.velocity.y,
                                       s.velocity.z,
                                       s.spin.x,
                                       s.spin.y,
                                       s.spin.z,
                                       s.momentum.x,
                                       s.momentum.y,
                                       s.momentum.z,
                                       s.angular_momentum.x,
                                       s.angular_momentum.y,
                                       s.angular_momentum.z,
                                       s.energy,
                                       s.mass,
                                       s.center.x};
                for (size_t m = 0; m < sizeof all / sizeof *all; m++)
                    check_that(cm_abs(all[m]) <= CM_REAL_MAX, "sample %d: body %u, number %zu", i, k, m);
            }
        }
        cm_dynamics_destroy(dynamics);
        cm_world_destroy(world);
    }
    print_message("  %d bodies, %d steps\n", added, stepped);
    check_that(share() * added > 200 && share() * stepped > 200, "%d bodies, %d steps", added, stepped);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broad_phases_with_nasty_boxes),
        cmocka_unit_test(worlds_with_nasty_objects),
        cmocka_unit_test(bodies_with_nasty_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
