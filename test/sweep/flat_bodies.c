/* What has no volume (a point, a segment, a triangle without radius) against surfaces and solids: where it presses into
 * one it is stopped, through vertices, edges and faces of the mesh, from touching, from its very plane and from above,
 * and where it slides into a ramp; what leaves is not. Truth is the heights of the ground alone. */
#include "support/solids.h"
#include "support/support.h"

#include <math.h>

enum { FLAT, TENT, RAMP, VALLEY, RIDGE, GROUNDS };
enum { CELLS = 4, SIDE = CELLS + 1, BODIES = 7 };
static const char *const ground_name[GROUNDS] = {"flat", "tent", "ramp", "valley", "ridge"};
static const char *const body_name[BODIES] = {"point",           "upright segment", "level segment",
                                              "slanted segment", "level triangle",  "upright triangle",
                                              "slanted triangle"};

static cm_vec3 v3(double x, double y, double z) { return cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)); }

static double ground_height(int kind, int i, int k) {
    double x = i - 2;
    if (kind == TENT) return i == 2 && k == 2 ? 0.5 : 0;
    if (kind == RAMP) return x > 0 ? x / 2 : 0;
    return kind == VALLEY ? fabs(x) / 2 : kind == RIDGE ? -fabs(x) / 2 : 0;
}

static void side_wall(soup *s, cm_vec3 a, cm_vec3 b) {
    cm_vec3 c = v3((double)b.x, (double)b.y, -4), d = v3((double)a.x, (double)a.y, -4);
    soup_add_quad(s, a, d, c, b, false);
}

/* Over x and y from -2 to 2, a cell a unit wide, its diagonals alternating; a solid goes down to z = -4. */
static cm_mesh *ground_mesh(int kind, bool solid) {
    soup s = {0};
    cm_vec3 p[SIDE][SIDE];
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++) p[i][k] = v3(i - 2, k - 2, ground_height(kind, i, k));
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++) {
            const cm_vec3 a = p[i][k], b = p[i + 1][k], c = p[i + 1][k + 1], d = p[i][k + 1];
            soup_add_quad(&s, a, b, c, d, (i + k) & 1);
            if (!solid) continue;
            const double x = i - 2, y = k - 2;
            soup_add_quad(&s, v3(x, y, -4), v3(x, y + 1, -4), v3(x + 1, y + 1, -4), v3(x + 1, y, -4), !((i + k) & 1));
        }
    for (int i = 0; i < CELLS && solid; i++) {
        side_wall(&s, p[i][0], p[i + 1][0]), side_wall(&s, p[i + 1][CELLS], p[i][CELLS]);
        side_wall(&s, p[0][i + 1], p[0][i]), side_wall(&s, p[CELLS][i], p[CELLS][i + 1]);
    }
    return soup_build(&s, solid);
}

static void make_bodies(cm_shape out[BODIES]) {
    out[0] = cm_make_point(v3(0, 0, 0));
    out[1] = cm_make_segment(v3(0, 0, 0), v3(0, 0, 1));
    out[2] = cm_make_segment(v3(-0.7, 0, 0), v3(0.7, 0, 0));
    out[3] = cm_make_segment(v3(0, 0, 0), v3(0.6, 0.3, 0.7));
    out[4] = cm_make_triangle(v3(-0.5, -0.4, 0), v3(0.5, -0.4, 0), v3(0, 0.6, 0));
    out[5] = cm_make_triangle(v3(0, 0, 0), v3(0.5, 0, 1), v3(-0.5, 0, 1));
    out[6] = cm_make_triangle(v3(0, 0, 0), v3(0.6, 0.3, 0.5), v3(0.1, -0.5, 0.7));
}

static cm_motion standing(double x, double y, double z) {
    cm_motion m;
    memset(&m, 0, sizeof m);
    m.start = cm_pose_identity();
    m.start.position = v3(x, y, z);
    return m;
}

typedef struct flat_case {
    int kind, body;
    bool solid;
    cm_shape ground, shape;
} flat_case;

static void must_stop(const flat_case *c, const char *what, const cm_motion *m, double late) {
    const cm_motion still = standing(0, 0, 0);
    cm_sweep_hit h;
    bool hit = cm_sweep(&c->shape, m, &c->ground, &still, &h);
    check_that(hit && h.blocking && (double)h.first <= late,
               "%s, %s %s, %s, from %.9g %.9g %.9g by %.9g %.9g %.9g: hit %d, start %d, blocking %d, first %g", what,
               c->solid ? "solid" : "surface", ground_name[c->kind], body_name[c->body], (double)m->start.position.x,
               (double)m->start.position.y, (double)m->start.position.z, (double)m->move.x, (double)m->move.y,
               (double)m->move.z, hit, hit ? (int)h.start : -1, hit && h.blocking, hit ? (double)h.first : -1);
}

/* A place over the ground: a vertex, an edge along either axis, or anywhere, in turn. */
static void some_place(int i, rng *r, double *x, double *y) {
    const double u = (double)rng_below(r, 3) - 1, v = (double)rng_below(r, 3) - 1;
    *x = i % 4 < 2 ? u : rng_range(r, -1, 1);
    *y = i % 4 == 0 || i % 4 == 2 ? v : rng_range(r, -1, 1);
}

static void press(const flat_case *c, rng *r, int count) {
    const cm_motion still = standing(0, 0, 0);
    for (int i = 0; i < count; i++) {
        double x, y;
        some_place(i, r, &x, &y);
        cm_motion m = standing(x, y, 3);
        cm_sweep_hit h;
        m.move = v3(0, 0, -6);
        must_stop(c, "a fall", &m, 1);
        if (!cm_sweep(&c->shape, &m, &c->ground, &still, &h)) continue;
        const double z = 3 - 6 * (double)h.first, aside = i % 5 ? 0.5 : 0;
        m = standing(x, y, z); /* as far down as it is told to get, and pressed on */
        m.move = v3(aside * rng_range(r, -0.5, 0.5), aside * rng_range(r, -0.5, 0.5), -1 - i % 2);
        must_stop(c, "what touches and presses on", &m, 1e-4);
        m.start.position = v3(x, y, z + 0.25 * (1 + i % 3));
        must_stop(c, "a slanted fall", &m, 1);
        if (c->kind != FLAT) continue;
        m = standing(x, y, 0); /* in the very plane */
        m.move = v3(0, 0, -1);
        must_stop(c, "what lies in the plane and presses", &m, 1e-4);
        m.move = v3(0, 0, 1);
        const bool hit = cm_sweep(&c->shape, &m, &c->ground, &still, &h);
        check_that(!hit || !h.blocking, "%s leaves the plane at %g %g: blocked", body_name[c->body], x, y);
    }
}

static void slide_into_the_ramp(const flat_case *c, rng *r, int count) {
    for (int i = 0; i < count; i++) {
        cm_motion m = standing(c->body == 0 ? -0.9 + 0.4 * (i % 3) : -1.2, 0.5 * ((int)rng_below(r, 3) - 1), 0);
        m.move = v3(2.2, i % 2 ? 0 : rng_range(r, -0.5, 0.5), 0);
        must_stop(c, "what slides into a ramp", &m, 1);
    }
}

static void what_has_no_volume_is_stopped(void **state) {
    (void)state;
    rng r = rng_start("flat bodies", 91);
    cm_shape bodies[BODIES];
    make_bodies(bodies);
    for (int kind = 0; kind < GROUNDS; kind++)
        for (int solid = 0; solid < 2; solid++) {
            cm_mesh *mesh = ground_mesh(kind, solid);
            for (int body = 0; body < BODIES; body++) {
                const flat_case c = {kind, body, solid, cm_make_mesh(mesh), bodies[body]};
                press(&c, &r, samples(400, 20000));
                if (kind == RAMP) slide_into_the_ramp(&c, &r, 40);
            }
            cm_mesh_destroy(mesh, NULL);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_has_no_volume_is_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
