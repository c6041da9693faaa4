/* A height field that is all holes is no mistake: a tile of a streamed terrain that was dug away. It has no points, so
 * it is an object of a world and a child of a compound that nothing meets. */
#include "support/support.h"

typedef struct scene {
    cm_height_field *field;
    cm_compound *alone, *beside, *without; /* of the field; of the field and a box; of the box */
    cm_shape empty[2];                     /* the field, the compound of it alone */
} scene;

static const cm_real here = 9; /* where the field stands in the compounds */

static void scene_make(scene *s) {
    const cm_real heights[9] = {0, 1, 0, 2, 0, 1, 3, 0, 0};
    const uint8_t holes[4] = {1, 1, 1, 1};
    const cm_height_field_desc desc = {
        .heights = heights, .columns = 3, .rows = 3, .column_spacing = 1, .row_spacing = 1, .holes = holes};
    assert_int_equal(cm_height_field_build(&desc, NULL, &s->field, NULL), CM_OK);
    s->empty[0] = cm_make_height_field(s->field);
    const cm_compound_child children[2] = {{.shape = s->empty[0], .pose.position = {here, 0, 0}},
                                           {.shape = cm_make_box(cm_v(1, 1, 1))}};
    cm_compound_desc two = {children, 2}, one = {children, 1}, box = {children + 1, 1};
    assert_int_equal(cm_compound_build(&one, NULL, &s->alone, NULL), CM_OK);
    assert_int_equal(cm_compound_build(&two, NULL, &s->beside, NULL), CM_OK);
    assert_int_equal(cm_compound_build(&box, NULL, &s->without, NULL), CM_OK);
    s->empty[1] = cm_make_compound(s->alone);
}
static void scene_free(scene *s) {
    cm_compound_destroy(s->alone, NULL);
    cm_compound_destroy(s->beside, NULL);
    cm_compound_destroy(s->without, NULL);
    cm_height_field_destroy(s->field, NULL);
}

static void its_box_is_empty(void **state) {
    (void)state;
    scene s;
    scene_make(&s);
    const cm_pose pose = cm_pose_identity();
    cm_aabb box, same;
    for (int i = 0; i < 2; i++) {
        cm_shape_bounds(&s.empty[i], &pose, &box);
        check_that(box.min.x > box.max.x, "shape %d: from %g to %g", i, (double)box.min.x, (double)box.max.x);
    }
    cm_compound_info info;
    cm_compound_get_info(s.alone, &info);
    assert_int_equal(info.children, 1);
    assert_true(info.bounds.min.x > info.bounds.max.x);
    const cm_shape beside = cm_make_compound(s.beside), without = cm_make_compound(s.without);
    cm_shape_bounds(&beside, &pose, &box), cm_shape_bounds(&without, &pose, &same);
    assert_memory_equal(&box, &same, sizeof box);
    scene_free(&s);
}

typedef struct answers {
    bool overlap, sweep, sweep_last, ray;
    int contacts;
    cm_real distance;
} answers;

/* With the first of the two in motion. */
static answers ask(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b, cm_vec3 spin) {
    const cm_motion ma = {.start = *pose_a, .move = {0, 0, -4}, .spin = spin}, mb = {.start = *pose_b};
    const cm_ray ray = {cm_v(here + CM_REAL(0.5), CM_REAL(0.5), 9), cm_v(0, 0, -1), 20};
    cm_manifold manifolds[4];
    answers out;
    out.overlap = cm_overlap(a, pose_a, b, pose_b);
    out.distance = cm_distance(a, pose_a, b, pose_b, CM_REAL_MAX, NULL);
    out.contacts = cm_contact(a, pose_a, b, pose_b, 1, manifolds, 4);
    out.sweep = cm_sweep(a, &ma, b, &mb, NULL);
    out.sweep_last = cm_sweep_last(a, &ma, b, &mb, NULL);
    out.ray = cm_raycast(&ray, b, pose_b, NULL);
    return out;
}

static void nothing_meets_it(void **state) {
    (void)state;
    scene s;
    scene_make(&s);
    const cm_shape all[] = {cm_make_point(cm_v(0, 0, 0)),
                            cm_make_sphere(cm_v(0, 0, 0), 1),
                            cm_make_box(cm_v(1, 1, 1)),
                            cm_make_cone(1, 1),
                            cm_make_halfspace(cm_v(0, 0, 1), 0),
                            s.empty[0],
                            s.empty[1],
                            cm_make_compound(s.beside)};
    for (int i = 0; i < (int)(sizeof all / sizeof *all) * 16; i++) {
        const cm_shape *other = &all[i / 16], *empty = &s.empty[i / 8 % 2];
        const cm_vec3 spin = cm_v(CM_REAL(i % 2), 0, 0);
        cm_pose at = cm_pose_identity(), there = cm_pose_identity();
        at.position = cm_v(i / 4 % 2 ? here : 0, 0, 0);
        const bool swap = i / 2 % 2;
        const answers got = swap ? ask(other, &at, empty, &there, spin) : ask(empty, &there, other, &at, spin);
        check_that(!got.overlap && got.distance == CM_REAL_MAX && got.contacts == 0 && !got.sweep && !got.sweep_last,
                   "case %d: overlap %d, distance %g, %d contacts, sweep %d, last %d", i, got.overlap,
                   (double)got.distance, got.contacts, got.sweep, got.sweep_last);
        check_that(!swap || !got.ray, "case %d: a ray meets it", i);
    }
    scene_free(&s);
}

/* The child beside it is answered as if alone. */
static void it_does_not_hide_the_child_beside_it(void **state) {
    (void)state;
    scene s;
    scene_make(&s);
    const cm_shape beside = cm_make_compound(s.beside), without = cm_make_compound(s.without);
    const cm_shape all[] = {cm_make_sphere(cm_v(0, 0, 0), 1), cm_make_box(cm_v(1, 1, 1)),
                            cm_make_halfspace(cm_v(0, 0, 1), 0), cm_make_compound(s.without)};
    for (int i = 0; i < 4 * 8; i++) {
        const cm_shape *other = &all[i / 8];
        const cm_vec3 spin = cm_v(CM_REAL(i % 2), 0, 0);
        cm_pose at = cm_pose_identity(), there = cm_pose_identity();
        at.position = cm_v(i / 4 % 2 ? here : 0, 0, i / 2 % 2 ? 3 : 0);
        const answers got = ask(other, &at, &beside, &there, spin), want = ask(other, &at, &without, &there, spin);
        check_that(got.overlap == want.overlap && got.contacts == want.contacts && got.sweep == want.sweep &&
                       got.sweep_last == want.sweep_last && got.distance == want.distance,
                   "case %d: overlap %d and %d, distance %g and %g", i, got.overlap, want.overlap, (double)got.distance,
                   (double)want.distance);
    }
    scene_free(&s);
}

static void a_world_has_it_as_an_object(void **state) {
    (void)state;
    scene s;
    scene_make(&s);
    const cm_shape cube = cm_make_box(cm_v(1, 1, 1));
    for (int i = 0; i < 4; i++) {
        const bool fixed = i % 2;
        cm_world *world = NULL;
        uint32_t id = 0, faller = 0, ids[2];
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        cm_world_object_desc tile = {.shape = s.empty[i / 2], .fixed = fixed};
        cm_world_object_desc body = {.shape = cube, .pose.position = {0, 0, 3}};
        assert_int_equal(cm_world_add(world, &tile, &id, NULL), CM_OK);
        assert_int_equal(cm_world_add(world, &body, &faller, NULL), CM_OK);
        const cm_motion fall = {.move = {0, 0, -6}}, turn = {.move = {1, 0, 0}, .spin = {0, 0, 1}};
        assert_int_equal(cm_world_set_motion(world, faller, &fall), CM_OK);
        if (!fixed) assert_int_equal(cm_world_set_motion(world, id, &turn), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        cm_world_event_view events;
        cm_world_get_events(world, &events);
        assert_int_equal(events.count, 0);
        cm_pose pose;
        assert_int_equal(cm_world_get_pose(world, faller, &pose), CM_OK);
        check_that(pose.position.z == -3, "fell to %g", (double)pose.position.z);
        assert_int_equal(cm_world_set_pose(world, id, &pose), CM_OK);
        assert_int_equal(cm_world_why(world, id, faller), CM_WORLD_WHY_SHAPES);
        const cm_world_query query = {.except = faller};
        assert_int_equal(cm_world_overlap(world, &cube, &pose, &query, ids, 2), 0);
        check_that(cm_world_distance(world, &cube, &pose, CM_REAL_MAX, &query, NULL) == CM_REAL_MAX, "it is near");
        const cm_world_shapes shapes = {s.empty, 2};
        unsigned char bytes[4096];
        const size_t size = cm_world_save(world, &shapes, bytes, sizeof bytes);
        assert_true(size > 0 && size <= sizeof bytes);
        const uint64_t hash = cm_world_hash(world);
        assert_int_equal(cm_world_restore(world, &shapes, bytes, size), CM_OK);
        assert_true(cm_world_hash(world) == hash);
        assert_int_equal(cm_world_set_shape(world, id, &cube, NULL), CM_OK); /* the ground comes back */
        assert_int_equal(cm_world_why(world, id, faller), CM_WORLD_WHY_MEET);
        assert_int_equal(cm_world_set_shape(world, id, &s.empty[i / 2], NULL), CM_OK);
        assert_int_equal(cm_world_why(world, id, faller), CM_WORLD_WHY_SHAPES);
        cm_world_destroy(world);
    }
    scene_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_box_is_empty),
        cmocka_unit_test(nothing_meets_it),
        cmocka_unit_test(it_does_not_hide_the_child_beside_it),
        cmocka_unit_test(a_world_has_it_as_an_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
