/* The same bits everywhere, of boxes on a lattice: each touches those around it exactly, sizes, places and borders of
 * cells fall together, as do the keys by which they are sorted. Pairs in the order in which each kind finds them, the
 * structures themselves, changes, and queries along faces, edges and corners. See golden.h. */
#include "golden.h"
#include "support/broads.h"

enum { SIDE = 5, BOXES = SIDE * SIDE * SIDE + 30, FRAMES = 7 };

/* One of a lattice; then points, flat ones, large and unbounded ones. */
static cm_aabb lattice_box(uint32_t i) {
    const uint32_t place = i * 37 % (SIDE * SIDE * SIDE);
    const cm_real x = CM_REAL(place % SIDE), y = CM_REAL(place / SIDE % SIDE), z = CM_REAL(place / SIDE / SIDE);
    cm_aabb box = {{x, y, z}, {x + 1, y + 1, z + 1}};
    if (i < SIDE * SIDE * SIDE) return box;
    if (i % 6 == 0) box.max = box.min;
    if (i % 6 == 1) box.max.y = box.min.y;
    if (i % 6 == 2) box.min = cm_v(0, 0, 0), box.max = cm_v(SIDE, SIDE, x + 1);
    if (i % 6 == 3) box.max.z = CM_REAL_MAX;
    if (i % 6 == 4) box.min.x = -CM_REAL_MAX;
    return box;
}

static cm_aabb moved(cm_aabb box, cm_vec3 by) {
    box.min = cm_add(box.min, by), box.max = cm_add(box.max, by);
    return box;
}

static bool hash_found(void *context, uint32_t id) {
    hash_number(context, id);
    return true;
}
static cm_real hash_met(void *context, uint32_t id, cm_real t) {
    hash_number(context, id), hash_real(context, t);
    return id % 3 ? CM_REAL_MAX : t; /* some say how far to look on */
}
static cm_real first_met(void *context, uint32_t id, cm_real t) {
    hash_number(context, id);
    return t;
}
static bool hash_node(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    hash_vec3(context, box->min), hash_vec3(context, box->max);
    hash_number(context, (uint64_t)(unsigned)depth << 32 | objects);
    return true;
}

static void hash_pairs(uint64_t *h, const cm_broad_pair *pairs, size_t count) {
    hash_number(h, count);
    for (size_t i = 0; i < count; ++i) hash_number(h, (uint64_t)pairs[i].a << 32 | pairs[i].b);
}

static void hash_queries(uint64_t *h, const cm_broad *b, uint32_t turn) {
    for (uint32_t k = 0; k < 18; ++k) {
        const uint32_t mask = k % 4 ? 0 : 2;
        const cm_vec3 at = cm_v(CM_REAL(k % 6), CM_REAL(turn % 6), CM_REAL(k % 4));
        const cm_aabb cell = {at, cm_add(at, cm_v(CM_REAL(k % 2), 1, CM_REAL(k % 3)))};
        hash_number(h, cm_broad_query_box(b, &cell, mask, hash_found, h));
        hash_number(h, cm_broad_query_point(b, at, mask, hash_found, h));
        hash_number(h, cm_broad_query_sphere(b, cm_sub(at, cm_v(1, 0, 0)), CM_REAL(k % 3), mask, hash_found, h));
        const cm_vec3 normals[3] = {{1, 0, 0}, {0, k % 2 ? CM_REAL(1) : -1, 0}, {0, 1, -1}};
        const cm_real d[3] = {-CM_REAL(k % 6), CM_REAL(turn % 6), 0};
        hash_number(h, cm_broad_query_halfspace(b, normals[k % 3], d[k % 3], mask, hash_found, h));
        hash_number(h, cm_broad_query_frustum(b, normals, d, 3, mask, hash_found, h));
        cm_vec3 origin = at, way = cm_v(0, 0, 0);
        ((cm_real *)&origin)[k % 3] = k % 2 ? CM_REAL(-1) : SIDE + 1;
        ((cm_real *)&way)[k % 3] = k % 2 ? CM_REAL(1) : -1;
        if (k % 5 == 4) ((cm_real *)&way)[(k + 1) % 3] = CM_REAL(0.5);
        const cm_real limit = k % 4 == 3 ? CM_REAL_MAX : CM_REAL(k % 4 + 1);
        hash_number(h, cm_broad_raycast(b, origin, way, limit, mask, hash_met, h));
        hash_number(h, cm_broad_raycast(b, origin, way, limit, mask, first_met, h));
        const cm_aabb box = {origin, cm_add(origin, cm_v(CM_REAL(k % 2), CM_REAL(k % 2), CM_REAL(k % 3)))};
        hash_number(h, cm_broad_sweep(b, &box, way, limit, mask, hash_met, h));
        hash_number(h, cm_broad_sweep(b, &box, cm_scale(way, 4), 1, mask, first_met, h));
        uint32_t ids[7];
        cm_real distances[7];
        const uint32_t n = cm_broad_nearest(b, k % 2 ? at : cm_sub(at, cm_v(2, 0, 0)), CM_REAL((int)(k % 4) - 1), mask,
                                            1 + k % 7, ids, distances);
        hash_number(h, n);
        for (uint32_t i = 0; i < n; ++i) hash_number(h, ids[i]), hash_real(h, distances[i]);
    }
}

static void hash_frame(uint64_t *h, cm_broad *b, cm_broad *other, uint32_t frame) {
    cm_broad_pair_view view;
    cm_broad_changes changes;
    cm_broad_stats stats;
    if (frame % 3 == 2) hash_queries(h, b, frame); /* before it is up to date */
    if (frame % 2) hash_number(h, (uint64_t)cm_broad_update(b));
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    hash_pairs(h, view.pairs, view.count);
    assert_int_equal(cm_broad_find_pairs_between(b, other, 0, &view), CM_OK);
    hash_pairs(h, view.pairs, view.count);
    assert_int_equal(cm_broad_get_changes(b, &changes), CM_OK);
    hash_pairs(h, changes.began.pairs, changes.began.count), hash_pairs(h, changes.ended.pairs, changes.ended.count);
    hash_queries(h, b, frame);
    cm_broad_walk(b, hash_node, h);
    cm_broad_get_stats(b, &stats);
    hash_number(h, (uint64_t)stats.kind), hash_number(h, stats.objects), hash_number(h, stats.fixed);
    hash_number(h, stats.unbounded), hash_number(h, stats.nodes), hash_number(h, stats.depth);
    hash_number(h, stats.pairs);
}

/* All stand, few move, all move, some far, many leave, few come, in turn. */
static void move_some(uint64_t *h, cm_broad *b, uint32_t *ids, uint32_t frame) {
    const cm_vec3 steps[3] = {{1, 0, 0}, {0, CM_REAL(0.5), 0}, {0, -1, 2}};
    for (uint32_t i = 0; i < BOXES; ++i) {
        const uint32_t dice = (i * 11 + frame * 3) % 16;
        const cm_aabb box = moved(lattice_box(i + (frame > 3)), steps[(i + frame) % 3]);
        if (frame == 1 ? dice == 0 : frame == 2 || (frame == 3 && dice < 8))
            hash_number(h, (uint64_t)cm_broad_move(b, ids[i], &box));
        if (frame == 3 && dice == 9) {
            const cm_aabb far = moved(box, cm_v(1024, 0, -1024));
            hash_number(h, (uint64_t)cm_broad_move(b, ids[i], &far));
        }
        if (frame == 4 && dice < 6) hash_number(h, (uint64_t)cm_broad_remove(b, ids[i]));
        if (frame == 5 && dice % 2) {
            cm_broad_object_desc object = {.box = lattice_box(i), .layer = 1 + dice % 3, .fixed = dice == 5};
            hash_number(h, (uint64_t)cm_broad_add(b, &object, &ids[i]));
        }
        if (frame == 5 && dice == 8) hash_number(h, (uint64_t)cm_broad_set_filter(b, ids[i], dice % 3, 3));
        if (frame == 5 && dice == 10) hash_number(h, (uint64_t)cm_broad_set_fixed(b, ids[i], i % 2 == 0));
    }
}

static uint64_t story(const cm_broad_desc *desc) {
    static uint32_t ids[BOXES];
    uint64_t h = HASH_START;
    cm_broad *b = NULL, *other = NULL;
    assert_int_equal(cm_broad_create(desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_create(desc, &other, NULL), CM_OK);
    for (uint32_t i = 0; i < BOXES; ++i) {
        cm_broad_object_desc object = {.box = lattice_box(i), .fixed = i % 5 == 2};
        if (i % 7 == 3) object.layer = 2, object.mask = 3;
        assert_int_equal(cm_broad_add(b, &object, &ids[i]), CM_OK);
        object.box = moved(object.box, cm_v(i % 2 ? CM_REAL(1) : 0, 0, CM_REAL(0.5)));
        uint32_t id;
        if (i % 3 == 0) assert_int_equal(cm_broad_add(other, &object, &id), CM_OK);
    }
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        move_some(&h, b, ids, frame);
        hash_frame(&h, b, other, frame);
    }
    cm_broad_destroy(b), cm_broad_destroy(other);
    return h;
}

static void boxes_of_a_lattice_give_the_same_bits_everywhere(void **state) {
    (void)state;
    uint64_t h = HASH_START;
    for (int kind = 0; kind < BROADS; ++kind) {
        cm_broad_desc desc = broads_desc(kind);
        desc.changes = true;
        hash_number(&h, story(&desc));
        desc.cell = 1, desc.split = 1, desc.loose = CM_REAL(1.5), desc.levels = 3, desc.plane = 1;
        hash_number(&h, story(&desc));
        cm_aabb boxes[BOXES];
        for (uint32_t i = 0; i < BOXES; ++i) boxes[i] = lattice_box(i);
        cm_broad_pairs_desc once = {.kind = desc.kind};
        cm_broad_pair_list list = {0};
        assert_int_equal(cm_broad_pairs(boxes, BOXES, &once, &list), CM_OK);
        hash_pairs(&h, list.pairs, list.count);
        assert_int_equal(cm_broad_pairs_between(boxes, 60, boxes + 60, BOXES - 60, &once, &list), CM_OK);
        hash_pairs(&h, list.pairs, list.count);
        cm_broad_pair_list_free(&list, NULL);
    }
    check_hash(h, GOLDEN(0x4602a2e736993276, 0x176c279ea25de2be));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_of_a_lattice_give_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
