#include "support/fields.h"
#include "support/meshes.h"

cm_vec3 field_twin_point(const field_twin *t, uint32_t column, uint32_t row) {
    static const int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
    const int *axis = axes[t->desc.ground];
    double p[3] = {(double)t->desc.origin.x, (double)t->desc.origin.y, (double)t->desc.origin.z};
    double scale = t->desc.scale != 0 ? (double)t->desc.scale : 1;
    p[axis[0]] += (double)t->desc.column_spacing * column;
    p[axis[1]] += (double)t->desc.row_spacing * row;
    p[axis[2]] += scale * (double)t->heights[(size_t)row * t->desc.columns + column];
    return cm_v(CM_REAL(p[0]), CM_REAL(p[1]), CM_REAL(p[2]));
}

/* Each cell's two triangles as the header describes them: around the first corner that it names, then turned until the
 * normal points up. */
static void field_twin_mesh(field_twin *t) {
    uint32_t columns = t->desc.columns, cells = (columns - 1) * (t->desc.rows - 1), count = 0;
    bool mirrored = t->desc.ground >= CM_GROUND_YX;
    cm_real *points = malloc((size_t)columns * t->desc.rows * 3 * sizeof *points);
    uint32_t *indices = malloc((size_t)cells * 6 * sizeof *indices);
    t->numbers = malloc((size_t)cells * 2 * sizeof *t->numbers);
    for (uint32_t row = 0; row < t->desc.rows; ++row)
        for (uint32_t column = 0; column < columns; ++column) {
            cm_vec3 p = field_twin_point(t, column, row);
            size_t i = 3 * ((size_t)row * columns + column);
            points[i] = p.x, points[i + 1] = p.y, points[i + 2] = p.z;
        }
    for (uint32_t cell = 0; cell < cells; ++cell) {
        if (t->holes && t->holes[cell]) continue;
        uint32_t a = cell / (columns - 1) * columns + cell % (columns - 1), b = a + 1, c = a + columns, d = c + 1;
        const uint32_t plain[2][3] = {{a, b, d}, {a, d, c}}, other[2][3] = {{a, b, c}, {b, d, c}};
        for (int half = 0; half < 2; ++half, ++count) {
            const uint32_t *corner = t->desc.other_diagonal ? other[half] : plain[half];
            indices[3 * count] = corner[0];
            indices[3 * count + 1] = corner[mirrored ? 2 : 1];
            indices[3 * count + 2] = corner[mirrored ? 1 : 2];
            t->numbers[count] = 2 * cell + (uint32_t)half;
        }
    }
    cm_mesh_desc desc = {0};
    desc.points = points, desc.point_count = columns * t->desc.rows;
    desc.indices = indices, desc.triangle_count = count;
    desc.weld = -1;
    t->mesh = NULL;
    if (count > 0 && cm_mesh_build(&desc, NULL, &t->mesh, NULL) != CM_OK) fail_msg("the twin cannot be built");
    free(points);
    free(indices);
}

void field_twin_build(field_twin *t) {
    cm_error error = {CM_OK, NULL, 0};
    t->desc.heights = t->heights, t->desc.holes = t->holes;
    cm_status status = cm_height_field_build(&t->desc, NULL, &t->field, &error);
    if (status != CM_OK) fail_msg("%s: %s %u", cm_status_text(status), error.field ? error.field : "-", error.index);
    field_twin_mesh(t);
}

static double field_twin_height(field_kind kind, uint32_t column, uint32_t row, double size, rng *r) {
    switch (kind) {
    case FIELD_FLAT:
        return 0;
    case FIELD_STEPS:
        return size / 4 * (rng_below(r, 4) == 0);
    case FIELD_SLOPE:
        return size * (0.25 * column - 0.125 * row);
    default:
        return rng_range(r, -size, size) / 4;
    }
}

void field_twin_random(field_twin *t, field_kind kind, uint32_t most, double size, cm_vec3 origin, rng *r) {
    memset(t, 0, sizeof *t);
    cm_height_field_desc *d = &t->desc;
    d->columns = 2 + rng_below(r, most - 1), d->rows = 2 + rng_below(r, most - 1);
    d->column_spacing = CM_REAL(size * rng_range(r, 0.5, 1) / d->columns);
    d->row_spacing = CM_REAL(size * rng_range(r, 0.5, 1) / d->rows);
    d->origin = origin;
    d->ground = (cm_ground)rng_below(r, 6);
    d->other_diagonal = rng_below(r, 2);
    t->heights = malloc((size_t)d->columns * d->rows * sizeof *t->heights);
    double step = kind == FIELD_SLOPE ? size / most : size;
    for (uint32_t row = 0; row < d->rows; ++row)
        for (uint32_t column = 0; column < d->columns; ++column)
            t->heights[row * d->columns + column] = CM_REAL(field_twin_height(kind, column, row, step, r));
    if (rng_below(r, 3) == 0) {
        size_t cells = (size_t)(d->columns - 1) * (d->rows - 1);
        uint32_t one_in = 2 + rng_below(r, 10);
        t->holes = malloc(cells);
        for (size_t i = 0; i < cells; ++i) t->holes[i] = rng_below(r, one_in) == 0;
        t->holes[rng_below(r, (uint32_t)cells)] = 0;
    }
    field_twin_build(t);
}

void field_twin_free(field_twin *t) {
    free(t->heights);
    free(t->holes);
    free(t->numbers);
    cm_height_field_destroy(t->field, NULL);
    cm_mesh_destroy(t->mesh, NULL);
}

cm_vec3 field_twin_aim(const field_twin *t, rng *r) {
    cm_triangle c;
    uint32_t number = t->numbers[rng_below(r, cm_mesh_triangle_count(t->mesh))];
    if (!cm_height_field_triangle(t->field, number, &c)) fail_msg("triangle %u is missing", number);
    uint32_t place = rng_below(r, 4);
    cm_real u = CM_REAL(rng_unit(r)), v = CM_REAL(rng_unit(r)); /* in order: that of arguments is the compiler's */
    if (place == 0) return c.a;
    if (place == 1) return cm_scale(cm_add(c.b, c.c), CM_REAL(0.5));
    if (place == 2) return cm_lerp(c.c, c.a, u);
    return cm_lerp(cm_lerp(c.a, c.b, u), c.c, v);
}
