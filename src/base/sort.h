/* Sorting of anything by a comparison. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* Heapsort: in place, without memory of its own, O(n log n). Equal items may change places, so give it a total order.
 * `context` is handed to every comparison. */
void cm__sort_by(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b, void *context),
                 void *context);
/* The same, where a comparison needs no context. */
void cm__sort(void *items, size_t count, size_t size, int (*compare)(const void *a, const void *b));

#endif
