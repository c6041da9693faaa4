/* Whether two meshes share a point, on the way of a search for their depth (mesh_meeting.h).
 *
 * A leaf of X and a block of Y are parted by a plane (mesh_blocks.c), or else their triangles are held against each
 * other. Exact for the posed points, as the walk over both trees is; but where surfaces run side by side, that walk
 * opens 130,000 pairs of nodes for 100,000 triangles of each to find what a search for the depth has at hand. */
#include "pair/mesh_meeting.h"

#include "math/round.h"

enum { MEETING_WALKS = 256 };

void cm__mesh_meeting_open(const cm__mesh_pair *pair, cm__mesh_meeting *out) {
    out->x_is_b = out->asks = false;
    out->meet = false;
    out->apart = 0;
    out->walks = MEETING_WALKS;
    out->error = 2 * (double)cm__place_error(pair->placing.position, pair->b->point_reach);
    cm__mesh_blocks_open(pair, &out->blocks);
    cm__leaf_planes_open(&out->planes);
}

void cm__mesh_meeting_ask(cm__mesh_meeting *m, const cm__bvh_leaf *of_x, const cm__bvh_leaf *of_y) {
    const cm__bvh_leaf *of_a = m->x_is_b ? of_y : of_x, *of_b = m->x_is_b ? of_x : of_y;
    if (m->meet || cm__mesh_blocks_apart(&m->blocks, of_a, of_b)) return;
    const cm__mesh_block *y = cm__mesh_shelf_block(meeting_shelf(m, false), of_y);
    const cm__bvh_leaf all = {y ? y->first : of_y->first, y ? y->count : of_y->count};
    m->meet = cm__mesh_leaves_meet(m->blocks.pair, m->x_is_b ? &all : of_a, m->x_is_b ? of_b : &all, &m->planes);
    m->asks = !m->meet;
}

/* How many triangles are below a node, or in a leaf. */
static uint32_t meeting_count(const cm__bvh *tree, uint32_t slot) {
    uint32_t stack[CM__BVH_STACK], count = 0;
    int top = 1;
    stack[0] = slot;
    while (top > 0) {
        const uint32_t at = stack[--top];
        const cm__bvh_node *node = &tree->nodes[at / 4];
        if (node->half[0][at % 4] < 0) continue;
        count += node->count[at % 4];
        for (uint32_t k = 0; k < 4 && node->count[at % 4] == 0; ++k) stack[top++] = 4 * node->child[at % 4] + k;
    }
    return count;
}

void cm__mesh_meeting_walk(cm__mesh_meeting *m, uint32_t slot) {
    if (!m->asks || m->walks == 0) {
        m->asks = false;
        return;
    }
    --m->walks;
    const cm__mesh_pair *pair = m->blocks.pair;
    cm__bvh_pair_query q;
    cm__bvh_leaf leaf_a, leaf_b;
    cm__bvh_pair_start(&q, &pair->tree_a, &pair->tree_b, &pair->placing, 0);
    if (m->x_is_b)
        q.stack[0].b = slot;
    else
        q.stack[0].a = slot;
    cm__mesh_blocks_watch(&m->blocks, &q);
    while (!m->meet && cm__bvh_pair_next(&q, &leaf_a, &leaf_b))
        m->meet = cm__mesh_leaves_meet(pair, &leaf_a, &leaf_b, &m->planes);
    m->asks = !m->meet;
    m->apart += meeting_count(m->x_is_b ? &pair->tree_b : &pair->tree_a, slot);
}
