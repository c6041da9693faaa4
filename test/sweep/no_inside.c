/* What has no inside (points, segments, triangles, flat boxes and hulls, disks) on a table in every form: from touch,
 * also exactly on a seam of the form, it is stopped at once where it presses down, along the way up, and not where it
 * slides, leaves or yaws; it slides in over the edge of a solid, falls past it, and is stopped by a wall that has a
 * seam, too. Pointed bodies with an inside are asked the same. Truth is plain geometry. */
#include "support/solids.h"
#include "support/support.h"

#include <math.h>

/* The table: [-2, 2] x [-2, 2] x [-1, 0]. */
enum {
    TABLE_BOX,
    TABLE_MESH,
    TABLE_FINE,
    TABLE_SURFACE,
    TABLE_FIELD,
    TABLE_BOXES,
    TABLE_HULLS,
    TABLE_MESHES,
    TABLE_FIELDS,
    TABLES
};
static const char *const table_names[TABLES] = {"box",          "solid mesh",   "fine solid mesh",
                                                "surface mesh", "height field", "four boxes",
                                                "eight hulls",  "four meshes",  "compound of a field"};
enum { MOST = 8 };

typedef struct table {
    cm_shape shape;
    cm_mesh *mesh[MOST];
    cm_hull *hull[MOST];
    cm_height_field *field;
    cm_compound *compound;
} table;

static cm_vec3 v3(double x, double y, double z) { return cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)); }

static cm_mesh *box_mesh(cm_vec3 lo, cm_vec3 hi, int cells, bool solid) {
    soup s = {0};
    soup_add_box(&s, lo, hi, cells, false, false);
    return soup_build(&s, solid);
}

static cm_hull *hull_of(const cm_vec3 *points, uint32_t count) {
    const cm_hull_desc desc = {.points = &points->x, .point_count = count};
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    return hull;
}

static void table_field(table *t) {
    cm_real heights[25] = {0};
    const cm_height_field_desc desc = {
        .heights = heights, .columns = 5, .rows = 5, .column_spacing = 1, .row_spacing = 1, .origin = {-2, -2, 0}};
    assert_int_equal(cm_height_field_build(&desc, NULL, &t->field, NULL), CM_OK);
    t->shape = cm_make_height_field(t->field);
}

static void table_children(table *t, const cm_compound_child *children, uint32_t count) {
    const cm_compound_desc desc = {children, count};
    assert_int_equal(cm_compound_build(&desc, NULL, &t->compound, NULL), CM_OK);
    t->shape = cm_make_compound(t->compound);
}

/* Flush children, cut in half along x, y and, of hulls, z. */
static void table_cut(table *t, int kind) {
    const int count = kind == TABLE_HULLS ? 8 : 4;
    cm_compound_child child[MOST];
    memset(child, 0, sizeof child);
    for (int i = 0; i < count; i++) {
        const double x = i & 1 ? 0 : -2, y = i & 2 ? 0 : -2, z = i & 4 ? -0.5 : -1, high = count == 8 ? 0.5 : 1;
        const cm_vec3 lo = v3(x, y, z), hi = v3(x + 2, y + 2, z + high);
        child[i].pose = cm_pose_identity();
        if (kind == TABLE_BOXES) {
            child[i].shape = cm_make_box(cm_scale(cm_sub(hi, lo), CM_REAL(0.5)));
            child[i].pose.position = cm_scale(cm_add(lo, hi), CM_REAL(0.5));
        } else if (kind == TABLE_MESHES) {
            t->mesh[i] = box_mesh(lo, hi, 1, true);
            child[i].shape = cm_make_mesh(t->mesh[i]);
        } else {
            cm_vec3 corner[8];
            for (int k = 0; k < 8; k++) corner[k] = cm_v(k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, k & 4 ? hi.z : lo.z);
            t->hull[i] = hull_of(corner, 8);
            child[i].shape = cm_make_hull(t->hull[i]);
        }
    }
    table_children(t, child, (uint32_t)count);
}

/* All lie around the origin of the table's frame but the box, which has its own. */
static cm_vec3 table_make(table *t, int kind) {
    const cm_vec3 lo = cm_v(-2, -2, -1), hi = cm_v(2, 2, 0);
    memset(t, 0, sizeof *t);
    if (kind == TABLE_BOX) {
        t->shape = cm_make_box(cm_v(2, 2, CM_REAL(0.5)));
        return cm_v(0, 0, CM_REAL(-0.5));
    }
    if (kind == TABLE_FIELD) {
        table_field(t);
    } else if (kind == TABLE_FIELDS) {
        cm_compound_child child = {.pose = cm_pose_identity()};
        table_field(t);
        child.shape = t->shape;
        table_children(t, &child, 1);
    } else if (kind >= TABLE_BOXES) {
        table_cut(t, kind);
    } else {
        t->mesh[0] = box_mesh(lo, hi, kind == TABLE_MESH ? 1 : 4, kind != TABLE_SURFACE);
        t->shape = cm_make_mesh(t->mesh[0]);
    }
    return cm_v(0, 0, 0);
}
static void table_free(table *t) {
    cm_compound_destroy(t->compound, NULL);
    cm_height_field_destroy(t->field, NULL);
    for (int i = 0; i < MOST; i++) cm_mesh_destroy(t->mesh[i], NULL), cm_hull_destroy(t->hull[i], NULL);
}

/* Bodies whose foot, at their origin, is all of them that is at z = 0, or lies there around it. */
enum { FLAT_BODIES = 12, BODIES = 15 };
static const char *const body_names[BODIES] = {
    "point",          "upright segment",  "segment along x",    "segment along y",   "slanted segment",
    "level triangle", "upright triangle", "triangle on a tip",  "level flat box",    "upright flat box",
    "level polygon",  "level disk",       "pyramid on its tip", "wedge on its edge", "ball"};

typedef struct body {
    cm_shape shape;
    cm_quat rotation;
    cm_vec3 at; /* its position over its foot */
} body;

static void bodies_make(body out[BODIES], cm_hull *hull[3]) {
    const double a = 0.25, h = 0.5;
    const cm_vec3 polygon[5] = {v3(a, 0, 0), v3(0, a, 0), v3(-a, a, 0), v3(-a, -a, 0), v3(0, -a, 0)};
    const cm_vec3 pyramid[5] = {v3(0, 0, 0), v3(a, a, h), v3(-a, a, h), v3(a, -a, h), v3(-a, -a, h)};
    const cm_vec3 wedge[6] = {v3(0, -a, 0), v3(0, a, 0), v3(a, -a, h), v3(-a, -a, h), v3(a, a, h), v3(-a, a, h)};
    for (int i = 0; i < BODIES; i++) out[i] = (body){.rotation = cm_pose_identity().rotation};
    hull[0] = hull_of(polygon, 5), hull[1] = hull_of(pyramid, 5), hull[2] = hull_of(wedge, 6);
    out[0].shape = cm_make_point(v3(0, 0, 0));
    out[1].shape = cm_make_segment(v3(0, 0, 0), v3(0, 0, h));
    out[2].shape = cm_make_segment(v3(-a, 0, 0), v3(a, 0, 0));
    out[3].shape = cm_make_segment(v3(0, -a, 0), v3(0, a, 0));
    out[4].shape = cm_make_segment(v3(0, 0, 0), v3(a, a / 2, a));
    out[5].shape = cm_make_triangle(v3(-a, -a, 0), v3(a, -a, 0), v3(0, a, 0));
    out[6].shape = cm_make_triangle(v3(0, -a, 0), v3(0, a, 0), v3(0, 0, h));
    out[7].shape = cm_make_triangle(v3(0, 0, 0), v3(0, a, h), v3(0, -a, h));
    out[8].shape = cm_make_box(v3(a, a, 0));
    out[9].shape = cm_make_box(v3(0, a, a)), out[9].at = v3(0, 0, a);
    out[10].shape = cm_make_hull(hull[0]);
    out[11].shape = cm_make_cylinder(CM_REAL(a), 0);
    out[12].shape = cm_make_hull(hull[1]);
    out[13].shape = cm_make_hull(hull[2]);
    out[14].shape = cm_make_sphere(v3(0, 0, a), CM_REAL(a));
}

typedef struct question {
    const cm_shape *table;
    const body *b;
    cm_vec3 off;               /* of the table */
    double at[3];              /* the body's foot */
    double move[3], yaw, pull; /* pull: the acceleration, downward */
    const char *table_name, *name, *what;
} question;

/* Asks, in both orders: is it blocked, and where it is, by when and how upward? */
static void ask(const question *q, bool blocks, double late, double up) {
    cm_motion m, still;
    cm_sweep_hit h, back;
    memset(&m, 0, sizeof m), memset(&still, 0, sizeof still);
    memset(&h, 0, sizeof h), memset(&back, 0, sizeof back);
    still.start = cm_pose_at(q->off);
    m.start.position = cm_add(v3(q->at[0], q->at[1], q->at[2]), q->b->at), m.start.rotation = q->b->rotation;
    m.move = v3(q->move[0], q->move[1], q->move[2]), m.spin = v3(0, 0, q->yaw), m.accelerate = v3(0, 0, -q->pull);
    const bool hit = cm_sweep(&q->b->shape, &m, q->table, &still, &h) && h.blocking;
    const bool again = cm_sweep(q->table, &still, &q->b->shape, &m, &back) && back.blocking;
    check_that(hit == blocks && again == blocks, "%s on %s at %g %g %g, by %g %g %g, yaw %g, %s: blocked %d and %d",
               q->name, q->table_name, q->at[0], q->at[1], q->at[2], q->move[0], q->move[1], q->move[2], q->yaw,
               q->what, hit, again);
    if (!blocks) return;
    check_that((double)h.first <= late && -(double)h.normal.z >= up && (double)back.normal.z >= up,
               "%s on %s at %g %g %g, by %g %g %g, %s: first %g, normal %g %g %g", q->name, q->table_name, q->at[0],
               q->at[1], q->at[2], q->move[0], q->move[1], q->move[2], q->what, (double)h.first, (double)h.normal.x,
               (double)h.normal.y, (double)h.normal.z);
}
static void ask_way(question *q, const char *what, double x, double y, double z, double yaw, bool blocks) {
    q->what = what, q->yaw = yaw;
    q->move[0] = x, q->move[1] = y, q->move[2] = z;
    ask(q, blocks, q->pull > 0 ? 0.01 : 1e-4, 1 - 1e-3);
}

static void what_presses_is_stopped_and_what_slides_is_not(void **state) {
    (void)state;
    static const double at[][2] = {{0, 0}, {0.3, 0}, {0, 0.3}, {0.5, 0.5}, {1, 0.3}, {0.37, 0.41}, {1, 1}, {0, -1}};
    body bodies[BODIES];
    cm_hull *hull[3];
    bodies_make(bodies, hull);
    for (int kind = 0; kind < TABLES; kind++) {
        table t;
        const cm_vec3 off = table_make(&t, kind);
        for (int i = 0; i < BODIES; i++)
            for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
                question q = {&t.shape,          &bodies[i],    off, {at[k][0], at[k][1], 0}, {0}, 0, 0,
                              table_names[kind], body_names[i], NULL};
                ask_way(&q, "presses", 0, 0, -1, 0, true);
                ask_way(&q, "presses a little", 0, 0, -0.1, 0, true);
                ask_way(&q, "presses and slides", 0.5, 0.1, -0.25, 0, true);
                ask_way(&q, "slides along x", 0.5, 0, 0, 0, false);
                ask_way(&q, "slides along y", 0, 0.5, 0, 0, false);
                ask_way(&q, "slides", -0.5, 0.3, 0, 0, false);
                ask_way(&q, "leaves", 0, 0, 1, 0, false);
                ask_way(&q, "leaves aslant", 0.4, 0.1, 0.1, 0, false);
                if (i != 12) ask_way(&q, "yaws", 0, 0, 0, 0.7, false);
                if (i == 6 || i == 7 || i == 9) continue;
                q.pull = 1; /* from rest, or sliding, as under gravity */
                ask_way(&q, "falls", 0, 0, 0, 0, true);
                ask_way(&q, "slides and falls", 0.1, 0, 0, 0, true);
            }
        table_free(&t);
    }
    for (int i = 0; i < 3; i++) cm_hull_destroy(hull[i], NULL);
}

/* Over the edge of a solid: in over it and out, and down past it. */
static void what_stands_on_the_edge_of_a_solid_may_leave_it(void **state) {
    (void)state;
    body bodies[BODIES];
    cm_hull *hull[3];
    bodies_make(bodies, hull);
    for (int kind = TABLE_BOX; kind <= TABLE_FINE; kind++) {
        table t;
        const cm_vec3 off = table_make(&t, kind);
        for (int i = 0; i < FLAT_BODIES; i++)
            for (int k = -1; k < 2; k++) {
                question q = {&t.shape,          &bodies[i],    off, {2, 0.3 * k, 0}, {0}, 0, 0,
                              table_names[kind], body_names[i], NULL};
                ask_way(&q, "slides in", -0.5, 0.3, 0, 0, false);
                ask_way(&q, "slides straight in", -0.5, 0, 0, 0, false);
                ask_way(&q, "slides out", 0.5, 0.1, 0, 0, false);
                ask_way(&q, "slides along the edge", 0, 0.5, 0, 0, false);
                if (i == 0 || i == 1 || i == 3 || i == 6 || i == 7 || i == 9)
                    ask_way(&q, "falls past", 0.5, 0.1, -0.25, 0, false);
            }
        table_free(&t);
    }
    for (int i = 0; i < 3; i++) cm_hull_destroy(hull[i], NULL);
}

/* A floor and a wall on it, both cut along y = 0. */
static void a_wall_stops_what_slides_along_the_seam(void **state) {
    (void)state;
    body bodies[BODIES];
    cm_hull *hull[3];
    cm_compound_child child[4];
    table t;
    memset(&t, 0, sizeof t), memset(child, 0, sizeof child);
    for (int i = 0; i < 4; i++) {
        const bool wall = i & 2;
        child[i].shape = cm_make_box(wall ? v3(0.5, 1, 0.5) : v3(2, 1, 0.5));
        child[i].pose = cm_pose_at(v3(wall ? 1.5 : 0, i & 1 ? 1 : -1, wall ? 0.5 : -0.5));
    }
    table_children(&t, child, 4);
    bodies_make(bodies, hull);
    for (int i = 0; i < FLAT_BODIES; i++) {
        static const double reach[FLAT_BODIES] = {0, 0, 0.25, 0, 0.25, 0.25, 0, 0, 0.25, 0, 0.25, 0.25};
        question q = {&t.shape, &bodies[i], cm_v(0, 0, 0),       {0, 0, 0},     {2, 0, 0},
                      0,        0,          "floor with a wall", body_names[i], "slides into it"};
        ask(&q, true, (1 - reach[i]) / 2 + 1e-4, -1e-3);
        q.at[0] = 1 - reach[i], q.what = "touches it and presses";
        ask(&q, true, 1e-4, -1e-3);
        ask_way(&q, "slides along it", 0, 0.5, 0, 0, false);
        ask_way(&q, "rises along it", 0, 0.2, 0.5, 0, false);
        ask_way(&q, "leaves it", -0.5, 0.2, 0, 0, false);
        ask_way(&q, "presses down", 0, 0, -0.5, 0, true);
    }
    table_free(&t);
    for (int i = 0; i < 3; i++) cm_hull_destroy(hull[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_presses_is_stopped_and_what_slides_is_not),
        cmocka_unit_test(what_stands_on_the_edge_of_a_solid_may_leave_it),
        cmocka_unit_test(a_wall_stops_what_slides_along_the_seam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
