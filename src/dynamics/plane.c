/* What a body lands on may be many objects and yet one plane, as a floor of tiles is.
 *
 * At the end of the step the body is some way inside all of them. A contact with one of them alone tells the shortest
 * way out of that one: at the seam that is aside as often as up, its points are where the seam cuts the body, and those
 * under the body's own corners may be missing. So the normal is that of the first hit on the way there; and where all
 * points at which the body is behind that plane are on objects, they are those of the landing, as on one floor. Where
 * some are on none, as beyond the rim of a table, and for more than 64 points, contacts with the objects count
 * (ground.c). Work: a sweep and a contact for each object, and a distance for each point. */
#include "dynamics/plane.h"
#include "math/wide.h"
#include "world/world.h"

enum { PLANE_POINTS = 64 };
#define PLANE_FLUSH (1.0 / 64) /* of the depth: how far a point may be from the object that it is on */

static bool plane_is_met(const cm__dynamics_body *b) { return cm__point_largest(b->plane.normal) > 0; }

/* The body's straight way to where it is, from where it was a step ago. */
static cm_motion way_here(const cm_dynamics *d, const cm__dynamics_body *b, const cm_pose *pose) {
    const cm__point mean = cm__point_mul_add(b->velocity, -d->dt / 2, cm__pull_of(b));
    cm_motion way = {.start = *pose, .pivot = b->center};
    way.move = cm__vec3_of(cm__point_scale(mean, -d->dt)), way.spin = cm__vec3_of(cm__point_scale(b->spin, -d->dt));
    cm_motion_at(&way, 1, &way.start);
    way.move = cm_neg(way.move), way.spin = cm_neg(way.spin);
    return way;
}

void cm__plane_meet(const cm_dynamics *d, cm__dynamics_body *b, uint32_t ground) {
    cm_world_object_desc body, other;
    cm_sweep_hit hit;
    if (cm_world_get(d->world, b->id, &body) != CM_OK || cm_world_get(d->world, ground, &other) != CM_OK) return;
    const cm_motion way = way_here(d, b, &body.pose), still = {.start = other.pose};
    if (!cm_sweep(&other.shape, &still, &body.shape, &way, &hit) || hit.start != CM_SWEEP_SEPARATED) return;
    if (!hit.blocking || hit.proof != CM_PROOF_CONTACT) return;
    if (plane_is_met(b) && !((double)hit.first < b->plane.met)) return;
    b->plane.met = (double)hit.first;
    b->plane.at = cm__point_of(hit.point), b->plane.normal = cm__point_of(hit.normal);
}

int cm__plane_touching(cm_dynamics *d, const cm__dynamics_body *b, uint32_t ground, cm_real margin) {
    cm_world_object_desc body;
    if (!plane_is_met(b) || cm_world_get(d->world, b->id, &body) != CM_OK) return 0;
    const cm_shape plane = cm_make_halfspace(cm__vec3_of(b->plane.normal), 0);
    const cm_pose at = cm_pose_at(cm__vec3_of(b->plane.at));
    return b->id < ground ? cm__dynamics_touching(d, &body.shape, &body.pose, &plane, &at, margin, 0)
                          : cm__dynamics_touching(d, &plane, &at, &body.shape, &body.pose, margin, 0);
}

uint64_t cm__plane_points_on(const cm_dynamics *d, const cm__dynamics_body *b, int count, uint32_t ground,
                             cm_real margin) {
    cm_world_object_desc other;
    const cm_pose none = cm_pose_identity();
    uint64_t out = 0;
    int n = 0;
    if (cm_world_get(d->world, ground, &other) != CM_OK) return 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < d->manifolds[i].count && n < PLANE_POINTS; k++, n++) {
            const cm_contact_point *p = &d->manifolds[i].points[k];
            const cm_shape foot = cm_make_point(b->id < ground ? p->point_b : p->point_a);
            const double off = (double)cm_distance(&foot, &none, &other.shape, &other.pose, CM_COORD_MAX, NULL);
            const double near = (double)margin + PLANE_FLUSH * wide_max((double)p->depth, 0);
            if (off <= near) out |= (uint64_t)1 << n;
        }
    return out;
}

bool cm__plane_find_points(cm_dynamics *d, cm__dynamics_body *b, uint32_t ground, cm_real margin) {
    const int count = cm__plane_touching(d, b, ground, margin);
    const uint64_t on = cm__plane_points_on(d, b, count, ground, margin);
    bool deepest = false;
    int n = 0;
    b->plane.carried |= on, b->plane.points = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < d->manifolds[i].count; k++, n++) {
            const cm_contact_point *p = &d->manifolds[i].points[k];
            if (n == PLANE_POINTS) return b->plane.points = 0, false;
            b->plane.points |= (uint64_t)1 << n;
            if (!(on >> n & 1) || !((double)p->depth > b->plane.depth)) continue;
            b->plane.ground = ground, b->plane.depth = (double)p->depth, b->plane.deepest = cm__point_of(p->point_a);
            deepest = true;
        }
    return deepest;
}

cm_manifold cm__plane_deepest(const cm__dynamics_body *b) {
    cm_manifold out = {.part_a = CM_NONE, .part_b = CM_NONE, .count = 1};
    out.normal = cm__vec3_of(cm__point_scale(b->plane.normal, b->id < b->plane.ground ? -1 : 1));
    out.points[0].point_a = cm__vec3_of(b->plane.deepest), out.points[0].depth = (cm_real)b->plane.depth;
    return out;
}
