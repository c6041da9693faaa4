/* A scene to simulate, as its JSON file describes it (docs/guide/scene.md). */
#ifndef CLI_STAGE_H
#define CLI_STAGE_H

#include "common/overwrite.h"

#include <carom/carom.h>

#define STAGE_NONE UINT32_MAX
enum { STAGE_CLASSES = 32, STAGE_COLUMNS = 4, STAGE_DEPTH = 64 };

/* A shape with what it borrows. */
typedef struct stage_shape {
    char *name; /* "" for one that is written where it is used */
    cm_shape shape;
    bool solid;  /* it has a volume, and so a mass */
    void *owned; /* what it borrows, or NULL */
    void (*destroy)(void *owned);
    struct stage_shape *children; /* of a compound: those written out own what they borrow */
    uint32_t child_count;
} stage_shape;

/* A place on a path, relative to the parent. */
typedef struct stage_key {
    double time;
    cm_vec3 at;
    double degrees;
} stage_key;

/* What one that walks wants from a time on. */
typedef struct stage_stride {
    double time;
    cm_vec3 velocity;
    double jump; /* the speed upward with which it jumps then, if it stands */
} stage_stride;

typedef enum stage_body {
    STAGE_FIXED, /* stands where it is */
    STAGE_FREE,  /* moves by its velocity and what it meets */
    STAGE_PATH,  /* follows its path, whatever it meets */
    STAGE_WALK   /* walks by its strides, as the ground lets it */
} stage_body;

typedef struct stage_object {
    char *name;
    uint32_t shape;      /* that collides */
    uint32_t visual;     /* shape to look at in its place, or STAGE_NONE */
    cm_pose visual_pose; /* relative to the object */
    stage_body body;
    cm_pose pose; /* of a path's joint relative to the parent; else in the world, at the start */
    cm_vec3 velocity, spin;
    double mass, density; /* mass 0: by density */
    double restitution, friction;
    double damping, spin_damping, gravity_scale; /* a scale of 0: weightless */
    bool trigger, unswept;
    uint32_t class_number;
    uint32_t response;
    uint32_t layers, mask;
    int group;
    uint32_t parent; /* an earlier object that follows a path, or STAGE_NONE */
    uint32_t depth;  /* how many parents it has above it */
    cm_vec3 axis;    /* that a path's degrees turn about, in the joint's frame */
    stage_key *keys;
    uint32_t key_count;
    stage_stride *strides;
    uint32_t stride_count;
} stage_object;

/* What two classes do when they meet. */
typedef struct stage_rule {
    uint32_t first, second; /* classes */
    uint32_t response;
} stage_rule;

typedef struct stage {
    char *title, *about;
    char up;
    double dt;
    uint32_t steps;
    cm_vec3 gravity;
    double margin; /* up to which gap two are in contact; 0: the world's default */
    cm_broad_kind broad;
    bool energy;            /* print momentum and energy */
    uint32_t clearance[2];  /* classes to measure the gap between; STAGE_NONE: none */
    double clearance_limit; /* gaps beyond it are not measured */
    uint32_t boxed;         /* the object whose box is measured, or STAGE_NONE */
    uint32_t *columns;      /* classes whose events are counted side by side */
    uint32_t column_count;
    char *classes[STAGE_CLASSES];
    uint32_t class_count;
    stage_shape *shapes;
    uint32_t shape_count;
    stage_object *objects;
    uint32_t object_count;
    stage_rule *rules;
    uint32_t rule_count;
    const output_files *outputs; /* none of them may be a model that is read; may be NULL */
} stage;

/* Reads the file and the meshes it names. Returns 0 or the exit code after saying what is wrong, with the line.
 * None of `outputs` (may be NULL) may be a file that is read. */
int stage_read(const char *path, const output_files *outputs, stage *out);
/* The same, with `scattered` scattered objects in all in place of the scene's, as densely: the boxes that they are
 * scattered in keep their middle and grow or shrink. Complains where nothing is scattered. */
int stage_read_scaled(const char *path, const output_files *outputs, uint32_t scattered, stage *out);
void stage_free(stage *s);
/* The object's pose on its path at `time`, in the world. */
void stage_pose_at(const stage *s, uint32_t object, double time, cm_pose *out);

#endif
