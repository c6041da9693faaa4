/* The model of a 3MF or AMF, and its objects: see package.h. Assimp calls the node of an object by its number, and
 * leaves its name unread. */
#include "read/package.h"

#include "common/zip_sizes.h"
#include "read/import.h"
#include "read/model_text.h"

#include <libxml/xmlreader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_FILES = 4096, NO_MEMORY = 5 };

/* The archive as the importer gets it. */
static unzFile open_archive(const char *path) {
    model_text t;
    if (!model_text_open(path, &t)) return NULL;
    if (t.changed) return zip_open(t.bytes, t.size); /* this copy stays until the process ends */
    model_text_close(&t);
    return unzOpen64(path);
}

unzFile package_open(const char *path, const char *suffix) {
    unzFile zip = open_archive(path);
    if (!zip) return NULL;
    for (int at = unzGoToFirstFile(zip), seen = 0; at == UNZ_OK && seen < MOST_FILES; seen++) {
        char name[512] = {0};
        if (unzGetCurrentFileInfo64(zip, NULL, name, sizeof name - 1, NULL, 0, NULL, 0) != UNZ_OK) break;
        const char *dot = strrchr(name, '.');
        if (dot && strcasecmp(dot, suffix) == 0 && unzOpenCurrentFile(zip) == UNZ_OK) return zip;
        at = unzGoToNextFile(zip);
    }
    unzClose(zip);
    return NULL;
}

void package_close(unzFile zip) {
    unzCloseCurrentFile(zip);
    unzClose(zip);
}

/* --- objects ----------------------------------------------------------------------------------------------------- */

static int read_model(void *zip, char *out, int size) { return unzReadCurrentFile(zip, out, (unsigned)size); }

static void keep_silent(void *user, xmlError *error) { (void)user, (void)error; }

/* Room for one more. */
static void *widen(void *list, size_t count, size_t size) {
    if (count > 0 && (count < 16 || (count & (count - 1)) != 0)) return list;
    list = realloc(list, (count < 16 ? 16 : 2 * count) * size);
    if (!list) _Exit(NO_MEMORY);
    return list;
}

/* An object without a name may have a part number. */
static void read_object(xmlTextReader *at, package_objects *out) {
    xmlChar *id = xmlTextReaderGetAttribute(at, (const xmlChar *)"id");
    xmlChar *name = xmlTextReaderGetAttribute(at, (const xmlChar *)"name");
    if (!name || !*name) {
        xmlFree(name);
        name = xmlTextReaderGetAttribute(at, (const xmlChar *)"partnumber");
    }
    if (id) {
        out->list = widen(out->list, out->count, sizeof *out->list);
        out->list[out->count++] = (package_object){strtoll((const char *)id, NULL, 10), (char *)name};
    }
    xmlFree(id);
}

static void read_asked(xmlTextReader *at, package_objects *out) {
    xmlChar *id = xmlTextReaderGetAttribute(at, (const xmlChar *)"objectid");
    if (id) {
        out->asked = widen(out->asked, out->asked_count, sizeof *out->asked);
        out->asked[out->asked_count++] = strtoll((const char *)id, NULL, 10);
    }
    xmlFree(id);
}

static int compare_objects(const void *a, const void *b) {
    const package_object *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static const package_object *find_object(const package_objects *objects, int64_t id) {
    const package_object key = {.id = id};
    return objects->count > 0 ? bsearch(&key, objects->list, objects->count, sizeof key, compare_objects) : NULL;
}

void package_read(const char *path, package_objects *out) {
    *out = (package_objects){0};
    unzFile zip = package_open(path, ".model");
    if (!zip) return;
    xmlTextReader *reader = xmlReaderForIO(read_model, NULL, zip, NULL, NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
    if (reader) xmlTextReaderSetStructuredErrorHandler(reader, keep_silent, NULL);
    int state = reader ? 1 : 0;
    while (state == 1 && (state = xmlTextReaderRead(reader)) == 1) {
        if (xmlTextReaderNodeType(reader) != XML_READER_TYPE_ELEMENT) continue;
        const char *element = (const char *)xmlTextReaderConstLocalName(reader);
        if (strcmp(element, "object") == 0) read_object(reader, out);
        if (strcmp(element, "item") == 0 || strcmp(element, "component") == 0) read_asked(reader, out);
    }
    if (state < 0) out->damaged = xmlTextReaderGetParserLineNumber(reader);
    xmlFreeTextReader(reader);
    package_close(zip);
    if (out->count > 0) qsort(out->list, out->count, sizeof *out->list, compare_objects);
}

const struct aiString *package_name(const package_objects *objects, const char *node) {
    static const char made_up[] = "Object_";
    static struct aiString out; /* this process has one thread */
    if (strncmp(node, made_up, sizeof made_up - 1) != 0) return NULL;
    const package_object *found = find_object(objects, strtoll(node + sizeof made_up - 1, NULL, 10));
    if (!found || !found->name || !*found->name) return NULL;
    size_t length = strlen(found->name);
    if (length >= sizeof out.data) { /* cut between characters */
        length = sizeof out.data - 1;
        while (length > 0 && ((unsigned char)found->name[length] & 0xc0) == 0x80) length--;
    }
    memcpy(out.data, found->name, length);
    out.data[length] = 0, out.length = (ai_uint32)length;
    return &out;
}

void package_send_missing(sink *out, const package_objects *objects) {
    char why[100];
    snprintf(why, sizeof why, "its XML is damaged at line %d: what stands behind that may be missing",
             objects->damaged);
    if (objects->damaged > 0) sink_left_out(out, IMPORT_PARTLY, "", "file", "", why);
    for (size_t i = 0; i < objects->asked_count; i++) {
        char id[40];
        snprintf(id, sizeof id, "object %lld", (long long)objects->asked[i]);
        if (!find_object(objects, objects->asked[i]))
            sink_left_out(out, IMPORT_GONE, id, "object", "", "it is to be built, and is not in the file");
    }
}
