/* The importer's stream is hostile: whatever its bytes, reading it ends with an answer, and with memory in order
 * (the sanitizers watch). */
#include "support/support.h"

#include "read/import.h"

#include <math.h>

typedef struct bytes {
    unsigned char data[4096];
    size_t size;
} bytes;

static void put(bytes *b, const void *data, size_t size) {
    memcpy(b->data + b->size, data, size);
    b->size += size;
}
static void put_u32(bytes *b, uint32_t n) { put(b, &n, 4); }
static void put_u64(bytes *b, uint64_t n) { put(b, &n, 8); }
static void put_record(bytes *b, uint32_t tag, uint64_t size) {
    put_u32(b, tag);
    put_u64(b, size);
}

static void put_start(bytes *b) {
    double unit = 0, bias = 1;
    put_u64(b, IMPORT_MAGIC);
    put_record(b, IMPORT_META, 23);
    put(b, &unit, 8), put(b, &bias, 8);
    put(b, "\0z\1", 3), put(b, "test", 4);
}
static void put_mesh(bytes *b, uint32_t points, uint32_t triangles, const double *xyz, const uint32_t *indices) {
    double deviation = 0.25;
    put_record(b, IMPORT_MESH, 40 + 2 + 24 * (uint64_t)points + 12 * (uint64_t)triangles);
    put_u32(b, points), put_u32(b, triangles);
    for (int i = 0; i < 5; i++) put_u32(b, 0);
    put_u32(b, 2), put(b, &deviation, 8), put(b, "me", 2);
    put(b, xyz, 24 * (size_t)points), put(b, indices, 12 * (size_t)triangles);
}
static void put_node(bytes *b, uint32_t parent, uint32_t mesh) {
    static const double local[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    put_record(b, IMPORT_NODE, 12 + 96 + 2 + 4);
    put_u32(b, parent), put_u32(b, 1), put_u32(b, 2);
    put(b, local, 96), put(b, "no", 2);
    put_u32(b, mesh);
}
static void put_text(bytes *b, const char *text) { put(b, text, strlen(text)); }
static void put_property(bytes *b, const char *key, const char *value) {
    put_record(b, IMPORT_PROPERTY, 4 + strlen(key) + strlen(value));
    put_u32(b, (uint32_t)strlen(key)), put_text(b, key), put_text(b, value);
}
static void put_left_out(bytes *b, uint32_t fate, const char *id, const char *kind, const char *name,
                         const char *reason) {
    put_record(b, IMPORT_LEFT_OUT, 16 + strlen(id) + strlen(kind) + strlen(name) + strlen(reason));
    put_u32(b, fate), put_u32(b, (uint32_t)strlen(id)), put_u32(b, (uint32_t)strlen(kind));
    put_u32(b, (uint32_t)strlen(name));
    put_text(b, id), put_text(b, kind), put_text(b, name), put_text(b, reason);
}
static void put_place(bytes *b, double scale) {
    const double numbers[6] = {500000, 5400000, 120, 1, 0, scale};
    put_record(b, IMPORT_PLACE, sizeof numbers + 9);
    put(b, numbers, sizeof numbers), put_text(b, "EPSG:3857");
}
static const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

static bytes good_stream(void) {
    bytes b = {.size = 0};
    put_start(&b);
    put_mesh(&b, 4, 4, corner, faces);
    put_node(&b, IMPORT_NONE, 0);
    put_property(&b, "id", "root");
    put_node(&b, 0, 0);
    put_property(&b, "id", "leaf");
    put_property(&b, "class", "wall");
    put_left_out(&b, IMPORT_PARTLY, "so", "wall", "W", "no reason");
    put_place(&b, 1);
    put_record(&b, IMPORT_SOURCE, 18), put_u64(&b, 5), put_u64(&b, 77), put(&b, "so", 2);
    put_record(&b, IMPORT_NOTE, 4), put(&b, "note", 4);
    put_record(&b, IMPORT_END, 0);
    return b;
}

/* Reads and frees; true where it was taken. */
static bool try_stream(const bytes *b, size_t size) {
    import_data data;
    char *refused;
    const char *wrong = NULL;
    unsigned char *exact = malloc(size > 0 ? size : 1); /* so that a read beyond the end is caught */
    memcpy(exact, b->data, size);
    bool taken = import_parse(exact, size, &data, &refused, &wrong);
    assert_non_null(wrong);
    if (taken) import_vet(&data);
    import_free(&data);
    free(refused);
    free(exact);
    return taken;
}

static void a_good_stream_is_taken_as_it_is(void **state) {
    (void)state;
    bytes b = good_stream();
    import_data data;
    char *refused;
    const char *wrong;
    assert_true(import_parse(b.data, b.size, &data, &refused, &wrong));
    assert_null(refused);
    assert_int_equal(data.mesh_count, 1);
    assert_int_equal(data.node_count, 2);
    assert_int_equal(data.note_count, 1);
    assert_int_equal(data.source_count, 1);
    assert_string_equal(data.sources[0].path, "so");
    assert_true(data.sources[0].identity.device == 5 && data.sources[0].identity.number == 77);
    assert_string_equal(data.format, "test");
    assert_memory_equal(data.meshes[0].points, corner, sizeof corner);
    assert_memory_equal(data.meshes[0].indices, faces, sizeof faces);
    assert_int_equal(data.nodes[1].parent, 0);
    assert_true(data.single_points && !data.single_places);
    assert_true(data.meshes[0].deviation == 0.25);
    assert_int_equal(data.nodes[0].property_count, 1);
    assert_int_equal(data.nodes[1].property_count, 2);
    assert_string_equal(data.facts.properties[data.nodes[1].first_property + 1].value, "wall");
    assert_int_equal(data.facts.left_out_count, 1);
    assert_int_equal(data.facts.left_out[0].fate, IMPORT_PARTLY);
    assert_string_equal(data.facts.left_out[0].reason, "no reason");
    assert_true(data.facts.place.north == 5400000 && data.facts.place.scale == 1);
    assert_string_equal(data.facts.place.system, "EPSG:3857");
    import_free(&data);
}

static void every_shortened_stream_is_refused(void **state) {
    (void)state;
    bytes b = good_stream();
    for (size_t size = 0; size < b.size; size++)
        check_that(!try_stream(&b, size), "%zu of %zu bytes were taken", size, b.size);
    assert_true(try_stream(&b, b.size));
}

static void changed_streams_are_survived(void **state) {
    (void)state;
    rng r = rng_start("changed bytes", 3);
    int taken = 0, runs = samples(50000, 2000000);
    for (int i = 0; i < runs; i++) {
        bytes b = good_stream();
        for (uint32_t changes = 1 + rng_below(&r, 4); changes > 0; changes--) {
            size_t at = rng_below(&r, (uint32_t)b.size);
            if (rng_below(&r, 2))
                b.data[at] = (unsigned char)rng_bits(&r);
            else
                memset(b.data + at, 0xff, b.size - at < 4 ? b.size - at : 4); /* huge sizes */
        }
        taken += try_stream(&b, b.size);
    }
    print_message("%d of %d were still whole\n", taken, runs);
    assert_true(taken > 0 && taken < runs);
}

static void references_must_exist(void **state) {
    (void)state;
    bytes b = {.size = 0};
    put_start(&b);
    put_mesh(&b, 4, 4, corner, faces);
    bytes no_mesh = b, own_parent = b, two_roots = b, ring = b;
    put_node(&no_mesh, IMPORT_NONE, 1), put_record(&no_mesh, IMPORT_END, 0);
    put_node(&own_parent, 0, 0), put_record(&own_parent, IMPORT_END, 0);
    put_node(&two_roots, IMPORT_NONE, 0), put_node(&two_roots, IMPORT_NONE, 0), put_record(&two_roots, IMPORT_END, 0);
    put_node(&ring, IMPORT_NONE, 0), put_node(&ring, 1, 0), put_record(&ring, IMPORT_END, 0);
    assert_false(try_stream(&no_mesh, no_mesh.size));
    assert_false(try_stream(&own_parent, own_parent.size));
    assert_false(try_stream(&two_roots, two_roots.size));
    assert_false(try_stream(&ring, ring.size));
}

static void properties_and_places_must_make_sense(void **state) {
    (void)state;
    bytes b = {.size = 0};
    put_start(&b);
    bytes no_node = b, fate = b, scale = b, length = b;
    put_property(&no_node, "id", "of nothing"), put_node(&no_node, IMPORT_NONE, 0);
    put_mesh(&fate, 4, 4, corner, faces), put_node(&fate, IMPORT_NONE, 0);
    scale = length = fate;
    bytes good = fate;
    put_left_out(&fate, 3, "", "", "", ""), put_record(&fate, IMPORT_END, 0);
    put_place(&scale, 0), put_record(&scale, IMPORT_END, 0);
    put_record(&length, IMPORT_LEFT_OUT, 17), put_u32(&length, 1), put_u32(&length, UINT32_MAX);
    put_u32(&length, 1), put_u32(&length, 1), put(&length, "x", 1), put_record(&length, IMPORT_END, 0);
    put_record(&good, IMPORT_END, 0);
    assert_true(try_stream(&good, good.size));
    assert_false(try_stream(&no_node, no_node.size));
    assert_false(try_stream(&fate, fate.size));
    assert_false(try_stream(&scale, scale.size));
    assert_false(try_stream(&length, length.size));
}

static void bad_triangles_are_counted_and_dropped(void **state) {
    (void)state;
    double points[15];
    memcpy(points, corner, sizeof corner);
    points[11] = (double)NAN;                       /* of point 3 */
    points[12] = 1e38, points[13] = points[14] = 0; /* point 4 */
    const uint32_t indices[18] = {0, 2, 1, 0, 1, 3, 0, 1, 4, 0, 1, 5, 0, 1, UINT32_MAX, 2, 1, 0};
    bytes b = {.size = 0};
    put_start(&b);
    put_mesh(&b, 5, 6, points, indices);
    put_node(&b, IMPORT_NONE, 0);
    put_record(&b, IMPORT_END, 0);
    import_data data;
    char *refused;
    const char *wrong;
    assert_true(import_parse(b.data, b.size, &data, &refused, &wrong));
    import_vet(&data);
    assert_int_equal(data.meshes[0].bad_points, 2);
    assert_int_equal(data.meshes[0].bad_indices, 2);
    assert_int_equal(data.meshes[0].triangle_count, 2);
    const uint32_t left[6] = {0, 2, 1, 2, 1, 0};
    assert_memory_equal(data.meshes[0].indices, left, sizeof left);
    for (int i = 0; i < 15; i++) assert_true(data.meshes[0].points[i] <= IMPORT_COORD_MAX); /* nothing bad stays */
    import_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_stream_is_taken_as_it_is),
        cmocka_unit_test(every_shortened_stream_is_refused),
        cmocka_unit_test(changed_streams_are_survived),
        cmocka_unit_test(references_must_exist),
        cmocka_unit_test(bad_triangles_are_counted_and_dropped),
        cmocka_unit_test(properties_and_places_must_make_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
