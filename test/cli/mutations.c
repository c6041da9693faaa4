/* The command, given files that were good before they were bent: cut, flipped, doubled, glued, with numbers that lie.
 * It ends soon, with an exit code of its documentation, says something where it fails, and leaves nothing behind. The
 * importer may die of such a file; the command may not. */
#define _DEFAULT_SOURCE
#include "cli/shapes.h"

#include <dirent.h>

typedef struct sheet {
    char *bytes;
    size_t size, room;
} sheet;

static bool sheet_read(const char *path, sheet *out) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) return false;
    out->room = 1 << 19;
    out->bytes = calloc(1, out->room);
    assert_non_null(out->bytes);
    out->size = fread(out->bytes, 1, out->room / 2, file);
    fclose(file);
    return true;
}

static void bend(sheet *s, rng *r) {
    static const char *const words[] = {
        "-1",      "1e999", "nan", "4294967295", "-2147483649",       "\"",   "}",   "[", "", "0", "\\u0000", "1e-400",
        "9999999", "//",    "\n",  "%s%n",       "f 1 2 999999999\n", "true", "null"};
    for (uint32_t times = 1 + rng_below(r, 5); times > 0 && s->size > 1; times--) {
        size_t at = rng_below(r, (uint32_t)s->size), more = 1 + rng_below(r, 40);
        const char *word = words[rng_below(r, sizeof words / sizeof *words)];
        size_t length = strlen(word);
        switch (rng_below(r, 7)) {
        case 0:
            if (rng_below(r, 4) == 0) s->size = at;
            break;
        case 1:
            s->bytes[at] = (char)(s->bytes[at] ^ (1 << rng_below(r, 8)));
            break;
        case 2:
            s->bytes[at] = (char)rng_bits(r);
            break;
        case 3: /* twice */
            if (at + more > s->size || s->size + more > s->room) break;
            memmove(s->bytes + at + more, s->bytes + at, s->size - at);
            s->size += more;
            break;
        case 4: /* left out */
            if (at + more > s->size) break;
            memmove(s->bytes + at, s->bytes + at + more, s->size - at - more);
            s->size -= more;
            break;
        case 5: /* a lie in four bytes */
            if (at + 4 <= s->size) memset(s->bytes + (at & ~(size_t)3), rng_below(r, 2) ? 0xff : 0x7f, 4);
            break;
        default: /* a word in the place of a number or name */
            while (at < s->size && !strchr(" ,:[\n", s->bytes[at])) at++;
            size_t end = at < s->size ? at + 1 : at;
            while (end < s->size && !strchr(" ,]}\n", s->bytes[end])) end++;
            if (end >= s->size || s->size + length > s->room) break;
            memmove(s->bytes + at + 1 + length, s->bytes + end, s->size - end);
            memcpy(s->bytes + at + 1, word, length);
            s->size = s->size - (end - at - 1) + length;
        }
    }
}

static int files_left(void) {
    DIR *folder = opendir(scratch());
    int count = 0;
    assert_non_null(folder);
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

/* Bends the file `count` times and runs the command on each. */
static void run_bent(const char *path, const char *name, const char *const *options, uint64_t seed, int count) {
    sheet whole, bent;
    if (!sheet_read(path, &whole)) {
        print_message("  SKIPPED: no %s\n", name);
        return;
    }
    bent.room = whole.room;
    bent.bytes = malloc(bent.room);
    assert_non_null(bent.bytes);
    rng r = rng_start(name, seed);
    const bool checks = strcmp(options[0], "check") == 0;
    obj still = {0}; /* what it is checked against */
    obj_box(&still, "still", 0, 0, 0, 1, 1, 1);
    char other[600];
    snprintf(other, sizeof other, "%s", obj_write(&still, "still.obj"));
    int codes[4] = {0, 0, 0, 0}, left = 0;
    for (int i = 0; i <= count; i++) {
        memcpy(bent.bytes, whole.bytes, whole.size);
        bent.size = whole.size;
        if (i > 0) bend(&bent, &r); /* the first is whole */
        const char *file = write_bytes(name, bent.bytes, bent.size), *list[16] = {options[0], file};
        int words = 2;
        if (checks) list[words++] = other;
        for (int k = 1; options[k]; k++) list[words++] = options[k];
        if (i > 0 && strcmp(options[0], "simulate") != 0) /* one the importer hangs on is refused like any other */
            list[words++] = "--import-timeout", list[words] = "3s";
        run done = run_command(list);
        bool good = done.code >= 0 && done.code <= 2 && (done.code < 2 || strstr(done.err, "carom: ")) &&
                    !strstr(done.err, "Sanitizer") && (i > 0 || done.code < 2);
        if (i == 0) left = files_left();
        if (!good || files_left() != left) {
            const char *keep = "carom-mutation"; /* where the test runs */
            FILE *out = fopen(keep, "wb");
            if (out) fwrite(bent.bytes, 1, bent.size, out), fclose(out);
            print_error("%s, sample %d, kept as %s: exit code %d, %d files\nstdout: %s\nstderr: %s\n", name, i, keep,
                        done.code, files_left(), done.out, done.err);
            fail();
        }
        codes[done.code]++;
        run_free(&done);
    }
    print_message("  %s: %d taken, %d with findings, %d refused\n", name, codes[0], codes[1], codes[2]);
    free(bent.bytes);
    free(whole.bytes);
}

static const char *const check_options[] = {"check", "--clearance", "1mm", "--unit", "mm", "--skip-bad", NULL};
static const char *const info_options[] = {"info", NULL};
static const char *const simulate_options[] = {"simulate", "--steps", "20", NULL};

static void bent_obj(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "box", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "other", 0.5, 0, 0, 2, 1, 1);
    run_bent(obj_write(&o, "whole.obj"), "bent.obj", check_options, 61, samples(10, 4000));
}
static void bent_stl(void **state) {
    (void)state;
    run_bent(stl_box_write("whole.stl", true, 0, 0, 0, 1, 1, 1), "bent.stl", check_options, 62, samples(10, 4000));
    run_bent(stl_box_write("words.stl", false, 0, 0, 0, 1, 1, 1), "bent_words.stl", info_options, 63,
             samples(10, 4000));
}
static void bent_ply(void **state) {
    (void)state;
    const char *ply = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                      "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
                      "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    run_bent(write_text("whole.ply", ply), "bent.ply", check_options, 64, samples(10, 4000));
}
static void bent_amf(void **state) {
    (void)state;
#define POINT(x, y, z) "<vertex><coordinates><x>" x "</x><y>" y "</y><z>" z "</z></coordinates></vertex>\n"
#define FACE(a, b, c)  "<triangle><v1>" a "</v1><v2>" b "</v2><v3>" c "</v3></triangle>\n"
    const char *amf = "<?xml version=\"1.0\"?>\n<amf unit=\"inch\"><object id=\"1\"><mesh><vertices>" POINT(
        "0", "0", "0") POINT("1", "0", "0") POINT("0", "1", "0")
        POINT("0", "0", "1") "</vertices><volume>" FACE("0", "2", "1") FACE("0", "1", "3") FACE("0", "3", "2") FACE(
            "1", "2", "3") "</volume></mesh></object><constellation id='2'>"
                           "<instance objectid='1'><deltax>0.1</deltax><rz>30</rz></instance></constellation></amf>\n";
    run_bent(write_text("whole.amf", amf), "bent.amf", check_options, 68, samples(10, 4000));
}
static void bent_glb(void **state) {
    (void)state;
    const char *model = test_model("glTF2/BoxTextured-glTF-Binary/BoxTextured.glb");
    if (!model) skip();
    run_bent(model, "bent.glb", check_options, 65, samples(10, 4000));
}
static void bent_scenes(void **state) {
    (void)state;
    run_bent(SOURCE_SCENES "/billiard.json", "bent_billiard.json", simulate_options, 66, samples(40, 15000));
    run_bent(SOURCE_SCENES "/finish.json", "bent_finish.json", simulate_options, 67, samples(40, 15000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_obj), cmocka_unit_test(bent_stl), cmocka_unit_test(bent_ply),
        cmocka_unit_test(bent_amf), cmocka_unit_test(bent_glb), cmocka_unit_test(bent_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
