/* As much of cmocka as the golden tests take: a failed check writes down why, and traps. */
#ifndef CMOCKA_H
#define CMOCKA_H
#include <stddef.h>

typedef struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
} CMUnitTest;

void print_error(const char *format, ...);
_Noreturn void fail(void);
int golden_run(const CMUnitTest *tests, size_t count);

#define print_message(...) ((void)0)
#define fail_msg(...)      (print_error(__VA_ARGS__), fail())
#define cmocka_unit_test(test)                                                                                         \
    { #test, test }
#define assert_true(x)                                 ((x) ? (void)0 : (print_error("%s:%d: not so: %s", __FILE__, __LINE__, #x), fail()))
#define assert_false(x)                                assert_true(!(x))
#define assert_int_equal(a, b)                         assert_true((a) == (b))
#define assert_non_null(x)                             assert_true((x) != NULL)
#define assert_memory_equal(a, b, size)                assert_true(memcmp(a, b, size) == 0)
#define skip()                                         return
#define cmocka_run_group_tests(tests, setup, teardown) golden_run(tests, sizeof(tests) / sizeof(tests)[0])
#endif
