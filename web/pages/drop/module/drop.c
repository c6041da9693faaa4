/* `carom check` for the page: the command's own reading of a reader's stream, its check, its JSON and its report, with
 * what a page has in place of files, processes and clocks. What is written goes to the standard output, messages to the
 * standard error, both of which module.ts catches.
 *
 * drop_add the stream of each file (docs/reader.md), drop_check, drop_report. An instance is for one check: what it
 * holds goes with it. */
#include "check/commands.h"
#include "check/left_out.h"
#include "check/output.h"
#include "check/rules.h"
#include "common/progress.h"
#include "common/text.h"
#include "page/page.h"
#include "page/report.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), used))

/* Of the page: near pairs that are done. */
__attribute__((import_module("page"), import_name("progress"))) void page_progress(uint32_t done, uint32_t total);

/* --- files that the page read ------------------------------------------------------------------------------------ */

typedef struct stream {
    char *path;
    unsigned char *bytes;
    size_t size;
} stream;

static stream *streams;
static uint32_t stream_count;
static size_t stream_room;

/* Takes both over, which malloc gave. */
EXPORT(drop_add) void drop_add(char *path, unsigned char *bytes, size_t size) {
    streams = grow(streams, stream_count, &stream_room, sizeof *streams);
    streams[stream_count++] = (stream){path, bytes, size};
}

int import_file(const char *path, const import_options *options, import_data *out) {
    uint32_t i = 0;
    while (streams[i].path != path) i++; /* read_scene hands on what it was given */
    char *refused = NULL;
    const char *wrong = "";
    int code;
    *out = (import_data){0};
    if (!import_parse(streams[i].bytes, streams[i].size, out, &refused, &wrong)) {
        code = complain(EXIT_INTERNAL, "%s: %s", path, wrong);
    } else if (refused) {
        code = complain(EXIT_INPUT, "%s: cannot be read: %s", path, refused);
    } else {
        import_vet(out);
        code = import_check(path, out, options->skip_bad);
    }
    free(refused);
    if (code != 0) import_free(out);
    return code;
}

/* --- what a page has not ----------------------------------------------------------------------------------------- */

double seconds_now(void) { return 0; } /* no time is in JSON or report */
bool outputs_spare_path(const output_files *outputs, const char *path) {
    (void)outputs, (void)path;
    return true; /* nothing is written over */
}
bool outputs_spare(const output_files *outputs, const char *path, file_identity identity, const char *because) {
    (void)outputs, (void)path, (void)identity, (void)because;
    return true;
}

void page_open(page *p, const char *path, const page_frame *frame) {
    (void)path;
    *p = (page){.frame = frame, .file = stdout};
    page_put(p, frame->head, frame->head_size);
}
bool page_close(page *p, const char *path, char *message, size_t size) {
    page_put(p, p->frame->tail, p->frame->tail_size);
    fflush(stdout);
    if (p->error) snprintf(message, size, "%s: cannot be written: %s", path, strerror(p->error));
    return !p->error;
}
bool page_can_write(const char *path, char *message, size_t size) {
    (void)path, (void)message, (void)size;
    return true;
}

/* --- the check --------------------------------------------------------------------------------------------------- */

static scene model;
static findings found;
static rules asked;

static bool tell(void *user, size_t done, size_t total) {
    (void)user;
    page_progress((uint32_t)done, (uint32_t)total);
    return true;
}

/* As `carom check FILE... --format json`, with a report to come. `clearance` < 0 and `tolerance` 0: not given. The exit
 * code of the command: 0, 1 where the check fails, more after a message. */
EXPORT(drop_check) int drop_check(double clearance, double tolerance, cm_check_fail_on fail_on) {
    const char **paths = allocate(stream_count, sizeof *paths);
    for (uint32_t i = 0; i < stream_count; i++) paths[i] = streams[i].path;
    const bool near = clearance >= 0;
    options o = {.paths = paths,
                 .path_count = stream_count,
                 .read = {.one_file = stream_count == 1, .threads = 1, .left_out = rules_spaces},
                 .format = FORMAT_JSON,
                 .clearance = clearance,
                 .tolerance = tolerance,
                 .fail_on = fail_on != CM_FAIL_DEFAULT ? fail_on
                            : near                     ? CM_FAIL_CLEARANCE
                                                       : CM_FAIL_CROSSING,
                 .report = "report.html"};
    double seconds[2];
    int code = read_scene(paths, stream_count, &o.read, &model, seconds);
    if (code == 0) {
        cm_check_part *parts = check_parts_of(&model);
        cm_check_desc desc = check_describe(&model, &o, &asked, parts);
        desc.progress = tell;
        found = findings_asked(&model, &o, &asked);
        code = complain_of_check(cm_check_parts(&desc, NULL, &found.list, NULL));
        free(parts);
    }
    if (code == 0) {
        write_check_json(&model, &o, &found);
        fflush(stdout);
        if (found.list.failing > 0) code = EXIT_FOUND;
        code = left_out_code(&model, &o, code);
    }
    free(paths);
    return code;
}

EXPORT(drop_report) int drop_report(void) {
    char message[256];
    if (report_write("report.html", &model, NULL, &found, 1, message, sizeof message)) return 0;
    return complain(EXIT_INTERNAL, "%s", message);
}
