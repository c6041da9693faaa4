/* A flat ground, cut into triangles in a thousand random ways: what touches it or is swept against it notices nothing
 * of the cuts. Normals are the plane's, the first contact that of the half-space below. */
#include "support/fields.h"
#include "support/shapes.h"
#include "support/solids.h"

#include <math.h>

#define CELLS 12
#define FOUND 512

enum { BALL, CAPSULE, BOX, HULL, KINDS };
static const char *const names[KINDS] = {"ball", "capsule", "box", "hull"};

typedef struct ground {
    cm_mesh *mesh;
    field_twin twin; /* of grounds that are height fields */
    cm_shape shape;
    cm_vec3 normal; /* of the plane, in the shape's frame */
} ground;

/* Moves a corner of every third cell to its diagonal, and past it by up to `past`: one half of the cell is a needle,
 * folded onto the other half. */
static void fold_needles(cm_vec3 corner[CELLS + 1][CELLS + 1], cm_vec3 up, double past, rng *r) {
    for (int i = 0; i < CELLS; i += 3) {
        for (int k = 3; k < CELLS; k += 3) {
            const cm_vec3 from = corner[i][k], along = cm_sub(corner[i + 1][k + 1], from);
            const cm_vec3 across = cm_normalize(cm_cross(up, along), up);
            double t = rng_range(r, 0.2, 0.8), d = rng_log_range(r, 16 * (double)CM_REAL_EPSILON, past);
            corner[i + 1][k] = cm_mul_add(cm_mul_add(from, CM_REAL(t), along), CM_REAL(d), across);
        }
    }
}

/* The square [-6, 6]² of the plane through the origin, across `up`: corners moved about, diagonals at random.
 * `past`: 0, or with needles. */
static void ground_cut(ground *g, cm_quat turn, double past, rng *r) {
    cm_vec3 corner[CELLS + 1][CELLS + 1];
    soup s = {NULL, 0, 0};
    for (int i = 0; i <= CELLS; ++i) {
        for (int k = 0; k <= CELLS; ++k) {
            bool rim = i == 0 || k == 0 || i == CELLS || k == CELLS;
            double x = i - CELLS / 2 + (rim ? 0 : rng_range(r, -0.3, 0.3));
            double y = k - CELLS / 2 + (rim ? 0 : rng_range(r, -0.3, 0.3));
            corner[i][k] = cm_rotate(turn, cm_v(CM_REAL(x), CM_REAL(y), 0));
        }
    }
    if (past > 0) fold_needles(corner, cm_rotate(turn, cm_v(0, 0, 1)), past, r);
    for (int i = 0; i < CELLS; ++i)
        for (int k = 0; k < CELLS; ++k)
            soup_add_quad(&s, corner[i][k], corner[i + 1][k], corner[i + 1][k + 1], corner[i][k + 1],
                          past > 0 ? i % 3 != 0 || k % 3 != 0 : rng_below(r, 2) == 0);
    g->mesh = soup_build(&s, false);
    g->shape = cm_make_mesh(g->mesh);
    g->normal = cm_rotate(turn, cm_v(0, 0, 1));
}

/* One more cut of the plane across turn's z; of level ones every fifth is a height field. */
static void ground_random(ground *g, int round, cm_quat turn, rng *r) {
    memset(g, 0, sizeof *g);
    if (round % 5 != 4 || turn.w != 1) {
        ground_cut(g, turn, 0, r);
        return;
    }
    cm_height_field_desc *d = &g->twin.desc;
    d->columns = 4 + rng_below(r, 20), d->rows = 4 + rng_below(r, 20);
    d->column_spacing = CM_REAL(12) / CM_REAL(d->columns - 1), d->row_spacing = CM_REAL(12) / CM_REAL(d->rows - 1);
    d->origin = cm_v(-6, -6, 0);
    d->other_diagonal = rng_below(r, 2);
    g->twin.heights = calloc((size_t)d->columns * d->rows, sizeof(cm_real));
    field_twin_build(&g->twin);
    g->shape = cm_make_height_field(g->twin.field);
    g->normal = cm_v(0, 0, 1);
}
static void ground_free(ground *g) {
    cm_mesh_destroy(g->mesh, NULL);
    if (g->twin.field) field_twin_free(&g->twin);
}

typedef struct mover {
    cm_shape shape;
    cm_hull *hull;
} mover;

static void mover_random(mover *m, int kind, rng *r) {
    double a = rng_range(r, 0.2, 1.5), b = rng_range(r, 0.2, 1.5), c = rng_range(r, 0.2, 1.5);
    cm_vec3 half = cm_v(CM_REAL(a), CM_REAL(b), CM_REAL(c));
    m->hull = NULL;
    if (kind == BALL) m->shape = cm_make_sphere(cm_v(0, 0, 0), half.x);
    if (kind == CAPSULE) m->shape = cm_make_capsule(cm_v(-half.x, 0, 0), cm_v(half.x, 0, 0), half.y / 2);
    if (kind == BOX) m->shape = cm_make_box(half);
    if (kind != HULL) return;
    cm_vec3 points[16];
    for (int i = 0; i < 16; ++i) points[i] = cm_scale(rng_direction(r), half.x);
    m->hull = hull_of(points, 16);
    m->shape = cm_make_hull(m->hull);
}

/* A pose above the middle of the plane through the origin across `up`, its lowest point at `height`. Every second one
 * lies flat on a face or along a side. */
static cm_pose pose_above(const mover *m, cm_vec3 up, cm_quat turn, double height, rng *r) {
    cm_pose pose = cm_pose_identity();
    cm_quat own = rng_rotation(r);
    double yaw = rng_range(r, 0, 3.2);
    if (rng_below(r, 2)) own.x = own.y = 0, own.z = CM_REAL(sin(yaw)), own.w = CM_REAL(cos(yaw));
    pose.rotation = cm_quat_normalize(cm_quat_mul(turn, own));
    cm_shape below = cm_make_halfspace(up, 0);
    cm_pose none = cm_pose_identity();
    double u = rng_range(r, -3, 3), v = rng_range(r, -3, 3);
    cm_vec3 aside = cm_rotate(turn, cm_v(CM_REAL(u), CM_REAL(v), 0));
    pose.position = cm_mul_add(aside, 8, up);
    cm_real above = cm_distance(&m->shape, &pose, &below, &none, CM_REAL_MAX, NULL);
    pose.position = cm_mul_add(pose.position, CM_REAL(height) - above, up);
    return pose;
}

static double off_plane(cm_vec3 normal, cm_vec3 up) { return (double)cm_length(cm_add(normal, up)); }

/* How far the triangle itself is off the plane, whichever way it looks: the rounded corners of one cut so thin span a
 * plane of their own, in one of ten thousand cuts off by 1e-4. */
static double part_off_plane(const ground *g, uint32_t part) {
    if (!g->mesh) return 0;
    cm_triangle t = mesh_triangle(g->mesh, part).u.triangle;
    const cm_real *a = &t.a.x, *b = &t.b.x, *c = &t.c.x, *up = &g->normal.x;
    double n[3], square = 0, along = 0, off = 0;
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        n[k] = (double)(b[u] - a[u]) * (double)(c[v] - a[v]) - (double)(b[v] - a[v]) * (double)(c[u] - a[u]);
        square += n[k] * n[k], along += n[k] * (double)up[k];
    }
    for (int k = 0; k < 3; k++) off += pow(n[k] / copysign(sqrt(square), along) - (double)up[k], 2);
    return sqrt(off);
}

/* Where the ground of the rounds of a batch lies: in every second the plane is level in the mesh's own frame. */
#define BATCH 10
static cm_quat batch_turn(int round) {
    rng r = {(uint64_t)(round / BATCH) + 1000};
    return round / BATCH % 2 ? rng_rotation(&r) : cm_quat_identity();
}
static cm_pose batch_home(int round) {
    rng r = {(uint64_t)(round / BATCH) + 2000};
    return rng_pose(&r, round / BATCH % 3 ? 10 : 0);
}

static void every_contact_normal_is_the_planes(void **state) {
    (void)state;
    rng r = rng_start("contacts", 91);
    double worst = 0, deep = 0;
    int found = 0, besides = 0, cuts = 1000 * samples(1, 20);
    for (int round = 0; round < cuts; ++round) {
        ground g;
        cm_quat turn = batch_turn(round);
        cm_pose home = batch_home(round);
        ground_random(&g, round, turn, &r);
        cm_vec3 up = cm_rotate(home.rotation, g.normal);
        for (int i = 0; i < 4 * KINDS; ++i) {
            mover m;
            int kind = i % KINDS;
            cm_manifold out[FOUND];
            mover_random(&m, kind, &r);
            double height = i < KINDS ? rng_range(&r, 0, 0.04) : -rng_range(&r, 0, 0.1), most = -1e9;
            cm_pose pose = pose_above(&m, g.normal, turn, height, &r);
            pose = cm_pose_mul(&home, &pose);
            int count = cm_contact(&m.shape, &pose, &g.shape, &home, CM_REAL(0.05), out, FOUND);
            check_that(count >= 1 && count <= FOUND, "%s at %g: %d manifolds", names[kind], height, count);
            for (int k = 0; k < count; ++k) {
                double off = off_plane(out[k].normal, up);
                worst = off > worst ? off : worst;
                check_that(off <= 1e-4 + part_off_plane(&g, out[k].part_b),
                           "cut %d: a %s at %g meets part %u %g beside the plane's normal", round, names[kind], height,
                           out[k].part_b, off);
                for (int p = 0; p < out[k].count; ++p) {
                    double depth = (double)out[k].points[p].depth;
                    most = depth > most ? depth : most;
                }
                ++found;
            }
            /* A corner that lies below a triangle beside the one that its body goes through belongs to neither: then
             * what is told is the depth of the rest, where the cut ends. */
            double wrong = fabs(most + height);
            bool beside = most < -height && wrong > 1e-4;
            besides += beside;
            deep = wrong > deep ? wrong : deep;
            check_that(wrong <= (beside ? 1e-2 : 1e-4), "cut %d: a %s at %g is found %g deep", round, names[kind],
                       height, most);
            cm_hull_destroy(m.hull, NULL);
        }
        ground_free(&g);
    }
    print_message("  %d manifolds; normals off by at most %.1e, the deepest point by %.1e\n", found, worst, deep);
    check_that(besides <= cuts / 100, "%d bodies with their lowest corner beside", besides);
}

/* A needle that is folded onto its neighbor ends where the surface goes on: its edge is no rim. Rounding turns the
 * plane of a needle; one that it may turn by more than 1e-3 tells nothing by itself. */
static void a_folded_needle_has_no_rim(void **state) {
    (void)state;
    rng r = rng_start("needles", 93);
    double worst = 0;
    int found = 0;
    for (int round = 0; round < 50 * samples(1, 20); ++round) {
        ground g;
        cm_quat turn = batch_turn(round);
        cm_pose home = batch_home(round);
        memset(&g, 0, sizeof g);
        ground_cut(&g, turn, 1e6 * (double)CM_REAL_EPSILON, &r);
        cm_vec3 up = cm_rotate(home.rotation, g.normal);
        for (int i = 0; i < 100; ++i) {
            mover m;
            cm_manifold out[FOUND];
            mover_random(&m, BALL, &r);
            double height = rng_range(&r, -0.1, 0.04);
            cm_pose pose = pose_above(&m, g.normal, turn, height, &r);
            pose = cm_pose_mul(&home, &pose);
            int count = cm_contact(&m.shape, &pose, &g.shape, &home, CM_REAL(0.05), out, FOUND);
            check_that(count >= 1 && count <= FOUND, "a ball at %g: %d manifolds", height, count);
            for (int k = 0; k < count; ++k) {
                double off = off_plane(out[k].normal, up);
                worst = off > worst ? off : worst;
                check_that(off <= 1e-3, "cut %d: a ball at %g meets part %u %g beside the plane's normal", round,
                           height, out[k].part_b, off);
                ++found;
            }
        }
        ground_free(&g);
    }
    print_message("  %d manifolds; normals off by at most %.1e\n", found, worst);
}

/* The movers of a batch are the same for each of its cuts. */
static void every_sweep_meets_the_plane_at_the_same_time(void **state) {
    (void)state;
    enum { MOVERS = 12 };
    rng r = rng_start("sweeps", 92);
    double worst = 0, apart = 0, gap = 0;
    cm_real first[MOVERS] = {0};
    int cuts = 1000 * samples(1, 20);
    for (int round = 0; round < cuts; ++round) {
        ground g;
        cm_quat turn = batch_turn(round);
        cm_pose home = batch_home(round);
        ground_random(&g, round, turn, &r);
        cm_vec3 up = cm_rotate(home.rotation, g.normal);
        rng same = {(uint64_t)(round / BATCH) + 3000};
        for (int i = 0; i < MOVERS; ++i) {
            mover m;
            int kind = i % KINDS;
            mover_random(&m, kind, &same);
            double height = i < KINDS ? 0 : rng_log_range(&same, 1e-3, 2);
            cm_vec3 level = cm_rotate(turn, cm_v(0, 0, 1));
            cm_pose start = pose_above(&m, level, turn, height, &same);
            double u = rng_range(&same, -2, 2), v = rng_range(&same, -2, 2), w = rng_range(&same, 0.01, 2) + height;
            cm_motion move = {cm_pose_mul(&home, &start), cm_v(CM_REAL(u), CM_REAL(v), CM_REAL(-w)), cm_v(0, 0, 0),
                              cm_v(0, 0, 0), cm_v(0, 0, 0)};
            cm_motion stay = {home, cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0), cm_v(0, 0, 0)};
            move.move = cm_rotate(home.rotation, cm_rotate(turn, move.move));
            cm_sweep_hit hit;
            check_that(cm_sweep(&m.shape, &move, &g.shape, &stay, &hit), "cut %d: a %s at %g misses", round,
                       names[kind], height);
            double off = off_plane(hit.normal, up), left = height - (double)hit.first * w;
            worst = off > worst ? off : worst;
            gap = fabs(left) > gap ? fabs(left) : gap;
            check_that(off <= 1e-4 + part_off_plane(&g, hit.part_b),
                       "cut %d: a %s at %g meets part %u %g beside the plane's normal", round, names[kind], height,
                       hit.part_b, off);
            check_that(fabs(left) <= 1e-4, "cut %d: a %s at %g stops %g above the plane", round, names[kind], height,
                       left);
            check_that(hit.blocking, "cut %d: a %s at %g is let through", round, names[kind], height);
            if (round % BATCH == 0) first[i] = hit.first;
            double other = fabs((double)(hit.first - first[i])) * w;
            apart = other > apart ? other : apart;
            check_that(other <= 4e-5, "cut %d: a %s at %g stops at %g, on another cut at %g", round, names[kind],
                       height, (double)hit.first, (double)first[i]);
            cm_hull_destroy(m.hull, NULL);
        }
        ground_free(&g);
    }
    print_message("  normals off by at most %.1e; %.1e above the plane, cuts apart by %.1e\n", worst, gap, apart);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_contact_normal_is_the_planes),
        cmocka_unit_test(a_folded_needle_has_no_rim),
        cmocka_unit_test(every_sweep_meets_the_plane_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
