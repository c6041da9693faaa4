/* Hulls of hard clouds: against an oracle that tries all planes in rational arithmetic, and against their definition.
 */
#include "support/clouds.h"
#include "oracle/rational.h"

#include <math.h>

/* --- all planes through three points, for few points -------------------------------------------------------------- */

enum { FEW = 12 };

typedef struct truth {
    int dimension;
    uint32_t vertices; /* how many */
    uint32_t faces;
    uint32_t is_vertex; /* by distinct point */
    uint32_t distinct;
    double at[FEW][3];
} truth;

static bool truth_has(const truth *t, const double p[3]) {
    for (uint32_t i = 0; i < t->distinct; ++i)
        if (t->at[i][0] == p[0] && t->at[i][1] == p[1] && t->at[i][2] == p[2]) return true;
    return false;
}
static bool truth_on_line(const truth *t, uint32_t i, uint32_t j, uint32_t k) {
    for (int axis = 0; axis < 3; ++axis)
        if (oracle_orient2(t->at[i], t->at[j], t->at[k], axis) != 0) return false;
    return true;
}
static bool truth_add(uint32_t *sets, uint32_t *count, uint32_t set) {
    for (uint32_t i = 0; i < *count; ++i)
        if (sets[i] == set) return false;
    sets[(*count)++] = set;
    return true;
}
/* A vertex is a point where at least `least` of the maximal faces meet. */
static void truth_vertices(truth *t, const uint32_t *sets, uint32_t count, uint32_t least) {
    t->is_vertex = 0, t->vertices = 0;
    for (uint32_t i = 0; i < t->distinct; ++i) {
        uint32_t meet = 0;
        for (uint32_t s = 0; s < count; ++s) meet += sets[s] >> i & 1;
        if (meet >= least) t->is_vertex |= 1u << i, t->vertices++;
    }
}
/* Faces: the sets of all points in a plane through three that has the others on one side. */
static void truth_solid(truth *t) {
    uint32_t sets[220], count = 0, n = t->distinct;
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = i + 1; j < n; ++j)
            for (uint32_t k = j + 1; k < n; ++k) {
                if (truth_on_line(t, i, j, k)) continue;
                uint32_t set = 0;
                bool front = false, behind = false;
                for (uint32_t m = 0; m < n; ++m) {
                    int side = oracle_orient3(t->at[i], t->at[j], t->at[k], t->at[m]);
                    front |= side > 0, behind |= side < 0;
                    if (side == 0) set |= 1u << m;
                }
                if (!(front && behind)) truth_add(sets, &count, set);
            }
    t->faces = count;
    truth_vertices(t, sets, count, 3);
}
/* Edges: the sets of all points on a line through two that has the others on one side, seen along an axis. */
static void truth_polygon(truth *t, int axis) {
    uint32_t sets[66], count = 0, n = t->distinct;
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = i + 1; j < n; ++j) {
            uint32_t set = 0;
            bool front = false, behind = false;
            for (uint32_t m = 0; m < n; ++m) {
                int side = oracle_orient2(t->at[i], t->at[j], t->at[m], axis);
                front |= side > 0, behind |= side < 0;
                if (side == 0) set |= 1u << m;
            }
            if (!(front && behind)) truth_add(sets, &count, set);
        }
    t->faces = 2;
    truth_vertices(t, sets, count, 2);
}

static truth truth_of(const cm_vec3 *points, uint32_t count) {
    truth t;
    memset(&t, 0, sizeof t);
    for (uint32_t i = 0; i < count; ++i) {
        const double p[3] = {(double)points[i].x, (double)points[i].y, (double)points[i].z};
        if (!truth_has(&t, p)) memcpy(t.at[t.distinct++], p, sizeof p);
    }
    uint32_t n = t.distinct;
    t.dimension = n > 1 ? 1 : 0;
    int axis = -1;
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = i + 1; j < n; ++j)
            for (uint32_t k = j + 1; k < n; ++k)
                for (int a = 0; a < 3 && axis < 0; ++a)
                    if (oracle_orient2(t.at[i], t.at[j], t.at[k], a) != 0) axis = a, t.dimension = 2;
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = i + 1; j < n; ++j)
            for (uint32_t k = j + 1; k < n; ++k)
                for (uint32_t m = k + 1; m < n && t.dimension < 3; ++m)
                    if (oracle_orient3(t.at[i], t.at[j], t.at[k], t.at[m]) != 0) t.dimension = 3;
    if (t.dimension == 3)
        truth_solid(&t);
    else if (t.dimension == 2)
        truth_polygon(&t, axis);
    else
        t.vertices = (uint32_t)t.dimension + 1;
    return t;
}

static void hulls_of_few_points_are_those_of_the_oracle(void **state) {
    (void)state;
    rng r = rng_start("hulls against all planes", 21);
    uint32_t seen[4] = {0, 0, 0, 0};
    for (int i = 0; i < samples(1500, 150000); ++i) {
        cm_vec3 p[FEW];
        int kind = i % CLOUD_KINDS;
        uint32_t n = 1 + rng_below(&r, FEW);
        cloud_fill(&r, kind, rng_log_range(&r, 1e-6, 1e6), p, n);
        truth t = truth_of(p, n);
        cm_hull *hull = hull_of(p, n);
        cm_hull_info info;
        cm_hull_get_info(hull, &info);
        check_that(info.dimension == t.dimension && info.vertices == t.vertices && info.faces == t.faces,
                   "cloud %d (%s): dimension %d, V %u F %u; true: dimension %d, V %u F %u", i, cloud_name(kind),
                   info.dimension, info.vertices, info.faces, t.dimension, t.vertices, t.faces);
        for (uint32_t d = 0; d < t.distinct && t.dimension >= 2; ++d) {
            bool found = false;
            for (uint32_t v = 0; v < info.vertices; ++v) {
                cm_vec3 q = cm_hull_vertices(hull)[v];
                found |= (double)q.x == t.at[d][0] && (double)q.y == t.at[d][1] && (double)q.z == t.at[d][2];
            }
            check_that(found == (bool)(t.is_vertex >> d & 1), "cloud %d (%s): point %u", i, cloud_name(kind), d);
        }
        seen[t.dimension]++;
        cm_hull_destroy(hull, NULL);
    }
    print_message("  of dimension 0 1 2 3: %u %u %u %u\n", seen[0], seen[1], seen[2], seen[3]);
    for (int d = 0; d < 4; ++d) assert_true(seen[d] >= 10);
}

/* --- by definition ------------------------------------------------------------------------------------------------ */

static void hulls_of_hard_clouds_are_convex_and_hold_all_points(void **state) {
    (void)state;
    rng r = rng_start("hard clouds", 22);
    static cm_vec3 p[400];
    for (int i = 0; i < samples(1500, 150000); ++i) {
        int kind = i % CLOUD_KINDS;
        uint32_t n = 1 + rng_below(&r, i % 20 == 0 ? 400 : 60);
        cloud_fill(&r, kind, rng_log_range(&r, 1e-6, 1e6), p, n);
        cm_hull *hull = hull_of(p, n);
        check_hull(hull, p, n, true);
        cm_hull_destroy(hull, NULL);
    }
}

static void a_sphere_of_many_points_keeps_them_all(void **state) {
    (void)state;
    rng r = rng_start("large sphere", 23);
    uint32_t n = (uint32_t)samples(20000, 100000);
    cm_vec3 *p = malloc(n * sizeof *p);
    assert_non_null(p);
    cloud_fill(&r, CLOUD_SPHERE, 1, p, n);
    cm_hull *hull = hull_of(p, n);
    check_hull(hull, p, n, false); /* locally convex and closed: so it is convex */
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    check_that(info.vertices > n - n / 100, "%u vertices of %u", info.vertices, n);
    check_that(fabs((double)info.volume - 4.18879) < 200.0 / n, "volume %g of %u points", (double)info.volume, n);
    for (uint32_t i = 0; i < info.faces; i += info.faces / 64) {
        cm_hull_face face;
        cm_hull_get_face(hull, i, &face);
        const cm_vec3 *v = cm_hull_vertices(hull);
        double c[4][3];
        for (int k = 0; k < 3; ++k) {
            cm_vec3 q = v[face.vertices[k]];
            c[k][0] = (double)q.x, c[k][1] = (double)q.y, c[k][2] = (double)q.z;
        }
        for (uint32_t k = 0; k < n; k += 10) {
            c[3][0] = (double)p[k].x, c[3][1] = (double)p[k].y, c[3][2] = (double)p[k].z;
            check_that(oracle_orient3(c[0], c[1], c[2], c[3]) <= 0, "point %u, face %u", k, i);
        }
    }
    cm_hull_destroy(hull, NULL);
    free(p);
}

/* --- faces of many corners ---------------------------------------------------------------------------------------- */

/* Prisms whose caps are polygons of n corners in one plane: across z, and slanted, with whole coordinates. check_hull
 * holds each plane against its corners. */
static void planes_hold_the_corners_of_caps_however_many(void **state) {
    (void)state;
    static const uint32_t sides[] = {3, 4, 7, 16, 64, 200, 1000};
    static cm_vec3 p[2000];
    for (int i = 0; i < 7; ++i) {
        uint32_t n = sides[i];
        for (int slanted = 0; slanted < 2; ++slanted) {
            for (uint32_t k = 0; k < n; ++k) {
                double angle = 6.283185307179586 * k / n, x = cos(angle), y = sin(angle);
                if (!slanted) {
                    p[k] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(0.3));
                } else { /* u (1, 1, 0) + v (1, -1, 2) */
                    double u = floor(1e6 * x), v = floor(1e6 * y);
                    p[k] = cm_v(CM_REAL(u + v), CM_REAL(u - v), CM_REAL(2 * v));
                }
                p[n + k] = cm_add(p[k], slanted ? cm_v(0, 0, 1000000) : cm_v(0, 0, 1));
            }
            cm_hull *hull = hull_of(p, 2 * n);
            check_hull(hull, p, 2 * n, true);
            uint32_t most = 0;
            for (uint32_t f = 0; f < cm_hull_face_count(hull); ++f) {
                cm_hull_face face;
                cm_hull_get_face(hull, f, &face);
                most = face.count > most ? face.count : most;
            }
            check_that(most >= n - n / 8, "%u sides: the largest face has %u corners", n, most);
            cm_hull_destroy(hull, NULL);
        }
    }
}

/* --- with a limit ------------------------------------------------------------------------------------------------- */

static double distance_outside(const cm_hull *hull, cm_vec3 p) { /* lower bound: to the farthest plane */
    double most = 0;
    for (uint32_t f = 0; f < cm_hull_face_count(hull); ++f) {
        cm_hull_face face;
        cm_hull_get_face(hull, f, &face);
        double d = (double)face.normal.x * (double)p.x + (double)face.normal.y * (double)p.y +
                   (double)face.normal.z * (double)p.z + (double)face.d;
        if (d > most) most = d;
    }
    return most;
}

static void a_limit_on_vertices_holds_and_its_loss_is_a_bound(void **state) {
    (void)state;
    rng r = rng_start("limited hulls", 24);
    static cm_vec3 p[500];
    const int kinds[6] = {CLOUD_CUBE, CLOUD_SPHERE, CLOUD_CYLINDER, CLOUD_TURNED_GRID, CLOUD_PLANE, CLOUD_FAR};
    uint32_t limited = 0, needless = 0;
    for (int i = 0; i < samples(300, 30000); ++i) {
        uint32_t n = 1 + rng_below(&r, 500), most = 4 + rng_below(&r, 60);
        cloud_fill(&r, kinds[i % 6], 1, p, n);
        const cm_hull_desc desc = {.points = &p[0].x, .point_count = n, .max_vertices = most};
        cm_hull *hull = hull_of_desc(&desc), *whole = hull_of(p, n);
        cm_hull_info info, full;
        cm_hull_get_info(hull, &info);
        cm_hull_get_info(whole, &full);
        check_that(info.vertices <= most, "%u vertices", info.vertices);
        check_hull(hull, p, n, info.loss == 0);
        needless += info.loss > 0 && full.vertices <= most;
        if (info.loss == 0) assert_int_equal(info.vertices, full.vertices);
        limited += info.loss > 0;
        double worst = 0;
        for (uint32_t k = 0; k < n; ++k) {
            double d = distance_outside(hull, p[k]);
            if (d > worst) worst = d;
        }
        check_that(worst <= (double)info.loss, "outside by %.17g, loss %.17g", worst, (double)info.loss);
        assert_true(full.loss == 0);
        cm_hull_destroy(whole, NULL);
        cm_hull_destroy(hull, NULL);
    }
    assert_true((int)limited * share() > 100);
    check_that(needless <= 1 + limited / 200, "%u of %u lost something though all of it keeps the limit", needless,
               limited);
}

/* Sides that are flat up to rounding: a corner that some face sees by rounding only, far aside of it, is no less far
 * out. 24 vertices hold the 8 of a turned cube; the rest is within rounding of its sides. */
static void a_limit_keeps_the_corners_of_turned_boxes(void **state) {
    (void)state;
    rng r = rng_start("limited boxes", 26);
    static cm_vec3 p[500];
    for (int i = 0; i < samples(500, 50000); ++i) {
        uint32_t n = 100 + rng_below(&r, 400);
        cloud_fill(&r, CLOUD_TURNED_GRID, 1, p, n);
        const cm_hull_desc desc = {.points = &p[0].x, .point_count = n, .max_vertices = 24};
        cm_hull *hull = hull_of_desc(&desc);
        cm_hull_info info;
        cm_hull_get_info(hull, &info);
        check_that(info.loss < CM_REAL(0.01), "cloud %d of %u points: loss %g", i, n, (double)info.loss);
        cm_hull_destroy(hull, NULL);
    }
}

static void a_limit_of_a_hundred_loses_little_of_a_sphere(void **state) {
    (void)state;
    rng r = rng_start("limited sphere", 25);
    static cm_vec3 p[5000];
    cloud_fill(&r, CLOUD_SPHERE, 1, p, 5000);
    const cm_hull_desc desc = {.points = &p[0].x, .point_count = 5000, .max_vertices = 100};
    cm_hull *hull = hull_of_desc(&desc);
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    assert_int_equal(info.vertices, 100);
    /* 196 equal triangles would have a sagitta of 0.024; the farthest-first choice is within a factor of 3 */
    check_that(info.loss > CM_REAL(0.02) && info.loss < CM_REAL(0.075), "loss %g", (double)info.loss);
    cm_hull_destroy(hull, NULL);
}

/* --- recorded clouds ---------------------------------------------------------------------------------------------- */

static void recorded_clouds_have_valid_hulls(void **state) {
    (void)state;
    const char *path = data_path("meshes/hull_clouds.bin");
    if (!path) skip();
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint32_t n, clouds = 0, vertices = 0;
    while (fread(&n, sizeof n, 1, file) == 1) {
        float raw[3 * 128];
        cm_vec3 p[128];
        assert_true(n >= 1 && n <= 128);
        assert_int_equal(fread(raw, 3 * sizeof(float), n, file), n);
        for (uint32_t i = 0; i < n; ++i)
            p[i] = cm_v((cm_real)raw[3 * i], (cm_real)raw[3 * i + 1], (cm_real)raw[3 * i + 2]);
        cm_hull *hull = hull_of(p, n);
        check_hull(hull, p, n, true);
        vertices += cm_hull_vertex_count(hull);
        cm_hull_destroy(hull, NULL);
        ++clouds;
    }
    fclose(file);
    assert_int_equal(clouds, 3000);
    assert_int_equal(vertices, 74734); /* as CGAL 5.5 finds, exact as well */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_of_few_points_are_those_of_the_oracle),
        cmocka_unit_test(hulls_of_hard_clouds_are_convex_and_hold_all_points),
        cmocka_unit_test(a_sphere_of_many_points_keeps_them_all),
        cmocka_unit_test(planes_hold_the_corners_of_caps_however_many),
        cmocka_unit_test(a_limit_on_vertices_holds_and_its_loss_is_a_bound),
        cmocka_unit_test(a_limit_keeps_the_corners_of_turned_boxes),
        cmocka_unit_test(a_limit_of_a_hundred_loses_little_of_a_sphere),
        cmocka_unit_test(recorded_clouds_have_valid_hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
