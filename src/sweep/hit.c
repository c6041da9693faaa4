/* From spans of time to hits. */
#include "sweep/hit.h"
#include "sweep/start.h"

cm__straight_end cm__sweep_begin(const cm__sweep_start_state *start, cm__span span, cm_sweep_hit *out) {
    if (fabs(start->gap) <= start->band) return CM__STRAIGHT_NEAR;
    if (start->gap < 0) {
        out->start = CM_SWEEP_OVERLAPPING;
        out->first = 0;
    } else {
        if (!(start->rate < 0)) return CM__STRAIGHT_MISS;
        out->start = CM_SWEEP_SEPARATED;
        out->first = wide_down(span.first);
        if (!(out->first > 0)) out->first = CM_REAL_MIN;
    }
    cm_real last = wide_up(span.last);
    out->last = last > 1 ? 1 : last < out->first ? out->first : last;
    return CM__STRAIGHT_HIT;
}

void cm__sweep_end(cm__point v, cm__point normal, cm__point point, cm_sweep_hit *out) {
    out->normal = cm__vec3_of(normal);
    out->point = cm__vec3_of(point);
    /* sliding is not approaching: a speed that a rounded normal may cause does not count */
    out->blocking = cm__point_dot(v, normal) > SWEEP_SLIDE * cm__point_length(v);
    out->part_a = out->part_b = CM_NONE;
    out->proof = CM_PROOF_CONTACT;
    out->free_until = out->start == CM_SWEEP_SEPARATED ? out->first : 0;
}

bool cm__straight_near(const cm__core *a, const cm__frame *frame_a, const cm__core *b, const cm__frame *frame_b,
                       cm__point move, cm__point v, cm__point origin, double band, bool overlap, cm_sweep_hit *out) {
    cm__moving_pair pair;
    cm__moving_core(a, frame_a, move, &pair.a);
    cm__moving_core(b, frame_b, cm__point_sub(move, v), &pair.b);
    cm__moving_pair_finish(&pair);
    const cm__start start = {.band = band, .limit = 1, .overlap = overlap, .last = true};
    cm_sweep_hit hit;
    if (!cm__start_run(&pair, &start, &hit)) return false;
    hit.point = cm__vec3_of(cm__point_add(cm__point_of(hit.point), origin));
    if (out) *out = hit;
    return true;
}
