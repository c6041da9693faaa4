/* Rotations from an axis and an angle, and from a matrix: in double, sine and cosine our own, so the same bits
 * everywhere. Based on: [Shepperd78] for the matrix: the largest of the four components first, so none is lost. */
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
