/* STEP, IGES and BREP files, made by a small program on Open CASCADE (test/readers/step_files.cpp). What is true of
 * them is worked out by hand. Without Open CASCADE only the message is tested. */
#define _DEFAULT_SOURCE
#include "cli/command.h"

#include "read/import.h"

#include <unistd.h>

static const double PI_VALUE = 3.14159265358979323846;

/* The files are made once; false (said loudly) where there is no reader. */
static bool has_files(void) {
    static int known = -1;
    if (known < 0) {
        const char *maker = getenv("CAROM_STEP_FILES");
        known = maker != NULL;
        if (!known) print_message("SKIPPED: built without Open CASCADE\n");
        char line[1200];
        if (known) snprintf(line, sizeof line, "'%s' '%s' >/dev/null", maker, scratch());
        if (known) assert_int_equal(system(line), 0);
    }
    return known;
}
#define NEED_FILES()                                                                                                   \
    if (!has_files()) skip()

static json_t *info(const char *name) { return RUN_JSON(0, "info", scratch_path(name)); }
static const json_t *mesh_of(const json_t *root, size_t part) {
    const json_t *p = json_array_get(json_object_get(root, "parts"), part);
    return json_array_get(json_object_get(root, "meshes"), (size_t)json_integer_value(json_object_get(p, "mesh")));
}
static double number(const json_t *object, const char *key) { return json_number_value(json_object_get(object, key)); }
static bool is_closed(const json_t *mesh) { return json_is_true(json_object_get(mesh, "closed")); }
static const char *name_of(const json_t *root, size_t part) {
    return json_string_value(json_object_get(json_array_get(json_object_get(root, "parts"), part), "name"));
}
static const char *said_of(const json_t *root, size_t part, const char *key) {
    const json_t *p = json_array_get(json_object_get(root, "parts"), part);
    return json_string_value(json_object_get(json_object_get(p, "properties"), key));
}
static size_t part_count(const json_t *root) { return json_array_size(json_object_get(root, "parts")); }
static double bound(const json_t *root, const char *end, size_t axis) {
    return json_number_value(json_array_get(json_object_get(json_object_get(root, "bounds"), end), axis));
}
static const json_t *left_out(const json_t *root) {
    return json_object_get(json_array_get(json_object_get(root, "files"), 0), "left_out");
}

/* --- sizes and units ---------------------------------------------------------------------------------------------- */

static void a_box_has_its_size_in_every_unit_and_format(void **state) {
    (void)state;
    NEED_FILES();
    static const struct {
        const char *name;
        double unit;
    } files[] = {{"box_mm.step", 0.001}, {"box_in.step", 0.0254}, {"box_m.step", 1},   {"box_mm.igs", 0.001},
                 {"box_in.igs", 0.0254}, {"faces.iges", 0.001},   {"box.brep", 0.001}, {"box_binary.brep", 0.001}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        json_t *root = info(files[i].name);
        assert_int_equal(part_count(root), 1);
        const json_t *mesh = mesh_of(root, 0), *file = json_array_get(json_object_get(root, "files"), 0);
        double unit = number(file, "unit_metres");
        check_that(fabs(unit - files[i].unit) < 1e-12, "%s: unit %.17g, expected %g", files[i].name, unit,
                   files[i].unit);
        check_that(is_closed(mesh), "%s is %s", files[i].name, "open");
        check_that(fabs(number(mesh, "volume") - 0.006) < 1e-12, "%s: %.17g, expected %g", files[i].name,
                   number(mesh, "volume"), 0.006);
        for (size_t k = 0; k < 3; k++) {
            check_that(fabs(bound(root, "max", k) - 0.1 * (double)(k + 1)) < 1e-11, "%s: to %.17g, axis %g",
                       files[i].name, bound(root, "max", k), (double)k);
            check_that(fabs(bound(root, "min", k)) < 1e-11, "%s: from %.17g, axis %g", files[i].name,
                       bound(root, "min", k), (double)k);
        }
        assert_int_equal(json_array_size(left_out(root)), 0);
        json_decref(root);
    }
}

/* The same bodies in all formats: boxes of 10 x 20 x 30 at the origin and, turned, from 80 0 to 100 10; rods of radius
 * 5 and length 40 about 5 50 and 50 5. So the boxes are 70 apart, the rods beside boxes 25, the rods beside each other
 * 10 less than 45 times the root of 2; the others reach no nearer. */
static void all_formats_have_the_same_bodies_at_the_same_places(void **state) {
    (void)state;
    NEED_FILES();
    static const char *const names[] = {"nest.step", "nest.igs", "nest.brep", "nest_binary.brep"};
    static const double apart[] = {0.025, 0.025, 0.035,
                                   0.045 * 1.4142135623730951 - 0.01}; /* of what is nearer than 54 mm */
    for (size_t i = 0; i < 4; i++) {
        json_t *root = info(names[i]);
        assert_int_equal(part_count(root), 4);
        double volume = 0, off = 0;
        for (size_t k = 0; k < 4; k++) {
            assert_true(is_closed(mesh_of(root, k)));
            volume += number(mesh_of(root, k), "volume");
            off = fmax(off, number(mesh_of(root, k), "deviation"));
        }
        const double boxes = 2 * 6e-6, rods = 2 * PI_VALUE * 0.005 * 0.005 * 0.04;
        check_that(off > 0 && off <= 1e-4, "%s: off by %.9g of a tenth of a millimetre at most", names[i], off);
        check_that(volume < boxes + rods && volume > boxes + rods * pow(1 - off / 0.005, 2), "%s: volume %.9g",
                   names[i], volume);
        static const double high[3] = {0.1, 0.055, 0.04};
        for (size_t k = 0; k < 3; k++) {
            check_that(fabs(bound(root, "min", k)) < 1e-12, "%s: from %.17g", names[i], bound(root, "min", k));
            check_that(bound(root, "max", k) <= high[k] + 1e-12 && bound(root, "max", k) >= high[k] - off,
                       "%s: to %.17g, expected %g", names[i], bound(root, "max", k), high[k]);
        }
        json_decref(root);
        root = RUN_JSON(0, "check", scratch_path(names[i]), "--clearance", "54mm", "--fail-on", "none");
        const json_t *findings = json_object_get(root, "findings");
        assert_int_equal(json_array_size(findings), 4);
        for (size_t k = 0; k < 4; k++) {
            const double distance = number(json_array_get(findings, k), "distance");
            check_that(distance >= apart[k] - 1e-12 && distance <= apart[k] + 2 * off, "%s: %.9g apart, expected %.9g",
                       names[i], distance, apart[k]);
        }
        json_decref(root);
    }
}

static void a_brep_has_no_names_and_shares_what_stands_twice(void **state) {
    (void)state;
    NEED_FILES();
    json_t *root = info("nest.brep");
    static const char *const names[] = {"solid_1", "solid_2", "solid_3", "solid_4"};
    for (size_t k = 0; k < 4; k++) assert_string_equal(name_of(root, k), names[k]);
    assert_int_equal(json_array_size(json_object_get(root, "meshes")), 2);
    json_decref(root);
}

/* A rod of radius 50 mm, in a BREP in metres. */
static void chords_of_a_brep_are_those_of_its_unit(void **state) {
    (void)state;
    NEED_FILES();
    static const char *const chords[] = {"0.1mm", "1mm", "0.02mm"}, *const names[] = {"metres.brep",
                                                                                      "metres_binary.brep"};
    static const double values[] = {1e-4, 1e-3, 2e-5};
    for (size_t i = 0; i < 6; i++) {
        const char *unit = i % 2 == 0 ? "--unit" : "--override-unit", *path = scratch_path(names[i % 2]);
        json_t *root = i / 2 == 0 ? RUN_JSON(0, "info", path, unit, "m")
                                  : RUN_JSON(0, "info", path, unit, "m", "--chord", chords[i / 2]);
        const double off = number(mesh_of(root, 0), "deviation"), most = values[i / 2];
        check_that(off > 0.05 * most && off <= most, "off by %.9g, asked for %g", off, most);
        check_that(fabs(bound(root, "max", 2) - 0.1) < 1e-12, "%.17g long, expected %g", bound(root, "max", 2), 0.1);
        json_decref(root);
    }
    json_t *root = info("metres.brep"); /* nothing said: a tenth of a millimetre long */
    assert_true(json_is_true(json_object_get(json_array_get(json_object_get(root, "files"), 0), "unit_assumed")));
    check_that(fabs(bound(root, "max", 2) - 1e-4) < 1e-12, "%.17g long, expected %g", bound(root, "max", 2), 1e-4);
    json_decref(root);
}

/* In a scene, which takes metres: beside the rod a ball, 50 mm away, where a coarse polygon has the middle of an edge.
 */
static void a_scene_has_the_chords_of_its_unit(void **state) {
    (void)state;
    NEED_FILES();
    char text[600];
    snprintf(text, sizeof text,
             "{\"schema\": \"carom-scene-1\", \"steps\": 1, \"objects\": [{\"name\": \"rod\", \"class\": \"rod\", "
             "\"shape\": "
             "{\"kind\": \"mesh\", \"file\": \"metres.brep\"}}, {\"name\": \"ball\", \"class\": \"ball\", \"at\": "
             "[%.17g, %.17g, "
             "0.05], \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}], \"report\": {\"clearance\": [\"rod\", "
             "\"ball\"]}}",
             0.2 * cos(PI_VALUE / 12), 0.2 * sin(PI_VALUE / 12));
    run r = RUN("simulate", write_text("metres.json", text));
    const char *said = strstr(r.out, "clearance ");
    const double gap = said ? atof(said + strlen("clearance ")) : -1;
    check_that(r.code == 0 && gap >= 0.05 - 1e-7 && gap <= 0.05 + 1.01e-4, "%.9g apart, expected %g", gap, 0.05);
    run_free(&r);
}

/* A solid among them: each face is a part, none is lost. */
static void faces_of_triangles_alone_are_parts(void **state) {
    (void)state;
    NEED_FILES();
    static const char *const names[] = {"meshes.brep", "meshes_binary.brep"};
    for (size_t i = 0; i < 2; i++) {
        json_t *root = info(names[i]);
        assert_int_equal(part_count(root), 8);
        double volume = 0, area = 0;
        for (size_t k = 0; k < 8; k++) {
            const json_t *mesh = mesh_of(root, k);
            if (is_closed(mesh))
                volume += number(mesh, "volume");
            else
                area += number(mesh, "area");
        }
        check_that(fabs(volume - 125e-9 - 1e-6 / 6) < 1e-15, "volume %.9g, expected %.9g", volume, 125e-9 + 1e-6 / 6);
        check_that(fabs(area - 2200e-6) < 1e-12, "area %.9g, expected %.9g", area, 2200e-6);
        assert_int_equal(json_array_size(left_out(root)), 0);
        json_decref(root);
        EXPECT(1, NULL, "check", scratch_path(names[i])); /* they cross the solid */
    }
}

static void a_part_500_km_away_is_read_in_double(void **state) {
    (void)state;
    NEED_FILES();
    json_t *root = RUN_JSON(0, "check", scratch_path("far.step"), "--clearance", "1mm", "--fail-on", "none");
    const json_t *finding = json_array_get(json_object_get(root, "findings"), 0);
    check_that(fabs(number(finding, "distance") - 0.0005) < 1e-9, "%.17g, expected %g", number(finding, "distance"),
               0.0005);
    json_decref(root);
}

/* --- curves ------------------------------------------------------------------------------------------------------- */

static void the_chord_holds_and_is_told(void **state) {
    (void)state;
    NEED_FILES();
    const double length = 0.1, outer = 0.05, inner = 0.02;
    static const char *const chords[] = {"1mm", "0.1mm", "0.01mm"};
    static const double values[] = {1e-3, 1e-4, 1e-5};
    for (size_t i = 0; i < 3; i++) {
        json_t *root = RUN_JSON(0, "info", scratch_path("holed.step"), "--chord", chords[i]);
        const json_t *mesh = mesh_of(root, 0);
        double off = number(mesh, "deviation"), volume = number(mesh, "volume");
        assert_true(is_closed(mesh));
        check_that(off > 0.05 * values[i] && off <= values[i], "deviation %.9g for a chord of %g", off, values[i]);
        /* the area between a circle and its polygon is two thirds of sagitta times circumference, nearly */
        double most = length * 2 * PI_VALUE * (outer + inner) * off,
               exact = PI_VALUE * (outer * outer - inner * inner) * length;
        check_that(fabs(volume - exact) <= most, "volume %.9g, expected %.9g", volume, exact);
        json_decref(root);
    }
    /* a sphere's polyhedron lies within it, and no deeper than the deviation */
    json_t *root = RUN_JSON(0, "info", scratch_path("ball.step"), "--chord", "0.1mm");
    const json_t *mesh = mesh_of(root, 0);
    double off = number(mesh, "deviation"), volume = number(mesh, "volume");
    assert_true(is_closed(mesh));
    check_that(off > 0 && off <= 1e-4, "deviation %.9g of a chord of %g", off, 1e-4);
    check_that(volume < 4.0 / 3 * PI_VALUE * pow(0.05, 3) && volume > 4.0 / 3 * PI_VALUE * pow(0.05 - off, 3),
               "volume %.9g, sphere %.9g", volume, 4.0 / 3 * PI_VALUE * pow(0.05, 3));
    json_decref(root);
}

/* The chords of r = 50: 280 triangles of 70 chords, 0.1 mm off at most; those that the file's edges still have are up
 * to 6 mm off. */
static void chords_of_which_no_triangle_is_left_do_not_count(void **state) {
    (void)state;
    NEED_FILES();
    static const char *const names[] = {"remembered.brep", "remembered_binary.brep"};
    for (size_t i = 0; i < 2; i++) {
        json_t *root = info(names[i]);
        const double off = number(mesh_of(root, 0), "deviation"), triangles = number(mesh_of(root, 0), "triangles");
        check_that(off > 0 && off <= 1e-4, "%s: deviation %.9g, expected %g", names[i], off, 1e-4);
        check_that(triangles < 500, "%s: %g triangles, expected %g", names[i], triangles, 280.0);
        json_decref(root);
    }
}

/* Of a cone with a hole Open CASCADE makes triangles from the hole to the rims. */
static void a_chord_that_does_not_hold_is_said(void **state) {
    (void)state;
    NEED_FILES();
    const char *path = scratch_path("drilled.step"), *said = "drilled.step: 1 of 1 body is up to 0.";
    json_t *root = RUN_JSON(0, "info", path, "--chord", "0.1mm");
    const double off = number(mesh_of(root, 0), "deviation");
    check_that(off > 1e-4 && off < 1e-3, "deviation %.9g for a chord of %g", off, 1e-4);
    json_decref(root);
    EXPECT(2, said, "check", path, "--chord", "0.1mm");
    EXPECT(2, "mm off its curves, more than the 0.1 mm asked for", "check", path, "--chord", "0.1mm");
    static const char *const files[] = {"drilled.step", "holed.step"};
    for (size_t i = 0; i < 2; i++) {
        run r = RUN("info", scratch_path(files[i]));
        assert_true((strstr(r.out, "mm off its curves, more than the 0.1 mm of the default") != NULL) == (i == 0));
        assert_string_equal(r.err, "");
        run_free(&r);
    }
}

/* A rod of r = 50 mm, in inches, that is taken in metres: chords are of the size that it then has. */
static void chords_are_those_of_the_unit_that_is_taken(void **state) {
    (void)state;
    NEED_FILES();
    static const char *const chords[] = {"10mm", "1mm"};
    static const double values[] = {1e-2, 1e-3};
    for (size_t i = 0; i < 2; i++) {
        json_t *root = RUN_JSON(0, "info", scratch_path("rod.step"), "--override-unit", "m", "--chord", chords[i]);
        const double off = number(mesh_of(root, 0), "deviation");
        check_that(off > 0.05 * values[i] && off <= values[i], "deviation %.9g for a chord of %g", off, values[i]);
        json_decref(root);
    }
}

/* Also beside a model of which it is not known how far it is off, and how exactly it is known where it stands. */
static void chords_are_in_the_tolerance(void **state) {
    (void)state;
    NEED_FILES();
    const char *tetrahedron = write_text("tetrahedron.obj", "v 40 0 10\nv 70 0 10\nv 55 20 10\nv 55 5 30\n"
                                                            "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    json_t *rod = info("rod.step");
    const double off = number(mesh_of(rod, 0), "deviation");
    json_t *root = RUN_JSON(1, "check", scratch_path("rod.step"), tetrahedron, "--unit", "mm", "--up", "z");
    const double tolerance = number(json_array_get(json_object_get(root, "findings"), 0), "tolerance");
    check_that(off > 1e-5 && fabs(tolerance - off) < 1e-9, "tolerance %.9g, off %.9g", tolerance, off);
    json_decref(root), json_decref(rod);
}

/* A shaft in its hole, whose facets are turned against those of the hole. */
static void crossings_that_chords_may_make_are_counted(void **state) {
    (void)state;
    NEED_FILES();
    const char *hole = scratch_path("holed.step"), *shaft = scratch_path("shaft.step"),
               *said = "1 crossing is no deeper than the chords of curves may be off, up to 0.";
    run by_pair = RUN("check", hole, shaft), less = RUN("check", hole, shaft, "--tolerance", "1um");
    check_that(by_pair.code == 0 && !strstr(by_pair.out, "chords"), "%d, %s", by_pair.code, by_pair.out);
    check_that(less.code == 1 && strstr(less.out, said), "%d, %s", less.code, less.out);
    run_free(&by_pair), run_free(&less);
    /* what is deeper is a crossing of the bodies themselves */
    run rods = RUN("check", hole, scratch_path("rod.step"), "--tolerance", "1um");
    check_that(rods.code == 1 && !strstr(rods.out, "chords"), "%d, %s", rods.code, rods.out);
    run_free(&rods);
}

static void a_mark_before_a_step_does_no_harm(void **state) {
    (void)state;
    NEED_FILES();
    char line[1200], marked[600];
    snprintf(marked, sizeof marked, "%s", scratch_path("marked.step"));
    snprintf(line, sizeof line, "(printf '\357\273\277'; cat '%s') >'%s'", scratch_path("holed.step"), marked);
    assert_int_equal(system(line), 0);
    json_t *root = info("marked.step"), *plain = info("holed.step");
    assert_true(json_equal(json_object_get(root, "meshes"), json_object_get(plain, "meshes")));
    json_decref(root), json_decref(plain);
}

static void a_chord_that_is_too_short_is_said_to_be(void **state) {
    (void)state;
    NEED_FILES();
    EXPECT(2, "MB of memory: the chord asked for may be too short for its curves", "info", scratch_path("ball.step"),
           "--chord", "1um", "--import-memory", "1MiB");
}

/* How far a point is off an exact surface about z, in millimetres; points of flat ends are not. */
static double off_ball(const double p[3]) { return fabs(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 50); }
static double off_torus(const double p[3]) { return fabs(hypot(hypot(p[0], p[1]) - 50, p[2]) - 10); }
static bool is_at_end(const double p[3]) { return fabs(p[2]) < 1e-9 || fabs(p[2] - 100) < 1e-9; }
static double off_rod(const double p[3]) { return is_at_end(p) ? 0 : fabs(hypot(p[0], p[1]) - 50); }
static double off_cone(const double p[3]) {
    return is_at_end(p) ? 0 : fabs(hypot(p[0], p[1]) - (50 - 0.4 * p[2])) / hypot(1, 0.4);
}

/* The most that points of the triangles are off, sampled 45 times each. */
static double worst_of(const import_mesh *m, double millimetres, double (*off)(const double p[3])) {
    double worst = 0;
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (int i = 0; i <= 8; i++)
            for (int k = 0; i + k <= 8; k++) {
                double p[3];
                for (size_t x = 0; x < 3; x++)
                    p[x] = millimetres / 8 *
                           ((8 - i - k) * m->points[3 * (size_t)m->indices[3 * t] + x] +
                            i * m->points[3 * (size_t)m->indices[3 * t + 1] + x] +
                            k * m->points[3 * (size_t)m->indices[3 * t + 2] + x]);
                worst = fmax(worst, off(p));
            }
    return worst;
}

static void no_point_of_a_triangle_is_farther_off_than_is_told(void **state) {
    (void)state;
    NEED_FILES();
    static const struct {
        const char *name;
        double (*off)(const double p[3]);
    } files[] = {{"ball.step", off_ball},
                 {"rod.step", off_rod},
                 {"cone.step", off_cone},
                 {"torus.step", off_torus},
                 {"spline_torus.step", off_torus}};
    static const double chords[] = {3e-3, 4e-4, 5e-5};
    char readers[512];
    snprintf(readers, sizeof readers, "%.400s", getenv("CAROM_COMMAND"));
    *strrchr(readers, '/') = 0;
    strcat(readers, "/../libexec/carom/readers");
    setenv("CAROM_READERS", readers, 1); /* they are asked by this very process */
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (size_t c = 0; c < sizeof chords / sizeof chords[0]; c++) {
            const import_options options = {.chord = chords[c]};
            import_data data;
            assert_int_equal(import_file(scratch_path(files[i].name), &options, &data), 0);
            const double millimetres = data.unit * 1000, told = data.meshes[0].deviation * millimetres,
                         worst = worst_of(&data.meshes[0], millimetres, files[i].off);
            check_that(worst > 0.5 * told && worst <= told * (1 + 1e-9), "%.6g off, told %.6g", worst, told);
            check_that(told <= 1000 * chords[c], "%.6g told for a chord of %.6g", told, 1000 * chords[c]);
            import_free(&data);
        }
    unsetenv("CAROM_READERS");
}

static void cavities_and_mirror_images_are_solid_the_right_way_round(void **state) {
    (void)state;
    NEED_FILES();
    static const struct {
        const char *name;
        double volume; /* a cube less its cavity; a wedge whose top is half as long as its bottom */
    } files[] = {{"hollow.step", 1e-3 - 512e-6}, {"mirrored.brep", 0.75e-3}};
    for (size_t i = 0; i < 2; i++) {
        json_t *root = info(files[i].name);
        assert_true(is_closed(mesh_of(root, 0)));
        double volume = number(mesh_of(root, 0), "volume");
        check_that(fabs(volume - files[i].volume) < 1e-12, "%.17g, expected %g", volume, files[i].volume);
        json_decref(root);
    }
}

static void the_points_of_a_pole_are_one(void **state) {
    (void)state;
    NEED_FILES();
    json_t *root = info("ball.step");
    assert_true(is_closed(mesh_of(root, 0)));
    assert_int_equal(json_integer_value(json_object_get(mesh_of(root, 0), "degenerate")), 0);
    json_decref(root);
}

/* --- the tree ------------------------------------------------------------------------------------------------------ */

static void instances_share_their_mesh_and_have_the_names_that_cad_shows(void **state) {
    (void)state;
    NEED_FILES();
    json_t *root = info("assembly.step");
    assert_int_equal(part_count(root), 2);
    assert_int_equal(json_array_size(json_object_get(root, "meshes")), 1);
    assert_string_equal(name_of(root, 0), "Ger\xc3\xbcst/links");
    assert_string_equal(name_of(root, 1), "Ger\xc3\xbcst/Tr\xc3\xa4ger");
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(said_of(root, i, "type"), "Tr\xc3\xa4ger");
        assert_string_equal(said_of(root, i, "color"), "#FF0000");
    }
    /* the second: x from 100 - 20 to 100, y from 0 to 10 */
    static const double low[3] = {0, 0, 0}, high[3] = {0.1, 0.02, 0.03};
    for (size_t k = 0; k < 3; k++) {
        check_that(fabs(bound(root, "min", k) - low[k]) < 1e-12, "from %.17g, expected %g", bound(root, "min", k),
                   low[k]);
        check_that(fabs(bound(root, "max", k) - high[k]) < 1e-12, "to %.17g, expected %g", bound(root, "max", k),
                   high[k]);
    }
    json_decref(root);
    root = RUN_JSON(0, "check", scratch_path("assembly.step"), "--clearance", "80mm", "--fail-on", "none");
    double distance = number(json_array_get(json_object_get(root, "findings"), 0), "distance");
    check_that(fabs(distance - 0.07) < 1e-12, "%.17g, expected %g", distance, 0.07);
    json_decref(root);
}

static void a_body_has_the_color_that_all_its_faces_have(void **state) {
    (void)state;
    NEED_FILES();
    json_t *root = info("painted.step");
    assert_int_equal(part_count(root), 2);
    for (size_t i = 0; i < 2; i++) {
        const char *color = said_of(root, i, "color");
        const bool red = strcmp(name_of(root, i), "red") == 0;
        check_that(red ? color && strcmp(color, "#FF0000") == 0 : !color, "%s: %s", name_of(root, i),
                   color ? color : "none");
    }
    json_decref(root);
}

static void solids_surfaces_and_curves_are_told_apart(void **state) {
    (void)state;
    NEED_FILES();
    static const char *const ends[] = {".step", ".igs", ".brep", "_binary.brep"};
    for (size_t i = 0; i < 4; i++) {
        char name[40];
        snprintf(name, sizeof name, "mixed%s", ends[i]);
        json_t *root = info(name);
        assert_int_equal(part_count(root), 2);
        assert_true(is_closed(mesh_of(root, 0)));
        assert_false(is_closed(mesh_of(root, 1)));
        assert_int_equal(json_array_size(left_out(root)), 1);
        const json_t *thing = json_array_get(left_out(root), 0);
        assert_string_equal(json_string_value(json_object_get(thing, "missing")), "no_body");
        assert_string_equal(json_string_value(json_object_get(thing, "class")), "wireframe");
        json_decref(root);
        snprintf(name, sizeof name, "line%s", ends[i]);
        EXPECT(2, "curves or points only", "check", scratch_path(name));
    }
}

/* --- what is missing, and broken files ----------------------------------------------------------------------------- */

typedef struct sheet {
    char *bytes;
    size_t size;
} sheet;
static sheet read_sheet(const char *name) {
    FILE *file = fopen(scratch_path(name), "rb");
    assert_non_null(file);
    sheet s = {calloc(1, 1 << 20), 0};
    s.size = fread(s.bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return s;
}

/* The assembly with the first `from` as `to`. */
static const char *write_changed(const char *name, const char *from, const char *to) {
    sheet s = read_sheet("assembly.step");
    const char *at = strstr(s.bytes, from);
    assert_non_null(at);
    char *text = calloc(1, s.size + 1000);
    snprintf(text, s.size + 1000, "%.*s%s%s", (int)(at - s.bytes), s.bytes, to, at + strlen(from));
    const char *path = write_text(name, text);
    free(text);
    free(s.bytes);
    return path;
}

static void a_face_that_cannot_be_built_is_told(void **state) {
    (void)state;
    NEED_FILES();
    const char *path = write_changed("no_plane.step", "= PLANE(", "= PLONE("); /* a kind that does not exist */
    json_t *root = RUN_JSON(0, "info", path);
    const json_t *thing = json_array_get(left_out(root), 0);
    assert_non_null(thing);
    assert_string_equal(json_string_value(json_object_get(thing, "missing")), "part_of_geometry");
    assert_string_equal(json_string_value(json_object_get(thing, "class")), "ADVANCED_FACE");
    assert_string_equal(json_string_value(json_object_get(thing, "name")), "Ger\xc3\xbcst/links");
    assert_true(json_string_value(json_object_get(thing, "id"))[0] == '#');
    json_decref(root);
    EXPECT(2, "lacks some of its geometry", "check", path);
    EXPECT(0, NULL, "check", path, "--incomplete", "ok");
}

static void a_solid_that_is_gone_and_references_to_nothing_are_told(void **state) {
    (void)state;
    NEED_FILES();
    EXPECT(2, "nothing of 1 product could be read: MANIFOLD_SOLID_BREP #", "check",
           write_changed("no_shell.step", "= CLOSED_SHELL(", "= CLASED_SHELL("));
    EXPECT(2, "1 broken line", "check", /* where an instance stands */
           write_changed("no_place.step", "= ITEM_DEFINED_TRANSFORMATION('','',#11",
                         "= ITEM_DEFINED_TRANSFORMATION('','',#1199999"));
}

static void a_file_that_is_cut_off_is_refused(void **state) {
    (void)state;
    NEED_FILES();
    static const char *const names[] = {"holed.step", "box_mm.igs", "box.brep", "box_binary.brep"};
    for (size_t i = 0; i < 4; i++) {
        sheet s = read_sheet(names[i]);
        char cut[40];
        snprintf(cut, sizeof cut, "cut_%s", names[i]);
        EXPECT(2, NULL, "check", write_bytes(cut, s.bytes, s.size / 2));
        free(s.bytes);
    }
    EXPECT(2, "cut off: it has no END-ISO-10303-21", "check", scratch_path("cut_holed.step"));
    EXPECT(2, "the file is empty", "check", write_text("empty.step", ""));
    EXPECT(2, "this is no STEP file", "check", write_text("words.stp", "solid words\n"));
}

/* The assembly, with a document of its first product that is said to be in a file. */
static const char *write_with_document(const char *name, const char *file) {
    sheet s = read_sheet("assembly.step");
    const char *product = strstr(s.bytes, "= PRODUCT_DEFINITION("), *end = strstr(s.bytes, "ENDSEC;\nEND-ISO");
    assert_non_null(product);
    assert_non_null(end);
    while (*product != '#') product--;
    char *text = calloc(1, s.size + 1000);
    snprintf(text, s.size + 1000,
             "%.*s#9001=DOCUMENT_TYPE('geometry');\n#9002=DOCUMENT_FILE('%s','','',#9001,'',$);\n"
             "#9003=APPLIED_DOCUMENT_REFERENCE(#9002,'',(%.*s));\n%s",
             (int)(end - s.bytes), s.bytes, file, (int)strcspn(product, " ="), product, end);
    const char *path = write_text(name, text);
    free(text);
    free(s.bytes);
    return path;
}

static void other_files_are_read_in_the_folder_alone(void **state) {
    (void)state;
    NEED_FILES();
    EXPECT(2, "refers to '/etc/passwd', which is not in its folder", "check",
           write_with_document("outside.stp", "/etc/passwd"));
    EXPECT(2, "which is not in its folder", "check", write_with_document("above.stp", "../box_mm.step"));
    const char *path = write_with_document("absent.stp", "not_there.stp");
    EXPECT(2, "products has no geometry", "check", path);
}

static void bent_files_do_no_harm(void **state) {
    (void)state;
    NEED_FILES();
    static const char *const names[] = {"assembly.step", "holed.step", "box_mm.igs", "mirrored.brep",
                                        "box_binary.brep"};
    rng r = rng_start("bent STEP, IGES and BREP", 20261);
    for (int i = 0, n = samples(10, 2000); i < n; i++) {
        sheet s = read_sheet(names[i % 5]);
        for (uint32_t times = 1 + rng_below(&r, 4); times > 0; times--) {
            size_t at = rng_below(&r, (uint32_t)s.size);
            if (rng_below(&r, 2)) {
                s.bytes[at] = (char)rng_bits(&r);
            } else if (at + 8 < s.size) {
                memmove(s.bytes + at, s.bytes + at + 3, s.size - at - 3);
                s.size -= 3;
            }
        }
        const char *name = strrchr(names[i % 5], '.');
        char bent[40];
        snprintf(bent, sizeof bent, "bent%s", name);
        run ran = RUN("info", write_bytes(bent, s.bytes, s.size), "--import-timeout", "2s");
        check_that(ran.code == 0 || ran.code == 2, "file %g: exit code %g", (double)i, (double)ran.code);
        check_that(ran.code == 0 || strstr(ran.err, "carom: "), "file %d: %s", i, "it fails without a word");
        run_free(&ran);
        free(s.bytes);
    }
}

static void without_the_reader_the_message_says_what_to_install(void **state) {
    (void)state;
    setenv("CAROM_READERS", "/nowhere", 1);
    const char *path = write_text("lonely.stp", "ISO-10303-21;\n"), *iges = write_text("lonely.IGS", "x");
    EXPECT(2, "apt install libocct-data-exchange-dev", "check", path);
    EXPECT(2, "there is no /nowhere/step/reader", "check", iges);
    EXPECT(2, "there is no /nowhere/step/reader", "check",
           write_text("named_otherwise", "DBRep_DrawableShape\n\nCASCADE Topology V1"));
    unsetenv("CAROM_READERS");
    EXPECT(2, "STPZ files are not read here", "check", write_text("a.stpz", "x"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_its_size_in_every_unit_and_format),
        cmocka_unit_test(all_formats_have_the_same_bodies_at_the_same_places),
        cmocka_unit_test(a_brep_has_no_names_and_shares_what_stands_twice),
        cmocka_unit_test(chords_of_a_brep_are_those_of_its_unit),
        cmocka_unit_test(a_scene_has_the_chords_of_its_unit),
        cmocka_unit_test(faces_of_triangles_alone_are_parts),
        cmocka_unit_test(a_part_500_km_away_is_read_in_double),
        cmocka_unit_test(the_chord_holds_and_is_told),
        cmocka_unit_test(chords_of_which_no_triangle_is_left_do_not_count),
        cmocka_unit_test(a_chord_that_does_not_hold_is_said),
        cmocka_unit_test(chords_are_those_of_the_unit_that_is_taken),
        cmocka_unit_test(chords_are_in_the_tolerance),
        cmocka_unit_test(crossings_that_chords_may_make_are_counted),
        cmocka_unit_test(a_mark_before_a_step_does_no_harm),
        cmocka_unit_test(a_chord_that_is_too_short_is_said_to_be),
        cmocka_unit_test(no_point_of_a_triangle_is_farther_off_than_is_told),
        cmocka_unit_test(cavities_and_mirror_images_are_solid_the_right_way_round),
        cmocka_unit_test(the_points_of_a_pole_are_one),
        cmocka_unit_test(instances_share_their_mesh_and_have_the_names_that_cad_shows),
        cmocka_unit_test(a_body_has_the_color_that_all_its_faces_have),
        cmocka_unit_test(solids_surfaces_and_curves_are_told_apart),
        cmocka_unit_test(a_face_that_cannot_be_built_is_told),
        cmocka_unit_test(a_solid_that_is_gone_and_references_to_nothing_are_told),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused),
        cmocka_unit_test(other_files_are_read_in_the_folder_alone),
        cmocka_unit_test(bent_files_do_no_harm),
        cmocka_unit_test(without_the_reader_the_message_says_what_to_install),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
