/* What starts deeper than the gap of a sweep is blocked only by what it approaches. Two boxes in all their forms,
 * somewhere in each other, at nice places and turned at random: where a sweep says that a motion blocks at the start,
 * they come closer along the normal that it tells; and a way shorter than the gap, straight out along the normals of
 * all their contacts, is free: nothing gets deeper by more than the gap on it. */
#include "support/standing.h"

enum { FOUND = 512 };

typedef struct deep_pair {
    form a[FORM_KINDS], b[FORM_KINDS];
    cm_pose pose_a, pose_b;
    cm_vec3 way; /* from A to B, along the least depth of the boxes */
} deep_pair;

/* Two boxes, B turned by a quarter turn or by chance. False: they are not deep. */
static bool deep_make(deep_pair *p, bool turned, rng *r) {
    const cm_vec3 half_a = cm_v(CM_REAL(nice_size(r)), CM_REAL(nice_size(r)), CM_REAL(nice_size(r)));
    const cm_vec3 half_b = cm_v(CM_REAL(nice_size(r)), CM_REAL(nice_size(r)), CM_REAL(nice_size(r)));
    const cm_vec3 at = cm_v(CM_REAL(nice_offset(r)), CM_REAL(nice_offset(r)), CM_REAL(nice_offset(r)));
    const cm_pose b_in_a = {cm_scale(at, CM_REAL(0.5)),
                            turned ? rng_pose(r, 1).rotation : cube_rotation(rng_below(r, 24))};
    cm_witness w;
    for (int i = 0; i < FORM_KINDS; i++) {
        form_box(&p->a[i], (form_kind)i, half_a, r);
        form_box(&p->b[i], (form_kind)i, half_b, r);
    }
    p->pose_a = rng_pose(r, 2);
    p->pose_b = cm_pose_mul(&p->pose_a, &b_in_a);
    const cm_real d =
        cm_distance(&p->a[FORM_BOX].shape, &p->pose_a, &p->b[FORM_BOX].shape, &p->pose_b, CM_REAL_MAX, &w);
    p->way = w.normal;
    return d < CM_REAL(-0.05);
}
static void deep_free(deep_pair *p) {
    for (int i = 0; i < FORM_KINDS; i++) form_free(&p->a[i]), form_free(&p->b[i]);
}

/* B moves, A rests. */
static bool deep_is_blocked(const deep_pair *p, int a, int b, cm_vec3 move, cm_sweep_hit *hit) {
    const cm_motion rest = {.start = p->pose_a}, moves = {.start = p->pose_b, .move = move};
    return cm_sweep(&p->a[a].shape, &rest, &p->b[b].shape, &moves, hit) && hit->blocking;
}

/* Do the normals of all contacts of two forms lead the same way, within 25 degrees? */
static bool deep_has_one_way(const deep_pair *p, int a, int b) {
    static cm_manifold m[FOUND];
    const int count = cm_contact(&p->a[a].shape, &p->pose_a, &p->b[b].shape, &p->pose_b, 0, m, FOUND);
    for (int i = 0; i < count && i < FOUND; i++)
        if (cm_dot(m[i].normal, p->way) < CM_REAL(0.9)) return false;
    return count <= FOUND;
}

static void what_blocks_is_approached(void **state) {
    (void)state;
    rng r = rng_start("deep forms", 1701);
    int blocked[2] = {0, 0}, deep = 0, free = 0;
    for (int i = 0; i < samples(24, 2000); i++) {
        deep_pair p;
        if (deep_make(&p, i % 2, &r)) {
            const cm_vec3 any = cm_normalize(rng_vec3(&r, 1), p.way);
            for (int k = 0; k < FORM_KINDS * FORM_KINDS; k++) {
                const int a = k / FORM_KINDS, b = k % FORM_KINDS;
                cm_sweep_hit hit;
                for (int far = 0; far < 2; far++) {
                    if (!deep_is_blocked(&p, a, b, cm_scale(any, far ? 2 : 8 * CM_REAL_EPSILON), &hit)) continue;
                    check_that(hit.first > 0 || cm_dot(hit.normal, any) < 0,
                               "%d: %s and %s, %s: blocked at once where they part by %g of the way", i, form_names[a],
                               form_names[b], far ? "far" : "near", (double)cm_dot(hit.normal, any));
                    ++blocked[far];
                }
                ++deep;
                if (!deep_has_one_way(&p, a, b)) continue;
                ++free;
                if (!deep_is_blocked(&p, a, b, cm_scale(p.way, 8 * CM_REAL_EPSILON), &hit)) continue;
                check_that(cm_dot(hit.normal, p.way) < 0, "%d: %s and %s: blocked on the way out", i, form_names[a],
                           form_names[b]);
            }
        }
        deep_free(&p);
    }
    print_message("  of %d pairs of forms %d blocked near, %d far; %d with one way out\n", deep, blocked[0], blocked[1],
                  free);
    check_that(deep > samples(24, 2000) * 16 && blocked[0] > deep / 8 && free > deep / 4, "%d deep", deep);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_blocks_is_approached)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
