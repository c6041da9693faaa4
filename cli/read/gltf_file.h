/* A glTF file: its JSON, its buffers, its accessors. Every number is checked before it is used; what is wrong ends the
 * importer's process with a refusal. */
#ifndef CLI_GLTF_FILE_H
#define CLI_GLTF_FILE_H

#include "read/sink.h"
#include "common/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define GLTF_NONE UINT32_MAX

typedef struct gltf_bytes {
    unsigned char *bytes;
    size_t size;
} gltf_bytes;

typedef struct gltf_file {
    const char *path;
    sink *out;
    json_t *root;
    gltf_bytes binary;    /* of a .glb; bytes = NULL: there is none */
    gltf_bytes *buffers;  /* as far as they were needed; bytes = NULL: not yet */
    gltf_bytes *unpacked; /* buffer views that were compressed, likewise */
    double held;          /* bytes of the file, of buffers and of what was unpacked */
} gltf_file;

/* Opens a file, writes the IMPORT_META, checks version and required extensions. */
void gltf_open(gltf_file *f, const char *path, sink *out);
/* Ends the process: the file is refused, and why. */
_Noreturn void gltf_refuse(gltf_file *f, const char *format, ...) TEXT_FORMAT(2, 3);
void gltf_note(gltf_file *f, const char *format, ...) TEXT_FORMAT(2, 3);

/* --- JSON --------------------------------------------------------------------------------------------------------- */

/* An object of one of the lists at the top, or an object within one; json = NULL: there is none. */
typedef struct gltf_item {
    json_t *json;
    const char *list; /* for messages: "nodes" ... */
    uint32_t index;   /* GLTF_NONE: it stands alone */
} gltf_item;

uint32_t gltf_count(gltf_file *f, const char *list);
/* Refuses where there is none of this number. */
gltf_item gltf_get(gltf_file *f, const char *list, uint32_t index);
gltf_item gltf_child_of(gltf_file *f, gltf_item item, const char *key);
gltf_item gltf_extension(gltf_file *f, gltf_item item, const char *name);
/* The members below may be missing. */
json_t *gltf_array(gltf_file *f, gltf_item item, const char *key);    /* NULL */
const char *gltf_text(gltf_file *f, gltf_item item, const char *key); /* "" */
double gltf_number(gltf_file *f, gltf_item item, const char *key, double otherwise);
bool gltf_numbers(gltf_file *f, gltf_item item, const char *key, double *out, size_t count);
/* A whole number from 0 on. */
uint64_t gltf_size(gltf_file *f, gltf_item item, const char *key, uint64_t otherwise);
/* The number of an entry of a list at the top; GLTF_NONE. */
uint32_t gltf_index(gltf_file *f, gltf_item item, const char *key, const char *list);
/* The same for entries of an array: a whole number below `limit`. */
uint32_t gltf_index_in(gltf_file *f, gltf_item item, const json_t *entry, const char *key, uint32_t limit);

/* --- data --------------------------------------------------------------------------------------------------------- */

typedef struct gltf_view {
    const unsigned char *bytes;
    size_t size, stride; /* stride 0: elements follow each other */
} gltf_view;
gltf_view gltf_view_of(gltf_file *f, uint32_t number);

typedef struct gltf_accessor {
    gltf_item item;
    uint32_t count;
    int components; /* numbers an element */
    int type;       /* of a number: 5120 to 5126 */
    bool normalized;
    gltf_view view; /* from the first element on; bytes = NULL: zeros */
} gltf_accessor;

/* `type`: "SCALAR", "VEC3" ...; others are refused. */
gltf_accessor gltf_accessor_of(gltf_file *f, uint32_t number, const char *type);
/* The same without its bytes, which come from elsewhere. */
gltf_accessor gltf_accessor_head(gltf_file *f, uint32_t number, const char *type);
/* All numbers, with what is sparse in place. free() them. */
double *gltf_numbers_of(gltf_file *f, const gltf_accessor *a);
uint32_t *gltf_indices_of(gltf_file *f, const gltf_accessor *a);
/* What a stored number stands for: integers may be normalized to 0 .. 1 or -1 .. 1. */
double gltf_denormalize(int type, bool normalized, double stored);

/* Room for so many things, which the file is known to hold; ends the process with a message where there is none. */
void *gltf_room(size_t count, size_t size);

#endif
