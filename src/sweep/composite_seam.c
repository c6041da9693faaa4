/* Shapes without an inside (points, segments, triangles, flat boxes) that move in the seam between two children of a
 * compound: what blocks them there.
 *
 * A point that goes down exactly where two children lie flush enters neither of them: it slides along a face of each,
 * and is no deeper in them than at the start. So do a segment, a triangle or a flat box in the plane of that seam. But
 * the compound has no surface there. So, from a start in touch, the places where such a body touches a child are looked
 * at, from its first contact with that child on. Is one of them inside the compound, with some of it on every side?
 * Then the body is blocked by the surface that is nearest to the place where it was last not inside.
 *
 * A place is inside where balls around it, SEAM_DEEP G away in directions that are spread over all, and out of the
 * children that are touched, each meet the compound. So it lies about SEAM_DEEP G deep. (A groove between two children
 * that is narrower than 8 degrees counts as inside.) Times are looked at in growing steps: where a seam is left again
 * at once it may be missed. Frame: the compound's, but for the hit. Bound: SEAM_LOOKS looks and SEAM_HALVINGS halvings
 * a child, of SEAM_CONTACTS manifolds; the children and the balls around each of their points. No memory. */
#include "math/wide.h"
#include "sweep/composite.h"
#include "sweep/hit.h"

#include <string.h>

enum { SEAM_LOOKS = 24, SEAM_HALVINGS = 40, SEAM_CONTACTS = 8, SEAM_WAYS = 26 };
#define SEAM_DEEP 2.0
#define SEAM_BALL (1.0 / 16) /* its radius, as a part of how far away it is */
#define SEAM_SLIP 0.25       /* of G: no deeper than this is not deeper */

typedef enum seam_state {
    SEAM_APART,   /* the child is not touched */
    SEAM_TOUCHED, /* nowhere inside the compound */
    SEAM_INSIDE
} seam_state;

/* A body and a child of a compound, at a time. */
typedef struct seam {
    const cm__composite_sweep_state *s;
    const cm__composite_question *question;
    double deep;
    cm_pose other, whole; /* in the world */
    cm_pose other_in_whole;
    cm_vec3 at;     /* where it is inside, in the body's frame */
    cm__point open; /* the sum of the directions that lead out from the place asked for last */
} seam;

static void seam_at(seam *c, double u) {
    cm_motion_at(c->s->mo, (cm_real)u, &c->other);
    cm_motion_at(c->s->mw, (cm_real)u, &c->whole);
    c->other_in_whole = cm_pose_between(&c->whole, &c->other);
}

/* Does this direction lead out of the compound? */
static bool seam_opens(seam *c, cm__point at, cm__point way) {
    const cm_pose identity = cm_pose_identity();
    const cm__point unit = wide_normalize(way, cm__p(0, 0, 0)), off = cm__point_mul_add(at, c->deep, unit);
    const cm_shape ball = cm_make_sphere(cm__vec3_of(off), CM_REAL(SEAM_BALL * c->deep));
    if (!(cm__point_largest(unit) > 0) || cm__pair_overlap(&ball, c->s->whole, &identity)) return false;
    c->open = cm__point_add(c->open, unit);
    return true;
}

/* The sum of the directions out of all children that the body touches at this place; returns how many there are. */
static int seam_children(const seam *c, cm__point at, cm__point *out) {
    const cm__parts_ops *parts = cm__ops(c->s->whole->kind)->parts;
    const cm_real near = wide_up(SEAM_BALL * c->deep);
    int count = 0;
    cm__parts q;
    cm__part part;
    cm_aabb box;
    *out = cm__p(0, 0, 0);
    box.min = box.max = cm__vec3_of(at);
    parts->start(&q, c->s->whole, &box);
    while (parts->next(&q, near, &part)) {
        cm_manifold m;
        const cm_pose part_in_other = cm_pose_between(&c->other_in_whole, &part.pose);
        count++;
        if (cm__pair_contact(c->s->other, &part.shape, &part_in_other, near, &m, 1) == 0) continue;
        *out = cm__point_sub(*out, cm__point_of(cm_rotate(c->other_in_whole.rotation, m.normal)));
    }
    return count;
}

/* Does any direction lead out from this place? `all`: all that do are added up. */
static bool seam_is_open(seam *c, cm__point at, bool all) {
    const cm__point back = cm__point_of(cm_unrotate(c->whole.rotation, cm__vec3_of(wide_neg(c->s->depth_direction))));
    cm__point out;
    c->open = cm__p(0, 0, 0);
    if (seam_children(c, at, &out) < 2 && !all) return true;
    bool open = seam_opens(c, at, back);
    open = ((all || !open) && seam_opens(c, at, out)) || open;
    for (int i = 1; i <= SEAM_WAYS && (all || !open); i++) {
        static const double step[3] = {0, 1, -1};
        open = seam_opens(c, at, cm__p(step[i % 3], step[i / 3 % 3], step[i / 9])) || open;
    }
    return open;
}

/* Is this point of the body, given in its frame, inside? */
static bool seam_holds(seam *c, cm_vec3 point) {
    if (seam_is_open(c, cm__point_of(cm_pose_apply(&c->other_in_whole, point)), false)) return false;
    c->at = point;
    return true;
}

static seam_state seam_look(seam *c, double u) {
    cm_manifold m[SEAM_CONTACTS];
    seam_at(c, u);
    const cm__part *part = c->question->part;
    const cm_pose part_in_other = cm_pose_between(&c->other_in_whole, &part->pose);
    const cm_real near = wide_up(SEAM_BALL * c->deep);
    const int found = cm__pair_contact(c->s->other, &part->shape, &part_in_other, near, m, SEAM_CONTACTS);
    for (int i = 0; i < found && i < SEAM_CONTACTS; i++) {
        cm_vec3 middle = cm_v(0, 0, 0);
        for (int k = 0; k < m[i].count; k++) {
            if (seam_holds(c, m[i].points[k].point_a)) return SEAM_INSIDE;
            middle = cm_mul_add(middle, CM_REAL(1) / (cm_real)m[i].count, m[i].points[k].point_a);
        }
        if (m[i].count > 1 && seam_holds(c, middle)) return SEAM_INSIDE;
    }
    return found > 0 ? SEAM_TOUCHED : SEAM_APART;
}

/* The last time before `u`, when it is inside, at which it is not; at `safe` it is not. Leaves c as it is then. */
static double seam_last(seam *c, double safe, double u) {
    for (int k = 0; k < SEAM_HALVINGS; k++) {
        const double half = (double)(cm_real)(safe + (u - safe) / 2);
        if (!(half > safe && half < u)) break;
        if (seam_look(c, half) == SEAM_INSIDE)
            u = half;
        else
            safe = half;
    }
    seam_at(c, safe);
    return safe;
}

/* The surface nearest to the place that is about to be inside: of the contacts of a ball just outside, the one that is
 * approached most. *on: a point of it, in the compound's frame. */
static bool seam_surface(seam *c, double u, cm__point *on, cm_sweep_hit *hit) {
    const cm_pose identity = cm_pose_identity();
    const cm__point at = cm__point_of(cm_pose_apply(&c->other_in_whole, c->at));
    const cm__point here = cm__point_of(cm_pose_apply(&c->whole, cm__vec3_of(at)));
    cm_manifold m[SEAM_CONTACTS];
    double most = SWEEP_SLIDE;
    c->deep *= 2; /* what was just not inside is surely open */
    if (!seam_is_open(c, at, true)) return false;
    const cm__point off = cm__point_mul_add(at, 2 * c->deep, wide_normalize(c->open, c->s->depth_direction));
    const cm_shape ball = cm_make_sphere(cm__vec3_of(off), CM_REAL(4 * c->deep));
    const int found = cm__pair_contact(&ball, c->s->whole, &identity, 0, m, SEAM_CONTACTS);
    for (int i = 0; i < found && i < SEAM_CONTACTS; i++) {
        const cm_vec3 normal = cm_rotate(c->whole.rotation, m[i].normal);
        const double approach = cm__composite_approach(c->s, u, here, cm__point_of(normal));
        if (!(approach > most)) continue;
        most = approach;
        *on = cm__point_of(m[i].points[0].point_b);
        hit->normal = normal, hit->part_b = m[i].part_b;
    }
    return most > SWEEP_SLIDE;
}

/* The last time, from `from` to `until`, at which the place is not below the surface with that normal by more than
 * SEAM_SLIP G. */
static double seam_above(seam *c, double from, double until, cm__point on, cm_vec3 normal) {
    const double u = until;
    for (int k = 0; k < SEAM_HALVINGS; k++) {
        const double half = k == 0 ? u : (double)(cm_real)(from + (until - from) / 2);
        if (k > 0 && !(half > from && half < until)) break;
        seam_at(c, half);
        const cm__point n = cm__point_of(cm_unrotate(c->whole.rotation, normal));
        const cm__point at = cm__point_of(cm_pose_apply(&c->other_in_whole, c->at));
        if (!(cm__point_dot(n, cm__point_sub(at, on)) > SEAM_SLIP * c->s->band))
            from = half;
        else
            until = half;
    }
    return from;
}

bool cm__composite_slips(const cm__composite_sweep_state *s, const cm__composite_question *question, double first,
                         cm_sweep_hit *hit) {
    seam c = {.s = s, .question = question, .deep = SEAM_DEEP * s->band + 2 * s->depth};
    const double until = (double)s->limit, way = (until - first) * (cm__point_length(s->v) + s->turn);
    const double even = way * 2 / SEAM_LOOKS;
    double at = 2 * c.deep, safe = first;
    *s->work += CM__WORK_LOOKS;
    if (seam_look(&c, first) == SEAM_INSIDE) return false;
    for (int i = 1; i <= SEAM_LOOKS; i++) {
        const bool last = !(at < way);
        const double u = last ? until : first + (until - first) * (at / way);
        const seam_state state = seam_look(&c, u);
        if (state == SEAM_INSIDE) {
            cm__point on;
            memset(hit, 0, sizeof *hit);
            safe = seam_last(&c, safe, u);
            if (!seam_surface(&c, safe, &on, hit)) return false;
            hit->first = wide_down(seam_above(&c, first, safe, on, hit->normal));
            seam_at(&c, (double)hit->first);
            hit->point = cm_pose_apply(&c.other, c.at);
            hit->last = 1;
            hit->part_a = CM_NONE;
            hit->blocking = true;
            return true;
        }
        if (last || (state == SEAM_APART && !(s->turn > 0))) return false;
        safe = u;
        at += s->turn > 0 ? wide_min(3 * at, even) : 3 * at;
    }
    return false;
}

void cm__composite_outside(const cm__composite_sweep_state *s, cm_sweep_hit *hit) {
    seam c = {.s = s, .deep = SEAM_DEEP * s->band + 2 * s->depth};
    cm__point on;
    seam_at(&c, (double)hit->first);
    c.at = cm_pose_unapply(&c.other, hit->point);
    seam_surface(&c, (double)hit->first, &on, hit);
}
