/* Work that ranks share. Each has pieces of its own. A rank that has done them asks the others, one after the other;
 * one that is still at work answers between two pieces, and gives away its last. */
#ifndef CLI_QUEUE_H
#define CLI_QUEUE_H

#include "ranks/block.h"

typedef struct queue_work {
    uint32_t count;                                     /* pieces of this rank */
    int (*do_own)(void *user, uint32_t piece);          /* below count; returns 0, or an exit code */
    void (*put)(void *user, uint32_t piece, block *to); /* what another rank needs to do it */
    int (*do_sent)(void *user, block *from);            /* a piece that another rank has put */
    void *user;
} queue_work;

/* Together: returns when all pieces of all ranks are done. 0, or the first exit code of this rank, which does nothing
 * more then. */
int queue_run(const queue_work *work);

#endif
