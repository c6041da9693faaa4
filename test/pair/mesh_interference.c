/* The volume that two solid meshes have in common: closed forms, and the sum over all pairs of cones cut one by the
 * other. */
#include "support/meshes.h"
#include "support/solids.h"

#include <math.h>

static cm_pose at(double x, double y, double z) { return cm_pose_at(cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z))); }

static cm_interference ask(const cm_mesh *a, cm_pose pa, const cm_mesh *b, cm_pose pb) {
    const cm_shape sa = cm_make_mesh(a), sb = cm_make_mesh(b);
    cm_interference r, other;
    assert_int_equal(cm_mesh_interference(&sa, &pa, &sb, &pb, &r), CM_OK);
    assert_int_equal(cm_mesh_interference(&sb, &pb, &sa, &pa, &other), CM_OK);
    const bool same = r.volume == other.volume && r.error == other.error &&
                      memcmp(&r.center, &other.center, sizeof r.center) == 0 &&
                      memcmp(&r.bounds, &other.bounds, sizeof r.bounds) == 0;
    check_that(same, "%.17g in one order, %.17g in the other", r.volume, other.volume);
    check_that(r.volume >= 0 && r.error >= 0, "%g off by %g", r.volume, r.error);
    return r;
}

/* Where the numbers are exact: within the error that is stated, which is small. */
static void expect_volume(cm_interference r, double volume, double largest_error, const char *what) {
    check_that(fabs(r.volume - volume) <= r.error, "%s: %.17g, expected %.17g, by its own word off by %g", what,
               r.volume, volume, r.error);
    check_that(r.error <= largest_error, "%s: said to be off by %g, expected %g at most", what, r.error, largest_error);
}

static cm_mesh *box_of(cm_vec3 lo, cm_vec3 hi, int cells, bool turn) {
    soup s = {0};
    soup_add_box(&s, lo, hi, cells, turn, false);
    return soup_build(&s, true);
}

static double common(double lo_a, double hi_a, double lo_b, double hi_b) {
    const double length = fmin(hi_a, hi_b) - fmax(lo_a, lo_b);
    return length > 0 ? length : 0;
}

/* Boxes with corners on a lattice: faces in one plane, shared edges and corners, equal, inside, touching, apart; as 12
 * triangles and as 192. Where they only touch it is 0. */
static void boxes_on_a_lattice_have_the_product_of_their_overlaps(void **state) {
    (void)state;
    rng r = rng_start("lattice", 1801);
    for (int i = samples(500, 20000); i > 0; --i) {
        cm_vec3 lo[2], hi[2];
        cm_mesh *mesh[2];
        double n[2][2][3], volume = 1;
        for (int k = 0; k < 2; ++k) {
            for (int axis = 0; axis < 3; ++axis) {
                n[k][0][axis] = rng_below(&r, 4);
                n[k][1][axis] = n[k][0][axis] + 1 + rng_below(&r, 3);
            }
            lo[k] = cm_v((cm_real)n[k][0][0], (cm_real)n[k][0][1], (cm_real)n[k][0][2]);
            hi[k] = cm_v((cm_real)n[k][1][0], (cm_real)n[k][1][1], (cm_real)n[k][1][2]);
            mesh[k] = box_of(lo[k], hi[k], rng_below(&r, 2) ? 4 : 1, rng_below(&r, 2) == 0);
        }
        for (int axis = 0; axis < 3; ++axis)
            volume *= common(n[0][0][axis], n[0][1][axis], n[1][0][axis], n[1][1][axis]);
        const cm_interference found = ask(mesh[0], at(0, 0, 0), mesh[1], at(0, 0, 0));
        expect_volume(found, volume, 1e-8, "lattice");
        if (volume == 0) check_that(found.volume == 0, "touching has %g", found.volume);
        if (volume > 0) {
            const cm_vec3 low = cm_v(cm_max(lo[0].x, lo[1].x), cm_max(lo[0].y, lo[1].y), cm_max(lo[0].z, lo[1].z));
            const cm_vec3 high = cm_v(cm_min(hi[0].x, hi[1].x), cm_min(hi[0].y, hi[1].y), cm_min(hi[0].z, hi[1].z));
            const cm_vec3 middle = cm_scale(cm_add(low, high), CM_REAL(0.5));
            const double off = (double)cm_largest(cm_sub(found.center, middle));
            check_that(off <= 16 * (double)CM_REAL_EPSILON, "the center is off by %g", off);
            const double short_of =
                (double)cm_max(cm_largest(cm_sub(found.bounds.min, low)), cm_largest(cm_sub(found.bounds.max, high)));
            check_that(cm_aabb_contains(&found.bounds, &(cm_aabb){low, high}) &&
                           short_of <= 1e3 * (double)CM_REAL_EPSILON + 1e-11,
                       "the bounds are off by %g", short_of);
        }
        cm_mesh_destroy(mesh[0], NULL);
        cm_mesh_destroy(mesh[1], NULL);
    }
}

/* The same overlap of 1 x 1/2 x 1 at all offsets, by the pose and by the points themselves: no digit is lost. */
static void an_offset_costs_no_digits(void **state) {
    (void)state;
    cm_mesh *unit = box_of(cm_v(0, 0, 0), cm_v(1, 1, 1), 1, false);
    for (double offset = 1e3; offset < 2e7; offset *= 10) {
        const cm_vec3 o = cm_v((cm_real)offset, (cm_real)-offset, (cm_real)(offset / 2));
        cm_mesh *first = box_of(o, cm_add(o, cm_v(2, 4, 2)), 2, true);
        cm_mesh *second = box_of(cm_add(o, cm_v(0, 2, 0)), cm_add(o, cm_v(2, 6, 2)), 1, false);
        expect_volume(ask(unit, at(offset, 0, -offset), unit, at(offset, 0.5, -offset)), 0.5, 1e-10, "pose");
        expect_volume(ask(first, at(0, 0, 0), second, at(0, 0, 0)), 8, 1e-7, "points");
        cm_mesh_destroy(first, NULL);
        cm_mesh_destroy(second, NULL);
    }
    cm_mesh_destroy(unit, NULL);
}

/* --- the oracle -------------------------------------------------------------------------------------------------- */

typedef struct corner {
    double x, y, z;
} corner;

static double height(const corner *face, corner p) {
    const corner u = {face[1].x - face[0].x, face[1].y - face[0].y, face[1].z - face[0].z};
    const corner v = {face[2].x - face[0].x, face[2].y - face[0].y, face[2].z - face[0].z};
    const corner w = {p.x - face[0].x, p.y - face[0].y, p.z - face[0].z};
    return (u.y * v.z - u.z * v.y) * w.x + (u.z * v.x - u.x * v.z) * w.y + (u.x * v.y - u.y * v.x) * w.z;
}
static corner between(corner a, corner b, double at_a, double at_b) {
    const double t = at_a / (at_a - at_b);
    const corner c = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
    return c;
}

/* The volume of what is left of tetrahedron t where it is cut by the planes of tetrahedron by, from face k on. */
static double cut(const corner t[4], const corner by[4], int k) {
    if (k == 4) return fabs(height(t, t[3])) / 6;
    const corner face[3] = {by[(k + 1) % 4], by[(k + 2) % 4], by[(k + 3) % 4]};
    const double within = height(face, by[k]);
    corner in[4], out[4];
    double at_in[4], at_out[4];
    int ins = 0, outs = 0;
    for (int i = 0; i < 4; ++i) {
        const double h = within > 0 ? height(face, t[i]) : -height(face, t[i]);
        if (h > 0)
            in[ins] = t[i], at_in[ins++] = h;
        else
            out[outs] = t[i], at_out[outs++] = h;
    }
    if (ins == 0) return 0;
    if (ins == 4) return cut(t, by, k + 1);
    if (ins == 1) {
        corner tip[4] = {in[0]};
        for (int i = 0; i < 3; ++i) tip[1 + i] = between(in[0], out[i], at_in[0], at_out[i]);
        return cut(tip, by, k + 1);
    }
    corner low[3], high[3]; /* the ends of a prism */
    if (ins == 3) {
        for (int i = 0; i < 3; ++i) low[i] = in[i], high[i] = between(in[i], out[0], at_in[i], at_out[0]);
    } else {
        low[0] = in[0], high[0] = in[1];
        for (int i = 0; i < 2; ++i) {
            low[1 + i] = between(in[0], out[i], at_in[0], at_out[i]);
            high[1 + i] = between(in[1], out[i], at_in[1], at_out[i]);
        }
    }
    const corner parts[3][4] = {
        {low[0], low[1], low[2], high[2]}, {low[0], low[1], high[1], high[2]}, {low[0], high[0], high[1], high[2]}};
    return cut(parts[0], by, k + 1) + cut(parts[1], by, k + 1) + cut(parts[2], by, k + 1);
}

/* A mesh is the sum of the cones over its triangles from any point, with their orientation as sign. */
static double by_cones(const cm_mesh *a, const cm_mesh *b, const cm_vec3 *points_b) {
    const cm_vec3 *points_a = cm_mesh_points(a);
    double volume = 0;
    for (uint32_t i = 0; i < cm_mesh_triangle_count(a); ++i) {
        for (uint32_t j = 0; j < cm_mesh_triangle_count(b); ++j) {
            uint32_t ca[3], cb[3];
            corner ta[4] = {{0.1, 0.2, 0.3}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, tb[4] = {{-0.2, 0.1, 0.05}};
            cm_mesh_corners(a, i, ca);
            cm_mesh_corners(b, j, cb);
            for (int k = 0; k < 3; ++k) {
                const cm_vec3 p = points_a[ca[k]], q = points_b[cb[k]];
                ta[1 + k] = (corner){(double)p.x, (double)p.y, (double)p.z};
                tb[1 + k] = (corner){(double)q.x, (double)q.y, (double)q.z};
            }
            const double sign_a = height(ta, ta[3]), sign_b = height(tb, tb[3]); /* det(p0 - o, p1 - o, p2 - o) */
            if (sign_a == 0 || sign_b == 0) continue;
            const double both = cut(ta, tb, 0);
            volume += (sign_a > 0) == (sign_b > 0) ? both : -both;
        }
    }
    return volume;
}

/* Solids that people make: boxes with a cavity, a ring, a cone, a ball, an L; at any poses and at poses as people have
 * them. The volume is that of all cones of one cut by all cones of the other. */
static cm_mesh *specimen(int which) {
    soup s = {0};
    const cm_real h = CM_REAL(0.5), q = CM_REAL(0.25);
    switch (which) {
    case 0:
        return solid_box(1, h, q, 1, false);
    case 1:
        return solid_cone(h, 1, 6);
    case 2:
        return solid_sphere(h, 4, 6);
    case 3: /* with a cavity */
        soup_add_box(&s, cm_v(-h, -h, -h), cm_v(h, h, h), 1, false, false);
        soup_add_box(&s, cm_v(-q, -q, -q), cm_v(q, q, q), 1, true, true);
        return soup_build(&s, true);
    default: { /* a square ring around z, of four boxes' outer faces */
        const cm_vec3 out[4] = {cm_v(-1, -1, 0), cm_v(1, -1, 0), cm_v(1, 1, 0), cm_v(-1, 1, 0)};
        for (int i = 0; i < 4; ++i) {
            const cm_vec3 a = out[i], b = out[(i + 1) % 4], up = cm_v(0, 0, q), down = cm_v(0, 0, -q);
            const cm_vec3 c = cm_scale(a, h), d = cm_scale(b, h);
            soup_add_quad(&s, cm_add(a, down), cm_add(b, down), cm_add(b, up), cm_add(a, up), false);
            soup_add_quad(&s, cm_add(d, down), cm_add(c, down), cm_add(c, up), cm_add(d, up), false);
            soup_add_quad(&s, cm_add(a, up), cm_add(b, up), cm_add(d, up), cm_add(c, up), false);
            soup_add_quad(&s, cm_add(b, down), cm_add(a, down), cm_add(c, down), cm_add(d, down), false);
        }
        return soup_build(&s, true);
    }
    }
}

static void the_volume_is_that_of_all_cones_cut_by_all_cones(void **state) {
    (void)state;
    enum { SPECIMENS = 5 };
    rng r = rng_start("cones", 1802);
    cm_mesh *mesh[SPECIMENS];
    double most = 0;
    for (int i = 0; i < SPECIMENS; ++i) mesh[i] = specimen(i);
    for (int i = samples(300, 20000); i > 0; --i) {
        const cm_mesh *a = mesh[rng_below(&r, SPECIMENS)], *b = mesh[rng_below(&r, SPECIMENS)];
        cm_pose pose = rng_pose(&r, 1);
        if (i % 2) { /* moved by quarters, turned by quarters: exactly in one plane, at one edge, equal */
            const cm_real half = CM_REAL(0.5);
            const cm_quat turns[4] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {half, half, half, half}, {0, 1, 0, 0}};
            pose = at(rng_below(&r, 9) * 0.25 - 1, rng_below(&r, 9) * 0.25 - 1, rng_below(&r, 5) * 0.25 - 0.5);
            pose.rotation = turns[rng_below(&r, 4)];
        }
        cm_vec3 posed[256];
        assert_true(cm_mesh_point_count(b) <= 256);
        const cm_pose origin = cm_pose_identity();
        cm_mesh_posed(&origin, b, &pose, posed);
        const double expected = by_cones(a, b, posed);
        const cm_interference found = ask(a, origin, b, pose);
        /* the other order has its own rounding of points: by 16 eps on a surface of 12 */
        const double off = fabs(found.volume - expected), room = found.error + 200 * (double)CM_REAL_EPSILON + 1e-12;
        check_that(off <= room, "%.17g, the cones %.17g", found.volume, expected);
        check_that(found.error < 1e-8, "off by %g by its own word", found.error);
        most = fmax(most, off / room);
    }
    check_that(most > 0, "nothing was compared: %g", most);
    for (int i = 0; i < SPECIMENS; ++i) cm_mesh_destroy(mesh[i], NULL);
}

/* --- as people have them ----------------------------------------------------------------------------------------- */

/* A prism with 32 corners of radius 1 in one of radius 1.25 and of the same axis: what is common is the inner one where
 * both are. Turned by half a facet the facets of equal prisms cross each other 64 times. */
static cm_mesh *prism(double radius, double turn, double low, double high) {
    soup s = {0};
    enum { CORNERS = 32 };
    const cm_vec3 bottom = cm_v(0, 0, CM_REAL(low)), top = cm_v(0, 0, CM_REAL(high));
    for (int i = 0; i < CORNERS; ++i) {
        const double a = 2 * acos(-1) * (i + turn) / CORNERS, b = 2 * acos(-1) * (i + 1 + turn) / CORNERS;
        const cm_vec3 p = cm_v(CM_REAL(radius * cos(a)), CM_REAL(radius * sin(a)), 0);
        const cm_vec3 q = i + 1 < CORNERS ? cm_v(CM_REAL(radius * cos(b)), CM_REAL(radius * sin(b)), 0)
                                          : cm_v(CM_REAL(radius * cos(2 * acos(-1) * turn / CORNERS)),
                                                 CM_REAL(radius * sin(2 * acos(-1) * turn / CORNERS)), 0);
        soup_add_quad(&s, cm_add(p, bottom), cm_add(q, bottom), cm_add(q, top), cm_add(p, top), false);
        soup_add(&s, bottom, cm_add(q, bottom), cm_add(p, bottom));
        soup_add(&s, top, cm_add(p, top), cm_add(q, top));
    }
    return soup_build(&s, true);
}

static void a_shaft_in_its_bearing_has_the_area_times_the_length(void **state) {
    (void)state;
    const double pi = acos(-1), area = 16 * sin(2 * pi / 32), off = 100 * (double)CM_REAL_EPSILON;
    cm_mesh *shaft = prism(1, 0, -2, 2), *block = prism(1.25, 0, 1, 5), *turned = prism(1, 0.5, 1, 5);
    cm_interference r = ask(shaft, at(0, 0, 0), block, at(0, 0, 0));
    check_that(fabs(r.volume - area) <= off, "%.17g, expected %.17g", r.volume, area);
    /* two regular polygons, turned by half a facet: 64 corners on lines at the distance cos(pi / 32) */
    const double both = 64 * pow(cos(pi / 32), 2) * tan(pi / 64);
    r = ask(shaft, at(0, 0, 0), turned, at(0, 0, 0));
    check_that(fabs(r.volume - both) <= off, "%.17g, expected %.17g", r.volume, both);
    check_that(fabs((double)r.center.z - 1.5) < off, "the center is at " REAL_FORMAT, (double)r.center.z);
    cm_mesh_destroy(shaft, NULL);
    cm_mesh_destroy(block, NULL);
    cm_mesh_destroy(turned, NULL);
}

/* The lens of two balls of radius 1 at a distance d: pi (4 + d) (2 - d)² / 12. Triangles lie within the ball and
 * outside one of radius 0.999. */
static void a_lens_of_balls_lies_between_those_of_smaller_and_larger_ones(void **state) {
    (void)state;
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 5, true);
    rng r = rng_start("lens", 1803);
    for (int i = samples(20, 400); i > 0; --i) {
        const double d = rng_range(&r, 0, 1.9), s = 0.9985, e = d / s;
        const cm_vec3 way = rng_direction(&r);
        cm_pose pose = cm_pose_at(cm_scale(way, (cm_real)d));
        pose.rotation = rng_rotation(&r);
        const double volume = ask(ball, at(0, 0, 0), ball, pose).volume;
        const double most = acos(-1) * (4 + d) * (2 - d) * (2 - d) / 12;
        const double least = acos(-1) * s * s * s * (4 + e) * (2 - e) * (2 - e) / 12;
        check_that(volume < most && volume > least, "%.9g at %g, between %.9g and %.9g", volume, d, least, most);
    }
    cm_mesh_destroy(ball, NULL);
}

/* Linked rings have nothing in common; nor has what stands in a cavity. */
static void links_and_what_stands_in_a_cavity_have_nothing_in_common(void **state) {
    (void)state;
    cm_mesh *ring = specimen(4), *hollow = specimen(3),
            *dot = solid_box(CM_REAL(0.2), CM_REAL(0.2), CM_REAL(0.2), 1, false);
    cm_mesh *fits = solid_box(CM_REAL(0.25), CM_REAL(0.25), CM_REAL(0.25), 2, true);
    cm_pose upright = at(0.75, 0, 0);
    upright.rotation.x = upright.rotation.w = cm_sqrt(CM_REAL(0.5));
    expect_volume(ask(hollow, at(0, 0, 0), dot, at(0, 0, 0)), 0, 0, "in a cavity");
    expect_volume(ask(hollow, at(0, 0, 0), fits, at(0, 0, 0)), 0, 1e-9, "filling the cavity");
    cm_mesh *slim = solid_box(CM_REAL(0.125), CM_REAL(0.125), 4, 1, false);
    expect_volume(ask(ring, at(0, 0, 0), slim, at(0, 0, 0)), 0, 0, "through the ring");
    cm_mesh *links = specimen(4);
    expect_volume(ask(ring, at(0, 0, 0), links, upright), 0, 0, "links of a chain");
    cm_mesh_destroy(ring, NULL);
    cm_mesh_destroy(hollow, NULL);
    cm_mesh_destroy(dot, NULL);
    cm_mesh_destroy(fits, NULL);
    cm_mesh_destroy(slim, NULL);
    cm_mesh_destroy(links, NULL);
}

/* Of a large slab only the cube in it counts, and the error is the cube's, not the slab's. */
static void a_large_part_does_not_cost_digits(void **state) {
    (void)state;
    cm_mesh *cube = box_of(cm_v(0, 0, 0), cm_v(1, 1, 1), 1, false);
    cm_mesh *slab = box_of(cm_v(-4096, -4096, -4096), cm_v(4096, 4096, CM_REAL(0.5)), 1, true);
    expect_volume(ask(cube, at(0, 0, 0), slab, at(0, 0, 0)), 0.5, 1e-7, "slab");
    cm_mesh_destroy(cube, NULL);
    cm_mesh_destroy(slab, NULL);
}

/* Shells that overlap are wound around twice: with itself such a mesh has more in common than its volume. */
static void a_mesh_with_itself_tells_whether_its_shells_overlap(void **state) {
    (void)state;
    const cm_aabb boxes[2] = {{cm_v(0, 0, 0), cm_v(2, 2, 2)}, {cm_v(1, 1, 1), cm_v(3, 3, 3)}};
    cm_mesh *twice = mesh_boxes(boxes, NULL, 2, true), *ball = solid_sphere(1, 12, 16), *hollow = specimen(3);
    cm_mesh_info info;
    cm_pose pose = at(3, -2, 0.5);
    pose.rotation = (cm_quat){CM_REAL(0.48), CM_REAL(0.6), 0, CM_REAL(0.64)};
    expect_volume(ask(twice, at(0, 0, 0), twice, at(0, 0, 0)), 14 * 1 + 1 * 4, 1e-8, "14 once, 1 twice");
    cm_mesh_get_info(ball, &info);
    const double of_ball = ask(ball, pose, ball, pose).volume;
    check_that(fabs(of_ball - (double)info.volume) < 100 * (double)CM_REAL_EPSILON, "%.17g of " REAL_FORMAT, of_ball,
               (double)info.volume);
    expect_volume(ask(hollow, at(0, 0, 0), hollow, at(0, 0, 0)), 0.875, 1e-8, "hollow");
    cm_mesh_destroy(twice, NULL);
    cm_mesh_destroy(ball, NULL);
    cm_mesh_destroy(hollow, NULL);
}

/* Turned inside out the same is inside: the winding is -1 there. */
static void a_mesh_turned_inside_out_has_the_same_in_common(void **state) {
    (void)state;
    soup s = {0};
    soup_add_box(&s, cm_v(0, 0, 0), cm_v(1, 1, 1), 1, false, true);
    cm_mesh *inward = soup_build(&s, true), *box = box_of(cm_v(0, 0, CM_REAL(0.5)), cm_v(2, 2, 2), 1, false);
    expect_volume(ask(inward, at(0, 0, 0), box, at(0, 0, 0)), 0.5, 1e-9, "one inside out");
    expect_volume(ask(inward, at(0, 0, 0), inward, at(0.5, 0.5, 0.5)), 0.125, 1e-9, "both inside out");
    cm_mesh_destroy(inward, NULL);
    cm_mesh_destroy(box, NULL);
}

static void what_has_no_volume_or_no_place_is_refused(void **state) {
    (void)state;
    cm_mesh *box = solid_box(1, 1, 1, 1, false), *sheet = surface_sheet(1, 1, 1);
    const cm_shape solid = cm_make_mesh(box), open = cm_make_mesh(sheet), ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    const cm_pose origin = cm_pose_identity();
    cm_pose nowhere = origin;
    nowhere.position.y = (cm_real)NAN;
    cm_interference r = {.volume = 42};
    assert_int_equal(cm_mesh_interference(&solid, &origin, &open, &origin, &r), CM_NOT_SOLID);
    assert_int_equal(cm_mesh_interference(&open, &origin, &solid, &origin, &r), CM_NOT_SOLID);
    assert_int_equal(cm_mesh_interference(&solid, &origin, &ball, &origin, &r), CM_INVALID);
    assert_int_equal(cm_mesh_interference(NULL, &origin, &solid, &origin, &r), CM_INVALID);
    assert_int_equal(cm_mesh_interference(&solid, NULL, &solid, &origin, &r), CM_INVALID);
    assert_int_equal(cm_mesh_interference(&solid, &origin, &solid, &origin, NULL), CM_INVALID);
    assert_int_equal(cm_mesh_interference(&solid, &origin, &solid, &nowhere, &r), CM_NOT_FINITE);
    assert_true(r.volume == 42);
    cm_mesh_destroy(box, NULL);
    cm_mesh_destroy(sheet, NULL);
}

/* Sizes at both ends of what is valid, needles, and boxes without thickness: a number with its error, never NaN. */
static void every_size_gets_a_number(void **state) {
    (void)state;
    const double sizes[] = {(double)CM_COORD_MAX / 4, 1e12, 1e-12, (double)CM_REAL_MIN * 8, (double)CM_REAL_MIN / 4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const cm_real s = (cm_real)sizes[i];
        for (int flat = 0; flat < 3; ++flat) {
            const cm_vec3 hi = cm_v(s, flat > 0 ? s / 1024 : s, flat > 1 ? 0 : s);
            cm_mesh *mesh = box_of(cm_v(0, 0, 0), hi, 1, false);
            const cm_interference r = ask(mesh, at(0, 0, 0), mesh, cm_pose_at(cm_v(hi.x / 2, 0, 0)));
            const double expected = (double)(s / 2) * (double)hi.y * (double)hi.z;
            check_that(fabs(r.volume - expected) <= r.error, "%g: %g, expected %g, off by %g", sizes[i], r.volume,
                       expected, r.error);
            check_that(cm_vec3_is_valid(r.center), "%g: the center is " REAL_FORMAT, sizes[i], (double)r.center.x);
            cm_mesh_destroy(mesh, NULL);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_on_a_lattice_have_the_product_of_their_overlaps),
        cmocka_unit_test(an_offset_costs_no_digits),
        cmocka_unit_test(the_volume_is_that_of_all_cones_cut_by_all_cones),
        cmocka_unit_test(a_shaft_in_its_bearing_has_the_area_times_the_length),
        cmocka_unit_test(a_lens_of_balls_lies_between_those_of_smaller_and_larger_ones),
        cmocka_unit_test(links_and_what_stands_in_a_cavity_have_nothing_in_common),
        cmocka_unit_test(a_large_part_does_not_cost_digits),
        cmocka_unit_test(a_mesh_with_itself_tells_whether_its_shells_overlap),
        cmocka_unit_test(a_mesh_turned_inside_out_has_the_same_in_common),
        cmocka_unit_test(what_has_no_volume_or_no_place_is_refused),
        cmocka_unit_test(every_size_gets_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
