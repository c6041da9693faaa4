/* The files of a glTF model. */
#ifndef CLI_GLTF_DISK_H
#define CLI_GLTF_DISK_H

#include "read/gltf_file.h"

/* A whole regular file; `what` it is, for messages. It is entered as a source, under the name `shown`. */
gltf_bytes gltf_read_file(gltf_file *f, const char *path, const char *shown, const char *what);
/* One that the model names: only below the model's folder, links resolved. */
gltf_bytes gltf_read_beside(gltf_file *f, const char *name, const char *what);

#endif
