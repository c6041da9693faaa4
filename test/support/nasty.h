/* Numbers that code forgets: signed zeros, denormals, what a square loses or overflows with, the ends of the valid
 * range, and now and then what is no number at all. Shapes, poses and motions made of them. */
#ifndef SUPPORT_NASTY_H
#define SUPPORT_NASTY_H

#include "support/support.h"

/* One sample's numbers mostly share a scale, so that shapes meet; `wild` in 1000 numbers may be invalid. */
typedef struct nasty {
    rng r;
    double scale;
    uint32_t wild;
    bool mixed; /* now and then a number of any size: then one shape may be 1e20 times as large as another */
    bool abyss; /* double only: numbers whose squares are lost. Nothing is promised there but an end, and no harm */
} nasty;

/* Another scale, and how wild. */
void nasty_turn(nasty *n);
cm_real nasty_real(nasty *n);
cm_real nasty_size(nasty *n); /* not negative, but for a wild one */
cm_vec3 nasty_vec3(nasty *n);
cm_vec3 nasty_sizes(nasty *n);
cm_quat nasty_quat(nasty *n); /* a unit quaternion, but for a wild one */
cm_pose nasty_pose(nasty *n);
cm_vec3 nasty_direction(nasty *n);

/* What is asked of answers. */
bool nasty_is_finite(cm_vec3 v);
bool nasty_is_unit(cm_vec3 v);

/* A shape and what it borrows; a shape that the library refuses is as welcome. */
typedef struct nasty_shape {
    cm_shape shape;
    cm_hull *hull;
    cm_mesh *mesh;
    cm_height_field *field;
    cm_compound *compound;
    cm_hull *child_hull; /* of the compound */
    cm_mesh *child_mesh;
    bool lies; /* a custom shape whose support function is none of a convex set */
} nasty_shape;

/* Of any kind, or of kind `kind`. Borrowed data that cannot be built leaves NULL in the shape. */
void nasty_shape_random(nasty_shape *s, nasty *n);
void nasty_shape_of(nasty_shape *s, cm_kind kind, nasty *n);
void nasty_shape_free(nasty_shape *s);

/* For `out` that has to stay untouched. */
#define NASTY_FILL 0xa5
bool nasty_untouched(const void *out, size_t size);

/* Processor time of this thread in seconds, to be told; nothing fails by it. */
double nasty_clock(void);

/* Prints the bits of a sample so that it can be made again. */
void nasty_print_shape(const char *what, const cm_shape *shape);
void nasty_print_pose(const char *what, const cm_pose *pose);

#endif
