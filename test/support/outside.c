/* See outside.h. */
#include "support/outside.h"

#include <math.h>

static wide3 outside_own(const solid *s, wide3 p) {
    p = w3_sub(p, s->position);
    return w3(w3_dot(s->turn[0], p), w3_dot(s->turn[1], p), w3_dot(s->turn[2], p));
}

/* The closest point is h_i^2 x_i / (h_i^2 + m) for the m >= 0 that puts it on the surface; flat axes take no part. */
static long double ellipsoid_outside(const long double h[3], const long double x[3]) {
    long double f = 0, flat = 0, high = 0;
    for (int i = 0; i < 3; i++) {
        if (h[i] > 0)
            f += (x[i] / h[i]) * (x[i] / h[i]), high += h[i] * h[i] * x[i] * x[i];
        else
            flat += x[i] * x[i];
    }
    if (f <= 1) return sqrtl(flat);
    long double low = 0;
    high = sqrtl(high); /* sum of (h x)^2 / (h^2 + m)^2 <= sum of (h x)^2 / m^2 */
    for (int k = 0; k < 200; k++) {
        long double m = (low + high) / 2, g = 0;
        for (int i = 0; i < 3; i++) {
            long double y = h[i] > 0 ? h[i] * x[i] / (h[i] * h[i] + m) : 0;
            g += y * y;
        }
        if (g > 1)
            low = m;
        else
            high = m;
    }
    long double d = flat;
    for (int i = 0; i < 3; i++) {
        long double gap = h[i] > 0 ? x[i] * high / (h[i] * h[i] + high) : 0;
        d += gap * gap;
    }
    return sqrtl(d);
}

long double solid_outside(const solid *s, wide3 p) {
    if (s->kind == SOLID_ELLIPSOID) {
        wide3 q = outside_own(s, p);
        const long double h[3] = {(long double)s->size.x, (long double)s->size.y, (long double)s->size.z};
        const long double x[3] = {q.x, q.y, q.z};
        return ellipsoid_outside(h, x);
    }
    long double d = solid_core_outside(s, p), least = HUGE_VALL;
    /* no plane of a flat cloud or of one in a line keeps off what lies in all of them */
    if (s->kind != SOLID_CLOUD || (d <= 0 && solid_core_inside(s, p) > 0)) return d;
    p = outside_own(s, p);
    wide3 c[SOLID_POINTS];
    for (int i = 0; i < s->count; i++) c[i] = w3_of_vec3(s->point[i]);
    if (s->sides > 0) { /* the closest point lies on a face */
        for (int i = 0; i < s->sides; i++) {
            least = wl_min(least, solid_to_triangle(p, c[s->side[i][0]], c[s->side[i][1]], c[s->side[i][2]]));
            if (least <= d) break; /* nothing is nearer than the farthest face */
        }
        return least;
    }
    for (int i = 0; i < s->count; i++)
        for (int j = i + 1; j < s->count; j++)
            for (int k = j + 1; k < s->count; k++) least = wl_min(least, solid_to_triangle(p, c[i], c[j], c[k]));
    return least;
}

long double solid_inside(const solid *s, wide3 p) {
    long double outside = solid_outside(s, p), r = (long double)s->radius;
    return outside > 0 ? wl_max(r - outside, 0) : r + solid_core_inside(s, p);
}

cm_shape solid_shape(const solid *s, cm_hull **hull) {
    cm_shape shape = cm_make_point(s->point[0]);
    *hull = NULL;
    switch (s->kind) {
    case SOLID_POINT:
        break;
    case SOLID_SEGMENT:
        shape = cm_make_segment(s->point[0], s->point[1]);
        break;
    case SOLID_TRIANGLE:
        shape = cm_make_triangle(s->point[0], s->point[1], s->point[2]);
        break;
    case SOLID_BOX:
        shape = cm_make_box(s->size);
        break;
    case SOLID_CYLINDER:
        shape = cm_make_cylinder(s->size.x, s->size.y);
        break;
    case SOLID_CONE:
        shape = cm_make_cone(s->size.x, s->size.y);
        break;
    case SOLID_ELLIPSOID:
        shape = cm_make_ellipsoid(s->size);
        break;
    default: {
        cm_hull_desc desc = {.points = &s->point[0].x, .point_count = (uint32_t)s->count};
        assert_int_equal(cm_hull_build(&desc, NULL, hull, NULL), CM_OK);
        shape = cm_make_hull(*hull);
        break;
    }
    }
    shape.radius = s->radius;
    return shape;
}
