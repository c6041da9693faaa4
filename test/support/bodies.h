/* A convex shape for the library and the same for the checker of solid.h, at one pose. */
#ifndef BODIES_H
#define BODIES_H

#include "support/solid.h"

typedef struct body {
    solid s;
    cm_shape shape;
    cm_hull *hull;
    cm_pose pose;
} body;

static inline void body_place(body *b, const cm_pose *pose) {
    cm_vec3 p = pose->position;
    b->pose = *pose;
    solid_place(&b->s, pose->rotation, w3((long double)p.x, (long double)p.y, (long double)p.z));
}

static inline void body_random(body *b, solid_kind kind, double size, rng *r) {
    b->hull = NULL;
    solid_random(&b->s, kind, 0, size, r);
    cm_vec3 h = b->s.size;
    switch (kind) {
    case SOLID_POINT:
        b->shape = cm_make_point(b->s.point[0]);
        break;
    case SOLID_SEGMENT:
        b->shape = cm_make_segment(b->s.point[0], b->s.point[1]);
        break;
    case SOLID_TRIANGLE:
        b->shape = cm_make_triangle(b->s.point[0], b->s.point[1], b->s.point[2]);
        break;
    case SOLID_BOX:
        b->shape = cm_make_box(h);
        break;
    case SOLID_CYLINDER:
        b->shape = cm_make_cylinder(h.x, h.y);
        break;
    case SOLID_CONE:
        b->shape = cm_make_cone(h.x, h.y);
        break;
    case SOLID_ELLIPSOID:
        b->shape = cm_make_ellipsoid(h);
        break;
    default: {
        cm_hull_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.points = &b->s.point[0].x;
        desc.point_count = (uint32_t)b->s.count;
        assert_int_equal(cm_hull_build(&desc, NULL, &b->hull, NULL), CM_OK);
        b->shape = cm_make_hull(b->hull);
    }
    }
    if (rng_below(r, 3) == 0) b->shape.radius = b->s.radius = CM_REAL(size * rng_range(r, 0, 0.5));
    cm_pose pose;
    pose.rotation = rng_rotation(r);
    pose.position = rng_vec3(r, size);
    body_place(b, &pose);
}
static inline void body_free(body *b) { cm_hull_destroy(b->hull, NULL); }

static inline wide3 wide_of(cm_vec3 v) { return w3((long double)v.x, (long double)v.y, (long double)v.z); }

#endif
