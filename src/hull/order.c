/* Stable sorting by integer keys: insertion for few, radix for many. The same order everywhere, in linear time. */
#include "hull/hull.h"

#include <string.h>

#define HULL_FEW 40

static void hull_insertion(cm__hull_key *keys, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        cm__hull_key key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1].key > key.key; --at) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* Radix sort by bytes, from the lowest; a pass in which all bytes are equal is skipped. */
void cm__hull_sort(cm__hull_key *keys, cm__hull_key *scratch, size_t count) {
    if (count <= HULL_FEW) {
        hull_insertion(keys, count);
        return;
    }
    uint32_t histogram[8][256];
    memset(histogram, 0, sizeof histogram);
    for (size_t i = 0; i < count; ++i)
        for (int b = 0; b < 8; ++b) histogram[b][keys[i].key >> (8 * b) & 255]++;
    cm__hull_key *from = keys, *to = scratch;
    for (int b = 0; b < 8; ++b) {
        uint32_t *h = histogram[b], sum = 0;
        if (h[from[0].key >> (8 * b) & 255] == count) continue;
        for (int i = 0; i < 256; ++i) {
            uint32_t n = h[i];
            h[i] = sum;
            sum += n;
        }
        for (size_t i = 0; i < count; ++i) to[h[from[i].key >> (8 * b) & 255]++] = from[i];
        cm__hull_key *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) memcpy(keys, from, count * sizeof *keys);
}

/* Maps numbers to integers of the same order; -0 does not occur. */
static uint64_t hull_monotone(cm_real x) {
#if defined(CAROM_F64)
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
#else
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
#endif
}

static cm_real hull_coordinate(const cm__quick_point *point, int axis) {
    return axis == 0 ? point->at.x : axis == 1 ? point->at.y : point->at.z;
}

static void hull_sort_along(const cm__quick_point *points, int axis, cm__hull_key *keys, cm__hull_key *scratch,
                            size_t count) {
    for (size_t i = 0; i < count; ++i) keys[i].key = hull_monotone(hull_coordinate(points + keys[i].item, axis));
    cm__hull_sort(keys, scratch, count);
}

/* Sorts by the first axis alone, which is often enough; where that leaves equals, by each axis, the last one first. */
void cm__hull_sort_points(const cm__quick_point *points, int axis, cm__hull_key *keys, cm__hull_key *scratch,
                          size_t count) {
    int order[3] = {0, 1, 2}, axes = 3;
    if (axis >= 0) order[0] = (axis + 1) % 3, order[1] = (axis + 2) % 3, axes = 2;
    hull_sort_along(points, order[0], keys, scratch, count);
    bool equals = false;
    for (size_t i = 1; i < count; ++i) equals |= keys[i - 1].key == keys[i].key;
    if (!equals) return;
    for (int k = axes - 1; k >= 0; --k) hull_sort_along(points, order[k], keys, scratch, count);
}
