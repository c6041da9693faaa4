/* What a check on several ranks took. */
#ifndef CLI_COST_H
#define CLI_COST_H

#include <stdint.h>

typedef struct tiles_cost {
    double most_work, mean_work; /* counted, of the ranks: pair_cost in tiling.c */
    uint64_t sent;               /* bytes between ranks, from the start of the command on */
    uint64_t most_parts;         /* that a rank had for its tiles, read or sent */
} tiles_cost;

#endif
