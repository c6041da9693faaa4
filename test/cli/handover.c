/* carom check --junit and --sarif: well formed, whatever parts are called, and the same findings as in the JSON. */
#include "cli/shapes.h"
#include "page_file.h"

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) n++;
    return n;
}

/* One tag at `at`: its end. Attributes are name="value"; a value has no < or ", and & only before an entity. */
static const char *tag_end(const char *at) {
    bool quoted = false;
    for (at++; *at && (quoted || *at != '>'); at++) {
        check_that(*at != '<', "a tag in a tag: %.40s", at);
        quoted ^= *at == '"';
    }
    assert_true(*at == '>');
    return at;
}

/* Every tag is closed by its own, and & begins an entity. */
static void expect_well_formed(const char *xml) {
    char open[8][40];
    int depth = 0;
    assert_memory_equal(xml, "<?xml ", 6);
    for (const char *at = strstr(xml, "?>") + 2; *at; at++) {
        if (*at == '&')
            check_that(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 ||
                           strncmp(at, "&quot;", 6) == 0,
                       "%.20s", at);
        if (*at != '<') continue;
        const char *end = tag_end(at);
        const bool closes = at[1] == '/';
        size_t length = strspn(at + 1 + closes, "abcdefghijklmnopqrstuvwxyz-");
        assert_true(length > 0 && length < 40);
        if (closes) {
            assert_true(depth > 0);
            assert_int_equal(strlen(open[--depth]), length);
            assert_memory_equal(open[depth], at + 2, length);
        } else if (end[-1] != '/') {
            assert_true(depth < 8);
            snprintf(open[depth++], sizeof open[0], "%.*s", (int)length, at + 1);
        }
    }
    assert_int_equal(depth, 0);
}

/* Names that would end an attribute, an element or a text; a cross of 50 mm, one of 30 mm, one touching. */
static const char *model(void) {
    obj o = {0};
    obj_box(&o, "a<b>&\"c\"", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "]]></system-out>", 0.95, 0, 0, 2, 1, 1);
    obj_box(&o, "ok", 1.97, 0, 0, 3, 1, 1);
    obj_box(&o, "near", 3, 0, 0, 4, 1, 1);
    return obj_write(&o, "a b.obj");
}

static void junit_has_a_test_for_each_finding(void **state) {
    (void)state;
    const char *path = scratch_path("out.xml");
    EXPECT(1, NULL, "check", model(), "--junit", path, "--allow", "ok:*system-out>");
    size_t size;
    char *xml = read_all(path, &size);
    expect_well_formed(xml);
    assert_int_equal(count(xml, "<testcase "), 5); /* three findings, and two kinds without one */
    assert_int_equal(count(xml, "<failure "), 1);
    assert_int_equal(count(xml, "<skipped "), 1);
    assert_int_equal(count(xml, "<testsuite "), 4); /* no clearance was asked for */
    assert_int_equal(count(xml, "name=\"none found\""), 2);
    assert_non_null(strstr(xml, "<testsuites name=\"carom check\" tests=\"5\" failures=\"1\" errors=\"0\">"));
    assert_non_null(strstr(xml, "<testsuite name=\"crossing\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\">"));
    assert_non_null(strstr(xml, "a&lt;b&gt;&amp;&quot;c&quot;"));
    assert_non_null(strstr(xml, ": crossing, 50 mm deep, at "));
    char *first = xml;
    EXPECT(1, NULL, "check", model(), "--junit", path, "--allow", "ok:*system-out>", "--threads", "1");
    xml = read_all(path, &size);
    assert_string_equal(first, xml);
    free(first);
    free(xml);
    EXPECT(1, NULL, "check", model(), "--junit", path, "--clearance", "1mm");
    xml = read_all(path, &size);
    assert_int_equal(count(xml, "<testsuite "), 5);
    free(xml);
}

static void sarif_has_a_result_for_each_finding(void **state) {
    (void)state;
    const char *path = scratch_path("out.sarif");
    json_t *answer = RUN_JSON(1, "check", model(), "--sarif", path, "--allow", "ok:*system-out>");
    json_error_t error;
    json_t *sarif = json_load_file(path, 0, &error);
    check_that(sarif != NULL, "%d: %s", error.line, error.text);
    assert_string_equal(json_string_value(json_object_get(sarif, "version")), "2.1.0");
    const json_t *one = json_array_get(json_object_get(sarif, "runs"), 0);
    const json_t *driver = json_object_get(json_object_get(one, "tool"), "driver");
    assert_string_equal(json_string_value(json_object_get(driver, "name")), "carom");
    const json_t *rules = json_object_get(driver, "rules"), *results = json_object_get(one, "results");
    const json_t *findings = json_object_get(answer, "findings"), *parts = json_object_get(answer, "parts");
    assert_int_equal(json_array_size(results), json_array_size(findings));
    assert_int_equal(json_array_size(results), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *r = json_array_get(results, i), *f = json_array_get(findings, i);
        const json_t *rule = json_array_get(rules, (size_t)json_integer_value(json_object_get(r, "ruleIndex")));
        const json_t *place = json_array_get(json_object_get(r, "locations"), 0);
        const json_t *artifact = json_object_get(json_object_get(place, "physicalLocation"), "artifactLocation");
        const char *uri = json_string_value(json_object_get(artifact, "uri"));
        const json_t *part = json_array_get(parts, (size_t)json_integer_value(json_object_get(f, "part_a")));
        assert_string_equal(json_string_value(json_object_get(r, "ruleId")),
                            json_string_value(json_object_get(rule, "id")));
        assert_string_equal(json_string_value(json_object_get(r, "level")),
                            json_is_true(json_object_get(f, "fails")) ? "error" : "note");
        assert_int_equal(json_object_get(r, "suppressions") != NULL, json_is_true(json_object_get(f, "allowed")));
        assert_string_equal(
            json_string_value(json_object_get(json_object_get(r, "partialFingerprints"), "caromFinding/v1")),
            json_string_value(json_object_get(f, "id")));
        assert_null(json_object_get(r, "baselineState"));
        check_that(strncmp(uri, "file:///", 8) == 0 && strcmp(uri + strlen(uri) - 9, "a%20b.obj") == 0, "%s", uri);
        assert_string_equal(json_string_value(json_object_get(
                                json_array_get(json_object_get(place, "logicalLocations"), 0), "fullyQualifiedName")),
                            json_string_value(json_object_get(part, "name")));
    }
    char *text = json_dumps(answer, 0);
    const char *before = write_text("before.json", text);
    free(text);
    json_decref(sarif);
    json_decref(answer);

    EXPECT(1, NULL, "check", model(), "--sarif", path, "--baseline", before);
    sarif = json_load_file(path, 0, &error);
    results = json_object_get(json_array_get(json_object_get(sarif, "runs"), 0), "results");
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(results, i), "baselineState")),
                            "unchanged");
    json_decref(sarif);
}

static void what_cannot_be_written_is_said_before_the_check(void **state) {
    (void)state;
    const char *path = model();
    static const char *const options[] = {"--junit", "--sarif"};
    for (int i = 0; i < 2; i++) {
        run r = RUN("check", path, options[i], scratch_path("no/folder.out"));
        assert_int_equal(r.code, 2);
        assert_non_null(strstr(r.err, "cannot be written"));
        assert_string_equal(r.out, "");
        run_free(&r);
    }
    EXPECT(2, "would replace", "check", path, "--sarif", path);
    EXPECT(2, NULL, "check", path, "--sarif", scratch_path("same"), "--junit", scratch_path("same"));
    EXPECT(2, "is not a file name", "check", path, "--junit", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(junit_has_a_test_for_each_finding),
        cmocka_unit_test(sarif_has_a_result_for_each_finding),
        cmocka_unit_test(what_cannot_be_written_is_said_before_the_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
