/* What the library knows of a kind of shape: one table of operations a kind, filled by the kind's own file. */
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include "carom/ray.h"
#include "shape/core.h"
#include "shape/mass.h"
#include "shape/parts.h"
#include "shape/picture.h"
#include "shape/polytope.h"

/* The classes decide which general method answers a pair (pair/method.h). */
typedef enum cm__class {
    CM__POLYTOPE,  /* convex, with so few corners that it is laid out as corners, edges and faces; its radius added */
    CM__CONVEX,    /* any other convex: known by its core's support function, its radius added */
    CM__HALFSPACE, /* known by its plane */
    CM__COMPOSITE, /* a tree of parts, which are asked one by one */
    CM__CLASSES
} cm__class;

enum { CM__RAYS_AT_ONCE = 128 };

typedef struct cm__shape_ops {
    const char *name;
    cm__class shape_class;
    /* What cm_shape_fields tells. */
    const cm_field *fields;
    int field_count;
    /* Are the fields valid? The kind and the radius were checked before. */
    cm_status (*check)(const cm_shape *shape, cm_error *error);
    /* The box of the core at a valid pose, rounded outwards; the radius is added by the caller, but for half-spaces. */
    void (*bounds)(const cm_shape *shape, const cm_pose *pose, cm_aabb *out);
    /* A valid ray in the shape's own frame against core and radius; part and point are set by the caller. */
    bool (*raycast)(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out);
    /* Whether the ray meets it at all, where that takes less than `raycast`; NULL: it takes as long. */
    bool (*meets)(const cm_ray *ray, const cm_shape *shape);
    /* Up to CM__RAYS_AT_ONCE rays as by `raycast`, or as by `meets` where `out` is NULL; NULL: one after the other. */
    void (*raycast_many)(const cm_ray *rays, uint32_t count, const cm_shape *shape, bool *met, cm_ray_hit *out);
    /* Of the kinds that are the hull of 1 to 3 points, which begin cm_shape's union: of how many. 0 of all others. */
    int corners;
    /* Lays the core out as corners, edges and faces, at `pose` (NULL: its own frame). NULL for all other kinds. */
    void (*polytope)(const cm_shape *shape, const cm__frame *pose, cm__polytope *out);
    /* What that leaves out because not all need it: edges and normal, from the corners. NULL: it leaves out nothing. */
    void (*polytope_sides)(cm__polytope *io);
    /* Of convex kinds: the core, radius included, for the general way. */
    void (*core)(const cm_shape *shape, cm__core *out);
    /* Of convex kinds: how far the core reaches from a point, where that is known better than by its corners, or by the
     * ball around it; else NULL. */
    double (*reach)(const cm_shape *shape, cm__point from);
    /* Is some of its surface curved, whatever its radius? NULL: none of it is. */
    bool (*curved)(const cm_shape *shape);
    /* Of convex kinds: is the core round about an axis (unit, in its own frame)? *any: about all through its center.
     * NULL: none of them is. */
    bool (*axis)(const cm_shape *shape, bool *any, cm__point *out);
    /* Of composites: their parts. NULL for all other kinds. */
    const cm__parts_ops *parts;
    /* Scales *io along its own axes by s, no component 0. Where s is the same along all axes the radius was scaled
     * before; else it is as it was. false: the image is no shape of the list. NULL: never is. */
    bool (*scale)(cm_shape *io, cm_vec3 s);
    /* Of solids: volume, center, inertia, radius included. NULL: CM_UNSUPPORTED. */
    cm_status (*mass)(const cm_shape *shape, cm__mass_sum *out);
    /* Adds its triangles to a picture. NULL: the hull of its core's corners, or of its support points. */
    void (*picture)(cm__picture *out, const cm_shape *shape);
} cm__shape_ops;

#define CM__SHAPE_DECLARE(NAME, name) extern const cm__shape_ops cm__shape_##name;
CM_SHAPE_LIST(CM__SHAPE_DECLARE)
#undef CM__SHAPE_DECLARE

/* For the tables of fields: CM__FIELDS(list) fills both members. */
#define CM__FIELD(name, type, place)                                                                                   \
    { name, CM_FIELD_##type, offsetof(cm_shape, u.place) }
#define CM__FIELDS(list) .fields = list, .field_count = (int)(sizeof list / sizeof *list)

/* `curved` of a kind of which all shapes are, and `axis` of one that is round about z. */
bool cm__shape_is_curved(const cm_shape *shape);
bool cm__shape_axis_z(const cm_shape *shape, bool *any, cm__point *out);

extern const cm__shape_ops *const cm__shape_table[CM_SHAPE_KINDS];
/* The operations of a kind; NULL for a number that is none. */
static inline const cm__shape_ops *cm__ops(cm_kind kind) {
    return (unsigned)kind < CM_SHAPE_KINDS ? cm__shape_table[kind] : NULL;
}

/* The only kinds that others need to tell apart; all else goes by the operations, or by pairs (pair/method.h). */
/* A point, with or without radius: the one kind that is a ball. */
static inline bool shape_is_ball(const cm_shape *shape) { return shape->kind == CM_SHAPE_POINT; }
/* With or without radius. The parts of meshes and height fields are such. */
static inline bool shape_is_triangle(const cm_shape *shape) { return shape->kind == CM_SHAPE_TRIANGLE; }
/* The mesh of a shape that is one; else NULL. */
static inline const cm_mesh *shape_mesh(const cm_shape *shape) {
    return shape->kind == CM_SHAPE_MESH ? shape->u.mesh : NULL;
}
/* The hull that a convex solid mesh is; NULL for all else. */
static inline const cm_hull *shape_mesh_hull(const cm_shape *shape) {
    const cm_mesh *mesh = shape_mesh(shape);
    return mesh ? cm__mesh_hull(mesh) : NULL;
}

#endif
