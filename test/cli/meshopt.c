/* Streams by hand, for what the tools of today do not write or not always; gltf.c has theirs. */
#include "support/support.h"

#include "read/meshopt.h"

/* Three elements of four bytes in version 1, their differences stored plainly: `deltas` byte by byte. */
static bool decode_words(unsigned char mode, uint32_t before, const uint32_t deltas[3], uint32_t out[3]) {
    unsigned char bytes[1 + 1 + 12 + 24] = {0xa1, 0xff}, decoded[12]; /* 0xff: all four bytes are plain */
    for (size_t k = 0; k < 4; k++) {
        for (size_t i = 0; i < 3; i++) bytes[2 + 3 * k + i] = (unsigned char)(deltas[i] >> (8 * k));
        bytes[sizeof bytes - 5 + k] = (unsigned char)(before >> (8 * k));
    }
    bytes[sizeof bytes - 1] = mode;
    if (!meshopt_decode(MESHOPT_ATTRIBUTES, bytes, sizeof bytes, 3, 4, decoded)) return false;
    for (size_t i = 0; i < 3; i++) {
        out[i] = 0;
        for (size_t k = 0; k < 4; k++) out[i] |= (uint32_t)decoded[4 * i + k] << (8 * k);
    }
    for (size_t size = 0; size < sizeof bytes; size++) /* the end is known to be missing, however much of it */
        check_that(!meshopt_decode(MESHOPT_ATTRIBUTES, bytes, size, 3, 4, decoded), "%zu of %zu bytes were taken", size,
                   sizeof bytes);
    return true;
}

static void check_words(const uint32_t got[3], uint32_t a, uint32_t b, uint32_t c) {
    check_that(got[0] == a && got[1] == b && got[2] == c, "%08x %08x %08x, expected %08x %08x %08x", got[0], got[1],
               got[2], a, b, c);
}

static void differences_are_of_bytes_of_pairs_and_of_words(void **state) {
    (void)state;
    uint32_t out[3];
    /* +1 is 2, -1 is 1 */
    assert_true(decode_words(0, 0x000000ff, (const uint32_t[]){0x02, 0x0100, 0x01}, out));
    check_words(out, 0x00000000, 0x0000ff00, 0x0000ffff); /* bytes wrap alone */
    assert_true(decode_words(1, 0x000000ff, (const uint32_t[]){0x02, 0x010000, 0x01}, out));
    check_words(out, 0x00000100, 0xffff0100, 0xffff00ff); /* pairs of bytes carry */
    assert_true(decode_words(0x42, 0x3f800000, (const uint32_t[]){0x10, 0, 0x0f}, out));
    check_words(out, 0x3f800001, 0x3f800001, 0xcf800001); /* turned right by 4 bits, exclusive or */
    assert_true(decode_words(2, 0x3f800000, (const uint32_t[]){1, 2, 4}, out));
    check_words(out, 0x3f800001, 0x3f800003, 0x3f800007);
    assert_false(decode_words(3, 0, (const uint32_t[]){0, 0, 0}, out)); /* no such mode */
}

/* Five triangles of new vertices, then one on the last edge whose corner has code 13: in version 0 the fourteenth last
 * vertex, in version 1 the one before the last that was told. */
static void both_versions_of_triangles_are_read(void **state) {
    (void)state;
    unsigned char bytes[1 + 6 + 16] = {0xe0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0x0d}, out[18 * 2];
    static const uint16_t last[2][3] = {{12, 14, 1}, {12, 14, 0xffff}};
    for (unsigned version = 0; version < 2; version++) {
        bytes[0] = (unsigned char)(0xe0 + version);
        assert_true(meshopt_decode(MESHOPT_TRIANGLES, bytes, sizeof bytes, 18, 2, out));
        for (unsigned i = 0; i < 18; i++) {
            unsigned index = out[2 * i] | (unsigned)out[2 * i + 1] << 8, want = i < 15 ? i : last[version][i - 15];
            check_that(index == want, "version %u, index %u is %u, expected %u", version, i, index, want);
        }
    }
    bytes[0] = 0xe2;
    assert_false(meshopt_decode(MESHOPT_TRIANGLES, bytes, sizeof bytes, 18, 2, out));
}

/* Two sequences, each by its differences: 10, 12 and 200, and 11 again in the first. */
static void index_sequences_are_read(void **state) {
    (void)state;
    static const unsigned char bytes[] = {0xd1, 40, 8, 0xa1, 6, 2, 0, 0, 0, 0}; /* 400 << 1 | 1 is 801: two bytes */
    static const uint32_t want[4] = {10, 12, 200, 11};
    unsigned char out[16];
    assert_true(meshopt_decode(MESHOPT_INDICES, bytes, sizeof bytes, 4, 4, out));
    for (size_t i = 0; i < 4; i++)
        check_that(out[4 * i] == want[i] && out[4 * i + 1] == 0, "index %zu is %u, expected %u", i, out[4 * i],
                   want[i]);
    assert_false(meshopt_decode(MESHOPT_INDICES, bytes, sizeof bytes - 1, 4, 4, out));
}

static void room_is_asked_for_before_it_is_made(void **state) {
    (void)state;
    assert_true(meshopt_may_hold(MESHOPT_ATTRIBUTES, 1000, 16, 100));
    assert_false(meshopt_may_hold(MESHOPT_ATTRIBUTES, (size_t)1 << 32, 16, 1000));
    assert_false(meshopt_may_hold(MESHOPT_ATTRIBUTES, 1, 0, 100));
    assert_false(meshopt_may_hold(MESHOPT_ATTRIBUTES, 1, 6, 100));
    assert_false(meshopt_may_hold(MESHOPT_ATTRIBUTES, 1, 260, 100));
    assert_false(meshopt_may_hold(MESHOPT_TRIANGLES, 4, 2, 100));
    assert_false(meshopt_may_hold(MESHOPT_TRIANGLES, 303, 2, 100));
    assert_false(meshopt_may_hold(MESHOPT_INDICES, 101, 4, 100));
    assert_false(meshopt_may_hold(MESHOPT_INDICES, 1, 1, 100));
}

static void filters_give_floats_and_unit_quaternions(void **state) {
    (void)state;
    unsigned char words[8] = {3, 0, 0, 0xff /* 3 * 2^-1 */, 0xff, 0xff, 0xff, 4 /* -1 * 2^4 */};
    float floats[2];
    meshopt_unfilter_exponential(words, 2, 4);
    memcpy(floats, words, sizeof floats);
    check_that(floats[0] == 1.5f && floats[1] == -16.0f, "%g %g, expected 1.5 -16", (double)floats[0],
               (double)floats[1]);
    /* x is the largest and was left out (component 0 of 4; three bits of precision: 4 | 3 is 7); y is 7 of 7 of the
     * square root of a half, so both are it, and the last is w = 0. */
    unsigned char turn[8] = {7, 0, 0, 0, 0, 0, 4, 0};
    meshopt_unfilter_quaternion(turn, 1);
    int16_t q[4];
    for (size_t i = 0; i < 4; i++) q[i] = (int16_t)(turn[2 * i] | turn[2 * i + 1] << 8);
    check_that(q[0] == 23170 && q[1] == 23170 && q[2] == 0 && q[3] == 0, "%d %d %d %d, expected 23170 23170 0 0", q[0],
               q[1], q[2], q[3]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_of_bytes_of_pairs_and_of_words),
        cmocka_unit_test(both_versions_of_triangles_are_read),
        cmocka_unit_test(index_sequences_are_read),
        cmocka_unit_test(room_is_asked_for_before_it_is_made),
        cmocka_unit_test(filters_give_floats_and_unit_quaternions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
