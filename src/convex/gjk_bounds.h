/* The two bounds of the searches for the distance, and where they end. */
#ifndef CONVEX_GJK_BOUNDS_H
#define CONVEX_GJK_BOUNDS_H

#include "convex/convex.h"

/* Curved cores: a search has arrived where |v| - lower <= this * |v|. */
#if defined(CAROM_F64)
#define GJK_TOLERANCE 1e-13
#else
#define GJK_TOLERANCE 1e-10
#endif
#define GJK_ROUNDING (8 * DBL_EPSILON)

/* What rounding makes of a bound. */
static inline double gjk_band(const cm__convex_pair *pair) { return GJK_ROUNDING * pair->scale; }

/* Does a lower bound agree with the length of a point of D? */
static inline bool gjk_is_near(const cm__convex_pair *pair, double length, double lower) {
    return length - lower <= (pair->sharp ? 0 : GJK_TOLERANCE) * length || length - lower <= gjk_band(pair);
}

/* Takes a lower bound, which way n proves. True: there is nothing left to ask. */
static inline bool gjk_told(const cm__convex_pair *pair, const cm__gjk_task *task, cm__point n, double lower,
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

/* Takes an upper bound, the length of a point of D. True: likewise. */
static inline bool gjk_told_upper(const cm__gjk_task *task, double length, cm__gjk *io) {
    io->upper = length;
    if (!(length <= task->together && io->verdict == 0)) return false;
    io->verdict = -1;
    if (task->verdict_only) io->end = CM__GJK_DECIDED;
    return task->verdict_only;
}

#endif
