/* What stands in a BCF that the command wrote; and the same, as another program would have changed it. */
#ifndef TEST_CLI_BCF_FILE_H
#define TEST_CLI_BCF_FILE_H

#include "cli/command.h"

#include "common/archive.h"

static inline bool any_entry(const char *name) {
    (void)name;
    return true;
}

static inline archive open_bcf(const char *path) {
    archive zip;
    assert_int_equal(archive_read(path, any_entry, &zip), 0);
    return zip;
}

/* The n-th entry whose name ends so; NULL where there are no more. */
static inline archive_entry *bcf_entry(const archive *zip, const char *end, size_t n) {
    for (size_t i = 0; i < zip->count; i++) {
        const char *name = zip->entries[i].name;
        const size_t length = strlen(name), size = strlen(end);
        if (length >= size && strcmp(name + length - size, end) == 0 && n-- == 0) return &zip->entries[i];
    }
    return NULL;
}

/* The entry of that end in the folder of the topic whose markup has the text. */
static inline archive_entry *bcf_of_topic(const archive *zip, const char *text, const char *end) {
    const archive_entry *markup = NULL;
    for (size_t i = 0; !markup && (markup = bcf_entry(zip, "/markup.bcf", i)); i++)
        if (!strstr(markup->bytes, text)) markup = NULL;
    check_that(markup != NULL, "no topic with '%s'", text);
    char name[200];
    snprintf(name, sizeof name, "%.36s%s", markup->name, end);
    archive_entry *found = bcf_entry(zip, name, 0);
    check_that(found != NULL, "no %s", name);
    return found;
}

static inline size_t count_in(const char *text, const char *word) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) n++;
    return n;
}

/* In the text of an entry, the first time. */
static inline void replace_in(archive_entry *entry, const char *old, const char *with) {
    const char *at = strstr(entry->bytes, old);
    check_that(at != NULL, "%s has no '%s': %s", entry->name, old, entry->bytes);
    const size_t head = (size_t)(at - entry->bytes), size = entry->size - strlen(old) + strlen(with);
    char *bytes = calloc(1, size + 1);
    assert_non_null(bytes);
    memcpy(bytes, entry->bytes, head);
    memcpy(bytes + head, with, strlen(with));
    memcpy(bytes + head + strlen(with), at + strlen(old), entry->size - head - strlen(old));
    free(entry->bytes);
    entry->bytes = bytes, entry->size = size;
}

/* Writes the archive to the scratch folder, and frees it; returns the path. */
static inline const char *write_bcf(archive *zip, const char *name) {
    archive_writer *out = archive_begin("2025-06-01T00:00:00Z");
    for (size_t i = 0; i < zip->count; i++)
        archive_add(out, zip->entries[i].name, zip->entries[i].bytes, zip->entries[i].size, false);
    size_t size;
    unsigned char *bytes = archive_end(out, &size);
    assert_non_null(bytes);
    const char *path = write_bytes(name, bytes, size);
    free(bytes);
    archive_free(zip);
    return path;
}

#endif
