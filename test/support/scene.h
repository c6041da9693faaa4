/* Two random specimens at random poses, and a judge of everything that the library says about them: by the specimens'
 * convex pieces in long double (specimen.h), which share no code with the library. */
#ifndef SUPPORT_SCENE_H
#define SUPPORT_SCENE_H

#include "support/specimen.h"

/* Largest deviations, in units of the coordinates that meet. Float poses are rounded to 6e-8 of the coordinates. */
#define SCENE_IS_FLOAT    (sizeof(cm_real) == 4)
#define SCENE_BOUND       (SCENE_IS_FLOAT ? 4e-6L : 1e-9L) /* proofs, points, gaps */
#define SCENE_ROUND_GAP   (SCENE_IS_FLOAT ? 4e-6L : 1e-7L) /* gaps of curved cores, whose search stops short */
#define SCENE_ROUND_DEPTH 2e-3L                            /* depths of curved cores */
#define SCENE_ROUND_POINT 1e-2L /* their witness points: what is flat is known by its height only */
#define SCENE_SEARCH      1e-2L /* by how much a search for their best axis may fall short */
#define SCENE_CONTACT     1e-3L /* points of faces that are square to the normal within 1.4e-3 */

/* What was seen. Sums, and the largest deviations in units of the coordinates. */
typedef struct tally {
    long poses, overlapping, sweeps, hits, rays, ray_hits, ids, kept, faults;
    long double proof, point, depth, contact, gap, swap, ray[2]; /* rays at A and at B */
    long double moved; /* the gap left after moving B by the distance along the normal */
    long double jump;  /* by how much more the distance changed than B was moved */
    double cost[6];    /* nanoseconds altogether: overlap, distance, contact, sweep, ray */
} tally;
void tally_add(tally *sum, const tally *one);

#define SCENE_TEXT 900

typedef struct scene {
    specimen a, b;
    specimen_kind kind_a, kind_b;
    uint64_t seed;
    long number;
    long double scale; /* of the coordinates that meet */
    bool composite, curved, clock;
    tally t;
    char text[SCENE_TEXT]; /* the first faults, a line each */
} scene;

/* The scene of a seed, a pair of kinds and a number: no other scene need be made before it. */
void scene_random(scene *s, specimen_kind ka, specimen_kind kb, uint64_t seed, long number);
void scene_free(scene *s);
/* Asks everything and judges it, into s->t and s->text. */
void scene_judge(scene *s);
/* Writes one more fault. */
void scene_fault(scene *s, const char *what, const char *format, ...);
const char *scene_pair_name(specimen_kind a, specimen_kind b);

#endif
