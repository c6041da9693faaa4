/* The impulses that bear what rests (cluster_solve.c): of all points of a cluster together.
 *
 * They are sought by rounds of projected Gauss-Seidel, there and back. What bears a stack bends like a beam: rounds
 * alone would take as many as the fourth power of its height. So there are two ways on between them. As of a function
 * without constraints, by conjugate gradients for which what a round changed is the gradient [Silcowitz10]: they find
 * which points carry, which slide. And on what is found to carry, the normal impulses that are not 0 and the friction
 * of points that do not slide, which is a linear system: by conjugate gradients proper, until the first of them would
 * let go or slide, where the next round finds anew which do [Dostal09 §5]. They are tried after SEEK_FIRST rounds, then
 * ever more rarely. A stack of 50 takes some thousand steps of them when it is put up; without them it would sway for
 * seconds.
 *
 * What normal impulses and friction do to each other is no descent: rounds may go around in a circle for ever. They end
 * after as many as the caller allows, and SEEK_STEPS steps; and always with a round, so that impulses are as contacts
 * can have them. Based on: [Moreau88], [Silcowitz10], [Dostal09]. */
#include "dynamics/cluster_solve.h"
#include "dynamics/impulse.h"
#include "math/wide.h"

#include <float.h>

enum { SEEK_FIRST = 4, SEEK_STEPS = 2000 };
#define SEEK_LEAST 1e-6 /* of the greatest impulse: what carries less is as good as loose, and ends no way */
#define SEEK_FLAT  1e-9 /* of what impulses do alone: less of it together is rounding, and the system is singular */

/* --- rounds ------------------------------------------------------------------------------------------------------- */

/* What a round of all parts did. */
typedef struct seek_round {
    double most;   /* the greatest change of a speed */
    double square; /* of all changes of impulses, by the energy that they are */
} seek_round;

/* `back`: the last part first. */
static seek_round seek_round_of(cm_dynamics *d, const cm__cluster_range *r, bool back) {
    seek_round out = {0, 0};
    for (size_t i = r->point; i < r->point_end; i++)
        for (int n = 0; n < CM__IMPACT_ROWS; n++) d->points[i].rows[n].before = d->points[i].rows[n].pushed;
    for (size_t i = r->part; i < r->part_end; i++)
        out.most =
            wide_max(out.most, cm__cluster_solve_part(d, &d->parts[back ? r->part + r->part_end - 1 - i : i], 1));
    for (size_t i = r->point; i < r->point_end; i++)
        for (int n = 0; n < CM__IMPACT_ROWS; n++) {
            const cm__impact_row *row = &d->points[i].rows[n];
            const double change = row->pushed - row->before;
            if (row->mass > 0) out.square += change * change / row->mass;
        }
    return out;
}

/* Goes on by `part` of the way of the rounds before, and notes the new one. */
static void seek_go_on(cm_dynamics *d, const cm__cluster_range *r, double part) {
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *one = &d->parts[i];
        for (int k = 0; k < one->impact.count; k++) {
            cm__impact_point *p = &d->points[one->first + (size_t)k];
            for (int n = 0; n < CM__IMPACT_ROWS; n++) {
                cm__impact_row *row = &p->rows[n];
                const double by = part > 0 ? part * row->way : 0;
                row->way = by + row->pushed - row->before;
                if (!(part > 0)) continue;
                row->pushed += by;
                cm__impact_push(&one->on[0]->now, &one->on[1]->now, p, row, by);
            }
        }
    }
}

/* --- steps on what carries ---------------------------------------------------------------------------------------- */

/* A way, along which all impulses that carry change together. */
typedef struct seek_way {
    double square; /* of what is missing, by the energy that it is */
    double most;   /* the greatest speed that is missing */
    double work;   /* what the way does along itself, */
    double apart;  /* and what it would do if no impulse changed the speed of another */
    double room;   /* the part of it after which the first impulse lets go or slides */
} seek_way;

static double seek_greatest(const cm_dynamics *d, const cm__cluster_range *r) {
    double most = 0;
    for (size_t i = r->point; i < r->point_end; i++) most = wide_max(most, d->points[i].rows[0].pushed);
    return most;
}

/* What carries at a point, of which `least` is as good as nothing, and the speeds that are missing there. */
static void seek_find(const cm__rigid *a, const cm__rigid *b, double least, cm__impact_point *p) {
    const double pushed = p->rows[0].pushed, most = p->friction * pushed, x = p->rows[1].pushed, y = p->rows[2].pushed;
    p->carries = pushed > least;
    p->sticks = p->carries && x * x + y * y < most * most;
    for (int n = 0; n < CM__IMPACT_ROWS; n++) {
        cm__impact_row *row = &p->rows[n];
        row->missing = (n ? p->sticks : p->carries) ? row->target - cm__impact_speed(a, b, row) : 0;
    }
}

/* The way on: along the new gradient, and `keep` of the way so far. */
static void seek_turn(cm_dynamics *d, const cm__cluster_range *r, double keep) {
    for (size_t i = r->point; i < r->point_end; i++)
        for (int n = 0; n < CM__IMPACT_ROWS; n++) {
            cm__impact_row *row = &d->points[i].rows[n];
            row->way = row->mass * row->missing + (keep > 0 ? keep * row->way : 0);
        }
}

static void seek_measure(seek_way *w, const cm__impact_row *row) {
    w->square += row->mass * row->missing * row->missing;
    w->most = wide_max(w->most, fabs(row->missing));
}

static seek_way seek_begin(cm_dynamics *d, const cm__cluster_range *r) {
    const double least = SEEK_LEAST * seek_greatest(d, r);
    seek_way w = {.square = 0};
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        for (int k = 0; k < part->impact.count; k++) {
            cm__impact_point *p = &d->points[part->first + (size_t)k];
            seek_find(&part->on[0]->now, &part->on[1]->now, least, p);
            for (int n = 0; n < CM__IMPACT_ROWS; n++) seek_measure(&w, &p->rows[n]);
        }
    }
    seek_turn(d, r, 0);
    return w;
}

/* The part of the way after which a point lets go or slides. */
static double seek_room(const cm__impact_point *p) {
    const cm__impact_row *normal = &p->rows[0], *along = &p->rows[1];
    const double mu = p->friction * p->friction, by = normal->way;
    const double lets_go = by < 0 ? normal->pushed / -by : DBL_MAX;
    if (!p->sticks) return lets_go;
    /* where |along + s way|^2 = mu^2 (pushed + s by)^2 */
    double a = -mu * by * by, b = -mu * normal->pushed * by, c = -mu * normal->pushed * normal->pushed;
    for (int k = 0; k < 2; k++) {
        a += along[k].way * along[k].way, b += along[k].pushed * along[k].way;
        c += along[k].pushed * along[k].pushed;
    }
    const double square = b * b - a * c, sum = square >= 0 ? b + sqrt(square) : 0;
    return sum > 0 ? wide_min(lets_go, c < 0 ? -c / sum : 0) : lets_go; /* c > 0 is rounding */
}

/* What all bodies gain on the way. */
static void seek_push(cm_dynamics *d, const cm__cluster_range *r, seek_way *w) {
    w->room = DBL_MAX;
    for (size_t i = r->member; i < r->member_end; i++) {
        cm__rigid *way = &d->rigids[d->rigids[i].member].way;
        way->velocity = way->spin = cm__p(0, 0, 0);
    }
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        for (int k = 0; k < part->impact.count; k++) {
            const cm__impact_point *p = &d->points[part->first + (size_t)k];
            if (!p->carries) continue;
            w->room = wide_min(w->room, seek_room(p));
            for (int n = 0; n < CM__IMPACT_ROWS; n++)
                cm__impact_push(&part->on[0]->way, &part->on[1]->way, p, &p->rows[n], p->rows[n].way);
        }
    }
}

/* What all points gain on the way. */
static void seek_gain(cm_dynamics *d, const cm__cluster_range *r, seek_way *w) {
    w->work = w->apart = 0;
    for (size_t i = r->part; i < r->part_end; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        for (int k = 0; k < part->impact.count; k++) {
            cm__impact_point *p = &d->points[part->first + (size_t)k];
            for (int n = 0; n < CM__IMPACT_ROWS; n++) {
                cm__impact_row *row = &p->rows[n];
                const bool counts = n ? p->sticks : p->carries;
                row->gains = counts ? cm__impact_speed(&part->on[0]->way, &part->on[1]->way, row) : 0;
                w->work += row->way * row->gains;
                if (row->mass > 0) w->apart += row->way * row->way / row->mass;
            }
        }
    }
}

/* Goes this part of the way. */
static void seek_go(cm_dynamics *d, const cm__cluster_range *r, seek_way *w, double part) {
    w->square = w->most = 0;
    for (size_t i = r->member; i < r->member_end; i++) {
        cm__dynamics_rigid *one = &d->rigids[d->rigids[i].member];
        one->now.velocity = cm__point_mul_add(one->now.velocity, part, one->way.velocity);
        one->now.spin = cm__point_mul_add(one->now.spin, part, one->way.spin);
    }
    for (size_t i = r->point; i < r->point_end; i++)
        for (int n = 0; n < CM__IMPACT_ROWS; n++) {
            cm__impact_row *row = &d->points[i].rows[n];
            row->pushed += part * row->way;
            row->missing -= part * row->gains;
            seek_measure(w, row);
        }
}

/* Steps until nothing is missing or the first impulse lets go or slides, `most` at most. Gives how many. */
static int seek_steps(cm_dynamics *d, const cm__cluster_range *r, double still, int most) {
    seek_way w = seek_begin(d, r);
    int steps = 0;
    bool whole = true;
    while (steps < most && whole && w.most > still) {
        const double square = w.square;
        seek_push(d, r, &w), seek_gain(d, r, &w);
        if (!(w.work > SEEK_FLAT * w.apart)) break;
        whole = square / w.work < w.room;
        seek_go(d, r, &w, whole ? square / w.work : w.room);
        seek_turn(d, r, w.square / square);
        steps++;
    }
    return steps;
}

bool cm__cluster_seek(cm_dynamics *d, const cm__cluster_range *r, double still, double still_steps, int rounds) {
    double before = 0;
    int steps = SEEK_STEPS, next = SEEK_FIRST;
    for (int round = 0; round < rounds; round++) {
        const seek_round now = seek_round_of(d, r, round % 2);
        if (!(now.most > still)) return true;
        if (round + 2 >= rounds) continue;
        seek_go_on(d, r, before > 0 && now.square <= before ? now.square / before : 0);
        before = now.square;
        if (round < next || !(now.most > still_steps)) continue;
        steps -= seek_steps(d, r, still_steps, steps);
        next += next, before = 0;
    }
    return false;
}
