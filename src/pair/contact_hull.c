/* Contacts of a convex shape with several triangles of a surface together: with their convex hull (contact_walk.h).
 *
 * Where that hull has no direction of the surface, or the triangles are too many, a hull is built corner by corner,
 * from the deepest triangle on. The direction of least depth out of the corners so far leads up the surface, as far as
 * that is convex, to the corner that is farthest along it; that one comes to them, with those around it. Where none is
 * farther, the surface supports the direction, and the depth is that out of the convex surface around: of a convex
 * solid its own, as a hull within it has no more. */
#include "math/closest.h"
#include "pair/cloud.h"
#include "pair/contact_walk.h"

#define HULL_FAN   256  /* most triangles around a corner, */
#define HULL_RING  12   /* of them, whose corners come to a hull, */
#define HULL_CLIMB 256  /* steps along the surface, */
#define HULL_TRIES 32   /* hulls, each with a corner that the one before lacked, */
#define HULL_BLUR  1e-6 /* of a curved shape's size: how far its direction tilts a triangle */
#define HULL_DEEP  0.7  /* of the depth: a surface that is nearer to the deepest point is another one */
#define HULL_INNER 6    /* and depths at which a point within the solid is looked for */

typedef struct contact_hull {
    cm__cloud cloud;
    int room;           /* corners for which the last triangle of the cloud has room: it holds single ones */
    cm__convex_gap gap; /* from the hull of the cloud to the shape */
} contact_hull;

static void contact_hull_gap(const cm__contact_walk *w, contact_hull *io) {
    cm__core core;
    cm__convex_pair pair;
    cm__cloud_core(&io->cloud, &core);
    cm__convex_pair_of(&core, &w->prepared.core, &w->prepared.to_triangles, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &io->gap);
}

/* What is less along the hull's direction is rounding. */
static double contact_blur(const cm__contact_walk *w) {
    return w->slack + (w->curved > 0 ? HULL_BLUR * w->prepared.size : 0);
}

/* Is the shape's center on the outer side of a surface that is not solid? */
static bool contact_is_outside(const cm__contact_walk *w, const cm__convex_gap *gap) {
    return w->surface->solid || cm__point_dot(gap->normal, cm__point_sub(w->prepared.center, gap->a)) >= 0;
}

/* Is the surface nowhere much nearer to the shape's deepest point than along the way out? */
static bool contact_is_deep(const cm__contact_walk *w, const cm__convex_gap *gap) {
    const double least = -HULL_DEEP * gap->distance;
    cm__closest_on_triangle c;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    box.min = box.max = cm__vec3_of(gap->b);
    w->surface->parts->start(&q, w->surface->shape, &box);
    while (w->surface->parts->next(&q, wide_up(least), &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        cm__closest_point_triangle(gap->b, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &c);
        if (c.square < least * least) return false;
    }
    return true;
}

/* Adds the contact along the hull's direction, if the surface has that at one of these triangles, which the shape
 * overlaps. `beside`: or, as what is pointed and leans, does not enter through, but is as deep in the surface as it is
 * below that. `depth`: as in contact_walk.h. */
static bool contact_take(cm__contact_walk *w, const contact_hull *hull, const cm__contact_part *near, int count,
                         bool beside, double *depth) {
    const cm__convex_gap *found = &hull->gap;
    const cm__contact_part *best = NULL;
    const bool deep = beside && contact_is_deep(w, found);
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

/* --- up the surface ---------------------------------------------------------------------------------------------- */

/* The neighbor over an edge of a triangle, where the surface is convex there: its half-edge there, or CM_NONE. */
static uint32_t contact_neighbor(const cm__contact_walk *w, const cm__contact_part *from, uint32_t edge,
                                 cm__contact_part *out) {
    const cm_triangle *t = &from->triangle;
    const cm_vec3 corner[3] = {t->a, t->b, t->c};
    const cm__point a = cm__point_of(t->a);
    const cm__point normal = cm__point_normal(a, cm__point_of(t->b), cm__point_of(t->c));
    cm_vec3 third, c[3];
    const uint32_t over = w->surface->parts->surface->across(w->surface->shape, 3 * from->number + edge, &third);
    if (over == CM_NONE) return CM_NONE;
    const double rise = cm__point_dot(normal, cm__point_sub(cm__point_of(third), a));
    if (rise > w->slack * cm__point_length(normal)) return CM_NONE;
    c[over % 3] = corner[(edge + 1) % 3], c[(over + 1) % 3] = corner[edge], c[(over + 2) % 3] = third;
    out->triangle = (cm_triangle){c[0], c[1], c[2]}, out->number = over / 3;
    return over;
}

/* A corner of a triangle. */
typedef struct contact_corner {
    cm__contact_part part;
    uint32_t k;
} contact_corner;

static cm_vec3 contact_at(const contact_corner *c) {
    const cm_triangle *t = &c->part.triangle;
    return c->k == 0 ? t->a : c->k == 1 ? t->b : t->c;
}

/* From a corner to the same of the next triangle around it, one way or the other, as far as the surface is convex. */
static bool contact_turn(const cm__contact_walk *w, int way, contact_corner *io) {
    cm__contact_part next;
    const uint32_t over = contact_neighbor(w, &io->part, way == 0 ? io->k : (io->k + 2) % 3, &next);
    if (over == CM_NONE) return false;
    io->part = next, io->k = way == 0 ? (over + 1) % 3 : over % 3;
    return true;
}

/* The triangles around a corner, its own first. */
static int contact_fan(const cm__contact_walk *w, const contact_corner *of, cm__contact_part out[HULL_FAN]) {
    int count = 1;
    out[0] = of->part;
    for (int way = 0; way < 2; way++) {
        contact_corner at = *of;
        while (count < HULL_FAN && contact_turn(w, way, &at)) {
            if (at.part.number == of->part.number) return count;
            out[count++] = at.part;
        }
    }
    return count;
}

/* Looks at the corners of a triangle: is one more than rounding above `highest`? Takes the highest. */
static bool contact_higher(const cm__contact_walk *w, cm__point direction, const cm__contact_part *part,
                           double *highest, contact_corner *io) {
    contact_corner at = {*part, 0};
    bool found = false;
    for (; at.k < 3; at.k++) {
        const double height = cm__point_dot(direction, cm__point_of(contact_at(&at)));
        if (height > *highest + w->slack) *highest = height, *io = at, found = true;
    }
    return found;
}

/* To a corner that no neighbor exceeds along a direction. */
static void contact_climb(const cm__contact_walk *w, cm__point direction, contact_corner *io) {
    double highest = -DBL_MAX;
    bool higher = contact_higher(w, direction, &io->part, &highest, io);
    for (int step = 0; higher && step < HULL_CLIMB; step++) {
        const contact_corner from = *io;
        higher = false;
        for (int way = 0; way < 2; way++) {
            contact_corner at = from;
            for (int i = 0; i < HULL_FAN && contact_turn(w, way, &at) && at.part.number != from.part.number; i++)
                higher = contact_higher(w, direction, &at.part, &highest, io) || higher;
        }
    }
}

/* Adds a corner, unless the cloud has it. False: the cloud is full. */
static bool contact_add_corner(contact_hull *io, cm_vec3 corner) {
    cm__cloud *cloud = &io->cloud;
    const cm__point p = cm__point_of(corner);
    const int end = 3 * cloud->count;
    for (int i = 0; i < end; i++)
        if (cm__point_equal(cloud->point[i], p)) return true;
    if (io->room > 0) {
        cloud->point[end - io->room--] = p;
        return true;
    }
    if (cloud->count == CLOUD_TRIANGLES) return false;
    cloud_add(cloud, &(cm_triangle){corner, corner, corner});
    io->room = 2;
    return true;
}

/* The deepest triangle; of a solid also a point within it, below the triangle's middle: the way out is not through the
 * triangle's back. */
static void contact_begin(const cm__contact_walk *w, contact_hull *out) {
    const cm_pose identity = cm_pose_identity();
    const cm_triangle *t = &w->deepest.triangle;
    const cm__point a = cm__point_of(t->a), b = cm__point_of(t->b), c = cm__point_of(t->c);
    const cm__point n = wide_normalize(cm__point_normal(a, b, c), cm__p(0, 0, 0));
    const cm__point middle = cm__point_scale(cm__point_add(a, cm__point_add(b, c)), 1.0 / 3);
    const cm__parts_ops *parts = w->surface->parts;
    double below = 2 * w->prepared.size;
    out->cloud.count = out->room = 0;
    cloud_add(&out->cloud, t);
    for (int i = 0; i < HULL_INNER && w->surface->solid && parts->holds; i++, below /= 2) {
        const cm_vec3 inner = cm__vec3_of(cm__point_mul_add(middle, -below, n));
        if (!parts->holds(w->surface->shape, &identity, inner)) continue;
        contact_add_corner(out, inner);
        return;
    }
}

/* The contact with the convex surface around the deepest triangle, if it is no less deep than that. */
static bool contact_around_deepest(cm__contact_walk *w, double *depth) {
    contact_hull hull;
    contact_corner peak = {w->deepest, 0};
    cm__contact_part fan[HULL_FAN];
    if (!(w->deepest_gap <= 0)) return false;
    contact_begin(w, &hull);
    for (int i = 0; i < HULL_TRIES; i++) {
        contact_hull_gap(w, &hull);
        const cm__point n = hull.gap.normal;
        if (!(hull.gap.distance <= 0)) return false;
        contact_climb(w, n, &peak);
        const int count = contact_fan(w, &peak, fan);
        if (!(cm__point_dot(n, cm__point_sub(cm__point_of(contact_at(&peak)), hull.gap.a)) > contact_blur(w)))
            return hull.gap.distance <= w->deepest_gap + w->slack && contact_is_outside(w, &hull.gap) &&
                   contact_take(w, &hull, fan, count, true, depth);
        for (int k = 0; k < count && k < HULL_RING; k++) {
            const cm_triangle *t = &fan[k].triangle;
            if (!contact_add_corner(&hull, t->a) || !contact_add_corner(&hull, t->b) ||
                !contact_add_corner(&hull, t->c))
                return false;
        }
    }
    return false;
}

/* --- all that are overlapped ------------------------------------------------------------------------------------- */

bool cm__contact_together(cm__contact_walk *w, bool last, double *depth) {
    cm__contact_part near[CLOUD_TRIANGLES];
    contact_hull hull;
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
        hull.cloud.count = 0;
        for (int i = 0; i < count; i++) cloud_add(&hull.cloud, &near[i].triangle);
        contact_hull_gap(w, &hull);
        if (hull.gap.distance <= 0 && (last || contact_is_outside(w, &hull.gap)) &&
            contact_take(w, &hull, near, count, false, depth))
            return true;
    }
    return last && !w->own && contact_around_deepest(w, depth);
}
