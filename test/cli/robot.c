/* The clearance of robot arms against the truth of an own reader, own kinematics and every triangle against every
 * other: of the shipped scene, and of one with the links of a real arm. Nothing of the library is used for the truth.
 */
#define _DEFAULT_SOURCE
#include "trace.h"

#include <stdlib.h>

#define SCENES SOURCE_SCENES "/"

typedef struct v3 {
    double x, y, z;
} v3;
static v3 add(v3 a, v3 b) { return (v3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static v3 sub(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static v3 times(v3 a, double s) { return (v3){a.x * s, a.y * s, a.z * s}; }
static double dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static v3 cross(v3 a, v3 b) { return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static double size_of(v3 a) { return sqrt(dot(a, a)); }

/* --- frames: a rotation's columns and an origin ------------------------------------------------------------------- */

typedef struct frame {
    v3 x, y, z, at;
} frame;
static v3 turned(const frame *f, v3 p) { return add(add(times(f->x, p.x), times(f->y, p.y)), times(f->z, p.z)); }
static v3 placed(const frame *f, v3 p) { return add(turned(f, p), f->at); }
static frame chained(const frame *f, const frame *g) {
    return (frame){turned(f, g->x), turned(f, g->y), turned(f, g->z), placed(f, g->at)};
}
/* Rodrigues. */
static v3 rotated(v3 p, v3 axis, double degrees) {
    v3 k = times(axis, 1 / size_of(axis));
    double a = degrees * acos(-1) / 180;
    return add(add(times(p, cos(a)), times(cross(k, p), sin(a))), times(k, dot(k, p) * (1 - cos(a))));
}
static frame frame_of(v3 at, v3 axis, double degrees) {
    return (frame){rotated((v3){1, 0, 0}, axis, degrees), rotated((v3){0, 1, 0}, axis, degrees),
                   rotated((v3){0, 0, 1}, axis, degrees), at};
}

/* --- the scene, read anew ----------------------------------------------------------------------------------------- */

enum { OBJECTS = 32, SOUP = 20000 };

typedef struct soup {
    v3 (*corners)[3]; /* in the object's frame */
    size_t count;
    double radius;
} soup;

typedef struct thing {
    const char *name, *class_name;
    const json_t *json;
    soup shape;
    struct thing *parent;
    frame now;
} thing;

static v3 vector_of(const json_t *list, v3 otherwise) {
    if (!list) return otherwise;
    return (v3){json_number_value(json_array_get(list, 0)), json_number_value(json_array_get(list, 1)),
                json_number_value(json_array_get(list, 2))};
}

static void add_triangle(soup *s, v3 a, v3 b, v3 c) {
    assert_true(s->count < SOUP);
    s->corners[s->count][0] = a, s->corners[s->count][1] = b, s->corners[s->count++][2] = c;
}

static void add_stl(soup *s, const char *folder, const char *file, double scale) {
    char path[700];
    snprintf(path, sizeof path, "%s%s", *file == '/' ? "" : folder, file);
    FILE *in = fopen(path, "rb");
    check_that(in != NULL, "%s", path);
    unsigned char head[84], record[50];
    assert_int_equal(fread(head, 1, sizeof head, in), sizeof head);
    while (fread(record, 1, sizeof record, in) == sizeof record) {
        float f[9];
        v3 c[3];
        memcpy(f, record + 12, sizeof f);
        for (int i = 0; i < 3; i++)
            c[i] = times((v3){(double)f[3 * i], (double)f[3 * i + 1], (double)f[3 * i + 2]}, scale);
        add_triangle(s, c[0], c[1], c[2]);
    }
    fclose(in);
}

static void add_box(soup *s, const frame *f, v3 size) {
    static const int faces[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                     {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    v3 corner[8];
    for (int i = 0; i < 8; i++) {
        v3 p = {(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y, (i & 4 ? 0.5 : -0.5) * size.z};
        corner[i] = placed(f, p);
    }
    for (int i = 0; i < 12; i++) add_triangle(s, corner[faces[i][0]], corner[faces[i][1]], corner[faces[i][2]]);
}

static void add_shape(soup *s, const json_t *root, const json_t *shape, const frame *f) {
    const v3 zero = {0, 0, 0};
    if (json_is_string(shape)) shape = json_object_get(json_object_get(root, "shapes"), json_string_value(shape));
    const char *kind = json_string_value(json_object_get(shape, "kind"));
    if (strcmp(kind, "mesh") == 0) {
        const char *unit = json_string_value(json_object_get(shape, "unit"));
        add_stl(s, SCENES, json_string_value(json_object_get(shape, "file")),
                unit && *unit == 'm' && unit[1] ? 0.001 : 1);
    } else if (strcmp(kind, "box") == 0) {
        add_box(s, f, vector_of(json_object_get(shape, "size"), zero));
    } else if (strcmp(kind, "capsule") == 0) {
        v3 a = placed(f, vector_of(json_object_get(shape, "a"), zero));
        v3 b = placed(f, vector_of(json_object_get(shape, "b"), zero));
        add_triangle(s, a, b, b);
        s->radius = json_number_value(json_object_get(shape, "radius"));
    } else {
        json_t *children = json_object_get(shape, "children");
        for (size_t i = 0; i < json_array_size(children); i++) {
            const json_t *child = json_array_get(children, i);
            frame at = frame_of(vector_of(json_object_get(child, "at"), zero), (v3){0, 0, 1}, 0);
            add_shape(s, root, json_object_get(child, "shape"), &at);
        }
    }
}

static size_t read_things(const json_t *root, thing *out) {
    json_t *list = json_object_get(root, "objects");
    size_t count = json_array_size(list);
    assert_true(count <= OBJECTS);
    for (size_t i = 0; i < count; i++) {
        const json_t *json = json_array_get(list, i);
        const char *parent = json_string_value(json_object_get(json, "parent"));
        frame still = frame_of((v3){0, 0, 0}, (v3){0, 0, 1}, 0);
        out[i] = (thing){.name = json_string_value(json_object_get(json, "name")), .json = json};
        out[i].class_name = json_string_value(json_object_get(json, "class"));
        out[i].shape.corners = malloc(SOUP * sizeof *out[i].shape.corners);
        add_shape(&out[i].shape, root, json_object_get(json, "shape"), &still);
        for (size_t k = 0; k < i && parent; k++)
            if (strcmp(out[k].name, parent) == 0) out[i].parent = &out[k];
    }
    return count;
}

/* From the key before to the key after, eased; a key has what it leaves out from the one before it. */
static frame way_at(const json_t *path, v3 axis, double time) {
    v3 at[2] = {{0, 0, 0}, {0, 0, 0}};
    double degrees[2] = {0, 0}, times_of[2] = {0, 0};
    for (size_t i = 0; i < json_array_size(path) && (i == 0 || times_of[1] <= time); i++) {
        const json_t *key = json_array_get(path, i), *number = json_object_get(key, "degrees");
        at[0] = at[1], degrees[0] = degrees[1], times_of[0] = times_of[1];
        at[1] = vector_of(json_object_get(key, "at"), at[1]);
        if (number) degrees[1] = json_number_value(number);
        times_of[1] = json_number_value(json_object_get(key, "time"));
        if (i == 0) at[0] = at[1], degrees[0] = degrees[1], times_of[0] = times_of[1];
    }
    double u = times_of[1] > times_of[0] ? fmin(fmax((time - times_of[0]) / (times_of[1] - times_of[0]), 0), 1) : 1;
    u = u * u * (3 - 2 * u);
    return frame_of(add(at[0], times(sub(at[1], at[0]), u)), axis, degrees[0] + u * (degrees[1] - degrees[0]));
}

static void place(thing *t, double time) {
    const v3 zero = {0, 0, 0}, up = {0, 0, 1};
    json_t *turn = json_object_get(t->json, "turn");
    t->now = frame_of(vector_of(json_object_get(t->json, "at"), zero), vector_of(turn, up),
                      turn ? json_number_value(json_array_get(turn, 3)) : 0);
    frame way = way_at(json_object_get(t->json, "path"), vector_of(json_object_get(t->json, "axis"), up), time);
    t->now = chained(&t->now, &way);
    if (t->parent) t->now = chained(&t->parent->now, &t->now);
}

/* --- triangles ---------------------------------------------------------------------------------------------------- */

static double clamp(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static double point_to_triangle(v3 p, const v3 t[3]) {
    v3 e = sub(t[1], t[0]), f = sub(t[2], t[0]), d = sub(p, t[0]), n = cross(e, f);
    double nn = dot(n, n);
    if (!(nn > 0)) return 1e300; /* its edges count */
    double v = dot(cross(d, f), n) / nn, w = dot(cross(e, d), n) / nn;
    return v >= 0 && w >= 0 && v + w <= 1 ? fabs(dot(d, n)) / sqrt(nn) : 1e300;
}

/* The best of the four ends against the other line, and of the two lines where both ends of it lie within. */
static double edge_to_edge(v3 a, v3 b, v3 c, v3 d) {
    v3 e = sub(b, a), f = sub(d, c), r = sub(a, c);
    double ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), er = dot(e, r), fr = dot(f, r), best = 1e300;
    for (int i = 0; i < 2; i++) {
        double s = ee > 0 ? clamp(((i ? ef : 0) - er) / ee) : 0, t = ff > 0 ? clamp(((i ? ef : 0) + fr) / ff) : 0;
        best = fmin(best, size_of(sub(add(a, times(e, s)), i ? d : c)));
        best = fmin(best, size_of(sub(add(c, times(f, t)), i ? b : a)));
    }
    double det = ee * ff - ef * ef, s = (ef * fr - er * ff) / det, t = (ee * fr - er * ef) / det;
    if (det > 0 && s >= 0 && s <= 1 && t >= 0 && t <= 1)
        best = fmin(best, size_of(sub(add(a, times(e, s)), add(c, times(f, t)))));
    return best;
}

/* Of triangles that are apart. */
static double triangle_to_triangle(const v3 a[3], const v3 b[3]) {
    double best = 1e300;
    for (int i = 0; i < 3; i++) {
        best = fmin(best, fmin(point_to_triangle(a[i], b), point_to_triangle(b[i], a)));
        for (int k = 0; k < 3; k++) best = fmin(best, edge_to_edge(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]));
    }
    return best;
}

typedef struct ball {
    v3 center;
    double radius;
} ball;

static void pose_soup(const thing *t, v3 (*out)[3], ball *balls) {
    for (size_t i = 0; i < t->shape.count; i++) {
        for (int k = 0; k < 3; k++) out[i][k] = placed(&t->now, t->shape.corners[i][k]);
        balls[i].center = times(add(add(out[i][0], out[i][1]), out[i][2]), 1.0 / 3);
        balls[i].radius = 0;
        for (int k = 0; k < 3; k++) balls[i].radius = fmax(balls[i].radius, size_of(sub(out[i][k], balls[i].center)));
    }
}

static double true_clearance(thing *things, size_t count, const char *first, const char *second, double time) {
    static v3 a[SOUP][3], b[SOUP][3];
    static ball ball_a[SOUP], ball_b[SOUP];
    double best = 1e300;
    for (size_t i = 0; i < count; i++) place(&things[i], time);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(things[i].class_name, first) != 0) continue;
        pose_soup(&things[i], a, ball_a);
        for (size_t k = 0; k < count; k++) {
            if (strcmp(things[k].class_name, second) != 0) continue;
            double radius = things[k].shape.radius;
            pose_soup(&things[k], b, ball_b);
            for (size_t m = 0; m < things[i].shape.count; m++)
                for (size_t n = 0; n < things[k].shape.count; n++) {
                    double apart =
                        size_of(sub(ball_a[m].center, ball_b[n].center)) - ball_a[m].radius - ball_b[n].radius;
                    if (apart - radius < best) best = fmin(best, triangle_to_triangle(a[m], b[n]) - radius);
                }
        }
    }
    return best;
}

/* Compares every `every`-th sample with the truth; returns the smallest of all samples, and when it was. */
static double check_clearance(const char *path, int every, double *when) {
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    check_that(root != NULL, "%s: %s", path, error.text);
    static thing things[OBJECTS];
    size_t count = read_things(root, things);
    trace_rows t = trace_of_scene(path, NULL);
    double least = 1e300, worst = 0;
    int samples = 0;
    for (size_t i = 0; i < t.count; i++) {
        const trace_row *row = &t.rows[i];
        if (strcmp(row->event, "clearance") != 0) {
            check_that(false, "%s of %s and %s at %g", row->event, row->a, row->b, row->time);
            continue;
        }
        check_that(row->step == samples, "step %d is missing", samples);
        if (-row->depth < least) least = -row->depth, *when = row->time;
        if (samples++ % every) continue;
        double truth = true_clearance(things, count, "arm", "cell", row->time);
        worst = fmax(worst, fabs(truth + row->depth));
        check_that(fabs(truth + row->depth) < 1e-9, "at %g: %.17g, not %.17g (%s to %s)", row->time, -row->depth, truth,
                   row->a, row->b);
    }
    print_message("%d samples, every %d. within %.3g of the truth; the least %.9g at %g s\n", samples, every, worst,
                  least, *when);
    for (size_t i = 0; i < count; i++) free(things[i].shape.corners);
    free(t.rows);
    json_decref(root);
    return least;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void the_shipped_arms_clearance_is_the_true_one(void **state) {
    (void)state;
    double when;
    double least = check_clearance(SCENES "robot.json", samples(6, 1), &when);
    check_that(least > 0 && least < 0.05, "it comes as near as %g", least);
}

/* Half the step finds the same least, and no later. */
static void the_least_clearance_does_not_hang_on_the_step(void **state) {
    (void)state;
    run coarse = RUN("simulate", SCENES "robot.json");
    run fine = RUN("simulate", SCENES "robot.json", "--dt", "0.00833333333333333", "--steps", "1080");
    double gap[2], when[2];
    const run *both[2] = {&coarse, &fine};
    for (int i = 0; i < 2; i++) {
        const char *line = strstr(both[i]->out, "clearance ");
        check_that(line && sscanf(line, "clearance %lf between arm and cell, at %lf s", &gap[i], &when[i]) == 2, "%s",
                   both[i]->out);
    }
    check_that(fabs(gap[0] - gap[1]) < 1e-6 && fabs(when[0] - when[1]) < 1 / 60.0, "%g at %g, %g at %g", gap[0],
               when[0], gap[1], when[1]);
    run_free(&coarse);
    run_free(&fine);
}

/* What tools would otherwise have to be trusted for: the files are those that their maker writes. */
static void the_links_are_what_their_maker_writes(void **state) {
    (void)state;
    static const char *const links[] = {"base", "turret", "upper", "fore", "hand", "finger"};
    const char *maker = getenv("CAROM_ROBOT_MAKER");
    assert_non_null(maker);
    char command[1200];
    snprintf(command, sizeof command, "'%s' '%s'", maker, scratch());
    assert_int_equal(system(command), 0);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        char name[64], shipped[700];
        snprintf(name, sizeof name, "%s.stl", links[i]);
        snprintf(shipped, sizeof shipped, SCENES "robot/%s", name);
        FILE *a = fopen(shipped, "rb"), *b = fopen(scratch_path(name), "rb");
        assert_true(a && b);
        long at = 0;
        int c, d;
        do {
            c = fgetc(a), d = fgetc(b);
            check_that(c == d, "%s: byte %ld", name, at++);
        } while (c != EOF && d != EOF);
        fclose(a);
        fclose(b);
    }
}

/* The links of a real arm with seven joints, as its description chains them: at, roll about x, then turning about z. */
static void a_real_arms_clearance_is_the_true_one(void **state) {
    (void)state;
    static const struct {
        double at[3], roll, to;
    } joints[7] = {{{0, 0, 0.333}, 0, 60},    {{0, 0, 0}, -90, 40},           {{0, -0.316, 0}, 90, -30},
                   {{0.0825, 0, 0}, 90, -60}, {{-0.0825, 0.384, 0}, -90, 25}, {{0, 0, 0}, 90, 100},
                   {{0.088, 0, 0}, 90, 45}};
    char folder[600], text[6000], *at = text;
    snprintf(folder, sizeof folder, "%s/meshes/robot_panda",
             getenv("CAROM_TEST_DATA") ? getenv("CAROM_TEST_DATA") : "../shared/data");
    char *full = realpath(folder, NULL);
    if (!full) {
        print_message("SKIPPED: no %s (CAROM_TEST_DATA)\n", folder);
        skip();
    }
    at += sprintf(at,
                  "{\"schema\": \"carom-scene-1\", \"dt\": 0.05, \"steps\": 40, \"report\": {\"clearance\": [\"arm\", "
                  "\"cell\"]}, \"objects\": [");
    at += sprintf(
        at, "{\"name\": \"shelf\", \"class\": \"cell\", \"at\": [0.75, 0.72, 0.3], \"shape\": {\"kind\": \"box\", "
            "\"size\": [0.3, 0.3, 0.2]}}, {\"name\": \"pole\", \"class\": \"cell\", \"shape\": {\"kind\": "
            "\"capsule\", \"a\": [0.55, -0.3, 0], \"b\": [0.6, -0.3, 1.5], \"radius\": 0.04}}, ");
    at += sprintf(at,
                  "{\"name\": \"link0\", \"class\": \"base\", \"group\": -1, \"shape\": {\"kind\": \"mesh\", \"file\": "
                  "\"%s/link0.stl\"}}",
                  full);
    for (int i = 0; i < 7; i++)
        at += sprintf(at,
                      ", {\"name\": \"link%d\", \"class\": \"arm\", \"group\": -1, \"parent\": \"link%d\", \"at\": "
                      "[%g, %g, %g], \"turn\": [1, 0, 0, %g], \"path\": [{\"degrees\": %d}, {\"time\": 2, "
                      "\"degrees\": %g}], \"shape\": {\"kind\": \"mesh\", \"file\": \"%s/link%d.stl\"}}",
                      i + 1, i, joints[i].at[0], joints[i].at[1], joints[i].at[2], joints[i].roll, i == 3 ? -90 : 0,
                      joints[i].to, full, i + 1);
    at += sprintf(at,
                  ", {\"name\": \"hand\", \"class\": \"arm\", \"group\": -1, \"parent\": \"link7\", \"at\": [0, 0, "
                  "0.107], \"turn\": [0, 0, 1, -45], \"shape\": {\"kind\": \"mesh\", \"file\": \"%s/hand.stl\"}}]}",
                  full);
    free(full);
    double when;
    double least = check_clearance(write_text("panda.json", text), 8, &when);
    check_that(least > 0 && least < 0.15, "it comes as near as %g", least);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shipped_arms_clearance_is_the_true_one),
        cmocka_unit_test(the_least_clearance_does_not_hang_on_the_step),
        cmocka_unit_test(the_links_are_what_their_maker_writes),
        cmocka_unit_test(a_real_arms_clearance_is_the_true_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
