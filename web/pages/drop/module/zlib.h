/* What the report page asks of zlib, in a module that has no libraries: the same form, without making anything smaller.
 */
#ifndef DROP_ZLIB_H
#define DROP_ZLIB_H

#include <stdint.h>

typedef unsigned long uLong, uLongf;
enum { Z_OK = 0 };

uLong compressBound(uLong size);
/* Stored blocks of DEFLATE (RFC 1951) in the frame of zlib (RFC 1950). */
int compress2(uint8_t *out, uLongf *out_size, const uint8_t *in, uLong size, int level);

#endif
