/* Convex bodies deep in a finely cut convex solid, held against the convex hull of the same corners, which is the same
 * set: the contact is as deep, along a normal that parts the two by its depth, however many triangles are overlapped
 * and whichever of its corners, edges or faces the body enters with. One in thousands is told by the normal of a
 * triangle beside the one that it enters, and is up to a tenth less deep. */
#include "support/meshes.h"

#include <math.h>

enum { BODIES = 7, SOLIDS = 4, ROOM = 512 };

typedef struct fine_solid {
    cm_mesh *mesh;
    cm_hull *hull;
    cm_shape as_mesh, as_hull;
} fine_solid;

static void solid_of(int levels, cm_vec3 stretch, fine_solid *out) {
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, levels, true);
    const uint32_t points = cm_mesh_point_count(ball), triangles = cm_mesh_triangle_count(ball);
    cm_real *p = malloc(3 * points * sizeof *p);
    uint32_t *c = malloc(3 * triangles * sizeof *c);
    for (uint32_t i = 0; i < points; i++) {
        const cm_vec3 at = cm_mesh_points(ball)[i];
        p[3 * i] = at.x * stretch.x, p[3 * i + 1] = at.y * stretch.y, p[3 * i + 2] = at.z * stretch.z;
    }
    for (uint32_t i = 0; i < triangles; i++) cm_mesh_corners(ball, i, &c[3 * i]);
    out->mesh = mesh_of(p, points, c, triangles, true);
    const cm_hull_desc desc = {.points = p, .point_count = points};
    assert_int_equal(cm_hull_build(&desc, NULL, &out->hull, NULL), CM_OK);
    out->as_mesh = cm_make_mesh(out->mesh), out->as_hull = cm_make_hull(out->hull);
    cm_mesh_destroy(ball, NULL);
    free(p), free(c);
}

static cm_shape body_of(rng *r, int which) {
    const cm_real x = CM_REAL(rng_range(r, 0.1, 0.4)), y = CM_REAL(rng_range(r, 0.1, 0.4));
    const cm_real z = CM_REAL(rng_range(r, 0.1, 0.4));
    cm_shape s;
    switch (which) {
    case 0:
        return cm_make_box(cm_v(x, y, z));
    case 1:
        return cm_make_cylinder(x, y);
    case 2:
        return cm_make_cone(x, y);
    case 3:
        return cm_make_capsule(cm_v(0, 0, -x), cm_v(0, 0, x), y);
    case 4:
        return cm_make_ellipsoid(cm_v(x, y, z));
    case 5:
        s = cm_make_box(cm_v(x, y, z));
        s.radius = x / 4;
        return s;
    default:
        return cm_make_sphere(cm_v(0, 0, 0), x);
    }
}

typedef struct tally {
    int deep;
    double least, most, sum; /* of the depths told, by the hull's */
} tally;

/* The body along a way to the solid's middle, as deep as is drawn, as the hull tells. */
static bool place_deep(const fine_solid *s, const cm_shape *body, rng *r, cm_pose *pose) {
    const cm_pose home = cm_pose_identity();
    const cm_vec3 way = rng_direction(r);
    cm_witness w;
    pose->rotation = rng_rotation(r);
    pose->position = cm_scale(way, 4);
    const cm_real gap = cm_distance(&s->as_hull, &home, body, pose, CM_REAL_MAX, &w);
    const cm_real deep = CM_REAL(rng_below(r, 2) ? rng_range(r, 0.01, 0.1) : rng_range(r, 0.1, 0.35));
    pose->position = cm_scale(way, 4 - gap - deep);
    return 4 - gap - deep > 0 && cm_distance(&s->as_hull, &home, body, pose, 0, &w) < CM_REAL(-2e-3);
}

static void check_deep(const fine_solid *s, const cm_shape *body, const cm_pose *pose, int sample, tally *t) {
    static cm_manifold m[ROOM];
    const cm_pose home = cm_pose_identity();
    cm_witness w;
    const double truth = -(double)cm_distance(&s->as_hull, &home, body, pose, 0, &w);
    const int count = cm_contact(&s->as_mesh, &home, body, pose, 0, m, ROOM);
    double deepest = 0;
    cm_vec3 normal = cm_v(0, 0, 0);
    assert_in_range(count, 1, ROOM);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < m[i].count; k++)
            if ((double)m[i].points[k].depth > deepest) deepest = (double)m[i].points[k].depth, normal = m[i].normal;
    cm_pose moved = *pose;
    moved.position = cm_mul_add(pose->position, CM_REAL(deepest * 1.0005 + 1e-4), normal);
    const double left = (double)cm_distance(&s->as_hull, &home, body, &moved, CM_REAL_MAX, &w);
    t->deep++;
    t->least = fmin(t->least, deepest / truth), t->most = fmax(t->most, deepest / truth);
    t->sum += deepest / truth;
    check_that(deepest >= 0.85 * truth, "sample %d: %s %g deep, told %g", sample, cm_kind_name(body->kind), truth,
               deepest);
    check_that(left >= -0.15 * truth, "sample %d: %s moved out by %g, and still %g deep", sample,
               cm_kind_name(body->kind), deepest, -left);
}

static void contacts_of_a_fine_solid_are_those_of_its_hull(void **state) {
    (void)state;
    static const int levels[SOLIDS] = {2, 4, 5, 6};
    static const double stretch[SOLIDS][3] = {{1, 1, 1}, {1, 1, 1}, {1, 0.6, 0.8}, {0.7, 1, 1}};
    rng r = rng_start("bodies deep in fine solids", 91);
    tally t = {0, 2, 0, 0};
    const int count = samples(60, 20000);
    for (int i = 0; i < SOLIDS; i++) {
        fine_solid s;
        solid_of(levels[i], cm_v(CM_REAL(stretch[i][0]), CM_REAL(stretch[i][1]), CM_REAL(stretch[i][2])), &s);
        for (int k = 0; k < BODIES * count; k++) {
            cm_pose pose;
            const cm_shape body = body_of(&r, k % BODIES);
            if (place_deep(&s, &body, &r, &pose)) check_deep(&s, &body, &pose, k, &t);
        }
        cm_mesh_destroy(s.mesh, NULL);
        cm_hull_destroy(s.hull, NULL);
    }
    print_message("  %d bodies; depths told: %.4f to %.4f of the hull's\n", t.deep, t.least, t.most);
    check_that(t.sum >= 0.999 * t.deep && t.most <= 1.001, "in the mean %g", t.sum / t.deep);
    check_that(2 * t.deep > SOLIDS * BODIES * count, "%d deep", t.deep);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_of_a_fine_solid_are_those_of_its_hull)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
