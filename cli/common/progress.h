/* How far a long loop is, on a terminal only; and the clock. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct progress {
    const char *what;
    atomic_size_t done;
    atomic_long shown_at; /* milliseconds since the start, when it was last shown */
    double start;
    bool on;
} progress;

/* Of a clock that never goes back. */
double seconds_now(void);

void progress_start(progress *p, const char *what);
/* One more of `total` is done; from any thread. Shows at most ten times a second, nothing within the first half second.
 */
void progress_step(progress *p, size_t total);
/* Clears the line. */
void progress_end(progress *p);

#endif
