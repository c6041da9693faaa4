/// carom/base.h: numbers, status codes, memory and tasks; what every other header stands on.
#ifndef CAROM_BASE_H
#define CAROM_BASE_H

#if defined(CAROM_F64)
#include "names_f64.h" /* cm_x becomes cmd_x: both precisions can live in one process */
#if defined(CAROM_INTERNAL)
#include "base/names_f64.h" /* the library and its tests: internal names too */
#endif
#endif

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "carom needs IEEE arithmetic: compile without -ffast-math (/fp:fast)"
#endif
#if defined(CAROM_BUILD) && defined(__TINYC__)
#error "tcc gets some of carom's answers wrong (seen with 0.9.27): compile the library with gcc or clang"
#endif
/* 16: as 0, and _Float16 by itself, on CPUs that have it */
#if defined(CAROM_BUILD) && defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error                                                                                                                 \
    "carom needs arithmetic without excess precision: compile with -msse2 -mfpmath=sse (x86) or -fexcess-precision=fast (s390x)"
#endif

/* A product and a sum fused into one operation (FMA) round once instead of twice, so that answers would hang on flags
 * and CPUs. The library forbids that in its own files and for the functions that stand in these headers. clang's
 * -ffp-contract=fast overrides it (cm_selftest sees that); and where gcc could fuse, it calls those functions instead
 * of inlining them, unless your program, too, is compiled with -ffp-contract=off. */
#if defined(__clang__)
#define CM__NO_FUSING   _Pragma("STDC FP_CONTRACT OFF")
#define CM__FUSING_PUSH _Pragma("float_control(push)")
#define CM__FUSING_POP  _Pragma("float_control(pop)")
#elif defined(__GNUC__) && (defined(__FP_FAST_FMA) || defined(__FP_FAST_FMAF))
#if defined(__FMA__) /* x86: gcc 12 fuses neighboring products and sums (vfmaddsub) in spite of fp-contract=off */
#define CM__NO_FUSING _Pragma("GCC optimize(\"fp-contract=off\", \"no-tree-slp-vectorize\")")
#else
#define CM__NO_FUSING _Pragma("GCC optimize(\"fp-contract=off\")")
#endif
#define CM__FUSING_PUSH _Pragma("GCC push_options")
#define CM__FUSING_POP  _Pragma("GCC pop_options")
#else
#define CM__NO_FUSING
#define CM__FUSING_PUSH
#define CM__FUSING_POP
#endif
#if defined(CAROM_BUILD)
CM__NO_FUSING
#endif

#ifdef __cplusplus
#define CM__C_BEGIN extern "C" {
#define CM__C_END   }
#else
#define CM__C_BEGIN
#define CM__C_END
#endif
#define CM_EXTERN_BEGIN CM__FUSING_PUSH CM__NO_FUSING CM__C_BEGIN
#define CM_EXTERN_END   CM__C_END CM__FUSING_POP

#if defined(_WIN32) && defined(CAROM_SHARED)
#if defined(CAROM_BUILD)
#define CM_API __declspec(dllexport)
#else
#define CM_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CM_API __attribute__((visibility("default")))
#else
#define CM_API
#endif
#define CM_INLINE static inline

#define CM_VERSION_MAJOR 0
#define CM_VERSION_MINOR 1
#define CM_VERSION_PATCH 0
#define CM_VERSION_TEXT  "0.1.0"

CM_EXTERN_BEGIN

/* --- numbers ------------------------------------------------------------------------------------------------- */

/// The number type: float, or double where CAROM_F64 is defined (one precision per translation unit).
#if defined(CAROM_F64)
typedef double cm_real;
#define CM_REAL_MAX     DBL_MAX
#define CM_REAL_MIN     DBL_MIN     /* smallest normal number */
#define CM_REAL_EPSILON DBL_EPSILON /* distance from 1 to the next number: twice the rounding error */
#define CM_COORD_MAX    1e100       /* largest valid |coordinate| */
#else
typedef float cm_real;
#define CM_REAL_MAX     FLT_MAX
#define CM_REAL_MIN     FLT_MIN
#define CM_REAL_EPSILON FLT_EPSILON
#define CM_COORD_MAX    1e15f
#endif
/// A literal in the library's precision: CM_REAL(0.5).
#define CM_REAL(x) ((cm_real)(x))

/// No part, triangle, feature or object.
#define CM_NONE UINT32_MAX

/* --- status -------------------------------------------------------------------------------------------------- */

/// Every status once: name, text.
#define CM_STATUS_LIST(X)                                                                                              \
    X(OK, "ok")                                                                                                        \
    X(NO_MEMORY, "out of memory")                                                                                      \
    X(INVALID, "invalid argument")                                                                                     \
    X(NOT_FINITE, "a number is NaN, infinite or beyond the valid range")                                               \
    X(OUT_OF_RANGE, "an index is out of range")                                                                        \
    X(STALE_ID, "the id is stale or foreign")                                                                          \
    X(LIMIT, "a limit was reached")                                                                                    \
    X(NOT_SOLID, "the mesh is not closed: an edge is not cancelled by its reverse")                                    \
    X(UNSUPPORTED, "not supported")                                                                                    \
    X(BAD_DATA, "the data is damaged")

typedef enum cm_status {
#define CM_STATUS_ENUM(name, text) CM_##name,
    CM_STATUS_LIST(CM_STATUS_ENUM)
#undef CM_STATUS_ENUM
} cm_status;

/// A short English text for a status; "unknown status" for a number that is none. Never NULL.
CM_API const char *cm_status_text(cm_status status);

/// What was wrong with a description: the field's name and, for arrays, the first bad index (else CM_NONE).
/// `field` is a static string, or NULL when no field is to blame (memory, a limit, an argument that is NULL). Whatever
/// takes a cm_error fills it with every answer but CM_OK, which leaves it untouched.
typedef struct cm_error {
    cm_status status;
    const char *field;
    uint32_t index;
} cm_error;

/// The version the library was built as, e.g. "0.1.0".
CM_API const char *cm_version(void);

/* --- memory -------------------------------------------------------------------------------------------------- */

/// Where owning objects take memory from. NULL instead of a cm_allocator means malloc.
/// `allocate(user, NULL, 0, n)` gives n bytes aligned for any type, or NULL; `allocate(user, p, old, n)` grows or
/// shrinks; `allocate(user, p, old, 0)` frees and returns NULL. `old` is always the size asked for before.
/// A failed growth must leave the old block as it was. It is called in the caller's thread, never by a worker of tasks.
typedef struct cm_allocator {
    void *user;
    void *(*allocate)(void *user, void *block, size_t old_size, size_t new_size);
} cm_allocator;

/* --- tasks --------------------------------------------------------------------------------------------------- */

/// How the library runs work in parallel. `run` calls fn(arg, index, worker) once for each index in [0, count) with
/// worker in [0, workers), in any order, and returns when all are done. NULL instead of a cm_tasks means serial.
/// Answers never depend on it.
typedef struct cm_tasks {
    void *user;
    int workers;
    void (*run)(void *user, int count, void (*fn)(void *arg, int index, int worker), void *arg);
} cm_tasks;

/// A small pool of threads that implements cm_tasks.
typedef struct cm_pool cm_pool;

/// Starts `workers` - 1 threads (the caller of run is a worker too); 0 means one worker per CPU.
/// @param mem  NULL = malloc.
/// @return CM_OK, CM_INVALID (workers < 0 or > 1024), CM_NO_MEMORY, CM_LIMIT (a thread could not be started), or
/// CM_UNSUPPORTED where the platform has no POSIX threads.
CM_API cm_status cm_pool_create(int workers, const cm_allocator *mem, cm_pool **out);
/// The interface to hand to functions that take a cm_tasks; valid until the pool is destroyed.
CM_API void cm_pool_tasks(cm_pool *pool, cm_tasks *out);
/// Stops and joins the threads. NULL is fine.
CM_API void cm_pool_destroy(cm_pool *pool);

CM_EXTERN_END
#endif
