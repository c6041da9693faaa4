/* Every status has a text of its own, and a number that is none is survived. */
#include "support/support.h"

static void every_status_has_its_own_text(void **state) {
    (void)state;
    for (int i = 0; i <= CM_BAD_DATA; ++i) {
        for (int k = 0; k < i; ++k) assert_string_not_equal(cm_status_text((cm_status)i), cm_status_text((cm_status)k));
        assert_string_not_equal(cm_status_text((cm_status)i), "unknown status");
    }
    assert_string_equal(cm_status_text(CM_OK), "ok");
}

static void foreign_numbers_are_survived(void **state) {
    (void)state;
    assert_string_equal(cm_status_text((cm_status)(CM_BAD_DATA + 1)), "unknown status");
    assert_string_equal(cm_status_text((cm_status)1000), "unknown status");
}

static void version_text_matches_the_header(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", CM_VERSION_MAJOR, CM_VERSION_MINOR, CM_VERSION_PATCH);
    assert_string_equal(cm_version(), text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_text),
        cmocka_unit_test(foreign_numbers_are_survived),
        cmocka_unit_test(version_text_matches_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
