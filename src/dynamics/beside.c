/* Parts of a contact at which two bodies may only stand side by side.
 *
 * A body that slides over tiles touches the side of the next one: with the last bits of its foot, and as it has fallen
 * a little, through what it lies on, within the step. Then the two touch across their acceleration, and no deeper than
 * it can have made them. Where other parts of the same contact carry it, that is at their level too: at the edge that
 * the side has in common with the top. Of such parts a sweep of the motion to come tells whether they are passed. */
#include "dynamics/beside.h"
#include "dynamics/cluster.h"
#include "dynamics/force.h"
#include "dynamics/ground.h"
#include "math/wide.h"
#include "world/world.h"

#include <float.h>

/* Does a part touch across the acceleration of the two? */
static bool is_across(const cm__dynamics_doubt *w, const cm_manifold *part) {
    const double along = cm__point_dot(w->pull, cm__point_of(part->normal));
    return along * along <= CM__GROUND_ALONG * cm__point_dot(w->pull, w->pull);
}

/* May the two only stand side by side at this part? */
bool cm__beside_is_doubtful(const cm__dynamics_doubt *w, const cm_manifold *part) {
    if (!is_across(w, part) || !((double)part->points[0].depth < w->most)) return false;
    if (!(w->first <= w->last)) return true;
    const double size = cm__point_length(w->pull);
    for (int k = 0; k < part->count; k++) {
        const double at = cm__point_dot(w->pull, cm__point_of(part->points[k].point_a)) / size;
        if (!(at >= w->first - w->most && at <= w->last + w->most)) return false;
    }
    return true;
}

/* Which parts of a contact may only stand side by side? A body that slides over tiles touches the side of the next one:
 * with the last bits of its foot, and as it has fallen a little, through what it lies on, within the step. Then they
 * touch across their acceleration, and no deeper than it can have made them. Where other parts of the same contact
 * carry it, that is at their level too: at the edge that the side has in common with the top. */
cm__dynamics_doubt cm__beside_doubt(const cm_dynamics *d, const cm_world_event *event) {
    const cm__dynamics_body *a = cm__body_of(d, event->a), *b = cm__body_of(d, event->b);
    const cm__point pull = cm__point_sub(cm__body_push(d, a), cm__body_push(d, b)); /* were they free */
    const double size = cm__point_length(pull),
                 most = size * d->dt * d->dt + cm__collision_margin(d, event->a, event->b);
    cm__dynamics_doubt out = {.pull = pull, .most = most, .first = DBL_MAX, .last = -DBL_MAX};
    for (int i = 0; i < event->manifold_count; i++) {
        const cm_manifold *part = &event->manifolds[i];
        if (is_across(&out, part)) {
            if (!((double)part->points[0].depth < most)) out.most = -DBL_MAX;
            continue;
        }
        for (int k = 0; k < part->count; k++) {
            const double at = cm__point_dot(pull, cm__point_of(part->points[k].point_a)) / size;
            out.first = wide_min(out.first, at), out.last = wide_max(out.last, at);
        }
    }
    return out;
}

/* Where all of a contact is doubtful though one bore the other just now, as of two that fall alike and are stacked,
 * that is what it does. */
int cm__beside_count(const cm_dynamics *d, const cm__dynamics_doubt *w, const cm_world_event *event) {
    int count = 0;
    for (int i = 0; i < event->manifold_count; i++) count += cm__beside_is_doubtful(w, &event->manifolds[i]);
    return count == event->manifold_count && !(cm__point_largest(w->pull) > 0) && cm__cluster_has(d, event->a, event->b)
               ? 0
               : count;
}

/* The motion of the step to come, straight, from where it goes back to. */
static cm_motion motion_ahead(const cm_dynamics *d, const cm__dynamics_body *b, const cm_pose *pose) {
    cm_motion out = {.start = *pose};
    if (!b) return out;
    cm__way_back_from(b, &out.start);
    out.move = cm__vec3_of(cm__point_scale(b->velocity, d->dt));
    out.spin = cm__vec3_of(cm__point_scale(b->spin, d->dt));
    out.pivot = b->center;
    return out;
}

static bool goes_back(const cm__dynamics_body *b) {
    return b && (cm__point_largest(b->back) > 0 || cm__point_largest(b->turn_back) > 0);
}

/* The two as they move at the end of the step. */
typedef struct closing {
    cm__rigid a, b;
} closing;

/* The greatest speed at which points of a part approach along a normal. */
static double approach_along(const closing *c, const cm_manifold *part, cm_vec3 normal) {
    double most = -DBL_MAX;
    for (int k = 0; k < part->count; k++) {
        const cm__point at = cm__point_of(part->points[k].point_a);
        const cm__point v = cm__point_sub(cm__velocity_at(&c->a, at), cm__velocity_at(&c->b, at));
        most = wide_max(most, cm__point_dot(v, cm__point_of(normal)));
    }
    return most;
}

static bool approaches(const closing *c, const cm_world_event *event, const cm__dynamics_doubt *w) {
    for (int i = 0; i < event->manifold_count; i++) {
        const cm_manifold *part = &event->manifolds[i];
        if (cm__beside_is_doubtful(w, part) && approach_along(c, part, part->normal) > 0) return true;
    }
    return false;
}

/* The first doubtful part with this normal; NULL: none. */
static const cm_manifold *part_along(const cm_world_event *event, const cm__dynamics_doubt *w, cm_vec3 normal) {
    for (int i = 0; i < event->manifold_count; i++) {
        const cm_manifold *part = &event->manifolds[i];
        if (cm_dot(part->normal, normal) > CM_REAL(WIDE_ONE_NORMAL) && cm__beside_is_doubtful(w, part)) return part;
    }
    return NULL;
}

static cm__point velocity_of(const cm__dynamics_body *b) { return b ? b->velocity : cm__p(0, 0, 0); }

/* Against the acceleration of the two, as far as their contact is known at rest, whatever margin the world has, and as
 * what the rounds leave of speeds takes them in a step: what lies on one tile is, or sinks, as much below it, and so
 * the next may be a step of that height. But where nothing holds them, and they go on to fall, by less than they come
 * down by in a step: lifted by more, as far from the origin in float, they would pass over what is to carry them. */
static cm_vec3 lift_of(const cm__collision *m, const cm_world_event *event, const cm__dynamics_doubt *w,
                       const cm_pose *pose_a, const cm_pose *pose_b) {
    const cm_dynamics *d = m->dynamics;
    const double size = cm__point_length(w->pull), gained = size * d->dt * d->dt;
    if (!(size > 0)) return cm_v(0, 0, 0);
    const cm__point v = cm__point_sub(velocity_of(m->a), velocity_of(m->b));
    const double fall = cm__point_dot(v, w->pull) / size * d->dt;
    double lift =
        (double)cm__collision_rest_margin(d, event->a, event->b, pose_a, pose_b) + CM__SHARE_STILL * 2 * gained;
    if (fall > gained / 2) lift = wide_min(lift, fall / 2);
    return cm__vec3_of(cm__point_scale(w->pull, -lift / size));
}

/* Do they pass each other at the doubtful parts? Where what pushed through the step holds them they are not as deep
 * along a normal of the contact, and going on from there they are not stopped along one: over an edge flush with what
 * carries a body a sweep only brushes, or is stopped along the normal of the top. With a round body that is no more
 * than a few degrees from the contact's, but is approached by a small part of the speed. What neither goes back nor
 * approaches needs no sweep, as its contact does nothing. */
bool cm__beside_pass(const cm__collision *m, const cm_world_event *event, const cm__dynamics_doubt *w,
                     const cm_pose *pose_a, const cm_pose *pose_b) {
    const cm_dynamics *d = m->dynamics;
    const closing speeds = {cm__collision_rigid(m, m->a, 0, pose_a, true),
                            cm__collision_rigid(m, m->b, 0, pose_b, true)};
    if (!goes_back(m->a) && !goes_back(m->b) && !approaches(&speeds, event, w)) return false;
    cm_motion on_a = motion_ahead(d, m->a, pose_a), on_b = motion_ahead(d, m->b, pose_b);
    on_a.start.position = cm_add(on_a.start.position, lift_of(m, event, w, pose_a, pose_b));
    cm_world_object_desc a, b;
    cm_witness deepest;
    cm_sweep_hit hit;
    if (cm_world_get(d->world, event->a, &a) != CM_OK || cm_world_get(d->world, event->b, &b) != CM_OK) return false;
    const double depth = -(double)cm_distance(&a.shape, &on_a.start, &b.shape, &on_b.start, CM_COORD_MAX, &deepest);
    if (depth > cm__collision_margin(d, event->a, event->b) && part_along(event, w, deepest.normal)) return false;
    if (!cm_sweep(&a.shape, &on_a, &b.shape, &on_b, &hit) || !hit.blocking) return true;
    const cm_manifold *part = part_along(event, w, hit.normal);
    return !part || approach_along(&speeds, part, hit.normal) < approach_along(&speeds, part, part->normal) / 2;
}
