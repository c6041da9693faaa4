/* Which pairs are to be checked: see pairs.h. */
#include "robot/pairs.h"

#include "common/text.h"

#include <stdlib.h>

const char *const pair_status_texts[] = {"checked", "adjacent", "disabled", "held"};

/* --- the tree ---------------------------------------------------------------------------------------------------- */

/* For each link, who is above it. */
typedef struct kinship {
    uint32_t *solid; /* the nearest link above that has geometry, or ROBOT_NONE */
    uint32_t
        *cluster;   /* the topmost of the links without geometry right above it, or ROBOT_NONE: its parent has some */
    uint32_t *body; /* the topmost link that no joint moves against it */
} kinship;

static bool has_geometry(const robot *r, uint32_t link) { return r->links[link].collision_count > 0; }

static kinship find_kinship(const robot *r) {
    kinship k = {allocate(r->link_count, sizeof(uint32_t)), allocate(r->link_count, sizeof(uint32_t)),
                 allocate(r->link_count, sizeof(uint32_t))};
    for (uint32_t i = 0; i < r->link_count; i++) {
        const uint32_t link = r->order[i], joint = r->links[link].joint;
        k.solid[link] = k.cluster[link] = ROBOT_NONE, k.body[link] = link;
        if (joint == ROBOT_NONE) continue;
        const uint32_t parent = r->joints[joint].parent;
        const bool solid = has_geometry(r, parent);
        k.solid[link] = solid ? parent : k.solid[parent];
        if (!solid) k.cluster[link] = k.cluster[parent] != ROBOT_NONE ? k.cluster[parent] : parent;
        if (!joint_moves(&r->joints[joint])) k.body[link] = k.body[parent];
    }
    return k;
}

static void free_kinship(kinship *k) {
    free(k->solid);
    free(k->cluster);
    free(k->body);
}

static bool are_adjacent(const kinship *k, uint32_t a, uint32_t b) {
    if (k->solid[a] == b || k->solid[b] == a) return true;
    return k->cluster[a] != ROBOT_NONE && k->cluster[a] == k->cluster[b];
}

/* --- the list ---------------------------------------------------------------------------------------------------- */

typedef struct pair_maker {
    const model *model;
    const options *options;
    const srdf *srdf;
    kinship kin;
    cm_check_part *parts; /* for selectors */
} pair_maker;

/* Does one selector choose one of the pair, and the other the other? */
static bool is_between(const pair_maker *p, const char *first, const char *second, uint32_t a, uint32_t b) {
    const cm_check_part *x = &p->parts[a], *y = &p->parts[b];
    return (cm_check_selects(first, x) && cm_check_selects(second, y)) ||
           (cm_check_selects(first, y) && cm_check_selects(second, x));
}

static bool is_asked_for(const pair_maker *p, uint32_t a, uint32_t b) {
    const options *o = p->options;
    for (uint32_t i = 0; i < o->between_count; i++)
        if (is_between(p, o->between[i].first, o->between[i].second, a, b)) return true;
    return o->between_count == 0;
}

static uint32_t find_exception(const pair_maker *p, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < p->options->allow_count; i++)
        if (is_between(p, p->options->allow[i].first, p->options->allow[i].second, a, b)) return i;
    return CM_NONE;
}

/* Nothing would be compared where a selector chooses nothing. */
static int check_selector(const pair_maker *p, const char *selector) {
    for (uint32_t i = 0; i < p->model->item_count; i++)
        if (cm_check_selects(selector, &p->parts[i])) return 0;
    return complain(EXIT_INPUT, "--between: '%s' matches no link and no part", selector);
}

static robot_pair make_pair(const pair_maker *p, uint32_t a, uint32_t b) {
    const model *m = p->model;
    const bool both = model_is_link(m, b);
    robot_pair pair = {.a = a, .b = b, .allowed = find_exception(p, a, b), .worst.distance = CM_REAL_MAX};
    pair.fixed = p->kin.body[m->items[a].link] == p->kin.body[m->items[b].link];
    pair.way.least = CM_REAL_MAX;
    if (both) pair.reason = srdf_disables(p->srdf, a, b);
    if (both && !p->options->robot.adjacent && are_adjacent(&p->kin, a, b))
        pair.status = PAIR_ADJACENT;
    else if (pair.reason)
        pair.status = PAIR_DISABLED;
    else if (model_may_touch(m, &p->options->robot, a, b))
        pair.status = PAIR_HELD;
    return pair;
}

int pairs_list(const model *m, const options *o, const srdf *s, robot_pairs *out) {
    pair_maker p = {.model = m, .options = o, .srdf = s, .kin = find_kinship(&m->robot)};
    p.parts = allocate(m->item_count, sizeof *p.parts);
    for (uint32_t i = 0; i < m->item_count; i++)
        p.parts[i] = (cm_check_part){.name = m->items[i].name, .file = m->items[i].file};
    int code = 0;
    for (uint32_t i = 0; i < o->between_count && code == 0; i++) {
        code = check_selector(&p, o->between[i].first);
        if (code == 0) code = check_selector(&p, o->between[i].second);
    }
    size_t capacity = 0;
    for (uint32_t a = 0; model_moves(m, a) && code == 0; a++)
        for (uint32_t b = a + 1; b < m->item_count; b++) {
            if (m->items[a].body_count == 0 || m->items[b].body_count == 0 || !is_asked_for(&p, a, b)) continue;
            const robot_pair pair = make_pair(&p, a, b);
            out->list = grow(out->list, out->count, &capacity, sizeof *out->list);
            out->list[out->count++] = pair;
            out->checked += pair.status == PAIR_CHECKED;
            out->adjacent += pair.status == PAIR_ADJACENT;
            out->disabled += pair.status == PAIR_DISABLED;
            out->held += pair.status == PAIR_HELD;
        }
    free_kinship(&p.kin);
    free(p.parts);
    return code;
}
