/* `carom simulate` ended from outside: what the trace has by then are whole rows; or its disk full: then there is none.
 */
#include "command.h"
#include "common/text.h"
#include "trace.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Runs a scene that would take days, sends the signal once the trace has `bytes`, and gives its end and the trace. */
static int interrupted(int number, long bytes, char **trace, char *said, size_t room) {
    const char *scene = write_text(
        "long.json", "{\"schema\": \"carom-scene-1\", \"dt\": 0.01, \"steps\": 10000000, \"objects\": ["
                     "{\"name\": \"one of very many boxes that fly about\", \"mass\": 1, \"sweep\": false, "
                     "\"shape\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, \"scatter\": {\"count\": 400, \"seed\": 1, "
                     "\"low\": [-4, -4, -4], \"high\": [4, 4, 4], \"speed\": 0, \"spin\": 1}}]}");
    const char *path = scratch_path("trace.csv"), *command = getenv("CAROM_COMMAND");
    char errors[512], growing[600]; /* stands in for the trace until the end */
    snprintf(errors, sizeof errors, "%s", scratch_path("errors.txt"));
    remove(path);
    assert_non_null(command);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        if (!freopen("/dev/null", "w", stdout) || !freopen(errors, "w", stderr)) _exit(126);
        execl(command, command, "simulate", scene, "--trace", path, (char *)NULL);
        _exit(127);
    }
    snprintf(growing, sizeof growing, "%s.%ld.part", path, (long)process);
    struct stat now = {0};
    struct timespec wait = {0, 1000000};
    int status = 0;
    while (stat(growing, &now) != 0 || now.st_size < bytes) {
        check_that(waitpid(process, &status, WNOHANG) == 0, "it ended by itself, status %d", status);
        nanosleep(&wait, NULL);
    }
    assert_int_equal(kill(process, number), 0);
    pid_t ended; /* it had days to go: one that ignores the signal outlasts this test's limit */
    while ((ended = waitpid(process, &status, 0)) < 0 && errno == EINTR) {
    }
    assert_int_equal(ended, process);
    assert_int_equal(stat(path, &now), 0);
    check_that(now.st_size >= bytes, "%ld bytes", (long)now.st_size);
    *trace = calloc(1, (size_t)now.st_size + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(*trace, 1, (size_t)now.st_size, file), (size_t)now.st_size);
    fclose(file);
    file = fopen(errors, "rb");
    assert_non_null(file);
    said[fread(said, 1, room - 1, file)] = 0;
    fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void check_rows(char *trace, size_t least) {
    size_t size = strlen(trace);
    check_that(size > 0 && trace[size - 1] == '\n', "a row is cut: %s", size > 80 ? trace + size - 80 : trace);
    trace_rows rows = trace_parse(trace); /* fails at a bent one */
    check_that(rows.count >= least, "%zu rows", rows.count);
    free(rows.rows);
    free(trace);
}

static void an_interrupted_simulation_ends_its_row_and_says_so(void **state) {
    (void)state;
    const int numbers[2] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        char *trace, said[1000];
        int code = interrupted(numbers[i], 100000 + 7777 * i, &trace, said, sizeof said);
        check_that(code == 128 + numbers[i], "exit code %d: %s", code, said);
        check_that(strstr(said, "stopped by") && strstr(said, "of 10000000"), "%s", said);
        check_rows(trace, 100);
    }
}

/* The trace of before is still there, and nothing else. It ends soon after: all steps would take a minute. */
static void a_full_disk_ends_it_and_leaves_no_half_trace(void **state) {
    (void)state;
    const char *scene = write_text(
        "full.json", "{\"schema\": \"carom-scene-1\", \"dt\": 0.01, \"steps\": 1000000, \"objects\": ["
                     "{\"name\": \"box\", \"mass\": 1, \"sweep\": false, \"shape\": {\"kind\": \"box\", \"size\": "
                     "[1, 1, 1]}, \"scatter\": {\"count\": 100, \"seed\": 1, \"low\": [-2, -2, -2], "
                     "\"high\": [2, 2, 2], \"speed\": 0, \"spin\": 1}}]}");
    const char *path = write_text("full.csv", "keep");
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 300000;
    setrlimit(RLIMIT_FSIZE, &small); /* which the command inherits */
    run r = RUN("simulate", scene, "--trace", path);
    setrlimit(RLIMIT_FSIZE, &before);
    check_that(r.code == 2 && strstr(r.err, "full.csv: cannot be written: File too large"), "%d: %s", r.code, r.err);
    run_free(&r);
    char text[8] = "", *list = format_text("ls %s/full.csv* | wc -l", scratch());
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 4);
    fclose(file);
    assert_string_equal(text, "keep");
    file = popen(list, "r");
    assert_int_equal(fgetc(file), '1');
    pclose(file);
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_ends_it_and_leaves_no_half_trace),
        cmocka_unit_test(an_interrupted_simulation_ends_its_row_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
