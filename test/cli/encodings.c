/* Models and lists in the encodings that programs write them in give the answer of the same text in UTF-8. */
#include "cli/shapes.h"

#include "common/archive.h"
#include "common/encoding.h"
#include "common/text.h"

/* --- the same text in another encoding ------------------------------------------------------------------------- */

typedef struct form {
    const char *name;
    unsigned unit; /* bytes; 0: UTF-8 with a mark */
    bool big, marked;
} form;
static const form forms[] = {
    {"utf8", 0, false, true},      {"utf16le", 2, false, true},   {"utf16be", 2, true, true},
    {"utf16len", 2, false, false}, {"utf16ben", 2, true, false},  {"utf32le", 4, false, true},
    {"utf32be", 4, true, true},    {"utf32len", 4, false, false}, {"utf32ben", 4, true, false},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static void put_unit(unsigned char *out, size_t *used, const form *f, uint32_t value) {
    for (unsigned i = 0; i < f->unit; i++)
        out[(*used)++] = (unsigned char)(value >> 8 * (f->big ? f->unit - 1 - i : i));
}

/* The code point at `*at` of a text in UTF-8 that is right. */
static uint32_t code_point(const char **at) {
    const unsigned char *c = (const unsigned char *)*at;
    const unsigned more = *c < 0x80 ? 0 : *c < 0xe0 ? 1 : *c < 0xf0 ? 2 : 3;
    uint32_t value = more == 0 ? *c : *c & (0x3fu >> more);
    for (unsigned i = 1; i <= more; i++) value = value << 6 | (c[i] & 0x3f);
    *at += more + 1;
    return value;
}

static unsigned char *encode(const char *text, const form *f, size_t *size) {
    unsigned char *out = allocate(4 * strlen(text) + 8, 1);
    *size = 0;
    if (f->unit == 0) {
        memcpy(out, "\xef\xbb\xbf", 3);
        memcpy(out + 3, text, strlen(text));
        *size = strlen(text) + 3;
        return out;
    }
    if (f->marked) put_unit(out, size, f, 0xfeff);
    while (*text) {
        const uint32_t c = code_point(&text);
        if (f->unit == 2 && c > 0xffff) {
            put_unit(out, size, f, 0xd800 + ((c - 0x10000) >> 10));
            put_unit(out, size, f, 0xdc00 + ((c - 0x10000) & 0x3ff));
        } else {
            put_unit(out, size, f, c);
        }
    }
    return out;
}

static const char *write_encoded(const char *suffix, const char *text, const form *f) {
    char name[64];
    size_t size;
    unsigned char *bytes = encode(text, f, &size);
    snprintf(name, sizeof name, "%s.%s", f->name, suffix);
    const char *path = write_bytes(name, bytes, size);
    free(bytes);
    return path;
}

/* --- the conversion ---------------------------------------------------------------------------------------------- */

#define LETTERS                                                                                                        \
    "ab\r\n b\xc3\xa4r \xe2\x82\xac \xe6\xa2\x81 \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbd" /* 1 to 4 bytes each               \
                                                                                     */

static void wide_text_becomes_utf8(void **state) {
    (void)state;
    for (size_t i = 0; i < FORMS; i++) {
        size_t size, narrow_size = 0;
        unsigned char *bytes = encode(LETTERS, &forms[i], &size);
        char *narrow = utf8_of_wide((const char *)bytes, size, &narrow_size);
        if (forms[i].unit == 0) {
            assert_null(narrow);
        } else {
            check_that(narrow && strcmp(narrow, LETTERS) == 0 && narrow_size == strlen(LETTERS), "%s: '%s'",
                       forms[i].name, narrow ? narrow : "none");
        }
        free(narrow);
        free(bytes);
    }
}

/* Half a pair, the second half alone, a byte left over; of UTF-32 what is beyond Unicode. */
static void what_is_no_character_is_replaced(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *want;
    } cases[] = {
        {"\xff\xfe"
         "a\0"
         "\0\xd8"
         "b\0",
         8,
         "a\xef\xbf\xbd"
         "b"},
        {"\xff\xfe"
         "a\0"
         "\0\xdc"
         "b\0",
         8,
         "a\xef\xbf\xbd"
         "b"},
        {"\xff\xfe"
         "a\0"
         "\0\xd8",
         6, "a\xef\xbf\xbd"},
        {"\xff\xfe"
         "a\0"
         "b",
         5, "a\xef\xbf\xbd"},
        {"\xfe\xff"
         "\0a"
         "\xd8\0"
         "\xd8\0"
         "\xdc\0",
         10, "a\xef\xbf\xbd\xf0\x90\x80\x80"},
        {"\0\0\xfe\xff"
         "\0\0\0a"
         "\0\x11\0\0",
         12, "a\xef\xbf\xbd"},
        {"\0\0\xfe\xff"
         "\0\0\0a"
         "\0\0\xd8\0"
         "\xff\xff\xff\xff",
         16, "a\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xff\xfe", 2, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size = 99;
        char *narrow = utf8_of_wide(cases[i].bytes, cases[i].size, &size);
        check_that(narrow && strcmp(narrow, cases[i].want) == 0 && size == strlen(cases[i].want), "case %zu: '%s'", i,
                   narrow ? narrow : "none");
        free(narrow);
    }
}

static void what_is_no_wide_text_is_left(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {
        {"", 0},
        {"\xff", 1},
        {"solid box", 9},
        {"a\0b\0c\0", 6}, /* too short to tell, without a mark */
        {"\xff\xfe"
         "a\0b\0\0\0c\0",
         10},                                    /* a zero character */
        {"s\0o\0l\0i\0d\0\0\0\x0c\0\0\0", 16},   /* a name in the head of a binary file */
        {"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", 8}, /* letters of UTF-8 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size;
        char *narrow = utf8_of_wide(cases[i].bytes, cases[i].size, &size);
        check_that(!narrow, "case %zu was taken for text: '%s'", i, narrow ? narrow : "");
        free(narrow);
    }
}

/* --- models -------------------------------------------------------------------------------------------------------- */

/* Two boxes of 1 x 1 x 1 inch, the second 0.75 inch along x: a crossing of 0.25 inch, 6.35 mm. */
static void add_geometry(text_buffer *text, int box) {
    static const int corners[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                                       {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
    text_add(text, "<geometry id='g%d'><mesh><source id='p%d'><float_array id='a%d' count='24'>", box, box, box);
    for (int i = 0; i < 8; i++) text_add(text, "%g %d %d ", 0.75 * box + (i >> 2 & 1), i >> 1 & 1, i & 1);
    text_add(text,
             "</float_array><technique_common><accessor source='#a%d' count='8' stride='3'>"
             "<param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/></accessor>"
             "</technique_common></source><vertices id='v%d'><input semantic='POSITION' source='#p%d'/></vertices>"
             "<triangles count='12'><input semantic='VERTEX' source='#v%d' offset='0'/><p>",
             box, box, box, box);
    for (int i = 0; i < 12; i++) text_add(text, "%d %d %d ", corners[i][0], corners[i][1], corners[i][2]);
    text_add(text, "</p></triangles></mesh></geometry>\r\n");
}

/* Collada, z up, in inches, with Windows' line ends. */
static char *two_boxes(const char *encoding) {
    text_buffer text = {0};
    text_add(&text,
             "<?xml version=\"1.0\" encoding=\"%s\"?>\r\n"
             "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>\r\n"
             "<asset><unit name='inch' meter='0.0254'/><up_axis>Z_UP</up_axis></asset>\r\n<library_geometries>\r\n",
             encoding);
    add_geometry(&text, 0);
    add_geometry(&text, 1);
    text_add(&text, "</library_geometries><library_visual_scenes><visual_scene id='s'>\r\n");
    for (int box = 0; box < 2; box++)
        text_add(&text, "<node id='n%d' name='b\xc3\xa4r%d'><instance_geometry url='#g%d'/></node>\r\n", box, box, box);
    text_add(&text, "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene>\r\n"
                    "</COLLADA>\r\n");
    return text.bytes;
}

static void expect_boxes(const char *path) {
    json_t *root = RUN_JSON(1, "check", path);
    const json_t *found = json_array_get(json_object_get(root, "findings"), 0);
    const json_t *parts = json_object_get(root, "parts");
    assert_int_equal(json_array_size(parts), 2);
    assert_string_equal(text_at(json_array_get(parts, 0), "name"), "b\xc3\xa4r0");
    assert_string_equal(text_at(json_array_get(parts, 1), "name"), "b\xc3\xa4r1");
    check_that(found && fabs(number_at(found, "distance") + 0.00635) < 1e-8, "%s: distance %.9g", path,
               number_at(found, "distance"));
    json_decref(root);
}

static void collada_is_read_in_every_form_of_unicode(void **state) {
    (void)state;
    for (size_t i = 0; i < FORMS; i++) {
        const unsigned unit = forms[i].unit;
        char *text = two_boxes(unit == 0 ? "utf-8" : unit == 2 ? "UTF-16" : "UTF-32");
        expect_boxes(write_encoded("dae", text, &forms[i]));
        free(text);
    }
}

/* A letter beyond ASCII is a byte there. */
static void xml_says_its_encoding(void **state) {
    (void)state;
    static const char *const names[] = {"ISO-8859-1", "windows-1252", "iso-8859-15"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = two_boxes(names[i]);
        for (char *at = text; (at = strstr(at, "\xc3\xa4")) != NULL;) {
            *at = '\xe4';
            memmove(at + 1, at + 2, strlen(at + 2) + 1);
        }
        expect_boxes(write_text("latin.dae", text));
        free(text);
    }
    /* What is not known, or is not what the file says, is taken for UTF-8. */
    static const char *const wrong[] = {"x-unknown", "UTF-16", "IBM037", "", "../../../etc/passwd"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *text = two_boxes(wrong[i]);
        expect_boxes(write_text("wrong.dae", text));
        free(text);
    }
}

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char ply_head[] = "ply\nformat %s 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty "
                               "float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n";
static const char off[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

/* One part of four triangles and a closed surface, which none that was passed over leaves. */
static void expect_tetrahedron(const char *path) {
    json_t *root = RUN_JSON(0, "info", path);
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
    check_that(number_at(mesh, "triangles") == 4 && json_is_true(json_object_get(mesh, "closed")), "%s", path);
    json_decref(root);
}

/* Of the tetrahedron; free() the bytes. */
static text_buffer text_ply(void) {
    text_buffer ply = {0};
    text_add(&ply, ply_head, "ascii"); // NOLINT: the format is the constant above
    text_add(&ply, "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
    return ply;
}
static text_buffer text_stl(void) {
    static const char points[4][6] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    text_buffer stl = {0};
    text_add(&stl, "solid b\xc3\xa4r\n");
    for (int i = 0; i < 4; i++)
        text_add(&stl, "facet normal 0 0 0\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\nendfacet\n",
                 points[faces[i][0]], points[faces[i][1]], points[faces[i][2]]);
    text_add(&stl, "endsolid b\xc3\xa4r\n");
    return stl;
}

static void other_texts_are_read_in_every_form_of_unicode(void **state) {
    (void)state;
    text_buffer ply = text_ply(), stl = text_stl();
    for (size_t i = 0; i < FORMS; i++) {
        expect_tetrahedron(write_encoded("obj", tetrahedron, &forms[i]));
        expect_tetrahedron(write_encoded("ply", ply.bytes, &forms[i]));
        expect_tetrahedron(write_encoded("off", off, &forms[i]));
        expect_tetrahedron(write_encoded("stl", stl.bytes, &forms[i]));
    }
    free(ply.bytes);
    free(stl.bytes);
}

/* Their standards say ASCII or UTF-8. That is said before a reader is looked for, which may not be there. */
static void formats_that_are_no_wide_text_are_refused_as_such(void **state) {
    (void)state;
    static const struct {
        const char *suffix, *text, *format;
    } files[] = {
        {"ifc", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\n", "IFC"},
        {"step", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\nENDSEC;\n", "STEP"},
        {"none", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\n", "IFC"},
        {"igs", "1H,,1H;,4HPART,\n", "IGES"},
        {"brep", "\nCASCADE Topology V1, (c) Matra-Datavision\nLocations 0\n", "BREP"},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (size_t i = 0; i < FORMS; i++) {
            char said[80];
            if (forms[i].unit == 0) continue;
            snprintf(said, sizeof said, ": %s is text in ASCII or UTF-8, and this is UTF-16 or UTF-32",
                     files[k].format);
            EXPECT(2, said, "check", write_encoded(files[k].suffix, files[k].text, &forms[i]));
        }
}

/* Binary files whose beginning looks like a mark, or like UTF-16. */
static void binary_files_are_left(void **state) {
    (void)state;
    static const char *const heads[] = {"\xef\xbb\xbf"
                                        "box",
                                        "\xff\xfe"
                                        "b",
                                        "\xfe\xff", "b\0o\0x\0e\0s\0"};
    static const size_t lengths[] = {6, 3, 2, 10};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const char *path = stl_box_write("box.stl", true, 0, 0, 0, 1, 1, 1);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fwrite(heads[i], 1, lengths[i], file);
        fclose(file);
        json_t *root = RUN_JSON(0, "info", path);
        assert_int_equal(number_at(json_array_get(json_object_get(root, "meshes"), 0), "triangles"), 12);
        json_decref(root);
    }
    text_buffer ply = {0};
    text_add(&ply, "\xef\xbb\xbf");
    text_add(&ply, ply_head, "binary_little_endian"); // NOLINT
    static const float points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    unsigned char bytes[1024];
    size_t used = ply.used;
    memcpy(bytes, ply.bytes, used);
    memcpy(bytes + used, points, sizeof points);
    used += sizeof points;
    for (int i = 0; i < 4; i++) {
        bytes[used++] = 3;
        memcpy(bytes + used, faces[i], sizeof faces[i]);
        used += sizeof faces[i];
    }
    free(ply.bytes);
    expect_tetrahedron(write_bytes("marked.ply", bytes, used));
}

static void end_lines_in_returns(char *text) {
    for (; (text = strchr(text, '\n')) != NULL;) *text = '\r';
}

/* As programs of old Macs write: nothing of it is missing. */
static void lines_may_end_in_returns_alone(void **state) {
    (void)state;
    char text[sizeof off];
    memcpy(text, off, sizeof off);
    end_lines_in_returns(text);
    expect_tetrahedron(write_text("returns.off", text));
    *strrchr(text, '3') = 0;
    EXPECT(2, "the file is cut off: its head announces more", "info", write_text("returns_cut.off", text));
    text_buffer stl = text_stl(), ply = text_ply();
    char object[sizeof tetrahedron];
    memcpy(object, tetrahedron, sizeof tetrahedron);
    end_lines_in_returns(object), end_lines_in_returns(stl.bytes), end_lines_in_returns(ply.bytes);
    expect_tetrahedron(write_text("returns.obj", object));
    expect_tetrahedron(write_text("returns.stl", stl.bytes));
    expect_tetrahedron(write_text("returns.ply", ply.bytes));
    *strrchr(object, ' ') = 0;
    EXPECT(2, "the file is cut off: its last line is not whole", "info", write_text("returns_cut.obj", object));
    *strrchr(ply.bytes, '3') = 0;
    EXPECT(2, "the file is cut off", "info", write_text("returns_cut.ply", ply.bytes));
    EXPECT(2, "the lines of its head end with carriage returns alone", "info",
           write_bytes("returns_binary.ply", "ply\rformat binary_little_endian 1.0\rend_header\r\0\0\n", 51));
    free(stl.bytes), free(ply.bytes);
}

/* Also where its name does not say what it is, and where its first line names an encoding. */
static void a_robot_is_read_in_every_form_of_unicode(void **state) {
    (void)state;
    static const char robot[] = "<?xml version='1.0' encoding='%s'?>\r\n<robot name='b\xc3\xa4r'><link "
                                "name='\xe2\x82\xac'><collision><geometry>"
                                "<sphere radius='1'/></geometry></collision></link><link "
                                "name='\xf0\x9f\x98\x80'><collision><origin xyz='1 0 0'/>"
                                "<geometry><sphere radius='1'/></geometry></collision></link><joint name='j' "
                                "type='fixed'><parent link='\xe2\x82\xac'"
                                "/><child link='\xf0\x9f\x98\x80'/></joint></robot>";
    for (size_t i = 0; i < FORMS; i++) {
        char text[sizeof robot + 8];
        snprintf(text, sizeof text, robot, forms[i].unit == 0 ? "UTF-8" : forms[i].unit == 2 ? "UTF-16" : "UTF-32");
        const char *paths[] = {write_encoded("urdf", text, &forms[i]), write_encoded("xml", text, &forms[i])};
        for (size_t k = 0; k < 2; k++) {
            json_t *root = RUN_JSON(1, "check", paths[k], "--adjacent");
            const json_t *links = json_object_get(root, "links");
            check_that(strcmp(text_at(root, "robot"), "b\xc3\xa4r") == 0 &&
                           strcmp(text_at(json_array_get(links, 0), "name"), "\xe2\x82\xac") == 0 &&
                           strcmp(text_at(json_array_get(links, 1), "name"), "\xf0\x9f\x98\x80") == 0,
                       "%s: '%s'", forms[i].name, text_at(root, "robot"));
            json_decref(root);
        }
    }
}

/* The importer unpacks a 3MF itself, and reads nothing of it. */
static void a_3mf_in_utf16_is_read(void **state) {
    (void)state;
    size_t size, zip_size;
    unsigned char *model = encode(
        "<?xml version='1.0' encoding='UTF-16'?><model unit='inch' "
        "xmlns='http://schemas.microsoft.com/3dmanufacturing/core/2015/02'><resources><object id='5' name='b\xc3\xa4r'>"
        "<mesh><vertices><vertex x='0' y='0' z='0'/><vertex x='1' y='0' z='0'/><vertex x='0' y='1' z='0'/></vertices>"
        "<triangles><triangle v1='0' v2='1' v3='2'/></triangles></mesh></object></resources><build>"
        "<item objectid='5'/></build></model>",
        &forms[1], &size);
    archive_writer *writer = archive_begin("2025-03-14T09:00:00Z");
    static const char relations[] =
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship "
        "Target='/3D/3dmodel.model' Id='r' Type='http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel'/>"
        "</Relationships>";
    archive_add(writer, "_rels/.rels", relations, strlen(relations), false);
    archive_add(writer, "3D/3dmodel.model", model, size, false);
    unsigned char *zip = archive_end(writer, &zip_size);
    assert_non_null(zip);
    json_t *root = RUN_JSON(0, "info", write_bytes("wide.3mf", zip, zip_size));
    const json_t *part = json_array_get(json_object_get(root, "parts"), 0);
    assert_string_equal(text_at(part, "name"), "b\xc3\xa4r");
    const double wide = json_number_value(json_array_get(json_object_get(json_object_get(root, "bounds"), "max"), 0));
    check_that(fabs(wide - 0.0254) < 1e-9, "%g", wide);
    json_decref(root);
    free(zip);
    free(model);
}

/* --- lists ------------------------------------------------------------------------------------------------------- */

static void rules_and_lists_are_read_in_utf16(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "b\xc3\xa4r", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "wolf", 0.5, 0, 0, 2, 1, 1);
    const char *model = "two.obj"; /* in the folder in which the command runs */
    obj_write(&o, model);
    for (size_t i = 0; i < FORMS; i++) {
        const char *rules = write_encoded(
            "json",
            "{\"schema\": \"carom-rules-1\", \"tests\": [{\"name\": \"\xc3\xa4\", \"a\": \"b\xc3\xa4r\", \"b\": "
            "\"wolf\"}]}",
            &forms[i]);
        EXPECT(1, NULL, "check", model, "--rules", rules);
        if (forms[i].unit > 0 && !forms[i].marked) continue; /* a list has no beginning that tells */
        if (forms[i].unit == 4 && forms[i].big) continue;    /* begins with a zero */
        const char *list = write_encoded(
            "txt", "# what; reason; author; date\r\nb\xc3\xa4r:wolf; they are friends; Eva; 2025-03-14\r\n", &forms[i]);
        run r = RUN("check", model, "--approved", list);
        check_that(r.code == 0 && strstr(r.out, "they are friends"), "%s: %s%s", forms[i].name, r.out, r.err);
        run_free(&r);
    }
    const char *answer = write_encoded("txt", "# none yet\r\n", &forms[1]);
    run r = RUN("check", model, "--format", "json");
    write_text("answer.json", r.out);
    run_free(&r);
    EXPECT(0, NULL, "approve", scratch_path("answer.json"), "--approved", answer, "--reason", "b\xc3\xa4r", "--author",
           "Eva");
    EXPECT(0, NULL, "check", model, "--approved", answer); /* which was written in UTF-8 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_text_becomes_utf8),
        cmocka_unit_test(what_is_no_character_is_replaced),
        cmocka_unit_test(what_is_no_wide_text_is_left),
        cmocka_unit_test(collada_is_read_in_every_form_of_unicode),
        cmocka_unit_test(xml_says_its_encoding),
        cmocka_unit_test(other_texts_are_read_in_every_form_of_unicode),
        cmocka_unit_test(formats_that_are_no_wide_text_are_refused_as_such),
        cmocka_unit_test(binary_files_are_left),
        cmocka_unit_test(lines_may_end_in_returns_alone),
        cmocka_unit_test(a_robot_is_read_in_every_form_of_unicode),
        cmocka_unit_test(a_3mf_in_utf16_is_read),
        cmocka_unit_test(rules_and_lists_are_read_in_utf16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
