/* carom check --group: many findings as few lines. */
#include "cli/house.h"
#include "cli/shapes.h"

static const json_t *group_at(const json_t *root, size_t i) {
    return json_array_get(json_object_get(json_object_get(root, "groups"), "list"), i);
}

/* A slab with five pegs in it, of which two also touch a rail; each peg is deeper in the slab than the one before. */
static void slab_write(const char *paths[2]) {
    obj o = {0};
    obj_box(&o, "slab", 0, 0, 0, 10, 1, 1);
    paths[0] = obj_write(&o, "slab.obj");
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "peg%d", i);
        obj_box(&o, name, 2 * i, 0.25, 0.95 - 0.01 * i, 2 * i + 0.5, 0.75, 2);
    }
    obj_box(&o, "rail", 0, 0, 2, 3, 1, 3);
    paths[1] = obj_write(&o, "pegs.obj");
}

static void one_part_stands_against_many(void **state) {
    (void)state;
    const char *paths[2];
    slab_write(paths);
    json_t *root = RUN_JSON(1, "check", paths[0], paths[1], "--group", "part");
    assert_string_equal(text_at(json_object_get(root, "groups"), "by"), "part");
    assert_int_equal(json_array_size(json_object_get(json_object_get(root, "groups"), "list")), 2);
    assert_string_equal(text_at(group_at(root, 0), "a"), "slab.obj/slab");
    assert_true(json_is_null(json_object_get(group_at(root, 0), "b")));
    assert_int_equal(json_array_size(json_object_get(group_at(root, 0), "findings")), 5);
    assert_string_equal(text_at(group_at(root, 1), "a"), "pegs.obj/rail");
    assert_int_equal(json_array_size(json_object_get(group_at(root, 1), "findings")), 2);
    bool seen[7] = {false};
    for (size_t g = 0; g < 2; g++) {
        const json_t *list = json_object_get(group_at(root, g), "findings"), *number;
        size_t i;
        json_array_foreach(list, i, number) seen[json_integer_value(number)] = true;
    }
    for (int i = 0; i < 7; i++) assert_true(seen[i]);
    json_decref(root);
    run r = RUN("check", paths[0], paths[1], "--group", "part");
    assert_non_null(strstr(r.out, "slab  5 parts"));
    assert_non_null(strstr(r.out, "5 findings\n"));
    assert_non_null(strstr(
        r.out,
        ": 5 crossing, 2 touching (not listed: --fail-on touching lists them); 1 group and 1 of what only touches.\n"));
    assert_null(strstr(r.out, "peg3")); /* in the group */
    run_free(&r);
}

static void what_touches_is_counted_apart(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "a", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "b", 0.9, 0, 0, 2, 1, 1);
    obj_box(&o, "c", 2, 0, 0, 3, 1, 1);
    const char *path = obj_write(&o, "abc.obj");
    run r = RUN("check", path, "--group", "file");
    assert_non_null(strstr(r.out, "  1 finding, 1 touching\n"));
    run_free(&r);
    r = RUN("check", path, "--group", "file", "--fail-on", "touching");
    assert_non_null(strstr(r.out, "  2 findings\n"));
    run_free(&r);
}

static void groups_with_the_most_listed_findings_come_first(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "plate_1", 0, 0, 0, 1, 1, 1); /* four of them touch one another, the first crosses a rod */
    obj_box(&o, "plate_2", 1, 0, 0, 2, 1, 1);
    obj_box(&o, "plate_3", 2, 0, 0, 3, 1, 1);
    obj_box(&o, "plate_4", 3, 0, 0, 4, 1, 1);
    obj_box(&o, "plate_5", 3.9, 0, 0, 5, 1, 1);
    obj_box(&o, "rod_1", 0.2, 0.2, -1, 0.4, 0.4, 2);
    obj_box(&o, "rod_2", 1.2, 0.2, -1, 1.4, 0.4, 2);
    run r = RUN("check", obj_write(&o, "plates.obj"), "--group", "leaf");
    const char *rods = strstr(r.out, "  2 findings\n"), *plates = strstr(r.out, "  1 finding, 3 touching\n");
    if (!rods || !plates || rods > plates) fail_msg("%s", r.out);
    run_free(&r);
}

static void findings_are_grouped_by_what_files_say(void **state) {
    (void)state;
    const char *paths[2];
    slab_write(paths);
    json_t *root = RUN_JSON(1, "check", paths[0], paths[1], "--group", "file", "--allow", "slab:peg4");
    const json_t *across = group_at(root, 0), *within = group_at(root, 1);
    assert_string_equal(text_at(across, "a"), paths[1]); /* in the order of the labels */
    assert_string_equal(text_at(across, "b"), paths[0]);
    assert_int_equal(json_array_size(json_object_get(across, "findings")), 4); /* one is allowed */
    assert_string_equal(text_at(within, "a"), text_at(within, "b"));
    assert_int_equal(json_array_size(json_object_get(within, "findings")), 2);
    json_decref(root);
    EXPECT(2, "no part has a 'class' (carom info", "check", paths[0], paths[1], "--group", "class");
    EXPECT(2, "no part has a 'plase' (did you mean 'place'?)\n", "check", paths[0], paths[1], "--group", "plase");
    EXPECT(2, "no part has a 'stoery' (did you mean 'storey'?)\n", "check", write_house(), "--group", "stoery");
    EXPECT(2, "--group is for the table and for JSON", "check", paths[0], "--group", "file", "--format", "csv");
    EXPECT(2, "is not part, file, leaf, test, place or the key", "check", paths[0], "--group", "");
}

static void classes_of_an_ifc_make_groups(void **state) {
    (void)state;
    const char *model = has_ifc_reader() ? test_model("IFC/AC14-FZK-Haus.ifc") : NULL;
    if (!model) skip();
    json_t *root = RUN_JSON(1, "check", model, "--group", "class", "--ignore", "IfcSpace*");
    const size_t count = json_array_size(json_object_get(json_object_get(root, "groups"), "list"));
    const size_t findings = json_array_size(json_object_get(root, "findings"));
    size_t members = 0;
    for (size_t i = 0; i < count; i++) members += json_array_size(json_object_get(group_at(root, i), "findings"));
    assert_int_equal(members, findings);
    check_that(count > 5 && 10 * count < findings, "%zu groups of %zu findings", count, findings);
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_part_stands_against_many),
        cmocka_unit_test(what_touches_is_counted_apart),
        cmocka_unit_test(groups_with_the_most_listed_findings_come_first),
        cmocka_unit_test(findings_are_grouped_by_what_files_say),
        cmocka_unit_test(classes_of_an_ifc_make_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
