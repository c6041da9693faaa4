/* Clusters: bodies that hit each other so often in a step that they were held, and all that is connected with them:
 * what they may touch within the next step, as far as their velocities go, what those may, and so on. A cluster is not
 * only what touches: a body held just above the ground is pushed into it by what lies on it.
 *
 * Hits are answered two by two: what one takes from a velocity the next gives back, and of many bodies that lie close
 * none comes far before all have had their hits. So the step after begins with the contacts of a cluster answered all
 * together, gravity included: at every point two bodies approach no faster than closes the gap there within the step.
 * Those that touch part, so fast that they do not meet again at once although they turn (cm__turning_apart), and a
 * little more than rounds leave over: CLUSTER_OVER_LEFT of the closing speed. Friction opposes sliding. Nothing
 * bounces. Solved by projected successive over-relaxation from no impulse on, until no speed changes by more than
 * CLUSTER_STILL of the fastest, in at most CLUSTER_ROUNDS rounds; then again, with what the turning found asks for;
 * and where rounds run out with higher targets again, up to CLUSTER_MORE times. What normal impulses and friction do to
 * each other is no descent, and may go around in a circle for ever, some impulses with every round there and back:
 * where changes no longer shrink, less of them is made. Then the whole change is scaled, if need be, so that no energy
 * is gained but by the work of what is driven.
 *
 * Only velocities change: sweeps see to it as always that nothing passes another, and what is left over here is hit
 * there. Where nothing was held nothing is done. Work: a query and the contacts near for each body of
 * a cluster, and 2 + CLUSTER_MORE times CLUSTER_ROUNDS rounds of all of
 * their points at most. Based on: [Moreau88], [Mirtich96 §3]. */
#include "dynamics/cluster.h"
#include "base/memory.h"
#include "dynamics/energy.h"
#include "dynamics/collision.h"
#include "world/world.h"

#include <string.h>

enum { CLUSTER_ROUNDS = 300, CLUSTER_MORE = 3, CLUSTER_LOOK = 12 };
enum { CLUSTER_SOON = 64 };
#define CLUSTER_STILL     1e-6
#define CLUSTER_OVER_LEFT 1e-3
/* Of the change that a turn finds this is made; and CLUSTER_LESS of that after as many rounds as are looked at together
 * when the greatest change in these is more than CLUSTER_CIRCLES of that in those before. */
#define CLUSTER_RELAX   1.6
#define CLUSTER_LESS    0.7
#define CLUSTER_CIRCLES 0.98

/* --- contacts ----------------------------------------------------------------------------------------------------- */

static bool cluster_room_for_bodies(cm_dynamics *d) {
    void *items = d->rigids;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->rigid_capacity, d->count, sizeof *d->rigids)) return false;
    d->rigids = items, d->rigid_count = d->count;
    memset(d->rigids, 0, d->rigid_count * sizeof *d->rigids);
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

/* A part; the targets of its points are how fast their gaps let them approach, as speeds of parting. */
static bool cluster_put(cm_dynamics *d, const cm__collision *m, uint32_t a, uint32_t b, const cm__impact *impact) {
    if (!cluster_room(d, (size_t)impact->count)) return false;
    cm__dynamics_part *part = &d->parts[d->part_count++];
    memset(part, 0, sizeof *part);
    part->a = a, part->b = b, part->response_a = m->response_a, part->response_b = m->response_b;
    part->impact = *impact;
    part->turning = cm__collision_surface(m, &part->impact);
    part->first = d->point_count;
    for (int k = 0; k < impact->count; k++) {
        const double depth = impact->depth[k];
        d->points[d->point_count++].target = depth < 0 ? depth / d->dt : 0;
    }
    return true;
}

/* The box of a body, and how far its points may go in the step: 0 for what is no body. */
static cm_aabb cluster_box(const cm_dynamics *d, uint32_t id, double *reach) {
    const cm__dynamics_body *b = cm__body_of(d, id);
    cm_aabb box = {.min = {0, 0, 0}};
    uint32_t slot;
    *reach = 0;
    if (!b || !cm__world_find(d->world, id, &slot)) return box;
    cm__world_bounds(d->world, slot, &d->world->motions[slot].start, &box);
    const double size = (double)cm_length(cm_sub(box.max, box.min)), spin = cm__point_length(b->spin);
    *reach =
        d->dt * (cm__point_length(b->velocity) + (spin > 0 ? size * spin : 0)); /* of a half-space there is no size */
    return box;
}

/* Of a cluster from now on, if an impulse may move it. `place`: how many are. */
static void cluster_join(cm_dynamics *d, uint32_t id, uint32_t response, size_t *count) {
    const cm__dynamics_body *b = cm__body_of(d, id);
    const size_t slot = b ? (size_t)(b - d->bodies) : 0;
    if (!b || slot >= d->rigid_count || d->rigids[slot].place) return;
    if (b->driven || b->halted || !(b->mass > 0) || !(response & (uint32_t)CM__MOVED_BY)) return;
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

/* A part for each normal of the manifolds found; `full`: points of one may have been left out. */
static bool cluster_put_all(cm_dynamics *d, const cm__collision *m, uint32_t a, uint32_t b, int found, bool *full) {
    cm__impact impacts[CM__IMPACTS];
    const int count = cm__collision_impacts(d->manifolds, found, impacts);
    int points = 0;
    for (int i = 0; i < found; i++) points += d->manifolds[i].count;
    for (int k = 0; k < count; k++) {
        *full |= impacts[k].count == CM__IMPACT_POINTS;
        points -= impacts[k].count;
        if (!cluster_put(d, m, a, b, &impacts[k])) return false;
    }
    *full |= points > 0;
    return true;
}

/* The contacts of two objects; where one along a normal is full and points that touch may be left out for others that
 * are far apart, besides those that are met soon. The callback may take or give bodies and objects. */
static cm_status cluster_pair(cm_dynamics *d, uint32_t a, uint32_t b, double reach, size_t *count) {
    const cm_world *w = d->world;
    if (!cm__world_may_touch(d->world, a, b)) return CM_OK;
    const int found = cluster_contact(d, a, b, reach);
    if (!found) return CM_OK;
    cm_world_hit hit = {.a = a, .b = b, .start = CM_SWEEP_TOUCHING};
    hit.user_a = w->bodies[cm__world_slot(a)].user, hit.user_b = w->bodies[cm__world_slot(b)].user;
    hit.point = d->manifolds->points[0].point_a, hit.normal = d->manifolds->normal;
    hit.part_a = d->manifolds->part_a, hit.part_b = d->manifolds->part_b;
    cm__collision m = {d, cm__body_of(d, a), cm__body_of(d, b), 0, 0, 0};
    cm__collision_choose(&m, &hit);
    const uint32_t both = m.response_a | m.response_b;
    if (!(both & (uint32_t)CM__MOVED_BY) || both & (CM_RESPONSE_HALT | CM_RESPONSE_VANISH)) return CM_OK;
    bool full = false, stored = cluster_put_all(d, &m, a, b, found, &full);
    if (stored && full) stored = cluster_put_all(d, &m, a, b, cluster_contact(d, a, b, reach / CLUSTER_SOON), &full);
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

/* What was held, all that it may touch within the step, all that those may, and so on, each once. */
static cm_status cluster_gather(cm_dynamics *d) {
    cm_status status = CM_OK;
    size_t count = 0;
    d->part_count = d->point_count = 0;
    for (size_t i = 0; i < d->rigid_count; i++)
        if (d->bodies[i].was_held) cluster_join(d, d->bodies[i].id, (uint32_t)CM__MOVED_BY, &count);
    for (size_t i = 0; i < count && status == CM_OK; i++) status = cluster_look(d, i, &count);
    return status;
}

/* --- bodies ------------------------------------------------------------------------------------------------------- */

static bool cluster_bodies(cm_dynamics *d) {
    if (!cluster_room_for_bodies(d)) return false; /* there may be more of them now */
    for (size_t i = 0; i < d->count; i++) {
        const cm__dynamics_body *b = &d->bodies[i];
        cm__dynamics_rigid *r = &d->rigids[i];
        cm_pose pose;
        if (!b->id || cm_world_get_pose(d->world, b->id, &pose) != CM_OK) continue;
        r->now.center = cm__point_of(cm_pose_apply(&pose, b->center));
        r->now.velocity = r->velocity = b->velocity, r->now.spin = r->spin = b->spin;
        if (b->driven || b->halted || !(b->mass > 0)) continue;
        r->now.inverse_mass = 1 / b->mass;
        r->now.inverse_inertia = cm__tensor_rotated(&b->inverse_inertia, b->rotation);
    }
    return true;
}

static cm__dynamics_rigid *cluster_rigid(cm_dynamics *d, uint32_t id) {
    const cm__dynamics_body *b = cm__body_of(d, id);
    return b ? &d->rigids[b - d->bodies] : NULL;
}

/* Is it a body that this contact may push? */
static bool cluster_moves(cm_dynamics *d, uint32_t id, uint32_t response) {
    const cm__dynamics_rigid *r = cluster_rigid(d, id);
    return r && response & (uint32_t)CM__MOVED_BY && r->now.inverse_mass > 0;
}

/* A side of a contact; what it does not push, or is no body, is a copy that keeps its velocity. */
static cm__rigid *cluster_side(cm_dynamics *d, uint32_t id, uint32_t response, cm__rigid *still) {
    cm__dynamics_rigid *r = cluster_rigid(d, id);
    if (cluster_moves(d, id, response)) return &r->now;
    memset(still, 0, sizeof *still);
    if (!r) return still;
    *still = r->now;
    still->inverse_mass = 0;
    memset(&still->inverse_inertia, 0, sizeof still->inverse_inertia);
    return still;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

static void cluster_prepare(cm_dynamics *d) {
    for (size_t i = 0; i < d->part_count; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        const cm__rigid *a = cluster_side(d, part->a, part->response_a, &still_a);
        const cm__rigid *b = cluster_side(d, part->b, part->response_b, &still_b);
        const bool both = a->inverse_mass > 0 && b->inverse_mass > 0;
        for (int k = 0; k < part->impact.count; k++) {
            cm__impact_point *p = &d->points[part->first + (size_t)k];
            const cm__point at = part->impact.at[k];
            const double gap = p->target;
            const cm__point closing = cm__point_sub(cm__velocity_at(b, at), cm__velocity_at(a, at));
            cm__impact_prepare(a, b, &part->impact, k, part->turning, p);
            p->target =
                gap + cm__turning_apart(a, b, at, d->dt) + (both ? CLUSTER_OVER_LEFT * cm__point_length(closing) : 0);
        }
    }
}

static uint32_t cluster_changes(cm_dynamics *d, const cm__dynamics_part *part) {
    const cm__dynamics_rigid *a = cluster_rigid(d, part->a), *b = cluster_rigid(d, part->b);
    return (a ? a->changes : 0) + (b ? b->changes : 0);
}

/* One part's turn: the greatest change of a speed. */
static double cluster_solve_part(cm_dynamics *d, const cm__dynamics_part *part, double relax) {
    cm__rigid still_a, still_b;
    cm__rigid *a = cluster_side(d, part->a, part->response_a, &still_a);
    cm__rigid *b = cluster_side(d, part->b, part->response_b, &still_b);
    double change = 0;
    for (int k = 0; k < part->impact.count; k++) {
        cm__impact_point *p = &d->points[part->first + (size_t)k];
        const double one = cm__impact_settle(a, b, &part->impact, p, part->turning, relax);
        change = one > change ? one : change;
    }
    if (!(change > 0)) return 0;
    if (a != &still_a) cluster_rigid(d, part->a)->changes++;
    if (b != &still_b) cluster_rigid(d, part->b)->changes++;
    return change;
}

/* False: the rounds ran out. */
static bool cluster_rounds(cm_dynamics *d, double still, double *relax) {
    double most = 0, before = DBL_MAX;
    bool any = true;
    for (int round = 0; round < CLUSTER_ROUNDS && any; round++) {
        any = false;
        for (size_t i = 0; i < d->part_count; i++) {
            cm__dynamics_part *part = &d->parts[round % 2 == 0 ? i : d->part_count - 1 - i];
            if (part->rests && part->changes == cluster_changes(d, part)) continue;
            const double change = cluster_solve_part(d, part, *relax);
            part->rests = !(change > still);
            part->changes = cluster_changes(d, part);
            any |= !part->rests;
            most = change > most ? change : most;
        }
        if (round % CLUSTER_LOOK < CLUSTER_LOOK - 1) continue;
        if (most > CLUSTER_CIRCLES * before) *relax *= CLUSTER_LESS;
        before = most, most = 0;
    }
    return !any;
}

/* By how much the speed of a point falls short of its target at most. */
static double cluster_short(cm_dynamics *d) {
    double most = 0;
    for (size_t i = 0; i < d->part_count; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        const cm__rigid *a = cluster_side(d, part->a, part->response_a, &still_a);
        const cm__rigid *b = cluster_side(d, part->b, part->response_b, &still_b);
        for (int k = 0; k < part->impact.count; k++) {
            const cm__point at = part->impact.at[k];
            const cm__point v = cm__point_sub(cm__velocity_at(b, at), cm__velocity_at(a, at));
            const double missing = d->points[part->first + (size_t)k].target - cm__point_dot(v, part->impact.normal);
            most = missing > most ? missing : most;
        }
    }
    return most;
}

/* Targets are of the spins before; a blow that is answered here gives others, with which those that touch would meet
 * again at once: where these ask for more, the targets are as much higher. */
static void cluster_raise_for_spins(cm_dynamics *d) {
    for (size_t i = 0; i < d->part_count; i++) {
        cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        const cm__rigid *a = cluster_side(d, part->a, part->response_a, &still_a);
        const cm__rigid *b = cluster_side(d, part->b, part->response_b, &still_b);
        cm__rigid was_a = *a, was_b = *b;
        if (a != &still_a) was_a.spin = cluster_rigid(d, part->a)->spin;
        if (b != &still_b) was_b.spin = cluster_rigid(d, part->b)->spin;
        part->rests = false;
        for (int k = 0; k < part->impact.count; k++) {
            const cm__point at = part->impact.at[k];
            const double more = cm__turning_apart(a, b, at, d->dt) - cm__turning_apart(&was_a, &was_b, at, d->dt);
            d->points[part->first + (size_t)k].target += more > 0 ? more : 0;
        }
    }
}

/* What approaches after the last round, however slowly, and touches, hits at once, and all that lies on it is held
 * again: so where rounds ran out all targets are raised by what is missing most, and it goes on from there. */
static void cluster_solve(cm_dynamics *d) {
    double fastest = 0, relax = CLUSTER_RELAX;
    for (size_t i = 0; i < d->count; i++) {
        const double speed = cm__point_length(d->rigids[i].velocity);
        fastest = speed > fastest ? speed : fastest;
    }
    (void)cluster_rounds(d, CLUSTER_STILL * fastest, &relax); /* what is missing then is asked for below */
    cluster_raise_for_spins(d);
    for (int more = 0; !cluster_rounds(d, CLUSTER_STILL * fastest, &relax) && more < CLUSTER_MORE; more++) {
        const double missing = cluster_short(d);
        for (size_t i = 0; i < d->part_count; i++) d->parts[i].rests = false;
        for (size_t i = 0; i < d->point_count; i++) d->points[i].target += missing;
    }
}

/* --- back to the bodies ------------------------------------------------------------------------------------------- */

static bool cluster_changed(const cm_dynamics *d, size_t i) {
    return d->bodies[i].id && d->rigids[i].changes && cm__rigid_is_finite(&d->rigids[i].now);
}

/* A part of the way from the velocities before to those now. */
static cm__rigid cluster_between(const cm__dynamics_rigid *r, double part) {
    cm__rigid out = r->now;
    out.velocity = cm__point_mul_add(r->velocity, part, cm__point_sub(r->now.velocity, r->velocity));
    out.spin = cm__point_mul_add(r->spin, part, cm__point_sub(r->now.spin, r->spin));
    return out;
}

/* The work of what keeps its velocity on what it pushes: the impulses times the velocities of the points where they
 * act. */
static double cluster_work(cm_dynamics *d) {
    double sum = 0;
    for (size_t i = 0; i < d->part_count; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        const cm__rigid *a = cluster_side(d, part->a, part->response_a, &still_a);
        const cm__rigid *b = cluster_side(d, part->b, part->response_b, &still_b);
        if (a->inverse_mass > 0 && b->inverse_mass > 0) continue;
        const double side = a->inverse_mass > 0 ? -1 : 1; /* impulses are on b */
        const cm__rigid *keeps = a->inverse_mass > 0 ? b : a;
        for (int k = 0; k < part->impact.count; k++) {
            const cm__impact_point *p = &d->points[part->first + (size_t)k];
            const cm__point speed = part->turning ? cm__velocity_at(keeps, part->impact.at[k]) : keeps->velocity;
            sum += side * cm__point_dot(cm__impact_impulse(&part->impact, p), speed);
        }
    }
    return sum;
}

/* The new velocities, or as much of the way to them as gains no energy but by work: it is a parabola of the way. */
static void cluster_give_back(cm_dynamics *d) {
    const double work = cluster_work(d);
    double at[3] = {0, -work / 2, -work}, part = 1;
    for (size_t i = 0; i < d->count; i++) {
        for (int k = 0; k < 3 && cluster_changed(d, i); k++) {
            const cm__rigid to = cluster_between(&d->rigids[i], k / 2.0);
            at[k] += cm__body_energy(&d->bodies[i], to.velocity, to.spin);
        }
    }
    const double second = 2 * (at[2] + at[0] - 2 * at[1]), first = at[2] - at[0] - second;
    if (!(at[2] <= at[0])) part = first < 0 && second > 0 ? -first / second : 0;
    if (!(part > 0)) return;
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        if (!cluster_changed(d, i)) continue;
        const cm__rigid to = cluster_between(&d->rigids[i], part);
        cm__energy_gain(b, cm__body_energy(b, to.velocity, to.spin) - cm__body_energy(b, b->velocity, b->spin));
        cm__body_set_changed(d, b, &to, 0);
        b->settled = b->met = true;
    }
}

cm_status cm__cluster_settle(cm_dynamics *d) {
    bool any = false;
    for (size_t i = 0; i < d->count; i++) any |= d->bodies[i].was_held != 0;
    if (!any) return CM_OK;
    if (!cluster_room_for_bodies(d)) return CM_NO_MEMORY;
    const cm_status status = cluster_gather(d);
    if (status != CM_OK) return status;
    if (!cluster_bodies(d)) return CM_NO_MEMORY;
    cluster_prepare(d);
    cluster_solve(d);
    cluster_give_back(d);
    return CM_OK;
}
