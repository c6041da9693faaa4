/* What the report page asks of zlib, in a module that has no libraries: the same form, without making anything smaller.
 */
#ifndef DROP_ZLIB_H
#define DROP_ZLIB_H

#include <stdbool.h>
#include <stdint.h>

#define z_const const
typedef uint8_t Bytef;
typedef unsigned uInt;
enum { Z_OK = 0, Z_STREAM_END = 1 };
enum { Z_NO_FLUSH = 0, Z_FINISH = 4 };

typedef struct z_stream_s {
    const Bytef *next_in;
    uInt avail_in;
    Bytef *next_out;
    uInt avail_out;
    uint8_t head[9]; /* what goes out before more input does */
    unsigned head_at, head_size;
    uInt left;          /* bytes of the open block */
    uint32_t low, high; /* the two halves of Adler's sum */
    bool ended;
} z_stream;

/* Stored blocks of DEFLATE (RFC 1951) in the frame of zlib (RFC 1950). */
int deflateInit(z_stream *z, int level);
int deflate(z_stream *z, int flush);
int deflateEnd(z_stream *z);

#endif
