/// carom/carom.h: everything. What holds for all of it (docs/guide/conventions.md):
///
/// - Right-handed; world = position + rotate(rotation, local); a rotation is a unit quaternion. No unit is assumed, and
///   no tolerance is absolute. Valid coordinates: |x| <= CM_COORD_MAX.
/// - Closed sets: touching is overlapping, with distance and depth 0. Distances are signed: > 0 a gap, < 0 minus the
///   depth. Normals are unit, from A to B.
/// - Convex shapes and half-spaces are solid; meshes are surfaces unless built solid; height fields are surfaces.
/// - Bad input to a query (NULL, NaN, no unit quaternion, a shape that cm_shape_check refuses) is no answer: false, 0,
///   CM_REAL_MAX. What builds, owns or changes answers a cm_status. `out` is untouched where there is no answer.
///   Getters of built objects (cm_mesh_get_info …) want one; NULL is fine only where a comment says so.
/// - A description's zero fields mean the default. Shapes borrow meshes, hulls and the like, and never own them.
/// - Queries allocate nothing. Const objects may be read by any number of threads. Equal input gives equal bits.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "base.h"
#include "math.h"
#include "shape.h"
#include "mesh.h"
#include "height_field.h"
#include "hull.h"
#include "compound.h"
#include "tessellate.h"
#include "pair.h"
#include "observe.h"
#include "ray.h"
#include "sweep.h"
#include "deform.h"
#include "primitives.h"
#include "bound.h"
#include "broad.h"
#include "batch.h"
#include "world.h"
#include "mover.h"
#include "dynamics.h"
#include "check.h"
#include "selftest.h"

#endif
