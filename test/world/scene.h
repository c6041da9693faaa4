/* Random worlds: mixed convex shapes in a room, some fixed, some triggers, with filters. */
#ifndef TEST_WORLD_SCENE_H
#define TEST_WORLD_SCENE_H

#include "support/support.h"

static inline cm_shape scene_shape(rng *r) {
    cm_real s = (cm_real)rng_range(r, 0.2, 0.8), t = (cm_real)rng_range(r, 0.2, 0.8);
    switch (rng_below(r, 7)) {
    case 0:
        return cm_make_sphere(cm_v(0, 0, 0), s);
    case 1:
        return cm_make_capsule(cm_v(0, 0, -t), cm_v(0, 0, t), s / 2);
    case 2:
        return cm_make_box(cm_v(s, t, s / 2));
    case 3:
        return cm_make_rounded_box(cm_v(s, t, s / 2), t / 4);
    case 4:
        return cm_make_cylinder(s, t);
    case 5:
        return cm_make_cone(s, t);
    default:
        return cm_make_ellipsoid(cm_v(s, t, s / 2));
    }
}

static inline cm_world_object_desc scene_object(rng *r, double half) {
    cm_world_object_desc d;
    memset(&d, 0, sizeof d);
    d.shape = scene_shape(r);
    d.pose = rng_pose(r, half);
    uint32_t kind = rng_below(r, 16);
    d.fixed = kind < 3;
    d.trigger = kind == 3 || kind == 2;
    if (kind > 11) d.layer = 1u << rng_below(r, 3), d.mask = ~(1u << rng_below(r, 3));
    if (kind == 10 || kind == 9) d.group = (int32_t)rng_below(r, 5) - 2;
    d.user = rng_bits(r);
    return d;
}

static inline cm_motion scene_motion(rng *r, double move, double spin) {
    cm_motion m;
    memset(&m, 0, sizeof m);
    m.move = rng_vec3(r, move);
    if (rng_below(r, 2)) m.spin = rng_vec3(r, spin);
    if (rng_below(r, 4) == 0) m.pivot = rng_vec3(r, 0.3);
    return m;
}

/* The same filters as the world's, written again from its documentation. */
static inline bool scene_allowed(const cm_world_object_desc *a, const cm_world_object_desc *b) {
    if (a->fixed && b->fixed) return false;
    if (a->trigger && b->trigger) return false;
    if (a->group && a->group == b->group) return a->group > 0;
    return (a->layer & b->mask) != 0 && (b->layer & a->mask) != 0;
}

static inline const cm_world_event *scene_event(const cm_world *world, cm_world_event_kind kind, uint32_t a,
                                                uint32_t b) {
    cm_world_event_view view;
    cm_world_get_events(world, &view);
    if (b < a) {
        uint32_t swap = a;
        a = b, b = swap;
    }
    for (size_t i = 0; i < view.count; i++) {
        const cm_world_event *e = &view.events[i];
        if (e->kind == kind && e->a == a && e->b == b) return e;
    }
    return NULL;
}

static inline size_t scene_event_count(const cm_world *world) {
    cm_world_event_view view;
    cm_world_get_events(world, &view);
    return view.count;
}

#endif
