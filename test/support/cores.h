/* The library's core for a solid of the checker; what it knows is what is under test, so the checker does not see it.
 */
#ifndef CORES_H
#define CORES_H

#include "convex/convex.h"
#include "support/solid.h"

/* The hull of `count` > 0 points, which are borrowed. Its facets are found by search: few points only. */
void core_of_points(const cm_vec3 *points, uint32_t count, cm__core *out);

/* The core alone, without the solid's radius. */
static inline void core_of(const solid *s, cm__core *out) {
    switch (s->kind) {
    case SOLID_POINT:
        cm__core_point(cm__point_of(s->point[0]), out);
        break;
    case SOLID_SEGMENT:
        cm__core_segment(cm__point_of(s->point[0]), cm__point_of(s->point[1]), out);
        break;
    case SOLID_TRIANGLE:
        cm__core_triangle(cm__point_of(s->point[0]), cm__point_of(s->point[1]), cm__point_of(s->point[2]), out);
        break;
    case SOLID_BOX:
        cm__core_box(cm__point_of(s->size), out);
        break;
    case SOLID_CYLINDER:
        cm__core_cylinder((double)s->size.x, (double)s->size.y, out);
        break;
    case SOLID_CONE:
        cm__core_cone((double)s->size.x, (double)s->size.y, out);
        break;
    case SOLID_ELLIPSOID:
        cm__core_ellipsoid(cm__point_of(s->size), out);
        break;
    default:
        core_of_points(s->point, (uint32_t)s->count, out);
        break;
    }
}

#endif
