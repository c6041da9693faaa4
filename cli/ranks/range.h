/* A range of numbers that ranks share, such as configurations of a robot: each needs nothing but its number. */
#ifndef CLI_RANGE_H
#define CLI_RANGE_H

#include <stdint.h>

/* Together: calls run(user, first, end) for pieces of 0 … count, at most `most` numbers each, until all numbers were in
 * one piece of one rank. On one rank pieces come in order. */
void range_run(uint32_t count, uint32_t most, void (*run)(void *user, uint32_t first, uint32_t end), void *user);

#endif
