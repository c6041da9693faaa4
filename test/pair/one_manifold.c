/* Convex solid meshes touch as their hulls do: one manifold, with the points of the boxes', that keep their features,
 * and as deep along the same way out. And contacts of one plane are joined without any support lost. */
#include "support/fields.h"
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solids.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { FOUND = 512 };

static cm_manifold found[FOUND], parts[FOUND];

static bool is_near(cm_vec3 a, cm_vec3 b, double bound) { return (double)cm_largest(cm_sub(a, b)) <= bound; }

/* --- face to face ------------------------------------------------------------------------------------------------- */

typedef struct stand {
    double x, y, depth, turn, tilt;
} stand;

/* Above the lower cube, both with a half of 1. */
static const stand stands[] = {{0, 0, 0, 0, 0},           {0, 0, 1e-3, 0, 0},         {0, 0, -1e-3, 0, 0},
                               {0.25, 0.125, 1e-3, 0, 0}, {0, 0.5, 1e-2, 0, 0},       {1.25, 0, 1e-3, 0, 0},
                               {1.25, 1.25, 1e-3, 0, 0},  {1.5, -1.25, 1e-3, 0.2, 0}, {0, 0, 1e-3, 0.785398, 0},
                               {0.1, 0, 1e-2, 0.3, 0},    {0, 0, 1e-3, 0, 1e-3},      {0.1, 0.1, 1e-3, 0.2, 1e-3},
                               {0, 0, 0, 0, -1e-4},       {0.3, 0.2, 0, 0.5, 2e-4}};

static cm_pose stand_pose(const stand *s) {
    cm_pose at = cm_pose_at(cm_v(CM_REAL(s->x), CM_REAL(s->y), CM_REAL(2 - s->depth)));
    cm_quat turn, tilt;
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(s->turn), &turn);
    cm_quat_from_axis_angle(cm_v(1, 0, 0), CM_REAL(s->tilt), &tilt);
    at.rotation = cm_quat_mul(tilt, turn);
    return at;
}

static cm_mesh *cube_of(int cuts) {
    soup s = {0};
    soup_add_box(&s, cm_v(-1, -1, -1), cm_v(1, 1, 1), cuts, false, false);
    return soup_build(&s, true);
}

/* How far the points reach across the normal at an angle, and by `slope` toward the depth. */
static double reach_of(const cm_manifold *m, double angle, double slope) {
    const cm_vec3 axis = cm_abs(m->normal.x) < CM_REAL(0.6) ? cm_v(1, 0, 0) : cm_v(0, 1, 0);
    const cm_vec3 x = cm_normalize(cm_cross(m->normal, axis), axis), y = cm_cross(m->normal, x);
    double most = -DBL_MAX;
    for (int k = 0; k < m->count; k++) {
        const cm_vec3 p = m->points[k].point_a;
        const double across = cos(angle) * (double)cm_dot(p, x) + sin(angle) * (double)cm_dot(p, y);
        most = fmax(most, across + slope * (double)m->points[k].depth);
    }
    return most;
}

static void check_same(const char *name, const cm_manifold *m, const cm_manifold *box, double bound) {
    check_that(is_near(m->normal, box->normal, 2e-6), "%s: normal %g %g %g", name, (double)m->normal.x,
               (double)m->normal.y, (double)m->normal.z);
    check_that(m->count >= 3, "%s: %d points", name, m->count);
    for (int way = 0; way < 32; way++) { /* which points span the contact may differ, as sides cross at an edge's end */
        const double slope = way % 2 ? 0.5 : 0;
        const double off = reach_of(m, way * 0.19634954, slope) - reach_of(box, way * 0.19634954, slope);
        check_that(fabs(off) <= bound, "%s: reaches %g farther to side %d", name, off, way);
    }
    for (int i = 0; i < m->count; i++) {
        const cm_contact_point *p = &m->points[i];
        const cm_vec3 off = cm_sub(cm_sub(p->point_a, p->point_b), cm_scale(m->normal, p->depth));
        check_that(is_near(off, cm_v(0, 0, 0), bound), "%s: point %d is off its depth", name, i);
    }
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < i; k++)
            check_that(m->points[i].feature_a != m->points[k].feature_a ||
                           m->points[i].feature_b != m->points[k].feature_b,
                       "%s: points %d and %d have the same features", name, k, i);
}

static void cubes_of_triangles_touch_as_boxes_do(void **state) {
    (void)state;
    rng r = rng_start("cubes", 611);
    cm_mesh *cubes[2] = {cube_of(1), cube_of(4)};
    const cm_shape forms[3] = {cm_make_box(cm_v(1, 1, 1)), cm_make_mesh(cubes[0]), cm_make_mesh(cubes[1])};
    const char *const names[3] = {"box", "12", "192"};
    const cm_real margin = CM_REAL(2e-2);
    for (int i = 0; i < (int)(sizeof stands / sizeof *stands); i++)
        for (int turned = 0; turned < 4; turned++) {
            const cm_pose above = stand_pose(&stands[i]);
            cm_pose scene = turned ? rng_pose(&r, 3) : cm_pose_identity();
            const cm_pose low = scene, high = cm_pose_mul(&scene, &above);
            cm_manifold box;
            assert_int_equal(cm_contact(&forms[0], &low, &forms[0], &high, margin, &box, 1), 1);
            for (int form = 1; form < 9; form++) {
                char name[64];
                snprintf(name, sizeof name, "stand %d, %s under %s", i, names[form / 3], names[form % 3]);
                const int count = cm_contact(&forms[form / 3], &low, &forms[form % 3], &high, margin, found, FOUND);
                check_that(count == 1, "%s: %d manifolds", name, count);
                check_same(name, &found[0], &box, sizeof(cm_real) == sizeof(float) ? 3e-5 : 1e-12);
                cm_pose moved = high;
                moved.position.x += CM_REAL(1e-5);
                cm_manifold again[2];
                assert_int_equal(cm_contact(&forms[form / 3], &low, &forms[form % 3], &moved, margin, again, 2), 1);
                for (int k = 0; k < again->count && stands[i].x > 0 && stands[i].turn > 0; k++) {
                    bool kept = false;
                    for (int l = 0; l < found->count; l++)
                        kept |= again->points[k].feature_a == found->points[l].feature_a &&
                                again->points[k].feature_b == found->points[l].feature_b;
                    check_that(kept, "%s: point %d has got another feature", name, k);
                }
            }
        }
    cm_mesh_destroy(cubes[0], NULL), cm_mesh_destroy(cubes[1], NULL);
}

/* A cube that overhangs an edge by less than it is deep leaves sideways. */
static void the_least_way_out_is_taken(void **state) {
    (void)state;
    cm_mesh *cube = cube_of(1);
    const cm_shape mesh = cm_make_mesh(cube);
    const cm_pose low = cm_pose_identity();
    for (int i = 1; i < 20; i++) {
        const cm_pose high = cm_pose_at(cm_v(CM_REAL(2 - 0.01 * i), CM_REAL(0.25), CM_REAL(1.9)));
        const int count = cm_contact(&mesh, &low, &mesh, &high, 0, found, FOUND);
        assert_true(count >= 1);
        double depth = 0;
        for (int k = 0; k < count; k++)
            for (int p = 0; p < found[k].count; p++) depth = fmax(depth, (double)found[k].points[p].depth);
        const double least = fmin(0.1, 0.01 * i);
        check_that(fabs(depth - least) <= 0.011 * least + 1e-6, "%g beside, 0.1 deep: told %g", 0.01 * i, depth);
    }
    cm_mesh_destroy(cube, NULL);
}

/* However deep they are in each other, aligned or turned, one within the other too. */
static void cubes_of_triangles_leave_as_boxes_do(void **state) {
    (void)state;
    rng r = rng_start("cubes deep", 613);
    cm_mesh *cubes[3] = {cube_of(1), cube_of(4), cube_of(14)};
    const cm_shape box = cm_make_box(cm_v(1, 1, 1));
    const double bound = sizeof(cm_real) == sizeof(float) ? 3e-6 : 1e-13;
    int deep = 0;
    for (int i = 0; i < samples(400, 20000); i++) {
        const cm_pose a = rng_pose(&r, 1);
        cm_pose b_in_a = {rng_vec3(&r, i % 2 ? 1.5 : 0.5), i % 3 ? rng_rotation(&r) : cm_quat_identity()};
        const cm_pose b = cm_pose_mul(&a, &b_in_a);
        cm_manifold as_box;
        const cm_shape first = cm_make_mesh(cubes[i % 3]), second = cm_make_mesh(cubes[i / 3 % 3]);
        if (!cm_contact(&box, &a, &box, &b, 0, &as_box, 1)) continue;
        double depth = 0;
        for (int k = 0; k < as_box.count; k++) depth = fmax(depth, (double)as_box.points[k].depth);
        for (int form = 0; form < 3; form++) {
            const int count =
                cm_contact(form == 0 ? &box : &first, &a, form == 1 ? &box : &second, &b, 0, found, FOUND);
            double told = 0;
            for (int k = 0; k < found[0].count; k++) told = fmax(told, (double)found[0].points[k].depth);
            check_that(count == 1 && fabs(told - depth) <= bound, "%d, form %d: %d contacts, %g deep, boxes %g", i,
                       form, count, told, depth);
            assert_int_equal(found[0].part_a == CM_NONE, form == 0);
            assert_int_equal(found[0].part_b == CM_NONE, form == 1);
        }
        ++deep;
    }
    check_that(deep > samples(200, 10000), "%d deep", deep);
    for (int i = 0; i < 3; i++) cm_mesh_destroy(cubes[i], NULL);
}

/* A second foot that is shorter by less than the first is deep carries, too. */
static void uneven_feet_both_carry(void **state) {
    (void)state;
    soup s = {0};
    soup_add_box(&s, cm_v(-3, -1, 0), cm_v(-2, 1, 3), 1, false, false);
    soup_add_box(&s, cm_v(2, -1, CM_REAL(0.005)), cm_v(3, 1, 3), 1, false, false);
    cm_mesh *feet = soup_build(&s, true);
    const cm_shape body = cm_make_mesh(feet), box = cm_make_box(cm_v(5, 5, 1));
    const cm_pose below = cm_pose_at(cm_v(0, 0, CM_REAL(-0.99)));
    cm_pose on = cm_pose_identity();
    const int count = cm_contact(&box, &below, &body, &on, 0, found, FOUND);
    double low = 0, high = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < found[i].count; k++) {
            low = fmin(low, (double)found[i].points[k].point_a.x);
            high = fmax(high, (double)found[i].points[k].point_a.x);
        }
    check_that(low < -2.99 && high > 2.99, "held from %g to %g", low, high);
    cm_mesh_destroy(feet, NULL);
}

/* --- joined ------------------------------------------------------------------------------------------------------- */

/* Is a point of a part's contact held by those that are told along its normal? Told by how far both reach, in many
 * directions across the normal and toward the depth. */
static void check_held(const char *name, const cm_manifold *part, int count, rng *r, double size) {
    const double bound = (sizeof(cm_real) == sizeof(float) ? 1e-4 : 1e-9) * size;
    for (int way = 0; way < 16; way++) {
        const double angle = rng_range(r, 0, 6.2831853), slope = way % 2 ? 0 : rng_log_range(r, 1e-2, 1e4);
        double told = -DBL_MAX;
        for (int i = 0; i < count; i++)
            if ((double)cm_dot(found[i].normal, part->normal) > 1 - 1e-6) {
                cm_manifold m = found[i];
                m.normal = part->normal; /* one pair of axes for all */
                told = fmax(told, reach_of(&m, angle, slope));
            }
        const double own = reach_of(part, angle, slope);
        check_that(own <= told + bound * (1 + slope), "%s: triangle %u %u reaches to %.9g, all that is told to %.9g",
                   name, part->part_a, part->part_b, own, told);
    }
}

static void joined_contacts_hold_all_that_their_parts_hold(void **state) {
    (void)state;
    rng r = rng_start("joined", 612);
    const double size = 4;
    long joined = 0, several = 0;
    for (int k = 0; k < samples(60, 2000); k++) {
        field_twin t;
        field_twin_random(&t, (field_kind)(k % FIELD_KINDS), 9, size, cm_v(0, 0, 0), &r);
        for (int i = 0; i < 40 && t.mesh; i++) {
            const cm_shape ground = i % 2 ? cm_make_height_field(t.field) : cm_make_mesh(t.mesh);
            const cm_shape body = convex_random(i % CONVEX_HULL, rng_log_range(&r, 0.2, 3), NULL, &r);
            const cm_pose at = rng_pose(&r, 1);
            cm_pose on = rng_pose(&r, size);
            on.position = cm_add(cm_pose_apply(&at, field_twin_aim(&t, &r)), rng_vec3(&r, 0.5));
            if (i % 3 == 0) on.rotation = at.rotation;
            const cm_real margin = CM_REAL(i % 4 ? 0.1 : 0);
            const int count = cm_contact(&body, &on, &ground, &at, margin, found, FOUND);
            const int all = contacts_by_part(&body, &on, &ground, &at, margin, parts, FOUND);
            check_that((count > 0) == (all > 0) && count <= all && all < FOUND, "%d manifolds of %d", count, all);
            for (int p = 0; p < all; p++) check_held(cm_kind_name(body.kind), &parts[p], count, &r, 2 * size);
            joined += count<all, several += all> 1;
        }
        field_twin_free(&t);
    }
    check_that(4 * joined > several && several > samples(300, 10000), "%ld of %ld joined", joined, several);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_of_triangles_touch_as_boxes_do), cmocka_unit_test(the_least_way_out_is_taken),
        cmocka_unit_test(cubes_of_triangles_leave_as_boxes_do), cmocka_unit_test(uneven_feet_both_carry),
        cmocka_unit_test(joined_contacts_hold_all_that_their_parts_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
