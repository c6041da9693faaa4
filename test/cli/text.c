#include "support/support.h"

#include "read/names.h"
#include "common/text.h"
#include "common/units.h"

#include <math.h>

#define BAD "\xef\xbf\xbd" /* U+FFFD */

static void check_clean(const char *bytes, size_t size, const char *expected) {
    char *clean = clean_text(bytes, size);
    assert_string_equal(clean, expected);
    free(clean);
}

static void text_from_files_loses_what_could_move_a_cursor(void **state) {
    (void)state;
    check_clean("\033[2Jx", 5, BAD "[2Jx");
    check_clean("a\nb\tc\rd\x7f", 8, "a" BAD "b" BAD "c" BAD "d" BAD);
    check_clean("\xc2\x9b"
                "31m",
                5, BAD "31m"); /* C1 control, as UTF-8 */
    check_clean("\x9b"
                "31m",
                4, BAD "31m");                         /* and as a byte */
    check_clean("x\xe2\x80\xaegnp", 7, "x" BAD "gnp"); /* right to left */
    check_clean("T\xc3\xbcr \xe2\x82\xac", 8, "T\xc3\xbcr \xe2\x82\xac");
    check_clean("\xc0\xaf", 2, BAD BAD);                 /* overlong */
    check_clean("\xed\xa0\x80", 3, BAD BAD BAD);         /* surrogate */
    check_clean("\xf4\x90\x80\x80", 4, BAD BAD BAD BAD); /* beyond Unicode */
    check_clean("ab\xe2\x82", 4, "ab" BAD BAD);          /* cut off */
    check_clean("ab\0cd", 5, "ab");
    check_clean("", 0, "");
}

static void random_bytes_become_printable_utf8(void **state) {
    (void)state;
    rng r = rng_start("bytes", 7);
    for (int i = 0; i < samples(2000, 200000); i++) {
        char bytes[24];
        size_t size = rng_below(&r, sizeof bytes + 1);
        for (size_t k = 0; k < size; k++) bytes[k] = (char)rng_bits(&r);
        char *once = clean_text(bytes, size), *twice = clean_text(once, strlen(once));
        assert_string_equal(once, twice);
        for (const char *at = once; *at; at++) assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
        free(once);
        free(twice);
    }
}

static void long_text_is_cut_in_its_middle(void **state) {
    (void)state;
    char *same = shorten_text("abc", 3), *cut = shorten_text("abcdefghij", 5),
         *wide = shorten_text("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 3);
    assert_string_equal(same, "abc");
    assert_string_equal(cut, "ab\xe2\x80\xa6ij");
    assert_string_equal(wide, "\xc3\xbc\xe2\x80\xa6\xc3\xbc");
    free(same), free(cut), free(wide);
}

static void check_length(const char *text, double metres) {
    double got;
    const char *wrong;
    check_that(length_from_text(text, &got, &wrong), "%s: %s", text, wrong);
    check_that(fabs(got - metres) <= 1e-15 * metres, "%s is %.17g, not %.17g", text, got, metres);
}
static void check_no_length(const char *text, const char *why) {
    double got;
    const char *wrong;
    check_that(!length_from_text(text, &got, &wrong), "%s was taken", text);
    check_that(strstr(wrong, why) != NULL, "%s: '%s' does not say '%s'", text, wrong, why);
}

static void lengths_need_a_unit(void **state) {
    (void)state;
    check_length("5mm", 0.005);
    check_length(" 0.3 in ", 0.3 * 0.0254);
    check_length("1e-3m", 0.001);
    check_length("2 Inches", 2 * 0.0254);
    check_length("10\xc2\xb5m", 10e-6);
    check_length("0", 0);
    check_length(".5cm", 0.005);
    check_no_length("5", "no unit");
    check_no_length("-1mm", "negative");
    check_no_length("5 parsec", "unknown unit");
    check_no_length("5,5mm", "has a comma");
    check_no_length("nan mm", "not a length");
    check_no_length("infm", "not a length");
    check_no_length("0x10mm", "not a length");
    check_no_length("1e400m", "not a length");
    check_no_length("1e18m", "too large");
    check_no_length("", "not a length");
    check_no_length("mm", "not a length");
}

static void memory_and_time_have_units(void **state) {
    (void)state;
    double n;
    assert_true(memory_from_text("2GB", &n) && n == 2e9);
    assert_true(memory_from_text("512", &n) && n == 512e6);
    assert_true(memory_from_text("1 GiB", &n) && n == 1073741824.0);
    assert_false(memory_from_text("10 k", &n)); /* no importer fits into that */
    assert_false(memory_from_text("2 apples", &n));
    assert_true(seconds_from_text("1.5", &n) && n == 1.5);
    assert_true(seconds_from_text("5min", &n) && n == 300);
    assert_false(seconds_from_text("0", &n));
    assert_false(seconds_from_text("-3s", &n));
}

static void every_name_is_given_once(void **state) {
    (void)state;
    name_set set = {0};
    char *a = name_set_add(&set, copy_text("bolt")), *b = name_set_add(&set, copy_text("bolt#2"));
    char *c = name_set_add(&set, copy_text("bolt")), *d = name_set_add(&set, copy_text("bolt"));
    assert_string_equal(a, "bolt");
    assert_string_equal(b, "bolt#2");
    assert_string_equal(c, "bolt#3");
    assert_string_equal(d, "bolt#4");
    free(a), free(b), free(c), free(d);
    for (int i = 0; i < 20000; i++) {
        char *name = name_set_add(&set, copy_text("screw"));
        if (i == 19999) assert_string_equal(name, "screw#20000");
        free(name);
    }
    name_set_free(&set);
}

/* Parts of one file that have none but the file's, which is named twice. */
static void a_number_makes_no_name_of_another_file(void **state) {
    (void)state;
    name_set titles = {0}, first = {.apart = &titles}, second = {.apart = &titles};
    char *names[6] = {name_set_add(&titles, copy_text("a.obj")),   name_set_add(&titles, copy_text("a.obj")),
                      name_set_add(&first, copy_text("a.obj")),    name_set_add(&first, copy_text("a.obj")),
                      name_set_add(&second, copy_text("a.obj#2")), name_set_add(&second, copy_text("a.obj#2"))};
    static const char *const want[6] = {"a.obj", "a.obj#2", "a.obj", "a.obj#3", "a.obj#2", "a.obj#2#2"};
    for (int i = 0; i < 6; i++) {
        assert_string_equal(names[i], want[i]);
        free(names[i]);
    }
    name_set_free(&titles), name_set_free(&first), name_set_free(&second);
}

static void pairs_split_at_the_first_free_colon(void **state) {
    (void)state;
    const char *second;
    char *first = pair_split("a\\:b:c:d", &second);
    assert_string_equal(first, "a\\:b");
    assert_string_equal(second, "c:d");
    free(first);
    assert_null(pair_split("ab", &second));
    assert_null(pair_split(":b", &second));
    assert_null(pair_split("a:", &second));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_from_files_loses_what_could_move_a_cursor),
        cmocka_unit_test(random_bytes_become_printable_utf8),
        cmocka_unit_test(long_text_is_cut_in_its_middle),
        cmocka_unit_test(lengths_need_a_unit),
        cmocka_unit_test(memory_and_time_have_units),
        cmocka_unit_test(every_name_is_given_once),
        cmocka_unit_test(a_number_makes_no_name_of_another_file),
        cmocka_unit_test(pairs_split_at_the_first_free_colon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
