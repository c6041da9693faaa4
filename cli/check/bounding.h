/* Bounding volumes of parts: the convex hull of the corners of their triangles, and around it the smallest sphere, the
 * axis-aligned and the oriented box and a capsule. What holds the hull's vertices holds every corner, as all of these
 * are convex and the hull is exact. */
#ifndef CLI_BOUNDING_H
#define CLI_BOUNDING_H

#include "read/scene.h"

typedef enum bounding_kind {
    BOUNDING_SPHERE,
    BOUNDING_AABB,
    BOUNDING_OBB,
    BOUNDING_CAPSULE,
    BOUNDING_HULL,
    BOUNDING_KINDS
} bounding_kind;

typedef struct bounding {
    cm_hull *hull; /* NULL: there are no triangles, and nothing else is set */
    cm_sphere sphere;
    cm_aabb aabb;
    cm_obb obb;
    cm_capsule capsule;
    double model;                   /* volume of what is inside; < 0 where it is not closed and so has none */
    double volumes[BOUNDING_KINDS]; /* */
} bounding;

/* "sphere", "aabb", "box", "capsule", "hull": what the command calls them. */
extern const char *const bounding_names[BOUNDING_KINDS];

/* Around a mesh in its own frame. */
bounding bounding_of_mesh(const scene_mesh *mesh);
/* Around one part, or all of them, where they stand. The volume of all is the sum of theirs. */
bounding bounding_of_part(const scene *s, uint32_t part);
bounding bounding_of_scene(const scene *s);
void bounding_free(bounding *b);

/* All parts, where their meshes come one after the other. */
typedef struct bounding_all {
    const scene *s;
    uint32_t *starts, *parts; /* of each mesh its parts */
    cm_vec3 *points;          /* whose hull is that of all so far */
    uint32_t count, limit;    /* more points than these are replaced by the vertices of their hull */
    size_t capacity;
} bounding_all;

void bounding_all_start(bounding_all *all, const scene *s);
/* The next mesh. */
void bounding_all_add(bounding_all *all, uint32_t mesh);
/* After the last. Ends it. */
bounding bounding_all_end(bounding_all *all);

/* The share of a volume that the model leaves empty, 0 to 1; < 0 where it is not known. */
double bounding_empty(const bounding *b, bounding_kind kind);
/* The hull of points, which must be finite; ends the command where there is no memory. */
cm_hull *hull_of_points(const cm_vec3 *points, uint32_t count);

#endif
