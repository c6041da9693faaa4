/* Memory through the caller's allocator: the only place that calls malloc. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAP_PAGE = 1 << 21 }; /* a large page */

#if defined(__linux__)
int madvise(void *address, size_t bytes, int advice); /* of <sys/mman.h>, which keeps it from strict C */
/* Asks for large pages: walks through trees that fill a hundred megabytes are a tenth faster. */
static void heap_advise(void *block, size_t size) {
    enum { ADVICE_HUGE = 14 };
    const size_t skip = HEAP_PAGE - 1 - ((uintptr_t)block + HEAP_PAGE - 1) % HEAP_PAGE;
    if (block && size >= 2 * (size_t)HEAP_PAGE)
        madvise((char *)block + skip, (size - skip) / HEAP_PAGE * HEAP_PAGE, ADVICE_HUGE);
}
#else
static void heap_advise(void *block, size_t size) { (void)block, (void)size; }
#endif

/* A heap may not move such a block without copying it, and would copy it into small pages before the system could be
 * advised. */
static void *heap_grow(void *block, size_t old_size, size_t new_size) {
    void *grown = malloc(new_size);
    heap_advise(grown, new_size);
    if (grown) memcpy(grown, block, old_size);
    if (grown) free(block);
    return grown;
}

static void *heap_allocate(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (block && new_size > old_size && old_size >= 2 * (size_t)HEAP_PAGE) return heap_grow(block, old_size, new_size);
    const bool fresh = !block;
    block = realloc(block, new_size);
    if (fresh || new_size > old_size) heap_advise(block, new_size);
    return block;
}

void *cm__resize(const cm_allocator *mem, void *block, size_t old_size, size_t new_size) {
    if (mem && mem->allocate) return mem->allocate(mem->user, block, old_size, new_size);
    return heap_allocate(NULL, block, old_size, new_size);
}

/* Empty blocks take one byte, so that NULL always means failure. */
static size_t block_size(size_t count, size_t size) { return count > 0 && size > 0 ? count * size : 1; }

void *cm__alloc(const cm_allocator *mem, size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / 2 / size) return NULL;
    return cm__resize(mem, NULL, 0, block_size(count, size));
}

void cm__free(const cm_allocator *mem, void *block, size_t count, size_t size) {
    if (block) cm__resize(mem, block, block_size(count, size), 0);
}

bool cm__reserve(const cm_allocator *mem, void **items, size_t *capacity, size_t need, size_t size) {
    if (need <= *capacity) return true;
    size_t limit = SIZE_MAX / 2 / size;
    if (need > limit) return false;
    size_t grown = *capacity > limit / 2 ? limit : *capacity * 2;
    if (grown < need) grown = need;
    if (grown < 16 && limit >= 16) grown = 16;
    void *block = cm__resize(mem, *items, *items ? block_size(*capacity, size) : 0, block_size(grown, size));
    if (!block) return false;
    *items = block;
    *capacity = grown;
    return true;
}
