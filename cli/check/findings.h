/* What a check found, and what was asked for. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "ranks/cost.h"
#include "read/scene.h"

struct baseline;
struct groups;
struct rules;

typedef struct findings {
    cm_check_result list;
    double clearance, tolerance; /* as asked for; tolerance 0 = the default of each pair; clearance 0 = none */
    tiles_cost cost;             /* of a check on several ranks */
    double seconds_import, seconds_build, seconds_pairs;
    cm_check_fail_on fail_on;
    bool volumes;                  /* of what parts have in common are asked for */
    const struct rules *rules;     /* by which it was found */
    uint32_t spaces_left_out;      /* spaces and openings that were not read, by default */
    const struct baseline *before; /* compared with it; NULL: with nothing */
    const struct groups *groups;   /* NULL: none are asked for */
} findings;

#endif
