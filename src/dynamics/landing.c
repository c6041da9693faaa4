/* What a body lands on, of several objects that stand still and touch it at the end of the step.
 *
 * By then it is some way inside all of them. If it met a plane that carries it at all points (plane.c), it landed on
 * that; else on what it is the deepest in of those that it ran into. What it is clear of where it met that, is late
 * (ground.c). */
#include "dynamics/landing.h"
#include "dynamics/ground.h"
#include "dynamics/plane.h"
#include "math/wide.h"
#include "pair/contacts.h"

#include <string.h>

bool cm__landing_touches_now(const cm_world_event_view *view, size_t at) {
    const cm_world_event *event = &view->events[at];
    if (event->kind != CM_WORLD_BEGAN && event->kind != CM_WORLD_STAYED) return false;
    size_t last = at;
    while (last + 1 < view->count && view->events[last + 1].a == event->a && view->events[last + 1].b == event->b)
        last++;
    return view->events[last].kind != CM_WORLD_ENDED && event->manifold_count;
}

/* The body of an event with ground; NULL: there is none, or it touches no other ground. */
static cm__dynamics_body *landing_body(const cm_dynamics *d, const cm_world_event_view *view, size_t at) {
    cm__dynamics_body *b = cm__landing_touches_now(view, at) ? cm__ground_body(d, &view->events[at]) : NULL;
    return b && b->grounds > 1 ? b : NULL;
}

/* Do the two of this event run into each other at these contacts? */
static bool run_into(cm_dynamics *d, const cm_world_event *event, const cm_manifold *parts, int count) {
    const cm__collision m = collision_of(d, event);
    cm_pose pose_a, pose_b;
    if (cm_world_get_pose(d->world, event->a, &pose_a) != CM_OK) return false;
    if (cm_world_get_pose(d->world, event->b, &pose_b) != CM_OK) return false;
    return cm__collision_lands(&m, &pose_a, &pose_b, parts, count);
}

/* Notes the contact as the body's landing where it ran into this ground, and deeper than into what was noted. */
static void find_landing(cm_dynamics *d, cm__dynamics_body *b, const cm_world_event_view *view, size_t at) {
    const cm_world_event *event = &view->events[at];
    if (!run_into(d, event, event->manifolds, event->manifold_count)) return;
    b->lands = true;
    for (int i = 0; i < event->manifold_count; i++) {
        const cm__point normal = cm__ground_normal(b, cm__ground_of(b, event), &event->manifolds[i]),
                        lift = cm__point_scale(normal, wide_max(contacts_depth(&event->manifolds[i]), 0));
        if (cm__point_dot(lift, lift) > cm__point_dot(b->lift, b->lift)) b->lift = lift, b->landing = at + 1;
    }
}

static cm_real margin_of(const cm_dynamics *d, const cm_world_event *event) {
    return (cm_real)cm__collision_margin(d, event->a, event->b);
}

/* Of bodies that ran into something: the plane that they met, which is their landing if they ran into that, and all
 * points behind it are on grounds. It is answered with the ground where the body is the deepest. */
static void find_planes(cm_dynamics *d, const cm_world_event_view *view) {
    for (size_t i = 0; i < view->count; i++) {
        cm__dynamics_body *b = landing_body(d, view, i);
        if (b && b->lands) cm__plane_meet(d, b, cm__ground_of(b, &view->events[i]));
    }
    for (size_t i = 0; i < view->count; i++) {
        const cm_world_event *event = &view->events[i];
        cm__dynamics_body *b = landing_body(d, view, i);
        if (b && b->lands && cm__plane_find_points(d, b, cm__ground_of(b, event), margin_of(d, event)))
            b->on_plane = i + 1;
    }
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        if (!b->on_plane || b->plane.carried != b->plane.points) continue;
        const cm_manifold plane = cm__plane_deepest(b);
        if (!run_into(d, &view->events[b->on_plane - 1], &plane, 1)) continue;
        b->plane.whole = true, b->landing = b->on_plane, b->lift = cm__point_scale(b->plane.normal, b->plane.depth);
    }
}

void cm__landings_find(cm_dynamics *d, const cm_world_event_view *view) {
    for (size_t i = 0; i < d->count; i++) {
        cm__dynamics_body *b = &d->bodies[i];
        b->grounds = b->landed = b->lands = 0, b->landing = b->on_plane = 0, b->lift = cm__p(0, 0, 0);
        memset(&b->plane, 0, sizeof b->plane);
    }
    for (size_t i = 0; i < view->count; i++) {
        cm__dynamics_body *b = cm__landing_touches_now(view, i) ? cm__ground_body(d, &view->events[i]) : NULL;
        if (b) b->grounds++;
    }
    for (size_t i = 0; i < view->count; i++) {
        cm__dynamics_body *b = landing_body(d, view, i);
        if (b) find_landing(d, b, view, i);
    }
    find_planes(d, view);
}
