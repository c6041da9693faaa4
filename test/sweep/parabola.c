/* The closed forms of curved paths: each answer known by hand, at the values where its cases meet. */
#include "support/support.h"
#include "sweep/curve.h"

/* speed h + pull h^2 / 2 = left. */
static void a_parabola_has_come_closer_at_its_first_root(void **state) {
    (void)state;
    const struct {
        double left, speed, pull, until;
    } rows[] = {
        {1, 2, 0, 0.5},
        {1, 0, 0, DBL_MAX},
        {1, -2, 0, DBL_MAX}, /* straight */
        {1, 0, 2, 1},
        {1, 1, 4, 0.5},
        {3, -1, 2, 2.30277563773199464656}, /* pulled in */
        {1, 2, -2, 1},
        {1, 2, -2.5, DBL_MAX}, /* the apex just there, and short of it */
        {0.75, 2, -2, 0.5},
        {1, 0, -2, DBL_MAX},
        {1, -2, -2, DBL_MAX}, /* pulled away */
        {0.5, -1, 1, 2.41421356237309504880},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double until = cm__curve_until(rows[i].left, rows[i].speed, rows[i].pull);
        check_that(fabs(until - rows[i].until) <= 4 * DBL_EPSILON * rows[i].until, "%zu: %.17g, not %.17g", i, until,
                   rows[i].until);
    }
}

static void a_parabola_is_closest_at_its_apex_or_at_an_end(void **state) {
    (void)state;
    const struct {
        double speed, pull, most;
    } rows[] = {
        {0, 0, 0},    {2, 0, 2},     {-2, 0, 0},   {1, 2, 2},
        {-1, 2, 0},   {-1, 4, 1},    {-3, 2, 0},                    /* never slower */
        {1, -1, 0.5}, {1, -2, 0.25}, {2, -1, 1.5}, {1, -8, 0.0625}, /* an apex */
        {0, -2, 0},   {-1, -2, 0},   {-4, -1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double most = cm__curve_most(rows[i].speed, rows[i].pull);
        check_that(most == rows[i].most, "%zu: %.17g, not %.17g", i, most, rows[i].most);
    }
}

/* Away by speed^2 / (2 pull) at most, before it is back. */
static void what_goes_back_by_no_more_than_least_closes(void **state) {
    (void)state;
    const struct {
        double least, speed, pull;
        bool closes;
    } rows[] = {
        {1, 1, 0, true},     {1, 1, -8, true},   {1, 0, 1, true},   {0, 0, 1, true},
        {1, 0, 0, false},    {1, 0, -1, false},  {1, -2, 2, true},  {1, -2.5, 2, false},
        {0.5, -2, 2, false}, {1, -1, -1, false}, {1, -1, 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_that(cm__curve_closes(rows[i].least, rows[i].speed, rows[i].pull) == rows[i].closes, "%zu", i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parabola_has_come_closer_at_its_first_root),
        cmocka_unit_test(a_parabola_is_closest_at_its_apex_or_at_an_end),
        cmocka_unit_test(what_goes_back_by_no_more_than_least_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
