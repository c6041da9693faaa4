/* Makes leaves larger than those that a tree was grown with: a node of few items becomes a leaf. The items of a node's
 * children follow each other in the tree's order, so they need not be moved; used lanes are the first of a node. */
#include "bvh/bvh.h"

/* How many items a node of leaves holds; 0: one of its children is a node. */
static uint32_t merge_items(const cm__bvh_node *node) {
    uint32_t items = 0;
    for (int i = 0; i < 4 && node->half[0][i] >= 0; ++i) {
        if (node->count[i] == 0) return 0;
        items += node->count[i];
    }
    return items;
}

void cm__bvh_merge_leaves(cm__bvh_node *nodes, uint32_t leaf, uint32_t *scratch, cm__bvh *tree) {
    uint32_t *to = scratch, kept = 0; /* where a node goes; CM_NONE: it is merged */
    for (uint32_t n = 0; n < tree->node_count; ++n) to[n] = n;
    for (uint32_t n = tree->node_count; n-- > 0;) /* children follow their parents */
        for (int i = 0; i < 4 && nodes[n].half[0][i] >= 0; ++i) {
            const uint32_t child = nodes[n].child[i], items = nodes[n].count[i] > 0 ? 0 : merge_items(&nodes[child]);
            if (items == 0 || items > leaf) continue;
            nodes[n].child[i] = nodes[child].child[0], nodes[n].count[i] = items;
            to[child] = CM_NONE;
        }
    for (uint32_t n = 0; n < tree->node_count; ++n)
        if (to[n] != CM_NONE) to[n] = kept++;
    for (uint32_t n = 0; n < tree->node_count; ++n) {
        if (to[n] == CM_NONE) continue;
        cm__bvh_node *node = &nodes[to[n]];
        *node = nodes[n];
        for (int i = 0; i < 4 && node->half[0][i] >= 0; ++i)
            if (node->count[i] == 0) node->child[i] = to[node->child[i]];
    }
    tree->node_count = kept;
}
