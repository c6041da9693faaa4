/* Reading a height field: its triangles, what lies across their edges, and the walk down its implicit tree. */
#include "mesh/height_field.h"

/* --- triangles --------------------------------------------------------------------------------------------------- */

/* Corner k of half h with diagonal d, as column + 2 * row within the cell; counter-clockwise where columns, rows and up
 * are right-handed. */
static const uint8_t field_halves[2][2][3] = {{{0, 1, 3}, {0, 3, 2}}, {{0, 1, 2}, {1, 3, 2}}};

/* The corners of half `half` as the triangle has them. */
static void field_half(const cm_height_field *f, uint32_t half, uint32_t out[3]) {
    const uint8_t *corner = field_halves[f->other_diagonal][half];
    out[0] = corner[0];
    out[1] = corner[f->mirrored ? 2 : 1];
    out[2] = corner[f->mirrored ? 1 : 2];
}

void cm__field_triangle(const cm_height_field *f, uint32_t triangle, cm_vec3 out[3]) {
    uint32_t cells = cm__field_cells(f, 0), cell = triangle / 2, x = cell % cells, y = cell / cells, corner[3];
    field_half(f, triangle % 2, corner);
    for (int k = 0; k < 3; ++k) out[k] = cm__field_corner(f, x + corner[k] % 2, y + corner[k] / 2);
}

void cm__field_cell(const cm_height_field *f, uint32_t column, uint32_t row, cm__face out[2]) {
    const cm_real u[2] = {cm__field_ground(f, 0, column), cm__field_ground(f, 0, column + 1)};
    const cm_real v[2] = {cm__field_ground(f, 1, row), cm__field_ground(f, 1, row + 1)};
    const cm_real *h = cm__field_heights(f) + (size_t)row * f->info.columns + column;
    cm_vec3 corner[4];
    for (uint32_t k = 0; k < 4; ++k)
        corner[k] = cm__field_point(f, u[k % 2], v[k / 2], h[(k / 2) * (size_t)f->info.columns + k % 2]);
    for (uint32_t half = 0; half < 2; ++half) {
        uint32_t own[3];
        field_half(f, half, own);
        for (int k = 0; k < 3; ++k) out[half].corner[k] = corner[own[k]];
    }
}

void cm__field_samples(const cm_height_field *f, uint32_t triangle, uint32_t out[3]) {
    uint32_t cells = cm__field_cells(f, 0), cell = triangle / 2, x = cell % cells, y = cell / cells, corner[3];
    field_half(f, triangle % 2, corner);
    for (int k = 0; k < 3; ++k) out[k] = (y + corner[k] / 2) * f->info.columns + x + corner[k] % 2;
}

/* The edge of a half that runs from one of its corners to another. */
static uint32_t field_edge(const cm_height_field *f, uint32_t half, uint32_t from, uint32_t to) {
    uint32_t corner[3];
    field_half(f, half, corner);
    for (uint32_t e = 0; e < 2; ++e)
        if (corner[e] == from && corner[e + 1] == to) return e;
    return 2;
}

uint32_t cm__field_across(const cm_height_field *f, uint32_t half_edge, cm_vec3 *third) {
    const uint32_t triangle = half_edge / 3, edge = half_edge % 3, cells = cm__field_cells(f, 0);
    uint32_t cell = triangle / 2, x = cell % cells, y = cell / cells, corner[3], half = 1 - triangle % 2;
    field_half(f, triangle % 2, corner);
    uint32_t a = corner[edge], b = corner[(edge + 1) % 3];
    if (a + b != 3) { /* not the diagonal: a side, which is the opposite side of the next cell */
        const uint32_t step = a % 2 == b % 2 ? 1 : 2; /* of constant column, or row */
        const bool far = (a & step) != 0;
        if (step == 1) {
            if (far ? x + 1 == cells : x == 0) return CM_NONE;
            x = far ? x + 1 : x - 1;
        } else {
            if (far ? y + 1 == cm__field_cells(f, 1) : y == 0) return CM_NONE;
            y = far ? y + 1 : y - 1;
        }
        a ^= step, b ^= step;
        if (cm__field_is_hole(f, y * cells + x)) return CM_NONE;
        uint32_t own[3];
        field_half(f, 0, own);
        uint32_t held = 0;
        for (int k = 0; k < 3; ++k) held += own[k] == a || own[k] == b;
        half = held == 2 ? 0 : 1;
    }
    const uint32_t over = field_edge(f, half, b, a); /* two triangles run along their edge in opposite directions */
    field_half(f, half, corner);
    *third = cm__field_corner(f, x + corner[(over + 2) % 3] % 2, y + corner[(over + 2) % 3] / 2);
    return 3 * (2 * (y * cells + x) + half) + over;
}

/* --- nodes ------------------------------------------------------------------------------------------------------- */

cm__field_range cm__field_range_of(const cm_height_field *f, int level, uint32_t x, uint32_t y) {
    if (level >= CM__FIELD_STORED) { /* what stands there is what is counted below */
        const cm__field_range *ranges = (const cm__field_range *)cm__field_at(f, f->ranges[level]);
        return ranges[(size_t)y * cm__field_width(f, level, 0) + x];
    }
    cm__field_range range = {CM_REAL_MAX, -CM_REAL_MAX};
    if (level == 0 && cm__field_is_hole(f, y * cm__field_cells(f, 0) + x)) return range;
    uint32_t size = UINT32_C(1) << level, right = size * (x + 1), top = size * (y + 1);
    right = right < f->info.columns ? right : f->info.columns - 1;
    top = top < f->info.rows ? top : f->info.rows - 1;
    for (uint32_t row = size * y; row <= top; ++row) {
        for (uint32_t column = size * x; column <= right; ++column) {
            cm_real height = cm__field_height(f, column, row);
            range.low = cm_min(range.low, height);
            range.high = cm_max(range.high, height);
        }
    }
    return range;
}

/* Low and high of a node along columns, rows and upwards; false where it is empty. */
static bool field_node_box(const cm_height_field *f, const cm__field_entry *node, cm_real low[3], cm_real high[3]) {
    cm__field_range range = cm__field_range_of(f, node->level, node->x, node->y);
    const uint32_t at[2] = {node->x, node->y};
    for (int k = 0; k < 2; ++k) {
        uint64_t end = ((uint64_t)at[k] + 1) << node->level, last = cm__field_cells(f, k);
        low[k] = cm__field_ground(f, k, at[k] << node->level);
        high[k] = cm__field_ground(f, k, (uint32_t)(end < last ? end : last));
    }
    low[2] = range.low, high[2] = range.high;
    return low[2] <= high[2];
}

/* --- the walk ---------------------------------------------------------------------------------------------------- */

void cm__field_walk_start(cm__field_walk *w, const cm_height_field *f) {
    w->stack[0].x = w->stack[0].y = 0;
    w->stack[0].level = f->levels - 1;
    w->stack[0].key = 0;
    w->top = f->info.holes < f->info.cells;
}

static void field_along(const cm_height_field *f, cm_vec3 v, double out[3]) {
    const cm_real from[3] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k) out[k] = (double)from[f->axis[k]];
}

void cm__field_walk_box(cm__field_walk *w, const cm_height_field *f, const cm_aabb *box, cm_vec3 move) {
    cm__field_walk_start(w, f);
    field_along(f, box->min, w->query.low);
    field_along(f, box->max, w->query.high);
    field_along(f, move, w->query.move);
    for (int k = 0; k < 3; ++k)
        if (!(w->query.low[k] <= w->query.high[k])) w->top = 0;
}

double cm__field_gap(const void *query, const cm_real low[3], const cm_real high[3]) {
    const cm__field_query *q = (const cm__field_query *)query;
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double below = (double)low[k] - q->high[k], above = q->low[k] - (double)high[k];
        double gap = below > above ? below : above;
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum;
}

/* Each time is a rounded difference over an exact number, rounded: right to 2^-51 of itself and of the right sign. The
 * comparison allows for more, so no box that is touched is left out [Ize13]. */
double cm__field_enter(const void *query, const cm_real low[3], const cm_real high[3]) {
    const cm__field_query *q = (const cm__field_query *)query;
    double enter = 0, leave = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        double below = (double)low[k] - q->high[k], above = (double)high[k] - q->low[k], speed = q->move[k];
        if (speed == 0) {
            if (below > 0 || above < 0) return HUGE_VAL;
            continue;
        }
        double first = (speed > 0 ? below : above) / speed, last = (speed > 0 ? above : below) / speed;
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return enter <= leave * (1 + 0x1p-48) + DBL_MIN ? enter : HUGE_VAL;
}

bool cm__field_walk_next(cm__field_walk *w, const cm_height_field *f, cm__field_key key, const void *query,
                         double limit, uint32_t *cell) {
    while (w->top > 0) {
        cm__field_entry node = w->stack[--w->top];
        if (!(node.key <= limit)) continue;
        if (node.level == 0) {
            *cell = node.y * cm__field_cells(f, 0) + node.x;
            return true;
        }
        cm__field_entry child;
        child.level = node.level - 1;
        uint32_t width = cm__field_width(f, child.level, 0), height = cm__field_width(f, child.level, 1);
        int base = w->top;
        for (uint32_t i = 0; i < 4; ++i) { /* the nearest on top; of equally near ones either */
            cm_real low[3], high[3];
            child.x = 2 * node.x + i % 2, child.y = 2 * node.y + i / 2;
            if (child.x >= width || child.y >= height || !field_node_box(f, &child, low, high)) continue;
            child.key = key(query, low, high);
            if (!(child.key <= limit)) continue;
            int at = w->top++;
            for (; at > base && w->stack[at - 1].key < child.key; --at) w->stack[at] = w->stack[at - 1];
            w->stack[at] = child;
        }
    }
    return false;
}

/* --- the public face --------------------------------------------------------------------------------------------- */

size_t cm_height_field_bytes(const cm_height_field *field) { return (size_t)field->bytes; }
void cm_height_field_get_info(const cm_height_field *field, cm_height_field_info *out) { *out = field->info; }

bool cm_height_field_triangle(const cm_height_field *field, uint32_t triangle, cm_triangle *out) {
    if (triangle >= field->info.triangles || cm__field_is_hole(field, triangle / 2)) return false;
    cm_vec3 corner[3];
    cm__field_triangle(field, triangle, corner);
    out->a = corner[0], out->b = corner[1], out->c = corner[2];
    return true;
}
