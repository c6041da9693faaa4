/* The impulses that bear what rests (cluster.c).
 *
 * They are sought by rounds of projected Gauss-Seidel. What bears a stack bends like a beam: rounds alone would take as
 * many as the fourth power of its height. So there are two ways on between them. As of a function without constraints,
 * by conjugate gradients for which what a round changed is the gradient [Silcowitz10]: they find which points carry,
 * which slide. And on what is found to carry, the normal impulses that are not 0 and the friction of points that do not
 * slide, which is a linear system: by conjugate gradients proper, until the first of them would let go or slide, where
 * the next round finds anew which do [Dostal09 §5]. They are tried after BEAR_FIRST rounds, then ever more rarely. A
 * stack of 30 takes some 200 steps of them when it is put up; without them it would sway for seconds.
 *
 * Until no speed changes by more than BEAR_EXACT of the fastest, or BEAR_ROUNDS rounds and as many steps are over: what
 * is missing then the next steps of the dynamics find. Ends with a round, so that impulses are as contacts can have
 * them. Based on: [Moreau88], [Silcowitz10], [Dostal09]. */
#include "dynamics/cluster_solve.h"
#include "dynamics/impulse.h"
#include "math/wide.h"

#include <float.h>

enum { BEAR_ROUNDS = 300, BEAR_FIRST = 4 };
#define BEAR_EXACT 1e-13
#define BEAR_WAYS  100  /* steps are no more exact than this many times as much: beyond that they follow rounding */
#define BEAR_LEAST 1e-6 /* of the greatest impulse: what carries less is as good as loose, and ends no way */
#define BEAR_FLAT                                                                                                      \
    1e-9 /* of what impulses do alone: that together they do less is rounding, and the system singular                 \
          */

static void bear_masses(const cm__impact_point *p, double out[3]) {
    out[0] = p->mass, out[1] = p->mass_along[0], out[2] = p->mass_along[1];
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

/* What a round of all parts did. */
typedef struct bear_round {
    double most;   /* the greatest change of a speed */
    double square; /* of all changes of impulses, by the energy that they are */
} bear_round;

static void bear_note(const cm__impact_point *p, double out[3]) {
    out[0] = p->pushed, out[1] = p->along[0], out[2] = p->along[1];
}

static bear_round bear_round_of(cm_dynamics *d, const cm__cluster_range *r) {
    bear_round out = {0, 0};
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__impact_point *points = &d->points[part->first];
        for (int k = 0; k < part->impact.count; k++) bear_note(&points[k], points[k].before);
        out.most = wide_max(out.most, cm__cluster_solve_part(d, part, 1));
        for (int k = 0; k < part->impact.count; k++) {
            const cm__impact_point *p = &points[k];
            double now[3], mass[3];
            bear_note(p, now), bear_masses(p, mass);
            for (int n = 0; n < 3; n++)
                if (mass[n] > 0) out.square += (now[n] - p->before[n]) * (now[n] - p->before[n]) / mass[n];
        }
    }
    return out;
}

/* Goes on by `part` of the way of the rounds before, and notes the new one. */
static void bear_go_on(cm_dynamics *d, const cm__cluster_range *r, double part) {
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *one = &d->parts[i];
        cm__rigid still_a, still_b;
        cm__rigid *a = cm__cluster_side(d, one->a, one->response_a, &still_a);
        cm__rigid *b = cm__cluster_side(d, one->b, one->response_b, &still_b);
        for (int k = 0; k < one->impact.count; k++) {
            cm__impact_point *p = &d->points[one->first + (size_t)k];
            double now[3], by[3];
            bear_note(p, now);
            for (int n = 0; n < 3; n++)
                by[n] = part > 0 ? part * p->way[n] : 0, p->way[n] = by[n] + now[n] - p->before[n];
            if (part > 0) cm__impact_add(a, b, &one->impact, p, one->turning, by);
        }
    }
}

/* --- steps on what carries ---------------------------------------------------------------------------------------- */

/* A way, along which all impulses that carry change together. */
typedef struct bear_way {
    double square; /* of what is missing, by the energy that it is */
    double most;   /* the greatest speed that is missing */
    double work;   /* what the way does along itself, */
    double apart;  /* and what it would do if no impulse changed the speed of another */
    double room;   /* the part of it after which the first impulse lets go or slides */
} bear_way;

/* A side of a contact with the velocities that it gains on the way. */
static cm__rigid *bear_side(cm_dynamics *d, uint32_t id, uint32_t response, cm__rigid *still) {
    if (cm__cluster_side(d, id, response, still) != still) return &cm__cluster_rigid(d, id)->way;
    still->velocity = still->spin = cm__p(0, 0, 0);
    return still;
}

static double bear_greatest(const cm_dynamics *d, const cm__cluster_range *r) {
    double most = 0;
    for (size_t i = r->part; i < r->part_end; i++)
        for (int k = 0; k < d->parts[i].impact.count; k++)
            most = wide_max(most, d->points[d->parts[i].first + (size_t)k].pushed);
    return most;
}

/* What carries at a point, of which `least` is as good as nothing, and the speeds that are missing there. */
static void bear_find(const cm__rigid *a, const cm__rigid *b, const cm__dynamics_part *part, double least,
                      cm__impact_point *p) {
    const cm__point v = cm__impact_closing(a, b, p, part->turning);
    const double most = part->impact.friction * p->pushed;
    p->carries = p->pushed > least;
    p->sticks = p->carries && p->along[0] * p->along[0] + p->along[1] * p->along[1] < most * most;
    p->missing[0] = p->carries ? p->target - cm__point_dot(v, part->impact.normal) : 0;
    for (int n = 0; n < 2; n++) p->missing[1 + n] = p->sticks ? -(cm__point_dot(v, p->tangent[n]) + p->carried[n]) : 0;
}

/* The way on: along the new gradient, and `keep` of the way so far. */
static void bear_turn(cm_dynamics *d, const cm__cluster_range *r, double keep) {
    for (size_t i = r->part; i < r->part_end; i++)
        for (int k = 0; k < d->parts[i].impact.count; k++) {
            cm__impact_point *p = &d->points[d->parts[i].first + (size_t)k];
            double mass[3];
            bear_masses(p, mass);
            for (int n = 0; n < 3; n++) p->way[n] = mass[n] * p->missing[n] + (keep > 0 ? keep * p->way[n] : 0);
        }
}

static void bear_measure(bear_way *w, const cm__impact_point *p) {
    double mass[3];
    bear_masses(p, mass);
    for (int n = 0; n < 3; n++) {
        w->square += mass[n] * p->missing[n] * p->missing[n];
        w->most = wide_max(w->most, fabs(p->missing[n]));
    }
}

static bear_way bear_begin(cm_dynamics *d, const cm__cluster_range *r) {
    const double least = BEAR_LEAST * bear_greatest(d, r);
    bear_way w = {.square = 0};
    for (size_t i = r->member; i < r->member_end; i++) {
        cm__dynamics_rigid *one = &d->rigids[d->rigids[i].member];
        one->way = one->now; /* but for its velocities, which each step finds */
    }
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        const cm__rigid *a = cm__cluster_side(d, part->a, part->response_a, &still_a);
        const cm__rigid *b = cm__cluster_side(d, part->b, part->response_b, &still_b);
        for (int k = 0; k < part->impact.count; k++) {
            cm__impact_point *p = &d->points[part->first + (size_t)k];
            bear_find(a, b, part, least, p);
            bear_measure(&w, p);
        }
    }
    bear_turn(d, r, 0);
    return w;
}

/* The part of the way after which a point lets go or slides. */
static double bear_room(const cm__dynamics_part *part, const cm__impact_point *p) {
    const double mu = part->impact.friction * part->impact.friction, by = p->way[0];
    const double lets_go = by < 0 ? p->pushed / -by : DBL_MAX;
    if (!p->sticks) return lets_go;
    /* where |along + s way|^2 = mu^2 (pushed + s by)^2 */
    const double a = p->way[1] * p->way[1] + p->way[2] * p->way[2] - mu * by * by,
                 b = p->along[0] * p->way[1] + p->along[1] * p->way[2] - mu * p->pushed * by,
                 c = p->along[0] * p->along[0] + p->along[1] * p->along[1] - mu * p->pushed * p->pushed;
    const double square = b * b - a * c, sum = square >= 0 ? b + sqrt(square) : 0;
    return sum > 0 ? wide_min(lets_go, -c / sum) : lets_go;
}

/* What all bodies gain on the way. */
static void bear_push(cm_dynamics *d, const cm__cluster_range *r, bear_way *w) {
    w->room = DBL_MAX;
    for (size_t i = r->member; i < r->member_end; i++) {
        cm__rigid *way = &d->rigids[d->rigids[i].member].way;
        way->velocity = way->spin = cm__p(0, 0, 0);
    }
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        cm__rigid *a = bear_side(d, part->a, part->response_a, &still_a);
        cm__rigid *b = bear_side(d, part->b, part->response_b, &still_b);
        for (int k = 0; k < part->impact.count; k++) {
            const cm__impact_point *p = &d->points[part->first + (size_t)k];
            if (!p->carries) continue;
            w->room = wide_min(w->room, bear_room(part, p));
            cm__impact_push(a, b, &part->impact, p, part->turning, p->way);
        }
    }
}

/* What all points gain on the way. */
static void bear_gain(cm_dynamics *d, const cm__cluster_range *r, bear_way *w) {
    w->work = w->apart = 0;
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        const cm__rigid *a = bear_side(d, part->a, part->response_a, &still_a);
        const cm__rigid *b = bear_side(d, part->b, part->response_b, &still_b);
        for (int k = 0; k < part->impact.count; k++) {
            cm__impact_point *p = &d->points[part->first + (size_t)k];
            const cm__point v = cm__impact_closing(a, b, p, part->turning);
            double mass[3];
            bear_masses(p, mass);
            p->gains[0] = p->carries ? cm__point_dot(v, part->impact.normal) : 0;
            for (int n = 0; n < 2; n++) p->gains[1 + n] = p->sticks ? cm__point_dot(v, p->tangent[n]) : 0;
            for (int n = 0; n < 3; n++) {
                w->work += p->way[n] * p->gains[n];
                if (mass[n] > 0) w->apart += p->way[n] * p->way[n] / mass[n];
            }
        }
    }
}

/* Goes this part of the way. */
static void bear_go(cm_dynamics *d, const cm__cluster_range *r, bear_way *w, double part) {
    w->square = w->most = 0;
    for (size_t i = r->member; i < r->member_end; i++) {
        cm__dynamics_rigid *one = &d->rigids[d->rigids[i].member];
        one->now.velocity = cm__point_mul_add(one->now.velocity, part, one->way.velocity);
        one->now.spin = cm__point_mul_add(one->now.spin, part, one->way.spin);
    }
    for (size_t i = r->part; i < r->part_end; i++)
        for (int k = 0; k < d->parts[i].impact.count; k++) {
            cm__impact_point *p = &d->points[d->parts[i].first + (size_t)k];
            p->pushed += part * p->way[0];
            for (int n = 0; n < 2; n++) p->along[n] += part * p->way[1 + n];
            for (int n = 0; n < 3; n++) p->missing[n] -= part * p->gains[n];
            bear_measure(w, p);
        }
}

/* Steps until nothing is missing or the first impulse lets go or slides, `most` at most. Gives how many. */
static int bear_steps(cm_dynamics *d, const cm__cluster_range *r, double still, int most) {
    bear_way w = bear_begin(d, r);
    int steps = 0;
    bool whole = true;
    while (steps < most && whole && w.most > still) {
        const double square = w.square;
        bear_push(d, r, &w), bear_gain(d, r, &w);
        if (!(w.work > BEAR_FLAT * w.apart)) break;
        whole = square / w.work < w.room;
        bear_go(d, r, &w, whole ? square / w.work : w.room);
        bear_turn(d, r, w.square / square);
        steps++;
    }
    return steps;
}

/* What is swept and approaches at what the rounds leave over, however slowly, is hit at once, and held after some hits:
 * it parts at twice as much. */
static void bear_part_swept(cm_dynamics *d, const cm__cluster_range *r, double still) {
    for (size_t i = r->part; i < r->part_end; i++)
        for (int k = 0; d->parts[i].swept && k < d->parts[i].impact.count; k++)
            d->points[d->parts[i].first + (size_t)k].target += 2 * still;
}

void cm__cluster_bear(cm_dynamics *d, const cm__cluster_range *r, double fastest) {
    const double still = BEAR_EXACT * fastest;
    double before = 0;
    bear_part_swept(d, r, BEAR_WAYS * still);
    int steps = BEAR_ROUNDS, next = BEAR_FIRST;
    for (int round = 0; round < BEAR_ROUNDS; round++) {
        const bear_round now = bear_round_of(d, r);
        if (!(now.most > still)) return;
        if (round + 2 >= BEAR_ROUNDS) continue;
        bear_go_on(d, r, before > 0 && now.square <= before ? now.square / before : 0);
        before = now.square;
        if (round < next || !(now.most > BEAR_WAYS * still)) continue;
        steps -= bear_steps(d, r, BEAR_WAYS * still, steps);
        next += next, before = 0;
    }
}
