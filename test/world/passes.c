/* What was passed once in a step is not asked about again in it, however many there are and however often hits send an
 * object past them; and what the world's callback keeps apart is met by none of the ways that hits make. */
#include "scene.h"

enum { SHEETS = 150 };

typedef struct corridor {
    uint32_t ball, wall[2], sheet[SHEETS];
    int asked[SHEETS], bounced;
    uint32_t hidden; /* a sheet that may not meet the ball */
} corridor;

static bool may_meet(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    const corridor *c = user;
    (void)world;
    return a != c->hidden && b != c->hidden;
}

/* Sheets are passed, walls throw back. */
static cm_world_answer answer(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                              cm_motion *rest_b) {
    corridor *c = user;
    const uint32_t other = hit->a == c->ball ? hit->b : hit->a;
    (void)world;
    for (int i = 0; i < SHEETS; ++i) {
        if (c->sheet[i] != other) continue;
        c->asked[i]++;
        return CM_WORLD_PASS;
    }
    c->bounced++;
    cm_motion *rest = hit->a == c->ball ? rest_a : rest_b;
    rest->move = cm_neg(rest->move);
    return CM_WORLD_GO;
}

static uint32_t put(cm_world *world, cm_shape shape, cm_real x, bool fixed) {
    cm_world_object_desc d = {.shape = shape, .pose.position = {x, 0, 0}, .fixed = fixed};
    uint32_t id;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    return id;
}

/* From the middle to the right wall, to the left one and back: three times past each sheet. */
static void a_sheet_is_passed_once_a_step(void **state) {
    (void)state;
    static corridor c;
    memset(&c, 0, sizeof c);
    const cm_world_desc desc = {.meet = may_meet, .user = &c};
    const cm_world_step step = {.hit = answer, .user = &c};
    cm_world *world;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    c.ball = put(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), 0, false);
    for (int i = 0; i < SHEETS; ++i)
        c.sheet[i] = put(world, cm_make_box(cm_v(CM_REAL(0.125), 4, 4)), (cm_real)(i % 2 ? i + 1 : -i - 2), true);
    for (int i = 0; i < 2; ++i)
        c.wall[i] = put(world, cm_make_box(cm_v(1, 4, 4)), (cm_real)(i ? SHEETS + 8 : -SHEETS - 8), true);
    c.hidden = c.sheet[SHEETS / 2];
    const cm_motion far = {.move = {6 * SHEETS, 0, 0}};
    for (int round = 1; round <= 2; ++round) { /* each step anew */
        const cm_pose home = cm_pose_identity();
        assert_int_equal(cm_world_set_pose(world, c.ball, &home), CM_OK);
        assert_int_equal(cm_world_set_motion(world, c.ball, &far), CM_OK);
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        check_that(c.bounced == 3 * round || c.bounced == 2 * round, "%d walls in %d steps", c.bounced, round);
        for (int i = 0; i < SHEETS; ++i) {
            const int right = c.sheet[i] == c.hidden ? 0 : round;
            check_that(c.asked[i] == right, "sheet %d was asked about %d times in %d steps", i, c.asked[i], round);
        }
    }
    cm_world_destroy(world);
}

/* A is thrown back by a wall at 1/4 of the step, B by another at 3/4; in between they pass each other: A at 8 u - 1
 * along x, B at 2.5 along x and 5.75 - 8 u along y. Their distance is 2, the sum of their radii, at 8 u = 4.625 -+
 * sqrt(47) / 8; but for the rounding of when they were thrown back. */
static cm_world_answer pass_or_back(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                    cm_motion *rest_b) {
    const uint32_t *ids = user;
    (void)world;
    if (hit->a == ids[0] && hit->b == ids[1]) return CM_WORLD_PASS;
    rest_a->move = cm_neg(rest_a->move), rest_b->move = cm_neg(rest_b->move);
    return CM_WORLD_GO;
}

static void two_that_turned_at_other_times_part_when_they_do(void **state) {
    (void)state;
    const double root = 0.85695682505013049; /* sqrt(47) / 8 */
    for (int swapped = 0; swapped < 2; ++swapped) {
        cm_world *world;
        uint32_t ids[2];
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        const cm_vec3 at[2] = {{3, 0, 0}, {CM_REAL(2.5), CM_REAL(5.75), 0}};
        const cm_motion way[2] = {{.move = {-8, 0, 0}}, {.move = {0, -8, 0}}};
        for (int i = 0; i < 2; ++i) {
            const int which = swapped ? 1 - i : i;
            const cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1), .pose.position = at[which]};
            assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
            assert_int_equal(cm_world_set_motion(world, ids[i], &way[which]), CM_OK);
        }
        const cm_shape wall = cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5)));
        cm_world_object_desc d = {.shape = wall, .pose.position = {CM_REAL(-0.5), 0, 0}, .fixed = true};
        uint32_t id;
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
        d.pose.position = cm_v(CM_REAL(2.5), CM_REAL(-1.75), 0);
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
        const cm_world_step step = {.hit = pass_or_back, .user = ids};
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        const cm_world_event *began = scene_event(world, CM_WORLD_BEGAN, ids[0], ids[1]);
        const cm_world_event *ended = scene_event(world, CM_WORLD_ENDED, ids[0], ids[1]);
        assert_true(began && ended);
        const double first = (4.625 - root) / 8, last = (4.625 + root) / 8;
        check_that((double)began->u <= first + 1e-12 && (double)began->u > first - 1e-4 &&
                       (double)ended->u >= last - 1e-12 && (double)ended->u < last + 1e-4,
                   "from %g to %g, not from %g to %g", (double)began->u, (double)ended->u, first, last);
        cm_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sheet_is_passed_once_a_step),
                                       cmocka_unit_test(two_that_turned_at_other_times_part_when_they_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
