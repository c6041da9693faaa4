/* What stands in an AMF file: its meshes go into the stream as they are read, the rest is a list. */
#ifndef CLI_AMF_FILE_H
#define CLI_AMF_FILE_H

#include "read/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place of an object, or of another constellation, in a constellation. */
typedef struct amf_instance {
    char *id;        /* of what it places */
    double place[6]; /* moved by; turned about x, then y, then z, in degrees */
} amf_instance;

/* An object or a constellation. */
typedef struct amf_thing {
    char *id, *name; /* the name is empty where it has none */
    bool is_constellation;
    uint32_t first_mesh, mesh_count; /* of an object: in the stream */
    size_t first, count;             /* of a constellation: in the instances */
    bool is_placed;                  /* a constellation asks for it */
    bool is_met;                     /* when the tree is written */
} amf_thing;

typedef struct amf_file {
    sink *out;
    amf_thing *things;
    size_t thing_count, thing_capacity;
    amf_instance *instances;
    size_t instance_count, instance_capacity;
    uint32_t mesh_count;
} amf_file;

/* Writes what the file says of its unit, its meshes, and what of them is left out. Refuses what cannot be read, which
 * ends the process, as does a lack of memory. */
void amf_read(amf_file *file, const char *path, sink *out);
_Noreturn void amf_refuse(const amf_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
