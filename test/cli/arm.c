/* A six axis arm with two fingers, and its truth: see arm.h. */
#include "cli/arm.h"

#include <math.h>

/* --- matrices ---------------------------------------------------------------------------------------------------- */

static matrix times(matrix a, matrix b) {
    matrix c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            c.m[i][k] = k == 3 ? a.m[i][3] : 0;
            for (int n = 0; n < 3; n++) c.m[i][k] += a.m[i][n] * b.m[n][k];
        }
    return c;
}
static matrix moved(double x, double y, double z) { return (matrix){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}}; }
/* Rodrigues. */
static matrix turned(const double k[3], double angle) {
    const double c = cos(angle), s = sin(angle), n = sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
    const double x = k[0] / n, y = k[1] / n, z = k[2] / n;
    return (matrix){{{c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s, 0},
                     {y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s, 0},
                     {z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c), 0}}};
}
static matrix origin(const double at[3], const double rpy[3]) {
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    return times(moved(at[0], at[1], at[2]), times(turned(z, rpy[2]), times(turned(y, rpy[1]), turned(x, rpy[0]))));
}
/* A pose from it: the rotation is that of the library from a matrix, which has tests of its own. */
static cm_pose pose_of(matrix a) {
    const cm_real m[16] = {a.m[0][0], a.m[1][0], a.m[2][0], 0, a.m[0][1], a.m[1][1], a.m[2][1], 0,
                           a.m[0][2], a.m[1][2], a.m[2][2], 0, a.m[0][3], a.m[1][3], a.m[2][3], 1};
    cm_pose pose;
    assert_true(cm_pose_from_mat4(m, &pose));
    return pose;
}

/* --- the arm ----------------------------------------------------------------------------------------------------- */

const test_joint arm[JOINTS] = {
    {"revolute", 0, {0, 0, 0.3}, {0, 0, 0.2}, {0, 0, 1}, -3, 3},
    {"revolute", 1, {0.05, 0, 0.2}, {-1.5, 0.1, 0}, {0, 0.2, 1}, -2.8, 1.5},
    {"revolute", 2, {0, -0.5, 0.02}, {0.3, 0, 0.7}, {0, 0, -2}, -2.9, 2.9},
    {"continuous", 3, {0.3, 0.1, 0}, {0, 1.2, 0.4}, {1, 0, 0}, -3.141592653589793, 3.141592653589793},
    {"revolute", 4, {0.2, 0, 0.1}, {0, -0.7, 0}, {0.3, 1, 0}, -2.2, 2.2},
    {"revolute", 5, {0.1, 0, 0.05}, {0.4, 0.4, 0.4}, {1, 1, 1}, 0.5, 4},
    {"prismatic", 6, {0, 0, 0.1}, {0, 0, 1.5}, {2, 0, 0}, 0.01, 0.09},
    {"prismatic", 6, {0, 0, 0.1}, {0, 0, -1.6}, {1, 0, 0}, 0, 0.2},
};

const double follow_factor = 1.5, follow_offset = 0.02;

static void add(obj *o, const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (!o->text) o->text = calloc(1, o->capacity = 1 << 16);
    o->used += (size_t)vsnprintf(o->text + o->used, o->capacity - o->used, format, values);
    assert_true(o->used < o->capacity);
    va_end(values);
}

enum { RINGS = 9, SIDES = 14 };

/* A ball by rings, squeezed along y: points and closed triangles. */
static void ball_points(double radius, double squeeze, cm_vec3 *points, uint32_t *indices, uint32_t *triangles) {
    const double pi = acos(-1);
    uint32_t n = 0;
    points[0] = cm_v(0, 0, radius), points[1] = cm_v(0, 0, -radius);
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SIDES; k++) {
            const double a = pi * (i + 1) / (RINGS + 1), b = 2 * pi * k / SIDES;
            points[2 + i * SIDES + k] =
                cm_v(radius * sin(a) * cos(b), squeeze * radius * sin(a) * sin(b), radius * cos(a));
        }
#define RING(i, k)    (uint32_t)(2 + (i)*SIDES + (k) % SIDES)
#define FACE(a, b, c) (indices[3 * n] = (a), indices[3 * n + 1] = (b), indices[3 * n + 2] = (c), n++)
    for (int k = 0; k < SIDES; k++) {
        FACE(0, RING(0, k), RING(0, k + 1));
        FACE(1, RING(RINGS - 1, k + 1), RING(RINGS - 1, k));
        for (int i = 0; i + 1 < RINGS; i++) {
            FACE(RING(i, k), RING(i + 1, k), RING(i + 1, k + 1));
            FACE(RING(i, k), RING(i + 1, k + 1), RING(i, k + 1));
        }
    }
    *triangles = n;
}

static cm_mesh *mesh_of_ball(double radius, double squeeze) {
    static cm_vec3 points[2 + RINGS * SIDES];
    static uint32_t indices[6 * SIDES * RINGS];
    cm_mesh_desc desc = {.points = &points->x, .point_count = 2 + RINGS * SIDES, .indices = indices, .solid = true};
    ball_points(radius, squeeze, points, indices, &desc.triangle_count);
    for (int i = 0; i < 2 + RINGS * SIDES; i++) /* as a reader in single precision has them */
        points[i] = cm_v((double)(float)points[i].x, (double)(float)points[i].y, (double)(float)points[i].z);
    cm_mesh *mesh;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

void write_ball(const char *name, double radius, double squeeze) {
    static cm_vec3 points[2 + RINGS * SIDES];
    static uint32_t indices[6 * SIDES * RINGS];
    uint32_t triangles;
    obj o = {0};
    ball_points(radius, squeeze, points, indices, &triangles);
    add(&o, "o ball\n");
    for (int i = 0; i < 2 + RINGS * SIDES; i++)
        add(&o, "v %.9g %.9g %.9g\n", (double)(float)points[i].x, (double)(float)points[i].y,
            (double)(float)points[i].z);
    for (uint32_t i = 0; i < triangles; i++)
        add(&o, "f %u %u %u\n", indices[3 * i] + 1, indices[3 * i + 1] + 1, indices[3 * i + 2] + 1);
    write_text(name, o.text);
    free(o.text);
}

static void put_body(arm_truth *truth, int link, cm_shape shape, const double at[3], const double rpy[3]) {
    const int i = truth->bodies[link]++;
    truth->shapes[link][i] = shape;
    truth->poses[link][i] = pose_of(origin(at, rpy));
}

static void write_collisions(obj *o, int link, arm_truth *truth) {
    const double at[3] = {0.02 * link, -0.03, 0.05}, rpy[3] = {0.3 * link, 0.2, -0.4}, none[3] = {0, 0, 0};
    add(o, "<collision><origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/><geometry><mesh filename='ball.obj'/>",
        at[0], at[1], at[2], rpy[0], rpy[1], rpy[2]);
    add(o, "</geometry></collision>");
    put_body(truth, link, cm_make_mesh(truth->mesh), at, rpy);
    if (link % 4 == 1) {
        add(o, "<collision><geometry><box size='0.1 0.3 0.1'/></geometry></collision>");
        put_body(truth, link, cm_make_box(cm_v(0.05, 0.15, 0.05)), none, none);
    } else if (link % 4 == 2) {
        add(o, "<collision><geometry><cylinder radius='0.06' length='0.4'/></geometry></collision>");
        put_body(truth, link, cm_make_cylinder(0.06, 0.2), none, none);
    } else if (link % 4 == 3) {
        add(o, "<collision><geometry><capsule radius='0.05' length='0.2'/></geometry></collision>");
        put_body(truth, link, cm_make_capsule(cm_v(0, 0, -0.1), cm_v(0, 0, 0.1), 0.05), none, none);
    }
}

void make_arm(arm_truth *truth) {
    *truth = (arm_truth){.mesh = mesh_of_ball(0.1, 0.6)};
    obj o = {0};
    write_ball("ball.obj", 0.1, 0.6);
    add(&o, "<?xml version='1.0'?>\n<robot name='arm'>\n");
    for (int i = JOINTS - 1; i >= 0; i--) { /* the order in the file does not matter */
        const test_joint *j = &arm[i];
        add(&o, "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>", i, j->type, j->parent, i + 1);
        add(&o, "<origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>", j->at[0], j->at[1], j->at[2], j->rpy[0],
            j->rpy[1], j->rpy[2]);
        add(&o, "<axis xyz='%.17g %.17g %.17g'/>", j->axis[0], j->axis[1], j->axis[2]);
        if (j->type[0] != 'c') add(&o, "<limit lower='%.17g' upper='%.17g'/>", j->lower, j->upper);
        if (i == JOINTS - 1) add(&o, "<mimic joint='j6' multiplier='%g' offset='%g'/>", follow_factor, follow_offset);
        add(&o, "</joint>\n");
    }
    for (int i = 0; i < LINKS; i++) {
        add(&o, "<link name='l%d'>", i);
        write_collisions(&o, i, truth);
        add(&o, "</link>\n");
    }
    add(&o, "</robot>\n");
    truth->path = write_text("arm.urdf", o.text);
    free(o.text);
}

void place_arm(const double *values, matrix frames[LINKS]) {
    frames[0] = moved(0, 0, 0);
    for (int i = 0; i < JOINTS; i++) {
        const test_joint *j = &arm[i];
        const double n = sqrt(j->axis[0] * j->axis[0] + j->axis[1] * j->axis[1] + j->axis[2] * j->axis[2]);
        const double s = values[i] / n;
        frames[i + 1] = times(times(frames[j->parent], origin(j->at, j->rpy)),
                              j->type[0] == 'p' ? moved(s * j->axis[0], s * j->axis[1], s * j->axis[2])
                                                : turned(j->axis, values[i]));
    }
}

double truth_distance(const arm_truth *truth, const matrix frames[LINKS], int a, int b, double most) {
    const cm_pose at_a = pose_of(frames[a]), at_b = pose_of(frames[b]);
    double least = CM_REAL_MAX;
    for (int i = 0; i < truth->bodies[a]; i++)
        for (int k = 0; k < truth->bodies[b]; k++) {
            const cm_pose x = cm_pose_mul(&at_a, &truth->poses[a][i]), y = cm_pose_mul(&at_b, &truth->poses[b][k]);
            least = fmin(least, cm_distance(&truth->shapes[a][i], &x, &truth->shapes[b][k], &y, most, NULL));
        }
    return least;
}
bool truth_collides(const arm_truth *truth, const matrix frames[LINKS], int a, int b) {
    const cm_pose at_a = pose_of(frames[a]), at_b = pose_of(frames[b]);
    for (int i = 0; i < truth->bodies[a]; i++)
        for (int k = 0; k < truth->bodies[b]; k++) {
            const cm_pose x = cm_pose_mul(&at_a, &truth->poses[a][i]), y = cm_pose_mul(&at_b, &truth->poses[b][k]);
            if (cm_overlap(&truth->shapes[a][i], &x, &truth->shapes[b][k], &y)) return true;
        }
    return false;
}
