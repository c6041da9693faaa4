/* The contacts at the end of a step are answered.
 *
 * In the order of the events, once, and gone through, slow ones anew, until nothing changes, CONTACT_ROUNDS times at
 * most. What lies on something has not been pushed by it until then, and went on its way as if it were free: it goes
 * back by what a push all through the step keeps from that way (cm__collision_hold), or it would sink, and creep down a
 * slope that its friction holds. Where two run into each other faster, nothing has pushed them before, and they go back
 * by nothing. Contacts that the step began with (cluster.c) are answered again only where one of the two ran into
 * something. Parts of a contact at which the two may only stand side by side wait until those that carry are answered,
 * and then do nothing if the two pass each other. A body is found some way inside what it landed on: of several objects
 * that are one plane it is answered with that (landing.c), and contacts with what it is clear of when it is moved back
 * to there do nothing. What still overlaps is pushed apart where its response says so. */
#include "dynamics/answer.h"
#include "base/memory.h"
#include "dynamics/beside.h"
#include "dynamics/cluster.h"
#include "dynamics/ground.h"
#include "dynamics/landing.h"
#include "dynamics/plane.h"
#include "math/wide.h"
#include "world/world.h"

#include <string.h>

enum { CONTACT_ROUNDS = 16 };

/* Where the pushes of all contacts together take it. */
static void shift(cm_dynamics *d, cm__dynamics_body *b) {
    cm_pose pose;
    const cm_vec3 by = cm__vec3_of(b->shifted);
    if (!(cm_largest(by) > 0) || cm_world_get_pose(d->world, b->id, &pose) != CM_OK) return;
    pose.position = cm_add(pose.position, by);
    cm_world_set_pose(d->world, b->id, &pose);
    b->met = true;
}

static cm__point shifted(const cm__dynamics_body *b) { return b ? b->shifted : cm__p(0, 0, 0); }

static void go_back(cm_dynamics *d, cm__dynamics_body *b) {
    cm_pose pose;
    if (cm_world_get_pose(d->world, b->id, &pose) != CM_OK || !cm__way_back_from(b, &pose)) return;
    if (cm_world_set_pose(d->world, b->id, &pose) == CM_OK) b->rotation = pose.rotation;
}

static cm__point body_center(const cm_dynamics *d, const cm__dynamics_body *b) {
    cm_pose pose = cm_pose_identity();
    if (b) cm_world_get_pose(d->world, b->id, &pose);
    return b ? cm__point_of(cm_pose_apply(&pose, b->center)) : cm__p(0, 0, 0);
}

/* Has this part to wait until it is known whether the two pass each other there? */
static bool waits(const cm__dynamics_contact *c, const cm_manifold *part) {
    return c->beside && cm__beside_is_doubtful(&c->doubt, part);
}

/* Undoes the overlap, deepest part after deepest. What one part's push did counts for the next, and how the pushes of
 * other contacts have moved the two: a body that lies on four tiles is lifted once, not four times, and what is pushed
 * into something else is pushed out of that in the next round. Gives the farthest push. */
static double push_apart(const cm__collision *m, const cm_world_event *event, const cm__dynamics_contact *c) {
    cm__rigid a = {0}, b = {0};
    cm_pose none = cm_pose_identity();
    uint32_t push = CM_RESPONSE_PUSH_APART;
    if (m->response_a & push)
        a = cm__collision_rigid(m, m->a, (uint32_t)CM__MOVED_BY,
                                m->a ? &(cm_pose){none.position, m->a->rotation} : &none, true);
    if (m->response_b & push)
        b = cm__collision_rigid(m, m->b, (uint32_t)CM__MOVED_BY,
                                m->b ? &(cm_pose){none.position, m->b->rotation} : &none, true);
    const cm__point center_a = body_center(m->dynamics, m->a), center_b = body_center(m->dynamics, m->b);
    const double margin = cm__collision_margin(m->dynamics, event->a, event->b);
    const cm_manifold plane = c->on_plane ? cm__plane_deepest(m->a ? m->a : m->b) : (cm_manifold){.count = 0};
    double most = 0;
    for (int i = 0; i < (c->on_plane ? 1 : event->manifold_count); i++) {
        const cm_manifold *part = c->on_plane ? &plane : &event->manifolds[i];
        if (waits(c, part)) continue;
        cm__point n = cm__point_of(part->normal);
        double depth = -DBL_MAX, move_a, move_b;
        for (int k = 0; k < part->count; k++) {
            const cm__point at = cm__point_of(part->points[k].point_a);
            const cm__point gone = cm__point_sub(cm__way_back(m->b, center_b, at), cm__way_back(m->a, center_a, at));
            const double left = (double)part->points[k].depth - cm__point_dot(gone, n);
            depth = left > depth ? left : depth;
        }
        depth -= cm__point_dot(cm__point_sub(shifted(m->b), shifted(m->a)), n);
        if (!(depth > margin)) continue;
        cm__share(&a, &b, depth, &move_a, &move_b);
        if (m->a) m->a->shifted = cm__point_mul_add(m->a->shifted, -move_a, n);
        if (m->b) m->b->shifted = cm__point_mul_add(m->b->shifted, move_b, n);
        most = wide_max(most, wide_max(move_a, move_b));
    }
    return most;
}

static uint32_t changes_of(const cm__collision *m) { return (m->a ? m->a->changes : 0) + (m->b ? m->b->changes : 0); }

/* By the first part that does not wait. */
static cm_world_hit hit_of(const cm_world_event *event, const cm__dynamics_contact *c) {
    const cm_manifold *first = event->manifolds, *end = first + event->manifold_count - 1;
    while (first < end && waits(c, first)) first++;
    return (cm_world_hit){.a = event->a,
                          .b = event->b,
                          .user_a = event->user_a,
                          .user_b = event->user_b,
                          .u = 1,
                          .point = first->points[0].point_a,
                          .normal = first->normal,
                          .part_a = first->part_a,
                          .part_b = first->part_b,
                          .start = CM_SWEEP_OVERLAPPING};
}

/* Of a landing on a plane by that. */
static cm_world_hit hit_answered(const cm__collision *m, const cm_world_event *event, const cm__dynamics_contact *c) {
    const cm__dynamics_body *b = m->a ? m->a : m->b;
    cm_world_hit hit = hit_of(event, c);
    if (!cm__plane_is_of(b, m->a ? event->b : event->a)) return hit;
    const cm_manifold deepest = cm__plane_deepest(b);
    hit.normal = deepest.normal, hit.point = deepest.points[0].point_a;
    return hit;
}

/* Of a body's landing on a plane the contact with that, where all its points are on what is hit. 0: it is none. */
static int plane_manifolds(const cm__collision *m, const cm__dynamics_contact *c, const cm_world_event *event) {
    cm_dynamics *d = m->dynamics;
    const cm__dynamics_body *b = m->a ? m->a : m->b;
    if (!cm__plane_is_of(b, m->a ? event->b : event->a)) return 0;
    const cm_real margin = (cm_real)cm__collision_margin(d, event->a, event->b);
    const int count = cm__plane_touching(d, b, b->plane.ground, margin);
    uint64_t on = cm__plane_points_on(d, b, count, b->plane.ground, margin);
    for (size_t i = 0; i < c->grounds.count; i++)
        on |= cm__plane_points_on(d, b, count, d->grounds[c->grounds.first + i], margin);
    return on == b->plane.points ? count : 0;
}

/* The event's manifolds but for those that wait, and those of what is hit together with it. */
static int contact_manifolds(const cm__collision *m, cm__dynamics_contact *c, const cm_world_event *event,
                             const cm_pose *pose_a, const cm_pose *pose_b, const cm_manifold **out) {
    cm_dynamics *d = m->dynamics;
    const int own = event->manifold_count, on_plane = plane_manifolds(m, c, event);
    const cm_world_hit hit = hit_of(event, c);
    c->on_plane = on_plane > 0;
    *out = on_plane ? d->manifolds : event->manifolds;
    if (on_plane) return on_plane;
    if (!c->grounds.count && !c->beside) return own;
    void *items = d->manifolds;
    const bool room =
        cm__reserve(cm__dynamics_memory(d), &items, &d->manifold_capacity, (size_t)own, sizeof *d->manifolds);
    d->manifolds = items, d->starved |= !room;
    if (!room) return own;
    int kept = 0;
    for (int i = 0; i < own; i++)
        if (!waits(c, &event->manifolds[i])) d->manifolds[kept++] = event->manifolds[i];
    const cm_real margin = (cm_real)cm__collision_margin(d, event->a, event->b);
    const int all = cm__ground_touching(m, &hit, pose_a, pose_b, margin, &c->grounds, kept);
    *out = d->manifolds;
    return all;
}

/* Do the two approach faster than what lies on the other? */
static bool contact_is_fast(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b,
                            const cm__impact *impacts, int count) {
    const cm__rigid a = cm__collision_rigid(m, m->a, m->response_a, pose_a, true),
                    b = cm__collision_rigid(m, m->b, m->response_b, pose_b, true);
    const double slow = cm__collision_rest_speed(m);
    for (int i = 0; i < count; i++)
        if (cm__approach(&a, &b, &impacts[i]) > slow) return true;
    return false;
}

/* All parts of a contact at once, whatever it did before taken back. False: that is what it did before. */
static bool exchange_all(const cm__collision *m, cm__dynamics_contact *c, const cm_world_event *event,
                         const cm_pose *pose_a, const cm_pose *pose_b) {
    cm__impact impacts[CM__IMPACTS];
    const cm_manifold *manifolds;
    const int all = contact_manifolds(m, c, event, pose_a, pose_b, &manifolds);
    const int count = cm__collision_impacts(manifolds, all, impacts);
    if (contact_is_fast(m, pose_a, pose_b, impacts, count)) {
        c->fast = true;
        if (m->a) m->a->collided = true;
        if (m->b) m->b->collided = true;
    }
    if (cm__cluster_has(m->dynamics, event->a, event->b) && !(m->a && m->a->collided) && !(m->b && m->b->collided)) {
        c->rests = true, c->changes = changes_of(m);
        return false;
    }
    const bool pushes = c->fast ? cm__collision_exchange(m, pose_a, pose_b, impacts, count)
                                : cm__collision_hold(m, pose_a, pose_b, impacts, count, &c->share);
    if (c->fast) c->share.changed = pushes ? HUGE_VAL : 0;
    c->rests = !pushes || c->share.still > 0;
    c->changes = changes_of(m);
    return c->share.changed > c->share.still;
}

/* What lands on ground lands on all of it at once, as it may bounce, and that only once. What lies there is held by all
 * of it without that, as slow contacts answer anew. */
static void contact_find_grounds(cm__collision *m, cm__dynamics_contact *c, const cm_world_event *event,
                                 const cm_pose *pose_a, const cm_pose *pose_b) {
    cm_dynamics *d = m->dynamics;
    const cm_world_hit hit = hit_answered(m, event, c);
    c->grounds.first = d->ground_count;
    if (m->a && m->b) return; /* there is no ground */
    if (!cm__collision_lands(m, pose_a, pose_b, event->manifolds, event->manifold_count)) return;
    cm__ground_find(m, &hit, pose_a, pose_b, (cm_real)cm__collision_margin(d, event->a, event->b));
    c->grounds.count = d->ground_count - c->grounds.first;
}

/* What two bodies do that touch; `wait`: their doubtful parts are to wait. */
static void answer_contact(cm_dynamics *d, const cm_world_event *event, const cm_world_event *first_event,
                           const cm__dynamics_doubt *doubt, bool wait) {
    cm__collision m = collision_of(d, event);
    cm_pose pose_a, pose_b;
    if (!m.a && !m.b) return;
    if (cm_world_get_pose(d->world, event->a, &pose_a) != CM_OK) return;
    if (cm_world_get_pose(d->world, event->b, &pose_b) != CM_OK) return;
    cm__dynamics_contact contact = {.event = (size_t)(event - first_event), .beside = wait, .doubt = *doubt};
    const cm_world_hit hit = hit_answered(&m, event, &contact);
    cm__collision_choose(&m, &hit);
    contact.response_a = m.response_a, contact.response_b = m.response_b;
    bool ends = ((m.response_a | m.response_b) & CM_RESPONSE_VANISH) != 0;
    if ((m.response_a | m.response_b) & (uint32_t)CM__MOVED_BY && !ends) {
        contact_find_grounds(&m, &contact, event, &pose_a, &pose_b);
        if (!m.a && !m.b) return;
        exchange_all(&m, &contact, event, &pose_a, &pose_b);
    }
    cm__collision_end(&m, &m.a, m.response_a), cm__collision_end(&m, &m.b, m.response_b);
    if (m.a && m.response_a & (uint32_t)CM__MOVED_BY) m.a->landed |= m.a->landing == contact.event + 1;
    if (m.b && m.response_b & (uint32_t)CM__MOVED_BY) m.b->landed |= m.b->landing == contact.event + 1;
    if (ends || !((m.response_a | m.response_b) & ((uint32_t)CM__MOVED_BY | CM_RESPONSE_PUSH_APART))) return;
    d->contacts[d->contact_count++] = contact;
}

/* The two of a contact that was answered, with what they do there. */
static cm__collision contact_collision(cm_dynamics *d, const cm_world_event *event, const cm__dynamics_contact *c) {
    cm__collision m = collision_of(d, event);
    m.response_a = c->response_a, m.response_b = c->response_b;
    return m;
}

/* What one contact did to a velocity another may undo: all once more, forward or back, as in a chain of bodies what is
 * pushed at one end is to arrive at the other. A slow one takes back what it did, and answers anew: what lies on four
 * tiles is held by all of them, not tipped by the first. What has nothing to do, and whose bodies nothing changed
 * since, has nothing to do again. `waiting`: those alone that have a body for which parts wait. False: nothing changes
 * any more. */
static bool contacts_again(cm_dynamics *d, const cm_world_event_view *view, bool waiting, bool back) {
    bool any = false;
    for (size_t i = 0; i < d->contact_count; i++) {
        cm__dynamics_contact *c = &d->contacts[back ? d->contact_count - 1 - i : i];
        const cm_world_event *event = &view->events[c->event];
        cm_pose pose_a, pose_b;
        const cm__collision m = contact_collision(d, event, c);
        if ((!m.a && !m.b) || (c->rests && c->changes == changes_of(&m))) continue; /* callbacks may take bodies */
        if (waiting && !(m.a && m.a->waits) && !(m.b && m.b->waits)) continue;
        if (cm_world_get_pose(d->world, event->a, &pose_a) != CM_OK) continue;
        if (cm_world_get_pose(d->world, event->b, &pose_b) != CM_OK) continue;
        any |= exchange_all(&m, c, event, &pose_a, &pose_b);
    }
    return any;
}

static void settle_contacts(cm_dynamics *d, const cm_world_event_view *view, bool waiting) {
    for (int round = 0; round < CONTACT_ROUNDS && contacts_again(d, view, waiting, round % 2 == 0); round++) {
    }
}

/* Do the parts of a contact that had to wait touch only side by side? Of bodies that are gone they do. */
static bool waits_in_vain(cm_dynamics *d, const cm_world_event *event, const cm__dynamics_doubt *doubt) {
    cm__collision m = collision_of(d, event);
    cm_pose pose_a, pose_b;
    if (!m.a && !m.b) return true;
    if (cm_world_get_pose(d->world, event->a, &pose_a) != CM_OK) return true;
    if (cm_world_get_pose(d->world, event->b, &pose_b) != CM_OK) return true;
    return cm__beside_pass(&m, event, doubt, &pose_a, &pose_b);
}

static void body_waits(const cm_dynamics *d, uint32_t id) {
    cm__dynamics_body *b = cm__body_of(d, id);
    if (b) b->waits = true;
}

static bool is_late(const cm_dynamics *d, const cm_world_event_view *view, size_t at) {
    const cm_world_event *event = &view->events[at];
    const cm__dynamics_body *b = cm__ground_body(d, event);
    if (!b || b->landing == at + 1) return false;
    return cm__ground_is_late(d, b, cm__ground_of(b, event), event->manifolds, event->manifold_count);
}

/* One event, but for its doubtful parts, and not yet what is late; those are noted as waiting before contacts[*first].
 */
static void answer_first(cm_dynamics *d, const cm_world_event_view *view, size_t at, size_t *first) {
    const cm_world_event *event = &view->events[at];
    const cm__dynamics_doubt doubt = cm__beside_doubt(d, event);
    const int doubtful = cm__beside_count(d, &doubt, event);
    const size_t before = d->contact_count;
    if (is_late(d, view, at)) {
        d->contacts[--*first] = (cm__dynamics_contact){.event = at, .doubt = doubt, .late = true};
        return;
    }
    if (doubtful < event->manifold_count) {
        answer_contact(d, event, view->events, &doubt, doubtful > 0);
        if (d->contact_count == before) return; /* it is done with all of it */
    }
    if (!doubtful) return;
    cm__dynamics_contact *waiting = &d->contacts[--*first];
    *waiting = (cm__dynamics_contact){.event = at, .answered = d->contact_count > before ? before + 1 : 0};
    waiting->doubt = doubt;
    if (cm__point_largest(doubt.pull) > 0) body_waits(d, event->a), body_waits(d, event->b);
}

/* A contact whose doubtful parts have waited, or that is late. */
static void answer_waiting(cm_dynamics *d, const cm_world_event_view *view, const cm__dynamics_contact *waiting) {
    const cm_world_event *event = &view->events[waiting->event];
    cm__dynamics_body *b = cm__ground_body(d, event);
    if (waiting->late && b && b->landed) return;
    if (waiting->late && b) b->plane.whole = false;
    const int doubtful = cm__beside_count(d, &waiting->doubt, event);
    const bool in_vain = doubtful > 0 && waits_in_vain(d, event, &waiting->doubt);
    if (!waiting->answered) {
        if (!in_vain || doubtful < event->manifold_count)
            answer_contact(d, event, view->events, &waiting->doubt, in_vain);
        return;
    }
    if (in_vain) return;
    cm__dynamics_contact *contact = &d->contacts[waiting->answered - 1];
    contact->beside = contact->rests = false; /* the next round answers all of it */
}

/* In the order of the events, what may only stand side by side after the others, when what carries a body has done so:
 * pushed by the first of four tiles alone it turns, and would meet the next one's side; then what is late. What waits
 * is kept at the end of the contacts' memory, which has room for all twice. */
static void answer_events(cm_dynamics *d, const cm_world_event_view *view) {
    const size_t room = 2 * view->count;
    size_t first = room;
    cm__landings_find(d, view);
    for (size_t i = 0; i < view->count; i++)
        if (cm__landing_touches_now(view, i)) answer_first(d, view, i, &first);
    if (first < room) settle_contacts(d, view, true);
    for (size_t i = 0; i < d->count; i++) d->bodies[i].waits = false;
    for (int late = 0; late < 2; late++)
        for (size_t i = room; i > first; i--)
            if (d->contacts[i - 1].late == (late > 0)) answer_waiting(d, view, &d->contacts[i - 1]);
}

/* Do the two touch slowly now: neither run into each other nor part? */
static bool contact_rests(const cm__collision *m, const cm_world_event *event) {
    cm_pose pose_a, pose_b;
    if (cm_world_get_pose(m->dynamics->world, event->a, &pose_a) != CM_OK) return false;
    if (cm_world_get_pose(m->dynamics->world, event->b, &pose_b) != CM_OK) return false;
    const cm__rigid a = cm__collision_rigid(m, m->a, m->response_a, &pose_a, true),
                    b = cm__collision_rigid(m, m->b, m->response_b, &pose_b, true);
    cm__impact impacts[CM__IMPACTS];
    const int count = cm__collision_impacts(event->manifolds, event->manifold_count, impacts);
    for (int i = 0; i < count; i++)
        if (fabs(cm__approach(&a, &b, &impacts[i])) <= cm__collision_rest_speed(m)) return true;
    return false;
}

/* Which bodies lie against something, or it against them? They begin the next step with what they touch (cluster.c). */
static void note_rests(cm_dynamics *d, const cm_world_event_view *view) {
    for (size_t i = 0; i < d->contact_count; i++) {
        const cm__dynamics_contact *c = &d->contacts[i];
        const cm__collision m = contact_collision(d, &view->events[c->event], c);
        if (!((m.response_a | m.response_b) & (uint32_t)CM__MOVED_BY)) continue;
        if (!contact_rests(&m, &view->events[c->event])) continue;
        if (m.a) m.a->rests = true;
        if (m.b) m.b->rests = true;
    }
}

/* What still overlaps, where the responses say so. */
static void push_all_apart(cm_dynamics *d, const cm_world_event_view *view) {
    double most = 1;
    for (int round = 0; round < CONTACT_ROUNDS && most > 0; round++) {
        most = 0;
        for (size_t i = 0; i < d->contact_count; i++) {
            const cm__dynamics_contact *c = &d->contacts[round % 2 == 0 ? i : d->contact_count - 1 - i];
            const cm__collision m = contact_collision(d, &view->events[c->event], c);
            if (!((m.response_a | m.response_b) & CM_RESPONSE_PUSH_APART)) continue;
            most = wide_max(most, push_apart(&m, &view->events[c->event], c));
        }
    }
    for (size_t i = 0; i < d->count; i++)
        if (d->bodies[i].id) shift(d, &d->bodies[i]);
}

cm_status cm__dynamics_answer_contacts(cm_dynamics *d) {
    cm_world_event_view view;
    cm_world_get_events(d->world, &view);
    d->contact_count = d->ground_count = 0;
    void *items = d->contacts;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->contact_capacity, 2 * view.count, sizeof *d->contacts))
        return CM_NO_MEMORY;
    d->contacts = items;
    answer_events(d, &view);
    settle_contacts(d, &view, false);
    for (size_t i = 0; i < d->count; i++) {
        d->bodies[i].shifted = cm__p(0, 0, 0), d->bodies[i].landing = 0;
        if (d->bodies[i].id) go_back(d, &d->bodies[i]);
    }
    note_rests(d, &view);
    push_all_apart(d, &view);
    return CM_OK;
}
