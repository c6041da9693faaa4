/* By default nothing tunnels: it is the thinnest part of an object that decides when its way is looked at. */
#include "carom/compound.h"
#include "carom/hull.h"
#include "scene.h"
#include "support/meshes.h"

enum { RACK, TILTED_HULL, TILTED_CAPSULE, SURFACE, SOLID, THINS };
static const char *const thin_names[THINS] = {"rack of plates", "tilted plate", "tilted rod", "surface mesh",
                                              "solid mesh"};

typedef struct thin_kit {
    cm_compound *rack;
    cm_hull *hull;
    cm_mesh *surface, *solid;
} thin_kit;

/* Plates of 1 cm, in a box of 2 m, or alone but aslant in theirs; the rod is as thin, and reaches as far. */
static cm_shape thin_shape(int kind, thin_kit *kit) {
    const cm_real half = CM_REAL(0.005);
    if (kind == RACK) {
        cm_compound_child plates[4] = {{.shape = cm_make_box(cm_v(half, 1, 1))}};
        for (int i = 0; i < 4; i++) {
            plates[i] = plates[0];
            plates[i].pose.position = cm_v(CM_REAL(0.5) * (cm_real)i - CM_REAL(0.75), 0, 0);
        }
        const cm_compound_desc desc = {.children = plates, .count = 4};
        assert_int_equal(cm_compound_build(&desc, NULL, &kit->rack, NULL), CM_OK);
        return cm_make_compound(kit->rack);
    }
    if (kind == TILTED_HULL) {
        const cm_vec3 n = cm_scale(cm_v(1, 1, 0), CM_REAL(0.70710678118654752) * half);
        const cm_vec3 side = cm_v(CM_REAL(0.5), CM_REAL(-0.5), 0), up = cm_v(0, 0, CM_REAL(0.5));
        cm_vec3 p[8];
        for (int i = 0; i < 8; i++)
            p[i] = cm_mul_add(cm_mul_add(cm_scale(n, i & 1 ? 1 : -1), i & 2 ? 1 : -1, side), i & 4 ? 1 : -1, up);
        const cm_hull_desc desc = {.points = &p[0].x, .point_count = 8};
        assert_int_equal(cm_hull_build(&desc, NULL, &kit->hull, NULL), CM_OK);
        return cm_make_hull(kit->hull);
    }
    if (kind == TILTED_CAPSULE)
        return cm_make_capsule(cm_v(CM_REAL(-0.5), CM_REAL(-0.5), CM_REAL(-0.5)),
                               cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5)), half);
    if (kind == SURFACE) {
        kit->surface = mesh_box(cm_v(-1, -1, -1), cm_v(1, 1, 1), false);
        return cm_make_mesh(kit->surface);
    }
    const cm_aabb boxes[2] = {{{-1, -1, -1}, {-1 + half, 1, 1}}, {{1 - half, -1, -1}, {1, 1, 1}}};
    const bool inward[2] = {false, false};
    kit->solid = mesh_boxes(boxes, inward, 2, true);
    return cm_make_mesh(kit->solid);
}

/* Something thin stands in the way, and what comes in steps of 0.1 to 0.3, much less than its box is wide, stops there
 * by default, from either side, however the object is turned about the way that it comes along. */
static void thin_parts_do_not_pass_thin_things(void **state) {
    (void)state;
    rng r = rng_start("thin", 1719);
    int hits = 0, count = samples(200, 4000);
    for (int i = 0; i < count; i++) {
        const int kind = i % THINS;
        thin_kit kit = {0};
        cm_world *world;
        uint32_t wall, id;
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        const cm_real step = CM_REAL(rng_range(&r, 0.1, 0.3)) * (rng_below(&r, 2) ? 1 : -1);
        const cm_world_object_desc thin = {.shape = cm_make_box(cm_v(CM_REAL(0.001), 4, 4)), .fixed = true};
        cm_world_object_desc object = {.shape = thin_shape(kind, &kit)};
        object.pose = cm_pose_at(cm_v(step > 0 ? -3 : 3, 0, 0));
        if (kind == TILTED_HULL)
            object.pose.rotation = (cm_quat){0, 0, CM_REAL(-0.38268343236508977), CM_REAL(0.92387953251128676)};
        assert_int_equal(cm_world_add(world, &thin, &wall, NULL), CM_OK);
        assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
        bool met = false;
        for (int k = 0; k < 60 && !met; k++) {
            const cm_motion m = {.move = {step, 0, 0}};
            cm_world_set_motion(world, id, &m);
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            met = scene_event(world, CM_WORLD_BEGAN, wall, id) != NULL;
        }
        cm_pose end;
        cm_world_get_pose(world, id, &end);
        check_that(met && end.position.x * step < 0, "sample %d: %s in steps of %g: at x = %g, met %d", i,
                   thin_names[kind], (double)step, (double)end.position.x, met);
        hits += met;
        cm_world_destroy(world);
        cm_compound_destroy(kit.rack, NULL), cm_hull_destroy(kit.hull, NULL);
        cm_mesh_destroy(kit.surface, NULL), cm_mesh_destroy(kit.solid, NULL);
    }
    check_that(hits == count, "%d of %d", hits, count);
    promise_seen("By default nothing passes a thin plate: racks, plates and rods aslant, meshes", count, "%d passed",
                 count - hits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thin_parts_do_not_pass_thin_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
