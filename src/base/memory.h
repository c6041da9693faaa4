/* Memory through the caller's allocator, and arrays that grow. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "carom/base.h"

/* `count` items of `size` bytes, uninitialised, aligned for any type; NULL where it fails or the product overflows.
 * A count of 0 gives a valid block. */
void *cm__alloc(const cm_allocator *mem, size_t count, size_t size);
/* Frees what cm__alloc gave with the same count and size; NULL is fine. */
void cm__free(const cm_allocator *mem, void *block, size_t count, size_t size);
/* Makes a block of cm__alloc larger or smaller; both sizes are in bytes, and not 0. NULL where it fails: it is as it
 * was.
 */
void *cm__resize(const cm_allocator *mem, void *block, size_t old_size, size_t new_size);
/* Makes room for at least `need` items, by doubling. *items and *capacity are untouched on failure. */
bool cm__reserve(const cm_allocator *mem, void **items, size_t *capacity, size_t need, size_t size);

#endif
