/* The steps of searches, as their watcher sees them.
 *
 * Frame: in, A's, in double; out, the world. Bounds are rounded outward, so that a step's bounds hold the answer as it
 * is rounded. Of two shapes that are solved in the other order, what goes from A to B is turned around. */
#include "convex/observe.h"

#include <string.h>

const char *cm_step_kind_text(cm_step_kind kind) {
    static const char *const texts[] = {
#define STEP_KIND_TEXT(name, text) text,
        CM_STEP_KIND_LIST(STEP_KIND_TEXT)
#undef STEP_KIND_TEXT
    };
    const size_t count = sizeof texts / sizeof texts[0];
    return (size_t)kind < count ? texts[kind] : "unknown";
}

cm_vec3 cm__watch_point(const cm__watch *watch, cm__point p) {
    return cm__vec3_of(frame_apply(&watch->frame, cm__point_scale(p, watch->unit)));
}

cm_vec3 cm__watch_way(const cm__watch *watch, cm__point w) {
    return cm__vec3_of(frame_rotate(&watch->frame, cm__point_scale(w, watch->swapped ? -watch->unit : watch->unit)));
}

cm_vec3 cm__watch_direction(const cm__watch *watch, cm__point n) {
    const double length = cm__point_length(n);
    if (!(length > 0 && length <= DBL_MAX)) return cm_v(0, 0, 0);
    return cm__vec3_of(frame_rotate(&watch->frame, cm__point_scale(n, watch->swapped ? -1 / length : 1 / length)));
}

cm_step_vertex cm__watch_vertex(const cm__watch *watch, const cm__convex_vertex *x) {
    const cm_vec3 first = cm__watch_point(watch, x->a), second = cm__watch_point(watch, cm__point_add(x->a, x->w));
    const cm_step_vertex forth = {first, second}, back = {second, first};
    return watch->swapped ? back : forth;
}

void cm__watch_begin(const cm__watch *watch, cm_step_kind kind, cm_step *out) {
    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->exact = true;
    out->lower = watch->lower, out->upper = watch->upper;
}

void cm__watch_bounds(const cm__convex_pair *pair, double lower, double upper, cm_step *out) {
    const double radius = pair->a->radius + pair->b->radius, unit = pair->watch->unit;
    out->lower = -CM_REAL_MAX, out->upper = CM_REAL_MAX;
    if (lower > -DBL_MAX) out->lower = wide_down((lower - radius) * unit);
    if (upper < DBL_MAX) out->upper = wide_up((upper - radius) * unit);
}

void cm__watch_send(cm__watch *watch, cm_step *step) {
    if (watch->index > 0) { /* what was known stays known */
        step->lower = cm_max(step->lower, watch->lower);
        step->upper = cm_min(step->upper, watch->upper);
    }
    step->search = watch->searches - 1;
    step->index = watch->index++;
    watch->lower = step->lower, watch->upper = step->upper;
    watch->step(watch->user, step);
}

void cm__watch_send_simplex(const cm__convex_pair *pair, const cm__watch_simplex *simplex) {
    cm__watch *watch = pair->watch;
    cm_step_vertex vertices[4];
    cm_step step;
    cm__watch_begin(watch, CM_STEP_SIMPLEX, &step);
    cm__watch_bounds(pair, simplex->lower, simplex->upper, &step);
    for (int i = 0; i < simplex->count; i++) vertices[i] = cm__watch_vertex(watch, &simplex->vertex[i]);
    step.vertex_count = simplex->count, step.vertices = vertices;
    step.closest = cm__watch_way(watch, *simplex->v);
    if (simplex->way) step.direction = cm__watch_direction(watch, *simplex->way);
    if (simplex->support) step.support = cm__watch_vertex(watch, simplex->support);
    step.exact = simplex->exact;
    cm__watch_send(watch, &step);
}

void cm__watch_send_distance(const cm__convex_pair *pair, const cm__convex_gap *gap, cm_real distance) {
    cm__watch *watch = pair->watch;
    const cm__convex_vertex ends = {cm__point_sub(gap->b, gap->a), gap->a, CM_NONE, CM_NONE};
    cm_step step;
    watch_search(watch);
    cm__watch_begin(watch, CM_STEP_DISTANCE, &step);
    step.lower = distance, step.upper = CM_REAL_MAX;
    if (gap->end != CM__CONVEX_BEYOND) {
        step.upper = cm_max(distance, wide_up(gap->distance + gap->slack));
        step.direction = cm__watch_direction(watch, gap->normal);
        step.support = cm__watch_vertex(watch, &ends);
        step.closest = cm__watch_way(watch, ends.w);
    }
    cm__watch_send(watch, &step);
}
