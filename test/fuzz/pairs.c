/* Two shapes of nasty numbers, at rest and in motion, and rays at them: whatever comes in, answers keep their word.
 * Nothing is said about how right a distance is where the numbers leave no digits; the other tests do that. */
#include "support/nasty.h"

typedef struct two {
    nasty n;
    nasty_shape a, b;
    cm_pose pose_a, pose_b;
    bool valid, lies;
    cm_real noise; /* what may be lost of a distance where one is many million times as large as the other */
    cm_real loose; /* how far off unit rotations are: a normal is as far */
    int sample;
} two;

static cm_real two_reach(const cm_shape *shape, const cm_pose *pose) {
    cm_aabb box;
    cm_shape_bounds(shape, pose, &box);
    return cm_max(cm_largest(box.min), cm_largest(box.max));
}

static void two_make(two *t, int sample) {
    t->sample = sample;
    nasty_turn(&t->n);
    nasty_shape_random(&t->a, &t->n);
    bool mixed = t->n.mixed, abyss = t->n.abyss;
    if (rng_below(&t->n.r, 4) == 0) {
        nasty_turn(&t->n);
        t->n.mixed = true, t->n.abyss |= abyss;
    }
    t->n.mixed |= mixed;
    nasty_shape_random(&t->b, &t->n);
    t->pose_a = nasty_pose(&t->n);
    t->pose_b = rng_below(&t->n.r, 5) ? nasty_pose(&t->n) : t->pose_a;
    t->valid = cm_shape_check(&t->a.shape, NULL) == CM_OK && cm_shape_check(&t->b.shape, NULL) == CM_OK &&
               cm_pose_is_valid(&t->pose_a) && cm_pose_is_valid(&t->pose_b);
    cm_quat p = t->pose_a.rotation, q = t->pose_b.rotation;
    t->loose = 3 * (cm_abs(p.x * p.x + p.y * p.y + p.z * p.z + p.w * p.w - 1) +
                    cm_abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1));
    t->noise = CM_REAL(1e-9) * (two_reach(&t->a.shape, &t->pose_a) + two_reach(&t->b.shape, &t->pose_b));
    t->lies = t->a.lies || t->b.lies || !(t->loose < CM_REAL(1e-5));
    if (t->a.compound || t->b.compound) t->loose += CM_REAL(1.2e-2);
    if (t->a.shape.kind == CM_SHAPE_HALFSPACE || t->b.shape.kind == CM_SHAPE_HALFSPACE) t->loose += CM_REAL(2e-3);
}
static void two_free(two *t) {
    nasty_shape_free(&t->a);
    nasty_shape_free(&t->b);
}
static void two_print(const two *t) {
    print_error("sample %d, %s\n", t->sample, t->valid ? "valid" : "invalid");
    nasty_print_shape("a", &t->a.shape);
    nasty_print_pose("at", &t->pose_a);
    nasty_print_shape("b", &t->b.shape);
    nasty_print_pose("at", &t->pose_b);
}
#define holds(condition, ...)                                                                                          \
    do {                                                                                                               \
        bool holds_ = (condition) || t->n.abyss;                                                                       \
        if (!holds_) two_print(t);                                                                                     \
        check_that(holds_, #condition "; " __VA_ARGS__);                                                               \
    } while (0)

/* Within what the rotations are off unit themselves, of children too. */
static bool is_unit(const two *t, cm_vec3 n) {
    cm_real off = cm_abs(cm_length(n) - 1), loose = t->loose;
    return off <= CM_REAL(1e-4) + (loose > 0 ? loose : 0); /* it may be NaN */
}

/* A decision may waver only where one shape is many million times as large as the other, by what doubles lose then. */
static bool is_noise(const two *t, cm_real d) { return t->n.mixed && cm_abs(d) <= t->noise; }

static void check_distance(two *t) {
    const cm_shape *a = &t->a.shape, *b = &t->b.shape;
    cm_witness w, none;
    memset(&w, NASTY_FILL, sizeof w);
    bool overlap = cm_overlap(a, &t->pose_a, b, &t->pose_b);
    cm_real d = cm_distance(a, &t->pose_a, b, &t->pose_b, CM_REAL_MAX, &w);
    holds(d == d, "distance is NaN");
    if (!t->lies) holds(overlap == (d <= 0) || is_noise(t, d), "overlap %d, distance %g", overlap, (double)d);
    if (!t->valid) {
        holds(!overlap && d == CM_REAL_MAX && nasty_untouched(&w, sizeof w), "%d %g", overlap, (double)d);
    } else if (!nasty_untouched(&w, sizeof w)) {
        holds(w.distance == d, "%g and %g", (double)w.distance, (double)d);
        holds(is_unit(t, w.normal), "normal %g %g %g", (double)w.normal.x, (double)w.normal.y, (double)w.normal.z);
        holds(nasty_is_finite(w.point_a) && nasty_is_finite(w.point_b), "points");
        holds(!(w.flags & ~(uint32_t)CM_WITNESS_LOWER_BOUND), "flags %x", w.flags);
    } else {
        holds(d == CM_REAL_MAX, "no witness of %g", (double)d);
    }
    /* a limit changes nothing but what is beyond it */
    cm_real limit = rng_below(&t->n.r, 2) ? nasty_real(&t->n) : d * CM_REAL(rng_range(&t->n.r, 0.5, 1.5));
    memset(&none, NASTY_FILL, sizeof none);
    cm_real within = cm_distance(a, &t->pose_a, b, &t->pose_b, limit, &none);
    if (nasty_untouched(&none, sizeof none)) {
        holds(within == CM_REAL_MAX, "%g", (double)within);
        bool near = limit > 0 && limit <= CM_REAL_MAX && d < limit * CM_REAL(0.999) && d > t->noise;
        holds(!t->valid || !near || t->lies, "%g missed within %g", (double)d, (double)limit);
        holds(t->lies || !overlap || !(limit >= 0) || is_noise(t, d), "overlap missed within %g", (double)limit);
    } else {
        holds(within <= limit && (t->lies || (within <= 0) == overlap || is_noise(t, within)), "%g within %g",
              (double)within, (double)limit);
    }
    /* the other way round */
    cm_real back = cm_distance(b, &t->pose_b, a, &t->pose_a, CM_REAL_MAX, NULL);
    if (t->lies) return;
    if (a->kind != b->kind) {
        holds(!memcmp(&back, &d, sizeof d) || back == d, "%g, swapped %g", (double)d, (double)back);
        holds(cm_overlap(b, &t->pose_b, a, &t->pose_a) == overlap, "%d", overlap);
    } else {
        holds(cm_overlap(b, &t->pose_b, a, &t->pose_a) == (back <= 0), "swapped %g", (double)back);
    }
    /* with a cache of anything */
    cm_pair_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 2; i++) {
        cm_real again = cm_distance_cached(a, &t->pose_a, b, &t->pose_b, CM_REAL_MAX, &cache, NULL);
        holds(((again <= 0) == overlap || is_noise(t, again)) && again == again, "%g cached %g", (double)d,
              (double)again);
        holds(cm_overlap_cached(a, &t->pose_a, b, &t->pose_b, &cache) == overlap, "%d", overlap);
    }
}

static void check_contact(two *t) {
    enum { ROOM = 5 };
    const cm_shape *a = &t->a.shape, *b = &t->b.shape;
    cm_manifold m[ROOM + 1];
    memset(m, NASTY_FILL, sizeof m);
    bool overlap = cm_overlap(a, &t->pose_a, b, &t->pose_b);
    cm_real margin = rng_below(&t->n.r, 2) ? 0 : nasty_real(&t->n);
    int count = cm_contact(a, &t->pose_a, b, &t->pose_b, margin, m, ROOM);
    holds(count >= 0, "%d", count);
    if (!t->valid || !(margin >= 0)) holds(count == 0, "%d contacts, margin %g", count, (double)margin);
    if (t->valid && margin >= 0 && overlap && !t->lies) holds(count > 0, "no contact, margin %g", (double)margin);
    bool digits = t->n.scale >= (double)CM_REAL_MIN; /* else a pose is rounded by as much as the shapes are large */
    if (margin == 0 && !overlap && !t->lies && !t->n.mixed && digits) holds(count == 0, "%d contacts", count);
    int written = count < ROOM ? count : ROOM;
    for (int i = 0; i < written; i++) {
        holds(m[i].count >= 1 && m[i].count <= 8, "%d points", m[i].count);
        holds(is_unit(t, m[i].normal), "normal %g %g %g", (double)m[i].normal.x, (double)m[i].normal.y,
              (double)m[i].normal.z);
        for (int k = 0; k < m[i].count; k++) {
            const cm_contact_point *p = &m[i].points[k];
            holds(nasty_is_finite(p->point_a) && nasty_is_finite(p->point_b), "points");
            cm_real off = CM_REAL_MIN + (t->n.mixed ? t->noise : 0);
            holds(cm_abs(p->depth) <= CM_REAL_MAX && (t->lies || p->depth >= -margin * CM_REAL(1.01) - off),
                  "depth %g, margin %g", (double)p->depth, (double)margin);
        }
    }
    /* of composites more may be written down than is returned */
    const int touched = written > 0 && (has_parts(a) || has_parts(b)) ? ROOM : written;
    holds(nasty_untouched(&m[touched], sizeof m[0]), "wrote beyond %d", touched);
    for (int room = -1; room <= 9 && written; room += 2)
        cm_manifold_reduce(&m[0], room), assert_in_range(m[0].count, 1, 8);
    holds(cm_contact(a, &t->pose_a, b, &t->pose_b, margin, NULL, 0) == count, "%d", count);
    cm_contact(a, &t->pose_a, b, &t->pose_b, margin, NULL, 3), cm_contact(a, &t->pose_a, b, &t->pose_b, margin, m, -1);
}

static bool visit_crossing(void *user, const cm_crossing *c) {
    if (!nasty_is_finite(c->start) || !nasty_is_finite(c->end)) *(bool *)user = false;
    return true;
}

static void check_relation(two *t) {
    cm_relation_result out;
    memset(&out, NASTY_FILL, sizeof out);
    cm_real tolerance = rng_below(&t->n.r, 2) ? 0 : nasty_real(&t->n);
    cm_real gap = rng_below(&t->n.r, 2) ? CM_REAL_MAX : nasty_real(&t->n);
    bool good = true;
    const cm_shape *a = &t->a.shape, *b = &t->b.shape;
    cm_status status = cm_mesh_relation(a, &t->pose_a, b, &t->pose_b, tolerance, gap, &out);
    uint64_t crossings = cm_mesh_crossings(a, &t->pose_a, b, &t->pose_b, visit_crossing, &good);
    holds(good, "a crossing that is not finite");
    if (status != CM_OK) {
        holds(nasty_untouched(&out, sizeof out), "%d", status);
        if (!t->valid) holds(crossings == 0, "crossings of invalid meshes");
        return;
    }
    holds(t->valid && a->kind == CM_SHAPE_MESH && b->kind == CM_SHAPE_MESH, "a relation of others");
    holds(out.relation > CM_RELATION_NONE && out.relation <= CM_RELATION_CROSSING, "%d", out.relation);
    holds(out.distance == out.distance && out.tolerance >= 0, "%g %g", (double)out.distance, (double)out.tolerance);
    if (out.distance < CM_REAL_MAX) holds(nasty_is_finite(out.point_a) && nasty_is_finite(out.point_b), "points");
    holds(out.crossings == crossings, "%u and %u crossings", (unsigned)out.crossings, (unsigned)crossings);
}

static cm_motion nasty_motion(nasty *n, const cm_pose *start) {
    cm_motion m;
    memset(&m, 0, sizeof m);
    m.start = *start;
    m.move = nasty_vec3(n);
    if (rng_below(&n->r, 4) == 0) m.move = cm_scale(m.move, CM_REAL(1000)); /* huge moves, perhaps beyond */
    if (rng_below(&n->r, 2)) m.spin = rng_below(&n->r, 4) ? rng_vec3(&n->r, 8) : nasty_vec3(n);
    if (rng_below(&n->r, 4) == 0) m.pivot = nasty_vec3(n);
    if (rng_below(&n->r, 4) == 0) m.accelerate = nasty_vec3(n);
    return m;
}

static void check_sweep(two *t) {
    const cm_shape *a = &t->a.shape, *b = &t->b.shape;
    cm_motion ma = nasty_motion(&t->n, &t->pose_a), mb = nasty_motion(&t->n, &t->pose_b);
    if (rng_below(&t->n.r, 3) == 0) {
        memset(&mb, 0, sizeof mb);
        mb.start = t->pose_b;
    }
    cm_sweep_hit hit;
    memset(&hit, NASTY_FILL, sizeof hit);
    bool valid = t->valid && cm_vec3_is_valid(ma.move) && cm_vec3_is_valid(mb.move) && cm_vec3_is_valid(ma.spin) &&
                 cm_vec3_is_valid(mb.spin) && cm_vec3_is_valid(ma.pivot) && cm_vec3_is_valid(mb.pivot) &&
                 cm_largest(ma.move) + cm_largest(ma.accelerate) <= CM_COORD_MAX &&
                 cm_largest(mb.move) + cm_largest(mb.accelerate) <= CM_COORD_MAX;
    bool met = cm_sweep(a, &ma, b, &mb, &hit), start = cm_overlap(a, &t->pose_a, b, &t->pose_b);
    bool digits = t->n.scale >= (double)CM_REAL_MIN; /* else a pose is rounded by as much as the shapes are large */
    if (!met) {
        holds(nasty_untouched(&hit, sizeof hit), "a miss that is written");
        holds(t->lies || t->n.mixed || !digits || !(valid && start), "overlapping at the start, and no hit");
        return;
    }
    holds(valid, "a hit of invalid motions");
    holds(hit.first >= 0 && hit.first <= hit.last && hit.last <= 1, "%g %g", (double)hit.first, (double)hit.last);
    holds(hit.start <= CM_SWEEP_OVERLAPPING, "%d", hit.start);
    holds(is_unit(t, hit.normal), "normal %g %g %g", (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
    holds(nasty_is_finite(hit.point), "point");
    if (hit.start == CM_SWEEP_OVERLAPPING) holds(hit.first == 0 || hit.blocking, "%g", (double)hit.first);
    if (!start && !t->lies && !t->n.mixed && digits) holds(hit.start != CM_SWEEP_OVERLAPPING, "%d", hit.start);
    if (hit.start == CM_SWEEP_SEPARATED) holds(hit.first > 0, "apart, and %g", (double)hit.first);
    cm_pose at;
    cm_motion_at(&ma, hit.first, &at);
    holds(nasty_is_finite(at.position), "pose at the hit");
}

static void check_ray(two *t) {
    cm_ray ray;
    ray.origin = nasty_vec3(&t->n);
    ray.direction = rng_below(&t->n.r, 2) ? nasty_direction(&t->n) : nasty_vec3(&t->n);
    ray.max = rng_below(&t->n.r, 2) ? CM_REAL_MAX : nasty_size(&t->n);
    if (rng_below(&t->n.r, 8) == 0) ray.max = (cm_real)HUGE_VAL;
    bool valid = cm_ray_is_valid(&ray) && cm_shape_check(&t->a.shape, NULL) == CM_OK && cm_pose_is_valid(&t->pose_a);
    cm_ray_hit hit;
    memset(&hit, NASTY_FILL, sizeof hit);
    bool met = cm_raycast(&ray, &t->a.shape, &t->pose_a, &hit);
    holds(cm_raycast(&ray, &t->a.shape, &t->pose_a, NULL) == met, "%d", met);
    if (!met) {
        holds(nasty_untouched(&hit, sizeof hit), "a miss that is written");
        return;
    }
    if (!valid) print_error("ray max %a\n", (double)ray.max);
    holds(valid, "an invalid ray meets");
    if (!(hit.t >= 0 && hit.t <= hit.exit && hit.exit <= ray.max))
        print_error("origin %a %a %a direction %a %a %a max %a\n", (double)ray.origin.x, (double)ray.origin.y,
                    (double)ray.origin.z, (double)ray.direction.x, (double)ray.direction.y, (double)ray.direction.z,
                    (double)ray.max);
    holds(hit.t >= 0 && hit.t <= hit.exit && hit.exit <= ray.max, "t %g exit %g", (double)hit.t, (double)hit.exit);
    holds(is_unit(t, hit.normal), "normal %g %g %g", (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
    if (!nasty_is_finite(hit.point))
        print_error("origin %a %a %a direction %a %a %a max %a t %a point %g %g %g\n", (double)ray.origin.x,
                    (double)ray.origin.y, (double)ray.origin.z, (double)ray.direction.x, (double)ray.direction.y,
                    (double)ray.direction.z, (double)ray.max, (double)hit.t, (double)hit.point.x, (double)hit.point.y,
                    (double)hit.point.z);
    holds(nasty_is_finite(hit.point), "point");
    if (hit.inside) holds(hit.t == 0 || t->a.shape.kind >= CM_SHAPE_MESH, "inside, and t %g", (double)hit.t);
}

static void run_pairs(const char *what, uint64_t seed, int count, void (*check)(two *)) {
    two t;
    memset(&t, 0, sizeof t);
    t.n.r = rng_start(what, seed);
    seed = t.n.r.state; /* shifted by CAROM_SEED */
    double worst = 0;
    int valid = 0, slowest = 0;
    for (int i = 0; i < count; i++) {
        t.n.r.state = seed << 32 | (uint32_t)i; /* so that each can be made again alone */
        two_make(&t, i);
        valid += t.valid;
        double start = nasty_clock();
        check(&t);
        double took = nasty_clock() - start;
        if (took > worst) worst = took, slowest = i;
        two_free(&t);
    }
    print_message("  %s: %d of %d valid; the longest, sample %d, took %.3g ms\n", what, valid, count, slowest,
                  1e3 * worst);
    check_that(valid > count / 4, "%d of %d", valid, count);
}

static void distances_keep_their_word(void **state) {
    (void)state;
    run_pairs("distances", 11, samples(5000, 2000000), check_distance);
}
static void contacts_keep_their_word(void **state) {
    (void)state;
    run_pairs("contacts", 12, samples(5000, 2000000), check_contact);
}
static void relations_keep_their_word(void **state) {
    (void)state;
    run_pairs("relations", 13, samples(5000, 2000000), check_relation);
}
static void sweeps_keep_their_word(void **state) {
    (void)state;
    run_pairs("sweeps", 14, samples(2000, 1000000), check_sweep);
}
static void rays_keep_their_word(void **state) {
    (void)state;
    run_pairs("rays", 15, samples(5000, 2000000), check_ray);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_keep_their_word), cmocka_unit_test(contacts_keep_their_word),
        cmocka_unit_test(relations_keep_their_word), cmocka_unit_test(sweeps_keep_their_word),
        cmocka_unit_test(rays_keep_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
