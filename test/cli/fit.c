/* carom fit and carom info --bounds: volumes with hand-derived numbers, and proxies that hold every vertex of the
 * model, decided by rational arithmetic on the numbers that stand in the file. */
#define _DEFAULT_SOURCE
#include "cli/shapes.h"
#include "oracle/rational.h"
#include "read/read.h"
#include "common/text.h"

#include <math.h>
#include <unistd.h>

#define PI 3.14159265358979323846

static const char *const kinds[] = {"sphere", "aabb", "box", "capsule", "hull"};

static double near(double got, double want, double within, const char *what) {
    check_that(fabs(got - want) <= within, "%s: %.17g, not %.17g", what, got, want);
    return got;
}
static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    check_that(json_is_number(value), "%s is no number", key);
    return json_number_value(value);
}
static double item(const json_t *object, const char *key, size_t i) {
    return json_number_value(json_array_get(json_object_get(object, key), i));
}

/* A model with named parts whose numbers single precision holds. */
static const char *brick(void) {
    obj o = {0};
    obj_box(&o, "brick", 0, 0, 0, 1, 2, 3);
    return obj_write(&o, "brick.obj");
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* Half the diagonal of 1 x 2 x 3 is sqrt(14) / 2, its ball has 4/3 pi (14/4)^1.5 = 27.4275 of which 6 are full. */
static void a_brick_has_known_volumes(void **state) {
    (void)state;
    json_t *root = RUN_JSON(0, "info", brick(), "--bounds");
    const json_t *b = json_object_get(root, "bounding"), *one;
    double ball = 4 * PI / 3 * pow(3.5, 1.5);
    one = json_object_get(b, "sphere");
    near(number_of(one, "radius"), sqrt(14) / 2, 1e-14, "radius");
    near(number_of(one, "volume"), ball, 1e-12, "the ball's volume");
    near(number_of(one, "empty"), 1 - 6 / ball, 1e-14, "what the ball leaves empty");
    for (size_t i = 0; i < 3; i++) near(item(one, "center", i), 0.5 * (double)(i + 1), 1e-15, "center");
    one = json_object_get(b, "aabb");
    near(number_of(one, "volume"), 6, 0, "the axis-aligned box's volume");
    near(number_of(one, "empty"), 0, 0, "what it leaves empty");
    one = json_object_get(b, "box");
    near(number_of(one, "volume"), 6, 1e-12, "the box's volume");
    one = json_object_get(b, "hull");
    near(number_of(one, "volume"), 6, 1e-14, "the hull's volume");
    assert_int_equal(number_of(one, "vertices"), 8);
    assert_int_equal(number_of(one, "faces"), 6);
    /* Around the longest axis: the circle around 1 x 2 has radius sqrt(5)/2; caps over the corners at z = 0 and 3 touch
     * them, so the segment has length 3 there: pi r^2 (3 + 4/3 r) is the largest that a capsule may need. */
    double r = sqrt(5) / 2;
    one = json_object_get(b, "capsule");
    check_that(number_of(one, "volume") <= PI * r * r * (3 + 4 * r / 3) * (1 + 1e-12), "the capsule's volume is %g",
               number_of(one, "volume"));
    json_decref(root);
}

/* A unit cube turned by 45 degrees about z: its axis-aligned box is sqrt 2 x sqrt 2 x 1 and half empty, its own box is
 * full. A second one at its side makes the model's volume 2. */
static void a_turned_cube_half_fills_its_aabb(void **state) {
    (void)state;
    write_text("turned.obj", "o cube\nv 0 -0.70710678118654757 0\nv 0.70710678118654757 0 0\n"
                             "v 0 0.70710678118654757 0\nv -0.70710678118654757 0 0\n"
                             "v 0 -0.70710678118654757 1\nv 0.70710678118654757 0 1\nv 0 0.70710678118654757 1\n"
                             "v -0.70710678118654757 0 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
                             "f 4 1 5 8\n");
    json_t *root = RUN_JSON(0, "fit", "turned.obj", "--as", "aabb");
    const json_t *one = json_array_get(json_object_get(root, "proxies"), 0);
    near(number_of(one, "model_volume"), 1, 1e-7, "the cube's volume");
    near(number_of(json_object_get(one, "aabb"), "volume"), 2, 1e-6, "the axis-aligned box's volume");
    near(number_of(json_object_get(one, "aabb"), "empty"), 0.5, 1e-7, "what it leaves empty");
    json_decref(root);
    root = RUN_JSON(0, "fit", "turned.obj", "--as", "box");
    one = json_array_get(json_object_get(root, "proxies"), 0);
    near(number_of(json_object_get(one, "box"), "volume"), 1, 1e-6, "the oriented box's volume");
    json_decref(root);
}

/* What is open has no volume, and so no share; corners that no triangle uses do not count. */
static void open_models_and_loose_points(void **state) {
    (void)state;
    write_text("open.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                           "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                           "0 0 0\n3 0 0\n0 4 0\n100 100 100\n3 0 1 2\n");
    json_t *root = RUN_JSON(0, "fit", "open.ply", "--as", "sphere");
    const json_t *one = json_array_get(json_object_get(root, "proxies"), 0);
    assert_true(json_is_null(json_object_get(one, "model_volume")));
    assert_true(json_is_null(json_object_get(json_object_get(one, "sphere"), "empty")));
    near(number_of(json_object_get(one, "sphere"), "radius"), 2.5, 1e-14, "radius"); /* half the hypotenuse */
    json_decref(root);
    root = RUN_JSON(0, "info", "open.ply", "--bounds");
    one = json_object_get(json_array_get(json_object_get(root, "meshes"), 0), "bounding");
    near(number_of(json_object_get(one, "hull"), "volume"), 0, 0, "a triangle's hull");
    json_decref(root);
}

static void tables_and_csv_have_them_too(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "one", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "two", 3, 0, 0, 4, 1, 1);
    obj_write(&o, "two.obj");
    run r = RUN("info", "two.obj", "--bounds", "--unit", "m");
    /* of both: 4 x 1 x 1, half of it empty */
    check_that(r.code == 0 && strstr(r.out, "the whole") && strstr(r.out, "4e+09 (50 %)"), "%s%s", r.out, r.err);
    run_free(&r);
    r = RUN("info", "two.obj", "--bounds", "--format", "csv");
    check_that(
        strstr(r.out, ",area_m2,sphere_volume_m3,aabb_volume_m3,box_volume_m3,capsule_volume_m3,hull_volume_m3\n"),
        "%s", r.out);
    run_free(&r);
    r = RUN("info", "two.obj", "--format", "csv");
    check_that(strstr(r.out, ",area_m2\n") != NULL, "%s", r.out);
    run_free(&r);
    r = RUN("fit", "two.obj", "--as", "aabb", "--each");
    check_that(r.code == 0 && strstr(r.out, "aabb around one, mm") && strstr(r.out, "aabb around two, mm") &&
                   strstr(r.out, "volume    1e+09 mm3, the model's own 1e+09: 0 % empty"),
               "%s%s", r.out, r.err);
    run_free(&r);
}

/* --- what is written ---------------------------------------------------------------------------------------------- */

/* Triangles as a file has them: nine numbers each. */
typedef struct soup {
    double (*triangles)[3][3];
    size_t count;
} soup;

static soup read_obj(const char *name) {
    soup s = {malloc(100000 * sizeof *s.triangles), 0};
    double(*points)[3] = malloc(100000 * sizeof *points);
    char line[256];
    int n = 0, c[3];
    FILE *file = fopen(scratch_path(name), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double p[3];
        if (sscanf(line, "v %lf %lf %lf", &p[0], &p[1], &p[2]) == 3) memcpy(points[n++], p, sizeof p);
        if (sscanf(line, "f %d %d %d", &c[0], &c[1], &c[2]) != 3) continue;
        for (int k = 0; k < 3; k++) memcpy(s.triangles[s.count][k], points[c[k] - 1], sizeof *points);
        s.count++;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) assert_true(points[i][k] == (double)(float)points[i][k]);
    fclose(file);
    free(points);
    return s;
}

static soup read_stl(const char *name) {
    soup s = {0};
    uint32_t count = 0;
    unsigned char head[80];
    FILE *file = fopen(scratch_path(name), "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, 80, file), 80);
    assert_int_equal(fread(&count, 4, 1, file), 1);
    s.triangles = calloc(count + 1u, sizeof *s.triangles);
    for (float one[12]; s.count < count; s.count++) {
        assert_int_equal(fread(one, 4, 12, file), 12);
        assert_int_equal(fread(head, 1, 2, file), 2);
        for (int k = 0; k < 9; k++) s.triangles[s.count][k / 3][k % 3] = (double)one[k + 3];
    }
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    return s;
}

/* The whole model as the command reads it, placed. */
static void read_model(const char *path, scene *out) {
    double seconds[2];
    read_options how = {.one_file = true};
    assert_int_equal(read_scene(&path, 1, &how, out, seconds), 0);
}

/* No vertex of a triangle of the parts [first, last) lies outside any plane of the proxy, whose lengths are in `unit`
 * metres. The proxy is a closed convex surface, so that is: inside. */
static void holds_all(const soup *proxy, const scene *model, uint32_t first, uint32_t last, double unit,
                      const char *what) {
    assert_true(proxy->count >= 4);
    for (uint32_t i = first; i < last; i++) {
        const cm_mesh *mesh = model->meshes[model->parts[i].mesh].mesh;
        for (uint32_t k = 0; k < cm_mesh_point_count(mesh); k++) { /* all of them are used here */
            cm_vec3 p = cm_pose_apply(&model->parts[i].pose, cm_mesh_points(mesh)[k]);
            const double at[3] = {p.x, p.y, p.z};
            for (size_t f = 0; f < proxy->count; f++) {
                double c[3][3];
                for (int n = 0; n < 9; n++) c[n / 3][n % 3] = proxy->triangles[f][n / 3][n % 3] * unit;
                check_that(oracle_orient3(c[0], c[1], c[2], at) <= 0,
                           "%s: vertex %g %g %g of part %u is outside of triangle %zu by %g", what, p.x, p.y, p.z, i, f,
                           oracle_orient3_value(c[0], c[1], c[2], at));
            }
        }
    }
}

/* A fan of random slivers around a center: nothing about it is round. */
static const char *random_model(const char *name, uint64_t seed, double reach, double size) {
    rng r = rng_start("random model", seed);
    text_buffer t = {0};
    double center[3];
    for (int k = 0; k < 3; k++) center[k] = rng_range(&r, -reach, reach);
    for (int i = 0; i < 24; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = center[k] + rng_range(&r, -size, size);
        text_add(&t, "v %.9g %.9g %.9g\n", p[0], p[1], p[2]);
    }
    for (int i = 0; i < 8; i++) text_add(&t, "f %d %d %d\n", 3 * i + 1, 3 * i + 2, 3 * i + 3);
    const char *path = write_text(name, t.bytes);
    free(t.bytes);
    return path;
}

/* Every kind, near the origin and so far from it that single precision is coarse, in both formats. */
static void proxies_hold_every_vertex(void **state) {
    (void)state;
    static const double reaches[] = {0, 1, 1e4, 1e6}, sizes[] = {1, 1e-3, 1, 30};
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 5; k++) {
            char what[80];
            scene model;
            const char *path = random_model("random.obj", 77 + (uint64_t)m, reaches[m], sizes[m]);
            snprintf(what, sizeof what, "%s as obj, model %d", kinds[k], m);
            read_model(path, &model);
            if (k % 3 == 0) /* sphere and capsule, coarse */
                EXPECT(0, NULL, "fit", path, "--as", kinds[k], "--output", "proxy.obj", "--segments=8");
            else
                EXPECT(0, NULL, "fit", path, "--as", kinds[k], "--output", "proxy.obj");
            soup proxy = read_obj("proxy.obj");
            holds_all(&proxy, &model, 0, model.part_count, 1, what);
            free(proxy.triangles);
            EXPECT(0, NULL, "fit", path, "--as", kinds[k], "--output", "proxy.stl", "--output-unit", "in");
            proxy = read_stl("proxy.stl");
            snprintf(what, sizeof what, "%s as stl, model %d", kinds[k], m);
            holds_all(&proxy, &model, 0, model.part_count, 0.0254, what);
            free(proxy.triangles);
            free_scene(&model);
        }
}

/* Nodes with rotations: the vertices where they stand are no single precision numbers. */
static void proxies_of_placed_parts_hold_them(void **state) {
    (void)state;
    const char *engine = test_model("glTF2/2CylinderEngine-glTF-Binary/2CylinderEngine.glb");
    if (!engine) skip();
    char path[512];
    snprintf(path, sizeof path, "%s", engine);
    scene model;
    read_model(path, &model);
    for (int k = 2; k < 5; k += 2) { /* box and hull */
        run r = RUN("fit", path, "--as", kinds[k], "--ignore", "body*", "--output", "proxy.obj");
        check_that(r.code == 0, "%s", r.err);
        run_free(&r);
        soup proxy = read_obj("proxy.obj");
        for (uint32_t i = 0; i < model.part_count; i++)
            if (strcmp(model.parts[i].name, "Lifter_123-923_0_Parts_1#4") == 0 ||
                (k == 2 && strstr(model.parts[i].name, "Lifter")))
                holds_all(&proxy, &model, i, i + 1, 1, kinds[k]);
        free(proxy.triangles);
    }
    free_scene(&model);
}

/* A brick's box is the brick, to the last bit; its hull too. Twelve triangles, and the sphere as many as asked for. */
static void what_is_exact_stays_so(void **state) {
    (void)state;
    EXPECT(0, NULL, "fit", brick(), "--as", "hull", "--output", "proxy.obj");
    json_t *root = RUN_JSON(0, "info", "proxy.obj");
    const json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
    near(number_of(mesh, "volume"), 6, 0, "the hull's volume");
    assert_true(json_is_true(json_object_get(mesh, "closed")));
    json_decref(root);
    root = RUN_JSON(0, "fit", brick(), "--as", "aabb", "--output", "proxy.obj");
    const json_t *written = json_object_get(json_array_get(json_object_get(root, "proxies"), 0), "written");
    near(number_of(written, "volume"), 6, 0, "the box's volume");
    assert_int_equal(number_of(written, "vertices"), 8);
    assert_int_equal(number_of(written, "triangles"), 12);
    json_decref(root);
}

/* A sphere of four segments is an octahedron; around a ball of radius 1 it has the volume 4 sqrt 3 = 6.928, around one
 * with corners a little less. */
static void what_is_round_is_drawn_tightly_around(void **state) {
    (void)state;
    obj o = {0};
    obj_sphere(&o, "ball", 0, 0, 0, 1, 4);
    obj_write(&o, "ball.obj");
    json_t *root = RUN_JSON(0, "fit", "ball.obj", "--as", "sphere", "--segments", "4", "--output", "proxy.obj");
    const json_t *written = json_object_get(json_array_get(json_object_get(root, "proxies"), 0), "written");
    assert_int_equal(number_of(written, "vertices"), 6);
    double volume = number_of(written, "volume");
    check_that(volume < 4 * sqrt(3) * (1 + 1e-5) && volume > 4 * sqrt(3) * 0.95, "%.9g m^3", volume);
    json_decref(root);
}

/* A ball of many vertices as a hull of 32: it holds all of them, and is larger. */
static void a_hull_of_few_vertices_is_larger(void **state) {
    (void)state;
    obj o = {0};
    obj_sphere(&o, "ball", 0, 0, 0, 1, 3);
    obj_write(&o, "ball.obj");
    scene model;
    read_model(scratch_path("ball.obj"), &model);
    json_t *root = RUN_JSON(0, "fit", "ball.obj", "--as", "hull", "--vertices", "32", "--output", "proxy.obj");
    const json_t *one = json_array_get(json_object_get(root, "proxies"), 0), *written = json_object_get(one, "written");
    assert_int_equal(number_of(written, "vertices"), 32);
    double exact = number_of(json_object_get(one, "hull"), "volume"), larger = number_of(written, "volume");
    check_that(larger > exact && larger < 1.22 * exact, "32 vertices: %g, all: %g", larger, exact);
    soup proxy = read_obj("proxy.obj");
    holds_all(&proxy, &model, 0, 1, 1, "hull of 32 vertices");
    free(proxy.triangles);
    json_decref(root);
    free_scene(&model);
}

/* One object a part, each around its part. The names are the parts'; a blank would end a name. */
static void each_part_gets_its_own(void **state) {
    (void)state;
    obj o = {0};
    obj_box(&o, "left", 0, 0, 0, 1, 1, 1);
    obj_box(&o, "right", 3, 0, 0, 4, 1, 1);
    obj_write(&o, "two.obj");
    EXPECT(0, NULL, "fit", "two.obj", "--as", "sphere", "--each", "--output", "proxy.obj");
    json_t *root = RUN_JSON(0, "info", "proxy.obj");
    const json_t *parts = json_object_get(root, "parts");
    assert_int_equal(json_array_size(parts), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(parts, 0), "name")), "left");
    assert_string_equal(json_string_value(json_object_get(json_array_get(parts, 1), "name")), "right");
    json_decref(root);
    /* one around both lies across both */
    EXPECT(0, NULL, "fit", "two.obj", "--as", "box", "--output", "proxy.stl");
    soup proxy = read_stl("proxy.stl");
    assert_int_equal(proxy.count, 12);
    free(proxy.triangles);
}

/* The numbers in the file are those of the model's own file, whatever its unit. */
static void the_unit_is_the_models(void **state) {
    (void)state;
    stl_box_write("part.stl", true, 0, 0, 0, 20, 10, 5); /* read as millimetres */
    run r = RUN("fit", "part.stl", "--as", "aabb", "--output", "proxy.obj");
    check_that(r.code == 0 && strstr(r.out, "proxy.obj: lengths in mm"), "%s%s", r.out, r.err);
    run_free(&r);
    soup proxy = read_obj("proxy.obj");
    double most = 0;
    for (size_t i = 0; i < 9 * proxy.count; i++) most = fmax(most, proxy.triangles[i / 9][i / 3 % 3][i % 3]);
    near(most, 20, 0, "the longest side in millimetres");
    free(proxy.triangles);
    EXPECT(0, NULL, "fit", "part.stl", "--as", "aabb", "--output", "proxy.obj", "--output-unit", "m");
    proxy = read_obj("proxy.obj");
    most = 0;
    for (size_t i = 0; i < 9 * proxy.count; i++) most = fmax(most, proxy.triangles[i / 9][i / 3 % 3][i % 3]);
    check_that(most >= 0.02 && most < 0.02 * (1 + 1e-6), "the longest side in metres: %.17g", most);
    free(proxy.triangles);
}

/* A point, a segment and a flat triangle too have a sphere, boxes and a capsule with a volume that can be written. */
static void flat_models_get_a_volume(void **state) {
    (void)state;
    static const char *const flat[] = {"v 1 2 3\nv 1 2 3\nv 1 2 3\nf 1 2 3\n", "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n",
                                       "v 0.1 0.2 0.3\nv 1.7 0.1 0.2\nv 0.3 0.9 1.1\nf 1 2 3\n"};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            scene model;
            write_text("flat.obj", flat[i]);
            read_model(scratch_path("flat.obj"), &model);
            EXPECT(0, NULL, "fit", "flat.obj", "--as", kinds[k], "--output", "proxy.obj");
            soup proxy = read_obj("proxy.obj");
            holds_all(&proxy, &model, 0, 1, 1, kinds[k]);
            free(proxy.triangles);
            free_scene(&model);
        }
    EXPECT(2, "is flat: its hull encloses nothing", "fit", "flat.obj", "--as", "hull", "--output", "proxy.obj");
    EXPECT(0, NULL, "fit", "flat.obj", "--as", "hull");
}

/* --- with the rest of the command -------------------------------------------------------------------------------- */

/* "object" in the JSON is what a scene takes; a box is turned and placed by it. */
static void a_scene_takes_the_object(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++) {
        const char *path = random_model("random.obj", 5, 3, 1);
        json_t *root = RUN_JSON(0, "fit", path, "--as", kinds[k]);
        json_t *object = json_object_get(json_array_get(json_object_get(root, "proxies"), 0), "object");
        json_t *mesh =
            json_pack("{s:s, s:{s:s, s:s}}", "class", "model", "shape", "kind", "mesh", "file", "random.obj");
        json_object_set_new(object, "class", json_string("proxy"));
        json_object_set_new(object, "name", json_string("the proxy"));
        json_t *whole = json_pack("{s:s, s:i, s:[O, o], s:{s:[s, s]}}", "schema", "carom-scene-1", "steps", 1,
                                  "objects", object, mesh, "report", "clearance", "proxy", "model");
        char *text = json_dumps(whole, JSON_REAL_PRECISION(17));
        write_text("proxy.json", text);
        run r = RUN("simulate", "proxy.json");
        const char *line = strstr(r.out, "clearance ");
        check_that(r.code == 0 && line && strtod(line + 10, NULL) < 0, "%s: %s%s", kinds[k], r.out, r.err);
        run_free(&r);
        free(text);
        json_decref(whole);
        json_decref(root);
    }
}

static void an_input_is_never_replaced(void **state) {
    (void)state;
    brick();
    EXPECT(2, "--output brick.obj would replace the input brick.obj: write it elsewhere", "fit", "brick.obj", "--as",
           "box", "--output", "brick.obj");
    unlink(scratch_path("link.obj"));
    assert_int_equal(symlink("brick.obj", scratch_path("link.obj")), 0);
    EXPECT(2, "--output link.obj would replace the input brick.obj", "fit", "brick.obj", "--as", "box", "--output",
           "link.obj");
    json_t *root = RUN_JSON(0, "info", "brick.obj");
    assert_int_equal(number_of(json_array_get(json_object_get(root, "meshes"), 0), "triangles"), 12);
    json_decref(root);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    brick();
    EXPECT(2, "fit needs a file", "fit", "--as", "box");
    EXPECT(2, "fit needs --as sphere, aabb, box, capsule or hull", "fit", "brick.obj");
    EXPECT(2, "--as: 'cube' is not one of sphere, aabb, box, capsule, hull", "fit", "brick.obj", "--as", "cube");
    EXPECT(2, "ends in neither .obj nor .stl", "fit", "brick.obj", "--as", "box", "--output", "proxy.ply");
    EXPECT(2, "--vertices goes with --as hull", "fit", "brick.obj", "--as", "box", "--vertices", "8");
    EXPECT(2, "--segments goes with --as sphere or capsule", "fit", "brick.obj", "--as", "box", "--segments", "8");
    EXPECT(2, "--vertices is of the file that --output names", "fit", "brick.obj", "--as", "hull", "--vertices", "8");
    EXPECT(2, "--segments: '3' is not a number from 4 to 256", "fit", "brick.obj", "--as", "sphere", "--segments", "3");
    EXPECT(2, "no CSV", "fit", "brick.obj", "--as", "box", "--format", "csv");
    EXPECT(2, "/no/such/folder/p.obj: cannot be written", "fit", "brick.obj", "--as", "box", "--output",
           "/no/such/folder/p.obj");
    write_text("nan.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n");
    EXPECT(2, "nan.obj: ", "fit", "nan.obj", "--as", "box");
    write_text("none.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n");
    EXPECT(2, "none.obj: has no triangles", "fit", "none.obj", "--as", "box");
    EXPECT(2, "there is no part to fit a volume around", "fit", "brick.obj", "--as", "box", "--ignore", "*");
    /* 1e14 m are 1e20 um: whatever can be read can be written, in any unit that is known */
    write_text("far.obj", "v 0 0 0\nv 1e14 0 0\nv 0 1e14 0\nf 1 2 3\n");
    EXPECT(0, NULL, "fit", "far.obj", "--as", "sphere", "--output", "proxy.obj", "--output-unit", "um");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brick_has_known_volumes),        cmocka_unit_test(a_turned_cube_half_fills_its_aabb),
        cmocka_unit_test(open_models_and_loose_points),     cmocka_unit_test(tables_and_csv_have_them_too),
        cmocka_unit_test(proxies_hold_every_vertex),        cmocka_unit_test(proxies_of_placed_parts_hold_them),
        cmocka_unit_test(what_is_exact_stays_so),           cmocka_unit_test(what_is_round_is_drawn_tightly_around),
        cmocka_unit_test(a_hull_of_few_vertices_is_larger), cmocka_unit_test(each_part_gets_its_own),
        cmocka_unit_test(the_unit_is_the_models),           cmocka_unit_test(flat_models_get_a_volume),
        cmocka_unit_test(a_scene_takes_the_object),         cmocka_unit_test(an_input_is_never_replaced),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
