/* Work that ranks share: every piece is done once, and one that has nothing takes of the others'. The test runs itself
 * as several processes by mpirun. */
#include "ranks/queue.h"
#include "cli/launcher.h"
#include "ranks/ranks.h"
#include "support/support.h"

#include <sys/stat.h>
#include <unistd.h>

enum { PIECES = 400, MOST_RANKS = 4, ENOUGH = 5 };

/* What one rank did: which pieces, numbered over all ranks, and how many of them came from others. */
typedef struct counts {
    uint32_t times[MOST_RANKS * PIECES], taken;
} counts;

static uint32_t given;

/* Lets the others come to their questions, until some have been answered. */
static int do_own(void *user, uint32_t piece) {
    ((counts *)user)->times[(uint32_t)ranks_own() * PIECES + piece]++;
    for (int i = 0; given < ENOUGH && i < 100; i++) ranks_wait();
    return 0;
}

static void put(void *user, uint32_t piece, block *to) {
    (void)user;
    given++;
    const uint32_t number = (uint32_t)ranks_own() * PIECES + piece;
    block_put(to, &number, sizeof number);
}

static int do_sent(void *user, block *from) {
    uint32_t number;
    block_take(from, &number, sizeof number);
    ((counts *)user)->times[number]++, ((counts *)user)->taken++;
    return number % 7 == 3 && getenv("QUEUE_FAILS") ? 5 : 0;
}

/* One of the processes: says what all did together. */
static int be_rank(void) {
    static counts own, all[MOST_RANKS];
    if (ranks_start() != 0) return 9;
    queue_work work = {.do_own = do_own, .put = put, .do_sent = do_sent, .user = &own};
    work.count = ranks_own() == 0 ? PIECES : ranks_own() == 1 ? 3 : 0;
    const int code = queue_run(&work);
    const int agreed = ranks_agree(code, (uint32_t)ranks_own());
    ranks_collect(&own, sizeof own, all);
    uint32_t once = 0, other = 0, taken = 0;
    for (uint32_t i = 0; i < MOST_RANKS * PIECES; i++) {
        uint32_t times = 0;
        for (int r = 0; r < ranks_count(); r++) times += all[r].times[i];
        once += times == 1, other += times > 1;
    }
    for (int r = 0; r < ranks_count(); r++) taken += all[r].taken;
    if (ranks_own() == 0) printf("once %u, more %u, taken %d, code %d\n", once, other, taken > 0, agreed);
    return ranks_end(0);
}

static void expect_said(int ranks, const char *before, const char *said) {
    char self[500], line[1500], heard[200] = "";
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = 0;
    snprintf(line, sizeof line, "%s" LAUNCHER MPIRUN "%d '%s'", before, ranks, self);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    if (!fgets(heard, sizeof heard, pipe)) heard[0] = 0;
    pclose(pipe);
    check_that(strcmp(heard, said) == 0, "%d ranks said: %s", ranks, heard);
}

static void each_piece_is_done_once_and_some_by_others(void **state) {
    (void)state;
    if (!has_launcher()) skip();
    expect_said(2, "", "once 403, more 0, taken 1, code 0\n");
    expect_said(4, "", "once 403, more 0, taken 1, code 0\n");
}

/* One that can do no more still answers, so that the others come to their end. Of five pieces that are given the last
 * fails. */
static void where_one_fails_all_end(void **state) {
    (void)state;
    if (!has_launcher()) skip();
    expect_said(2, "QUEUE_FAILS=1 ", "once 403, more 0, taken 1, code 5\n");
    expect_said(4, "QUEUE_FAILS=1 ", "once 403, more 0, taken 1, code 5\n");
}

int main(void) {
    if (ranks_launched()) return be_rank();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_is_done_once_and_some_by_others),
        cmocka_unit_test(where_one_fails_all_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
