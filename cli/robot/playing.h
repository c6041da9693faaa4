/* The page of carom check --report of a robot: the worst configurations, one after the other, or a trajectory. */
#ifndef CLI_PLAYING_H
#define CLI_PLAYING_H

#include "robot/answer.h"

/* Writes the page, with so many configurations after rest; of a trajectory, where one was checked. Equal answers give
 * equal bytes, for any number of threads. False with a message, in one line that names the path. */
bool playing_write(const char *path, const robot_answer *a, uint32_t most, char *message, size_t size);

#endif
