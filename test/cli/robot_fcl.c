/* A six axis arm whose links are meshes, against FCL on the same meshes in thousands of configurations, and against
 * brute force over all pairs of triangles. FCL knows surfaces: what it does not see is a link that lies inside another
 * one, which is decided here by the solid angle. Where the two still differ, they are within 1e-9 of touching, or the
 * test fails. */
#include "cli/shapes.h"
#ifdef WITH_FCL
#include "cli/fcl/peer.h"
#endif

#include "robot/kinematics.h"
#include "robot/model.h"

#include <math.h>

enum { LINKS = 7, RINGS = 16, SIDES = 9, POINTS = RINGS * SIDES };

static const double pi = 3.141592653589793;

/* A closed tube along a bent ring, thick and thin by turns: neither convex nor like the one of another link. Link 3 is
 * small, so that it finds room in the tubes of others. */
static void write_tube(int link) {
    char name[20], line[80];
    const double large = link == 3 ? 0.02 : 0.13 + 0.01 * link, small = link == 3 ? 0.008 : 0.07;
    obj o = {.text = calloc(1, 1 << 17)};
    size_t used = (size_t)snprintf(o.text, 1 << 17, "o tube\n");
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SIDES; k++) {
            const double a = 2 * pi * i / RINGS, b = 2 * pi * k / SIDES;
            const double thick = small * (1 + 0.3 * sin((link + 2) * a)), r = large + thick * cos(b);
            used += (size_t)snprintf(o.text + used, (1 << 17) - used, "v %.9g %.9g %.9g\n", r * cos(a),
                                     0.8 * r * sin(a), thick * sin(b) + 0.3 * large * sin(2 * a));
        }
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SIDES; k++) {
            const int at[4] = {i * SIDES + k + 1, (i + 1) % RINGS * SIDES + k + 1,
                               (i + 1) % RINGS * SIDES + (k + 1) % SIDES + 1, i * SIDES + (k + 1) % SIDES + 1};
            snprintf(line, sizeof line, "f %d %d %d\nf %d %d %d\n", at[0], at[1], at[2], at[0], at[2], at[3]);
            used += (size_t)snprintf(o.text + used, (1 << 17) - used, "%s", line);
        }
    snprintf(name, sizeof name, "tube%d.obj", link);
    write_text(name, o.text);
    free(o.text);
}

static const char *write_arm(void) {
    static char text[8192];
    static const char *const axes[LINKS - 1] = {"0 0 1", "0 1 0", "0 1 0", "1 0 0", "0 1 0.2", "1 0.3 0"};
    static const char *const origins[LINKS - 1] = {"0 0 0.2",    "0.1 0 0.15", "0 0 0.25",
                                                   "0.12 0 0.1", "0.2 0 0",    "0.1 0.05 0"};
    int used = snprintf(text, sizeof text, "<robot name='tubes'>\n");
    for (int i = 0; i < LINKS; i++) {
        write_tube(i);
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<link name='l%d'><collision><origin xyz='0.05 0 0.02' rpy='%g 0.3 0'/><geometry><mesh "
                         "filename='tube%d.obj'/></geometry></collision></link>\n",
                         i, 0.4 * i, i);
        if (i == 0) continue;
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<joint name='j%d' type='revolute'><parent link='l%d'/><child link='l%d'/><origin xyz='%s'/>"
                         "<axis xyz='%s'/><limit lower='-2.9' upper='2.9'/></joint>\n",
                         i, i - 1, i, origins[i - 1], axes[i - 1]);
    }
    snprintf(text + used, sizeof text - (size_t)used, "</robot>\n");
    return write_text("tubes.urdf", text);
}

typedef struct tubes {
    options options;
    model model;
    model_placed *at;
} tubes;

static void open_arm(tubes *t) {
    static char path[600];
    char *arguments[] = {path};
    snprintf(path, sizeof path, "%s", write_arm());
    assert_int_equal(options_read(COMMAND_CHECK, 1, arguments, &t->options), 0);
    assert_int_equal(model_read(&t->options, &t->model), 0);
    t->at = model_make_places(&t->model);
}
static void close_arm(tubes *t) {
    free(t->at);
    model_free(&t->model);
    options_free(&t->options);
}
static void place_sample(tubes *t, uint32_t number) {
    double values[LINKS];
    robot_sample(&t->model.robot, NULL, 11, number, values);
    model_place(&t->model, values, t->at);
}

static const cm_mesh *mesh_of(const tubes *t, int link) { return t->model.bodies[link].shape.u.mesh; }
static cm_pose pose_of(const tubes *t, int link) { return cm_pose_mul(&t->at[link].pose, &t->model.bodies[link].pose); }

static void corners_of(const tubes *t, int link, uint32_t triangle, cm_vec3 out[3]) {
    uint32_t corners[3];
    const cm_pose pose = pose_of(t, link);
    cm_mesh_corners(mesh_of(t, link), triangle, corners);
    for (int k = 0; k < 3; k++) out[k] = cm_pose_apply(&pose, cm_mesh_points(mesh_of(t, link))[corners[k]]);
}

/* Is the first point of link a inside link b? By the solid angle of all triangles of b: 4 pi inside, 0 outside. */
static bool lies_inside(const tubes *t, int a, int b) {
    const cm_pose pose = pose_of(t, a);
    const cm_vec3 p = cm_pose_apply(&pose, cm_mesh_points(mesh_of(t, a))[0]);
    double sum = 0;
    for (uint32_t i = 0; i < cm_mesh_triangle_count(mesh_of(t, b)); i++) {
        cm_vec3 q[3];
        corners_of(t, b, i, q);
        for (int k = 0; k < 3; k++) q[k] = cm_sub(q[k], p);
        const double x = cm_length(q[0]), y = cm_length(q[1]), z = cm_length(q[2]);
        sum += 2 * atan2(cm_dot(q[0], cm_cross(q[1], q[2])),
                         x * y * z + cm_dot(q[0], q[1]) * z + cm_dot(q[1], q[2]) * x + cm_dot(q[2], q[0]) * y);
    }
    return fabs(sum) > 2 * pi;
}

/* Every triangle of one link against every one of the other, then whether one lies inside the other. */
static bool brute_force(const tubes *t, int a, int b) {
    const cm_pose at_a = pose_of(t, a), at_b = pose_of(t, b);
    const cm_vec3 *points_a = cm_mesh_points(mesh_of(t, a)), *points_b = cm_mesh_points(mesh_of(t, b));
    for (uint32_t i = 0; i < cm_mesh_triangle_count(mesh_of(t, a)); i++) {
        uint32_t c[3];
        cm_mesh_corners(mesh_of(t, a), i, c);
        const cm_shape x = cm_make_triangle(points_a[c[0]], points_a[c[1]], points_a[c[2]]);
        for (uint32_t k = 0; k < cm_mesh_triangle_count(mesh_of(t, b)); k++) {
            cm_mesh_corners(mesh_of(t, b), k, c);
            const cm_shape y = cm_make_triangle(points_b[c[0]], points_b[c[1]], points_b[c[2]]);
            if (cm_overlap(&x, &at_a, &y, &at_b)) return true;
        }
    }
    return lies_inside(t, a, b) || lies_inside(t, b, a);
}

static void brute_force_over_triangles_agrees(void **state) {
    (void)state;
    tubes t;
    open_arm(&t);
    const uint32_t count = (uint32_t)samples(16, 400);
    uint32_t hits = 0, all = 0;
    for (uint32_t n = 0; n < count; n++) {
        place_sample(&t, n);
        for (int a = 0; a < LINKS; a++)
            for (int b = a + 2; b < LINKS; b++) {
                const bool got = model_collide(&t.model, (uint32_t)a, (uint32_t)b, t.at), truth = brute_force(&t, a, b);
                check_that(got == truth, "sample %u, links %d and %d: %d, in truth %d", n, a, b, got, truth);
                hits += got, all++;
            }
    }
    check_that(hits > all / 20 && hits < all / 2, "%u of %u collide", hits, all);
    close_arm(&t);
}

#ifdef WITH_FCL
static void pose_numbers(const cm_pose *p, double out[7]) {
    const double all[7] = {p->position.x, p->position.y, p->position.z, p->rotation.x,
                           p->rotation.y, p->rotation.z, p->rotation.w};
    memcpy(out, all, sizeof all);
}
static peer_mesh *peer_of(const cm_mesh *mesh) {
    const uint32_t triangles = cm_mesh_triangle_count(mesh);
    uint32_t *indices = malloc(3 * triangles * sizeof *indices);
    for (uint32_t i = 0; i < triangles; i++) cm_mesh_corners(mesh, i, &indices[3 * i]);
    peer_mesh *out = peer_mesh_make(&cm_mesh_points(mesh)->x, cm_mesh_point_count(mesh), indices, triangles);
    free(indices);
    return out;
}
#endif

static void fcl_agrees(void **state) {
    (void)state;
#ifndef WITH_FCL
    print_message("SKIPPED: built without FCL (libfcl-dev)\n");
    skip();
#else
    tubes t;
    open_arm(&t);
    peer_mesh *peers[LINKS];
    for (int i = 0; i < LINKS; i++) peers[i] = peer_of(mesh_of(&t, i));
    const uint32_t count = (uint32_t)samples(3000, 100000);
    uint32_t hits = 0, all = 0, inside = 0, touching = 0;
    for (uint32_t n = 0; n < count; n++) {
        double poses[LINKS][7];
        place_sample(&t, n);
        for (int i = 0; i < LINKS; i++) {
            const cm_pose pose = pose_of(&t, i);
            pose_numbers(&pose, poses[i]);
        }
        for (int a = 0; a < LINKS; a++)
            for (int b = a + 2; b < LINKS; b++) {
                const bool got = model_collide(&t.model, (uint32_t)a, (uint32_t)b, t.at);
                const bool told = peer_collide(peers[a], poses[a], peers[b], poses[b]);
                hits += got, all++;
                if (got == told) continue;
                if (got && (lies_inside(&t, a, b) || lies_inside(&t, b, a))) {
                    inside++;
                    continue;
                }
                const double gap = got ? peer_distance(peers[a], poses[a], peers[b], poses[b])
                                       : model_distance(&t.model, (uint32_t)a, (uint32_t)b, t.at, CM_REAL_MAX, NULL);
                check_that(fabs(gap) < 1e-9, "sample %u, links %d and %d: %d, by FCL %d, %g apart", n, a, b, got, told,
                           gap);
                touching++;
            }
    }
    print_message(
        "%u verdicts of %u configurations, %u collide: FCL agrees, but for %u where one lies inside the other "
        "and %u that touch\n",
        all, count, hits, inside, touching);
    check_that(hits > all / 20 && hits < all / 2, "%u of %u collide", hits, all);
    check_that(inside > 0, "nothing lies inside another link: of that nothing was seen");
    for (int i = 0; i < LINKS; i++) peer_mesh_free(peers[i]);
    close_arm(&t);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brute_force_over_triangles_agrees),
        cmocka_unit_test(fcl_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
