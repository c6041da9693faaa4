/* carom check as a whole: small models with known answers, patterns, exit codes, formats. */
#include "cli/shapes.h"
#include "common/text.h"

#include <math.h>
#include <unistd.h>

/* --- reading answers --------------------------------------------------------------------------------------------- */

static json_int_t count_of(const json_t *root, const char *key) {
    return json_integer_value(json_object_get(json_object_get(root, "counts"), key));
}
static size_t finding_count(const json_t *root) { return json_array_size(json_object_get(root, "findings")); }
static const json_t *finding_at(const json_t *root, size_t i) {
    return json_array_get(json_object_get(root, "findings"), i);
}

static const char *part_name(const json_t *root, const json_t *finding, const char *key) {
    return text_at(
        json_array_get(json_object_get(root, "parts"), (size_t)json_integer_value(json_object_get(finding, key))),
        "name");
}

/* The finding of two parts, in this order, or NULL. */
static const json_t *finding_of(const json_t *root, const char *a, const char *b) {
    for (size_t i = 0; i < finding_count(root); i++) {
        const json_t *f = finding_at(root, i);
        if (strcmp(part_name(root, f, "part_a"), a) == 0 && strcmp(part_name(root, f, "part_b"), b) == 0) return f;
    }
    return NULL;
}
static void expect_relation(const json_t *root, const char *a, const char *b, const char *relation) {
    const json_t *f = finding_of(root, a, b);
    check_that(f && strcmp(text_at(f, "relation"), relation) == 0, "%s and %s: %s, expected %s", a, b,
               f ? text_at(f, "relation") : "nothing", relation);
}

/* Two unit boxes, the second shifted by `x` along x. */
static const char *two_boxes(double x) {
    obj o = {0};
    obj_box(&o, "left", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "right", x, 0, 0, x + 1, 1, 1);
    return obj_write(&o, "boxes.obj");
}

/* --- relations ---------------------------------------------------------------------------------------------------- */

static void boxes_that_overlap_by_50_mm_cross(void **state) {
    (void)state;
    json_t *root = RUN_JSON(1, "check", two_boxes(0.95));
    expect_relation(root, "left", "right", "crossing");
    const json_t *f = finding_at(root, 0);
    check_that(fabs(number_at(f, "distance") + 0.05) < 1e-6, "reach %g", -number_at(f, "distance"));
    assert_true(json_integer_value(json_object_get(f, "crossings")) > 0);
    assert_true(json_is_object(json_object_get(f, "outline_box")));
    json_decref(root);
}

/* 50 mm of a square metre; an open part has none, and without --volume none is shown. */
static void the_volume_that_is_common_is_told_where_it_is_asked_for(void **state) {
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        json_t *root =
            RUN_JSON(1, "check", two_boxes(0.95), asked ? "--volume" : "--fail-on", asked ? NULL : "crossing");
        const json_t *f = finding_at(root, 0), *error = json_object_get(f, "volume_error");
        assert_int_equal(json_object_get(f, "volume") != NULL, asked);
        assert_int_equal(error != NULL, asked);
        check_that(!asked || fabs(number_at(f, "volume") - 0.05) < 1e-7, "volume %g", number_at(f, "volume"));
        check_that(!asked || json_number_value(error) < 1e-9, "error %g", json_number_value(error));
        const double extent = number_at(f, "crossing_extent"), length = number_at(f, "crossing_length");
        check_that(fabs(extent - sqrt(2 + 0.05 * 0.05)) < 1e-6, "extent %g", extent);
        check_that(length >= 4, "the crossing is %g long", length);
        json_decref(root);
    }
    run r = RUN("check", two_boxes(0.95), "--volume");
    assert_non_null(strstr(r.out, "common mm³"));
    assert_non_null(strstr(r.out, "  5e+07  "));
    run_free(&r);
    r = RUN("check", two_boxes(0.95), "--volume", "--format", "csv");
    assert_non_null(strstr(r.out, ",crossing_length_m,crossing_extent_m,volume_m3,volume_error_m3\n"));
    assert_non_null(strstr(r.out, ",0.05"));
    run_free(&r);
}

static void abutting_boxes_touch_and_are_no_clash(void **state) {
    (void)state;
    json_t *root = RUN_JSON(0, "check", two_boxes(1));
    expect_relation(root, "left", "right", "touching");
    json_decref(root);
    /* walls of different height, too */
    obj o = {0};
    obj_box(&o, "wall", 0, 0, 0, 0.3, 5, 2.7);
    obj_box(&o, "low", 0.3, 1, 0, 3, 1.2, 1.1);
    root = RUN_JSON(0, "check", obj_write(&o, "walls.obj"));
    expect_relation(root, "wall", "low", "touching");
    json_decref(root);
}

static void a_gap_smaller_than_the_clearance_is_found(void **state) {
    (void)state;
    json_t *root = RUN_JSON(1, "check", two_boxes(1.002), "--clearance", "5mm");
    expect_relation(root, "left", "right", "clearance");
    const json_t *f = finding_at(root, 0);
    check_that(fabs(number_at(f, "distance") - 0.002) < 1e-6, "gap %g", number_at(f, "distance"));
    json_decref(root);
    root = RUN_JSON(0, "check", two_boxes(1.002), "--clearance", "1mm");
    assert_int_equal(finding_count(root), 0);
    json_decref(root);
    root = RUN_JSON(0, "check", two_boxes(1.002));
    assert_int_equal(finding_count(root), 0);
    json_decref(root);
}

static void the_tolerance_says_what_still_touches(void **state) {
    (void)state;
    json_t *root = RUN_JSON(1, "check", two_boxes(0.999));
    expect_relation(root, "left", "right", "crossing");
    json_decref(root);
    root = RUN_JSON(0, "check", two_boxes(0.999), "--tolerance", "2mm");
    expect_relation(root, "left", "right", "touching");
    check_that(fabs(number_at(finding_at(root, 0), "tolerance") - 0.002) < 1e-15, "%g",
               number_at(finding_at(root, 0), "tolerance"));
    json_decref(root);
    root = RUN_JSON(0, "check", two_boxes(1.001), "--tolerance", "2mm");
    expect_relation(root, "left", "right", "touching");
    json_decref(root);
}

static const char *nested(void) {
    obj o = {0};
    obj_box(&o, "cube", -0.1, -0.1, -0.1, 0.1, 0.1, 0.1);
    obj_sphere(&o, "sphere", 0, 0, 0, 0.5, 3);
    obj_cone(&o, "cone", 4, -1, 5, 48);
    return obj_write(&o, "nested.obj");
}

static void a_cube_in_a_sphere_in_a_cone_is_inside_both(void **state) {
    (void)state;
    json_t *root = RUN_JSON(1, "check", nested());
    assert_int_equal(finding_count(root), 3);
    expect_relation(root, "cube", "sphere", "a_inside_b");
    expect_relation(root, "sphere", "cone", "a_inside_b");
    expect_relation(root, "cube", "cone", "a_inside_b");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(json_integer_value(json_object_get(finding_at(root, i), "crossings")), 0);
        assert_true(json_is_null(json_object_get(finding_at(root, i), "outline_box")));
    }
    json_decref(root);
}

static void a_part_that_stands_twice_is_identical(void **state) {
    (void)state;
    json_t *root = RUN_JSON(1, "check", two_boxes(0));
    expect_relation(root, "left", "right", "identical");
    json_decref(root);
}

static void open_parts_are_surfaces_and_hold_nothing(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "small", 0.4, 0.4, 0.4, 0.6, 0.6, 0.6);
    obj_box(&o, "big", 0, 0, 0, 1, 1, 1);
    o.used = (size_t)(strstr(o.text, "f 12 16 14") - o.text); /* one face is missing */
    json_t *root = RUN_JSON(0, "check", obj_write(&o, "open.obj"));
    assert_int_equal(finding_count(root), 0);
    assert_true(json_is_false(json_object_get(json_array_get(json_object_get(root, "parts"), 1), "solid")));
    json_decref(root);
}

/* --- which pairs -------------------------------------------------------------------------------------------------- */

/* Three boxes in a row, each crossing the next. */
static const char *row_of_boxes(void) {
    obj o = {0};
    obj_box(&o, "bolt_1", 0, 0, 0, 1.1, 1, 1);
    obj_box(&o, "bolt_2", 1, 0, 0, 2.1, 1, 1);
    obj_box(&o, "plate", 2, 0, 0, 3, 1, 1);
    return obj_write(&o, "row.obj");
}

static void ignored_parts_are_not_checked(void **state) {
    (void)state;
    json_t *root = RUN_JSON(1, "check", row_of_boxes(), "--ignore", "bolt_1");
    assert_int_equal(finding_count(root), 1);
    assert_int_equal(count_of(root, "ignored_parts"), 1);
    assert_int_equal(count_of(root, "parts"), 2);
    expect_relation(root, "bolt_2", "plate", "crossing");
    json_decref(root);
}

/* No "nothing found": neither a code nor a file that says so, and no baseline by which all would be resolved. */
static void a_check_of_nothing_is_no_answer(void **state) {
    (void)state;
    const char *row = row_of_boxes();
    EXPECT(2, "nothing is compared: there is only one part, of one piece; --ignore left out 2\n", "check", row,
           "--ignore", "bolt_*");
    char *junit = copy_text(scratch_path("nothing.xml"));
    run r = RUN("check", row, "--ignore", "*", "--junit", junit, "--format", "json");
    assert_int_equal(r.code, 2);
    assert_string_equal(r.out, "");
    assert_string_equal(r.err, "carom: nothing is compared: no part is left; --ignore left out 3\n");
    run_free(&r);
    assert_int_equal(access(junit, F_OK), -1);
    free(junit);
    const char *page = scratch_path("one.html"); /* to look at */
    EXPECT(2, "nothing is compared", "check", row, "--ignore", "bolt_*", "--report", page);
    assert_int_equal(access(page, F_OK), 0);
}

static void patterns_that_match_nothing_are_warned_of(void **state) {
    (void)state;
    EXPECT(1, "warning: --ignore 'nut*' matches no part", "check", row_of_boxes(), "--ignore", "nut*");
    EXPECT(1, "warning: --allow 'nut*:plate' matches no finding", "check", row_of_boxes(), "--allow", "nut*:plate");
}

/* Nothing would be compared, and "nothing found" would be no answer. */
static void sides_that_match_nothing_are_refused(void **state) {
    (void)state;
    EXPECT(2, "--between: 'nut*' matches no part and no file", "check", row_of_boxes(), "--between", "nut*", "plate");
    EXPECT(2, "--between: 'nut*' matches no part", "distance", row_of_boxes(), "--between", "plate", "nut*");
    EXPECT(2, "no pair of parts", "distance", row_of_boxes(), "--between", "plate", "plate");
}

static void allowed_pairs_are_listed_but_do_not_count(void **state) {
    (void)state;
    json_t *root = RUN_JSON(0, "check", row_of_boxes(), "--allow", "bolt_*:bolt_*", "--allow", "plate:bolt_2");
    assert_int_equal(finding_count(root), 2);
    assert_int_equal(count_of(root, "allowed"), 2);
    assert_int_equal(count_of(root, "crossing"), 0);
    assert_true(json_is_true(json_object_get(finding_at(root, 0), "allowed")));
    json_decref(root);
    root = RUN_JSON(1, "check", row_of_boxes(), "--allow", "bolt_*:plate");
    assert_int_equal(count_of(root, "allowed"), 1);
    assert_int_equal(count_of(root, "failing"), 1);
    json_decref(root);
}

static void between_takes_patterns(void **state) {
    (void)state;
    json_t *root = RUN_JSON(1, "check", row_of_boxes(), "--between", "bolt_*", "plate");
    assert_int_equal(finding_count(root), 1);
    assert_int_equal(count_of(root, "pairs"), 2);
    expect_relation(root, "bolt_2", "plate", "crossing");
    json_decref(root);
    /* a part on both sides is paired with each, not with itself */
    root = RUN_JSON(1, "check", row_of_boxes(), "--between", "bolt_*", "*");
    assert_int_equal(count_of(root, "pairs"), 3);
    assert_int_equal(finding_count(root), 2);
    json_decref(root);
}

static void between_takes_files(void **state) {
    (void)state;
    char row[512];
    snprintf(row, sizeof row, "%s", row_of_boxes());
    const char *stl = stl_box_write("tool.stl", true, 500, 100, 100, 600, 1200, 200); /* mm, z up: the row is y up */
    json_t *root = RUN_JSON(1, "check", row, stl, "--up", "z", "--between", stl, "row.obj");
    assert_int_equal(finding_count(root), 1);
    assert_int_equal(count_of(root, "pairs"), 3);
    expect_relation(root, "row.obj/bolt_1", "tool.stl", "crossing");
    json_decref(root);
}

/* --- several files, units and axes -------------------------------------------------------------------------------- */

static void units_and_axes_of_files_are_reconciled(void **state) {
    (void)state;
    /* the same block as metres in an OBJ (y up) and as millimetres in an STL (z up): (x, y, z) -> (x, -z, y) */
    obj o = {0};
    obj_box(&o, "block", 0, 0, 0, 1, 2, 3);
    char in_metres[512];
    snprintf(in_metres, sizeof in_metres, "%s", obj_write(&o, "block.obj"));
    const char *in_mm = stl_box_write("block.stl", false, 0, -3000, 0, 1000, 0, 2000);
    json_t *root = RUN_JSON(1, "check", in_metres, in_mm);
    expect_relation(root, "block.obj/block", "block.stl/box", "identical");
    json_decref(root);
    root = RUN_JSON(1, "check", in_metres,
                    stl_box_write("inch.stl", true, 0, -3 / 0.0254, 0, 1 / 0.0254, 0, 2 / 0.0254), "--unit", "in");
    const json_t *files = json_object_get(root, "files"); /* --unit is for both: neither states its own */
    assert_true(number_at(json_array_get(files, 0), "unit_metres") == 0.0254);
    json_decref(root);
    /* a unit that the format knows is not overruled */
    const char *model = test_model("glTF2/BoxTextured-glTF-Binary/BoxTextured.glb");
    if (!model) skip();
    root = RUN_JSON(0, "info", model, "--unit", "in");
    assert_true(number_at(json_array_get(json_object_get(root, "files"), 0), "unit_metres") == 1);
    json_decref(root);
    EXPECT(0, "warning: --unit is not used", "info", model, "--unit", "in");
    root = RUN_JSON(0, "info", model, "--override-unit", "in"); /* unless somebody insists */
    assert_true(number_at(json_array_get(json_object_get(root, "files"), 0), "unit_metres") == 0.0254);
    json_decref(root);
}

static void an_amf_states_its_unit(void **state) {
    (void)state;
    const char *path = write_text(
        "inch.amf", "<?xml version=\"1.0\"?>\n<amf unit=\"inch\"><object id=\"0\"><mesh><vertices>"
                    "<vertex><coordinates><x>0</x><y>0</y><z>0</z></coordinates></vertex>"
                    "<vertex><coordinates><x>2</x><y>0</y><z>0</z></coordinates></vertex>"
                    "<vertex><coordinates><x>0</x><y>1</y><z>0</z></coordinates></vertex></vertices>"
                    "<volume><triangle><v1>0</v1><v2>1</v2><v3>2</v3></triangle></volume></mesh></object></amf>");
    json_t *root = RUN_JSON(0, "info", path);
    const json_t *file = json_array_get(json_object_get(root, "files"), 0);
    assert_true(number_at(file, "unit_metres") == 0.0254);
    assert_true(json_is_false(json_object_get(file, "unit_assumed")));
    json_decref(root);
}

static void formats_agree_on_the_same_box(void **state) {
    (void)state;
    char files[3][512];
    snprintf(files[0], 512, "%s", stl_box_write("a.stl", false, 0, 0, 0, 1, 2, 3));
    snprintf(files[1], 512, "%s", stl_box_write("b.stl", true, 0, 0, 0, 1, 2, 3));
    snprintf(files[2], 512, "%s", ply_box_write("c.ply", 0, 0, 0, 1, 2, 3));
    json_t *root = RUN_JSON(1, "check", files[0], files[1], files[2], "--unit", "m");
    assert_int_equal(count_of(root, "identical"), 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(json_is_true(json_object_get(json_array_get(json_object_get(root, "parts"), i), "solid")));
    json_decref(root);
}

static void the_same_file_twice_gets_two_names(void **state) {
    (void)state;
    char box[512];
    snprintf(box, sizeof box, "%s", stl_box_write("tool.stl", true, 0, 0, 0, 1, 1, 1));
    json_t *root = RUN_JSON(1, "check", box, box);
    expect_relation(root, "tool.stl", "tool.stl#2", "identical");
    json_decref(root);
}

/* --- what is a part ----------------------------------------------------------------------------------------------- */

static void components_split_a_file_without_parts(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "all", 0, 0, 0, 1.1, 1, 1);
    obj more = {0};
    obj_box(&more, "x", 1, 0, 0, 2, 1, 1);
    char text[8192];
    more.points = 0;
    snprintf(text, sizeof text, "%.*s", (int)o.used, o.text);
    const char *points = strchr(more.text, 'v');
    strncat(text, points, (size_t)(strchr(points, 'f') - points)); /* the same object goes on */
    for (int i = 0; i < 12; i++) {
        int a, b, c;
        const char *face = strchr(points, 'f');
        for (int k = 0; k < i; k++) face = strchr(face + 1, 'f');
        assert_int_equal(sscanf(face, "f %d %d %d", &a, &b, &c), 3);
        char line[64];
        snprintf(line, sizeof line, "f %d %d %d\n", a + 8, b + 8, c + 8);
        strncat(text, line, sizeof text - strlen(text) - 1);
    }
    free(o.text), free(more.text);
    const char *path = write_text("loose.obj", text);
    EXPECT(2, "there is only one part (--part component splits it)\n", "check", path);
    json_t *root = RUN_JSON(1, "check", path, "--part", "component");
    assert_int_equal(count_of(root, "parts"), 2);
    expect_relation(root, "all/component1", "all/component2", "crossing");
    json_decref(root);
    EXPECT(2, "there is only one part, of one piece; --ignore left out 1\n", "check", path, "--part", "component",
           "--ignore", "component2");
}

static void welding_closes_a_seam(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "box", 0, 0, 0, 1, 1, 1);
    char *last = strstr(o.text, "f 4 8 6");
    assert_non_null(last);
    o.used = (size_t)(last - o.text);
    char text[8192];
    snprintf(text, sizeof text, "%.*sv 1 1.0001 0\nv 1 1 1\nv 1 0 1\nf 9 10 11\n", (int)o.used, o.text);
    free(o.text);
    const char *path = write_text("seam.obj", text);
    json_t *root = RUN_JSON(0, "info", path);
    assert_true(json_is_false(json_object_get(json_array_get(json_object_get(root, "meshes"), 0), "closed")));
    json_decref(root);
    root = RUN_JSON(0, "info", path, "--weld", "1mm");
    assert_true(json_is_true(json_object_get(json_array_get(json_object_get(root, "meshes"), 0), "closed")));
    json_decref(root);
}

/* A plate of 2 mm with a pin of 2 mm through it: welded by 3 mm, the sides of the plate have no area (8 triangles), and
 * nothing of the pin has (12). */
static void welding_that_flattens_is_said(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "plate", 0, 0, 0, 0.1, 0.1, 0.002);
    obj_box(&o, "pin", 0.05, 0.05, -0.01, 0.052, 0.052, 0.01);
    const char *path = obj_write(&o, "pinned.obj"), *said = "--weld leaves 20 triangles without area";
    EXPECT(0, said, "check", path, "--weld", "3mm");
    EXPECT(0, said, "info", path, "--weld", "3mm", "--part", "component");
    run r = RUN("check", path, "--weld", "1mm");
    assert_int_equal(r.code, 1);
    assert_null(strstr(r.err, "without area"));
    run_free(&r);
}

/* --- exit codes --------------------------------------------------------------------------------------------------- */

static void the_exit_code_follows_fail_on(void **state) {
    (void)state;
    enum { NONE, CROSSING, TOUCHING, CLEARANCE };
    static const char *const levels[] = {"none", "crossing", "touching", "clearance"};
    static const struct {
        double shift;
        int from; /* the first level that fails */
    } rows[] = {{0.5, CROSSING}, {0, CROSSING}, {1, TOUCHING}, {1.002, CLEARANCE}, {1.5, 9}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int level = NONE; level <= CLEARANCE; level++) {
            int expected = level >= rows[i].from ? 1 : 0;
            EXPECT(expected, NULL, "check", two_boxes(rows[i].shift), "--clearance", "5mm", "--fail-on", levels[level]);
        }
    EXPECT(1, NULL, "check", nested(), "--fail-on", "crossing");      /* inside counts with crossing */
    EXPECT(1, NULL, "check", two_boxes(1.002), "--clearance", "5mm"); /* the default with a clearance */
    EXPECT(0, NULL, "check", two_boxes(1));                           /* the default without */
}

static void help_and_version(void **state) {
    (void)state;
    const char *const topics[] = {"check", "distance", "info"};
    for (int i = 0; i < 3; i++) {
        run r = RUN("help", topics[i]), same = RUN(topics[i], "--help");
        assert_int_equal(r.code, 0);
        assert_string_equal(r.out, same.out);
        assert_non_null(strstr(r.out, "usage: carom"));
        run_free(&r);
        run_free(&same);
    }
    static const char *const versions[] = {"version", "-V"};
    for (size_t i = 0; i < 2; i++) {
        run r = RUN(versions[i]), same = RUN("--version");
        assert_int_equal(r.code, 0);
        assert_string_equal(r.out, same.out);
        run_free(&r), run_free(&same);
    }
    run r = RUN("--version");
    assert_string_equal(r.out, "carom " CM_VERSION_TEXT "\n");
    run_free(&r);
    EXPECT(0, NULL, "--help");
    EXPECT(0, NULL, "help", "help");
    EXPECT(0, NULL, "help", "version");
    EXPECT(0, NULL, "--help", "check");
    EXPECT(2, "(did you mean 'version'?)", "versio");
    EXPECT(2, "unknown command", "help", "nothing");
}

/* --- formats ------------------------------------------------------------------------------------------------------ */

static void the_table_is_plain_where_no_terminal_is(void **state) {
    (void)state;
    run r = RUN("check", row_of_boxes());
    assert_non_null(strstr(r.out, "crossing"));
    assert_non_null(strstr(r.out, "bolt_1"));
    assert_non_null(strstr(r.out, "3 parts, 3 pairs: 2 crossing"));
    assert_non_null(strstr(r.out, "Tolerance"));
    assert_null(strchr(r.out, '\033'));
    assert_null(strchr(r.err, '\033'));
    assert_null(strchr(r.err, '\r'));
    run_free(&r);
}

/* Hundreds of walls abut in any building: the table has them where they count; formats for programs always. */
static void touching_is_listed_where_it_is_asked_for(void **state) {
    (void)state;
    run r = RUN("check", two_boxes(1));
    assert_null(strstr(r.out, "relation"));
    assert_non_null(strstr(r.out, "2 parts, 1 pair: 1 touching (not listed: --fail-on touching lists them).\n"));
    run_free(&r);
    r = RUN("check", two_boxes(1), "--fail-on", "touching");
    assert_non_null(strstr(r.out, "\ntouching "));
    assert_null(strstr(r.out, "not listed"));
    run_free(&r);
    r = RUN("check", two_boxes(1), "--format", "csv");
    assert_non_null(strstr(r.out, "\ntouching,"));
    run_free(&r);
}

static void csv_has_one_line_a_finding_and_quotes(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "a,b", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "say\"so\"", 0.5, 0, 0, 2, 1, 1);
    run r = RUN("check", obj_write(&o, "quotes.obj"), "--format", "csv");
    int lines = 0;
    for (const char *at = r.out; *at; at++) lines += *at == '\n';
    assert_int_equal(lines, 2);
    assert_non_null(strstr(r.out, "\ncrossing,\"a,b\",\"say\"\"so\"\"\",-0.5"));
    run_free(&r);
}

static void findings_are_sorted_by_kind_and_depth(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "a", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "b", 0.9, 0, 0, 2, 1, 1);           /* crosses a by 0.1 */
    obj_box(&o, "c", -1, 0, 0, 0.3, 1, 1);          /* crosses a by 0.3 */
    obj_box(&o, "d", 0.4, 0.4, 0.4, 0.6, 0.6, 0.6); /* in a */
    obj_box(&o, "e", 2, 0, 0, 3, 1, 1);             /* touches b */
    obj_box(&o, "f", 3.001, 0, 0, 4, 1, 1);         /* close to e */
    json_t *root = RUN_JSON(1, "check", obj_write(&o, "six.obj"), "--clearance", "5mm");
    static const char *const expected[][3] = {{"a", "c", "crossing"},
                                              {"a", "b", "crossing"},
                                              {"a", "d", "b_inside_a"},
                                              {"b", "e", "touching"},
                                              {"e", "f", "clearance"}};
    assert_int_equal(finding_count(root), 5);
    for (size_t i = 0; i < 5; i++) {
        const json_t *f = finding_at(root, i);
        assert_string_equal(part_name(root, f, "part_a"), expected[i][0]);
        assert_string_equal(part_name(root, f, "part_b"), expected[i][1]);
        assert_string_equal(text_at(f, "relation"), expected[i][2]);
    }
    json_decref(root);
}

static void the_distance_between_two_files(void **state) {
    (void)state;
    char a[512], b[512];
    snprintf(a, sizeof a, "%s", stl_box_write("a.stl", true, 0, 0, 0, 10, 10, 10));
    snprintf(b, sizeof b, "%s", stl_box_write("b.stl", false, 13, 14, 0, 20, 20, 10));
    json_t *root = RUN_JSON(0, "distance", a, b);
    assert_string_equal(text_at(root, "relation"), "separated");
    check_that(fabs(number_at(root, "distance") - 0.005) < 1e-9, "%g", number_at(root, "distance"));
    json_decref(root);
    run r = RUN("distance", a, b);
    assert_non_null(strstr(r.out, "gap 5"));
    run_free(&r);
    snprintf(b, sizeof b, "%s", stl_box_write("b.stl", false, 9, 0, 0, 20, 10, 10));
    root = RUN_JSON(0, "distance", a, b);
    assert_string_equal(text_at(root, "relation"), "crossing");
    check_that(fabs(number_at(root, "distance") + 0.001) < 1e-9, "%g", number_at(root, "distance"));
    json_decref(root);
    root = RUN_JSON(0, "distance", row_of_boxes(), "--between", "bolt_1", "plate");
    check_that(fabs(number_at(root, "distance") - 0.9) < 1e-6, "%g", number_at(root, "distance"));
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_overlap_by_50_mm_cross),
        cmocka_unit_test(the_volume_that_is_common_is_told_where_it_is_asked_for),
        cmocka_unit_test(abutting_boxes_touch_and_are_no_clash),
        cmocka_unit_test(a_gap_smaller_than_the_clearance_is_found),
        cmocka_unit_test(the_tolerance_says_what_still_touches),
        cmocka_unit_test(a_cube_in_a_sphere_in_a_cone_is_inside_both),
        cmocka_unit_test(a_part_that_stands_twice_is_identical),
        cmocka_unit_test(open_parts_are_surfaces_and_hold_nothing),
        cmocka_unit_test(ignored_parts_are_not_checked),
        cmocka_unit_test(a_check_of_nothing_is_no_answer),
        cmocka_unit_test(patterns_that_match_nothing_are_warned_of),
        cmocka_unit_test(sides_that_match_nothing_are_refused),
        cmocka_unit_test(allowed_pairs_are_listed_but_do_not_count),
        cmocka_unit_test(between_takes_patterns),
        cmocka_unit_test(between_takes_files),
        cmocka_unit_test(units_and_axes_of_files_are_reconciled),
        cmocka_unit_test(an_amf_states_its_unit),
        cmocka_unit_test(formats_agree_on_the_same_box),
        cmocka_unit_test(the_same_file_twice_gets_two_names),
        cmocka_unit_test(components_split_a_file_without_parts),
        cmocka_unit_test(welding_closes_a_seam),
        cmocka_unit_test(welding_that_flattens_is_said),
        cmocka_unit_test(the_exit_code_follows_fail_on),
        cmocka_unit_test(help_and_version),
        cmocka_unit_test(the_table_is_plain_where_no_terminal_is),
        cmocka_unit_test(touching_is_listed_where_it_is_asked_for),
        cmocka_unit_test(csv_has_one_line_a_finding_and_quotes),
        cmocka_unit_test(findings_are_sorted_by_kind_and_depth),
        cmocka_unit_test(the_distance_between_two_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
