#include "primitives/jolt.h"

#include <Jolt/Jolt.h>
#include <Jolt/Geometry/OrientedBox.h>

static JPH::OrientedBox jolt_box(const cm_obb &b) {
    const JPH::Quat turn(b.rotation.x, b.rotation.y, b.rotation.z, b.rotation.w);
    return JPH::OrientedBox(JPH::Mat44::sRotationTranslation(turn, JPH::Vec3(b.center.x, b.center.y, b.center.z)), JPH::Vec3(b.half.x, b.half.y, b.half.z));
}

bool jolt_boxes_overlap(const cm_obb *a, const cm_obb *b) { return jolt_box(*a).Overlaps(jolt_box(*b)); }
