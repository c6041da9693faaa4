/* The signed distance of every pair of convex cores, judged by a checker that shares no code with the library: points
 * lie on their shapes, the supports along the normal prove the distance, trying every axis finds no smaller depth. */
#include "support/cores.h"
#include "support/solid.h"

#include "convex/convex.h"
#include "shape/core_round.h"

#include <math.h>

/* Stated bounds, in units of the coordinates that meet (pair.scale plus the radii). The normal proves the distance; the
 * depth is at most this larger than the least there is; the witness points are this close to their solids and to each
 * other's foot. Polytopes down to needles of aspect 1e6, whose faces are known no better than that allows. Of needles
 * whose difference is flat to 1e-10 of the scale one in 10^6 is off by more: of a run's 50000 pairs rarely one. */
#define SHARP_PROOF 1e-14L
#define SHARP_DEPTH 1e-10L
#define SHARP_POINT 1e-7L
#define SLIVERS     1e6
/* Where a curved core takes part. */
#define ROUND_PROOF 1e-9L
#define ROUND_DEPTH 1e-3L
#define ROUND_POINT 1e-2L

/* Of a gap of curved cores, and what an ellipsoid's is searched longer: how far short it may be told, besides
 * rounding. */
#if defined(CAROM_F64)
#define LEFT_OF_A_GAP 1e-13
#else
#define LEFT_OF_A_GAP 1e-10
#endif

typedef struct pair_case {
    solid a, b;
    cm__core core_a, core_b;
    cm_quat turn;
    wide3 at;
    cm__frame frame;
    cm__convex_pair pair;
} pair_case;

static wide3 w3_of_point(cm__point p) { return w3((long double)p.x, (long double)p.y, (long double)p.z); }

static void case_place(pair_case *c, cm_quat turn, wide3 at) {
    c->turn = turn, c->at = at;
    core_of(&c->a, &c->core_a);
    c->core_a.radius = (double)c->a.radius;
    core_of(&c->b, &c->core_b);
    c->core_b.radius = (double)c->b.radius;
    cm_pose pose = {cm_v(0, 0, 0), turn};
    c->frame = frame_of_pose(&pose);
    c->frame.position = cm__p((double)at.x, (double)at.y, (double)at.z);
    c->at = w3_of_point(c->frame.position);
    solid_place(&c->b, turn, c->at);
    cm__convex_pair_of(&c->core_a, &c->core_b, &c->frame, &c->pair);
}

static bool is_sharp(const pair_case *c) { return solid_is_polytope(&c->a) && solid_is_polytope(&c->b); }

typedef struct tally {
    long cases, apart, limit, slivers;
    long double worst_point, worst_proof, worst_depth, worst_slack;
    int steps, depth_steps;
    double mean_steps, mean_depth;
    double distance; /* of the last */
} tally;

static void raise_to(long double *worst, long double x) {
    if (!(x <= *worst)) *worst = x;
}

/* Everything that an answer must prove, in units of the scale. */
static void judge(const pair_case *c, const cm__convex_gap *g, tally *t, int tries, rng *r) {
    long double scale = (long double)c->pair.scale + (long double)c->core_a.radius + (long double)c->core_b.radius;
    wide3 n = w3_of_point(g->normal), a = w3_of_point(g->a), b = w3_of_point(g->b);
    long double d = (long double)g->distance;
    t->cases++;
    t->distance = g->distance;
    t->apart += g->distance > 0;
    t->limit += g->end != CM__CONVEX_PROVEN;
    if (g->steps > t->steps) t->steps = g->steps;
    if (g->depth_steps > t->depth_steps) t->depth_steps = g->depth_steps;
    t->mean_steps += g->steps;
    t->mean_depth += g->depth_steps;
    raise_to(&t->worst_point, fabsl(w3_length(n) - 1));
    wide3 core_a = w3_of_point(g->core_a), core_b = w3_of_point(g->core_b);
    raise_to(&t->worst_point, solid_core_outside(&c->a, core_a) / scale);
    raise_to(&t->worst_point, solid_core_outside(&c->b, core_b) / scale);
    wide3 out_a = w3_sub(a, w3_add(core_a, w3_scale(n, (long double)c->a.radius)));
    wide3 out_b = w3_sub(b, w3_sub(core_b, w3_scale(n, (long double)c->b.radius)));
    raise_to(&t->worst_point, fmaxl(w3_length(out_a), w3_length(out_b)) / scale);
    raise_to(&t->worst_point, w3_length(w3_sub(w3_sub(b, a), w3_scale(n, d))) / scale);
    /* along the normal the solids are separated by the distance: a lower bound; moving by the depth parts them */
    raise_to(&t->worst_proof, fabsl(solid_separation(&c->a, &c->b, n) - d) / scale);
    if (g->core_distance <= 0) {
        wide3 axis;
        long double best = is_sharp(c) ? solid_best_axis(&c->a, &c->b, HUGE_VALL, &axis)
                           : tries > 0 ? solid_search_axis(&c->a, &c->b, n, tries, r, &axis)
                                       : -HUGE_VALL;
        raise_to(&t->worst_depth, (best - d) / scale);
    }
    raise_to(&t->worst_slack, (long double)g->slack / scale);
}

static void random_case(pair_case *c, solid_kind ka, solid_kind kb, rng *r) {
    double size = rng_log_range(r, 1e-4, 1e6), other = rng_below(r, 4) ? size : size * rng_log_range(r, 1e-4, 1e4);
    solid_random(&c->a, ka, rng_below(r, 3) ? 0 : (int)rng_below(r, 4), size, r);
    solid_random(&c->b, kb, rng_below(r, 3) ? 0 : (int)rng_below(r, 4), other, r);
    if (rng_below(r, 4) == 0) c->a.radius = CM_REAL(size * rng_range(r, 0, 0.5));
    if (rng_below(r, 4) == 0) c->b.radius = CM_REAL(other * rng_range(r, 0, 0.5));
    if (ka == kb && rng_below(r, 10) == 0) c->b = c->a;                    /* identical */
    cm_quat turn = rng_below(r, 4) ? rng_rotation(r) : cm_quat_identity(); /* parallel */
    double reach = rng_range(r, 0, 2) * (size > other ? size : other);
    cm_vec3 at = cm_scale(rng_direction(r), CM_REAL(reach));
    if (rng_below(r, 20) == 0) at = cm_v(0, 0, 0); /* coincident, nested */
    if (rng_below(r, 20) == 0) at = cm_v(at.x, 0, 0);
    case_place(c, turn, w3((long double)at.x, (long double)at.y, (long double)at.z));
}

static bool check_bounds(const pair_case *c, const tally *t, const char *what, long number) {
    bool sharp = is_sharp(c);
    long double proof = sharp ? SHARP_PROOF : ROUND_PROOF, depth = sharp ? SHARP_DEPTH : ROUND_DEPTH;
    long double point = sharp ? SHARP_POINT : ROUND_POINT;
    bool within = t->limit == 0 && t->worst_proof <= proof && t->worst_depth <= depth && t->worst_point <= point;
    if (!within)
        print_message("  %s of %s and %s, number %ld (distance %g, scale %g): %ld at the step limit, proof off by %Lg, "
                      "depth by %Lg, points by %Lg\n",
                      what, solid_names[c->a.kind], solid_names[c->b.kind], number, t->distance, c->pair.scale,
                      t->limit, t->worst_proof, t->worst_depth, t->worst_point);
    return within;
}

static void add_tally(tally *sum, const tally *t) {
    sum->cases += t->cases, sum->apart += t->apart, sum->limit += t->limit, sum->slivers += t->slivers;
    raise_to(&sum->worst_point, t->worst_point), raise_to(&sum->worst_proof, t->worst_proof);
    raise_to(&sum->worst_depth, t->worst_depth), raise_to(&sum->worst_slack, t->worst_slack);
    if (t->steps > sum->steps) sum->steps = t->steps;
    if (t->depth_steps > sum->depth_steps) sum->depth_steps = t->depth_steps;
    sum->mean_steps += t->mean_steps, sum->mean_depth += t->mean_depth;
}

static void print_tally(const char *name, const tally *t) {
    print_message(
        "  %-20s %8ld cases, %ld apart, %ld at the limit; off by at most: proof %.1Le, depth %.1Le, points %.1Le; "
        "steps at most %d and %d, mean %.1f and %.1f\n",
        name, t->cases, t->apart, t->limit, t->worst_proof, t->worst_depth, t->worst_point, t->steps, t->depth_steps,
        t->mean_steps / (double)t->cases, t->mean_depth / (double)(t->cases - t->apart + 1));
}

typedef void pair_test(pair_case *c, long number, tally *t, rng *r);

/* Runs over all ordered pairs of kinds, and prints the worst of the sharp and the curved ones; of each pair where
 * CAROM_TABLE is set. */
static void over_all_pairs(const char *what, uint64_t seed, long count, pair_test *test) {
    const rng start = rng_start(what, seed);
    tally all[2] = {{0}, {0}};
    for (int ka = 0; ka < SOLID_KINDS; ka++) {
        for (int kb = 0; kb < SOLID_KINDS; kb++) {
            rng r = {start.state + 100 * (uint64_t)(1 + ka * SOLID_KINDS + kb)}; /* a share asks some of the same */
            tally one = {0};
            pair_case c;
            for (long i = 0; i < count; i++) {
                random_case(&c, (solid_kind)ka, (solid_kind)kb, &r);
                test(&c, i, &one, &r);
            }
            char name[40];
            snprintf(name, sizeof name, "%s %s", solid_names[ka], solid_names[kb]);
            if (getenv("CAROM_TABLE")) print_tally(name, &one);
            add_tally(&all[is_sharp(&c) ? 0 : 1], &one);
        }
    }
    check_that((double)all[0].slivers <= 1 + (double)all[0].cases / SLIVERS, "%ld of %ld are off", all[0].slivers,
               all[0].cases);
    if (all[0].slivers) print_message("  %ld polytopes are off by more than stated\n", all[0].slivers);
    print_tally("polytopes", &all[0]);
    print_tally("with a curved core", &all[1]);
}

static void prove(const pair_case *c, const char *what, long number, int tries, tally *t, rng *r, cm__convex_gap *g) {
    tally one = {0};
    cm__convex_gap_of(&c->pair, DBL_MAX, NULL, g);
    judge(c, g, &one, tries, r);
    bool within = check_bounds(c, &one, what, number), overlap = cm__convex_overlap(&c->pair, NULL);
    check_that(overlap == (g->distance <= 0), "%s of %s and %s, number %ld: overlap says %d, distance %.17g", what,
               solid_names[c->a.kind], solid_names[c->b.kind], number, overlap, g->distance);
    one.slivers = !within;
    check_that(within || is_sharp(c), "beyond a bound");
    if (within)
        add_tally(t, &one);
    else
        t->slivers++, t->cases++;
}

static void prove_and_touch(pair_case *c, long number, tally *t, rng *r) {
    cm__convex_gap g, h;
    prove(c, "distance", number, number % 16 == 0 ? 4 : 0, t, r, &g);
    /* Swapped, it is the same distance. */
    pair_case swapped;
    swapped.a = c->b, swapped.b = c->a;
    solid_place(&swapped.a, cm_pose_identity().rotation, w3(0, 0, 0));
    cm_quat back = cm_quat_conjugate(c->turn);
    wide3 at = w3(-w3_dot(c->b.turn[0], c->at), -w3_dot(c->b.turn[1], c->at), -w3_dot(c->b.turn[2], c->at));
    case_place(&swapped, back, at);
    cm__convex_gap_of(&swapped.pair, DBL_MAX, NULL, &h);
    long double scale = (long double)c->pair.scale + (long double)(c->a.radius + c->b.radius);
    long double bound = is_sharp(c) ? SHARP_DEPTH : ROUND_DEPTH;
    check_that(fabsl((long double)(h.distance - g.distance)) <= bound * scale,
               "swapped %s and %s, number %ld: %.17g and %.17g", solid_names[c->a.kind], solid_names[c->b.kind], number,
               g.distance, h.distance);
    /* Moved along the normal to touching, and past it by a step: the distance follows without a jump. */
    for (int k = 0; k < 3; k++) {
        double step = k == 0 ? 0 : rng_log_range(r, 1e-17, 1e-2) * (double)scale * (k == 1 ? 1 : -1);
        wide3 to = w3_sub(c->at, w3_scale(w3_of_point(g.normal), (long double)(g.distance + step)));
        pair_case moved = *c;
        case_place(&moved, c->turn, to);
        prove(&moved, "touching", number, 0, t, r, &h);
        long double low = -(long double)step, high = fabsl(low); /* thin cores come out behind */
        /* a tiny shape far away: the direction is known no better than by the digits its edges have there */
        high += SHARP_POINT * fabsl((long double)g.distance);
        check_that((long double)h.distance >= low - bound * scale && (long double)h.distance <= high + bound * scale,
                   "%s and %s, number %ld, moved %g past touching: distance %.17g (from %.17g)", solid_names[c->a.kind],
                   solid_names[c->b.kind], number, step, h.distance, g.distance);
    }
}

/* Found by the deep run: slivers for simplices and for faces of the polytope, flat differences, touching by rounding.
 */
static void slivers_at_touching_prove_their_distance(void **state) {
    (void)state;
    static const struct {
        solid_kind a, b;
        uint32_t number;
    } found[] = {
        {SOLID_POINT, SOLID_CLOUD, 320},
        {SOLID_POINT, SOLID_CLOUD, 6109},
        {SOLID_POINT, SOLID_CLOUD, 6490},
        {SOLID_POINT, SOLID_CLOUD, 11833},
        {SOLID_SEGMENT, SOLID_TRIANGLE, 6826},
        {SOLID_SEGMENT, SOLID_BOX, 8729},
        {SOLID_SEGMENT, SOLID_BOX, 3999},
        {SOLID_SEGMENT, SOLID_CLOUD, 2365},
        {SOLID_TRIANGLE, SOLID_SEGMENT, 6106},
        {SOLID_TRIANGLE, SOLID_SEGMENT, 13076},
        {SOLID_TRIANGLE, SOLID_SEGMENT, 16794},
        {SOLID_TRIANGLE, SOLID_TRIANGLE, 12082},
        {SOLID_TRIANGLE, SOLID_TRIANGLE, 15407},
        {SOLID_TRIANGLE, SOLID_BOX, 642},
        {SOLID_TRIANGLE, SOLID_BOX, 10720},
        {SOLID_TRIANGLE, SOLID_CLOUD, 3165},
        {SOLID_TRIANGLE, SOLID_CLOUD, 17312},
        {SOLID_BOX, SOLID_SEGMENT, 2152},
        {SOLID_BOX, SOLID_CLOUD, 2777},
        {SOLID_BOX, SOLID_CLOUD, 16900},
        {SOLID_BOX, SOLID_BOX, 794},
        {SOLID_BOX, SOLID_BOX, 1238},
        {SOLID_CLOUD, SOLID_TRIANGLE, 16143},
        {SOLID_CLOUD, SOLID_BOX, 1970},
        {SOLID_CLOUD, SOLID_BOX, 9587},
        {SOLID_SEGMENT, SOLID_CONE, 2858},
    };
    tally all = {0};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        rng r = {(uint64_t)(1000 + 32 * (int)found[i].a + (int)found[i].b) << 32 | found[i].number};
        pair_case c;
        random_case(&c, found[i].a, found[i].b, &r);
        prove_and_touch(&c, (long)found[i].number, &all, &r);
    }
    /* the normals of thin faces of a flat difference: not the nearest of them, but noise */
    static const struct {
        solid_kind a, b;
        uint64_t state;
    } thin[] = {
        {SOLID_SEGMENT, SOLID_BOX, 15634945855007256591u},
        {SOLID_BOX, SOLID_TRIANGLE, 6539670014546380537u},
    };
    for (size_t i = 0; i < sizeof thin / sizeof *thin; i++) {
        rng r = {thin[i].state};
        pair_case c;
        random_case(&c, thin[i].a, thin[i].b, &r);
        prove_and_touch(&c, (long)i, &all, &r);
    }
    check_that(all.slivers == 0, "%ld are off", all.slivers);
}

static void every_pair_proves_its_distance_also_at_touching(void **state) {
    (void)state;
    over_all_pairs("pairs", 1, samples(500, 50000), prove_and_touch);
}

/* The caller's cache changes nothing but the time. */
static void warm_start(pair_case *c, long number, tally *t, rng *r) {
    (void)r;
    cm_pair_cache cache = {0};
    cm__convex_gap cold, warm;
    cm__convex_gap_of(&c->pair, DBL_MAX, &cache, &cold);
    cm__convex_gap_of(&c->pair, DBL_MAX, &cache, &warm);
    t->cases++, t->mean_steps += warm.steps, t->mean_depth += cold.steps;
    if (warm.steps > t->steps) t->steps = warm.steps;
    long double scale = (long double)c->pair.scale + (long double)(c->a.radius + c->b.radius);
    long double bound = is_sharp(c) ? SHARP_DEPTH : ROUND_DEPTH;
    check_that(fabsl((long double)(warm.distance - cold.distance)) <= bound * scale && warm.end == CM__CONVEX_PROVEN,
               "%s and %s, number %ld: cold %.17g, warm %.17g, slack %g, %g steps %d %d, scale %g",
               solid_names[c->a.kind], solid_names[c->b.kind], number, cold.distance, warm.distance, cold.slack,
               warm.slack, cold.depth_steps, warm.depth_steps, c->pair.scale);
    if (cold.core_distance > 0 && is_sharp(c))
        check_that(warm.steps <= 3 || warm.steps <= cold.steps + 3, "%d steps warm, %d cold", warm.steps, cold.steps);
    /* Asked for less than the gap, it says so; asked for the gap, it measures it. */
    if (cold.distance > 0) {
        cm__convex_gap_of(&c->pair, cold.distance * 0.999 - 1e-9 * (double)scale, NULL, &warm);
        if (cold.distance * 0.998 > 1e-8 * (double)scale && !(c->a.radius > 0) && !(c->b.radius > 0))
            check_that(warm.end == CM__CONVEX_BEYOND && warm.core_distance <= cold.core_distance * (1 + 1e-9),
                       "gap %g found beyond %g", cold.distance, warm.core_distance);
        cm__convex_gap_of(&c->pair, cold.distance, NULL, &warm);
        check_that(warm.end == CM__CONVEX_PROVEN,
                   "%s and %s: gap %.17g not measured up to itself, the lower bound is %.17g", solid_names[c->a.kind],
                   solid_names[c->b.kind], cold.core_distance, warm.core_distance);
    }
}

static void a_cache_changes_nothing_but_the_time(void **state) {
    (void)state;
    over_all_pairs("cache", 2, samples(200, 5000), warm_start);
}

/* On the way to these gaps a direction proves more, within the search's tolerance, than what it ends with. */
static void gaps_less_than_was_proved_are_measured(void **state) {
    (void)state;
    static const struct {
        solid_kind a, b;
        uint64_t state;
    } found[] = {
        {SOLID_CYLINDER, SOLID_BOX, 7784395597291925301u},    {SOLID_CYLINDER, SOLID_BOX, 11935289599309778583u},
        {SOLID_CONE, SOLID_POINT, 9567480335818823899u},      {SOLID_CONE, SOLID_POINT, 9895646719937988349u},
        {SOLID_CONE, SOLID_CYLINDER, 7309192478203359067u},   {SOLID_CONE, SOLID_CONE, 3020729531766234200u},
        {SOLID_CONE, SOLID_ELLIPSOID, 12244080568420659287u},
    };
    tally all = {0};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        rng r = {found[i].state};
        pair_case c;
        random_case(&c, found[i].a, found[i].b, &r);
        warm_start(&c, (long)i, &all, &r);
    }
}

/* Apart, no search from another direction proves more, but for rounding and the search's own tolerance (pair.h): none
 * is stopped by corners that lie close together on what is curved. */
static void prove_from_elsewhere(pair_case *c, long number, tally *t, rng *r) {
    cm__convex_gap g;
    t->cases++;
    if (is_sharp(c)) return;
    cm__convex_gap_of(&c->pair, DBL_MAX, NULL, &g);
    if (!(g.core_distance > 0)) return;
    t->apart++;
    cm__core smaller; /* an ellipsoid is searched as a smaller one with a larger radius */
    const double less = cm__core_shrink(&c->core_a, &smaller) + cm__core_shrink(&c->core_b, &smaller);
    const double may = LEFT_OF_A_GAP * (g.core_distance + less) + 64 * DBL_EPSILON * c->pair.scale;
    for (int i = 0; i < 8; i++) {
        const cm_vec3 aside = cm_scale(rng_direction(r), CM_REAL(rng_log_range(r, 1e-6, 0.5)));
        const cm_pair_cache cache = {.normal = cm_add(cm__vec3_of(g.normal), aside)};
        const cm__gjk_task task = {.far = DBL_MAX, .apart = DBL_MAX, .together = -1, .cache = &cache};
        cm__gjk other;
        cm__gjk_run(&c->pair, &task, &other);
        check_that(other.end != CM__GJK_APART || other.lower <= g.core_distance + may,
                   "%s and %s, number %ld: a gap of %.17g, from elsewhere %g more, %g times what may be",
                   solid_names[c->a.kind], solid_names[c->b.kind], number, g.core_distance,
                   other.lower - g.core_distance, (other.lower - g.core_distance) / may);
    }
}

static void curved_pairs_apart_are_searched_to_the_end(void **state) {
    (void)state;
    over_all_pairs("searches from elsewhere", 3, samples(60, 5000), prove_from_elsewhere);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curved_pairs_apart_are_searched_to_the_end),
        cmocka_unit_test(slivers_at_touching_prove_their_distance),
        cmocka_unit_test(every_pair_proves_its_distance_also_at_touching),
        cmocka_unit_test(a_cache_changes_nothing_but_the_time),
        cmocka_unit_test(gaps_less_than_was_proved_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
