/* Runs the golden tests of the library (test/golden) within WebAssembly, on the object that the package's module is
 * linked from: golden_message says what failed, after the trap. */
#include "support/support.h"

static char message[1000];
__attribute__((export_name("golden_message"))) const char *golden_message(void) { return message; }

void print_error(const char *format, ...) {
    size_t used = strlen(message);
    va_list list;
    va_start(list, format);
    vsnprintf(message + used, sizeof message - used, format, list);
    va_end(list);
}
_Noreturn void fail(void) { __builtin_trap(); }

int golden_run(const CMUnitTest *tests, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        snprintf(message, sizeof message, "%s: ", tests[i].name);
        tests[i].run(NULL);
    }
    message[0] = 0;
    return (int)count;
}

/* Whoever runs the tests does it: in threads, or one after the other. */
__attribute__((import_module("carom"), import_name("run"))) void
run(void *user, int count, void (*fn)(void *arg, int index, int worker), void *arg);
#if defined(CAROM_F64)
#define WRAP(name) __wrap_cmd_pool_##name
#else
#define WRAP(name) __wrap_cm_pool_##name
#endif
cm_status WRAP(create)(int workers, const cm_allocator *mem, cm_pool **out) {
    (void)workers, (void)mem;
    *out = NULL;
    return CM_OK;
}
void WRAP(tasks)(cm_pool *pool, cm_tasks *out) {
    (void)pool;
    *out = (cm_tasks){.workers = 3, .run = run};
}
void WRAP(destroy)(cm_pool *pool) { (void)pool; }

/* GOLDEN_LIST(X) comes from the command line: every file of test/golden. */
#define DECLARE(name) int golden_##name(void);
GOLDEN_LIST(DECLARE)
#define CALL(name)                                                                                                     \
    __attribute__((export_name("test_" #name))) int run_##name(void) { return golden_##name(); }
GOLDEN_LIST(CALL)
