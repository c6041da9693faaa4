/* What is told of a convex body deep in a solid mesh, or in a compound of one, held against what needs no search: the
 * points lie where they are said to lie, no way out is shorter than the depth, and what has its center inside is as
 * deep as that at least. (The points of a depth need not lie inside the other body: of two bars that cross, each way
 * out leads from an end that lies outside.) */
#include "oracle/rational.h"
#include "support/bodies.h"
#include "support/outside.h"
#include "support/solids.h"

enum { MESHES = 4, TRIANGLES = 512 };

typedef struct target {
    cm_mesh *mesh;
    cm_compound *compound; /* of the mesh, turned */
    cm_shape shape;
    cm_pose pose; /* of the mesh in the world */
    uint32_t count;
    double corner[TRIANGLES][3][3]; /* of its triangles, there */
} target;

static void target_place(target *t, const cm_pose *pose) {
    const cm_vec3 *points = cm_mesh_points(t->mesh);
    t->pose = *pose;
    t->count = cm_mesh_triangle_count(t->mesh);
    assert_true(t->count <= TRIANGLES);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t c[3];
        cm_mesh_corners(t->mesh, i, c);
        for (int k = 0; k < 3; k++) {
            const cm_vec3 p = cm_pose_apply(pose, points[c[k]]);
            t->corner[i][k][0] = (double)p.x, t->corner[i][k][1] = (double)p.y, t->corner[i][k][2] = (double)p.z;
        }
    }
}

static wide3 target_corner(const target *t, uint32_t i, int k) {
    return w3((long double)t->corner[i][k][0], (long double)t->corner[i][k][1], (long double)t->corner[i][k][2]);
}

static long double target_to_triangle(const target *t, uint32_t i, wide3 p) {
    return solid_to_triangle(p, target_corner(t, i, 0), target_corner(t, i, 1), target_corner(t, i, 2));
}

/* How far the body must move along -n until a plane square to n parts it from the mesh. */
static long double way_out(const target *t, const solid *s, wide3 n) {
    long double low = HUGE_VALL;
    for (uint32_t i = 0; i < t->count; i++)
        for (int k = 0; k < 3; k++) low = wl_min(low, w3_dot(target_corner(t, i, k), n));
    return solid_reach(s, n) - low;
}

static cm_mesh *made_mesh(int which) {
    soup s = {0};
    const cm_real one = 1, half = CM_REAL(0.5), third = CM_REAL(0.3);
    switch (which) {
    case 0:
        return solid_box(one, half, third, 2, true);
    case 1:
        return solid_sphere(one, 7, 11);
    case 2:
        return solid_cone(one, one + half, 12);
    default: /* an angle of two walls that overlap */
        soup_add_box(&s, cm_v(-one, -one, -one), cm_v(one, -half, one), 1, false, false);
        soup_add_box(&s, cm_v(-one, -one, -one), cm_v(-half, one, one), 1, false, false);
        return soup_build(&s, true);
    }
}

typedef struct deep_count {
    long deep, inside, contacts;
    long double parted, points, apart, shallow, beyond;
} deep_count;

static void worst_of(long double *worst, long double x) {
    if (!(x <= *worst)) *worst = x;
}

static void ask_deep(target *t, const body *b, bool compound, deep_count *n, rng *r) {
    cm_witness w;
    cm_manifold m[64];
    const cm_compound_child *child = compound ? cm_compound_children(t->compound) : NULL;
    const cm_shape other = compound ? cm_make_compound(t->compound) : cm_make_mesh(t->mesh);
    cm_pose pose = t->pose;
    if (compound) {
        cm_pose identity = cm_pose_identity(), back = cm_pose_between(&child->pose, &identity);
        pose = cm_pose_mul(&t->pose, &back);
    }
    const long double depth = -(long double)cm_distance(&b->shape, &b->pose, &other, &pose, CM_REAL_MAX, &w);
    if (!(depth > 0)) return;
    n->deep++;
    /* the points: on the body, on the mesh, and as far apart */
    const wide3 a = w3_of_vec3(w.point_a), p = w3_of_vec3(w.point_b), normal = w3_of_vec3(w.normal);
    worst_of(&n->apart, w3_length(w3_add(w3_sub(p, a), w3_scale(normal, depth))));
    worst_of(&n->points, solid_outside(&b->s, a) - (long double)b->s.radius);
    if (!compound) worst_of(&n->points, target_to_triangle(t, w.part_b, p));
    /* no shorter way out */
    for (int i = 0; i < 24; i++) {
        const wide3 d = i == 0 ? normal : w3_of_vec3(rng_direction(r));
        worst_of(&n->parted, depth - way_out(t, &b->s, d));
    }
    for (uint32_t i = 0; i < t->count; i++) {
        const wide3 c = target_corner(t, i, 0);
        const wide3 d = w3_cross(w3_sub(target_corner(t, i, 1), c), w3_sub(target_corner(t, i, 2), c));
        worst_of(&n->parted, depth - way_out(t, &b->s, w3_scale(w3_unit(d), -1)));
    }
    /* nor is a contact deeper than the way out along its normal is long */
    const int count = cm_contact(&b->shape, &b->pose, &other, &pose, 0, m, 64);
    check_that(count > 0, "a depth of %Lg and no contact", depth);
    for (int i = 0; i < count && i < 64; i++) {
        long double deepest = 0;
        for (int k = 0; k < m[i].count; k++) deepest = fmaxl(deepest, (long double)m[i].points[k].depth);
        n->contacts++;
        worst_of(&n->beyond, deepest - way_out(t, &b->s, w3_of_vec3(m[i].normal)));
    }
    /* its center */
    const bool centered = b->s.kind == SOLID_BOX || b->s.kind == SOLID_CYLINDER || b->s.kind == SOLID_ELLIPSOID;
    const cm_vec3 center = b->pose.position;
    const double at[3] = {(double)center.x, (double)center.y, (double)center.z};
    if (!centered || oracle_winding(at, &t->corner[0][0][0], t->count) == 0) return;
    n->inside++;
    long double wall = HUGE_VALL;
    for (uint32_t i = 0; i < t->count; i++) wall = wl_min(wall, target_to_triangle(t, i, w3_of_vec3(center)));
    worst_of(&n->shallow, wall + (long double)b->s.radius - depth);
}

static void no_way_out_is_shorter_than_a_depth(void **state) {
    (void)state;
    static target t;
    rng r = rng_start("deep in solids", 151);
    long deep = 0, inside = 0, contacts = 0;
    for (int which = 0; which < MESHES; which++) {
        t.mesh = made_mesh(which);
        cm_compound_child child = {.shape = cm_make_mesh(t.mesh), .pose = rng_pose(&r, 1)};
        const cm_compound_desc desc = {.children = &child, .count = 1};
        assert_int_equal(cm_compound_build(&desc, NULL, &t.compound, NULL), CM_OK);
        for (int kind = 0; kind < SOLID_KINDS; kind++) {
            deep_count n = {0};
            for (int i = 0; i < samples(100, 3000); i++) {
                cm_pose pose = rng_pose(&r, i % 3 ? 1 : 0);
                if (i % 4 == 0) pose.rotation = cm_quat_identity();
                target_place(&t, &pose);
                body b;
                body_random(&b, (solid_kind)kind, rng_range(&r, 0.1, 0.8), &r);
                b.pose.position = cm_pose_apply(&pose, i % 5 ? rng_vec3(&r, 0.9) : cm_v(0, 0, 0));
                if (i % 2 == 0) b.pose.rotation = pose.rotation;
                const cm_pose at = b.pose;
                body_place(&b, &at);
                ask_deep(&t, &b, i % 3 == 1, &n, &r);
                body_free(&b);
            }
            const bool curved = kind >= SOLID_CYLINDER;
            const long double rounding = 64 * (long double)CM_REAL_EPSILON, known = rounding + (curved ? 1e-8L : 0);
            const long double place = rounding + (curved ? 1e-6L : 0); /* to the root of what depths are */
            check_that(share() * n.deep > 10, "mesh %d, %s: only %ld deep", which, solid_names[kind], n.deep);
            check_that(n.parted <= known, "mesh %d, %s: deeper by %Lg than a way out is long", which, solid_names[kind],
                       n.parted);
            check_that(n.beyond <= known, "mesh %d, %s: a contact deeper by %Lg than its way out is long", which,
                       solid_names[kind], n.beyond);
            check_that(n.points <= place, "mesh %d, %s: points off by %Lg", which, solid_names[kind], n.points);
            /* the search of the depth of two curved bodies may end before all of it is proved (convex/depth.c) */
            check_that(n.apart <= place + (curved ? 5e-3L : 0), "mesh %d, %s: points %Lg nearer or farther than told",
                       which, solid_names[kind], n.apart);
            check_that(n.shallow <= rounding, "mesh %d, %s: not as deep as its center by %Lg", which, solid_names[kind],
                       n.shallow);
            deep += n.deep, inside += n.inside, contacts += n.contacts;
        }
        cm_compound_destroy(t.compound, NULL);
        cm_mesh_destroy(t.mesh, NULL);
    }
    print_message("  %ld deep, the center of %ld inside, %ld contacts\n", deep, inside, contacts);
    check_that(inside > 100, "only %ld with their center inside", inside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_way_out_is_shorter_than_a_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
