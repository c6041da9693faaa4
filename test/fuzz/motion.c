/* Deforming meshes and movers given nasty numbers: what is invalid is refused with `out` untouched, what is not has an
 * answer without NaN that keeps to its ranges, and calls end. */
#include "support/nasty.h"

#include <math.h>

static cm_path nasty_path(nasty *n) {
    cm_path p;
    p.start = nasty_vec3(n);
    p.end = rng_below(&n->r, 4) ? nasty_vec3(n) : p.start;
    return p;
}

static bool valid_path(const cm_path *p) { return cm_vec3_is_valid(p->start) && cm_vec3_is_valid(p->end); }

static double sum_of(const cm_real w[3]) { return (double)w[0] + (double)w[1] + (double)w[2]; }

static void check_path_hit(const cm_path_hit *h, cm_path_verdict verdict, int sample, bool weights) {
    check_that(h->u >= 0 && h->u <= 1, "%d: u %g", sample, (double)h->u);
    check_that(verdict != CM_PATH_START || h->u == 0, "%d: starts at %g", sample, (double)h->u);
    check_that(h->distance >= 0, "%d: distance %g", sample, (double)h->distance);
    check_that(nasty_is_finite(h->point_a) && nasty_is_finite(h->point_b), "%d: a point", sample);
    check_that(nasty_is_unit(h->normal) || cm_largest(h->normal) == 0, "%d: normal %g", sample,
               (double)cm_length(h->normal));
    const double a = sum_of(h->weight_a), b = sum_of(h->weight_b);
    check_that(!weights || (fabs(a - 1) < 1e-5 && fabs(b - 1) < 1e-5), "%d: weights %g and %g", sample, a, b);
}

static void features_with_nasty_numbers(void **state) {
    (void)state;
    nasty n = {.r = rng_start("features", 81)};
    int counts[5] = {0};
    const int count = samples(4000, 400000);
    for (int i = 0; i < count; i++) {
        nasty_turn(&n);
        cm_path p[4];
        bool valid[5] = {true, false, false, false, false}; /* of the first k */
        for (int k = 0; k < 4; k++) p[k] = nasty_path(&n), valid[k + 1] = valid[k] && valid_path(&p[k]);
        const cm_real d = rng_below(&n.r, 2) ? 0 : nasty_size(&n), tolerance = rng_below(&n.r, 2) ? 0 : nasty_size(&n);
        const bool lengths = d >= 0 && d <= CM_COORD_MAX && tolerance >= 0 && tolerance <= CM_COORD_MAX;
        for (int kind = 0; kind < 4; kind++) {
            const int corners = kind == 0 ? 2 : kind == 1 ? 3 : 4;
            cm_path_hit hit;
            memset(&hit, NASTY_FILL, sizeof hit);
            const cm_path_verdict verdict = kind == 0   ? cm_sweep_point_point(&p[0], &p[1], d, tolerance, &hit)
                                            : kind == 1 ? cm_sweep_point_edge(&p[0], &p[1], d, tolerance, &hit)
                                            : kind == 2 ? cm_sweep_point_triangle(&p[0], &p[1], d, tolerance, &hit)
                                                        : cm_sweep_edge_edge(&p[0], &p[2], d, tolerance, &hit);
            const bool asked = valid[corners] && lengths;
            check_that((verdict == CM_PATH_INVALID) == !asked, "%d: kind %d is %d, valid %d", i, kind, (int)verdict,
                       (int)asked);
            counts[verdict]++;
            if (verdict == CM_PATH_FREE || verdict == CM_PATH_INVALID)
                check_that(nasty_untouched(&hit, sizeof hit), "%d: kind %d wrote for %d", i, kind, (int)verdict);
            else if (!n.abyss)
                check_path_hit(&hit, verdict, i, true);
            cm_feature_gap gap;
            const cm_vec3 at[4] = {p[0].start, p[1].start, p[2].start, p[3].start};
            memset(&gap, NASTY_FILL, sizeof gap);
            const bool told = kind == 0   ? cm_gap_point_point(at[0], at[1], &gap)
                              : kind == 1 ? cm_gap_point_edge(at[0], &at[1], &gap)
                              : kind == 2 ? cm_gap_point_triangle(at[0], &at[1], &gap)
                                          : cm_gap_edge_edge(&at[0], &at[2], &gap);
            bool good = true;
            for (int k = 0; k < corners; k++) good &= cm_vec3_is_valid(at[k]);
            check_that(told == good, "%d: gap of kind %d told %d, valid %d", i, kind, (int)told, (int)good);
            check_that(told || nasty_untouched(&gap, sizeof gap), "%d: gap of kind %d wrote", i, kind);
            check_that(!told || n.abyss || gap.distance >= 0, "%d: gap %g", i, (double)gap.distance);
        }
    }
    for (int k = 0; k < 5; k++)
        if (k != CM_PATH_LIMIT) check_that(counts[k] * 400 > count, "verdict %d: %d times", k, counts[k]);
}

enum { SHEET = 5, SHEET_POINTS = SHEET * SHEET };

static cm_mesh *flat_sheet(void) {
    cm_vec3 points[SHEET_POINTS];
    uint32_t indices[6 * (SHEET - 1) * (SHEET - 1)], count = 0;
    for (uint32_t i = 0; i < SHEET_POINTS; i++) points[i] = cm_v((cm_real)(i / SHEET), (cm_real)(i % SHEET), 0);
    for (uint32_t i = 0; i + SHEET < SHEET_POINTS; i++) {
        if (i % SHEET + 1 == SHEET) continue;
        const uint32_t quad[6] = {i, i + SHEET, i + SHEET + 1, i, i + SHEET + 1, i + 1};
        for (int k = 0; k < 6; k++) indices[count++] = quad[k];
    }
    const cm_mesh_desc desc = {
        .points = &points[0].x, .point_count = SHEET_POINTS, .indices = indices, .triangle_count = count / 3};
    cm_mesh *mesh;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

static void meshes_with_nasty_points(void **state) {
    (void)state;
    nasty n = {.r = rng_start("nasty sheets", 82)};
    cm_mesh *sheet = flat_sheet();
    int answered = 0, refused = 0, met = 0;
    const int count = samples(200, 30000);
    for (int i = 0; i < count; i++) {
        nasty_turn(&n);
        cm_vec3 start[SHEET_POINTS], end[SHEET_POINTS];
        for (int k = 0; k < SHEET_POINTS; k++) start[k] = nasty_vec3(&n), end[k] = nasty_vec3(&n);
        nasty_shape body;
        nasty_shape_random(&body, &n);
        cm_mesh_sweep_desc desc = {.mesh = {sheet, start, end}};
        if (rng_below(&n.r, 2)) desc.separation = nasty_size(&n);
        if (rng_below(&n.r, 2)) desc.tolerance = nasty_size(&n);
        if (rng_below(&n.r, 2)) desc.shape = &body.shape;
        desc.shape_motion.start = nasty_pose(&n), desc.shape_motion.move = nasty_vec3(&n);
        cm_path_contact out;
        memset(&out, NASTY_FILL, sizeof out);
        const cm_status status = cm_mesh_sweep_vertices(&desc, NULL, &out);
        answered += status == CM_OK, refused += status != CM_OK;
        if (status != CM_OK) check_that(nasty_untouched(&out, sizeof out), "%d wrote for status %d", i, (int)status);
        if (status == CM_OK && out.verdict != CM_PATH_FREE && !n.abyss && !body.lies) {
            check_path_hit(&out.hit, out.verdict, i, !desc.shape);
            met++;
        }
        cm_mesh *moved = flat_sheet(); /* what is refused leaves the mesh as it was */
        const cm_vec3 before = cm_mesh_points(moved)[SHEET_POINTS - 1];
        if (cm_mesh_move_points(moved, end, NULL) != CM_OK) {
            const cm_vec3 after = cm_mesh_points(moved)[SHEET_POINTS - 1];
            check_that(before.x == after.x && before.y == after.y && before.z == after.z, "%d: moved all the same", i);
        }
        cm_mesh_destroy(moved, NULL);
        nasty_shape_free(&body);
    }
    cm_mesh_destroy(sheet, NULL);
    check_that(answered * 8 > count && refused * 40 > count && met * 20 > count, "%d answered, %d met, %d refused",
               answered, met, refused);
}

typedef struct judged_meet {
    rng *r;
    bool judged;
} judged_meet;

static bool either_way(void *user, const cm_mover *mover, const cm_mover_hit *hit) {
    const judged_meet *meet = user;
    (void)mover;
    check_that(!meet->judged || nasty_is_finite(hit->point), "a hit at %g", (double)hit->point.x);
    return rng_below(meet->r, 4) != 0;
}

/* Movers of any shape in worlds of any shapes: refused as they are, or answered with a pose that is one. */
static void movers_with_nasty_numbers(void **state) {
    (void)state;
    nasty n = {.r = rng_start("nasty movers", 83)};
    int answered = 0, refused = 0;
    const int count = samples(200, 40000);
    for (int i = 0; i < count; i++) {
        nasty_turn(&n);
        nasty_shape bodies[4], own;
        cm_world *world;
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        for (int k = 0; k < 4; k++) {
            nasty_shape_random(&bodies[k], &n);
            cm_world_object_desc object = {.shape = bodies[k].shape, .pose = nasty_pose(&n)};
            uint32_t id;
            if (cm_world_add(world, &object, &id, NULL) != CM_OK) continue;
            const cm_motion motion = {.move = nasty_vec3(&n), .spin = nasty_vec3(&n), .pivot = nasty_vec3(&n)};
            if (rng_below(&n.r, 2)) cm_world_set_motion(world, id, &motion);
        }
        cm_world_update(world, NULL);
        nasty_shape_random(&own, &n);
        cm_mover mover = {.shape = own.shape, .pose = nasty_pose(&n)};
        if (rng_below(&n.r, 2)) mover.up = nasty_vec3(&n), mover.skin = nasty_real(&n);
        if (rng_below(&n.r, 2)) mover.step_up = nasty_real(&n), mover.slope = nasty_real(&n);
        bool judged = !n.abyss && !own.lies;
        for (int k = 0; k < 4; k++) judged &= !bodies[k].lies;
        judged_meet meet = {&n.r, judged};
        const cm_mover_space space = {.world = world, .meet = either_way, .user = &meet};
        for (int frame = 0; frame < 3; frame++) {
            const cm_mover before = mover;
            cm_mover_result result;
            memset(&result, NASTY_FILL, sizeof result);
            const cm_vec3 velocity = nasty_vec3(&n);
            const cm_status status = cm_mover_step(&mover, &space, velocity, nasty_size(&n), &result);
            answered += status == CM_OK, refused += status != CM_OK;
            if (status != CM_OK) {
                check_that(nasty_untouched(&result, sizeof result), "%d wrote for status %d", i, (int)status);
                assert_memory_equal(&before, &mover, sizeof mover);
                break;
            }
            if (!judged) continue;
            check_that(cm_pose_is_valid(&mover.pose), "%d: at %g", i, (double)mover.pose.position.x);
            check_that(nasty_is_finite(result.velocity) && nasty_is_finite(result.moved), "%d: velocity", i);
            check_that(result.hit_count >= 0 && result.hit_count <= CM_MOVER_HITS, "%d hits", result.hit_count);
            check_that(mover.ground.kind == CM_MOVER_AIR || nasty_is_unit(mover.ground.normal), "%d: ground", i);
        }
        cm_world_destroy(world);
        for (int k = 0; k < 4; k++) nasty_shape_free(&bodies[k]);
        nasty_shape_free(&own);
    }
    check_that(answered * 8 > count && refused * 8 > count, "%d answered, %d refused", answered, refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_with_nasty_numbers),
        cmocka_unit_test(meshes_with_nasty_points),
        cmocka_unit_test(movers_with_nasty_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
