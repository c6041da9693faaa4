/* What is attached to a robot's link: it moves with it, and collides with all but what it may touch. */
#include "cli/arm.h"

#include "robot/kinematics.h"

#include <math.h>

static const json_t *find_pair(const json_t *list, const char *a, const char *b) {
    size_t n;
    json_t *pair;
    json_array_foreach(list, n,
                       pair) if (strcmp(text_at(pair, "a"), a) == 0 && strcmp(text_at(pair, "b"), b) == 0) return pair;
    return NULL;
}
static const json_t *pair_of(const json_t *root, const char *a, const char *b) {
    const json_t *pair = find_pair(json_object_get(root, "pairs"), a, b);
    check_that(pair != NULL, "no pair %s, %s", a, b);
    return pair;
}
static void has_status(const json_t *root, const char *a, const char *b, const char *status) {
    const char *got = text_at(pair_of(root, a, b), "status");
    check_that(strcmp(got, status) == 0, "%s and %s: %s, not %s", a, b, got, status);
}

/* A ball in the frame of the sixth axis: in every configuration it meets what the test finds that it meets. */
static void the_counts_are_those_of_brute_force(void **state) {
    (void)state;
    arm_truth truth;
    make_arm(&truth);
    char count_text[20];
    const uint32_t count = (uint32_t)samples(300, 3000);
    snprintf(count_text, sizeof count_text, "%u", count);
    json_t *root = RUN_JSON(1, "check", truth.path, "--attach", "ball.obj@l6,l7", "--up", "z", "--configurations",
                            count_text, "--seed", "3");
    robot r;
    assert_int_equal(robot_read(truth.path, &r), 0);
    static uint32_t hits[LINKS];
    memset(hits, 0, sizeof hits);
    const arm_truth with = {.shapes[6] = {cm_make_mesh(truth.mesh)}, .poses[6] = {cm_pose_identity()}, .bodies[6] = 1};
    for (uint32_t k = 0; k < count; k++) {
        double drawn[JOINTS], values[JOINTS];
        matrix frames[LINKS];
        robot_sample(&r, NULL, 3, k, drawn);
        for (int i = 0; i < JOINTS; i++) values[i] = drawn[JOINTS - 1 - i];
        place_arm(values, frames);
        for (int a = 0; a < LINKS; a++) {
            arm_truth both = with;
            memcpy(both.shapes[a], truth.shapes[a], sizeof both.shapes[a]);
            memcpy(both.poses[a], truth.poses[a], sizeof both.poses[a]);
            both.bodies[a] = truth.bodies[a];
            hits[a] += a != 6 && truth_collides(&both, (const matrix *)frames, a, 6);
        }
    }
    int found = 0;
    for (int a = 0; a < LINKS; a++) {
        char name[8];
        snprintf(name, sizeof name, "l%d", a);
        if (a == 6 || a == 7) {
            has_status(root, name, "ball", "held");
            continue;
        }
        const double got = number_at(pair_of(root, name, "ball"), "samples");
        check_that(got == hits[a], "the ball and link %d collide in %g, in truth in %u", a, got, hits[a]);
        found += hits[a] > 0;
    }
    check_that(found > 4, "only %d links are met", found);
    json_decref(root);
    robot_free(&r);
    cm_mesh_destroy(truth.mesh, NULL);
}

/* An arm of length 1 about z with a ball of radius 0.1 at its end, a ball of the same size that stands one radian
 * further, and a post far above. */
static void write_ring(void) {
    write_text(
        "ring.urdf",
        "<robot name='ring'><link name='root'><collision><origin xyz='0 0 5'/><geometry><box size='1 1 1'/></geometry>"
        "</collision></link><link name='boom'/>"
        "<link name='ball'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
        "<link name='near'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
        "<joint name='b' type='continuous'><parent link='root'/><child link='boom'/><axis xyz='0 0 1'/></joint>"
        "<joint name='e' type='fixed'><parent link='boom'/><child link='ball'/><origin xyz='1 0 0'/></joint>"
        "<joint name='n' type='fixed'><parent link='root'/><child link='near'/>"
        "<origin xyz='0.5403023058681398 0.8414709848078965 0'/></joint></robot>");
}
/* A plate whose face y = 0 leads where the boom turns to the left. */
static void write_plate(void) {
    obj o = {0};
    obj_box(&o, "plate", 0, -0.5, -0.5, 2, 0, 0.5);
    obj_write(&o, "plate.obj");
}

/* The face reaches the ball at one radian where the sine of the angle between them is its radius. */
static void it_is_swept_along_a_trajectory(void **state) {
    (void)state;
    write_ring();
    write_plate();
    write_text("way.csv", "time,b\n0,0\n10,0.5\n20,1\n");
    json_t *root =
        RUN_JSON(1, "check", "ring.urdf", "--attach", "plate.obj@boom,ball", "--up", "z", "--trajectory", "way.csv");
    const json_t *way = find_pair(json_object_get(json_object_get(root, "trajectory"), "pairs"), "near", "plate");
    assert_non_null(way);
    const double meets = number_at(way, "meets_at"), truth = 20 * (1 - asin(0.1));
    check_that(fabs(meets - truth) < 1e-4 && number_at(way, "free_until") <= truth, "meets at %.9g, not %.9g", meets,
               truth);
    json_decref(root);
    write_text("way.csv", "time,b\n0,0\n10,0.75\n");
    root = RUN_JSON(0, "check", "ring.urdf", "--attach", "plate.obj@boom,ball", "--up", "z", "--trajectory", "way.csv");
    way = find_pair(json_object_get(json_object_get(root, "trajectory"), "pairs"), "near", "plate");
    const double least = number_at(way, "least"), gap = sin(0.25) - 0.1;
    check_that(least >= gap - 1e-9 && least <= 1.011 * gap && number_at(way, "at_least") <= gap, "%.9g near, not %.9g",
               least, gap);
    check_that(number_at(way, "least_at") > 9.5, "nearest at %g", number_at(way, "least_at"));
    json_decref(root);
}

/* Touch links, what else is attached to the same link, padding, the cell, and what is refused. */
static void it_may_touch_what_holds_it(void **state) {
    (void)state;
    write_ring();
    write_plate();
    obj o = {0};
    obj_box(&o, "lamp", 0.5, -0.2, -0.2, 0.7, 0.2, 0.2);
    obj_write(&o, "lamp.obj");
    obj_box(&o, "wall", 2.05, -1, -1, 2.1, 1, 1);
    obj_write(&o, "wall.obj");
    json_t *root = RUN_JSON(1, "check", "ring.urdf", "--attach", "plate.obj@boom", "--attach", "lamp.obj@boom,ball",
                            "--cell", "wall.obj", "--up", "z");
    has_status(root, "ball", "plate.obj/plate", "checked");
    assert_string_equal(text_at(pair_of(root, "ball", "plate.obj/plate"), "verdict"), "always");
    has_status(root, "ball", "lamp.obj/lamp", "held");
    has_status(root, "plate.obj/plate", "lamp.obj/lamp", "held");
    const json_t *first = json_array_get(json_object_get(root, "attached"), 0);
    assert_string_equal(text_at(first, "name"), "plate.obj/plate");
    assert_string_equal(text_at(first, "link"), "boom");
    json_decref(root);
    /* On two links they collide. A plate of 2 is 0.05 off the wall; only it is padded. */
    EXPECT(1, NULL, "check", "ring.urdf", "--attach", "plate.obj@boom,ball", "--attach", "lamp.obj@root", "--up", "z");
    EXPECT(0, NULL, "check", "ring.urdf", "--attach", "plate.obj@boom,ball", "--cell", "wall.obj", "--up", "z",
           "--padding", "49.9mm");
    EXPECT(1, NULL, "check", "ring.urdf", "--attach", "plate.obj@boom,ball", "--cell", "wall.obj", "--up", "z",
           "--padding", "50.1mm");
    run r = RUN("check", "ring.urdf", "--attach", "plate.obj@boom,ball", "--up", "z");
    check_that(r.code == 0 && strstr(r.out, "1 part attached") && strstr(r.out, "1 of what is attached and may touch"),
               "%d %s", r.code, r.out);
    run_free(&r);
    /* The plate moved into the wall, which is 0.05 off, or away from it, or turned to the ball that is near. */
    static const struct {
        const char *at;
        int code;
    } places[] = {
        {"0 0 0", 0},          {"0.04 0 0", 0},         {"0.06,0,0", 1},           {" 0.06 , 0 0 0 0 0 ", 1},
        {"-1 0 0", 0},         {"0 0 0 0 0 1.5708", 1}, {"0 0 1.2 0 0 3.1416", 0}, {"5e-2 0 0.001 1.5708 0 0", 0},
        {"60e-3 0 0 0 0 0", 1}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        EXPECT(places[i].code, NULL, "check", "ring.urdf", "--attach", "plate.obj@boom,ball", "--attach-at",
               places[i].at, "--cell", "wall.obj", "--up", "z");
    static const char *const bad[] = {"1 2", "1 2 3 4", "1 2 3 4 5 6 7", "1 2 x", "1 2 3m", "nan 0 0", "inf 0 0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        EXPECT(2, "is not 'X Y Z' or", "check", "ring.urdf", "--attach", "plate.obj@boom", "--attach-at", bad[i]);
    EXPECT(2, "is empty", "check", "ring.urdf", "--attach", "plate.obj@boom", "--attach-at", "");
    EXPECT(2, "the --attach before it is: there is none", "check", "ring.urdf", "--attach-at", "0 0 0");
    EXPECT(2, "that has no place yet", "check", "ring.urdf", "--attach", "plate.obj@boom", "--attach-at", "0 0 0",
           "--attach-at", "0 0 1");
    EXPECT(2, "'plate.obj' is not FILE@LINK", "check", "ring.urdf", "--attach", "plate.obj");
    EXPECT(2, "there is no link 'bom' (did you mean 'boom'?)", "check", "ring.urdf", "--attach", "plate.obj@bom");
    EXPECT(2, "there is no link 'bal' to touch", "check", "ring.urdf", "--attach", "plate.obj@boom,near,bal");
    EXPECT(2, "is a model file, not a robot", "check", "ring.urdf", "--attach", "ring.urdf@boom");
    EXPECT(2, "none.obj: no such file", "check", "ring.urdf", "--attach", "none.obj@boom");
    EXPECT(2, "--attach is for robots", "check", "plate.obj", "--attach", "plate.obj@boom");
    EXPECT(2, "would replace the input plate.obj", "check", "ring.urdf", "--attach", "plate.obj@boom", "--write-srdf",
           "plate.obj", "--configurations", "10");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counts_are_those_of_brute_force),
        cmocka_unit_test(it_is_swept_along_a_trajectory),
        cmocka_unit_test(it_may_touch_what_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
