/* Is this build, on this thread, the library that was tested?
 *
 * Guaranteed: a rounding mode other than to nearest and numbers flushed to zero are named. Every other change of the
 * arithmetic is seen where it changes a bit of one of the answers below: fused products and sums, excess precision or
 * reordered sums change many. Input is made of small whole numbers, basic operations and square roots, so that no maths
 * library has a say. */
#include "selftest/selftest.h"
#include "carom/pair.h"
#include "carom/ray.h"
#include "carom/sweep.h"
#include "base/hash.h"
#include "math/point.h"

#include <string.h>

/* The hash over all answers. A change of answers changes it: tools/golden writes it anew. */
#if defined(CAROM_F64)
#define RECORDED UINT64_C(0x73cc04640937813e) /* _f64 */
#else
#define RECORDED UINT64_C(0xca5f90d839aeff3a) /* float */
#endif

static void mix(uint64_t *hash, uint64_t bits) { *hash = hash_bits(*hash, bits); }
static void mix_real(uint64_t *hash, cm_real x) {
    double wide = x == 0 ? 0 : (double)x; /* -0 is 0 */
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    mix(hash, bits);
}
static void mix_vec3(uint64_t *hash, cm_vec3 v) { mix_real(hash, v.x), mix_real(hash, v.y), mix_real(hash, v.z); }

/* One of -1, -0.998 … 1, by a linear congruential generator. */
static cm_real next_number(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return CM_REAL((int)(*state >> 33) % 1001 - 500) / 500;
}
static cm_vec3 next_vec3(uint64_t *state, cm_real size) {
    cm_real x = next_number(state), y = next_number(state), z = next_number(state);
    return cm_v(size * x, size * y, size * z);
}
static cm_motion next_motion(uint64_t *state, bool turns) {
    cm_motion motion = {.start = cm_pose_identity()};
    motion.start.position = next_vec3(state, CM_REAL(1.5));
    cm_vec3 axis = next_vec3(state, 1);
    motion.start.rotation = cm_quat_normalize((cm_quat){axis.x, axis.y, axis.z, CM_REAL(0.5)});
    motion.move = next_vec3(state, 2);
    if (turns) motion.spin = next_vec3(state, 1), motion.pivot = next_vec3(state, CM_REAL(0.2));
    return motion;
}

static void mix_pair(uint64_t *hash, const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    cm_witness witness;
    cm_manifold manifold;
    cm_sweep_hit hit;
    cm_ray_hit ray_hit;
    cm_real distance = cm_distance(a, &ma->start, b, &mb->start, CM_REAL_MAX, &witness);
    mix_real(hash, distance);
    if (cm_abs(distance) < CM_REAL_MAX) {
        mix_vec3(hash, witness.point_a), mix_vec3(hash, witness.point_b), mix_vec3(hash, witness.normal);
    }
    if (cm_contact(a, &ma->start, b, &mb->start, CM_REAL(0.1), &manifold, 1) > 0) {
        mix_vec3(hash, manifold.normal);
        for (int i = 0; i < manifold.count; ++i) {
            mix_vec3(hash, manifold.points[i].point_a), mix_real(hash, manifold.points[i].depth);
        }
    }
    if (cm_sweep(a, ma, b, mb, &hit)) {
        mix_real(hash, hit.first), mix_real(hash, hit.last), mix_vec3(hash, hit.point), mix_vec3(hash, hit.normal);
        mix(hash, (uint64_t)hit.start), mix(hash, hit.blocking);
    }
    cm_ray ray = {.origin = ma->start.position, .direction = cm_sub(mb->start.position, ma->start.position), .max = 2};
    if (cm_raycast(&ray, b, &mb->start, &ray_hit)) mix_real(hash, ray_hit.t), mix_vec3(hash, ray_hit.normal);
}

uint64_t cm__selftest_answers(void) {
    const cm_shape shapes[] = {
        cm_make_point(cm_v(CM_REAL(0.1), 0, 0)),
        cm_make_sphere(cm_v(0, CM_REAL(0.2), 0), CM_REAL(0.7)),
        cm_make_segment(cm_v(-1, 0, CM_REAL(0.1)), cm_v(1, CM_REAL(0.3), 0)),
        cm_make_capsule(cm_v(0, -1, 0), cm_v(CM_REAL(0.1), 1, 0), CM_REAL(0.4)),
        cm_make_triangle(cm_v(-1, 0, 0), cm_v(1, CM_REAL(0.1), 0), cm_v(0, 1, CM_REAL(0.7))),
        cm_make_box(cm_v(1, CM_REAL(0.6), CM_REAL(0.3))),
        cm_make_rounded_box(cm_v(CM_REAL(0.3), CM_REAL(0.5), CM_REAL(0.4)), CM_REAL(0.1)),
        cm_make_cylinder(CM_REAL(0.6), CM_REAL(0.9)),
        cm_make_cone(CM_REAL(0.7), CM_REAL(0.8)),
        cm_make_ellipsoid(cm_v(1, CM_REAL(0.4), CM_REAL(0.7))),
        cm_make_halfspace(cm_v(0, 0, 1), CM_REAL(0.5)),
    };
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    uint64_t state = 1, hash = CM__HASH_START;
    for (int i = 0; i < SHAPES; ++i) {
        for (int k = i; k < SHAPES; ++k) {
            for (int turns = 0; turns < 2; ++turns) {
                cm_motion a = next_motion(&state, turns), b = next_motion(&state, turns);
                mix_pair(&hash, &shapes[i], &a, &shapes[k], &b);
            }
        }
    }
    return hash;
}

/* The tests of the state read and write through volatile, so that no compiler answers them. */
static bool rounds_to_nearest(void) {
    volatile cm_real one = 1, ulp = CM_REAL_EPSILON;
    volatile cm_real little = one + ulp / 4, much = one + 3 * (ulp / 4);
    return little == one && much == one + ulp;
}
static bool keeps_denormals(void) {
    volatile cm_real least = CM_REAL_MIN;
    volatile double wide_least = DBL_MIN;
    volatile cm_real half = least / 2;
    volatile double wide_half = wide_least / 2;
    return half > 0 && half * 2 == least && wide_half > 0 && wide_half * 2 == wide_least;
}

cm_status cm_selftest(cm_error *error) {
    const char *wrong = !rounds_to_nearest()                 ? "rounding"
                        : !keeps_denormals()                 ? "denormals"
                        : cm__selftest_answers() != RECORDED ? "bits"
                                                             : NULL;
    if (!wrong) return CM_OK;
    if (error) *error = (cm_error){CM_UNSUPPORTED, wrong, CM_NONE};
    return CM_UNSUPPORTED;
}
