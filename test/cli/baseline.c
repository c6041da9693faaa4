/* carom check --baseline: what is new since an earlier answer, what persists, what is resolved. */
#include "cli/shapes.h"

static json_int_t compared(const json_t *root, const char *key) {
    return json_integer_value(json_object_get(json_object_get(root, "baseline"), key));
}

/* Four plates in a row along x, each 50 mm deep in the next: three findings. Each may be renamed or moved away. */
typedef struct plates {
    const char *names[4];
    double y[4];
} plates;

static const char *plates_write(const plates *p, const char *file) {
    obj o = {0};
    for (int i = 0; i < 4; i++) obj_box(&o, p->names[i], 0.95 * i, p->y[i], 0, 0.95 * i + 1, p->y[i] + 1, 1);
    return obj_write(&o, file);
}

/* The answer for a model, as a file. */
static const char *answer_write_of(const char *model, const char *file, int code) {
    json_t *root = RUN_JSON(code, "check", model);
    char *text = json_dumps(root, JSON_REAL_PRECISION(17));
    const char *path = write_text(file, text);
    free(text);
    json_decref(root);
    return path;
}
static const char *answer_write(const char *model, const char *file) { return answer_write_of(model, file, 1); }

static const plates OLD = {{"a", "b", "c", "d"}, {0, 0, 0, 0}};

static void an_unchanged_model_has_nothing_new(void **state) {
    (void)state;
    const char *model = plates_write(&OLD, "plates.obj"), *before = answer_write(model, "before.json");
    json_t *root = RUN_JSON(1, "check", model, "--baseline", before); /* it still fails */
    assert_int_equal(compared(root, "new"), 0);
    assert_int_equal(compared(root, "persisting"), 3);
    assert_int_equal(compared(root, "resolved"), 0);
    const json_t *f;
    size_t i;
    json_array_foreach(json_object_get(root, "findings"), i, f) assert_string_equal(text_at(f, "status"), "persisting");
    json_decref(root);
    root = RUN_JSON(0, "check", model, "--baseline", before, "--fail-on", "new");
    json_array_foreach(json_object_get(root, "findings"), i, f) assert_true(json_is_false(json_object_get(f, "fails")));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "counts"), "failing")), 0);
    json_decref(root);
}

static void what_is_new_fails_and_what_is_resolved_is_listed(void **state) {
    (void)state;
    const plates now = {{"a", "b", "c", "d"}, {9, 0, 0, 0}}, then = {{"a", "b", "c", "d"}, {0, 0, 0, 9}};
    const char *model = plates_write(&now, "now.obj");
    const char *before = answer_write(plates_write(&then, "then.obj"), "then.json");
    json_t *root = RUN_JSON(1, "check", model, "--baseline", before, "--fail-on", "new");
    assert_int_equal(compared(root, "new"), 1);
    assert_int_equal(compared(root, "persisting"), 1);
    assert_int_equal(compared(root, "resolved"), 1);
    const json_t *gone = json_array_get(json_object_get(json_object_get(root, "baseline"), "resolved_findings"), 0);
    assert_string_equal(text_at(gone, "part_a"), "a");
    assert_string_equal(text_at(gone, "part_b"), "b");
    assert_string_equal(text_at(gone, "relation"), "crossing");
    const json_t *f;
    size_t i;
    json_array_foreach(json_object_get(root, "findings"), i, f) {
        const bool fresh = json_integer_value(json_object_get(f, "part_b")) == 3;
        assert_string_equal(text_at(f, "status"), fresh ? "new" : "persisting");
        assert_int_equal(json_is_true(json_object_get(f, "fails")), fresh);
    }
    json_decref(root);
    run r = RUN("check", model, "--baseline", before);
    assert_non_null(strstr(r.out, "resolved: crossing 50 mm, a and b\n"));
    assert_non_null(strstr(r.out, ": 1 new, 1 persisting, 1 resolved.\n"));
    assert_non_null(strstr(r.out, "  new\n"));
    run_free(&r);
    r = RUN("check", model, "--baseline", before, "--format", "csv");
    assert_non_null(strstr(r.out, ",new,,error,,"));
    assert_non_null(strstr(r.out, ",persisting,,error,,"));
    run_free(&r);
    EXPECT(0, NULL, "check", model, "--baseline", before, "--fail-on", "new", "--allow", "c:d");
    EXPECT(0, NULL, "check", model, "--baseline", before, "--fail-on", "new", "--fail-on", "none");
}

/* Parts that abut are counted, not listed: so is what of them is new or resolved. */
static void what_is_not_listed_is_not_listed_as_resolved(void **state) {
    (void)state;
    obj then = {0}, now = {0};
    for (int i = 0; i < 3; i++) {
        const char name[] = {(char)('a' + i), 0};
        obj_box(&then, name, i, 0, 0, i + 1, 1, 1);
        obj_box(&now, name, i == 1 ? 9 : i == 2 ? -1 : 0, 0, 0, i == 1 ? 10 : i == 2 ? 0 : 1, 1, 1);
    }
    const char *before = answer_write_of(obj_write(&then, "abut.obj"), "abut.json", 0);
    const char *model = obj_write(&now, "abut.obj");
    run r = RUN("check", model, "--baseline", before);
    assert_null(strstr(r.out, "resolved: "));
    assert_non_null(strstr(r.out, ": 1 new (1 not listed), 0 persisting, 2 resolved (2 not listed).\n"));
    run_free(&r);
    r = RUN("check", model, "--baseline", before, "--fail-on", "touching");
    assert_non_null(strstr(r.out, "resolved: touching 0 mm, a and b\n"));
    assert_non_null(strstr(r.out, ": 1 new, 0 persisting, 2 resolved.\n"));
    run_free(&r);
}

static void a_renamed_part_and_a_small_shift_are_no_news(void **state) {
    (void)state;
    const plates now = {{"z", "b", "x", "d"}, {0.01, 0.01, 0.01, 0.01}};
    const char *before = answer_write(plates_write(&OLD, "old.obj"), "old.json");
    json_t *root = RUN_JSON(0, "check", plates_write(&now, "renamed.obj"), "--baseline", before, "--fail-on", "new");
    assert_int_equal(compared(root, "persisting"), 3);
    json_decref(root);
}

static void a_baseline_that_is_none_is_refused(void **state) {
    (void)state;
#define PARTS "\"parts\": [{\"name\": \"a\"}, {\"name\": \"b\"}]"
#define FINDING(relation, b, id, point, box)                                                                           \
    "{\"schema\": \"carom-check-1\", " PARTS ", \"findings\": [{\"relation\": \"" relation                             \
    "\", \"part_a\": 0, \"part_b\": " b ", \"distance\": null, \"tolerance\": 0.1, \"id\": \"" id                      \
    "\", \"id_a\": \"0000000000000001\", \"id_b\": \"0000000000000002\", \"point_a\": " point                          \
    ", \"point_b\": [0, 0, 0], \"outline_box\": " box "}]}"
#define ID "00000000000000ff"
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "no JSON"},
        {"[1]", "is no answer of carom check"},
        {"{\"schema\": \"carom-info-1\"}", "is no answer of carom check"},
        {"{\"schema\": \"carom-check-1\"}", "has no parts and findings"},
        {"{\"schema\": \"carom-check-1\", \"parts\": [1], \"findings\": []}", "/parts/0: has no \"name\""},
        {"{\"schema\": \"carom-check-1\", " PARTS ", \"findings\": [7]}", "/findings/0: is not an object"},
        {FINDING("near", "1", ID, "[0, 0, 0]", "null"), "/findings/0/relation: 'near' is no relation"},
        {FINDING("crossing", "2", ID, "[0, 0, 0]", "null"), "/findings/0/part_b: 2 is not from 0 to 1"},
        {FINDING("crossing", "1", "ff", "[0, 0, 0]", "null"), "is not 16 hexadecimal digits"},
        {FINDING("crossing", "1", "00000000000000FF", "[0, 0, 0]", "null"), "is not 16 hexadecimal digits"},
        {FINDING("crossing", "1", ID, "[0, 1e300, 0]", "null"), "/findings/0/point_a/1"},
        {FINDING("crossing", "1", ID, "[0, 0]", "null"), "is not three numbers"},
        {FINDING("crossing", "1", ID, "[0, 0, 0]", "{\"min\": [0, 1, 0], \"max\": [1, 0, 1]}"), "is no box"},
        {FINDING("crossing", "1", ID, "[0, 0, 0]", "{\"min\": [0, 1, 0]}"), "is no box"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT(2, bad[i].why, "check", plates_write(&OLD, "plates.obj"), "--baseline",
               write_text("bad.json", bad[i].text));
    const char *model = plates_write(&OLD, "plates.obj");
    EXPECT(1, NULL, "check", model, "--baseline",
           write_text("good.json", "\xef\xbb\xbf" FINDING("crossing", "1", ID, "[0, 0, 0]", "null")));
    EXPECT(2, "cannot be read", "check", model, "--baseline", scratch_path("nowhere.json"));
    EXPECT(2, "--fail-on new needs a --baseline", "check", model, "--fail-on", "new");
    const char *before = answer_write(model, "kept.json");
    EXPECT(2, "would replace the input", "check", model, "--baseline", before, "--junit", before);
    EXPECT(1, NULL, "check", model, "--baseline", before); /* and was not replaced */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unchanged_model_has_nothing_new),
        cmocka_unit_test(what_is_new_fails_and_what_is_resolved_is_listed),
        cmocka_unit_test(what_is_not_listed_is_not_listed_as_resolved),
        cmocka_unit_test(a_renamed_part_and_a_small_shift_are_no_news),
        cmocka_unit_test(a_baseline_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
