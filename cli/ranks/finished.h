/* The tiles that are done, kept in a folder (--resume), from which the same check goes on after it was ended.
 *
 * The folder has a plan (the tiles, and a hash of all that findings follow from: parts, options, rules) and a file a
 * tile that is done. Each is written whole under another name first, and ends with a hash of its bytes: what was cut
 * short, or is of another check, is not believed. Nothing else in the folder is touched. */
#ifndef CLI_FINISHED_H
#define CLI_FINISHED_H

#include "ranks/block.h"
#include "ranks/tiling.h"

typedef struct finished {
    const char *folder;
    uint64_t check;      /* the hash of all */
    bool *done;          /* one a tile: was it, before this run? */
    block *kept;         /* on the first rank, one a tile: what was kept of those */
    uint32_t tile_count; /* */
} finished;

/* Asked before the long work, on one rank: makes the folder where there is none. Returns 0, or an exit code after
 * saying why nothing can be kept there. */
int finished_prepare(const char *folder);
/* Together: where the folder has a plan of this very check, its tiles are taken over, and those that are done are not
 * open. Else cuts, and writes a plan. Returns the same on all ranks: 0, or an exit code after a message. */
int finished_open(finished *f, const char *folder, tiling *t);
/* Keeps the findings of a tile. False where they cannot be written: the check goes on. */
bool finished_keep(const finished *f, uint32_t tile, const block *found);
void finished_close(finished *f);
/* After all was written, when nothing is left to go on with: removes what was kept, and the folder if it is empty then.
 */
void finished_forget(const char *folder);

#endif
