/* The page of a robot: see playing.h. The player is that of carom simulate (simulate/record.h, page/play): here the
 * robot becomes a scene without a world, and each configuration or moment a frame.
 *
 * In the page's metadata `robot` has: held (frames stand for themselves, nothing moves between them), links, attached
 * (how many objects of each there are), pairs (checked), configurations (looked at); joints (names of those that move),
 * slides (which of them have lengths, not angles), values (of the joints, for each frame); where held: names (of the
 * frames); else start (the time of the first frame) and timed (false: times are numbers of rows). Its events are began
 * (they touch), hit (they collide), limit (not known to be free from here on) and stayed (nearest of all; depth is
 * minus the gap). */
#include "robot/playing.h"

#include "common/parallel.h"
#include "common/text.h"
#include "page/page.h"
#include "robot/worst.h"
#include "simulate/record.h"

#include <carom/compound.h>
#include <carom/world.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAY_FRAMES_LEAST = 600, WAY_FRAMES_MOST = 2400, CLASS_LINK = 0, CLASS_ATTACHED = 1, CLASS_CELL = 2 };

typedef struct playing {
    const robot_answer *answer;
    const survey *survey;
    const model *model;
    stage stage;
    recording record;
    uint32_t *object_of;     /* for each item, or STAGE_NONE */
    cm_compound **compounds; /* of items of several bodies */
    uint32_t compound_count;
    uint32_t *configurations; /* of the frames, where they are held */
    uint32_t frame_count;
    double start, step; /* of a trajectory: its first time, and from frame to frame */
} playing;

/* --- the scene --------------------------------------------------------------------------------------------------- */

/* A shape for all bodies of an item; the pose of the item's object is that of the item by this one. */
static cm_status shape_of_item(playing *p, const model_item *item, cm_shape *out, cm_pose *pose) {
    const model_body *bodies = &p->model->bodies[item->first_body];
    *out = bodies[0].shape, *pose = bodies[0].pose;
    if (item->body_count == 1) return CM_OK;
    cm_compound_child *children = allocate(item->body_count, sizeof *children);
    for (uint32_t i = 0; i < item->body_count; i++)
        children[i] = (cm_compound_child){.shape = bodies[i].shape, .pose = bodies[i].pose};
    const cm_compound_desc desc = {.children = children, .count = item->body_count};
    cm_compound *compound = NULL;
    const cm_status status = cm_compound_build(&desc, NULL, &compound, NULL);
    free(children);
    if (status != CM_OK) return status;
    p->compounds[p->compound_count++] = compound;
    *out = cm_make_compound(compound), *pose = cm_pose_identity();
    return CM_OK;
}

/* The number of a shape; meshes that several items have are one. */
static uint32_t add_shape(stage *s, const cm_shape *shape) {
    for (uint32_t i = 0; i < s->shape_count && shape->kind == CM_SHAPE_MESH; i++)
        if (s->shapes[i].shape.kind == CM_SHAPE_MESH && s->shapes[i].shape.u.mesh == shape->u.mesh) return i;
    s->shapes[s->shape_count] = (stage_shape){.name = "", .shape = *shape};
    return s->shape_count++;
}

static cm_pose pose_in_item(const model *m, const model_item *item) {
    return item->body_count == 1 ? m->bodies[item->first_body].pose : cm_pose_identity();
}

/* Is there a joint that moves between the link and the root? */
static bool a_joint_moves(const robot *r, uint32_t link) {
    for (; r->links[link].joint != ROBOT_NONE; link = r->joints[r->links[link].joint].parent)
        if (joint_moves(&r->joints[r->links[link].joint])) return true;
    return false;
}

static void values_of_frame(const playing *p, uint32_t frame, double *values) {
    if (p->answer->way)
        trajectory_values(p->answer->way, p->start + frame * p->step, values);
    else
        survey_values(p->survey, p->configurations[frame], values);
}

/* Objects are all items with geometry; they stand as in the first frame. */
static cm_status make_stage(playing *p) {
    const model *m = p->model;
    stage *s = &p->stage;
    s->up = 'z', s->boxed = STAGE_NONE;
    s->classes[CLASS_LINK] = "link", s->classes[CLASS_ATTACHED] = "attached", s->classes[CLASS_CELL] = "cell";
    s->class_count = 3;
    s->shapes = allocate(m->item_count, sizeof *s->shapes);
    s->objects = allocate(m->item_count, sizeof *s->objects);
    p->object_of = allocate(m->item_count, sizeof *p->object_of);
    p->compounds = allocate(m->item_count, sizeof(cm_compound *));
    model_placed *at = model_make_places(m);
    double *values = allocate(m->robot.joint_count, sizeof *values);
    values_of_frame(p, 0, values);
    model_place(m, values, at);
    free(values);
    cm_status status = CM_OK;
    for (uint32_t i = 0; i < m->item_count && status == CM_OK; i++) {
        const model_item *item = &m->items[i];
        cm_shape shape;
        cm_pose pose;
        p->object_of[i] = STAGE_NONE;
        if (item->body_count == 0) continue;
        status = shape_of_item(p, item, &shape, &pose);
        if (status != CM_OK) break;
        p->object_of[i] = s->object_count;
        stage_object *o = &s->objects[s->object_count++];
        *o = (stage_object){.name = (char *)item->name, .shape = add_shape(s, &shape), .visual = STAGE_NONE};
        o->pose = cm_pose_mul(&at[i].pose, &pose);
        o->body = a_joint_moves(&m->robot, item->link) ? STAGE_FREE : STAGE_FIXED;
        o->class_number = model_is_link(m, i) ? CLASS_LINK : model_moves(m, i) ? CLASS_ATTACHED : CLASS_CELL;
    }
    free(at);
    return status;
}

/* --- frames ------------------------------------------------------------------------------------------------------ */

/* Two items that collide in a frame; `touch`: by no more than the tolerance. */
typedef struct frame_meeting {
    told_contact contact;
    bool touch;
} frame_meeting;

typedef struct frame_answer {
    gap_sample gap; /* of the nearest two, or the deepest */
    frame_meeting *list;
    size_t count, capacity;
} frame_answer;

static told_contact contact_of(const playing *p, const robot_pair *pair, const cm_witness *w, double distance) {
    return (told_contact){p->object_of[pair->a], p->object_of[pair->b], cm_lerp(w->point_a, w->point_b, 0.5), w->normal,
                          -distance};
}

/* Looks at one pair; what is farther apart than `far`, or than two that were looked at, is passed over. */
static void look_at_pair(const playing *p, const robot_pair *pair, const model_placed *at, bool touches_count,
                         double far, frame_answer *out) {
    const model *m = p->model;
    const double least = fmin(far, out->gap.distance), most = fmax(least, 0);
    cm_witness w;
    if (most < CM_REAL_MAX && model_boxes_overlap(m, pair->a, pair->b, at) < -most) return;
    const bool collide = model_collide(m, pair->a, pair->b, at);
    if (!collide && least <= 0) return;
    double distance = model_distance(m, pair->a, pair->b, at, collide ? 0 : most, &w);
    if (distance == CM_REAL_MAX) {
        if (!collide) return;
        distance = 0, w = (cm_witness){0}; /* rounding parts what touches */
    }
    if (collide) {
        distance = fmin(distance, 0);
        const bool touch = touches_count && survey_only_touches(p->survey, pair, at, -distance);
        out->list = grow(out->list, out->count, &out->capacity, sizeof *out->list);
        out->list[out->count++] = (frame_meeting){contact_of(p, pair, &w, distance), touch};
    }
    if (distance < least)
        out->gap = (gap_sample){.distance = distance,
                                .a = p->object_of[pair->a],
                                .b = p->object_of[pair->b],
                                .point_a = w.point_a,
                                .point_b = w.point_b,
                                .normal = w.normal};
}

static int compare_meetings(const void *left, const void *right) {
    const told_contact *a = &((const frame_meeting *)left)->contact, *b = &((const frame_meeting *)right)->contact;
    if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b < b->b ? -1 : a->b > b->b;
}

typedef struct frame_work {
    const playing *playing;
    frame_answer *answers;
} frame_work;

/* Pairs that no joint moves are told of at rest alone, where frames are held. */
static void look_at_frame(void *argument, int index, int worker) {
    (void)worker;
    const frame_work *w = argument;
    const playing *p = w->playing;
    const survey *s = p->survey;
    const trajectory *way = p->answer->way;
    const double far = way ? way->far : CM_REAL_MAX;
    model_placed *at = model_make_places(p->model);
    double *values = allocate(p->model->robot.joint_count, sizeof *values);
    frame_answer *out = &w->answers[index];
    values_of_frame(p, (uint32_t)index, values);
    model_place(p->model, values, at);
    out->gap.distance = CM_REAL_MAX;
    const bool at_rest = !way && index == 0, station = !way && p->configurations[index] < s->station_count;
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *pair = &s->pairs.list[i];
        if (pair_counts(pair) || (at_rest && pair->status == PAIR_CHECKED && pair->allowed == CM_NONE))
            look_at_pair(p, pair, at, station, far, out);
    }
    if (out->count > 1) qsort(out->list, out->count, sizeof *out->list, compare_meetings); /* the deepest first */
    free(values);
    free(at);
}

/* The poses of all objects for the values of the joints. */
static void poses_of(const playing *p, const double *values, model_placed *at, cm_pose *poses) {
    model_place(p->model, values, at);
    for (uint32_t i = 0; i < p->model->item_count; i++) {
        if (p->object_of[i] == STAGE_NONE) continue;
        const cm_pose own = pose_in_item(p->model, &p->model->items[i]);
        poses[p->object_of[i]] = cm_pose_mul(&at[i].pose, &own);
    }
}

/* Records all frames; returns the values of the joints in those that are kept. */
static json_t *put_frames_of(playing *p, const frame_answer *answers) {
    const robot *r = &p->model->robot;
    model_placed *at = model_make_places(p->model);
    double *values = allocate(r->joint_count, sizeof *values);
    cm_pose *poses = allocate(p->stage.object_count, sizeof *poses);
    json_t *list = json_array();
    for (uint32_t f = 0; f < p->frame_count; f++) {
        const frame_answer *one = &answers[f];
        values_of_frame(p, f, values);
        poses_of(p, values, at, poses);
        for (size_t i = 0; i < one->count; i++) {
            recording_put_contact(&p->record, &one->list[i].contact);
            if (!p->answer->way)
                recording_put_event(&p->record, &one->list[i].contact,
                                    one->list[i].touch ? CM_WORLD_BEGAN : CM_WORLD_HIT, f, 1);
        }
        const gap_sample *gap = one->gap.distance < CM_REAL_MAX ? &one->gap : NULL;
        if (!p->answer->way && one->count == 0 && gap) {
            const told_contact nearest = {gap->a, gap->b, cm_lerp(gap->point_a, gap->point_b, 0.5), gap->normal,
                                          -gap->distance};
            recording_put_event(&p->record, &nearest, CM_WORLD_STAYED, f, 1);
        }
        if (!recording_put_frame(&p->record, f, poses, gap)) continue;
        json_t *row = json_array();
        for (uint32_t i = 0; i < r->joint_count; i++)
            if (joint_moves(&r->joints[i])) json_array_append_new(row, page_real(values[i]));
        json_array_append_new(list, row);
    }
    free(poses);
    free(values);
    free(at);
    return list;
}

/* --- what happens on a trajectory -------------------------------------------------------------------------------- */

/* One moment of a pair, with the very poses that the robot has then. */
static void put_moment(playing *p, const robot_pair *pair, uint32_t kind, double time) {
    const robot *r = &p->model->robot;
    model_placed *at = model_make_places(p->model);
    double *values = allocate(r->joint_count, sizeof *values);
    cm_pose *poses = allocate(p->stage.object_count, sizeof *poses);
    const double x = p->step > 0 ? (time - p->start) / p->step : 0, step = ceil(x);
    const double u = step > 0 ? x - (step - 1) : 1;
    cm_witness w = {0};
    trajectory_values(p->answer->way, time, values);
    poses_of(p, values, at, poses);
    double distance = model_distance(p->model, pair->a, pair->b, at, CM_REAL_MAX, &w);
    if (kind == CM_WORLD_HIT) distance = fmin(distance, 0);
    const told_contact contact = contact_of(p, pair, &w, distance);
    recording_put_event(&p->record, &contact, kind, (uint32_t)step, u);
    for (uint32_t i = 0; i < p->stage.object_count && step > 0; i++)
        recording_put_impact(&p->record, i, (uint32_t)step, u, &poses[i]);
    free(poses);
    free(values);
    free(at);
}

typedef struct moment_of_pair {
    const robot_pair *pair;
    uint32_t kind;
    double time;
} moment_of_pair;

static int compare_moments_of_pairs(const void *left, const void *right) {
    const moment_of_pair *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->pair < b->pair ? -1 : a->pair > b->pair;
}

/* When pairs first collide, from when on they are not known to be free, and where the others are nearest. */
static void put_moments(playing *p) {
    const survey *s = p->survey;
    moment_of_pair *list = allocate(s->pairs.count, sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *pair = &s->pairs.list[i];
        const pair_way *w = &pair->way;
        if (pair->status != PAIR_CHECKED || pair->allowed != CM_NONE) continue;
        if (w->collides)
            list[count++] = (moment_of_pair){pair, CM_WORLD_HIT, w->meets_at};
        else if (w->open)
            list[count++] = (moment_of_pair){pair, CM_WORLD_LIMIT, w->free_until};
        else if (w->least < CM_REAL_MAX)
            list[count++] = (moment_of_pair){pair, CM_WORLD_STAYED, w->when};
    }
    if (count > 1) qsort(list, count, sizeof *list, compare_moments_of_pairs); /* the player wants them in order */
    for (uint32_t i = 0; i < count; i++) put_moment(p, list[i].pair, list[i].kind, list[i].time);
    free(list);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static void choose_frames(playing *p, uint32_t most) {
    const trajectory *way = p->answer->way;
    const uint32_t movers = p->model->robot.link_count + p->model->attached.part_count;
    const uint32_t room = RECORD_POSES / movers > 8 ? RECORD_POSES / movers - 4 : 4; /* so that all are kept */
    if (way) {
        const uint32_t wanted = way->rows > WAY_FRAMES_MOST / 4 ? WAY_FRAMES_MOST : 4 * way->rows;
        const uint32_t steps = wanted > WAY_FRAMES_LEAST ? wanted : WAY_FRAMES_LEAST;
        p->frame_count = way->rows == 1 ? 1 : (steps < room ? steps : room) + 1;
        p->start = way->times[0];
        p->step = p->frame_count > 1 ? (way->times[way->rows - 1] - p->start) / (p->frame_count - 1) : 0;
        return;
    }
    most = most < room ? most : room;
    p->configurations = allocate(most + 1u, sizeof *p->configurations); /* rest comes first */
    p->frame_count = 1 + worst_configurations(p->survey, most, p->configurations + 1);
}

static json_t *robot_json(const playing *p, json_t *values) {
    const survey *s = p->survey;
    const robot *r = &p->model->robot;
    json_t *joints = json_array(), *slides = json_array(), *names = json_array();
    uint32_t links = 0;
    for (uint32_t i = 0; i < r->joint_count; i++) {
        if (!joint_moves(&r->joints[i])) continue;
        json_array_append_new(joints, page_text(r->joints[i].name));
        json_array_append_new(slides, json_boolean(r->joints[i].kind == JOINT_PRISMATIC));
    }
    for (uint32_t i = 0; i < r->link_count; i++) links += p->object_of[i] != STAGE_NONE;
    json_t *out = json_pack(
        "{s:b, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "held", !p->answer->way, "links", (json_int_t)links, "attached",
        (json_int_t)p->model->attached.part_count, "pairs", (json_int_t)s->pairs.checked, "configurations",
        (json_int_t)s->station_count + s->sample_count, "joints", joints, "slides", slides, "values", values);
    for (uint32_t f = 0; f < p->frame_count && !p->answer->way; f++) {
        char *name = survey_name(s, p->configurations[f]);
        json_array_append_new(names, page_text(name));
        free(name);
    }
    if (p->answer->way) {
        json_object_set_new(out, "start", page_real(p->start));
        json_object_set_new(out, "timed", json_boolean(p->answer->way->timed));
        json_decref(names);
    } else {
        json_object_set_new(out, "names", names);
    }
    return json_pack("{s:o}", "robot", out);
}

static void playing_free(playing *p, frame_answer *answers) {
    for (uint32_t f = 0; f < p->frame_count && answers; f++) free(answers[f].list);
    for (uint32_t i = 0; i < p->compound_count; i++) cm_compound_destroy(p->compounds[i], NULL);
    recording_free(&p->record);
    free(answers);
    free(p->compounds);
    free(p->object_of);
    free(p->configurations);
    free(p->stage.title);
    free(p->stage.about);
    free(p->stage.shapes);
    free(p->stage.objects);
}

bool playing_write(const char *path, const robot_answer *a, uint32_t most, char *message, size_t size) {
    playing p = {.answer = a, .survey = a->survey, .model = a->survey->model};
    choose_frames(&p, most);
    const cm_status status = make_stage(&p);
    if (status != CM_OK) {
        snprintf(message, size, "%s: %s", path, cm_status_text(status));
        playing_free(&p, NULL);
        return false;
    }
    p.stage.title = copy_text(p.model->robot.name);
    p.stage.about =
        a->way ? format_text("%s, and between its rows", base_name(a->way->path))
               : format_text("Rest, and the %u worst of %llu configurations, the worst first", p.frame_count - 1,
                             (unsigned long long)p.survey->station_count + p.survey->sample_count);
    recording_start(&p.record, &p.stage, NULL, NULL, a->way && p.step > 0 ? p.step : 1, p.frame_count - 1);
    frame_answer *answers = allocate(p.frame_count, sizeof *answers);
    frame_work work = {&p, answers};
    run_in_parallel(p.survey->options->read.threads, p.frame_count, look_at_frame, &work);
    json_t *values = put_frames_of(&p, answers);
    if (a->way) put_moments(&p);
    const bool written =
        playback_write(path, p.survey->options->paths[0], &p.record, robot_json(&p, values), message, size);
    playing_free(&p, answers);
    return written;
}
