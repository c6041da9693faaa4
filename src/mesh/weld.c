/* Joins equal or close points.
 *
 * In the order of the source each point joins the nearest kept point within the distance (the earliest of several
 * equally near), else it is kept. So no point moves by more than `weld`, chains do not run together, and the result
 * depends on the order of the source alone.
 *
 * Points are found through a hash of cells 4 weld wide: those within `weld` of x lie, on each axis, in the cells of
 * x - 1.5 weld to x + 1.5 weld, at most two, since the cell is a monotone function of the coordinate whatever rounds.
 *
 * Where only equal points are joined, a cell is a point, and each is found in an open table of the kept ones. */
#include "base/memory.h"
#include "base/bits.h"
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

static double weld_cell(double x, double size) { return floor(x / size); }

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

/* --- equal points ------------------------------------------------------------------------------------------------- */

enum { WELD_AHEAD = 16 /* points whose places are fetched before they are looked up */ };

static uint64_t weld_point_hash(const cm_vec3 *p) {
    const cm_real at[3] = {p->x + 0, p->y + 0, p->z + 0}; /* -0 and 0 are equal */
    uint64_t hash = 0;
    for (int k = 0; k < 3; ++k) {
        uint64_t bits = 0;
        memcpy(&bits, &at[k], sizeof at[k]);
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* `table`: mask + 1 places, more than there are points; all CM_NONE. */
static uint32_t weld_equal(uint32_t *table, uint32_t mask, cm_vec3 *points, uint32_t count, uint32_t *remap) {
    uint32_t kept = 0, ahead[WELD_AHEAD];
    for (uint32_t i = 0; i < WELD_AHEAD && i < count; ++i) ahead[i] = (uint32_t)weld_point_hash(&points[i]) & mask;
    for (uint32_t i = 0; i < count; ++i) {
        const cm_vec3 p = points[i];
        uint32_t at = ahead[i % WELD_AHEAD], same;
        if (i + WELD_AHEAD < count) {
            uint32_t next = (uint32_t)weld_point_hash(&points[i + WELD_AHEAD]) & mask;
            BITS_FETCH(&table[next]);
            ahead[i % WELD_AHEAD] = next;
        }
        for (; (same = table[at]) != CM_NONE; at = (at + 1) & mask)
            if (points[same].x == p.x && points[same].y == p.y && points[same].z == p.z) break;
        if (same == CM_NONE) {
            points[kept] = p; /* kept <= i: what is overwritten was read */
            table[at] = same = kept++;
        }
        remap[i] = same;
    }
    return kept;
}

static cm_status weld_equal_points(cm_vec3 *points, uint32_t count, const cm_allocator *mem, uint32_t *remap,
                                   uint32_t *kept) {
    size_t places = 16;
    while (places < 2 * (size_t)count && places < (size_t)1 << 31) places *= 2;
    if (places <= count) return CM_NO_MEMORY;
    uint32_t *table = cm__alloc(mem, places, sizeof *table);
    if (!table) return CM_NO_MEMORY;
    memset(table, 0xff, places * sizeof *table);
    *kept = weld_equal(table, (uint32_t)(places - 1), points, count, remap);
    cm__free(mem, table, places, sizeof *table);
    return CM_OK;
}

cm_status cm__mesh_weld(cm_vec3 *points, uint32_t count, cm_real weld, const cm_allocator *mem, uint32_t *remap,
                        uint32_t *kept) {
    if (weld < 0) {
        for (uint32_t i = 0; i < count; ++i) remap[i] = i;
        *kept = count;
        return CM_OK;
    }
    if (weld == 0) return weld_equal_points(points, count, mem, remap, kept);
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
