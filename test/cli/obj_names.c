/* Objects of an OBJ are parts of their own, whatever they are called. */
#include "cli/shapes.h"
#include "common/text.h"

/* Three boxes, of which the first two cross by 0.1; each `line` begins one. */
static const char *write_boxes(const char *name, const char *const lines[3]) {
    static const double low[3] = {0, 0.9, 5};
    static const int quads[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    char text[6000];
    int used = 0;
    for (int b = 0; b < 3; b++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s\n", lines[b]);
        for (int i = 0; i < 8; i++)
            used +=
                snprintf(text + used, sizeof text - (size_t)used, "v %g %d %d\n", low[b] + (i & 1), i >> 1 & 1, i >> 2);
        for (int q = 0; q < 6; q++)
            used += snprintf(text + used, sizeof text - (size_t)used, "f %d %d %d %d\n", 8 * b + quads[q][0],
                             8 * b + quads[q][1], 8 * b + quads[q][2], 8 * b + quads[q][3]);
    }
    return write_text(name, text);
}

static void expect_names(const char *path, const char *first, const char *second, const char *third) {
    json_t *root = RUN_JSON(1, "check", path);
    const json_t *parts = json_object_get(root, "parts");
    const char *const want[3] = {first, second, third};
    assert_int_equal(json_array_size(parts), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(parts, i), "name")), want[i]);
    assert_int_equal(json_array_size(json_object_get(root, "findings")), 1);
    json_decref(root);
}

static void a_name_ends_with_its_line(void **state) {
    (void)state;
    expect_names(write_boxes("blank.obj", (const char *[]){"o Wall 1", "o Wall 2", "o\tWall  3\t"}), "Wall 1", "Wall 2",
                 "Wall  3");
    expect_names(write_boxes("return.obj", (const char *[]){"o Wall 1\r", " o Wall 2\r", "o Door\r"}), "Wall 1",
                 "Wall 2", "Door");
}

static void objects_of_one_name_are_several(void **state) {
    (void)state;
    expect_names(write_boxes("bolts.obj", (const char *[]){"o Bolt", "o Bolt", "o Bolt"}), "Bolt", "Bolt#2", "Bolt#3");
    expect_names(write_boxes("mixed.obj", (const char *[]){"o Bolt M6", "# o Bolt\no Bolt M6", "o Bolt"}), "Bolt M6",
                 "Bolt M6#2", "Bolt");
}

/* Two boxes that cross by 0.1, of twelve faces; "F": the next two of the first, "G": all of the second; "V": a point
 * that no face has. Negative numbers where `back`. */
static const char *write_pieces(const char *name, const char *const *lines, bool back) {
    static const int quads[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    text_buffer text = {0};
    for (int i = 0; i < 16; i++) text_add(&text, "v %g %d %d\n", (i < 8 ? 0 : 0.9) + (i & 1), i >> 1 & 1, i >> 2 & 1);
    for (int next = 0, points = 16; *lines; lines++) {
        const bool first = **lines == 'F', faces = first || **lines == 'G';
        if (!faces) text_add(&text, "%s\n", **lines == 'V' ? "v 9 9 9" : *lines);
        points += **lines == 'V';
        for (int q = first ? next : 0; faces && q < (first ? next + 2 : 6); q++) {
            text_add(&text, "f");
            for (int k = 0; k < 4; k++)
                text_add(&text, k == 3 ? " \\\n %d/" : " %d//",
                         quads[q][k] + (first ? 0 : 8) - (back ? points + 1 : 0));
            text_add(&text, "\n");
        }
        next += first ? 2 : 0;
    }
    const char *path = write_text(name, text.bytes);
    free(text.bytes);
    return path;
}

/* The parts, each with its triangles: "A 12, B 12". */
static void expect_parts(const char *path, const char *want) {
    json_t *root = RUN_JSON(0, "info", path);
    const json_t *parts = json_object_get(root, "parts"), *meshes = json_object_get(root, "meshes");
    text_buffer got = {0};
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        const json_t *mesh = json_array_get(meshes, (size_t)number_at(part, "mesh"));
        text_add(&got, "%s%s %g", i > 0 ? ", " : "", text_at(part, "name"), number_at(mesh, "triangles"));
    }
    assert_string_equal(got.bytes, want);
    free(got.bytes);
    json_decref(root);
}

static void pieces_that_share_points_are_one_object(void **state) {
    (void)state;
    static const struct {
        const char *lines[10], *want;
    } cases[] = {
        {{"o A", "F", "o A", "F", "F", "o B", "G"}, "A 12, B 12"},
        {{"o A", "F", "o B", "G", "o A", "F", "F"}, "A 12, B 12"}, /* the importer gives them to B */
        {{"g A", "F", "g B", "G", "g A", "F", "F"}, "A 12, B 12"},
        {{"g A", "F", "o B", "G", "g A", "F", "F"}, "A 12, B 12"},
        {{"o A 1", "F", "o B", "G", "o A 1", "usemtl red", "F", "V", "F"}, "A 1 12, B 12"},
        {{"g", "F", "g B", "G", "g", "F", "F"}, "share.obj 12, B 12"},
        {{"F", "g B", "G", "g", "F", "F"}, "share.obj 12, B 12"},
        {{"g A", "F", "F", "F", "g A", "G"}, "A 12, A#2 12"}, /* two that have one name */
        {{"o A", "o A", "F", "F", "F", "o A", "G"}, "A 12, A#2 12"},
        {{"o A", "g default", "F", "F", "F", "o B", "g default", "G"}, "A 12, B 12"},
        {{"o all", "g A", "F", "F", "F", "g B", "G"}, "A 12, B 12"},
        {{"o A", "F", "F", "F", "o A#2", "G"}, "A 12, A#2 12"},
        {{"o A", "g red", "F", "g blue", "F", "F", "o B", "G"}, "A 12, B 12"}, /* materials as groups */
        {{"o A", "g red", "F", "g blue", "F", "g red", "F", "o B", "G"}, "A 12, B 12"},
        {{"o all", "g A", "F", "g roof", "F", "F", "g B", "G"}, "A 12, B 12"},
        {{"g A", "F", "g roof", "F", "F", "g B", "G"}, "A 4, roof 8, B 12"}, /* of no object */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int back = 0; back < 2; back++)
            expect_parts(write_pieces("share.obj", cases[i].lines, back), cases[i].want);
}

/* Two boxes that share the four points of a face: each is closed by itself. */
static void bodies_that_share_points_are_several(void **state) {
    (void)state;
    static const int quads[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    text_buffer text = {0};
    text_add(&text, "o both\n");
    for (int i = 0; i < 12; i++) text_add(&text, "v %d %d %d\n", i & 1, i >> 1 & 1, i >> 2);
    for (int box = 0; box < 2; box++) {
        text_add(&text, "g %s\n", box == 0 ? "low" : "high");
        for (int q = 0; q < 6; q++)
            text_add(&text, "f %d %d %d %d\n", quads[q][0] + 4 * box, quads[q][1] + 4 * box, quads[q][2] + 4 * box,
                     quads[q][3] + 4 * box);
    }
    expect_parts(write_text("welded.obj", text.bytes), "low 12, high 12");
    free(text.bytes);
}

/* The first line behind the mark of UTF-8 was passed over. */
static void a_mark_of_utf8_is_no_part_of_the_first_line(void **state) {
    (void)state;
    expect_parts(
        write_text("mark.obj", "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"),
        "mark.obj 4");
}

/* The importer passes over lines that begin with a blank. */
static void lines_may_be_indented(void **state) {
    (void)state;
    run r = RUN("info", "--format", "csv",
                write_text("indented.obj", "o a\n  v 0 0 0\n\tv 1 0 0\n v 0 1 0\n  v 0 0 1\n  f 1 3 2\n\tf 1 2 4\n"
                                           " f 1 4 3\n f 2 \\\n   3 4\n"));
    check_that(strstr(r.out, "indented.obj,4,1,1,") != NULL, "%s", r.out);
    run_free(&r);
}

/* What needs nothing of that is read as it is. */
/* Texture points that the file does not have: the body was refused as one of points. */
static void corners_may_name_texture_points_that_are_not_there(void **state) {
    (void)state;
    static const char *const faces[] = {
        "f 1/1/1 3/3/3 2/2/2\nf 1/1/1 2/2/2 4/4/4\nf 1/1/1 4/4/4 3/3/3\nf 2/2/2 3/3/3 4/4/4\n",
        "f 1//1 3//3 2//2\nf 1/1/1 2/2/2 \\\n4/4/4\nf 1 4 3\n f 2/2/2  3/3/3\t4/4/4\n"};
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "o it\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 1 0 0\nvn 1 0 0\nvn 1 0 0\nvn 1 0 0\n%s", faces[i]);
        json_t *root = RUN_JSON(0, "info", write_text("normals.obj", text));
        const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
        check_that(number_at(mesh, "triangles") == 4 && json_is_true(json_object_get(mesh, "closed")),
                   "%zu: %g triangles", i, number_at(mesh, "triangles"));
        json_decref(root);
    }
}

/* The importer refuses what has such faces, or takes numbers of the comment for coordinates. */
static void comments_may_stand_behind_numbers(void **state) {
    (void)state;
    static const char *const texts[] = {
        "v 0 0 0 # 1 2\nv 1 0 0 #x\nv 1 1 0# 7\nv 0 1 0 # a corner\nf 1 2 3 # 4\nf 1 3 4#1\n",
        "v 0 0 0\r\nv 1 0 0 # 5\r\nv 1 1 0\r\nv 0 1 0\r\nf 1 2 3 # a face\r\nf 1 3 4\r\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1 # 4/4/4\nf 1/1/1 3/1/1 \\\n4/1/1 # end\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_t *root = RUN_JSON(0, "info", write_text("comments.obj", texts[i]));
        const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
        check_that(number_at(mesh, "triangles") == 2 && fabs(number_at(mesh, "area") - 1) < 1e-9,
                   "%zu: %g triangles, area %g", i, number_at(mesh, "triangles"), number_at(mesh, "area"));
        json_decref(root);
    }
}

static void plain_names_stay(void **state) {
    (void)state;
    expect_names(write_boxes("plain.obj", (const char *[]){"o a", "o b", "o c"}), "a", "b", "c");
    expect_names(write_boxes("groups.obj", (const char *[]){"g a 1", "g a 2", "g b"}), "a 1", "a 2", "b");
}

/* As the importer calls what has no name in formats of its own. */
static void an_obj_may_have_names_in_angle_brackets(void **state) {
    (void)state;
    expect_names(write_boxes("brackets.obj", (const char *[]){"o <a>", "o <a>/<b>", "o <"}), "<a>", "<a>/<b>", "<");
}

/* In the table stands the last component, which a slash at its end belongs to. */
static void a_name_may_end_with_a_slash(void **state) {
    (void)state;
    run r = RUN("check", write_boxes("slash.obj", (const char *[]){"o left/", "o in/right/", "o //"}));
    check_that(strstr(r.out, "  left/   right/  ") != NULL, "%s", r.out);
    run_free(&r);
    r = RUN("info", write_boxes("slash.obj", (const char *[]){"o a/", "o b/a/", "o //"}));
    check_that(strstr(r.out, "\na/ ") && strstr(r.out, "\nb/a/ ") && strstr(r.out, "\n// "), "%s", r.out);
    run_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_ends_with_its_line),
        cmocka_unit_test(objects_of_one_name_are_several),
        cmocka_unit_test(pieces_that_share_points_are_one_object),
        cmocka_unit_test(bodies_that_share_points_are_several),
        cmocka_unit_test(a_mark_of_utf8_is_no_part_of_the_first_line),
        cmocka_unit_test(lines_may_be_indented),
        cmocka_unit_test(corners_may_name_texture_points_that_are_not_there),
        cmocka_unit_test(comments_may_stand_behind_numbers),
        cmocka_unit_test(plain_names_stay),
        cmocka_unit_test(an_obj_may_have_names_in_angle_brackets),
        cmocka_unit_test(a_name_may_end_with_a_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
