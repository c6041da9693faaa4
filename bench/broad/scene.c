#define _POSIX_C_SOURCE 200809L
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static clockid_t bench_clock = CLOCK_MONOTONIC;

void bench_use_cpu_time(void) { bench_clock = CLOCK_PROCESS_CPUTIME_ID; }

double bench_seconds(void) {
    struct timespec t;
    clock_gettime(bench_clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t scene_bits(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static double scene_unit(uint64_t *state) { return (double)(scene_bits(state) >> 11) / 9007199254740992.0; }
static double scene_normal(uint64_t *state) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += scene_unit(state);
    return sum;
}

static void scene_boxes(bench_scene *s, uint32_t i) {
    const float *c = s->center + 3 * (size_t)i, *h = s->half + 3 * (size_t)i;
    s->boxes[i].min = cm_v((cm_real)(c[0] - h[0]), (cm_real)(c[1] - h[1]), (cm_real)(c[2] - h[2]));
    s->boxes[i].max = cm_v((cm_real)(c[0] + h[0]), (cm_real)(c[1] + h[1]), (cm_real)(c[2] + h[2]));
}

void scene_make(bench_scene *s, scene_kind kind, uint32_t count) {
    uint64_t state = 1000 + (uint64_t)kind;
    size_t n = 3 * (size_t)count;
    memset(s, 0, sizeof *s);
    s->count = count;
    s->world = 100;
    s->center = malloc(n * sizeof(float));
    s->half = malloc(n * sizeof(float));
    s->speed = malloc(n * sizeof(float));
    s->boxes = malloc(count * sizeof *s->boxes);
    double size = 0.5 * s->world * cbrt(4.0 / count); /* mean edge: count (2 size)^3 = 4 world^3 */
    enum { CLUSTERS = 24 };
    double cluster[CLUSTERS][3];
    for (int k = 0; k < CLUSTERS; ++k) {
        for (int a = 0; a < 3; ++a) cluster[k][a] = s->world * (0.1 + 0.8 * scene_unit(&state));
    }
    for (uint32_t i = 0; i < count; ++i) {
        double edge = size;
        int k = (int)(scene_bits(&state) % CLUSTERS);
        if (kind == SCENE_CLUSTERS) edge = 1.4 * size * pow(10, -3 * scene_unit(&state));
        for (int a = 0; a < 3; ++a) {
            size_t at = 3 * (size_t)i + (size_t)a;
            double c = kind == SCENE_CLUSTERS ? cluster[k][a] + 0.05 * s->world * scene_normal(&state)
                                              : s->world * scene_unit(&state);
            s->center[at] = (float)fmin(fmax(c, 0), s->world);
            s->half[at] = (float)(0.5 * edge * (0.5 + scene_unit(&state)));
            s->speed[at] = (float)(0.2 * edge * (2 * scene_unit(&state) - 1));
        }
        scene_boxes(s, i);
    }
}

void scene_move(bench_scene *s, uint32_t every) {
    for (uint32_t i = 0; i < s->count; i += every) {
        float *c = s->center + 3 * (size_t)i, *v = s->speed + 3 * (size_t)i;
        for (int a = 0; a < 3; ++a) {
            c[a] += v[a];
            if (c[a] < 0) c[a] = -c[a], v[a] = -v[a];
            if (c[a] > s->world) c[a] = 2 * s->world - c[a], v[a] = -v[a];
        }
        scene_boxes(s, i);
    }
}

void scene_free(bench_scene *s) {
    free(s->center), free(s->half), free(s->speed), free(s->boxes);
    memset(s, 0, sizeof *s);
}
