/* The way of a robot through the rows of a table. */
#ifndef CLI_TRAJECTORY_H
#define CLI_TRAJECTORY_H

#include "robot/survey.h"

typedef struct trajectory {
    double *times;  /* of the rows; their numbers where the file has no column `time` */
    double *values; /* of all joints, row by row */
    uint32_t rows;
    bool timed;
} trajectory;

int trajectory_read(const char *path, const robot *r, trajectory *out);
void trajectory_free(trajectory *t);
void trajectory_check(const trajectory *t, survey *s);

#endif
