/* The steps of observed queries: they are those of the search that answers, with its bits; bounds, support points,
 * polytopes and clipped sides are judged by a checker that shares no code with the library. */
#include "support/bodies.h"

#include "convex/observe.h"
#include "pair/method.h"
#include "shape/shape.h"

#include <math.h>

#define EPS ((double)CM_REAL_EPSILON)
/* Of the sizes: how far from a better direction the polytope around the origin may end, of curved cores. */
#define DEPTH_TOLERANCE 1e-10
/* And by how much the planes of thin faces may lie too far out, for what they bound from above. */
#define SLIVERS 1e-6

static wide3 w3_way(const cm_step_vertex *v) { return w3_sub(w3_of_vec3(v->b), w3_of_vec3(v->a)); }

/* --- what a watcher sees, judged step by step -------------------------------------------------------------------- */

typedef struct watcher {
    const body *a, *b;
    double scale, loose; /* sizes and places that meet; what a lower bound, a support point may be off by */
    cm_real distance;    /* the answer */
    long steps, kinds[CM_STEP_CONTACTS + 1];
    uint32_t search, index;
    long double best; /* the largest separation along the directions of this search */
    bool inside;      /* the search before ended with the origin between four vertices, on none of their faces */
    cm_step last;
    cm_contact_point contacts[64];
    long corners; /* of polytopes, judged */
    double worst_bound, worst_support, worst_lower;
} watcher;

static const char *names_of(const watcher *w, char text[128]) {
    snprintf(text, 128, "%s, radius %g, and %s, radius %g", solid_names[w->a->s.kind], (double)w->a->s.radius,
             solid_names[w->b->s.kind], (double)w->b->s.radius);
    return text;
}

/* What the core that is shown lacks to the shape: the radius, and of an ellipsoid 15/16 of its least radius of
 * curvature (observe.h). */
static long double lacking(const solid *s, double scale) {
    const long double radius = (long double)s->radius, x = (long double)s->size.x, y = (long double)s->size.y;
    const long double z = (long double)s->size.z, least = fminl(x, fminl(y, z)), most = fmaxl(x, fmaxl(y, z));
    const bool smaller = s->kind == SOLID_ELLIPSOID && least > 1e-3L * most && scale > 1e-40 && scale < 1e40;
    return smaller ? radius + 0.9375L * least * least / most : radius;
}

/* A's support point lies as far along the direction as A reaches, B's as far against it as B. */
static void judge_support(watcher *w, const cm_step *step) {
    char text[128];
    const wide3 n = w3_of_vec3(step->direction), back = w3_scale(n, -1);
    const long double ra = lacking(&w->a->s, w->scale), rb = lacking(&w->b->s, w->scale);
    long double off_a = solid_reach(&w->a->s, n) - ra - w3_dot(n, w3_of_vec3(step->support.a));
    long double off_b = solid_reach(&w->b->s, back) - rb - w3_dot(back, w3_of_vec3(step->support.b));
    long double off = fmaxl(fabsl(off_a), fabsl(off_b)) / (long double)w->scale;
    if (step->exact && (double)off > w->worst_support) w->worst_support = (double)off;
    check_that(off <= (long double)(step->exact ? 64 * EPS : w->loose), "%s: support points %Lg of the scale short",
               names_of(w, text), off);
    long double separation = solid_separation(&w->a->s, &w->b->s, n);
    if (separation > w->best) w->best = separation;
    /* what a step says that the shapes are apart by, at least, is what one of the directions so far shows */
    long double over = ((long double)step->lower - w->best) / (long double)w->scale;
    if ((double)over > w->worst_lower) w->worst_lower = (double)over;
    check_that(over <= (long double)(16 * EPS), "%s: lower bound %.17g, but no direction shows more than %.17Lg",
               names_of(w, text), (double)step->lower, w->best);
}

/* Convex, around the origin where GJK proved that it can be, closed: each edge once either way; its nearest face is
 * where it is said to be. */
static void judge_polytope(watcher *w, const cm_step *step) {
    char text[128];
    const long double rounding = (long double)(64 * EPS * w->scale);
    int turned = 0;
    for (int f = 0; f < step->face_count; f++) {
        const uint32_t *c = step->faces + 3 * f;
        wide3 p[3];
        for (int k = 0; k < 3; k++) {
            assert_true(c[k] < (uint32_t)step->vertex_count);
            p[k] = w3_way(&step->vertices[c[k]]);
        }
        wide3 e = w3_sub(p[1], p[0]), g = w3_sub(p[2], p[0]), n = w3_cross(e, g);
        long double size = fmaxl(w3_length(w3_sub(g, e)), fmaxl(w3_length(e), w3_length(g)));
        /* corners are rounded, and by that much over the height of the triangle its normal */
        const long double band = rounding * (1 + (long double)w->scale * size / w3_length(n));
        if (!(band < 1e4L * rounding)) continue; /* a sliver: its plane may be any through it */
        n = w3_unit(n);
        w->corners += step->vertex_count;
        for (int i = 0; i < step->vertex_count; i++) {
            long double over = w3_dot(n, w3_sub(w3_way(&step->vertices[i]), p[0]));
            check_that(over <= band, "%s: corner %d is %Lg of the scale outside of face %d (rounding %Lg)",
                       names_of(w, text), i, over / (long double)w->scale, f, band / (long double)w->scale);
        }
        check_that(!w->inside || w3_dot(n, p[0]) >= -band, "%s: the origin lies %Lg outside", names_of(w, text),
                   -w3_dot(n, p[0]));
        if (f != (int)step->face) continue;
        long double off = w3_length(w3_sub(w3_scale(n, w3_dot(n, p[0])), w3_of_vec3(step->closest)));
        check_that(off <= 2 * band, "%s: the foot of the nearest face is %Lg off", names_of(w, text), off);
    }
    for (int f = 0; f < step->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            uint32_t from = step->faces[3 * f + k], to = step->faces[3 * f + (k + 1) % 3];
            for (int g = 0; g < step->face_count; g++)
                for (int j = 0; j < 3; j++)
                    turned += step->faces[3 * g + j] == to && step->faces[3 * g + (j + 1) % 3] == from;
        }
    }
    assert_int_equal(turned, 3 * step->face_count);
}

static void watch(void *user, const cm_step *step) {
    watcher *w = user;
    char text[128];
    assert_true((unsigned)step->kind <= CM_STEP_CONTACTS);
    if (w->steps == 0 || step->search != w->search) {
        assert_int_equal(step->search, w->steps == 0 ? 0 : w->search + 1);
        w->search = step->search, w->index = 0, w->best = -HUGE_VALL;
    }
    assert_int_equal(step->index, w->index++);
    w->steps++, w->kinds[step->kind]++;
    const bool sharp = solid_is_polytope(&w->a->s) && solid_is_polytope(&w->b->s);
    const double slip = (sharp || 16 * EPS > DEPTH_TOLERANCE ? 16 * EPS : DEPTH_TOLERANCE) * w->scale;
    const double off = ((double)w->distance - (double)step->upper) / w->scale;
    if (off > w->worst_bound) w->worst_bound = off;
    const double thin = step->kind == CM_STEP_POLYTOPE ? SLIVERS * w->scale : 0;
    check_that((double)step->lower <= (double)w->distance + slip &&
                   (double)w->distance <= (double)step->upper + slip + thin,
               "%s, search %u, step %u (%s): " REAL_FORMAT " <= " REAL_FORMAT " <= " REAL_FORMAT, names_of(w, text),
               step->search, step->index, cm_step_kind_text(step->kind), (double)step->lower, (double)w->distance,
               (double)step->upper);
    const bool searching =
        step->kind == CM_STEP_SIMPLEX || step->kind == CM_STEP_POLYTOPE || step->kind == CM_STEP_FACE;
    if (searching && cm_largest(step->direction) > 0 && (step->face_count > 0 || step->kind != CM_STEP_POLYTOPE))
        judge_support(w, step);
    if (step->kind == CM_STEP_POLYTOPE && step->face_count > 0 && step->face_count < 40) judge_polytope(w, step);
    if (step->kind == CM_STEP_SIMPLEX) w->inside = step->vertex_count == 4 && !(cm_largest(step->direction) > 0);
    w->last = *step;
    if (step->kind == CM_STEP_CONTACTS)
        memcpy(w->contacts, step->contacts, (size_t)step->contact_count * sizeof *step->contacts);
}

static void watcher_start(watcher *w, const body *a, const body *b) {
    memset(w, 0, sizeof *w);
    w->a = a, w->b = b;
    w->scale = 0;
    for (int i = 0; i < 2; i++) {
        const body *x = i ? b : a;
        cm_aabb box;
        cm_shape_bounds(&x->shape, &x->pose, &box);
        w->scale += (double)cm_largest(box.min) + (double)cm_largest(box.max);
    }
    w->loose = 128 * (double)FLT_EPSILON;
}

/* --- pairs ------------------------------------------------------------------------------------------------------- */

/* At random, or as people place things: turned alike, in line with an axis, concentric; then near touching. */
static void place(body *a, body *b, double size, bool near, rng *r) {
    cm_pose pose = b->pose;
    if (rng_below(r, 4) == 0) pose.rotation = a->pose.rotation;
    const uint32_t way = rng_below(r, 6);
    if (way == 0) pose.position = a->pose.position;
    if (way == 1) pose.position = cm_add(a->pose.position, cm_v(CM_REAL(size * rng_range(r, -2, 2)), 0, 0));
    body_place(b, &pose);
    if (way > 2 && !near) return;
    cm_witness w;
    cm_real d = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &w);
    if (!(d < CM_REAL_MAX)) return;
    const double lift = rng_below(r, 3) ? 0 : size * rng_range(r, -1e-3, 1e-3);
    pose.position = cm_mul_add(pose.position, CM_REAL(lift) - d, w.normal);
    body_place(b, &pose);
}

static bool same_witness(const cm_witness *v, const cm_witness *w) {
    return memcmp(&v->point_a, &w->point_a, sizeof v->point_a) == 0 &&
           memcmp(&v->point_b, &w->point_b, sizeof v->point_b) == 0 &&
           memcmp(&v->normal, &w->normal, sizeof v->normal) == 0 && v->distance == w->distance &&
           v->part_a == w->part_a && v->part_b == w->part_b && v->flags == w->flags;
}

/* Is the pair searched? */
static bool searched(const body *a, const body *b) {
    const cm_kind low = a->shape.kind < b->shape.kind ? a->shape.kind : b->shape.kind;
    return method_searches(cm__method_of(low, a->shape.kind + b->shape.kind - low));
}

typedef struct tally {
    long pairs, apart, kinds[CM_STEP_CONTACTS + 1], corners;
    double worst_bound, worst_support, worst_lower;
} tally;

static void tally_add(tally *t, const watcher *w) {
    for (int i = 0; i <= CM_STEP_CONTACTS; i++) t->kinds[i] += w->kinds[i];
    t->corners += w->corners;
    t->worst_bound = fmax(t->worst_bound, w->worst_bound);
    t->worst_support = fmax(t->worst_support, w->worst_support);
    t->worst_lower = fmax(t->worst_lower, w->worst_lower);
}

static void watch_distance(const body *a, const body *b, rng *r, tally *t) {
    char text[128];
    watcher w;
    cm_witness plain, seen, untouched;
    memset(&plain, 0, sizeof plain);
    memset(&seen, 0, sizeof seen);
    memset(&untouched, 0, sizeof untouched);
    watcher_start(&w, a, b);
    w.distance = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, &plain);
    cm_real d = cm_distance_observed(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, watch, &w, &seen);
    check_that(d == w.distance && same_witness(&plain, &seen),
               "%s: " REAL_FORMAT " unobserved, " REAL_FORMAT " observed", names_of(&w, text), (double)w.distance,
               (double)d);
    assert_int_equal(w.last.kind, CM_STEP_DISTANCE);
    check_that(w.last.lower == d, "%s: the last bound is " REAL_FORMAT ", the answer " REAL_FORMAT, names_of(&w, text),
               (double)w.last.lower, (double)d);
    const double slip = 64 * EPS * w.scale;
    double off = (double)cm_length(cm_sub(w.last.support.a, plain.point_a)) +
                 (double)cm_length(cm_sub(w.last.support.b, plain.point_b));
    check_that(off <= slip && (double)cm_length(cm_sub(w.last.direction, plain.normal)) <= 64 * EPS,
               "%s: the last step's points are %g off", names_of(&w, text), off);
    if (!searched(a, b)) {
        assert_int_equal(w.steps, 2);
        assert_int_equal(w.kinds[CM_STEP_OWN_METHOD], 1);
    } else {
        assert_int_equal(w.kinds[CM_STEP_OWN_METHOD], 0);
        assert_true(w.kinds[CM_STEP_SIMPLEX] + w.kinds[CM_STEP_POLYTOPE] + w.kinds[CM_STEP_FACE] > 0);
    }
    tally_add(t, &w);
    t->pairs++, t->apart += d > 0;
    const cm_real most = CM_REAL(rng_unit(r)) * cm_max(d, 0); /* and with a limit */
    watcher_start(&w, a, b);
    w.distance = d;
    cm_real within = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, most, NULL);
    assert_true(cm_distance_observed(&a->shape, &a->pose, &b->shape, &b->pose, most, watch, &w, &untouched) == within);
    if (within == CM_REAL_MAX) {
        check_that(w.last.upper >= w.last.lower && w.last.lower >= most - CM_REAL(slip),
                   "%s: beyond " REAL_FORMAT ", the last step says " REAL_FORMAT " to " REAL_FORMAT, names_of(&w, text),
                   (double)most, (double)w.last.lower, (double)w.last.upper);
        assert_true(untouched.distance == 0);
    }
}

static bool same_manifold(const cm_manifold *m, const cm_manifold *n) {
    bool same = m->count == n->count && memcmp(&m->normal, &n->normal, sizeof m->normal) == 0;
    for (int i = 0; i < m->count && same; i++) {
        const cm_contact_point *p = &m->points[i], *q = &n->points[i];
        same = memcmp(&p->point_a, &q->point_a, sizeof p->point_a) == 0 &&
               memcmp(&p->point_b, &q->point_b, sizeof p->point_b) == 0 && p->depth == q->depth &&
               p->feature_a == q->feature_a && p->feature_b == q->feature_b;
    }
    return same;
}

static void watch_contact(const body *a, const body *b, double size, rng *r, tally *t) {
    char text[128];
    watcher w;
    cm_manifold plain, seen;
    memset(&plain, 0, sizeof plain);
    memset(&seen, 0, sizeof seen);
    watcher_start(&w, a, b);
    w.distance = cm_distance(&a->shape, &a->pose, &b->shape, &b->pose, CM_REAL_MAX, NULL);
    const cm_real margin = rng_below(r, 2) ? 0 : CM_REAL(size * rng_range(r, 0, 0.5));
    int count = cm_contact(&a->shape, &a->pose, &b->shape, &b->pose, margin, &plain, 1);
    int found = cm_contact_observed(&a->shape, &a->pose, &b->shape, &b->pose, margin, watch, &w, &seen, 1);
    check_that(count == found && same_manifold(&plain, &seen), "%s: another contact when observed", names_of(&w, text));
    if (!searched(a, b)) {
        assert_int_equal(w.steps, 1);
        assert_int_equal(w.last.kind, CM_STEP_OWN_METHOD);
    } else if (count > 0) {
        assert_int_equal(w.last.kind, CM_STEP_CONTACTS);
        assert_int_equal(w.last.contact_count, plain.count);
        for (int i = 0; i < plain.count; i++) {
            const cm_contact_point *p = &plain.points[i], *q = &w.contacts[i];
            double off =
                (double)cm_length(cm_sub(p->point_a, q->point_a)) + (double)cm_length(cm_sub(p->point_b, q->point_b));
            check_that(p->depth == q->depth && p->feature_a == q->feature_a && p->feature_b == q->feature_b &&
                           off <= 64 * EPS * w.scale,
                       "%s, point %d: the last step has depth " REAL_FORMAT ", the contact " REAL_FORMAT ", %g apart",
                       names_of(&w, text), i, (double)q->depth, (double)p->depth, off);
        }
    }
    tally_add(t, &w);
}

static void steps_are_those_of_the_search(void **state) {
    (void)state;
    rng r = rng_start("observe", 191);
    tally t = {0};
    const int count = samples(40, 2000);
    for (int ka = 0; ka < SOLID_KINDS; ka++) {
        for (int kb = 0; kb < SOLID_KINDS; kb++) {
            for (int i = 0; i < count; i++) {
                body a, b;
                const double far = sizeof(cm_real) == 8 ? 1e60 : 1e10;
                const double size = rng_below(&r, 16) ? rng_log_range(&r, 1e-4, 1e6) : far;
                body_random(&a, (solid_kind)ka, size, &r);
                body_random(&b, (solid_kind)kb, rng_below(&r, 4) ? size : size * 1e-5, &r);
                place(&a, &b, size, false, &r);
                watch_distance(&a, &b, &r, &t);
                watch_contact(&a, &b, size, &r, &t);
                body_free(&a);
                body_free(&b);
            }
        }
    }
    print_message("  %ld pairs, %ld apart; steps:", t.pairs, t.apart);
    for (int i = 0; i <= CM_STEP_CONTACTS; i++)
        print_message(" %s %ld", cm_step_kind_text((cm_step_kind)i), t.kinds[i]);
    print_message("; off by at most, of the scale: upper bounds %.2g, lower bounds %.2g, support points %.2g; %ld "
                  "corners behind faces\n",
                  t.worst_bound, t.worst_lower, t.worst_support, t.corners);
    /* one pair in a hundred measures a face here; the hulls below measure many */
    for (int i = 0; i <= CM_STEP_CONTACTS; i++) assert_true(t.kinds[i] > 0 || (i == CM_STEP_FACE && t.pairs < 2000));
    assert_in_range(t.apart, t.pairs / 5, t.pairs - t.pairs / 5);
    assert_true(t.corners > 1000);
}

static bool same_place(cm_vec3 p, cm_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

/* Hulls are asked for their depth first: where they prove to be apart the faces of D bound nothing from above. */
static void hulls_that_touch_by_little_are_bounded_too(void **state) {
    (void)state;
    rng r = rng_start("hulls", 197);
    tally t = {0};
    for (int i = 0; i < samples(600, 20000); i++) {
        body a, b;
        body_random(&a, SOLID_CLOUD, 1, &r);
        body_random(&b, SOLID_CLOUD, 1, &r);
        place(&a, &b, 1, true, &r);
        watch_distance(&a, &b, &r, &t);
        watch_contact(&a, &b, 1, &r, &t);
        body_free(&a);
        body_free(&b);
    }
    print_message("  %ld faces measured\n", t.kinds[CM_STEP_FACE]);
    assert_true(t.kinds[CM_STEP_FACE] > t.pairs / 4);
}

/* --- by hand ----------------------------------------------------------------------------------------------------- */

typedef struct story {
    int count;
    cm_step step[200];
    cm_step_vertex vertex[200][4];
    cm_vec3 polygon[200][64], reference[200][32];
    cm_contact_point contacts[200][64];
} story;

static void write_down(void *user, const cm_step *step) {
    story *s = user;
    assert_true(s->count < 200);
    const int n = s->count++;
    s->step[n] = *step;
    if (step->kind == CM_STEP_SIMPLEX)
        memcpy(s->vertex[n], step->vertices, (size_t)step->vertex_count * sizeof *step->vertices);
    if (step->polygon_count) memcpy(s->polygon[n], step->polygon, (size_t)step->polygon_count * sizeof *step->polygon);
    if (step->reference_count)
        memcpy(s->reference[n], step->reference, (size_t)step->reference_count * sizeof *step->reference);
    if (step->contact_count)
        memcpy(s->contacts[n], step->contacts, (size_t)step->contact_count * sizeof *step->contacts);
}

static cm_hull *hull_of(const cm_vec3 *points, uint32_t count) {
    cm_hull *hull = NULL;
    cm_hull_desc desc = {.points = &points[0].x, .point_count = count};
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    return hull;
}
/* A prism around the z axis, from z = -1 to 1. */
static cm_hull *prism(int sides, double radius) {
    cm_vec3 p[64];
    for (int i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * i / sides;
        p[2 * i] = cm_v(CM_REAL(radius * cos(angle)), CM_REAL(radius * sin(angle)), -1);
        p[2 * i + 1] = cm_v(p[2 * i].x, p[2 * i].y, 1);
    }
    return hull_of(p, 2 * (uint32_t)sides);
}

/* A square prism on a box, turned by 45 degrees and larger than it: the square's side is cut by four planes, and loses
 * its corners one by one: 4, 5, 6, 7, 8 of them are left. All eight touch, 0.25 deep, and all are kept. */
static void a_turned_square_on_a_square_is_clipped_to_an_octagon(void **state) {
    (void)state;
    static story s;
    cm_hull *hull = prism(4, 1.25);
    cm_shape low = cm_make_rounded_box(cm_v(1, 1, 1), CM_REAL(0.125)), high = cm_make_hull(hull);
    cm_pose at = {cm_v(5, 6, 7), cm_quat_identity()}, over = at;
    over.position.z += CM_REAL(1.875);
    cm_manifold m;
    s.count = 0;
    assert_int_equal(cm_contact_observed(&low, &at, &high, &over, 0, write_down, &s, &m, 1), 1);
    int clips = 0, contacts = 0;
    for (int n = 0; n < s.count; n++) {
        const cm_step *step = &s.step[n];
        if (step->kind == CM_STEP_CLIP) {
            assert_int_equal(step->side, clips == 0 ? CM_NONE : (uint32_t)clips - 1);
            check_that(step->polygon_count == 4 + clips, "%d corners after %d planes", step->polygon_count, clips);
            assert_int_equal(step->reference_count, 4);
            assert_true(step->direction.z == 1);
            const cm_real top = step->reference_is_a ? 8 : CM_REAL(7.875), bottom = CM_REAL(15.875) - top;
            for (int i = 0; i < 4; i++) assert_true(s.reference[n][i].z == top);
            for (int i = 0; i < step->polygon_count; i++) assert_true(s.polygon[n][i].z == bottom);
            clips++;
        }
        if (step->kind == CM_STEP_CONTACTS) {
            assert_int_equal(step->contact_count, 8);
            for (int i = 0; i < 8; i++)
                check_that(fabs((double)s.contacts[n][i].depth - 0.25) < 16 * EPS, "%g deep, not 0.25",
                           (double)s.contacts[n][i].depth);
            contacts++;
        }
    }
    assert_int_equal(clips, 5);
    assert_int_equal(contacts, 2);
    cm_hull_destroy(hull, NULL);
}

/* Twelve corners touch: eight of them are kept, the deepest among them. */
static void of_twelve_points_eight_are_kept(void **state) {
    (void)state;
    static story s;
    cm_hull *hull = prism(12, 1);
    cm_shape low = cm_make_box(cm_v(4, 4, 1)), high = cm_make_hull(hull);
    cm_pose at = cm_pose_identity(), over = at;
    over.position = cm_v(0, 0, CM_REAL(1.9375));
    cm_quat_from_axis_angle(cm_v(0, 1, 0), CM_REAL(1e-4), &over.rotation);
    cm_manifold m;
    s.count = 0;
    assert_int_equal(cm_contact_observed(&low, &at, &high, &over, 0, write_down, &s, &m, 1), 1);
    assert_true(s.count >= 2);
    const cm_contact_point *all = s.contacts[s.count - 2], *kept = s.contacts[s.count - 1];
    assert_int_equal(s.step[s.count - 2].contact_count, 12);
    assert_int_equal(s.step[s.count - 1].contact_count, 8);
    int deepest = 0;
    bool there = false;
    for (int i = 0; i < 12; i++) deepest = all[i].depth > all[deepest].depth ? i : deepest;
    for (int i = 0; i < 8; i++) {
        bool known = false;
        for (int k = 0; k < 12; k++) known = known || memcmp(&kept[i], &all[k], sizeof kept[i]) == 0;
        assert_true(known);
        there = there || kept[i].depth == all[deepest].depth;
    }
    assert_true(there);
    cm_hull_destroy(hull, NULL);
}

/* Asked the other way round, the pair is solved in the same order: the same steps, from B to A. */
static void the_other_way_round_the_steps_are_mirrored(void **state) {
    (void)state;
    static story s, t;
    rng r = rng_start("mirrored", 193);
    for (int i = 0; i < samples(300, 10000); i++) {
        body a, b;
        body_random(&a, SOLID_CLOUD, 1, &r);
        body_random(&b, i % 2 ? SOLID_CLOUD : SOLID_CONE, 1, &r);
        place(&a, &b, 1, false, &r);
        s.count = t.count = 0;
        cm_real forth = cm_distance_observed(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, write_down, &s, NULL);
        cm_real back = cm_distance_observed(&b.shape, &b.pose, &a.shape, &a.pose, CM_REAL_MAX, write_down, &t, NULL);
        check_that(forth == back, REAL_FORMAT " and " REAL_FORMAT, (double)forth, (double)back);
        check_that(s.count == t.count, "%d steps, and %d the other way round", s.count, t.count);
        for (int n = 0; n < s.count; n++) {
            const cm_step *p = &s.step[n], *q = &t.step[n];
            assert_true(p->kind == q->kind && p->search == q->search && p->index == q->index);
            assert_true(p->lower == q->lower && p->upper == q->upper && p->exact == q->exact);
            assert_true(same_place(p->direction, cm_neg(q->direction)));
            assert_true(same_place(p->closest, cm_neg(q->closest)));
            assert_true(same_place(p->support.a, q->support.b) && same_place(p->support.b, q->support.a));
            for (int k = 0; k < p->vertex_count && p->kind == CM_STEP_SIMPLEX; k++)
                assert_true(same_place(s.vertex[n][k].a, t.vertex[n][k].b));
        }
        body_free(&a);
        body_free(&b);
    }
}

/* The search counts its own steps: every one is shown. */
static void every_step_is_shown(void **state) {
    (void)state;
    static story s;
    rng r = rng_start("counted", 195);
    long compared = 0, deep = 0;
    for (int i = 0; i < samples(600, 20000); i++) {
        body a, b; /* a hull comes after all of these in the list of shapes, so A is the first */
        body_random(&a, i % 2 ? SOLID_BOX : SOLID_CYLINDER, 1, &r);
        body_random(&b, SOLID_CLOUD, 1, &r);
        if (a.shape.kind >= b.shape.kind) fail();
        s.count = 0;
        cm_distance_observed(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, write_down, &s, NULL);
        cm_pose b_in_a = cm_pose_between(&a.pose, &b.pose);
        const cm__frame frame = frame_of_pose(&b_in_a);
        cm__core core_a, core_b;
        cm__convex_pair pair;
        cm__convex_gap gap;
        cm__ops(a.shape.kind)->core(&a.shape, &core_a);
        cm__ops(b.shape.kind)->core(&b.shape, &core_b);
        cm__convex_pair_of(&core_a, &core_b, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        int steps = 0, polytope = 0;
        uint32_t searches = s.step[s.count - 1].search, ended = gap.depth_steps > 0;
        for (int n = 0; n < s.count; n++) {
            const cm_step *p = &s.step[n];
            steps += p->kind == CM_STEP_SIMPLEX && cm_largest(p->direction) > 0 && p->search + ended + 1 == searches;
            polytope += p->kind == CM_STEP_POLYTOPE && p->face_count > 0;
        }
        if (searches == (pair.sharp ? 2 : 1) + ended) { /* none was tried again */
            check_that(steps == gap.steps && polytope == gap.depth_steps, "%d and %d steps shown, %d and %d taken",
                       steps, polytope, gap.steps, gap.depth_steps);
            compared++, deep += ended;
        }
        body_free(&a);
        body_free(&b);
    }
    print_message("  %ld compared, %ld overlap\n", compared, deep);
    assert_true(deep > 20 && compared - deep > 20);
}

static void nothing_is_shown_of_bad_input(void **state) {
    (void)state;
    static story s;
    cm_shape cone = cm_make_cone(1, 1), bad = cm_make_cone(-1, 1);
    cm_pose at = cm_pose_identity(), nowhere = at;
    nowhere.position.x = (cm_real)NAN;
    cm_witness w;
    cm_manifold m;
    s.count = 0;
    assert_true(cm_distance_observed(&cone, &at, &bad, &at, 1, write_down, &s, &w) == CM_REAL_MAX);
    assert_true(cm_distance_observed(&cone, &at, &cone, &nowhere, 1, write_down, &s, &w) == CM_REAL_MAX);
    assert_true(cm_distance_observed(&cone, &at, NULL, &at, 1, write_down, &s, &w) == CM_REAL_MAX);
    assert_true(cm_distance_observed(&cone, &at, &cone, &at, -1, write_down, &s, &w) == CM_REAL_MAX);
    assert_int_equal(cm_contact_observed(&cone, &at, &bad, &at, 0, write_down, &s, &m, 1), 0);
    assert_int_equal(cm_contact_observed(&cone, &at, &cone, &at, (cm_real)NAN, write_down, &s, &m, 1), 0);
    assert_int_equal(cm_contact_observed(&cone, &at, &cone, &at, 0, write_down, &s, NULL, 1), 0);
    assert_int_equal(s.count, 0);
    assert_true(cm_distance_observed(&cone, &at, &cone, &at, 1, NULL, NULL, NULL) ==
                cm_distance(&cone, &at, &cone, &at, 1, NULL));
    assert_int_equal(cm_contact_observed(&cone, &at, &cone, &at, 0, NULL, NULL, &m, 1), 1);
    assert_string_equal(cm_step_kind_text(CM_STEP_CONTACTS), "contacts");
    assert_string_equal(cm_step_kind_text((cm_step_kind)99), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_search),
        cmocka_unit_test(hulls_that_touch_by_little_are_bounded_too),
        cmocka_unit_test(a_turned_square_on_a_square_is_clipped_to_an_octagon),
        cmocka_unit_test(of_twelve_points_eight_are_kept),
        cmocka_unit_test(the_other_way_round_the_steps_are_mirrored),
        cmocka_unit_test(every_step_is_shown),
        cmocka_unit_test(nothing_is_shown_of_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
