/* A PLY before the importer reads it: see ply.h.
 *
 * Assimp 5.2 takes the rows of an element that stands before the points for points, makes one triangle of a strip of
 * any length, reads a text by lines where the format has words, and skips bytes 10 and 13 behind the head also where
 * they are the first of a number. Such files are written anew for it. */
#define _DEFAULT_SOURCE
#include "read/ply.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NO_MEMORY = 5, ELEMENTS = 32, PROPERTIES = 256 };
typedef enum number_type { NOT_A_TYPE, INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64 } number_type;
typedef enum property_role { OTHER, X, Y, Z, CORNERS } property_role;
typedef enum element_role { NEITHER, POINTS, FACES, STRIPS } element_role;
typedef struct property {
    number_type type, count_type; /* of a value; of the number of values, NOT_A_TYPE: there is one */
    property_role role;
} property;
typedef struct element {
    element_role role;
    uint64_t count;
    unsigned first, end; /* properties */
} element;
typedef struct ply_head {
    enum { PLY_TEXT, PLY_LITTLE, PLY_BIG } kind;
    element elements[ELEMENTS];
    property properties[PROPERTIES];
    unsigned element_count, property_count;
} ply_head;

/* --- the head ---------------------------------------------------------------------------------------------------- */

static unsigned type_size(number_type type) {
    static const unsigned sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

static number_type type_named(bytes word) {
    static const char *const names[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                           {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                           {"float", "float32"}, {"double", "float64"}}; /* as number_type has them */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (word_is(word, names[i][0]) || word_is(word, names[i][1])) return (number_type)(INT8 + i);
    return NOT_A_TYPE;
}

static property_role property_named(bytes word, bool is_list) {
    if (is_list) return word_is(word, "vertex_indices") || word_is(word, "vertex_index") ? CORNERS : OTHER;
    return word_is(word, "x") ? X : word_is(word, "y") ? Y : word_is(word, "z") ? Z : OTHER;
}

static element_role element_named(bytes word) {
    return word_is(word, "vertex")      ? POINTS
           : word_is(word, "face")      ? FACES
           : word_is(word, "tristrips") ? STRIPS
                                        : NEITHER;
}

static bool read_property(bytes line, ply_head *out) {
    bytes type = next_word(&line);
    property p = {NOT_A_TYPE, NOT_A_TYPE, OTHER};
    const bool is_list = word_is(type, "list");
    if (is_list) {
        p.count_type = type_named(next_word(&line));
        if (p.count_type == NOT_A_TYPE || p.count_type >= FLOAT32) return false;
        type = next_word(&line);
    }
    p.type = type_named(type);
    p.role = property_named(next_word(&line), is_list);
    if (p.type == NOT_A_TYPE || out->element_count == 0 || out->property_count == PROPERTIES) return false;
    out->properties[out->property_count++] = p;
    out->elements[out->element_count - 1].end = out->property_count;
    return true;
}

/* Leaves `b` behind the head. False where it is not understood. */
static bool read_head(bytes *b, ply_head *out) {
    *out = (ply_head){0};
    for (bytes line; next_line(b, &line);) {
        const bytes word = next_word(&line);
        if (word_is(word, "end_header")) return true;
        if (word_is(word, "format")) {
            const bytes kind = next_word(&line);
            out->kind = word_is(kind, "ascii") ? PLY_TEXT : word_is(kind, "binary_big_endian") ? PLY_BIG : PLY_LITTLE;
        } else if (word_is(word, "element")) {
            element e = {element_named(next_word(&line)), 0, out->property_count, out->property_count};
            if (out->element_count == ELEMENTS || !word_number(next_word(&line), &e.count)) return false;
            out->elements[out->element_count++] = e;
        } else if (word_is(word, "property") && !read_property(line, out)) {
            return false;
        }
    }
    return false;
}

bool ply_is_flat(bytes b) {
    ply_head head;
    if (!read_head(&b, &head)) return false;
    bool points = false, has[4] = {false, false, false, false};
    for (unsigned k = 0; k < head.element_count; k++) {
        const element *e = &head.elements[k];
        if (e->role != POINTS) continue;
        points = true;
        for (unsigned p = e->first; p < e->end; p++)
            if (head.properties[p].role >= X && head.properties[p].role <= Z) has[head.properties[p].role] = true;
    }
    return points && !(has[X] && has[Y] && has[Z]);
}

bool ply_is_endless(bytes b) {
    bytes line;
    if (!next_line(&b, &line) || !word_is(next_word(&line), "ply")) return false;
    while (next_line(&b, &line))
        if (word_is(next_word(&line), "end_header")) return false;
    return true;
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

static bool read_word(bytes *b, double *out) {
    char text[64];
    const bytes word = next_word(b);
    const size_t length = (size_t)(word.end - word.at);
    if (length == 0 || length >= sizeof text) return false;
    memcpy(text, word.at, length);
    text[length] = 0;
    char *end;
    *out = strtod(text, &end);
    return *end == 0;
}

static double number_of_bits(number_type type, uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float single;
    double number;
    switch (type) {
    case INT8:
        return (double)(int8_t)low;
    case INT16:
        return (double)(int16_t)low;
    case INT32:
        return (double)(int32_t)low;
    case FLOAT32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case FLOAT64:
        memcpy(&number, &bits, sizeof number);
        return number;
    default:
        return (double)bits;
    }
}

static bool read_bytes(bytes *b, number_type type, bool big, double *out) {
    const unsigned size = type_size(type);
    uint64_t bits = 0;
    if ((size_t)(b->end - b->at) < size) return false;
    for (unsigned i = 0; i < size; i++) bits |= (uint64_t)(unsigned char)b->at[big ? size - 1 - i : i] << (8 * i);
    b->at += size;
    *out = number_of_bits(type, bits);
    return true;
}

static bool read_number(bytes *b, const ply_head *head, number_type type, double *out) {
    return head->kind == PLY_TEXT ? read_word(b, out) : read_bytes(b, type, head->kind == PLY_BIG, out);
}

/* --- is it whole? ------------------------------------------------------------------------------------------------ */

static bool skip_text(bytes *b, property p) {
    uint64_t count = 1;
    if (p.count_type && !word_number(next_word(b), &count)) return false;
    for (uint64_t i = 0; i < count; i++) {
        const bytes word = next_word(b);
        if (word.at == word.end) return false;
    }
    return true;
}

static bool skip_binary(bytes *b, property p, bool big) {
    double count = 1;
    if (p.count_type && !read_bytes(b, p.count_type, big, &count)) return false;
    const uint64_t size = type_size(p.type);
    if (!(count >= 0) || (uint64_t)(b->end - b->at) < (uint64_t)count * size) return false;
    b->at += (uint64_t)count * size;
    return true;
}

static bool skip_element(bytes *b, const ply_head *head, const element *e) {
    for (uint64_t i = 0; i < e->count && e->first < e->end; i++)
        for (unsigned k = e->first; k < e->end; k++) {
            const property p = head->properties[k];
            if (!(head->kind == PLY_TEXT ? skip_text(b, p) : skip_binary(b, p, head->kind == PLY_BIG))) return false;
        }
    return true;
}

/* Is there a line with its end for each row? VCGLIB writes more into a line than its head says, and the importer takes
 * a line for a row. */
static bool has_a_line_a_row(bytes b, const ply_head *head) {
    uint64_t rows = 0, lines = 0;
    for (unsigned e = 0; e < head->element_count; e++)
        if (head->elements[e].first < head->elements[e].end) rows += head->elements[e].count;
    for (bytes line; next_line(&b, &line);) {
        const bytes word = next_word(&line);
        lines += word.at < word.end && b.at[-1] == '\n';
    }
    return lines == rows;
}

/* Each round takes at least a byte or ends, so that no count makes this long. */
bool ply_is_whole(bytes b) {
    ply_head head;
    if (!read_head(&b, &head)) return true;
    const bytes rows = b;
    for (unsigned e = 0; e < head.element_count; e++)
        if (!skip_element(&b, &head, &head.elements[e])) return head.kind == PLY_TEXT && has_a_line_a_row(rows, &head);
    return true;
}

/* --- points and faces alone -------------------------------------------------------------------------------------- */

typedef struct piece {
    char *bytes;
    size_t used, room;
} piece;

static void put(piece *p, const void *data, size_t size) {
    if (p->used + size > p->room) {
        p->room = 2 * (p->used + size) + 4096;
        p->bytes = realloc(p->bytes, p->room);
        if (!p->bytes) _exit(NO_MEMORY);
    }
    memcpy(p->bytes + p->used, data, size);
    p->used += size;
}

typedef struct plain {
    piece points, faces;
    uint64_t point_count, face_count;
    uint32_t *corners; /* of the row at hand */
    size_t corner_room;
} plain;

static void put_face(plain *out, const uint32_t *corners, uint32_t count) {
    put(&out->faces, &count, sizeof count);
    put(&out->faces, corners, count * sizeof *corners);
    out->face_count++;
}

/* Each corner from the third on makes a triangle with the two before it, every other turned over; -1 begins anew. What
 * leads from one run to the next has a corner twice. */
static void put_strip(plain *out, const uint32_t *corners, size_t count) {
    size_t start = 0;
    for (size_t i = 0; i < count; i++) {
        if (corners[i] == UINT32_MAX) start = i + 1;
        if (i < start + 2) continue;
        const size_t turned = (i - start) & 1;
        const uint32_t face[3] = {corners[i - 2 + turned], corners[i - 1 - turned], corners[i]};
        if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]) put_face(out, face, 3);
    }
}

static bool is_a_point(double number) { return number >= 0 && number < UINT32_MAX && floor(number) == number; }

/* The values of one property of one row: those of the corners are kept. */
static bool read_values(bytes *b, const ply_head *head, property p, plain *out, double *number, size_t *corners) {
    double count = 1;
    if (p.count_type && !read_number(b, head, p.count_type, &count)) return false;
    if (!(count >= 0) || count > (double)(b->end - b->at) || floor(count) != count) return false;
    if (p.role == CORNERS && (size_t)count > out->corner_room) {
        out->corner_room = (size_t)count;
        out->corners = realloc(out->corners, out->corner_room * sizeof *out->corners);
        if (!out->corners) _exit(NO_MEMORY);
    }
    for (size_t i = 0; i < (size_t)count; i++) {
        if (!read_number(b, head, p.type, number)) return false;
        if (p.role == CORNERS) out->corners[i] = is_a_point(*number) ? (uint32_t)*number : UINT32_MAX;
    }
    if (p.role == CORNERS) *corners = (size_t)count;
    return true;
}

static bool read_row(bytes *b, const ply_head *head, const element *e, plain *out) {
    double point[3] = {0}, number = 0;
    size_t corners = 0;
    for (unsigned k = e->first; k < e->end; k++) {
        const property p = head->properties[k];
        if (!read_values(b, head, p, out, &number, &corners)) return false;
        if (p.role >= X && p.role <= Z) point[p.role - X] = number;
    }
    const char first = 1; /* not a byte that the importer skips */
    if (e->role == POINTS) {
        put(&out->points, &first, 1);
        put(&out->points, point, sizeof point);
        out->point_count++;
    } else if (e->role == STRIPS) {
        put_strip(out, out->corners, corners);
    } else if (e->role == FACES && corners > 0) {
        put_face(out, out->corners, (uint32_t)corners);
    }
    return true;
}

/* False where it does not hold what its head announces, or more. */
static bool read_rows(bytes b, const ply_head *head, plain *out) {
    for (unsigned k = 0; k < head->element_count; k++) {
        const element *e = &head->elements[k];
        for (uint64_t i = 0; i < e->count && e->first < e->end; i++)
            if (!read_row(&b, head, e, out)) return false;
    }
    const bytes behind = next_word(&b);
    return head->kind != PLY_TEXT || behind.at == behind.end;
}

static bool is_mistaken(bytes rows, const ply_head *head) {
    bool points = false;
    for (unsigned k = 0; k < head->element_count; k++) {
        const element *e = &head->elements[k];
        points |= e->role == POINTS;
        if (e->count > 0 && (!points || e->role == STRIPS)) return true;
    }
    if (head->kind == PLY_TEXT) return !has_a_line_a_row(rows, head);
    return rows.at < rows.end && (*rows.at == '\n' || *rows.at == '\r');
}

char *ply_plain(bytes b, size_t *out_size) {
    ply_head head;
    plain out = {0};
    piece all = {0};
    bytes line = b;
    if (!word_is(next_word(&line), "ply") || !read_head(&b, &head) || !is_mistaken(b, &head)) return NULL;
    if (read_rows(b, &head, &out) && out.point_count > 0) {
        const uint16_t one = 1;
        char text[400];
        const int length = snprintf(text, sizeof text,
                                    "ply\nformat binary_%s_endian 1.0\nelement vertex %llu\nproperty uchar first\n"
                                    "property double x\nproperty double y\nproperty double z\nelement face %llu\n"
                                    "property list uint uint vertex_indices\nend_header\n",
                                    *(const char *)&one ? "little" : "big", (unsigned long long)out.point_count,
                                    (unsigned long long)out.face_count);
        put(&all, text, (size_t)length);
        put(&all, out.points.bytes, out.points.used);
        if (out.face_count > 0) put(&all, out.faces.bytes, out.faces.used);
        *out_size = all.used;
    }
    free(out.points.bytes), free(out.faces.bytes), free(out.corners);
    return all.bytes;
}
