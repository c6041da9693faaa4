/* OCTREE and QUADTREE: cells halved along three axes or two.
 *
 * Loose: an object stands in the smallest cell there is that holds its center and, grown by the factor `loose`, all of
 * it wherever its center is: with 2, the cell is at least as large as the object. So it never stands in two and never
 * sinks up to the root for crossing a plane. A cell is divided when more than `split` objects stand in it, and takes
 * its children back when fewer than half as many stand in all of them (so that one object going to and fro does not
 * make them swing). Objects at one point are never parted: `levels` ends that. The root doubles toward whatever leaves
 * it; what is far beyond starts it anew. Queries and pairs go by the tight boxes of what the cells hold, not by the
 * cells. Clipped (clipped.c): an object stands in every cell that it meets; the cells are those of this file.
 * Based on: [Ulrich00]. */
#include "broad/octree.h"
#include "base/memory.h"
#include "math/axis.h"

enum { CELL_SPLIT = 12, GROWTHS_MOST = 12 };

static void octree_clear(cm_broad *b) {
    cm__octree *o = b->state;
    o->split = b->desc.split ? b->desc.split : CELL_SPLIT;
    o->levels = b->desc.levels ? b->desc.levels : CM__CELL_LEVELS;
    o->room = b->desc.loose != 0 ? b->desc.loose - 1 : 1;
    if (!o->started) {
        o->started = true;
        o->tree.mem = b->mem;
        o->tree.branching = 1u << o->dims;
    }
    o->growths = 0;
    o->clipped = b->desc.clipped;
    cm__tree_clear(&o->tree);
    if (o->clipped) cm__clipped_clear(o);
}

static void quadtree_clear(cm_broad *b) {
    cm__octree *o = b->state;
    int skipped = b->desc.plane ? b->desc.plane - 1 : 1;
    o->axes[0] = skipped == 0 ? 1 : 0;
    o->axes[1] = skipped == 2 ? 1 : 2;
    o->dims = 2;
    octree_clear(b);
}

static void octree3_clear(cm_broad *b) {
    cm__octree *o = b->state;
    o->axes[0] = 0, o->axes[1] = 1, o->axes[2] = 2;
    o->dims = 3;
    octree_clear(b);
}

static void octree_destroy(cm_broad *b) {
    cm__octree *o = b->state;
    cm__tree_free(&o->tree);
    cm__free(b->mem, o->cells, o->cells_capacity, sizeof *o->cells);
    cm__clipped_free(o);
}

/* --- where an object belongs ---------------------------------------------------------------------------------- */

cm__octree_place cm__octree_place_of(const cm__octree *o, const cm_aabb *box) {
    cm__octree_place p = {{0, 0, 0}, 0};
    for (int k = 0; k < o->dims; ++k) {
        cm_real lo = vec3_reals(&box->min)[o->axes[k]], hi = vec3_reals(&box->max)[o->axes[k]];
        p.center[k] = lo / 2 + hi / 2;
        p.size = cm_max(p.size, hi - lo);
    }
    return p;
}

static bool cell_holds(const cm__octree *o, const cm__octree_cell *cell, const cm__octree_place *p) {
    bool in = p->size <= 2 * cell->half * o->room;
    for (int k = 0; k < o->dims; ++k) in = in && cm_abs(p->center[k] - cell->center[k]) <= cell->half;
    return in;
}

static uint32_t child_for(const cm__octree *o, const cm__octree_cell *cell, const cm__octree_place *p) {
    uint32_t which = 0;
    for (int k = 0; k < o->dims; ++k) which |= (uint32_t)(p->center[k] >= cell->center[k]) << k;
    return which;
}

/* --- dividing, merging, growing ------------------------------------------------------------------------------- */

cm_status cm__octree_reserve(cm__octree *o, uint32_t slot, uint32_t blocks) {
    cm_status status = cm__tree_reserve(&o->tree, slot, blocks);
    if (status != CM_OK) return status;
    bool ok = cm__reserve(o->tree.mem, (void **)&o->cells, &o->cells_capacity, o->tree.node_capacity, sizeof *o->cells);
    return ok ? CM_OK : CM_NO_MEMORY;
}

void cm__octree_divide(cm__octree *o, uint32_t node) {
    uint32_t child = cm__tree_take(&o->tree, node);
    const cm__octree_cell cell = o->cells[node];
    o->tree.nodes[node].child = child;
    for (uint32_t k = 0; k < o->tree.branching; ++k) {
        cm__octree_cell *c = &o->cells[child + k];
        c->half = cell.half / 2;
        c->own = c->total = 0;
        c->level = cell.level + 1;
        for (int a = 0; a < o->dims; ++a) c->center[a] = cell.center[a] + (k >> a & 1 ? c->half : -c->half);
    }
}

static void cell_put(cm__octree *o, uint32_t node, uint32_t slot) {
    cm__tree_link(&o->tree, node, slot);
    ++o->cells[node].own;
}

/* Divides a crowded cell once; objects too large for its children stay. */
static void cell_split(cm_broad *b, uint32_t node) {
    cm__octree *o = b->state;
    uint32_t slot = o->tree.nodes[node].head;
    cm__octree_divide(o, node);
    const cm_real most = o->cells[node].half * o->room; /* of a child, whose edge is half of this cell's */
    while (slot != CM_NONE) {
        uint32_t next = o->tree.next[slot];
        cm__octree_place p = cm__octree_place_of(o, &b->boxes[slot]);
        if (p.size <= most) {
            uint32_t child = o->tree.nodes[node].child + child_for(o, &o->cells[node], &p);
            cm__tree_unlink(&o->tree, slot);
            --o->cells[node].own;
            cell_put(o, child, slot);
            ++o->cells[child].total;
            cm__tree_mark(&o->tree, child);
        }
        slot = next;
    }
}

/* Takes all that is below a node onto it. */
static void cell_merge(cm__octree *o, uint32_t node) {
    uint32_t stack[CM__TREE_DEPTH * 8], top = 0;
    stack[top++] = o->tree.nodes[node].child;
    o->tree.nodes[node].child = CM_NONE;
    while (top) {
        uint32_t child = stack[--top];
        for (uint32_t k = 0; k < o->tree.branching; ++k) {
            cm__tree_node *n = &o->tree.nodes[child + k];
            if (n->child != CM_NONE) stack[top++] = n->child;
            while (n->head != CM_NONE) {
                uint32_t slot = n->head;
                cm__tree_unlink(&o->tree, slot);
                cell_put(o, node, slot);
            }
        }
        cm__tree_give_back(&o->tree, child);
    }
}

/* A root twice as large, of which the old one is a child: the node keeps its number, its contents move below. Along an
 * axis on which the object is level with it either side is right. */
static void octree_grow(cm__octree *o, const cm__octree_place *p) {
    cm__tree *t = &o->tree;
    const cm__octree_cell old = o->cells[t->root];
    const cm__tree_node node = t->nodes[t->root];
    cm__octree_cell *root = &o->cells[t->root];
    root->half = 2 * old.half;
    root->own = 0;
    for (int k = 0; k < o->dims; ++k) root->center[k] += p->center[k] >= old.center[k] ? old.half : -old.half;
    t->nodes[t->root].child = t->nodes[t->root].head = CM_NONE;
    root->level = old.level;
    cm__octree_divide(o, t->root);
    cm__octree_place at = {{old.center[0], old.center[1], old.center[2]}, 0};
    uint32_t child = t->nodes[t->root].child + child_for(o, root, &at);
    o->cells[child] = old;
    t->nodes[child].child = node.child;
    t->nodes[child].head = node.head;
    t->nodes[child].box = node.box;
    t->nodes[child].dirty = node.dirty;
    for (uint32_t k = 0; node.child != CM_NONE && k < t->branching; ++k) t->nodes[node.child + k].parent = child;
    for (uint32_t s = node.head; s != CM_NONE; s = t->next[s]) t->node_of[s] = child;
    cm__tree_mark(t, t->root);
    ++o->growths;
}

/* --- objects ------------------------------------------------------------------------------------------------- */

static void octree_insert(cm_broad *b, uint32_t slot, const cm__octree_place *p) {
    cm__octree *o = b->state;
    uint32_t node = o->tree.root;
    ++o->cells[node].total;
    while (o->tree.nodes[node].child != CM_NONE && p->size <= o->cells[node].half * o->room) {
        node = o->tree.nodes[node].child + child_for(o, &o->cells[node], p);
        ++o->cells[node].total;
    }
    cell_put(o, node, slot);
    cm__tree_mark(&o->tree, node);
    if (o->cells[node].own > o->split && o->tree.nodes[node].child == CM_NONE && o->cells[node].level < o->levels) {
        cell_split(b, node);
    }
}

static void octree_root(cm__octree *o, const cm__octree_place *p, cm_real half) {
    o->tree.root = cm__tree_take(&o->tree, CM_NONE);
    cm__octree_cell *root = &o->cells[o->tree.root];
    for (int k = 0; k < 3; ++k) root->center[k] = p->center[k];
    root->half = half;
    root->own = root->total = root->level = 0;
}

static cm_status loose_add(cm_broad *b, uint32_t slot) {
    cm__octree *o = b->state;
    cm__tree *t = &o->tree;
    cm_status status = cm__octree_reserve(o, slot, GROWTHS_MOST + 1);
    if (status != CM_OK) return status;
    cm__octree_place p = cm__octree_place_of(o, &b->boxes[slot]);
    if (t->root == CM_NONE) {
        cm_real scale = cm_max(cm_abs(p.center[0]), cm_max(cm_abs(p.center[1]), cm_abs(p.center[2])));
        octree_root(o, &p, cm_max(p.size * 4, cm_max(scale * CM_REAL_EPSILON * 16, CM_REAL_MIN * 65536)));
    }
    /* What is out of the doubled root's reach stands on the root until the tree is made anew. */
    while (!cell_holds(o, &o->cells[t->root], &p) && o->growths < GROWTHS_MOST) octree_grow(o, &p);
    if (cell_holds(o, &o->cells[t->root], &p)) {
        octree_insert(b, slot, &p);
    } else {
        ++o->cells[t->root].total;
        cell_put(o, t->root, slot);
        cm__tree_mark(t, t->root);
    }
    return CM_OK;
}

static void loose_remove(cm_broad *b, uint32_t slot) {
    cm__octree *o = b->state;
    uint32_t node = o->tree.node_of[slot], merge = CM_NONE;
    cm__tree_unlink(&o->tree, slot);
    --o->cells[node].own;
    cm__tree_mark(&o->tree, node);
    for (uint32_t n = node; n != CM_NONE; n = o->tree.nodes[n].parent) {
        if (--o->cells[n].total < (o->split + 1) / 2 && o->tree.nodes[n].child != CM_NONE) merge = n;
    }
    if (merge != CM_NONE) cell_merge(o, merge);
}

static cm_status loose_move(cm_broad *b, uint32_t slot) {
    cm__octree *o = b->state;
    uint32_t node = o->tree.node_of[slot];
    cm__octree_place p = cm__octree_place_of(o, &b->boxes[slot]);
    bool leaf = o->tree.nodes[node].child == CM_NONE;
    if (cell_holds(o, &o->cells[node], &p) && (leaf || p.size > o->cells[node].half * o->room)) {
        cm__tree_mark(&o->tree, node);
        return CM_OK;
    }
    loose_remove(b, slot);
    return loose_add(b, slot);
}

cm_status cm__octree_around(cm_broad *b) {
    cm__octree *o = b->state;
    cm_aabb all = cm_aabb_empty();
    for (uint32_t s = 0; s < b->slot_count; ++s) {
        if (cm__is_member(b, s)) all = cm_aabb_union(all, b->boxes[s]);
    }
    cm__tree_clear(&o->tree);
    o->growths = 0;
    cm_status status = cm__octree_reserve(o, 0, 0);
    if (status != CM_OK) return status;
    const cm__octree_place p = cm__octree_place_of(o, &all);
    octree_root(o, &p, cm_max(p.size, CM_REAL_MIN * 65536));
    return CM_OK;
}

/* A tree around everything, from nothing: where the root had to double too often. */
static cm_status loose_restart(cm_broad *b) {
    cm_status status = cm__octree_around(b);
    for (uint32_t s = 0; s < b->slot_count && status == CM_OK; ++s) {
        if (cm__is_member(b, s)) status = loose_add(b, s);
    }
    return status;
}

static cm_status loose_update(cm_broad *b) {
    cm__octree *o = b->state;
    cm_status status = CM_OK;
    if (o->growths >= GROWTHS_MOST) status = loose_restart(b);
    if (status == CM_OK) cm__tree_refit(&o->tree, b->boxes);
    return status;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

static bool is_clipped(const cm_broad *b) { return ((const cm__octree *)b->state)->clipped; }

static cm_status octree_add(cm_broad *b, uint32_t slot) {
    return is_clipped(b) ? cm__clipped_add(b, slot) : loose_add(b, slot);
}
static void octree_remove(cm_broad *b, uint32_t slot) {
    if (is_clipped(b))
        cm__clipped_remove(b, slot);
    else
        loose_remove(b, slot);
}
static cm_status octree_move(cm_broad *b, uint32_t slot) {
    return is_clipped(b) ? cm__clipped_move(b, slot) : loose_move(b, slot);
}
static cm_status octree_update(cm_broad *b) { return is_clipped(b) ? cm__clipped_update(b) : loose_update(b); }
static cm_status octree_pairs(cm_broad *b, cm__pair_sink *sink) {
    return is_clipped(b) ? cm__clipped_pairs(b, sink) : cm__tree_pairs(&((const cm__octree *)b->state)->tree, b, sink);
}
static void octree_visit(const cm_broad *b, cm__visitor *v) {
    cm__tree_visit(&((const cm__octree *)b->state)->tree, v);
}
static void octree_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    cm__tree_walk(&((const cm__octree *)b->state)->tree, b, fn, context);
}
static void octree_stats(const cm_broad *b, cm_broad_stats *out) {
    const cm__octree *o = b->state;
    cm__tree_stats(&o->tree, out);
    out->bytes += o->cells_capacity * sizeof *o->cells + cm__clipped_bytes(o);
}

const cm__broad_ops cm__broad_octree = {
    CM_BROAD_OCTREE, sizeof(cm__octree), octree_destroy, octree3_clear, octree_add,   octree_remove, octree_move,
    octree_update,   octree_pairs,       octree_visit,   octree_walk,   octree_stats, NULL};
const cm__broad_ops cm__broad_quadtree = {
    CM_BROAD_QUADTREE, sizeof(cm__octree), octree_destroy, quadtree_clear, octree_add,   octree_remove, octree_move,
    octree_update,     octree_pairs,       octree_visit,   octree_walk,    octree_stats, NULL};
