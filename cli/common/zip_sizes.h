/* ZIP archives as minizip reads them. */
#ifndef CLI_ZIP_SIZES_H
#define CLI_ZIP_SIZES_H

#include <minizip/unzip.h>
#include <stddef.h>

/* The archive in memory, which stays the caller's, and has to be there until it is closed; NULL where it is none. */
unzFile zip_open(const char *bytes, size_t size);

/* A copy of an archive with the sizes of its files in the fields of 32 bits; NULL where they stand there, where they
 * need more, where it is no archive, and, with ENOMEM in errno, where there is no memory. free() it. */
char *zip_plain_sizes(const char *bytes, size_t size);

#endif
