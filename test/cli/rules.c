/* carom check --rules, --approved, --also: what is found by whom, and what is accepted. */
#include "cli/house.h"
#include "page_file.h"

/* --- answers ------------------------------------------------------------------------------------------------------ */

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}
static json_int_t number_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}
static const json_t *list_at(const json_t *object, const char *key, size_t i) {
    return json_array_get(json_object_get(object, key), i);
}
static const char *name_of(const json_t *root, const json_t *finding, const char *key) {
    return text_of(list_at(root, "parts", (size_t)number_of(finding, key)), "name");
}

/* The finding of the test between parts whose names end so, or NULL. */
static const json_t *find(const json_t *root, const char *test, const char *a, const char *b) {
    for (size_t i = 0; i < json_array_size(json_object_get(root, "findings")); i++) {
        const json_t *f = list_at(root, "findings", i);
        const char *first = name_of(root, f, "part_a"), *second = name_of(root, f, "part_b");
        const char *ends[2] = {strrchr(first, '/'), strrchr(second, '/')};
        if (strcmp(text_of(f, "test"), test) == 0 && ends[0] && ends[1] &&
            ((!strcmp(ends[0] + 1, a) && !strcmp(ends[1] + 1, b)) ||
             (!strcmp(ends[0] + 1, b) && !strcmp(ends[1] + 1, a))))
            return f;
    }
    return NULL;
}

static size_t finding_count(const json_t *root) { return json_array_size(json_object_get(root, "findings")); }

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void each_test_has_its_findings_under_its_name(void **state) {
    (void)state;
    const char *house = write_house();
    const char *rules =
        write_text("three.json", RULES_HEAD
                   "\"tests\": [\n"
                   "{\"name\": \"through\", \"a\": \"class=IfcPipe* & !layer=sleeves\", \"b\": [\"class=IfcWall\", "
                   "\"class=IfcSlab & type=concrete\"], \"tolerance\": \"20mm\"},\n"
                   "{\"name\": \"near\", \"a\": \"layer=pipes\", \"b\": \"class=IfcSlab\", \"clearance\": \"50mm\", "
                   "\"severity\": \"warning\"},\n"
                   "{\"name\": \"twice\", \"kind\": \"duplicate\", \"severity\": \"note\"}]}");
    json_t *root = RUN_JSON(1, "check", house, "--rules", rules);
    assert_int_equal(finding_count(root), 4);
    assert_non_null(find(root, "through", "IfcPipeSegment_1", "IfcWall_A"));
    assert_non_null(find(root, "through", "IfcPipeSegment_2", "IfcWall_B"));
    const json_t *deep = find(root, "near", "IfcPipeSegment_3", "IfcSlab_S"); /* 10 mm deep: it touches in the first */
    const json_t *above = find(root, "near", "IfcPipeSegment_4", "IfcSlab_S");
    assert_string_equal(text_of(deep, "relation"), "crossing");
    assert_string_equal(text_of(above, "relation"), "clearance");
    assert_string_equal(text_of(above, "severity"), "warning");
    assert_false(json_is_true(json_object_get(deep, "fails")));
    const struct {
        const char *name, *kind, *severity;
        json_int_t a, b, findings, failing;
    } want[] = {{"through", "hard", "error", 4, 3, 2, 2},
                {"near", "clearance", "warning", 4, 2, 2, 0},
                {"twice", "duplicate", "note", 14, 14, 0, 0}};
    for (size_t i = 0; i < 3; i++) {
        const json_t *test = list_at(root, "tests", i);
        assert_string_equal(text_of(test, "name"), want[i].name);
        assert_string_equal(text_of(test, "kind"), want[i].kind);
        assert_string_equal(text_of(test, "severity"), want[i].severity);
        assert_int_equal(number_of(test, "parts_a"), want[i].a);
        assert_int_equal(number_of(test, "parts_b"), want[i].b);
        assert_int_equal(number_of(test, "findings"), want[i].findings);
        assert_int_equal(number_of(test, "failing"), want[i].failing);
    }
    json_decref(root);
    run r = RUN("check", house, "--rules", rules);
    assert_non_null(strstr(r.out, "through: hard, error, 4 x 3 parts, 12 pairs: 2 findings.\n"));
    assert_non_null(strstr(r.out, "  near     warning\n"));
    run_free(&r);
    const char *xml = scratch_path("out.xml"), *sarif = scratch_path("out.sarif");
    EXPECT(0, NULL, "check", house, "--rules", rules, "--fail-on", "none", "--junit", xml, "--sarif", sarif);
    r = RUN("check", house, "--rules", rules, "--format", "csv");
    assert_non_null(strstr(r.out, ",status,test,severity,reason,"));
    assert_non_null(strstr(r.out, ",,near,warning,,"));
    run_free(&r);
    json_t *log = json_load_file(sarif, 0, NULL);
    const json_t *one = list_at(log, "runs", 0);
    const json_t *known = json_object_get(json_object_get(json_object_get(one, "tool"), "driver"), "rules");
    assert_int_equal(json_array_size(known), 3);
    for (size_t i = 0; i < 4; i++) {
        const json_t *result = list_at(one, "results", i);
        const bool near = strcmp(text_of(result, "ruleId"), "near") == 0;
        assert_string_equal(text_of(result, "level"), near ? "warning" : "note"); /* nothing fails here */
        assert_string_equal(text_of(json_array_get(known, (size_t)number_of(result, "ruleIndex")), "id"),
                            text_of(result, "ruleId"));
    }
    json_decref(log);
    size_t size;
    char *bytes = read_all(xml, &size);
    assert_non_null(strstr(bytes, "<testsuite name=\"near\" tests=\"2\" failures=\"0\""));
    assert_non_null(strstr(bytes, "<testcase classname=\"carom.twice\" name=\"none found\"/>"));
    free(bytes);
    const char *page = scratch_path("page.html");
    EXPECT(1, NULL, "check", house, "--rules", rules, "--report", page);
    bytes = read_all(page, &size);
    char *lists = (char *)unpacked(bytes, -2, &size);
    char *length = strstr(lists, "\"clearance\":0.050000"), *line = length;
    assert_non_null(length);
    *length = 0;
    while (line > lists && line[-1] != '\n') line--; /* a finding a line */
    assert_non_null(strstr(line, "\"test\":\"near\",\"severity\":\"warning\""));
    free(lists);
    free(bytes);
}

static void tolerances_are_those_of_pairs(void **state) {
    (void)state;
    const char *house = write_house();
    json_t *root = RUN_JSON(1, "check", house, "--between", "shaft_1", "bearing_1");
    assert_string_equal(text_of(list_at(root, "findings", 0), "relation"), "crossing");
    json_decref(root);
    const char *fit =
        write_text("fit.json", RULES_HEAD "\"tolerances\": [{\"a\": \"leaf=bearing*\", \"b\": \"leaf=shaft*\", "
                                          "\"tolerance\": \"0.3mm\", \"reason\": \"press fit\"}]}");
    root = RUN_JSON(0, "check", house, "--rules", fit, "--between", "shaft_1", "bearing_1");
    assert_string_equal(text_of(list_at(root, "findings", 0), "relation"), "touching");
    json_decref(root);
    EXPECT(1, NULL, "check", house, "--rules", fit); /* the rest is as it was */
}

static void severity_decides_the_exit_code(void **state) {
    (void)state;
    static const char *const severities[] = {"error", "warning", "note"};
    const char *house = write_house();
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text, RULES_HEAD "\"tests\": [{\"name\": \"all\", \"severity\": \"%s\"}]}",
                 severities[i]);
        EXPECT(i == 0, NULL, "check", house, "--rules", write_text("severity.json", text));
    }
}

static void several_between_are_several_tests(void **state) {
    (void)state;
    const char *house = write_house();
    json_t *root =
        RUN_JSON(1, "check", house, "--between", "layer=pipes", "IfcWall_A", "--between", "layer=pipes", "IfcWall_B");
    assert_int_equal(finding_count(root), 2);
    assert_non_null(find(root, "layer=pipes:IfcWall_A", "IfcPipeSegment_1", "IfcWall_A"));
    assert_non_null(find(root, "layer=pipes:IfcWall_B", "IfcPipeSegment_2", "IfcWall_B"));
    assert_int_equal(json_array_size(json_object_get(root, "tests")), 2);
    json_decref(root);
    EXPECT(2, "--between: 'IfcWall_C' matches no part", "check", house, "--between", "layer=pipes", "IfcWall_A",
           "--between", "layer=pipes", "IfcWall_C");
    EXPECT(2, "takes one --between", "distance", house, "--between", "layer=pipes", "IfcWall_A", "--between",
           "layer=pipes", "IfcWall_B");
    EXPECT(0, NULL, "distance", house, "--between", "layer=pipes", "class=IfcWall");
}

static void what_is_left_out_by_default_is_said_and_comes_back(void **state) {
    (void)state;
    const char *house = write_house();
    json_t *root = RUN_JSON(1, "check", house), *all;
    const json_t *defaults = json_object_get(root, "defaults");
    assert_int_equal(number_of(json_object_get(defaults, "spaces"), "parts"), 1);
    assert_int_equal(number_of(json_object_get(defaults, "parent-child"), "near_pairs"), 1);
    assert_int_equal(number_of(json_object_get(defaults, "same-product"), "near_pairs"), 0);
    assert_null(find(root, "", "IfcSpace_R", "IfcFurniture_Table"));
    assert_null(find(root, "", "IfcPipeSegment_4", "IfcValve_Tap"));
    assert_non_null(find(root, "", "IfcFurniture_Table", "IfcSlab_T"));
    run r = RUN("check", house, "--part", "mesh");
    assert_non_null(strstr(r.out, "Not compared by default: 1 space or opening (--also spaces), 1 near "
                                  "pair of one product (--also same-product), 1 near pair of parent and child (--also "
                                  "parent-child).\n"));
    run_free(&r);
    all = RUN_JSON(1, "check", house, "--also", "parent-child", "--also", "spaces");
    assert_non_null(find(all, "", "IfcSpace_R", "IfcFurniture_Table"));
    assert_non_null(find(all, "", "IfcPipeSegment_4", "IfcValve_Tap"));
    json_decref(all);
    all = RUN_JSON(1, "check", house, "--part", "mesh");
    assert_null(find(all, "", "mesh1", "mesh2"));
    json_decref(all);
    all = RUN_JSON(1, "check", house, "--part", "mesh", "--also", "same-product");
    assert_non_null(find(all, "", "mesh1", "mesh2"));
    json_decref(all);
    all = RUN_JSON(1, "check", house, "--rules", write_text("also.json", RULES_HEAD "\"also\": [\"parent-child\"]}"));
    assert_int_equal(finding_count(all), finding_count(root) + 1);
    json_decref(all);
    json_decref(root);
    EXPECT(2, "matches no part and no file (spaces and openings are left out: --also spaces)", "check", house,
           "--between", "class=IfcSpace", "**");
    EXPECT(2, "'class=IfcSpce' matches no part and no file\n", "check", house, "--between", "class=IfcSpce", "**");
    EXPECT(2, "matches no part and no file (spaces and openings are left out: --also spaces)", "distance", house,
           "--between", "class=IfcWall", "leaf=IfcSpace_R");
    EXPECT(2, "'leaf=IfcSpace_S' matches no part and no file\n", "distance", house, "--between", "class=IfcWall",
           "leaf=IfcSpace_S");
    EXPECT(2, "test 'walls' has nothing to compare\n", "check", house, "--rules",
           write_text("typo.json", RULES_HEAD "\"tests\": [{\"name\": \"walls\", \"a\": \"class=IfcWal\"}]}"));
    EXPECT(2, "test 'rooms' has nothing to compare (spaces and openings are left out: --also spaces)\n", "check", house,
           "--rules",
           write_text("rooms.json", RULES_HEAD "\"tests\": [{\"name\": \"rooms\", \"a\": [\"class=IfcSpace\", "
                                               "\"class=IfcSpatialZone\"]}]}"));
    EXPECT(1, NULL, "check", house, "--between", "class=IfcSpace", "**", "--also", "spaces");
    EXPECT(2, "is not one of spaces, same-product, parent-child", "check", house, "--also", "all");
}

static void ignoring_a_leaf_keeps_what_it_holds(void **state) {
    (void)state;
    const char *house = write_house();
    json_t *root = RUN_JSON(1, "check", house, "--ignore", "IfcSpace*");
    assert_null(find(root, "", "IfcFurniture_Table", "IfcSlab_T"));
    assert_int_equal(number_of(json_object_get(root, "counts"), "ignored_parts"), 2);
    json_decref(root);
    root = RUN_JSON(1, "check", house, "--ignore", "leaf=IfcSpace*", "--ignore", "Pset_WallCommon.LoadBearing=*");
    assert_non_null(find(root, "", "IfcFurniture_Table", "IfcSlab_T"));
    assert_int_equal(number_of(json_object_get(root, "counts"), "ignored_parts"), 3);
    json_decref(root);
    EXPECT(1, "--ignore 'leaf=IfcSpce*' matches no part", "check", house, "--ignore", "leaf=IfcSpce*");
}

/* Of what is no selector, as other languages have them, each would be a pattern: negated it chose every part. */
static void what_is_no_selector_is_refused(void **state) {
    (void)state;
    const char *house = write_house();
    static const struct {
        const char *selector, *fault;
    } cases[] = {
        {"!(leaf=IfcWall_A | leaf=IfcWall_B)", "has parentheses, and they do not group here"},
        {"(leaf=IfcWall_A | leaf=IfcWall_B) & storey=EG", "has parentheses"},
        {"storey=EG & !(leaf=IfcWall_A)", "has parentheses"},
        {"!!IfcWall_A", "has '!!' or a blank behind '!'"},
        {"storey=EG | ! IfcWall_A", "has '!!' or a blank behind '!'"},
        {"!IfcWall_A && !IfcWall_B", "has '&&' or '||'"},
        {"!IfcWall_A || IfcWall_B", "has '&&' or '||'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *selector = cases[i].selector, *fault = cases[i].fault;
        char pair[100];
        snprintf(pair, sizeof pair, "**:%s", selector);
        EXPECT(2, fault, "check", house, "--ignore", selector);
        EXPECT(2, fault, "check", house, "--between", "**", selector);
        EXPECT(2, fault, "check", house, "--allow", pair);
        snprintf(pair, sizeof pair, "**:%s; r; A; 2025-01-01", selector);
        EXPECT(2, fault, "check", house, "--approved", write_text("no_selector.txt", pair));
    }
    /* names that have such characters */
    static const char *const names[] = {"(a)", "leaf=(a", "!\\(a", "!\\!a", "!\\ a", "a &&b", "a \\&& b", "!a | b"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        EXPECT(2, "matches no part and no file", "check", house, "--between", "IfcNone", names[i]);
}

static void what_chooses_nothing_is_said(void **state) {
    (void)state;
    const char *house = write_house();
    const char *rules = write_text("typo.json", RULES_HEAD
                                   "\"tests\": [\n{\"name\": \"x\", \"a\": [\"class=IfcWall\",\n \"class=IfcWal\"]},\n"
                                   "{\"name\": \"y\", \"b\": \"layer=pipe\"}],\n\"exceptions\": [\n"
                                   "{\"a\": \"class=IfcWall\", \"b\": \"class=IfcSlab\", \"depth\": \"5mm\"}]}");
    const char *xml = scratch_path("typo.xml");
    run r = RUN("check", house, "--rules", rules, "--junit", xml);
    assert_int_equal(r.code, 1);
    size_t size;
    char *bytes = read_all(xml, &size); /* no test passes that compared nothing */
    assert_non_null(strstr(bytes, "<testsuite name=\"y\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">"));
    assert_non_null(strstr(bytes, "name=\"nothing to compare\">\n      <skipped/>"));
    free(bytes);
    assert_non_null(strstr(r.err, "typo.json:3: /tests/0/a/1: 'class=IfcWal' chooses no part"));
    assert_non_null(strstr(r.err, "typo.json:4: /tests/1/b: 'layer=pipe' chooses no part"));
    assert_non_null(strstr(r.err, "'class=IfcWall:class=IfcSlab' matches no finding of at most 5 mm\n"));
    assert_non_null(strstr(r.err, "test 'y' has nothing to compare"));
    assert_non_null(strstr(r.out, "y: hard, error, 14 x 0 parts, 0 pairs: 0 findings; nothing was compared.\n"));
    run_free(&r);
    rules = write_text("empty.json", RULES_HEAD "\"tests\": [{\"name\": \"x\", \"a\": \"class=IfcWal\"}]}");
    EXPECT(2, "nothing is compared", "check", house, "--rules", rules);
}

/* --- what was approved -------------------------------------------------------------------------------------------- */

/* As two versions of the list that were joined leave them: one finding is one, and the entry that lets it be deepest
 * counts. */
static void a_finding_that_is_approved_twice_is_one(void **state) {
    (void)state;
    const char *house = write_house();
    json_t *root = RUN_JSON(1, "check", house);
    const json_t *first = json_array_get(json_object_get(root, "findings"), 0);
    char id[20], list[800];
    snprintf(id, sizeof id, "%s", text_of(first, "id"));
    const double depth = -1000 * json_real_value(json_object_get(first, "distance"));
    json_decref(root);
    static const struct {
        double first, second; /* times the depth; 0: none is told */
        const char *where, *kept;
    } cases[] = {{0, 0, "twice.txt:2: finding ", "twice.txt:1,"},
                 {0, 0.5, "twice.txt:2: finding ", "twice.txt:1,"},
                 {0.5, 0, "twice.txt:1: finding ", "twice.txt:2,"},
                 {0.5, 2, "twice.txt:1: finding ", "twice.txt:2,"},
                 {2, 0.5, "twice.txt:2: finding ", "twice.txt:1,"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char limits[2][40] = {"", ""};
        if (cases[i].first > 0) snprintf(limits[0], sizeof limits[0], "; %gmm", cases[i].first * depth);
        if (cases[i].second > 0) snprintf(limits[1], sizeof limits[1], "; %gmm", cases[i].second * depth);
        snprintf(list, sizeof list, "%s; why; A; 2025-03-14%s\n%s; why; A; 2025-03-14%s\n", id, limits[0], id,
                 limits[1]);
        run r = RUN("check", house, "--approved", write_text("twice.txt", list));
        check_that(strstr(r.err, cases[i].where) && strstr(r.err, "already: this entry is left out"), "%zu: %s", i,
                   r.err);
        check_that(strstr(r.out, cases[i].kept) && strstr(r.out, ", 1 finding: why (A, 2025-03-14)") &&
                       !strstr(r.out, "2 findings: why"),
                   "%zu: %s", i, r.out);
        run_free(&r);
    }
}

static void what_was_approved_is_listed_and_does_not_count(void **state) {
    (void)state;
    const char *house = write_house();
    const char *rules =
        write_text("walls.json", RULES_HEAD "\"tests\": [{\"name\": \"w\", \"a\": \"class=IfcPipe*\", \"b\": "
                                            "\"class=IfcWall\"}]}");
    json_t *root = RUN_JSON(1, "check", house, "--rules", rules);
    assert_int_equal(finding_count(root), 3);
    const json_t *f = find(root, "w", "IfcPipeSegment_1", "IfcWall_A");
    const double depth = -json_real_value(json_object_get(f, "distance"));
    char list[800];
    snprintf(list, sizeof list,
             "\xef\xbb\xbf# a comment\n\n%s; cast in\\; checked; A. Meyer; 2025-03-14\r\n"
             "layer=sleeves:class=IfcWall;it is one;B;2024-02-29;  9m\n"
             "IfcWall_B:IfcPipeSegment_2; too deep; C; 2025-01-01; %gmm\n"
             "IfcWall_B:IfcSlab_S; gone; C; 2025-01-01",
             text_of(f, "id"), 1000 * depth * 0.9);
    json_decref(root);
    const char *approved = write_text("approved.txt", list);
    root = RUN_JSON(1, "check", house, "--rules", rules, "--approved", approved);
    assert_int_equal(number_of(json_object_get(root, "counts"), "allowed"), 2);
    assert_int_equal(number_of(json_object_get(root, "counts"), "failing"), 1);
    assert_string_equal(text_of(find(root, "w", "IfcPipeSegment_1", "IfcWall_A"), "reason"), "cast in; checked");
    assert_true(json_is_true(json_object_get(find(root, "w", "IfcPipeSegment_2", "IfcWall_B"), "fails")));
    const json_t *entry = list_at(root, "accepted", 0);
    assert_string_equal(text_of(entry, "author"), "A. Meyer");
    assert_string_equal(text_of(entry, "date"), "2025-03-14");
    assert_int_equal(number_of(entry, "findings"), 1);
    assert_int_equal(number_of(list_at(root, "accepted", 2), "findings"), 0);
    json_decref(root);
    run r = RUN("check", house, "--rules", rules, "--approved", approved, "--junit", scratch_path("out.xml"));
    assert_non_null(strstr(r.out, "approved.txt:3, 1 finding: cast in; checked (A. Meyer, 2025-03-14).\n"));
    assert_non_null(strstr(r.err, "approved.txt:5: 'IfcWall_B:IfcPipeSegment_2' matches no finding"));
    assert_non_null(strstr(r.err, "approved.txt:6: 'IfcWall_B:IfcSlab_S' matches no finding"));
    assert_null(strstr(r.err, "approved.txt:4"));
    run_free(&r);
    size_t size;
    char *xml = read_all(scratch_path("out.xml"), &size);
    assert_non_null(strstr(xml, "approved.txt:3: cast in; checked (A. Meyer, 2025-03-14)\"/>"));
    assert_non_null(strstr(xml, "approved.txt:4: it is one (B, 2024-02-29)\"/>"));
    free(xml);
    EXPECT(2, "would replace", "check", house, "--approved", approved, "--junit", approved);
    const char *alike = write_text("alike.txt", "IfcWall_A:IfcPipeSegment_1; as built; A; 2025-01-01\n"
                                                "IfcWall_B:IfcPipeSegment_2; as built; A; 2025-01-01\n"
                                                "layer=sleeves:class=IfcWall; as built; A; 2025-01-02\n");
    r = RUN("check", house, "--rules", rules, "--approved", alike);
    assert_non_null(strstr(r.out, "alike.txt:1 and 1 more, 2 findings: as built (A, 2025-01-01).\n"));
    assert_non_null(strstr(r.out, "alike.txt:3, 1 finding: as built (A, 2025-01-02).\n"));
    run_free(&r);
}

static void of_many_entries_without_a_finding_some_are_said(void **state) {
    (void)state;
    const char *house = write_house();
    char list[4000] = "";
    for (int i = 0; i < 24; i++) {
        const size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, "%016x; not there; A; 2025-01-01\n", i + 1);
    }
    run r = RUN("check", house, "--approved", write_text("many.txt", list));
    assert_non_null(strstr(r.err, "many.txt:20: '0000000000000014' matches no finding"));
    assert_null(strstr(r.err, "many.txt:21"));
    assert_non_null(
        strstr(r.err, "warning: 4 more entries match no finding: 'accepted' of --format json has them all"));
    run_free(&r);
    json_t *root = RUN_JSON(1, "check", house, "--approved", scratch_path("many.txt"));
    assert_int_equal(json_array_size(json_object_get(root, "accepted")), 24);
    assert_int_equal(number_of(list_at(root, "accepted", 23), "findings"), 0);
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_test_has_its_findings_under_its_name),
        cmocka_unit_test(tolerances_are_those_of_pairs),
        cmocka_unit_test(severity_decides_the_exit_code),
        cmocka_unit_test(several_between_are_several_tests),
        cmocka_unit_test(what_is_left_out_by_default_is_said_and_comes_back),
        cmocka_unit_test(ignoring_a_leaf_keeps_what_it_holds),
        cmocka_unit_test(what_is_no_selector_is_refused),
        cmocka_unit_test(what_chooses_nothing_is_said),
        cmocka_unit_test(a_finding_that_is_approved_twice_is_one),
        cmocka_unit_test(what_was_approved_is_listed_and_does_not_count),
        cmocka_unit_test(of_many_entries_without_a_finding_some_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
