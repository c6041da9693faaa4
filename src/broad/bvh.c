/* A tree of boxes, two children to a node, one object to a leaf.
 *
 * Added objects go down to where they enlarge the tree least. Moved ones stay in their leaf: the boxes above are
 * refitted, and on the way up each node may swap a child with a grandchild where that makes boxes smaller, which mends
 * what motion spoils. What cannot be mended is measured: the sum of all inner boxes' areas is compared with what it was
 * when the tree was last built, and beyond bvh_rebuild_cost times that (or beyond BVH_DEPTH_MOST) the tree is built
 * anew from the order of the centers on a Morton curve. So a frame costs a refit, and now and then a sort. Where many
 * share one cell of the curve, as all but one do if that one is far away, they are sorted again along a curve through
 * their own box: at most once a level, MORTON_LEVELS times in all. Based on: [Goldsmith87] insertion by area; [Kopta12]
 * rotations while refitting; [Lauterbach09] Morton order. */
#include "broad/tree.h"
#include "base/memory.h"
#include "math/axis.h"

#include <string.h>

static const double bvh_rebuild_cost = 1.3;
enum {
    BVH_DEPTH_MOST = 56,
    BVH_BULK = 4,       /* more than a fourth of the leaves new: build anew */
    MORTON_LEVELS = 28, /* deeper ones are halved by number */
    MORTON_BLUR = 32    /* more objects than this in one cell of the curve get a curve of their own */
};

typedef struct bvh {
    cm__tree tree;
    cm__broad_buffer order; /* uint64_t: Morton code and slot, twice */
    uint32_t count, added;  /* objects; since the last build */
    double built_cost;      /* relative to the root's area */
    bool bulk;              /* objects are only counted, as the update will build anew */
} bvh;

static void bvh_clear(cm_broad *b) {
    bvh *h = b->state;
    h->tree.mem = b->mem;
    h->tree.branching = 2;
    h->count = h->added = 0;
    h->bulk = true;
    h->built_cost = 0;
    cm__tree_clear(&h->tree);
}

static void bvh_destroy(cm_broad *b) {
    bvh *h = b->state;
    cm__tree_free(&h->tree);
    cm__buffer_free(b->mem, &h->order);
}

/* Half the surface, in double: no overflow for any valid float box. */
static double box_area(const cm_aabb *box) {
    double x = (double)box->max.x - (double)box->min.x, y = (double)box->max.y - (double)box->min.y;
    double z = (double)box->max.z - (double)box->min.z;
    return x >= 0 ? x * y + y * z + z * x : 0;
}

static double joined_area(const cm_aabb *a, const cm_aabb *b) {
    cm_aabb both = cm_aabb_union(*a, *b);
    return box_area(&both);
}

/* --- adding and removing --------------------------------------------------------------------------------------- */

static void node_measure(cm__tree *t, uint32_t node) {
    const cm__tree_node *left = &t->nodes[t->nodes[node].child], *right = left + 1;
    t->nodes[node].box = cm_aabb_union(left->box, right->box);
    t->nodes[node].height = 1 + (left->height > right->height ? left->height : right->height);
}

/* Copies what a node holds to another number: an object, or children. */
static void node_put(cm__tree *t, uint32_t to, const cm__tree_node *what) {
    t->nodes[to].box = what->box;
    t->nodes[to].child = what->child;
    t->nodes[to].head = what->head;
    t->nodes[to].dirty = what->dirty;
    t->nodes[to].height = what->height;
    if (what->head != CM_NONE) t->node_of[what->head] = to;
    for (uint32_t k = 0; what->child != CM_NONE && k < 2; ++k) t->nodes[what->child + k].parent = to;
}

static cm_status bvh_add(cm_broad *b, uint32_t slot) {
    bvh *h = b->state;
    cm__tree *t = &h->tree;
    cm_status status = cm__tree_reserve(t, slot, 1);
    if (status != CM_OK) return status;
    const cm_aabb *box = &b->boxes[slot];
    ++h->count, ++h->added;
    if (h->added > 64 && h->added > h->count / BVH_BULK) h->bulk = true;
    if (h->bulk) return CM_OK;
    if (t->root == CM_NONE) {
        t->root = cm__tree_take(t, CM_NONE);
        t->nodes[t->root].box = *box;
        cm__tree_link(t, t->root, slot);
        cm__tree_mark(t, t->root);
        return CM_OK;
    }
    uint32_t node = t->root;
    for (int depth = 0; t->nodes[node].child != CM_NONE && depth < BVH_DEPTH_MOST; ++depth) {
        const cm__tree_node *left = &t->nodes[t->nodes[node].child], *right = left + 1;
        double here = joined_area(&t->nodes[node].box, box), grown = here - box_area(&t->nodes[node].box);
        double to_left = joined_area(&left->box, box), to_right = joined_area(&right->box, box);
        if (left->child != CM_NONE) to_left -= box_area(&left->box);
        if (right->child != CM_NONE) to_right -= box_area(&right->box);
        if (here < grown + to_left && here < grown + to_right) break; /* best as this node's sibling */
        node = t->nodes[node].child + (to_right < to_left);
    }
    cm__tree_node old = t->nodes[node];
    uint32_t child = cm__tree_take(t, node);
    t->nodes[node].child = child;
    t->nodes[node].head = CM_NONE;
    node_put(t, child, &old);
    t->nodes[child + 1].box = *box;
    cm__tree_link(t, child + 1, slot);
    cm__tree_mark(t, child + 1);
    for (; node != CM_NONE; node = t->nodes[node].parent) node_measure(t, node); /* so that the next is led well */
    if (t->nodes[t->root].height > BVH_DEPTH_MOST) h->bulk = true;
    return CM_OK;
}

/* The sibling takes the parent's place. */
static void bvh_remove(cm_broad *b, uint32_t slot) {
    bvh *h = b->state;
    cm__tree *t = &h->tree;
    --h->count;
    if (h->bulk) return;
    uint32_t leaf = t->node_of[slot], parent = t->nodes[leaf].parent;
    cm__tree_unlink(t, slot);
    if (parent == CM_NONE) {
        cm__tree_clear(t);
        return;
    }
    uint32_t child = t->nodes[parent].child;
    cm__tree_node sibling = t->nodes[child == leaf ? child + 1 : child];
    cm__tree_give_back(t, child);
    sibling.dirty |= t->nodes[parent].dirty;
    node_put(t, parent, &sibling);
    t->nodes[parent].dirty = 0;
    if (sibling.dirty) { /* its own box is to be made, and so are those above */
        cm__tree_mark(t, parent);
    } else {
        cm__tree_mark(t, t->nodes[parent].parent);
    }
}

static cm_status bvh_move(cm_broad *b, uint32_t slot) {
    bvh *h = b->state;
    if (!h->bulk) cm__tree_mark(&h->tree, h->tree.node_of[slot]);
    return CM_OK;
}

/* --- refitting with rotations ---------------------------------------------------------------------------------- */

/* Swaps a child of the node with a grandchild on the other side, where that shrinks the box between. */
static void bvh_rotate(cm__tree *t, uint32_t node) {
    uint32_t child = t->nodes[node].child;
    double best = 0;
    uint32_t best_child = 0, best_grand = 0;
    for (uint32_t k = 0; k < 2; ++k) {
        const cm__tree_node *kept = &t->nodes[child + k], *other = &t->nodes[child + 1 - k];
        if (other->child == CM_NONE) continue;
        double area = box_area(&other->box);
        for (uint32_t g = 0; g < 2; ++g) { /* grandchild g comes up, `kept` goes down beside the other */
            double gain = area - joined_area(&kept->box, &t->nodes[other->child + 1 - g].box);
            if (gain > best) best = gain, best_child = child + k, best_grand = other->child + g;
        }
    }
    if (!(best > 0)) return;
    cm__tree_node down = t->nodes[best_child], up = t->nodes[best_grand];
    uint32_t other = t->nodes[best_grand].parent;
    node_put(t, best_child, &up);
    node_put(t, best_grand, &down);
    node_measure(t, other);
    node_measure(t, node);
}

/* As cm__tree_refit, of a tree whose root is marked, but with rotations. A refit at most doubles the depth, which the
 * stacks here and in tree.c stand. */
static void bvh_refit(bvh *h, const cm_aabb *boxes) {
    cm__tree *t = &h->tree;
    uint32_t stack[CM__TREE_DEPTH * 4], top = 0;
    stack[top++] = t->root;
    while (top) {
        cm__tree_node *node = &t->nodes[stack[top - 1]];
        if (node->dirty == 1) {
            node->dirty = 2;
            for (uint32_t k = 0; node->child != CM_NONE && k < 2; ++k) {
                if (t->nodes[node->child + k].dirty) stack[top++] = node->child + k;
            }
            continue;
        }
        uint32_t n = stack[--top];
        node->dirty = 0;
        if (node->child == CM_NONE) {
            node->box = boxes[node->head];
            node->height = 1;
        } else {
            node_measure(t, n);
            bvh_rotate(t, n);
        }
    }
}

/* Sum of the inner boxes' areas over the root's. */
static double bvh_cost(const cm__tree *t) {
    double sum = 0;
    if (t->root == CM_NONE) return 0;
    uint32_t stack[CM__TREE_DEPTH * 4], top = 0;
    stack[top++] = t->root;
    while (top) {
        const cm__tree_node *node = &t->nodes[stack[--top]];
        if (node->child == CM_NONE) continue;
        sum += box_area(&node->box);
        for (uint32_t k = 0; k < 2; ++k) stack[top++] = node->child + k;
    }
    double root = box_area(&t->nodes[t->root].box);
    return root > 0 ? sum / root : 0;
}

/* --- building ------------------------------------------------------------------------------------------------- */

static uint64_t spread_bits(uint64_t x) { /* 10 bits, two zeros behind each */
    x = (x | x << 16) & 0x30000ff;
    x = (x | x << 8) & 0x300f00f;
    x = (x | x << 4) & 0x30c30c3;
    return (x | x << 2) & 0x9249249;
}

static uint64_t morton_part(cm_real at, cm_real lo, cm_real scale) {
    cm_real cell = (at - lo) * scale;
    return spread_bits((uint64_t)(cell > 0 ? cell < 1023 ? cell : CM_REAL(1023) : 0));
}

/* Sorts by the code in the high half: three passes of ten bits. */
static void morton_sort(uint64_t *items, uint64_t *spare, uint32_t count) {
    uint32_t counts[1024];
    uint64_t *from = items, *to = spare;
    for (int shift = 32; shift < 62; shift += 10) {
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < count; ++i) ++counts[from[i] >> shift & 1023];
        for (uint32_t k = 0, sum = 0; k < 1024; ++k) {
            uint32_t n = counts[k];
            counts[k] = sum;
            sum += n;
        }
        for (uint32_t i = 0; i < count; ++i) to[counts[from[i] >> shift & 1023]++] = from[i];
        uint64_t *swap = from;
        from = to, to = swap;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}

static bool morton_is_one(const uint64_t *order, uint32_t first, uint32_t last) {
    return order[first] >> 32 == order[last - 1] >> 32;
}

/* Where the highest differing bit of the codes in [first, last) changes; the middle where they are equal or where a
 * lean tree would become too deep. */
static uint32_t morton_split(const uint64_t *order, uint32_t first, uint32_t last, uint32_t level) {
    uint64_t lo = order[first] >> 32, hi = order[last - 1] >> 32;
    if (lo == hi || level > MORTON_LEVELS) return first + (last - first) / 2;
    uint64_t bit = lo ^ hi;
    while (bit & (bit - 1)) bit &= bit - 1;
    uint32_t a = first, z = last - 1; /* order[a] has the bit clear, order[z] set */
    while (z - a > 1) {
        uint32_t middle = a + (z - a) / 2;
        if (order[middle] >> 32 & bit)
            z = middle;
        else
            a = middle;
    }
    return z;
}

/* Gives the objects of order[0, count) their codes, by where their centers lie within the box of these centers. False:
 * all at one place. */
static bool morton_code(const cm_broad *b, uint64_t *order, uint32_t count) {
    cm_aabb all = cm_aabb_empty();
    for (uint32_t i = 0; i < count; ++i) all = cm_aabb_add_point(all, cm_aabb_center(&b->boxes[(uint32_t)order[i]]));
    cm_real scale[3];
    for (int a = 0; a < 3; ++a) {
        cm_real width = vec3_reals(&all.max)[a] - vec3_reals(&all.min)[a];
        scale[a] = width > 0 ? 1024 / width : 0;
        if (!(scale[a] <= CM_REAL_MAX)) scale[a] = 0;
    }
    if (scale[0] + scale[1] + scale[2] == 0) return false;
    for (uint32_t i = 0; i < count; ++i) {
        cm_vec3 c = cm_aabb_center(&b->boxes[(uint32_t)order[i]]);
        uint64_t code = morton_part(c.x, all.min.x, scale[0]) << 2 | morton_part(c.y, all.min.y, scale[1]) << 1 |
                        morton_part(c.z, all.min.z, scale[2]);
        order[i] = code << 32 | (uint32_t)order[i];
    }
    return true;
}

typedef struct build_range {
    uint32_t node, first, last, level;
} build_range;

static cm_status bvh_build(cm_broad *b) {
    bvh *h = b->state;
    cm__tree *t = &h->tree;
    cm__tree_clear(t);
    if (!h->count) return CM_OK;
    if (cm__buffer_bytes(b->mem, &h->order, 2 * (size_t)h->count * sizeof(uint64_t)) != CM_OK) return CM_NO_MEMORY;
    cm_status status = cm__tree_reserve(t, b->slot_count - 1, h->count);
    if (status != CM_OK) return status;
    uint64_t *order = h->order.items;
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < b->slot_count; ++slot)
        if (cm__is_member(b, slot)) order[found++] = slot;
    if (morton_code(b, order, h->count)) morton_sort(order, order + h->count, h->count);
    build_range stack[CM__TREE_DEPTH * 2];
    uint32_t top = 0;
    t->root = cm__tree_take(t, CM_NONE);
    stack[top++] = (build_range){t->root, 0, h->count, 1};
    while (top) {
        build_range r = stack[--top];
        t->nodes[r.node].dirty = 1;
        if (r.last - r.first == 1) {
            cm__tree_link(t, r.node, (uint32_t)order[r.first]);
            continue;
        }
        if (r.last - r.first > MORTON_BLUR && r.level <= MORTON_LEVELS && morton_is_one(order, r.first, r.last) &&
            morton_code(b, order + r.first, r.last - r.first))
            morton_sort(order + r.first, order + h->count, r.last - r.first);
        uint32_t middle = morton_split(order, r.first, r.last, r.level), child = cm__tree_take(t, r.node);
        t->nodes[r.node].child = child;
        stack[top++] = (build_range){child, r.first, middle, r.level + 1};
        stack[top++] = (build_range){child + 1, middle, r.last, r.level + 1};
    }
    h->added = 0;
    h->bulk = false;
    bvh_refit(h, b->boxes);
    h->built_cost = bvh_cost(t);
    return CM_OK;
}

static cm_status bvh_update(cm_broad *b) {
    bvh *h = b->state;
    cm__tree *t = &h->tree;
    cm_status status = CM_OK;
    if (h->bulk) {
        status = bvh_build(b);
    } else if (t->root != CM_NONE && t->nodes[t->root].dirty) {
        bvh_refit(h, b->boxes);
        bool measure = b->marked_count > h->count / 16; /* it takes a walk over the tree */
        if (t->nodes[t->root].height > BVH_DEPTH_MOST || (measure && bvh_cost(t) > bvh_rebuild_cost * h->built_cost)) {
            status = bvh_build(b);
        }
    }
    t->depth = t->root == CM_NONE ? 0 : t->nodes[t->root].height;
    return status;
}

static cm_status bvh_pairs(cm_broad *b, cm__pair_sink *sink) {
    return cm__tree_pairs(&((const bvh *)b->state)->tree, b, sink);
}
static void bvh_visit(const cm_broad *b, cm__visitor *v) { cm__tree_visit(&((const bvh *)b->state)->tree, v); }
static void bvh_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    cm__tree_walk(&((const bvh *)b->state)->tree, b, fn, context);
}
static void bvh_stats(const cm_broad *b, cm_broad_stats *out) {
    const bvh *h = b->state;
    cm__tree_stats(&h->tree, out);
    out->bytes += h->order.capacity;
}

const cm__broad_ops cm__broad_bvh = {CM_BROAD_BVH, sizeof(bvh), bvh_destroy, bvh_clear, bvh_add,   bvh_remove, bvh_move,
                                     bvh_update,   bvh_pairs,   bvh_visit,   bvh_walk,  bvh_stats, NULL};
