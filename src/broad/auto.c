/* Chooses the kind of broad phase from counts of objects, queries and motions, never from clocks.
 *
 * All against all up to some ninety boxes, columns beyond: the crossing that bench/broad measures, on eight families of
 * scenes alike, and flat around it; sort and sweep is the best at no count. Columns choose their grid by the sizes
 * themselves. Where most boxes rest, columns are the best much earlier, as they alone keep those. Where changes are
 * wanted but never the list of all pairs, and very little moves, a tree updated in place beats everything that is
 * rebuilt. Borders have a width, so that a count on one does not swing.
 *
 * Queries. A tree answers them in a fraction of the time of columns, but costs more at each update, and more still to
 * list all pairs. What queries looked at in the columns since the last update is counted, and set against that cost.
 * What the tree would have saved is summed up as a debt; once the debt is what it costs to build the tree, it is built.
 * So each time that the use changes, what the wrong guess costs is about what building does. While the tree answers,
 * what the columns would have cost is the number of visits times what a visit of theirs cost on average, and in the
 * same way the columns come back when the tree has cost more than it saved. The sums are those of whole numbers,
 * whatever the order in which threads asked: the same calls between the same updates give the same kinds. */
#include "broad/broad.h"

enum {
    AUTO_BRUTE_MOST = 88,
    AUTO_RESTING_LEAST = 32, /* boxes, three of four of them static, that are worth columns */
    AUTO_TREE_LEAST = 128,   /* boxes that are worth a tree */
    AUTO_CALM_FRAMES = 8,    /* updates without a call for all pairs, with few objects marked */
    AUTO_CALM_PART = 64,     /* few: one in so many */
    AUTO_STIR_PART = 24,     /* too many again */
    /* Costs in looks at a record of a column, some 4 ns: measured in float at 1,000 to 100,000 boxes. */
    AUTO_BUILD = 70,    /* building the tree or the columns, a box */
    AUTO_TOUCHED = 135, /* mending the tree rather than making columns, a marked box … */
    AUTO_ALL = 35,      /* … and at most so much a box there is */
    AUTO_PAIRS = 62     /* listing all pairs from the tree rather than from columns, a box */
};

static uint32_t widened(uint32_t border, bool below) { return below ? border + border / 8 : border; }

cm_broad_kind cm__auto_pick(const cm_broad *b) {
    const cm_broad_kind now = b->ops ? b->ops->kind : CM_BROAD_BRUTE;
    const uint32_t count = b->live_count;
    const bool tree = count > widened(AUTO_TREE_LEAST, now != CM_BROAD_BVH);
    if (tree && b->for_queries) return CM_BROAD_BVH;
    if (b->fixed_count >= count - count / 4 && count > widened(AUTO_RESTING_LEAST, now != CM_BROAD_GRID) &&
        b->calm < AUTO_CALM_FRAMES) {
        return CM_BROAD_GRID;
    }
    if (count <= widened(AUTO_BRUTE_MOST, now == CM_BROAD_BRUTE)) return CM_BROAD_BRUTE;
    return tree && b->calm >= AUTO_CALM_FRAMES ? CM_BROAD_BVH : CM_BROAD_GRID;
}

/* What the tree costs more than columns at an update like this one. */
static uint64_t tree_costs(const cm_broad *b) {
    const uint64_t marked = (uint64_t)AUTO_TOUCHED * b->stirred, all = (uint64_t)AUTO_ALL * b->live_count;
    return (marked < all ? marked : all) + (b->pairs_asked ? (uint64_t)AUTO_PAIRS * b->live_count : 0);
}

/* What the columns' answers to the queries since the last update cost, or would have cost. */
static uint64_t columns_cost(cm_broad *b) {
    const uint64_t visits = b->asked.visits;
    if (b->ops->kind != CM_BROAD_GRID) return b->grid_asks ? visits * (b->grid_work / b->grid_asks) : 0;
    const uint64_t work = (uint64_t)b->asked.work * CM__ASKED_LOOKS;
    b->grid_asks += visits, b->grid_work += work;
    if (b->grid_asks >> 20) b->grid_asks /= 2, b->grid_work /= 2; /* what was asked lately counts more */
    return work;
}

static void watch_queries(cm_broad *b) {
    const uint64_t tree = tree_costs(b), columns = columns_cost(b), build = (uint64_t)AUTO_BUILD * b->live_count;
    const uint64_t more = b->for_queries ? tree : columns, less = b->for_queries ? columns : tree;
    b->debt += more;
    b->debt -= b->debt < less ? b->debt : less;
    const bool few = b->live_count <= AUTO_TREE_LEAST;
    if (b->debt <= build && !few) return;
    b->for_queries = !b->for_queries && !few;
    b->debt = 0;
}

void cm__auto_watch(cm_broad *b) {
    const uint32_t part = b->ops->kind == CM_BROAD_BVH ? AUTO_STIR_PART : AUTO_CALM_PART;
    const bool calm = b->desc.changes && !b->pairs_asked && b->marked_count <= b->live_count / part;
    if (b->dirty) b->calm = calm ? b->calm + (b->calm < AUTO_CALM_FRAMES) : 0;
    watch_queries(b);
    b->stirred = 0;
    b->pairs_asked = false;
    b->asked.visits = b->asked.work = 0;
}
