/* Collects the contacts of composites, and decides which contacts of a child are contacts of its compound.
 *
 * A contact of a child is left out where other children cover it, that is, where each of its points lies on another
 * child that reaches farther along the normal there. Faces hidden between flush children are covered, and so are the
 * sides of a seam in a flat top. Whether a child that is not convex reaches farther is decided by its triangles there,
 * and by a ball that touches the plane across the normal from beyond. Frame: each level's. No memory. */
#include "math/closest.h"
#include "math/wide.h"
#include "pair/contacts.h"
#include "pair/join.h"
#include "pair/pair.h"

#define WHOLE_ANGLE 1e-5 /* radians: the error of normals of curved bodies */
#define WHOLE_ROUND 16   /* CM_REAL_EPSILONs of the coordinates: a point this near to a child lies on it */
#define WHOLE_BALL  128  /* of that: the radius of the ball that looks for what rises beside a point */

/* --- the way to the caller --------------------------------------------------------------------------------------- */

bool cm__contacts_wants_spare(const cm__contacts *c, double depth) {
    if (c->count > 0) return false;
    const double old = c->refused > 0 ? contacts_depth(&c->spare) : 0;
    return c->refused == 0 || (depth >= 0 ? !(old >= 0 && old <= depth) : depth > old);
}

static bool contacts_pass(const cm__contacts *c, cm_manifold *m) {
    bool has = true;
    for (const cm__contact_level *level = c->level; level; level = level->outer) has = level->pass(level, m) && has;
    return has;
}

static void contacts_put_spare(cm__contacts *c, const cm_manifold *m) {
    if (cm__contacts_wants_spare(c, contacts_depth(m))) c->spare = *m;
    c->refused++;
}

static void contacts_write(cm__contacts *c, int i) {
    if (i < c->capacity) c->out[i] = c->open[i % CONTACTS_OPEN];
}

static bool contacts_may_join(const cm__contacts *c, const cm_manifold *m, const cm_manifold *other) {
    return c->joins && (!c->by_child_a || m->part_a == other->part_a) &&
           (!c->by_child_b || m->part_b == other->part_b) && cm__manifolds_have_one_normal(m, other);
}

/* Joins the manifold to an open one, the oldest first, or opens it. */
static void contacts_join(cm__contacts *c, cm_manifold *m) {
    for (int i = 0; i < m->count; i++) m->points[i].depth = cm_max(m->points[i].depth, c->least);
    for (int i = c->joined > CONTACTS_OPEN ? c->joined - CONTACTS_OPEN : 0; i < c->joined; i++) {
        cm_manifold *open = &c->open[i % CONTACTS_OPEN];
        if (contacts_may_join(c, open, m) && cm__manifold_join(open, m)) return;
    }
    if (c->joined >= CONTACTS_OPEN) contacts_write(c, c->joined - CONTACTS_OPEN);
    c->open[c->joined++ % CONTACTS_OPEN] = *m;
}

/* Joins what is open to one another, as far as parts of a plane have come together since, and writes it. */
static void contacts_write_open(cm__contacts *c) {
    const int first = c->joined > CONTACTS_OPEN ? c->joined - CONTACTS_OPEN : 0;
    for (int i = first; i < c->joined; i++) {
        cm_manifold *m = &c->open[i % CONTACTS_OPEN];
        for (int k = i + 1; k < c->joined; k++) {
            const cm_manifold *other = &c->open[k % CONTACTS_OPEN];
            if (!contacts_may_join(c, m, other) || !cm__manifold_join(m, other)) continue;
            for (int l = k; l + 1 < c->joined; l++) c->open[l % CONTACTS_OPEN] = c->open[(l + 1) % CONTACTS_OPEN];
            c->joined--, k = i; /* what did not fit before may do so now */
        }
        contacts_write(c, i);
    }
}

void cm__contacts_add(cm__contacts *c, cm_manifold *m) {
    if (c->level && !contacts_pass(c, m)) {
        contacts_put_spare(c, m);
        return;
    }
    if (c->count++ == 0) c->joined = 0; /* weak ones count no more */
    contacts_join(c, m);
}

void cm__contacts_add_weak(cm__contacts *c, cm_manifold *m) {
    if (c->count > 0) return;
    const bool has = contacts_pass(c, m);
    contacts_put_spare(c, m);
    if (!has) return;
    c->weak_depth = wide_max(c->weak_depth, contacts_depth(m));
    c->weak++;
    contacts_join(c, m);
}

void cm__contacts_add_spare(cm__contacts *c, cm_manifold *m) {
    contacts_pass(c, m);
    contacts_put_spare(c, m);
}

int cm__contacts_end(cm__contacts *c) {
    contacts_write_open(c);
    if (c->joined > 0) return c->joined;
    if (c->refused == 0) return 0;
    if (c->capacity > 0) c->out[0] = c->spare;
    return 1;
}

/* --- compounds --------------------------------------------------------------------------------------------------- */

/* Does what reaches from p to `far` rise along the direction? */
static bool whole_rises(cm__point p, cm__point far, cm__point direction, double noise) {
    const cm__point way = cm__point_sub(far, p);
    return cm__point_dot(way, direction) > WHOLE_ANGLE * cm__point_length(way) + noise;
}

/* Does a triangle of a child that holds p, within `noise`, reach farther along the direction? Only those that are near
 * are asked. */
static bool whole_triangle_rises(const cm__part *child, const cm_pose *to_child, cm__point p, cm__point direction,
                                 double noise) {
    const cm__parts_ops *parts = cm__ops(child->shape.kind)->parts;
    const cm__frame f = frame_of_pose(to_child);
    const cm__point at = frame_apply(&f, p), along = frame_rotate(&f, direction);
    cm__parts q;
    cm__part part;
    cm_aabb box;
    box.min = box.max = cm__vec3_of(at);
    parts->start(&q, &child->shape, &box);
    while (parts->next(&q, wide_up(noise), &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        const cm__point c[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)};
        cm__closest_on_triangle on;
        cm__closest_point_triangle(at, c[0], c[1], c[2], &on);
        if (!(cm__point_length(on.gap) <= noise)) continue;
        for (int i = 0; i < 3; i++)
            if (whole_rises(at, c[i], along, noise)) return true;
    }
    return false;
}

bool cm__whole_child_covers(const cm__part *child, cm__point p, cm__point direction, double noise) {
    cm_pose identity = cm_pose_identity(), to_child = cm_pose_between(&child->pose, &identity);
    const cm__shape_ops *ops = cm__ops(child->shape.kind);
    cm_shape point = cm_make_point(cm_pose_apply(&to_child, cm__vec3_of(p)));
    point.radius = (cm_real)noise;
    if (!cm__pair_overlap(&point, &child->shape, &identity)) return false;
    if (ops->core) {
        cm__core core;
        cm__frame f = frame_of_pose(&child->pose);
        ops->core(&child->shape, &core);
        uint32_t id = core.ops->corner ? 0 : CM_NONE;
        cm__point far = frame_apply(&f, core.ops->support(&core, frame_unrotate(&f, direction), &id));
        return whole_rises(p, cm__point_mul_add(far, core.radius, direction), direction, noise);
    }
    if (whole_triangle_rises(child, &to_child, p, direction, noise)) return true;
    /* a ball that touches the plane across the direction but for rounding: what rises over it by 7 degrees meets it */
    cm__point out = cm__point_mul_add(p, WHOLE_BALL * noise, direction);
    point = cm_make_point(cm_pose_apply(&to_child, cm__vec3_of(out)));
    point.radius = (cm_real)((WHOLE_BALL - 1) * noise);
    return cm__pair_overlap(&point, &child->shape, &identity);
}

bool cm__find_part(const cm_shape *composite, uint32_t number, cm__point at, cm_real within, cm__part *out) {
    const cm__parts_ops *parts = cm__ops(composite->kind)->parts;
    cm__parts q;
    cm_aabb box;
    box.min = box.max = cm__vec3_of(at);
    parts->start(&q, composite, &box);
    while (parts->next(&q, within, out))
        if (out->number == number) return true;
    return false;
}

bool cm__whole_has(const cm_shape *compound, uint32_t number, cm__point at, cm__point direction, double noise) {
    const cm__parts_ops *parts = cm__ops(compound->kind)->parts;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    box.min = box.max = cm__vec3_of(at);
    parts->start(&q, compound, &box);
    while (parts->next(&q, (cm_real)noise, &part))
        if (part.number != number && cm__whole_child_covers(&part, at, direction, noise)) return false;
    return true;
}

static bool whole_has(const cm__contact_whole *w, cm__point p, cm__point direction, double place) {
    const double noise = WHOLE_ROUND * (double)CM_REAL_EPSILON * (cm__point_largest(p) + place);
    return cm__whole_has(w->shape, w->number, p, direction, noise);
}

bool cm__contact_of_first(const cm__contact_level *level, cm_manifold *m) {
    const cm__contact_whole *w = (const cm__contact_whole *)level;
    cm__manifold_to_world(m, w->pose);
    m->part_a = w->number;
    const cm__point direction = cm__point_of(m->normal);
    for (int i = 0; i < m->count; i++)
        if (whole_has(w, cm__point_of(m->points[i].point_a), direction, w->place)) return true;
    return false;
}

bool cm__contact_of_second(const cm__contact_level *level, cm_manifold *m) {
    const cm__contact_whole *w = (const cm__contact_whole *)level;
    m->part_b = w->number;
    if (!cm__ops(w->shape->kind)->parts->children) {
        for (int i = 0; i < m->count; i++) m->points[i].feature_b = contacts_feature(w->number, m->points[i].feature_b);
        return true;
    }
    const cm__frame f = frame_of_pose(w->pose);
    const cm__point direction = wide_neg(frame_unrotate(&f, cm__point_of(m->normal)));
    for (int i = 0; i < m->count; i++) {
        cm__point p = frame_unrotate(&f, cm__point_sub(cm__point_of(m->points[i].point_b), f.position));
        if (whole_has(w, p, direction, cm__point_largest(f.position) + w->place)) return true;
    }
    return false;
}

bool cm__contact_swapped(const cm__contact_level *level, cm_manifold *m) {
    cm__manifold_to_world(m, ((const cm__contact_swap *)level)->pose);
    cm__manifold_swap(m);
    return true;
}
