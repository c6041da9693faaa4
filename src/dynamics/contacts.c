/* Contacts at the start and at the end of a step: impulses at all points of all of them together.
 *
 * Every point in turn changes its impulse so that it does not approach, friction with it (impulse.c, cm__impact_relax),
 * forward and back through the list; impulses that others make needless are taken back. Each change lowers the kinetic
 * energy of all bodies together, which is bounded from below, so that it comes to rest somewhere; what is left after
 * CONTACT_ROUNDS rounds is left to the next step. A contact whose bodies did not change since it had nothing to do is
 * passed over. Contacts that bounce are answered one after the other by Moreau's law (cm__collide).
 * Work: CONTACT_ROUNDS rounds, of all points each. */
#include "dynamics/contacts.h"
#include "base/memory.h"
#include "dynamics/energy.h"
#include "dynamics/force.h"
#include "dynamics/meeting.h"
#include "world/world.h"

#include <string.h>

enum { CONTACT_ROUNDS = 16 };
/* Normals whose cosine is greater are one. */
#define CONTACT_ALIKE CM_REAL(0.99999)
/* Changes of speed below this, of the fastest at a contact, are no changes. */
#define CONTACT_STILL 1e-10

/* --- the list ----------------------------------------------------------------------------------------------------- */

static bool contacts_room(cm_dynamics *d, size_t parts, size_t points) {
    void *items = d->parts;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->parts_capacity, d->part_count + parts, sizeof *d->parts))
        return false;
    d->parts = items, items = d->points;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->points_capacity, d->point_count + points, sizeof *d->points))
        return false;
    d->points = items;
    return true;
}

/* Manifolds of one normal are one part: a body on a mesh lies on many triangles. */
static bool contacts_put(cm_dynamics *d, const cm__meeting *m, uint32_t a, uint32_t b, const cm_manifold *manifolds,
                         int count) {
    if (!contacts_room(d, (size_t)count, (size_t)count * CM__IMPACT_POINTS)) return false;
    const size_t first = d->part_count;
    for (int i = 0; i < count; i++) {
        const cm__point normal = cm__point_of(manifolds[i].normal);
        bool had = false;
        for (size_t k = first; k < d->part_count && !had; k++)
            had = cm__point_dot(d->parts[k].impact.normal, normal) > (double)CONTACT_ALIKE;
        if (had) continue;
        cm__dynamics_part *part = &d->parts[d->part_count++];
        memset(part, 0, sizeof *part);
        part->a = a, part->b = b;
        part->response_a = m->response_a, part->response_b = m->response_b;
        part->impact.normal = normal;
        cm__meeting_spread(manifolds + i, count - i, CONTACT_ALIKE, &part->impact);
        part->turning = cm__meeting_surface(m, &part->impact);
        part->first = d->point_count;
        d->point_count += (size_t)part->impact.count;
    }
    return true;
}

/* Where bodies are, before any of them is pushed. */
static bool contacts_places(cm_dynamics *d) {
    void *items = d->rigids;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->rigids_capacity, d->count, sizeof *d->rigids)) return false;
    d->rigids = items, d->rigid_count = d->count;
    d->part_count = d->point_count = 0;
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_rigid *r = &d->rigids[i];
        cm_pose pose;
        memset(r, 0, sizeof *r);
        if (!d->bodies[i].id || cm_world_get_pose(d->world, d->bodies[i].id, &pose) != CM_OK) continue;
        r->id = d->bodies[i].id;
        r->rigid.center = cm__point_of(cm_pose_apply(&pose, d->bodies[i].center));
    }
    return true;
}

static void contacts_speeds(cm_dynamics *d) {
    for (size_t i = 0; i < d->rigid_count; i++) {
        cm__dynamics_rigid *r = &d->rigids[i];
        const cm__dynamics_body *b = &d->bodies[i];
        if (!r->id || r->id != b->id) {
            r->id = 0;
            continue;
        }
        r->rigid.velocity = b->velocity, r->rigid.spin = b->spin;
        if (b->driven || b->halted || !(b->mass > 0)) continue;
        r->rigid.inverse_mass = 1 / b->mass;
        r->rigid.inverse_inertia = cm__tensor_turned(&b->inverse_inertia, b->rotation);
    }
}

/* A body in a contact. What does not move by it, or is no body, is a copy that keeps its velocity. */
static cm__rigid *contact_side(cm_dynamics *d, uint32_t id, uint32_t response, cm__rigid *still) {
    const uint32_t slot = id & CM__WORLD_SLOT_MASK;
    const bool is = slot < d->rigid_count && d->rigids[slot].id == id;
    if (is && response & (uint32_t)CM__MOVED_BY) return &d->rigids[slot].rigid;
    memset(still, 0, sizeof *still);
    if (!is) return still;
    *still = d->rigids[slot].rigid;
    still->inverse_mass = 0;
    memset(&still->inverse_inertia, 0, sizeof still->inverse_inertia);
    return still;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

static void contact_changed(cm_dynamics *d, uint32_t id, const cm__rigid *r) {
    if (r->inverse_mass > 0) d->rigids[id & CM__WORLD_SLOT_MASK].changes++;
}

static double contact_gained(const cm__dynamics_body *b, const cm__rigid *from, const cm__rigid *to) {
    if (!b || !(to->inverse_mass > 0)) return 0;
    return cm__body_energy(b, to->velocity, to->spin) - cm__body_energy(b, from->velocity, from->spin);
}

/* One that bounces: what its points were given before stays. */
static bool contact_bounce(cm_dynamics *d, cm__dynamics_part *part, cm__rigid *a, cm__rigid *b) {
    cm__dynamics_body *body_a = cm__body_of(d, part->a), *body_b = cm__body_of(d, part->b);
    const cm__rigid from_a = *a, from_b = *b;
    if (!(cm__collide(a, b, &part->impact, part->turning) > 0)) return false;
    cm__energy_exchange(body_a, body_b, contact_gained(body_a, &from_a, a), contact_gained(body_b, &from_b, b),
                        a->inverse_mass, b->inverse_mass);
    for (int i = 0; i < part->impact.count; i++)
        cm__impact_prepare(a, b, &part->impact, i, part->turning, &d->points[part->first + (size_t)i]);
    return true;
}

/* One contact's turn. False: it had nothing to do. */
static bool contact_relax(cm_dynamics *d, cm__dynamics_part *part, double still) {
    cm__rigid still_a, still_b;
    cm__rigid *a = contact_side(d, part->a, part->response_a, &still_a);
    cm__rigid *b = contact_side(d, part->b, part->response_b, &still_b);
    const cm__impact *impact = &part->impact;
    double gained_a = 0, gained_b = 0, change = 0;
    if (impact->restitution > 0 && cm__approach(a, b, impact) > impact->rest_speed) {
        if (!contact_bounce(d, part, a, b)) return false;
        contact_changed(d, part->a, a), contact_changed(d, part->b, b);
        return true;
    }
    for (int i = 0; i < impact->count; i++) {
        const double one =
            cm__impact_relax(a, b, impact, &d->points[part->first + (size_t)i], part->turning, &gained_a, &gained_b);
        change = one > change ? one : change;
    }
    if (!(change > 0)) return false;
    cm__energy_exchange(cm__body_of(d, part->a), cm__body_of(d, part->b), gained_a, gained_b, a->inverse_mass,
                        b->inverse_mass);
    if (!(change > still)) return false;
    contact_changed(d, part->a, a), contact_changed(d, part->b, b);
    return true;
}

static uint32_t contact_changes(const cm_dynamics *d, uint32_t id) {
    const uint32_t slot = id & CM__WORLD_SLOT_MASK;
    return slot < d->rigid_count && d->rigids[slot].id == id ? d->rigids[slot].changes : 0;
}

/* The fastest closing speed; all points as before any impulse. */
static double contacts_prepare(cm_dynamics *d) {
    double fastest = 0;
    for (size_t i = 0; i < d->part_count; i++) {
        cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        cm__rigid *a = contact_side(d, part->a, part->response_a, &still_a);
        cm__rigid *b = contact_side(d, part->b, part->response_b, &still_b);
        for (int k = 0; k < part->impact.count; k++) {
            cm__impact_point *point = &d->points[part->first + (size_t)k];
            cm__impact_prepare(a, b, &part->impact, k, part->turning, point);
            fastest = fabs(point->target) > fastest ? fabs(point->target) : fastest;
        }
    }
    return fastest;
}

static void contacts_relax(cm_dynamics *d) {
    const double still = CONTACT_STILL * contacts_prepare(d);
    for (int round = 0; round < CONTACT_ROUNDS; round++) {
        bool any = false;
        for (size_t i = 0; i < d->part_count; i++) {
            cm__dynamics_part *part = &d->parts[round % 2 == 0 ? i : d->part_count - 1 - i];
            const uint32_t changes = contact_changes(d, part->a) + contact_changes(d, part->b);
            if (part->rests && part->changes == changes) continue;
            d->relaxed++;
            part->rests = !contact_relax(d, part, still);
            part->changes = contact_changes(d, part->a) + contact_changes(d, part->b);
            any |= !part->rests;
        }
        if (!any) break;
    }
}

/* Velocities back to the bodies that changed; `straight`: they have all of the step's acceleration. */
static void contacts_give_back(cm_dynamics *d, bool straight) {
    for (size_t i = 0; i < d->rigid_count; i++) {
        const cm__dynamics_rigid *r = &d->rigids[i];
        cm__dynamics_body *b = &d->bodies[i];
        if (!r->changes || r->id != b->id || b->halted) continue;
        cm__body_set_changed(d, b, &r->rigid, 0);
        b->settled |= straight;
    }
}

/* --- at the start ------------------------------------------------------------------------------------------------- */

/* With the responses that the two gave last. */
static cm_status start_put(cm_dynamics *d, const cm__world_pair *p) {
    const uint32_t marks = (p->state & (uint32_t)CM__PAIR_MARKS) >> CM__PAIR_MARK_SHIFT;
    const cm__meeting m = {d, cm__body_of(d, p->a), cm__body_of(d, p->b), marks & 31, marks >> 5, 0};
    int count = 1, room;
    if (!marks || (!m.a && !m.b)) return CM_OK;
    do {
        void *items = d->manifolds;
        room = count;
        if (!cm__reserve(cm__dynamics_memory(d), &items, &d->manifolds_capacity, (size_t)room, sizeof *d->manifolds))
            return CM_NO_MEMORY;
        d->manifolds = items;
        count = cm__world_contact(d->world, p, d->manifolds, room);
    } while (count > room);
    return contacts_put(d, &m, p->a, p->b, d->manifolds, count) ? CM_OK : CM_NO_MEMORY;
}

/* What approaches faster than what rests is an impact, which is answered as such when it is met. */
static void start_drop_fast(cm_dynamics *d) {
    size_t kept = 0;
    for (size_t i = 0; i < d->part_count; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__rigid still_a, still_b;
        const cm__rigid *a = contact_side(d, part->a, part->response_a, &still_a);
        const cm__rigid *b = contact_side(d, part->b, part->response_b, &still_b);
        if (!(cm__approach(a, b, &part->impact) > part->impact.rest_speed)) d->parts[kept++] = *part;
    }
    d->part_count = kept;
}

cm_status cm__dynamics_contacts_start(cm_dynamics *d) {
    const cm_world *w = d->world;
    if (!contacts_places(d)) return CM_NO_MEMORY;
    for (size_t i = 0; i < w->pair_count; i++) {
        if (!(w->pairs[i].state & CM__PAIR_CONTACT)) continue;
        const cm_status status = start_put(d, &w->pairs[i]);
        if (status != CM_OK) return status;
    }
    contacts_speeds(d);
    start_drop_fast(d);
    contacts_relax(d);
    contacts_give_back(d, true);
    return CM_OK;
}

/* --- at the end --------------------------------------------------------------------------------------------------- */

static void shift(cm_dynamics *d, cm__dynamics_body *b, cm_vec3 by) {
    cm_pose pose;
    if (!b || !(cm_largest(by) > 0) || cm_world_get_pose(d->world, b->id, &pose) != CM_OK) return;
    pose.position = cm_add(pose.position, by);
    cm_world_set_pose(d->world, b->id, &pose);
    b->met = true;
}

/* Undoes the overlap, deepest part after deepest; what one part's push did counts for the next. */
static void push_apart(const cm__meeting *m, const cm_world_event *event) {
    cm__rigid a = {0}, b = {0};
    cm_pose none = cm_pose_identity();
    uint32_t push = CM_RESPONSE_PUSH_APART;
    if (m->response_a & push)
        a = cm__meeting_rigid(m, m->a, (uint32_t)CM__MOVED_BY, m->a ? &(cm_pose){none.position, m->a->rotation} : &none,
                              true);
    if (m->response_b & push)
        b = cm__meeting_rigid(m, m->b, (uint32_t)CM__MOVED_BY, m->b ? &(cm_pose){none.position, m->b->rotation} : &none,
                              true);
    cm__point parted = cm__p(0, 0, 0), by_a = parted, by_b = parted;
    for (int i = 0; i < event->manifold_count; i++) {
        const cm_manifold *part = &event->manifolds[i];
        cm__point n = cm__point_of(part->normal);
        double depth = 0, move_a, move_b;
        for (int k = 0; k < part->count; k++)
            depth = (double)part->points[k].depth > depth ? (double)part->points[k].depth : depth;
        cm__share(&a, &b, depth - cm__point_dot(parted, n), &move_a, &move_b);
        by_a = cm__point_mul_add(by_a, -move_a, n), by_b = cm__point_mul_add(by_b, move_b, n);
        parted = cm__point_sub(by_b, by_a);
    }
    shift(m->dynamics, m->a, cm__vec3_of(by_a));
    shift(m->dynamics, m->b, cm__vec3_of(by_b));
}

/* All parts of a contact, one after the other. */
static void exchange_all(const cm__meeting *m, const cm_world_event *event, const cm_pose *pose_a,
                         const cm_pose *pose_b) {
    for (int i = 0; i < event->manifold_count; i++) {
        const cm_manifold *part = &event->manifolds[i];
        cm__impact impact = {.normal = cm__point_of(part->normal), .count = part->count};
        for (int k = 0; k < part->count; k++) impact.at[k] = cm__point_of(part->points[k].point_a);
        cm__meeting_exchange(m, pose_a, pose_b, &impact);
    }
}

/* What the two did, for the start of the next step: none where one of them stands still by it. */
static void keep_responses(cm_dynamics *d, const cm__meeting *m, const cm_world_event *event, bool moved) {
    const size_t at = cm__world_pair_at(d->world, event->a, event->b);
    if (at >= d->world->pair_count) return;
    uint32_t *state = &d->world->pairs[at].state;
    *state &= ~(uint32_t)CM__PAIR_MARKS;
    if (moved) *state |= (m->response_a | m->response_b << 5) << CM__PAIR_MARK_SHIFT;
}

static cm_status answer_contact(cm_dynamics *d, const cm_world_event *event) {
    cm__meeting m = {d, cm__body_of(d, event->a), cm__body_of(d, event->b), 0, 0, 0};
    cm_pose pose_a, pose_b;
    if (!event->manifold_count || (!m.a && !m.b)) return CM_OK;
    if (cm_world_get_pose(d->world, event->a, &pose_a) != CM_OK) return CM_OK;
    if (cm_world_get_pose(d->world, event->b, &pose_b) != CM_OK) return CM_OK;
    const cm_manifold *first = &event->manifolds[0];
    cm_world_hit hit = {.a = event->a, .b = event->b, .user_a = event->user_a, .user_b = event->user_b, .u = 1};
    hit.point = first->points[0].point_a, hit.normal = first->normal;
    hit.part_a = first->part_a, hit.part_b = first->part_b, hit.start = CM_SWEEP_OVERLAPPING;
    cm__meeting_choose(&m, &hit);
    const uint32_t both = m.response_a | m.response_b;
    const bool moved = (both & (uint32_t)CM__MOVED_BY) != 0, ends = (both & CM_RESPONSE_VANISH) != 0;
    if (moved && !ends && both & CM_RESPONSE_HALT) /* before one stands still */
        exchange_all(&m, event, &pose_a, &pose_b);
    bool stays_a = cm__meeting_end(&m, &m.a, m.response_a), stays_b = cm__meeting_end(&m, &m.b, m.response_b);
    if (!stays_a || !stays_b) return CM_OK;
    keep_responses(d, &m, event, moved && !(both & CM_RESPONSE_HALT));
    if (moved && !contacts_put(d, &m, event->a, event->b, event->manifolds, event->manifold_count)) return CM_NO_MEMORY;
    if (both & CM_RESPONSE_PUSH_APART) push_apart(&m, event);
    return CM_OK;
}

cm_status cm__dynamics_contacts_end(cm_dynamics *d) {
    cm_world_event_view view;
    cm_status status = CM_OK;
    cm_world_get_events(d->world, &view);
    if (!contacts_places(d)) return CM_NO_MEMORY;
    for (size_t i = 0; i < view.count && status == CM_OK; i++) {
        const cm_world_event *event = &view.events[i];
        if (event->kind != CM_WORLD_BEGAN && event->kind != CM_WORLD_STAYED) continue;
        size_t last = i; /* began and ended in one step: they do not touch now */
        while (last + 1 < view.count && view.events[last + 1].a == event->a && view.events[last + 1].b == event->b)
            last++;
        if (view.events[last].kind != CM_WORLD_ENDED) status = answer_contact(d, event);
    }
    contacts_speeds(d);
    contacts_relax(d);
    contacts_give_back(d, false);
    return status;
}
