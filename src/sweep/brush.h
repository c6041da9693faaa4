/* First contacts that only brush: see brush.c. */
#ifndef SWEEP_BRUSH_H
#define SWEEP_BRUSH_H

#include "sweep/hit.h"
#include "sweep/start.h"

/* A first contact by which two get no deeper than this many G only brushes. A slide along a face sinks by one G, so a
 * neighbor of that face is met as low. In double a depth is known to some G only. */
#define SWEEP_BRUSH (sizeof(cm_real) == 4 ? 2.0 : 8.0)

/* May a first contact of a straight motion only brush? Not where it does not block, nor of round shapes, of these radii
 * together, that do not graze: they have one normal there and get deep along it. v: of A relative to B. */
static inline bool brush_is_possible(const cm_sweep_hit *hit, cm__point v, double radii, double band) {
    if (!hit->blocking || hit->start != CM_SWEEP_SEPARATED || hit->proof != CM_PROOF_CONTACT) return false;
    const double rate = cm__point_dot(v, cm__point_of(hit->normal));
    return !(radii > 64 * SWEEP_BRUSH * band && 16 * rate * rate > cm__point_dot(v, v));
}

/* Is it certain that they do not only brush: as one has no inside, or as balls within the two show that they get deep?
 * They do not turn; at the contact, which is the point `at`, they are at these frames. v: of A relative to B. */
bool cm__brush_is_out(const cm__core *a, const cm__frame *frame_a, const cm__core *b, const cm__frame *frame_b,
                      cm__point at, cm__point v, double band);

/* Does it only brush? The pair is straight, its u = 0 the time of the hit; `at` is the hit's point, relative to the
 * pair's origin. */
bool cm__sweep_brushes(const cm__moving_pair *p, cm__point at, cm__point normal, double band);

/* The same of two cores that do not turn, given as for cm__straight_near. */
bool cm__straight_brushes(const cm__core *a, const cm__frame *frame_a, const cm__core *b, const cm__frame *frame_b,
                          cm__point move, cm__point v, cm__point origin, double band, const cm_sweep_hit *hit);

#endif
