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

const char *scene_name(scene_kind kind) {
    static const char *const names[SCENE_COUNT] = {"uniform", "clusters", "city",    "line",
                                                   "shell",   "two",      "resting", "corner"};
    return names[kind];
}

/* Where box i of a scene that is neither uniform nor clusters stands, and its edges. */
static void scene_place(scene_kind kind, uint32_t i, uint32_t count, double world, double size, uint64_t *state,
                        double center[3], double edge[3]) {
    for (int a = 0; a < 3; ++a) center[a] = world * scene_unit(state), edge[a] = size * (0.5 + scene_unit(state));
    if (kind == SCENE_CITY) {
        uint32_t side = (uint32_t)ceil(sqrt((double)count));
        double plot = world / side;
        center[0] = (i % side + 0.5) * plot, center[2] = (double)(i / side) * plot + 0.5 * plot;
        edge[0] = edge[2] = plot * (0.6 + 0.6 * scene_unit(state));
        edge[1] = plot * pow(10, 1.5 * scene_unit(state));
        center[1] = edge[1] / 2;
    } else if (kind == SCENE_LINE) {
        double step = world / count;
        center[0] = (i + 0.5) * step, center[1] = center[2] = world / 2;
        for (int a = 0; a < 3; ++a) edge[a] = step * (0.5 + 3 * scene_unit(state));
    } else if (kind == SCENE_SHELL) {
        double at[3], sum = 0;
        for (int a = 0; a < 3; ++a) at[a] = scene_normal(state), sum += at[a] * at[a];
        for (int a = 0; a < 3; ++a) {
            center[a] = world / 2 + 0.45 * world * at[a] / sqrt(sum);
            edge[a] = world * sqrt(4.0 / count) * (0.5 + scene_unit(state));
        }
    } else if (kind == SCENE_TWO) {
        for (int a = 0; a < 3; ++a) edge[a] *= i % 100 ? 0.3 : 6;
    } else if (kind == SCENE_CORNER && i % 200) {
        for (int a = 0; a < 3; ++a) center[a] *= 0.02, edge[a] *= 0.02;
    }
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
        double place[3], edges[3];
        if (kind >= SCENE_CITY) scene_place(kind, i, count, s->world, size, &state, place, edges);
        if (kind == SCENE_CLUSTERS) edge = 1.4 * size * pow(10, -3 * scene_unit(&state));
        for (int a = 0; a < 3; ++a) {
            size_t at = 3 * (size_t)i + (size_t)a;
            double c = kind == SCENE_CLUSTERS ? cluster[k][a] + 0.05 * s->world * scene_normal(&state)
                                              : s->world * scene_unit(&state);
            s->center[at] = (float)fmin(fmax(c, 0), s->world);
            s->half[at] = (float)(0.5 * edge * (0.5 + scene_unit(&state)));
            s->speed[at] = (float)(0.2 * edge * (2 * scene_unit(&state) - 1));
            if (kind < SCENE_CITY) continue;
            s->center[at] = (float)place[a];
            s->half[at] = (float)(0.5 * edges[a]);
            s->speed[at] = (float)(0.1 * edges[a] * (2 * scene_unit(&state) - 1));
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
