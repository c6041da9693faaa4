/* The workloads of bench/broad: boxes that move and bounce, made by a fixed generator. */
#ifndef BENCH_BROAD_SCENE_H
#define BENCH_BROAD_SCENE_H

#include <carom/carom.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scene_kind {
    SCENE_UNIFORM,  /* B1: equal chances everywhere, sizes within a factor of three, four neighbors each */
    SCENE_CLUSTERS, /* B2: sizes log-uniform over three decades, in Gaussian clusters */
    /* What nothing was tuned for: */
    SCENE_CITY,    /* flat: houses of all heights side by side on a square grid, touching now and then */
    SCENE_LINE,    /* one behind the other along a line */
    SCENE_SHELL,   /* on a sphere */
    SCENE_TWO,     /* one in a hundred is twenty times as large */
    SCENE_RESTING, /* uniform, but 99 of 100 rest */
    SCENE_CORNER,  /* a swarm in one corner of a world with a few boxes far away */
    SCENE_COUNT
} scene_kind;

typedef struct bench_scene {
    uint32_t count;
    float world;                  /* boxes bounce in [0, world]^3 */
    float *center, *half, *speed; /* x y z each */
    cm_aabb *boxes;
} bench_scene;

const char *scene_name(scene_kind kind);
void scene_make(bench_scene *s, scene_kind kind, uint32_t count);
/* Moves box i where i % every == 0. */
void scene_move(bench_scene *s, uint32_t every);
void scene_free(bench_scene *s);
double bench_seconds(void);
void bench_use_cpu_time(void); /* from now on: of this process, all threads together */

#ifdef __cplusplus
}
#endif
#endif
