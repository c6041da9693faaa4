/* IFC as the command reads it: what it finds, what is missing, spaces, places far away, zipped. */
#include "cli/ifc_file.h"

#include <unistd.h>

/* A file whose truth is known (shared/import), or NULL (said loudly). */
static const char *import_file_path(const char *name) {
    static char path[512];
    const char *data = getenv("CAROM_TEST_DATA");
    snprintf(path, sizeof path, "%s/../import/%s", data ? data : "", name);
    if (access(path, R_OK) == 0) return path;
    print_message("SKIPPED: no %s\n", path);
    return NULL;
}

#define NEED(condition)                                                                                                \
    if (!(condition)) skip()

#define UNKNOWN "IFCCENTERLINEPROFILEDEF(.AREA.,$,#40,0.1)"

static json_int_t count(const json_t *root, const char *key) {
    return json_integer_value(json_object_get(json_object_get(root, "counts"), key));
}

/* As EXPECT, of the standard output. */
static void expect_out(int code, const char *text, const char *const *arguments) {
    run r = run_command(arguments);
    check_that(r.code == code, "exit code %g, expected %g", (double)r.code, (double)code);
    if (!strstr(r.out, text)) fail_msg("'%s' is not in\n%s", text, r.out);
    run_free(&r);
}
#define EXPECT_OUT(code, text, ...) expect_out(code, text, (const char *const[]){__VA_ARGS__, NULL})

/* Files that are asked about many times are read once. */
#define CACHED "--cache", scratch_path("cache")

/* --- files whose truth is known ----------------------------------------------------------------------------------- */

static void a_bar_within_a_hollow_column_is_free(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *path = import_file_path("bar_in_tube.ifc");
    NEED(path);
    json_t *root = RUN_JSON(0, "check", path, "--fail-on", "none", "--clearance", "1m");
    const json_t *finding = json_array_get(json_object_get(root, "findings"), 0);
    double distance = json_real_value(json_object_get(finding, "distance"));
    check_that(fabs(distance - 0.35) < 1e-6, "%.9g, expected 0.35", distance);
    json_decref(root);
}

/* --- what is missing ---------------------------------------------------------------------------------------------- */

static void what_is_missing_fails_the_check_unless_it_is_accepted(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *path = write_ifc("missing.ifc", UNKNOWN, 0, 0,
                                 "#60=IFCCARTESIANPOINT((5.,0.,0.5));\n#61=IFCAXIS2PLACEMENT3D(#60,$,$);\n"
                                 "#62=IFCLOCALPLACEMENT($,#61);\n#63=IFCPRODUCTDEFINITIONSHAPE($,$,(#204));\n"
                                 "#64=IFCCOLUMN('0YvctVUKr0kugbFTf53002',$,'C2',$,$,#62,#63,$,$);\n");
    EXPECT(0, "1 of 3 products has no geometry", "check", path, "--incomplete", "ok", CACHED);
    EXPECT(0, NULL, "check", path, "--ignore", "IfcColumn_C1", CACHED);
    EXPECT(2, "is not one of", "check", path, "--incomplete", "maybe");
    run r = RUN("info", path, CACHED);
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "IfcColumn_C1 (0YvctVUKr0kugbFTf53001): no triangles came of IfcExtrudedAreaSolid"));
    run_free(&r);
    r = RUN("check", path, "--format", "json", CACHED);
    assert_int_equal(r.code, 2);
    assert_non_null(strstr(r.err, "1 of 3 products has no geometry (carom info lists them; --incomplete ok accepts"));
    json_t *root = json_loads(r.out, 0, NULL);
    run_free(&r);
    const json_t *list = json_object_get(json_array_get(json_object_get(root, "files"), 0), "left_out");
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "missing")), "no_geometry");
    const json_t *part = json_array_get(json_object_get(root, "parts"), 1);
    assert_string_equal(json_string_value(json_object_get(part, "id")), "0YvctVUKr0kugbFTf53000");
    assert_string_equal(json_string_value(json_object_get(part, "class")), "IfcColumn");
    json_decref(root);
}

/* Two columns that cross, a grid, and a space that holds both of them; `more` besides. */
static const char *write_space(const char *name, const char *profile, const char *more) {
    char lines[1000];
    snprintf(
        lines, sizeof lines,
        "#90=IFCSPACE('s',$,'1',$,$,#33,#97,'Hall',$,$,$);\n#91=IFCGRID('g',$,'G',$,$,#33,$,$,$,$,$);\n"
        "#94=%s;\n#95=IFCEXTRUDEDAREASOLID(#94,#23,#21,3.);\n"
        "#96=IFCSHAPEREPRESENTATION(#24,'Body','SweptSolid',(#95));\n#97=IFCPRODUCTDEFINITIONSHAPE($,$,(#96));\n%s",
        profile, more);
    return write_ifc(name, SMALL, 0, 0, lines);
}
#define ROOM "IFCRECTANGLEPROFILEDEF(.AREA.,$,$,4.,4.)"

static double spaces_in(const json_t *root) {
    const json_t *spaces = json_object_get(json_object_get(root, "defaults"), "spaces");
    return json_number_value(json_object_get(spaces, "parts"));
}

static void spaces_are_read_and_left_out_unless_asked_for(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *path = write_space("space.ifc", ROOM, "");
    json_t *root = RUN_JSON(1, "check", path, CACHED);
    assert_int_equal(count(root, "parts"), 2);
    assert_int_equal(json_array_size(json_object_get(root, "findings")), 1);
    check_that(spaces_in(root) == 1, "%g left out, expected %g", spaces_in(root), 1.0);
    const json_t *list = json_object_get(json_array_get(json_object_get(root, "files"), 0), "left_out");
    assert_int_equal(json_array_size(list), 1); /* the grid */
    json_decref(root);
    EXPECT_OUT(1, "Not compared by default: 1 space or opening (--also spaces).\n", "check", path, CACHED);
    root = RUN_JSON(1, "check", path, "--also", "spaces", CACHED);
    assert_int_equal(count(root, "parts"), 3);
    assert_int_equal(json_array_size(json_object_get(root, "findings")), 3);
    json_decref(root);
    EXPECT(2, "'class=IfcSpace' matches no part and no file (spaces and openings are left out: --also spaces)", "check",
           path, "--between", "class=IfcSpace", "class=IfcColumn", CACHED);
    EXPECT(1, NULL, "check", path, "--between", "long_name=Hall", "id=*53001", "--also", "spaces", CACHED);
    const char *rules =
        write_text("rooms.json", "{\"schema\": \"carom-rules-1\", \"also\": [\"spaces\"], \"tests\": "
                                 "[{\"name\": \"x\", \"a\": \"class=IfcSpace\", \"b\": \"IfcColumn_C1\"}]}");
    root = RUN_JSON(1, "check", path, "--rules", rules, CACHED);
    assert_int_equal(json_array_size(json_object_get(root, "findings")), 1);
    json_decref(root);
    EXPECT_OUT(0, "1 of them is a space or opening, which all other commands leave out by default", "info", path,
               CACHED);
    root = RUN_JSON(0, "info", path, CACHED);
    assert_int_equal(json_array_size(json_object_get(root, "parts")), 3);
    json_decref(root);
}

static void spaces_are_not_measured_and_not_fitted_unless_asked_for(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *path = write_space("space.ifc", ROOM, ""), *far = write_ifc("beside.ifc", SMALL, 1.75, 0, "");
    json_t *root = RUN_JSON(0, "distance", path, far, CACHED); /* the larger column there reaches back to 1.25 */
    double distance = json_real_value(json_object_get(root, "distance"));
    check_that(fabs(distance - 0.75) < 1e-6, "%.9g, expected %.9g", distance, 0.75);
    check_that(spaces_in(root) == 1, "%g left out, expected %g", spaces_in(root), 1.0);
    json_decref(root);
    EXPECT_OUT(0, "Not measured by default: 1 space or opening (--also spaces).\n", "distance", path, far, CACHED);
    root = RUN_JSON(0, "distance", path, far, "--also", "spaces", CACHED);
    assert_true(json_real_value(json_object_get(root, "distance")) < 0);
    json_decref(root);
    EXPECT_OUT(0, "from      -500 -500 500\n  to        500 500 1500\n", "fit", path, "--as", "aabb", CACHED);
    EXPECT_OUT(0, "Not fitted by default: 1 space or opening (--also spaces).\n", "fit", path, "--as", "aabb", CACHED);
    EXPECT_OUT(0, "from      -2000 -2000 500\n  to        2000 2000 3500\n", "fit", path, "--as", "aabb", "--also",
               "spaces", CACHED);
    EXPECT(2, "'parent-child' is of carom check: here it may be spaces", "fit", path, "--as", "aabb", "--also",
           "parent-child", CACHED);
}

static void a_robot_in_a_room_collides_with_what_stands_in_it_alone(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *cell = write_space("space.ifc", ROOM, "");
    static const char *const places[] = {"1.5 1.5 1", "0.4 0.4 1"};
    for (int i = 0; i < 2; i++) { /* in the room, and in the columns */
        char robot[400];
        snprintf(robot, sizeof robot,
                 "<robot name='r'><link name='hand'><collision><origin xyz='%s'/><geometry><box size='.1 .1 .1'/>"
                 "</geometry></collision></link></robot>",
                 places[i]);
        EXPECT_OUT(i, "2 parts around it, 1 space or opening left out.\n", "check", write_text("room.urdf", robot),
                   "--cell", cell, CACHED);
    }
}

static void a_space_that_cannot_be_read_is_missing_where_spaces_are_asked_for(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *path = write_space("lost.ifc", "IFCCENTERLINEPROFILEDEF(.AREA.,$,#40,0.1)", "");
    EXPECT(1, NULL, "check", path, CACHED);
    EXPECT(2, "1 of 3 products has no geometry", "check", path, "--also", "spaces", CACHED);
    EXPECT_OUT(0, "IfcSpace_1 (s): no triangles came of IfcExtrudedAreaSolid", "info", path, CACHED);
}

static void a_file_of_what_has_no_body_says_so(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *path = write_text(
        "grid.ifc", "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n"
                    "FILE_NAME('x','2020-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n"
                    "#10=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n#14=IFCUNITASSIGNMENT((#10));\n"
                    "#30=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'p',$,$,$,$,$,#14);\n"
                    "#40=IFCVIRTUALELEMENT('0YvctVUKr0kugbFTf53001',$,'v',$,$,$,$,$);\n"
                    "#41=IFCANNOTATION('0YvctVUKr0kugbFTf53002',$,'a',$,$,$,$);\nENDSEC;\nEND-ISO-10303-21;\n");
    EXPECT(2, "grid.ifc: has no triangles, only 2 things without a body, such as Ifc", "check", path);
}

static void a_reference_to_nothing_is_a_broken_line(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *path = write_ifc("broken.ifc", SMALL, 0, 0, "#80=IFCAXIS2PLACEMENT3D(#81,$,$);\n");
    EXPECT(2, "broken.ifc: 1 broken line (carom info lists them", "check", path);
}

static void a_site_far_from_its_origin_is_checked_to_a_thousandth_of_a_millimetre(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    /* two files of one column each, half a millimetre apart, 5400 km from the origin */
    const char *a = write_ifc("far_a.ifc", SMALL, 500000, 5400000, ""),
               *b = write_ifc("far_b.ifc", SMALL, 500001.0005, 5400000, "");
    json_t *root = RUN_JSON(0, "distance", a, b);
    double distance = json_real_value(json_object_get(root, "distance"));
    check_that(fabs(distance - 0.0005) < 1e-6, "%.9g, expected 0.0005", distance);
    assert_string_equal(json_string_value(json_object_get(root, "relation")), "separated");
    json_decref(root);
}

/* Of 500 km single precision keeps 30 mm: the reader of OBJ has no more. */
static void what_single_precision_loses_far_from_the_origin_is_told(void **state) {
    (void)state;
    char text[2000];
    size_t at = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%sv %d %d %d\n", k == 0 ? "o part\n" : "",
                                   500000 + i + (k == 1), k == 2, k == 3);
    for (int i = 0; i < 2; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%sf %d %d %d\nf %d %d %d\nf %d %d %d\nf %d %d %d\n",
                               i ? "o two\n" : "o one\n", 4 * i + 1, 4 * i + 3, 4 * i + 2, 4 * i + 1, 4 * i + 2,
                               4 * i + 4, 4 * i + 1, 4 * i + 4, 4 * i + 3, 4 * i + 2, 4 * i + 3, 4 * i + 4);
    run r = RUN("check", write_text("far.obj", text));
    check_that(strstr(r.err, "far.obj: so far from the origin coordinates are known to 59.6 mm only") != NULL, "%s",
               r.err);
    run_free(&r);
}

static void models_that_lie_far_apart_are_warned_of(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *crs = "#90=IFCPROJECTEDCRS('EPSG:1',$,$,$,$,$,$);\n#91=IFCMAPCONVERSION(#24,#90,%d.,0.,0.,$,$,$);\n";
    char here[200], there[200];
    snprintf(here, sizeof here, crs, 1000);
    snprintf(there, sizeof there, crs, 2000);
    const char *a = write_ifc("map_a.ifc", SMALL, 0, 0, here), *b = write_ifc("map_b.ifc", SMALL, 5000, 0, there);
    run r = RUN("check", a, b, "--fail-on", "none", "--format", "json");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.err, "lie 5 km apart"));
    assert_non_null(strstr(r.err, "stand at different places on the map"));
    assert_non_null(strstr(r.out, "stands on the map of EPSG:1 at 1000.000 m east"));
    run_free(&r);
}

/* An archive of one stored file. */
static const char *write_zip(const char *name, const char *entry, const char *source) {
    static unsigned char bytes[16384], zip[32768];
    FILE *file = fopen(source, "rb");
    assert_non_null(file);
    uint32_t size = (uint32_t)fread(bytes, 1, sizeof bytes, file), length = (uint32_t)strlen(entry), at = 0;
    fclose(file);
    const uint32_t local[] = {0x04034b50, 20, 0, 0, 0, size, size, length}; /* the checksum is not looked at */
    const int local_sizes[] = {4, 4, 4, 2, 4, 4, 4, 4};
    for (int i = 0; i < 8; i++) memcpy(zip + at, &local[i], (size_t)local_sizes[i]), at += (uint32_t)local_sizes[i];
    memcpy(zip + at, entry, length), at += length;
    memcpy(zip + at, bytes, size), at += size;
    uint32_t directory = at;
    const uint32_t central[] = {0x02014b50, 20, 0, 0, 0, 0, 0, size, size, length, 0, 0, 0, 0, 0};
    const int central_sizes[] = {4, 2, 2, 2, 2, 2, 2 + 4, 4, 4, 2, 2, 2, 2, 2, 4};
    for (int i = 0; i < 15; i++) {
        uint64_t wide = central[i];
        memcpy(zip + at, &wide, (size_t)central_sizes[i]), at += (uint32_t)central_sizes[i];
    }
    memset(zip + at, 0, 4), at += 4; /* where the entry starts */
    memcpy(zip + at, entry, length), at += length;
    const uint32_t last[] = {0x06054b50, 0, 0, 1, 1, at - directory, directory, 0};
    const int last_sizes[] = {4, 2, 2, 2, 2, 4, 4, 2};
    for (int i = 0; i < 8; i++) memcpy(zip + at, &last[i], (size_t)last_sizes[i]), at += (uint32_t)last_sizes[i];
    return write_bytes(name, zip, at);
}

static void a_name_may_lie(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    static const char *const names[] = {"a.glb", "a.stl", "a.stp", "a.zip", "noname"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        EXPECT(1, NULL, "check", write_ifc(names[i], SMALL, 0, 0, ""), CACHED);
}

static void a_zipped_model_is_read(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *model = write_ifc("plain.ifc", SMALL, 0, 0, "");
    json_t *root = RUN_JSON(1, "check", write_zip("zipped.ifczip", "folder/model.ifc", model));
    assert_int_equal(count(root, "parts"), 2);
    json_decref(root);
    EXPECT(2, "holds IFCXML", "check", write_zip("xml.ifczip", "model.ifcxml", model));
}

/* web-ifc takes three of more numbers, 0 for what is none, and a plate for what is extruded by nothing. */
static void points_and_depths_that_are_none_are_told(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    static const char *const lines[] = {
        "#50=IFCCARTESIANPOINT((1,5,0,5,0,0));\n",
        "#50 = IFCCARTESIANPOINT( ( 0.5,\n0.,0.,1. ) ) ;\n",
        "#50=IFCCARTESIANPOINT((0.5,$,0.));\n",
        "#50=IFCDIRECTION((0.,'1.',0.));\n",
        "#50=IFCEXTRUDEDAREASOLID(#40,#23,#21,0.);\n",
        "#50=IFCEXTRUDEDAREASOLID(#40,#23,#21,IFCPOSITIVELENGTHMEASURE(1.));\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        EXPECT(2, "none.ifc: 1 broken line", "check", write_ifc("none.ifc", SMALL, 0, 0, lines[i]));
    EXPECT(0, NULL, "info",
           write_ifc("plane.ifc", SMALL, 0, 0,
                     "#50=IFCCARTESIANPOINT((1,-2.E-1));\n#51=IFCCARTESIANPOINT((+1.E+2,/* x */0.,0));\n"));
}

/* Of (.25,-.5,10.) web-ifc makes an enumeration and takes 5 for the next number. */
static void a_number_may_begin_with_its_point(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    const char *path =
        write_ifc("point.ifc", SMALL, 0, 0,
                  "#60=IFCCARTESIANPOINT((.25,-.5,10.));\n#61=IFCAXIS2PLACEMENT3D(#60,$,$);\n"
                  "#62=IFCLOCALPLACEMENT($,#61);\n#63=IFCCOLUMN('0YvctVUKr0kugbFTf53009',$,'.5 (.5)',$,$,"
                  "#62,#205,$,$);\n");
    json_t *root = RUN_JSON(0, "info", path);
    const json_t *high = json_object_get(json_object_get(root, "bounds"), "max"),
                 *low = json_object_get(json_object_get(root, "bounds"), "min");
    check_that(fabs(json_number_value(json_array_get(high, 0)) - 0.75) < 1e-6 &&
                   fabs(json_number_value(json_array_get(low, 1)) + 1) < 1e-6 &&
                   fabs(json_number_value(json_array_get(high, 2)) - 11) < 1e-6,
               "to %g, from %g, to %g, expected 0.75, -1, 11", json_number_value(json_array_get(high, 0)),
               json_number_value(json_array_get(low, 1)), json_number_value(json_array_get(high, 2)));
    const json_t *notes = json_object_get(json_array_get(json_object_get(root, "files"), 0), "notes");
    check_that(strstr(json_string_value(json_array_get(notes, 0)), "begin with their point") != NULL, "no note");
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_within_a_hollow_column_is_free),
        cmocka_unit_test(what_is_missing_fails_the_check_unless_it_is_accepted),
        cmocka_unit_test(spaces_are_read_and_left_out_unless_asked_for),
        cmocka_unit_test(spaces_are_not_measured_and_not_fitted_unless_asked_for),
        cmocka_unit_test(a_robot_in_a_room_collides_with_what_stands_in_it_alone),
        cmocka_unit_test(a_space_that_cannot_be_read_is_missing_where_spaces_are_asked_for),
        cmocka_unit_test(a_file_of_what_has_no_body_says_so),
        cmocka_unit_test(a_reference_to_nothing_is_a_broken_line),
        cmocka_unit_test(a_site_far_from_its_origin_is_checked_to_a_thousandth_of_a_millimetre),
        cmocka_unit_test(what_single_precision_loses_far_from_the_origin_is_told),
        cmocka_unit_test(models_that_lie_far_apart_are_warned_of),
        cmocka_unit_test(a_name_may_lie),
        cmocka_unit_test(a_zipped_model_is_read),
        cmocka_unit_test(points_and_depths_that_are_none_are_told),
        cmocka_unit_test(a_number_may_begin_with_its_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
