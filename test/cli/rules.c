/* carom check --rules, --approved, --also: a small house whose answers are known, as a reader sends it. */
#define _DEFAULT_SOURCE
#include "cli/command.h"

#include "check/finding_fields.h"
#include "read/import.h"

#include <sys/stat.h>
#include <unistd.h>

/* --- the house ---------------------------------------------------------------------------------------------------- */

typedef struct stream {
    unsigned char bytes[1 << 15];
    size_t size;
    uint32_t meshes, nodes;
} stream;

static void put(stream *s, const void *data, size_t size) {
    assert_true(s->size + size <= sizeof s->bytes);
    memcpy(s->bytes + s->size, data, size);
    s->size += size;
}
static void put_u32(stream *s, uint32_t n) { put(s, &n, 4); }
static void put_record(stream *s, uint32_t tag, uint64_t size) {
    put_u32(s, tag);
    put(s, &size, 8);
}

static void put_says(stream *s, const char *key, const char *value) {
    put_record(s, IMPORT_PROPERTY, 4 + strlen(key) + strlen(value));
    put_u32(s, (uint32_t)strlen(key));
    put(s, key, strlen(key)), put(s, value, strlen(value));
}

static uint32_t put_node(stream *s, uint32_t parent, const char *name, bool mesh) {
    static const double local[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    put_record(s, IMPORT_NODE, 12 + sizeof local + strlen(name) + (mesh ? 4 : 0));
    put_u32(s, parent), put_u32(s, mesh), put_u32(s, (uint32_t)strlen(name));
    put(s, local, sizeof local), put(s, name, strlen(name));
    if (mesh) put_u32(s, s->meshes - 1);
    return s->nodes++;
}

/* A box; its class is its name up to the '_'. The node's number. */
static uint32_t put_part(stream *s, uint32_t parent, const char *name, const double low[3], const double high[3]) {
    static const uint32_t corners[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    const double exact = 0;
    char class[64];
    put_record(s, IMPORT_MESH, 40 + 8 * 24 + 12 * 12);
    put_u32(s, 8), put_u32(s, 12);
    for (int i = 0; i < 6; i++) put_u32(s, 0);
    put(s, &exact, 8);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) put(s, i >> k & 1 ? &high[k] : &low[k], 8);
    put(s, corners, sizeof corners);
    s->meshes++;
    const uint32_t node = put_node(s, parent, name, true);
    snprintf(class, sizeof class, "%.*s", (int)strcspn(name, "_"), name);
    if (strncmp(name, "Ifc", 3) == 0) put_says(s, "class", class);
    put_says(s, "storey", "EG");
    return node;
}
#define BOX(x0, y0, z0, x1, y1, z1)                                                                                    \
    (const double[]){x0, y0, z0}, (const double[]) { x1, y1, z1 }

/* What crosses: pipe 1 and wall A (150 mm), pipe 2 and wall B (150), the sleeve and wall A, pipe 3 and the slab (10),
 * the table and the floor that it stands on (30), shaft and bearing (0.2). The screed is within the slab's edge. Pipe 4
 * hangs 30 mm above the slab. The space holds the table. The tap is a part of pipe 4, and crosses it. */
static const char *write_house(void) {
    static const char folder[] = "ifc", *path = NULL;
    stream *s = calloc(1, sizeof *s);
    const double unit = 1;
    const uint64_t magic = IMPORT_MAGIC;
    put(s, &magic, 8);
    put_record(s, IMPORT_META, 23);
    put(s, &unit, 8), put(s, &unit, 8), put(s, "zz\0", 3), put(s, "test", 4);
    const uint32_t root = put_node(s, IMPORT_NONE, "house", false), floor = put_node(s, root, "EG", false);
    put_part(s, floor, "IfcWall_A", BOX(0, 0, 0, 0.3, 5, 3));
    put_says(s, "Pset_WallCommon.LoadBearing", "TRUE");
    put_part(s, floor, "IfcWall_B", BOX(4, 0, 0, 4.3, 5, 3));
    put_says(s, "Pset_WallCommon.LoadBearing", "FALSE");
    put_part(s, floor, "IfcSlab_S", BOX(0, 0, -0.3, 5, 5, 0));
    put_says(s, "type", "concrete");
    put_part(s, floor, "IfcSlab_T", BOX(1, 1, -0.05, 3, 4, 0.02));
    put_says(s, "type", "screed 70");
    put_part(s, floor, "IfcPipeSegment_1", BOX(-1, 1, 1, 1, 1.4, 1.4));
    put_says(s, "id", "2O2Fr$t4X7Zf8NOew3FL5r"), put_says(s, "layer", "pipes");
    put_part(s, floor, "IfcPipeSegment_2", BOX(3.5, 1, 1, 5, 1.4, 1.4));
    put_says(s, "layer", "pipes");
    put_part(s, floor, "IfcPipeSegment_3", BOX(1, 4.5, -0.01, 2, 4.7, 0.1));
    put_says(s, "layer", "pipes");
    put_part(s, floor, "IfcPipeSegment_S", BOX(-0.1, 3, 2, 0.4, 3.4, 2.4));
    put_says(s, "layer", "sleeves");
    const uint32_t last = put_part(s, floor, "IfcPipeSegment_4", BOX(1, 0.2, 0.03, 2, 0.4, 0.2));
    put_says(s, "id", "same"), put_says(s, "layer", "pipes");
    put_part(s, last, "IfcValve_Tap", BOX(1.4, 0.25, 0.1, 1.6, 0.35, 0.3));
    put_says(s, "id", "tap");
    const uint32_t space = put_part(s, floor, "IfcSpace_R", BOX(0.4, 0.5, 0.5, 3.9, 4.4, 2.9));
    put_part(s, space, "IfcFurniture_Table", BOX(2, 2, -0.01, 2.8, 2.8, 0.8));
    put_part(s, floor, "shaft_1", BOX(10, 0, 0, 10.1, 0.1, 1));
    put_part(s, floor, "bearing_1", BOX(10.0998, 0, 0, 10.2, 0.1, 0.2));
    put_record(s, IMPORT_END, 0);
    if (!path) { /* a program in the place of the reader, that sends the file's stream */
        char names[3][600];
        snprintf(names[0], sizeof names[0], "%s/%s", scratch(), folder);
        snprintf(names[1], sizeof names[1], "%.560s/reader.mjs", names[0]);
        snprintf(names[2], sizeof names[2], "%s:%s", scratch(), getenv("PATH"));
        mkdir(names[0], 0700);
        setenv("CAROM_READERS", scratch(), 1);
        setenv("PATH", names[2], 1);
        FILE *script = fopen(names[1], "w");
        assert_non_null(script);
        fclose(script);
        chmod(write_text("node", "#!/bin/sh\nexec cat \"$2.stream\" >&3\n"), 0700);
        path = strdup(write_text("house.ifc", "FILE_SCHEMA(('IFC4'))"));
    }
    write_bytes("house.ifc.stream", s->bytes, s->size);
    free(s);
    return path;
}

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

#define HEAD "{\"schema\": \"carom-rules-1\", "

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void each_test_has_its_findings_under_its_name(void **state) {
    (void)state;
    const char *house = write_house();
    const char *rules =
        write_text("three.json", HEAD
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
                {"twice", "duplicate", "note", 13, 13, 0, 0}};
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
    assert_non_null(strstr(r.out, ",status,test,severity,reason\n"));
    assert_non_null(strstr(r.out, ",,near,warning,\n"));
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
    char bytes[8192] = {0};
    FILE *file = fopen(xml, "rb");
    assert_true(fread(bytes, 1, sizeof bytes - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(bytes, "<testsuite name=\"near\" tests=\"2\" failures=\"0\""));
    assert_non_null(strstr(bytes, "<testcase classname=\"carom.twice\" name=\"none found\"/>"));
}

static void tolerances_are_those_of_pairs(void **state) {
    (void)state;
    const char *house = write_house();
    json_t *root = RUN_JSON(1, "check", house, "--between", "shaft_1", "bearing_1");
    assert_string_equal(text_of(list_at(root, "findings", 0), "relation"), "crossing");
    json_decref(root);
    const char *fit = write_text("fit.json", HEAD "\"tolerances\": [{\"a\": \"leaf=bearing*\", \"b\": \"leaf=shaft*\", "
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
        snprintf(text, sizeof text, HEAD "\"tests\": [{\"name\": \"all\", \"severity\": \"%s\"}]}", severities[i]);
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
    run r = RUN("check", house);
    assert_non_null(strstr(r.out, "Not compared by default: 1 part that are spaces or openings (--also spaces), 1 near "
                                  "pair of parent and child (--also parent-child).\n"));
    run_free(&r);
    all = RUN_JSON(1, "check", house, "--also", "parent-child", "--also", "spaces");
    assert_non_null(find(all, "", "IfcSpace_R", "IfcFurniture_Table"));
    assert_non_null(find(all, "", "IfcPipeSegment_4", "IfcValve_Tap"));
    json_decref(all);
    all = RUN_JSON(1, "check", house, "--rules", write_text("also.json", HEAD "\"also\": [\"parent-child\"]}"));
    assert_int_equal(finding_count(all), finding_count(root) + 1);
    json_decref(all);
    json_decref(root);
    EXPECT(2, "is not one of spaces, same-product, parent-child", "check", house, "--also", "all");
    /* two boxes of one node, which cross nothing but themselves */
    EXPECT(1, NULL, "check", house, "--ignore", "leaf=IfcSpace*", "--part", "component");
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

static void what_chooses_nothing_is_said(void **state) {
    (void)state;
    const char *house = write_house();
    const char *rules = write_text("typo.json", HEAD
                                   "\"tests\": [\n{\"name\": \"x\", \"a\": [\"class=IfcWall\",\n \"class=IfcWal\"]},\n"
                                   "{\"name\": \"y\", \"b\": \"layer=pipe\"}],\n\"exceptions\": [\n"
                                   "{\"a\": \"class=IfcWall\", \"b\": \"class=IfcSlab\", \"depth\": \"5mm\"}]}");
    run r = RUN("check", house, "--rules", rules);
    assert_int_equal(r.code, 1);
    assert_non_null(strstr(r.err, "typo.json:3: /tests/0/a/1: 'class=IfcWal' chooses no part"));
    assert_non_null(strstr(r.err, "typo.json:4: /tests/1/b: 'layer=pipe' chooses no part"));
    assert_non_null(strstr(r.err, "typo.json:6: /exceptions/0: 'class=IfcWall:class=IfcSlab' matches no finding"));
    assert_non_null(strstr(r.out, "y: hard, error, 13 x 0 parts, 0 pairs: 0 findings; nothing was compared.\n"));
    run_free(&r);
    rules = write_text("empty.json", HEAD "\"tests\": [{\"name\": \"x\", \"a\": \"class=IfcWal\"}]}");
    EXPECT(2, "no test chooses anything to compare", "check", house, "--rules", rules);
}

/* --- files that are wrong ----------------------------------------------------------------------------------------- */

static void what_is_wrong_with_a_file_is_said_with_its_place(void **state) {
    (void)state;
#define TEST(members) HEAD "\"tests\": [{\"name\": \"x\", " members "}]}"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ":1: no JSON"},
        {"[]", ":1: /: is not an object"},
        {"{}", "\"schema\" is not \"carom-rules-1\""},
        {"{\"schema\": \"carom-rules-2\"}", "\"schema\" is not \"carom-rules-1\""},
        {"{\"schema\": 1}", "/schema: is not a text"},
        {HEAD "\n\"test\": []}", ":2: /test: is not known here (did you mean 'tests'?)"},
        {HEAD "\"tests\": {}}", "/tests: is not an array"},
        {HEAD "\"tests\": [1]}", "/tests/0: is not an object"},
        {HEAD "\"tests\": [{}]}", "/tests/0: has no \"name\""},
        {HEAD "\"tests\": [{\"name\": \"\"}]}", "/tests/0: has no \"name\""},
        {HEAD "\"tests\": [{\"name\": \"x\"},\n{\"name\": \"x\"}]}",
         ":2: /tests/1/name: 'x' is the name of test 0 too"},
        {HEAD "\"tests\": [{\"name\": \"x\", \"name\": \"y\"}]}", "no JSON: duplicate object key"},
        {TEST("\"a\": \"\""), "/tests/0/a: is an empty selector"},
        {TEST("\"a\": []"), "/tests/0/a: is empty"},
        {TEST("\"a\": [\"x\", 2]"), "/tests/0/a/1: is not a text"},
        {TEST("\"a\": {\"class\": \"x\"}"), "/tests/0/a: is neither a text nor an array"},
        {TEST("\"kind\": \"hrd\""), "/tests/0/kind: 'hrd' is not known here (did you mean 'hard'?)"},
        {TEST("\"kind\": 1"), "/tests/0/kind: is not a text"},
        {TEST("\"kind\": \"clearance\""), "is of kind clearance and has no \"clearance\""},
        {TEST("\"kind\": \"hard\", \"clearance\": \"1mm\""), "has a \"clearance\" and is of kind hard"},
        {TEST("\"severity\": \"fatal\""), "/tests/0/severity: 'fatal' is not known here"},
        {TEST("\"tolerance\": 5"), "/tests/0/tolerance: is not a text"},
        {TEST("\"tolerance\": \"5\""), "/tests/0/tolerance: '5' has no unit"},
        {TEST("\"tolerance\": \"0mm\""), "/tests/0/tolerance: '0mm' is not above zero"},
        {TEST("\"clearance\": \"-1mm\""), "/tests/0/clearance: '-1mm' is negative"},
        {TEST("\"tolerence\": \"1mm\""), "/tests/0/tolerence: is not known here (did you mean 'tolerance'?)"},
        {TEST("\"exceptions\": [{\"a\": \"x\"}]"), "/tests/0/exceptions/0: has no \"b\""},
        {TEST("\"exceptions\": [{\"a\": \"x\", \"b\": \"y\", \"why\": \"z\"}]"),
         "/exceptions/0/why: is not known here"},
        {HEAD "\"exceptions\": [\"a:b\"]}", "/exceptions/0: is not an object"},
        {HEAD "\"tolerances\": [{\"a\": \"x\", \"b\": \"y\"}]}", "/tolerances/0: has no \"tolerance\""},
        {HEAD "\"also\": [\"space\"]}", "/also/0: is not spaces, same-product or parent-child"},
        {HEAD "\"also\": \"spaces\"}", "/also: is not an array"},
    };
    const char *house = write_house();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        EXPECT(2, cases[i].message, "check", house, "--rules", write_text("wrong.json", cases[i].text));
    const char *good = write_text("good.json", HEAD "\"tests\": [{\"name\": \"x\"}]}");
    EXPECT(2, "cannot be read", "check", house, "--rules", scratch_path("nowhere.json"));
    EXPECT(2, "--between: the tests are those of", "check", house, "--rules", good, "--between", "a", "b");
    EXPECT(2, "--clearance: the tests are those of", "check", house, "--rules", good, "--clearance", "1mm");
    EXPECT(2, "--fail-on: which findings fail is said in", "check", house, "--rules", good, "--fail-on", "touching");
    EXPECT(0, NULL, "check", house, "--rules", good, "--fail-on", "none");
    EXPECT(2, "would replace", "check", house, "--rules", good, "--report", good);
}

static void the_schema_knows_what_the_reader_knows(void **state) {
    (void)state;
    static const struct {
        const char *part, *before, *after;
    } places[] = {{NULL, HEAD, "}"},
                  {"test", HEAD "\"tests\": [{\"name\": \"x\", ", "}]}"},
                  {"tolerance", HEAD "\"tolerances\": [{", "}]}"},
                  {"exception", HEAD "\"exceptions\": [{", "}]}"}};
    const char *house = write_house();
    json_t *schema = json_load_file(SOURCE_GUIDE "/rules.schema.json", JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(schema);
    const json_t *parts = json_object_get(schema, "$defs");
    for (size_t i = 0; i < 4; i++) {
        const json_t *here = places[i].part ? json_object_get(parts, places[i].part) : schema;
        assert_true(json_is_false(json_object_get(here, "additionalProperties")));
        for (size_t k = 0; k < 4; k++) { /* every key of every part, here */
            const json_t *there = places[k].part ? json_object_get(parts, places[k].part) : schema;
            const char *key;
            json_t *value;
            json_object_foreach(json_object_get(there, "properties"), key, value) {
                char text[300];
                if (strcmp(key, "name") == 0 || strcmp(key, "schema") == 0) continue; /* stands there already */
                snprintf(text, sizeof text, "%s\"%s\": 7%s", places[i].before, key, places[i].after);
                run r = RUN("check", house, "--rules", write_text("probe.json", text));
                const bool known = json_object_get(json_object_get(here, "properties"), key) != NULL;
                check_that((strstr(r.err, "is not known here") == NULL) == known, "%s: %s", text, r.err);
                if (known && strcmp(key, "$schema") != 0) check_that(r.code == 2, "%s: %d", text, r.code);
                run_free(&r);
                const json_t *word;
                size_t n;
                json_array_foreach(json_object_get(value, "enum"), n, word) {
                    if (i != k) continue;
                    snprintf(text, sizeof text, "%s\"clearance\": \"1mm\", \"%s\": \"%s\"%s", places[i].before, key,
                             json_string_value(word), places[i].after);
                    r = RUN("check", house, "--rules", write_text("probe.json", text));
                    check_that(strstr(r.err, "is not known here") == NULL, "%s: %s", text, r.err);
                    run_free(&r);
                }
            }
        }
    }
    json_decref(schema);
}

/* --- what was approved -------------------------------------------------------------------------------------------- */

static void what_was_approved_is_listed_and_does_not_count(void **state) {
    (void)state;
    const char *house = write_house();
    const char *rules = write_text("walls.json", HEAD "\"tests\": [{\"name\": \"w\", \"a\": \"class=IfcPipe*\", \"b\": "
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
    EXPECT(2, "would replace", "check", house, "--approved", approved, "--junit", approved);
}

static void a_list_that_is_none_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"a:b", ":1: is not WHAT; reason; author; date"},
        {"\na:b; x; y", ":2: is not WHAT"},
        {"a:b; x; y; 2025-01-01; 1mm; more", ":1: is not WHAT"},
        {"a:b;; y; 2025-01-01", ":1: has no reason"},
        {"; x; y; 2025-01-01", ":1: has no what"},
        {"a:b; x; ; 2025-01-01", ":1: has no author"},
        {"a:b; x; y; 01.01.2025", "'01.01.2025' is no date"},
        {"a:b; x; y; 2025-13-01", "'2025-13-01' is no date"},
        {"a:b; x; y; 2025-04-31", "'2025-04-31' is no date"},
        {"a:b; x; y; 2025-01-01; 5", "'5' has no unit"},
        {"a:b; x; y; 2025-01-01; 0mm", "'0mm' is not above zero"},
        {"a; x; y; 2025-01-01", "'a' is neither the id of a finding"},
        {"0000000000000000; x; y; 2025-01-01", "is neither the id of a finding"},
        {"A5CF22EC4E5B2B1C; x; y; 2025-01-01", "is neither the id of a finding"},
    };
    const char *house = write_house();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        EXPECT(2, cases[i].message, "check", house, "--approved", write_text("wrong.txt", cases[i].text));
    EXPECT(2, "zero byte", "check", house, "--approved", write_bytes("wrong.txt", "# a\0b\n", 6));
    EXPECT(2, "cannot be read", "check", house, "--approved", scratch_path("nowhere.txt"));
    EXPECT(1, NULL, "check", house, "--approved", write_text("none.txt", ""));
}

/* Bytes changed, cut off, put in: the command answers, or says that the file is none. */
static void broken_files_are_refused(void **state) {
    (void)state;
    static const char rules[] =
        HEAD "\"tests\": [{\"name\": \"w\", \"a\": [\"class=IfcPipe*\"], \"b\": \"IfcWall_A | "
             "!leaf=x & y\", \"exceptions\": [{\"a\": \"x\", \"b\": \"y\", \"depth\": \"1mm\"}]}]}";
    static const char approved[] = "IfcWall_A:class=Ifc* & storey=EG; cast\\; in; A; 2025-01-01; 9m\n";
    static const char signs[] = "\"{}[]:,;\\=&|!* \n\x80#0";
    const char *house = write_house();
    rng r = rng_start("broken rules", 18);
    int answered = 0;
    for (int i = 0; i < samples(40, 4000); i++) {
        const char *from = i % 2 ? rules : approved;
        char text[sizeof rules] = "";
        size_t size = strlen(from);
        memcpy(text, from, size);
        for (uint32_t k = 1 + rng_below(&r, 3); k > 0; k--)
            text[rng_below(&r, (uint32_t)size)] = signs[rng_below(&r, sizeof signs - 1)];
        if (i % 7 == 0) size = rng_below(&r, (uint32_t)size);
        run ran = RUN("check", house, i % 2 ? "--rules" : "--approved", write_bytes("broken", text, size));
        check_that(ran.code >= 0 && ran.code <= 2, "%d of: %s", ran.code, text);
        check_that(ran.code != 2 || strstr(ran.err, "carom: "), "nothing said of: %s", text);
        answered += ran.code != 2;
        run_free(&ran);
    }
    check_that(answered > 0, "%d", answered);
}

/* --- the guide ---------------------------------------------------------------------------------------------------- */

/* The text of the n-th block of a kind in the guide, or NULL. free() it. */
static char *guide_block(const char *kind, int n) {
    FILE *file = fopen(SOURCE_GUIDE "/rules.md", "rb");
    assert_non_null(file);
    char line[1000], head[40], *block = NULL;
    size_t used = 0;
    bool in = false;
    snprintf(head, sizeof head, "```%s\n", kind);
    while (fgets(line, sizeof line, file)) {
        if (!in && strcmp(line, head) == 0) {
            in = n-- == 0;
            if (in) block = calloc(1, 1 << 14);
        } else if (in && strncmp(line, "```", 3) == 0) {
            break;
        } else if (in) {
            used += (size_t)snprintf(block + used, ((size_t)1 << 14) - used, "%s", line);
        }
    }
    fclose(file);
    return block;
}

static void the_examples_of_the_guide_run(void **state) {
    (void)state;
    const char *house = write_house();
    char *rules = guide_block("json", 0), *approved = guide_block("approved", 0);
    assert_true(rules && approved);
    run r = RUN("check", house, "--rules", write_text("guide.json", rules), "--approved",
                write_text("guide.txt", approved));
    assert_int_equal(r.code, 1);
    check_that(strstr(r.err, "chooses no part") == NULL, "%s", r.err);
    assert_non_null(strstr(r.out, "pipes through walls: hard, error, "));
    run_free(&r);
    free(rules);
    free(approved);
    FILE *file = fopen(SOURCE_GUIDE "/rules.md", "rb");
    char line[1000];
    int selectors = 0;
    bool in = false;
    while (fgets(line, sizeof line, file)) { /* the first column of the table of selectors */
        if (strncmp(line, "| selector", 10) == 0) in = true;
        if (in && line[0] != '|') break;
        if (!in || strncmp(line, "| `", 3) != 0) continue;
        char selector[200] = "", *to = selector;
        for (const char *at = line + 3; *at != '`'; at++)
            if (!(at[0] == '\\' && at[1] == '|')) *to++ = *at; /* a table's own escape */
        r = RUN("check", house, "--between", selector, "**", "--fail-on", "none");
        check_that(r.code == 0, "%s: %s", selector, r.err);
        run_free(&r);
        selectors++;
    }
    fclose(file);
    check_that(selectors >= 10, "%d selectors", selectors);
}

static void every_field_is_described(void **state) {
    (void)state;
    char text[1 << 15] = "", name[80];
    FILE *file = fopen(SOURCE_GUIDE "/json-schema.md", "rb");
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    for (size_t i = 0; i < finding_field_count; i++) {
        snprintf(name, sizeof name, "`%s`", finding_fields[i].name);
        check_that(strstr(text, name) != NULL, "%s", name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_test_has_its_findings_under_its_name),
        cmocka_unit_test(tolerances_are_those_of_pairs),
        cmocka_unit_test(severity_decides_the_exit_code),
        cmocka_unit_test(several_between_are_several_tests),
        cmocka_unit_test(what_is_left_out_by_default_is_said_and_comes_back),
        cmocka_unit_test(ignoring_a_leaf_keeps_what_it_holds),
        cmocka_unit_test(what_chooses_nothing_is_said),
        cmocka_unit_test(what_is_wrong_with_a_file_is_said_with_its_place),
        cmocka_unit_test(the_schema_knows_what_the_reader_knows),
        cmocka_unit_test(what_was_approved_is_listed_and_does_not_count),
        cmocka_unit_test(a_list_that_is_none_is_refused),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(the_examples_of_the_guide_run),
        cmocka_unit_test(every_field_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
