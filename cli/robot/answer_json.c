/* What carom check says of a robot, in JSON: docs/guide/json-schema.md describes every field. No times are in it: equal
 * inputs give equal bytes. */
#include "robot/answer.h"

#include "check/left_out.h"
#include "check/output.h"
#include "common/text.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *json_joints(const robot *r) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[i];
        json_t *one = json_pack("{s:s, s:s, s:s, s:s}", "name", j->name, "type", joint_kind_text(j->kind), "parent",
                                r->links[j->parent].name, "child", r->links[j->child].name);
        if (joint_moves(j)) {
            json_object_set_new(one, "lower", json_real(j->lower));
            json_object_set_new(one, "upper", json_real(j->upper));
        }
        if (j->leader != i) json_object_set_new(one, "mimics", json_string(r->joints[j->leader].name));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *json_links(const model *m) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->robot.link_count; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:i}", "name", m->items[i].name, "shapes", (int)m->items[i].body_count));
    return list;
}

static json_t *json_attached(const model *m) {
    json_t *list = json_array();
    for (uint32_t i = m->robot.link_count; model_moves(m, i); i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", m->items[i].name, "file", m->items[i].file,
                                              "link", m->robot.links[m->items[i].link].name));
    return list;
}

static json_t *json_values(const robot *r, const double *values) {
    json_t *out = json_object();
    for (uint32_t i = 0; i < r->joint_count; i++)
        if (joint_moves(&r->joints[i])) json_object_set_new(out, r->joints[i].name, json_real(values[i] + 0.0));
    return out;
}

static json_t *json_worst(const survey *s, const robot_pair *pair) {
    if (!(pair->worst.distance < CM_REAL_MAX)) return json_null();
    const robot *r = &s->model->robot;
    double *values = allocate(r->joint_count, sizeof *values);
    char *name = survey_name(s, pair->worst.configuration);
    survey_values(s, pair->worst.configuration, values);
    json_t *out =
        json_pack("{s:s, s:f, s:o, s:o, s:i, s:o}", "configuration", name, "distance", pair->worst.distance + 0.0,
                  "point_a", json_point(pair->worst.points.point_a), "point_b", json_point(pair->worst.points.point_b),
                  "measured_samples", (int)pair->measured, "joints", json_values(r, values));
    free(values);
    free(name);
    return out;
}

static json_t *json_pair(const survey *s, const robot_pair *pair) {
    json_t *out = json_pack("{s:s, s:s, s:b, s:b, s:s}", "a", s->model->items[pair->a].name, "b",
                            s->model->items[pair->b].name, "a_is_link", model_is_link(s->model, pair->a), "b_is_link",
                            model_is_link(s->model, pair->b), "status", pair_status_texts[pair->status]);
    if (pair->reason) json_object_set_new(out, "reason", json_string(pair->reason));
    if (pair->status != PAIR_CHECKED) return out;
    json_t *more = json_pack("{s:s, s:b, s:i, s:I, s:i, s:o, s:b, s:b}", "verdict", pair_verdict(s, pair), "at_rest",
                             pair->at_rest, "stations", (int)pair->stations, "samples", (json_int_t)pair->samples,
                             "touching", (int)pair->touching, "worst", json_worst(s, pair), "allowed",
                             pair->allowed != CM_NONE, "fails", pair_fails(s->options, pair));
    json_object_update(out, more);
    json_decref(more);
    return out;
}

/* All pairs of links and of what is attached, and of those with the cell the ones that were found. */
static json_t *json_pairs(const survey *s) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *pair = &s->pairs.list[i];
        if (model_moves(s->model, pair->b) || pair_hits(pair) + pair->touching > 0)
            json_array_append_new(list, json_pair(s, pair));
    }
    return list;
}

static json_t *json_stations(const survey *s) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < s->station_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:o}", "name", s->stations[i].name, "joints",
                                              json_values(&s->model->robot, s->stations[i].values)));
    return list;
}

static json_t *json_notes(const robot *r) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->note_count; i++) json_array_append_new(list, json_string(r->notes[i]));
    return list;
}

/* Pairs that collide, are open, or come near. */
static json_t *json_way(const survey *s, const trajectory *t) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < s->pairs.count; i++) {
        const robot_pair *p = &s->pairs.list[i];
        const pair_way *w = &p->way;
        const bool met = w->collides || w->open;
        if (p->status != PAIR_CHECKED || (!met && w->at_least >= t->far)) continue;
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:o, s:i, s:o, s:o, s:f}", "a",
                                              s->model->items[p->a].name, "b", s->model->items[p->b].name, "verdict",
                                              w->collides ? "collides"
                                              : w->open   ? "open"
                                                          : "free",
                                              "free_until", met ? json_real(w->free_until) : json_null(), "meets_at",
                                              w->collides ? json_real(w->meets_at) : json_null(), "steps",
                                              (int)w->segments, "least", json_length(w->least), "least_at",
                                              w->least < CM_REAL_MAX ? json_real(w->when) : json_null(), "at_least",
                                              w->at_least));
    }
    return json_pack("{s:s, s:i, s:b, s:f, s:f, s:f, s:f, s:o}", "path", t->path, "rows", (int)t->rows, "timed",
                     t->timed, "start", t->times[0], "end", t->times[t->rows - 1], "resolution", t->resolution,
                     "looked_for", t->far, "pairs", list);
}

void answer_write_json(const robot_answer *a) {
    const survey *s = a->survey;
    const model *m = s->model;
    const options *o = s->options;
    json_t *counts =
        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:I, s:i}", "links", (int)m->robot.link_count, "cell_parts",
                  (int)m->cell.part_count, "checked", (int)s->pairs.checked, "adjacent", (int)s->pairs.adjacent,
                  "disabled", (int)s->pairs.disabled, "held", (int)s->pairs.held, "stations", (int)s->station_count,
                  "samples", (json_int_t)s->sample_count, "failing", (int)a->failing);
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", "carom-robot-1", "carom",
        cm_version(), "unit", "m", "robot", m->robot.name, "seed",
        json_sprintf("%llu", (unsigned long long)o->robot.seed), "notes", json_notes(&m->robot), "links", json_links(m),
        "attached", json_attached(m), "attached_files", json_files(&m->attached), "joints", json_joints(&m->robot),
        "meshes", json_files(&m->meshes), "cell", json_files(&m->cell), "stations", json_stations(s), "counts", counts);
    json_object_set_new(root, "pairs", json_pairs(s));
    if (a->way) json_object_set_new(root, "trajectory", json_way(s, a->way));
    json_print(root);
}
