/* T-junctions: seams whose sides are cut differently are closed where nothing is ambiguous, and that is told. */
#include "cli/shapes.h"

#include "read/junctions.h"

#include <float.h>
#include <math.h>

/* --- boxes whose faces are cut differently ------------------------------------------------------------------------- */

#define SINGLE ((double)FLT_EPSILON) /* the rounding of single precision */

enum { MOST_POINTS = 600, MOST_TRIANGLES = 1200 };

typedef struct body {
    cm_vec3 points[MOST_POINTS];
    uint32_t indices[3 * MOST_TRIANGLES];
    uint32_t point_count, count; /* triangles */
} body;

static uint32_t add_point(body *b, double x, double y, double z) {
    assert_true(b->point_count < MOST_POINTS);
    b->points[b->point_count] = cm_v(x, y, z);
    return b->point_count++;
}
static void add_face(body *b, uint32_t u, uint32_t v, uint32_t w) {
    assert_true(b->count < MOST_TRIANGLES);
    uint32_t *at = b->indices + 3 * b->count++;
    at[0] = u, at[1] = v, at[2] = w;
}

/* A face of a box from 0 to 1: a grid of across x along rectangles at `corner`, spanned by u and v. */
static void add_grid(body *b, cm_vec3 corner, cm_vec3 u, cm_vec3 v, int across, int along) {
    const uint32_t first = b->point_count, row = (uint32_t)along + 1;
    for (int i = 0; i <= across; i++)
        for (int k = 0; k <= along; k++) {
            const cm_vec3 p = cm_add(corner, cm_add(cm_scale(u, (double)i / across), cm_scale(v, (double)k / along)));
            add_point(b, p.x, p.y, p.z);
        }
    for (uint32_t i = 0; i < (uint32_t)across; i++)
        for (uint32_t k = 0; k < (uint32_t)along; k++) {
            const uint32_t at = first + i * row + k;
            add_face(b, at, at + row, at + row + 1);
            add_face(b, at, at + row + 1, at + 1);
        }
}

/* The six faces of a box, each cut in so many rectangles on its two sides: twelve numbers. */
static void add_box(body *b, cm_vec3 at, cm_vec3 size, const int *cuts) {
    const cm_vec3 x = cm_v(size.x, 0, 0), y = cm_v(0, size.y, 0), z = cm_v(0, 0, size.z);
    add_grid(b, at, y, x, cuts[0], cuts[1]);
    add_grid(b, cm_add(at, z), x, y, cuts[2], cuts[3]);
    add_grid(b, at, x, z, cuts[4], cuts[5]);
    add_grid(b, cm_add(at, y), z, x, cuts[6], cuts[7]);
    add_grid(b, at, z, y, cuts[8], cuts[9]);
    add_grid(b, cm_add(at, x), y, z, cuts[10], cuts[11]);
}

static cm_mesh *build(const body *b, bool solid) {
    const cm_mesh_desc desc = {.points = &b->points->x,
                               .point_count = b->point_count,
                               .indices = b->indices,
                               .triangle_count = b->count,
                               .solid = solid};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

/* What became of it: how many corners cut an edge, and the mesh of all triangles then. NULL: none. */
static cm_mesh *close_body(const body *b, double epsilon, uint32_t *closed) {
    cm_mesh *open = build(b, false), *mesh = NULL;
    split_triangles split = {0};
    *closed = 0;
    if (split_at_junctions(open, epsilon, 0, &split)) {
        const cm_mesh_desc desc = {.points = &cm_mesh_points(open)->x,
                                   .point_count = cm_mesh_point_count(open),
                                   .indices = split.indices,
                                   .triangle_count = split.count,
                                   .weld = -1};
        assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
        assert_int_equal(split.count, b->count + split.closed); /* each corner cuts off one triangle */
        *closed = split.closed;
    }
    free(split.indices);
    cm_mesh_destroy(open, NULL);
    return mesh;
}

static void expect_closed(const body *b, double epsilon, uint32_t truth, double volume, double within) {
    uint32_t closed;
    cm_mesh *mesh = close_body(b, epsilon, &closed);
    check_that(closed == truth, "%u closed, truth %u", closed, truth);
    assert_non_null(mesh);
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    check_that(info.closed && info.open_edges == 0 && info.nonmanifold_edges == 0, "%u open edges, %u of several",
               info.open_edges, info.nonmanifold_edges);
    check_that(fabs(info.volume - volume) <= within, "volume %.17g, truth %.17g", info.volume, volume);
    cm_mesh_destroy(mesh, NULL);
}

static void expect_open(const body *b, double epsilon) {
    uint32_t closed;
    cm_mesh *mesh = close_body(b, epsilon, &closed);
    check_that(closed == 0, "%u closed", closed);
    cm_mesh_destroy(mesh, NULL);
}

static const int plain[6][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};

static const char *write_body(const body *b, const char *name) {
    char *text = calloc(1, 100 * (b->point_count + b->count) + 100);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "o cut\n");
    for (uint32_t i = 0; i < b->point_count; i++)
        used += (size_t)sprintf(text + used, "v %.9g %.9g %.9g\n", b->points[i].x, b->points[i].y, b->points[i].z);
    for (uint32_t t = 0; t < b->count; t++)
        used += (size_t)sprintf(text + used, "f %u %u %u\n", b->indices[3 * t] + 1, b->indices[3 * t + 1] + 1,
                                b->indices[3 * t + 2] + 1);
    const char *path = write_text(name, text);
    free(text);
    return path;
}

/* --- what is closed ------------------------------------------------------------------------------------------------ */

/* One face in 2 x 1, the others whole: two of its sides have a corner in the middle. The volume is that of the box. */
static void a_face_cut_differently_from_its_neighbors_is_closed(void **state) {
    (void)state;
    const int cuts[6][2] = {{1, 1}, {2, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    body b = {0};
    add_box(&b, cm_v(0, 0, 0), cm_v(1, 2, 4), *cuts);
    expect_closed(&b, SINGLE, 2, 8, 0);
    body far = {0}; /* powers of two: the same numbers, far from the origin */
    add_box(&far, cm_v(4096, -65536, 1024), cm_v(1, 2, 4), *cuts);
    expect_closed(&far, SINGLE, 2, 8, 0);
    expect_closed(&far, DBL_EPSILON, 2, 8, 0);
}

/* Corners at 1/4, 1/2, 3/4 on one side. */
static void a_chain_of_three_is_closed(void **state) {
    (void)state;
    const int cuts[6][2] = {{1, 1}, {4, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    body b = {0};
    add_box(&b, cm_v(0, 0, 0), cm_v(1, 1, 1), *cuts);
    expect_closed(&b, SINGLE, 6, 1, 0);
}

/* Both sides of a seam have corners that the other lacks (1/8 steps against 1/4 and 1/2), and triangles are cut on two
 * and three sides. Of the twelve edges of the box each has two sides with n and m rectangles: powers of two, so that
 * the larger less the smaller are missing. */
static void all_faces_cut_in_any_way_are_closed(void **state) {
    (void)state;
    rng r = rng_start("junctions of boxes", 11);
    for (int i = 0; i < samples(200, 5000); i++) {
        int cuts[6][2];
        for (int f = 0; f < 6; f++)
            for (int k = 0; k < 2; k++) cuts[f][k] = 1 << rng_below(&r, 4);
        /* the sides of the faces as add_box spans them: edges along x, y, z, four of each */
        const int sides[12][2] = {{cuts[0][1], cuts[2][0]}, {cuts[0][1], cuts[3][1]}, {cuts[1][0], cuts[2][0]},
                                  {cuts[1][0], cuts[3][1]}, {cuts[0][0], cuts[4][1]}, {cuts[0][0], cuts[5][0]},
                                  {cuts[1][1], cuts[4][1]}, {cuts[1][1], cuts[5][0]}, {cuts[2][1], cuts[4][0]},
                                  {cuts[2][1], cuts[5][1]}, {cuts[3][0], cuts[4][0]}, {cuts[3][0], cuts[5][1]}};
        uint32_t truth = 0;
        for (int e = 0; e < 12; e++) truth += (uint32_t)abs(sides[e][0] - sides[e][1]);
        body b = {0};
        add_box(&b, cm_v(-1, 3, 0.5), cm_v(1, 2, 0.5), *cuts);
        if (truth > 0) expect_closed(&b, SINGLE, truth, 1, 0);
    }
}

/* Thirds against halves: corners of both sides alternate. Single precision, as files have it: nothing is exact. */
static void sides_that_alternate_are_closed(void **state) {
    (void)state;
    const int cuts[6][2] = {{1, 2}, {3, 1}, {5, 1}, {1, 7}, {1, 1}, {1, 1}};
    const double shifts[] = {0, 17.3, -1234.567, 65536.1};
    for (int i = 0; i < 4; i++) {
        body b = {0};
        add_box(&b, cm_v(shifts[i], shifts[i] / 3, 0.1), cm_v(1.7, 0.9, 0.6), *cuts);
        for (uint32_t p = 0; p < b.point_count; p++) {
            volatile float x = (float)b.points[p].x, y = (float)b.points[p].y, z = (float)b.points[p].z; /* rounded */
            b.points[p] = cm_v((double)x, (double)y, (double)z);
        }
        /* 2 against 5 along the edge of the lowest y and z: 1 and 4 missing; 2, 7: 1, 6; 3, 5: 2, 4; 3, 7: 2, 6 */
        expect_closed(&b, SINGLE, 26, 1.7 * 0.9 * 0.6, 6 * (1 + fabs(shifts[i])) * SINGLE);
    }
}

/* --- a place off the line ------------------------------------------------------------------------------------------ */

/* A corner in the middle of an edge, off it by so many places of its single precision. */
static body nudged(int places) {
    const int cuts[6][2] = {{1, 1}, {2, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    body b = {0};
    add_box(&b, cm_v(1, 1, 1), cm_v(1, 1, 1), *cuts);
    for (uint32_t p = 0; p < b.point_count; p++)
        if (b.points[p].x == 1.5 && b.points[p].y == 1) b.points[p].y += places * SINGLE;
    return b;
}

/* Its numbers are below 2, where a place is SINGLE: 2 epsilon of 2 are four places. */
static void a_place_off_the_edge_is_rounding_and_more_is_not(void **state) {
    (void)state;
    for (int places = -4; places <= 4; places++) {
        const body b = nudged(places);
        expect_closed(&b, SINGLE, 2, 1, 4 * SINGLE);
        if (places != 0) { /* not with numbers that are known in double precision: only the other side's */
            uint32_t closed;
            cm_mesh_destroy(close_body(&b, DBL_EPSILON, &closed), NULL);
            assert_int_equal(closed, 1);
        }
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        const body b = nudged(5 * sign);
        uint32_t closed;
        cm_mesh_destroy(close_body(&b, SINGLE, &closed), NULL);
        assert_int_equal(closed, 1);
    }
}

/* --weld: what is as near as points that count as one. A hundredth off the edge, which is neither rounding nor welded.
 */
static void corners_as_near_as_points_that_are_one_lie_on_the_edge(void **state) {
    (void)state;
    const int cuts[6][2] = {{1, 1}, {2, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    body b = {0};
    add_box(&b, cm_v(0, 0, 0), cm_v(1, 1, 1), *cuts);
    for (uint32_t p = 0; p < b.point_count; p++)
        if (b.points[p].x == 0.5 && b.points[p].y == 0) b.points[p].y = -0.01;
    const char *path = write_body(&b, "nudged.obj");
    static const char *const welds[] = {"9.9mm", "10.1mm"};
    for (int i = 0; i < 2; i++) {
        json_t *info = RUN_JSON(0, "info", path, "--weld", welds[i]);
        const json_t *mesh = json_array_get(json_object_get(info, "meshes"), 0);
        assert_int_equal(number_at(mesh, "closed_t_junctions"), 1 + i);
        assert_int_equal(json_is_true(json_object_get(mesh, "solid")), i);
        /* 1, and what sticks out of the side: a third of its height of a triangle 1 long and 0.01 wide */
        if (i)
            check_that(fabs(number_at(mesh, "volume") - 1 - 0.01 / 2 / 3) < 1e-9, "%.17g", number_at(mesh, "volume"));
        json_decref(info);
    }
}

/* --- what stays open ----------------------------------------------------------------------------------------------- */

/* Two boxes touch in an edge, in which four faces end, each cut otherwise: any two might belong together. Their other
 * seams are closed: 1 of the lower box, 3 and 7 of the upper one. */
static void a_seam_of_four_sheets_stays_open(void **state) {
    (void)state;
    const int low[6][2] = {{1, 1}, {1, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    const int high[6][2] = {{4, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 8}, {1, 1}};
    body b = {0};
    add_box(&b, cm_v(0, 0, 0), cm_v(1, 1, 1), *low);
    add_box(&b, cm_v(1, 0, 1), cm_v(1, 1, 1), *high);
    uint32_t closed;
    cm_mesh *mesh = close_body(&b, SINGLE, &closed);
    check_that(closed == 11, "%u closed", closed);
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    assert_int_equal(info.open_edges, 1 + 2 + 4 + 8);
    cm_mesh_destroy(mesh, NULL);
}

/* A fin stands on the edge at the corner in its middle, wound either way, and ends where nothing else does. */
static void a_seam_at_which_a_third_sheet_begins_stays_open(void **state) {
    (void)state;
    const int cuts[6][2] = {{1, 1}, {4, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    for (int way = 0; way < 4; way++) { /* toward either end */
        body b = {0};
        add_box(&b, cm_v(0, 0, 0), cm_v(1, 1, 1), *cuts);
        const double end = way < 2 ? 0.6 : 0.4;
        const uint32_t u = add_point(&b, 0.5, 0, 1), v = add_point(&b, end, 0, 1), w = add_point(&b, 0.5, -1, 2);
        add_face(&b, u, way % 2 ? w : v, way % 2 ? v : w);
        uint32_t closed;
        cm_mesh *mesh = close_body(&b, SINGLE, &closed);
        check_that(closed == 3, "%u closed, fin %d", closed, way); /* the other side, at y = 1 */
        cm_mesh_destroy(mesh, NULL);
    }
}

/* A triangle is missing beside the chain: its other side is not there, so the edge is one of a hole. */
static void the_rim_of_a_hole_stays_open(void **state) {
    (void)state;
    const int cuts[6][2] = {{1, 1}, {4, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    body b = {0};
    add_box(&b, cm_v(0, 0, 0), cm_v(1, 1, 1), *cuts);
    for (uint32_t t = 0; t < b.count; t++) { /* at x = 1/2 to 3/4, y = 0, z = 1 */
        int on = 0;
        for (int k = 0; k < 3; k++) {
            const cm_vec3 p = b.points[b.indices[3 * t + (uint32_t)k]];
            on += p.z == 1 && p.y == 0 && (p.x == 0.5 || p.x == 0.75);
        }
        if (on != 2) continue;
        b.count--;
        for (uint32_t i = 3 * t; i < 3 * b.count; i++) b.indices[i] = b.indices[i + 3];
        break;
    }
    uint32_t closed;
    cm_mesh *mesh = close_body(&b, SINGLE, &closed);
    check_that(closed == 3, "%u closed", closed); /* the other side, at y = 1 */
    cm_mesh_destroy(mesh, NULL);
}

static void closed_meshes_and_single_triangles_have_no_seams(void **state) {
    (void)state;
    body b = {0};
    add_box(&b, cm_v(0, 0, 0), cm_v(1, 1, 1), *plain);
    expect_open(&b, SINGLE);
    body one = {0};
    add_face(&one, add_point(&one, 0, 0, 0), add_point(&one, 1, 0, 0), add_point(&one, 0, 1, 0));
    expect_open(&one, SINGLE);
    body flat = {
        0}; /* no area: its sides are on one line, and are a seam that a triangle without area cannot be cut for */
    add_face(&flat, add_point(&flat, 0, 0, 0), add_point(&flat, 1, 0, 0), add_point(&flat, 0.5, 0, 0));
    expect_open(&flat, SINGLE);
}

/* --- as the command tells it --------------------------------------------------------------------------------------- */

static void the_command_tells_what_it_closed(void **state) {
    (void)state;
    const int cuts[6][2] = {{1, 1}, {4, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    body b = {0};
    add_box(&b, cm_v(0, 0, 0), cm_v(1, 1, 1), *cuts);
    const char *path = write_body(&b, "cut.obj");
    static const char *const parts[] = {"node", "component"};
    for (int i = 0; i < 2; i++) {
        json_t *info = RUN_JSON(0, "info", path, "--part", parts[i]);
        const json_t *mesh = json_array_get(json_object_get(info, "meshes"), 0);
        assert_true(json_is_true(json_object_get(mesh, "solid")));
        assert_int_equal(number_at(mesh, "closed_t_junctions"), 6);
        assert_int_equal(number_at(mesh, "t_junctions"), 0);
        assert_int_equal(number_at(mesh, "triangles"), b.count); /* of the file */
        assert_true(number_at(mesh, "volume") == 1);
        json_decref(info);
    }
    run r = RUN("info", path);
    check_that(strstr(r.out, "closed, 6 T-junctions closed") != NULL, "%s", r.out);
    run_free(&r);
    obj o = {0};
    obj_box(&o, "bar", 0.25, 0.25, 0.5, 0.5, 0.5, 3); /* 500 mm deep in a solid */
    const char *bar = obj_write(&o, "bar.obj");
    json_t *answer = RUN_JSON(1, "check", path, bar);
    assert_int_equal(number_at(json_array_get(json_object_get(answer, "parts"), 0), "closed_t_junctions"), 6);
    assert_int_equal(number_at(json_array_get(json_object_get(answer, "parts"), 1), "closed_t_junctions"), 0);
    assert_true(number_at(json_array_get(json_object_get(answer, "findings"), 0), "distance") < -0.2);
    json_decref(answer);
    r = RUN("check", path, bar);
    check_that(strstr(r.out, "T-junctions closed in 1 of 2 parts") != NULL, "%s", r.out);
    run_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_cut_differently_from_its_neighbors_is_closed),
        cmocka_unit_test(a_chain_of_three_is_closed),
        cmocka_unit_test(all_faces_cut_in_any_way_are_closed),
        cmocka_unit_test(sides_that_alternate_are_closed),
        cmocka_unit_test(a_place_off_the_edge_is_rounding_and_more_is_not),
        cmocka_unit_test(corners_as_near_as_points_that_are_one_lie_on_the_edge),
        cmocka_unit_test(a_seam_of_four_sheets_stays_open),
        cmocka_unit_test(a_seam_at_which_a_third_sheet_begins_stays_open),
        cmocka_unit_test(the_rim_of_a_hole_stays_open),
        cmocka_unit_test(closed_meshes_and_single_triangles_have_no_seams),
        cmocka_unit_test(the_command_tells_what_it_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
