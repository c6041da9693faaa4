/* A convex solid that stands on an edge or a corner, whatever the two are given as, is held by what it stands on,
 * slides along it and leaves it: also over the seam of a compound. CAROM_POSE=n: that pose alone. */
#include "support/standing.h"
#include "support/tilted.h"

#include <math.h>

enum { ROW_DOWN, ROW_ALONG, ROW_UP, ROWS };
static const char *const rows[ROWS] = {
    "what presses down is blocked at once",
    "what slides is free",
    "what leaves is free",
};
static tally_table table = {.rows = rows, .columns = tilted_pairs, .row_count = ROWS, .column_count = TILTED_PAIRS};
static uint64_t seed;

static void ask_pair(const tilted *t, long number, int pair, const cm_vec3 way[ROWS]) {
    const cm_shape *a = &t->table.form[pair / TILTED_FORMS], *b = &t->body.form[pair % TILTED_FORMS];
    for (int row = 0; row < ROWS; row++) {
        const cm_motion rest = {.start = t->at}, motion = {.start = t->pose, .move = way[row]};
        cm_sweep_hit hit;
        const bool blocked = cm_sweep(a, &rest, b, &motion, &hit) && hit.blocking;
        const double latest = fmax(t->gap, 0) + promised_gap(a, &rest, b, &motion) + t->noise;
        const bool fine = row == ROW_DOWN ? blocked && (double)hit.first * 0.25 <= latest : !blocked;
        if (!tally_note(&table, row, pair, fine)) continue;
        tilted_print(t, number, pair);
        print_error("  %s: %d at %.9g\n", rows[row], blocked, blocked ? (double)hit.first : 1);
    }
}

static void ask(long number) {
    rng r = sample_rng(seed, number);
    tilted t;
    if (tilted_make(&t, &r)) {
        const double angle = rng_below(&r, 2) ? rng_range(&r, 0, 6.3) : nice_angle(&r);
        const cm_vec3 along =
            cm_add(cm_scale(t.across[0], CM_REAL(0.5 * cos(angle))), cm_scale(t.across[1], CM_REAL(0.5 * sin(angle))));
        const cm_vec3 way[ROWS] = {cm_scale(t.up, CM_REAL(-0.25)), along,
                                   cm_add(cm_scale(along, CM_REAL(0.4)), cm_scale(t.up, CM_REAL(0.5)))};
        for (int pair = 0; pair < TILTED_PAIRS; pair++) ask_pair(&t, number, pair, way);
    }
    tilted_free(&t);
}

static void what_stands_tilted_is_held_slides_and_leaves(void **state) {
    (void)state;
    sample_all("tilted stands", 932, samples(600, 60000), NULL, 0, &seed, ask);
    for (int row = 0; row < ROWS; row++) tally_check(&table, NULL, row, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_stands_tilted_is_held_slides_and_leaves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
