/* The difference D of two polytopes in cm_real, seen from the center of A's core in A's axes: what searches in cm_real
 * share. A corner's place is wrong by at most LEAD_ROUNDING of the pair's scale. */
#ifndef CONVEX_LEAD_H
#define CONVEX_LEAD_H

#include "convex/convex.h"

#include <string.h>

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

typedef struct lead_search {
    const cm__convex_pair *pair;
    cm_mat3 turn; /* B's axes */
    cm_vec3 between;
    cm_vec3 w[4];
    uint32_t a[4], b[4];
    int count;
} lead_search;

/* The corner of D farthest against v. */
static inline void lead_support(lead_search *s, cm_vec3 v, uint32_t hint_a, uint32_t hint_b) {
    const cm__core *a = s->pair->a, *b = s->pair->b;
    cm_vec3 p, q, back = cm_mat3_mul_transposed(&s->turn, cm_neg(v));
    int k = s->count;
    s->a[k] = a->ops->near(a, v, hint_a, &p);
    s->b[k] = b->ops->near(b, back, hint_b, &q);
    s->w[k] = cm_sub(cm_add(s->between, cm_mat3_mul(&s->turn, q)), p);
}

static inline bool lead_lay_out(const cm__convex_pair *pair, lead_search *s) {
    if (!pair->a->ops->near || !pair->b->ops->near) return false;
    if (!(pair->scale > LEAD_LEAST && pair->scale < LEAD_MOST)) return false;
    memset(s, 0, sizeof *s);
    s->pair = pair;
    s->turn.x = cm__vec3_of(pair->b_in_a.x), s->turn.y = cm__vec3_of(pair->b_in_a.y);
    s->turn.z = cm__vec3_of(pair->b_in_a.z);
    s->between = cm__vec3_of(cm__point_sub(frame_apply(&pair->b_in_a, pair->b->center), pair->a->center));
    return true;
}

#endif
