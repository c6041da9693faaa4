/* A compound of turned children against the same shapes placed alone: overlap is that of any, the distance the least,
 * contacts are those of each, a sweep meets what is met first. The children are apart, so that none hides another. */
#include "support/shapes.h"
#include "support/standing.h"

#include <math.h>

enum { CHILDREN = 4, FOUND = 64 };

typedef struct family {
    cm_hull *hull;
    cm_compound *compound;
    cm_compound_child child[CHILDREN];
    cm_shape shape;
} family;

static void family_make(family *f, rng *r) {
    const cm_compound_desc desc = {f->child, CHILDREN};
    memset(f, 0, sizeof *f);
    f->hull = hull_random(12, 1, r);
    for (int i = 0; i < CHILDREN; i++) {
        cm_compound_child *c = &f->child[i];
        c->shape = convex_random((int)rng_below(r, CONVEX_KINDS), 1, f->hull, r);
        c->pose = rng_pose(r, 0.5);
        if (rng_below(r, 2)) c->pose.rotation = cube_rotation(rng_below(r, 24));
        /* no two reach each other: a kind reaches 3 from its origin at most */
        c->pose.position = cm_add(c->pose.position, cm_v(i & 1 ? 4 : -4, i & 2 ? 4 : -4, 0));
    }
    assert_int_equal(cm_compound_build(&desc, NULL, &f->compound, NULL), CM_OK);
    f->shape = cm_make_compound(f->compound);
}
static void family_free(family *f) {
    cm_compound_destroy(f->compound, NULL);
    cm_hull_destroy(f->hull, NULL);
}

/* Of a curved shape's depth: it is searched for. */
static double known(const cm_shape *a, const cm_shape *b, double distance) {
    const double noise = 64 * (double)CM_REAL_EPSILON * 16 + 1e-10 * 16;
    const bool curved = (a->kind >= CM_SHAPE_CYLINDER && a->kind <= CM_SHAPE_ELLIPSOID) ||
                        (b->kind >= CM_SHAPE_CYLINDER && b->kind <= CM_SHAPE_ELLIPSOID);
    return noise + (curved && distance < 0 ? 1e-3 * fabs(distance) : 0);
}

static void turned_children_answer_as_they_do_alone(void **state) {
    (void)state;
    rng r = rng_start("turned children", 1551);
    static cm_manifold whole[FOUND], alone[FOUND];
    int overlaps = 0, hits = 0, count = samples(2000, 100000);
    for (int i = 0; i < count; i++) {
        family f;
        family_make(&f, &r);
        const cm_shape body = convex_random(i % CONVEX_KINDS, 2, f.hull, &r);
        cm_motion at = {.start = rng_pose(&r, 2)}, moving = {.start = rng_pose(&r, 8)};
        const cm_vec3 to = cm_pose_apply(&at.start, f.child[rng_below(&r, CHILDREN)].pose.position);
        if (rng_below(&r, 4) == 0) moving.start.position = cm_add(to, rng_vec3(&r, 1.5));
        moving.move =
            cm_add(cm_scale(cm_sub(to, moving.start.position), CM_REAL(rng_range(&r, 0, 2))), rng_vec3(&r, 1));
        if (i % 3 == 0) moving.spin = rng_vec3(&r, 1);
        cm_real least = CM_REAL_MAX;
        bool overlap = false, near = false;
        double noise = 0, first = 2, late = 0, gap = 0;
        int contacts = 0, met = 0;
        cm_witness w;
        const cm_real d = cm_distance(&body, &moving.start, &f.shape, &at.start, CM_REAL_MAX, &w);
        const int found = cm_contact(&body, &moving.start, &f.shape, &at.start, CM_REAL(0.1), whole, FOUND);
        cm_sweep_hit h, one;
        const bool hit = cm_sweep(&body, &moving, &f.shape, &at, &h);
        for (uint32_t k = 0; k < CHILDREN; k++) {
            const cm_shape *s = &f.child[k].shape;
            const cm_pose pose = cm_pose_mul(&at.start, &f.child[k].pose);
            const cm_motion still = {.start = pose};
            const cm_real e = cm_distance(&body, &moving.start, s, &pose, CM_REAL_MAX, NULL);
            const double may = known(&body, s, (double)e);
            near = near || fabs((double)e) <= may;
            overlap = overlap || e <= 0;
            if (e < least) least = e, noise = may;
            const int own = cm_contact(&body, &moving.start, s, &pose, CM_REAL(0.1), alone, FOUND);
            contacts += own;
            for (int m = 0; m < found; m++) {
                if (whole[m].part_b != k) continue;
                met++;
                double depth = -HUGE_VAL, deep = -HUGE_VAL;
                for (int p = 0; p < whole[m].count; p++) depth = fmax(depth, (double)whole[m].points[p].depth);
                for (int p = 0; own && p < alone[0].count; p++) deep = fmax(deep, (double)alone[0].points[p].depth);
                check_that(own == 1 || fabs((double)e - 0.1) <= may, "%d: %s: child %u, a %s, is not touched alone", i,
                           cm_kind_name(body.kind), k, cm_kind_name(s->kind));
                if (own)
                    check_that(fabs(depth - deep) <= 4 * may, "%d: %s: child %u, a %s, is %g deep, alone %g", i,
                               cm_kind_name(body.kind), k, cm_kind_name(s->kind), depth, deep);
            }
            if (!cm_sweep(&body, &moving, s, &still, &one)) continue;
            const double length = (double)cm_length(moving.move) + 4 * (double)cm_length(moving.spin);
            gap = fmax(gap, 2 * promised_gap(&body, &moving, s, &still) + may);
            if ((double)one.first < first) first = (double)one.first, late = length;
        }
        if (!near) check_that(cm_overlap(&body, &moving.start, &f.shape, &at.start) == overlap, "%d: overlap", i);
        check_that(fabs((double)(d - least)) <= noise, "%d: %s: %g from the compound, from its children %g", i,
                   cm_kind_name(body.kind), (double)d, (double)least);
        check_that(abs(found - contacts) <= (fabs((double)least - 0.1) <= noise), "%d: %s: %d contacts, %d alone", i,
                   cm_kind_name(body.kind), found, contacts);
        check_that(met == found, "%d: %d contacts of %d are of children", i, met, found);
        overlaps += overlap, hits += hit;
        if (!overlap && !near && (hit != (first <= 1) || (hit && fabs((double)h.first - first) * late > gap))) {
            /* a graze may go either way: they are apart by no more than what a sweep leaves, at the first of the two */
            const double u = hit && (double)h.first < first ? (double)h.first : first;
            cm_pose pose;
            cm_motion_at(&moving, CM_REAL(u), &pose);
            const double left = (double)cm_distance(&body, &pose, &f.shape, &at.start, CM_REAL_MAX, NULL);
            check_that(left > -gap && left <= gap, "%d: %s: hit %d at %g, of the children at %g", i,
                       cm_kind_name(body.kind), hit, (double)h.first, first);
        }
        family_free(&f);
    }
    check_that(overlaps > count / 20 && hits > count / 5, "%d overlaps, %d hits", overlaps, hits);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(turned_children_answer_as_they_do_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
