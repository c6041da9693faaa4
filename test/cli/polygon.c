/* Polygons are cut into triangles that cover them, and nothing else. */
#include "read/polygon.h"

#include "cli/command.h"

enum { MOST = 600 };

static double area_of(const float *a, const float *b, const float *c) {
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) u[k] = (double)b[k] - (double)a[k], v[k] = (double)c[k] - (double)a[k];
    for (int k = 0; k < 3; k++) n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
}

/* In each of three planes, both ways around, from each corner on: count - 2 triangles, of the area in sum, and each
 * side of the polygon is that of one triangle. */
static void check_cut(const char *name, const float *outline, uint32_t count, double area) {
    polygon_room room = {0};
    for (uint32_t way = 0; way < 6 * count; way++) {
        float points[3 * MOST] = {0};
        uint32_t corners[MOST], out[3 * MOST], sides = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t plane = way % 3, at = (i + way / 6) % count;
            corners[i] = way % 6 < 3 ? at : count - 1 - at;
            points[3 * i + plane] = outline[2 * i], points[3 * i + (plane + 1) % 3] = outline[2 * i + 1];
            points[3 * i + (plane + 2) % 3] = 7;
        }
        check_that(polygon_cut(&room, points, corners, count, out), "%s, way %u: refused", name, way);
        double sum = 0;
        for (uint32_t t = 0; t < count - 2; t++) {
            sum += area_of(&points[3 * out[3 * t]], &points[3 * out[3 * t + 1]], &points[3 * out[3 * t + 2]]);
            for (uint32_t k = 0; k < 3; k++)
                for (uint32_t i = 0; i < count; i++)
                    sides += out[3 * t + k] == corners[i] && out[3 * t + (k + 1) % 3] == corners[(i + 1) % count];
        }
        check_that(fabs(sum - area) <= 1e-6 * area, "%s, way %u: area %g, not %g", name, way, sum, area);
        check_that(sides == count, "%s, way %u: %u of %u sides", name, way, sides, count);
    }
    polygon_room_free(&room);
}
#define CUT(outline, area) check_cut(#outline, &outline[0][0], sizeof outline / sizeof *outline, area)

static void simple_polygons_are_covered(void **state) {
    (void)state;
    static const float square[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, dart[][2] = {{0, 0}, {2, 1}, {0, 2}, {1, 1}};
    static const float hexagon[][2] = {{2, 0}, {4, 1}, {4, 3}, {2, 4}, {0, 3}, {0, 1}};
    static const float ell[][2] = {{2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 0}};
    CUT(square, 1);
    CUT(dart, 1);
    CUT(hexagon, 12);
    CUT(ell, 3);
}

/* A wall around a passage, with corners on its straight edges: of the importer's triangles some lay in the passage. */
static void corners_may_lie_on_straight_edges(void **state) {
    (void)state;
    static const float wall[][2] = {{0, -4},   {5, -4},  {5, -6}, {0, -6}, {0, -10}, {5, -10},
                                    {10, -10}, {10, -5}, {10, 0}, {5, 0},  {0, 0}};
    static const float line[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {2, 1}, {1, 1}, {0, 1}};
    CUT(wall, 90);
    CUT(line, 3);
}

/* Out to a hole, around it and back: corners at one place. */
static void a_polygon_may_go_around_a_hole(void **state) {
    (void)state;
    static const float frame[][2] = {{0, 0}, {4, 4}, {4, 6},  {6, 6},   {6, 4},
                                     {4, 4}, {0, 0}, {10, 0}, {10, 10}, {0, 10}};
    CUT(frame, 96);
}

static void a_comb_of_many_teeth_is_cut(void **state) {
    (void)state;
    enum { TEETH = 20 };
    float comb[2 * TEETH + 2][2];
    for (int i = 0; i < 2 * TEETH; i++) comb[i][0] = (float)i, comb[i][1] = i % 2 ? 0 : 5;
    comb[2 * TEETH][0] = 2 * TEETH - 1, comb[2 * TEETH][1] = -1;
    comb[2 * TEETH + 1][0] = 0, comb[2 * TEETH + 1][1] = -1;
    CUT(comb, 2.5 * (2 * TEETH - 1) + (2 * TEETH - 1));
}

/* A gear with a shaft's hole that a cut leads to; a disk with one notch, of which all corners but one are convex. */
static void place_round(int notch, uint32_t i, uint32_t count, float out[3]) {
    const bool hole = notch == 0 && i > count / 2; /* the other way around, from where the rim was left */
    const uint32_t place = hole ? count - 1 - i : i, around = notch == 0 ? count / 2 : count;
    const double angle = 2 * 3.14159265358979 * (double)place / around, rim = notch == 0 && i % 2 ? 1 : 1.1;
    const double r = notch == 1 && i == 5 ? .3 : hole ? .5 : rim;
    out[0] = (float)(r * cos(angle)), out[1] = (float)(r * sin(angle)), out[2] = 0;
}
/* A corrugated sheet: only the corners at its two ends are ears. */
static void place_zigzag(uint32_t i, uint32_t count, float out[3]) {
    const bool above = i >= count / 2;
    const uint32_t place = above ? count - 1 - i : i;
    out[0] = (float)place, out[1] = (place % 2 ? 50.0f : 0) + (above ? 1.0f : 0), out[2] = 0;
}

/* Areas by the sum over the sides. */
static void outlines_of_many_corners_are_covered(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    float *points = malloc(3 * COUNT * sizeof *points);
    uint32_t *corners = malloc(COUNT * sizeof *corners), *out = malloc(3 * COUNT * sizeof *out);
    polygon_room room = {0};
    for (int shape = 0; shape < 3; shape++) {
        double area = 0, covered = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            if (shape < 2)
                place_round(shape, i, COUNT, &points[3 * i]);
            else
                place_zigzag(i, COUNT, &points[3 * i]);
            corners[i] = i;
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            const float *p = &points[3 * i], *q = &points[3 * ((i + 1) % COUNT)];
            area += ((double)p[0] * (double)q[1] - (double)p[1] * (double)q[0]) / 2;
        }
        assert_true(polygon_cut(&room, points, corners, COUNT, out));
        for (uint32_t t = 0; t < COUNT - 2; t++)
            covered += area_of(&points[3 * out[3 * t]], &points[3 * out[3 * t + 1]], &points[3 * out[3 * t + 2]]);
        check_that(fabs(covered - area) <= 1e-9 * area, "shape %d: %.12g of %.12g", shape, covered, area);
    }
    polygon_room_free(&room);
    free(points), free(corners), free(out);
}

static void what_crosses_itself_is_not_cut(void **state) {
    (void)state;
    static const float star[5][3] = {{0, 0, 0}, {4, 1, 0}, {1, 4, 0}, {2, -1, 0}, {3, 4, 0}};
    static const uint32_t corners[5] = {0, 1, 2, 3, 4};
    polygon_room room = {0};
    uint32_t out[9];
    assert_false(polygon_cut(&room, &star[0][0], corners, 5, out));
    polygon_room_free(&room);
}

/* Without an area, and with coordinates that are not numbers: triangles all the same, which others look at. */
static void what_has_no_normal_has_its_triangles(void **state) {
    (void)state;
    static const float line[5][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    float none[5][3];
    static const uint32_t corners[5] = {0, 1, 2, 3, 4};
    polygon_room room = {0};
    uint32_t out[9];
    for (int i = 0; i < 15; i++) none[i / 3][i % 3] = nanf("");
    assert_true(polygon_cut(&room, &line[0][0], corners, 5, out));
    assert_true(polygon_cut(&room, &none[0][0], corners, 5, out));
    assert_true(polygon_cut(&room, &none[0][0], corners, 4, out));
    polygon_room_free(&room);
}

/* The command: a post in the passage of a wall touches nothing. */
static void a_passage_is_free(void **state) {
    (void)state;
    static const char text[] =
        "o wall\nv 10 0 -4\nv 10 5 -4\nv 10 5 -6\nv 10 0 -6\nv 10 0 -10\nv 10 5 -10\nv 10 10 -10\nv 10 10 -5\n"
        "v 10 10 0\nv 10 5 0\nv 10 0 0\nf 1 2 3 4 5 6 7 8 9 10 11\n"
        "o post\nv 9 4.5 -4.5\nv 11 4.6 -4.5\nv 11 4.5 -4.4\nf 12 13 14\n";
    EXPECT(0, NULL, "check", write_text("passage.obj", text));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_polygons_are_covered),          cmocka_unit_test(corners_may_lie_on_straight_edges),
        cmocka_unit_test(a_polygon_may_go_around_a_hole),       cmocka_unit_test(a_comb_of_many_teeth_is_cut),
        cmocka_unit_test(outlines_of_many_corners_are_covered), cmocka_unit_test(what_crosses_itself_is_not_cut),
        cmocka_unit_test(what_has_no_normal_has_its_triangles), cmocka_unit_test(a_passage_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
