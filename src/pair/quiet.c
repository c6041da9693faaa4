/* Internal edges of a surface: which normals a triangle may give.
 *
 * A triangle that is part of a surface touches with its face, or, at a ridge, with an edge or a corner. The normals of
 * a ridge lie between those of the two faces that meet there. Where the faces lie in one plane, or form a valley, no
 * normal but the face's can be right: what tilts over such an edge is the triangle's own rim, which the surface does
 * not have. Each tilt is measured in the plane square to its edge, so faces that are flat only up to rounding let a
 * normal tilt by no more than that.
 * Based on: [Coumans10] the correction by the neighbors of an edge; here by the angle rather than by its kind. */
#include "pair/composite.h"

#include <math.h>

#define QUIET_FLAT 1e-4 /* radians: turns up to this count as flat */

#define QUIET_SAME  1e-5  /* normals are the same up to here */
#define QUIET_SHARE 1e-3  /* of the normal's tilt: less is rounding */
#define QUIET_FACE  0.999 /* cosine: a normal is the face's own, on whichever side */

typedef struct quiet_face {
    cm__point corner[3], normal; /* toward the side that counts */
    double side;                 /* 1 the front, -1 the back */
} quiet_face;

/* The sine and cosine of the angle by which the surface turns away behind an edge, at least 0; false for open edges.
 * *outward: across the edge, in the triangle's plane, unit. */
static void quiet_outward(const quiet_face *f, int e, cm__point *outward) {
    cm__point along = cm__point_sub(f->corner[(e + 1) % 3], f->corner[e]);
    *outward = wide_normalize(cm__point_cross(along, cm__point_scale(f->normal, f->side)), cm__p(0, 0, 0));
}

static void quiet_turn(const quiet_face *f, int e, cm_vec3 opposite, cm__point outward, double *sine, double *cosine) {
    cm__point from = f->corner[(e + 1) % 3];
    cm__point n = cm__point_cross(cm__point_sub(f->corner[e], from), cm__point_sub(cm__point_of(opposite), from));
    n = wide_normalize(n, cm__p(0, 0, 0));
    *sine = f->side * cm__point_dot(n, outward);
    *cosine = f->side * cm__point_dot(n, f->normal);
    if (!(*sine > QUIET_FLAT)) *sine = 0, *cosine = 1; /* flat, concave, or a neighbor without area */
}

/* Does the normal tilt farther over an edge than the surface turns there? */
static bool quiet_tilts(double up, double over, double sine, double cosine) {
    if (!(over > 1e-9)) return false;
    return over * cosine > up * sine * (1 + 1e-9) + 1e-9;
}

/* Which edges a normal is of: it is the sum of a part along the face's and of shares of the directions outward of one
 * edge, where the triangle is met there, or of two, where it is met at the corner between them. */
static void quiet_shares(const cm__point outward[3], cm__point normal, double share[3]) {
    double best = -HUGE_VAL, over[3], length = 0;
    for (int e = 0; e < 3; e++) {
        over[e] = cm__point_dot(normal, outward[e]), share[e] = 0;
        length = wide_max(length, fabs(over[e]));
    }
    for (int e = 0; e < 3; e++) {
        int g = (e + 1) % 3, other = (e + 2) % 3;
        double c = cm__point_dot(outward[e], outward[g]), square = 1 - c * c;
        if (!(square > 0)) continue;
        double se = (over[e] - c * over[g]) / square, sg = (over[g] - c * over[e]) / square;
        if (!(wide_min(se, sg) > best)) continue;
        best = wide_min(se, sg);
        share[e] = se > QUIET_SHARE * length ? se : 0;
        share[g] = sg > QUIET_SHARE * length ? sg : 0;
        share[other] = 0;
    }
}

bool cm__quiet_normal(const cm_shape *composite, uint32_t number, const cm_triangle *triangle, cm__point center,
                      bool front, cm__point *normal) {
    const cm__parts_ops *parts = cm__ops(composite->kind)->parts;
    if (!parts->edges) return false;
    quiet_face f;
    f.corner[0] = cm__point_of(triangle->a), f.corner[1] = cm__point_of(triangle->b);
    f.corner[2] = cm__point_of(triangle->c);
    cm__point n = cm__point_cross(cm__point_sub(f.corner[1], f.corner[0]), cm__point_sub(f.corner[2], f.corner[0]));
    n = wide_normalize(n, cm__p(0, 0, 0));
    if (!(cm__point_largest(n) > 0)) return false;
    double up = cm__point_dot(n, *normal);
    double above = fabs(up) > QUIET_FACE ? up : cm__point_dot(n, cm__point_sub(center, f.corner[0]));
    f.side = front || above >= 0 ? 1 : -1;
    f.normal = cm__point_scale(n, f.side);
    up *= f.side;
    cm__point beside = cm__point_mul_add(*normal, -up, f.normal);
    if (up > 0 && cm__point_largest(beside) < QUIET_SAME) { /* the face's, but for rounding */
        *normal = f.normal;
        return false;
    }
    cm__part_edges edges;
    parts->edges(composite, number, &edges);
    cm__point outward[3];
    for (int e = 0; e < 3; e++) quiet_outward(&f, e, &outward[e]);
    double share[3];
    quiet_shares(outward, *normal, share);
    bool changed = false, again = true;
    for (int pass = 0; pass < 2 && again; pass++) {
        again = false;
        for (int e = 0; e < 3; e++) {
            if (!(edges.known >> e & 1) || share[e] == 0) continue;
            double sine, cosine, over = share[e];
            for (int g = 0; g < 3; g++)
                if (g != e) over += share[g] * cm__point_dot(outward[g], outward[e]);
            over = wide_min(over, share[e]);
            quiet_turn(&f, e, edges.opposite[e], outward[e], &sine, &cosine);
            if (!quiet_tilts(up, over, sine, cosine)) continue;
            changed = again = true;
            if (sine == 0) { /* the surface goes on: what is left is of the other edge */
                share[e] = 0;
            } else if (pass == 0) {
                double length = sqrt(up * up + over * over);
                up = length * cosine, share[e] += length * sine - over;
            } else { /* nothing but the face is left */
                share[0] = share[1] = share[2] = 0;
            }
        }
    }
    if (front && up < 0) share[0] = share[1] = share[2] = 0, changed = true;
    if (!changed) return false;
    *normal = cm__point_scale(f.normal, up);
    for (int e = 0; e < 3; e++) *normal = cm__point_mul_add(*normal, share[e], outward[e]);
    *normal = share[0] + share[1] + share[2] > 0 ? wide_normalize(*normal, f.normal) : f.normal;
    return true;
}
