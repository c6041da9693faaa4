/* XML against an XSD, with libxml2. */
#ifndef TEST_CLI_XML_SCHEMA_H
#define TEST_CLI_XML_SCHEMA_H

#include "cli/command.h"

#include <libxml/xmlschemas.h>

/* Free with xmlSchemaFree. */
static inline xmlSchema *open_schema(const char *path) {
    xmlSchemaParserCtxt *parser = xmlSchemaNewParserCtxt(path);
    xmlSchema *schema = parser ? xmlSchemaParse(parser) : NULL;
    xmlSchemaFreeParserCtxt(parser);
    check_that(schema != NULL, "%s is no schema", path);
    return schema;
}

static inline void expect_valid(xmlSchema *schema, const char *name, const char *bytes, size_t size) {
    xmlDoc *doc = xmlReadMemory(bytes, (int)size, name, NULL, XML_PARSE_NONET);
    check_that(doc != NULL, "%s is no XML", name);
    xmlSchemaValidCtxt *context = xmlSchemaNewValidCtxt(schema);
    check_that(xmlSchemaValidateDoc(context, doc) == 0, "%s is not valid: %s", name, bytes);
    xmlSchemaFreeValidCtxt(context);
    xmlFreeDoc(doc);
}

#endif
