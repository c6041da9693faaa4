/* glTF files that are wrong, or lie: each is refused with its reason, soon, and whatever the bytes, the importer ends
 * by itself (the sanitizers watch it). */
#define _DEFAULT_SOURCE
#include "cli/glb.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

/* What was said on stderr meanwhile. */
static int quietly_read(const char *path, char said[1000], import_data *data) {
    char file[600];
    snprintf(file, sizeof file, "%s/said", scratch());
    fflush(stderr);
    int kept = dup(2), to = open(file, O_CREAT | O_TRUNC | O_RDWR, 0600);
    assert_true(kept >= 0 && to >= 0);
    dup2(to, 2);
    import_options options = {.limits = {.seconds = 20}, .skip_bad = true};
    int code = import_file(path, &options, data);
    dup2(kept, 2);
    close(kept);
    ssize_t n = pread(to, said, 999, 0);
    said[n > 0 ? n : 0] = 0;
    close(to);
    return code;
}

static void check_refused(const char *path, const char *reason) {
    char said[1000];
    import_data data;
    int code = quietly_read(path, said, &data);
    import_free(&data);
    check_that(code == 2 && strstr(said, reason), "code %d, expected 2 and \"%s\": %s", code, reason, said);
}

/* --- refusals ---------------------------------------------------------------------------------------------------- */

static void unknown_required_extensions_are_named(void **state) {
    (void)state;
    glb g = {.used = 0};
    glb_cube(&g);
    check_refused(
        glb_write(&g, "x",
                  "%s,%s,\"extensionsUsed\":[\"EXT_out_of_memory\"],\"extensionsRequired\":[\"EXT_out_of_memory\"]",
                  CUBE_SCENE, CUBE_MESH),
        "it requires the extension EXT_out_of_memory, which is not known here");
    char *notes;
    part_totals p;
    const char *path =
        glb_write(&g, "x",
                  "%s,%s,\"extensionsUsed\":[\"EXT_strange\",\"KHR_materials_ior\"],\"extensionsRequired\":"
                  "[\"KHR_materials_ior\",\"KHR_texture_transform\"]",
                  CUBE_SCENE, CUBE_MESH);
    assert_int_equal(read_parts(path, &p, 1, &notes), 1);
    assert_string_equal(notes, "the extension EXT_strange is not known here: read without it, as the file allows\n");
    free(notes);
}

/* glTF forbids both. Viewers take the matrix, here 3 along x; where both say the same, nothing is said. */
static void a_matrix_and_another_place_are_told(void **state) {
    (void)state;
    static const struct {
        const char *other, *notes;
    } nodes[] = {
        {"\"translation\":[5,0,0]", "warning: 1 node has a matrix and another translation, rotation or scale, of which "
                                    "glTF allows one: the matrix is taken\n"},
        {"\"scale\":[2,1,1]", "warning: 1 node has a matrix and another translation, rotation or scale, of which "
                              "glTF allows one: the matrix is taken\n"},
        {"\"translation\":[3,0,0],\"rotation\":[0,0,0,1]", NULL},
    };
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        glb g = {.used = 0};
        glb_cube(&g);
        char *notes;
        part_totals p;
        const char *path = glb_write(&g, "x",
                                     "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"matrix\":[1,0,"
                                     "0,0,0,1,0,0,0,0,1,0,3,0,0,1],%s}],%s",
                                     nodes[i].other, CUBE_MESH);
        assert_int_equal(read_parts(path, &p, 1, &notes), 1);
        check_that(p.low[0] >= 2 && p.low[0] <= 3, "from %g", p.low[0]);
        assert_string_equal(notes ? notes : "", nodes[i].notes ? nodes[i].notes : "");
        free(notes);
    }
}

static void other_versions_are_refused(void **state) {
    (void)state;
    check_refused(write_text("v.gltf", "{\"asset\":{\"version\":\"1.0\"}}"), "it is glTF 1.0; 2.0 is read");
    check_refused(write_text("letter.glb", "Dear engineer,\n"), "its JSON is wrong");
    check_refused(write_text("v.gltf", "{\"scenes\":{}}"), "it is no glTF 2.0");
    check_refused(write_text("v.gltf", "{\"asset\":{\"version\":\"2.9\",\"minVersion\":\"2.1\"}}"),
                  "it needs a reader of glTF 2.1");
    check_refused(write_bytes("v.glb", "glTF\1\0\0\0\24\0\0\0\0\0\0\0\0\0\0\0", 20), "it is glTF 1; 2.0 is read");
    check_refused(write_bytes("v.glb", "glTF\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20), "the file is cut off");
    check_refused(write_bytes("v.glb",
                              "glTF\2\0\0\0\24\0\0\0\xff\xff\xff\xff"
                              "JSON",
                              20),
                  "chunk 0 of the file is cut off");
}

/* Each row is a cube but for its members. */
static void wrong_members_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        const char *members, *reason;
    } rows[] = {
        {"\"scene\":1," CUBE_SCENE "," CUBE_MESH, "the file: its scene names something that does not exist"},
        {"\"scenes\":[{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0}]," CUBE_MESH, "scenes[0]: its nodes names something"},
        {"\"scenes\":[{\"nodes\":[0,0]}],\"nodes\":[{\"mesh\":0}]," CUBE_MESH, "which it lists already"},
        {"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"children\":[1]},{\"mesh\":0}]," CUBE_MESH,
         "is below another node"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"children\":[0]}]," CUBE_MESH, "below themselves"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0},{\"children\":[2]},{\"children\":[1]}]," CUBE_MESH,
         "below themselves"},
        {"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"children\":[2]},{\"children\":[2]},{\"mesh\":0}]," CUBE_MESH,
         "nodes[2] has two parents"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":-1}]," CUBE_MESH, "nodes[0]: its mesh names something"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0.5}]," CUBE_MESH, "nodes[0]: its mesh names something"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"translation\":[0,0]}]," CUBE_MESH,
         "its translation has not 3 numbers"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,0,0]}]," CUBE_MESH,
         "its rotation is none"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"matrix\":[1,0,0,0.5,0,1,0,0,0,0,1,0,0,0,0,1]}]"
         "," CUBE_MESH,
         "last row of its matrix"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"translation\":[1e300,0,0]}]," CUBE_MESH,
         "its matrix has an entry"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"indices\":1}]}]",
         "accessors[1] is of type SCALAR where VEC3 is meant"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":0}]}]",
         "accessors[0] is of type VEC3 where SCALAR is meant"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":2}]}]",
         "accessors[2] holds no indices"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":3},\"indices\":1}]}]",
         "accessors[3]: its 9 elements reach beyond the end of bufferViews[0]"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":4},\"indices\":1}]}]",
         "bufferViews[2] reaches beyond the end of buffers[0]"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":5},\"indices\":1}]}]",
         "accessors[5] has more elements than the file has bytes"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":6},\"indices\":1}]}]",
         "accessors[6]: its 4294967294 elements reach beyond"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":7},\"indices\":1}]}]",
         "accessors[7]: the positions have no data"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":8},\"indices\":1}]}]",
         "bufferViews[3]: its compressed data are damaged"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":7}]}]",
         "its mode is not one of glTF's"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":9}]}],"
                    "\"weights\":[1]}]",
         "POSITION is given for 7 points of 8"},
        {CUBE_SCENE ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"COLOR_0\":0}}]}]", "has no triangles"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0]}]," CUBE_MESH,
         "it is skinned, but has no joints"},
        {"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{"
         "\"attributes\":{\"TRANSLATION\":0,\"SCALE\":9}}}}]," CUBE_MESH,
         "its instances have places of unequal number"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        glb g = {.used = 0};
        glb_cube(&g);
        glb_accessor(&g, 1, 5126, 3, "SCALAR", ""); /* 2 */
        glb_accessor(&g, 0, 5126, 9, "VEC3", "");   /* 3 */
        size_t at = strlen(g.views);
        snprintf(g.views + at, sizeof g.views - at,
                 ",{\"buffer\":0,\"byteLength\":9999999999},{\"buffer\":0,\"byteLength\":96,\"byteStride\":12,"
                 "\"extensions\":{"
                 "\"KHR_meshopt_compression\":{\"buffer\":0,\"byteLength\":96,\"byteStride\":12,\"count\":4294967290,"
                 "\"mode\":\"ATTRIBUTES\"}}}");
        glb_accessor(&g, 2, 5126, 8, "VEC3", "");                                       /* 4 */
        glb_accessor(&g, -1, 5126, 2147483647, "VEC3", "");                             /* 5 */
        glb_accessor(&g, 0, 5126, 1, "VEC3", ",\"count\":4294967294,\"byteOffset\":0"); /* 6: the last count is taken */
        glb_accessor(&g, -1, 5126, 8, "VEC3", "");                                      /* 7 */
        glb_accessor(&g, 3, 5126, 8, "VEC3", "");                                       /* 8 */
        glb_accessor(&g, 0, 5126, 7, "VEC3", "");                                       /* 9 */
        check_refused(glb_write(&g, "wrong", "%s", rows[r].members), rows[r].reason);
    }
}

/* Numbers that are stored integers, read as floats, are below 1e-38: no model has such a size. */
static void sizes_of_no_model_are_refused(void **state) {
    (void)state;
    static const float tiny[3][3] = {{0, 0, 0}, {1e-42f, 0, 0}, {0, 2e-42f, 0}};
    glb g = {.used = 0};
    glb_accessor(&g, glb_view(&g, tiny, sizeof tiny, ""), 5126, 3, "VEC3", "");
    check_refused(
        glb_write(&g, "tiny", "%s,\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]", CUBE_SCENE),
        "all its coordinates are below");
}

static void bad_triangles_are_left_out_only_if_asked_for(void **state) {
    (void)state;
    glb g = {.used = 0};
    float corners[9][3];
    memcpy(corners, cube_corners, sizeof cube_corners);
    corners[8][0] = corners[8][1] = corners[8][2] = (float)NAN;
    uint16_t triangles[42];
    memcpy(triangles, cube_triangles, sizeof cube_triangles);
    static const uint16_t more[6] = {0, 1, 8, 0, 1, 9};
    memcpy(triangles + 36, more, sizeof more);
    glb_accessor(&g, glb_view(&g, corners, sizeof corners, ""), 5126, 9, "VEC3", "");
    glb_accessor(&g, glb_view(&g, triangles, sizeof triangles, ""), 5123, 42, "SCALAR", "");
    const char *path = glb_write(&g, "bad", "%s,%s", CUBE_SCENE, CUBE_MESH);
    EXPECT(2, "1 face with a point that does not exist", "info", path);
    run r = RUN("info", path, "--skip-bad");
    assert_int_equal(r.code, 0);
    assert_non_null(strstr(r.out, "1 face: left out, as a point"));
    assert_non_null(strstr(r.out, "1 triangle: left out, as a coordinate"));
    run_free(&r);
}

/* --- size -------------------------------------------------------------------------------------------------------- */

/* A chain of nodes as deep as the file is long. */
static void depth_is_no_recursion(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    size_t room = (size_t)DEPTH * 40 + 1000, used = 0;
    char *text = malloc(room);
    assert_non_null(text);
    used += (size_t)sprintf(
        text, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"buffers\":[{\"byteLength\":36,\"uri\":"
              "\"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,"
              "\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
              "\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[");
    for (int i = 1; i < DEPTH; i++) used += (size_t)sprintf(text + used, "{\"children\":[%d]},", i);
    sprintf(text + used, "{\"mesh\":0}]}");
    part_totals p;
    assert_int_equal(read_parts(write_text("deep.gltf", text), &p, 1, NULL), 1);
    check_box(&p, 0, 0, 0, 1, 2, 0);
    memset(text, '[', 50000);
    text[50000] = 0;
    check_refused(write_text("nested.gltf", text), "its JSON is wrong: maximum parsing depth reached");
    free(text);
}

/* Nested long names: a path holds some of them, so that all paths together do not grow with the square. */
static void long_names_are_cut(void **state) {
    (void)state;
    enum { NODES = 40, LENGTH = 6000 };
    char *text = calloc(NODES, LENGTH + 100), *at = text;
    assert_non_null(text);
    at += sprintf(
        at, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"buffers\":[{\"byteLength\":36,\"uri\":"
            "\"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAA\"}],\"bufferViews\":[{\"buffer\":0,"
            "\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
            "\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[");
    for (int i = 0; i < NODES; i++) {
        at += sprintf(at, "{\"mesh\":0,");
        if (i + 1 < NODES) at += sprintf(at, "\"children\":[%d],", i + 1);
        at += sprintf(at, "\"name\":\"");
        for (int k = 0; k < LENGTH / 2; k++) *at++ = (char)0xc3, *at++ = (char)0xbc;
        at += sprintf(at, "%s", i + 1 < NODES ? "\"}," : "\"}]}");
    }
    json_t *root = RUN_JSON(0, "info", write_text("long.gltf", text));
    json_t *parts = json_object_get(root, "parts");
    assert_int_equal(json_array_size(parts), NODES);
    for (size_t i = 0; i < NODES; i++) {
        size_t length = strlen(json_string_value(json_object_get(json_array_get(parts, i), "name")));
        check_that(length > 4000 && length < 4200, "the name of part %zu has %zu bytes, expected about 4096", i,
                   length);
    }
    json_decref(root);
    free(text);
}

/* --- mutations --------------------------------------------------------------------------------------------------- */

static size_t load(const char *name, unsigned char *bytes, size_t room) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SOURCE_GLTF, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

/* Changes bytes; half of the time in the numbers of the JSON, so that it stays JSON. */
static void mutate(unsigned char *bytes, size_t size, rng *r) {
    size_t json = 20 + bytes[12] + (size_t)256 * bytes[13];
    for (uint32_t times = 1 + rng_below(r, 4); times > 0; times--) {
        bool in_text = rng_below(r, 2) > 0;
        size_t at = in_text ? 20 + rng_below(r, (uint32_t)(json - 20)) : rng_below(r, (uint32_t)size);
        if (in_text) {
            while (at < json && !(bytes[at] >= '0' && bytes[at] <= '9')) at++;
            for (uint32_t digits = 1 + rng_below(r, 9); digits > 0 && at < json && bytes[at] >= '0' && bytes[at] <= '9';
                 digits--)
                bytes[at++] = (unsigned char)('0' + rng_below(r, 10));
        } else if (rng_below(r, 2)) {
            bytes[at] = (unsigned char)rng_bits(r);
        } else {
            memset(bytes + at, rng_below(r, 2) ? 0xff : 0x7f, size - at < 4 ? size - at : 4);
        }
    }
}

static void changed_files_end_with_an_answer(void **state) {
    (void)state;
    static const char *const names[] = {"plain.glb",
                                        "quantized.glb",
                                        "instanced.glb",
                                        "meshopt_high.glb",
                                        "pack_ext.glb",
                                        "pack_khr.glb",
                                        "pack_khr_float.glb",
                                        "pack_ext_instances.glb",
                                        "pack_khr_instances.glb",
                                        "draco_edgebreaker.glb",
                                        "draco_sequential.glb"};
    static unsigned char whole[1 << 14], bent[1 << 14];
    rng r = rng_start("changed glTF", 11);
    int runs = samples(40, 3000);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t size = load(names[n], whole, sizeof whole);
        int taken = 0;
        for (int i = 0; i < runs; i++) {
            memcpy(bent, whole, size);
            mutate(bent, size, &r);
            size_t part = rng_below(&r, 20) == 0 ? rng_below(&r, (uint32_t)size) : size;
            char said[1000];
            import_data data;
            const char *path = write_bytes("changed.glb", bent, part);
            int code = quietly_read(path, said, &data);
            import_free(&data);
            bool good = (code == 0 || (code == 2 && strstr(said, "changed.glb"))) && !strstr(said, "crashed") &&
                        !strstr(said, "gave up") && !strstr(said, "takes longer") && !strstr(said, "MB of memory");
            if (!good) {
                FILE *out = fopen("carom-mutation.glb", "wb");
                if (out) fwrite(bent, 1, part, out), fclose(out);
            }
            check_that(good, "%s, sample %d, kept as carom-mutation.glb: code %d, %s", names[n], i, code, said);
            taken += code == 0;
        }
        print_message("  %s: %d of %d taken\n", names[n], taken, runs);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_required_extensions_are_named),
        cmocka_unit_test(a_matrix_and_another_place_are_told),
        cmocka_unit_test(other_versions_are_refused),
        cmocka_unit_test(wrong_members_are_refused_by_name),
        cmocka_unit_test(sizes_of_no_model_are_refused),
        cmocka_unit_test(bad_triangles_are_left_out_only_if_asked_for),
        cmocka_unit_test(depth_is_no_recursion),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(changed_files_end_with_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
