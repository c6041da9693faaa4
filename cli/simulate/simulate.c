/* `carom simulate`: a scene's objects into a world, its bodies into dynamics, step by step; events into a table and a
 * trace. The trace has one line an event, in order of time: step, time, event, a, b, then point, normal and depth where
 * there are any. */
#include "simulate/simulate.h"

#include "simulate/compare_broad.h"
#include "simulate/measure.h"
#include "simulate/moments.h"
#include "page/page.h"
#include "common/progress.h"
#include "simulate/record.h"
#include "simulate/stage.h"
#include "common/terminal.h"
#include "common/text.h"
#include "simulate/walkers.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct play {
    const stage *s;
    cm_world *world;
    cm_dynamics *bodies;
    walkers walk;
    uint32_t *ids; /* of the objects */
    double dt;
    uint32_t steps;
    FILE *trace; /* its rows of the step, in memory; NULL: not asked for */
    char *rows;
    size_t row_size;
    page *traced;    /* where they go then */
    moments in_time; /* the events of the step */
    uint64_t counts[CM_WORLD_EVENT_KINDS];
    uint64_t columns[STAGE_COLUMNS][CM_WORLD_EVENT_KINDS]; /* the same, of the classes side by side */
    uint32_t rules[STAGE_CLASSES][STAGE_CLASSES];          /* what the first does when it meets the second */
    measures measured;
    broad_comparison *broads; /* NULL: not asked for */
    bool recorded;            /* for the report */
    recording record;
} play;

/* --- building ----------------------------------------------------------------------------------------------------- */

static cm_status add_object(play *p, uint32_t number) {
    const stage_object *o = &p->s->objects[number];
    cm_world_object_desc object = {.shape = p->s->shapes[o->shape].shape, .pose = o->pose, .trigger = o->trigger};
    object.fixed = o->body == STAGE_FIXED;
    object.layer = o->layers, object.mask = o->mask, object.group = o->group, object.user = number;
    object.sweep = o->unswept ? CM_WORLD_SWEEP_NEVER : CM_WORLD_SWEEP_AUTO;
    if (o->body == STAGE_FREE && !o->unswept) object.sweep = CM_WORLD_SWEEP_ALWAYS;
    if (o->body == STAGE_PATH) stage_pose_at(p->s, number, 0, &object.pose);
    cm_status status = cm_world_add(p->world, &object, &p->ids[number], NULL);
    if (status != CM_OK || object.fixed) return status;
    if (o->body == STAGE_WALK) {
        const cm_mover mover = {.shape = object.shape, .pose = o->pose};
        return cm_mover_check(&mover, NULL);
    }
    cm_body_desc body = {.velocity = o->velocity, .spin = o->spin, .mass = o->mass, .density = o->density};
    body.restitution = o->restitution, body.friction = o->friction, body.weightless = o->gravity_scale == 0;
    body.damping = o->damping, body.spin_damping = o->spin_damping, body.gravity_scale = o->gravity_scale;
    body.driven = o->body == STAGE_PATH, body.response = o->response;
    return cm_dynamics_add(p->bodies, p->ids[number], &body);
}

/* By the scene's rules. The dynamics' own know the kinds of bodies only, and objects that stand still have classes too.
 */
static void respond(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *a, uint32_t *b) {
    play *p = user;
    (void)bodies;
    if (p->recorded) recording_hit(&p->record, hit);
    uint32_t rule = p->rules[p->s->objects[hit->user_a].class_number][p->s->objects[hit->user_b].class_number];
    if (rule != STAGE_NONE) *a = *b = rule;
}

static int build(play *p, const char *path) {
    const stage *s = p->s;
    cm_world_desc world = {.kind = s->broad, .capacity = s->object_count, .margin = s->margin};
    cm_dynamics_desc dynamics = {.gravity = s->gravity, .respond = respond, .user = p};
    for (int i = 0; i < STAGE_CLASSES * STAGE_CLASSES; i++) p->rules[i / STAGE_CLASSES][i % STAGE_CLASSES] = STAGE_NONE;
    for (uint32_t i = 0; i < s->rule_count; i++) {
        const stage_rule *rule = &s->rules[i];
        p->rules[rule->first][rule->second] = p->rules[rule->second][rule->first] = rule->response;
    }
    if (cm_world_create(&world, &p->world, NULL) != CM_OK) return complain(EXIT_INTERNAL, "out of memory");
    if (cm_dynamics_create(p->world, &dynamics, &p->bodies) != CM_OK) return complain(EXIT_INTERNAL, "out of memory");
    p->ids = allocate(s->object_count + 1u, sizeof *p->ids);
    walkers_start(&p->walk, s);
    for (uint32_t i = 0; i < s->object_count; i++) {
        cm_status status = add_object(p, i);
        if (status != CM_OK)
            return complain(EXIT_INPUT, "%s: object '%s': %s", path, s->objects[i].name, cm_status_text(status));
    }
    return 0;
}

static void play_end(play *p) {
    recording_free(&p->record);
    moments_free(&p->in_time);
    cm_dynamics_destroy(p->bodies);
    cm_world_destroy(p->world);
    measures_free(&p->measured);
    broad_comparison_free(p->broads);
    walkers_free(&p->walk);
    free(p->ids);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* What follows a path gets the velocities that lead to its next place. */
static void drive(play *p, double time) {
    for (uint32_t i = 0; i < p->s->object_count; i++) {
        if (p->s->objects[i].body != STAGE_PATH) continue;
        cm_pose here, there;
        cm_motion way;
        if (cm_world_get_pose(p->world, p->ids[i], &here) != CM_OK) continue;
        stage_pose_at(p->s, i, time + p->dt, &there);
        cm_motion_between(&here, &there, &way);
        cm_dynamics_set_velocity(p->bodies, p->ids[i], cm_scale(way.move, 1 / p->dt), cm_scale(way.spin, 1 / p->dt));
    }
}

static void count_event(play *p, const cm_world_event *e) {
    p->counts[e->kind]++;
    for (uint32_t i = 0; i < p->s->column_count; i++) {
        uint32_t a = p->s->objects[e->user_a].class_number, b = p->s->objects[e->user_b].class_number;
        p->columns[i][e->kind] += a == p->s->columns[i] || b == p->s->columns[i];
    }
}

static void note_events(play *p, uint32_t step) {
    cm_world_event_view view;
    cm_world_get_events(p->world, &view);
    moments_take(&p->in_time, &view);
    for (size_t i = 0; i < p->in_time.count; i++) {
        const cm_world_event *e = &view.events[p->in_time.items[i].event];
        count_event(p, e);
        if (!p->trace) continue;
        fprintf(p->trace, "%u,%.17g,%s,", step, (step - 1 + (double)e->u) * p->dt, cm_world_event_text(e->kind));
        trace_name(p->trace, p->s->objects[e->user_a].name);
        trace_name(p->trace, p->s->objects[e->user_b].name);
        if (e->manifold_count > 0 && e->manifolds[0].count > 0) {
            const cm_manifold *m = &e->manifolds[0];
            trace_vec3(p->trace, m->points[0].point_a);
            trace_vec3(p->trace, m->normal);
            fprintf(p->trace, "%.17g\n", m->points[0].depth + 0.0);
        } else {
            fputs(",,,,,,\n", p->trace);
        }
    }
}

static void measure(play *p, uint32_t step) {
    measures_take(&p->measured, p->s, p->world, p->ids, step * p->dt);
    if (p->trace) measures_trace(&p->measured, p->s, step, p->trace);
}

static void sum_up(const play *p, cm_vec3 *momentum, double *energy) {
    *momentum = cm_v(0, 0, 0), *energy = 0;
    for (uint32_t i = 0; i < p->s->object_count; i++) {
        cm_body_state b;
        const stage_object *o = &p->s->objects[i];
        if (o->body != STAGE_FREE || cm_dynamics_get(p->bodies, p->ids[i], &b) != CM_OK) continue;
        *momentum = cm_add(*momentum, b.momentum);
        *energy += b.energy - o->gravity_scale * b.mass * cm_dot(p->s->gravity, b.center);
    }
}

/* A column a class: how many events of each kind its objects were part of. */
static void print_columns(const play *p) {
    const stage *s = p->s;
    int width[STAGE_COLUMNS];
    printf("%-9s", "");
    for (uint32_t c = 0; c < s->column_count; c++) {
        int name = (int)text_width(s->classes[s->columns[c]]);
        width[c] = name > 8 ? name : 8;
        printf("  %*s%s", width[c] - name, "", s->classes[s->columns[c]]);
    }
    puts("");
    for (int i = 0; i < CM_WORLD_EVENT_KINDS; i++) {
        uint64_t any = 0;
        for (uint32_t c = 0; c < s->column_count; c++) any |= p->columns[c][i];
        if (!any) continue;
        printf("%-9s", cm_world_event_text((cm_world_event_kind)i));
        for (uint32_t c = 0; c < s->column_count; c++)
            printf("  %*llu", width[c], (unsigned long long)p->columns[c][i]);
        puts("");
    }
}

/* Passes the rows of the trace on. False where the file cannot be written any more. */
static bool pass_rows(play *p) {
    if (!p->trace) return true;
    if (fflush(p->trace)) p->traced->error = ENOMEM;
    page_put(p->traced, p->rows, p->row_size);
    rewind(p->trace);
    return !p->traced->error;
}

/* Tells the recording where everything is now. */
static void record_moment(play *p) {
    const measures *m = &p->measured;
    cm_vec3 momentum = cm_v(0, 0, 0);
    double energy = 0;
    if (!p->recorded) return;
    if (p->s->energy) sum_up(p, &momentum, &energy);
    recording_end(&p->record, m->gap_count ? &m->gaps[m->gap_count - 1] : NULL,
                  m->box_count ? &m->boxes[m->box_count - 1] : NULL, momentum, energy);
}

static int take_step(play *p, const char *path, uint32_t step) {
    drive(p, (step - 1) * p->dt);
    if (p->recorded) recording_begin(&p->record, step);
    cm_status status = cm_dynamics_step(p->bodies, p->dt);
    if (status == CM_NO_MEMORY) return complain(EXIT_INTERNAL, "out of memory");
    if (status != CM_OK) return complain(EXIT_INPUT, "%s: step %u: %s", path, step, cm_status_text(status));
    note_events(p, step);
    status = walkers_step(&p->walk, p->s, p->world, p->bodies, p->ids, step * p->dt, p->dt);
    if (status != CM_OK) return complain(EXIT_INPUT, "%s: step %u: %s", path, step, cm_status_text(status));
    measure(p, step);
    record_moment(p);
    return p->broads ? broad_comparison_step(p->broads, p->world, p->ids) : 0;
}

/* The signal that asked to stop, once; the second one kills. */
static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int number) {
    stop_asked = number;
    signal(number, SIG_DFL);
}

static int say_stopped(const play *p, uint32_t step) {
    complain(EXIT_INPUT, "stopped by %s after step %u of %u",
             stop_asked == SIGINT ? "an interrupt" : "a request to end", step, p->steps);
    return 128 + (int)stop_asked;
}

static int take_steps(play *p, const char *path) {
    int code = 0;
    progress shown;
    measure(p, 0);
    if (p->recorded) recording_start(&p->record, p->s, p->world, p->ids, p->dt, p->steps);
    record_moment(p);
    progress_start(&shown, "steps");
    uint32_t step = 0;
    while (step < p->steps && !code && !stop_asked && pass_rows(p)) {
        step++;
        code = take_step(p, path, step);
        progress_step(&shown, p->steps);
    }
    progress_end(&shown);
    if (!pass_rows(p)) return EXIT_INPUT; /* trace_close says why */
    return !code && step < p->steps ? say_stopped(p, step) : code;
}

static int run(play *p, const char *path) {
    cm_vec3 momentum;
    double energy;
    sum_up(p, &momentum, &energy);
    if (*p->s->title) printf("%s\n", p->s->title);
    if (p->s->energy)
        printf("start     momentum %.9g %.9g %.9g, energy %.9g\n", momentum.x, momentum.y, momentum.z, energy);
    if (p->trace) fputs("step,time,event,a,b,x,y,z,nx,ny,nz,depth\n", p->trace);
    int code = take_steps(p, path);
    if (code) return code;
    sum_up(p, &momentum, &energy);
    if (p->s->energy)
        printf("end       momentum %.9g %.9g %.9g, energy %.9g\n", momentum.x, momentum.y, momentum.z, energy);
    printf("%u steps of %g s: %u of %u objects left\n", p->steps, p->dt, cm_world_count(p->world), p->s->object_count);
    if (p->s->column_count > 0) print_columns(p);
    for (int i = 0; i < CM_WORLD_EVENT_KINDS && p->s->column_count == 0; i++)
        if (p->counts[i])
            printf("%-9s %llu\n", cm_world_event_text((cm_world_event_kind)i), (unsigned long long)p->counts[i]);
    measures_print(&p->measured, p->s);
    walkers_print(&p->walk);
    return 0;
}

/* --- broad phases side by side ------------------------------------------------------------------------------------ */

/* The scene once more with so many scattered objects, for their boxes alone. */
static int compare_at(const options *o, uint32_t objects, broad_summary *out) {
    stage s;
    progress shown;
    char title[40];
    int code = stage_read_scaled(o->paths[0], &o->outputs, objects, &s);
    if (code) return code;
    play p = {.s = &s, .dt = o->dt > 0 ? o->dt : s.dt, .steps = o->steps ? o->steps : s.steps};
    p.broads = broad_comparison_start(&o->compare, s.object_count);
    snprintf(title, sizeof title, "steps of %u objects", s.object_count);
    code = build(&p, o->paths[0]);
    progress_start(&shown, title);
    uint32_t step = 0;
    while (step < p.steps && !code && !stop_asked) {
        step++;
        code = take_step(&p, o->paths[0], step);
        progress_step(&shown, p.steps);
    }
    progress_end(&shown);
    if (!code && step < p.steps) code = say_stopped(&p, step);
    broad_comparison_sum(p.broads, out);
    play_end(&p);
    stage_free(&s);
    return code;
}

/* Prints what was compared: the scene's own run, or one for each number of objects. */
static int compare_all(const play *p, const options *o, broad_summary *list, int *count) {
    int code = 0;
    *count = p->broads ? 1 : o->compare.count_count;
    if (p->broads) broad_comparison_sum(p->broads, &list[0]);
    for (int i = 0; i < *count && !p->broads && !code; i++) code = compare_at(o, o->compare.counts[i], &list[i]);
    if (!code) broad_summaries_print(&o->compare, list, *count);
    return code;
}

/* What the page leaves out is said here too. */
static int write_page(const play *p, const options *o, const broad_summary *compared, int count) {
    const recording *r = &p->record;
    char message[1024];
    json_t *more = NULL;
    if (o->compare.on) more = json_pack("{s:o}", "compared", broad_summaries_json(&o->compare, compared, count));
    if (!playback_write(o->report, o->paths[0], r, more, message, sizeof message))
        return complain(EXIT_INPUT, "%s", message);
    if (r->stride > 1) warn("%s draws one step in %u: the run is long", o->report, r->stride);
    if (r->events_met > r->event_count)
        warn("%s lists the first %zu of %zu events", o->report, r->event_count, r->events_met);
    return 0;
}

static void trace_open(play *p, const char *path, page *out) {
    static const page_frame frame = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
    if (!path) return;
    page_open(out, path, &frame);
    p->traced = out;
    p->trace = open_memstream(&p->rows, &p->row_size);
    if (!p->trace) out->error = ENOMEM;
}

/* The rows of all steps that were taken, or none. */
static int trace_close(play *p, const char *path, int code) {
    char message[1024];
    if (!path) return code;
    if (p->trace) fclose(p->trace);
    free(p->rows);
    return page_close(p->traced, path, message, sizeof message) ? code : complain(EXIT_INPUT, "%s", message);
}

static int play_all(play *p, const options *o) {
    broad_summary *compared = allocate(COMPARE_COUNTS, sizeof *compared);
    int count = 0;
    page trace;
    int code = build(p, o->paths[0]);
    if (!code) {
        trace_open(p, o->trace, &trace);
        code = trace_close(p, o->trace, run(p, o->paths[0]));
    }
    if (!code && o->compare.on) code = compare_all(p, o, compared, &count);
    if (!code && o->report) code = write_page(p, o, compared, count);
    free(compared);
    return code;
}

int run_simulate(options *o) {
    stage s;
    char message[1024];
    if (o->path_count != 1) return complain(EXIT_INPUT, "simulate takes one scene file");
    const compare_plan *plan = &o->compare;
    bool asked = plan->count_count > 0 || plan->some_sides;
    for (int i = 0; i < COMPARE_QUERIES; i++) asked |= plan->queries[i] > 0;
    if (asked && !plan->on) return complain(EXIT_INPUT, "--objects, --kinds and --queries go with --compare-broad");
    if (o->trace && !page_can_write(o->trace, message, sizeof message)) return complain(EXIT_INPUT, "%s", message);
    if (o->report && !page_can_write(o->report, message, sizeof message)) return complain(EXIT_INPUT, "%s", message);
    int code = stage_read(o->paths[0], &o->outputs, &s);
    if (code) return code;
    play p = {
        .s = &s, .dt = o->dt > 0 ? o->dt : s.dt, .steps = o->steps ? o->steps : s.steps, .recorded = o->report != NULL};
    signal(SIGINT, ask_to_stop);
    signal(SIGTERM, ask_to_stop);
    if (plan->on && !plan->count_count) p.broads = broad_comparison_start(plan, s.object_count);
    code = play_all(&p, o);
    play_end(&p);
    stage_free(&s);
    return code ? code : finish_output();
}
