/* Clusters: what rests on or against something, and bodies that hit each other so often in a step that they were held,
 * each with all that is connected with them. The step begins with the contacts of each cluster solved together, gravity
 * and forces included (cluster_solve.c).
 *
 * What rests begins with what it touches, and what that touches, and so on: answered two by two at the end of a step, a
 * stack would sink, as what one contact is pushed by another has not to be. A contact bears where the two neither run
 * into each other nor part faster than what gravity gives in two steps, which is left to hits and to the end of the
 * step; and not where what slides only passes by the other's side (beside.c).
 *
 * Of what was held a cluster is not only what touches: a body held just above the ground is pushed into it by what lies
 * on it. It is what they may touch within the next step, as far as their velocities go, what those may, and so on. Hits
 * are answered two by two: what one takes from a velocity the next gives back, and of many bodies that lie close none
 * comes far before all have had their hits.
 *
 * Only velocities change: sweeps see to it as always that nothing passes another, and what is left over here is hit
 * there. Where nothing rests or was held nothing is done. Work: a query and the contacts near for each body of a
 * cluster, and the rounds of cluster_solve.c. */
#include "dynamics/cluster.h"
#include "base/memory.h"
#include "dynamics/beside.h"
#include "dynamics/cluster_solve.h"
#include "math/wide.h"
#include "world/world.h"

#include <string.h>

/* Points of a contact that is full are looked for again as much nearer, too; and what rests touches what is as near as
 * the way of a step at the speed of rest, and this part of its size. */
enum { CLUSTER_SOON = 64 };
#define CLUSTER_NEAR 1e-2

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* Beyond the first `known`, of which something is known already. */
bool cm__cluster_room_for_bodies(cm_dynamics *d, size_t known) {
    void *items = d->rigids;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->rigid_capacity, d->count, sizeof *d->rigids)) return false;
    d->rigids = items, d->rigid_count = d->count;
    if (known < d->rigid_count) memset(d->rigids + known, 0, (d->rigid_count - known) * sizeof *d->rigids);
    return true;
}

static bool cluster_room(cm_dynamics *d, size_t points) {
    void *items = d->parts;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->part_capacity, d->part_count + 1, sizeof *d->parts))
        return false;
    d->parts = items, items = d->points;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->point_capacity, d->point_count + points, sizeof *d->points))
        return false;
    d->points = items;
    return true;
}

static bool cluster_is_swept(const cm_dynamics *d, uint32_t id) {
    const cm_world *w = d->world;
    uint32_t slot;
    return cm__world_find(w, id, &slot) && cm__world_is_fast(w, slot, &w->motions[slot]);
}

/* A part; the targets of its points are how fast their gaps let them approach, as speeds of parting. */
static bool cluster_put(cm_dynamics *d, const cm__collision *m, uint32_t a, uint32_t b, const cm__impact *impact) {
    if (!cluster_room(d, (size_t)impact->count)) return false;
    cm__dynamics_part *part = &d->parts[d->part_count++];
    memset(part, 0, sizeof *part);
    part->a = a, part->b = b, part->response_a = m->response_a, part->response_b = m->response_b;
    part->impact = *impact;
    part->turning = cm__collision_surface(m, &part->impact);
    part->margin = cm__collision_margin(d, a, b);
    part->swept = cluster_is_swept(d, a) || cluster_is_swept(d, b);
    part->struck = d->struck, part->island = d->island_count;
    part->first = d->point_count;
    for (int k = 0; k < impact->count; k++) {
        const double depth = impact->depth[k];
        d->points[d->point_count++].rows[0].target = depth < 0 ? depth / d->dt : 0;
    }
    return true;
}

/* The box of a body, and how far its points may go in the step, where it is slow by gravity and forces alone: 0 for
 * what is no body. */
static cm_aabb cluster_box(const cm_dynamics *d, uint32_t id, double *reach) {
    const cm__dynamics_body *b = cm__body_of(d, id);
    cm_aabb box = {.min = {0, 0, 0}};
    uint32_t slot;
    *reach = 0;
    if (!cm__world_find(d->world, id, &slot)) return box;
    cm__world_bounds(d->world, slot, &d->world->motions[slot].start, &box);
    if (!b) return box;
    const double size = (double)cm_length(cm_sub(box.max, box.min)), spin = cm__point_length(b->spin);
    const cm__collision alone = {(cm_dynamics *)d, (cm__dynamics_body *)b, NULL, 0, 0, 0};
    *reach = d->struck ? d->dt * (cm__point_length(b->velocity) + (spin > 0 ? size * spin : 0)) /* of a half-space 0 */
                       : wide_min(d->dt * cm__collision_rest_speed(&alone), CLUSTER_NEAR * size);
    return box;
}

/* Of a cluster from now on, if an impulse may move it. `place`: how many are. */
static void cluster_join(cm_dynamics *d, uint32_t id, uint32_t response, size_t *count) {
    const cm__dynamics_body *b = cm__body_of(d, id);
    const size_t slot = b ? (size_t)(b - d->bodies) : 0;
    if (!b || slot >= d->rigid_count || d->rigids[slot].place) return;
    if (b->driven || b->halted || !(b->mass > 0) || !(response & (uint32_t)CM__MOVED_BY)) return;
    d->rigids[*count].island = d->island_count;
    d->rigids[(*count)++].member = (uint32_t)slot;
    d->rigids[slot].place = (uint32_t)*count;
}

/* The manifolds of two objects where they are now, up to this gap; none where one is gone. */
static int cluster_contact(cm_dynamics *d, uint32_t a, uint32_t b, double gap) {
    const cm_world *w = d->world;
    uint32_t s, t;
    if (!cm__world_find(w, a, &s) || !cm__world_find(w, b, &t)) return 0;
    return cm__dynamics_touching(d, &w->bodies[s].shape, &w->motions[s].start, &w->bodies[t].shape,
                                 &w->motions[t].start, (cm_real)gap, 0);
}

/* Two bodies as they were before the step, and what may be doubtful of their contact. */
typedef struct cluster_sides {
    cm__dynamics_body a, b;
    cm__collision m;
    cm_world_event event;
    cm__dynamics_doubt doubt;
    cm_pose pose_a, pose_b;
    double margin;
} cluster_sides;

static cm__dynamics_body *cluster_before(const cm__dynamics_body *b, cm__dynamics_body *copy) {
    if (!b) return NULL;
    *copy = *b;
    copy->velocity = b->before, copy->spin = b->spin_before;
    return copy;
}

static bool cluster_sides_of(cm_dynamics *d, const cm__collision *m, uint32_t a, uint32_t b, int found,
                             cluster_sides *out) {
    if (cm_world_get_pose(d->world, a, &out->pose_a) != CM_OK) return false;
    if (cm_world_get_pose(d->world, b, &out->pose_b) != CM_OK) return false;
    out->m = *m;
    out->m.a = cluster_before(m->a, &out->a), out->m.b = cluster_before(m->b, &out->b);
    out->event = (cm_world_event){.a = a, .b = b, .manifolds = d->manifolds, .manifold_count = found};
    out->doubt = cm__beside_doubt(d, &out->event);
    out->margin = cm__collision_margin(d, a, b);
    return true;
}

/* Does one bear the other along this normal? Not where they run into each other, which is answered when they meet, or
 * part; and not where what comes nearer passes by. */
static bool cluster_bears(cm_dynamics *d, cluster_sides *s, const cm__impact *impact) {
    const cm__rigid a = cm__collision_rigid(&s->m, s->m.a, s->m.response_a, &s->pose_a, true),
                    b = cm__collision_rigid(&s->m, s->m.b, s->m.response_b, &s->pose_b, true);
    const double approach = cm__approach(&a, &b, impact);
    if (fabs(approach) > cm__collision_rest_speed(&s->m)) return false;
    if (!(approach * d->dt > s->margin) || !cm__beside_count(d, &s->doubt, &s->event)) return true;
    return !cm__beside_pass(&s->m, &s->event, &s->doubt, &s->pose_a, &s->pose_b);
}

/* The impacts of a contact along which one bears the other, of all. */
static int cluster_bearing(cm_dynamics *d, const cm__collision *m, uint32_t a, uint32_t b, int found,
                           cm__impact impacts[CM__IMPACTS]) {
    const int count = cm__collision_impacts(d->manifolds, found, impacts);
    cluster_sides sides;
    int kept = 0;
    if (d->struck) return count;
    if (!cluster_sides_of(d, m, a, b, found, &sides)) return 0;
    for (int k = 0; k < count; k++)
        if (cluster_bears(d, &sides, &impacts[k])) impacts[kept++] = impacts[k];
    return kept;
}

/* A part for each impact; `full`: points of one may have been left out. */
static bool cluster_put_all(cm_dynamics *d, const cm__collision *m, uint32_t a, uint32_t b, const cm__impact *impacts,
                            int count) {
    for (int k = 0; k < count; k++)
        if (!cluster_put(d, m, a, b, &impacts[k])) return false;
    return true;
}

/* May points of a contact have been left out? */
static bool cluster_is_full(const cm_dynamics *d, int found, const cm__impact *impacts, int count) {
    bool full = false;
    int points = 0;
    for (int i = 0; i < found; i++) points += d->manifolds[i].count;
    for (int k = 0; k < count; k++) full |= impacts[k].count == CM__IMPACT_POINTS, points -= impacts[k].count;
    return full || points > 0;
}

/* The contacts of two objects; where one along a normal is full and points that touch may be left out for others that
 * are far apart, besides those that are met soon. The callback may take or give bodies and objects. */
static cm_status cluster_pair(cm_dynamics *d, uint32_t a, uint32_t b, double reach, size_t *count) {
    const cm_world *w = d->world;
    cm__impact impacts[CM__IMPACTS];
    if (!cm__world_may_touch(d->world, a, b)) return CM_OK;
    const int found = cluster_contact(d, a, b, reach);
    cm__collision m = {d, cm__body_of(d, a), cm__body_of(d, b), 0, 0, 0};
    const int bearing = found ? cluster_bearing(d, &m, a, b, found, impacts) : 0;
    if (!bearing) return d->starved ? CM_NO_MEMORY : CM_OK;
    const bool full = d->struck && cluster_is_full(d, found, impacts, bearing);
    cm_world_hit hit = {.a = a, .b = b, .start = CM_SWEEP_TOUCHING};
    hit.user_a = w->bodies[cm__world_slot(a)].user, hit.user_b = w->bodies[cm__world_slot(b)].user;
    hit.point = d->manifolds->points[0].point_a, hit.normal = d->manifolds->normal;
    hit.part_a = d->manifolds->part_a, hit.part_b = d->manifolds->part_b;
    cm__collision_choose(&m, &hit);
    const uint32_t both = m.response_a | m.response_b;
    if (!(both & (uint32_t)CM__MOVED_BY) || both & (CM_RESPONSE_HALT | CM_RESPONSE_VANISH)) return CM_OK;
    bool stored = cluster_put_all(d, &m, a, b, impacts, bearing);
    if (stored && full) {
        const int soon = cluster_contact(d, a, b, reach / CLUSTER_SOON);
        stored = cluster_put_all(d, &m, a, b, impacts, cluster_bearing(d, &m, a, b, soon, impacts));
    }
    if (!stored || d->starved) return CM_NO_MEMORY;
    cluster_join(d, a, m.response_a, count), cluster_join(d, b, m.response_b, count);
    return CM_OK;
}

/* All contacts of the body in this place of the queue, but those that one before it found. */
static cm_status cluster_look(cm_dynamics *d, size_t place, size_t *count) {
    const uint32_t id = d->bodies[d->rigids[place].member].id;
    double reach, other_reach;
    if (!id) return CM_OK;
    const cm_aabb box = cluster_box(d, id, &reach);
    if (!(reach <= (double)CM_COORD_MAX)) return CM_OK;
    const cm_aabb way = cm_aabb_grow(box, (cm_real)reach);
    cm_status status = cm__world_find_near(d->world, &way, 0);
    for (size_t i = 0; i < d->world->near_count && status == CM_OK; i++) {
        const uint32_t other = d->world->near[i];
        const cm__dynamics_body *b = cm__body_of(d, other);
        if (other == id) continue;
        const cm_aabb other_box = cluster_box(d, other, &other_reach);
        if (!(other_reach <= (double)CM_COORD_MAX)) continue;
        const size_t slot = b ? (size_t)(b - d->bodies) : d->rigid_count;
        if (slot < d->rigid_count && d->rigids[slot].place && d->rigids[slot].place <= place) {
            const cm_aabb other_way = cm_aabb_grow(other_box, (cm_real)other_reach);
            if (cm_aabb_overlaps(&other_way, &box)) continue;
        }
        status = id < other ? cluster_pair(d, id, other, reach + other_reach, count)
                            : cluster_pair(d, other, id, reach + other_reach, count);
    }
    return status;
}

/* From this body on, all that it touches, or may touch within the step, all that those may, and so on. */
static cm_status cluster_island(cm_dynamics *d, const cm__dynamics_body *from, size_t *count) {
    cm_status status = CM_OK;
    size_t place = *count;
    cluster_join(d, from->id, (uint32_t)CM__MOVED_BY, count);
    for (; place < *count && status == CM_OK; place++) status = cluster_look(d, place, count);
    d->island_count++;
    return status;
}

/* What was held, then what rests, with all that is connected with it, each once. */
static cm_status cluster_gather(cm_dynamics *d) {
    cm_status status = CM_OK;
    size_t count = 0;
    d->part_count = d->point_count = 0, d->island_count = 0;
    for (int struck = 1; struck >= 0; struck--) {
        d->struck = struck;
        for (size_t i = 0; i < d->rigid_count && status == CM_OK; i++) {
            const cm__dynamics_body *b = &d->bodies[i];
            if (!b->id || d->rigids[i].place || !(struck ? b->was_held : b->rested)) continue;
            status = cluster_island(d, b, &count);
        }
    }
    d->member_count = count;
    return status;
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

cm_status cm__cluster_settle(cm_dynamics *d) {
    bool any = false;
    for (size_t i = 0; i < d->count; i++) any |= d->bodies[i].was_held || d->bodies[i].rested;
    if (!any) d->kept_count = 0;
    if (!any) return CM_OK;
    if (!cm__cluster_room_for_bodies(d, 0)) return CM_NO_MEMORY;
    const cm_status status = cluster_gather(d);
    if (status != CM_OK) return status;
    return cm__cluster_solve(d) ? CM_OK : CM_NO_MEMORY;
}
