/* The grid of cells of a solid mesh: rows by the number of triangles, two triangles a cell, 4 to 48 rows or none. */
#include "mesh/mesh.h"
#include "support/support.h"

static void rows_grow_with_the_cube_root_of_half_the_triangles(void **state) {
    (void)state;
    static const struct {
        uint32_t triangles, rows;
    } is[] = {{4, 0},       {12, 0},      {127, 0},     {128, 4},     {249, 4},   {250, 5},
              {221183, 47}, {221184, 48}, {221185, 48}, {250000, 48}, {2000, 10}, {1u << 28, 48}};
    for (size_t i = 0; i < sizeof is / sizeof *is; ++i) {
        uint32_t rows = cm__mesh_cell_rows(is[i].triangles);
        check_that(rows == is[i].rows, "%u triangles: %u rows, not %u", is[i].triangles, rows, is[i].rows);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_grow_with_the_cube_root_of_half_the_triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
