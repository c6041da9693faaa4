/* cm_height_field_build: checks the description, reads the samples into one block, and stores the lowest and highest
 * corner of every node from level 2 up. One allocation; nothing is repaired: a bad sample refuses the whole. */
#include "base/error.h"
#include "base/memory.h"
#include "mesh/height_field.h"

#include <string.h>

/* --- the description --------------------------------------------------------------------------------------------- */

static size_t field_sample_size(cm_sample sample) {
    return sample == CM_SAMPLE_REAL ? sizeof(cm_real) : sizeof(uint16_t);
}

/* The axes of columns, rows and up. */
static bool field_axes(cm_ground ground, int32_t axis[3], int32_t *mirrored) {
    static const int8_t axes[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}};
    if ((unsigned)ground > (unsigned)CM_GROUND_XZ) return false;
    axis[0] = axes[ground][0], axis[1] = axes[ground][1];
    axis[2] = 3 - axis[0] - axis[1];
    *mirrored = ground >= CM_GROUND_YX;
    return true;
}

/* The grid's numbers, into the head; the heights are still to come. */
static cm_status field_check_desc(const cm_height_field_desc *desc, cm_height_field *head, cm_error *error) {
    if (!desc) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    if (!desc->heights) return cm__refuse(error, CM_INVALID, "heights", CM_NONE);
    if ((unsigned)desc->sample > (unsigned)CM_SAMPLE_I16) return cm__refuse(error, CM_INVALID, "sample", CM_NONE);
    if (desc->columns < 2) return cm__refuse(error, CM_INVALID, "columns", CM_NONE);
    if (desc->rows < 2) return cm__refuse(error, CM_INVALID, "rows", CM_NONE);
    uint64_t cells = (uint64_t)(desc->columns - 1) * (desc->rows - 1);
    if (cells > CM__FIELD_CELLS) return cm__refuse(error, CM_LIMIT, "columns", CM_NONE);
    size_t size = field_sample_size(desc->sample);
    if (desc->column_stride != 0 && desc->column_stride < size)
        return cm__refuse(error, CM_INVALID, "column_stride", CM_NONE);
    if (desc->row_stride != 0 && desc->row_stride < size) return cm__refuse(error, CM_INVALID, "row_stride", CM_NONE);
    if (!field_axes(desc->ground, head->axis, &head->mirrored)) return cm__refuse(error, CM_INVALID, "ground", CM_NONE);
    if (!cm_is_coord(desc->column_spacing)) return cm__refuse(error, CM_NOT_FINITE, "column_spacing", CM_NONE);
    if (!cm_is_coord(desc->row_spacing)) return cm__refuse(error, CM_NOT_FINITE, "row_spacing", CM_NONE);
    if (!(desc->column_spacing > 0)) return cm__refuse(error, CM_INVALID, "column_spacing", CM_NONE);
    if (!(desc->row_spacing > 0)) return cm__refuse(error, CM_INVALID, "row_spacing", CM_NONE);
    if (!cm_is_coord(desc->scale)) return cm__refuse(error, CM_NOT_FINITE, "scale", CM_NONE);
    if (!cm_vec3_is_valid(desc->origin)) return cm__refuse(error, CM_NOT_FINITE, "origin", CM_NONE);
    const cm_real origin[3] = {desc->origin.x, desc->origin.y, desc->origin.z};
    head->info.columns = desc->columns, head->info.rows = desc->rows;
    head->info.cells = (uint32_t)cells, head->info.triangles = 2 * (uint32_t)cells;
    head->spacing[0] = desc->column_spacing, head->spacing[1] = desc->row_spacing;
    head->origin[0] = origin[head->axis[0]], head->origin[1] = origin[head->axis[1]];
    head->other_diagonal = desc->other_diagonal;
    for (int k = 0; k < 2; ++k) {
        double far = (double)head->origin[k] + (double)cm__field_cells(head, k) * (double)head->spacing[k];
        if (!(fabs(far) <= (double)CM_COORD_MAX))
            return cm__refuse(error, CM_NOT_FINITE, k == 0 ? "column_spacing" : "row_spacing", CM_NONE);
    }
    return CM_OK;
}

/* --- the block --------------------------------------------------------------------------------------------------- */

static uint64_t field_reserve(uint64_t *bytes, uint64_t count, uint64_t size) {
    uint64_t at = (*bytes + 15) / 16 * 16;
    *bytes = at + count * size;
    return at;
}

static void field_lay_out(cm_height_field *head, bool holes) {
    uint64_t bytes = sizeof *head;
    head->heights = field_reserve(&bytes, (uint64_t)head->info.columns * head->info.rows, sizeof(cm_real));
    if (holes) head->holes = field_reserve(&bytes, ((uint64_t)head->info.cells + 7) / 8, 1);
    int level = 0;
    for (;; ++level) {
        uint64_t nodes = (uint64_t)cm__field_width(head, level, 0) * cm__field_width(head, level, 1);
        if (level >= CM__FIELD_STORED) head->ranges[level] = field_reserve(&bytes, nodes, sizeof(cm__field_range));
        if (nodes == 1) break;
    }
    head->levels = level + 1;
    head->bytes = bytes;
}

static double field_read(const cm_height_field_desc *desc, const char *at) {
    cm_real real;
    uint16_t plain;
    int16_t with_sign;
    if (desc->sample == CM_SAMPLE_U16) {
        memcpy(&plain, at, sizeof plain);
        return plain;
    }
    if (desc->sample == CM_SAMPLE_I16) {
        memcpy(&with_sign, at, sizeof with_sign);
        return with_sign;
    }
    memcpy(&real, at, sizeof real);
    return (double)real;
}

static cm_status field_read_heights(const cm_height_field_desc *desc, cm_height_field *f, cm_error *error) {
    cm_real *heights = (cm_real *)((char *)f + f->heights);
    size_t step = desc->column_stride ? desc->column_stride : field_sample_size(desc->sample);
    size_t row_step = desc->row_stride ? desc->row_stride : step * desc->columns;
    const cm_real origin[3] = {desc->origin.x, desc->origin.y, desc->origin.z};
    double scale = desc->scale != 0 ? (double)desc->scale : 1, base = (double)origin[f->axis[2]];
    for (uint32_t row = 0; row < desc->rows; ++row) {
        const char *at = (const char *)desc->heights + row_step * row;
        for (uint32_t column = 0; column < desc->columns; ++column) {
            double height = base + scale * field_read(desc, at + step * column);
            size_t index = (size_t)row * desc->columns + column;
            if (!(fabs(height) <= (double)CM_COORD_MAX))
                return cm__refuse(error, CM_NOT_FINITE, "heights", (uint32_t)index);
            heights[index] = (cm_real)height;
        }
    }
    return CM_OK;
}

static void field_read_holes(const cm_height_field_desc *desc, cm_height_field *f) {
    if (!desc->holes) return;
    uint8_t *holes = (uint8_t *)f + f->holes;
    size_t step = desc->hole_stride ? desc->hole_stride : desc->columns - 1;
    for (uint32_t y = 0; y + 1 < desc->rows; ++y) {
        for (uint32_t x = 0; x + 1 < desc->columns; ++x) {
            if (!desc->holes[step * y + x]) continue;
            uint32_t cell = y * (desc->columns - 1) + x;
            holes[cell / 8] = (uint8_t)(holes[cell / 8] | 1 << cell % 8);
            f->info.holes += 1;
        }
    }
}

/* Level by level from the one below; the lowest stored one from the cells, so that holes and what only they have as a
 * corner count for nothing. */
static void field_fill_ranges(cm_height_field *f) {
    for (int level = CM__FIELD_STORED; level < f->levels; ++level) {
        cm__field_range *ranges = (cm__field_range *)((char *)f + f->ranges[level]);
        int below = level == CM__FIELD_STORED ? 0 : level - 1;
        uint32_t size = UINT32_C(1) << (level - below);
        uint32_t width = cm__field_width(f, level, 0), height = cm__field_width(f, level, 1);
        uint32_t last_x = cm__field_width(f, below, 0), last_y = cm__field_width(f, below, 1);
        for (uint32_t y = 0; y < height; ++y) {
            for (uint32_t x = 0; x < width; ++x) {
                cm__field_range range = {CM_REAL_MAX, -CM_REAL_MAX};
                for (uint32_t v = y * size; v < last_y && v - y * size < size; ++v) {
                    for (uint32_t u = x * size; u < last_x && u - x * size < size; ++u) {
                        cm__field_range part = cm__field_range_of(f, below, u, v);
                        range.low = cm_min(range.low, part.low);
                        range.high = cm_max(range.high, part.high);
                    }
                }
                ranges[(size_t)y * width + x] = range;
            }
        }
    }
}

/* The box of what is no hole: along the ground by columns and rows that a cell has. */
static void field_bound(cm_height_field *f) {
    f->info.bounds = cm_aabb_empty();
    uint32_t first[2] = {UINT32_MAX, UINT32_MAX}, last[2] = {0, 0}, width = cm__field_cells(f, 0);
    cm_real low = CM_REAL_MAX, high = -CM_REAL_MAX;
    for (uint32_t y = 0; y < cm__field_cells(f, 1); ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            cm__field_range range = cm__field_range_of(f, 0, x, y);
            if (!(range.low <= range.high)) continue;
            first[0] = x < first[0] ? x : first[0], last[0] = x + 1 > last[0] ? x + 1 : last[0];
            first[1] = y < first[1] ? y : first[1], last[1] = y + 1;
            low = cm_min(low, range.low), high = cm_max(high, range.high);
        }
    }
    if (f->info.holes == f->info.cells) return;
    cm_vec3 min = cm__field_point(f, cm__field_ground(f, 0, first[0]), cm__field_ground(f, 1, first[1]), low);
    cm_vec3 max = cm__field_point(f, cm__field_ground(f, 0, last[0]), cm__field_ground(f, 1, last[1]), high);
    f->info.bounds.min = min, f->info.bounds.max = max;
    f->point_reach = cm_max(cm_largest(min), cm_largest(max));
}

cm_status cm_height_field_build(const cm_height_field_desc *desc, const cm_allocator *mem, cm_height_field **out,
                                cm_error *error) {
    cm_height_field head;
    memset(&head, 0, sizeof head);
    cm_status status = field_check_desc(desc, &head, error);
    if (status != CM_OK) return status;
    if (!out) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    field_lay_out(&head, desc->holes != NULL);
    cm_height_field *field = head.bytes <= SIZE_MAX / 2 ? cm__alloc(mem, (size_t)head.bytes, 1) : NULL;
    if (!field) return cm__refuse(error, CM_NO_MEMORY, NULL, CM_NONE);
    memset(field, 0, (size_t)head.bytes); /* the gaps too: equal fields are equal bytes */
    memcpy(field, &head, sizeof head);
    status = field_read_heights(desc, field, error);
    if (status != CM_OK) {
        cm__free(mem, field, (size_t)head.bytes, 1);
        return status;
    }
    field_read_holes(desc, field);
    field_fill_ranges(field);
    field_bound(field);
    *out = field;
    return CM_OK;
}

void cm_height_field_destroy(cm_height_field *field, const cm_allocator *mem) {
    if (field) cm__free(mem, field, (size_t)field->bytes, 1);
}
