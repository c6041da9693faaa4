/* Every broad phase on the boxes of one scene, side by side in one run. */
#ifndef CLI_COMPARE_BROAD_H
#define CLI_COMPARE_BROAD_H

#include "simulate/compare_plan.h"

#include <jansson.h>

/* What a run of one number of objects came to; all but bytes and objects on average of its steps. */
typedef struct broad_summary {
    uint32_t objects;
    size_t steps;
    double all, boxes, touch,
        points;                    /* the funnel: pairs of objects, of overlapping boxes, of shapes; contact points */
    double found[COMPARE_QUERIES]; /* by a query */
    struct {
        cm_broad_kind ran;          /* with auto the one it picked last */
        double tests, ms;           /* ms: the median */
        double us[COMPARE_QUERIES]; /* a query, likewise */
        size_t bytes;
    } sides[COMPARE_SIDES];
} broad_summary;

typedef struct broad_comparison broad_comparison;

/* `count` objects, the plan being borrowed; free with broad_comparison_free. */
broad_comparison *broad_comparison_start(const compare_plan *plan, uint32_t count);
/* After each step of the world: its boxes to every kind, each timed, and what touches. Returns 0 or an exit code after
 * complaining: the kinds must find the same. */
int broad_comparison_step(broad_comparison *c, const cm_world *world, const uint32_t *ids);
void broad_comparison_sum(broad_comparison *c, broad_summary *out);
void broad_comparison_free(broad_comparison *c);

/* One summary: the funnel, and a line a kind. Several: the funnel, and how each kind grows with the objects. */
void broad_summaries_print(const compare_plan *plan, const broad_summary *list, int count);
/* The same for the page. NULL: no memory. */
json_t *broad_summaries_json(const compare_plan *plan, const broad_summary *list, int count);

#endif
