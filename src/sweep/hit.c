/* From spans of time to hits. */
#include "sweep/hit.h"

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
