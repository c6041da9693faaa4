/* The worst configurations of a survey: see worst.h. */
#include "robot/worst.h"

#include "common/parallel.h"
#include "common/text.h"

#include <math.h>
#include <stdlib.h>

enum { NEAREST_BLOCK = 32 }; /* samples */

/* A configuration that may be chosen; a lower class comes first. */
typedef struct worst_entry {
    double distance;
    uint32_t configuration;
    enum { ENTRY_DEEPEST_OF_PAIR, ENTRY_DEEP, ENTRY_NEAR } class;
} worst_entry;

typedef struct worst_list {
    worst_entry *list;
    size_t count, capacity;
} worst_list;

static void add_entry(worst_list *l, worst_entry entry) {
    if (entry.configuration == 0) return; /* rest */
    l->list = grow(l->list, l->count, &l->capacity, sizeof *l->list);
    l->list[l->count++] = entry;
}

static int compare_distances(const worst_entry *a, const worst_entry *b) {
    if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
    return a->configuration < b->configuration ? -1 : a->configuration > b->configuration;
}
static int by_distance(const void *a, const void *b) { return compare_distances(a, b); }
static int by_class(const void *left, const void *right) {
    const worst_entry *a = left, *b = right;
    return a->class != b->class ? (a->class < b->class ? -1 : 1) : compare_distances(a, b);
}
/* Of one configuration the entry that is to be kept comes first. */
static int by_configuration(const void *left, const void *right) {
    const worst_entry *a = left, *b = right;
    if (a->configuration != b->configuration) return a->configuration < b->configuration ? -1 : 1;
    return by_class(left, right);
}

static void drop_repeated(worst_list *l) {
    size_t kept = 0;
    if (l->count > 1) qsort(l->list, l->count, sizeof *l->list, by_configuration);
    for (size_t i = 0; i < l->count; i++) {
        if (kept > 0 && l->list[kept - 1].configuration == l->list[i].configuration) {
            l->list[kept - 1].distance = fmin(l->list[kept - 1].distance, l->list[i].distance);
            continue;
        }
        l->list[kept++] = l->list[i];
    }
    l->count = kept;
}

/* How near the nearest two are, or how deep, where less than `most`. */
static double least_distance(const survey *s, const model_placed *at, double most) {
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *pair = &s->pairs.list[i];
        if (!pair_counts(pair)) continue;
        if (most < CM_REAL_MAX && model_boxes_overlap(s->model, pair->a, pair->b, at) < -fmax(most, 0)) continue;
        most = fmin(most, model_distance(s->model, pair->a, pair->b, at, fmax(most, 0), NULL));
    }
    return most;
}

static void add_measured(const survey *s, worst_list *l) {
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *pair = &s->pairs.list[i];
        if (!pair_counts(pair)) continue;
        if (pair->worst.distance < CM_REAL_MAX)
            add_entry(l, (worst_entry){pair->worst.distance, pair->worst.configuration, ENTRY_DEEPEST_OF_PAIR});
        for (uint32_t k = 0; k < pair->candidate_count; k++) {
            const pair_candidate *c = &pair->candidates[k];
            add_entry(l, (worst_entry){c->distance, s->station_count + c->sample, ENTRY_DEEP});
        }
    }
    model_placed *at = model_make_places(s->model);
    for (uint32_t i = 1; i < s->station_count; i++) {
        model_place(s->model, s->stations[i].values, at);
        const double distance = least_distance(s, at, CM_REAL_MAX);
        add_entry(l, (worst_entry){distance, i, distance > 0 ? ENTRY_NEAR : ENTRY_DEEP});
    }
    free(at);
}

/* --- the nearest ------------------------------------------------------------------------------------------------- */

typedef struct nearest_work {
    const survey *survey;
    worst_entry *entries; /* one a block; distance CM_REAL_MAX: none */
} nearest_work;

static bool any_collides(const survey *s, const model_placed *at) {
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *pair = &s->pairs.list[i];
        if (pair_counts(pair) && model_collide(s->model, pair->a, pair->b, at)) return true;
    }
    return false;
}

static void find_nearest(void *argument, int index, int worker) {
    (void)worker;
    const nearest_work *w = argument;
    const survey *s = w->survey;
    model_placed *at = model_make_places(s->model);
    double *values = allocate(s->model->robot.joint_count, sizeof *values);
    worst_entry *best = &w->entries[index];
    *best = (worst_entry){CM_REAL_MAX, 0, ENTRY_NEAR};
    const uint64_t first = (uint64_t)index * NEAREST_BLOCK;
    for (uint64_t k = first; k < first + NEAREST_BLOCK && k < s->sample_count; k++) {
        const uint32_t configuration = s->station_count + (uint32_t)k;
        survey_values(s, configuration, values);
        model_place(s->model, values, at);
        if (any_collides(s, at)) continue;
        const double distance = least_distance(s, at, best->distance);
        if (distance < best->distance) *best = (worst_entry){distance, configuration, ENTRY_NEAR};
    }
    free(values);
    free(at);
}

static void add_nearest(const survey *s, worst_list *l) {
    const uint32_t blocks = (uint32_t)(((uint64_t)s->sample_count + NEAREST_BLOCK - 1) / NEAREST_BLOCK);
    nearest_work work = {s, allocate(blocks, sizeof *work.entries)};
    run_in_parallel(s->options->read.threads, blocks, find_nearest, &work);
    for (uint32_t i = 0; i < blocks; i++)
        if (work.entries[i].distance < CM_REAL_MAX) add_entry(l, work.entries[i]);
    free(work.entries);
}

uint32_t worst_configurations(const survey *s, uint32_t most, uint32_t *out) {
    worst_list l = {0};
    add_measured(s, &l);
    drop_repeated(&l);
    if (l.count < most) add_nearest(s, &l);
    if (l.count > 1) qsort(l.list, l.count, sizeof *l.list, by_class);
    const uint32_t count = l.count < most ? (uint32_t)l.count : most;
    if (count > 1) qsort(l.list, count, sizeof *l.list, by_distance);
    for (uint32_t i = 0; i < count; i++) out[i] = l.list[i].configuration;
    free(l.list);
    return count;
}
