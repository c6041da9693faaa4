/* The parts of a mover's step, each built on those before it: planes.c, space.c, slide.c, recover.c, walk.c. A "way" is
 * a displacement that the mover is to go.
 *
 * The skin is the gap that a mover keeps to everything. Two sizes of its shape matter. The bare shape must overlap
 * nothing. The wide shape, larger by half a skin, is the one that is swept, and it stops half a skin before it touches.
 * So a mover that slides along a surface stays a whole skin away from it, far more than a sweep's rounding, and no
 * sweep starts in touch. Where an object moved or a corner is tight, the gap may become less than three quarters of a
 * skin: then the mover is pushed out to a whole skin. */
#ifndef MOVER_MOVER_H
#define MOVER_MOVER_H

#include "carom/mover.h"

/* --- planes: what stops a displacement ------------------------------------------------------------------------- */

enum { CM__MOVER_PLANES = 16, CM__MOVER_SLIDES = 6, CM__MOVER_PASSED = 16 };

/* Unit normals n, out of what was hit. A displacement x is free where n . x >= 0 for all of them. */
typedef struct cm__mover_planes {
    cm_vec3 normals[CM__MOVER_PLANES];
    int count;
} cm__mover_planes;

/* Beyond CM__MOVER_PLANES planes a new one is dropped; a later sweep hits it again. */
void cm__mover_add_plane(cm__mover_planes *planes, cm_vec3 normal);
/* The free displacement nearest to `way`: its projection onto the cone of free ones. */
cm_vec3 cm__mover_solve(const cm__mover_planes *planes, cm_vec3 way);

/* --- space: the world or the one shape ------------------------------------------------------------------------- */

/* One step under way. */
typedef struct cm__mover_run {
    const cm_mover *mover;
    const cm_mover_space *space;
    cm_shape bare, wide;
    cm_vec3 up, velocity;
    cm_real skin, step_up, step_down; /* with the defaults filled in; none below 0 */
    cm_real firm;                     /* cosine of the steepest firm slope */
    cm_real foot;                     /* height of the lowest point over the pose's position, along `up` */
    cm_real stand_off;                /* `wide` is larger than `bare` by this, and stops this far before it touches */
    cm_real dt;
    cm_pose pose;
    uint32_t passed[CM__MOVER_PASSED]; /* what `meet` lets through in this step */
    int passed_count;
    uint32_t skipped; /* the object that carries the mover, while the mover is moved along with it; CM_NONE = none */
    bool blocked;     /* the last slide hit something that is no firm ground */
    cm_pose free;     /* where it last was known to overlap nothing */
    cm_mover_result result;
} cm__mover_run;

/* What a sweep ran into. The normal points out of the object. */
typedef struct cm__mover_contact {
    cm_real first;
    cm_vec3 point, normal;
    uint32_t id, part;
    uint64_t user;
} cm__mover_contact;

/* Sweeps the shape by `way` from the run's pose. False: nothing is hit. */
bool cm__mover_sweep(cm__mover_run *run, const cm_shape *shape, cm_vec3 way, cm__mover_contact *out);
/* The signed distance of the bare shape to the nearest object within a skin; CM_REAL_MAX where there is none. */
cm_real cm__mover_nearest(cm__mover_run *run, cm__mover_contact *out);
/* The pose of an object; false where there is no such object. */
bool cm__mover_object_pose(const cm_mover_space *space, uint32_t id, cm_pose *out);
/* The mover touches something steep. Is it the edge of firm ground, no higher than a step? */
bool cm__mover_on_edge(cm__mover_run *run, const cm__mover_contact *at);
/* The pose of the one shape of a space without a world. */
cm_pose cm__mover_space_pose(const cm_mover_space *space);

/* --- the movements of a step ----------------------------------------------------------------------------------- */

/* The share of `way` that the wide shape may go if it first touches at `at`: it stops a stand-off before that. */
cm_real cm__mover_share(const cm__mover_run *run, cm_vec3 way, const cm__mover_contact *at);
/* What a slide has hit: `planes` has the plane of each hit; `walls` has for each hit that is no firm ground the upright
 * plane with the same horizontal direction. */
typedef struct cm__mover_met {
    cm__mover_planes planes, walls;
} cm__mover_met;

/* What is left of a displacement or velocity: the walls limit its horizontal part first, then all planes limit the
 * whole. So a mover that presses against a steep slope neither climbs it nor hangs on it. */
cm_vec3 cm__mover_free(const cm__mover_run *run, const cm__mover_met *met, cm_vec3 way);
/* Moves by `way` and slides along what it hits. *met: the planes known before; those hit are added.
 * `ground`: the normal of the firm ground along which the horizontal `way` leads; NULL: it flies.
 * `record`: hits go into the result. */
void cm__mover_slide(cm__mover_run *run, cm_vec3 way, const cm_vec3 *ground, cm__mover_met *met, bool record);
/* Moves into a gap that has room for the shape but not for its skin: slides with an eighth of the skin, and stays
 * where it was unless that gains more than two skins. `way` and `ground` as above. */
void cm__mover_squeeze(cm__mover_run *run, cm_vec3 way, const cm_vec3 *ground);
/* Pushes the mover out of whatever is nearer than three quarters of the skin. @return false where the bare shape still
 * overlaps something. */
bool cm__mover_recover(cm__mover_run *run);
/* Moves by `way` along the ground, and up a step where a step stops it. */
void cm__mover_walk(cm__mover_run *run, cm_vec3 way, cm_mover_ground *ground);
/* Sets the mover on ground that is at most `reach` below. `walking`: it came from firm ground, and may stand on every
 * edge of firm ground too. */
void cm__mover_set_down(cm__mover_run *run, cm_real reach, bool walking, cm_mover_ground *ground);

#endif
