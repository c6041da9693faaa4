/* Rules files and lists of what was approved that are wrong; the schema, and the guide. */
#include "cli/house.h"

#include "check/finding_fields.h"
#include "check/rules.h"

/* --- files that are wrong ----------------------------------------------------------------------------------------- */

static void what_is_wrong_with_a_file_is_said_with_its_place(void **state) {
    (void)state;
#define TEST(members) RULES_HEAD "\"tests\": [{\"name\": \"x\", " members "}]}"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ":1: no JSON"},
        {"[]", ":1: /: is not an object"},
        {"{}", "\"schema\" is not \"carom-rules-1\""},
        {"{\"schema\": \"carom-rules-2\"}", "\"schema\" is not \"carom-rules-1\""},
        {"{\"schema\": 1}", "/schema: is not a text"},
        {RULES_HEAD "\n\"test\": []}", ":2: /test: is not known here (did you mean 'tests'?)"},
        {RULES_HEAD "\"tests\": {}}", "/tests: is not an array"},
        {RULES_HEAD "\"tests\": [1]}", "/tests/0: is not an object"},
        {RULES_HEAD "\"tests\": [{}]}", "/tests/0: has no \"name\""},
        {RULES_HEAD "\"tests\": [{\"name\": \"\"}]}", "/tests/0: has no \"name\""},
        {RULES_HEAD "\"tests\": [{\"name\": \"x\"},\n{\"name\": \"x\"}]}",
         ":2: /tests/1/name: 'x' is the name of test 0 too"},
        {RULES_HEAD "\"tests\": [{\"name\": \"x\", \"name\": \"y\"}]}", "no JSON: duplicate object key"},
        {TEST("\"a\": \"\""), "/tests/0/a: is an empty selector"},
        {TEST("\"a\": []"), "/tests/0/a: is empty"},
        {TEST("\"a\": [\"x\", 2]"), "/tests/0/a/1: is not a text"},
        {TEST("\"a\": {\"class\": \"x\"}"), "/tests/0/a: is neither a text nor an array"},
        {TEST("\"a\": \"!(class=IfcWall | class=IfcSlab)\""),
         "/tests/0/a: '!(class=IfcWall | class=IfcSlab)' has parenth"},
        {TEST("\"a\": [\"x\", \"class=IfcWall & !!layer=x\"]"), "/tests/0/a/1: 'class=IfcWall & !!layer=x' has '!!'"},
        {TEST("\"b\": \"!class=IfcWall && !class=IfcSlab\""), "has '&&' or '||': here they are & and |"},
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
        {RULES_HEAD "\"exceptions\": [\"a:b\"]}", "/exceptions/0: is not an object"},
        {RULES_HEAD "\"tolerances\": [{\"a\": \"x\", \"b\": \"y\"}]}", "/tolerances/0: has no \"tolerance\""},
        {RULES_HEAD "\"tolerances\": [{\"a\": 1, \"b\": \"y\", \"tolerance\": \"1mm\"}]}",
         "/tolerances/0/a: is neither"},
        {RULES_HEAD "\"tolerances\": [{\"a\": \"x\", \"b\": \"y\", \"tolerance\": 1}]}", "/tolerance: is not a text"},
        {RULES_HEAD "\"also\": [\"space\"]}", "/also/0: is not spaces, same-product or parent-child"},
        {RULES_HEAD "\"also\": \"spaces\"}", "/also: is not an array"},
    };
    const char *house = write_house();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        EXPECT(2, cases[i].message, "check", house, "--rules", write_text("wrong.json", cases[i].text));
    const char *good = write_text("good.json", RULES_HEAD "\"tests\": [{\"name\": \"x\"}]}");
    EXPECT(2, "cannot be read", "check", house, "--rules", scratch_path("nowhere.json"));
    EXPECT(2, "--between: the tests are those of", "check", house, "--rules", good, "--between", "a", "b");
    EXPECT(2, "--clearance: the tests are those of", "check", house, "--rules", good, "--clearance", "1mm");
    EXPECT(2, "--fail-on: which findings fail is said in", "check", house, "--rules", good, "--fail-on", "touching");
    EXPECT(0, NULL, "check", house, "--rules", good, "--fail-on", "none");
    EXPECT(2, "would replace", "check", house, "--rules", good, "--report", good);
}

/* The members of an object of the schema are those that the reader takes there; none may be a number. */
static void expect_members(const char *house, const json_t *properties, const char *members, const char *before,
                           const char *after) {
    char known[300], text[300];
    const char *key;
    json_t *value;
    size_t count = 0;
    snprintf(known, sizeof known, " %s ", members);
    for (const char *at = known; at[1]; at++) count += *at == ' ';
    assert_int_equal(json_object_size(properties), count);
    json_object_foreach((json_t *)properties, key, value) {
        snprintf(text, sizeof text, " %s ", key);
        check_that(strstr(known, text) != NULL, "the reader does not know %s", key);
        snprintf(text, sizeof text, "\"%s\"", key);
        if (strstr(before, text)) continue; /* what is needed stands there already */
        snprintf(text, sizeof text, "%s\"%s\": 7%s", before, key, after);
        EXPECT(2, key, "check", house, "--rules", write_text("probe.json", text));
        const json_t *word;
        size_t n;
        json_array_foreach(json_object_get(value, "enum"), n, word) {
            snprintf(text, sizeof text, "%s\"clearance\": \"1mm\", \"%s\": \"%s\"%s", before, key,
                     json_string_value(word), after);
            run r = RUN("check", house, "--rules", write_text("probe.json", text));
            check_that(strstr(r.err, "is not known here") == NULL, "%s: %s", text, r.err);
            run_free(&r);
        }
    }
}

static void the_schema_knows_what_the_reader_knows(void **state) {
    (void)state;
    static const struct {
        const char *part, *before, *after;
    } places[RULES_OBJECTS] = {
        [RULES_FILE] = {NULL, RULES_HEAD, "}"},
        [RULES_TEST] = {"test", RULES_HEAD "\"tests\": [{\"name\": \"x\", ", "}]}"},
        [RULES_TOLERANCE] = {"tolerance",
                             RULES_HEAD "\"tolerances\": [{\"a\": \"x\", \"b\": \"x\", \"tolerance\": \"1mm\", ",
                             "}]}"},
        [RULES_EXCEPTION] = {"exception", RULES_HEAD "\"exceptions\": [{\"a\": \"x\", \"b\": \"x\", ", "}]}"}};
    const char *house = write_house();
    json_t *schema = json_load_file(SOURCE_GUIDE "/rules.schema.json", JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(schema);
    for (size_t i = 0; i < RULES_OBJECTS; i++) {
        const json_t *parts = json_object_get(schema, "$defs");
        const json_t *here = places[i].part ? json_object_get(parts, places[i].part) : schema;
        assert_true(json_is_false(json_object_get(here, "additionalProperties")));
        expect_members(house, json_object_get(here, "properties"), rules_members[i], places[i].before, places[i].after);
    }
    json_decref(schema);
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
    static const char good[] =
        RULES_HEAD "\"tests\": [{\"name\": \"w\", \"a\": [\"class=IfcPipe*\"], \"b\": \"IfcWall_A | "
                   "!leaf=x & y\", \"exceptions\": [{\"a\": \"x\", \"b\": \"y\", \"depth\": \"1mm\"}]}]}";
    static const char approved[] = "IfcWall_A:class=Ifc* & storey=EG; cast\\; in; A; 2025-01-01; 9m\n";
    static const char signs[] = "\"{}[]:,;\\=&|!* \n\x80#0";
    const char *house = write_house();
    rng r = rng_start("broken rules", 18);
    int answered = 0;
    for (int i = 0; i < samples(40, 4000); i++) {
        const char *from = i % 2 ? good : approved;
        char text[sizeof good] = "";
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
    char *example = guide_block("json", 0), *approved = guide_block("approved", 0);
    assert_true(example && approved);
    run r = RUN("check", house, "--rules", write_text("guide.json", example), "--approved",
                write_text("guide.txt", approved));
    assert_int_equal(r.code, 1);
    check_that(strstr(r.err, "chooses no part") == NULL, "%s", r.err);
    assert_non_null(strstr(r.out, "pipes through walls: hard, error, "));
    run_free(&r);
    free(example);
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
        cmocka_unit_test(what_is_wrong_with_a_file_is_said_with_its_place),
        cmocka_unit_test(the_schema_knows_what_the_reader_knows),
        cmocka_unit_test(a_list_that_is_none_is_refused),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(the_examples_of_the_guide_run),
        cmocka_unit_test(every_field_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
