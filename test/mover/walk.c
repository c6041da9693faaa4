/* Movers of every shape walk at random through a level, 10^4 frames and more: none falls through anything, the bare
 * shape never overlaps anything unless it is crushed, none is stuck, and a frame takes six sweeps or less.
 *
 * Stuck: a sweep of the shape without its skin along what it wants is free for 1 cm, and it went less than 1 mm. A
 * thousand away from the origin floats need a skin of 24 mm, so there 1 cm is no gap: six skins are, as 1 cm is
 * elsewhere. */
#include "mover/level.h"

#include <math.h>

typedef struct walk {
    cm_mover mover;
    cm_mover_space space;
    cm_vec3 velocity, heading;
    rng random;
    uint64_t frames, stuck, sweeps, crushed, wanted, climbed;
    double nearest; /* smallest distance seen, as a share of the skin */
    double size;    /* of a meter here */
} walk;

/* Of all walks that ran. */
static struct {
    uint64_t frames, stuck, sweeps, crushed;
    double nearest;
} walked = {.nearest = 2};

static void walk_start(walk *w, const level *l, cm_shape shape, cm_vec3 at, uint64_t seed) {
    *w = (walk){.nearest = 2, .size = l->size};
    w->mover.shape = shape;
    w->mover.pose.position = at;
    w->space.world = l->world;
    w->random = rng_start("walk", seed);
}

/* Where the player wants to go: mostly toward some piece of the level, else anywhere; now and then slowly; jumps. */
static void walk_wish(walk *w, const level *l, double speed, double dt) {
    if (rng_below(&w->random, 60) == 0) {
        double angle = rng_range(&w->random, 0, 6.283185307179586);
        cm_vec3 way = cm_v((cm_real)cos(angle), 0, (cm_real)sin(angle));
        if (l && rng_below(&w->random, 4)) {
            const level_piece *piece = &l->pieces[5 + rng_below(&w->random, (uint32_t)l->count - 5)];
            way = cm_add(cm_sub(piece->pose.position, w->mover.pose.position), way);
            way.y = 0;
        }
        double rate = rng_below(&w->random, 8) ? speed : rng_range(&w->random, 0, speed);
        w->heading = cm_scale(cm_normalize(way, cm_v(1, 0, 0)), (cm_real)rate);
    }
    w->velocity = cm_v(w->heading.x, w->velocity.y - (cm_real)(10 * w->size * dt), w->heading.z);
    if (w->mover.ground.kind == CM_MOVER_FIRM && rng_below(&w->random, 120) == 0)
        w->velocity.y = (cm_real)(4.5 * w->size);
}

/* The skin that counts: the default of a mover this high. */
static double skin_of(const walk *w, double height) {
    cm_vec3 p = w->mover.pose.position;
    double far = fabs((double)p.x) + fabs((double)p.y) + fabs((double)p.z) + height;
    return fmax(height / 1024, 96 * (double)CM_REAL_EPSILON * far);
}

static void walk_frame(walk *w, double height, double dt) {
    const cm_world *world = w->space.world;
    cm_mover before = w->mover;
    cm_mover_result r;
    assert_int_equal(cm_mover_step(&w->mover, &w->space, w->velocity, (cm_real)dt, &r), CM_OK);
    w->frames++;
    w->sweeps += (uint64_t)r.sweeps;
    w->crushed += r.crushed;
    w->climbed += r.climbed;

    /* the bare shape is apart from everything */
    cm_world_near near;
    cm_real distance = cm_world_distance(world, &w->mover.shape, &w->mover.pose, (cm_real)w->size, NULL, &near);
    cm_vec3 p = w->mover.pose.position;
    check_that(r.crushed || distance > 0, "%g deep at %g %g %g, frame %llu", -(double)distance, (double)p.x,
               (double)p.y, (double)p.z, (unsigned long long)w->frames);
    if (!r.crushed) w->nearest = fmin(w->nearest, (double)distance / skin_of(w, height));

    /* its middle went through nothing that stands */
    cm_ray ray = {.origin = before.pose.position, .direction = r.moved, .max = 1};
    cm_world_query fixed = {.mask = LEVEL_FIXED_LAYER};
    check_that(cm_length(r.moved) == 0 || !cm_world_raycast_any(world, &ray, &fixed),
               "through a wall at %g %g %g, frame %llu", (double)p.x, (double)p.y, (double)p.z,
               (unsigned long long)w->frames);

    /* stuck? */
    bool walks = before.ground.kind == CM_MOVER_FIRM && w->velocity.y <= 0;
    cm_vec3 want = w->velocity;
    if (walks) want.y = 0;
    double speed = (double)cm_length(want), went = (double)cm_length(r.moved);
    double gap = fmax(0.01 * w->size, 6 * skin_of(w, height));
    if (speed * dt >= 0.01 * w->size && went < 0.001 * w->size && !r.crushed) {
        cm_motion motion = {.start = before.pose, .move = cm_scale(want, (cm_real)(gap / speed))};
        cm_world_query blocking = {.blocking = true};
        cm_world_sweep_hit hit;
        w->wanted++;
        if (!cm_world_sweep(world, &before.shape, &motion, &blocking, &hit)) {
            w->stuck++;
            if (getenv("WALK_PRINT"))
                print_message("stuck at %.9g %.9g %.9g want %.9g %.9g %.9g ground %d\n", (double)p.x, (double)p.y,
                              (double)p.z, (double)want.x, (double)want.y, (double)want.z, (int)before.ground.kind);
        }
    }
    w->velocity = r.velocity;
}

static void walk_report(const walk *w, const char *what) {
    print_message("%s: %llu frames, %.2f sweeps a frame, %llu stuck of %llu that stood still, %llu crushed, %llu "
                  "steps, nearest %.3f skins\n",
                  what, (unsigned long long)w->frames, (double)w->sweeps / (double)w->frames,
                  (unsigned long long)w->stuck, (unsigned long long)w->wanted, (unsigned long long)w->crushed,
                  (unsigned long long)w->climbed, w->nearest);
    walked.frames += w->frames, walked.stuck += w->stuck, walked.sweeps += w->sweeps, walked.crushed += w->crushed;
    walked.nearest = fmin(walked.nearest, w->nearest);
    check_that((double)w->sweeps <= 6 * (double)w->frames, "%llu sweeps", (unsigned long long)w->sweeps);
    check_that((double)w->stuck <= 1e-4 * (double)w->frames, "%llu stuck", (unsigned long long)w->stuck);
}

static cm_shape walker(int kind) {
    switch (kind) {
    case 1:
        return cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.9), CM_REAL(0.25)));
    case 2:
        return cm_make_ellipsoid(cm_v(CM_REAL(0.35), CM_REAL(0.9), CM_REAL(0.35)));
    case 3:
        return cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.9));
    default:
        return cm_make_capsule(cm_v(0, CM_REAL(-0.6), 0), cm_v(0, CM_REAL(0.6), 0), CM_REAL(0.3));
    }
}

static void one_walk(level *l, const char *what, int shape, int frames, uint64_t seed) {
    walk w;
    walk_start(&w, l, walker(shape), l->middle, seed);
    cm_shape scaled;
    cm_vec3 size = cm_v((cm_real)l->size, (cm_real)l->size, (cm_real)l->size);
    assert_int_equal(cm_shape_scaled(&w.mover.shape, size, &scaled), CM_OK);
    w.mover.shape = scaled;
    const double dt = 1.0 / 60;
    for (int i = 0; i < frames; i++) {
        level_move_platforms(l, i);
        if (i % 500 == 0) { /* elsewhere */
            cm_pose pose = cm_pose_identity();
            do {
                cm_vec3 at = cm_v((cm_real)rng_range(&w.random, -19, 19), 1, (cm_real)rng_range(&w.random, -19, 19));
                pose.position = cm_mul_add(l->middle, (cm_real)l->size, at);
            } while (!cm_mover_teleport(&w.mover, &w.space, &pose));
            w.velocity = cm_v(0, 0, 0);
        }
        walk_wish(&w, l, 5 * l->size, dt);
        walk_frame(&w, 1.8 * l->size, dt);
        check_that(w.mover.pose.position.y > l->middle.y, "fell to %g", (double)w.mover.pose.position.y);
    }
    check_that(l->platform_count > 0 || w.crushed == 0, "crushed where nothing moves: %llu",
               (unsigned long long)w.crushed);
    walk_report(&w, what);
}

static void walks(level_form form) {
    static const char *const forms[] = {"boxes", "hulls", "mesh", "compound"};
    level l;
    level_start(&l);
    level_pieces(&l);
    level_add_form(&l, form);
    level_add_platforms(&l);
    for (int shape = 0; shape < 4; shape++)
        one_walk(&l, forms[form], shape, samples(2500, 250000), (uint64_t)(17 + 4 * (int)form + shape));
    level_end(&l);
}
static void walks_through_boxes(void **state) {
    (void)state;
    walks(LEVEL_BOXES);
}
static void walks_through_hulls(void **state) {
    (void)state;
    walks(LEVEL_HULLS);
}
static void walks_through_a_mesh(void **state) {
    (void)state;
    walks(LEVEL_MESH);
}
static void walks_through_a_compound(void **state) {
    (void)state;
    walks(LEVEL_COMPOUND);
}

/* A thousand away from the origin, where floats are coarse; a hundred times smaller, a thousand times larger. */
static void walks_far_away_and_at_other_sizes(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        level l;
        level_start(&l);
        l.size = i < 2 ? 1 : i < 4 ? 0.01 : 1000;
        if (i < 2) l.middle = cm_v(1000, 100, -1000);
        level_pieces(&l);
        level_add_form(&l, i % 2 ? LEVEL_MESH : LEVEL_BOXES);
        one_walk(&l, i < 2 ? "far away" : "other size", i % 2, samples(1500, 150000), (uint64_t)(80 + i));
        level_end(&l);
    }
}

/* --- a level from a game --------------------------------------------------------------------------------------- */

/* Where a ray from above finds floor, and room. */
static void place(walk *w, const cm_aabb *box, double height) {
    for (;;) {
        cm_pose pose = cm_pose_identity();
        pose.position.x = (cm_real)rng_range(&w->random, (double)box->min.x + 1, (double)box->max.x - 1);
        pose.position.z = (cm_real)rng_range(&w->random, (double)box->min.z + 1, (double)box->max.z - 1);
        pose.position.y = (cm_real)rng_range(&w->random, (double)box->min.y, (double)box->max.y);
        cm_ray down = {.origin = pose.position, .direction = {0, -1, 0}, .max = CM_REAL_MAX};
        cm_world_ray_hit hit;
        if (!cm_world_raycast(w->space.world, &down, NULL, &hit) || hit.hit.normal.y < CM_REAL(0.7)) continue;
        pose.position = cm_add(hit.hit.point, cm_v(0, (cm_real)(height / 2 + 0.1), 0));
        if (cm_mover_teleport(&w->mover, &w->space, &pose)) break;
    }
    w->velocity = cm_v(0, 0, 0);
}

static void one_walk_in_the_recast_level(int shape, int frames) {
    cm_mesh *mesh = mesh_recorded("level_recast_nav_test.obj", false);
    if (!mesh) skip();
    level l;
    level_start(&l);
    const cm_pose here = cm_pose_identity();
    const cm_shape all = cm_make_mesh(mesh);
    level_add_object(&l, all, &here);
    cm_aabb box;
    cm_shape_bounds(&all, &here, &box);
    walk w;
    walk_start(&w, &l, walker(shape), cm_v(0, 0, 0), (uint64_t)(60 + shape));
    for (int i = 0; i < frames; i++) {
        if (i % 500 == 0 || w.mover.pose.position.y < box.min.y - 5) place(&w, &box, 1.8); /* off the level's rim */
        walk_wish(&w, NULL, 5, 1.0 / 60);
        walk_frame(&w, 1.8, 1.0 / 60);
    }
    check_that(w.crushed == 0, "crushed where nothing moves: %llu", (unsigned long long)w.crushed);
    walk_report(&w, "recast level");
    level_end(&l);
    cm_mesh_destroy(mesh, NULL);
}
static void walks_through_the_recast_level(void **state) {
    (void)state;
    for (int shape = 0; shape < 4; shape++) one_walk_in_the_recast_level(shape, samples(2500, 250000));
}

/* Each frame was checked: no wall is passed, nothing overlapped. */
static int walks_seen(void **state) {
    (void)state;
    promise_seen("A mover without its skin overlaps nothing, unless crushed, and passes no wall (frames)",
                 (long)walked.frames, "nearest %.2f skins, %llu crushed", walked.nearest,
                 (unsigned long long)walked.crushed);
    promise_seen("A mover whose way is free for 1 cm goes on, in 6 sweeps a frame on average (frames)",
                 (long)walked.frames, "%llu stuck, %.2f sweeps", (unsigned long long)walked.stuck,
                 (double)walked.sweeps / (double)walked.frames);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks_through_boxes),
                                       cmocka_unit_test(walks_through_hulls),
                                       cmocka_unit_test(walks_through_a_mesh),
                                       cmocka_unit_test(walks_through_a_compound),
                                       cmocka_unit_test(walks_far_away_and_at_other_sizes),
                                       cmocka_unit_test(walks_through_the_recast_level)};
    return cmocka_run_group_tests(tests, NULL, walks_seen);
}
