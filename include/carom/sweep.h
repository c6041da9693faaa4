/// carom/sweep.h: two shapes in motion over one step, u in [0,1]: when do they first touch, and when last.
///
/// `first` is never later than the true first contact, `last` never earlier than its true end. The gap left at `first`
/// is at most G: 16 CM_REAL_EPSILON of the sum of the origins' distance along the axes, the displacements along the
/// axes (`move` and half of `accelerate`), how far each shape reaches from its own origin, and of what turns the length
/// of the pivot and an eighth of |spin| times (that length and the reach); and besides, where either moves or turns, 4
/// of the positions' largest coordinates. Lengths, reaches and |spin| are Euclidean, distances along the axes sums of
/// three; what is left is measured between the true places at the cm_real `first` (closed forms leave far less:
/// docs/guide/tests.md; a sweep that takes all its steps may leave more, and says so in `proof`). In the double build G
/// is 1e-10 of both shapes' sizes more where one is a cylinder, cone, ellipsoid or caller's shape, which are known to
/// 1e-11 only, or a compound of such. What is apart at the start gets first > 0. A miss by less than G may be reported
/// as a hit. Touching counts.
///
/// Starts in touch. The same G on either side of touching is the band in which a start is touching or hovering. How a
/// sweep starts is the decision of cm_overlap at u = 0, exactly: apart, however little, is SEPARATED; overlapping by no
/// more than G is TOUCHING; by more, OVERLAPPING. A hit blocks
///   - from a start in the band: where the motion gets deeper than at the start by more than G, at some u: where the
///     signed distance falls below that of the start less G (it may say so from 3/4 G on), or where one passes through
///     the other though that is thinner than G. `first` is the last time before that until which they do not get deeper
///     by more than a quarter of G: 0 (of SEPARATED the least positive number) where they get deeper at once;
///   - from deeper: at 0, where they approach at the contact's point along its normal by more than 32 CM_REAL_EPSILON
///     of the speed; and of what turns, where it gets deeper later, as above, by more than G or that part of the way;
///   - else the first contact, where approached by more than that; of what turns, where it gets deeper later, as above:
///     a contact that is merely brushed does not hide it.
/// So what rests may slide, leave, turn about the contact's normal and, if it is round, roll: spin of a ball about its
/// center, or of a capsule, cylinder, cone or ellipsoid of revolution about its own axis, moves none of its points as a
/// set. A slide by v - (v.n) n after a hit, not shorter than a quarter of v nor longer than the pair's size, is not
/// blocked again by the same face; n such slides sink by no more than G and 32 CM_REAL_EPSILON of their path. A polygon
/// that rolls digs in, and is blocked.
/// On a curved path the velocity is that of the time in question. What is accelerated into the other from rest gets
/// deeper at once; what leaves by more than a quarter of G and falls back is blocked where it is back.
#ifndef CAROM_SWEEP_H
#define CAROM_SWEEP_H

#include "shape.h"

CM_EXTERN_BEGIN

/// From u = 0 to u = 1. At u the rotation is start.rotation turned by u * spin (a world vector: axis times angle in
/// radians, at constant angular velocity) about the point `pivot` of the body (local), which itself moves by
/// u * move + u * u / 2 * accelerate. Zero spin and acceleration: a straight line; with an acceleration a parabola, as
/// under gravity: of a step of dt seconds `move` is dt times the velocity at its start, and `accelerate` is dt * dt
/// times the acceleration; the two together are in the valid range. What stands still is {.start = its pose}, the rest
/// zero. One that is all zeros is no motion, as its start is no pose (math.h): it meets nothing.
typedef struct cm_motion {
    cm_pose start;
    cm_vec3 move, spin, pivot;
    cm_vec3 accelerate; /* in the world's axes, as move and spin are */
} cm_motion;

/// A part of the step: 0 <= first <= last <= 1.
typedef struct cm_interval {
    cm_real first, last;
} cm_interval;

typedef enum cm_sweep_start {
    CM_SWEEP_SEPARATED,  /* apart at u = 0: cm_overlap says no */
    CM_SWEEP_TOUCHING,   /* overlapping at u = 0, by no more than G */
    CM_SWEEP_OVERLAPPING /* deeper than that */
} cm_sweep_start;

/// What a hit is known by.
typedef enum cm_sweep_proof {
    CM_PROOF_CONTACT, /* at `first` no more than G is left, or where the start was in touch they get deeper */
    CM_PROOF_LIMIT    /* the search took all of its steps: up to `first` it is known that they are apart, or where the
                         start was in touch that they do not get deeper; of what comes then nothing is known */
} cm_sweep_proof;

/// First contact of a motion, and its end.
typedef struct cm_sweep_hit {
    cm_real first, last; /* last: when they part again; 1 if they do not, or where it is not looked for (cm_sweep) */
    cm_vec3 point;       /* world, at `first`: on A's surface, where B touches it (the deepest point if overlapping) */
    cm_vec3 normal;      /* unit, from A to B, at `first`; of what is OVERLAPPING the shortest way out, but at an edge
                            between triangles one that the surface has there */
    cm_sweep_start start;
    bool blocking;           /* see above. Movers stop only here, so that resting bodies may slide and leave */
    uint32_t part_a, part_b; /* triangle or child, CM_NONE for a convex shape */
    cm_sweep_proof proof;    /* LIMIT: no hit, but where the proof ends. It is `blocking`, so that nothing goes on into
                                what is not known, unless it is known that they get no deeper; point and normal are
                                those of what is nearest there. To go on, sweep the rest of the motion from `first` */
    cm_real free_until;      /* they certainly are apart before: `first`, but less where a contact that does not block
                                came earlier; 0 of what starts in touch, or within G of it */
} cm_sweep_hit;

/// First and last contact of two shapes in motion, of any kinds.
/// Straight motion: hulls by the faces through which the path of one enters and leaves the difference of both, the rest
/// by Newton's method on the distance, which is convex in time and so never overshoots. Turning motion: by steps that
/// the distance and bounds on every point's speed and acceleration along its normal allow. Curved paths: by steps to
/// where the parabola meets the plane that keeps the two apart, which for a half-space is the answer; with turning, or
/// a composite, by such bounds. Only the acceleration of one relative to the other counts: what falls together moves
/// straight, as seen from each other.
/// `last` is not looked for of turning motions, of paths curved as seen from each other, and of composites, where it
/// would cost as much again: it is 1 then: ask cm_sweep_last.
/// @param out  may be NULL.
/// The verdict, `start`, `first` and `blocking` are the same for both orders of the shapes.
/// With a mesh, height field or compound the parts on the way are swept one by one, each as above, and the first that
/// blocks is the hit, if any does; else the deepest contact of the start, or the first of all. So a floor that a body
/// slides along, or a slope that it only brushes, does not hide the wall ahead: `start` is then that of the pair, and
/// `first` that of the wall, for all of the body, what is in the floor too. A pair that starts in touch, d deep (0
/// where it hovers), is blocked by a part only where it gets deeper in that part than d and G together: what stands d
/// deep in a floor slides over its seams, and a wall of the same object stops it when it is that deep in it at the
/// latest. The normal at an edge between triangles is one that the surface has there: between those of the faces at a
/// convex edge, the face's at a flat or concave one.
/// @return false where they do not meet during the step, and for invalid input (NULL, NaN, beyond the valid range, an
/// invalid shape, a rotation that is no unit quaternion), with `out` untouched. Source: [vandenBergen04], [Mirtich96];
/// docs/theory/motion.md. Cost: straight 2 to 8 distance queries (hulls: some 2), never more than 128; turning or
/// curved never more than 512, then `proof` is LIMIT; of composites as much for each part on the way. Which
/// parts of two that turn these are a traversal of both trees over time finds; after 4096 looks for
/// each part of both (at least 2^18, a tenth of a second, at most 2^25), it is LIMIT.
CM_API bool cm_sweep(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
                     cm_sweep_hit *out);

/// The last time of the step at which two shapes in motion touch, of any kinds, turning or not: after it they are
/// apart, up to u = 1. Composites may have parted and met again before; a solid mesh is left where its surface is.
/// @param out  never earlier than truly, and later by no more than what cm_sweep leaves at `first`; 1 where they touch
/// or overlap at the end. May be NULL.
/// @return false where they do not meet during the step, and for invalid input. Of what barely grazes the one may say
/// that it meets and the other, cm_sweep, that it misses. Cost: that of cm_sweep, which it is, backwards in time.
CM_API bool cm_sweep_last(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
                          cm_real *out);

/// The pose at u (any u, also beyond the step; 0 gives `start` itself), its rotation of length 1 where it turns.
CM_API void cm_motion_at(const cm_motion *motion, cm_real u, cm_pose *out);
/// The motion from one pose to another, by the shorter turn at constant angular velocity ("slerp") about the body's
/// origin, which moves in a straight line. Of two that are half a turn apart either may be the shorter. Its pose at 1
/// is `end` but for rounding. Poses are not checked. Source: [Shoemake85].
CM_API void cm_motion_between(const cm_pose *start, const cm_pose *end, cm_motion *out);

/// Narrows bounds on the first contact of two bodies by any overlap test of the caller's: the bounds come from a sweep
/// of spheres or boxes around them, the test looks at the bodies themselves.
/// Looks at `steps` + 1 equally spaced times from bounds.first to bounds.last, then halves the interval before the
/// first overlap until it is no longer than `tolerance`. Contacts shorter than a step can be missed: the test is all
/// there is.
/// @param overlap  do the bodies overlap in these poses at time u?
/// @param tolerance  in u, > 0.
/// @param out  they overlap at `last`, and do not at `first` (unless first = bounds.first); last - first <= tolerance.
/// @return false where no overlap was seen, or the arguments are invalid (steps < 1, tolerance not > 0, NaN).
/// Cost: at most steps + 1 + log2(step / tolerance) tests, never more than steps + 65.
CM_API bool cm_sweep_refine(const cm_motion *a, const cm_motion *b, cm_interval bounds, int steps, cm_real tolerance,
                            bool (*overlap)(void *user, cm_real u, const cm_pose *pose_a, const cm_pose *pose_b),
                            void *user, cm_interval *out);

CM_EXTERN_END
#endif
