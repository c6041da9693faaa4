/* Every kind, driven by the same random programs, gives what two nested loops give: pairs, changes, queries. */
#include "broad/program.h"
#include "support/broads.h"

#include <math.h>

/* --- scenes -------------------------------------------------------------------------------------------------- */

const char *scene_name(scene s) {
    static const char *const names[] = {"crowd",    "one spot", "line", "giant", "points", "lattice",
                                        "infinite", "equal",    "tiny", "huge",  "decades"};
    return names[s];
}

static cm_aabb box_around(cm_vec3 center, cm_vec3 half) {
    cm_aabb box = {cm_sub(center, half), cm_add(center, half)};
    return box;
}

static cm_vec3 positive(rng *r, double most) {
    return cm_v((cm_real)rng_range(r, 0, most), (cm_real)rng_range(r, 0, most), (cm_real)rng_range(r, 0, most));
}

cm_aabb scene_box(rng *r, scene s) {
    switch (s) {
    case SCENE_ONE_SPOT:
        return box_around(rng_vec3(r, 0.01), positive(r, 1));
    case SCENE_LINE: {
        cm_vec3 center = cm_v(0, (cm_real)rng_range(r, -50, 50), 0);
        return box_around(center, positive(r, 1));
    }
    case SCENE_GIANT: {
        if (rng_below(r, 100) == 0) return box_around(rng_vec3(r, 1), cm_v(1000000, 900000, 800000));
        return box_around(rng_vec3(r, 1e-4), positive(r, 1e-5));
    }
    case SCENE_POINTS: {
        cm_vec3 p = cm_v((cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4));
        return box_around(p, cm_v(0, 0, 0));
    }
    case SCENE_LATTICE: {
        cm_aabb box;
        box.min = cm_v((cm_real)rng_below(r, 8), (cm_real)rng_below(r, 8), (cm_real)rng_below(r, 8));
        cm_vec3 size = cm_v((cm_real)rng_below(r, 3), (cm_real)rng_below(r, 3), (cm_real)rng_below(r, 3));
        box.min.x -= 4; /* so that both zeros occur: a box may end at -0 where another begins at 0 */
        box.max = cm_add(box.min, size);
        if (box.max.x == 0 && rng_below(r, 2)) box.max.x = CM_REAL(-0.0);
        return box;
    }
    case SCENE_INFINITE: {
        cm_aabb box = box_around(rng_vec3(r, 10), positive(r, 2));
        const cm_real inf = (cm_real)INFINITY;
        switch (rng_below(r, 12)) {
        case 0:
            box.min.y = -inf;
            break;
        case 1:
            box.max.x = inf, box.min.x = -inf, box.max.z = CM_REAL_MAX, box.min.z = -CM_REAL_MAX;
            break;
        case 2:
            box.max.z = 10 * CM_COORD_MAX;
            break;
        default:
            break;
        }
        return box;
    }
    case SCENE_EQUAL: {
        cm_real k = (cm_real)rng_below(r, 4);
        return box_around(cm_v(k * CM_REAL(1.5), 0, 0), cm_v(1, 2, 3));
    }
    case SCENE_TINY:
        return box_around(rng_vec3(r, 5e-6), positive(r, 1e-6));
    case SCENE_HUGE:
        return box_around(cm_add(rng_vec3(r, 5e6), cm_v(30000000, 0, 0)), positive(r, 1e6));
    case SCENE_DECADES: {
        double size = rng_log_range(r, 1e-4, 1e4);
        return box_around(rng_vec3(r, 10 * size), positive(r, size));
    }
    case SCENE_CROWD:
    default:
        return box_around(rng_vec3(r, 8), positive(r, 1.5));
    }
}

/* --- the oracle ---------------------------------------------------------------------------------------------- */

int compare_pairs(const void *a, const void *b) {
    const cm_broad_pair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static bool model_overlap(const cm_aabb *p, const cm_aabb *q) {
    return !(p->max.x < q->min.x || q->max.x < p->min.x || p->max.y < q->min.y || q->max.y < p->min.y ||
             p->max.z < q->min.z || q->max.z < p->min.z);
}

void model_find_pairs(model *m) {
    m->now_count = 0;
    for (int i = 0; i < PROGRAM_MOST; ++i) {
        for (int j = i + 1; j < PROGRAM_MOST; ++j) {
            const model_object *p = &m->objects[i], *q = &m->objects[j];
            if (!p->live || !q->live || (p->fixed && q->fixed)) continue;
            if (!(p->layer & q->mask) || !(q->layer & p->mask) || !model_overlap(&p->box, &q->box)) continue;
            m->now[m->now_count].a = p->id < q->id ? p->id : q->id;
            m->now[m->now_count++].b = p->id < q->id ? q->id : p->id;
        }
    }
    qsort(m->now, m->now_count, sizeof *m->now, compare_pairs);
}

static void check_same_pairs(const cm_broad_pair *is, size_t count, const cm_broad_pair *expected,
                             size_t expected_count, const char *what) {
    for (size_t i = 0; i < count && i < expected_count; ++i) {
        check_that(compare_pairs(&is[i], &expected[i]) == 0, "%s: pair %zu is %x %x, expected %x %x (%zu, %zu)", what,
                   i, (unsigned)is[i].a, (unsigned)is[i].b, (unsigned)expected[i].a, (unsigned)expected[i].b, count,
                   expected_count);
    }
    check_that(count == expected_count, "%s: %zu pairs, expected %zu", what, count, expected_count);
}

void check_pairs(const model *m, cm_broad *b, const char *what) {
    cm_broad_pair_view view;
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    cm_broad_pair *copy = malloc((view.count + 1) * sizeof *copy);
    if (view.count) memcpy(copy, view.pairs, view.count * sizeof *copy);
    qsort(copy, view.count, sizeof *copy, compare_pairs);
    check_same_pairs(copy, view.count, m->now, m->now_count, what);
    free(copy);
    assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &view), CM_OK);
    check_same_pairs(view.pairs, view.count, m->now, m->now_count, what);
}

void check_changes(const model *m, cm_broad *b, const char *what) {
    static cm_broad_pair expected[PROGRAM_MOST * PROGRAM_MOST];
    cm_broad_changes changes;
    assert_int_equal(cm_broad_get_changes(b, &changes), CM_OK);
    for (int ended = 0; ended < 2; ++ended) {
        const cm_broad_pair *in = ended ? m->before : m->now, *out = ended ? m->now : m->before;
        size_t in_count = ended ? m->before_count : m->now_count, out_count = ended ? m->now_count : m->before_count;
        size_t n = 0;
        for (size_t i = 0; i < in_count; ++i) {
            if (!bsearch(&in[i], out, out_count, sizeof *out, compare_pairs)) expected[n++] = in[i];
        }
        const cm_broad_pair_view *view = ended ? &changes.ended : &changes.began;
        char text[200];
        snprintf(text, sizeof text, "%s, %s", what, ended ? "ended" : "began");
        check_same_pairs(view->pairs, view->count, expected, n, text);
    }
}

/* --- queries ------------------------------------------------------------------------------------------------- */

typedef struct finds {
    uint32_t ids[PROGRAM_MOST];
    double at[PROGRAM_MOST];
    uint32_t count, stop_at;
} finds;

static bool find_note(void *context, uint32_t id) {
    finds *f = context;
    assert_true(f->count < PROGRAM_MOST);
    f->ids[f->count++] = id;
    return f->count != f->stop_at;
}

static int compare_ids(const void *a, const void *b) {
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return p < q ? -1 : p > q;
}

static double gap(double p, double lo, double hi) { return p < lo ? lo - p : p > hi ? p - hi : 0; }
static double model_distance(cm_vec3 p, const cm_aabb *box) {
    double x = gap((double)p.x, (double)box->min.x, (double)box->max.x);
    double y = gap((double)p.y, (double)box->min.y, (double)box->max.y);
    double z = gap((double)p.z, (double)box->min.z, (double)box->max.z);
    return sqrt(x * x + y * y + z * z);
}

/* 1 yes, 0 no, -1 within rounding of the edge. */
typedef int (*judge)(const void *context, const cm_aabb *box);
static int judge_box(const void *context, const cm_aabb *box) { return model_overlap(context, box); }

typedef struct ball {
    cm_vec3 center;
    cm_real radius;
} ball;
static int judge_ball(const void *context, const cm_aabb *box) {
    const ball *q = context;
    double d = model_distance(q->center, box), r = (double)q->radius;
    if (fabs(d - r) <= 1e-12 * r) return -1;
    return d <= r;
}

typedef struct planes {
    cm_vec3 normals[6];
    cm_real d[6];
    int count;
} planes;
static double side(double n, double lo, double hi) { return n == 0 ? 0 : n > 0 ? n * lo : n * hi; }
static int judge_planes(const void *context, const cm_aabb *box) {
    const planes *q = context;
    int answer = 1;
    for (int i = 0; i < q->count; ++i) {
        double x = side((double)q->normals[i].x, (double)box->min.x, (double)box->max.x);
        double y = side((double)q->normals[i].y, (double)box->min.y, (double)box->max.y);
        double z = side((double)q->normals[i].z, (double)box->min.z, (double)box->max.z), d = (double)q->d[i];
        double sum = x + y + z + d;
        if (fabs(sum) <= 1e-12 * (fabs(x) + fabs(y) + fabs(z) + fabs(d))) return -1;
        if (sum > 0) answer = 0;
    }
    return answer;
}

static void check_found(const model *m, finds *f, uint32_t mask, judge fn, const void *context, const char *what) {
    qsort(f->ids, f->count, sizeof *f->ids, compare_ids);
    for (uint32_t i = 1; i < f->count; ++i) check_that(f->ids[i] != f->ids[i - 1], "%s: %x twice", what, f->ids[i]);
    uint32_t seen = 0;
    for (int i = 0; i < PROGRAM_MOST; ++i) {
        const model_object *o = &m->objects[i];
        if (!o->live) continue;
        bool found = bsearch(&o->id, f->ids, f->count, sizeof *f->ids, compare_ids) != NULL;
        seen += found;
        int expected = o->layer & mask ? fn(context, &o->box) : 0;
        check_that(expected < 0 || expected == found, "%s, %s: object %x found %d", what,
                   fn == judge_box    ? "box"
                   : fn == judge_ball ? "sphere"
                                      : "planes",
                   (unsigned)o->id, found);
    }
    check_that(seen == f->count, "%s: %u objects that do not exist", what, f->count - seen);
}

static cm_real hit_note(void *context, uint32_t id, cm_real t) {
    finds *f = context;
    assert_true(f->count < PROGRAM_MOST);
    f->at[f->count] = (double)t;
    f->ids[f->count++] = id;
    return f->count == f->stop_at ? -1 : CM_REAL_MAX;
}

static void to_long(cm_vec3 p, long double out[3]) {
    out[0] = (long double)p.x, out[1] = (long double)p.y, out[2] = (long double)p.z;
}

/* Entry and exit of a moving box, in long double. */
static bool model_sweep(const cm_aabb *q, cm_vec3 move, const cm_aabb *box, long double *enter, long double *leave) {
    long double q_lo[3], q_hi[3], lo[3], hi[3], v[3];
    to_long(q->min, q_lo), to_long(q->max, q_hi), to_long(box->min, lo), to_long(box->max, hi), to_long(move, v);
    *enter = 0, *leave = 1e300L;
    for (int a = 0; a < 3; ++a) {
        if (v[a] == 0) {
            if (lo[a] > q_hi[a] || hi[a] < q_lo[a]) return false;
            continue;
        }
        long double s = (lo[a] - q_hi[a]) / v[a], t = (hi[a] - q_lo[a]) / v[a];
        *enter = fmaxl(*enter, s < t ? s : t);
        *leave = fminl(*leave, s < t ? t : s);
    }
    return true;
}

static void check_sweep(const model *m, const cm_broad *b, const cm_aabb *box, cm_vec3 move, cm_real limit,
                        uint32_t mask, bool ray, const char *what) {
    finds f = {.count = 0};
    uint32_t calls = ray ? cm_broad_raycast(b, box->min, move, limit, mask, hit_note, &f)
                         : cm_broad_sweep(b, box, move, limit, mask, hit_note, &f);
    assert_int_equal(calls, f.count);
    finds sorted = f;
    qsort(sorted.ids, sorted.count, sizeof *sorted.ids, compare_ids);
    uint32_t seen = 0;
    for (int i = 0; i < PROGRAM_MOST; ++i) {
        const model_object *o = &m->objects[i];
        if (!o->live) continue;
        long double enter, leave;
        bool met = model_sweep(box, move, &o->box, &enter, &leave) && (o->layer & mask);
        bool found = bsearch(&o->id, sorted.ids, sorted.count, sizeof *sorted.ids, compare_ids) != NULL;
        seen += found;
        long double slack = 1e-14L * (fabsl(enter) + fabsl(leave < 1e30L ? leave : 0));
        bool must = met && enter <= leave && enter <= (long double)limit;
        bool may = met && enter <= leave + slack && enter <= (long double)limit + slack;
        check_that(!must || found, "%s: ray misses %x at %Lg", what, (unsigned)o->id, enter);
        check_that(!found || may, "%s: ray finds %x, %Lg > %Lg", what, (unsigned)o->id, enter, leave);
        for (uint32_t k = 0; k < f.count; ++k) {
            if (f.ids[k] != o->id) continue;
            check_that(fabsl((long double)f.at[k] - enter) <= 2 * (long double)CM_REAL_EPSILON * enter + slack,
                       "%s: t %.17g, expected %.17Lg", what, f.at[k], enter);
        }
    }
    check_that(seen == f.count, "%s: ray finds %u, %u of them live", what, f.count, seen);
    for (uint32_t k = 1; k < f.count; ++k) {
        check_that(f.at[k - 1] <= f.at[k], "%s: hit %u at %g after %g", what, k, f.at[k], f.at[k - 1]);
    }
    if (f.count > 2) { /* an early end */
        finds g = {.count = 0, .stop_at = 1 + f.count / 2};
        if (ray)
            cm_broad_raycast(b, box->min, move, limit, mask, hit_note, &g);
        else
            cm_broad_sweep(b, box, move, limit, mask, hit_note, &g);
        assert_int_equal(g.count, g.stop_at);
        assert_memory_equal(f.ids, g.ids, g.count * sizeof *g.ids);
    }
}

static void check_nearest(const model *m, const cm_broad *b, cm_vec3 p, cm_real most, uint32_t mask, uint32_t k,
                          const char *what) {
    uint32_t ids[PROGRAM_MOST];
    cm_real distances[PROGRAM_MOST];
    uint32_t n = cm_broad_nearest(b, p, most, mask, k, ids, distances);
    assert_true(n <= k);
    uint32_t nearer = 0;
    double last = n ? (double)distances[n - 1] : 0, within = most < 0 ? 1e300 : (double)most;
    uint32_t candidates = 0;
    for (int i = 0; i < PROGRAM_MOST; ++i) {
        const model_object *o = &m->objects[i];
        if (!o->live || !(o->layer & mask)) continue;
        double d = model_distance(p, &o->box);
        if (d <= within * (1 - 1e-12)) ++candidates;
        bool found = false;
        for (uint32_t j = 0; j < n; ++j) {
            if (ids[j] != o->id) continue;
            found = true;
            check_that(fabs((double)distances[j] - d) <= 2 * (double)CM_REAL_EPSILON * d,
                       "%s: distance %g, expected %g", what, (double)distances[j], d);
        }
        if (n == k && d < last * (1 - 1e-6)) {
            ++nearer;
            check_that(found, "%s: %x at %g is nearer than the last at %g", what, (unsigned)o->id, d, last);
        }
    }
    check_that(n == k || n >= candidates, "%s: %u of %u within %g", what, n, candidates, within);
    for (uint32_t j = 1; j < n; ++j) check_that(distances[j - 1] <= distances[j], "%s: order", what);
}

void check_queries(const model *m, const cm_broad *b, rng *r, scene s, const char *what) {
    cm_aabb box = scene_box(r, s);
    uint32_t mask = rng_below(r, 3) ? UINT32_MAX : rng_below(r, 8);
    uint32_t given = mask;
    if (mask == 0) mask = UINT32_MAX; /* 0 means all */
    finds f = {.count = 0};
    uint32_t calls = cm_broad_query_box(b, &box, given, find_note, &f);
    assert_int_equal(calls, f.count);
    check_found(m, &f, mask, judge_box, &box, what);

    cm_vec3 p = scene_box(r, s).min;
    if (!cm_vec3_is_valid(p)) p = cm_v(0, 0, 0);
    cm_aabb point = {p, p};
    f.count = 0;
    cm_broad_query_point(b, p, given, find_note, &f);
    check_found(m, &f, mask, judge_box, &point, what);

    cm_aabb size = scene_box(r, s);
    ball q = {p, cm_abs(size.max.y - size.min.y)};
    if (q.radius <= CM_COORD_MAX) {
        f.count = 0;
        cm_broad_query_sphere(b, q.center, q.radius, given, find_note, &f);
        check_found(m, &f, mask, judge_ball, &q, what);
    }

    planes h = {.count = 1 + (int)rng_below(r, 6)};
    for (int i = 0; i < h.count; ++i) {
        h.normals[i] = rng_direction(r);
        if (rng_below(r, 4) == 0) h.normals[i].y = h.normals[i].z = 0;
        h.d[i] = -cm_dot(h.normals[i], p);
    }
    f.count = 0;
    if (h.count == 1)
        cm_broad_query_halfspace(b, h.normals[0], h.d[0], given, find_note, &f);
    else
        cm_broad_query_frustum(b, h.normals, h.d, h.count, given, find_note, &f);
    check_found(m, &f, mask, judge_planes, &h, what);

    cm_vec3 target = scene_box(r, s).max;
    if (!cm_vec3_is_valid(target)) target = cm_v(1, 2, 3);
    cm_vec3 move = cm_sub(target, p);
    if (rng_below(r, 4) == 0) move.x = 0;
    if (rng_below(r, 4) == 0) move.z = 0;
    cm_real limit = rng_below(r, 3) == 0 ? CM_REAL_MAX : (cm_real)rng_range(r, 0, 3);
    check_sweep(m, b, &point, move, limit, mask, true, what);
    cm_aabb shape = scene_box(r, s);
    if (cm_vec3_is_valid(shape.min) && cm_vec3_is_valid(shape.max)) {
        check_sweep(m, b, &shape, move, limit, mask, false, what);
    }
    check_nearest(m, b, p, -1, mask, 1 + rng_below(r, 20), what);
    check_nearest(m, b, p, cm_abs(move.y), mask, PROGRAM_MOST, what);
}

/* --- the program --------------------------------------------------------------------------------------------- */

static model_object *any_live(model *m, rng *r) {
    for (int tries = 0; tries < 200; ++tries) {
        model_object *o = &m->objects[rng_below(r, PROGRAM_MOST)];
        if (o->live) return o;
    }
    return NULL;
}

static void step_add(model *m, cm_broad *b, rng *r, scene s) {
    for (int i = 0; i < PROGRAM_MOST; ++i) {
        model_object *o = &m->objects[i];
        if (o->live) continue;
        cm_broad_object_desc desc = {.box = scene_box(r, s), .fixed = rng_below(r, 4) == 0, .user = (uint64_t)i};
        if (rng_below(r, 3) == 0) desc.layer = 1u + rng_below(r, 7), desc.mask = 1u + rng_below(r, 7);
        assert_int_equal(cm_broad_add(b, &desc, &o->id), CM_OK);
        o->live = true;
        o->fixed = desc.fixed;
        o->layer = desc.layer ? desc.layer : 1;
        o->mask = desc.mask ? desc.mask : UINT32_MAX;
        o->box = desc.box;
        return;
    }
}

static void step_move(model_object *o, cm_broad *b, rng *r, scene s, bool teleport) {
    cm_aabb box = scene_box(r, s);
    if (!teleport && cm_vec3_is_valid(o->box.min) && cm_vec3_is_valid(o->box.max)) {
        cm_vec3 size = cm_sub(o->box.max, o->box.min);
        cm_vec3 by = cm_scale(size, (cm_real)rng_range(r, -0.3, 0.3));
        box.min = cm_add(o->box.min, by);
        box.max = cm_vec3_max(box.min, cm_add(o->box.max, by));
        if (rng_below(r, 4) == 0) box.max = cm_mul_add(box.max, (cm_real)rng_range(r, 0, 0.3), size); /* grow */
    }
    assert_int_equal(cm_broad_move(b, o->id, &box), CM_OK);
    o->box = box;
}

static void step(model *m, cm_broad *b, rng *r, scene s) {
    model_object *o = any_live(m, r);
    switch (rng_below(r, 12)) {
    case 0:
    case 1:
    case 2:
        step_add(m, b, r, s);
        break;
    case 3:
        if (o) {
            assert_int_equal(cm_broad_remove(b, o->id), CM_OK);
            assert_int_equal(cm_broad_remove(b, o->id), CM_STALE_ID);
            o->live = false;
        }
        break;
    case 4:
        if (o) step_move(o, b, r, s, true);
        break;
    case 5:
        if (o) {
            o->layer = rng_below(r, 8), o->mask = rng_below(r, 3) ? UINT32_MAX : rng_below(r, 8);
            assert_int_equal(cm_broad_set_filter(b, o->id, o->layer, o->mask), CM_OK);
        }
        break;
    case 6:
        if (o) {
            o->fixed = !o->fixed;
            assert_int_equal(cm_broad_set_fixed(b, o->id, o->fixed), CM_OK);
        }
        break;
    default:
        if (o) step_move(o, b, r, s, false);
        break;
    }
}

static void run_program(int number, scene s, bool changes, uint64_t seed) {
    char what[120];
    snprintf(what, sizeof what, "%s, %s, seed %llu", broads_name(number), scene_name(s), (unsigned long long)seed);
    rng r = {seed * 7919 + (uint64_t)s};
    model *m = calloc(1, sizeof *m);
    cm_broad_desc desc = broads_desc(number);
    desc.changes = changes, desc.plane = (int)(seed % 4);
    static const double loose[] = {0, 1.1, 1.5, 3, 8};
    desc.split = (uint32_t)(seed % 3 ? seed % 7 : 0), desc.levels = (uint32_t)(seed % 5 ? 0 : 1 + seed % 6);
    desc.loose = (cm_real)loose[(seed / 2) % 5];
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    for (int frame = 0; frame < 40; ++frame) {
        int steps = frame == 0 ? 120 : frame % 10 == 9 ? 150 : (int)rng_below(&r, 30);
        for (int i = 0; i < steps; ++i) {
            if (frame == 0)
                step_add(m, b, &r, s);
            else
                step(m, b, &r, s);
        }
        if (frame == 20) { /* everybody leaves at once */
            for (int i = 0; i < PROGRAM_MOST; ++i) {
                if (m->objects[i].live) assert_int_equal(cm_broad_remove(b, m->objects[i].id), CM_OK);
                m->objects[i].live = false;
            }
        }
        if (frame == 30) { /* everybody somewhere else */
            for (int i = 0; i < PROGRAM_MOST; ++i) {
                if (m->objects[i].live) step_move(&m->objects[i], b, &r, s, true);
            }
        }
        if (frame % 4 == 1) check_queries(m, b, &r, s, what); /* before the update */
        memcpy(m->before, m->now, sizeof m->now);
        m->before_count = m->now_count;
        model_find_pairs(m);
        assert_int_equal(cm_broad_update(b), CM_OK);
        if (changes) check_changes(m, b, what);
        check_pairs(m, b, what);
        for (int i = 0; i < 3; ++i) check_queries(m, b, &r, s, what);
    }
    cm_broad_destroy(b);
    free(m);
}

static void run_kind(int number) {
    for (int s = 0; s < SCENE_COUNT; ++s) {
        const int runs = few_samples(4, 100), first = runs < 4 ? 1 + (s + number) % 4 : 1;
        for (int seed = first; seed < first + runs; ++seed)
            run_program(number, (scene)s, seed % 2 == 1, (uint64_t)seed);
    }
}

#define KIND_TEST(name, text)                                                                                          \
    static void program_on_##name(void **state) {                                                                      \
        (void)state;                                                                                                   \
        run_kind(CM_BROAD_##name);                                                                                     \
    }
CM_BROAD_LIST(KIND_TEST)

static void program_on_clipped_octree(void **state) {
    (void)state;
    run_kind(BROADS_CLIPPED_OCTREE);
}
static void program_on_clipped_quadtree(void **state) {
    (void)state;
    run_kind(BROADS_CLIPPED_QUADTREE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define KIND_ROW(name, text) cmocka_unit_test(program_on_##name),
        CM_BROAD_LIST(KIND_ROW) cmocka_unit_test(program_on_clipped_octree),
        cmocka_unit_test(program_on_clipped_quadtree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
