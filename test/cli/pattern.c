#include "support/support.h"

#include "pattern.h"

static void a_component_matches_anywhere_in_the_path(void **state) {
    (void)state;
    assert_true(pattern_matches("IfcSpace*", "IfcBuilding_A/IfcStorey_1/IfcSpace_7"));
    assert_true(pattern_matches("IfcStorey_1", "IfcBuilding_A/IfcStorey_1/IfcSpace_7"));
    assert_false(pattern_matches("Space*", "IfcBuilding_A/IfcSpace_7"));
    assert_false(pattern_matches("IfcStorey", "IfcStorey_1"));
}

static void a_pattern_of_several_components_matches_consecutive_ones(void **state) {
    (void)state;
    assert_true(pattern_matches("crank/pin*", "engine/crank/pin_3"));
    assert_true(pattern_matches("engine/crank", "engine/crank/pin_3"));
    assert_false(pattern_matches("engine/pin*", "engine/crank/pin_3"));
    assert_true(pattern_matches("engine/**/pin*", "engine/crank/web/pin_3"));
    assert_true(pattern_matches("engine/**/pin*", "engine/pin_3"));
    assert_true(pattern_matches("a/**/b/**/c", "x/a/b/b/y/c"));
    assert_false(pattern_matches("a/**/b/**/c", "x/a/y/c"));
}

static void a_leading_slash_ties_to_the_start(void **state) {
    (void)state;
    assert_true(pattern_matches("/engine", "engine/crank"));
    assert_false(pattern_matches("/crank", "engine/crank"));
    assert_true(pattern_matches("/**/crank", "engine/crank"));
}

static void a_star_does_not_cross_a_slash(void **state) {
    (void)state;
    assert_false(pattern_matches("/e*k", "engine/crank"));
    assert_true(pattern_matches("/e*/c*k", "engine/crank"));
}

static void questions_brackets_and_escapes(void **state) {
    (void)state;
    assert_true(pattern_matches("bolt_?", "bolt_3"));
    assert_false(pattern_matches("bolt_?", "bolt_33"));
    assert_true(pattern_matches("T?r", "T\xc3\xbcr")); /* one character of two bytes */
    assert_true(pattern_matches("bolt_[0-4]", "bolt_3"));
    assert_false(pattern_matches("bolt_[!0-4]", "bolt_3"));
    assert_true(pattern_matches("node\\[3]", "node[3]"));
    assert_true(pattern_matches("node[[]3]", "node[3]"));
    assert_true(pattern_matches("a[b", "a[b")); /* never closed: a character */
    assert_true(pattern_matches("a\\*b", "a*b"));
    assert_false(pattern_matches("a\\*b", "axb"));
    assert_true(pattern_matches("*a*b*", "xxaxxbxx"));
    assert_false(pattern_matches("*a*b*c", "xxaxxbxx"));
}

static void upper_and_lower_case_differ(void **state) {
    (void)state;
    assert_false(pattern_matches("ifcspace*", "IfcSpace_7"));
}

static void nothing_matches_the_empty_pattern_and_nothing_hangs(void **state) {
    (void)state;
    assert_false(pattern_matches("", "a"));
    char pattern[201], path[401];
    for (int i = 0; i < 100; i++) memcpy(pattern + 2 * i, "*a", 2);
    pattern[200] = 0;
    memset(path, 'a', 400), path[400] = 0;
    assert_true(pattern_matches(pattern, path));
    memset(path, 'b', 400);
    assert_false(pattern_matches(pattern, path)); /* backtracking over every star would never end */
}

static void pairs_split_at_the_first_free_colon(void **state) {
    (void)state;
    const char *second;
    char *first = pattern_split("a\\:b:c:d", &second);
    assert_string_equal(first, "a\\:b");
    assert_string_equal(second, "c:d");
    assert_true(pattern_matches(first, "a:b"));
    free(first);
    assert_null(pattern_split("ab", &second));
    assert_null(pattern_split(":b", &second));
    assert_null(pattern_split("a:", &second));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_component_matches_anywhere_in_the_path),
        cmocka_unit_test(a_pattern_of_several_components_matches_consecutive_ones),
        cmocka_unit_test(a_leading_slash_ties_to_the_start),
        cmocka_unit_test(a_star_does_not_cross_a_slash),
        cmocka_unit_test(questions_brackets_and_escapes),
        cmocka_unit_test(upper_and_lower_case_differ),
        cmocka_unit_test(nothing_matches_the_empty_pattern_and_nothing_hangs),
        cmocka_unit_test(pairs_split_at_the_first_free_colon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
