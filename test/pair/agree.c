/* Touching but for some last bits: of any two kinds, overlap, distance and contact say the same, with a cache and
 * without, within a limit and without, and swapped. Found by moving a pair to touching along its normal and then by a
 * few last bits on every axis. */
#include "support/specimen.h"

#include <math.h>

typedef struct verdicts {
    long cases, overlapping, apart;
} verdicts;

static const char *what_is_wrong(const specimen *a, const specimen *b) {
    static char text[400];
    cm_witness w, within;
    cm_manifold m[4];
    bool overlap = cm_overlap(&a->shape, &a->pose, &b->shape, &b->pose);
    cm_real d = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &w);
    cm_real none = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, 0, &within);
    int contacts = cm_contact(&a->shape, &a->pose, &b->shape, &b->pose, 0, m, 4);
    bool swapped = cm_overlap(&b->shape, &b->pose, &a->shape, &a->pose);
    cm_real back = cm_distance(&b->shape, &b->pose, &a->shape, &a->pose, CM_REAL_MAX, NULL);
    snprintf(text, sizeof text,
             "overlap %d, distance " REAL_FORMAT ", within nothing " REAL_FORMAT ", %d contacts; swapped overlap %d, "
             "distance " REAL_FORMAT,
             overlap, (double)d, (double)none, contacts, swapped, (double)back);
    if (overlap != (d <= 0) || overlap != (none <= 0) || overlap != (contacts > 0)) return text;
    if (swapped != (back <= 0) || swapped != overlap || back != d) return text;
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 2; i++) {
        bool warm = cm_overlap_cached(&a->shape, &a->pose, &b->shape, &b->pose, &cache);
        cm_real again = cm_distance_cached(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &cache, NULL);
        int touch = cm_contact_cached(&a->shape, &a->pose, &b->shape, &b->pose, 0, &cache, m, 4);
        if (warm == overlap && (again <= 0) == overlap && (touch > 0) == overlap) continue;
        snprintf(text, sizeof text, "overlap %d, from a cache %d, distance " REAL_FORMAT ", %d contacts", overlap, warm,
                 (double)again, touch);
        return text;
    }
    return NULL;
}

static cm_real step_by(cm_real x, int ulps) {
    for (; ulps > 0; ulps--) x += cm_max(cm_abs(x), CM_REAL_MIN) * CM_REAL_EPSILON / 2;
    for (; ulps < 0; ulps++) x -= cm_max(cm_abs(x), CM_REAL_MIN) * CM_REAL_EPSILON / 2;
    return x;
}

static int try_pair(specimen *a, specimen *b, rng *r, verdicts *v, char *wrong, size_t room) {
    cm_witness w;
    for (int k = 0; k < 3; k++) { /* to touching; depths of composites are bounds: a few times */
        cm_real d = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &w);
        if (!(cm_abs(d) < CM_REAL(1e6))) return 0;
        cm_pose to = b->pose;
        to.position = cm_mul_add(to.position, -d, w.normal);
        if (!cm_pose_is_valid(&to)) return 0;
        specimen_place(b, &to);
    }
    int bad = 0;
    const cm_pose touching = b->pose;
    for (int k = 0; k < 8; k++) {
        cm_pose near = touching;
        if (k) {
            near.position.x = step_by(near.position.x, (int)rng_below(r, 7) - 3);
            near.position.y = step_by(near.position.y, (int)rng_below(r, 7) - 3);
            near.position.z = step_by(near.position.z, (int)rng_below(r, 7) - 3);
        }
        b->pose = near; /* the pieces stay: nothing asks them */
        const char *text = what_is_wrong(a, b);
        v->cases++;
        if (cm_overlap(&a->shape, &a->pose, &b->shape, &b->pose))
            v->overlapping++;
        else
            v->apart++;
        if (text && !bad++) snprintf(wrong, room, "%s", text);
    }
    return bad;
}

static uint64_t pair_seed(specimen_kind ka, specimen_kind kb, uint64_t shift) {
    return ((uint64_t)ka << 48 | (uint64_t)kb << 40) + (shift << 20);
}

/* One sample: how many of its cases disagree, the first of them told. */
static int try_sample(specimen_kind ka, specimen_kind kb, uint64_t seed, verdicts *v) {
    rng r = {seed};
    specimen a, b;
    char text[400];
    double size = rng_log_range(&r, 1e-3, 1e3);
    specimen_random(&a, ka, size, &r);
    specimen_random(&b, kb, rng_below(&r, 3) ? size : size * rng_log_range(&r, 0.01, 100), &r);
    cm_pose pa = rng_pose(&r, rng_below(&r, 2) ? 0 : size), pb = rng_pose(&r, 2 * size);
    if (rng_below(&r, 3) == 0) pa.rotation = cm_quat_identity();
    if (rng_below(&r, 3) == 0) pb.rotation = pa.rotation;
    specimen_place(&a, &pa), specimen_place(&b, &pb);
    int bad = try_pair(&a, &b, &r, v, text, sizeof text);
    if (bad)
        print_error("%s x %s, seed %llu: %s\n", specimen_names[ka], specimen_names[kb], (unsigned long long)seed, text);
    specimen_free(&a), specimen_free(&b);
    return bad;
}

static void all_queries_agree_at_touching_to_the_last_bit(void **state) {
    (void)state;
    rng shift = rng_start("agree", 91);
    const char *only = getenv("CAROM_PAIR");
    int bad = 0, each = samples(60, 6000);
    verdicts v = {0, 0, 0};
    for (int ka = 0; ka < SPECIMEN_KINDS; ka++) {
        for (int kb = ka; kb < SPECIMEN_KINDS; kb++) {
            char name[100];
            snprintf(name, sizeof name, "%s x %s", specimen_names[ka], specimen_names[kb]);
            if ((ka == SPECIMEN_HALFSPACE && kb == SPECIMEN_HALFSPACE) || (only && strcmp(only, name) != 0)) continue;
            const uint64_t seed = pair_seed((specimen_kind)ka, (specimen_kind)kb, shift.state);
            for (int i = 0; i < each && bad < 20; i++)
                bad += try_sample((specimen_kind)ka, (specimen_kind)kb, seed + (uint64_t)i, &v);
        }
    }
    print_message("  %ld cases, %ld overlapping, %ld apart; %d disagree\n", v.cases, v.overlapping, v.apart, bad);
    assert_int_equal(bad, 0);
    assert_true(only || (v.overlapping > v.cases / 10 && v.apart > v.cases / 10));
}

/* What a caller was told she may ask for again: a limit of just that finds it, from the rounding of its last bit too.
 */
static void a_limit_of_the_distance_itself_finds_it(void **state) {
    (void)state;
    rng r = rng_start("limits", 907);
    for (int i = 0; i < SPECIMEN_KINDS * SPECIMEN_KINDS; i++) {
        int ka = i / SPECIMEN_KINDS, kb = i % SPECIMEN_KINDS;
        for (int j = 0; j < samples(40, 2000); j++) {
            specimen a, b;
            specimen_random(&a, (specimen_kind)ka, 1, &r);
            specimen_random(&b, (specimen_kind)kb, rng_log_range(&r, 0.1, 10), &r);
            cm_pose at_a = rng_pose(&r, 10), at_b = rng_pose(&r, 10);
            specimen_place(&a, &at_a);
            specimen_place(&b, &at_b);
            cm_real d = cm_distance(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, NULL);
            cm_real same = d > 0 ? cm_distance(&a.shape, &a.pose, &b.shape, &b.pose, d, NULL) : d;
            check_that(same == d, "%s and %s, %d: " REAL_FORMAT ", within that " REAL_FORMAT, specimen_names[ka],
                       specimen_names[kb], j, (double)d, (double)same);
            specimen_free(&a);
            specimen_free(&b);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_queries_agree_at_touching_to_the_last_bit),
        cmocka_unit_test(a_limit_of_the_distance_itself_finds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
