/* carom check --group: the table, the JSON and the page have the same groups. The page is opened in a real browser. */
#include "cli/shapes.h"
#include "page_look.h"

#include <math.h>

static int open_all(void **state) {
    (void)state;
    return look_open("report_page.js");
}
static const json_t *groups_of(const json_t *root) { return json_object_get(json_object_get(root, "groups"), "list"); }

/* Two walls 10 apart, each with pegs and bolts in it: 3 pegs close together at one end, 2 bolts at the other, and a
 * clamp in the middle; the second wall has one at each end. */
static void write_walls(const char *paths[2]) {
    obj o = {0};
    obj_box(&o, "wall_1", 0, 0, 0, 10, 0.2, 1);
    obj_box(&o, "wall_2", 0, 10, 0, 10, 10.2, 1);
    paths[0] = obj_write(&o, "walls.obj");
    const struct {
        const char *name;
        double x, y;
    } pegs[] = {{"peg_1", 0.1, 0},    {"peg_2:3", 0.3, 0}, {"peg:-17", 0.5, 0},  {"bolt.001", 9, 0},
                {"bolt.002", 9.4, 0}, {"clamp", 5, 0},     {"peg-a_9", 0.2, 10}, {"peg_8", 9, 10}};
    for (size_t i = 0; i < sizeof pegs / sizeof *pegs; i++)
        obj_box(&o, pegs[i].name, pegs[i].x, pegs[i].y - 0.1, 0.4, pegs[i].x + 0.1, pegs[i].y + 0.1, 0.5);
    paths[1] = obj_write(&o, "pegs.obj");
}

static const char *write_two_tests(void) {
    return write_text("tests.json", "{\"schema\": \"carom-rules-1\", \"tests\": [{\"name\": \"pegs in walls\", \"a\": "
                                    "\"leaf=peg*\"}, {\"name\": \"others\", \"a\": \"leaf=bolt*\"}]}");
}

/* Groups as a text that does not depend on their order: "0 1 2|3 4|5|6|". */
static void describe_groups(const json_t *list, char *out, size_t size) {
    size_t used = 0;
    bool seen[64] = {false};
    for (json_int_t first = 0; first < 64; first++) {
        size_t i, k;
        json_t *group, *number;
        json_array_foreach(list, i, group) {
            const json_t *members = json_object_get(group, "findings");
            if (json_integer_value(json_array_get(members, 0)) != first || seen[i]) continue;
            seen[i] = true;
            json_array_foreach(members, k, number) used +=
                (size_t)snprintf(out + used, size - used, "%s%d", k ? " " : "", (int)json_integer_value(number));
            used += (size_t)snprintf(out + used, size - used, "|");
        }
    }
}

static json_t *check_by(const char *by, const char *expected) {
    const char *paths[2];
    write_walls(paths);
    const char *rules = write_two_tests(), *page = scratch_path("groups.html");
    const bool tests = strcmp(by, "test") == 0;
    json_t *root = tests ? RUN_JSON(1, "check", paths[0], paths[1], "--group", by, "--report", page, "--rules", rules)
                         : RUN_JSON(1, "check", paths[0], paths[1], "--group", by, "--report", page);
    char told[400] = "";
    describe_groups(groups_of(root), told, sizeof told);
    if (expected) check_that(strcmp(told, expected) == 0, "by %s: %s, not %s", by, told, expected);
    if (!chrome) return root;
    look_at(page, "", 1000, 700, BROWSER_CALM);
    expect_text("document.getElementById('group').value", by);
    json_t *drawn = browser_eval(chrome, "(() => { const sets = carom.tree.map((g) => g.items.map((f) => f.index)); "
                                         "sets.sort((a, b) => a[0] - b[0]); return sets.map((s) => s.join(' ') + "
                                         "'|').join(''); })()");
    check_that(strcmp(json_string_value(drawn), told) == 0, "by %s: the page has %s, the JSON %s", by,
               json_string_value(drawn), told);
    json_decref(drawn);
    check_that(ask_number("carom.tree.length") == (double)json_array_size(groups_of(root)), "by %s", by);
    click_at("look.rows()[0]"); /* opens it: its findings follow */
    assert_true(holds("look.rows().length > carom.tree.length"));
    picture(by);
    no_complaints();
    return root;
}

/* The numbers are those of the findings in their order, the deepest first; so the test finds parts by their names. */
static int place_in(const json_t *root, const char *leaf) {
    size_t n, i, k;
    json_t *finding, *group, *number;
    json_array_foreach(json_object_get(root, "findings"), n, finding) {
        const json_t *parts = json_object_get(root, "parts");
        bool has = false;
        for (int side = 0; side < 2; side++) {
            const size_t part = (size_t)json_integer_value(json_object_get(finding, side ? "part_b" : "part_a"));
            const char *name = text_at(json_array_get(parts, part), "name");
            has |= strcmp(strrchr(name, '/') + 1, leaf) == 0;
        }
        if (!has) continue;
        json_array_foreach(groups_of(root), i, group) json_array_foreach(
            json_object_get(group, "findings"), k, number) if ((size_t)json_integer_value(number) == n) return (int)i;
    }
    return -1;
}

static void all_outputs_have_the_same_groups(void **state) {
    (void)state;
    static const char *const keys[] = {"part", "file"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) json_decref(check_by(keys[i], NULL));
    json_t *root = check_by("leaf", NULL);
    assert_int_equal(json_array_size(groups_of(root)), 4); /* peg, bolt, clamp, and peg-a, each with wall */
    assert_string_equal(text_at(json_array_get(groups_of(root), 0), "a"), "peg");
    assert_string_equal(text_at(json_array_get(groups_of(root), 0), "b"), "wall");
    assert_int_equal(place_in(root, "peg_2:3"), place_in(root, "peg:-17"));
    assert_int_equal(place_in(root, "peg_8"), place_in(root, "peg:-17"));
    assert_true(place_in(root, "peg-a_9") != place_in(root, "peg:-17"));
    json_decref(root);
    root = check_by("test", NULL);
    assert_int_equal(json_array_size(groups_of(root)), 2);
    assert_string_equal(text_at(json_array_get(groups_of(root), 0), "a"), "pegs in walls");
    assert_true(json_is_null(json_object_get(json_array_get(groups_of(root), 0), "b")));
    assert_int_equal(json_array_size(json_object_get(json_array_get(groups_of(root), 0), "findings")), 5);
    json_decref(root);
}

/* A twelfth of the model is 1.2: three pegs, two bolts 0.4 apart, the clamp, the pegs of the other wall. */
static void what_is_near_is_one_place(void **state) {
    (void)state;
    json_t *root = check_by("place", NULL);
    assert_int_equal(json_array_size(groups_of(root)), 5);
    assert_int_equal(place_in(root, "peg_1"), place_in(root, "peg:-17"));
    assert_int_equal(place_in(root, "bolt.001"), place_in(root, "bolt.002"));
    assert_true(place_in(root, "clamp") != place_in(root, "bolt.001") && place_in(root, "clamp") >= 0);
    assert_true(place_in(root, "peg-a_9") != place_in(root, "peg_1"));
    const json_t *center =
        json_object_get(json_array_get(groups_of(root), (size_t)place_in(root, "bolt.001")), "center");
    const double x = json_number_value(json_array_get(center, 0));
    check_that(fabs(x - 9.25) < 1e-6, "the bolts are around %g", x);
    json_decref(root);
    const char *paths[2];
    write_walls(paths);
    run r = RUN("check", paths[0], paths[1], "--group", "place");
    check_that(strstr(r.out, "around 9250 0 450 mm  ") && strstr(r.out, "3 findings") && strstr(r.out, "; 5 groups."),
               "%s", r.out);
    run_free(&r);
    EXPECT(2, "the test has no name", "check", paths[0], paths[1], "--group", "test");
    EXPECT(0, NULL, "check", paths[0], "--group", "place");
}

/* Pegs at equal distances all along: no place is longer than it may be, none is cut into single findings. */
static void a_row_is_cut_into_even_places(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "rail", 0, 0, 0, 96, 1, 1);
    for (int i = 0; i < 96; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        obj_box(&o, name, i + 0.4, 0.4, 0.9, i + 0.6, 0.6, 2);
    }
    const char *path = obj_write(&o, "row.obj");
    json_t *root = RUN_JSON(1, "check", path, "--group", "place");
    size_t i, members = 0;
    json_t *group;
    json_array_foreach(groups_of(root), i, group) {
        const size_t count = json_array_size(json_object_get(group, "findings"));
        check_that(count >= 3 && count <= 9, "a place of %zu", count); /* 96 / 12 is 8: 9 pegs stand within that */
        members += count;
    }
    assert_int_equal(members, 96);
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_outputs_have_the_same_groups),
        cmocka_unit_test(what_is_near_is_one_place),
        cmocka_unit_test(a_row_is_cut_into_even_places),
    };
    return cmocka_run_group_tests(tests, open_all, look_close);
}
