/* Independent tasks on several threads. */
#ifndef CLI_PARALLEL_H
#define CLI_PARALLEL_H

#include <stddef.h>

/* Calls fn(argument, i, worker) once for each i < count, on so many threads (0 = one a CPU; fewer where the system
 * gives no more). Returns when all are done. */
void run_in_parallel(int threads, size_t count, void (*fn)(void *argument, int index, int worker), void *argument);

#endif
