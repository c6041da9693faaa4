/* A scene spread over ranks: each reads some of the files and keeps their meshes. The first rank has the catalog, a
 * scene of all files and parts without meshes, from which all is written. */
#ifndef CLI_SPREAD_H
#define CLI_SPREAD_H

#include "options.h"
#include "ranks/block.h"

typedef struct spread {
    scene own;        /* of the files that this rank has read */
    int *reader;      /* one a file of all: its rank */
    uint32_t *parts;  /* one a file of all: the number of its first part; then how many there are */
    uint32_t *meshes; /* likewise */
} spread;

/* Together: reads the files, each on one rank. `catalog` gets all of them on the first rank, and nothing on the others.
 * Returns the same on all ranks: 0, or the exit code after saying what is wrong with the first file that cannot be
 * read. */
int spread_read(const options *o, spread *out, scene *catalog, double seconds[2]);
void spread_free(spread *s);

#endif
