/* Shapes of every kind for the worlds of the tests: convex ones with and without radius, hulls, custom shapes,
 * half-spaces, meshes as surfaces and as solids, height fields, compounds. */
#ifndef TEST_WORLD_ZOO_H
#define TEST_WORLD_ZOO_H

#include "scene.h"
#include "support/specimen.h"

#include <stdlib.h>

enum { ZOO_EACH = 3, ZOO_SIZE = ZOO_EACH * SPECIMEN_KINDS };

/* They stay until the test ends: worlds borrow what they point to. */
static inline const specimen *zoo_all(void) {
    static specimen *all;
    if (all) return all;
    all = calloc(ZOO_SIZE, sizeof *all);
    assert_non_null(all);
    rng r = {.state = 4711};
    for (int i = 0; i < ZOO_SIZE; i++)
        specimen_random(&all[i], (specimen_kind)(i % SPECIMEN_KINDS), rng_range(&r, 0.3, 0.9), &r);
    return all;
}

/* The table that snapshots name them by. */
static inline const cm_world_shapes *zoo_table(void) {
    static cm_shape all[ZOO_SIZE];
    static cm_world_shapes table = {all, ZOO_SIZE};
    for (int i = 0; i < ZOO_SIZE; i++) all[i] = zoo_all()[i].shape;
    return &table;
}

/* Half-spaces come seldom: each meets about everything. */
static inline cm_shape zoo_shape(rng *r) {
    for (;;) {
        const specimen *s = &zoo_all()[rng_below(r, ZOO_SIZE)];
        if (s->kind != SPECIMEN_HALFSPACE || rng_below(r, 4) == 0) return s->shape;
    }
}

static inline cm_world_object_desc zoo_object(rng *r, double half) {
    cm_world_object_desc d = scene_object(r, half);
    d.shape = zoo_shape(r);
    return d;
}

#endif
