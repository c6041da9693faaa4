/* Messages, memory and text: see text.h. */
#include "common/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool messages_held;
static text_buffer messages;

void messages_hold(void) { messages_held = true; }

char *messages_take(void) {
    char *all = copy_text(messages.bytes ? messages.bytes : "");
    free(messages.bytes);
    messages = (text_buffer){0};
    messages_held = false;
    return all;
}

static void say(const char *prefix, const char *format, va_list arguments) {
    char raw[4096];
    vsnprintf(raw, sizeof raw, format, arguments);
    char *clean = clean_text(raw, sizeof raw);
    if (messages_held)
        text_add(&messages, "carom: %s%s\n", prefix, clean);
    else
        fprintf(stderr, "carom: %s%s\n", prefix, clean);
    free(clean);
}

int complain(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    return code;
}

void warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", format, arguments);
    va_end(arguments);
}

static void out_of_memory(void) {
    fputs("carom: out of memory\n", stderr);
    exit(EXIT_INTERNAL);
}

void *allocate(size_t count, size_t size) {
    void *block = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (!block) out_of_memory();
    return block;
}

/* Not zeroed: malloc hands out what was given back lately, which calloc looks for in longer lists. */
static char *text_room(size_t size) {
    char *text = malloc(size);
    if (!text) out_of_memory();
    return text;
}

void *grow(void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return array;
    size_t wanted = *capacity > 0 ? *capacity * 2 : 16;
    if (wanted > SIZE_MAX / size) out_of_memory();
    void *block = realloc(array, wanted * size);
    if (!block) out_of_memory();
    *capacity = wanted;
    return block;
}

uint64_t hash_text(uint64_t hash, const char *text) {
    do hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    while (*text++);
    return hash;
}

char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = text_room(size);
    memcpy(copy, text, size);
    return copy;
}

static void text_add_list(text_buffer *buffer, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) return;
    size_t wanted = buffer->used + (size_t)length + 1;
    if (wanted > buffer->capacity) {
        size_t capacity = wanted * 2;
        char *bytes = realloc(buffer->bytes, capacity);
        if (!bytes) out_of_memory();
        buffer->bytes = bytes, buffer->capacity = capacity;
    }
    vsnprintf(buffer->bytes + buffer->used, (size_t)length + 1, format, arguments);
    buffer->used += (size_t)length;
}

void text_add(text_buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_add_list(buffer, format, arguments);
    va_end(arguments);
}

char *format_text(const char *format, ...) {
    text_buffer buffer = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&buffer, format, arguments);
    va_end(arguments);
    return buffer.bytes ? buffer.bytes : copy_text("");
}

/* One character of UTF-8 (no overlong forms, no surrogates); its length in bytes, or 0 where there is none. */
static size_t decode(const unsigned char *at, size_t left, uint32_t *character) {
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t c = at[0];
    size_t length = c < 0x80                ? 1
                    : c >= 0xf0 && c < 0xf8 ? 4
                    : c >= 0xe0 && c < 0xf0 ? 3
                    : c >= 0xc0 && c < 0xe0 ? 2
                                            : 0;
    if (length == 0 || length > left) return 0;
    if (length > 1) c &= 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        c = (c << 6) | (at[i] & 0x3fu);
    }
    if (c < smallest[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return 0;
    *character = c;
    return length;
}

/* Characters that move the cursor, break lines, or turn the writing direction. */
static bool is_hostile(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c < 0xfffd) || c == 0xfffe || c == 0xffff;
}

bool is_formula(const char *text) {
    const char *first = text + strspn(text, "'");
    return *first && strchr("=+-@", *first);
}

char *clean_text(const char *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    const unsigned char *zero = memchr(bytes, 0, size);
    size_t left = zero ? (size_t)(zero - at) : size, plain = 0;
    while (plain < left && at[plain] >= ' ' && at[plain] <= '~') plain++;
    char *clean = text_room(plain + (left - plain) * 3 + 1); /* U+FFFD takes three bytes */
    size_t used = plain;
    if (plain > 0) memcpy(clean, at, plain);
    at += plain, left -= plain;
    while (left > 0) {
        uint32_t character = 0;
        size_t length = decode(at, left, &character);
        if (length == 0 || is_hostile(character)) {
            memcpy(clean + used, "\xef\xbf\xbd", 3);
            used += 3;
            if (length == 0) length = 1;
        } else {
            memcpy(clean + used, at, length);
            used += length;
        }
        at += length, left -= length;
    }
    clean[used] = 0;
    return clean;
}

size_t utf8_mark(const char *text, size_t size) { return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; }

/* How many columns a terminal gives a character: none to what is put on the one before it, two to what is East Asian
 * wide [UAX 11] and to pictures. By blocks: in a block that has both, the wider. */
static size_t character_width(uint32_t c) {
    static const struct {
        uint32_t first, last;
    } none[] = {{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
                {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}},
      two[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},
               {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (c >= none[i].first && c <= none[i].last) return 0;
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (c >= two[i].first && c <= two[i].last) return 2;
    return 1;
}

/* The length in bytes of the first character of a text that is not at its end, and its width; a byte that is no UTF-8
 * is one of width 1. */
static size_t first_character(const char *text, size_t *width) {
    uint32_t character = 0;
    const size_t length = decode((const unsigned char *)text, strlen(text) < 4 ? strlen(text) : 4, &character);
    *width = length > 0 ? character_width(character) : 1;
    return length > 0 ? length : 1;
}

size_t text_width(const char *text) {
    size_t columns = 0, width;
    for (; *text; columns += width) text += first_character(text, &width);
    return columns;
}

char *shorten_text(const char *text, size_t columns) {
    size_t width = text_width(text);
    if (width <= columns) return copy_text(text);
    if (columns == 0) return copy_text("");
    const size_t head = (columns - 1) / 2, tail = columns - 1 - head;
    char *shorter = allocate(strlen(text) + 4, 1);
    size_t used = 0, column = 0, own;
    bool cut = false;
    while (*text) {
        const size_t length = first_character(text, &own);
        const bool in_tail = column + tail >= width && (own > 0 || (cut && column > width - tail));
        if (column + own <= head && !cut) {
            memcpy(shorter + used, text, length), used += length;
        } else {
            if (!cut) memcpy(shorter + used, "\xe2\x80\xa6", 3), used += 3;
            cut = true;
            if (in_tail) memcpy(shorter + used, text, length), used += length;
        }
        column += own, text += length;
    }
    return shorter;
}

const char *plural(unsigned long long count) { return count == 1 ? "" : "s"; }

const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

char *pair_split(const char *pair, const char **second) {
    const char *colon = pair;
    while (*colon && *colon != ':') colon += colon[0] == '\\' && colon[1] ? 2 : 1;
    if (!*colon || colon == pair || !colon[1]) return NULL;
    char *copy = copy_text(pair);
    copy[colon - pair] = 0;
    *second = copy + (colon - pair) + 1;
    return copy;
}
