/* The compressed buffer views of glTF: EXT_meshopt_compression and KHR_meshopt_compression. */
#ifndef CLI_MESHOPT_H
#define CLI_MESHOPT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum meshopt_mode { MESHOPT_ATTRIBUTES, MESHOPT_TRIANGLES, MESHOPT_INDICES } meshopt_mode;

/* May `size` bytes hold `count` elements of `stride` bytes? To be asked before room for them is made. Strides must be
 * a multiple of 4 up to 256 for attributes, 2 or 4 for indices; triangles are three indices each. */
bool meshopt_may_hold(meshopt_mode mode, size_t count, size_t stride, size_t size);

/* Decodes into `out`, count * stride bytes. False where the bytes are damaged. */
bool meshopt_decode(meshopt_mode mode, const unsigned char *bytes, size_t size, size_t count, size_t stride,
                    unsigned char *out);

/* The filters that positions, weights and transforms come with, undone in place. */
void meshopt_unfilter_exponential(unsigned char *data, size_t count, size_t stride); /* to 32 bit floats */
void meshopt_unfilter_quaternion(unsigned char *data, size_t count);                 /* 4 normalized int16 each */

#endif
