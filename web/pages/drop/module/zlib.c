/* Bytes in the form of zlib, stored: see zlib.h. */
#include "zlib.h"

#include <string.h>

enum { STORED = 65535 }; /* bytes a block, at most */

static void put_head(z_stream *z, const uint8_t *bytes, unsigned size) {
    memcpy(z->head, bytes, size);
    z->head_at = 0, z->head_size = size;
}

static void put_block(z_stream *z, bool last, uInt size) {
    const uint8_t bytes[5] = {last, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size, (uint8_t)(~size >> 8)};
    put_head(z, bytes, 5);
    z->left = size;
}

/* The last block is empty, and the sum comes behind it. */
static void put_end(z_stream *z) {
    const uint32_t sum = z->high << 16 | z->low;
    put_block(z, true, 0);
    for (int i = 0; i < 4; i++) z->head[z->head_size++] = (uint8_t)(sum >> (24 - 8 * i));
    z->ended = true;
}

static void store(z_stream *z) {
    const uInt size = z->left < z->avail_out ? z->left : z->avail_out;
    for (uInt i = 0; i < size; i++) {
        z->low = (z->low + z->next_in[i]) % 65521;
        z->high = (z->high + z->low) % 65521;
    }
    memcpy(z->next_out, z->next_in, size);
    z->next_in += size, z->avail_in -= size;
    z->next_out += size, z->avail_out -= size;
    z->left -= size;
}

int deflateInit(z_stream *z, int level) {
    static const uint8_t frame[2] = {0x78, 0x01};
    (void)level;
    put_head(z, frame, 2);
    z->left = 0, z->low = 1, z->high = 0, z->ended = false;
    return Z_OK;
}

int deflate(z_stream *z, int flush) {
    while (z->avail_out > 0) {
        if (z->head_at < z->head_size)
            *z->next_out++ = z->head[z->head_at++], z->avail_out--;
        else if (z->left > 0)
            store(z);
        else if (z->avail_in > 0)
            put_block(z, false, z->avail_in < STORED ? z->avail_in : STORED);
        else if (flush == Z_FINISH && !z->ended)
            put_end(z);
        else
            return z->ended ? Z_STREAM_END : Z_OK;
    }
    return Z_OK;
}

int deflateEnd(z_stream *z) {
    (void)z;
    return Z_OK;
}
