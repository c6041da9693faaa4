/* Which kind suits: decided from counts and from what is asked and moved, never from clocks.
 *
 * All against all up to some ninety boxes, columns beyond: the crossing that bench/broad measures, on eight families of
 * scenes alike, and flat around it; sort and sweep is the best at no count. Columns choose their grid by the sizes
 * themselves. Where most boxes rest, columns are the best much earlier, as they alone keep those. Where changes
 * are wanted and never the list of all pairs, and little moves, a tree that is mended in place beats everything that is
 * made anew. Borders have a width, so that a count on one does not swing.
 */
#include "broad/broad.h"

enum {
    AUTO_BRUTE_MOST = 88,
    AUTO_RESTING_LEAST = 32, /* boxes, three of four of them static, that are worth columns */
    AUTO_CALM_LEAST = 128,   /* boxes that are worth a tree */
    AUTO_CALM_FRAMES = 8,    /* updates without a call for all pairs, with few objects touched */
    AUTO_CALM_PART = 32,     /* few: one in so many */
    AUTO_STIR_PART = 8       /* too many again */
};

static uint32_t widened(uint32_t border, bool below) { return below ? border + border / 8 : border; }

cm_broad_kind cm__auto_pick(const cm_broad *b) {
    const cm_broad_kind now = b->ops ? b->ops->kind : CM_BROAD_BRUTE;
    const uint32_t count = b->live_count;
    if (b->fixed_count >= count - count / 4 && count > widened(AUTO_RESTING_LEAST, now != CM_BROAD_GRID) &&
        b->calm < AUTO_CALM_FRAMES) {
        return CM_BROAD_GRID;
    }
    if (count <= widened(AUTO_BRUTE_MOST, now == CM_BROAD_BRUTE)) return CM_BROAD_BRUTE;
    if (b->calm >= AUTO_CALM_FRAMES && count > widened(AUTO_CALM_LEAST, now != CM_BROAD_BVH)) return CM_BROAD_BVH;
    return CM_BROAD_GRID;
}

void cm__auto_watch(cm_broad *b) {
    const uint32_t part = b->ops->kind == CM_BROAD_BVH ? AUTO_STIR_PART : AUTO_CALM_PART;
    bool calm = b->desc.changes && !b->pairs_asked && b->touched_count <= b->live_count / part;
    b->calm = calm ? b->calm + (b->calm < AUTO_CALM_FRAMES) : 0;
    b->pairs_asked = false;
}
