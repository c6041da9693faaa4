/* Snapshots that are cut short, bent, glued together or lie about their sizes: a status, the world as it was, no
 * memory beyond what the bytes account for. What is taken in spite of all goes on without harm. */
#include "support/nasty.h"

#include <math.h>

#include "world/scene.h"

enum { TABLE = 6, OBJECTS = 24 };

typedef struct playground {
    counting_allocator counter;
    cm_world *world;
    cm_dynamics *dynamics; /* may be NULL */
    cm_shape table[TABLE];
    cm_world_shapes shapes;
    cm_hull *hull;
} playground;

static void playground_open(playground *p, bool bodies, uint64_t seed) {
    static const cm_vec3 corners[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    memset(p, 0, sizeof *p);
    rng r = {seed};
    counting_allocator_start(&p->counter, 0);
    cm_hull_desc hull = {.points = &corners[0].x, .point_count = 5};
    assert_int_equal(cm_hull_build(&hull, NULL, &p->hull, NULL), CM_OK);
    for (int i = 0; i + 1 < TABLE; i++) p->table[i] = scene_shape(&r);
    p->table[TABLE - 1] = cm_make_hull(p->hull);
    p->shapes.shapes = p->table, p->shapes.count = TABLE;
    cm_world_desc desc = {.mem = &p->counter.mem, .margin = CM_REAL(0.05)};
    assert_int_equal(cm_world_create(&desc, &p->world, NULL), CM_OK);
    if (bodies) {
        cm_dynamics_desc d = {.mem = &p->counter.mem, .gravity = cm_v(0, -9, 0)};
        assert_int_equal(cm_dynamics_create(p->world, &d, &p->dynamics), CM_OK);
    }
    uint32_t ids[OBJECTS];
    for (uint32_t i = 0; i < OBJECTS; i++) {
        cm_world_object_desc o = scene_object(&r, 2);
        if (i % 3) o.shape = p->table[rng_below(&r, TABLE)];
        assert_int_equal(cm_world_add(p->world, &o, &ids[i], NULL), CM_OK);
        cm_body_desc body = {.velocity = rng_vec3(&r, 3), .mass = 1, .response = CM_RESPONSE_BOUNCE};
        if (bodies && !o.fixed && i % 2) assert_int_equal(cm_dynamics_add(p->dynamics, ids[i], &body), CM_OK);
    }
    for (int step = 0; step < 3; step++) {
        cm_world_remove(p->world, ids[3 * step + 1]);
        for (uint32_t i = 0; i < OBJECTS; i++) {
            cm_motion m = scene_motion(&r, 1, 1);
            if (!bodies) cm_world_set_motion(p->world, ids[i], &m);
        }
        assert_int_equal(bodies ? cm_dynamics_step(p->dynamics, CM_REAL(0.05)) : cm_world_update(p->world, NULL),
                         CM_OK);
    }
}
static void playground_close(playground *p) {
    cm_dynamics_destroy(p->dynamics);
    cm_world_destroy(p->world);
    cm_hull_destroy(p->hull, NULL);
    assert_int_equal(p->counter.live_blocks, 0);
}
static size_t playground_save(const playground *p, void *bytes, size_t room) {
    return p->dynamics ? cm_dynamics_save(p->dynamics, &p->shapes, bytes, room)
                       : cm_world_save(p->world, &p->shapes, bytes, room);
}
static cm_status playground_restore(playground *p, const void *bytes, size_t size) {
    return p->dynamics ? cm_dynamics_restore(p->dynamics, &p->shapes, bytes, size)
                       : cm_world_restore(p->world, &p->shapes, bytes, size);
}
static uint64_t playground_hash(const playground *p) {
    return p->dynamics ? cm_dynamics_hash(p->dynamics) : cm_world_hash(p->world);
}

/* --- damage ---------------------------------------------------------------------------------------------------- */

typedef struct parcel {
    unsigned char *bytes;
    size_t size, room;
} parcel;

static void parcel_save(const playground *p, parcel *out) {
    out->size = playground_save(p, NULL, 0);
    out->room = 2 * out->size + 64;
    out->bytes = calloc(1, out->room);
    assert_non_null(out->bytes);
    assert_int_equal(playground_save(p, out->bytes, out->room), out->size);
}

/* The numbers that files lie with. */
static void damage_number(parcel *p, size_t at, rng *r) {
    static const uint32_t lies[] = {0,          1,          2,         0x7fffffff, 0x80000000,
                                    0xffffffff, 0xfffffffe, 0x1000000, 0xffffff,   65536};
    uint32_t value = lies[rng_below(r, 10)];
    if (rng_below(r, 4) == 0) {
        cm_real x = CM_REAL(rng_log_range(r, 1e-30, 1e30));
        if (rng_below(r, 3) == 0) x = (cm_real)HUGE_VAL;
        if (rng_below(r, 3) == 0) x = (cm_real)HUGE_VAL - (cm_real)HUGE_VAL;
        if (at + sizeof x <= p->size) memcpy(p->bytes + at, &x, sizeof x);
    } else if (at + 4 <= p->size) {
        memcpy(p->bytes + at, &value, 4);
    }
}

static void damage(parcel *p, const parcel *other, rng *r) {
    for (uint32_t times = 1 + rng_below(r, 4); times > 0 && p->size > 0; times--) {
        size_t at = rng_below(r, (uint32_t)p->size), more = 1 + rng_below(r, 64);
        switch (rng_below(r, 9)) {
        case 0:
            p->size = at;
            break;
        case 1:
        case 2:
            p->bytes[at] ^= (unsigned char)(1u << rng_below(r, 8));
            break;
        case 3:
            p->bytes[at] = (unsigned char)rng_bits(r);
            break;
        case 4:
        case 5:
            damage_number(p, at & ~(size_t)3, r);
            break;
        case 6: /* a stretch twice */
            if (at + more <= p->size && p->size + more <= p->room) {
                memmove(p->bytes + at + more, p->bytes + at, p->size - at);
                p->size += more;
            }
            break;
        case 7: /* a stretch left out */
            if (at + more <= p->size) {
                memmove(p->bytes + at, p->bytes + at + more, p->size - at - more);
                p->size -= more;
            }
            break;
        default: /* the end of another one */
            if (at < other->size && other->size <= p->room) {
                memcpy(p->bytes + at, other->bytes + at, other->size - at);
                p->size = other->size;
            }
        }
    }
}

static void run_damage(bool bodies, uint64_t seed, int count) {
    playground p, q;
    playground_open(&p, bodies, seed);
    playground_open(&q, bodies, seed + 1);
    parcel whole, other, bent;
    parcel_save(&p, &whole);
    parcel_save(&q, &other);
    bent.room = whole.room > other.room ? whole.room : other.room;
    bent.bytes = calloc(1, bent.room);
    assert_non_null(bent.bytes);
    uint64_t hash = playground_hash(&p);
    rng r = rng_start(bodies ? "bent bodies" : "bent worlds", seed);
    int taken = 0, bad = 0;
    for (int i = 0; i < count; i++) {
        memset(bent.bytes, 0, bent.room);
        memcpy(bent.bytes, whole.bytes, whole.size);
        bent.size = whole.size;
        parcel tail = other;
        tail.size = other.size < bent.room ? other.size : bent.room;
        damage(&bent, &tail, &r);
        unsigned char *exact = malloc(bent.size + 1); /* so that the sanitizer sees a byte too much */
        assert_non_null(exact);
        memcpy(exact, bent.bytes, bent.size);
        size_t held = p.counter.live_bytes;
        p.counter.peak_bytes = held;
        cm_status status = playground_restore(&p, exact, bent.size);
        check_that(p.counter.peak_bytes <= held + 64 * bent.size + (1u << 20), "sample %d: %zu bytes for %zu", i,
                   p.counter.peak_bytes - held, bent.size);
        free(exact);
        if (status == CM_OK) {
            taken++;
            for (int step = 0; step < 2; step++) {
                cm_status moved = bodies ? cm_dynamics_step(p.dynamics, CM_REAL(0.1)) : cm_world_update(p.world, NULL);
                check_that(moved == CM_OK || moved == CM_NOT_FINITE, "sample %d: %s", i, cm_status_text(moved));
            }
            for (uint32_t k = 0, ids[64], n = cm_world_get_ids(p.world, ids, 64); k < n && k < 64; k++) {
                cm_world_object_desc o;
                check_that(cm_world_get(p.world, ids[k], &o) == CM_OK && cm_pose_is_valid(&o.pose), "sample %d", i);
            }
            assert_int_equal(playground_restore(&p, whole.bytes, whole.size), CM_OK);
        } else {
            bad += status == CM_BAD_DATA;
            check_that(status == CM_BAD_DATA || status == CM_OUT_OF_RANGE || status == CM_LIMIT, "sample %d: %s", i,
                       cm_status_text(status));
        }
        check_that(playground_hash(&p) == hash, "sample %d: the world is another", i);
    }
    print_message("  %d of %d taken, %d damaged\n", taken, count, bad);
    check_that(taken > count / 100 && bad > count / 4, "%d taken, %d damaged", taken, bad);
    free(bent.bytes), free(whole.bytes), free(other.bytes);
    playground_close(&p);
    playground_close(&q);
}

static void bent_worlds_are_refused_or_harmless(void **state) {
    (void)state;
    run_damage(false, 31, samples(3000, 1000000));
}
static void bent_bodies_are_refused_or_harmless(void **state) {
    (void)state;
    run_damage(true, 33, samples(3000, 1000000));
}

static void every_cut_is_refused(void **state) {
    (void)state;
    for (int bodies = 0; bodies < 2; bodies++) {
        playground p;
        parcel whole;
        playground_open(&p, bodies, 35);
        parcel_save(&p, &whole);
        uint64_t hash = playground_hash(&p);
        for (size_t size = 0; size < whole.size; size += size < 200 ? 1 : 37) {
            unsigned char *cut = malloc(size + 1);
            assert_non_null(cut);
            memcpy(cut, whole.bytes, size);
            assert_int_equal(playground_restore(&p, cut, size), CM_BAD_DATA);
            free(cut);
        }
        assert_int_equal(playground_restore(&p, NULL, 100), CM_BAD_DATA);
        assert_int_equal(playground_restore(&p, whole.bytes, whole.size + 1), CM_BAD_DATA);
        assert_true(playground_hash(&p) == hash);
        free(whole.bytes);
        playground_close(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bent_worlds_are_refused_or_harmless),
        cmocka_unit_test(bent_bodies_are_refused_or_harmless),
        cmocka_unit_test(every_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
