/* The model files of a 3MF as one. Runs in the importer's process. */
#ifndef CLI_PACKAGE_JOIN_H
#define CLI_PACKAGE_JOIN_H

#include <stddef.h>

/* An archive with one model in UTF-8, where the 3MF has bodies in further model files, which it names by p:path (its
 * production extension), where its model is in UTF-16, or where its elements have a prefix for the namespace of 3MF
 * ("m:mesh"); Assimp reads one file, in UTF-8, and no prefixes. Bodies
 * alone are in it: no materials. NULL where the archive is fine as it is, is no 3MF, or is refused: then `refused` says
 * why. Both are kept until the process ends; it ends where there is no memory. */
char *package_join(const char *packed, size_t size, size_t *out_size, const char **refused);

#endif
