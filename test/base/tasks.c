/* The pool of threads: every index once, whatever the number of workers; bad numbers are refused. */
#include "support/support.h"

typedef struct tally {
    int count;
    int seen[10000];
    int workers;
    bool bad_worker;
} tally;

static void touch(void *arg, int index, int worker) {
    tally *t = arg;
    t->seen[index] += 1;
    if (worker < 0 || worker >= t->workers) t->bad_worker = true;
}

static void every_index_runs_once(void **state) {
    (void)state;
    for (int workers = 1; workers <= 4; ++workers) {
        cm_pool *pool = NULL;
        assert_int_equal(cm_pool_create(workers, NULL, &pool), CM_OK);
        cm_tasks tasks;
        cm_pool_tasks(pool, &tasks);
        assert_int_equal(tasks.workers, workers);
        for (int count = 0; count <= 10000; count = count * 3 + 1) {
            tally *t = calloc(1, sizeof *t);
            t->workers = workers;
            tasks.run(tasks.user, count, touch, t);
            for (int i = 0; i < 10000; ++i) assert_int_equal(t->seen[i], i < count ? 1 : 0);
            assert_false(t->bad_worker);
            free(t);
        }
        cm_pool_destroy(pool);
    }
}

static void bad_worker_counts_are_refused(void **state) {
    (void)state;
    cm_pool *pool = NULL;
    assert_int_equal(cm_pool_create(-1, NULL, &pool), CM_INVALID);
    assert_int_equal(cm_pool_create(100000, NULL, &pool), CM_INVALID);
    assert_null(pool);
    cm_pool_destroy(NULL);
}

static void failed_allocation_is_a_status_and_leaks_nothing(void **state) {
    (void)state;
    counting_allocator c;
    counting_allocator_start(&c, 1);
    cm_pool *pool = NULL;
    assert_int_equal(cm_pool_create(2, &c.mem, &pool), CM_NO_MEMORY);
    counting_allocator_start(&c, 0);
    assert_int_equal(cm_pool_create(2, &c.mem, &pool), CM_OK);
    cm_pool_destroy(pool);
    assert_int_equal(c.live_blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_runs_once),
        cmocka_unit_test(bad_worker_counts_are_refused),
        cmocka_unit_test(failed_allocation_is_a_status_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
