/* What passes over a body, flush with it, is not stopped: a floor of tiles, a wall of bricks, a box past a pillar's
 * side. Bodies of every kind start apart from a box that is given in all forms, and move over its top in any direction
 * of its plane, level with it or some last bits higher or lower; in frames that round all of it. Lower by more they run
 * into it. What has no inside, and so each triangle of a mesh, does not brush. */
#include "motions.h"
#include "support/standing.h"

#include <math.h>

typedef struct passing {
    form forms[FORM_KINDS];
    stander body;
    cm_vec3 half;
    cm_motion table, moving;
    cm_vec3 up;
} passing;

/* Is the body of triangles alone? */
static bool is_thin(const passing *p) { return p->body.form.mesh || p->body.kind == STANDER_TRIANGLE; }

/* The body before the box, its foot `height` over the top's plane, and a move that takes it past the middle. */
static void passing_make(passing *p, stander_kind kind, double height, rng *r) {
    const double scale = rng_below(r, 2) ? 1 : 0.01, angle = nice_angle(r);
    p->half = cm_v(CM_REAL(nice_size(r) * scale), CM_REAL(nice_size(r) * scale), CM_REAL(nice_size(r) * scale));
    for (int i = 0; i < FORM_KINDS; i++) form_box(&p->forms[i], (form_kind)i, p->half, r);
    stander_make(&p->body, kind, scale, r);
    const double reach = hypot((double)p->half.x, (double)p->half.y) + p->body.reach + 0.1 * scale;
    const double off = rng_below(r, 2) ? 0 : nice_offset(r) / 4 * (double)cm_min(p->half.x, p->half.y);
    const cm_pose frame = nice_frame(scale, r);
    const double x = -reach * cos(angle) - off * sin(angle), y = -reach * sin(angle) + off * cos(angle);
    cm_pose at = {cm_v(CM_REAL(x), CM_REAL(y), CM_REAL((double)p->half.z + p->body.bottom + height)), p->body.upright};
    cm_quat yaw;
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(rng_below(r, 2) ? angle : nice_angle(r)), &yaw);
    at.rotation = cm_quat_mul(yaw, at.rotation);
    p->table = p->moving = motion_at_rest();
    p->table.start = frame;
    p->moving.start = cm_pose_mul(&frame, &at);
    p->moving.move =
        cm_rotate(frame.rotation, cm_v(CM_REAL(2 * reach * cos(angle)), CM_REAL(2 * reach * sin(angle)), 0));
    p->up = cm_rotate(frame.rotation, cm_v(0, 0, 1));
}
static void passing_free(passing *p) {
    for (int i = 0; i < FORM_KINDS; i++) form_free(&p->forms[i]);
    stander_free(&p->body);
}

static void what_is_flush_is_not_in_the_way(void **state) {
    (void)state;
    rng r = rng_start("flush", 2711);
    for (int i = 0; i < samples(12, 400) * STANDER_KINDS; i++) {
        passing p;
        passing_make(&p, (stander_kind)(i % STANDER_KINDS), 0, &r);
        for (int f = 0; f < FORM_KINDS; f++) {
            const cm_shape *table = &p.forms[f].shape;
            const double gap = promised_gap(table, &p.table, &p.body.shape, &p.moving);
            for (int k = -2; k <= 2 && !is_thin(&p); k++) {
                cm_motion moving = p.moving;
                cm_sweep_hit hit;
                moving.start.position = cm_mul_add(moving.start.position, CM_REAL(0.25 * k * gap), p.up);
                const bool hits = cm_sweep(table, &p.table, &p.body.shape, &moving, &hit);
                check_that(!hits || !hit.blocking, "%d: %s over %s, %g gaps high: blocked at %g, normal (%g, %g, %g)",
                           i, stander_names[p.body.kind], form_names[f], 0.25 * k, (double)hit.first,
                           (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
            }
        }
        passing_free(&p);
    }
}

static void what_is_lower_is_in_the_way(void **state) {
    (void)state;
    rng r = rng_start("lower", 2712);
    for (int i = 0; i < samples(12, 400) * STANDER_KINDS; i++) {
        passing p;
        passing_make(&p, (stander_kind)(i % STANDER_KINDS), 0, &r);
        for (int f = 0; f < FORM_KINDS; f++) {
            const cm_shape *table = &p.forms[f].shape;
            const double gap = promised_gap(table, &p.table, &p.body.shape, &p.moving);
            cm_motion moving = p.moving;
            cm_sweep_hit hit;
            moving.start.position = cm_mul_add(moving.start.position, CM_REAL(-128 * gap), p.up);
            const bool hits = cm_sweep(table, &p.table, &p.body.shape, &moving, &hit);
            check_that(hits && hit.blocking, "%d: %s into %s, 128 gaps low: not blocked", i, stander_names[p.body.kind],
                       form_names[f]);
        }
        passing_free(&p);
    }
}

/* It turns about the upright axis as it goes, and a little about any, as a body does whose spin is rounding. */
static void what_turns_in_its_plane_is_not_in_the_way(void **state) {
    (void)state;
    rng r = rng_start("turning", 2713);
    for (int i = 0; i < samples(8, 200) * STANDER_KINDS; i++) {
        passing p;
        passing_make(&p, (stander_kind)(i % STANDER_KINDS), 0, &r);
        const double yaw = rng_below(&r, 3) ? rng_range(&r, -3, 3) : 0;
        const cm_vec3 noise = cm_scale(rng_direction(&r), CM_REAL_EPSILON / 16);
        p.moving.spin = cm_mul_add(noise, CM_REAL(yaw), p.up);
        for (int f = 0; f < FORM_KINDS; f++) {
            const cm_shape *table = &p.forms[f].shape;
            cm_sweep_hit hit;
            if (is_thin(&p)) continue;
            const bool hits = cm_sweep(table, &p.table, &p.body.shape, &p.moving, &hit);
            check_that(!hits || !hit.blocking, "%d: %s over %s, turning by %g: blocked at %g, normal (%g, %g, %g)", i,
                       stander_names[p.body.kind], form_names[f], yaw, (double)hit.first, (double)hit.normal.x,
                       (double)hit.normal.y, (double)hit.normal.z);
        }
        passing_free(&p);
    }
}

/* A box comes down to the edge of another, aligned with it, foot and front at the same time: what stops it is the top
 * where its way is flat, the side where it is steep. A mesh's triangles are asked one by one, and of some such hits
 * the other is told: no more than a third may be. */
static void what_meets_an_edge_tells_the_normal_that_it_gets_deep_along_last(void **state) {
    (void)state;
    rng r = rng_start("edge", 2714);
    int meshes = 0, other_told = 0;
    for (int i = 0; i < samples(2000, 100000); i++) {
        const double scale = rng_below(&r, 2) ? 1 : 0.01, slope = exp2(rng_range(&r, -10, 5));
        const cm_vec3 half =
            cm_v(CM_REAL(nice_size(&r) * scale), CM_REAL(nice_size(&r) * scale), CM_REAL(nice_size(&r) * scale));
        const cm_vec3 body =
            cm_v(CM_REAL(nice_size(&r) * scale), CM_REAL(nice_size(&r) * scale), CM_REAL(nice_size(&r) * scale));
        if (slope > 0.9 && slope < 1.1) continue;
        form table, moving;
        const form_kind kind = (form_kind)rng_below(&r, FORM_KINDS);
        form_box(&table, kind, half, &r);
        form_box(&moving, (form_kind)rng_below(&r, 2), body, &r);
        const cm_pose frame = nice_frame(scale, &r);
        const double ahead = scale / 8, u = 0.5;
        cm_motion on = motion_at_rest(), off = motion_at_rest();
        off.start = frame;
        on.move = cm_v(CM_REAL(ahead / u), 0, CM_REAL(-ahead * slope / u));
        const cm_pose at =
            cm_pose_at(cm_v(-half.x - body.x - CM_REAL(ahead), 0, half.z + body.z + CM_REAL(ahead * slope)));
        on.start = cm_pose_mul(&frame, &at), on.move = cm_rotate(frame.rotation, on.move);
        if (rng_below(&r, 2)) on.spin = cm_scale(rng_direction(&r), CM_REAL_EPSILON / 16);
        cm_sweep_hit hit;
        const bool hits = cm_sweep(&moving.shape, &on, &table.shape, &off, &hit);
        const cm_vec3 normal = cm_unrotate(frame.rotation, hit.normal);
        const cm_real told = slope < 1 ? -normal.z : normal.x, other = slope < 1 ? normal.x : -normal.z;
        check_that(hits && hit.blocking, "%d: %s, not stopped, slope %g", i, form_names[kind], slope);
        check_that((table.mesh ? cm_max(told, other) : told) > CM_REAL(0.9), "%d: %s, slope %g: normal (%g, %g, %g)", i,
                   form_names[kind], slope, (double)normal.x, (double)normal.y, (double)normal.z);
        meshes += table.mesh != NULL, other_told += other > CM_REAL(0.9);
        form_free(&table), form_free(&moving);
    }
    check_that(3 * other_told < meshes, "%d of %d tell the other", other_told, meshes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_flush_is_not_in_the_way), cmocka_unit_test(what_is_lower_is_in_the_way),
        cmocka_unit_test(what_turns_in_its_plane_is_not_in_the_way),
        cmocka_unit_test(what_meets_an_edge_tells_the_normal_that_it_gets_deep_along_last)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
