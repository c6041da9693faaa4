/* Contacts at the features of surfaces that are no closed solids: saddle corners, rims, holes, T-shaped junctions.
 * Every direction told is one that the surface has there: judged from the list of triangles alone, by local support. */
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solids.h"

#include <math.h>

enum { FOUND = 2048, CELLS = 4, TRIANGLES = 4 * CELLS * CELLS };
static cm_manifold found[FOUND];

typedef struct patch {
    cm_vec3 corner[TRIANGLES][3];
    int count;
} patch;

static void patch_add(patch *p, cm_vec3 a, cm_vec3 b, cm_vec3 c) {
    cm_vec3 *t = p->corner[p->count++];
    t[0] = a, t[1] = b, t[2] = c;
}

/* A sheet over a saddle or over bumps; some cells are missing, some have a corner in the middle of one edge, which the
 * neighbor has not. */
static void patch_random(patch *p, rng *r) {
    cm_vec3 at[CELLS + 1][CELLS + 1];
    const double bend = rng_range(r, -0.4, 0.4);
    const bool saddle = rng_below(r, 2);
    for (int i = 0; i <= CELLS; i++)
        for (int k = 0; k <= CELLS; k++) {
            const double x = i - CELLS / 2.0, y = k - CELLS / 2.0;
            at[i][k] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(saddle ? bend * x * y / 2 : rng_range(r, -0.3, 0.3)));
        }
    p->count = 0;
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++) {
            const cm_vec3 a = at[i][k], b = at[i + 1][k], c = at[i + 1][k + 1], d = at[i][k + 1];
            const uint32_t what = rng_below(r, 8);
            if (what == 0) continue; /* a hole */
            if (what == 1) {         /* a corner on the edge from a to b that is this cell's alone */
                const cm_vec3 m = cm_scale(cm_add(a, b), CM_REAL(0.5));
                patch_add(p, a, m, d), patch_add(p, m, b, c), patch_add(p, m, c, d);
            } else if (what < 5) {
                patch_add(p, a, b, c), patch_add(p, a, c, d);
            } else {
                patch_add(p, a, b, d), patch_add(p, b, c, d);
            }
        }
}

static bool same(cm_vec3 a, cm_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Which triangle lies across the edge from a to b of triangle t; -1 where it is open. */
static int patch_across(const patch *p, int t, cm_vec3 a, cm_vec3 b) {
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < 3; k++)
            if (i != t && same(p->corner[i][k], b) && same(p->corner[i][(k + 1) % 3], a)) return i;
    return -1;
}

static double rise(cm_vec3 from, cm_vec3 to, cm_vec3 n) {
    const cm_vec3 w = cm_sub(to, from);
    const double length = (double)cm_length(w);
    return length > 0 ? (double)cm_dot(w, n) / length : 0;
}

/* Around a corner: to all corners of the triangles that are joined to t by edges there. */
static double patch_rise_around(const patch *p, int t, cm_vec3 at, cm_vec3 n) {
    bool seen[TRIANGLES] = {false};
    int open[TRIANGLES] = {t}, count = 1;
    double worst = -HUGE_VAL;
    seen[t] = true;
    while (count > 0) {
        const int i = open[--count];
        for (int e = 0; e < 3; e++) {
            const cm_vec3 a = p->corner[i][e], b = p->corner[i][(e + 1) % 3];
            worst = fmax(worst, rise(at, a, n));
            if (!same(a, at) && !same(b, at)) continue;
            const int over = patch_across(p, i, a, b);
            if (over < 0 || seen[over]) continue;
            seen[over] = true;
            open[count++] = over;
        }
    }
    return worst;
}

/* By how much the surface rises from triangle t's support feature along n, as a sine, at most; 0 or less: it supports.
 */
static double patch_rise(const patch *p, int t, cm_vec3 n) {
    const cm_vec3 *c = p->corner[t];
    const cm_vec3 face = cm_normalize(cm_cross(cm_sub(c[1], c[0]), cm_sub(c[2], c[0])), cm_v(0, 0, 1));
    if ((double)cm_length(cm_cross(face, n)) < 1e-3) return 0; /* a face has both its normals */
    double level[3], most = -HUGE_VAL, worst = -HUGE_VAL;
    for (int k = 0; k < 3; k++) level[k] = (double)cm_dot(c[k], n), most = fmax(most, level[k]);
    int top = 0;
    for (int k = 0; k < 3; k++) top += most - level[k] < 1e-4;
    for (int k = 0; k < 3; k++) {
        const cm_vec3 a = c[k], b = c[(k + 1) % 3];
        if (most - level[k] >= 1e-4) continue;
        if (top >= 2) { /* an edge: what lies across it */
            if (most - level[(k + 1) % 3] >= 1e-4) continue;
            const int over = patch_across(p, t, a, b);
            for (int i = 0; over >= 0 && i < 3; i++) worst = fmax(worst, rise(a, p->corner[over][i], n));
            continue;
        }
        worst = fmax(worst, patch_rise_around(p, t, a, n));
    }
    return worst;
}

static void every_direction_at_a_rim_is_one_that_the_surface_has(void **state) {
    (void)state;
    rng r = rng_start("rims", 411);
    long several = 0, edges = 0;
    for (int i = 0; i < samples(4000, 100000); i++) {
        patch p;
        patch_random(&p, &r);
        soup s = {NULL, 0, 0};
        for (int t = 0; t < p.count; t++) soup_add(&s, p.corner[t][0], p.corner[t][1], p.corner[t][2]);
        cm_mesh *mesh = soup_build(&s, false);
        cm_shape surface = cm_make_mesh(mesh);
        const cm_shape bodies[3] = {cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.3)),
                                    cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.4), CM_REAL(0.3))),
                                    cm_make_capsule(cm_v(CM_REAL(-0.4), 0, 0), cm_v(CM_REAL(0.4), 0, 0), CM_REAL(0.2))};
        const cm_shape *body = &bodies[i % 3];
        cm_pose home = cm_pose_identity(), at = {rng_vec3(&r, 2), rng_rotation(&r)};
        cm_witness w; /* a little deep in the surface, at its nearest */
        double d = (double)cm_distance(&surface, &home, body, &at, CM_REAL_MAX, &w);
        at.position = cm_sub(at.position, cm_scale(w.normal, CM_REAL(d + rng_log_range(&r, 1e-3, 2e-2))));
        int count = d > 0 ? contacts_by_part(&surface, &home, body, &at, 0, found, FOUND) : 0;
        for (int m = 0; m < count && count > 1; m++) { /* a single one may be all there is to tell */
            check_that((int)found[m].part_a < p.count, "part %u", found[m].part_a);
            const double worst = patch_rise(&p, (int)found[m].part_a, found[m].normal);
            check_that(worst < 1e-3, "%d: of %d contacts that with triangle %u has the surface rise by %g along it", i,
                       count, found[m].part_a, worst);
            edges += worst != 0;
        }
        several += count > 1;
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(10 * several > samples(4000, 100000) && 40 * edges > samples(4000, 100000),
               "%ld with several, %ld at edges and corners", several, edges);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_direction_at_a_rim_is_one_that_the_surface_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
