/* Whole models, as people have them: an engine, a house, a level, a robot. */
#include "cli/command.h"

#include <math.h>

static json_int_t count_of(const json_t *root, const char *key) {
    return json_integer_value(json_object_get(json_object_get(root, "counts"), key));
}

static const char *engine(void) { return test_model("glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb"); }

/* What holds of every answer. */
static void check_answer(const json_t *root) {
    const json_t *findings = json_object_get(root, "findings"), *parts = json_object_get(root, "parts");
    static const char *const order[] = {"crossing", "inside", "identical", "touching", "clearance"};
    int last = 0;
    json_int_t found = count_of(root, "allowed");
    for (int i = 0; i < 5; i++) found += count_of(root, order[i]);
    assert_int_equal(found, json_array_size(findings));
    assert_int_equal(count_of(root, "parts"), json_array_size(parts));
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *f = json_array_get(findings, i);
        json_int_t a = json_integer_value(json_object_get(f, "part_a")),
                   b = json_integer_value(json_object_get(f, "part_b"));
        assert_true(a < b && b < (json_int_t)json_array_size(parts));
        int kind = 0;
        while (!strstr(text_at(f, "relation"), order[kind])) kind++;
        assert_true(kind >= last);
        last = kind;
        double distance = json_number_value(json_object_get(f, "distance")),
               t = json_number_value(json_object_get(f, "tolerance"));
        assert_true(t > 0);
        if (kind == 0) check_that(distance <= 0, "%s reaches %g", text_at(f, "relation"), distance);
        if (kind == 3) check_that(fabs(distance) <= t, "touching at %g, tolerance %g", distance, t);
        bool surface_a = json_is_true(json_object_get(f, "surface_a")),
             surface_b = json_is_true(json_object_get(f, "surface_b"));
        assert_int_equal(surface_a, json_is_false(json_object_get(json_array_get(parts, (size_t)a), "solid")));
        assert_int_equal(surface_b, json_is_false(json_object_get(json_array_get(parts, (size_t)b), "solid")));
        if (strcmp(text_at(f, "relation"), "a_inside_b") == 0) assert_false(surface_b);
        if (strcmp(text_at(f, "relation"), "b_inside_a") == 0) assert_false(surface_a);
    }
}

static void the_engine_is_checked_whole(void **state) {
    (void)state;
    if (!engine()) skip();
    json_t *root = RUN_JSON(1, "check", engine());
    assert_int_equal(count_of(root, "parts"), 67); /* nodes with a mesh */
    assert_int_equal(count_of(root, "pairs"), 67 * 66 / 2);
    check_answer(root);
    json_decref(root);
    root = RUN_JSON(1, "check", engine(), "--part", "mesh");
    assert_int_equal(count_of(root, "parts"), 115); /* instances of its 34 meshes */
    check_answer(root);
    json_decref(root);
    root = RUN_JSON(0, "info", engine(), "--part", "mesh");
    assert_int_equal(json_array_size(json_object_get(root, "meshes")), 34);
    json_decref(root);
}

static void the_house_is_checked_whole(void **state) {
    (void)state;
    const char *house = test_model("IFC/AC14-FZK-Haus.ifc");
    if (!house || !has_ifc_reader()) skip();
    json_t *root = RUN_JSON(1, "check", house, "--clearance", "5mm");
    assert_int_equal(count_of(root, "parts"), 110); /* its 7 spaces are none */
    check_answer(root);
    json_decref(root);
    root = RUN_JSON(1, "check", house, "--ignore", "IfcFurnishingElement*");
    assert_int_equal(count_of(root, "ignored_parts"), 21);
    check_answer(root);
    const json_t *file = json_array_get(json_object_get(root, "files"), 0);
    assert_string_equal(text_at(file, "up"), "z"); /* as in the file, whatever the importer does */
    json_decref(root);
}

/* A 3DS of one tetrahedron from 0 0 0 to 1 2 3. */
static const char *write_3ds(void) {
    static const float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    static const uint16_t faces[4][4] = {{0, 2, 1, 0}, {0, 1, 3, 0}, {0, 3, 2, 0}, {1, 2, 3, 0}};
    static const struct {
        uint16_t id;
        uint32_t size; /* with what lies in it */
    } chunks[] = {{0x4d4d, 122}, {0x3d3d, 116}, {0x4000, 110}, {0x4100, 102}, {0x4110, 56}, {0x4120, 40}};
    static const uint16_t four = 4;
    char bytes[122];
    size_t used = 0;
    for (int i = 0; i < 6; i++) {
        memcpy(bytes + used, &chunks[i].id, 2), memcpy(bytes + used + 2, &chunks[i].size, 4), used += 6;
        if (i == 2) memcpy(bytes + used, "T", 2), used += 2;
        if (i < 4) continue;
        memcpy(bytes + used, &four, 2), used += 2;
        memcpy(bytes + used, i == 4 ? (const void *)points : (const void *)faces, chunks[i].size - 8);
        used += chunks[i].size - 8;
    }
    return write_bytes("tetrahedron.3ds", bytes, used);
}

/* Of formats that Assimp turns to y up. */
static void coordinates_are_those_of_the_file(void **state) {
    (void)state;
    static const char dxf[] =
        "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n8\nA\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n3\n12\n0\n"
        "22\n2\n32\n0\n13\n0\n23\n2\n33\n0\n0\nENDSEC\n0\nEOF\n";
    static const char ase[] = "*3DSMAX_ASCIIEXPORT 200\n*GEOMOBJECT {\n *NODE_NAME \"A\"\n *MESH {\n"
                              "  *MESH_NUMVERTEX 3\n  *MESH_NUMFACES 1\n  *MESH_VERTEX_LIST {\n"
                              "   *MESH_VERTEX 0 0 0 0\n   *MESH_VERTEX 1 1 0 3\n   *MESH_VERTEX 2 0 2 0\n  }\n"
                              "  *MESH_FACE_LIST {\n   *MESH_FACE 0: A: 0 B: 1 C: 2\n  }\n }\n}\n";
    const char *const files[] = {write_text("a.dxf", dxf), write_text("a.ase", ase), write_3ds()};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        json_t *root = RUN_JSON(0, "info", files[i]);
        const json_t *bounds = json_object_get(root, "bounds");
        assert_string_equal(text_at(root, "up"), "z");
        for (size_t k = 0; k < 3; k++) {
            const double low = json_number_value(json_array_get(json_object_get(bounds, "min"), k)),
                         high = json_number_value(json_array_get(json_object_get(bounds, "max"), k));
            check_that(fabs(low) < 1e-12 && fabs(high - (double)k - 1) < 1e-12, "%s: axis %g from %g to %g", files[i],
                       (double)k, low, high);
        }
        json_decref(root);
    }
}

static void a_dxf_may_state_its_unit(void **state) {
    (void)state;
    static const struct {
        const char *header;
        double unit;
        bool assumed;
    } files[] = {
        {"", 1, true},
        {"0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1015\n0\nENDSEC\n", 1, true},
        {"  0\nSECTION\n  2\nHEADER\n  9\n$INSUNITS\n 70\n     4\n  0\nENDSEC\n", 0.001, false},
        {"  0\r\nSECTION\r\n  2\r\nHEADER\r\n  9\r\n$INSUNITS\r\n 70\r\n     1\r\n  0\r\nENDSEC\r\n", 0.0254, false},
        {"0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n0\n0\nENDSEC\n", 1, true},
        {"0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n99\n0\nENDSEC\n", 1, true},
        {"0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n20\n0\nENDSEC\n", 1, true},
        {"0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n21\n0\nENDSEC\n", 1200.0 / 3937, false}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s%s", files[i].header,
                 "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n8\nA\n10\n0\n20\n0\n30\n0\n11\n1\n21\n0\n31\n3\n12\n0\n"
                 "22\n2\n32\n0\n13\n0\n23\n2\n33\n0\n0\nENDSEC\n0\nEOF\n");
        json_t *root = RUN_JSON(0, "info", write_text("unit.dxf", text));
        const json_t *file = json_array_get(json_object_get(root, "files"), 0);
        check_that(number_at(file, "unit_metres") == files[i].unit, "file %zu: %g", i, number_at(file, "unit_metres"));
        assert_int_equal(json_is_true(json_object_get(file, "unit_assumed")), files[i].assumed);
        json_decref(root);
    }
}

static void threads_do_not_change_a_byte(void **state) {
    (void)state;
    if (!engine()) skip();
    const char *const formats[] = {"table", "json"};
    for (int i = 0; i < 2; i++) {
        run one = RUN("check", engine(), "--clearance", "2m", "--threads", "1", "--format", formats[i]);
        run two = RUN("check", engine(), "--clearance", "2m", "--threads", "2", "--format", formats[i]);
        run four = RUN("check", engine(), "--clearance", "2m", "--threads", "4", "--format", formats[i]);
        assert_int_equal(one.code, 1);
        assert_string_equal(one.out, two.out);
        assert_string_equal(one.out, four.out);
        run_free(&one), run_free(&two), run_free(&four);
    }
}

static void a_level_in_one_mesh_splits_into_its_42_pieces(void **state) {
    (void)state;
    const char *level = data_path("meshes/level_recast_nav_test.obj");
    if (!level) skip();
    json_t *root = RUN_JSON(0, "info", level, "--part", "component");
    assert_int_equal(json_array_size(json_object_get(root, "parts")), 42);
    json_decref(root);
    root = RUN_JSON(0, "info", level);
    json_int_t triangles = 0, components = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(root, "meshes")); i++) {
        const json_t *mesh = json_array_get(json_object_get(root, "meshes"), i);
        triangles += json_integer_value(json_object_get(mesh, "triangles"));
        components += json_integer_value(json_object_get(mesh, "components"));
    }
    assert_int_equal(triangles, 1612);
    assert_int_equal(components, 42);
    json_decref(root);
}

static void a_robots_links_are_solid_in_metres(void **state) {
    (void)state;
    const char *found = data_path("meshes/robot_panda/link0.stl");
    if (!found) skip();
    char first[512], second[512];
    snprintf(first, sizeof first, "%s", found);
    snprintf(second, sizeof second, "%s", data_path("meshes/robot_panda/link1.stl"));
    json_t *root = RUN_JSON(0, "info", first, second, "--unit", "m");
    const json_t *meshes = json_object_get(root, "meshes");
    for (size_t i = 0; i < 2; i++) {
        const json_t *mesh = json_array_get(meshes, i);
        assert_true(json_is_true(json_object_get(mesh, "solid")));
        assert_true(json_number_value(json_object_get(mesh, "volume")) > 1e-4); /* some litres */
    }
    json_decref(root);
}

/* Formats that most people use: each is read, and its box or duck has the size it has. */
static void formats_are_read_in_their_units(void **state) {
    (void)state;
    if (!engine()) skip();
    static const struct {
        const char *file;
        double size; /* the longest side of its box, metres */
    } rows[] = {
        {"3MF/box.3mf", 0.030},
        {"AMF/test1.amf", 0.004},
        {"Collada/duck.dae", 1.654778},
        {"FBX/box.fbx", 0.529306},
        {"OFF/Cube.off", 1},
        {"PLY/cube.ply", 1},
        {"glTF2/BoxTextured-glTF/BoxTextured.gltf", 1},
        {"OBJ/box.obj", 1},
        {"STL/Spider_binary.stl", 0.008},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *root = RUN_JSON(0, "info", test_model(rows[i].file));
        const json_t *low = json_object_get(json_object_get(root, "bounds"), "min"),
                     *high = json_object_get(json_object_get(root, "bounds"), "max");
        double size = 0;
        for (size_t k = 0; k < 3; k++)
            size = fmax(size, json_number_value(json_array_get(high, k)) - json_number_value(json_array_get(low, k)));
        check_that(fabs(size - rows[i].size) <= 1e-4 * size, "%s is %.6g m, expected %.6g", rows[i].file, size,
                   rows[i].size);
        json_decref(root);
    }
}

/* A triangle with legs of 1, called `name`. */
static const char *write_collada(const char *file, const char *asset, const char *name) {
    char text[2000];
    snprintf(text, sizeof text,
             "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>%s<library_geometries>"
             "<geometry id='g' name='shape'><mesh><source id='p'><float_array id='f' count='9'>0 0 0 1 0 0 0 1 "
             "0</float_array>"
             "<technique_common><accessor source='#f' count='3' stride='3'><param name='X' type='float'/>"
             "<param name='Y' type='float'/><param name='Z' type='float'/></accessor></technique_common></source>"
             "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='1'>"
             "<input semantic='VERTEX' source='#v' offset='0'/><p>0 1 "
             "2</p></triangles></mesh></geometry></library_geometries>"
             "<library_visual_scenes><visual_scene id='s'><node id='n' name='%s'><instance_geometry "
             "url='#g'/></node>"
             "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
             asset, name);
    return write_text(file, text);
}

/* The importer makes metres of it: 10 of an inch were said to be 0.254 metres, and of --override-unit mm 0.254 mm. */
static void a_collada_has_the_unit_that_it_states(void **state) {
    (void)state;
    static const struct {
        const char *asset;
        double unit;
        char up;
    } rows[] = {{"", 1, 'y'},
                {"<asset><unit name='inch' meter='0.0254'/><up_axis>Z_UP</up_axis></asset>", 0.0254, 'z'},
                {"<asset><unit meter=\"0.01\"/><up_axis>X_UP</up_axis></asset>", 0.01, 'x'},
                {"<asset><unit meter = '0.3048'/></asset>", 0.3048, 'y'}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int insist = 0; insist < 2; insist++) {
            const char *path = write_collada("unit.dae", rows[i].asset, "A");
            json_t *root = insist ? RUN_JSON(0, "info", path, "--override-unit", "mm") : RUN_JSON(0, "info", path);
            const json_t *file = json_array_get(json_object_get(root, "files"), 0),
                         *high = json_object_get(json_object_get(root, "bounds"), "max");
            const double unit = insist ? 0.001 : rows[i].unit,
                         said = json_real_value(json_object_get(file, "unit_metres"));
            double size = 0;
            for (size_t k = 0; k < 3; k++) size = fmax(size, json_number_value(json_array_get(high, k)));
            check_that(fabs(said - unit) <= 1e-7 * unit, "unit %.9g, expected %g", said, unit);
            check_that(fabs(size - unit) <= 1e-6 * unit, "size %.9g, expected %g", size, unit);
            assert_int_equal(text_at(file, "up")[0], rows[i].up);
            json_decref(root);
        }
}

/* By the name that people gave it, in UTF-16 too; by its id where it has no name. */
static void a_part_of_collada_has_its_name(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"Collada/Cinema4D.dae", "Kegel"},
        {"Collada/cube_UTF16LE.dae", "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"},
        {"Collada/cube_UTF8BOM.dae", "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"},
        {"Collada/cube_xmlspecialchars.dae", "\"&<Box>&\""},
        {"Collada/cube_emptyTags.dae", "Box"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *model = test_model(rows[i][0]);
        if (!model) skip();
        json_t *root = RUN_JSON(0, "info", model);
        const char *name = text_at(json_array_get(json_object_get(root, "parts"), 0), "name");
        check_that(name && strcmp(name, rows[i][1]) == 0, "%s: '%s' is not '%s'", rows[i][0], name ? name : "none",
                   rows[i][1]);
        json_decref(root);
    }
}

/* Assimp has names in brackets of its own, as "<STL_BINARY>" and "<RawRoot>". Where a file has one, it is that. */
static void a_name_in_brackets_is_that_of_the_file(void **state) {
    (void)state;
    static const char facets[] = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
                                 "endfacet\n";
    char stl[400], binary[134] = {0};
    snprintf(stl, sizeof stl, "solid <plate>\n%sendsolid <plate>\n", facets);
    binary[80] = 1;
    const float corner[2] = {1, 1};
    memcpy(binary + 84 + 24, &corner[0], 4), memcpy(binary + 84 + 40, &corner[1], 4);
    const char *const rows[][2] = {{write_text("named.stl", stl), "<plate>"},
                                   {write_bytes("unnamed.stl", binary, sizeof binary), "unnamed.stl"},
                                   {write_text("unnamed.raw", "0 0 0 1 0 0 0 1 0\n"), "unnamed.raw"},
                                   {write_collada("named.dae", "", "&lt;left&gt;"), "<left>"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *root = RUN_JSON(0, "info", rows[i][0]);
        const char *name = text_at(json_array_get(json_object_get(root, "parts"), 0), "name");
        check_that(name && strcmp(name, rows[i][1]) == 0, "%s: '%s' is not '%s'", rows[i][0], name ? name : "none",
                   rows[i][1]);
        json_decref(root);
    }
}

static void mirrored_parts_keep_their_outside(void **state) {
    (void)state;
    const char *model = test_model("FBX/cubes_with_mirroring_and_pivot.fbx");
    if (!model) skip();
    json_t *root = RUN_JSON(0, "info", model);
    const json_t *meshes = json_object_get(root, "meshes");
    assert_true(json_array_size(meshes) > 0);
    for (size_t i = 0; i < json_array_size(meshes); i++)
        assert_true(json_number_value(json_object_get(json_array_get(meshes, i), "volume")) > 0);
    json_decref(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_is_checked_whole),
        cmocka_unit_test(the_house_is_checked_whole),
        cmocka_unit_test(coordinates_are_those_of_the_file),
        cmocka_unit_test(a_dxf_may_state_its_unit),
        cmocka_unit_test(threads_do_not_change_a_byte),
        cmocka_unit_test(a_level_in_one_mesh_splits_into_its_42_pieces),
        cmocka_unit_test(a_robots_links_are_solid_in_metres),
        cmocka_unit_test(formats_are_read_in_their_units),
        cmocka_unit_test(a_collada_has_the_unit_that_it_states),
        cmocka_unit_test(a_part_of_collada_has_its_name),
        cmocka_unit_test(a_name_in_brackets_is_that_of_the_file),
        cmocka_unit_test(mirrored_parts_keep_their_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
