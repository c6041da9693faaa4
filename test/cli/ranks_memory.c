/* What memory the processes of a check take at most. The test runs itself under mpirun: as a rank it starts the command
 * and measures it. */
#include "cli/command.h"
#include "cli/launcher.h"
#include "ranks/ranks.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A checked build keeps what was freed. */
#if defined(__SANITIZE_ADDRESS__)
#define KEEPS_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KEEPS_MEMORY 1
#endif
#endif
#ifndef KEEPS_MEMORY
#define KEEPS_MEMORY 0
#endif

enum { RANKS = 4, FILES = 12, RINGS = 90, TRIANGLES = 4 * RINGS * (RINGS - 1) };

/* One of the processes: says how the command ended and what it took, in MB, in a file of its own. It ends with 0
 * itself: where one does not, the launcher ends those that are not done. */
static int be_rank(int count, char **arguments) {
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    const pid_t child = fork();
    if (child == 0) {
        execv(arguments[1], arguments + 1);
        _exit(127);
    }
    int status;
    struct rusage used;
    if (child < 0 || count < 2 || waitpid(child, &status, 0) != child) return 9;
    getrusage(RUSAGE_CHILDREN, &used);
    char name[40];
    snprintf(name, sizeof name, "memory.%s", own ? own : "0");
    FILE *f = fopen(name, "w");
    if (!f) return 9;
    fprintf(f, "%d %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 9, used.ru_maxrss / 1024);
    fclose(f);
    return 0;
}

/* A ball of 4 rings (rings - 1) triangles. */
static void write_fine_ball(const char *name, int rings, double x) {
    FILE *f = fopen(scratch_path(name), "w");
    assert_non_null(f);
    fprintf(f, "o ball\n");
    for (int i = 0; i <= rings; i++)
        for (int j = 0; j < 2 * rings; j++) {
            const double t = 3.14159265358979 * i / rings, u = 3.14159265358979 * j / rings;
            fprintf(f, "v %.9g %.9g %.9g\n", x + sin(t) * cos(u), sin(t) * sin(u), cos(t));
        }
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < 2 * rings; j++) {
            const int a = 1 + 2 * rings * i + j, b = 1 + 2 * rings * i + (j + 1) % (2 * rings);
            fprintf(f, "f %d %d %d %d\n", a, a + 2 * rings, b + 2 * rings, b);
        }
    fclose(f);
}

/* A row of balls, each a file of its own and touched by the next. */
static void write_balls(void) {
    for (int k = 0; k < FILES; k++) {
        char name[40];
        snprintf(name, sizeof name, "ball%02d.obj", k);
        write_fine_ball(name, RINGS, 1.9 * k);
    }
}

/* Runs a check on so many ranks; what the one that took most took, and the first, in MB. The first ends with `verdict`.
 */
static void measure(int ranks, int verdict, const char *arguments, long *most, long *first) {
    char self[500], line[1500];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = 0;
    snprintf(line, sizeof line,
             "cd '%s' && " LAUNCHER MPIRUN "%d '%s' \"$CAROM_COMMAND\" check --unit m --threads 1 %s >/dev/null 2>&1",
             scratch(), ranks, self, arguments);
    assert_int_equal(system(line), 0);
    *most = 0;
    for (int r = 0; r < ranks; r++) {
        char name[40];
        int code = -1;
        long taken = 0;
        snprintf(name, sizeof name, "memory.%d", r);
        FILE *f = fopen(scratch_path(name), "r");
        check_that(f, "%d ranks: %s is not there", ranks, name);
        assert_int_equal(fscanf(f, "%d %ld", &code, &taken), 2);
        fclose(f);
        check_that(code == (r == 0 ? verdict : 0), "%s: rank %d ends with %d", arguments, r, code);
        if (r == 0) *first = taken;
        if (taken > *most) *most = taken;
    }
}

/* A rank holds what it has read, and what its tiles need. The page's meshes come to the first a few MB at a time: it
 * takes no more than it does without a page but for these, and for the hull of one of them. */
static void memory_is_bounded_by_the_share(void **state) {
    (void)state;
    if (KEEPS_MEMORY || !has_launcher()) skip();
    write_balls();
    long alone, most, first, alone_most, most_page, first_page;
    measure(1, 1, "ball*.obj", &alone_most, &alone);
    measure(RANKS, 1, "ball*.obj", &most, &first);
    measure(RANKS, 1, "ball*.obj --report page.html", &most_page, &first_page);
    const double all = FILES * (double)TRIANGLES * 128 / (1 << 20); /* of the meshes, 128 bytes a triangle */
    print_message("%ld MB alone, %ld on %d ranks, %ld with a page, %.0f of meshes\n", alone, most, RANKS, most_page,
                  all);
    check_that((double)(alone - most) > all / 8, "%ld MB on %d ranks, %ld alone", most, RANKS, alone);
    check_that((double)(first_page - first) < 0.75 * all,
               "the first rank takes %ld MB, %ld with a page; all meshes %.0f", first, first_page, all);
}

/* A mesh of double precision takes 152 bytes a triangle, some more while it is built from points and numbers, and not
 * with what was read of it beside it: 234 were seen. */
static void a_large_part_is_in_memory_once(void **state) {
    (void)state;
    if (KEEPS_MEMORY || !has_launcher()) skip();
    enum { FINE = 200 };
    write_fine_ball("coarse.obj", 4, 0);
    write_fine_ball("fine.obj", FINE, 0);
    write_fine_ball("apart.obj", 4, 9);
    long base, large, most;
    measure(1, 0, "coarse.obj apart.obj", &most, &base);
    measure(1, 0, "fine.obj apart.obj", &most, &large);
    const double each = (double)(large - base) * (1 << 20) / (4.0 * FINE * (FINE - 1));
    print_message("%.0f bytes a triangle\n", each);
    check_that(each < 260, "%.0f bytes a triangle", each);
}

int main(int count, char **arguments) {
    if (ranks_launched()) return be_rank(count, arguments);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_bounded_by_the_share),
        cmocka_unit_test(a_large_part_is_in_memory_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
