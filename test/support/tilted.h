/* Convex solids that stand on an edge or a corner of theirs on a face of another, each in four forms: as hull, as solid
 * mesh, coarse and fine, and as compound of two halves. What is true of such a stand is told by the two hulls. */
#ifndef TILTED_H
#define TILTED_H

#include "support/support.h"

typedef enum tilted_form { TILTED_HULL, TILTED_MESH, TILTED_FINE, TILTED_HALVES, TILTED_FORMS } tilted_form;
enum { TILTED_PAIRS = TILTED_FORMS * TILTED_FORMS }; /* form of the table * TILTED_FORMS + form of the body */
extern const char *const tilted_pairs[TILTED_PAIRS];

typedef struct tilted_solid {
    cm_hull *hull, *half[2];
    cm_mesh *mesh[2];
    cm_compound *halves;
    cm_shape form[TILTED_FORMS];
    double size;
} tilted_solid;

typedef struct tilted {
    tilted_solid table, body;
    cm_pose at, pose;      /* of table and body */
    cm_vec3 up, across[2]; /* unit, in the world: of the face, and in its plane */
    double gap, noise;     /* of the hulls, which rounding moves by that */
} tilted;

/* A stand, hovering or deep by 0 to a thousandth. False: it hangs over the face's border, or is nearer to another one,
 * and nothing is known of it. To be freed in any case. */
bool tilted_make(tilted *t, rng *r);
void tilted_free(tilted *t);
void tilted_print(const tilted *t, long number, int pair);

#endif
