/* Curved paths: along a fixed direction two shapes that do not turn come closer by speed * h + pull * h^2 / 2 over a
 * time h, exactly, `pull` being their relative acceleration along it. Where the cases below meet (no speed, no pull,
 * the apex at the end) both forms give the same number, but for rounding. */
#ifndef SWEEP_CURVE_H
#define SWEEP_CURVE_H

#include <float.h>
#include <math.h>

/* The first time at which they have come closer by `left` > 0; DBL_MAX: never. */
static inline double cm__curve_until(double left, double speed, double pull) {
    if (!(pull > 0 || pull < 0)) return speed > 0 ? left / speed : DBL_MAX;
    const double under = speed * speed + 2 * pull * left;
    if (!(under >= 0)) return DBL_MAX;
    if (speed > 0) return 2 * left / (speed + sqrt(under)); /* no cancellation: both are positive */
    return pull > 0 ? (sqrt(under) - speed) / pull : DBL_MAX;
}

/* The most by which they come closer, over times from 0 to 1; 0: never. */
static inline double cm__curve_most(double speed, double pull) {
    const double end = speed + pull / 2;
    double most = end > 0 ? end : 0;
    if (pull < 0 && speed > 0 && speed < -pull) most = speed * speed / (-2 * pull);
    return most;
}

/* Do they come closer from the start on, except for moving apart by no more than `least` first? */
static inline int cm__curve_closes(double least, double speed, double pull) {
    return speed > 0 ? 1 : pull > 0 && speed * speed <= 2 * least * pull;
}

#endif
