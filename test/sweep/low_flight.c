/* Bodies that fly low over a flat top and sink into it, slowly or fast, straight or turning about the way up: each form
 * of a box over each form of another. They are stopped by the top, when they truly reach it, wherever edges between
 * triangles or seams between children lie, which meet the body's own edges within the gap. CAROM_POSE=n: that sample
 * alone. */
#include "support/standing.h"

#include <float.h>
#include <math.h>

/* Roundings of the table's size, as sweeps compute in double: in doubles what sinks by less, over its whole way, may
 * slip through. */
#define NOISE 2048

enum { ROW_TOP, ROW_TIME, ROWS };
static const char *const rows[ROWS] = {"what sinks is stopped by the top", "what sinks is stopped when it is down"};

/* Samples of other seeds that were wrong once: seed, number. */
static const sample_once once_wrong[] = {{0, 369}, {0, 699}, {202, 45}};

static tally_table table;
static uint64_t seed;
static const cm_real table_half = 4, table_top = CM_REAL(0.25), body_half = CM_REAL(0.125);

typedef struct flight {
    double height, sink;    /* in gaps */
    double x, y, yaw, spin; /* of the body at the start */
    double way, course;     /* how far, and where to */
} flight;

static flight flight_make(rng *r) {
    flight f;
    f.height = rng_range(r, 0, 4);
    f.sink = exp(rng_range(r, log(3), log(rng_below(r, 2) ? 30 : 60000)));
    f.x = rng_range(r, -0.2, 0.2), f.y = rng_range(r, -0.2, 0.2);
    f.yaw = rng_below(r, 2) ? 0 : rng_range(r, -3, 3);
    f.spin = rng_below(r, 3) ? 0 : rng_range(r, -1, 1);
    f.way = rng_range(r, 0.05, 3);
    f.course = rng_below(r, 2) ? nice_angle(r) : rng_range(r, -3, 3);
    return f;
}

static void ask_pair(long number, const flight *f, const form *ground, const form *body) {
    const cm_vec3 up = cm_v(0, 0, 1);
    cm_motion still = {.start = cm_pose_identity()}, motion = still;
    cm_sweep_hit hit = {0};
    cm_quat_from_axis_angle(up, CM_REAL(f->yaw), &motion.start.rotation);
    motion.spin = cm_v(0, 0, CM_REAL(f->spin));
    motion.move = cm_v(CM_REAL(f->way * cos(f->course)), CM_REAL(f->way * sin(f->course)), 0);
    motion.start.position = cm_v(CM_REAL(f->x), CM_REAL(f->y), table_top + body_half);
    const double gap = promised_gap(&ground->shape, &still, &body->shape, &motion);
    const double noise = NOISE * DBL_EPSILON * (double)table_half;
    motion.start.position.z += CM_REAL(f->height * gap);
    const double height = (double)(motion.start.position.z - table_top - body_half);
    motion.move.z = -CM_REAL(height + f->sink * gap + noise);
    const bool blocked = cm_sweep(&ground->shape, &still, &body->shape, &motion, &hit) && hit.blocking;
    const double left = height + (double)hit.first * (double)motion.move.z;
    const bool top = blocked && (double)hit.normal.z > 1 - 1e-9;
    const bool down = blocked && left < 1.1 * gap + noise && left > -1.6 * gap - noise;
    const bool shown = tally_note(&table, ROW_TOP, (int)ground->kind, top);
    if (!tally_note(&table, ROW_TIME, (int)ground->kind, down) && !shown) return;
    print_error("  not so (CAROM_POSE=%ld of seed %llu): %s on %s, %.9g gaps above, sinks %.9g more\n", number,
                (unsigned long long)seed, form_names[body->kind], form_names[ground->kind], f->height, f->sink);
    motion_print("body", &motion);
    print_error("    blocked %d, first " REAL_FORMAT ", %.9g gaps above, normal %.9g %.9g %.9g\n", blocked,
                (double)hit.first, left / gap, (double)hit.normal.x, (double)hit.normal.y, (double)hit.normal.z);
}

static void ask(long number) {
    rng r = sample_rng(seed, number);
    const flight f = flight_make(&r);
    form ground[FORM_KINDS], body[FORM_KINDS];
    for (int i = 0; i < FORM_KINDS; i++) {
        form_box(&ground[i], (form_kind)i, cm_v(table_half, table_half, table_top), &r);
        form_box(&body[i], (form_kind)i, cm_v(body_half, body_half, body_half), &r);
    }
    for (int i = 0; i < FORM_KINDS; i++)
        for (int k = 0; k < FORM_KINDS; k++) ask_pair(number, &f, &ground[i], &body[k]);
    for (int i = 0; i < FORM_KINDS; i++) form_free(&ground[i]), form_free(&body[i]);
}

static int ask_everything(void **state) {
    (void)state;
    table.rows = rows, table.columns = form_names;
    table.row_count = ROWS, table.column_count = FORM_KINDS;
    sample_all("low flight", 1507, samples(60, 15000), once_wrong, sizeof once_wrong / sizeof once_wrong[0], &seed,
               ask);
    return 0;
}

static void what_sinks_is_stopped_by_the_top(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_TOP, samples(100, 10000));
}
static void what_sinks_is_stopped_when_it_is_down(void **state) {
    (void)state;
    tally_check(&table, NULL, ROW_TIME, samples(100, 10000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_sinks_is_stopped_by_the_top),
        cmocka_unit_test(what_sinks_is_stopped_when_it_is_down),
    };
    return cmocka_run_group_tests(tests, ask_everything, NULL);
}
