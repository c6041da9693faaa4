/* What several planes leave of a displacement: the point of the cone { x : n_i . x >= 0 } that is nearest to it.
 *
 * The nearest point lies on none, one, two or three of the planes. So it is the displacement itself, its projection
 * onto a plane, its projection onto the line of two planes, or 0. Each of these that lies in the cone is a candidate,
 * and the nearest candidate is the answer: exact but for rounding, for any number and order of planes. With 16 planes
 * there are 1 + 16 + 120 candidates besides 0. */
#include "mover/mover.h"

void cm__mover_add_plane(cm__mover_planes *planes, cm_vec3 normal) {
    if (planes->count < CM__MOVER_PLANES) planes->normals[planes->count++] = normal;
}

/* Free within 2^-13 of the displacement's length, as two sweeps give one face's normal with different rounding. */
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
            if (square > CM_REAL(1e-6)) /* nearly parallel planes have no line that rounding leaves in place */
                try_way(planes, way, cm_scale(line, cm_dot(way, line) / square), length, &best, &best_loss);
        }
    }
    return best;
}
