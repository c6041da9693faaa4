/* Numbers to bytes and back: where each byte stands, and what is read where there are none left. */
#include "support/support.h"

#include "base/codec.h"

typedef struct record {
    uint32_t count;
    uint64_t user;
    double wide;
    cm_vec3 place;
    cm_quat turn;
} record;

static void code_record(cm__codec *c, record *r) {
    code_u32(c, &r->count), code_u64(c, &r->user), code_double(c, &r->wide);
    code_vec3(c, &r->place), code_quat(c, &r->turn);
}

enum { RECORD_SIZE = 4 + 8 + 8 + 7 * sizeof(cm_real) };

static record some_record(void) {
    record r = {0x01020304u, UINT64_C(0x1112131415161718), -2.5, {1, CM_REAL(-0.0), 3}, {0, 0, CM_REAL(0.5), 1}};
    return r;
}

static void the_lowest_byte_comes_first(void **state) {
    (void)state;
    static const unsigned char start[] = {4,    3,    2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13,
                                          0x12, 0x11, 0, 0, 0,    0,    0,    0,    0x04, 0xc0};
    unsigned char bytes[RECORD_SIZE + 1];
    memset(bytes, 0xee, sizeof bytes);
    record r = some_record();
    cm__codec count = {.way = CM__CODEC_COUNT}, out = {.way = CM__CODEC_WRITE, .out = bytes};
    code_record(&count, &r);
    code_record(&out, &r);
    assert_int_equal(count.at, RECORD_SIZE);
    assert_int_equal(out.at, RECORD_SIZE);
    assert_memory_equal(bytes, start, sizeof start);
    assert_int_equal(bytes[RECORD_SIZE], 0xee);
}

static void what_was_written_is_read(void **state) {
    (void)state;
    unsigned char bytes[RECORD_SIZE];
    record r = some_record(), back = {.count = 7};
    cm__codec out = {.way = CM__CODEC_WRITE, .out = bytes};
    code_record(&out, &r);
    cm__codec in = {.way = CM__CODEC_READ, .in = bytes, .size = sizeof bytes};
    code_record(&in, &back);
    assert_false(in.failed);
    assert_int_equal(in.at, sizeof bytes);
    assert_true(back.count == r.count && back.user == r.user && back.wide == r.wide);
    assert_memory_equal(&back.place, &r.place, sizeof r.place); /* -0 stays -0 */
    assert_memory_equal(&back.turn, &r.turn, sizeof r.turn);
}

/* The first number that does not fit is 0, and all behind it, also those that would fit. */
static void beyond_the_end_are_zeros(void **state) {
    (void)state;
    unsigned char bytes[RECORD_SIZE];
    record r = some_record();
    cm__codec out = {.way = CM__CODEC_WRITE, .out = bytes};
    code_record(&out, &r);
    for (size_t size = 0; size < sizeof bytes; size++) {
        unsigned char *cut = malloc(size + 1); /* so that the sanitizer sees a byte too much */
        assert_non_null(cut);
        memcpy(cut, bytes, size);
        record back = {.count = 7, .user = 7, .wide = 7};
        cm__codec in = {.way = CM__CODEC_READ, .in = cut, .size = size};
        code_record(&in, &back);
        free(cut);
        check_that(in.failed && in.at <= size, "%zu bytes: %zu read", size, in.at);
        assert_true(back.count == (size < 4 ? 0 : r.count) && back.user == (size < 12 ? 0 : r.user));
        assert_true(back.place.x == (size < 20 + sizeof(cm_real) ? 0 : r.place.x) && back.turn.w == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_byte_comes_first),
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(beyond_the_end_are_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
