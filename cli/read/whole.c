/* Whether a file is all there: see whole.h. Assimp takes a PLY, an OFF or a text STL that ends too early for a smaller
 * one, and repeats faces in place of those that a PLY lacks. PLY and OFF say in their head how much is to come, a text
 * STL, a DXF and an SMD say where they end. An OBJ says nothing of the kind; of it a last line may be half, and some
 * programs begin it with the number of faces. What these heads say that is not understood here is left to the importer.
 */
#define _GNU_SOURCE /* memmem */
#include "read/whole.h"

#include "read/import.h"
#include "read/model_text.h"
#include "read/ply.h"
#include "read/words.h"

#include <libxml/hash.h>
#include <libxml/xmlreader.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- OFF --------------------------------------------------------------------------------------------------------- */

/* The next line with anything in it but a comment. Some files end lines with a carriage return alone. */
static bool next_content(bytes *b, bytes *line) {
    while (b->at < b->end) {
        *line = (bytes){b->at, b->at};
        while (line->end < b->end && *line->end != '\n' && *line->end != '\r') line->end++;
        b->at = line->end < b->end ? line->end + 1 : b->end;
        const char *comment = memchr(line->at, '#', (size_t)(line->end - line->at));
        if (comment) line->end = comment;
        bytes rest = *line;
        const bytes word = next_word(&rest);
        if (word.at < word.end) return true;
    }
    return false;
}

/* Forms that the importer does not know, or takes for plain ones: its points would lie elsewhere. */
static const char *refuse_off_form(bytes b, const char *format) {
    (void)format;
    bytes line;
    if (!next_content(&b, &line)) return NULL;
    bytes keyword = next_word(&line);
    if (word_is(next_word(&line), "BINARY")) return "a binary OFF is not read: write it as text";
    for (; keyword.at < keyword.end && *keyword.at != 'O'; keyword.at++) {
        if (*keyword.at == '4' || *keyword.at == 'n') return "an OFF whose points have more than three coordinates";
        if (*keyword.at == 'S') return "an OFF with texture coordinates (STOFF) is not read: write it without";
    }
    return NULL;
}

/* In place of a point that is not there the importer takes another. */
static bool off_face_is_right(bytes line, uint64_t points) {
    uint64_t corners, point;
    if (!word_number(next_word(&line), &corners)) return true;
    for (uint64_t i = 0; i < corners; i++) {
        const bytes word = next_word(&line);
        if (word.at == word.end) return true;
        if (!word_number(word, &point) || point >= points) return false;
    }
    return true;
}

/* A point and a face have a line each. */
static bool off_is_whole(bytes b, bool *bad_face) {
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
    for (uint64_t i = 0; i < faces; i++) {
        if (!next_content(&b, &line)) return false;
        *bad_face |= !off_face_is_right(line, points);
    }
    if (faces == 0 || !word_number(next_word(&line), &corners)) return true;
    for (uint64_t i = 0; i < corners; i++) {
        const bytes word = next_word(&line);
        if (word.at == word.end) return false;
    }
    return true;
}

static const char *refuse_off(bytes b, const char *format) {
    const char *form = refuse_off_form(b, format);
    bool bad_face = false;
    const bool whole = form || off_is_whole(b, &bad_face);
    if (form) return form;
    if (whole) return bad_face ? "a face of it has a point that does not exist" : NULL;
    return "the file is cut off: its head announces more (in lines of one point or face each)";
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

/* Of a binary STL, whose head announces triangles of 50 bytes: they are all of the file. NULL of a text. */
static const char *refuse_binary_stl(bytes b, const char *format) {
    (void)format;
    if (is_text_stl(b)) return NULL;
    static char why[160]; /* this process looks at one file */
    const uint64_t size = (uint64_t)(b.end - b.at);
    if (size < STL_HEAD) return "the file is cut off: a binary STL has 84 bytes before its triangles";
    const unsigned char *at = (const unsigned char *)b.at + STL_HEAD - 4;
    const uint64_t announced = at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
    const uint64_t holds = (size - STL_HEAD) / STL_TRIANGLE;
    if (size == STL_HEAD + STL_TRIANGLE * announced) return "it has no triangles";
    if (announced > holds)
        snprintf(why, sizeof why,
                 "the file is cut off, or no STL: its head announces %llu triangles, and it holds %llu",
                 (unsigned long long)announced, (unsigned long long)holds);
    else
        snprintf(why, sizeof why,
                 "the file is damaged, or no STL: its head announces %llu triangles, and %llu bytes follow on these",
                 (unsigned long long)announced, (unsigned long long)(size - STL_HEAD - announced * STL_TRIANGLE));
    return why;
}

/* --- DXF --------------------------------------------------------------------------------------------------------- */

/* Its lines are pairs of a code and a value; the last is 0, EOF. */
static bool dxf_is_whole(bytes b) {
    bool after_zero = false;
    for (bytes line; next_line(&b, &line);) {
        const bytes word = next_word(&line);
        if (after_zero && word_is(word, "EOF")) return true;
        after_zero = word_is(word, "0");
    }
    return false;
}

/* --- SMD --------------------------------------------------------------------------------------------------------- */

/* Its sections begin with a word in a line and end with one. */
static bool smd_is_whole(bytes b) {
    static const char *const sections[] = {"nodes", "skeleton", "triangles", "vertexanimation"};
    bool within = false;
    for (bytes line; next_line(&b, &line);) {
        const bytes word = next_word(&line);
        for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) within |= word_is(word, sections[i]);
        within = within && !word_is(word, "end");
    }
    return !within;
}

/* --- OBJ --------------------------------------------------------------------------------------------------------- */

/* The last line where nothing ends it, else an empty one. One that goes on with the line before is not looked at. */
static bytes unended_line(bytes b) {
    const char *line = b.end;
    while (line > b.at && line[-1] != '\n') line--;
    const char *before = line > b.at ? line - 1 : line;
    while (before > b.at && before[-1] == '\r') before--;
    return (bytes){before > b.at && before[-1] == '\\' ? b.end : line, b.end};
}

/* How many slashes a corner has, and whether a digit is last: "1/2/3", "1//3" and "1//" in numbers. */
static unsigned form_of_corner(bytes word) {
    unsigned slashes = 0;
    for (const char *c = word.at; c < word.end; c++) slashes += *c == '/';
    return 2 * slashes + (word.end[-1] >= '0' && word.end[-1] <= '9');
}

static unsigned word_count(bytes line) {
    unsigned count = 0;
    for (bytes word = next_word(&line); word.at < word.end; word = next_word(&line)) count++;
    return count;
}

/* In a last line without an end something is missing: a point's numbers, corners, or a piece of the last one. */
static bool obj_is_whole(bytes b) {
    const bytes line = unended_line(b);
    if (line.at == line.end) return true;
    bytes rest = line;
    const bytes letter = next_word(&rest);
    const unsigned words = word_count(rest);
    const char last = line.end[-1];
    if (word_is(letter, "v")) return words >= 3 && last != '-' && last != '+' && last != 'e' && last != 'E';
    if (!word_is(letter, "f")) return true;
    if (words < 3) return false;
    const unsigned form = form_of_corner(next_word(&rest));
    bytes corner = next_word(&rest);
    while (corner.at < corner.end && form_of_corner(corner) == form) corner = next_word(&rest);
    return corner.at == corner.end;
}

/* "# Faces: 12", as MeshLab writes, "# number of triangles: 12", as Open3D; 0: not such a line. */
static uint64_t announced_faces(bytes line) {
    static const char *const words[2][4] = {{"#", "Faces:"}, {"#", "number", "of", "triangles:"}};
    uint64_t count = 0;
    for (int k = 0; k < 2; k++) {
        bytes rest = line;
        int i = 0;
        while (i < 4 && words[k][i] && word_is(next_word(&rest), words[k][i])) i++;
        if ((i == 4 || !words[k][i]) && word_number(next_word(&rest), &count)) return count;
    }
    return 0;
}

static const char *doubt_obj(bytes b) {
    bytes end = unended_line(b);
    const bytes end_word = next_word(&end);
    uint64_t announced = 0, triangles = 0;
    bool in_head = true;
    char last = 0;
    for (bytes line; next_line(&b, &line);) {
        const bytes whole = line, word = next_word(&line);
        if (word.end - word.at != 1) continue;
        const char letter = *word.at;
        in_head = in_head && letter == '#';
        if (in_head && announced == 0) announced = announced_faces(whole);
        if (letter == 'v' || letter == 'f' || letter == 'l' || letter == 'p') last = letter;
        const unsigned corners = letter == 'f' ? word_count(line) : 0; /* of one that goes on in the next line, some */
        triangles += corners > 2 ? corners - 2 : corners > 0;
    }
    if (triangles < announced) return "the file may be cut off: a comment in its head announces more faces";
    if (triangles > 0 && last == 'v') return "the file may be cut off: it ends with points that no face has";
    if (!word_is(end_word, "f") && !word_is(end_word, "v")) return NULL;
    return NOTE_WARNING "its last line has no end: if it was cut off there, faces are missing";
}

/* --- XML --------------------------------------------------------------------------------------------------------- */

enum { XML_HEAD = 4096 };

/* Nothing else is opened, and entities are not replaced. */
static xmlTextReader *read_xml(bytes b) {
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE;
    return xmlReaderForMemory(b.at, (int)(b.end - b.at), NULL, "UTF-8", options);
}

/* Where it is not well-formed. */
static const char *refuse_xml(bytes b, const char *format) {
    (void)format;
    bytes rest = b;
    const bytes word = next_word(&rest);
    if (word.at == word.end || *word.at != '<' || b.end - b.at > INT_MAX) return NULL;
    static char why[240]; /* this process looks at one file */
    xmlTextReader *reader = read_xml(b);
    int state = reader ? 1 : 0;
    while (state == 1) state = xmlTextReaderRead(reader);
    const xmlError *error = state < 0 ? xmlGetLastError() : NULL;
    const bool has = error && error->message;
    if (has)
        snprintf(why, sizeof why, "its XML is damaged or cut off, line %d: %.*s", error->line,
                 (int)strcspn(error->message, "\n"), error->message);
    xmlFreeTextReader(reader);
    return has ? why : NULL;
}

/* Of a Collada: whether a node is skewed, on which Assimp 5.2 dies. */
static bool has_skew(bytes b) {
    const size_t size = (size_t)(b.end - b.at);
    if (size > INT_MAX || !memmem(b.at, size < XML_HEAD ? size : XML_HEAD, "<COLLADA", 8) ||
        !memmem(b.at, size, "<skew", 5))
        return false;
    xmlTextReader *reader = read_xml(b);
    bool found = false;
    while (reader && !found && xmlTextReaderRead(reader) == 1)
        found = xmlTextReaderNodeType(reader) == XML_READER_TYPE_ELEMENT &&
                xmlStrEqual(xmlTextReaderConstLocalName(reader), (const xmlChar *)"skew");
    xmlFreeTextReader(reader);
    return found;
}

/* The importer turns by an axis as if it were of length 1, and takes another point for one below 0. */
static bool turns_oddly(xmlTextReader *reader) {
    xmlChar *text = xmlTextReaderReadString(reader);
    double turn[4] = {0, 0, 0, 0};
    const char *at = text ? (const char *)text : "";
    for (int i = 0; i < 4; i++) {
        char *end;
        turn[i] = strtod(at, &end);
        at = end;
    }
    xmlFree(text);
    return turn[3] != 0 && fabs(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] - 1) > 1e-3;
}

static bool has_corner_below_zero(bytes b) {
    for (const char *p = b.at; (p = memmem(p, (size_t)(b.end - p), "<p>", 3)) != NULL;) {
        const char *end = memchr(p + 3, '<', (size_t)(b.end - p - 3));
        if (!end) return false;
        if (memchr(p, '-', (size_t)(end - p))) return true;
        p = end;
    }
    return false;
}

/* Of the sources, those whose numbers are not all named X, Y and Z: of points the importer then takes the first number
 * of each for what is missing. */
typedef struct nameless {
    xmlHashTable *sources;
    xmlChar *source; /* in which the reader stands */
    unsigned named;  /* bits of X, Y, Z */
} nameless;

static void note_params(nameless *n, xmlTextReader *reader, bool begins) {
    const xmlChar *element = xmlTextReaderConstLocalName(reader);
    if (begins && xmlStrEqual(element, (const xmlChar *)"source")) {
        xmlFree(n->source);
        n->source = xmlTextReaderGetAttribute(reader, (const xmlChar *)"id");
    }
    const bool is_accessor = xmlStrEqual(element, (const xmlChar *)"accessor");
    if (begins && is_accessor) n->named = 0;
    if (begins && xmlStrEqual(element, (const xmlChar *)"param")) {
        xmlChar *name = xmlTextReaderGetAttribute(reader, (const xmlChar *)"name");
        for (unsigned k = 0; k < 3; k++) n->named |= name && name[0] == "XYZ"[k] && !name[1] ? 1u << k : 0;
        xmlFree(name);
    }
    const bool ends = !begins || xmlTextReaderIsEmptyElement(reader);
    if (is_accessor && ends && n->named != 7 && n->source) xmlHashAddEntry(n->sources, n->source, n);
}

/* Is it the input of points, from a source that was noted? Sources stand before what uses them. */
static bool has_nameless_points(const nameless *n, xmlTextReader *reader) {
    if (!xmlStrEqual(xmlTextReaderConstLocalName(reader), (const xmlChar *)"input")) return false;
    xmlChar *semantic = xmlTextReaderGetAttribute(reader, (const xmlChar *)"semantic");
    xmlChar *source = xmlTextReaderGetAttribute(reader, (const xmlChar *)"source");
    const bool found = xmlStrEqual(semantic, (const xmlChar *)"POSITION") && source && source[0] == '#' &&
                       xmlHashLookup(n->sources, source + 1);
    xmlFree(semantic);
    xmlFree(source);
    return found;
}

static const char *refuse_collada(bytes b) {
    if (has_corner_below_zero(b)) return "a face of it has a point that does not exist";
    if (b.end - b.at > INT_MAX) return NULL;
    const char *why = NULL;
    nameless n = {.sources = xmlHashCreate(0)};
    xmlTextReader *reader = n.sources ? read_xml(b) : NULL;
    while (reader && !why && xmlTextReaderRead(reader) == 1) {
        const int type = xmlTextReaderNodeType(reader);
        if (type != XML_READER_TYPE_ELEMENT && type != XML_READER_TYPE_END_ELEMENT) continue;
        note_params(&n, reader, type == XML_READER_TYPE_ELEMENT);
        if (type != XML_READER_TYPE_ELEMENT) continue;
        if (has_nameless_points(&n, reader))
            why = "the numbers of its points are not named X, Y and Z (<param>): export it anew, or as GLB";
        if (xmlStrEqual(xmlTextReaderConstLocalName(reader), (const xmlChar *)"rotate") && turns_oddly(reader))
            why = "a node of it is turned about an axis that is not of length 1, which is not read: export it with "
                  "matrices";
    }
    xmlFreeTextReader(reader);
    xmlFree(n.source);
    xmlHashFree(n.sources, NULL);
    return why;
}

/* --- RAW --------------------------------------------------------------------------------------------------------- */

/* Whether it has triangles of several groups, on which Assimp 5.2 dies. What is no number names the next group. */
static bool has_groups(bytes b) {
    bytes line;
    bool begins = true;
    for (int groups = 0; next_content(&b, &line);) {
        const bytes word = next_word(&line);
        if (!strchr("0123456789+-.", *word.at)) {
            begins = true;
        } else if (begins) {
            begins = false;
            if (++groups == 2) return true;
        }
    }
    return false;
}

/* --- any --------------------------------------------------------------------------------------------------------- */

static const char *refuse_cut(bytes b, const char *format) {
    if (strstr(format, "(PLY)") && ply_is_flat(b)) return "its points lack an x, a y or a z";
    if (strstr(format, "(PLY)")) return ply_is_whole(b) ? NULL : "the file is cut off: its head announces more";
    if (strstr(format, "Collada")) return refuse_collada(b);
    if (strstr(format, "OFF")) return refuse_off(b, format);
    if (strstr(format, "SMD")) return smd_is_whole(b) ? NULL : "the file is cut off: a section of it has no end";
    if (strstr(format, "(DXF)")) return dxf_is_whole(b) ? NULL : "the file is cut off: EOF is missing";
    if (strstr(format, "(STL)"))
        return !is_text_stl(b) || text_stl_ends(b) ? NULL : "the file is cut off: endsolid is missing";
    if (!strstr(format, "Wavefront")) return NULL;
    return obj_is_whole(b) ? NULL : "the file is cut off: its last line is not whole";
}

static const char *refuse_harmful(bytes b, const char *format) {
    (void)format;
    if (ply_is_endless(b) && b.end - b.at > 4 && b.at[3] == '\r' && b.at[4] != '\n')
        return "the lines of its head end with carriage returns alone, which is not read of a binary PLY: write it "
               "anew";
    if (ply_is_endless(b)) return "the file is cut off: its head has no end";
    return has_skew(b) ? "a node of it is skewed (<skew>), which is not read: export it with matrices" : NULL;
}

static const char *doubt(bytes b, const char *format) { return strstr(format, "Wavefront") ? doubt_obj(b) : NULL; }

static const char *look_at(const char *path, const char *format, const char *(*look)(bytes, const char *)) {
    model_text t;
    if (!model_text_open(path, &t)) return NULL;
    const char *found = look((bytes){t.bytes, t.bytes + t.size}, format);
    model_text_close(&t);
    return found;
}

const char *whole_harmful(const char *path) { return look_at(path, "", refuse_harmful); }
const char *whole_refuse(const char *path, const char *format) { return look_at(path, format, refuse_cut); }
static bool is_named(const char *path, const char *ending) {
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ending) == 0;
}
const char *whole_unreadable(const char *path) {
    const char *why = is_named(path, ".stl") ? look_at(path, "", refuse_binary_stl) : NULL;
    if (!why && is_named(path, ".stl")) why = look_at(path, "(STL)", refuse_cut);
    if (!why && is_named(path, ".off")) why = look_at(path, "", refuse_off_form);
    return why ? why : look_at(path, "", refuse_xml);
}
static const char *refuse_deadly(bytes b, const char *format) {
    (void)format;
    return has_groups(b)
               ? "it has several groups of triangles, which Assimp cannot read of a RAW: leave their names out"
               : NULL;
}
const char *whole_deadly(const char *path) { return is_named(path, ".raw") ? look_at(path, "", refuse_deadly) : NULL; }
const char *whole_doubt(const char *path, const char *format) { return look_at(path, format, doubt); }
