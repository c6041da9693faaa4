/* First contacts that only brush: see brush.c. */
#ifndef SWEEP_BRUSH_H
#define SWEEP_BRUSH_H

#include "sweep/hit.h"
#include "sweep/moving_pair.h"

/* A first contact by which two get no deeper than this many G only brushes. A slide along a face sinks by one G, so a
 * neighbor of that face is met as low. In double a depth is known to some G only. */
#define SWEEP_BRUSH (sizeof(cm_real) == 4 ? 2.0 : 8.0)

/* Boxes that get that many depths deep, or never more than that part of one, are asked for no more (box_box.c). It is
 * less than a third of the 3/4 from where on a search may find a depth: the bands of closed forms are larger, as sums
 * of coordinates stand for lengths and for the largest. */
#define SWEEP_DEEP    8
#define SWEEP_SHALLOW 0.24

/* Has a first contact to be judged? Not where it does not block, nor of round shapes, of these radii together, that do
 * not graze: they have one normal there and get deep along it. v: of A relative to B, where they touch. */
static inline bool brush_is_possible(const cm_sweep_hit *hit, cm__point v, double radii, double band) {
    if (!hit->blocking || hit->start != CM_SWEEP_SEPARATED || hit->proof != CM_PROOF_CONTACT) return false;
    const double rate = cm__point_dot(v, cm__point_of(hit->normal));
    return !(radii > 64 * SWEEP_BRUSH * band && 16 * rate * rate > cm__point_dot(v, v));
}

/* The first contact of two without radius: B less A touches the origin with a face. */
typedef struct cm__contact_face {
    double reach; /* the face reaches that far around the origin */
    double steep; /* the cosine of the angle between the velocity and the normal */
    double inner; /* the radius of a ball within B less A, */
    double off;   /* and how far its center is from the origin */
} cm__contact_face;

/* A contact that is plain: its face reaches that many depths around it, 1 / FACE_RATE of the velocity is along its
 * normal, and the center of the ball within is no farther off than FACE_SLANT of its radii: at FACE_RATE depths down
 * the path is FACE_RATE^2 off at most, and the hull of face and ball FACE_RATE FACE_SLANT. */
#define FACE_ROOM  64.0
#define FACE_RATE  4.0
#define FACE_SLANT 8.0

/* Is it certain that the contact has one normal, and that they get deep along it? No direction that is tilted by more
 * than 3 / FACE_ROOM separates them to a depth; and the hull of the face and of the ball holds what goes down there. */
static inline bool brush_is_plain(const cm__contact_face *c, double band) {
    const double room = FACE_ROOM * SWEEP_BRUSH * band;
    return FACE_RATE * c->steep > 1 && c->inner > 2 * room && c->off < FACE_SLANT * c->inner && c->reach > room;
}

/* Judges a first contact, before `limit`: does it block, and along which of its normals? Sets blocking and normal of
 * *hit. `at` is its point relative to the pair's origin; v as above. `surface`: B is a triangle of a surface, so that
 * its having no inside does not matter. */
void cm__sweep_judge(const cm__moving_pair *p, cm__point at, cm__point v, bool surface, double band, double limit,
                     cm_sweep_hit *hit);

/* Does the plane across this normal (from A to B) alone prove that they only brush, from a contact at time u on? */
bool cm__sweep_passes(const cm__moving_pair *p, double u, cm__point v, cm__point normal, double band, double limit);

/* Two plain structs as cores that do not turn, relative to the point `origin` of the world. */
typedef struct cm__straight_pair {
    cm__core a, b; /* with their radii */
    cm__frame frame_a, frame_b;
    cm__point move, v, origin; /* of A; of A relative to B */
    double band;
} cm__straight_pair;

/* Does the answer of a closed form stand as it is? Else: */
static inline bool straight_is_settled(cm__straight_end end, const cm_sweep_hit *hit, cm__point v, double radii,
                                       double band) {
    return end == CM__STRAIGHT_PLAIN || (end == CM__STRAIGHT_HIT && !brush_is_possible(hit, v, radii, band));
}
/* A start within the band is answered as by start.h (`overlap`: the decision at rest), a hit is judged. False: they do
 * not touch. */
bool cm__straight_settle(const cm__straight_pair *s, cm__straight_end end, bool overlap, cm_sweep_hit *hit);

#endif
