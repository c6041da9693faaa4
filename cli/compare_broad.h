/* Every broad phase on the boxes of one scene, side by side in one run. */
#ifndef CLI_COMPARE_BROAD_H
#define CLI_COMPARE_BROAD_H

#include <carom/carom.h>

typedef struct broad_comparison broad_comparison;

/* `count` objects; free with broad_comparison_free. */
broad_comparison *broad_comparison_start(uint32_t count);
/* After each step of the world: its boxes to every kind, each timed. Returns 0 or an exit code after complaining: the
 * kinds must find the same pairs. */
int broad_comparison_step(broad_comparison *c, const cm_world *world, const uint32_t *ids);
/* A line a kind: pairs, tests, bytes, milliseconds a step. */
void broad_comparison_print(const broad_comparison *c);
void broad_comparison_free(broad_comparison *c);

#endif
