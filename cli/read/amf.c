/* What Assimp makes wrongly of an AMF: see amf.h. Of Assimp 5.2: of the volumes of a mesh it reads the first, of the
 * meshes of an object one, it takes the angles of an instance for lengths, it refuses a volume whose material is not in
 * the file and crashes on one whose material has no color, though that is about looks, and it calls what has a name by
 * its id. Material 0 is none by the standard: such a volume is empty. */
#define _GNU_SOURCE /* memmem */
#include "read/amf.h"

#include <libxml/hash.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NO_MEMORY = 5, HEAD = 4096 };

static bool is_named(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static xmlNode *next_named(xmlNode *node, const char *name) {
    while (node && !is_named(node, name)) node = node->next;
    return node;
}

/* The triangles of all volumes of a mesh go to the first. True where there were several. */
static bool join_volumes(xmlNode *mesh) {
    xmlNode *first = next_named(mesh->children, "volume"), *next;
    if (!first) return false;
    bool joined = false;
    for (xmlNode *volume = next_named(first->next, "volume"); volume; volume = next) {
        next = next_named(volume->next, "volume");
        for (xmlNode *one = volume->children, *after; one; one = after) {
            after = one->next;
            if (!is_named(one, "triangle")) continue;
            xmlUnlinkNode(one);
            xmlAddChild(first, one);
        }
        xmlUnlinkNode(volume);
        xmlFreeNode(volume);
        joined = true;
    }
    return joined;
}

static bool is_turned(const xmlNode *instance) {
    static const char *const angles[] = {"rx", "ry", "rz"};
    for (int i = 0; i < 3; i++) {
        const xmlNode *angle = next_named(instance->children, angles[i]);
        xmlChar *text = angle ? xmlNodeGetContent(angle) : NULL;
        const double degrees = text ? strtod((const char *)text, NULL) : 0;
        xmlFree(text);
        if (degrees != 0) return true;
    }
    return false;
}

typedef struct materials {
    bool dropped, empty; /* of volumes */
} materials;

static xmlHashTable *list_materials(xmlNode *top) {
    xmlHashTable *ids = xmlHashCreate(0);
    if (!ids) _exit(NO_MEMORY);
    xmlNode *one = next_named(top->children, "material");
    for (; one; one = next_named(one->next, "material")) {
        xmlChar *id = xmlGetProp(one, (const xmlChar *)"id");
        if (id) xmlHashAddEntry(ids, id, one);
        xmlFree(id);
    }
    return ids;
}

/* Takes the materials off the volumes of a mesh that are not in the file, or have no color. */
static void drop_colorless(xmlHashTable *ids, xmlNode *mesh, materials *found) {
    xmlNode *volume = next_named(mesh->children, "volume");
    for (; volume; volume = next_named(volume->next, "volume")) {
        xmlChar *id = xmlGetProp(volume, (const xmlChar *)"materialid");
        const xmlNode *material = id ? xmlHashLookup(ids, id) : NULL;
        if (id && !(material && next_named(material->children, "color"))) {
            found->dropped = true;
            found->empty |= !material && xmlStrEqual(id, (const xmlChar *)"0");
            xmlUnsetProp(volume, (const xmlChar *)"materialid");
        }
        xmlFree(id);
    }
}

/* --- names ---------------------------------------------------------------------------------------------------- */

/* What the file calls an object or a constellation; NULL where it does not. Free it with xmlFree. */
static xmlChar *name_of(const xmlNode *thing) {
    for (xmlNode *data = next_named(thing->children, "metadata"); data; data = next_named(data->next, "metadata")) {
        xmlChar *type = xmlGetProp(data, (const xmlChar *)"type");
        const bool is_name = type && xmlStrEqual(type, (const xmlChar *)"name");
        xmlFree(type);
        xmlChar *text = is_name ? xmlNodeGetContent(data) : NULL;
        if (text && *text) return text;
        xmlFree(text);
    }
    return NULL;
}

static bool has_id(const xmlNode *thing) {
    return (is_named(thing, "object") || is_named(thing, "constellation")) &&
           xmlHasProp((xmlNode *)thing, (const xmlChar *)"id");
}

/* The text under `attribute`, as the new id that `names` has for it. */
static void rename_by(xmlHashTable *names, xmlNode *node, const char *attribute) {
    xmlChar *id = xmlGetProp(node, (const xmlChar *)attribute);
    const xmlChar *name = id ? xmlHashLookup(names, id) : NULL;
    if (name) xmlSetProp(node, (const xmlChar *)attribute, name);
    xmlFree(id);
}

static void free_text(void *text, const xmlChar *key) {
    (void)key;
    xmlFree(text);
}

/* What has a name gets it as its id; a second one of that name, or one that is another's id, has the old id besides.
 * True where there was any. */
static bool name_ids(xmlNode *top) {
    xmlHashTable *names = xmlHashCreate(0), *taken = xmlHashCreate(0);
    bool any = false;
    if (!names || !taken) _exit(NO_MEMORY);
    for (xmlNode *one = top->children; one; one = one->next) {
        xmlChar *id = has_id(one) ? xmlGetProp(one, (const xmlChar *)"id") : NULL;
        if (id) xmlHashAddEntry(taken, id, one);
        xmlFree(id);
    }
    for (xmlNode *one = top->children; one; one = one->next) {
        xmlChar *id = has_id(one) ? xmlGetProp(one, (const xmlChar *)"id") : NULL, *name = id ? name_of(one) : NULL;
        if (name && xmlHashLookup(taken, name)) {
            name = xmlStrcat(name, (const xmlChar *)" ");
            name = xmlStrcat(name, id);
        }
        if (name && xmlHashAddEntry(taken, name, one) == 0 && xmlHashAddEntry(names, id, name) == 0) {
            any = true;
            name = NULL; /* the table's */
        }
        xmlFree(name);
        xmlFree(id);
    }
    for (xmlNode *one = any ? top->children : NULL; one; one = one->next) {
        if (has_id(one)) rename_by(names, one, "id");
        xmlNode *instance = is_named(one, "constellation") ? next_named(one->children, "instance") : NULL;
        for (; instance; instance = next_named(instance->next, "instance")) rename_by(names, instance, "objectid");
    }
    xmlHashFree(names, free_text);
    xmlHashFree(taken, NULL);
    return any;
}

static bool has_word(const char *text, size_t size, const char *word) { return memmem(text, size, word, strlen(word)); }

/* Is there anything to look for? Many files have one volume a mesh, no materials, no angles and no names. */
static bool may_be_mistaken(const char *text, size_t size) {
    if (!has_word(text, size < HEAD ? size : HEAD, "<amf")) return false;
    const char *volume = memmem(text, size, "<volume", 7);
    const bool second = volume && has_word(volume + 1, size - (size_t)(volume + 1 - text), "<volume");
    return second || has_word(text, size, "materialid") || has_word(text, size, "<rx") || has_word(text, size, "<ry") ||
           has_word(text, size, "<rz") || has_word(text, size, "<metadata");
}

/* --- what is read as something else -------------------------------------------------------------------------------- */

static const char *find_word(const char *from, const char *end, const char *word) {
    return from < end ? memmem(from, (size_t)(end - from), word, strlen(word)) : NULL;
}

/* For a coordinate that is missing the importer takes 0, and of 1,5 it takes 1. */
static bool has_odd_points(const char *text, const char *end) {
    const char *stop;
    for (const char *at = find_word(text, end, "<coordinates>"); at; at = find_word(stop, end, "<coordinates>")) {
        stop = find_word(at, end, "</coordinates>");
        if (!stop) return false;
        if (memchr(at, ',', (size_t)(stop - at)) || !find_word(at, stop, "<x>") || !find_word(at, stop, "<y>") ||
            !find_word(at, stop, "<z>"))
            return true;
    }
    return false;
}

/* Of objects of one id the importer takes one. */
static bool has_an_object_twice(const char *text, const char *end) {
    xmlHashTable *ids = xmlHashCreate(0);
    bool twice = false;
    if (!ids) _exit(NO_MEMORY);
    for (const char *at = text; !twice && (at = find_word(at, end, "<object")) != NULL; at++) {
        const char *close = memchr(at, '>', (size_t)(end - at)), *id = close ? find_word(at, close, " id=") : NULL;
        const char *quote = id && id + 4 < close ? memchr(id + 5, id[4], (size_t)(close - id - 5)) : NULL;
        xmlChar *name = quote ? xmlStrndup((const xmlChar *)id + 5, (int)(quote - id - 5)) : NULL;
        twice = name && xmlHashAddEntry(ids, name, ids) != 0;
        xmlFree(name);
    }
    xmlHashFree(ids, NULL);
    return twice;
}

static const char *why_refused(const char *text, size_t size) {
    if (!has_word(text, size < HEAD ? size : HEAD, "<amf")) return NULL;
    if (has_odd_points(text, text + size))
        return "a point of it lacks an x, a y or a z, or has a comma in one: export it as 3MF, or as STL";
    if (has_an_object_twice(text, text + size))
        return "two objects have one id, of which one would be read: export it as 3MF, or as STL";
    return NULL;
}

char *amf_plain(const char *text, size_t size, size_t *out_size, const char **refused) {
    const char *why = size > INT_MAX ? NULL : why_refused(text, size);
    if (why) *refused = why;
    if (why || size > INT_MAX || !may_be_mistaken(text, size)) return NULL;
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE;
    xmlDoc *file = xmlReadMemory(text, (int)size, NULL, "UTF-8", options);
    xmlNode *top = file ? xmlDocGetRootElement(file) : NULL;
    bool joined = false, turned = false, twice = false;
    materials found = {0};
    xmlHashTable *ids = top ? list_materials(top) : NULL;
    for (xmlNode *one = top ? top->children : NULL; one; one = one->next) {
        xmlNode *mesh = is_named(one, "object") ? next_named(one->children, "mesh") : NULL;
        twice |= mesh && next_named(mesh->next, "mesh");
        if (mesh) drop_colorless(ids, mesh, &found);
        joined |= mesh && join_volumes(mesh);
        xmlNode *instance = is_named(one, "constellation") ? next_named(one->children, "instance") : NULL;
        for (; instance; instance = next_named(instance->next, "instance")) turned |= is_turned(instance);
    }
    xmlHashFree(ids, NULL);
    const bool named = top && name_ids(top);
    if (turned) *refused = "its instances are turned, which is not read: export it as 3MF, or as STL";
    if (twice) *refused = "an object has several meshes, of which one would be read: export it as 3MF, or as STL";
    if (found.empty)
        *refused = "a volume has material 0, which is none: it is empty, and is not told from a body: leave it out";
    xmlChar *out = NULL;
    int length = 0;
    if ((joined || found.dropped || named) && !*refused) {
        xmlDocDumpMemory(file, &out, &length);
        if (!out) _exit(NO_MEMORY);
        *out_size = (size_t)length;
    }
    xmlFreeDoc(file);
    return (char *)out;
}
