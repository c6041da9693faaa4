/* Bytes in the form of zlib, stored: see zlib.h. */
#include "zlib.h"

#include <string.h>

enum { STORED = 65535 }; /* bytes a block, at most */

uLong compressBound(uLong size) { return 2 + size + 5 * (size / STORED + 1) + 4; }

static uint32_t adler32_of(const uint8_t *in, uLong size) {
    uint32_t a = 1, b = 0;
    for (uLong i = 0; i < size; i++) {
        a = (a + in[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int compress2(uint8_t *out, uLongf *out_size, const uint8_t *in, uLong size, int level) {
    uint8_t *at = out;
    (void)level;
    *at++ = 0x78, *at++ = 0x01;
    uLong done = 0;
    do {
        const uLong count = size - done < STORED ? size - done : STORED;
        *at++ = done + count == size; /* the last? */
        *at++ = (uint8_t)count, *at++ = (uint8_t)(count >> 8);
        *at++ = (uint8_t)~count, *at++ = (uint8_t)(~count >> 8);
        memcpy(at, in + done, count);
        at += count, done += count;
    } while (done < size);
    const uint32_t sum = adler32_of(in, size);
    for (int shift = 24; shift >= 0; shift -= 8) *at++ = (uint8_t)(sum >> shift);
    *out_size = (uLongf)(at - out);
    return Z_OK;
}
