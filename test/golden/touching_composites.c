/* The same bits everywhere, of meshes, height fields and compounds of round numbers in motion: from faces, seams,
 * corners and rims, touching exactly, an ulp beside it, a little deep or deep; into them, along, away, over a seam, off
 * the rim and up to a wall of the same surface; flat shapes in the plane of a triangle; each against each. See
 * aligned.h. */
#include "aligned.h"

enum { WHOLES = 6 };

typedef struct wholes {
    aligned z;
    cm_shape shapes[WHOLES]; /* composites */
    cm_vec3 top[WHOLES];     /* a place on the upper side, in the middle of a face or of a seam */
    cm_compound *tower;
} wholes;

/* A compound with a mesh in it, and a box beside that reaches as high. */
static void wholes_build(wholes *w) {
    cm_compound_child children[2];
    aligned_build(&w->z);
    memset(children, 0, sizeof children);
    children[0].shape = cm_make_mesh(w->z.block);
    children[1].shape = cm_make_box(cm_v(1, 1, 1));
    children[1].pose.position = cm_v(2, 0, 0);
    cm_compound_desc desc = {.children = children, .count = 2};
    assert_int_equal(cm_compound_build(&desc, NULL, &w->tower, NULL), CM_OK);
    const cm_shape all[WHOLES] = {cm_make_mesh(w->z.sheet),         cm_make_mesh(w->z.block),
                                  cm_make_height_field(w->z.field), cm_make_compound(w->z.halves),
                                  cm_make_compound(w->tower),       cm_make_mesh(w->z.block)};
    const cm_vec3 top[WHOLES] = {{0, 0, 0}, {0, 0, 1}, {-CM_REAL(0.5), 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 1}};
    memcpy(w->shapes, all, sizeof all), memcpy(w->top, top, sizeof top);
}

static void wholes_free(wholes *w) {
    cm_compound_destroy(w->tower, NULL);
    aligned_free(&w->z);
}

/* How far the other reaches down from its origin, turned so; 0 of what does not end. */
static cm_real reach_down(const cm_shape *shape, cm_quat turn) {
    const cm_pose here = cm_pose_identity();
    cm_pose pose = here;
    cm_witness w;
    const cm_shape floor = cm_make_halfspace(cm_v(0, 0, 1), 0);
    pose.rotation = turn, pose.position.z = 8;
    const cm_real d = cm_distance(&floor, &here, shape, &pose, CM_REAL_MAX, &w);
    return d > 0 && d < 16 ? 8 - d : 0;
}

static void ask_ways(aligned_play *p, const cm_shape *whole, const cm_shape *other, const cm_pose *at) {
    const cm_real grazing = CM_REAL(1.0 / 8192), half = CM_REAL(0.5);
    const cm_vec3 ways[] = {{0, 0, -1},       {0, 0, 1},       {2, 0, 0},     {0, -2, 0}, {1, 1, 0},          {0, 0, 0},
                            {1, 0, -grazing}, {0, 1, grazing}, {2, 0, -half}, {-4, 0, 1}, {half, half, -half}};
    for (int i = 0; i < 11; ++i) {
        cm_motion still = {.start = cm_pose_identity()}, m = {.start = *at, .move = ways[i]};
        if (p->turn == 1) m.spin = cm_v(0, 0, half);
        if (p->turn == 2) m.spin = cm_v(0, half, 0), m.pivot = cm_v(0, 0, i % 2 ? CM_REAL(1) : -1);
        if (p->turn == 3) m.accelerate = cm_v(0, 0, i % 2 ? CM_REAL(-2) : 2);
        if (p->turn == 4) still.spin = cm_v(half, 0, 0), still.move = cm_neg(m.move), m.move = cm_v(0, 0, 0);
        if (i % 2)
            aligned_ask(p, whole, &still, other, &m);
        else
            aligned_ask(p, other, &m, whole, &still);
    }
}

static uint64_t play_all(int stride, int turn, int *met) {
    static wholes w;
    aligned_play p = {.hash = HASH_START, .stride = stride, .turn = turn};
    const cm_real deep = CM_REAL(1.0 / 64), half = CM_REAL(0.5);
    const cm_vec3 beside[] = {{0, 0, 0}, {half, 0, 0}, {CM_REAL(0.25), half, 0}, {1, 0, 0}, {-1, 1, 0}};
    wholes_build(&w);
    for (int i = 0; i < WHOLES; ++i)
        for (int j = 0; j < w.z.count; ++j)
            for (int turned = 0; turned < 6; ++turned) {
                cm_pose at = {.rotation = aligned_rotation(turned)};
                const cm_real down = reach_down(&w.z.shapes[j], at.rotation);
                const cm_real heights[] = {
                    down, aligned_beside(down, 1), aligned_beside(down, -1), down - deep, down - half, down + half, 0};
                for (int k = 0; k < 7; ++k)
                    for (int b = 0; b < 5; ++b) {
                        at.position = cm_add(cm_add(w.top[i], beside[b]), cm_v(0, 0, heights[k]));
                        ask_ways(&p, &w.shapes[i], &w.z.shapes[j], &at);
                    }
            }
    wholes_free(&w);
    *met = p.met;
    return p.hash;
}

static void composites_on_straight_ways_give_the_same_bits_everywhere(void **state) {
    (void)state;
    int met;
    const uint64_t h = play_all(59, 0, &met);
    check_that(met > 1000, "only %d met", met);
    check_hash(h, GOLDEN(0x063caf4e8f2e8cba, 0xc1811df327bf906a));
}

static void composites_that_turn_or_fall_give_the_same_bits_everywhere(void **state) {
    (void)state;
    const int strides[] = {0, 599, 601, 607, 613}; /* no divisors of the loops' counts */
    uint64_t h = HASH_START;
    int met, all = 0;
    for (int turn = 1; turn <= 4; ++turn) {
        hash_number(&h, play_all(strides[turn], turn, &met));
        all += met;
    }
    check_that(all > 200, "only %d met", all);
    check_hash(h, GOLDEN(0xd72f9355a10a6103, 0xb583d038a368f87c));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(composites_on_straight_ways_give_the_same_bits_everywhere),
        cmocka_unit_test(composites_that_turn_or_fall_give_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
