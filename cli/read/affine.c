/* Affine maps of nodes: see affine.h.
 *
 * The rotation is the polar factor of the matrix, found by the Newton iteration X <- (X + X^-T) / 2, which converges
 * quadratically from any regular matrix. Based on: [Higham86 §3]. */
#include "read/affine.h"

#include <string.h>

affine affine_identity(void) {
    affine a = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    return a;
}

affine affine_from_rows(const double rows[12]) {
    affine a;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) a.m[3 * i + k] = rows[4 * i + k];
        a.t[i] = rows[4 * i + 3];
    }
    return a;
}

affine affine_mul(const affine *a, const affine *b) {
    affine c;
    for (int i = 0; i < 3; i++) {
        const double *row = &a->m[3 * i];
        for (int k = 0; k < 3; k++) c.m[3 * i + k] = row[0] * b->m[k] + row[1] * b->m[3 + k] + row[2] * b->m[6 + k];
        c.t[i] = row[0] * b->t[0] + row[1] * b->t[1] + row[2] * b->t[2] + a->t[i];
    }
    return c;
}

affine affine_turn_up(char from, char to) {
    static const double y_to_z[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0}, z_to_y[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    static const double x_to_z[9] = {0, 0, -1, 0, 1, 0, 1, 0, 0}, z_to_x[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0};
    static const double x_to_y[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, y_to_x[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    affine a = affine_identity();
    if (from == to) return a;
    const double *turn = from == 'y'   ? (to == 'z' ? y_to_z : y_to_x)
                         : from == 'z' ? (to == 'y' ? z_to_y : z_to_x)
                                       : (to == 'z' ? x_to_z : x_to_y);
    memcpy(a.m, turn, sizeof a.m);
    return a;
}

static double largest_entry(const double m[9]) {
    double largest = 0;
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(m[i]));
    return largest;
}

/* Cofactors: the inverse's transpose, times the determinant. */
static double cofactors(const double m[9], double c[9]) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            c[3 * i + k] = m[3 * i1 + k1] * m[3 * i2 + k2] - m[3 * i1 + k2] * m[3 * i2 + k1];
        }
    return m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
}

static bool is_plain_stretch(const double m[9]) {
    return m[1] == 0 && m[2] == 0 && m[3] == 0 && m[5] == 0 && m[6] == 0 && m[7] == 0 && m[0] > 0 && m[4] > 0 &&
           m[8] > 0;
}

/* A rotation matrix as a quaternion, by its largest component. */
static cm_quat quat_from_rows(const double r[9]) {
    double trace = r[0] + r[4] + r[8];
    cm_quat q;
    if (trace > 0) {
        double s = 2 * sqrt(trace + 1);
        q.w = s / 4, q.x = (r[7] - r[5]) / s, q.y = (r[2] - r[6]) / s, q.z = (r[3] - r[1]) / s;
    } else if (r[0] >= r[4] && r[0] >= r[8]) {
        double s = 2 * sqrt(1 + r[0] - r[4] - r[8]);
        q.w = (r[7] - r[5]) / s, q.x = s / 4, q.y = (r[1] + r[3]) / s, q.z = (r[2] + r[6]) / s;
    } else if (r[4] >= r[8]) {
        double s = 2 * sqrt(1 + r[4] - r[0] - r[8]);
        q.w = (r[2] - r[6]) / s, q.x = (r[1] + r[3]) / s, q.y = s / 4, q.z = (r[5] + r[7]) / s;
    } else {
        double s = 2 * sqrt(1 + r[8] - r[0] - r[4]);
        q.w = (r[3] - r[1]) / s, q.x = (r[2] + r[6]) / s, q.y = (r[5] + r[7]) / s, q.z = s / 4;
    }
    return cm_quat_normalize(q);
}

/* The rotation of a regular matrix with positive determinant, entries about 1. False where it is too flat to tell. */
static bool polar_rotation(const double m[9], double r[9]) {
    memcpy(r, m, 9 * sizeof *r);
    for (int step = 0; step < 40; step++) {
        double c[9], change = 0, determinant = cofactors(r, c);
        if (!(determinant > 1e-12)) return false;
        for (int i = 0; i < 9; i++) {
            double next = (r[i] + c[i] / determinant) / 2;
            change = fmax(change, fabs(next - r[i]));
            r[i] = next;
        }
        if (change <= 1e-15) break;
    }
    return true;
}

bool affine_part(const double m[9], cm_quat *rotation, double stretch[9]) {
    double c[9], scale = largest_entry(m);
    bool mirrors = cofactors(m, c) < 0;
    *rotation = cm_quat_identity();
    memcpy(stretch, m, 9 * sizeof *stretch);
    if (scale == 0 || is_plain_stretch(m)) return mirrors;

    /* A mirroring matrix is a point reflection of one that does not mirror. */
    double unit[9], r[9], sign = mirrors ? -1 : 1;
    for (int i = 0; i < 9; i++) unit[i] = sign * (m[i] / scale);
    if (!polar_rotation(unit, r)) return mirrors;
    *rotation = quat_from_rows(r);
    cm_mat3 turn = cm_mat3_from_quat(*rotation);
    for (int k = 0; k < 3; k++) {
        cm_vec3 s = cm_mat3_mul_transposed(&turn, cm_v(m[k], m[3 + k], m[6 + k]));
        stretch[k] = s.x, stretch[3 + k] = s.y, stretch[6 + k] = s.z;
    }
    return mirrors;
}

bool stretch_equal(const double a[9], const double b[9]) {
    double bound = 5e-7 * fmax(largest_entry(a), largest_entry(b));
    for (int i = 0; i < 9; i++)
        if (!(fabs(a[i] - b[i]) <= bound)) return false;
    return true;
}
