/* Every kind against every kind at poses as people have them: aligned, flush, touching, concentric, over each other's
 * sides, at nice numbers give or take some ulps. Whatever the truth is, all queries must decide alike, in both orders,
 * and every number must be one. CAROM_POSE=n: that pose alone. */
#include "support/standing.h"

#include <math.h>

enum { ROW_QUERIES, ROW_SWAP, ROW_CACHED, ROW_START, ROW_MARGIN, ROW_GAP, ROW_FINITE, ROWS };
static const char *const rows[ROWS] = {
    "overlap, distance <= 0 and a contact of margin 0 are the same",
    "overlap, the sign of distance and contact do not depend on the order",
    "a cache changes no decision",
    "sweeps start as overlap says",
    "a margin beyond the gap finds a contact, one below it none",
    "the gap does not depend on the order",
    "every number is one",
};

/* Poses of other seeds that were wrong once: seed, number. */
static const sample_once once_wrong[] = {{9, 647}};

static tally_table table;
static uint64_t seed;

typedef struct question {
    long number;
    nice_thing a, b;
    cm_pose pose_a, pose_b;
    double noise;
    bool overlap;
    cm_real distance;
} question;

__attribute__((format(printf, 4, 5))) static void note(const question *q, int row, bool fine, const char *format, ...) {
    if (!tally_note(&table, row, (int)q->b.kind, fine)) return;
    va_list list;
    va_start(list, format);
    char text[400];
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    print_error("  not so: %s (CAROM_POSE=%ld of seed %llu): %s\n", rows[row], q->number, (unsigned long long)seed,
                text);
    nice_thing_print("a", &q->a, &q->pose_a);
    nice_thing_print("b", &q->b, &q->pose_b);
}

/* How large its coordinates are, on the way from its own frame into the world. */
static double size_at(const nice_thing *t, const cm_pose *p) {
    cm_pose home = cm_pose_identity();
    cm_aabb box;
    double far = (double)cm_length(p->position);
    if (t->shape.kind == CM_SHAPE_HALFSPACE)
        return far + fabs((double)t->shape.u.halfspace.d) + (double)t->shape.radius;
    cm_shape_bounds(&t->shape, &home, &box);
    return far + fmax((double)cm_length(box.min), (double)cm_length(box.max));
}

/* What gaps are known to: 64 eps of the scale; of curved and callers' shapes 1e-11 of it. */
static double gap_noise(const question *q) {
    double size = size_at(&q->a, &q->pose_a) + size_at(&q->b, &q->pose_b);
    cm_kind a = q->a.shape.kind, b = q->b.shape.kind;
    bool curved = a == CM_SHAPE_CYLINDER || a == CM_SHAPE_CONE || a == CM_SHAPE_ELLIPSOID || a == CM_SHAPE_CUSTOM ||
                  b == CM_SHAPE_CYLINDER || b == CM_SHAPE_CONE || b == CM_SHAPE_ELLIPSOID || b == CM_SHAPE_CUSTOM;
    return size * (64 * (double)CM_REAL_EPSILON + (curved ? 1e-11 : 0));
}

static bool unit(cm_vec3 n) { return fabs((double)cm_length(n) - 1) < 1e-4; }

static bool manifold_is_sound(const cm_manifold *m) {
    bool sound = unit(m->normal) && m->count >= 1 && m->count <= 8;
    for (int k = 0; k < m->count && sound; k++)
        sound = cm_vec3_is_valid(m->points[k].point_a) && cm_vec3_is_valid(m->points[k].point_b) &&
                cm_is_coord(m->points[k].depth);
    return sound;
}

static void ask_at_rest(question *q) {
    const cm_shape *a = &q->a.shape, *b = &q->b.shape;
    const cm_pose *pa = &q->pose_a, *pb = &q->pose_b;
    static cm_manifold manifolds[256];
    cm_witness w;
    memset(&w, 0, sizeof w);
    q->overlap = cm_overlap(a, pa, b, pb);
    q->distance = cm_distance(a, pa, b, pb, CM_REAL_MAX, &w);
    int count = cm_contact(a, pa, b, pb, 0, manifolds, 256);
    note(q, ROW_QUERIES, q->overlap == (q->distance <= 0) && q->overlap == (count > 0),
         "overlap %d, distance %.17g, %d contacts", q->overlap, (double)q->distance, count);
    bool crossing = q->a.shape.kind == CM_SHAPE_HALFSPACE && q->b.shape.kind == CM_SHAPE_HALFSPACE && q->overlap;
    bool sound = q->distance > -CM_REAL_MAX && q->distance < CM_REAL_MAX && unit(w.normal) &&
                 cm_vec3_is_valid(w.point_a) && cm_vec3_is_valid(w.point_b);
    for (int i = 0; i < count && i < 256; i++) sound = sound && manifold_is_sound(&manifolds[i]);
    if (!crossing) note(q, ROW_FINITE, sound, "distance %.17g", (double)q->distance);
    bool overlap = cm_overlap(b, pb, a, pa);
    cm_real distance = cm_distance(b, pb, a, pa, CM_REAL_MAX, NULL);
    int contacts = cm_contact(b, pb, a, pa, 0, NULL, 0);
    note(q, ROW_SWAP, overlap == q->overlap && (distance <= 0) == (q->distance <= 0) && (contacts > 0) == (count > 0),
         "overlap %d and %d, distance %.17g and %.17g, %d and %d contacts", q->overlap, overlap, (double)q->distance,
         (double)distance, count, contacts);
    if (q->distance > 0 && distance > 0)
        note(q, ROW_GAP, fabs((double)distance - (double)q->distance) <= q->noise, "distance %.17g and %.17g",
             (double)q->distance, (double)distance);
    if ((double)q->distance > 4 * q->noise && q->distance < CM_REAL_MAX) {
        cm_real more = q->distance + 2 * CM_REAL(q->noise), less = q->distance - 2 * CM_REAL(q->noise);
        int with = cm_contact(a, pa, b, pb, more, NULL, 0), without = cm_contact(a, pa, b, pb, less, NULL, 0);
        note(q, ROW_MARGIN, with > 0 && without == 0, "the gap %.17g, %d contacts within more, %d within less",
             (double)q->distance, with, without);
    }
}

/* From nothing, and from where the last query ended. */
static void ask_cached(const question *q) {
    const cm_shape *a = &q->a.shape, *b = &q->b.shape;
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 2; i++) {
        bool overlap = cm_overlap_cached(a, &q->pose_a, b, &q->pose_b, &cache);
        cm_real distance = cm_distance_cached(a, &q->pose_a, b, &q->pose_b, CM_REAL_MAX, &cache, NULL);
        int count = cm_contact_cached(a, &q->pose_a, b, &q->pose_b, 0, &cache, NULL, 0);
        note(q, ROW_CACHED, overlap == q->overlap && (distance <= 0) == q->overlap && (count > 0) == q->overlap,
             "overlap %d; cached %d, distance %.17g, %d contacts", q->overlap, overlap, (double)distance, count);
    }
}

static void ask_sweeps(const question *q, double scale, rng *r) {
    cm_motion ma, mb;
    memset(&ma, 0, sizeof ma);
    memset(&mb, 0, sizeof mb);
    ma.start = q->pose_a, mb.start = q->pose_b;
    for (int i = 0; i < 3; i++) { /* none, along an axis, turning */
        if (i > 0) {
            double length = scale * nice_offset(r);
            uint32_t axis = rng_below(r, 3);
            mb.move =
                cm_v(axis == 0 ? CM_REAL(length) : 0, axis == 1 ? CM_REAL(length) : 0, axis == 2 ? CM_REAL(length) : 0);
        }
        if (i == 2) {
            double angle = nice_angle(r), pivot = scale * nice_offset(r);
            mb.spin = cm_scale(cm_rotate(q->pose_b.rotation, cm_v(0, 0, 1)), CM_REAL(fmod(angle, 3)));
            if (rng_below(r, 2)) mb.pivot.x = CM_REAL(pivot);
        }
        cm_sweep_hit h, back;
        memset(&h, 0, sizeof h);
        memset(&back, 0, sizeof back);
        bool hit = cm_sweep(&q->a.shape, &ma, &q->b.shape, &mb, &h);
        bool again = cm_sweep(&q->b.shape, &mb, &q->a.shape, &ma, &back);
        bool starts = hit && h.start != CM_SWEEP_SEPARATED, ends = again && back.start != CM_SWEEP_SEPARATED;
        note(q, ROW_START, starts == q->overlap && (!hit || starts || h.first > 0),
             "overlap %d; sweep %d: hit %d, start %d, first %.17g", q->overlap, i, hit, h.start, (double)h.first);
        note(q, ROW_SWAP, hit == again && starts == ends && h.blocking == back.blocking,
             "sweep %d: hit %d, start %d, blocking %d; the other way round %d, %d, %d", i, hit, h.start, h.blocking,
             again, back.start, back.blocking);
        if (hit)
            note(q, ROW_FINITE,
                 h.first >= 0 && h.first <= h.last && h.last <= 1 && unit(h.normal) && cm_vec3_is_valid(h.point),
                 "sweep %d: first %.17g, last %.17g", i, (double)h.first, (double)h.last);
    }
}

static void ask(long number) {
    static const double scales[] = {1, 1, 1, 0.01, 100};
    static question q;
    long pairs = SPECIMEN_KINDS * (SPECIMEN_KINDS + 1) / 2, pair = number % pairs;
    int ka = 0;
    while (pair > ka) pair -= ++ka; /* 0 0, 1 0, 1 1, 2 0 ... */
    rng r = sample_rng(seed, number);
    double scale = scales[rng_below(&r, 5)];
    q.number = number;
    nice_thing_make(&q.a, (specimen_kind)pair, scale, &r);
    nice_thing_make(&q.b, (specimen_kind)ka, scale, &r);
    for (int i = 0; i < 4; i++) {
        nice_poses(&q.a, &q.b, scale, &r, &q.pose_a, &q.pose_b);
        q.noise = gap_noise(&q);
        ask_at_rest(&q);
        ask_cached(&q);
        ask_sweeps(&q, scale, &r);
    }
    nice_thing_free(&q.a);
    nice_thing_free(&q.b);
}

static int ask_everything(void **state) {
    (void)state;
    table.rows = rows, table.columns = specimen_names;
    table.row_count = ROWS, table.column_count = SPECIMEN_KINDS;
    sample_all("kinds at standing poses", 1503, samples(1800, 300000), once_wrong,
               sizeof once_wrong / sizeof once_wrong[0], &seed, ask);
    return 0;
}

static void overlap_distance_and_contact_agree(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_QUERIES, samples(10, 1000));
}
static void verdicts_do_not_depend_on_the_order(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_SWAP, samples(10, 1000));
}
static void a_cache_changes_no_decision(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_CACHED, samples(10, 1000));
}
static void sweeps_start_as_overlap_says(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_START, samples(10, 1000));
}
static void margins_are_gaps(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_MARGIN, samples(10, 1000));
}
static void gaps_do_not_depend_on_the_order(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_GAP, samples(10, 1000));
}
static void every_number_is_one(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_FINITE, samples(10, 1000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_distance_and_contact_agree),
        cmocka_unit_test(verdicts_do_not_depend_on_the_order),
        cmocka_unit_test(a_cache_changes_no_decision),
        cmocka_unit_test(sweeps_start_as_overlap_says),
        cmocka_unit_test(margins_are_gaps),
        cmocka_unit_test(gaps_do_not_depend_on_the_order),
        cmocka_unit_test(every_number_is_one),
    };
    return cmocka_run_group_tests(tests, ask_everything, NULL);
}
