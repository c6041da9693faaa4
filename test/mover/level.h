/* A level for movers, of convex pieces that can be boxes, hulls, one mesh or one compound; and platforms that move. */
#ifndef MOVER_LEVEL_H
#define MOVER_LEVEL_H

#include "support/meshes.h"

enum { LEVEL_PIECES = 96, LEVEL_PLATFORMS = 6, LEVEL_FIXED_LAYER = 2, LEVEL_MOVING_LAYER = 4 };

typedef enum level_form { LEVEL_BOXES, LEVEL_HULLS, LEVEL_MESH, LEVEL_COMPOUND, LEVEL_FORMS } level_form;

typedef struct level_piece {
    cm_pose pose;
    cm_vec3 half;
} level_piece;

typedef struct level {
    level_piece pieces[LEVEL_PIECES];
    int count;
    double size;    /* of 1 here */
    cm_vec3 middle; /* where its origin lies */
    cm_world *world;
    cm_hull *hulls[LEVEL_PIECES];
    cm_mesh *mesh;
    cm_compound *compound;
    uint32_t platforms[LEVEL_PLATFORMS];
    int platform_count;
} level;

static inline cm_quat level_turn(cm_vec3 axis, double degrees) {
    double half = degrees * 3.14159265358979323846 / 360;
    cm_real s = (cm_real)sin(half);
    return cm_quat_normalize((cm_quat){axis.x * s, axis.y * s, axis.z * s, (cm_real)cos(half)});
}

static inline void level_piece_add(level *l, cm_vec3 at, cm_vec3 half, cm_quat rotation) {
    assert_true(l->count < LEVEL_PIECES);
    cm_real size = (cm_real)l->size;
    l->pieces[l->count++] = (level_piece){{cm_mul_add(l->middle, size, at), rotation}, cm_scale(half, size)};
}
static inline void level_box(level *l, double x, double y, double z, double hx, double hy, double hz) {
    level_piece_add(l, cm_v((cm_real)x, (cm_real)y, (cm_real)z), cm_v((cm_real)hx, (cm_real)hy, (cm_real)hz),
                    cm_quat_identity());
}
/* A ramp: from the ground at (x, z) along +x, this steep and this long. */
static inline void level_ramp(level *l, double x, double z, double degrees, double length, double half_width) {
    cm_quat q = level_turn(cm_v(0, 0, 1), degrees);
    cm_vec3 middle = cm_rotate(q, cm_v((cm_real)(length / 2), CM_REAL(-0.5), 0));
    level_piece_add(l, cm_add(middle, cm_v((cm_real)x, 0, (cm_real)z)),
                    cm_v((cm_real)(length / 2), CM_REAL(0.5), (cm_real)half_width), q);
}
/* Two walls that meet at this angle. */
static inline void level_corner(level *l, double x, double z, double degrees, double facing) {
    for (int side = 0; side < 2; side++) {
        cm_quat q = level_turn(cm_v(0, 1, 0), facing + (side ? degrees / 2 : -degrees / 2));
        cm_vec3 out = cm_rotate(q, cm_v(CM_REAL(1.5), 0, 0));
        level_piece_add(l, cm_add(cm_v((cm_real)x, CM_REAL(1.5), (cm_real)z), out),
                        cm_v(CM_REAL(1.5), CM_REAL(1.5), CM_REAL(0.1)), q);
    }
}

/* 40 by 40, the floor at 0, walls around it. */
static inline void level_pieces(level *l) {
    level_box(l, 0, -0.5, 0, 20.5, 0.5, 20.5);
    for (int i = 0; i < 4; i++)
        level_box(l, i < 2 ? (i ? 20.25 : -20.25) : 0, 3, i < 2 ? 0 : (i == 2 ? 20.25 : -20.25), i < 2 ? 0.25 : 20.5, 3,
                  i < 2 ? 20.5 : 0.25);
    for (int i = 0; i < 8; i++) /* a stair up, a landing, a steeper stair down, and a wall beside it */
        level_box(l, -16 + 0.3 * i, 0.1 * (i + 1), -15, 0.15, 0.1 * (i + 1), 1.5);
    level_box(l, -12, 0.8, -15, 1.75, 0.8, 1.5);
    for (int i = 0; i < 5; i++) level_box(l, -10.1 + 0.3 * i, 0.16 * (5 - i), -15, 0.15, 0.16 * (5 - i), 1.5);
    level_box(l, -12.5, 1.5, -16.75, 4, 1.5, 0.25);
    const double slopes[] = {10, 20, 35, 49, 51, 60, 75}; /* ramps side by side, within the limit and beyond */
    for (int i = 0; i < 7; i++) level_ramp(l, -4, -18 + 1.6 * i, slopes[i], 4, 0.8);
    const double angles[] = {20, 30, 45, 60, 90, 120, 135, 150}; /* corners, turned by a little each */
    for (int i = 0; i < 8; i++) level_corner(l, 3 + 4.2 * (i % 4), -17 + 5.0 * (i / 4), angles[i], 90 + 7 * i);
    for (int i = 0; i < 9; i++) /* pillars, some of them nearly too close to pass between */
        level_piece_add(l, cm_v((cm_real)(-16 + 0.95 * (i % 3)), 1, (cm_real)(-4 + 0.95 * (i / 3))),
                        cm_v(CM_REAL(0.15), 1, CM_REAL(0.15)), level_turn(cm_v(0, 1, 0), 13 * i));
    level_box(l, -8, 2.31, 0, 1.5, 0.5,
              1.5); /* ceilings: 1.81 high for movers of 1.8, too low, and falling to one side */
    level_box(l, -4, 2.0, 0, 1.5, 0.5, 1.5);
    level_piece_add(l, cm_v(0, CM_REAL(2.2), 0), cm_v(2, CM_REAL(0.3), CM_REAL(1.5)), level_turn(cm_v(0, 0, 1), 15));
    const double curbs[] = {0.02, 0.1, 0.2, 0.3, 0.36, 0.5, 0.8}; /* low walls, thin ones too */
    for (int i = 0; i < 7; i++) level_box(l, 6, curbs[i] / 2, -6 + 1.1 * i, 2, curbs[i] / 2, i % 2 ? 0.03 : 0.3);
    for (int i = 0; i < 3; i++) /* plates in the air, thin as paper */
        level_box(l, 12 + 2.4 * i, 0.3 + 0.3 * i, 0, 1, 0.005, 1);
    for (int i = 0; i < 6; i++) /* rubble */
        level_piece_add(l, cm_v((cm_real)(-15 + 1.3 * i), CM_REAL(0.1), 6),
                        cm_v(CM_REAL(0.4), CM_REAL(0.3), CM_REAL(0.4)),
                        cm_quat_mul(level_turn(cm_v(1, 0, 0), 17 * i), level_turn(cm_v(0, 0, 1), 11 * i)));
}

/* --- forms ----------------------------------------------------------------------------------------------------- */

static inline void level_add_object(level *l, cm_shape shape, const cm_pose *pose) {
    cm_world_object_desc object = {.shape = shape, .pose = *pose, .fixed = true, .layer = LEVEL_FIXED_LAYER};
    uint32_t id;
    assert_int_equal(cm_world_add(l->world, &object, &id, NULL), CM_OK);
}

static inline void piece_corners(const level_piece *p, cm_vec3 out[8]) {
    for (int k = 0; k < 8; k++)
        out[k] = cm_pose_apply(&p->pose, cm_v(k & 1 ? p->half.x : -p->half.x, k & 2 ? p->half.y : -p->half.y,
                                              k & 4 ? p->half.z : -p->half.z));
}

static inline void level_build_mesh(level *l) {
    static const uint32_t faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static cm_vec3 points[8 * LEVEL_PIECES];
    static uint32_t indices[36 * LEVEL_PIECES];
    for (int i = 0; i < l->count; i++) {
        piece_corners(&l->pieces[i], points + 8 * i);
        for (int k = 0; k < 36; k++) indices[36 * i + k] = faces[k] + 8 * (uint32_t)i;
    }
    l->mesh = mesh_of(&points[0].x, 8 * (uint32_t)l->count, indices, 12 * (uint32_t)l->count, true);
}

static inline void level_add_form(level *l, level_form form) {
    const cm_pose here = cm_pose_identity();
    if (form == LEVEL_MESH) {
        level_build_mesh(l);
        level_add_object(l, cm_make_mesh(l->mesh), &here);
        return;
    }
    static cm_compound_child children[LEVEL_PIECES];
    for (int i = 0; i < l->count; i++) {
        const level_piece *p = &l->pieces[i];
        children[i] = (cm_compound_child){.shape = cm_make_box(p->half), .pose = p->pose};
        if (form == LEVEL_BOXES) level_add_object(l, children[i].shape, &p->pose);
        if (form == LEVEL_HULLS) {
            cm_vec3 corners[8];
            piece_corners(p, corners);
            cm_hull_desc desc = {.points = &corners[0].x, .point_count = 8};
            assert_int_equal(cm_hull_build(&desc, NULL, &l->hulls[i], NULL), CM_OK);
            level_add_object(l, cm_make_hull(l->hulls[i]), &here);
        }
    }
    if (form == LEVEL_COMPOUND) {
        cm_compound_desc desc = {.children = children, .count = (uint32_t)l->count};
        assert_int_equal(cm_compound_build(&desc, NULL, &l->compound, NULL), CM_OK);
        level_add_object(l, cm_make_compound(l->compound), &here);
    }
}

/* --- platforms ------------------------------------------------------------------------------------------------- */

/* Two lifts, a sled along the ground with a thin deck, a turntable, a wall that pushes, and a press. */
static inline void level_platform_at(int i, int frame, cm_vec3 *half, cm_pose *pose) {
    double t = frame / 60.0, wave = sin(t), slow = sin(t / 3);
    *pose = cm_pose_identity();
    switch (i) {
    case 0:
        *half = cm_v(1, CM_REAL(0.1), 1), pose->position = cm_v(-14, (cm_real)(1.2 + wave), 12);
        break;
    case 1:
        *half = cm_v(1, CM_REAL(0.02), 1), pose->position = cm_v(-10, (cm_real)(1.5 + 1.4 * slow), 12);
        break;
    case 2:
        *half = cm_v(1, CM_REAL(0.05), 1), pose->position = cm_v((cm_real)(-2 + 4 * wave), CM_REAL(0.3), 12);
        break;
    case 3:
        *half = cm_v(2, CM_REAL(0.1), 2), pose->position = cm_v(6, CM_REAL(0.1), 12);
        pose->rotation = level_turn(cm_v(0, 1, 0), 40 * t);
        break;
    case 4:
        *half = cm_v(CM_REAL(0.2), 1, 2), pose->position = cm_v((cm_real)(14 + 3 * wave), CM_REAL(1.05), 10);
        break;
    default:
        *half = cm_v(1, CM_REAL(0.2), 1), pose->position = cm_v(14, (cm_real)(2.5 + 1.5 * wave), 15);
        break;
    }
}

static inline void level_add_platforms(level *l) {
    for (l->platform_count = 0; l->platform_count < LEVEL_PLATFORMS; l->platform_count++) {
        cm_world_object_desc object = {.layer = LEVEL_MOVING_LAYER};
        cm_vec3 half;
        level_platform_at(l->platform_count, 0, &half, &object.pose);
        object.shape = cm_make_box(half);
        assert_int_equal(cm_world_add(l->world, &object, &l->platforms[l->platform_count], NULL), CM_OK);
    }
}

static inline void level_move_platforms(level *l, int frame) {
    for (int i = 0; i < l->platform_count; i++) {
        cm_vec3 half;
        cm_pose pose, now;
        cm_motion motion;
        level_platform_at(i, frame, &half, &pose);
        assert_int_equal(cm_world_get_pose(l->world, l->platforms[i], &now), CM_OK);
        cm_motion_between(&now, &pose, &motion);
        assert_int_equal(cm_world_set_motion(l->world, l->platforms[i], &motion), CM_OK);
    }
    assert_int_equal(cm_world_update(l->world, &(cm_world_step){.hit = NULL}), CM_OK);
}

static inline void level_start(level *l) {
    *l = (level){.size = 1};
    assert_int_equal(cm_world_create(NULL, &l->world, NULL), CM_OK);
}
static inline void level_end(level *l) {
    cm_world_destroy(l->world);
    for (int i = 0; i < LEVEL_PIECES; i++) cm_hull_destroy(l->hulls[i], NULL);
    cm_mesh_destroy(l->mesh, NULL);
    cm_compound_destroy(l->compound, NULL);
}

#endif
