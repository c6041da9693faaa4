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

/* Radians. What is farther off is another collision: of a body that turns by several in a step a bound for all of them
 * would be a speed of its size in a step, by which a heap throws its spinners out. */
#define TURNING_FAR 0.25

static double inverse_mass_along(const cm__rigid *m, cm__point arm, cm__point direction, bool turning) {
    if (!turning) return m->inverse_mass;
    cm__point turn = cm__point_cross(arm, direction);
    return m->inverse_mass + cm__point_dot(turn, cm__tensor_mul(&m->inverse_inertia, turn));
}

static cm__point speed_at(const cm__rigid *m, cm__point arm, bool turning) {
    return turning ? cm__point_add(m->velocity, cm__point_cross(m->spin, arm)) : m->velocity;
}

static cm__point closing_velocity(const cm__rigid *a, const cm__rigid *b, const cm__impact_point *p, bool turning) {
    return cm__point_sub(speed_at(b, p->arm_b, turning), speed_at(a, p->arm_a, turning));
}

static void push(cm__rigid *m, cm__point arm, cm__point impulse, bool turning) {
    m->velocity = cm__point_mul_add(m->velocity, m->inverse_mass, impulse);
    if (turning) m->spin = cm__point_add(m->spin, cm__tensor_mul(&m->inverse_inertia, cm__point_cross(arm, impulse)));
}

static void push_both(cm__rigid *a, cm__rigid *b, const cm__impact_point *p, cm__point impulse, bool turning) {
    push(a, p->arm_a, cm__point_scale(impulse, -1), turning);
    push(b, p->arm_b, impulse, turning);
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

void cm__impact_prepare(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact, int i, bool turning,
                        cm__impact_point *p) {
    p->arm_a = cm__point_sub(impact->at[i], a->center), p->arm_b = cm__point_sub(impact->at[i], b->center);
    cm__point n = impact->normal, v = closing_velocity(a, b, p, turning);
    choose_tangents(n, v, p->tangent);
    p->mass = inverted(inverse_mass_along(a, p->arm_a, n, turning) + inverse_mass_along(b, p->arm_b, n, turning));
    for (int k = 0; k < 2; k++)
        p->mass_along[k] = inverted(inverse_mass_along(a, p->arm_a, p->tangent[k], turning) +
                                    inverse_mass_along(b, p->arm_b, p->tangent[k], turning));
    p->target = cm__point_dot(v, n);
    p->pushed = p->along[0] = p->along[1] = p->carried[0] = p->carried[1] = 0;
}

bool cm__impact_begin(cm__rigid *a, cm__rigid *b, const cm__impact *impact, cm__impact_point *p, bool turning) {
    if (!(p->pushed > 0)) {
        p->pushed = p->along[0] = p->along[1] = 0;
        return false;
    }
    const double size = sqrt(p->along[0] * p->along[0] + p->along[1] * p->along[1]),
                 most = impact->friction * p->pushed;
    for (int k = 0; k < 2 && size > most; k++) p->along[k] *= most / size;
    push_both(a, b, p, cm__impact_impulse(impact, p), turning);
    return true;
}

double cm__impact_settle(cm__rigid *a, cm__rigid *b, const cm__impact *impact, cm__impact_point *p, bool turning,
                         double over) {
    cm__point n = impact->normal;
    double missing = p->target - cm__point_dot(closing_velocity(a, b, p, turning), n);
    double was = p->pushed, now = was + over * missing * p->mass;
    p->pushed = now > 0 ? now : 0;
    push_both(a, b, p, cm__point_scale(n, p->pushed - was), turning);
    double change = p->mass > 0 ? fabs(p->pushed - was) / p->mass : 0;
    if (!(impact->friction > 0)) return change; /* 0: what follows would change nothing */

    cm__point sliding = closing_velocity(a, b, p, turning);
    double want[2], most = impact->friction * p->pushed;
    for (int k = 0; k < 2; k++)
        want[k] = p->along[k] - (cm__point_dot(sliding, p->tangent[k]) + p->carried[k]) * p->mass_along[k];
    double size = sqrt(want[0] * want[0] + want[1] * want[1]);
    for (int k = 0; k < 2; k++) {
        double next = size > most ? want[k] * (most / size) : want[k], step = next - p->along[k];
        p->along[k] = next;
        push_both(a, b, p, cm__point_scale(p->tangent[k], step), turning);
        double changed = p->mass_along[k] > 0 ? fabs(step) / p->mass_along[k] : 0; /* else step is 0, and 0 / 0 */
        change = changed > change ? changed : change;
    }
    return change;
}

void cm__impact_push(cm__rigid *a, cm__rigid *b, const cm__impact *impact, const cm__impact_point *p, bool turning,
                     const double by[3]) {
    cm__point sum = cm__point_scale(impact->normal, by[0]);
    for (int k = 0; k < 2; k++) sum = cm__point_mul_add(sum, by[1 + k], p->tangent[k]);
    push_both(a, b, p, sum, turning);
}

void cm__impact_add(cm__rigid *a, cm__rigid *b, const cm__impact *impact, cm__impact_point *p, bool turning,
                    const double by[3]) {
    p->pushed += by[0], p->along[0] += by[1], p->along[1] += by[2];
    cm__impact_push(a, b, impact, p, turning, by);
}

cm__point cm__impact_closing(const cm__rigid *a, const cm__rigid *b, const cm__impact_point *p, bool turning) {
    return closing_velocity(a, b, p, turning);
}

cm__point cm__impact_impulse(const cm__impact *impact, const cm__impact_point *p) {
    const cm__point pushed = cm__point_scale(impact->normal, p->pushed);
    return cm__point_mul_add(cm__point_mul_add(pushed, p->along[0], p->tangent[0]), p->along[1], p->tangent[1]);
}

/* Where an impulse acts, while impulses of all points are sought. */
typedef struct impulse_place {
    const cm__impact *impact;
    cm__impact_point point;
    cm__point closing, impulse; /* the velocity before; what is to be given */
} impulse_place;

/* By how much the impulses found are to be multiplied. Scaled by s they do the work s w0 + s^2 w1, with w0 < 0 < w1, on
 * the relative motion. It must not be > 0, which friction with restitution or an early end of the rounds might cause;
 * and must be 0 where nothing is lost: for perfect restitution without friction. What the impulses change is found from
 * them alone: where they are as small as the rounding of the velocities, a difference of these would be next to
 * nothing, and its quotient anything. */
static double allowed_scale(const cm__rigid *a, const cm__rigid *b, const impulse_place *places, int count,
                            bool turning, bool lossless) {
    cm__rigid change_a = *a, change_b = *b;
    double w0 = 0, w1 = 0;
    change_a.velocity = change_a.spin = change_b.velocity = change_b.spin = cm__p(0, 0, 0);
    for (int i = 0; i < count; i++) push_both(&change_a, &change_b, &places[i].point, places[i].impulse, turning);
    for (int i = 0; i < count; i++) {
        const cm__point change = closing_velocity(&change_a, &change_b, &places[i].point, turning);
        w0 += cm__point_dot(places[i].impulse, places[i].closing);
        w1 += cm__point_dot(places[i].impulse, change) / 2;
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
        impulse_place *p = &places[i];
        p->impact = impact;
        cm__impact_prepare(a, b, impact, i, turning, &p->point);
        p->closing = closing_velocity(a, b, &p->point, turning);
        approach = -p->point.target > approach ? -p->point.target : approach;
    }
    const double e = approach > impact->rest_speed ? impact->restitution : 0;
    for (int i = 0; i < impact->count; i++) {
        places[i].point.target *= -e;
        /* in no time nothing turns: 0 would be added */
        if (impact->seconds > 0)
            places[i].point.target += cm__turning_apart(a, b, impact->at[i], impact->normal, impact->seconds);
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
        const double speed = cm__point_length(places[i].closing);
        fastest = speed > fastest ? speed : fastest;
    }
    for (int round = 0; round < 200; round++) {
        double change = 0;
        for (int i = 0; i < all; i++) {
            double one = cm__impact_settle(a, b, places[i].impact, &places[i].point, turning, 1);
            change = one > change ? one : change;
        }
        if (!(change > 1e-14 * fastest)) break;
    }
    for (int i = 0; i < all; i++) places[i].impulse = cm__impact_impulse(places[i].impact, &places[i].point);
    double scale = impacts->seconds > 0 ? 1 : allowed_scale(a, b, places, all, turning, lossless);
    *a = start_a, *b = start_b;
    for (int i = 0; i < all; i++) {
        push_both(a, b, &places[i].point, cm__point_scale(places[i].impulse, scale), turning);
        sum += scale * places[i].point.pushed;
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
