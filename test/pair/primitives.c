/* The typed tests on plain structs: random ones against the distance of the same two as shapes, which is checked by
 * oracles elsewhere; what they convert and bound, against corners and points. */
#include "support/support.h"

#include <math.h>

/* Rounding of some ten operations on numbers below 10; whatever is nearer to touching is not asked. */
#define BAND (256 * (double)CM_REAL_EPSILON)

/* A plain struct as a shape. */
typedef struct placed {
    cm_shape shape;
    cm_pose pose;
} placed;

typedef struct sample {
    cm_sphere sphere[2];
    cm_capsule capsule[2];
    cm_obb obb[2];
    cm_aabb aabb[2];
    cm_triangle triangle[2];
    cm_plane plane;
    cm_vec3 point, move[2];
} sample;

static placed placed_local(cm_shape shape) {
    placed p = {shape, cm_pose_identity()};
    return p;
}
static placed placed_obb(const cm_obb *b) {
    placed p = {cm_make_box(b->half), {b->center, b->rotation}};
    return p;
}
static placed placed_aabb(const cm_aabb *b) {
    placed p = placed_local(cm_make_box(cm_aabb_half(b)));
    p.pose.position = cm_aabb_center(b);
    return p;
}
static placed placed_sphere(const cm_sphere *s) { return placed_local(cm_make_sphere(s->center, s->radius)); }
static placed placed_capsule(const cm_capsule *c) { return placed_local(cm_make_capsule(c->a, c->b, c->radius)); }
static placed placed_triangle(const cm_triangle *t) { return placed_local(cm_make_triangle(t->a, t->b, t->c)); }
static placed placed_halfspace(const cm_plane *p) { return placed_local(cm_make_halfspace(p->normal, p->d)); }
static placed placed_point(cm_vec3 p) { return placed_local(cm_make_point(p)); }

static double apart(const placed *a, const placed *b) {
    return (double)cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, NULL);
}
static placed moved(placed p, cm_vec3 move, double u) {
    p.pose.position = cm_mul_add(p.pose.position, CM_REAL(u), move);
    return p;
}

static sample sample_random(rng *r) {
    sample s;
    for (int k = 0; k < 2; k++) {
        s.sphere[k].center = rng_vec3(r, 1.5), s.sphere[k].radius = CM_REAL(rng_range(r, 0, 1));
        s.capsule[k].a = rng_vec3(r, 1.5), s.capsule[k].b = rng_vec3(r, 1.5);
        s.capsule[k].radius = CM_REAL(rng_range(r, 0, 0.5));
        s.obb[k].center = rng_vec3(r, 1.5), s.obb[k].half = cm_vec3_abs(rng_vec3(r, 1));
        s.obb[k].rotation = rng_rotation(r);
        s.aabb[k] = cm_aabb_from_center(rng_vec3(r, 1.5), cm_vec3_abs(rng_vec3(r, 1)));
        s.triangle[k].a = rng_vec3(r, 1.5), s.triangle[k].b = rng_vec3(r, 1.5), s.triangle[k].c = rng_vec3(r, 1.5);
        s.move[k] = rng_vec3(r, 3);
    }
    s.plane.normal = rng_direction(r), s.plane.d = CM_REAL(rng_range(r, -2, 2));
    s.point = rng_vec3(r, 1.5);
    return s;
}

/* --- at rest ----------------------------------------------------------------------------------------------------- */

static int yes_count, no_count;

static void expect_overlap(const char *what, bool is, double distance) {
    if (fabs(distance) <= BAND) return;
    check_that(is == (distance < 0), "%s: %d at %g", what, is, distance);
    ++*(is ? &yes_count : &no_count);
}

/* The tests of two structs: a, b, their numbers in a sample; whether there is an overlap, a contact, a sweep. */
#define TYPED_LIST(X)                                                                                                  \
    X(sphere, sphere, 0, 1, yes, yes, yes)                                                                             \
    X(sphere, aabb, 0, 0, yes, yes, yes)                                                                               \
    X(sphere, obb, 0, 0, yes, yes, yes)                                                                                \
    X(sphere, capsule, 0, 0, yes, no, yes)                                                                             \
    X(sphere, triangle, 0, 0, yes, yes, yes)                                                                           \
    X(capsule, capsule, 0, 1, yes, yes, yes)                                                                           \
    X(aabb, aabb, 0, 1, yes, yes, no)                                                                                  \
    X(obb, obb, 0, 1, yes, yes, yes)                                                                                   \
    X(triangle, triangle, 0, 1, yes, no, no)                                                                           \
    X(triangle, aabb, 0, 0, yes, no, no)
#define WHERE_yes(call) call;
#define WHERE_no(call)
#define WHERE_OVERLAP(a, b, i, k, overlap, contact, sweep) WHERE_##overlap(OVERLAP(a, b, i, k))
#define WHERE_CONTACT(a, b, i, k, overlap, contact, sweep) WHERE_##contact(CONTACT(a, b, i, k))
#define WHERE_SWEEP(a, b, i, k, overlap, contact, sweep)   WHERE_##sweep(SWEEP(a, b, i, k))

#define OVERLAP(a, b, i, k)                                                                                            \
    do {                                                                                                               \
        placed a_ = placed_##a(&s.a[i]), b_ = placed_##b(&s.b[k]);                                                     \
        expect_overlap(#a " and " #b, cm_overlap_##a##_##b(&s.a[i], &s.b[k]), apart(&a_, &b_));                        \
    } while (0)
#define OVERLAP_POINT(b)                                                                                               \
    do {                                                                                                               \
        placed a_ = placed_point(s.point), b_ = placed_##b(&s.b[0]);                                                   \
        expect_overlap("point and " #b, cm_overlap_point_##b(s.point, &s.b[0]), apart(&a_, &b_));                      \
    } while (0)

static void typed_overlaps_agree_with_the_distance_of_shapes(void **state) {
    (void)state;
    rng r = rng_start("typed overlaps", 81);
    yes_count = no_count = 0;
    for (int i = 0; i < samples(3000, 300000); i++) {
        sample s = sample_random(&r);
        OVERLAP_POINT(sphere);
        OVERLAP_POINT(capsule);
        OVERLAP_POINT(aabb);
        OVERLAP_POINT(obb);
        TYPED_LIST(WHERE_OVERLAP)
        placed ball = placed_sphere(&s.sphere[0]), ground = placed_halfspace(&s.plane);
        expect_overlap("sphere and half-space", cm_overlap_sphere_halfspace(&s.sphere[0], &s.plane),
                       apart(&ball, &ground));
    }
    assert_true(yes_count > 0 && no_count > 0);
}

/* A plane has two sides: what reaches to both is cut. */
static void planes_cut_what_has_corners_on_both_sides(void **state) {
    (void)state;
    rng r = rng_start("planes", 82);
    for (int i = 0; i < samples(3000, 300000); i++) {
        sample s = sample_random(&r);
        const placed boxes[2] = {placed_aabb(&s.aabb[0]), placed_obb(&s.obb[0])};
        const bool cut[2] = {cm_overlap_aabb_plane(&s.aabb[0], &s.plane), cm_overlap_obb_plane(&s.obb[0], &s.plane)};
        for (int k = 0; k < 2; k++) {
            double low = 1e9, high = -1e9;
            for (int c = 0; c < 8; c++) {
                cm_vec3 h = boxes[k].shape.u.box;
                cm_vec3 corner = cm_v(c & 1 ? h.x : -h.x, c & 2 ? h.y : -h.y, c & 4 ? h.z : -h.z);
                double d = (double)cm_distance_point_plane(cm_pose_apply(&boxes[k].pose, corner), &s.plane);
                low = fmin(low, d), high = fmax(high, d);
            }
            expect_overlap(k ? "turned box and plane" : "box and plane", cut[k], fmax(low, -high));
        }
        double d = (double)cm_distance_point_plane(s.sphere[0].center, &s.plane);
        expect_overlap("sphere and plane", cm_overlap_sphere_plane(&s.sphere[0], &s.plane),
                       fabs(d) - (double)s.sphere[0].radius);
        if (fabs(d) > BAND) assert_int_equal(cm_side_point_plane(s.sphere[0].center, &s.plane), d > 0 ? 1 : -1);
    }
    cm_plane floor_plane = {{0, 0, 1}, 0};
    assert_int_equal(cm_side_point_plane(cm_v(3, 4, 0), &floor_plane), 0);
}

/* The depth is that of the distance, and moving B by it along the normal brings them to touching. */
static void expect_contact(const char *what, bool is, const cm_manifold *m, const placed *a, const placed *b) {
    double distance = apart(a, b);
    expect_overlap(what, is, distance);
    if (!is) return;
    double deepest = -1e9;
    assert_true(m->count >= 1 && m->count <= 8);
    for (int k = 0; k < m->count; k++) deepest = fmax(deepest, (double)m->points[k].depth);
    check_that(fabs(deepest + distance) <= BAND, "%s: depth %g at distance %g", what, deepest, distance);
    placed away = moved(*b, m->normal, deepest);
    double left = apart(a, &away);
    check_that(fabs(left) <= BAND, "%s: %g after moving by the depth of %g", what, left, deepest);
    if (a->shape.kind == CM_SHAPE_POINT || a->shape.kind == CM_SHAPE_SEGMENT) { /* round: points lie on the surface */
        placed on = placed_point(m->points[0].point_a);
        check_that(fabs(apart(a, &on)) <= BAND, "%s: point_a is %g off", what, apart(a, &on));
    }
}

#define CONTACT(a, b, i, k)                                                                                            \
    do {                                                                                                               \
        placed a_ = placed_##a(&s.a[i]), b_ = placed_##b(&s.b[k]);                                                     \
        cm_manifold m_;                                                                                                \
        bool is_ = cm_contact_##a##_##b(&s.a[i], &s.b[k], &m_);                                                        \
        expect_contact(#a " and " #b, is_, &m_, &a_, &b_);                                                             \
    } while (0)

static void typed_contacts_part_by_their_depth(void **state) {
    (void)state;
    rng r = rng_start("typed contacts", 83);
    for (int i = 0; i < samples(3000, 300000); i++) {
        sample s = sample_random(&r);
        TYPED_LIST(WHERE_CONTACT)
        placed ball = placed_sphere(&s.sphere[0]), ground = placed_halfspace(&s.plane);
        cm_manifold m;
        bool is = cm_contact_sphere_halfspace(&s.sphere[0], &s.plane, &m);
        expect_contact("sphere and half-space", is, &m, &ball, &ground);
        if (is) assert_true((double)cm_length(cm_add(m.normal, s.plane.normal)) <= BAND);
    }
}

/* --- in motion ---------------------------------------------------------------------------------------------------- */

/* Apart until `first`, touching then; never touching where there is no hit. */
static void expect_sweep(const char *what, bool is, const cm_sweep_hit *hit, placed a, cm_vec3 move_a, placed b,
                         cm_vec3 move_b) {
    double until = is ? (double)hit->first : 1, start = apart(&a, &b);
    if (fabs(start) <= BAND) return;
    check_that(!is || (hit->start == CM_SWEEP_OVERLAPPING) == (start < 0), "%s: starts at %g", what, start);
    if (is && start < 0) {
        assert_true(hit->first == 0);
        return;
    }
    check_that(is || start > 0, "%s: missed, though overlapping at the start", what);
    for (int k = 0; k <= 16; k++) {
        double u = until * k / 16;
        placed at_a = moved(a, move_a, u), at_b = moved(b, move_b, u);
        double d = apart(&at_a, &at_b);
        check_that(d >= -16 * BAND, "%s: %g deep at %g, first contact %g (%d)", what, -d, u, until, is);
        if (is && k == 16) check_that(d <= 16 * BAND, "%s: %g apart at the first contact, %g", what, d, until);
    }
}

#define SWEEP(a, b, i, k)                                                                                              \
    do {                                                                                                               \
        cm_sweep_hit hit_;                                                                                             \
        bool is_ = cm_sweep_##a##_##b(&s.a[i], s.move[0], &s.b[k], s.move[1], &hit_);                                  \
        expect_sweep(#a " and " #b, is_, &hit_, placed_##a(&s.a[i]), s.move[0], placed_##b(&s.b[k]), s.move[1]);       \
    } while (0)

static void typed_sweeps_end_at_touching(void **state) {
    (void)state;
    rng r = rng_start("typed sweeps", 84);
    for (int i = 0; i < samples(1000, 100000); i++) {
        sample s = sample_random(&r);
        s.sphere[0].center = cm_add(s.sphere[0].center, rng_vec3(&r, 3)); /* most apart at the start */
        s.capsule[0].a = cm_sub(s.capsule[0].a, s.move[0]), s.capsule[0].b = cm_sub(s.capsule[0].b, s.move[0]);
        TYPED_LIST(WHERE_SWEEP)
        cm_sweep_hit hit;
        bool is = cm_sweep_sphere_halfspace(&s.sphere[0], s.move[0], &s.plane, &hit);
        expect_sweep("sphere and half-space", is, &hit, placed_sphere(&s.sphere[0]), s.move[0],
                     placed_halfspace(&s.plane), cm_v(0, 0, 0));
        /* a plane is met from the side on which the box is */
        cm_plane side = s.plane;
        if (cm_distance_point_plane(cm_aabb_center(&s.aabb[0]), &side) < 0)
            side.normal = cm_neg(side.normal), side.d = -side.d;
        is = cm_sweep_aabb_plane(&s.aabb[0], s.move[0], &s.plane, &hit);
        if (cm_overlap_aabb_plane(&s.aabb[0], &s.plane))
            check_that(is && hit.first == 0, "a box in a plane: %d", is);
        else
            expect_sweep("box and plane", is, &hit, placed_aabb(&s.aabb[0]), s.move[0], placed_halfspace(&side),
                         cm_v(0, 0, 0));
    }
}

/* --- rays --------------------------------------------------------------------------------------------------------- */

static cm_vec3 along(const cm_ray *ray, double t) { return cm_mul_add(ray->origin, CM_REAL(t), ray->direction); }

/* Outside before t, on the surface at t and at the exit, within between them, outside behind; `solid`: it has an
 * inside. */
static void expect_ray(const char *what, bool is, const cm_ray *ray, const cm_ray_hit *hit, placed b, bool solid) {
    placed at = placed_point(ray->origin);
    double start = apart(&at, &b), band = 16 * BAND;
    if (fabs(start) <= band) return;
    if (is) {
        check_that(hit->inside == (start < 0), "%s: inside %d at %g", what, hit->inside, start);
        at = placed_point(along(ray, (double)hit->t));
        check_that(hit->inside ? hit->t == 0 : fabs(apart(&at, &b)) <= band, "%s: enters %g off", what, apart(&at, &b));
        at = placed_point(along(ray, (double)hit->exit));
        check_that(hit->exit == ray->max || fabs(apart(&at, &b)) <= band, "%s: leaves %g off", what, apart(&at, &b));
        check_that(solid || hit->t == hit->exit, "%s: leaves later", what);
        check_that(fabs((double)cm_length(hit->normal) - 1) <= band, "%s: normal", what);
        /* where it grazes, rounding turns the normal by its root; small radii more */
        cm_real facing = cm_dot(hit->normal, ray->direction), slant = CM_REAL(0.05) * cm_length(ray->direction);
        bool ends_inside = hit->inside && hit->exit == ray->max;
        check_that(ends_inside || (hit->inside ? facing >= -slant : facing <= slant),
                   "%s: normal %g along the ray, inside %d", what, (double)facing, hit->inside);
    }
    for (int k = 0; k <= 20; k++) {
        double t = (double)ray->max * k / 20;
        at = placed_point(along(ray, t));
        double d = apart(&at, &b);
        bool within = is && t >= (double)hit->t && t <= (double)hit->exit;
        check_that(within ? d <= band : d >= -band, "%s: %g from it at %g (%d)", what, d, t, is);
    }
}

#define RAY(b, solid)                                                                                                  \
    do {                                                                                                               \
        cm_ray_hit hit_;                                                                                               \
        bool is_ = cm_raycast_##b(&ray, &s.b[0], &hit_);                                                               \
        expect_ray("ray and " #b, is_, &ray, &hit_, placed_##b(&s.b[0]), solid);                                       \
    } while (0)

static void typed_rays_enter_and_leave_at_the_surface(void **state) {
    (void)state;
    rng r = rng_start("typed rays", 85);
    for (int i = 0; i < samples(2000, 200000); i++) {
        sample s = sample_random(&r);
        cm_segment way = {rng_vec3(&r, 4), rng_vec3(&r, 1.5)};
        cm_ray ray = cm_ray_from_segment(&way);
        assert_true(ray.max == 1 && ray.origin.y == way.a.y);
        RAY(sphere, true);
        RAY(aabb, true);
        RAY(obb, true);
        RAY(capsule, true);
        RAY(triangle, false);
    }
    cm_segment way = {{1, 2, 3}, {5, 6, 8}};
    cm_ray ray = cm_ray_from_segment(&way);
    assert_true(ray.direction.x == 4 && ray.direction.y == 4 && ray.direction.z == 5);
}

/* The planes of a box make a frustum: its points and rays are the box's. */
static void a_frustum_of_six_sides_is_a_box(void **state) {
    (void)state;
    rng r = rng_start("frustum", 86);
    for (int i = 0; i < samples(2000, 200000); i++) {
        sample s = sample_random(&r);
        const cm_aabb *b = &s.aabb[0];
        cm_frustum f = {{cm_plane_from_point(b->min, cm_v(-1, 0, 0)), cm_plane_from_point(b->max, cm_v(1, 0, 0)),
                         cm_plane_from_point(b->min, cm_v(0, -1, 0)), cm_plane_from_point(b->max, cm_v(0, 1, 0)),
                         cm_plane_from_point(b->min, cm_v(0, 0, -1)), cm_plane_from_point(b->max, cm_v(0, 0, 1))}};
        assert_true(cm_frustum_is_valid(&f));
        assert_int_equal(cm_overlap_point_frustum(s.point, &f), cm_overlap_point_aabb(s.point, b));
        cm_segment way = {rng_vec3(&r, 4), rng_vec3(&r, 1.5)};
        cm_ray ray = cm_ray_from_segment(&way);
        cm_ray_hit hit;
        bool is = cm_raycast_frustum(&ray, &f, &hit);
        expect_ray("ray and frustum", is, &ray, &hit, placed_aabb(b), true);
    }
}

/* A view of 90 degrees without an end, near plane 0.5 before the eye, along -z: |x| and |y| are at most -z. */
static void a_view_without_end_has_a_far_plane_that_holds_everything(void **state) {
    (void)state;
    const cm_real m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0};
    cm_frustum f;
    assert_true(cm_frustum_from_matrix(m, CM_CLIP_MINUS_ONE_TO_ONE, &f));
    assert_true(f.planes[5].normal.z == -1 && f.planes[5].d == -CM_COORD_MAX);
    assert_true(cm_overlap_point_frustum(cm_v(0, 0, CM_REAL(-1e6)), &f));
    assert_true(cm_overlap_point_frustum(cm_v(CM_REAL(0.9), CM_REAL(-0.9), -1), &f));
    assert_false(cm_overlap_point_frustum(cm_v(0, 0, CM_REAL(-0.4)), &f));
    assert_false(cm_overlap_point_frustum(cm_v(CM_REAL(1.1), 0, -1), &f));
    assert_false(cm_overlap_point_frustum(cm_v(0, CM_REAL(-1.1), -1), &f));
    assert_false(cm_overlap_point_frustum(cm_v(0, 0, 2), &f));
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

static void conversions_hold_what_they_convert(void **state) {
    (void)state;
    rng r = rng_start("conversions", 87);
    for (int i = 0; i < samples(2000, 200000); i++) {
        sample s = sample_random(&r);
        cm_pose pose = rng_pose(&r, 2);
        cm_obb same, posed;
        cm_aabb around;
        cm_sphere ball;
        cm_obb_from_aabb(&s.aabb[0], &same);
        cm_obb_posed(&s.aabb[0], &pose, &posed);
        cm_aabb_posed(&s.aabb[0], &pose, &around);
        cm_sphere_from_aabb(&s.aabb[0], &ball);
        assert_true(cm_obb_is_valid(&same) && cm_obb_is_valid(&posed) && cm_aabb_is_valid(&around));
        assert_true(same.rotation.x == 0 && same.rotation.y == 0 && same.rotation.z == 0 && same.rotation.w == 1);
        cm_vec3 half = cm_aabb_half(&s.aabb[0]);
        check_that((double)cm_largest(cm_sub(posed.half, half)) <= BAND, "half %g", (double)posed.half.x);
        check_that(fabs((double)ball.radius - (double)cm_length(half)) <= BAND, "radius %g", (double)ball.radius);
        placed box = placed_obb(&posed);
        cm_vec3 low = around.max, high = around.min;
        for (int c = 0; c < 8; c++) {
            const cm_aabb *b = &s.aabb[0];
            cm_vec3 corner =
                cm_v(c & 1 ? b->max.x : b->min.x, c & 2 ? b->max.y : b->min.y, c & 4 ? b->max.z : b->min.z);
            cm_vec3 there = cm_pose_apply(&pose, corner);
            placed at = placed_point(there);
            check_that(fabs(apart(&at, &box)) <= BAND, "corner %d is %g off", c, apart(&at, &box));
            assert_true(cm_overlap_point_obb(corner, &same));
            low = cm_vec3_min(low, there), high = cm_vec3_max(high, there);
        }
        check_that((double)cm_largest(cm_sub(low, around.min)) <= BAND &&
                       (double)cm_largest(cm_sub(high, around.max)) <= BAND,
                   "the box around the posed one: %g", (double)around.min.x);
        assert_true(cm_aabb_contains(&around, &around));
        cm_aabb less = around;
        ((cm_real *)&less.min)[i % 3] -= CM_REAL(0.001);
        assert_true(cm_aabb_contains(&less, &around) && !cm_aabb_contains(&around, &less));
        cm_sphere both, smaller;
        cm_sphere_union(&s.sphere[0], &s.sphere[1], &both);
        assert_true(cm_sphere_contains(&both, &s.sphere[0]) && cm_sphere_contains(&both, &s.sphere[1]));
        smaller = both, smaller.radius -= CM_REAL(0.001);
        if (smaller.radius >= 0)
            assert_false(cm_sphere_contains(&smaller, &s.sphere[0]) && cm_sphere_contains(&smaller, &s.sphere[1]));
    }
    const cm_aabb none = cm_aabb_empty();
    const cm_aabb unit = {{0, 0, 0}, {1, 1, 1}};
    assert_true(cm_aabb_contains(&unit, &none) && !cm_aabb_contains(&none, &unit));
}

/* One number that is none, at each place in turn. */
static void a_bad_number_anywhere_makes_a_struct_invalid(void **state) {
    (void)state;
    rng r = rng_start("validity", 88);
    sample s = sample_random(&r);
    const cm_real bad[] = {(cm_real)NAN, (cm_real)INFINITY, 2 * CM_COORD_MAX};
    cm_segment segment = {s.capsule[0].a, s.capsule[0].b};
#define EACH_NUMBER(type, value)                                                                                       \
    do {                                                                                                               \
        assert_true(type##_is_valid(&(value)));                                                                        \
        for (size_t i_ = 0; i_ < sizeof(value) / sizeof(cm_real); i_++) {                                              \
            for (int k_ = 0; k_ < 3; k_++) {                                                                           \
                type copy_ = (value);                                                                                  \
                memcpy((char *)&copy_ + i_ * sizeof(cm_real), &bad[k_], sizeof(cm_real));                              \
                check_that(!type##_is_valid(&copy_), #type ", number %zu is " REAL_FORMAT, i_, (double)bad[k_]);       \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)
    EACH_NUMBER(cm_sphere, s.sphere[0]);
    EACH_NUMBER(cm_capsule, s.capsule[0]);
    EACH_NUMBER(cm_segment, segment);
    EACH_NUMBER(cm_triangle, s.triangle[0]);
    EACH_NUMBER(cm_obb, s.obb[0]);
    EACH_NUMBER(cm_aabb, s.aabb[0]);
    EACH_NUMBER(cm_plane, s.plane);
    cm_frustum f;
    for (int i = 0; i < 6; i++) f.planes[i] = s.plane;
    EACH_NUMBER(cm_frustum, f);
}

/* One number that is none, at each place of either of two that meet: every test says no, and none of them a number. */
static void a_bad_number_anywhere_answers_no(void **state) {
    (void)state;
    const cm_real bad[] = {(cm_real)NAN, (cm_real)INFINITY, 2 * CM_COORD_MAX, -(cm_real)INFINITY};
    const cm_vec3 o = cm_v(0, 0, 0), x = cm_v(1, 0, 0), y = cm_v(0, 1, 0), move = cm_v(2, 0, 0);
    const cm_sphere sphere = {o, 1}, next = {cm_v(CM_REAL(1.5), 0, 0), 1};
    const cm_plane plane = {x, CM_REAL(-0.5)};
    const cm_aabb aabb = {cm_v(0, -1, -1), cm_v(2, 1, 1)}, box = {cm_v(-1, -1, -1), cm_v(1, 1, 1)};
    const cm_obb obb = {cm_v(CM_REAL(1.5), 0, 0), {1, 1, 1}, {0, 0, 0, 1}};
    const cm_capsule capsule = {x, cm_v(1, 1, 1), CM_REAL(0.5)}, other = {cm_v(0, 1, 0), cm_v(2, 1, 0), CM_REAL(0.5)};
    const cm_segment segment = {o, x}, across = {y, cm_v(1, 1, 1)};
    const cm_triangle triangle = {o, x, y}, crossed = {cm_v(0, 0, -1), cm_v(1, 1, -1), cm_v(CM_REAL(0.25), 0, 1)};
    const cm_ray ray = {.origin = cm_v(-3, 0, 0), .direction = x, .max = 9};
    cm_manifold m;
    cm_witness w;
    cm_sweep_hit hit;
    cm_ray_hit met;
    cm_vec3 place;
#define EITHER(type_a, value_a, type_b, value_b, no)                                                                   \
    for (size_t i_ = 0; i_ < (sizeof(type_a) + sizeof(type_b)) / sizeof(cm_real); i_++)                                \
        for (int k_ = 0; k_ < 5; k_++) { /* at last as they are: then it says yes */                                   \
            type_a a = (value_a);                                                                                      \
            type_b b = (value_b);                                                                                      \
            const size_t at_ = i_ * sizeof(cm_real);                                                                   \
            char *in_ = at_ < sizeof a ? (char *)&a + at_ : (char *)&b + (at_ - sizeof a);                             \
            if (k_ < 4) memcpy(in_, &bad[k_], sizeof(cm_real));                                                        \
            check_that((no) == (k_ < 4), #no ", number %zu, case %d", i_, k_);                                         \
        }
    EITHER(cm_sphere, sphere, cm_sphere, next, !cm_overlap_sphere_sphere(&a, &b))
    EITHER(cm_sphere, sphere, cm_plane, plane, !cm_overlap_sphere_plane(&a, &b))
    EITHER(cm_sphere, sphere, cm_plane, plane, !cm_overlap_sphere_halfspace(&a, &b))
    EITHER(cm_sphere, sphere, cm_aabb, aabb, !cm_overlap_sphere_aabb(&a, &b))
    EITHER(cm_sphere, sphere, cm_obb, obb, !cm_overlap_sphere_obb(&a, &b))
    EITHER(cm_sphere, sphere, cm_capsule, capsule, !cm_overlap_sphere_capsule(&a, &b))
    EITHER(cm_sphere, sphere, cm_triangle, triangle, !cm_overlap_sphere_triangle(&a, &b))
    EITHER(cm_capsule, capsule, cm_capsule, other, !cm_overlap_capsule_capsule(&a, &b))
    EITHER(cm_aabb, aabb, cm_plane, plane, !cm_overlap_aabb_plane(&a, &b))
    EITHER(cm_obb, obb, cm_plane, plane, !cm_overlap_obb_plane(&a, &b))
    EITHER(cm_obb, obb, cm_obb, obb, !cm_overlap_obb_obb(&a, &b))
    EITHER(cm_triangle, triangle, cm_triangle, crossed, !cm_overlap_triangle_triangle(&a, &b))
    EITHER(cm_triangle, triangle, cm_aabb, aabb, !cm_overlap_triangle_aabb(&a, &b))
    EITHER(cm_sphere, sphere, cm_sphere, next, !cm_contact_sphere_sphere(&a, &b, &m))
    EITHER(cm_sphere, sphere, cm_plane, plane, !cm_contact_sphere_plane(&a, &b, &m))
    EITHER(cm_sphere, sphere, cm_plane, plane, !cm_contact_sphere_halfspace(&a, &b, &m))
    EITHER(cm_sphere, sphere, cm_aabb, aabb, !cm_contact_sphere_aabb(&a, &b, &m))
    EITHER(cm_sphere, sphere, cm_obb, obb, !cm_contact_sphere_obb(&a, &b, &m))
    EITHER(cm_aabb, box, cm_aabb, aabb, !cm_contact_aabb_aabb(&a, &b, &m))
    EITHER(cm_sphere, sphere, cm_triangle, triangle, !cm_contact_sphere_triangle(&a, &b, &m))
    EITHER(cm_capsule, capsule, cm_capsule, other, !cm_contact_capsule_capsule(&a, &b, &m))
    EITHER(cm_obb, obb, cm_obb, obb, !cm_contact_obb_obb(&a, &b, &m))
    EITHER(cm_segment, segment, cm_segment, across, cm_distance_segment_segment(&a, &b, &w) == CM_REAL_MAX)
    EITHER(cm_segment, segment, cm_segment, across, cm_distance_segment_segment(&a, &b, NULL) == CM_REAL_MAX)
    EITHER(cm_vec3, move, cm_segment, segment, cm_distance_point_segment(a, &b, &place) == CM_REAL_MAX)
    EITHER(cm_vec3, move, cm_triangle, triangle, cm_distance_point_triangle(a, &b, &place) == CM_REAL_MAX)
    EITHER(cm_vec3, move, cm_aabb, box, cm_distance_point_aabb(a, &b, &place) == CM_REAL_MAX)
    EITHER(cm_vec3, move, cm_obb, obb, cm_distance_point_obb(a, &b, &place) == CM_REAL_MAX)
    EITHER(cm_vec3, o, cm_sphere, sphere, !cm_overlap_point_sphere(a, &b))
    EITHER(cm_vec3, x, cm_obb, obb, !cm_overlap_point_obb(a, &b))
    EITHER(cm_vec3, x, cm_capsule, capsule, !cm_overlap_point_capsule(a, &b))
    EITHER(cm_vec3, x, cm_triangle, triangle, !cm_overlap_point_triangle(a, &b))
    EITHER(cm_aabb, box, cm_aabb, aabb, !cm_sweep_aabb_aabb(&a, move, &b, o, &hit))
    EITHER(cm_sphere, sphere, cm_sphere, next, !cm_sweep_sphere_sphere(&a, move, &b, o, &hit))
    EITHER(cm_sphere, sphere, cm_plane, plane, !cm_sweep_sphere_plane(&a, move, &b, &hit))
    EITHER(cm_sphere, sphere, cm_plane, plane, !cm_sweep_sphere_halfspace(&a, move, &b, &hit))
    EITHER(cm_aabb, aabb, cm_plane, plane, !cm_sweep_aabb_plane(&a, move, &b, &hit))
    EITHER(cm_sphere, sphere, cm_aabb, aabb, !cm_sweep_sphere_aabb(&a, move, &b, o, &hit))
    EITHER(cm_sphere, sphere, cm_obb, obb, !cm_sweep_sphere_obb(&a, move, &b, o, &hit))
    EITHER(cm_sphere, sphere, cm_triangle, triangle, !cm_sweep_sphere_triangle(&a, move, &b, o, &hit))
    EITHER(cm_sphere, sphere, cm_capsule, capsule, !cm_sweep_sphere_capsule(&a, move, &b, o, &hit))
    EITHER(cm_capsule, capsule, cm_capsule, other, !cm_sweep_capsule_capsule(&a, move, &b, o, &hit))
    EITHER(cm_obb, obb, cm_obb, obb, !cm_sweep_obb_obb(&a, move, &b, o, &hit))
    EITHER(cm_vec3, move, cm_vec3, o, !cm_sweep_sphere_sphere(&sphere, a, &next, b, &hit))
    EITHER(cm_vec3, move, cm_vec3, o, !cm_sweep_aabb_aabb(&box, a, &aabb, b, &hit))
    EITHER(cm_vec3, move, cm_vec3, o, !cm_sweep_obb_obb(&obb, a, &obb, b, &hit))
    EITHER(cm_vec3, move, cm_vec3, o, !cm_sweep_capsule_capsule(&capsule, a, &other, b, &hit))
    EITHER(cm_vec3, move, cm_vec3, o, !cm_sweep_sphere_triangle(&sphere, a, &triangle, b, &hit))
    EITHER(cm_plane, plane, cm_plane, plane, !cm_raycast_plane(&ray, &a, &met) || !cm_raycast_plane(&ray, &b, &met))
    EITHER(cm_sphere, sphere, cm_aabb, box, !cm_raycast_sphere(&ray, &a, &met) || !cm_raycast_aabb(&ray, &b, &met))
    EITHER(cm_obb, obb, cm_capsule, capsule, !cm_raycast_obb(&ray, &a, &met) || !cm_raycast_capsule(&ray, &b, &met))
#undef EITHER
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_overlaps_agree_with_the_distance_of_shapes),
        cmocka_unit_test(planes_cut_what_has_corners_on_both_sides),
        cmocka_unit_test(typed_contacts_part_by_their_depth),
        cmocka_unit_test(typed_sweeps_end_at_touching),
        cmocka_unit_test(typed_rays_enter_and_leave_at_the_surface),
        cmocka_unit_test(a_frustum_of_six_sides_is_a_box),
        cmocka_unit_test(a_view_without_end_has_a_far_plane_that_holds_everything),
        cmocka_unit_test(conversions_hold_what_they_convert),
        cmocka_unit_test(a_bad_number_anywhere_makes_a_struct_invalid),
        cmocka_unit_test(a_bad_number_anywhere_answers_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
