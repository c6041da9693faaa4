/* The model files of a 3MF as one: see package_join.h.
 *
 * All files that the first one leads to are read twice as streams: for the objects and what they ask for, and, where
 * one file is to be made of them, for the bodies, which get numbers of their own. Between, it is made sure that the
 * objects can be built: Assimp follows a ring of objects until its stack ends. Bound: the size of the files, and
 * DEPTH_MOST. */
#include "read/package_join.h"

#include "common/archive.h"
#include "common/zip_sizes.h"

#include <libxml/xmlreader.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NO_MEMORY = 5, FILES_MOST = 4096, DEPTH_MOST = 200, PLACED_MOST = 500000, NAME_MOST = 400, PLACE = 12 };

static const char PRODUCTION[] = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";

typedef struct asked_object {
    uint32_t file;
    int64_t id;
} asked_object;

typedef struct object {
    asked_object self;
    size_t first, count; /* of its components, in join.asked */
    double placed;       /* bodies, where it is placed once */
    unsigned depth;      /* of components in components */
    enum { UNSEEN, OPEN, DONE } state;
} object;

typedef struct join {
    unzFile zip;
    char *files[FILES_MOST]; /* names in the archive, the first is that of the build */
    uint32_t file_count;
    object *objects;
    asked_object *asked, *built;
    size_t object_count, asked_count, built_count;
    char unit[40];
    bool other; /* what is written in another way than the importer reads: in UTF-16, or names with prefixes */
    char *text; /* what is written */
    size_t text_size, text_capacity;
    char wrong[NAME_MOST + 300];
} join;

static bool refuse(join *j, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (!*j->wrong) vsnprintf(j->wrong, sizeof j->wrong, format, arguments);
    va_end(arguments);
    return false;
}

/* Room for one more. */
static void *widen(void *list, size_t count, size_t size) {
    if (count > 0 && (count < 16 || (count & (count - 1)) != 0)) return list;
    list = realloc(list, (count < 16 ? 16 : 2 * count) * size);
    if (!list) _Exit(NO_MEMORY);
    return list;
}

/* --- files of the archive ----------------------------------------------------------------------------------------- */

static int read_bytes(void *zip, char *out, int size) { return unzReadCurrentFile(zip, out, (unsigned)size); }

static void keep_silent(void *user, xmlError *error) { (void)user, (void)error; }

/* A file of the archive as XML; NULL where it is not there. */
static xmlTextReader *open_xml(unzFile zip, const char *name) {
    if (unzLocateFile(zip, name, 2) != UNZ_OK || unzOpenCurrentFile(zip) != UNZ_OK) return NULL;
    xmlTextReader *at = xmlReaderForIO(read_bytes, NULL, zip, NULL, NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
    if (!at) _Exit(NO_MEMORY);
    xmlTextReaderSetStructuredErrorHandler(at, keep_silent, NULL);
    return at;
}

static void close_xml(unzFile zip, xmlTextReader *at) {
    xmlFreeTextReader(at);
    unzCloseCurrentFile(zip);
}

static char *attribute(xmlTextReader *at, const char *name) {
    return (char *)xmlTextReaderGetAttribute(at, (const xmlChar *)name);
}

/* Is it a name from the root of the archive that stays in it? */
static bool stays_inside(const char *name) {
    if (*name != '/' || strchr(name, '\\') || strlen(name) > NAME_MOST) return false;
    for (const char *at = name; *at; at += 1 + strcspn(at + 1, "/"))
        if (strncmp(at, "/..", 3) == 0 && (at[3] == '/' || !at[3])) return false;
    return name[1] != 0;
}

/* The name of the file of the build, without its first '/'; NULL where the archive is no 3MF. */
static char *find_build(unzFile zip) {
    static const char kind[] = "/3dmodel";
    xmlTextReader *at = open_xml(zip, "_rels/.rels");
    char *found = NULL;
    while (at && !found && xmlTextReaderRead(at) == 1) {
        if (xmlTextReaderNodeType(at) != XML_READER_TYPE_ELEMENT) continue;
        char *type = attribute(at, "Type"), *target = attribute(at, "Target");
        const size_t length = type ? strlen(type) : 0;
        if (target && length >= sizeof kind && strcmp(type + length - (sizeof kind - 1), kind) == 0)
            found = strdup(target + (*target == '/'));
        xmlFree(type);
        xmlFree(target);
    }
    if (at) close_xml(zip, at);
    return found;
}

/* The number of the file that p:path of this element names; that of `file` where it names none. */
static bool find_file(join *j, xmlTextReader *at, uint32_t file, uint32_t *out) {
    char *path = (char *)xmlTextReaderGetAttributeNs(at, (const xmlChar *)"path", (const xmlChar *)PRODUCTION);
    *out = file;
    if (!path) return true;
    bool fine = stays_inside(path);
    if (!fine)
        refuse(j, "%s asks for the model file '%.*s', which is no place in the archive: export the 3MF anew",
               j->files[file], NAME_MOST / 2, path);
    for (*out = 0; fine && *out < j->file_count && strcasecmp(j->files[*out], path + 1) != 0;) ++*out;
    if (fine && *out == FILES_MOST)
        fine = refuse(j, "it has more than %d model files: export it in pieces", FILES_MOST);
    if (fine && *out == j->file_count && !(j->files[j->file_count++] = strdup(path + 1))) _Exit(NO_MEMORY);
    xmlFree(path);
    return fine;
}

/* --- first reading: objects and what they ask for ------------------------------------------------------------------ */

/* Of the extensions that a file requires, only materials and production leave its bodies as they are. */
static bool check_head(join *j, xmlTextReader *at, uint32_t file) {
    char *unit = attribute(at, "unit"), *required = attribute(at, "requiredextensions"), *rest = NULL;
    bool fine = true;
    if (file == 0) snprintf(j->unit, sizeof j->unit, "%s", unit ? unit : "millimeter");
    if (unit && strncmp(unit, j->unit, sizeof j->unit - 1) != 0)
        fine = refuse(j, "%s is in the unit %.40s, and %s in %s: export the 3MF anew, in one unit", j->files[file],
                      unit, j->files[0], j->unit);
    for (char *word = required ? strtok_r(required, " \t\r\n", &rest) : NULL; word && fine;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        xmlChar *space = xmlTextReaderLookupNamespace(at, (const xmlChar *)word);
        if (!space || (!strstr((const char *)space, "/material/") && !strstr((const char *)space, "/production/")))
            fine = refuse(
                j, "%s requires an extension of 3MF that is not known here: save it as a plain 3MF, or export STL",
                j->files[file]);
        xmlFree(space);
    }
    xmlFree(unit);
    xmlFree(required);
    return fine;
}

/* Of fewer the importer takes the others from whatever its memory holds. */
static bool is_a_place(const char *text) {
    int count = 0;
    for (char *end; count <= PLACE; count++, text = end) {
        const double number = strtod(text, &end);
        if (end == text || !(number - number == 0)) break;
    }
    return count == PLACE && text[strspn(text, " \t\r\n")] == 0;
}

static bool note_asked(join *j, xmlTextReader *at, uint32_t file, asked_object **list, size_t *count) {
    char *place = attribute(at, "transform");
    const bool placed = !place || is_a_place(place);
    xmlFree(place);
    if (!placed) return refuse(j, "a transform in %s is not of %d numbers: export the 3MF anew", j->files[file], PLACE);
    char *id = attribute(at, "objectid");
    asked_object asked = {.id = id ? strtoll(id, NULL, 10) : 0};
    const bool fine = id && find_file(j, at, file, &asked.file);
    xmlFree(id);
    if (!fine) return !id;
    *list = widen(*list, *count, sizeof **list);
    (*list)[(*count)++] = asked;
    return true;
}

/* Has it three attributes of these names, each of one number? The importer takes 0 for one that is missing, and 1 of
 * 1,5. */
static bool has_numbers(xmlTextReader *at, const char *const names[3]) {
    unsigned found = 0;
    for (int more = xmlTextReaderMoveToFirstAttribute(at); more == 1; more = xmlTextReaderMoveToNextAttribute(at)) {
        const char *name = (const char *)xmlTextReaderConstLocalName(at);
        const char *value = (const char *)xmlTextReaderConstValue(at);
        for (unsigned k = 0; k < 3 && value; k++) {
            if (strcmp(name, names[k]) != 0) continue;
            char *end;
            strtod(value, &end);
            if (end > value && end[strspn(end, " \t\r\n")] == 0) found |= 1u << k;
        }
    }
    xmlTextReaderMoveToElement(at);
    return found == 7;
}

static bool note_element(join *j, xmlTextReader *at, uint32_t file, const char *element) {
    static const char *const point[] = {"x", "y", "z"}, *const corners[] = {"v1", "v2", "v3"};
    const char *space = (const char *)xmlTextReaderConstNamespaceUri(at);
    const bool is_core = !space || strstr(space, "/core/"); /* points of slices have two */
    const bool is_point = is_core && strcmp(element, "vertex") == 0, is_face = strcmp(element, "triangle") == 0;
    if ((is_point || is_face) && !has_numbers(at, is_point ? point : corners))
        return refuse(j, "a %s in %s lacks a number, or has one that is none: export the 3MF anew", element,
                      j->files[file]);
    if (strcmp(element, "item") == 0) return file > 0 || note_asked(j, at, file, &j->built, &j->built_count);
    if (strcmp(element, "component") == 0 && j->object_count > 0) {
        const bool fine = note_asked(j, at, file, &j->asked, &j->asked_count);
        object *o = &j->objects[j->object_count - 1];
        o->count = j->asked_count - o->first;
        return fine;
    }
    if (strcmp(element, "object") != 0) return true;
    char *id = attribute(at, "id");
    j->objects = widen(j->objects, j->object_count, sizeof *j->objects);
    j->objects[j->object_count++] = (object){.self = {file, id ? strtoll(id, NULL, 10) : 0}, .first = j->asked_count};
    xmlFree(id);
    return true;
}

/* --- second reading: what is written -------------------------------------------------------------------------------- */

static void put(join *j, const char *text) {
    const size_t length = strlen(text);
    while (j->text_size + length > j->text_capacity) {
        j->text_capacity = j->text_capacity ? 2 * j->text_capacity : 1 << 16;
        if (!(j->text = realloc(j->text, j->text_capacity))) _Exit(NO_MEMORY);
    }
    memcpy(j->text + j->text_size, text, length);
    j->text_size += length;
}

static void put_attribute(join *j, const char *name, const char *value) {
    if (!value) return;
    put(j, " "), put(j, name), put(j, "=\"");
    for (const char *at = value; *at; at++) {
        const char one[2] = {*at, 0};
        put(j, *at == '&'                 ? "&amp;"
               : *at == '<'               ? "&lt;"
               : *at == '"'               ? "&quot;"
               : (unsigned char)*at < ' ' ? " "
                                          : one);
    }
    put(j, "\"");
}

static void copy_attribute(join *j, xmlTextReader *at, const char *name) {
    char *value = attribute(at, name);
    put_attribute(j, name, value);
    xmlFree(value);
}

static int compare_objects(const void *a, const void *b) {
    const asked_object x = ((const object *)a)->self, y = ((const object *)b)->self;
    if (x.file != y.file) return x.file < y.file ? -1 : 1;
    return x.id < y.id ? -1 : x.id > y.id;
}

static object *find_object(const join *j, asked_object asked) {
    const object key = {.self = asked};
    return j->object_count > 0 ? bsearch(&key, j->objects, j->object_count, sizeof key, compare_objects) : NULL;
}

/* The number that it gets. */
static void put_number(join *j, const char *name, asked_object asked) {
    char text[24];
    snprintf(text, sizeof text, "%td", find_object(j, asked) - j->objects + 1);
    put_attribute(j, name, text);
}

/* What has no name is called as it would be in a file of its own. */
static void put_object(join *j, xmlTextReader *at, uint32_t file) {
    char *id = attribute(at, "id"), *name = attribute(at, "name"), *number = attribute(at, "partnumber"), made[40];
    const int64_t value = id ? strtoll(id, NULL, 10) : 0;
    snprintf(made, sizeof made, "Object_%lld", (long long)value);
    put_number(j, "id", (asked_object){file, value});
    put_attribute(j, "name", name && *name ? name : number && *number ? number : made);
    copy_attribute(j, at, "type");
    xmlFree(id);
    xmlFree(name);
    xmlFree(number);
}

static void put_asked(join *j, xmlTextReader *at, uint32_t file) {
    char *id = attribute(at, "objectid");
    asked_object asked = {.id = id ? strtoll(id, NULL, 10) : 0};
    if (id && find_file(j, at, file, &asked.file)) put_number(j, "objectid", asked);
    copy_attribute(j, at, "transform");
    xmlFree(id);
}

static bool is_copied(const char *element) {
    static const char *const list[] = {"object",    "mesh",     "vertices",   "vertex",
                                       "triangles", "triangle", "components", "component"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(element, list[i]) == 0) return true;
    return false;
}

static void write_element(join *j, xmlTextReader *at, uint32_t file, const char *element) {
    static const char *const numbers[] = {"x", "y", "z", "v1", "v2", "v3"};
    if (!is_copied(element)) return;
    const bool ends = xmlTextReaderNodeType(at) == XML_READER_TYPE_END_ELEMENT;
    put(j, ends ? "</" : "<"), put(j, element);
    if (!ends && strcmp(element, "object") == 0) put_object(j, at, file);
    if (!ends && strcmp(element, "component") == 0) put_asked(j, at, file);
    const bool of_mesh = strcmp(element, "vertex") == 0 || strcmp(element, "triangle") == 0;
    for (size_t i = 0; of_mesh && !ends && i < sizeof numbers / sizeof *numbers; i++) copy_attribute(j, at, numbers[i]);
    put(j, !ends && xmlTextReaderIsEmptyElement(at) ? "/>" : ">");
}

/* Items are written behind all objects. */
static void write_item(join *j, xmlTextReader *at, const char *element) {
    if (strcmp(element, "item") != 0 || xmlTextReaderNodeType(at) == XML_READER_TYPE_END_ELEMENT) return;
    put(j, "<item"), put_asked(j, at, 0), put(j, "/>");
}

/* --- a file --------------------------------------------------------------------------------------------------------- */

typedef enum reading { NOTES, BODIES, BUILD } reading;

static bool is_wide(xmlTextReader *at) {
    const char *encoding = (const char *)xmlTextReaderConstEncoding(at);
    return encoding && strncasecmp(encoding, "UTF-16", 6) == 0;
}

/* Elements of other namespaces than that of the whole are of extensions, and may have the same names. */
static bool read_file(join *j, uint32_t file, reading what) {
    xmlTextReader *at = open_xml(j->zip, j->files[file]);
    if (!at) return refuse(j, "the model file '%s' is not in it: export the 3MF anew", j->files[file]);
    xmlChar *space = NULL;
    bool fine = true, begun = false;
    int more = 1;
    while (fine && (more = xmlTextReaderRead(at)) == 1) {
        const int type = xmlTextReaderNodeType(at);
        if (type != XML_READER_TYPE_ELEMENT && type != XML_READER_TYPE_END_ELEMENT) continue;
        const char *element = (const char *)xmlTextReaderConstLocalName(at);
        if (!begun) {
            begun = true;
            space = xmlStrdup(xmlTextReaderConstNamespaceUri(at));
            if (file == 0) j->other = is_wide(at);
            if (what == NOTES) fine = check_head(j, at, file);
        }
        if (!xmlStrEqual(space, xmlTextReaderConstNamespaceUri(at))) continue;
        j->other |= xmlTextReaderConstPrefix(at) != NULL;
        if (what == NOTES && type == XML_READER_TYPE_ELEMENT) fine = fine && note_element(j, at, file, element);
        if (what == BODIES) write_element(j, at, file, element);
        if (what == BUILD) write_item(j, at, element);
    }
    const bool alone = j->file_count == 1 && !j->other; /* then the importer reads it, and says what is wrong with it */
    if (fine && more != 0 && alone) fine = false;
    if (fine && more != 0)
        fine = refuse(j, "the model file '%s' is damaged or cut off at line %d: export the 3MF anew", j->files[file],
                      xmlTextReaderGetParserLineNumber(at));
    xmlFree(space);
    close_xml(j->zip, at);
    return fine;
}

/* --- can it be built? ------------------------------------------------------------------------------------------------ */

/* Adds up the bodies of an object, depth first, without recursion: the stack holds a way of open objects. */
static bool count_placed(join *j, object *top) {
    object *stack[DEPTH_MOST + 1];
    size_t next[DEPTH_MOST + 1], height = 1;
    stack[0] = top, next[0] = 0;
    if (top->state == UNSEEN) top->state = OPEN;
    while (height > 0 && stack[0]->state != DONE) {
        object *o = stack[height - 1];
        if (next[height - 1] == o->count) {
            if (o->count == 0) o->placed = 1;
            o->state = DONE;
            height--;
            continue;
        }
        const asked_object asked = j->asked[o->first + next[height - 1]];
        object *part = find_object(j, asked);
        if (part && part->state == OPEN)
            return refuse(j, "object %lld of %s is a component of itself: export the 3MF anew",
                          (long long)part->self.id, j->files[part->self.file]);
        if (part && part->state == UNSEEN) {
            if (height > DEPTH_MOST || part->depth > DEPTH_MOST) break;
            part->state = OPEN;
            stack[height] = part, next[height++] = 0;
            continue;
        }
        if (part) {
            o->placed += part->placed;
            if (part->depth + 1 > o->depth) o->depth = part->depth + 1;
        } else if (j->file_count > 1 || j->other) {
            return refuse(j, "object %lld of %s is asked for, and is not in that file: export the 3MF anew",
                          (long long)asked.id, j->files[asked.file]);
        }
        next[height - 1]++;
    }
    if (height == 0 ? top->depth <= DEPTH_MOST : stack[0]->state == DONE) return true;
    return refuse(j, "components of its objects lie in one another more than %d deep: export it with fewer levels",
                  DEPTH_MOST);
}

static bool can_be_built(join *j) {
    if (j->object_count > 0) qsort(j->objects, j->object_count, sizeof *j->objects, compare_objects);
    for (size_t i = 1; i < j->object_count; i++)
        if (compare_objects(&j->objects[i - 1], &j->objects[i]) == 0) /* on which the importer crashes */
            return refuse(j, "object %lld stands in %s twice: export the 3MF anew", (long long)j->objects[i].self.id,
                          j->files[j->objects[i].self.file]);
    double placed = 0;
    for (size_t i = 0; i < j->built_count; i++) {
        object *o = find_object(j, j->built[i]);
        if (!o && (j->file_count > 1 || j->other))
            return refuse(j, "object %lld of %s is to be built, and is not in that file: export the 3MF anew",
                          (long long)j->built[i].id, j->files[j->built[i].file]);
        if (!o) continue;
        if (!count_placed(j, o)) return false;
        placed += o->placed;
        if (placed > PLACED_MOST)
            return refuse(j, "its build places more than %d bodies (object %lld of %s alone %.3g): export it in pieces",
                          PLACED_MOST, (long long)o->self.id, j->files[o->self.file], o->placed);
    }
    return true;
}

/* --- the archive ------------------------------------------------------------------------------------------------------ */

static char *write_joined(join *j, size_t *size) {
    static const char relations[] =
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship "
        "Target=\"/3D/3dmodel.model\" Id=\"r\" Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/>"
        "</Relationships>";
    put(j, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model");
    put_attribute(j, "unit", j->unit);
    put(j, " xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"><resources>");
    bool fine = true;
    for (uint32_t file = 0; file < j->file_count; file++) fine = fine && read_file(j, file, BODIES);
    put(j, "</resources><build>");
    fine = fine && read_file(j, 0, BUILD);
    put(j, "</build></model>");
    if (!fine) return NULL;
    archive_writer *out = archive_begin("");
    archive_add(out, "_rels/.rels", relations, sizeof relations - 1, true);
    archive_add(out, "3D/3dmodel.model", j->text, j->text_size, true);
    char *bytes = (char *)archive_end(out, size);
    if (!bytes) refuse(j, "its model files together are larger than 4 GB: export it in pieces");
    return bytes;
}

char *package_join(const char *packed, size_t size, size_t *out_size, const char **refused) {
    join *j = calloc(1, sizeof *j);
    char *out = NULL;
    if (!j) _Exit(NO_MEMORY);
    j->zip = zip_open(packed, size);
    j->files[0] = j->zip ? find_build(j->zip) : NULL;
    if (j->files[0]) {
        j->file_count = 1;
        bool fine = true;
        for (uint32_t file = 0; fine && file < j->file_count; file++) fine = read_file(j, file, NOTES);
        if (fine && can_be_built(j) && (j->file_count > 1 || j->other)) out = write_joined(j, out_size);
    }
    if (j->zip) unzClose(j->zip);
    for (uint32_t file = 0; file < j->file_count; file++) free(j->files[file]);
    free(j->objects), free(j->asked), free(j->built), free(j->text);
    *refused = j->wrong[0] ? j->wrong : NULL;
    if (!*refused) free(j);
    return out;
}
