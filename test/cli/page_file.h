/* What stands in a page that the command wrote. */
#ifndef PAGE_FILE_H
#define PAGE_FILE_H

#include "support/support.h"

#include <errno.h>
#include <jansson.h>
#include <zlib.h>

/* The whole file as text; free() it. */
static inline char *read_all(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    check_that(file != NULL, "%s: %s", path, strerror(errno));
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    check_that(fread(text, 1, *size, file) == *size, "%s", path);
    text[*size] = 0;
    fclose(file);
    return text;
}

/* The block of JSON with this id. */
static inline json_t *metadata(const char *page, const char *id) {
    char open[80];
    snprintf(open, sizeof open, "<script type=\"application/json\" id=\"%s\">", id);
    const char *from = strstr(page, open);
    check_that(from != NULL, "no metadata");
    from += strlen(open);
    const char *to = strstr(from, "</script>");
    json_error_t error;
    json_t *meta = json_loadb(from, (size_t)(to - from), 0, &error);
    check_that(meta != NULL, "line %d: %s", error.line, error.text);
    return meta;
}

/* The packed block of this number, unpacked, and a zero behind it; from the last one where it is
 * negative. free() it. */
static inline unsigned char *unpacked(const char *page, int number, size_t *size) {
    static const char open[] = "<script type=\"application/x-carom-packed\">";
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    int count = 0;
    for (const char *at = page; (at = strstr(at, open)) != NULL; at++) count++;
    const char *at = page;
    for (int i = 0, wanted = number < 0 ? count + number : number; i <= wanted; i++) {
        at = strstr(at, open);
        check_that(at != NULL, "no block %d of %d", number, count);
        at += strlen(open);
    }
    const size_t length = strcspn(at, "<");
    unsigned char *packed = malloc(length), *out = NULL;
    size_t n = 0, room = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < length; i++) {
        const char *digit = at[i] == '=' ? NULL : strchr(digits, at[i]);
        if (!digit) continue;
        bits = bits << 6 | (unsigned)(digit - digits);
        if (i % 4 > 0) packed[n++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    int status = Z_BUF_ERROR;
    for (room = 4 * n + 1024; status == Z_BUF_ERROR; room *= 2) {
        out = realloc(out, room);
        uLongf got = room - 1;
        status = uncompress(out, &got, packed, n);
        out[got] = 0;
        *size = got;
    }
    check_that(status == Z_OK, "block %d: zlib says %d", number, status);
    free(packed);
    return out;
}

/* The buffers joined; `size` must be what the metadata say. */
static inline unsigned char *buffers(const char *page, size_t size) {
    static const char open[] = "<script type=\"application/x-carom-buffer\">";
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *bytes = malloc(size + 3);
    size_t n = 0;
    for (const char *at = strstr(page, open); at; at = strstr(at, open)) {
        unsigned bits = 0, count = 0;
        for (at += strlen(open); *at != '<'; at++) {
            const char *digit = *at == '=' ? NULL : strchr(digits, *at);
            if (!digit) continue;
            bits = bits << 6 | (unsigned)(digit - digits);
            if (++count % 4 == 1) continue;
            check_that(n < size, "more than %zu bytes", size);
            bytes[n++] = (unsigned char)(bits >> (6 - 2 * ((count - 1) % 4)));
        }
    }
    check_that(n == size, "%zu bytes of %zu", n, size);
    return bytes;
}

static inline double number(const json_t *object, const char *name) {
    return json_number_value(json_object_get(object, name));
}

static inline uint32_t word_at(const unsigned char *bytes, size_t at) {
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
}
static inline double float_at(const unsigned char *bytes, size_t at) {
    uint32_t bits = word_at(bytes, at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

#endif
