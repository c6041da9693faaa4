/* One command on several processes that a launcher started together (mpirun, srun): which of them this is, and what
 * they say to each other, by MPI.
 *
 * Only in the environment of a launcher is MPI started. A process alone is rank 0 of 1; then nothing here does anything
 * but to give back what it got. All but the first rank say nothing: their messages are held, and shown by the first
 * where they are why all end. What is marked *together* is to be called by all ranks in the same order. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "ranks/block.h"

#include <stdbool.h>
#include <stdint.h>

/* Together. Returns 0, or the exit code after saying why the processes cannot work together. */
int ranks_start(void);
/* Together, at the end. Returns the exit code of this process: the first has the verdict, the others 0. */
int ranks_end(int code);

/* Was this process started by a launcher, if alone? What looks like a terminal to it may then be a file. */
bool ranks_launched(void);
int ranks_count(void);
int ranks_own(void); /* below ranks_count */
/* How many threads this one may run: the processors of its machine, shared with the ranks there. */
int ranks_threads(void);
/* Bytes that this rank has sent to others so far. */
uint64_t ranks_sent(void);

/* Together: all go on, or all end. Returns 0 where all gave 0, else the code of the rank with the lowest `order` of
 * those that did not, whose messages are then shown. */
int ranks_agree(int code, uint32_t order);
/* Together: `size` bytes of rank `root` to all. */
void ranks_from(int root, void *bytes, size_t size);
/* Together: `size` bytes of each rank to all, in the order of the ranks. */
void ranks_collect(const void *own, size_t size, void *all);
/* Between two: `out` goes to rank `to`, and `in`, which is empty, gets what rank `from` sends here; RANKS_NONE: nothing
 * goes, or comes. */
enum { RANKS_NONE = -1 };
void ranks_swap(const block *out, int to, block *in, int from);
/* Takes what came from a rank, which is gone then. */
typedef void ranks_taker(void *user, int rank, block *from);
/* Together: a block of each rank to all, its own too, which take them in any order. */
void ranks_to_all(const block *own, ranks_taker *take, void *user);
/* Together: a block of each rank to the first, which takes them in the order of the ranks. */
void ranks_to_first(const block *own, ranks_taker *take, void *user);

/* --- by themselves, not together ------------------------------------------------------------------------------- */

/* A message for another rank, which hears it when it likes. Long ones wait until it does. */
void ranks_post(const block *message, int to);
/* The next message that has come, after the block's present bytes; returns who sent it, RANKS_NONE where there is none.
 */
int ranks_hear(block *message);
/* Is every rank here? Asked until it is so; meanwhile messages may be heard. A new asking begins after that. */
bool ranks_all_here(void);
/* Lets other processes of the machine run for a moment. */
void ranks_wait(void);

#endif
