/* What turns about a far pivot, by up to many turns a step, is neither late nor leaves more than is promised.
 *
 * The oracle knows nothing of the library but the numbers of shapes and motions: places are evaluated in long double,
 * from the rotation that the stored quaternion stands for, and distances of balls and corners in closed form. */
#include "carom/compound.h"
#include "support/meshes.h"
#include "support/support.h"

#include <math.h>

typedef long double wide;
typedef struct wide3 {
    wide x, y, z;
} wide3;

static wide3 wide_of(cm_vec3 v) { return (wide3){(wide)v.x, (wide)v.y, (wide)v.z}; }
static wide3 wide_add(wide3 a, wide3 b, wide s) { return (wide3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static wide wide_dot(wide3 a, wide3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static wide3 wide_cross(wide3 a, wide3 b) {
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static wide wide_length(wide3 a) { return sqrtl(wide_dot(a, a)); }

static wide3 wide_rotate(cm_quat q, wide3 v) {
    const wide3 u = {(wide)q.x, (wide)q.y, (wide)q.z}, none = {0, 0, 0};
    const wide w = (wide)q.w, square = wide_dot(u, u) + w * w;
    const wide3 t = wide_add(none, wide_cross(u, v), 2);
    return wide_add(v, wide_add(wide_cross(u, t), t, w), 1 / square);
}
static wide3 wide_unrotate(cm_quat q, wide3 v) { return wide_rotate((cm_quat){-q.x, -q.y, -q.z, q.w}, v); }

/* v turned by `angle` times `spin`, by Rodrigues. */
static wide3 wide_turn(wide3 spin, wide u, wide3 v) {
    const wide size = wide_length(spin), half = sinl(size * u / 2);
    if (!(size > 0)) return v;
    const wide3 k = {spin.x / size, spin.y / size, spin.z / size}, kv = wide_cross(k, v);
    return wide_add(wide_add(v, kv, sinl(size * u)), wide_cross(k, kv), 2 * half * half);
}

static wide3 pivot_at(const cm_motion *m, wide u) {
    const wide3 pivot = wide_add(wide_of(m->start.position), wide_rotate(m->start.rotation, wide_of(m->pivot)), 1);
    return wide_add(pivot, wide_of(m->move), u);
}
static wide3 place_at(const cm_motion *m, wide u, wide3 local) {
    const wide3 arm = wide_rotate(m->start.rotation, wide_add(local, wide_of(m->pivot), -1));
    return wide_add(pivot_at(m, u), wide_turn(wide_of(m->spin), u, arm), 1);
}
static wide3 local_at(const cm_motion *m, wide u, wide3 place) {
    const wide3 arm = wide_turn(wide_of(m->spin), -u, wide_add(place, pivot_at(m, u), -1));
    return wide_add(wide_unrotate(m->start.rotation, arm), wide_of(m->pivot), 1);
}

/* From a point outside to a box; less than 0 inside. */
static wide box_distance(wide3 p, cm_vec3 half) {
    const wide x = fabsl(p.x) - (wide)half.x, y = fabsl(p.y) - (wide)half.y, z = fabsl(p.z) - (wide)half.z;
    const wide3 out = {fmaxl(x, 0), fmaxl(y, 0), fmaxl(z, 0)};
    const wide away = wide_length(out);
    return away > 0 ? away : fmaxl(x, fmaxl(y, z));
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

enum { BALL_BOX, BALL_BALL, BOX_HALFSPACE, BALL_MESH, BALLS_BOX, PAIRS };

typedef struct far_pair {
    int kind;
    cm_shape a, b;
    cm_vec3 half;        /* of the box */
    cm_vec3 children[2]; /* of the compound of balls */
    wide reach_a, reach_b;
    cm_mesh *mesh;
    cm_compound *balls;
} far_pair;

static void pair_begin(far_pair *p, int kind) {
    p->kind = kind;
    p->half = cm_v(CM_REAL(0.5), CM_REAL(0.75), CM_REAL(0.375));
    p->b = cm_make_box(p->half);
    p->reach_b = wide_length(wide_of(p->half));
    p->a = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25));
    p->reach_a = 0.25L;
    p->mesh = NULL, p->balls = NULL;
    if (kind == BALL_BALL) p->b = p->a, p->reach_b = p->reach_a;
    if (kind == BOX_HALFSPACE) {
        p->a = cm_make_box(p->half), p->reach_a = p->reach_b;
        p->b = cm_make_halfspace(cm_v(0, 0, 1), 0), p->reach_b = 0;
    }
    if (kind == BALL_MESH) {
        p->mesh = mesh_box(cm_neg(p->half), p->half, true);
        p->b = cm_make_mesh(p->mesh);
    }
    if (kind == BALLS_BOX) {
        cm_compound_child child[2] = {{.shape = p->a}, {.shape = p->a}};
        p->children[0] = child[0].pose.position = cm_v(1, CM_REAL(0.25), 0);
        p->children[1] = child[1].pose.position = cm_v(CM_REAL(-0.75), 0, CM_REAL(0.5));
        const cm_compound_desc desc = {.children = child, .count = 2};
        assert_int_equal(cm_compound_build(&desc, NULL, &p->balls, NULL), CM_OK);
        cm_compound_info info;
        cm_compound_get_info(p->balls, &info);
        p->a = cm_make_compound(p->balls);
        p->reach_a = wide_length(wide_of(cm_vec3_max(cm_vec3_abs(info.bounds.min), cm_vec3_abs(info.bounds.max))));
    }
}
static void pair_end(far_pair *p) {
    cm_mesh_destroy(p->mesh, NULL);
    cm_compound_destroy(p->balls, NULL);
}

static wide true_gap(const far_pair *p, const cm_motion *ma, const cm_motion *mb, wide u) {
    const wide3 origin = {0, 0, 0};
    wide least = HUGE_VALL;
    if (p->kind == BALL_BALL) {
        const wide3 between = wide_add(place_at(mb, u, origin), place_at(ma, u, origin), -1);
        return wide_length(between) - 2 * 0.25L;
    }
    if (p->kind == BALLS_BOX) {
        for (int i = 0; i < 2; i++) {
            const wide3 at = local_at(mb, u, place_at(ma, u, wide_of(p->children[i])));
            least = fminl(least, box_distance(at, p->half) - 0.25L);
        }
        return least;
    }
    if (p->kind != BOX_HALFSPACE) return box_distance(local_at(mb, u, place_at(ma, u, origin)), p->half) - 0.25L;
    for (int i = 0; i < 8; i++) {
        const wide3 h = wide_of(p->half), corner = {i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z};
        least = fminl(least, local_at(mb, u, place_at(ma, u, corner)).z);
    }
    return least;
}

/* As the header states it. */
static wide sum3(cm_vec3 v) { return fabsl((wide)v.x) + fabsl((wide)v.y) + fabsl((wide)v.z); }
static wide turned(const cm_motion *m, wide reach) {
    const wide spin = wide_length(wide_of(m->spin)), arm = wide_length(wide_of(m->pivot));
    return spin > 0 ? arm + spin * (arm + reach) / 8 : 0;
}
static wide promised(const far_pair *p, const cm_motion *ma, const cm_motion *mb) {
    const wide size = sum3(cm_sub(mb->start.position, ma->start.position)) + sum3(ma->move) + sum3(mb->move) +
                      p->reach_a + p->reach_b + turned(ma, p->reach_a) + turned(mb, p->reach_b);
    const wide far = (wide)cm_largest(ma->start.position) + (wide)cm_largest(mb->start.position);
    return (wide)CM_REAL_EPSILON * (16 * size + 4 * far);
}

/* Random, and as people have it: about an axis, along a face, straight ahead. */
static void far_motions(rng *r, bool structured, cm_motion *ma, cm_motion *mb) {
    const double far = rng_log_range(r, 1, 1e4);
    *ma = *mb = (cm_motion){.start = cm_pose_identity()};
    ma->start = rng_pose(r, 2);
    ma->move = rng_vec3(r, 1);
    ma->pivot = cm_scale(rng_direction(r), (cm_real)far);
    ma->spin = cm_scale(rng_direction(r), (cm_real)(rng_below(r, 2) ? 4 / far : rng_log_range(r, 0.01, 600)));
    if (rng_below(r, 4) == 0) mb->spin = rng_vec3(r, 2), mb->pivot = rng_vec3(r, 3);
    if (!structured) return;
    ma->start = cm_pose_at(cm_v(0, -3, CM_REAL(0.125) * (cm_real)rng_below(r, 8)));
    ma->pivot = cm_v((cm_real)-far, 0, 0);
    ma->spin = cm_v(0, 0, (cm_real)(4 / far));
    if (rng_below(r, 2)) ma->move = cm_v(0, 0, 0);
    if (rng_below(r, 2)) ma->start.position = cm_v(CM_REAL(0.5) * (cm_real)rng_below(r, 4), 0, 3), ma->move.z = -4;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void a_far_pivot_makes_no_hit_late_and_leaves_what_is_promised(void **state) {
    (void)state;
    rng r = rng_start("far pivots", 71);
    const int count = samples(1200, 60000);
    for (int kind = 0; kind < PAIRS; kind++) {
        far_pair p;
        int hits = 0, limits = 0;
        wide most = 0;
        pair_begin(&p, kind);
        for (int i = 0; i < count; i++) {
            cm_motion ma, mb;
            cm_sweep_hit h;
            far_motions(&r, i % 3 == 0, &ma, &mb);
            if (kind == BOX_HALFSPACE) ma.start.position.z += 2;
            const bool met = cm_sweep(&p.a, &ma, &p.b, &mb, &h);
            if (met && h.start != CM_SWEEP_SEPARATED) continue;
            const wide g = promised(&p, &ma, &mb), until = met ? (wide)h.free_until : 1;
            for (int k = 0; k <= 24; k++) { /* the rounding of the poses, at most, is not seen */
                const wide u = until * k / 24, gap = true_gap(&p, &ma, &mb, u);
                check_that(gap > 0, "pair %d, sample %d: %.3Lg G deep at %.9Lg, met %d at %.9g", kind, i, -gap / g, u,
                           met, met ? (double)h.first : 2.0);
            }
            if (!met || h.free_until < h.first) continue;
            hits++;
            limits += h.proof == CM_PROOF_LIMIT;
            if (h.proof == CM_PROOF_LIMIT) continue;
            const wide left = true_gap(&p, &ma, &mb, until) / g;
            most = fmaxl(most, left);
            check_that(left <= 1, "pair %d, sample %d: %.4Lg G left at %.9g", kind, i, left, (double)h.first);
        }
        check_that(hits * 20 > count && limits * 10 <= hits, "pair %d: %d hits, %d limits", kind, hits, limits);
        printf("  pair %d: %d hits, %d limits, at most %.2Lf G left\n", kind, hits, limits, most);
        static const char *const names[PAIRS] = {"ball and box", "two balls", "box and half-space",
                                                 "ball and solid mesh", "compound and box"};
        char promise[128];
        snprintf(promise, sizeof promise, "What turns about a far pivot is never late, and leaves at most G: %s",
                 names[kind]);
        promise_seen(promise, hits, "0 late, %.2Lf G left, %d limits", most, limits);
        pair_end(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_far_pivot_makes_no_hit_late_and_leaves_what_is_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
