/// carom/carom.h: everything.
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
#include "ray.h"
#include "sweep.h"
#include "primitives.h"
#include "bound.h"
#include "broad.h"
#include "world.h"
#include "dynamics.h"

#endif
