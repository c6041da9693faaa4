/* What the files that judge a scene share. */
#ifndef SUPPORT_JUDGE_H
#define SUPPORT_JUDGE_H

#include "support/scene.h"

/* Notes a fault where the condition does not hold, and goes on. */
#define judge_that(s, condition, ...)                                                                                  \
    do {                                                                                                               \
        if (!(condition)) scene_fault(s, #condition, __VA_ARGS__);                                                     \
    } while (0)

/* NaN is larger than anything. */
static inline void judge_raise(long double *worst, long double x) {
    if (!(x <= *worst)) *worst = x;
}
static inline void judge_bound(scene *s, const char *what, long double value, long double bound) {
    if (!(value <= bound)) scene_fault(s, what, "off by %Lg", value);
}
static inline bool judge_finite(cm_vec3 v) { return cm_vec3_is_valid(v); }
static inline bool judge_equal(cm_vec3 v, cm_vec3 w) { return v.x == w.x && v.y == w.y && v.z == w.z; }
static inline bool judge_opposite(cm_vec3 v, cm_vec3 w) { return v.x == -w.x && v.y == -w.y && v.z == -w.z; }
/* Nanoseconds, 0 where nobody wants to know. */
double judge_clock(const scene *s);

/* What a normal may prove too little at this distance: the direction of a short gap between cores is known no better
 * than its ends, which are rounded in double. */
long double judge_blur(const scene *s, cm_real distance);
cm_real judge_distance(scene *s, rng *r); /* scene.c; the rest in judge.c */
void judge_contact(scene *s, cm_real distance, rng *r);
void judge_sweep(scene *s, cm_real distance, rng *r);
void judge_ray(scene *s, rng *r);
/* The searches of the general way end by proof, never by their step limit. */
void judge_limit(scene *s);

#endif
