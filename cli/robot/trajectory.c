/* The way of a robot through the rows of a table: see trajectory.h. */
#include "robot/trajectory.h"

#include "common/parallel.h"
#include "common/text.h"

#include <math.h>
#include <stdlib.h>

/* Distances of a pair between two rows: for least distances to a hundredth, and at all. */
enum { EVALUATIONS_FINE = 500, EVALUATIONS_MOST = 20000, DEPTH_MOST = 64, SEGMENTS_A_ROUND = 256 };

/* --- how far a link can move ------------------------------------------------------------------------------------- */

/* The way between two rows. */
typedef struct segment {
    const model *model;
    const double *from, *to; /* values of the joints */
} segment;

/* The most that a point of the item moves against an ancestor of its link, from one row to the next. */
static double motion_of(const segment *g, uint32_t item, uint32_t ancestor) {
    const robot *r = &g->model->robot;
    uint32_t link = g->model->items[item].link;
    double reach = g->model->items[item].radius, motion = 0; /* no point is farther from the frame */
    while (link != ancestor) {
        const uint32_t joint = r->links[link].joint;
        const robot_joint *j = &r->joints[joint];
        const double moved = fabs(g->to[joint] - g->from[joint]);
        if (j->kind == JOINT_PRISMATIC) {
            motion += moved;
            reach += fmax(fabs(g->from[joint]), fabs(g->to[joint]));
        } else if (joint_moves(j)) {
            motion += moved * reach;
        }
        reach += cm_length(j->origin.position);
        link = j->parent;
    }
    return motion;
}

static uint32_t depth_of(const robot *r, uint32_t link) {
    uint32_t depth = 0;
    for (; r->links[link].joint != ROBOT_NONE; depth++) link = r->joints[r->links[link].joint].parent;
    return depth;
}

/* The most that a point of one moves against the other. */
static double motion_between(const segment *g, const robot_pair *pair) {
    const robot *r = &g->model->robot;
    const double rounded = 1 + 1e-12;
    uint32_t a = g->model->items[pair->a].link, b = g->model->items[pair->b].link;
    uint32_t depth_a = depth_of(r, a), depth_b = depth_of(r, b);
    for (; depth_a > depth_b; depth_a--) a = r->joints[r->links[a].joint].parent;
    for (; depth_b > depth_a; depth_b--) b = r->joints[r->links[b].joint].parent;
    while (a != b) a = r->joints[r->links[a].joint].parent, b = r->joints[r->links[b].joint].parent;
    return rounded * (motion_of(g, pair->a, a) + motion_of(g, pair->b, a));
}

/* --- one pair between two rows ----------------------------------------------------------------------------------- */

/* What was found: times are shares of the segment. */
typedef struct finding_between {
    uint32_t pair;
    bool collides, open;
    double free_until, meets_at, least, when, at_least;
} finding_between;

typedef struct search {
    const segment *segment;
    const robot_pair *pair;
    const trajectory *way;
    double motion;    /* of the whole segment */
    double *values;   /* scratch */
    model_placed *at; /* scratch */
    uint32_t evaluations;
    finding_between found;
} search;

static void place_at(const segment *g, double u, double *values, model_placed *at) {
    for (uint32_t i = 0; i < g->model->robot.joint_count; i++)
        values[i] = u <= 0 ? g->from[i] : u >= 1 ? g->to[i] : g->from[i] + u * (g->to[i] - g->from[i]);
    model_place(g->model, values, at);
}

/* The gap where the pair is placed, 0 where it collides; CM_REAL_MAX beyond `most`. */
static double gap_of(const search *s, const model_placed *at, double most) {
    const model *m = s->segment->model;
    const robot_pair *p = s->pair;
    if (model_boxes_overlap(m, p->a, p->b, at) < -most) return CM_REAL_MAX;
    if (model_collide(m, p->a, p->b, at)) return 0;
    return fmax(model_distance(m, p->a, p->b, at, most, NULL), CM_REAL_MIN);
}

static double gap_at(search *s, double u, double most) {
    s->evaluations++;
    place_at(s->segment, u, s->values, s->at);
    return gap_of(s, s->at, most);
}

static void keep_least(search *s, double gap, double u) {
    if (gap < s->found.least) s->found.least = gap, s->found.when = u;
}

/* An interval as short as it gets, that is not free: in collision where an end or the middle is, else open. Returns
 * whether it is in collision. */
static bool decide_short(search *s, double start, double middle, double end, double gap) {
    finding_between *f = &s->found;
    if (!f->open) f->free_until = start;
    if (gap_at(s, start, 0) == 0)
        f->meets_at = start;
    else if (gap == 0)
        f->meets_at = middle;
    else if (gap_at(s, end, 0) == 0)
        f->meets_at = end;
    else {
        f->open = true;
        return false;
    }
    f->collides = true;
    keep_least(s, 0, f->meets_at);
    return true;
}

/* Is the pair free within `half` of the way about a place where it has this gap, and its least distance known well? */
static bool is_settled(const search *s, double gap, double half) {
    if (!(gap - half > 0)) return false;
    if (gap - half >= 0.99 * fmin(s->found.least, s->way->far) || 2 * half <= s->way->resolution) return true;
    return s->evaluations > EVALUATIONS_FINE && half <= 0.5 * gap;
}

/* `first` is the gap in the middle of the segment, measured up to what may matter there. */
static void search_pair(search *s, double first) {
    struct {
        double start, end;
    } stack[DEPTH_MOST] = {{0, 1}};
    int count = 1;
    s->evaluations = 1;
    if (first == 0 && gap_at(s, 0, 0) == 0) { /* from the start on, as so often */
        s->found.collides = true;
        keep_least(s, 0, 0);
        return;
    }
    while (count > 0) {
        const double start = stack[count - 1].start, end = stack[--count].end;
        const double middle = start + (end - start) / 2, way = s->motion * (end - start), half = way / 2;
        const double wanted = fmin(s->found.least, s->way->far);
        const double gap = end - start == 1 ? first : gap_at(s, middle, half + wanted);
        if (gap > 0) keep_least(s, gap, middle);
        if (is_settled(s, gap, half)) {
            s->found.at_least = fmin(s->found.at_least, gap - half);
            continue;
        }
        if (way <= s->way->resolution) {
            if (decide_short(s, start, middle, end, gap)) return;
        } else if (s->evaluations > EVALUATIONS_MOST || count + 2 > DEPTH_MOST) {
            if (!s->found.open) s->found.free_until = start;
            s->found.open = true;
            return;
        } else {
            stack[count].start = middle, stack[count++].end = end;
            stack[count].start = start, stack[count++].end = middle;
        }
    }
}

/* --- all pairs, segment by segment ------------------------------------------------------------------------------- */

typedef struct found_list {
    finding_between *list;
    size_t count, capacity;
} found_list;

typedef struct way_work {
    const survey *survey;
    const trajectory *way;
    uint32_t first;
    found_list *found; /* one a segment of the round */
} way_work;

static void check_segment(void *argument, int index, int worker) {
    (void)worker;
    const way_work *w = argument;
    const survey *s = w->survey;
    const model *m = s->model;
    const uint32_t row = w->first + (uint32_t)index, next = row + 1 < w->way->rows ? row + 1 : row;
    const segment g = {m, &w->way->values[(size_t)row * w->way->joint_count],
                       &w->way->values[(size_t)next * w->way->joint_count]};
    model_placed *middle = model_make_places(m), *at = model_make_places(m);
    double *values = allocate(m->robot.joint_count, sizeof *values), to_root = 0;
    uint32_t of_link = ROBOT_NONE;
    found_list *out = &w->found[index];
    place_at(&g, 0.5, values, middle);
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *pair = &s->pairs.list[i];
        if (pair->status != PAIR_CHECKED || pair->fixed) continue;
        search one = {.segment = &g, .pair = pair, .way = w->way, .values = values, .at = at};
        if (model_moves(m, pair->b)) {
            one.motion = motion_between(&g, pair);
        } else { /* the same for all parts of the cell */
            if (of_link != pair->a) to_root = motion_between(&g, pair), of_link = pair->a;
            one.motion = to_root;
        }
        one.found = (finding_between){.pair = i, .least = CM_REAL_MAX, .at_least = w->way->far};
        const double first = gap_of(&one, middle, one.motion / 2 + w->way->far);
        if (first == CM_REAL_MAX) continue;
        search_pair(&one, first);
        if (!one.found.collides && !one.found.open && one.found.at_least >= w->way->far) continue;
        out->list = grow(out->list, out->count, &out->capacity, sizeof *out->list);
        out->list[out->count++] = one.found;
    }
    free(values);
    free(middle);
    free(at);
}

static double time_at(const trajectory *t, uint32_t row, double u) {
    const uint32_t next = row + 1 < t->rows ? row + 1 : row;
    return u >= 1 ? t->times[next] : t->times[row] + u * (t->times[next] - t->times[row]);
}

void trajectory_values(const trajectory *t, double time, double *values) {
    uint32_t low = 0, high = t->rows - 1; /* the row that is not later, and the next */
    while (low + 1 < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (t->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    const double span = t->times[high] - t->times[low];
    const double u = span > 0 ? cm_clamp((time - t->times[low]) / span, 0, 1) : 0;
    const double *from = &t->values[(size_t)low * t->joint_count], *to = &t->values[(size_t)high * t->joint_count];
    for (uint32_t i = 0; i < t->joint_count; i++) values[i] = u >= 1 ? to[i] : from[i] + u * (to[i] - from[i]);
}

static void take_found(survey *s, const trajectory *t, const way_work *w, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        for (size_t i = 0; i < w->found[k].count; i++) {
            const finding_between *f = &w->found[k].list[i];
            pair_way *way = &s->pairs.list[f->pair].way;
            const uint32_t row = w->first + k;
            if ((f->collides || f->open) && way->segments++ == 0) way->free_until = time_at(t, row, f->free_until);
            if (f->collides && !way->collides) way->meets_at = time_at(t, row, f->meets_at);
            way->collides |= f->collides, way->open |= f->open;
            way->at_least = f->collides || f->open ? 0 : fmin(way->at_least, f->at_least);
            if (f->least <= t->far && f->least < way->least)
                way->least = f->least, way->when = time_at(t, row, f->when);
        }
        free(w->found[k].list);
        w->found[k] = (found_list){0};
    }
}

/* What no joint moves is in collision all the way, or never. */
static void take_fixed(survey *s, const trajectory *t, uint32_t segments) {
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        robot_pair *pair = &s->pairs.list[i];
        if (pair->status != PAIR_CHECKED || !pair->fixed || pair->stations == 0) continue;
        pair->way = (pair_way){.collides = true, .segments = segments, .least = 0};
        pair->way.free_until = pair->way.meets_at = pair->way.when = t->times[0];
    }
}

void trajectory_check(trajectory *t, survey *s) {
    const uint32_t segments = t->rows > 1 ? t->rows - 1 : 1;
    found_list *found = allocate(SEGMENTS_A_ROUND, sizeof *found);
    model_placed *at = model_make_places(s->model);
    cm_aabb box = cm_aabb_empty();
    model_place(s->model, s->stations[0].values, at);
    for (uint32_t i = 0; model_moves(s->model, i); i++) {
        box = cm_aabb_add_point(box, cm_add(at[i].center, at[i].extents));
        box = cm_aabb_add_point(box, cm_sub(at[i].center, at[i].extents));
    }
    const double size = cm_length(cm_sub(box.max, box.min));
    t->resolution = 1e-6 * size, t->far = 0.1 * size;
    for (uint32_t i = 0; i < s->pairs.count; i++) s->pairs.list[i].way.at_least = t->far;
    way_work work = {.survey = s, .way = t, .found = found};
    while (work.first < segments) {
        const uint32_t left = segments - work.first, now = left < SEGMENTS_A_ROUND ? left : SEGMENTS_A_ROUND;
        run_in_parallel(s->options->read.threads, now, check_segment, &work);
        take_found(s, t, &work, now);
        work.first += now;
    }
    take_fixed(s, t, segments);
    free(at);
    free(found);
}
