/* A file that ends too early is refused, at whatever byte, also where the importer takes it for a smaller one. */
#include "cli/shapes.h"
#include "common/text.h"
#include "read/whole.h"

typedef struct sample {
    const char *format;
    const void *bytes;
    size_t size, needed; /* so many bytes hold all; what follows is blank, or the end of a number or a name */
} sample;

static void check_every_end(const char *name, sample s) {
    assert_null(whole_refuse(write_bytes(name, s.bytes, s.size), s.format));
    assert_null(whole_refuse(write_bytes(name, s.bytes, s.needed), s.format));
    for (size_t size = 1; size < s.needed; size++) {
        const char *path = write_bytes(name, s.bytes, size);
        const char *head = strstr(s.format, "PLY") ? "end_header" : "OFF\n4 4"; /* before that the importer refuses */
        static char text[4096];
        memcpy(text, s.bytes, size);
        text[size] = 0;
        if (!strstr(s.format, "STL") && !strstr(text, head)) continue;
        if (strstr(s.format, "STL") && size < 5) continue;
        check_that(whole_refuse(path, s.format) != NULL, "%s: %zu of %zu bytes pass", name, size, s.needed);
    }
}

static sample of_text(const char *format, const char *text, size_t spare) {
    return (sample){format, text, strlen(text), strlen(text) - spare};
}

static const char ply_head[] = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                               "element face 4\nproperty list uchar int vertex_indices\nend_header\n";

static void a_text_ply_has_all_its_head_announces(void **state) {
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, "ply\nformat ascii 1.0\ncomment 3 cubes\n%s%s", ply_head,
             "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
    check_every_end("text.ply", of_text("Stanford Polygon Library (PLY) Importer", text, 1));
}

/* As VCGLIB writes colors of corners: a number of each face in the head, a list in its line. */
static void lines_of_a_text_ply_may_hold_more(void **state) {
    (void)state;
    static const char text[] = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                               "property float z\nelement face 4\nproperty list uchar int vertex_indices\n"
                               "property uchar red\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1 2 200 200\n"
                               "3 0 1 3 2 200 200\n3 0 3 2 2 200 200\n3 1 2 3 2 200 200\n";
    check_every_end("more.ply", of_text("Stanford Polygon Library (PLY) Importer", text, 0));
    json_t *root = RUN_JSON(0, "info", write_text("more.ply", text));
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
    check_that(number_at(mesh, "triangles") == 4 && json_is_true(json_object_get(mesh, "closed")), "%g triangles",
               number_at(mesh, "triangles"));
    json_decref(root);
}

static void a_binary_ply_has_all_its_head_announces(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        static char bytes[2000];
        size_t size = (size_t)snprintf(bytes, sizeof bytes, "ply\nformat binary_%s_endian 1.0\n%s",
                                       big ? "big" : "little", ply_head);
        memset(bytes + size, 0, 4 * 12 + 4 * 13);
        for (size_t i = 0; i < 4; i++) bytes[size + 48 + 13 * i] = 3;
        size += 4 * 12 + 4 * 13;
        check_every_end("binary.ply", (sample){"Stanford Polygon Library (PLY) Importer", bytes, size, size});
    }
}

static void an_off_has_all_its_head_announces(void **state) {
    (void)state;
    const char *body = " 0\n# four points\n0 0 0\n1 0 0\n\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    char text[400];
    snprintf(text, sizeof text, "OFF\n4 4%s", body);
    check_every_end("a.off", of_text("OFF Importer", text, 1));
    snprintf(text, sizeof text, "OFF 4 4%s", body);
    assert_null(whole_refuse(write_text("b.off", text), "OFF Importer"));
    text[strlen(text) - 4] = 0;
    assert_non_null(whole_refuse(write_text("b.off", text), "OFF Importer"));
    EXPECT(2, "lines of one point or face each", "info",
           write_text("line.off", "OFF 4 4 6 0 0 0 1 0 0 0 1 0 0 0 1 3 0 2 1 3 0 1 3 3 0 3 2 3 1 2 3\n"));
}

/* Of points with a fourth coordinate the importer took three. */
static void an_off_of_another_form_is_refused_by_name(void **state) {
    (void)state;
    const char *points = "\n4 1 0\n0 0 0 2\n1 0 0 2\n0 1 0 2\n0 0 1 2\n3 0 2 1\n";
    static const struct {
        const char *keyword, *message;
    } cases[] = {{"OFF BINARY", "binary"},
                 {"4OFF", "more than three coordinates"},
                 {"nOFF\n3", "more than three coordinates"},
                 {"STOFF", "texture coordinates"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s%s", cases[i].keyword, points);
        EXPECT(2, cases[i].message, "info", write_text("form.off", text));
    }
    EXPECT(0, NULL, "info",
           write_text("form.off", "COFF\n3 1 0\n0 0 0 1 0 0 1\n1 0 0 1 0 0 1\n0 1 0 1 0 0 1\n3 0 2 1\n"));
}

static void a_text_stl_says_where_it_ends(void **state) {
    (void)state;
    const char *text = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
                       "endfacet\nendsolid a\n";
    check_every_end("a.stl", of_text("Stereolithography (STL) Importer", text, 3));
    EXPECT(2, "the file is cut off: endsolid is missing", "info",
           write_bytes("b.stl", text, strlen(text) - strlen("solid a\n")));
    EXPECT(2, "the file is cut off: endsolid is missing", "info", write_bytes("b.stl", text, 60)); /* in a facet */
}

static void a_binary_stl_has_all_its_head_announces(void **state) {
    (void)state;
    char bytes[84 + 3 * 50] = {0};
    bytes[80] = 2;
    for (int t = 0; t < 2; t++) { /* 0 0 0, 1 0 0, 0 1 0 */
        const float one = 1;
        memcpy(bytes + 84 + 50 * t + 24, &one, 4);
        memcpy(bytes + 84 + 50 * t + 40, &one, 4);
    }
    EXPECT(0, NULL, "info", write_bytes("two.stl", bytes, 184));
    EXPECT(2, "the file is cut off, or no STL: its head announces 2 triangles, and it holds 1", "info",
           write_bytes("cut.stl", bytes, 183));
    EXPECT(2, "the file is damaged, or no STL: its head announces 2 triangles, and 3 bytes follow on these", "info",
           write_bytes("long.stl", bytes, 187));
    bytes[80] = 0;
    EXPECT(2, "none.stl: cannot be read: it has no triangles", "info", write_bytes("none.stl", bytes, 84));
    EXPECT(2, "the file is cut off: a binary STL has 84 bytes", "info", write_bytes("head.stl", bytes, 83));
}

/* The importer looks for the end for ever. */
static void the_head_of_a_ply_has_an_end(void **state) {
    (void)state;
    char text[400];
    snprintf(text, sizeof text, "ply\nformat ascii 1.0\n%.*s", (int)strlen(ply_head) - 11, ply_head);
    EXPECT(2, "the file is cut off: its head has no end", "info", write_text("head.ply", text), "--import-timeout",
           "5s");
    EXPECT(2, "the file is cut off: its head has no end", "info", write_text("binary_head.ply", "ply\r\nformat binary"),
           "--import-timeout", "5s");
    EXPECT(2, "Invalid .ply file", "info", write_text("no.ply", "plywood\n"));
}

/* A cube of which the importer takes as many faces as there are, and says nothing. */
static void a_dxf_says_where_it_ends(void **state) {
    (void)state;
    static const char text[] = "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n8\nEOF\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n0\n"
                               "12\n0\n22\n1\n32\n0\n13\n0\n23\n1\n33\n0\n0\nENDSEC\n  0\nEOF\n";
    EXPECT(0, NULL, "info", write_text("whole.dxf", text));
    char behind[sizeof text + 8];
    snprintf(behind, sizeof behind, "%s\x1a\n", text);
    EXPECT(0, NULL, "info", write_text("behind.dxf", behind));
    for (size_t size = sizeof text - 3; size > sizeof text - 40; size--)
        EXPECT(2, "the file is cut off: EOF is missing", "info", write_bytes("cut.dxf", text, size));
}

/* Of a triangle that is cut within its last line the importer makes one, of an earlier cut none. */
static void an_smd_has_the_ends_of_its_sections(void **state) {
    (void)state;
    static const char text[] = "version 1\nnodes\n0 \"root\" -1\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\nend\ntriangles\n"
                               "end.bmp\n0 0 0 0 0 0 1 0 0\n0 1 0 0 0 0 1 1 0\n0 0 1 0 0 0 1 0 1\n"
                               "end.bmp\n0 0 0 1 0 0 1 0 0\n0 1 0 1 0 0 1 1 0\n0 0 1 1 0 0 1 0 1\nend\n";
    EXPECT(0, NULL, "info", write_text("whole.smd", text));
    EXPECT(0, NULL, "info", write_bytes("unended.smd", text, sizeof text - 2));
    for (size_t size = sizeof text - 3; size > sizeof text - 40; size--)
        EXPECT(2, "the file is cut off: a section of it has no end", "info", write_bytes("cut.smd", text, size));
}

static void a_collada_with_skew_is_refused_by_name(void **state) {
    (void)state;
#define COLLADA(node)                                                                                                  \
    "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>"              \
    "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='9'>0 0 0 1 0 0 0 1 0"        \
    "</float_array><technique_common><accessor source='#a' count='3' stride='3'><param name='X' type='float'/>"        \
    "<param name='Y' type='float'/><param name='Z' type='float'/></accessor></technique_common></source>"              \
    "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='1'>"                        \
    "<input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>" \
    "<library_visual_scenes><visual_scene id='s'><node id='n'>" node "<instance_geometry url='#g'/></node>"            \
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>"
    EXPECT(0, NULL, "info", write_text("plain.dae", COLLADA("<!-- <skew>45 0 1 0 1 0 0</skew> -->")));
    EXPECT(2, "skewed.dae: cannot be read: a node of it is skewed (<skew>)", "info",
           write_text("skewed.dae", COLLADA("<skew>45 0 1 0 1 0 0</skew>")));
}

/* The importer turns as if the axis were of length 1, and takes other points for those that are not there. */
static void what_collada_does_not_mean_is_refused_by_name(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *why;
    } files[] = {
        {"axis.dae", COLLADA("<rotate>0 0 2 90</rotate>"), "about an axis that is not of length 1"},
        {"rows.dae", COLLADA("<matrix>1 0 0 0 0 1 0 0 0 0 1 0 3 0 0 1</matrix>"), "the last row of a matrix is not"},
        {"unit.dae", COLLADA("<rotate>0.7071 0.7071 0 90</rotate>"), NULL},
        {"none.dae", COLLADA("<rotate>0 0 0 0</rotate>"), NULL},
        {"place.dae", COLLADA("<matrix>1 0 0 3 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"), NULL},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        EXPECT(files[i].why ? 2 : 0, files[i].why, "info", write_text(files[i].name, files[i].text));
    char text[2000];
    snprintf(text, sizeof text, "%s", COLLADA(""));
    memcpy(strstr(text, "<p>0 1 2</p>"), "<p>0 1 -2</p", 12);
    char *corner = strstr(text, "-2</p");
    memmove(corner + 6, corner + 5, strlen(corner + 5) + 1);
    corner[5] = '>';
    EXPECT(2, "a face of it has a point that does not exist", "info", write_text("below.dae", text));
}

/* Of points without a name for a coordinate the importer takes x for it. */
static void coordinates_of_a_collada_have_names(void **state) {
    (void)state;
    static const char *const names[] = {"XYW", "xyz", "ABC", "XY_", "___", "STP"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s", COLLADA(""));
        for (int k = 0; k < 3; k++) {
            char word[20];
            snprintf(word, sizeof word, "name='%c'", "XYZ"[k]);
            char *at = strstr(text, word);
            assert_non_null(at);
            at[6] = names[i][k];
            if (names[i][k] == '_') memset(at, ' ', 8);
        }
        EXPECT(2, "the numbers of its points are not named X, Y and Z", "info", write_text("names.dae", text));
    }
}

static void a_face_of_an_off_has_points_that_are_there(void **state) {
    (void)state;
    static const char *const wrong[] = {"3 -1 2 1", "3 0 2 4", "3 0 2 99", "3 0.5 2 1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n%s\n3 0 1 3 255 0 0\n", wrong[i]);
        EXPECT(2, "a face of it has a point that does not exist", "info", write_text("points.off", text));
    }
    EXPECT(0, NULL, "info", write_text("points.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 2 1 255 0 0\n"));
}

/* The importer takes 0 for it: a body would be a plate. */
static void a_point_of_a_ply_has_three_coordinates(void **state) {
    (void)state;
    EXPECT(2, "its points lack an x, a y or a z", "info",
           write_text("flat.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                                  "property float h\nelement face 1\nproperty list uchar int vertex_indices\n"
                                  "end_header\n0 0 0\n1 0 0\n0 1 5\n3 0 1 2\n"));
}

/* 0: refused; 1: missing, and so 2 without --incomplete ok; 2: a warning; 3: nothing shows it. */
static void an_obj_shows_some_cuts(void **state) {
    (void)state;
    static const struct {
        const char *end;
        int told;
    } cases[] = {
        {"f 1 2", 0},
        {"f", 0},
        {"f 1/1 2/2 3", 0},
        {"f 1//1 2//2 3//", 0},
        {"f 1/1/1 2/2/2 3/3", 0},
        {"v 1 2", 0},
        {"v 1 2 3e-", 0},
        {"v 1 2 3\n", 1},
        {"v 1 2 3\nvn 0 0 1\n# ab", 1},
        {"v 1 2 3\nv 1 2 3", 1},
        {"f 1 2 4", 2},
        {"f 1/ 2/ 4/", 2},
        {"f 1/1/1 2/2/2 4/4/4", 2},
        {"v 1 2 3\nf 1 2 5", 2},
        {"f 1 2 4\r\n", 3},
        {"f 1 2 4\n  ", 3},
        {"f 1 2 4\n# End of File", 3},
        {"f 1 2 \\\n4", 3},
        {"v 1 2 3\nl 1 5\n", 3},
        {"v 1 2 3\nf 1 2 5\ng", 3},
    };
    const char *format = "Wavefront Object Importer";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n%s", cases[i].end);
        const char *path = write_text("end.obj", text), *doubted = whole_doubt(path, format);
        const bool warns = doubted && strstr(doubted, "warning: ") == doubted;
        const int told = whole_refuse(path, format) ? 0 : !doubted ? 3 : warns ? 2 : 1;
        check_that(told == cases[i].told, "'%s': %d, not %d", cases[i].end, told, cases[i].told);
    }
}

static void a_comment_in_the_head_of_an_obj_announces_its_faces(void **state) {
    (void)state;
    static const char points[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    static const struct {
        const char *head, *faces;
        bool is_whole;
    } cases[] = {
        {"####\n#\n# Vertices: 4\n# Faces: 2\n#\n####\n", "f 1 2 3\n", false},
        {"####\n#\n# Vertices: 4\n# Faces: 2\n#\n####\n", "f 1 2 3\nf 1 2 4\n", true},
        {"####\n#\n# Vertices: 4\n# Faces: 2\n#\n####\n", "f 1 2 3 4\n", true}, /* two, as one polygon */
        {"# number of vertices: 4\n# number of triangles: 3\n", "f 1 2 3\nf 1 2 4\n", false},
        {"# Faces: many\n", "f 1 2 3\n", true},
        {"", "# Faces: 9\nf 1 2 3\n", true}, /* of a piece, behind points */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s%s", cases[i].head, points, cases[i].faces);
        const char *said = whole_doubt(write_text("head.obj", text), "Wavefront Object Importer");
        check_that((said == NULL) == cases[i].is_whole, "%zu: %s", i, said ? said : "nothing");
    }
}

/* Once each, that the command asks. */
static void the_command_refuses_it(void **state) {
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, "ply\nformat ascii 1.0\n%s%s", ply_head,
             "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n");
    EXPECT(2, "cut.ply: cannot be read: the file is cut off", "check", write_text("cut.ply", text));
    obj o = {0};
    obj_box(&o, "a", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "b", 3, 0, 0, 4, 1, 1);
    const size_t size = strlen(o.text);
    char *two = copy_text(o.text);
    two[size - 1] = 0;
    EXPECT(0, "cut.obj: its last line has no end", "check", write_text("cut.obj", two));
    *strstr(two, "o b") = 0;
    strcat(two, "o b\nv 3 0 0\nv 4 0 0\n");
    const char *path = write_text("cut.obj", two);
    const char *other = obj_write(&o, "whole.obj");
    EXPECT(2, "cut.obj: 1 broken line (carom info lists them", "check", path, "--ignore", "x", other);
    run r = RUN("info", path);
    assert_non_null(strstr(r.out, "it ends with points that no face has"));
    run_free(&r);
    strcat(two, "f 1 2");
    EXPECT(2, "cut.obj: cannot be read: the file is cut off: its last line is not whole", "check",
           write_text("cut.obj", two));
    free(two);
}

/* Formats of which the importer says no more than that it could not, or that there is nothing. */
static void what_is_xml_or_packed_says_why(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"cut.dae", "<?xml version=\"1.0\"?>\n<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
                    "version='1.4.1'>\n<asset>\n"},
        {"cut.x3d", "<?xml version=\"1.0\"?>\n<X3D>\n<Scene><Shape>"},
        {"cut.amf", "<?xml version=\"1.0\"?>\n<amf unit='inch'>\n<object id='1'><mes"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        EXPECT(2, "cannot be read: its XML is damaged or cut off, line ", "info", write_text(texts[i][0], texts[i][1]));
    EXPECT(2, "cannot be read: it is no 3MF, which is a ZIP archive", "info", write_text("text.3mf", texts[0][1]));
    EXPECT(2, "cannot be read: its ZIP archive is damaged or cut off", "info",
           write_text("cut.3mf", "PK\3\4 and so on"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_xml_or_packed_says_why),
        cmocka_unit_test(a_text_ply_has_all_its_head_announces),
        cmocka_unit_test(lines_of_a_text_ply_may_hold_more),
        cmocka_unit_test(a_binary_ply_has_all_its_head_announces),
        cmocka_unit_test(an_off_has_all_its_head_announces),
        cmocka_unit_test(an_off_of_another_form_is_refused_by_name),
        cmocka_unit_test(the_head_of_a_ply_has_an_end),
        cmocka_unit_test(a_dxf_says_where_it_ends),
        cmocka_unit_test(an_smd_has_the_ends_of_its_sections),
        cmocka_unit_test(a_collada_with_skew_is_refused_by_name),
        cmocka_unit_test(what_collada_does_not_mean_is_refused_by_name),
        cmocka_unit_test(coordinates_of_a_collada_have_names),
        cmocka_unit_test(a_face_of_an_off_has_points_that_are_there),
        cmocka_unit_test(a_point_of_a_ply_has_three_coordinates),
        cmocka_unit_test(a_text_stl_says_where_it_ends),
        cmocka_unit_test(a_binary_stl_has_all_its_head_announces),
        cmocka_unit_test(an_obj_shows_some_cuts),
        cmocka_unit_test(a_comment_in_the_head_of_an_obj_announces_its_faces),
        cmocka_unit_test(the_command_refuses_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
