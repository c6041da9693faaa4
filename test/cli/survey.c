/* A robot in its configurations against the truth of brute force (arm.h), and robots whose answers are known by hand.
 */
#include "cli/arm.h"

#include "robot/kinematics.h"

#include <math.h>

/* --- tests ------------------------------------------------------------------------------------------------------- */

static int link_of(const char *name) { return name[1] - '0'; }

/* The values of the joints are those of the command; where the links then are is found by the test. */
static void the_counts_are_those_of_brute_force(void **state) {
    (void)state;
    arm_truth truth;
    make_arm(&truth);
    char count_text[20];
    const uint32_t count = (uint32_t)samples(400, 4000);
    snprintf(count_text, sizeof count_text, "%u", count);
    json_t *root = RUN_JSON(1, "check", truth.path, "--configurations", count_text, "--seed", "7");
    robot r;
    assert_int_equal(robot_read(truth.path, &r), 0);
    static uint32_t hits[LINKS][LINKS];
    static double deepest[LINKS][LINKS];
    double drawn[JOINTS], values[JOINTS];
    double least[JOINTS], most[JOINTS], sum[JOINTS] = {0};
    memset(hits, 0, sizeof hits);
    memset(deepest, 0, sizeof deepest);
    for (int i = 0; i < JOINTS; i++) least[i] = 1e9, most[i] = -1e9;
    for (uint32_t k = 0; k < count; k++) {
        robot_sample(&r, NULL, 7, k, drawn);
        for (int i = 0; i < JOINTS; i++) { /* the file has the joints from the last to the first */
            values[i] = drawn[JOINTS - 1 - i];
            least[i] = fmin(least[i], values[i]), most[i] = fmax(most[i], values[i]), sum[i] += values[i];
        }
        check_that(values[7] == follow_factor * values[6] + follow_offset, "joint 7 at %g, 6 at %g", values[7],
                   values[6]);
        matrix frames[LINKS];
        place_arm(values, frames);
        for (int a = 0; a < LINKS; a++)
            for (int b = a + 1; b < LINKS; b++) {
                if (!truth_collides(&truth, frames, a, b)) continue;
                hits[a][b]++;
                if (arm[b - 1].parent != a && k % 4 == 0)
                    deepest[a][b] = fmax(deepest[a][b], -truth_distance(&truth, frames, a, b, 0));
            }
    }
    for (int i = 0; i < JOINTS - 1; i++) {
        const double span = arm[i].upper - arm[i].lower, mean = sum[i] / count;
        check_that(least[i] >= arm[i].lower && most[i] <= arm[i].upper, "joint %d from %g to %g", i, least[i], most[i]);
        check_that(most[i] - least[i] > (1 - 12.0 / count) * span, "joint %d from %g to %g only", i, least[i], most[i]);
        const double middle = (arm[i].lower + arm[i].upper) / 2;
        check_that(fabs(mean - middle) < 6 * span / sqrt(12.0 * count), "joint %d is %g on average", i, mean);
    }
    size_t n;
    json_t *pair;
    int checked = 0, found = 0;
    json_array_foreach(json_object_get(root, "pairs"), n, pair) {
        const int a = link_of(text_at(pair, "a")), b = link_of(text_at(pair, "b"));
        const bool adjacent = arm[b - 1].parent == a;
        check_that((strcmp(text_at(pair, "status"), "adjacent") == 0) == adjacent, "links %d and %d are %s", a, b,
                   text_at(pair, "status"));
        if (adjacent) continue;
        checked++;
        const double got = number_at(pair, "samples");
        check_that(got == hits[a][b], "links %d and %d collide in %g, in truth in %u", a, b, got, hits[a][b]);
        found += hits[a][b] > 0;
        /* Few are measured, those that promise to be deep. */
        const double depth = -number_at(json_object_get(pair, "worst"), "distance");
        check_that(hits[a][b] == 0 || depth >= 0.8 * deepest[a][b], "links %d and %d: %g deep, others are %g", a, b,
                   depth, deepest[a][b]);
        const json_t *worst = json_object_get(pair, "worst");
        if (!json_is_object(worst)) continue;
        const json_t *joints = json_object_get(worst, "joints");
        for (int i = 0; i < JOINTS; i++) {
            char name[8];
            snprintf(name, sizeof name, "j%d", i);
            values[i] = number_at(joints, name);
        }
        matrix frames[LINKS];
        place_arm(values, frames);
        const double distance = truth_distance(&truth, frames, a, b, 0); /* that of two meshes: to a thousandth */
        check_that(fabs(distance - number_at(worst, "distance")) < 1e-6 - 2e-3 * distance,
                   "links %d and %d are %g deep, in truth %g", a, b, number_at(worst, "distance"), distance);
    }
    check_that(checked == 36 - JOINTS && found > 8, "%d pairs checked, %d found", checked, found);
    json_decref(root);
    robot_free(&r);
    cm_mesh_destroy(truth.mesh, NULL);
}

/* Padding: each of two links is larger by it, so they collide where nearer than twice that. */
static void padding_is_a_distance(void **state) {
    (void)state;
    arm_truth truth;
    make_arm(&truth);
    const double padding = 0.03;
    json_t *root = RUN_JSON(1, "check", truth.path, "--configurations", "60", "--padding", "30mm");
    robot r;
    assert_int_equal(robot_read(truth.path, &r), 0);
    static uint32_t hits[LINKS][LINKS];
    memset(hits, 0, sizeof hits);
    for (uint32_t k = 0; k < 60; k++) {
        double drawn[JOINTS], values[JOINTS];
        matrix frames[LINKS];
        robot_sample(&r, NULL, 1, k, drawn);
        for (int i = 0; i < JOINTS; i++) values[i] = drawn[JOINTS - 1 - i];
        place_arm(values, frames);
        for (int a = 0; a < LINKS; a++)
            for (int b = a + 1; b < LINKS; b++) hits[a][b] += truth_distance(&truth, frames, a, b, 1) <= 2 * padding;
    }
    size_t n;
    json_t *pair;
    json_array_foreach(json_object_get(root, "pairs"), n, pair) {
        const int a = link_of(text_at(pair, "a")), b = link_of(text_at(pair, "b"));
        if (strcmp(text_at(pair, "status"), "adjacent") == 0) continue;
        check_that(number_at(pair, "samples") == hits[a][b], "links %d and %d: %g, in truth %u", a, b,
                   number_at(pair, "samples"), hits[a][b]);
    }
    json_decref(root);
    robot_free(&r);
    cm_mesh_destroy(truth.mesh, NULL);
}

static void threads_do_not_show_and_seeds_do(void **state) {
    (void)state;
    arm_truth truth;
    make_arm(&truth);
    run one = RUN("check", truth.path, "--configurations", "1000", "--format", "json", "--threads", "1");
    run four = RUN("check", truth.path, "--configurations", "1000", "--format", "json", "--threads", "4");
    run other = RUN("check", truth.path, "--configurations", "1000", "--format", "json", "--seed", "2");
    assert_int_equal(one.code, 1);
    check_that(strcmp(one.out, four.out) == 0, "%s\n%s", one.out, four.out);
    check_that(strcmp(one.out, other.out) != 0, "seed 2 gives what seed 1 gives");
    run_free(&one), run_free(&four), run_free(&other);
    cm_mesh_destroy(truth.mesh, NULL);
}

/* Two balls of radius 0.1 on arms of length 1 that turn about one axis, a long pole far off, a plate on the root, and a
 * link between them without geometry. */
static const char *simple_robot(void) {
    return write_text(
        "simple.urdf",
        "<robot name='s'>\n<link name='root'><collision><origin xyz='0 0 -5'/><geometry><box size='1 1 "
        "0.1'/></geometry>"
        "</collision></link>\n<link name='frame'/>\n"
        "<link name='left'><collision><origin xyz='1 0 0'/><geometry><sphere "
        "radius='0.1'/></geometry></collision></link>\n"
        "<link name='right'><collision><origin xyz='1 0 0'/><geometry><sphere radius='0.1'/></geometry></collision>"
        "</link>\n<link name='pole'><collision><geometry><cylinder radius='0.1' length='1'/></geometry></collision>"
        "</link>\n<link name='cap'><collision><geometry><sphere radius='0.2'/></geometry></collision></link>\n"
        "<link name='lid'><collision><geometry><sphere radius='0.25'/></geometry></collision></link>\n"
        "<joint name='f' type='fixed'><parent link='root'/><child link='frame'/></joint>\n"
        "<joint name='l' type='continuous'><parent link='frame'/><child link='left'/><axis xyz='0 0 1'/></joint>\n"
        "<joint name='r' type='revolute'><parent link='pole'/><child link='right'/><origin xyz='0 0 -3'/><axis xyz='0 "
        "0 "
        "1'/><limit lower='1' upper='2'/></joint>\n"
        "<joint name='p' type='fixed'><parent link='frame'/><child link='pole'/><origin xyz='0 0 3'/></joint>\n"
        "<joint name='c' type='fixed'><parent link='pole'/><child link='cap'/><origin xyz='0 0 0.4'/></joint>\n"
        "<joint name='d' type='fixed'><parent link='cap'/><child link='lid'/></joint>\n</robot>\n");
}

static const json_t *pair_of(const json_t *root, const char *a, const char *b) {
    size_t n;
    json_t *pair;
    json_array_foreach(
        json_object_get(root, "pairs"), n,
        pair) if ((strcmp(text_at(pair, "a"), a) == 0 && strcmp(text_at(pair, "b"), b) == 0) ||
                  (strcmp(text_at(pair, "a"), b) == 0 && strcmp(text_at(pair, "b"), a) == 0)) return pair;
    print_error("no pair %s, %s\n", a, b);
    fail();
    return NULL;
}
static void has_verdict(const json_t *root, const char *a, const char *b, const char *verdict) {
    const json_t *pair = pair_of(root, a, b);
    const char *got = text_at(pair, "verdict") ? text_at(pair, "verdict") : text_at(pair, "status");
    check_that(strcmp(got, verdict) == 0, "%s and %s: %s, not %s", a, b, got, verdict);
}

/* Another reader takes the last of them, or the first: one of the balls' poses would be passed over. */
static void states_of_one_name_are_both_looked_at(void **state) {
    (void)state;
    simple_robot();
    write_text("twice.srdf", "<robot name='s'>\n<group name='both'><joint name='l'/><joint name='r'/></group>\n"
                             "<group_state name='met' group='both'><joint name='l' value='1.5'/><joint name='r' "
                             "value='1.69'/></group_state>\n"
                             "<group_state name='met' group='both'><joint name='l' value='1.5'/><joint name='r' "
                             "value='1.71'/></group_state>\n</robot>\n");
    EXPECT(1, "twice.srdf:4: there is a state 'both/met' already: both are looked at", "check", "simple.urdf", "--srdf",
           "twice.srdf");
}

/* Rest is l = 0 and r = 1, the nearest to 0 that it may be; the balls meet where l and r differ by 2 asin(0.1) = 0.2
 * or less. The lid lies around the cap, and reaches into the pole. */
static void states_limits_and_reasons(void **state) {
    (void)state;
    simple_robot();
    write_text(
        "simple.srdf",
        "<robot name='s'>\n<!-- kept -->\n"
        "<group name='both'><group name='one'/><joint name='r'/></group><group name='one'><link name='left'/></group>\n"
        "<group_state name='met' group='both'><joint name='l' value='1.5'/><joint name='r' "
        "value='1.69'/></group_state>\n"
        "<group_state name='free' group='both'><joint name='l' value='1.5'/><joint name='r' "
        "value='1.71'/></group_state>\n"
        "<group_state name='over' group='one'><joint name='l' value='1'/></group_state>\n"
        "<disable_collisions link1='lid' link2='pole' reason='User'/>\n</robot>\n");
    json_t *root = RUN_JSON(1, "check", "simple.urdf", "--srdf", "simple.srdf");
    const json_t *balls = pair_of(root, "left", "right");
    has_verdict(root, "left", "right", "sometimes");
    check_that(number_at(balls, "stations") == 2 && !json_is_true(json_object_get(balls, "at_rest")), "in %g states",
               number_at(balls, "stations"));
    assert_string_equal(text_at(json_object_get(balls, "worst"), "configuration"), "one/over");
    const double distance = number_at(json_object_get(balls, "worst"), "distance");
    check_that(fabs(distance + 0.2) < 1e-12, "%g", distance); /* r rests at 1: one in the other */
    has_verdict(root, "lid", "pole", "disabled");
    has_verdict(root, "lid", "cap", "adjacent");
    has_verdict(root, "root", "pole", "adjacent"); /* nothing has geometry between them */
    has_verdict(root, "left", "pole", "adjacent"); /* nor between these, of one frame */
    has_verdict(root, "root", "right", "never");
    json_decref(root);
    root = RUN_JSON(1, "check", "simple.urdf", "--adjacent", "--ignore", "right");
    has_verdict(root, "lid", "cap", "always");
    has_verdict(root, "lid", "pole", "always");
    has_verdict(root, "root", "pole", "never");
    check_that(json_array_size(json_object_get(root, "pairs")) == 10, "a pair of the ignored link");
    json_decref(root);
    EXPECT(0, NULL, "check", "simple.urdf", "--ignore", "lid", "--ignore", "right");
    EXPECT(0, NULL, "check", "simple.urdf", "--between", "root", "right");
    EXPECT(1, NULL, "check", "simple.urdf", "--between", "pole", "lid");
    EXPECT(2, "--between: 'rihgt' matches no link", "check", "simple.urdf", "--between", "root", "rihgt");
    EXPECT(0, NULL, "check", "simple.urdf", "--allow", "pole:lid");
    EXPECT(0, NULL, "check", "simple.urdf", "--fail-on", "none");
    EXPECT(0, "--allow 'pole:rihgt' matches no pair", "check", "simple.urdf", "--allow", "pole:lid", "--allow",
           "pole:rihgt");
}

/* Boxes of 0.3 and 0.2 side by side, turned: where their poses are composed the depth is rounded to 1e-16 m. It is not
 * shown as a depth of so many millimetres. */
static void touching_is_shown_without_what_poses_round(void **state) {
    (void)state;
    const char *path = write_text(
        "side_by_side.urdf",
        "<robot name='r'><link name='base'/>"
        "<link name='one'><collision><geometry><box size='0.3 0.3 0.3'/></geometry></collision></link>"
        "<link name='way'/>"
        "<link name='other'><collision><geometry><box size='0.3 0.2 0.1'/></geometry></collision></link>"
        "<joint name='i' type='fixed'><parent link='base'/><child link='one'/><origin xyz='2.1 0.2 0.3'"
        " rpy='-0.974 0.675 -0.481'/></joint>"
        "<joint name='j' type='fixed'><parent link='one'/><child link='way'/><origin xyz='0.1 0 0'/></joint>"
        "<joint name='k' type='fixed'><parent link='way'/><child link='other'/><origin xyz='0.2 0.03 0'/></joint>"
        "</robot>");
    run r = RUN("check", path, "--adjacent");
    check_that(r.code == 0 && strstr(r.out, "touching         0  one"), "exit %d: %s", r.code, r.out);
    run_free(&r);
}

/* The group `one` moves the left ball alone: the right one rests at 1. */
static void a_planning_group_moves_its_joints_alone(void **state) {
    (void)state;
    simple_robot();
    write_text("simple.srdf", "<robot name='s'><group name='one'><link name='left'/></group></robot>");
    json_t *root = RUN_JSON(1, "check", "simple.urdf", "--srdf", "simple.srdf", "--configurations", "2000",
                            "--planning-group", "one");
    const json_t *balls = pair_of(root, "left", "right");
    const json_t *joints = json_object_get(json_object_get(balls, "worst"), "joints");
    check_that(number_at(joints, "r") == 1, "joint r at %g", number_at(joints, "r"));
    /* They meet in 4 asin(0.1) of 2 pi: 127.5 of 2000, give or take 6 times 10.9. */
    const double got = number_at(balls, "samples"), mean = 2000 * 4 * asin(0.1) / (2 * acos(-1));
    check_that(fabs(got - mean) < 66, "in %g of 2000", got);
    json_decref(root);
}

/* A ball of radius 0.1 and a wall at 0.2: what stands in the cell has no padding. */
static void a_cell_is_not_padded(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "wall", 0.2, -1, -1, 0.3, 1, 1);
    obj_write(&o, "wall.obj");
    const char *path =
        write_text("one.urdf", "<robot name='o'><link name='a'><collision><geometry><sphere radius='0.1'/>"
                               "</geometry></collision></link></robot>");
    EXPECT(0, NULL, "check", path, "--cell", "wall.obj", "--unit", "m", "--padding", "99.9mm");
    EXPECT(1, NULL, "check", path, "--cell", "wall.obj", "--unit", "m", "--padding", "100.1mm");
    EXPECT(2, "nothing was checked", "check", path, "--cell", "wall.obj", "--unit", "m", "--ignore", "wall");
    EXPECT(2, "--cell one.urdf: a cell is a model file, not a robot", "check", path, "--cell", "one.urdf");
    EXPECT(2, "none.obj: no such file", "check", path, "--cell", "none.obj");
}

/* A robot of two links, which no joint connects: `a` and `b` are what stands in their <collision> elements. */
static const char *two_links(const char *name, const char *a, const char *b) {
    char text[2000];
    snprintf(text, sizeof text,
             "<robot name='t'><link name='a'>%s</link><link name='m'><collision><origin xyz='0 0 9'/><geometry>"
             "<sphere radius='0.1'/></geometry></collision></link><link name='b'>%s</link>"
             "<joint name='j' type='fixed'><parent link='a'/><child link='m'/></joint>"
             "<joint name='k' type='fixed'><parent link='m'/><child link='b'/></joint></robot>",
             a, b);
    return write_text(name, text);
}

static void expect_verdict(int code, const char *verdict, const char *path) {
    json_t *root = RUN_JSON(code, "check", path);
    const json_t *pair = pair_of(root, "a", "b");
    check_that(strcmp(text_at(pair, "verdict"), verdict) == 0, "%s: %s, truth %s", path, text_at(pair, "verdict"),
               verdict);
    check_that(json_is_true(json_object_get(pair, "at_rest")) == (code == 1), "%s: at rest", path);
    json_decref(root);
}

#define COLLISION(file, xyz, rpy)                                                                                      \
    "<collision><origin xyz='" xyz "' rpy='" rpy "'/><geometry><mesh filename='" file "'/></geometry></collision>"

/* None reaches into the other, as their surfaces are one; and all of one is in the other. */
static void a_body_that_two_links_have_at_one_place_collides(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "box", -0.5, -0.25, 0, 0.5, 0.25, 1);
    obj_write(&o, "box.obj");
    obj_box(&o, "box", -0.5, -0.25, 0, 0.5, 0.25, 1);
    char *rim = strstr(o.text, "f ");
    assert_non_null(rim); /* without its first face */
    char text[2000];
    const char *face_end = strchr(rim, '\n');
    snprintf(text, sizeof text, "%.*s%s", (int)(rim - o.text), o.text, face_end);
    write_text("open.obj", text);
    free(o.text);
    const char *box = COLLISION("box.obj", "0 0 0", "0 0 0"),
               *turned = COLLISION("box.obj", "0 0 0", "0 0 3.141592653589793");
    expect_verdict(1, "always", two_links("same.urdf", box, box));
    expect_verdict(1, "always", two_links("turned.urdf", box, turned)); /* the same body, by symmetry */
    expect_verdict(1, "always",
                   two_links("one_of_two.urdf",
                             COLLISION("box.obj", "0 0 0", "0 0 0") COLLISION("box.obj", "3 0 0", "0 0 0"),
                             COLLISION("box.obj", "3 0 0", "0 0 0")));
    expect_verdict(0, "touching", two_links("on_top.urdf", box, COLLISION("box.obj", "0 0 1", "0 0 0")));
    expect_verdict(0, "touching", two_links("beside.urdf", box, COLLISION("box.obj", "1 0 0.5", "0 0 0")));
    const char *open = COLLISION("open.obj", "0 0 0", "0 0 0");
    expect_verdict(1, "always", two_links("open.urdf", open, open));
    expect_verdict(0, "touching", two_links("open_on_face.urdf", box, COLLISION("open.obj", "0 0 1", "0 0 0")));
    write_text("sheet.obj", "v -0.4 -0.2 1\nv 0.4 -0.2 1\nv 0.4 0.2 1\nv -0.4 0.2 1\nf 1 2 3\nf 1 3 4\n");
    expect_verdict(0, "touching", two_links("sheet.urdf", box, COLLISION("sheet.obj", "0 0 0", "0 0 0"))); /* on it */
    expect_verdict(0, "touching", two_links("open_on_open.urdf", open, COLLISION("open.obj", "0 0 1", "0 0 0")));
    EXPECT(1, NULL, "check", two_links("in_cell.urdf", box, COLLISION("box.obj", "5 0 0", "0 0 0")), "--cell",
           "box.obj", "--unit", "m", "--up", "z");
    EXPECT(0, NULL, "check", "in_cell.urdf", "--cell", "box.obj", "--unit", "m", "--up", "z", "--ignore", "a");
    EXPECT(1, NULL, "check", "same.urdf", "--report", "same.html");
}

/* Three balls of radius 0.1 at x = 0, 0.5 and 1: of the outer ones, which no joint connects, 0.8 lie between. A wall
 * stands 0.2 from the first, 0.7 from the second. */
static const char *three_balls(void) {
    obj o = {0};
    obj_box(&o, "wall", -0.4, -1, -1, -0.3, 1, 1);
    obj_write(&o, "wall.obj");
    return write_text(
        "balls.urdf",
        "<robot name='balls'>\n"
        "<link name='a'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>\n"
        "<link name='b'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>\n"
        "<link name='c'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>\n"
        "<joint name='j' type='fixed'><parent link='a'/><child link='b'/><origin xyz='0.5 0 0'/></joint>\n"
        "<joint name='k' type='fixed'><parent link='b'/><child link='c'/><origin xyz='0.5 0 0'/></joint>\n</robot>\n");
}

/* The value that names a link counts for it, wherever it stands; of several the last. */
static void links_have_values_of_their_own(void **state) {
    (void)state;
    const char *path = three_balls();
    static const struct {
        int code;
        const char *option, *first, *second;
    } cases[] = {
        {0, "--padding", "a=399.9mm", "c=400mm"},  {1, "--padding", "a=400.1mm", "c=400mm"},
        {0, "--padding", "a=799.9mm", "b=10m"},    {1, "--padding", "a=800.1mm", "b=10m"},
        {1, "--padding", "[ac]=400.1mm", "b=10m"}, {0, "--padding", "500mm", "a=299.9mm"},
        {0, "--padding", "a=299.9mm", "500mm"},    {1, "--padding", "a=300.1mm", "500mm"},
        {0, "--padding", "[a]=10m", "a=10mm"},     {1, "--padding", "10m", "a=0mm"},
        {0, "--link-scale", "a=5", "c=4.99"},      {1, "--link-scale", "a=5", "c=5.01"},
        {0, "--link-scale", "5.01", "a=4.98"},     {1, "--link-scale", "a=8.99", "1.02"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        EXPECT(cases[i].code, NULL, "check", path, cases[i].option, cases[i].first, cases[i].option, cases[i].second);
    EXPECT(2, "--padding is given twice for a\n", "check", path, "--padding", "a=10m", "--padding", "a=10mm");
    EXPECT(2, "--padding is given twice for all links\n", "check", path, "--padding", "1mm", "--padding", "2mm");
    EXPECT(2, "--link-scale is given twice for a\n", "check", path, "--link-scale", "a=2", "--link-scale", "a=2");
    EXPECT(2, "--padding: 'd' matches no link\n", "check", path, "--padding", "d=1mm"); /* none is like it */
    EXPECT(2, "--link-scale: 'd' matches no link", "check", path, "--link-scale", "d=2");
    EXPECT(2, "--padding: '=1mm' names no link", "check", path, "--padding", "=1mm");
    EXPECT(2,
           "--padding: 'much' is not a length: write a number and a unit, such as 5mm (--padding LENGTH, or "
           "LINK=LENGTH for some links)\n",
           "check", path, "--padding", "a=much");
    EXPECT(2, "--padding: 'a' is not a length: write a number and a unit, such as 5mm (--padding LENGTH, or ", "check",
           path, "--padding", "5mm=a");
    EXPECT(2, "--link-scale: '0' is not a factor above zero", "check", path, "--link-scale", "a=0");
}

/* What is attached is padded as its link is: a tool that reaches to x = -0.25 is 0.05 off the wall. */
static void padding_may_be_against_the_cell_alone(void **state) {
    (void)state;
    const char *path = three_balls();
    EXPECT(1, NULL, "check", path, "--cell", "wall.obj", "--up", "z", "--padding", "410mm", "--allow", "a:wall");
    EXPECT(0, NULL, "check", path, "--cell", "wall.obj", "--up", "z", "--padding", "410mm", "--allow", "a:wall",
           "--padding-against", "cell");
    EXPECT(1, NULL, "check", path, "--cell", "wall.obj", "--up", "z", "--padding", "210mm", "--padding-against",
           "cell");
    EXPECT(1, NULL, "check", path, "--cell", "wall.obj", "--up", "z", "--padding", "410mm", "--allow", "a:wall",
           "--padding-against", "all");
    obj o = {0};
    obj_box(&o, "tool", -0.25, -0.1, -0.1, -0.05, 0.1, 0.1);
    obj_write(&o, "tool.obj");
    EXPECT(0, NULL, "check", path, "--cell", "wall.obj", "--up", "z", "--attach", "tool.obj@a", "--padding", "a=49mm");
    EXPECT(1, NULL, "check", path, "--cell", "wall.obj", "--up", "z", "--attach", "tool.obj@a", "--padding", "a=51mm");
    EXPECT(2, "'wall' is neither cell nor all", "check", path, "--padding", "1mm", "--padding-against", "wall");
    EXPECT(2, "needs --padding and --cell", "check", path, "--padding", "1mm", "--padding-against", "cell");
}

/* The answer is given all the same: it says why of each pair. */
static void a_check_of_no_pair_is_no_success(void **state) {
    (void)state;
    const char *path = three_balls();
    write_text("all.srdf", "<robot name='balls'><disable_collisions link1='a' link2='c'/></robot>");
    EXPECT(2,
           "nothing was checked: 1 pair disabled by the SRDF, 2 pairs adjacent, which a joint connects (--adjacent "
           "checks them)",
           "check", path, "--srdf", "all.srdf");
    EXPECT(0, NULL, "check", path, "--srdf", "all.srdf", "--adjacent");
    write_text("all.srdf",
               "<robot name='balls'><disable_collisions link1='a' link2='c'/>"
               "<disable_collisions link1='a' link2='b'/><disable_collisions link1='c' link2='b'/></robot>");
    EXPECT(2, "nothing was checked: all 3 pairs are disabled by the SRDF", "check", path, "--srdf", "all.srdf",
           "--adjacent", "--configurations", "10");
    EXPECT(0, NULL, "check", path, "--srdf", "all.srdf", "--adjacent", "--cell", "wall.obj", "--up", "z");
    write_text("rest.csv", "time\n0\n1\n");
    run r = RUN("check", path, "--srdf", "all.srdf", "--adjacent", "--trajectory", "rest.csv");
    check_that(r.code == 2 && !strstr(r.out, "comes nearer"), "exit %d: %s", r.code, r.out);
    run_free(&r);
    json_t *root = RUN_JSON(2, "check", path, "--srdf", "all.srdf", "--adjacent");
    const json_t *counts = json_object_get(root, "counts");
    check_that(number_at(counts, "checked") == 0 && number_at(counts, "disabled") == 3, "%g checked, %g disabled",
               number_at(counts, "checked"), number_at(counts, "disabled"));
    json_decref(root);
    EXPECT(2, "nothing was checked: there are no two links or parts to compare", "check", path, "--ignore", "b",
           "--ignore", "c");
}

/* What was written is read back: nothing that always collides is checked again, what is sometimes in collision is. */
static void an_srdf_is_written_and_read_back(void **state) {
    (void)state;
    simple_robot();
    write_text("simple.srdf", "<robot name='s'>\n<!-- kept -->\n<group name='one'><link name='left'/></group>\n"
                              "<disable_collisions link1='lid' link2='root' reason='User'/>\n</robot>\n");
    EXPECT(1, "13 pairs added: 6 Adjacent, 1 Always, 0 Default, 6 Never", "check", "simple.urdf", "--srdf",
           "simple.srdf", "--configurations", "2000", "--write-srdf", "out.srdf");
    json_t *root = RUN_JSON(1, "check", "simple.urdf", "--srdf", "out.srdf", "--configurations", "1000", "--adjacent");
    const struct {
        const char *a, *b, *reason;
    } pairs[] = {{"lid", "root", "User"},   {"lid", "cap", "Adjacent"}, {"root", "left", "Adjacent"},
                 {"lid", "pole", "Always"}, {"root", "right", "Never"}, {"lid", "right", "Never"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *reason = text_at(pair_of(root, pairs[i].a, pairs[i].b), "reason");
        check_that(reason && strcmp(reason, pairs[i].reason) == 0, "%s and %s: %s", pairs[i].a, pairs[i].b,
                   reason ? reason : "none");
    }
    assert_string_equal(text_at(pair_of(root, "left", "right"), "status"), "checked");
    json_decref(root);
    char text[8192] = {0};
    FILE *file = fopen(scratch_path("out.srdf"), "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    check_that(strstr(text, "<!-- kept -->") && strstr(text, "<group name=\"one\">"), "%s", text);
    /* Without one before; and in place of itself it is refused. */
    EXPECT(1, "pairs added", "check", "simple.urdf", "--configurations", "10", "--write-srdf", "new.srdf");
    EXPECT(2, "would replace the input simple.srdf", "check", "simple.urdf", "--srdf", "simple.srdf",
           "--configurations", "10", "--write-srdf", "./simple.srdf");
    write_ball("ball.obj", 0.1, 0.6);
    write_text("m.urdf", "<robot name='m'><link name='a'><collision><geometry><mesh filename='ball.obj'/></geometry>"
                         "</collision></link></robot>");
    EXPECT(2, "--write-srdf ball.obj would replace", "check", "m.urdf", "--configurations", "10", "--write-srdf",
           "ball.obj");
    EXPECT(2, "would replace the input arm.glb", "check", "m.urdf", "--configurations", "10", "--cell", "arm.glb",
           "--write-srdf", write_text("arm.glb", "x") ? "arm.glb" : "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counts_are_those_of_brute_force),
        cmocka_unit_test(padding_is_a_distance),
        cmocka_unit_test(threads_do_not_show_and_seeds_do),
        cmocka_unit_test(states_limits_and_reasons),
        cmocka_unit_test(states_of_one_name_are_both_looked_at),
        cmocka_unit_test(a_cell_is_not_padded),
        cmocka_unit_test(a_body_that_two_links_have_at_one_place_collides),
        cmocka_unit_test(touching_is_shown_without_what_poses_round),
        cmocka_unit_test(a_planning_group_moves_its_joints_alone),
        cmocka_unit_test(links_have_values_of_their_own),
        cmocka_unit_test(padding_may_be_against_the_cell_alone),
        cmocka_unit_test(a_check_of_no_pair_is_no_success),
        cmocka_unit_test(an_srdf_is_written_and_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
