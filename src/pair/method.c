/* The table of methods: special ones by kinds, all others by classes. */
#include "pair/method.h"

const cm__method *const cm__method_special[CM_SHAPE_KINDS][CM_SHAPE_KINDS] = {
#define METHOD_ROW(A, B, name) [CM_SHAPE_##A][CM_SHAPE_##B] = &cm__method_##name,
    CM__METHOD_LIST(METHOD_ROW)
#undef METHOD_ROW
};

const cm__method *const cm__method_general[CM__CLASSES][CM__CLASSES] = {
    [CM__POLYTOPE][CM__POLYTOPE] = &cm__method_polytopes,
    [CM__POLYTOPE][CM__CONVEX] = &cm__method_convex,
    [CM__CONVEX][CM__CONVEX] = &cm__method_convex,
    [CM__POLYTOPE][CM__HALFSPACE] = &cm__method_polytope_halfspace,
    [CM__CONVEX][CM__HALFSPACE] = &cm__method_convex_halfspace,
    [CM__POLYTOPE][CM__COMPOSITE] = &cm__method_convex_composite,
    [CM__CONVEX][CM__COMPOSITE] = &cm__method_convex_composite,
    [CM__HALFSPACE][CM__COMPOSITE] = &cm__method_halfspace_composite,
    [CM__COMPOSITE][CM__COMPOSITE] = &cm__method_composites,
};
