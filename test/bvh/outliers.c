/* A few boxes far from all others: nothing is missed, and what is asked of the others costs what it costs without. */
#include "bvh/near_box.h"
#include "support/support.h"

#include <math.h>

enum { CROWD = 6000, FAR_MOST = 60, ALL = CROWD + FAR_MOST, ASKED = 300 };

static cm_aabb boxes[ALL];

/* The crowd, unit boxes in a cube around `at`; then `far` boxes up to `distance` away. */
static void make_boxes(int far, double distance, double at) {
    rng r = {91};
    for (int i = 0; i < CROWD + far; i++) {
        cm_vec3 c = rng_vec3(&r, i < CROWD ? 20 : distance);
        if (i == CROWD) c = cm_v(CM_REAL(distance), CM_REAL(-distance), CM_REAL(distance / 3));
        c = cm_add(c, cm_v(CM_REAL(at), CM_REAL(at), 0));
        boxes[i].min = cm_sub(c, cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5)));
        boxes[i].max = cm_add(c, cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5)));
    }
}

/* What of one query was offered. */
static bool offered[ALL];
static uint64_t offers;
static void offer(const cm__bvh *tree, cm__bvh_leaf leaf) {
    for (uint32_t i = leaf.first; i < leaf.first + leaf.count; i++) offered[tree->items[i]] = true;
    offers += leaf.count;
}

static void ask_boxes(const cm__bvh *tree, int count) {
    for (int k = 0; k < ASKED; k++) {
        int at = k % 10 == 9 ? count - 1 - k / 10 : k * 17; /* of the far ones too */
        cm__bvh_box_query q;
        cm__bvh_leaf leaf;
        memset(offered, 0, sizeof offered);
        cm__bvh_box_start(&q, tree, &boxes[at]);
        while (cm__bvh_box_next(&q, &leaf)) offer(tree, leaf);
        for (int i = 0; i < count; i++)
            check_that(offered[i] || !cm_overlap_aabb_aabb(&boxes[i], &boxes[at]), "box %d touches box %d", i, at);
    }
}

static void ask_near(const cm__bvh *tree, int count) {
    rng r = {92};
    for (int k = 0; k < ASKED; k++) {
        cm_vec3 p = cm_add(cm_aabb_center(&boxes[k * 17]), rng_vec3(&r, 2));
        cm_real truth = CM_REAL_MAX, best = CM_REAL_MAX;
        for (int i = 0; i < count; i++) truth = cm_min(truth, cm_distance_point_aabb(p, &boxes[i], NULL));
        cm__bvh_near_query q;
        cm__bvh_leaf leaf;
        cm__bvh_near_start(&q, tree, p);
        while (cm__bvh_near_next(&q, best, &leaf))
            for (uint32_t i = leaf.first; i < leaf.first + leaf.count; i++, offers++)
                best = cm_min(best, cm_distance_point_aabb(p, &boxes[tree->items[i]], NULL));
        check_that(best == truth, "point %d: %.9g, truly %.9g", k, (double)best, (double)truth);
    }
}

static void ask_rays(const cm__bvh *tree, int count) {
    rng r = {93};
    for (int k = 0; k < ASKED; k++) {
        cm_ray ray = {cm_aabb_center(&boxes[k * 17]), rng_vec3(&r, 1), 50};
        if (k % 7 == 0) ray.direction.x = 0;
        if (k % 11 == 0) ray.direction = cm_v(0, 0, 1);
        cm__bvh_ray_query q;
        cm__bvh_leaf leaf;
        memset(offered, 0, sizeof offered);
        cm__bvh_ray_start(&q, tree, ray.origin, ray.direction, 0);
        while (cm__bvh_ray_next(&q, ray.max, &leaf)) offer(tree, leaf);
        for (int i = 0; i < count; i++) {
            cm_ray_hit met;
            check_that(offered[i] || !cm_raycast_aabb(&ray, &boxes[i], &met), "ray %d meets box %d", k, i);
        }
    }
}

static void ask_casts(const cm__bvh *tree, int count) {
    rng r = {94};
    for (int k = 0; k < ASKED; k++) {
        const cm_aabb *box = &boxes[k * 17];
        cm_vec3 move = rng_vec3(&r, 6);
        if (k % 7 == 0) move.y = 0;
        cm__bvh_box_near_query q;
        cm__bvh_leaf leaf;
        memset(offered, 0, sizeof offered);
        cm__bvh_cast_start(&q, tree, box, move);
        while (cm__bvh_cast_next(&q, 1, &leaf)) offer(tree, leaf);
        for (int i = 0; i < count; i++) {
            cm_sweep_hit met;
            check_that(offered[i] || !cm_sweep_aabb_aabb(box, move, &boxes[i], cm_v(0, 0, 0), &met),
                       "box %d is met by box %d", i, k * 17);
        }
    }
}

/* The tree with itself, shifted and turned by nothing: pairs as of boxes. */
static void ask_pairs(const cm__bvh *tree, int count) {
    static bool met[ALL];
    const cm_vec3 shift = cm_v(CM_REAL(0.25), CM_REAL(-0.5), CM_REAL(0.125));
    cm__bvh_placing placing = {cm_mat3_from_quat(cm_quat_identity()), shift};
    cm__bvh_pair_query q;
    cm__bvh_leaf a, b;
    const uint32_t one = 4000; /* the pairs of one box are compared, of all counted */
    memset(met, 0, sizeof met);
    cm__bvh_pair_start(&q, tree, tree, &placing, 0);
    while (cm__bvh_pair_next(&q, &a, &b)) {
        offers += (uint64_t)a.count * b.count;
        for (uint32_t i = a.first; i < a.first + a.count; i++)
            for (uint32_t k = b.first; k < b.first + b.count; k++)
                if (tree->items[k] == one) met[tree->items[i]] = true;
    }
    cm_aabb moved = {cm_add(boxes[one].min, shift), cm_add(boxes[one].max, shift)};
    for (int i = 0; i < count; i++)
        check_that(met[i] || !cm_overlap_aabb_aabb(&boxes[i], &moved), "box %d touches the shifted one", i);
}

static const struct {
    const char *name;
    void (*ask)(const cm__bvh *tree, int count);
} questions[] = {
    {"boxes", ask_boxes}, {"points", ask_near}, {"rays", ask_rays}, {"casts", ask_casts}, {"pairs", ask_pairs}};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static void ask_all(int far, double distance, double at, uint64_t out[QUESTIONS]) {
    make_boxes(far, distance, at);
    cm__bvh tree;
    assert_int_equal(cm__bvh_build(boxes, (uint32_t)(CROWD + far), 4, NULL, &tree), CM_OK);
    for (int i = 0; i < QUESTIONS; i++) {
        offers = 0;
        questions[i].ask(&tree, CROWD + far);
        out[i] = offers;
    }
    cm__bvh_free(&tree, NULL);
}

static void far_boxes_cost_the_others_nothing(void **state) {
    (void)state;
    const double centers[] = {0, 100};
    const int fars[] = {FAR_MOST, 1, 3};
    for (int c = 0; c < 2; c++) {
        uint64_t alone[QUESTIONS], with[QUESTIONS];
        ask_all(0, 0, centers[c], alone);
        for (int f = 0; f < few_samples(3, 3); f++)
            for (double distance = 1e3; distance < 2e12; distance *= 1e3) {
                ask_all(fars[f], distance, centers[c], with);
                for (int i = 0; i < QUESTIONS; i++)
                    check_that(with[i] <= alone[i] + alone[i] / 2 + 1000,
                               "%s, %d boxes up to %g away: %llu offers, %llu without", questions[i].name, fars[f],
                               distance, (unsigned long long)with[i], (unsigned long long)alone[i]);
            }
        for (int i = 0; i < QUESTIONS; i++)
            print_message("  %s: %llu offers, %llu with the last\n", questions[i].name, (unsigned long long)alone[i],
                          (unsigned long long)with[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(far_boxes_cost_the_others_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
