/* Distance and depth of convex cores in 113-bit arithmetic, sharing no code with the library: brute force over all
 * features and all axes. */
#ifndef ORACLE_CONVEX_H
#define ORACLE_CONVEX_H

#include <carom/carom.h>

__extension__ typedef __float128 quad;

typedef struct quad3 {
    quad x, y, z;
} quad3;

/* A point, segment, triangle, box or half-space, with a radius, where it lies in the world. */
typedef struct oracle_body {
    int corners, edges, faces;
    quad3 corner[8];
    int edge[12][2];
    int face[6][4], face_corners;
    quad3 normal; /* of a half-space */
    quad level;   /* normal.p <= level */
    int halfspace;
    quad radius;
} oracle_body;

/* At a pose whose rotation is taken as scaled to length 1. */
oracle_body oracle_body_of(const cm_shape *shape, const cm_pose *pose);
/* Moves it by u times `move`. */
void oracle_move(oracle_body *body, cm_vec3 move, quad u);
/* Signed distance: minus the least translation that parts them where they overlap; exact to about 1e-30 of the sizes.
 */
quad oracle_distance(const oracle_body *a, const oracle_body *b);
/* How far b lies beyond a along a direction: least of b minus greatest of a, radii included, in lengths of it. */
quad oracle_separation(const oracle_body *a, const oracle_body *b, quad3 direction);
/* Distance from a point, 0 inside. */
quad oracle_point_distance(const oracle_body *body, quad3 p);
quad3 oracle_point(cm_vec3 p);
quad quad_sqrt(quad x);

#endif
