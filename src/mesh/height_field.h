/* Inside a height field: one block, its arrays at offsets from its start, so that it may be moved as it is.
 *
 * Cells, columns and rows are counted as height_field.h tells. A *node* of level L holds the cells whose column and
 * row, divided by 2^L, are its x and y; level 0 are the cells. The lowest and highest corner of what a node holds is
 * stored for nodes from level 2 up to the one that holds everything, and read off the heights below that. So the tree
 * is implicit: no pointers, and a sixth of the heights' memory.
 *
 * Coordinates on the ground are monotone in column and row, so the box of a node is exact: that of its corners. */
#ifndef MESH_HEIGHT_FIELD_H
#define MESH_HEIGHT_FIELD_H

#include "carom/height_field.h"
#include "mesh/mesh.h"

#define CM__FIELD_CELLS  (UINT32_C(1) << 29) /* at most */
#define CM__FIELD_STORED 2                   /* the lowest level whose nodes' heights are stored */
#define CM__FIELD_LEVELS 30                  /* a row of 2^29 cells: levels 0 to 29 */
#define CM__FIELD_STACK  (3 * CM__FIELD_LEVELS + 4)

/* The lowest and the highest; empty where low > high: nothing but holes. */
typedef struct cm__field_range {
    cm_real low, high;
} cm__field_range;

struct cm_height_field {
    uint64_t bytes; /* of the whole block, this head included */
    cm_height_field_info info;
    cm_real origin[2], spacing[2]; /* of columns and rows */
    cm_real point_reach;           /* largest |coordinate| of a corner */
    int32_t axis[3];               /* of columns, of rows, upwards */
    int32_t mirrored;              /* the axes in this order are left-handed */
    int32_t other_diagonal;
    int32_t levels; /* level levels - 1 has one node */
    /* offsets; holes: a bit a cell, 0 = there are none; ranges: of level CM__FIELD_STORED and up */
    uint64_t heights, holes, ranges[CM__FIELD_LEVELS];
};

CM_INLINE const void *cm__field_at(const cm_height_field *f, uint64_t offset) { return (const char *)f + offset; }
CM_INLINE const cm_real *cm__field_heights(const cm_height_field *f) {
    return (const cm_real *)cm__field_at(f, f->heights);
}
/* Cells along columns (0) and rows (1). */
CM_INLINE uint32_t cm__field_cells(const cm_height_field *f, int along) {
    return (along == 0 ? f->info.columns : f->info.rows) - 1;
}
/* How many nodes of a level lie side by side. */
CM_INLINE uint32_t cm__field_width(const cm_height_field *f, int level, int along) {
    return ((cm__field_cells(f, along) - 1) >> level) + 1;
}
CM_INLINE bool cm__field_is_hole(const cm_height_field *f, uint32_t cell) {
    return f->holes != 0 && (((const uint8_t *)cm__field_at(f, f->holes))[cell / 8] >> cell % 8 & 1);
}
/* Where a column (0) or a row (1) lies on its axis. */
CM_INLINE cm_real cm__field_ground(const cm_height_field *f, int along, uint32_t i) {
    return (cm_real)((double)f->origin[along] + (double)i * (double)f->spacing[along]);
}
CM_INLINE cm_real cm__field_height(const cm_height_field *f, uint32_t column, uint32_t row) {
    return cm__field_heights(f)[(size_t)row * f->info.columns + column];
}
/* A point from its coordinates along columns, rows and upwards. */
CM_INLINE cm_vec3 cm__field_point(const cm_height_field *f, cm_real u, cm_real v, cm_real height) {
    cm_real p[3];
    p[f->axis[0]] = u, p[f->axis[1]] = v, p[f->axis[2]] = height;
    return cm_v(p[0], p[1], p[2]);
}
CM_INLINE cm_vec3 cm__field_corner(const cm_height_field *f, uint32_t column, uint32_t row) {
    return cm__field_point(f, cm__field_ground(f, 0, column), cm__field_ground(f, 1, row),
                           cm__field_height(f, column, row));
}

/* The heights of what a node holds. */
cm__field_range cm__field_range_of(const cm_height_field *f, int level, uint32_t x, uint32_t y);
/* The corners of a triangle that exists. */
void cm__field_triangle(const cm_height_field *f, uint32_t triangle, cm_vec3 out[3]);
/* Both triangles of a cell that is no hole, the same bits. */
void cm__field_cell(const cm_height_field *f, uint32_t column, uint32_t row, cm__face out[2]);
/* The samples at its corners: their numbers, row * columns + column. */
void cm__field_samples(const cm_height_field *f, uint32_t triangle, uint32_t out[3]);
/* The half-edge (3 triangle + edge) of the one triangle across a half-edge, and that triangle's third corner; CM_NONE
 * where the field ends or a hole begins. Edge e runs from corner e to corner (e + 1) % 3. */
uint32_t cm__field_across(const cm_height_field *f, uint32_t half_edge, cm_vec3 *third);

/* --- walks ------------------------------------------------------------------------------------------------------- */

typedef struct cm__field_entry {
    uint32_t x, y;
    int level;
    double key; /* the walk goes by ascending keys, among what it knows */
} cm__field_entry;

/* What is asked for, along columns, rows and upwards: a box, and where it moves. A ray is a point that moves. */
typedef struct cm__field_query {
    double low[3], high[3], move[3];
} cm__field_query;

/* From the largest node down to cells, without recursion: a node is popped before its four children are pushed. */
typedef struct cm__field_walk {
    cm__field_query query;
    int top;
    cm__field_entry stack[CM__FIELD_STACK];
} cm__field_walk;

/* Puts the root on the stack; the query is left alone. */
void cm__field_walk_start(cm__field_walk *w, const cm_height_field *f);
/* Sets the query too; to a box that is empty or NaN nothing is near. */
void cm__field_walk_box(cm__field_walk *w, const cm_height_field *f, const cm_aabb *box, cm_vec3 move);
/* Pops the next cell whose key is at most `limit`; false when there is none. `key` gives that of a node's box, as low
 * and high along columns, rows and upwards; HUGE_VAL where it is not wanted. */
typedef double (*cm__field_key)(const void *query, const cm_real low[3], const cm_real high[3]);
bool cm__field_walk_next(cm__field_walk *w, const cm_height_field *f, cm__field_key key, const void *query,
                         double limit, uint32_t *cell);

/* Keys for a cm__field_query: the square of the distance to its box; the time at which it enters on its way, never
 * later than truly, HUGE_VAL where it never does (any touch counts). */
double cm__field_gap(const void *query, const cm_real low[3], const cm_real high[3]);
double cm__field_enter(const void *query, const cm_real low[3], const cm_real high[3]);

/* As cm__mesh_ray; the hit's place is its triangle. */
bool cm__field_ray(const cm_height_field *f, cm_vec3 origin, cm_vec3 direction, cm_real max, cm__mesh_hit *out);

#endif
