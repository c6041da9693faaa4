/* A robot at rest, in its named states, and in random configurations: see survey.h. */
#include "robot/survey.h"

#include "common/parallel.h"
#include "common/text.h"
#include "ranks/range.h"
#include "ranks/ranks.h"
#include "robot/kinematics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Work is handed out in blocks of pairs or of samples; rounds bound what hits are kept at a time. */
enum { BLOCK_PAIRS = 64, BLOCK_SAMPLES = 32, BLOCKS_A_ROUND = 256 };

/* --- configurations ---------------------------------------------------------------------------------------------- */

int survey_start(const model *m, const options *o, const srdf *s, survey *out) {
    *out = (survey){.model = m, .options = o, .sample_count = o->robot.configurations};
    out->station_count = s->state_count + 1;
    out->stations = allocate(out->station_count, sizeof *out->stations);
    for (uint32_t i = 0; i < out->station_count; i++) {
        robot_station *station = &out->stations[i];
        *station = (robot_station){"rest", allocate(m->robot.joint_count, sizeof(double))};
        robot_rest(&m->robot, station->values);
        if (i == 0) continue;
        station->name = s->states[i - 1].name;
        memcpy(station->values, s->states[i - 1].values, m->robot.joint_count * sizeof(double));
    }
    const char *group = o->robot.planning_group;
    for (uint32_t i = 0; i < s->group_count && group; i++) {
        if (strcmp(s->groups[i].name, group) != 0) continue;
        if (s->groups[i].lacks)
            return complain(EXIT_INPUT, "--planning-group: the robot lacks members of the group '%s'", group);
        out->varied = s->groups[i].joints;
    }
    if (group && !out->varied) return complain(EXIT_INPUT, "--planning-group: the SRDF has no group '%s'", group);
    return pairs_list(m, o, s, &out->pairs);
}

void survey_free(survey *s) {
    for (uint32_t i = 0; i < s->station_count; i++) free(s->stations[i].values);
    free(s->stations);
    free(s->pairs.list);
    *s = (survey){0};
}

void survey_values(const survey *s, uint32_t configuration, double *values) {
    const robot *r = &s->model->robot;
    if (configuration < s->station_count)
        memcpy(values, s->stations[configuration].values, r->joint_count * sizeof *values);
    else
        robot_sample(r, s->varied, s->options->robot.seed, configuration - s->station_count, values);
}

char *survey_name(const survey *s, uint32_t configuration) {
    if (configuration < s->station_count) return copy_text(s->stations[configuration].name);
    return format_text("sample %u", configuration - s->station_count);
}

static double survey_tolerance(const survey *s, const robot_pair *pair) {
    if (s->options->tolerance > 0) return s->options->tolerance;
    const model_item *a = &s->model->items[pair->a], *b = &s->model->items[pair->b];
    return 2e-6 * (cm_length(a->half) + cm_length(b->half));
}

bool survey_only_touches(const survey *s, const robot_pair *pair, const model_placed *at, double depth) {
    const double t = survey_tolerance(s, pair);
    return depth <= t && !model_share_body(s->model, pair->a, pair->b, at, t);
}

/* The deepest is the worst; of equally deep ones the first. */
static void keep_worst(robot_pair *pair, double distance, const cm_witness *points, uint32_t configuration) {
    if (!(distance < pair->worst.distance)) return;
    pair->worst = (pair_worst){distance, *points, configuration};
}

/* --- stations ---------------------------------------------------------------------------------------------------- */

typedef struct station_work {
    survey *survey;
    uint32_t number;
    const model_placed *at;
} station_work;

static void check_at_station(const station_work *w, robot_pair *pair) {
    const model *m = w->survey->model;
    cm_witness points;
    if (pair->status != PAIR_CHECKED || (pair->fixed && w->number > 0)) return;
    if (!model_collide(m, pair->a, pair->b, w->at)) return;
    const double distance = model_distance(m, pair->a, pair->b, w->at, 0, &points);
    /* Rounding may part what touches where the poses are composed the other way round. */
    const double depth = distance < CM_REAL_MAX ? fmin(distance, 0) : 0;
    const bool touches = survey_only_touches(w->survey, pair, w->at, -depth);
    const uint32_t times = pair->fixed ? w->survey->station_count : 1;
    if (distance == CM_REAL_MAX) points = (cm_witness){0};
    if (touches)
        pair->touching += times;
    else
        pair->stations += times;
    if (w->number == 0) pair->at_rest = !touches;
    if (pair->fixed && !touches) pair->samples = w->survey->sample_count;
    keep_worst(pair, depth, &points, w->number);
}

static void check_block_at_station(void *argument, int index, int worker) {
    (void)worker;
    const station_work *w = argument;
    robot_pairs *pairs = &w->survey->pairs;
    const uint32_t first = (uint32_t)index * BLOCK_PAIRS;
    for (uint32_t i = first; i < pairs->count && i < first + BLOCK_PAIRS; i++) check_at_station(w, &pairs->list[i]);
}

void survey_stations(survey *s) {
    model_placed *at = model_make_places(s->model);
    for (uint32_t i = 0; i < s->station_count; i++) {
        station_work work = {s, i, at};
        model_place(s->model, s->stations[i].values, at);
        run_in_parallel(s->options->read.threads, (s->pairs.count + BLOCK_PAIRS - 1) / BLOCK_PAIRS,
                        check_block_at_station, &work);
    }
    free(at);
}

/* --- samples ----------------------------------------------------------------------------------------------------- */

typedef struct sample_hit {
    uint32_t pair;
    pair_candidate where;
} sample_hit;

typedef struct sample_hits {
    sample_hit *list;
    size_t count, capacity;
} sample_hits;

typedef struct sample_work {
    survey *survey;
    const uint32_t *moving; /* pairs that are to be looked at */
    uint32_t moving_count, first_block;
    sample_hits *hits; /* one a block of the round */
} sample_work;

static void check_samples(void *argument, int index, int worker) {
    (void)worker;
    const sample_work *w = argument;
    const survey *s = w->survey;
    const model *m = s->model;
    model_placed *at = model_make_places(m);
    double *values = allocate(m->robot.joint_count, sizeof *values);
    sample_hits *hits = &w->hits[index];
    const uint64_t first = ((uint64_t)w->first_block + (uint64_t)index) * BLOCK_SAMPLES;
    for (uint64_t k = first; k < first + BLOCK_SAMPLES && k < s->sample_count; k++) {
        survey_values(s, s->station_count + (uint32_t)k, values);
        model_place(m, values, at);
        for (uint32_t i = 0; i < w->moving_count; i++) {
            const robot_pair *pair = &s->pairs.list[w->moving[i]];
            if (!model_collide(m, pair->a, pair->b, at)) continue;
            hits->list = grow(hits->list, hits->count, &hits->capacity, sizeof *hits->list);
            hits->list[hits->count++] = (sample_hit){
                w->moving[i], {.depth = model_likely_depth(m, pair->a, pair->b, at), .sample = (uint32_t)k}};
        }
    }
    free(values);
    free(at);
}

static bool comes_before(pair_candidate a, pair_candidate b) {
    return a.depth > b.depth || (a.depth == b.depth && a.sample < b.sample);
}

/* The depth of few is measured: of those that are likely to be deep, and the first of equal ones; in whichever order
 * they come. */
static void keep_candidate(robot_pair *pair, pair_candidate c) {
    uint32_t place = pair->candidate_count;
    while (place > 0 && comes_before(c, pair->candidates[place - 1])) place--;
    if (place == PAIR_CANDIDATES) return;
    if (pair->candidate_count < PAIR_CANDIDATES) pair->candidate_count++;
    for (uint32_t i = pair->candidate_count - 1; i > place; i--) pair->candidates[i] = pair->candidates[i - 1];
    pair->candidates[place] = c;
}

static void take_hits(survey *s, sample_hits *hits, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < hits[i].count; k++) {
            robot_pair *pair = &s->pairs.list[hits[i].list[k].pair];
            pair->samples++;
            keep_candidate(pair, hits[i].list[k].where);
        }
        free(hits[i].list);
        hits[i] = (sample_hits){0};
    }
}

static uint32_t list_moving(const survey *s, uint32_t *list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->pairs.count; i++)
        if (s->pairs.list[i].status == PAIR_CHECKED && !s->pairs.list[i].fixed) list[count++] = i;
    return count;
}

/* Some blocks of samples. */
static void run_samples(void *user, uint32_t first, uint32_t end) {
    sample_work *work = user;
    work->first_block = first;
    run_in_parallel(work->survey->options->read.threads, end - first, check_samples, work);
    take_hits(work->survey, work->hits, end - first);
}

static void take_candidates(void *user, int rank, block *from) {
    const sample_work *work = user;
    (void)rank;
    for (uint32_t i = 0; i < work->moving_count; i++) {
        robot_pair *pair = &work->survey->pairs.list[work->moving[i]];
        pair_candidate c;
        uint32_t head[2];
        block_take(from, head, sizeof head);
        pair->samples += head[0];
        for (; head[1] > 0; head[1]--) {
            block_take(from, &c, sizeof c);
            keep_candidate(pair, c);
        }
    }
}

/* Together: what each rank has found goes to all. */
static void share_candidates(sample_work *work) {
    block own = {0};
    for (uint32_t i = 0; i < work->moving_count; i++) {
        robot_pair *pair = &work->survey->pairs.list[work->moving[i]];
        const uint32_t head[2] = {pair->samples, pair->candidate_count};
        block_put(&own, head, sizeof head);
        block_put(&own, pair->candidates, pair->candidate_count * sizeof *pair->candidates);
        pair->samples = pair->candidate_count = 0;
    }
    ranks_to_all(&own, take_candidates, work);
    block_free(&own);
}

/* --- depths ------------------------------------------------------------------------------------------------------ */

typedef struct depth {
    uint32_t task;
    double distance;
    cm_witness points;
} depth;

typedef struct depth_task {
    robot_pair *pair;
    pair_candidate *candidate;
    depth measured;
} depth_task;

typedef struct depth_work {
    const survey *survey;
    depth_task *tasks;
    uint32_t first; /* of those that are being measured */
    block done;     /* the depths that this rank has measured */
} depth_work;

static void measure_depth(void *argument, int index, int worker) {
    (void)worker;
    const depth_work *w = argument;
    const survey *s = w->survey;
    depth_task *task = &w->tasks[w->first + (uint32_t)index];
    model_placed *at = model_make_places(s->model);
    double *values = allocate(s->model->robot.joint_count, sizeof *values);
    survey_values(s, s->station_count + task->candidate->sample, values);
    model_place(s->model, values, at);
    depth *out = &task->measured;
    out->distance = model_distance(s->model, task->pair->a, task->pair->b, at, 0, &out->points);
    if (out->distance == CM_REAL_MAX) out->points = (cm_witness){0};
    free(values);
    free(at);
}

static void run_depths(void *user, uint32_t first, uint32_t end) {
    depth_work *work = user;
    work->first = first;
    run_in_parallel(work->survey->options->read.threads, end - first, measure_depth, work);
    for (uint32_t i = first; i < end; i++) {
        work->tasks[i].measured.task = i;
        block_put(&work->done, &work->tasks[i].measured, sizeof work->tasks[i].measured);
    }
}

static void take_depths(void *user, int rank, block *from) {
    const depth_work *work = user;
    (void)rank;
    while (from->at < from->size) {
        depth one;
        block_take(from, &one, sizeof one);
        work->tasks[one.task].measured = one;
    }
}

static void measure_depths(survey *s) {
    depth_work work = {.survey = s, .tasks = allocate((size_t)s->pairs.count * PAIR_CANDIDATES, sizeof *work.tasks)};
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        robot_pair *pair = &s->pairs.list[i];
        for (uint32_t k = 0; k < pair->candidate_count; k++)
            work.tasks[count++] = (depth_task){.pair = pair, .candidate = &pair->candidates[k]};
        pair->measured = pair->candidate_count;
    }
    range_run(count, UINT32_MAX, run_depths, &work);
    ranks_to_first(&work.done, take_depths, &work);
    for (uint32_t i = 0; i < count && ranks_own() == 0; i++) {
        const depth_task *task = &work.tasks[i];
        const depth *found = &task->measured;
        const double deep = found->distance < CM_REAL_MAX ? fmin(found->distance, 0) : 0;
        task->candidate->distance = deep;
        keep_worst(task->pair, deep, &found->points, s->station_count + task->candidate->sample);
    }
    block_free(&work.done);
    free(work.tasks);
}

void survey_samples(survey *s) {
    uint32_t *moving = allocate(s->pairs.count, sizeof *moving);
    sample_hits *hits = allocate(BLOCKS_A_ROUND, sizeof *hits);
    sample_work work = {.survey = s, .moving = moving, .moving_count = list_moving(s, moving), .hits = hits};
    const uint32_t blocks = (uint32_t)(((uint64_t)s->sample_count + BLOCK_SAMPLES - 1) / BLOCK_SAMPLES);
    range_run(blocks, BLOCKS_A_ROUND, run_samples, &work);
    share_candidates(&work);
    measure_depths(s);
    free(hits);
    free(moving);
}
