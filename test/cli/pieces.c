/* The connected pieces of a mesh: what lies at one place several times is as many pieces. Bodies are put together here,
 * so that how many there are, and of which triangles, is known. */
#include "cli/shapes.h"

#include "read/pieces.h"

/* --- bodies at known places -------------------------------------------------------------------------------------- */

enum { MOST_POINTS = 512, MOST_TRIANGLES = 1024 };

typedef struct heap {
    cm_vec3 points[MOST_POINTS];
    uint32_t indices[3 * MOST_TRIANGLES];
    uint32_t body[MOST_TRIANGLES]; /* which of the bodies a triangle was added as part of */
    uint32_t point_count, triangle_count;
} heap;

static const uint32_t cube[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

static void add_triangle(heap *h, uint32_t first, const uint32_t corner[3], bool reversed, uint32_t body) {
    assert_true(h->triangle_count < MOST_TRIANGLES);
    uint32_t *at = &h->indices[3 * h->triangle_count];
    at[0] = first + corner[0], at[1] = first + corner[reversed ? 2 : 1], at[2] = first + corner[reversed ? 1 : 2];
    h->body[h->triangle_count++] = body;
}

/* A cube of edge 1 at (x, 0, 0), or the first `faces` of its triangles. */
static void add_cube(heap *h, double x, uint32_t faces, bool reversed, uint32_t body) {
    static const double corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    const uint32_t first = h->point_count;
    assert_true(first + 8 <= MOST_POINTS);
    for (int i = 0; i < 8; i++) h->points[h->point_count++] = cm_v(x + corner[i][0], corner[i][1], corner[i][2]);
    for (uint32_t t = 0; t < faces; t++) add_triangle(h, first, cube[t], reversed, body);
}

static cm_mesh *build_heap(const heap *h) {
    const cm_mesh_desc desc = {.points = &h->points->x,
                               .point_count = h->point_count,
                               .indices = h->indices,
                               .triangle_count = h->triangle_count};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

static void expect_pieces(const heap *h, uint32_t truth) {
    cm_mesh *mesh = build_heap(h);
    uint32_t of[MOST_TRIANGLES];
    const uint32_t count = pieces_number(mesh, of);
    check_that(count == truth, "%u pieces, truth %u", count, truth);
    cm_mesh_destroy(mesh, NULL);
}

/* --- how many pieces ---------------------------------------------------------------------------------------------- */

static void a_body_that_lies_there_several_times_is_as_many_pieces(void **state) {
    (void)state;
    for (uint32_t times = 1; times <= 4; times++) {
        heap h = {0};
        for (uint32_t i = 0; i < times; i++) add_cube(&h, 0, 12, false, i);
        add_cube(&h, 3, 12, false, times);
        expect_pieces(&h, times + 1);
    }
}

/* Eleven triangles of a cube are a sheet; all of it is repeated. */
static void a_sheet_that_lies_there_twice_is_two_pieces(void **state) {
    (void)state;
    heap h = {0};
    add_cube(&h, 0, 11, false, 0);
    add_cube(&h, 0, 11, false, 1);
    expect_pieces(&h, 2);
}

/* Nothing is closed by them, and they are not all of it. */
static void a_few_triangles_that_are_repeated_stay_in_their_piece(void **state) {
    (void)state;
    for (uint32_t repeated = 1; repeated < 12; repeated++) {
        heap h = {0};
        add_cube(&h, 0, 12, false, 0);
        add_cube(&h, 0, repeated, false, 0);
        expect_pieces(&h, 1);
    }
}

static void triangles_without_area_that_are_repeated_stay_in_their_piece(void **state) {
    (void)state;
    static const uint32_t flat[3] = {0, 0, 1}, there[3] = {0, 2, 1};
    heap h = {0};
    add_cube(&h, 0, 12, false, 0);
    for (int i = 0; i < 3; i++) add_triangle(&h, 0, flat, false, 0);
    for (int i = 0; i < 2; i++) add_triangle(&h, 0, there, true, 0); /* one of the cube's, and back twice */
    add_triangle(&h, 0, there, false, 0);
    expect_pieces(&h, 1);
}

/* Its inside out is no copy: together they enclose nothing. */
static void a_body_and_its_inside_out_are_one_piece(void **state) {
    (void)state;
    heap h = {0};
    add_cube(&h, 0, 12, false, 0);
    add_cube(&h, 0, 12, true, 0);
    expect_pieces(&h, 1);
}

/* Two cubes that share an edge are one piece by their common points; the first, which is there twice, is one more. */
static void a_copy_of_a_body_that_hangs_on_another_is_a_piece(void **state) {
    (void)state;
    heap h = {0};
    add_cube(&h, 0, 12, false, 0);
    add_cube(&h, 1, 10, false, 0); /* without the side that it would share */
    add_cube(&h, 0, 12, false, 1);
    expect_pieces(&h, 2);
}

/* Cubes apart from each other, each there up to three times, their triangles in any order: each piece is one cube. */
static void bodies_in_any_order_come_apart_whole(void **state) {
    (void)state;
    rng r = rng_start("pieces", 7);
    for (int round = 0; round < few_samples(60, 600); round++) {
        heap h = {0};
        uint32_t bodies = 0;
        const uint32_t places = 1 + rng_below(&r, 6);
        for (uint32_t place = 0; place < places; place++)
            for (uint32_t i = rng_below(&r, 3) + 1; i > 0; i--) add_cube(&h, 2.5 * place, 12, false, place), bodies++;
        for (uint32_t t = h.triangle_count; t > 1; t--) { /* shuffled */
            const uint32_t other = rng_below(&r, t), body = h.body[t - 1];
            h.body[t - 1] = h.body[other], h.body[other] = body;
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t corner = h.indices[3 * (t - 1) + k];
                h.indices[3 * (t - 1) + k] = h.indices[3 * other + k], h.indices[3 * other + k] = corner;
            }
        }
        cm_mesh *mesh = build_heap(&h);
        uint32_t of[MOST_TRIANGLES], size[MOST_TRIANGLES] = {0}, place_of[MOST_TRIANGLES] = {0};
        const uint32_t count = pieces_number(mesh, of);
        check_that(count == bodies, "%u pieces of %u bodies", count, bodies);
        for (uint32_t t = 0; t < h.triangle_count; t++) {
            if (size[of[t]]++ == 0) place_of[of[t]] = h.body[t];
            check_that(place_of[of[t]] == h.body[t], "piece %u has triangles of two places", of[t]);
        }
        for (uint32_t i = 0; i < count; i++) check_that(size[i] == 12, "piece %u of %u triangles", i, size[i]);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* --- what the command finds --------------------------------------------------------------------------------------- */

static size_t put_points(char *out, const char *format, const heap *h) {
    size_t used = 0;
    for (uint32_t i = 0; i < h->point_count; i++)
        used += (size_t)sprintf(out + used, format, h->points[i].x, h->points[i].y, h->points[i].z);
    return used;
}

static size_t put_faces(char *out, const char *format, uint32_t base, const heap *h) {
    size_t used = 0;
    for (uint32_t t = 0; t < h->triangle_count; t++)
        used += (size_t)sprintf(out + used, format, h->indices[3 * t] + base, h->indices[3 * t + 1] + base,
                                h->indices[3 * t + 2] + base);
    return used;
}

static void write_heap(const heap *h, const char *paths[4]) {
    char text[20000];
    size_t used = (size_t)sprintf(text, "OFF\n%u %u 0\n", h->point_count, h->triangle_count);
    used += put_points(text + used, "%g %g %g\n", h);
    put_faces(text + used, "3 %u %u %u\n", 0, h);
    paths[0] = write_text("twice.off", text);
    used = (size_t)sprintf(text,
                           "ply\nformat ascii 1.0\nelement vertex %u\nproperty float x\nproperty float y\n"
                           "property float z\nelement face %u\nproperty list uchar int vertex_indices\nend_header\n",
                           h->point_count, h->triangle_count);
    used += put_points(text + used, "%g %g %g\n", h);
    put_faces(text + used, "3 %u %u %u\n", 0, h);
    paths[1] = write_text("twice.ply", text);
    used = put_points(text, "v %g %g %g\n", h);
    put_faces(text + used, "f %u %u %u\n", 1, h);
    paths[2] = write_text("twice.obj", text);
    used = (size_t)sprintf(text, "solid twice\n");
    for (uint32_t t = 0; t < h->triangle_count; t++) {
        used += (size_t)sprintf(text + used, "facet normal 0 0 0\nouter loop\n");
        for (uint32_t k = 0; k < 3; k++) {
            const cm_vec3 p = h->points[h->indices[3 * t + k]];
            used += (size_t)sprintf(text + used, "vertex %g %g %g\n", p.x, p.y, p.z);
        }
        used += (size_t)sprintf(text + used, "endloop\nendfacet\n");
    }
    sprintf(text + used, "endsolid twice\n");
    paths[3] = write_text("twice.stl", text);
}

static void a_body_that_a_file_has_twice_is_found_identical(void **state) {
    (void)state;
    heap h = {0};
    const char *paths[4];
    add_cube(&h, 0, 12, false, 0);
    add_cube(&h, 0, 12, false, 0);
    add_cube(&h, 3, 12, false, 0);
    write_heap(&h, paths);
    heap alone = {0};
    const char *lone[4];
    for (int i = 0; i < 2; i++) add_cube(&alone, 0, 12, false, 0);
    for (int i = 0; i < 4; i++) {
        json_t *answer = RUN_JSON(1, "check", paths[i], "--part", "component");
        const json_t *list = json_object_get(answer, "findings"), *one = json_array_get(list, 0);
        check_that(json_array_size(list) == 1 && strcmp(text_at(one, "relation"), "identical") == 0, "%s: %zu findings",
                   paths[i], json_array_size(list));
        json_decref(answer);
    }
    write_heap(&alone, lone);
    for (int i = 0; i < 4; i++) EXPECT(2, "are there twice: --part component may split it)\n", "check", lone[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_lies_there_several_times_is_as_many_pieces),
        cmocka_unit_test(a_sheet_that_lies_there_twice_is_two_pieces),
        cmocka_unit_test(a_few_triangles_that_are_repeated_stay_in_their_piece),
        cmocka_unit_test(triangles_without_area_that_are_repeated_stay_in_their_piece),
        cmocka_unit_test(a_body_and_its_inside_out_are_one_piece),
        cmocka_unit_test(a_copy_of_a_body_that_hangs_on_another_is_a_piece),
        cmocka_unit_test(bodies_in_any_order_come_apart_whole),
        cmocka_unit_test(a_body_that_a_file_has_twice_is_found_identical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
