/// carom/height_field.h: a regular grid of heights as a shape: terrain.
///
/// A height field is one relocatable block of memory, as a mesh is: copy it with memcpy to any address of the same
/// alignment (cm_height_field_bytes gives its size). It is immutable, and a surface: nothing is inside it. One that is
/// all holes is a shape, an object and a child like any other, and nothing meets it.
///
/// Samples stand in columns and rows; sample (column, row) lies at
///     origin + column * column_spacing along the columns' axis + row * row_spacing along the rows' axis
///            + scale * sample upwards,
/// computed in double and rounded once per coordinate. Four neighboring samples span a cell; cell (c, r) lies between
/// columns c, c + 1 and rows r, r + 1 and has the number r * (columns - 1) + c. Its two triangles have the numbers
/// 2 * cell and 2 * cell + 1, and holes keep theirs. The diagonal runs from sample (c, r) to (c + 1, r + 1); the first
/// triangle holds (c + 1, r), the second (c, r + 1). With `other_diagonal` it runs from (c + 1, r) to (c, r + 1); the
/// first triangle holds (c, r), the second (c + 1, r + 1). Triangles are counter-clockwise seen from above, that is,
/// from +z for CM_GROUND_XY, whichever of the two axes is that of the columns.
#ifndef CAROM_HEIGHT_FIELD_H
#define CAROM_HEIGHT_FIELD_H

#include "shape.h"

CM_EXTERN_BEGIN

/// The axes along which columns and rows are counted, in this order; heights run along the third, in its positive
/// direction.
typedef enum cm_ground {
    CM_GROUND_XY, /* columns along x, rows along y, z is up */
    CM_GROUND_YZ,
    CM_GROUND_ZX,
    CM_GROUND_YX,
    CM_GROUND_ZY,
    CM_GROUND_XZ /* columns along x, rows along z, y is up */
} cm_ground;

/// How a sample is written.
typedef enum cm_sample {
    CM_SAMPLE_REAL, /* cm_real */
    CM_SAMPLE_U16,  /* uint16_t: 0 … 65535, times `scale` */
    CM_SAMPLE_I16   /* int16_t */
} cm_sample;

/// A grid to build from; zero fields mean the default. The buffers are only read during the build, and need no
/// alignment.
typedef struct cm_height_field_desc {
    const void *heights;    /* sample (0, 0) */
    cm_sample sample;       /* how they are written */
    uint32_t columns, rows; /* samples, at least 2 each; at most 2^29 cells */
    size_t column_stride;   /* bytes from a sample to that of the next column; 0 = the size of a sample */
    size_t row_stride;      /* bytes from a sample to that of the next row; 0 = columns * column_stride */
    cm_real column_spacing; /* > 0, from column to column */
    cm_real row_spacing;    /* > 0, from row to row */
    cm_real scale;          /* of the heights; 0 = 1 */
    cm_vec3 origin;         /* where sample (0, 0) would lie with height 0 */
    cm_ground ground;       /* */
    bool other_diagonal;    /* cut each cell from (c + 1, r) to (c, r + 1) */
    const uint8_t *holes;   /* a byte a cell, cell (0, 0) first: not 0 = no triangles there; NULL = no holes */
    size_t hole_stride;     /* bytes from a row of cells to the next; 0 = columns - 1 */
} cm_height_field_desc;

typedef struct cm_height_field_info {
    uint32_t columns, rows; /* samples */
    uint32_t cells;         /* (columns - 1) * (rows - 1), holes included */
    uint32_t holes;         /* cells without triangles */
    uint32_t triangles;     /* 2 * cells: numbers are below this; those in holes stand for nothing */
    cm_aabb bounds;         /* exact, of what is no hole; empty where all is */
} cm_height_field_info;

/// Builds a height field.
/// @param mem    NULL = malloc.
/// @param out    the height field; untouched on failure. Free with cm_height_field_destroy and the same allocator.
/// @param error  which field was wrong, at which index; may be NULL; untouched when CM_OK.
/// @return CM_OK; CM_INVALID (no heights, fewer than 2 columns or rows, a spacing that is not positive, a stride below
/// the size of a sample, an unknown ground or sample), CM_NOT_FINITE (a height or a far corner beyond the valid range;
/// index = row * columns + column; heights at holes count too; a spacing, `scale` or `origin`), CM_LIMIT (more than
/// 2^29 cells), CM_NO_MEMORY. Cost: O(samples); the block takes about 1.2 cm_real a sample and, with holes, a bit.
CM_API cm_status cm_height_field_build(const cm_height_field_desc *desc, const cm_allocator *mem, cm_height_field **out,
                                       cm_error *error);
/// Frees a height field; `mem` as at its build. NULL is fine.
CM_API void cm_height_field_destroy(cm_height_field *field, const cm_allocator *mem);
/// The size of the block.
CM_API size_t cm_height_field_bytes(const cm_height_field *field);
/// What it holds.
CM_API void cm_height_field_get_info(const cm_height_field *field, cm_height_field_info *out);
/// The triangle with this number, in the field's own frame, exactly as every query sees it.
/// @return false, `out` untouched, for a hole and for a number that is none.
CM_API bool cm_height_field_triangle(const cm_height_field *field, uint32_t triangle, cm_triangle *out);

CM_EXTERN_END
#endif
