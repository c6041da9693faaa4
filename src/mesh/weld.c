/* Joins equal or close points.
 *
 * In the order of the source each point joins the nearest kept point within the distance (the earliest of several
 * equally near), else it is kept. So no point moves by more than `weld`, chains do not run together, and the result
 * depends on the order of the source alone.
 *
 * Points are found through a hash of cells 4 weld wide: those within `weld` of x lie, on each axis, in the cells of
 * x - 1.5 weld to x + 1.5 weld, at most two, since the cell is a monotonous function of the coordinate whatever rounds.
 */
#include "base/memory.h"
#include "mesh/mesh.h"

#include <string.h>

typedef struct weld_table {
    uint32_t *heads; /* first kept point of a bucket */
    uint32_t *nexts; /* the next one */
    uint32_t mask;
} weld_table;

static uint64_t weld_mix(uint64_t h, double cell) {
    uint64_t bits;
    cell += 0.0; /* -0 and 0 are the same cell */
    memcpy(&bits, &cell, sizeof bits);
    h = (h ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}
static uint32_t weld_bucket(const weld_table *t, const double cell[3]) {
    uint64_t h = weld_mix(weld_mix(weld_mix(1, cell[0]), cell[1]), cell[2]);
    return (uint32_t)(h >> 32) & t->mask;
}

/* The cell of a coordinate: the coordinate itself where only equal points are joined. */
static double weld_cell(double x, double size) { return size > 0 ? floor(x / size) : x; }

/* The nearest kept point within the distance, or CM_NONE. */
static uint32_t weld_find(const weld_table *t, const cm_vec3 *kept, cm_vec3 p, double weld) {
    const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
    double low[3], high[3], best = 1;
    for (int k = 0; k < 3; ++k) {
        low[k] = weld_cell(at[k] - 1.5 * weld, 4 * weld);
        high[k] = weld_cell(at[k] + 1.5 * weld, 4 * weld);
    }
    uint32_t found = CM_NONE;
    for (int corner = 0; corner < 8; ++corner) {
        double cell[3];
        bool repeated = false;
        for (int k = 0; k < 3; ++k) {
            cell[k] = corner >> k & 1 ? high[k] : low[k];
            repeated = repeated || ((corner >> k & 1) && high[k] == low[k]);
        }
        if (repeated) continue;
        for (uint32_t i = t->heads[weld_bucket(t, cell)]; i != CM_NONE; i = t->nexts[i]) {
            double x = (double)kept[i].x - at[0], y = (double)kept[i].y - at[1], z = (double)kept[i].z - at[2];
            if (x == 0 && y == 0 && z == 0) return i;
            if (!(weld > 0)) continue;
            x /= weld, y /= weld, z /= weld; /* the square of a tiny distance would underflow */
            double d = x * x + y * y + z * z;
            if ((d < best || (d == best && i < found))) best = d, found = i;
        }
    }
    return found;
}

static void weld_all(weld_table *t, cm_vec3 *points, uint32_t count, double weld, uint32_t *remap, uint32_t *kept) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        cm_vec3 p = points[i];
        uint32_t same = weld_find(t, points, p, weld);
        if (same == CM_NONE) {
            const double cell[3] = {weld_cell((double)p.x, 4 * weld), weld_cell((double)p.y, 4 * weld),
                                    weld_cell((double)p.z, 4 * weld)};
            uint32_t bucket = weld_bucket(t, cell);
            points[n] = p; /* n <= i: what is overwritten was read */
            t->nexts[n] = t->heads[bucket];
            t->heads[bucket] = n;
            same = n++;
        }
        remap[i] = same;
    }
    *kept = n;
}

cm_status cm__mesh_weld(cm_vec3 *points, uint32_t count, cm_real weld, const cm_allocator *mem, uint32_t *remap,
                        uint32_t *kept) {
    if (weld < 0) {
        for (uint32_t i = 0; i < count; ++i) remap[i] = i;
        *kept = count;
        return CM_OK;
    }
    uint32_t buckets = 16;
    while (buckets < count && buckets < UINT32_C(1) << 30) buckets *= 2;
    weld_table t;
    t.mask = buckets - 1;
    t.heads = cm__alloc(mem, buckets, sizeof(uint32_t));
    t.nexts = cm__alloc(mem, count, sizeof(uint32_t));
    bool ok = t.heads && t.nexts;
    if (ok) {
        memset(t.heads, 0xff, buckets * sizeof(uint32_t));
        weld_all(&t, points, count, (double)weld, remap, kept);
    }
    cm__free(mem, t.nexts, count, sizeof(uint32_t));
    cm__free(mem, t.heads, buckets, sizeof(uint32_t));
    return ok ? CM_OK : CM_NO_MEMORY;
}
