/* `carom simulate`: the events of the shipped launch, in closed form, and what is said of broken scenes. */
#include "command.h"

#include <math.h>

#define SCENES SOURCE_SCENES "/"

/* The time of the one line of the trace that starts with an event of these two; fails where there is none. */
static double time_of(const char *trace, const char *event) {
    const char *at = strstr(trace, event);
    check_that(at != NULL, "no %s in\n%s", event, trace);
    while (at > trace && at[-1] != '\n') at--;
    return strtod(strchr(at, ',') + 1, NULL);
}

static char *trace_of(const char *scene) {
    const char *path = scratch_path("trace.csv");
    EXPECT(0, NULL, "simulate", scene, "--trace", path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    check_that(fread(text, 1, (1 << 20) - 1, file) > 0, "an empty trace");
    fclose(file);
    return text;
}

/* left and right: 9 m at 10 m/s. far: from x = 20 to 29.5 at 9.5 m/s. up: 0.5 = 1 + 10 t - 5 t^2. */
static void the_launch_has_its_closed_form(void **state) {
    (void)state;
    char *trace = trace_of(SCENES "launch.json");
    assert_null(strstr(trace, ",-0,")); /* of the normals (1, 0, 0): zeros have no sign in a table */
    double meet = time_of(trace, "hit,\"left\",\"right\""), wall = time_of(trace, "hit,\"wall\",\"far\"");
    double floor = time_of(trace, "hit,\"floor\",\"up\"");
    check_that(meet <= 0.9 && meet > 0.9 - 1e-9, "they meet at %.17g", meet);
    check_that(wall <= 1 && wall > 1 - 1e-9, "the wall at %.17g", wall);
    double exact = 1 + 1.0488088481701516;                                                   /* 1 + sqrt(1.1) */
    check_that(floor <= exact + 1e-15 && floor > exact - 1e-9, "the floor at %.17g", floor); /* 2.0487963 by chords */
    double end = time_of(trace, "ended,\"left\",\"right\"");
    check_that(end == meet, "they vanish at %.17g and part at %.17g", meet, end);
    free(trace);
}

/* The world tells by pair, and the pair that is told second meets first: 1 m at 4 m/s before 2 m. */
static void the_trace_is_in_the_order_of_time(void **state) {
    (void)state;
    const char *scene =
        write_text("order.json",
                   "{\"schema\": \"carom-scene-1\", \"dt\": 1, \"steps\": 2, \"shapes\": {\"ball\": {\"kind\": "
                   "\"sphere\", \"radius\": 0.5}, \"plate\": {\"kind\": \"box\", \"size\": [1, 9, 9]}}, \"objects\": ["
                   "{\"name\": \"late\", \"shape\": \"plate\", \"at\": [3, 0, 0]},"
                   "{\"name\": \"early\", \"shape\": \"plate\", \"at\": [2, 20, 0]},"
                   "{\"name\": \"one\", \"shape\": \"ball\", \"velocity\": [4, 0, 0], \"response\": \"halt\"},"
                   "{\"name\": \"two\", \"shape\": \"ball\", \"at\": [0, 20, 0], \"velocity\": [4, 0, 0], "
                   "\"response\": \"halt\"}]}");
    char *trace = trace_of(scene);
    const double early = time_of(trace, "hit,\"early\",\"two\""), late = time_of(trace, "hit,\"late\",\"one\"");
    check_that(fabs(early - 0.25) < 1e-9 && fabs(late - 0.5) < 1e-9, "hits at %.17g and %.17g", early, late);
    double before = 0;
    int rows = 0;
    for (const char *at = strchr(trace, '\n'); at && at[1]; at = strchr(at + 1, '\n'), rows++) {
        const double time = strtod(strchr(at, ',') + 1, NULL);
        check_that(time >= before, "row %d: %.17g after %.17g in\n%s", rows, time, before, trace);
        before = time;
    }
    assert_int_equal(rows, 2 * 2 + 2); /* began and hit, and stayed in the next step: of both */
    free(trace);
}

/* Gaps at which a ball slides beside a wall: with the default margin the contact of 2e-13 is one, of 1e-3 none; with
 * 0.01 both are. */
static void a_scene_may_have_a_margin(void **state) {
    (void)state;
    static const struct {
        const char *margin, *gap;
        bool touches;
    } rows[] = {{"0", "2e-13", true}, {"0", "1e-3", false}, {"0.01", "1e-3", true}, {"1e-300", "2e-13", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "{\"schema\": \"carom-scene-1\", \"dt\": 0.25, \"steps\": 4, \"margin\": %s, \"objects\": ["
            "{\"name\": \"wall\", \"shape\": {\"kind\": \"halfspace\", \"normal\": [0, 0, 1]}, \"at\": [0, 0, -%s]},"
            "{\"name\": \"ball\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"at\": [0, 0, 1],"
            "\"velocity\": [1, 0, 0], \"response\": \"slide\"}]}",
            rows[i].margin, rows[i].gap);
        run r = RUN("simulate", write_text("margin.json", text));
        check_that((strstr(r.out, "began     1") != NULL) == rows[i].touches, "margin %s, gap %s: %s", rows[i].margin,
                   rows[i].gap, r.out);
        check_that(strstr(r.out, "ended") == NULL, "margin %s, gap %s: %s", rows[i].margin, rows[i].gap, r.out);
        run_free(&r);
    }
    EXPECT(2, "/margin: -1 is not from 0", "simulate",
           write_text("margin.json", "{\"schema\": \"carom-scene-1\", \"margin\": -1, \"objects\": []}"));
}

/* 180 mph are 80.4672 m/s: the nose of 0.4 m is in the line of 0.1 m while its middle is within 0.25 m of it, from
 * (15.42288 - 0.25) / 80.4672 = 0.1885598 s on, and 0.67 m before and behind it where steps 11 and 12 end. The car of 4
 * m is in its line from (15.42288 - 2.05) / 80.4672 = 0.16619045 s on; at the end of step 10, 0.1666667 s, it is found
 * too. At the end of a step neither nose nor bullet touches; on the way both do. */
static void the_sweep_finds_what_frames_miss(void **state) {
    (void)state;
    char *trace = trace_of(SCENES "finish.json");
    double nose = time_of(trace, "entered,\"line, swept\",\"nose, swept\"");
    double car = time_of(trace, "entered,\"car's line, swept\",\"car, swept\"");
    double late = time_of(trace, "entered,\"car's line, step's end\",\"car, step's end\"");
    check_that(nose <= 0.188559811 && nose > 0.188559809, "the nose is in the line at %.17g", nose);
    check_that(car <= 0.166190448 && car > 0.166190447, "the car is in its line at %.17g", car);
    check_that(fabs(late - 1.0 / 6) < 1e-12, "tested at the end of its steps only it is so at %.17g", late);
    time_of(trace, "hit,\"plate, swept\",\"bullet, swept\"");
    check_that(strstr(trace, "\"nose, step's end\"") == NULL, "the end of a step finds the nose");
    check_that(strstr(trace, "\"bullet, step's end\"") == NULL, "the end of a step finds the bullet");
    free(trace);
}

/* A ball of radius 0.15 at 3 m/s from x = -1.5: the hull of the ring begins at x = -0.1, so it is hit after 1.25 / 3 s.
 * Through the hole of the ring itself, 0.4 m wide all around, it flies
 * without an event. What is only looked at collides with nothing. */
static void what_is_looked_at_does_not_collide(void **state) {
    (void)state;
    char *trace = trace_of(SCENES "models.json");
    double hit = time_of(trace, "hit,\"ring, its hull\",\"ball at the hull\"");
    check_that(hit <= 1.25 / 3 && hit > 1.25 / 3 - 1e-8, "the hull is hit at %.17g", hit);
    check_that(strstr(trace, "ball at the mesh") == NULL, "the ball meets the ring's hole:\n%s", trace);
    check_that(strstr(trace, "tumbling") == NULL, "the ring that tumbles meets something:\n%s", trace);
    free(trace);
}

/* The shipped ring is a torus of 0.5 and 0.1 m: every corner lies on it, it is closed, and its volume is that of a
 * polygon of 12 corners, 6 r^2 sin 30 = 0.03 m^2, swept around 32 corners: a
 * little less than 2 pi R * 0.03 = 0.09425 m^3. */
static void the_shipped_ring_is_a_torus(void **state) {
    (void)state;
    FILE *file = fopen(SCENES "ring.obj", "r");
    char line[200];
    int corners = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double x, y, z;
        if (sscanf(line, "v %lf %lf %lf", &x, &y, &z) != 3) continue;
        double off = hypot(x, hypot(y, z) - 0.5) - 0.1;
        check_that(fabs(off) < 2e-6, "corner %d is off the torus by %g", corners, off);
        corners++;
    }
    fclose(file);
    assert_int_equal(corners, 32 * 12);
    json_t *root = RUN_JSON(0, "info", SCENES "ring.obj");
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
    double volume = json_number_value(json_object_get(mesh, "volume"));
    assert_true(json_is_true(json_object_get(mesh, "closed")));
    check_that(volume < 0.09425 && volume > 0.0930, "%.9g m^3", volume);
    json_decref(root);
}

/* A ball between a wall and another ball, all of classes of their own: it halts at the wall, and only balls vanish. */
static void a_rule_holds_for_its_two_classes_only(void **state) {
    (void)state;
    const char *scene = write_text(
        "rules.json", "{\"schema\": \"carom-scene-1\", \"dt\": 0.25, \"steps\": 16, \"objects\": ["
                      "{\"name\": \"one\", \"class\": \"ball\", \"response\": \"halt\", \"velocity\": [1, 0, 0], "
                      "\"shape\": {\"kind\": \"sphere\", \"radius\": 1}},"
                      "{\"name\": \"wall\", \"class\": \"wall\", \"at\": [3, 0, 0], \"shape\": {\"kind\": "
                      "\"box\", \"size\": [1, 9, 9]}}],"
                      "\"responses\": [{\"between\": [\"ball\", \"ball\"], \"response\": \"vanish\"}]}");
    run r = RUN("simulate", scene);
    check_that(strstr(r.out, "2 of 2 objects left") != NULL, "%s", r.out);
    run_free(&r);
}

/* A ball of radius 0.5 falls 4.5 m onto a height field, and a cross of two bars 1.25 m: after sqrt(0.9) and 0.5 s, from
 * 5 t^2. A ball over the hole falls on. */
static void height_fields_and_compounds_take_part(void **state) {
    (void)state;
    const char *scene = write_text(
        "field.json",
        "{\"schema\": \"carom-scene-1\", \"dt\": 0.0009765625, \"steps\": 1100, \"gravity\": [0, 0, -10],"
        "\"shapes\": {\"ground\": {\"kind\": \"height_field\", \"heights\": [[0, 0, 0, 0], [0, 0, 0, 0]], \"holes\": "
        "[[0, 0, 1]], \"column_spacing\": 10, \"row_spacing\": 10, \"origin\": [-15, -5, 0]},"
        "\"ball\": {\"kind\": \"sphere\", \"radius\": 0.5}, \"cross\": {\"kind\": \"compound\", \"children\": ["
        "{\"shape\": {\"kind\": \"box\", \"size\": [2, 0.5, 0.5]}}, {\"shape\": {\"kind\": \"box\", \"size\": [2, 0.5, "
        "0.5]}, \"turn\": [0, 0, 1, 90]}]}},"
        "\"objects\": [{\"name\": \"ground\", \"shape\": \"ground\"},"
        "{\"name\": \"ball\", \"shape\": \"ball\", \"density\": 1, \"at\": [0, 0, 5], \"response\": \"halt\"},"
        "{\"name\": \"cross\", \"shape\": \"cross\", \"density\": 1, \"at\": [-8, 0, 1.5], \"response\": \"halt\"},"
        "{\"name\": \"lost\", \"shape\": \"ball\", \"density\": 1, \"at\": [10, 0, 5], \"response\": \"halt\"}]}");
    char *trace = trace_of(scene);
    double ball = time_of(trace, "hit,\"ground\",\"ball\""), cross = time_of(trace, "hit,\"ground\",\"cross\"");
    check_that(fabs(ball - sqrt(0.9)) < 1e-9, "the ball at %.17g", ball);
    check_that(fabs(cross - 0.5) < 1e-9, "the cross at %.17g", cross);
    check_that(strstr(trace, "lost") == NULL, "the hole is closed");
    free(trace);
}

/* Gravity 10. Weightless, 2 kg at 3 m/s upward from z = 5: 9 J all the time. With half of the gravity, 2 kg fall from
 * z = 4: 40 J at the start and at the end. With a damping of 1 and steps of 0.25 s, 1 kg at 5 m/s across: 12.5 J, and
 * after 4 steps 12.5 / 1.25^8 = 2.097152 J, weightless. */
static void energy_counts_the_gravity_that_acts(void **state) {
    (void)state;
    const char *scene = write_text(
        "weights.json",
        "{\"schema\": \"carom-scene-1\", \"dt\": 0.25, \"steps\": 4, \"gravity\": [0, 0, -10],"
        "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.5}}, \"report\": {\"energy\": true},"
        "\"objects\": [{\"shape\": \"ball\", \"mass\": 2, \"at\": [0, 0, 5], \"velocity\": [0, 0, 3], "
        "\"weightless\": true},"
        "{\"shape\": \"ball\", \"mass\": 2, \"at\": [9, 0, 4], \"gravity_scale\": 0.5},"
        "{\"shape\": \"ball\", \"mass\": 1, \"at\": [0, 9, 7], \"velocity\": [5, 0, 0], \"gravity_scale\": 0, "
        "\"damping\": 1}]}");
    run r = RUN("simulate", scene);
    check_that(strstr(r.out, "start     momentum 5 0 6, energy 61.5\n") != NULL, "%s", r.out);
    check_that(strstr(r.out, "energy 51.097152\n") != NULL, "%s", r.out);
    run_free(&r);
}

/* Both columns on one page of text. */
static void the_finish_tells_both_ways_side_by_side(void **state) {
    (void)state;
    run r = RUN("simulate", SCENES "finish.json");
    const char *table = "              swept  step's end\n"
                        "began             1           0\n"
                        "hit               1           0\n"
                        "stayed           29           0\n"
                        "entered           2           1\n"
                        "left              2           1\n";
    check_that(strstr(r.out, table) != NULL, "%s", r.out);
    run_free(&r);
}

/* Equal masses of 0.17 at 6 m/s: 1.02 and 3.06, at the start and at the end, of which energy went into all the balls.
 */
static void the_break_keeps_momentum_and_energy(void **state) {
    (void)state;
    double start[4], end[4];
    run r = RUN("simulate", SCENES "billiard.json");
    const char *first = strstr(r.out, "start "), *last = strstr(r.out, "end "),
               *form = "%*s momentum %lf %lf %lf, energy %lf";
    assert_true(first && last);
    assert_int_equal(sscanf(first, form, &start[0], &start[1], &start[2], &start[3]), 4);
    assert_int_equal(sscanf(last, form, &end[0], &end[1], &end[2], &end[3]), 4);
    const double exact[4] = {1.02, 0, 0, 3.06};
    for (int i = 0; i < 4; i++) {
        check_that(fabs(start[i] - exact[i]) < 1e-8, "start: %g, not %g", start[i], exact[i]);
        check_that(fabs(end[i] - exact[i]) < 1e-8, "end: %.9g, not %g", end[i], exact[i]);
    }
    int moved = 0;
    for (const char *at = r.out; (at = strstr(at, "began")) != NULL; at++) moved = atoi(at + 5);
    check_that(moved >= 15, "%d impacts", moved);
    run_free(&r);
}

/* At 2 a second from x = 0 up a step of 0.3 at x = 1, and a jump at 1 s: on the step again, at x = 4 after 2 s. Its low
 * corner is 0.3 before its middle and, but for its skin, on the step. */
static void one_that_walks_climbs_a_step(void **state) {
    (void)state;
    char *trace = trace_of(write_text(
        "walk.json",
        "{\"schema\": \"carom-scene-1\", \"dt\": 0.0125, \"steps\": 160, \"gravity\": [0, 0, -10],"
        "\"objects\": [{\"shape\": {\"kind\": \"box\", \"half\": [9, 9, 1]}, \"at\": [0, 0, -1]},"
        "{\"shape\": {\"kind\": \"box\", \"half\": [4, 9, 0.15]}, \"at\": [5, 0, 0.15]},"
        "{\"name\": \"w\", \"shape\": {\"kind\": \"capsule\", \"a\": [0, 0, 0.3], \"b\": [0, 0, 1.5], \"radius\": 0.3},"
        "\"walk\": [{\"velocity\": [2, 0, 0]}, {\"time\": 1, \"jump\": 2}]}],"
        "\"report\": {\"box\": \"w\"}}"));
    double highest = 0, low[3] = {0, 0, 0}, time = 0;
    for (const char *at = trace; (at = strstr(at, ",box,")) != NULL; at++) {
        const char *line = at;
        while (line > trace && line[-1] != '\n') line--;
        assert_int_equal(sscanf(line, "%*d,%lf,box,\"w\",\"\",%lf,%lf,%lf", &time, &low[0], &low[1], &low[2]), 4);
        highest = fmax(highest, low[2]);
    }
    check_that(fabs(time - 2) < 1e-9 && fabs(low[0] - 3.7) < 0.01, "at %g after %g s", low[0], time);
    check_that(low[2] > 0.3 && low[2] < 0.302, "stands at %g", low[2]);
    check_that(fabs(highest - 0.5) < 0.02, "jumped to %g", highest); /* 2^2 / 20 */
    free(trace);
}

static void broken_scenes_say_where(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"{\n\"schema\": \n", ":3: no JSON"},
        {"[]", "is not an object"},
        {"{}", "\"schema\": \"carom-scene-1\" is missing"},
        {"{\"schema\": \"carom-scene-1\",\n \"obects\": []}",
         ":2: /obects: is not known here (did you mean 'objects'?)"},
        {"{\"schema\": \"carom-scene-1\",\n \"objects\": [\n {}]}", ":3: /objects/0: \"shape\" is missing"},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": {\"kind\": \"sphere\",\n\"radius\": -1}}]}",
         ":2: /objects/0/shape/radius: -1 is not from 0"},
        {"{\"schema\": \"carom-scene-1\", \"shapes\": {\"s\": {\"kind\": \"sphere\", \"radius\": 1}}, \"objects\": [\n"
         "{\"name\": \"a\", \"shape\": \"s\"},\n{\"name\": \"b\", \"shape\": \"s\"}, {\"shape\": \"s\"}, {\"shape\": "
         "\"s\"},\n"
         "{\"name\": \"a\", \"shape\": \"s\"}, {\"name\": \"b\", \"shape\": \"s\"}]}",
         "bad.json:4: /objects/4/name: another object has that name: "},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": {\"kind\": \"bax\"}}]}", "did you mean 'box'?"},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": \"x\"}]}",
         "/objects/0/shape: no shape is called 'x'"},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1},\n\"walk\": "
         "[],\n\"spin\": "
         "[1, 0, 0]}]}",
         ":3: /objects/0/spin: has no meaning beside \"walk\""},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1},\n\"walk\": "
         "[],\"path\": "
         "[{}]}]}",
         "/objects/0/walk: has no meaning beside a path or a parent"},
        {"{\"schema\": \"carom-scene-1\", \"objects\": [{\"shape\": {\"kind\": \"halfspace\", \"normal\": [0, 0, "
         "1]},\"walk\": []}]}",
         "object 'object 1': invalid argument"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT(2, bad[i].says, "simulate", write_text("bad.json", bad[i].text));
    EXPECT(2, "cannot be read", "simulate", "no-such-scene.json");
    EXPECT(2, "takes one scene file", "simulate");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_launch_has_its_closed_form),
        cmocka_unit_test(the_trace_is_in_the_order_of_time),
        cmocka_unit_test(a_scene_may_have_a_margin),
        cmocka_unit_test(the_sweep_finds_what_frames_miss),
        cmocka_unit_test(what_is_looked_at_does_not_collide),
        cmocka_unit_test(the_shipped_ring_is_a_torus),
        cmocka_unit_test(a_rule_holds_for_its_two_classes_only),
        cmocka_unit_test(height_fields_and_compounds_take_part),
        cmocka_unit_test(the_finish_tells_both_ways_side_by_side),
        cmocka_unit_test(the_break_keeps_momentum_and_energy),
        cmocka_unit_test(energy_counts_the_gravity_that_acts),
        cmocka_unit_test(one_that_walks_climbs_a_step),
        cmocka_unit_test(broken_scenes_say_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
