/* Independent tasks on several threads: see parallel.h. */
#include "common/parallel.h"

#include <carom/carom.h>

void run_in_parallel(int threads, size_t count, void (*fn)(void *argument, int index, int worker), void *argument) {
    cm_pool *pool = NULL;
    if (threads != 1 && count > 1 && cm_pool_create(threads, NULL, &pool) == CM_OK) {
        cm_tasks tasks;
        cm_pool_tasks(pool, &tasks);
        tasks.run(tasks.user, (int)count, fn, argument);
        cm_pool_destroy(pool);
        return;
    }
    for (size_t i = 0; i < count; i++) fn(argument, (int)i, 0);
}
