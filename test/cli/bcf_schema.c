/* What is written, against buildingSMART's own schemas: CAROM_BCF_SCHEMAS names a folder with 2.1 and 3.0 in it, each
 * the folder Schemas of that release of their BCF-XML. They are not ours to copy: without them this is skipped. */
#include "cli/bcf_file.h"
#include "cli/house.h"
#include "cli/xml_schema.h"

static xmlSchema *open_part(const char *folder, const char *version, const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s/%s", folder, version, name);
    return open_schema(path);
}

static int validate(const archive *zip, const char *end, xmlSchema *schema) {
    int count = 0;
    for (const archive_entry *entry; (entry = bcf_entry(zip, end, (size_t)count)); count++)
        expect_valid(schema, entry->name, entry->bytes, entry->size);
    xmlSchemaFree(schema);
    return count;
}

static void what_is_written_is_valid(void **state) {
    (void)state;
    const char *folder = getenv("CAROM_BCF_SCHEMAS");
    if (!folder || !*folder) {
        print_message("SKIPPED: no schemas of BCF (CAROM_BCF_SCHEMAS; docs/guide/bcf.md says where they are)\n");
        skip();
    }
    static const char *const versions[] = {"2.1", "3.0"};
    const char *rules =
        write_text("schema_rules.json", RULES_HEAD "\"tests\": [{\"name\": \"a <b> & c\", \"clearance\": \"1m\"}]}");
    const char *list = write_text("schema_list.txt", "class=IfcPipe*:class=IfcWall; cast in; A. Meyer; 2025-03-14\n");
    const char *path = scratch_path("schema.bcf");
    json_t *before = RUN_JSON(1, "check", write_house(), "--also", "parent-child");
    char *text = json_dumps(before, 0);
    const char *baseline = write_text("schema_before.json", text); /* of which much is resolved */
    free(text);
    json_decref(before);
    for (int i = 0; i < 4; i++) {
        const char *version = versions[i / 2];
        EXPECT(1, NULL, "check", write_house(), "--rules", rules, "--approved", list, "--bcf", path, "--bcf-version",
               version, "--baseline", baseline, "--group", i % 2 ? "class" : "part");
        archive zip = open_bcf(path);
        assert_true(validate(&zip, "/markup.bcf", open_part(folder, version, "markup.xsd")) > 3);
        assert_true(validate(&zip, "/viewpoint.bcfv", open_part(folder, version, "visinfo.xsd")) > 3);
        assert_int_equal(validate(&zip, "bcf.version", open_part(folder, version, "version.xsd")), 1);
        if (i / 2) assert_int_equal(validate(&zip, "extensions.xml", open_part(folder, version, "extensions.xsd")), 1);
        archive_free(&zip);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
