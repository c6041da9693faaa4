/// carom/sweep.h: two shapes in motion over one step, u in [0,1]: when do they first touch, and when last.
///
/// `first` is never later than the true first contact, `last` never earlier than its true end. Touching counts. Shapes
/// that are apart at the start get first > 0. The gap left at `first` is at most G, measured between the true places at
/// the cm_real `first`; a miss by less than G may be reported as a hit.
///
/// G is 16 CM_REAL_EPSILON times the sum of
///   - the distance of the origins, and the displacements (`move` and half of `accelerate`), each as |x| + |y| + |z|;
///   - the reach of each shape: the greatest distance of its points from its own origin;
///   - for a shape whose set of points turns, the length of its pivot, and |spin| / 8 times (that length and its
///   reach);
/// and besides, where anything moves, 4 CM_REAL_EPSILON of the positions' largest coordinates. In the double build G is
/// larger by 1e-10 of both reaches where a shape is a cylinder, cone, ellipsoid or caller's shape, which are known to
/// 1e-11 only, or a compound of such. Closed forms leave far less than G (docs/guide/tests.md). A sweep that uses all
/// its steps may leave more, and says so in `proof`.
///
/// Starts in touch. The band is G on either side of touching. How a sweep starts is exactly the decision of cm_overlap
/// at u = 0: SEPARATED if they are apart, however little; TOUCHING if they overlap by no more than G; else OVERLAPPING.
/// A hit blocks as follows:
///   - A start in the band blocks where the motion gets deeper than at the start by more than G at some u, that is,
///     where the signed distance falls below that of the start less G (it may do so from 3/4 G on), or where one passes
///     through the other though that is thinner than G. `first` is then the last time until which they do not get
///     deeper by more than a quarter of G; where they get deeper at once, it is 0 (the least positive number for
///     SEPARATED).
///   - A deeper start blocks at 0 where they approach at the contact's point along its normal by more than 32
///     CM_REAL_EPSILON of the speed. A turning one also blocks where it gets deeper later, as above, by more than G or
///     that part of the path. So bodies may be pushed apart along the normals of their contacts, as far as one likes:
///     a straight motion along which they approach at none of their contacts (cm_contact, margin 0; at most 64) is not
///     blocked by what they overlap at the start: of two convex bodies, which have one contact, by nothing. Of a
///     composite, the normal of a depth that is a lower bound only (CM_WITNESS_LOWER_BOUND) may be another one: its
///     contacts count. Where several normals are right, but for G, it is that of cm_distance.
///   - Any other start blocks at the first contact, if they approach there by more than that, unless they only brush:
///     bodies pass where they would get no deeper than 2 G (8 G in double) going straight on from there, or, if their
///     motion is curved or turns, in the rest of it, and straight on beyond the step unless they have parted by its
///     end. So what slides over a floor of tiles, flush with the next, is not stopped at its edge, be the tiles, or
///     itself, boxes, meshes or height fields; and a wheel with corners turns in a slot of its width. Of a mesh this is
///     asked of each triangle that is touched, so a body may be up to that deep where it is blocked; of two meshes of
///     each pair of triangles, along normals that both have there, so that a sheet slips through no seam. What has no
///     inside never only brushes: points, segments, triangles, flat boxes and hulls. A contact at an edge or corner has
///     many normals: reported is the one along which they get that deep last; where several triangles of a mesh are
///     touched at once, it may be that of any. A turning motion also blocks where it gets deeper later, as above: a
///     contact that it only brushes does not hide that. Of two finely cut meshes that turn as they slide, flush, the
///     search may end: `proof` is LIMIT then, `first` no earlier than the first contact.
/// So a resting body may slide, leave, turn about the contact's normal and, if it is round, roll. The spin of a ball
/// about its center, or of a capsule, cylinder, cone or ellipsoid of revolution about its own axis, does not move its
/// set of points: where it is that but for rounding it blocks nothing, and where it is exactly that no bit of the
/// answer depends on it. A slide by v - (v.n) n after a hit, not shorter than a quarter of v nor longer than the pair's
/// size, is not blocked again by the same face; n such slides sink by no more than G and 32 CM_REAL_EPSILON of their
/// path. A polygon that rolls digs in, and is blocked. On a curved path the velocity is that of the time in question. A
/// body accelerated from rest into the other gets deeper at once; one that leaves by more than a quarter of G and falls
/// back is blocked when it is back.
#ifndef CAROM_SWEEP_H
#define CAROM_SWEEP_H

#include "shape.h"

CM_EXTERN_BEGIN

/// A motion over the step, from u = 0 to u = 1. At u the rotation is start.rotation turned by u * spin about the point
/// `pivot` of the body, which itself moves by u * move + u * u / 2 * accelerate. `spin` is a world vector, axis times
/// angle in radians, at constant angular velocity; `pivot` is in the body's frame. With zero spin and acceleration the
/// path is a straight line; with an acceleration a parabola, as under gravity: for a step of dt seconds `move` is dt
/// times the velocity at its start, and `accelerate` is dt * dt times the acceleration. Both together must be in the
/// valid range. A body at rest is {.start = its pose}, all else zero. A motion that is all zeros is invalid, because
/// its start is no pose (math.h), and hits nothing.
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

/// Is a hit proved, or did the search end?
typedef enum cm_sweep_proof {
    CM_PROOF_CONTACT, /* at `first` the gap is at most G; or, from a start in touch, they get deeper */
    CM_PROOF_LIMIT /* the search used all of its steps: up to `first` they are apart or, from a start in touch, do not
                      get deeper; nothing is known of later times */
} cm_sweep_proof;

/// First contact of a motion, and its end.
typedef struct cm_sweep_hit {
    cm_real first, last; /* last: when they separate again; 1 if they do not, or where it is not computed (cm_sweep) */
    cm_vec3 point;       /* world, at `first`: on A's surface, where B touches it (the deepest point if overlapping) */
    cm_vec3 normal;      /* unit, from A to B, at `first`; if OVERLAPPING, the direction of least depth; at an edge
                            between triangles one that the surface has there */
    cm_sweep_start start;
    bool blocking;           /* see above. Movers stop only here, so that resting bodies may slide and leave */
    uint32_t part_a, part_b; /* triangle or child, CM_NONE for a convex shape */
    cm_sweep_proof proof;    /* LIMIT: not a hit, but the end of the proof. It is `blocking`, so that nothing moves on
                                into unknown times, unless they are known to get no deeper; point and normal are those of
                                the closest points there. To go on, sweep the remaining motion from `first` */
    cm_real free_until;      /* they are certainly apart before: `first`, or less where a contact that does not block
                                came earlier; 0 for a start in touch, or within G of it */
} cm_sweep_hit;

/// First and last contact of two shapes in motion, of any kinds.
/// Method. Straight motion: portal refinement for hulls, else Newton's method on the distance, which is convex in time,
/// so that no step overshoots. Turning motion: steps that are bounded by the distance and by every point's speed and
/// acceleration along the normal (conservative advancement). Curved paths: steps to where the parabola reaches the
/// plane that separates the two, which for a half-space is the answer; with turning, or a composite, steps by such
/// bounds. Only the relative acceleration counts: two bodies that fall together move straight, as seen from each other.
/// `last` is 1 for turning motions, for relative paths that are curved, and for composites, where it would cost as much
/// again: ask cm_sweep_last.
/// Composites. A convex solid mesh (cm_mesh_info) is swept as its hull against all but other surfaces, whether it
/// overlaps at the start being its own decision. The parts of other meshes, height fields and compounds near the path
/// are swept one by one, each as above. The first part that blocks is the hit; if none does, the deepest contact of the
/// start, or the first of all. So a floor that a body slides along, or a slope that it only brushes, does not hide the
/// wall ahead: `start` is then that of the pair, and `first` that of the wall, for all of the body, including what is
/// in the floor. From a start in touch, d deep (0 where it hovers), a part blocks only where the body gets deeper in it
/// than d and G together. So a body d deep in a floor slides over its internal edges, and a wall of the same object
/// stops it at the latest when it is d and G deep in that, unless it belongs to what the body leaves by the normal of a
/// contact, or the body is no thicker than twice that: then it is nowhere so deep in a triangle, and may pass. What has
/// no inside is stopped between two flush children of a compound, too, though it gets deeper in neither. The normal at
/// an edge between triangles is one that the surface has there: between those of the faces at a convex edge, the face's
/// at a flat or concave one.
/// @param out  may be NULL.
/// The verdict, `start`, `first` and `blocking` are the same for both orders of the shapes.
/// @return false where they do not touch during the step, and for invalid input (NULL, NaN, beyond the valid range, an
/// invalid shape, a rotation that is no unit quaternion), with `out` untouched. Source: [vandenBergen04], [Mirtich96];
/// docs/theory/motion.md. Cost: straight 2 to 8 distance queries (hulls: some 2), never more than 128; turning or
/// curved never more than 512, then `proof` is LIMIT; for composites as much for each part near the path. For two that
/// turn, a traversal of both trees over time finds these parts, from a deeper start than G, and for half-spaces, one
/// window of time after the other; after 8192 units of work (a pair of nodes is one, a step of the sweep of two parts
/// 16) for each part of both, the triangles in a compound counted one by one (at least 2^19, a fifth of a second, at
/// most 2^25), `proof` is LIMIT. So however many times two turn in the step, and whether they touch or not, their sweep
/// takes no longer than that; but from a deeper start than G it asks once for their contacts at the start.
CM_API bool cm_sweep(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
                     cm_sweep_hit *out);

/// The last time of the step at which two shapes in motion touch, of any kinds, turning or not: after it they are
/// apart, up to u = 1. Composites may have separated and touched again before; a solid mesh is left at its surface.
/// @param out  never earlier than truly, and later by no more than what cm_sweep leaves at `first`; 1 where they touch
/// or overlap at the end. May be NULL.
/// @return false where they do not touch during the step, and for invalid input. For motions that barely graze, this
/// function and cm_sweep may disagree on whether they touch. Cost: that of cm_sweep, which it runs backwards in time.
CM_API bool cm_sweep_last(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
                          cm_real *out);

/// The pose at u (any u, also beyond the step; 0 gives `start` itself), its rotation of length 1 where it turns.
CM_API void cm_motion_at(const cm_motion *motion, cm_real u, cm_pose *out);
/// The motion from one pose to another, by the shorter turn at constant angular velocity ("slerp") about the body's
/// origin, which moves in a straight line. Of two that are half a turn apart either may be the shorter. Its pose at 1
/// is `end` but for rounding. Poses are not checked; either may be that of `out`. Source: [Shoemake85].
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
