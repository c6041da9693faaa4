/* An AMF is read whole, or refused: the importer takes one volume of a mesh, and angles for lengths. */
#include "cli/command.h"
#include "common/archive.h"

static const int corners[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

typedef struct writer {
    char text[8000];
    size_t used;
} writer;

static void add(writer *w, const char *text) {
    w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, "%s", text);
}

/* A cube of a millimetre whose triangles are in so many volumes, as slicers write those of several materials. */
static void add_mesh(writer *w, int volumes) {
    char line[200];
    add(w, "<mesh><vertices>");
    for (int i = 0; i < 8; i++) {
        snprintf(line, sizeof line, "<vertex><coordinates><x>%d</x><y>%d</y><z>%d</z></coordinates></vertex>\n", i & 1,
                 i >> 1 & 1, i >> 2);
        add(w, line);
    }
    add(w, "</vertices>");
    for (int i = 0; i < 12; i++) {
        if (i * volumes % 12 == 0) add(w, i > 0 ? "</volume>\n<volume materialid='2'>" : "<volume>");
        snprintf(line, sizeof line, "<triangle><v1>%d</v1><v2>%d</v2><v3>%d</v3></triangle>", corners[i][0],
                 corners[i][1], corners[i][2]);
        add(w, line);
    }
    add(w, "</volume></mesh>");
}

/* The first volume as the text has it. */
static const char *write_material(const char *name, const char *attribute, const char *materials) {
    writer w = {0};
    add(&w, "<?xml version=\"1.0\"?>\n<amf unit=\"millimeter\"><object id=\"1\">");
    add_mesh(&w, 1);
    add(&w, "</object>");
    add(&w, materials);
    add(&w, "</amf>\n");
    char *volume = strstr(w.text, "<volume>") + 7;
    char text[sizeof w.text + 40];
    snprintf(text, sizeof text, "%.*s%s%s", (int)(volume - w.text), w.text, attribute, volume);
    return write_text(name, text);
}

static const char *write_amf(const char *name, int volumes, int meshes, const char *more) {
    writer w = {0};
    add(&w, "<?xml version=\"1.0\"?>\n<amf unit=\"millimeter\"><object id=\"1\">");
    for (int i = 0; i < meshes; i++) add_mesh(&w, volumes);
    add(&w, "</object>");
    add(&w, more);
    add(&w, "</amf>\n");
    return write_text(name, w.text);
}

static void all_volumes_of_a_mesh_are_read(void **state) {
    (void)state;
    static const int volumes[] = {1, 2, 3, 12};
    for (size_t i = 0; i < sizeof volumes / sizeof volumes[0]; i++) {
        json_t *root = RUN_JSON(0, "info", write_amf("volumes.amf", volumes[i], 1, ""));
        const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
        check_that(number_at(mesh, "triangles") == 12 && json_is_true(json_object_get(mesh, "solid")),
                   "%d volumes: %g triangles", volumes[i], number_at(mesh, "triangles"));
        json_decref(root);
    }
}

static void instances_that_are_turned_are_refused(void **state) {
    (void)state;
#define INSTANCE(angle)                                                                                                \
    "<constellation id='2'><instance objectid='1'><deltax>5</deltax><deltay>0</deltay>" angle                          \
    "</instance></constellation>"
    EXPECT(0, NULL, "info", write_amf("moved.amf", 2, 1, INSTANCE("")));
    EXPECT(0, NULL, "info", write_amf("still.amf", 1, 1, INSTANCE("<rx>0</rx><ry>0.0</ry><rz>-0</rz>")));
    EXPECT(2, "its instances are turned, which is not read: export it as 3MF, or as STL", "info",
           write_amf("turned.amf", 1, 1, INSTANCE("<rz>90</rz>")));
    EXPECT(2, "its instances are turned", "check", write_amf("turned.amf", 2, 1, INSTANCE("<rx>1e-3</rx>")));
}

static void several_meshes_of_an_object_are_refused(void **state) {
    (void)state;
    EXPECT(2, "an object has several meshes", "info", write_amf("meshes.amf", 1, 2, ""));
}

static void a_material_that_is_not_in_the_file_does_no_harm(void **state) {
    (void)state;
    static const char *const ids[] = {" materialid='2'", " materialid='5'", " materialid='10'", " materialid=''"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        json_t *root = RUN_JSON(0, "info",
                                write_material("material.amf", ids[i],
                                               "<material id='2'><color><r>1</r><g>0</g><b>0</b></color></material>"));
        const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
        check_that(number_at(mesh, "triangles") == 12 && json_is_true(json_object_get(mesh, "solid")),
                   "%zu: %g triangles", i, number_at(mesh, "triangles"));
        json_decref(root);
    }
    EXPECT(2, "a volume has material 0, which is none: it is empty", "info",
           write_material("empty.amf", " materialid='0'", ""));
}

static void a_packed_one_is_named(void **state) {
    (void)state;
    static const char text[] = "<amf></amf>";
    archive_writer *packing = archive_begin("2025-03-14T09:00:00Z");
    archive_add(packing, "model.amf", text, sizeof text - 1, false);
    size_t size;
    unsigned char *packed = archive_end(packing, &size);
    assert_non_null(packed);
    EXPECT(2, "it is packed, which is not read of an AMF: unpack it first", "info",
           write_bytes("packed.amf", packed, size));
    free(packed);
}

/* Assimp 5.2 crashed on it. */
static void a_material_without_a_color_does_no_harm(void **state) {
    (void)state;
    static const char *const materials[] = {"<material id='1'/>",
                                            "<material id='1'><metadata type='name'>x</metadata></material>",
                                            "<material id='1'><color><r>1</r><g>0</g><b>0</b></color></material>"};
    for (size_t i = 0; i < sizeof materials / sizeof materials[0]; i++) {
        json_t *root = RUN_JSON(0, "info", write_material("plain.amf", " materialid='1'", materials[i]));
        const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
        check_that(number_at(mesh, "triangles") == 12, "%s: %g triangles", materials[i], number_at(mesh, "triangles"));
        json_decref(root);
    }
}

/* `name` stands in the object 1, `other` in a second one, of a constellation that moves it. */
static const char *write_named(const char *name, const char *other) {
    writer w = {0};
    add(&w, "<?xml version=\"1.0\"?>\n<amf unit=\"millimeter\"><metadata type='name'>all</metadata><object id=\"1\">");
    add(&w, name);
    add_mesh(&w, 1);
    add(&w, "</object><object id=\"2\">");
    add(&w, other);
    add_mesh(&w, 1);
    add(&w, "</object><constellation id='3'><instance objectid='1'><deltax>0</deltax></instance><instance objectid='2'>"
            "<deltax>5</deltax></instance></constellation></amf>\n");
    return write_text("named.amf", w.text);
}

static void an_object_has_its_name(void **state) {
    (void)state;
#define NAME(text) "<metadata type='author'>A. Meyer</metadata><metadata type='name'>" text "</metadata>"
    static const char *const rows[][4] = {{NAME("Arm &amp; leg"), "", "3/Arm & leg", "3/2"},
                                          {NAME("Arm"), NAME("Leg"), "3/Arm", "3/Leg"},
                                          {NAME("Arm"), NAME("Arm"), "3/Arm", "3/Arm 2"},
                                          {NAME("2"), NAME(""), "3/2 1", "3/2"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *root = RUN_JSON(0, "info", write_named(rows[i][0], rows[i][1]));
        for (size_t k = 0; k < 2; k++) {
            const char *said = text_at(json_array_get(json_object_get(root, "parts"), k), "name");
            if (!said || strcmp(said, rows[i][2 + k]) != 0)
                fail_msg("'%s', not '%s'", said ? said : "none", rows[i][2 + k]);
        }
        json_decref(root);
    }
}

/* For a coordinate that is missing the importer takes 0, of 1,5 it takes 1, and of objects of one id it takes one. */
static void what_is_read_as_something_else_is_refused(void **state) {
    (void)state;
    writer w = {0};
    add(&w, "<?xml version=\"1.0\"?>\n<amf unit=\"millimeter\"><object id='1'>");
    add_mesh(&w, 1);
    add(&w, "</object><object type='model' id=\"2\">");
    add_mesh(&w, 1);
    add(&w, "</object></amf>\n");
    EXPECT(0, NULL, "info", write_text("two.amf", w.text));
    writer twice = w;
    *strstr(twice.text, "\"2\"") = '\'', memcpy(strstr(twice.text, "id='2") + 4, "1'", 2);
    EXPECT(2, "two objects have one id", "info", write_text("twice.amf", twice.text));
    writer flat = w;
    memcpy(strstr(flat.text, "<z>1</z>"), "<w>1</w>", 8);
    EXPECT(2, "a point of it lacks an x, a y or a z", "info", write_text("flat.amf", flat.text));
    char *comma = strstr(w.text, "<x>1</x>") + 4;
    memmove(comma + 2, comma, strlen(comma) + 1);
    memcpy(comma, ",5", 2);
    EXPECT(2, "or has a comma in one", "info", write_text("comma.amf", w.text));
}

/* For each point the importer looks at all triangles of its mesh. */
static void a_large_mesh_says_why_it_takes_long(void **state) {
    (void)state;
    enum { SIDE = 120, MOST = 130 * SIDE * SIDE * 2 };
    char *text = malloc(MOST), *at = text;
    assert_non_null(text);
    at += sprintf(at, "<?xml version=\"1.0\"?>\n<amf unit=\"millimeter\"><object id=\"1\"><mesh><vertices>");
    for (int i = 0; i < SIDE * SIDE; i++)
        at += sprintf(at, "<vertex><coordinates><x>%d</x><y>%d</y><z>0</z></coordinates></vertex>", i % SIDE, i / SIDE);
    at += sprintf(at, "</vertices><volume>");
    for (int i = 0; i < SIDE * (SIDE - 1); i++)
        if (i % SIDE < SIDE - 1)
            at += sprintf(at, "<triangle><v1>%d</v1><v2>%d</v2><v3>%d</v3></triangle>", i, i + 1, i + SIDE);
    sprintf(at, "</volume></mesh></object></amf>\n");
    EXPECT(2, "takes longer than 0.2 s (--import-timeout raises the limit; Assimp takes four times as long", "info",
           write_text("large.amf", text), "--import-timeout", "0.2s");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_volumes_of_a_mesh_are_read),
        cmocka_unit_test(instances_that_are_turned_are_refused),
        cmocka_unit_test(several_meshes_of_an_object_are_refused),
        cmocka_unit_test(a_material_that_is_not_in_the_file_does_no_harm),
        cmocka_unit_test(a_packed_one_is_named),
        cmocka_unit_test(a_material_without_a_color_does_no_harm),
        cmocka_unit_test(an_object_has_its_name),
        cmocka_unit_test(what_is_read_as_something_else_is_refused),
        cmocka_unit_test(a_large_mesh_says_why_it_takes_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
