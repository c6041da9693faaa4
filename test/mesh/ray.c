/* Rays against meshes: the recorded truth, and no leak at the seams of closed meshes. */
#include "mesh/kernel.h"
#include "mesh/ray.h"
#include "support/meshes.h"

#include <jansson.h>
#include <math.h>

static bool shoot(const cm_mesh *mesh, cm_vec3 o, cm_vec3 d, cm_real max, cm__mesh_hit *hit) {
    bool found = cm__mesh_ray(mesh, o, d, max, hit);
    if (!found) return false;
    check_that(hit->t >= 0 && hit->t <= (double)max, "t %g", hit->t);
    double sum = hit->weight[0] + hit->weight[1] + hit->weight[2];
    check_that(fabs(sum - 1) < 1e-12, "the weights sum to %g", sum);
    for (int k = 0; k < 3; ++k) check_that(hit->weight[k] >= 0, "weight %d is %g", k, hit->weight[k]);
    return true;
}

static void a_box_is_hit_from_outside_inside_and_on_its_face(void **state) {
    (void)state;
    cm_mesh *box = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    cm_real q = CM_REAL(0.25), h = CM_REAL(0.5);
    cm__mesh_hit hit;
    assert_true(shoot(box, cm_v(-2, q, h), cm_v(2, 0, 0), CM_REAL_MAX, &hit));
    assert_true(hit.t == 1 && hit.side == 1);
    assert_true(shoot(box, cm_v(q, q, h), cm_v(1, 0, 0), CM_REAL_MAX, &hit));
    assert_true(hit.t == 0.75 && hit.side == -1);
    assert_true(shoot(box, cm_v(1, q, h), cm_v(1, 0, 0), CM_REAL_MAX, &hit)); /* from the surface, outwards */
    assert_true(hit.t == 0 && hit.side == -1);
    assert_false(shoot(box, cm_v(1 + CM_REAL_EPSILON, q, h), cm_v(1, 0, 0), CM_REAL_MAX, &hit));
    assert_true(shoot(box, cm_v(-2, q, h), cm_v(1, 0, 0), 2, &hit)); /* reaches it exactly */
    assert_false(shoot(box, cm_v(-2, q, h), cm_v(1, 0, 0), CM_REAL(1.999), &hit));
    assert_true(shoot(box, cm_v(-2, q, 1), cm_v(1, 0, 0), CM_REAL_MAX, &hit)); /* within the plane of a face */
    assert_true(hit.t == 2);
    assert_true(shoot(box, cm_v(-2, 1, 1), cm_v(1, 0, 0), CM_REAL_MAX, &hit)); /* along an edge */
    assert_true(hit.t == 2);
    assert_true(shoot(box, cm_v(2, 2, 2), cm_v(-1, -1, -1), CM_REAL_MAX, &hit)); /* at a corner */
    assert_true(hit.t == 1);
    assert_false(shoot(box, cm_v(-2, q, h), cm_v(-1, 0, 0), CM_REAL_MAX, &hit));
    assert_false(shoot(box, cm_v(-2, 3, 3), cm_v(1, 0, 0), CM_REAL_MAX, &hit));
    cm_mesh_destroy(box, NULL);
}

/* A number of many bits within [-2, 2]. Small multiples and sums of such are exact. */
static cm_real many_bits(rng *r) {
    const int bits = sizeof(cm_real) == 4 ? 17 : 46;
    return CM_REAL(ldexp(floor(ldexp(rng_range(r, -2, 2), bits)), -bits));
}

/* Within the plane z = 0, by what is exact: toward a corner from any side, along an edge, and from a corner. Then the
 * ray meets the triangle k steps from its origin at the latest. */
static void a_ray_within_a_face_meets_what_it_touches(void **state) {
    (void)state;
    rng r = rng_start("rays within a face", 26);
    const uint32_t corners[3] = {0, 1, 2};
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < samples(4000, 400000); ++i) {
        cm_vec3 p[3];
        for (int k = 0; k < 3; ++k) p[k] = cm_v(many_bits(&r), many_bits(&r), 0);
        cm_mesh *mesh = mesh_of(&p[0].x, 3, corners, 1, false);
        const cm_shape triangle = cm_make_triangle(p[0], p[1], p[2]), surface = cm_make_mesh(mesh);
        const cm_vec3 along = cm_sub(p[1], p[0]), any = cm_v(many_bits(&r), many_bits(&r), 0);
        const cm_real steps = CM_REAL(rng_below(&r, 4));
        cm_ray ray = {{0, 0, 0}, rng_below(&r, 2) ? along : any, CM_REAL_MAX};
        ray.origin = cm_mul_add(p[0], -steps, ray.direction);
        cm_ray_hit hit[2];
        const cm_shape *const shapes[2] = {&triangle, &surface};
        for (int k = 0; k < 2; ++k) {
            check_that(cm_raycast(&ray, shapes[k], &home, &hit[k]), "%d, shape %d: from %.17g %.17g along %.17g %.17g",
                       i, k, (double)ray.origin.x, (double)ray.origin.y, (double)ray.direction.x,
                       (double)ray.direction.y);
            check_that(hit[k].t <= steps * (1 + CM_REAL_EPSILON), "%.17g after %g", (double)hit[k].t, (double)steps);
        }
        assert_true(hit[0].t == hit[1].t);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* At a point of a triangle, exactly, after a whole number of its direction, which may be short beside it: a time errs
 * by ulps of the triangle's size, too. */
static void a_ray_that_ends_on_the_surface_reaches_it(void **state) {
    (void)state;
    rng r = rng_start("rays that end on a surface", 29);
    const uint32_t corners[3] = {0, 1, 2};
    const cm_pose home = cm_pose_identity();
    int rays = 0;
    for (int i = 0; i < samples(4000, 400000); ++i) {
        cm_vec3 p[3];
        for (int k = 0; k < 3; ++k) p[k] = cm_v(many_bits(&r), many_bits(&r), many_bits(&r));
        const cm_vec3 d =
            cm_scale(cm_v(many_bits(&r), many_bits(&r), many_bits(&r)), rng_below(&r, 2) ? CM_REAL(0.0625) : 1);
        const cm_vec3 n = cm_cross(cm_sub(p[1], p[0]), cm_sub(p[2], p[0])),
                      middle = cm_add(p[0], cm_scale(cm_sub(p[1], p[0]), CM_REAL(0.5)));
        const cm_real sides = cm_length(cm_sub(p[1], p[0])) * cm_length(cm_sub(p[2], p[0]));
        if (cm_length(n) < CM_REAL(0.2) * sides) continue; /* thin: its plane is less certain */
        if (cm_abs(cm_dot(n, d)) < CM_REAL(0.2) * cm_length(n) * cm_length(d)) continue;
        const cm_real steps = CM_REAL(1 + rng_below(&r, 3));
        cm_mesh *mesh = mesh_of(&p[0].x, 3, corners, 1, false);
        const cm_shape shapes[2] = {cm_make_triangle(p[0], p[1], p[2]), cm_make_mesh(mesh)};
        const cm_ray ray = {cm_mul_add(rng_below(&r, 2) ? middle : p[2], -steps, d), d, steps};
        for (int k = 0; k < 2; ++k) {
            cm_ray_hit hit;
            check_that(cm_raycast(&ray, &shapes[k], &home, &hit), "%d, shape %d", i, k);
            const cm_real known = 16 * CM_REAL_EPSILON * (steps + 2 / cm_largest(d));
            check_that(hit.t <= steps && hit.t >= steps - known, "%d, shape %d: %.17g, not %g", i, k, (double)hit.t,
                       (double)steps);
        }
        ++rays;
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(rays * 8 > samples(4000, 400000), "%d rays", rays);
}

/* Corners (0, 0), (1 + e, 1), (1, 1 - e): twice the area is e^2, which in double is lost beside 1. The line passes z =
 * 0 at (1/2 + e/4, 1/2 - e/4), halfway between the two long edges, or on the other side. */
static void a_triangle_whose_normal_rounds_to_zero_is_hit(void **state) {
    (void)state;
    const cm_real e = CM_REAL_EPSILON, h = CM_REAL(0.5);
    const cm_real points[] = {0, 0, 0, 1 + e, 1, 0, 1, 1 - e, 0};
    const uint32_t corners[3] = {0, 1, 2};
    cm_mesh *thin = mesh_of(points, 3, corners, 1, false);
    cm__mesh_hit hit;
    assert_true(shoot(thin, cm_v(h, h, 1), cm_v(e / 2, -e / 2, -2), CM_REAL_MAX, &hit));
    check_that(fabs(hit.t - 0.5) < 1e-15 && hit.side == -1, "t %.17g, side %d", hit.t, hit.side);
    double x = hit.weight[1] * (double)points[3] + hit.weight[2] * (double)points[6];
    check_that(fabs(x - 0.5) < 1e-6, "the weights make x = %g", x);
    assert_true(shoot(thin, cm_v(h, h, -1), cm_v(e / 2, -e / 2, 2), CM_REAL_MAX, &hit));
    check_that(fabs(hit.t - 0.5) < 1e-15 && hit.side == 1, "t %.17g, side %d", hit.t, hit.side);
    assert_false(shoot(thin, cm_v(h, h, 1), cm_v(-e / 2, e / 2, -2), CM_REAL_MAX, &hit));
    assert_false(shoot(thin, cm_v(h, h, -1), cm_v(e / 2, -e / 2, -2), CM_REAL_MAX, &hit));
    cm_mesh_destroy(thin, NULL);
}

/* From inside, or through it from far: aimed at corners, edges and anything, every ray meets a closed mesh. */
static void no_ray_leaks_through_the_seams_of_a_closed_mesh(void **state) {
    (void)state;
    rng r = rng_start("rays", 51);
    int leaks = 0, rays = samples(100000, 10000000), round = 0;
    while (round < rays) {
        cm_real offset = rng_below(&r, 2) ? 0 : CM_REAL(1e5);
        cm_vec3 center = cm_v(offset, -offset, offset);
        cm_mesh *ball = mesh_ball(center, 1, 1 + (int)rng_below(&r, 3), true);
        uint32_t n = cm_mesh_triangle_count(ball);
        for (int i = 0; i < 2000; ++i, ++round) {
            cm_triangle t = cm__mesh_triangle(ball, rng_below(&r, n));
            cm_vec3 aim = t.a;
            if (i % 3 == 1) aim = cm_scale(cm_add(t.a, t.b), CM_REAL(0.5));
            if (i % 3 == 2) aim = cm_lerp(t.b, t.c, CM_REAL(rng_unit(&r)));
            /* from near the middle the line certainly leaves the ball, whatever the aim rounds to */
            cm_vec3 from = cm_add(center, rng_vec3(&r, 0.25)), d = cm_sub(aim, from);
            if (i % 5 == 0) from = cm_mul_add(center, -CM_REAL(100), cm_sub(aim, center)), d = cm_sub(center, from);
            cm__mesh_hit hit;
            leaks += !cm__mesh_ray(ball, from, d, CM_REAL_MAX, &hit);
        }
        cm_mesh_destroy(ball, NULL);
    }
    check_that(leaks == 0, "%d of %d rays leak", leaks, rays);
}

/* Against every triangle, one after the other, in meshes of one triangle each. */
static void the_first_hit_is_the_first_over_all_triangles(void **state) {
    (void)state;
    rng r = rng_start("rays", 52);
    cm_mesh *mesh = mesh_recorded("robot_panda/hand.stl", false);
    if (!mesh) skip();
    uint32_t n = cm_mesh_triangle_count(mesh);
    cm_mesh **alone = malloc(n * sizeof *alone);
    const uint32_t corners[3] = {0, 1, 2};
    for (uint32_t t = 0; t < n; ++t) {
        cm_triangle c = cm__mesh_triangle(mesh, t);
        alone[t] = mesh_of(&c.a.x, 3, corners, 1, false);
    }
    int hits = 0, rays = samples(3000, 100000);
    for (int i = 0; i < rays; ++i) {
        cm_vec3 aim = cm_mesh_points(mesh)[rng_below(&r, cm_mesh_point_count(mesh))];
        cm_vec3 o = rng_vec3(&r, 0.3), d = cm_sub(cm_add(aim, rng_vec3(&r, i % 2 ? 0 : 0.03)), o);
        cm__mesh_hit hit, one, best;
        bool found = shoot(mesh, o, d, CM_REAL_MAX, &hit), truth = false;
        for (uint32_t t = 0; t < n; ++t)
            if (shoot(alone[t], o, d, CM_REAL_MAX, &one) &&
                (!truth || one.t < best.t || (one.t == best.t && best.side == 0 && one.side != 0)))
                best = one, best.triangle = t, truth = true;
        check_that(found == truth, "ray %d: hit %d, truly %d", i, found, truth);
        bool any = cm__mesh_ray(mesh, o, d, CM_REAL_MAX, NULL);
        check_that(any == truth, "ray %d: any hit %d, truly %d", i, any, truth);
        if (truth)
            check_that(hit.t == best.t && hit.triangle == best.triangle, "ray %d: %g, truly %g", i, hit.t, best.t);
        hits += truth;
    }
    check_that(hits > rays / 2 && hits < rays, "%d of %d hit", hits, rays);
    for (uint32_t t = 0; t < n; ++t) cm_mesh_destroy(alone[t], NULL);
    free(alone);
    cm_mesh_destroy(mesh, NULL);
}

static cm_vec3 vector_of(const json_t *array) {
    return cm_v(CM_REAL(json_number_value(json_array_get(array, 0))),
                CM_REAL(json_number_value(json_array_get(array, 1))),
                CM_REAL(json_number_value(json_array_get(array, 2))));
}

/* Exact for the double build. The float build rounds points, origins and directions first: there a ray at a silhouette
 * may pass, so it is asked for the distance of those that hit a face head-on ("random"). */
static void the_recorded_rays_have_their_exact_first_hits(void **state) {
    (void)state;
    const char *path = data_path("mesh_truth.json");
    if (!path) skip();
    json_t *root = json_load_file(path, 0, NULL), *rays = json_object_get(root, "rays"), *ray;
    size_t i, asked = 0;
    json_array_foreach(rays, i, ray) {
        const char *kind = json_string_value(json_object_get(ray, "kind"));
        bool exact = sizeof(cm_real) == sizeof(double);
        if (!exact && strcmp(kind, "random") != 0) continue;
        cm_mesh *mesh = mesh_recorded(json_string_value(json_object_get(ray, "mesh")), false);
        cm__mesh_hit hit;
        bool found = shoot(mesh, vector_of(json_object_get(ray, "origin")), vector_of(json_object_get(ray, "dir")),
                           CM_REAL_MAX, &hit);
        bool truth = json_is_true(json_object_get(ray, "hit"));
        check_that(found == truth, "ray %zu (%s): hit %d, truly %d", i, kind, found, truth);
        if (truth) {
            double t = json_number_value(json_object_get(ray, "t"));
            check_that(fabs(hit.t - t) <= (exact ? 1e-12 : 1e-4) * (1 + t), "ray %zu (%s): t %.17g, truly %.17g", i,
                       kind, hit.t, t);
            const json_t *tris = json_object_get(ray, "tris");
            bool named = false;
            for (size_t k = 0; k < json_array_size(tris); ++k)
                named = named || (uint32_t)json_integer_value(json_array_get(tris, k)) == hit.triangle;
            check_that(named, "ray %zu (%s): triangle %u", i, kind, hit.triangle);
        }
        ++asked;
        cm_mesh_destroy(mesh, NULL);
    }
    print_message("  %zu of %zu rays\n", asked, json_array_size(rays));
    json_decref(root);
}

/* Rays of all kinds: at anything, from near and far, along axes, short ones, and some that are none. */
static cm_ray any_ray(rng *r, int i) {
    cm_ray ray;
    cm_real far = i % 7 == 0 ? CM_REAL(1e4) : 1;
    ray.origin = cm_scale(rng_vec3(r, 1.5), far);
    ray.direction = cm_sub(rng_vec3(r, 1), i % 2 ? ray.origin : cm_v(0, 0, 0));
    if (i % 11 == 0) ray.direction.x = 0;
    if (i % 13 == 0) ray.direction.z = ray.direction.y = 0;
    if (i % 17 == 0) ray.direction = cm_scale(ray.direction, i % 2 ? CM_REAL(1e-25) : CM_REAL(1e12));
    if (i % 19 == 0) ray.direction = cm_v(0, 0, 0);
    if (i % 23 == 0) ray.origin.y = CM_REAL_MAX;
    ray.max = i % 3 == 0 ? CM_REAL(rng_unit(r)) : CM_REAL_MAX;
    return ray;
}

static bool same_vec3(cm_vec3 a, cm_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
static bool same_hit(const cm_ray_hit *a, const cm_ray_hit *b) {
    return a->t == b->t && a->exit == b->exit && same_vec3(a->point, b->point) && same_vec3(a->normal, b->normal) &&
           a->inside == b->inside && a->part == b->part;
}

enum { MANY = 3001 };

static void many_rays_are_answered_as_single_ones(void **state) {
    (void)state;
    rng r = rng_start("rays", 53);
    cm_mesh *meshes[2] = {mesh_ball(cm_v(0, 0, 0), 1, 4, true), mesh_ball(cm_v(0, 0, 0), 1, 4, false)};
    cm_shape shapes[3] = {cm_make_mesh(meshes[0]), cm_make_mesh(meshes[1]), cm_make_box(cm_v(1, 1, CM_REAL(0.5)))};
    cm_pose pose = cm_pose_identity();
    pose.position = cm_v(CM_REAL(0.25), 0, CM_REAL(-0.125));
    pose.rotation = cm_quat_normalize((cm_quat){CM_REAL(0.1), CM_REAL(0.2), CM_REAL(0.3), 1});
    static cm_ray rays[MANY];
    static cm_ray_hit hits[MANY];
    static bool met[MANY], any[MANY];
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < MANY; ++i) rays[i] = any_ray(&r, i);
        memset(hits, 0x55, sizeof hits);
        uint32_t count = cm_raycast_many(rays, MANY, &shapes[k], &pose, met, hits), truly = 0, within = 0;
        for (int i = 0; i < MANY; ++i) {
            cm_ray_hit one;
            memset(&one, 0x55, sizeof one);
            bool hit = cm_raycast(&rays[i], &shapes[k], &pose, &one);
            check_that(hit == met[i], "shape %d ray %d: %d among many, %d alone", k, i, met[i], hit);
            if (hit)
                check_that(same_hit(&hits[i], &one), "shape %d ray %d: t %g, alone %g", k, i, (double)hits[i].t,
                           (double)one.t);
            else
                check_that(memcmp(&hits[i], &one, sizeof one) == 0, "shape %d ray %d was written to", k, i);
            truly += hit;
            within += hit && one.inside;
        }
        check_that(count == truly && truly > MANY / 4 && truly < MANY, "%u of %d, truly %u", count, MANY, truly);
        check_that(k == 1 || within > 100, "%u start within", within);
        check_that(cm_raycast_many(rays, MANY, &shapes[k], &pose, any, NULL) == truly, "shape %d: any hit", k);
        assert_memory_equal(any, met, sizeof met);
        check_that(cm_raycast_many(rays, MANY, &shapes[k], &pose, NULL, NULL) == truly, "shape %d: only counted", k);
    }
    memset(any, 1, sizeof any);
    pose.rotation.w = CM_REAL_MAX;
    assert_int_equal(cm_raycast_many(rays, MANY, &shapes[0], &pose, any, NULL), 0);
    for (int i = 0; i < MANY; ++i) assert_false(any[i]);
    assert_int_equal(cm_raycast_many(NULL, 0, &shapes[0], &pose, NULL, NULL), 0);
    for (int k = 0; k < 2; ++k) cm_mesh_destroy(meshes[k], NULL);
}

static void every_instruction_set_gives_the_same_hits(void **state) {
    (void)state;
    const cm__mesh_kernel *kernel = cm__mesh_kernel_get(), *base = &cm__mesh_kernel_base;
    print_message("  %s beside %s\n", kernel->name, base->name);
    rng r = rng_start("rays", 54);
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 5, true);
    static cm__mesh_ray_job jobs[MANY];
    for (int i = 0; i < MANY; ++i) {
        cm_ray ray = any_ray(&r, i);
        if (!cm_ray_is_valid(&ray)) ray.origin = cm_v(0, 0, 0), ray.direction = cm_v(0, 0, -1);
        if (i % 3 == 2) ray.origin = rng_vec3(&r, 0.9);
        jobs[i].origin = ray.origin, jobs[i].direction = ray.direction, jobs[i].max = ray.max;
        jobs[i].ask = i % 3 ? CM__MESH_FIRST : CM__MESH_ANY;
        if (i % 3 == 2 && i % 2) cm__mesh_ask_winding(ray.origin, &jobs[i]);
    }
    kernel->rays(ball, jobs, MANY);
    int hits = 0, turns = 0;
    for (int i = 0; i < MANY; ++i) {
        cm__mesh_ray_job one = jobs[i];
        base->ray(ball, one.origin, one.direction, &one);
        check_that(one.found == jobs[i].found && one.turns == jobs[i].turns, "ray %d: found %d, turns %d", i,
                   jobs[i].found, jobs[i].turns);
        hits += one.found, turns += one.turns;
        if (!one.found || one.ask != CM__MESH_FIRST) continue;
        check_that(one.hit.t == jobs[i].hit.t && one.hit.triangle == jobs[i].hit.triangle &&
                       one.hit.side == jobs[i].hit.side,
                   "ray %d: t %g and %g", i, one.hit.t, jobs[i].hit.t);
    }
    check_that(hits > MANY / 3 && turns > 100, "%d hits, %d turns", hits, turns);
    cm_mesh_destroy(ball, NULL);
}

/* Against the exact test of every face, and the exact winding of every face: where floats prove on which sides of the
 * line a triangle's corners lie, the walk takes their word for it. Half of the origins lie on a face up to rounding,
 * where only the exact sign tells whether it is ahead. */
static void what_floats_prove_is_what_exact_signs_tell(void **state) {
    (void)state;
    const cm__mesh_kernel *kernels[2] = {cm__mesh_kernel_get(), &cm__mesh_kernel_base};
    rng r = rng_start("rays", 55);
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 2, true);
    const uint32_t n = cm_mesh_triangle_count(ball), *numbers = cm__mesh_numbers(ball);
    int rays = samples(4000, 200000), sides[3] = {0, 0, 0}, misses = 0, inside = 0;
    for (int i = 0; i < rays; ++i) {
        cm_triangle from = cm__mesh_triangle(ball, rng_below(&r, n)), to = cm__mesh_triangle(ball, rng_below(&r, n));
        cm_real u = CM_REAL(rng_unit(&r)), v = CM_REAL(rng_unit(&r));
        cm_vec3 o = i % 2 ? cm_lerp(cm_lerp(from.a, from.b, u), from.c, v) : rng_vec3(&r, 1.5);
        cm_vec3 d = i % 3 == 0 ? cm_sub(cm_lerp(to.a, to.b, u), o) : rng_vec3(&r, 1);
        if (cm_largest(d) == 0) continue;
        cm__ray_line line = {cm__point_of(o), cm__point_of(d), (double)CM_REAL_MAX};
        cm__ray_shear shear;
        cm__mesh_hit one, best = {.side = 0};
        bool truth = false, on_surface = false;
        int turns = 0;
        cm__ray_shear_of(&line, ball->point_reach, &shear);
        for (uint32_t place = 0; place < n; ++place) {
            const cm__face face = cm__mesh_face(ball, place);
            turns += cm__mesh_winding_face(o, &face, &on_surface);
            if (!cm__ray_hits(&line, &shear, &face, &one)) continue;
            one.triangle = numbers[place];
            if (!truth || cm__ray_hit_is_before(&one, &best)) best = one;
            truth = true;
        }
        for (int k = 0; k < 2; ++k) {
            cm__mesh_ray_job first, any, around;
            first.origin = o, first.direction = d, first.max = CM_REAL_MAX, first.ask = CM__MESH_FIRST;
            any = first, any.ask = CM__MESH_ANY;
            kernels[k]->ray(ball, first.origin, first.direction, &first);
            kernels[k]->ray(ball, any.origin, any.direction, &any);
            check_that(first.found == truth && any.found == truth, "ray %d: first %d, any %d, truly %d", i, first.found,
                       any.found, truth);
            if (truth)
                check_that(first.hit.t == best.t && first.hit.side == best.side && first.hit.triangle == best.triangle,
                           "ray %d: t %.17g, side %d, truly %.17g, %d", i, first.hit.t, first.hit.side, best.t,
                           best.side);
            cm__mesh_ask_winding(o, &around);
            kernels[k]->ray(ball, around.origin, around.direction, &around);
            check_that(around.found == on_surface, "ray %d: on the surface %d, truly %d", i, around.found, on_surface);
            if (!on_surface) check_that(around.turns == turns, "ray %d: turns %d, truly %d", i, around.turns, turns);
        }
        if (truth) ++sides[best.side + 1];
        misses += !truth, inside += turns != 0;
    }
    check_that(sides[0] > rays / 8 && sides[2] > rays / 8 && misses > rays / 8 && inside > rays / 8,
               "%d from behind, %d from the front, %d misses, %d inside", sides[0], sides[2], misses, inside);
    cm_mesh_destroy(ball, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_hit_from_outside_inside_and_on_its_face),
        cmocka_unit_test(a_ray_within_a_face_meets_what_it_touches),
        cmocka_unit_test(a_ray_that_ends_on_the_surface_reaches_it),
        cmocka_unit_test(a_triangle_whose_normal_rounds_to_zero_is_hit),
        cmocka_unit_test(no_ray_leaks_through_the_seams_of_a_closed_mesh),
        cmocka_unit_test(the_first_hit_is_the_first_over_all_triangles),
        cmocka_unit_test(many_rays_are_answered_as_single_ones),
        cmocka_unit_test(every_instruction_set_gives_the_same_hits),
        cmocka_unit_test(what_floats_prove_is_what_exact_signs_tell),
        cmocka_unit_test(the_recorded_rays_have_their_exact_first_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
