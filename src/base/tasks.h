/* Work in parallel through the caller's task interface, or in order without one. */
#ifndef BASE_TASKS_H
#define BASE_TASKS_H

#include "carom/base.h"

/* How many workers `tasks` has; 1 for NULL or a broken interface. */
int cm__workers(const cm_tasks *tasks);
/* fn(arg, i, worker) for each i in [0, count); returns when all are done. */
void cm__run(const cm_tasks *tasks, int count, void (*fn)(void *arg, int index, int worker), void *arg);

#endif
