/* Contacts of a convex shape with several triangles of a surface together: with their convex hull (contact_walk.h). */
#include "pair/cloud.h"
#include "pair/contact_walk.h"

#include <string.h>

/* Adds the triangles that share an edge with one of these, where the surface is convex there. Returns the new count,
 * or 0 where they are too many. */
static int contact_widen(const cm__contact_walk *w, cm__contact_part *near, int count) {
    cm__contact_part old[CLOUD_TRIANGLES];
    const int before = count;
    memcpy(old, near, (size_t)count * sizeof *old);
    for (int i = 0; i < before; i++) {
        const cm_triangle *t = &old[i].triangle;
        const cm_vec3 corner[3] = {t->a, t->b, t->c};
        const cm__point a = cm__point_of(t->a);
        const cm__point normal = cm__point_normal(a, cm__point_of(t->b), cm__point_of(t->c));
        for (uint32_t e = 0; e < 3; e++) {
            cm_vec3 third;
            const uint32_t over = w->surface->parts->surface->across(w->surface->shape, 3 * old[i].number + e, &third);
            if (over == CM_NONE || cm__point_dot(normal, cm__point_sub(cm__point_of(third), a)) > 0) continue;
            bool known = false;
            for (int k = 0; k < count && !known; k++) known = near[k].number == over / 3;
            if (known) continue;
            if (count == CLOUD_TRIANGLES) return 0;
            const cm_triangle beside = {corner[(e + 1) % 3], corner[e], third};
            count = contact_insert(near, count, &beside, over / 3);
        }
    }
    return count;
}

/* The contact with the convex hull of these triangles, if the surface has its direction. `outside`: only if the shape's
 * center is outside of it. `depth`: as in contact_walk.h. */
static bool contact_with_hull(cm__contact_walk *w, const cm__contact_part *near, int count, bool outside,
                              double *depth) {
    cm__cloud cloud;
    cm__core core;
    cm__convex_pair pair;
    cm__convex_gap found;
    cm__gap gap;
    cm_manifold m;
    cloud.count = 0;
    for (int i = 0; i < count; i++) cloud_add(&cloud, &near[i].triangle);
    cm__cloud_core(&cloud, &core);
    cm__convex_pair_of(&core, &w->prepared.core, &w->prepared.to_triangles, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &found);
    if (!(found.distance <= 0)) return false;
    if (outside && cm__point_dot(found.normal, cm__point_sub(w->prepared.center, found.a)) < 0) return false;
    const cm__contact_part *best = NULL;
    /* of several triangles that the translation leaves, the first in that order */
    for (int i = 0; i < count && !best; i++) {
        cm__point n = found.normal, at;
        if (cm__cloud_supports(&cloud, i, n, found.a, w->slack, &at) &&
            cm__surface_has(w->surface, near[i].number, &near[i].triangle, at, &n) &&
            cm__composite_gap(&w->prepared, &w->box, &near[i].triangle, 0, &gap))
            best = &near[i];
    }
    if (!best || !cm__contact_own_has(w, &best->triangle, found.b, found.normal)) return false;
    if (depth) {
        *depth = -found.distance;
        return true;
    }
    gap_of_convex(&found, &gap);
    cm__prepared_manifold(&w->prepared, &best->triangle, &gap, false, (double)w->margin, &m);
    if (contacts_depth(&m) < -gap.distance - w->slack) cm__contact_add_point(&m, gap.a, gap.b, -gap.distance);
    cm__contact_add(w, &m, best->number, true);
    return true;
}

bool cm__contact_together(cm__contact_walk *w, bool last, double *depth) {
    cm__contact_part near[CLOUD_TRIANGLES];
    cm__parts q;
    cm__part part;
    int count = 0;
    w->surface->parts->start(&q, w->surface->shape, &w->box);
    while (w->surface->parts->next(&q, 0, &part)) {
        if (count == CLOUD_TRIANGLES) return false;
        count = contact_insert(near, count, &part.shape.u.triangle, part.number);
    }
    if (count == 0) return false;
    if (contact_with_hull(w, near, count, !last && !w->surface->solid, depth)) return true;
    for (int before = 0; last && !w->own && count > before;) {
        before = count, count = contact_widen(w, near, count);
        if (count > before && contact_with_hull(w, near, count, !w->surface->solid, depth)) return true;
    }
    return false;
}
