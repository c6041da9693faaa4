/* A k-d tree: planes across the axes, each where it costs least, made anew at every update.
 *
 * Space is divided, not the objects: a box that a plane cuts stands on both sides, as a reference. A plane is taken
 * from 15 candidates an axis, for which the boxes left, right and across are counted in bins; its cost is the product
 * of the numbers of references with the share of space on either side, and a node that no plane makes cheaper is a
 * leaf. Two boxes may meet in several leaves; their pair counts in the one that holds the lower corner of what they
 * share. Leaves are half open (x < plane goes left), so that is exactly one. Based on: [MacDonald90] planes by cost;
 * [Wald06] references across planes. */
#include "broad/broad.h"
#include "broad/kernel.h"
#include "base/memory.h"
#include "math/axis.h"

#include <string.h>

enum { BSP_LEAF = 16, BSP_BINS = 16, BSP_DEPTH = 40 };

typedef struct bsp_node {
    cm_real plane;
    uint32_t axis;         /* 3: leaf */
    uint32_t child;        /* first of two */
    uint32_t first, count; /* leaf: references */
    cm_aabb whole;         /* around the members in it, with what of them stands in other nodes */
} bsp_node;

typedef struct bsp {
    bsp_node *nodes;
    uint32_t node_count;
    size_t node_capacity;
    uint32_t *references; /* slots, leaf by leaf */
    uint32_t reference_count;
    size_t reference_capacity;
    uint32_t *work; /* lists of the nodes still to be divided, a stack */
    size_t work_capacity;
    cm__broad_buffer lanes;
    cm_aabb world; /* of all members */
    uint32_t depth, largest;
} bsp;

static void bsp_clear(cm_broad *b) {
    bsp *p = b->state;
    p->node_count = p->reference_count = p->depth = p->largest = 0;
}

static void bsp_destroy(cm_broad *b) {
    bsp *p = b->state;
    cm__free(b->mem, p->nodes, p->node_capacity, sizeof *p->nodes);
    cm__free(b->mem, p->references, p->reference_capacity, sizeof *p->references);
    cm__free(b->mem, p->work, p->work_capacity, sizeof *p->work);
    cm__buffer_free(b->mem, &p->lanes);
}

/* --- choosing a plane ------------------------------------------------------------------------------------------ */

typedef struct bsp_split {
    cm_real plane;
    uint32_t axis; /* 3: none */
    uint32_t left, right;
} bsp_split;

static int bsp_bin(cm_real x, cm_real lo, cm_real scale) {
    cm_real at = (x - lo) * scale;
    return (int)(at > 0 ? at < BSP_BINS - 1 ? at : CM_REAL(BSP_BINS - 1) : 0);
}

/* The cheapest plane for the boxes of the list, within the extent of their centers. */
static bsp_split bsp_choose(const cm_broad *b, const uint32_t *list, uint32_t count) {
    bsp_split best = {0, 3, 0, 0};
    cm_aabb centers = cm_aabb_empty();
    for (uint32_t i = 0; i < count; ++i) centers = cm_aabb_add_point(centers, cm_aabb_center(&b->boxes[list[i]]));
    double best_cost = 0.9 * count; /* a plane must save something, as cut boxes stand twice */
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const cm_real lo = vec3_reals(&centers.min)[axis], hi = vec3_reals(&centers.max)[axis];
        const cm_real scale = hi > lo ? BSP_BINS / (hi - lo) : 0;
        if (!(scale > 0 && scale <= CM_REAL_MAX)) continue;
        uint32_t begins[BSP_BINS] = {0}, ends[BSP_BINS] = {0};
        for (uint32_t i = 0; i < count; ++i) {
            const cm_aabb *box = &b->boxes[list[i]];
            ++begins[bsp_bin(vec3_reals(&box->min)[axis], lo, scale)];
            ++ends[bsp_bin(vec3_reals(&box->max)[axis], lo, scale)];
        }
        uint32_t left = 0, ended = 0;
        for (int k = 1; k < BSP_BINS; ++k) { /* a plane before bin k */
            left += begins[k - 1], ended += ends[k - 1];
            double share = (double)k / BSP_BINS;
            uint32_t right = count - ended;
            double cost = left * share + right * (1 - share);
            if (cost < best_cost && left < count && right < count) {
                cm_real plane = lo + (cm_real)k * ((hi - lo) / BSP_BINS);
                best_cost = cost;
                best.plane = plane, best.axis = axis, best.left = left, best.right = right;
            }
        }
    }
    return best;
}

/* --- building -------------------------------------------------------------------------------------------------- */

typedef struct bsp_range {
    uint32_t node, first, count, level;
} bsp_range;

static cm_status bsp_leaf(cm_broad *b, const bsp_range *r) {
    bsp *p = b->state;
    if (!cm__reserve(b->mem, (void **)&p->references, &p->reference_capacity, (size_t)p->reference_count + r->count,
                     sizeof *p->references)) {
        return CM_NO_MEMORY;
    }
    bsp_node *node = &p->nodes[r->node];
    node->axis = 3;
    node->first = p->reference_count;
    node->count = r->count;
    if (r->count) memcpy(p->references + p->reference_count, p->work + r->first, r->count * sizeof *p->references);
    p->reference_count += r->count;
    node->whole = cm_aabb_empty();
    for (uint32_t i = 0; i < r->count; ++i) node->whole = cm_aabb_union(node->whole, b->boxes[p->work[r->first + i]]);
    if (r->count > p->largest) p->largest = r->count;
    if (r->level > p->depth) p->depth = r->level;
    return CM_OK;
}

/* Divides a list at the end of the work stack into two: the right one stays there, the left one stands behind it. */
static cm_status bsp_divide(cm_broad *b, const bsp_range *r, const bsp_split *split, bsp_range *right,
                            bsp_range *left) {
    bsp *p = b->state;
    size_t need = (size_t)r->first + 2 * (size_t)r->count;
    if (need > CM_NONE / 2) return CM_LIMIT;
    if (!cm__reserve(b->mem, (void **)&p->work, &p->work_capacity, need + r->count, sizeof *p->work) ||
        !cm__reserve(b->mem, (void **)&p->nodes, &p->node_capacity, (size_t)p->node_count + 2, sizeof *p->nodes)) {
        return CM_NO_MEMORY;
    }
    uint32_t *list = p->work + r->first, *spare = list + r->count, n = 0, m = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        uint32_t s = list[i];
        bool is_left = vec3_reals(&b->boxes[s].min)[split->axis] < split->plane;
        bool is_right = vec3_reals(&b->boxes[s].max)[split->axis] >= split->plane;
        spare[n] = s, n += is_left;
        list[m] = s, m += is_right;
    }
    memmove(list + m, spare, n * sizeof *list);
    bsp_node *node = &p->nodes[r->node];
    node->axis = split->axis;
    node->plane = split->plane;
    node->child = p->node_count;
    p->node_count += 2;
    *right = (bsp_range){node->child + 1, r->first, m, r->level + 1};
    *left = (bsp_range){node->child, r->first + m, n, r->level + 1};
    return CM_OK;
}

static cm_status bsp_update(cm_broad *b) {
    bsp *p = b->state;
    uint32_t count = b->live_count - b->unbounded_count, n = 0;
    bsp_clear(b);
    if (!cm__reserve(b->mem, (void **)&p->work, &p->work_capacity, (size_t)count + 1, sizeof *p->work) ||
        !cm__reserve(b->mem, (void **)&p->nodes, &p->node_capacity, 1, sizeof *p->nodes)) {
        return CM_NO_MEMORY;
    }
    p->world = cm_aabb_empty();
    for (uint32_t s = 0; s < b->slot_count; ++s) {
        if (!cm__is_member(b, s)) continue;
        p->work[n++] = s;
        p->world = cm_aabb_union(p->world, b->boxes[s]);
    }
    bsp_range stack[BSP_DEPTH + 2];
    uint32_t top = 0;
    stack[top++] = (bsp_range){0, 0, n, 1};
    p->node_count = 1;
    uint64_t most = 6 * (uint64_t)count + 64; /* references in all */
    uint64_t pending = n;
    while (top) {
        bsp_range r = stack[--top];
        bsp_split split = {0, 3, 0, 0};
        if (r.count > BSP_LEAF && r.level < BSP_DEPTH) split = bsp_choose(b, p->work + r.first, r.count);
        cm_status status;
        pending -= r.count;
        if (split.axis == 3 || p->reference_count + pending + 2 * (uint64_t)r.count > most) {
            status = bsp_leaf(b, &r);
        } else {
            status = bsp_divide(b, &r, &split, &stack[top], &stack[top + 1]);
            if (status == CM_OK) {
                pending += stack[top].count + stack[top + 1].count;
                top += 2;
            }
        }
        if (status != CM_OK) {
            bsp_clear(b);
            return status;
        }
    }
    for (uint32_t k = p->node_count; k-- > 0;) { /* children stand behind their parents */
        bsp_node *node = &p->nodes[k];
        if (node->axis < 3) node->whole = cm_aabb_union(p->nodes[node->child].whole, p->nodes[node->child + 1].whole);
    }
    return cm__buffer_bytes(b->mem, &p->lanes, cm__lanes_bytes(p->largest));
}

/* --- walking over nodes with the space they take --------------------------------------------------------------- */

typedef struct bsp_place {
    uint32_t node, level;
    cm_aabb space; /* half open: min <= x < max, but for the outermost */
} bsp_place;

/* Pushes right, then left. */
static uint32_t bsp_push(const bsp *p, const bsp_place *place, bsp_place *stack, uint32_t top) {
    const bsp_node *node = &p->nodes[place->node];
    for (uint32_t side = 2; side-- > 0;) {
        bsp_place *child = &stack[top++];
        *child = *place;
        child->node = node->child + side;
        child->level = place->level + 1;
        if (side)
            vec3_reals_of(&child->space.min)[node->axis] = node->plane;
        else
            vec3_reals_of(&child->space.max)[node->axis] = node->plane;
    }
    return top;
}

static cm_status bsp_pairs(cm_broad *b, cm__pair_sink *sink) {
    const bsp *p = b->state;
    const cm__kernel *kernel = cm__kernel_get();
    bsp_place stack[BSP_DEPTH + 2];
    uint32_t top = 0;
    if (!p->node_count) return CM_OK;
    stack[top++] = (bsp_place){0, 1, cm__space_all()};
    while (top) {
        bsp_place place = stack[--top];
        const bsp_node *node = &p->nodes[place.node];
        if (node->axis < 3) {
            top = bsp_push(p, &place, stack, top);
            continue;
        }
        if (node->count < 2) continue;
        cm__lanes lanes;
        cm__lanes_place(&lanes, p->lanes.items, node->count);
        for (uint32_t i = 0; i < node->count; ++i) {
            uint32_t s = p->references[node->first + i];
            cm__lanes_set(&lanes, i, &b->boxes[s], 0, 0, b->ids[s], b->flags[s] & CM__FIXED);
        }
        cm__lanes_close(&lanes, node->count);
        cm__cursor cursor = {0, 0, 0};
        while (cursor.i < node->count) {
            if (!cm__sink_room(sink, 4 * CM__BLOCK)) return CM_NO_MEMORY;
            size_t kept = sink->count;
            sink->count +=
                kernel->sweep(&lanes, node->count, &cursor, sink->pairs + kept, sink->capacity - kept, &sink->tests);
            for (size_t i = kept; i < sink->count; ++i) {
                cm_broad_pair pair = sink->pairs[i];
                uint32_t s = pair.a & CM__SLOT_MASK, t = pair.b & CM__SLOT_MASK;
                cm_vec3 corner = cm_vec3_max(b->boxes[s].min, b->boxes[t].min);
                sink->pairs[kept] = pair;
                kept += cm__space_holds(&place.space, corner) && cm__pair_passes(b, s, t);
            }
            sink->count = kept;
        }
    }
    return CM_OK;
}

/* May anything in the place be met? A bound that says nothing of parts goes by the box around the whole members. */
static bool bsp_reaches(const bsp *p, const cm__visitor *v, const bsp_place *place) {
    return v->bound(v, v->whole ? &p->nodes[place->node].whole : &place->space) <= v->limit;
}

/* Is this leaf the first on the way that shows the object? Others hold it only where it is cut. */
static bool bsp_first(const bsp *p, const cm__visitor *v, const cm_aabb *box, uint32_t leaf) {
    bsp_place stack[BSP_DEPTH + 2];
    uint32_t top = 0;
    stack[top++] = (bsp_place){0, 1, cm__space_all()};
    while (top) {
        bsp_place place = stack[--top];
        const bsp_node *node = &p->nodes[place.node];
        if (!bsp_reaches(p, v, &place)) continue;
        if (node->axis == 3) return place.node == leaf;
        uint32_t all = bsp_push(p, &place, stack, top);
        bool is_left = vec3_reals(&box->min)[node->axis] < node->plane,
             is_right = vec3_reals(&box->max)[node->axis] >= node->plane;
        if (is_left && is_right)
            top = all;
        else if (is_right)
            top += 1;
        else
            stack[top] = stack[top + 1], top += 1;
    }
    return true;
}

static void bsp_visit(const cm_broad *b, cm__visitor *v) {
    const bsp *p = b->state;
    bsp_place stack[BSP_DEPTH + 2];
    uint32_t top = 0;
    if (!p->node_count) return;
    stack[top++] = (bsp_place){0, 1, cm__space_all()};
    while (top) {
        bsp_place place = stack[--top];
        const bsp_node *node = &p->nodes[place.node];
        if (!bsp_reaches(p, v, &place)) continue;
        if (node->axis < 3) {
            uint32_t was = top;
            top = bsp_push(p, &place, stack, top);
            if (v->repeats && v->bound(v, &stack[was].space) < v->bound(v, &stack[was + 1].space)) {
                bsp_place near = stack[was]; /* the nearer one goes first: it is on top */
                stack[was] = stack[was + 1], stack[was + 1] = near;
            }
            continue;
        }
        for (uint32_t i = 0; i < node->count; ++i) {
            uint32_t s = p->references[node->first + i];
            const cm_aabb *box = &b->boxes[s];
            bool whole = cm__space_holds(&place.space, box->min) && cm__space_holds(&place.space, box->max);
            if (!v->repeats && !whole && !bsp_first(p, v, box, place.node)) continue;
            if (!cm__visit(v, s)) return;
        }
    }
}

static void bsp_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    const bsp *p = b->state;
    bsp_place stack[BSP_DEPTH + 2];
    uint32_t top = 0;
    if (!p->node_count || !p->reference_count) return;
    stack[top++] = (bsp_place){0, 1, cm__space_all()};
    while (top) {
        bsp_place place = stack[--top];
        const bsp_node *node = &p->nodes[place.node];
        cm_aabb box = {cm_vec3_max(place.space.min, p->world.min), cm_vec3_min(place.space.max, p->world.max)};
        if (!fn(context, &box, (int)place.level - 1, node->axis == 3 ? node->count : 0)) return;
        if (node->axis < 3) top = bsp_push(p, &place, stack, top);
    }
}

static void bsp_stats(const cm_broad *b, cm_broad_stats *out) {
    const bsp *p = b->state;
    out->nodes = p->node_count;
    out->depth = p->depth;
    out->bytes += p->node_capacity * sizeof *p->nodes + p->lanes.capacity +
                  (p->reference_capacity + p->work_capacity) * sizeof *p->work;
}

const cm__broad_ops cm__broad_bsp = {
    .kind = CM_BROAD_BSP,
    .state_size = sizeof(bsp),
    .destroy = bsp_destroy,
    .clear = bsp_clear,
    .update = bsp_update,
    .pairs = bsp_pairs,
    .visit = bsp_visit,
    .walk = bsp_walk,
    .stats = bsp_stats,
};
