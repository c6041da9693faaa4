/* Compounds: their answers are those of their children, one by one; bad descriptions and failed allocations. */
#include "pair/pair.h"
#include "support/meshes.h"

#include <math.h>

#define COMPOUND_BOUND (sizeof(cm_real) == 4 ? 2e-5 : 1e-8)

typedef struct scene {
    cm_mesh *mesh;
    cm_hull *hull;
    cm_compound_child child[12];
    cm_compound *compound;
} scene;

static cm_shape random_convex(const scene *s, rng *r) {
    cm_vec3 half = cm_v(CM_REAL(rng_range(r, 0.1, 1)), CM_REAL(rng_range(r, 0.1, 1)), CM_REAL(rng_range(r, 0.1, 1)));
    switch (rng_below(r, 9)) {
    case 0:
        return cm_make_sphere(rng_vec3(r, 1), half.x);
    case 1:
        return cm_make_capsule(rng_vec3(r, 1), rng_vec3(r, 1), half.x / 2);
    case 2:
        return cm_make_box(half);
    case 3:
        return cm_make_cylinder(half.x, half.y);
    case 4:
        return cm_make_cone(half.x, half.y);
    case 5:
        return cm_make_ellipsoid(half);
    case 6:
        return cm_make_hull(s->hull);
    case 7:
        return cm_make_triangle(rng_vec3(r, 1), rng_vec3(r, 1), rng_vec3(r, 1));
    default:
        return cm_make_rounded_box(half, half.z / 4);
    }
}

static void scene_make(scene *s, rng *r) {
    cm_vec3 points[16];
    cm_hull_desc hull;
    cm_compound_desc desc;
    memset(&hull, 0, sizeof hull);
    memset(s->child, 0, sizeof s->child);
    for (int i = 0; i < 16; i++) points[i] = rng_vec3(r, 0.7);
    hull.points = &points[0].x, hull.point_count = 16;
    assert_int_equal(cm_hull_build(&hull, NULL, &s->hull, NULL), CM_OK);
    s->mesh = mesh_ball(cm_v(0, 0, 0), CM_REAL(0.8), 1, true);
    for (uint32_t i = 0; i < 12; i++) {
        s->child[i].shape = i % 6 == 5 ? cm_make_mesh(s->mesh) : random_convex(s, r);
        s->child[i].pose = rng_pose(r, 4);
        s->child[i].user = 1000 + i;
    }
    desc.children = s->child, desc.count = 12;
    assert_int_equal(cm_compound_build(&desc, NULL, &s->compound, NULL), CM_OK);
}
static void scene_free(scene *s) {
    cm_compound_destroy(s->compound, NULL);
    cm_mesh_destroy(s->mesh, NULL);
    cm_hull_destroy(s->hull, NULL);
}

/* Of a shape with each child of a compound at `pose`. */
static double least_of_children(const cm_shape *a, const cm_pose *pose_a, const scene *s, const cm_pose *pose) {
    double least = 1e300;
    for (uint32_t i = 0; i < 12; i++) {
        cm_pose placed = cm_pose_mul(pose, &s->child[i].pose);
        double d = (double)cm_distance(a, pose_a, &s->child[i].shape, &placed, CM_REAL_MAX, NULL);
        least = d < least ? d : least;
    }
    return least;
}

/* Is a point of one child in, or close to, another of the compound at `pose`? */
static bool is_in_another(const scene *s, uint32_t child, const cm_pose *pose, cm_vec3 p) {
    const cm_shape point = cm_make_point(p);
    const cm_pose home = cm_pose_identity();
    for (uint32_t i = 0; i < 12; i++) {
        const cm_pose placed = cm_pose_mul(pose, &s->child[i].pose);
        if (i != child && cm_distance(&point, &home, &s->child[i].shape, &placed, CM_REAL_MAX, NULL) < CM_REAL(1e-3))
            return true;
    }
    return false;
}

/* Adds a child's contacts with `a`, and those of them that are not wholly in other children, which the compound leaves
 * out. The child comes first, as the compound asks: of two meshes the first is taken apart, and which of many manifolds
 * with the same normal are told depends on that. Not by cm_contact: it puts equal kinds in the order of their poses in
 * the world, which the compound does not know of its children's. */
static void contacts_of_child(const scene *s, uint32_t child, const cm_pose *pose, const cm_shape *a,
                              const cm_pose *pose_a, cm_real margin, int *all, int *outer) {
    static cm_manifold m[512];
    const cm_pose placed = cm_pose_mul(pose, &s->child[child].pose), between = cm_pose_between(&placed, pose_a);
    const int count = cm__pair_contact(&s->child[child].shape, a, &between, margin, m, 512);
    *all += count;
    for (int i = 0; i < count; i++) {
        bool out = false;
        for (int k = 0; k < m[i].count && !out; k++)
            out = !is_in_another(s, child, pose, cm_pose_apply(&placed, m[i].points[k].point_a));
        *outer += out;
    }
}

static void answers_are_those_of_the_children(void **state) {
    (void)state;
    rng r = rng_start("compound", 21);
    static cm_manifold m[512];
    for (int round = 0; round < samples(6, 200); round++) {
        scene s;
        scene_make(&s, &r);
        cm_shape b = cm_make_compound(s.compound);
        for (int i = 0; i < 60; i++) {
            cm_shape a = i % 6 == 0   ? cm_make_mesh(s.mesh)
                         : i % 6 == 1 ? cm_make_halfspace(rng_direction(&r), 3)
                                      : random_convex(&s, &r);
            cm_pose pose_a = rng_pose(&r, 6), pose_b = rng_pose(&r, 1);
            double nearest = least_of_children(&a, &pose_a, &s, &pose_b);
            cm_witness w, v;
            double d = (double)cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL_MAX, &w);
            double e = (double)cm_distance(&b, &pose_b, &a, &pose_a, CM_REAL_MAX, &v);
            const double reach = a.kind == CM_SHAPE_MESH && d < 0 ? 3e-3 * -d : 0; /* see pair.h */
            check_that(fabs(d - nearest) <= COMPOUND_BOUND + reach, "%s: %.9g, by children %.9g", cm_kind_name(a.kind),
                       d, nearest);
            check_that(d == e && v.part_a == w.part_b && v.normal.z == -w.normal.z, "swapped %g %g", d, e);
            bool overlap = cm_overlap(&a, &pose_a, &b, &pose_b);
            check_that(overlap == (d <= 0), "%s: overlap %d at %g", cm_kind_name(a.kind), overlap, d);
            check_that(w.part_b < 12, "part %u", w.part_b);
            cm_vec3 step = cm_sub(cm_sub(w.point_b, w.point_a), cm_scale(w.normal, w.distance));
            check_that((double)cm_length(step) < 1e-4 + reach, "%s: witnesses off by %g", cm_kind_name(a.kind),
                       (double)cm_length(step));
            cm_real margin = CM_REAL(0.2);
            int count = contacts_by_part(&a, &pose_a, &b, &pose_b, margin, m, 512), most = 0, least = 0;
            for (uint32_t k = 0; k < 12; k++) contacts_of_child(&s, k, &pose_b, &a, &pose_a, margin, &most, &least);
            check_that(count >= least - 1 && count <= most + 1, "%s: %d manifolds, of children %d to %d",
                       cm_kind_name(a.kind), count, least, most);
            for (int k = 0; k < count; k++) check_that(m[k].part_b < 12, "part %u", m[k].part_b);
        }
        scene_free(&s);
    }
}

static void two_compounds_are_all_pairs_of_children(void **state) {
    (void)state;
    rng r = rng_start("compounds", 22);
    for (int round = 0; round < samples(6, 200); round++) {
        scene s, t;
        scene_make(&s, &r);
        scene_make(&t, &r);
        cm_shape a = cm_make_compound(s.compound), b = cm_make_compound(t.compound);
        for (int i = 0; i < 20; i++) {
            cm_pose pose_a = rng_pose(&r, 10), pose_b = rng_pose(&r, 1);
            double least = 1e300;
            for (uint32_t k = 0; k < 12; k++) {
                cm_pose placed = cm_pose_mul(&pose_a, &s.child[k].pose);
                double d = least_of_children(&s.child[k].shape, &placed, &t, &pose_b);
                least = d < least ? d : least;
            }
            cm_witness w;
            double d = (double)cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL_MAX, &w);
            check_that(fabs(d - least) <= 4 * COMPOUND_BOUND, "%.9g, by children %.9g", d, least);
            check_that(cm_overlap(&a, &pose_a, &b, &pose_b) == (d <= 0), "overlap at %g", d);
            check_that((cm_contact(&a, &pose_a, &b, &pose_b, 0, NULL, 0) > 0) == (d <= 0), "contact at %g", d);
            check_that(w.part_a < 12 && w.part_b < 12, "parts %u %u", w.part_a, w.part_b);
        }
        scene_free(&s);
        scene_free(&t);
    }
}

static void rays_meet_the_nearest_child(void **state) {
    (void)state;
    rng r = rng_start("rays", 23);
    int hits = 0, count = samples(3000, 300000);
    scene s;
    scene_make(&s, &r);
    cm_shape b = cm_make_compound(s.compound);
    for (int i = 0; i < count; i++) {
        cm_pose pose = rng_pose(&r, 2);
        cm_ray ray;
        ray.origin = rng_vec3(&r, 8);
        ray.direction = cm_scale(cm_sub(rng_vec3(&r, 3), ray.origin), CM_REAL(rng_log_range(&r, 0.1, 1)));
        ray.max = rng_below(&r, 2) ? CM_REAL_MAX : CM_REAL(rng_range(&r, 0, 5));
        double first = 1e300;
        for (uint32_t k = 0; k < 12; k++) {
            cm_pose placed = cm_pose_mul(&pose, &s.child[k].pose);
            cm_ray_hit hit;
            if (cm_raycast(&ray, &s.child[k].shape, &placed, &hit) && (double)hit.t < first) first = (double)hit.t;
        }
        cm_ray_hit hit;
        bool found = cm_raycast(&ray, &b, &pose, &hit);
        double speed = (double)cm_length(ray.direction);
        if (found)
            check_that(fabs((double)hit.t - first) * speed < 2e-4 && hit.part < 12, "%g, by children %g", (double)hit.t,
                       first);
        hits += found;
        /* near a rim the two roundings may differ */
        if (!found && first < 1e299) {
            cm_ray longer = ray;
            longer.max = CM_REAL_MAX;
            check_that(cm_raycast(&longer, &b, &pose, &hit) || i % 1000 == 0, "missed at %g", first);
        }
    }
    check_that(30 * hits > count, "%d hits", hits);
    scene_free(&s);
}

/* Whole numbers, many children over the origin: where two begin at one time the lower number is told, with its own
 * normal, and with its own end, though another child was found before it. */
static void a_ray_leaves_the_child_that_is_named(void **state) {
    (void)state;
    rng r = rng_start("crossing children", 25);
    int hits = 0, longer = 0;
    for (int i = 0; i < samples(400, 40000); i++) {
        cm_compound_child child[6];
        memset(child, 0, sizeof child);
        const uint32_t count = 2 + rng_below(&r, 5);
        for (uint32_t k = 0; k < count; k++) {
            const cm_real a = CM_REAL(1 + rng_below(&r, 2)), b = CM_REAL(1 + rng_below(&r, 3));
            child[k].shape = rng_below(&r, 2) ? cm_make_box(cm_v(a, b, a)) : cm_make_sphere(cm_v(0, 0, 0), b);
            child[k].pose = cm_pose_at(cm_v(CM_REAL(rng_below(&r, 5)) - 2, CM_REAL(rng_below(&r, 5)) - 2, 0));
        }
        const cm_compound_desc desc = {child, count};
        cm_compound *compound = NULL;
        assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
        const cm_shape all = cm_make_compound(compound);
        const cm_pose home = cm_pose_identity();
        for (int k = 0; k < 20; k++) {
            const cm_vec3 o =
                cm_v(CM_REAL(rng_below(&r, 13)) - 6, CM_REAL(rng_below(&r, 13)) - 6, CM_REAL(rng_below(&r, 3)));
            const cm_vec3 d =
                cm_v(CM_REAL(rng_below(&r, 7)) - 3, CM_REAL(rng_below(&r, 7)) - 3, CM_REAL(rng_below(&r, 2)));
            const cm_ray ray = {o, d, rng_below(&r, 2) ? CM_REAL_MAX : 3};
            cm_ray_hit best = {0}, one, hit;
            bool met = false;
            for (uint32_t n = 0; n < count; n++) {
                if (!cm_raycast(&ray, &child[n].shape, &child[n].pose, &one) || (met && !(one.t < best.t))) continue;
                met = true, best = one, best.part = n;
            }
            const bool found = cm_raycast(&ray, &all, &home, &hit);
            check_that(found == met, "%d, alone %d", found, met);
            if (!found) continue;
            check_that(hit.t == best.t && hit.exit == best.exit && hit.part == best.part && hit.inside == best.inside &&
                           cm_largest(cm_sub(hit.normal, best.normal)) == 0,
                       "%g to %g, part %u; alone %g to %g, part %u", (double)hit.t, (double)hit.exit, hit.part,
                       (double)best.t, (double)best.exit, best.part);
            hits++, longer += hit.exit > hit.t;
        }
        cm_compound_destroy(compound, NULL);
    }
    check_that(longer > hits / 2 && hits > 400, "%d of %d", longer, hits);
}

static void bounds_hold_the_children(void **state) {
    (void)state;
    rng r = rng_start("bounds", 24);
    scene s;
    scene_make(&s, &r);
    cm_shape b = cm_make_compound(s.compound);
    for (int i = 0; i < 200; i++) {
        cm_pose pose = rng_pose(&r, 100);
        cm_aabb all, one;
        cm_shape_bounds(&b, &pose, &all);
        for (uint32_t k = 0; k < 12; k++) {
            cm_pose placed = cm_pose_mul(&pose, &s.child[k].pose);
            cm_shape_bounds(&s.child[k].shape, &placed, &one);
            check_that(all.min.x <= one.min.x && all.max.z >= one.max.z, "child %u sticks out", k);
        }
    }
    cm_compound_info info;
    cm_compound_get_info(s.compound, &info);
    assert_int_equal(info.children, 12);
    assert_int_equal(cm_compound_children(s.compound)[7].user, 1007);
    scene_free(&s);
}

static void a_moved_block_answers_the_same(void **state) {
    (void)state;
    rng r = rng_start("moved", 25);
    scene s;
    scene_make(&s, &r);
    size_t bytes = cm_compound_bytes(s.compound);
    cm_compound *copy = malloc(bytes);
    memcpy(copy, s.compound, bytes);
    cm_shape a = cm_make_sphere(cm_v(0, 0, 0), 1), b = cm_make_compound(s.compound), c = cm_make_compound(copy);
    for (int i = 0; i < 50; i++) {
        cm_pose pose = rng_pose(&r, 6), home = cm_pose_identity();
        assert_true(cm_distance(&a, &pose, &b, &home, CM_REAL_MAX, NULL) ==
                    cm_distance(&a, &pose, &c, &home, CM_REAL_MAX, NULL));
    }
    free(copy);
    scene_free(&s);
}

static void bad_descriptions_are_refused(void **state) {
    (void)state;
    rng r = rng_start("refused", 26);
    scene s;
    scene_make(&s, &r);
    cm_compound *out = NULL;
    cm_compound_child c[2];
    cm_compound_desc desc = {c, 2};
    cm_error error;
    memset(c, 0, sizeof c); /* rotations of zero mean none */
    c[0].shape = c[1].shape = cm_make_box(cm_v(1, 1, 1));
    assert_int_equal(cm_compound_build(NULL, NULL, &out, NULL), CM_INVALID);
    assert_int_equal(cm_compound_build(&desc, NULL, NULL, NULL), CM_INVALID);
    desc.count = 0;
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_INVALID);
    desc.count = UINT32_MAX;
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_LIMIT);
    desc.count = 2;
    c[1].shape = cm_make_compound(s.compound);
    assert_int_equal(cm_compound_build(&desc, NULL, &out, &error), CM_UNSUPPORTED);
    assert_int_equal(error.index, 1);
    assert_string_equal(error.field, "children.shape");
    c[1].shape = cm_make_halfspace(cm_v(0, 0, 1), 0);
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_UNSUPPORTED);
    c[1].shape = cm_make_sphere(cm_v(0, 0, 0), -1);
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_INVALID);
    c[1].shape = cm_make_sphere(cm_v(0, (cm_real)NAN, 0), 1);
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_NOT_FINITE);
    c[1].shape = cm_make_box(cm_v(1, 1, 1));
    c[1].pose.position.y = CM_COORD_MAX;
    assert_int_equal(cm_compound_build(&desc, NULL, &out, &error), CM_NOT_FINITE);
    assert_string_equal(error.field, "children.pose");
    c[1].pose.position.y = (cm_real)INFINITY;
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_NOT_FINITE);
    c[1].pose.position.y = 0;
    c[1].pose.rotation.w = CM_REAL(0.5);
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_INVALID);
    assert_null(out);
    cm_shape none = cm_make_compound(NULL);
    assert_int_equal(cm_shape_check(&none, NULL), CM_INVALID);
    scene_free(&s);
}

static void every_failed_allocation_is_reported(void **state) {
    (void)state;
    cm_compound_child c[40];
    cm_compound_desc desc = {c, 40};
    memset(c, 0, sizeof c);
    for (int i = 0; i < 40; i++) {
        c[i].shape = cm_make_box(cm_v(1, 1, 1));
        c[i].pose.position = cm_v(CM_REAL(3 * i), 0, 0);
    }
    for (size_t fail = 1;; fail++) {
        counting_allocator mem;
        cm_compound *out = NULL;
        cm_error error = {CM_OK, NULL, 0};
        counting_allocator_start(&mem, fail);
        cm_status status = cm_compound_build(&desc, &mem.mem, &out, &error);
        if (status == CM_OK) {
            assert_true(fail > 4);
            cm_compound_destroy(out, &mem.mem);
            assert_int_equal(mem.live_blocks, 0);
            break;
        }
        assert_int_equal(status, CM_NO_MEMORY);
        assert_int_equal(error.status, CM_NO_MEMORY);
        assert_null(out);
        assert_int_equal(mem.live_blocks, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_children), cmocka_unit_test(two_compounds_are_all_pairs_of_children),
        cmocka_unit_test(rays_meet_the_nearest_child),       cmocka_unit_test(a_ray_leaves_the_child_that_is_named),
        cmocka_unit_test(bounds_hold_the_children),          cmocka_unit_test(a_moved_block_answers_the_same),
        cmocka_unit_test(bad_descriptions_are_refused),      cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
