/* cm_mesh_sweep_vertices: pairs of nodes whose boxes are near, down to pairs of triangles, and of these the features
 * that each of the two looks after (refit.h), so that every pair of a point and a triangle, and of two edges, is looked
 * at once. A mesh against itself is walked as pairs of nodes too, each pair in one order only.
 *
 * Two boxes are left out where they are more than d apart along an axis by the test that two features begin with
 * (course.h); as rounding is monotone, what is left out is what that test frees. So the answer is that of all pairs.
 *
 * Parallel: the first pairs of nodes are opened until there are SWEEP_ITEMS; each is an item with a stack of its own,
 * and stops where its room for contacts is full, until they were visited. So neither items nor the order of visits
 * depends on the workers. Without visits each item keeps its least contact, and looks only for sooner ones.
 *
 * Bound: a stack holds SWEEP_STACK pairs: a pair of a node with itself is opened to 10 others at most, on
 * CM__BVH_DEPTH levels, any other to 4, on twice as many. */
#include "base/memory.h"
#include "base/tasks.h"
#include "deform/body.h"
#include "deform/refit.h"
#include "deform/turning.h"
#include "math/closest.h"
#include "math/wide.h"
#include "sweep/shapes.h"

#include <string.h>

enum {
    SWEEP_ITEMS = 64,
    SWEEP_STACK = 9 * CM__BVH_DEPTH + 3 * 2 * CM__BVH_DEPTH + 10,
    SWEEP_ROW_CONTACTS = CM__MESH_LEAF * 15, /* of a triangle and a leaf */
    SWEEP_ROOM = 2 * SWEEP_ROW_CONTACTS
};

typedef struct sweep_slots {
    uint32_t a, b;
} sweep_slots;

typedef struct sweep_item {
    sweep_slots stack[SWEEP_STACK];
    int top, count;
    uint32_t row;          /* the triangle of A's leaf that is next, of the pair on top */
    uint32_t part;         /* of the shape's parts near that triangle the one that is next */
    cm_path_contact least; /* verdict CM_PATH_FREE: none yet */
    cm_path_contact contacts[SWEEP_ROOM];
} sweep_item;

typedef struct sweep_state {
    const cm_mesh_sweep_desc *desc;
    cm__refit a, b;
    bool self, shape, turns; /* the shape does, or is accelerated */
    double far;
    cm_aabb shape_box; /* of its way through the step; empty: anywhere */
    sweep_item *items;
} sweep_state;

/* --- which contact is the first --------------------------------------------------------------------------------- */

static bool path_contact_is_before(const cm_path_contact *p, const cm_path_contact *q) {
    if (q->verdict == CM_PATH_FREE) return true;
    if (p->hit.u != q->hit.u) return p->hit.u < q->hit.u;
    if (p->features != q->features) return p->features < q->features;
    for (int k = 0; k < 3; k++)
        if (p->a[k] != q->a[k]) return p->a[k] < q->a[k];
    for (int k = 0; k < 3; k++)
        if (p->b[k] != q->b[k]) return p->b[k] < q->b[k];
    return false;
}

static void sweep_keep(const sweep_state *s, sweep_item *item, const cm_path_contact *contact) {
    if (s->desc->visit) {
        if (item->count < SWEEP_ROOM) item->contacts[item->count++] = *contact;
    } else if (path_contact_is_before(contact, &item->least)) {
        item->least = *contact;
    }
}

/* The next number or so after the least so far: what is as early, rounded, is still found. */
static double sweep_until(const sweep_state *s, const sweep_item *item) {
    if (s->desc->visit || item->least.verdict == CM_PATH_FREE) return 2;
    return (double)item->least.hit.u * (1 + 4 * (double)CM_REAL_EPSILON) + (double)CM_REAL_MIN;
}

/* --- features ----------------------------------------------------------------------------------------------------- */

static bool boxes_are_far(const cm_aabb *a, const cm_aabb *b, double far) {
    return (double)b->min.x - (double)a->max.x > far || (double)b->min.y - (double)a->max.y > far ||
           (double)b->min.z - (double)a->max.z > far || (double)a->min.x - (double)b->max.x > far ||
           (double)a->min.y - (double)b->max.y > far || (double)a->min.z - (double)b->max.z > far;
}

static void sweep_features(const sweep_state *s, sweep_item *item, cm_path_features features, const uint32_t *a,
                           int count_a, const uint32_t *b, int count_b) {
    const cm__refit *of_b = s->self ? &s->a : &s->b;
    const cm_aabb box_a = cm__refit_box(&s->a, a, count_a), box_b = cm__refit_box(of_b, b, count_b);
    if (boxes_are_far(&box_a, &box_b, s->far)) return;
    for (int i = 0; s->self && i < count_a; i++)
        for (int j = 0; j < count_b; j++)
            if (a[i] == b[j]) return;
    cm_path path_a[3], path_b[3];
    const bool swap = features == CM_PATH_TRIANGLE_POINT; /* features are solved with the point first */
    cm__features f = {.count_a = swap ? count_b : count_a, .count_b = swap ? count_a : count_b};
    for (int i = 0; i < count_a; i++) {
        path_a[i].start = s->a.start[a[i]], path_a[i].end = s->a.end[a[i]];
        (swap ? f.b : f.a)[i] = path_a + i;
    }
    for (int i = 0; i < count_b; i++) {
        path_b[i].start = of_b->start[b[i]], path_b[i].end = of_b->end[b[i]];
        (swap ? f.a : f.b)[i] = path_b + i;
    }
    cm_path_contact c;
    c.verdict = cm__features_sweep(&f, s->desc->separation, s->desc->tolerance, sweep_until(s, item), &c.hit);
    if (c.verdict == CM_PATH_FREE) return;
    c.features = features;
    for (int k = 0; k < 3; k++) c.a[k] = k < count_a ? a[k] : CM_NONE, c.b[k] = k < count_b ? b[k] : CM_NONE;
    if (swap) {
        const cm_path_hit hit = c.hit;
        c.hit.point_a = hit.point_b, c.hit.point_b = hit.point_a;
        c.hit.normal = cm_neg(hit.normal);
        memcpy(c.hit.weight_a, hit.weight_b, sizeof hit.weight_b);
        memcpy(c.hit.weight_b, hit.weight_a, sizeof hit.weight_a);
    }
    sweep_keep(s, item, &c);
}

static void sweep_triangles(const sweep_state *s, sweep_item *item, uint32_t triangle_a, uint32_t triangle_b) {
    const cm__refit *of_b = s->self ? &s->a : &s->b;
    const uint32_t *a = s->a.corners + 3 * (size_t)triangle_a, *b = of_b->corners + 3 * (size_t)triangle_b;
    const uint8_t own_a = s->a.own[triangle_a], own_b = of_b->own[triangle_b];
    for (int i = 0; i < 3; i++) {
        if (own_a >> i & 1) sweep_features(s, item, CM_PATH_POINT_TRIANGLE, a + i, 1, b, 3);
        if (!(own_b >> i & 1)) continue;
        if (s->self)
            sweep_features(s, item, CM_PATH_POINT_TRIANGLE, b + i, 1, a, 3);
        else
            sweep_features(s, item, CM_PATH_TRIANGLE_POINT, a, 3, b + i, 1);
    }
    for (int i = 0; i < 3; i++) {
        if (!(own_a >> (3 + i) & 1)) continue;
        const uint32_t edge_a[2] = {a[i], a[(i + 1) % 3]};
        for (int j = 0; j < 3; j++) {
            const uint32_t edge_b[2] = {b[j], b[(j + 1) % 3]};
            if (own_b >> (3 + j) & 1) sweep_features(s, item, CM_PATH_EDGE_EDGE, edge_a, 2, edge_b, 2);
        }
    }
}

/* --- a triangle and a shape --------------------------------------------------------------------------------------- */

/* The two ends of a triangle's way, as seen from a point that itself goes from `from` to `to`. */
typedef struct sweep_way {
    cm__point start[3], end[3];
} sweep_way;

/* Where the shape, or a part of it, is at the start: turned as `pose`, at `from`. */
static void sweep_part(const sweep_state *s, sweep_item *item, const uint32_t *corners, const cm_shape *shape,
                       const cm_pose *pose, cm__point from, uint32_t part) {
    const cm__point near = cm__point_of(s->a.start[corners[0]]), place = from;
    cm__point move = cm__point_of(s->desc->shape_motion.move);
    cm__still_body body;
    if (s->turns) { /* all is seen from the triangle, which does not go with the shape */
        from = near, move = cm__p(0, 0, 0);
    } else {
        cm__course_body_of(shape, pose, cm__point_sub(near, from), &body);
        from = cm__point_add(from, body.center);
    }
    sweep_way way;
    for (int k = 0; k < 3; k++) {
        way.start[k] = cm__point_sub(cm__point_of(s->a.start[corners[k]]), from);
        way.end[k] = cm__point_sub(cm__point_sub(cm__point_of(s->a.end[corners[k]]), from), move);
    }
    cm__course_end end;
    cm_path_contact c;
    memset(&c, 0, sizeof c);
    const cm_real separation = s->desc->separation, tolerance = s->desc->tolerance;
    if (s->turns) {
        cm__moving turning;
        cm__frame frame = frame_of_pose(pose);
        frame.position = place;
        cm__moving_part_of(shape, &s->desc->shape_motion, &frame, from, &turning);
        c.verdict = cm__turning_sweep(&turning, way.start, way.end, separation, tolerance, sweep_until(s, item), &end);
    } else {
        c.verdict = cm__course_body_sweep(&body, way.start, way.end, separation, tolerance, sweep_until(s, item), &end);
    }
    if (c.verdict == CM_PATH_FREE) return;
    c.features = CM_PATH_TRIANGLE_SHAPE;
    for (int k = 0; k < 3; k++) c.a[k] = corners[k], c.b[k] = CM_NONE;
    c.b[0] = part;
    /* the closest point of the triangle to the body's is the foot of the gap */
    cm__point at[3];
    for (int k = 0; k < 3; k++) at[k] = cm__point_between(way.start[k], way.end[k], end.u);
    const cm__point origin = cm__point_mul_add(from, end.u, move), on_b = end.near.point;
    cm__closest_on_triangle on;
    cm__closest_point_triangle(on_b, at[0], at[1], at[2], &on);
    c.hit.u = (cm_real)end.u;
    c.hit.distance = (cm_real)end.near.distance;
    c.hit.normal = cm__vec3_of(end.normal);
    c.hit.point_a = cm__vec3_of(cm__point_add(on.point, origin));
    c.hit.point_b = cm__vec3_of(cm__point_add(on_b, origin));
    for (int k = 0; k < 3; k++) c.hit.weight_a[k] = (cm_real)on.weight[k];
    sweep_keep(s, item, &c);
}

/* The box of a triangle's way as seen from a frame that moves, grown by d and all rounding; and by how far turning and
 * acceleration take it from there: (R(u) - R(0)) (p - c), c the pivot, is no longer than the angle or 2 times |p - c|.
 */
static cm_aabb sweep_box_in(const sweep_state *s, const uint32_t *corners, const cm_pose *pose) {
    const cm__frame f = frame_of_pose(pose);
    const cm__point move = cm__point_of(s->desc->shape_motion.move);
    cm__point low = cm__p(DBL_MAX, DBL_MAX, DBL_MAX), high = wide_neg(low);
    double size = cm__point_largest(f.position) + cm__point_largest(move);
    for (int k = 0; k < 6; k++) {
        const cm__point world = cm__point_of((k < 3 ? s->a.start : s->a.end)[corners[k % 3]]);
        const cm__point p = frame_unrotate(&f, cm__point_sub(k < 3 ? world : cm__point_sub(world, move), f.position));
        size = cm__most(size, cm__point_largest(world));
        low = cm__p(cm__least(p.x, low.x), cm__least(p.y, low.y), cm__least(p.z, low.z));
        high = cm__p(cm__most(p.x, high.x), cm__most(p.y, high.y), cm__most(p.z, high.z));
    }
    double swing = 0;
    if (s->turns) {
        const cm_motion *m = &s->desc->shape_motion;
        const cm__frame whole = frame_of_pose(&m->start);
        const cm__point pivot = frame_apply(&whole, cm__point_of(m->pivot)), spin = cm__point_of(m->spin);
        const double bend = cm__point_length(cm__point_of(m->accelerate));
        for (int k = 0; k < 3; k++) {
            const cm__point start = cm__point_of(s->a.start[corners[k]]), end = cm__point_of(s->a.end[corners[k]]);
            swing = cm__most(swing, cm__point_length(cm__point_sub(start, pivot)) +
                                        cm__point_length(cm__point_sub(cm__point_sub(end, start), move)));
        }
        size += swing + bend;
        swing = cm__least(cm__point_length(spin), 2) * (swing + bend) + bend;
    }
    cm_aabb box;
    wide_box(low, high, s->far + swing + 16 * (double)CM_REAL_EPSILON * size, &box);
    return box;
}

/* The part of that number in the order of the walk, unless it was looked at before. False: there is no room. */
static bool sweep_part_once(const sweep_state *s, sweep_item *item, const uint32_t *corners, const cm_shape *shape,
                            const cm_pose *pose, cm__point from, uint32_t part, uint32_t number) {
    if (number < item->part) return true;
    if (item->count == SWEEP_ROOM) return false;
    sweep_part(s, item, corners, shape, pose, from, part);
    item->part = number + 1;
    return true;
}

/* False where there was no room for a contact with one of the shape's parts: which, the item tells. */
static bool sweep_shape(const sweep_state *s, sweep_item *item, uint32_t triangle) {
    const cm_shape *shape = s->desc->shape;
    const cm_pose *pose = &s->desc->shape_motion.start;
    const uint32_t *corners = s->a.corners + 3 * (size_t)triangle;
    const cm_aabb box = cm__refit_box(&s->a, corners, 3);
    if (boxes_are_far(&box, &s->shape_box, s->far)) return true;
    const cm__parts_ops *parts = cm__ops(shape->kind)->parts;
    uint32_t number = 0;
    if (!parts) {
        sweep_part(s, item, corners, shape, pose, cm__point_of(pose->position), CM_NONE);
        return true;
    }
    const cm_aabb near = sweep_box_in(s, corners, pose);
    const cm__frame frame = frame_of_pose(pose);
    cm__parts q;
    cm__part part;
    for (parts->start(&q, shape, &near); parts->next(&q, 0, &part);) {
        const cm__point from = frame_apply(&frame, cm__point_of(part.pose.position));
        const cm_pose turned = part.identity ? *pose : cm_pose_mul(pose, &part.pose);
        const cm__parts_ops *inner = cm__ops(part.shape.kind)->parts;
        if (!inner) {
            if (!sweep_part_once(s, item, corners, &part.shape, &turned, from, part.number, number++)) return false;
            continue;
        }
        cm_pose pose_in = turned; /* a mesh in a compound */
        pose_in.position = cm__vec3_of(from);
        const cm_aabb near_in = sweep_box_in(s, corners, &pose_in);
        cm__parts q_in;
        cm__part part_in;
        for (inner->start(&q_in, &part.shape, &near_in); inner->next(&q_in, 0, &part_in);)
            if (!sweep_part_once(s, item, corners, &part_in.shape, &turned, from, part.number, number++)) return false;
    }
    item->part = 0;
    return true;
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

static cm_aabb sweep_other_box(const sweep_state *s, uint32_t slot) {
    return s->shape ? s->shape_box : (s->self ? s->a.boxes : s->b.boxes)[slot];
}

static void sweep_push(const sweep_state *s, uint32_t a, uint32_t b, sweep_slots *stack, int *top) {
    const cm_aabb box_a = s->a.boxes[a], box_b = sweep_other_box(s, b);
    if (box_a.min.x > box_a.max.x || box_b.min.x > box_b.max.x || boxes_are_far(&box_a, &box_b, s->far)) return;
    stack[*top].a = a, stack[(*top)++].b = b;
}

static double slot_size(const cm_aabb *box) {
    return (double)(box->max.x - box->min.x) + (double)(box->max.y - box->min.y) + (double)(box->max.z - box->min.z);
}

/* Replaces a pair that is not of two leaves by those below it. False: it is of two leaves, or of a leaf and the shape.
 */
static bool sweep_open(const sweep_state *s, sweep_slots at, sweep_slots *stack, int *top) {
    const cm__bvh_node *nodes_b = s->self ? s->a.nodes : s->b.nodes, *node_a = &s->a.nodes[at.a / 4];
    const uint32_t count_a = node_a->count[at.a % 4], child_a = 4 * node_a->child[at.a % 4];
    if (s->shape) {
        if (count_a > 0) return false;
        for (uint32_t i = 4; i-- > 0;) sweep_push(s, child_a + i, 0, stack, top);
        return true;
    }
    const uint32_t count_b = nodes_b[at.b / 4].count[at.b % 4], child_b = 4 * nodes_b[at.b / 4].child[at.b % 4];
    if (count_a > 0 && count_b > 0) return false;
    if (s->self && at.a == at.b) {
        for (uint32_t i = 4; i-- > 0;)
            for (uint32_t j = 4; j-- > i;) sweep_push(s, child_a + i, child_a + j, stack, top);
        return true;
    }
    const cm_aabb box_a = s->a.boxes[at.a], box_b = sweep_other_box(s, at.b);
    const bool open_a = count_a == 0 && (count_b > 0 || slot_size(&box_a) >= slot_size(&box_b));
    for (uint32_t i = 4; i-- > 0;) sweep_push(s, open_a ? child_a + i : at.a, open_a ? at.b : child_b + i, stack, top);
    return true;
}

/* Triangle by triangle of A's leaf; false where there may be no room for the contacts of the next. */
static bool sweep_leaves(const sweep_state *s, sweep_item *item, sweep_slots at) {
    const cm__refit *of_b = s->self ? &s->a : &s->b;
    const cm__bvh_node *node_a = &s->a.nodes[at.a / 4], *node_b = s->shape ? NULL : &of_b->nodes[at.b / 4];
    const uint32_t *numbers_a = s->a.numbers + node_a->child[at.a % 4], count_a = node_a->count[at.a % 4];
    const uint32_t *numbers_b = s->shape ? NULL : of_b->numbers + node_b->child[at.b % 4];
    const uint32_t count_b = s->shape ? 0 : node_b->count[at.b % 4];
    const bool same = s->self && at.a == at.b;
    cm_aabb boxes_b[CM__MESH_LEAF];
    for (uint32_t j = 0; j < count_b; j++)
        boxes_b[j] = cm__refit_box(of_b, of_b->corners + 3 * (size_t)numbers_b[j], 3);
    for (; item->row < count_a; item->row++) {
        const uint32_t i = item->row;
        if (item->count + SWEEP_ROW_CONTACTS > SWEEP_ROOM) return false;
        if (s->shape) {
            if (!sweep_shape(s, item, numbers_a[i])) return false;
            continue;
        }
        const cm_aabb box_a = cm__refit_box(&s->a, s->a.corners + 3 * (size_t)numbers_a[i], 3);
        for (uint32_t j = same ? i + 1 : 0; j < count_b; j++)
            if (!boxes_are_far(&box_a, &boxes_b[j], s->far)) sweep_triangles(s, item, numbers_a[i], numbers_b[j]);
    }
    item->row = 0;
    return true;
}

/* Until the stack is empty, or there may be no room for more contacts. */
static void sweep_run(void *arg, int index, int worker) {
    (void)worker;
    const sweep_state *s = arg;
    sweep_item *item = &s->items[index];
    while (item->top > 0) {
        const sweep_slots at = item->stack[--item->top];
        if (sweep_open(s, at, item->stack, &item->top) || sweep_leaves(s, item, at)) continue;
        item->stack[item->top++] = at;
        return;
    }
}

/* The first pairs, each an item; returns how many. */
static int sweep_divide(const sweep_state *s) {
    sweep_slots stack[SWEEP_ITEMS + 10];
    int top = 0, closed = 0;
    sweep_push(s, 0, 0, stack, &top);
    while (closed < top && top <= SWEEP_ITEMS - 9) { /* the oldest first */
        const sweep_slots at = stack[closed];
        if (!sweep_open(s, at, stack, &top)) {
            closed++;
            continue;
        }
        memmove(&stack[closed], &stack[closed + 1], (size_t)(top - closed - 1) * sizeof *stack);
        top--;
    }
    for (int i = 0; i < top; i++) {
        s->items[i].stack[0] = stack[i];
        s->items[i].top = 1, s->items[i].count = 0;
        s->items[i].row = s->items[i].part = 0;
        memset(&s->items[i].least, 0, sizeof s->items[i].least);
    }
    return top;
}

static void sweep_all(sweep_state *s, cm_path_contact *least) {
    const int count = sweep_divide(s);
    bool more = true;
    while (more) {
        more = false;
        cm__run(s->desc->tasks, count, sweep_run, s);
        for (int i = 0; i < count; i++) {
            sweep_item *item = &s->items[i];
            if (item->least.verdict != CM_PATH_FREE && path_contact_is_before(&item->least, least))
                *least = item->least;
            for (int k = 0; k < item->count; k++) {
                if (path_contact_is_before(&item->contacts[k], least)) *least = item->contacts[k];
                if (!s->desc->visit(s->desc->user, &item->contacts[k])) return;
            }
            item->count = 0;
            more = more || item->top > 0;
        }
    }
}

/* --- the call ----------------------------------------------------------------------------------------------------- */

static bool length_is_good(cm_real x) { return x >= 0 && x <= CM_COORD_MAX; }

static cm_status sweep_check(const cm_mesh_sweep_desc *desc) {
    if (!desc || !desc->mesh.mesh || !length_is_good(desc->separation) || !length_is_good(desc->tolerance))
        return CM_INVALID;
    if (desc->other.mesh || !desc->shape) return CM_OK;
    const cm_motion *m = &desc->shape_motion;
    const cm_status status = cm_shape_check(desc->shape, NULL);
    if (status != CM_OK) return status;
    if (!cm_pose_is_valid(&m->start)) return CM_INVALID;
    if (!cm_vec3_is_valid(m->move) || !cm_vec3_is_valid(cm_add(m->start.position, m->move))) return CM_NOT_FINITE;
    return cm__motion_is_finite(m) ? CM_OK : CM_NOT_FINITE;
}

static bool sweep_turns(const cm_motion *m) { return cm_largest(m->spin) > 0 || cm_largest(m->accelerate) > 0; }

/* Of what turns: around the pivot's way, as far as the shape reaches from it. */
static cm_aabb sweep_turning_box(const cm_mesh_sweep_desc *desc) {
    const cm_motion *m = &desc->shape_motion;
    const cm__frame whole = frame_of_pose(&m->start);
    const cm__point pivot = frame_apply(&whole, cm__point_of(m->pivot)), move = cm__point_of(m->move);
    const cm__point end = cm__point_add(pivot, move);
    cm_aabb box;
    cm_shape_bounds(desc->shape, &m->start, &box);
    const cm__point a = cm__point_sub(cm__point_of(box.min), pivot), b = cm__point_sub(cm__point_of(box.max), pivot);
    const cm__point far =
        cm__p(cm__most(fabs(a.x), fabs(b.x)), cm__most(fabs(a.y), fabs(b.y)), cm__most(fabs(a.z), fabs(b.z)));
    const double reach = cm__point_length(far) + cm__point_length(cm__point_of(m->accelerate));
    if (!(reach <= (double)CM_COORD_MAX)) {
        const cm_real all = CM_REAL_MAX;
        return (cm_aabb){{-all, -all, -all}, {all, all, all}};
    }
    const cm__point low = cm__p(cm__least(pivot.x, end.x), cm__least(pivot.y, end.y), cm__least(pivot.z, end.z));
    const cm__point high = cm__p(cm__most(pivot.x, end.x), cm__most(pivot.y, end.y), cm__most(pivot.z, end.z));
    wide_box(low, high, reach * (1 + 16 * (double)CM_REAL_EPSILON), &box);
    return box;
}

/* The box of a shape's way, infinite sides included. */
static cm_aabb sweep_shape_box(const cm_mesh_sweep_desc *desc) {
    cm_pose end = desc->shape_motion.start;
    end.position = cm_add(end.position, desc->shape_motion.move);
    cm_aabb from, to;
    cm_shape_bounds(desc->shape, &desc->shape_motion.start, &from);
    cm_shape_bounds(desc->shape, &end, &to);
    return cm_aabb_union(from, to);
}

cm_status cm_mesh_sweep_vertices(const cm_mesh_sweep_desc *desc, const cm_allocator *mem, cm_path_contact *out) {
    cm_status status = sweep_check(desc);
    if (status != CM_OK || !out) return status != CM_OK ? status : CM_INVALID;
    sweep_state s;
    memset(&s, 0, sizeof s);
    s.desc = desc;
    s.shape = !desc->other.mesh && desc->shape;
    s.self = !desc->other.mesh && !desc->shape;
    s.far = cm__course_far((double)desc->separation);
    s.turns = s.shape && sweep_turns(&desc->shape_motion);
    if (s.shape) s.shape_box = s.turns ? sweep_turning_box(desc) : sweep_shape_box(desc);
    status = cm__refit_make(&desc->mesh, mem, &s.a);
    if (status == CM_OK && desc->other.mesh) status = cm__refit_make(&desc->other, mem, &s.b);
    if (status == CM_OK && !(s.items = cm__alloc(mem, SWEEP_ITEMS, sizeof *s.items))) status = CM_NO_MEMORY;
    if (status == CM_OK) {
        cm_path_contact least;
        memset(&least, 0, sizeof least);
        least.hit.u = 1;
        sweep_all(&s, &least);
        *out = least;
    }
    cm__free(mem, s.items, SWEEP_ITEMS, sizeof *s.items);
    cm__refit_free(&s.a, mem);
    cm__refit_free(&s.b, mem);
    return status;
}
