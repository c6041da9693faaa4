/* Queries, written once above every kind: a kind shows the members whose boxes have a bound within the limit, these
 * functions decide by the very box. Rays, sweeps and nearest neighbors come in order from every kind: the nearest few
 * are collected while the limit shrinks, reported in order, and the structure is walked again for those behind them,
 * with room for more at every round. So nothing is allocated and an early end is cheap. */
#include "broad/broad.h"
#include "base/counter.h"
#include "math/axis.h"

#include <math.h>

static const double query_never = 1.7976931348623157e308; /* the largest double: no limit reaches it */

static bool query_is_number(cm_real x) { return cm_abs(x) <= CM_COORD_MAX; }

/* --- walking ------------------------------------------------------------------------------------------------- */

/* Every live slot, one by one: what queries do while the structure is out of date. */
static void query_visit_all(const cm_broad *b, cm__visitor *v) {
    for (uint32_t s = 0; s < b->slot_count; ++s) {
        if ((b->flags[s] & CM__LIVE) && !cm__visit(v, s)) return;
    }
}

/* Notes that the structure was asked, for cm__auto_pick. Not a change that a caller could see: the object is never
 * const itself, as it comes from an allocator. */
static void query_count(const cm_broad *b, uint64_t looks) {
    cm__broad_asked *asked = &((cm_broad *)(uintptr_t)b)->asked;
    counter_add(&asked->visits, 1);
    counter_add(&asked->work, (uint32_t)((looks + CM__ASKED_LOOKS - 1) / CM__ASKED_LOOKS));
}

void cm__visit_any(const cm_broad *b, cm__visitor *v) {
    if (b->dirty) {
        query_visit_all(b, v);
        return;
    }
    for (uint32_t i = 0; i < b->unbounded_count; ++i) {
        if (!cm__visit(v, b->unbounded[i])) return;
    }
    const uint64_t before = v->looks;
    b->ops->visit(b, v);
    /* other kinds' counts are never read, and a few boxes are never worth a tree */
    if (b->desc.kind == CM_BROAD_AUTO && b->ops->kind != CM_BROAD_BRUTE) query_count(b, v->looks - before);
}

double cm__box_bound(const cm__visitor *v, const cm_aabb *box) {
    return cm_aabb_overlaps(&v->reach, box) ? 0 : query_never;
}

static cm_aabb query_everywhere(void) {
    cm_aabb box;
    box.min = cm_v(-CM_REAL_MAX, -CM_REAL_MAX, -CM_REAL_MAX);
    box.max = cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX);
    return box;
}

static uint32_t query_mask(uint32_t mask) { return mask ? mask : UINT32_MAX; }

/* --- what contains, what overlaps ------------------------------------------------------------------------------- */

typedef struct found_visitor {
    cm__visitor base;
    cm_broad_found fn;
    void *context;
    double point[3];        /* sphere's center */
    const cm_vec3 *normals; /* half-spaces */
    const cm_real *d;
    int count;
} found_visitor;

static bool found_take(cm__visitor *v, uint32_t slot, double key) {
    found_visitor *f = (found_visitor *)v;
    (void)key;
    ++v->calls;
    return f->fn(f->context, v->broad->ids[slot]);
}

static uint32_t found_run(const cm_broad *b, found_visitor *f, uint32_t mask) {
    f->base.broad = b;
    f->base.mask = query_mask(mask);
    f->base.calls = 0;
    f->base.take = found_take;
    cm__visit_any(b, &f->base);
    return f->base.calls;
}

uint32_t cm_broad_query_box(const cm_broad *b, const cm_aabb *box, uint32_t mask, cm_broad_found fn, void *context) {
    if (!b || !box || !fn) return 0;
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z)) return 0;
    found_visitor f = {.fn = fn, .context = context};
    f.base.reach = *box;
    f.base.bound = cm__box_bound;
    return found_run(b, &f, mask);
}

uint32_t cm_broad_query_point(const cm_broad *b, cm_vec3 point, uint32_t mask, cm_broad_found fn, void *context) {
    cm_aabb box = {point, point};
    return cm_broad_query_box(b, &box, mask, fn, context);
}

/* Distance of p from [lo, hi]; 0 inside. */
static double query_axis_gap(double p, cm_real lo, cm_real hi) {
    double below = (double)lo - p, above = p - (double)hi;
    double gap = below > above ? below : above;
    return gap > 0 ? gap : 0;
}

static double box_distance_squared(const double p[3], const cm_aabb *box) {
    double x = query_axis_gap(p[0], box->min.x, box->max.x), y = query_axis_gap(p[1], box->min.y, box->max.y);
    double z = query_axis_gap(p[2], box->min.z, box->max.z);
    return x * x + y * y + z * z;
}

static double sphere_bound(const cm__visitor *v, const cm_aabb *box) {
    return box_distance_squared(((const found_visitor *)v)->point, box);
}

uint32_t cm_broad_query_sphere(const cm_broad *b, cm_vec3 center, cm_real radius, uint32_t mask, cm_broad_found fn,
                               void *context) {
    if (!b || !fn || !cm_vec3_is_valid(center) || !(radius >= 0 && query_is_number(radius))) return 0;
    found_visitor f = {.fn = fn, .context = context, .point = {(double)center.x, (double)center.y, (double)center.z}};
    /* The reach is rounded outward: one part in 2^20 exceeds the rounding of the sums. */
    cm_real grown = radius + (radius + cm_largest(center)) * 4 * CM_REAL_EPSILON;
    f.base.reach.min = cm_v(center.x - grown, center.y - grown, center.z - grown);
    f.base.reach.max = cm_v(center.x + grown, center.y + grown, center.z + grown);
    f.base.limit = (double)radius * (double)radius;
    f.base.bound = sphere_bound;
    return found_run(b, &f, mask);
}

/* n p for the end of the box nearer to the inside; an unbounded side toward it gives -infinity, never NaN. */
static double least_product(cm_real n, cm_real lo, cm_real hi) {
    if (n == 0) return 0;
    return (double)n * (double)(n > 0 ? lo : hi);
}

static double halfspaces_bound(const cm__visitor *v, const cm_aabb *box) {
    const found_visitor *f = (const found_visitor *)v;
    for (int i = 0; i < f->count; ++i) {
        cm_vec3 n = f->normals[i];
        double least = least_product(n.x, box->min.x, box->max.x) + least_product(n.y, box->min.y, box->max.y) +
                       least_product(n.z, box->min.z, box->max.z) + (double)f->d[i];
        if (!(least <= 0)) return query_never;
    }
    return 0;
}

uint32_t cm_broad_query_frustum(const cm_broad *b, const cm_vec3 *normals, const cm_real *d, int count, uint32_t mask,
                                cm_broad_found fn, void *context) {
    if (!b || !fn || !normals || !d || count < 1 || count > 32) return 0;
    for (int i = 0; i < count; ++i) {
        if (!cm_vec3_is_valid(normals[i]) || !query_is_number(d[i])) return 0;
    }
    found_visitor f = {.fn = fn, .context = context, .normals = normals, .d = d, .count = count};
    f.base.reach = query_everywhere();
    f.base.bound = halfspaces_bound;
    f.base.whole = count > 1; /* one part may lie outside one plane, another outside another */
    return found_run(b, &f, mask);
}

uint32_t cm_broad_query_halfspace(const cm_broad *b, cm_vec3 normal, cm_real d, uint32_t mask, cm_broad_found fn,
                                  void *context) {
    return cm_broad_query_frustum(b, &normal, &d, 1, mask, fn, context);
}

/* --- in order ------------------------------------------------------------------------------------------------ */

enum { ORDER_FIRST = 8, ORDER_MOST = 2048 /* many, as hits that come at once take a round each so many */ };

typedef struct order_item {
    double key;
    uint32_t id;
} order_item;

/* The nearest `capacity` behind `after`, kept sorted; the limit is the last one's key once they are full. */
typedef struct order_visitor {
    cm__visitor base;
    double point[3]; /* nearest: from here */
    cm_aabb box;     /* ray, sweep: what moves */
    double move[3];
    order_item after; /* reported already up to here; key < 0: none */
    order_item *items;
    uint32_t count, capacity;
} order_visitor;

static bool item_before(order_item a, order_item b) { return a.key < b.key || (a.key == b.key && a.id < b.id); }

static bool order_take(cm__visitor *v, uint32_t slot, double key) {
    order_visitor *o = (order_visitor *)v;
    order_item item = {key, v->broad->ids[slot]};
    if (!item_before(o->after, item)) return true;
    if (o->count == o->capacity && !item_before(item, o->items[o->count - 1])) return true;
    uint32_t at = o->count;
    while (at > 0 && item_before(item, o->items[at - 1])) --at;
    if (at > 0 && o->items[at - 1].id == item.id) return true; /* shown before */
    if (o->count < o->capacity) ++o->count;
    for (uint32_t i = o->count - 1; i > at; --i) o->items[i] = o->items[i - 1];
    o->items[at] = item;
    if (o->count == o->capacity) v->limit = o->items[o->count - 1].key;
    return true;
}

/* When a box moving along one axis enters and leaves [lo, hi]; false: never. Rounded outward by two ulps, which covers
 * the subtraction and the division, and grows with the interval as a bound must. */
static bool query_axis_slab(double lo, double hi, double box_lo, double box_hi, double move, double *enter,
                            double *leave) {
    const double slack = 2.220446049250313e-16 * 2;
    if (move == 0) return lo <= box_hi && hi >= box_lo;
    double t0 = (move > 0 ? lo - box_hi : hi - box_lo) / move;
    double t1 = (move > 0 ? hi - box_lo : lo - box_hi) / move;
    t0 *= t0 > 0 ? 1 - slack : 1 + slack;
    t1 *= t1 > 0 ? 1 + slack : 1 - slack;
    if (t0 > *enter) *enter = t0;
    if (t1 < *leave) *leave = t1;
    return true;
}

/* When what moves meets a box, from `enter` to `leave`, which it narrows; false: never. */
static bool moving_meets(const order_visitor *o, const cm_aabb *box, double *enter, double *leave) {
    const cm_aabb *q = &o->box;
    bool met = query_axis_slab((double)box->min.x, (double)box->max.x, (double)q->min.x, (double)q->max.x, o->move[0],
                               enter, leave) &&
               query_axis_slab((double)box->min.y, (double)box->max.y, (double)q->min.y, (double)q->max.y, o->move[1],
                               enter, leave) &&
               query_axis_slab((double)box->min.z, (double)box->max.z, (double)q->min.z, (double)q->max.z, o->move[2],
                               enter, leave);
    return met && *enter <= *leave;
}

static double moving_bound(const cm__visitor *v, const cm_aabb *box) {
    double enter = 0, leave = query_never;
    return moving_meets((const order_visitor *)v, box, &enter, &leave) ? enter : query_never;
}

/* [lo, hi] moved by t move for t from enter to leave, rounded outward. */
static void moving_span(double lo, double hi, double move, double enter, double leave, cm_real *min, cm_real *max) {
    const double most = (double)CM_REAL_MAX;
    const double scale = fabs(lo) + fabs(hi) + fabs(move) * leave;
    const double slack = scale * 4 * (double)CM_REAL_EPSILON;
    if (move > 0) lo += move * enter, hi += move * leave;
    if (move < 0) lo += move * leave, hi += move * enter;
    lo -= slack, hi += slack;
    if (lo > (double)*min) *min = (cm_real)(lo < most ? lo : most);
    if (hi < (double)*max) *max = (cm_real)(hi > -most ? hi : -most);
}

static void moving_clip(const cm__visitor *v, const cm_aabb *box, cm_aabb *out) {
    const order_visitor *o = (const order_visitor *)v;
    double enter = 0, leave = v->limit;
    *out = v->reach;
    if (!moving_meets(o, box, &enter, &leave)) return;
    for (int a = 0; a < 3; ++a) {
        moving_span((double)vec3_reals(&o->box.min)[a], (double)vec3_reals(&o->box.max)[a], o->move[a], enter, leave,
                    &vec3_reals_of(&out->min)[a], &vec3_reals_of(&out->max)[a]);
    }
}

/* What a moving box can touch up to `limit`; everything where that is not finite. */
static cm_aabb moving_reach(const cm_aabb *box, cm_vec3 move, cm_real limit) {
    cm_vec3 far = cm_scale(move, limit);
    if (!cm_vec3_is_valid(far)) return query_everywhere();
    cm_aabb end = {cm_add(box->min, far), cm_add(box->max, far)};
    cm_aabb reach = cm_aabb_union(*box, end);
    cm_real scale = cm_max(cm_largest(reach.min), cm_largest(reach.max));
    return cm_aabb_grow(reach, scale * 8 * CM_REAL_EPSILON);
}

uint32_t cm_broad_sweep(const cm_broad *b, const cm_aabb *box, cm_vec3 move, cm_real limit, uint32_t mask,
                        cm_broad_hit fn, void *context) {
    bool unbounded;
    if (!b || !box || !fn || !(limit >= 0) || !cm_vec3_is_valid(move)) return 0;
    if (cm__box_check(box, &unbounded) != CM_OK || unbounded) return 0;
    order_item items[ORDER_MOST];
    order_visitor o = {.box = *box, .move = {(double)move.x, (double)move.y, (double)move.z}, .after = {-1, 0}};
    o.base = (cm__visitor){
        b, moving_reach(box, move, limit), 0, query_mask(mask), 0, true, false, moving_bound, order_take, moving_clip,
        0};
    o.items = items;
    double most = (double)limit < query_never ? (double)limit : query_never / 2;
    for (o.capacity = ORDER_FIRST;; o.capacity = o.capacity * 4 < ORDER_MOST ? o.capacity * 4 : ORDER_MOST) {
        o.count = 0;
        o.base.limit = most;
        cm__visit_any(b, &o.base);
        for (uint32_t i = 0; i < o.count; ++i) {
            if (!(items[i].key <= most)) return o.base.calls;
            ++o.base.calls;
            cm_real left = fn(context, items[i].id, (cm_real)items[i].key);
            if (!(left >= 0)) return o.base.calls;
            if ((double)left < most) most = (double)left;
        }
        if (o.count < o.capacity) return o.base.calls;
        o.after = items[o.count - 1];
    }
}

uint32_t cm_broad_raycast(const cm_broad *b, cm_vec3 origin, cm_vec3 direction, cm_real limit, uint32_t mask,
                          cm_broad_hit fn, void *context) {
    cm_aabb box = {origin, origin};
    return cm_broad_sweep(b, &box, direction, limit, mask, fn, context);
}

static double nearest_bound(const cm__visitor *v, const cm_aabb *box) {
    return box_distance_squared(((const order_visitor *)v)->point, box);
}

uint32_t cm_broad_nearest(const cm_broad *b, cm_vec3 point, cm_real max_distance, uint32_t mask, uint32_t capacity,
                          uint32_t *ids, cm_real *distances) {
    if (!b || !ids || !capacity || !cm_vec3_is_valid(point) || max_distance != max_distance) return 0;
    order_item items[ORDER_MOST];
    order_visitor o = {.point = {(double)point.x, (double)point.y, (double)point.z}, .after = {-1, 0}};
    double most = max_distance < 0 ? query_never / 2 : (double)max_distance * (double)max_distance;
    if (!(most < query_never / 2)) most = query_never / 2;
    o.base =
        (cm__visitor){b, query_everywhere(), 0, query_mask(mask), 0, true, false, nearest_bound, order_take, NULL, 0};
    o.items = items;
    uint32_t written = 0;
    while (written < capacity) {
        o.count = 0;
        o.capacity = capacity - written < ORDER_MOST ? capacity - written : ORDER_MOST;
        o.base.limit = most;
        cm__visit_any(b, &o.base);
        for (uint32_t i = 0; i < o.count; ++i) {
            ids[written] = items[i].id;
            if (distances) distances[written] = (cm_real)sqrt(items[i].key);
            ++written;
        }
        if (o.count < o.capacity) break;
        o.after = items[o.count - 1];
    }
    return written;
}
