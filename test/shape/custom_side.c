/* What a shape told by its support function stands on: as many contact points as the shape itself has there, in the
 * same places, on every kind of ground, in any position; with numbers that stay. */
#include "support/meshes.h"
#include "support/support.h"

#include <math.h>

static void box_told(const void *user, const double d[3], double p[3]) {
    const double *h = user;
    for (int i = 0; i < 3; i++) p[i] = d[i] > 0 ? h[i] : -h[i];
}
static void ball_told(const void *user, const double d[3], double p[3]) { /* an ellipsoid */
    const double *h = user;
    double l = 0;
    for (int i = 0; i < 3; i++) l += h[i] * d[i] * h[i] * d[i];
    for (int i = 0; i < 3; i++) p[i] = h[i] * h[i] * d[i] / sqrt(l);
}
static void drum_told(const void *user, const double d[3], double p[3]) { /* radius, -, half height */
    const double *h = user;
    double l = sqrt(d[0] * d[0] + d[1] * d[1]);
    p[0] = l > 0 ? h[0] * d[0] / l : h[0], p[1] = l > 0 ? h[0] * d[1] / l : 0, p[2] = d[2] > 0 ? h[2] : -h[2];
}
static void soft_box_told(const void *user, const double d[3], double p[3]) { /* a box with edges of radius h[3] */
    const double *h = user;
    double l = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int i = 0; i < 3; i++) p[i] = (d[i] > 0 ? h[i] : -h[i]) + h[3] * d[i] / l;
}
static void rough_box_told(const void *user, const double d[3], double p[3]) { /* as single numbers would have it */
    const double *h = user;
    for (int i = 0; i < 3; i++) p[i] = (double)(float)(h[i] * (d[i] > 0 ? 1.0000001 : -0.9999999));
}

/* Everything here has its flat top at z = 0 and is far larger than what stands on it. */
enum { GROUNDS = 13 };
typedef struct grounds {
    cm_shape shape[GROUNDS];
    const char *name[GROUNDS];
    double half[3];
    cm_pose home[GROUNDS]; /* where its own frame is, with the top at z = 0 */
    cm_mesh *plate, *block;
    cm_height_field *field;
    cm_hull *hull;
    cm_compound *compound;
} grounds;

static cm_quat about(double x, double y, double z, double angle) {
    double s = sin(angle / 2);
    cm_quat q;
    q.x = CM_REAL(x * s), q.y = CM_REAL(y * s), q.z = CM_REAL(z * s), q.w = CM_REAL(cos(angle / 2));
    return q;
}

static void grounds_start(grounds *g) {
    const cm_real e = 20;
    const cm_real corners[9] = {-90, -60, 0, 90, -60, 0, 0, 90, 0};
    const uint32_t three[3] = {0, 1, 2};
    const cm_vec3 eight[8] = {{-e, -e, -e}, {e, -e, -e}, {-e, e, -e}, {e, e, -e},
                              {-e, -e, 0},  {e, -e, 0},  {-e, e, 0},  {e, e, 0}};
    const cm_real flat[4] = {0, 0, 0, 0};
    cm_compound_child child;
    cm_compound_desc compound = {&child, 1};
    cm_height_field_desc field = {0};
    cm_hull_desc hull = {0};
    memset(&child, 0, sizeof child);
    for (int i = 0; i < 3; i++) g->half[i] = 20;
    g->plate = mesh_of(corners, 3, three, 1, false);
    g->block = mesh_box(cm_v(-e, -e, -e), cm_v(e, e, 0), true);
    field.heights = flat, field.columns = field.rows = 2, field.column_spacing = field.row_spacing = 40;
    field.origin = cm_v(-20, -20, 0);
    assert_int_equal(cm_height_field_build(&field, NULL, &g->field, NULL), CM_OK);
    hull.points = &eight[0].x, hull.point_count = 8;
    assert_int_equal(cm_hull_build(&hull, NULL, &g->hull, NULL), CM_OK);
    child.shape = cm_make_box(cm_v(e, e, 1)), child.pose.position = cm_v(0, 0, -1);
    child.pose.rotation = cm_quat_identity();
    assert_int_equal(cm_compound_build(&compound, NULL, &g->compound, NULL), CM_OK);
    const struct {
        cm_shape shape;
        const char *name;
        double drop;
    } all[GROUNDS] = {{cm_make_halfspace(cm_v(0, 0, 1), 0), "half-space", 0},
                      {cm_make_box(cm_v(e, e, 1)), "box", 1},
                      {cm_make_rounded_box(cm_v(e, e, 1), 1), "rounded box", 2},
                      {cm_make_cylinder(e, 1), "cylinder", 1},
                      {cm_make_cone(e, 1), "cone", 1}, /* its base up */
                      {cm_make_triangle(cm_v(-90, -60, 0), cm_v(90, -60, 0), cm_v(0, 90, 0)), "triangle", 0},
                      {cm_make_hull(g->hull), "hull", 0},
                      {cm_make_custom(box_told, g->half, cm_v(0, 0, 0), 35), "custom box", 20},
                      {cm_make_custom(drum_told, g->half, cm_v(0, 0, 0), 30), "custom drum", 20},
                      {cm_make_mesh(g->plate), "mesh", 0},
                      {cm_make_mesh(g->block), "solid mesh", 0},
                      {cm_make_height_field(g->field), "height field", 0},
                      {cm_make_compound(g->compound), "compound", 0}};
    for (int i = 0; i < GROUNDS; i++) {
        g->shape[i] = all[i].shape, g->name[i] = all[i].name;
        g->home[i].position = cm_v(0, 0, CM_REAL(-all[i].drop));
        g->home[i].rotation = i == 4 ? about(1, 0, 0, 3.14159265358979324) : cm_quat_identity();
    }
}
static void grounds_end(grounds *g) {
    cm_mesh_destroy(g->plate, NULL), cm_mesh_destroy(g->block, NULL);
    cm_height_field_destroy(g->field, NULL);
    cm_hull_destroy(g->hull, NULL);
    cm_compound_destroy(g->compound, NULL);
}

/* A turn that brings the given axis of a body to look down, and it around by any angle. */
static cm_quat standing_on(int axis, bool back, rng *r) {
    cm_quat down = about(0, 0, 1, 0);
    if (axis == 0) down = about(0, 1, 0, back ? -1.57079632679489662 : 1.57079632679489662);
    if (axis == 1) down = about(1, 0, 0, back ? 1.57079632679489662 : -1.57079632679489662);
    if (axis == 2 && !back) down = about(1, 0, 0, 3.14159265358979324);
    return cm_quat_mul(about(0, 0, 1, rng_range(r, 0, 6.28)), down);
}

/* All points of all manifolds of two shapes in a scene that is placed anywhere; by `swapped` in either order. */
typedef struct touches {
    int count;
    cm_contact_point point[64];
    cm_real steep; /* the least of the normals along the ground's */
} touches;

static void touch(const cm_shape *ground, const cm_pose *ground_at, const cm_shape *body, const cm_pose *body_at,
                  const cm_pose *scene, bool swapped, touches *out) {
    cm_manifold m[8];
    cm_pose pg = cm_pose_mul(scene, ground_at), pb = cm_pose_mul(scene, body_at);
    cm_vec3 up = cm_rotate(scene->rotation, cm_v(0, 0, 1));
    int count = swapped ? cm_contact(body, &pb, ground, &pg, 0, m, 8) : cm_contact(ground, &pg, body, &pb, 0, m, 8);
    out->count = 0, out->steep = 1;
    for (int i = 0; i < count && i < 8; i++) {
        cm_real along = cm_dot(up, m[i].normal) * (swapped ? -1 : 1);
        out->steep = cm_min(out->steep, along);
        for (int k = 0; k < m[i].count; k++) out->point[out->count++] = m[i].points[k];
    }
}

static const cm_contact_point *farthest(const touches *t, cm_vec3 way) {
    const cm_contact_point *best = &t->point[0];
    for (int i = 1; i < t->count; i++)
        if (cm_dot(way, t->point[i].point_a) > cm_dot(way, best->point_a)) best = &t->point[i];
    return best;
}

static cm_pose any_scene(rng *r) {
    cm_pose scene = rng_pose(r, 3);
    if (rng_below(r, 8) == 0) scene.rotation = cm_quat_identity();
    return scene;
}

#if defined(CAROM_F64)
#define NEAR CM_REAL(1e-7)
#else
#define NEAR CM_REAL(5e-5)
#endif

static void a_told_box_stands_on_the_points_of_the_box(void **state) {
    (void)state;
    rng r = rng_start("told boxes", 41);
    grounds g;
    grounds_start(&g);
    for (int i = 0; i < samples(13 * 200, 13 * 20000); i++) {
        int k = i % GROUNDS, axis = (int)rng_below(&r, 3), told_by = (int)rng_below(&r, 3);
        double h[4], depth = rng_range(&r, 0.001, 0.05);
        for (int n = 0; n < 3; n++) h[n] = (double)(cm_real)rng_range(&r, 0.3, 2);
        h[3] = told_by == 1 ? (double)(cm_real)rng_range(&r, 0.01, 0.5) : 0;
        cm_shape real = cm_make_rounded_box(cm_v((cm_real)h[0], (cm_real)h[1], (cm_real)h[2]), (cm_real)h[3]);
        cm_shape told = cm_make_custom(told_by == 0   ? box_told
                                       : told_by == 1 ? soft_box_told
                                                      : rough_box_told,
                                       h, cm_v(0, 0, 0), 4);
        cm_pose at = {
            cm_v(CM_REAL(rng_range(&r, -3, 3)), CM_REAL(rng_range(&r, -3, 3)), CM_REAL(h[axis] + h[3] - depth)),
            standing_on(axis, rng_below(&r, 2), &r)};
        cm_pose scene = any_scene(&r);
        bool swapped = rng_below(&r, 2);
        touches own, as_told;
        touch(&g.shape[k], &g.home[k], &real, &at, &scene, swapped, &own);
        touch(&g.shape[k], &g.home[k], &told, &at, &scene, swapped, &as_told);
        check_that(as_told.steep > 1 - CM_REAL(1e-5), "%d on %s: leaning by %g", i, g.name[k],
                   1 - (double)as_told.steep);
        check_that(own.count >= 4 && as_told.count >= 4, "%d on %s, told by %d: %d points, the box %d", i, g.name[k],
                   told_by, as_told.count, own.count);
        /* which points span what it stands on differs: one that is told as off an edge by little is a corner */
        for (int n = 0; n < 16; n++) {
            const double turn = n * 0.39269908169872414;
            const cm_vec3 way = cm_rotate(scene.rotation, cm_v(CM_REAL(cos(turn)), CM_REAL(sin(turn)), 0));
            const cm_contact_point *far = farthest(&own, way), *far_told = farthest(&as_told, way);
            const double off = (double)cm_dot(way, cm_sub(far->point_a, far_told->point_a));
            const double depth_off = (double)cm_abs(far->depth - far_told->depth);
            check_that(fabs(off) < (double)NEAR + (told_by == 1 ? 2e-3 : 5e-5), "%d on %s: %g farther", i, g.name[k],
                       off);
            check_that(depth_off < (double)NEAR + 1e-5, "%d on %s, told by %d: a depth off by %g", i, g.name[k],
                       told_by, depth_off);
        }
    }
    grounds_end(&g);
}

/* The edge of a box, the side of a drum: two ends. A cap: three or more, within its rim and near it. What is round all
 * over, or stands on a corner: one. */
static void told_edges_have_two_points_caps_several_and_round_things_one(void **state) {
    (void)state;
    rng r = rng_start("told sides", 42);
    grounds g;
    grounds_start(&g);
    for (int i = 0; i < samples(13 * 250, 13 * 20000); i++) {
        int k = i % GROUNDS, how = (int)rng_below(&r, 5);
        double h[3], depth = rng_range(&r, 0.001, 0.01), low;
        for (int n = 0; n < 3; n++) h[n] = (double)(cm_real)rng_range(&r, 0.3, 2);
        cm_shape told;
        cm_quat turn;
        if (how == 0) { /* a drum on its side */
            told = cm_make_custom(drum_told, h, cm_v(0, 0, 0), 4);
            turn = cm_quat_mul(standing_on(0, false, &r), about(0, 0, 1, rng_range(&r, 0, 6)));
            low = h[0];
        } else if (how == 1) { /* on its cap */
            told = cm_make_custom(drum_told, h, cm_v(0, 0, 0), 4);
            turn = standing_on(2, rng_below(&r, 2), &r);
            low = h[2];
        } else if (how == 2) { /* an ellipsoid on the end of an axis */
            int axis = (int)rng_below(&r, 3);
            told = cm_make_custom(ball_told, h, cm_v(0, 0, 0), 4);
            turn = standing_on(axis, false, &r);
            low = h[axis];
        } else { /* a box on an edge along x, or on a corner */
            double angle = rng_range(&r, 0.2, 1.3), lean = how == 3 ? 0 : rng_range(&r, 0.2, 1);
            cm_quat rolled = cm_quat_mul(about(0, 1, 0, lean), about(1, 0, 0, angle));
            told = cm_make_custom(box_told, h, cm_v(0, 0, 0), 4);
            turn = cm_quat_mul(about(0, 0, 1, rng_range(&r, 0, 6)), rolled);
            low = (h[1] * sin(angle) + h[2] * cos(angle)) * cos(lean) + h[0] * sin(lean);
        }
        cm_pose at = {cm_v(CM_REAL(rng_range(&r, -3, 3)), CM_REAL(rng_range(&r, -3, 3)), CM_REAL(low - depth)), turn};
        cm_pose scene = any_scene(&r);
        touches t;
        touch(&g.shape[k], &g.home[k], &told, &at, &scene, rng_below(&r, 2), &t);
        static const int least[5] = {2, 3, 1, 2, 1}, most[5] = {2, 8, 1, 2, 1};
        /* a block of two triangles a side or a field may part an edge, or be reached in several triangles */
        bool cut = g.shape[k].kind == CM_SHAPE_MESH || g.shape[k].kind == CM_SHAPE_HEIGHT_FIELD;
        cut = cut && g.shape[k].u.mesh != g.plate;
        check_that(t.count >= least[how] && t.count <= (cut ? 16 : most[how]), "%d, way %d on %s: %d points", i, how,
                   g.name[k], t.count);
        check_that(t.steep > 1 - CM_REAL(2e-5), "%d, way %d on %s: leaning by %g", i, how, g.name[k],
                   1 - (double)t.steep);
        cm_real deepest = -1;
        for (int n = 0; n < t.count; n++) deepest = cm_max(deepest, t.point[n].depth);
        check_that(cm_abs(deepest - CM_REAL(depth)) < CM_REAL(1e-3), "%d, way %d on %s: depth %g, not %g", i, how,
                   g.name[k], (double)deepest, depth);
        if (cut || how == 2 || how == 4) continue;
        cm_real apart = 0; /* how far the points reach: along the edge; across the cap */
        for (int n = 0; n < t.count; n++)
            for (int o = 0; o < n; o++)
                apart = cm_max(apart, cm_length(cm_sub(t.point[n].point_a, t.point[o].point_a)));
        double reach = 2 * (how == 0 ? h[2] : how == 1 ? h[0] : h[0]);
        check_that((double)apart <= reach * (1 + 1e-3) && (double)apart > reach * (how == 1 ? 0.9 : 1 - 1e-3),
                   "%d, way %d on %s: %g apart, of %g", i, how, g.name[k], (double)apart, reach);
    }
    grounds_end(&g);
}

/* Numbers stay while a body slides, turns and tips a little, for corners and for caps. */
static void numbers_of_told_features_stay(void **state) {
    (void)state;
    rng r = rng_start("told numbers", 43);
    int same = 0, all = 0, twice = 0;
    for (int i = 0; i < samples(2000, 200000); i++) {
        double h[3];
        for (int n = 0; n < 3; n++) h[n] = (double)(cm_real)rng_range(&r, 0.3, 2);
        bool drum = rng_below(&r, 2);
        cm_shape ground = cm_make_halfspace(cm_v(0, 0, 1), 0);
        cm_shape told = cm_make_custom(drum ? drum_told : box_told, h, cm_v(0, 0, 0), 4);
        int axis = drum ? 2 : (int)rng_below(&r, 3);
        cm_pose home = cm_pose_identity(), one = home, two;
        one.position.z = CM_REAL(h[axis] - 0.01);
        one.rotation = standing_on(axis, rng_below(&r, 2), &r);
        two = one;
        two.position.x = CM_REAL(rng_range(&r, -1, 1));
        two.rotation = cm_quat_mul(about(0, 0, 1, rng_range(&r, -0.5, 0.5)), one.rotation);
        two.rotation = cm_quat_mul(about(1, 0, 0, rng_range(&r, -1e-6, 1e-6)), two.rotation);
        cm_manifold m, n;
        assert_int_equal(cm_contact(&told, &one, &ground, &home, 0, &m, 1), 1);
        assert_int_equal(cm_contact(&told, &two, &ground, &home, 0, &n, 1), 1);
        for (int k = 0; k < m.count; k++) {
            all++;
            for (int l = 0; l < n.count; l++) same += m.points[k].feature_a == n.points[l].feature_a;
            for (int l = 0; l < k; l++) twice += m.points[k].feature_a == m.points[l].feature_a;
        }
    }
    print_message("  %d of %d points keep their numbers, %d have another's\n", same, all, twice);
    check_that(same * 50 >= all * 49 && same <= all + all / 100 && twice * 100 <= all, "%d of %d, %d twice", same, all,
               twice);
}

/* A support function that is asked as often as the header says, at most. */
typedef struct counted {
    double half[3];
    long asked;
} counted;
static void counted_told(const void *user, const double d[3], double p[3]) {
    counted *c = (counted *)(uintptr_t)user;
    c->asked++;
    drum_told(c->half, d, p);
}
static void a_side_costs_what_is_said(void **state) {
    (void)state;
    counted c = {{1, 0, 1}, 0};
    cm_shape told = cm_make_custom(counted_told, &c, cm_v(0, 0, 0), 2), ground = cm_make_halfspace(cm_v(0, 0, 1), 0);
    cm_pose home = cm_pose_identity(), at = home;
    cm_manifold m;
    at.position.z = CM_REAL(0.99);
    assert_int_equal(cm_contact(&told, &at, &ground, &home, 0, &m, 1), 1);
    print_message("  on its cap: asked %ld times\n", c.asked);
    check_that(m.count >= 3 && c.asked <= 40 + 2, "%ld", c.asked); /* one to check it, one for the depth */
}

static void corners_near_each_other_have_numbers_of_their_own(void **state) {
    (void)state;
    static const double half[3] = {1, 0.004, 1}; /* two by two nearer than what numbers are told by */
    const cm_shape ground = cm_make_box(cm_v(20, 20, 20)), body = cm_make_custom(box_told, half, cm_v(0, 0, 0), 2);
    cm_pose low = cm_pose_identity(), high = cm_pose_identity();
    cm_manifold m;
    low.position = cm_v(0, 0, -20), high.position = cm_v(0, 0, CM_REAL(0.999));
    assert_int_equal(cm_contact(&ground, &low, &body, &high, 0, &m, 1), 1);
    assert_int_equal(m.count, 4);
    for (int i = 0; i < m.count; i++)
        for (int k = 0; k < i; k++)
            check_that(m.points[i].feature_a != m.points[k].feature_a || m.points[i].feature_b != m.points[k].feature_b,
                       "points %d and %d are both %u %u", k, i, m.points[i].feature_a, m.points[i].feature_b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_told_box_stands_on_the_points_of_the_box),
        cmocka_unit_test(told_edges_have_two_points_caps_several_and_round_things_one),
        cmocka_unit_test(numbers_of_told_features_stay),
        cmocka_unit_test(a_side_costs_what_is_said),
        cmocka_unit_test(corners_near_each_other_have_numbers_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
