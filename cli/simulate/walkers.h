/* The movers of a scene: objects with a list of strides, "walk". */
#ifndef CLI_WALKERS_H
#define CLI_WALKERS_H

#include "simulate/stage.h"

typedef struct walkers {
    uint32_t *objects; /* of the stage */
    cm_mover *movers;
    cm_vec3 *velocities;
    uint32_t count;
    uint64_t steps, sweeps, crushed;
} walkers;

/* All objects of the stage that walk, where they begin. */
void walkers_start(walkers *w, const stage *s);
void walkers_free(walkers *w);
/* One step after that of the bodies, which ended at `time`: the objects of the world are put where the movers went, and
 * bodies that were run into are pushed. Returns the first status that is not CM_OK. */
cm_status walkers_step(walkers *w, const stage *s, cm_world *world, cm_dynamics *bodies, const uint32_t *ids,
                       double time, double dt);
/* What they took, one line; nothing where none walks. */
void walkers_print(const walkers *w);

#endif
