/* How far a long loop is: see progress.h. */
#define _DEFAULT_SOURCE
#include "common/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { FIRST_MILLISECONDS = 500, NEXT_MILLISECONDS = 100 };

void progress_start(progress *p, const char *what) {
    const char *terminal = getenv("TERM");
    p->what = what;
    atomic_init(&p->done, 0);
    atomic_init(&p->shown_at, FIRST_MILLISECONDS - NEXT_MILLISECONDS);
    p->start = seconds_now();
    p->on = isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
}

void progress_step(progress *p, size_t total) {
    size_t done = atomic_fetch_add(&p->done, 1) + 1;
    if (!p->on) return;
    long now = (long)(1000 * (seconds_now() - p->start)), before = atomic_load(&p->shown_at);
    if (now < before + NEXT_MILLISECONDS || !atomic_compare_exchange_strong(&p->shown_at, &before, now)) return;
    fprintf(stderr, "\r%zu of %zu %s", done, total, p->what);
}

void progress_end(progress *p) {
    if (p->on && atomic_load(&p->shown_at) >= FIRST_MILLISECONDS) fputs("\r\033[K", stderr);
}
