// Two convex shapes by Coal's GJK and EPA, in a file of its own: Coal is made of templates, which are built for one
// processor.
#pragma once
#include <carom/carom.h>

#include <memory>

struct coal_solver;
struct coal_shape;

std::shared_ptr<coal_solver> coal_make_solver();
// A sphere, a capsule along z around its pose, a box, cylinder, cone or ellipsoid.
std::shared_ptr<coal_shape> coal_make(const cm_shape &shape);
// The signed distance. By the entry that takes the shapes' types, without its table of functions.
double coal_distance(coal_solver &solver, const coal_shape &a, const cm_pose &pose_a, const coal_shape &b, const cm_pose &pose_b);
