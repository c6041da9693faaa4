/* Sorting by a comparison. */
#include "support/support.h"

#include "base/sort.h"

typedef struct item {
    uint32_t key, number;
    char padding[5]; /* no power of two */
} item;

static int by_key(const void *left, const void *right) {
    const item *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void every_item_stays_and_stands_in_order(void **state) {
    (void)state;
    rng r = rng_start("sort", 1);
    enum { MOST = 300 };
    item items[MOST];
    for (int i = 0; i < samples(2000, 100000); i++) {
        const uint32_t count = rng_below(&r, MOST + 1), keys = 1 + rng_below(&r, 2 * MOST);
        bool seen[MOST] = {false};
        for (uint32_t k = 0; k < count; k++) items[k] = (item){.key = rng_below(&r, keys), .number = k};
        cm__sort(items, count, sizeof *items, by_key);
        for (uint32_t k = 0; k < count; k++) {
            if (k > 0)
                check_that(by_key(&items[k - 1], &items[k]) < 0, "%u: %u after %u", k, items[k].key, items[k - 1].key);
            check_that(!seen[items[k].number], "%u twice", items[k].number);
            seen[items[k].number] = true;
        }
    }
}

typedef struct large_item { /* larger than what is swapped at once */
    uint16_t words[75];
    uint32_t at;
} large_item;

static int by_table(const void *left, const void *right, void *context) {
    const int *table = context, a = table[((const large_item *)left)->at], b = table[((const large_item *)right)->at];
    return a < b ? -1 : a > b;
}

static void large_items_are_ordered_by_a_context(void **state) {
    (void)state;
    enum { COUNT = 100 };
    int table[COUNT];
    large_item items[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        table[i] = (int)(i * 37 % COUNT); /* each number once */
        items[i].at = i;
        for (uint32_t k = 0; k < 75; k++) items[i].words[k] = (uint16_t)(i * 75 + k);
    }
    cm__sort_by(items, COUNT, sizeof *items, by_table, table);
    for (uint32_t i = 0; i < COUNT; i++) {
        check_that(table[items[i].at] == (int)i, "%u: %d", i, table[items[i].at]);
        for (uint32_t k = 0; k < 75; k++)
            check_that(items[i].words[k] == items[i].at * 75 + k, "item %u lost word %u", i, k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_item_stays_and_stands_in_order),
                                       cmocka_unit_test(large_items_are_ordered_by_a_context)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
