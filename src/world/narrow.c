/* The narrow phase: contacts of the pairs whose objects changed, at the end of the step; the others keep what they had.
 *
 * Pairs are tested in chunks, in parallel; each worker writes manifolds into its own buffer, each pair its result. No
 * worker asks for memory: a pair that finds no room in the buffer is only counted, and tested again when all have run
 * and the caller's thread has made the room. The buffers of the last update stay beside the new ones, for what is kept,
 * until the results are committed.
 *
 * Most pairs of overlapping boxes are apart, and stay so for many steps. Each keeps the separating direction, which is
 * tried first, and the separation, so that nothing is tried before the two have moved that far. The test runs in double
 * and allows for more than all rounding of the pair tests, so it never changes an answer. Which pairs it is made for,
 * and what it makes of a gap or a path of exactly 0, changes none either. */
#include "world/world.h"
#include "base/bits.h"
#include "base/counter.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/tasks.h"
#include "pair/pair.h"

#include <limits.h>
#include <string.h>

enum {
    NARROW_CHUNK = 64,
    NARROW_BODIES = 256,
    NARROW_NEXT = 6,    /* pairs farther on whose shapes and poses are fetched, */
    NARROW_LATER = 16,  /* and what tells whether they are tested, */
    NARROW_LARGE = 4096 /* of worlds of more objects: those of smaller ones stay in the cache */
};

static bool manifolds_grow(const cm_world *w, cm__world_manifolds *out, size_t more) {
    return cm__reserve(w->mem, (void **)&out->items, &out->capacity, out->count + more, sizeof *out->items);
}

/* Is there room for so many manifolds of a pair? If not, and no other worker runs, it is made. */
static bool manifolds_room(const cm_world *w, cm__world_manifolds *out, size_t more, cm__world_result *result) {
    if (out->capacity - out->count >= more) return true;
    if (w->workers == 1 || w->pair_count <= NARROW_CHUNK) {
        out->failed = !manifolds_grow(w, out, more);
        return !out->failed;
    }
    result->waits = true;
    out->wanted += more;
    return false;
}

static void narrow_keep(const cm_world *w, const cm__world_pair *p, cm__world_manifolds *out,
                        cm__world_result *result) {
    result->touches = (p->state & (CM__PAIR_CONTACT | CM__PAIR_INSIDE)) != 0;
    if (!p->count || !manifolds_room(w, out, p->count, result)) return;
    memcpy(out->items + out->count, w->manifolds_before[p->buffer].items + p->first, p->count * sizeof *out->items);
    result->count = p->count;
    out->count += p->count;
}

/* The support of a posed core along n, its radius included. */
static double narrow_reach(const cm_shape *shape, const cm_pose *pose, cm__point n, double *size) {
    cm__core core;
    cm__ops(shape->kind)->core(shape, &core);
    const double w = (double)pose->rotation.w;
    const cm__point v = cm__p((double)pose->rotation.x, (double)pose->rotation.y, (double)pose->rotation.z);
    const double twice = 2 / (cm__point_dot(v, v) + w * w);
    const cm__point c = cm__point_cross(v, n); /* n rotated by the inverse of q: n + 2 (v x (v x n) - w v x n) / q.q */
    const cm__point own = cm__point_mul_add(n, twice, cm__point_mul_add(cm__point_cross(v, c), -w, c));
    uint32_t id = 0;
    cm__point p = core.ops->support(&core, own, &id);
    *size += core.size + core.radius + cm__point_largest(core.center);
    return cm__point_dot(own, p) + core.radius;
}

/* The separation along the direction kept from before, less the margin and all rounding; <= 0: it does not separate
 * them. */
static double narrow_still_apart(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                 cm_vec3 apart, cm_real margin) {
    cm__point n = cm__point_of(apart);
    cm__point between = cm__point_sub(cm__point_of(pose_b->position), cm__point_of(pose_a->position));
    double size = cm__point_largest(between) + (double)margin;
    double reach = narrow_reach(a, pose_a, n, &size) + narrow_reach(b, pose_b, cm__p(-n.x, -n.y, -n.z), &size);
    return cm__point_dot(n, between) - reach - ((double)margin + 64 * (double)CM_REAL_EPSILON * size);
}

/* Finds a separating direction, and the separation along it, as above. */
static double narrow_find_apart(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                cm_real margin, cm_vec3 *apart) {
    cm_witness witness;
    cm_real gap = cm__distance_valid(a, pose_a, b, pose_b, CM_COORD_MAX, NULL, &witness);
    *apart = cm_v(0, 0, 0);
    if (!(gap > 0 && gap < CM_COORD_MAX)) return 0;
    *apart = witness.normal;
    cm_real size = cm_largest(cm_sub(witness.point_a, pose_a->position)) +
                   cm_largest(cm_sub(witness.point_b, pose_b->position)) +
                   cm_largest(cm_sub(pose_b->position, pose_a->position));
    return (double)(gap - margin - 256 * CM_REAL_EPSILON * (size + margin));
}

/* Until the two have gone this far together they stay apart. */
static void narrow_keep_until(const cm_world *w, cm__world_pair *p, double clearance) {
    const double gone = w->odometer[cm__world_slot(p->a)] + w->odometer[cm__world_slot(p->b)];
    p->until = clearance > 0 ? gone + clearance * (1 - 1e-6) - 16 * DBL_EPSILON * gone : 0;
}

bool cm__world_may_touch(cm_world *w, uint32_t a, uint32_t b) {
    uint32_t s, t;
    if (!cm__world_find(w, a, &s) || !cm__world_find(w, b, &t)) return false;
    if ((w->flags[s] | w->flags[t]) & CM__BODY_TRIGGER || cm__world_filter(w, s, t) != CM_WORLD_WHY_MEET) return false;
    return cm__world_may_meet(w, a, b);
}

typedef struct near_search {
    cm_world *w;
    const cm_aabb *box;
    uint32_t without;
    bool failed;
} near_search;

static bool near_found(void *context, uint32_t id) {
    near_search *search = context;
    cm_world *w = search->w;
    const uint32_t slot = (uint32_t)w->broad->users[id & CM__SLOT_MASK];
    cm_aabb box;
    if ((w->flags[slot] & (CM__BODY_LIVE | CM__BODY_DYING | search->without)) != CM__BODY_LIVE) return true;
    /* its box in the broad phase may be that of its last path */
    cm__world_bounds(w, slot, &w->motions[slot].start, &box);
    if (!cm_aabb_overlaps(&box, search->box)) return true;
    search->failed = !WORLD_RESERVE(w, near, w->near_count + 1);
    if (search->failed) return false;
    w->near[w->near_count++] = w->ids[slot];
    return true;
}

static int near_compare(const void *a, const void *b) {
    const uint32_t x = cm__world_slot(*(const uint32_t *)a), y = cm__world_slot(*(const uint32_t *)b);
    return x < y ? -1 : x > y;
}

cm_status cm__world_find_near(cm_world *w, const cm_aabb *box, uint32_t without) {
    near_search search = {w, box, without, false};
    w->near_count = 0;
    cm_broad_query_box(w->broad, box, 0, near_found, &search);
    if (search.failed) return CM_NO_MEMORY;
    cm__sort(w->near, w->near_count, sizeof *w->near, near_compare);
    return CM_OK;
}

static bool narrow_is_convex(const cm_shape *a, const cm_shape *b) {
    bool balls = shape_is_ball(a) && shape_is_ball(b); /* two spheres are as fast without */
    return !balls && cm__ops(a->kind)->core && cm__ops(b->kind)->core;
}

static void narrow_test(const cm_world *w, cm__world_pair *p, uint32_t s, uint32_t t, cm__world_manifolds *out,
                        cm__world_result *result) {
    p->until = 0;
    const cm_shape *a = &w->bodies[s].shape, *b = &w->bodies[t].shape;
    const cm_pose *pose_a = &w->motions[s].start, *pose_b = &w->motions[t].start;
    if ((w->flags[s] | w->flags[t]) & CM__BODY_TRIGGER) {
        result->touches = cm_overlap(a, pose_a, b, pose_b);
        return;
    }
    cm_real margin = cm__world_margin(w, s, t);
    if (p->state & CM__PAIR_STOPPED) margin += w->slack[s] + w->slack[t];
    const bool convex = narrow_is_convex(a, b);
    if (convex && cm_largest(p->apart) > 0) {
        double clearance = narrow_still_apart(a, pose_a, b, pose_b, p->apart, margin);
        if (!(clearance > 0)) clearance = narrow_find_apart(a, pose_a, b, pose_b, margin, &p->apart);
        narrow_keep_until(w, p, clearance);
        if (clearance > 0) return;
    }
    p->apart = cm_v(0, 0, 0);
    int count = 0, room;
    do {
        if (!manifolds_room(w, out, (size_t)count, result)) return;
        const size_t left = out->capacity - out->count;
        room = left < INT_MAX ? (int)left : INT_MAX;
        count = cm__contact_valid(a, pose_a, b, pose_b, margin, NULL, room ? out->items + out->count : NULL, room);
    } while (count > room);
    if (convex && !count) narrow_keep_until(w, p, narrow_find_apart(a, pose_a, b, pose_b, margin, &p->apart));
    result->touches = count > 0;
    result->count = (uint32_t)count;
    out->count += (size_t)count;
}

/* Have they moved so little that they are certainly still apart? */
static bool narrow_is_far(const cm_world *w, const cm__world_pair *p, uint32_t s, uint32_t t, uint32_t flags) {
    return w->odometer[s] + w->odometer[t] < p->until && !(p->state & CM__PAIR_STOPPED) && !(flags & CM__BODY_RESHAPED);
}

/* Which object's shape and pose a test of the pair `i` will read from anywhere in memory: its second one, as pairs are
 * in the order of the first; CM_NONE where it is not tested. */
static inline uint32_t narrow_next(const cm_world *w, size_t i) {
    if (i >= w->pair_count || w->slot_count < NARROW_LARGE) return CM_NONE;
    const cm__world_pair *p = &w->pairs[i];
    const uint32_t s = cm__world_slot(p->a), t = cm__world_slot(p->b);
    return narrow_is_far(w, p, s, t, (uint32_t)w->flags[s] | w->flags[t]) ? CM_NONE : t;
}

typedef enum narrow_way { NARROW_OUT, NARROW_KEPT, NARROW_FAR, NARROW_TEST } narrow_way;

/* Filtered out; as it was, since neither changed; certainly apart still; or to be tested. */
static inline narrow_way narrow_way_of(const cm_world *w, const cm__world_pair *p, uint32_t s, uint32_t t,
                                       uint32_t flags) {
    if (!(p->state & CM__PAIR_ALLOWED)) return NARROW_OUT;
    if ((p->state & CM__PAIR_TESTED) && !(flags & CM__BODY_CHANGED)) return NARROW_KEPT;
    return narrow_is_far(w, p, s, t, flags) ? NARROW_FAR : NARROW_TEST;
}

/* A pair whose result has its buffer. */
static inline void narrow_pair(cm_world *w, size_t i) {
    cm__world_pair *p = &w->pairs[i];
    cm__world_result *result = &w->results[i];
    cm__world_manifolds *out = &w->manifolds[result->buffer];
    result->touches = result->waits = false;
    result->first = (uint32_t)out->count;
    result->count = 0;
    const uint32_t s = cm__world_slot(p->a), t = cm__world_slot(p->b);
    const uint32_t flags = (uint32_t)w->flags[s] | w->flags[t];
    result->trigger = (flags & CM__BODY_TRIGGER) != 0;
    const narrow_way way = narrow_way_of(w, p, s, t, flags);
    result->tested = way == NARROW_FAR || way == NARROW_TEST;
    if (way == NARROW_OUT) p->until = 0; /* shapes may change unseen */
    if (way == NARROW_KEPT) narrow_keep(w, p, out, result);
    if (way == NARROW_TEST) narrow_test(w, p, s, t, out, result);
}

static void narrow_some(void *arg, int index, int worker) {
    cm_world *w = arg;
    cm__world_manifolds *out = &w->manifolds[worker];
    size_t first = (size_t)index * NARROW_CHUNK, last = first + NARROW_CHUNK;
    const size_t before = out->count + out->wanted;
    if (counter_get(&w->manifold_count) > w->manifold_most) return;
    for (size_t i = first; i < last && i < w->pair_count && !out->failed; i++) {
        /* a large world waits for memory most of the time; not in a function: gcc sees no effect of one */
        const uint32_t next = narrow_next(w, i + NARROW_NEXT);
        if (next != CM_NONE) {
            BITS_FETCH(&w->bodies[next].shape);
            BITS_FETCH(&w->motions[next].start);
            BITS_FETCH((const char *)&w->motions[next].start + sizeof(cm_pose) - 1); /* maybe the next line */
            BITS_FETCH(&w->margins[next]);
        }
        if (i + NARROW_LATER < w->pair_count && w->slot_count >= NARROW_LARGE) {
            const uint32_t later = cm__world_slot(w->pairs[i + NARROW_LATER].b);
            BITS_FETCH(&w->flags[later]);
            BITS_FETCH(&w->odometer[later]);
        }
        w->results[i].buffer = (uint32_t)worker;
        narrow_pair(w, i);
    }
    counter_add(&w->manifold_count, (uint32_t)(out->count + out->wanted - before));
}

/* The pairs that found no room in a worker's buffer, once there is some. Their shapes and poses are the same, so each
 * needs what it wanted. Of the others' results this reads nothing but the buffer, which stays as it is. */
static void narrow_waiting(void *arg, int index, int worker) {
    cm_world *w = arg;
    (void)worker;
    if (!w->manifolds[index].wanted) return;
    for (size_t i = 0; i < w->pair_count; i++) {
        if (w->results[i].buffer == (uint32_t)index && w->results[i].waits) narrow_pair(w, i);
    }
}

/* Makes the room that was wanted, and has what waits for it tested. */
static cm_status narrow_finish(cm_world *w) {
    size_t wanted = 0;
    for (int i = 0; i < w->workers; i++) {
        cm__world_manifolds *out = &w->manifolds[i];
        if (out->failed || !manifolds_grow(w, out, out->wanted)) return CM_NO_MEMORY;
        wanted += out->wanted;
    }
    if (wanted) cm__run(w->tasks, w->workers, narrow_waiting, w);
    return CM_OK;
}

/* --- what there is for certain ----------------------------------------------------------------------------------- */

static uint32_t foresee_overlap(const cm_world *w, uint32_t s, uint32_t t) {
    return cm_overlap(&w->bodies[s].shape, &w->motions[s].start, &w->bodies[t].shape, &w->motions[t].start);
}

/* Manifolds that a pair has at least: one if it overlaps. A verdict takes a fraction of the time of a contact, and no
 * memory. */
static uint32_t foresee_manifolds(const cm_world *w, const cm__world_pair *p, uint32_t s, uint32_t t, uint32_t flags) {
    const narrow_way way = narrow_way_of(w, p, s, t, flags);
    if (way == NARROW_KEPT) return p->count;
    return way == NARROW_TEST && !(flags & CM__BODY_TRIGGER) ? foresee_overlap(w, s, t) : 0;
}

/* Does a pair that is to be swept overlap where the step begins? Each will be a hit, or noted as touching (toi.c), but
 * for those of which both are stopped by other hits at the very start, or removed by a callback. */
static uint32_t foresee_hit(const cm_world *w, const cm__world_pair *p, uint32_t s, uint32_t t, uint32_t flags) {
    if (!(p->state & CM__PAIR_ALLOWED) || (flags & CM__BODY_TRIGGER)) return 0;
    return cm__world_pair_is_fast(w, s, t, 0) ? foresee_overlap(w, s, t) : 0;
}

static inline void foresee_some(cm_world *w, int index,
                                uint32_t (*least_of)(const cm_world *w, const cm__world_pair *p, uint32_t s, uint32_t t,
                                                     uint32_t flags)) {
    size_t first = (size_t)index * NARROW_CHUNK, last = first + NARROW_CHUNK;
    uint32_t least = 0;
    if (counter_get(&w->manifold_count) > w->manifold_most) return;
    for (size_t i = first; i < last && i < w->pair_count; i++) {
        const cm__world_pair *p = &w->pairs[i];
        const uint32_t s = cm__world_slot(p->a), t = cm__world_slot(p->b);
        least += least_of(w, p, s, t, (uint32_t)w->flags[s] | w->flags[t]);
    }
    counter_add(&w->manifold_count, least);
}

static void narrow_foresee_some(void *arg, int index, int worker) {
    (void)worker;
    foresee_some(arg, index, foresee_manifolds);
}
static void narrow_foresee_swept(void *arg, int index, int worker) {
    (void)worker;
    foresee_some(arg, index, foresee_hit);
}

/* Runs over all pairs; false: there are more manifolds than the limit of bytes lets through, in whatever order they
 * were counted. */
static bool narrow_fits(cm_world *w, void (*some)(void *arg, int index, int worker)) {
    w->manifold_count = 0;
    cm__run(w->tasks, (int)((w->pair_count + NARROW_CHUNK - 1) / NARROW_CHUNK), some, w);
    return w->manifold_count <= w->manifold_most;
}

/* --- how far they have gone -------------------------------------------------------------------------------------- */

/* Bound on how far any point of the body moved between two poses: the distance of the origins, and for the farthest
 * point around it the chord 2 sin(angle / 2) <= 2 |q - q'|; a little more, since quaternions are only approximately of
 * unit length. */
static double narrow_travel(const cm_world *w, uint32_t slot, const cm_pose *from, const cm_pose *to) {
    const cm__point way = cm__point_sub(cm__point_of(to->position), cm__point_of(from->position));
    const double travel = cm__point_length(way);
    if (w->flags[slot] & CM__BODY_BALL) return travel;
    const cm_quat *q = &from->rotation, *r = &to->rotation;
    double sum = 0, difference = 0;
    const double qs[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    const double rs[4] = {(double)r->x, (double)r->y, (double)r->z, (double)r->w};
    for (int i = 0; i < 4; i++) {
        sum += (rs[i] + qs[i]) * (rs[i] + qs[i]);
        difference += (rs[i] - qs[i]) * (rs[i] - qs[i]);
    }
    const cm_aabb *local = &w->bodies[slot].local;
    const cm_vec3 far = cm_vec3_max(cm_vec3_abs(local->min), cm_vec3_abs(local->max));
    return travel + 2.5 * cm__point_length(cm__point_of(far)) * sqrt(sum < difference ? sum : difference);
}

static void narrow_count_ways(void *arg, int index, int worker) {
    cm_world *w = arg;
    (void)worker;
    uint32_t first = (uint32_t)index * NARROW_BODIES, last = first + NARROW_BODIES;
    for (uint32_t s = first; s < last && s < w->slot_count; s++) {
        if ((w->flags[s] & (CM__BODY_LIVE | CM__BODY_CHANGED)) != (CM__BODY_LIVE | CM__BODY_CHANGED)) continue;
        const cm_pose *now = &w->motions[s].start;
        const double travel = narrow_travel(w, s, &w->tested[s], now);
        if (travel > 0) w->odometer[s] = (w->odometer[s] + travel) * (1 + 8 * DBL_EPSILON); /* rounded up */
        if (!(travel <= DBL_MAX)) w->odometer[s] = DBL_MAX;
        w->tested[s] = *now;
    }
}

/* As many things of `each` bytes as fit within the limit of bytes, beside what takes `bytes`. */
static void narrow_set_most(cm_world *w, size_t bytes, size_t each) {
    const size_t room = w->desc.byte_limit;
    const size_t most = bytes < room ? (room - bytes) / each : 0;
    w->manifold_most = most < UINT32_MAX / 2 ? (uint32_t)most : UINT32_MAX / 2;
}

bool cm__world_foresee_piles(cm_world *w, size_t bytes) {
    narrow_set_most(w, bytes, CM__WORLD_MEETING_BYTES);
    return w->todo_count <= w->manifold_most || narrow_fits(w, narrow_foresee_swept);
}

cm_status cm__world_test(cm_world *w) {
    cm__run(w->tasks, (int)((w->slot_count + NARROW_BODIES - 1) / NARROW_BODIES), narrow_count_ways, w);
    for (int i = 0; i < w->workers; i++) {
        cm__world_manifolds *out = &w->manifolds[i];
        out->count = out->wanted = 0, out->failed = false;
    }
    narrow_set_most(w, w->pair_count * CM__WORLD_PAIR_BYTES + w->step_contact_count * CM__WORLD_MEETING_BYTES,
                    CM__WORLD_MANIFOLD_BYTES);
    /* Where one manifold for each pair would be too many, those that there are for certain are counted before any is
     * stored. */
    if (w->pair_count > w->manifold_most && !narrow_fits(w, narrow_foresee_some)) return CM_LIMIT;
    if (!WORLD_RESERVE(w, results, w->pair_count)) return CM_NO_MEMORY;
    return narrow_fits(w, narrow_some) ? narrow_finish(w) : CM_LIMIT;
}
