/* Every broad phase on the boxes of one scene: see compare_broad.h.
 *
 * The kinds take turns within each step, and the first of them is another one each step, so that what else the machine
 * does falls on all of them. Timed are what a frame costs: the new boxes, the update and the list of pairs; and each
 * sort of queries by itself. The lists are then sorted, untimed, and compared one by one with that of the first kind;
 * what queries find is compared by a sum over all ids and times. */
#include "simulate/compare_broad.h"

#include "common/progress.h"
#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct broad_side {
    cm_broad *broad;                          /* NULL: not compared */
    uint32_t *ids;                            /* of the objects; 0 = not there */
    double *seconds, *asked[COMPARE_QUERIES]; /* by step: a frame, and each sort of queries */
    size_t capacity, asked_capacity[COMPARE_QUERIES];
    uint64_t tests;
    uint64_t found, sum; /* of a step's queries */
} broad_side;

struct broad_comparison {
    const compare_plan *plan;
    broad_side sides[COMPARE_SIDES];
    cm_aabb *boxes; /* of those that moved, with their ids in the kind that is at it */
    uint32_t *objects, *moved;
    uint32_t count;
    int first; /* of the sides that are compared */
    size_t steps;
    double all, pairs, touch, points, found[COMPARE_QUERIES];
    cm_aabb scene; /* around the bounded boxes of the step */
};

broad_comparison *broad_comparison_start(const compare_plan *plan, uint32_t count) {
    broad_comparison *c = allocate(1, sizeof *c);
    c->plan = plan;
    c->count = count;
    c->boxes = allocate(count + 1u, sizeof *c->boxes);
    c->objects = allocate(count + 1u, sizeof *c->objects);
    c->moved = allocate(count + 1u, sizeof *c->moved);
    for (int i = COMPARE_SIDES; i-- > 0;) {
        if (!compare_side_is_on(plan, i)) continue;
        c->sides[i].ids = allocate(count + 1u, sizeof *c->sides[i].ids);
        c->first = i;
    }
    return c;
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

/* Objects that are new to a kind, or gone. Like the world's own: layers and masks, and fixed ones never pair. */
static cm_status follow(broad_comparison *c, broad_side *side, const cm_world *world, const uint32_t *ids) {
    for (uint32_t i = 0; i < c->count; i++) {
        cm_world_object_desc object;
        cm_aabb box;
        bool there = cm_world_get(world, ids[i], &object) == CM_OK && cm_world_get_box(world, ids[i], &box) == CM_OK;
        if (!there && side->ids[i]) {
            cm_broad_remove(side->broad, side->ids[i]);
            side->ids[i] = 0;
        } else if (there && !side->ids[i]) {
            cm_broad_object_desc desc = {.box = box, .layer = object.layer, .mask = object.mask, .user = i};
            desc.fixed = object.fixed;
            cm_status status = cm_broad_add(side->broad, &desc, &side->ids[i]);
            if (status != CM_OK) return status;
        }
    }
    return CM_OK;
}

static cm_status frame_of_kind(broad_comparison *c, broad_side *side, uint32_t moved) {
    cm_broad_pair_view pairs;
    for (uint32_t i = 0; i < moved; i++) c->moved[i] = side->ids[c->objects[i]];
    double start = seconds_now();
    cm_status status = cm_broad_move_many(side->broad, c->moved, c->boxes, 0, moved);
    if (status == CM_OK) status = cm_broad_update(side->broad);
    if (status == CM_OK) status = cm_broad_find_pairs(side->broad, 0, &pairs);
    double end = seconds_now();
    cm_broad_stats stats;
    cm_broad_get_stats(side->broad, &stats);
    side->seconds = grow(side->seconds, c->steps, &side->capacity, sizeof *side->seconds);
    side->seconds[c->steps] = end - start, side->tests += stats.tests;
    return status;
}

/* Ids of the kinds are equal, as all were told the same in the same order. */
static int compare_pairs_of(broad_comparison *c) {
    cm_broad_pair_view first, other;
    if (cm_broad_find_pairs(c->sides[c->first].broad, CM_BROAD_SORTED, &first) != CM_OK)
        return complain(EXIT_INTERNAL, "out of memory");
    c->pairs += (double)first.count;
    for (int i = c->first + 1; i < COMPARE_SIDES; i++) {
        if (!c->sides[i].broad) continue;
        if (cm_broad_find_pairs(c->sides[i].broad, CM_BROAD_SORTED, &other) != CM_OK)
            return complain(EXIT_INTERNAL, "out of memory");
        bool same = other.count == first.count;
        if (!same || (first.count && memcmp(first.pairs, other.pairs, first.count * sizeof *first.pairs) != 0))
            return complain(EXIT_INTERNAL, "the broad phases disagree: step %zu, %s finds %zu pairs, %s %zu",
                            c->steps + 1, compare_side_name(c->first), first.count, compare_side_name(i), other.count);
    }
    return 0;
}

/* --- queries ------------------------------------------------------------------------------------------------------ */

static double random_part(uint64_t *state) { /* splitmix64 */
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static cm_vec3 random_point(uint64_t *state, const cm_aabb *box) {
    double x = random_part(state), y = random_part(state), z = random_part(state);
    return cm_v(box->min.x + x * (box->max.x - box->min.x), box->min.y + y * (box->max.y - box->min.y),
                box->min.z + z * (box->max.z - box->min.z));
}

static bool note_found(void *context, uint32_t id) {
    broad_side *side = context;
    side->found++, side->sum += id * UINT64_C(0x9e3779b97f4a7c15);
    return true;
}

static cm_real note_nearest(void *context, uint32_t id, cm_real t) {
    note_found(context, id);
    (void)t;
    return -1;
}

/* One query; the same for every kind, as the numbers are drawn anew from the same seed. */
static void ask(const broad_comparison *c, broad_side *side, int query, uint64_t *state) {
    static const cm_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    const cm_vec3 at = random_point(state, &c->scene), way = random_point(state, &unit);
    const cm_real part = cm_max(cm_length(cm_sub(c->scene.max, c->scene.min)) / 100, CM_REAL_MIN);
    if (query == COMPARE_RAYS) {
        cm_broad_raycast(side->broad, at, way, CM_REAL_MAX, 0, note_nearest, side);
    } else if (query == COMPARE_BOXES) {
        const cm_vec3 half = cm_v(part, part, part);
        const cm_aabb box = {cm_sub(at, half), cm_add(at, half)};
        cm_broad_query_box(side->broad, &box, 0, note_found, side);
    } else if (query == COMPARE_NEAREST) {
        uint32_t ids[8], n = cm_broad_nearest(side->broad, at, -1, 0, 8, ids, NULL);
        for (uint32_t i = 0; i < n; i++) note_found(side, ids[i]);
    } else { /* an eighth of a turn to each side, a third of the scene deep */
        const cm_vec3 x = cm_v(1, 0, 0), y = cm_v(0, 1, 0), forward = cm_normalize(way, x);
        const cm_vec3 side_way = cm_normalize(cm_cross(forward, cm_abs(forward.x) < 0.5 ? x : y), x);
        const cm_vec3 up = cm_cross(side_way, forward);
        const cm_vec3 normals[6] = {cm_sub(side_way, forward), cm_sub(cm_neg(side_way), forward),
                                    cm_sub(up, forward),       cm_sub(cm_neg(up), forward),
                                    cm_neg(forward),           forward};
        cm_real d[6];
        for (int i = 0; i < 6; i++) d[i] = -cm_dot(normals[i], at);
        d[5] -= 33 * part;
        cm_broad_query_frustum(side->broad, normals, d, 6, 0, note_found, side);
    }
}

static int ask_all(broad_comparison *c, int query) {
    const uint32_t count = c->plan->queries[query];
    const broad_side *first = &c->sides[c->first];
    for (int k = 0; k < COMPARE_SIDES; k++) {
        broad_side *side = &c->sides[((size_t)k + c->steps) % COMPARE_SIDES];
        if (!side->broad) continue;
        uint64_t state = (uint64_t)c->steps * 4 + (uint64_t)query;
        side->found = side->sum = 0;
        double start = seconds_now();
        for (uint32_t i = 0; i < count; i++) ask(c, side, query, &state);
        double end = seconds_now();
        side->asked[query] = grow(side->asked[query], c->steps, &side->asked_capacity[query], sizeof(double));
        side->asked[query][c->steps] = end - start;
    }
    for (int i = c->first; i < COMPARE_SIDES; i++) {
        const broad_side *side = &c->sides[i];
        if (side->broad && (side->found != first->found || side->sum != first->sum))
            return complain(EXIT_INTERNAL, "the broad phases disagree: step %zu, %s: %s finds %llu, %s %llu",
                            c->steps + 1, compare_query_name(query), compare_side_name(c->first),
                            (unsigned long long)first->found, compare_side_name(i), (unsigned long long)side->found);
    }
    if (count) c->found[query] += (double)first->found / count;
    return 0;
}

/* --- the whole step ----------------------------------------------------------------------------------------------- */

static void count_contacts(broad_comparison *c, const cm_world *world) {
    cm_world_stats stats;
    cm_world_event_view events;
    const double n = cm_world_count(world);
    cm_world_get_stats(world, &stats);
    cm_world_get_events(world, &events);
    c->all += n * (n - 1) / 2;
    c->touch += (double)stats.contacts;
    for (size_t i = 0; i < events.count; i++) {
        const cm_world_event *e = &events.events[i];
        if (e->kind != CM_WORLD_BEGAN && e->kind != CM_WORLD_STAYED) continue;
        for (int k = 0; k < e->manifold_count; k++) c->points += e->manifolds[k].count;
    }
}

int broad_comparison_step(broad_comparison *c, const cm_world *world, const uint32_t *ids) {
    cm_status status = CM_OK;
    uint32_t moved = 0;
    for (int i = 0; i < COMPARE_SIDES && status == CM_OK; i++) {
        if (!compare_side_is_on(c->plan, i)) continue;
        cm_broad_desc desc = compare_side_desc(i);
        desc.capacity = c->count;
        if (!c->sides[i].broad) status = cm_broad_create(&desc, &c->sides[i].broad, NULL);
        if (status == CM_OK) status = follow(c, &c->sides[i], world, ids);
    }
    c->scene = cm_aabb_empty();
    for (uint32_t i = 0; i < c->count && status == CM_OK; i++) {
        cm_broad_object_desc known;
        uint32_t id = c->sides[c->first].ids[i];
        if (!id || cm_broad_get(c->sides[c->first].broad, id, &known) != CM_OK) continue;
        if (cm_length(cm_sub(known.box.max, known.box.min)) < CM_COORD_MAX)
            c->scene = cm_aabb_union(c->scene, known.box);
        if (known.fixed) continue;
        if (cm_world_get_box(world, ids[i], &c->boxes[moved]) == CM_OK) c->objects[moved++] = i;
    }
    if (!(c->scene.min.x <= c->scene.max.x)) c->scene = (cm_aabb){{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < COMPARE_SIDES && status == CM_OK; k++) {
        broad_side *side = &c->sides[((size_t)k + c->steps) % COMPARE_SIDES];
        if (side->broad) status = frame_of_kind(c, side, moved);
    }
    if (status == CM_NO_MEMORY) return complain(EXIT_INTERNAL, "out of memory");
    if (status != CM_OK) return complain(EXIT_INTERNAL, "the broad phase: %s", cm_status_text(status));
    int code = compare_pairs_of(c);
    for (int query = 0; query < COMPARE_QUERIES && !code; query++) code = ask_all(c, query);
    count_contacts(c, world);
    c->steps++;
    return code;
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median_of(double *values, size_t count) {
    if (count == 0) return 0;
    qsort(values, count, sizeof *values, by_size);
    return values[count / 2];
}

void broad_comparison_sum(broad_comparison *c, broad_summary *out) {
    const double steps = c->steps ? (double)c->steps : 1;
    memset(out, 0, sizeof *out);
    out->objects = c->count, out->steps = c->steps;
    out->all = c->all / steps, out->boxes = c->pairs / steps, out->touch = c->touch / steps;
    out->points = c->points / steps;
    for (int query = 0; query < COMPARE_QUERIES; query++) out->found[query] = c->found[query] / steps;
    for (int i = 0; i < COMPARE_SIDES; i++) {
        broad_side *side = &c->sides[i];
        cm_broad_stats stats;
        if (!side->broad) continue;
        cm_broad_get_stats(side->broad, &stats);
        out->sides[i].ran = stats.kind;
        out->sides[i].bytes = stats.bytes;
        out->sides[i].tests = (double)side->tests / steps;
        out->sides[i].ms = 1e3 * median_of(side->seconds, c->steps);
        for (int query = 0; query < COMPARE_QUERIES; query++) {
            const uint32_t asked = c->plan->queries[query];
            if (asked) out->sides[i].us[query] = 1e6 * median_of(side->asked[query], c->steps) / asked;
        }
    }
}

void broad_comparison_free(broad_comparison *c) {
    if (!c) return;
    for (int i = 0; i < COMPARE_SIDES; i++) {
        cm_broad_destroy(c->sides[i].broad);
        free(c->sides[i].ids);
        free(c->sides[i].seconds);
        for (int query = 0; query < COMPARE_QUERIES; query++) free(c->sides[i].asked[query]);
    }
    free(c->boxes);
    free(c->objects);
    free(c->moved);
    free(c);
}
