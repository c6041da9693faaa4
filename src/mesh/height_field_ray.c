/* The first triangle of a height field that a ray meets, in the field's own frame.
 *
 * Watertight as meshes are, by the same exact test of each triangle (ray.c), on all cells that the ray may touch: it is
 * marched over the grid, slab by slab across the ground's axis along which it runs faster, each slab as wide as a node
 * of the tree. Where the ray passes above or below all that the nodes it crosses there hold, the whole slab is left
 * behind; else it is looked at in smaller ones, at last cell by cell. Every span of places and heights is widened by
 * what rounding may take: that of the grid's lines, which are cm_real, and 2^-44 of all numbers. Where that is not
 * small against a cell (far from the origin, or rays from far away) the tree is walked instead, box by box.
 *
 * Bound: each slab of each level once. Based on: [Amanatides87] the march; [Kay86] the boxes of the walk. */
#include "mesh/height_field.h"
#include "mesh/ray.h"

/* Up to which time boxes matter: those of triangles whose rounded hit may be as early as the best one. */
static double field_ray_limit(double max) { return max < DBL_MAX / 2 ? max * (1 + 0x1p-30) + DBL_MIN : DBL_MAX; }

typedef struct field_ray {
    const cm_height_field *f;
    cm__ray_line line;
    cm__ray_shear shear;
    bool found;
    cm__mesh_hit best;
    cm__face face; /* of it */
    /* the march: along the ray, across it, upwards; the first two counted in cells */
    int axis[2];
    uint32_t cells[2];
    double at[3], way[3], slack[3], over; /* over: 1 / way[0] */
    double first, last, end;              /* times; the ray's own end */
} field_ray;

static void field_ray_cell(field_ray *r, uint32_t column, uint32_t row) {
    cm__face faces[2];
    cm__field_cell(r->f, column, row, faces);
    for (uint32_t half = 0; half < 2; ++half) {
        cm__mesh_hit hit;
        if (!cm__ray_hits(&r->line, &r->shear, &faces[half], &hit)) continue;
        hit.t = cm__least(hit.t, r->end);
        hit.triangle = hit.place = 2 * (row * cm__field_cells(r->f, 0) + column) + half;
        if (r->found && !cm__ray_hit_is_before(&hit, &r->best)) continue;
        r->best = hit;
        r->face = faces[half];
        r->found = true;
        r->line.max = cm__ray_until(hit.t, (double)r->f->point_reach, r->line.direction);
        r->last = cm__least(r->last, field_ray_limit(hit.t));
    }
}

static void field_ray_walk(field_ray *r, cm_vec3 origin, cm_vec3 direction) {
    cm__field_walk walk;
    cm_aabb point;
    uint32_t cell, width = cm__field_cells(r->f, 0);
    point.min = point.max = origin;
    cm__field_walk_box(&walk, r->f, &point, direction);
    while (cm__field_walk_next(&walk, r->f, cm__field_enter, &walk.query, field_ray_limit(r->line.max), &cell))
        field_ray_cell(r, cell % width, cell / width);
}

/* Narrows the times to those at which the ray is within [low, high] on axis k. */
static bool field_ray_clip(field_ray *r, int k, double low, double high) {
    double speed = r->way[k], a = (low - r->at[k]) / speed, b = (high - r->at[k]) / speed;
    if (speed == 0) return r->at[k] >= low && r->at[k] <= high;
    r->first = cm__most(r->first, cm__least(a, b));
    r->last = cm__least(r->last, cm__most(a, b));
    return r->first <= r->last * (1 + 0x1p-48) + DBL_MIN;
}

/* False: too far away to be sure of the cells. */
static bool field_ray_lay_out(field_ray *r) {
    const cm_height_field *f = r->f;
    const double o[3] = {r->line.origin.x, r->line.origin.y, r->line.origin.z};
    const double d[3] = {r->line.direction.x, r->line.direction.y, r->line.direction.z};
    double at[2], way[2], slack[2];
    for (int k = 0; k < 2; ++k) {
        double spacing = (double)f->spacing[k], cells = (double)cm__field_cells(f, k);
        double far = cm__most(fabs((double)f->origin[k]), fabs((double)f->origin[k] + cells * spacing));
        at[k] = (o[f->axis[k]] - (double)f->origin[k]) / spacing;
        way[k] = d[f->axis[k]] / spacing;
        slack[k] = (double)CM_REAL_EPSILON * far / spacing + 0x1p-44 * (fabs(at[k]) + cells);
        if (!(slack[k] < 0.125) || !(fabs(way[k]) <= DBL_MAX)) return false;
    }
    int along = fabs(way[0]) >= fabs(way[1]) ? 0 : 1;
    for (int k = 0; k < 2; ++k) {
        int from = k == 0 ? along : 1 - along;
        r->axis[k] = from;
        r->cells[k] = cm__field_cells(f, from);
        r->at[k] = at[from], r->way[k] = way[from], r->slack[k] = slack[from];
    }
    r->at[2] = o[f->axis[2]], r->way[2] = d[f->axis[2]];
    r->slack[2] = 0x1p-44 * (fabs(r->at[2]) + (double)f->point_reach) + DBL_MIN;
    r->over = r->way[0] != 0 ? 1 / r->way[0] : DBL_MAX;
    return true;
}

/* What one axis sees between two times. */
static inline void field_ray_span(const field_ray *r, int k, double t0, double t1, double *low, double *high) {
    double a = r->at[k] + t0 * r->way[k], b = r->at[k] + t1 * r->way[k];
    *low = (a < b ? a : b) - r->slack[k], *high = (a < b ? b : a) + r->slack[k];
}

/* The cells of one column (or row) between two others of the other axis. */
static void field_ray_strip(field_ray *r, uint32_t at, uint32_t from, uint32_t to, double low, double high) {
    const cm_height_field *f = r->f;
    const cm_real *heights = cm__field_heights(f);
    uint32_t width = f->info.columns;
    for (uint32_t i = from; i <= to; ++i) {
        uint32_t x = r->axis[0] == 0 ? at : i, y = r->axis[0] == 0 ? i : at;
        const cm_real *h = heights + (size_t)y * width + x;
        cm_real least = cm_min(cm_min(h[0], h[1]), cm_min(h[width], h[width + 1]));
        cm_real most = cm_max(cm_max(h[0], h[1]), cm_max(h[width], h[width + 1]));
        if ((double)most < low || (double)least > high || cm__field_is_hole(f, y * (width - 1) + x)) continue;
        field_ray_cell(r, x, y);
    }
}

/* Do the nodes of a slab hold anything as high as the ray is there? */
static bool field_ray_meets_nodes(const field_ray *r, int level, uint32_t at, uint32_t from, uint32_t to, double low,
                                  double high) {
    const cm__field_range *ranges = (const cm__field_range *)cm__field_at(r->f, r->f->ranges[level]);
    size_t width = cm__field_width(r->f, level, 0);
    for (uint32_t i = from >> level; i <= to >> level; ++i) {
        const cm__field_range *range = &ranges[r->axis[0] == 0 ? i * width + at : at * width + i];
        if ((double)range->high >= low && (double)range->low <= high) return true;
    }
    return false;
}

/* The number of the cell at a place, brought into the field. */
static inline uint32_t field_ray_number(double place, uint32_t cells) {
    double most = (double)(cells - 1);
    return (uint32_t)(place > 0 ? place < most ? place : most : 0);
}

static void field_ray_march(field_ray *r) {
    const cm_height_field *f = r->f;
    const int top = f->levels - 1 >= CM__FIELD_STORED ? f->levels - 1 : 0;
    const bool up = r->way[0] >= 0;
    const double side = up ? -r->slack[0] : r->slack[0];
    uint32_t i = field_ray_number(r->at[0] + r->first * r->way[0] + side, r->cells[0]);
    uint32_t end = field_ray_number(r->at[0] + r->last * r->way[0] - side, r->cells[0]);
    int level = 0; /* which one is a matter of time alone; to begin with, the ray's own length in four slabs or fewer */
    while (level < top && (up ? end - i : i - end) >> level > 3)
        level = level < CM__FIELD_STORED ? CM__FIELD_STORED : level + 1;
    for (;;) {
        uint32_t node = i >> level, start = node << level, stop = ((node + 1) << level) - 1;
        stop = stop < r->cells[0] - 1 ? stop : r->cells[0] - 1;
        double near = (double)(up ? start : stop + 1) + side, far = (double)(up ? stop + 1 : start) - side;
        double t0 = cm__most((near - r->at[0]) * r->over, r->first), low, high, left, right;
        double t1 = cm__least((far - r->at[0]) * r->over, r->last);
        if (t0 > r->last) return;
        field_ray_span(r, 1, t0, t1, &left, &right);
        bool meets = right >= 0 && left < (double)r->cells[1];
        if (meets) {
            uint32_t from = field_ray_number(left, r->cells[1]), to = field_ray_number(right, r->cells[1]);
            field_ray_span(r, 2, t0, t1, &low, &high);
            if (level == 0) {
                field_ray_strip(r, i, from, to, low, high);
            } else if (field_ray_meets_nodes(r, level, node, from, to, low, high)) {
                level = level > CM__FIELD_STORED ? level - 1 : 0;
                continue;
            }
        }
        /* on to the next slab, a larger one where one begins */
        if (up ? stop >= end : start <= end) return;
        i = up ? stop + 1 : start - 1;
        int larger = level == 0 ? CM__FIELD_STORED : level + 1;
        if (larger <= top && ((up ? i : i + 1) & ((UINT32_C(1) << larger) - 1)) == 0) level = larger;
    }
}

bool cm__field_ray(const cm_height_field *f, cm_vec3 origin, cm_vec3 direction, cm_real max, cm__mesh_hit *out) {
    field_ray r;
    if (f->info.holes == f->info.cells) return false;
    r.f = f;
    r.line.origin = cm__point_of(origin), r.line.direction = cm__point_of(direction);
    r.line.max = cm__ray_until((double)max, (double)f->point_reach, r.line.direction), r.end = (double)max;
    r.found = false;
    r.first = 0, r.last = field_ray_limit((double)max);
    cm__ray_shear_of(&r.line, f->point_reach, &r.shear);
    if (field_ray_lay_out(&r)) {
        const cm_real lows[3] = {f->info.bounds.min.x, f->info.bounds.min.y, f->info.bounds.min.z};
        const cm_real highs[3] = {f->info.bounds.max.x, f->info.bounds.max.y, f->info.bounds.max.z};
        double low = (double)lows[f->axis[2]], high = (double)highs[f->axis[2]];
        for (int k = 0; k < 2; ++k)
            if (!field_ray_clip(&r, k, -r.slack[k], (double)r.cells[k] + r.slack[k])) return false;
        if (!field_ray_clip(&r, 2, low - r.slack[2], high + r.slack[2])) return false;
        field_ray_march(&r);
    } else {
        field_ray_walk(&r, origin, direction);
    }
    if (!r.found) return false;
    /* once more, for the weights */
    const cm_vec3 *corner = r.face.corner;
    const cm__point c[3] = {cm__point_of(corner[0]), cm__point_of(corner[1]), cm__point_of(corner[2])};
    *out = r.best;
    const bool found = cm__ray_hits_face(&r.line, c, out);
    out->t = r.best.t;
    return found;
}
