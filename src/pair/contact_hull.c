/* Contacts of a convex shape with several triangles of a surface together: with their convex hull (contact_walk.h).
 *
 * Where that hull has no direction of the surface, or the triangles are too many, the hull is one that grows from the
 * deepest triangle on (inner_hull.h): its depth is that out of the convex surface around. */
#include "math/closest.h"
#include "pair/cloud.h"
#include "pair/contact_walk.h"
#include "pair/inner_hull.h"

#define HULL_BLUR 1e-6 /* of a curved shape's size: how far its direction tilts a triangle */

/* From the hull of a cloud to the shape. */
static void contact_hull_gap(const cm__contact_walk *w, const cm__cloud *cloud, cm__convex_gap *out) {
    cm__core core;
    cm__convex_pair pair;
    cm__cloud_core(cloud, &core);
    cm__convex_pair_of(&core, &w->prepared.core, &w->prepared.to_triangles, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, out);
}

/* What is less along the hull's direction is rounding. */
static double contact_blur(const cm__contact_walk *w) {
    return w->slack + (w->curved > 0 ? HULL_BLUR * w->prepared.size : 0);
}

/* Is the shape's center on the outer side of a surface that is not solid? */
static bool contact_is_outside(const cm__contact_walk *w, const cm__convex_gap *gap) {
    return w->surface->solid || cm__point_dot(gap->normal, cm__point_sub(w->prepared.center, gap->a)) >= 0;
}

/* Adds the contact along the hull's direction, if the surface has that at one of these triangles, which the shape
 * overlaps. `beside`: or, as what is pointed and leans, does not enter through, but is as deep in the surface as it is
 * below that. `depth`: as in contact_walk.h. */
static bool contact_take(cm__contact_walk *w, const cm__convex_gap *found, const cm__contact_part *near, int count,
                         bool deep, double *depth) {
    const cm__contact_part *best = NULL;
    cm__gap gap;
    cm_manifold m;
    /* of several triangles that the translation leaves, the first in that order */
    for (int i = 0; i < count; i++) {
        cm__point n = found->normal, at;
        if (best && !contact_is_before(&near[i].triangle, &best->triangle)) continue;
        const cm_triangle *t = &near[i].triangle;
        const cm__point corner[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)};
        if (cm__cloud_supports(corner, n, found->a, contact_blur(w), &at) &&
            cm__surface_has(w->surface, near[i].number, t, at, &n) &&
            (deep || cm__composite_gap(&w->prepared, &w->box, t, 0, &gap)))
            best = &near[i];
    }
    if (!best || !cm__contact_own_has(w, &best->triangle, found->b, found->normal)) return false;
    if (depth) {
        *depth = -found->distance;
        return true;
    }
    gap_of_convex(found, &gap);
    cm__prepared_manifold(&w->prepared, &best->triangle, &gap, false, (double)w->margin, &m);
    if (contacts_depth(&m) < -gap.distance - w->slack) cm__contact_add_point(&m, gap.a, gap.b, -gap.distance);
    cm__contact_add(w, &m, best->number, true);
    return true;
}

/* The contact with the convex surface around the deepest triangle, if it is no less deep than that. */
static bool contact_around_deepest(cm__contact_walk *w, double *depth) {
    cm__contact_part near[INNER_FAN];
    cm__inner_corner fan[INNER_FAN];
    cm__inner_hull hull;
    cm__closest_on_triangle c;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    int count = 0;
    if (!(w->deepest_gap <= 0) ||
        !cm__inner_hull_grow(&w->prepared, w->surface->shape, w->slack, &w->deepest.triangle, w->deepest.number, &hull))
        return false;
    if (!(hull.gap.distance <= w->deepest_gap + w->slack) || !contact_is_outside(w, &hull.gap)) return false;
    box.min = box.max = cm__vec3_of(hull.gap.a);
    w->surface->parts->start(&q, w->surface->shape, &box);
    while (count < CLOUD_TRIANGLES && w->surface->parts->next(&q, wide_up(contact_blur(w)), &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        cm__closest_point_triangle(hull.gap.a, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &c);
        if (cm__point_length(c.gap) <= contact_blur(w)) count = contact_insert(near, count, t, part.number);
    }
    const bool deep = cm__inner_hull_proven(&hull) > 0;
    if (contact_take(w, &hull.gap, near, count, deep, depth)) return true;
    const int around = cm__inner_hull_fan(&hull, fan);
    for (count = 0; count < around; count++)
        near[count] = (cm__contact_part){inner_triangle(&fan[count]), fan[count].half_edge / 3};
    return contact_take(w, &hull.gap, near, count, deep, depth);
}

/* --- all that are overlapped ------------------------------------------------------------------------------------- */

bool cm__contact_together(cm__contact_walk *w, bool last, double *depth) {
    cm__contact_part near[CLOUD_TRIANGLES];
    cm__cloud cloud;
    cm__convex_gap gap;
    cm__parts q;
    cm__part part;
    int count = 0;
    bool many = false;
    w->surface->parts->start(&q, w->surface->shape, &w->box);
    while (!many && w->surface->parts->next(&q, 0, &part)) {
        many = count == CLOUD_TRIANGLES;
        if (!many) count = contact_insert(near, count, &part.shape.u.triangle, part.number);
    }
    if (count > 0 && !many) {
        cloud.count = 0;
        for (int i = 0; i < count; i++) cloud_add(&cloud, &near[i].triangle);
        contact_hull_gap(w, &cloud, &gap);
        if (gap.distance <= 0 && (last || contact_is_outside(w, &gap)) &&
            contact_take(w, &gap, near, count, false, depth))
            return true;
    }
    return last && !w->own && contact_around_deepest(w, depth);
}
