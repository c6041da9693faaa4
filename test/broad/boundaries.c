/* Values at the limits that broad.h states: they are within, and what is next beyond them is not. */
#include "support/broads.h"
#include "support/support.h"

#include <math.h>

static cm_real next_real(cm_real x, cm_real to) {
#if defined(CAROM_F64)
    return nextafter(x, to);
#else
    return nextafterf(x, to);
#endif
}

/* --- descriptions ------------------------------------------------------------------------------------------------ */

static void descriptions_may_reach_their_limits(void **state) {
    (void)state;
    const cm_real most = CM_COORD_MAX, inf = (cm_real)INFINITY;
    const struct {
        cm_broad_desc at, beyond;
        const char *field;
    } cases[] = {
        {{.kind = (cm_broad_kind)(CM_BROAD_KIND_COUNT - 1)}, {.kind = CM_BROAD_KIND_COUNT}, "kind"},
        {{.limit = 0xffffff}, {.limit = 0x1000000}, "limit"},
        {{.capacity = 0xffffff}, {.capacity = 0x1000000}, "capacity"},
        {{.cell = most}, {.cell = next_real(most, inf)}, "cell"},
        {{.levels = 40}, {.levels = 41}, "levels"},
        {{.loose = 8}, {.loose = next_real(8, inf)}, "loose"},
        {{.loose = next_real(1, inf)}, {.loose = 1}, "loose"},
        {{.plane = 3}, {.plane = 4}, "plane"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cm_broad *b = NULL;
        cm_error error = {CM_OK, NULL, 0};
        counting_allocator c;
        counting_allocator_start(&c, 1); /* a refusal comes before any memory is asked for: here there is none */
        cm_broad_desc desc = cases[i].at;
        desc.mem = &c.mem;
        cm_status status = cm_broad_create(&desc, &b, &error);
        check_that(status == CM_NO_MEMORY, "%s at its limit: %s", cases[i].field, cm_status_text(status));
        desc = cases[i].beyond;
        desc.mem = &c.mem;
        status = cm_broad_create(&desc, &b, &error);
        check_that(status == CM_INVALID, "%s beyond its limit: %s", cases[i].field, cm_status_text(status));
        assert_string_equal(error.field, cases[i].field);
    }
}

/* --- coordinates ------------------------------------------------------------------------------------------------- */

/* A box that begins where valid coordinates end reaches into them with that one side: it is kept and found there. One
 * that begins an ulp beyond is refused. */
static void boxes_may_begin_where_coordinates_end(void **state) {
    (void)state;
    const cm_real most = CM_COORD_MAX, inf = (cm_real)INFINITY;
    for (int kind = 0; kind < BROADS; ++kind) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int side = -1; side <= 1; side += 2) {
                cm_broad_desc desc = broads_desc(kind);
                cm_broad *b = NULL;
                cm_broad_pair_view view;
                cm_status status = cm_broad_create(&desc, &b, NULL);
                assert_int_equal(status, CM_OK);
                cm_aabb open = {cm_v(-1, -1, -1), cm_v(1, 1, 1)}, flat = open, beyond = open;
                const cm_real end = (cm_real)side * most, past = next_real(end, (cm_real)side * inf);
                (&open.min.x)[axis] = side > 0 ? end : -inf;
                (&open.max.x)[axis] = side > 0 ? inf : end;
                (&flat.min.x)[axis] = (&flat.max.x)[axis] = end; /* wholly within */
                (&beyond.min.x)[axis] = side > 0 ? past : -inf;
                (&beyond.max.x)[axis] = side > 0 ? inf : past;
                const cm_aabb both[2] = {open, flat};
                status = cm_broad_add_many(b, both, 0, 2, NULL, NULL);
                check_that(status == CM_OK, "%s, axis %d, side %d: %s", broads_name(kind), axis, side,
                           cm_status_text(status));
                assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
                check_that(view.count == 1, "%s, axis %d, side %d: %zu pairs", broads_name(kind), axis, side,
                           view.count);
                assert_int_equal(cm_broad_add_many(b, &beyond, 0, 1, NULL, NULL), CM_NOT_FINITE);
                cm_broad_pair_list list = {0};
                cm_broad_pairs_desc once = {.kind = desc.kind};
                assert_int_equal(cm_broad_pairs(both, 2, &once, &list), CM_OK);
                assert_int_equal(list.count, 1);
                cm_broad_pair_list_free(&list, NULL);
                cm_broad_destroy(b);
            }
        }
    }
}

/* --- queries ----------------------------------------------------------------------------------------------------- */

enum { COPIES = 5, PLANES = 32 };

static cm_broad *copies_of_a_box(int kind) {
    cm_broad_desc desc = broads_desc(kind);
    cm_broad *b = NULL;
    cm_aabb boxes[COPIES];
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    for (int i = 0; i < COPIES; ++i) boxes[i].min = cm_v(-1, -1, -1), boxes[i].max = cm_v(1, 1, 1);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, COPIES, NULL, NULL), CM_OK);
    return b;
}

static bool count_find(void *context, uint32_t id) {
    (void)id;
    ++*(uint32_t *)context;
    return true;
}
static cm_real no_farther(void *context, uint32_t id, cm_real t) {
    (void)id;
    ++*(uint32_t *)context;
    return t;
}

/* A callback that looks no farther than what it was told gets all that are as near: also at 0, where the ray begins in
 * all of them. */
static void a_limit_of_the_hit_itself_keeps_its_equals(void **state) {
    (void)state;
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = copies_of_a_box(kind);
        const cm_aabb box = {cm_v(0, 0, 0), cm_v(0, 0, 0)};
        uint32_t inside = 0, before = 0, swept = 0;
        assert_int_equal(cm_broad_raycast(b, cm_v(0, 0, 0), cm_v(1, 0, 0), 1, 0, no_farther, &inside), COPIES);
        assert_int_equal(cm_broad_raycast(b, cm_v(-2, 0, 0), cm_v(1, 0, 0), 1, 0, no_farther, &before), COPIES);
        assert_int_equal(cm_broad_sweep(b, &box, cm_v(0, 1, 0), 0, 0, no_farther, &swept), COPIES);
        check_that(inside == COPIES && before == COPIES && swept == COPIES, "%s: %u, %u and %u of %d",
                   broads_name(kind), inside, before, swept, COPIES);
        cm_broad_destroy(b);
    }
}

/* As many half-spaces as may be, each touched by the boxes, which lie outside by no more than nothing. */
static void a_frustum_may_have_as_many_planes_as_stated(void **state) {
    (void)state;
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad *b = copies_of_a_box(kind);
        cm_vec3 normals[PLANES + 1];
        cm_real d[PLANES + 1];
        for (int i = 0; i <= PLANES; ++i) normals[i] = cm_v(0, 0, i % 2 ? -1 : 1), d[i] = 1;
        uint32_t found = 0;
        cm_broad_query_frustum(b, normals, d, PLANES, 0, count_find, &found);
        check_that(found == COPIES, "%s: %u of %d in %d planes", broads_name(kind), found, COPIES, PLANES);
        assert_int_equal(cm_broad_query_frustum(b, normals, d, PLANES + 1, 0, count_find, &found), 0);
        d[PLANES - 1] = next_real(1, 2); /* the last one's plane is an ulp off */
        assert_int_equal(cm_broad_query_frustum(b, normals, d, PLANES, 0, count_find, &found), 0);
        d[0] = CM_COORD_MAX; /* still a number */
        d[PLANES - 1] = -CM_COORD_MAX;
        assert_int_equal(cm_broad_query_frustum(b, normals, d, 1, 0, count_find, &found), 0);
        assert_int_equal(cm_broad_query_frustum(b, normals + PLANES - 1, d + PLANES - 1, 1, 0, count_find, &found),
                         COPIES);
        cm_broad_destroy(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_may_reach_their_limits),
        cmocka_unit_test(boxes_may_begin_where_coordinates_end),
        cmocka_unit_test(a_limit_of_the_hit_itself_keeps_its_equals),
        cmocka_unit_test(a_frustum_may_have_as_many_planes_as_stated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
