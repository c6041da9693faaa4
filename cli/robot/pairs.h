/* Which pairs of a robot, what is attached to it, and its cell are to be checked, and what became of them. */
#ifndef CLI_PAIRS_H
#define CLI_PAIRS_H

#include "robot/model.h"
#include "robot/srdf.h"

typedef enum pair_status {
    PAIR_CHECKED,
    PAIR_ADJACENT, /* a joint connects them, or joints with links between that have no geometry */
    PAIR_DISABLED, /* by the SRDF */
    PAIR_HELD      /* one is attached and may touch the other */
} pair_status;

enum { PAIR_CANDIDATES = 16 };

/* A sampled configuration in which a pair collides, and about how deep. */
typedef struct pair_candidate {
    double depth;
    uint32_t sample;
    double distance; /* minus the depth, measured */
} pair_candidate;

/* Where a pair is at its worst: distance <= 0 is minus the depth. */
typedef struct pair_worst {
    double distance; /* CM_REAL_MAX: it never collides */
    cm_witness points;
    uint32_t configuration; /* the stations, then the samples */
} pair_worst;

/* What became of a pair on a trajectory. Times are those of the file, or numbers of its rows. */
typedef struct pair_way {
    bool collides, open; /* open: neither free nor in collision was certain, see trajectory.h */
    double free_until, meets_at;
    uint32_t segments;  /* between two rows, in which it collides or which are open */
    double least, when; /* the least distance that was found; CM_REAL_MAX where it is beyond what was looked for */
    double at_least;    /* it is nowhere less than this */
} pair_way;

typedef struct robot_pair {
    uint32_t a, b; /* items, a < b */
    pair_status status;
    const char *reason;                   /* of the SRDF */
    uint32_t allowed;                     /* the first --allow, or CM_NONE */
    bool fixed;                           /* no joint that moves is between them */
    bool at_rest;                         /* it collides there */
    uint32_t stations, touching, samples; /* in which it collides; of stations also: only touches */
    pair_worst worst;                     /* deepest of those that were measured */
    uint32_t measured;                    /* samples */
    pair_candidate candidates[PAIR_CANDIDATES];
    uint32_t candidate_count;
    pair_way way;
} robot_pair;

typedef struct robot_pairs {
    robot_pair *list; /* by a, then by b */
    uint32_t count, checked, adjacent, disabled, held;
} robot_pairs;

/* The word for it in JSON and CSV. */
extern const char *const pair_status_texts[];

/* Lists all pairs of two items with geometry, one of them a link or attached. Returns 0, or EXIT_INPUT after saying
 * what is wrong with --between. */
int pairs_list(const model *m, const options *o, const srdf *s, robot_pairs *out);

#endif
