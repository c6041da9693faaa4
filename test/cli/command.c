#define _DEFAULT_SOURCE
#include "cli/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- scratch --------------------------------------------------------------------------------------------------- */

static char scratch_folder[256];

static void remove_scratch(void) {
    DIR *folder = opendir(scratch_folder);
    if (!folder) return;
    char path[1024];
    for (struct dirent *e; (e = readdir(folder));) {
        snprintf(path, sizeof path, "%s/%s", scratch_folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlink(path) != 0) rmdir(path);
    }
    closedir(folder);
    rmdir(scratch_folder);
}

const char *scratch(void) {
    if (*scratch_folder) return scratch_folder;
    const char *base = getenv("TMPDIR");
    snprintf(scratch_folder, sizeof scratch_folder, "%s/carom-test-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(scratch_folder)) {
        perror(scratch_folder);
        exit(1);
    }
    atexit(remove_scratch);
    return scratch_folder;
}

const char *scratch_path(const char *name) {
    static char paths[16][512];
    static int next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", scratch(), name);
    return path;
}

const char *write_bytes(const char *name, const void *bytes, size_t size) {
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        print_error("%s: %s\n", path, strerror(errno));
        fail();
    }
    return path;
}
const char *write_text(const char *name, const char *text) { return write_bytes(name, text, strlen(text)); }

const char *test_model(const char *relative) {
    static char path[512];
    const char *folder = getenv("CAROM_TEST_MODELS");
    snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : "/usr/share/assimp/models", relative);
    if (access(path, R_OK) == 0) return path;
    print_message("SKIPPED: no %s (package assimp-testmodels, or CAROM_TEST_MODELS)\n", path);
    return NULL;
}

bool has_ifc_reader(void) {
    static int known = -1;
    if (known < 0) {
        char path[512];
        snprintf(path, sizeof path, "%s", getenv("CAROM_COMMAND"));
        char *slash = strrchr(path, '/');
        if (slash) snprintf(slash, sizeof path - (size_t)(slash - path), "/../libexec/carom/readers/ifc/reader.mjs");
        known = access(path, R_OK) == 0 && system("node --version >/dev/null 2>&1") == 0;
        if (!known) print_message("SKIPPED: no Node.js, or no %s\n", path);
    }
    return known;
}
/* --- running --------------------------------------------------------------------------------------------------- */

typedef struct caught {
    char *text;
    size_t size;
} caught;

static bool catch_some(int fd, caught *c) {
    char part[4096];
    ssize_t n = read(fd, part, sizeof part);
    if (n <= 0) return n < 0 && errno == EINTR;
    c->text = realloc(c->text, c->size + (size_t)n + 1);
    memcpy(c->text + c->size, part, (size_t)n);
    c->size += (size_t)n;
    c->text[c->size] = 0;
    return true;
}

run run_command(const char *const *arguments) {
    const char *command = getenv("CAROM_COMMAND"), *list[64];
    assert_non_null(command);
    int count = 0, out[2], err[2], status = 0;
    list[count++] = command;
    for (; arguments[count - 1] && count < 63; count++) list[count] = arguments[count - 1];
    list[count] = NULL;
    scratch();
    assert_int_equal(pipe(out), 0);
    assert_int_equal(pipe(err), 0);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        if (chdir(scratch()) != 0) _exit(126);
        int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, 0), dup2(out[1], 1), dup2(err[1], 2);
        close(out[0]), close(err[0]);
        execv(command, (char *const *)(void *)list);
        _exit(127);
    }
    close(out[1]), close(err[1]);
    caught texts[2] = {{calloc(1, 1), 0}, {calloc(1, 1), 0}};
    bool open_out = true, open_err = true;
    while (open_out || open_err) {
        struct pollfd wait[2] = {{open_out ? out[0] : -1, POLLIN, 0}, {open_err ? err[0] : -1, POLLIN, 0}};
        if (poll(wait, 2, -1) < 0 && errno != EINTR) break;
        if (wait[0].revents) open_out = catch_some(out[0], &texts[0]);
        if (wait[1].revents) open_err = catch_some(err[0], &texts[1]);
    }
    close(out[0]), close(err[0]);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return (run){WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), texts[0].text, texts[1].text};
}

void run_free(run *r) {
    free(r->out);
    free(r->err);
}

static void print_run(const char *const *arguments, const run *r) {
    print_error("carom");
    for (int i = 0; arguments[i]; i++) print_error(" %s", arguments[i]);
    print_error("\nexit code %d\nstdout: %s\nstderr: %s\n", r->code, r->out, r->err);
}

void expect(int code, const char *text, const char *const *arguments) {
    run r = run_command(arguments);
    bool good = r.code == code && (!text || strstr(r.err, text));
    if (!good) {
        print_error("expected exit code %d and \"%s\"\n", code, text ? text : "");
        print_run(arguments, &r);
    }
    run_free(&r);
    assert_true(good);
}

json_t *run_json(int code, const char *const *arguments) {
    const char *list[64];
    int count = 0;
    for (; arguments[count] && count < 60; count++) list[count] = arguments[count];
    list[count++] = "--format", list[count++] = "json", list[count] = NULL;
    run r = run_command(list);
    json_error_t error;
    json_t *root = json_loads(r.out, JSON_REJECT_DUPLICATES, &error);
    if (!root || r.code != code) {
        print_error("expected exit code %d and JSON (line %d: %s)\n", code, error.line, error.text);
        print_run(list, &r);
    }
    bool good = root && r.code == code;
    run_free(&r);
    assert_true(good);
    return root;
}
