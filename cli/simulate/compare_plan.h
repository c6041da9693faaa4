/* What `--compare-broad` compares: which numbers of objects, broad phases and queries. */
#ifndef CLI_COMPARE_PLAN_H
#define CLI_COMPARE_PLAN_H

#include <carom/carom.h>

/* The kinds, and the clipped variants of octree and quadtree behind them. */
enum { COMPARE_SIDES = CM_BROAD_KIND_COUNT + 2, COMPARE_COUNTS = 16 };
typedef enum compare_query {
    COMPARE_RAYS,
    COMPARE_BOXES,
    COMPARE_NEAREST,
    COMPARE_FRUSTA,
    COMPARE_QUERIES
} compare_query;

typedef struct compare_plan {
    bool on;
    uint32_t counts[COMPARE_COUNTS]; /* of scattered objects, ascending */
    int count_count;                 /* 0: the scene as it is */
    bool sides[COMPARE_SIDES];
    bool some_sides;                   /* only those; else all */
    uint32_t queries[COMPARE_QUERIES]; /* how many a step */
} compare_plan;

/* "octree", "octree-clipped" … */
const char *compare_side_name(int side);
cm_broad_desc compare_side_desc(int side);
bool compare_side_is_on(const compare_plan *plan, int side);
/* "rays", "boxes", "nearest", "frusta". */
const char *compare_query_name(int query);

/* The values of --objects, --kinds and --queries. False where the text is none; the plan is then of no use. */
bool compare_read_counts(compare_plan *plan, const char *text);
bool compare_read_sides(compare_plan *plan, const char *text);
bool compare_read_queries(compare_plan *plan, const char *text);

#endif
