/* The expanding polytope of EPA: closed, of triangles, within D = B - A, with its corners on D's surface.
 *
 * It starts as a tetrahedron and grows by one corner at a time: the faces that see the new corner are replaced by a fan
 * around it. A face counts as seen down to `eps` below its plane, which merges coplanar faces and leaves no new face
 * without area. Distances of faces are signed, so an origin that lies outside by rounding is found to be outside. Faces
 * are linked edge over edge; new ones take the numbers of dead ones first, and are computed two at a time.
 *
 * Frame: A's. Bound: CM__EXPANDING_POINTS corners, in arrays (48 KB) on the caller's stack. Based on: [vandenBergen01].
 */
#ifndef CONVEX_EXPANDING_H
#define CONVEX_EXPANDING_H

#include "convex/convex.h"

#define CM__EXPANDING_POINTS 256
#define CM__EXPANDING_FACES  (2 * CM__EXPANDING_POINTS) /* a closed polytope of triangles has fewer */

/* Edge i of face f, from its corner i to the next, is 4 f + i. */
typedef uint16_t cm__expanding_edge;

typedef struct cm__expanding_face {
    cm__point normal;             /* unit, outward */
    uint16_t corner[3];           /* counter-clockwise seen from outside */
    cm__expanding_edge beyond[3]; /* the same edge, of the face on its other side */
    bool moved;                   /* the plane is not that of its corners: the caller gave it another */
} cm__expanding_face;

/* The rim around the faces that a new corner sees. Its edges are those of the faces beyond, against whose sense it
 * runs. */
typedef struct cm__expanding_rim {
    int count;
    cm__expanding_edge outer[CM__EXPANDING_POINTS];
    uint16_t from[CM__EXPANDING_POINTS], to[CM__EXPANDING_POINTS]; /* corners */
    uint16_t number[CM__EXPANDING_POINTS];                         /* of the new face over the edge */
} cm__expanding_rim;

typedef struct cm__expanding {
    double eps;        /* a corner's height over a plane of three others, as far as rounding knows it */
    int points, faces; /* in use; dead faces included */
    int spare_count;
    double distance[CM__EXPANDING_FACES]; /* of the plane from the origin; of faces without area DBL_MAX / 2, of dead
                                             ones DBL_MAX */
    double rank[CM__EXPANDING_FACES];     /* the same; DBL_MAX also of faces that the caller is done with */
    cm__expanding_face face[CM__EXPANDING_FACES];
    cm__convex_vertex point[CM__EXPANDING_POINTS];
    uint16_t spare[CM__EXPANDING_FACES];    /* numbers of dead faces */
    uint16_t leaving[CM__EXPANDING_POINTS]; /* the edge of the rim that starts at a corner */
    uint16_t seen[CM__EXPANDING_FACES];     /* faces seen from the new corner */
    uint16_t mark[CM__EXPANDING_FACES];     /* the last corner from which a face was seen */
    cm__expanding_rim rim;
} cm__expanding;

/* The vertex of D farthest along `u`. */
static inline void expanding_support(const cm__convex_pair *pair, cm__point u, bool exact, cm__convex_vertex *io) {
    convex_support(pair, wide_neg(u), exact, io);
}
static inline int expanding_edge_face(cm__expanding_edge e) { return e >> 2; }
static inline bool expanding_is_dead(const cm__expanding *h, int f) { return h->distance[f] >= DBL_MAX; }

/* The first tetrahedron, from the corners of the simplex that GJK ended with as far as they span one. False where D is
 * flat: *flat is then a direction across it, and *out is any. */
bool cm__expanding_start(const cm__convex_pair *pair, const cm__gjk *from, cm__expanding *out, cm__point *flat);
/* The face of least rank, the first of equals. */
int cm__expanding_nearest(cm__expanding *h);
/* Takes point[points], which face f sees, as a corner. False where rounding left no proper rim, or no room: then
 * the polytope is as it was. */
bool cm__expanding_grow(cm__expanding *h, int f);

#endif
