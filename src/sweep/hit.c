/* From spans of time to hits. */
#include "sweep/hit.h"

bool cm__sweep_begin(const cm__sweep_start_state *start, cm__span span, cm_sweep_hit *out) {
    double near = 8 * (double)CM_REAL_EPSILON * start->size;
    if (start->touching) {
        out->start = start->gap >= -near ? CM_SWEEP_TOUCHING : CM_SWEEP_OVERLAPPING;
        out->first = 0;
    } else {
        if (!(start->rate < 0)) return false;
        out->start = start->gap <= near ? CM_SWEEP_TOUCHING : CM_SWEEP_SEPARATED;
        out->first = wide_down(span.first);
        if (!(out->first > 0)) out->first = CM_REAL_MIN;
    }
    cm_real last = wide_up(span.last);
    out->last = last > 1 ? 1 : last < out->first ? out->first : last;
    return true;
}

void cm__sweep_end(cm__point v, cm__point normal, cm__point point, cm_sweep_hit *out) {
    out->normal = cm__vec3_of(normal);
    out->point = cm__vec3_of(point);
    /* sliding along is not approaching: what a rounded normal adds does not count */
    out->blocking = cm__point_dot(v, normal) > SWEEP_SLIDE * cm__point_length(v);
    out->part_a = out->part_b = CM_NONE;
}
