/* Reading glTF 2.0: what a viewer shows at rest, as triangles.
 *
 * Runs in the importer's process. Whatever cannot be read as the file means it is refused with a reason; what has no
 * area or is not shown is left out and said. */
#ifndef CLI_GLTF_H
#define CLI_GLTF_H

/* Writes the stream of docs/reader.md to `fd`. Returns the process's exit status. */
int gltf_child(const char *path, int fd);

#endif
