/* OCTREE and QUADTREE with `clipped`: an object has an entry on every cell that it meets, as in the textbooks.
 *
 * Of the cells that are large enough for it (an edge of at least its own, divided by loose - 1) an object stands on the
 * smallest that there are, on each that its box meets. A cell is half open (min <= x < max), and the root's is all of
 * space; so an object's cells are disjoint and hold its whole box. At looseness 2 and less they are at least as large
 * as it, each holds one of its corners, and there are at most eight (four where two axes count); in general at most
 * ceil(loose) + 1 along each axis.
 *
 * Each pair once: what two boxes share has one lower corner, the greater of the two lower ends on each axis. It lies in
 * one cell of each of the two objects, and of two cells that share a point one lies in the other. So an object is
 * compared with those on its own cells and below them, and a pair counts in the smaller cell of the two where that
 * holds the corner. For queries an object counts in the cell that holds its own lower corner (the other entries have
 * CM__ENTRY_AWAY), and nodes have the boxes of what counts there.
 *
 * Nothing compares a coordinate with a sum that was rounded: which cell a point is in is decided by the centers that
 * divide them. When a center leaves the root's reach, the update makes the tree anew around everything, twice as large.
 * Based on: the octree of [Kenwright], with each pair counted once. */
#include "broad/octree.h"
#include "base/memory.h"
#include "math/axis.h"

/* --- entries ------------------------------------------------------------------------------------------------------ */

static uint32_t entry_slot(const cm__octree *o, uint32_t entry) { return o->slots[entry] & ~(uint32_t)CM__ENTRY_AWAY; }

static bool entry_room(cm__octree *o) {
    const size_t need = (size_t)o->entry_count + 1;
    if (o->free_entries != CM_NONE) return true;
    if (need >= CM_NONE || cm__octree_reserve(o, o->entry_count, 0) != CM_OK) return false;
    bool ok = cm__reserve(o->tree.mem, (void **)&o->slots, &o->slots_capacity, need, sizeof *o->slots) &&
              cm__reserve(o->tree.mem, (void **)&o->more, &o->more_capacity, need, sizeof *o->more);
    o->tree.slots = o->slots;
    return ok;
}

/* Adds to the numbers of entries on and below of a cell and of all around it. */
static void cells_count(cm__octree *o, uint32_t node, uint32_t by) {
    for (uint32_t n = node; n != CM_NONE; n = o->tree.nodes[n].parent) o->cells[n].total += by;
}

static bool entry_put(const cm_broad *b, cm__octree *o, uint32_t node, uint32_t slot) {
    if (!entry_room(o)) return false;
    uint32_t entry = o->free_entries;
    if (entry != CM_NONE)
        o->free_entries = o->more[entry];
    else
        entry = o->entry_count++;
    const bool holds_corner = cm__space_holds(&o->spaces[node], b->boxes[slot].min);
    o->slots[entry] = slot | (holds_corner ? 0 : CM__ENTRY_AWAY);
    o->more[entry] = o->first[slot];
    o->first[slot] = entry;
    cm__tree_link(&o->tree, node, entry);
    ++o->cells[node].own;
    cells_count(o, node, 1);
    if (holds_corner) cm__tree_mark(&o->tree, node);
    return true;
}

/* Takes an entry, which stands on no cell any more, from its object. */
static void entry_free(cm__octree *o, uint32_t entry) {
    uint32_t *at = &o->first[entry_slot(o, entry)];
    while (*at != entry) at = &o->more[*at];
    *at = o->more[entry];
    o->more[entry] = o->free_entries;
    o->free_entries = entry;
}

static void entry_drop(cm__octree *o, uint32_t entry) {
    const uint32_t node = o->tree.node_of[entry];
    cm__tree_unlink(&o->tree, entry);
    --o->cells[node].own;
    cells_count(o, node, 0u - 1u);
    if (!(o->slots[entry] & CM__ENTRY_AWAY)) cm__tree_mark(&o->tree, node);
    entry_free(o, entry);
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

/* May an object of this size stand on the children of a cell? Their edge is half of the cell's. */
static bool cell_is_roomy(const cm__octree *o, uint32_t node, cm_real size) {
    return size <= o->cells[node].half * o->room;
}

/* Bit k: the box meets child k. (No reader looks beyond the children there are.) */
static uint32_t children_met(const cm__octree *o, uint32_t node, const cm_aabb *box) {
    const cm__octree_cell *cell = &o->cells[node];
    uint32_t met = 0;
    bool side[3][2];
    for (int a = 0; a < o->dims; ++a) {
        side[a][0] = vec3_reals(&box->min)[o->axes[a]] < cell->center[a];
        side[a][1] = vec3_reals(&box->max)[o->axes[a]] >= cell->center[a];
    }
    for (uint32_t k = 0; k < o->tree.branching; ++k) {
        bool in = true;
        for (int a = 0; a < o->dims; ++a) in = in && side[a][k >> a & 1];
        met |= (uint32_t)in << k;
    }
    return met;
}

/* Puts an object on the children of a cell that it meets. */
static bool put_on_children(const cm_broad *b, cm__octree *o, uint32_t node, uint32_t slot) {
    const uint32_t met = children_met(o, node, &b->boxes[slot]), child = o->tree.nodes[node].child;
    for (uint32_t k = 0; k < o->tree.branching; ++k) {
        if (met >> k & 1 && !entry_put(b, o, child + k, slot)) return false;
    }
    return true;
}

/* Divides a crowded cell once; objects too large for its children stay. */
static bool clipped_split(const cm_broad *b, cm__octree *o, uint32_t node) {
    if (cm__octree_reserve(o, 0, 1) != CM_OK ||
        !cm__reserve(o->tree.mem, (void **)&o->spaces, &o->spaces_capacity, o->tree.node_capacity, sizeof *o->spaces)) {
        return false;
    }
    cm__octree_divide(o, node);
    const uint32_t child = o->tree.nodes[node].child;
    for (uint32_t k = 0; k < o->tree.branching; ++k) {
        cm_aabb *space = &o->spaces[child + k];
        *space = o->spaces[node];
        for (int a = 0; a < o->dims; ++a) {
            (k >> a & 1 ? &space->min.x : &space->max.x)[o->axes[a]] = o->cells[node].center[a];
        }
    }
    for (uint32_t entry = o->tree.nodes[node].head, next; entry != CM_NONE; entry = next) {
        const uint32_t slot = entry_slot(o, entry);
        next = o->tree.next[entry];
        if (!cell_is_roomy(o, node, cm__octree_place_of(o, &b->boxes[slot]).size)) continue;
        entry_drop(o, entry);
        if (!put_on_children(b, o, node, slot)) return false;
    }
    return true;
}

/* Takes all that is below a cell onto it, each object once. */
static void clipped_merge(cm__octree *o, uint32_t node) {
    uint32_t stack[CM__TREE_DEPTH * 8], top = 0, dropped = 0;
    stack[top++] = o->tree.nodes[node].child;
    while (top) {
        const uint32_t child = stack[--top];
        for (uint32_t k = 0; k < o->tree.branching; ++k) {
            cm__tree_node *n = &o->tree.nodes[child + k];
            if (n->child != CM_NONE) stack[top++] = n->child;
            while (n->head != CM_NONE) {
                const uint32_t entry = n->head, slot = entry_slot(o, entry);
                const bool holds_corner = !(o->slots[entry] & CM__ENTRY_AWAY);
                uint32_t other = o->first[slot];
                while (other != CM_NONE && o->tree.node_of[other] != node) other = o->more[other];
                cm__tree_unlink(&o->tree, entry);
                if (other != CM_NONE) {
                    if (holds_corner) o->slots[other] &= ~(uint32_t)CM__ENTRY_AWAY;
                    entry_free(o, entry);
                    ++dropped;
                } else {
                    cm__tree_link(&o->tree, node, entry);
                    ++o->cells[node].own;
                }
            }
        }
        cm__tree_give_back(&o->tree, child);
    }
    o->tree.nodes[node].child = CM_NONE;
    cells_count(o, node, 0u - dropped);
    cm__tree_mark(&o->tree, node);
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

void cm__clipped_clear(cm__octree *o) {
    o->anew = true;
    o->entry_count = 0;
    o->free_entries = CM_NONE;
    o->tree.slots = o->slots;
}

void cm__clipped_free(cm__octree *o) {
    cm__free(o->tree.mem, o->spaces, o->spaces_capacity, sizeof *o->spaces);
    cm__free(o->tree.mem, o->slots, o->slots_capacity, sizeof *o->slots);
    cm__free(o->tree.mem, o->more, o->more_capacity, sizeof *o->more);
    cm__free(o->tree.mem, o->first, o->first_capacity, sizeof *o->first);
}

static bool clipped_insert(const cm_broad *b, cm__octree *o, uint32_t slot) {
    const cm_real size = cm__octree_place_of(o, &b->boxes[slot]).size;
    uint32_t stack[CM__TREE_DEPTH * 8], top = 0;
    stack[top++] = o->tree.root;
    while (top) {
        const uint32_t node = stack[--top], child = o->tree.nodes[node].child;
        if (child != CM_NONE && cell_is_roomy(o, node, size)) {
            const uint32_t met = children_met(o, node, &b->boxes[slot]);
            for (uint32_t k = 0; k < o->tree.branching; ++k) {
                if (met >> k & 1) stack[top++] = child + k;
            }
            continue;
        }
        if (!entry_put(b, o, node, slot)) return false;
        const cm__octree_cell *cell = &o->cells[node];
        if (cell->own > o->split && child == CM_NONE && cell->level < o->levels && !clipped_split(b, o, node)) {
            return false;
        }
    }
    return true;
}

static void clipped_take_out(cm__octree *o, uint32_t slot) {
    while (o->first[slot] != CM_NONE) {
        uint32_t merge = CM_NONE, node = o->tree.node_of[o->first[slot]];
        entry_drop(o, o->first[slot]);
        for (uint32_t n = node; n != CM_NONE; n = o->tree.nodes[n].parent) {
            if (o->cells[n].total < (o->split + 1) / 2 && o->tree.nodes[n].child != CM_NONE) merge = n;
        }
        if (merge != CM_NONE) clipped_merge(o, merge);
    }
}

/* On its rim either answer is right: what it does not reach is built anew. */
static bool root_reaches(const cm__octree *o, const cm__octree_place *p) {
    const cm__octree_cell *root = &o->cells[o->tree.root];
    bool in = p->size <= 2 * root->half;
    for (int a = 0; a < o->dims; ++a) in = in && cm_abs(p->center[a] - root->center[a]) <= root->half;
    return in;
}

/* Brings an object's entries up to date, or leaves that to the update. */
static cm_status clipped_place(cm_broad *b, cm__octree *o, uint32_t slot) {
    if (!o->anew) {
        const cm__octree_place p = cm__octree_place_of(o, &b->boxes[slot]);
        o->anew = !root_reaches(o, &p);
    }
    if (o->anew) return CM_OK;
    return clipped_insert(b, o, slot) ? CM_OK : CM_NO_MEMORY;
}

cm_status cm__clipped_add(cm_broad *b, uint32_t slot) {
    cm__octree *o = b->state;
    const size_t slots = (size_t)slot + 1;
    if (!cm__reserve(b->mem, (void **)&o->first, &o->first_capacity, slots, sizeof *o->first)) return CM_NO_MEMORY;
    o->first[slot] = CM_NONE;
    return clipped_place(b, o, slot);
}

void cm__clipped_remove(cm_broad *b, uint32_t slot) {
    cm__octree *o = b->state;
    if (!o->anew) clipped_take_out(o, slot);
}

/* Does the object stand on one cell, the one where it belongs? Where not, it is placed anew; that is right always. */
static bool clipped_stays(const cm__octree *o, uint32_t slot, const cm_aabb *box) {
    const uint32_t entry = o->first[slot], node = o->tree.node_of[entry];
    if (o->more[entry] != CM_NONE) return false;
    const cm_real size = cm__octree_place_of(o, box).size;
    if (node != o->tree.root && !(size <= 2 * o->cells[node].half * o->room)) return false;
    if (o->tree.nodes[node].child != CM_NONE && cell_is_roomy(o, node, size)) return false;
    return cm__space_holds(&o->spaces[node], box->min) && cm__space_holds(&o->spaces[node], box->max);
}

cm_status cm__clipped_move(cm_broad *b, uint32_t slot) {
    cm__octree *o = b->state;
    if (o->anew) return CM_OK;
    const cm__octree_place p = cm__octree_place_of(o, &b->boxes[slot]);
    if (root_reaches(o, &p) && clipped_stays(o, slot, &b->boxes[slot])) {
        cm__tree_mark(&o->tree, o->tree.node_of[o->first[slot]]);
        return CM_OK;
    }
    clipped_take_out(o, slot);
    return clipped_place(b, o, slot);
}

static cm_status clipped_anew(cm_broad *b, cm__octree *o) {
    cm__clipped_clear(o);
    cm_status status = cm__octree_around(b);
    if (status != CM_OK) return status;
    if (!cm__reserve(b->mem, (void **)&o->spaces, &o->spaces_capacity, o->tree.node_capacity, sizeof *o->spaces)) {
        return CM_NO_MEMORY;
    }
    o->spaces[o->tree.root] = cm__space_all();
    o->anew = false;
    for (uint32_t s = 0; s < b->slot_count; ++s) {
        if (!cm__is_member(b, s)) continue;
        o->first[s] = CM_NONE;
        if (!clipped_insert(b, o, s)) return CM_NO_MEMORY;
    }
    return CM_OK;
}

cm_status cm__clipped_update(cm_broad *b) {
    cm__octree *o = b->state;
    cm_status status = o->anew ? clipped_anew(b, o) : CM_OK;
    if (status == CM_OK) cm__tree_refit(&o->tree, b->boxes);
    return status;
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

typedef struct clipped_pairs {
    const cm__octree *o;
    const cm_broad *b;
    cm__pair_sink *sink;
    bool failed;
} clipped_pairs;

/* An object against those of a cell's list from `entry` on. */
static void compare_with(clipped_pairs *p, uint32_t s, uint32_t node, uint32_t entry) {
    const cm_aabb *boxes = p->b->boxes;
    for (; entry != CM_NONE; entry = p->o->tree.next[entry]) {
        const uint32_t t = entry_slot(p->o, entry);
        ++p->sink->tests;
        if (!cm_aabb_overlaps(&boxes[s], &boxes[t])) continue;
        if (!cm__space_holds(&p->o->spaces[node], cm_vec3_max(boxes[s].min, boxes[t].min))) continue;
        if (!cm__sink_slots(p->b, p->sink, s, t)) p->failed = true;
    }
}

/* Pushes the children of a cell that the box meets and on or below which something stands. */
static uint32_t push_met(const cm__octree *o, uint32_t node, const cm_aabb *box, uint32_t *stack, uint32_t top) {
    const uint32_t child = o->tree.nodes[node].child;
    if (child == CM_NONE) return top;
    const uint32_t met = children_met(o, node, box);
    for (uint32_t k = 0; k < o->tree.branching; ++k) {
        if (met >> k & 1 && o->cells[child + k].total) stack[top++] = child + k;
    }
    return top;
}

cm_status cm__clipped_pairs(cm_broad *b, cm__pair_sink *sink) {
    const cm__octree *o = b->state;
    const cm__tree *t = &o->tree;
    clipped_pairs p = {o, b, sink, false};
    uint32_t cells[CM__TREE_DEPTH * 8], cell_top = 0, below[CM__TREE_DEPTH * 8];
    if (t->root != CM_NONE) cells[cell_top++] = t->root;
    while (cell_top && !p.failed) {
        const uint32_t node = cells[--cell_top], child = t->nodes[node].child;
        for (uint32_t entry = t->nodes[node].head; entry != CM_NONE && !p.failed; entry = t->next[entry]) {
            const uint32_t s = entry_slot(o, entry);
            compare_with(&p, s, node, t->next[entry]);
            uint32_t top = push_met(o, node, &b->boxes[s], below, 0);
            while (top && !p.failed) {
                const uint32_t n = below[--top];
                ++sink->tests;
                compare_with(&p, s, n, t->nodes[n].head);
                top = push_met(o, n, &b->boxes[s], below, top);
            }
        }
        for (uint32_t k = 0; child != CM_NONE && k < t->branching; ++k) {
            if (o->cells[child + k].total) cells[cell_top++] = child + k;
        }
    }
    return p.failed ? CM_NO_MEMORY : CM_OK;
}

size_t cm__clipped_bytes(const cm__octree *o) {
    return o->spaces_capacity * sizeof *o->spaces +
           (o->slots_capacity + o->more_capacity + o->first_capacity) * sizeof *o->slots;
}
