/* Worlds of full size that no one should build: a hundred thousand objects at one point. What cannot be answered in
 * bounded memory is a status, at once; what can be is cheap. */
#include "scene.h"

/* A hundred thousand; fewer where only a share is asked for, but never so few that their pairs are within what the
 * broad phase lets through: 10,000 have 50 million, half as many again. */
static uint32_t crowd_size(void) {
    const int count = samples(100000, 100000);
    return count < 10000 ? 10000 : (uint32_t)count;
}

typedef struct crowd {
    counting_allocator memory;
    cm_world *world;
    uint32_t *ids;
} crowd;

static void crowd_make(crowd *c, const cm_world_desc *how, cm_real radius, bool fixed, uint32_t count) {
    counting_allocator_start(&c->memory, 0);
    cm_world_desc desc = *how;
    desc.mem = &c->memory.mem;
    assert_int_equal(cm_world_create(&desc, &c->world, NULL), CM_OK);
    c->ids = malloc(count * sizeof *c->ids);
    for (uint32_t i = 0; i < count; i++) {
        cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), radius), .fixed = fixed};
        d.pose.position = cm_v(1, 2, 3);
        assert_int_equal(cm_world_add(c->world, &d, &c->ids[i], NULL), CM_OK);
    }
}

static void crowd_free(crowd *c) {
    cm_world_destroy(c->world);
    assert_int_equal(c->memory.live_blocks, 0);
    free(c->ids);
}

/* 5·10⁹ pairs: refused with no more than the pairs that the limit lets through, which are 256 MB, and what so many
 * objects take; nothing moved, nothing told; and once they stand apart all is well. The usual limit takes seconds to
 * reach: ./check asks the default kind for it, the others for an eighth, and ./check --deep all. */
static void a_hundred_thousand_at_one_point_are_refused(void **state) {
    (void)state;
    const uint32_t count = crowd_size();
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        if (kind == CM_BROAD_BRUTE) continue; /* means to look at all pairs */
        const bool usual = kind == CM_BROAD_AUTO || samples(0, 1);
        const cm_world_desc desc = {.kind = (cm_broad_kind)kind, .pair_limit = usual ? 0 : 1u << 22};
        crowd c;
        crowd_make(&c, &desc, CM_REAL(0.01), false, count);
        cm_motion m = {.move = {1, 0, 0}};
        assert_int_equal(cm_world_set_motion(c.world, c.ids[0], &m), CM_OK);
        uint64_t hash = cm_world_hash(c.world);
        for (int i = 0; i < 2; i++) assert_int_equal(cm_world_update(c.world, NULL), CM_LIMIT);
        assert_true(cm_world_hash(c.world) == hash);
        assert_int_equal(scene_event_count(c.world), 0);
        size_t peak = c.memory.peak_bytes;
        for (uint32_t i = 0; i < count; i++) { /* a grid of 47 x 47 x 46 */
            cm_pose pose = cm_pose_identity();
            pose.position = cm_v((cm_real)(i % 47), (cm_real)(i / 47 % 47), (cm_real)(i / (47 * 47)));
            assert_int_equal(cm_world_set_pose(c.world, c.ids[i], &pose), CM_OK);
        }
        cm_pose near = cm_pose_identity();
        near.position.x = CM_REAL(1.015);
        assert_int_equal(cm_world_set_pose(c.world, c.ids[0], &near), CM_OK);
        assert_int_equal(cm_world_update(c.world, NULL), CM_OK);
        assert_int_equal(scene_event_count(c.world), 1);
        check_that(peak < (size_t)(usual ? 440 : 224) << 20, "%s: %zu bytes", cm_broad_kind_text((cm_broad_kind)kind),
                   peak);
        crowd_free(&c);
    }
}

/* A limit of bytes holds while pairs are looked for: 3,000 objects at one point are 4.5 million pairs, of which 36 MB
 * are a list. They are refused with no more than twice the limit, beside what as many objects take that do not meet. */
static void a_limit_of_bytes_holds_while_pairs_are_found(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        cm_world_desc desc = {.kind = (cm_broad_kind)kind};
        crowd c;
        crowd_make(&c, &desc, 1, true, COUNT);
        assert_int_equal(cm_world_update(c.world, NULL), CM_OK);
        const size_t alone = c.memory.peak_bytes;
        crowd_free(&c);
        for (size_t limit = (size_t)1 << 20; limit <= (size_t)64 << 20; limit *= 4) {
            desc.byte_limit = limit;
            crowd_make(&c, &desc, 1, false, COUNT);
            for (int i = 0; i < 2; i++) assert_int_equal(cm_world_update(c.world, NULL), CM_LIMIT);
            check_that(c.memory.peak_bytes <= 2 * limit + alone + (alone >> 1),
                       "%s, limit %zu: %zu bytes, %zu of objects alone", cm_broad_kind_text((cm_broad_kind)kind), limit,
                       c.memory.peak_bytes, alone);
            crowd_free(&c);
        }
    }
}

/* Pairs of fixed objects are never looked for. */
static void a_hundred_thousand_fixed_at_one_point_cost_nothing(void **state) {
    (void)state;
    const uint32_t count = crowd_size();
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        if (kind == CM_BROAD_BRUTE) continue;
        crowd c;
        crowd_make(&c, &(cm_world_desc){.kind = (cm_broad_kind)kind}, 1, true, count);
        assert_int_equal(cm_world_update(c.world, NULL), CM_OK);
        cm_pose pose = {.position = cm_v(1, 2, 3), .rotation = cm_quat_identity()};
        cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
        assert_int_equal(cm_world_overlap(c.world, &ball, &pose, NULL, NULL, 0), count);
        cm_world_stats did;
        cm_world_get_stats(c.world, &did);
        check_that(did.pairs == 0, "%s: %zu pairs", cm_broad_kind_text((cm_broad_kind)kind), did.pairs);
        check_that(c.memory.peak_bytes < (size_t)1 << 28, "%zu bytes", c.memory.peak_bytes);
        crowd_free(&c);
    }
}

/* The limit is exact where filters leave all pairs, for every broad phase and any number of threads: 5 objects at one
 * point are 10 pairs, 50 are 1225. */
static void limit_is_exact(cm_broad_kind kind, uint32_t count, const cm_tasks *tasks) {
    const uint32_t pairs = count * (count - 1) / 2, left = (count - 1) * (count - 2) / 2;
    for (uint32_t limit = pairs - 1; limit <= pairs + 1; limit++) {
        const bool fits = limit >= pairs;
        cm_world_desc desc = {.kind = kind, .pair_limit = limit, .tasks = tasks};
        cm_world *world;
        assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
        uint32_t id = 0;
        for (uint32_t i = 0; i < count; i++) {
            cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
            assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
        }
        const cm_status status = cm_world_update(world, NULL);
        check_that(status == (fits ? CM_OK : CM_LIMIT), "%s: %u pairs, limit %u: %s", cm_broad_kind_text(kind), pairs,
                   limit, cm_status_text(status));
        assert_int_equal(scene_event_count(world), fits ? pairs : 0);
        assert_int_equal(cm_world_remove(world, id), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        assert_int_equal(scene_event_count(world), fits ? pairs : left);
        cm_world_destroy(world);
    }
}

static void the_limit_is_exact(void **state) {
    (void)state;
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(4, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        for (int threads = 0; threads < 2; threads++) {
            limit_is_exact((cm_broad_kind)kind, 3, threads ? &tasks : NULL);
            limit_is_exact((cm_broad_kind)kind, 5, threads ? &tasks : NULL);
            limit_is_exact((cm_broad_kind)kind, 50, threads ? &tasks : NULL);
        }
    }
    cm_pool_destroy(pool);
}

/* Objects that come one by one are refused from the first beyond the limit on; once they stand apart all is well. */
static void a_crowd_that_grew_one_by_one_can_part(void **state) {
    (void)state;
    enum { CROWD = 100, LIMIT = 1000 }; /* 45 are 990 pairs, 46 are 1035; twice the limit are 63 */
    cm_world_desc desc = {.pair_limit = LIMIT};
    cm_world *world;
    uint32_t ids[CROWD];
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (int i = 0; i < CROWD; i++) {
        cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
        assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
        const cm_status status = cm_world_update(world, NULL);
        check_that(status == (i < 45 ? CM_OK : CM_LIMIT), "%d objects: %s", i + 1, cm_status_text(status));
    }
    for (int i = 0; i < CROWD; i++) {
        cm_pose pose = {.position = cm_v((cm_real)(3 * i), 0, 0), .rotation = cm_quat_identity()};
        assert_int_equal(cm_world_set_pose(world, ids[i], &pose), CM_OK);
    }
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_int_equal(scene_event_count(world), 990); /* all ended */
    cm_world_destroy(world);
}

/* Both ends of the way are valid, what lies between is not: it could be stopped there. */
static void an_arc_beyond_the_valid_range_is_refused(void **state) {
    (void)state;
    const cm_real most = CM_COORD_MAX;
    cm_world *world;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    d.pose.position = cm_v(CM_REAL(0.9) * most, 0, 0);
    uint32_t id;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    cm_motion m = {.spin = cm_v(0, 0, CM_REAL(3.14159)), .pivot = cm_v(0, CM_REAL(0.4) * most, 0)};
    assert_int_equal(cm_world_set_motion(world, id, &m), CM_NOT_FINITE); /* around by x = 1.3 of it */
    m.pivot = cm_v(0, CM_REAL(0.01) * most, 0);
    assert_int_equal(cm_world_set_motion(world, id, &m), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    cm_world_destroy(world);
}

enum { PILE = 120, PILE_PAIRS = PILE * (PILE - 1) / 2 };

/* The same boxes at one point: every pair is in contact, by one manifold. */
static cm_status pile_update(size_t byte_limit, const cm_tasks *tasks,
                             bool (*meet)(void *, const cm_world *, uint32_t, uint32_t), size_t *peak,
                             size_t *contacts) {
    counting_allocator memory;
    counting_allocator_start(&memory, 0);
    cm_world_desc desc = {.byte_limit = byte_limit, .tasks = tasks, .mem = &memory.mem, .meet = meet};
    cm_world *world;
    uint32_t ids[PILE];
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (int i = 0; i < PILE; i++) {
        cm_world_object_desc d = {.shape = cm_make_box(cm_v(1, 1, 1))};
        assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
    }
    cm_status status = cm_world_update(world, NULL);
    *peak = memory.peak_bytes;
    *contacts = scene_event_count(world);
    if (status == CM_LIMIT) { /* once they stand apart all is well */
        for (int i = 0; i < PILE; i++) {
            cm_pose pose = {.position = cm_v((cm_real)(3 * i), 0, 0), .rotation = cm_quat_identity()};
            assert_int_equal(cm_world_set_pose(world, ids[i], &pose), CM_OK);
        }
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        assert_int_equal(scene_event_count(world), 0);
    }
    cm_world_destroy(world);
    return status;
}

/* A pair in contact takes at least two manifolds of this size, one for this update and one for the last; so a limit of
 * less refuses the pile, twice as much holds it, and there is one border between, the same for any number of
 * threads. What is refused was not taken first. */
static void a_pile_is_refused_by_the_bytes_of_its_contacts(void **state) {
    (void)state;
    const size_t least = PILE_PAIRS * 2 * sizeof(cm_manifold), step = least / 16;
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(4, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    bool held = false;
    size_t all, contacts;
    assert_int_equal(pile_update(0, NULL, NULL, &all, &contacts), CM_OK);
    assert_int_equal(contacts, PILE_PAIRS);
    for (size_t limit = step; limit <= 2 * least; limit += step) {
        size_t peak, peak_of_threads;
        cm_status status = pile_update(limit, NULL, NULL, &peak, &contacts);
        assert_int_equal(pile_update(limit, &tasks, NULL, &peak_of_threads, &contacts), status);
        assert_int_equal(contacts, status == CM_OK ? PILE_PAIRS : 0);
        assert_true(status == CM_OK || (status == CM_LIMIT && !held));
        held = status == CM_OK;
        if (!held) check_that(peak <= 2 * limit + (1u << 20), "limit %zu: %zu bytes", limit, peak);
        check_that(limit >= least || !held, "%zu bytes hold it", limit);
    }
    assert_true(held);
    cm_pool_destroy(pool);
}

/* --- limits that are just reached --------------------------------------------------------------------------------- */

enum { COUPLES = 96, TOUCHING = 32 };

/* Balls in couples, whose boxes overlap; of these, from `first` on, as many as told touch. */
static void couples_put(cm_world *world, const uint32_t *ids, int first) {
    for (int i = 0; i < COUPLES; i++) {
        const bool touch = i >= first && i < first + TOUCHING;
        const cm_real x = (cm_real)(8 * i), aside = touch ? 1 : CM_REAL(1.5); /* 1.5 both ways are 2.12 apart */
        const cm_pose one = cm_pose_at(cm_v(x, 0, 0)), other = cm_pose_at(cm_v(x + aside, aside, 0));
        assert_int_equal(cm_world_set_pose(world, ids[2 * i], &one), CM_OK);
        assert_int_equal(cm_world_set_pose(world, ids[2 * i + 1], &other), CM_OK);
    }
}

static cm_world *couples_make(size_t byte_limit, uint32_t *ids) {
    const cm_world_desc desc = {.byte_limit = byte_limit};
    const cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    cm_world *world;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (int i = 0; i < 2 * COUPLES; i++) assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
    couples_put(world, ids, COUPLES - TOUCHING);
    return world;
}

/* With room for just so many contacts, it does not matter which pairs have them: those that come after the last for
 * which there is room are told as they are now. Pairs without a contact, or with triggers, need no room for one. A
 * single byte is enough where there is no pair. */
static void what_just_fits_is_told_in_full(void **state) {
    (void)state;
    uint32_t ids[2 * COUPLES];
    size_t less = 1, enough = 1u << 20; /* bytes */
    while (less + 1 < enough) {
        const size_t limit = less + (enough - less) / 2;
        cm_world *world = couples_make(limit, ids);
        const cm_status status = cm_world_update(world, NULL);
        assert_true(status == CM_OK || status == CM_LIMIT);
        *(status == CM_OK ? &enough : &less) = limit;
        cm_world_destroy(world);
    }
    assert_true(enough < COUPLES * 2 * sizeof(cm_manifold)); /* as many contacts as pairs would take more */
    cm_world *world = couples_make(enough, ids);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_int_equal(scene_event_count(world), TOUCHING);
    couples_put(world, ids, 0);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_int_equal(scene_event_count(world), 2 * TOUCHING);
    for (int i = 0; i < TOUCHING; i++) {
        const int last = COUPLES - 1 - i;
        assert_non_null(scene_event(world, CM_WORLD_BEGAN, ids[2 * i], ids[2 * i + 1]));
        assert_non_null(scene_event(world, CM_WORLD_ENDED, ids[2 * last], ids[2 * last + 1]));
    }
    cm_world_destroy(world);
    world = couples_make(enough, ids);
    for (int i = 0; i < COUPLES; i++) {
        cm_pose pose;
        assert_int_equal(cm_world_get_pose(world, ids[2 * i], &pose), CM_OK);
        assert_int_equal(cm_world_set_pose(world, ids[2 * i + 1], &pose), CM_OK);
        assert_int_equal(cm_world_set_trigger(world, ids[2 * i], true), CM_OK);
    }
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_int_equal(scene_event_count(world), COUPLES);
    cm_world_destroy(world);
    world = couples_make(1, ids);
    assert_int_equal(cm_world_update(world, NULL), CM_LIMIT);
    for (int i = 0; i < COUPLES; i++) assert_int_equal(cm_world_remove(world, ids[2 * i]), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    cm_world_destroy(world);
}

static bool meet_nothing(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    (void)user, (void)world, (void)a, (void)b;
    return false;
}

/* That the contacts of a pile do not fit is seen by verdicts, before one of them is stored: what is refused takes no
 * more than the list of pairs does, which a pile without contacts has as well. */
static void a_pile_is_refused_before_its_contacts_are_stored(void **state) {
    (void)state;
    const size_t least = PILE_PAIRS * 2 * sizeof(cm_manifold);
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(4, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    for (int threads = 0; threads < 2; threads++) {
        const cm_tasks *how = threads ? &tasks : NULL;
        size_t of_pairs, contacts;
        assert_int_equal(pile_update(0, how, meet_nothing, &of_pairs, &contacts), CM_OK);
        assert_int_equal(contacts, 0);
        for (size_t part = 6; part <= 16; part++) {
            size_t peak;
            assert_int_equal(pile_update(least / 16 * part, how, NULL, &peak, &contacts), CM_LIMIT);
            check_that(peak <= of_pairs, "limit %zu: %zu bytes, %zu of the pairs", least / 16 * part, peak, of_pairs);
        }
    }
    cm_pool_destroy(pool);
}

/* --- piles in motion --------------------------------------------------------------------------------------------- */

/* Of two bodies of equal mass the one hands its velocity along the normal to the other. */
static cm_world_answer pile_bounce(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                   cm_motion *rest_b) {
    const cm_real along = cm_dot(cm_sub(rest_a->move, rest_b->move), hit->normal);
    (void)user, (void)world;
    if (!(along > 0)) return CM_WORLD_GO;
    rest_a->move = cm_mul_add(rest_a->move, -along, hit->normal);
    rest_b->move = cm_mul_add(rest_b->move, along, hit->normal);
    return CM_WORLD_GO;
}

typedef struct moving_pile {
    size_t byte_limit, sweep_limit;
    const cm_tasks *tasks;
    bool bounce, alone; /* alone: by its filters no box meets another */
    bool gentle;        /* each moves by so little that all overlap at the end as well */
} moving_pile;

typedef struct pile_outcome {
    cm_status status;
    cm_world_stats stats;
    size_t peak, events;
    bool unharmed; /* what stood in the world before the step stands there still */
} pile_outcome;

/* Boxes at one point, each of which is to move by many times its size, and in a direction of its own. */
static pile_outcome moving_pile_update(const moving_pile *how) {
    pile_outcome out = {.unharmed = false};
    counting_allocator memory;
    counting_allocator_start(&memory, 0);
    cm_world_desc desc = {.byte_limit = how->byte_limit, .sweep_limit = how->sweep_limit, .tasks = how->tasks};
    desc.mem = &memory.mem;
    const cm_world_step step = {.hit = how->bounce ? pile_bounce : NULL};
    cm_world *world;
    uint32_t ids[PILE];
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (int i = 0; i < PILE; i++) {
        cm_world_object_desc d = {.shape = cm_make_box(cm_v(1, 1, 1)), .group = how->alone ? -1 : 0};
        if (how->gentle) d.sweep = CM_WORLD_SWEEP_ALWAYS;
        assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
        const cm_vec3 way = cm_v((cm_real)(i * 37 % 101), (cm_real)(i * 53 % 103), (cm_real)(i * 71 % 107));
        const cm_motion m = {.move = cm_scale(way, how->gentle ? CM_REAL(0.001) : 1)};
        assert_int_equal(cm_world_set_motion(world, ids[i], &m), CM_OK);
    }
    const uint64_t hash = cm_world_hash(world);
    out.status = cm_world_update(world, &step);
    out.unharmed = cm_world_hash(world) == hash;
    out.peak = memory.peak_bytes;
    out.events = scene_event_count(world);
    cm_world_get_stats(world, &out.stats);
    for (int i = 0; out.status == CM_LIMIT && i < PILE; i++) { /* once they stand apart all is well */
        const cm_pose pose = {.position = cm_v((cm_real)(30 * i), 0, 0), .rotation = cm_quat_identity()};
        const cm_motion rest = {.move = cm_v(0, 0, 0)};
        assert_int_equal(cm_world_set_pose(world, ids[i], &pose), CM_OK);
        assert_int_equal(cm_world_set_motion(world, ids[i], &rest), CM_OK);
    }
    if (out.status == CM_LIMIT) assert_int_equal(cm_world_update(world, &step), CM_OK);
    cm_world_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    return out;
}

/* A pair that overlaps where the step begins will be a hit, which takes two manifolds and more. So a limit of less
 * refuses a pile in motion before its first sweep: nothing has moved, and no more was taken than the list of pairs
 * takes, which a pile that meets nothing has as well. Where the pile is held, what it took is within twice the limit.
 * Any number of threads finds the same border. */
static void a_pile_in_motion_is_refused_before_its_first_sweep(void **state) {
    (void)state;
    const size_t least = PILE_PAIRS * 2 * sizeof(cm_manifold), step = least / 8;
    const pile_outcome alone = moving_pile_update(&(moving_pile){.alone = true});
    assert_int_equal(alone.status, CM_OK);
    assert_int_equal(alone.events, 0);
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(4, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    for (int bounce = 0; bounce < 2; bounce++) {
        bool held = false;
        for (size_t limit = step; limit <= 16 * least && !held; limit += step) {
            const moving_pile serial = {.byte_limit = limit, .bounce = bounce},
                              parallel = {limit, 0, &tasks, bounce, 0, 0};
            const pile_outcome out = moving_pile_update(&serial), of_threads = moving_pile_update(&parallel);
            assert_int_equal(of_threads.status, out.status);
            held = out.status == CM_OK;
            assert_true(held || out.status == CM_LIMIT);
            check_that(out.peak <= 2 * limit + (1u << 20), "limit %zu: %zu bytes", limit, out.peak);
            if (limit > least) continue;
            check_that(!out.stats.sweeps && out.unharmed, "limit %zu: %zu sweeps", limit, out.stats.sweeps);
            check_that(out.peak <= alone.peak, "limit %zu: %zu bytes, %zu of the pairs", limit, out.peak, alone.peak);
        }
        assert_true(held);
    }
    cm_pool_destroy(pool);
}

/* Boxes that still overlap at the end have both: what notes that they touched at the start, and a contact. The limit of
 * bytes holds for the two together. */
static void notes_and_contacts_are_within_one_limit(void **state) {
    (void)state;
    const size_t each = 4 * sizeof(cm_manifold) + 5 * sizeof(cm_world_event), least = PILE_PAIRS * each;
    bool held = false;
    for (size_t limit = least / 16; limit <= 2 * least && !held; limit += least / 16) {
        const moving_pile how = {.byte_limit = limit, .bounce = true, .gentle = true};
        const pile_outcome out = moving_pile_update(&how);
        held = out.status == CM_OK;
        assert_true(held || out.status == CM_LIMIT);
        check_that(!held || limit >= least, "%zu bytes hold %zu contacts and their notes", limit, out.stats.contacts);
        if (held) assert_int_equal(out.stats.contacts, PILE_PAIRS);
    }
    assert_true(held);
}

/* Bodies that overlap where the step begins are noted as touching after each of their hits there, and yet take the
 * bytes of one note a pair: a pile whose boxes bounce takes little more than one whose boxes stop at their first hit,
 * though it is swept several times as often. */
static void a_pile_that_bounces_keeps_one_note_a_pair(void **state) {
    (void)state;
    const pile_outcome stopped = moving_pile_update(&(moving_pile){.bounce = false});
    const pile_outcome bounced = moving_pile_update(&(moving_pile){.bounce = true});
    assert_int_equal(stopped.status, CM_OK);
    assert_int_equal(bounced.status, CM_OK);
    check_that(bounced.stats.sweeps > 4 * stopped.stats.sweeps, "%zu, %zu sweeps", stopped.stats.sweeps,
               bounced.stats.sweeps);
    check_that(bounced.stats.sweeps <= (1 + 2 * CM_WORLD_HITS) * (size_t)PILE_PAIRS, "%zu sweeps",
               bounced.stats.sweeps);
    check_that(bounced.stats.bytes <= 2 * stopped.stats.bytes, "%zu, %zu bytes", stopped.stats.bytes,
               bounced.stats.bytes);
}

/* Pairs that are to be swept and are apart where the step begins need no room for hits, of which each takes the bytes
 * of three manifolds and more. Where the room for what enters triggers ends before the first hit, nothing has moved,
 * and all are about to move still. */
static void what_is_swept_and_not_hit_takes_little(void **state) {
    (void)state;
    uint32_t ids[2 * COUPLES];
    cm_world *world = couples_make(COUPLES * 2 * sizeof(cm_manifold), ids);
    couples_put(world, ids, COUPLES);
    for (int i = 0; i < 2 * COUPLES; i++) {
        const cm_motion m = {.move = {0, 0, CM_REAL(0.5)}};
        assert_int_equal(cm_world_set_sweep(world, ids[i], CM_WORLD_SWEEP_ALWAYS), CM_OK);
        assert_int_equal(cm_world_set_motion(world, ids[i], &m), CM_OK);
    }
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    cm_world_stats stats;
    cm_world_get_stats(world, &stats);
    check_that(stats.sweeps == COUPLES && stats.hits == 0, "%zu sweeps, %zu hits", stats.sweeps, stats.hits);
    for (int i = 0; i < COUPLES; i++) {
        const cm_motion m = {.move = {-4, 0, 0}};
        assert_int_equal(cm_world_set_trigger(world, ids[2 * i], true), CM_OK);
        assert_int_equal(cm_world_set_motion(world, ids[2 * i + 1], &m), CM_OK);
    }
    assert_int_equal(cm_world_update(world, NULL), CM_LIMIT);
    for (int i = 0; i < COUPLES; i++) {
        cm_motion m;
        assert_int_equal(cm_world_get_motion(world, ids[2 * i + 1], &m), CM_OK);
        assert_true(m.move.x == -4 && m.start.position.x == (cm_real)(8 * i) + CM_REAL(1.5));
    }
    cm_world_destroy(world);
}

/* The limit of sweeps is exact: one less than the pairs that are to be swept refuses the step, and nothing has moved;
 * one less than all sweeps of the step ends it amid its hits, for any number of threads. */
static void the_limit_of_sweeps_is_exact(void **state) {
    (void)state;
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(4, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    assert_int_equal(moving_pile_update(&(moving_pile){.alone = true, .sweep_limit = 1}).status, CM_OK);
    for (int threads = 0; threads < 2; threads++) {
        moving_pile how = {.bounce = true, .tasks = threads ? &tasks : NULL};
        const size_t all = moving_pile_update(&how).stats.sweeps;
        const size_t limits[] = {1, PILE_PAIRS - 1, PILE_PAIRS, all / 2, all - 1, all, all + 1};
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            how.sweep_limit = limits[i];
            const pile_outcome out = moving_pile_update(&how);
            check_that(out.status == (limits[i] < all ? CM_LIMIT : CM_OK), "limit %zu of %zu", limits[i], all);
            const size_t swept = limits[i] < PILE_PAIRS ? 0 : limits[i] < all ? limits[i] : all;
            check_that(out.stats.sweeps == swept, "limit %zu of %zu: %zu sweeps", limits[i], all, out.stats.sweeps);
            if (!swept) assert_true(out.unharmed);
        }
    }
    cm_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_is_refused_by_the_bytes_of_its_contacts),
        cmocka_unit_test(what_just_fits_is_told_in_full),
        cmocka_unit_test(a_pile_is_refused_before_its_contacts_are_stored),
        cmocka_unit_test(a_pile_in_motion_is_refused_before_its_first_sweep),
        cmocka_unit_test(notes_and_contacts_are_within_one_limit),
        cmocka_unit_test(a_pile_that_bounces_keeps_one_note_a_pair),
        cmocka_unit_test(what_is_swept_and_not_hit_takes_little),
        cmocka_unit_test(the_limit_of_sweeps_is_exact),
        cmocka_unit_test(an_arc_beyond_the_valid_range_is_refused),
        cmocka_unit_test(a_hundred_thousand_at_one_point_are_refused),
        cmocka_unit_test(a_limit_of_bytes_holds_while_pairs_are_found),
        cmocka_unit_test(a_hundred_thousand_fixed_at_one_point_cost_nothing),
        cmocka_unit_test(the_limit_is_exact),
        cmocka_unit_test(a_crowd_that_grew_one_by_one_can_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
