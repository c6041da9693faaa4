/* The importer's side of the stream: see sink.h. */
#define _DEFAULT_SOURCE
#include "read/sink.h"

#include "read/import.h"

#include <errno.h>
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
