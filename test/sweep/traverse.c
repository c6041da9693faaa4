/* The traversal over (node of A, node of B, interval of time) and what it makes of sweeps: closed forms, an oracle of
 * its own that looks at triangles at many times, budgets and their limits, both orders, trees that hold every part. */
#include "motions.h"
#include "support/meshes.h"
#include "support/support.h"
#include "sweep/shapes.h"
#include "sweep/traverse.h"
#include "shape/shape.h"

#include <math.h>

/* --- meshes ------------------------------------------------------------------------------------------------------ */

enum { SOUP = 256 };

typedef struct soup {
    double p[SOUP][3][3];
    int count;
} soup;

static void soup_add(soup *s, const double a[3], const double b[3], const double c[3]) {
    assert_true(s->count < SOUP);
    memcpy(s->p[s->count][0], a, 24), memcpy(s->p[s->count][1], b, 24), memcpy(s->p[s->count][2], c, 24);
    s->count++;
}

/* The two triangles of a rectangle from p along a and b. */
static void soup_quad(soup *s, const double p[3], const double a[3], const double b[3]) {
    double q[3], r[3], t[3];
    for (int k = 0; k < 3; k++) q[k] = p[k] + a[k], r[k] = p[k] + b[k], t[k] = p[k] + a[k] + b[k];
    soup_add(s, p, q, r);
    soup_add(s, q, t, r);
}

/* Numbers are rounded to cm_real here, so that the mesh is the very soup. */
static cm_mesh *soup_mesh(soup *s) {
    static cm_real points[SOUP * 9];
    static uint32_t indices[SOUP * 3];
    for (int i = 0; i < s->count * 9; i++) {
        double *x = &s->p[0][0][0] + i;
        points[i] = (cm_real)*x;
        *x = (double)points[i];
    }
    for (uint32_t i = 0; i < (uint32_t)s->count * 3; i++) indices[i] = i;
    return mesh_of(points, (uint32_t)s->count * 3, indices, (uint32_t)s->count, false);
}

static void soup_random(soup *s, rng *r) {
    s->count = 0;
    const int kind = (int)rng_below(r, 3), n = 2 + (int)rng_below(r, 4);
    for (int i = 0; kind == 0 && i < 3 * n; i++) { /* apart from each other */
        double c[3][3], at[3];
        for (int k = 0; k < 3; k++) at[k] = rng_range(r, -1, 1);
        for (int k = 0; k < 9; k++) c[k / 3][k % 3] = at[k % 3] + rng_range(r, -.5, .5);
        soup_add(s, c[0], c[1], c[2]);
    }
    for (int i = 0; kind == 1 && i < n * n; i++) { /* a plate, with nice numbers */
        const double p[3] = {2.0 * (i % n) / n - 1, 2.0 * (i / n) / n - 1, 0}, a[3] = {2.0 / n, 0, 0},
                     b[3] = {0, 2.0 / n, 0};
        soup_quad(s, p, a, b);
    }
    for (int i = 0; kind == 2 && i < 4; i++) { /* a channel */
        const double p[3] = {i % 2 ? .5 : -.5, i / 2 ? .5 : -.5, -1}, a[3] = {0, 0, 2};
        const double b[3] = {i == 0 ? 1 : i == 3 ? -1 : 0, i == 2 ? -1 : i == 1 ? 1 : 0, 0};
        soup_quad(s, p, a, b);
    }
}

/* --- triangles at a time ----------------------------------------------------------------------------------------- */

/* The motion's place of a point at a time, from its definition (sweep.h), in double. */
static void moved(const cm_motion *m, double u, const double p[3], double out[3]) {
    const double qx = (double)m->start.rotation.x, qy = (double)m->start.rotation.y, qz = (double)m->start.rotation.z,
                 qw = (double)m->start.rotation.w, s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
    const double turn[3][3] = {{1 - s * (qy * qy + qz * qz), s * (qx * qy - qw * qz), s * (qx * qz + qw * qy)},
                               {s * (qx * qy + qw * qz), 1 - s * (qx * qx + qz * qz), s * (qy * qz - qw * qx)},
                               {s * (qx * qz - qw * qy), s * (qy * qz + qw * qx), 1 - s * (qx * qx + qy * qy)}};
    const double pivot[3] = {(double)m->pivot.x, (double)m->pivot.y, (double)m->pivot.z};
    const double at[3] = {(double)m->start.position.x, (double)m->start.position.y, (double)m->start.position.z};
    const double move[3] = {(double)m->move.x, (double)m->move.y, (double)m->move.z};
    const double pull[3] = {(double)m->accelerate.x, (double)m->accelerate.y, (double)m->accelerate.z};
    double w[3] = {(double)m->spin.x, (double)m->spin.y, (double)m->spin.z}, arm[3], center[3];
    const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (int k = 0; k < 3; k++) {
        arm[k] = center[k] = 0;
        for (int j = 0; j < 3; j++) arm[k] += turn[k][j] * (p[j] - pivot[j]), center[k] += turn[k][j] * pivot[j];
        center[k] += at[k] + u * move[k] + u * u / 2 * pull[k];
        w[k] = angle > 0 ? w[k] / angle : 0;
    }
    const double sine = sin(u * angle), cosine = cos(u * angle), along = w[0] * arm[0] + w[1] * arm[1] + w[2] * arm[2];
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = center[k] + arm[k] * cosine + (w[i] * arm[j] - w[j] * arm[i]) * sine + w[k] * along * (1 - cosine);
    }
}

static double volume(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double e[3][3];
    for (int k = 0; k < 3; k++) e[0][k] = b[k] - a[k], e[1][k] = c[k] - a[k], e[2][k] = d[k] - a[k];
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/* Does an edge of one pass through the other, beyond doubt: are all signs larger than rounding? */
static bool pierces(const double p[3], const double q[3], double t[3][3]) {
    const double sure = 1e-11, a = volume(t[0], t[1], t[2], p), b = volume(t[0], t[1], t[2], q);
    if (!(fabs(a) > sure && fabs(b) > sure && (a > 0) != (b > 0))) return false;
    const double c = volume(p, q, t[0], t[1]), d = volume(p, q, t[1], t[2]), e = volume(p, q, t[2], t[0]);
    return (c > sure && d > sure && e > sure) || (c < -sure && d < -sure && e < -sure);
}

static bool soups_cross(const soup *a, const cm_motion *ma, const soup *b, const cm_motion *mb, double u) {
    static double pa[SOUP][3][3], pb[SOUP][3][3];
    for (int i = 0; i < a->count * 3; i++) moved(ma, u, a->p[i / 3][i % 3], pa[i / 3][i % 3]);
    for (int i = 0; i < b->count * 3; i++) moved(mb, u, b->p[i / 3][i % 3], pb[i / 3][i % 3]);
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            for (int k = 0; k < 3; k++)
                if (pierces(pa[i][k], pa[i][(k + 1) % 3], pb[j]) || pierces(pb[j][k], pb[j][(k + 1) % 3], pa[i]))
                    return true;
    return false;
}

/* The promised gap of two soups in motion. */
static double promised(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    return cm__sweep_band(a, ma, b, mb);
}

static void check_both_orders(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    cm_sweep_hit h, back;
    const bool hit = cm_sweep(a, ma, b, mb, &h), other = cm_sweep(b, mb, a, ma, &back);
    check_that(hit == other, "one order %d, the other %d", hit, other);
    if (!hit) return;
    check_that(h.first == back.first && h.start == back.start && h.blocking == back.blocking && h.proof == back.proof,
               "first %.17g and %.17g, blocking %d and %d", (double)h.first, (double)back.first, h.blocking,
               back.blocking);
}

/* Random soups, plates and channels that turn and start apart: at no time looked at before `first` do they cross, where
 * there is none at no time at all; at `first` no more than the promised gap is left; both orders say the same. */
static void nothing_crosses_before_the_first_contact(void **state) {
    (void)state;
    rng r = rng_start("soups", 171);
    const int count = samples(1000, 20000), looks = 150;
    int met = 0, missed = 0, crossed = 0;
    for (int i = 0; i < count; i++) {
        soup sa, sb;
        soup_random(&sa, &r), soup_random(&sb, &r);
        cm_mesh *mesh_a = soup_mesh(&sa), *mesh_b = soup_mesh(&sb);
        const cm_shape a = cm_make_mesh(mesh_a), b = cm_make_mesh(mesh_b);
        cm_motion ma = random_motion(&r, 1, 1, rng_below(&r, 4) > 0), mb = random_motion(&r, 1, 2, true);
        mb.start.position = cm_add(mb.start.position, cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, 2, 4))));
        if (rng_below(&r, 3) == 0) mb.spin = cm_scale(mb.spin, 5);
        if (rng_below(&r, 4) == 0) ma.accelerate = rng_vec3(&r, 2);
        mb.move = cm_sub(mb.move, cm_scale(mb.start.position, CM_REAL(.7)));
        cm_sweep_hit h;
        const bool hit = cm_sweep(&a, &ma, &b, &mb, &h);
        if (!hit || h.start == CM_SWEEP_SEPARATED) {
            const double until = hit ? (double)h.first : 1;
            for (int k = 1; k < looks; k++)
                check_that(!soups_cross(&sa, &ma, &sb, &mb, until * k / looks), "%d: they cross at %.17g, first %.17g",
                           i, until * k / looks, until);
            met += hit, missed += !hit;
            if (hit && h.proof == CM_PROOF_CONTACT) {
                const double gap = gap_at(&a, &ma, &b, &mb, until), most = promised(&a, &ma, &b, &mb);
                check_that(gap <= 2 * most, "%d: %g is left at %.17g, promised %g", i, gap, until, most);
                for (int k = 1; k < 8; k++) crossed += k == 1 && soups_cross(&sa, &ma, &sb, &mb, until + .01);
            }
            if (i % 4 == 0) check_both_orders(&a, &ma, &b, &mb);
        }
        cm_mesh_destroy(mesh_a, NULL), cm_mesh_destroy(mesh_b, NULL);
    }
    check_that(met > count / 20 && missed > count / 20 && crossed > met / 4, "%d met, %d missed, %d crossed", met,
               missed, crossed);
    printf("  %d met, %d of them cross soon after, %d missed\n", met, crossed, missed);
}

/* --- closed forms ------------------------------------------------------------------------------------------------ */

/* A square rod of half side 1/2 turns about its axis between two plates 0.6 from it: its corners reach sin(45 degrees +
 * f) / sqrt 2, which is 0.6 at an angle of f = asin(0.6 sqrt 2) - 45 degrees; plates farther than 1 / sqrt 2 it never
 * meets. */
static void a_square_rod_turns_in_a_slot(void **state) {
    (void)state;
    const double pi = acos(-1);
    cm_mesh *rod = mesh_box(cm_v(CM_REAL(-.5), CM_REAL(-.5), -2), cm_v(CM_REAL(.5), CM_REAL(.5), 2), true);
    const cm_compound_child child = {.shape = cm_make_box(cm_v(CM_REAL(.5), CM_REAL(.5), 2)),
                                     .pose = cm_pose_identity()};
    const cm_compound_desc desc = {&child, 1};
    cm_compound *compound;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    const cm_shape forms[3] = {cm_make_mesh(rod), cm_make_box(cm_v(CM_REAL(.5), CM_REAL(.5), 2)),
                               cm_make_compound(compound)};
    for (int wide = 0; wide < 2; wide++) {
        const double gap = wide ? .7075 : .6;
        soup s = {.count = 0};
        for (int side = -1; side <= 1; side += 2) {
            const double p[3] = {-3, side * gap, -3}, a[3] = {6, 0, 0}, b[3] = {0, 0, 6};
            soup_quad(&s, p, a, b);
        }
        cm_mesh *slot = soup_mesh(&s);
        const cm_shape b = cm_make_mesh(slot);
        const double expected = (asin(s.p[2][0][1] * sqrt(2)) - pi / 4) / 2;
        for (int k = 0; k < 3; k++) {
            cm_motion m = motion_at_rest(), still = m;
            m.spin = cm_v(0, 0, 2);
            cm_sweep_hit h;
            const bool hit = cm_sweep(&forms[k], &m, &b, &still, &h);
            check_that(hit == !wide, "form %d, %g: hit %d", k, gap, hit);
            if (!hit) continue;
            const double bound = 2 * promised(&forms[k], &m, &b, &still) / .7; /* that is how fast the corner comes */
            check_that((double)h.first <= expected && (double)h.first > expected - bound,
                       "form %d: first %.17g, expected %.17g", k, (double)h.first, expected);
            check_that(h.blocking && h.proof == CM_PROOF_CONTACT, "blocking %d, proof %d", h.blocking, h.proof);
            check_both_orders(&forms[k], &m, &b, &still);
        }
        cm_mesh_destroy(slot, NULL);
    }
    cm_mesh_destroy(rod, NULL);
    cm_compound_destroy(compound, NULL);
}

/* A wheel of n flat paddles from radius 1/4 to 1, along the z axis. */
static cm_mesh *paddles(int n, soup *s) {
    const double pi = acos(-1);
    s->count = 0;
    for (int i = 0; i < n; i++) {
        const double c = cos(2 * pi * i / n), d = sin(2 * pi * i / n);
        const double p[3] = {c / 4, d / 4, -.5}, a[3] = {c * 3 / 4, d * 3 / 4, 0}, b[3] = {0, 0, 1};
        soup_quad(s, p, a, b);
    }
    return soup_mesh(s);
}

/* Teeth: a wheel of 12 turns, from where a tooth lies at f = 0.1 before a bar across their way, parallel to the axis at
 * radius 3/4: the tooth is there at 0.1 / spin. A bar beyond the teeth is never met, five turns long. */
static void a_tooth_meets_a_bar(void **state) {
    (void)state;
    const double bound = sizeof(cm_real) == 4 ? 4e-6 : 1e-13;
    soup s;
    cm_mesh *wheel = paddles(12, &s);
    const cm_shape a = cm_make_mesh(wheel);
    for (int out = 0; out < 2; out++) {
        const double radius = out ? 1.001 : .75;
        soup bar = {.count = 0};
        const double p[3] = {radius * cos(.1), radius * sin(.1), -.25}, along[3] = {0, 0, .5},
                     away[3] = {.5 * cos(.1), .5 * sin(.1), 0};
        soup_quad(&bar, p, away, along);
        cm_mesh *mesh = soup_mesh(&bar);
        const cm_shape b = cm_make_mesh(mesh);
        cm_motion m = motion_at_rest(), still = m;
        m.spin = cm_v(0, 0, out ? 31 : 1);
        cm_sweep_hit h;
        const bool hit = cm_sweep(&a, &m, &b, &still, &h);
        check_that(hit == !out, "radius %g: hit %d", radius, hit);
        if (hit)
            check_that((double)h.first <= .1 + bound && (double)h.first > .1 - 4 * bound && h.blocking,
                       "first %.17g, blocking %d", (double)h.first, h.blocking);
        cm_mesh_destroy(mesh, NULL);
    }
    cm_mesh_destroy(wheel, NULL);
}

/* --- work and limits --------------------------------------------------------------------------------------------- */

static uint32_t count_offer(void *user, const cm__part *a, const cm__part *b, double from) {
    (void)a, (void)b, (void)from;
    ++*(int *)user;
    return 1024;
}

static uint32_t work_of(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, int *offers) {
    const cm_real limit = 1;
    uint32_t work;
    *offers = 0;
    const cm__traverse task = {.a = a,
                               .b = b,
                               .ma = ma,
                               .mb = mb,
                               .limit = &limit,
                               .apart = promised(a, ma, b, mb) / 4,
                               .near = promised(a, ma, b, mb),
                               .offer = count_offer,
                               .user = offers};
    const double known = cm__traverse_run(&task, &work);
    check_that(known > 1, "given up at %g", known);
    return work;
}

/* Two plates of thousands of triangles that turn close over each other, about the direction across them, are proved
 * free as a whole: turning about a direction moves nothing along it. So are balls that pass far away. And two balls of
 * 2,048 triangles that turn side by side, a 40th of their size apart, take a few looks for each of the triangles that
 * face the other. */
static void what_is_far_is_not_opened(void **state) {
    (void)state;
    const int n = 30;
    static cm_real points[31 * 31 * 3];
    static uint32_t indices[30 * 30 * 6];
    uint32_t count = 0;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            cm_real *p = points + 3 * (i * (n + 1) + j);
            p[0] = (cm_real)i - 15, p[1] = (cm_real)j - 15, p[2] = 0;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const uint32_t a = (uint32_t)(i * (n + 1) + j), c = a + (uint32_t)n + 1;
            const uint32_t six[6] = {a, c, a + 1, a + 1, c, c + 1};
            memcpy(indices + count, six, sizeof six), count += 6;
        }
    cm_mesh *plate = mesh_of(points, 31 * 31, indices, count / 3, false);
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 4, false);
    const cm_shape p = cm_make_mesh(plate), q = cm_make_mesh(ball);
    cm_motion ma = motion_at_rest(), mb = ma;
    int offers;
    mb.start.position.z = CM_REAL(.01);
    mb.spin = cm_v(0, 0, 3);
    uint32_t work = work_of(&p, &ma, &p, &mb, &offers);
    check_that(work <= 20 && offers == 0, "plates: %u looks, %d offers", work, offers);
    mb.start.position = cm_v(-8, 0, 3), mb.move = cm_v(16, 0, 0), mb.spin = cm_v(3, 2, 1);
    work = work_of(&q, &ma, &q, &mb, &offers);
    check_that(work <= 60 && offers == 0, "passing: %u looks, %d offers", work, offers);
    mb.start.position = cm_v(0, 0, CM_REAL(2.05)), mb.move = cm_v(0, 0, 0);
    work = work_of(&q, &ma, &q, &mb, &offers);
    check_that(work <= 30000 && offers == 0, "side by side: %u looks, %d offers", work, offers);
    cm_mesh_destroy(plate, NULL), cm_mesh_destroy(ball, NULL);
}

/* A budget that ends gives a limit: it blocks, up to it they are apart, and more work never proves less. */
static void a_budget_ends_in_a_limit(void **state) {
    (void)state;
    rng r = rng_start("budgets", 172);
    cm_mesh *mesh = mesh_ball(cm_v(0, 0, 0), 1, 3, false), *thin = mesh_ball(cm_v(0, 0, 0), CM_REAL(1.06), 3, false);
    const cm_shape a = cm_make_mesh(mesh), b = cm_make_mesh(thin);
    int limits = 0, contacts = 0;
    for (int i = 0; i < samples(8, 200); i++) {
        cm_motion ma = motion_at_rest(), mb = ma;
        ma.spin = rng_vec3(&r, 3);
        ma.move = rng_vec3(&r, i % 2 ? .2 : .005);
        const cm__sweep_span whole = {.limit = 1};
        cm_sweep_hit full, h;
        const bool met = cm__shapes_sweep(&a, &ma, &b, &mb, &whole, CM__SWEEP_HIT, &full);
        double before = 0;
        for (uint32_t budget = 64; budget < (1u << 22); budget *= 4) {
            cm__sweep_span span = whole;
            span.budget = budget;
            const bool hit = cm__shapes_sweep(&a, &ma, &b, &mb, &span, CM__SWEEP_HIT, &h);
            const double known = hit ? (double)h.free_until : 1;
            check_that(known >= before, "%d: budget %u proves %g, less had %g", i, budget, known, before);
            before = known;
            if (hit && h.proof == CM_PROOF_LIMIT) {
                check_that(h.blocking && h.first >= h.free_until, "blocking %d, first %.17g", h.blocking,
                           (double)h.first);
                check_that(!met || (double)h.first <= (double)full.first + 1e-4, "limit %.17g, met at %.17g",
                           (double)h.first, (double)full.first);
                limits++;
                const double gap = gap_at(&a, &ma, &b, &mb, known);
                check_that(gap > 0, "%g apart at the limit %g", gap, known);
                continue;
            }
            check_that(hit == met && (!hit || fabs((double)h.first - (double)full.first) < 1e-4),
                       "%d: %d %.17g, %d %.17g", i, hit, hit ? (double)h.first : 2, met, met ? (double)full.first : 2);
            contacts++;
            break;
        }
    }
    check_that(limits > 10 && contacts > 3, "%d limits, %d answers", limits, contacts);
    cm_mesh_destroy(mesh, NULL), cm_mesh_destroy(thin, NULL);
}

/* --- trees ------------------------------------------------------------------------------------------------------- */

static bool holds(const cm__point c[2], const cm__point d[2]) {
    const double slack = 1e-5; /* boxes of a tree are rounded outwards, each for itself */
    return fabs(d[0].x - c[0].x) + d[1].x <= c[1].x + slack && fabs(d[0].y - c[0].y) + d[1].y <= c[1].y + slack &&
           fabs(d[0].z - c[0].z) + d[1].z <= c[1].z + slack;
}

static void check_tree(const cm_shape *shape, const cm__tree_ops *tree, uint32_t parts) {
    static uint8_t seen[4096];
    uint64_t stack[512], child[CM__TREE_FAN];
    int top = 0;
    memset(seen, 0, sizeof seen);
    check_that(tree->root(shape, &stack[top++]) > 0, "nothing");
    uint32_t found = 0;
    while (top > 0) {
        const uint64_t node = stack[--top];
        cm__point box[2], inner[2];
        tree->box(shape, node, &box[0], &box[1]);
        if (node & CM__TREE_PART) {
            cm__part part;
            tree->part(shape, node, &part);
            check_that(part.number < sizeof seen && !seen[part.number], "part %u again", part.number);
            seen[part.number] = 1, found++;
            for (int k = 0; k < 3 && part.shape.kind == CM_SHAPE_TRIANGLE; k++) {
                inner[0] = cm__point_of(((cm_vec3 *)&part.shape.u.triangle)[k]), inner[1] = cm__p(0, 0, 0);
                check_that(holds(box, inner), "part %u: corner %d is out of its box", part.number, k);
            }
            continue;
        }
        const int count = tree->open(shape, node, child);
        for (int i = 0; i < count; i++) {
            tree->box(shape, child[i], &inner[0], &inner[1]);
            check_that(holds(box, inner), "node %llx is out of its parent", (unsigned long long)child[i]);
            stack[top++] = child[i];
        }
    }
    check_that(found == parts, "%u parts of %u", found, parts);
}

/* Every part of a mesh, a field and a compound is in its tree once, and every box holds what is below it. */
static void trees_hold_every_part_once(void **state) {
    (void)state;
    rng r = rng_start("trees", 173);
    cm_mesh *ball = mesh_ball(cm_v(3, 0, 1), 1, 4, true);
    const cm_shape mesh = cm_make_mesh(ball);
    check_tree(&mesh, &cm__ops(mesh.kind)->parts->tree, cm_mesh_triangle_count(ball));
    cm_real heights[21 * 13];
    for (int i = 0; i < 21 * 13; i++) heights[i] = CM_REAL(rng_range(&r, -1, 1));
    cm_height_field_desc desc = {.heights = heights, .columns = 21, .rows = 13, .column_spacing = 1, .row_spacing = 2};
    cm_height_field *field;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    const cm_shape ground = cm_make_height_field(field);
    check_tree(&ground, &cm__ops(ground.kind)->parts->tree, 2 * 20 * 12);
    static cm_compound_child children[50];
    for (int i = 0; i < 50; i++) {
        children[i].shape = cm_make_box(cm_v(1, CM_REAL(.5), CM_REAL(.25)));
        children[i].pose = rng_pose(&r, 5);
    }
    const cm_compound_desc many = {children, 50};
    cm_compound *compound;
    assert_int_equal(cm_compound_build(&many, NULL, &compound, NULL), CM_OK);
    const cm_shape all = cm_make_compound(compound);
    check_tree(&all, &cm__ops(all.kind)->parts->tree, 50);
    cm_mesh_destroy(ball, NULL), cm_height_field_destroy(field, NULL), cm_compound_destroy(compound, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_crosses_before_the_first_contact),
        cmocka_unit_test(a_square_rod_turns_in_a_slot),
        cmocka_unit_test(a_tooth_meets_a_bar),
        cmocka_unit_test(what_is_far_is_not_opened),
        cmocka_unit_test(a_budget_ends_in_a_limit),
        cmocka_unit_test(trees_hold_every_part_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
