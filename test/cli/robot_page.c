/* The page of carom check --report of a robot, in a real browser: which configurations it plays, in which order, that
 * what is drawn is where the joints say, and what it says of a trajectory. CAROM_PICTURES names a folder to save
 * pictures to. */
#include "command.h"
#include "page_look.h"

#include "robot/kinematics.h"

#include <math.h>

static int open_all(void **state) {
    (void)state;
    return look_open("play_page.js");
}
static double ask(const char *format, double value) {
    char text[400];
    snprintf(text, sizeof text, format, value);
    return ask_number(text);
}

/* A ball of radius 0.1 on an arm of length 1 that turns about z between two angles; one that stands at 0.3 radians
 * and 1.1 from the axis, where it is met less deeply, and one at 3. */
static const char *write_clock(double lower, double upper) {
    char text[2048];
    snprintf(text, sizeof text,
             "<robot name='clock'><link name='root'><collision><origin xyz='0 0 -1'/><geometry><box size='1 1 0.1'/>"
             "</geometry></collision></link>"
             "<link name='hand'><collision><origin xyz='1 0 0'/><geometry><sphere radius='0.1'/></geometry></collision>"
             "<collision><origin xyz='0.5 0 0'/><geometry><box size='0.2 0.02 0.02'/></geometry></collision></link>"
             "<link name='side'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
             "<link name='three'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
             "<joint name='turn' type='revolute'><parent link='root'/><child link='hand'/><axis xyz='0 0 1'/>"
             "<limit lower='%g' upper='%g'/></joint>"
             "<joint name='z' type='fixed'><parent link='root'/><child link='side'/><origin xyz='1.0508701380381667 "
             "0.3250722273274736 0'/></joint>"
             "<joint name='t' type='fixed'><parent link='root'/><child link='three'/>"
             "<origin xyz='-0.9899924966004454 0.1411200080598672 0'/></joint></robot>",
             lower, upper);
    return write_text("clock.urdf", text);
}
/* The distance of the hand's ball from the nearer of the two. */
static double gap_at(double turn) {
    return fmin(2 * fabs(sin((turn - 3) / 2)), sqrt(1 + 1.21 - 2.2 * cos(turn - 0.3))) - 0.2;
}

/* Is the hand drawn where the joint has this value? Its box: that of the ball, and of the bar. */
static void hand_is_drawn_at(double turn) {
    json_t *box = browser_eval(chrome, "look.drawnBox('hand')");
    const double x = cos(turn), reach = 0.1 * fabs(x) + 0.01 * fabs(sin(turn)), bar = 0.5 * x;
    const double low = fmin(x - 0.1, bar - reach), high = fmax(x + 0.1, bar + reach);
    check_that(fabs(json_number_value(json_array_get(box, 0)) - low) < 1e-3 &&
                   fabs(json_number_value(json_array_get(box, 3)) - high) < 1e-3,
               "at %g drawn from %g to %g, not %g to %g", turn, json_number_value(json_array_get(box, 0)),
               json_number_value(json_array_get(box, 3)), low, high);
    json_decref(box);
}

static void the_worst_configurations_are_played(void **state) {
    (void)state;
    if (!chrome) skip();
    const char *page = scratch_path("worst.html");
    write_clock(0.15, 3.1); /* rests at 0.15, in collision */
    json_t *root = RUN_JSON(1, "check", "clock.urdf", "--configurations", "1000", "--report", page, "--worst", "12");
    look_at(page, "", 1280, 800, BROWSER_CALM);
    assert_int_equal(ask_number("carom.play.robot.names.length"), 13);
    expect_text("carom.play.robot.names[0]", "rest");
    expect_text("document.getElementById('clock').innerText", "2 of 13"); /* it opens at the worst */
    /* Both pairs' deepest are there, named, with their depth; the shared one of the two lists is found by its name. */
    size_t n;
    json_t *pair;
    int found = 0;
    json_array_foreach(json_object_get(root, "pairs"), n, pair) {
        const json_t *worst = json_object_get(pair, "worst");
        char text[600];
        if (!json_is_object(worst)) continue;
        snprintf(text, sizeof text,
                 "carom.play.list.filter((e) => e.a.name === '%s' && e.b.name === '%s' && e.kind === 'hit' && "
                 "carom.play.robot.names[e.step] === '%s' && Math.abs(e.depth + %.17g) < 1e-6).length",
                 text_at(pair, "a"), text_at(pair, "b"), text_at(worst, "configuration"), number_at(worst, "distance"));
        check_that(ask_number(text) == 1, "%s and %s: not in %s", text_at(pair, "a"), text_at(pair, "b"),
                   text_at(worst, "configuration"));
        found++;
    }
    assert_int_equal(found, 2);
    double before = -1;
    for (int f = 1; f < 13; f++) { /* the worst first; nothing moves between two of them */
        const double turn = ask("carom.play.robot.values[%g][0]", f);
        const double least = gap_at(turn), told = ask("carom.play.gaps[%g][0]", f);
        check_that(fabs(told - least) < 1e-9 && told >= before, "frame %d: %.9g, in truth %.9g; %g before", f, told,
                   least, before);
        before = told;
        ask("(carom.seek(%g), 0)", f + 0.6 * (f < 12));
        hand_is_drawn_at(turn);
        /* What flashes is of this one alone. */
        check_that(ask("(carom.seek(%g), carom.view.layer.bursts.lists.age.count)", f) == 1, "frame %d", f);
    }
    expect_text("document.getElementById('clock').innerText", "sample ");
    click_at("look.rows()[1]");
    expect_text("document.getElementById('details').innerText", "turn");
    expect_text("document.getElementById('details').innerText", "They collide in this configuration.");
    assert_true(holds("look.arrived()"));
    picture("robot-worst");
    no_complaints();
    json_decref(root);
}

/* From 0.5 to 2.5 nothing collides: of each 32 samples the nearest may be played, and the nearest of all is. */
static void where_nothing_collides_the_nearest_are_played(void **state) {
    (void)state;
    if (!chrome) skip();
    const char *path = write_clock(0.5, 2.5), *page = scratch_path("near.html");
    EXPECT(0, NULL, "check", "clock.urdf", "--configurations", "320", "--report", page);
    robot r;
    assert_int_equal(robot_read(path, &r), 0);
    double nearest = 9;
    for (uint32_t k = 0; k < 320; k++) {
        double values[3];
        robot_sample(&r, NULL, 1, k, values);
        nearest = fmin(nearest, gap_at(values[0]));
    }
    robot_free(&r);
    look_at(page, "", 640, 480, BROWSER_CALM);
    assert_int_equal(ask_number("carom.play.times.length"), 11); /* rest, and one of each block */
    const double told = ask_number("carom.play.gaps[1][0]");
    check_that(fabs(told - nearest) < 1e-9, "%.9g, in truth %.9g", told, nearest);
    assert_true(holds("carom.play.list.every((e) => e.kind === 'stayed' && Math.abs(e.depth + "
                      "carom.play.gaps[e.step][0]) < 1e-6)"));
    expect_text("look.rows()[0].words", "Nearest");
    no_complaints();
}

/* They meet where the sine of half the angle between them is 0.1, at 10 times the angle after 100; the page has the
 * very pose then, between its frames. */
static void a_trajectory_is_played_with_its_times(void **state) {
    (void)state;
    if (!chrome) skip();
    const char *page = scratch_path("way.html");
    write_clock(0, 3.1);
    write_text("way.csv", "time,turn\n100,0.6\n124,3\n");
    json_t *root = RUN_JSON(1, "check", "clock.urdf", "--trajectory", "way.csv", "--report", page);
    look_at(page, "", 640, 480, BROWSER_CALM);
    const double meets = 3 - 2 * asin(0.1), time = 100 + 10 * (meets - 0.6);
    const double told = ask_number("carom.play.list.find((e) => e.kind === 'hit').time + carom.play.robot.start");
    check_that(fabs(told - time) < 1e-3, "they meet at %.9g, in truth at %.9g", told, time);
    expect_text("carom.play.list.find((e) => e.kind === 'stayed').b.name", "side"); /* found to a hundredth */
    const double when = ask_number("carom.play.list.find((e) => e.kind === 'stayed').time");
    check_that(when < 0.1, "nearest to the other at %g", when);
    for (int k = 0; k <= 4; k++) { /* frames are 0.04 s apart */
        ask("(carom.seek(%g), 0)", 24.0 * k / 4);
        hand_is_drawn_at(0.6 + 2.4 * k / 4);
    }
    ask("(carom.seek(%.17g), 0)", told - 100);
    hand_is_drawn_at(meets);
    ask("(carom.select(carom.play.list.find((e) => e.kind === 'hit')), %g)", 0);
    char text[40];
    snprintf(text, sizeof text, "%.2f", floor(100 * time) / 100);
    expect_text("document.getElementById('clock').innerText", text);
    expect_text("document.getElementById('details').innerText", "They collide here for the first time.");
    assert_true(holds("look.arrived()"));
    picture("robot-way");
    no_complaints();
    json_decref(root);
}

/* A robot that stands still for the whole way stands where the way has it, not at rest. */
static void what_never_moves_stands_where_it_is(void **state) {
    (void)state;
    if (!chrome) skip();
    static const char *const ways[] = {"turn\n1.2\n", "turn\n1.2\n1.2\n"};
    write_clock(0, 3.1);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        write_text("way.csv", ways[i]);
        EXPECT(0, NULL, "check", "clock.urdf", "--trajectory", "way.csv", "--report", "still.html");
        look_at(scratch_path("still.html"), "", 640, 480, BROWSER_CALM);
        hand_is_drawn_at(1.2);
        no_complaints();
    }
}

/* More rows than frames: a swing to the other ball and back lies between two frames, and is drawn where they meet. */
static void what_lies_between_two_frames_is_drawn(void **state) {
    (void)state;
    if (!chrome) skip();
    enum { ROWS = 3001, SWING = 1501 };
    static char text[24 * ROWS];
    int used = snprintf(text, sizeof text, "turn\n");
    for (int i = 0; i < ROWS; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%g\n", i == SWING ? 2.9 : 1);
    write_clock(0, 3.1);
    write_text("way.csv", text);
    EXPECT(1, NULL, "check", "clock.urdf", "--trajectory", "way.csv", "--report", "rows.html");
    look_at(scratch_path("rows.html"), "", 640, 480, BROWSER_CALM);
    const double meets = 3 - 2 * asin(0.1), row = SWING - 1 + (meets - 1) / 1.9;
    const double told = ask_number("carom.play.list.find((e) => e.kind === 'hit').time");
    check_that(fabs(told - row) < 1e-3, "they meet at row %.9g, in truth at %.9g", told, row);
    ask("(carom.seek(%.17g), 0)", told);
    hand_is_drawn_at(meets);
    expect_text("document.getElementById('clock').innerText", "row 1500.9");
    no_complaints();
}

static char *read_file(const char *name) {
    FILE *file = fopen(scratch_path(name), "rb");
    char *text = calloc(1, 1 << 24);
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 24) - 1, file) > 0);
    fclose(file);
    return text;
}

static void threads_do_not_show_and_what_is_wrong_is_refused(void **state) {
    (void)state;
    write_clock(0.15, 3.1);
    write_text("way.csv", "time,turn\n100,0.6\n124,3\n");
    EXPECT(1, NULL, "check", "clock.urdf", "--configurations", "300", "--report", "one.html", "--threads", "1");
    EXPECT(1, NULL, "check", "clock.urdf", "--configurations", "300", "--report", "four.html", "--threads", "4");
    char *one = read_file("one.html"), *four = read_file("four.html");
    assert_true(strcmp(one, four) == 0);
    free(one), free(four);
    EXPECT(2, "run it twice", "check", "clock.urdf", "--configurations", "3", "--trajectory", "way.csv", "--report",
           "x.html");
    EXPECT(2, "--worst needs --report", "check", "clock.urdf", "--configurations", "3", "--worst", "4");
    EXPECT(2, "is not a whole number from 1 to 1000", "check", "clock.urdf", "--worst", "0", "--report", "x.html");
    EXPECT(2, "would replace the input clock.urdf", "check", "clock.urdf", "--report", "clock.urdf");
    EXPECT(2, "/nowhere/", "check", "clock.urdf", "--report", "/nowhere/x.html");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_configurations_are_played),
        cmocka_unit_test(where_nothing_collides_the_nearest_are_played),
        cmocka_unit_test(a_trajectory_is_played_with_its_times),
        cmocka_unit_test(what_never_moves_stands_where_it_is),
        cmocka_unit_test(what_lies_between_two_frames_is_drawn),
        cmocka_unit_test(threads_do_not_show_and_what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, open_all, look_close);
}
