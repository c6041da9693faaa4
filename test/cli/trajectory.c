/* A robot on its way through the rows of a table: collisions between the rows at the time that arithmetic says, least
 * distances, and nothing that brute force finds is missed. */
#include "cli/arm.h"

#include <math.h>

/* A ball of radius 0.1 on an arm of length 1 that turns about z: 0.4 of it by a fixed joint, 0.5 by a slide, 0.1 by the
 * place of the ball; two more that stand: one at the same distance under 1 radian, one at 1.5 under 2 radians; a slide
 * with a box of 0.2. */
static const char *robot_in_a_ring(void) {
    return write_text(
        "ring.urdf",
        "<robot name='ring'>\n<link name='root'><collision><origin xyz='0 0 -5'/><geometry><box size='1 1 0.1'/>"
        "</geometry></collision></link>\n<link name='boom'/>\n<link name='jib'/>\n"
        "<link name='ball'><collision><origin xyz='0.1 0 0'/><geometry><sphere radius='0.1'/></geometry></collision>"
        "</link>\n"
        "<link name='near'><collision><origin xyz='1 0 0'/><geometry><sphere "
        "radius='0.1'/></geometry></collision></link>\n"
        "<link name='far'><collision><origin xyz='1.5 0 0'/><geometry><sphere "
        "radius='0.1'/></geometry></collision></link>\n"
        "<link name='box'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>\n"
        "<joint name='b' type='continuous'><parent link='root'/><child link='boom'/><axis xyz='0 0 1'/></joint>\n"
        "<joint name='m' type='fixed'><parent link='boom'/><child link='jib'/><origin xyz='0.4 0 0'/></joint>\n"
        "<joint name='e' type='prismatic'><parent link='jib'/><child link='ball'/><limit lower='0.5' "
        "upper='2'/></joint>\n"
        "<joint name='n' type='fixed'><parent link='post'/><child link='near'/><origin rpy='0 0 1'/></joint>\n"
        "<joint name='f' type='fixed'><parent link='post'/><child link='far'/><origin rpy='0 0 2'/></joint>\n"
        "<link name='post'><collision><origin xyz='0 0 -4'/><geometry><box size='0.1 0.1 0.1'/></geometry></collision>"
        "</link><joint name='p' type='fixed'><parent link='root'/><child link='post'/></joint>\n"
        "<joint name='s' type='prismatic'><parent link='root'/><child link='box'/><origin xyz='10 0 0'/><axis xyz='0 1 "
        "0'/><limit lower='-20' upper='20'/></joint>\n</robot>\n");
}

static const json_t *way_of(const json_t *root, const char *a, const char *b) {
    size_t n;
    json_t *pair;
    json_array_foreach(json_object_get(json_object_get(root, "trajectory"), "pairs"), n,
                       pair) if (strcmp(text_at(pair, "a"), a) == 0 && strcmp(text_at(pair, "b"), b) == 0) return pair;
    return NULL;
}

/* From angle to angle in the times 10 to 14: the balls touch where the angle between them is 2 asin(0.1). In most rows
 * they are apart. The third comes straight at the other: what was free but for a tenth of its way is not free. */
static void a_collision_between_two_rows_has_its_time(void **state) {
    (void)state;
    static const double ways[][2] = {{0, 2}, {-2.4, 1.4}, {-0.02, 0.82}, {-4, 1.3}, {-5, 0.9}};
    robot_in_a_ring();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[100];
        snprintf(text, sizeof text, "time,b,s\n10,%g,0\n14,%g,0\n", ways[i][0], ways[i][1]);
        write_text("way.csv", text);
        json_t *root = RUN_JSON(1, "check", "ring.urdf", "--trajectory", "way.csv");
        const json_t *pair = way_of(root, "ball", "near");
        check_that(pair && strcmp(text_at(pair, "verdict"), "collides") == 0, "from %g to %g: not met", ways[i][0],
                   ways[i][1]);
        const double truth = 10 + 4 * (1 - 2 * asin(0.1) - ways[i][0]) / (ways[i][1] - ways[i][0]);
        const double until = number_at(pair, "free_until"), at = number_at(pair, "meets_at");
        /* A millionth of the robot's size, 13 m, is 1.3e-5 m of way, of at least 0.84 rad in 4 s: 7e-5 s. */
        check_that(until <= truth && until > truth - 2e-4, "free until %.9g, in truth until %.9g", until, truth);
        check_that(at >= truth - 1e-12 && at < truth + 2e-4, "meets at %.9g, in truth at %.9g", at, truth);
        json_decref(root);
    }
}

/* Past the ball at 1.5 under 2 radians: 0.5 - 0.2 apart at angle 2, from 0 to 3.5 with the near one left out. */
static void the_least_distance_and_its_time(void **state) {
    (void)state;
    robot_in_a_ring();
    write_text("way.csv", "time,b,s\n0,1.3,0\n22,3.5,0\n");
    json_t *root = RUN_JSON(0, "check", "ring.urdf", "--trajectory", "way.csv");
    const json_t *pair = way_of(root, "ball", "far");
    assert_non_null(pair);
    assert_string_equal(text_at(pair, "verdict"), "free");
    const double least = number_at(pair, "least"), at = number_at(pair, "least_at");
    const double at_least = number_at(pair, "at_least");
    check_that(least >= 0.3 - 1e-12 && least <= 0.3 / 0.99, "%g apart", least);
    check_that(at_least <= 0.3 && at_least >= 0.3 * 0.98, "at least %g apart", at_least);
    /* The gap grows by 1.5 / 2 / 0.5 of the square of the angle: a hundredth is reached within 0.05 radians. */
    check_that(fabs(at - 7) < 0.5, "at %g", at);
    json_decref(root);
}

/* Straight at something, and stopped short of it: the least distance is that of the last row, and what is told that it
 * is at least is no more. */
static void what_stops_short_is_least_at_its_end(void **state) {
    (void)state;
    robot_in_a_ring();
    obj o = {0};
    obj_box(&o, "wall", 9, 3, -1, 11, 3.5, 1);
    obj_write(&o, "wall.obj");
    char text[100];
    const double turned = 2 * asin(0.1) + 0.1; /* left between the balls */
    const double gaps[2] = {2 * sin(turned / 2) - 0.2, 0.1};
    snprintf(text, sizeof text, "b,s\n0,0\n%.17g,2.8\n", 1 - turned);
    write_text("way.csv", text);
    json_t *root =
        RUN_JSON(0, "check", "ring.urdf", "--trajectory", "way.csv", "--cell", "wall.obj", "--up", "z", "--unit", "m");
    const json_t *pairs[2] = {way_of(root, "ball", "near"), way_of(root, "box", "wall")};
    for (int i = 0; i < 2; i++) {
        assert_non_null(pairs[i]);
        const double least = number_at(pairs[i], "least"), at_least = number_at(pairs[i], "at_least");
        check_that(least >= gaps[i] && least <= gaps[i] / 0.99 + 2e-5, "pair %d: %.9g, in truth %.9g", i, least,
                   gaps[i]);
        check_that(at_least <= gaps[i] && at_least >= 0.98 * gaps[i] - 2e-5, "pair %d: at least %.9g, in truth %.9g", i,
                   at_least, gaps[i]);
    }
    json_decref(root);
}

/* A slide moves by its value, whatever that is: at 0.0 the ball's link, at rest 9 m away; nothing turns it. */
static void a_slide_meets_a_part_of_the_cell(void **state) {
    (void)state;
    robot_in_a_ring();
    obj o = {0};
    obj_box(&o, "wall", 9, 3, -1, 11, 3.5, 1);
    obj_write(&o, "wall.obj");
    /* The box's front is at s + 0.1, the wall at 3: met at s = 2.9, which is row 0 and 0.29 of the way to 10. */
    write_text("way.csv", "s\n0\n10\n0\n");
    json_t *root =
        RUN_JSON(1, "check", "ring.urdf", "--trajectory", "way.csv", "--cell", "wall.obj", "--up", "z", "--unit", "m");
    const json_t *pair = way_of(root, "box", "wall");
    assert_non_null(pair);
    const double at = number_at(pair, "meets_at");
    check_that(fabs(at - 0.29) < 3e-6 && number_at(pair, "steps") == 2, "meets at row %.9g, in %g steps", at,
               number_at(pair, "steps"));
    json_decref(root);
    /* An OBJ has y up unless told: then the wall stands at z = 3 ... 3.5, and the box passes under it. */
    root = RUN_JSON(0, "check", "ring.urdf", "--trajectory", "way.csv", "--cell", "wall.obj", "--unit", "m");
    check_that(way_of(root, "box", "wall") == NULL ||
                   strcmp(text_at(way_of(root, "box", "wall"), "verdict"), "free") == 0,
               "the box meets a wall above it");
    json_decref(root);
}

/* Random ways of the arm: what many looks at each step find is found, and no later. */
static void brute_force_finds_nothing_more(void **state) {
    (void)state;
    enum { ROWS = 5, LOOKS = 60 };
    arm_truth truth;
    make_arm(&truth);
    rng r = rng_start("ways", 18);
    const int ways = samples(2, 60);
    int met = 0, passed = 0, open = 0;
    for (int n = 0; n < ways; n++) {
        double rows[ROWS][JOINTS];
        char text[2000], *at = text;
        at += sprintf(at, "j0,j1,j2,j3,j4,j5,j6\n");
        for (int k = 0; k < ROWS; k++) {
            for (int i = 0; i < JOINTS - 1; i++) {
                const double span = arm[i].upper - arm[i].lower;
                const double share = k == 0 ? rng_unit(&r) : 0.15 * (rng_unit(&r) - 0.5);
                rows[k][i] = k == 0 ? arm[i].lower + share * span : rows[k - 1][i] + share * span;
                rows[k][i] = fmin(fmax(rows[k][i], arm[i].lower), arm[i].upper);
                at += sprintf(at, "%s%.17g", i > 0 ? "," : "", rows[k][i]);
            }
            rows[k][JOINTS - 1] = follow_factor * rows[k][JOINTS - 2] + follow_offset;
            at += sprintf(at, "\n");
        }
        write_text("way.csv", text);
        const char *const arguments[] = {"check", truth.path, "--trajectory", "way.csv", "--format", "json", NULL};
        run out = run_command(arguments);
        json_t *root = json_loads(out.out, 0, NULL);
        check_that(root != NULL, "%s", out.err);
        for (int a = 0; a < LINKS; a++)
            for (int b = a + 1; b < LINKS; b++) {
                if (arm[b - 1].parent == a) continue;
                char names[2][4];
                snprintf(names[0], 4, "l%d", a), snprintf(names[1], 4, "l%d", b);
                const json_t *pair = way_of(root, names[0], names[1]);
                const char *verdict = pair ? text_at(pair, "verdict") : "free";
                const double until = strcmp(verdict, "free") == 0 ? ROWS : number_at(pair, "free_until");
                const double far = number_at(json_object_get(root, "trajectory"), "looked_for");
                const double told =
                    pair && json_is_number(json_object_get(pair, "least")) ? number_at(pair, "least") : far;
                const double at_least = pair ? number_at(pair, "at_least") : far;
                double least = CM_REAL_MAX;
                met += strcmp(verdict, "collides") == 0, open += strcmp(verdict, "open") == 0;
                passed += pair && strcmp(verdict, "free") == 0;
                for (int k = 0; k < (ROWS - 1) * LOOKS; k++) {
                    const double time = (double)k / LOOKS, u = time - floor(time);
                    const int row = (int)time;
                    double values[JOINTS];
                    matrix frames[LINKS];
                    for (int i = 0; i < JOINTS; i++) values[i] = rows[row][i] + u * (rows[row + 1][i] - rows[row][i]);
                    if (time >= until && pair) break;
                    if (k % 10 != 0 && !pair) continue; /* far apart: fewer looks */
                    place_arm(values, frames);
                    least = fmin(least, truth_distance(&truth, frames, a, b, 2 * far));
                    check_that(least > 0, "links %d and %d meet at %g, said to be free until %g", a, b, time, until);
                }
                if (strcmp(verdict, "free") == 0)
                    check_that((told <= least / 0.99 + 1e-5 && at_least <= least) || (!pair && least >= far),
                               "links %d and %d come to %g, not %g", a, b, least, told);
                if (strcmp(verdict, "collides") == 0) {
                    const double time = number_at(pair, "meets_at");
                    const int row = time >= ROWS - 1 ? ROWS - 2 : (int)time;
                    double values[JOINTS];
                    matrix frames[LINKS];
                    for (int i = 0; i < JOINTS; i++)
                        values[i] = rows[row][i] + (time - row) * (rows[row + 1][i] - rows[row][i]);
                    place_arm(values, frames);
                    const double gap = truth_distance(&truth, frames, a, b, 1);
                    check_that(gap < 1e-9, "links %d and %d are %g apart at %g, said to meet there", a, b, gap, time);
                    check_that(time - until >= 0 && time - until < 0.01, "meets at %g, free until %g", time, until);
                }
            }
        json_decref(root);
        run_free(&out);
    }
    check_that(met > 0 && passed > 0 && open == 0, "%d met, %d passed, %d open", met, passed, open);
    cm_mesh_destroy(truth.mesh, NULL);
}

/* A box that slides along a face of another, in touch or next to it: it touches, or it is free, or it is said to be
 * open; the work is bounded. */
static void what_slides_next_to_a_face_ends(void **state) {
    (void)state;
    write_text("slide.urdf",
               "<robot name='s'><link name='root'><collision><origin xyz='9 9 9'/><geometry><sphere radius='1'/>"
               "</geometry></collision></link><link name='rail'><collision><geometry><box size='1 1 1'/></geometry>"
               "</collision></link><link name='car'><collision><geometry><box size='0.1 0.1 0.1'/></geometry>"
               "</collision></link><joint name='r' type='fixed'><parent link='root'/><child link='rail'/></joint>"
               "<joint name='x' type='prismatic'><parent link='root'/><child link='car'/><origin xyz='0 0 0.55'/>"
               "<limit lower='-1' upper='1'/></joint><joint name='c' type='prismatic'><parent link='car'/><child "
               "link='cab'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint><link name='cab'/></robot>");
    char text[4000];
    FILE *file = fopen(scratch_path("slide.urdf"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char *place = strstr(text, "0 0 0.55");
    const struct {
        const char *height, *verdict;
    } cases[] = {{"0 0 0.54", "collides"}, {"0 0 0.56", "free"}, {"0 0 .551", "free"}};
    for (int i = 0; i < 3; i++) {
        memcpy(place, cases[i].height, 8);
        write_text("slide.urdf", text);
        write_text("way.csv", "x\n-0.3\n0.3\n");
        json_t *root = RUN_JSON(i == 0, "check", "slide.urdf", "--trajectory", "way.csv");
        const json_t *pair = way_of(root, "rail", "car");
        assert_non_null(pair);
        check_that(strcmp(text_at(pair, "verdict"), cases[i].verdict) == 0, "%s: %s", cases[i].height,
                   text_at(pair, "verdict"));
        json_decref(root);
    }
    /* A millionth of a millimetre: nearer than what is resolved, so that nobody is told that it is free. */
    char *thin = strstr(text, "0 0 .551");
    memcpy(thin, "0 0 0.55", 8);
    memmove(thin + 17, thin + 8, strlen(thin + 8) + 1);
    memcpy(thin + 8, "000000001", 9);
    write_text("slide.urdf", text);
    json_t *root = RUN_JSON(1, "check", "slide.urdf", "--trajectory", "way.csv");
    const json_t *pair = way_of(root, "rail", "car");
    assert_non_null(pair);
    assert_string_equal(text_at(pair, "verdict"), "open");
    check_that(number_at(pair, "free_until") == 0, "free until %g", number_at(pair, "free_until"));
    json_decref(root);
}

static void tables_that_are_wrong_are_refused(void **state) {
    (void)state;
    robot_in_a_ring();
    static const struct {
        const char *text, *says;
        int code;
    } cases[] = {
        {"", "has no line with the names of joints", 2},
        {"b,x\n0,0\n", "way.csv:1: 'x' is neither `time` nor a joint", 2},
        {"b,b\n0,0\n", "way.csv:1: a second column 'b'", 2},
        {"time,b\n", "has no rows", 2},
        {"b,s\n0\n", "way.csv:2: has 1 fields, and the first line 2", 2},
        {"b,s\n0,0,0\n", "way.csv:2: has more fields", 2},
        {"b,s\n0,\n", "way.csv:2: field 2 is not a number", 2},
        {"b,s\n0,nan\n", "way.csv:2: field 2 is not a number", 2},
        {"b,s\n0,1e10\n", "way.csv:2: field 2 is not a number", 2},
        {"time,b,s\n1,0,0\n1,0,0\n", "way.csv:3: its time is not after", 2},
        {"time,b\n1,2\n", "warning: way.csv: joints without a column rest: e, s", 0},
        {"b,s,n\n2,0,0\n", "the column of joint 'n' is not used: it does not move", 0},
        {"b,s\r\n2,21\r\n", "way.csv:2: joint 's' at 21, beyond its limits -20 to 20", 0},
        {"\"b\", s\n\n 2 , 0\n", "", 0},
        {"\xef\xbb\xbf"
         "b,s\n2,0\n",
         "", 0}, /* as Excel writes it */
        {"b;s\n2;0\n", "way.csv:1: 'b;s' is neither `time` nor a joint of the robot (commas part the columns", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_text("way.csv", cases[i].text);
        EXPECT(cases[i].code, cases[i].says, "check", "ring.urdf", "--trajectory", "way.csv");
    }
    EXPECT(2, "none.csv: no such file", "check", "ring.urdf", "--trajectory", "none.csv");
    write_text("way.csv", "time,sholder\n0,0\n1,1\n");
    EXPECT(2, "neither `time` nor a joint of the robot (did you mean 'shoulder'?)", "check",
           SOURCE_SCENES "/robot/arm.urdf", "--trajectory", "way.csv");
    EXPECT(2, "would replace the input way.csv", "check", "ring.urdf", "--trajectory", "way.csv", "--configurations",
           "1", "--write-srdf", "way.csv");
}

static void threads_do_not_show(void **state) {
    (void)state;
    arm_truth truth;
    make_arm(&truth);
    char text[8000], *at = text;
    rng r = rng_start("ways", 3);
    at += sprintf(at, "time,j0,j1,j2,j3,j4,j5,j6\n");
    for (int k = 0; k < 5; k++) {
        at += sprintf(at, "%d", k);
        for (int i = 0; i < JOINTS - 1; i++)
            at += sprintf(at, ",%g", arm[i].lower + rng_unit(&r) * (arm[i].upper - arm[i].lower));
        at += sprintf(at, "\n");
    }
    write_text("way.csv", text);
    run one = RUN("check", truth.path, "--trajectory", "way.csv", "--format", "json", "--threads", "1");
    run four = RUN("check", truth.path, "--trajectory", "way.csv", "--format", "json", "--threads", "4");
    check_that(strcmp(one.out, four.out) == 0 && strstr(one.out, "collides"), "%s\n%s", one.out, four.out);
    run_free(&one), run_free(&four);
    cm_mesh_destroy(truth.mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_collision_between_two_rows_has_its_time),
        cmocka_unit_test(the_least_distance_and_its_time),
        cmocka_unit_test(what_stops_short_is_least_at_its_end),
        cmocka_unit_test(a_slide_meets_a_part_of_the_cell),
        cmocka_unit_test(brute_force_finds_nothing_more),
        cmocka_unit_test(what_slides_next_to_a_face_ends),
        cmocka_unit_test(tables_that_are_wrong_are_refused),
        cmocka_unit_test(threads_do_not_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
