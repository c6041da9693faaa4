/* Formats that nothing here reads, readers that are not there, and reader programs that lie. */
#define _DEFAULT_SOURCE
#include "cli/ifc_file.h"

#include <sys/stat.h>
#include <unistd.h>

/* --- formats that are not read, readers that are not there -------------------------------------------------------- */

static void formats_that_are_not_read_are_refused_by_name_with_advice(void **state) {
    (void)state;
    EXPECT(2, "IFCXML files are not read here: save it as IFC-SPF", "check", write_text("a.ifcxml", "<x/>"));
    EXPECT(2, "IFCXML files are not read", "check", write_text("b.xml", "<?xml version='1.0'?>\n<ifcXML xmlns='x'/>"));
    EXPECT(2, "IFCXML files are not read", "check",
           write_text("c.xml", "<?xml version='1.0'?>\n<ifc:ifcXML xmlns:ifc='x'/>"));
    EXPECT(2, "IFCXML files are not read", "check",
           write_text("d.xml", "<?xml version='1.0'?>\n<ex:iso_10303_28 xmlns:ex='x'/>"));
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
    if (!has_ifc_reader()) skip();
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_that_are_not_read_are_refused_by_name_with_advice),
        cmocka_unit_test(what_stands_in_place_of_a_model_is_named),
        cmocka_unit_test(without_node_or_the_reader_the_message_says_what_to_install),
        cmocka_unit_test(readers_that_lie_are_found_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
