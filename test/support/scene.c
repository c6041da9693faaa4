/* See scene.h: the scenes, and what is judged of overlap and distance. The rest is in judge.c. */
#include "support/judge.h"

#include "pair/pair.h"

#include <math.h>
#include <time.h>

void tally_add(tally *sum, const tally *one) {
    sum->poses += one->poses, sum->overlapping += one->overlapping, sum->sweeps += one->sweeps, sum->hits += one->hits;
    sum->rays += one->rays, sum->ray_hits += one->ray_hits, sum->ids += one->ids, sum->kept += one->kept;
    sum->faults += one->faults;
    const long double from[] = {one->proof, one->point,  one->depth,  one->contact, one->gap,
                                one->swap,  one->ray[0], one->ray[1], one->moved,   one->jump};
    long double *const to[] = {&sum->proof, &sum->point,  &sum->depth,  &sum->contact, &sum->gap,
                               &sum->swap,  &sum->ray[0], &sum->ray[1], &sum->moved,   &sum->jump};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) judge_raise(to[i], from[i]);
    for (int i = 0; i < 6; i++) sum->cost[i] += one->cost[i];
}

const char *scene_pair_name(specimen_kind a, specimen_kind b) {
    static char name[80];
    snprintf(name, sizeof name, "%s and %s", specimen_names[a], specimen_names[b]);
    return name;
}

void scene_fault(scene *s, const char *what, const char *format, ...) {
    size_t used = strlen(s->text);
    if (s->t.faults++ >= 3 || used + SCENE_TEXT / 4 > sizeof s->text) return;
    char numbers[120];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(numbers, sizeof numbers, format, arguments);
    va_end(arguments);
    snprintf(s->text + used, sizeof s->text - used, "    not so: %.90s; %s\n", what, numbers);
}

/* --- the scenes -------------------------------------------------------------------------------------------------- */

/* One specimen of eight is a needle, a slab or flat. */
static void random_specimen(specimen *b, specimen_kind kind, double size, rng *r) {
    int flavor = rng_below(r, 8) ? 0 : 1 + (int)rng_below(r, 3);
    specimen_random_flavor(b, kind, flavor, flavor == 1 ? size * 1e-3 : size, r);
}

void scene_random(scene *s, specimen_kind ka, specimen_kind kb, uint64_t seed, long number) {
    rng mix = {seed}, pair = {rng_bits(&mix) + (uint64_t)(ka * 100 + kb)}, pose = {rng_bits(&pair) + (uint64_t)number};
    rng own = {rng_bits(&pose)}, *r = &own;
    double size = rng_log_range(r, 1e-4, 1e6), other = rng_below(r, 4) ? size : size * rng_log_range(r, 1e-2, 1e2);
    bool twins = ka == kb && rng_below(r, 16) == 0; /* the same shape twice */
    if (twins) other = size;
    rng first = own;
    random_specimen(&s->a, ka, size, r);
    random_specimen(&s->b, kb, other, twins ? &first : r);
    double largest = fmax(size, other);
    largest = fmax(largest, (double)wl_max(specimen_extent(&s->a), specimen_extent(&s->b)) / 3);
    cm_pose pa = cm_pose_identity(), pb = pa;
    uint32_t turned = rng_below(r, 8); /* parallel, along the axes or not; else any way */
    if (turned > 0) pa.rotation = pb.rotation = rng_rotation(r);
    if (turned > 1) pb.rotation = rng_rotation(r);
    pa.position = rng_vec3(r, largest);
    cm_vec3 away = cm_scale(rng_direction(r), CM_REAL(rng_range(r, 0, 1.3) * largest));
    if (rng_below(r, 16) == 0) away = cm_v(0, 0, 0);
    pb.position = cm_add(pa.position, away);
    cm_witness w;
    bool near = rng_below(r, 4) == 0; /* moved until it touches, nearly */
    if (near && cm_distance(&s->a.shape, &pa, &s->b.shape, &pb, CM_REAL_MAX, &w) < CM_REAL_MAX) {
        double over = (double)w.distance * (rng_below(r, 2) ? 1 : rng_range(r, 0.99, 1.01));
        pb.position = cm_mul_add(pb.position, CM_REAL(-over), w.normal);
    }
    specimen_place(&s->a, &pa);
    specimen_place(&s->b, &pb);
    s->kind_a = ka, s->kind_b = kb;
    s->seed = seed, s->number = number;
    s->scale = 4 * (long double)largest;
    s->composite = specimen_is_composite(&s->a) || specimen_is_composite(&s->b);
    s->curved = specimen_is_curved(&s->a) || specimen_is_curved(&s->b);
    s->text[0] = 0;
    memset(&s->t, 0, sizeof s->t);
}
void scene_free(scene *s) {
    specimen_free(&s->a);
    specimen_free(&s->b);
}

double judge_clock(const scene *s) {
    struct timespec t;
    if (!s->clock) return 0;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* --- overlap and distance ---------------------------------------------------------------------------------------- */

static bool witness_is_finite(const cm_witness *w) {
    return cm_is_coord(w->distance) && judge_finite(w->point_a) && judge_finite(w->point_b) && judge_finite(w->normal);
}

long double judge_blur(const scene *s, cm_real d) {
    long double core = (long double)d + (long double)s->a.shape.radius + (long double)s->b.shape.radius;
    long double eps = s->composite ? (long double)CM_REAL_EPSILON : (long double)DBL_EPSILON; /* posed in cm_real */
    return core > 0 ? 16 * eps * s->scale * s->scale / core : 0;
}

/* The other way round it is the same, to the last bit. */
static void judge_swapped(scene *s, bool overlap, cm_real d, const cm_witness *w) {
    const specimen *a = &s->a, *b = &s->b;
    cm_witness v;
    memset(&v, 0, sizeof v);
    cm_real e = cm_distance(&b->shape, &b->pose, &a->shape, &a->pose, CM_REAL_MAX, &v);
    bool swapped = cm_overlap(&b->shape, &b->pose, &a->shape, &a->pose);
    judge_that(s, e < CM_REAL_MAX && witness_is_finite(&v), "distance swapped %g", (double)e);
    judge_that(s, swapped == (e <= 0), "swapped: overlap %d, distance %g", swapped, (double)e);
    judge_that(s, overlap == swapped, "overlap %d, swapped %d", overlap, swapped);
    judge_that(s, d == e, "distance %g, swapped %g", (double)d, (double)e);
    /* the same body twice, at one pose, has but one answer */
    if (!pair_swapped(&a->shape, &a->pose, &b->shape, &b->pose) &&
        !pair_swapped(&b->shape, &b->pose, &a->shape, &a->pose))
        return;
    judge_that(s, judge_opposite(w->normal, v.normal), "normal %g, swapped %g", (double)w->normal.x,
               (double)v.normal.x);
    judge_that(s, judge_equal(w->point_a, v.point_b) && judge_equal(w->point_b, v.point_a), "points of %g", (double)d);
    judge_that(s, w->part_a == v.part_b && w->part_b == v.part_a && w->flags == v.flags, "parts %u %u, %u %u",
               w->part_a, w->part_b, v.part_b, v.part_a);
}

/* No pair of parts is nearer, none deeper: for two convex specimens apart the normal has proven it. */
static void judge_least(scene *s, cm_real d, bool within, wide3 n, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    long double slack = SCENE_BOUND * s->scale, distance = (long double)d;
    if (d > 0) {
        if (!s->composite) return;
        long double limit = distance - slack / 8, least = specimen_gap(a, b, n, limit, 4, r);
        /* of curved parts the search may end short of the truth: then more searches */
        if (least < limit && s->curved) least = specimen_gap(a, b, n, limit, 64, r);
        judge_that(s, least >= limit - slack / 8, "a part is at %Lg, not %g", least, (double)d);
        return;
    }
    if (within) { /* what is said of something deep within a solid is a lower bound */
        long double least = specimen_gap(a, b, n, distance + slack, 4, r);
        judge_that(s, least <= slack, "within, but %Lg apart", least);
        judge_raise(&s->t.depth, (least - distance) / s->scale);
        return;
    }
    long double least = specimen_gap(a, b, n, distance + slack, 4, r);
    if (s->curved && distance - least > SCENE_SEARCH * s->scale)
        least = specimen_gap(a, b, n, distance + slack, 256, r);
    long double deeper = (least - distance) / s->scale, short_of = (distance - least) / s->scale;
    judge_raise(&s->t.depth, deeper);
    if (s->curved)
        judge_that(s, short_of <= SCENE_SEARCH, "a part is %Lg deep, not %g", -least, -(double)d);
    else
        judge_raise(&s->t.depth, short_of);
}

/* Moved by the distance along the normal, B touches; moved any other way, the distance changes by no more than B was
 * moved: neither the seam between the two searches nor that between two parts shows. */
static void judge_moved(scene *s, cm_real d, const cm_witness *w, bool within, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    bool meshes = specimen_is_composite(a) && specimen_is_composite(b), solids = a->has_within || b->has_within;
    long double depth = s->curved ? SCENE_ROUND_DEPTH : SCENE_BOUND, gap = s->curved ? SCENE_ROUND_GAP : SCENE_BOUND;
    cm_pose at = b->pose;
    at.position = cm_mul_add(b->pose.position, -d, w->normal);
    bool bound = (w->flags & CM_WITNESS_LOWER_BOUND) != 0;
    if (!bound) {
        cm_real left = cm_distance(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, NULL);
        /* where meshes pierce each other by a rounding, their depth is the reach, which may be anything */
        long double off = (meshes ? wl_max((long double)left, 0) : fabsl((long double)left)) / s->scale;
        judge_raise(&s->t.moved, off);
        judge_bound(s, "gap left after moving by the distance", off, d > 0 ? gap : depth);
    }
    double step = (double)s->scale * rng_log_range(r, 1e-7, 0.2);
    cm_vec3 way = rng_below(r, 2) ? w->normal : rng_direction(r);
    at.position = cm_mul_add(b->pose.position, CM_REAL(rng_below(r, 2) ? step : -step), way);
    if (rng_below(r, 4) == 0) at.position = cm_mul_add(at.position, -d, w->normal); /* around touching */
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    cm_distance_cached(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &cache, NULL);
    cm_real e = cm_distance(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, NULL);
    bool overlap = cm_overlap(&a->shape, &a->pose, &b->shape, &at);
    cm_real cached = cm_distance_cached(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, &cache, NULL);
    bool cached_overlap = cm_overlap_cached(&a->shape, &a->pose, &b->shape, &at, &cache);
    judge_that(s, overlap == (e <= 0), "moved: overlap %d, distance %g", overlap, (double)e);
    judge_that(s, overlap == cached_overlap && overlap == (cached <= 0), "cached: overlap %d, %d, distance %g, %g",
               overlap, cached_overlap, (double)e, (double)cached);
    long double length = w3_length(w3_sub(w3_of_vec3(at.position), w3_of_vec3(b->pose.position)));
    long double change = fabsl((long double)e - (long double)d), off = (change - length) / s->scale;
    long double band = d > 0 && e > 0 ? gap : depth;
    judge_bound(s, "distance with a cache", fabsl((long double)e - (long double)cached) / s->scale, band);
    bool lower = within || (meshes && d <= 0) || ((solids || meshes) && e <= 0); /* depths that are lower bounds */
    if (lower && !(d > 0 || e > 0)) return;
    if (lower) off = (wl_max((long double)d, (long double)e) - length) / s->scale; /* so far it was, at most */
    judge_raise(&s->t.jump, off);
    judge_bound(s, "change of the distance", off, band);
}

cm_real judge_distance(scene *s, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    tally *t = &s->t;
    cm_witness w;
    memset(&w, 0, sizeof w);
    double start = judge_clock(s);
    cm_real d = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &w);
    double middle = judge_clock(s);
    bool overlap = cm_overlap(&a->shape, &a->pose, &b->shape, &b->pose);
    t->cost[0] += judge_clock(s) - middle, t->cost[1] += middle - start;
    t->poses++, t->overlapping += overlap;
    judge_that(s, d < CM_REAL_MAX && witness_is_finite(&w), "distance %g", (double)d);
    judge_that(s, specimen_has_part(a, w.part_a) && specimen_has_part(b, w.part_b), "parts %u %u", w.part_a, w.part_b);
    if (t->faults > 0) return d; /* nothing more to be asked of it */
    judge_that(s, overlap == (d <= 0), "overlap %d, distance %g", overlap, (double)d);
    judge_that(s, w.distance == d, "distance %g and %g", (double)d, (double)w.distance);
    judge_swapped(s, overlap, d, &w);
    wide3 n = w3_of_vec3(w.normal), on_a = w3_of_vec3(w.point_a), on_b = w3_of_vec3(w.point_b);
    judge_raise(&t->point, fabsl(w3_length(n) - 1));
    n = w3_unit(n);
    /* of two composites that touch, reach or pierce may be the answer, which have tests of their own: here the decision
     */
    bool within = d <= 0 && (a->has_within || b->has_within);
    bool meshes = specimen_is_composite(a) && specimen_is_composite(b);
    judge_moved(s, d, &w, within, r);
    if (meshes && d <= 0) {
        long double apart = specimen_gap(a, b, n, 0, 4, r);
        judge_that(s, apart <= SCENE_BOUND * s->scale, "overlap, but %Lg apart", apart);
        return d;
    }
    judge_raise(&t->point, w3_length(w3_sub(w3_sub(on_b, on_a), w3_scale(n, (long double)d))) / s->scale);
    judge_raise(&t->point, specimen_part_outside(a, w.part_a, on_a) / s->scale);
    judge_raise(&t->point, specimen_part_outside(b, w.part_b, on_b) / s->scale);
    if (!within) {
        long double known = judge_blur(s, d);
        long double off = fabsl(specimen_separation(a, w.part_a, b, w.part_b, n) - (long double)d);
        judge_raise(&t->proof, (off > known ? off - known : 0) / s->scale);
        judge_that(s, off == off, "proof %Lg", off);
    }
    judge_least(s, d, within, n, r);
    return d;
}
