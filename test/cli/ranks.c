/* carom check on several processes: the bytes of one, whatever their number, and one message where it fails. */
#include "cli/house.h"
#include "cli/launcher.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a site ------------------------------------------------------------------------------------------------------ */

static void put_box(FILE *f, const char *name, double x, double y, double z, double a, double b, double c, int *used) {
    static const int faces[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5}, {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
    if (name) fprintf(f, "o %s\n", name);
    for (int i = 0; i < 8; i++)
        fprintf(f, "v %.17g %.17g %.17g\n", x + a * (i & 1), y + b * (i >> 1 & 1), z + c * (i >> 2));
    for (int i = 0; i < 6; i++)
        fprintf(f, "f %d %d %d %d\n", *used + faces[i][0], *used + faces[i][1], *used + faces[i][2],
                *used + faces[i][3]);
    *used += 8;
}

/* A file of boxes, some of which meet; `heap`: all in one place. */
static void write_boxes(const char *name, rng *r, int count, bool heap) {
    FILE *f = fopen(scratch_path(name), "w");
    assert_non_null(f);
    int used = 0;
    for (int i = 0; i < count; i++) {
        char part[32];
        snprintf(part, sizeof part, "%s%d", i % 3 ? "beam" : "pipe", i);
        if (heap)
            put_box(f, part, 1, 1, 1, 1, 1, 1, &used);
        else
            put_box(f, part, rng_below(r, 6), rng_range(r, 0, 4), rng_below(r, 3), rng_range(r, 0.1, 2), 0.5, 1, &used);
    }
    fclose(f);
}

enum { FILES = 7 };
static const char *const files[FILES] = {"a.obj", "b.obj", "c.obj", "d.obj", "e.obj", "heap.obj", "lone.obj"};

static void write_site(void) {
    static const int counts[FILES] = {9, 30, 1, 14, 3, 8, 1};
    rng r = rng_start("site", 1);
    for (int i = 0; i < FILES; i++) write_boxes(files[i], &r, counts[i], i == 5);
}

/* --- one process and several --------------------------------------------------------------------------------------- */

enum { OUTPUTS = 5 };
static const char *const endings[OUTPUTS] = {"out", "html", "xml", "sarif", "bcf"};

/* Runs the command in the scratch folder, on so many ranks; 0: without a launcher. All outputs go to files named by
 * `name`, what is said to `name`.err without the line of times. Returns the exit code. */
static int run_on(int ranks, const char *name, const char *arguments) {
    char line[2000], launcher[200] = "";
    if (ranks > 0) snprintf(launcher, sizeof launcher, MPIRUN "%d ", ranks);
    snprintf(line, sizeof line,
             "cd '%s' && " LAUNCHER "%s\"$CAROM_COMMAND\" check >%s.out 2>%s.all %s; code=$?; "
             "grep -v -e '^time: ' -e ' processes: ' %s.all >%s.err; exit $code",
             scratch(), launcher, name, name, arguments, name, name);
    const int status = system(line);
    return status >= 0 && (status & 127) == 0 ? status >> 8 : 128;
}

static char *read_whole(const char *name, const char *ending, size_t *size) {
    char file[100];
    snprintf(file, sizeof file, "%s.%s", name, ending);
    FILE *f = fopen(scratch_path(file), "rb");
    if (!f) return NULL;
    char *bytes = malloc(1 << 24);
    *size = fread(bytes, 1, (1 << 24) - 1, f);
    bytes[*size] = 0;
    fclose(f);
    return bytes;
}

static void expect_same_file(const char *one, const char *several, const char *ending) {
    size_t n = 0, m = 0;
    char *a = read_whole(one, ending, &n), *b = read_whole(several, ending, &m);
    check_that(!a == !b, "%s.%s is there, %s.%s is not", a ? one : several, ending, a ? several : one, ending);
    size_t same = 0;
    while (a && b && same < n && same < m && a[same] == b[same]) same++;
    check_that(n == m && same == n, "%s.%s: %zu bytes, not %zu; the same up to %zu: %.60s", several, ending, m, n, same,
               b ? b + same : "");
    free(a);
    free(b);
}

/* The arguments with those of all files that are written; of groups topics too, which are few. */
static void add_files(char line[1500], const char *arguments, const char *name, bool files_too) {
    int at = snprintf(line, 1500, "%s", arguments);
    if (files_too)
        at += snprintf(line + at, 1500 - (size_t)at, " --report %s.html --junit %s.xml --sarif %s.sarif", name, name,
                       name);
    if (files_too && strstr(arguments, "--group"))
        snprintf(line + at, 1500 - (size_t)at, " --bcf %s.bcf --date 2025-03-14", name);
}

/* Byte for byte what one process writes and says, and its exit code. */
static void expect_same_on(int ranks, int code, const char *arguments, bool files_too) {
    char one[1500], several[1500];
    add_files(one, arguments, "one", files_too);
    add_files(several, arguments, "several", files_too);
    for (int i = 1; i < OUTPUTS; i++) {
        char file[40];
        snprintf(file, sizeof file, "one.%s", endings[i]), remove(scratch_path(file));
        snprintf(file, sizeof file, "several.%s", endings[i]), remove(scratch_path(file));
    }
    const int alone = run_on(0, "one", one), together = run_on(ranks, "several", several);
    check_that(alone == code && together == code, "%s: exit code %d, and %d on %d ranks", arguments, alone, together,
               ranks);
    for (int i = 0; i < (files_too ? OUTPUTS : 1); i++) expect_same_file("one", "several", endings[i]);
    expect_same_file("one", "several", "err");
}

#define SITE "a.obj b.obj c.obj d.obj e.obj heap.obj lone.obj b.obj"

static void any_number_of_processes_writes_the_same_bytes(void **state) {
    (void)state;
    if (!has_launcher()) skip();
    write_site();
    expect_same_on(1, 1, SITE " --unit m", true);
    expect_same_on(2, 1, SITE " --unit m --clearance 10cm --format json", true);
    expect_same_on(3, 1, "heap.obj heap.obj lone.obj", false); /* nothing to cut: tiles share what is there */
    expect_same_on(3, 1, SITE " --up z --part component --allow 'beam*:pipe*' --allow none:none --group part", false);
    expect_same_on(4, 1, SITE " --unit mm --between 'beam*' heap.obj --ignore lone.obj --ignore none --format csv",
                   false);
    expect_same_on(2, 1, SITE " --unit m --group file", true);
    assert_int_equal(run_on(0, "base", "--format json a.obj c.obj"), 1);
    assert_int_equal(rename(scratch_path("base.out"), scratch_path("base.json")), 0);
    expect_same_on(few_samples(16, 16), 1,
                   SITE " --clearance 20cm --baseline base.json --fail-on new --format json --group file", false);
}

/* By names, and by what only the rank that has read a file knows: classes, ids, who hangs from whom. */
static void rules_are_the_same_on_all_ranks(void **state) {
    (void)state;
    if (!has_launcher()) skip();
    write_site();
    write_house();
    write_text("rules.json", RULES_HEAD
               "\"tests\": [{\"name\": \"x\", \"a\": \"leaf=beam* | class=IfcPipe* & storey=EG\", \"b\": [\"!beam*\"], "
               "\"tolerance\": \"1cm\", \"exceptions\": [{\"a\": \"heap.obj\", \"b\": \"**\", \"reason\": \"r\"}]},\n"
               "{\"name\": \"y\", \"b\": \"file=c.obj\", \"clearance\": \"20cm\", \"severity\": \"note\"}],\n"
               "\"tolerances\": [{\"a\": \"class=IfcWall\", \"b\": \"class=Ifc*\", \"tolerance\": \"16cm\"}]}");
    write_text("approved.txt", "pipe*:pipe*; so; A; 2025-03-14\nnone:none; so; A; 2025-03-14\n");
    expect_same_on(3, 1, SITE " house.ifc --unit m --up z --rules rules.json --approved approved.txt --format json",
                   true);
    expect_same_on(4, 1, "a.obj house.ifc b.obj house.ifc --up z", false);
    expect_same_on(2, 1, "house.ifc a.obj --up z --also spaces --also same-product --also parent-child", false);
    expect_same_on(2, 2, "house.ifc a.obj --up z --rules approved.txt", false);
    expect_same_on(2, 2, "a.obj house.ifc --up z --between 'class=IfcSpace' '**'", false);
    expect_same_on(2, 2, "a.obj house.ifc --up z --between 'class=IfcSpce' '**'", false);
}

static void one_rank_says_why_all_end(void **state) {
    (void)state;
    if (!has_launcher()) skip();
    write_site();
    write_text("bad.obj", "o nothing\nv 1 2 3\n");
    expect_same_on(3, 2, "a.obj bad.obj b.obj gone.obj c.obj", true);
    assert_int_not_equal(access(scratch_path("several.html"), F_OK), 0); /* nothing is half written */
    expect_same_on(3, 2, "gone.obj a.obj bad.obj", false); /* the first, from which the others hear what is up */
    expect_same_on(2, 2, "a.obj b.obj --between none beam1", false);
    expect_same_on(2, 2, "a.obj b.obj --no-such-option", false);
}

static void ranks_share_the_configurations_of_a_robot(void **state) {
    (void)state;
    if (!has_launcher()) skip();
#define ARM SOURCE_SCENES "/robot/arm.urdf --srdf " SOURCE_SCENES "/robot/arm.srdf"
    expect_same_on(3, 1, ARM " --configurations 3000 --format json", false);
    expect_same_on(2, 0, ARM " --configurations 10 --trajectory " SOURCE_SCENES "/robot/way.csv", false);
    expect_same_on(2, 2, "gone.urdf --configurations 10", false);
    expect_same_on(2, 2, ARM " --trajectory gone.csv", false);
}

/* What is in the folder of a check that was ended before its answer was written. */
static uint32_t count_kept(void) {
    uint32_t count = 0;
    DIR *list = opendir(scratch_path("kept"));
    for (struct dirent *entry; list && (entry = readdir(list));) count += entry->d_name[0] != '.';
    if (list) closedir(list);
    return count;
}

static void expect_line(const char *name, const char *text) {
    size_t size;
    char *said = read_whole(name, "err", &size);
    check_that(said && strstr(said, text), "%s.err does not say %s: %s", name, text, said ? said : "");
    free(said);
}

static void expect_resumed(int ranks, const char *arguments, const char *said) {
    char line[1000];
    snprintf(line, sizeof line, "%s --resume kept --report several.html", arguments);
    assert_int_equal(run_on(ranks, "several", line), 1);
    expect_same_file("one", "several", "out");
    expect_same_file("one", "several", "html");
    expect_line("several", said);
}

/* Ended as its answer could not be written; files of the folder are taken away, cut short and bent. */
static void an_ended_check_goes_on(void **state) {
    (void)state;
    if (!has_launcher()) skip();
    write_site();
    const char *const asked = SITE " --unit m --clearance 10cm --format json";
    char line[1000];
    snprintf(line, sizeof line, "%s --report one.html", asked);
    assert_int_equal(run_on(0, "one", line), 1);
    snprintf(line, sizeof line, "%s --report one.html --resume kept >/dev/full", asked);
    assert_int_equal(run_on(0, "several", line), 3);
    assert_int_equal(count_kept(), 65);
    assert_int_equal(remove(scratch_path("kept/carom-tile-7")), 0);
    assert_int_equal(truncate(scratch_path("kept/carom-tile-8"), 50), 0);
    FILE *bent = fopen(scratch_path("kept/carom-tile-60"), "r+b");
    assert_non_null(bent);
    assert_int_equal(fseek(bent, 20, SEEK_SET), 0);
    fputc('x', bent);
    fclose(bent);
    write_text("kept/mine.txt", "not of this check");
    expect_resumed(3, asked, "kept: goes on; 61 of 64 tiles are done");
    assert_int_equal(count_kept(), 1);                                 /* what is left is not the check's */
    snprintf(line, sizeof line, "%s --resume kept >/dev/full", asked); /* no report: findings have no outlines */
    assert_int_equal(run_on(0, "several", line), 3);
    assert_int_equal(count_kept(), 66);
    expect_resumed(0, asked, "kept: is of another check");
    assert_int_equal(run_on(0, "several", SITE " --resume kept/mine.txt"), 2);
    expect_line("several", "kept/mine.txt: is no folder");
}

/* The launcher then ends the others, of which the first says so: it has ten seconds for that here, as the usual one may
 * be too short on a slow machine. The second dies once the first listens to signals. */
static void a_death_is_told(void **state) {
    (void)state;
    if (!has_launcher()) skip();
    write_site();
    write_text("die.sh", "echo $$ >pid.$OMPI_COMM_WORLD_RANK\n"
                         "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then\n"
                         "    until grep -qs '^SigCgt:.*[4-7c-f]...$' /proc/$(cat pid.0)/status; do sleep 0.05; done\n"
                         "    kill -9 $$\n"
                         "fi\n"
                         "exec \"$CAROM_COMMAND\" check a.obj b.obj\n");
    char line[600];
    snprintf(line, sizeof line,
             "cd '%s' && " LAUNCHER "OMPI_MCA_odls_base_sigkill_timeout=10 " MPIRUN
             "3 sh die.sh >several.out 2>several.err",
             scratch());
    assert_int_not_equal(system(line), 0);
    size_t size;
    free(read_whole("several", "out", &size));
    assert_int_equal(size, 0);
    expect_line("several", "carom: ended by what started it: another process of the check has died");
}

static void the_first_has_the_verdict_and_the_others_0(void **state) {
    (void)state;
    if (!has_launcher()) skip();
    write_site();
    FILE *f = fopen(scratch_path("each.sh"), "w");
    assert_non_null(f);
    fprintf(f, "\"$CAROM_COMMAND\" check a.obj gone.obj >/dev/null 2>&1\necho $? >code.$OMPI_COMM_WORLD_RANK\n");
    fclose(f);
    char line[600];
    snprintf(line, sizeof line,
             "cd '%s' && " LAUNCHER MPIRUN "3 sh each.sh && "
             "[ \"$(cat code.0 code.1 code.2 | tr -d '\\n')\" = 200 ]",
             scratch());
    assert_int_equal(system(line), 0);
}

/* What one process alone of a launcher does is what it does without. */
static void a_launcher_without_company_changes_nothing(void **state) {
    (void)state;
    write_site();
    assert_int_equal(setenv("OMPI_COMM_WORLD_SIZE", "1", 1), 0);
    assert_int_equal(setenv("OMPI_COMM_WORLD_RANK", "0", 1), 0);
    const int code = run_on(0, "several", "a.obj b.obj");
    unsetenv("OMPI_COMM_WORLD_SIZE"), unsetenv("OMPI_COMM_WORLD_RANK");
    assert_int_equal(code, run_on(0, "one", "a.obj b.obj"));
    expect_same_file("one", "several", "out");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_processes_writes_the_same_bytes),
        cmocka_unit_test(rules_are_the_same_on_all_ranks),
        cmocka_unit_test(one_rank_says_why_all_end),
        cmocka_unit_test(ranks_share_the_configurations_of_a_robot),
        cmocka_unit_test(an_ended_check_goes_on),
        cmocka_unit_test(a_death_is_told),
        cmocka_unit_test(the_first_has_the_verdict_and_the_others_0),
        cmocka_unit_test(a_launcher_without_company_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
