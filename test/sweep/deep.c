/* What starts deeper than the gap of a sweep is blocked only by what it approaches. Two boxes in all their forms,
 * somewhere in each other, at nice places and turned at random: where a sweep says that a motion blocks at the start,
 * they come closer along the normal that it tells; and a way shorter than the gap, straight out along the normals of
 * all their contacts, is free: nothing gets deeper by more than the gap on it. All the way out, too, nothing blocks
 * that they overlap at the start. And bodies of several ways out, all as long as the others, leave by the one that
 * cm_distance tells. */
#include "support/clouds.h"
#include "support/standing.h"

enum { FOUND = 512 };

typedef struct deep_pair {
    form a[FORM_KINDS], b[FORM_KINDS];
    cm_pose pose_a, pose_b;
    cm_vec3 way;   /* from A to B, along the least depth of the boxes */
    cm_real depth; /* which is this */
} deep_pair;

/* Two boxes, B turned by a quarter turn or by chance, maybe about the same center. False: they are not deep. */
static bool deep_make(deep_pair *p, bool turned, bool concentric, rng *r) {
    const cm_vec3 half_a = cm_v(CM_REAL(nice_size(r)), CM_REAL(nice_size(r)), CM_REAL(nice_size(r)));
    const cm_vec3 half_b = cm_v(CM_REAL(nice_size(r)), CM_REAL(nice_size(r)), CM_REAL(nice_size(r)));
    const cm_vec3 at = cm_v(CM_REAL(nice_offset(r)), CM_REAL(nice_offset(r)), CM_REAL(nice_offset(r)));
    const cm_pose b_in_a = {cm_scale(at, concentric ? 0 : CM_REAL(0.5)),
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
    p->way = w.normal, p->depth = -d;
    return d < CM_REAL(-0.05);
}
static void deep_free(deep_pair *p) {
    for (int i = 0; i < FORM_KINDS; i++) form_free(&p->a[i]), form_free(&p->b[i]);
}

/* B moves, A rests. `faster`: with an acceleration as large. */
static bool deep_is_blocked(const deep_pair *p, int a, int b, cm_vec3 move, bool faster, cm_sweep_hit *hit) {
    const cm_motion rest = {.start = p->pose_a};
    const cm_motion moves = {.start = p->pose_b, .move = move, .accelerate = cm_scale(move, CM_REAL(faster))};
    return cm_sweep(&p->a[a].shape, &rest, &p->b[b].shape, &moves, hit) && hit->blocking;
}

static bool deep_is_deep(const deep_pair *p, int a, int b) {
    return cm_distance(&p->a[a].shape, &p->pose_a, &p->b[b].shape, &p->pose_b, CM_REAL_MAX, NULL) < CM_REAL(-0.01);
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
        if (deep_make(&p, i % 2, false, &r)) {
            const cm_vec3 any = cm_normalize(rng_vec3(&r, 1), p.way);
            for (int k = 0; k < FORM_KINDS * FORM_KINDS; k++) {
                const int a = k / FORM_KINDS, b = k % FORM_KINDS;
                cm_sweep_hit hit;
                for (int far = 0; far < 2; far++) {
                    if (!deep_is_blocked(&p, a, b, cm_scale(any, far ? 2 : 8 * CM_REAL_EPSILON), false, &hit)) continue;
                    check_that(hit.first > 0 || cm_dot(hit.normal, any) < 0,
                               "%d: %s and %s, %s: blocked at once where they part by %g of the way", i, form_names[a],
                               form_names[b], far ? "far" : "near", (double)cm_dot(hit.normal, any));
                    ++blocked[far];
                }
                ++deep;
                if (!deep_has_one_way(&p, a, b)) continue;
                ++free;
                if (!deep_is_blocked(&p, a, b, cm_scale(p.way, 8 * CM_REAL_EPSILON), false, &hit)) continue;
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

/* All the way out along the normals of all their contacts, and on: nothing that they overlap at the start is in the
 * way. Of two convex bodies nothing is. */
static void what_leaves_along_its_contacts_is_free(void **state) {
    (void)state;
    rng r = rng_start("deep forms, far", 1703);
    int free = 0, later = 0;
    for (int i = 0; i < samples(48, 2000); i++) {
        deep_pair p;
        if (deep_make(&p, i % 2, i % 3 == 0, &r)) {
            const cm_vec3 move = cm_scale(p.way, 2 * p.depth + CM_REAL(0.5));
            for (int k = 0; k < FORM_KINDS * FORM_KINDS; k++) {
                const int a = k / FORM_KINDS, b = k % FORM_KINDS;
                cm_sweep_hit hit;
                if (!deep_is_deep(&p, a, b) || !deep_has_one_way(&p, a, b)) continue;
                ++free;
                if (!deep_is_blocked(&p, a, b, move, i % 4 < 2, &hit)) continue;
                check_that(hit.first > 0 && !(form_is_convex((form_kind)a) && form_is_convex((form_kind)b)),
                           "%d: %s and %s, %g deep: blocked at %g along %g of the way out", i, form_names[a],
                           form_names[b], (double)p.depth, (double)hit.first, (double)cm_dot(hit.normal, p.way));
                ++later;
            }
        }
        deep_free(&p);
    }
    print_message("  of %d pairs of forms with one way out %d blocked later\n", free, later);
    check_that(free > samples(48, 2000) * 8 && later < free / 8, "%d free, %d later", free, later);
}

enum { BODY_SEGMENT, BODY_CAPSULE, BODY_TRIANGLE, BODY_BOX, BODY_ROUNDED, BODY_FLAT, BODY_HULL, BODY_CYLINDER, BODIES };

static cm_real one_of(rng *r) {
    static const double sizes[4] = {0.5, 1, 2, 4};
    return CM_REAL(sizes[rng_below(r, 4)]);
}
/* A body that is the same on both sides of its middle, but for the triangle. */
static cm_shape body_of(int body, const cm_hull *hull, rng *r) {
    const cm_vec3 half = cm_v(one_of(r), one_of(r), one_of(r));
    const cm_vec3 end = cm_v(rng_below(r, 2) ? half.x : 0, 0, half.z);
    switch (body) {
    case BODY_SEGMENT:
        return cm_make_segment(cm_neg(end), end);
    case BODY_CAPSULE:
        return cm_make_capsule(cm_neg(end), end, one_of(r));
    case BODY_TRIANGLE:
        return cm_make_triangle(cm_v(-half.x, 0, 0), cm_v(half.x, 0, 0), cm_v(0, half.y, 0));
    case BODY_BOX:
        return cm_make_box(half);
    case BODY_ROUNDED:
        return cm_make_rounded_box(half, CM_REAL(0.5));
    case BODY_FLAT:
        return cm_make_box(cm_v(half.x, 0, half.z));
    case BODY_HULL:
        return cm_make_hull(hull);
    default:
        return cm_make_cylinder(half.x, half.y);
    }
}

static void what_leaves_by_the_way_out_is_free(void **state) {
    (void)state;
    rng r = rng_start("ways out", 1702);
    cm_vec3 corners[8];
    for (int k = 0; k < 8; k++) corners[k] = cm_v(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    cm_hull *cube = hull_of(corners, 8);
    int deep = 0;
    for (int i = 0; i < samples(6400, 640000); i++) {
        const cm_shape a = body_of(i % BODIES, cube, &r), b = body_of(i / BODIES % BODIES, cube, &r);
        const cm_real x = rng_below(&r, 2) ? one_of(&r) : 0, y = rng_below(&r, 4) ? 0 : one_of(&r);
        const cm_motion rest = {.start = cm_pose_identity()};
        cm_motion moves = {.start = {cm_v(x, y, 0), cm_quat_identity()}};
        cm_witness w;
        cm_sweep_hit hit;
        if (!(cm_distance(&a, &rest.start, &b, &moves.start, CM_REAL_MAX, &w) < CM_REAL(-0.01))) continue;
        moves.move = w.normal;
        ++deep;
        const bool blocked = cm_sweep(&a, &rest, &b, &moves, &hit) && hit.blocking;
        check_that(!blocked, "%d: %s and %s, %g deep along %g %g %g: blocked along %g %g %g", i, cm_kind_name(a.kind),
                   cm_kind_name(b.kind), -(double)w.distance, (double)w.normal.x, (double)w.normal.y,
                   (double)w.normal.z, (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
    }
    check_that(deep > samples(6400, 640000) / 4, "%d deep", deep);
    cm_hull_destroy(cube, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_blocks_is_approached),
                                       cmocka_unit_test(what_leaves_along_its_contacts_is_free),
                                       cmocka_unit_test(what_leaves_by_the_way_out_is_free)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
