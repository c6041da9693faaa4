/* A check in tiles: how far boxes are grown, whose a pair is, and how space is cut. See carom/check.h.
 *
 * Guaranteed: each pair belongs to exactly one tile. A pair's place is a point in both of its grown boxes, so the tile
 * whose box holds the place overlaps both parts. The boxes of a cut leave no gap and share no point, as each is closed
 * below and open above. Where several tiles have the same box and share its pairs, a hash of the pair's numbers
 * chooses. The cut is a k-d tree over places with costs: each node gives its two sides tiles in proportion to their
 * costs. */
#include "check/check.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/wide.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- the margin -------------------------------------------------------------------------------------------------- */

void cm__check_extent(const cm_check_part *parts, uint32_t count, const cm_aabb *boxes, cm_check_extent *out) {
    *out = (cm_check_extent){.box = cm_aabb_empty()};
    for (uint32_t i = 0; i < count; i++) {
        cm_aabb box;
        if (boxes)
            box = boxes[i];
        else
            cm_shape_bounds(&parts[i].shape, &parts[i].pose, &box);
        out->box = cm_aabb_union(out->box, box);
        out->reach = wide_max(out->reach, check_own_reach(&parts[i]));
        out->rounding = wide_max(out->rounding, parts[i].rounding);
        out->deviation = wide_max(out->deviation, parts[i].deviation);
    }
}

void cm_check_extent_of(const cm_check_part *parts, uint32_t count, cm_check_extent *out) {
    cm__check_extent(parts, count, NULL, out);
}

void cm_check_extent_join(cm_check_extent *all, const cm_check_extent *more) {
    all->box = cm_aabb_union(all->box, more->box);
    all->reach = wide_max(all->reach, more->reach);
    all->rounding = wide_max(all->rounding, more->rounding);
    all->deviation = wide_max(all->deviation, more->deviation);
}

/* An upper bound of all default tolerances, which grow with a pair's size, its largest coordinate and its deviations.
 */
static double largest_default(const cm_check_extent *extent) {
    const double size = (double)cm_length(cm_sub(extent->box.max, extent->box.min));
    const double largest = wide_max(check_reach_of(&extent->box), extent->reach);
    const double of_points = 8 * wide_max((double)FLT_EPSILON, extent->rounding) * largest;
    return wide_max(2e-6 * size, wide_max(of_points, 2 * extent->deviation));
}

/* Each of two boxes is grown by half of the largest tolerance, and half of the largest clearance, of any test. */
cm_real cm_check_margin(const cm_check_desc *desc, const cm_check_extent *extent) {
    if (!(extent->box.min.x <= extent->box.max.x)) return 0;
    double tolerance = wide_max(largest_default(extent), (double)desc->tolerance), clearance = (double)desc->clearance;
    for (uint32_t i = 0; i < desc->test_count; i++) {
        tolerance = wide_max(tolerance, (double)desc->tests[i].tolerance);
        clearance = wide_max(clearance, (double)desc->tests[i].clearance);
    }
    for (uint32_t i = 0; i < desc->tolerance_count; i++)
        tolerance = wide_max(tolerance, (double)desc->tolerances[i].tolerance);
    return (cm_real)((tolerance + clearance) / 2 * (1 + 4 * (double)CM_REAL_EPSILON));
}

/* --- whose a pair is --------------------------------------------------------------------------------------------- */

bool cm_check_owns(const cm_check_tile *tile, const cm_aabb *a, const cm_aabb *b, uint32_t number_a,
                   uint32_t number_b) {
    const cm_vec3 p = cm_vec3_max(a->min, b->min), low = tile->box.min, high = tile->box.max;
    if (!(p.x >= low.x && p.x < high.x && p.y >= low.y && p.y < high.y && p.z >= low.z && p.z < high.z)) return false;
    if (tile->shares <= 1) return true;
    const uint32_t first = number_a < number_b ? number_a : number_b,
                   second = number_a < number_b ? number_b : number_a;
    return (hash_bits(hash_bits(CM__HASH_START, first), second) >> 32) % tile->shares == tile->share;
}

/* --- the cut ----------------------------------------------------------------------------------------------------- */

typedef struct cut_place {
    double at[3], cost;
} cut_place;

/* The numbers of all places in their order along each axis, equal ones in the order of their numbers. They are sorted
 * once: what is cut is divided, and each side stays in order. */
typedef struct cut_lists {
    const cut_place *places;
    uint32_t *order[3], *spare;
    bool *low; /* by number: on the lower side of the present cut */
} cut_lists;

/* A stretch of each list: the same numbers in all three. */
typedef struct cut_node {
    const cut_lists *lists;
    uint32_t first, count, tiles;
    int axis; /* along which its parent was cut: its costs are summed in that order; -1: in that of the numbers */
    cm_aabb box;
    cm_check_tile *out;
} cut_node;

static const cut_place *cut_at(const cut_node *node, int axis, uint32_t i) {
    return &node->lists->places[axis < 0 ? i : node->lists->order[axis][node->first + i]];
}

typedef struct cut_key {
    double at;
    uint32_t number;
} cut_key;

/* Merges runs of doubling length; equal keys stay in order. Returns where the sorted ones are: one of both. */
static cut_key *cut_sort(cut_key *keys, cut_key *other, uint32_t count) {
    for (uint64_t run = 1; run < count; run *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * run) {
            const uint64_t middle = first + run < count ? first + run : count;
            const uint64_t last = middle + run < count ? middle + run : count;
            uint64_t i = first, k = middle;
            for (uint64_t at = first; at < last; at++) {
                const bool upper = i == middle || (k < last && keys[k].at < keys[i].at);
                other[at] = keys[upper ? k++ : i++];
            }
        }
        cut_key *const swap = keys;
        keys = other, other = swap;
    }
    return keys;
}

static void cut_sort_along(const cut_lists *lists, uint32_t count, int axis, cut_key *keys, cut_key *other) {
    for (uint32_t i = 0; i < count; i++) keys[i] = (cut_key){lists->places[i].at[axis], i};
    const cut_key *sorted = cut_sort(keys, other, count);
    for (uint32_t i = 0; i < count; i++) lists->order[axis][i] = sorted[i].number;
}

/* A division of places along an axis: half of the tiles, or one less, get the lower side, with as nearly as
 * possible their share of the cost. Places with equal coordinates stay together. */
typedef struct cut_split {
    uint32_t first;       /* of the upper side; 0: all have one coordinate */
    double below, uneven; /* cost; how far from that share, as a share of all */
} cut_split;

static cut_split cut_find(const cut_node *node, int axis, double all) {
    const double goal = (double)(node->tiles / 2) / node->tiles;
    cut_split best = {0};
    double below = 0;
    for (uint32_t i = 0; i < node->count; i++) {
        const cut_place *place = cut_at(node, axis, i);
        if (i > 0 && place->at[axis] > cut_at(node, axis, i - 1)->at[axis]) {
            const double uneven = fabs(below / all - goal);
            if (best.first == 0 || uneven < best.uneven) best = (cut_split){i, below, uneven};
        }
        below += place->cost;
    }
    return best;
}

/* Of the axes that divide the cost nearly as evenly as the best one, the axis along which the places extend farthest;
 * -1 where all places are one point. */
static int cut_choose(const cut_node *node, double all, cut_split *out) {
    enum { AXES = 3 };
    cut_split splits[AXES];
    double spread[AXES], least = 1;
    for (int k = 0; k < AXES; k++) {
        splits[k] = cut_find(node, k, all);
        spread[k] = cut_at(node, k, node->count - 1)->at[k] - cut_at(node, k, 0)->at[k];
        if (splits[k].first > 0 && splits[k].uneven < least) least = splits[k].uneven;
    }
    int axis = -1;
    for (int k = 0; k < AXES; k++)
        if (splits[k].first > 0 && splits[k].uneven <= least + 0.05 && (axis < 0 || spread[k] > spread[axis])) axis = k;
    if (axis >= 0) *out = splits[axis];
    return axis;
}

static void cut_share(const cut_node *node) {
    for (uint32_t i = 0; i < node->tiles; i++)
        node->out[i] = (cm_check_tile){.box = node->box, .share = i, .shares = node->tiles};
}

static void cut_set(cm_vec3 *v, int axis, double x) {
    cm_real *const at[3] = {&v->x, &v->y, &v->z};
    *at[axis] = (cm_real)x;
}

/* Along the other axes, too, the lower side goes before the upper one. */
static void cut_divide(const cut_node *node, int axis, uint32_t low_count) {
    const cut_lists *lists = node->lists;
    const uint32_t *along = lists->order[axis] + node->first;
    for (uint32_t i = 0; i < node->count; i++) lists->low[along[i]] = i < low_count;
    for (int k = 0; k < 3; k++) {
        uint32_t *const order = lists->order[k] + node->first, low = 0, high = 0;
        if (k == axis) continue;
        for (uint32_t i = 0; i < node->count; i++) {
            const uint32_t number = order[i];
            if (lists->low[number])
                order[low++] = number;
            else
                lists->spare[high++] = number;
        }
        memcpy(order + low, lists->spare, high * sizeof *order);
    }
}

/* Recursion is no deeper than the number of tiles: each side gets at least one, and fewer than the node. */
static void cut_node_into_tiles(const cut_node *node) {
    double all = 0;
    for (uint32_t i = 0; i < node->count; i++) all += cut_at(node, node->axis, i)->cost;
    cut_split split = {0};
    const int axis = node->tiles > 1 && all > 0 ? cut_choose(node, all, &split) : -1;
    if (axis < 0) {
        cut_share(node);
        return;
    }
    double share = floor(split.below / all * node->tiles + 0.5);
    share = share < 1 ? 1 : share > node->tiles - 1 ? node->tiles - 1 : share;
    cut_divide(node, axis, split.first);
    cut_node below = *node, above = *node;
    below.count = split.first, above.count -= split.first, above.first += split.first;
    below.axis = above.axis = axis;
    below.tiles = (uint32_t)share, above.tiles -= below.tiles, above.out += below.tiles;
    const double at = cut_at(&above, axis, 0)->at[axis];
    cut_set(&below.box.max, axis, at);
    cut_set(&above.box.min, axis, at);
    cut_node_into_tiles(&below);
    cut_node_into_tiles(&above);
}

cm_status cm_check_cut(const cm_vec3 *places, const double *costs, uint32_t count, uint32_t tile_count,
                       const cm_allocator *mem, cm_check_tile *out) {
    if (!out || tile_count == 0 || (count > 0 && !places)) return CM_INVALID;
    for (uint32_t i = 0; i < count; i++) {
        if (!cm_vec3_is_valid(places[i])) return CM_NOT_FINITE;
        if (costs && !(costs[i] >= 0 && costs[i] <= DBL_MAX)) return CM_INVALID;
    }
    const size_t each = sizeof(cut_place) + 2 * sizeof(cut_key) + 4 * sizeof(uint32_t) + sizeof(bool);
    cut_place *list = cm__alloc(mem, count, each);
    if (!list) return CM_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        list[i] = (cut_place){{(double)places[i].x, (double)places[i].y, (double)places[i].z}, costs ? costs[i] : 1};
    cut_key *keys = (cut_key *)(void *)(list + count);
    uint32_t *numbers = (uint32_t *)(void *)(keys + 2 * (size_t)count);
    const cut_lists lists = {
        list,
        {numbers, numbers + count, numbers + 2 * (size_t)count},
        numbers + 3 * (size_t)count,
        (bool *)(numbers + 4 * (size_t)count),
    };
    for (int k = 0; k < 3; k++) cut_sort_along(&lists, count, k, keys, keys + count);
    const cm_real far = CM_REAL_MAX;
    const cut_node all = {&lists, 0, count, tile_count, -1, {cm_v(-far, -far, -far), cm_v(far, far, far)}, out};
    cut_node_into_tiles(&all);
    cm__free(mem, list, count, each);
    return CM_OK;
}
