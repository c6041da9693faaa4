/* ZIP archives, with minizip: written in memory, the same bytes for the same contents; read with limits, so that a
 * small file does not become a large one. Nothing of an archive is ever written to a disk. */
#ifndef CLI_ARCHIVE_H
#define CLI_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

/* --- writing ----------------------------------------------------------------------------------------------------- */

typedef struct archive_writer archive_writer;

/* Entries bear the time `date`, "2025-03-14T09:00:00Z", which ZIP holds to two seconds, from 1980 on. */
archive_writer *archive_begin(const char *date);
/* `packed`: the bytes are compressed already. */
void archive_add(archive_writer *a, const char *name, const void *bytes, size_t size, bool packed);
/* The archive's bytes, which are the caller's to free; NULL where anything failed. Frees the writer. */
unsigned char *archive_end(archive_writer *a, size_t *size);

/* --- reading ----------------------------------------------------------------------------------------------------- */

typedef struct archive_entry {
    char *name;  /* clean; with no component "..", and no / in front */
    char *bytes; /* zero terminated behind `size` bytes */
    size_t size;
} archive_entry;

typedef struct archive {
    archive_entry *entries; /* those that were wanted, in the order of the archive */
    size_t count;
} archive;

enum { ARCHIVE_ENTRIES_MOST = 400000, ARCHIVE_ENTRY_MOST = 16 << 20, ARCHIVE_BYTES_MOST = 512 << 20 };

/* Reads the entries whose names are wanted; the rest is not unpacked. Returns 0, or EXIT_INPUT after saying what is
 * wrong: it is no archive, is damaged or encrypted, has names that lead out of it, or is more than the limits say. Free
 * with archive_free in either case. */
int archive_read(const char *path, bool (*wanted)(const char *name), archive *out);
void archive_free(archive *a);

#endif
