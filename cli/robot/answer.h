/* What carom check says of a robot. */
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include "robot/survey.h"
#include "robot/trajectory.h"

typedef struct robot_answer {
    const survey *survey;
    const trajectory *way; /* NULL: none was asked for */
    uint32_t failing;
    double seconds;
} robot_answer;

/* Configurations in which the pair collides. */
static inline uint64_t pair_hits(const robot_pair *pair) { return (uint64_t)pair->stations + pair->samples; }
/* "always", "sometimes", "touching", "never"; "never" is never a proof. */
const char *pair_verdict(const survey *s, const robot_pair *pair);
/* Does it make the exit code 1? */
bool pair_fails(const options *o, const robot_pair *pair);

/* Prints it in the format asked for. Returns 0 or EXIT_INTERNAL. */
int answer_write(const robot_answer *a);
void answer_write_json(const robot_answer *a);
/* Writes --write-srdf, and says how many pairs it adds. Returns 0 or EXIT_INPUT. */
int answer_write_srdf(const robot_answer *a);

#endif
