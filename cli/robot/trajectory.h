/* The way of a robot through the rows of a table, with the joints moving evenly from row to row: which pairs collide on
 * it, between the rows too, and how near the others come.
 *
 * Guaranteed: a pair that is neither in collision nor open is free at all times. An interval of time is free where the
 * distance at its middle is more than the way that a point of one link can move against the other until its ends: each
 * joint between them counts with its turn times the farthest that the link can reach from it. What is not free is
 * halved, the earlier half first, down to a resolution of length; a pair that is free but nearer than that, or needs
 * more than 20,000 distances between two rows, is open. Least distances are found to 1 % where 500 distances between
 * two rows are enough for that; in any case it is told what they are at least.
 * Based on: [Schwarzer05]. */
#ifndef CLI_TRAJECTORY_H
#define CLI_TRAJECTORY_H

#include "robot/survey.h"

typedef struct trajectory {
    const char *path;
    double *times;  /* of the rows, ascending; their numbers from 0 where the file has no column `time` */
    double *values; /* of all joints, row by row */
    uint32_t rows, joint_count;
    bool timed;
    double resolution, far; /* metres; what is farther apart than `far` is not measured */
} trajectory;

/* Reads CSV with the names of the joints in its first line. Returns 0, or EXIT_INPUT after saying what is wrong. Free
 * with trajectory_free in any case. */
int trajectory_read(const char *path, const robot *r, trajectory *out);
void trajectory_free(trajectory *t);

/* The values of the joints at a time. */
void trajectory_values(const trajectory *t, double time, double *values);

/* Fills `way` of the survey's pairs; those that no joint moves are taken from rest. */
void trajectory_check(trajectory *t, survey *s);

#endif
