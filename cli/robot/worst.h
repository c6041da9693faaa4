/* Which configurations of a survey are worth looking at: those in which something is deepest, and where few collide
 * those in which something is nearest. */
#ifndef CLI_WORST_H
#define CLI_WORST_H

#include "robot/survey.h"

/* Does the pair count for how bad a configuration is? Not what is accepted, nor what no joint moves. */
static inline bool pair_counts(const robot_pair *pair) {
    return pair->status == PAIR_CHECKED && pair->allowed == CM_NONE && !pair->fixed;
}

/* Chooses up to `most` configurations other than rest, the worst first, into `out`; returns how many. Those in which a
 * pair is deepest come before those in which another one is deeper still. The samples are those whose depth was
 * measured; where they are fewer than `most`, of each 32 samples the one in which two come nearest without a collision
 * may be chosen too. */
uint32_t worst_configurations(const survey *s, uint32_t most, uint32_t *out);

#endif
