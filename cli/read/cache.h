/* What readers gave, kept in a folder, so that an unchanged file need not be read again. */
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include "read/import.h"
#include "read/readers.h"
#include "common/sha256.h"

#include <time.h>

/* Where the answer of a reader about a file stands, or would. */
typedef struct cache_place {
    char *entry, *folder; /* paths */
    const char *model;
    unsigned char key[SHA256_SIZE];
    struct timespec asked; /* the time by the clock of files */
} cache_place;

/* An entry that was found. */
typedef struct cache_found {
    unsigned char *bytes, *stream; /* all of it; the stream within it. free() the former */
    size_t size;                   /* of the stream */
    file_identity *sources;        /* as they are today, in the order of the stream; free() them */
    uint32_t source_count;
} cache_found;

/* False, after a warning, where the file cannot be looked at, or the folder cannot be made. cache_end it. */
bool cache_start(const char *folder, const char *path, const reader *with, const import_options *options,
                 cache_place *out);
void cache_end(cache_place *place);
/* Is there an entry, whole, of these very files? One that is damaged is warned of. `most`: bytes it may have. */
bool cache_find(const cache_place *place, double most, cache_found *out);
/* Keeps the stream of a reader, whole or not at all. Where that cannot be, a warning says so. */
void cache_keep(const cache_place *place, const unsigned char *stream, size_t size, const import_data *data);

#endif
