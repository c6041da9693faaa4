/* What a scene asks to be measured at its start and at the end of each step: the gap between two classes of objects,
 * and the axis-aligned box of one object. */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "simulate/stage.h"

#include <stdio.h>

/* The two nearest objects of the two classes; the farthest overlapping where some overlap. */
typedef struct gap_sample {
    double time, distance;            /* signed; CM_REAL_MAX: nothing within the limit, and nothing else is set */
    uint32_t a, b;                    /* objects, of the first and the second class */
    cm_vec3 point_a, point_b, normal; /* point_b = point_a + distance * normal, up to rounding */
} gap_sample;

typedef struct box_sample {
    double time;
    cm_aabb box;
} box_sample;

/* One sample of each kind a call of measures_take; none of a kind that the scene does not ask for. All zero at first.
 */
typedef struct measures {
    gap_sample *gaps;
    size_t gap_count, gap_capacity;
    size_t gap_least; /* the smallest, and of equal ones the first */
    box_sample *boxes;
    size_t box_count, box_capacity;
} measures;

/* `ids` are the objects' in the world; those that are gone are left out. */
void measures_take(measures *m, const stage *s, const cm_world *world, const uint32_t *ids, double time);
/* The last sample of each kind as lines of the trace. */
void measures_trace(const measures *m, const stage *s, uint32_t step, FILE *trace);
/* What it comes to, as lines of the summary. */
void measures_print(const measures *m, const stage *s);
void measures_free(measures *m);

/* A name as a field of CSV, with the comma after it. */
void trace_name(FILE *file, const char *name);
/* Three numbers, with a comma after each; -0 is written as 0. */
void trace_vec3(FILE *file, cm_vec3 v);

#endif
