/* Height fields at their samples, grid lines and rim: what is exactly there is met, what is an ulp beyond is not.
 * Heights and places are whole numbers and halves, so that touching is decided by equal numbers. */
#include "mesh/height_field.h"
#include "support/support.h"

#include <math.h>

typedef struct ground {
    cm_real heights[40 * 40];
    uint32_t columns, rows;
    cm_height_field *field;
} ground;

/* Columns along x at whole numbers, rows along y at even ones; heights 0 … 3. */
static void ground_make(ground *g, uint32_t columns, uint32_t rows, bool flat, bool other_diagonal, rng *r) {
    g->columns = columns, g->rows = rows;
    for (uint32_t i = 0; i < columns * rows; ++i) g->heights[i] = flat ? 1 : (cm_real)rng_below(r, 4);
    cm_height_field_desc desc = {.heights = g->heights, .columns = columns, .rows = rows};
    desc.column_spacing = 1, desc.row_spacing = 2, desc.other_diagonal = other_diagonal;
    assert_int_equal(cm_height_field_build(&desc, NULL, &g->field, NULL), CM_OK);
}
static cm_real ground_height(const ground *g, uint32_t column, uint32_t row) {
    return g->heights[row * g->columns + column];
}

/* --- nodes ------------------------------------------------------------------------------------------------------- */

/* A node of level l spans 2^l cells each way, and so 2^l + 1 samples, fewer at the far ends. */
static void a_node_spans_its_samples_and_no_others(void **state) {
    (void)state;
    rng r = rng_start("nodes", 311);
    for (uint32_t columns = 2; columns <= 19; ++columns) {
        for (uint32_t rows = 2; rows <= 19; ++rows) {
            ground g;
            ground_make(&g, columns, rows, false, false, &r);
            for (uint32_t i = 0; i < columns * rows; ++i) g.heights[i] = CM_REAL(rng_unit(&r)); /* all different */
            cm_height_field_destroy(g.field, NULL);
            cm_height_field_desc desc = {.heights = g.heights, .columns = columns, .rows = rows};
            desc.column_spacing = desc.row_spacing = 1;
            assert_int_equal(cm_height_field_build(&desc, NULL, &g.field, NULL), CM_OK);
            for (int level = 0; level < g.field->levels; ++level) {
                const uint32_t span = UINT32_C(1) << level;
                for (uint32_t y = 0; y < cm__field_width(g.field, level, 1); ++y) {
                    for (uint32_t x = 0; x < cm__field_width(g.field, level, 0); ++x) {
                        cm_real low = 2, high = -1;
                        for (uint32_t row = y * span; row <= (y + 1) * span && row < rows; ++row) {
                            for (uint32_t column = x * span; column <= (x + 1) * span && column < columns; ++column) {
                                low = cm_min(low, ground_height(&g, column, row));
                                high = cm_max(high, ground_height(&g, column, row));
                            }
                        }
                        cm__field_range is = cm__field_range_of(g.field, level, x, y);
                        check_that(is.low == low && is.high == high,
                                   "%u * %u, level %d, node %u %u: " REAL_FORMAT " … " REAL_FORMAT ", not " REAL_FORMAT
                                   " … " REAL_FORMAT,
                                   columns, rows, level, x, y, (double)is.low, (double)is.high, (double)low,
                                   (double)high);
                    }
                }
            }
            cm_height_field_destroy(g.field, NULL);
        }
    }
}

/* Boxes that share a point with the query, and no others: closed sets. */
static void the_walk_takes_cells_that_touch(void **state) {
    (void)state;
    rng r = rng_start("walks", 312);
    int touched = 0;
    for (int i = 0; i < samples(4000, 400000); ++i) {
        ground g;
        ground_make(&g, 2 + rng_below(&r, 9), 2 + rng_below(&r, 9), false, false, &r);
        cm_aabb box;
        box.min.x = (cm_real)rng_below(&r, g.columns + 2) - 1, box.min.y = 2 * ((cm_real)rng_below(&r, g.rows + 2) - 1);
        box.min.z = (cm_real)rng_below(&r, 6) - 1;
        box.max = box.min;
        box.max.x += (cm_real)rng_below(&r, 2), box.max.y += (cm_real)rng_below(&r, 3);
        box.max.z += (cm_real)rng_below(&r, 2);
        /* standing; and moved by whole numbers: down, along columns, along rows */
        cm_vec3 move = cm_v(0, 0, 0);
        int way = (int)rng_below(&r, 4);
        if (way < 3) ((cm_real *)&move)[way] = rng_below(&r, 2) ? 2 : -2;
        cm_aabb all = {cm_vec3_min(box.min, cm_add(box.min, move)), cm_vec3_max(box.max, cm_add(box.max, move))};
        bool seen[100] = {false};
        cm__field_walk w;
        uint32_t cell;
        cm__field_walk_box(&w, g.field, &box, move);
        cm__field_key key = way < 3 ? cm__field_enter : cm__field_gap;
        while (cm__field_walk_next(&w, g.field, key, &w.query, way < 3 ? 1 : 0, &cell)) {
            check_that(!seen[cell], "cell %u twice", cell);
            seen[cell] = true;
        }
        for (uint32_t c = 0; c < (g.columns - 1) * (g.rows - 1); ++c) {
            if (c == 0 && g.field->levels == 1) continue; /* the root is taken without a look */
            cm__field_range range = cm__field_range_of(g.field, 0, c % (g.columns - 1), c / (g.columns - 1));
            cm_aabb own;
            own.min = cm_v((cm_real)(c % (g.columns - 1)), 2 * (cm_real)(c / (g.columns - 1)), range.low);
            own.max = cm_v(own.min.x + 1, own.min.y + 2, range.high);
            const bool should = all.min.x <= own.max.x && own.min.x <= all.max.x && all.min.y <= own.max.y &&
                                own.min.y <= all.max.y && all.min.z <= own.max.z && own.min.z <= all.max.z;
            touched += should;
            check_that(seen[c] == should, "sample %d, way %d: cell %u taken %d", i, way, c, seen[c]);
        }
        cm_height_field_destroy(g.field, NULL);
    }
    check_that(touched > 1000, "only %d", touched);
}

/* --- rays --------------------------------------------------------------------------------------------------------- */

static void drop(const ground *g, cm_real x, cm_real y, bool met, cm_real height, const char *where) {
    cm_shape shape = cm_make_height_field(g->field);
    cm_pose none = cm_pose_identity();
    for (int up = 0; up < 2; ++up) {
        cm_ray ray = {.origin = cm_v(x, y, up ? -8 : 8), .direction = cm_v(0, 0, up ? 1 : -1), .max = CM_REAL_MAX};
        cm_ray_hit hit = {0};
        bool is = cm_raycast(&ray, &shape, &none, &hit);
        check_that(is == met, "%s (" REAL_FORMAT ", " REAL_FORMAT "): hit %d", where, (double)x, (double)y, is);
        cm_real z = up ? hit.t - 8 : 8 - hit.t;
        check_that(!met || z == height, "%s: at height " REAL_FORMAT ", not " REAL_FORMAT, where, (double)z,
                   (double)height);
        ray.max = up ? 8 + height : 8 - height; /* just long enough */
        check_that(!met || cm_raycast(&ray, &shape, &none, NULL), "%s: a ray that ends there misses", where);
    }
}

static void rays_meet_samples_grid_lines_and_the_rim_and_miss_an_ulp_beyond(void **state) {
    (void)state;
    rng r = rng_start("drops", 313);
    for (int i = 0; i < 24; ++i) {
        ground g;
        ground_make(&g, 2 + rng_below(&r, 12), 2 + rng_below(&r, 12), false, i % 2, &r);
        for (uint32_t row = 0; row < g.rows; ++row) {
            for (uint32_t column = 0; column < g.columns; ++column) {
                cm_real x = (cm_real)column, y = 2 * (cm_real)row, z = ground_height(&g, column, row);
                drop(&g, x, y, true, z, "a sample");
                if (column + 1 < g.columns)
                    drop(&g, x + CM_REAL(0.5), y, true, (z + ground_height(&g, column + 1, row)) / 2, "along a row");
                if (row + 1 < g.rows)
                    drop(&g, x, y + 1, true, (z + ground_height(&g, column, row + 1)) / 2, "along a column");
                if (row + 1 < g.rows && column + 1 < g.columns) {
                    cm_real one = i % 2 ? ground_height(&g, column + 1, row) : z;
                    cm_real other = ground_height(&g, column + (i % 2 == 0), row + 1);
                    drop(&g, x + CM_REAL(0.5), y + 1, true, (one + other) / 2, "on a diagonal");
                }
            }
        }
        const cm_real last_x = (cm_real)(g.columns - 1), last_y = 2 * (cm_real)(g.rows - 1);
        const cm_real ulp = CM_REAL_EPSILON;
        drop(&g, last_x * (1 + ulp), 0, false, 0, "beyond the last column");
        drop(&g, 0, last_y * (1 + ulp), false, 0, "beyond the last row");
        drop(&g, -ulp / 1024, 0, false, 0, "before the first column");
        drop(&g, 0, -ulp / 1024, false, 0, "before the first row");
        cm_height_field_destroy(g.field, NULL);
    }
}

/* --- bodies at the rim and on top --------------------------------------------------------------------------------- */

static void touches(const cm_shape *body, cm_vec3 at, const cm_shape *field, bool should, const char *where) {
    cm_pose pose = cm_pose_identity(), none = pose;
    pose.position = at;
    bool is = cm_overlap(body, &pose, field, &none);
    cm_real d = cm_distance(body, &pose, field, &none, CM_REAL_MAX, NULL);
    check_that(is == should && (d <= 0) == should, "%s: overlap %d, distance " REAL_FORMAT, where, is, (double)d);
    check_that(!should || d == 0, "%s: distance " REAL_FORMAT, where, (double)d);
}

/* On a flat field at height 1 and beside it; moved off by an ulp of the coordinate that decides. */
static void bodies_touch_the_rim_and_the_top(void **state) {
    (void)state;
    rng r = rng_start("rims", 314);
    const cm_real ulp = CM_REAL_EPSILON;
    const cm_shape box = cm_make_box(cm_v(CM_REAL(0.5), 1, CM_REAL(0.25)));
    const cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), point = cm_make_point(cm_v(0, 0, 0));
    for (int i = 0; i < 40; ++i) {
        ground g;
        ground_make(&g, 3 + rng_below(&r, 12), 3 + rng_below(&r, 12), true, i % 2, &r);
        const cm_shape field = cm_make_height_field(g.field);
        const cm_real x = (cm_real)rng_below(&r, g.columns), y = 2 * (cm_real)rng_below(&r, g.rows);
        const cm_real end_x = (cm_real)(g.columns - 1), end_y = 2 * (cm_real)(g.rows - 1);
        const cm_real far_x = end_x + CM_REAL(0.5), far_y = end_y + 1;
        touches(&point, cm_v(x, y, 1), &field, true, "a point on a sample");
        touches(&point, cm_v(x, y, 1 + ulp), &field, false, "a point above a sample");
        touches(&box, cm_v(x, y, CM_REAL(1.25)), &field, true, "a box on a sample");
        touches(&box, cm_v(x, y, CM_REAL(1.25) + ulp), &field, false, "a box above a sample");
        touches(&ball, cm_v(x, y, CM_REAL(1.5)), &field, true, "a ball on a sample");
        touches(&ball, cm_v(x, y, CM_REAL(1.5) + ulp), &field, false, "a ball above a sample");
        touches(&box, cm_v(far_x, y, 1), &field, true, "a box beside the last column");
        touches(&box, cm_v(far_x * (1 + ulp), y, 1), &field, false, "a box off the last column");
        touches(&box, cm_v(x, far_y, 1), &field, true, "a box beside the last row");
        touches(&box, cm_v(x, far_y * (1 + ulp), 1), &field, false, "a box off the last row");
        touches(&box, cm_v(CM_REAL(-0.5), y, 1), &field, true, "a box before the first column");
        touches(&box, cm_v(CM_REAL(-0.5) - ulp, y, 1), &field, false, "a box off the first column");
        touches(&box, cm_v(x, -1, 1), &field, true, "a box before the first row");
        touches(&box, cm_v(x, -1 - ulp, 1), &field, false, "a box off the first row");
        touches(&box, cm_v(far_x, far_y, CM_REAL(0.75)), &field, true, "a box at the last corner, from below");
        touches(&ball, cm_v(far_x, y, 1), &field, true, "a ball beside the last column");
        touches(&ball, cm_v(x, CM_REAL(-0.5), 1), &field, true, "a ball before the first row");
        cm_height_field_destroy(g.field, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_spans_its_samples_and_no_others),
        cmocka_unit_test(the_walk_takes_cells_that_touch),
        cmocka_unit_test(rays_meet_samples_grid_lines_and_the_rim_and_miss_an_ulp_beyond),
        cmocka_unit_test(bodies_touch_the_rim_and_the_top),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
