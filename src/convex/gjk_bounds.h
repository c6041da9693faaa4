/* Lower and upper bounds of a distance search (gjk.c, newton.c): taking one, and whether the search may end. */
#ifndef CONVEX_GJK_BOUNDS_H
#define CONVEX_GJK_BOUNDS_H

#include "convex/convex.h"

/* Curved cores: a search ends where |v| - lower <= this * |v|. Below the last digit of cm_real in float; in double as
 * low as the bounds, which rounding moves by some 1e-15, still reach it in few steps. */
#if defined(CAROM_F64)
#define GJK_TOLERANCE 1e-13
#else
#define GJK_TOLERANCE 1e-10
#endif
#define GJK_ROUNDING (8 * DBL_EPSILON) /* of the scale: a support point and its product with n, both cores */

/* By how much rounding may move a bound. */
static inline double gjk_band(const cm__convex_pair *pair) { return GJK_ROUNDING * pair->scale; }

/* Does a lower bound agree with the length of a point of D? */
static inline bool gjk_is_near(const cm__convex_pair *pair, double length, double lower) {
    const double over = length - lower;
    return (over <= (pair->sharp ? 0 : GJK_TOLERANCE) * length) | (over <= gjk_band(pair));
}

/* Takes a lower bound that n proves. True: it answers the task, and the search ends. */
static inline bool gjk_take_lower(const cm__convex_pair *pair, const cm__gjk_task *task, cm__point n, double lower,
                                  cm__gjk *io) {
    if (lower > io->lower) io->lower = lower, io->normal = n;
    if (lower > task->apart && io->verdict == 0) io->verdict = 1;
    /* what was found to overlap, by an upper bound that rounding may have put too low, is not beyond after all */
    const bool beyond = lower > task->far + gjk_band(pair) && io->verdict >= 0;
    if (beyond || (task->verdict_only && io->verdict)) {
        io->end = beyond ? CM__GJK_BEYOND : CM__GJK_DECIDED;
        return true;
    }
    return false;
}

/* Takes an upper bound, the length of a point of D. True: it answers the task. */
static inline bool gjk_take_upper(const cm__gjk_task *task, double length, cm__gjk *io) {
    io->upper = length;
    if (!(length <= task->together && io->verdict == 0)) return false;
    io->verdict = -1;
    if (task->verdict_only) io->end = CM__GJK_DECIDED;
    return task->verdict_only;
}

#endif
