/* A cube of 12 triangles in every way that a PLY may tell it: it comes out as a cube. */
#include "cli/command.h"

enum { LITTLE, BIG, LINES, ONE_LINE };
typedef struct writer {
    char bytes[4000];
    size_t size;
    int kind;
} writer;

static const float *corner(int i) {
    static float at[3];
    for (int k = 0; k < 3; k++) at[k] = (float)(i >> k & 1);
    return at;
}
static const int triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static void head(writer *w, int kind, const char *elements) {
    static const char *const names[] = {"binary_little_endian", "binary_big_endian", "ascii", "ascii"};
    w->kind = kind;
    w->size = (size_t)snprintf(w->bytes, sizeof w->bytes, "ply\nformat %s 1.0\n%send_header\n", names[kind], elements);
}
static void number(writer *w, double value, bool is_float, size_t size) {
    if (w->kind >= LINES) {
        w->size += (size_t)snprintf(w->bytes + w->size, sizeof w->bytes - w->size, "%g ", value);
        return;
    }
    const float f = (float)value;
    const int32_t n = is_float ? 0 : (int32_t)value;
    uint32_t bits;
    memcpy(&bits, is_float ? (const void *)&f : (const void *)&n, sizeof bits);
    for (size_t i = 0; i < size; i++) w->bytes[w->size++] = (char)(bits >> 8 * (w->kind == BIG ? size - 1 - i : i));
}
static void end_row(writer *w) {
    if (w->kind == LINES) w->bytes[w->size++] = '\n';
}

static void points(writer *w) {
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) number(w, (double)corner(i)[k], true, 4);
        end_row(w);
    }
}
static void faces(writer *w) {
    for (int i = 0; i < 12; i++) {
        number(w, 3, false, 1);
        for (int k = 0; k < 3; k++) number(w, triangles[i][k], false, 4);
        end_row(w);
    }
}

static void expect_cube(const writer *w, const char *name) {
    json_t *root = RUN_JSON(0, "info", write_bytes(name, w->bytes, w->size));
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
    check_that(number_at(mesh, "triangles") == 12 && number_at(mesh, "volume") == 1 &&
                   json_is_true(json_object_get(mesh, "closed")),
               "%s: %g triangles, volume %g", name, number_at(mesh, "triangles"), number_at(mesh, "volume"));
    json_decref(root);
}

#define VERTEX "element vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
#define FACE   "element face 12\nproperty list uchar int vertex_indices\n"

/* As scanners write them. The importer takes the camera for the first points. */
static void what_stands_before_the_points_is_none(void **state) {
    (void)state;
    for (int kind = LITTLE; kind <= ONE_LINE; kind++) {
        writer w;
        head(&w, kind, "element camera 1\nproperty float view_px\nproperty int viewportx\n" VERTEX FACE);
        number(&w, 1.5, true, 4);
        number(&w, 640, false, 4);
        end_row(&w);
        points(&w);
        faces(&w);
        expect_cube(&w, "camera.ply");
        head(&w, kind, FACE VERTEX);
        faces(&w);
        points(&w);
        expect_cube(&w, "faces_first.ply");
    }
}

/* The points, and a strip of these corners. */
static void one_strip(writer *w, int kind, const int *corners, int count) {
    head(w, kind, VERTEX "element tristrips 1\nproperty list int int vertex_indices\n");
    points(w);
    number(w, count, false, 4);
    for (int i = 0; i < count; i++) number(w, corners[i], false, 4);
    end_row(w);
}

/* Four faces around in one strip, top and bottom in one each; of the importer's there is one triangle. */
static void strips_are_triangles(void **state) {
    (void)state;
    static const int strip[] = {4, 0, 5, 1, 7, 3, 6, 2, 4, 0, -1, 0, 2, 1, 3, -1, 4, 5, 6, 7};
    enum { LENGTH = sizeof strip / sizeof strip[0] };
    for (int kind = LITTLE; kind <= ONE_LINE; kind++) {
        writer w;
        one_strip(&w, kind, strip, LENGTH);
        expect_cube(&w, "strips.ply");
    }
}

/* What leads from one run to the next in place of a -1 is no triangle. */
static void a_strip_may_turn_on_a_corner(void **state) {
    (void)state;
    static const int strip[] = {4, 0, 5, 1, 7, 3, 6, 2, 4, 0, 0, 0, 0, 2, 1, 3, 3, 4, 4, 5, 6, 7};
    enum { LENGTH = sizeof strip / sizeof strip[0] };
    writer w;
    one_strip(&w, LITTLE, strip, LENGTH);
    expect_cube(&w, "corners.ply");
}

/* The format has words; the importer reads lines. */
static void a_text_may_be_one_line(void **state) {
    (void)state;
    writer w;
    head(&w, ONE_LINE, VERTEX FACE);
    points(&w);
    faces(&w);
    expect_cube(&w, "line.ply");
}

/* The first number begins with a byte 10 or 13, which the importer takes for the end of the head. */
static void the_first_number_may_begin_with_the_end_of_a_line(void **state) {
    (void)state;
    static const int32_t firsts[][2] = {/* little, big */
                                        {10, 10 << 24},
                                        {13, 13 << 24},
                                        {0x0a0d, 0x0a0d << 16},
                                        {0x0d0a0a, 0x0d0a0a << 8}};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++)
        for (int kind = LITTLE; kind <= BIG; kind++) {
            writer w;
            head(&w, kind,
                 "element vertex 8\nproperty int flags\nproperty float x\nproperty float y\nproperty float z\n" FACE);
            for (int k = 0; k < 8; k++) {
                number(&w, firsts[i][kind == BIG], false, 4);
                for (int c = 0; c < 3; c++) number(&w, (double)corner(k)[c], true, 4);
            }
            faces(&w);
            expect_cube(&w, "newline.ply");
        }
}

/* Of a file that is written anew for the importer. */
static void what_is_cut_off_or_wrong_is_refused(void **state) {
    (void)state;
    writer w;
    head(&w, LITTLE, "element camera 1\nproperty int viewportx\n" VERTEX FACE);
    number(&w, 640, false, 4);
    points(&w);
    faces(&w);
    const size_t whole = w.size;
    for (size_t cut = 1; cut < 100; cut += 7)
        EXPECT(2, "cannot be read: ", "info", write_bytes("cut.ply", w.bytes, whole - cut));
    w.bytes[whole - 1] = 1; /* of the last index, which is then beyond the points */
    EXPECT(2, "1 face with a point that does not exist", "info", write_bytes("bad.ply", w.bytes, whole));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_before_the_points_is_none),
        cmocka_unit_test(strips_are_triangles),
        cmocka_unit_test(a_strip_may_turn_on_a_corner),
        cmocka_unit_test(a_text_may_be_one_line),
        cmocka_unit_test(the_first_number_may_begin_with_the_end_of_a_line),
        cmocka_unit_test(what_is_cut_off_or_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
