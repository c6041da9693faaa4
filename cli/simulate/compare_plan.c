/* What `--compare-broad` compares: see compare_plan.h. */
#include "simulate/compare_plan.h"

#include <stdlib.h>
#include <string.h>

enum { CLIPPED_OCTREE = CM_BROAD_KIND_COUNT, CLIPPED_QUADTREE };

const char *compare_side_name(int side) {
    if (side == CLIPPED_OCTREE) return "octree-clipped";
    if (side == CLIPPED_QUADTREE) return "quadtree-clipped";
    return cm_broad_kind_text((cm_broad_kind)side);
}

cm_broad_desc compare_side_desc(int side) {
    cm_broad_desc desc = {.kind = (cm_broad_kind)side};
    if (side == CLIPPED_OCTREE) desc.kind = CM_BROAD_OCTREE, desc.clipped = true;
    if (side == CLIPPED_QUADTREE) desc.kind = CM_BROAD_QUADTREE, desc.clipped = true;
    return desc;
}

bool compare_side_is_on(const compare_plan *plan, int side) { return !plan->some_sides || plan->sides[side]; }

const char *compare_query_name(int query) {
    static const char *const names[COMPARE_QUERIES] = {"rays", "boxes", "nearest", "frusta"};
    return names[query];
}

/* The next of a list with commas, and its length; NULL behind the last. */
static const char *next_item(const char **text, size_t *length) {
    const char *item = *text;
    if (!item) return NULL;
    *length = strcspn(item, ",");
    *text = item[*length] ? item + *length + 1 : NULL;
    return item;
}

static bool read_number(const char *text, size_t length, uint32_t most, uint32_t *out) {
    uint64_t value = 0;
    if (length < 1 || length > 9) return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        value = 10 * value + (uint64_t)(text[i] - '0');
    }
    *out = (uint32_t)value;
    return value >= 1 && value <= most;
}

bool compare_read_counts(compare_plan *plan, const char *text) {
    size_t length;
    plan->count_count = 0;
    for (const char *item; (item = next_item(&text, &length)) != NULL;) {
        uint32_t n;
        if (plan->count_count == COMPARE_COUNTS || !read_number(item, length, 1000000, &n)) return false;
        if (plan->count_count > 0 && n <= plan->counts[plan->count_count - 1]) return false;
        plan->counts[plan->count_count++] = n;
    }
    return true;
}

bool compare_read_sides(compare_plan *plan, const char *text) {
    size_t length;
    plan->some_sides = true;
    for (const char *item; (item = next_item(&text, &length)) != NULL;) {
        int side = 0;
        for (; side < COMPARE_SIDES; side++) {
            const char *name = compare_side_name(side);
            if (strlen(name) == length && strncmp(name, item, length) == 0) break;
        }
        if (side == COMPARE_SIDES) return false;
        plan->sides[side] = true;
    }
    return true;
}

bool compare_read_queries(compare_plan *plan, const char *text) {
    size_t length;
    for (const char *item; (item = next_item(&text, &length)) != NULL;) {
        int query = 0;
        for (; query < COMPARE_QUERIES; query++) {
            const size_t n = strlen(compare_query_name(query));
            if (length <= n || strncmp(compare_query_name(query), item, n) != 0 || item[n] != '=') continue;
            if (!read_number(item + n + 1, length - n - 1, 1000000, &plan->queries[query])) return false;
            break;
        }
        if (query == COMPARE_QUERIES) return false;
    }
    return true;
}
