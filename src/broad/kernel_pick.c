/* Which inner loops run here, and the lanes they work on. */
#include "broad/kernel.h"
#include "base/isa.h"

const cm__kernel *cm__kernel_get(void) {
    static const cm__kernel *const kernels[] = CM__BY_ISA(&cm__kernel);
    return kernels[cm__isa_best()];
}

size_t cm__lanes_bytes(size_t count) { return (count + CM__BLOCK) * (6 * sizeof(cm_real) + 4 * sizeof(uint32_t)); }

void cm__lanes_place(cm__lanes *l, void *block, size_t count) {
    size_t n = count + CM__BLOCK;
    cm_real *reals = block;
    for (int a = 0; a < 3; ++a) l->lo[a] = reals + (size_t)a * n, l->hi[a] = reals + (size_t)(a + 3) * n;
    l->key = (uint32_t *)(void *)(reals + 6 * n);
    l->stop = l->key + n;
    l->id = l->stop + n;
    l->drop = l->id + n;
    l->count = 0;
}

/* A multiple of 64, so that lanes do not share lines and blocks do not cross them. */
static size_t cell_lanes_length(size_t count) { return (count + 2 * CM__CELL_BLOCK) / CM__CELL_BLOCK * CM__CELL_BLOCK; }

size_t cm__cell_lanes_bytes(size_t count, bool with_drop) {
    return cell_lanes_length(count) * ((with_drop ? 8 : 7) * sizeof(uint16_t) + sizeof(uint32_t));
}

void cm__cell_lanes_place(cm__cell_lanes *l, void *block, size_t count, bool with_drop) {
    size_t n = cell_lanes_length(count);
    l->id = block;
    uint16_t *words = (uint16_t *)(void *)(l->id + n);
    for (int a = 0; a < 3; ++a) l->lo[a] = words + (size_t)(2 * a) * n, l->hi[a] = words + (size_t)(2 * a + 1) * n;
    l->length = n;
    l->stop = words + 6 * n;
    l->drop = with_drop ? words + 7 * n : NULL;
    l->count = 0;
}

void cm__lanes_close(cm__lanes *l, uint32_t count) {
    const cm_aabb empty = cm_aabb_empty();
    l->count = count;
    for (uint32_t k = 0; k < CM__BLOCK; ++k) cm__lanes_set(l, count + k, &empty, CM_NONE, 0, 0, 0);
}
