/* Names that a spreadsheet would run as formulas are texts in every table, and can be read back as they were. */
#include "cli/shapes.h"
#include "page_file.h"

#include "common/text.h"

static const char *const names[] = {"=1+1", "+b", "-c", "@d", "'=e", "''-f", "'g", "''", "h=1", "=i,\"j\"", "plain"};
enum { NAMES = sizeof names / sizeof names[0] };

/* What a table should have for a name: an apostrophe before it, quotes around it where they must be. */
static const char *const cells[NAMES] = {
    "'=1+1", "'+b", "'-c", "'@d", "''=e", "'''-f", "'g", "''", "h=1", "\"'=i,\"\"j\"\"\"", "plain"};

static void each_name_is_a_text_and_comes_back(void **state) {
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        char cell[40], *to = cell;
        const char *from = cells[i];
        for (; *from; from++) /* as a reader of RFC 4180 */
            if (*from != '"' || (from > cells[i] && from[-1] == '"' && from[1])) *to++ = *from;
        *to = 0;
        check_that(!strchr("=+-@", *cell), "'%s' is a formula", cell);
        const char *back = *cell == '\'' && is_formula(cell + 1) ? cell + 1 : cell;
        check_that(strcmp(back, names[i]) == 0, "'%s' comes back as '%s'", names[i], back);
    }
}

static void tables_of_parts_have_no_formulas(void **state) {
    (void)state;
    obj o = {0};
    for (int i = 0; i < NAMES; i++) obj_box(&o, names[i], 2 * i, 0, 0, 2 * i + 2.1, 1, 1);
    const char *path = obj_write(&o, "formulas.obj");
    const char *const commands[] = {"info", "check"};
    for (int c = 0; c < 2; c++) {
        run r = RUN(commands[c], path, "--format", "csv", "--unit", "m");
        for (int i = 0; i < NAMES; i++) {
            char part[60];
            snprintf(part, sizeof part, "%s,", cells[i]);
            check_that(strstr(r.out, part) != NULL, "%s: no %s in\n%s", commands[c], part, r.out);
        }
        check_that(!strstr(r.out, "\n=") && !strstr(r.out, ",=") && !strstr(r.out, ",+") && !strstr(r.out, ",@"),
                   "%s has a formula:\n%s", commands[c], r.out);
        run_free(&r);
    }
}

static void traces_have_no_formulas(void **state) {
    (void)state;
    const char *path = scratch_path("formula-trace.csv");
    EXPECT(0, NULL, "simulate",
           write_text("formula.json", "{\"schema\": \"carom-scene-1\", \"dt\": 1, \"steps\": 2, \"shapes\": {\"s\": "
                                      "{\"kind\": \"sphere\", \"radius\": 1}}, \"objects\": [{\"name\": \"=a\", "
                                      "\"shape\": \"s\"}, {\"name\": \"b\", \"shape\": \"s\", \"at\": [4, 0, 0], "
                                      "\"velocity\": [-4, 0, 0], \"response\": \"halt\"}]}"),
           "--trace", path);
    size_t size;
    char *text = read_all(path, &size);
    check_that(strstr(text, "\"'=a\",\"b\"") && !strstr(text, "\"=a\""), "%s", text);
    free(text);
}

/* A joint by its name, and as a table writes that. */
static void joints_are_found_by_both(void **state) {
    (void)state;
    write_text("minus.urdf", "<robot name='r'><link name='a'><collision><geometry><sphere radius='0.1'/></geometry>"
                             "</collision></link><link name='b'><collision><origin xyz='1 0 0'/><geometry><sphere "
                             "radius='0.1'/></geometry></collision></link><joint name='-turn' type='continuous'>"
                             "<parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>");
    EXPECT(0, NULL, "check", "minus.urdf", "--adjacent", "--trajectory", write_text("plain.csv", "-turn\n0\n1\n"));
    EXPECT(0, NULL, "check", "minus.urdf", "--adjacent", "--trajectory", write_text("text.csv", "'-turn\n0\n1\n"));
    EXPECT(2, "'turn' is neither", "check", "minus.urdf", "--adjacent", "--trajectory",
           write_text("other.csv", "turn\n0\n1\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_name_is_a_text_and_comes_back), cmocka_unit_test(tables_of_parts_have_no_formulas),
        cmocka_unit_test(traces_have_no_formulas), cmocka_unit_test(joints_are_found_by_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
