/* How a pair of kinds is answered. A special pair is one file beside this one, and one line in CM__PAIR_LIST. */
#ifndef PAIR_PAIR_H
#define PAIR_PAIR_H

#include "carom/pair.h"
#include "shape/shape.h"

/* Kinds in the order of CM_SHAPE_LIST, and the file's name. */
#define CM__PAIR_LIST(X) X(MESH, MESH, mesh_mesh)

/* Both shapes are valid; everything is in A's frame, b_in_a places B there. */
typedef struct cm__pair {
    bool (*overlap)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a);
    cm_real (*distance)(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                        cm_witness *out);
} cm__pair;

#define CM__PAIR_DECLARE(A, B, name) extern const cm__pair cm__pair_##name;
CM__PAIR_LIST(CM__PAIR_DECLARE)
#undef CM__PAIR_DECLARE

#endif
