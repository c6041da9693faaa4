/* Numbers as text are what printf's %.17g writes, digit by digit. */
#include "common/decimal.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_number(double x) {
    char own[DECIMAL_ROOM + 1], right[64];
    const size_t count = decimal_put(x, own);
    assert_true(count <= DECIMAL_ROOM);
    own[count] = 0;
    snprintf(right, sizeof right, "%.17g", x);
    check_that(strcmp(own, right) == 0, "%a: %s, not %s", x, own, right);
}

/* From there some ulps up and down, of both signs. */
static void check_around(double x) {
    double up = x, down = x;
    for (int i = 0; i < 20; i++) {
        check_number(up), check_number(-up), check_number(down), check_number(-down);
        up = nextafter(up, HUGE_VAL), down = nextafter(down, -HUGE_VAL);
    }
}

/* Where the count of digits before the point changes, where what is computed begins and ends (1e-39, 2^52), where the
 * exponent is written (1e-5, 1e17); and numbers whose digits end in a tie: 18 of them, of which the last is a 5. */
static void numbers_at_borders_have_the_digits_of_printf(void **state) {
    (void)state;
    for (int k = -330; k < 309; k++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", k);
        check_around(strtod(text, NULL));
    }
    for (int k = -1074; k < 1024; k++) check_around(ldexp(1, k));
    for (int k = 0; k < 60; k++) {
        for (int odd = 1; odd < 400; odd += 2) check_number(ldexp(odd, -k));
    }
    for (int i = 0; i < 2000;
         i++) { /* 2^52 + i, over 4 and over 8: 16 digits before the point, and 25, 5, 75 after it */
        check_number((4503599627370496.0 + i) / 4), check_number((4503599627370496.0 + i) / 8);
    }
    const double others[] = {0.0, -0.0, 0.1, 0.3, 1.0 / 3, 123456789, 1e22, 1e23, HUGE_VAL, -HUGE_VAL, (double)NAN};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) check_number(others[i]);
}

static void random_numbers_have_the_digits_of_printf(void **state) {
    (void)state;
    rng r = rng_start("decimal", 91);
    for (int i = 0; i < 100000; i++) {
        const uint64_t bits = rng_bits(&r);
        double x;
        memcpy(&x, &bits, sizeof x);
        check_number(x);
        check_number(ldexp(x == x ? frexp(x, &(int){0}) : 0, (int)rng_below(&r, 200) - 140));
        check_number((double)(float)rng_range(&r, -100, 100));
        check_number(round(rng_range(&r, -1e6, 1e6)) / 1000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_at_borders_have_the_digits_of_printf),
        cmocka_unit_test(random_numbers_have_the_digits_of_printf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
