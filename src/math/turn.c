/* Rotations from an axis and an angle, from a matrix, and between two others: in double, sine and cosine our own, so
 * the same bits everywhere. Based on: [Shepperd78] for the matrix: the largest of the four components first, so none is
 * lost; [Shoemake85] for the rotation between. */
#include "math/turn.h"
#include "math/trig.h"

void cm__turn_of(cm__point axis, double angle, cm_quat *out) {
    double length = cm__point_length(axis), sine, cosine;
    *out = cm_quat_identity();
    if (!(length > 0 && length <= DBL_MAX)) return;
    cm__sine_cosine(angle / 2, &sine, &cosine);
    out->x = (cm_real)(axis.x / length * sine), out->y = (cm_real)(axis.y / length * sine);
    out->z = (cm_real)(axis.z / length * sine), out->w = (cm_real)cosine;
}

void cm_quat_from_axis_angle(cm_vec3 axis, cm_real angle, cm_quat *out) {
    *out = cm_quat_identity();
    if (cm_vec3_is_valid(axis) && cm_is_coord(angle)) cm__turn_of(cm__point_of(axis), (double)angle, out);
}

void cm_quat_from_mat3(const cm_mat3 *m, cm_quat *out) {
    /* four times the squares of x, y, z, w */
    double xx = (double)m->x.x, yy = (double)m->y.y, zz = (double)m->z.z;
    double square[4] = {1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz};
    double xy = (double)m->x.y + (double)m->y.x, xz = (double)m->x.z + (double)m->z.x;
    double yz = (double)m->y.z + (double)m->z.y, xw = (double)m->y.z - (double)m->z.y;
    double yw = (double)m->z.x - (double)m->x.z, zw = (double)m->x.y - (double)m->y.x;
    const double row[4][4] = {
        {square[0], xy, xz, xw}, {xy, square[1], yz, yw}, {xz, yz, square[2], zw}, {xw, yw, zw, square[3]}};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k]) k = i;
    cm_quat q;
    q.x = (cm_real)row[k][0], q.y = (cm_real)row[k][1], q.z = (cm_real)row[k][2], q.w = (cm_real)row[k][3];
    *out = cm_quat_normalize(q);
}

/* Components of a unit quaternion in double; false for zero and NaN. */
static bool four_of(cm_quat q, double out[4]) {
    const double p[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    double most = fmax(fmax(fabs(p[0]), fabs(p[1])), fmax(fabs(p[2]), fabs(p[3]))), square = 0;
    if (!(most > 0 && most <= DBL_MAX)) return false;
    for (int i = 0; i < 4; i++) out[i] = p[i] / most, square += out[i] * out[i];
    double length = sqrt(square);
    for (int i = 0; i < 4; i++) out[i] /= length;
    return length > 0; /* NaN */
}

/* The angle from |b - a| and |b + a|, which are 2 sin and 2 cos of its half: the arc cosine of a.b would lose half the
 * digits where a and b are close. Below 2^-26 the sines are their arguments to rounding, and the weights 1 - t and t.
 */
void cm_quat_slerp(cm_quat a, cm_quat b, cm_real t, cm_quat *out) {
    double p[4], q[4], dot = 0, apart = 0, together = 0;
    *out = cm_quat_identity();
    if (!four_of(a, p) || !four_of(b, q) || !cm_is_coord(t)) return;
    for (int i = 0; i < 4; i++) dot += p[i] * q[i];
    for (int i = 0; i < 4; i++) {
        if (dot < 0) q[i] = -q[i];
        apart += (q[i] - p[i]) * (q[i] - p[i]), together += (q[i] + p[i]) * (q[i] + p[i]);
    }
    double angle = 2 * cm__angle_of(sqrt(apart), sqrt(together)), of_p = 1 - (double)t, of_q = (double)t;
    if (angle > 0x1p-26) {
        double sine, rest, cosine;
        cm__sine_cosine(angle, &sine, &cosine);
        cm__sine_cosine(of_p * angle, &rest, &cosine);
        of_p = rest / sine;
        cm__sine_cosine(of_q * angle, &rest, &cosine);
        of_q = rest / sine;
    }
    cm_quat between;
    between.x = (cm_real)(of_p * p[0] + of_q * q[0]), between.y = (cm_real)(of_p * p[1] + of_q * q[1]);
    between.z = (cm_real)(of_p * p[2] + of_q * q[2]), between.w = (cm_real)(of_p * p[3] + of_q * q[3]);
    *out = cm_quat_normalize(between);
}

bool cm_pose_from_mat4(const cm_real m[16], cm_pose *out) {
    const double slack = 1e-3; /* as cm_pose_is_valid has it */
    cm__point c[3];
    for (int i = 0; i < 3; i++) c[i] = cm__p((double)m[4 * i], (double)m[4 * i + 1], (double)m[4 * i + 2]);
    cm_vec3 position = cm_v(m[12], m[13], m[14]);
    bool fine = m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1 && cm_vec3_is_valid(position);
    for (int i = 0; i < 3; i++) {
        fine = fine && fabs(cm__point_length(c[i]) - 1) <= slack;
        fine = fine && fabs(cm__point_dot(c[i], c[(i + 1) % 3])) <= slack;
    }
    if (!fine || !(cm__point_dot(cm__point_cross(c[0], c[1]), c[2]) > 0)) return false;
    cm_mat3 turn = {cm__vec3_of(c[0]), cm__vec3_of(c[1]), cm__vec3_of(c[2])};
    out->position = position;
    cm_quat_from_mat3(&turn, &out->rotation);
    return true;
}
