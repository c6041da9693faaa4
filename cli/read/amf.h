/* What Assimp makes wrongly of an AMF. Runs in the importer's process. */
#ifndef CLI_AMF_H
#define CLI_AMF_H

#include <stddef.h>

/* The text with one volume a mesh, where a mesh has several, of which the importer reads the first, and without
 * materials that are not in the file, which it refuses. NULL where it is fine as it is, is no AMF, or is refused: then
 * `refused` says why, as instances that are turned. Ends the process where there is no memory. */
char *amf_plain(const char *text, size_t size, size_t *out_size, const char **refused);

#endif
