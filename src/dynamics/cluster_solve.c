/* The contacts of clusters (cluster.c) solved together: velocities with which the bodies do not run into each other
 * within the step.
 *
 * At every point two bodies approach no faster than closes the gap there within the step; friction opposes sliding;
 * nothing bounces. Impulses are sought by projected Gauss-Seidel. What rests begins with those of the step before
 * (cluster_kept.c), and is borne (cluster_seek.c) until no speed changes by more than CLUSTER_EXACT of the fastest:
 * what is missing where rounds run out the next steps find. Where it got no deeper on the way, what bears acts evenly
 * through the step, like gravity, so that ways under friction are exact to second order; else, and in what was held,
 * all of it acts at once.
 *
 * In what was held those that touch part, so fast that they do not meet again at once although they turn
 * (cm__turning_apart), and a little more than rounds leave over: CLUSTER_OVER_LEFT of the closing speed. Successive
 * over-relaxation from no impulse on, until no speed changes by more than CLUSTER_STILL of the fastest, in at most
 * CLUSTER_ROUNDS rounds; then again, with what the turning found asks for; and where rounds run out with higher targets
 * again, up to CLUSTER_MORE times. What normal impulses and friction do to each other is no descent, and may go around
 * in a circle for ever, some impulses with every round there and back: where changes no longer shrink, less of them is
 * made.
 *
 * Then the whole change of a cluster is scaled, if need be, so that no energy is gained but by the work of what is
 * driven, and of gravity and forces on the way. Work: CLUSTER_BORNE rounds of all points at most where it rests, and
 * 2 + CLUSTER_MORE times CLUSTER_ROUNDS where it was held. Based on: [Moreau88], [Mirtich96 §3]. */
#include "dynamics/cluster_solve.h"
#include "dynamics/collision.h"
#include "dynamics/energy.h"
#include "dynamics/force.h"
#include "math/wide.h"
#include "world/world.h"

#include <string.h>

enum { CLUSTER_BORNE = 300, CLUSTER_ROUNDS = 300, CLUSTER_MORE = 3, CLUSTER_LOOK = 12 };
#define CLUSTER_EXACT     1e-13
#define CLUSTER_STEPS     100 /* steps are no more exact than this many times as much: beyond they follow rounding */
#define CLUSTER_STILL     1e-6
#define CLUSTER_OVER_LEFT 1e-3
/* Of the change that a turn finds this is made; and CLUSTER_LESS of that after as many rounds as are looked at together
 * when the greatest change in these is more than CLUSTER_CIRCLES of that in those before. */
#define CLUSTER_RELAX   1.6
#define CLUSTER_LESS    0.7
#define CLUSTER_CIRCLES 0.98

/* The next one: of those that are, the parts and members are side by side. */
static bool cluster_next(const cm_dynamics *d, uint32_t island, cm__cluster_range *r) {
    r->part = r->part_end, r->point = r->point_end, r->member = r->member_end;
    for (; r->part_end < d->part_count && d->parts[r->part_end].island == island; r->part_end++)
        r->point_end += (size_t)d->parts[r->part_end].impact.count;
    while (r->member_end < d->member_count && d->rigids[r->member_end].island == island) r->member_end++;
    r->struck = r->part < r->part_end && d->parts[r->part].struck;
    return island < d->island_count;
}

/* --- bodies ------------------------------------------------------------------------------------------------------- */

static bool cluster_bodies(cm_dynamics *d) {
    if (!cm__cluster_room_for_bodies(d, d->rigid_count)) return false; /* there may be more of them now */
    memset(&d->nobody, 0, sizeof d->nobody);
    for (size_t i = 0; i < d->count; i++) {
        const cm__dynamics_body *b = &d->bodies[i];
        cm__dynamics_rigid *r = &d->rigids[i];
        cm_pose pose;
        if (!b->id || cm_world_get_pose(d->world, b->id, &pose) != CM_OK) continue;
        r->now.center = cm__point_of(cm_pose_apply(&pose, b->center));
        r->now.velocity = r->velocity = b->velocity;
        r->now.spin = r->spin = cm__body_spin_on(d, b); /* all of the step's torque */
        if (b->driven || b->halted || !(b->mass > 0)) continue;
        r->now.inverse_mass = 1 / b->mass;
        r->now.inverse_inertia = cm__tensor_rotated(&b->inverse_inertia, b->rotation);
    }
    return true;
}

static cm__dynamics_rigid *cluster_rigid(cm_dynamics *d, uint32_t id) {
    const cm__dynamics_body *b = cm__body_of(d, id);
    return b ? &d->rigids[b - d->bodies] : &d->nobody;
}

/* A side of a part as its impulses find it: what they may not push keeps its velocity. */
static cm__rigid cluster_side(cm_dynamics *d, cm__dynamics_part *part, int side) {
    cm__dynamics_rigid *r = part->on[side] = cluster_rigid(d, side ? part->b : part->a);
    cm__rigid out = r->now;
    part->moves[side] = (side ? part->response_b : part->response_a) & (uint32_t)CM__MOVED_BY && out.inverse_mass > 0;
    if (part->moves[side]) return out;
    out.inverse_mass = 0;
    memset(&out.inverse_inertia, 0, sizeof out.inverse_inertia);
    return out;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

/* By how much the surface of what keeps its velocity is faster where a body that lies on it is carried to within the
 * step: on a turntable that would else slide outwards. */
static cm__point cluster_carries(const cm__rigid *keeps, const cm__rigid *body, double seconds) {
    return cm__point_scale(cm__point_cross(keeps->spin, cm__point_sub(body->velocity, keeps->velocity)), seconds);
}

static void cluster_prepare_point(const cm_dynamics *d, const cm__dynamics_part *part, const cm__rigid *a,
                                  const cm__rigid *b, int i) {
    cm__impact_point *p = &d->points[part->first + (size_t)i];
    const cm__point at = part->impact.at[i];
    const double gap = p->rows[0].target;
    cm__impact_prepare(a, b, &part->impact, i, part->turning, p);
    p->rows[0].target = gap, p->rows[1].target = p->rows[2].target = 0;
    if (part->struck) {
        const cm__point closing = cm__point_sub(cm__velocity_at(b, at), cm__velocity_at(a, at));
        p->rows[0].target += cm__turning_apart(a, b, at, part->impact.normal, d->dt);
        if (part->moves[0] && part->moves[1]) p->rows[0].target += CLUSTER_OVER_LEFT * cm__point_length(closing);
        return;
    }
    cm__point carried = cm__p(0, 0, 0);
    if (!part->moves[0]) carried = cm__point_sub(carried, cluster_carries(a, b, d->dt));
    if (!part->moves[1]) carried = cm__point_add(carried, cluster_carries(b, a, d->dt));
    for (int n = 1; n < CM__IMPACT_ROWS; n++) p->rows[n].target = -cm__point_dot(carried, p->rows[n].along);
}

static void cluster_prepare(cm_dynamics *d) {
    for (size_t i = 0; i < d->part_count; i++) {
        cm__dynamics_part *part = &d->parts[i];
        const cm__rigid a = cluster_side(d, part, 0), b = cluster_side(d, part, 1);
        for (int k = 0; k < part->impact.count; k++) cluster_prepare_point(d, part, &a, &b, k);
    }
}

static uint32_t cluster_changes(const cm__dynamics_part *part) { return part->on[0]->changes + part->on[1]->changes; }

void cm__cluster_note_change(const cm__dynamics_part *part) {
    for (int side = 0; side < 2; side++)
        if (part->moves[side]) part->on[side]->changes++;
}

double cm__cluster_solve_part(cm_dynamics *d, const cm__dynamics_part *part, double over) {
    cm__rigid *a = &part->on[0]->now, *b = &part->on[1]->now;
    double most = 0;
    for (int k = 0; k < part->impact.count; k++)
        most = wide_max(most, cm__impact_settle(a, b, &d->points[part->first + (size_t)k], over));
    if (most > 0) cm__cluster_note_change(part);
    return most;
}

/* --- rounds, one after the other ---------------------------------------------------------------------------------- */

/* False: the rounds ran out. */
static bool cluster_rounds(cm_dynamics *d, const cm__cluster_range *r, double still, double *relax) {
    double most = 0, before = DBL_MAX;
    bool any = true;
    for (int round = 0; round < CLUSTER_ROUNDS && any; round++) {
        any = false;
        for (size_t i = r->part; i < r->part_end; i++) {
            cm__dynamics_part *part = &d->parts[round % 2 == 0 ? i : r->part + r->part_end - 1 - i];
            if (part->rests && part->changes == cluster_changes(part)) continue;
            const double change = cm__cluster_solve_part(d, part, *relax);
            part->rests = !(change > still);
            part->changes = cluster_changes(part);
            any |= !part->rests;
            most = change > most ? change : most;
        }
        if (round % CLUSTER_LOOK < CLUSTER_LOOK - 1) continue;
        if (most > CLUSTER_CIRCLES * before) *relax *= CLUSTER_LESS;
        before = most, most = 0;
    }
    return !any;
}

/* --- what touches --------------------------------------------------------------------------------------------------- */

/* How fast two bodies part at a point, along a normal. */
static double cluster_parting(const cm__rigid *a, const cm__rigid *b, cm__point at, cm__point normal) {
    return cm__point_dot(cm__point_sub(cm__velocity_at(b, at), cm__velocity_at(a, at)), normal);
}

/* By how much the speed of a point falls short of its target at most. */
static double cluster_short(const cm_dynamics *d, const cm__cluster_range *r) {
    double most = 0;
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        for (int k = 0; k < part->impact.count; k++) {
            const double parting =
                cluster_parting(&part->on[0]->now, &part->on[1]->now, part->impact.at[k], part->impact.normal);
            const double missing = d->points[part->first + (size_t)k].rows[0].target - parting;
            most = missing > most ? missing : most;
        }
    }
    return most;
}

/* Targets are of the spins before; a blow that is answered here gives others, with which those that touch would meet
 * again at once: where these ask for more, the targets are as much higher. */
static void cluster_raise_for_spins(cm_dynamics *d, const cm__cluster_range *r) {
    for (size_t i = r->part; i < r->part_end; i++) {
        cm__dynamics_part *part = &d->parts[i];
        const cm__rigid *a = &part->on[0]->now, *b = &part->on[1]->now;
        cm__rigid was_a = *a, was_b = *b;
        was_a.spin = part->on[0]->spin, was_b.spin = part->on[1]->spin;
        part->rests = false;
        for (int k = 0; k < part->impact.count; k++) {
            const cm__point at = part->impact.at[k], n = part->impact.normal;
            const double more = cm__turning_apart(a, b, at, n, d->dt) - cm__turning_apart(&was_a, &was_b, at, n, d->dt);
            d->points[part->first + (size_t)k].rows[0].target += more > 0 ? more : 0;
        }
    }
}

/* The greatest speed of all members. */
static double cluster_fastest(const cm_dynamics *d, const cm__cluster_range *r) {
    double most = 0;
    for (size_t i = r->member; i < r->member_end; i++)
        most = wide_max(most, cm__point_length(d->rigids[d->rigids[i].member].velocity));
    return most;
}

/* What is swept and approaches at what the rounds leave over, however slowly, is hit at once, and held after some hits:
 * it parts at twice as much. */
static void cluster_part_swept(cm_dynamics *d, const cm__cluster_range *r, double still) {
    for (size_t i = r->part; i < r->part_end; i++)
        for (int k = 0; d->parts[i].swept && k < d->parts[i].impact.count; k++)
            d->points[d->parts[i].first + (size_t)k].rows[0].target += 2 * still;
}

static void cluster_bear(cm_dynamics *d, const cm__cluster_range *r) {
    const double still = CLUSTER_EXACT * cluster_fastest(d, r);
    cluster_part_swept(d, r, CLUSTER_STEPS * still);
    (void)cm__cluster_seek(d, r, still, CLUSTER_STEPS * still, CLUSTER_BORNE);
}

/* What approaches after the last round, however slowly, and touches, hits at once, and all that lies on it is held
 * again: so where rounds ran out all targets are raised by what is missing most, and it goes on from there. */
static void cluster_part(cm_dynamics *d, const cm__cluster_range *r) {
    const double still = CLUSTER_STILL * cluster_fastest(d, r);
    double relax = CLUSTER_RELAX;
    (void)cluster_rounds(d, r, still, &relax); /* what is missing then is asked for below */
    cluster_raise_for_spins(d, r);
    for (int more = 0; !cluster_rounds(d, r, still, &relax) && more < CLUSTER_MORE; more++) {
        const double missing = cluster_short(d, r);
        for (size_t i = r->part; i < r->part_end; i++) d->parts[i].rests = false;
        for (size_t i = r->point; i < r->point_end; i++) d->points[i].rows[0].target += missing;
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
static double cluster_work(cm_dynamics *d, const cm__cluster_range *r) {
    double sum = 0;
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        if (part->moves[0] && part->moves[1]) continue;
        const double side = part->moves[0] ? -1 : 1; /* impulses are on b */
        const cm__rigid *keeps = &part->on[part->moves[0]]->now, *pushed = &part->on[!part->moves[0]]->now;
        for (int k = 0; k < part->impact.count; k++) {
            const cm__point at = part->impact.at[k];
            const cm__point impulse = cm__impact_impulse(&d->points[part->first + (size_t)k]);
            cm__point speed = part->turning ? cm__velocity_at(keeps, at) : keeps->velocity;
            if (!r->struck) /* the mean of the step */
                speed = cm__point_mul_add(speed, 0.5, cluster_carries(keeps, pushed, d->dt));
            sum += side * cm__point_dot(impulse, speed);
        }
    }
    return sum;
}

static cm__rigid cluster_rigid_before(const cm_dynamics *d, uint32_t id, const cm__rigid *now) {
    const cm__dynamics_body *b = cm__body_of(d, id);
    cm__rigid out = *now;
    if (b) out.velocity = b->before, out.spin = b->spin_before;
    return out;
}

/* May what bears act evenly through the step, as gravity does? Where points that touch would get deeper on the way by
 * more than what counts as touching, it has to act at once. */
static bool cluster_is_steady(cm_dynamics *d, const cm__cluster_range *r) {
    if (r->struck) return false;
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        const cm__rigid *a = &part->on[0]->now, *b = &part->on[1]->now;
        const cm__rigid from_a = cluster_rigid_before(d, part->a, a), from_b = cluster_rigid_before(d, part->b, b);
        for (int k = 0; k < part->impact.count; k++) {
            const cm__point at = part->impact.at[k], n = part->impact.normal;
            const double was = cluster_parting(&from_a, &from_b, at, n), is = cluster_parting(a, b, at, n);
            if ((was + is) / 2 * d->dt < d->points[part->first + (size_t)k].rows[0].target * d->dt - part->margin)
                return false;
        }
    }
    return true;
}

/* What bears it, with gravity and forces, is a constant acceleration and torque through the step. */
static void cluster_bear_evenly(const cm_dynamics *d, cm__dynamics_body *b, cm__point spin) {
    const cm__tensor inertia = cm__tensor_rotated(&b->inertia, b->rotation);
    b->pull = cm__point_scale(cm__point_sub(b->velocity, b->before), 1 / d->dt);
    b->twist = cm__point_scale(cm__tensor_mul(&inertia, cm__point_sub(spin, b->spin_before)), 1 / d->dt);
}

/* The energy with these velocities, less the work of gravity and force on the way that they are for, which counts at
 * the end of the step: on the way that the body had been on in what was struck. */
static double cluster_energy(const cm_dynamics *d, const cm__dynamics_body *b, const cm__rigid *to, bool struck,
                             bool steady) {
    const double energy = cm__body_energy(b, to->velocity, to->spin);
    if (struck) return energy;
    const cm__point sum = cm__point_add(to->velocity, steady ? b->before : to->velocity);
    return energy - b->mass * cm__point_dot(cm__body_push(d, b), sum) * d->dt / 2;
}

/* The new velocities, or as much of the way to them as gains no energy but by work: it is a parabola of the way. */
static void cluster_give_back(cm_dynamics *d, const cm__cluster_range *r) {
    const double work = cluster_work(d, r);
    double at[3] = {0, -work / 2, -work}, part = 1;
    for (size_t i = r->member; i < r->member_end; i++) {
        const size_t slot = d->rigids[i].member;
        for (int k = 0; k < 3 && cluster_changed(d, slot); k++) {
            const cm__rigid to = cluster_between(&d->rigids[slot], k / 2.0);
            at[k] += cluster_energy(d, &d->bodies[slot], &to, r->struck, true);
        }
    }
    const double second = 2 * (at[2] + at[0] - 2 * at[1]), first = at[2] - at[0] - second;
    if (!(at[2] <= at[0])) part = first < 0 && second > 0 ? -first / second : 0;
    if (!(part > 0)) return;
    const bool steady = cluster_is_steady(d, r);
    for (size_t i = r->member; i < r->member_end; i++) {
        const size_t slot = d->rigids[i].member;
        cm__dynamics_body *b = &d->bodies[slot];
        if (!cluster_changed(d, slot)) continue;
        cm__rigid to = cluster_between(&d->rigids[slot], part);
        const cm__point after = to.spin;
        if (steady) to.spin = cm__point_scale(cm__point_add(b->spin_before, after), 0.5);
        cm__energy_gain(b, cluster_energy(d, b, &to, r->struck, steady) -
                               cm__body_energy(b, r->struck ? b->velocity : b->before, b->spin));
        cm__body_set_changed(d, b, &to, 0);
        b->borne = b->met = true;
        b->settled = !steady;
        if (steady) cluster_bear_evenly(d, b, after);
    }
}

bool cm__cluster_solve(cm_dynamics *d) {
    if (!cluster_bodies(d)) return false;
    cluster_prepare(d);
    cm__cluster_begin(d);
    cm__cluster_range r = {.part_end = 0};
    for (uint32_t island = 0; cluster_next(d, island, &r); island++) {
        if (r.struck)
            cluster_part(d, &r);
        else
            cluster_bear(d, &r);
        cluster_give_back(d, &r);
    }
    return cm__cluster_keep(d);
}
