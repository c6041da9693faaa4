/* The energy of a step: no collision, hold or push apart gives a body more than it was given.
 *
 * A body may end a step with the kinetic energy that it had at its start, the work of gravity and of this step's force
 * on the way that it went, and what it got in collisions, no more. On free flight the integrator gives exactly that: a
 * constant acceleration on a parabola does the work that it adds to the speed. Four things do not. What is slow at a
 * contact is answered with the velocity of the step's end, before it went there. What is held does not move, though its
 * velocity was given gravity for all of the step. What hits often in a step parts faster than it came (impulse.h). And
 * PUSH_APART lifts, as going back does (collision.h). Each is made up for by what collisions lost within the same step,
 * which a body at rest on the ground needs: it loses in the contact what it gained by sinking, and is lifted by as
 * much. What is more than that is taken from the velocities, going and turning alike; where a body has given its energy
 * away before it could pay, from those of the body that has it.
 *
 * Guaranteed, for bodies that took part in a collision, a hold or a push within the step: the sum over all bodies of
 * kinetic energy less the work of gravity grows by no more than the work that driven bodies do on what they push, the
 * rounding of places, ENERGY_ROUNDING CM_REAL_EPSILON of the energies that each body passed through and of its weight
 * times its distance from the origin and its way, and by what PUSH_APART and going back lift bodies that have no speed
 * to pay for it, at most their weight times the depth of the overlap; and of a body that meets another slowly, and goes
 * up straight for the rest of the step, by its mass times twice the square of the speed that gravity gives in a step.
 * Free turning keeps the energy to about a percent (rigid.c), and to the square of a step's angle where that is small.
 * Momentum is not kept where something is taken. */
#include "dynamics/energy.h"
#include "dynamics/force.h"

#define ENERGY_ROUNDING 8
#define ENERGY_TURNS    8 /* bodies that a debt goes through at most */

double cm__body_energy(const cm__dynamics_body *b, cm__point velocity, cm__point spin) {
    const cm__tensor inertia = cm__tensor_rotated(&b->inertia, b->rotation);
    return (b->mass * cm__point_dot(velocity, velocity) + cm__point_dot(spin, cm__tensor_mul(&inertia, spin))) / 2;
}

static cm__point energy_center(const cm_dynamics *d, const cm__dynamics_body *b) {
    cm_pose pose = cm_pose_identity();
    cm_world_get_pose(d->world, b->id, &pose);
    return cm__point_of(cm_pose_apply(&pose, b->center));
}

void cm__energy_start(const cm_dynamics *d, cm__dynamics_body *b) {
    b->met = false;
    b->taken = 0, b->taker = 0;
    b->from = energy_center(d, b);
    b->allowed = b->turned_over = cm__body_energy(b, b->velocity, b->spin);
}

void cm__energy_gain(cm__dynamics_body *b, double gained) {
    if (!(fabs(gained) <= DBL_MAX)) return;
    b->allowed += gained, b->turned_over += fabs(gained);
}

static void energy_note_taker(cm__dynamics_body *from, const cm__dynamics_body *to, double gained) {
    if (from && to && gained > from->taken) from->taken = gained, from->taker = to->id;
}

void cm__energy_exchange(cm__dynamics_body *a, cm__dynamics_body *b, double gained_a, double gained_b, double inverse_a,
                         double inverse_b, double work) {
    const double lost = work - (gained_a + gained_b), sum = inverse_a + inverse_b;
    const double share = sum > 0 ? lost / sum : 0;
    if (a && inverse_a > 0) cm__energy_gain(a, gained_a + share * inverse_a), a->met = true;
    if (b && inverse_b > 0) cm__energy_gain(b, gained_b + share * inverse_b), b->met = true;
    energy_note_taker(a, b, gained_b);
    energy_note_taker(b, a, gained_a);
}

/* --- at the end of a step ----------------------------------------------------------------------------------------- */

static bool energy_counts(const cm__dynamics_body *b) { return b->id && b->met && !b->driven && b->mass > 0; }

/* What gravity and force did on its way, which it may have, too; and the rounding of all of that. */
static void energy_work(const cm_dynamics *d, cm__dynamics_body *b) {
    const cm__point center = energy_center(d, b), push = cm__body_push(d, b), way = cm__point_sub(center, b->from);
    const double weight = b->mass * cm__point_length(push), has = cm__body_energy(b, b->velocity, b->spin);
    const double far = cm__point_length(center) + cm__point_length(way);
    b->allowed += b->mass * cm__point_dot(push, way);
    b->rounding = ENERGY_ROUNDING * (double)CM_REAL_EPSILON * (has + b->turned_over + weight * far);
}

/* What a body cannot pay, as others have its energy by now, the one pays that took most at once. */
static bool energy_pass_debts(const cm_dynamics *d) {
    bool any = false;
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i], *taker = cm__body_of(d, b->taker);
        if (!energy_counts(b) || !(b->allowed < -b->rounding) || !taker || !energy_counts(taker)) continue;
        taker->allowed += b->allowed, b->allowed = 0;
        any = true;
    }
    return any;
}

void cm__energy_settle(const cm_dynamics *d) {
    for (size_t i = 0; i < d->count; i++)
        if (energy_counts(&d->bodies[i])) energy_work(d, &d->bodies[i]);
    for (int turn = 0; turn < ENERGY_TURNS && energy_pass_debts(d); turn++) {
    }
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        const double has = energy_counts(b) ? cm__body_energy(b, b->velocity, b->spin) : 0;
        if (!(has > 0) || !(has > b->allowed + b->rounding)) continue;
        const double keep = b->allowed > 0 ? sqrt(b->allowed / has) : 0;
        b->velocity = cm__point_scale(b->velocity, keep), b->spin = cm__point_scale(b->spin, keep);
    }
}
