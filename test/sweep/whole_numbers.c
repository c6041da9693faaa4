/* Boxes and balls of whole numbers, on whole ways: whether and when they touch is known in fractions, and that a touch
 * of one instant, of a corner or in a slide counts. */
#include "support/support.h"

#include <float.h>
#include <math.h>

/* When they touch; and the axis across which they come to, where it is but one, and on which side. */
typedef struct span {
    double first, last;
    int axis, side;
} span;

static int whole(rng *r, int most) { return (int)rng_below(r, (uint32_t)(2 * most + 1)) - most; }

/* By the times at which |at + u move| <= reach along an axis. */
static void narrow(span *s, int axis, int at, int move, int reach) {
    if (move == 0) {
        if (abs(at) > reach) s->first = 2, s->last = -1;
        return;
    }
    /* one division, so that equal fractions are equal */
    const double one = (double)(-reach - at) / move, other = (double)(reach - at) / move;
    if (fmin(one, other) == s->first) s->axis = -1;
    if (fmin(one, other) > s->first) s->axis = axis, s->side = at > 0 ? 1 : -1;
    s->first = fmax(s->first, fmin(one, other)), s->last = fmin(s->last, fmax(one, other));
}

/* `way`: 1 where B is what moves in the truth, -1 where A is. */
static void judge(const char *what, int number, const span *truth, int depth, int way, bool hit,
                  const cm_sweep_hit *h) {
    const bool meets = truth->first <= truth->last;
    check_that(hit == meets, "%s %d: hit %d, but they touch from %g to %g", what, number, hit, truth->first,
               truth->last);
    if (!hit) return;
    const cm_sweep_start start = truth->first > 0 ? CM_SWEEP_SEPARATED
                                 : depth == 0     ? CM_SWEEP_TOUCHING
                                                  : CM_SWEEP_OVERLAPPING;
    const double most = 1e3 * (double)CM_REAL_EPSILON;
    check_that(h->start == start, "%s %d: start %d, not %d", what, number, h->start, start);
    check_that(truth->first > 0 ? (double)h->first <= truth->first && (double)h->first >= truth->first - most
                                : start == CM_SWEEP_TOUCHING || h->first == 0,
               "%s %d: first %.17g, not %.17g", what, number, (double)h->first, truth->first);
    check_that(truth->first > 0 ? h->first > 0 : true, "%s %d: first %.17g of what is apart", what, number,
               (double)h->first);
    check_that((double)h->last >= truth->last && (double)h->last <= truth->last + most, "%s %d: last %.17g, not %.17g",
               what, number, (double)h->last, truth->last);
    if (truth->axis < 0 || !(truth->first > 0)) return;
    const double across = (double)((cm_real *)&h->normal)[truth->axis] * truth->side * way;
    check_that(across > 1 - most && h->blocking, "%s %d: normal %g %g %g, blocking %d", what, number,
               (double)h->normal.x, (double)h->normal.y, (double)h->normal.z, h->blocking);
}

/* As plain boxes, as turned ones (by quarters, their extents exchanged), as shapes; in both orders. */
static void boxes_meet_as_fractions_say(void **state) {
    (void)state;
    rng r = rng_start("boxes", 301);
    int grazes = 0, slides = 0, count = samples(20000, 2000000);
    for (int i = 0; i < count; i++) {
        int at[3], move[3], a[3], b[3], depth = 100;
        span truth = {0, 1, -1, 0};
        for (int k = 0; k < 3; k++) {
            a[k] = 1 + (int)rng_below(&r, 2), b[k] = 1 + (int)rng_below(&r, 2);
            at[k] = whole(&r, 5), move[k] = rng_below(&r, 3) ? whole(&r, 6) : 0;
            narrow(&truth, k, at[k], move[k], a[k] + b[k]);
            depth = (int)fmin(depth, a[k] + b[k] - abs(at[k]));
        }
        grazes += truth.first == truth.last, slides += truth.first <= truth.last && depth == 0;
        const cm_vec3 half_a = cm_v((cm_real)a[0], (cm_real)a[1], (cm_real)a[2]), none = cm_v(0, 0, 0);
        const cm_vec3 half_b = cm_v((cm_real)b[0], (cm_real)b[1], (cm_real)b[2]);
        const cm_vec3 to = cm_v((cm_real)at[0], (cm_real)at[1], (cm_real)at[2]);
        const cm_vec3 way = cm_v((cm_real)move[0], (cm_real)move[1], (cm_real)move[2]);
        const cm_aabb box_a = cm_aabb_from_center(none, half_a), box_b = cm_aabb_from_center(to, half_b);
        cm_sweep_hit h;
        judge("boxes", i, &truth, depth, 1, cm_sweep_aabb_aabb(&box_a, none, &box_b, way, &h), &h);
        judge("boxes, the other moves", i, &truth, depth, 1, cm_sweep_aabb_aabb(&box_a, cm_neg(way), &box_b, none, &h),
              &h);
        judge("boxes swapped", i, &truth, depth, -1, cm_sweep_aabb_aabb(&box_b, way, &box_a, none, &h), &h);
        const cm_shape shape_a = cm_make_box(half_a), shape_b = cm_make_box(half_b);
        cm_motion still = {.start = cm_pose_identity()}, m = {.start = cm_pose_at(to), .move = way};
        judge("shapes", i, &truth, depth, 1, cm_sweep(&shape_a, &still, &shape_b, &m, &h), &h);
        judge("shapes swapped", i, &truth, depth, -1, cm_sweep(&shape_b, &m, &shape_a, &still, &h), &h);
    }
    check_that(grazes > count / 200 && slides > count / 100, "%d touch for an instant, %d start in touch", grazes,
               slides);
}

/* A ball beside a ball, a box or a plane, at the sum of the radii: past it, up to it and away from it. */
static void balls_that_graze_meet(void **state) {
    (void)state;
    rng r = rng_start("balls", 302);
    for (int i = 0, count = samples(4000, 400000); i < count; i++) {
        const int radius = 1 + (int)rng_below(&r, 3), half = 1 + (int)rng_below(&r, 3), k = (int)rng_below(&r, 3);
        const int side = rng_below(&r, 2) ? 1 : -1, from = 1 + (int)rng_below(&r, 8), on = 1 + (int)rng_below(&r, 8);
        const int off = radius + half;
        cm_vec3 at = cm_v(0, 0, 0), way = at, size = cm_v((cm_real)half, (cm_real)half, (cm_real)half);
        ((cm_real *)&at)[k] = (cm_real)(side * off);      /* it passes at that distance along k, */
        ((cm_real *)&at)[(k + 1) % 3] = (cm_real)(-from); /* from there across it */
        ((cm_real *)&way)[(k + 1) % 3] = (cm_real)(from + on);
        cm_sphere ball = {at, (cm_real)radius}, other = {cm_v(0, 0, 0), (cm_real)half};
        const cm_aabb box = cm_aabb_from_center(cm_v(0, 0, 0), size);
        cm_sweep_hit h;
        const cm_vec3 none = cm_v(0, 0, 0);
        const double when = (double)from / (from + on), most = 1e3 * (double)CM_REAL_EPSILON;
        bool hit = cm_sweep_sphere_sphere(&ball, way, &other, none, &h);
        check_that(hit && fabs((double)h.first - when) < 1e-3 && (double)h.first <= when + 4 * DBL_EPSILON,
                   "%d: ball %d at %g, not %g", i, hit, (double)h.first, when);
        hit = cm_sweep_sphere_aabb(&ball, way, &box, none, &h);
        const double enter = fmax(0, (double)(from - half) / (from + on));
        check_that(hit && (double)h.first <= enter + (enter > 0 ? 4 * DBL_EPSILON : most) &&
                       (double)h.first >= enter - 1e-3,
                   "%d: box %d at %.17g, not %.17g", i, hit, (double)h.first, enter);
        /* an eighth more apart there is nothing */
        ((cm_real *)&ball.center)[k] += CM_REAL(0.125 * side);
        check_that(!cm_sweep_sphere_sphere(&ball, way, &other, none, &h) &&
                       !cm_sweep_sphere_aabb(&ball, way, &box, none, &h),
                   "%d: hit from afar", i);
        /* head on, up to touch at the end, and from touch away */
        cm_vec3 far = cm_v(0, 0, 0), up = far;
        ((cm_real *)&far)[k] = (cm_real)(side * (off + on)), ((cm_real *)&up)[k] = (cm_real)(-side * on);
        ball.center = far;
        for (int what = 0; what < 2; what++) {
            hit = what ? cm_sweep_sphere_aabb(&ball, up, &box, none, &h)
                       : cm_sweep_sphere_sphere(&ball, up, &other, none, &h);
            check_that(hit && h.first <= 1 && (double)h.first >= 1 - most && h.last == 1 && h.blocking,
                       "%d: up to touch: %d, %g to %g", i, hit, (double)h.first, (double)h.last);
        }
        ball.center = cm_add(far, up);
        for (int what = 0; what < 2; what++) {
            hit = what ? cm_sweep_sphere_aabb(&ball, cm_neg(up), &box, none, &h)
                       : cm_sweep_sphere_sphere(&ball, cm_neg(up), &other, none, &h);
            check_that(hit && !h.blocking && h.start == CM_SWEEP_TOUCHING && (double)h.last <= most,
                       "%d: away: %d, start %d, last %g", i, hit, h.start, (double)h.last);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_meet_as_fractions_say),
        cmocka_unit_test(balls_that_graze_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
