/* Shared by the searches in cm_real: the difference D of two polytopes, relative to the center of A's core, in A's
 * axes. The position of a corner is off by at most GJK_APPROX_ROUNDING of the pair's scale. */
#ifndef CONVEX_GJK_APPROX_H
#define CONVEX_GJK_APPROX_H

#include "convex/convex.h"

#define GJK_APPROX_STEPS 32 /* round hulls take 4 to 6 steps; pairs that need more than this are left to gjk.c */
/* Scales whose fourth powers are well within the range of cm_real. */
#if defined(CAROM_F64)
#define GJK_APPROX_LEAST 1e-50
#define GJK_APPROX_MOST  1e50
/* as large as the error with which gjk.c may end where its simplex is a needle */
#define GJK_APPROX_ROUNDING (4096 * DBL_EPSILON)
#else
#define GJK_APPROX_LEAST    1e-6
#define GJK_APPROX_MOST     1e8
#define GJK_APPROX_ROUNDING (32 * (double)FLT_EPSILON)
#endif

/* A corner of D, by the numbers of those of A and B that it is made of. */
typedef struct gjk_approx_corner {
    cm_vec3 w;
    uint32_t a, b;
} gjk_approx_corner;

typedef struct gjk_approx_search gjk_approx_search;

/* The corner of D farthest against v; the numbers in *io are where a walk may start. There is one for cores of any
 * kind, and one for two hulls whose corners are all scanned (kernel.c). */
typedef void cm__gjk_approx_support(const gjk_approx_search *s, const cm_vec3 *v, gjk_approx_corner *io);
cm__gjk_approx_support cm__gjk_approx_support_any, cm__gjk_approx_support_base, cm__gjk_approx_support_avx2,
    cm__gjk_approx_support_avx512;
/* The search itself with each of these (gjk_steps.h). */
typedef struct approx_run approx_run;
typedef void cm__gjk_approx_steps(const gjk_approx_search *s, approx_run *io);
cm__gjk_approx_steps cm__gjk_approx_steps_any, cm__gjk_approx_steps_base, cm__gjk_approx_steps_avx2,
    cm__gjk_approx_steps_avx512;

struct gjk_approx_search {
    const cm__convex_pair *pair;
    cm__gjk_approx_support *support;
    cm__gjk_approx_steps *steps;
    cm_mat3 turn; /* B's axes */
    cm_vec3 between;
};

/* False: not for this pair. */
bool cm__gjk_approx_prepare(const cm__convex_pair *pair, gjk_approx_search *s);

#endif
