/* The same bits everywhere, of worlds of round numbers: bodies that stand flush in a grid, touch exactly, go exactly as
 * far as to the next, a quarter of their thickness, or an ulp more; rays, sweeps and questions along their faces, edges
 * and corners, with room for fewer answers than there are; what is equally near or equally early. See aligned.h. */
#include "aligned.h"

enum { SIDE = 4, BODIES = SIDE * SIDE * 2, STEPS = 12, MOST_IDS = 4 * BODIES };

typedef struct playing {
    uint64_t hash;
    const aligned *z;
    cm_world *world;
    uint32_t asked;
} playing;

/* Convex ones, then meshes and compounds; none is endless. */
static cm_shape body_of(const aligned *z, uint32_t i) {
    static const int order[] = {7, 1, 7, 9, 10, 13, 4, 18, 7, 20, 12, 11, 5, 8, 17, 15};
    return z->shapes[order[i % (sizeof order / sizeof *order)]];
}

static cm_vec3 place_of(uint32_t i) {
    return cm_v(CM_REAL(2 * (i % SIDE)), CM_REAL(2 * (i / SIDE % SIDE)), CM_REAL(2 * (i / (SIDE * SIDE))));
}

static cm_world_object_desc object_of(const aligned *z, uint32_t i) {
    cm_world_object_desc d;
    memset(&d, 0, sizeof d);
    d.shape = body_of(z, i);
    d.pose = cm_pose_at(place_of(i));
    if (i % 5 == 3) d.pose.rotation = aligned_rotation((int)(i % 6));
    d.fixed = i % 7 == 2, d.trigger = i % 9 == 4;
    if (i % 6 == 5) d.layer = 1u << i % 3, d.mask = 3;
    if (i % 8 == 6) d.group = i % 16 == 6 ? -1 : 1;
    d.sweep = (cm_world_sweep_mode)(i / 3 % 3);
    d.user = i;
    return d;
}

/* --- steps ------------------------------------------------------------------------------------------------------- */

static cm_world_answer answer(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                              cm_motion *rest_b) {
    playing *p = user;
    const uint32_t turn = p->asked++;
    hash_number(&p->hash, (uint64_t)hit->a << 32 | hit->b), hash_real(&p->hash, hit->u);
    hash_vec3(&p->hash, hit->point), hash_vec3(&p->hash, hit->normal);
    hash_number(&p->hash, (uint64_t)hit->part_a << 32 | hit->part_b), hash_number(&p->hash, (uint64_t)hit->start);
    hash_number(&p->hash, (uint64_t)(hit->count_a * 16 + hit->count_b));
    hash_vec3(&p->hash, rest_a->move), hash_vec3(&p->hash, rest_b->move), hash_vec3(&p->hash, rest_a->start.position);
    if (turn % 23 == 7) hash_number(&p->hash, (uint64_t)cm_world_remove(world, hit->b));
    if (turn % 23 == 11) hash_number(&p->hash, (uint64_t)cm_world_set_filter(world, hit->a, 1, 2, 0));
    if (turn % 23 == 13) {
        uint32_t id;
        cm_world_object_desc d = object_of(p->z, turn);
        hash_number(&p->hash, (uint64_t)cm_world_add(world, &d, &id, NULL));
    }
    if (turn % 23 == 17) hash_number(&p->hash, (uint64_t)cm_world_set_trigger(world, hit->a, turn % 2));
    if (turn % 5 == 4) return CM_WORLD_PASS;
    if (turn % 5 == 3) return CM_WORLD_STOP;
    const cm_vec3 swap = rest_a->move; /* as equal balls do */
    rest_a->move = turn % 5 == 2 ? cm_neg(swap) : rest_b->move;
    rest_b->move = swap;
    return CM_WORLD_GO;
}

static void set_one(playing *p, uint32_t id, uint32_t what, uint32_t i) {
    cm_motion m = {.move = {0, 0, 0}};
    const cm_real half = CM_REAL(0.5);
    const cm_vec3 ways[] = {{half, 0, 0}, {-aligned_beside(half, 1), 0, 0}, {0, 2, 0}, {0, -8, 0}, {0, 0, 2},
                            {-2, -2, 0},  {0, 0, aligned_beside(half, -1)}, {16, 0, 0}};
    if (what < 8) m.move = ways[what];
    if (what == 8) m.spin = cm_v(0, 0, 4);
    if (what == 9) m.spin = cm_v(0, 1, 0), m.pivot = cm_v(1, 0, 0);
    if (what == 10) m.accelerate = cm_v(0, 0, -2), m.move = cm_v(0, 0, 1);
    if (what == 11) m.spin = cm_v(CM_REAL(0.125), 0, 0), m.move = cm_v(0, half, 0);
    if (what <= 11) hash_number(&p->hash, (uint64_t)cm_world_set_motion(p->world, id, &m));
    const cm_pose pose = cm_pose_at(cm_add(place_of(i % BODIES), cm_v(0, 0, i % 2 ? CM_REAL(2) : 0)));
    const cm_shape shape = body_of(p->z, i + 1);
    if (what == 12) hash_number(&p->hash, (uint64_t)cm_world_set_pose(p->world, id, &pose));
    if (what == 13) hash_number(&p->hash, (uint64_t)cm_world_set_shape(p->world, id, &shape, NULL));
    if (what == 14) hash_number(&p->hash, (uint64_t)cm_world_set_filter(p->world, id, i % 3, 3, (int32_t)(i % 5) - 2));
    if (what == 15) hash_number(&p->hash, (uint64_t)cm_world_set_trigger(p->world, id, i % 2 == 0));
    if (what == 16) hash_number(&p->hash, (uint64_t)cm_world_set_fixed(p->world, id, i % 2 == 0));
    if (what == 17) hash_number(&p->hash, (uint64_t)cm_world_remove(p->world, id));
}

static void set_all(playing *p, uint32_t step) {
    static uint32_t ids[MOST_IDS];
    const uint32_t count = cm_world_get_ids(p->world, ids, MOST_IDS);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t dice = (i * 7 + step * 5) % 31;
        if (dice < 18 && step > 0) set_one(p, ids[i], dice, i + step);
    }
    for (uint32_t i = count; i < BODIES && step % 3 == 2; ++i) {
        uint32_t id;
        cm_world_object_desc d = object_of(p->z, i + step);
        hash_number(&p->hash, (uint64_t)cm_world_add(p->world, &d, &id, NULL));
    }
}

static void hash_step(playing *p) {
    cm_world_event_view view;
    cm_world_stats stats;
    cm_world_get_events(p->world, &view);
    hash_number(&p->hash, view.count);
    for (size_t i = 0; i < view.count; ++i) {
        const cm_world_event *e = &view.events[i];
        hash_number(&p->hash, (uint64_t)e->kind), hash_number(&p->hash, (uint64_t)e->a << 32 | e->b);
        hash_real(&p->hash, e->u), hash_number(&p->hash, e->user_a << 8 | e->user_b);
        hash_number(&p->hash, (uint64_t)e->manifold_count);
        for (int k = 0; k < e->manifold_count; ++k) hash_manifold(&p->hash, &e->manifolds[k]);
    }
    cm_world_get_stats(p->world, &stats);
    hash_number(&p->hash, stats.objects), hash_number(&p->hash, stats.moved), hash_number(&p->hash, stats.swept);
    hash_number(&p->hash, stats.pairs), hash_number(&p->hash, stats.contacts), hash_number(&p->hash, stats.hits);
    hash_number(&p->hash, stats.limits), hash_number(&p->hash, cm_world_hash(p->world));
}

/* --- questions --------------------------------------------------------------------------------------------------- */

static void ask_rays(playing *p, const cm_world_query *query, uint32_t turn) {
    enum { MOST = 3 };
    cm_world_ray_hit hits[MOST];
    for (uint32_t k = 0; k < 24; ++k) {
        const int axis = (int)(k % 3), side = k % 2 ? 1 : -1;
        cm_ray ray = {.max = k % 4 == 3 ? CM_REAL_MAX : CM_REAL(k % 4 == 2 ? 9 : 3)};
        ray.origin = cm_v(CM_REAL(k / 6) - 1, CM_REAL(turn % 4), k % 5 == 0 ? 1 : 0);
        ((cm_real *)&ray.origin)[axis] = (cm_real)(side < 0 ? 10 : -4);
        ray.direction = aligned_axis(axis, (cm_real)side);
        const uint32_t n = cm_world_raycast_all(p->world, &ray, query, hits, MOST);
        hash_number(&p->hash, n), hash_number(&p->hash, cm_world_raycast_any(p->world, &ray, query));
        for (uint32_t i = 0; i < n && i < MOST; ++i) {
            hash_number(&p->hash, hits[i].id), hash_real(&p->hash, hits[i].hit.t);
            hash_vec3(&p->hash, hits[i].hit.normal), hash_number(&p->hash, hits[i].hit.inside);
        }
        if (cm_world_raycast(p->world, &ray, query, hits)) hash_number(&p->hash, hits[0].id);
    }
}

static void ask_shapes(playing *p, const cm_world_query *query, uint32_t turn) {
    enum { MOST = 3 };
    cm_world_sweep_hit hits[MOST];
    cm_world_near near;
    uint32_t ids[MOST];
    for (uint32_t k = 0; k < 12; ++k) {
        const cm_shape shape = k % 3 ? body_of(p->z, k) : cm_make_box(cm_v(1, CM_REAL(k % 2), 1));
        cm_motion m = {.start = cm_pose_at(cm_v(CM_REAL(2 * (k % 4)), CM_REAL(2 * (turn % 4)), 4 + CM_REAL(k % 3)))};
        m.move = k % 4 == 3 ? cm_v(-8, 0, 0) : cm_v(0, 0, -CM_REAL(k % 3) - CM_REAL(k % 4 == 1));
        if (k % 6 == 5) m.spin = cm_v(0, 0, 1);
        uint32_t n = cm_world_sweep_all(p->world, &shape, &m, query, hits, MOST);
        hash_number(&p->hash, n);
        for (uint32_t i = 0; i < n && i < MOST; ++i) {
            hash_number(&p->hash, hits[i].id), hash_real(&p->hash, hits[i].hit.first);
            hash_vec3(&p->hash, hits[i].hit.normal), hash_number(&p->hash, hits[i].hit.blocking);
        }
        if (cm_world_sweep(p->world, &shape, &m, query, hits)) hash_number(&p->hash, hits[0].id);
        n = cm_world_overlap(p->world, &shape, &m.start, query, ids, k % 2 ? MOST : 1);
        hash_number(&p->hash, n);
        for (uint32_t i = 0; i < n && i < (k % 2 ? MOST : 1); ++i) hash_number(&p->hash, ids[i]);
        n = cm_world_overlap_point(p->world, m.start.position, query, ids, MOST);
        hash_number(&p->hash, n);
        const cm_real d = cm_world_distance(p->world, &shape, &m.start, CM_REAL(k % 3), query, &near);
        hash_real(&p->hash, d);
        if (d < CM_REAL_MAX) hash_number(&p->hash, near.id), hash_vec3(&p->hash, near.witness.normal);
    }
    cm_frustum f;
    for (int i = 0; i < 6; ++i) {
        f.planes[i].normal = aligned_axis(i % 3, i < 3 ? CM_REAL(1) : -1);
        f.planes[i].d = CM_REAL(i < 3 ? -1 : 2 * (int)(turn % 3) + 1); /* within where x + d and -x + d are > 0 */
    }
    const uint32_t n = cm_world_query_frustum(p->world, &f, query, ids, MOST);
    hash_number(&p->hash, n);
    for (uint32_t i = 0; i < n && i < MOST; ++i) hash_number(&p->hash, ids[i]);
}

static void ask_why(playing *p) {
    static uint32_t ids[MOST_IDS];
    const uint32_t count = cm_world_get_ids(p->world, ids, MOST_IDS);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k <= i; k += 3)
            hash_number(&p->hash, (uint64_t)cm_world_why(p->world, ids[i], ids[(i + k) % count]));
}

/* Saves it, and goes on with what was saved. */
static void keep(playing *p, const cm_world_desc *desc) {
    const cm_world_shapes shapes = {p->z->shapes, (uint32_t)p->z->count};
    const size_t size = cm_world_save(p->world, &shapes, NULL, 0);
    unsigned char *bytes = malloc(size);
    assert_true(size > 0);
    assert_int_equal(cm_world_save(p->world, &shapes, bytes, size), size);
    for (size_t i = 0; i < size; ++i) p->hash = (p->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    cm_world *other;
    assert_int_equal(cm_world_create(desc, &other, NULL), CM_OK);
    assert_int_equal(cm_world_restore(other, &shapes, bytes, size - 1), CM_BAD_DATA);
    assert_int_equal(cm_world_restore(other, &shapes, bytes, size), CM_OK);
    assert_true(cm_world_hash(other) == cm_world_hash(p->world));
    cm_world_destroy(p->world);
    p->world = other;
    free(bytes);
}

static bool may_meet(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    (void)user, (void)world;
    return (a + b) % 7 != 0;
}

static uint64_t story(const aligned *z, const cm_world_desc *desc) {
    playing p = {.hash = HASH_START, .z = z};
    const cm_world_query queries[] = {
        {.mask = 0}, {.triggers = true, .blocking = true}, {.mask = 2, .except = 0x1000003}};
    assert_int_equal(cm_world_create(desc, &p.world, NULL), CM_OK);
    cm_world_object_desc ground = {.shape = cm_make_halfspace(cm_v(0, 0, 1), 1), .fixed = true};
    uint32_t id;
    assert_int_equal(cm_world_add(p.world, &ground, &id, NULL), CM_OK);
    for (uint32_t i = 0; i < BODIES; ++i) {
        cm_world_object_desc d = object_of(z, i);
        assert_int_equal(cm_world_add(p.world, &d, &id, NULL), CM_OK);
    }
    for (uint32_t k = 0; k < STEPS; ++k) {
        const cm_world_step step = {.hit = answer, .user = &p};
        set_all(&p, k);
        if (k % 4 == 3) keep(&p, desc);
        hash_number(&p.hash, (uint64_t)cm_world_update(p.world, k % 6 == 5 ? NULL : &step));
        hash_step(&p);
        ask_rays(&p, &queries[k % 3], k), ask_shapes(&p, &queries[k % 3], k);
        ask_why(&p);
    }
    cm_world_destroy(p.world);
    return p.hash;
}

static void worlds_of_round_numbers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    aligned z;
    aligned_build(&z);
    const cm_world_desc descs[] = {
        {.capacity = 0}, {.margin = CM_REAL(0.5)}, {.margin = CM_REAL_MIN, .meet = may_meet}};
    uint64_t h = HASH_START;
    for (int i = 0; i < 3; ++i) hash_number(&h, story(&z, &descs[i]));
    aligned_free(&z);
    check_hash(h, GOLDEN(0x37543081659ace53, 0xa00ca439d49dfecd));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_of_round_numbers_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
