/* The way that several planes leave: the point nearest to it of the cone { x : n_i . x >= 0 }.
 *
 * The nearest point lies on none, one, two or three of the planes, and is then the way itself, its projection onto a
 * plane, onto the line of two, or 0. Each of these that is in the cone is a candidate, and the nearest candidate is the
 * answer: exact but for rounding, however many planes meet and in whatever order they came. At most 137 candidates. */
#include "mover/mover.h"

void cm__mover_add_plane(cm__mover_planes *planes, cm_vec3 normal) {
    if (planes->count < CM__MOVER_PLANES) planes->normals[planes->count++] = normal;
}

/* Free to 2^-13 of the way's length: normals of one face differ by rounding from sweep to sweep. */
static bool way_is_free(const cm__mover_planes *planes, cm_vec3 x, cm_real length) {
    for (int i = 0; i < planes->count; i++)
        if (!(cm_dot(planes->normals[i], x) >= -length / 8192)) return false;
    return true;
}

static void try_way(const cm__mover_planes *planes, cm_vec3 way, cm_vec3 x, cm_real length, cm_vec3 *best,
                    cm_real *best_loss) {
    cm_vec3 lost = cm_sub(way, x);
    cm_real loss = cm_dot(lost, lost);
    if (loss < *best_loss && way_is_free(planes, x, length)) *best = x, *best_loss = loss;
}

cm_vec3 cm__mover_solve(const cm__mover_planes *planes, cm_vec3 way) {
    cm_real length = cm_length(way), best_loss = length * length;
    cm_vec3 best = cm_v(0, 0, 0);
    if (way_is_free(planes, way, length)) return way;
    for (int i = 0; i < planes->count; i++) {
        cm_vec3 n = planes->normals[i];
        try_way(planes, way, cm_mul_add(way, -cm_dot(way, n), n), length, &best, &best_loss);
        for (int j = i + 1; j < planes->count; j++) {
            cm_vec3 line = cm_cross(n, planes->normals[j]);
            cm_real square = cm_dot(line, line);
            if (square > CM_REAL(1e-6)) /* of nearly parallel planes the line is nowhere */
                try_way(planes, way, cm_scale(line, cm_dot(way, line) / square), length, &best, &best_loss);
        }
    }
    return best;
}
