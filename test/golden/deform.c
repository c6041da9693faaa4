/* The same bits everywhere, of deforming meshes: features that sweep, their gaps, and a sheet whose points move against
 * itself, another sheet and shapes of every kind. See golden.h. */
#include "golden.h"

enum { SIDE = 9, POINTS = SIDE * SIDE };

static cm_path some_path(rng *r, cm_real size, cm_real far) {
    cm_path p;
    p.start = small_vec3(r, size);
    p.end = cm_add(p.start, small_vec3(r, far));
    return p;
}

static void hash_path_hit(uint64_t *h, const cm_path_hit *hit) {
    hash_real(h, hit->u), hash_real(h, hit->distance);
    hash_vec3(h, hit->point_a), hash_vec3(h, hit->point_b), hash_vec3(h, hit->normal);
    for (int k = 0; k < 3; ++k) hash_real(h, hit->weight_a[k]), hash_real(h, hit->weight_b[k]);
}

static void hash_gap(uint64_t *h, const cm_feature_gap *g) {
    hash_real(h, g->distance), hash_vec3(h, g->point_a), hash_vec3(h, g->point_b), hash_vec3(h, g->normal);
    for (int k = 0; k < 3; ++k) hash_vec3(h, g->gradient_a[k]), hash_vec3(h, g->gradient_b[k]);
}

static void features_have_the_same_bits_everywhere(void **state) {
    (void)state;
    rng r = {7};
    uint64_t h = HASH_START;
    int met = 0;
    for (int i = 0; i < 4000; ++i) {
        const cm_real size = i % 5 ? 1 : CM_REAL(0.0625), d = i % 3 ? 0 : CM_REAL(0.015625);
        cm_path p[4];
        cm_vec3 at[4];
        for (int k = 0; k < 4; ++k) p[k] = some_path(&r, size, 2), at[k] = p[k].start;
        const cm_path_hit none = {.u = 2};
        cm_path_hit hit[4] = {none, none, none, none};
        const cm_path_verdict verdicts[4] = {
            cm_sweep_point_point(&p[0], &p[1], d, 0, &hit[0]), cm_sweep_point_edge(&p[0], &p[1], d, 0, &hit[1]),
            cm_sweep_point_triangle(&p[0], &p[1], d, 0, &hit[2]), cm_sweep_edge_edge(&p[0], &p[2], d, 0, &hit[3])};
        cm_feature_gap gap[4];
        assert_true(cm_gap_point_point(at[0], at[1], &gap[0]) && cm_gap_point_edge(at[0], &at[1], &gap[1]));
        assert_true(cm_gap_point_triangle(at[0], &at[1], &gap[2]) && cm_gap_edge_edge(&at[0], &at[2], &gap[3]));
        for (int k = 0; k < 4; ++k) {
            hash_number(&h, verdicts[k]);
            if (verdicts[k] != CM_PATH_FREE) hash_path_hit(&h, &hit[k]), ++met;
            hash_gap(&h, &gap[k]);
        }
    }
    check_that(met > 1000, "%d met", met);
    check_hash(h, GOLDEN(0x0e6bdc53a1dcbc33, 0x85dc58fc8441ffe1));
}

typedef struct contact_hash {
    uint64_t h;
    int count;
} contact_hash;

static bool hash_contact(void *user, const cm_path_contact *c) {
    contact_hash *to = user;
    hash_number(&to->h, c->features), hash_number(&to->h, c->verdict);
    for (int k = 0; k < 3; ++k) hash_number(&to->h, c->a[k]), hash_number(&to->h, c->b[k]);
    hash_path_hit(&to->h, &c->hit);
    return ++to->count < 4000;
}

/* A sheet of quads of a quarter, bent, from -1 to 1. */
static cm_mesh *bent_sheet(rng *r) {
    cm_vec3 points[POINTS];
    uint32_t indices[6 * (SIDE - 1) * (SIDE - 1)], count = 0;
    for (uint32_t i = 0; i < POINTS; ++i) {
        const cm_vec3 flat = cm_v((cm_real)(i / SIDE) / 4 - 1, (cm_real)(i % SIDE) / 4 - 1, 0);
        points[i] = cm_add(flat, small_vec3(r, CM_REAL(0.0625)));
    }
    for (uint32_t i = 0; i + SIDE < POINTS; ++i) {
        if (i % SIDE + 1 == SIDE) continue;
        const uint32_t quad[6] = {i, i + SIDE, i + SIDE + 1, i, i + SIDE + 1, i + 1};
        for (int k = 0; k < 6; ++k) indices[count++] = quad[k];
    }
    const cm_mesh_desc desc = {
        .points = &points[0].x, .point_count = POINTS, .indices = indices, .triangle_count = count / 3, .weld = -1};
    cm_mesh *mesh;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

static void moving_sheets_have_the_same_bits_everywhere(void **state) {
    (void)state;
    zoo z;
    zoo_build(&z);
    rng r = {8};
    cm_mesh *sheet = bent_sheet(&r), *other = bent_sheet(&r);
    contact_hash to = {HASH_START, 0};
    for (int round = 0; round < z.count + 4; ++round) {
        cm_vec3 start[POINTS], end[POINTS], other_end[POINTS];
        for (uint32_t i = 0; i < POINTS; ++i) {
            start[i] = cm_add(cm_mesh_points(sheet)[i], cm_v(0, 0, CM_REAL(0.5)));
            end[i] = cm_add(start[i], cm_add(small_vec3(&r, CM_REAL(0.5)), cm_v(0, 0, CM_REAL(-0.75))));
            other_end[i] = cm_add(cm_mesh_points(other)[i], small_vec3(&r, CM_REAL(0.125)));
        }
        cm_mesh_sweep_desc desc = {.mesh = {sheet, start, end}, .separation = CM_REAL(0.0078125)};
        const int which = round - z.count;
        if (which < 0) {
            desc.shape = &z.shapes[round];
            desc.shape_motion.start = plain_pose(&r, 1);
            desc.shape_motion.move = small_vec3(&r, CM_REAL(0.25));
        } else if (which % 2) {
            desc.other = (cm_moving_mesh){other, NULL, other_end};
        }
        cm_path_contact least;
        assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &least), CM_OK);
        hash_contact(&to, &least);
        desc.visit = hash_contact, desc.user = &to;
        to.count = 0;
        assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &least), CM_OK);
        check_that(to.count > 0 || which < 0, "round %d met nothing", round);
        if (which < 0) continue;
        assert_int_equal(cm_mesh_move_points(other, other_end, NULL), CM_OK);
        const cm_shape shape = cm_make_mesh(other);
        const cm_ray ray = {small_vec3(&r, 1), cm_v(CM_REAL(0.125), 0, -1), 4};
        const cm_pose home = cm_pose_identity();
        cm_ray_hit hit;
        const bool met = cm_raycast(&ray, &shape, &home, &hit);
        hash_number(&to.h, met);
        if (met) hash_real(&to.h, hit.t), hash_vec3(&to.h, hit.normal), hash_number(&to.h, hit.part);
    }
    cm_mesh_destroy(sheet, NULL), cm_mesh_destroy(other, NULL);
    zoo_free(&z);
    check_hash(to.h, GOLDEN(0x0b9cf16a339f1346, 0x1e010ef085aac1ab));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_have_the_same_bits_everywhere),
        cmocka_unit_test(moving_sheets_have_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
