/* A convex solid that stands on an edge or a corner has the same contact whatever the two are given as: also where that
 * lies over the seam of a compound, of whose children each alone is left sideways, into the next. CAROM_POSE=n: that
 * pose alone. */
#include "support/standing.h"
#include "support/tilted.h"

#include <math.h>

enum { ROW_VERDICT, ROW_CONTACT, ROW_DEPTH, ROW_NORMAL, ROWS, MANIFOLDS = 64 };
static const char *const rows[ROWS] = {
    "overlap is that of the hulls",
    "what overlaps has a contact",
    "the deepest contact is as deep as the stand",
    "its normal is that of the face",
};
static tally_table table = {.rows = rows, .columns = tilted_pairs, .row_count = ROWS, .column_count = TILTED_PAIRS};
static uint64_t seed;

static void note(const tilted *t, long number, int pair, int row, bool fine, double seen) {
    if (!tally_note(&table, row, pair, fine)) return;
    tilted_print(t, number, pair);
    print_error("  %s: %.9g\n", rows[row], seen);
}

static void ask_pair(const tilted *t, long number, int pair) {
    const cm_shape *a = &t->table.form[pair / TILTED_FORMS], *b = &t->body.form[pair % TILTED_FORMS];
    const bool overlap = cm_overlap(a, &t->at, b, &t->pose);
    cm_manifold m[MANIFOLDS], *deepest = NULL;
    double depth = -1;
    if (fabs(t->gap) > t->noise) note(t, number, pair, ROW_VERDICT, overlap == (t->gap < 0), overlap);
    const int count = cm_contact(a, &t->at, b, &t->pose, 0, m, MANIFOLDS);
    note(t, number, pair, ROW_CONTACT, (count > 0) == overlap && count <= MANIFOLDS, count);
    for (int i = 0; i < count && i < MANIFOLDS; i++)
        for (int k = 0; k < m[i].count; k++)
            if ((double)m[i].points[k].depth > depth) depth = (double)m[i].points[k].depth, deepest = &m[i];
    if (!deepest) return;
    note(t, number, pair, ROW_DEPTH, fabs(depth + t->gap) <= t->noise, depth);
    const double off = (double)cm_length(cm_sub(deepest->normal, t->up));
    if (-t->gap > t->noise) note(t, number, pair, ROW_NORMAL, off < 1e-3, off);
}

static void ask(long number) {
    rng r = sample_rng(seed, number);
    tilted t;
    if (tilted_make(&t, &r))
        for (int pair = 0; pair < TILTED_PAIRS; pair++) ask_pair(&t, number, pair);
    tilted_free(&t);
}

static void every_form_has_the_contact_of_the_hulls(void **state) {
    (void)state;
    sample_all("tilted stands", 931, samples(1000, 100000), NULL, 0, &seed, ask);
    for (int row = 0; row < ROWS; row++) tally_check(&table, NULL, row, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_has_the_contact_of_the_hulls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
