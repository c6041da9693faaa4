/* SHA-256 [FIPS 180-4]: so that nobody makes two files that are taken for one. */
#ifndef CLI_SHA256_H
#define CLI_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32 };

typedef struct sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    unsigned char block[64];
} sha256;

void sha256_start(sha256 *s);
void sha256_add(sha256 *s, const void *bytes, size_t size);
void sha256_end(sha256 *s, unsigned char out[SHA256_SIZE]);

#endif
