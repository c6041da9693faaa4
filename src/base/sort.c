/* Heapsort: see sort.h. An item is never larger than its parent, (i - 1) / 2; the largest goes to the end. */
#include "base/sort.h"
#include "carom/base.h"

static void sort_swap(char *a, char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const char kept = a[i];
        a[i] = b[i], b[i] = kept;
    }
}

/* The item at `at` goes down until none of its children is larger. */
static void sort_sink(char *items, size_t at, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare(items + child * size, items + (child + 1) * size) < 0) child++;
        if (compare(items + at * size, items + child * size) >= 0) return;
        sort_swap(items + at * size, items + child * size, size);
    }
}

void cm__sort(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b)) {
    char *bytes = items;
    for (size_t i = count / 2; i > 0; i--) sort_sink(bytes, i - 1, count, size, compare);
    for (size_t last = count; last > 1; last--) {
        sort_swap(bytes, bytes + (last - 1) * size, size);
        sort_sink(bytes, 0, last - 1, size, compare);
    }
}
