/* What Assimp makes wrongly of an AMF: see amf.h. Of Assimp 5.2: of the volumes of a mesh it reads the first, of the
 * meshes of an object one, and it takes the angles of an instance for lengths. */
#define _GNU_SOURCE /* memmem */
#include "read/amf.h"

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

static bool has_word(const char *text, size_t size, const char *word) { return memmem(text, size, word, strlen(word)); }

/* Is there anything to look for? Most files have one volume a mesh, and no angles. */
static bool may_be_mistaken(const char *text, size_t size) {
    if (!has_word(text, size < HEAD ? size : HEAD, "<amf")) return false;
    const char *volume = memmem(text, size, "<volume", 7);
    const bool second = volume && has_word(volume + 1, size - (size_t)(volume + 1 - text), "<volume");
    return second || has_word(text, size, "<rx") || has_word(text, size, "<ry") || has_word(text, size, "<rz");
}

char *amf_plain(const char *text, size_t size, size_t *out_size, const char **refused) {
    if (size > INT_MAX || !may_be_mistaken(text, size)) return NULL;
    const int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE;
    xmlDoc *file = xmlReadMemory(text, (int)size, NULL, "UTF-8", options);
    xmlNode *top = file ? xmlDocGetRootElement(file) : NULL;
    bool joined = false, turned = false, twice = false;
    for (xmlNode *one = top ? top->children : NULL; one; one = one->next) {
        xmlNode *mesh = is_named(one, "object") ? next_named(one->children, "mesh") : NULL;
        twice |= mesh && next_named(mesh->next, "mesh");
        joined |= mesh && join_volumes(mesh);
        xmlNode *instance = is_named(one, "constellation") ? next_named(one->children, "instance") : NULL;
        for (; instance; instance = next_named(instance->next, "instance")) turned |= is_turned(instance);
    }
    if (turned) *refused = "its instances are turned, which is not read: export it as 3MF, or as STL";
    if (twice) *refused = "an object has several meshes, of which one would be read: export it as 3MF, or as STL";
    xmlChar *out = NULL;
    int length = 0;
    if (joined && !*refused) {
        xmlDocDumpMemory(file, &out, &length);
        if (!out) _exit(NO_MEMORY);
        *out_size = (size_t)length;
    }
    xmlFreeDoc(file);
    return (char *)out;
}
