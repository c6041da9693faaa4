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

/* Adds a child. False where it is not convex, or one too many. */
static bool joined_add(joined *j, const cm__contact_walk *w, const cm__part *part) {
    const int i = j->count;
    if (i == CHILDREN_MOST || !cm__ops(part->shape.kind)->core) return false;
    j->part[i] = *part, j->pose[i] = cm_pose_mul(w->b_in_a, &part->pose), j->frame[i] = frame_of_pose(&j->pose[i]);
    cm__ops(part->shape.kind)->core(&part->shape, &j->core[i]);
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
        if (cm__pair_overlap(a, &part.shape, &pose) && !joined_add(j, w, &part)) return false;
    }
    return j->count > 0;
}

/* Adds the others that cover the place where the shape would leave these; point and direction in the shape's frame. */
static bool joined_widen(joined *j, const cm__contact_walk *w, const cm_shape *b, cm__point at, cm__point out) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    const cm__frame f = frame_of_pose(w->b_in_a);
    const cm__point here = frame_unrotate(&f, cm__point_sub(at, f.position)), direction = frame_unrotate(&f, out);
    cm__parts q;
    cm__part part;
    cm_aabb box;
    box.min = box.max = cm__vec3_of(here);
    parts->start(&q, b, &box);
    while (parts->next(&q, wide_up(w->slack), &part)) {
        bool known = false;
        for (int i = 0; i < j->count && !known; i++) known = j->part[i].number == part.number;
        if (known || !cm__whole_child_covers(&part, here, direction, w->slack)) continue;
        if (!joined_add(j, w, &part)) return false;
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
    cm__point by = {0, 0, 0}; /* of the children, seen from the shape */
    cm__parts q;
    cm__part part;
    for (int i = 0; i < count; i++) {
        cm__convex_pair pair;
        cm__convex_pair_of(&w->prepared.core, &j->core[i], &j->frame[i], &pair);
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
    cm__convex_contact_along(w->prepared.shape, &j->part[i].shape, &j->frame[i], &gap, w->margin, out);
    if (a != w->prepared.shape)
        out->part_a = cm__solid_hull_triangle(a, cm__vec3_of(core_a), cm__vec3_of(normal), w->slack);
}

/* The contacts with the first of the children, each by its own way out. */
static void joined_add_alone(const joined *j, int count, cm__contact_walk *w, const cm_shape *a, double radius,
                             const cm__convex_gap *alone) {
    for (int i = 0; i < count; i++) {
        const double distance = alone[i].distance + radius + j->core[i].radius;
        cm_manifold m;
        joined_contact(w, a, j, i, alone[i].core_a, alone[i].normal, distance, &m);
        m.part_b = j->part[i].number;
        cm__contacts_add(w->to, &m);
    }
}

void cm__contact_with_children(cm__contact_walk *w, const cm_shape *a, const cm_shape *b) {
    joined j;
    const cm__core own = w->prepared.core;
    cm__core all;
    cm__convex_pair pair;
    cm__convex_gap found, alone[CHILDREN_MOST];
    const cm_pose identity = cm_pose_identity();
    const cm__frame same = frame_of_pose(&identity);
    if (!joined_start(&j, w, a, b)) return;
    const int overlapped = j.count;
    for (int before = 0; before < j.count;) {
        before = j.count;
        joined_core(&j, &all);
        cm__convex_pair_of(&own, &all, &same, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &found);
        if (!(found.distance <= 0) || !joined_widen(&j, w, b, found.b, wide_neg(found.normal))) return;
    }
    if (joined_alone(&j, overlapped, w, a, b, -found.distance, alone)) {
        joined_add_alone(&j, overlapped, w, a, own.radius, alone);
        return;
    }
    uint32_t id = own.ops->corner ? 0 : CM_NONE;
    const cm__point n = found.normal, low = own.ops->support(&own, n, &id);
    for (int i = 0; i < j.count; i++) {
        /* of the cores, without their radii */
        const double far = cm__point_dot(n, cm__point_sub(joined_farthest(&j, i, wide_neg(n)), low));
        const double distance = far + j.core[i].radius;
        cm_manifold m;
        if (!(distance <= own.radius + j.core[i].radius)) continue;
        joined_contact(w, a, &j, i, found.core_a, n, distance, &m);
        joined_keep(&j, i, w->slack, &m);
        if (m.count == 0) continue;
        const cm__contact_whole whole = contact_whole_of(w, b, &j.part[i]);
        w->to->level = &whole.level;
        cm__contacts_add(w->to, &m);
        w->to->level = whole.level.outer;
    }
}
