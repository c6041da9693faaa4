/* What is written as JUnit's XML, against the schema that Jenkins has of it: CAROM_JUNIT_SCHEMA is the path of its
 * junit-10.xsd (docs/guide/ci.md says where it is). It is not ours to copy: without it this is skipped. */
#include "cli/house.h"
#include "cli/shapes.h"
#include "cli/xml_schema.h"
#include "page_file.h"

static void expect_valid_file(xmlSchema *schema, const char *path) {
    size_t size;
    char *xml = read_all(path, &size);
    expect_valid(schema, path, xml, size);
    free(xml);
}

static void what_is_written_is_valid(void **state) {
    (void)state;
    const char *schema_path = getenv("CAROM_JUNIT_SCHEMA");
    if (!schema_path || !*schema_path) {
        print_message("SKIPPED: no schema of JUnit's XML (CAROM_JUNIT_SCHEMA; docs/guide/ci.md says where it is)\n");
        skip();
    }
    xmlSchema *schema = open_schema(schema_path);
    const char *out = scratch_path("out.xml");
    const char *list =
        write_text("list.txt", "class=IfcPipe*:class=IfcWall; cast in \"A\" & <B>; A. Meyer; 2025-03-14\n");
    const char *rules =
        write_text("rules.json", RULES_HEAD "\"tests\": [{\"name\": \"a <b> & \\\"c\\\"\", \"clearance\": "
                                            "\"1m\", \"severity\": \"warning\"}, {\"name\": \"none\", "
                                            "\"a\": [\"class=IfcDoor\"]}]}");
    EXPECT(1, NULL, "check", write_house(), "--junit", out, "--clearance", "1mm"); /* every kind of finding but one */
    expect_valid_file(schema, out);
    EXPECT(1, NULL, "check", write_house(), "--junit", out, "--approved", list);
    expect_valid_file(schema, out);
    EXPECT(0, NULL, "check", write_house(), "--junit", out, "--approved", list, "--rules", rules, "--group", "class");
    expect_valid_file(schema, out);

    obj o = {0};
    obj_box(&o, "\x01]]></system-out>\xff\xef\xbf\xbf&#0;", 0, 0, 0, 1, 1, 1); /* what XML cannot hold */
    obj_box(&o, "<&\"'", 0.5, 0, 0, 2, 1, 1);
    EXPECT(1, NULL, "check", obj_write(&o, "nasty.obj"), "--junit", out);
    expect_valid_file(schema, out);
    obj_box(&o, "here", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "there", 2, 0, 0, 3, 1, 1);
    EXPECT(0, NULL, "check", obj_write(&o, "apart.obj"), "--junit", out); /* nothing found */
    expect_valid_file(schema, out);
    xmlSchemaFree(schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
