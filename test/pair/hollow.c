/* What is pointed and stands in a hollow of the ground (a valley, a pit, the foot of a ramp), a little too deep: its
 * contacts hold it up by what it is too deep, whatever the ground is given as; never do they throw it to the rim, or
 * press it through the ground. Truth: it was lowered from where it just touches. */
#include "support/solids.h"
#include "support/support.h"

#include <math.h>

enum { VALLEY, STEEP, PIT, CROSS, FOOT, UNEVEN, GROUNDS };
enum { FIELD, SURFACE, SOLID, COMPOUND, FORMS };
static const char *const ground_names[GROUNDS] = {"valley",   "steep valley",   "pit",
                                                  "crossing", "foot of a ramp", "uneven"};
static const char *const form_names[FORMS] = {"height field", "surface mesh", "solid mesh", "compound of a mesh"};
enum { CELLS = 8, SIDE = CELLS + 1, REACH = 2, CONTACTS = 64 };

static cm_vec3 v3(double x, double y, double z) { return cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)); }

static double height(int kind, double x, double y) {
    switch (kind) {
    case VALLEY:
        return fabs(x) / 2;
    case STEEP:
        return 3 * fabs(x);
    case PIT:
        return fmax(fabs(x), fabs(y)) / 2;
    case CROSS:
        return (fabs(x) + fabs(y)) / 3;
    case FOOT:
        return fmax(x, 0);
    default:
        return fmax(x, 0) / 4 + 2 * fmax(-x, 0);
    }
}

typedef struct ground {
    cm_shape shape;
    cm_mesh *mesh;
    cm_height_field *field;
    cm_compound *compound;
} ground;

static cm_vec3 ground_corner(int kind, int i, int j) {
    const double x = i * 2.0 * REACH / CELLS - REACH, y = j * 2.0 * REACH / CELLS - REACH;
    return v3(x, y, height(kind, x, y));
}

/* The solid goes down to z = -4. */
static cm_mesh *ground_mesh(int kind, bool solid) {
    soup s = {0};
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            const cm_vec3 p[4] = {ground_corner(kind, i, j), ground_corner(kind, i + 1, j),
                                  ground_corner(kind, i + 1, j + 1), ground_corner(kind, i, j + 1)};
            cm_vec3 q[4];
            const bool turn = (i < CELLS / 2) != (j < CELLS / 2);
            soup_add_quad(&s, p[0], p[1], p[2], p[3], turn);
            if (!solid) continue;
            for (int k = 0; k < 4; k++) q[k] = cm_v(p[k].x, p[k].y, -4);
            soup_add_quad(&s, q[0], q[3], q[2], q[1], !turn);
            if (i == 0) soup_add_quad(&s, q[0], p[0], p[3], q[3], false);
            if (i == CELLS - 1) soup_add_quad(&s, q[2], p[2], p[1], q[1], false);
            if (j == 0) soup_add_quad(&s, q[1], p[1], p[0], q[0], false);
            if (j == CELLS - 1) soup_add_quad(&s, q[3], p[3], p[2], q[2], false);
        }
    return soup_build(&s, solid);
}

static void ground_make(ground *g, int kind, int form) {
    memset(g, 0, sizeof *g);
    if (form == FIELD) {
        cm_real heights[SIDE * SIDE];
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++) heights[j * SIDE + i] = ground_corner(kind, i, j).z;
        const cm_real step = CM_REAL(2.0 * REACH / CELLS);
        const cm_height_field_desc desc = {.heights = heights,
                                           .columns = SIDE,
                                           .rows = SIDE,
                                           .column_spacing = step,
                                           .row_spacing = step,
                                           .origin = {-REACH, -REACH, 0}};
        assert_int_equal(cm_height_field_build(&desc, NULL, &g->field, NULL), CM_OK);
        g->shape = cm_make_height_field(g->field);
        return;
    }
    g->mesh = ground_mesh(kind, form != SURFACE);
    g->shape = cm_make_mesh(g->mesh);
    if (form != COMPOUND) return;
    const cm_compound_child child = {.shape = g->shape, .pose = cm_pose_identity()};
    const cm_compound_desc desc = {&child, 1};
    assert_int_equal(cm_compound_build(&desc, NULL, &g->compound, NULL), CM_OK);
    g->shape = cm_make_compound(g->compound);
}
static void ground_free(ground *g) {
    cm_compound_destroy(g->compound, NULL);
    cm_height_field_destroy(g->field, NULL);
    cm_mesh_destroy(g->mesh, NULL);
}

/* Each with its lowest point, or the middle of its lowest edge, at the origin. */
enum { BODIES = 7 };
static const char *const body_names[BODIES] = {
    "upright segment", "slanted segment", "triangle on a tip", "cone", "pyramid", "wedge", "capsule"};
static void bodies_make(cm_shape out[BODIES], cm_quat rotation[BODIES], cm_hull *hull[2]) {
    const double a = 0.05, h = 0.3;
    const cm_vec3 pyramid[5] = {v3(0, 0, 0), v3(a, a, h), v3(-a, a, h), v3(a, -a, h), v3(-a, -a, h)};
    const cm_vec3 wedge[6] = {v3(0, -a, 0), v3(0, a, 0), v3(a, -a, h), v3(-a, -a, h), v3(a, a, h), v3(-a, a, h)};
    for (int i = 0; i < 2; i++) {
        const cm_hull_desc desc = {.points = i ? &wedge->x : &pyramid->x, .point_count = i ? 6 : 5};
        assert_int_equal(cm_hull_build(&desc, NULL, &hull[i], NULL), CM_OK);
    }
    for (int i = 0; i < BODIES; i++) rotation[i] = cm_pose_identity().rotation;
    out[0] = cm_make_segment(v3(0, 0, 0), v3(0, 0, h));
    out[1] = cm_make_segment(v3(0, 0, 0), v3(h / 8, h / 16, h));
    out[2] = cm_make_triangle(v3(0, 0, 0), v3(a, a / 2, h), v3(-a, a / 2, h));
    out[3] = cm_make_cone(CM_REAL(a), CM_REAL(h / 2)), rotation[3] = (cm_quat){1, 0, 0, 0};
    out[4] = cm_make_hull(hull[0]);
    out[5] = cm_make_hull(hull[1]);
    out[6] = cm_make_capsule(v3(0, 0, a), v3(0, 0, h), CM_REAL(a));
}

/* The lowest pose over the ground in which they do not overlap, within 1e-12 of the search. */
static cm_pose set_down(const cm_shape *on, const cm_shape *body, cm_pose at) {
    const cm_pose here = cm_pose_identity();
    double low = -0.1, high = 4; /* there it stands in the ground */
    for (int k = 0; k < 44; k++) {
        const double middle = (low + high) / 2;
        at.position.z = CM_REAL(middle);
        if (cm_overlap(body, &at, on, &here))
            low = middle;
        else
            high = middle;
    }
    at.position.z = CM_REAL(high);
    return at;
}

static void what_is_pointed_is_held_up_by_a_hollow(void **state) {
    (void)state;
    static const double yaws[] = {0, 1.5707963267948966, 0.3, 0.01}, ys[] = {0, 0.3, 1};
    cm_shape bodies[BODIES];
    cm_quat rotation[BODIES];
    cm_hull *hull[2];
    bodies_make(bodies, rotation, hull);
    const cm_pose here = cm_pose_identity();
    for (int kind = 0; kind < GROUNDS; kind++)
        for (int form = 0; form < FORMS; form++) {
            ground g;
            if (form == FIELD && (kind == PIT || kind == CROSS)) continue; /* its diagonals are ridges there */
            ground_make(&g, kind, form);
            for (int i = 0; i < BODIES * 4 * 3; i++) {
                const int b = i % BODIES, yaw = i / BODIES % 4, place = i / BODIES / 4;
                cm_quat turn;
                cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(yaws[yaw]), &turn);
                cm_pose at = {v3(0, ys[place], 0), cm_quat_mul(turn, rotation[b])};
                at = set_down(&g.shape, &bodies[b], at);
                for (double deep = 1e-4; deep < 0.02; deep *= 10) {
                    cm_pose down = at;
                    cm_manifold m[CONTACTS];
                    down.position.z -= CM_REAL(deep);
                    const int count = cm_contact(&bodies[b], &down, &g.shape, &here, 0, m, CONTACTS);
                    double up = 0, most = -1; /* how far up the contacts would move it */
                    for (int k = 0; k < count && k < CONTACTS; k++)
                        for (int c = 0; c < m[k].count; c++) {
                            const double rise = -(double)m[k].normal.z;
                            up = fmax(up, (double)m[k].points[c].depth / fmax(rise, 1e-6));
                            most = fmax(most, (double)m[k].points[c].depth);
                        }
                    check_that(count > 0 && most > 0 && up < 2 * deep + 1e-5,
                               "%s in a %s, a %s, at y = %g, yaw %g, %g deep: %d contacts, the deepest %g, up by %g",
                               body_names[b], ground_names[kind], form_names[form], ys[place], yaws[yaw], deep, count,
                               most, up);
                }
            }
            ground_free(&g);
        }
    for (int i = 0; i < 2; i++) cm_hull_destroy(hull[i], NULL);
}

/* A flat polygon lies in the plane of a surface: all contacts are on one side of it. */
static void a_polygon_in_a_surface_is_on_one_side_of_it(void **state) {
    (void)state;
    const double a = 0.25;
    const cm_vec3 polygon[5] = {v3(a, 0, 0), v3(0, a, 0), v3(-a, a, 0), v3(-a, -a, 0), v3(0, -a, 0)};
    const cm_hull_desc desc = {.points = &polygon->x, .point_count = 5};
    const cm_pose here = cm_pose_identity();
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    const cm_shape shape = cm_make_hull(hull);
    cm_mesh *sheet = surface_sheet(2, 2, 4);
    const cm_shape floor = cm_make_mesh(sheet);
    for (int i = 0; i < 40; i++) {
        const cm_pose at = cm_pose_at(v3(-1 + 0.037 * i, 0.3 * (i % 3), 0));
        cm_manifold m[CONTACTS];
        const int count = cm_contact(&shape, &at, &floor, &here, 0, m, CONTACTS);
        check_that(count > 0, "%d: no contact", i);
        for (int k = 0; k < count; k++)
            check_that((double)m[k].normal.z < -0.999, "%d: contact %d of %d has the normal %g %g %g", i, k, count,
                       (double)m[k].normal.x, (double)m[k].normal.y, (double)m[k].normal.z);
    }
    cm_mesh_destroy(sheet, NULL);
    cm_hull_destroy(hull, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_pointed_is_held_up_by_a_hollow),
        cmocka_unit_test(a_polygon_in_a_surface_is_on_one_side_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
