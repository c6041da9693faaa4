/* Rounding down and up: the very next number, judged by the C library's. */
#include "math/wide.h"
#include "support/support.h"

#include <math.h>

/* The largest cm_real that is not above x, by comparing and stepping. */
static cm_real next_below(double x) {
#if defined(CAROM_F64)
    return x;
#else
    const float near = (float)x;
    return (double)near > x ? nextafterf(near, -INFINITY) : near;
#endif
}

static void expect_both(double x) {
    const cm_real down = wide_down(x), up = wide_up(x);
    check_that(down == next_below(x) && up == -next_below(-x), "of %.17g down %.17g, up %.17g", x, (double)down,
               (double)up);
}

static void numbers_are_rounded_to_the_next_one(void **state) {
    (void)state;
    rng r = rng_start("rounding", 31);
    for (int i = 0; i < samples(100000, 10000000); i++) expect_both(rng_log_range(&r, 1e-44, 1e38));
    for (int i = 0; i < samples(100000, 10000000); i++) expect_both(-rng_log_range(&r, 1e-44, 1e38));
}

/* A little above and below a power of two, where the next number down is half as far away as the next one up. */
static void powers_of_two_are_no_exception(void **state) {
    (void)state;
    for (int e = -140; e <= 120; e++) {
        for (int bit = 1; bit <= 52; bit++) {
            const double x = ldexp(1, e), off = ldexp(1, e - bit);
            expect_both(x + off), expect_both(x - off), expect_both(-x - off), expect_both(-x + off);
        }
        expect_both(ldexp(1, e));
    }
    expect_both(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_rounded_to_the_next_one),
                                       cmocka_unit_test(powers_of_two_are_no_exception)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
