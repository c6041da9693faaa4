/* What is no valid question finds nothing: each argument of each query wrong by itself, everything else so that all
 * would be found; and what lies at the very end of what is valid finds all. */
#include "support/support.h"

#include <math.h>

enum { COUNT = 3 };

static cm_broad *boxes_at_the_origin(bool updated) {
    cm_broad *b = NULL;
    cm_aabb boxes[COUNT];
    for (int i = 0; i < COUNT; ++i) boxes[i].min = cm_v(-1, -1, -1), boxes[i].max = cm_v(1, 1, 1);
    assert_int_equal(cm_broad_create(NULL, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, COUNT, NULL, NULL), CM_OK);
    if (updated) assert_int_equal(cm_broad_update(b), CM_OK);
    return b;
}

static bool go_on(void *context, uint32_t id) {
    (void)context, (void)id;
    return true;
}
static bool end_here(void *context, uint32_t id) {
    (void)context, (void)id;
    return false;
}
static cm_real see_all(void *context, uint32_t id, cm_real t) {
    (void)context, (void)id, (void)t;
    return CM_REAL_MAX;
}
static cm_real stop_now(void *context, uint32_t id, cm_real t) {
    (void)context, (void)id, (void)t;
    return -1;
}

static const cm_vec3 origin = {0, 0, 0}, along = {1, 0, 0};

static void each_wrong_argument_of_a_query_finds_nothing(void **state) {
    (void)state;
    const cm_real nan = (cm_real)NAN, beyond = 2 * CM_COORD_MAX;
    for (int updated = 0; updated < 2; ++updated) {
        cm_broad *b = boxes_at_the_origin(updated);
        const cm_aabb box = {{-1, -1, -1}, {1, 1, 1}};
        assert_int_equal(cm_broad_query_box(b, &box, 0, go_on, NULL), COUNT);
        assert_int_equal(cm_broad_query_box(b, &box, 0, end_here, NULL), 1);
        assert_int_equal(cm_broad_query_box(NULL, &box, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_box(b, NULL, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_box(b, &box, 0, NULL, NULL), 0);
        assert_int_equal(cm_broad_query_sphere(b, origin, 0, 0, go_on, NULL), COUNT);
        assert_int_equal(cm_broad_query_sphere(b, origin, CM_COORD_MAX, 0, go_on, NULL), COUNT);
        assert_int_equal(cm_broad_query_sphere(NULL, origin, 1, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_sphere(b, origin, 1, 0, NULL, NULL), 0);
        assert_int_equal(cm_broad_query_sphere(b, origin, -1, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_sphere(b, origin, nan, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_sphere(b, origin, beyond, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_sphere(b, cm_v(beyond, 0, 0), CM_COORD_MAX, 0, go_on, NULL), 0);
        const cm_vec3 normals[2] = {{1, 0, 0}, {0, 1, 0}}, bad = {nan, 0, 0};
        const cm_real d[2] = {0, 0}, far[2] = {-CM_COORD_MAX, -CM_COORD_MAX}, too_far[2] = {0, -beyond};
        assert_int_equal(cm_broad_query_frustum(b, normals, d, 2, 0, go_on, NULL), COUNT);
        assert_int_equal(cm_broad_query_frustum(b, normals, far, 2, 0, go_on, NULL), COUNT);
        assert_int_equal(cm_broad_query_frustum(b, normals, too_far, 1, 0, go_on, NULL), COUNT);
        assert_int_equal(cm_broad_query_frustum(b, normals, too_far, 2, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_frustum(NULL, normals, d, 2, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_frustum(b, NULL, d, 2, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_frustum(b, normals, NULL, 2, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_frustum(b, normals, d, 0, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_frustum(b, normals, d, 2, 0, NULL, NULL), 0);
        assert_int_equal(cm_broad_query_halfspace(b, bad, 0, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_halfspace(b, along, -beyond, 0, go_on, NULL), 0);
        cm_broad_destroy(b);
    }
}

static void each_wrong_argument_of_a_ray_finds_nothing(void **state) {
    (void)state;
    const cm_real nan = (cm_real)NAN, beyond = 2 * CM_COORD_MAX;
    for (int updated = 0; updated < 2; ++updated) {
        cm_broad *b = boxes_at_the_origin(updated);
        const cm_aabb box = {{-1, -1, -1}, {1, 1, 1}}, endless = {{-1, -1, -1}, {1, 1, CM_REAL_MAX}};
        uint32_t ids[COUNT + 1];
        assert_int_equal(cm_broad_sweep(b, &box, along, 1, 0, see_all, NULL), COUNT);
        assert_int_equal(cm_broad_sweep(b, &box, along, 0, 0, see_all, NULL), COUNT);
        assert_int_equal(cm_broad_sweep(b, &box, origin, CM_REAL_MAX, 0, see_all, NULL), COUNT);
        assert_int_equal(cm_broad_sweep(b, &box, along, 1, 0, stop_now, NULL), 1);
        assert_int_equal(cm_broad_sweep(NULL, &box, along, 1, 0, see_all, NULL), 0);
        assert_int_equal(cm_broad_sweep(b, NULL, along, 1, 0, see_all, NULL), 0);
        assert_int_equal(cm_broad_sweep(b, &box, along, 1, 0, NULL, NULL), 0);
        assert_int_equal(cm_broad_sweep(b, &box, along, -1, 0, see_all, NULL), 0);
        assert_int_equal(cm_broad_sweep(b, &box, along, nan, 0, see_all, NULL), 0);
        assert_int_equal(cm_broad_sweep(b, &box, cm_v(beyond, 0, 0), 1, 0, see_all, NULL), 0);
        assert_int_equal(cm_broad_sweep(b, &endless, along, 1, 0, see_all, NULL), 0);
        assert_int_equal(cm_broad_nearest(b, origin, 0, 0, COUNT + 1, ids, NULL), COUNT);
        assert_int_equal(cm_broad_nearest(b, cm_v(2, 0, 0), 1, 0, COUNT + 1, ids, NULL), COUNT);
        assert_int_equal(cm_broad_nearest(b, cm_v(2, 0, 0), CM_REAL(0.75), 0, COUNT + 1, ids, NULL), 0);
        assert_int_equal(cm_broad_nearest(b, cm_v(2, 0, 0), 0, 0, COUNT + 1, ids, NULL), 0);
        assert_int_equal(cm_broad_nearest(b, cm_v(2, 0, 0), CM_REAL_MAX, 0, COUNT, ids, NULL), COUNT);
        assert_int_equal(cm_broad_nearest(b, origin, -1, 0, 1, ids, NULL), 1);
        assert_int_equal(cm_broad_nearest(NULL, origin, 1, 0, COUNT, ids, NULL), 0);
        assert_int_equal(cm_broad_nearest(b, origin, 1, 0, COUNT, NULL, NULL), 0);
        assert_int_equal(cm_broad_nearest(b, origin, 1, 0, 0, ids, NULL), 0);
        assert_int_equal(cm_broad_nearest(b, origin, nan, 0, COUNT, ids, NULL), 0);
        assert_int_equal(cm_broad_nearest(b, cm_v(0, beyond, 0), -1, 0, COUNT, ids, NULL), 0);
        cm_broad_destroy(b);
    }
}

/* A box turned inside out along one axis is none: in queries, and as an object. */
static void a_box_inside_out_along_one_axis_is_none(void **state) {
    (void)state;
    cm_broad *b = boxes_at_the_origin(true);
    for (int axis = 0; axis < 3; ++axis) {
        const cm_aabb box = {{-1, -1, -1}, {1, 1, 1}};
        cm_aabb bent = box, empty = box;
        ((cm_real *)&bent.min)[axis] = CM_REAL(0.5), ((cm_real *)&bent.max)[axis] = CM_REAL(-0.5);
        ((cm_real *)&empty.min)[axis] = (cm_real)NAN;
        const cm_broad_object_desc object = {.box = bent}, none = {.box = empty};
        uint32_t id;
        assert_int_equal(cm_broad_query_box(b, &bent, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_query_box(b, &empty, 0, go_on, NULL), 0);
        assert_int_equal(cm_broad_sweep(b, &bent, along, 1, 0, see_all, NULL), 0);
        assert_int_equal(cm_broad_sweep(b, &empty, along, 1, 0, see_all, NULL), 0);
        assert_int_equal(cm_broad_add(b, &object, &id), CM_INVALID);
        assert_int_equal(cm_broad_add(b, &none, &id), CM_NOT_FINITE);
    }
    cm_broad_destroy(b);
}

/* More than are collected at a time; each once, in order, and no more than there is room for. */
static void thousands_come_in_order(void **state) {
    (void)state;
    enum { MANY = 5000 };
    static cm_aabb boxes[MANY];
    static uint32_t ids[MANY + 1], near[MANY + 1];
    static cm_real distances[MANY + 1];
    cm_broad *b = NULL;
    for (int i = 0; i < MANY; ++i) /* at 0, 1, 2 … in another order */
        boxes[i].min = boxes[i].max = cm_v((cm_real)(i * 7 % MANY), 0, 0);
    assert_int_equal(cm_broad_create(NULL, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, MANY, NULL, ids), CM_OK);
    assert_int_equal(cm_broad_update(b), CM_OK);
    for (uint32_t room = MANY - 1; room <= MANY + 1; ++room) {
        const uint32_t right = room < MANY ? room : MANY;
        assert_int_equal(cm_broad_nearest(b, origin, -1, 0, room, near, distances), right);
        for (uint32_t i = 0; i < right; ++i)
            check_that(distances[i] == (cm_real)i && boxes[near[i] % 0x1000000].min.x == (cm_real)i, "%u: " REAL_FORMAT,
                       i, (double)distances[i]);
    }
    cm_broad_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wrong_argument_of_a_query_finds_nothing),
        cmocka_unit_test(each_wrong_argument_of_a_ray_finds_nothing),
        cmocka_unit_test(a_box_inside_out_along_one_axis_is_none),
        cmocka_unit_test(thousands_come_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
