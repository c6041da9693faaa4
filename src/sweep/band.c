/* The band G of sweep.h: the gap that a sweep may leave, from the sizes of all numbers that rounding scales with. And
 * the test whether two shapes approach by more than rounding. */
#include "sweep/shapes.h"
#include "pair/pair.h"
#include "sweep/hit.h"
#include "sweep/moving.h"

double cm__shape_reach(const cm_shape *shape, cm_vec3 from) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (ops->parts) {
        cm_aabb box;
        ops->parts->box(shape, &box);
        cm__point low = cm__point_sub(cm__point_of(box.min), cm__point_of(from));
        cm__point high = cm__point_sub(cm__point_of(box.max), cm__point_of(from));
        return cm__point_length(cm__p(wide_max(fabs(low.x), fabs(high.x)), wide_max(fabs(low.y), fabs(high.y)),
                                      wide_max(fabs(low.z), fabs(high.z))));
    }
    if (ops->reach) return ops->reach(shape, cm__point_of(from)) + (double)shape->radius;
    if (!ops->polytope) {
        cm__core core;
        ops->core(shape, &core);
        return cm__point_length(cm__point_sub(core.center, cm__point_of(from))) + core.size + core.radius;
    }
    cm__polytope p;
    cm__polytope_of(shape, NULL, &p);
    double far = 0;
    for (int i = 0; i < p.corner_count; i++)
        far = wide_max(far, cm__point_length(cm__point_sub(p.corner[i], cm__point_of(from))));
    return far + (double)shape->radius;
}

/* The size that rounding scales with. */
static double shape_size(const cm_shape *shape, cm_vec3 origin) {
    if (!shape_is_endless(shape)) return cm__shape_reach(shape, origin);
    return fabs((double)shape->u.halfspace.d) + (double)shape->radius;
}

/* The error of curved shapes in double (sweep.h). */
double cm__sweep_curved(const cm_shape *a, const cm_shape *b) {
#if defined(CAROM_F64)
    const cm_vec3 origin = cm_v(0, 0, 0);
    const cm_shape *shape[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const cm__shape_ops *ops = cm__ops(shape[i]->kind);
        if (ops->curved && ops->curved(shape[i])) return 1e-10 * (shape_size(a, origin) + shape_size(b, origin));
    }
#endif
    (void)a, (void)b;
    return 0;
}

/* The share of turning: the pivot is rotated and rounded; and times round by at most half an ulp of 1, in which a point
 * far from the pivot moves on. */
static double turning_size(const cm_shape *shape, const cm_motion *m) {
    const double spin = cm__point_length(cm__point_of(m->spin)), arm = cm__point_length(cm__point_of(m->pivot));
    if (!(spin > 0)) return 0;
    return arm + spin * (arm + (shape_is_endless(shape) ? 0 : cm__shape_reach(shape, cm_v(0, 0, 0)))) / 8;
}

double cm__sweep_band(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    const cm_vec3 origin = cm_v(0, 0, 0);
    const cm_pose *pa = &ma->start, *pb = &mb->start;
    double moved = wide_sum(cm__point_of(ma->move)) + wide_sum(cm__point_of(mb->move));
    moved += (wide_sum(cm__point_of(ma->accelerate)) + wide_sum(cm__point_of(mb->accelerate))) / 2;
    double spin_a = cm__point_largest(cm__point_of(ma->spin)), spin_b = cm__point_largest(cm__point_of(mb->spin));
    double world = cm__point_largest(cm__point_of(pa->position)) + cm__point_largest(cm__point_of(pb->position));
    double size = wide_sum(cm__point_sub(cm__point_of(pb->position), cm__point_of(pa->position))) + moved;
    size += shape_size(a, origin) + shape_size(b, origin);
    size += turning_size(a, ma) + turning_size(b, mb);
    /* positions at u round in world coordinates, by half an ulp for each coordinate */
    bool still = !(moved > 0 || spin_a > 0 || spin_b > 0);
    return 2 * (double)CM_REAL_EPSILON * (8 * size + (still ? 0 : 2 * world)) + cm__sweep_curved(a, b);
}

bool cm__sweep_approaches(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double u,
                          cm__point at, cm__point normal) {
    const cm_shape *shape[2] = {a, b};
    const cm_motion *motion[2] = {ma, mb};
    cm__point origin = cm__point_of(ma->start.position), velocity[2];
    double sizes = 0;
    for (int i = 0; i < 2; i++) {
        cm__moving m;
        cm__moving_of(shape[i], motion[i], origin, &m);
        velocity[i] = cm__moving_velocity(&m, u, cm__point_sub(at, origin), &sizes);
    }
    return cm__point_dot(cm__point_sub(velocity[0], velocity[1]), normal) > SWEEP_SLIDE * sizes;
}
