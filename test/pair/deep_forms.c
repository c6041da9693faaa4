/* Convex bodies in finely cut convex solids, a ball, a wall and a cylinder, at poses that people make: a face, an edge
 * or a corner ahead, in the middle, wholly inside, a hundredth to a half of the body deep; and at random ones. The
 * convex hull of the solid's corners is the same set. So distance and contacts of the mesh tell its depth, no more than
 * that, along a way out that is hardly longer; and they tell the same. */
#include "support/meshes.h"

#include <math.h>

enum {
    SOLIDS = 3,
    BODIES = 2,
    ROOM = 1024,
    MESH_ROOM = 4096,
    CUTS = 18,
    BALL_LEVELS = 4,
    CORNERS = 4 * 256 + 2 + 6 * CUTS * CUTS,
    FACES = 12 * CUTS * CUTS
};

/* --- the surface of a cube, cut up, and bent ---------------------------------------------------------------------- */

typedef cm_vec3 bend(cm_vec3 p); /* p in [-1, 1]^3 */

static cm_vec3 to_round(cm_vec3 p) { return cm_normalize(p, cm_v(0, 0, 1)); }
/* Its quads are not plane, and some are cut along the wrong diagonal: it has edges that are a little concave. */
static cm_vec3 to_rough_ball(cm_vec3 p) {
    const cm_real side = cm_max(cm_abs(p.x), cm_abs(p.y)), far = cm_length(cm_v(p.x, p.y, 0));
    const double down = (double)side < 1 ? 0.25 * (double)side : 0.5 - 0.25 * (double)cm_abs(p.z),
                 turn = 3.141592653589793;
    const double across = far > 0 ? sin(turn * down) / (double)far : 0, up = cos(turn * down) * (p.z < 0 ? -1 : 1);
    return cm_v(CM_REAL((double)p.x * across), CM_REAL((double)p.y * across), CM_REAL(up));
}
static cm_vec3 to_wall(cm_vec3 p) { return cm_v(2 * p.x, 2 * p.y, CM_REAL(0.4) * p.z); }
static cm_vec3 to_cylinder(cm_vec3 p) {
    const cm_real side = cm_max(cm_abs(p.x), cm_abs(p.y)), far = cm_length(cm_v(p.x, p.y, 0));
    const cm_real shrink = far > 0 ? side / far : 0;
    return cm_v(p.x * shrink, p.y * shrink, p.z);
}
static bend *const bends[SOLIDS] = {NULL, to_wall, to_cylinder}; /* NULL: a ball that is cut well */
static const char *const solid_name[SOLIDS] = {"ball", "wall", "cylinder"};

typedef struct cut_solid {
    cm_vec3 point[CORNERS];
    int points, cuts;
    cm_mesh *mesh;
    cm_hull *hull;
    cm_shape as_mesh, as_hull;
} cut_solid;

static uint32_t lattice_corner(cut_solid *s, int32_t *known, const int at[3], bend *to) {
    const int n = s->cuts + 1;
    int32_t *number = &known[(at[0] * n + at[1]) * n + at[2]];
    if (*number < 0) {
        const cm_real unit = CM_REAL(2) / (cm_real)s->cuts;
        const cm_vec3 p = cm_v((cm_real)at[0] * unit - 1, (cm_real)at[1] * unit - 1, (cm_real)at[2] * unit - 1);
        *number = s->points;
        s->point[s->points++] = to(p);
    }
    return (uint32_t)*number;
}

/* The face at `end` of the axis. */
static uint32_t lattice_face(cut_solid *s, int32_t *known, int axis, bool end, bend *to, uint32_t *out) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t count = 0;
    for (int i = 0; i < s->cuts * s->cuts; i++) {
        uint32_t c[4];
        for (int k = 0; k < 4; k++) {
            int at[3];
            at[axis] = end ? s->cuts : 0;
            at[u] = i % s->cuts + (k == 1 || k == 2), at[v] = i / s->cuts + (k > 1);
            c[k] = lattice_corner(s, known, at, to);
        }
        const uint32_t two[6] = {c[0], c[end ? 1 : 2], c[end ? 2 : 1], c[0], c[end ? 2 : 3], c[end ? 3 : 2]};
        memcpy(out + count, two, sizeof two);
        count += 6;
    }
    return count;
}

static void solid_start(int cuts, bend *to, cut_solid *s) {
    static int32_t known[(CUTS + 1) * (CUTS + 1) * (CUTS + 1)];
    static uint32_t index[3 * FACES];
    uint32_t count = 0;
    s->cuts = cuts, s->points = 0;
    memset(known, -1, sizeof known);
    for (int f = 0; f < 6 && to; f++) count += lattice_face(s, known, f / 2, f % 2, to, index + count);
    s->mesh = to ? mesh_of(&s->point[0].x, (uint32_t)s->points, index, count / 3, true)
                 : mesh_ball(cm_v(0, 0, 0), 1, BALL_LEVELS, true);
    for (; !to && s->points < (int)cm_mesh_point_count(s->mesh); s->points++)
        s->point[s->points] = cm_mesh_points(s->mesh)[s->points];
    const cm_hull_desc desc = {.points = &s->point[0].x, .point_count = (uint32_t)s->points};
    assert_int_equal(cm_hull_build(&desc, NULL, &s->hull, NULL), CM_OK);
    s->as_mesh = cm_make_mesh(s->mesh), s->as_hull = cm_make_hull(s->hull);
}

static void solid_end(cut_solid *s) {
    cm_mesh_destroy(s->mesh, NULL);
    cm_hull_destroy(s->hull, NULL);
}

/* --- bodies and poses --------------------------------------------------------------------------------------------- */

typedef struct deep_body {
    cut_solid cut; /* what it is a hull of */
    cm_shape shape;
    double size; /* the least half size */
} deep_body;

static cm_vec3 body_half; /* of the box that is cut */
static cm_vec3 to_body(cm_vec3 p) { return cm_v(p.x * body_half.x, p.y * body_half.y, p.z * body_half.z); }
static cm_vec3 to_egg(cm_vec3 p) { return to_body(to_round(p)); }

static void body_start(int which, cm_vec3 half, deep_body *out) {
    body_half = half;
    out->size = fmin((double)half.x, fmin((double)half.y, (double)half.z));
    solid_start(which == 0 ? 1 : 4, which == 0 ? to_body : to_egg, &out->cut);
    out->shape = which == 0 ? cm_make_box(half) : out->cut.as_hull;
}

/* What of the body is ahead, and where it goes: along an axis of the solid, to an edge, to a corner, or anywhere. */
enum { AHEAD_FACE, AHEAD_EDGE, AHEAD_CORNER, AHEAD_ANY, AHEADS, WAYS = 6, DEPTHS = 6 };
static const double depths[DEPTHS] = {0.01, 0.05, 0.1, 0.2, 0.35, 0.5};

static cm_quat turn_to(cm_vec3 from, cm_vec3 to) {
    const cm_vec3 f = cm_normalize(from, cm_v(1, 0, 0)), t = cm_normalize(to, cm_v(1, 0, 0));
    const cm_real along = cm_dot(f, t);
    if (along < CM_REAL(-0.9999)) return (cm_quat){f.y, -f.x, 0, 0};
    const cm_vec3 axis = cm_cross(f, t);
    return cm_quat_normalize((cm_quat){axis.x, axis.y, axis.z, 1 + along});
}

static cm_pose pose_of(rng *r, int ahead, int way, cm_vec3 *from) {
    static const double ways[WAYS - 1][3] = {{0, 0, 1}, {1, 0, 0}, {0.6, 0, 1}, {1, 0.7, 0}, {0.3, 0.45, 0.8}};
    cm_pose pose = cm_pose_identity();
    *from =
        way < WAYS - 1 ? cm_v(CM_REAL(ways[way][0]), CM_REAL(ways[way][1]), CM_REAL(ways[way][2])) : rng_direction(r);
    *from = cm_normalize(*from, cm_v(0, 0, 1));
    const cm_vec3 front = ahead == AHEAD_FACE   ? cm_v(0, 0, -1)
                          : ahead == AHEAD_EDGE ? cm_v(-1, 0, -1)
                                                : cm_v(-1, -1, -1);
    pose.rotation = ahead == AHEAD_ANY ? rng_rotation(r) : turn_to(front, cm_neg(*from));
    return pose;
}

/* --- the checks --------------------------------------------------------------------------------------------------- */

/* How far the body has to go along the normal to be out of the solid. */
static double way_along(const cut_solid *s, const deep_body *body, const cm_pose *pose, cm_vec3 normal) {
    double high = -1e30, low = 1e30;
    for (int i = 0; i < s->points; i++) high = fmax(high, (double)cm_dot(normal, s->point[i]));
    for (int i = 0; i < body->cut.points; i++)
        low = fmin(low, (double)cm_dot(normal, cm_pose_apply(pose, body->cut.point[i])));
    return high - low;
}

typedef struct deep_told {
    double truth, distance, contact; /* depths, of the hull; of the mesh, of its deepest contact */
    double way, way_of_contact;      /* out of the hull along the normals of these */
} deep_told;

/* False where the body is hardly in the solid. */
static bool deep_tell(const cut_solid *s, const deep_body *body, const cm_pose *pose, deep_told *out) {
    static cm_manifold m[ROOM];
    const cm_pose home = cm_pose_identity();
    cm_witness w;
    cm_vec3 normal = cm_v(0, 0, 0);
    out->truth = -(double)cm_distance(&s->as_hull, &home, &body->shape, pose, 0, &w);
    if (!(out->truth > 1e-3 * body->size) || !cm_overlap(&s->as_mesh, &home, &body->shape, pose)) return false;
    out->distance = -(double)cm_distance(&s->as_mesh, &home, &body->shape, pose, 0, &w);
    assert_int_equal(w.flags, CM_WITNESS_LOWER_BOUND);
    out->way = way_along(s, body, pose, w.normal);
    const int count = cm_contact(&s->as_mesh, &home, &body->shape, pose, 0, m, ROOM);
    assert_in_range(count, 1, ROOM);
    out->contact = -1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < m[i].count; k++)
            if ((double)m[i].points[k].depth > out->contact)
                out->contact = (double)m[i].points[k].depth, normal = m[i].normal;
    out->way_of_contact = way_along(s, body, pose, normal);
    return true;
}

typedef struct deep_tally {
    long count;
    double least_distance, least_contact, most, longest; /* of the hull's depth */
} deep_tally;

static void compare(const cut_solid *s, const deep_body *body, const cm_pose *pose, const char *what, deep_tally *t) {
    const double near = 1e-5;
    deep_told d;
    if (!deep_tell(s, body, pose, &d)) return;
    t->count++;
    t->least_distance = fmin(t->least_distance, d.distance / d.truth);
    t->least_contact = fmin(t->least_contact, d.contact / d.truth);
    t->most = fmax(t->most, (fmax(d.distance, d.contact) - near) / d.truth);
    t->longest = fmax(t->longest, (fmax(d.way, d.way_of_contact) - near) / d.truth);
    check_that(d.distance >= 0.95 * d.truth && d.distance <= 1.001 * d.truth + near, "%s: %g deep, a distance of -%g",
               what, d.truth, d.distance);
    /* a contact is as deep as is told along its own normal, which need not be the least way out to the last digit */
    check_that(d.contact >= 0.95 * d.truth && d.contact <= fmin(1.01 * d.truth, d.way_of_contact) + near,
               "%s: %g deep, a contact of %g, %g along its normal", what, d.truth, d.contact, d.way_of_contact);
    check_that(d.way <= 1.1 * d.truth + near && d.way_of_contact <= 1.1 * d.truth + near,
               "%s: %g deep, along the normals %g by distance, %g by contact", what, d.truth, d.way, d.way_of_contact);
}

/* As deep as is asked for along a way from outside, or at that share of the way to the middle. */
static void at_depths(const cut_solid *s, const deep_body *body, const char *name, rng *r, deep_tally *t) {
    const cm_pose home = cm_pose_identity();
    char what[160];
    cm_witness w;
    cm_vec3 from;
    for (int i = 0; i < AHEADS * WAYS; i++) {
        cm_pose pose = pose_of(r, i % AHEADS, i / AHEADS, &from);
        pose.position = cm_scale(from, 8);
        const double gap = (double)cm_distance(&s->as_hull, &home, &body->shape, &pose, CM_REAL_MAX, &w);
        for (int d = 0; d < DEPTHS; d++) {
            snprintf(what, sizeof what, "%s, ahead %d, way %d, %g deep", name, i % AHEADS, i / AHEADS, depths[d]);
            pose.position = cm_scale(from, CM_REAL(8 - gap - depths[d] * 2 * body->size));
            compare(s, body, &pose, what, t);
        }
        for (int k = 0; k < 3; k++) { /* from wholly inside to the middle */
            snprintf(what, sizeof what, "%s, ahead %d, way %d, inside %d", name, i % AHEADS, i / AHEADS, k);
            pose.position = cm_scale(from, CM_REAL((8 - gap) * (0.3 * k * k / 4)));
            compare(s, body, &pose, what, t);
        }
    }
}

static void deep_bodies_are_told_as_in_the_hull(void **state) {
    (void)state;
    rng r = rng_start("bodies in fine solids", 417);
    const int count = samples(40, 4000);
    for (int i = 0; i < SOLIDS; i++) {
        static cut_solid s;
        solid_start(CUTS, bends[i], &s);
        for (int b = 0; b < BODIES; b++) {
            deep_tally t = {.least_distance = 2, .least_contact = 2};
            for (int k = 0; k < count / 4 + 1; k++) {
                static deep_body body;
                char name[96];
                const double x = k == 0 ? 0.3 : rng_range(&r, 0.05, 0.4), y = k == 0 ? 0.3 : rng_range(&r, 0.05, 0.4);
                const double z = k == 0 ? 0.3 : rng_range(&r, 0.05, 0.4);
                snprintf(name, sizeof name, "%s in %s, half %g %g %g", b == 0 ? "box" : "egg", solid_name[i], x, y, z);
                body_start(b, cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)), &body);
                at_depths(&s, &body, name, &r, &t);
                solid_end(&body.cut);
            }
            print_message("  %s in %s: %ld poses; depths told: %.3f to %.3f by distance, from %.3f on by contact; ways "
                          "out up to %.3f\n",
                          b == 0 ? "box" : "egg", solid_name[i], t.count, t.least_distance, t.most, t.least_contact,
                          t.longest);
            check_that(t.count > 50, "%ld poses", t.count);
        }
        solid_end(&s);
    }
}

/* What is small is far from the wall: where that is found is rounded by more than where the body is. */
static void small_bodies_are_told_as_in_the_hull(void **state) {
    (void)state;
    rng r = rng_start("small bodies in fine solids", 2419);
    const int count = samples(300, 30000);
    for (int i = 0; i < SOLIDS; i++) {
        static cut_solid s;
        deep_tally t = {.least_distance = 2, .least_contact = 2};
        solid_start(CUTS, bends[i], &s);
        for (int k = 0; k < count; k++) {
            static deep_body body;
            char what[96];
            const double x = rng_range(&r, 0.02, 0.15), y = rng_range(&r, 0.02, 0.15);
            cm_pose pose = rng_pose(&r, 0.15);
            snprintf(what, sizeof what, "%s, small body %d", solid_name[i], k);
            body_start(k % BODIES, cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(y)), &body);
            pose.position.z *= CM_REAL(0.2);
            compare(&s, &body, &pose, what, &t);
            solid_end(&body.cut);
        }
        check_that(t.count > count / 2, "%ld poses", t.count);
        solid_end(&s);
    }
}

/* A body at the middle of a ball has hardly a shorter way out than others: which one is told, EPA's limit decides. And
 * a small one, whose wall was not found again. */
static void bodies_found_by_other_seeds(void **state) {
    (void)state;
    static const struct {
        int solid;
        double half[3], at[3], turn[4];
    } found[] = {
        {0,
         {0.34318453073501587, 0.31254208087921143, 0.31736353039741516},
         {0, 0, 0},
         {-0.74656379222869873, 0.12118443101644516, 0.16182868182659149, 0.63385200500488281}},
        {2,
         {0.11141164050296107, 0.086043779785692415, 0.062066218347783184},
         {0.065729952206732306, 0.046010966544712609, 0},
         {-0.56670662756801282, 0.63086473661574749, -0.04542864338267362, 0.5280052279340075}},
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        static cut_solid s;
        static deep_body body;
        deep_tally t = {0};
        const double *h = found[i].half, *p = found[i].at, *q = found[i].turn;
        const cm_pose pose = {cm_v(CM_REAL(p[0]), CM_REAL(p[1]), CM_REAL(p[2])),
                              {CM_REAL(q[0]), CM_REAL(q[1]), CM_REAL(q[2]), CM_REAL(q[3])}};
        char what[32];
        snprintf(what, sizeof what, "pose %zu", i);
        solid_start(CUTS, bends[found[i].solid], &s);
        body_start(1, cm_v(CM_REAL(h[0]), CM_REAL(h[1]), CM_REAL(h[2])), &body);
        compare(&s, &body, &pose, what, &t);
        assert_int_equal(t.count, 1);
        solid_end(&body.cut);
        solid_end(&s);
    }
}

static cm_vec3 wall_half; /* of the box that is cut */
static cm_vec3 to_any_wall(cm_vec3 p) { return cm_v(p.x * wall_half.x, p.y * wall_half.y, p.z * wall_half.z); }

static cm_real half_of(rng *r, double least, double most) { return CM_REAL(rng_range(r, least, most)); }

/* In the middle of a box that is cut up, aligned with it too: where the search starts from behind a face. */
static void bodies_deep_in_cut_boxes_are_told_as_in_the_hull(void **state) {
    (void)state;
    rng r = rng_start("bodies in cut boxes", 3);
    for (int i = 0; i < samples(12, 300); i++) {
        static cut_solid s;
        wall_half = cm_v(half_of(&r, 0.2, 1), half_of(&r, 0.2, 1), half_of(&r, 0.2, 1));
        solid_start(4 + i % 3 * 4, to_any_wall, &s);
        for (int k = 0; k < 40; k++) {
            const cm_pose home = cm_pose_identity();
            const cm_real x = half_of(&r, 0.1, 0.6), y = half_of(&r, 0.1, 0.6), z = half_of(&r, 0.1, 0.6);
            const cm_shape body[3] = {cm_make_ellipsoid(cm_v(x, y, z)), cm_make_cylinder(x, z),
                                      cm_make_box(cm_v(x, y, z))};
            const cm_vec3 at = cm_scale(wall_half, CM_REAL(0.5) * CM_REAL(k % 5 != 0));
            cm_pose pose = {cm_v(at.x * half_of(&r, -1, 1), at.y * half_of(&r, -1, 1), at.z * half_of(&r, -1, 1)),
                            k % 3 ? rng_rotation(&r) : cm_quat_identity()};
            for (int b = 0; b < 3; b++) {
                cm_witness w;
                const double truth = -(double)cm_distance(&s.as_hull, &home, &body[b], &pose, CM_REAL_MAX, &w);
                const double told = -(double)cm_distance(&s.as_mesh, &home, &body[b], &pose, CM_REAL_MAX, &w);
                check_that(told >= 0.95 * truth && told <= 1.001 * truth + 1e-5, "box %d, pose %d, %s: %g of %g", i, k,
                           cm_kind_name(body[b].kind), told, truth);
            }
        }
        solid_end(&s);
    }
}

/* --- meshes in meshes --------------------------------------------------------------------------------------------- */

/* The depth of two solid meshes is the reach; the deepest contact is no less deep, and along as good a way out. */
static void deep_meshes_have_a_contact_as_deep_as_they_reach(void **state) {
    (void)state;
    static cm_manifold m[MESH_ROOM];
    const cm_pose home = cm_pose_identity();
    rng r = rng_start("meshes in fine solids", 418);
    const int count = samples(120, 10000);
    double least = 2;
    for (int i = 0; i < SOLIDS; i++) {
        static cut_solid s;
        solid_start(CUTS, bends[i], &s);
        for (int k = 0; k < count; k++) {
            static deep_body body;
            cm_witness w;
            cm_vec3 from, normal = cm_v(0, 0, 0);
            double deepest = 0;
            body_half = cm_v(CM_REAL(rng_range(&r, 0.2, 0.5)), CM_REAL(rng_range(&r, 0.2, 0.5)),
                             CM_REAL(rng_range(&r, 0.2, 0.5)));
            solid_start(rng_below(&r, 2) ? 4 : 12, k % 2 ? to_egg : to_body, &body.cut);
            cm_pose pose = pose_of(&r, k % AHEADS, k / AHEADS % WAYS, &from);
            pose.position = cm_scale(from, 8);
            const double gap = (double)cm_distance(&s.as_hull, &home, &body.cut.as_hull, &pose, CM_REAL_MAX, &w);
            pose.position = cm_scale(from, CM_REAL(8 - gap - rng_log_range(&r, 1e-3, 0.3)));
            const double told = -(double)cm_distance(&s.as_mesh, &home, &body.cut.as_mesh, &pose, CM_REAL_MAX, &w);
            const int contacts = cm_contact(&s.as_mesh, &home, &body.cut.as_mesh, &pose, 0, m, MESH_ROOM);
            assert_in_range(contacts, told >= 0, MESH_ROOM);
            for (int c = 0; c < contacts; c++)
                for (int p = 0; p < m[c].count; p++)
                    if ((double)m[c].points[p].depth > deepest)
                        deepest = (double)m[c].points[p].depth, normal = m[c].normal;
            if (told > 1e-3) {
                const double way = way_along(&s, &body, &pose, w.normal), own = way_along(&s, &body, &pose, normal);
                least = fmin(least, deepest / told);
                check_that(deepest >= 0.95 * told, "%s, sample %d: a distance of -%g, a contact of %g", solid_name[i],
                           k, told, deepest);
                check_that(own <= 1.1 * way + 1e-5, "%s, sample %d: %g deep, out by %g, the contact by %g",
                           solid_name[i], k, told, way, own);
            }
            solid_end(&body.cut);
        }
        solid_end(&s);
    }
    print_message("  contacts from %.3f of the reach on\n", least);
}

/* --- solids with hollows ------------------------------------------------------------------------------------------ */

static cm_vec3 to_star(cm_vec3 p) {
    const double turn = atan2((double)p.y, (double)p.x), r = 1 - 0.3 * cos(5 * turn) * (1 - 0.5 * (double)cm_abs(p.z));
    return cm_scale(to_round(p), CM_REAL(r));
}
static cm_vec3 to_bowl(cm_vec3 p) {
    return cm_v(p.x, p.y, CM_REAL(0.25) * p.z + CM_REAL(0.5) * (p.x * p.x + p.y * p.y));
}
static cm_vec3 to_valley(cm_vec3 p) { return cm_v(p.x, p.y, CM_REAL(0.4) * p.z + CM_REAL(0.04) * cm_abs(p.x)); }
static cm_vec3 to_roof(cm_vec3 p) { return cm_v(p.x, p.y, CM_REAL(0.2) * p.z - CM_REAL(0.5) * cm_abs(p.x)); }
static cm_vec3 to_wave(cm_vec3 p) {
    return cm_v(p.x, p.y, CM_REAL(0.5) * p.z + CM_REAL(0.03 * sin(6 * (double)p.x) * cos(5 * (double)p.y)));
}

/* A depth means: moved by less than it, in any direction, the two still overlap. */
static bool still_overlap(const cut_solid *s, const deep_body *body, const cm_pose *pose, double depth, rng *r) {
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < 60; i++) {
        const cm_real sign = CM_REAL(i % 2 == 0 ? 1 : -1);
        const cm_vec3 axis = cm_v(i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0);
        const cm_vec3 way = i < 6 ? axis : rng_direction(r);
        cm_pose moved = *pose;
        moved.position = cm_mul_add(pose->position, CM_REAL(0.999 * depth - 1e-5), way);
        if (!cm_overlap(&s->as_mesh, &home, &body->shape, &moved)) return false;
    }
    return true;
}

static void a_depth_is_no_more_than_any_way_out(void **state) {
    (void)state;
    static bend *const hollow[] = {to_star, to_bowl, to_valley, to_roof, to_wave, to_rough_ball};
    rng r = rng_start("bodies in solids with hollows", 95);
    const int count = samples(1200, 100000);
    for (int i = 0; i < 6; i++) {
        static cut_solid s;
        long overlapping = 0;
        solid_start(i % 2 ? CUTS : 8, hollow[i], &s);
        for (int k = 0; k < count; k++) {
            static deep_body body;
            const cm_pose home = cm_pose_identity();
            cm_witness w;
            cm_pose pose;
            const double most = rng_below(&r, 3) ? 0.4 : 1.2;
            const double x = rng_range(&r, 0.05, most), y = rng_range(&r, 0.05, most), z = rng_range(&r, 0.05, most);
            body_start(k % 2, cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)), &body);
            pose.rotation = rng_below(&r, 3) ? rng_rotation(&r) : cm_quat_identity();
            pose.position = rng_vec3(&r, 1.2);
            const double told = -(double)cm_distance(&s.as_mesh, &home, &body.shape, &pose, CM_REAL_MAX, &w);
            if (told > 1e-3) {
                overlapping++;
                check_that(still_overlap(&s, &body, &pose, told, &r), "solid %d, sample %d: told %g", i, k, told);
            }
            solid_end(&body.cut);
        }
        check_that(4 * overlapping > count, "%ld overlap", overlapping);
        solid_end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(deep_bodies_are_told_as_in_the_hull),
                                       cmocka_unit_test(small_bodies_are_told_as_in_the_hull),
                                       cmocka_unit_test(bodies_found_by_other_seeds),
                                       cmocka_unit_test(bodies_deep_in_cut_boxes_are_told_as_in_the_hull),
                                       cmocka_unit_test(deep_meshes_have_a_contact_as_deep_as_they_reach),
                                       cmocka_unit_test(a_depth_is_no_more_than_any_way_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
