/* What scenes measure: the gap between two classes, the box of one object, events side by side. */
#include "trace.h"

#define SCENES SOURCE_SCENES "/"
#define HEAD   "{\"schema\": \"carom-scene-1\", \"dt\": 0.0625, \"steps\": 64,\n"

static bool has_line(const char *text, const char *line) {
    const char *at = strstr(text, line);
    return at && (at == text || at[-1] == '\n');
}

/* --- clearance ---------------------------------------------------------------------------------------------------- */

/* A ball of radius 0.5 on an arm of length 2 that turns half around the origin within 4 s, and on the arm's end half
 * around again at distance 1; a ball of radius 0.25 stands at (0, 4, 0). The gap is |p - q| - 0.75 with p of a closed
 * form. Both are as far through their turn, 180 u degrees, after the ease. */
static double gap_at(double time) {
    double u = time / 4, turn = acos(-1) * u * u * (3 - 2 * u);
    double x = 2 * cos(turn) + cos(2 * turn), y = 2 * sin(turn) + sin(2 * turn);
    return sqrt(x * x + (4 - y) * (4 - y)) - 0.75;
}

static void the_clearance_of_a_ball_on_two_arms_has_its_closed_form(void **state) {
    (void)state;
    const char *scene = write_text(
        "arms.json", HEAD
        "\"shapes\": {\"pin\": {\"kind\": \"sphere\", \"radius\": 0.001}}, \"objects\": ["
        "{\"name\": \"shoulder\", \"shape\": \"pin\", \"path\": [{}, {\"time\": 4, \"degrees\": 180}]},"
        "{\"name\": \"elbow\", \"shape\": \"pin\", \"parent\": \"shoulder\", \"at\": [2, 0, 0], \"path\": [{}, "
        "{\"time\": 4, \"degrees\": 180}]},"
        "{\"name\": \"post\", \"class\": \"cell\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.25}, \"at\": [0, "
        "4, 0]},"
        "{\"name\": \"far\", \"class\": \"cell\", \"shape\": \"pin\", \"at\": [0, 40, 0]},"
        "{\"name\": \"ball\", \"class\": \"arm\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.5}, \"parent\": "
        "\"elbow\", \"at\": [1, 0, 0]}],"
        "\"report\": {\"clearance\": [\"arm\", \"cell\"]}}");
    trace_rows t = trace_of_scene(scene, NULL);
    assert_int_equal(t.count, 65); /* nothing touches, so there is nothing else */
    int least = 0;
    for (int i = 0; i < 65; i++) {
        const trace_row *row = &t.rows[i];
        assert_string_equal(row->event, "clearance");
        assert_string_equal(row->a, "ball");
        assert_string_equal(row->b, "post");
        check_that(row->step == i && row->time == i / 16.0, "step %d at %.17g", row->step, row->time);
        check_that(fabs(-row->depth - gap_at(row->time)) < 1e-9, "at %g: %.17g, not %.17g", row->time, -row->depth,
                   gap_at(row->time));
        /* the point on the ball and the normal lead to the post */
        double x = row->x[0] + (0.25 - row->depth) * row->n[0], y = row->x[1] + (0.25 - row->depth) * row->n[1];
        check_that(fabs(x) < 1e-9 && fabs(y - 4) < 1e-9, "at %g they lead to %.17g %.17g", row->time, x, y);
        if (-row->depth < -t.rows[least].depth) least = i;
    }
    char line[200];
    snprintf(line, sizeof line, "clearance %.9g between arm and cell, at %g s: ball to post\n", -t.rows[least].depth,
             t.rows[least].time);
    run r = RUN("simulate", scene);
    check_that(has_line(r.out, line), "no \"%s\" in\n%s", line, r.out);
    run_free(&r);
    free(t.rows);
}

/* Two unit balls with centers 3 apart; one sinks by 1 a second, into the other. */
static void overlapping_classes_have_a_negative_clearance(void **state) {
    (void)state;
    const char *scene =
        write_text("sinking.json",
                   "{\"schema\": \"carom-scene-1\", \"dt\": 0.5, \"steps\": 8, \"shapes\": {\"ball\": {\"kind\": "
                   "\"sphere\", \"radius\": 1}}, \"objects\": ["
                   "{\"name\": \"low\", \"class\": \"low\", \"shape\": \"ball\"},"
                   "{\"name\": \"high\", \"class\": \"high\", \"shape\": \"ball\", \"at\": [0, 0, 3], \"velocity\": "
                   "[0, 0, -1], \"sweep\": false}],"
                   "\"report\": {\"clearance\": [\"high\", \"low\"], \"clearance_limit\": 0.75}}");
    trace_rows t = trace_of_scene(scene, NULL);
    int seen = 0;
    for (size_t i = 0; i < t.count; i++) {
        const trace_row *row = &t.rows[i];
        if (strcmp(row->event, "clearance") != 0) continue;
        double gap = fabs(3 - row->time) - 2; /* the centers' distance, less both radii */
        seen++;
        assert_string_equal(row->a, "high");
        check_that(gap <= 0.75, "a gap of %g is beyond the limit", gap);
        check_that(fabs(-row->depth - gap) < 1e-12, "at %g: %.17g, not %g", row->time, -row->depth, gap);
        if (row->time < 3) check_that(row->n[2] == -1, "the normal at %g: %g", row->time, row->n[2]);
    }
    assert_int_equal(seen, 8); /* all but the start, 1 above */
    free(t.rows);
}

static void what_is_farther_than_the_limit_is_said_to_be(void **state) {
    (void)state;
    const char *scene =
        write_text("far.json", HEAD "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}}, \"objects\": ["
                                    "{\"class\": \"a\", \"shape\": \"ball\"}, {\"class\": \"b\", \"shape\": \"ball\", "
                                    "\"at\": [9, 0, 0]}],"
                                    "\"report\": {\"clearance\": [\"a\", \"b\"], \"clearance_limit\": 5}}");
    run r = RUN("simulate", scene);
    check_that(r.code == 0 && has_line(r.out, "clearance more than 5 between a and b\n"), "%s%s", r.out, r.err);
    run_free(&r);
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

/* q rotates by `angle` about a unit axis; the product turns by `right` first. */
typedef struct turn {
    double x, y, z, w;
} turn;
static turn turn_by(double x, double y, double z, double angle) {
    double s = sin(angle / 2);
    return (turn){x * s, y * s, z * s, cos(angle / 2)};
}
static turn after(turn l, turn r) {
    return (turn){l.w * r.x + l.x * r.w + l.y * r.z - l.z * r.y, l.w * r.y - l.x * r.z + l.y * r.w + l.z * r.x,
                  l.w * r.z + l.x * r.y - l.y * r.x + l.z * r.w, l.w * r.w - l.x * r.x - l.y * r.y - l.z * r.z};
}

/* How far the farthest side of the rod's box is from where it must be, over all samples.
 *
 * The rod is a symmetric top: moments of inertia j along x and i along y and z. Free of torque, its angular momentum
 * L = (j w_x, i w_y, i w_z) stands still, and the body's angular velocity is L / i and w_x (1 - j / i) along the rod.
 * So it is turned by |L| t / i about L after w_x (1 - j / i) t about x. With the rotation's rows r, the box reaches as
 * far as |r_x| 1 + |r_y| 0.25 + |r_z| 0.25 each way. */
static double worst_side(const char *dt, const char *steps) {
    trace_rows t = trace_of_scene(SCENES "tumbling.json", (const char *const[]){"--dt", dt, "--steps", steps, NULL});
    const double i = 4 + 0.25, j = 0.25 + 0.25, degree = acos(-1) / 180; /* times mass / 12 */
    const double w[3] = {120 * degree, 60 * degree, 90 * degree}, l[3] = {j / i * w[0], w[1], w[2]};
    double size = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]), worst = 0;
    check_that((int)t.count == atoi(steps) + 1, "%zu lines", t.count);
    for (size_t k = 0; k < t.count; k++) {
        const trace_row *row = &t.rows[k];
        assert_string_equal(row->event, "box");
        assert_string_equal(row->a, "rod");
        turn q = after(turn_by(l[0] / size, l[1] / size, l[2] / size, size * row->time),
                       turn_by(1, 0, 0, w[0] * (1 - j / i) * row->time));
        const double r[3][3] = {
            {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w), 2 * (q.x * q.z + q.y * q.w)},
            {2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.x * q.w)},
            {2 * (q.x * q.z - q.y * q.w), 2 * (q.y * q.z + q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)}};
        for (int a = 0; a < 3; a++) {
            double reach = fabs(r[a][0]) + 0.25 * fabs(r[a][1]) + 0.25 * fabs(r[a][2]);
            worst = fmax(worst, fmax(fabs(row->n[a] - reach), fabs(row->x[a] + reach)));
        }
    }
    free(t.rows);
    return worst;
}

/* A step's turn has an error of third order, so that of ten seconds is of second: a sixteenth with a quarter of the
 * step. */
static void the_box_of_the_tumbling_rod_nears_its_closed_form(void **state) {
    (void)state;
    double coarse = worst_side("0.0166666666666667", "600"), fine = worst_side("0.00416666666666667", "2400");
    print_message("sides off by %.3g, and %.3g with a quarter of the step\n", coarse, fine);
    check_that(coarse < 0.01, "%g", coarse);
    check_that(fine < coarse / 14 && fine > coarse / 18, "%g, not a sixteenth of %g", fine, coarse);
}

/* About a main axis of inertia every step's turn is exact. */
static void a_box_turning_about_its_own_axis_is_exact(void **state) {
    (void)state;
    const char *scene =
        write_text("axis.json", HEAD "\"objects\": [{\"name\": \"b\", \"mass\": 1, \"spin\": [0, 0, 45], "
                                     "\"velocity\": [1, 0, 0], \"shape\": {\"kind\": \"box\", "
                                     "\"half\": [3, 2, 1]}}], \"report\": {\"box\": \"b\"}}");
    trace_rows t = trace_of_scene(scene, NULL);
    assert_int_equal(t.count, 65);
    for (int i = 0; i < 65; i++) {
        const trace_row *row = &t.rows[i];
        double angle = row->time * acos(-1) / 4, c = fabs(cos(angle)), s = fabs(sin(angle));
        const double reach[3] = {3 * c + 2 * s, 3 * s + 2 * c, 1}, at[3] = {row->time, 0, 0};
        for (int k = 0; k < 3; k++)
            check_that(fabs(row->x[k] - (at[k] - reach[k])) < 1e-12 && fabs(row->n[k] - (at[k] + reach[k])) < 1e-12,
                       "at %g: %.17g to %.17g along %d, not %.17g around %g", row->time, row->x[k], row->n[k], k,
                       reach[k], at[k]);
    }
    /* c + s is at most sqrt 2: the volume is 8 (3 c + 2 s) (3 s + 2 c) = 8 (6 + 13 s c), from 48 to 100; the cube that
     * always holds it has the edge 2 sqrt 14 */
    run r = RUN("simulate", scene);
    check_that(has_line(r.out, "box       of b, adapted each step: volume 48 to 100, mean "), "%s", r.out);
    check_that(strstr(r.out, "one that holds it however it turns: 419.066, ") != NULL, "%s", r.out);
    run_free(&r);
    free(t.rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clearance_of_a_ball_on_two_arms_has_its_closed_form),
        cmocka_unit_test(overlapping_classes_have_a_negative_clearance),
        cmocka_unit_test(what_is_farther_than_the_limit_is_said_to_be),
        cmocka_unit_test(the_box_of_the_tumbling_rod_nears_its_closed_form),
        cmocka_unit_test(a_box_turning_about_its_own_axis_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
