/* Meshes that tests make for themselves, centered on the origin; cm_mesh_destroy(mesh, NULL) them. */
#ifndef SOLIDS_H
#define SOLIDS_H

#include "support/support.h"

/* Triangles by their corners, to be joined by the build. */
typedef struct soup {
    cm_real *numbers; /* nine a triangle */
    uint32_t triangles, room;
} soup;
void soup_add(soup *s, cm_vec3 a, cm_vec3 b, cm_vec3 c);
/* Everything added so far, moved by `pose`. */
void soup_move(soup *s, const cm_pose *pose);
/* Both triangles of a quadrangle, counter-clockwise; `turn` chooses the other diagonal. */
void soup_add_quad(soup *s, cm_vec3 a, cm_vec3 b, cm_vec3 c, cm_vec3 d, bool turn);
/* A box from lo to hi, each face cut into cells * cells squares; inward: a cavity. */
void soup_add_box(soup *s, cm_vec3 lo, cm_vec3 hi, int cells, bool turn, bool inward);
/* The faces of a hull, cut into fans, and then each triangle into four as many times as `cuts`. */
void soup_add_hull(soup *s, const cm_hull *hull, int cuts);
/* A rectangle [-hx, hx] x [-hy, hy] in the plane z = 0, normal +z. */
void soup_add_sheet(soup *s, cm_real hx, cm_real hy, int cells);
/* Builds (solid or surface; a failure fails the test) and frees the soup. */
cm_mesh *soup_build(soup *s, bool solid);

cm_mesh *solid_box(cm_real hx, cm_real hy, cm_real hz, int cells, bool turn);
cm_mesh *solid_sphere(cm_real radius, int rings, int segments);    /* corners on the sphere; all faces outward */
cm_mesh *solid_cone(cm_real radius, cm_real height, int segments); /* from z = -height/2 (base) to +height/2 (tip) */
cm_mesh *surface_sheet(cm_real hx, cm_real hy, int cells);

#endif
