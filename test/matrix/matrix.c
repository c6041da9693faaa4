/* Every kind of specimen against every kind, every query, judged by convex pieces in long double that share no code
 * with the library (support/scene.h): overlap, distance, contact, sweep, ray; apart, touching, deep, swapped, moved, at
 * scales from 1e-4 to 1e6.
 *
 * The poses are dealt out to processes, so that a crash in one of them counts as a fault and the rest goes on. One that
 * has no end is told, again each minute. Every fault is counted; the first of each pair are told, with the line that
 * makes them again. From the environment:
 * - CAROM_PAIR="box and mesh, solid": that pair alone
 * - CAROM_POSES=n: so many poses of each pair
 * - CAROM_SEED=n: other poses
 * - CAROM_POSE=n: that pose alone, in this process
 * - CAROM_JOBS=n: so many processes
 * - CAROM_TABLE=file: writes what was checked, the largest deviations and what a query costs, a line each pair */
#include "support/judge.h"

#include "pair/pair.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAIRS     (SPECIMEN_KINDS * (SPECIMEN_KINDS + 1) / 2)
#define JOBS_MOST 64
#define TOLD      3    /* faults told of each pair */
#define CHUNK     1000 /* poses dealt out at a time */

typedef struct matrix_row {
    specimen_kind a, b;
    tally t;
    int told;
} matrix_row;

/* Poses from..to of a row; what came of them. */
typedef struct chunk {
    int row, fd;
    pid_t process;
    long from, to;
} chunk;

typedef struct chunk_report {
    tally t;
    char text[TOLD * (SCENE_TEXT + 300)];
} chunk_report;

static const char *program = "matrix_matrix";

static long number_of(const char *variable, long otherwise) {
    const char *text = getenv(variable);
    return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* By which file a pair is answered. */
static const char *way_of(const cm_shape *a, const cm_shape *b) {
    if (b->kind < a->kind) return way_of(b, a);
    const cm__method *way = cm__method_of(a->kind, b->kind);
#define WAY_NAME(A, B, name)                                                                                           \
    if (way == &cm__method_##name) return #name;
    CM__METHOD_LIST(WAY_NAME)
#undef WAY_NAME
    if (way == &cm__method_polytopes) return "polytope";
    if (way == &cm__method_polytope_halfspace || way == &cm__method_convex_halfspace) return "support point";
    if (way == &cm__method_convex) return "convex";
    return "composite";
}

/* --- one chunk, in a process of its own -------------------------------------------------------------------------- */

static sigjmp_buf way_back;

static void came_to_grief(int number) { siglongjmp(way_back, number); }

static void watch_for_grief(void) {
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = came_to_grief;
    action.sa_flags = SA_NODEFER;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

/* The line that makes a scene again. */
static void tell_scene(const scene *s, char *out, size_t room) {
    size_t used = strlen(out);
    if (used + SCENE_TEXT + 300 > room) return;
    const char *seed = getenv("CAROM_SEED");
    snprintf(out + used, room - used, "  CAROM_SEED=%s CAROM_PAIR=\"%s\" CAROM_POSE=%ld %s   (scale %Lg)\n%s",
             seed ? seed : "0", scene_pair_name(s->kind_a, s->kind_b), s->number, program, s->scale, s->text);
}

static void run_chunk(const matrix_row *row, uint64_t seed, long from, long to, bool clock, chunk_report *out) {
    static scene s;
    static volatile long i;
    memset(out, 0, sizeof *out);
    watch_for_grief();
    for (i = from; i < to; i++) {
        int grief = sigsetjmp(way_back, 1);
        if (grief == 0) {
            s.clock = clock;
            scene_random(&s, row->a, row->b, seed, i);
            scene_judge(&s);
            scene_free(&s);
        } else {
            s.number = i, s.kind_a = row->a, s.kind_b = row->b;
            scene_fault(&s, "no crash", "signal %d", grief);
        }
        if (s.t.faults > 0) tell_scene(&s, out->text, sizeof out->text);
        tally_add(&out->t, &s.t);
    }
}

static void write_all(int fd, const void *from, size_t size) {
    const char *at = from;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n <= 0) return;
        at += n, size -= (size_t)n;
    }
}

static void start_chunk(chunk *c, const matrix_row *rows, uint64_t seed, bool clock) {
    int ends[2];
    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    c->process = fork();
    assert_true(c->process >= 0);
    if (c->process == 0) {
        static chunk_report report;
        close(ends[0]);
        run_chunk(&rows[c->row], seed, c->from, c->to, clock, &report);
        write_all(ends[1], &report, sizeof report);
        _exit(0);
    }
    close(ends[1]);
    c->fd = ends[0];
}

static void end_chunk(const chunk *c, matrix_row *rows) {
    static chunk_report report;
    matrix_row *row = &rows[c->row];
    size_t size = 0;
    for (ssize_t n = 1; n > 0; size += (size_t)n)
        if ((n = read(c->fd, (char *)&report + size, sizeof report - size)) < 0) n = 0;
    int status = 0;
    close(c->fd);
    waitpid(c->process, &status, 0);
    if (size == sizeof report) {
        tally_add(&row->t, &report.t);
        if (report.t.faults > 0 && row->told++ < TOLD) print_error("%s", report.text);
    } else {
        row->t.faults++;
        print_error("  %s: a process ended by itself (status %d) between poses %ld and %ld\n",
                    scene_pair_name(row->a, row->b), status, c->from, c->to);
    }
}

/* --- all of them ------------------------------------------------------------------------------------------------- */

typedef struct progress {
    long done, all;
    time_t start, told;
} progress;

/* A line in place on a terminal, else a line a minute. */
static void tell_progress(progress *p, const matrix_row *row, long faults, bool last) {
    bool terminal = isatty(2);
    time_t now = time(NULL);
    if (!last && now - p->told < (terminal ? 1 : 60)) return;
    p->told = now;
    fprintf(stderr, "%s  %ld of %ld poses, %ld faults, %ld s: %s%s", terminal ? "\r" : "", p->done, p->all, faults,
            (long)(now - p->start), scene_pair_name(row->a, row->b), terminal ? "\033[K" : "\n");
    if (terminal && last) fprintf(stderr, "\n");
    fflush(stderr);
}

static void run_rows(matrix_row *rows, int count, long each, uint64_t seed, int jobs, bool clock) {
    chunk running[JOBS_MOST];
    int busy = 0, row = 0;
    long from = 0, faults = 0;
    progress p = {0, each * count, time(NULL), time(NULL)};
    while (busy > 0 || row < count) {
        while (busy < jobs && row < count) {
            chunk *c = &running[busy++];
            c->row = row, c->from = from, c->to = from + CHUNK < each ? from + CHUNK : each;
            start_chunk(c, rows, seed, clock);
            from = c->to;
            if (from >= each) row++, from = 0;
        }
        struct pollfd ready[JOBS_MOST];
        for (int i = 0; i < busy; i++) ready[i] = (struct pollfd){.fd = running[i].fd, .events = POLLIN};
        int news = poll(ready, (nfds_t)busy, 60000);
        for (int i = 0; news == 0 && i < busy; i++)
            fprintf(stderr, "  a minute without news: %s, poses %ld to %ld\n",
                    scene_pair_name(rows[running[i].row].a, rows[running[i].row].b), running[i].from, running[i].to);
        if (news <= 0) continue;
        for (int i = busy - 1; i >= 0; i--) {
            if (!ready[i].revents) continue;
            matrix_row *done = &rows[running[i].row];
            long before = done->t.faults;
            end_chunk(&running[i], rows);
            p.done += running[i].to - running[i].from, faults += done->t.faults - before;
            tell_progress(&p, done, faults, p.done == p.all);
            running[i] = running[--busy];
        }
    }
}

static void write_row(FILE *table, const matrix_row *row) {
    const tally *t = &row->t;
    rng r = {1};
    static specimen a, b;
    specimen_random(&a, row->a, 1, &r);
    specimen_random(&b, row->b, 1, &r);
    fprintf(table, "%s\t%s\t%s\t%ld\t%ld\t%.1Le\t%.1Le\t%.1Le\t%.1Le\t%.1Le\t%.1Le\t%.1Le", specimen_names[row->a],
            specimen_names[row->b], way_of(&a.shape, &b.shape), t->poses, t->overlapping, t->proof, t->depth,
            t->contact, t->gap, t->ray[0], t->ray[1], t->moved);
    for (int i = 0; i < 6; i++) fprintf(table, "\t%.0f", t->cost[i] / (double)(t->poses > 0 ? t->poses : 1));
    fprintf(table, "\n");
    specimen_free(&a);
    specimen_free(&b);
}

static int list_rows(matrix_row *rows, const char *only) {
    int count = 0;
    for (int a = 0; a < SPECIMEN_KINDS; a++) {
        for (int b = a; b < SPECIMEN_KINDS; b++) {
            bool grounds = a >= SPECIMEN_HALFSPACE && b <= SPECIMEN_ROUNDED_HALFSPACE;
            if (grounds) continue; /* two half-spaces cross: no distance; see pair/plane.c */
            matrix_row *row = &rows[count];
            memset(row, 0, sizeof *row);
            row->a = (specimen_kind)a, row->b = (specimen_kind)b;
            count += !only || strcmp(only, scene_pair_name(row->a, row->b)) == 0;
        }
    }
    return count;
}

static void no_pair_has_a_hole(void **state) {
    (void)state;
    const char *path = getenv("CAROM_TABLE"), *only = getenv("CAROM_PAIR");
    FILE *table = path ? fopen(path, "w") : NULL;
    if (path && !table) fail_msg("cannot write %s", path);
    static matrix_row rows[PAIRS];
    int count = list_rows(rows, only), deep = samples(0, 1);
    if (count == 0) fail_msg("no pair is called %s", only);
    long pose = number_of("CAROM_POSE", -1), cores = sysconf(_SC_NPROCESSORS_ONLN);
    long each = number_of("CAROM_POSES", samples(table ? 400 : 120, 36000)); /* deep: 10^7 of all pairs */
    long jobs = number_of("CAROM_JOBS", deep && !table ? cores : 1);
    jobs = jobs < 1 ? 1 : jobs > JOBS_MOST ? JOBS_MOST : jobs;
    uint64_t seed = rng_start("matrix", 7).state;
    if (pose >= 0) {
        static chunk_report report;
        run_chunk(&rows[0], seed, pose, pose + 1, false, &report);
        tally_add(&rows[0].t, &report.t);
        print_error("%s", report.text);
    } else {
        run_rows(rows, count, each, seed, (int)jobs, table != NULL);
    }
    tally sum;
    memset(&sum, 0, sizeof sum);
    for (int i = 0; i < count; i++) {
        tally_add(&sum, &rows[i].t);
        if (rows[i].t.faults > 0)
            print_error("  %ld faults: %s\n", rows[i].t.faults, scene_pair_name(rows[i].a, rows[i].b));
        if (table) write_row(table, &rows[i]);
    }
    if (table) fclose(table);
    print_message("  %ld poses of %d pairs, %ld overlapping, %ld swept into contact, %ld met by a ray; %ld of %ld "
                  "contacts kept their name; %ld faults\n",
                  sum.poses, count, sum.overlapping, sum.hits, sum.ray_hits, sum.kept, sum.ids, sum.faults);
    assert_int_equal(sum.faults, 0);
    assert_true(sum.ids == 0 || (double)sum.kept > 0.9 * (double)sum.ids);
}

int main(int count, char **arguments) {
    if (count > 0) program = arguments[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pair_has_a_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
