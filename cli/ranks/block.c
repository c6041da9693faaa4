/* Bytes from one process to another: see block.h. */
#include "ranks/block.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

void *block_add(block *b, size_t size) {
    if (!b->bytes || b->capacity - b->size < size) {
        const size_t wanted = b->size + size > 2 * b->capacity ? b->size + size : 2 * b->capacity;
        unsigned char *bytes = allocate(wanted, 1);
        if (b->size > 0) memcpy(bytes, b->bytes, b->size);
        free(b->bytes);
        b->bytes = bytes, b->capacity = wanted;
    }
    b->size += size;
    return b->bytes + b->size - size;
}

void block_put(block *b, const void *data, size_t size) {
    if (size > 0) memcpy(block_add(b, size), data, size);
}

void block_put_text(block *b, const char *text) { block_put(b, text, strlen(text) + 1); }

static void differ(void) {
    fputs("carom: the processes of this check are not the same program\n", stderr); /* at once: messages are held */
    exit(EXIT_INTERNAL);
}

static const void *take_bytes(block *b, size_t size) {
    if (b->size - b->at < size) differ();
    b->at += size;
    return b->bytes + b->at - size;
}

void block_take(block *b, void *data, size_t size) {
    if (size > 0) memcpy(data, take_bytes(b, size), size);
}

char *block_take_text(block *b) {
    const char *text = b->at < b->size ? (const char *)b->bytes + b->at : "";
    const char *end = b->at < b->size ? memchr(text, 0, b->size - b->at) : NULL;
    if (!end) differ();
    return copy_text(take_bytes(b, (size_t)(end - text) + 1));
}

void block_put_mesh(block *b, const cm_mesh *mesh) {
    const uint64_t bytes = cm_mesh_bytes(mesh);
    block_put(b, &bytes, sizeof bytes);
    block_put(b, mesh, (size_t)bytes);
}

cm_mesh *block_take_mesh(block *b) {
    uint64_t bytes;
    block_take(b, &bytes, sizeof bytes);
    const void *from = take_bytes(b, (size_t)bytes);
    void *mesh = allocate((size_t)bytes, 1);
    memcpy(mesh, from, (size_t)bytes);
    return mesh;
}

uint64_t block_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (; size > 0; at += size < 8 ? size : 8, size -= size < 8 ? size : 8) {
        uint64_t word = 0;
        memcpy(&word, at, size < 8 ? size : 8);
        hash = (hash ^ word) * UINT64_C(1099511628211);
        hash ^= hash >> 32; /* or the low bits of the product would not feel the high ones of the word */
    }
    return hash;
}

void block_free(block *b) {
    free(b->bytes);
    *b = (block){0};
}
