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
/* An IMPORT_META: metres of the unit, and the axis that is up, each 0 where the file does not say, with what is then to
 * be assumed; `single` is of IMPORT_SINGLE_POINTS and IMPORT_SINGLE_PLACES. */
typedef struct sink_facts {
    double unit, unit_bias;
    char up, up_bias, single;
} sink_facts;
void sink_meta(sink *s, const sink_facts *facts, const char *format);
/* Says, where it is not empty, that this unit is none. */
void sink_odd_unit(sink *s, const char *unit);
/* An IMPORT_NODE with meshes of the stream from `first_mesh` on; `local` is rows of 3 x 4. */
void sink_node(sink *s, uint32_t parent, const double local[12], const char *name, uint32_t first_mesh,
               uint32_t mesh_count);
/* Refuses the file, and ends the process. */
_Noreturn void sink_refuse(sink *s, const char *why);
/* An IMPORT_SOURCE: a file that was opened. */
void sink_source(sink *s, const char *path, const uint64_t identity[2]);
/* An IMPORT_LEFT_OUT: a part of the file that is not among the parts, and why. */
void sink_left_out(sink *s, uint32_t fate, const char *id, const char *kind, const char *name, const char *reason);
void sink_flush(sink *s);

#endif
