/* The file of `carom simulate --report`: what is in it is what happened, equal input gives equal bytes, long runs stay
 * small, and failures are told. */
#include "command.h"
#include "page_file.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCENES SOURCE_SCENES "/"

typedef struct film {
    char *page;
    size_t size;
    json_t *meta;
    unsigned char *bytes;
} film;

static film film_of(const char *scene, const char *steps) {
    film f;
    const char *path = scratch_path("play.html");
    EXPECT(0, NULL, "simulate", scene, "--report", path, "--steps", steps);
    f.page = read_all(path, &f.size);
    f.meta = metadata(f.page, "simulation");
    f.bytes = buffers(f.page, (size_t)number(f.meta, "bytes"));
    return f;
}

static void film_free(film *f) {
    json_decref(f->meta);
    free(f->bytes);
    free(f->page);
}

static json_t *object_called(const film *f, const char *name) {
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(f->meta, "objects"), i,
                       one) if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0) return one;
    check_that(false, "no object '%s'", name);
    return NULL;
}

/* Where the object is in a frame, in the scene. */
static cm_vec3 place_of(const film *f, const char *name, size_t frame) {
    double track = number(object_called(f, name), "track");
    size_t at = (size_t)number(f->meta, "tracks_at") + 20 * (frame * (size_t)number(f->meta, "tracks") + (size_t)track);
    double p[3];
    for (size_t k = 0; k < 3; k++)
        p[k] =
            float_at(f->bytes, at + 4 * k) + json_number_value(json_array_get(json_object_get(f->meta, "origin"), k));
    return cm_v((cm_real)p[0], (cm_real)p[1], (cm_real)p[2]);
}

/* Of the launch: left flies from (-5, 0, 1) at (5, 0, 5) under -10, and vanishes at 0.9 s; far halts at the wall. */
static void frames_are_the_flight_in_closed_form(void **state) {
    (void)state;
    film f = film_of(SCENES "launch.json", "200");
    assert_int_equal(json_array_size(json_object_get(f.meta, "frames")), 201);
    for (size_t frame = 0; frame <= 57; frame++) {
        double t = (double)frame / 64;
        cm_vec3 want = cm_v((cm_real)(-5 + 5 * t), 0, (cm_real)(1 + 5 * t - 5 * t * t));
        cm_vec3 is = place_of(&f, "left", frame);
        check_that(cm_length(cm_sub(is, want)) < 2e-6, "frame %zu: %g %g %g", frame, (double)is.x, (double)is.y,
                   (double)is.z);
    }
    double gone = number(object_called(&f, "left"), "gone"), halted = (double)place_of(&f, "far", 200).x;
    check_that(fabs(gone - 0.9) < 1e-6, "gone at %.9g", gone);
    check_that(fabs(halted - 29.5) < 1e-5, "far halts at %.9g", halted);
    assert_null(json_object_get(object_called(&f, "far"), "gone"));
    film_free(&f);
}

/* left and right, 10 m apart, close in at 10 m/s until their middles are 1 m apart: at 0.9 s, x = -0.5 and 0.5. */
static void impacts_within_a_step_are_kept(void **state) {
    (void)state;
    film f = film_of(SCENES "launch.json", "60");
    size_t at = (size_t)number(f.meta, "impacts_at");
    double origin = json_number_value(json_array_get(json_object_get(f.meta, "origin"), 0));
    assert_int_equal(number(f.meta, "impacts"), 2);
    for (size_t i = 0; i < 2; i++) {
        uint32_t object = word_at(f.bytes, at + 32 * i), step = word_at(f.bytes, at + 32 * i + 4);
        double u = float_at(f.bytes, at + 32 * i + 8), x = float_at(f.bytes, at + 32 * i + 12) + origin;
        assert_int_equal(step, 58);
        check_that(object == 2 || object == 3, "object %u", object);
        check_that(fabs((57 + u) / 64 - 0.9) < 1e-6, "at %.9g", (57 + u) / 64);
        check_that(fabs(x - (object == 2 ? -0.5 : 0.5)) < 1e-5, "x = %.9g", x);
    }
    film_free(&f);
}

/* A box around [0, 2] x [-1, 1] x [-1, 1] turned by 90 degrees about z stands beside a ball whose middle is (0, 0, 5)
 * in its own frame: its middle (1, 0, 0) goes to (0, 1, 0), and with "at" (3, 0, 0) it is (3, 1, -5) from the ball's.
 */
static void a_visual_stands_beside_the_shape(void **state) {
    (void)state;
    const char *scene = write_text("visual.json", "{\"schema\": \"carom-scene-1\", \"steps\": 1, \"objects\": "
                                                  "[{\"name\": \"one\", \"shape\": {\"kind\": \"sphere\", "
                                                  "\"center\": [0, 0, 5], \"radius\": 1}, \"at\": [7, 7, 7], "
                                                  "\"visual\": {\"shape\": {\"kind\": \"hull\", \"points\": "
                                                  "[[0, -1, -1], [2, -1, -1], [0, 1, -1], [0, -1, 1], [2, 1, 1]]}, "
                                                  "\"at\": [3, 0, 0], \"turn\": [0, 0, 1, 90]}}]}");
    film f = film_of(scene, "1");
    const json_t *one = object_called(&f, "one"), *visual = json_object_get(one, "visual");
    const json_t *pose = json_object_get(visual, "pose");
    const double want[7] = {3, 1, -5, 0, 0, sqrt(0.5), sqrt(0.5)};
    assert_true(number(visual, "shape") != number(one, "shape"));
    for (size_t k = 0; k < 7; k++) {
        double is = json_number_value(json_array_get(pose, k));
        check_that(fabs(is - want[k]) < 1e-6, "number %zu of the pose: %.9g, not %.9g", k, is, want[k]);
    }
    film_free(&f);
}

static const char *const shipped[] = {"launch.json", "billiard.json", "finish.json", "tumbling.json", "models.json"};

static void equal_runs_give_equal_bytes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        char scene[600];
        snprintf(scene, sizeof scene, SCENES "%s", shipped[i]);
        film a = film_of(scene, "90"), b = film_of(scene, "90");
        check_that(a.size == b.size && memcmp(a.page, b.page, a.size) == 0, "%s: two pages", shipped[i]);
        film_free(&a);
        film_free(&b);
    }
}

/* The page changes nothing of what is printed, nor of the trace. */
static void a_report_changes_no_answer(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        char scene[600], *traces[2];
        snprintf(scene, sizeof scene, SCENES "%s", shipped[i]);
        const char *trace = scratch_path("same.csv");
        size_t size;
        run plain = RUN("simulate", scene, "--trace", trace);
        traces[0] = read_all(trace, &size);
        run filmed = RUN("simulate", scene, "--trace", trace, "--report", scratch_path("same.html"));
        traces[1] = read_all(trace, &size);
        assert_string_equal(plain.out, filmed.out);
        assert_string_equal(traces[0], traces[1]);
        run_free(&plain);
        run_free(&filmed);
        free(traces[0]);
        free(traces[1]);
    }
}

/* 20,000 steps of the launch: every 7th is drawn and the last, and both page and terminal say so. */
static void a_long_run_is_thinned_and_says_so(void **state) {
    (void)state;
    const char *path = scratch_path("long.html");
    run r = RUN("simulate", SCENES "launch.json", "--steps", "20000", "--report", path);
    assert_int_equal(r.code, 0);
    check_that(strstr(r.err, "one step in 7") != NULL, "said: %s", r.err);
    run_free(&r);
    size_t size;
    char *page = read_all(path, &size);
    json_t *meta = metadata(page, "simulation"), *frames = json_object_get(meta, "frames");
    size_t count = json_array_size(frames);
    check_that(count <= 3000 && size < 8000000, "%zu frames in %zu bytes", count, size);
    assert_int_equal(number(meta, "stride"), 7);
    assert_int_equal(json_integer_value(json_array_get(frames, count - 2)), 19999);
    assert_int_equal(json_integer_value(json_array_get(frames, count - 1)), 20000);
    json_decref(meta);
    free(page);
}

/* 40,000 boxes for 40 steps: the poses are thinned to what a browser can hold. */
static void a_huge_scene_stays_within_bounds(void **state) {
    (void)state;
    const char *scene = write_text(
        "huge.json", "{\"schema\": \"carom-scene-1\", \"steps\": 40, \"objects\": [{\"shape\": {\"kind\": \"box\", "
                     "\"half\": [1, 1, 1]}, \"sweep\": false, \"scatter\": {\"count\": 40000, \"seed\": 5, \"low\": "
                     "[0, 0, 0], \"high\": [90, 90, 90], \"speed\": 5}}]}");
    const char *path = scratch_path("huge.html");
    run r = RUN("simulate", scene, "--report", path);
    check_that(r.code == 0, "%s", r.err);
    check_that(strstr(r.err, "one step in") && strstr(r.err, "lists the first 100000 of"), "said: %s", r.err);
    run_free(&r);
    struct stat made;
    assert_int_equal(stat(path, &made), 0);
    check_that(made.st_size < 100000000, "%lld bytes", (long long)made.st_size);
    remove(path);
}

static void names_stay_in_their_block(void **state) {
    (void)state;
    const char *scene = write_text(
        "hostile.json",
        "{\"schema\": \"carom-scene-1\", \"steps\": 2, \"title\": \"</script><b>\", \"objects\": [{\"name\": "
        "\"</script><img src=x onerror=window.hit=1>\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}");
    film f = film_of(scene, "2");
    assert_string_equal(
        json_string_value(json_object_get(object_called(&f, "</script><img src=x onerror=window.hit=1>"), "name")),
        "</script><img src=x onerror=window.hit=1>");
    assert_null(strstr(f.page, "<img src=x"));
    assert_null(strstr(f.page, "</script><b>"));
    film_free(&f);
}

static void what_cannot_be_written_is_told_first(void **state) {
    (void)state;
    EXPECT(2, "/no/such/folder/play.html: cannot be written: No such file", "simulate", SCENES "launch.json",
           "--report", "/no/such/folder/play.html");
    EXPECT(2, "cannot be written", "simulate", SCENES "launch.json", "--report", "/tmp");
    if (access("/dev/full", W_OK) == 0)
        EXPECT(2, "No space left", "simulate", SCENES "launch.json", "--report", "/dev/full");
    EXPECT(2, "is not a file name", "simulate", SCENES "launch.json", "--report", "");
}

/* A scene that cannot be simulated leaves the page of before. */
static void a_failure_keeps_the_old_page(void **state) {
    (void)state;
    const char *path = write_text("kept.html", "keep");
    size_t size;
    EXPECT(2, "cannot be read", "simulate", "no-such-scene.json", "--report", path);
    char *text = read_all(path, &size);
    assert_string_equal(text, "keep");
    free(text);
    EXPECT(0, NULL, "simulate", SCENES "launch.json", "--report", path);
    text = read_all(path, &size);
    check_that(size > 100000 && strstr(text, "</html>"), "%zu bytes", size);
    free(text);
}

/* A disk that is full midway: the page of before is still there, and nothing else. */
static void half_a_page_leaves_the_old_one(void **state) {
    (void)state;
    const char *path = write_text("half.html", "keep");
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 200000;
    setrlimit(RLIMIT_FSIZE, &small); /* which the command inherits */
    run r = RUN("simulate", SCENES "launch.json", "--report", path);
    setrlimit(RLIMIT_FSIZE, &before);
    check_that(r.code == 2 && strstr(r.err, "cannot be written: File too large"), "%d: %s", r.code, r.err);
    run_free(&r);
    size_t size;
    char *text = read_all(path, &size), partial[700];
    assert_string_equal(text, "keep");
    free(text);
    snprintf(partial, sizeof partial, "ls %s/half.html* | wc -l", scratch());
    FILE *count = popen(partial, "r");
    assert_int_equal(fgetc(count), '1');
    pclose(count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_the_flight_in_closed_form), cmocka_unit_test(impacts_within_a_step_are_kept),
        cmocka_unit_test(a_visual_stands_beside_the_shape),     cmocka_unit_test(equal_runs_give_equal_bytes),
        cmocka_unit_test(a_report_changes_no_answer),           cmocka_unit_test(a_long_run_is_thinned_and_says_so),
        cmocka_unit_test(a_huge_scene_stays_within_bounds),     cmocka_unit_test(names_stay_in_their_block),
        cmocka_unit_test(what_cannot_be_written_is_told_first), cmocka_unit_test(a_failure_keeps_the_old_page),
        cmocka_unit_test(half_a_page_leaves_the_old_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
