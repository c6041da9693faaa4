/* Shapes as triangles: what a kind's own file hands in. */
#ifndef SHAPE_PICTURE_H
#define SHAPE_PICTURE_H

#include "carom/tessellate.h"
#include "math/point.h"

/* What was gathered; the first failure stays. */
typedef struct cm__picture {
    const cm_allocator *mem;
    int segments; /* around a circle: a multiple of 4 */
    cm_real extent;
    const cm_pose *pose; /* where what comes next stands; NULL: in the picture's own frame */
    cm_status status;
    cm_vec3 *points;
    uint32_t *indices;
    size_t point_count, index_count, point_room, index_room;
    cm_vec3 *corners; /* of the hull to come */
    size_t corner_count, corner_room;
} cm__picture;

/* Adds a point of the shape's frame; its number. */
uint32_t cm__picture_point(cm__picture *p, cm_vec3 point);
/* Adds the triangle of three such numbers, counter-clockwise seen from outside. */
void cm__picture_triangle(cm__picture *p, uint32_t a, uint32_t b, uint32_t c);
/* Adds a corner of the hull to come, in the shape's frame. */
void cm__picture_corner(cm__picture *p, cm_vec3 corner);
/* Adds the hull of the corners since the last one, grown by `radius`. */
void cm__picture_hull(cm__picture *p, cm_real radius);
/* Point i of `segments` on the circle of a radius around z, at the height z. */
cm_vec3 cm__picture_circle(const cm__picture *p, int i, cm_real radius, cm_real z);
/* Direction number i of an even grid over the sphere: unit, or 0 for a number that is to be left out; false when there
 * is no such. */
bool cm__picture_direction(const cm__picture *p, int i, cm__point *out);
/* Adds any valid shape, but compounds. */
void cm__picture_shape(cm__picture *p, const cm_shape *shape);

#endif
