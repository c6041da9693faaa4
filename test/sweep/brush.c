/* What passes over a body, flush with it, is not stopped: a floor of tiles, a wall of bricks, a box past a pillar's
 * side. Bodies of every kind start apart from a box that is given in all forms, and move over its top in any direction
 * of its plane, level with it or some last bits higher or lower; in frames that round all of it. Lower by more they run
 * into it. What has no inside does not brush. Meshes stop where the boxes that they are do, and no sheet slips through
 * the seams of a mesh. */
#include "motions.h"
#include "support/solids.h"
#include "support/standing.h"
#include "sweep/brush.h"
#include "sweep/shapes.h"
#include "sweep/start.h"

#include <math.h>

typedef struct passing {
    form forms[FORM_KINDS];
    stander body;
    cm_vec3 half;
    cm_motion table, moving;
    cm_vec3 up;
} passing;

/* Has the body no inside? */
static bool is_thin(const passing *p) { return p->body.kind == STANDER_TRIANGLE; }

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

/* Passes `body` over all forms of the box. */
static void check_flush(int number, const passing *p, const cm_shape *body, const char *name) {
    for (int f = 0; f < FORM_KINDS; f++) {
        const cm_shape *table = &p->forms[f].shape;
        const double gap = promised_gap(table, &p->table, body, &p->moving);
        for (int k = -2; k <= 2; k++) {
            cm_motion moving = p->moving;
            cm_sweep_hit hit;
            moving.start.position = cm_mul_add(moving.start.position, CM_REAL(0.25 * k * gap), p->up);
            const bool hits = cm_sweep(table, &p->table, body, &moving, &hit);
            check_that(!hits || !hit.blocking, "%d: %s over %s, %g gaps high: blocked at %g, normal (%g, %g, %g)",
                       number, name, form_names[f], 0.25 * k, (double)hit.first, (double)hit.normal.x,
                       (double)hit.normal.y, (double)hit.normal.z);
        }
    }
}

/* A box is besides a surface of triangles that is no solid: over another such one neither tells an inside. */
static void what_is_flush_is_not_in_the_way(void **state) {
    (void)state;
    rng r = rng_start("flush", 2711);
    for (int i = 0; i < few_samples(12, 400) * STANDER_KINDS; i++) {
        passing p;
        passing_make(&p, (stander_kind)(i % STANDER_KINDS), 0, &r);
        if (!is_thin(&p)) check_flush(i, &p, &p.body.shape, stander_names[p.body.kind]);
        if (stander_is_box(&p.body)) {
            form skin;
            form_box(&skin, FORM_SURFACE, cm_vec3_abs(cm_unrotate(p.body.upright, p.body.half)), &r);
            check_flush(i, &p, &skin.shape, "box as a surface");
            form_free(&skin);
        }
        passing_free(&p);
    }
}

/* Do they share a point somewhere on the way? */
static bool they_meet(const passing *p, const cm_shape *table, const cm_motion *moving, double depth) {
    for (int i = 0; i <= 64; i++) {
        cm_pose at;
        cm_motion_at(moving, CM_REAL(i / 64.0), &at);
        if ((double)cm_distance(table, &p->table.start, &p->body.shape, &at, CM_REAL_MAX, NULL) < -depth) return true;
    }
    return false;
}

static void what_is_lower_is_in_the_way(void **state) {
    (void)state;
    rng r = rng_start("lower", 2712);
    for (int i = 0; i < few_samples(12, 400) * STANDER_KINDS; i++) {
        passing p;
        passing_make(&p, (stander_kind)(i % STANDER_KINDS), 0, &r);
        for (int f = 0; f < FORM_KINDS; f++) {
            const cm_shape *table = &p.forms[f].shape;
            const double gap = promised_gap(table, &p.table, &p.body.shape, &p.moving);
            cm_motion moving = p.moving;
            cm_sweep_hit hit;
            moving.start.position = cm_mul_add(moving.start.position, CM_REAL(-128 * gap), p.up);
            if (!is_thin(&p) && !they_meet(&p, table, &moving, 64 * gap)) continue; /* its foot misses the top */
            const bool hits = cm_sweep(table, &p.table, &p.body.shape, &moving, &hit);
            check_that(hits && hit.blocking, "%d: %s into %s, 128 gaps low: not blocked", i, stander_names[p.body.kind],
                       form_names[f]);
        }
        passing_free(&p);
    }
}

/* It turns about the upright axis as it goes, and a little about any, as a body does whose spin is rounding. */
static void turn_past(int i, rng *r) {
    passing p;
    passing_make(&p, (stander_kind)(i % STANDER_KINDS), 0, r);
    const double yaw = rng_below(r, 3) ? rng_range(r, -3, 3) : 0;
    const cm_vec3 noise = cm_scale(rng_direction(r), CM_REAL_EPSILON / 16);
    p.moving.spin = cm_mul_add(noise, CM_REAL(yaw), p.up);
    for (int f = 0; f < FORM_KINDS; f++) {
        const cm_shape *table = &p.forms[f].shape;
        const double gap = promised_gap(table, &p.table, &p.body.shape, &p.moving);
        for (int k = 0; k <= 2 && !is_thin(&p); k++) {
            cm_motion moving = p.moving;
            cm_sweep_hit hit;
            moving.start.position = cm_mul_add(moving.start.position, CM_REAL(0.25 * k * gap), p.up);
            if (!cm_sweep(table, &p.table, &p.body.shape, &moving, &hit)) continue;
            check_that(!hit.blocking, "%d: %s over %s, %g gaps high, turning by %g: blocked at %g, normal (%g, %g, %g)",
                       i, stander_names[p.body.kind], form_names[f], 0.25 * k, yaw, (double)hit.first,
                       (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
            cm_pose at;
            cm_motion_at(&moving, hit.first, &at);
            const double apart = (double)cm_distance(table, &p.table.start, &p.body.shape, &at, CM_REAL_MAX, NULL);
            check_that(apart < 4 * gap, "%d: %s over %s: they touch at %g, but are %g apart there", i,
                       stander_names[p.body.kind], form_names[f], (double)hit.first, apart);
        }
    }
    passing_free(&p);
}

static void what_turns_in_its_plane_is_not_in_the_way(void **state) {
    (void)state;
    rng r = rng_start("turning", 2713), wrong_once = {.state = 203713};
    for (int i = 0; i < few_samples(8, 200) * STANDER_KINDS; i++) turn_past(i, &r);
    for (int i = 0; i < 3; i++) turn_past(i, &wrong_once);
}

/* A bar turns to a wall and is just at it, or in it by less than a brush, when the step ends: one of the two turns, and
 * nothing moves else. It would go on, so it is blocked. */
static void what_turns_to_a_wall_at_the_end_of_the_step_is_blocked(void **state) {
    (void)state;
    rng r = rng_start("walls", 2718);
    const double angle = 0.5, up = 2 * sin(angle) + 0.25 * cos(angle); /* of the bar's corner, then */
    const cm_shape bar = cm_make_box(cm_v(2, CM_REAL(0.25), CM_REAL(0.25)));
    for (int i = 0; i < 8 * FORM_KINDS; i++) {
        cm_motion turning = motion_at_rest(), rest = motion_at_rest();
        cm_sweep_hit hit;
        form wall;
        form_box(&wall, (form_kind)(i / 8), cm_v(4, 1, 4), &r);
        turning.spin.z = CM_REAL(angle);
        const double gap = promised_gap(&bar, &turning, &wall.shape, &rest), deep = (0.25 + 0.25 * (i / 2 % 4)) * gap;
        rest.start.position.y = CM_REAL(up - deep + 1);
        const bool met = i % 2 ? cm_sweep(&bar, &turning, &wall.shape, &rest, &hit)
                               : cm_sweep(&wall.shape, &rest, &bar, &turning, &hit);
        check_that(met && hit.blocking && (double)hit.first > 0.999, "%s, %g gaps deep: met %d, blocking %d at %g",
                   form_names[wall.kind], deep / gap, met, met && hit.blocking, met ? (double)hit.first : 2);
        form_free(&wall);
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

static cm_vec3 place_on_box(cm_vec3 half, rng *r) {
    return cm_v(half.x * CM_REAL((int)rng_below(r, 3) - 1), half.y * CM_REAL((int)rng_below(r, 3) - 1),
                half.z * CM_REAL((int)rng_below(r, 3) - 1));
}

/* Two boxes, of any forms: a corner, or the middle of an edge or of a face of one meets such a place of the other in
 * mid-step. */
typedef struct meeting {
    cm_vec3 half[2];
    cm_motion on, off;
} meeting;

static void meeting_make(meeting *m, rng *r) {
    const double scale = rng_below(r, 2) ? 1 : 0.01;
    for (int k = 0; k < 2; k++)
        m->half[k] = cm_v(CM_REAL(nice_size(r) * scale), CM_REAL(nice_size(r) * scale), CM_REAL(nice_size(r) * scale));
    cm_motion *on = &m->on, *off = &m->off;
    *on = *off = motion_at_rest();
    off->start = nice_frame(scale, r);
    const uint32_t kind = rng_below(r, 3);
    if (kind == 1) on->start.rotation = rng_rotation(r);
    if (kind == 2) cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(nice_angle(r)), &on->start.rotation);
    on->start.position =
        cm_sub(place_on_box(m->half[1], r), cm_rotate(on->start.rotation, place_on_box(m->half[0], r)));
    cm_vec3 way = rng_direction(r);
    if (rng_below(r, 2)) ((cm_real *)&way)[rng_below(r, 3)] = 0;
    on->move = cm_rotate(off->start.rotation, cm_scale(way, CM_REAL(8 * scale)));
    on->start = cm_pose_mul(&off->start, &on->start);
    on->start.position = cm_mul_add(on->start.position, CM_REAL(-0.5), on->move);
}

/* Is what a hit tells what a search finds, but for depths next to the one that counts, and directions next to each
 * other? Adds to the number of those that block and of those that brush. */
static void meeting_check(int i, const cm__moving_pair *p, const cm_sweep_hit *hit, double depth, int counts[2]) {
    const double slack = sizeof(cm_real) == 4 ? 0.25 : 0.75; /* of the depth: in double less is rounding */
    const cm__point told = cm__point_of(hit->normal);
    const double speed = cm__point_length(p->v), rate = cm__point_dot(p->v, told);
    cm__moving_gap at = {.u = (double)hit->first, .normal = told};
    at.distance = cm__moving_along(p, at.u, told);
    if (at.distance < -depth / 8) cm__moving_gap_at(p, at.u, &at); /* the direction told is not one to search from */
    const double limit = at.u + 4 * (p->a.core.size + p->b.core.size) / speed;
    cm__moving_gap deep = at, brush = at;
    if (!(rate > 64 * (double)CM_REAL_EPSILON * speed)) return; /* it slides */
    if (cm__moving_sinks(p, 0, (1 + 2 * slack) * depth, limit, &deep)) {
        const double least = wide_max(cm__point_dot(p->v, deep.normal), DBL_MIN);
        const double until = (cm__moving_along(p, at.u, told) + (1 + slack) * depth) / rate;
        const double last = (cm__moving_along(p, at.u, deep.normal) + (1 - slack) * depth) / least;
        check_that(hit->blocking, "%d: not blocked", i);
        check_that(until > last || cm__point_dot(told, deep.normal) > 0.998,
                   "%d: deep along (%g, %g, %g) at %g, but along (%g, %g, %g) at %g", i, told.x, told.y, told.z, until,
                   deep.normal.x, deep.normal.y, deep.normal.z, last);
        counts[0]++;
    }
    if (!cm__moving_sinks(p, 0, (1 - slack) * depth, limit, &brush)) {
        check_that(!hit->blocking, "%d: blocked", i);
        counts[1]++;
    }
}

static void boxes_are_judged_as_by_a_search(void **state) {
    (void)state;
    rng r = rng_start("judged", 2715);
    const int meetings = samples(6000, 600000);
    int counts[2] = {0, 0};
    for (int i = 0; i < meetings; i++) {
        form forms[2];
        meeting m;
        cm_sweep_hit hit;
        cm__moving_pair pair;
        meeting_make(&m, &r);
        for (int k = 0; k < 2; k++) form_box(&forms[k], (form_kind)(rng_below(&r, 4) == 0), m.half[k], &r);
        const cm_shape *a = &forms[0].shape, *b = &forms[1].shape;
        cm_motion on = m.on, off = m.off;
        const double depth = SWEEP_BRUSH * cm__sweep_band(a, &on, b, &off);
        const cm_vec3 aside = cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, -4, 4) * depth));
        if (rng_below(&r, 2)) on.start.position = cm_add(on.start.position, aside);
        cm__moving_pair_of(a, &on, b, &off, &pair);
        if (cm_sweep(a, &on, b, &off, &hit) && hit.start == CM_SWEEP_SEPARATED)
            meeting_check(i, &pair, &hit, depth, counts);
        form_free(&forms[0]), form_free(&forms[1]);
    }
    check_that(10 * counts[0] > meetings && 100 * counts[1] > meetings, "%d block, %d brush", counts[0], counts[1]);
}

/* The depth of the two boxes where the sweep told the contact. */
static double meeting_depth(const meeting *m, double u) {
    const cm_shape a = cm_make_box(m->half[0]), b = cm_make_box(m->half[1]);
    return -gap_at(&a, &m->on, &b, &m->off, u);
}

static void meshes_stop_where_boxes_do(void **state) {
    (void)state;
    rng r = rng_start("meshes that meet", 2716);
    const int meetings = samples(6000, 600000);
    int stops = 0;
    for (int i = 0; i < meetings; i++) {
        static const form_kind kinds[] = {FORM_MESH_12, FORM_MESH_192, FORM_FANS, FORM_WALLS, FORM_SURFACE};
        form forms[2];
        meeting m;
        cm_sweep_hit hit;
        bool deep = false;
        meeting_make(&m, &r);
        const int axis = (int)rng_below(&r, 4); /* along an axis, more than by chance: faces meet, cut alike */
        if (axis < 3) {
            cm_vec3 own = cm_unrotate(m.off.start.rotation, m.on.move), way = {0, 0, 0};
            ((cm_real *)&way)[axis] = ((const cm_real *)&own)[axis] < 0 ? -cm_length(own) : cm_length(own);
            way = cm_rotate(m.off.start.rotation, way);
            m.on.start.position = cm_mul_add(m.on.start.position, CM_REAL(0.5), cm_sub(m.on.move, way));
            m.on.move = way;
            if (rng_below(&r, 2)) m.half[0] = m.half[1];
        }
        const form_kind first = kinds[rng_below(&r, 5)];
        form_box(&forms[0], first, m.half[0], &r);
        form_box(&forms[1], rng_below(&r, 2) ? first : kinds[rng_below(&r, 5)], m.half[1], &r);
        const cm_shape *a = &forms[0].shape, *b = &forms[1].shape;
        const double gap = promised_gap(a, &m.on, b, &m.off);
        for (int k = 0; k <= 64 && !deep; k++) deep = meeting_depth(&m, k / 64.0) > 64 * gap;
        if (deep && meeting_depth(&m, 0) < -gap) {
            const bool hits = cm_sweep(a, &m.on, b, &m.off, &hit);
            check_that(hits && hit.blocking, "%d: %s into %s, not blocked", i, form_names[forms[0].kind],
                       form_names[forms[1].kind]);
            const double depth = meeting_depth(&m, (double)hit.first);
            check_that(depth < (SWEEP_BRUSH + 1) * gap, "%d: %s into %s: at %g, %g gaps deep", i,
                       form_names[forms[0].kind], form_names[forms[1].kind], (double)hit.first, depth / gap);
            stops++;
        }
        form_free(&forms[0]), form_free(&forms[1]);
    }
    check_that(4 * stops > meetings, "%d stops", stops);
}

/* A sheet that stands on its rim, exactly over a line along which the top of a mesh is cut, comes down on it; or the
 * mesh comes up. */
static void a_sheet_does_not_slip_through_a_seam(void **state) {
    (void)state;
    rng r = rng_start("seams", 2717);
    for (int i = 0; i < samples(400, 20000); i++) {
        static const form_kind kinds[] = {FORM_MESH_12, FORM_MESH_192, FORM_FANS, FORM_WALLS, FORM_SURFACE};
        const double lines[4][2] = {{1, 1}, {1, -1}, {1, 0}, {0, 1}};
        const double *line = lines[rng_below(&r, 4)], x = nice_size(&r), y = nice_size(&r), z = nice_size(&r);
        const double wide = rng_range(&r, 0.1, 1), high = 0.25, up = z + high, down = rng_range(&r, 0.3, 2);
        const cm_real ex = CM_REAL(line[0] * x * wide), ey = CM_REAL(line[1] * y * wide);
        form f;
        soup s = {NULL, 0, 0};
        cm_sweep_hit hit;
        form_box(&f, kinds[rng_below(&r, 5)], cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)), &r);
        soup_add_quad(&s, cm_v(-ex, -ey, 0), cm_v(ex, ey, 0), cm_v(ex, ey, 2), cm_v(-ex, -ey, 2), rng_below(&r, 2));
        cm_mesh *sheet = soup_build(&s, false);
        const cm_shape body = cm_make_mesh(sheet);
        cm_motion fall = motion_at_rest(), rest = motion_at_rest();
        const double along = rng_below(&r, 2) ? 0 : rng_range(&r, -0.5, 0.5);
        const cm_vec3 way = cm_v(ex * CM_REAL(along), ey * CM_REAL(along), CM_REAL(-down));
        const bool rises = rng_below(&r, 2); /* the mesh does */
        fall.start.position = cm_v(0, 0, CM_REAL(up));
        *(rises ? &rest.move : &fall.move) = rises ? cm_neg(way) : way;
        const bool hits = rng_below(&r, 2) ? cm_sweep(&body, &fall, &f.shape, &rest, &hit)
                                           : cm_sweep(&f.shape, &rest, &body, &fall, &hit);
        const double gap = promised_gap(&body, &fall, &f.shape, &rest);
        check_that(hits && hit.blocking && fabs((double)hit.first * down - high) < 2 * gap,
                   "%d: a sheet on %s along (%g, %g): hit %d, blocking %d at %g, not at %g", i, form_names[f.kind],
                   line[0], line[1], hits, hits && hit.blocking, hits ? (double)hit.first : -1, high / down);
        form_free(&f);
        cm_mesh_destroy(sheet, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_flush_is_not_in_the_way),
        cmocka_unit_test(what_is_lower_is_in_the_way),
        cmocka_unit_test(what_turns_in_its_plane_is_not_in_the_way),
        cmocka_unit_test(what_turns_to_a_wall_at_the_end_of_the_step_is_blocked),
        cmocka_unit_test(what_meets_an_edge_tells_the_normal_that_it_gets_deep_along_last),
        cmocka_unit_test(boxes_are_judged_as_by_a_search),
        cmocka_unit_test(meshes_stop_where_boxes_do),
        cmocka_unit_test(a_sheet_does_not_slip_through_a_seam)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
