/* What a check found: one finding a pair of parts that are not simply apart. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "scene.h"

typedef struct finding {
    uint32_t part_a, part_b; /* part_a < part_b */
    cm_relation_result result;
    bool within_clearance; /* separated, but closer than the clearance */
    bool allowed;          /* accepted by --allow: listed, does not count */
    cm_vec3 *outline;      /* two points a segment, world; NULL where there is none */
    size_t outline_segments;
    cm_aabb outline_bounds; /* empty where there is none */
} finding;

typedef struct findings {
    finding *list;
    size_t count;
    double clearance, tolerance;      /* as asked for; tolerance 0 = the default of each pair */
    uint64_t pairs_total, pairs_near; /* all pairs of parts; those whose boxes came near */
    double seconds_import, seconds_build, seconds_pairs;
} findings;

#endif
