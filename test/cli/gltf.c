/* What glTF files mean is what is read: numbers however they are stored, places however they are told. */
#define _DEFAULT_SOURCE
#include "cli/glb.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 8

static void check_volume(const part_totals *p, double volume, double tolerance) {
    check_that(fabs(p->volume - volume) <= tolerance, "%s has the volume %.17g, expected %.17g", p->name, p->volume,
               volume);
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

static void integers_are_coordinates(void **state) {
    (void)state;
    static const struct {
        int component;
        const char *normalized;
        double low, high; /* stored, of type int16 at most */
        double x0, x1;    /* what they stand for */
    } rows[] = {
        {5120, "", -100, 27, -100, 27},
        {5120, ",\"normalized\":true", -128, 127, -1, 1}, /* -128 is -1 too */
        {5121, ",\"normalized\":true", 0, 255, 0, 1},
        {5122, "", -1000, 20000, -1000, 20000},
        {5122, ",\"normalized\":true", -32767, 32767, -1, 1},
        {5123, ",\"normalized\":true", 0, 13107, 0, 0.2},
        {5123, "", 0, 30000, 0, 30000},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        glb g = {.used = 0};
        size_t width = rows[r].component < 5122 ? 1 : 2;
        unsigned char bytes[8 * 8] = {0}; /* four numbers each, so that elements are aligned */
        for (size_t i = 0; i < 8; i++)
            for (size_t k = 0; k < 3; k++) {
                int value = (int)(cube_corners[i][k] > 0 ? rows[r].high : rows[r].low);
                for (size_t b = 0; b < width; b++)
                    bytes[(4 * i + k) * width + b] = (unsigned char)((unsigned)value >> (8 * b));
            }
        int view = glb_view(&g, bytes, 32 * width, width == 1 ? ",\"byteStride\":4" : ",\"byteStride\":8");
        glb_accessor(&g, view, rows[r].component, 8, "VEC3", rows[r].normalized);
        glb_accessor(&g, glb_view(&g, cube_triangles, sizeof cube_triangles, ""), 5123, 36, "SCALAR", "");
        part_totals p[MOST];
        const char *path = glb_write(&g, "integers", "%s,%s,\"extensionsRequired\":[\"KHR_mesh_quantization\"]",
                                     CUBE_SCENE, CUBE_MESH);
        assert_int_equal(read_parts(path, p, MOST, NULL), 1);
        assert_int_equal(p[0].triangles, 12);
        check_box(&p[0], rows[r].x0, rows[r].x0, rows[r].x0, rows[r].x1, rows[r].x1, rows[r].x1);
    }
}

static void sparse_elements_replace_others(void **state) {
    (void)state;
    glb g = {.used = 0};
    static const uint16_t which[2] = {6, 7};
    static const float where[2][3] = {{1, 3, 1}, {0, 3, 1}};
    static const unsigned char all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int corners = glb_view(&g, cube_corners, sizeof cube_corners, "");
    int triangles = glb_view(&g, cube_triangles, sizeof cube_triangles, "");
    int indices = glb_view(&g, which, sizeof which, ""), values = glb_view(&g, where, sizeof where, "");
    int every = glb_view(&g, all, sizeof all, "");
    char sparse[200];
    const char *form = ",\"sparse\":{\"count\":%d,\"indices\":{\"bufferView\":%d,\"componentType\":%d},\"values\":{"
                       "\"bufferView\":%d}}";
    snprintf(sparse, sizeof sparse, form, 2, indices, 5123, values);
    glb_accessor(&g, corners, 5126, 8, "VEC3", sparse);
    glb_accessor(&g, triangles, 5123, 36, "SCALAR", "");
    snprintf(sparse, sizeof sparse, form, 8, every, 5121, corners);
    glb_accessor(&g, -1, 5126, 8, "VEC3", sparse); /* zeros but for all of them */
    part_totals p[MOST];
    assert_int_equal(
        read_parts(glb_write(&g, "sparse",
                             "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":1}],\"meshes\":["
                             "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]},"
                             "{\"primitives\":[{\"attributes\":{\"POSITION\":2},\"indices\":1}]}]"),
                   p, MOST, NULL),
        2);
    check_box(&p[0], 0, 0, 0, 1, 3, 1); /* two of the upper corners are 2 farther out */
    check_volume(&p[0], 2, 1e-12);      /* its sections in z grow from 1 to 3 */
    check_box(&p[1], 0, 0, 0, 1, 1, 1);
    check_volume(&p[1], 1, 1e-12);
}

/* A square as a strip and as a fan; both have area 1 and face z, which a point below them shows as the volume of the
 * pyramid: a third. */
static void strips_and_fans_keep_their_side(void **state) {
    (void)state;
    static const float strip[4][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    static const float fan[4][3] = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int mode = 5; mode <= 6; mode++) {
        glb g = {.used = 0};
        glb_accessor(&g, glb_view(&g, mode == 5 ? strip : fan, sizeof strip, ""), 5126, 4, "VEC3", "");
        part_totals p[MOST];
        const char *path =
            glb_write(&g, "mode", "%s,\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":%d}]}]",
                      CUBE_SCENE, mode);
        assert_int_equal(read_parts(path, p, MOST, NULL), 1);
        assert_int_equal(p[0].triangles, 2);
        check_volume(&p[0], 1.0 / 3, 1e-15);
    }
}

static void lines_and_points_are_counted_as_left_out(void **state) {
    (void)state;
    static const uint32_t lines_of[4] = {0, 4, 8, 7}, dots_of[4] = {8, 0, 0, 0};
    for (uint32_t mode = 0; mode < 4; mode++) {
        glb g = {.used = 0};
        glb_cube(&g);
        const char *path = glb_write(&g, "lines",
                                     "%s,\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1},"
                                     "{\"attributes\":{\"POSITION\":0},\"mode\":%u}]}]",
                                     CUBE_SCENE, mode);
        import_options options = {.chord = 0};
        import_data data;
        assert_int_equal(import_file(path, &options, &data), 0);
        assert_int_equal(data.mesh_count, 2);
        assert_int_equal(data.meshes[1].lines, lines_of[mode]);
        assert_int_equal(data.meshes[1].dots, dots_of[mode]);
        assert_int_equal(data.meshes[1].triangle_count, 0);
        import_free(&data);
    }
}

/* --- places ------------------------------------------------------------------------------------------------------ */

static void instances_are_parts_of_their_own(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    static const float moves[3][3] = {{0, 0, 0}, {10, 0, 0}, {0, 20, 0}};
    static const signed char turns[3][4] = {{0, 0, 0, 127}, {0, 0, 90, 90}, {127, 0, 0, 0}}; /* 90 degrees, 180 */
    static const unsigned char scales[3][4] = {{255, 255, 255}, {255, 255, 51}, {255, 51, 255}};
    glb_accessor(&g, glb_view(&g, moves, sizeof moves, ""), 5126, 3, "VEC3", "");
    glb_accessor(&g, glb_view(&g, turns, sizeof turns, ""), 5120, 3, "VEC4", ",\"normalized\":true");
    glb_accessor(&g, glb_view(&g, scales, sizeof scales, ",\"byteStride\":4"), 5121, 3, "VEC3", ",\"normalized\":true");
    part_totals p[MOST];
    assert_int_equal(
        read_parts(
            glb_write(
                &g, "instances",
                "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"name\":\"bolts\",\"translation\":[0,0,100],"
                "\"children\":[1],\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":"
                "{\"TRANSLATION\":2,\"ROTATION\":3,\"SCALE\":4}}}},{\"mesh\":0,\"name\":\"child\"}],%s,"
                "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"]",
                CUBE_MESH),
            p, MOST, NULL),
        4);
    assert_string_equal(p[0].name, "instance1");
    check_box(&p[0], 0, 0, 100, 1, 1, 101);
    check_box(&p[1], 9, 0, 100, 10, 1, 100.2); /* scaled, turned about z, moved */
    check_box(&p[2], 0, 19.8, 99, 1, 20, 100); /* turned about x by 180 degrees */
    check_box(&p[3], 0, 0, 100, 1, 1, 101);    /* a child is not instanced */
    assert_string_equal(p[3].name, "child");
}

static void the_default_scene_is_shown(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    const char *nodes = "\"nodes\":[{\"mesh\":0,\"name\":\"first\",\"children\":[1]},{\"mesh\":0,\"translation\":[1,0,"
                        "0]},{\"mesh\":0,\"scale\":[2,2,2]}]";
    part_totals p[MOST];
    char *notes;
    assert_int_equal(read_parts(glb_write(&g, "scene", "%s,%s,\"scene\":1,\"scenes\":[{\"nodes\":[0]},{\"nodes\":[2]}]",
                                          nodes, CUBE_MESH),
                                p, MOST, &notes),
                     1);
    check_box(&p[0], 0, 0, 0, 2, 2, 2);
    assert_non_null(strstr(notes, "1 other scene of the file: left out, only scenes[1] is shown"));
    assert_non_null(strstr(notes, "nodes[0], first: not in the scene that is shown"));
    assert_non_null(strstr(notes, "nodes[1], : not in the scene that is shown"));
    assert_null(strstr(notes, "nodes[2]"));
    free(notes);
    assert_int_equal(
        read_parts(glb_write(&g, "scene", "%s,%s,\"scenes\":[{\"nodes\":[0]},{\"nodes\":[2]}]", nodes, CUBE_MESH), p,
                   MOST, NULL),
        2); /* the first */
    check_box(&p[1], 1, 0, 0, 2, 1, 1);
    assert_int_equal(read_parts(glb_write(&g, "scene", "%s,%s", nodes, CUBE_MESH), p, MOST, &notes), 3);
    assert_non_null(strstr(notes, "the file has no scene"));
    free(notes);
}

/* "M8x1/2" is one name, as in a STEP or an IFC, and not two components of a path. */
static void a_slash_in_a_name_ends_no_component(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    const char *path =
        glb_write(&g, "slashes",
                  "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"C25/30\","
                  "\"children\":[1,2]},{\"mesh\":0,\"name\":\"M8x1/2\"},{\"mesh\":1}],"
                  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]},"
                  "{\"name\":\"a/b/\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]");
    json_t *root = RUN_JSON(0, "info", path), *parts = json_object_get(root, "parts");
    assert_int_equal(json_array_size(parts), 2);
    assert_string_equal(text_at(json_array_get(parts, 0), "name"), "C25_30/M8x1_2");
    assert_string_equal(text_at(json_array_get(parts, 1), "name"), "C25_30/a_b_");
    json_decref(root);
    EXPECT(0, "", "check", path, "--between", "leaf=M8*", "leaf=a*", "--fail-on", "none");
}

/* As the importer of other formats calls what has no name. */
static void names_in_angle_brackets_are_the_files(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    const char *path = glb_write(&g, "brackets", "%s",
                                 "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"<core>\","
                                 "\"mesh\":0}]," CUBE_MESH);
    json_t *root = RUN_JSON(0, "info", path);
    assert_string_equal(text_at(json_array_get(json_object_get(root, "parts"), 0), "name"), "<core>");
    json_decref(root);
}

/* The cube stands where its joints are: its lower half follows one, its upper half another; its node's place is
 * without effect. */
static void a_skin_stands_where_its_joints_are(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    unsigned char joints[8][4] = {{0}};
    float weights[8][4] = {{0}}, bind[2][16] = {{0}};
    for (int i = 0; i < 8; i++) {
        joints[i][1] = 1;
        weights[i][0] = i < 4 ? 3.0f : 0; /* their sum need not be 1 */
        weights[i][1] = i < 4 ? 0 : 0.5f;
    }
    for (int j = 0; j < 2; j++) bind[j][0] = bind[j][5] = bind[j][10] = bind[j][15] = 1;
    bind[1][14] = -1; /* the second joint was at z = 1 */
    glb_accessor(&g, glb_view(&g, joints, sizeof joints, ""), 5121, 8, "VEC4", "");
    glb_accessor(&g, glb_view(&g, weights, sizeof weights, ""), 5126, 8, "VEC4", "");
    glb_accessor(&g, glb_view(&g, bind, sizeof bind, ""), 5126, 2, "MAT4", "");
    part_totals p[MOST];
    char *notes;
    assert_int_equal(
        read_parts(glb_write(&g, "skin",
                             "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0,\"skin\":0,\"name\":\"arm\","
                             "\"translation\":[50,60,70],\"rotation\":[0.5,0.5,0.5,0.5],\"scale\":[2,3,4]},"
                             "{\"children\":[2]},{\"translation\":[0,0,5],\"scale\":[2,2,2]}],"
                             "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":4}],\"meshes\":[{\"primitives\":[{"
                             "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"indices\":1}]}]"),
                   p, MOST, &notes),
        1);
    assert_string_equal(p[0].name, "arm");
    check_box(&p[0], 0, 0, 0, 2, 2, 5); /* a frustum: unit square at 0, twice as wide at 5 */
    check_volume(&p[0], 5 * (1 + 2 + 4) / 3.0, 1e-9);
    assert_non_null(strstr(notes, "1 skinned mesh taken as the joints stand in the file"));
    free(notes);
}

static void morph_targets_stand_at_their_default_weights(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    float up[8][3] = {{0}}, aside[8][3] = {{0}};
    for (int i = 4; i < 8; i++) up[i][2] = 4;
    for (int i = 0; i < 8; i++) aside[i][0] = 8;
    glb_accessor(&g, glb_view(&g, up, sizeof up, ""), 5126, 8, "VEC3", "");
    glb_accessor(&g, glb_view(&g, aside, sizeof aside, ""), 5126, 8, "VEC3", "");
    part_totals p[MOST];
    assert_int_equal(
        read_parts(
            glb_write(
                &g, "morph",
                "\"scenes\":[{\"nodes\":[0,1,2]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"weights\":[0,2]},"
                "{\"mesh\":0,\"weights\":[0,0]}],\"meshes\":[{\"weights\":[0.5,0],\"primitives\":[{"
                "\"attributes\":{\"POSITION\":0},\"indices\":1,\"targets\":[{\"POSITION\":2},{\"POSITION\":3}]}]}]"),
            p, MOST, NULL),
        3);
    check_box(&p[0], 0, 0, 0, 1, 1, 3);
    check_box(&p[1], 16, 0, 0, 17, 1, 1); /* a node's weights go before its mesh's */
    check_box(&p[2], 0, 0, 0, 1, 1, 1);
}

/* 500 km from the origin a double still tells a micrometre; a float would round to 31 mm. */
static void places_are_double(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    part_totals p[MOST];
    assert_int_equal(read_parts(glb_write(&g, "far",
                                          "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1],\"translation\":"
                                          "[500000.000001,0,0]},{\"mesh\":0,\"translation\":[0.000002,0,0]}],%s",
                                          CUBE_MESH),
                                p, MOST, NULL),
                     1);
    check_that(fabs(p[0].low[0] - 500000.000003) < 1e-9, "it starts at %.17g, expected 500000.000003", p[0].low[0]);
}

/* Two cubes 1 mm apart, 4000 km from the origin, where single precision resolves half a metre. */
static void a_millimetre_is_seen_far_from_the_origin(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    const char *path =
        glb_write(&g, "site",
                  "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1,2],\"translation\":[4e6,0,0]},"
                  "{\"mesh\":0},{\"mesh\":0,\"translation\":[1.001,0,0]}],%s",
                  CUBE_MESH);
    json_t *root = RUN_JSON(1, "check", path, "--clearance", "2mm");
    const json_t *finding = json_array_get(json_object_get(root, "findings"), 0);
    double gap = json_number_value(json_object_get(finding, "distance"));
    assert_string_equal(json_string_value(json_object_get(finding, "relation")), "clearance");
    check_that(fabs(gap - 0.001) < 1e-8, "the gap is %.9g, expected 0.001", gap);
    json_decref(root);
}

/* --- buffers ----------------------------------------------------------------------------------------------------- */

static const char *with_uri(const char *name, const char *uri, int stated) {
    static char text[4096];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},%s,\"buffers\":[{\"uri\":\"%s\",\"byteLength\":%d}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
             "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":"
             "{\"POSITION\":0}}]}]}",
             CUBE_SCENE, uri, stated);
    return write_text(name, text);
}

static void buffers_come_from_text_and_from_the_folder(void **state) {
    (void)state;
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
    part_totals p[MOST];
    write_bytes("my b\303\274ffer 100%.bin", corners, sizeof corners);
    static const char *const uris[] = {
        "my%20b%C3%BCffer%20100%25.bin",
        "my b\303\274ffer 100%.bin",
        "./my b%c3%bcffer%20100%.bin",
        "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAA",
    };
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        assert_int_equal(read_parts(with_uri("uri.gltf", uris[i], 36), p, MOST, NULL), 1);
        check_box(&p[0], 0, 0, 0, 1, 2, 0);
    }
}

/* It may have been cut off, though no view needs what is missing. */
static void a_buffer_short_of_its_stated_size_is_told(void **state) {
    (void)state;
    static const char *const told[] = {
        "", "warning: buffers[0] has 36 bytes of the 37 it is said to have: is the file whole?\n"};
    for (int more = 0; more < 2; more++) {
        static const char uri[] = "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAA";
        char *notes;
        part_totals p;
        assert_int_equal(read_parts(with_uri("short.gltf", uri, 36 + more), &p, 1, &notes), 1);
        assert_string_equal(notes, told[more]);
        free(notes);
    }
}

static void nothing_outside_the_folder_is_opened(void **state) {
    (void)state;
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
    char absolute[600];
    mkdir(scratch_path("inner"), 0700);
    write_bytes("outer.bin", corners, sizeof corners);
    snprintf(absolute, sizeof absolute, "%s/outer.bin", scratch());
    assert_int_equal(symlink("../outer.bin", scratch_path("inner/link.bin")), 0);
    assert_int_equal(mkfifo(scratch_path("inner/pipe.bin"), 0600), 0);
    EXPECT(2, "outside the model's folder", "info", with_uri("inner/a.gltf", "../outer.bin", 36));
    EXPECT(2, "outside the model's folder", "info", with_uri("inner/a.gltf", "%2e%2e/outer.bin", 36));
    EXPECT(2, "outside the model's folder", "info", with_uri("inner/a.gltf", "..\\\\outer.bin", 36));
    EXPECT(2, "outside the model's folder", "info", with_uri("inner/a.gltf", absolute, 36));
    EXPECT(2, "outside the model's folder", "info", with_uri("inner/a.gltf", "link.bin", 36));
    EXPECT(2, "is not a regular file", "info", with_uri("inner/a.gltf", "pipe.bin", 36));
    EXPECT(2, "no network is opened", "info", with_uri("inner/a.gltf", "https://localhost/outer.bin", 36));
    EXPECT(2, "no network is opened", "info", with_uri("inner/a.gltf", "file:///outer.bin", 36));
    EXPECT(2, "gone.bin, cannot be opened: No such file", "info", with_uri("inner/a.gltf", "gone.bin", 36));
    EXPECT(0, NULL, "info", with_uri("a.gltf", "inner/../outer.bin", 36));
    for (int i = 0; i < 3; i++)
        unlink(scratch_path((const char *[]){"inner/a.gltf", "inner/link.bin", "inner/pipe.bin"}[i]));
}

/* --- what exporters write ---------------------------------------------------------------------------------------- */

/* The model of gltf/make.mjs: a torus of 16 by 8 and three of 8 by 6, each of which is larger than the one before. */
static void check_machine(const char *file, bool exact) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SOURCE_GLTF, file);
    part_totals p[MOST], *wheel = NULL;
    assert_int_equal(read_parts(path, p, MOST, NULL), 4);
    double tolerance = exact ? 1e-6 : 5e-4; /* 14 bits of 3.25 are 2e-4, rotations of instances have 12 bits */
    for (int i = 0; i < 4; i++) {
        if (p[i].triangles == 256) {
            wheel = &p[i];
            continue;
        }
        assert_int_equal(p[i].triangles, 96);
        double scale = 1 + round((p[i].low[0] + p[i].high[0]) / 2 - 10) / 2;
        const double low[3] = {8 + 2 * scale - 0.1082532 * scale, 2.625, -2.375};
        const double high[3] = {8 + 2 * scale + 0.1082532 * scale, 3.375, -1.625};
        for (int k = 0; k < 3; k++)
            check_that(fabs(p[i].low[k] - low[k]) < tolerance * scale &&
                           fabs(p[i].high[k] - high[k]) < tolerance * scale,
                       "%s, bolt of scale %g, axis %d: %.9g to %.9g, expected %.9g to %.9g", file, scale, k,
                       p[i].low[k], p[i].high[k], low[k], high[k]);
        check_volume(&p[i], 0.0574099135 * scale, tolerance * scale);
    }
    assert_non_null(wheel);
    const double low[3] = {8.375, -1.625, -2.375}, high[3] = {11.625, 1.625, -1.625};
    for (int k = 0; k < 3; k++)
        check_that(fabs(wheel->low[k] - low[k]) < tolerance && fabs(wheel->high[k] - high[k]) < tolerance,
                   "%s, wheel, axis %d: %.9g to %.9g, expected %.9g to %.9g", file, k, wheel->low[k], wheel->high[k],
                   low[k], high[k]);
    check_volume(wheel, 3.04422812, 10 * tolerance);
}

static void what_exporters_write_is_the_same_model(void **state) {
    (void)state;
    check_machine("plain.glb", true);
    check_machine("instanced.glb", true);
    check_machine("quantized.glb", false);
    check_machine("pack.glb", false);
    check_machine("pack_ext.glb", false);
    check_machine("pack_ext_float.glb", false);
    check_machine("pack_ext_instances.glb", false);
    check_machine("pack_khr.glb", false);
    check_machine("pack_khr_float.glb", false);
    check_machine("pack_khr_instances.glb", false);
    check_machine("meshopt_high.glb", false);
#if defined(CAROM_DRACO)
    check_machine("draco_edgebreaker.glb", false);
    check_machine("draco_sequential.glb", false);
#else
    EXPECT(2, "libdraco-dev", "info", SOURCE_GLTF "/draco_edgebreaker.glb");
    print_message("SKIPPED: built without Draco\n");
#endif
}

/* Compression with meshoptimizer changes no coordinate. */
static void compressed_and_plain_agree_to_the_last_bit(void **state) {
    (void)state;
    part_totals plain[MOST], packed[MOST];
    static const char *const files[] = {SOURCE_GLTF "/pack_ext.glb", SOURCE_GLTF "/pack_khr.glb"};
    assert_int_equal(read_parts(SOURCE_GLTF "/pack.glb", plain, MOST, NULL), 4);
    for (size_t f = 0; f < 2; f++) {
        assert_int_equal(read_parts(files[f], packed, MOST, NULL), 4);
        for (int i = 0; i < 4; i++) {
            assert_string_equal(plain[i].name, packed[i].name);
            assert_memory_equal(plain[i].low, packed[i].low, sizeof plain[i].low);
            assert_memory_equal(plain[i].high, packed[i].high, sizeof plain[i].high);
            check_volume(&packed[i], plain[i].volume, 1e-12);
        }
    }
}

/* Files that were read wrongly once: ../shared/import has them with their truth. */
static void files_that_were_read_wrongly(void **state) {
    (void)state;
    char path[512];
    part_totals p[MOST];
    const char *folder = getenv("CAROM_TEST_DATA");
    snprintf(path, sizeof path, "%s/../import/gltfpack14.glb", folder ? folder : "");
    if (access(path, R_OK) != 0) {
        print_message("SKIPPED: no %s\n", path);
        skip();
    }
    assert_int_equal(read_parts(path, p, MOST, NULL), 2);
    for (int i = 0; i < 2; i++) check_volume(&p[i], 1, 1e-12);
    check_box(&p[0], 0, 0, 0, 1, 1, 1);
    check_box(&p[1], 0.9, 0, 0, 1.9, 1, 1);
    json_t *found = RUN_JSON(1, "check", path);
    double depth =
        json_number_value(json_object_get(json_array_get(json_object_get(found, "findings"), 0), "distance"));
    check_that(fabs(depth + 0.1) < 1e-9, "they cross by %g, expected -0.1", depth);
    json_decref(found);
    snprintf(path, sizeof path, "%s/../import/inst.glb", folder);
    assert_int_equal(read_parts(path, p, MOST, NULL), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_coordinates),
        cmocka_unit_test(sparse_elements_replace_others),
        cmocka_unit_test(strips_and_fans_keep_their_side),
        cmocka_unit_test(lines_and_points_are_counted_as_left_out),
        cmocka_unit_test(instances_are_parts_of_their_own),
        cmocka_unit_test(the_default_scene_is_shown),
        cmocka_unit_test(a_slash_in_a_name_ends_no_component),
        cmocka_unit_test(names_in_angle_brackets_are_the_files),
        cmocka_unit_test(a_skin_stands_where_its_joints_are),
        cmocka_unit_test(morph_targets_stand_at_their_default_weights),
        cmocka_unit_test(places_are_double),
        cmocka_unit_test(a_millimetre_is_seen_far_from_the_origin),
        cmocka_unit_test(buffers_come_from_text_and_from_the_folder),
        cmocka_unit_test(a_buffer_short_of_its_stated_size_is_told),
        cmocka_unit_test(nothing_outside_the_folder_is_opened),
        cmocka_unit_test(what_exporters_write_is_the_same_model),
        cmocka_unit_test(compressed_and_plain_agree_to_the_last_bit),
        cmocka_unit_test(files_that_were_read_wrongly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
