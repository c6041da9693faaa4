/* A world with bodies in it. */
#ifndef DYNAMICS_SET_UP_H
#define DYNAMICS_SET_UP_H

#include "support/support.h"

static inline void set_up(const cm_world_desc *world_desc, const cm_dynamics_desc *desc, cm_world **world,
                          cm_dynamics **bodies) {
    assert_int_equal(cm_world_create(world_desc, world, NULL), CM_OK);
    assert_int_equal(cm_dynamics_create(*world, desc, bodies), CM_OK);
}
static inline void take_down(cm_world *world, cm_dynamics *bodies) {
    cm_dynamics_destroy(bodies);
    cm_world_destroy(world);
}

/* Without a body the object is fixed. */
static inline uint32_t put_object(cm_world *world, cm_dynamics *bodies, cm_shape shape, cm_vec3 at,
                                  const cm_body_desc *body, cm_world_sweep_mode sweep) {
    cm_world_object_desc object = {.shape = shape, .pose.position = at, .fixed = !body, .sweep = sweep};
    uint32_t id = 0;
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    if (body) assert_int_equal(cm_dynamics_add(bodies, id, body), CM_OK);
    return id;
}
static inline cm_body_state body_state(const cm_dynamics *bodies, uint32_t id) {
    cm_body_state state;
    assert_int_equal(cm_dynamics_get(bodies, id, &state), CM_OK);
    return state;
}
static inline cm_shape ball(double radius) { return cm_make_sphere(cm_v(0, 0, 0), CM_REAL(radius)); }

#endif
