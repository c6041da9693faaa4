/* What every test needs: cmocka with its includes, seeded random numbers, failing allocators, recorded data. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <carom/carom.h>

#if defined(CAROM_F64)
#define REAL_FORMAT "%.17g"
#else
#define REAL_FORMAT "%.9g"
#endif

/* Checks a condition and prints what the numbers were where it fails: check_that(d <= 0, "distance %g", d). */
#define check_that(condition, ...)                                                                                     \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error("%s:%d: not so: %s; ", __FILE__, __LINE__, #condition);                                        \
            print_error(__VA_ARGS__);                                                                                  \
            print_error("\n");                                                                                         \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* --- random numbers: the same on every machine --------------------------------------------------------------- */

typedef struct rng {
    uint64_t state;
} rng;

/* Starts a sequence and prints its seed. CAROM_SEED=n in the environment gives other sequences, one for each n. */
rng rng_start(const char *what, uint64_t seed);
uint64_t rng_bits(rng *r);
uint32_t rng_below(rng *r, uint32_t n);
double rng_unit(rng *r);                            /* in [0, 1) */
double rng_range(rng *r, double lo, double hi);     /* in [lo, hi) */
double rng_log_range(rng *r, double lo, double hi); /* log-uniform, lo > 0 */
cm_vec3 rng_vec3(rng *r, double half);              /* in the cube [-half, half)^3 */
cm_vec3 rng_direction(rng *r);                      /* unit, uniform over the sphere */
cm_quat rng_rotation(rng *r);                       /* uniform over the rotations */
cm_pose rng_pose(rng *r, double half);

bool has_parts(const cm_shape *s); /* a mesh, a height field or a compound */

/* `normal` in ./check, `deep` in ./check --deep (CAROM_DEEP=1); with CAROM_SHARE=n only an n-th of a normal of 40 and
 * more. */
int samples(int normal, int deep);
/* For a few costly rounds, each over all kinds of cases: with CAROM_SHARE=n an n-th, and one at least. */
int few_samples(int normal, int deep);
/* That n, else 1: where a loop over all cases may be one over every nth. */
int share(void);
/* A row of docs/guide/promises.md, at the end of the file that CAROM_PROMISES names, if any: what is promised, of how
 * many, and the worst that was seen, in words. */
void promise_seen(const char *promise, long count, const char *seen, ...);

/* --- memory -------------------------------------------------------------------------------------------------- */

/* An allocator that counts, checks every size given back, and fails at the nth call (0 = never). It ends the test where
 * another thread asks than the one that started it: the library asks in the caller's alone. */
typedef struct counting_allocator {
    cm_allocator mem; /* pass &c.mem */
    size_t calls, live_blocks, live_bytes, peak_bytes;
    size_t fail_at;
    const void *thread;
} counting_allocator;
void counting_allocator_start(counting_allocator *c, size_t fail_at);

/* --- recorded data ------------------------------------------------------------------------------------------- */

/* The path of a recorded file, or NULL (after saying so loudly) where the data folder is absent; then the test must
 * skip(). A file missing from a present folder fails the test. The text is valid until the next call. */
const char *data_path(const char *relative);

/* A mesh file as tests read it: OBJ (fan triangulated, file order, negative indices) or STL (binary or ascii, points
 * not joined). Numbers exactly as written, in double. */
typedef struct mesh_file {
    double *points; /* x y z … */
    uint32_t point_count;
    uint32_t *indices;
    uint32_t triangle_count;
} mesh_file;
bool mesh_file_load(const char *path, mesh_file *out);
void mesh_file_free(mesh_file *file);
/* Points in the library's precision; free() it. */
cm_real *mesh_file_reals(const mesh_file *file);

#endif
