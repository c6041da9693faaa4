/* Pictures of topics: what is where on them, to the pixel where that is exact; and that they are PNG. */
#include "support/support.h"

#include "bcf/picture.h"

#include <zlib.h>

enum { WIDTH = PICTURE_WIDTH, HEIGHT = PICTURE_HEIGHT };

typedef struct image {
    unsigned char *rgb;
} image;

static uint32_t big_endian(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Reads a PNG of 8 bits red, green, blue: its chunks with their checksums, its rows with filters 0 and 2. */
static image decode(unsigned char *png, size_t size) {
    static const char names[3][5] = {"IHDR", "IDAT", "IEND"};
    const unsigned char *at = png + 8, *packed = NULL;
    uint32_t packed_size = 0;
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    for (int i = 0; i < 3; i++) {
        const uint32_t length = big_endian(at);
        assert_memory_equal(at + 4, names[i], 4);
        assert_int_equal(big_endian(at + 8 + length), crc32(0, at + 4, length + 4));
        if (i == 0) {
            assert_int_equal(big_endian(at + 8), WIDTH);
            assert_int_equal(big_endian(at + 12), HEIGHT);
            assert_memory_equal(at + 16, "\x08\x02\0\0\0", 5);
        }
        if (i == 1) packed = at + 8, packed_size = length;
        at += 12 + length;
    }
    assert_int_equal(at - png, size);
    uLongf row_bytes = (3 * WIDTH + 1) * HEIGHT;
    unsigned char *rows = malloc(row_bytes);
    image out = {calloc(HEIGHT, 3 * WIDTH)};
    assert_int_equal(uncompress(rows, &row_bytes, packed, packed_size), Z_OK);
    assert_int_equal(row_bytes, (3 * WIDTH + 1) * HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
        const unsigned char *row = rows + y * (3 * WIDTH + 1);
        assert_true(*row == 0 || *row == 2);
        for (int x = 0; x < 3 * WIDTH; x++) {
            const int above = *row == 2 && y > 0 ? out.rgb[(y - 1) * 3 * WIDTH + x] : 0;
            out.rgb[y * 3 * WIDTH + x] = (unsigned char)(row[1 + x] + above);
        }
    }
    free(rows);
    free(png);
    return out;
}

/* 'o'range, 'b'lue, 'w'hite, 'r'ed, ' ' for the background, '?' for what is between. */
static char color_at(const image *i, int x, int y) {
    const unsigned char *c = i->rgb + 3 * (y * WIDTH + x);
    if (c[0] == 246 && c[1] == 247 && c[2] == 249) return ' ';
    if (c[0] > 250 && c[1] > 250 && c[2] > 250) return 'w';
    if (c[0] > 200 && c[1] < 60 && c[2] < 60) return 'r';
    if (c[0] > c[2] + 60 && c[1] > c[2]) return 'o';
    if (c[2] > c[0] + 60) return 'b';
    return '?';
}

static int count_color(const image *i, char color) {
    int n = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) n += color_at(i, x, y) == color;
    return n;
}

/* At the origin, looking along x, z up: at distance 1 a unit is HEIGHT / 2 pixels. */
static const camera eye = {{0, 0, 0}, {0, -1, 0}, {0, 0, 1}, {1, 0, 0}, 1, 0.1};

/* A rectangle square to the view: at x, of y and z up to those. */
static cm_mesh *screen(double x, double y0, double z0, double y1, double z1) {
    const cm_vec3 points[4] = {{x, y0, z0}, {x, y1, z0}, {x, y1, z1}, {x, y0, z1}};
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const cm_mesh_desc desc = {
        .points = (const cm_real *)points, .point_count = 4, .indices = corners, .triangle_count = 2};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

static void draw(picture *p, cm_mesh *mesh, picture_side side) {
    const cm_pose at_rest = cm_pose_identity();
    picture_mesh(p, mesh, &at_rest, side);
    cm_mesh_destroy(mesh, NULL);
}

static image finish(picture *p, picture_side glass) {
    size_t size;
    unsigned char *png = picture_end(p, glass, &size);
    return decode(png, size);
}

/* From y -0.5 to 0.25 and z 0 to 0.5 at distance 2: 90 pixels by 60, to the right of the middle is -y. */
static void a_rectangle_covers_its_pixels(void **state) {
    (void)state;
    picture *p = picture_begin(&eye);
    draw(p, screen(2, -0.5, 0, 0.25, 0.5), PICTURE_A);
    image i = finish(p, PICTURE_SIDES);
    assert_int_equal(WIDTH * HEIGHT - count_color(&i, ' '), 90 * 60);
    assert_int_equal(color_at(&i, WIDTH / 2 + 58, HEIGHT / 2 - 2), 'o');
    assert_int_equal(color_at(&i, WIDTH / 2 - 29, HEIGHT / 2 - 58), 'o');
    assert_int_equal(color_at(&i, WIDTH / 2 + 60, HEIGHT / 2 - 2), ' ');
    assert_int_equal(color_at(&i, WIDTH / 2 + 2, HEIGHT / 2), ' ');
    free(i.rgb);
}

static void the_nearer_hides_the_farther_unless_it_is_glass(void **state) {
    (void)state;
    for (int glass = 0; glass < 2; glass++) {
        picture *p = picture_begin(&eye);
        draw(p, screen(2, -0.5, -0.5, 0.5, 0.5), PICTURE_A);
        draw(p, screen(4, -0.5, -0.5, 0.5, 0.5), PICTURE_A);
        draw(p, screen(3, -0.25, -0.25, 0.25, 0.25), PICTURE_B); /* 40 pixels about the middle */
        draw(p, screen(1, 0.5, -0.1, 0.7, 0.1), PICTURE_B);      /* 48 by 48, before the left border */
        image i = finish(p, glass ? PICTURE_A : PICTURE_SIDES);
        assert_int_equal(color_at(&i, WIDTH / 2 - 130, HEIGHT / 2), 'b');
        if (glass)
            check_that(color_at(&i, WIDTH / 2, HEIGHT / 2) != 'o', "the glass is not seen through");
        else
            assert_int_equal(color_at(&i, WIDTH / 2, HEIGHT / 2), 'o');
        free(i.rgb);
    }
}

/* A floor that reaches behind the camera fills the lower half from the horizon down. */
static void what_is_behind_the_camera_is_cut(void **state) {
    (void)state;
    const cm_vec3 points[4] = {{-50, -50, -1}, {50, -50, -1}, {50, 50, -1}, {-50, 50, -1}};
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const cm_mesh_desc desc = {
        .points = (const cm_real *)points, .point_count = 4, .indices = corners, .triangle_count = 2};
    cm_mesh *floor = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &floor, NULL), CM_OK);
    picture *p = picture_begin(&eye);
    draw(p, floor, PICTURE_B);
    image i = finish(p, PICTURE_SIDES);
    for (int x = 5; x < WIDTH; x += 70) {
        assert_int_equal(color_at(&i, x, HEIGHT / 2 - 3), ' ');
        /* It ends 50 away: 240 / 50 = 5 pixels below the horizon. */
        assert_int_equal(color_at(&i, x, HEIGHT / 2 + 7), 'b');
        assert_int_equal(color_at(&i, x, HEIGHT - 1), 'b');
    }
    free(i.rgb);
}

static void lines_are_faint_where_they_are_hidden(void **state) {
    (void)state;
    picture *p = picture_begin(&eye);
    draw(p, screen(2, -1, -1, 0, 1), PICTURE_A);                   /* the right half */
    picture_line(p, cm_v(3, 2, 0), cm_v(3, -2, 0));                /* behind it, across the view */
    picture_line(p, cm_v(-1, 0.3, 0.5), cm_v(2, 0.3, 0.5));        /* from behind the camera: seen from x = 0.1 on */
    picture_line(p, cm_v(1, 0.5, -0.5), cm_v(1, 0.5, -0.5));       /* a dot */
    picture_line(p, cm_v(-1, 0, 0), cm_v(-2, 1, 1));               /* behind the camera as a whole */
    picture_line(p, cm_v(1e-3, 1e9, 1e9), cm_v(1e-3, -1e9, -1e9)); /* too near, and long */
    image i = finish(p, PICTURE_SIDES);
    assert_int_equal(color_at(&i, WIDTH / 2 - 60, HEIGHT / 2), 'w');
    check_that(color_at(&i, WIDTH / 2 + 60, HEIGHT / 2) != 'w' && color_at(&i, WIDTH / 2 + 60, HEIGHT / 2) != ' ',
               "hidden: %c", color_at(&i, WIDTH / 2 + 60, HEIGHT / 2));
    assert_int_equal(color_at(&i, WIDTH / 2 - 120, HEIGHT / 2 + 120), 'w');
    assert_true(count_color(&i, 'r') > 100);
    free(i.rgb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rectangle_covers_its_pixels),
        cmocka_unit_test(the_nearer_hides_the_farther_unless_it_is_glass),
        cmocka_unit_test(what_is_behind_the_camera_is_cut),
        cmocka_unit_test(lines_are_faint_where_they_are_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
