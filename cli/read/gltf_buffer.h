/* The bytes that a glTF file refers to. */
#ifndef CLI_GLTF_BUFFER_H
#define CLI_GLTF_BUFFER_H

#include "read/gltf_file.h"

/* A whole regular file; `what` it is, for messages. It is entered as a source, under the name `shown`. */
gltf_bytes gltf_read_file(gltf_file *f, const char *path, const char *shown, const char *what);

#endif
