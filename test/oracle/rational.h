/* What is true: signs, overlaps, distances and winding numbers in rational arithmetic (GMP), written the plain way and
 * sharing no line with the library. Every double is taken as the rational number that it is. */
#ifndef ORACLE_RATIONAL_H
#define ORACLE_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

#include <gmp.h>

/* Sign of ((b - a) x (c - a)) . (d - a). */
int oracle_orient3(const double a[3], const double b[3], const double c[3], const double d[3]);
/* Sign of ((b - a) x (c - a)) . d, for a direction d. */
int oracle_side(const double a[3], const double b[3], const double c[3], const double d[3]);
/* ((b - a) x (c - a)) . (d - a), rounded to double, correctly to a few units of the last place. */
double oracle_orient3_value(const double a[3], const double b[3], const double c[3], const double d[3]);
/* Sign of the component `axis` of (b - a) x (c - a). */
int oracle_orient2(const double a[3], const double b[3], const double c[3], int axis);

/* Squared distances of closed, possibly degenerate sets; 0 exactly where they share a point. */
void oracle_point_segment(mpq_t square, const double p[3], const double s[2][3]);
void oracle_segment_segment(mpq_t square, const double s[2][3], const double t[2][3]);
void oracle_point_triangle(mpq_t square, const double p[3], const double t[3][3]);
void oracle_triangle_triangle(mpq_t square, const double a[3][3], const double b[3][3]);
bool oracle_triangles_overlap(const double a[3][3], const double b[3][3]);

/* Features whose corners move straight, from start to end: a point, segment or triangle A, a point, segment or triangle
 * B, not two of which one is a triangle and the other more than a point. */
typedef struct oracle_paths {
    int count_a, count_b;
    double start[4][3], end[4][3]; /* A's corners, then B's */
} oracle_paths;
/* Their squared distance at u. */
void oracle_paths_square(mpq_t square, const oracle_paths *paths, double u);
/* Whether they are more than d apart at all times from 0 to u, shown by halving: farther apart in the middle of an
 * interval than d and what their corners can move in half of it. false: not shown, after so many intervals as 2^14. */
bool oracle_paths_free(const oracle_paths *paths, double d, double u);

/* The ends of the segment that two triangles have in common, rounded to double; 0 where no edge of one passes through
 * the plane of the other within it (apart, or coplanar), 1 where the ends are one point, 2. In no order. */
int oracle_crossing(const double a[3][3], const double b[3][3], double ends[2][3]);

/* value - sqrt(square), the difference taken at 320 bits. */
double oracle_distance_error(double value, const mpq_t square);
/* sqrt(square) rounded to double. */
double oracle_sqrt(const mpq_t square);

/* How often the closed mesh winds around p, which must not lie on it: along random rays, until one passes no edge.
 * corners: 9 doubles a triangle. */
int oracle_winding(const double p[3], const double *corners, uint32_t triangles);

#endif
