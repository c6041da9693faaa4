/* ZIP archives as minizip reads them. Runs in the importer's process. */
#ifndef CLI_ZIP_SIZES_H
#define CLI_ZIP_SIZES_H

#include <stddef.h>

/* A copy of an archive with the sizes of its files in the fields of 32 bits; NULL where they stand there, where they
 * need more, and where it is no archive. free() it. Ends the process where there is no memory. */
char *zip_plain_sizes(const char *bytes, size_t size);

#endif
