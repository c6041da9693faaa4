/* The importer's side of the stream: see sink.h. */
#define _DEFAULT_SOURCE
#include "read/sink.h"

#include "read/import.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void sink_flush(sink *s) {
    size_t done = 0;
    while (done < s->used) {
        ssize_t n = write(s->fd, s->bytes + done, s->used - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) _exit(4); /* nobody listens any more */
        done += (size_t)n;
    }
    s->used = 0;
}

void sink_put(sink *s, const void *data, size_t size) {
    const unsigned char *at = data;
    while (size > 0) {
        size_t room = sizeof s->bytes - s->used, part = size < room ? size : room;
        memcpy(s->bytes + s->used, at, part);
        s->used += part, at += part, size -= part;
        if (s->used == sizeof s->bytes) sink_flush(s);
    }
}

void sink_u32(sink *s, uint32_t n) { sink_put(s, &n, sizeof n); }

void sink_record(sink *s, uint32_t tag, uint64_t size) {
    sink_u32(s, tag);
    sink_put(s, &size, sizeof size);
}

void sink_text(sink *s, uint32_t tag, const char *text) {
    sink_record(s, tag, strlen(text));
    sink_put(s, text, strlen(text));
}

void sink_meta(sink *s, const sink_facts *facts, const char *format) {
    const double units[2] = {facts->unit, facts->unit_bias};
    const char rest[3] = {facts->up, facts->up_bias, facts->single};
    sink_record(s, IMPORT_META, sizeof units + sizeof rest + strlen(format));
    sink_put(s, units, sizeof units);
    sink_put(s, rest, sizeof rest);
    sink_put(s, format, strlen(format));
}

void sink_odd_unit(sink *s, const char *unit) {
    char line[120];
    if (!*unit) return;
    snprintf(line, sizeof line, NOTE_WARNING "its unit '%.31s' is none that is known here: --unit says what it is",
             unit);
    sink_text(s, IMPORT_NOTE, line);
}

void sink_node(sink *s, uint32_t parent, const double local[12], const char *name, uint32_t first_mesh,
               uint32_t mesh_count) {
    const uint32_t head[3] = {parent, mesh_count, (uint32_t)strlen(name)};
    sink_record(s, IMPORT_NODE, sizeof head + 12 * sizeof *local + head[2] + UINT64_C(4) * mesh_count);
    sink_put(s, head, sizeof head);
    sink_put(s, local, 12 * sizeof *local);
    sink_put(s, name, head[2]);
    for (uint32_t i = 0; i < mesh_count; i++) sink_u32(s, first_mesh + i);
}

void sink_refuse(sink *s, const char *why) {
    sink_text(s, IMPORT_FAIL, why);
    sink_record(s, IMPORT_END, 0);
    sink_flush(s);
    _exit(0);
}

void sink_source(sink *s, const char *path, const uint64_t identity[2]) {
    sink_record(s, IMPORT_SOURCE, 2 * sizeof identity[0] + strlen(path));
    sink_put(s, identity, 2 * sizeof identity[0]);
    sink_put(s, path, strlen(path));
}

void sink_left_out(sink *s, uint32_t fate, const char *id, const char *kind, const char *name, const char *reason) {
    const uint32_t head[4] = {fate, (uint32_t)strlen(id), (uint32_t)strlen(kind), (uint32_t)strlen(name)};
    sink_record(s, IMPORT_LEFT_OUT, sizeof head + head[1] + head[2] + head[3] + strlen(reason));
    sink_put(s, head, sizeof head);
    sink_put(s, id, head[1]);
    sink_put(s, kind, head[2]);
    sink_put(s, name, head[3]);
    sink_put(s, reason, strlen(reason));
}
