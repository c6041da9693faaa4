/* Where worlds begin to do something, exactly: what goes a quarter of its thickness is not swept, an ulp more is; the
 * last place that is valid, the last object, pair and byte that have room; what a motion may carry beyond the range. */
#include "scene.h"

#include <math.h>

static cm_real beyond(cm_real x) {
#if defined(CAROM_F64)
    return nextafter(x, CM_REAL_MAX);
#else
    return nextafterf(x, CM_REAL_MAX);
#endif
}

static cm_world *world_of(const cm_world_desc *desc) {
    cm_world *world;
    assert_int_equal(cm_world_create(desc, &world, NULL), CM_OK);
    return world;
}

static uint32_t put(cm_world *world, cm_shape shape, cm_vec3 at) {
    const cm_world_object_desc d = {.shape = shape, .pose.position = at};
    uint32_t id;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    return id;
}

static cm_world_stats stats_after(cm_world *world) {
    cm_world_stats stats;
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    cm_world_get_stats(world, &stats);
    return stats;
}

/* --- what is swept ----------------------------------------------------------------------------------------------- */

/* All of thickness 4, so that 1 is a quarter. */
static void what_goes_a_quarter_of_its_thickness_is_not_swept(void **state) {
    (void)state;
    const cm_shape four[] = {cm_make_box(cm_v(2, 2, 2)), cm_make_sphere(cm_v(0, 0, 0), 2),
                             cm_make_capsule(cm_v(0, 0, -1), cm_v(0, 0, 1), 2)};
    const cm_real more = beyond(1);
    const struct {
        const char *what;
        cm_motion m;
        bool swept;
    } rows[] = {
        {"a quarter", {.move = {1, 0, 0}}, false},
        {"an ulp more", {.move = {0, more, 0}}, true},
        {"falling as far at the end", {.move = {1, 0, 0}, .accelerate = {-2, 0, 0}}, false}, /* 1 at both ends */
        {"falling faster", {.move = {1, 0, 0}, .accelerate = {0, 0, 1}}, true},
        {"about itself, not at all", {.move = {1, 0, 0}, .pivot = {8, 0, 0}}, false},
    };
    for (size_t i = 0; i < sizeof four / sizeof *four; ++i)
        for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
            cm_world *world = world_of(NULL);
            const uint32_t id = put(world, four[i], cm_v(0, 0, 0));
            assert_int_equal(cm_world_set_motion(world, id, &rows[k].m), CM_OK);
            const cm_world_stats stats = stats_after(world);
            check_that(stats.moved == 1 && stats.swept == rows[k].swept, "shape %zu, %s: %u swept", i, rows[k].what,
                       stats.swept);
            cm_world_destroy(world);
        }
}

/* A ball's spin about its middle moves none of its points; about another pivot, or that of a box, it does: a box whose
 * corner is 4 from the pivot goes that far for each radian. */
static void a_spin_counts_where_it_moves_something(void **state) {
    (void)state;
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 2), aside = cm_make_sphere(cm_v(1, 0, 0), 2);
    const cm_shape box = cm_make_box(cm_v(2, 2, 2));
    const struct {
        cm_shape shape;
        cm_vec3 spin, pivot;
        bool swept;
    } rows[] = {{ball, {0, 0, 8}, {0, 0, 0}, false},
                {ball, {0, 0, 8}, {1, 0, 0}, true},
                {aside, {0, 0, 8}, {0, 0, 0}, true},
                {box, {0, 0, CM_REAL(0.25)}, {0, 0, 0}, false},
                {box, {0, 0, CM_REAL(0.5)}, {0, 0, 0}, true},
                {cm_make_halfspace(cm_v(0, 0, 1), 0), {0, 1, 0}, {0, 0, 0}, false}}; /* it has no end to be thin at */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        cm_world *world = world_of(NULL);
        const cm_motion m = {.spin = rows[i].spin, .pivot = rows[i].pivot};
        assert_int_equal(cm_world_set_motion(world, put(world, rows[i].shape, cm_v(0, 0, 0)), &m), CM_OK);
        const cm_world_stats stats = stats_after(world);
        check_that(stats.swept == rows[i].swept, "%zu: %u swept", i, stats.swept);
        cm_world_destroy(world);
    }
}

/* Both beside each other, A fast: against B, that goes nearly as fast, it is swept only where the one sees the other go
 * more than a quarter. */
static void a_pair_is_swept_by_how_fast_one_sees_the_other(void **state) {
    (void)state;
    const cm_real slow = 1, slower = 2 - beyond(1);
    for (int i = 0; i < 2; ++i) {
        cm_world *world = world_of(NULL);
        const cm_shape box = cm_make_box(cm_v(2, 2, 2));
        const uint32_t a = put(world, box, cm_v(0, 0, 0)), b = put(world, box, cm_v(0, 4, 0));
        const cm_motion fast = {.move = {2, 0, 0}}, along = {.move = {i ? slower : slow, 0, 0}};
        assert_int_equal(cm_world_set_motion(world, a, &fast), CM_OK);
        assert_int_equal(cm_world_set_motion(world, b, &along), CM_OK);
        const cm_world_stats stats = stats_after(world);
        check_that(stats.swept == 1 && stats.sweeps == (size_t)i, "%d: %u swept, %zu sweeps", i, stats.swept,
                   stats.sweeps);
        cm_world_destroy(world);
    }
}

/* A floor that sinks has no more than its own side of the world in its box: what stands far above is no pair of it. */
static void a_floor_that_sinks_is_below_all_else(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    const uint32_t floor = put(world, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0));
    put(world, cm_make_sphere(cm_v(0, 0, 0), 1), cm_v(0, 0, 9));
    const cm_motion sinks = {.move = {0, 0, -4}}, tilts = {.spin = {0, CM_REAL(0.5), 0}};
    assert_int_equal(cm_world_set_motion(world, floor, &sinks), CM_OK);
    assert_int_equal(stats_after(world).pairs, 0);
    assert_int_equal(cm_world_set_motion(world, floor, &tilts), CM_OK);
    assert_int_equal(stats_after(world).pairs, 1);
    cm_world_destroy(world);
}

/* A pivot is where a spin turns about: without one it lengthens no way, and so adds nothing to the default margin,
 * which is some 1e-5 of the sizes here. */
static void a_pivot_without_a_spin_adds_no_margin(void **state) {
    (void)state;
    for (int spins = 0; spins < 2; ++spins) {
        cm_world *world = world_of(NULL);
        const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
        put(world, ball, cm_v(0, 0, 0));
        const uint32_t id = put(world, ball, cm_v(4, 0, 0));
        const cm_real near = 1 / (1024 * CM_REAL_EPSILON); /* 32 CM_REAL_EPSILON of twice as much are 1/16 */
        const cm_motion m = {.move = {CM_REAL(-1.99), 0, 0}, .pivot = {0, 0, near}};
        const cm_motion about = {.spin = {0, 0, CM_REAL(1e-20)}, .pivot = {0, 0, near}};
        assert_int_equal(cm_world_set_motion(world, id, &m), CM_OK);
        assert_int_equal(stats_after(world).contacts, 0); /* 0.01 apart */
        if (spins) assert_int_equal(cm_world_set_motion(world, id, &about), CM_OK);
        assert_int_equal(stats_after(world).contacts, spins);
        cm_world_destroy(world);
    }
}

/* --- the valid range --------------------------------------------------------------------------------------------- */

/* A point may stand where coordinates end; a box that is wholly beyond them along any one axis may not. */
static void what_is_beyond_the_range_along_one_axis_is_refused(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = -1; side <= 1; side += 2) {
            cm_world *world = world_of(NULL);
            cm_vec3 end = {0, 0, 0}, out = {0, 0, 0};
            ((cm_real *)&end)[axis] = (cm_real)side * CM_COORD_MAX,
                      ((cm_real *)&out)[axis] = (cm_real)side * CM_COORD_MAX / 2;
            const uint32_t id = put(world, cm_make_point(cm_v(0, 0, 0)), end);
            cm_world_object_desc d = {.shape = cm_make_sphere(out, 1), .pose.position = end};
            uint32_t other;
            cm_error error = {CM_OK, NULL, 0};
            const cm_status status = cm_world_add(world, &d, &other, &error);
            check_that(status == CM_NOT_FINITE, "axis %d, side %d: %s", axis, side, cm_status_text(status));
            assert_string_equal(error.field, "pose");
            assert_int_equal(cm_world_set_shape(world, id, &d.shape, &error), CM_NOT_FINITE);
            /* nor may it go there */
            d.pose.position = cm_v(0, 0, 0);
            assert_int_equal(cm_world_add(world, &d, &other, NULL), CM_OK);
            const cm_pose pose = cm_pose_at(end);
            assert_int_equal(cm_world_set_pose(world, other, &pose), CM_NOT_FINITE);
            const cm_motion go = {.move = end}, part = {.move = out};
            assert_int_equal(cm_world_set_motion(world, other, &go), CM_NOT_FINITE);
            assert_int_equal(cm_world_set_motion(world, other, &part), CM_OK);
            cm_world_destroy(world);
        }
}

static void each_wrong_part_of_a_pose_is_refused(void **state) {
    (void)state;
    const cm_real nan = (cm_real)NAN;
    cm_world *world = world_of(NULL);
    cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    uint32_t id, other;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK); /* a rotation of zeros is none */
    for (int k = 0; k < 4; ++k) {
        cm_real *q = &d.pose.rotation.x;
        d.pose.rotation = (cm_quat){0, 0, 0, 0};
        q[k] = nan;
        assert_int_equal(cm_world_add(world, &d, &other, NULL), CM_NOT_FINITE);
        assert_int_equal(cm_world_set_pose(world, id, &d.pose), CM_NOT_FINITE);
        q[k] = 2;
        assert_int_equal(cm_world_add(world, &d, &other, NULL), CM_INVALID);
        assert_int_equal(cm_world_set_pose(world, id, &d.pose), CM_INVALID);
        q[k] = -1;
        assert_int_equal(cm_world_add(world, &d, &other, NULL), CM_OK);
    }
    for (int k = 0; k < 12; ++k) { /* of a motion that is none but for that */
        cm_motion m = {.move = {0, 0, 0}};
        cm_vec3 *part = k < 3 ? &m.move : k < 6 ? &m.spin : k < 9 ? &m.accelerate : &m.pivot;
        ((cm_real *)part)[k % 3] = nan;
        const cm_status status = cm_world_set_motion(world, id, &m);
        check_that(status == (k < 9 ? CM_NOT_FINITE : CM_OK), "part %d: %s", k, cm_status_text(status));
        m.move.x = 1;
        if (k % 3) assert_int_equal(cm_world_set_motion(world, id, &m), CM_NOT_FINITE);
    }
    cm_world_destroy(world);
}

/* --- arguments --------------------------------------------------------------------------------------------------- */

static void each_wrong_argument_of_a_world_is_refused(void **state) {
    (void)state;
    const cm_world_desc bad[] = {{.kind = CM_BROAD_KIND_COUNT}, {.limit = 0x1000000},
                                 {.capacity = 0x1000000},       {.margin = -1},
                                 {.margin = (cm_real)NAN},      {.margin = beyond(CM_COORD_MAX)}};
    const cm_world_desc last[] = {{.kind = (cm_broad_kind)(CM_BROAD_KIND_COUNT - 1)},
                                  {.limit = 0xffffff},
                                  {.capacity = 1},
                                  {.margin = CM_COORD_MAX}};
    const char *const fields[] = {"kind", "limit", "capacity", "margin", "margin", "margin"};
    for (int i = 0; i < 6; ++i) {
        cm_world *world = NULL;
        cm_error error = {CM_OK, NULL, 0};
        assert_int_equal(cm_world_create(&bad[i], &world, &error), CM_INVALID);
        assert_string_equal(error.field, fields[i]);
        if (i < 4) cm_world_destroy(world_of(&last[i]));
    }
    assert_int_equal(cm_world_create(NULL, NULL, NULL), CM_INVALID);
    cm_world *world = world_of(NULL);
    const cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    cm_world_object_desc wrong = d;
    uint32_t id, stale;
    wrong.sweep = (cm_world_sweep_mode)(CM_WORLD_SWEEP_NEVER + 1);
    assert_int_equal(cm_world_add(NULL, &d, &id, NULL), CM_INVALID);
    assert_int_equal(cm_world_add(world, NULL, &id, NULL), CM_INVALID);
    assert_int_equal(cm_world_add(world, &d, NULL, NULL), CM_INVALID);
    assert_int_equal(cm_world_add(world, &wrong, &id, NULL), CM_INVALID);
    assert_int_equal(cm_world_add(world, &d, &stale, NULL), CM_OK);
    assert_int_equal(cm_world_remove(world, stale), CM_OK);
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    const cm_pose pose = cm_pose_identity();
    const cm_motion m = {.move = {1, 0, 0}};
    cm_world *const worlds[] = {NULL, world};
    for (int i = 0; i < 2; ++i) { /* no world; an id that is stale */
        cm_world *w = worlds[i];
        const uint32_t no = i ? stale : id;
        cm_pose at;
        cm_motion way;
        cm_aabb box;
        cm_world_object_desc got;
        assert_int_equal(cm_world_remove(w, no), CM_STALE_ID);
        assert_int_equal(cm_world_set_pose(w, no, &pose), CM_STALE_ID);
        assert_int_equal(cm_world_set_motion(w, no, &m), CM_STALE_ID);
        assert_int_equal(cm_world_set_shape(w, no, &d.shape, NULL), CM_STALE_ID);
        assert_int_equal(cm_world_set_filter(w, no, 1, 1, 0), CM_STALE_ID);
        assert_int_equal(cm_world_set_trigger(w, no, true), CM_STALE_ID);
        assert_int_equal(cm_world_set_fixed(w, no, true), CM_STALE_ID);
        assert_int_equal(cm_world_set_sweep(w, no, CM_WORLD_SWEEP_NEVER), CM_STALE_ID);
        assert_int_equal(cm_world_set_user(w, no, 1), CM_STALE_ID);
        assert_int_equal(cm_world_get(w, no, &got), CM_STALE_ID);
        assert_int_equal(cm_world_get_pose(w, no, &at), CM_STALE_ID);
        assert_int_equal(cm_world_get_motion(w, no, &way), CM_STALE_ID);
        assert_int_equal(cm_world_get_box(w, no, &box), CM_STALE_ID);
        assert_int_equal(cm_world_why(w, id, no), CM_WORLD_WHY_STALE);
        assert_int_equal(cm_world_why(w, no, id), CM_WORLD_WHY_STALE);
    }
    assert_int_equal(cm_world_set_pose(world, id, NULL), CM_INVALID);
    assert_int_equal(cm_world_set_sweep(world, id, (cm_world_sweep_mode)(CM_WORLD_SWEEP_NEVER + 1)), CM_INVALID);
    assert_int_equal(cm_world_set_sweep(world, id, CM_WORLD_SWEEP_NEVER), CM_OK);
    assert_int_equal(cm_world_set_motion(world, id, NULL), CM_OK);
    assert_int_equal(cm_world_set_fixed(world, id, true), CM_OK);
    assert_int_equal(cm_world_set_motion(world, id, &m), CM_INVALID);
    assert_int_equal(cm_world_update(NULL, NULL), CM_INVALID);
    assert_int_equal(cm_world_get_ids(world, NULL, 1), 0);
    assert_int_equal(cm_world_get_ids(world, NULL, 0), 1);
    assert_int_equal(cm_world_get_ids(NULL, &id, 1), 0);
    assert_int_equal(cm_world_count(NULL), 0);
    assert_null(cm_world_get_broad(NULL));
    assert_int_equal(cm_world_save(NULL, NULL, NULL, 0), 0);
    assert_int_equal(cm_world_restore(world, NULL, NULL, 0), CM_BAD_DATA);
    assert_int_equal(cm_world_restore(NULL, NULL, &pose, sizeof pose), CM_INVALID);
    cm_world_destroy(world);
}

/* --- limits ------------------------------------------------------------------------------------------------------ */

static void as_many_objects_and_pairs_as_stated_have_room(void **state) {
    (void)state;
    const cm_world_desc desc = {.limit = 3, .pair_limit = 3};
    cm_world *world = world_of(&desc);
    const cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    uint32_t ids[3], id;
    for (int i = 0; i < 3; ++i) assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_LIMIT);
    assert_int_equal(cm_world_update(world, NULL), CM_OK); /* 3 at one point are 3 pairs */
    assert_int_equal(cm_world_remove(world, ids[1]), CM_OK);
    assert_int_equal(cm_world_add(world, &d, &ids[1], NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_LIMIT);
    cm_world_destroy(world);
    const cm_world_desc fewer = {.pair_limit = 2};
    world = world_of(&fewer);
    for (int i = 0; i < 3; ++i) assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
    for (int i = 0; i < 2; ++i) assert_int_equal(cm_world_update(world, NULL), CM_LIMIT); /* as often as asked */
    /* those that layers and masks keep apart are not of them */
    for (int i = 0; i < 3; ++i) assert_int_equal(cm_world_set_filter(world, ids[i], 1, 2, 0), CM_OK);
    assert_int_equal(stats_after(world).pairs, 0);
    for (int i = 0; i < 2; ++i) assert_int_equal(cm_world_set_filter(world, ids[i], 1, 1, 0), CM_OK);
    assert_int_equal(stats_after(world).pairs, 1);
    cm_world_destroy(world);
}

/* Of ids, ascending, as many as there is room for; of each generation all its slots. */
static void ids_come_in_order_up_to_the_capacity(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    uint32_t made[5], ids[6];
    for (int i = 0; i < 5; ++i) made[i] = put(world, ball, cm_v((cm_real)(4 * i), 0, 0));
    assert_int_equal(cm_world_remove(world, made[0]), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    made[0] = put(world, ball, cm_v(0, 0, 0)); /* the same slot, a later generation */
    for (uint32_t room = 1; room <= 6; ++room) {
        memset(ids, 0, sizeof ids);
        assert_int_equal(cm_world_get_ids(world, ids, room), 5);
        for (uint32_t i = 0; i < 6; ++i) {
            const uint32_t right = i < room && i < 5 ? made[(i + 1) % 5] : 0;
            check_that(ids[i] == right, "room for %u: id %u is %u, not %u", room, i, ids[i], right);
        }
    }
    cm_world_destroy(world);
}

/* A fresh world has no room yet: what it takes over ends, though the boxes still overlap, and is told. */
static void a_restored_world_tells_what_ends(void **state) {
    (void)state;
    cm_world *world = world_of(NULL), *other = world_of(NULL);
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    const uint32_t a = put(world, ball, cm_v(0, 0, 0)), b = put(world, ball, cm_v(1, 1, 0));
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    unsigned char bytes[4096];
    const size_t size = cm_world_save(world, NULL, bytes, sizeof bytes);
    assert_true(size > 0 && size <= sizeof bytes);
    assert_int_equal(cm_world_restore(other, NULL, bytes, size), CM_OK);
    const cm_pose apart = cm_pose_at(cm_v(CM_REAL(1.5), CM_REAL(1.5), 0)); /* 2.12 from the other's middle */
    assert_int_equal(cm_world_set_pose(other, b, &apart), CM_OK);
    const cm_world_stats stats = stats_after(other);
    check_that(stats.pairs == 1 && stats.contacts == 0, "%zu pairs, %zu contacts", stats.pairs, stats.contacts);
    assert_int_equal(scene_event_count(other), 1);
    assert_non_null(scene_event(other, CM_WORLD_ENDED, a, b));
    cm_world_destroy(world), cm_world_destroy(other);
}

/* --- what is done once, or not at all ---------------------------------------------------------------------------- */

static void what_stands_is_not_tested_again(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    const uint32_t a = put(world, ball, cm_v(0, 0, 0));
    put(world, ball, cm_v(1, 1, 0)), put(world, ball, cm_v(0, 1, 1));
    const size_t right[] = {3, 0, 2};
    for (int i = 0; i < 3; ++i) {
        const cm_pose pose = cm_pose_identity();
        if (i == 2) assert_int_equal(cm_world_set_pose(world, a, &pose), CM_OK);
        const cm_world_stats stats = stats_after(world);
        check_that(stats.pairs == 3 && stats.tested == right[i] && stats.contacts == 3, "update %d: %zu tested", i,
                   stats.tested);
    }
    cm_world_destroy(world);
}

static int asked[3][3];
static bool count_asked(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    const uint32_t *ids = user;
    (void)world;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) asked[i][k] += ids[i] == a && ids[k] == b;
    return true;
}
static cm_world_answer go_back(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                               cm_motion *rest_b) {
    (void)user, (void)world, (void)hit;
    rest_a->move = cm_neg(rest_a->move), rest_b->move = cm_neg(rest_b->move);
    return CM_WORLD_GO;
}

/* Also where a hit was answered, after which pairs are looked for once more. */
static void a_pair_is_asked_about_once_a_step(void **state) {
    (void)state;
    uint32_t ids[3];
    const cm_world_desc desc = {.meet = count_asked, .user = ids};
    cm_world *world = world_of(&desc);
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    for (int i = 0; i < 3; ++i) ids[i] = put(world, ball, cm_v(i == 2 ? CM_REAL(5.5) : (cm_real)(4 * i), 0, 0));
    for (int step = 1; step <= 2; ++step) {
        const cm_motion m = {.move = {4, 0, 0}};
        const cm_world_step how = {.hit = go_back};
        assert_int_equal(cm_world_set_motion(world, ids[0], &m), CM_OK);
        assert_int_equal(cm_world_update(world, &how), CM_OK);
        check_that(asked[0][1] == step && asked[0][2] <= step && asked[1][2] == step, "%d, %d and %d times in %d steps",
                   asked[0][1], asked[0][2], asked[1][2], step);
    }
    cm_world_destroy(world);
}

static void a_new_shape_keeps_the_motion(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    const cm_shape small = cm_make_sphere(cm_v(0, 0, 0), 1), large = cm_make_sphere(cm_v(0, 0, 0), 2);
    const uint32_t id = put(world, small, cm_v(0, 0, 0));
    const cm_motion m = {.move = {1, 2, 3}};
    cm_motion got;
    assert_int_equal(cm_world_set_motion(world, id, &m), CM_OK);
    assert_int_equal(cm_world_set_shape(world, id, &large, NULL), CM_OK);
    assert_int_equal(cm_world_get_motion(world, id, &got), CM_OK);
    assert_true(got.move.x == 1 && got.move.y == 2 && got.move.z == 3);
    /* but one that would end beyond the range is dropped */
    const cm_shape far = cm_make_sphere(cm_v(CM_COORD_MAX, 0, 0), 1);
    const cm_motion out = {.move = {CM_COORD_MAX / 2, 0, 0}};
    assert_int_equal(cm_world_set_motion(world, id, &out), CM_OK);
    assert_int_equal(cm_world_set_shape(world, id, &far, NULL), CM_OK);
    assert_int_equal(cm_world_get_motion(world, id, &got), CM_OK);
    assert_true(got.move.x == 0);
    cm_world_destroy(world);
}

/* A parabola's apex counts, how far the shape reaches only where it turns. */
static void the_way_of_a_motion_is_within_the_range(void **state) {
    (void)state;
    const cm_real most = CM_COORD_MAX;
    cm_world *world = world_of(NULL);
    const uint32_t id = put(world, cm_make_point(cm_v(most * CM_REAL(-0.45), 0, 0)), cm_v(most / 2, 0, 0));
    const cm_motion falls = {.accelerate = {0, most * CM_REAL(0.8), 0}};
    const cm_motion turns = {.accelerate = {0, most * CM_REAL(0.8), 0}, .spin = {0, 0, CM_REAL(0.001)}};
    const cm_motion high = {.move = {most / 2, 0, 0}, .accelerate = {-most / 2, 0, 0}};
    assert_int_equal(cm_world_set_motion(world, id, &falls), CM_OK);
    assert_int_equal(cm_world_set_motion(world, id, &turns), CM_NOT_FINITE);
    assert_int_equal(cm_world_set_motion(world, id, &high), CM_OK);
    /* an apex, an eighth of the acceleration high, where the range ends; and an ulp beyond it */
    const cm_real up = most / 2, last = most - up / 8;
    const uint32_t point = put(world, cm_make_point(cm_v(0, 0, 0)), cm_v(last, 0, 0));
    const cm_motion arch = {.move = {0, up / 2, 0}, .accelerate = {0, -up, 0}};
    const cm_pose farther = cm_pose_at(cm_v(beyond(last), 0, 0));
    assert_true(last + up / 8 == most && beyond(last) + up / 8 > most);
    assert_int_equal(cm_world_set_motion(world, point, &arch), CM_OK);
    assert_int_equal(cm_world_set_pose(world, point, &farther), CM_OK);
    assert_int_equal(cm_world_set_motion(world, point, &arch), CM_NOT_FINITE);
    cm_world_destroy(world);
}

/* --- queries and snapshots --------------------------------------------------------------------------------------- */

static void queries_take_the_way_that_there_is(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    const uint32_t id = put(world, cm_make_sphere(cm_v(0, 0, 0), 1), cm_v(0, 4, 0));
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    const cm_shape rod = cm_make_segment(cm_v(0, 0, 0), cm_v(8, 0, 0)), floor = cm_make_halfspace(cm_v(0, 1, 0), 0);
    const cm_motion turns = {.start = cm_pose_identity(), .spin = {0, 0, 2}};
    const cm_motion falls = {.start = cm_pose_at(cm_v(0, 8, 0)), .accelerate = {0, -8, 0}};
    const cm_motion rises = {.start = cm_pose_identity(), .move = {0, 8, 0}};
    const cm_shape point = cm_make_point(cm_v(0, 0, 0));
    cm_world_sweep_hit hit;
    assert_true(cm_world_sweep(world, &rod, &turns, NULL, &hit) && hit.id == id); /* from beside it */
    assert_true(cm_world_sweep(world, &point, &falls, NULL, &hit) && hit.id == id);
    assert_true(cm_world_sweep(world, &floor, &rises, NULL, &hit) && hit.id == id);
    assert_true(hit.hit.first > CM_REAL(0.37) && hit.hit.first <= CM_REAL(0.375)); /* 3 of 8 */
    assert_true(cm_world_sweep(world, &floor, &rises, NULL, NULL));
    assert_int_equal(cm_world_sweep_all(world, &floor, &rises, NULL, NULL, 0), 1);
    const cm_pose here = cm_pose_identity();
    assert_true(cm_world_distance(world, &point, &here, 9, NULL, NULL) == 3); /* though it has no size to begin with */
    const cm_ray ray = {.origin = {0, 0, 0}, .direction = {0, 1, 0}, .max = 8};
    cm_frustum all;
    uint32_t ids[1];
    for (int i = 0; i < 6; ++i) all.planes[i].normal = cm_v(0, i % 2 ? -1 : 1, 0), all.planes[i].d = -16;
    assert_true(cm_world_raycast(world, &ray, NULL, NULL));
    assert_false(cm_world_raycast(NULL, &ray, NULL, NULL));
    assert_false(cm_world_raycast(world, NULL, NULL, NULL));
    assert_int_equal(cm_world_query_frustum(world, &all, NULL, ids, 1), 1);
    assert_int_equal(cm_world_query_frustum(NULL, &all, NULL, ids, 1), 0);
    assert_int_equal(cm_world_query_frustum(world, NULL, NULL, ids, 1), 0);
    cm_world_destroy(world);
}

/* A shape at the end of the range, whose box reaches beyond it, is swept to what lies within. */
static void what_reaches_beyond_the_range_is_swept_from_there(void **state) {
    (void)state;
    const cm_real most = CM_COORD_MAX;
    for (int side = -1; side <= 1; side += 2) {
        cm_world *world = world_of(NULL);
        const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), most / 64);
        const uint32_t id = put(world, ball, cm_v((cm_real)side * most / 2, 0, 0));
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        const cm_motion in = {.start = cm_pose_at(cm_v((cm_real)side * most, 0, 0)),
                              .move = {(cm_real)-side * most, 0, 0}};
        cm_world_sweep_hit hit;
        assert_true(cm_world_sweep(world, &ball, &in, NULL, &hit) && hit.id == id);
        cm_world_destroy(world);
    }
}

/* Where a snapshot does not fit nothing is written; it fits where there is just room for it. */
static void a_snapshot_is_written_where_it_fits(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    put(world, cm_make_sphere(cm_v(0, 0, 0), 1), cm_v(0, 0, 0));
    unsigned char bytes[1024], before[1024];
    memset(bytes, 77, sizeof bytes), memset(before, 77, sizeof before);
    const size_t size = cm_world_save(world, NULL, NULL, sizeof bytes);
    assert_true(size > 0 && size < sizeof bytes);
    assert_int_equal(cm_world_save(world, NULL, bytes, size - 1), size);
    assert_memory_equal(bytes, before, sizeof bytes);
    assert_int_equal(cm_world_save(world, NULL, bytes, size), size);
    assert_memory_equal(bytes + size, before, sizeof bytes - size);
    assert_int_equal(cm_world_restore(world, NULL, bytes, size), CM_OK);
    assert_int_equal(cm_world_restore(world, NULL, bytes, size - 1), CM_BAD_DATA);
    assert_int_equal(cm_world_restore(world, NULL, bytes, size + 1), CM_BAD_DATA);
    /* a shape by its number: there has to be one of that number */
    const cm_shape shapes[] = {cm_make_sphere(cm_v(0, 0, 0), 2), cm_make_sphere(cm_v(0, 0, 0), 1)};
    const cm_world_shapes two = {shapes, 2}, one = {shapes, 1};
    const size_t named = cm_world_save(world, &two, bytes, sizeof bytes);
    assert_true(named > 0 && named < size);
    assert_int_equal(cm_world_restore(world, &two, bytes, named), CM_OK);
    assert_int_equal(cm_world_restore(world, &one, bytes, named), CM_OUT_OF_RANGE);
    assert_int_equal(cm_world_save(world, &one, NULL, 0), size); /* by its values: it lies behind the table's end */
    assert_int_equal(cm_world_restore(world, NULL, bytes, named), CM_OUT_OF_RANGE);
    cm_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_a_quarter_of_its_thickness_is_not_swept),
        cmocka_unit_test(a_spin_counts_where_it_moves_something),
        cmocka_unit_test(a_pair_is_swept_by_how_fast_one_sees_the_other),
        cmocka_unit_test(a_floor_that_sinks_is_below_all_else),
        cmocka_unit_test(a_pivot_without_a_spin_adds_no_margin),
        cmocka_unit_test(what_is_beyond_the_range_along_one_axis_is_refused),
        cmocka_unit_test(each_wrong_part_of_a_pose_is_refused),
        cmocka_unit_test(each_wrong_argument_of_a_world_is_refused),
        cmocka_unit_test(as_many_objects_and_pairs_as_stated_have_room),
        cmocka_unit_test(ids_come_in_order_up_to_the_capacity),
        cmocka_unit_test(a_restored_world_tells_what_ends),
        cmocka_unit_test(what_stands_is_not_tested_again),
        cmocka_unit_test(a_pair_is_asked_about_once_a_step),
        cmocka_unit_test(a_new_shape_keeps_the_motion),
        cmocka_unit_test(the_way_of_a_motion_is_within_the_range),
        cmocka_unit_test(queries_take_the_way_that_there_is),
        cmocka_unit_test(what_reaches_beyond_the_range_is_swept_from_there),
        cmocka_unit_test(a_snapshot_is_written_where_it_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
