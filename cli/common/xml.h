/* XML files, read with libxml2: from memory, so that nothing else is opened; without a DTD, and so without entities of
 * the file's own; as deep and as long as libxml2 allows by default. Every complaint names the file and the line. */
#ifndef CLI_XML_H
#define CLI_XML_H

#include <libxml/tree.h>

#include <stdbool.h>

/* The first complaint is said, and ends it: `code` is then not 0. */
typedef struct xml_file {
    const char *path;
    xmlDoc *doc;
    xmlNode *root;
    int code;
} xml_file;

/* Reads the file, whose root must be <`root`>. Returns 0, or EXIT_INPUT after saying what is wrong. Free with
 * xml_close in any case. */
int xml_open(const char *path, const char *root, xml_file *out);
/* The same with bytes that were read, at most 64 MB of them; `path` is for messages, and borrowed. */
int xml_parse(const char *path, const char *bytes, size_t size, const char *root, xml_file *out);
void xml_close(xml_file *file);

/* "carom: arm.urdf:12: ..." */
void xml_bad(xml_file *file, const xmlNode *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Is it an element of this name, with no prefix but one for the namespace of the root? */
bool xml_is(const xmlNode *node, const char *name);
/* The name with its prefix, as clean text; free() it. */
char *xml_name(const xmlNode *node);
/* The first child element, and the next element after one; NULL where there is none. */
const xmlNode *xml_first(const xmlNode *parent);
const xmlNode *xml_after(const xmlNode *node);
/* The child element of this name. More than one is complained about. */
const xmlNode *xml_child(xml_file *file, const xmlNode *parent, const char *name);
/* All that stands in the element as clean text on one line, without blanks around it; "" of NULL. free() it. */
char *xml_text(const xmlNode *node);

/* The attribute as clean text; NULL where it is not there, which is complained about where it is required, as is an
 * empty one. free() it. */
char *xml_attribute(xml_file *file, const xmlNode *node, const char *name, bool required);
/* Exactly `count` finite numbers, with blanks between; `out` stays as it was where the attribute is not there. */
void xml_numbers(xml_file *file, const xmlNode *node, const char *name, bool required, int count, double *out);
/* The first attribute other than these, separated by blanks; NULL where there is none. */
const char *xml_other(const xmlNode *node, const char *names);
/* Complains about attributes other than these, separated by blanks: they would mean something that is not read. */
void xml_only(xml_file *file, const xmlNode *node, const char *names);

#endif
