/* Boxes of every form that touch at faces, edges and corners, exactly, and from there slide and turn: what leaves along
 * one direction while it closes along another is not held, and is met when it is. Judged by the 15 separating axes of
 * two boxes, in double. */
#include "carom/carom.h"
#include "support/standing.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of lengths of about 1. `deep`: more than any sweep may sink; `parted`: what touches all the time has no such gap. */
static const double deep = 1e-4, parted = 1e-3;

/* Starts unturned and spins about one of the axes. */
typedef struct block {
    cm_vec3 half;
    cm_motion motion;
} block;

typedef struct placed {
    double axis[3][3], center[3], half[3];
} placed;

static void spread(cm_vec3 v, double out[3]) { out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z; }

static void place(const block *b, double u, placed *out) {
    double spin[3], move[3];
    spread(b->motion.spin, spin), spread(b->motion.move, move), spread(b->motion.start.position, out->center);
    spread(b->half, out->half);
    int about = 0;
    for (int i = 0; i < 3; i++) {
        out->center[i] += u * move[i];
        if (spin[i] != 0) about = i;
        for (int k = 0; k < 3; k++) out->axis[i][k] = i == k;
    }
    const int i = (about + 1) % 3, k = (about + 2) % 3;
    out->axis[i][i] = out->axis[k][k] = cos(u * spin[about]);
    out->axis[i][k] = sin(u * spin[about]), out->axis[k][i] = -out->axis[i][k];
}

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double reach(const placed *p, const double *n) {
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += p->half[i] * fabs(dot3(p->axis[i], n));
    return sum;
}

/* Along the best of the 15 axes: the separation, < 0 the overlap, and the unit direction from A to B. */
typedef struct apart {
    double most, normal[3];
    double second; /* the most along any axis in another direction */
} apart;

static void apart_add(apart *out, const double *n, double length, double along, double separation) {
    const double way = along < 0 ? -1 / length : 1 / length, unit[3] = {way * n[0], way * n[1], way * n[2]};
    const bool same = fabs(dot3(unit, out->normal)) > 0.9;
    if (separation <= out->most) {
        if (!same) out->second = fmax(out->second, separation);
        return;
    }
    if (!same) out->second = out->most;
    out->most = separation;
    memcpy(out->normal, unit, sizeof unit);
}

static apart apart_at(const block *a, const block *b, double u) {
    placed p, q;
    apart out = {-DBL_MAX, {0, 0, 0}, -DBL_MAX};
    place(a, u, &p), place(b, u, &q);
    const double between[3] = {q.center[0] - p.center[0], q.center[1] - p.center[1], q.center[2] - p.center[2]};
    for (int i = 0; i < 15; i++) {
        const double *e = p.axis[i < 6 ? i % 3 : (i - 6) / 3], *f = q.axis[i % 3];
        const double cross[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
        const double *n = i < 3 ? e : i < 6 ? f : cross, length = sqrt(dot3(n, n)), along = dot3(n, between);
        if (length > 1e-9) apart_add(&out, n, length, along, (fabs(along) - reach(&p, n) - reach(&q, n)) / length);
    }
    return out;
}

static double separation(const block *a, const block *b, double u) { return apart_at(a, b, u).most; }

/* The first of 200 times at which they are that deep; > 1: none. */
static double deep_from(const block *a, const block *b) {
    int i = 0;
    while (i <= 200 && separation(a, b, i / 200.0) > -deep) i++;
    return i / 200.0;
}

/* The largest gap at some times between two. */
static double gap_between(const block *a, const block *b, double from, double to) {
    double most = -DBL_MAX;
    for (int i = 1; i < 16; i++) most = fmax(most, separation(a, b, from + (to - from) * i / 16));
    return most;
}

static cm_real one_of(rng *r, const double *list, uint32_t count) { return (cm_real)list[rng_below(r, count)]; }

/* They touch along the first axis drawn, and along each other axis they touch, are flush or overlap. */
static void blocks_make(block *a, block *b, rng *r) {
    static const double sizes[] = {.25, .5, 1, 1, 1, 2}, moves[] = {0, 0, 0, .5, -.5, 1, -1, 2},
                        spins[] = {0, 0, 0, .1, .5, -.5, 1.5, -1};
    *a = *b = (block){.motion.start = cm_pose_identity()};
    block *both[2] = {a, b};
    for (int i = 0; i < 2; i++) both[i]->half = cm_v(one_of(r, sizes, 6), one_of(r, sizes, 6), one_of(r, sizes, 6));
    const uint32_t touching = rng_below(r, 3);
    cm_real at[3];
    const cm_real ha[3] = {a->half.x, a->half.y, a->half.z}, hb[3] = {b->half.x, b->half.y, b->half.z};
    for (uint32_t k = 0; k < 3; k++) {
        const cm_real places[] = {ha[k] + hb[k], 0, hb[k] - ha[k], hb[k]};
        at[k] = places[k == touching ? 0 : rng_below(r, 4)] * (rng_below(r, 2) ? 1 : -1);
    }
    a->motion.start.position = cm_v(at[0], at[1], at[2]);
    a->motion.move = cm_v(one_of(r, moves, 8), one_of(r, moves, 8), one_of(r, moves, 8));
    for (int i = 0; i < 2; i++) {
        cm_real spin[3] = {0, 0, 0};
        if (i == 0 || rng_below(r, 4) == 0) spin[rng_below(r, 3)] = one_of(r, spins, 8);
        both[i]->motion.spin = cm_v(spin[0], spin[1], spin[2]);
    }
}

static void check_hit(const block *a, const block *b, const cm_shape *first, const cm_shape *second,
                      const char *names) {
    const double sinks = deep_from(a, b);
    cm_sweep_hit hit;
    const bool met = cm_sweep(first, &a->motion, second, &b->motion, &hit);
    check_that(met && hit.start == CM_SWEEP_TOUCHING, "%s: they touch at the start", names);
    if (!hit.blocking) {
        check_that(sinks > 1, "%s: not blocked, but deep at %.4f", names, sinks);
        return;
    }
    check_that((double)hit.first <= sinks, "%s: blocked at %.6f, but deep at %.4f", names, (double)hit.first, sinks);
    if (sinks > 1 || hit.proof == CM_PROOF_LIMIT) return; /* sinks by less than is deep; said to be known no further */
    const double gap = gap_between(a, b, (double)hit.first, sinks);
    check_that(gap < parted, "%s: blocked at %.6f, deep at %.4f, and %.5f apart between", names, (double)hit.first,
               sinks, gap);
    const apart at_once = apart_at(a, b, 0), then = apart_at(a, b, sinks);
    if (sinks - (double)hit.first > 0.01 || at_once.second > -parted || then.second > 10 * then.most)
        return; /* turned on, or more than one way out */
    const double n[3] = {(double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z};
    check_that(dot3(n, then.normal) > 0.9, "%s: blocked at %.6f along (%.3f %.3f %.3f), out along (%.3f %.3f %.3f)",
               names, (double)hit.first, n[0], n[1], n[2], then.normal[0], then.normal[1], then.normal[2]);
}

static void what_leaves_one_way_is_not_held_another_way(void **state) {
    (void)state;
    rng r = rng_start("boxes that touch", 7101);
    for (int i = 0; i < samples(4000, 100000); i++) {
        block a, b;
        form body, table;
        char names[64];
        const form_kind kind_a = i % 2 ? FORM_HULL : FORM_BOX, kind_b = (form_kind)(i / 2 % FORM_KINDS);
        blocks_make(&a, &b, &r);
        form_box(&body, kind_a, a.half, &r), form_box(&table, kind_b, b.half, &r);
        snprintf(names, sizeof names, "pose %d, %s on %s", i, form_names[kind_a], form_names[kind_b]);
        check_hit(&a, &b, &body.shape, &table.shape, names);
        form_free(&body), form_free(&table);
    }
}

/* Two that touch at an edge, and keep a plane between them all the time, in which one turns by a quarter turn or a part
 * of it: whatever the direction of so short a gap, nothing stops them. */
static void what_turns_in_the_plane_of_a_face_is_not_blocked(void **state) {
    (void)state;
    static const double rows[][15] = {
        /* half sizes of A and of B, place and move of A, spin of A */
        {1, 1, .5, 1, 1, .25, -2, 2, .75, 0, -1, 0, 0, 0, 1.57079632679489662},
        {2, .5, 1, 1, .25, .5, -1, -.75, 1.5, -.5, 0, 0, 0, -1, 0},
        {.25, 1, 1, .25, .25, 1, -.5, 1.25, -2, 0, 0, 1, 1.57079632679489662, 0, 0},
        {.5, 1, 1, 1, 1, 2, 1.5, -2, -3, .5, 0, .5, 0, -1, 0},
        {1, 1, 1, 2, .25, 2, -3, .25, 3, 0, .5, 0, -1, 0, 0},
        {1, 1, 1, 1, 1, 2, 2, -2, -3, 0, 1, 0, 0, 0, 1.57079632679489662},
        {1, 1, 1, .5, 1, 1, -1.5, -2, -2, 0, 1, 0, 1.57079632679489662, 0, 0},
    };
    rng r = rng_start("in the plane of a face", 7102);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cm_vec3 v[5];
        for (int k = 0; k < 5; k++)
            v[k] = cm_v((cm_real)rows[i][3 * k], (cm_real)rows[i][3 * k + 1], (cm_real)rows[i][3 * k + 2]);
        const cm_motion turns = {.start = cm_pose_at(v[2]), .move = v[3], .spin = v[4]},
                        rests = {.start = cm_pose_identity()};
        for (int k = 0; k < 4; k++) {
            form a, b;
            cm_sweep_hit hit;
            form_box(&a, k & 1 ? FORM_HULL : FORM_BOX, v[0], &r), form_box(&b, k & 2 ? FORM_HULL : FORM_BOX, v[1], &r);
            check_that(!cm_sweep(&a.shape, &turns, &b.shape, &rests, &hit) || !hit.blocking,
                       "row %d, %s on %s: blocked at %.9f", (int)i, form_names[a.kind], form_names[b.kind],
                       (double)hit.first);
            form_free(&a), form_free(&b);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_leaves_one_way_is_not_held_another_way),
                                       cmocka_unit_test(what_turns_in_the_plane_of_a_face_is_not_blocked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
