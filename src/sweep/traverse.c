/* One traversal over (node of A, node of B, interval of time): which parts of two turning bodies may touch, and when.
 *
 * Guaranteed: two parts share no point at any time of the step that is before the time of their offer, or *limit where
 * there is none, nor, of those that are never offered, before *limit; where the budget ends, before the time returned.
 * Rounding is part of that.
 *
 * Along a fixed unit direction n the separation of two sets, s(t) = min n.q(t) - max n.p(t) over points q of B and p of
 * A, is a minimum of functions n.(q - p) whose second derivatives are at most
 *     K = |wA x n| rA + |wB x n| rB + max(0, n.(aB - aA)),
 * w the spins, r how fast turning moves the points of either at most (|w x (p - pivot)|, which stays as it is while p
 * turns), and a the accelerations: n.(w x (w x x)) is -(w x n).(w x x). A function whose second derivative is at most K
 * lies nowhere more than K h^2 s (1 - s) / 2 under the line between its ends, 0 <= s <= 1, and never more than K h^2 /
 * 8. So from the separations d and e at both ends of an interval h all times are free at which d + (e - d) s - K h^2 s
 *    (1 - s) / 2 > 0, all of them where the smaller of d and e is more than K h^2 / 8, and else a piece at its start or
 *    at its end, up to a root of the quadratic, which is cut off. Boxes rotate with their bodies. The direction is, of
 *    the 15 axes of two boxes, the one with the largest separation at the interval's start, then at its end.
 *
 * An interval that is not free is halved: in time while points move farther in it than the nodes are large, else in
 * space, by opening the larger node. So intervals are short by the time large nodes are opened, and distant nodes are
 * never opened. Earlier halves come first, and within an interval the nodes that may touch first: once an early contact
 * is found, later entries are cut off. Two parts are advanced along the direction of their closest points by the same
 * quadratic, as far as it proves; the next search for closest points starts from that direction. Parts that come near
 * are offered, for all of the rest of the step: whether and when exactly they touch, and whether that blocks, is
 * decided by the caller. So parts that touch at the start of an interval are offered once: no part of the interval
 * before can have been cut at its end, where they touch, and they were offered in it.
 *
 * With a budget, an interval that takes more than a small share of it is abandoned, and begun again from where none of
 * it is left before, or as its first half. So when the budget ends, the step is proved free up to some time.
 *
 * Rounding: all is computed in double; a separation is off by no more than TRAVERSE_ROUNDING times the sum of all
 * lengths that it is made of, turns times reach among them, and counts as positive only beyond that and `apart`.
 * Frame: the world, seen from A's origin at the start. Bound: `budget`; a stack of TRAVERSE_STACK, as every pop but
 * that of a halved time goes one level down in one of two trees of at most CM__BVH_DEPTH levels, leaving at most 3
 * behind. No memory. Every cut is proved for itself: what is equal to a bound may be cut or kept, opened or halved, in
 * either order, and nothing that may meet is lost. Based on: [Gottschalk96] for the axes, [Mirtich96] for the
 * advancement, [Tang09] for going down two trees with it. */
#include "sweep/traverse.h"
#include "convex/convex.h"
#include "math/wide.h"
#include "sweep/moving.h"
#include "sweep/shapes.h"

#include <math.h>
#include <string.h>

#define TRAVERSE_ROUNDING (64 * DBL_EPSILON)
#define TRAVERSE_HALVINGS 40 /* of the step */
/* half sizes of a node: where points move no farther, it is opened; the fastest of 0.5 to 20 */
#define TRAVERSE_SHORT    6
#define TRAVERSE_THIN     16 /* nodes count as at least 1/16 as large as the other */
#define TRAVERSE_ADVANCES 64 /* advances of two parts; then they are offered as they are */
#define TRAVERSE_SHARES   4  /* of the budget; a piece of the step that takes more is halved */
#define TRAVERSE_STACK    (2 * 3 * CM__BVH_DEPTH + TRAVERSE_HALVINGS + 2 * CM__TREE_FAN)

/* --- one body ---------------------------------------------------------------------------------------------------- */

typedef struct traverse_body {
    const cm_shape *shape;
    const cm__tree_ops *tree; /* NULL: convex, one part */
    cm__moving moving;
    cm__point spin;         /* seen from the body */
    cm__point center, half; /* of a convex body */
} traverse_body;

typedef struct traverse_node {
    uint64_t id;
    cm__point center, half;
    double speed; /* bound on the speed of its points by turning */
} traverse_node;

static void traverse_body_of(const cm_shape *shape, const cm_motion *motion, cm__point origin, traverse_body *out) {
    const cm__parts_ops *parts = cm__ops(shape->kind)->parts;
    out->shape = shape;
    out->tree = parts ? &parts->tree : NULL;
    cm__moving_of(shape, motion, origin, &out->moving);
    out->spin = frame_unrotate(&out->moving.start, out->moving.spin);
    if (parts) return;
    const cm__core *core = &out->moving.core;
    const cm__point axis[3] = {cm__p(1, 0, 0), cm__p(0, 1, 0), cm__p(0, 0, 1)};
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        uint32_t id = core->ops->corner ? 0 : CM_NONE;
        high[k] = cm__point_dot(core->ops->support(core, axis[k], &id), axis[k]) + core->radius;
        low[k] = cm__point_dot(core->ops->support(core, wide_neg(axis[k]), &id), axis[k]) - core->radius;
    }
    out->center = cm__p((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2);
    out->half = cm__p((high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2);
}

static bool traverse_is_part(const traverse_node *n) { return (n->id & CM__TREE_PART) != 0; }

static void traverse_node_of(const traverse_body *body, uint64_t id, traverse_node *out) {
    out->id = id;
    if (body->tree)
        body->tree->box(body->shape, id, &out->center, &out->half);
    else
        out->center = body->center, out->half = body->half;
    if (!body->moving.turns) {
        out->speed = 0;
        return;
    }
    const cm__point w = body->spin, h = out->half, arm = cm__point_sub(out->center, body->moving.pivot);
    const cm__point around =
        cm__p(fabs(w.y) * h.z + fabs(w.z) * h.y, fabs(w.z) * h.x + fabs(w.x) * h.z, fabs(w.x) * h.y + fabs(w.y) * h.x);
    out->speed = cm__point_length(cm__point_cross(w, arm)) + cm__point_length(around);
}

/* The share in K of one body, for a node whose points turn at this speed. */
static double traverse_bend(const traverse_body *body, double speed, cm__point n) {
    if (!body->moving.turns) return 0;
    const double bend = cm__point_length(cm__point_cross(body->moving.spin, n)) * speed;
    return body->tree ? bend : wide_min(bend, cm__moving_bend(&body->moving, n));
}

/* --- two bodies -------------------------------------------------------------------------------------------------- */

/* Both bodies at a time; B in A's frame: axis j of B has the components c[..][j] along A's axes; `size`: their absolute
 * values. */
typedef struct traverse_time {
    double u;
    cm__frame a, b;
    double between[3], c[3][3], size[3][3], over[3][3]; /* 1 / |a's axis i x b's axis j|; 0 where that is nearly 0 */
} traverse_time;

typedef struct traverse_entry {
    uint64_t a, b;
    double from, until;
} traverse_entry;

typedef struct traverse {
    const cm__traverse *task;
    traverse_body a, b;
    double speed;   /* relative speed without turning */
    cm__point pull; /* acceleration of B relative to A */
    double level;   /* separations beyond it are certainly more than `apart` */
    uint32_t work;
    bool b_first; /* B is opened down to its parts before A is: they may be composites */
    int top;
    traverse_entry stack[TRAVERSE_STACK];
} traverse;

static void traverse_frames(const traverse *t, double u, traverse_time *out) {
    out->u = u;
    cm__moving_at(&t->a.moving, u, &out->a);
    cm__moving_at(&t->b.moving, u, &out->b);
}

static void traverse_time_of(const traverse *t, double u, traverse_time *out) {
    traverse_frames(t, u, out);
    const cm__point d = cm__point_sub(out->b.position, out->a.position);
    const cm__point axis_a[3] = {out->a.x, out->a.y, out->a.z}, axis_b[3] = {out->b.x, out->b.y, out->b.z};
    for (int i = 0; i < 3; i++) {
        out->between[i] = cm__point_dot(axis_a[i], d);
        for (int j = 0; j < 3; j++) {
            const double c = cm__point_dot(axis_a[i], axis_b[j]), square = 1 - c * c;
            out->c[i][j] = c, out->size[i][j] = fabs(c);
            out->over[i][j] = square > 1e-4 ? 1 / sqrt(square) : 0;
        }
    }
}

/* The separation of two nodes' boxes along a direction in the world. */
static double traverse_along(const traverse_time *at, const traverse_node *a, const traverse_node *b, cm__point n) {
    const cm__point in_a = frame_unrotate(&at->a, n), in_b = frame_unrotate(&at->b, n);
    const double between = cm__point_dot(n, cm__point_sub(at->b.position, at->a.position));
    const double centers = between + cm__point_dot(in_b, b->center) - cm__point_dot(in_a, a->center);
    const double half_a = fabs(in_a.x) * a->half.x + fabs(in_a.y) * a->half.y + fabs(in_a.z) * a->half.z;
    const double half_b = fabs(in_b.x) * b->half.x + fabs(in_b.y) * b->half.y + fabs(in_b.z) * b->half.z;
    return centers - half_a - half_b;
}

/* Of the 15 axes, one with the largest separation; cross products of edges only where no face separates the boxes. */
static double traverse_separate(const traverse_time *at, const traverse_node *a, const traverse_node *b, double level,
                                cm__point *n) {
    const double ha[3] = {a->half.x, a->half.y, a->half.z}, hb[3] = {b->half.x, b->half.y, b->half.z};
    const double ca[3] = {a->center.x, a->center.y, a->center.z}, cb[3] = {b->center.x, b->center.y, b->center.z};
    double d[3], best = -HUGE_VAL;
    int which = 0;
    bool back = false;
    for (int i = 0; i < 3; i++) {
        d[i] = at->between[i] - ca[i] + at->c[i][0] * cb[0] + at->c[i][1] * cb[1] + at->c[i][2] * cb[2];
        const double reach = ha[i] + at->size[i][0] * hb[0] + at->size[i][1] * hb[1] + at->size[i][2] * hb[2];
        const double apart = fabs(d[i]) - reach;
        if (apart > best) best = apart, which = i, back = d[i] < 0;
    }
    for (int j = 0; j < 3; j++) {
        const double along = d[0] * at->c[0][j] + d[1] * at->c[1][j] + d[2] * at->c[2][j];
        const double reach = hb[j] + at->size[0][j] * ha[0] + at->size[1][j] * ha[1] + at->size[2][j] * ha[2];
        const double apart = fabs(along) - reach;
        if (apart > best) best = apart, which = 3 + j, back = along < 0;
    }
    for (int i = 0; i < 3 && !(best > level); i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double along = d[i2] * at->c[i1][j] - d[i1] * at->c[i2][j];
            const double reach = ha[i1] * at->size[i2][j] + ha[i2] * at->size[i1][j] + hb[j1] * at->size[i][j2] +
                                 hb[j2] * at->size[i][j1];
            const double apart = (fabs(along) - reach) * at->over[i][j];
            if (at->over[i][j] > 0 && apart > best) best = apart, which = 6 + 3 * i + j, back = along < 0;
        }
    }
    const cm__point axis_a[3] = {at->a.x, at->a.y, at->a.z}, axis_b[3] = {at->b.x, at->b.y, at->b.z};
    if (which < 6) {
        *n = which < 3 ? axis_a[which] : axis_b[which - 3];
    } else {
        const int i = (which - 6) / 3, j = (which - 6) % 3;
        *n = cm__point_scale(cm__point_cross(axis_a[i], axis_b[j]), at->over[i][j]);
    }
    if (back) *n = wide_neg(*n);
    return best;
}

/* For d + (e - d) s - sag s (1 - s) with s from 0 to 1: the first and the last s at which it is not positive. false: it
 * is positive throughout. */
static bool traverse_roots(double d, double e, double sag, double *first, double *last) {
    *first = 0, *last = 1;
    if ((!(d > 0) && !(e > 0)) || !(sag <= DBL_MAX)) return true;
    const double b = e - d - sag, c = d - e - sag; /* the slopes at both ends, inward */
    const double under = b * b - 4 * sag * d;
    if (d > 0 && e > 0 && (!(b < 0) || !(c < 0) || under < 0)) return false;
    const double root = under <= DBL_MAX ? sqrt(wide_max(under, 0)) : HUGE_VAL; /* too large: nothing is proved */
    if (d > 0) *first = wide_min(2 * d / (root - b) * (1 - 1e-9), 1);
    if (e > 0) *last = wide_max(1 - 2 * e / (root - c) * (1 - 1e-9), 0);
    return true;
}

/* Cuts off what two nodes are free for of an interval, from both its ends. false: it is nothing. */
static bool traverse_cut(traverse *t, const traverse_node *a, const traverse_node *b, const traverse_time *start,
                         const traverse_time *end, traverse_entry *io) {
    const double h = end->u - start->u;
    double first, last;
    cm__point n;
    t->work++;
    for (int k = 0; k < 2; k++) {
        const double own = traverse_separate(k == 0 ? start : end, a, b, t->level, &n) - t->level;
        if (!(own > 0)) continue;
        const double other = traverse_along(k == 0 ? end : start, a, b, n) - t->level;
        const double opens = wide_max(cm__point_dot(t->pull, n), 0);
        const double bend = traverse_bend(&t->a, a->speed, n) + traverse_bend(&t->b, b->speed, n) + opens;
        const double sag = bend * (1 + 1e-9) * h * h / 2;
        if (!traverse_roots(k == 0 ? own : other, k == 0 ? other : own, sag, &first, &last)) return false;
        io->from = wide_max(io->from, start->u + h * first);
        io->until = wide_min(io->until, start->u + h * last);
        if (!(io->from <= io->until)) return false;
    }
    return true;
}

/* --- two parts --------------------------------------------------------------------------------------------------- */

/* A core in the frame of its body. */
typedef struct traverse_part {
    cm__part part;
    cm__core core;
    cm__frame frame;
    double speed;
} traverse_part;

/* false: it is a composite itself. */
static bool traverse_part_of(const traverse_body *body, const traverse_node *node, traverse_part *out) {
    out->speed = node->speed;
    if (!body->tree) {
        out->core = body->moving.core;
        out->part.identity = true;
        return true;
    }
    body->tree->part(body->shape, node->id, &out->part);
    const cm__shape_ops *ops = cm__ops(out->part.shape.kind);
    if (!ops->core) return false;
    ops->core(&out->part.shape, &out->core);
    if (!out->part.identity) out->frame = frame_of_pose(&out->part.pose);
    return true;
}

static cm__frame traverse_place(const cm__frame *body, const traverse_part *p) {
    return p->part.identity ? *body : frame_mul(body, &p->frame);
}

/* The support of a core along a direction. */
static double traverse_reach(const cm__core *core, const cm__frame *at, cm__point n, uint32_t *id) {
    const cm__point own = frame_unrotate(at, n);
    return cm__point_dot(at->position, n) + cm__point_dot(core->ops->support(core, own, id), own) + core->radius;
}

static double traverse_parts_along(const traverse_part *a, const traverse_part *b, const traverse_time *at,
                                   cm__point n) {
    const cm__frame fa = traverse_place(&at->a, a), fb = traverse_place(&at->b, b);
    uint32_t id_a = a->core.ops->corner ? 0 : CM_NONE, id_b = b->core.ops->corner ? 0 : CM_NONE;
    return -traverse_reach(&b->core, &fb, wide_neg(n), &id_b) - traverse_reach(&a->core, &fa, n, &id_a);
}

/* The distance of two parts, and the direction that proves it; false where they are not apart. */
static bool traverse_parts_gap(const traverse_part *a, const traverse_part *b, const traverse_time *at,
                               cm_pair_cache *cache, double *distance, cm__point *n) {
    const cm__frame fa = traverse_place(&at->a, a), fb = traverse_place(&at->b, b);
    const cm__frame b_in_a = frame_between(&fa, &fb);
    cm__convex_pair two;
    cm__convex_gap gap;
    cm__convex_pair_of(&a->core, &b->core, &b_in_a, &two);
    cm__convex_gap_apart(&two, cache, &gap);
    if (!(gap.distance > 0)) return false;
    *distance = gap.distance;
    *n = frame_rotate(&fa, gap.normal);
    return true;
}

/* A direction separates them at `from` by `left` more than needed. Returns until when it certainly separates them, at
 * most `until`. */
static double traverse_stride(traverse *t, const traverse_part *a, const traverse_part *b, double from, double until,
                              cm__point n, double left) {
    const double opens = wide_max(cm__point_dot(t->pull, n), 0);
    const double bend = (traverse_bend(&t->a, a->speed, n) + traverse_bend(&t->b, b->speed, n) + opens) * (1 + 1e-9);
    double h = until - from, best = 0, first, last;
    for (int k = 0; k < 6; k++) {
        traverse_time at;
        traverse_frames(t, from + h, &at);
        t->work++;
        const double other = traverse_parts_along(a, b, &at, n) - t->level;
        if (!traverse_roots(left, other, bend * h * h / 2, &first, &last)) {
            best = wide_max(best, h);
            break;
        }
        best = wide_max(best, h * first);
        if (!(h > 1.5 * best)) break;
        h = wide_min(1.2 * best, h);
    }
    return from + best >= until ? until : from + best;
}

static void traverse_parts(traverse *t, const traverse_part *pb, const traverse_node *a, const traverse_entry *e) {
    const cm__traverse *task = t->task;
    traverse_part pa;
    cm_pair_cache cache;
    double u = e->from;
    memset(&cache, 0, sizeof cache);
    const bool cored = traverse_part_of(&t->a, a, &pa);
    for (int i = 0; cored && i < TRAVERSE_ADVANCES; i++) {
        traverse_time at;
        cm__point n;
        double distance;
        traverse_frames(t, u, &at);
        t->work++;
        const bool apart = traverse_parts_gap(&pa, pb, &at, &cache, &distance, &n);
        if (i == 0 && u > task->from && !(apart && distance > t->level / 2)) return; /* offered before */
        if (!(apart && distance > task->near)) break;
        u = traverse_stride(t, &pa, pb, u, e->until, n, distance - t->level);
        if (!(u < e->until)) return;
    }
    t->work += task->offer(task->user, t->a.tree ? &pa.part : NULL, &pb->part, u);
}

/* --- the traversal ----------------------------------------------------------------------------------------------- */

/* Pushes the remaining interval of an entry, below entries that begin earlier. */
static void traverse_push(traverse *t, int base, const traverse_entry *e) {
    int at = t->top++;
    for (; at > base && t->stack[at - 1].from < e->from; at--) t->stack[at] = t->stack[at - 1];
    t->stack[at] = *e;
}

static void traverse_halve(traverse *t, const traverse_node *a, const traverse_node *b, const traverse_time *start,
                           const traverse_time *end) {
    const double middle = start->u + (end->u - start->u) / 2;
    traverse_time half;
    traverse_time_of(t, middle, &half);
    traverse_entry late = {a->id, b->id, middle, end->u}, early = {a->id, b->id, start->u, middle};
    if (traverse_cut(t, a, b, &half, end, &late)) t->stack[t->top++] = late;
    if (traverse_cut(t, a, b, start, &half, &early)) t->stack[t->top++] = early;
}

static void traverse_open(traverse *t, bool open_a, const traverse_node *a, const traverse_node *b,
                          const traverse_time *start, const traverse_time *end) {
    const traverse_body *body = open_a ? &t->a : &t->b;
    uint64_t child[CM__TREE_FAN];
    const int base = t->top, count = body->tree->open(body->shape, open_a ? a->id : b->id, child);
    for (int i = 0; i < count; i++) {
        traverse_node node;
        traverse_node_of(body, child[i], &node);
        traverse_entry e = {open_a ? node.id : a->id, open_a ? b->id : node.id, start->u, end->u};
        if (traverse_cut(t, open_a ? &node : a, open_a ? b : &node, start, end, &e)) traverse_push(t, base, &e);
    }
}

static void traverse_step(traverse *t, const traverse_entry *e) {
    traverse_node a, b;
    traverse_node_of(&t->a, e->a, &a);
    traverse_node_of(&t->b, e->b, &b);
    const bool part_a = traverse_is_part(&a), part_b = traverse_is_part(&b);
    traverse_part part;
    if (part_b && !traverse_part_of(&t->b, &b, &part)) {
        t->work += t->task->offer(t->task->user, NULL, &part.part, e->from);
        return;
    }
    if (part_a && part_b) {
        traverse_parts(t, &part, &a, e);
        return;
    }
    const double size_a = part_a ? 0 : cm__point_largest(a.half), size_b = part_b ? 0 : cm__point_largest(b.half);
    /* boxes overlap for as long as the larger takes to pass: for a tiny node beside a large part, or a point, shorter
     * intervals do not separate them */
    const double larger = wide_max(cm__point_largest(a.half), cm__point_largest(b.half));
    const double size = wide_max(wide_max(size_a, size_b), larger / TRAVERSE_THIN);
    const double way = (t->speed + a.speed + b.speed) * (e->until - e->from);
    const bool open_a = part_b || (!part_a && !t->b_first && size_a > size_b);
    traverse_time start, end;
    traverse_time_of(t, e->from, &start);
    traverse_time_of(t, e->until, &end);
    if (way > TRAVERSE_SHORT * size && e->until - e->from > 1.0 / ((int64_t)1 << TRAVERSE_HALVINGS))
        traverse_halve(t, &a, &b, &start, &end);
    else
        traverse_open(t, open_a, &a, &b, &start, &end);
}

static bool traverse_root(const traverse_body *body, uint64_t *out) {
    *out = CM__TREE_PART;
    return !body->tree || body->tree->root(body->shape, out);
}

/* How far a body reaches from where it is placed, and from its pivot, by turns. */
static double traverse_sizes(const traverse_body *body) {
    const cm__moving *m = &body->moving;
    const double far = cm__shape_reach(body->shape, cm_v(0, 0, 0)) + cm__point_length(m->pivot);
    const double way = cm__point_length(m->move) + cm__point_length(m->accelerate);
    return cm__point_length(m->start.position) + way + far * (1 + cm__point_length(m->spin));
}

/* Traverses an interval, until `most` units of work are used. Returns until when it is done; HUGE_VAL: all. */
static double traverse_interval(traverse *t, double from, double until, uint32_t most) {
    traverse_entry e = {0, 0, from, until};
    t->top = 0;
    if (!traverse_root(&t->a, &e.a) || !traverse_root(&t->b, &e.b)) return HUGE_VAL;
    t->stack[t->top++] = e;
    while (t->top > 0) {
        e = t->stack[--t->top];
        e.until = wide_min(e.until, (double)*t->task->limit);
        if (!(e.from <= e.until)) continue;
        if (t->work >= most) {
            for (int i = 0; i < t->top; i++) e.from = wide_min(e.from, t->stack[i].from);
            return e.from;
        }
        traverse_step(t, &e);
    }
    return HUGE_VAL;
}

double cm__traverse_run(const cm__traverse *task, uint32_t *work) {
    traverse t;
    const cm__point origin = cm__point_of(task->ma->start.position);
    t.task = task, t.work = 0;
    traverse_body_of(task->a, task->ma, origin, &t.a);
    traverse_body_of(task->b, task->mb, origin, &t.b);
    const cm__point pull_a = t.a.moving.accelerate, pull_b = t.b.moving.accelerate;
    t.pull = cm__point_sub(pull_b, pull_a);
    t.speed = cm__point_length(cm__point_sub(t.a.moving.move, t.b.moving.move)) + cm__point_length(t.pull);
    t.level = task->apart + TRAVERSE_ROUNDING * (traverse_sizes(&t.a) + traverse_sizes(&t.b));
    t.b_first = t.b.tree && cm__ops(task->b->kind)->parts->children;
    const uint32_t budget = task->budget, share = budget / TRAVERSE_SHARES + 1;
    double known = task->from, h = HUGE_VAL;
    while (known <= (double)*task->limit && !(budget > 0 && t.work >= budget)) {
        const double until = wide_min(known + h, (double)*task->limit);
        const uint32_t most = budget == 0 ? UINT32_MAX : budget - t.work < share ? budget : t.work + share;
        const double done = traverse_interval(&t, known, until, most);
        if (!(done > known))
            h = (until - known) / 2; /* so that the work used proves at least a first piece */
        else if (done < HUGE_VAL || until < (double)*task->limit)
            known = wide_min(done, until);
        else
            known = HUGE_VAL;
    }
    if (work) *work = t.work;
    return known <= (double)*task->limit ? known : HUGE_VAL;
}
