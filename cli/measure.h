#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H
#include "stage.h"
typedef struct gap_sample {
    double time, distance;
    uint32_t a, b;
    cm_vec3 point_a, point_b, normal;
} gap_sample;
#endif
