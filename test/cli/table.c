/* The tables of carom check and carom info on a terminal. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "cli/command.h"
#include "cli/shapes.h"

#include "common/text.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the command writes to a terminal of that width, and ends with `code`. free() it. */
static char *on_a_terminal(unsigned short width, int code, const char *const *arguments) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0);
    assert_int_equal(grantpt(master), 0);
    assert_int_equal(unlockpt(master), 0);
    const struct winsize size = {.ws_row = 50, .ws_col = width};
    const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        const int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0), dup2(slave, 1), dup2(nothing, 2);
        close(master);
        execv(getenv("CAROM_COMMAND"), (char *const *)(void *)arguments);
        _exit(127);
    }
    close(slave);
    text_buffer text = {0};
    char part[512];
    for (ssize_t n; (n = read(master, part, sizeof part - 1)) > 0;) { /* an error, once all is read and closed */
        part[n] = 0;
        text_add(&text, "%s", part);
    }
    close(master);
    int status = 0;
    assert_true(waitpid(process, &status, 0) == process);
    check_that(WIFEXITED(status) && WEXITSTATUS(status) == code, "status %d", status);
    return text.bytes;
}

/* The columns of a line, without colors: here only CJK ideographs, which are two wide, and combining accents. */
static int columns_of(const char *line, const char *end) {
    int columns = 0;
    while (line < end) {
        const unsigned char c = (unsigned char)*line;
        if (c == '\033') {
            line = strchr(line, 'm') + 1;
            continue;
        }
        if (c != '\r') columns += c >= 0xe4 && c <= 0xe9 ? 2 : c == 0xcc ? 0 : (c & 0xc0) != 0x80;
        line++;
    }
    return columns;
}

/* A pair far from the origin, so that places are long, whose names have so many times these bytes. */
static void fits(const char *what, const char *name_a, const char *name_b, int times) {
    char a[1000] = "", b[1000] = "";
    for (int i = 0; i < times; i++) strcat(a, name_a), strcat(b, name_b);
    strcat(a, "A"), strcat(b, "B");
    obj o = {0};
    obj_box(&o, a, -123456.5, -23456.25, -3456.125, -123455, -23455, -3455);
    obj_box(&o, b, -123456.25, -23456, -3456, -123454, -23454, -3454);
    const char *const arguments[] = {getenv("CAROM_COMMAND"), "check", obj_write(&o, "wide.obj"), "--unit", "mm", NULL};
    char *text = on_a_terminal(100, 1, arguments);
    int lines = 0, most = 0;
    const char *at = text;
    for (const char *end; (end = strchr(at, '\n')) && end > at + 1; at = end + 1) { /* up to the empty line */
        const int columns = columns_of(at, end);
        check_that(columns <= 100, "%s: %d columns: %.*s", what, columns, (int)(end - at), at);
        most = columns > most ? columns : most;
        lines++;
    }
    check_that(lines == 2, "%s: %d lines: %s", what, lines, text);
    check_that(times < 50 || most > 100 - 4, "%s: only %d columns", what, most);
    assert_non_null(strstr(text, "crossing"));
    free(text);
}

static void the_table_fits_a_terminal(void **state) {
    (void)state;
    fits("short names", "x", "y", 1);
    fits("long names", "pipe-", "wall_", 50);
    fits("a short name and a long one", "", "wall_", 50);
    fits("accents of two bytes", "\xc3\xbc", "\xc3\xa9", 100);
    fits("accents of their own", "e\xcc\x81", "a\xcc\x88", 100);
    fits("ideographs", "\xe5\xa2\x99", "\xe7\xae\xa1", 100); /* wall, pipe */
}

/* With all columns: no number is cut, and no line is longer than the terminal. */
static void all_columns_fit(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "a_box_with_a_name", -123456.5, -23456.25, -3456.125, -123455, -23455, -3455);
    obj_box(&o, "and_a_box_with_another", -123456, -23456, -3456, -123454, -23454, -3454);
    obj_box(&o, "a_box_far_above", -123456.25, -23456, -3453.5, -123454, -23454, -3453);
    const char *model = obj_write(&o, "columns.obj");
    const char *rules = write_text(
        "columns.json", "{\"schema\": \"carom-rules-1\", \"tests\": [{\"name\": \"a test with a long name\", "
                        "\"clearance\": \"1mm\", \"severity\": \"warning\"}, {\"name\": \"t\"}]}");
    for (unsigned short width = 72; width <= 100; width++) {
        char *text = on_a_terminal(width, 1,
                                   (const char *const[]){getenv("CAROM_COMMAND"), "check", model, "--unit", "mm",
                                                         "--rules", rules, "--volume", NULL});
        char *end = strstr(text, "\r\n\r\n");
        assert_non_null(end);
        for (const char *at = text, *next; at < end; at = next + 1) {
            next = strchr(at, '\n');
            const int columns = columns_of(at, next);
            check_that(columns <= width, "%d columns: %.*s", columns, (int)(next - at), at);
        }
        *end = 0;
        assert_non_null(strstr(text, "warning"));
        assert_non_null(strstr(text, "gap 0.5  "));
        const bool placed = strstr(text, "at mm") != NULL; /* as a whole, or not at all: it is in JSON and CSV */
        assert_true(placed == (strstr(text, "  -123455 -23455 -3455  ") != NULL));
        assert_true(width == 72 ? !placed : width < 100 || placed);
        free(text);
    }
}

/* Lines from the one that begins with `from`, none wider than the terminal. */
static void lines_fit(const char *text, const char *from, int width) {
    const char *at = strstr(text, from);
    assert_non_null(at);
    at += strspn(at, "\r\n");
    for (const char *next; (next = strchr(at, '\n')); at = next + 1) {
        const int columns = columns_of(at, next);
        check_that(columns <= width, "%d columns of %d: %.*s", columns, width, (int)(next - at), at);
    }
}

/* A box far out, and a fan of triangles of which much is wrong: what is odd with it stays, in as many lines as it
 * takes; only names lose their middle. */
static void carom_info_fits_a_terminal(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "a_box_with_a_name_that_is_longer_than_any_column", -123456.5, -23456.25, -3456.125, 123455, 23455,
            3455);
    FILE *file = fopen(obj_write(&o, "info.obj"), "a");
    assert_non_null(file);
    fputs(
        "o a_fan_with_a_name_that_is_longer_than_any_column\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 0.5 0\nv 2 0 0\n"
        "v 9 9 9\nv 9 9 8\nv 9 8 8\nf -9 -8 -7\nf -9 -8 -7\nf -9 -7 -8\nf -9 -7 -6\nf -9 -6 -5\nf -9 -8 -4\n"
        "f -3 -2 -1\n",
        file);
    fclose(file);
    const char *const arguments[] = {getenv("CAROM_COMMAND"), "info", scratch_path("info.obj"), "--bounds", NULL};
    for (unsigned short width = 76; width <= 160; width = (unsigned short)(width + 4)) {
        char *text = on_a_terminal(width, 0, arguments);
        lines_fit(text, "\r\npart", width);
        static const char *const words[] = {
            "closed", "2 components", "open edges", "1 triangle without area", "duplicate triangle", "a_fan",
            "a_box",  "the whole",    "capsule"};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            check_that(strstr(text, words[i]) != NULL, "%d columns: no '%s' in\n%s", width, words[i], text);
        free(text);
    }
}

/* A corner of the first box, at x 0 0 but for rounding, lies 0.46 of its width in the second. */
static void is_placed(const char *name, double x, double wide, const char *at) {
    obj o = {0};
    obj_box(&o, "a", x - wide, -wide, -wide, x, 0, -1e-9 * wide);
    obj_box(&o, "b", x - wide * 0.46, -wide * 0.46, -wide * 0.46, x + wide, wide, wide);
    run r = RUN("check", obj_write(&o, name), "--unit", "mm");
    assert_int_equal(r.code, 1);
    if (!strstr(r.out, at)) fail_msg("%s: '%s' is not in\n%s", name, at, r.out);
    assert_null(strstr(r.out, "e+"));
    run_free(&r);
}

static void places_have_the_digits_that_the_model_asks_for(void **state) {
    (void)state;
    is_placed("far.obj", 1234560, 100, "        46  a       b       1234560 0 0\n"); /* not 1.2346e+06 */
    is_placed("near.obj", 0, 100, "        46  a       b       0 0 0\n");            /* not -1e-07 */
    is_placed("large.obj", 0, 25000, "     11500  a       b       0 0 0\n");         /* not 2e+04 */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_table_fits_a_terminal), cmocka_unit_test(all_columns_fit),
                                       cmocka_unit_test(carom_info_fits_a_terminal),
                                       cmocka_unit_test(places_have_the_digits_that_the_model_asks_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
