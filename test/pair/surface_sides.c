/* Contacts of surfaces from either side: flush with a wall, in a corner of a room, on ridges and in valleys of any
 * angle, on plates thinner than bodies are large; and what a box stands on has support under all its corners. */
#include "support/shapes.h"
#include "support/solids.h"

#include "pair/surface.h"

#include <math.h>

enum { FOUND = 2048 };
static cm_manifold found[FOUND];

static cm_quat turn_about(int axis, double angle) {
    cm_real v[3] = {0, 0, 0};
    v[axis] = CM_REAL(sin(angle / 2));
    cm_quat q = {v[0], v[1], v[2], CM_REAL(cos(angle / 2))};
    return q;
}

/* Boxes that stand with one side flush with the wall of a table, but for a little: the table holds them from below. */
static void what_stands_flush_with_a_wall_is_held_by_the_top(void **state) {
    (void)state;
    rng r = rng_start("flush", 311);
    for (int i = 0; i < samples(2000, 50000); i++) {
        soup s = {NULL, 0, 0};
        const bool solid = i % 3 == 0, inward = i % 3 == 1;
        soup_add_box(&s, cm_v(-2, -2, -1), cm_v(2, 2, 0), 1 + (int)rng_below(&r, 9), rng_below(&r, 2), inward);
        cm_pose home = i % 2 ? rng_pose(&r, 2) : cm_pose_identity();
        cm_mesh *mesh = soup_build(&s, solid);
        cm_shape table = cm_make_mesh(mesh), body = cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.25), CM_REAL(0.375)));
        const double depth = rng_log_range(&r, 1e-4, 1e-2);
        static const double shift[6] = {0, 2.4e-7, -2.4e-7, 1e-5, -1e-5, 4e-4};
        cm_pose pose = cm_pose_identity();
        pose.position = cm_v(CM_REAL(1.5 + shift[rng_below(&r, 6)]),
                             CM_REAL(rng_below(&r, 2) ? 1.75 : rng_range(&r, -1.7, 1.7)), CM_REAL(0.375 - depth));
        cm_pose about = {cm_v(0, 0, 0), turn_about(2, 1.5707963267948966 * rng_below(&r, 4))};
        cm_pose at = cm_pose_mul(&home, &about);
        pose = cm_pose_mul(&at, &pose);
        cm_vec3 up = cm_rotate(home.rotation, cm_v(0, 0, 1));
        int count = cm_contact(&table, &home, &body, &pose, 0, found, FOUND);
        check_that(count > 0, "%d: none", i);
        double deepest = -1;
        for (int m = 0; m < count; m++) {
            double off = (double)cm_length(cm_sub(found[m].normal, up));
            check_that(off < 1e-3, "%d: %g deep, normal off by %g, told %g", i, depth, off,
                       (double)found[m].points[0].depth);
            for (int k = 0; k < found[m].count; k++) deepest = fmax(deepest, (double)found[m].points[k].depth);
        }
        check_that(fabs(deepest - depth) < 0.01 * depth + 1e-5, "%d: %g deep, told %g", i, depth, deepest);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* A corner of a room, cut at random; a box in it, shallow in the floor and in one wall or none. */
static void boxes_in_a_room_are_held_by_floor_and_wall_under_all_corners(void **state) {
    (void)state;
    rng r = rng_start("room", 312);
    for (int i = 0; i < samples(2000, 50000); i++) {
        const int cells = 1 + (int)rng_below(&r, 12);
        soup s = {NULL, 0, 0};
        soup_add_box(&s, cm_v(-2, -2, 0), cm_v(2, 2, 4), cells, rng_below(&r, 2), rng_below(&r, 2)); /* seen from in */
        cm_mesh *mesh = soup_build(&s, false);
        cm_pose home = i % 2 ? rng_pose(&r, 2) : cm_pose_identity();
        cm_shape room = cm_make_mesh(mesh);
        const double hx = rng_range(&r, 0.2, 0.8), hy = rng_range(&r, 0.2, 0.8), hz = rng_range(&r, 0.2, 0.8);
        const double depth = rng_log_range(&r, 1e-4, 1e-2), wall = rng_log_range(&r, 1e-4, 1e-2);
        const bool both = rng_below(&r, 2);
        cm_shape body = cm_make_box(cm_v(CM_REAL(hx), CM_REAL(hy), CM_REAL(hz)));
        cm_pose pose = {
            cm_v(CM_REAL(both ? 2 - hx + wall : 1.9 - hx), CM_REAL(rng_range(&r, -1, 1)), CM_REAL(hz - depth)),
            turn_about(2, both ? 0 : 0.05)};
        pose.position.x -= both ? 0 : CM_REAL(0.1);
        cm_pose at = cm_pose_mul(&home, &pose);
        int count = cm_contact(&room, &home, &body, &at, 0, found, FOUND), corners = 0;
        double floor_depth = -1, wall_depth = -1;
        for (int m = 0; m < count; m++) {
            cm_vec3 n = cm_unrotate(home.rotation, found[m].normal);
            const bool up = (double)cm_length(cm_sub(n, cm_v(0, 0, 1))) < 1e-3;
            const bool aside = (double)cm_length(cm_sub(n, cm_v(-1, 0, 0))) < 1e-3;
            check_that(up || (both && aside), "%d: normal %g %g %g", i, (double)n.x, (double)n.y, (double)n.z);
            for (int k = 0; k < found[m].count; k++) {
                double *most = up ? &floor_depth : &wall_depth;
                *most = fmax(*most, (double)found[m].points[k].depth);
                cm_vec3 own = cm_pose_unapply(&at, found[m].points[k].point_b);
                const bool x = fabs(fabs((double)own.x) - hx) < (both ? 1.1 * wall + 1e-4 : 1e-4);
                const bool y = fabs(fabs((double)own.y) - hy) < 1e-4;
                if (up && x && y) corners |= 1 << ((own.x > 0) + 2 * (own.y > 0));
            }
        }
        check_that(fabs(floor_depth - depth) < 0.01 * depth + 1e-5, "%d: floor %g, told %g", i, depth, floor_depth);
        check_that(!both || fabs(wall_depth - wall) < 0.01 * wall + 1e-5, "%d: wall %g, told %g", i, wall, wall_depth);
        check_that(corners == 15, "%d (%d cells, wall %d): support under corners %x", i, cells, both,
                   (unsigned)corners);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* Two slopes that meet along y at x = 0, `bend` is how far each falls (rises, < 0) to its side. */
static cm_shape slopes(rng *r, double bend, bool field, cm_mesh **mesh, cm_height_field **grid) {
    enum { CELLS = 12 };
    *mesh = NULL, *grid = NULL;
    if (field) {
        cm_real heights[(CELLS + 1) * (CELLS + 1)];
        for (int k = 0; k <= CELLS; k++)
            for (int i = 0; i <= CELLS; i++)
                heights[k * (CELLS + 1) + i] = CM_REAL(-fabs(i - CELLS / 2.) * 0.5 * tan(bend));
        cm_height_field_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.heights = heights, desc.columns = desc.rows = CELLS + 1;
        desc.column_spacing = desc.row_spacing = CM_REAL(0.5);
        desc.origin = cm_v(-CELLS / 4, -CELLS / 4, 0);
        assert_int_equal(cm_height_field_build(&desc, NULL, grid, NULL), CM_OK);
        return cm_make_height_field(*grid);
    }
    soup s = {NULL, 0, 0};
    double at[CELLS + 1];
    for (int i = 0; i <= CELLS; i++) at[i] = (i - CELLS / 2 + (i % (CELLS / 2) ? rng_range(r, -0.4, 0.4) : 0)) * 0.5;
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++) {
            cm_vec3 p[4];
            for (int j = 0; j < 4; j++) {
                const double x = at[i + (j == 1 || j == 2)] * cos(bend), y = (k + (j > 1)) * 0.5 - 3;
                p[j] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(-fabs(x) * tan(bend)));
            }
            soup_add_quad(&s, p[0], p[1], p[2], p[3], rng_below(r, 2));
        }
    *mesh = soup_build(&s, false);
    return cm_make_mesh(*mesh);
}

/* Ridges have the normals between those of their slopes, valleys only these; from below it is the other way round. */
static void ridges_and_valleys_of_any_angle_have_their_normals(void **state) {
    (void)state;
    rng r = rng_start("slopes", 313);
    int ridges = 0, valleys = 0;
    const int drawn = samples(10000, 300000);
    for (int i = 0; i < drawn; i++) {
        const double bend = rng_range(&r, 0.001, 1.0) * (i % 2 ? 1 : -1);
        const bool below = rng_below(&r, 2);
        cm_mesh *mesh;
        cm_height_field *grid;
        cm_shape ground = slopes(&r, bend, i % 3 == 0, &mesh, &grid);
        cm_hull *hull = hull_random(10, 0.7, &r);
        cm_shape body = i % 5 == 0   ? cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.4), CM_REAL(0.3)))
                        : i % 5 == 1 ? cm_make_hull(hull)
                        : i % 5 == 2
                            ? cm_make_capsule(cm_v(CM_REAL(-0.4), 0, 0), cm_v(CM_REAL(0.4), 0, 0), CM_REAL(0.2))
                        : i % 5 == 3 ? cm_make_cylinder(CM_REAL(0.4), CM_REAL(0.3))
                                     : cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.4));
        cm_pose home = i % 4 ? rng_pose(&r, 2) : cm_pose_identity(), pose = rng_pose(&r, 0);
        pose.position = cm_v(CM_REAL(rng_range(&r, -0.5, 0.5)), CM_REAL(rng_range(&r, -1, 1)), below ? -6 : 6);
        if (rng_below(&r, 3) == 0) pose.rotation = turn_about((int)rng_below(&r, 3), bend * (double)rng_below(&r, 2));
        pose = cm_pose_mul(&home, &pose);
        const double depth = rng_log_range(&r, 1e-4, 1e-2);
        cm_witness w;
        /* down until it touches, then as deep along that normal */
        cm_vec3 down = cm_rotate(home.rotation, cm_v(0, 0, below ? 1 : -1));
        for (int k = 0; k < 60; k++) {
            cm_real d = cm_distance(&ground, &home, &body, &pose, CM_REAL_MAX, &w);
            if (!(d > CM_REAL(1e-5))) break;
            pose.position = cm_mul_add(pose.position, d, down);
        }
        cm_distance(&ground, &home, &body, &pose, CM_REAL_MAX, &w);
        pose.position = cm_mul_add(pose.position, -CM_REAL(depth) - w.distance, w.normal);
        int count = cm_contact(&ground, &home, &body, &pose, 0, found, FOUND);
        check_that((count > 0) == cm_overlap(&ground, &home, &body, &pose), "%d: %d contacts", i, count);
        const double sign = below ? -1 : 1;
        const cm_vec3 n1 = cm_v(CM_REAL(-sign * sin(bend)), 0, CM_REAL(sign * cos(bend)));
        const cm_vec3 n2 = cm_v(CM_REAL(sign * sin(bend)), 0, CM_REAL(sign * cos(bend)));
        for (int m = 0; m < count; m++) {
            const cm_vec3 n = cm_unrotate(home.rotation, found[m].normal);
            double off = fmin((double)cm_length(cm_sub(n, n1)), (double)cm_length(cm_sub(n, n2)));
            if ((bend > 0) != below) { /* a ridge */
                const double lean = fabs(atan2((double)n.x, sign * (double)n.z));
                if (lean <= fabs(bend)) off = fabs((double)n.y), ++ridges;
            } else {
                ++valleys;
            }
            check_that(off < 1e-3, "%d: kind %d, bend %g, below %d: %g %g %g, told %g of %g, part %u", i, i % 5, bend,
                       below, (double)n.x, (double)n.y, (double)n.z, (double)found[m].points[0].depth, depth,
                       found[m].part_a);
        }
        cm_hull_destroy(hull, NULL);
        cm_mesh_destroy(mesh, NULL), cm_height_field_destroy(grid, NULL);
    }
    check_that(ridges > drawn / 10 && valleys > drawn / 10, "%d contacts on ridges, %d in valleys", ridges, valleys);
}

/* An open surface of waves. Capsules whose axes are above it lie over crests, their ends over slopes whose planes are
 * above their middle: they are held from below alone, and stop when they go down. */
static void long_bodies_over_waves_are_held_from_below(void **state) {
    (void)state;
    enum { CELLS = 40 };
    soup s = {NULL, 0, 0};
    cm_vec3 grid[CELLS + 1][CELLS + 1];
    for (int i = 0; i <= CELLS; i++)
        for (int k = 0; k <= CELLS; k++)
            grid[i][k] = cm_v(CM_REAL(i * 0.5), CM_REAL(k * 0.5), CM_REAL(0.15 * (sin(i * 1.3) + cos(k * 0.9))));
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++)
            soup_add_quad(&s, grid[i][k], grid[i + 1][k], grid[i + 1][k + 1], grid[i][k + 1], false);
    cm_mesh *mesh = soup_build(&s, false);
    const cm_shape ground = cm_make_mesh(mesh);
    const cm_shape body = cm_make_capsule(cm_v(CM_REAL(-0.5), 0, 0), cm_v(CM_REAL(0.5), 0, 0), CM_REAL(0.3));
    const cm_motion still = {.start = cm_pose_identity()};
    rng r = rng_start("waves", 317);
    int held = 0;
    for (int i = 0; i < samples(600, 20000); i++) {
        cm_motion motion = {.start = cm_pose_identity(), .move = cm_v(0, 0, CM_REAL(-0.5))};
        motion.start.position = cm_v(CM_REAL(rng_range(&r, 3, 17)), CM_REAL(rng_range(&r, 3, 17)), CM_REAL(0.301));
        const int count = cm_contact(&ground, &still.start, &body, &motion.start, 0, found, FOUND);
        for (int m = 0; m < count; m++)
            check_that(found[m].normal.z > 0, "%d: normal %g %g %g", i, (double)found[m].normal.x,
                       (double)found[m].normal.y, (double)found[m].normal.z);
        cm_sweep_hit hit;
        if (count == 0) continue;
        ++held;
        check_that(cm_sweep(&body, &motion, &ground, &still, &hit) && hit.blocking, "%d: goes down", i);
        motion.move.z = CM_REAL(0.5);
        check_that(!cm_sweep(&body, &motion, &ground, &still, &hit) || !hit.blocking, "%d: is held from above", i);
    }
    check_that(held > 100, "%d held", held);
    cm_mesh_destroy(mesh, NULL);
}

/* A closed plate, 2 thousandths thick, a surface or a solid: what stands on it, up to three quarters through, is pushed
 * back to its side. */
static void thin_plates_push_back(void **state) {
    (void)state;
    rng r = rng_start("plates", 314);
    for (int i = 0; i < samples(3000, 100000); i++) {
        soup s = {NULL, 0, 0};
        const bool solid = i % 3 == 0;
        soup_add_box(&s, cm_v(-2, -2, CM_REAL(-0.001)), cm_v(2, 2, CM_REAL(0.001)), 1 + (int)rng_below(&r, 7),
                     rng_below(&r, 2), !solid && i % 3 == 1);
        cm_mesh *mesh = soup_build(&s, solid);
        cm_shape plate = cm_make_mesh(mesh);
        cm_shape body = i % 2 ? cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.4), CM_REAL(0.3)))
                              : cm_make_cylinder(CM_REAL(0.5), CM_REAL(0.3));
        cm_pose home = i % 4 ? rng_pose(&r, 1) : cm_pose_identity(), pose = cm_pose_identity();
        const double depth = rng_range(&r, 0.0001, 0.0015), side = rng_below(&r, 2) ? 1 : -1;
        pose.position =
            cm_v(CM_REAL(rng_range(&r, -2.1, 2.1)), CM_REAL(rng_range(&r, -1.9, 1.9)), CM_REAL(side * (0.301 - depth)));
        pose.rotation = turn_about(2, rng_range(&r, -3, 3));
        pose = cm_pose_mul(&home, &pose);
        cm_vec3 up = cm_scale(cm_rotate(home.rotation, cm_v(0, 0, 1)), CM_REAL(side));
        int count = cm_contact(&plate, &home, &body, &pose, 0, found, FOUND);
        check_that(count > 0, "%d: none", i);
        for (int m = 0; m < count; m++) {
            double off = (double)cm_length(cm_sub(found[m].normal, up));
            check_that(off < 3e-3, "%d: %g deep from %g (solid %d): normal off by %g, told %g, part %u", i, depth, side,
                       solid, off, (double)found[m].points[0].depth, found[m].part_a);
        }
        cm_mesh_destroy(mesh, NULL);
    }
}

/* Small bodies around one face of a large box, their middle just behind it: a solid pushes them out through its front,
 * a surface has them on its other side. */
static void what_is_behind_a_face_leaves_a_solid_by_its_front(void **state) {
    (void)state;
    rng r = rng_start("behind", 315);
    for (int i = 0; i < samples(2000, 50000); i++) {
        soup s = {NULL, 0, 0};
        const bool solid = i % 2;
        soup_add_box(&s, cm_v(-2, -2, -2), cm_v(2, 2, 2), 1 + (int)rng_below(&r, 3), rng_below(&r, 2), false);
        cm_mesh *mesh = soup_build(&s, solid);
        cm_shape box = cm_make_mesh(mesh);
        cm_shape body = i % 3 ? cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.2), CM_REAL(0.1)))
                              : cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.1));
        cm_pose home = i % 4 < 2 ? rng_pose(&r, 1) : cm_pose_identity();
        const double behind = rng_range(&r, 0.001, 0.09);
        cm_pose pose = {cm_v(CM_REAL(rng_range(&r, -1.2, 1.2)), CM_REAL(rng_range(&r, -1.2, 1.2)), CM_REAL(2 - behind)),
                        turn_about(2, rng_range(&r, -3, 3))};
        pose = cm_pose_mul(&home, &pose);
        cm_vec3 up = cm_rotate(home.rotation, cm_v(0, 0, solid ? 1 : -1));
        int count = cm_contact(&box, &home, &body, &pose, 0, found, FOUND);
        check_that(count > 0, "%d: none", i);
        double deepest = -1, truth = solid ? 0.1 + behind : 0.1 - behind;
        for (int m = 0; m < count; m++) {
            double off = (double)cm_length(cm_sub(found[m].normal, up));
            check_that(off < 1e-3, "%d (solid %d): %g behind, normal off by %g", i, solid, behind, off);
            for (int k = 0; k < found[m].count; k++) deepest = fmax(deepest, (double)found[m].points[k].depth);
        }
        check_that(fabs(deepest - truth) < 1e-4, "%d (solid %d): %g deep, told %g", i, solid, truth, deepest);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* A ball or a point with its center on a face of a slab, as exactly as numbers can be: whichever side rounding puts it
 * on, the way out is the face's. */
static void what_is_centered_on_a_face_leaves_a_solid_by_it(void **state) {
    (void)state;
    rng r = rng_start("on a face", 316);
    for (int i = 0; i < samples(3000, 100000); i++) {
        const double hx = rng_range(&r, 0.3, 1), hy = rng_range(&r, 0.3, 1), hz = rng_range(&r, 0.05, 0.25);
        cm_mesh *mesh = solid_box(CM_REAL(hx), CM_REAL(hy), CM_REAL(hz), 1 + (int)rng_below(&r, 4), rng_below(&r, 2));
        cm_shape slab = cm_make_mesh(mesh);
        cm_shape body = cm_make_sphere(cm_v(0, 0, 0), i % 3 == 0 ? 0 : CM_REAL(rng_range(&r, 0.005, 0.6)));
        cm_pose home = i % 5 ? rng_pose(&r, 2) : cm_pose_identity();
        const double depth = (double)body.radius;
        cm_pose at = cm_pose_identity();
        at.position = cm_pose_apply(
            &home, cm_v(CM_REAL(hx * rng_range(&r, -0.6, 0.6)), CM_REAL(hy * rng_range(&r, -0.6, 0.6)), CM_REAL(hz)));
        if (i % 2) at.rotation = rng_rotation(&r);
        cm_vec3 up = cm_rotate(home.rotation, cm_v(0, 0, 1));
        cm_witness w;
        double d = (double)cm_distance(&slab, &home, &body, &at, CM_REAL_MAX, &w);
        check_that(fabs(d + depth) < 1e-5, "%d: distance %g, radius %g", i, d, depth);
        if (!(d <= 0)) { /* a point, by rounding */
            cm_mesh_destroy(mesh, NULL);
            continue;
        }
        double off = (double)cm_length(cm_sub(w.normal, up));
        check_that(off < 1e-3, "%d: radius %g, distance %g, its normal is off by %g", i, depth, d, off);
        int count = cm_contact(&slab, &home, &body, &at, 0, found, FOUND);
        check_that(count > 0, "%d: none", i);
        for (int m = 0; m < count; m++) {
            off = (double)cm_length(cm_sub(found[m].normal, up));
            check_that(off < 1e-3, "%d: radius %g, a contact's normal is off by %g", i, depth, off);
        }
        cm_mesh_destroy(mesh, NULL);
    }
}

/* A flat triangle that lies in a face of a solid, a rounding over it or under it, lies before it: it leaves by the
 * face's outward normal, from all margins. */
static void what_is_flat_leaves_a_solid_by_the_face_that_it_lies_in(void **state) {
    (void)state;
    rng r = rng_start("flat on a solid", 307);
    int met = 0, count = samples(2000, 200000);
    for (int i = 0; i < count; i++) {
        cm_mesh *mesh = solid_box(1, CM_REAL(0.7), CM_REAL(0.5), 1 + i % 3, rng_below(&r, 2));
        cm_shape slab = cm_make_mesh(mesh), flat;
        cm_vec3 corner[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = rng_vec3(&r, 0.6);
            corner[k].z = CM_REAL(0.5);
        }
        cm_pose home = i % 4 ? rng_pose(&r, 3) : cm_pose_identity(), at = home;
        if (i % 2) { /* its corners given in the world, each rounded on its own */
            for (int k = 0; k < 3; k++) corner[k] = cm_pose_apply(&home, corner[k]);
            at = cm_pose_identity();
        }
        flat = cm_make_triangle(corner[0], corner[1], corner[2]);
        const cm_vec3 up = cm_rotate(home.rotation, cm_v(0, 0, 1));
        const int found_ones =
            cm_contact(&slab, &home, &flat, &at, 16 * CM_REAL_EPSILON * (rng_below(&r, 2) ? 4 : 0), found, FOUND);
        met += found_ones > 0;
        for (int m = 0; m < found_ones; m++)
            check_that((double)cm_dot(found[m].normal, up) > 0.99, "%d: contact %d of %d: %g %g %g for %g %g %g", i, m,
                       found_ones, (double)found[m].normal.x, (double)found[m].normal.y, (double)found[m].normal.z,
                       (double)up.x, (double)up.y, (double)up.z);
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(met > count / 2, "%d of %d are met", met, count);
}

/* (x, y, z) with its axes exchanged in turn, so that handedness stays. */
static cm_vec3 cycled(int axis, double x, double y, double z) {
    const double v[3] = {x, y, z};
    return cm_v(CM_REAL(v[(3 - axis) % 3]), CM_REAL(v[(4 - axis) % 3]), CM_REAL(v[(5 - axis) % 3]));
}

/* A sheet whose left half is folded back over itself: a body above is in front of the bare half, but behind what lies
 * below the flap, of one triangle that reaches below it as well. For a ball the side of its center counts. Of two
 * places that differ in one coordinate alone each has its own answer, whichever is asked first. */
static void below_a_flap_the_other_side_is_touched(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        soup s = {0};
        soup_add_quad(&s, cycled(axis, -1, -1, 0), cycled(axis, 1, -1, 0), cycled(axis, 1, 1, 0),
                      cycled(axis, -1, 1, 0), false);
        soup_add_quad(&s, cycled(axis, -1, -1, 0), cycled(axis, -1, 1, 0), cycled(axis, -1, 1, 0.5),
                      cycled(axis, -1, -1, 0.5), false);
        soup_add_quad(&s, cycled(axis, -1, -1, 0.5), cycled(axis, -1, 1, 0.5), cycled(axis, 0, 1, 0.5),
                      cycled(axis, 0, -1, 0.5), false);
        cm_mesh *mesh = soup_build(&s, false);
        const cm_shape sheet = cm_make_mesh(mesh);
        const cm_vec3 covered = cycled(axis, -0.75, -0.875, 0), bare = cycled(axis, 0.75, -0.875, 0);
        const cm__point up = cm__point_of(cycled(axis, 0, 0, 1)),
                        places[2] = {cm__point_of(covered), cm__point_of(bare)};
        uint32_t number = 0; /* the triangle of the sheet with both places */
        for (uint32_t t = 0; t < cm_mesh_triangle_count(mesh); t++) {
            const cm_triangle c = mesh_triangle(mesh, t).u.triangle;
            const cm__point corners[3] = {cm__point_of(c.a), cm__point_of(c.b), cm__point_of(c.c)};
            bool flat = true, has = false;
            for (int i = 0; i < 3; i++) {
                flat = flat && cm__point_dot(up, corners[i]) == 0;
                has = has || cm__point_equal(corners[i], cm__point_of(cycled(axis, 1, -1, 0)));
            }
            if (flat && has) number = t;
        }
        const cm_triangle t = mesh_triangle(mesh, number).u.triangle;
        const cm_aabb box = {cm_v(-2, -2, -2), cm_v(2, 2, 2)};
        for (int k = 0; k < 4; k++) {
            cm__surface view;
            cm__surface_of(&sheet, cm__point_of(cycled(axis, 0.25, 0.125, 1)), &box, &view);
            view.ball = k / 2;
            for (int i = 0; i < 2; i++) {
                const int place = (i + k) % 2;
                cm__point normal;
                assert_true(cm__surface_normal(&view, number, &t, places[place], &normal));
                const double side = place == 0 && !view.ball ? -1 : 1, is = cm__point_dot(normal, up);
                check_that(is == side, "axis %d, %s%s: %g", axis, place ? "bare" : "covered",
                           view.ball ? ", a ball" : "", is);
            }
        }
        cm_mesh_destroy(mesh, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_flush_with_a_wall_is_held_by_the_top),
        cmocka_unit_test(boxes_in_a_room_are_held_by_floor_and_wall_under_all_corners),
        cmocka_unit_test(ridges_and_valleys_of_any_angle_have_their_normals),
        cmocka_unit_test(long_bodies_over_waves_are_held_from_below),
        cmocka_unit_test(thin_plates_push_back),
        cmocka_unit_test(what_is_behind_a_face_leaves_a_solid_by_its_front),
        cmocka_unit_test(what_is_centered_on_a_face_leaves_a_solid_by_it),
        cmocka_unit_test(below_a_flap_the_other_side_is_touched),
        cmocka_unit_test(what_is_flat_leaves_a_solid_by_the_face_that_it_lies_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
