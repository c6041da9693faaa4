/* Bytes that one process hands to another, written and read in the same order. Both are the same program, so that
 * structures go as they are. */
#ifndef CLI_BLOCK_H
#define CLI_BLOCK_H

#include <carom/carom.h>

#include <stddef.h>
#include <stdint.h>

typedef struct block {
    unsigned char *bytes;
    size_t size, capacity;
    size_t at; /* how much of it was taken */
} block;

/* Room for so many bytes more behind what is there; returns where. */
void *block_add(block *b, size_t size);
void block_put(block *b, const void *data, size_t size);
void block_put_text(block *b, const char *text);
/* What was put, in that order. A block that has less ends the command: processes then differ. */
void block_take(block *b, void *data, size_t size);
char *block_take_text(block *b); /* free() it */
/* A mesh: one block of memory that may stand anywhere. */
void block_put_mesh(block *b, const cm_mesh *mesh);
cm_mesh *block_take_mesh(block *b); /* cm_mesh_destroy it */
/* FNV-1a of bytes, eight at a time, going on from an earlier hash; the first is BLOCK_HASH. */
#define BLOCK_HASH UINT64_C(14695981039346656037)
uint64_t block_hash(uint64_t hash, const void *bytes, size_t size);
void block_free(block *b);

#endif
