/* Whatever is wrong with the input, the command says what, names the file, and ends with exit code 2. */
#define _DEFAULT_SOURCE
#include "cli/shapes.h"

#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const char *good_box(void) {
    obj o = {0};
    obj_box(&o, "box", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "other", 3, 0, 0, 4, 1, 1);
    return obj_write(&o, "good.obj");
}

static void files_that_are_none(void **state) {
    (void)state;
    EXPECT(2, "none.stl: no such file", "check", "none.stl");
    EXPECT(2, "is a directory", "check", scratch());
    EXPECT(2, "empty.stl: the file is empty", "info", write_text("empty.stl", ""));
    mkfifo(scratch_path("pipe.stl"), 0600);
    EXPECT(2, "is not a regular file", "check", scratch_path("pipe.stl"));
    if (geteuid() != 0) { /* root may read everything */
        const char *closed = write_text("closed.obj", "v 0 0 0\n");
        chmod(closed, 0);
        EXPECT(2, "closed.obj: Permission denied", "check", closed);
    }
}

static void files_of_another_kind(void **state) {
    (void)state;
    EXPECT(2, "letter.stl", "check", write_text("letter.stl", "Dear engineer,\nthis is no model.\n"));
    EXPECT(2, "is not a model file of a known format: export it as GLB, STEP or STL", "check",
           write_text("letter.xyz", "Dear engineer,\n"));
    EXPECT(2, "-: a model is read from a file, not from standard input", "check", "-");
    EXPECT(2, "is not a regular file: write the model to one", "info", "/dev/null");
    EXPECT(2, "is not a model file of a known format", "info", write_text("letter.material", "// Blender wrote it\n"));
    EXPECT(2, "half.gltf", "check", write_text("half.gltf", "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"sce"));
}

static void a_truncated_glb(void **state) {
    (void)state;
    const char *model = test_model("glTF2/BoxTextured-glTF-Binary/BoxTextured.glb");
    if (!model) skip();
    static char bytes[1 << 16];
    FILE *file = fopen(model, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    EXPECT(0, NULL, "info", write_bytes("whole.glb", bytes, size));
    for (size_t part = 4; part < size; part += size / 11)
        EXPECT(2, "cut.glb", "check", write_bytes("cut.glb", bytes, part));
}

static const char *obj_of(const char *name, const char *text) { return write_text(name, text); }

static void indices_out_of_range(void **state) {
    (void)state;
    const char *ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                      "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
                      "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 7\n";
    EXPECT(2, "index.ply", "check", write_text("index.ply", ply));
    const char *model = test_model("glTF2/IndexOutOfRange/IndexOutOfRange.gltf");
    if (!model) skip();
    EXPECT(2, "1 face with a point that does not exist", "check", model);
    EXPECT(2, "AllIndicesOutOfRange.gltf", "check", test_model("glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf"));
    /* they can be left out, which is said */
    run r = RUN("info", "--skip-bad", test_model("glTF2/IndexOutOfRange/IndexOutOfRange.gltf"));
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "1 face: left out, as a point"));
    run_free(&r);
}

static void coordinates_that_are_no_numbers_or_too_large(void **state) {
    (void)state;
    const char *what = "not a number or beyond";
    EXPECT(2, what, "check", obj_of("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    EXPECT(2, what, "check", obj_of("inf.obj", "v inf 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    EXPECT(2, what, "check", obj_of("huge.obj", "v 1e38 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    EXPECT(2, what, "check", stl_box_write("huge.stl", true, 0, 0, 0, 1e38, 1, 1));
    /* the rest of the file is taken if asked for, and what is missing is told */
    const char *mixed = obj_of("mixed.obj", "v 1e38 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 2 3 4\n");
    EXPECT(2, what, "info", mixed);
    run r = RUN("info", "--skip-bad", mixed);
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "left out, as a coordinate"));
    run_free(&r);
}

/* A polygon that cannot be cut into triangles is a hole where something could clash. */
static void polygons_that_cannot_be_cut_are_missing(void **state) {
    (void)state;
    static const char star[] = "v 0 0 0\nv 4 1 0\nv 1 4 0\nv 2 -1 0\nv 3 4 0\nf 1 2 3 4 5\n"; /* crosses itself */
    EXPECT(2, "has no triangles, only polygons that cross themselves, and cannot be cut", "info",
           write_text("star.obj", star));
    char text[400];
    snprintf(text, sizeof text, "%sf 1 2 3\n", star);
    const char *model = write_text("star.obj", text);
    EXPECT(2, "1 of 1 product lacks some of its geometry", "check", model);
    obj o = {0};
    obj_box(&o, "elsewhere", 1000, 0, 0, 1001, 1, 1);
    EXPECT(0, "1 of 1 product lacks some of its geometry", "check", model, obj_write(&o, "box.obj"), "--incomplete",
           "ok");
    run r = RUN("info", model);
    assert_non_null(strstr(r.out, "3 triangles lost when polygons that cross themselves were cut"));
    run_free(&r);
}

/* What the importer passes over is missing as what a reader program names. */
static void bodies_that_are_not_read_are_told(void **state) {
    (void)state;
    EXPECT(2, "1 of 1 product lacks some of its geometry", "check",
           write_text("surf.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\ncstype bezier\ndeg 1 1\n"
                                  "surf 0 1 0 1 1 2 3 4\nparm u 0 1\nparm v 0 1\nend\n"));
    const char *head =
        "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\"><asset><unit meter=\"1\"/><up_axis>Z_UP</up_axis>"
        "</asset><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"f\" "
        "count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source=\"#f\" count=\"3\" "
        "stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param "
        "name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input "
        "semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\"><input "
        "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>";
    static const char *const more[][2] = {
        {"", "#g"}, {"", "#none"}, {"<geometry id=\"c\"><convex_mesh convex_hull_of=\"#g\"/></geometry>", "#c"}};
    for (int i = 0; i < 3; i++) {
        char text[3000];
        snprintf(
            text, sizeof text,
            "%s%s</library_geometries><library_visual_scenes><visual_scene id=\"s\"><node id=\"a\"><instance_geometry "
            "url=\"#g\"/></node><node id=\"b\"><instance_geometry url=\"%s\"/></node></visual_scene>"
            "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
            head, more[i][0], more[i][1]);
        EXPECT(i == 0 ? 1 : 2, i == 0 ? NULL : "lacks some of its geometry", "check", write_text("more.dae", text));
    }
    EXPECT(2, "has no triangles: nothing of 1 product could be read: a convex mesh is not read", "info",
           write_text("convex.dae",
                      "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset/>"
                      "<library_geometries><geometry id=\"c\"><convex_mesh/></geometry></library_geometries>"
                      "<library_visual_scenes><visual_scene id=\"s\"><node id=\"a\"><instance_geometry "
                      "url=\"#c\"/></node></visual_scene></library_visual_scenes>"
                      "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>"));
}

static void what_lies_outside_the_folder_is_not_opened(void **state) {
    (void)state;
    char folder[600];
    snprintf(folder, sizeof folder, "%s/inner", scratch());
    mkdir(folder, 0700);
    write_text("outer.mtl", "newmtl a\n");
    run r = RUN("info", "--format", "json",
                write_text("inner/a.obj", "mtllib ../outer.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "../outer.mtl is outside the model's folder: it is not opened"));
    run_free(&r);
}

static void meshes_without_triangles(void **state) {
    (void)state;
    EXPECT(2, "only points or lines", "check", obj_of("line.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n"));
    EXPECT(2, "points.obj", "check", obj_of("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"));
    /* beside a real mesh they are told and left out */
    run r = RUN("info", obj_of("both.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n"));
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "line"));
    run_free(&r);
}

static void bad_options(void **state) {
    (void)state;
    const char *box = good_box();
    EXPECT(2, "is negative", "check", box, "--clearance", "-5mm");
    EXPECT(2, "is negative", "check", box, "--clearance=-5mm");
    EXPECT(2, "has no unit", "check", box, "--clearance", "5");
    EXPECT(2, "unknown unit", "check", box, "--clearance", "5parsec");
    EXPECT(2, "is not a unit", "check", box, "--unit", "parsec");
    EXPECT(2, "is negative", "check", box, "--tolerance", "-1mm");
    EXPECT(2, "did you mean '--clearance'", "check", box, "--clearence", "5mm");
    EXPECT(2, "unknown option '--clearence'\n", "info", box, "--clearence", "5mm"); /* info has none */
    EXPECT(2, "unknown option '--csv'\n", "check", box, "--csv");                   /* nothing is like it */
    EXPECT(2, "unknown option '--frobnicate'", "check", box, "--frobnicate");
    EXPECT(2, "unknown option '-box.obj' (a file of that name is given as ./FILE, or behind --)", "check", "-box.obj");
    EXPECT(2, "needs a value", "check", box, "--unit");
    EXPECT(2, "needs two values", "check", box, "--between", "a");
    EXPECT(2, "is not one of", "check", box, "--format", "xml");
    EXPECT(2, "is not one of", "check", box, "--fail-on", "everything");
    EXPECT(2, "is not one of", "check", box, "--up", "w");
    EXPECT(2, "is not one of", "check", box, "--part", "atom");
    EXPECT(2, "PATTERN:PATTERN", "check", box, "--allow", "box");
    EXPECT(2, "empty pattern", "check", box, "--ignore", "");
    EXPECT(2, "1 to 1024", "check", box, "--threads", "0");
    EXPECT(2, "1 to 1024", "check", box, "--threads", "2x");
    EXPECT(2, "not an amount of memory", "check", box, "--import-memory", "lots");
    EXPECT(2, "not a time", "check", box, "--import-timeout", "soon");
    EXPECT(2, "needs a --clearance", "check", box, "--fail-on", "clearance");
    EXPECT(2, "takes no value", "check", box, "--skip-bad=yes");
    EXPECT(2, "not an option of this command", "info", box, "--clearance", "5mm");
    EXPECT(2, "needs a file", "check");
    EXPECT(2, "needs a file", "info");
    EXPECT(2, "none of the files is a URDF (--clearance finds parts that are near)\n", "check", box, "--padding",
           "5mm");
    EXPECT(2, "none of the files is a URDF\n", "check", box, "--adjacent");
    EXPECT(2, "two files", "distance", box);
    EXPECT(2, "did you mean 'check'", "chekc", box);
    EXPECT(2, NULL, NULL);
}

/* The last one would win without a word: two pages were asked for, and one written. */
static void an_option_that_is_given_twice_is_refused(void **state) {
    (void)state;
    const char *box = good_box();
    static const struct {
        const char *command, *option, *first, *second;
    } cases[] = {
        {"check", "--report", "a.html", "b.html"},
        {"check", "--format", "json", "csv"},
        {"check", "--clearance", "5mm", "6mm"},
        {"check", "--tolerance", "1mm", "2mm"},
        {"check", "--up", "y", "z"},
        {"check", "--unit", "m", "mm"},
        {"check", "--override-unit", "m", "mm"},
        {"check", "--part", "node", "mesh"},
        {"check", "--weld", "1mm", "2mm"},
        {"check", "--chord", "1mm", "2mm"},
        {"check", "--cache", "c", "d"},
        {"check", "--threads", "1", "2"},
        {"check", "--incomplete", "ok", "refuse"},
        {"check", "--rules", "a.json", "b.json"},
        {"check", "--approved", "a.txt", "b.txt"},
        {"check", "--baseline", "a.json", "b.json"},
        {"check", "--junit", "a.xml", "b.xml"},
        {"check", "--sarif", "a.sarif", "b.sarif"},
        {"check", "--bcf", "a.bcf", "b.bcf"},
        {"check", "--group", "file", "part"},
        {"check", "--srdf", "a.srdf", "b.srdf"},
        {"check", "--trajectory", "a.csv", "b.csv"},
        {"check", "--configurations", "5", "6"},
        {"check", "--seed", "5", "6"},
        {"check", "--write-srdf", "a.srdf", "b.srdf"},
        {"distance", "--tolerance", "1mm", "2mm"},
        {"fit", "--as", "box", "hull"},
        {"fit", "--output", "a.obj", "b.obj"},
        {"simulate", "--steps", "5", "6"},
        {"simulate", "--trace", "a.csv", "b.csv"},
        {"approve", "--reason", "because", "therefore"},
        {"info", "--unit", "m", "m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char said[120];
        snprintf(said, sizeof said, "%s is given twice: '%s' and '%s'\n", cases[i].option, cases[i].first,
                 cases[i].second);
        EXPECT(2, said, cases[i].command, box, cases[i].option, cases[i].first, cases[i].option, cases[i].second);
    }
    EXPECT(2, "--unit and --override-unit: give one of them", "info", box, "--unit", "m", "--override-unit", "mm");
    EXPECT(2, "--fail-on: a level is given twice: 'crossing' is another one", "check", box, "--fail-on", "touching",
           "--fail-on", "crossing");
    EXPECT(2, "needs a --baseline", "check", box, "--fail-on", "new", "--fail-on", "touching"); /* a level, and new */
    EXPECT(0, NULL, "info", box, "--ignore", "none", "--ignore", "nothing", "--bounds", "--bounds");
}

static void a_report_that_cannot_be_written_is_refused_before_the_work(void **state) {
    (void)state;
    EXPECT(2, "page.html", "check", good_box(), "--report", "/nowhere/page.html");
    EXPECT(2, scratch(), "check", good_box(), "--report", scratch());
}

/* Nested deeper than the importer's stack: it dies of it, and only it. */
static void a_file_that_crashes_the_importer(void **state) {
    (void)state;
    enum { DEPTH = 200000 };
    FILE *file = fopen(scratch_path("deep.dae"), "w");
    assert_non_null(file);
    fputs("<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\" xmlns=\"http://www.collada.org/2005/11/COLLADASchema\">"
          "<library_visual_scenes><visual_scene id=\"s\">",
          file);
    for (int i = 0; i < DEPTH; i++) fputs("<node>", file);
    for (int i = 0; i < DEPTH; i++) fputs("</node>", file);
    fputs("</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>", file);
    fclose(file);
    EXPECT(2, "deep.dae: the importer", "check", scratch_path("deep.dae"));
    write_text("one.raw", "one\n0 0 0 1 0 0 0 1 0\n0 0 0 0 1 0 0 0 1\n");
    write_text("groups.raw", "one\n0 0 0 1 0 0 0 1 0\nother\n0 0 0 0 1 0 0 0 1\n");
    EXPECT(0, NULL, "info", "one.raw");
    EXPECT(2, "groups.raw: cannot be read: it has several groups of triangles, which Assimp cannot read of a RAW",
           "info", "groups.raw");
}

/* The material is a pipe that nobody writes to. */
static void a_file_that_makes_the_importer_hang(void **state) {
    (void)state;
    mkfifo(scratch_path("hang.mtl"), 0600);
    const char *path = write_text("hang.obj", "mtllib hang.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT(2, "hang.obj: importing it takes longer than 0.5 s", "check", path, "--import-timeout", "0.5s");
}

static void a_small_file_that_asks_for_much_memory(void **state) {
    (void)state;
    const char *path = write_text("greedy.off", "OFF\n100000000 1 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"); /* 1.2 GB */
    EXPECT(2, SANITIZED ? "greedy.off" : "805 MB of memory for a file of 44 bytes: a number in it is probably wrong",
           "check", path);
    if (!SANITIZED) EXPECT(2, "needs more than 100 MB", "check", path, "--import-memory", "100MB");
    /* Of a larger file it is not said: it may be packed. */
    char *text = malloc(200000);
    assert_non_null(text);
    const int used = snprintf(text, 200000, "OFF\n100000000 1 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    memset(text + used, '\n', 199999 - (size_t)used), text[199999] = 0;
    path = write_text("packed.off", text);
    free(text);
    if (!SANITIZED)
        EXPECT(2, "needs more than 100 MB of memory (--import-memory", "check", path, "--import-memory", "100MB");
    /* Nor of a .gltf: its numbers are in other files. */
    path =
        write_text("beside.gltf",
                   "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
                   "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                   "\"buffers\":[{\"uri\":\"numbers.bin\",\"byteLength\":200000000}],"
                   "\"bufferViews\":[{\"buffer\":0,\"byteLength\":200000000}],"
                   "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":16000000,\"type\":\"VEC3\"}]}");
    write_text("numbers.bin", "");
    assert_int_equal(truncate(scratch_path("numbers.bin"), 200000000), 0);
    if (!SANITIZED)
        EXPECT(2, "needs more than 100 MB of memory (--import-memory", "check", path, "--import-memory", "100MB");
    unlink(scratch_path("numbers.bin"));
}

static void the_importers_voice_stays_out_of_stdout(void **state) {
    (void)state;
    run r = RUN("check", "none.stl");
    assert_string_equal(r.out, "");
    run_free(&r);
    r = RUN("check", write_text("letter.stl", "Dear engineer,\nthis is no model.\n"));
    assert_string_equal(r.out, "");
    run_free(&r);
}

static void control_characters_never_reach_the_terminal(void **state) {
    (void)state;
    EXPECT(2, "\xef\xbf\xbd[31mred.stl", "check", "\033[31mred.stl");
    EXPECT(2, "\xef\xbf\xbd[31m", "check", good_box(), "--\033[31m");
    obj o = {0};
    obj_box(&o, "\033]0;owned\007box", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "two\xe2\x80\xae", 0.5, 0, 0, 2, 1, 1);
    obj_box(&o, "\xff\xfe", 0.5, 0, 0, 2, 1, 1.5);
    const char *path = obj_write(&o, "hostile.obj");
    const char *const formats[] = {"table", "csv", "json"};
    for (int i = 0; i < 3; i++) {
        run r = RUN("check", path, "--format", formats[i]);
        assert_int_equal(r.code, 1);
        for (const char *at = r.out; *at; at++) assert_true((unsigned char)*at >= 0x20 || *at == '\n');
        assert_null(strstr(r.out, "\xe2\x80\xae"));
        run_free(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(files_of_another_kind),
        cmocka_unit_test(a_truncated_glb),
        cmocka_unit_test(indices_out_of_range),
        cmocka_unit_test(coordinates_that_are_no_numbers_or_too_large),
        cmocka_unit_test(polygons_that_cannot_be_cut_are_missing),
        cmocka_unit_test(bodies_that_are_not_read_are_told),
        cmocka_unit_test(what_lies_outside_the_folder_is_not_opened),
        cmocka_unit_test(meshes_without_triangles),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(an_option_that_is_given_twice_is_refused),
        cmocka_unit_test(a_report_that_cannot_be_written_is_refused_before_the_work),
        cmocka_unit_test(a_file_that_crashes_the_importer),
        cmocka_unit_test(a_file_that_makes_the_importer_hang),
        cmocka_unit_test(a_small_file_that_asks_for_much_memory),
        cmocka_unit_test(the_importers_voice_stays_out_of_stdout),
        cmocka_unit_test(control_characters_never_reach_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
