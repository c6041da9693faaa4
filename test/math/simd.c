/* Every operation of math/simd.h and math/simd_wide.h against plain C, lane by lane, to the bit: with NaN, -0,
 * infinities, denormals and what is out of range. Built besides with AVX2, with AVX-512 and in the plain form
 * (CMakeLists.txt). */
#include "math/simd_wide.h"
#include "support/support.h"

enum { ROUNDS = 4000 };

static const double special[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 (double)NAN,
                                 (double)INFINITY,
                                 (double)-INFINITY,
                                 0x1p-149,
                                 0x1p-74,
                                 -0x1p-74,
                                 0x1p-1074,
                                 0x1p-1060,
                                 (double)FLT_MAX,
                                 (double)-FLT_MAX,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 (double)FLT_MIN,
                                 DBL_MIN,
                                 0.5,
                                 0x1p31,
                                 -0x1p31,
                                 0x1.8p31,
                                 3e9,
                                 -3e9,
                                 1e30,
                                 2.5,
                                 -2.5,
                                 2147483520,
                                 0x1.2p-130,
                                 0x1p-1030,
                                 3,
                                 0x1.555556p0};

static double some_f64(rng *r) {
    const uint32_t kind = rng_below(r, 4);
    if (kind < 2) return special[rng_below(r, sizeof special / sizeof *special)];
    return rng_range(r, -1000, 1000) * (kind == 2 ? 1 : 0x1p-140);
}
static float some_f32(rng *r) { return (float)some_f64(r); }
static uint32_t some_u32(rng *r) {
    static const uint32_t edge[] = {0, 1, 7, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 0x10000};
    return rng_below(r, 2) ? edge[rng_below(r, 8)] : (uint32_t)rng_bits(r);
}
static uint16_t some_u16(rng *r) {
    static const uint16_t edge[] = {0, 1, 2, 0x7fff, 0x8000, 0xfffe, 0xffff, 255};
    return rng_below(r, 2) ? edge[rng_below(r, 8)] : (uint16_t)rng_bits(r);
}

/* One is as good as another NaN. */
static bool same_f32(float a, float b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }
static bool same_f64(double a, double b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }
static bool same_u64(uint64_t a, uint64_t b) { return a == b; }

/* `wanted` is an expression in x[i] and y[i]. */
#define EACH_LANE(V, T, N, same, result, wanted)                                                                       \
    do {                                                                                                               \
        const V of_all = (result);                                                                                     \
        T out[N];                                                                                                      \
        memcpy(out, &of_all, sizeof out);                                                                              \
        for (int i = 0; i < (N); ++i) {                                                                                \
            const T want = (T)(wanted);                                                                                \
            check_that(same(out[i], want), "%s, lane %d: %.17g, not %.17g", #result, i, (double)out[i], (double)want); \
        }                                                                                                              \
    } while (0)

#define FILL(T, N, name, some)                                                                                         \
    T name[N];                                                                                                         \
    for (int i = 0; i < (N); ++i) name[i] = some(&r)

#define BITS_ARE(result, N, condition)                                                                                 \
    do {                                                                                                               \
        uint32_t want = 0;                                                                                             \
        for (int i = 0; i < (N); ++i) want |= (uint32_t)((condition) ? 1 : 0) << i;                                    \
        check_that((result) == want, "%s: %x, not %x", #result, (unsigned)(result), (unsigned)want);                   \
    } while (0)

/* What f32x4, f64x2 and f32x8 have in common. */
#define CHECK_ARITHMETIC(V, T, N, same, square_root)                                                                   \
    EACH_LANE(V, T, N, same, V##_load(x), x[i]);                                                                       \
    EACH_LANE(V, T, N, same, V##_all(x[1]), x[1]);                                                                     \
    EACH_LANE(V, T, N, same, V##_add(a, b), x[i] + y[i]);                                                              \
    EACH_LANE(V, T, N, same, V##_sub(a, b), x[i] - y[i]);                                                              \
    EACH_LANE(V, T, N, same, V##_mul(a, b), x[i] * y[i]);                                                              \
    EACH_LANE(V, T, N, same, V##_div(a, b), x[i] / y[i]);                                                              \
    EACH_LANE(V, T, N, same, V##_sqrt(a), square_root(x[i]));                                                          \
    EACH_LANE(V, T, N, same, V##_min(a, b), x[i] < y[i] ? x[i] : y[i]);                                                \
    EACH_LANE(V, T, N, same, V##_max(a, b), x[i] > y[i] ? x[i] : y[i]);                                                \
    EACH_LANE(V, T, N, same, V##_abs(a), signbit(x[i]) ? -x[i] : x[i])

#define CHECK_MASKS(V, W, T, N, same)                                                                                  \
    BITS_ARE(W##_mask(V##_lt(a, b)), N, x[i] < y[i]);                                                                  \
    BITS_ARE(W##_mask(V##_le(a, b)), N, x[i] <= y[i]);                                                                 \
    BITS_ARE(W##_mask(V##_gt(a, b)), N, x[i] > y[i]);                                                                  \
    BITS_ARE(W##_mask(V##_ge(a, b)), N, x[i] >= y[i]);                                                                 \
    BITS_ARE(W##_mask(V##_ne(a, b)), N, x[i] != y[i]);                                                                 \
    EACH_LANE(V, T, N, same, V##_select(V##_lt(a, b), a, b), x[i] < y[i] ? x[i] : y[i]);                               \
    EACH_LANE(V, T, N, same, V##_where(V##_ge(a, b), a), x[i] >= y[i] ? x[i] : 0);                                     \
    EACH_LANE(V, T, N, same, V##_flip(a, V##_all((T)-0.0)), -x[i]);                                                    \
    EACH_LANE(V, T, N, same, V##_signed(V##_all(3), a), signbit(x[i]) ? -3 : 3)

static void floats_are_plain_floats(void **state) {
    (void)state;
    rng r = rng_start(__func__, 1);
    for (int n = samples(ROUNDS, 100 * ROUNDS); n-- > 0;) {
        FILL(float, 4, x, some_f32);
        FILL(float, 4, y, some_f32);
        const f32x4 a = f32x4_load(x), b = f32x4_load(y);
        CHECK_ARITHMETIC(f32x4, float, 4, same_f32, sqrtf);
        CHECK_MASKS(f32x4, u32x4, float, 4, same_f32);
        BITS_ARE(f32x4_mask(a), 4, signbit(x[i]));
        EACH_LANE(u32x4, uint32_t, 4, same_u64, u32x4_of_f32(a),
                  x[i] >= -0x1p31f && x[i] < 0x1p31f ? (uint32_t)(int32_t)x[i] : UINT32_C(1) << 31);
        EACH_LANE(f64x2, double, 2, same_f64, f64x2_of_f32(a), (double)x[i]);
        assert_true(same_f32(f32x4_first(a), x[0]));
        float most = x[0];
        bool number = true;
        for (int i = 0; i < 4; ++i) most = x[i] > most ? x[i] : most, number &= x[i] == x[i];
        if (number) check_that(f32x4_most(a) == most, "most: %g, not %g", (double)f32x4_most(a), (double)most);
    }
}

static void doubles_are_plain_doubles(void **state) {
    (void)state;
    rng r = rng_start(__func__, 1);
    for (int n = samples(ROUNDS, 100 * ROUNDS); n-- > 0;) {
        FILL(double, 2, x, some_f64);
        FILL(double, 2, y, some_f64);
        const f64x2 a = f64x2_load(x), b = f64x2_load(y);
        CHECK_ARITHMETIC(f64x2, double, 2, same_f64, sqrt);
        CHECK_MASKS(f64x2, u64x2, double, 2, same_f64);
        EACH_LANE(f32x4, float, 4, same_f32, f32x4_of_f64(a, b), (float)(i < 2 ? x[i] : y[i - 2]));
        assert_true(same_f64(f64x2_low(a), x[0]) && same_f64(f64x2_high(a), x[1]));
        check_that(same_f64(cm__least(x[0], y[0]), x[0] < y[0] ? x[0] : y[0]), "least of %g and %g", x[0], y[0]);
        check_that(same_f64(cm__most(x[0], y[0]), x[0] > y[0] ? x[0] : y[0]), "most of %g and %g", x[0], y[0]);
    }
}

static void eight_are_plain(void **state) {
    (void)state;
    rng r = rng_start(__func__, 1);
    for (int n = samples(ROUNDS, 100 * ROUNDS); n-- > 0;) {
        FILL(float, 8, x, some_f32);
        FILL(float, 8, y, some_f32);
        const f32x8 a = f32x8_load(x), b = f32x8_load(y);
        CHECK_ARITHMETIC(f32x8, float, 8, same_f32, sqrtf);
        EACH_LANE(f32x8, float, 8, same_f32, f32x8_neg(a), -x[i]);
        BITS_ARE(u32x8_mask(f32x8_le(a, b)), 8, x[i] <= y[i]);
        BITS_ARE(u32x8_mask(f32x8_ge(a, b)), 8, x[i] >= y[i]);
        FILL(uint32_t, 8, u, some_u32);
        FILL(uint32_t, 8, v, some_u32);
        const u32x8 c = u32x8_load(u), d = u32x8_load(v);
        EACH_LANE(u32x8, uint32_t, 8, same_u64, u32x8_and(c, d), u[i] & v[i]);
        EACH_LANE(u32x8, uint32_t, 8, same_u64, u32x8_or(c, d), u[i] | v[i]);
        EACH_LANE(u32x8, uint32_t, 8, same_u64, u32x8_eq(c, u32x8_all(u[3])), u[i] == u[3] ? UINT32_MAX : 0);
        EACH_LANE(u32x8, uint32_t, 8, same_u64, u32x8_xor(c, d), u[i] ^ v[i]);
        EACH_LANE(u32x8, uint32_t, 8, same_u64, u32x8_bits_of_f32x8(f32x8_load((const float *)u)), u[i]);
        EACH_LANE(f32x8, float, 8, same_f32, f32x8_of_bytes((const uint8_t *)u), ((const uint8_t *)u)[i]);
        static const uint32_t cyclic[3][4] = {{0, 1, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}};
        f32x4 points[8];
        f32x8 along[3];
        for (int i = 0; i < 8; ++i) points[i] = f32x4_of(x[i], y[i], (float)i, 9);
        f32x8_points(points, cyclic[n % 3], along);
        EACH_LANE(f32x8, float, 8, same_f32, along[(3 - n % 3) % 3], x[i]);
        EACH_LANE(f32x8, float, 8, same_f32, along[(4 - n % 3) % 3], y[i]);
        EACH_LANE(f32x8, float, 8, same_f32, along[(5 - n % 3) % 3], (float)i);
        float most = x[0];
        bool number = true;
        for (int i = 0; i < 8; ++i) most = x[i] > most ? x[i] : most, number &= x[i] == x[i];
        if (number) check_that(f32x8_most(a) == most, "most: %g, not %g", (double)f32x8_most(a), (double)most);
        uint32_t least = u[0];
        for (int i = 1; i < 8; ++i) least = u[i] < least ? u[i] : least;
        check_that(u32x8_least(c) == least, "least: %x, not %x", (unsigned)u32x8_least(c), (unsigned)least);
    }
}

/* Sums of products of whole numbers are exact, fused or not. */
static void products_and_sums_are_either_way(void **state) {
    (void)state;
    const float x[8] = {1, 2, 3, -4, 5, 0, 7, 8}, y[8] = {3, -1, 4, 1, 5, 9, 2, 6}, z[8] = {2, 7, -1, 8, 2, 8, 1, 8};
    const f32x8 a = f32x8_load(x), b = f32x8_load(y), c = f32x8_load(z);
    EACH_LANE(f32x8, float, 8, same_f32, f32x8_mul_add(a, b, c), x[i] * y[i] + z[i]);
    EACH_LANE(f32x8, float, 8, same_f32, f32x8_mul_sub(a, b, c), x[i] * y[i] - z[i]);
    EACH_LANE(f32x8, float, 8, same_f32, f32x8_sub_mul(a, b, c), x[i] - y[i] * z[i]);
}

static void integers_are_plain_integers(void **state) {
    (void)state;
    rng r = rng_start(__func__, 1);
    for (int n = samples(ROUNDS, 100 * ROUNDS); n-- > 0;) {
        FILL(uint32_t, 4, u, some_u32);
        FILL(uint32_t, 4, v, some_u32);
        const u32x4 a = u32x4_load(u), b = u32x4_load(v);
        EACH_LANE(u32x4, uint32_t, 4, same_u64, u32x4_add(a, b), u[i] + v[i]);
        EACH_LANE(u32x4, uint32_t, 4, same_u64, u32x4_sub(a, b), u[i] - v[i]);
        EACH_LANE(u32x4, uint32_t, 4, same_u64, u32x4_and(a, b), u[i] & v[i]);
        EACH_LANE(u32x4, uint32_t, 4, same_u64, u32x4_or(a, b), u[i] | v[i]);
        EACH_LANE(u32x4, uint32_t, 4, same_u64, u32x4_xor(a, b), u[i] ^ v[i]);
        EACH_LANE(u32x4, uint32_t, 4, same_u64, u32x4_and_not(a, b), u[i] & ~v[i]);
        BITS_ARE(u32x4_mask(u32x4_gt(a, b)), 4, u[i] > v[i]);
        BITS_ARE(u32x4_mask(u32x4_eq(a, b)), 4, u[i] == v[i]);
        BITS_ARE(u32x4_mask(a), 4, u[i] >> 31);
        FILL(uint16_t, 8, x, some_u16);
        FILL(uint16_t, 8, y, some_u16);
        const u16x8 c = u16x8_load(x), d = u16x8_load(y);
        EACH_LANE(u16x8, uint16_t, 8, same_u64, u16x8_sub(c, d), x[i] - y[i]);
        EACH_LANE(u16x8, uint16_t, 8, same_u64, u16x8_and(c, d), x[i] & y[i]);
        EACH_LANE(u16x8, uint16_t, 8, same_u64, u16x8_min(c, d), x[i] < y[i] ? x[i] : y[i]);
        EACH_LANE(u16x8, uint16_t, 8, same_u64, u16x8_sub_sat(c, d), x[i] > y[i] ? x[i] - y[i] : 0);
        EACH_LANE(u16x8, uint16_t, 8, same_u64, u16x8_mul_high(c, d), (uint32_t)x[i] * y[i] >> 16);
        EACH_LANE(u16x8, uint16_t, 8, same_u64, u16x8_of_u32(a, b), i < 4 ? u[i] : v[i - 4]);
        EACH_LANE(u16x8, uint16_t, 8, same_u64, u16x8_evens(c, d), i < 4 ? x[2 * i] : y[2 * i - 8]);
        EACH_LANE(u16x8, uint16_t, 8, same_u64, u16x8_odds(c, d), i < 4 ? x[2 * i + 1] : y[2 * i - 7]);
        EACH_LANE(u32x4, uint32_t, 4, same_u64, u16x8_dot(c, d),
                  (uint32_t)((int64_t)(int16_t)x[2 * i] * (int16_t)y[2 * i] +
                             (int64_t)(int16_t)x[2 * i + 1] * (int16_t)y[2 * i + 1]));
    }
}

static void lanes_move_as_named(void **state) {
    (void)state;
    const float x[4] = {1, 2, 3, 4}, y[4] = {5, 6, 7, 8};
    const double p[2] = {1, 2}, q[2] = {3, 4};
    const f32x4 a = f32x4_load(x), b = f32x4_load(y);
    const f64x2 c = f64x2_load(p), d = f64x2_load(q);
#define LANES_ARE(result, ...)                                                                                         \
    do {                                                                                                               \
        const float lanes_want[4] = {__VA_ARGS__};                                                                     \
        EACH_LANE(f32x4, float, 4, same_f32, result, lanes_want[i]);                                                   \
    } while (0)
#define TWO_ARE(result, ...)                                                                                           \
    do {                                                                                                               \
        const double lanes_want[2] = {__VA_ARGS__};                                                                    \
        EACH_LANE(f64x2, double, 2, same_f64, result, lanes_want[i]);                                                  \
    } while (0)
    LANES_ARE(f32x4_of(1, 2, 3, 4), 1, 2, 3, 4);
    LANES_ARE(f32x4_mix(a, b, 3, 4, 0, 7), 4, 5, 1, 8);
    LANES_ARE(f32x4_pick(a, 2, 0, 3, 3), 3, 1, 4, 4);
    LANES_ARE(f32x4_lane(a, 2), 3, 3, 3, 3);
    LANES_ARE(f32x4_zip_low(a, b), 1, 5, 2, 6);
    LANES_ARE(f32x4_zip_high(a, b), 3, 7, 4, 8);
    LANES_ARE(f32x4_low_halves(a, b), 1, 2, 5, 6);
    LANES_ARE(f32x4_high_halves(a, b), 3, 4, 7, 8);
    LANES_ARE(f32x4_load2(x + 1), 2, 3, 0, 0);
    LANES_ARE(f32x4_gather3(x), 1, 2, 3, 0);
    LANES_ARE(f32x4_gather4(x), 1, 2, 3, 4);
    float two[3] = {0, 0, 9};
    f32x4_store2(two, b);
    assert_true(two[0] == 5 && two[1] == 6 && two[2] == 9);
    uint32_t both[3] = {0, 0, 9};
    u32x4_store2(both, u32x4_of(5, 6, 7, 8));
    assert_true(both[0] == 5 && both[1] == 6 && both[2] == 9);
    TWO_ARE(f64x2_of(1, 2), 1, 2);
    TWO_ARE(f64x2_swap(c), 2, 1);
    TWO_ARE(f64x2_lows(c, d), 1, 3);
    TWO_ARE(f64x2_highs(c, d), 2, 4);
    TWO_ARE(f64x2_mix(c, d, 1, 2), 2, 3);
    f32x4 rows[4] = {a, b, f32x4_sub(f32x4_all(0), a), f32x4_sub(f32x4_all(0), b)};
    f32x4_transpose(rows);
    for (int k = 0; k < 4; ++k) LANES_ARE(rows[k], x[k], y[k], -x[k], -y[k]);
    u32x4 words[4];
    for (uint32_t k = 0; k < 4; ++k) words[k] = u32x4_of(k, 10 + k, 20 + k, 30 + k);
    u32x4_transpose(words);
    for (uint32_t k = 0; k < 4; ++k) EACH_LANE(u32x4, uint32_t, 4, same_u64, words[k], 10 * k + (uint32_t)i);
}

/* Four numbers each of as many places as there are lanes: row k has number k of each place, in their order. */
static void places_become_rows(void **state) {
    (void)state;
    enum { WIDTH = SIMD_BYTES / 4, EACH = 5 };
    float x[WIDTH * EACH], out[WIDTH];
    const void *places[WIDTH];
    for (int i = 0; i < WIDTH * EACH; ++i) x[i] = (float)i;
    for (int i = 0; i < WIDTH; ++i) places[i] = x + (7 * i % WIDTH) * EACH; /* not one behind the other */
    f32w rows[4];
    for (int k = 0; k < 4; ++k) rows[k] = f32w_quads(places + k, sizeof(float));
    f32w_transpose(rows);
    for (int k = 0; k < 4; ++k) {
        f32w_store(out, rows[k]);
        for (int i = 0; i < WIDTH; ++i)
            check_that(out[i] == (float)(7 * i % WIDTH * EACH + 1 + k), "row %d, lane %d: %g", k, i, (double)out[i]);
    }
}

/* The widest vectors: of 64 numbers as many as fit. */
static void widest_are_plain(void **state) {
    (void)state;
    rng r = rng_start(__func__, 1);
    for (int n = samples(ROUNDS, 100 * ROUNDS); n-- > 0;) {
        FILL(float, SIMD_BYTES / 4, x, some_f32);
        FILL(double, SIMD_BYTES / 4, p, some_f64);
        FILL(uint32_t, 16, u, some_u32);
        FILL(uint16_t, 32, c, some_u16);
        FILL(uint16_t, 32, d, some_u16);
        const float y = some_f32(&r);
        const double q = some_f64(&r);
        const uint32_t v = some_u32(&r);
        const m32w le = f32w_le(f32w_load(x), f32w_all(y)), apart = u32w_apart(u32w_load(u), u32w_all(v));
        BITS_ARE(m32w_bits(le), SIMD_BYTES / 4, x[i] <= y);
        BITS_ARE(m32w_bits(apart), SIMD_BYTES / 4, (u[i] & v) == 0);
        BITS_ARE(m32w_bits(m32w_and(le, apart)), SIMD_BYTES / 4, x[i] <= y && (u[i] & v) == 0);
        const m64w low = f64w_le(f64w_load(p), f64w_all(q)), high = f64w_le(f64w_load(p + SIMD_BYTES / 8), f64w_all(q));
        BITS_ARE(m32w_bits(m32w_of_halves(low, high)), SIMD_BYTES / 4, p[i] <= q);
        BITS_ARE(m32w_bits(m32w_of_halves(m64w_and(low, high), low)), SIMD_BYTES / 4,
                 p[i % (SIMD_BYTES / 8)] <= q && (i >= SIMD_BYTES / 8 || p[i + SIMD_BYTES / 8] <= q));
        m16w equal[SIMD_MASKS], without[SIMD_MASKS], least[SIMD_MASKS], less[SIMD_MASKS];
        for (int k = 0; k < SIMD_MASKS; ++k) {
            const u16w a = u16w_load(c + k * SIMD_BYTES / 2), b = u16w_load(d + k * SIMD_BYTES / 2);
            equal[k] = u16w_eq(a, b), without[k] = u16w_apart(a, b);
            least[k] = u16w_eq(u16w_min(a, b), u16w_where(equal[k], b));
            less[k] = u16w_eq(u16w_sub_sat(a, b), u16w_all(1));
        }
        BITS_ARE(m16w_bits(equal), SIMD_MASKS * SIMD_BYTES / 2, c[i] == d[i]);
        BITS_ARE(m16w_bits(without), SIMD_MASKS * SIMD_BYTES / 2, (c[i] & d[i]) == 0);
        BITS_ARE(m16w_bits(least), SIMD_MASKS * SIMD_BYTES / 2,
                 (c[i] < d[i] ? c[i] : d[i]) == (c[i] == d[i] ? d[i] : 0));
        BITS_ARE(m16w_bits(less), SIMD_MASKS * SIMD_BYTES / 2, c[i] - d[i] == 1);
#if defined(SIMD_PAIRS)
        uint32_t out[32], at = 0;
        const uint32_t bits = v & 0xffff;
        const size_t count = u32w_pairs(v, u32w_load(u), bits, out);
        for (uint32_t k = 0; k < 16; ++k) {
            if (!(bits >> k & 1)) continue;
            check_that(out[at] == (u[k] < v ? u[k] : v) && out[at + 1] == (u[k] < v ? v : u[k]), "pair %u", k);
            at += 2;
        }
        assert_true(2 * count == at);
#endif
    }
}

int main(void) {
#if defined(__AVX512F__) && defined(SIMD_X86)
    if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512dq"))
        return puts("skipped: this CPU has no AVX-512") < 0;
#elif defined(__AVX2__) && defined(SIMD_X86)
    if (!__builtin_cpu_supports("avx2")) return puts("skipped: this CPU has no AVX2") < 0;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(floats_are_plain_floats),
                                       cmocka_unit_test(doubles_are_plain_doubles),
                                       cmocka_unit_test(eight_are_plain),
                                       cmocka_unit_test(products_and_sums_are_either_way),
                                       cmocka_unit_test(integers_are_plain_integers),
                                       cmocka_unit_test(lanes_move_as_named),
                                       cmocka_unit_test(places_become_rows),
                                       cmocka_unit_test(widest_are_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
