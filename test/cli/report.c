/* The report's file: what is written is what was found, nothing of a name leaves its place, and failures are told. */
#include "page_file.h"
#include "report_scene.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The page as a string, after writing it; the file is gone again. */
static char *written(const report_case *c, size_t *size) {
    char path[600], message[300] = "";
    snprintf(path, sizeof path, "%s-%ld.html", scratch_path("report"), (long)getpid());
    bool ok = report_write(path, &c->model, NULL, &c->found, 0, message, sizeof message);
    check_that(ok, "%s", message);
    char *text = read_all(path, size);
    remove(path);
    return text;
}

static cm_vec3 vector(const json_t *array) {
    return cm_v((cm_real)json_number_value(json_array_get(array, 0)),
                (cm_real)json_number_value(json_array_get(array, 1)),
                (cm_real)json_number_value(json_array_get(array, 2)));
}

/* The lists of the page. */
static json_t *lists(const char *page) {
    size_t size;
    unsigned char *text = unpacked(page, -2, &size);
    json_error_t error;
    json_t *out = json_loadb((const char *)text, size, 0, &error);
    check_that(out != NULL, "line %d: %s", error.line, error.text);
    free(text);
    return out;
}

/* The next number of a mesh. */
static long next_signed(const unsigned char *bytes, size_t *at) {
    unsigned long value = 0;
    for (int shift = 0;; shift += 7) {
        const unsigned char byte = bytes[(*at)++];
        value |= (unsigned long)(byte & 127) << shift;
        if (byte < 128) return (long)(value >> 1) ^ -(long)(value & 1);
    }
}

/* By how much the points of a part, as the page has them, are off in the world; its corners must be the mesh's. */
static double part_error(const report_case *c, const char *page, uint32_t part, const unsigned char *table,
                         cm_vec3 origin) {
    const scene_part *truth = &c->parts[part];
    const cm_mesh *mesh = c->meshes[truth->mesh].mesh;
    const size_t words = 40 * (size_t)PARTS + 36 * (size_t)truth->mesh;
    const uint32_t point_count = word_at(table, words), triangles = word_at(table, words + 4);
    size_t size, at = word_at(table, words + 12);
    unsigned char *bytes = unpacked(page, (int)word_at(table, words + 8), &size);
    const double step = ldexp(1, (int32_t)word_at(table, words + 32));
    double place[3], worst = 0;
    memcpy(place, table + 24 * (size_t)part, sizeof place);
    assert_int_equal(point_count, cm_mesh_point_count(mesh));
    assert_int_equal(triangles, cm_mesh_triangle_count(mesh));
    long sum[3] = {0, 0, 0};
    for (uint32_t k = 0; k < point_count; k++) {
        cm_vec3 p = origin;
        for (int axis = 0; axis < 3; axis++) sum[axis] += next_signed(bytes, &at);
        p.x += place[0] + (double)sum[0] * step, p.y += place[1] + (double)sum[1] * step;
        p.z += place[2] + (double)sum[2] * step;
        worst = fmax(worst, cm_length(cm_sub(p, cm_pose_apply(&truth->pose, cm_mesh_points(mesh)[k]))));
    }
    long least = 0;
    for (uint32_t t = 0; t < triangles; t++) {
        uint32_t want[3];
        cm_mesh_corners(mesh, t, want);
        for (int k = 0; k < 3; k++) {
            const long corner = least - next_signed(bytes, &at);
            assert_int_equal(corner, want[k]);
            if (corner >= least) least = corner + 1;
        }
    }
    free(bytes);
    return worst;
}

/* Rebuilds every part's points and every outline from the page and compares them with the scene's, in the world. */
static double worst_point_error(const report_case *c) {
    size_t size;
    char *page = written(c, &size);
    json_t *meta = metadata(page, "report"), *all = lists(page);
    const cm_vec3 origin = vector(json_object_get(meta, "origin"));
    unsigned char *table = unpacked(page, -1, &size);
    assert_int_equal(size, 40 * PARTS + 36 * 3);
    double worst = 0;
    for (uint32_t i = 0; i < PARTS; i++) worst = fmax(worst, part_error(c, page, i, table, origin));
    free(table);
    for (size_t i = 0; i < FINDINGS; i++) {
        const json_t *outline = json_object_get(json_array_get(json_object_get(all, "findings"), i), "outline");
        check_that((outline != NULL) == (c->list[i].outline_segments > 0), "finding %zu", i);
        if (!outline) continue;
        unsigned char *bytes = unpacked(page, (int)number(outline, "block"), &size);
        size_t from = (size_t)number(outline, "at");
        for (size_t k = 0; k < 2 * c->list[i].outline_segments; k++, from += 12) {
            cm_vec3 p = cm_v((cm_real)float_at(bytes, from), (cm_real)float_at(bytes, from + 4),
                             (cm_real)float_at(bytes, from + 8));
            worst = fmax(worst, (double)cm_length(cm_sub(cm_add(p, origin), c->list[i].outline[k])));
        }
        free(bytes);
    }
    json_decref(meta);
    json_decref(all);
    free(page);
    return worst;
}

/* Outlines: float32 relative to the scene's middle, at most 1.6 m away: half an ulp of 1 to 2 is 6e-8. Meshes: half a
 * step along each axis, of which 2^20 to 2^21 are as long as the longest side, at most 0.4 m: 0.87 * 2^-21 = 4.1e-7. */
static void points_and_outlines_come_back(void **state) {
    (void)state;
    report_case c;
    report_case_make(&c, cm_v(0, 0, 0));
    double worst = worst_point_error(&c);
    check_that(worst < 3.5e-7, "off by %g m", worst);
    report_case_free(&c);
}

/* 5000 km away float32 alone would be off by a quarter of a metre; the poses' doubles there have ulps of 1e-9. */
static void a_far_model_stays_sharp(void **state) {
    (void)state;
    report_case c;
    report_case_make(&c, cm_v(CM_REAL(5e6), CM_REAL(-3e6), CM_REAL(1e6)));
    double worst = worst_point_error(&c);
    check_that(worst < 3.5e-7, "off by %g m", worst);
    report_case_free(&c);
}

static void every_finding_is_told(void **state) {
    (void)state;
    static const char *const words[FINDINGS] = {"crossing",  "b_inside_a", "identical", "touching",
                                                "clearance", "crossing",   "crossing"};
    report_case c;
    report_case_make(&c, cm_v(0, 0, 0));
    c.list[TOUCHING].result.distance = CM_REAL_MAX; /* not measured */
    size_t size;
    char *page = written(&c, &size);
    json_t *meta = metadata(page, "report"), *all = lists(page), *list = json_object_get(all, "findings");
    assert_int_equal(json_array_size(list), FINDINGS);
    for (size_t i = 0; i < FINDINGS; i++) {
        const json_t *f = json_array_get(list, i);
        const cm_finding *want = &c.list[i];
        assert_string_equal(json_string_value(json_object_get(f, "relation")), words[i]);
        assert_int_equal(number(f, "part_a"), want->part_a);
        assert_int_equal(number(f, "part_b"), want->part_b);
        assert_int_equal(number(f, "crossings"), want->result.crossings);
        assert_int_equal(json_is_true(json_object_get(f, "allowed")), i == ALLOWED);
        const json_t *by = json_object_get(f, "accepted");
        assert_int_equal(by != NULL, i == ALLOWED);
        if (by) {
            assert_string_equal(json_string_value(json_object_get(by, "where")), "list.txt:3");
            assert_string_equal(json_string_value(json_object_get(by, "reason")), "</script> & why");
            assert_string_equal(json_string_value(json_object_get(by, "author")), "A. M.");
            assert_string_equal(json_string_value(json_object_get(by, "date")), "2025-03-14");
            check_that(number(by, "depth") == .025, "%g", number(by, "depth"));
        }
        assert_int_equal(json_is_true(json_object_get(f, "surface_b")), i == BALLS);
        assert_int_equal(json_is_true(json_object_get(f, "thin_a")), i == BALLS);
        if (i == TOUCHING)
            assert_true(json_is_null(json_object_get(f, "distance")));
        else
            check_that(number(f, "distance") == want->result.distance, "%g", number(f, "distance"));
        check_that(vector(json_object_get(f, "point_a")).x == want->result.point_a.x, "finding %zu", i);
        check_that(vector(json_object_get(f, "point_b")).z == want->result.point_b.z, "finding %zu", i);
    }
    assert_string_equal(json_string_value(json_object_get(meta, "up")), "z");
    check_that(number(meta, "clearance") == .005, "%g", number(meta, "clearance"));
    assert_int_equal(number(meta, "pairs_total"), 78);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, BALLS), "id")), "abcdef0123456786");
    json_decref(meta);
    json_decref(all);
    free(page);
    report_case_free(&c);
}

/* A name that ends a script element, opens a comment or is no UTF-8 stays text: the number of elements does not change,
 * and the JSON gives the name back (bytes that are no UTF-8 as U+FFFD). */
static void no_name_leaves_its_place(void **state) {
    (void)state;
    report_case c;
    report_case_make(&c, cm_v(0, 0, 0));
    size_t size;
    char *page = written(&c, &size);
    char *from = strstr(page, "id=\"report\">"), *to = strstr(from, "x-carom-packed");
    *to = 0;
    size_t ends = 0;
    for (char *at = from; (at = strstr(at, "</script")) != NULL; at++) ends++;
    check_that(ends == 1, "%zu ends of script in the metadata", ends);
    assert_null(strstr(from, "<img"));
    assert_null(strstr(from, "<!--"));
    assert_null(strstr(from, "&amp;"));
    for (char *at = from; *at; at++) check_that((unsigned char)*at < 0x80, "byte %d", *at);
    *to = 'x';
    json_t *all = lists(page), *parts = json_object_get(all, "parts");
    assert_string_equal(json_string_value(json_object_get(json_array_get(parts, 4), "name")), "rig/" HOSTILE_A);
    assert_string_equal(json_string_value(json_object_get(json_array_get(parts, 5), "name")),
                        "rig/<!--<script>/\xef\xbf\xbd\"'&amp;\\u003c");
    json_decref(all);
    free(page);
    report_case_free(&c);
}

static void equal_input_gives_equal_bytes(void **state) {
    (void)state;
    report_case c;
    size_t size[2];
    char *page[2];
    for (int i = 0; i < 2; i++) {
        report_case_make(&c, cm_v(0, 0, 0));
        c.found.seconds_pairs = c.found.seconds_import = i; /* how long it took must not show */
        page[i] = written(&c, &size[i]);
        report_case_free(&c);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(page[0], page[1], size[0]);
    free(page[0]);
    free(page[1]);
}

static void nothing_at_all_is_a_report_too(void **state) {
    (void)state;
    report_case c;
    memset(&c, 0, sizeof c);
    size_t size;
    char *page = written(&c, &size);
    json_t *all = lists(page);
    assert_int_equal(json_array_size(json_object_get(all, "findings")), 0);
    free(unpacked(page, -1, &size));
    assert_int_equal(size, 0);
    json_decref(all);
    free(page);
}

/* More than a block holds: it is longer, and what comes after it stands in the next. */
static void a_long_outline_has_its_block(void **state) {
    (void)state;
    enum { SEGMENTS = 300000 }; /* 7.2 MB, blocks end after 256 KiB */
    report_case c;
    report_case_make(&c, cm_v(0, 0, 0));
    cm_vec3 *outline = malloc(2 * SEGMENTS * sizeof *outline);
    for (int i = 0; i < 2 * SEGMENTS; i++) outline[i] = cm_v((cm_real)(i % 1024) / 1024, (cm_real)(i / 1024) / 1024, 0);
    give_outline(&c.list[CLEARANCE], outline, SEGMENTS, cm_v(0, 0, 0));
    double worst = worst_point_error(&c);
    check_that(worst < 3.5e-7, "off by %g m", worst);
    free(outline);
    report_case_free(&c);
}

/* --- failures ----------------------------------------------------------------------------------------------------- */

static void expect_failure(const char *path, const char *why) {
    report_case c;
    report_case_make(&c, cm_v(0, 0, 0));
    char message[300] = "";
    assert_false(report_write(path, &c.model, NULL, &c.found, 0, message, sizeof message));
    check_that(strstr(message, path) && strstr(message, why), "said: %s", message);
    report_case_free(&c);
}

static void a_missing_folder_is_told(void **state) {
    (void)state;
    expect_failure("/no/such/folder/report.html", strerror(ENOENT));
    char message[300] = "";
    assert_false(report_can_write("/no/such/folder/report.html", message, sizeof message));
    check_that(strstr(message, strerror(ENOENT)) != NULL, "said: %s", message);
}

static void a_folder_is_no_file(void **state) {
    (void)state;
    expect_failure("/tmp", strerror(EISDIR));
}

static void a_full_disk_is_told(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("SKIPPED: no /dev/full\n");
        skip();
    }
    expect_failure("/dev/full", strerror(ENOSPC));
    assert_int_equal(access("/dev/full", F_OK), 0);
}

/* A limit on the size of files stops the writing midway, or where the file is closed (its last bytes): what was
 * written is taken away again. */
static void half_a_report_is_removed(void **state) {
    (void)state;
    report_case c;
    report_case_make(&c, cm_v(0, 0, 0));
    size_t size;
    free(written(&c, &size));
    report_case_free(&c);
    char path[600];
    snprintf(path, sizeof path, "%s-%ld.html", scratch_path("half"), (long)getpid());
    const size_t limits[] = {100000, size - 10};
    for (int i = 0; i < 2; i++) {
        struct rlimit before, small;
        getrlimit(RLIMIT_FSIZE, &before);
        small = before;
        small.rlim_cur = limits[i];
        void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        expect_failure(path, strerror(EFBIG));
        setrlimit(RLIMIT_FSIZE, &before);
        signal(SIGXFSZ, old);
        check_that(access(path, F_OK) != 0, "%s is still there", path);
    }
}

static void asking_changes_nothing(void **state) {
    (void)state;
    char path[600], message[300] = "", text[5] = "";
    snprintf(path, sizeof path, "%s-%ld.html", scratch_path("ask"), (long)getpid());
    assert_true(report_can_write(path, message, sizeof message));
    assert_int_not_equal(access(path, F_OK), 0);
    FILE *file = fopen(path, "w");
    fputs("keep", file);
    fclose(file);
    assert_true(report_can_write(path, message, sizeof message));
    file = fopen(path, "r");
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "keep");
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_outlines_come_back), cmocka_unit_test(a_far_model_stays_sharp),
        cmocka_unit_test(every_finding_is_told),         cmocka_unit_test(no_name_leaves_its_place),
        cmocka_unit_test(equal_input_gives_equal_bytes), cmocka_unit_test(nothing_at_all_is_a_report_too),
        cmocka_unit_test(a_long_outline_has_its_block),  cmocka_unit_test(a_missing_folder_is_told),
        cmocka_unit_test(a_folder_is_no_file),           cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(half_a_report_is_removed),      cmocka_unit_test(asking_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
