/* No answer depends on what lay on the stack: every pair of kinds asks everything again after the stack was filled with
 * other bytes. What nobody set would differ, or be taken for a number of something and lead out of an array. */
#include "support/specimen.h"

enum { STACK_ROOM = 1 << 18 };

static void *(*volatile fill)(void *, int, size_t) = memset; /* no compiler knows what it does */

static int fill_stack(int byte) {
    unsigned char room[STACK_ROOM];
    fill(room, byte, sizeof room);
    return room[STACK_ROOM / 2];
}

static void mix_number(uint64_t *h, uint64_t x) { *h = (*h ^ x) * UINT64_C(0x100000001b3); }
static void mix_real(uint64_t *h, cm_real x) {
    double wide = (double)x;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    mix_number(h, bits);
}
static void mix_vec3(uint64_t *h, cm_vec3 v) { mix_real(h, v.x), mix_real(h, v.y), mix_real(h, v.z); }

static void mix_manifold(uint64_t *h, const cm_manifold *m) {
    mix_vec3(h, m->normal), mix_number(h, m->part_a), mix_number(h, m->part_b);
    for (int i = 0; i < m->count; i++) {
        const cm_contact_point *p = &m->points[i];
        mix_vec3(h, p->point_a), mix_vec3(h, p->point_b), mix_real(h, p->depth);
        mix_number(h, p->feature_a), mix_number(h, p->feature_b);
    }
}

static void mix_hit(uint64_t *h, const cm_sweep_hit *hit) {
    mix_real(h, hit->first), mix_real(h, hit->last), mix_vec3(h, hit->point), mix_vec3(h, hit->normal);
    mix_number(h, (uint64_t)hit->start), mix_number(h, hit->blocking);
    mix_number(h, hit->part_a), mix_number(h, hit->part_b);
}

/* All that two shapes are asked, each time over a stack of these bytes. */
static uint64_t answers_over(int byte, const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    cm_witness w;
    cm_manifold m[16];
    cm_sweep_hit hit;
    cm_ray_hit met;
    cm_real last;
    fill_stack(byte);
    mix_number(&h, cm_overlap(a, &ma->start, b, &mb->start));
    fill_stack(byte);
    cm_real d = cm_distance(a, &ma->start, b, &mb->start, CM_REAL_MAX, &w);
    mix_real(&h, d);
    if (d < CM_REAL_MAX && d > -CM_REAL_MAX)
        mix_vec3(&h, w.point_a), mix_vec3(&h, w.point_b), mix_vec3(&h, w.normal), mix_number(&h, w.flags);
    fill_stack(byte);
    int count = cm_contact(a, &ma->start, b, &mb->start, cm_largest(ma->move) / 8, m, 16);
    mix_number(&h, (uint64_t)count);
    for (int i = 0; i < count && i < 16; i++) mix_manifold(&h, &m[i]);
    fill_stack(byte);
    if (cm_sweep(a, ma, b, mb, &hit)) mix_hit(&h, &hit);
    fill_stack(byte);
    if (cm_sweep_last(a, ma, b, mb, &last)) mix_real(&h, last);
    cm_ray ray = {ma->start.position, ma->move, 4};
    fill_stack(byte);
    if (cm_raycast(&ray, b, &mb->start, &met)) {
        mix_real(&h, met.t), mix_real(&h, met.exit), mix_vec3(&h, met.normal);
        mix_number(&h, met.inside), mix_number(&h, met.part);
    }
    return h;
}

static void answers_do_not_depend_on_what_the_stack_held(void **state) {
    (void)state;
    rng r = rng_start("stack", 19);
    int count = samples(8, 400);
    for (int ka = 0; ka < SPECIMEN_KINDS; ka++) {
        for (int kb = ka; kb < SPECIMEN_KINDS; kb++) {
            for (int i = 0; i < count; i++) {
                specimen a, b;
                specimen_random(&a, (specimen_kind)ka, 1, &r);
                specimen_random(&b, (specimen_kind)kb, 1, &r);
                cm_motion ma = {.start = rng_pose(&r, 1), .move = rng_vec3(&r, 2)};
                cm_motion mb = {.start = rng_pose(&r, 1)};
                if (i % 4 == 3) ma.spin = rng_vec3(&r, 1);
                uint64_t zeros = answers_over(0, &a.shape, &ma, &b.shape, &mb);
                for (int byte = 1; byte < 256; byte += 127) { /* 1: true, and small numbers; 128; 255: CM_NONE, NaN */
                    uint64_t other = answers_over(byte, &a.shape, &ma, &b.shape, &mb);
                    check_that(other == zeros, "%s and %s, sample %d, over bytes of %d: %016llx, not %016llx",
                               specimen_names[ka], specimen_names[kb], i, byte, (unsigned long long)other,
                               (unsigned long long)zeros);
                }
                specimen_free(&a), specimen_free(&b);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_do_not_depend_on_what_the_stack_held)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
