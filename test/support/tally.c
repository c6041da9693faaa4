/* Counts of faults by fact and form. See standing.h. */
#include "support/standing.h"

bool tally_note(tally_table *t, int row, int column, bool fine) {
    t->asked[row][column]++;
    if (fine) return false;
    t->faults[row][column]++;
    bool first = !t->shown[row][column] || getenv("CAROM_ALL");
    t->shown[row][column] = true;
    return first;
}

static void print_row(const tally_table *t, int row) {
    print_error("  %s:\n   ", t->rows[row]);
    for (int column = 0; column < t->column_count; column++)
        print_error(" %s %ld/%ld%s", t->columns[column], t->faults[row][column], t->asked[row][column],
                    column + 1 < t->column_count ? "," : "\n");
}

void tally_check(const tally_table *t, const tally_table *other, int row, long least) {
    long faults = 0;
    for (int column = 0; column < t->column_count; column++) faults += t->faults[row][column];
    if (faults > 0) {
        print_row(t, row);
        if (other) print_row(other, row);
    }
    check_that(faults == 0, "%s: %ld faults", t->rows[row], faults);
    long asked = 0;
    for (int column = 0; column < t->column_count; column++) asked += t->asked[row][column];
    check_that(sample_wanted() >= 0 || asked >= least * t->column_count, "%s: asked only %ld times", t->rows[row],
               asked);
}

long sample_wanted(void) {
    const char *text = getenv("CAROM_POSE");
    return text && *text ? strtol(text, NULL, 10) : -1;
}

void sample_all(const char *name, uint64_t key, long count, const sample_once *wrong, size_t wrong_count,
                uint64_t *seed, void (*ask)(long number)) {
    *seed = rng_start(name, key).state;
    const long wanted = sample_wanted();
    if (wanted >= 0) {
        ask(wanted);
        return;
    }
    for (long i = 0; i < count; i++) ask(i);
    for (size_t i = 0; i < wrong_count; i++) {
        *seed = key + 1000 * (uint64_t)wrong[i].seed;
        ask(wrong[i].number);
    }
}

static long common_divisor(long a, long b) { return b ? common_divisor(b, a % b) : a; }

void sample_cases(const char *name, uint64_t key, long cases, int rounds, uint64_t *seed, void (*ask)(long number)) {
    *seed = rng_start(name, key).state;
    const long wanted = sample_wanted(), count = samples((int)cases, rounds * (int)cases);
    if (wanted >= 0) {
        ask(wanted);
        return;
    }
    long step = (long)(0.618 * (double)cases); /* the golden section, which spreads best */
    while (common_divisor(cases, step) != 1) step++;
    for (long i = 0; i < count; i++) ask(i / cases * cases + i * step % cases);
}

rng sample_rng(uint64_t seed, long i) {
    rng mix = {seed}, one = {rng_bits(&mix) + (uint64_t)i * UINT64_C(0x632be59bd9b4e019)};
    rng_bits(&one);
    return one;
}
