/* An earlier answer of `carom check --format json`: which findings are new since, persist, or are resolved. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "check/findings.h"

typedef struct baseline {
    cm_finding *findings; /* of then; their parts are numbers into `names` */
    uint32_t count;
    char **names;
    uint32_t name_count;
    bool *persists;      /* one for each finding of then */
    uint32_t *before_of; /* one for each finding of now: its number then, or CM_NONE where it is new */
    uint32_t fresh, persisting, resolved;
} baseline;

/* Reads the file. Returns 0, or EXIT_INPUT after saying what is wrong. Free with baseline_free in either case. */
int baseline_read(const char *path, baseline *out);
/* Compares it with what was found. With `fail_on_new` what persists does not fail. Returns 0 or the exit code. */
int baseline_compare(baseline *b, cm_check_result *now, bool fail_on_new);
void baseline_free(baseline *b);

/* "new", "persisting", or "" where there is nothing to compare with: of a finding of now. */
const char *baseline_status(const findings *f, size_t number);

#endif
