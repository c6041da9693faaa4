/* Affine maps of nodes, and their parting into a pose and what is left. */
#ifndef CLI_AFFINE_H
#define CLI_AFFINE_H

#include <carom/carom.h>

/* p -> m p + t; m by rows. */
typedef struct affine {
    double m[9], t[3];
} affine;

affine affine_identity(void);
affine affine_from_rows(const double rows[12]);
/* First b, then a. */
affine affine_mul(const affine *a, const affine *b);
/* The turn of the axes that carries `from` up to `to` up ('x', 'y', 'z'): exact. */
affine affine_turn_up(char from, char to);

/* Parts m into a rotation and a stretch, m = rotate(rotation, stretch). A pure stretch along the axes keeps an identity
 * rotation exactly. A mirroring m gives a stretch with negative determinant. A (nearly) singular one is left whole in
 * the stretch. Returns true where the stretch mirrors. */
bool affine_part(const double m[9], cm_quat *rotation, double stretch[9]);
/* Are two stretches the same but for the rounding of single precision matrices (5e-7 of their largest entry)? */
bool stretch_equal(const double a[9], const double b[9]);

#endif
