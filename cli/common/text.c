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
    char *copy = allocate(size, 1);
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

char *clean_text(const char *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    const unsigned char *zero = memchr(bytes, 0, size);
    size_t left = zero ? (size_t)(zero - at) : size;
    char *clean = allocate(left * 3 + 1, 1); /* U+FFFD takes three bytes */
    size_t used = 0;
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
    return clean;
}

static bool starts_character(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

size_t text_width(const char *text) {
    size_t columns = 0;
    for (; *text; text++) columns += starts_character(*text);
    return columns;
}

char *shorten_text(const char *text, size_t columns) {
    size_t width = text_width(text);
    if (width <= columns) return copy_text(text);
    if (columns == 0) return copy_text("");
    size_t head = (columns - 1) / 2, skip_to = width - (columns - 1 - head);
    char *shorter = allocate(strlen(text) + 4, 1);
    size_t used = 0, column = 0;
    for (const char *at = text; *at; at++) {
        if (starts_character(*at)) {
            if (column == head) {
                memcpy(shorter + used, "\xe2\x80\xa6", 3);
                used += 3;
            }
            column++;
        }
        if (column <= head || column > skip_to) shorter[used++] = *at;
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
