/* The normal of a contact where a convex shape and a surface only touch (contact_walk.h). */
#include "math/closest.h"
#include "pair/contact_walk.h"

#include <string.h>

#define TOUCH_TILT  1e-5 /* radians: a lowest part that stays the lowest under this tilt is a face */
#define TOUCH_AREA  1e-4 /* of the square of the shape's size: a lowest part of less area is an edge or corner */
#define TOUCH_SAME  .7   /* cosine: a face beside the triangle, and this near to the gap's direction, is meant by it */
#define TOUCH_FAN   64   /* most triangles examined around one place */
#define TOUCH_KNOWN 1e-3 /* of the triangle's size: beyond this rounding hides the direction of a touch */

/* The least height of the shape over the triangle's corners along a direction. */
static double contact_off(const cm__contact_walk *w, const cm_triangle *t, cm__point normal) {
    const cm__point c[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)};
    const cm__point lowest = cm__prepared_lowest(&w->prepared, normal);
    double off = DBL_MAX;
    for (int i = 0; i < 3; i++) off = wide_min(off, cm__point_dot(normal, cm__point_sub(lowest, c[i])));
    return off;
}

const cm__contact_lowest *cm__contact_lowest_part(cm__contact_walk *w, cm__point normal) {
    cm__contact_lowest *out = &w->lowest;
    if (!memcmp(&out->normal, &normal, sizeof normal)) return out;
    const cm__point u = wide_perpendicular(normal), v = cm__point_cross(normal, u);
    const cm__point around[8] = {u, cm__point_add(u, v), v, cm__point_sub(v, u)};
    cm__point area = {0, 0, 0}, *corner = out->corner;
    for (int i = 0; i < 8; i++) {
        const cm__point way = i < 4 ? around[i] : wide_neg(around[i - 4]);
        const cm__point tilted = wide_normalize(cm__point_mul_add(normal, TOUCH_TILT, way), normal);
        corner[i] = cm__prepared_lowest(&w->prepared, tilted);
        if (i > 1) area = cm__point_add(area, cm__point_normal(corner[0], corner[i - 1], corner[i]));
    }
    out->normal = normal;
    out->is_face = fabs(cm__point_dot(area, normal)) > TOUCH_AREA * w->prepared.size * w->prepared.size;
    return out;
}

/* Across the normal: is all of one convex polygon beyond an edge of another, or reaches over it by rounding only?
 * Corners may repeat. */
static bool contact_beyond(const cm__point *p, int p_count, const cm__point *q, int q_count, cm__point normal,
                           double slack) {
    for (int i = 0; i < p_count; i++) {
        const cm__point edge = cm__point_sub(p[(i + 1) % p_count], p[i]), across = cm__point_cross(normal, edge);
        const double length = cm__point_length(across);
        double inner = 0, outer = 0, over = -DBL_MAX, under = -DBL_MAX; /* of p from the edge; of q on either side */
        for (int k = 0; k < p_count; k++) {
            const double at = cm__point_dot(across, cm__point_sub(p[k], p[i]));
            inner = wide_max(inner, at), outer = wide_max(outer, -at);
        }
        for (int k = 0; k < q_count; k++) {
            const double at = cm__point_dot(across, cm__point_sub(q[k], p[i]));
            over = wide_max(over, at), under = wide_max(under, -at);
        }
        if (length > 0 && wide_min(inner, outer) <= slack * length && (inner > outer ? over : under) <= slack * length)
            return true; /* two corners that rounding parts are no edge */
    }
    return false;
}

/* Does that lowest part lie over this triangle, of which `normal` is the normal? The side of a box that stands flush
 * with the wall below it lies in the wall's plane, but beyond its upper edge. */
static bool contact_lies_over(cm__contact_walk *w, const cm_triangle *t, cm__point normal) {
    const cm__point c[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)};
    const cm__contact_lowest *lowest = cm__contact_lowest_part(w, normal);
    return lowest->is_face && !contact_beyond(c, 3, lowest->corner, 8, normal, w->slack) &&
           !contact_beyond(lowest->corner, 8, c, 3, normal, w->slack);
}

bool cm__contact_normal_at_touch(cm__contact_walk *w, const cm__contact_part *part, bool has, cm__gap *gap) {
    const double touch = w->slack + w->curved;
    const cm_triangle *own = &part->triangle;
    const double size = (double)cm_max(cm_largest(cm_sub(own->b, own->a)), cm_largest(cm_sub(own->c, own->a)));
    if (!(fabs(gap->distance) <= touch && touch <= TOUCH_KNOWN * size) || w->surface->ball) return has;
    if (w->surface->seen && w->surface->view.flat) return has; /* all triangles near lie in one plane */
    if (has && cm__contact_lowest_part(w, gap->normal)->is_face) return true;
    const cm__parts_ops *parts = w->surface->parts;
    cm__parts q;
    cm__part beside;
    cm__closest_on_triangle on;
    cm_aabb box;
    cm_triangle best = *own;
    cm__point to = gap->normal, n;
    double nearest = has ? 0 : -2;
    bool lies = !has, found = has;
    box.min = box.max = cm__vec3_of(gap->a);
    parts->start(&q, w->surface->shape, &box);
    for (int i = 0; i < TOUCH_FAN && parts->next(&q, wide_up(touch), &beside); i++) {
        const cm_triangle *t = &beside.shape.u.triangle;
        cm__closest_point_triangle(gap->a, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &on);
        if (cm__point_length(on.gap) > touch || !cm__surface_normal(w->surface, beside.number, t, gap->a, &n)) continue;
        if (contact_off(w, t, n) < -touch) continue;
        if (contact_off(w, own, n) < -touch) continue;
        const double along = cm__point_dot(n, gap->normal);
        const bool level =
            contact_lies_over(w, t, n) || (!has && along > TOUCH_SAME && cm__contact_lowest_part(w, n)->is_face);
        if (level < lies || (level == lies && along < nearest)) continue;
        if (level == lies && along == nearest && !contact_is_before(t, &best)) continue;
        found = true, lies = level, nearest = along, best = *t, to = n;
    }
    gap->normal = to;
    return found;
}
