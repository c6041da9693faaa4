/* The same bits everywhere, of two shapes of round numbers in motion: from exactly touching and an ulp beside it, up to
 * touching at the very end, along faces and edges, from flush, concentric and crossing starts, on straight, turning and
 * curved ways; plain structs at every side of the band around touching. See aligned.h. */
#include "aligned.h"

/* --- shapes ------------------------------------------------------------------------------------------------------ */

/* B starts `gap` off A along the normal, moved by `beside`. */
static void play_ways(aligned_play *p, const cm_shape *a, const cm_motion *still, const cm_shape *b, cm_motion m,
                      cm_real gap, cm_vec3 normal, cm_vec3 side) {
    const cm_real step = gap > CM_REAL(0.1) ? gap : 1;
    const cm_real grazing = CM_REAL(1.0 / 8192);
    const cm_real ways[][2] = {{0, 0}, {-step, 0}, {-2 * step, 0}, {2, 0}, {0, 2}, {-step, 1}, {-4, -1}, {-grazing, 1}};
    for (int i = 0; i < 8; ++i) {
        cm_motion ma = *still;
        m.move = cm_mul_add(cm_scale(normal, ways[i][0]), ways[i][1], side);
        m.spin = m.pivot = m.accelerate = cm_v(0, 0, 0);
        if (p->turn == 1) m.spin = cm_scale(normal, CM_REAL(1.5));
        if (p->turn == 2) m.spin = cm_scale(side, CM_REAL(0.5)), m.pivot = cm_v(1, 0, 0);
        if (p->turn == 3) m.accelerate = cm_scale(normal, i % 2 ? -CM_REAL(1) : 4);
        if (p->turn == 4) ma.spin = side, m.spin = cm_scale(side, i % 2 ? CM_REAL(1) : -1);
        if (i == 4) ma.move = m.move, m.move = cm_v(0, 0, 0); /* the other moves */
        aligned_ask(p, a, &ma, b, &m);
    }
}

static void play_places(aligned_play *p, const cm_shape *a, const cm_motion *still, const cm_shape *b, int axis,
                        int turn) {
    cm_motion m = {.start.rotation = aligned_rotation(turn)};
    cm_witness w = {.normal = aligned_axis(axis, 1)};
    m.start.position = cm_add(still->start.position, aligned_axis(axis, 4));
    const cm_real d = cm_distance(a, &still->start, b, &m.start, CM_REAL_MAX, &w);
    const cm_vec3 normal = d > 0 && d < 16 ? w.normal : aligned_axis(axis, 1), side = aligned_axis((axis + 1) % 3, 1);
    const cm_vec3 touch = d > 0 && d < 16 ? cm_mul_add(m.start.position, -d, normal) : m.start.position;
    const cm_real gaps[] = {1, 0, CM_REAL(-0.5)};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            m.start.position = cm_mul_add(cm_mul_add(touch, gaps[i], normal), CM_REAL(k), side);
            play_ways(p, a, still, b, m, gaps[i], normal, side);
        }
    for (int ulps = -1; ulps <= 1; ulps += 2) {
        m.start.position = touch;
        cm_real *x = &m.start.position.x + axis;
        *x = aligned_beside(*x, ulps);
        play_ways(p, a, still, b, m, 0, normal, side);
    }
    m.start.position = still->start.position;
    play_ways(p, a, still, b, m, 0, normal, side);
}

static uint64_t play_all(int stride, int turn, int *met) {
    aligned z;
    aligned_build(&z);
    aligned_play p = {.hash = HASH_START, .stride = stride, .turn = turn};
    for (int i = 0; i <= z.convex; ++i) /* and the half-space */
        for (int j = 0; j <= z.convex; ++j) {
            cm_motion still = {.start = cm_pose_identity()};
            if ((i + j) % 3 == 1) still.start.position = cm_v(4, -2, 8);
            if ((i + j) % 3 == 2) still.start.rotation = aligned_rotation(1);
            for (int k = 0; k < 3; ++k)
                play_places(&p, &z.shapes[i], &still, &z.shapes[j], (i + k) % 3, k == 0 ? 0 : 1 + (i + j + k) % 5);
        }
    aligned_free(&z);
    *met = p.met;
    return p.hash;
}

static void straight_ways_give_the_same_bits_everywhere(void **state) {
    (void)state;
    int met;
    const uint64_t h = play_all(3, 0, &met);
    check_that(met > 1000, "only %d met", met);
    check_hash(h, GOLDEN(0x5ba538137e5e404f, 0x7585b43202bf2279));
}

static void turning_and_curved_ways_give_the_same_bits_everywhere(void **state) {
    (void)state;
    uint64_t h = HASH_START;
    int met, all = 0;
    for (int turn = 1; turn <= 4; ++turn) {
        hash_number(&h, play_all(97, turn, &met));
        all += met;
    }
    check_that(all > 500, "only %d met", all);
    check_hash(h, GOLDEN(0xe192ee73ca12a62f, 0xe40a851be9640d43));
}

/* --- plain structs ------------------------------------------------------------------------------------------------ */

/* Two along x, `reach` the sum of how far they go: from the middle of one in the other to apart, on every side of the
 * band of 16 eps of the sum of all lengths, which is `sum` with the motion chosen so. Asks with the distance of their
 * middles along x, and B's motion. */
typedef void plain_ask(uint64_t *h, cm_vec3 at, cm_vec3 way);

static void plain_play(uint64_t *h, cm_real reach, cm_real sum, plain_ask *ask) {
    const cm_real band = 16 * CM_REAL_EPSILON * sum;
    const cm_real gaps[] = {-reach, -1, -2 * band, -band, 0, band, 2 * band, 1, 2};
    for (int axis = 0; axis < 3; ++axis)
        for (int side = -1; side <= 1; side += 2)
            for (int k = 0; k < 27; ++k) {
                const cm_real gap = gaps[k / 3], at = aligned_beside(reach + gap, k % 3 - 1), move = sum - reach - at;
                const cm_vec3 along = aligned_axis(axis, (cm_real)side), across = aligned_axis((axis + 1) % 3, 1);
                const cm_vec3 third = aligned_axis((axis + 2) % 3, 1),
                              places[] = {{0, 0, 0}, across, cm_scale(across, at)};
                const cm_vec3 ways[] = {{0, 0, 0},
                                        cm_scale(along, -move),
                                        cm_scale(along, move),
                                        cm_scale(across, move),
                                        cm_scale(third, -move),
                                        cm_scale(along, -gap), /* to touching */
                                        cm_scale(cm_add(along, across), -2),
                                        cm_add(cm_scale(cm_add(along, third), -2), across)};
                for (int place = 0; place < 3; ++place)
                    for (int way = 0; way < 8; ++way) ask(h, cm_mul_add(places[place], at, along), ways[way]);
            }
}

#define PLAIN_HASH(call)                                                                                               \
    do {                                                                                                               \
        cm_sweep_hit hit;                                                                                              \
        const bool met = call;                                                                                         \
        hash_hit(h, met, &hit);                                                                                        \
    } while (0)

static const cm_vec3 plain_none = {0, 0, 0};

static void plain_balls(uint64_t *h, cm_vec3 at, cm_vec3 way) {
    const cm_sphere a = {plain_none, 1}, b = {at, 1}, point = {plain_none, 0};
    PLAIN_HASH(cm_sweep_sphere_sphere(&a, plain_none, &b, way, &hit));
    PLAIN_HASH(cm_sweep_sphere_sphere(&point, plain_none, &b, way, &hit));
    PLAIN_HASH(cm_sweep_sphere_sphere(&b, way, &a, plain_none, &hit));
}

static void plain_boxes(uint64_t *h, cm_vec3 at, cm_vec3 way) {
    const cm_vec3 one = {1, 1, 1};
    const cm_aabb a = cm_aabb_from_center(plain_none, one), b = cm_aabb_from_center(at, one), flat = {at, at};
    const cm_obb turned = {plain_none, one, aligned_rotation(1)}, other = {at, one, aligned_rotation(2)};
    const cm_obb tilted = {at, one, aligned_rotation(4)};
    const cm_sphere ball = {at, 1}, point = {at, 0};
    PLAIN_HASH(cm_sweep_aabb_aabb(&a, plain_none, &b, way, &hit));
    PLAIN_HASH(cm_sweep_aabb_aabb(&a, cm_neg(way), &b, plain_none, &hit));
    PLAIN_HASH(cm_sweep_aabb_aabb(&flat, way, &a, plain_none, &hit));
    PLAIN_HASH(cm_sweep_sphere_aabb(&ball, way, &a, plain_none, &hit));
    PLAIN_HASH(cm_sweep_sphere_aabb(&point, way, &a, plain_none, &hit));
    PLAIN_HASH(cm_sweep_sphere_obb(&ball, way, &turned, plain_none, &hit));
    PLAIN_HASH(cm_sweep_obb_obb(&turned, plain_none, &other, way, &hit));
    PLAIN_HASH(cm_sweep_obb_obb(&turned, plain_none, &tilted, way, &hit));
}

static void plain_planes(uint64_t *h, cm_vec3 at, cm_vec3 way) {
    const cm_sphere ball = {at, 1}, point = {at, 0};
    const cm_aabb box = cm_aabb_from_center(at, cm_v(1, 1, 1));
    for (int axis = 0; axis < 3; ++axis)
        for (int d = 0; d < 2; ++d) {
            const cm_plane plane = {aligned_axis(axis, d ? CM_REAL(1) : -1), d ? CM_REAL(1) : -1};
            PLAIN_HASH(cm_sweep_sphere_plane(&ball, way, &plane, &hit));
            PLAIN_HASH(cm_sweep_sphere_plane(&point, way, &plane, &hit));
            PLAIN_HASH(cm_sweep_sphere_halfspace(&ball, way, &plane, &hit));
            PLAIN_HASH(cm_sweep_aabb_plane(&box, way, &plane, &hit));
        }
}

static void plain_polygons(uint64_t *h, cm_vec3 at, cm_vec3 way) {
    const cm_sphere ball = {at, 1}, point = {at, 0};
    const cm_triangle t = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, line = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    const cm_capsule c = {{-1, 0, 0}, {1, 0, 0}, 1}, dot = {{0, 0, 0}, {0, 0, 0}, 1};
    const cm_capsule other = {cm_add(at, cm_v(0, 1, 0)), cm_sub(at, cm_v(0, 1, 0)), 1};
    const cm_capsule beside = {cm_add(at, cm_v(1, 0, 0)), cm_sub(at, cm_v(1, 0, 0)), 0};
    PLAIN_HASH(cm_sweep_sphere_triangle(&ball, way, &t, plain_none, &hit));
    PLAIN_HASH(cm_sweep_sphere_triangle(&point, way, &t, plain_none, &hit));
    PLAIN_HASH(cm_sweep_sphere_triangle(&ball, way, &line, plain_none, &hit));
    PLAIN_HASH(cm_sweep_sphere_capsule(&ball, way, &c, plain_none, &hit));
    PLAIN_HASH(cm_sweep_sphere_capsule(&point, way, &dot, plain_none, &hit));
    PLAIN_HASH(cm_sweep_capsule_capsule(&c, plain_none, &other, way, &hit));
    PLAIN_HASH(cm_sweep_capsule_capsule(&dot, plain_none, &other, way, &hit));
    PLAIN_HASH(cm_sweep_capsule_capsule(&c, plain_none, &beside, way, &hit));
}

static void plain_structs_give_the_same_bits_everywhere(void **state) {
    (void)state;
    plain_ask *const asks[] = {plain_balls, plain_boxes, plain_planes, plain_polygons};
    uint64_t h = HASH_START;
    for (int i = 0; i < 4; ++i)
        for (int reach = 0; reach <= 2; ++reach) plain_play(&h, CM_REAL(reach), 8, asks[i]);
    check_hash(h, GOLDEN(0xbaf8d39e95e422ab, 0xfb68c43bed9627b3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_ways_give_the_same_bits_everywhere),
        cmocka_unit_test(turning_and_curved_ways_give_the_same_bits_everywhere),
        cmocka_unit_test(plain_structs_give_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
