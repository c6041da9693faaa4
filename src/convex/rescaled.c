/* Pairs beyond the range in which products of four lengths are numbers: their cores seen smaller or larger by a power
 * of two, which rounds nothing, so that the searches are the same as for pairs of usual size.
 *
 * Frame: A's, scaled. A scaled core asks the core itself: its support points and corners are the core's, times the
 * scale. Fast paths of the core are not used. */
#include "convex/rescaled.h"
#include "convex/observe.h"

static const cm__core *rescaled_inner(const cm__core *core) { return ((const cm__rescaled_core *)core->data)->inner; }
static cm__point rescaled_point(const cm__core *core, cm__point p) {
    return cm__point_scale(p, ((const cm__rescaled_core *)core->data)->scale);
}

static cm__point rescaled_support(const cm__core *core, cm__point direction, uint32_t *id) {
    const cm__core *inner = rescaled_inner(core);
    return rescaled_point(core, inner->ops->support(inner, direction, id));
}
static cm__point rescaled_corner(const cm__core *core, uint32_t id) {
    const cm__core *inner = rescaled_inner(core);
    return rescaled_point(core, inner->ops->corner(inner, id));
}

static void rescaled_core_of(const cm__core *inner, double scale, cm__rescaled_core *data, cm__core *out) {
    static const cm__core_ops curved = {.support = rescaled_support};
    static const cm__core_ops sharp = {.support = rescaled_support, .corner = rescaled_corner};
    data->inner = inner, data->scale = scale;
    *out = *inner;
    out->ops = inner->ops->corner ? &sharp : &curved;
    out->data = data;
    out->radius = inner->radius * scale;
    out->size = inner->size * scale;
    out->center = cm__point_scale(inner->center, scale);
    out->guess_error = 0;
}

void cm__rescale(const cm__convex_pair *pair, cm__rescaled *out) {
    double scale = 1;
    while (pair->scale * scale > 1) scale *= 0x1p-30;
    while (pair->scale * scale < 0x1p-30 && scale < 0x1p900) scale *= 0x1p30;
    cm__frame frame = pair->b_in_a;
    frame.position = cm__point_scale(frame.position, scale);
    rescaled_core_of(pair->a, scale, &out->core_a, &out->a);
    rescaled_core_of(pair->b, scale, &out->core_b, &out->b);
    cm__convex_pair_of(&out->a, &out->b, &frame, &out->pair);
    out->pair.scale = pair->scale * scale;
    out->scale = scale, out->back = 1 / scale;
    out->pair.watch = pair->watch;
    if (pair->watch) pair->watch->unit = out->back;
}

/* A gap stays positive, however small it gets. */
static double rescaled_distance(const cm__rescaled *v, double distance) {
    double back = distance * v->back;
    return distance > 0 ? distance_settled(back, false) : back;
}

void cm__rescaled_back(const cm__rescaled *v, cm__convex_gap *io) {
    io->a = cm__point_scale(io->a, v->back), io->b = cm__point_scale(io->b, v->back);
    io->core_a = cm__point_scale(io->core_a, v->back), io->core_b = cm__point_scale(io->core_b, v->back);
    io->distance = rescaled_distance(v, io->distance);
    io->core_distance = rescaled_distance(v, io->core_distance);
    if (v->pair.watch) v->pair.watch->unit = 1;
    io->slack = io->slack < DBL_MAX ? io->slack * v->back : DBL_MAX;
}
