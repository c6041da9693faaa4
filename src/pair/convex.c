/* The general methods for pairs without a closed form: two convex shapes through their support functions (convex/), and
 * a convex shape over a half-space, which needs only the lowest support point and the face around it. */
#include "pair/pair.h"

#include "convex/manifold.h"

#include <string.h>

typedef struct convex_two {
    cm__core a, b;
    cm__convex_pair pair;
} convex_two;

static void convex_two_of(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, convex_two *out) {
    cm__ops(a->kind)->core(a, &out->a);
    cm__ops(b->kind)->core(b, &out->b);
    cm__convex_pair_of(&out->a, &out->b, b_in_a, &out->pair);
}

static bool convex_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_pair_cache *cache) {
    convex_two two;
    const cm__frame frame = frame_of_pose(b_in_a);
    convex_two_of(a, b, &frame, &two);
    return cm__convex_overlap(&two.pair, cache);
}

static cm_real convex_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                               cm_pair_cache *cache, cm__watch *watch, cm_witness *out) {
    convex_two two;
    cm__convex_gap gap;
    const cm__frame frame = frame_of_pose(b_in_a);
    convex_two_of(a, b, &frame, &two);
    two.pair.watch = watch;
    /* a distance that rounds to max_distance is within it: callers may pass back the distance that they got */
    double most = wide_min((double)max_distance * (1 + (double)CM_REAL_EPSILON), DBL_MAX);
    cm__convex_gap_of(&two.pair, most, cache, &gap);
    if (watch) cm__watch_send_distance(&two.pair, &gap, gap_distance(gap.distance));
    if (gap.end == CM__CONVEX_BEYOND) return CM_REAL_MAX;
    cm__gap plain;
    gap_of_convex(&gap, &plain);
    cm__witness_of_gap(&plain, out);
    return out->distance;
}

static void convex_to_manifold(const cm__convex_manifold *m, cm_manifold *out) {
    out->normal = cm__vec3_of(m->normal);
    out->part_a = out->part_b = CM_NONE;
    out->count = m->count;
    for (int i = 0; i < m->count; i++) {
        cm_contact_point *p = &out->points[i];
        const cm__convex_contact *c = &m->contact[i];
        p->point_a = cm__vec3_of(c->a);
        p->point_b = cm__vec3_of(c->b);
        p->depth = (cm_real)(0 - c->gap);
        p->feature_a = c->feature_a;
        p->feature_b = c->feature_b;
    }
}

static int convex_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                          cm_pair_cache *cache, cm__watch *watch, cm_manifold *out, int capacity) {
    convex_two two;
    cm__convex_gap gap;
    cm__convex_manifold m;
    const cm__frame frame = frame_of_pose(b_in_a);
    convex_two_of(a, b, &frame, &two);
    two.pair.watch = watch;
    cm__convex_gap_of(&two.pair, (double)margin, cache, &gap);
    if (watch) cm__watch_send_distance(&two.pair, &gap, gap_distance(gap.distance));
    if (gap.end == CM__CONVEX_BEYOND || !(gap.distance <= (double)margin)) return 0;
    cm__convex_manifold_of(&two.pair, &gap, (double)margin, &m);
    if (m.count > 0 && capacity > 0) convex_to_manifold(&m, out);
    return m.count > 0;
}

void cm__convex_contact_along(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, const cm__gap *core,
                              cm_real margin, cm_manifold *out) {
    convex_two two;
    cm__convex_gap gap;
    cm__convex_manifold m;
    convex_two_of(a, b, b_in_a, &two);
    memset(&gap, 0, sizeof gap);
    gap.core_a = core->a, gap.core_b = core->b;
    gap.normal = core->normal;
    gap.core_distance = core->distance;
    gap.distance = core->distance - ((double)a->radius + (double)b->radius);
    gap.id_a = gap.id_b = CM_NONE;
    gap.end = CM__CONVEX_PROVEN;
    cm__convex_manifold_of(&two.pair, &gap, (double)margin, &m);
    convex_to_manifold(&m, out);
}

static void convex_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    convex_two two;
    cm__convex_gap gap;
    convex_two_of(a, b, b_in_a, &two);
    cm__convex_gap_of(&two.pair, DBL_MAX, NULL, &gap);
    gap_of_convex(&gap, out);
}
const cm__search cm__search_convex = {
    .overlap = convex_overlap, .distance = convex_distance, .contact = convex_contact};
const cm__method cm__method_convex = {.gap = convex_gap, .search = &cm__search_convex};

/* --- against a half-space ---------------------------------------------------------------------------------------- */

typedef struct core_ground {
    cm__core core;
    cm__point up, down; /* the plane's unit normal in A's frame, and against it */
    double d, radius;   /* height over the plane: up.p + d */
} core_ground;

static void core_ground_of(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, core_ground *out) {
    cm__point n = frame_rotate(b_in_a, cm__point_of(b->u.halfspace.normal));
    double length = cm__point_length(n);
    cm__ops(a->kind)->core(a, &out->core);
    out->up = cm__point_scale(n, 1 / length);
    out->down = cm__point_scale(n, -1 / length);
    out->d = (double)b->u.halfspace.d / length - cm__point_dot(out->up, b_in_a->position);
    out->radius = (double)a->radius + (double)b->radius;
}

static double core_ground_height(const core_ground *g, cm__point p) { return cm__point_dot(g->up, p) + g->d; }

static double core_ground_lowest(const core_ground *g, cm__point *lowest) {
    uint32_t id = CM_NONE;
    *lowest = g->core.ops->support(&g->core, g->down, &id);
    return core_ground_height(g, *lowest);
}

static bool convex_halfspace_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    core_ground g;
    cm__point lowest;
    const cm__frame frame = frame_of_pose(b_in_a);
    core_ground_of(a, b, &frame, &g);
    return core_ground_lowest(&g, &lowest) <= g.radius;
}

static void convex_halfspace_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    core_ground g;
    cm__point lowest;
    core_ground_of(a, b, b_in_a, &g);
    double height = core_ground_lowest(&g, &lowest);
    out->normal = g.down;
    out->distance = distance_settled(height - g.radius, height <= g.radius);
    out->a = cm__point_mul_add(lowest, (double)a->radius, g.down);
    out->b = cm__point_mul_add(lowest, height - (double)b->radius, g.down);
}

/* The corners of the lowest face that are within the margin; the lowest point is always among them or is added. */
static int convex_halfspace_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                    cm_manifold *out, int capacity) {
    core_ground g;
    cm__point lowest;
    cm__facet side;
    cm__convex_manifold m;
    const cm__frame frame = frame_of_pose(b_in_a);
    core_ground_of(a, b, &frame, &g);
    double least = core_ground_lowest(&g, &lowest), reach = (double)margin + g.radius;
    if (!(least <= reach)) return 0;
    if (capacity < 1) return 1;
    m.normal = g.down;
    m.count = 0;
    side.hint = CM_NONE, side.farthest = false;
    g.core.ops->facet(&g.core, g.down, &side);
    bool found = false;
    for (int i = 0; i < side.count; i++) {
        double height = core_ground_height(&g, side.point[i]);
        if (!(height <= reach)) continue;
        found = found || height <= least + 1e-6 * g.core.size; /* as MANIFOLD_OFF (convex/manifold.c) */
        cm__convex_contact *c = &m.contact[m.count++];
        c->a = side.point[i], c->gap = height > least ? height : least;
        c->feature_a = side.id[i], c->feature_b = 0;
    }
    if (!found) {
        cm__convex_contact *c = &m.contact[m.count++];
        c->a = lowest, c->gap = least, c->feature_a = side.number, c->feature_b = 0;
    }
    for (int i = 0; i < m.count; i++) {
        cm__convex_contact *c = &m.contact[i];
        c->b = cm__point_mul_add(c->a, c->gap - (double)b->radius, g.down);
        c->a = cm__point_mul_add(c->a, (double)a->radius, g.down);
        c->gap -= g.radius;
    }
    cm__convex_manifold_thin(&m, 8);
    convex_to_manifold(&m, out);
    return 1;
}

const cm__method cm__method_convex_halfspace = {
    .overlap = convex_halfspace_overlap, .gap = convex_halfspace_gap, .contact = convex_halfspace_contact};
