/* First contacts that only brush: see brush.c. */
#ifndef SWEEP_BRUSH_H
#define SWEEP_BRUSH_H

#include "sweep/hit.h"
#include "sweep/start.h"

/* A first contact by which two get no deeper than this many G only brushes. A slide along a face sinks by one G, so a
 * neighbor of that face is met as low. In double a depth is known to some G only. */
#define SWEEP_BRUSH (sizeof(cm_real) == 4 ? 2.0 : 8.0)

/* Has a first contact to be judged? Not where it does not block, nor of round shapes, of these radii together, that do
 * not graze: they have one normal there and get deep along it. v: of A relative to B, where they touch. */
static inline bool brush_is_possible(const cm_sweep_hit *hit, cm__point v, double radii, double band) {
    if (!hit->blocking || hit->start != CM_SWEEP_SEPARATED || hit->proof != CM_PROOF_CONTACT) return false;
    const double rate = cm__point_dot(v, cm__point_of(hit->normal));
    return !(radii > 64 * SWEEP_BRUSH * band && 16 * rate * rate > cm__point_dot(v, v));
}

/* Judges a first contact, before `limit`: does it block, and along which of its normals? Sets blocking and normal of
 * *hit. `at` is its point relative to the pair's origin; v as above. `surface`: B is a triangle of a
 * surface, so that its having no inside does not matter. */
void cm__sweep_judge(const cm__moving_pair *p, cm__point at, cm__point v, bool surface, double band, double limit,
                     cm_sweep_hit *hit);

/* The same of two cores that do not turn, given as for cm__straight_near. */
void cm__straight_judge(const cm__core *a, const cm__frame *frame_a, const cm__core *b, const cm__frame *frame_b,
                        cm__point move, cm__point v, cm__point origin, double band, cm_sweep_hit *hit);

#endif
