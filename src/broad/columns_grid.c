/* Choosing the grid of the columns from a sample of the boxes.
 *
 * Per box and frame, a column grid costs its copies times (a fixed part + the blocks of sixteen it is tested against).
 * More columns mean more copies and fewer tests: the expected cost is written down for some numbers of columns, from
 * the means of the sample, and the cheapest is taken. The weights are measured: handling a copy costs as much as three
 * blocks. */
#include "broad/columns.h"

#include <stdlib.h>

static int compare_reals(const void *a, const void *b) {
    cm_real x = *(const cm_real *)a, y = *(const cm_real *)b;
    return x < y ? -1 : x > y;
}

/* Extent of the sample's centers along an axis, without the outermost two per cent, and the mean size. */
static void sample_axis(const cm__record *sample, uint32_t n, int axis, cm_real *lo, cm_real *hi, double *size) {
    cm_real at[CM__SAMPLE];
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i) {
        at[i] = sample[i].lo[axis] / 2 + sample[i].hi[axis] / 2;
        sum += (double)sample[i].hi[axis] - (double)sample[i].lo[axis];
    }
    qsort(at, n, sizeof at[0], compare_reals);
    *lo = at[n / 64];
    *hi = at[n - 1 - n / 64];
    *size = sum / n;
}

static const double copy_cost = 48;    /* in box tests */
static const double fewest_boxes = 24; /* a column must expect, so that a giant's copies cost what testing it would */

void cm__grid_choose(cm__column_grid *g, cm__record *sample, uint32_t n, uint32_t count, cm_real least_cell) {
    cm_real lo[3], hi[3];
    double extent[3], size[3];
    for (int a = 0; a < 3; ++a) {
        sample_axis(sample, n, a, &lo[a], &hi[a], &size[a]);
        extent[a] = (double)hi[a] - (double)lo[a];
    }
    /* Sort along the axis on which a box meets the smallest part of the others. */
    double part[3];
    int w = 0;
    for (int a = 0; a < 3; ++a) {
        part[a] = size[a] < extent[a] ? size[a] / extent[a] : 1;
        if (part[a] < part[w]) w = a;
    }
    g->w = w, g->u = (w + 1) % 3, g->v = (w + 2) % 3;
    const int axes[3] = {g->u, g->v, g->w};
    double product = 0; /* mean of size u times size v */
    for (uint32_t i = 0; i < n; ++i) {
        product += ((double)sample[i].hi[g->u] - (double)sample[i].lo[g->u]) *
                   ((double)sample[i].hi[g->v] - (double)sample[i].lo[g->v]) / n;
    }
    static const int ladder[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
    enum { STEPS = sizeof ladder / sizeof ladder[0] };
    double best = 0;
    g->cells[0] = g->cells[1] = 1;
    for (int i = 0; i < STEPS * STEPS; ++i) {
        int m = ladder[i % STEPS], k = ladder[i / STEPS];
        double cu = extent[g->u] / m, cv = extent[g->v] / k;
        if (m > 1 && !(cu > 0 && cu >= (double)least_cell)) continue;
        if (k > 1 && !(cv > 0 && cv >= (double)least_cell)) continue;
        if (m * k > 1 && (double)m * k * fewest_boxes > count) continue;
        double copies = 1 + (m > 1 ? size[g->u] / cu : 0) + (k > 1 ? size[g->v] / cv : 0) +
                        (m > 1 && k > 1 ? product / cu / cv : 0);
        double tests = count * copies / m / k * part[w] + 8; /* half of the last block is waste */
        double cost = copies * (copy_cost + tests);
        if (i == 0 || cost < best) best = cost, g->cells[0] = m, g->cells[1] = k;
    }
    uint32_t keys = 64;
    while (keys < count / (uint32_t)(g->cells[0] * g->cells[1]) && keys < 4096) keys *= 2;
    g->cells[2] = (int)keys;
    for (int k = 0; k < 3; ++k) {
        double width = extent[axes[k]];
        g->origin[k] = lo[axes[k]];
        g->scale[k] = width > 0 ? (cm_real)(g->cells[k] / width) : 0;
        if (!(g->scale[k] <= CM_REAL_MAX)) g->scale[k] = 0;
    }
    g->columns = (uint32_t)(g->cells[0] * g->cells[1]);
}
