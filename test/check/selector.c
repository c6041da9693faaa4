/* Selectors: what they choose by what a file says of parts, and how they are joined. */
#include "support/support.h"

static const cm_check_property wall_says[] = {{"class", "IfcWall"},
                                              {"storey", "EG / 1. OG"},
                                              {"Pset_WallCommon.LoadBearing", "TRUE"},
                                              {"Pset.Width [mm]", "300"},
                                              {"a=b", "c & d | e"},
                                              {"twice", "one"},
                                              {"twice", "two"},
                                              {"empty", ""}};
static const cm_check_part wall = {.name = "EG/IfcSpace_R/IfcWall_A#2",
                                   .file = "models/x=1 & y/house.ifc",
                                   .id = "2O2Fr$t4X7",
                                   .properties = wall_says,
                                   .property_count = sizeof wall_says / sizeof wall_says[0]};

static void conditions_are_about_what_a_file_says(void **state) {
    (void)state;
    static const struct {
        const char *selector;
        bool chosen;
    } cases[] = {
        {"class=IfcWall", true},
        {"class=IfcWall*", true},
        {"class=Ifc*l", true},
        {"class=Wall", false}, /* the whole value */
        {"class=ifcwall", false},
        {"Class=IfcWall", false},
        {"class=", false},
        {"storey=EG*", true}, /* a star takes slashes here */
        {"storey=EG / 1. OG", true},
        {"storey=1. OG", false},
        {"layer=*", false}, /* it has none */
        {"empty=*", true},
        {"empty=?*", false},
        {"Pset_WallCommon.LoadBearing=TRUE", true},
        {"Pset_WallCommon.LoadBearing=[TF]*", true},
        {"Pset.Width [mm]=300", true}, /* a key is no pattern */
        {"Pset*=300", false},
        {"a\\=b=c \\& d \\| e", true},
        {"a=b=c \\& d \\| e", false},
        {"twice=one", true},
        {"twice=two", true},
        {"id=2O2Fr$t4X7", true},
        {"id=2O2Fr*", true},
        {"id=t4X7", false},
        {"leaf=IfcWall_A*", true},
        {"leaf=IfcWall_A", false},
        {"leaf=IfcSpace*", false}, /* it stands in one, and is none */
        {"path=IfcSpace*", true},
        {"IfcSpace*", true},
        {"path=/EG/**/IfcWall*", true},
        {"/EG/IfcWall*", false},
        {"file=house.ifc", true},
        {"file=*.ifc", true},
        {"file=models*", true},
        {"file=other*", false},
        {"house.ifc", true},
        {"*.ifc", false},                   /* without a key a file is named whole */
        {"models/x=1 & y/house.ifc", true}, /* whatever is in its name */
        {"models/x=1 \\& y/house.ifc", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_that(cm_check_selects(cases[i].selector, &wall) == cases[i].chosen, "%s", cases[i].selector);
}

static void conditions_are_joined_by_and_or_and_not(void **state) {
    (void)state;
    static const char *const values[] = {"class=IfcSlab", "class=IfcWall"}; /* false, true */
    char selector[200];
    for (int bits = 0; bits < 64; bits++) {
        const bool a = bits & 1, b = bits & 2, c = bits & 4, not_a = bits & 8, not_b = bits & 16, not_c = bits & 32;
        snprintf(selector, sizeof selector, "%s%s & %s%s | %s%s", not_a ? "!" : "", values[a], not_b ? "!" : "",
                 values[b], not_c ? "!" : "", values[c]);
        check_that(cm_check_selects(selector, &wall) == (((a ^ not_a) && (b ^ not_b)) || (c ^ not_c)), "%s", selector);
        snprintf(selector, sizeof selector, "%s%s | %s%s & %s%s", not_c ? "!" : "", values[c], not_a ? "!" : "",
                 values[a], not_b ? "!" : "", values[b]);
        check_that(cm_check_selects(selector, &wall) == (((a ^ not_a) && (b ^ not_b)) || (c ^ not_c)), "%s", selector);
    }
    assert_true(cm_check_selects("!layer=x", &wall)); /* it has no layer */
    assert_true(cm_check_selects("!IfcSlab*", &wall));
    assert_false(cm_check_selects("!house.ifc", &wall));
}

static void what_is_no_condition_chooses_nothing(void **state) {
    (void)state;
    static const char *const none[] = {"!", " & ", "class=IfcWall & ", "!class= & x", " | ", "x | !", "=IfcWall", "&",
                                       "|", "\\"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        check_that(!cm_check_selects(none[i], &wall), "'%s'", none[i]);
    const cm_check_part odd = {.name = "=>[0:1]/a & b/!c/d=e"};
    assert_true(cm_check_selects("=>\\[0:1]", &odd)); /* no key stands before it */
    assert_true(cm_check_selects("a \\& b", &odd));
    assert_false(cm_check_selects("a & b", &odd));
    assert_true(cm_check_selects("\\!c", &odd));
    assert_true(cm_check_selects("d\\=e", &odd));
    assert_false(cm_check_selects("d=e", &odd));
    assert_true(cm_check_selects("path=d=e", &odd));
    assert_true(cm_check_selects("!c/d=e", &wall));
}

/* Whatever the bytes, a selector is read to its end and no further (the sanitizers watch). */
static void any_text_is_read(void **state) {
    (void)state;
    static const char alphabet[] = "a*?[]!=&| \\/-^IfcWall";
    rng r = rng_start("selectors of any text", 18);
    size_t chosen = 0;
    for (int i = 0; i < samples(20000, 2000000); i++) {
        const uint32_t length = rng_below(&r, 24);
        char *text = malloc((size_t)length + 1); /* of its very size */
        for (uint32_t k = 0; k < length; k++) text[k] = alphabet[rng_below(&r, sizeof alphabet - 1)];
        text[length] = 0;
        chosen += cm_check_selects(text, &wall);
        free(text);
    }
    check_that(chosen > 10, "%zu", chosen);
}

static void a_property_without_key_or_value_is_chosen_by_nothing(void **state) {
    (void)state;
    const cm_check_property properties[] = {{NULL, "a"}, {"key", NULL}, {NULL, NULL}, {"key", "a"}};
    const cm_check_part part = {.name = "pin", .properties = properties, .property_count = 3};
    assert_false(cm_check_selects("key=*", &part));
    assert_false(cm_check_selects("=a", &part));
    const cm_check_part more = {.name = "pin", .properties = properties, .property_count = 4};
    assert_true(cm_check_selects("key=a", &more));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_are_about_what_a_file_says),
        cmocka_unit_test(conditions_are_joined_by_and_or_and_not),
        cmocka_unit_test(what_is_no_condition_chooses_nothing),
        cmocka_unit_test(any_text_is_read),
        cmocka_unit_test(a_property_without_key_or_value_is_chosen_by_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
