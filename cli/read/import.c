/* Reading a model file: starts a reader as a child process, watches it, and takes its answer. See import.h.
 *
 * Assimp and the reader of glTF run in a fork of this very program; a format with a reader program of its own
 * (readers.h) in that program.
 * Either is started before any thread is. */
#define _DEFAULT_SOURCE
#include "read/import.h"

#include "read/cache.h"
#include "read/amf.h"
#include "read/gltf.h"
#include "read/json_pool.h"
#include "read/readers.h"
#include "read/whole.h"
#include "common/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

/* An address space limit and a sanitizer's shadow memory exclude each other. */
#if defined(__SANITIZE_ADDRESS__)
#define SHADOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHADOWED 1
#endif
#endif
#ifndef SHADOWED
#define SHADOWED 0
#endif

enum { POLL_MILLISECONDS = 20, ERROR_TAIL = 400 };

/* What a process may have in memory before its reading counts: its interpreter and libraries. A reader program gets
 * more from the system, as Node rather hangs than dies where that refuses it memory. */
static const double PROGRAM_BASE = 2e8, SHADOW_BASE = 3e8, PROGRAM_HARD = 5e8;

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bytes of a process: its address space, or the pages it has in memory. 0 where the system does not tell. */
static double process_bytes(long process, bool resident) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/statm", process);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    unsigned long all = 0, in_memory = 0;
    int n = fscanf(file, "%lu %lu", &all, &in_memory);
    fclose(file);
    return n == 2 ? (double)(resident ? in_memory : all) * (double)sysconf(_SC_PAGESIZE) : 0;
}

/* --- before ---------------------------------------------------------------------------------------------------- */

/* Has most of what it says in other files. */
static bool is_gltf_text(const char *path) {
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".gltf") == 0;
}

/* The file's size, with a buffer of the same name beside a .gltf; < 0 after saying what is wrong. */
static double check_file(const char *path) {
    struct stat info;
    const bool found = stat(path, &info) == 0;
    if (!found && strcmp(path, "-") == 0)
        return complain(-1, "-: a model is read from a file, not from standard input");
    if (!found) return complain(-1, "%s: %s", path, errno == ENOENT ? "no such file" : strerror(errno));
    if (S_ISDIR(info.st_mode)) return complain(-1, "%s: is a directory, not a model file", path);
    if (!S_ISREG(info.st_mode)) return complain(-1, "%s: is not a regular file: write the model to one", path);
    if (info.st_size == 0) return complain(-1, "%s: the file is empty", path);
    if (access(path, R_OK) != 0) return complain(-1, "%s: %s", path, strerror(errno));
    double size = (double)info.st_size;
    if (is_gltf_text(path)) {
        char *buffer = copy_text(path);
        memcpy(buffer + strlen(path) - 5, ".bin", 5);
        if (stat(buffer, &info) == 0 && S_ISREG(info.st_mode)) size += (double)info.st_size;
        free(buffer);
    }
    return size;
}

static void limit_child(const import_limits *limits, bool program) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none); /* it has no business writing files; pipes are not files */
    rlim_t seconds = (rlim_t)limits->seconds + 1;
    struct rlimit time = {seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &time);
    if (program) { /* what it writes to, not what it reserves: Node reserves 11 GB of addresses */
        rlim_t bytes = (rlim_t)(limits->memory + PROGRAM_HARD);
        struct rlimit memory = {bytes, bytes};
        setrlimit(RLIMIT_DATA, &memory);
    } else if (!SHADOWED) {
        rlim_t bytes = (rlim_t)(limits->memory + process_bytes((long)getpid(), false));
        struct rlimit memory = {bytes, bytes};
        setrlimit(RLIMIT_AS, &memory);
    }
}

/* --- the child ------------------------------------------------------------------------------------------------- */

typedef struct child {
    pid_t process;
    int data, errors; /* its stream and its stderr, to be read */
} child;

enum { STREAM_FD = 3, FIRST_FD = 10, EXEC_FAILED = 127 };

/* Moves a descriptor out of the way of those that the child gets; the standard ones may be closed here. */
static bool lift(int *fd) {
    int lifted = fcntl(*fd, F_DUPFD_CLOEXEC, FIRST_FD);
    close(*fd);
    *fd = lifted;
    return lifted >= 0;
}
static bool make_pipe(int ends[2]) {
    if (pipe(ends) != 0) return false;
    bool first = lift(&ends[0]), second = lift(&ends[1]);
    if (first && second) return true;
    if (first) close(ends[0]);
    if (second) close(ends[1]);
    return false;
}

/* Node reserves 11 GB of addresses for WebAssembly, and dies where a limit of the user's forbids them, unless it is
 * told not to; older versions do not know the option. */
static bool addresses_are_limited(void) {
    struct rlimit addresses;
    return getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
}

/* Becomes the reader program: it reads the file that it is given, and writes the stream to descriptor 3. */
static void run_program(const reader *with, const char *path, const import_options *options, int data) {
    char chord[40], unit[40];
    snprintf(chord, sizeof chord, "%.17g", options->chord);
    snprintf(unit, sizeof unit, "%.17g", options->unit);
    const char *list[8];
    int count = 0;
    if (with->command) list[count++] = with->command;
    if (with->command && addresses_are_limited()) list[count++] = "--disable-wasm-trap-handler";
    list[count++] = with->script, list[count++] = path, list[count++] = chord, list[count++] = unit;
    list[count++] = options->override_unit ? "1" : "0";
    list[count] = NULL;
    unsetenv("NODE_OPTIONS"); /* could make it listen, or load other code */
    dup2(data, STREAM_FD);
    limit_child(&options->limits, true);
    execvp(*list, (char *const *)(void *)list);
    _exit(EXEC_FAILED);
}

static bool start_child(const char *path, const reader *with, const import_options *options, child *out) {
    int data[2], errors[2];
    if (!make_pipe(data)) return false;
    if (!make_pipe(errors)) {
        close(data[0]), close(data[1]);
        return false;
    }
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
#if defined(__linux__)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        signal(SIGPIPE, SIG_DFL), signal(SIGXFSZ, SIG_DFL);
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0), dup2(nothing, 1), dup2(errors[1], 2);
        if (with->kind == READER_PROGRAM) run_program(with, path, options, data[1]);
        close(data[0]), close(errors[0]);
        limit_child(&options->limits, false);
        if (with->kind == READER_GLTF) json_pool_start();
        _exit(with->kind == READER_GLTF  ? gltf_child(path, data[1])
              : with->kind == READER_AMF ? amf_child(path, data[1])
                                         : import_child(path, data[1]));
    }
    close(data[1]), close(errors[1]);
    if (process < 0) {
        close(data[0]), close(errors[0]);
        return false;
    }
    *out = (child){process, data[0], errors[0]};
    return true;
}

/* Everything the child said, and why it was stopped. */
typedef struct answer {
    unsigned char *bytes;
    size_t size, capacity;
    char errors[ERROR_TAIL + 1]; /* the last of its stderr */
    size_t error_size;
    enum { ENDED, TOO_LONG, TOO_LARGE, NO_ROOM } stopped;
    int status;
} answer;

/* Reads what there is; false at the end. */
static bool read_data(int fd, answer *a) {
    if (a->size == a->capacity) {
        size_t capacity = a->capacity > 0 ? 2 * a->capacity : (size_t)1 << 20;
        unsigned char *bytes = realloc(a->bytes, capacity);
        if (!bytes) {
            a->stopped = NO_ROOM;
            return false;
        }
        a->bytes = bytes, a->capacity = capacity;
    }
    ssize_t n = read(fd, a->bytes + a->size, a->capacity - a->size);
    if (n > 0) a->size += (size_t)n;
    return n > 0 || (n < 0 && errno == EINTR);
}
static bool read_errors(int fd, answer *a) {
    char part[512];
    ssize_t n = read(fd, part, sizeof part);
    for (ssize_t i = 0; i < n; i++) {
        if (a->error_size == ERROR_TAIL) memmove(a->errors, a->errors + 1, --a->error_size);
        a->errors[a->error_size++] = part[i];
    }
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Reads until the child ends or breaks a limit; then it is dead in any case.
 * More bytes in memory than `most` end it; 0: only the system's own limits do. */
static void watch_child(const child *c, const import_limits *limits, double most, answer *a) {
    double deadline = now_seconds() + limits->seconds;
    bool data_open = true, errors_open = true;
    while ((data_open || errors_open) && a->stopped == ENDED) {
        struct pollfd wait[2] = {{data_open ? c->data : -1, POLLIN, 0}, {errors_open ? c->errors : -1, POLLIN, 0}};
        if (poll(wait, 2, POLL_MILLISECONDS) < 0 && errno != EINTR) break;
        if (wait[0].revents) data_open = read_data(c->data, a);
        if (wait[1].revents) errors_open = read_errors(c->errors, a);
        if (a->stopped == NO_ROOM) break;
        if (now_seconds() > deadline) a->stopped = TOO_LONG;
        /* A limit of the system does this where it can; pages in memory are what is left to look at. */
        else if (most > 0 && process_bytes((long)c->process, true) > most)
            a->stopped = TOO_LARGE;
        else if ((double)a->size > 4 * limits->memory)
            a->stopped = TOO_LARGE;
    }
    if (a->stopped != ENDED) kill(c->process, SIGKILL);
    while (waitpid(c->process, &a->status, 0) < 0 && errno == EINTR) {
    }
    close(c->data), close(c->errors);
    while (a->error_size > 0 && (unsigned char)a->errors[a->error_size - 1] <= ' ') a->errors[--a->error_size] = 0;
}

/* --- after ----------------------------------------------------------------------------------------------------- */

static bool is_about_memory(const char *text) {
    return text && (strstr(text, "bad_alloc") || strstr(text, "emory") || strstr(text, "bad allocation") ||
                    strstr(text, "length_error") || strstr(text, "bad_array_new_length"));
}

/* No format is packed so well: a file that asks for a thousand times its size says a wrong number of things. */
enum { BEYOND_PACKING = 1000 };

static int say_memory(const char *path, bool program, const import_options *options) {
    const import_limits *limits = &options->limits;
    struct stat info;
    if (program && options->chord > 0)
        return complain(
            EXIT_INPUT,
            "%s: importing it needs more than %.0f MB of memory: the chord asked for may be too short for its "
            "curves (--import-memory raises the limit)",
            path, limits->memory / 1e6);
    const double size = stat(path, &info) == 0 ? (double)info.st_size : 0;
    if (size > 0 && limits->memory >= BEYOND_PACKING * size && !is_gltf_text(path))
        return complain(
            EXIT_INPUT,
            "%s: importing it needs more than %.0f MB of memory for a file of %.0f bytes: a number in it is "
            "probably wrong%s (--import-memory raises the limit)",
            path, limits->memory / 1e6, size, program ? ", or its curves are many: --chord cuts them coarser" : "");
    return complain(EXIT_INPUT,
                    "%s: importing it needs more than %.0f MB of memory (%s--import-memory raises the limit)", path,
                    limits->memory / 1e6, program ? "--chord cuts its curves coarser, " : "");
}

/* A child that did not end by itself. */
static int say_death(const char *path, const reader *with, const import_options *options, const answer *a) {
    const import_limits *limits = &options->limits;
    bool cpu = WIFSIGNALED(a->status) && WTERMSIG(a->status) == SIGXCPU;
    if (a->stopped == TOO_LONG || cpu)
        return complain(EXIT_INPUT, "%s: importing it takes longer than %g s (--import-timeout raises the limit)", path,
                        limits->seconds);
    if (a->stopped == NO_ROOM) return complain(EXIT_INTERNAL, "%s: out of memory", path);
    if (a->stopped == TOO_LARGE || is_about_memory(a->errors))
        return say_memory(path, with->kind == READER_PROGRAM, options);
    if (WIFEXITED(a->status) && WEXITSTATUS(a->status) == EXEC_FAILED && with->kind == READER_PROGRAM)
        return complain(EXIT_INPUT, "%s: '%s' cannot be started: %s", path,
                        with->command ? with->command : with->script, with->advice);
    const char *deadly = whole_deadly(path); /* by a signal, or by the exit of a sanitizer that caught it */
    if (deadly) return complain(EXIT_INPUT, "%s: cannot be read: %s", path, deadly);
    if (WIFSIGNALED(a->status))
        return complain(EXIT_INPUT, "%s: the importer crashed on this file (signal %d, %s; limits: %.0f MB, %g s)",
                        path, WTERMSIG(a->status), strsignal(WTERMSIG(a->status)), limits->memory / 1e6,
                        limits->seconds);
    if (with->kind == READER_PROGRAM && a->error_size > 0)
        return complain(EXIT_INPUT, "%s: the reader of %s gave up on this file (status %d): %s", path, with->format,
                        WEXITSTATUS(a->status), a->errors);
    return complain(EXIT_INPUT, "%s: the importer gave up on this file (status %d)", path, WEXITSTATUS(a->status));
}

static int say_refusal(const char *path, const import_options *options, const char *refused, const import_data *data) {
    /* Assimp refuses before it names the format; what our own readers quote from a file may have any words in it. */
    if (!data->format && is_about_memory(refused)) return say_memory(path, false, options);
    if (import_dropped_faces(data))
        return complain(EXIT_INPUT, "%s: faces use a point that does not exist: %s", path, refused);
    /* A text of no format in which the word Blender stands is taken for a file of that program. */
    if (strstr(refused, "No suitable reader") || strstr(refused, "BLENDER magic bytes are missing"))
        return complain(EXIT_INPUT, "%s: is not a model file of a known format: export it as GLB, STEP or STL", path);
    return complain(EXIT_INPUT, "%s: cannot be read: %s", path, refused);
}

/* Refuses what nothing here reads, and says what to install where the reader is not there. */
static int check_reader(const char *path, const reader *with) {
    if (with->kind == READER_NONE || with->kind == READER_ROBOT)
        return complain(EXIT_INPUT, "%s: %s files are not read here: %s", path, with->format, with->advice);
    if (with->kind == READER_PROGRAM && with->wide)
        return complain(
            EXIT_INPUT,
            "%s: %s is text in ASCII or UTF-8, and this is UTF-16 or UTF-32: convert it (iconv -f UTF-16 -t UTF-8)",
            path, with->format);
    if (with->kind == READER_PROGRAM && access(with->script, R_OK) != 0)
        return complain(EXIT_INPUT, "%s: there is no %s (CAROM_READERS names another folder): %s", path, with->script,
                        with->advice);
    return 0;
}

static int take_answer(const char *path, const import_options *options, const answer *a, import_data *out) {
    char *refused;
    const char *wrong;
    int code;
    if (!import_parse(a->bytes, a->size, out, &refused, &wrong)) {
        code = complain(EXIT_INTERNAL, "%s: %s", path, wrong);
    } else if (refused) {
        code = say_refusal(path, options, refused, out);
    } else {
        import_vet(out);
        code = import_check(path, out, options->skip_bad);
    }
    free(refused);
    return code;
}

/* Starts the reader and takes what it says; what is whole and of use is kept in the cache, where there is one. */
static int run_reader(const char *path, const reader *with, const import_options *options, const cache_place *place,
                      import_data *out) {
    child c;
    if (!start_child(path, with, options, &c))
        return complain(EXIT_INTERNAL, "%s: cannot start the importer: %s", path, strerror(errno));
    answer a = {0};
    int code;
    double base = with->kind == READER_PROGRAM ? PROGRAM_BASE : SHADOW_BASE;
    bool look = SHADOWED || with->kind == READER_PROGRAM;
    watch_child(&c, &options->limits, look ? options->limits.memory + base : 0, &a);
    if (a.stopped != ENDED || !WIFEXITED(a.status) || WEXITSTATUS(a.status) != 0)
        code = say_death(path, with, options, &a);
    else
        code = take_answer(path, options, &a, out);
    if (code == 0 && place) cache_keep(place, a.bytes, a.size, out);
    free(a.bytes);
    return code;
}

/* The same of what was kept. */
static int take_kept(const char *path, const import_options *options, const cache_found *found, import_data *out) {
    const answer a = {.bytes = found->stream, .size = found->size};
    const int code = take_answer(path, options, &a, out);
    for (uint32_t i = 0; i < out->source_count && i < found->source_count; i++)
        out->sources[i].identity = found->sources[i];
    return code;
}

int import_file(const char *path, const import_options *asked, import_data *out) {
    *out = (import_data){0};
    double size = check_file(path);
    if (size < 0) return EXIT_INPUT;
    reader with;
    reader_find(path, &with);
    int code = check_reader(path, &with);
    if (code != 0) return code;
    import_options options = *asked;
    if (!(options.limits.memory > 0)) options.limits.memory = 768.0 * 1048576 + 50 * size;
    if (!(options.limits.seconds > 0)) options.limits.seconds = 300;
    cache_place place = {0};
    cache_found found;
    const bool cached = options.cache && cache_start(options.cache, path, &with, asked, &place);
    if (cached && cache_find(&place, 4 * options.limits.memory + 1e9, &found)) {
        code = take_kept(path, &options, &found, out);
        free(found.bytes), free(found.sources);
    } else {
        code = run_reader(path, &with, &options, cached ? &place : NULL, out);
    }
    cache_end(&place);
    out->importers_names = with.kind == READER_ASSIMP;
    if (code != 0) import_free(out);
    return code;
}
