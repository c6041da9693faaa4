/* Where the links of a robot are, for the values of its joints; in double. A value for each joint: radians or metres,
 * 0 for those that do not move. */
#ifndef CLI_KINEMATICS_H
#define CLI_KINEMATICS_H

#include "robot/urdf.h"

/* Zero, moved into the limits. */
void robot_rest(const robot *r, double *values);
/* Gives the joints that follow another one their values. */
void robot_follow(const robot *r, double *values);
/* Random values within the limits for the joints for which `varied` says so (NULL: for all), the others rest. They
 * depend on seed and number alone. */
void robot_sample(const robot *r, const bool *varied, uint64_t seed, uint64_t number, double *values);
/* The poses of all links in the frame of the root, each so many bytes after the one before. */
void robot_place(const robot *r, const double *values, cm_pose *links, size_t stride);

#endif
