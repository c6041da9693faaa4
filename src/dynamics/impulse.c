/* Impulses at the points of a contact.
 *
 * Moreau's law of impact with Coulomb friction: at every point the speeds of approach before and after, v and v', and
 * the normal impulse j satisfy j >= 0, v' + e v >= 0, and one of the two is 0; the friction impulse opposes sliding and
 * is at most mu j. Without friction the kinetic energy changes by the sum of j (v + v') / 2 = (1 - e) j v / 2: kept for
 * e = 1, never gained. Both bodies get the same impulse with opposite signs, so momentum is kept to the rounding of the
 * velocities. Solved by projected Gauss-Seidel, in the order of the points, until no speed changes by more than 1e-14
 * of the fastest, at most 200 rounds; then all impulses are scaled, if need be, so that no energy is gained, which
 * friction together with restitution otherwise may. Where points are to part (`seconds`) they are not: that speed may
 * cost energy, which the caller accounts for (energy.h). Based on: [Moreau88], [Mirtich96 §3]. */
#include "dynamics/impulse.h"
#include "math/wide.h"

#include <string.h>

/* Radians. What is farther off is another collision: of a body that turns by several in a step a bound for all of them
 * would be a speed of its size in a step, by which a heap throws its spinners out. */
#define TURNING_FAR 0.25

static cm__point speed_at(const cm__rigid *m, cm__point at, bool turning) {
    return turning ? cm__velocity_at(m, at) : m->velocity;
}

/* Two unit vectors across the normal, the first along the sliding: where there is next to none, any are as good. */
static void choose_tangents(cm__point normal, cm__point sliding, cm__point out[2]) {
    cm__point across = cm__point_mul_add(sliding, -cm__point_dot(sliding, normal), normal);
    double length = cm__point_length(across);
    if (!(length > 1e-9 * cm__point_length(sliding))) { /* straight on: any; an axis not along the normal */
        cm__point axis = fabs(normal.x) < 0.6 ? cm__p(1, 0, 0) : cm__p(0, 1, 0);
        across = cm__point_mul_add(axis, -cm__point_dot(axis, normal), normal);
        length = cm__point_length(across);
    }
    out[0] = cm__point_scale(across, 1 / length);
    out[1] = cm__point_cross(normal, out[0]);
}

static double inverted(double x) { return x > 0 ? 1 / x : 0; }

double cm__approach(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact) {
    double most = -DBL_MAX;
    for (int i = 0; i < impact->count; i++) {
        cm__point v = cm__point_sub(cm__velocity_at(b, impact->at[i]), cm__velocity_at(a, impact->at[i]));
        double speed = -cm__point_dot(v, impact->normal);
        most = speed > most ? speed : most;
    }
    return most;
}

/* Gives what an impulse of 1 along the row adds to the speed along it. */
static double row_side(const cm__rigid *m, cm__point at, cm__point along, cm__point *lever, cm__point *turn) {
    *lever = cm__point_cross(cm__point_sub(at, m->center), along);
    *turn = cm__tensor_mul(&m->inverse_inertia, *lever);
    return m->inverse_mass + cm__point_dot(*lever, *turn);
}

static void row_prepare(const cm__rigid *a, const cm__rigid *b, cm__point at, cm__point along, bool turning,
                        cm__impact_row *row) {
    memset(row, 0, sizeof *row);
    row->along = along;
    row->mass = turning ? inverted(row_side(a, at, along, &row->lever_a, &row->turn_a) +
                                   row_side(b, at, along, &row->lever_b, &row->turn_b))
                        : inverted(a->inverse_mass + b->inverse_mass);
    row->target = cm__impact_speed(a, b, row);
}

void cm__impact_prepare(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact, int i, bool turning,
                        cm__impact_point *p) {
    const cm__point at = impact->at[i], sliding = cm__point_sub(speed_at(b, at, turning), speed_at(a, at, turning));
    cm__point tangents[2];
    choose_tangents(impact->normal, sliding, tangents);
    row_prepare(a, b, at, impact->normal, turning, &p->rows[0]);
    for (int k = 0; k < 2; k++) row_prepare(a, b, at, tangents[k], turning, &p->rows[1 + k]);
    p->friction = impact->friction, p->inverse_mass_a = a->inverse_mass, p->inverse_mass_b = b->inverse_mass;
    p->carries = p->sticks = false;
}

/* All impulses of the point, times `scale`. */
static void push_all(cm__rigid *a, cm__rigid *b, const cm__impact_point *p, double scale) {
    for (int n = 0; n < CM__IMPACT_ROWS; n++) cm__impact_push(a, b, p, &p->rows[n], scale * p->rows[n].pushed);
}

bool cm__impact_begin(cm__rigid *a, cm__rigid *b, cm__impact_point *p) {
    cm__impact_row *normal = &p->rows[0], *along = &p->rows[1];
    if (!(normal->pushed > 0)) {
        normal->pushed = along[0].pushed = along[1].pushed = 0;
        return false;
    }
    const double size = sqrt(along[0].pushed * along[0].pushed + along[1].pushed * along[1].pushed),
                 most = p->friction * normal->pushed;
    for (int k = 0; k < 2 && size > most; k++) along[k].pushed *= most / size;
    push_all(a, b, p, 1);
    return true;
}

/* Gives by how much this changes a speed. */
static double row_set(cm__rigid *a, cm__rigid *b, const cm__impact_point *p, cm__impact_row *row, double impulse) {
    const double by = impulse - row->pushed;
    row->pushed = impulse;
    cm__impact_push(a, b, p, row, by);
    return row->mass > 0 ? fabs(by) / row->mass : 0; /* else `by` is 0, and 0 / 0 */
}

double cm__impact_settle(cm__rigid *a, cm__rigid *b, cm__impact_point *p, double over) {
    cm__impact_row *normal = &p->rows[0], *along = &p->rows[1];
    const double was = normal->pushed,
                 now = was + over * (normal->target - cm__impact_speed(a, b, normal)) * normal->mass;
    if (!(now > 0) && was == 0 && along[0].pushed == 0 && along[1].pushed == 0)
        return 0; /* the most of them are loose */
    double change = row_set(a, b, p, normal, now > 0 ? now : 0);
    if (!(p->friction > 0)) return change; /* 0: what follows would change nothing */
    const double most = p->friction * normal->pushed;
    double want[2];
    for (int k = 0; k < 2; k++)
        want[k] = along[k].pushed + (along[k].target - cm__impact_speed(a, b, &along[k])) * along[k].mass;
    const double size = sqrt(want[0] * want[0] + want[1] * want[1]);
    for (int k = 0; k < 2; k++) {
        const double changed = row_set(a, b, p, &along[k], size > most ? want[k] * (most / size) : want[k]);
        change = changed > change ? changed : change;
    }
    return change;
}

cm__point cm__impact_impulse(const cm__impact_point *p) {
    cm__point sum = cm__p(0, 0, 0);
    for (int n = 0; n < CM__IMPACT_ROWS; n++) sum = cm__point_mul_add(sum, p->rows[n].pushed, p->rows[n].along);
    return sum;
}

/* A point while impulses of all points are sought. */
typedef struct impulse_place {
    cm__impact_point point;
    double speeds[CM__IMPACT_ROWS]; /* before any impulse */
} impulse_place;

/* By how much the impulses found are to be multiplied. Scaled by s they do the work s w0 + s^2 w1, with w0 < 0 < w1, on
 * the relative motion. It must not be > 0, which friction with restitution or an early end of the rounds might cause;
 * and must be 0 where nothing is lost: for perfect restitution without friction. What the impulses change is found from
 * them alone: where they are as small as the rounding of the velocities, a difference of these would be next to
 * nothing, and its quotient anything. */
static double allowed_scale(const impulse_place *places, int count, bool lossless) {
    cm__rigid change_a = {.round = false}, change_b = {.round = false};
    double w0 = 0, w1 = 0;
    for (int i = 0; i < count; i++) push_all(&change_a, &change_b, &places[i].point, 1);
    for (int i = 0; i < count; i++)
        for (int n = 0; n < CM__IMPACT_ROWS; n++) {
            const cm__impact_row *row = &places[i].point.rows[n];
            w0 += row->pushed * places[i].speeds[n];
            w1 += row->pushed * cm__impact_speed(&change_a, &change_b, row) / 2;
        }
    /* either is 0 only where there are no impulses, and then both are; where the sum is 0 the quotient is 1 */
    return w1 > 0 && w0 < 0 && (lossless || w0 + w1 > 0) ? -w0 / w1 : 1;
}

/* A point at r from the center has the acceleration w x (w x r), along the normal -(w x n).(w x r), of which neither
 * factor grows while it turns; half of it times the time. So what spins about the normal or on its own axis, like a top
 * on its tip, comes no nearer. What rolls turns about its own axis, and no place of it turns to the other. */
static double turning_bend(const cm__rigid *m, cm__point at, cm__point normal, double seconds) {
    cm__point w = m->spin;
    if (m->round) w = cm__point_cross(cm__point_cross(m->axis, w), m->axis);
    const double spin = cm__point_length(w);
    const double time = spin * seconds < TURNING_FAR ? seconds : TURNING_FAR / spin;
    const cm__point across = cm__point_cross(w, normal), going = cm__point_cross(w, cm__point_sub(at, m->center));
    return cm__point_length(across) * cm__point_length(going) * time / 2;
}

double cm__turning_apart(const cm__rigid *a, const cm__rigid *b, cm__point at, cm__point normal, double seconds) {
    return turning_bend(a, at, normal, seconds) + turning_bend(b, at, normal, seconds);
}

/* The points of one impact, before any impulse; `lossless` is false afterwards where it loses energy. Gives how fast
 * they approach at most. */
static double impulse_places(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact, bool turning,
                             impulse_place *places, bool *lossless) {
    double approach = 0;
    for (int i = 0; i < impact->count; i++) {
        cm__impact_point *p = &places[i].point;
        cm__impact_prepare(a, b, impact, i, turning, p);
        for (int n = 0; n < CM__IMPACT_ROWS; n++) places[i].speeds[n] = p->rows[n].target;
        p->rows[1].target = p->rows[2].target = 0;
        approach = -p->rows[0].target > approach ? -p->rows[0].target : approach;
    }
    const double e = approach > impact->rest_speed ? impact->restitution : 0;
    for (int i = 0; i < impact->count; i++) {
        cm__impact_row *normal = &places[i].point.rows[0];
        normal->target *= -e;
        /* in no time nothing turns: 0 would be added */
        if (impact->seconds > 0)
            normal->target += cm__turning_apart(a, b, impact->at[i], impact->normal, impact->seconds);
        if (impact->ahead > 0)
            normal->target = wide_min(normal->target, places[i].speeds[0] + impact->depth[i] / impact->ahead);
    }
    if (approach > 0 && (e < 1 || impact->friction > 0)) *lossless = false;
    return approach;
}

double cm__collide(cm__rigid *a, cm__rigid *b, const cm__impact *impacts, int count, bool turning) {
    impulse_place places[CM__IMPACTS * CM__IMPACT_POINTS];
    cm__rigid start_a = *a, start_b = *b;
    double approach = 0, fastest = 0, sum = 0;
    bool lossless = true;
    int all = 0;
    for (int i = 0; i < count; i++) {
        const double speed = impulse_places(a, b, &impacts[i], turning, &places[all], &lossless);
        approach = speed > approach ? speed : approach;
        all += impacts[i].count;
    }
    if (!(approach > 0)) return 0;
    for (int i = 0; i < all; i++) {
        const double *v = places[i].speeds, speed = cm__point_length(cm__p(v[0], v[1], v[2]));
        fastest = speed > fastest ? speed : fastest;
    }
    for (int round = 0; round < 200; round++) {
        double change = 0;
        for (int i = 0; i < all; i++) {
            double one = cm__impact_settle(a, b, &places[i].point, 1);
            change = one > change ? one : change;
        }
        if (!(change > 1e-14 * fastest)) break;
    }
    const double scale = impacts->seconds > 0 ? 1 : allowed_scale(places, all, lossless);
    *a = start_a, *b = start_b;
    for (int i = 0; i < all; i++) {
        push_all(a, b, &places[i].point, scale);
        sum += scale * places[i].point.rows[0].pushed;
    }
    /* speeds or energies beyond the range of numbers; an impulse that is not finite leaves neither finite */
    if (!cm__rigid_is_finite(a) || !cm__rigid_is_finite(b)) {
        *a = start_a, *b = start_b;
        return 0;
    }
    return sum;
}

void cm__share(const cm__rigid *a, const cm__rigid *b, double depth, double *move_a, double *move_b) {
    double sum = a->inverse_mass + b->inverse_mass;
    *move_a = *move_b = 0;
    if (!(sum > 0) || !(depth > 0)) return; /* shares of 0 are 0 */
    *move_a = depth * (a->inverse_mass / sum), *move_b = depth * (b->inverse_mass / sum);
}
