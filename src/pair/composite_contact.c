/* Contacts of a convex shape with a composite: one manifold for each triangle or child that it touches, along a normal
 * that the whole surface has there (surface.h). So a box that slides over a flat mesh does not catch on internal edges.
 *
 * For each triangle within the margin, the first of these that holds:
 * 1. The direction of least depth out of this triangle, if the surface has that direction.
 * 2. The triangle's own normal, if moving along it leaves the whole surface.
 * 3. No contact: another feature of the surface is touched here. The contact is kept as a spare.
 *
 * On a convex solid every contact then has the depth and a normal of the solid's hull. A triangle whose way out by
 * itself is not out of its front is asked by the second rule last, and has no contact where the contacts of others
 * leave it, too: at a sharp edge a shape that enters one face comes out of the other, whose normal is the long way. A
 * shape that overlaps must have a contact. So where the rules leave none, in a hollow each face has one
 * (contact_hollow.c); else all overlapped triangles, or the convex surface around the deepest one, are treated as one
 * convex body (contact_hull.c). If the surface does not have that direction either, the spare of least depth is the
 * answer. Of a compound, whose children are asked one by one, see contact_children.c. The order of the walk does
 * not matter. Frame: the triangles'; answers are rotated back. No memory. */
#include "math/closest.h"
#include "pair/contact_walk.h"
#include "pair/method.h"
#include "pair/solid_hull.h"

#define CONTACT_CURVED  1e-11       /* of the size of a curved shape: the error of its depth */
#define CONTACT_NEAR    1e-3        /* of a depth: a remaining overlap of less does not refute a direction */
#define CONTACT_OWN     .7          /* cosine: a way out this near to a triangle's normal is out of its front */
#define CONTACT_FAR     10          /* a way out so many times as long as another one is none */
#define CONTACT_ONE     (1 - 1e-10) /* cosine: normals that differ by rounding */
#define CONTACT_AGAINST (-.5)       /* cosine: a way out this far from a triangle's normal is out of its back */

/* Turns a manifold from triangle to shape into one from shape to composite, in the shape's frame. */
static void contact_to_shape(const cm__contact_walk *w, cm_manifold *m, uint32_t number) {
    cm__prepared_manifold_to_shape(&w->prepared, m);
    m->part_b = number;
    if (w->own) m->part_a = w->own->number;
    for (int i = 0; i < m->count; i++) {
        cm_contact_point *p = &m->points[i];
        p->feature_b = contacts_feature(number, p->feature_b);
        if (w->own) p->feature_a = contacts_feature(w->own->number, p->feature_a);
    }
}

static void contact_note(const cm__contact_walk *w, double depth, cm__point normal, uint32_t number, bool both) {
    contacts_note(w->to, both, depth, normal, w->own ? w->own->number : CM_NONE, number);
}

/* Notes the plane of a contact of two surfaces, while there is room. */
static void contact_note_plane(const cm__contact_walk *w, const cm_manifold *m) {
    const cm__facing plane = {cm__point_of(m->normal),
                              cm__point_dot(cm__point_of(m->normal), cm__point_of(m->points[0].point_a)),
                              contacts_depth(m)};
    for (int i = 0; i < w->own->planes; i++) {
        cm__facing *known = &w->own->plane[i];
        if (cm__point_dot(known->normal, plane.normal) < CONTACT_ONE || fabs(known->level - plane.level) > w->slack)
            continue;
        known->depth = wide_max(known->depth, plane.depth);
        return;
    }
    if (w->own->planes < CM__FACING_PLANES) w->own->plane[w->own->planes++] = plane;
}

void cm__contact_add(cm__contact_walk *w, cm_manifold *m, uint32_t number, bool both) {
    contact_note(w, contacts_depth(m), cm__point_of(m->normal), number, both);
    if (w->own && both) contact_note_plane(w, m);
    contact_to_shape(w, m, number);
    if (both)
        cm__contacts_add(w->to, m);
    else
        cm__contacts_add_weak(w->to, m);
}

static void contact_keep(cm__contact_walk *w, const cm__contact_part *part, const cm__gap *gap, bool both) {
    cm_manifold m;
    if (both) contact_note(w, -gap->distance, gap->normal, part->number, true);
    cm__prepared_manifold(&w->prepared, &part->triangle, gap, false, (double)w->margin, &m);
    cm__contact_add(w, &m, part->number, both);
}

/* The translation along a direction by which the shape, at this height, surely leaves; 0 where it has left. */
static cm__point contact_way(const cm__contact_walk *w, cm__point direction, double height) {
    return cm__point_scale(direction, height < 0 ? -height * (1 + CONTACT_NEAR) + w->slack : 0);
}

/* Keeps the better of two contacts whose direction the surface does not have: of overlapping ones the one of least
 * depth, else the nearest. Two triangles that share an edge may give the same one. */
static void contact_spare(cm__contact_walk *w, const cm__contact_part *part, const cm__gap *gap) {
    if (w->to->count > w->before) return;
    const double d = gap->distance, old = w->spare_gap.distance;
    if (w->spare && d == old && !contact_is_before(&part->triangle, &w->spare_part.triangle)) return;
    if (w->spare && (d <= 0 ? old <= 0 && old > d : old < d)) return;
    w->spare = true;
    w->spare_gap = *gap, w->spare_part = *part;
}

/* Does a triangle of the other surface lie in the plane of the shape's own, within rounding, though that surface's
 * middle does not? The triangle is on neither side then; where the middle is decides. */
static bool contact_is_flush(const cm__contact_walk *w, const cm_triangle *own, const cm__point other[3]) {
    const cm__point from = cm__point_of(own->a);
    const cm__point n = cm__point_normal(from, cm__point_of(own->b), cm__point_of(own->c));
    const double slack = w->slack * cm__point_length(n);
    for (int i = 0; i < 3; i++)
        if (!(fabs(cm__point_dot(n, cm__point_sub(other[i], from))) <= slack)) return false;
    return fabs(cm__point_dot(n, cm__point_sub(w->own->self.center, from))) > slack;
}

bool cm__contact_own_has(const cm__contact_walk *w, const cm_triangle *t, cm__point at, cm__point normal) {
    if (!w->own) return true;
    const cm__frame *f = &w->prepared.to_shape;
    const cm_triangle *mine = &w->prepared.shape->u.triangle;
    cm__point direction = wide_neg(frame_rotate(f, normal)), place = frame_apply(f, at);
    if (w->own->self.solid || w->own->other.solid)
        return cm__surface_has(&w->own->self, w->own->number, mine, place, &direction);
    const cm__point c[3] = {frame_apply(f, cm__point_of(t->a)), frame_apply(f, cm__point_of(t->b)),
                            frame_apply(f, cm__point_of(t->c))};
    if (contact_is_flush(w, mine, c)) {
        cm__surface *self = &w->own->self;
        cm__point out;
        const bool known = cm__surface_normal(self, w->own->number, mine, place, &out);
        if (known && cm__point_dot(out, direction) < CONTACT_AGAINST) return false;
        return cm__surface_has(self, w->own->number, mine, place, &direction);
    }
    const cm__point center = cm__point_scale(cm__point_add(c[0], cm__point_add(c[1], c[2])), 1.0 / 3);
    cm_aabb box = cm_aabb_empty();
    cm__surface surface;
    for (int i = 0; i < 3; i++) box = cm_aabb_add_point(box, cm__vec3_of(c[i]));
    cm__surface_of(w->own->self.shape, center, &box, &surface);
    surface.box = cm_aabb_grow(box, w->margin);
    return cm__surface_has(&surface, w->own->number, mine, place, &direction);
}

/* Keeps the points that lie over the triangle. */
static void contact_over(cm__contact_walk *w, const cm_triangle *t, bool other_normal, cm_manifold *m) {
    int kept = 0;
    for (int i = 0; i < m->count; i++) {
        const cm_contact_point *p = &m->points[i];
        cm__closest_on_triangle on;
        /* the closest points were found for another normal, so they are hardly the deepest along this one */
        if (other_normal && p->feature_a == CM_NONE && p->feature_b == CM_NONE) continue;
        cm__closest_point_triangle(cm__point_of(p->point_a), cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c),
                                   &on);
        if (cm__point_length(on.gap) <= w->slack) m->points[kept++] = *p;
    }
    m->count = kept;
}

void cm__contact_add_point(cm_manifold *m, cm__point on_triangle, cm__point on_shape, double depth) {
    int at = 0;
    for (int i = 1; i < m->count; i++)
        if (m->points[i].depth < m->points[at].depth) at = i;
    if (m->count < 8) at = m->count++;
    m->points[at] =
        (cm_contact_point){cm__vec3_of(on_triangle), cm__vec3_of(on_shape), CM_REAL(depth), CM_NONE, CM_NONE};
}

/* The shape's lowest point along m->normal may be deeper than any point over this triangle, below another one. That one
 * tells it, unless the shape does not enter through it, as what is flat or pointed and leans: then it is added here.
 * The point holds off the whole surface at `height`. */
static void contact_beside(cm__contact_walk *w, const cm__contact_part *part, cm__point lowest, double height,
                           cm_manifold *m) {
    const cm__point foot = cm__point_mul_add(lowest, -height, cm__point_of(m->normal));
    bool beside = false;
    cm__closest_on_triangle on;
    cm__parts q;
    cm__part below;
    cm_aabb box;
    if (!(height < -w->slack) || contacts_depth(m) >= -height - w->slack) return;
    box.min = box.max = cm__vec3_of(foot);
    w->surface->parts->start(&q, w->surface->shape, &box);
    while (w->surface->parts->next(&q, wide_up(w->slack), &below)) {
        const cm_triangle *t = &below.shape.u.triangle;
        cm__closest_point_triangle(foot, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &on);
        if (cm__point_length(on.gap) > w->slack) continue;
        /* over the very edge, rounding may have clipped all of its points away */
        if (below.number == part->number ? m->count > 0 : cm__prepared_overlap(&w->prepared, t)) return;
        beside = true;
    }
    if (beside) cm__contact_add_point(m, foot, lowest, -height);
}

/* Adds a contact along the triangle's own normal, in place of the direction of least depth. False where moving along it
 * does not leave the whole surface. It does where the shape's lowest point along the normal (any of several equally low
 * ones) is as deep in the surface as it is below the triangle's plane. A triangle that the shape does not touch, and
 * lies behind, is skipped: the shape does not reach through it. `weak`: a direction that only this surface has is
 * added, too, as a weak contact. `way`: how the shape leaves the triangle by that contact. */
static bool contact_along(cm__contact_walk *w, const cm__contact_part *part, const cm__gap *raw, cm__point normal,
                          bool weak, cm__point *way) {
    const cm_triangle *t = &part->triangle;
    if (raw->distance > 0 && !(cm__point_dot(raw->normal, normal) > 0)) return false;
    const cm__point lowest = cm__prepared_lowest(&w->prepared, normal);
    const bool both = cm__contact_own_has(w, t, lowest, normal);
    if (!both && (!weak || w->to->count > 0)) return false;
    const double height = cm__point_dot(normal, cm__point_sub(lowest, cm__point_of(t->a)));
    bool proven = cm__surface_holds_off(w->surface, lowest, normal, height);
    if (!proven && !cm__prepared_is_level(&w->prepared, normal, w->slack)) return false;
    cm__gap gap = *raw;
    cm_manifold m;
    gap.distance *= wide_max(cm__point_dot(raw->normal, normal), 0);
    gap.normal = normal;
    gap.a = cm__point_mul_add(gap.b, -gap.distance, normal);
    bool other_normal = !cm__prepared_deepest(&w->prepared, t, &gap);
    cm__prepared_manifold(&w->prepared, t, &gap, other_normal, (double)w->margin, &m);
    contact_over(w, t, other_normal, &m);
    if (proven) contact_beside(w, part, lowest, height, &m);
    if (m.count == 0) return false;
    for (int i = 0; i < m.count && !proven; i++)
        proven = -(double)m.points[i].depth <= height + w->slack &&
                 cm__surface_holds_off(w->surface, cm__point_of(m.points[i].point_b), normal, height);
    if (!proven) return false;
    cm__contact_add(w, &m, part->number, both);
    *way = contact_way(w, normal, height);
    return true;
}

/* Does an edge of the surface, moved by `way`, still overlap the shape? A flat shape has no inside; for it, is the
 * moved edge within `deep` above it along the normal? */
static bool contact_reaches(const cm__contact_walk *w, const cm__point edge[2], cm__point way, cm__point normal,
                            double deep) {
    const cm__point a = cm__point_add(edge[0], way), b = cm__point_add(edge[1], way);
    const cm_pose identity = cm_pose_identity(), shape = cm_pose_between(w->b_in_a, &identity);
    if (!w->prepared.flat) {
        const cm_shape segment = cm_make_segment(cm__vec3_of(a), cm__vec3_of(b));
        return cm__pair_overlap(&segment, w->prepared.shape, &shape);
    }
    const cm__point below_a = cm__point_mul_add(a, -deep, normal), below_b = cm__point_mul_add(b, -deep, normal);
    const cm_shape first = cm_make_triangle(cm__vec3_of(a), cm__vec3_of(b), cm__vec3_of(below_b));
    const cm_shape second = cm_make_triangle(cm__vec3_of(a), cm__vec3_of(below_b), cm__vec3_of(below_a));
    return cm__pair_overlap(&first, w->prepared.shape, &shape) || cm__pair_overlap(&second, w->prepared.shape, &shape);
}

/* An edge of the shape lies over an edge of the surface. Does moving along the gap's normal also clear the edges that
 * rise from the ends of that edge? False where one of them is still within the shape afterwards: then that one holds
 * the shape. */
static bool contact_clears(const cm__contact_walk *w, const cm__contact_part *part, const cm__gap *gap) {
    cm__point up[2][2];
    const cm__point way = wide_neg(contact_way(w, gap->normal, gap->distance));
    if (!(gap->distance < 0) || !cm__prepared_is_level(&w->prepared, gap->normal, w->slack)) return true;
    const int count = cm__surface_rises(w->surface, part->number, &part->triangle, gap->normal, up);
    for (int i = 0; i < count; i++)
        if (contact_reaches(w, up[i], way, gap->normal, -gap->distance)) return false;
    return true;
}

/* What has no inside, touches a triangle and lies in its plane, within rounding, is on either side; it counts as on the
 * side of the triangle's normal, so that all triangles of one plane tell the same. */
static void contact_lie_before(const cm__contact_walk *w, const cm__contact_part *part, cm__gap *gap) {
    cm__point n;
    if (w->own || !core_is_thin(&w->prepared.core) || gap->distance > 0 || gap->distance < -w->slack) return;
    if (!cm__surface_normal(w->surface, part->number, &part->triangle, gap->a, &n)) return;
    if (!(cm__point_dot(n, gap->normal) < 0)) return;
    const cm__point from = cm__point_of(part->triangle.a);
    const cm__point low = cm__prepared_lowest(&w->prepared, n), high = cm__prepared_lowest(&w->prepared, wide_neg(n));
    if (cm__point_dot(n, cm__point_sub(low, from)) < -w->slack ||
        cm__point_dot(n, cm__point_sub(high, from)) > w->slack)
        return;
    gap->normal = n;
    gap->b = cm__point_mul_add(gap->a, gap->distance, n);
}

/* At a sharp edge a shape that enters one face may come out of the other, whose normal `own` is then a far longer way.
 * Does the shape leave this triangle, too, when it leaves another one by that one's contact? */
static bool contact_is_left(const cm__contact_walk *w, const cm__contact_late *late) {
    const cm_triangle *t = &w->wait[late->at].triangle;
    const cm__point c[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)}, own = late->own;
    const double deep = cm__point_dot(own, cm__point_sub(c[0], cm__prepared_lowest(&w->prepared, own)));
    for (int i = 0; i < w->waiting; i++) {
        const cm__point way = w->way[i];
        const double length = cm__point_length(way);
        if (!(length > 0 && deep > CONTACT_FAR * length)) continue;
        const cm_triangle moved = {cm__vec3_of(cm__point_sub(c[0], way)), cm__vec3_of(cm__point_sub(c[1], way)),
                                   cm__vec3_of(cm__point_sub(c[2], way))};
        if (!cm__prepared_overlap(&w->prepared, &moved)) return true;
    }
    return false;
}

/* The second and third rule. */
static void contact_by_front(cm__contact_walk *w, const cm__contact_late *c, cm__point *way) {
    const cm__contact_part *part = &w->wait[c->at];
    if (c->front && contact_along(w, part, &c->gap, c->own, !c->has, way)) return;
    if (c->has && w->to->count == 0)
        contact_keep(w, part, &c->gap, false);
    else
        contact_spare(w, part, &c->gap);
}

static void contact_triangle(cm__contact_walk *w, uint8_t at) {
    const cm__contact_part *part = &w->wait[at];
    cm__contact_late c = {.at = at};
    cm__point *way = &w->way[at];
    *way = cm__p(0, 0, 0);
    if (!cm__composite_gap(&w->prepared, &w->box, &part->triangle, (double)w->margin, &c.gap)) return;
    contact_lie_before(w, part, &c.gap);
    if (c.gap.distance < w->deepest_gap ||
        (c.gap.distance == w->deepest_gap && contact_is_before(&part->triangle, &w->deepest.triangle)))
        w->deepest_gap = c.gap.distance, w->deepest = *part;
    const bool kept = cm__surface_has(w->surface, part->number, &part->triangle, c.gap.a, &c.gap.normal) &&
                      contact_clears(w, part, &c.gap);
    c.has = cm__contact_normal_at_touch(w, part, kept, &c.gap);
    if (c.has && cm__contact_own_has(w, &part->triangle, c.gap.b, c.gap.normal)) {
        contact_keep(w, part, &c.gap, true);
        *way = contact_way(w, c.gap.normal, c.gap.distance);
        return;
    }
    c.front = cm__surface_normal(w->surface, part->number, &part->triangle, c.gap.a, &c.own);
    const double along = c.front ? cm__point_dot(c.own, c.gap.normal) : 1;
    /* a ball touches a surface in one point: if that is not on this triangle, it is on the triangle in between */
    if (w->surface->ball && along > 0) c.front = false;
    if (!w->own && c.gap.distance < -w->slack - w->curved && along < CONTACT_OWN) {
        w->late[w->late_count++] = c;
        w->behind = w->behind || along < CONTACT_AGAINST;
    } else {
        contact_by_front(w, &c, way);
    }
}

/* Sets the view of the surface (surface.h) from the collected triangles, which are all near the body. Those that are
 * only within the margin count, too: a wall that begins there folds the surface. */
static void contact_view(cm__contact_walk *w) {
    cm__surface_view view;
    cm__surface_view_start(&view);
    for (int i = 0; i < w->waiting; i++) cm__surface_view_add(&view, &w->wait[i].triangle);
    w->surface->view = view;
    w->surface->seen = true;
}

static void contact_waiting(cm__contact_walk *w) {
    cm__point none;
    w->late_count = 0, w->behind = false;
    for (int i = 0; i < w->waiting; i++) contact_triangle(w, (uint8_t)i);
    if (w->behind && w->to->count == w->before &&
        (cm__contact_in_hollow(w, false) || cm__contact_together(w, false, NULL)))
        w->late_count = 0;
    for (int i = 0; i < w->late_count; i++) {
        const cm__contact_late *c = &w->late[i];
        if (!contact_is_left(w, c)) contact_by_front(w, c, &none);
    }
    w->waiting = 0;
}

/* Contacts with a child of a compound. A compound has no surface of its own: contacts.c decides which of a child's
 * contacts it has. */
static void contact_child(cm__contact_walk *w, const cm_shape *a, const cm_shape *b, const cm__part *part) {
    cm_pose pose = cm_pose_mul(w->b_in_a, &part->pose);
    const cm__contact_whole whole = contact_whole_of(w, b, part);
    w->to->level = &whole.level;
    cm__pair_contacts(a, &part->shape, &pose, w->margin, w->to);
    w->to->level = whole.level.outer;
}

static void contact_open(const cm_shape *a, cm__contact_own *own, const cm_shape *b, const cm_pose *b_in_a,
                         cm_real margin, cm__contacts *to, cm__contact_walk *out) {
    out->own = own;
    out->b_in_a = b_in_a;
    out->margin = margin;
    out->to = to, out->before = to->count, out->weak_before = to->weak;
    out->waiting = 0, out->spare = false;
    out->lowest.normal = cm__p(0, 0, 0);
    out->deepest_gap = DBL_MAX;
    cm__prepare(a, b_in_a, &out->prepared);
    cm__prepared_box(&out->prepared, &out->box);
    out->slack = 16 * (double)CM_REAL_EPSILON * (cm__point_largest(out->prepared.center) + out->prepared.size);
    out->curved = out->prepared.core.ops->corner ? 0 : CONTACT_CURVED * out->prepared.size;
    out->surface = own && own->self.solid ? &own->other : &out->here;
    if (!surface_exists(b)) return;
    cm__surface_of(b, out->prepared.center, &out->box, &out->here);
    out->here.box = cm_aabb_grow(out->box, margin);
    out->here.ball = out->prepared.kind == CM__PREPARED_BALL;
    out->prepared.solid = out->here.solid && !own; /* for a triangle of a surface its own front decides the side */
}

static void contact_walk_parts(const cm_shape *a, const cm_shape *b, cm__contact_walk *w) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    const int refused = w->to->refused;
    cm__parts q;
    cm__part part;
    bool all = true;
    parts->start(&q, b, &w->box);
    while (parts->next(&q, w->margin, &part)) {
        if (!part_is_triangle(&part)) {
            contact_child(w, a, b, &part);
            continue;
        }
        if (w->waiting == CONTACT_WAITING) all = false, contact_waiting(w);
        w->wait[w->waiting].triangle = part.shape.u.triangle, w->wait[w->waiting++].number = part.number;
    }
    if (all && w->waiting > 0 && w->surface == &w->here && !w->here.ball) contact_view(w);
    contact_waiting(w);
    if (parts->children && cm__ops(a->kind)->core && w->to->count == w->before && w->to->refused > refused)
        cm__contact_with_children(w, a, b);
    if (w->to->count > w->before || w->to->weak > w->weak_before || !w->spare ||
        (w->spare_gap.distance <= 0 && (cm__contact_in_hollow(w, true) || cm__contact_together(w, true, NULL))) ||
        !cm__contacts_wants_spare(w->to, -w->spare_gap.distance))
        return;
    cm_manifold m;
    cm__prepared_manifold(&w->prepared, &w->spare_part.triangle, &w->spare_gap, false, (double)w->margin, &m);
    contact_to_shape(w, &m, w->spare_part.number);
    cm__contacts_add_spare(w->to, &m);
}

void cm__solid_with_children(const cm_shape *mesh, const cm_shape *compound, const cm_pose *in_mesh, cm_real margin,
                             cm__contacts *to) {
    const cm_shape hull = cm__solid_hull_of(mesh, compound);
    cm__contact_walk w;
    contact_open(&hull, NULL, compound, in_mesh, margin, to, &w);
    cm__contact_with_children(&w, mesh, compound);
}

void cm__triangle_surface_contacts(const cm_shape *triangle, cm__contact_own *own, const cm_shape *b,
                                   const cm_pose *b_in_a, cm_real margin, cm__contacts *to) {
    cm__contact_walk w;
    contact_open(triangle, own, b, b_in_a, margin, to, &w);
    contact_walk_parts(triangle, b, &w);
}

void cm__triangle_facing_contacts(const cm_shape *triangle, cm__contact_own *own, const cm_shape *b,
                                  const cm_pose *b_in_a, cm_real margin, const cm__facing *plane,
                                  const cm__facing_triangles *other, cm__contacts *to) {
    cm__contact_walk w;
    cm_manifold m;
    contact_open(triangle, own, b, b_in_a, margin, to, &w);
    const cm_aabb box = cm_aabb_grow(w.box, wide_up(wide_max(plane->depth, 0) + (double)margin + w.slack));
    for (int i = 0; i < other->count; i++) {
        const cm_triangle *t = &other->triangle[i];
        if (!cm_aabb_overlaps(&other->box[i], &box)) continue;
        const cm__gap gap = {
            .a = cm__point_of(t->a), .b = cm__point_of(t->a), .normal = plane->normal, .distance = (double)margin};
        cm__prepared_manifold(&w.prepared, t, &gap, true, (double)margin, &m);
        contact_over(&w, t, true, &m);
        if (m.count > 0 && contacts_depth(&m) <= plane->depth + w.slack)
            cm__contact_add(&w, &m, other->number[i], true);
    }
}

/* The contact with the convex surface around the wall that is the nearest, if it is as deep as is known. */
static bool contact_at_wall(const cm_shape *b, const cm_witness *inside, cm__contact_walk *w) {
    cm__part wall;
    if (!surface_exists(b) || !cm__solid_wall(&w->prepared, b, inside, &wall)) return false;
    w->deepest.triangle = wall.shape.u.triangle, w->deepest.number = wall.number;
    w->deepest_gap = wide_min(w->deepest_gap, (double)inside->distance);
    return cm__contact_together(w, true, NULL);
}

void cm__convex_composite_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                   cm__contacts *to) {
    cm__contact_walk w;
    cm_witness inside;
    cm_manifold m;
    contact_open(a, NULL, b, b_in_a, margin, to, &w);
    contact_walk_parts(a, b, &w);
    if (to->count > w.before || !cm__solid_depth(a, b, b_in_a, &inside)) return;
    if (contact_at_wall(b, &inside, &w)) return;
    /* no direction of the surface leads out: where the distance is deepest */
    cm__method_convex_composite.distance(a, b, b_in_a, 0, &inside);
    cm__manifold_of_witness(&inside, &m);
    cm__contacts_add(to, &m);
}
