/* Features whose corners move straight, judged in rational arithmetic: free before u, no contact missed, and at a hit
 * no farther apart than d + tau. */
#include "oracle/rational.h"
#include "support/support.h"

#include <jansson.h>
#include <math.h>

typedef struct query {
    int count_a, count_b;
    cm_path path[4]; /* A's corners, then B's */
} query;

static cm_path_verdict ask(const query *q, cm_real d, cm_real tolerance, cm_path_hit *out) {
    const cm_path *a = q->path, *b = q->path + q->count_a;
    if (q->count_a == 2) return cm_sweep_edge_edge(a, b, d, tolerance, out);
    if (q->count_b == 3) return cm_sweep_point_triangle(a, b, d, tolerance, out);
    if (q->count_b == 2) return cm_sweep_point_edge(a, b, d, tolerance, out);
    return cm_sweep_point_point(a, b, d, tolerance, out);
}

static void put(double out[3], cm_vec3 v) { out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z; }
static void paths_of(const query *q, oracle_paths *out) {
    out->count_a = q->count_a, out->count_b = q->count_b;
    for (int i = 0; i < q->count_a + q->count_b; i++)
        put(out->start[i], q->path[i].start), put(out->end[i], q->path[i].end);
}
static double separation_at(const oracle_paths *p, double u) {
    mpq_t square;
    mpq_init(square);
    oracle_paths_square(square, p, u);
    const double root = oracle_sqrt(square);
    mpq_clear(square);
    return root;
}

/* Of all answers that were judged, and of all contacts that are known. */
static struct {
    long judged, hits, known;
    double most; /* left at a hit, beyond d, as a share of tau */
} answered;

/* M of the header, in double. */
static double size_of(const oracle_paths *p, double d) {
    double m = d;
    for (int i = 0; i < p->count_a; i++)
        for (int j = p->count_a; j < p->count_a + p->count_b; j++)
            for (int k = 0; k < 3; k++)
                m = fmax(m, fmax(fabs(p->start[j][k] - p->start[i][k]), fabs(p->end[j][k] - p->end[i][k])));
    return m;
}

/* Checks what an answer says. `prove`: also that all before it is free, which takes a hundred times as long. */
static cm_path_verdict judge(const char *what, const query *q, cm_real d, cm_real tolerance, bool prove,
                             cm_path_hit *hit) {
    memset(hit, 0, sizeof *hit);
    const cm_path_verdict verdict = ask(q, d, tolerance, hit);
    oracle_paths p;
    paths_of(q, &p);
    const double m = size_of(&p, (double)d), r = (64 * (double)CM_REAL_EPSILON + 1024 * DBL_EPSILON) * m,
                 least = (double)d, u = verdict == CM_PATH_FREE ? 1 : (double)hit->u;
    const double start = separation_at(&p, 0), at = separation_at(&p, u);
    const double ulp = 1 + 4 * DBL_EPSILON; /* of the roots */
    answered.judged++, answered.hits += verdict == CM_PATH_HIT;
    check_that(verdict != CM_PATH_LIMIT && verdict != CM_PATH_INVALID, "%s: verdict %d, u %.17g", what, (int)verdict,
               u);
    if (verdict == CM_PATH_START) {
        check_that(u == 0 && start <= (least + r) * ulp, "%s: start %.17g, d %.17g, r %g", what, start, least, r);
        return verdict;
    }
    check_that(start > least, "%s: verdict %d from a start of %.17g", what, (int)verdict, start);
    check_that(at > least, "%s: verdict %d, separation %.17g at u = %.17g, d = %.17g", what, (int)verdict, at, u,
               least);
    if (verdict == CM_PATH_HIT) {
        const double allowed = tolerance > 0 ? (double)tolerance : 0x1p-30 * m;
        const double tau = fmin(fmax(allowed, r / 4), (start - least) / 4);
        check_that(at <= (least + tau) * ulp, "%s: %.17g apart at u = %.17g, more than %.17g + %.17g", what, at, u,
                   least, tau);
        answered.most = fmax(answered.most, (at - least) / tau);
        check_that(fabs((double)hit->distance - at) <= r, "%s: distance %.17g, truly %.17g", what,
                   (double)hit->distance, at);
    }
    if (prove) check_that(oracle_paths_free(&p, least, u), "%s: not free before u = %.17g", what, u);
    return verdict;
}

/* --- the public queries ------------------------------------------------------------------------------------------- */

static double read_rational(char **at) {
    mpq_t q;
    mpq_init(q);
    char *comma = strchr(*at, ','), *next = strchr(comma + 1, ',');
    *comma = *next = 0;
    mpz_set_str(mpq_numref(q), *at, 10);
    mpz_set_str(mpq_denref(q), comma + 1, 10);
    mpq_canonicalize(q);
    const double x = mpq_get_d(q);
    mpq_clear(q);
    *at = next + 1;
    return x;
}

/* The next query of a file; its label is -1 where there is none. */
static bool read_query(FILE *file, bool edges, query *q, int *label) {
    char line[1024];
    q->count_a = edges ? 2 : 1, q->count_b = edges ? 2 : 3;
    *label = -1;
    for (int i = 0; i < 8; i++) {
        if (!fgets(line, sizeof line - 2, file)) return false;
        line[strcspn(line, "\r\n")] = 0;
        strcat(line, ",");
        char *at = line;
        const double x = read_rational(&at), y = read_rational(&at), z = read_rational(&at);
        const cm_vec3 v = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
        if (i < 4)
            q->path[i].start = v;
        else
            q->path[i - 4].end = v;
        if (*at && *at != ',') *label = atoi(at);
    }
    return true;
}

typedef struct tally {
    int queries, positives, hits, starts, wrong;
} tally;

/* All queries of a file. In the float build they are rounded, and their labels no longer hold. */
static void judge_file(FILE *file, bool edges, const char *name, tally *t) {
    query q;
    int label;
    for (int i = 0; read_query(file, edges, &q, &label); i++) {
        char what[512];
        snprintf(what, sizeof what, "%s %d", name, i);
        for (int n = 0; n < 2; n++) {
            cm_path_hit hit;
            const cm_path_verdict verdict = judge(what, &q, 0, n == 0 ? 0 : CM_REAL(1e-6), false, &hit);
            if (sizeof(cm_real) == sizeof(double))
                check_that(label != 1 || verdict != CM_PATH_FREE, "%s: a contact was missed", what);
            if (n == 1) continue;
            t->queries++, t->positives += label == 1;
            t->hits += verdict == CM_PATH_HIT, t->starts += verdict == CM_PATH_START;
            t->wrong += label == 0 && verdict != CM_PATH_FREE;
        }
    }
}

static void recorded_queries(void **state) {
    (void)state;
    static const char *const sets[] = {"erleben-cube-cliff-edges", "erleben-spikes", "erleben-wedges", "unit-tests"};
    static const char *const kinds[] = {"vertex-face", "edge-edge"};
    tally t = {0};
    for (int i = 0; i < 18; i++) {
        char name[256];
        if (i < 16)
            snprintf(name, sizeof name, "ccd/%s/%s/data_0_%d.csv", sets[i / 4], kinds[i / 2 % 2], i % 2);
        else
            snprintf(name, sizeof name, "ccd/cloth-funnel/queries/227%s.csv", i == 16 ? "vf" : "ee");
        const char *path = data_path(name);
        if (!path) skip();
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        judge_file(file, i < 16 ? i / 2 % 2 == 1 : i == 17, name, &t);
        fclose(file);
    }
    print_message("%d queries, %d positive, %d hits, %d starts, %d not positive and not free\n", t.queries, t.positives,
                  t.hits, t.starts, t.wrong);
    check_that(t.queries == 2179, "%d queries", t.queries);
    const bool rounded = sizeof(cm_real) < sizeof(double);
    promise_seen("Recorded queries of features whose corners go straight: no labelled contact is missed", t.queries,
                 rounded ? "%d contacts, which rounding may move" : "0 of %d missed", t.positives);
}

/* u <= the exact time, for the queries that have one. Float builds round the places, which moves the time. */
static void recorded_times(void **state) {
    (void)state;
    if (sizeof(cm_real) != sizeof(double)) return;
    const char *path = data_path("ccd/exact_toi.json");
    if (!path) skip();
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error), *set;
    assert_non_null(all);
    const char *name;
    int times = 0;
    json_object_foreach(all, name, set) {
        char file_name[512];
        snprintf(file_name, sizeof file_name, "ccd/%s", name);
        FILE *file = fopen(data_path(file_name), "r");
        assert_non_null(file);
        const bool edges = strcmp(json_string_value(json_object_get(set, "kind")), "ee") == 0;
        json_t *positives = json_object_get(set, "positives"), *entry;
        query q;
        int label;
        size_t n = 0;
        for (int i = 0; n < json_array_size(positives) && read_query(file, edges, &q, &label); i++) {
            entry = json_array_get(positives, n);
            if (json_integer_value(json_array_get(entry, 0)) != i) continue;
            n++;
            cm_path_hit hit = {0};
            const cm_path_verdict verdict = ask(&q, 0, CM_REAL(1e-6), &hit);
            check_that(verdict != CM_PATH_FREE, "%s %d: a contact was missed", name, i);
            const json_t *time = json_array_get(entry, 2);
            if (!json_is_number(time)) continue;
            times++;
            check_that((double)hit.u <= json_number_value(time), "%s %d: u %.17g, truly %.17g", name, i, (double)hit.u,
                       json_number_value(time));
        }
        fclose(file);
    }
    json_decref(all);
    print_message("%d exact times\n", times);
    check_that(times > 100, "%d times", times);
}

/* --- made-up motions ---------------------------------------------------------------------------------------------- */

/* A number with few digits, so that sums and products of some of them are exact in cm_real. */
static double coarse(rng *r, double half) {
    const double steps = 64;
    return floor(rng_range(r, -half, half) * steps + 0.5) / steps;
}

static cm_vec3 coarse3(rng *r, double half) {
    const double x = coarse(r, half), y = coarse(r, half), z = coarse(r, half);
    return cm_v((cm_real)x, (cm_real)y, (cm_real)z);
}

static const int kinds_of[4][2] = {{1, 1}, {1, 2}, {1, 3}, {2, 2}};

static void random_query(rng *r, int kind, query *q) {
    q->count_a = kinds_of[kind][0], q->count_b = kinds_of[kind][1];
    const double move = rng_log_range(r, 0.01, 4);
    for (int i = 0; i < 4; i++) {
        q->path[i].start = coarse3(r, 1);
        q->path[i].end = rng_below(r, 8) == 0 ? q->path[i].start : cm_add(q->path[i].start, coarse3(r, move));
    }
    if (rng_below(r, 4) > 0) { /* toward each other, and past */
        const cm_vec3 way = cm_add(cm_sub(q->path[q->count_a].start, q->path[0].start), coarse3(r, 1));
        for (int i = 0; i < q->count_a; i++) q->path[i].end = cm_add(q->path[i].end, cm_scale(way, 2));
    }
    switch (rng_below(r, 8)) {
    case 0: /* in one plane */
        for (int i = 0; i < 4; i++) q->path[i].start.z = q->path[i].end.z = 0;
        break;
    case 1: /* two corners of B at one place */
        if (q->count_b > 1) q->path[q->count_a + 1] = q->path[q->count_a];
        break;
    case 2: /* three corners in a line, or edges that are parallel at the start */
        if (q->count_b == 3) q->path[3].start = cm_scale(cm_add(q->path[1].start, q->path[2].start), CM_REAL(0.5));
        if (q->count_a == 2) q->path[3].start = cm_add(q->path[2].start, cm_sub(q->path[1].start, q->path[0].start));
        break;
    case 3: /* as a whole, B moves without turning */
        for (int i = 1; i < q->count_b; i++)
            q->path[q->count_a + i].end =
                cm_add(q->path[q->count_a + i].start, cm_sub(q->path[q->count_a].end, q->path[q->count_a].start));
        break;
    default:
        break;
    }
}

/* Any motion: what is said holds, and is proved to be free by halving. */
static void random_motions(void **state) {
    (void)state;
    rng r = rng_start("deform sweep random", 1);
    int verdicts[5] = {0};
    for (int i = 0; i < samples(2000, 200000); i++) {
        query q;
        random_query(&r, i % 4, &q);
        const double scale = i % 3 == 0 ? 1 : rng_log_range(&r, 1e-4, 1e6);
        const cm_vec3 far = i % 5 == 0 ? cm_scale(coarse3(&r, 64), (cm_real)scale) : cm_v(0, 0, 0);
        for (int k = 0; k < 4; k++) {
            q.path[k].start = cm_add(cm_scale(q.path[k].start, (cm_real)scale), far);
            q.path[k].end = cm_add(cm_scale(q.path[k].end, (cm_real)scale), far);
        }
        const double d = i % 2 == 0 ? 0 : scale * rng_log_range(&r, 1e-6, 0.5);
        const double tolerance = i % 7 < 3 ? 0 : scale * rng_log_range(&r, 1e-9, 1);
        char what[64];
        snprintf(what, sizeof what, "sample %d", i);
        cm_path_hit hit;
        verdicts[judge(what, &q, (cm_real)d, (cm_real)tolerance, i % 8 == 0, &hit)]++;
    }
    print_message("free %d, hit %d, start %d\n", verdicts[CM_PATH_FREE], verdicts[CM_PATH_HIT],
                  verdicts[CM_PATH_START]);
    check_that(verdicts[CM_PATH_FREE] > 0 && verdicts[CM_PATH_HIT] > 0 && verdicts[CM_PATH_START] > 0,
               "one is missing");
}

/* Motions that are made to touch at a known time, exactly: none is missed, and u is no later. The corners of B at the
 * time are c_j, A's point at it is the sum of w_j c_j; ends are extrapolated by powers of two, which is exact. */
static void known_contacts(void **state) {
    (void)state;
    rng r = rng_start("deform sweep known", 2);
    for (int i = 0; i < samples(4000, 400000); i++) {
        query q;
        const int kind = i % 4;
        q.count_a = kinds_of[kind][0], q.count_b = kinds_of[kind][1];
        cm_vec3 at[4], move[4];
        for (int k = 0; k < 4; k++) at[k] = coarse3(&r, 1), move[k] = coarse3(&r, 2);
        if (i % 6 == 1)
            for (int k = 0; k < 4; k++) at[k].z = 0; /* a line of contact, or coplanar */
        if (i % 6 == 2)
            for (int k = 0; k < 4; k++) at[k].z = 0, move[k].z = 0; /* slides within a plane */
        const cm_real weights[4] = {0, CM_REAL(0.25), CM_REAL(0.5), 1};
        const cm_real s = weights[rng_below(&r, 4)], t = weights[rng_below(&r, 4)];
        if (kind == 0) at[0] = at[1];
        if (kind == 1) at[0] = cm_add(cm_scale(at[1], 1 - s), cm_scale(at[2], s));
        if (kind == 2) /* in the triangle */
            at[0] = cm_add(cm_scale(at[1], 1 - s), cm_scale(cm_add(cm_scale(at[2], 1 - t), cm_scale(at[3], t)), s));
        if (kind == 3) { /* the middle of A's edge on B's */
            const cm_vec3 on = cm_add(cm_scale(at[2], 1 - s), cm_scale(at[3], s)), half = coarse3(&r, 1);
            at[0] = cm_sub(on, half), at[1] = cm_add(on, half);
        }
        const double time = i % 5 == 0 ? 1 : 1.0 / (double)(1 << rng_below(&r, 4)); /* the end, exactly, too */
        for (int k = 0; k < q.count_a + q.count_b; k++) {
            q.path[k].start = cm_sub(at[k], cm_scale(move[k], (cm_real)time));
            q.path[k].end = cm_add(at[k], cm_scale(move[k], (cm_real)(1 - time)));
        }
        oracle_paths p;
        paths_of(&q, &p);
        mpq_t square;
        mpq_init(square);
        oracle_paths_square(square, &p, time);
        check_that(mpq_sgn(square) == 0, "sample %d: not in touch at %g: the test is wrong", i, time);
        mpq_clear(square);
        char what[64];
        snprintf(what, sizeof what, "sample %d", i);
        cm_path_hit hit;
        const cm_path_verdict verdict = judge(what, &q, 0, i % 2 == 0 ? 0 : CM_REAL(1e-4), false, &hit);
        answered.known++;
        check_that(verdict != CM_PATH_FREE && (double)hit.u <= time, "sample %d: verdict %d, u %.17g, contact at %g", i,
                   (int)verdict, (double)hit.u, time);
    }
}

/* Where nothing turns the time is known: a point above a plane triangle, falling onto it. */
static void falling_point(void **state) {
    (void)state;
    const cm_path t[3] = {{{-1, -1, 0}, {-1, -1, 0}}, {{2, -1, 0}, {2, -1, 0}}, {{-1, 2, 0}, {-1, 2, 0}}};
    const cm_path p = {{0, 0, 1}, {0, 0, -1}};
    cm_path_hit hit;
    assert_int_equal(cm_sweep_point_triangle(&p, t, CM_REAL(0.25), CM_REAL(1e-3), &hit), CM_PATH_HIT);
    check_that(hit.u <= CM_REAL(0.375) && hit.u >= CM_REAL(0.375 - 0.5e-3), "u %g", (double)hit.u);
    check_that(hit.normal.z == -1 && cm_abs(hit.weight_b[1] - CM_REAL(1) / 3) < CM_REAL(1e-6), "normal %g, weight %g",
               (double)hit.normal.z, (double)hit.weight_b[1]);
    check_that(hit.point_b.z == 0 && cm_abs(hit.point_a.z - hit.distance) < CM_REAL(1e-6), "%g above %g",
               (double)hit.point_a.z, (double)hit.point_b.z);
    /* A tolerance beyond all bounds stops it after 3/4 of the way to d. */
    assert_int_equal(cm_sweep_point_triangle(&p, t, 0, 100, &hit), CM_PATH_HIT);
    check_that(hit.u >= CM_REAL(0.375) && hit.u < CM_REAL(0.5), "u %g", (double)hit.u);
    /* Nothing moves. */
    const cm_path still = {p.start, p.start};
    assert_int_equal(cm_sweep_point_triangle(&still, t, CM_REAL(0.25), 0, &hit), CM_PATH_FREE);
    assert_int_equal(cm_sweep_point_triangle(&still, t, 1, 0, &hit), CM_PATH_START);
    check_that(hit.u == 0 && hit.distance == 1, "u %g, distance %g", (double)hit.u, (double)hit.distance);
}

/* However close the start, a step can be made: u is at least 3/4 of the gap, over the speed. */
static void close_starts(void **state) {
    (void)state;
    const cm_path edge[2] = {{{-1, 0, 0}, {-1, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}};
    for (double gap = 0.5; gap > 1e-4; gap /= 4) {
        const cm_path other[2] = {{{0, -1, (cm_real)gap}, {0, -1, -1}}, {{0, 1, (cm_real)gap}, {0, 1, -1}}};
        cm_path_hit hit;
        assert_int_equal(cm_sweep_edge_edge(edge, other, 0, CM_REAL(0.1), &hit), CM_PATH_HIT);
        const double least = 0.75 * gap / (1 + gap) * (1 - 1e-6);
        check_that((double)hit.u >= least, "gap %g: u %g < %g", gap, (double)hit.u, least);
    }
}

static void swap_corners(cm_path *a, cm_path *b) {
    const cm_path c = *a;
    *a = *b, *b = c;
}

/* The order of corners, and of two edges, changes no bit. */
static void orders(void **state) {
    (void)state;
    rng r = rng_start("deform sweep orders", 3);
    for (int i = 0; i < samples(2000, 100000); i++) {
        query q;
        random_query(&r, i % 4, &q);
        cm_path_hit hit = {0}, other = {0};
        const cm_path_verdict verdict = ask(&q, CM_REAL(0.01), 0, &hit);
        query turned = q;
        cm_path *b = turned.path + q.count_a;
        if (q.count_b == 3) swap_corners(&b[rng_below(&r, 2)], &b[2]);
        if (q.count_b == 2) swap_corners(&b[0], &b[1]);
        bool swapped = false;
        if (q.count_a == q.count_b && rng_below(&r, 2)) {
            swapped = true;
            for (int k = 0; k < q.count_a; k++) swap_corners(&turned.path[k], &turned.path[q.count_a + k]);
        }
        assert_int_equal(ask(&turned, CM_REAL(0.01), 0, &other), verdict);
        const cm_vec3 normal = swapped ? cm_neg(other.normal) : other.normal;
        check_that(hit.u == other.u && hit.distance == other.distance, "sample %d: u %.17g and %.17g", i, (double)hit.u,
                   (double)other.u);
        check_that(hit.normal.x == normal.x && hit.normal.y == normal.y && hit.normal.z == normal.z,
                   "sample %d: normals differ: %g and %g", i, (double)hit.normal.x, (double)normal.x);
    }
}

static void bad_input(void **state) {
    (void)state;
    const cm_real bad[] = {(cm_real)NAN, (cm_real)INFINITY, -(cm_real)INFINITY, CM_COORD_MAX * 2};
    rng r = rng_start("deform sweep bad", 4);
    for (int kind = 0; kind < 4; kind++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 8; k++) {
                query q;
                random_query(&r, kind, &q);
                if (k / 2 >= q.count_a + q.count_b) continue;
                cm_path *path = &q.path[k / 2];
                (k % 2 ? &path->start : &path->end)->y = bad[i];
                cm_path_hit hit = {0}, none = {0};
                assert_int_equal(ask(&q, 0, 0, &hit), CM_PATH_INVALID);
                assert_memory_equal(&hit, &none, sizeof hit);
            }
    query q;
    random_query(&r, 3, &q);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ask(&q, bad[i], 0, NULL), CM_PATH_INVALID);
        assert_int_equal(ask(&q, 0, bad[i], NULL), CM_PATH_INVALID);
    }
    assert_int_equal(ask(&q, -1, 0, NULL), CM_PATH_INVALID);
    assert_int_equal(ask(&q, 0, -1, NULL), CM_PATH_INVALID);
    assert_int_equal(cm_sweep_point_point(NULL, q.path, 0, 0, NULL), CM_PATH_INVALID);
}

/* Times a power of two nothing changes, to the ends of the range: nothing overflows, nothing is lost below. */
static void scales(void **state) {
    (void)state;
    rng r = rng_start("deform sweep scales", 5);
    const cm_real scale[2] = {CM_REAL(sizeof(cm_real) == 4 ? 0x1p45 : 0x1p328),
                              CM_REAL(sizeof(cm_real) == 4 ? 0x1p-110 : 0x1p-940)};
    for (int i = 0; i < samples(2000, 100000); i++) {
        query q;
        random_query(&r, i % 4, &q);
        const cm_real d = i % 3 ? 0 : CM_REAL(0.0625), tolerance = i % 5 ? CM_REAL(1) / 1024 : 0;
        cm_path_hit hit = {0}, other = {0};
        const cm_path_verdict verdict = ask(&q, d, tolerance, &hit);
        const cm_real times = scale[i / 4 % 2];
        for (int k = 0; k < 4; k++) {
            q.path[k].start = cm_scale(q.path[k].start, times);
            q.path[k].end = cm_scale(q.path[k].end, times);
        }
        assert_int_equal(ask(&q, d * times, tolerance * times, &other), verdict);
        /* a distance below the smallest normal number is rounded once more */
        const double off = fabs((double)hit.distance * (double)times - (double)other.distance);
        const bool same = hit.distance * times == other.distance || off <= (double)(CM_REAL_MIN * CM_REAL_EPSILON);
        check_that(hit.u == other.u && same, "sample %d: u %.17g, times %g %.17g; distance off by %g", i, (double)hit.u,
                   (double)times, (double)other.u, off);
    }
}

/* Two edges that turn while they slide over each other, nearly parallel: rod-twist, frame 3036, query 4282 of the
 * public Scalable-CCD queries (github.com/Continuous-Collision-Detection/Sample-Scalable-CCD-Data). By fixed directions
 * alone it takes more than a thousand steps. */
static void turning_edges(void **state) {
    (void)state;
    static const char *const rows[8] = {
        "1387392309473459,2251799813685248,2311910623713307,18014398509481984,4946310880817061,36028797018963968",
        "2814693428542125,4503599627370496,4117001992027819,36028797018963968,2652541298194827,18014398509481984",
        "5574963757365317,9007199254740992,4494050464358263,36028797018963968,5035843877758141,36028797018963968",
        "697735729787673,1125899906842624,8304233459230075,72057594037927936,5300159521670891,36028797018963968",
        "5549165053790925,9007199254740992,4599364231298087,36028797018963968,2500446670147105,18014398509481984",
        "351703523529653,562949953421312,2035551464207683,18014398509481984,2661155531048635,18014398509481984",
        "5572948678399913,9007199254740992,2231744591593941,18014398509481984,2540930429825351,18014398509481984",
        "5578942944513451,9007199254740992,4096558946139933,36028797018963968,5328710261409641,36028797018963968"};
    query q = {.count_a = 2, .count_b = 2};
    for (int i = 0; i < 8; i++) {
        char line[1024];
        snprintf(line, sizeof line, "%s,", rows[i]);
        char *next = line;
        const double x = read_rational(&next), y = read_rational(&next), z = read_rational(&next);
        *(i < 4 ? &q.path[i].start : &q.path[i - 4].end) = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
    }
    for (double tolerance = 1e-6; tolerance > 5e-12; tolerance /= 10) {
        cm_path_hit hit;
        judge("rod-twist", &q, 0, (cm_real)tolerance, false, &hit);
    }
}

/* A gap of little more than rounding: its direction is the features', not that of the difference of two points. */
static void smallest_gaps(void **state) {
    (void)state;
    rng r = rng_start("deform sweep smallest", 6);
    int limits = 0;
    const int count = samples(4000, 400000);
    for (int i = 0; i < count; i++) {
        query q;
        random_query(&r, 2 + i % 2, &q);
        const double d = i % 3 == 0 ? rng_log_range(&r, 1e-12, 1e-3) : 0;
        limits += ask(&q, (cm_real)d, CM_REAL_MIN, NULL) == CM_PATH_LIMIT; /* as near as rounding allows */
    }
    check_that(limits * 2000 <= count, "%d of %d ended in a limit", limits, count);
}

/* The ends of the range: nothing overflows. */
static void huge_and_tiny(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        const cm_real size = i == 0 ? CM_COORD_MAX / 2 : CM_REAL_MIN * 1024;
        const cm_path t[3] = {
            {{-size, -size, 0}, {-size, -size, 0}}, {{size, -size, 0}, {size, -size, 0}}, {{0, size, 0}, {0, size, 0}}};
        const cm_path p = {{0, 0, size}, {0, 0, -size}};
        cm_path_hit hit;
        assert_int_equal(cm_sweep_point_triangle(&p, t, 0, 0, &hit), CM_PATH_HIT);
        check_that(hit.u <= CM_REAL(0.5) && hit.u > CM_REAL(0.4999), "size %g: u %g", (double)size, (double)hit.u);
        const cm_path away = {p.start, cm_add(p.start, cm_v(0, size / 2, 0))};
        assert_int_equal(cm_sweep_point_triangle(&away, t, 0, 0, &hit), CM_PATH_FREE);
    }
}

/* Each answer was checked. */
static int answers_seen(void **state) {
    (void)state;
    promise_seen(
        "Features whose corners go straight: no contact is missed, or said late (made to touch at a known time)",
        answered.known, "0 missed");
    promise_seen("At a hit of such features they are apart by more than d, and by d + τ at most (answers)",
                 answered.judged, "%ld hits, %.2f τ left", answered.hits, answered.most);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_queries), cmocka_unit_test(recorded_times), cmocka_unit_test(random_motions),
        cmocka_unit_test(known_contacts),   cmocka_unit_test(falling_point),  cmocka_unit_test(close_starts),
        cmocka_unit_test(orders),           cmocka_unit_test(bad_input),      cmocka_unit_test(huge_and_tiny),
        cmocka_unit_test(scales),           cmocka_unit_test(turning_edges),  cmocka_unit_test(smallest_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, answers_seen);
}
