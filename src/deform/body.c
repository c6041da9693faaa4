/* A moving triangle and a body that keeps its form: see course.h. The body's center is the origin, its turn that in the
 * world, and the triangle moves past it; the corners v_k of the course are the ways from the triangle's to the origin.
 *
 * The closest points are those of the search for convex pairs (convex.h), its upper bound taken; its direction is
 * proved again by the body's support point, which is exact to a few roundings of the body's size: E grows by 2^-46 of
 * that for polytopes, where closest points are exact to rounding too, and by 2^-40 for curved cores. */
#include "deform/body.h"
#include "math/wide.h"

#define BODY_SHARP  0x1p-46
#define BODY_CURVED 0x1p-40

static void body_near(const cm__course_body *base, const cm__point corner[3], cm__course_near *out) {
    const cm__still_body *body = base->data;
    cm__core triangle;
    cm__convex_pair pair;
    cm__convex_gap gap;
    cm__core_triangle(wide_neg(corner[0]), wide_neg(corner[1]), wide_neg(corner[2]), &triangle);
    cm__convex_pair_of(&triangle, &body->core, &body->turn, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
    /* where they overlap the slack is that of the depth, of either sign */
    out->distance = cm__most(gap.distance, 0) + cm__most(gap.slack, 0);
    out->gap = cm__point_scale(gap.normal, out->distance);
    out->point = gap.b;
}

static double body_least(const cm__course_body *base, cm__point n) {
    const cm__still_body *body = base->data;
    const cm__core *core = &body->core;
    uint32_t id = core->ops->corner ? 0 : CM_NONE;
    const cm__point p = core->ops->support(core, frame_unrotate(&body->turn, wide_neg(n)), &id);
    return cm__point_dot(n, frame_apply(&body->turn, p)) - core->radius;
}

static void body_near_halfspace(const cm__course_body *base, const cm__point corner[3], cm__course_near *out) {
    const cm__still_body *body = base->data;
    double least = DBL_MAX;
    for (int k = 0; k < 3; k++) {
        const double above = -cm__point_dot(body->out, corner[k]);
        if (!(above < least)) continue;
        least = above;
        out->point = cm__point_mul_add(wide_neg(corner[k]), -above, body->out);
    }
    out->distance = cm__most(least, 0);
    out->gap = cm__point_scale(body->out, -out->distance);
}

/* Asked for the one direction only, but for rounding. */
static double body_least_halfspace(const cm__course_body *base, cm__point n) {
    (void)base, (void)n;
    return 0;
}

void cm__course_body_of(const cm_shape *shape, const cm_pose *pose, cm__point near, cm__still_body *out) {
    cm_pose turn = *pose;
    turn.position = cm_v(0, 0, 0);
    out->turn = frame_of_pose(&turn);
    out->base.data = out;
    if (cm__ops(shape->kind)->shape_class == CM__HALFSPACE) {
        const cm_plane *plane = &shape->u.halfspace;
        const cm__point normal = cm__point_of(plane->normal);
        out->out = wide_normalize(frame_rotate(&out->turn, normal), cm__p(0, 0, 1));
        const double level = (double)shape->radius - (double)plane->d / cm__point_length(normal);
        out->center = cm__point_mul_add(near, level - cm__point_dot(out->out, near), out->out);
        out->base.near = body_near_halfspace, out->base.least = body_least_halfspace;
        out->base.size = 0;
        out->base.error = BODY_SHARP * (fabs(level) + cm__point_largest(near));
        return;
    }
    cm__ops(shape->kind)->core(shape, &out->core);
    const cm__core *core = &out->core;
    out->center = frame_rotate(&out->turn, core->center);
    out->turn.position = wide_neg(out->center);
    out->base.near = body_near, out->base.least = body_least;
    out->base.size = core->size + core->radius;
    out->base.error = (core->ops->corner ? BODY_SHARP : BODY_CURVED) * out->base.size;
    out->base.error += BODY_SHARP * cm__point_largest(core->center);
}

cm_path_verdict cm__course_body_sweep(const cm__still_body *body, const cm__point start[3], const cm__point end[3],
                                      cm_real separation, cm_real tolerance, double until, cm__course_end *out) {
    cm__course course;
    course.kind = CM__COURSE_BODY;
    course.count = 3;
    for (int k = 0; k < 3; k++) course.start[k] = wide_neg(start[k]), course.end[k] = wide_neg(end[k]);
    course.separation = (double)separation, course.tolerance = (double)tolerance;
    course.body = &body->base;
    cm__course_scale(&course);
    return cm__course_run(&course, until, out);
}
