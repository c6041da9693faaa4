/* Contacts of a convex shape in the bottom of a hollow of a surface: one for each face (contact_walk.h). */
#include "math/closest.h"
#include "pair/cloud.h"
#include "pair/contact_walk.h"

#include <string.h>

#define HOLLOW_FAR 10 /* times its depth: a triangle farther from the shape's lowest point does not hold that */

/* Do these triangles bound a hollow: each has the others in front, or in its plane? 0: all are in one plane; -1: no.
 * Their normals on the shape's side go to `normal`. */
static int contact_hollow(const cm__contact_walk *w, const cm__contact_part *near, int count, cm__point *normal) {
    bool folded = false;
    for (int i = 0; i < count; i++) {
        const cm_triangle *t = &near[i].triangle;
        if (!cm__surface_normal(w->surface, near[i].number, t, w->prepared.center, &normal[i])) return -1;
        folded = folded || cm__point_dot(normal[i], normal[0]) < WIDE_ONE_NORMAL;
        for (int k = 0; k < count; k++)
            for (int c = 0; c < 3; c++) {
                const cm_vec3 corner = c == 0 ? near[k].triangle.a : c == 1 ? near[k].triangle.b : near[k].triangle.c;
                if (cm__point_dot(normal[i], cm__point_sub(cm__point_of(corner), cm__point_of(t->a))) < -w->slack)
                    return -1;
            }
    }
    return folded;
}

/* How far below a triangle's plane the shape reaches. */
static double contact_below(const cm__contact_walk *w, const cm_triangle *t, cm__point normal) {
    return cm__point_dot(normal, cm__point_sub(cm__point_of(t->a), cm__prepared_lowest(&w->prepared, normal)));
}

/* Adds the triangles within HOLLOW_FAR times its depth of the lowest point below one of these. Returns the new
 * count, or 0 where they are too many. */
static int contact_around(const cm__contact_walk *w, cm__contact_part *near, int count, const cm__point *normal) {
    cm__contact_part old[CLOUD_TRIANGLES];
    const int before = count;
    memcpy(old, near, (size_t)count * sizeof *old);
    for (int i = 0; i < before; i++) {
        const cm__point lowest = cm__prepared_lowest(&w->prepared, normal[i]);
        const double deep = contact_below(w, &old[i].triangle, normal[i]);
        cm__parts q;
        cm__part part;
        cm_aabb box;
        cm__closest_on_triangle on;
        box.min = box.max = cm__vec3_of(lowest);
        w->surface->parts->start(&q, w->surface->shape, &box);
        while (deep > w->slack && w->surface->parts->next(&q, wide_up(HOLLOW_FAR * deep), &part)) {
            const cm_triangle *t = &part.shape.u.triangle;
            bool known = false;
            for (int k = 0; k < count && !known; k++) known = near[k].number == part.number;
            cm__closest_point_triangle(lowest, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &on);
            if (known || cm__point_length(on.gap) > HOLLOW_FAR * deep) continue;
            if (count == CLOUD_TRIANGLES) return 0;
            count = contact_insert(near, count, t, part.number);
        }
    }
    return count;
}

/* Does the shape leave all these faces along the middle of their normals by no more than the way that
 * cm__contact_together has? */
static bool contact_is_short(cm__contact_walk *w, const cm__contact_part *near, int count, const cm__point *normal,
                             bool last) {
    cm__point middle = {0, 0, 0};
    double length = 0, other;
    for (int i = 0; i < count; i++) {
        bool known = false;
        for (int k = 0; k < i && !known; k++) known = cm__point_dot(normal[k], normal[i]) > WIDE_ONE_NORMAL;
        if (!known) middle = cm__point_add(middle, normal[i]);
    }
    middle = wide_normalize(middle, normal[0]);
    for (int i = 0; i < count; i++) {
        const double along = cm__point_dot(middle, normal[i]), below = contact_below(w, &near[i].triangle, normal[i]);
        if (below > 0) length = along > 0 ? wide_max(length, below / along) : DBL_MAX;
    }
    return !cm__contact_together(w, last, &other) || length <= other;
}

bool cm__contact_in_hollow(cm__contact_walk *w, bool last) {
    cm__contact_part near[CLOUD_TRIANGLES];
    cm__point normal[CLOUD_TRIANGLES];
    cm__parts q;
    cm__part part;
    bool given[CLOUD_TRIANGLES];
    int count = 0, before = w->to->count;
    if (w->own || w->surface->ball) return false;
    w->surface->parts->start(&q, w->surface->shape, &w->box);
    while (w->surface->parts->next(&q, 0, &part)) {
        if (!cm__prepared_overlap(&w->prepared, &part.shape.u.triangle)) continue;
        if (count == CLOUD_TRIANGLES) return false;
        count = contact_insert(near, count, &part.shape.u.triangle, part.number);
    }
    int hollow = count > 0 ? contact_hollow(w, near, count, normal) : -1;
    if (hollow == 0) { /* it may reach past an edge and not touch the face beyond */
        count = contact_around(w, near, count, normal);
        hollow = count > 0 ? contact_hollow(w, near, count, normal) : -1;
    }
    if (hollow <= 0 || !contact_is_short(w, near, count, normal, last)) return false;
    for (int i = 0; i < count; i++) {
        const cm__point lowest = cm__prepared_lowest(&w->prepared, normal[i]), n = normal[i];
        const double depth = contact_below(w, &near[i].triangle, n);
        const cm_triangle *t = &near[i].triangle;
        cm__closest_on_triangle on;
        cm__closest_point_triangle(lowest, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &on);
        bool held = depth > w->slack && cm__point_length(on.gap) <= HOLLOW_FAR * depth;
        for (int k = 0; k < i && held; k++) /* one a face */
            held = !given[k] || cm__point_dot(normal[k], n) <= WIDE_ONE_NORMAL;
        given[i] = held;
        if (!held) continue;
        const cm__contact_lowest *bottom = cm__contact_lowest_part(w, n);
        cm_manifold m = {.normal = cm__vec3_of(n), .part_a = CM_NONE, .part_b = CM_NONE};
        for (int k = 0; k < 8; k++) {
            bool known = false;
            for (int c = 0; c < k && !known; c++)
                known = cm__point_length(cm__point_sub(bottom->corner[c], bottom->corner[k])) <= w->slack;
            if (!known)
                cm__contact_add_point(&m, cm__point_mul_add(bottom->corner[k], depth, n), bottom->corner[k], depth);
        }
        cm__contact_add(w, &m, near[i].number, true);
    }
    return w->to->count > before;
}
