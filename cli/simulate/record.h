/* What a simulation does, kept for the page that plays it: poses frame by frame, impacts, contacts, events, boxes.
 * All lengths are the scene's. What is kept is bounded, whatever the scene: see the limits. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include "simulate/measure.h"
#include "simulate/moments.h"
#include "simulate/stage.h"

#include <jansson.h>

/* The limits, so that a browser can hold the page. Longer runs keep every n-th step (and the last). */
enum {
    RECORD_FRAMES = 3000,
    RECORD_POSES = 600000,    /* of all objects in all frames; 44 bytes each */
    RECORD_EVENTS = 100000,   /* the first ones are kept */
    RECORD_IMPACTS = 200000,  /* likewise */
    RECORD_CONTACTS = 400000, /* points in all frames; each frame keeps its first ones */
    RECORD_CELLS = 400000     /* boxes of the broad phase's structure in all frames; each frame keeps the uppermost */
};

typedef struct recorded_pose {
    float position[3]; /* of the middle of the shape's box, relative to the origin */
    int16_t rotation[4];
} recorded_pose;

/* Where an object was within a step, when it ran into something. */
typedef struct recorded_impact {
    uint32_t object, step;
    float u;
    recorded_pose pose;
} recorded_impact;

/* What is known of an object's way within a step: its last hit, and since when it goes where it goes. */
typedef struct recorded_way {
    uint32_t step;
    double last, since;
    cm_motion motion;
} recorded_way;

typedef struct recorded_contact {
    uint32_t a, b; /* objects */
    float point[3], depth, normal[3];
} recorded_contact;

typedef struct recorded_event {
    uint32_t a, b, step;
    uint32_t kind; /* cm_world_event_kind, + 8 where there is a point */
    float u, point[3], depth, normal[3];
} recorded_event;

/* A cell or node of the broad phase's structure. */
typedef struct recorded_cell {
    float low[3], high[3];
    uint32_t depth;
} recorded_cell;

typedef struct recorded_frame {
    uint32_t step;
    size_t contact_end, cell_end;    /* of this frame in the arrays; the frame before has the beginning */
    uint32_t contact_count;          /* found; more than are kept where the limit was met */
    uint32_t cell_count, same_cells; /* likewise; same_cells: as in the frame before, and not kept again */
    uint32_t pairs;                  /* of overlapping boxes */
    gap_sample gap;                  /* the smallest since the frame before; distance CM_REAL_MAX: none */
    cm_aabb box;                     /* of the object that the scene measures */
    double energy, momentum[3];
} recorded_frame;

typedef struct recording {
    const stage *s;
    const cm_world *world; /* NULL: there is none, and recording_put_* tell what happens */
    const uint32_t *ids;
    double dt;
    uint32_t steps, stride, step; /* the last step told of, or under way */
    cm_vec3 origin;
    cm_vec3 *middles; /* of the shapes' boxes, in their own frames */
    uint32_t *movers; /* objects that may move, ascending */
    uint32_t mover_count;
    uint32_t *mover_of;   /* for each object its place among the movers, or STAGE_NONE */
    recorded_pose *poses; /* frames × movers */
    float (*boxes)[6];    /* likewise: low and high corner in the broad phase; all 0 where there is none */
    double *gone;         /* for each object when it vanished; < 0: never */
    recorded_way *ways;   /* for each object */
    recorded_frame *frames;
    size_t frame_count, frame_capacity;
    recorded_impact *impacts;
    size_t impact_count, impact_capacity, impacts_met;
    recorded_contact *contacts;
    size_t contact_count, contact_capacity;
    moments in_time; /* the events of the step */
    recorded_event *events;
    size_t event_count, event_capacity, events_met;
    recorded_cell *cells;
    size_t cell_count, cell_capacity;
    recorded_cell *scratch; /* of the frame at hand */
    size_t scratch_count, scratch_capacity;
    gap_sample least;
} recording;

/* Begins, with everything where it is at time 0. `world` and `ids` as the simulation has them; NULL: without a world,
 * and objects begin at their own poses. */
void recording_start(recording *r, const stage *s, const cm_world *world, const uint32_t *ids, double dt,
                     uint32_t steps);
/* Tells of a step that begins. */
void recording_begin(recording *r, uint32_t step);
/* For the dynamics' `respond`: where the two are at the impact. */
void recording_hit(recording *r, const cm_world_hit *hit);
/* Tells of the step's end: events are read from the world. `gap` and `box`: what is measured now, or NULL. */
void recording_end(recording *r, const gap_sample *gap, const box_sample *box, cm_vec3 momentum, double energy);
void recording_free(recording *r);

/* Without a world: what a frame shows, told before the frame itself. Points are the scene's. */
typedef struct told_contact {
    uint32_t a, b;
    cm_vec3 point, normal;
    double depth;
} told_contact;
void recording_put_contact(recording *r, const told_contact *contact);
/* Something that happens at u of a step; `kind` is a cm_world_event_kind. */
void recording_put_event(recording *r, const told_contact *what, uint32_t kind, uint32_t step, double u);
/* Where an object that moves is at u of a step. */
void recording_put_impact(recording *r, uint32_t object, uint32_t step, double u, const cm_pose *pose);
/* The frame at the end of a step: the poses of all objects. False where it is not kept, as frames are too many. */
bool recording_put_frame(recording *r, uint32_t step, const cm_pose *poses, const gap_sample *gap);

/* Writes the page; the members of `more` (an object that is let go, or NULL) stand beside those of the recording. Equal
 * recordings give equal bytes. On failure `message` says why in one line. */
bool playback_write(const char *path, const char *scene, const recording *r, json_t *more, char *message, size_t size);

#endif
