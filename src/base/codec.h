/* Numbers to bytes and back: the lowest byte first, reals as their IEEE bits, nothing between them. The same bytes on
 * every machine, for any width of a pointer and order of bytes.
 *
 * One function describes a record, field by field, and serves all three ways: it counts the bytes, writes them, or
 * reads them. What is read into is initialized before. Reading beyond the end gives zeros and sets `failed`; writing is
 * only begun where the room was counted.
 */
#ifndef BASE_CODEC_H
#define BASE_CODEC_H

#include "carom/math.h"

#include <string.h>

typedef enum cm__codec_way { CM__CODEC_COUNT, CM__CODEC_WRITE, CM__CODEC_READ } cm__codec_way;

typedef struct cm__codec {
    cm__codec_way way;
    bool failed;             /* read beyond the end */
    unsigned char *out;      /* of a writer */
    const unsigned char *in; /* of a reader, which has `size` bytes */
    size_t size, at;         /* at: bytes so far */
} cm__codec;

/* The lowest `count` bytes of a number. */
static inline void code_bytes(cm__codec *c, uint64_t *value, size_t count) {
    if (c->way == CM__CODEC_WRITE) {
        for (size_t i = 0; i < count; i++) c->out[c->at + i] = (unsigned char)(*value >> 8 * i & 255);
    } else if (c->way == CM__CODEC_READ) {
        *value = 0;
        if (c->failed || c->size - c->at < count) {
            c->failed = true;
            return;
        }
        for (size_t i = 0; i < count; i++) *value |= (uint64_t)c->in[c->at + i] << 8 * i;
    }
    c->at += count;
}

static inline void code_u64(cm__codec *c, uint64_t *value) { code_bytes(c, value, 8); }
static inline void code_u32(cm__codec *c, uint32_t *value) {
    uint64_t wide = *value;
    code_bytes(c, &wide, 4);
    *value = (uint32_t)wide;
}
static inline void code_double(cm__codec *c, double *value) {
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    code_u64(c, &bits);
    memcpy(value, &bits, sizeof bits);
}
static inline void code_real(cm__codec *c, cm_real *value) {
#if defined(CAROM_F64)
    code_double(c, value);
#else
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    code_u32(c, &bits);
    memcpy(value, &bits, sizeof bits);
#endif
}
static inline void code_vec3(cm__codec *c, cm_vec3 *value) {
    code_real(c, &value->x), code_real(c, &value->y), code_real(c, &value->z);
}
static inline void code_quat(cm__codec *c, cm_quat *value) {
    code_real(c, &value->x), code_real(c, &value->y), code_real(c, &value->z), code_real(c, &value->w);
}

#endif
