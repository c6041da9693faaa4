/* ZIP archives with sizes in the fields of 64 bits that large files need, as some programs write all of theirs. */
#ifndef TEST_CLI_ZIP_WIDE_H
#define TEST_CLI_ZIP_WIDE_H

#include "cli/command.h"

/* Where: before each file (Python's zipfile, where it is asked for), in the directory (lib3mf), in its end. */
enum { WIDE_FILES = 1, WIDE_DIRECTORY = 2, WIDE_END = 4 };

static inline size_t small_number(const unsigned char *at, int bytes) {
    size_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (size_t)at[i] << 8 * i;
    return value;
}
static inline unsigned char *put_small(unsigned char *at, int bytes, size_t value) {
    for (int i = 0; i < bytes; i++) at[i] = i < (int)sizeof value ? (unsigned char)(value >> 8 * i & 0xff) : 0;
    return at + bytes;
}

/* Copies a head of `size` bytes and its name, whose sizes stand at `sizes` and the length of its fields at `fields`;
 * they move to a field before the others, of `length` bytes. Returns the end. */
static inline unsigned char *put_wide_head(unsigned char *to, const unsigned char *head, size_t size, size_t sizes,
                                           size_t fields, size_t packed, size_t unpacked, size_t length) {
    const size_t name = small_number(head + fields - 2, 2), rest = small_number(head + fields, 2);
    memcpy(to, head, size + name);
    memset(to + sizes, 0xff, 8);
    put_small(to + fields, 2, rest + 4 + length);
    unsigned char *field = to + size + name;
    put_small(put_small(put_small(put_small(field, 2, 1), 2, length), 8, unpacked), 8, packed);
    memcpy(field + 4 + length, head + size + name, rest);
    return field + 4 + length + rest;
}

/* The archive at `path`, its sizes written so; the fields of the first `broken` entries of the directory lack a byte.
 */
static inline const char *write_wide(const char *name, const char *path, unsigned where, size_t broken) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const size_t size = (size_t)ftell(file), end = size - 22;
    rewind(file);
    unsigned char *zip = malloc(size);
    assert_true(zip && fread(zip, 1, size, file) == size);
    fclose(file);
    const size_t count = small_number(zip + end + 10, 2);
    unsigned char *out = malloc(size + 40 * count + 100), *directory = malloc(size + 20 * count), *to = out;
    assert_true(out && directory);
    unsigned char *entry = directory;
    for (size_t at = small_number(zip + end + 16, 4); at < end;) {
        const size_t packed = small_number(zip + at + 20, 4), unpacked = small_number(zip + at + 24, 4);
        const size_t name_and_rest = small_number(zip + at + 28, 2) + small_number(zip + at + 30, 2);
        const unsigned char *head = zip + small_number(zip + at + 42, 4);
        const size_t head_size = 30 + small_number(head + 26, 2) + small_number(head + 28, 2);
        const size_t from = (size_t)(to - out);
        if (where & WIDE_FILES)
            to = put_wide_head(to, head, 30, 18, 28, packed, unpacked, 16);
        else
            memcpy(to, head, head_size), to += head_size;
        memcpy(to, head + head_size, packed), to += packed;
        unsigned char *begin = entry;
        if (where & WIDE_DIRECTORY)
            entry = put_wide_head(entry, zip + at, 46, 20, 30, packed, unpacked, broken > 0 ? 15 : 16);
        else
            memcpy(entry, zip + at, 46 + name_and_rest), entry += 46 + name_and_rest;
        broken -= broken > 0;
        put_small(begin + 42, 4, from);
        at += 46 + name_and_rest;
    }
    const size_t first = (size_t)(to - out), used = (size_t)(entry - directory);
    memcpy(to, directory, used), to += used;
    if (where & WIDE_END) {
        const size_t wide_end = (size_t)(to - out);
        to = put_small(put_small(put_small(to, 4, 0x06064b50), 8, 44), 4, 45 << 16 | 45);
        to = put_small(put_small(put_small(to, 8, 0), 8, count), 8, count);
        to = put_small(put_small(to, 8, used), 8, first);
        to = put_small(put_small(put_small(put_small(to, 4, 0x07064b50), 4, 0), 8, wide_end), 4, 1);
    }
    memcpy(to, zip + end, 22);
    put_small(to + 12, 4, used);
    put_small(to + 16, 4, where & WIDE_END ? 0xffffffff : first);
    const char *written = write_bytes(name, out, (size_t)(to + 22 - out));
    free(zip), free(out), free(directory);
    return written;
}

#endif
