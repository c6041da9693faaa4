/* Snapshots with one field that cannot be: each is refused by itself, and what lies just within is taken. */
#include "scene.h"

#include <math.h>

/* Bytes as base/codec.h writes them: the lowest first. */
static void put_number(unsigned char *at, uint64_t n, int bytes) {
    for (int i = 0; i < bytes; ++i) at[i] = (unsigned char)(n >> 8 * i);
}
static void put_real(unsigned char *at, cm_real x) {
#if defined(CAROM_F64)
    uint64_t bits;
#else
    uint32_t bits;
#endif
    memcpy(&bits, &x, sizeof bits);
    put_number(at, bits, sizeof bits);
}

enum { REAL = sizeof(cm_real) };

/* Of a ball in slot 0: where its fields stand after the head. */
enum {
    AT_ID = 0,
    AT_FLAGS = 4,
    AT_KIND = 20,
    AT_RADIUS = 24,
    AT_ROTATION = AT_RADIUS + 4 * REAL + 3 * REAL,
    AT_SLACK = AT_ROTATION + 4 * REAL + 12 * REAL,
    AT_MARGIN = AT_SLACK + REAL,
    AT_MODE = AT_MARGIN + REAL + 12
};

static void each_wrong_field_of_a_slot_is_refused(void **state) {
    (void)state;
    cm_world *world;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    const size_t head = cm_world_save(world, NULL, NULL, 0);
    const cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    uint32_t id;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    unsigned char right[1024], bytes[1024];
    const size_t size = cm_world_save(world, NULL, right, sizeof right);
    assert_true(size == head + AT_MODE + 4);
    const struct {
        const char *what;
        size_t at;
        bool real;
        uint32_t number;
        cm_real value;
        cm_status status;
    } rows[] = {
        {"the id of another slot", AT_ID, false, 0x1000001, 0, CM_BAD_DATA},
        {"no generation", AT_ID, false, 0, 0, CM_BAD_DATA},
        {"a later generation", AT_ID, false, 0x2000000, 0, CM_OK},
        {"a flag that there is not", AT_FLAGS, false, 0x40000001, 0, CM_BAD_DATA},
        {"a flag that no snapshot has", AT_FLAGS, false, 1 | 32, 0, CM_BAD_DATA},
        {"fixed", AT_FLAGS, false, 1 | 2, 0, CM_OK},
        {"no kind", AT_KIND, false, CM_SHAPE_KINDS, 0, CM_BAD_DATA},
        {"a kind that points somewhere", AT_KIND, false, CM_SHAPE_HULL, 0, CM_BAD_DATA},
        {"a negative radius", AT_RADIUS, true, 0, -1, CM_BAD_DATA},
        {"a rotation of no length", AT_ROTATION + 3 * REAL, true, 0, 0, CM_BAD_DATA},
        {"a negative slack", AT_SLACK, true, 0, -1, CM_BAD_DATA},
        {"no number as slack", AT_SLACK, true, 0, (cm_real)NAN, CM_BAD_DATA},
        {"too large a slack", AT_SLACK, true, 0, 2 * CM_COORD_MAX, CM_BAD_DATA},
        {"the largest slack", AT_SLACK, true, 0, CM_COORD_MAX, CM_OK},
        {"a negative margin", AT_MARGIN, true, 0, -1, CM_BAD_DATA},
        {"no number as margin", AT_MARGIN, true, 0, (cm_real)NAN, CM_BAD_DATA},
        {"too large a margin", AT_MARGIN, true, 0, 2 * CM_COORD_MAX, CM_BAD_DATA},
        {"the largest margin", AT_MARGIN, true, 0, CM_COORD_MAX, CM_OK},
        {"the last mode", AT_MODE, false, CM_WORLD_SWEEP_NEVER, 0, CM_OK},
        {"no mode", AT_MODE, false, CM_WORLD_SWEEP_NEVER + 1, 0, CM_BAD_DATA},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        memcpy(bytes, right, size);
        if (rows[i].real)
            put_real(bytes + head + rows[i].at, rows[i].value);
        else
            put_number(bytes + head + rows[i].at, rows[i].number, 4);
        const uint64_t before = cm_world_hash(world);
        const cm_status status = cm_world_restore(world, NULL, bytes, size);
        check_that(status == rows[i].status, "%s: %s", rows[i].what, cm_status_text(status));
        check_that(status == CM_OK || cm_world_hash(world) == before, "%s changes the world", rows[i].what);
    }
    cm_world_destroy(world);
}

/* As many as the world takes, and one more. */
static void a_snapshot_of_more_objects_than_the_limit_is_refused(void **state) {
    (void)state;
    const cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    const cm_world_desc two = {.limit = 2};
    cm_world *world, *other;
    unsigned char bytes[1024];
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    assert_int_equal(cm_world_create(&two, &other, NULL), CM_OK);
    for (uint32_t i = 1; i <= 3; ++i) {
        uint32_t id;
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
        const size_t size = cm_world_save(world, NULL, bytes, sizeof bytes);
        assert_true(size > 0 && size <= sizeof bytes);
        const cm_status status = cm_world_restore(other, NULL, bytes, size);
        check_that(status == (i <= 2 ? CM_OK : CM_LIMIT), "%u: %s", i, cm_status_text(status));
    }
    cm_world_destroy(world), cm_world_destroy(other);
}

/* The numbers of free slots stand last where nothing touches: each once, of a slot that there is and that nothing
 * stands in. Those that were freed since the last update stand for themselves. */
static void a_free_slot_that_cannot_be_is_refused(void **state) {
    (void)state;
    const cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    for (int updated = 0; updated < 2; ++updated) {
        cm_world *world;
        unsigned char bytes[1024];
        uint32_t ids[3];
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        for (int i = 0; i < 3; ++i) assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
        for (int i = 1; i < 3; ++i) assert_int_equal(cm_world_remove(world, ids[i]), CM_OK);
        if (updated) assert_int_equal(cm_world_update(world, NULL), CM_OK);
        const size_t size = cm_world_save(world, NULL, bytes, sizeof bytes);
        assert_true(size > 0 && size <= sizeof bytes);
        const uint32_t last = bytes[size - 4], other = last == 1 ? 2 : 1;
        assert_true(last == 1 || last == 2);
        const uint32_t bad[] = {0, other, 3, 4, 0xffffff, 0x1000001, UINT32_MAX};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
            put_number(bytes + size - 4, bad[i], 4);
            const cm_status status = cm_world_restore(world, NULL, bytes, size);
            check_that(status == CM_BAD_DATA, "slot %u: %s", bad[i], cm_status_text(status));
        }
        put_number(bytes + size - 4, last, 4);
        assert_int_equal(cm_world_restore(world, NULL, bytes, size), CM_OK);
        for (int i = 0; i < 3; ++i) assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
        assert_int_equal(cm_world_count(world), 4);
        cm_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wrong_field_of_a_slot_is_refused),
        cmocka_unit_test(a_snapshot_of_more_objects_than_the_limit_is_refused),
        cmocka_unit_test(a_free_slot_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
