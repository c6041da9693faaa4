/* Text in UTF-16 and UTF-32 as UTF-8: see encoding.h. */
#define _POSIX_C_SOURCE 200809L /* fmemopen */
#include "common/encoding.h"

#include "common/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct wide_text {
    const unsigned char *at;
    size_t size;
    unsigned unit; /* bytes: 2 or 4 */
    bool big;      /* big endian */
} wide_text;

enum { ASCII_AT_LEAST = 4, REPLACEMENT = 0xfffd, LINES_MOST = 64 << 20 };

static uint32_t unit_at(const wide_text *t, size_t at) {
    uint32_t value = 0;
    for (unsigned i = 0; i < t->unit; i++) value |= (uint32_t)t->at[at + i] << 8 * (t->big ? t->unit - 1 - i : i);
    return value;
}

static bool begins_in_ascii(const wide_text *t) {
    if (t->size / t->unit < ASCII_AT_LEAST) return false;
    for (size_t i = 0; i < ASCII_AT_LEAST; i++) {
        const uint32_t c = unit_at(t, i * t->unit);
        if (!(c >= ' ' && c <= '~') && !(c >= '\t' && c <= '\r')) return false;
    }
    return true;
}

/* The mark of UTF-32 in little endian begins with that of UTF-16. */
static bool find_form(const char *bytes, size_t size, wide_text *out) {
    static const struct {
        const char *mark;
        unsigned length;
        bool big;
    } forms[] = {{"\xff\xfe\0\0", 4, false}, {"\0\0\xfe\xff", 4, true}, {"\xff\xfe", 2, false}, {"\xfe\xff", 2, true}};
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const unsigned n = forms[i].length;
        if (size < n || memcmp(bytes, forms[i].mark, n) != 0) continue;
        *out = (wide_text){at + n, size - n, n, forms[i].big};
        return true;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        *out = (wide_text){at, size, forms[i].length, forms[i].big};
        if (begins_in_ascii(out)) return true;
    }
    return false;
}

/* The next character; one of UTF-16 beyond 16 bits is a pair of units. */
static uint32_t next_character(wide_text *t) {
    if (t->size < t->unit) {
        t->size = 0;
        return REPLACEMENT;
    }
    uint32_t c = unit_at(t, 0);
    t->at += t->unit, t->size -= t->unit;
    if (t->unit == 2 && c >= 0xd800 && c < 0xdc00 && t->size >= 2) {
        const uint32_t low = unit_at(t, 0);
        if (low >= 0xdc00 && low < 0xe000) {
            t->at += 2, t->size -= 2;
            return 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
        }
    }
    return c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? REPLACEMENT : c;
}

static size_t put_utf8(char *out, uint32_t c) {
    const unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3; /* bytes behind the first */
    static const unsigned char first[4] = {0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(first[more] | c >> 6 * more);
    for (unsigned i = 1; i <= more; i++) out[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
    return more + 1;
}

char *utf8_of_wide(const char *bytes, size_t size, size_t *out_size) {
    wide_text t;
    errno = 0;
    if (!find_form(bytes, size, &t) || size > SIZE_MAX / 4) return NULL;
    /* A unit of two bytes becomes three at most, one of four becomes four, and a byte alone three. */
    char *out = malloc(t.size / 2 * 3 + 4);
    if (!out) {
        errno = ENOMEM;
        return NULL;
    }
    size_t used = 0;
    while (t.size > 0) {
        const uint32_t c = next_character(&t);
        if (c == 0) {
            free(out);
            return NULL;
        }
        used += put_utf8(out + used, c);
    }
    out[used] = 0;
    *out_size = used;
    return out;
}

void text_to_utf8(char **text, size_t *size) {
    size_t wide_size;
    char *wide = utf8_of_wide(*text, *size, &wide_size);
    if (wide) {
        free(*text);
        *text = wide, *size = wide_size;
        return;
    }
    const size_t mark = utf8_mark(*text, *size);
    *size -= mark;
    memmove(*text, *text + mark, *size + 1);
}

/* The rest of the file in UTF-8, as a file in memory; NULL with errno. */
static FILE *rest_as_utf8(FILE *file) {
    char *bytes = malloc(LINES_MOST + 1), *text = NULL;
    size_t size = 0;
    const size_t got = bytes ? fread(bytes, 1, LINES_MOST + 1, file) : 0;
    if (bytes && !ferror(file) && got <= LINES_MOST) text = utf8_of_wide(bytes, got, &size);
    const int error = !bytes ? ENOMEM : ferror(file) ? EIO : got > LINES_MOST ? EFBIG : EILSEQ;
    FILE *out = text && size > 0 ? fmemopen(NULL, size, "w+b") : NULL;
    if (out && (fwrite(text, 1, size, out) != size || fseek(out, 0, SEEK_SET) != 0)) {
        fclose(out);
        out = NULL;
    }
    free(bytes);
    free(text);
    errno = error;
    return out;
}

FILE *open_as_utf8(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    const int first = getc(file);
    if (first != EOF) ungetc(first, file);
    if (first != 0xff && first != 0xfe) return file; /* neither begins a character of UTF-8 */
    FILE *text = rest_as_utf8(file);
    const int error = errno;
    fclose(file);
    errno = error;
    return text;
}
