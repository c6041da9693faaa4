/* Why the end of a step is not enough. A car at 180 mph and 60 steps a second is 1.34 m farther at the end of each
 * step: whatever is shorter, together with the line that it crosses, may be passed unseen. And where only a test of two
 * poses is at hand, the sweep of spheres around the body says where to look: 15 tests in place of 4,107. cc
 * finish_line.c $(pkg-config --cflags --libs carom) -o finish_line */
#include <carom/carom.h>

#include <stdio.h>

static const double speed = 180 * 0.44704; /* m/s: a mile an hour is 0.44704 */
static const double step = 180 * 0.44704 / 60;

/* --- how often the end of a step misses --------------------------------------------------------------------------- */

/* The middle of the object is `ahead` before the line's when a step ends; do they overlap at an end, or on the way? */
static void pass(double object, double line, double ahead, int *missed, int *missed_by_sweep) {
    cm_real half = (cm_real)(object / 2), far = (cm_real)(line / 2);
    cm_aabb band = {cm_v(-far, -1, -1), cm_v(far, 1, 1)};
    cm_vec3 move = cm_v((cm_real)step, 0, 0), still = cm_v(0, 0, 0);
    cm_sweep_hit when;
    bool seen = false, swept = false;
    for (int k = -4; k <= 4; k++) { /* steps around the line */
        cm_real x = (cm_real)(k * step - ahead);
        cm_aabb body = {cm_v(x - half, 0, 0), cm_v(x + half, 1, 1)};
        seen |= cm_overlap_aabb_aabb(&body, &band);
        swept |= cm_sweep_aabb_aabb(&body, move, &band, still, &when);
    }
    *missed += !seen;
    *missed_by_sweep += !swept;
}

static void count_misses(void) {
    static const double lengths[][2] = {{0.04, 0.01}, {0.4, 0.1}, {0.9, 0.1}, {1.24, 0.1}, {4, 0.1}};
    enum { STARTS = 10000 };
    printf("180 mph are %.4f m/s: %.5f m a step of 1/60 s\n\n", speed, step);
    puts("object + line   missed at the ends of steps   by hand, 1 - length / step   missed by the sweep");
    for (int i = 0; i < 5; i++) {
        double object = lengths[i][0], line = lengths[i][1], by_hand = 1 - (object + line) / step;
        int missed = 0, missed_by_sweep = 0;
        for (int k = 0; k < STARTS; k++) pass(object, line, (k + 0.5) / STARTS * step, &missed, &missed_by_sweep);
        printf("%4.2f + %4.2f m   %24.2f %%   %23.2f %%   %17.2f %%\n", object, line, 100.0 * missed / STARTS,
               by_hand > 0 ? 100 * by_hand : 0.0, 100.0 * missed_by_sweep / STARTS);
    }
}

/* --- how many tests find the time --------------------------------------------------------------------------------- */

/* A bolt of 3 mm turns by 90 degrees while it flies a step's way to a wall. */
typedef struct flight {
    cm_shape bolt, wall;
    int tests;
} flight;

static bool overlap_at(void *user, cm_real u, const cm_pose *bolt, const cm_pose *wall) {
    flight *f = user;
    (void)u;
    f->tests++;
    return cm_overlap(&f->bolt, bolt, &f->wall, wall);
}

static void refine(flight *f, const cm_motion *fly, const cm_motion *still, cm_interval bounds, int pieces) {
    cm_interval found;
    f->tests = 0;
    if (cm_sweep_refine(fly, still, bounds, pieces, CM_REAL(1.0) / (1 << 22), overlap_at, f, &found))
        printf("%4d pieces from %.5f to %.5f: contact by %.6f, after %d tests\n", pieces, (double)bounds.first,
               (double)bounds.last, (double)found.last, f->tests);
}

static void count_tests(void) {
    const cm_real half = CM_REAL(0.0015), corner = half * cm_sqrt(3), x = CM_REAL(1.3425);
    cm_plane face = {cm_v(-1, 0, 0), x};
    flight f = {cm_make_box(cm_v(half, half, half)), cm_make_halfspace(face.normal, face.d), 0};
    cm_motion fly = {0}, still = {0};
    fly.start = still.start = cm_pose_identity();
    fly.move = cm_v((cm_real)step, 0, 0);
    fly.spin = cm_v(0, 0, CM_REAL(1.57079632679489662));

    puts("\nThe first contact of a turning bolt of 3 mm with a wall at x = 1.3425, by tests of single poses:");
    refine(&f, &fly, &still, (cm_interval){0, 1}, 4096);

    /* It cannot be in the wall before the sphere around it is, and is so when the one within it is. */
    cm_sphere around = {cm_v(0, 0, 0), corner}, within = {cm_v(0, 0, 0), half};
    cm_sweep_hit first, sure;
    if (cm_sweep_sphere_halfspace(&around, fly.move, &face, &first) &&
        cm_sweep_sphere_halfspace(&within, fly.move, &face, &sure))
        refine(&f, &fly, &still, (cm_interval){first.first, sure.first}, 4);

    cm_sweep_hit hit;
    if (cm_sweep(&f.bolt, &fly, &f.wall, &still, &hit)) printf("cm_sweep: contact at %.6f\n", (double)hit.first);
}

int main(void) {
    count_misses();
    count_tests();
    return 0;
}
