/* Lines and words of a text in memory that ends without a 0. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    const char *at, *end;
} bytes;

static inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The next word of the line, or of all that is left; empty where there is none. */
static inline bytes next_word(bytes *b) {
    while (b->at < b->end && is_blank(*b->at)) b->at++;
    bytes word = {b->at, b->at};
    while (b->at < b->end && !is_blank(*b->at)) b->at++;
    word.end = b->at;
    return word;
}
/* The next line without what ends it. False at the end. */
static inline bool next_line(bytes *b, bytes *line) {
    if (b->at >= b->end) return false;
    const char *newline = memchr(b->at, '\n', (size_t)(b->end - b->at));
    *line = (bytes){b->at, newline ? newline : b->end};
    b->at = newline ? newline + 1 : b->end;
    return true;
}
static inline bool word_is(bytes word, const char *text) {
    return (size_t)(word.end - word.at) == strlen(text) && memcmp(word.at, text, strlen(text)) == 0;
}
/* A number of digits alone. */
static inline bool word_number(bytes word, uint64_t *out) {
    char text[24];
    const size_t length = (size_t)(word.end - word.at);
    if (length == 0 || length >= sizeof text || word.at[0] < '0' || word.at[0] > '9') return false;
    memcpy(text, word.at, length);
    text[length] = 0;
    char *end;
    *out = strtoull(text, &end, 10);
    return *end == 0;
}

#endif
