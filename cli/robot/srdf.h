/* What an SRDF says of a robot: which pairs of links are not to be checked, named states, groups of joints. */
#ifndef CLI_SRDF_H
#define CLI_SRDF_H

#include "robot/urdf.h"

typedef struct srdf_pair {
    uint32_t a, b; /* links */
    char *reason;  /* may be empty */
} srdf_pair;

typedef struct srdf_state {
    char *name;     /* "arm/home": the group and its state */
    double *values; /* of all joints; those that it does not name rest */
} srdf_state;

typedef struct srdf_group {
    char *name;
    bool *joints; /* one a joint of the robot */
    bool lacks;   /* it has members that the robot does not have */
} srdf_group;

typedef struct srdf {
    srdf_pair *disabled, *enabled;
    uint32_t disabled_count, enabled_count;
    bool *apart; /* one a link: <disable_default_collisions>; NULL: none */
    srdf_state *states;
    uint32_t state_count;
    srdf_group *groups;
    uint32_t group_count;
} srdf;

/* Reads a file; warns of links, joints and groups that the robot does not have. Returns 0, or EXIT_INPUT after saying
 * what is wrong. Free with srdf_free in any case. */
int srdf_read(const char *path, const robot *r, srdf *out);
void srdf_free(srdf *s);

/* Why the pair is not to be checked, "" where the file does not say; NULL: it is to be checked. */
const char *srdf_disables(const srdf *s, uint32_t a, uint32_t b);

/* Writes a file with the pairs of the file at `from` (NULL: none), all else that stands there, and these pairs. False
 * with a message where it cannot be written. */
bool srdf_write(const char *path, const char *from, const robot *r, const srdf_pair *pairs, uint32_t count,
                const char *comment, char *message, size_t size);

#endif
