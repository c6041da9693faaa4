/* A convex shape for the library and the same for the checker of solid.h, at one pose. */
#ifndef BODIES_H
#define BODIES_H

#include "support/outside.h"

typedef struct body {
    solid s;
    cm_shape shape;
    cm_hull *hull;
    cm_pose pose;
} body;

static inline void body_place(body *b, const cm_pose *pose) {
    cm_vec3 p = pose->position;
    b->pose = *pose;
    solid_place(&b->s, pose->rotation, w3((long double)p.x, (long double)p.y, (long double)p.z));
}

static inline void body_random(body *b, solid_kind kind, double size, rng *r) {
    solid_random(&b->s, kind, 0, size, r);
    b->shape = solid_shape(&b->s, &b->hull);
    if (rng_below(r, 3) == 0) b->shape.radius = b->s.radius = CM_REAL(size * rng_range(r, 0, 0.5));
    cm_pose pose;
    pose.rotation = rng_rotation(r);
    pose.position = rng_vec3(r, size);
    body_place(b, &pose);
}
static inline void body_free(body *b) { cm_hull_destroy(b->hull, NULL); }

#endif
