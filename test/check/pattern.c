/* Which parts a text chooses: patterns of paths, and selectors. */
#include "support/support.h"

static void a_component_matches_anywhere_in_the_path(void **state) {
    (void)state;
    assert_true(cm_check_matches("IfcSpace*", "IfcBuilding_A/IfcStorey_1/IfcSpace_7"));
    assert_true(cm_check_matches("IfcStorey_1", "IfcBuilding_A/IfcStorey_1/IfcSpace_7"));
    assert_false(cm_check_matches("Space*", "IfcBuilding_A/IfcSpace_7"));
    assert_false(cm_check_matches("IfcStorey", "IfcStorey_1"));
}

static void a_pattern_of_several_components_matches_consecutive_ones(void **state) {
    (void)state;
    assert_true(cm_check_matches("crank/pin*", "engine/crank/pin_3"));
    assert_true(cm_check_matches("engine/crank", "engine/crank/pin_3"));
    assert_false(cm_check_matches("engine/pin*", "engine/crank/pin_3"));
    assert_true(cm_check_matches("engine/**/pin*", "engine/crank/web/pin_3"));
    assert_true(cm_check_matches("engine/**/pin*", "engine/pin_3"));
    assert_true(cm_check_matches("a/**/b/**/c", "x/a/b/b/y/c"));
    assert_false(cm_check_matches("a/**/b/**/c", "x/a/y/c"));
}

static void a_leading_slash_ties_to_the_start(void **state) {
    (void)state;
    assert_true(cm_check_matches("/engine", "engine/crank"));
    assert_false(cm_check_matches("/crank", "engine/crank"));
    assert_true(cm_check_matches("/**/crank", "engine/crank"));
}

static void a_star_does_not_cross_a_slash(void **state) {
    (void)state;
    assert_false(cm_check_matches("/e*k", "engine/crank"));
    assert_true(cm_check_matches("/e*/c*k", "engine/crank"));
}

static void questions_brackets_and_escapes(void **state) {
    (void)state;
    assert_true(cm_check_matches("bolt_?", "bolt_3"));
    assert_false(cm_check_matches("bolt_?", "bolt_33"));
    assert_true(cm_check_matches("T?r", "T\xc3\xbcr")); /* one character of two bytes */
    assert_true(cm_check_matches("bolt_[0-4]", "bolt_3"));
    assert_false(cm_check_matches("bolt_[!0-4]", "bolt_3"));
    assert_true(cm_check_matches("node\\[3]", "node[3]"));
    assert_true(cm_check_matches("node[[]3]", "node[3]"));
    assert_true(cm_check_matches("a[b", "a[b"));                         /* never closed: a character */
    assert_true(cm_check_matches("T[\xc3\xa4\xc3\xbc]r", "T\xc3\xbcr")); /* a set of characters, not of their bytes */
    assert_false(cm_check_matches("T[\xc3\xa4\xc3\xb6]r", "T\xc3\xbcr"));
    assert_true(cm_check_matches("T[!u]r", "T\xc3\xbcr"));
    assert_false(cm_check_matches("T[!\xc3\xbc]r", "T\xc3\xbcr"));
    assert_true(cm_check_matches("[a-\xe2\x82\xac]", "\xc3\xbc")); /* a, u umlaut, euro sign */
    assert_false(cm_check_matches("[a-\xc3\xbc]", "\xe2\x82\xac"));
    assert_true(cm_check_matches("a\\*b", "a*b"));
    assert_false(cm_check_matches("a\\*b", "axb"));
    assert_true(cm_check_matches("*a*b*", "xxaxxbxx"));
    assert_false(cm_check_matches("*a*b*c", "xxaxxbxx"));
}

static void upper_and_lower_case_differ(void **state) {
    (void)state;
    assert_false(cm_check_matches("ifcspace*", "IfcSpace_7"));
}

static void nothing_matches_the_empty_pattern_and_nothing_hangs(void **state) {
    (void)state;
    assert_false(cm_check_matches("", "a"));
    char pattern[201], path[401];
    for (int i = 0; i < 100; i++) memcpy(pattern + 2 * i, "*a", 2);
    pattern[200] = 0;
    memset(path, 'a', 400), path[400] = 0;
    assert_true(cm_check_matches(pattern, path));
    memset(path, 'b', 400);
    assert_false(cm_check_matches(pattern, path)); /* backtracking over every star would never end */
    /* a component of the path is looked at once for each of the pattern, not from each start anew: 5e9 steps */
    static char deep[200001];
    for (int i = 0; i < 100000; i++) memcpy(deep + 2 * i, "a/", 2);
    assert_false(cm_check_matches("**/x", deep));
    assert_true(cm_check_matches("**/a", deep));
    /* the end of brackets that never close is looked for once, not at each of them from each start: 1e11 steps */
    memset(deep, '[', 12000), deep[0] = '*', deep[3999] = 'x', deep[4000] = 0, deep[12000] = 0;
    assert_false(cm_check_matches(deep, deep + 4001));
}

static void a_selector_is_a_file_or_a_pattern(void **state) {
    (void)state;
    const cm_check_part part = {.name = "engine/crank", .file = "models/engine.glb"}, bare = {.name = NULL};
    assert_true(cm_check_selects("crank", &part));
    assert_true(cm_check_selects("models/engine.glb", &part));
    assert_true(cm_check_selects("engine.glb", &part));
    assert_false(cm_check_selects("models", &part)); /* a file is named whole, not by a pattern */
    assert_false(cm_check_selects("*.glb", &part));
    assert_false(cm_check_selects("", &part));
    assert_false(cm_check_selects(NULL, &part));
    assert_false(cm_check_selects("**", &bare));

    const cm_check_part parts[3] = {part, bare, {.name = "crank"}};
    uint8_t sides[3] = {CM_CHECK_B, CM_CHECK_B, 0};
    assert_int_equal(cm_check_choose(parts, 3, "crank", CM_CHECK_A, sides), 2);
    assert_int_equal(sides[0], CM_CHECK_A | CM_CHECK_B);
    assert_int_equal(sides[1], CM_CHECK_B);
    assert_int_equal(sides[2], CM_CHECK_A);
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
        cmocka_unit_test(a_selector_is_a_file_or_a_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
