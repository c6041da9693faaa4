/* Files that a reader program reads, reader programs that lie, and formats that nothing here reads. */
#define _DEFAULT_SOURCE
#include "cli/command.h"
#include "cli/zip_wide.h"

#include "common/archive.h"
#include "common/text.h"

#include <sys/stat.h>
#include <unistd.h>

/* --- what is there ------------------------------------------------------------------------------------------------ */

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

/* A legal IFC4 file: columns of one metre each, `lines` besides. `profile` is that of the second. */
static const char *write_ifc(const char *name, const char *profile, double x, double y, const char *lines) {
    char text[8192];
    int n = snprintf(
        text, sizeof text,
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('x','2020-01-01T00:00:00',(''),(''),'','','')"
        ";"
        "\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n#10=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n"
        "#14=IFCUNITASSIGNMENT((#10));\n#20=IFCCARTESIANPOINT((0.,0.,0.));\n#21=IFCDIRECTION((0.,0.,1.));\n"
        "#23=IFCAXIS2PLACEMENT3D(#20,$,$);\n#24=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#23,$);\n"
        "#30=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'p',$,$,$,$,(#24),#14);\n"
        "#31=IFCCARTESIANPOINT((%.17g,%.17g,0.5));\n#32=IFCAXIS2PLACEMENT3D(#31,$,$);\n#33=IFCLOCALPLACEMENT($,#32);\n"
        "#40=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1.,1.);\n#41=%s;\n",
        x, y, profile);
    for (int i = 0; i < 2; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "#%d3=IFCEXTRUDEDAREASOLID(#4%d,#23,#21,1.0);\n#%d4=IFCSHAPEREPRESENTATION(#24,'Body',"
                      "'SweptSolid',(#%d3));\n#%d5=IFCPRODUCTDEFINITIONSHAPE($,$,(#%d4));\n"
                      "#%d6=IFCCOLUMN('0YvctVUKr0kugbFTf5300%d',$,'C%d',$,$,#33,#%d5,$,$);\n",
                      i + 20, i, i + 20, i + 20, i + 20, i + 20, i + 20, i, i, i + 20);
    snprintf(text + n, sizeof text - (size_t)n, "%sENDSEC;\nEND-ISO-10303-21;\n", lines);
    return write_text(name, text);
}
#define SMALL   "IFCRECTANGLEPROFILEDEF(.AREA.,$,$,0.5,0.5)"
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

/* --- formats that are not read, readers that are not there -------------------------------------------------------- */

static void formats_that_are_not_read_are_refused_by_name_with_advice(void **state) {
    (void)state;
    EXPECT(2, "IFCXML files are not read here: save it as IFC-SPF", "check", write_text("a.ifcxml", "<x/>"));
    EXPECT(2, "IFCXML files are not read", "check", write_text("b.xml", "<?xml version='1.0'?>\n<ifcXML xmlns='x'/>"));
    EXPECT(2, "USD files are not read here: export it as GLB", "check", write_text("a.usda", "#usda 1.0\n"));
    EXPECT(2, "USD files are not read", "check", write_text("a.usdz", "PK"));
    EXPECT(2, "SDF files are not read here: convert it to URDF", "info", write_text("model", "<sdf version='1.6'/>"));
    EXPECT(2, "MJCF files are not read", "check", write_text("arm.xml", "<mujoco model='arm'/>"));
    EXPECT(2, "DWG files are not read here: export it as IFC", "check", write_text("a.dwg", "AC1032"));
    EXPECT(2, "Revit files are not read here: export it as IFC", "check", write_text("a.RVT", "x"));
    EXPECT(2, "Navisworks files are not read here: check the files that it was made of", "check",
           write_text("a.nwd", "x"));
    EXPECT(2, "SolidWorks files are not read here: export it as STEP", "info", write_text("a.sldprt", "x"));
    EXPECT(2, "3DXML files are not read here: export it as STEP", "info", write_text("a.3DXML", "x"));
    EXPECT(2, "GZ files are not read here: unpack it first", "check", write_text("a.ifc.gz", "x"));
    EXPECT(2, "xacro files are not read here: expand it first", "check", write_text("a.urdf.xacro", "<robot/>"));
}

/* Under the name of a model: what git has in place of a large file, a page that says why there is no download, an
 * archive that lost its ending. */
static void what_stands_in_place_of_a_model_is_named(void **state) {
    (void)state;
    static const char *const names[] = {"a.obj", "a.stl", "a.glb", "a.ifc", "a.step", "a.3mf", "a.x3d", "a.urdf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        EXPECT(2, "Git LFS pointer files are not read here: fetch the model itself (git lfs pull)", "check",
               write_text(names[i], "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"));
        EXPECT(2, "HTML files are not read here: a page came in place of the model", "check",
               write_text(names[i], "<!DOCTYPE html><html><body>404 not found</body></html>"));
        EXPECT(2, "GZ files are not read here: unpack it first (gunzip, unzip)", "check",
               write_bytes(names[i], "\x1f\x8b\x08\0\0\0", 6));
    }
    const char *said =
        "# <!DOCTYPE html>\n# version https://git-lfs.github.com/spec/v1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    EXPECT(0, NULL, "info", write_text("said.obj", said));
}

static void without_node_or_the_reader_the_message_says_what_to_install(void **state) {
    (void)state;
    const char *path = write_ifc("lonely.ifc", SMALL, 0, 0, ""),
               *obj = write_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    char *before = strdup(getenv("PATH"));
    setenv("CAROM_READERS", "/nowhere", 1);
    EXPECT(2, "there is no /nowhere/ifc/reader.mjs", "check", path);
    EXPECT(0, NULL, "info", obj);
    unsetenv("CAROM_READERS");
    if (has_ifc_reader()) {
        setenv("PATH", "/nowhere", 1);
        EXPECT(2, "'node' cannot be started: reading IFC needs Node.js", "check", path);
        EXPECT(0, NULL, "info", obj);
        setenv("PATH", before, 1);
    }
    free(before);
}

/* --- reader programs that lie ------------------------------------------------------------------------------------- */

/* A program in the place of the reader of IFC. */
static void play_reader(const char *script) {
    char folder[600], path[700];
    snprintf(folder, sizeof folder, "%s/ifc", scratch());
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/reader.mjs", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "import fs from 'node:fs'\n%s\n", script);
    fclose(file);
    setenv("CAROM_READERS", scratch(), 1);
}

static void readers_that_lie_are_found_out(void **state) {
    (void)state;
    NEED(has_ifc_reader());
    static const struct {
        const char *script, *message;
        int code;
    } cases[] = {
        {"", "ended before it was done", 3},
        {"process.exit(7)", "gave up on this file (status 7)", 2},
        {"console.error('no such thing'); process.exit(1)", "(status 1): no such thing\n", 2},
        {"process.kill(process.pid, 'SIGSEGV')", "crashed", 2},
        {"fs.writeSync(3, 'CMSTRAM1xxxxxxxxxxxxxxxx')", "damaged", 3},
        {"fs.writeSync(3, 'CMSTRAM2'); fs.writeSync(3, new Uint32Array([2, 4e9, 0, 9]))", "before it was done", 3},
        {"const b = new Uint8Array(1 << 20); for (;;) fs.writeSync(3, b)", "needs more than 50 MB", 2},
        {"for (;;) fs.writeSync(2, 'noise ')", "takes longer than 1 s", 2},
        {"const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))", "needs more than 50 MB of memory", 2},
        {"fs.writeFileSync('left_behind', 'x')", "", 2},
        {"fs.closeSync(3); setTimeout(() => {}, 1e6)", "takes longer than 1 s", 2},
    };
    const char *path = write_ifc("played.ifc", SMALL, 0, 0, "");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        play_reader(cases[i].script);
        EXPECT(cases[i].code, cases[i].message, "check", path, "--import-memory", "50MB", "--import-timeout",
               strstr(cases[i].message, "takes longer") ? "1s" : "300s"); /* a busy machine is no reason to fail */
    }
    struct stat left; /* it may be made, but no byte gets into it */
    assert_true(stat(scratch_path("left_behind"), &left) != 0 || left.st_size == 0);
    unsetenv("CAROM_READERS");
    char folder[600];
    snprintf(folder, sizeof folder, "%s/ifc/reader.mjs", scratch());
    unlink(folder);
}

/* A 3MF of files, of which the first is that of the build. */
typedef struct model_file {
    const char *name, *text;
    size_t size; /* 0: that of the text */
} model_file;

static const char *write_models(const char *name, const model_file *files, size_t count) {
    static const char relations[] =
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship "
        "Target='/3D/3dmodel.model' Id='r' Type='http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel'/>"
        "</Relationships>";
    size_t size;
    archive_writer *writer = archive_begin("2025-03-14T09:00:00Z");
    archive_add(writer, "_rels/.rels", relations, strlen(relations), false);
    for (size_t i = 0; i < count; i++)
        archive_add(writer, files[i].name, files[i].text, files[i].size ? files[i].size : strlen(files[i].text), false);
    unsigned char *zip = archive_end(writer, &size);
    assert_non_null(zip);
    const char *path = write_bytes(name, zip, size);
    free(zip);
    return path;
}

/* The text of a model file; `head` are attributes. free() it. */
static char *model_of(const char *head, const char *objects, const char *items) {
    return format_text("<?xml version='1.0' encoding='UTF-8'?><model %s "
                       "xmlns='http://schemas.microsoft.com/3dmanufacturing/core/2015/02' xmlns:p='http://"
                       "schemas.microsoft.com/3dmanufacturing/production/2015/06'><resources>%s</resources><build>%s"
                       "</build></model>",
                       head, objects, items);
}

static const char *write_3mf(const char *name, const char *objects, const char *items) {
    char *model = model_of("unit='millimeter'", objects, items);
    const char *path = write_models(name, (const model_file[]){{"3D/3dmodel.model", model, 0}}, 1);
    free(model);
    return path;
}

#define TETRAHEDRON                                                                                                    \
    "<mesh><vertices><vertex x='0' y='0' z='0'/><vertex x='1' y='0' z='0'/><vertex x='0' y='1' z='0'/>"                \
    "<vertex x='0' y='0' z='1'/></vertices><triangles><triangle v1='0' v2='2' v3='1'/>"                                \
    "<triangle v1='0' v2='1' v3='3'/><triangle v1='1' v2='2' v3='3'/><triangle v1='0' v2='3' v3='2'/></triangles>"     \
    "</mesh></object>"
#define WHEELS                                                                                                         \
    "R\xc3\xa4"                                                                                                        \
    "der & <Achsen>"

/* Objects by their names, else by their part numbers, else by their ids; an object that is placed twice is two parts.
 */
static void parts_of_a_3mf_have_the_names_of_their_objects(void **state) {
    (void)state;
    const char *path = write_3mf(
        "wagon.3mf",
        "<object id='7' name='R\xc3\xa4"
        "der &amp; &lt;Achsen&gt;' type='model'>" TETRAHEDRON
        "<object id='8' name='' partnumber='P-8' type='model'>" TETRAHEDRON "<object type='model' id='9'>" TETRAHEDRON
        "<object id='12' type='model' name=\"wagon 'A'\"><components><component objectid='7'/><component objectid='7' "
        "transform='1 0 0 0 1 0 0 0 1 5 0 0'/><component objectid='8' transform='1 0 0 0 1 0 0 0 1 0 5 "
        "0'/></components>"
        "</object>",
        "<item objectid='12'/><item objectid='9' transform='1 0 0 0 1 0 0 0 1 0 0 5'/><item objectid='7' "
        "transform='1 0 0 0 1 0 0 0 1 5 5 5'/>");
    json_t *root = RUN_JSON(0, "info", path);
    static const char *const names[] = {"wagon 'A'/" WHEELS, "wagon 'A'/" WHEELS "#2", "wagon 'A'/P-8", "Object_9",
                                        WHEELS};
    const json_t *parts = json_object_get(root, "parts");
    assert_int_equal(json_array_size(parts), 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(text_at(json_array_get(parts, i), "name"), names[i]);
    json_decref(root);
}

/* As Assimp writes them, which was the way of the model before: the file is what it is. */
static void a_3mf_may_say_that_it_was_another_format(void **state) {
    (void)state;
    static const char *const names[] = {"3mf Importer", "Wavefront Object Importer", "Drawing Interchange Format (DXF)",
                                        "Stanford Polygon Library (PLY) Importer", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char objects[1000];
        snprintf(objects, sizeof objects,
                 "<metadata name='SourceAsset_Format'>%s</metadata><object id='1' name='one'>" TETRAHEDRON, names[i]);
        json_t *root = RUN_JSON(0, "info", write_3mf("other.3mf", objects, "<item objectid='1'/>"));
        const json_t *file = json_array_get(json_object_get(root, "files"), 0);
        assert_string_equal(text_at(file, "format"), "3mf Importer");
        check_that(number_at(file, "unit_metres") == 0.001, "'%s': %g m", names[i], number_at(file, "unit_metres"));
        assert_string_equal(text_at(file, "up"), "z");
        json_decref(root);
    }
}

/* It was said to need gigabytes, and a number in it to be wrong. */
static void a_3mf_with_sizes_of_64_bits_is_read(void **state) {
    (void)state;
    const char *path = write_3mf("narrow.3mf", "<object id='1' name='one'>" TETRAHEDRON, "<item objectid='1'/>");
    json_t *root = RUN_JSON(0, "info", write_wide("wide.3mf", path, WIDE_DIRECTORY, 0));
    assert_string_equal(text_at(json_array_get(json_object_get(root, "parts"), 0), "name"), "one");
    json_decref(root);
    for (size_t i = 1; i < 3; i++) {
        run r = RUN("info", write_wide("broken.3mf", path, WIDE_DIRECTORY, i));
        check_that(r.code == 2, "%zu broken: code %d: %s", i, r.code, r.err);
        run_free(&r);
    }
}

static void what_a_3mf_asks_for_and_does_not_have_is_missing(void **state) {
    (void)state;
    const char *objects = "<object id='1'>" TETRAHEDRON "<object id='2'><components><component objectid='1'/>"
                          "<component objectid='1' transform='1 0 0 0 1 0 0 0 1 5 0 0'/>%s</components></object>";
    char text[2000];
    static const struct {
        const char *component, *item;
        int code;
    } cases[] = {{"", "", 0}, {"<component objectid='3'/>", "", 2}, {"", "<item objectid='3'/>", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char items[100];
        snprintf(text, sizeof text, objects, cases[i].component);
        snprintf(items, sizeof items, "<item objectid='2'/>%s", cases[i].item);
        const char *path = write_3mf("lacks.3mf", text, items);
        EXPECT(cases[i].code, NULL, "check", path);
        run r = RUN("info", path);
        const char *said = strstr(r.out, "object 3): it is to be built, and is not in the file");
        check_that((said != NULL) == (cases[i].code != 0), "%s", r.out);
        run_free(&r);
    }
}

/* What an extension of 3MF requires changes bodies, but for materials and production. */
static void a_3mf_that_requires_an_extension_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *head;
        bool refused;
    } cases[] = {
        {"unit=\"millimeter\"", false},
        {"requiredextensions=\"\"", false},
        {"requiredextensions=\"m\" xmlns:m=\"http://schemas.microsoft.com/3dmanufacturing/material/2015/02\"", false},
        {"requiredextensions=\"b\" xmlns:b=\"http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02\"", true},
        {"xmlns:m=\"http://schemas.microsoft.com/3dmanufacturing/material/2015/02\" requiredextensions=\"m p\"", false},
        {"requiredextensions='m b' xmlns:m='http://schemas.microsoft.com/3dmanufacturing/material/2015/02' "
         "xmlns:b='http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02'",
         true},
        {"xmlns:m='http://schemas.microsoft.com/3dmanufacturing/material/2015/02' requiredextensions = 'm '", false},
        {"requiredextensions=\"q\"", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *model = model_of(cases[i].head, "<object id='1'>" TETRAHEDRON, "<item objectid='1'/>");
        const char *path = write_models("a.3mf", (const model_file[]){{"3D/3dmodel.model", model, 0}}, 1);
        if (cases[i].refused)
            EXPECT(2, "3D/3dmodel.model requires an extension of 3MF that is not known here", "info", path);
        else
            EXPECT(0, NULL, "info", path);
        free(model);
    }
}

#define OF(file) "p:path='/3D/" file ".model'"

/* Objects of several model files, with equal numbers: each is called by its name, or by its number in its own file, and
 * stands where the build and its components place it. */
static void a_3mf_of_several_model_files_is_read(void **state) {
    (void)state;
    char *car = model_of(
             "requiredextensions='p'",
             "<object id='1' name='own'>" TETRAHEDRON "<object id='2' name='car'><components>"
             "<component objectid='1' " OF("wheels") "/><component objectid='1' "
                                                     "transform='1 0 0 0 1 0 0 0 1 5 0 0'/></components></object>",
             "<item objectid='2'/><item objectid='3' " OF("wheels") " transform='1 0 0 0 1 0 0 0 1 0 9 0'/>"),
         *wheels = model_of("unit='millimeter'",
                            "<object id='1' name='R\xc3\xa4"
                            "der &amp; &lt;Achsen&gt;'>" TETRAHEDRON "<object id='3'>" TETRAHEDRON,
                            "<item objectid='1'/>"); /* of such a file no build counts */
    const char *path =
        write_models("car.3mf", (const model_file[]){{"3D/wheels.model", wheels, 0}, {"3D/3dmodel.model", car, 0}}, 2);
    json_t *root = RUN_JSON(0, "info", path);
    static const char *const names[] = {"car/" WHEELS, "car/own", "Object_3"};
    const json_t *parts = json_object_get(root, "parts");
    assert_int_equal(json_array_size(parts), 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(text_at(json_array_get(parts, i), "name"), names[i]);
    json_decref(root);
    root = RUN_JSON(0, "distance", path, "--between", "*own", "Object_3"); /* from (5, 1, 0) to (1, 9, 0) */
    check_that(fabs(number_at(root, "distance") - 0.001 * sqrt(16 + 64)) < 1e-9, "%g", number_at(root, "distance"));
    json_decref(root);
    free(car);
    free(wheels);
}

/* What cannot be built is refused with the file and what to do, before the importer gets it: a ring of objects took its
 * stack, and a million bodies hours. */
static void a_3mf_that_cannot_be_built_is_refused(void **state) {
    (void)state;
    char *many = calloc(1, 30 * 1000001), *doubled = calloc(1, 150 * 40), *chain = calloc(1, 90 * 400);
    assert_true(many && doubled && chain);
    for (size_t i = 0, at = 0; i < 1000000; i++) at += (size_t)sprintf(many + at, "<component objectid='1'/>");
    for (int i = 2, at = 0; i < 40; i++)
        at += sprintf(doubled + at,
                      "<object id='%d'><components><component objectid='%d'/><component objectid='%d'/></components>"
                      "</object>",
                      i, i - 1, i - 1);
    for (int i = 2, at = 0; i < 300; i++)
        at += sprintf(chain + at, "<object id='%d'><components><component objectid='%d'/></components></object>", i,
                      i - 1);
    char *million =
        format_text("<object id='1'>" TETRAHEDRON "<object id='2'><components>%s</components></object>", many);
    char *powers = format_text("<object id='1'>" TETRAHEDRON "%s", doubled);
    char *deep = format_text("<object id='1'>" TETRAHEDRON "%s", chain);
    const char *one = "<object id='1'>" TETRAHEDRON, *item = "<item objectid='1' " OF("more") "/>";
    const struct {
        const char *said, *objects, *items, *more_head, *more; /* more = NULL: there is no second file */
    } cases[] = {
        {"3D/3dmodel.model asks for the model file '/../more.model', which is no place in the archive", "",
         "<item objectid='1' p:path='/../more.model'/>", "", one},
        {"asks for the model file '/3D/../../more.model'", "", "<item objectid='1' p:path='/3D/../../more.model'/>", "",
         one},
        {"asks for the model file 'more.model'", "", "<item objectid='1' p:path='more.model'/>", "", one},
        {"the model file '3D/more.model' is not in it", "", item, "", NULL},
        {"object 1 of 3D/more.model is to be built, and is not in that file", "", item, "", ""},
        {"object 4 of 3D/more.model is asked for, and is not in that file",
         "<object id='1'><components><component objectid='4' " OF("more") "/></components></object>",
         "<item objectid='1'/>", "", one},
        {"object 1 of 3D/3dmodel.model is a component of itself",
         "<object id='1'><components><component objectid='1' " OF("more") "/></components></object>",
         "<item objectid='1'/>", "",
         "<object id='1'><components><component objectid='1' " OF("3dmodel") "/></components>"
                                                                             "</object>"},
        {"object 2 of 3D/3dmodel.model is a component of itself",
         "<object id='1'><components><component objectid='2'/></components></object><object id='2'><components>"
         "<component objectid='1'/></components></object>",
         "<item objectid='2'/>", "", NULL},
        {"3D/more.model is in the unit inch, and 3D/3dmodel.model in millimeter", "", item, "unit='inch'", one},
        {"3D/more.model requires an extension of 3MF that is not known here", "", item, "requiredextensions='q'", one},
        {"the model file '3D/more.model' is damaged or cut off at line 1", "", item, "", "<object id='1'>"},
        {"its build places more than 500000 bodies (object 2 of 3D/3dmodel.model alone 1e+06): export it in pieces",
         million, "<item objectid='2'/>", "", NULL},
        {"its build places more than 500000 bodies", powers, "<item objectid='39'/>", "", NULL},
        {"lie in one another more than 200 deep", deep, "<item objectid='299'/>", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *build = model_of("", cases[i].objects, cases[i].items);
        char *more = cases[i].more ? model_of(cases[i].more_head, cases[i].more, "") : NULL;
        const char *path = write_models(
            "bad.3mf", (const model_file[]){{"3D/3dmodel.model", build, 0}, {"3D/more.model", more, 0}}, more ? 2 : 1);
        EXPECT(2, cases[i].said, "info", path);
        free(build);
        free(more);
    }
    free(many), free(doubled), free(chain), free(million), free(powers), free(deep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_within_a_hollow_column_is_free),
        cmocka_unit_test(what_is_missing_fails_the_check_unless_it_is_accepted),
        cmocka_unit_test(spaces_are_read_and_left_out_unless_asked_for),
        cmocka_unit_test(spaces_are_not_measured_and_not_fitted_unless_asked_for),
        cmocka_unit_test(a_robot_in_a_room_collides_with_what_stands_in_it_alone),
        cmocka_unit_test(a_space_that_cannot_be_read_is_missing_where_spaces_are_asked_for),
        cmocka_unit_test(a_reference_to_nothing_is_a_broken_line),
        cmocka_unit_test(a_site_far_from_its_origin_is_checked_to_a_thousandth_of_a_millimetre),
        cmocka_unit_test(what_single_precision_loses_far_from_the_origin_is_told),
        cmocka_unit_test(models_that_lie_far_apart_are_warned_of),
        cmocka_unit_test(parts_of_a_3mf_have_the_names_of_their_objects),
        cmocka_unit_test(a_3mf_may_say_that_it_was_another_format),
        cmocka_unit_test(a_3mf_with_sizes_of_64_bits_is_read),
        cmocka_unit_test(what_a_3mf_asks_for_and_does_not_have_is_missing),
        cmocka_unit_test(a_3mf_that_requires_an_extension_is_refused),
        cmocka_unit_test(a_3mf_of_several_model_files_is_read),
        cmocka_unit_test(a_3mf_that_cannot_be_built_is_refused),
        cmocka_unit_test(a_name_may_lie),
        cmocka_unit_test(a_zipped_model_is_read),
        cmocka_unit_test(formats_that_are_not_read_are_refused_by_name_with_advice),
        cmocka_unit_test(what_stands_in_place_of_a_model_is_named),
        cmocka_unit_test(without_node_or_the_reader_the_message_says_what_to_install),
        cmocka_unit_test(readers_that_lie_are_found_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
