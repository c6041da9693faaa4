/* Choosing the grid of the columns from a sample of the boxes.
 *
 * Per box and frame, a column grid costs its copies times (a fixed part + the boxes each is tested against). More
 * columns mean more copies and fewer tests: the expected cost is written down for some numbers of columns, from the
 * means of the sample, and the cheapest is taken. The weights are measured. A grid in use is kept while it is nearly as
 * good as the best, as what is sorted into it then stays. Based on: [Hoare61] selection, for the extents. */
#include "broad/columns.h"
#include "math/axis.h"

static const double copy_cost = 48;     /* in box tests */
static const double fewest_boxes = 24;  /* a column must expect, so that a giant's copies cost what testing it would */
static const double good_enough = 1.15; /* times the best cost */

/* The k-th smallest. */
static cm_real sample_select(cm_real *at, int n, int k) {
    int first = 0, last = n - 1;
    while (first < last) {
        const cm_real pivot = at[k];
        int i = first, j = last;
        do {
            while (at[i] < pivot) ++i;
            while (pivot < at[j]) --j;
            if (i > j) break;
            cm_real swap = at[i];
            at[i++] = at[j], at[j--] = swap;
        } while (i <= j);
        if (j < k) first = i;
        if (k < i) last = j;
    }
    return at[k];
}

/* What the sample tells: centers without the outermost two per cent, mean sizes. */
typedef struct grid_sample {
    double lo[3], hi[3], extent[3], size[3];
    double part[3]; /* of the others that a box meets along an axis */
    double count;
} grid_sample;

static void sample_axis(grid_sample *s, const cm_aabb *boxes, uint32_t n, int axis) {
    cm_real at[CM__SAMPLE] = {0};
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i) {
        cm_real lo = vec3_reals(&boxes[i].min)[axis], hi = vec3_reals(&boxes[i].max)[axis];
        at[i] = lo / 2 + hi / 2;
        sum += (double)hi - (double)lo;
    }
    s->lo[axis] = (double)sample_select(at, (int)n, (int)(n / 64));
    s->hi[axis] = (double)sample_select(at, (int)n, (int)(n - 1 - n / 64));
    s->extent[axis] = s->hi[axis] - s->lo[axis];
    s->size[axis] = sum / n;
    s->part[axis] = s->size[axis] < s->extent[axis] ? s->size[axis] / s->extent[axis] : 1;
}

/* Expected cost with cells of these widths, 0 for an axis that is not cut. `product`: mean of size u times size v. */
static double grid_cost(const grid_sample *s, int u, int v, double width_u, double width_v, double product) {
    double copies = 1 + (width_u > 0 ? s->size[u] / width_u : 0) + (width_v > 0 ? s->size[v] / width_v : 0) +
                    (width_u > 0 && width_v > 0 ? product / width_u / width_v : 0);
    double columns = (width_u > 0 && s->extent[u] > width_u ? s->extent[u] / width_u : 1) *
                     (width_v > 0 && s->extent[v] > width_v ? s->extent[v] / width_v : 1);
    return copies * (copy_cost + s->count * copies / columns * s->part[3 - u - v]);
}

/* Numbers for the axis: twice the extent, so that little lies beyond them. */
static void grid_scale(cm__column_grid *g, const grid_sample *s, int axis, int cells) {
    double margin = s->extent[axis] / 2 + s->size[axis];
    double width = s->extent[axis] + 2 * margin;
    double scale = width > 0 ? (CM__HIGHEST - CM__LOWEST) / width : 0;
    if (!(scale < (double)CM_REAL_MAX)) scale = 0;
    g->scale[axis] = (cm_real)scale;
    g->origin[axis] = (cm_real)(s->lo[axis] - margin - (scale > 0 ? CM__LOWEST / scale : 0));
    uint32_t lo = cm__grid_number(g, axis, (cm_real)s->lo[axis]), hi = cm__grid_number(g, axis, (cm_real)s->hi[axis]);
    g->base[axis] = (uint16_t)lo;
    g->span[axis] = (uint16_t)(hi - lo);
    uint32_t factor = cells > 1 ? 65536u * (uint32_t)cells / (hi - lo + 1u) : 0;
    g->factor[axis] = (uint16_t)(factor < 65536 ? factor : 65535);
}

static void grid_place(cm__column_grid *g, const grid_sample *s, int w, int cells_u, int cells_v) {
    g->w = w, g->u = (w + 1) % 3, g->v = (w + 2) % 3;
    if (cells_u == 1) { /* copying takes a width of 1 for no second axis */
        int swap = g->u;
        g->u = g->v, g->v = swap;
        cells_u = cells_v, cells_v = 1;
    }
    g->cells[0] = cells_u, g->cells[1] = cells_v;
    g->columns = (uint32_t)(cells_u * cells_v);
    grid_scale(g, s, g->u, cells_u);
    grid_scale(g, s, g->v, cells_v);
    grid_scale(g, s, w, 1);
    const uint32_t wanted = (uint32_t)(s->count / g->columns);
    uint32_t keys = 64;
    while (keys < wanted && keys < 4096) keys *= 2;
    g->shift = 0;
    while ((uint32_t)g->span[w] >> g->shift >= keys) ++g->shift;
    g->keys = ((uint32_t)g->span[w] >> g->shift) + 1;
}

/* Is the sample still about where the grid lies? */
static bool grid_holds(const cm__column_grid *g, const grid_sample *s) {
    for (int a = 0; a < 3; ++a) {
        if (!(g->scale[a] > 0)) return false;
        double lo = (double)g->origin[a] + g->base[a] / (double)g->scale[a], hi = lo + g->span[a] / (double)g->scale[a];
        double slack = s->extent[a] / 8 + s->size[a];
        if (cm_abs((cm_real)(lo - s->lo[a])) > (cm_real)slack || cm_abs((cm_real)(hi - s->hi[a])) > (cm_real)slack)
            return false;
    }
    return true;
}

static double cell_width(const cm__column_grid *g, int axis) {
    return g->factor[axis] ? 65536.0 / g->factor[axis] / (double)g->scale[axis] : 0;
}

bool cm__grid_choose(cm__column_grid *g, const cm_aabb *sample, uint32_t n, uint32_t count, cm_real least_cell,
                     bool keep) {
    grid_sample s;
    s.count = count;
    int w = 0;
    for (int a = 0; a < 3; ++a) {
        sample_axis(&s, sample, n, a);
        if (s.part[a] < s.part[w]) w = a; /* sort along the axis on which a box meets the smallest part of the others */
    }
    const int u = (w + 1) % 3, v = (w + 2) % 3;
    double products[3] = {0, 0, 0}; /* mean of the sizes on the two other axes */
    for (uint32_t i = 0; i < n; ++i) {
        double size[3];
        for (int a = 0; a < 3; ++a)
            size[a] = (double)vec3_reals(&sample[i].max)[a] - (double)vec3_reals(&sample[i].min)[a];
        for (int a = 0; a < 3; ++a) products[a] += size[(a + 1) % 3] * size[(a + 2) % 3] / n;
    }
    static const int ladder[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
    enum { STEPS = sizeof ladder / sizeof ladder[0] };
    double best = 0;
    int cells_u = 1, cells_v = 1;
    for (int i = 0; i < STEPS * STEPS; ++i) {
        int m = ladder[i % STEPS], k = ladder[i / STEPS];
        double wide = s.extent[u] / m, high = s.extent[v] / k;
        if (m > 1 && !(wide > 0 && wide >= (double)least_cell)) continue;
        if (k > 1 && !(high > 0 && high >= (double)least_cell)) continue;
        if (m * k > 1 && (double)m * k * fewest_boxes > count) continue;
        double cost = grid_cost(&s, u, v, m > 1 ? wide : 0, k > 1 ? high : 0, products[w]);
        if (i == 0 || cost < best) best = cost, cells_u = m, cells_v = k;
    }
    if (keep && g->columns && grid_holds(g, &s)) {
        double now = grid_cost(&s, g->u, g->v, cell_width(g, g->u), cell_width(g, g->v), products[g->w]);
        if (now <= good_enough * best) return false;
    }
    grid_place(g, &s, w, cells_u, cells_v);
    return true;
}

void cm__grid_coarsen(cm__column_grid *g) {
    int k = g->cells[0] >= g->cells[1] ? 0 : 1, axis = k == 0 ? g->u : g->v, cells = g->cells[k] / 2;
    g->cells[k] = cells;
    g->factor[axis] = (uint16_t)(cells > 1 ? g->factor[axis] / 2 : 0);
    if (g->cells[0] == 1) {
        int swap = g->u;
        g->u = g->v, g->v = swap;
        g->cells[0] = g->cells[1], g->cells[1] = 1;
    }
    g->columns = (uint32_t)(g->cells[0] * g->cells[1]);
}
