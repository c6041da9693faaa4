/* The difference D of two polytopes in cm_real, seen from the center of A's core in A's axes: what searches in cm_real
 * share. A corner's place is wrong by at most LEAD_ROUNDING of the pair's scale. */
#ifndef CONVEX_LEAD_H
#define CONVEX_LEAD_H

#include "convex/convex.h"

#define LEAD_STEPS 32
/* Scales whose fourth powers are well within the range of cm_real. */
#if defined(CAROM_F64)
#define LEAD_LEAST 1e-50
#define LEAD_MOST  1e50
/* as much again as gjk.c may end below the truth where its simplex is a needle */
#define LEAD_ROUNDING (4096 * DBL_EPSILON)
#else
#define LEAD_LEAST    1e-6
#define LEAD_MOST     1e8
#define LEAD_ROUNDING (32 * (double)FLT_EPSILON)
#endif

typedef struct lead_search lead_search;

/* The corner of D farthest against v, to where the next one goes: cores of any kind, and two hulls whose corners are
 * all looked at, in one piece (kernel.c). */
typedef void cm__lead_support(lead_search *s, const cm_vec3 *v, uint32_t hint_a, uint32_t hint_b);
cm__lead_support cm__lead_support_any, cm__lead_support_base, cm__lead_support_avx2, cm__lead_support_avx512;

struct lead_search {
    const cm__convex_pair *pair;
    cm__lead_support *support;
    cm_mat3 turn; /* B's axes */
    cm_vec3 between;
    cm_vec3 w[4];
    uint32_t a[4], b[4];
    int count;
};

/* False: not of this pair. */
bool cm__lead_lay_out(const cm__convex_pair *pair, lead_search *s);

#endif
