/* A robot at rest, in its named states, and in random configurations: which pairs collide.
 *
 * At rest and in the states, what overlaps by no more than the tolerance touches; in random configurations, and on
 * trajectories, touching counts as colliding, as depths are measured of few. A pair that no joint moves is decided at
 * rest, for all. The answer depends on the seed, and neither on the threads nor on the ranks. */
#ifndef CLI_SURVEY_H
#define CLI_SURVEY_H

#include "robot/pairs.h"

typedef struct robot_station {
    const char *name; /* "rest", "arm/home" */
    double *values;   /* of all joints */
} robot_station;

typedef struct survey {
    const model *model;
    const options *options;
    robot_station *stations; /* rest comes first */
    uint32_t station_count;
    uint32_t sample_count;
    bool *varied; /* one a joint; NULL: all take random values */
    robot_pairs pairs;
} survey;

/* Stations of the model and its SRDF; the joints of --planning-group. Returns 0, or EXIT_INPUT after a message. Free
 * with survey_free in any case. */
int survey_start(const model *m, const options *o, const srdf *s, survey *out);
void survey_free(survey *s);

void survey_stations(survey *s);
/* Together: the ranks share the configurations, and then the depths that are measured. The first has the answer. */
void survey_samples(survey *s);

/* The values of the joints in a configuration: the stations, then the samples. */
void survey_values(const survey *s, uint32_t configuration, double *values);
/* "rest", "arm/home", "sample 17"; free() it. */
char *survey_name(const survey *s, uint32_t configuration);
/* Do two that meet at these places, by such a depth, touch and no more? Not where that is more than the tolerance, nor
 * where a mesh of both is the same body at the same place: its surface lies on itself, and none reaches in. */
bool survey_only_touches(const survey *s, const robot_pair *pair, const model_placed *at, double depth);

#endif
