/* The self-test passes in every build that is tested, and names a floating-point state in which answers may be wrong.
 */
#include "selftest/selftest.h"
#include "support/support.h"

#include <fenv.h>

static void every_build_passes(void **state) {
    (void)state;
    cm_error error = {CM_OK, "untouched", 0};
    check_that(cm_selftest(&error) == CM_OK, "wrong: %s; the hash is 0x%016llx", error.field,
               (unsigned long long)cm__selftest_answers());
    assert_string_equal(error.field, "untouched");
    assert_int_equal(cm_selftest(NULL), CM_OK);
}

static void a_rounding_mode_is_named(void **state) {
    (void)state;
    const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; ++i) {
        cm_error error = {CM_OK, "", 0};
        assert_int_equal(fesetround(modes[i]), 0);
        cm_status status = cm_selftest(&error);
        fesetround(FE_TONEAREST);
        assert_int_equal(status, CM_UNSUPPORTED);
        assert_int_equal(error.status, CM_UNSUPPORTED);
        assert_string_equal(error.field, "rounding");
    }
    assert_int_equal(cm_selftest(NULL), CM_OK);
}

#if defined(__SSE2__)
#include <emmintrin.h>
static void flushing_to_zero_is_named(void **state) {
    (void)state;
    const unsigned flush = 1u << 15, zeros = 1u << 6, before = _mm_getcsr(); /* FTZ, DAZ */
    const unsigned states[] = {flush, zeros, flush | zeros};
    for (int i = 0; i < 3; ++i) {
        cm_error error = {CM_OK, "", 0};
        _mm_setcsr(before | states[i]);
        cm_status status = cm_selftest(&error);
        _mm_setcsr(before);
        assert_int_equal(status, CM_UNSUPPORTED);
        assert_string_equal(error.field, "denormals");
    }
}
#else
static void flushing_to_zero_is_named(void **state) {
    (void)state;
    skip();
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_build_passes),
        cmocka_unit_test(a_rounding_mode_is_named),
        cmocka_unit_test(flushing_to_zero_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
