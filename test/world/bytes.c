/* What each thing takes, in bytes, as docs/guide/cost.md tells: of meshes a triangle, of hulls a vertex, of height
 * fields a triangle, of compounds a child, of broad phases a box, of worlds an object. A twentieth above what was
 * measured is too much, and a tenth below it, where pointers are wide, a table to be written anew. */
#include "support/support.h"

#include <math.h>

/* By precision: float, double. */
static void takes(const char *what, size_t bytes, size_t count, double in_float, double in_double) {
    const double each = (double)bytes / (double)count, most = sizeof(cm_real) == 4 ? in_float : in_double;
    print_message("%s: %.1f bytes\n", what, each);
    check_that(each <= most * 1.05, "%s: %.1f bytes, %.1f in the table", what, each, most);
    check_that(each >= most * 0.90 || sizeof(void *) < 8, "%s: %.1f bytes, %.1f in the table", what, each, most);
}

enum { RINGS = 100, AROUND = 2 * RINGS, BALL_POINTS = (RINGS - 1) * AROUND + 2 };

static void put(uint32_t *indices, uint32_t *count, uint32_t a, uint32_t b, uint32_t c) {
    indices[*count] = a, indices[*count + 1] = b, indices[*count + 2] = c;
    *count += 3;
}

/* A closed ball of 39,600 triangles. */
static void a_mesh(void **state) {
    (void)state;
    static cm_vec3 points[BALL_POINTS];
    static uint32_t indices[6 * BALL_POINTS];
    uint32_t n = 0, last = BALL_POINTS - 1;
    points[0] = cm_v(0, 0, 1), points[last] = cm_v(0, 0, -1);
    for (uint32_t i = 1; i < RINGS; i++)
        for (uint32_t j = 0; j < AROUND; j++) {
            const double t = 3.14159265358979 * i / RINGS, u = 6.28318530717959 * j / AROUND;
            const uint32_t a = 1 + (i - 1) * AROUND + j, b = 1 + (i - 1) * AROUND + (j + 1) % AROUND;
            points[a] = cm_v((cm_real)(sin(t) * cos(u)), (cm_real)(sin(t) * sin(u)), (cm_real)cos(t));
            if (i == 1) put(indices, &n, 0, a, b);
            if (i + 1 == RINGS) {
                put(indices, &n, a, last, b);
            } else {
                put(indices, &n, a, a + AROUND, b + AROUND);
                put(indices, &n, a, b + AROUND, b);
            }
        }
    counting_allocator c;
    counting_allocator_start(&c, 0);
    cm_mesh_desc d = {.points = &points[0].x, .point_count = BALL_POINTS, .indices = indices};
    d.triangle_count = n / 3, d.solid = true;
    cm_mesh *mesh;
    assert_int_equal(cm_mesh_build(&d, &c.mem, &mesh, NULL), CM_OK);
    takes("a triangle of a mesh", c.live_bytes, n / 3, 64, 80);
    takes("the same while it is built", c.peak_bytes, n / 3, 195, 237);
    cm_mesh_destroy(mesh, &c.mem);
}

/* Points on a sphere, all of them vertices. */
static void a_hull(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    static cm_vec3 points[COUNT];
    rng r = rng_start("bytes of a hull", 1);
    for (int i = 0; i < COUNT; i++) points[i] = cm_normalize(rng_vec3(&r, 1), cm_v(1, 0, 0));
    counting_allocator c;
    counting_allocator_start(&c, 0);
    const cm_hull_desc d = {.points = &points[0].x, .point_count = COUNT};
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&d, &c.mem, &hull, NULL), CM_OK);
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    takes("a vertex of a hull", c.live_bytes, info.vertices, 277, 293);
    cm_hull_destroy(hull, &c.mem);
}

static void a_height_field(void **state) {
    (void)state;
    enum { SIDE = 257 };
    static cm_real heights[SIDE * SIDE];
    rng r = rng_start("bytes of a field", 1);
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = (cm_real)rng_range(&r, 0, 1);
    counting_allocator c;
    counting_allocator_start(&c, 0);
    cm_height_field_desc d = {.heights = heights, .columns = SIDE, .rows = SIDE};
    d.column_spacing = d.row_spacing = 1;
    cm_height_field *field;
    assert_int_equal(cm_height_field_build(&d, &c.mem, &field, NULL), CM_OK);
    takes("a triangle of a height field", c.live_bytes, 2 * (SIDE - 1) * (SIDE - 1), 2.4, 4.7);
    cm_height_field_destroy(field, &c.mem);
}

enum { MANY = 4000 };

static cm_vec3 somewhere(rng *r) { return rng_vec3(r, 100); }

static void a_compound(void **state) {
    (void)state;
    static cm_compound_child children[MANY];
    rng r = rng_start("bytes of a compound", 1);
    for (int i = 0; i < MANY; i++) {
        children[i].shape = cm_make_box(cm_v(1, 1, 1));
        children[i].pose = cm_pose_identity();
        children[i].pose.position = somewhere(&r);
    }
    counting_allocator c;
    counting_allocator_start(&c, 0);
    const cm_compound_desc d = {children, MANY};
    cm_compound *compound;
    assert_int_equal(cm_compound_build(&d, &c.mem, &compound, NULL), CM_OK);
    takes("a child of a compound", c.live_bytes, MANY, 176, 264);
    cm_compound_destroy(compound, &c.mem);
}

/* Boxes of which each overlaps few others, of one kind of broad phase, after an update. */
static void broad_takes(cm_broad_kind kind, double in_float, double in_double) {
    rng r = rng_start("bytes of a broad phase", 1);
    counting_allocator c;
    counting_allocator_start(&c, 0);
    const cm_broad_desc d = {.kind = kind, .mem = &c.mem, .capacity = MANY};
    cm_broad *broad;
    assert_int_equal(cm_broad_create(&d, &broad, NULL), CM_OK);
    for (int i = 0; i < MANY; i++) {
        uint32_t id;
        cm_broad_object_desc object = {.layer = 0};
        object.box.min = somewhere(&r);
        object.box.max = cm_add(object.box.min, cm_v(2, 2, 2));
        assert_int_equal(cm_broad_add(broad, &object, &id), CM_OK);
    }
    assert_int_equal(cm_broad_update(broad), CM_OK);
    char what[80];
    snprintf(what, sizeof what, "a box of the broad phase %s", cm_broad_kind_text(kind));
    takes(what, c.live_bytes, MANY, in_float, in_double);
    cm_broad_destroy(broad);
}

static void a_broad_phase(void **state) {
    (void)state;
    broad_takes(CM_BROAD_BVH, 170, 250);
    broad_takes(CM_BROAD_GRID, 78, 106);
}

/* Boxes at rest that meet few others, after two updates. */
static void a_world(void **state) {
    (void)state;
    rng r = rng_start("bytes of a world", 1);
    counting_allocator c;
    counting_allocator_start(&c, 0);
    const cm_world_desc d = {.kind = CM_BROAD_BVH, .mem = &c.mem, .capacity = MANY};
    cm_world *world;
    assert_int_equal(cm_world_create(&d, &world, NULL), CM_OK);
    for (int i = 0; i < MANY; i++) {
        uint32_t id;
        cm_world_object_desc object = {.shape = cm_make_box(cm_v(1, 1, 1))};
        object.pose.position = somewhere(&r);
        assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    }
    for (int i = 0; i < 2; i++) assert_int_equal(cm_world_update(world, NULL), CM_OK);
    takes("an object of a world", c.live_bytes, MANY, 749, 1236);
    cm_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh),     cmocka_unit_test(a_hull),        cmocka_unit_test(a_height_field),
        cmocka_unit_test(a_compound), cmocka_unit_test(a_broad_phase), cmocka_unit_test(a_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
