/* Relations of solids of several bodies, some of which both have: cubes on a grid, apart from each other or side by
 * side, against the sets of their cells. A body that both have is no touch: its surfaces lie on each other, so that
 * neither reaches into the other, but all of it is in both. */
#include "support/solids.h"
#include "support/standing.h"

enum { SIDE = 3, CELLS = SIDE * SIDE };

static bool has(uint32_t cells, int i) { return (cells >> i & 1) != 0; }

/* A cube of side 1 for each cell, `apart` from its neighbor's; some are cut more finely. */
static cm_mesh *cubes(uint32_t cells, cm_real apart, rng *r) {
    soup s = {0};
    for (int i = 0; i < CELLS; i++) {
        if (!has(cells, i)) continue;
        const cm_vec3 low = cm_v((1 + apart) * (cm_real)(i % SIDE), (1 + apart) * (cm_real)(i / SIDE), 0);
        soup_add_box(&s, low, cm_add(low, cm_v(1, 1, 1)), 1 + (int)rng_below(r, 2), rng_below(r, 2) > 0, false);
    }
    return soup_build(&s, true);
}

/* Do two cells of the sets share a corner, as the cubes are side by side? */
static bool are_beside(uint32_t a, uint32_t b) {
    for (int i = 0; i < CELLS; i++)
        for (int k = 0; k < CELLS; k++)
            if (has(a, i) && has(b, k) && abs(i % SIDE - k % SIDE) <= 1 && abs(i / SIDE - k / SIDE) <= 1) return true;
    return false;
}

static cm_relation relation_of(uint32_t a, uint32_t b, bool side_by_side) {
    if (a == b) return CM_RELATION_IDENTICAL;
    if ((a & b) == a) return CM_RELATION_A_IN_B;
    if ((a & b) == b) return CM_RELATION_B_IN_A;
    if ((a & b) != 0) return CM_RELATION_CROSSING;
    return side_by_side && are_beside(a, b) ? CM_RELATION_TOUCHING : CM_RELATION_SEPARATED;
}

static void a_body_that_both_have_is_in_both(void **state) {
    (void)state;
    rng r = rng_start("shared bodies", 4311);
    int of[CM_RELATION_CROSSING + 1] = {0};
    for (int i = 0; i < samples(600, 30000); i++) {
        const uint32_t a = 1 + rng_below(&r, (1 << CELLS) - 1);
        const uint32_t b = rng_below(&r, 4) ? 1 + rng_below(&r, (1 << CELLS) - 1) : rng_below(&r, 2) ? a : a & -a;
        const cm_real apart = rng_below(&r, 2) ? 0 : CM_REAL(rng_below(&r, 2) ? 0.5 : 2);
        cm_mesh *first = cubes(a, apart, &r), *second = cubes(b, apart, &r);
        const cm_shape sa = cm_make_mesh(first), sb = cm_make_mesh(second);
        const cm_pose pose = nice_frame(1, &r);
        cm_relation_result out;
        assert_int_equal(cm_mesh_relation(&sa, &pose, &sb, &pose, 0, CM_REAL_MAX, &out), CM_OK);
        const cm_relation expected = relation_of(a, b, !(apart > 0));
        check_that(out.relation == expected, "%d: cells %x and %x, %g apart: %s, not %s", i, a, b, (double)apart,
                   cm_relation_text(out.relation), cm_relation_text(expected));
        of[expected]++;
        cm_mesh_destroy(first, NULL), cm_mesh_destroy(second, NULL);
    }
    for (int i = CM_RELATION_IDENTICAL; i <= CM_RELATION_CROSSING; i++)
        check_that(of[i] > 0, "%s is not among them", cm_relation_text((cm_relation)i));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_body_that_both_have_is_in_both)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
