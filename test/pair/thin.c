/* Poses that random ones met (test/matrix), where an answer was wrong: what is thin, and what only just touches.
 * Numbers are those of the double build; rounded to float they are neighbors of the case. */
#include "support/support.h"

#include <math.h>

#define THIN_BOUND (sizeof(cm_real) == 4 ? 1e-5 : 1e-10)

static cm_pose thin_pose(double x, double y, double z, double qx, double qy, double qz, double qw) {
    cm_pose p = {{CM_REAL(x), CM_REAL(y), CM_REAL(z)}, {CM_REAL(qx), CM_REAL(qy), CM_REAL(qz), CM_REAL(qw)}};
    return p;
}

static cm_vec3 thin_local(const cm_pose *pose, cm_vec3 p) {
    return cm_rotate(cm_quat_conjugate(pose->rotation), cm_sub(p, pose->position));
}

/* By how much a point sticks out of a box. */
static double thin_beyond(const cm_pose *pose, cm_vec3 half, cm_vec3 p) {
    cm_vec3 q = thin_local(pose, p);
    double x = fabs((double)q.x) - (double)half.x, y = fabs((double)q.y) - (double)half.y;
    double z = fabs((double)q.z) - (double)half.z;
    return fmax(x, fmax(y, z));
}

/* A cylinder over the lower side of a double pyramid, 1e-13 of the scale away from the box around it: the search for a
 * depth ends 1e-11 short, and so distance said the smallest number there is, while contact looked no farther than its
 * margin. */
static void a_margin_that_holds_the_distance_holds_a_contact(void **state) {
    (void)state;
    const double x = 106.16229625270185, h = -53.081148126350904, h2 = -53.081148126350975, y = 91.939245478929323,
                 y2 = -91.939245478929294, z = 63.872283017899797;
    const double corner[18][3] = {{x, 0, 0},   {h, y, 0},   {0, 0, z}, {h, y, 0},   {x, 0, 0},   {0, 0, -z},
                                  {h, y, 0},   {h2, y2, 0}, {0, 0, z}, {h2, y2, 0}, {h, y, 0},   {0, 0, -z},
                                  {h2, y2, 0}, {x, 0, 0},   {0, 0, z}, {x, 0, 0},   {h2, y2, 0}, {0, 0, -z}};
    cm_vec3 points[18];
    for (int i = 0; i < 18; i++) points[i] = cm_v(CM_REAL(corner[i][0]), CM_REAL(corner[i][1]), CM_REAL(corner[i][2]));
    cm_mesh_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &points[0].x, desc.point_count = 18, desc.solid = true;
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    cm_shape a = cm_make_cylinder(CM_REAL(50.901980880038543), CM_REAL(22.587268593274821)), b = cm_make_mesh(mesh);
    cm_pose pa = thin_pose(-8.0877780287822105, 21.140293158012867, -91.755702382234162, 0, 0, 0, 1);
    cm_pose pb = thin_pose(19.459315891210938, -21.663553327508527, -5.29615077097354, 0, 0, 0, 1);
    cm_real d = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, NULL);
    check_that((d <= 0) == cm_overlap(&a, &pa, &b, &pb), "distance %g", (double)d);
    cm_real margin = d > 0 ? d * CM_REAL(1.5) + 1700 * CM_REAL_EPSILON : 0;
    check_that(cm_contact(&a, &pa, &b, &pb, margin, NULL, 0) > 0, "none at distance %g, margin %g", (double)d,
               (double)margin);
    cm_mesh_destroy(mesh, NULL);
}

/* A box without height over a large one: its narrow sides are no faces to cut by. */
static void flat_boxes_touch_within_their_faces(void **state) {
    (void)state;
    cm_vec3 flat = cm_v(CM_REAL(0.00029303095922611738), CM_REAL(0.00095721992617525176), 0);
    cm_vec3 large = cm_v(CM_REAL(0.0081659216361210513), CM_REAL(0.0061153599525798231), CM_REAL(0.012621660142367479));
    cm_pose pa = thin_pose(0.0032177777615921641, 0.0092856264384985013, 0.0079088223459878784, -0.64967386059518828,
                           -0.14553538077794964, 0.57374739042041978, 0.47702962149841338);
    cm_pose pb = thin_pose(-0.0054232373608991379, 0.001886431199623821, 0.018948177909682909, -0.64967386059518828,
                           -0.14553538077794964, 0.57374739042041978, 0.47702962149841338);
    cm_manifold m;
    cm_shape a = cm_make_box(flat), b = cm_make_box(large);
    assert_int_equal(cm_contact(&a, &pa, &b, &pb, CM_REAL(0.01), &m, 1), 1);
    for (int i = 0; i < m.count; i++)
        check_that(thin_beyond(&pa, flat, m.points[i].point_a) < 0.05 * THIN_BOUND + 1e-8, "point %d is %g off", i,
                   thin_beyond(&pa, flat, m.points[i].point_a));
    cm_vec3 strip = cm_v(0, CM_REAL(0.82563958121317405), CM_REAL(1.2082113638074212));
    a = cm_make_box(strip);
    b = cm_make_cylinder(CM_REAL(7.4758785865136739), CM_REAL(6.4));
    pa = thin_pose(0.69405576675025671, 1.6, 9, 0, 0, 0, 1), pb = thin_pose(0, 0, 0, 0, 0, 0, 1);
    assert_int_equal(cm_contact(&a, &pa, &b, &pb, 2, &m, 1), 1);
    for (int i = 0; i < m.count; i++)
        check_that(thin_beyond(&pa, strip, m.points[i].point_a) < THIN_BOUND, "cylinder: point %d is %g off", i,
                   thin_beyond(&pa, strip, m.points[i].point_a));
}

/* Three corners on one line, but for rounding: the witness lies on that line, between them. */
static void a_triangle_on_one_line_has_its_witness_on_it(void **state) {
    (void)state;
    const cm_vec3 from = cm_v(CM_REAL(347.10769289789914), 0, CM_REAL(-6664.6135804862315));
    const cm_vec3 to = cm_v(CM_REAL(17599.09859628609), 0, CM_REAL(-1338.8651409941879));
    cm_shape a = cm_make_triangle(from, to, cm_lerp(from, to, CM_REAL(0.5)));
    cm_shape b =
        cm_make_box(cm_v(CM_REAL(46936.790271447986), CM_REAL(56569.508168153952), CM_REAL(49186.386913894356)));
    b.radius = CM_REAL(7321.6574909215942);
    cm_pose pa = thin_pose(6666.2361725752999, 39393.625138985983, -10347.700298795375, 0.53574451279887658,
                           -0.14153581859743433, 0.12942552956014389, 0.82231044098802797);
    cm_pose pb = thin_pose(6161.2917390073962, 87401.361282094818, 14039.010056386254, 0.53574451279887658,
                           -0.14153581859743433, 0.12942552956014389, 0.82231044098802797);
    cm_witness w;
    cm_real d = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
    assert_true(d < 0);
    cm_vec3 p = thin_local(&pa, w.point_a), along = cm_sub(to, from);
    double t = (double)cm_dot(cm_sub(p, from), along) / (double)cm_dot(along, along);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double off = (double)cm_length(cm_sub(p, cm_lerp(from, to, CM_REAL(t))));
    check_that(off <= 1e5 * THIN_BOUND, "the witness is %g off the triangle", off);
}

/* The same with a radius is a capsule: its plane is noise, and nothing to be hit. */
static void a_ray_past_a_rounded_sliver_misses(void **state) {
    (void)state;
    const cm_vec3 from = cm_v(CM_REAL(-0.00015341353937645336), CM_REAL(2.6566542669985327e-05), 0);
    const cm_vec3 to = cm_v(CM_REAL(-6.9807730982934682e-05), CM_REAL(0.00028529344647953351), 0);
    const cm_vec3 middle = cm_v(CM_REAL(-0.00011161063517969402), CM_REAL(0.00015592999457475943), 0);
    rng r = rng_start("slivers", 91);
    for (int i = 0; i < samples(20000, 2000000); i++) {
        cm_shape sliver = cm_make_triangle(from, to, middle), capsule = cm_make_capsule(from, to, 0);
        sliver.radius = capsule.radius = CM_REAL(rng_range(&r, 1e-5, 3e-4));
        cm_pose pose = rng_pose(&r, 0.005);
        cm_ray ray;
        ray.origin = cm_add(pose.position, rng_vec3(&r, 0.003));
        ray.direction = cm_sub(cm_add(pose.position, rng_vec3(&r, 0.0006)), ray.origin);
        ray.max = 2;
        cm_ray_hit hit;
        if (!cm_raycast(&ray, &sliver, &pose, &hit)) continue;
        capsule.radius *= CM_REAL(1.001); /* for rounding */
        check_that(cm_raycast(&ray, &capsule, &pose, NULL), "number %d: hit at %g, but the capsule is not", i,
                   (double)hit.t);
    }
}

/* A ball on a rounded ellipsoid, 300 roundings of double apart: one bound said that they overlap, and another that they
 * are beyond the margin. */
static void what_has_no_distance_has_a_contact(void **state) {
    (void)state;
    rng r = rng_start("touching", 92);
    int touching = 0;
    for (int i = 0; i < samples(20000, 2000000); i++) {
        cm_shape a = cm_make_sphere(rng_vec3(&r, 1.5e-4), CM_REAL(rng_range(&r, 2e-5, 1e-4)));
        cm_shape b = cm_make_ellipsoid(cm_v(CM_REAL(rng_range(&r, 1e-4, 2e-4)), CM_REAL(rng_range(&r, 1e-4, 2e-4)),
                                            CM_REAL(rng_range(&r, 1e-4, 2e-4))));
        b.radius = CM_REAL(rng_range(&r, 1e-5, 1e-4));
        cm_pose pa = rng_pose(&r, 1e-4), pb = rng_pose(&r, 1e-4);
        cm_witness w;
        cm_real d = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
        pb.position = cm_mul_add(pb.position, -d, w.normal);
        d = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, NULL);
        int count = cm_contact(&a, &pa, &b, &pb, 0, NULL, 0);
        check_that((count > 0) == (d <= 0), "number %d: %d contacts at distance %g", i, count, (double)d);
        touching += d <= 0;
    }
    assert_true(touching > 1000);
}

static bool names_are_distinct(const cm_manifold *m) {
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < i; k++)
            if (m->points[i].feature_a != CM_NONE && m->points[i].feature_b != CM_NONE &&
                m->points[i].feature_a == m->points[k].feature_a && m->points[i].feature_b == m->points[k].feature_b)
                return false;
    return true;
}

/* Faces that cut each other at corners of both, and the deepest point beside those of a face. */
static void no_two_points_of_a_contact_have_one_name(void **state) {
    (void)state;
    rng r = rng_start("names", 93);
    int many = 0;
    for (int i = 0; i < samples(20000, 2000000); i++) {
        cm_vec3 half = cm_v(1, CM_REAL(rng_range(&r, 0.3, 1)), CM_REAL(rng_range(&r, 0.3, 1)));
        cm_shape kinds[3] = {cm_make_box(half), cm_make_triangle(rng_vec3(&r, 2), rng_vec3(&r, 2), rng_vec3(&r, 2)),
                             cm_make_cylinder(half.x, half.y)};
        for (int a = 0; a < 3; a++) {
            for (int b = a; b < 3; b++) {
                cm_pose pa = rng_pose(&r, 1), pb = rng_pose(&r, 1);
                cm_manifold m;
                if (cm_contact(&kinds[a], &pa, &kinds[b], &pb, CM_REAL(0.3), &m, 1) == 0) continue;
                check_that(names_are_distinct(&m), "kinds %d and %d, number %d: two of %d points", a, b, i, m.count);
                many += m.count > 4;
            }
        }
    }
    assert_true(many > 1000);
}

static double thin_along_axes(cm_vec3 v) { return (double)cm_abs(v.x) + (double)cm_abs(v.y) + (double)cm_abs(v.z); }

/* G of sweep.h, of boxes that do not turn, with room for its own rounding. */
static double thin_band(const cm_vec3 half[2], const cm_motion *a, const cm_motion *b) {
    const cm_vec3 pa = a->start.position, pb = b->start.position;
    double size = thin_along_axes(cm_sub(pb, pa)) + thin_along_axes(a->move) + thin_along_axes(b->move);
    size += (double)cm_length(half[0]) + (double)cm_length(half[1]);
    double world = (double)cm_largest(pa) + (double)cm_largest(pb);
    return 1.001 * (double)CM_REAL_EPSILON * (16 * size + 4 * world);
}

/* Boxes with the same axes: the product of two of their edges is a face's axis, and which of them comes first is
 * rounding. The point of the first contact lies on both. But a start that hovers within G of touching is answered where
 * it is, at once (sweep.h): the point lies on one of them then, and off the other by what they are apart, no more than
 * G. Of 2e6 samples in float 7 hover, up to 1.6e-5 apart; beyond that, and of all others, points are 8.4e-7 off at
 * most. */
static void parallel_boxes_meet_where_both_are(void **state) {
    (void)state;
    rng r = rng_start("parallel", 94);
    const double bound = sizeof(cm_real) == 4 ? 2e-6 : THIN_BOUND;
    double worst = 0;
    int met = 0, hovered = 0;
    for (int i = 0; i < samples(20000, 2000000); i++) {
        cm_vec3 half[2];
        for (int k = 0; k < 2; k++)
            half[k] =
                cm_v(CM_REAL(rng_range(&r, 0.2, 1)), CM_REAL(rng_range(&r, 0.2, 1)), CM_REAL(rng_range(&r, 0.2, 1)));
        cm_shape a = cm_make_box(half[0]), b = cm_make_box(half[1]);
        cm_motion stay, go;
        memset(&stay, 0, sizeof stay), memset(&go, 0, sizeof go);
        stay.start = rng_pose(&r, 1), go.start = rng_pose(&r, 3);
        if (i % 4 == 0) stay.start.rotation = cm_pose_identity().rotation;
        go.start.rotation = stay.start.rotation;
        go.move = cm_scale(cm_sub(stay.start.position, go.start.position), CM_REAL(rng_range(&r, 0.5, 2)));
        cm_sweep_hit hit;
        if (!cm_sweep(&a, &stay, &b, &go, &hit) || hit.start != CM_SWEEP_SEPARATED) continue;
        cm_pose at = go.start;
        at.position = cm_mul_add(at.position, hit.first, go.move);
        double off = fmax(thin_beyond(&stay.start, half[0], hit.point), thin_beyond(&at, half[1], hit.point));
        double left = 0;
        if (!(hit.first > CM_REAL_MIN)) {
            left = (double)cm_distance(&a, &stay.start, &b, &go.start, CM_REAL_MAX, NULL);
            check_that(left <= thin_band(half, &stay, &go), "number %d: met at once, but %g apart", i, left);
            hovered++;
        }
        check_that(off <= left + bound, "number %d: the point is %g off of what is %g apart", i, off, left);
        worst = fmax(worst, off - left);
        met++;
    }
    print_message("  %d of %d hovered, off by %g besides\n", hovered, met, worst);
    assert_true(met > 1000);
}

/* A segment that touches a needle runs through it, and is out again at once: the search back from the end arrives where
 * they touch, and that is the end of the contact. */
static void what_runs_through_a_needle_leaves_it(void **state) {
    (void)state;
    const double at[6][3] = {{3.018594023721704e-05, -5.6186987430883445e-05, 4.7031042312110429},
                             {2.9307900294084938e-05, 3.8583351535105021e-05, -40.839704087499129},
                             {2.7310303186908772e-06, -5.5167645438804212e-05, -72.714749142958837},
                             {1.709660102987139e-05, 1.4889666104897705e-05, 17.142137110488822},
                             {1.5531529158921143e-05, -4.3543406904517797e-05, -83.088220163547831},
                             {-3.8396475682991689e-06, -9.6621592242369142e-05, 71.837052644763446}};
    cm_vec3 points[6];
    for (int i = 0; i < 6; i++) points[i] = cm_v(CM_REAL(at[i][0]), CM_REAL(at[i][1]), CM_REAL(at[i][2]));
    cm_hull *hull = NULL;
    cm_hull_desc desc = {.points = &points[0].x, .point_count = 6};
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    cm_shape a =
        cm_make_segment(cm_v(CM_REAL(16.370503229495721), CM_REAL(23.091549887689624), CM_REAL(23.260899982737595)),
                        cm_v(CM_REAL(6.7541382576662121), CM_REAL(-21.872288293759883), CM_REAL(0.29296133568235344)));
    cm_shape b = cm_make_hull(hull);
    cm_motion stay, go;
    memset(&stay, 0, sizeof stay), memset(&go, 0, sizeof go);
    stay.start = thin_pose(32.268783835517183, -52.823373825465168, 45.91430373505986, -0.29837509507206744,
                           0.60915005488531948, -0.65170837892373568, -0.33938871830770045);
    go.start = thin_pose(39.377006932570701, -48.928403254867305, 36.137699179947646, 0.2897059047307432,
                         0.73270712675906957, 0.52147114875881884, 0.32753411451750791);
    go.move = cm_v(CM_REAL(-29.107581918452528), CM_REAL(31.692454810199209), CM_REAL(-8.0204381315001712));
    cm_sweep_hit hit;
    if (cm_sweep(&a, &stay, &b, &go, &hit))
        check_that(hit.last < CM_REAL(0.001), "first %g, last %g", (double)hit.first, (double)hit.last);
    cm_hull_destroy(hull, NULL);
}

/* A rod beside a spire a million times as high as wide, both upright. Where they only touch, the polytope around the
 * origin is flat as far as its rounding goes, and what is square to that is not the way out: they were told to be as
 * deep as they are thick. */
static void rods_moved_to_a_spire_touch_it(void **state) {
    (void)state;
    rng r = rng_start("rods", 64);
    const double scale = 1e5, bound = (sizeof(cm_real) == 4 ? 1e-6 : 1e-8) * scale;
    for (int i = 0; i < samples(4000, 100000); i++) {
        const double width = rng_range(&r, 0.02, 0.2), half = rng_range(&r, 20, 200), angle = rng_range(&r, 0, 6.28);
        cm_shape a = cm_make_cylinder(CM_REAL(width), CM_REAL(half));
        cm_shape b = cm_make_cone(CM_REAL(0.1), CM_REAL(0.8 * scale));
        cm_pose pa = cm_pose_identity(), pb = pa;
        pa.position = cm_v(CM_REAL(rng_range(&r, -1, 1) * scale), CM_REAL(rng_range(&r, -1, 1) * scale), 0);
        pb.position = cm_add(pa.position, cm_v(CM_REAL(5000 * cos(angle)), CM_REAL(5000 * sin(angle)),
                                               CM_REAL(rng_range(&r, -3000, 3000))));
        cm_witness w;
        cm_real d = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
        pb.position = cm_mul_add(pb.position, -d, w.normal);
        double left = fabs((double)cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, NULL));
        check_that(left <= bound, "%d: %g left of %g", i, left, (double)d);
    }
}

/* Disks of ellipsoids with rims of 1e-6 of their size, over triangles: a search that rounding stopped one step short of
 * its end was off by 1e-6 in its direction, which moving by the distance shows. That happens three times as often, and
 * by twice as much and more, where such searches do not go on. */
static void thin_ellipsoids_moved_by_their_distance_touch(void **state) {
    (void)state;
    rng r = rng_start("thin ellipsoids", 63);
    double worst = 0, bound = sizeof(cm_real) == 4 ? 2e-6 : 6e-8;
    int short_of = 0, count = samples(100000, 1000000);
    for (int i = 0; i < count; i++) {
        cm_vec3 half = cm_v(CM_REAL(rng_log_range(&r, 1e-7, 1e-3)), CM_REAL(rng_range(&r, 0.2, 1)),
                            CM_REAL(rng_range(&r, 0.2, 1)));
        cm_vec3 corner[3];
        for (int k = 0; k < 3; k++) corner[k] = rng_vec3(&r, 1);
        cm_shape a = cm_make_ellipsoid(half), b = cm_make_triangle(corner[0], corner[1], corner[2]);
        cm_pose pa = rng_pose(&r, 1), pb = rng_pose(&r, 1);
        cm_witness w;
        cm_real d = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
        if (!(d > 0)) continue;
        pb.position = cm_mul_add(pb.position, -d, w.normal);
        double left = fabs((double)cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, NULL));
        worst = fmax(worst, left);
        short_of += left > bound;
        check_that(left <= 1e-5, "%d: %g left of %g", i, left, (double)d);
    }
    print_message("  left %g, of %d more than %g\n", worst, short_of, bound);
    check_that(short_of <= count / 9000, "of %d more than %g was left", short_of, bound);
}

/* A triangle beside itself in its plane, one corner on the opposite edge: products of edges that are parallel but for
 * rounding point anywhere, and with what lay along the edge taken out were no longer of length 1. */
static void normals_of_what_touches_in_a_plane_have_length_one(void **state) {
    (void)state;
    rng r = rng_start("in a plane", 95);
    double worst = 0, bound = sizeof(cm_real) == 4 ? 1e-6 : 1e-12;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        cm_vec3 corner[3];
        for (int k = 0; k < 3; k++) corner[k] = rng_vec3(&r, 1);
        cm_shape a = cm_make_triangle(corner[0], corner[1], corner[2]);
        cm_pose pa = rng_pose(&r, 3), pb = pa;
        cm_vec3 onto = cm_lerp(corner[0], corner[2], CM_REAL(rng_unit(&r)));
        pb.position = cm_add(pa.position, cm_rotate(pa.rotation, cm_sub(onto, corner[1])));
        cm_witness w;
        cm_distance(&a, &pa, &a, &pb, CM_REAL_MAX, &w);
        worst = fmax(worst, fabs((double)cm_length(w.normal) - 1));
        check_that(worst <= bound, "%d: a normal of length 1 + %g", i, (double)cm_length(w.normal) - 1);
    }
    print_message("  off by %g\n", worst);
}

/* A triangle on one line, with a corner in its middle, and next to that corner an edge of another triangle across it:
 * the corner and the line are as far away within rounding, but only the direction square to both proves the distance.
 */
static void edges_that_cross_beside_a_corner_part_square_to_both(void **state) {
    (void)state;
    static const double sizes[] = {0.125, 0.25, 0.3, 0.5, 1, 1.5, 2, 3};
    rng r = rng_start("beside a corner", 18);
    for (int i = 0; i < samples(20000, 1000000); i++) {
        const cm_quat turn = rng_below(&r, 2) ? cm_quat_identity() : rng_rotation(&r);
        const cm_vec3 x = cm_rotate(turn, cm_v(1, 0, 0)), y = cm_rotate(turn, cm_v(0, 1, 0));
        const cm_vec3 z = cm_rotate(turn, cm_v(0, 0, 1)), none = {0, 0, 0};
        const cm_real length = CM_REAL(sizes[rng_below(&r, 8)]), half = CM_REAL(sizes[rng_below(&r, 8)]);
        const cm_real gap = CM_REAL(sizes[rng_below(&r, 8)]), back = CM_REAL(sizes[rng_below(&r, 8)]);
        const cm_real beside = CM_REAL(rng_log_range(&r, 1e-12, 1e-3)) * length * (rng_below(&r, 2) ? 1 : -1);
        const cm_real tilt = CM_REAL(rng_log_range(&r, 1e-9, 1));
        const cm_vec3 line[3] = {cm_scale(z, length), cm_scale(z, -length), none};
        const cm_vec3 at = cm_mul_add(cm_scale(x, gap), beside, z), edge = cm_scale(cm_mul_add(y, tilt, z), half);
        const cm_vec3 other[3] = {cm_add(at, edge), cm_sub(at, edge), cm_mul_add(at, back, x)};
        const uint32_t first = rng_below(&r, 3), of_other = rng_below(&r, 3);
        cm_shape a = cm_make_triangle(line[first], line[(first + 1) % 3], line[(first + 2) % 3]);
        cm_shape b = cm_make_triangle(other[of_other], other[(of_other + 1) % 3], other[(of_other + 2) % 3]);
        a.radius = rng_below(&r, 2) ? CM_REAL(sizes[rng_below(&r, 8)]) : 0;
        const cm_pose home = cm_pose_identity();
        cm_witness w;
        const double d = (double)cm_distance(&a, &home, &b, &home, CM_REAL_MAX, &w) + (double)a.radius;
        double along = HUGE_VAL;
        for (int k = 0; k < 9; k++) along = fmin(along, (double)cm_dot(w.normal, cm_sub(other[k / 3], line[k % 3])));
        const double size = (double)(length + half + gap + back + a.radius), bound = 64 * (double)CM_REAL_EPSILON;
        check_that(d - along <= bound * size * size / (double)gap,
                   "case %d: " REAL_FORMAT " but " REAL_FORMAT " along the normal", i, d, along);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_margin_that_holds_the_distance_holds_a_contact),
        cmocka_unit_test(flat_boxes_touch_within_their_faces),
        cmocka_unit_test(a_triangle_on_one_line_has_its_witness_on_it),
        cmocka_unit_test(a_ray_past_a_rounded_sliver_misses),
        cmocka_unit_test(what_has_no_distance_has_a_contact),
        cmocka_unit_test(no_two_points_of_a_contact_have_one_name),
        cmocka_unit_test(what_runs_through_a_needle_leaves_it),
        cmocka_unit_test(parallel_boxes_meet_where_both_are),
        cmocka_unit_test(rods_moved_to_a_spire_touch_it),
        cmocka_unit_test(thin_ellipsoids_moved_by_their_distance_touch),
        cmocka_unit_test(normals_of_what_touches_in_a_plane_have_length_one),
        cmocka_unit_test(edges_that_cross_beside_a_corner_part_square_to_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
