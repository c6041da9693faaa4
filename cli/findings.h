/* What a check found: one finding a pair of parts that are not simply apart. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "scene.h"

/* What a finding is called, the gravest first. */
typedef enum finding_kind {
    FINDING_CROSSING,
    FINDING_INSIDE, /* one in the other */
    FINDING_IDENTICAL,
    FINDING_TOUCHING,
    FINDING_CLEARANCE, /* apart, but closer than the clearance */
    FINDING_KINDS
} finding_kind;

/* From which kind on a finding makes the check fail; each includes the ones before it. */
typedef enum fail_level { FAIL_NONE, FAIL_CROSSING, FAIL_TOUCHING, FAIL_CLEARANCE } fail_level;

typedef struct finding {
    uint32_t part_a, part_b; /* part_a < part_b */
    cm_relation_result result;
    bool within_clearance; /* separated, but closer than the clearance */
    bool allowed;          /* accepted by --allow: listed, does not count */
    cm_vec3 *outline;      /* two points a segment, world; NULL where there is none */
    size_t outline_segments;
    cm_aabb outline_bounds; /* empty where there is none */
    finding_kind kind;
    bool fails; /* makes the check fail */
} finding;

typedef struct findings {
    finding *list;
    size_t count;
    double clearance, tolerance;      /* as asked for; tolerance 0 = the default of each pair; clearance 0 = none */
    uint64_t pairs_total, pairs_near; /* all pairs of parts; those whose boxes came near */
    double seconds_import, seconds_build, seconds_pairs;
    fail_level fail_on;
    size_t kinds[FINDING_KINDS]; /* how many of each, without the allowed */
    size_t allowed, failing;
} findings;

/* "crossing", "a_inside_b", "b_inside_a", "identical", "touching", "clearance": the names in JSON and CSV. */
const char *finding_name(const finding *f);

#endif
