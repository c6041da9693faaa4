/* Sizes in a ZIP archive: see zip_sizes.h. Programs that write a stream, lib3mf among them, put all sizes into the
 * field of 64 bits that large files need (APPNOTE 4.5.3): minizip 1.1 leaves that unread, and takes each file for 4 GB.
 */
#include "common/zip_sizes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_BYTES = 22, ENTRY_BYTES = 46, COMMENT_MOST = 65535, WIDE_FIELD = 1, SKIPPED_FIELD = 0x9999 };
static const uint32_t ELSEWHERE = UINT32_MAX;

static uint64_t number_at(const char *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)(unsigned char)at[i] << 8 * i;
    return value;
}

static void put_number(char *at, unsigned bytes, uint64_t value) {
    for (unsigned i = 0; i < bytes; i++) at[i] = (char)(value >> 8 * i & 0xff);
}

typedef struct zip_bytes {
    const char *bytes;
    size_t size;
} zip_bytes;

static void *open_bytes(void *archive, const void *path, int mode) {
    (void)path, (void)mode;
    const zip_bytes *a = archive;
    return fmemopen((char *)(uintptr_t)a->bytes, a->size, "rb");
}

unzFile zip_open(const char *bytes, size_t size) {
    zip_bytes archive = {bytes, size}; /* minizip opens it once, here */
    zlib_filefunc64_def files;
    fill_fopen64_filefunc(&files);
    files.zopen64_file = open_bytes, files.opaque = &archive;
    return unzOpen2_64("", &files);
}

/* The directory's end, which a comment may follow; NULL where there is none. */
static const char *find_end(const char *bytes, size_t size) {
    for (size_t behind = END_BYTES; behind <= size && behind <= END_BYTES + COMMENT_MOST; behind++)
        if (memcmp(bytes + size - behind, "PK\5\6", 4) == 0) return bytes + size - behind;
    return NULL;
}

/* Moves the sizes of an entry, and where it begins, out of its wide field. False where they do not fit. */
static bool narrow_field(char *entry, char *field, size_t length) {
    static const int places[] = {24, 20, 42}; /* unpacked, packed, beginning: in the order of the field */
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (number_at(entry + places[i], 4) != ELSEWHERE) continue;
        if (length < 8 || number_at(field, 8) >= ELSEWHERE) return false;
        put_number(entry + places[i], 4, number_at(field, 8));
        field += 8, length -= 8;
    }
    return true;
}

/* False where the entry has no wide field, or what it says is needed. */
static bool narrow_entry(char *entry, size_t name, size_t extra) {
    char *at = entry + ENTRY_BYTES + name, *end = at + extra;
    while (end - at >= 4) {
        const size_t length = (size_t)number_at(at + 2, 2);
        if (length > (size_t)(end - at) - 4) return false;
        if (number_at(at, 2) == WIDE_FIELD) {
            put_number(at, 2, SKIPPED_FIELD);
            return narrow_field(entry, at + 4, length);
        }
        at += 4 + length;
    }
    return false;
}

/* Where the directory begins; of a large archive, or one written as such, its end says that elsewhere (4.3.15). */
static uint64_t find_directory(const char *bytes, const char *end) {
    enum { LOCATOR_BYTES = 20, WIDE_END_BYTES = 56 };
    const uint64_t first = number_at(end + 16, 4), before = (uint64_t)(end - bytes);
    const char *locator = end - LOCATOR_BYTES;
    if (first != ELSEWHERE || before < LOCATOR_BYTES || memcmp(locator, "PK\6\7", 4) != 0) return first;
    const uint64_t wide_end = number_at(locator + 8, 8);
    if (before < WIDE_END_BYTES || wide_end > before - WIDE_END_BYTES) return first;
    return number_at(bytes + wide_end + 48, 8);
}

char *zip_plain_sizes(const char *bytes, size_t size) {
    errno = 0;
    const char *end = size >= END_BYTES && memcmp(bytes, "PK\3\4", 4) == 0 ? find_end(bytes, size) : NULL;
    const uint64_t directory = end ? find_directory(bytes, end) : 0, last = end ? (uint64_t)(end - bytes) : 0;
    char *out = end && directory < last ? malloc(size) : NULL;
    if (!out) return NULL;
    memcpy(out, bytes, size);
    bool changed = false;
    for (size_t at = (size_t)directory; last - at >= ENTRY_BYTES && memcmp(out + at, "PK\1\2", 4) == 0;) {
        const size_t name = (size_t)number_at(out + at + 28, 2), extra = (size_t)number_at(out + at + 30, 2);
        const size_t length = ENTRY_BYTES + name + extra + (size_t)number_at(out + at + 32, 2);
        if (length > last - at) break;
        changed |= narrow_entry(out + at, name, extra);
        at += length;
    }
    if (changed) return out;
    free(out);
    return NULL;
}
