/* The parts of a mover's step, in the order in which they stand on each other: planes, space, slide, recover, walk.
 *
 * Three sizes of the shape matter. The bare shape must overlap nothing. The wide one, larger by half a skin, is swept,
 * and stops half a skin before it touches: so what moves along a surface is apart from it by far more than a sweep's
 * rounding, and no sweep starts in touch. What comes nearer than three quarters of a skin, because something else
 * moved or a corner was tight, is pushed out to a whole one. */
#ifndef MOVER_MOVER_H
#define MOVER_MOVER_H

#include "carom/mover.h"

/* --- planes: what a way may not lead into ---------------------------------------------------------------------- */

enum { CM__MOVER_PLANES = 16, CM__MOVER_SLIDES = 6, CM__MOVER_PASSED = 16 };

/* Unit normals n: a way x is free where n . x >= 0 for all. */
typedef struct cm__mover_planes {
    cm_vec3 normals[CM__MOVER_PLANES];
    int count;
} cm__mover_planes;

/* A seventeenth is dropped: sweeps find it again. */
void cm__mover_add_plane(cm__mover_planes *planes, cm_vec3 normal);
/* The free way nearest to `way`: the projection onto the cone that the planes leave. */
cm_vec3 cm__mover_solve(const cm__mover_planes *planes, cm_vec3 way);

/* --- space: the world or the one shape ------------------------------------------------------------------------- */

/* One step under way. */
typedef struct cm__mover_run {
    const cm_mover *mover;
    const cm_mover_space *space;
    cm_shape bare, wide;
    cm_vec3 up, velocity;
    cm_real skin, step_up, step_down; /* as they count: no defaults, none below 0 */
    cm_real firm;                     /* cosine of the steepest firm slope */
    cm_real foot;                     /* height of the lowest point over the pose's position, along `up` */
    cm_real stand_off;                /* how far before touching `wide` stops: as far as it is larger than `bare` */
    cm_real dt;
    cm_pose pose;
    uint32_t passed[CM__MOVER_PASSED]; /* what `meet` lets through in this step */
    int passed_count;
    uint32_t skipped; /* what carries the mover, while it does; CM_NONE = nothing */
    bool blocked;     /* the last slide met something that is no firm ground */
    cm_mover_result result;
} cm__mover_run;

/* What a sweep ran into. The normal points out of the object. */
typedef struct cm__mover_contact {
    cm_real first;
    cm_vec3 point, normal;
    uint32_t id, part;
    uint64_t user;
} cm__mover_contact;

/* What the shape runs into on `way` from the pose of the run. */
bool cm__mover_sweep(cm__mover_run *run, const cm_shape *shape, cm_vec3 way, cm__mover_contact *out);
/* The signed distance of the bare shape to what is nearest, up to a skin; CM_REAL_MAX where there is nothing. */
cm_real cm__mover_nearest(cm__mover_run *run, cm__mover_contact *out);
/* Where an object stands. */
bool cm__mover_object_pose(const cm_mover_space *space, uint32_t id, cm_pose *out);
/* Is the point, which the mover touches along `normal` (steep), on the edge of firm ground, low enough to stand on? */
bool cm__mover_on_edge(cm__mover_run *run, const cm__mover_contact *at);
/* The pose of the one shape of a space without a world. */
cm_pose cm__mover_space_pose(const cm_mover_space *space);

/* --- the ways of a step ---------------------------------------------------------------------------------------- */

/* How far along `way`, as a share of it, the wide shape goes that first touches at `at`: less by the stand-off. */
cm_real cm__mover_share(const cm__mover_run *run, cm_vec3 way, const cm__mover_contact *at);
/* What was met: planes, and those of them that are no firm ground as upright walls besides. */
typedef struct cm__mover_met {
    cm__mover_planes planes, walls;
} cm__mover_met;

/* What is left of a way or velocity: first of its horizontal part at the walls, then of the whole at all planes. So who
 * presses against a steep slope neither climbs it nor hangs on it. */
cm_vec3 cm__mover_free(const cm__mover_run *run, const cm__mover_met *met, cm_vec3 way);
/* Goes by `way` and slides along what is met. `met` is known already, and what is met is added.
 * `ground`: the normal of the firm ground along which the horizontal `way` leads; NULL: it flies.
 * `record`: what is met goes into the result. */
void cm__mover_slide(cm__mover_run *run, cm_vec3 way, const cm_vec3 *ground, cm__mover_met *met, bool record);
/* Into a gap that has room for the shape but not for its skin: slides with an eighth of the skin, where that leads on
 * by more than two skins. `way` and `ground` as above. */
void cm__mover_squeeze(cm__mover_run *run, cm_vec3 way, const cm_vec3 *ground);
/* Out of what is nearer than the skin. @return false where the bare shape still overlaps something. */
bool cm__mover_recover(cm__mover_run *run);
/* By `way` along the ground, and up a step where that is what stops it. */
void cm__mover_walk(cm__mover_run *run, cm_vec3 way, cm_mover_ground *ground);
/* Down by at most `reach`, onto the ground. `walking`: from firm ground, to where also its edges are firm. */
void cm__mover_set_down(cm__mover_run *run, cm_real reach, bool walking, cm_mover_ground *ground);

#endif
