/* Reads the trace that `carom simulate` writes. */
#ifndef TEST_CLI_TRACE_H
#define TEST_CLI_TRACE_H

#include "cli/command.h"

#include <math.h>

/* One line; numbers that are not there are NAN. */
typedef struct trace_row {
    int step;
    double time;
    char event[16], a[64], b[64];
    double x[3], n[3], depth;
} trace_row;

typedef struct trace_rows {
    trace_row *rows;
    size_t count;
} trace_rows;

/* One field, unquoted; returns where the next begins. */
static inline const char *trace_field(const char *at, char *out, size_t size) {
    size_t used = 0;
    bool quoted = *at == '"';
    for (at += quoted; *at && (quoted || (*at != ',' && *at != '\n')); at++) {
        if (quoted && *at == '"' && *++at != '"') break;
        if (used + 1 < size) out[used++] = *at;
    }
    out[used] = 0;
    return *at == ',' ? at + 1 : at;
}

/* All lines after the head. free() the rows. */
static inline trace_rows trace_parse(const char *text) {
    trace_rows out = {NULL, 0};
    const char *at = strchr(text, '\n');
    check_that(at && strncmp(text, "step,time,event,a,b,x,y,z,nx,ny,nz,depth\n", (size_t)(at - text) + 1) == 0,
               "the head of %s", text);
    size_t lines = 0;
    for (const char *c = at; *c; c++) lines += *c == '\n';
    out.rows = calloc(lines + 1, sizeof *out.rows);
    while (*++at) {
        trace_row *row = &out.rows[out.count++];
        char word[64];
        at = trace_field(at, word, sizeof word), row->step = atoi(word);
        at = trace_field(at, word, sizeof word), row->time = strtod(word, NULL);
        at = trace_field(at, row->event, sizeof row->event);
        at = trace_field(at, row->a, sizeof row->a);
        at = trace_field(at, row->b, sizeof row->b);
        for (int i = 0; i < 7; i++) {
            double *number = i < 3 ? &row->x[i] : i < 6 ? &row->n[i - 3] : &row->depth;
            at = trace_field(at, word, sizeof word);
            *number = *word ? strtod(word, NULL) : (double)NAN;
        }
        check_that(*at == '\n', "the end of line %zu", out.count);
    }
    return out;
}

/* Runs the scene with the options (up to the first NULL), expects it to succeed, and gives its trace. */
static inline trace_rows trace_of_scene(const char *scene, const char *const *options) {
    const char *path = scratch_path("trace.csv"), *list[32] = {"simulate", scene, "--trace", path};
    for (int i = 0; options && options[i]; i++) list[4 + i] = options[i];
    expect(0, NULL, list);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    char *text = calloc(1, size + 1);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    trace_rows rows = trace_parse(text);
    free(text);
    return rows;
}

#endif
