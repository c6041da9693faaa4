/* Whether a file is all there: see whole.h. Assimp takes a PLY, an OFF or a text STL that ends too early for a smaller
 * one, and repeats faces in place of those that a PLY lacks. PLY and OFF say in their head how much is to come, a text
 * STL says where it ends. What these heads say that is not understood here is left to the importer. */
#define _DEFAULT_SOURCE
#include "read/whole.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct bytes {
    const char *at, *end;
} bytes;

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The next word of the line, or of all that is left; empty where there is none. */
static bytes next_word(bytes *b) {
    while (b->at < b->end && is_blank(*b->at)) b->at++;
    bytes word = {b->at, b->at};
    while (b->at < b->end && !is_blank(*b->at)) b->at++;
    word.end = b->at;
    return word;
}
/* The next line without what ends it. False at the end. */
static bool next_line(bytes *b, bytes *line) {
    if (b->at >= b->end) return false;
    const char *newline = memchr(b->at, '\n', (size_t)(b->end - b->at));
    *line = (bytes){b->at, newline ? newline : b->end};
    b->at = newline ? newline + 1 : b->end;
    return true;
}
static bool word_is(bytes word, const char *text) {
    return (size_t)(word.end - word.at) == strlen(text) && memcmp(word.at, text, strlen(text)) == 0;
}
static bool word_number(bytes word, uint64_t *out) {
    char text[24];
    const size_t length = (size_t)(word.end - word.at);
    if (length == 0 || length >= sizeof text || word.at[0] < '0' || word.at[0] > '9') return false;
    memcpy(text, word.at, length);
    text[length] = 0;
    char *end;
    *out = strtoull(text, &end, 10);
    return *end == 0;
}

/* --- PLY --------------------------------------------------------------------------------------------------------- */

enum { ELEMENTS = 32, PROPERTIES = 256 };
typedef struct property {
    unsigned size, count_size; /* bytes of a value; of the number of values, 0: there is one */
} property;
typedef struct element {
    uint64_t count;
    unsigned first, end; /* properties */
} element;
typedef struct ply_head {
    enum { PLY_TEXT, PLY_LITTLE, PLY_BIG } kind;
    element elements[ELEMENTS];
    property properties[PROPERTIES];
    unsigned element_count, property_count;
} ply_head;

/* 0: not a type of a PLY. */
static unsigned type_size(bytes word) {
    static const struct {
        const char *name;
        unsigned size;
    } types[] = {{"char", 1},  {"uchar", 1},   {"int8", 1},   {"uint8", 1},  {"short", 2}, {"ushort", 2},
                 {"int16", 2}, {"uint16", 2},  {"int", 4},    {"uint", 4},   {"int32", 4}, {"uint32", 4},
                 {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (word_is(word, types[i].name)) return types[i].size;
    return 0;
}

static bool read_property(bytes line, ply_head *out) {
    bytes type = next_word(&line);
    property p = {0, 0};
    if (word_is(type, "list")) {
        type = next_word(&line);
        p.count_size = word_is(type, "float") || word_is(type, "float32") ? 0 : type_size(type);
        if (p.count_size == 0 || p.count_size > 4) return false;
        type = next_word(&line);
    }
    p.size = type_size(type);
    if (p.size == 0 || out->element_count == 0 || out->property_count == PROPERTIES) return false;
    out->properties[out->property_count++] = p;
    out->elements[out->element_count - 1].end = out->property_count;
    return true;
}

/* Leaves `b` behind the head. False where it is not understood. */
static bool read_ply_head(bytes *b, ply_head *out) {
    *out = (ply_head){0};
    for (bytes line; next_line(b, &line);) {
        const bytes word = next_word(&line);
        if (word_is(word, "end_header")) return true;
        if (word_is(word, "format")) {
            const bytes kind = next_word(&line);
            out->kind = word_is(kind, "ascii") ? PLY_TEXT : word_is(kind, "binary_big_endian") ? PLY_BIG : PLY_LITTLE;
        } else if (word_is(word, "element")) {
            uint64_t count;
            next_word(&line);
            if (out->element_count == ELEMENTS || !word_number(next_word(&line), &count)) return false;
            out->elements[out->element_count++] = (element){count, out->property_count, out->property_count};
        } else if (word_is(word, "property") && !read_property(line, out)) {
            return false;
        }
    }
    return false;
}

static bool skip_text(bytes *b, property p) {
    uint64_t count = 1;
    if (p.count_size > 0 && !word_number(next_word(b), &count)) return false;
    for (uint64_t i = 0; i < count; i++) {
        const bytes word = next_word(b);
        if (word.at == word.end) return false;
    }
    return true;
}

static bool skip_binary(bytes *b, property p, bool big) {
    uint64_t count = 1;
    if (p.count_size > 0) {
        if ((size_t)(b->end - b->at) < p.count_size) return false;
        count = 0;
        for (unsigned i = 0; i < p.count_size; i++)
            count |= (uint64_t)(unsigned char)b->at[big ? p.count_size - 1 - i : i] << (8 * i);
        b->at += p.count_size;
    }
    if ((uint64_t)(b->end - b->at) < count * p.size) return false;
    b->at += count * p.size;
    return true;
}

/* Each round takes at least a byte or ends, so that no count makes this long. */
static bool ply_is_whole(bytes b) {
    ply_head head;
    if (!read_ply_head(&b, &head)) return true;
    for (unsigned e = 0; e < head.element_count; e++) {
        const element *el = &head.elements[e];
        for (uint64_t i = 0; i < el->count && el->first < el->end; i++)
            for (unsigned k = el->first; k < el->end; k++) {
                const property p = head.properties[k];
                if (!(head.kind == PLY_TEXT ? skip_text(&b, p) : skip_binary(&b, p, head.kind == PLY_BIG)))
                    return false;
            }
    }
    return true;
}

/* --- OFF --------------------------------------------------------------------------------------------------------- */

/* The next line with anything in it but a comment. */
static bool next_content(bytes *b, bytes *line) {
    while (next_line(b, line)) {
        const char *comment = memchr(line->at, '#', (size_t)(line->end - line->at));
        if (comment) line->end = comment;
        bytes rest = *line;
        const bytes word = next_word(&rest);
        if (word.at < word.end) return true;
    }
    return false;
}

/* A point and a face have a line each. */
static bool off_is_whole(bytes b) {
    bytes line, rest;
    uint64_t points, faces, corners;
    if (!next_content(&b, &line)) return true;
    rest = line;
    if (!word_number(next_word(&rest), &points)) { /* the keyword, with the numbers behind it or in the next line */
        bytes behind = rest;
        const bytes word = next_word(&behind);
        if (word.at == word.end && !next_content(&b, &rest)) return true;
        if (!word_number(next_word(&rest), &points)) return true;
    }
    if (!word_number(next_word(&rest), &faces)) return true;
    for (uint64_t i = 0; i < points; i++)
        if (!next_content(&b, &line)) return false;
    for (uint64_t i = 0; i < faces; i++)
        if (!next_content(&b, &line)) return false;
    if (faces == 0 || !word_number(next_word(&line), &corners)) return true;
    for (uint64_t i = 0; i < corners; i++) {
        const bytes word = next_word(&line);
        if (word.at == word.end) return false;
    }
    return true;
}

/* --- STL --------------------------------------------------------------------------------------------------------- */

enum { STL_HEAD = 84, STL_TRIANGLE = 50 };

static bool is_text_stl(bytes b) {
    const size_t size = (size_t)(b.end - b.at);
    const bytes word = next_word(&b);
    if (word.end - word.at != 5 || strncasecmp(word.at, "solid", 5) != 0) return false;
    if (size < STL_HEAD) return true;
    const unsigned char *n = (const unsigned char *)b.end - size + STL_HEAD - 4;
    const uint64_t triangles = n[0] | (uint64_t)n[1] << 8 | (uint64_t)n[2] << 16 | (uint64_t)n[3] << 24;
    return size != STL_HEAD + STL_TRIANGLE * triangles;
}

/* Its last line is "endsolid NAME"; some write "end solid". */
static bool text_stl_ends(bytes b) {
    while (b.end > b.at && (unsigned char)b.end[-1] <= ' ') b.end--;
    const char *line = b.end;
    while (line > b.at && line[-1] != '\n' && line[-1] != '\r') line--;
    bytes last = {line, b.end};
    bytes word = next_word(&last);
    if (word.end - word.at == 3 && strncasecmp(word.at, "end", 3) == 0) {
        word = next_word(&last);
        return word.end - word.at >= 5 && strncasecmp(word.at, "solid", 5) == 0;
    }
    return word.end - word.at >= 8 && strncasecmp(word.at, "endsolid", 8) == 0;
}

/* --- any --------------------------------------------------------------------------------------------------------- */

static const char *look(bytes b, const char *format) {
    if (strstr(format, "(PLY)")) return ply_is_whole(b) ? NULL : "the file is cut off: its head announces more";
    if (strstr(format, "OFF")) return off_is_whole(b) ? NULL : "the file is cut off: its head announces more";
    if (strstr(format, "(STL)"))
        return !is_text_stl(b) || text_stl_ends(b) ? NULL : "the file is cut off: endsolid is missing";
    return NULL;
}

const char *whole_refuse(const char *path, const char *format) {
    struct stat s;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    const char *refused = NULL;
    if (fstat(fd, &s) == 0 && s.st_size > 0) {
        const size_t size = (size_t)s.st_size;
        char *all = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (all != MAP_FAILED) {
            refused = look((bytes){all, all + size}, format);
            munmap(all, size);
        }
    }
    close(fd);
    return refused;
}
