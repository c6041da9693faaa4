#include "narrow/coal.h"

#include <coal/narrowphase/narrowphase.h>
#include <coal/shape/geometric_shapes.h>

#include <variant>

using namespace coal;

struct coal_solver : GJKSolver {};
struct coal_shape {
    std::variant<Sphere, Capsule, Box, Cylinder, Cone, Ellipsoid> is;
};

std::shared_ptr<coal_solver> coal_make_solver() { return std::make_shared<coal_solver>(); }

std::shared_ptr<coal_shape> coal_make(const cm_shape &s) {
    switch (s.kind) {
    case CM_SHAPE_POINT: return std::make_shared<coal_shape>(coal_shape{Sphere(s.radius)});
    case CM_SHAPE_SEGMENT: return std::make_shared<coal_shape>(coal_shape{Capsule(s.radius, 2 * s.u.segment.b.z)});
    case CM_SHAPE_BOX: return std::make_shared<coal_shape>(coal_shape{Box(2 * s.u.box.x, 2 * s.u.box.y, 2 * s.u.box.z)});
    case CM_SHAPE_CYLINDER: return std::make_shared<coal_shape>(coal_shape{Cylinder(s.u.cylinder.radius, 2 * s.u.cylinder.half_height)});
    case CM_SHAPE_CONE: return std::make_shared<coal_shape>(coal_shape{Cone(s.u.cone.radius, 2 * s.u.cone.half_height)});
    default: return std::make_shared<coal_shape>(coal_shape{Ellipsoid(s.u.ellipsoid.x, s.u.ellipsoid.y, s.u.ellipsoid.z)});
    }
}

static Transform3s coal_pose(const cm_pose &p) {
    const Eigen::Quaternion<CoalScalar> turn(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z);
    return Transform3s(turn.toRotationMatrix(), Vec3s(p.position.x, p.position.y, p.position.z));
}

double coal_distance(coal_solver &solver, const coal_shape &a, const cm_pose &pose_a, const coal_shape &b, const cm_pose &pose_b) {
    const Transform3s at_a = coal_pose(pose_a), at_b = coal_pose(pose_b);
    Vec3s p, q, normal;
    return std::visit([&](const auto &s, const auto &t) { return solver.shapeDistance(s, at_a, t, at_b, true, p, q, normal); }, a.is, b.is);
}
