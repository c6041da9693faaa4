/* Every kind of specimen against every kind, every query, judged by convex pieces in long double that share no code
 * with the library (support/specimen.h): overlap, distance, contact, sweep, ray; apart, touching, deep, swapped, at
 * scales from 1e-4 to 1e6. CAROM_PAIR="box and mesh, solid" runs that pair alone. With CAROM_TABLE=file it writes what
 * was checked, the largest deviations seen and what a query costs, one line a pair, for tools/matrix. */
#include "support/specimen.h"

#include "pair/pair.h"

#include <math.h>
#include <time.h>

/* Largest deviations, in units of the coordinates that meet. Float poses are rounded to 6e-8 of the coordinates. */
#define IS_FLOAT    (sizeof(cm_real) == 4)
#define BOUND       (IS_FLOAT ? 4e-6L : 1e-9L) /* proofs, points, gaps */
#define ROUND_DEPTH 3e-2L                      /* depth */
#define ROUND_POINT 1e-2L                      /* their witness points: what is flat is known by its height only */
#define SEARCH      1e-2L                      /* by how much a search for their best axis may fall short */
#define CONTACT     1e-3L                      /* points of faces that are square to the normal within 1.4e-3 */

typedef struct tally {
    long poses, overlapping, sweeps, hits, rays, ray_hits;
    long double proof, point, depth, contact, gap, swap, ray;
    double cost[5]; /* nanoseconds altogether: overlap, distance, contact, sweep, ray */
} tally;

static bool costs_wanted;
static double now(void) {
    struct timespec t;
    if (!costs_wanted) return 0;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* By which file a pair is answered. */
static const char *way_of(const cm_shape *a, const cm_shape *b) {
    if (b->kind < a->kind) return way_of(b, a);
    const cm__pair *way = cm__pair_of(a, b);
#define WAY_NAME(A, B, name)                                                                                           \
    if (way == &cm__pair_##name) return #name;
    CM__PAIR_LIST(WAY_NAME)
#undef WAY_NAME
    if (way == &cm__pair_polytopes) return "polytope";
    if (way == &cm__pair_convex_halfspace || way == &cm__pair_core_halfspace) return "support point";
    if (way == &cm__pair_convex) return "convex";
    return "composite";
}

static void raise_to(long double *worst, long double x) {
    if (!(x <= *worst)) *worst = x;
}

/* Two specimens at poses, and what the library said. */
typedef struct scene {
    specimen a, b;
    long double scale; /* of the coordinates that meet */
    long number;
    bool composite, curved, ground;
} scene;

static const char *pair_name(specimen_kind a, specimen_kind b) {
    static char name[80];
    snprintf(name, sizeof name, "%s and %s", specimen_names[a], specimen_names[b]);
    return name;
}
static const char *name_of(const scene *s) {
    static char name[160];
    snprintf(name, sizeof name, "%s, number %ld (scale %Lg)", pair_name(s->a.kind, s->b.kind), s->number, s->scale);
    return name;
}

static void scene_random(scene *s, specimen_kind ka, specimen_kind kb, long number, rng *r) {
    double size = rng_log_range(r, 1e-4, 1e6), other = rng_below(r, 4) ? size : size * rng_log_range(r, 1e-2, 1e2);
    double largest = size > other ? size : other;
    specimen_random(&s->a, ka, size, r);
    specimen_random(&s->b, kb, other, r);
    cm_pose pa = cm_pose_identity(), pb = pa;
    if (rng_below(r, 4)) pa.rotation = rng_rotation(r), pb.rotation = rng_rotation(r); /* else parallel */
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
    s->scale = 4 * (long double)largest;
    s->number = number;
    s->composite = specimen_is_composite(&s->a) || specimen_is_composite(&s->b);
    s->curved = specimen_is_curved(&s->a) || specimen_is_curved(&s->b);
    s->ground = ka == SPECIMEN_HALFSPACE || kb == SPECIMEN_HALFSPACE;
}
static void scene_free(scene *s) {
    specimen_free(&s->a);
    specimen_free(&s->b);
}

/* Distance and overlap agree with each other and with what the pieces prove. */
static cm_real judge_distance(const scene *s, tally *t, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    cm_witness w, v;
    memset(&w, 0, sizeof w);
    double start = now();
    cm_real d = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &w);
    double middle = now();
    bool overlap = cm_overlap(&a->shape, &a->pose, &b->shape, &b->pose);
    t->cost[0] += now() - middle, t->cost[1] += middle - start;
    cm_real e = cm_distance(&b->shape, &b->pose, &a->shape, &a->pose, CM_REAL_MAX, &v);
    check_that(d < CM_REAL_MAX, "%s: no distance", name_of(s));
    check_that(overlap == (d <= 0), "%s: overlap %d, distance %g", name_of(s), overlap, (double)d);
    if (a->shape.kind != b->shape.kind)
        check_that(overlap == cm_overlap(&b->shape, &b->pose, &a->shape, &a->pose), "%s: overlap swapped", name_of(s));
    raise_to(&t->swap, fabsl((long double)d - (long double)e) / s->scale);
    if (a->kind != b->kind && a->shape.kind != b->shape.kind)
        check_that(d == e && w.normal.x == -v.normal.x, "%s: swapped %g and %g", name_of(s), (double)d, (double)e);
    wide3 n = w3_of_vec3(w.normal), on_a = w3_of_vec3(w.point_a), on_b = w3_of_vec3(w.point_b);
    raise_to(&t->point, fabsl(w3_length(n) - 1));
    n = w3_unit(n);
    /* of two composites that touch, reach or pierce may be the answer, which have tests of their own: here the decision
     */
    bool within = d <= 0 && (a->has_within || b->has_within),
         meshes = specimen_is_composite(a) && specimen_is_composite(b);
    if (meshes && d <= 0) {
        check_that(specimen_gap(a, b, n, 0, 4, r) <= BOUND * s->scale, "%s: overlap, but apart", name_of(s));
        t->poses++, t->overlapping++;
        return d;
    }
    raise_to(&t->point, w3_length(w3_sub(w3_sub(on_b, on_a), w3_scale(n, (long double)d))) / s->scale);
    raise_to(&t->point, specimen_part_outside(a, w.part_a, on_a) / s->scale);
    raise_to(&t->point, specimen_part_outside(b, w.part_b, on_b) / s->scale);
    if (!within) {
        /* the direction of a short gap between cores is known no better than its ends, which are rounded in double */
        long double core = (long double)d + (long double)a->shape.radius + (long double)b->shape.radius;
        long double eps = s->composite ? (long double)CM_REAL_EPSILON : (long double)DBL_EPSILON; /* posed in cm_real */
        long double known = core > 0 ? 16 * eps * s->scale * s->scale / core : 0;
        long double off = fabsl(specimen_separation(a, w.part_a, b, w.part_b, n) - (long double)d);
        raise_to(&t->proof, fmaxl(off - known, 0) / s->scale);
    }
    /* No pair of parts is nearer, none deeper: for two convex specimens apart the normal has proven it. */
    if (s->composite || d <= 0) {
        long double slack = BOUND * s->scale, least = specimen_gap(a, b, n, (long double)d + slack, 4, r);
        if (d > 0 || !within) {
            /* Nearer or deeper than was said? Of curved parts the search may end short of the truth. */
            long double short_of = ((long double)d - least) / s->scale - (s->curved ? SEARCH : 0);
            if (d > 0 || !s->curved) raise_to(d > 0 ? &t->proof : &t->depth, short_of);
            if (d <= 0) raise_to(&t->depth, (least - (long double)d) / s->scale);
        } else {
            check_that(least <= slack, "%s: within, but %Lg apart", name_of(s), least);
            raise_to(&t->depth, (least - (long double)d) / s->scale);
        }
    }
    t->poses++;
    t->overlapping += overlap;
    return d;
}

static void judge_contact(const scene *s, cm_real d, tally *t) {
    const specimen *a = &s->a, *b = &s->b;
    enum { ROOM = SPECIMEN_PIECES * SPECIMEN_PIECES };
    static cm_manifold m[ROOM];
    const cm_real margin = d > 0 ? d * CM_REAL(1.5) + CM_REAL(4 * (long double)CM_REAL_EPSILON * s->scale) : 0;
    for (int pass = 0; pass < 2; pass++) { /* at rest, then with a margin that reaches */
        double start = now();
        int count = cm_contact(&a->shape, &a->pose, &b->shape, &b->pose, pass ? margin : 0, m, ROOM);
        t->cost[2] += (now() - start) / 2;
        bool expected = pass || d <= 0;
        bool hidden = d <= 0 && (a->has_within || b->has_within); /* wholly within a solid mesh: no triangle is near */
        check_that((count > 0) == expected || (hidden && count == 0), "%s: %d manifolds at distance %g, margin %g",
                   name_of(s), count, (double)d, pass ? (double)margin : 0);
        check_that(count <= ROOM, "%s: %d manifolds", name_of(s), count);
        long double deepest = -HUGE_VALL;
        for (int i = 0; i < count; i++) {
            wide3 n = w3_of_vec3(m[i].normal);
            check_that(m[i].count >= 1 && m[i].count <= 8, "%s: %d points", name_of(s), m[i].count);
            raise_to(&t->contact, fabsl(w3_length(n) - 1));
            for (int k = 0; k < m[i].count; k++) {
                const cm_contact_point *p = &m[i].points[k];
                wide3 on_a = w3_of_vec3(p->point_a), on_b = w3_of_vec3(p->point_b);
                long double depth = (long double)p->depth;
                raise_to(&t->contact, w3_length(w3_sub(w3_sub(on_a, on_b), w3_scale(n, depth))) / s->scale);
                long double off_a = specimen_part_outside(a, m[i].part_a, on_a);
                long double off_b = specimen_part_outside(b, m[i].part_b, on_b);
                /* along a normal that was turned at an internal edge, the mesh's point may lie off its triangle */
                raise_to(&t->contact, (s->composite ? fminl(off_a, off_b) : fmaxl(off_a, off_b)) / s->scale);
                deepest = fmaxl(deepest, depth);
            }
        }
        if (count > 0 && !s->composite) raise_to(&t->contact, fabsl(deepest + (long double)d) / s->scale);
    }
}

static void pose_at(const cm_pose *start, cm_vec3 move, cm_real u, cm_pose *out) {
    *out = *start;
    out->position = cm_mul_add(start->position, u, move);
}

/* Straight motion of B: nothing touches before `first`, and at `first` the gap is nearly closed. */
static void judge_sweep(const scene *s, cm_real d, tally *t, rng *r) {
    const specimen *a = &s->a, *b = &s->b;
    cm_motion stay, go;
    memset(&stay, 0, sizeof stay);
    memset(&go, 0, sizeof go);
    stay.start = a->pose, go.start = b->pose;
    cm_vec3 toward = cm_sub(a->pose.position, b->pose.position);
    go.move = cm_add(cm_scale(toward, CM_REAL(rng_range(r, -1, 3))), rng_vec3(r, (double)s->scale / 8));
    cm_sweep_hit hit;
    memset(&hit, 0, sizeof hit);
    double start = now();
    bool met = cm_sweep(&a->shape, &stay, &b->shape, &go, &hit);
    t->cost[3] += now() - start;
    long double travel = (long double)cm_length(go.move), scale = s->scale + travel, slack = BOUND * scale;
    check_that(met || (long double)d > -slack, "%s: overlapping at the start, but never met", name_of(s));
    cm_real until = met ? hit.first : 1;
    if (met) {
        check_that(hit.first >= 0 && hit.first <= hit.last && hit.last <= 1, "%s: first %g last %g", name_of(s),
                   (double)hit.first, (double)hit.last);
        check_that(d > (cm_real)(2 * slack) ? hit.first > 0 && hit.start == CM_SWEEP_SEPARATED : true,
                   "%s: apart by %g, but first %g", name_of(s), (double)d, (double)hit.first);
        cm_pose at;
        pose_at(&b->pose, go.move, hit.first, &at);
        cm_real left = cm_distance(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, NULL);
        /* what touches at the start, up to the bound, may sink in where it slides before it is blocked */
        if (hit.first > 0 && hit.start == CM_SWEEP_SEPARATED && (long double)d > slack)
            raise_to(&t->gap, fabsl((long double)left) / scale);
        raise_to(&t->contact, fabsl(w3_length(w3_of_vec3(hit.normal)) - 1));
    }
    for (int i = 0; i < 8; i++) { /* half of the looks close before the contact */
        cm_real u = until * CM_REAL(i & 1 ? 1 - rng_log_range(r, 1e-4, 1) : rng_unit(r));
        cm_pose at;
        pose_at(&b->pose, go.move, u, &at);
        cm_real gap = cm_distance(&a->shape, &a->pose, &b->shape, &at, CM_REAL_MAX, NULL);
        /* nearer than that, rounding decides on which side of a surface a point starts */
        check_that((long double)d <= slack || (long double)gap > -slack, "%s: %g deep at %g, first %g, met %d",
                   name_of(s), -(double)gap, (double)u, (double)until, met);
    }
    t->sweeps++;
    t->hits += met;
}

/* A ray at A: the point lies on it, and no point before lies within. */
static void judge_ray(const scene *s, tally *t, rng *r) {
    const specimen *a = &s->a;
    cm_ray ray;
    ray.origin = cm_add(a->pose.position, rng_vec3(r, (double)s->scale / 4));
    ray.direction = cm_sub(cm_add(a->pose.position, rng_vec3(r, (double)s->scale / 32)), ray.origin);
    ray.max = CM_REAL(rng_range(r, 0.5, 4));
    if (!cm_ray_is_valid(&ray)) return;
    cm_ray_hit hit;
    double start = now();
    bool met = cm_raycast(&ray, &a->shape, &a->pose, &hit);
    t->cost[4] += now() - start;
    long double length = (long double)cm_length(ray.direction), scale = s->scale + length * (long double)ray.max;
    wide3 from = w3_of_vec3(ray.origin), along = w3_of_vec3(ray.direction);
    cm_real until = met ? hit.t : ray.max;
    if (met) {
        check_that(hit.t >= 0 && hit.t <= hit.exit && hit.exit <= ray.max, "%s: ray t %g exit %g", name_of(s),
                   (double)hit.t, (double)hit.exit);
        wide3 p = w3_add(from, w3_scale(along, (long double)hit.t));
        long double out = specimen_outside(a, p);
        raise_to(&t->ray, (hit.t > 0 ? fabsl(out) : fmaxl(out, 0)) / scale);
        raise_to(&t->ray, w3_length(w3_sub(p, w3_of_vec3(hit.point))) / scale);
        raise_to(&t->ray, fabsl(w3_length(w3_of_vec3(hit.normal)) - 1));
    }
    bool surface = a->kind == SPECIMEN_SOLID_MESH; /* met at its surface, from within too */
    if (met && hit.inside)
        check_that((hit.t == 0 || surface) && specimen_outside(a, from) <= BOUND * scale, "%s: not inside", name_of(s));
    for (int i = 0; i < 8 && !surface && !(met && hit.inside); i++) {
        long double u = (long double)until * (long double)rng_unit(r);
        long double out = specimen_outside(a, w3_add(from, w3_scale(along, u)));
        check_that(out > -BOUND * scale, "%s: the ray is %Lg deep at %Lg, until %g, met %d", name_of(s), -out, u,
                   (double)until, met);
    }
    t->rays++;
    t->ray_hits += met;
}

/* Says what is beyond its bound. */
static int beyond(const char *what, long double value, long double bound, const scene *s) {
    if (value <= bound) return 0;
    print_error("%s: %s off by %Lg\n", name_of(s), what, value);
    return 1;
}

static int count_violations(const scene *s, const tally *t) {
    long double depth = s->curved ? ROUND_DEPTH : BOUND, point = s->curved ? ROUND_POINT : BOUND;
    return beyond("proof", t->proof, BOUND, s) + beyond("points", t->point, point, s) +
           beyond("depth", t->depth, depth, s) + beyond("contacts", t->contact, s->curved ? ROUND_POINT : CONTACT, s) +
           beyond("gap at the first contact", t->gap, BOUND, s) + beyond("ray", t->ray, BOUND, s);
}

static void write_row(FILE *table, specimen_kind ka, specimen_kind kb, const tally *t) {
    rng r = {1};
    specimen a, b;
    specimen_random(&a, ka, 1, &r);
    specimen_random(&b, kb, 1, &r);
    fprintf(table, "%s\t%s\t%s\t%ld\t%ld\t%.1Le\t%.1Le\t%.1Le\t%.1Le\t%.1Le", specimen_names[ka], specimen_names[kb],
            way_of(&a.shape, &b.shape), t->poses, t->overlapping, fmaxl(t->proof, 0), fmaxl(t->depth, 0), t->contact,
            t->gap, t->ray);
    for (int i = 0; i < 5; i++) fprintf(table, "\t%.0f", t->cost[i] / (double)t->poses);
    fprintf(table, "\n");
    specimen_free(&a);
    specimen_free(&b);
}

static void no_pair_has_a_hole(void **state) {
    (void)state;
    const char *path = getenv("CAROM_TABLE");
    FILE *table = path ? fopen(path, "w") : NULL;
    if (path && !table) fail_msg("cannot write %s", path);
    const char *only = getenv("CAROM_PAIR");
    costs_wanted = table != NULL;
    rng seeds = rng_start("matrix", 7);
    int each = samples(table ? 400 : 220, 2000); /* deep: times the parts of test/CMakeLists.txt */
    int bad = 0;
    tally sum;
    memset(&sum, 0, sizeof sum);
    for (int ka = 0; ka < SPECIMEN_KINDS; ka++) {
        for (int kb = ka; kb < SPECIMEN_KINDS; kb++) {
            if (ka == SPECIMEN_HALFSPACE && kb == SPECIMEN_HALFSPACE)
                continue; /* crossing: no distance; see pair/plane.c */
            rng r = {rng_bits(&seeds)};
            if (only && strcmp(only, pair_name((specimen_kind)ka, (specimen_kind)kb)) != 0) continue;
            tally t;
            memset(&t, 0, sizeof t);
            int violations = 0;
            for (int i = 0; i < each; i++) {
                scene s;
                scene_random(&s, (specimen_kind)ka, (specimen_kind)kb, i, &r);
                cm_real d = judge_distance(&s, &t, &r);
                judge_contact(&s, d, &t);
                judge_sweep(&s, d, &t, &r);
                judge_ray(&s, &t, &r);
                if (violations == 0) bad += violations = count_violations(&s, &t);
                scene_free(&s);
            }
            if (table) write_row(table, (specimen_kind)ka, (specimen_kind)kb, &t);
            sum.poses += t.poses, sum.overlapping += t.overlapping, sum.hits += t.hits, sum.ray_hits += t.ray_hits;
        }
    }
    print_message("  %ld poses, %ld overlapping, %ld swept into contact, %ld met by a ray, %d beyond a bound\n",
                  sum.poses, sum.overlapping, sum.hits, sum.ray_hits, bad);
    if (table) fclose(table);
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pair_has_a_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
