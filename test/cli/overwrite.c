/* No output replaces an input or another output, however it is called: exit code 2, a message that names both, and
 * every file as it was. */
#define _DEFAULT_SOURCE
#include "cli/shapes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char scene_text[] = "{\"schema\":\"carom-scene-1\",\"steps\":2,\n"
                                 " \"shapes\":{\"ball\":{\"kind\":\"sphere\",\"radius\":1}},\n"
                                 " \"objects\":[{\"name\":\"one\",\"shape\":\"ball\",\"velocity\":[1,0,0]}]}\n";

static const char *model(void) {
    obj o = {0};
    obj_box(&o, "box", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "other", 3, 0, 0, 4, 1, 1);
    return obj_write(&o, "model.obj");
}

/* What stands in a file; "(none)" where there is none. free() it. */
static char *content(const char *name) {
    FILE *file = fopen(scratch_path(name), "rb");
    char *text = calloc(1, 1 << 16);
    size_t n = file ? fread(text, 1, (1 << 16) - 1, file) : 0;
    assert_true(n < (1 << 16) - 1);
    if (!file) strcpy(text, "(none)");
    if (file) fclose(file);
    return text;
}

/* Refused with `text` on stderr, and `file` is the same byte for byte. */
static void refused(const char *file, const char *text, const char *const *arguments) {
    char *before = content(file);
    expect(2, text, arguments);
    char *after = content(file);
    check_that(strcmp(before, after) == 0, "%s: %.60s... became %.60s...", file, before, after);
    free(before);
    free(after);
}
#define REFUSED(file, text, ...) refused(file, text, (const char *const[]){__VA_ARGS__, NULL})

static void link_file(const char *target, const char *name) {
    unlink(scratch_path(name));
    assert_int_equal(symlink(target, scratch_path(name)), 0);
}

static void a_report_does_not_replace_the_model(void **state) {
    (void)state;
    model();
    REFUSED("model.obj", "--report model.obj would replace the input model.obj: write it elsewhere", "check",
            "model.obj", "--report", "model.obj");
    REFUSED("model.obj", "--report ./model.obj would replace the input model.obj", "check", "model.obj", "--report",
            "./model.obj");
    REFUSED("model.obj", "would replace the input", "check", scratch_path("model.obj"), "--report=model.obj");
    /* The second of two inputs, before the first is looked at. */
    REFUSED("model.obj", "would replace the input model.obj", "check", "none.obj", "model.obj", "--report",
            "model.obj");
}

static void links_hide_nothing(void **state) {
    (void)state;
    model();
    link_file("model.obj", "link.obj");
    unlink(scratch_path("hard.obj"));
    assert_int_equal(link(scratch_path("model.obj"), scratch_path("hard.obj")), 0);
    REFUSED("model.obj", "--report link.obj would replace the input model.obj", "check", "model.obj", "--report",
            "link.obj");
    REFUSED("model.obj", "--report model.obj would replace the input link.obj", "check", "link.obj", "--report",
            "model.obj");
    REFUSED("model.obj", "--report hard.obj would replace the input model.obj", "check", "model.obj", "--report",
            "hard.obj");
    mkdir(scratch_path("folder"), 0700);
    link_file("..", "folder/up");
    REFUSED("model.obj", "--report folder/up/model.obj would replace the input model.obj", "check", "model.obj",
            "--report", "folder/up/model.obj");
    unlink(scratch_path("folder/up"));
}

static void neither_report_nor_trace_replaces_the_scene(void **state) {
    (void)state;
    write_text("scene.json", scene_text);
    REFUSED("scene.json", "--trace scene.json would replace the input scene.json", "simulate", "scene.json", "--trace",
            "scene.json");
    REFUSED("scene.json", "--report scene.json would replace the input scene.json", "simulate", "scene.json",
            "--report", "scene.json");
}

static void report_and_trace_are_two_files(void **state) {
    (void)state;
    write_text("scene.json", scene_text);
    REFUSED("x", "--report x and --trace x are one file", "simulate", "scene.json", "--report", "x", "--trace", "x");
    /* Not there yet, spelled differently, and through a link to what is not there. */
    mkdir(scratch_path("folder"), 0700);
    REFUSED("x", "--report x and --trace folder/../x are one file", "simulate", "scene.json", "--report", "x",
            "--trace", "folder/../x");
    link_file("folder/../x", "to_x");
    REFUSED("x", "--report x and --trace to_x are one file", "simulate", "scene.json", "--report", "x", "--trace",
            "to_x");
    link_file("to_x", "to_to_x");
    REFUSED("x", "--report to_to_x and --trace to_x are one file", "simulate", "scene.json", "--report", "to_to_x",
            "--trace", "to_x");
    link_file("round", "round"); /* a link to itself leads nowhere, and ends */
    REFUSED("round", "round", "simulate", "scene.json", "--report", "round", "--trace", "x");
    write_text("x", "old");
    REFUSED("x", "--report x and --trace to_x are one file", "simulate", "scene.json", "--report", "x", "--trace",
            "to_x");
    unlink(scratch_path("x"));
    unlink(scratch_path("round"));
}

static void what_a_model_refers_to_is_spared(void **state) {
    (void)state;
    write_text("paint.mtl", "newmtl red\nKd 1 0 0\n");
    write_text("painted.obj", "mtllib paint.mtl\no box\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n");
    REFUSED("paint.mtl", "--report paint.mtl would replace paint.mtl, which painted.obj refers to", "check",
            "painted.obj", "--report", "paint.mtl");
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    write_bytes("tri.bin", corners, sizeof corners);
    write_text("tri.gltf",
               "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
               "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
               "\"buffers\":[{\"uri\":\"tri.bin\",\"byteLength\":36}],"
               "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36}],"
               "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
               "\"min\":[0,0,0],\"max\":[1,1,0]}]}");
    char *before = content("tri.bin");
    EXPECT(2, "--report tri.bin would replace tri.bin, which tri.gltf refers to", "check", "tri.gltf", "--report",
           "tri.bin");
    char *after = content("tri.bin");
    assert_memory_equal(before, after, sizeof corners);
    free(before);
    free(after);
}

static void the_models_of_a_scene_are_spared(void **state) {
    (void)state;
    model();
    write_text("with_model.json", "{\"schema\":\"carom-scene-1\",\"steps\":2,\n"
                                  " \"shapes\":{\"m\":{\"kind\":\"mesh\",\"file\":\"model.obj\"}},\n"
                                  " \"objects\":[{\"name\":\"one\",\"shape\":\"m\"}]}\n");
    EXPECT(0, NULL, "simulate", "with_model.json", "--trace", "t.csv");
    REFUSED("model.obj", "--trace model.obj would replace the input model.obj", "simulate", "with_model.json",
            "--trace", "model.obj");
    REFUSED("model.obj", "--report model.obj would replace the input model.obj", "simulate", "with_model.json",
            "--report", "model.obj");
}

/* Runs with its output appended to a file of the scratch folder; the exit code. */
static int run_into(const char *name, const char *const *arguments) {
    const char *command = getenv("CAROM_COMMAND"), *list[16] = {command};
    for (int i = 0; arguments[i]; i++) list[i + 1] = arguments[i];
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        int out = open(scratch_path(name), O_WRONLY | O_CREAT | O_APPEND, 0600), none = open("/dev/null", O_WRONLY);
        if (out < 0 || chdir(scratch()) != 0) _exit(126);
        dup2(out, 1), dup2(none, 2);
        execv(command, (char *const *)(void *)list);
        _exit(127);
    }
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
#define RUN_INTO(name, ...) run_into(name, (const char *const[]){__VA_ARGS__, NULL})

static void the_standard_output_is_an_output(void **state) {
    (void)state;
    model();
    char *before = content("model.obj");
    assert_int_equal(RUN_INTO("model.obj", "info", "model.obj"), 2);
    assert_int_equal(RUN_INTO("model.obj", "distance", "model.obj", "--between", "box", "other"), 2);
    char *after = content("model.obj");
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_int_equal(RUN_INTO("r.html", "check", "model.obj", "--report", "r.html"), 2);
    assert_int_equal(RUN_INTO("log", "check", "model.obj", "--report", "r.html"), 0);
}

/* What is no file, or another file, is written as ever. */
static void other_outputs_are_written(void **state) {
    (void)state;
    model();
    write_text("scene.json", scene_text);
    EXPECT(0, NULL, "check", "model.obj", "--report", "model.html");
    EXPECT(0, NULL, "check", "model.obj", "--report", "model.html"); /* over the last one */
    EXPECT(0, NULL, "simulate", "scene.json", "--report", "/dev/null", "--trace", "/dev/null");
    EXPECT(0, NULL, "simulate", "scene.json", "--trace", "/dev/stdout");
    EXPECT(2, "--trace -: this is written to a file: for standard output name /dev/stdout", "simulate", "scene.json",
           "--trace", "-");
    assert_int_equal(access(scratch_path("-"), F_OK), -1);
    struct stat page;
    assert_int_equal(stat(scratch_path("model.html"), &page), 0);
    check_that(page.st_size > 10000, "the page has %ld bytes", (long)page.st_size);
}

/* Not an output, but the same question: a glob and a name beside it would compare each part with itself. */
static void a_file_that_is_named_twice_is_told(void **state) {
    (void)state;
    char *text = (model(), content("model.obj"));
    write_text("ring.obj", text);
    free(text);
    link_file("model.obj", "link.obj");
    EXPECT(1, "warning: model.obj is named twice: its parts are compared with themselves", "check", "model.obj",
           "model.obj");
    EXPECT(1, "warning: model.obj and link.obj are one file", "check", "model.obj", "link.obj");
    EXPECT(1, "warning: link.obj and ./model.obj are one file", "check", "link.obj", "ring.obj", "./model.obj");
    EXPECT(0, "model.obj is named twice", "distance", "model.obj", "model.obj");
    run r = RUN("check", "model.obj", "ring.obj"); /* equal files are not one file */
    check_that(!strstr(r.err, "warning"), "%s", r.err);
    run_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_does_not_replace_the_model),
        cmocka_unit_test(links_hide_nothing),
        cmocka_unit_test(neither_report_nor_trace_replaces_the_scene),
        cmocka_unit_test(report_and_trace_are_two_files),
        cmocka_unit_test(what_a_model_refers_to_is_spared),
        cmocka_unit_test(the_models_of_a_scene_are_spared),
        cmocka_unit_test(the_standard_output_is_an_output),
        cmocka_unit_test(other_outputs_are_written),
        cmocka_unit_test(a_file_that_is_named_twice_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
