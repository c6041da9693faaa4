/* No ray slips through where triangles meet: closed meshes and height fields, at shared edges and corners, near the
 * origin and 1e5 away from it, through the public function. */
#include "support/fields.h"
#include "support/meshes.h"
#include "support/solids.h"

#include <math.h>

/* A corner, a point on an edge, or the very middle of one. */
static cm_vec3 seam_of(const cm_mesh *mesh, rng *r) {
    uint32_t corner[3];
    cm_mesh_corners(mesh, rng_below(r, cm_mesh_triangle_count(mesh)), corner);
    uint32_t k = rng_below(r, 3);
    cm_vec3 a = cm_mesh_points(mesh)[corner[k]], b = cm_mesh_points(mesh)[corner[(k + 1) % 3]];
    switch (rng_below(r, 3)) {
    case 0:
        return a;
    case 1:
        return cm_scale(cm_add(a, b), CM_REAL(0.5));
    default:
        return cm_lerp(a, b, CM_REAL(rng_unit(r)));
    }
}

/* A point inside the solid, exactly; false where 1000 tries find none. */
static bool inside_of(const cm_mesh *mesh, rng *r, cm_vec3 *out) {
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    cm_vec3 low = info.bounds.min, size = cm_sub(info.bounds.max, low);
    for (int i = 0; i < 1000; ++i) {
        double x = rng_unit(r), y = rng_unit(r), z = rng_unit(r);
        cm_vec3 p = cm_add(low, cm_v(size.x * CM_REAL(x), size.y * CM_REAL(y), size.z * CM_REAL(z)));
        bool on_surface = false;
        if (cm_mesh_winding(mesh, p, &on_surface) == 0 || on_surface) continue;
        *out = p;
        return true;
    }
    return false;
}

/* From points inside, whatever the direction, a ray must meet the surface. Counts the leaks. */
static int leaks_of(const cm_mesh *mesh, int rays, rng *r, int *shot) {
    cm_shape shape = cm_make_mesh(mesh);
    cm_pose none = cm_pose_identity();
    cm_vec3 from;
    int leaks = 0;
    for (int i = 0; i < rays; ++i) {
        if (i % 50 == 0 && !inside_of(mesh, r, &from)) return leaks;
        cm_ray ray = {from, cm_sub(seam_of(mesh, r), from), CM_REAL_MAX};
        cm_ray_hit hit;
        if (!cm_ray_is_valid(&ray)) continue;
        ++*shot;
        if (!cm_raycast(&ray, &shape, &none, &hit)) {
            ++leaks;
        } else if (!hit.inside) {
            ++leaks; /* it began within */
        }
    }
    return leaks;
}

/* The recorded mesh, moved by `by`: points are rounded, but each once, so the mesh stays closed. NULL without data. */
static cm_mesh *recorded_at(const char *name, cm_real by) {
    cm_mesh *plain = mesh_recorded(name, true);
    if (!plain || by == 0) return plain;
    uint32_t points = cm_mesh_point_count(plain), triangles = cm_mesh_triangle_count(plain);
    cm_vec3 *moved = malloc(points * sizeof *moved);
    uint32_t *indices = malloc((size_t)triangles * 3 * sizeof *indices);
    for (uint32_t i = 0; i < points; ++i) moved[i] = cm_add(cm_mesh_points(plain)[i], cm_v(by, -by, by));
    for (uint32_t t = 0; t < triangles; ++t) cm_mesh_corners(plain, t, indices + 3 * (size_t)t);
    cm_mesh_desc desc = {0};
    desc.points = &moved[0].x, desc.point_stride = sizeof *moved, desc.point_count = points;
    desc.indices = indices, desc.triangle_count = triangles, desc.weld = -1, desc.solid = true;
    cm_mesh *mesh = NULL;
    cm_status status = cm_mesh_build(&desc, NULL, &mesh, NULL);
    if (status != CM_OK) fail_msg("%s moved: %s", name, cm_status_text(status));
    free(indices);
    free(moved);
    cm_mesh_destroy(plain, NULL);
    return mesh;
}

static void no_ray_leaks_through_the_seams_of_real_closed_meshes(void **state) {
    (void)state;
    static const char *const names[] = {"robot_panda/hand.stl",   "robot_panda/link0.stl",    "robot_panda/link5.stl",
                                        "robot_panda/finger.stl", "robot_solo/solo_foot.obj", "common/spot.obj"};
    rng r = rng_start("real", 80);
    if (!data_path("meshes")) skip();
    int total = 0, rays = samples(100000, 10000000) / 12;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        for (int far = 0; far < 2; ++far) {
            cm_mesh *mesh = recorded_at(names[i], far ? CM_REAL(1e5) : 0);
            int shot = 0, leaks = leaks_of(mesh, rays, &r, &shot);
            check_that(leaks == 0, "%s%s: %d of %d rays leak", names[i], far ? " far away" : "", leaks, shot);
            check_that(far || shot > rays / 2, "%s: only %d rays", names[i], shot);
            total += shot;
            cm_mesh_destroy(mesh, NULL);
        }
    }
    print_message("  %d rays\n", total);
}

/* Corners on a lattice: rays from lattice points at lattice points meet edges and corners exactly. */
static void no_ray_leaks_where_it_meets_edges_and_corners_exactly(void **state) {
    (void)state;
    rng r = rng_start("lattice", 81);
    int leaks = 0, shot = 0, rays = samples(100000, 10000000);
    for (int round = 0; shot < rays; ++round) {
        int cells = 2 + (int)rng_below(&r, 5);
        cm_real half = (cm_real)cells / 2, by = round % 2 ? 100000 : 0;
        soup s = {0};
        soup_add_box(&s, cm_v(by - half, -by - half, by - half), cm_v(by + half, -by + half, by + half), cells,
                     rng_below(&r, 2), false);
        cm_mesh *mesh = soup_build(&s, true);
        cm_shape shape = cm_make_mesh(mesh);
        cm_pose none = cm_pose_identity();
        for (int i = 0; i < 1000; ++i, ++shot) {
            uint32_t k[6];
            for (int j = 0; j < 6; ++j) k[j] = 1 + rng_below(&r, (uint32_t)cells - 1);
            uint32_t side = rng_below(&r, 2) ? 0 : (uint32_t)cells; /* on the surface */
            k[3 + rng_below(&r, 3)] = side;
            cm_vec3 base = cm_v(by - half, -by - half, by - half);
            cm_vec3 from = cm_add(base, cm_v((cm_real)k[0], (cm_real)k[1], (cm_real)k[2]));
            cm_vec3 aim = cm_add(base, cm_v((cm_real)k[3], (cm_real)k[4], (cm_real)k[5]));
            cm_ray ray = {from, cm_sub(aim, from), CM_REAL_MAX};
            cm_ray_hit hit;
            bool found = cm_raycast(&ray, &shape, &none, &hit);
            /* the box is convex: the aim is the one point of the surface ahead */
            leaks += !found || !(cm_abs(hit.t - 1) <= 4 * CM_REAL_EPSILON) || !hit.inside;
            ray.max = CM_REAL(0.999);
            leaks += cm_raycast(&ray, &shape, &none, &hit);
        }
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(leaks == 0, "%d of %d rays leak", leaks, shot);
}

/* --- height fields ------------------------------------------------------------------------------------------------ */

static cm_real part_of(cm_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* A line that passes from above the highest to below the lowest point without leaving the ground's rectangle must meet
 * a field without holes. Aimed at a seam well within, it goes no farther aside on its way on than on its way there. */
static void no_ray_leaks_through_the_seams_of_a_height_field(void **state) {
    (void)state;
    static const int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
    rng r = rng_start("fields", 82);
    int leaks = 0, shot = 0, rays = samples(100000, 10000000);
    for (int round = 0; shot < rays; ++round) {
        field_twin t;
        double by = round % 2 ? 1e5 : 0, size = by > 0 ? rng_log_range(&r, 1, 1e4) : rng_log_range(&r, 1e-3, 1e4);
        field_twin_random(&t, (field_kind)(round % FIELD_KINDS), 40, size, cm_v((cm_real)by, (cm_real)by, (cm_real)-by),
                          &r);
        if (t.holes || t.desc.columns < 6 || t.desc.rows < 6) {
            field_twin_free(&t);
            continue;
        }
        cm_shape shape = cm_make_height_field(t.field);
        cm_pose none = cm_pose_identity();
        cm_height_field_info info;
        cm_height_field_get_info(t.field, &info);
        const int *axis = axes[t.desc.ground];
        cm_real tall = part_of(info.bounds.max, axis[2]) - part_of(info.bounds.min, axis[2]);
        for (int i = 0; i < 500; ++i) {
            cm_vec3 aim = field_twin_aim(&t, &r);
            cm_real p[3] = {aim.x, aim.y, aim.z}, rise = (tall + (cm_real)size) * (i % 2 ? 2 : -2);
            for (int k = 0; k < 2; ++k) {
                cm_real left = p[axis[k]] - part_of(info.bounds.min, axis[k]);
                cm_real room = cm_min(left, part_of(info.bounds.max, axis[k]) - p[axis[k]]);
                if (i % 4 != 0) p[axis[k]] += CM_REAL(rng_range(&r, -0.9, 0.9)) * room;
            }
            p[axis[2]] += rise;
            cm_ray ray = {cm_v(p[0], p[1], p[2]), cm_v(0, 0, 0), CM_REAL_MAX};
            ray.direction = cm_sub(aim, ray.origin);
            cm_ray_hit hit;
            ++shot;
            leaks += !cm_raycast(&ray, &shape, &none, &hit) || hit.inside;
        }
        field_twin_free(&t);
    }
    check_that(leaks == 0, "%d of %d rays leak", leaks, shot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_ray_leaks_through_the_seams_of_real_closed_meshes),
        cmocka_unit_test(no_ray_leaks_where_it_meets_edges_and_corners_exactly),
        cmocka_unit_test(no_ray_leaks_through_the_seams_of_a_height_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
