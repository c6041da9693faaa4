/* The objects of an OBJ: see obj_names.h. Assimp takes the name of an object up to its first blank, and objects of one
 * name for one object, so that "o Wall 1" and "o Wall 2", or six bolts that are all called "o Bolt", were one part.
 * Each `o` line begins an object, as in Blender and three.js: its name gets no blanks and occurs once.
 * It also passes over lines that begin with a blank, faces among them: these blanks go. */
#include "read/obj_names.h"

#include "common/text.h"
#include "read/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\t'; }

/* The name on an `o` line without the blanks around it; NULL where it is no such line, or has no name. */
static const char *object_name(const char *line, const char *end, size_t *length) {
    if (end - line < 3 || line[0] != 'o' || !is_space(line[1])) return NULL;
    line++;
    while (line < end && is_space(*line)) line++;
    while (end > line && (is_space(end[-1]) || end[-1] == '\r')) end--;
    *length = (size_t)(end - line);
    return *length > 0 ? line : NULL;
}

/* Does the next line go on with this one? */
static bool is_continued(const char *line, const char *end) {
    while (end > line && end[-1] == '\r') end--;
    return end > line && end[-1] == '\\';
}

static const char *line_end(const char *line, const char *end) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    return newline ? newline : end;
}

/* As the importer is to see it. free() it. */
static char *marked_name(name_set *names, const char *name, size_t length) {
    char *marked = format_text("%.*s", (int)(length < 65536 ? length : 65536), name);
    for (char *c = marked; *c; c++)
        if (is_space(*c)) *c = OBJ_BLANK;
    return name_set_add(names, marked);
}

typedef struct growing {
    char *bytes;
    size_t used, capacity;
} growing;

static void put(growing *g, const char *bytes, size_t size) {
    if (g->used + size > g->capacity) {
        g->capacity = 2 * g->capacity > g->used + size ? 2 * g->capacity : g->used + size;
        g->bytes = realloc(g->bytes, g->capacity);
        if (!g->bytes) abort(); /* in the importer's process, whose end is told */
    }
    memcpy(g->bytes + g->used, bytes, size);
    g->used += size;
}

char *obj_tell_apart(const char *text, size_t size, size_t *out_size) {
    const char *end = text + size, *copied = text;
    growing out = {.bytes = NULL};
    name_set names = {.apart = NULL};
    bool continues = false;
    for (const char *line = text, *next; line < end; line = next) {
        const char *last = line_end(line, end), *first = line;
        next = last < end ? last + 1 : end;
        while (!continues && first < last && is_space(*first)) first++;
        if (first > line) {
            put(&out, copied, (size_t)(line - copied));
            copied = first;
        }
        size_t length;
        const char *name = continues ? NULL : object_name(first, last, &length);
        continues = is_continued(line, last);
        if (!name) continue;
        char *marked = marked_name(&names, name, length);
        if (strlen(marked) != length || memcmp(marked, name, length) != 0) {
            put(&out, copied, (size_t)(name - copied));
            put(&out, marked, strlen(marked));
            copied = name + length;
        }
        free(marked);
    }
    name_set_free(&names);
    if (copied == text) return NULL;
    put(&out, copied, (size_t)(end - copied));
    *out_size = out.used;
    return out.bytes;
}
