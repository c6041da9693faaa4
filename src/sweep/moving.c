/* Shapes in motion, in double: see moving.h. */
#include "sweep/moving.h"
#include "math/trig.h"
#include "math/wide.h"

/* The `beyond` of moving.h: from the corners where they are few. */
static double moving_beyond(const cm__moving *m) {
    if (!m->core.ops->corner || m->core.count > 32) return m->core.size;
    const cm__point along = frame_unrotate(&m->start, wide_normalize(m->spin, cm__p(0, 0, 1)));
    double beyond = 0;
    for (uint32_t i = 0; i < m->core.count; i++) {
        const cm__point r = cm__point_sub(m->core.ops->corner(&m->core, i), m->core.center);
        beyond = wide_max(beyond, cm__point_length(cm__point_cross(along, r)));
    }
    return wide_min(beyond * (1 + 1e-9), m->core.size);
}

static void moving_turns(const cm_shape *shape, cm__moving *m) {
    const double spin = cm__point_length(m->spin);
    m->arm = m->carried = m->across = m->own = m->beyond = 0;
    m->turns = m->round = false;
    if (!(spin > 0)) return;
    if (!m->cored) {
        m->across = m->endless ? cm__point_length(cm__point_cross(m->spin, frame_rotate(&m->start, m->plane))) : spin;
    } else {
        bool any = false;
        m->axis = cm__p(0, 0, 1);
        m->round = cm__ops(shape->kind)->axis && cm__ops(shape->kind)->axis(shape, &any, &m->axis);
        cm__point axis = frame_rotate(&m->start, m->axis);
        cm__point c = frame_rotate(&m->start, cm__point_sub(m->core.center, m->pivot));
        m->arm = cm__point_length(c);
        m->carried = cm__point_length(cm__point_cross(m->spin, c));
        m->across = m->round ? cm__point_length(cm__point_cross(m->spin, axis)) : spin;
        if (any || !(m->core.size > 0)) m->across = 0;
        m->beyond = moving_beyond(m);
        m->own = m->round ? fabs(cm__point_dot(m->spin, axis)) : 0;
    }
    m->turns = m->carried > 0 || m->across > 0;
}

/* Sets the remaining fields, once start, pivot and away are set. */
static void moving_lay_out(const cm_shape *shape, const cm_motion *motion, cm__moving *out) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    out->shape = shape;
    out->move = cm__point_of(motion->move), out->spin = cm__point_of(motion->spin);
    out->accelerate = cm__point_of(motion->accelerate);
    out->d = 0;
    out->endless = ops->shape_class == CM__HALFSPACE;
    out->radius = (double)shape->radius;
    out->core.size = 0;
    if (out->endless) {
        cm__point n = cm__point_of(shape->u.halfspace.normal);
        double length = cm__point_length(n);
        out->plane = cm__point_scale(n, 1 / length);
        out->d = (double)shape->u.halfspace.d / length;
    }
    out->cored = ops->core;
    if (out->cored) {
        ops->core(shape, &out->core);
        out->radius = out->core.radius;
    }
    moving_turns(shape, out);
}

void cm__moving_of(const cm_shape *shape, const cm_motion *motion, cm__point origin, cm__moving *out) {
    out->start = frame_of_pose(&motion->start);
    out->start.position = cm__point_sub(out->start.position, origin);
    out->pivot = cm__point_of(motion->pivot);
    out->away = frame_apply(&out->start, out->pivot);
    moving_lay_out(shape, motion, out);
}

void cm__moving_part_of(const cm_shape *part, const cm_motion *motion, const cm__frame *frame, cm__point origin,
                        cm__moving *out) {
    const cm__frame whole = frame_of_pose(&motion->start);
    out->start = *frame;
    out->start.position = cm__point_sub(frame->position, origin);
    out->away = cm__point_sub(frame_apply(&whole, cm__point_of(motion->pivot)), origin);
    out->pivot = frame_unrotate(&out->start, cm__point_sub(out->away, out->start.position));
    moving_lay_out(part, motion, out);
}

void cm__moving_core(const cm__core *core, const cm__frame *start, cm__point move, cm__moving *out) {
    out->shape = NULL;
    out->core = *core;
    out->start = *start;
    out->move = move;
    out->spin = out->pivot = out->accelerate = cm__p(0, 0, 0);
    out->away = start->position;
    out->endless = false, out->cored = true;
    out->radius = core->radius;
    moving_turns(NULL, out);
}

/* Where a point that moves with the pivot, without rotating, is at time u. */
static cm__point moving_carried_on(const cm__moving *m, double u, cm__point from) {
    return cm__point_mul_add(cm__point_mul_add(from, u, m->move), u * u / 2, m->accelerate);
}

void cm__moving_at(const cm__moving *m, double u, cm__frame *out) {
    *out = m->start;
    cm__point pivot = moving_carried_on(m, u, m->away);
    const double spin = cm__point_length(m->spin);
    if (!(spin > 0) || u == 0) {
        out->position = moving_carried_on(m, u, m->start.position);
        return;
    }
    /* Rodrigues: x cos + (k x x) sin + k (k.x) (1 - cos), the last as 2 sin^2 of the half */
    double sine, cosine, half, half_cosine;
    cm__sine_cosine(spin * u, &sine, &cosine);
    cm__sine_cosine(spin * u / 2, &half, &half_cosine);
    const cm__point k = wide_normalize(m->spin, cm__p(0, 0, 1));
    cm__point *column[3] = {&out->x, &out->y, &out->z};
    for (int i = 0; i < 3; i++) {
        const cm__point x = *column[i], kx = cm__point_cross(k, x);
        *column[i] = cm__point_mul_add(cm__point_mul_add(x, sine, kx), 2 * half * half, cm__point_cross(k, kx));
    }
    out->position = cm__point_sub(pivot, frame_rotate(out, m->pivot));
}

double cm__moving_fastest(const cm__moving *m) {
    const double about = m->round ? m->core.size * m->across : cm__point_length(m->spin) * m->beyond;
    return m->turns ? m->carried + about : 0;
}

double cm__moving_speed(const cm__moving *m, cm__point direction) {
    if (!m->turns) return 0;
    const double beside = cm__point_length(cm__point_cross(m->spin, direction)), spin = cm__point_length(m->spin);
    double about = wide_min(beside * m->core.size, spin * m->beyond);
    if (m->round) about = wide_min(about, m->across * m->core.size);
    return wide_min(beside * m->arm, m->carried) + about;
}

double cm__moving_bend(const cm__moving *m, cm__point direction) {
    if (!m->turns) return 0;
    const double beside = cm__point_length(cm__point_cross(m->spin, direction)), spin = cm__point_length(m->spin);
    double about = beside * spin * m->beyond;
    if (m->round) about = wide_min(about, m->across * (m->across + m->own) * m->core.size);
    return beside * m->carried + about;
}

cm__point cm__moving_velocity(const cm__moving *m, double u, cm__point at, double *sizes) {
    const cm__point move = cm__point_mul_add(m->move, u, m->accelerate);
    *sizes += cm__point_length(m->move) + u * cm__point_length(m->accelerate);
    if (!m->turns) return move;
    cm__point center = at, about = m->spin;
    double own = 0; /* the spin about the own axis is left out exactly only up to rounding */
    if (m->cored) {
        cm__frame frame;
        cm__moving_at(m, u, &frame);
        center = frame_apply(&frame, m->core.center);
        cm__point axis = frame_rotate(&frame, m->axis);
        if (m->round) about = cm__point_mul_add(about, -cm__point_dot(about, axis), axis);
        if (!(m->across > 0)) about = cm__p(0, 0, 0);
        if (m->across > 0) own = m->own * cm__point_length(cm__point_sub(at, center));
    }
    const cm__point pivot = moving_carried_on(m, u, m->away);
    const cm__point arm = cm__point_sub(center, pivot), reach = cm__point_sub(at, center);
    const cm__point carried = cm__point_cross(m->spin, arm), turned = cm__point_cross(about, reach);
    /* by the factors: where the spin is along the arm, their cross product is only rounding */
    *sizes += cm__point_length(m->spin) * cm__point_length(arm);
    *sizes += cm__point_length(about) * cm__point_length(reach) + own;
    return cm__point_add(move, cm__point_add(carried, turned));
}
