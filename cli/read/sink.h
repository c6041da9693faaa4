/* The importer's side of the stream that import.h describes: whatever reads a file writes its records here. */
#ifndef CLI_SINK_H
#define CLI_SINK_H

#include <stddef.h>
#include <stdint.h>

typedef struct sink {
    int fd;
    size_t used;
    unsigned char bytes[1 << 16];
} sink;

void sink_put(sink *s, const void *data, size_t size);
void sink_u32(sink *s, uint32_t n);
/* The head of a record; so many bytes are to follow. */
void sink_record(sink *s, uint32_t tag, uint64_t size);
/* A whole record that is a text. */
void sink_text(sink *s, uint32_t tag, const char *text);
/* An IMPORT_SOURCE: a file that was opened. */
void sink_source(sink *s, const char *path, const uint64_t identity[2]);
/* An IMPORT_LEFT_OUT: a part of the file that is not among the parts, and why. */
void sink_left_out(sink *s, uint32_t fate, const char *id, const char *kind, const char *name, const char *reason);
void sink_flush(sink *s);

#endif
