/* Two trees, one posed in the other's frame: which of their leaves may touch, or be nearest.
 *
 * A step opens a node of one tree and tests its four boxes, which lie along that tree's axes, against one box of the
 * other, converted to the same units: 15 axes, four boxes at a time. The box is converted in double, so a screw against
 * a building loses nothing to their sizes; only the test itself is in single floats.
 *
 * Never misses. Projections of the two boxes on any axis L (exact or not) overlap where the boxes do:
 * |L.d| <= sum |L_i| f_i + sum |L.o_j| h_j. Left out are only the terms that vanish for orthogonal axes, and rounding:
 *  - the posed points' own rounding, by how far those at hand are from their frame's zero, so that a few far ones cost
 *    the others nothing, and that of the link (64 half ulps of all lengths in it): `margin`;
 *  - d = c - center in floats: 2^-22 |c|, added to the margin; what the center adds is in the box's growth;
 *  - products with |d|: where boxes overlap, |d| is at most the sum of all half sizes, so an allowance of 2^-20 of all
 *    half sizes (in axis_abs, and `spare`) holds some ten roundings of 2^-24;
 *  - axes out of square (the matrix of a rounded quaternion, 2^-21): within the same allowance.
 * Boxes more than 1e15 times larger than the tree they are held against are only compared along its own three axes, and
 * where units differ by more than 2^100 everything is let through.
 *
 * Based on: [Gottschalk96 §5] the 15 axes; lower bounds of the distance from the same projections. */
#include "bvh/four.h"
#include "math/point.h"
#include "math/round.h"

#define PAIR_ALLOWANCE 0x1p-20f
#define PAIR_FAR       1e15

/* One box in the units of the tree whose node is opened. */
typedef struct link_box {
    float center[3];
    float side[3];   /* half sizes along its own axes */
    float extent[3]; /* half sizes along the tree's axes, with the margin */
    float spare;     /* margin and allowance for every other axis */
    bool coarse;     /* too large: compare along the tree's own axes only */
} link_box;

static double pair_clamp(double x) { return x < -PAIR_FAR ? -PAIR_FAR : x > PAIR_FAR ? PAIR_FAR : x; }

static void link_box_of(const cm__bvh *tree, uint32_t slot, const cm__bvh_link *link, link_box *p) {
    const cm__bvh_node *n = &tree->nodes[slot / 4];
    uint32_t lane = slot % 4;
    double c[3], h[3], sum = 0, far = 0, own = 0, unit = link->unit;
    for (int k = 0; k < 3; ++k) {
        c[k] = (double)n->center[k][lane];
        h[k] = (double)n->half[k][lane];
        own = cm__most(own, (fabs(c[k]) + h[k]) * unit);
    }
    for (int k = 0; k < 3; ++k) {
        double at = link->m[k][0] * c[0] + link->m[k][1] * c[1] + link->m[k][2] * c[2] + link->t[k];
        at = pair_clamp(at);
        far = fabs(at) > far ? fabs(at) : far;
        p->center[k] = (float)at;
        double side = h[k] * unit;
        side = side < PAIR_FAR ? side : PAIR_FAR;
        p->side[k] = (float)side;
        sum += side;
    }
    /* cm__place_error, of points in the box or such as may touch it */
    double posed = link->posed_origin + (link->other_posed ? own : far + sum);
    double margin = link->margin + far * 0x1p-22 + 24 * (double)CM_REAL_EPSILON * posed;
    double spare = margin + sum * (double)PAIR_ALLOWANCE;
    p->coarse = !(spare < PAIR_FAR / 16 && sum < PAIR_FAR / 16);
    p->spare = (float)(p->coarse ? PAIR_FAR : spare);
    for (int k = 0; k < 3; ++k) {
        double e = link->m_abs[k][0] * h[0] + link->m_abs[k][1] * h[1] + link->m_abs[k][2] * h[2] + spare;
        p->extent[k] = (float)(e < 2 * PAIR_FAR ? e : 2 * PAIR_FAR);
    }
}

/* Where the four boxes lie from the one, and their half sizes: coordinate by coordinate. */
typedef struct pair_boxes {
    f32x4 off[3], half[3];
} pair_boxes;

static inline pair_boxes pair_boxes_of(const cm__bvh_node *n, const link_box *p) {
    pair_boxes b;
    for (int k = 0; k < 3; ++k) {
        b.off[k] = f32x4_sub(f32x4_all(p->center[k]), f32x4_load(n->center[k]));
        b.half[k] = f32x4_load(n->half[k]);
    }
    return b;
}

/* Along one of the tree's own axes: the signed gaps. */
static inline f32x4 pair_gap_axis(const pair_boxes *b, const link_box *p, int k) {
    return f32x4_sub(f32x4_sub(f32x4_abs(b->off[k]), b->half[k]), f32x4_all(p->extent[k]));
}

/* Along all three: the largest. */
static inline f32x4 pair_gap_tree(const pair_boxes *b, const link_box *p) {
    return f32x4_max(f32x4_max(pair_gap_axis(b, p, 0), pair_gap_axis(b, p, 1)), pair_gap_axis(b, p, 2));
}

static inline f32x4 pair_scaled(f32x4 a, float by) { return f32x4_mul(a, f32x4_all(by)); }

/* Along the box's own axis j: the gaps. */
static inline f32x4 pair_gap_own(const pair_boxes *b, const cm__bvh_link *link, const link_box *p, int j) {
    const float *axis = link->axis[j], *wide = link->axis_abs[j];
    const f32x4 along = f32x4_add(f32x4_add(pair_scaled(b->off[0], axis[0]), pair_scaled(b->off[1], axis[1])),
                                  pair_scaled(b->off[2], axis[2]));
    const f32x4 room = f32x4_add(f32x4_add(pair_scaled(b->half[0], wide[0]), pair_scaled(b->half[1], wide[1])),
                                 pair_scaled(b->half[2], wide[2]));
    return f32x4_sub(f32x4_abs(along), f32x4_add(f32x4_add(room, f32x4_all(p->side[j])), f32x4_all(p->spare)));
}

/* Along the three products of the tree's axes with the box's axis j; e_a x o_j has the length sqrt(1 - axis[j][a]^2)
 * <= 1, so the gap along it, left as it is, is below the true one. */
static inline f32x4 pair_gap_cross(const pair_boxes *b, const cm__bvh_link *link, const link_box *p, int j) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    const float *o = link->axis[j], *w = link->axis_abs[j];
    f32x4 most = f32x4_all(-FLT_MAX);
    for (int a = 0; a < 3; ++a) {
        const int r = (a + 1) % 3, s = (a + 2) % 3;
        /* |(e_a x o_j) . o_k| = |e_a . o_l| */
        const float room_box = p->side[k] * link->axis_abs[l][a] + p->side[l] * link->axis_abs[k][a] + p->spare;
        const f32x4 along = f32x4_sub(pair_scaled(b->off[r], o[s]), pair_scaled(b->off[s], o[r]));
        const f32x4 room = f32x4_add(pair_scaled(b->half[r], w[s]), pair_scaled(b->half[s], w[r]));
        most = f32x4_max(f32x4_sub(f32x4_abs(along), f32x4_add(room, f32x4_all(room_box))), most);
    }
    return most;
}

static inline bool pair_all_apart(f32x4 gap) { return u32x4_mask(f32x4_gt(gap, f32x4_all(0))) == 15; }

/* --- links --------------------------------------------------------------------------------------------------- */

/* x = (rotation * (y_origin + y / y_scale) + position - x_origin) * x_scale. */
static void pair_link(double rotation[3][3], const double position[3], const cm__bvh *from, const cm__bvh *to,
                      double error, bool other_posed, cm__bvh_link *out) {
    double ratio = to->scale / from->scale, lengths = 0;
    bool blind = !(ratio < 0x1p100);
    for (int r = 0; r < 3; ++r) {
        double at = position[r] - to->origin[r];
        for (int c = 0; c < 3; ++c) {
            at += rotation[r][c] * from->origin[c];
            out->m[r][c] = blind ? 0 : rotation[r][c] * ratio;
            out->m_abs[r][c] = fabs(out->m[r][c]);
            out->axis[c][r] = (float)rotation[r][c];
            out->axis_abs[c][r] = (float)fabs(rotation[r][c]) + PAIR_ALLOWANCE;
        }
        lengths += fabs(position[r]) + fabs(to->origin[r]) + fabs(from->origin[r]);
        at *= to->scale;
        out->t[r] = blind ? 0 : at;
    }
    out->unit = blind ? 0 : ratio;
    const double *posed = other_posed ? from->origin : to->origin;
    out->other_posed = other_posed;
    out->posed_origin = cm__most(cm__most(fabs(posed[0]), fabs(posed[1])), fabs(posed[2])) * to->scale;
    double margin = (error + lengths * 0x1p-47) * to->scale;
    out->margin = blind || !(margin < PAIR_FAR) ? PAIR_FAR : margin;
}

/* The inverse of a matrix close to a rotation. */
static void pair_invert(double m[3][3], double out[3][3]) {
    double cof[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            cof[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    double det = m[0][0] * cof[0][0] + m[0][1] * cof[0][1] + m[0][2] * cof[0][2];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out[r][c] = cof[c][r] / det;
}

static void pair_start(cm__bvh_pair_query *q, const cm__bvh *a, const cm__bvh *b, const cm__bvh_placing *b_in_a,
                       cm_real grow, bool near) {
    const cm_mat3 *r = &b_in_a->rotation;
    double turn[3][3] = {{(double)r->x.x, (double)r->y.x, (double)r->z.x},
                         {(double)r->x.y, (double)r->y.y, (double)r->z.y},
                         {(double)r->x.z, (double)r->y.z, (double)r->z.z}};
    const double at[3] = {(double)b_in_a->position.x, (double)b_in_a->position.y, (double)b_in_a->position.z};
    double back[3][3], back_at[3];
    pair_invert(turn, back);
    for (int k = 0; k < 3; ++k) back_at[k] = -(back[k][0] * at[0] + back[k][1] * at[1] + back[k][2] * at[2]);
    double error = (double)cm__place_error(b_in_a->position, 0) + (double)grow;
    q->a = a, q->b = b;
    pair_link(turn, at, b, a, error, true, &q->to_a);
    /* origins enter the way back through one rotation more */
    pair_link(back, back_at, a, b, error, false, &q->to_b);
    q->b_in_a = q->to_a.unit;
    q->top = q->heap = 0;
    q->apart = NULL, q->user = NULL;
    if (a->item_count > 0 && b->item_count > 0) {
        q->stack[0].a = q->stack[0].b = 0;
        q->stack[0].gap = -FLT_MAX;
        q->top = near ? 0 : 1;
        q->heap = near ? 1 : 0;
    }
}

void cm__bvh_pair_start(cm__bvh_pair_query *q, const cm__bvh *a, const cm__bvh *b, const cm__bvh_placing *b_in_a,
                        cm_real grow) {
    pair_start(q, a, b, b_in_a, grow, false);
}
void cm__bvh_pair_near_start(cm__bvh_pair_query *q, const cm__bvh *a, const cm__bvh *b, const cm__bvh_placing *b_in_a) {
    pair_start(q, a, b, b_in_a, 0, true);
}

/* --- walking ------------------------------------------------------------------------------------------------- */

static inline float pair_size(const cm__bvh *tree, uint32_t slot) {
    const cm__bvh_node *n = &tree->nodes[slot / 4];
    uint32_t lane = slot % 4;
    return n->half[0][lane] + n->half[1][lane] + n->half[2][lane];
}

/* Which of the two to open next: the larger one, unless it is a leaf. */
static inline bool pair_opens_a(const cm__bvh_pair_query *q, uint32_t a, uint32_t b, uint32_t count_a,
                                uint32_t count_b) {
    if (count_a > 0) return false;
    if (count_b > 0) return true;
    return (double)pair_size(q->a, a) >= (double)pair_size(q->b, b) * q->b_in_a;
}

/* The larger of the two, opened: its node, and the other's box in its units. */
typedef struct pair_step {
    bool open_a;
    uint32_t opened;
    const cm__bvh_node *node;
    const cm__bvh_link *link;
    link_box box;
} pair_step;

/* False where both are leaves, which are given out instead. */
static inline bool pair_open(const cm__bvh_pair_query *q, const cm__bvh_pair_entry *at, pair_step *step,
                             cm__bvh_leaf *leaf_a, cm__bvh_leaf *leaf_b) {
    const cm__bvh_node *in_a = &q->a->nodes[at->a / 4], *in_b = &q->b->nodes[at->b / 4];
    uint32_t child_a = in_a->child[at->a % 4], count_a = in_a->count[at->a % 4];
    uint32_t child_b = in_b->child[at->b % 4], count_b = in_b->count[at->b % 4];
    if (count_a > 0 && count_b > 0) {
        leaf_a->first = child_a, leaf_a->count = count_a;
        leaf_b->first = child_b, leaf_b->count = count_b;
        return false;
    }
    step->open_a = pair_opens_a(q, at->a, at->b, count_a, count_b);
    step->opened = step->open_a ? child_a : child_b;
    step->node = step->open_a ? &q->a->nodes[step->opened] : &q->b->nodes[step->opened];
    step->link = step->open_a ? &q->to_a : &q->to_b;
    link_box_of(step->open_a ? q->b : q->a, step->open_a ? at->b : at->a, step->link, &step->box);
    return true;
}

/* Those of the four with a bit whose gap is at most 0, the deepest on top: likely to hold a hit. All four are written:
 * the stack has room for them above its top. */
static inline void pair_push(cm__bvh_pair_query *q, const cm__bvh_pair_entry *at, const pair_step *step, f32x4 gap,
                             uint32_t of) {
    float deep[4];
    uint64_t key[4];
    f32x4_store(deep, f32x4_abs(gap));
    for (uint32_t i = 0; i < 4; ++i) key[i] = cm__bvh_key(deep[i], i);
    const int more = cm__four_sort(key, u32x4_mask(f32x4_le(gap, f32x4_all(0))) & of);
    cm__bvh_pair_entry *to = &q->stack[q->top];
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t slot = 4 * step->opened + ((uint32_t)key[i] & 3);
        to[i].a = step->open_a ? slot : at->a;
        to[i].b = step->open_a ? at->b : slot;
        to[i].gap = -cm__bvh_key_value(key[i]);
    }
    q->top += more;
}

/* Of the four children with a bit those that are leaves, and apart from the other one if that is a leaf. */
static uint32_t pair_ask(cm__bvh_pair_query *q, const cm__bvh_pair_entry *at, const pair_step *step, uint32_t near) {
    const cm__bvh_node *node = step->node, *other = step->open_a ? &q->b->nodes[at->b / 4] : &q->a->nodes[at->a / 4];
    const uint32_t lane = step->open_a ? at->b % 4 : at->a % 4;
    const cm__bvh_leaf of = {other->child[lane], other->count[lane]};
    uint32_t apart = 0;
    if (!q->apart || of.count == 0) return 0;
    for (uint32_t k = 0; k < 4; ++k) {
        if (!(near >> k & 1) || node->count[k] == 0) continue;
        const cm__bvh_leaf leaf = {node->child[k], node->count[k]};
        apart |= (uint32_t)q->apart(q->user, step->open_a ? &leaf : &of, step->open_a ? &of : &leaf) << k;
    }
    return apart;
}

bool cm__bvh_pair_next(cm__bvh_pair_query *q, cm__bvh_leaf *leaf_a, cm__bvh_leaf *leaf_b) {
    while (q->top > 0) {
        cm__bvh_pair_entry at = q->stack[--q->top];
        pair_step step;
        if (!pair_open(q, &at, &step, leaf_a, leaf_b)) return true;
        const cm__bvh_link *link = step.link;
        const pair_boxes boxes = pair_boxes_of(step.node, &step.box);
        f32x4 most = pair_gap_tree(&boxes, &step.box);
        const uint32_t near = u32x4_mask(f32x4_le(most, f32x4_all(0)));
        const uint32_t apart = pair_ask(q, &at, &step, near);
        if ((near & ~apart) == 0) continue;
        for (int j = 0; j < 3 && !step.box.coarse; ++j)
            most = f32x4_max(pair_gap_own(&boxes, link, &step.box, j), most);
        if (pair_all_apart(most)) continue;
        for (int j = 0; j < 3 && !step.box.coarse; ++j)
            most = f32x4_max(pair_gap_cross(&boxes, link, &step.box, j), most);
        pair_push(q, &at, &step, most, ~apart);
    }
    return false;
}

/* Lower bounds of the distance from the four boxes: the gaps along the tree's axes together, and those along the box's
 * axes together. The allowances hold what scales with the boxes; the factor what scales with the distance. Where no
 * axis separates them it is the negative overlap along those axes: the deeper, the more promising. */
static inline void pair_lower(const cm__bvh_node *n, const cm__bvh_link *link, const link_box *p, float lower[4]) {
    const f32x4 zero = f32x4_all(0);
    const pair_boxes boxes = pair_boxes_of(n, p);
    f32x4 most = f32x4_all(-FLT_MAX), sum = zero;
    for (int k = 0; k < 3; ++k) {
        f32x4 gap = pair_gap_axis(&boxes, p, k);
        most = f32x4_max(gap, most);
        gap = f32x4_max(gap, zero);
        sum = f32x4_add(sum, f32x4_mul(gap, gap));
    }
    if (!p->coarse) {
        f32x4 own = zero;
        for (int j = 0; j < 3; ++j) {
            f32x4 gap = pair_gap_own(&boxes, link, p, j);
            most = f32x4_max(gap, most);
            gap = f32x4_max(gap, zero);
            own = f32x4_add(own, f32x4_mul(gap, gap));
        }
        sum = f32x4_max(own, sum);
    }
    f32x4 root = f32x4_mul(f32x4_sqrt(sum), f32x4_all(1 - 1e-5f));
    f32x4_store(lower, f32x4_select(f32x4_gt(most, zero), root, most));
}

/* The heap in stack[0, heap): the nearest at 0. */
static void pair_heap_push(cm__bvh_pair_query *q, cm__bvh_pair_entry entry) {
    int at = q->heap++;
    while (at > 0 && q->stack[(at - 1) / 2].gap > entry.gap) {
        q->stack[at] = q->stack[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    q->stack[at] = entry;
}
static cm__bvh_pair_entry pair_heap_pop(cm__bvh_pair_query *q) {
    cm__bvh_pair_entry first = q->stack[0], last = q->stack[--q->heap];
    int at = 0;
    for (int child; (child = 2 * at + 1) < q->heap; at = child) {
        if (child + 1 < q->heap && q->stack[child + 1].gap < q->stack[child].gap) ++child;
        if (!(q->stack[child].gap < last.gap)) break;
        q->stack[at] = q->stack[child];
    }
    q->stack[at] = last;
    return first;
}

/* The nearest pair of all goes first while the heap has room. What comes out of a full heap is finished depth-first on
 * a stack above it, so memory is bounded and the walk as well. */
static bool pair_take(cm__bvh_pair_query *q, float limit, cm__bvh_pair_entry *out, bool *to_heap) {
    while (q->top > 0) {
        *out = q->stack[CM__BVH_HEAP + --q->top];
        *to_heap = false;
        if (out->gap <= limit) return true;
    }
    if (q->heap == 0) return false;
    *out = pair_heap_pop(q);
    *to_heap = q->heap + 4 <= CM__BVH_HEAP;
    if (out->gap <= limit) return true;
    q->heap = 0; /* all others are farther */
    return false;
}

bool cm__bvh_pair_near_next(cm__bvh_pair_query *q, cm_real bound, cm__bvh_leaf *leaf_a, cm__bvh_leaf *leaf_b) {
    if (!(bound >= 0)) return false;
    double reach = (double)bound * q->a->scale * (1 + 1e-6);
    float limit = reach < 1e18 ? (float)reach + FLT_MIN : FLT_MAX;
    float b_in_a = q->b_in_a < 1e15 ? (float)q->b_in_a : 1e15f;
    cm__bvh_pair_entry at;
    bool to_heap;
    while (pair_take(q, limit, &at, &to_heap)) {
        pair_step step;
        if (!pair_open(q, &at, &step, leaf_a, leaf_b)) {
            if (q->apart && q->apart(q->user, leaf_a, leaf_b)) continue;
            return true;
        }
        const cm__bvh_node *n = step.node;
        const cm__bvh_link *link = step.link;
        const bool open_a = step.open_a;
        const uint32_t opened = step.opened;
        float lower[4];
        pair_lower(n, link, &step.box, lower);
        int base = q->top;
        for (uint32_t i = 0; i < 4; ++i) {
            cm__bvh_pair_entry next;
            next.a = open_a ? 4 * opened + i : at.a;
            next.b = open_a ? at.b : 4 * opened + i;
            next.gap = open_a ? lower[i] : lower[i] * b_in_a;
            if (next.gap > limit || n->half[0][i] < 0) continue;
            next.gap = next.gap > at.gap ? next.gap : at.gap; /* a child is no nearer than its parent */
            if (to_heap) {
                pair_heap_push(q, next);
            } else { /* the nearest on top */
                cm__bvh_pair_entry *stack = q->stack + CM__BVH_HEAP;
                int to = q->top++;
                for (; to > base && stack[to - 1].gap < next.gap; --to) stack[to] = stack[to - 1];
                stack[to] = next;
            }
        }
    }
    return false;
}
