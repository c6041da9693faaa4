/* The convex hull of a few triangles as a core: its support point is the farthest of their corners. */
#ifndef PAIR_CLOUD_H
#define PAIR_CLOUD_H

#include "carom/shape.h"
#include "convex/convex.h"

#define CLOUD_TRIANGLES 64

typedef struct cm__cloud {
    int count; /* of triangles */
    cm__point point[3 * CLOUD_TRIANGLES];
} cm__cloud;

static inline void cloud_add(cm__cloud *cloud, const cm_triangle *t) {
    cm__point *p = cloud->point + 3 * cloud->count++;
    p[0] = cm__point_of(t->a), p[1] = cm__point_of(t->b), p[2] = cm__point_of(t->c);
}
/* The corner of a triangle that is farthest along a direction. */
static inline cm__point cloud_farthest(const cm__point c[3], cm__point direction) {
    int far = 0;
    for (int k = 1; k < 3; k++)
        if (cm__point_dot(direction, c[k]) > cm__point_dot(direction, c[far])) far = k;
    return c[far];
}
/* Does a triangle reach as far as p along a direction, within `slack`? Then `at` is the point nearest to p on what of
 * it does: a corner, an edge or the face. */
bool cm__cloud_supports(const cm__point c[3], cm__point direction, cm__point p, double slack, cm__point *at);
/* The cloud, which is borrowed, has a triangle. */
void cm__cloud_core(const cm__cloud *cloud, cm__core *out);

#endif
