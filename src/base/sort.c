/* Heapsort: see sort.h. An item is never larger than its parent, (i - 1) / 2; the largest goes to the end. */
#include "base/sort.h"
#include "carom/base.h"

#include <string.h>

typedef struct sort_run {
    char *items;
    size_t size;
    int (*compare)(const void *a, const void *b, void *context);
    void *context;
} sort_run;

static bool sort_less(const sort_run *run, size_t i, size_t j) {
    return run->compare(run->items + i * run->size, run->items + j * run->size, run->context) < 0;
}

static void sort_swap(const sort_run *run, size_t i, size_t j) {
    char kept[64], *a = run->items + i * run->size, *b = run->items + j * run->size;
    for (size_t left = run->size, n; left > 0; left -= n, a += n, b += n) {
        n = left < sizeof kept ? left : sizeof kept;
        memcpy(kept, a, n);
        memcpy(a, b, n);
        memcpy(b, kept, n);
    }
}

/* The item at `at` goes down until none of its children is larger. */
static void sort_sink(const sort_run *run, size_t at, size_t count) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && sort_less(run, child, child + 1)) child++;
        if (!sort_less(run, at, child)) return;
        sort_swap(run, at, child);
    }
}

void cm__sort_by(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
                 void *context) {
    const sort_run run = {items, size, compare, context};
    for (size_t i = count / 2; i > 0; i--) sort_sink(&run, i - 1, count);
    for (size_t last = count; last > 1; last--) {
        sort_swap(&run, 0, last - 1);
        sort_sink(&run, 0, last - 1);
    }
}

typedef struct sort_plain {
    int (*compare)(const void *a, const void *b);
} sort_plain;

static int sort_compare_plain(const void *a, const void *b, void *context) {
    return ((const sort_plain *)context)->compare(a, b);
}

void cm__sort(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b)) {
    sort_plain plain = {compare};
    cm__sort_by(items, count, size, sort_compare_plain, &plain);
}
