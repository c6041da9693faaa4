/* A 3MF or AMF that is a ZIP archive: its model, and the objects in it. Runs in the importer's process. */
#ifndef CLI_PACKAGE_H
#define CLI_PACKAGE_H

#include "read/sink.h"

#include <assimp/types.h>
#include <minizip/unzip.h>
#include <stddef.h>
#include <stdint.h>

/* The archive with its first file of a name that ends so opened (".model", ".amf"), to be read with unzReadCurrentFile;
 * NULL where there is none. */
unzFile package_open(const char *path, const char *suffix);
void package_close(unzFile zip);

typedef struct package_object {
    int64_t id;
    char *name; /* NULL: it has none */
} package_object;

/* The objects of a 3MF by their numbers, and the numbers that its build and its components ask for. */
typedef struct package_objects {
    package_object *list;
    int64_t *asked;
    size_t count, asked_count;
    int damaged; /* the line from which on the model is no XML, or 0 */
} package_objects;

/* As far as the model can be read. Is kept until the process ends; ends it where there is no memory. */
void package_read(const char *path, package_objects *out);
/* The name of the object that the importer calls "Object_12", until the next call; NULL where it has none. */
const struct aiString *package_name(const package_objects *objects, const char *node);
/* Says what is asked for and is not there, and what may be. */
void package_send_missing(sink *out, const package_objects *objects);

#endif
