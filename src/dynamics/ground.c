/* What stands still is one ground, however many objects it is made of.
 *
 * A body that drops flat on the seam of two tiles hits both at once. Answered one after the other, the first impulse
 * acts on one side of the body only, and turns it; the second finds it turning, and neither undoes that nor gives the
 * restitution that is due. So the points of a hit are those on all objects that stand still and touch the body along
 * the hit's normal, as they are those on all triangles of a mesh. Bodies that can be moved are hit one after the other:
 * the first ball of a cradle pushes the next, not all of them. Work: a query, and a contact for each object found. */
#include "dynamics/ground.h"
#include "base/memory.h"
#include "dynamics/plane.h"
#include "math/wide.h"
#include "shape/shape.h"
#include "world/world.h"

#define GROUND_FLUSH (1.0 / 64) /* of the way back to the landing: what is no deeper there is flush */

bool cm__ground_stands(const cm_dynamics *d, uint32_t id) {
    uint32_t slot;
    return cm__world_find(d->world, id, &slot) && !cm__body_of(d, id) && !(d->world->flags[slot] & CM__BODY_MOVING);
}

cm__dynamics_body *cm__ground_body(const cm_dynamics *d, const cm_world_event *event) {
    cm__dynamics_body *a = cm__body_of(d, event->a), *b = cm__body_of(d, event->b);
    return (a && b) || !cm__ground_stands(d, a ? event->b : event->a) ? NULL : a ? a : b;
}

/* Do all parts have the normal of the body's landing? */
static bool ground_lands_along(const cm__dynamics_body *b, uint32_t ground, const cm_manifold *parts, int count) {
    for (int i = 0; i < count; i++) {
        const double along = cm__point_dot(b->lift, cm__ground_normal(b, ground, &parts[i]));
        if (!(along > 0 && along * along > CM__GROUND_ALONG * cm__point_dot(b->lift, b->lift))) return false;
    }
    return true;
}

/* At the end of a step a body is some way inside all that it ran into: a ball that comes down beside the seam of two
 * tiles is in the edge of the other one too, a crate in its side, and they would be thrown aside by that. But moved
 * back to where it touches the first, it is clear of the other, or flush with it. */
bool cm__ground_is_late(const cm_dynamics *d, const cm__dynamics_body *b, uint32_t ground, const cm_manifold *parts,
                        int count) {
    cm_world_object_desc body, other;
    if (!b->landing) return false;
    if (ground_lands_along(b, ground, parts, count)) return b->plane.whole;
    if (cm_world_get(d->world, b->id, &body) != CM_OK || cm_world_get(d->world, ground, &other) != CM_OK) return false;
    body.pose.position = cm_add(body.pose.position, cm__vec3_of(b->lift));
    const double gap = (double)cm_distance(&body.shape, &body.pose, &other.shape, &other.pose, CM_COORD_MAX, NULL);
    return gap >= -GROUND_FLUSH * cm__point_length(b->lift);
}

/* The body's contact with another object in the place of what it hit, behind the first `kept` manifolds: of it those
 * that have the hit's normal. */
static int ground_contact(const cm__collision *m, const cm_world_hit *hit, uint32_t other, const cm_pose *pose_a,
                          const cm_pose *pose_b, cm_real margin, int kept) {
    cm_dynamics *d = m->dynamics;
    cm_world_object_desc body, ground;
    if (cm_world_get(d->world, m->a ? hit->a : hit->b, &body) != CM_OK) return kept;
    if (cm_world_get(d->world, other, &ground) != CM_OK) return kept;
    const int all = m->a ? cm__dynamics_touching(d, &body.shape, pose_a, &ground.shape, &ground.pose, margin, kept)
                         : cm__dynamics_touching(d, &ground.shape, &ground.pose, &body.shape, pose_b, margin, kept);
    for (int i = kept; i < all; i++)
        if ((double)cm_dot(d->manifolds[i].normal, hit->normal) > WIDE_ONE_NORMAL)
            d->manifolds[kept++] = d->manifolds[i];
    return kept;
}

/* Does the body touch this object as part of the plane that it landed on? Then the first of `dynamics->manifolds`
 * begins with a point there. */
static bool ground_on_plane(const cm__collision *m, uint32_t other, cm_real margin) {
    cm_dynamics *d = m->dynamics;
    const cm__dynamics_body *b = m->a ? m->a : m->b;
    const int count = cm__plane_touching(d, b, other, margin);
    const uint64_t on = cm__plane_points_on(d, b, count, other, margin);
    int n = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < d->manifolds[i].count; k++, n++)
            if (on >> n & 1) {
                d->manifolds[i].points[0] = d->manifolds[i].points[k], d->manifolds[0] = d->manifolds[i];
                return true;
            }
    return false;
}

/* Does it touch the body along the hit's normal, and no later than what was hit? */
static bool ground_touches(cm__collision *m, const cm_world_hit *hit, uint32_t other, const cm_pose *pose_a,
                           const cm_pose *pose_b, cm_real margin) {
    cm_dynamics *d = m->dynamics;
    const cm__dynamics_body *b = m->a ? m->a : m->b;
    if (cm__plane_is_of(b, m->a ? hit->b : hit->a)) return ground_on_plane(m, other, margin);
    const int found = ground_contact(m, hit, other, pose_a, pose_b, margin, 0);
    return found && !cm__ground_is_late(d, b, other, d->manifolds, found);
}

static void ground_look_up(cm__collision *m, const cm_world_hit *hit) {
    m->a = cm__body_of(m->dynamics, hit->a), m->b = cm__body_of(m->dynamics, hit->b);
    if (!m->a) m->response_a = 0;
    if (!m->b) m->response_b = 0;
}

/* Is it hit together with what was hit? */
static bool ground_joins(cm__collision *m, const cm_world_hit *hit, uint32_t other, const cm_pose *pose_a,
                         const cm_pose *pose_b, cm_real margin) {
    cm_dynamics *d = m->dynamics;
    const uint32_t body = m->a ? hit->a : hit->b;
    if (!cm__ground_stands(d, other)) return false;
    if (!(body < other ? cm__world_may_touch(d->world, body, other) : cm__world_may_touch(d->world, other, body)))
        return false;
    if (!ground_touches(m, hit, other, pose_a, pose_b, margin)) return false;
    cm_world_hit beside = *hit;
    *(m->a ? &beside.b : &beside.a) = other;
    *(m->a ? &beside.user_b : &beside.user_a) = d->world->bodies[cm__world_slot(other)].user;
    beside.point = d->manifolds->points[0].point_a, beside.normal = d->manifolds->normal;
    beside.part_a = d->manifolds->part_a, beside.part_b = d->manifolds->part_b;
    beside.start = CM_SWEEP_TOUCHING;
    cm__collision with = {d, cm__body_of(d, beside.a), cm__body_of(d, beside.b), 0, 0, m->rest};
    cm__collision_choose(&with, &beside);
    ground_look_up(m, hit);
    return with.response_a == m->response_a && with.response_b == m->response_b;
}

void cm__ground_find(cm__collision *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b,
                     cm_real margin) {
    cm_dynamics *d = m->dynamics;
    const uint32_t hit_ground = m->a ? hit->b : hit->a;
    uint32_t slot;
    cm_aabb box;
    if ((m->a && m->b) || !cm__ground_stands(d, hit_ground)) return;
    if (!cm__world_find(d->world, m->a ? hit->a : hit->b, &slot)) return;
    cm__world_bounds(d->world, slot, m->a ? pose_a : pose_b, &box);
    const cm_aabb around = cm_aabb_grow(box, margin);
    d->starved |= cm__world_find_near(d->world, &around, CM__BODY_MOVING) != CM_OK;
    for (size_t i = 0; i < d->world->near_count && (m->a || m->b); i++) {
        const uint32_t other = d->world->near[i];
        if (other == hit_ground || !ground_joins(m, hit, other, pose_a, pose_b, margin)) continue;
        void *items = d->grounds;
        const bool room =
            cm__reserve(cm__dynamics_memory(d), &items, &d->ground_capacity, d->ground_count + 1, sizeof *d->grounds);
        d->grounds = items, d->starved |= !room;
        if (room) d->grounds[d->ground_count++] = other;
    }
}

int cm__ground_touching(const cm__collision *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b,
                        cm_real margin, const cm__dynamics_grounds *grounds, int kept) {
    for (size_t i = 0; i < grounds->count; i++)
        kept = ground_contact(m, hit, m->dynamics->grounds[grounds->first + i], pose_a, pose_b, margin, kept);
    return kept;
}
