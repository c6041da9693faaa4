/* XML files, read with libxml2: see xml.h. */
#include "common/xml.h"

#include "common/encoding.h"
#include "common/text.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { XML_BYTES_MOST = 64 << 20 };

/* --- the file ---------------------------------------------------------------------------------------------------- */

/* The bytes of a file, to be freed; NULL after saying what is wrong. */
static char *read_bytes(const char *path, size_t *size) {
    struct stat info;
    if (stat(path, &info) != 0) {
        complain(0, "%s: %s", path, errno == ENOENT ? "no such file" : strerror(errno));
        return NULL;
    }
    if (!S_ISREG(info.st_mode) || info.st_size == 0 || info.st_size > XML_BYTES_MOST) {
        complain(0, "%s: %s", path,
                 S_ISDIR(info.st_mode)    ? "is a directory"
                 : !S_ISREG(info.st_mode) ? "is not a regular file"
                 : info.st_size == 0      ? "the file is empty"
                                          : "is larger than 64 MB");
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    char *bytes = file ? allocate((size_t)info.st_size, 1) : NULL;
    *size = file ? fread(bytes, 1, (size_t)info.st_size, file) : 0;
    if (!file || ferror(file)) {
        complain(0, "%s: %s", path, strerror(errno));
        free(bytes);
        bytes = NULL;
    }
    if (file) fclose(file);
    return bytes;
}

/* Called where a DTD begins, before anything of it counts. */
static void refuse_dtd(void *parser, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    (void)name, (void)external, (void)system;
    xmlParserCtxt *context = parser;
    *(bool *)context->_private = true;
    xmlStopParser(context);
}

static void keep_silent(void *parser, xmlError *error) { (void)parser, (void)error; }

static int say_wrong(const char *path, xmlParserCtxt *context, bool has_dtd) {
    if (has_dtd) return complain(EXIT_INPUT, "%s: has a DTD (<!DOCTYPE>), which is not read: take it out", path);
    const xmlError *error = context ? xmlCtxtGetLastError(context) : NULL;
    if (!error || !error->message) return complain(EXIT_INPUT, "%s: is not XML", path);
    int length = (int)strcspn(error->message, "\n");
    return complain(EXIT_INPUT, "%s:%d: is not XML: %.*s", path, error->line, length, error->message);
}

/* Where the text declares a version that XML has never had, as the 0.0 of Bullet's robots, its first digit; or NULL. */
static const char *odd_version(const char *bytes, size_t size) {
    char head[64] = "";
    int digit = 0, end = 0;
    memcpy(head, bytes, size < sizeof head ? size : sizeof head - 1);
    const char *at = strncmp(head, "\xef\xbb\xbf", 3) == 0 ? head + 3 : head;
    sscanf(at, "<?xml version = %*1[\"']%n%*1[0-9].%*1[0-9]%*1[\"']%n", &digit, &end);
    return end > 0 && at[digit] != '1' ? bytes + (at - head) + digit : NULL;
}

/* A copy of the text that declares version 1.0, which is the one that is read; NULL where it need not be copied. */
static char *with_version_1(const char *bytes, size_t size) {
    const char *version = odd_version(bytes, size);
    if (!version) return NULL;
    char *copy = allocate(size, 1);
    memcpy(copy, bytes, size);
    memcpy(copy + (version - bytes), "1.0", 3);
    return copy;
}

/* The tree; NULL where it is not XML. libxml2 knows no UTF-32, and UTF-16 only by its mark: such text becomes UTF-8,
 * and the encoding that it says is not asked for. */
static xmlDoc *read_tree(xmlParserCtxt *context, const char *path, const char *bytes, size_t size) {
    char *narrow = utf8_of_wide(bytes, size, &size);
    const char *text = narrow ? narrow : bytes;
    char *other = with_version_1(text, size);
    const int options = XML_PARSE_NONET | XML_PARSE_BIG_LINES | (narrow ? XML_PARSE_IGNORE_ENC : 0);
    xmlDoc *doc = xmlCtxtReadMemory(context, other ? other : text, (int)size, path, narrow ? "UTF-8" : NULL, options);
    free(narrow), free(other);
    return doc;
}

int xml_parse(const char *path, const char *bytes, size_t size, const char *root, xml_file *out) {
    *out = (xml_file){.path = path, .code = EXIT_INPUT};
    bool has_dtd = false;
    xmlParserCtxt *context = xmlNewParserCtxt();
    if (context) {
        context->_private = &has_dtd;
        context->sax->internalSubset = refuse_dtd;
        context->sax->serror = keep_silent; /* the last error is asked for */
        out->doc = read_tree(context, path, bytes, size);
    }
    out->root = out->doc ? xmlDocGetRootElement(out->doc) : NULL;
    if (!out->root || has_dtd)
        say_wrong(path, context, has_dtd);
    else if (!xml_is(out->root, root)) {
        char *name = xml_name(out->root);
        complain(EXIT_INPUT, "%s: its root is <%s>, not <%s>", path, name, root);
        free(name);
    } else
        out->code = 0;
    xmlFreeParserCtxt(context);
    return out->code;
}

int xml_open(const char *path, const char *root, xml_file *out) {
    *out = (xml_file){.path = path, .code = EXIT_INPUT};
    size_t size;
    char *bytes = read_bytes(path, &size);
    if (!bytes) return out->code;
    xml_parse(path, bytes, size, root, out);
    free(bytes);
    return out->code;
}

void xml_close(xml_file *file) {
    xmlFreeDoc(file->doc);
    *file = (xml_file){.code = file->code};
}

void xml_bad(xml_file *file, const xmlNode *at, const char *format, ...) {
    if (file->code != 0) return;
    char message[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    file->code = complain(EXIT_INPUT, "%s:%ld: %s", file->path, xmlGetLineNo(at), message);
}

/* --- elements ---------------------------------------------------------------------------------------------------- */

/* A prefix is another spelling where it stands for the namespace of the root, as some programs write it. */
static bool is_of_root(const xmlNode *node) {
    if (!node->ns || !node->ns->prefix) return true;
    const xmlNode *root = xmlDocGetRootElement(node->doc);
    return root && root->ns && root->ns->href && node->ns->href && xmlStrEqual(root->ns->href, node->ns->href);
}

bool xml_is(const xmlNode *node, const char *name) {
    if (!node || node->type != XML_ELEMENT_NODE || !is_of_root(node)) return false;
    return strcmp((const char *)node->name, name) == 0;
}

char *xml_name(const xmlNode *node) {
    const char *prefix = node->ns && node->ns->prefix ? (const char *)node->ns->prefix : "";
    char *whole = format_text("%s%s%s", prefix, *prefix ? ":" : "", (const char *)node->name);
    char *clean = clean_text(whole, strlen(whole));
    free(whole);
    return clean;
}

static const xmlNode *first_element(const xmlNode *node) {
    while (node && node->type != XML_ELEMENT_NODE) node = node->next;
    return node;
}
const xmlNode *xml_first(const xmlNode *parent) { return first_element(parent->children); }
const xmlNode *xml_after(const xmlNode *node) { return first_element(node->next); }

const xmlNode *xml_child(xml_file *file, const xmlNode *parent, const char *name) {
    const xmlNode *found = NULL;
    for (const xmlNode *node = xml_first(parent); node; node = xml_after(node)) {
        if (!xml_is(node, name)) continue;
        if (found) xml_bad(file, node, "a second <%s> in <%s>", name, (const char *)parent->name);
        if (!found) found = node;
    }
    return found;
}

char *xml_text(const xmlNode *node) {
    xmlChar *content = node ? xmlNodeGetContent(node) : NULL;
    if (!content) return copy_text("");
    char *text = (char *)content;
    for (char *at = text; *at; at++)
        if (strchr("\t\r\n", *at)) *at = ' ';
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') length--;
    char *clean = clean_text(text, length);
    xmlFree(content);
    return clean;
}

/* --- attributes -------------------------------------------------------------------------------------------------- */

char *xml_attribute(xml_file *file, const xmlNode *node, const char *name, bool required) {
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    char *text = value ? clean_text((const char *)value, strlen((const char *)value)) : NULL;
    xmlFree(value);
    if (!required || (text && *text)) return text;
    xml_bad(file, node, "<%s> %s %s", (const char *)node->name, text ? "has an empty" : "lacks", name);
    free(text);
    return NULL;
}

void xml_numbers(xml_file *file, const xmlNode *node, const char *name, bool required, int count, double *out) {
    char *text = xml_attribute(file, node, name, required);
    if (!text) return;
    const char *at = text;
    bool right = true, is_beyond = false;
    for (int i = 0; i < count && right; i++) {
        char *end;
        const double value = strtod(at, &end);
        right = end != at && isfinite(value);
        is_beyond |= right && fabs(value) > 1e15;
        right &= !*end || strchr(" \t\r\n", *end);
        if (right) out[i] = value;
        at = end;
    }
    if (!right || at[strspn(at, " \t\r\n")])
        xml_bad(file, node, "%s=\"%.60s\" of <%s> is not %s", name, text, (const char *)node->name,
                count == 1 ? "a number" : "three numbers");
    else if (is_beyond)
        xml_bad(file, node, "%s=\"%.60s\" of <%s> is beyond 1e15", name, text, (const char *)node->name);
    free(text);
}

static bool is_listed(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, name, n) == 0) return true;
        at += n;
    }
    return false;
}

const char *xml_other(const xmlNode *node, const char *names) {
    const xmlAttr *a = node->properties;
    while (a && is_listed(names, (const char *)a->name)) a = a->next;
    return a ? (const char *)a->name : NULL;
}
void xml_only(xml_file *file, const xmlNode *node, const char *names) {
    const char *other = xml_other(node, names);
    if (other)
        xml_bad(file, node, "<%s> has an attribute '%.60s', which is not known: known are %s", (const char *)node->name,
                other, names);
}
