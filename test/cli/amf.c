/* An AMF is read whole and stands where it is placed, or what is not read of it is told. */
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

#define INSTANCE(id, place)          "<instance objectid='" id "'>" place "</instance>"
#define CONSTELLATION(id, instances) "<constellation id='" id "'>" instances "</constellation>"

/* Of the whole, in millimetres. */
static void check_bounds(const char *what, json_t *root, const double low[3], const double high[3]) {
    const json_t *bounds = json_object_get(root, "bounds");
    for (size_t k = 0; k < 3; k++) {
        const double least = json_number_value(json_array_get(json_object_get(bounds, "min"), k)) * 1e3;
        const double most = json_number_value(json_array_get(json_object_get(bounds, "max"), k)) * 1e3;
        check_that(fabs(least - low[k]) <= 1e-9 && fabs(most - high[k]) <= 1e-9,
                   "%s: axis %zu is from %.17g to %.17g, expected from %.17g to %.17g", what, k, least, most, low[k],
                   high[k]);
    }
    json_decref(root);
}

/* A cube from 0 to 1: first about x, then about y, then about z, then moved. */
static void instances_are_turned_and_moved(void **state) {
    (void)state;
    static const struct {
        const char *place;
        double low[3], high[3];
    } rows[] = {
        {"<deltax>5</deltax><rz>-0</rz>", {5, 0, 0}, {6, 1, 1}},
        {"<rz>90</rz>", {-1, 0, 0}, {0, 1, 1}},
        {"<deltax>5</deltax><rz>-270</rz>", {4, 0, 0}, {5, 1, 1}},
        {"<ry>90.0</ry>", {0, 0, -1}, {1, 1, 0}},
        {"<rx>90</rx><rz>90</rz>", {0, 0, 0}, {1, 1, 1}}, /* about z first, it would lie below 0 in x and y */
        {"<rx>180</rx><ry>90</ry><deltaz>2</deltaz>", {-1, -1, 1}, {0, 0, 2}},
        {"<rz>45</rz>", {-0.70710678118654752, 0, 0}, {0.70710678118654752, 1.4142135623730951, 1}},
        {"<rz>-405</rz>", {0, -0.70710678118654752, 0}, {1.4142135623730951, 0.70710678118654752, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char more[300];
        snprintf(more, sizeof more, CONSTELLATION("2", INSTANCE("1", "%s")), rows[i].place);
        check_bounds(rows[i].place, RUN_JSON(0, "info", write_amf("turned.amf", 1, 1, more)), rows[i].low,
                     rows[i].high);
    }
}

static void constellations_place_constellations(void **state) {
    (void)state;
    static const double low[3] = {0, -2, 0}, high[3] = {12, 12, 1};
    static const char tree[] = CONSTELLATION("b", INSTANCE("a", "<deltay>10</deltay>") INSTANCE("a", "<rz>-90</rz>"))
        CONSTELLATION("a", INSTANCE("1", "") INSTANCE("1", "<deltax>1</deltax><deltay>1</deltay>"))
            CONSTELLATION("c", INSTANCE("1", "<deltax>11</deltax>"));
    json_t *root = RUN_JSON(0, "info", write_amf("tree.amf", 1, 1, tree));
    assert_int_equal(json_array_size(json_object_get(root, "parts")), 5);
    assert_int_equal(json_array_size(json_object_get(root, "meshes")), 1);
    check_bounds("tree", root, low, high);
    EXPECT(2, "its constellation a is within itself", "info",
           write_amf("ring.amf", 1, 1, CONSTELLATION("a", INSTANCE("b", "")) CONSTELLATION("b", INSTANCE("a", ""))));
    EXPECT(2, "more than 200 deep, or one in itself", "info",
           write_amf("ring.amf", 1, 1, CONSTELLATION("a", INSTANCE("b", "")) CONSTELLATION("b", INSTANCE("b", ""))));
    static const char gone[] =
        CONSTELLATION("a", INSTANCE("1", "") INSTANCE("7", "") INSTANCE("1", "<deltax>3</deltax>"));
    const char *path = write_amf("gone.amf", 1, 1, gone);
    EXPECT(2, "gone.amf: 1 of ", "check", path);
    EXPECT(0, NULL, "check", path, "--incomplete", "ok");
    run r = RUN("info", path);
    assert_non_null(strstr(r.out, "object 7"));
    assert_non_null(strstr(r.out, "it is to be placed, and is not in the file"));
    run_free(&r);
}

/* Of each so many as the next: in all ten to the ninth. */
static void trees_that_are_too_large_are_refused(void **state) {
    (void)state;
    char more[9000] = "";
    for (int i = 0; i < 9; i++) {
        char line[100];
        snprintf(line, sizeof line, "<constellation id='c%d'>", i);
        strcat(more, line);
        for (int k = 0; k < 10; k++) {
            snprintf(line, sizeof line, i > 0 ? INSTANCE("c%d", "") : INSTANCE("1", ""), i - 1);
            strcat(more, line);
        }
        strcat(more, "</constellation>");
    }
    EXPECT(2, "it places more than 500000 objects", "info", write_amf("many.amf", 1, 1, more));
}

static void scales_of_slicers_are_refused(void **state) {
    (void)state;
#define SCALED(place) CONSTELLATION("2", INSTANCE("1", place))
    EXPECT(0, NULL, "info",
           write_amf("still.amf", 1, 1,
                     SCALED("<rz>0</rz><scalex>1.0</scalex><scaley>1</scaley><printable>1</printable>")));
    EXPECT(2, "<scalex> is not 1, which AMF does not know", "info",
           write_amf("scaled.amf", 1, 1, SCALED("<scalex>2</scalex>")));
    EXPECT(2, "may have written radians for degrees", "info",
           write_amf("scaled.amf", 1, 1, SCALED("<rz>1.570796</rz><scale>1</scale>")));
    EXPECT(2, "<skewx> is not known there", "info", write_amf("skewed.amf", 1, 1, SCALED("<skewx>0</skewx>")));
}

static void several_meshes_of_an_object_are_one_part(void **state) {
    (void)state;
    json_t *root = RUN_JSON(0, "info", write_amf("meshes.amf", 1, 2, ""));
    assert_int_equal(json_array_size(json_object_get(root, "parts")), 1);
    assert_true(number_at(json_array_get(json_object_get(root, "meshes"), 0), "triangles") == 24);
    json_decref(root);
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
    EXPECT(2, "has no triangles", "info", write_material("empty.amf", " materialid='0'", ""));
}

/* A cube in whose second volume, of material 0, nothing is: had it a body in it, that would be hollow. */
static void what_is_none_is_told(void **state) {
    (void)state;
    writer w = {0};
    add(&w, "<amf><object id='5'>");
    add_mesh(&w, 1);
    add(&w, "</object></amf>");
    char text[sizeof w.text + 200], *end = strstr(w.text, "</mesh>");
    snprintf(text, sizeof text,
             "%.*s<volume materialid='0'><triangle><v1>0</v1><v2>1</v2><v3>2</v3></triangle></volume>%s",
             (int)(end - w.text), w.text, end);
    json_t *root = RUN_JSON(0, "info", write_text("none.amf", text));
    assert_true(number_at(json_array_get(json_object_get(root, "meshes"), 0), "triangles") == 12);
    json_decref(root);
    run r = RUN("info", write_text("none.amf", text));
    assert_non_null(strstr(r.out, "object 5"));
    assert_non_null(strstr(r.out, "it has material 0, which is none: what it hollows out is read as full"));
    run_free(&r);
}

static void a_packed_one_is_read(void **state) {
    (void)state;
    writer w = {0};
    add(&w, "<amf unit='millimeter'><object id='1'>");
    add_mesh(&w, 1);
    add(&w, "</object></amf>");
    archive_writer *packing = archive_begin("2025-03-14T09:00:00Z");
    archive_add(packing, "read.me", "<amf>", 5, false);
    archive_add(packing, "of/model.AMF", w.text, w.used, false);
    size_t size;
    unsigned char *packed = archive_end(packing, &size);
    assert_non_null(packed);
    json_t *root = RUN_JSON(0, "info", write_bytes("packed.amf", packed, size));
    static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    check_bounds("packed", root, low, high);
    EXPECT(2, "its ZIP archive is damaged or cut off, or holds no .amf", "info",
           write_bytes("packed.amf", packed, size / 2));
    free(packed);
}

/* Of an edge of length 1 with a normal of 45 degrees at one end, the tangent is (1, -1) / sqrt 2, which ends
 * sqrt(2 - sqrt 2) from the end of the edge: the curve is 4/27 of that off it. Half of what is told. */
static void curved_edges_are_told(void **state) {
    (void)state;
    static const char normal[] = "<normal><nx>%d</nx><ny>%d</ny><nz>0</nz></normal>";
    static const double bound = 2 * 4.0 / 27 * 0.76536686473017954;
    writer w = {0};
    add(&w, "<amf unit='millimeter'><object id='1'>");
    add_mesh(&w, 1);
    add(&w, "</object></amf>");
    for (int curved = 0; curved < 3; curved++) {
        char text[sizeof w.text + 300], piece[300], *end = strstr(w.text, "</coordinates>") + 14;
        if (curved == 2) end = strstr(w.text, "</vertices>");
        if (curved == 2)
            snprintf(piece, sizeof piece, "%s",
                     "<edge><v1>0</v1><dx1>3</dx1><dy1>-3</dy1><dz1>0</dz1><v2>1</v2>"
                     "<dx2>1</dx2><dy2>0</dy2><dz2>0</dz2></edge>");
        else
            snprintf(piece, sizeof piece, normal, curved, curved);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(end - w.text), w.text, piece, end);
        json_t *root = RUN_JSON(0, "info", write_text("curved.amf", text));
        const double said = number_at(json_array_get(json_object_get(root, "meshes"), 0), "deviation") * 1e3;
        check_that(curved > 0 ? said >= bound * 0.999999 && said < 3 * bound : said == 0, "%d: %g off, not %g", curved,
                   said, bound);
        json_decref(root);
        run r = RUN("info", write_text("curved.amf", text));
        assert_true((strstr(r.out, "edges of it are curved") != NULL) == (curved > 0));
        run_free(&r);
    }
}

/* Elements that are not of the format may mean bodies. */
static void what_is_not_known_is_told(void **state) {
    (void)state;
    EXPECT(2, "<sphere> is not known there", "info", write_material("odd.amf", "", "<sphere/>"));
    writer w = {0};
    add(&w,
        "<amf><metadata type='cad'>x</metadata><object id='1'><lattice><v1>8</v1></lattice><color><r>1</r></color>");
    add_mesh(&w, 1);
    add(&w, "</object></amf>");
    run r = RUN("info", write_text("odd.amf", w.text));
    assert_non_null(strstr(r.out, "it has a <lattice>, which is not known"));
    assert_null(strstr(r.out, "color"));
    run_free(&r);
}

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
                                          {NAME("Arm"), NAME("Arm"), "3/Arm", "3/Arm#2"},
                                          {NAME("2"), NAME(""), "3/2", "3/2#2"}};
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

/* A number that is missing or is none, and two objects of one id. */
static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *word, *other, *said;
    } rows[] = {
        {"<z>1</z>", "", "line 6: a point lacks a number"},
        {"<x>1</x>", "<x>1,5</x>", "line 3: <x> is '1,5', which is no number"},
        {"<x>1</x>", "<x>nan</x>", "<x> is 'nan', which is no number"},
        {"<x>1</x>", "<x>0x1p3</x>", "is no number"},
        {"<x>1</x>", "<x>1e999</x>", "is no number"},
        {"<x>1</x>", "<x/>", "<x> is '', which is no number"},
        {"<x>1</x>", "<x>1</x><x>2</x>", "a second <x>"},
        {"<coordinates><x>1</x>", "<coordinates>", "a point lacks a number"},
        {"<v1>0</v1>", "<v1>0.5</v1>", "0.5 is no number of a vertex"},
        {"<v1>0</v1>", "<v1>-1</v1>", "-1 is no number of a vertex"},
        {"<v1>0</v1>", "<v1>8</v1>", "a point that does not exist"},
        {"<v1>0</v1>", "", "a triangle lacks a number"},
        {"id=\"2\"", "id='1'", "two objects have the id 1"},
        {"<amf", "<!DOCTYPE amf><amf", "it has a DTD"},
        {"<amf", "<model", "it is no AMF"},
    };
    writer w = {0};
    add(&w, "<?xml version=\"1.0\"?>\n<amf unit=\"millimeter\"><object id='1'>");
    add_mesh(&w, 1);
    add(&w, "</object><object type='model' id=\"2\">");
    add_mesh(&w, 1);
    add(&w, "</object></amf>\n");
    EXPECT(0, NULL, "info", write_text("two.amf", w.text));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[sizeof w.text + 100], *at = strstr(w.text, rows[i].word);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - w.text), w.text, rows[i].other, at + strlen(rows[i].word));
        EXPECT(2, rows[i].said, "info", write_text("odd.amf", text));
    }
}

/* The time grows with the number of triangles: a reader that looks at all of them for each point takes minutes. */
static void a_large_mesh_is_soon_read(void **state) {
    (void)state;
    enum { SIDE = 300, MOST = 140 * SIDE * SIDE };
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
    EXPECT(0, NULL, "info", write_text("large.amf", text), "--import-timeout", "8s");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_volumes_of_a_mesh_are_read),
        cmocka_unit_test(instances_are_turned_and_moved),
        cmocka_unit_test(constellations_place_constellations),
        cmocka_unit_test(trees_that_are_too_large_are_refused),
        cmocka_unit_test(scales_of_slicers_are_refused),
        cmocka_unit_test(several_meshes_of_an_object_are_one_part),
        cmocka_unit_test(a_material_that_is_not_in_the_file_does_no_harm),
        cmocka_unit_test(a_material_without_a_color_does_no_harm),
        cmocka_unit_test(what_is_none_is_told),
        cmocka_unit_test(a_packed_one_is_read),
        cmocka_unit_test(curved_edges_are_told),
        cmocka_unit_test(what_is_not_known_is_told),
        cmocka_unit_test(an_object_has_its_name),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(a_large_mesh_is_soon_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
