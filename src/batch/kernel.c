/* See kernel.h. Compiled once per instruction set. The loops over lanes have no branches, so that compilers turn them
 * into vector code; only the copy from the caller's structs into lanes is written with vector operations.
 *
 * What proves an answer. Two overlap if a point of each is found, nearer to each other than the sum of the radii less
 * the band; boxes without a radius also if none of the fifteen axes separates them; hulls also if the balls within them
 * overlap. Two are apart if along some direction all of one lies beyond all of the other by more than radii, margin and
 * band. So a proof holds however inexactly the nearest points were found. Sources: [Ericson05 §5.1], [Gottschalk96]. */
#include "batch/kernel.h"
#include "base/bits.h"
#include "math/simd_wide.h"
#include "pair/balls.h"

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define BATCH_LOOK    cm__batch_look_avx512
#define BATCH_FIND    cm__batch_find_avx512
#define BATCH_CHECK   cm__batch_check_avx512
#define BATCH_CONTACT cm__batch_contact_avx512
#elif defined(CAROM_KERNEL_AVX2)
#define BATCH_LOOK    cm__batch_look_avx2
#define BATCH_FIND    cm__batch_find_avx2
#define BATCH_CHECK   cm__batch_check_avx2
#define BATCH_CONTACT cm__batch_contact_avx2
#else
#define BATCH_LOOK    cm__batch_look_base
#define BATCH_FIND    cm__batch_find_base
#define BATCH_CHECK   cm__batch_check_base
#define BATCH_CONTACT cm__batch_contact_base
#endif

/* For functions called in a loop over lanes: a real call would keep the loop from being vectorized. */
#if defined(__GNUC__)
#define LOOK_INLINE static inline __attribute__((always_inline))
#else
#define LOOK_INLINE static inline
#endif

enum { LOOK_LANES = CM__BATCH_LANES };

typedef float lanes[LOOK_LANES];
typedef cm_real real_lanes[LOOK_LANES];
typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

/* The pairs' numbers, by lane: B's position relative to A's, in world axes; unit quaternions; radii; the numbers that
 * define the cores. */
typedef struct batch_rows {
    _Alignas(CM__BATCH_ALIGN) lanes3 place;
    lanes far;   /* the sum of the absolute coordinates of both positions */
    lanes3 from; /* where A is a point: from it to B's position, or to B's point */
    lanes turn_a[4], turn_b[4];
    lanes radius_a, radius_b;
    lanes core_a[9], core_b[9];
} batch_rows;

/* Times the pair's size, more than rounding changes any coordinate, length or projection below: those take some 30
 * operations on numbers no larger than the size, with quaternions of unit length within UNIT_SLACK, and in the double
 * build a conversion to float. */
#define BAND       (256.0f * 1.1920929e-7f)
#define UNIT_SLACK (64.0f * 1.1920929e-7f)
/* Within these sizes no square, and no error of one, underflows or overflows. */
#define SIZE_LEAST 1e-12f
#define SIZE_MOST  1e15f
static inline float lane_abs(float x) { return fabsf(x); }
static inline float lane_min(float a, float b) { return a < b ? a : b; }
static inline float lane_max(float a, float b) { return a > b ? a : b; }
static inline float lane_clamp(float x) { return lane_max(0, lane_min(1, x)); }

typedef struct vec {
    float x, y, z;
} vec;
static inline vec vec_of(float x, float y, float z) { return (vec){x, y, z}; }
static inline vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec vec_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec vec_along(vec a, float t, vec d) { return (vec){a.x + t * d.x, a.y + t * d.y, a.z + t * d.z}; }
static inline float vec_dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec vec_cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float vec_sum(vec a) { return lane_abs(a.x) + lane_abs(a.y) + lane_abs(a.z); }

typedef struct quat {
    vec v;
    float w;
} quat;
LOOK_INLINE vec quat_turn(quat q, vec v) {
    vec t = vec_cross(q.v, v);
    t = vec_add(t, t);
    return vec_add(vec_along(v, q.w, t), vec_cross(q.v, t));
}
static inline quat quat_back(quat q) { return (quat){{-q.v.x, -q.v.y, -q.v.z}, q.w}; }

static inline vec row_vec(const lanes3 *r, int i) { return vec_of(r->x[i], r->y[i], r->z[i]); }
static inline vec core_vec(const lanes *core, int i) { return vec_of(core[0][i], core[1][i], core[2][i]); }
static inline quat row_quat(const lanes *turn, int i) {
    return (quat){{turn[0][i], turn[1][i], turn[2][i]}, turn[3][i]};
}

/* --- from structs to lanes ---------------------------------------------------------------------------------------- */

static bool shapes_are_alike(const cm_shape *const *shapes) {
    bool alike = true;
    for (int i = 0; i < LOOK_LANES; ++i) alike &= shapes[i]->kind == shapes[0]->kind;
    return alike;
}

#if !defined(CAROM_F64)

/* Reads four floats at `low` and four at `high` of each struct, and writes them transposed: eight rows of lanes, where
 * a row is wanted. */
LOOK_INLINE void gather_eight(const void *const *places, size_t low, size_t high, float *const rows[8]) {
    enum { WIDTH = SIMD_BYTES / 4 };
    for (int i = 0; i < LOOK_LANES; i += WIDTH) {
        f32w r[8];
        for (int k = 0; k < 4; ++k) r[k] = f32w_quads(places + i + k, low), r[k + 4] = f32w_quads(places + i + k, high);
        f32w_transpose(r), f32w_transpose(r + 4);
        for (int k = 0; k < 8; ++k)
            if (rows[k]) f32w_store(rows[k] + i, r[k]);
    }
}

static void gather_exact_poses(const cm_pose *const *poses, real_lanes at[3], real_lanes turn[4]) {
    float *const rows[8] = {at[0], at[1], at[2], NULL, turn[0], turn[1], turn[2], turn[3]};
    gather_eight((const void *const *)poses, offsetof(cm_pose, position), offsetof(cm_pose, rotation), rows);
}

static void gather_poses(const cm_pose *const *a, const cm_pose *const *b, batch_rows *out) {
    _Alignas(CM__BATCH_ALIGN) lanes from[3], to[3];
    gather_exact_poses(a, from, out->turn_a), gather_exact_poses(b, to, out->turn_b);
    for (int i = 0; i < LOOK_LANES; ++i) {
        const vec p = vec_of(from[0][i], from[1][i], from[2][i]), q = vec_of(to[0][i], to[1][i], to[2][i]);
        out->place.x[i] = q.x - p.x, out->place.y[i] = q.y - p.y, out->place.z[i] = q.z - p.z;
        out->far[i] = vec_sum(p) + vec_sum(q);
    }
}

/* Are all numbers the first one? */
static bool lanes_are_alike(const lanes x) {
    uint32_t bits[LOOK_LANES], other = 0;
    memcpy(bits, x, sizeof bits);
    for (int i = 0; i < LOOK_LANES; ++i) other |= bits[i] ^ bits[0];
    return other == 0;
}

/* Reads radii, and the first numbers of each core: three, six or nine. False where the shapes are of several kinds. */
static bool gather_shapes(const cm_shape *const *shapes, int numbers, lanes radius, lanes *core) {
    const void *const *const s = (const void *const *)shapes;
    const size_t u = offsetof(cm_shape, u);
    _Alignas(CM__BATCH_ALIGN) lanes kinds;
    float *const three[8] = {kinds, radius, core[0], core[1], core[2]};
    float *const six[8] = {kinds, radius, core[0], core[1], core[2], core[3], core[4], core[5]};
    float *const nine[8] = {core[5], core[6], core[7], core[8]};
    if (numbers == 3)
        gather_eight(s, 0, u + 2 * sizeof(float), three);
    else
        gather_eight(s, 0, u + 2 * sizeof(float), six);
    if (numbers == 9) gather_eight(s, u + 5 * sizeof(float), u + 5 * sizeof(float), nine);
    return lanes_are_alike(kinds);
}
static bool gather_exact_shapes(const cm_shape *const *shapes, int numbers, real_lanes radius, real_lanes *core) {
    return gather_shapes(shapes, numbers, radius, core);
}

#else

static inline float real_sum(cm_vec3 v) { return (float)(cm_abs(v.x) + cm_abs(v.y) + cm_abs(v.z)); }

static void gather_poses(const cm_pose *const *a, const cm_pose *const *b, batch_rows *out) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm_vec3 p = a[i]->position, q = b[i]->position;
        out->place.x[i] = (float)(q.x - p.x), out->place.y[i] = (float)(q.y - p.y),
        out->place.z[i] = (float)(q.z - p.z);
        out->far[i] = real_sum(p) + real_sum(q);
        const cm_quat u = a[i]->rotation, v = b[i]->rotation;
        out->turn_a[0][i] = (float)u.x, out->turn_a[1][i] = (float)u.y;
        out->turn_a[2][i] = (float)u.z, out->turn_a[3][i] = (float)u.w;
        out->turn_b[0][i] = (float)v.x, out->turn_b[1][i] = (float)v.y;
        out->turn_b[2][i] = (float)v.z, out->turn_b[3][i] = (float)v.w;
    }
}

static bool gather_shapes(const cm_shape *const *shapes, int numbers, lanes radius, lanes *core) {
    if (!shapes_are_alike(shapes)) return false;
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm_real *u = (const cm_real *)(const void *)&shapes[i]->u;
        radius[i] = (float)shapes[i]->radius;
        for (int k = 0; k < numbers; ++k) core[k][i] = (float)u[k];
    }
    return true;
}

static void gather_exact_poses(const cm_pose *const *poses, real_lanes at[3], real_lanes turn[4]) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm_pose *p = poses[i];
        at[0][i] = p->position.x, at[1][i] = p->position.y, at[2][i] = p->position.z;
        turn[0][i] = p->rotation.x, turn[1][i] = p->rotation.y, turn[2][i] = p->rotation.z;
        turn[3][i] = p->rotation.w;
    }
}
static bool gather_exact_shapes(const cm_shape *const *shapes, int numbers, real_lanes radius, real_lanes *core) {
    if (!shapes_are_alike(shapes)) return false;
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm_real *u = (const cm_real *)(const void *)&shapes[i]->u;
        radius[i] = shapes[i]->radius;
        for (int k = 0; k < numbers; ++k) core[k][i] = u[k];
    }
    return true;
}

#endif

/* --- verdicts ------------------------------------------------------------------------------------------------------ */

/* The pair's size, which the band is a share of. `cores`: the sum of the sizes of both cores. */
LOOK_INLINE float lane_size(const batch_rows *r, int i, float cores) {
    return vec_sum(row_vec(&r->place, i)) + cores + r->radius_a[i] + r->radius_b[i];
}

/* Is the lane's input valid, and its size in the range for which the band holds? */
LOOK_INLINE int lane_is_sound(const batch_rows *r, int i, float size) {
    const quat a = row_quat(r->turn_a, i), b = row_quat(r->turn_b, i);
    const float off_a = lane_abs(vec_dot(a.v, a.v) + a.w * a.w - 1),
                off_b = lane_abs(vec_dot(b.v, b.v) + b.w * b.w - 1);
    return (off_a <= UNIT_SLACK) & (off_b <= UNIT_SLACK) & (r->far[i] <= SIZE_MOST) & (r->radius_a[i] >= 0) &
           (r->radius_b[i] >= 0) & (size >= SIZE_LEAST) & (size <= SIZE_MOST);
}

/* The verdict from a vector `between` a point of A's core and one of B's, and from `beyond`: how far B's core lies
 * beyond A's along it, times its length. NaN, where something overflowed, is doubt. */
LOOK_INLINE int32_t lane_verdict(const batch_rows *r, int i, float size, float margin, vec between, float beyond) {
    const float band = BAND * size, square = vec_dot(between, between);
    const float radii = r->radius_a[i] + r->radius_b[i], near = radii - band, far = radii + band + margin;
    const int overlap = (near > 0) & (square < near * near);
    const int apart = beyond > far * sqrtf(square) * (1 + BAND);
    return (overlap - apart) & (0 - lane_is_sound(r, i, size));
}

/* Are all of these zero, as the centers of spheres mostly are? */
static bool points_are_zero(const lanes core[3]) {
    uint32_t other = 0;
    for (int k = 0; k < 3; ++k) {
        uint32_t bits[LOOK_LANES];
        memcpy(bits, core[k], sizeof bits);
        for (int i = 0; i < LOOK_LANES; ++i) other |= bits[i] << 1; /* -0 too */
    }
    return other == 0;
}

/* Adds to `at` the points, turned, times `sign`. */
static void add_turned(lanes3 *at, float sign, const lanes core[3], const lanes turn[4]) {
    if (points_are_zero(core)) return;
    for (int i = 0; i < LOOK_LANES; ++i) {
        const vec v = vec_along(row_vec(at, i), sign, quat_turn(row_quat(turn, i), core_vec(core, i)));
        at->x[i] = v.x, at->y[i] = v.y, at->z[i] = v.z;
    }
}

static void rows_from_point(const batch_rows *r, bool to_point, lanes3 *from) {
    *from = r->place;
    add_turned(from, -1, r->core_a, r->turn_a);
    if (to_point) add_turned(from, 1, r->core_b, r->turn_b);
}

static void look_point_point(const batch_rows *r, float margin, int32_t *out) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const float size = lane_size(r, i, vec_sum(core_vec(r->core_a, i)) + vec_sum(core_vec(r->core_b, i)));
        const vec d = row_vec(&r->from, i);
        out[i] = lane_verdict(r, i, size, margin, d, vec_dot(d, d));
    }
}

/* B's position relative to A's point, in B's frame, where the core of B is as it is given. */
LOOK_INLINE vec from_in_b(const batch_rows *r, int i) {
    return quat_turn(quat_back(row_quat(r->turn_b, i)), row_vec(&r->from, i));
}

/* Segments p + t d and q + t e: how far the second lies beyond the first along n, times n's length. */
LOOK_INLINE float segments_beyond(vec p, vec d, vec q, vec e, vec n) {
    const float along_d = vec_dot(n, d), along_e = vec_dot(n, e);
    return vec_dot(n, vec_sub(q, p)) + lane_min(0, along_e) - lane_max(0, along_d);
}

/* x / y where y > 0; else some number: the caller does not use it. */
static inline float lane_over(float x, float y) { return x / (y > 0 ? y : 1); }

LOOK_INLINE int32_t segments_verdict(const batch_rows *r, int i, float margin) {
    const vec place = row_vec(&r->place, i), a0 = core_vec(r->core_a, i), a1 = core_vec(r->core_a + 3, i);
    const vec b0 = core_vec(r->core_b, i), b1 = core_vec(r->core_b + 3, i);
    const quat turn_a = row_quat(r->turn_a, i), turn_b = row_quat(r->turn_b, i);
    const float cores = vec_sum(a0) + vec_sum(a1) + vec_sum(b0) + vec_sum(b1);
    const float size = lane_size(r, i, cores);
    const vec p = quat_turn(turn_a, a0), d = quat_turn(turn_a, vec_sub(a1, a0));
    const vec q = vec_add(place, quat_turn(turn_b, b0)), e = quat_turn(turn_b, vec_sub(b1, b0));
    const vec w = vec_sub(p, q);
    const float dd = vec_dot(d, d), ee = vec_dot(e, e), de = vec_dot(d, e), dw = vec_dot(d, w), ew = vec_dot(e, w);
    float s = lane_clamp(lane_over(de * ew - dw * ee, dd * ee - de * de));
    const float t = lane_clamp(lane_over(de * s + ew, ee));
    s = lane_clamp(lane_over(de * t - dw, dd));
    const vec n = vec_sub(vec_along(q, t, e), vec_along(p, s, d));
    return lane_verdict(r, i, size, margin, n, segments_beyond(p, d, q, e, n));
}
static void look_segment_segment(const batch_rows *r, float margin, int32_t *out) {
    for (int i = 0; i < LOOK_LANES; ++i) out[i] = segments_verdict(r, i, margin);
}

static void look_point_segment(const batch_rows *r, float margin, int32_t *out) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const vec a = core_vec(r->core_a, i), b0 = core_vec(r->core_b, i), b1 = core_vec(r->core_b + 3, i);
        const float size = lane_size(r, i, vec_sum(a) + vec_sum(b0) + vec_sum(b1));
        const vec q = vec_add(b0, from_in_b(r, i)), e = vec_sub(b1, b0); /* A's point is the origin */
        const vec n = vec_along(q, lane_clamp(lane_over(0 - vec_dot(q, e), vec_dot(e, e))), e);
        out[i] = lane_verdict(r, i, size, margin, n, vec_dot(n, q) + lane_min(0, vec_dot(n, e)));
    }
}

/* Weights of two corners of a triangle, the same fraction's: v and w over `under`. */
typedef struct corner_weights {
    float v, w, under;
} corner_weights;
LOOK_INLINE corner_weights weights_if(int where, float v, float w, float under, corner_weights other) {
    other.v = where ? v : other.v, other.w = where ? w : other.w, other.under = where ? under : other.under;
    return other;
}

/* The point of the triangle that is nearest to the origin: by the region of corner, edge or face that the origin is in,
 * so that one division does. Where rounding takes the wrong region, or numbers under- or overflow, it is another point
 * of the triangle, or NaN. */
LOOK_INLINE vec nearest_on_triangle(vec p, vec q, vec s) {
    const vec pq = vec_sub(q, p), ps = vec_sub(s, p);
    const float p_q = 0 - vec_dot(p, pq), p_s = 0 - vec_dot(p, ps), q_q = 0 - vec_dot(q, pq);
    const float q_s = 0 - vec_dot(q, ps), s_q = 0 - vec_dot(s, pq), s_s = 0 - vec_dot(s, ps);
    const float by_p = q_q * s_s - s_q * q_s, by_q = s_q * p_s - p_q * s_s, by_s = p_q * q_s - q_q * p_s;
    const float to_s = q_s - q_q, to_q = s_q - s_s; /* from q and from s, along their edge */
    corner_weights at = {by_q, by_s, by_p + by_q + by_s};
    at = weights_if((by_p <= 0) & (to_s >= 0) & (to_q >= 0), to_q, to_s, to_q + to_s, at);
    at = weights_if((by_q <= 0) & (p_s >= 0) & (s_s <= 0), 0, p_s, p_s - s_s, at);
    at = weights_if((by_s <= 0) & (p_q >= 0) & (q_q <= 0), p_q, 0, p_q - q_q, at);
    at = weights_if((s_s >= 0) & (s_q <= s_s), 0, 1, 1, at);
    at = weights_if((q_q >= 0) & (q_s <= q_q), 1, 0, 1, at);
    at = weights_if((p_q <= 0) & (p_s <= 0), 0, 0, 1, at);
    const float share = 1 / (at.under > 0 ? at.under : 1), v = lane_clamp(at.v * share);
    return vec_along(vec_along(p, v, pq), lane_max(0, lane_min(1 - v, at.w * share)), ps);
}

static void look_point_triangle(const batch_rows *r, float margin, int32_t *out) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const vec a = core_vec(r->core_a, i), from = from_in_b(r, i); /* A's point is the origin */
        const vec b0 = core_vec(r->core_b, i), b1 = core_vec(r->core_b + 3, i), b2 = core_vec(r->core_b + 6, i);
        const float size = lane_size(r, i, vec_sum(a) + vec_sum(b0) + vec_sum(b1) + vec_sum(b2));
        const vec p = vec_add(b0, from), q = vec_add(b1, from), s = vec_add(b2, from);
        const vec best = nearest_on_triangle(p, q, s);
        const float beyond = lane_min(vec_dot(best, p), lane_min(vec_dot(best, q), vec_dot(best, s)));
        out[i] = lane_verdict(r, i, size, margin, best, beyond);
    }
}

static void look_point_box(const batch_rows *r, float margin, int32_t *out) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const vec h = core_vec(r->core_b, i), p = from_in_b(r, i); /* the sign of p is all the same */
        const float size = lane_size(r, i, vec_sum(core_vec(r->core_a, i)) + vec_sum(h));
        const vec d = vec_of(lane_max(0, lane_abs(p.x) - h.x), lane_max(0, lane_abs(p.y) - h.y),
                             lane_max(0, lane_abs(p.z) - h.z));
        const int32_t verdict = lane_verdict(r, i, size, margin, d, vec_dot(d, d));
        const float deep = lane_min(h.x - lane_abs(p.x), lane_min(h.y - lane_abs(p.y), h.z - lane_abs(p.z)));
        const int within = (deep > BAND * size) & lane_is_sound(r, i, size); /* without a radius too */
        out[i] = ((h.x >= 0) & (h.y >= 0) & (h.z >= 0)) ? (within ? 1 : verdict) : 0;
    }
}

/* Of two boxes: the largest gap along the face axes; the largest along the products of edges, times the length of the
 * product, which is at most 1; whether one of those separates the boxes; the square of the shortest product. */
typedef struct box_gaps {
    float face, edge, shortest;
    int apart;
} box_gaps;

LOOK_INLINE float box_extent(vec half, float x, float y, float z) {
    return half.x * lane_abs(x) + half.y * lane_abs(y) + half.z * lane_abs(z);
}

LOOK_INLINE float box_across(float half_u, float v, float half_v, float u) {
    return half_u * lane_abs(v) + half_v * lane_abs(u);
}

/* The axis across an edge of A and one of B, with the components m_u and m_v perpendicular to A's. `across`: the
 * centers' distance along it, `extent`: that of both boxes. A short axis has the same rounding as a long one. */
LOOK_INLINE void gap_of_edges(box_gaps *g, float across, float extent, float m_u, float m_v, float band,
                              float far_square) {
    const float gap = lane_abs(across) - extent, square = m_u * m_u + m_v * m_v, sure = gap - band;
    g->edge = lane_max(g->edge, gap);
    g->shortest = lane_min(g->shortest, square);
    g->apart |= sure * lane_abs(sure) > far_square * square;
}

/* Below this sine two edges count as parallel: their axis says nothing, so the faces have to overlap by more than
 * rotating a box by this angle could undo. */
#define NEARLY_PARALLEL (1.0f / 64)

static void look_box_box(const batch_rows *r, float margin, int32_t *out) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const vec ha = core_vec(r->core_a, i), hb = core_vec(r->core_b, i);
        const quat a = row_quat(r->turn_a, i), b = row_quat(r->turn_b, i), back = quat_back(a);
        const vec p = quat_turn(back, row_vec(&r->place, i));
        const float size = lane_size(r, i, vec_sum(ha) + vec_sum(hb));
        /* B's axes in A's frame: those of the quaternion back * b */
        const vec qv = vec_add(vec_along(vec_along(vec_of(0, 0, 0), back.w, b.v), b.w, back.v), vec_cross(back.v, b.v));
        const float qw = back.w * b.w - vec_dot(back.v, b.v);
        const float xx = 2 * qv.x * qv.x, yy = 2 * qv.y * qv.y, zz = 2 * qv.z * qv.z, xy = 2 * qv.x * qv.y;
        const float xz = 2 * qv.x * qv.z, yz = 2 * qv.y * qv.z, wx = 2 * qw * qv.x, wy = 2 * qw * qv.y;
        const float wz = 2 * qw * qv.z;
        const vec x = vec_of(1 - yy - zz, xy + wz, xz - wy), y = vec_of(xy - wz, 1 - xx - zz, yz + wx);
        const vec z = vec_of(xz + wy, yz - wx, 1 - xx - yy);
        const float band = BAND * size, far = r->radius_a[i] + r->radius_b[i] + margin + band;
        const float beyond = far * far * (1 + BAND);
        box_gaps g = {.face = -SIZE_MOST, .edge = -SIZE_MOST, .shortest = 1};
        g.face = lane_max(g.face, lane_abs(p.x) - ha.x - box_extent(hb, x.x, y.x, z.x));
        g.face = lane_max(g.face, lane_abs(p.y) - ha.y - box_extent(hb, x.y, y.y, z.y));
        g.face = lane_max(g.face, lane_abs(p.z) - ha.z - box_extent(hb, x.z, y.z, z.z));
        g.face = lane_max(g.face, lane_abs(vec_dot(p, x)) - hb.x - box_extent(ha, x.x, x.y, x.z));
        g.face = lane_max(g.face, lane_abs(vec_dot(p, y)) - hb.y - box_extent(ha, y.x, y.y, y.z));
        g.face = lane_max(g.face, lane_abs(vec_dot(p, z)) - hb.z - box_extent(ha, z.x, z.y, z.z));
        /* A's edge along x: cross(x, m) = (0, -m.z, m.y) for B's axis m, and so on */
        gap_of_edges(&g, p.z * x.y - p.y * x.z, box_across(ha.y, x.z, ha.z, x.y) + box_across(hb.y, z.x, hb.z, y.x),
                     x.y, x.z, band, beyond);
        gap_of_edges(&g, p.z * y.y - p.y * y.z, box_across(ha.y, y.z, ha.z, y.y) + box_across(hb.x, z.x, hb.z, x.x),
                     y.y, y.z, band, beyond);
        gap_of_edges(&g, p.z * z.y - p.y * z.z, box_across(ha.y, z.z, ha.z, z.y) + box_across(hb.x, y.x, hb.y, x.x),
                     z.y, z.z, band, beyond);
        gap_of_edges(&g, p.x * x.z - p.z * x.x, box_across(ha.z, x.x, ha.x, x.z) + box_across(hb.y, z.y, hb.z, y.y),
                     x.z, x.x, band, beyond);
        gap_of_edges(&g, p.x * y.z - p.z * y.x, box_across(ha.z, y.x, ha.x, y.z) + box_across(hb.x, z.y, hb.z, x.y),
                     y.z, y.x, band, beyond);
        gap_of_edges(&g, p.x * z.z - p.z * z.x, box_across(ha.z, z.x, ha.x, z.z) + box_across(hb.x, y.y, hb.y, x.y),
                     z.z, z.x, band, beyond);
        gap_of_edges(&g, p.y * x.x - p.x * x.y, box_across(ha.x, x.y, ha.y, x.x) + box_across(hb.y, z.z, hb.z, y.z),
                     x.x, x.y, band, beyond);
        gap_of_edges(&g, p.y * y.x - p.x * y.y, box_across(ha.x, y.y, ha.y, y.x) + box_across(hb.x, z.z, hb.z, x.z),
                     y.x, y.y, band, beyond);
        gap_of_edges(&g, p.y * z.x - p.x * z.y, box_across(ha.x, z.y, ha.y, z.x) + box_across(hb.x, y.z, hb.y, x.z),
                     z.x, z.y, band, beyond);
        const int apart = (g.face > far) | g.apart;
        const int parallel = g.shortest < NEARLY_PARALLEL * NEARLY_PARALLEL;
        const int overlap =
            ((g.face < -band) & (g.edge < -band) & !parallel) | (parallel & (g.face < -4 * NEARLY_PARALLEL * size));
        const int valid = (ha.x >= 0) & (ha.y >= 0) & (ha.z >= 0) & (hb.x >= 0) & (hb.y >= 0) & (hb.z >= 0);
        out[i] = (overlap - apart) & (0 - (valid & lane_is_sound(r, i, size)));
    }
}

/* Reads radii, and of each hull its center and the radii of the balls around and within it. Without a hull the radius
 * is set to an invalid number. False where the shapes are of several kinds. */
static bool gather_hulls(const cm_shape *const *shapes, lanes radius, lanes *core) {
    if (!shapes_are_alike(shapes)) return false;
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm_hull *hull = shapes[i]->u.hull;
        const pair_balls none = {cm_v(0, 0, 0), 0, 0}, balls = hull ? balls_of_hull(hull) : none;
        radius[i] = hull ? (float)shapes[i]->radius : -1;
        core[0][i] = (float)balls.center.x, core[1][i] = (float)balls.center.y, core[2][i] = (float)balls.center.z;
        core[3][i] = (float)balls.outer, core[4][i] = (float)balls.inner;
    }
    return true;
}

/* By the balls alone. */
static void look_hull_hull(const batch_rows *r, float margin, int32_t *out) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const vec place = row_vec(&r->place, i), a = core_vec(r->core_a, i), b = core_vec(r->core_b, i);
        const float outer = r->core_a[3][i] + r->core_b[3][i], inner = r->core_a[4][i] + r->core_b[4][i];
        const float size = lane_size(r, i, vec_sum(a) + vec_sum(b) + outer), band = BAND * size;
        const vec d =
            vec_sub(vec_add(place, quat_turn(row_quat(r->turn_b, i), b)), quat_turn(row_quat(r->turn_a, i), a));
        const float radii = r->radius_a[i] + r->radius_b[i], square = vec_dot(d, d);
        const float near = radii + inner - band, far = radii + outer + band + margin;
        const int overlap = (near > 0) & (square < near * near), apart = square > far * far * (1 + BAND);
        out[i] = (overlap - apart) & (0 - lane_is_sound(r, i, size));
    }
}

/* How many numbers define the cores of a class. */
static const int batch_numbers[CM__BATCH_CLASSES][2] = {
    [CM__BATCH_POINT_POINT] = {3, 3}, [CM__BATCH_POINT_SEGMENT] = {3, 6},   [CM__BATCH_POINT_TRIANGLE] = {3, 9},
    [CM__BATCH_POINT_BOX] = {3, 3},   [CM__BATCH_SEGMENT_SEGMENT] = {6, 6}, [CM__BATCH_BOX_BOX] = {3, 3}};

static bool gather_cores(cm__batch_class kind, const cm__batch_pairs *pairs, batch_rows *out) {
    if (kind == CM__BATCH_HULL_HULL)
        return gather_hulls(pairs->shape_a, out->radius_a, out->core_a) &&
               gather_hulls(pairs->shape_b, out->radius_b, out->core_b);
    return gather_shapes(pairs->shape_a, batch_numbers[kind][0], out->radius_a, out->core_a) &&
           gather_shapes(pairs->shape_b, batch_numbers[kind][1], out->radius_b, out->core_b);
}

bool BATCH_LOOK(cm__batch_class kind, const cm__batch_pairs *pairs, float margin, int32_t *out) {
    batch_rows r;
    if (!gather_cores(kind, pairs, &r)) return false;
    gather_poses(pairs->pose_a, pairs->pose_b, &r);
    if (kind <= CM__BATCH_POINT_BOX) rows_from_point(&r, kind == CM__BATCH_POINT_POINT, &r.from);
    switch (kind) {
    case CM__BATCH_POINT_POINT:
        look_point_point(&r, margin, out);
        break;
    case CM__BATCH_POINT_SEGMENT:
        look_point_segment(&r, margin, out);
        break;
    case CM__BATCH_POINT_TRIANGLE:
        look_point_triangle(&r, margin, out);
        break;
    case CM__BATCH_POINT_BOX:
        look_point_box(&r, margin, out);
        break;
    case CM__BATCH_SEGMENT_SEGMENT:
        look_segment_segment(&r, margin, out);
        break;
    case CM__BATCH_BOX_BOX:
        look_box_box(&r, margin, out);
        break;
    case CM__BATCH_HULL_HULL:
        look_hull_hull(&r, margin, out);
        break;
    default:
        for (int i = 0; i < LOOK_LANES; ++i) out[i] = 0;
    }
    return true;
}

/* --- where the pairs lie ------------------------------------------------------------------------------------------- */

static void find_in(const char *base, size_t stride, const uint32_t *at, const void **out) {
    for (int i = 0; i < LOOK_LANES; ++i) out[i] = base + at[i] * stride;
}

void BATCH_FIND(const cm__batch_objects *o, size_t from, int count, cm__batch_pairs *out) {
    _Alignas(CM__BATCH_ALIGN) uint32_t a[LOOK_LANES], b[LOOK_LANES];
    for (int i = 0; i < count; ++i) {
        a[i] = o->pairs ? o->pairs[from + (size_t)i].a : o->one;
        b[i] = o->pairs ? o->pairs[from + (size_t)i].b : (uint32_t)(from + (size_t)i);
    }
    for (int i = count; i < LOOK_LANES; ++i) a[i] = a[0], b[i] = b[0];
    find_in(o->poses, o->pose_stride, a, (const void **)out->pose_a);
    find_in(o->poses, o->pose_stride, b, (const void **)out->pose_b);
    for (int i = 0; i < LOOK_LANES && o->shape_of; ++i) a[i] = o->shape_of[a[i]], b[i] = o->shape_of[b[i]];
    find_in(o->shapes, o->shape_stride, a, (const void **)out->shape_a);
    find_in(o->shapes, o->shape_stride, b, (const void **)out->shape_b);
    for (int i = 0; i < count; ++i) { /* their second lines, where they have any, are worth no fetch of their own */
        BITS_FETCH(out->shape_a[i]), BITS_FETCH(out->shape_b[i]);
        BITS_FETCH(out->pose_a[i]), BITS_FETCH(out->pose_b[i]);
    }
}

bool BATCH_CHECK(const cm_broad_pair *pairs, size_t count, uint32_t below) {
    uint32_t wrong = 0;
    for (size_t i = 0; i < count; ++i) wrong |= (uint32_t)(pairs[i].a >= below) | (uint32_t)(pairs[i].b >= below);
    return !wrong;
}

#include "batch/kernel_contact.h"
