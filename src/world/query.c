/* Queries of the objects where they are now. The broad phase gives candidates, front to back for rays and sweeps; the
 * shapes decide. Between updates it sees all boxes as they are, so that answers are right at any time. */
#include "world/world.h"
#include "sweep/shapes.h"

#include <string.h>

typedef struct query_context {
    const cm_world *w;
    const cm_world_query *query;
    const cm_shape *shape;
    const cm_pose *pose;
    const cm_motion *motion;
    const cm_ray *ray;
    const cm_frustum *frustum;
    uint32_t capacity, count; /* of `ids`, `rays` or `sweeps` */
    uint32_t *ids;
    cm_world_ray_hit *rays;
    cm_world_sweep_hit *sweeps;
    bool found;
    cm_real limit;
    cm_world_near near;
} query_context;

/* The slot of a candidate; false: the query does not see it. */
static bool query_sees(const query_context *q, uint32_t id, uint32_t *slot) {
    static const cm_world_query defaults;
    const cm_world *w = q->w;
    const cm_world_query *query = q->query ? q->query : &defaults;
    *slot = (uint32_t)w->broad->users[id & CM__SLOT_MASK];
    if ((w->flags[*slot] & (CM__BODY_LIVE | CM__BODY_DYING)) != CM__BODY_LIVE) return false;
    uint32_t layer = w->bodies[*slot].layer;
    if (!(query->mask ? layer & query->mask : layer)) return false;
    if ((w->flags[*slot] & CM__BODY_TRIGGER) && !query->triggers) return false;
    uint32_t own = w->ids[*slot];
    if (own == query->except) return false;
    return !query->accept || query->accept(query->user, w, own);
}

static query_context query_start(const cm_world *w, const cm_world_query *query) {
    query_context q;
    memset(&q, 0, sizeof q);
    q.w = w;
    q.query = query;
    return q;
}

/* --- rays ------------------------------------------------------------------------------------------------------ */

/* In the order of t, then of ids, which differ. */
static bool ray_before(const cm_world_ray_hit *x, const cm_world_ray_hit *y) {
    return x->hit.t != y->hit.t ? x->hit.t < y->hit.t : x->id < y->id;
}

static bool query_ray_hit(const query_context *q, uint32_t id, cm_world_ray_hit *out) {
    uint32_t slot;
    if (!query_sees(q, id, &slot)) return false;
    if (!cm_raycast(q->ray, &q->w->bodies[slot].shape, &q->w->motions[slot].start, &out->hit)) return false;
    out->id = q->w->ids[slot];
    out->user = q->w->bodies[slot].user;
    return true;
}

static cm_real query_ray_first(void *context, uint32_t id, cm_real t) {
    query_context *q = context;
    cm_world_ray_hit hit;
    (void)t;
    if (query_ray_hit(q, id, &hit) && (!q->found || ray_before(&hit, &q->rays[0]))) {
        q->found = true;
        q->rays[0] = hit;
        q->limit = hit.hit.t;
    }
    return q->limit;
}

static cm_real query_ray_any(void *context, uint32_t id, cm_real t) {
    query_context *q = context;
    cm_world_ray_hit hit;
    (void)t;
    q->found = query_ray_hit(q, id, &hit);
    return q->found ? -1 : q->limit;
}

/* Keeps the first `capacity`, in order. */
static cm_real query_ray_all(void *context, uint32_t id, cm_real t) {
    query_context *q = context;
    cm_world_ray_hit hit;
    (void)t;
    if (!query_ray_hit(q, id, &hit)) return q->limit;
    uint32_t kept = q->count < q->capacity ? q->count : q->capacity;
    q->count++;
    if (kept == q->capacity && (!kept || !ray_before(&hit, &q->rays[kept - 1]))) return q->limit;
    if (kept == q->capacity) kept--;
    for (; kept > 0 && ray_before(&hit, &q->rays[kept - 1]); kept--) q->rays[kept] = q->rays[kept - 1];
    q->rays[kept] = hit;
    return q->limit;
}

static void query_cast(query_context *q, const cm_ray *ray, cm_broad_hit fn) {
    if (!q->w || !ray || !cm_ray_is_valid(ray)) return;
    q->ray = ray;
    q->limit = ray->max < CM_REAL_MAX ? ray->max : CM_REAL_MAX;
    cm_broad_raycast(q->w->broad, ray->origin, ray->direction, q->limit, 0, fn, q);
}

bool cm_world_raycast(const cm_world *w, const cm_ray *ray, const cm_world_query *query, cm_world_ray_hit *out) {
    cm_world_ray_hit best;
    query_context q = query_start(w, query);
    q.rays = &best;
    query_cast(&q, ray, query_ray_first);
    if (q.found && out) *out = best;
    return q.found;
}

bool cm_world_raycast_any(const cm_world *w, const cm_ray *ray, const cm_world_query *query) {
    query_context q = query_start(w, query);
    query_cast(&q, ray, query_ray_any);
    return q.found;
}

uint32_t cm_world_raycast_all(const cm_world *w, const cm_ray *ray, const cm_world_query *query, cm_world_ray_hit *out,
                              uint32_t capacity) {
    query_context q = query_start(w, query);
    q.rays = out;
    q.capacity = out ? capacity : 0;
    query_cast(&q, ray, query_ray_all);
    return q.count;
}

/* --- sweeps ---------------------------------------------------------------------------------------------------- */

static bool sweep_before(const cm_world_sweep_hit *x, const cm_world_sweep_hit *y) {
    return x->hit.first != y->hit.first ? x->hit.first < y->hit.first : x->id < y->id;
}

static bool query_sweep_hit(const query_context *q, uint32_t id, cm_world_sweep_hit *out) {
    uint32_t slot;
    if (!query_sees(q, id, &slot)) return false;
    cm_motion rest;
    memset(&rest, 0, sizeof rest);
    rest.start = q->w->motions[slot].start;
    if (!cm_sweep(q->shape, q->motion, &q->w->bodies[slot].shape, &rest, &out->hit)) return false;
    if (q->query && q->query->blocking && !out->hit.blocking) return false;
    out->id = q->w->ids[slot];
    out->user = q->w->bodies[slot].user;
    return true;
}

static bool query_sweep_first(void *context, uint32_t id) {
    query_context *q = context;
    cm_world_sweep_hit hit;
    if (query_sweep_hit(q, id, &hit) && (!q->found || sweep_before(&hit, &q->sweeps[0]))) {
        q->found = true;
        q->sweeps[0] = hit;
    }
    return true;
}

/* Straight sweeps get candidates front to back: an object whose box is reached after the first hit cannot be hit before
 * it. */
static cm_real query_sweep_first_straight(void *context, uint32_t id, cm_real t) {
    query_context *q = context;
    if (q->found && t > q->sweeps[0].hit.first) return -1;
    query_sweep_first(context, id);
    return q->limit;
}

static bool query_sweep_all(void *context, uint32_t id) {
    query_context *q = context;
    cm_world_sweep_hit hit;
    if (!query_sweep_hit(q, id, &hit)) return true;
    uint32_t kept = q->count < q->capacity ? q->count : q->capacity;
    q->count++;
    if (kept == q->capacity && (!kept || !sweep_before(&hit, &q->sweeps[kept - 1]))) return true;
    if (kept == q->capacity) kept--;
    for (; kept > 0 && sweep_before(&hit, &q->sweeps[kept - 1]); kept--) q->sweeps[kept] = q->sweeps[kept - 1];
    q->sweeps[kept] = hit;
    return true;
}

/* The box of a sweep's path. A sweep may report a contact within its gap G, so the boxes are grown by that. */
static bool query_path_box(query_context *q, const cm_shape *shape, const cm_motion *motion, cm_aabb *start,
                           cm_aabb *way) {
    if (!q->w || !shape || !motion || cm_shape_check(shape, NULL) != CM_OK || !cm_pose_is_valid(&motion->start) ||
        !cm__motion_is_finite(motion))
        return false;
    q->shape = shape;
    q->motion = motion;
    cm__world_shape_path_box(shape, motion, way);
    cm_shape_bounds(shape, &motion->start, start);
    cm_real scale = cm_largest(motion->move) + cm_largest(motion->accelerate) +
                    cm_max(cm_largest(start->min), cm_largest(start->max));
    cm_real grow = 64 * CM_REAL_EPSILON * scale;
    if (grow <= CM_COORD_MAX) *start = cm_aabb_grow(*start, grow), *way = cm_aabb_grow(*way, grow);
    return true;
}

bool cm_world_sweep(const cm_world *w, const cm_shape *shape, const cm_motion *motion, const cm_world_query *query,
                    cm_world_sweep_hit *out) {
    cm_world_sweep_hit best;
    cm_aabb start, way;
    query_context q = query_start(w, query);
    if (!query_path_box(&q, shape, motion, &start, &way)) return false;
    q.sweeps = &best;
    q.limit = 1;
    /* either finds all that there is; the second, front to back, ends at the first hit */
    bool bounded = cm_vec3_is_valid(start.min) && cm_vec3_is_valid(start.max);
    if (cm_largest(motion->spin) > 0 || cm_largest(motion->accelerate) > 0 || !bounded)
        cm_broad_query_box(w->broad, &way, 0, query_sweep_first, &q);
    else
        cm_broad_sweep(w->broad, &start, motion->move, 1, 0, query_sweep_first_straight, &q);
    if (q.found && out) *out = best;
    return q.found;
}

uint32_t cm_world_sweep_all(const cm_world *w, const cm_shape *shape, const cm_motion *motion,
                            const cm_world_query *query, cm_world_sweep_hit *out, uint32_t capacity) {
    cm_aabb start, way;
    query_context q = query_start(w, query);
    if (!query_path_box(&q, shape, motion, &start, &way)) return 0;
    q.sweeps = out;
    q.capacity = out ? capacity : 0;
    cm_broad_query_box(w->broad, &way, 0, query_sweep_all, &q);
    return q.count;
}

/* --- overlap, distance ----------------------------------------------------------------------------------------- */

static void ids_sift(uint32_t *ids, uint32_t root, uint32_t count) {
    uint32_t item = ids[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && ids[child + 1] > ids[child]) child++;
        if (ids[child] <= item) break;
        ids[root] = ids[child];
        root = child;
    }
    ids[root] = item;
}

/* Keeps the lowest `capacity` ids in a heap whose top is the highest. */
static void query_keep(query_context *q, uint32_t slot) {
    uint32_t own = q->w->ids[slot], kept = q->count++;
    if (kept < q->capacity) {
        for (; kept > 0 && q->ids[(kept - 1) / 2] < own; kept = (kept - 1) / 2) q->ids[kept] = q->ids[(kept - 1) / 2];
        q->ids[kept] = own;
    } else if (q->capacity && own < q->ids[0]) {
        q->ids[0] = own;
        ids_sift(q->ids, 0, q->capacity);
    }
}

/* From the heap to ascending order. @return how many were met. */
static uint32_t query_kept(const query_context *q) {
    uint32_t kept = q->count < q->capacity ? q->count : q->capacity;
    for (uint32_t last = kept; last-- > 1;) {
        uint32_t swap = q->ids[0];
        q->ids[0] = q->ids[last];
        q->ids[last] = swap;
        ids_sift(q->ids, 0, last);
    }
    return q->count;
}

static bool query_overlaps(void *context, uint32_t id) {
    query_context *q = context;
    uint32_t slot;
    if (!query_sees(q, id, &slot)) return true;
    if (cm_overlap(q->shape, q->pose, &q->w->bodies[slot].shape, &q->w->motions[slot].start)) query_keep(q, slot);
    return true;
}

uint32_t cm_world_overlap(const cm_world *w, const cm_shape *shape, const cm_pose *pose, const cm_world_query *query,
                          uint32_t *ids, uint32_t capacity) {
    query_context q = query_start(w, query);
    if (!w || !shape || !pose || cm_shape_check(shape, NULL) != CM_OK || !cm_pose_is_valid(pose)) return 0;
    q.shape = shape;
    q.pose = pose;
    q.ids = ids;
    q.capacity = ids ? capacity : 0;
    cm_aabb box;
    cm_shape_bounds(shape, pose, &box);
    cm_broad_query_box(w->broad, &box, 0, query_overlaps, &q);
    return query_kept(&q);
}

uint32_t cm_world_overlap_point(const cm_world *w, cm_vec3 point, const cm_world_query *query, uint32_t *ids,
                                uint32_t capacity) {
    cm_shape shape = cm_make_point(cm_v(0, 0, 0));
    cm_pose pose = cm_pose_identity();
    pose.position = point;
    return cm_world_overlap(w, &shape, &pose, query, ids, capacity);
}

static bool query_frustum_sees(void *context, uint32_t id) {
    query_context *q = context;
    const cm_pose here = cm_pose_identity();
    uint32_t slot;
    if (!query_sees(q, id, &slot)) return true;
    for (int i = 0; i < 6; i++) {
        cm_shape inner = cm_make_halfspace(q->frustum->planes[i].normal, q->frustum->planes[i].d);
        if (!cm_overlap(&inner, &here, &q->w->bodies[slot].shape, &q->w->motions[slot].start)) return true;
    }
    query_keep(q, slot);
    return true;
}

uint32_t cm_world_query_frustum(const cm_world *w, const cm_frustum *frustum, const cm_world_query *query,
                                uint32_t *ids, uint32_t capacity) {
    query_context q = query_start(w, query);
    cm_vec3 normals[6];
    cm_real d[6];
    if (!w || !frustum) return 0;
    for (int i = 0; i < 6; i++) normals[i] = frustum->planes[i].normal, d[i] = frustum->planes[i].d;
    q.frustum = frustum;
    q.ids = ids;
    q.capacity = ids ? capacity : 0;
    cm_broad_query_frustum(w->broad, normals, d, 6, 0, query_frustum_sees, &q);
    return query_kept(&q);
}

static bool query_nearer(void *context, uint32_t id) {
    query_context *q = context;
    uint32_t slot;
    cm_witness witness;
    if (!query_sees(q, id, &slot)) return true;
    cm_real limit = q->limit > 0 ? q->limit : 0;
    cm_real d = cm_distance(q->shape, q->pose, &q->w->bodies[slot].shape, &q->w->motions[slot].start, limit, &witness);
    if (!(d < CM_REAL_MAX) || d > q->limit) return true; /* no object is that far: either alone would do */
    uint32_t own = q->w->ids[slot];
    if (q->found && (d > q->near.witness.distance || (d == q->near.witness.distance && own > q->near.id))) return true;
    q->found = true;
    q->limit = d;
    q->near.id = own;
    q->near.user = q->w->bodies[slot].user;
    q->near.witness = witness;
    return true;
}

/* Searches boxes of growing size around the shape: the first reaches as far as the shape is large, each next one four
 * times as far, until the nearest object found lies within the reach. A shape at the origin that has no size begins
 * with 1. From 1 / CM_COORD_MAX to 4 CM_COORD_MAX there are 51 such steps in float, 334 in double. */
cm_real cm_world_distance(const cm_world *w, const cm_shape *shape, const cm_pose *pose, cm_real max_distance,
                          const cm_world_query *query, cm_world_near *out) {
    query_context q = query_start(w, query);
    /* an invalid shape or pose is near nothing: refused here to save the search */
    if (!w || !shape || !pose || !(max_distance >= 0) || cm_shape_check(shape, NULL) != CM_OK ||
        !cm_pose_is_valid(pose))
        return CM_REAL_MAX;
    q.shape = shape;
    q.pose = pose;
    cm_aabb box;
    cm_shape_bounds(shape, pose, &box);
    cm_real scale = cm_max(cm_largest(box.min), cm_largest(box.max));
    cm_real size = cm_largest(cm_sub(box.max, box.min));
    if (!(scale <= CM_COORD_MAX)) size = scale = CM_COORD_MAX;
    cm_real reach = cm_max(size / 2, 1024 * CM_REAL_EPSILON * scale);
    if (!(reach > 1 / CM_COORD_MAX)) reach = 1;
    for (int look = 0; look < 512; look++) {
        bool last = !(reach < max_distance) || !(reach < 4 * CM_COORD_MAX);
        if (last) reach = cm_min(max_distance, 4 * CM_COORD_MAX);
        q.limit = last ? max_distance : reach;
        cm_aabb around = cm_aabb_grow(box, reach + 8 * CM_REAL_EPSILON * (scale + reach));
        cm_broad_query_box(w->broad, &around, 0, query_nearer, &q);
        if (q.found || last) break;
        reach *= 4;
    }
    if (!q.found) return CM_REAL_MAX;
    if (out) *out = q.near;
    return q.near.witness.distance;
}
