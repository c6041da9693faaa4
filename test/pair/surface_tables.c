/* Contacts at the edges of closed boxes given as meshes of any cut, and of convex meshes against their hulls: no
 * direction but those that the solid has there, as deep as it is, whichever way its faces are cut. */
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solids.h"

#include <limits.h>
#include <math.h>

enum { FOUND = 4096, CUTS = 12 };
#define FAN_LEAST 0.2 /* how far a fan's middle is from the sides of its cell, in its sizes */
static cm_manifold found[FOUND];
static cm_hull *prism;

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* The box [-2, 2] x [-1.5, 1.5] x [-1, 1], its faces cut into cells by chosen planes. */
static const double table_half[3] = {2, 1.5, 1};

typedef struct cuts {
    int count[3];
    double at[3][CUTS];
} cuts;

static int number_order(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 0: no cut; 1: even; 2: at random; 3: rows far thinner than the bodies are deep, at all edges; 4: needles. */
static cuts cuts_of(rng *r, int kind) {
    cuts c;
    for (int k = 0; k < 3; k++) {
        const double half = table_half[k];
        double *at = c.at[k];
        int n = 0;
        at[n++] = -half, at[n++] = half;
        for (int i = 1; kind == 1 && i < 8; i++) at[n++] = half * (i / 4. - 1);
        for (int i = 0; kind == 2 && i < 5; i++) at[n++] = rng_range(r, -half, half);
        for (int side = -1; kind == 3 && side <= 1; side += 2)
            for (int i = 1; i < 5; i++) at[n++] = side * (half - 0.0004 * i);
        if (kind == 4 && k == (int)rng_below(r, 3))
            for (int i = 0; i < 5; i++) at[n++] = half * (i * 0.45 - 0.9), at[n++] = half * (i * 0.45 - 0.9) + 0.001;
        qsort(at, (size_t)n, sizeof *at, number_order);
        c.count[k] = n;
    }
    return c;
}

/* The width of the thinnest row. */
static double cuts_thinnest(const cuts *c) {
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        for (int i = 1; i < c->count[k]; i++) least = fmin(least, c->at[k][i] - c->at[k][i - 1]);
    return least;
}

static cm_vec3 table_point(int axis, double level, double u, double v) {
    double p[3];
    p[axis] = level, p[(axis + 1) % 3] = u, p[(axis + 2) % 3] = v;
    return cm_v(CM_REAL(p[0]), CM_REAL(p[1]), CM_REAL(p[2]));
}

/* `inward`: all triangles the other way round, a surface like any other. */
static cm_mesh *table_of(rng *r, const cuts *c, bool fans, bool inward, bool solid, const cm_pose *pose) {
    soup s = {NULL, 0, 0};
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            const int ku = (axis + 1) % 3, kv = (axis + 2) % 3;
            const double level = side * table_half[axis];
            for (int i = 0; i + 1 < c->count[ku]; i++)
                for (int k = 0; k + 1 < c->count[kv]; k++) {
                    const double *u = c->at[ku] + i, *v = c->at[kv] + k;
                    cm_vec3 p[4] = {table_point(axis, level, u[0], v[0]), table_point(axis, level, u[1], v[0]),
                                    table_point(axis, level, u[1], v[1]), table_point(axis, level, u[0], v[1])};
                    const bool turn = (side < 0) != inward;
                    cm_vec3 q[4];
                    for (int j = 0; j < 4; j++) q[j] = p[turn ? 3 - j : j];
                    if (fans) {
                        const double a = rng_range(r, FAN_LEAST, 0.8), b = rng_range(r, FAN_LEAST, 0.8);
                        cm_vec3 m = table_point(axis, level, u[0] + a * (u[1] - u[0]), v[0] + b * (v[1] - v[0]));
                        for (int j = 0; j < 4; j++) soup_add(&s, q[j], q[(j + 1) % 4], m);
                    } else {
                        soup_add_quad(&s, q[0], q[1], q[2], q[3], rng_below(r, 2));
                    }
                }
        }
    soup_move(&s, pose);
    return soup_build(&s, solid);
}

/* Bodies that stand on z = -low, with their middle at the origin, no wider than 0.6. */
enum { STANDING = 9 };
static cm_shape standing(rng *r, int kind, double *low, double *wide) {
    const cm_real w = CM_REAL(rng_range(r, 0.2, 0.6)), v = CM_REAL(rng_range(r, 0.2, 0.6));
    const cm_real h = CM_REAL(rng_range(r, 0.1, 0.4));
    *low = (double)h, *wide = (double)w;
    switch (kind) {
    case 0:
        *wide = (double)cm_min(w, v);
        return cm_make_box(cm_v(w, v, h));
    case 1:
        *wide = (double)cm_min(w, v);
        return cm_make_rounded_box(cm_v(w - CM_REAL(0.02), v - CM_REAL(0.02), h - CM_REAL(0.02)), CM_REAL(0.02));
    case 2:
        return cm_make_cylinder(w, h);
    case 3:
        return cm_make_cone(w, h);
    case 4:
        *low = 0.5, *wide = 0.7;
        return cm_make_hull(prism);
    case 5: /* the others touch with a point or a line in the middle */
        *wide = 0;
        return cm_make_sphere(cm_v(0, 0, 0), h);
    case 6:
        *wide = 0;
        return cm_make_capsule(cm_v(-w, 0, 0), cm_v(w, 0, 0), h);
    case 7:
        *wide = 0;
        return cm_make_ellipsoid(cm_v(w, v, h));
    default:
        *wide = 0;
        return cm_make_triangle(cm_v(-w, 0, h), cm_v(w, CM_REAL(0.1), h), cm_v(0, 0, -h));
    }
}

/* Turned about z, then z turned to the outward normal of a face. */
static cm_quat upright(rng *r, int axis, int side) {
    const double a = rng_below(r, 3) ? rng_range(r, -3, 3) : 1.5707963267948966 * rng_below(r, 4);
    const cm_quat yaw = {0, 0, CM_REAL(sin(a / 2)), CM_REAL(cos(a / 2))};
    static const double half = 0.70710678118654752;
    cm_quat up = cm_quat_identity();
    if (axis == 0) up.y = CM_REAL(side * half), up.w = CM_REAL(half);
    if (axis == 1) up.x = CM_REAL(-side * half), up.w = CM_REAL(half);
    if (axis == 2 && side < 0) up.x = 1, up.w = 0;
    return cm_quat_mul(up, yaw);
}

static cm_vec3 normal_of(int axis, int side) { return table_point(axis, side, 0, 0); }

/* Shallow over an edge, its middle over the face: pushed out along the face's normal, as deep as it is, by nothing
 * else. */
static void what_stands_over_an_edge_is_held_by_the_face(void **state) {
    (void)state;
    rng r = rng_start("edges", 301);
    for (int i = 0; i < samples(400, 40000); i++) {
        const cuts c = cuts_of(&r, i % 5);
        const bool solid = rng_below(&r, 2), inward = !solid && rng_below(&r, 2);
        cm_pose home = i % 3 ? rng_pose(&r, 3) : cm_pose_identity();
        cm_pose placed = i % 2 ? home : cm_pose_identity(), at = i % 2 ? cm_pose_identity() : home;
        const bool fans = rng_below(&r, 3) == 0;
        cm_mesh *mesh = table_of(&r, &c, fans, inward, solid, &placed);
        cm_shape table = cm_make_mesh(mesh);
        /* thin triangles are off their plane by what their corners are rounded */
        const double allowed = 1e-3 + 128 * (double)CM_REAL_EPSILON / (cuts_thinnest(&c) * (fans ? FAN_LEAST : 1));
        for (int k = 0; k < 36; k++) {
            const int axis = k % 3, side = k / 3 % 2 ? 1 : -1, other = (axis + 1 + k / 6 % 2) % 3;
            const int edge = k / 12 % 2 ? 1 : -1, third = 3 - axis - other;
            double low, wide, depth = rng_log_range(&r, 1e-4, 1e-2), offset[3];
            cm_shape body = standing(&r, (int)rng_below(&r, STANDING), &low, &wide);
            offset[axis] = side * (table_half[axis] + low - depth);
            /* some part of what it stands on is beyond the edge, by far more than it is deep, or hardly */
            offset[other] = edge * (table_half[other] - rng_range(&r, 0.2, 1) * wide - (wide > 0 ? 0 : 0.15));
            offset[third] = rng_range(&r, -1, 1) * (table_half[third] - 0.6);
            if (rng_below(&r, 3) == 0) offset[third] = table_half[third] - rng_range(&r, 0.2, 1) * wide - 0.15;
            cm_pose pose = {cm_v(CM_REAL(offset[0]), CM_REAL(offset[1]), CM_REAL(offset[2])), upright(&r, axis, side)};
            pose = cm_pose_mul(&home, &pose);
            cm_vec3 up = cm_rotate(home.rotation, normal_of(axis, side));
            int count = cm_contact(&table, &at, &body, &pose, 0, found, FOUND);
            check_that(count > 0, "%d %d: %s, no contact %g deep", i, k, cm_kind_name(body.kind), depth);
            double deepest = -1;
            for (int m = 0; m < count; m++) {
                double off = (double)cm_length(cm_sub(found[m].normal, up));
                for (int p = 0; p < found[m].count; p++) deepest = fmax(deepest, (double)found[m].points[p].depth);
                check_that(off < allowed, "%d %d: %s %g deep (cut %d, solid %d), normal off by %g, %g deep", i, k,
                           cm_kind_name(body.kind), depth, i % 5, solid, off, (double)found[m].points[0].depth);
            }
            /* the tip of a flat body that leans may lie beside the triangle that the body crosses */
            const double least = body.kind == CM_SHAPE_TRIANGLE && i % 5 > 1 ? 0.5 * depth : 0.98 * depth - 4e-5;
            check_that(deepest > least && deepest < 1.02 * depth + 4e-5, "%d %d: %s told %g deep, truly %g (cut %d)", i,
                       k, cm_kind_name(body.kind), deepest, depth, i % 5);
        }
        cm_mesh_destroy(mesh, NULL);
    }
}

/* Which way a convex body must be moved out of another, how far along a direction: by the corners of both. */
static double way_out(const cm_vec3 *fixed, uint32_t count, const cm_pose *at, const cm_vec3 *moved, uint32_t others,
                      const cm_pose *pose, cm_vec3 n) {
    double far = -1e300, near = 1e300;
    for (uint32_t i = 0; i < count; i++) far = fmax(far, (double)cm_dot(n, cm_pose_apply(at, fixed[i])));
    for (uint32_t i = 0; i < others; i++) near = fmin(near, (double)cm_dot(n, cm_pose_apply(pose, moved[i])));
    return far - near;
}

/* The mesh of a hull's faces, cut into fans. */
static cm_mesh *mesh_of_hull(const cm_hull *hull, bool solid) {
    soup s = {NULL, 0, 0};
    soup_add_hull(&s, hull, 0);
    return soup_build(&s, solid);
}

typedef struct met_tally {
    int all, unique, longer; /* contacts; along the least way out; ten times as deep as that is long */
} met_tally;

/* A convex body shallow in a closed convex mesh: it touches where it touches the hull of the same corners, as deep as
 * the hull. */
static void meet_as_hull(rng *r, int i, const cm_hull *hull, double size, cm_vec3 from, met_tally *out) {
    const cm_vec3 *p = cm_hull_vertices(hull);
    cm_hull *other = hull_random(12, 1, r);
    cm_mesh *mesh = mesh_of_hull(hull, i % 2);
    cm_shape solid = cm_make_hull(hull), body = cm_make_hull(other), surface = cm_make_mesh(mesh);
    cm_pose at = i % 3 ? rng_pose(r, 1) : cm_pose_identity(), pose = rng_pose(r, 0);
    /* from afar straight to a corner of the hull, then as deep as is wanted */
    pose.position = cm_pose_apply(&at, cm_mul_add(p[rng_below(r, 4)], CM_REAL(4 + 2 * size), from));
    const double depth = rng_log_range(r, 1e-4, 3e-2) * fmin(size, 1), noise = 1e-5 * (1 + size);
    cm_witness w;
    for (int k = 0; k < 2; k++) {
        double d = (double)cm_distance(&solid, &at, &body, &pose, CM_REAL_MAX, &w);
        pose.position = cm_mul_add(pose.position, CM_REAL(-d - (k ? depth : 0)), w.normal);
    }
    cm_manifold whole[8];
    if (cm_contact(&solid, &at, &body, &pose, 0, whole, 8) != 1) goto next;
    double truth = (double)whole[0].points[0].depth, deepest = -1;
    for (int k = 1; k < whole[0].count; k++) truth = fmax(truth, (double)whole[0].points[k].depth);
    if (!(truth > noise)) goto next;
    int count = contacts_by_part(&surface, &at, &body, &pose, 0, found, FOUND);
    check_that(count > 0, "%d: none", i);
    for (int m = 0; m < count; m++) {
        double along = way_out(p, cm_hull_vertex_count(hull), &at, cm_hull_vertices(other), cm_hull_vertex_count(other),
                               &pose, found[m].normal);
        double told = -1;
        for (int k = 0; k < found[m].count; k++) told = fmax(told, (double)found[m].points[k].depth);
        deepest = fmax(deepest, told);
        ++out->all;
        out->unique += along < 1.01 * truth + noise;
        out->longer += told > 10 * truth + noise;
    }
    check_that(deepest > 0.99 * truth - noise, "%d: hull %g deep, told %g", i, truth, deepest);
next:
    cm_mesh_destroy(mesh, NULL);
    cm_hull_destroy(other, NULL);
}

/* One of `other` poses may have a contact along another way out, one of `far` along one ten times as long. */
static void met_check(const met_tally *met, int drawn, int other, int far) {
    check_that(met->all > drawn / 2 && met->unique >= met->all - drawn / other,
               "%d of %d contacts have the least way out", met->unique, met->all);
    check_that(met->longer <= drawn / far, "%d of %d contacts are far deeper than the hull", met->longer, met->all);
}

static void convex_meshes_are_met_as_their_hulls(void **state) {
    (void)state;
    rng r = rng_start("hulls", 302);
    met_tally met = {0, 0, 0};
    const int drawn = samples(10000, 300000);
    for (int i = 0; i < drawn; i++) {
        const double size = rng_log_range(&r, 0.1, 10);
        cm_hull *hull = hull_random(4 + rng_below(&r, 30), size, &r);
        meet_as_hull(&r, i, hull, size, rng_direction(&r), &met);
        cm_hull_destroy(hull, NULL);
    }
    met_check(&met, drawn, 2000, INT_MAX);
}

/* The same for wedges and plates with edges of a few degrees, through which a body comes out again. */
static void sharp_edges_are_met_as_those_of_hulls(void **state) {
    (void)state;
    rng r = rng_start("wedges", 303);
    met_tally met = {0, 0, 0};
    const int drawn = samples(10000, 300000);
    for (int i = 0; i < drawn; i++) {
        const double size = rng_log_range(&r, 0.3, 3), flat = rng_log_range(&r, 0.001, 0.1);
        cm_vec3 points[8];
        const uint32_t count = 4 + rng_below(&r, 5);
        const cm_quat turn = rng_pose(&r, 0).rotation;
        for (uint32_t k = 0; k < count; k++) {
            points[k] = rng_vec3(&r, size);
            points[k].z *= CM_REAL(flat);
            points[k] = cm_rotate(turn, points[k]);
        }
        cm_hull *hull = hull_of(points, count);
        cm_vec3 from = rng_direction(&r);
        from.x *= CM_REAL(flat), from.y *= CM_REAL(flat);
        meet_as_hull(&r, i, hull, size, cm_rotate(turn, cm_normalize(from, cm_v(1, 0, 0))), &met);
        cm_hull_destroy(hull, NULL);
    }
    met_check(&met, drawn, 50, 2000);
}

static int set_up(void **state) {
    (void)state;
    cm_vec3 points[10];
    for (int i = 0; i < 5; i++) {
        double x = 0.9 * cos(i * 1.25663706), y = 0.9 * sin(i * 1.25663706);
        points[2 * i] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(-0.5));
        points[2 * i + 1] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(0.5));
    }
    cm_hull_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &points[0].x, desc.point_count = 10;
    return cm_hull_build(&desc, NULL, &prism, NULL) == CM_OK ? 0 : -1;
}
static int tear_down(void **state) {
    (void)state;
    cm_hull_destroy(prism, NULL);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_over_an_edge_is_held_by_the_face),
        cmocka_unit_test(convex_meshes_are_met_as_their_hulls),
        cmocka_unit_test(sharp_edges_are_met_as_those_of_hulls),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
