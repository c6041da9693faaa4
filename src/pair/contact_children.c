/* Contacts of a convex shape with several children of a compound together (contact_walk.h): along the way out of each,
 * if it is clear of all of them then; else along the way out of the convex hull of those that it overlaps, of which the
 * support point is the farthest of theirs. */
#include "math/wide.h"
#include "pair/contact_walk.h"
#include "pair/solid_hull.h"

#include <string.h>

enum { CHILDREN_MOST = 16 };

/* Convex children, each in the frame of the shape. */
typedef struct joined {
    int count;
    cm__part part[CHILDREN_MOST];
    cm_pose pose[CHILDREN_MOST];
    cm__frame frame[CHILDREN_MOST];
    cm__core core[CHILDREN_MOST];
} joined;

/* The farthest point of a child. */
static cm__point joined_farthest(const joined *j, int i, cm__point direction) {
    const cm__core *core = &j->core[i];
    uint32_t id = core->ops->corner ? 0 : CM_NONE;
    const cm__point far = core->ops->support(core, frame_unrotate(&j->frame[i], direction), &id);
    return cm__point_mul_add(frame_apply(&j->frame[i], far), core->radius, wide_normalize(direction, direction));
}

static cm__point joined_support(const cm__core *core, cm__point direction, uint32_t *id) {
    const joined *j = (const joined *)core->data;
    cm__point best = joined_farthest(j, 0, direction);
    for (int i = 1; i < j->count; i++) {
        const cm__point other = joined_farthest(j, i, direction);
        if (cm__point_dot(direction, cm__point_sub(other, best)) > 0) best = other;
    }
    *id = CM_NONE;
    return best;
}

static void joined_core(const joined *j, cm__core *out) {
    static const cm__core_ops ops = {.support = joined_support};
    memset(out, 0, sizeof *out);
    out->ops = &ops, out->data = j;
    for (int i = 0; i < j->count; i++)
        out->center = cm__point_mul_add(out->center, 1.0 / j->count, frame_apply(&j->frame[i], j->core[i].center));
    for (int i = 0; i < j->count; i++) {
        const cm__point off = cm__point_sub(frame_apply(&j->frame[i], j->core[i].center), out->center);
        out->size = wide_max(out->size, cm__point_length(off) + j->core[i].size + j->core[i].radius);
    }
}

/* Adds a child of a compound that is placed so. False where it is not convex, or one too many. */
static bool joined_add(joined *j, const cm_shape *compound, const cm_pose *at, const cm__part *part) {
    const int i = j->count;
    for (int k = 0; k < i; k++)
        if (j->part[k].number == part->number) return true;
    if (i == CHILDREN_MOST) return false;
    j->part[i] = *part;
    j->part[i].shape = cm__solid_hull_of(&part->shape, compound);
    const cm_shape *shape = &j->part[i].shape;
    if (!cm__ops(shape->kind)->core) return false;
    j->pose[i] = cm_pose_mul(at, &part->pose), j->frame[i] = frame_of_pose(&j->pose[i]);
    cm__ops(shape->kind)->core(shape, &j->core[i]);
    j->count++;
    return true;
}

/* The children that the shape overlaps. */
static bool joined_start(joined *j, const cm__contact_walk *w, const cm_shape *a, const cm_shape *b) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    cm__parts q;
    cm__part part;
    j->count = 0;
    parts->start(&q, b, &w->box);
    while (parts->next(&q, 0, &part)) {
        const cm_pose pose = cm_pose_mul(w->b_in_a, &part.pose);
        if (cm__pair_overlap(a, &part.shape, &pose) && !joined_add(j, b, w->b_in_a, &part)) return false;
    }
    return j->count > 0;
}

/* Adds the others that cover the place where the shape would leave these; point and direction as the poses. */
static bool joined_widen(joined *j, const cm_shape *compound, const cm_pose *pose, double slack, cm__point at,
                         cm__point out) {
    const cm__parts_ops *parts = cm__ops(compound->kind)->parts;
    const cm__frame f = frame_of_pose(pose);
    const cm__point here = frame_unrotate(&f, cm__point_sub(at, f.position)), direction = frame_unrotate(&f, out);
    cm__parts q;
    cm__part part;
    cm_aabb box;
    box.min = box.max = cm__vec3_of(here);
    parts->start(&q, compound, &box);
    while (parts->next(&q, wide_up(slack), &part)) {
        bool known = false;
        for (int i = 0; i < j->count && !known; i++) known = j->part[i].number == part.number;
        if (known || !cm__whole_child_covers(&part, here, direction, slack)) continue;
        if (!joined_add(j, compound, pose, &part)) return false;
    }
    return true;
}

/* Keeps the points that are on the child. */
static void joined_keep(const joined *j, int i, double slack, cm_manifold *m) {
    int kept = 0;
    for (int k = 0; k < m->count; k++) {
        cm_shape point = cm_make_point(m->points[k].point_b);
        point.radius = CM_REAL(slack);
        if (cm__pair_overlap(&point, &j->part[i].shape, &j->pose[i])) m->points[kept++] = m->points[k];
    }
    m->count = kept;
}

/* Is the shape clear of all children where it leaves the first of these each by its own way out, as an edge in an inner
 * corner does, which lies on an edge of either child? Not of flush ones: the way out of one leads into the next. Only
 * by less than `most`. */
static bool joined_alone(const joined *j, int count, const cm__contact_walk *w, const cm_shape *a, const cm_shape *b,
                         double most, cm__convex_gap out[CHILDREN_MOST]) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    cm__core own;
    cm__point by = {0, 0, 0}; /* of the children, seen from the shape */
    cm__parts q;
    cm__part part;
    cm__ops(a->kind)->core(a, &own);
    for (int i = 0; i < count; i++) {
        cm__convex_pair pair;
        cm__convex_pair_of(&own, &j->core[i], &j->frame[i], &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &out[i]);
        const double left = w->slack - out[i].distance - cm__point_dot(by, out[i].normal);
        by = cm__point_mul_add(by, wide_max(left, 0), out[i].normal);
    }
    const double way = cm__point_length(by);
    if (!(way < most)) return false;
    const cm_aabb box = cm_aabb_grow(w->box, wide_up(way));
    parts->start(&q, b, &box);
    while (parts->next(&q, 0, &part)) {
        cm_pose pose = cm_pose_mul(w->b_in_a, &part.pose);
        pose.position = cm__vec3_of(cm__point_add(cm__point_of(pose.position), by));
        if (cm__pair_overlap(a, &part.shape, &pose)) return false;
    }
    return true;
}

/* The contact with a child along a normal; `distance`: of the cores, without their radii. */
static void joined_contact(const cm__contact_walk *w, const cm_shape *a, const joined *j, int i, cm__point core_a,
                           cm__point normal, double distance, cm_manifold *out) {
    const cm__gap gap = {
        .a = core_a, .b = cm__point_mul_add(core_a, distance, normal), .normal = normal, .distance = distance};
    cm__convex_contact_along(a, &j->part[i].shape, &j->frame[i], &gap, w->margin, out);
}

/* Of a mesh that is asked as its hull: the triangle on which the contact lies. */
static void joined_name(const cm__contact_walk *w, const cm_shape *shape, cm_manifold *m) {
    if (shape_mesh(shape)) m->part_a = cm__solid_hull_triangle(shape, m->points[0].point_a, m->normal, w->slack);
}

/* The contacts with the first of the children, each by its own way out. */
static void joined_add_alone(const joined *j, int count, cm__contact_walk *w, const cm_shape *shape, const cm_shape *a,
                             double radius, const cm__convex_gap *alone) {
    for (int i = 0; i < count; i++) {
        const double distance = alone[i].distance + radius + j->core[i].radius;
        cm_manifold m;
        joined_contact(w, a, j, i, alone[i].core_a, alone[i].normal, distance, &m);
        m.part_b = j->part[i].number;
        joined_name(w, shape, &m);
        cm__contacts_add(w->to, &m);
    }
}

/* The contacts with all of the children along the normal. `core_a`: a point of the core of a that is the farthest. */
static void joined_add_along(cm__contact_walk *w, const cm_shape *shape, const cm_shape *a, const cm_shape *b,
                             const joined *j, cm__point n, cm__point core_a) {
    cm__core own;
    cm__ops(a->kind)->core(a, &own);
    uint32_t id = own.ops->corner ? 0 : CM_NONE;
    const cm__point low = own.ops->support(&own, n, &id);
    for (int i = 0; i < j->count; i++) {
        /* of the cores, without their radii */
        const double far = cm__point_dot(n, cm__point_sub(joined_farthest(j, i, wide_neg(n)), low));
        const double distance = far + j->core[i].radius;
        cm_manifold m;
        if (!(distance <= own.radius + j->core[i].radius)) continue;
        joined_contact(w, a, j, i, core_a, n, distance, &m);
        joined_keep(j, i, w->slack, &m);
        if (m.count == 0) continue;
        joined_name(w, shape, &m);
        const cm__contact_whole whole = contact_whole_of(w, b, &j->part[i]);
        w->to->level = &whole.level;
        cm__contacts_add(w->to, &m);
        w->to->level = whole.level.outer;
    }
}

/* The way out of one convex hull from the other; false where they are apart. */
static bool joined_gap(const cm__core *a, const cm__core *b, cm__convex_gap *out) {
    const cm_pose identity = cm_pose_identity();
    const cm__frame same = frame_of_pose(&identity);
    cm__convex_pair pair;
    cm__convex_pair_of(a, b, &same, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, out);
    return out->distance <= 0;
}

void cm__contact_with_children(cm__contact_walk *w, const cm_shape *shape, const cm_shape *b) {
    const cm_shape as_hull = cm__solid_hull_of(shape, b), *a = &as_hull;
    joined j;
    cm__core own, all;
    cm__convex_gap found, alone[CHILDREN_MOST];
    if (!joined_start(&j, w, a, b)) return;
    cm__ops(a->kind)->core(a, &own);
    const int overlapped = j.count;
    for (int before = 0; before < j.count;) {
        before = j.count;
        joined_core(&j, &all);
        if (!joined_gap(&own, &all, &found)) return;
        if (!joined_widen(&j, b, w->b_in_a, w->slack, found.b, wide_neg(found.normal))) return;
    }
    if (joined_alone(&j, overlapped, w, a, b, -found.distance, alone))
        joined_add_alone(&j, overlapped, w, shape, a, own.radius, alone);
    else
        joined_add_along(w, shape, a, b, &j, found.normal, found.core_a);
}

/* --- two compounds ----------------------------------------------------------------------------------------------- */

/* The children of each that overlap one of the other, in the frame of a. */
static bool joined_both(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, joined *of_a, joined *of_b) {
    const cm__parts_ops *parts = cm__ops(a->kind)->parts, *others = cm__ops(b->kind)->parts;
    const cm_pose identity = cm_pose_identity(), a_in_b = cm_pose_between(b_in_a, &identity);
    cm_aabb box;
    cm__parts q, near;
    cm__part part, other;
    of_a->count = of_b->count = 0;
    cm__composite_box(b, b_in_a, &box);
    parts->start(&q, a, &box);
    while (parts->next(&q, 0, &part)) {
        const cm_pose in_b = cm_pose_mul(&a_in_b, &part.pose), b_in_part = cm_pose_between(&in_b, &identity);
        cm_shape_bounds(&part.shape, &in_b, &box);
        others->start(&near, b, &box);
        while (others->next(&near, 0, &other)) {
            const cm_pose pose = cm_pose_mul(&b_in_part, &other.pose);
            if (!cm__pair_overlap(&part.shape, &other.shape, &pose)) continue;
            if (!joined_add(of_a, a, &identity, &part) || !joined_add(of_b, b, b_in_a, &other)) return false;
        }
    }
    return of_a->count > 0;
}

void cm__contact_of_children(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                             cm__contacts *to) {
    const cm_pose identity = cm_pose_identity();
    joined of_a, of_b;
    cm__core core_a, core_b;
    cm__convex_gap found;
    if (!joined_both(a, b, b_in_a, &of_a, &of_b)) return;
    joined_core(&of_a, &core_a), joined_core(&of_b, &core_b);
    const double slack =
        16 * (double)CM_REAL_EPSILON *
        (cm__point_largest(core_a.center) + core_a.size + cm__point_largest(core_b.center) + core_b.size);
    for (int before = 0; before < of_a.count + of_b.count;) {
        before = of_a.count + of_b.count;
        joined_core(&of_a, &core_a), joined_core(&of_b, &core_b);
        if (!joined_gap(&core_a, &core_b, &found)) return;
        if (!joined_widen(&of_a, a, &identity, slack, found.a, found.normal)) return;
        if (!joined_widen(&of_b, b, b_in_a, slack, found.b, wide_neg(found.normal))) return;
    }
    const double place = cm__point_largest(cm__point_of(b_in_a->position));
    for (int i = 0; i < of_a.count; i++) {
        const cm__part *part = &of_a.part[i];
        const cm_pose in_part = cm_pose_between(&part->pose, b_in_a);
        const cm__point n = frame_unrotate(&of_a.frame[i], found.normal);
        const cm__contact_whole whole = {{to->level, cm__contact_of_first},
                                         a,
                                         &part->pose,
                                         part->number,
                                         place + cm__point_largest(cm__point_of(part->pose.position))};
        joined j = {.count = 0};
        cm__contact_walk w;
        w.b_in_a = &in_part, w.margin = margin, w.slack = slack, w.to = to;
        for (int k = 0; k < of_b.count; k++) joined_add(&j, b, &in_part, &of_b.part[k]);
        uint32_t id = of_a.core[i].ops->corner ? 0 : CM_NONE;
        to->level = &whole.level;
        joined_add_along(&w, &part->shape, &part->shape, b, &j, n, of_a.core[i].ops->support(&of_a.core[i], n, &id));
        to->level = whole.level.outer;
    }
}
