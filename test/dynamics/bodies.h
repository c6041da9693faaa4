/* Bodies of every kind, of about the same size. */
#ifndef DYNAMICS_BODIES_H
#define DYNAMICS_BODIES_H

#include "dynamics/set_up.h"
#include "support/meshes.h"

#include "carom/compound.h"
#include "carom/hull.h"

enum { SOLID_BODIES = 8, BODY_KINDS = 9 }; /* all but the mesh; all */

typedef struct body_kit {
    cm_hull *hull;
    cm_compound *cross;
    cm_mesh *cube;
} body_kit;

static inline void kit_make(body_kit *kit, rng *r) {
    cm_vec3 points[12];
    for (int i = 0; i < 12; i++) points[i] = cm_scale(rng_direction(r), CM_REAL(0.3));
    const cm_hull_desc hull = {.points = &points[0].x, .point_count = 12};
    assert_int_equal(cm_hull_build(&hull, NULL, &kit->hull, NULL), CM_OK);
    kit->cube = mesh_box(cm_v(CM_REAL(-0.25), CM_REAL(-0.2), CM_REAL(-0.3)),
                         cm_v(CM_REAL(0.25), CM_REAL(0.2), CM_REAL(0.3)), true);
    const cm_shape bar = cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.1), CM_REAL(0.1)));
    const cm_compound_child children[2] = {
        {.shape = bar},
        {.shape = bar, .pose.rotation = {0, 0, CM_REAL(0.70710678118654752), CM_REAL(0.70710678118654752)}}};
    const cm_compound_desc cross = {.children = children, .count = 2};
    assert_int_equal(cm_compound_build(&cross, NULL, &kit->cross, NULL), CM_OK);
}
static inline void kit_free(body_kit *kit) {
    cm_hull_destroy(kit->hull, NULL);
    cm_mesh_destroy(kit->cube, NULL);
    cm_compound_destroy(kit->cross, NULL);
}

static inline cm_shape body_of_kind(const body_kit *kit, uint32_t kind) {
    const cm_real quarter = CM_REAL(0.25), fifth = CM_REAL(0.2);
    switch (kind) {
    case 0:
        return ball(0.25);
    case 1:
        return cm_make_box(cm_v(quarter, fifth, CM_REAL(0.3)));
    case 2:
        return cm_make_capsule(cm_v(0, 0, -fifth), cm_v(0, 0, fifth), CM_REAL(0.15));
    case 3:
        return cm_make_cylinder(quarter, fifth);
    case 4:
        return cm_make_cone(quarter, quarter);
    case 5:
        return cm_make_ellipsoid(cm_v(quarter, fifth, CM_REAL(0.3)));
    case 6:
        return cm_make_hull(kit->hull);
    case 7:
        return cm_make_compound(kit->cross);
    default:
        return cm_make_mesh(kit->cube);
    }
}

#endif
