/* What can collide: the links of a robot, what is attached to them, and the parts of its cell, each of some shapes. All
 * lengths are metres, the world is the frame of the robot's root, z up. */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include "options.h"
#include "robot/urdf.h"

typedef struct model_body {
    cm_shape shape;
    cm_pose pose;     /* in its item */
    cm_vec3 half;     /* of the box around it, along its own axes */
    cm_pose box_pose; /* in its item */
} model_body;

typedef struct model_item {
    const char *name, *file;
    uint32_t link;     /* that it moves with: a link is its own, what stands in the cell has the root */
    uint32_t attached; /* the number of its --attach, or ROBOT_NONE */
    uint32_t first_body, body_count;
    cm_vec3 center, half; /* of the box around it, along its own axes */
    double radius;        /* no point is farther from its own origin */
    double padding;       /* it is larger by this on all sides */
} model_item;

typedef struct model {
    robot robot;
    scene meshes, attached, cell;
    cm_mesh **scaled; /* meshes of links that are made from those of `meshes` */
    uint32_t scaled_count;
    model_body *bodies;
    uint32_t body_count;
    model_item *items; /* the links in their order, the parts that are attached, the parts of the cell */
    uint32_t item_count, primitive_count, mesh_count;
    bool padding_for_cell; /* between two that move there is none */
} model;

/* Reads the robot that the options name, its meshes, and its cell. Returns 0, or the exit code after saying what is
 * wrong. Free with model_free in any case. */
int model_read(const options *o, model *out);
void model_free(model *m);

/* Where an item is: its pose, and the box along the world's axes around it, by its middle and half extents. */
typedef struct model_placed {
    cm_pose pose;
    cm_vec3 center, extents;
} model_placed;

static inline bool model_is_link(const model *m, uint32_t item) { return item < m->robot.link_count; }
/* A link, or attached to one. */
static inline bool model_moves(const model *m, uint32_t item) {
    return item < m->robot.link_count + m->attached.part_count;
}
/* May an item, and what is attached, touch each other? The link that it is attached to, those that --attach names, and
 * what else is attached to that link. */
bool model_may_touch(const model *m, const robot_options *o, uint32_t a, uint32_t b);
/* Room for all items, with those of the cell placed; free() it. */
model_placed *model_make_places(const model *m);
/* Places the links, and what is attached to them, for the values of the joints. */
void model_place(const model *m, const double *values, model_placed *at);
/* By how much two items may be apart and collide. */
double model_padding(const model *m, uint32_t a, uint32_t b);

/* Do two items share a point, grown by the padding? */
bool model_collide(const model *m, uint32_t a, uint32_t b, const model_placed *at);
/* Do two items have the same mesh at the same place, or solid meshes with a body in common, or one within the other
 * grown by the tolerance? Then their distance is no more than that of touching (docs/theory/relation.md). */
bool model_share_body(const model *m, uint32_t a, uint32_t b, const model_placed *at, double tolerance);
/* The distance of two items less their padding, minus the depth where they collide; CM_REAL_MAX where it is beyond
 * `most`. The points are those of the items themselves. */
double model_distance(const model *m, uint32_t a, uint32_t b, const model_placed *at, double most, cm_witness *out);
/* About how deep two items that collide are in one another, for less than model_distance costs: of convex bodies their
 * depth, of meshes that of the boxes around them. */
double model_likely_depth(const model *m, uint32_t a, uint32_t b, const model_placed *at);
/* By how much the boxes around two items overlap, along the axis where they do so least; < 0: they are apart by more
 * than the padding. */
double model_boxes_overlap(const model *m, uint32_t a, uint32_t b, const model_placed *at);

#endif
