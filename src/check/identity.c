/* Identities of parts and findings: see cm_finding. */
#include "check/check.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

static uint64_t identity_of_text(const char *text) {
    uint64_t hash = CM__HASH_START;
    for (const char *at = text ? text : ""; *at; at++) hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return hash;
}

typedef struct identity_entry {
    uint64_t hash;
    uint32_t part;
} identity_entry;

static int identity_compare(const void *left, const void *right) {
    const identity_entry *a = left, *b = right;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return a->part < b->part ? -1 : a->part > b->part;
}

/* An id that several parts share, such as the pieces of one split part, identifies none of them and is not used. */
cm_status cm__check_identities(const cm_check_desc *desc, const cm_allocator *mem, uint64_t *out) {
    identity_entry *ids = cm__alloc(mem, desc->part_count, sizeof *ids);
    if (!ids) return CM_NO_MEMORY;
    uint32_t count = 0;
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const cm_check_part *part = &desc->parts[i];
        out[i] = identity_of_text(part->name);
        if (part->id && *part->id) ids[count++] = (identity_entry){identity_of_text(part->id), i};
    }
    cm__sort(ids, count, sizeof *ids, identity_compare);
    for (uint32_t i = 0; i < count; i++) {
        const bool shared =
            (i > 0 && ids[i - 1].hash == ids[i].hash) || (i + 1 < count && ids[i + 1].hash == ids[i].hash);
        if (!shared) out[ids[i].part] = ids[i].hash;
    }
    cm__free(mem, ids, desc->part_count, sizeof *ids);
    return CM_OK;
}

uint64_t cm__check_finding_identity(uint64_t a, uint64_t b, const char *test) {
    const uint64_t pair = hash_bits(hash_bits(CM__HASH_START, a < b ? a : b), a < b ? b : a);
    return test && *test ? hash_bits(pair, identity_of_text(test)) : pair;
}
