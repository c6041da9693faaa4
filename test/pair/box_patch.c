/* A box's face cut by another's (src/pair/box_patch.c): the points lie on both faces, go round, miss nothing that the
 * two share, and have a name each; against clipping by half-planes in long double. */
#include "support/support.h"

#include "pair/box_patch.h"

#include <math.h>

#define PATCH_TOLERANCE 1e-12L /* of sizes about 1; what rounding leaves is some 1e-15 */

typedef struct flat_point {
    long double u, v;
} flat_point;

static const int patch_next[3] = {1, 2, 0}, patch_last[3] = {2, 0, 1};

/* Keeps x * u + y * v <= limit. */
static int half_plane(const flat_point *in, int count, long double x, long double y, long double limit,
                      flat_point *out) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        flat_point p = in[i], q = in[(i + 1) % count];
        long double dp = x * p.u + y * p.v - limit, dq = x * q.u + y * q.v - limit;
        if (dp <= 0) out[n++] = p;
        if ((dp <= 0) == (dq <= 0)) continue;
        long double t = dp / (dp - dq);
        out[n].u = p.u + t * (q.u - p.u), out[n++].v = p.v + t * (q.v - p.v);
    }
    return n;
}

/* What the face of b_in_a that looks at A's has in common with the rectangle, seen along the axis. */
static int shared_polygon(const box_pair *p, int axis, int face, long double side, long double u, long double v,
                          flat_point out[12]) {
    int iu = patch_next[axis], iv = patch_last[axis], m = patch_next[face], n = patch_last[face], count = 4;
    flat_point other[12];
    const long double sm[4] = {-1, 1, 1, -1}, sn[4] = {-1, -1, 1, 1};
    for (int i = 0; i < 4; i++) {
        long double at_m = sm[i] * (long double)p->b[m], at_n = sn[i] * (long double)p->b[n];
        long double at = side * (long double)p->b[face];
        out[i].u = (long double)p->t[iu] + at * (long double)p->r[iu][face] + at_m * (long double)p->r[iu][m] +
                   at_n * (long double)p->r[iu][n];
        out[i].v = (long double)p->t[iv] + at * (long double)p->r[iv][face] + at_m * (long double)p->r[iv][m] +
                   at_n * (long double)p->r[iv][n];
    }
    count = half_plane(out, count, 1, 0, u, other);
    count = half_plane(other, count, -1, 0, u, out);
    count = half_plane(out, count, 0, 1, v, other);
    return half_plane(other, count, 0, -1, v, out);
}

/* The pair, with the face of B that looks at A's `axis` most squarely; < 0: two do. */
static int facing(const box_pair *p, int axis) {
    int best = 0;
    for (int j = 1; j < 3; j++)
        if (fabs(p->r[axis][j]) > fabs(p->r[axis][best])) best = j;
    for (int j = 0; j < 3; j++)
        if (j != best && fabs(p->r[axis][j]) > fabs(p->r[axis][best]) - 1e-9) return -1;
    return best;
}

static void check_points(const box_pair *p, int axis, double sign, int face, long double side,
                         const cm__box_point *points, int count) {
    const long double tolerance = PATCH_TOLERANCE;
    check_that(count <= 8, "%d points", count);
    long double turn = 0;
    for (int i = 0; i < count; i++) {
        const double *x = &points[i].point.x;
        long double local[3], height = (long double)(sign * x[axis]) - (long double)p->a[axis];
        for (int j = 0; j < 3; j++) {
            local[j] = 0;
            for (int k = 0; k < 3; k++)
                local[j] += (long double)p->r[k][j] * ((long double)x[k] - (long double)p->t[k]);
            if (j != face)
                check_that(fabsl(local[j]) <= (long double)p->b[j] + tolerance, "point %d of %d is %Lg off B's face", i,
                           count, fabsl(local[j]) - (long double)p->b[j]);
        }
        check_that(fabsl(local[face] - side * (long double)p->b[face]) <= tolerance, "point %d is %Lg above B's face",
                   i, local[face] - side * (long double)p->b[face]);
        for (int k = 0; k < 3; k++)
            if (k != axis)
                check_that(fabsl((long double)x[k]) <= (long double)p->a[k] + tolerance,
                           "point %d of %d is %Lg off A's face", i, count,
                           fabsl((long double)x[k]) - (long double)p->a[k]);
        check_that(fabsl((long double)points[i].gap - height) <= tolerance, "gap %g", points[i].gap);
        for (int j = 0; j < i; j++)
            check_that(points[i].feature != points[j].feature, "points %d and %d are both %u", i, j, points[i].feature);
        const double *y = &points[(i + 1) % count].point.x, *z = &points[(i + 2) % count].point.x;
        int u = patch_next[axis], v = patch_last[axis];
        long double cross = (long double)(y[u] - x[u]) * (long double)(z[v] - y[v]) -
                            (long double)(y[v] - x[v]) * (long double)(z[u] - y[u]);
        check_that(turn * cross >= -tolerance, "they turn to and fro: %Lg, %Lg", turn, cross);
        if (fabsl(cross) > tolerance) turn = cross;
    }
}

/* Every corner of what the faces share, the reference's made smaller by the tolerance, is between the points. */
static void check_whole(const box_pair *p, int axis, int face, long double side, const cm__box_point *points,
                        int count) {
    int u = patch_next[axis], v = patch_last[axis];
    flat_point shared[12];
    int corners = shared_polygon(p, axis, face, side, (long double)p->a[u] - PATCH_TOLERANCE,
                                 (long double)p->a[v] - PATCH_TOLERANCE, shared);
    check_that(corners == 0 || count > 0, "%d corners, no point", corners);
    static const long double ways[12][2] = {{1, 0},  {2, 1},   {1, 2},   {0, 1},  {-1, 2}, {-2, 1},
                                            {-1, 0}, {-2, -1}, {-1, -2}, {0, -1}, {1, -2}, {2, -1}};
    for (int d = 0; d < 12 && corners > 0; d++) {
        long double x = ways[d][0], y = ways[d][1], most = -1e9L, has = -1e9L;
        for (int i = 0; i < corners; i++) most = fmaxl(most, x * shared[i].u + y * shared[i].v);
        for (int i = 0; i < count; i++) {
            const double *at = &points[i].point.x;
            has = fmaxl(has, x * (long double)at[u] + y * (long double)at[v]);
        }
        check_that(has >= most - 4 * PATCH_TOLERANCE, "%d points reach %Lg less far than %d corners", count, most - has,
                   corners);
    }
}

static int check_pair(const box_pair *p, bool whole) {
    int points_seen = 0;
    for (int axis = 0; axis < 3; axis++) {
        int face = facing(p, axis);
        if (face < 0) continue;
        for (int sign = -1; sign <= 1; sign += 2) {
            cm__box_point points[8];
            long double side = p->r[axis][face] * sign > 0 ? -1 : 1;
            int count = cm__box_face_patch(p, axis, sign, 100, points);
            check_points(p, axis, sign, face, side, points, count);
            if (whole) check_whole(p, axis, face, side, points, count);
            points_seen |= 1 << count;
        }
    }
    return points_seen;
}

static void pair_at(cm_quat turn, cm_vec3 at, cm_vec3 a, cm_vec3 b, box_pair *out) {
    cm_pose pose = {at, turn};
    cm__frame wide = frame_of_pose(&pose);
    box_pair_set(&wide, cm__point_of(a), cm__point_of(b), out);
}

static cm_vec3 box_size(rng *r) {
    return cm_v(CM_REAL(rng_range(r, 0.3, 1.5)), CM_REAL(rng_range(r, 0.3, 1.5)), CM_REAL(rng_range(r, 0.3, 1.5)));
}

static void a_face_cut_by_a_face_is_what_both_share(void **state) {
    (void)state;
    rng r = rng_start("turned boxes", 71);
    int seen = 0;
    for (int i = 0; i < samples(10000, 200000); i++) {
        box_pair p;
        cm_vec3 a = box_size(&r), b = box_size(&r);
        pair_at(rng_rotation(&r), rng_vec3(&r, 1.5), a, b, &p);
        seen |= check_pair(&p, true);
    }
    assert_int_equal(seen & 0xf9, 0xf9); /* none, and from 3 points to 7 */
}

/* Turned by less and less, and placed so that edges and corners meet: what rounding decides. */
static void nearly_aligned_faces_lose_no_corner(void **state) {
    (void)state;
    rng r = rng_start("boxes nearly aligned", 72);
    for (int i = 0; i < samples(20000, 400000); i++) {
        box_pair p;
        const double part[] = {0, 0, 1, -1, 0.5};
        cm_vec3 a = box_size(&r), b = rng_below(&r, 2) ? a : box_size(&r);
        double by = rng_below(&r, 4) ? rng_log_range(&r, 1e-17, 1) : 0;
        cm_quat q = {CM_REAL(by * rng_range(&r, -1, 1)), CM_REAL(by * rng_range(&r, -1, 1)),
                     CM_REAL(by * rng_range(&r, -1, 1)), 1};
        if (rng_below(&r, 4) == 0) q.x = q.y = 0, q.z = CM_REAL(0.41421356237309505); /* by an eighth of a turn */
        cm_vec3 at;
        at.x = CM_REAL(part[rng_below(&r, 5)]) * (a.x - b.x) + CM_REAL(part[rng_below(&r, 5)]) * b.x;
        at.y = CM_REAL(part[rng_below(&r, 5)]) * (a.y + b.y);
        at.z = CM_REAL(part[rng_below(&r, 5)]) * (a.z + CM_REAL(part[rng_below(&r, 5)]) * b.z);
        pair_at(cm_quat_normalize(q), at, a, b, &p);
        check_pair(&p, true);
    }
}

/* A corner of the one face at a corner of the other, but for a few roundings. */
static void corners_at_corners_add_no_others(void **state) {
    (void)state;
    rng r = rng_start("corners at corners", 75);
    for (int i = 0; i < samples(20000, 400000); i++) {
        box_pair p;
        cm_vec3 a = box_size(&r), b = box_size(&r);
        cm_quat q = {0, 0, CM_REAL(rng_range(&r, -1, 1)), CM_REAL(rng_range(&r, -1, 1))};
        if (rng_below(&r, 2)) q.x = CM_REAL(rng_range(&r, -0.2, 0.2)), q.y = CM_REAL(rng_range(&r, -0.2, 0.2));
        pair_at(cm_quat_normalize(q), cm_v(0, 0, 0), a, b, &p);
        double sm = rng_below(&r, 2) ? 1 : -1, sn = rng_below(&r, 2) ? 1 : -1, up = p.r[2][2] > 0 ? -1 : 1;
        for (int k = 0; k < 2; k++) {
            double corner = sm * p.b[0] * p.r[k][0] + sn * p.b[1] * p.r[k][1] + up * p.b[2] * p.r[k][2];
            p.t[k] = (rng_below(&r, 2) ? p.a[k] : -p.a[k]) - corner + ((double)rng_below(&r, 9) - 4) * 0x1p-53;
        }
        p.t[2] = p.a[2];
        check_pair(&p, true);
    }
}

static void flat_boxes_have_points_on_both(void **state) {
    (void)state;
    rng r = rng_start("flat boxes", 73);
    for (int i = 0; i < samples(10000, 200000); i++) {
        box_pair p;
        cm_vec3 a = box_size(&r), b = box_size(&r);
        cm_real *half = rng_below(&r, 2) ? &a.x : &b.x;
        half[rng_below(&r, 3)] = 0;
        if (rng_below(&r, 4) == 0) half[rng_below(&r, 3)] = 0;
        pair_at(rng_below(&r, 2) ? rng_rotation(&r) : cm_quat_identity(), rng_vec3(&r, 1), a, b, &p);
        check_pair(&p, false);
    }
    /* a line across a wider face: both its ends */
    box_pair p;
    cm__box_point points[8];
    pair_at(cm_quat_identity(), cm_v(0, 0, 2), cm_v(0, 1, 1), cm_v(1, 2, 1), &p);
    int count = cm__box_face_patch(&p, 2, 1, 1, points), ends = 0;
    for (int i = 0; i < count; i++) ends |= points[i].point.y > 0.5 ? 1 : points[i].point.y < -0.5 ? 2 : 4;
    assert_int_equal(ends, 3);
}

/* Boxes of one size, one exactly on the other: four corners, also by half turns, which move no corner. */
static void equal_faces_meet_in_four_points(void **state) {
    (void)state;
    rng r = rng_start("equal faces", 74);
    for (int i = 0; i < 1000; i++) {
        cm_vec3 half = box_size(&r);
        cm_shape box = cm_make_box(half);
        cm_pose a = cm_pose_identity(), b = a;
        b.position.z = 2 * half.z;
        if (i % 4) b.rotation.w = 0, ((cm_real *)&b.rotation)[i % 4 - 1] = 1;
        cm_manifold m;
        assert_int_equal(cm_contact(&box, &a, &box, &b, 0, &m, 1), 1);
        check_that(m.count == 4, "%d points, turn %d", m.count, i % 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_cut_by_a_face_is_what_both_share),
        cmocka_unit_test(nearly_aligned_faces_lose_no_corner),
        cmocka_unit_test(corners_at_corners_add_no_others),
        cmocka_unit_test(flat_boxes_have_points_on_both),
        cmocka_unit_test(equal_faces_meet_in_four_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
