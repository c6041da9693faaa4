/* How a free rigid body turns: see rigid.h.
 *
 * A step turns the body about a constant axis, as cm_motion does. The axis is the angular velocity at the middle of the
 * step, which the constant angular momentum gives: omega = R I^-1 R^T L with R at the middle. Eight rounds of
 * substitution solve it to rounding where it turns the body by up to about a third of a radian. What turns farther in a
 * step goes there in parts of so much, and the step's turn is the one about a constant axis that ends where they do: of
 * those, which differ by whole turns, the nearest to the sum of the parts. Beyond TURN_PARTS of them, 21 radians, the
 * turn is still a rotation and the momentum still kept, only its energy is coarser. Based on: [Hairer06, IV.1, VII.5].
 */
#include "dynamics/rigid.h"

#include "math/trig.h"

enum { TURN_PARTS = 64 };
#define TURN_PART  (1.0 / 3)
#define WHOLE_TURN 6.283185307179586

static cm__point tensor_column_sum(const cm__point axes[3], cm__point weights) {
    return cm__point_add(cm__point_scale(axes[0], weights.x),
                         cm__point_add(cm__point_scale(axes[1], weights.y), cm__point_scale(axes[2], weights.z)));
}

cm__tensor cm__tensor_rotated(const cm__tensor *local, cm_quat rotation) {
    cm__point q = cm__p((double)rotation.x, (double)rotation.y, (double)rotation.z);
    double w = (double)rotation.w, scale = 2 / (cm__point_dot(q, q) + w * w);
    cm__point axes[3] = {
        cm__p(1 - scale * (q.y * q.y + q.z * q.z), scale * (q.x * q.y + w * q.z), scale * (q.x * q.z - w * q.y)),
        cm__p(scale * (q.x * q.y - w * q.z), 1 - scale * (q.x * q.x + q.z * q.z), scale * (q.y * q.z + w * q.x)),
        cm__p(scale * (q.x * q.z + w * q.y), scale * (q.y * q.z - w * q.x), 1 - scale * (q.x * q.x + q.y * q.y))};
    /* columns of R T, then times R^T */
    cm__point c0 = tensor_column_sum(axes, local->x), c1 = tensor_column_sum(axes, local->y);
    cm__point c2 = tensor_column_sum(axes, local->z);
    cm__tensor t;
    t.x.x = c0.x * axes[0].x + c1.x * axes[1].x + c2.x * axes[2].x;
    t.x.y = c0.x * axes[0].y + c1.x * axes[1].y + c2.x * axes[2].y;
    t.x.z = c0.x * axes[0].z + c1.x * axes[1].z + c2.x * axes[2].z;
    t.y.y = c0.y * axes[0].y + c1.y * axes[1].y + c2.y * axes[2].y;
    t.y.z = c0.y * axes[0].z + c1.y * axes[1].z + c2.y * axes[2].z;
    t.z.z = c0.z * axes[0].z + c1.z * axes[1].z + c2.z * axes[2].z;
    t.y.x = t.x.y, t.z.x = t.x.z, t.z.y = t.y.z;
    return t;
}

cm__tensor cm__tensor_inverse(const cm__tensor *t) {
    cm__tensor none = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, out;
    double size = cm__point_largest(cm__p(t->x.x, t->y.y, t->z.z));
    if (!(size > 0) || !(size <= DBL_MAX)) return none;
    cm__point x = cm__point_scale(t->x, 1 / size), y = cm__point_scale(t->y, 1 / size);
    cm__point z = cm__point_scale(t->z, 1 / size);
    cm__point yz = cm__point_cross(y, z), zx = cm__point_cross(z, x), xy = cm__point_cross(x, y);
    double determinant = cm__point_dot(x, yz);
    /* Sylvester's criterion; where one of the first two is 0, the determinant is not positive */
    if (!(x.x > 0 && x.x * y.y - x.y * x.y > 0 && determinant > 0)) return none;
    double scale = 1 / (determinant * size);
    out.x = cm__point_scale(yz, scale), out.y = cm__point_scale(zx, scale), out.z = cm__point_scale(xy, scale);
    out.y.x = out.x.y, out.z.x = out.x.z, out.z.y = out.y.z;
    return out;
}

/* `rotation` turned by the rotation vector `turn`. */
static cm_quat rotation_turned(cm_quat rotation, cm__point turn) {
    double angle = cm__point_length(turn), sine, cosine;
    if (!(angle > 0)) return rotation;
    cm__sine_cosine(angle / 2, &sine, &cosine);
    cm_quat q;
    q.x = (cm_real)(turn.x / angle * sine), q.y = (cm_real)(turn.y / angle * sine);
    q.z = (cm_real)(turn.z / angle * sine), q.w = (cm_real)cosine;
    return cm_quat_normalize(cm_quat_mul(q, rotation));
}

/* A body of equal moments keeps its axis: no rounds, and no rounding. */
static bool tensor_is_round(const cm__tensor *t) {
    return t->x.x == t->y.y && t->y.y == t->z.z && t->x.y == 0 && t->x.z == 0 && t->y.z == 0;
}

static cm__point spin_of_part(cm__point momentum, cm__point middle, const cm__tensor *inverse, cm_quat rotation,
                              double dt) {
    for (int round = 0; round < 8; round++) {
        cm_quat half = rotation_turned(rotation, cm__point_scale(middle, dt / 2));
        cm__tensor there = cm__tensor_rotated(inverse, half);
        cm__point next = cm__tensor_mul(&there, momentum);
        if (cm__point_equal(next, middle)) break;
        middle = next;
    }
    return middle;
}

/* The rotation vector from one rotation to the other that is the nearest to this one. */
static cm__point turn_between(cm_quat from, cm_quat to, cm__point near) {
    const cm_quat q = cm_quat_mul(to, (cm_quat){-from.x, -from.y, -from.z, from.w});
    const double sign = q.w < 0 ? -1 : 1;
    const cm__point way = cm__p(sign * (double)q.x, sign * (double)q.y, sign * (double)q.z);
    const double length = cm__point_length(way), angle = 2 * cm__angle_of(length, sign * (double)q.w);
    if (!(length > 0)) return near;
    const cm__point axis = cm__point_scale(way, 1 / length);
    const double turns = floor((cm__point_dot(near, axis) - angle) / WHOLE_TURN + 0.5);
    return cm__point_scale(axis, angle + turns * WHOLE_TURN);
}

cm__point cm__spin_of_step(cm__point spin, const cm__tensor *inertia, const cm__tensor *inverse, cm_quat rotation,
                           double dt) {
    if (tensor_is_round(inertia) || !(cm__point_largest(spin) > 0)) return spin;
    cm__tensor here = cm__tensor_rotated(inertia, rotation);
    const cm__point momentum = cm__tensor_mul(&here, spin);
    const double angle = cm__point_length(spin) * dt;
    if (!(angle > TURN_PART)) return spin_of_part(momentum, spin, inverse, rotation, dt);
    const double parts = angle < TURN_PART * TURN_PARTS ? ceil(angle / TURN_PART) : TURN_PARTS;
    cm__point sum = cm__p(0, 0, 0);
    cm_quat at = rotation;
    for (int i = 0; i < (int)parts; i++) {
        const cm__tensor there = cm__tensor_rotated(inverse, at);
        const cm__point middle = spin_of_part(momentum, cm__tensor_mul(&there, momentum), inverse, at, dt / parts);
        at = rotation_turned(at, cm__point_scale(middle, dt / parts));
        sum = cm__point_add(sum, middle);
    }
    return cm__point_scale(turn_between(rotation, at, cm__point_scale(sum, dt / parts)), 1 / dt);
}

cm__point cm__spin_after(cm__point spin, const cm__tensor *inertia, const cm__tensor *inverse, cm_quat before,
                         cm_quat after) {
    const bool stays = before.x == after.x && before.y == after.y && before.z == after.z && before.w == after.w;
    if (stays || tensor_is_round(inertia) || !(cm__point_largest(spin) > 0)) return spin;
    cm__tensor was = cm__tensor_rotated(inertia, before), is = cm__tensor_rotated(inverse, after);
    cm__point turned = cm__tensor_mul(&is, cm__tensor_mul(&was, spin));
    bool finite = fabs(turned.x) <= DBL_MAX && fabs(turned.y) <= DBL_MAX && fabs(turned.z) <= DBL_MAX;
    return finite ? turned : spin; /* beyond the numbers */
}
