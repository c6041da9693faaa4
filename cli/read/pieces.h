/* The connected pieces of a mesh, for --part component. */
#ifndef CLI_PIECES_H
#define CLI_PIECES_H

#include <carom/mesh.h>

/* For each triangle of the mesh the number of its piece, into `out`; returns how many pieces there are.
 * A piece is what hangs together by points (cm_mesh_components), with one exception: a body that lies there twice has
 * each of its corners once, as equal points are one, and is two pieces all the same. It does where triangles have the
 * corners, in the same sense, of earlier ones, and these copies, as far as they hang together, either are closed or
 * repeat all of what they hang together with. Copies come behind all that cm_mesh_components numbers, in the order of
 * their first triangles. Other repeated triangles, a few of a sheet, stay in their piece.
 * Cost: O(n log n) where triangles are repeated; else that of cm_mesh_components. */
uint32_t pieces_number(const cm_mesh *mesh, uint32_t *out);

#endif
