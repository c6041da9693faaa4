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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sheet_is_passed_once_a_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
