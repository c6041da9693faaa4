/* Bodies that stand on, in and over the edges of composites, and what they run into: by geometry alone.
 *
 * A track is a strip of floor, top at z = 0, that ends at x = 0 or goes on beyond it: flat, a step down, a step up, a
 * ramp up, a ramp down, a wall. It is given as a solid mesh, as a surface, coarse and fine, as a height field and as a
 * compound of two halves that are flush at x = 0. What stands on it, up to 1e-2 deep, may slide over what is flat or
 * falls away, over seams and edges, may yaw and leave; what presses down is stopped at once; a step, a ramp or a wall
 * stops it at the time at which the body, as a convex shape, meets the block above the floor. */
#include "motions.h"
#include "support/clouds.h"
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solids.h"

#include "oracle/convex.h"

#include <math.h>

enum { ENDS, FLAT, STEP_DOWN, RAMP_DOWN, STEP_UP, RAMP_UP, WALL, TRACKS };
enum { SOLID, SURFACE, FINE_SURFACE, FIELD, COMPOUND, MESHES_COMPOUND, FORMS };

static const char *const track_name[TRACKS] = {"end", "flat", "step down", "ramp down", "step up", "ramp up", "wall"};
static const char *const form_name[FORMS] = {"solid mesh", "surface",  "fine surface",
                                             "field",      "compound", "compound of meshes"};

#define LONG 4 /* x from -LONG to 0, and to LONG behind it */
#define WIDE 2 /* y from -WIDE to WIDE */

typedef struct track {
    int kind, form;
    double near, far; /* z where the second half begins and ends */
    cm_shape shape;
    cm_mesh *mesh[2];
    cm_height_field *field;
    cm_compound *compound;
    cm_hull *half[2];
    cm_hull *block; /* what stands above the floor; NULL */
} track;

static cm_vec3 v3(double x, double y, double z) { return cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)); }

static void strip(soup *s, double x0, double z0, double x1, double z1, int cells) {
    for (int i = 0; i < cells; i++)
        for (int k = 0; k < cells; k++) {
            double a = (double)i / cells, b = (double)(i + 1) / cells;
            double y0 = -WIDE + 2.0 * WIDE * k / cells, y1 = -WIDE + 2.0 * WIDE * (k + 1) / cells;
            double xa = x0 + (x1 - x0) * a, xb = x0 + (x1 - x0) * b, za = z0 + (z1 - z0) * a, zb = z0 + (z1 - z0) * b;
            soup_add_quad(s, v3(xa, y0, za), v3(xb, y0, zb), v3(xb, y1, zb), v3(xa, y1, za), (i + k) & 1);
        }
}

/* A side of one half of the track, as a fan; y < 0 looks toward -y. */
static void side(soup *s, double y, const double (*p)[2], int count) {
    for (int i = 1; i + 1 < count; i++) {
        cm_vec3 a = v3(p[0][0], y, p[0][1]), b = v3(p[i][0], y, p[i][1]), c = v3(p[i + 1][0], y, p[i + 1][1]);
        if (y < 0)
            soup_add(s, a, b, c);
        else
            soup_add(s, a, c, b);
    }
}

/* A wall across, at x, from z0 to z1; `way` is the side to which it looks. */
static void across(soup *s, double x, double z0, double z1, int way, int cells) {
    for (int k = 0; k < cells; k++) {
        double y0 = -WIDE + 2.0 * WIDE * k / cells, y1 = -WIDE + 2.0 * WIDE * (k + 1) / cells;
        cm_vec3 a = v3(x, y0, z0), b = v3(x, y1, z0), c = v3(x, y1, z1), d = v3(x, y0, z1);
        if (way > 0)
            soup_add_quad(s, a, b, c, d, k & 1);
        else
            soup_add_quad(s, a, d, c, b, k & 1);
    }
}

static void bottom(soup *s, double x0, double x1) {
    soup_add_quad(s, v3(x0, -WIDE, -1), v3(x0, WIDE, -1), v3(x1, WIDE, -1), v3(x1, -WIDE, -1), false);
}

static cm_mesh *solid_track(const track *t) {
    soup s = {0};
    double z = t->near, end = t->kind == ENDS ? 0 : LONG;
    strip(&s, -LONG, 0, 0, 0, 1), bottom(&s, -LONG, 0);
    across(&s, -LONG, -1, 0, -1, 1);
    for (int k = -1; k <= 1; k += 2) { /* a corner lies on each side where heights differ */
        const double down[5][2] = {{-LONG, -1}, {0, -1}, {0, z}, {0, 0}, {-LONG, 0}};
        const double plain[4][2] = {{-LONG, -1}, {0, -1}, {0, 0}, {-LONG, 0}};
        const double up[5][2] = {{LONG, -1}, {LONG, t->far}, {0, z}, {0, 0}, {0, -1}};
        const double even[4][2] = {{0, -1}, {LONG, -1}, {LONG, t->far}, {0, z}};
        if (t->kind == STEP_DOWN)
            side(&s, WIDE * k, down, 5);
        else
            side(&s, WIDE * k, plain, 4);
        if (t->kind == ENDS) continue;
        if (z > 0)
            side(&s, WIDE * k, up, 5);
        else
            side(&s, WIDE * k, even, 4);
    }
    if (t->kind != ENDS) {
        strip(&s, 0, z, LONG, t->far, 1), bottom(&s, 0, LONG);
        if (z > 0) across(&s, 0, 0, z, -1, 1);
        if (z < 0) across(&s, 0, z, 0, 1, 1);
    }
    across(&s, end, -1, t->kind == ENDS ? 0 : t->far, 1, 1);
    return soup_build(&s, true);
}

static cm_mesh *surface_track(const track *t, int cells) {
    soup s = {0};
    strip(&s, -LONG, 0, 0, 0, cells);
    if (t->kind != ENDS) {
        strip(&s, 0, t->near, LONG, t->far, cells);
        if (t->near > 0) across(&s, 0, 0, t->near, -1, cells);
        if (t->near < 0) across(&s, 0, t->near, 0, 1, cells);
    }
    return soup_build(&s, false);
}

static cm_height_field *field_track(const track *t) {
    cm_real heights[9 * 5];
    int columns = t->kind == ENDS ? 5 : 9;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < columns; i++) heights[k * columns + i] = i <= 4 ? 0 : CM_REAL(t->far * (i - 4) / 4);
    cm_height_field_desc d = {.heights = heights,
                              .columns = (uint32_t)columns,
                              .rows = 5,
                              .column_spacing = 1,
                              .row_spacing = 1,
                              .origin = v3(-LONG, -WIDE, 0)};
    cm_height_field *f = NULL;
    assert_int_equal(cm_height_field_build(&d, NULL, &f, NULL), CM_OK);
    return f;
}

/* What lies between x0 and x1 from z = low up to the top. */
static cm_hull *half_hull(double x0, double x1, double low, double z0, double z1) {
    cm_vec3 p[8];
    for (int i = 0; i < 8; i++) p[i] = v3(i & 1 ? x1 : x0, i & 2 ? WIDE : -WIDE, !(i & 4) ? low : i & 1 ? z1 : z0);
    return hull_of(p, 8);
}

static cm_mesh *half_mesh(double x0, double x1, double z0, double z1) {
    soup s = {0};
    strip(&s, x0, z0, x1, z1, 2);
    for (int k = -1; k <= 1; k += 2) {
        const double p[5][2] = {{x0, -1}, {x1, -1}, {x1, z1}, {(x0 + x1) / 2, (z0 + z1) / 2}, {x0, z0}};
        side(&s, WIDE * k, p, 5);
    }
    for (int k = 0; k < 2; k++) { /* two cells wide, as the top */
        double y0 = k ? 0 : -WIDE, y1 = k ? WIDE : 0;
        soup_add_quad(&s, v3(x0, y0, -1), v3(x0, y0, z0), v3(x0, y1, z0), v3(x0, y1, -1), true);
        soup_add_quad(&s, v3(x1, y0, -1), v3(x1, y1, -1), v3(x1, y1, z1), v3(x1, y0, z1), false);
        soup_add_quad(&s, v3(x0, y0, -1), v3(x0, y1, -1), v3(x1, y1, -1), v3(x1, y0, -1), false);
    }
    return soup_build(&s, true);
}

static bool track_make(track *t, int kind, int form) {
    static const double near[TRACKS] = {0, 0, -0.25, 0, 0.25, 0, 2}, far[TRACKS] = {0, 0, -0.25, -1, 0.25, 1, 2};
    memset(t, 0, sizeof *t);
    t->kind = kind, t->form = form, t->near = near[kind], t->far = far[kind];
    if (kind == RAMP_DOWN) t->far = -0.5;
    if (form == FIELD && t->near != 0) return false;
    if (kind >= STEP_UP) {
        cm_vec3 p[8];
        int count = 0;
        for (int i = 0; i < 8; i++)
            if (kind != RAMP_UP || (i & 5) != 4) /* a wedge has no upper end at x = 0 */
                p[count++] = v3(i & 1 ? LONG : 0, i & 2 ? WIDE : -WIDE, i & 4 ? t->far : 0);
        t->block = hull_of(p, (uint32_t)count);
    }
    if (form == SOLID) t->mesh[0] = solid_track(t);
    if (form == SURFACE) t->mesh[0] = surface_track(t, 1);
    if (form == FINE_SURFACE) t->mesh[0] = surface_track(t, 6);
    if (t->mesh[0]) t->shape = cm_make_mesh(t->mesh[0]);
    if (form == FIELD) t->field = field_track(t), t->shape = cm_make_height_field(t->field);
    if (form >= COMPOUND) {
        cm_compound_child child[2];
        memset(child, 0, sizeof child);
        int count = kind == ENDS ? 1 : 2;
        for (int i = 0; i < count; i++) {
            child[i].pose = cm_pose_identity();
            if (form == COMPOUND) {
                t->half[i] = i ? half_hull(0, LONG, -1, t->near, t->far) : half_hull(-LONG, 0, -1, 0, 0);
                child[i].shape = cm_make_hull(t->half[i]);
            } else {
                t->mesh[i] = i ? half_mesh(0, LONG, t->near, t->far) : half_mesh(-LONG, 0, 0, 0);
                child[i].shape = cm_make_mesh(t->mesh[i]);
            }
        }
        cm_compound_desc d = {child, (uint32_t)count};
        assert_int_equal(cm_compound_build(&d, NULL, &t->compound, NULL), CM_OK);
        t->shape = cm_make_compound(t->compound);
    }
    return true;
}

static void track_free(track *t) {
    for (int i = 0; i < 2; i++) cm_mesh_destroy(t->mesh[i], NULL), cm_hull_destroy(t->half[i], NULL);
    cm_height_field_destroy(t->field, NULL);
    cm_compound_destroy(t->compound, NULL);
    cm_hull_destroy(t->block, NULL);
}

/* --- what stands there ------------------------------------------------------------------------------------------- */

typedef struct mover {
    const char *name;
    cm_shape shape;
    double foot;  /* how far below its origin it reaches */
    bool thin;    /* no inside: deep in a surface it is below it */
    double reach; /* around its upright axis */
} mover;

enum { SOLIDS = 10, MOVERS = 15 }; /* the first have a volume, the others lie in a plane or a line */

static cm_hull *prism;

static void movers_make(mover m[MOVERS]) {
    const mover all[MOVERS] = {
        {"sphere", cm_make_sphere(v3(0, 0, 0), CM_REAL(0.5)), 0.5, false, 0.5},
        {"box", cm_make_box(v3(0.5, 0.25, 0.5)), 0.5, false, 0.56},
        {"rounded box", cm_make_rounded_box(v3(0.25, 0.25, 0.25), CM_REAL(0.125)), 0.375, false, 0.53},
        {"upright capsule", cm_make_capsule(v3(0, 0, -0.5), v3(0, 0, 0.5), CM_REAL(0.25)), 0.75, false, 0.25},
        {"capsule along x", cm_make_capsule(v3(-0.5, 0, 0), v3(0.5, 0, 0), CM_REAL(0.25)), 0.25, false, 0.75},
        {"capsule along y", cm_make_capsule(v3(0, -0.5, 0), v3(0, 0.5, 0), CM_REAL(0.25)), 0.25, false, 0.75},
        {"cylinder", cm_make_cylinder(CM_REAL(0.25), CM_REAL(0.5)), 0.5, false, 0.25},
        {"cone", cm_make_cone(CM_REAL(0.25), CM_REAL(0.5)), 0.5, false, 0.25},
        {"prism", cm_make_hull(prism), 0.5, false, 0.5},
        {"ellipsoid", cm_make_ellipsoid(v3(0.5, 0.375, 0.25)), 0.25, false, 0.5},
        {"point", cm_make_point(v3(0, 0, 0)), 0, true, 0},
        {"upright segment", cm_make_segment(v3(0, 0, 0), v3(0, 0, 1)), 0, false, 0},
        {"lying segment", cm_make_segment(v3(-0.5, 0, 0), v3(0.5, 0, 0)), 0, true, 0.5},
        {"lying triangle", cm_make_triangle(v3(-0.5, -0.5, 0), v3(0.5, -0.25, 0), v3(0, 0.5, 0)), 0, true, 0.71},
        {"upright triangle", cm_make_triangle(v3(-0.5, 0, 0), v3(0.5, 0, 0), v3(0, 0, 1)), 0, false, 0.5},
    };
    for (int i = 0; i < MOVERS; i++) m[i] = all[i];
}

typedef struct scene {
    const track *t;
    const mover *m;
    cm_pose home;     /* of the track */
    double depth;     /* of the mover */
    cm_motion motion; /* of the mover, in the world */
    bool swapped;
    char what[64];
} scene;

/* The mover with its lowest point at x, y, -depth, turned about its upright axis by `yaw`; both in the track's axes. */
static void scene_place(scene *s, double x, double y, double depth, double yaw, cm_vec3 move, cm_vec3 spin) {
    s->depth = depth;
    s->motion = motion_at_rest();
    cm_pose local = cm_pose_at(v3(x, y, s->m->foot - depth));
    local.rotation = (cm_quat){0, 0, CM_REAL(sin(yaw / 2)), CM_REAL(cos(yaw / 2))};
    s->motion.start = cm_pose_mul(&s->home, &local);
    s->motion.start.rotation = cm_quat_normalize(s->motion.start.rotation);
    s->motion.move = cm_rotate(s->home.rotation, move);
    s->motion.spin = cm_rotate(s->home.rotation, spin);
}

static bool scene_sweep(const scene *s, cm_sweep_hit *h) {
    cm_motion still = motion_at_rest();
    still.start = s->home;
    if (!s->swapped) return cm_sweep(&s->m->shape, &s->motion, &s->t->shape, &still, h);
    if (!cm_sweep(&s->t->shape, &still, &s->m->shape, &s->motion, h)) return false;
    h->normal = cm_neg(h->normal);
    uint32_t part = h->part_a;
    h->part_a = h->part_b, h->part_b = part;
    return true;
}

/* The time at which the mover alone meets the block above the floor; 2 where it does not. */
static double scene_truth(const scene *s) {
    cm_motion still = motion_at_rest();
    still.start = s->home;
    if (!s->t->block) return 2;
    cm_shape block = cm_make_hull(s->t->block);
    cm_sweep_hit h;
    return cm_sweep(&s->m->shape, &s->motion, &block, &still, &h) && h.blocking ? (double)h.first : 2;
}

static int wrong, shown;

static void scene_wrong(const scene *s, const char *why, bool hit, const cm_sweep_hit *h, double truth) {
    wrong++;
    if (shown++ > 20) return;
    cm_vec3 n = hit ? cm_unrotate(s->home.rotation, h->normal) : v3(0, 0, 0);
    cm_vec3 p = cm_pose_unapply(&s->home, s->motion.start.position);
    print_error(
        "%s on %s of %s, %g deep, at %g %g, %s: %s; hit %d first %.17g start %d blocking %d normal %.4f %.4f %.4f "
        "part %d, truth %.17g\n",
        s->m->name, track_name[s->t->kind], form_name[s->t->form], s->depth, (double)p.x, (double)p.y, s->what, why,
        hit, hit ? (double)h->first : 0, hit ? (int)h->start : 0, hit && h->blocking, (double)n.x, (double)n.y,
        (double)n.z, hit ? (int)h->part_b : -1, truth);
    const cm_motion *m = &s->motion;
    print_error("  swapped %d, home %.17g %.17g %.17g  %.17g %.17g %.17g %.17g\n", s->swapped,
                (double)s->home.position.x, (double)s->home.position.y, (double)s->home.position.z,
                (double)s->home.rotation.x, (double)s->home.rotation.y, (double)s->home.rotation.z,
                (double)s->home.rotation.w);
    print_error("  start %.17g %.17g %.17g  %.17g %.17g %.17g %.17g move %.17g %.17g %.17g spin %.17g %.17g %.17g\n",
                (double)m->start.position.x, (double)m->start.position.y, (double)m->start.position.z,
                (double)m->start.rotation.x, (double)m->start.rotation.y, (double)m->start.rotation.z,
                (double)m->start.rotation.w, (double)m->move.x, (double)m->move.y, (double)m->move.z, (double)m->spin.x,
                (double)m->spin.y, (double)m->spin.z);
}

/* The gap that the sweep promises, and the band around touching (sweep.h). */
static double scene_band(const scene *s) {
    const cm_motion *m = &s->motion;
    cm_vec3 d = cm_sub(m->start.position, s->home.position);
    double between = fabs((double)d.x) + fabs((double)d.y) + fabs((double)d.z);
    double moved = fabs((double)m->move.x) + fabs((double)m->move.y) + fabs((double)m->move.z);
    double world = (double)cm_largest(m->start.position) + (double)cm_largest(s->home.position);
    /* in double curved shapes, and compounds, which may have such, are known to 1e-10 of their size */
    const cm_kind kind = s->m->shape.kind;
    bool curved = kind == CM_SHAPE_CYLINDER || kind == CM_SHAPE_CONE || kind == CM_SHAPE_ELLIPSOID;
    double search = 1e-10 * (curved + 6 * (s->t->form >= COMPOUND)) + 1e-6 * (double)s->m->shape.radius;
    return 2 * (double)CM_REAL_EPSILON * (8 * (between + moved + 7) + 2 * world) + search;
}

static void must_be_free(const scene *s) {
    cm_sweep_hit h;
    bool hit = scene_sweep(s, &h);
    if (hit && h.blocking) scene_wrong(s, "blocked", hit, &h, 2);
}

/* Blocked at the truth, which is itself a sweep, and as far as positions are known; `early`: what it may be too early,
 * as a way. */
static void must_stop_at(const scene *s, double truth, double early) {
    cm_sweep_hit h;
    bool hit = scene_sweep(s, &h);
    double way = (double)cm_length(s->motion.move), band = scene_band(s);
    if (hit) band *= way / fmax((double)cm_dot(s->motion.move, h.normal), 1e-3 * way); /* a gap, along the way */
    early += 2 * band + 1e-10; /* and curved bodies are known to 1e-11 of their size */
    if (!hit || !h.blocking)
        scene_wrong(s, "not blocked", hit, &h, truth);
    else if (!((double)h.first <= truth + (2 * band + fmax(s->depth, 0) * 4 + 4e-6) / way)) /* at slopes of 1 in 4 */
        scene_wrong(s, "late", hit, &h, truth);
    else if (!((double)h.first >= truth - early / way))
        scene_wrong(s, "early", hit, &h, truth);
    else if (!((double)cm_dot(s->motion.move, h.normal) > 0))
        scene_wrong(s, "along a normal that it does not approach", hit, &h, truth);
}

/* Stops where the block above the floor does, else goes free. */
static void must_obey(const scene *s, double early) {
    double truth = scene_truth(s), way = (double)cm_length(s->motion.move);
    if (truth > 1)
        must_be_free(s);
    else if (truth + 5 * (fmax(s->depth, 0) + scene_band(s)) / way < 1) /* else it may not get in deep enough */
        must_stop_at(s, truth, early);
}

/* --- what is asked ----------------------------------------------------------------------------------------------- */

static const double hover = -100 * (double)CM_REAL_EPSILON;

static double nice_depth(rng *r, const mover *m, const track *t) {
    static const double depths[] = {0, 0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    bool surface = t->form >= SURFACE && t->form <= FIELD;
    /* what is thin has no side of a surface that it is in: it hovers, farther than rounding; and none deep in a solid
     */
    return m->thin && surface ? hover : depths[rng_below(r, m->thin ? 4 : 8)];
}

static void scene_draw(scene *s, rng *r, const track *t, const mover *movers) {
    s->t = t, s->m = &movers[rng_below(r, SOLIDS)];
    s->home = cm_pose_identity();
    if (rng_below(r, 2)) s->home = rng_pose(r, 2);
    s->swapped = rng_below(r, 4) == 0;
}

static double nice(rng *r, double from, double to) {
    return rng_below(r, 2) ? floor(rng_range(r, from, to) * 4) / 4 : rng_range(r, from, to);
}
static double nice_yaw(rng *r) {
    return rng_below(r, 2) ? rng_range(r, 0, 6.3) : 1.57079632679489662 * rng_below(r, 4);
}

/* Calls `ask` for each track in each form, `count` times in all. */
static void each_track(const char *what, uint64_t seed, int count, bool (*wanted)(int kind),
                       void (*ask)(scene *s, rng *r)) {
    rng r = rng_start(what, seed);
    mover movers[MOVERS];
    cm_vec3 corner[16];
    for (int i = 0; i < 16; i++)
        corner[i] =
            v3(0.5 * cos(i / 2 * 0.78539816339744831), 0.5 * sin(i / 2 * 0.78539816339744831), i & 1 ? 0.5 : -0.5);
    prism = hull_of(corner, 16);
    movers_make(movers);
    int tracks = 0, all = 0;
    for (int kind = 0; kind < TRACKS; kind++) tracks += wanted(kind);
    wrong = shown = 0;
    for (int kind = 0; kind < TRACKS; kind++)
        for (int form = 0; form < FORMS && wanted(kind); form++) {
            track t;
            if (!track_make(&t, kind, form)) continue;
            int before = wrong, n = count / tracks / FORMS;
            for (int i = 0; i < n; i++) {
                scene s;
                scene_draw(&s, &r, &t, movers);
                ask(&s, &r);
            }
            if (wrong > before)
                print_error("%s, %s of %s: %d of %d\n", what, track_name[kind], form_name[form], wrong - before, n);
            track_free(&t);
            all += n;
        }
    cm_hull_destroy(prism, NULL);
    check_that(wrong == 0, "%d of %d", wrong, all);
}

static bool any_track(int kind) { return kind >= 0; }
static bool falls_away(int kind) { return kind <= RAMP_DOWN; }
static bool stands_up(int kind) { return kind >= STEP_UP; }
static bool is_even(int kind) { return kind <= FLAT; }

/* Within the floor: what stands on the first half, or over its rim, presses down. */
static void ask_press(scene *s, rng *r) {
    snprintf(s->what, sizeof s->what, "presses down");
    double over = rng_below(r, 3) ? 0 : 0.4 * s->m->reach;
    double x = nice(r, -3, s->t->kind == ENDS ? -0.1 + over : -1), y = nice(r, -1, 1 + over);
    x = fmin(x, s->t->kind == ENDS ? over - 0.01 : -0.6), y = fmin(y, WIDE - 0.01 + over);
    bool round_foot = !s->m->thin && s->m->foot != 0.5 && s->m->foot != 0.375; /* stands on a spot */
    if (over > 0 && (round_foot || s->m->reach < 0.1)) x = fmin(x, -0.3), y = fmin(y, WIDE - 0.3);
    if (over > 0 && s->m->shape.kind == CM_SHAPE_POINT) x = fmin(x, -0.3), y = fmin(y, WIDE - 0.3);
    double depth = nice_depth(r, s->m, s->t);
    double vx = rng_below(r, 2) ? 0 : rng_range(r, -0.5, 0.5), vy = rng_below(r, 2) ? 0 : rng_range(r, -0.5, 0.5);
    scene_place(s, x, y, depth, nice_yaw(r), v3(vx, vy, -1), v3(0, 0, 0));
    cm_sweep_hit h;
    bool hit = scene_sweep(s, &h);
    if (!hit || !h.blocking)
        scene_wrong(s, "not blocked", hit, &h, 0);
    else if (!((double)h.first <= 2 * scene_band(s)))
        scene_wrong(s, "late", hit, &h, 0);
}
static void what_presses_down_is_stopped_at_once(void **state) {
    (void)state;
    each_track("press", 71, samples(4000, 400000), any_track, ask_press);
}

static void ask_slide(scene *s, rng *r) {
    snprintf(s->what, sizeof s->what, "slides");
    double x = nice(r, -3.5, 1), y = nice(r, -1.9, 1.9), way = rng_range(r, 0.1, 3), turn = nice_yaw(r);
    y = fmax(fmin(y, 1.9), -1.9);
    /* beside an open border nothing tells the sides of a surface */
    bool surface = s->t->form >= SURFACE && s->t->form <= FIELD && s->t->kind > FLAT;
    if (surface) y = fmax(fmin(y, 1), -1);
    if (s->t->kind != FLAT) x = fmin(x, -0.05); /* its middle stands on the track */
    double vx = rng_below(r, 2) ? way : way * cos(turn), vy = vx == way ? 0 : way * sin(turn);
    if (surface) vy = 0;
    if (s->t->kind != FLAT && vx < 0 && x > -s->m->reach - 0.3) vx = -vx; /* not up again */
    scene_place(s, x, y, nice_depth(r, s->m, s->t), nice_yaw(r), v3(vx, vy, 0), v3(0, 0, 0));
    must_be_free(s);
}
static void what_slides_over_seams_and_edges_is_not_stopped(void **state) {
    (void)state;
    each_track("slide", 72, samples(8000, 800000), falls_away, ask_slide);
}

static void ask_turn(scene *s, rng *r) {
    snprintf(s->what, sizeof s->what, "yaws");
    double x = nice(r, -3.5, 1), y = nice(r, -1.5, 1.5), way = rng_below(r, 2) ? 0 : rng_range(r, 0, 0.4);
    double turn = nice_yaw(r);
    if (s->t->kind != FLAT) x = fmin(x, -0.5); /* its middle stands on the track all the time */
    double up = rng_below(r, 2) ? 0 : rng_range(r, 0, 1), spin = rng_range(r, -2, 2);
    scene_place(s, x, y, nice_depth(r, s->m, s->t), nice_yaw(r), v3(way * cos(turn), way * sin(turn), up),
                v3(0, 0, spin));
    must_be_free(s);
}
static void what_yaws_slides_and_leaves_is_not_stopped(void **state) {
    (void)state;
    each_track("yaw", 73, samples(4000, 200000), is_even, ask_turn);
}

static void ask_leave(scene *s, rng *r) {
    snprintf(s->what, sizeof s->what, "leaves");
    /* the longest reaches 0.75 and goes 0.3: not up to a wall at 0 */
    double x = nice(r, -3.5, -1.1), y = nice(r, -1.5, 1.5), turn = nice_yaw(r), way = rng_below(r, 2) ? 0 : 0.3;
    scene_place(s, x, y, nice_depth(r, s->m, s->t), nice_yaw(r),
                v3(way * cos(turn), way * sin(turn), rng_log_range(r, 1e-3, 2)), v3(0, 0, 0));
    must_be_free(s);
}
static void what_leaves_is_not_stopped(void **state) {
    (void)state;
    each_track("leave", 74, samples(2000, 200000), any_track, ask_leave);
}

static void ask_stop(scene *s, rng *r) {
    snprintf(s->what, sizeof s->what, "runs into it");
    double x = nice(r, -3.5, -1), y = nice(r, -1.5, 1.5), way = rng_range(r, 0.5, 5);
    double vy = rng_below(r, 2) ? 0 : rng_range(r, -0.2, 0.2);
    double depth = nice_depth(r, s->m, s->t);
    if (s->m->thin) depth = hover; /* what is thin and in the floor meets no block above it */
    scene_place(s, x, y, depth, nice_yaw(r), v3(way, way * vy, 0), v3(0, 0, 0));
    /* where both halves are solid the lower part of the body, in the floor, may meet the second before; and so it may
     * the second's side, whose triangles begin below the floor */
    const double truth = scene_truth(s), aside = fabs(y + truth * way * vy) + 0.75;
    must_obey(s, s->t->form >= COMPOUND || aside > 2 ? fmax(depth, 0) : 0);
}
static void a_step_a_ramp_and_a_wall_of_the_same_object_stop(void **state) {
    (void)state;
    each_track("stop", 75, samples(8000, 800000), stands_up, ask_stop);
}

/* A point and a ball cross a surface from either side: both are held, along the normal that they come against. */
static void what_crosses_a_surface_is_held_from_both_sides(void **state) {
    (void)state;
    rng r = rng_start("sides", 76);
    for (int form = SURFACE; form <= FIELD; form++) {
        track t;
        assert_true(track_make(&t, FLAT, form));
        for (int i = 0; i < samples(1000, 100000); i++) {
            cm_shape a = i % 2 ? cm_make_point(v3(0, 0, 0)) : cm_make_sphere(v3(0, 0, 0), CM_REAL(0.01));
            cm_motion still = motion_at_rest(), m = still;
            still.start = i % 4 < 2 ? cm_pose_identity() : rng_pose(&r, 2);
            double side = rng_below(&r, 2) ? 1 : -1, x = nice(&r, -3, 3), y = nice(&r, -1.5, 1.5);
            m.start.position = cm_pose_apply(&still.start, v3(x, y, side));
            m.move = cm_rotate(still.start.rotation, v3(rng_range(&r, -0.4, 0.4), rng_range(&r, -0.4, 0.4), -3 * side));
            cm_sweep_hit h;
            bool hit = cm_sweep(&a, &m, &t.shape, &still, &h);
            cm_vec3 n = cm_unrotate(still.start.rotation, h.normal);
            double truth = (1 - (i % 2 ? 0 : 0.01)) / 3;
            check_that(hit && h.blocking && fabs((double)h.first - truth) < 1e-4 && (double)n.z * side < -0.999,
                       "%s of %s from side %g: hit %d first %g, truth %g, normal.z %g", cm_kind_name(a.kind),
                       form_name[form], side, hit, hit ? (double)h.first : 2, truth, (double)n.z);
        }
        track_free(&t);
    }
}

/* How near the nearest of three parts of one compound comes to one of three of another, in 113 bits; what a ball around
 * each of the two keeps apart by more than `far` is not looked at. */
static double least_of_parts(const cm_compound_child *child, const cm_pose *pa, const cm_pose *pb, double far) {
    oracle_body part[6];
    cm_aabb box;
    cm_vec3 center[6];
    double radius[6], least = far;
    for (int k = 0; k < 6; k++) {
        const cm_pose at = cm_pose_mul(k < 3 ? pa : pb, &child[k].pose);
        part[k] = oracle_body_of(&child[k].shape, &at);
        cm_shape_bounds(&child[k].shape, &at, &box);
        center[k] = cm_aabb_center(&box), radius[k] = (double)cm_length(cm_sub(box.max, center[k]));
    }
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = 3 + k % 3;
        if ((double)cm_length(cm_sub(center[i], center[j])) - radius[i] - radius[j] > least) continue;
        least = fmin(least, (double)oracle_distance(&part[i], &part[j]));
    }
    return least;
}

/* Turning, against an oracle that shares nothing with the library: at many times before `first`, and to the end where
 * nothing is met, no pair of convex parts overlaps, and at `first` some pair is as near as the sweep promises. */
static void what_turns_is_never_late(void **state) {
    (void)state;
    rng r = rng_start("oracle", 77);
    int met = 0, count = samples(600, 60000);
    for (int i = 0; i < count; i++) {
        cm_compound_child child[6];
        memset(child, 0, sizeof child);
        const cm_shape kinds[4] = {cm_make_box(v3(0.5, 0.25, 0.25)), cm_make_sphere(v3(0, 0, 0), CM_REAL(0.375)),
                                   cm_make_capsule(v3(0, 0, -0.5), v3(0, 0, 0.5), CM_REAL(0.125)),
                                   cm_make_triangle(v3(-0.5, 0, 0), v3(0.5, 0, 0), v3(0, 0.5, 0.5))};
        for (int k = 0; k < 6; k++) child[k].shape = kinds[rng_below(&r, 4)], child[k].pose = rng_pose(&r, 1);
        cm_compound *c[2] = {NULL, NULL};
        for (int k = 0; k < 2; k++) {
            cm_compound_desc d = {child + 3 * k, 3};
            assert_int_equal(cm_compound_build(&d, NULL, &c[k], NULL), CM_OK);
        }
        cm_shape a = cm_make_compound(c[0]), b = cm_make_compound(c[1]);
        cm_motion ma = random_motion(&r, 1, 1, true), mb = random_motion(&r, 1, 1, i % 2);
        ma.start.position = cm_add(mb.start.position, cm_scale(rng_direction(&r), 4));
        ma.move = cm_add(cm_sub(mb.start.position, ma.start.position), rng_vec3(&r, 2));
        cm_sweep_hit h;
        bool hit = cm_sweep(&a, &ma, &b, &mb, &h);
        double until = hit ? (double)h.first : 1, least = near_bound;
        for (int n = 0; n <= 64; n++) {
            cm_pose pa, pb;
            cm_motion_at(&ma, CM_REAL(until * n / 64), &pa), cm_motion_at(&mb, CM_REAL(until * n / 64), &pb);
            least = least_of_parts(child, &pa, &pb, near_bound);
            check_that(least > (n == 64 && hit ? -near_bound : -near_bound / 8), "%d: %g deep at %g, first %g", i,
                       -least, until * n / 64, hit ? (double)h.first : 2);
        }
        check_that(!hit || least < near_bound, "%d: %g apart at first %g", i, least, (double)h.first);
        met += hit;
        for (int k = 0; k < 2; k++) cm_compound_destroy(c[k], NULL);
    }
    check_that(met > count / 4, "%d of %d", met, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_presses_down_is_stopped_at_once),
        cmocka_unit_test(what_slides_over_seams_and_edges_is_not_stopped),
        cmocka_unit_test(what_yaws_slides_and_leaves_is_not_stopped),
        cmocka_unit_test(what_leaves_is_not_stopped),
        cmocka_unit_test(a_step_a_ramp_and_a_wall_of_the_same_object_stop),
        cmocka_unit_test(what_crosses_a_surface_is_held_from_both_sides),
        cmocka_unit_test(what_turns_is_never_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
