/* The forms of one box, and the bodies that stand. See standing.h. */
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

const char *const form_names[FORM_KINDS] = {
#define FORM_NAME(name, text) text,
    FORM_LIST(FORM_NAME)
#undef FORM_NAME
};
const char *const stander_names[STANDER_KINDS] = {
#define STANDER_NAME(name, text) text,
    STANDER_LIST(STANDER_NAME)
#undef STANDER_NAME
};

/* --- a box as triangles, its faces as fans --------------------------------------------------------------------- */

#define CUTS_MOST 4

/* Where the edges of a box are cut: edge [axis][side of axis + 1][side of axis + 2], at fractions of its length. */
typedef struct box_cuts {
    cm_vec3 half;
    int count[3][2][2];
    cm_real at[3][2][2][CUTS_MOST]; /* coordinates along the axis, ascending */
} box_cuts;

static void set_axis(cm_vec3 *p, int axis, cm_real x) {
    if (axis == 0) p->x = x;
    if (axis == 1) p->y = x;
    if (axis == 2) p->z = x;
}
static cm_real get_axis(cm_vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/* Corner or cut number i of the edge along `axis`: 0 its lower end, count + 1 the upper. */
static cm_vec3 edge_point(const box_cuts *c, int axis, int s1, int s2, int i) {
    int a1 = (axis + 1) % 3, a2 = (axis + 2) % 3, n = c->count[axis][s1][s2];
    cm_real h = get_axis(c->half, axis);
    cm_vec3 p = cm_v(0, 0, 0);
    set_axis(&p, axis, i == 0 ? -h : i > n ? h : c->at[axis][s1][s2][i - 1]);
    set_axis(&p, a1, s1 ? get_axis(c->half, a1) : -get_axis(c->half, a1));
    set_axis(&p, a2, s2 ? get_axis(c->half, a2) : -get_axis(c->half, a2));
    return p;
}

/* The rim of a face, counter-clockwise as seen from the positive end of its axis. */
static int face_rim(const box_cuts *c, int axis, int top, cm_vec3 *rim) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3, n = 0;
    /* an edge along u has the sides of v and of `axis` (in that order), an edge along v those of `axis` and u */
    for (int i = 0; i <= c->count[u][0][top]; i++) rim[n++] = edge_point(c, u, 0, top, i);
    for (int i = 0; i <= c->count[v][top][1]; i++) rim[n++] = edge_point(c, v, top, 1, i);
    for (int i = c->count[u][1][top] + 1; i > 0; i--) rim[n++] = edge_point(c, u, 1, top, i);
    for (int i = c->count[v][top][0] + 1; i > 0; i--) rim[n++] = edge_point(c, v, top, 0, i);
    return n;
}

static void add_turned(soup *s, cm_vec3 a, cm_vec3 b, cm_vec3 c, bool flip) {
    if (flip)
        soup_add(s, a, c, b);
    else
        soup_add(s, a, b, c);
}

/* A triangle of an axis-parallel face, some of them cut in three at an inner point. */
static void add_cut(soup *s, cm_vec3 a, cm_vec3 b, cm_vec3 c, int axis, bool flip, int levels, rng *r) {
    if (levels == 0 || rng_below(r, 2)) {
        add_turned(s, a, b, c, flip);
        return;
    }
    cm_real x = CM_REAL(rng_range(r, 0.2, 0.4)), y = CM_REAL(rng_range(r, 0.2, 0.4));
    cm_vec3 m = cm_add(cm_scale(a, x), cm_add(cm_scale(b, y), cm_scale(c, 1 - x - y)));
    set_axis(&m, axis, get_axis(a, axis)); /* within the face's plane, exactly */
    add_cut(s, a, b, m, axis, flip, levels - 1, r);
    add_cut(s, b, c, m, axis, flip, levels - 1, r);
    add_cut(s, c, a, m, axis, flip, levels - 1, r);
}

static void add_fan(soup *s, const box_cuts *c, int axis, int top, double jitter, int levels, rng *r) {
    cm_vec3 rim[4 * (CUTS_MOST + 1)], hub = cm_v(0, 0, 0);
    int n = face_rim(c, axis, top, rim), u = (axis + 1) % 3, v = (axis + 2) % 3;
    set_axis(&hub, axis, get_axis(rim[0], axis));
    set_axis(&hub, u, CM_REAL(rng_range(r, -jitter, jitter)) * get_axis(c->half, u));
    set_axis(&hub, v, CM_REAL(rng_range(r, -jitter, jitter)) * get_axis(c->half, v));
    for (int i = 0; i < n; i++) add_cut(s, rim[i], rim[(i + 1) % n], hub, axis, !top, levels, r);
}

static cm_mesh *fans_box(cm_vec3 half, rng *r) {
    box_cuts c;
    memset(&c, 0, sizeof c);
    c.half = half;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4; k++) {
            int s1 = k & 1, s2 = k >> 1, n = c.count[axis][s1][s2] = (int)rng_below(r, CUTS_MOST);
            for (int i = 0; i < n; i++) {
                double at = -1 + 2 * (i + rng_range(r, 0.2, 0.8)) / n;
                c.at[axis][s1][s2][i] = CM_REAL(at) * get_axis(half, axis);
            }
        }
    soup s = {0};
    for (int axis = 0; axis < 3; axis++)
        for (int top = 0; top < 2; top++) add_fan(&s, &c, axis, top, 0.5, 2, r);
    return soup_build(&s, true);
}

/* The walls around an axis cut into strips, top and bottom fans of what that leaves on their rims. */
static cm_mesh *walls_box(cm_vec3 half, rng *r) {
    int tall = (int)rng_below(r, 3);
    box_cuts c;
    memset(&c, 0, sizeof c);
    c.half = half;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4 && axis != tall; k++) {
            c.count[axis][k & 1][k >> 1] = CUTS_MOST;
            for (int i = 0; i < CUTS_MOST; i++)
                c.at[axis][k & 1][k >> 1][i] = get_axis(half, axis) * (cm_real)(2 * i + 1 - CUTS_MOST) / 5;
        }
    soup s = {0};
    for (int top = 0; top < 2; top++) {
        add_fan(&s, &c, tall, top, 0, 0, r);
        int u = (tall + 1) % 3, v = (tall + 2) % 3;
        for (int i = 0; i <= CUTS_MOST; i++) { /* edges along u: sides of v and tall; along v: of tall and u */
            cm_vec3 p = edge_point(&c, u, top, 0, i), q = edge_point(&c, u, top, 0, i + 1);
            cm_vec3 p1 = edge_point(&c, u, top, 1, i), q1 = edge_point(&c, u, top, 1, i + 1);
            add_turned(&s, p, q, q1, top);
            add_turned(&s, p, q1, p1, top);
            p = edge_point(&c, v, 0, top, i), q = edge_point(&c, v, 0, top, i + 1);
            p1 = edge_point(&c, v, 1, top, i), q1 = edge_point(&c, v, 1, top, i + 1);
            add_turned(&s, p, q, q1, !top);
            add_turned(&s, p, q1, p1, !top);
        }
    }
    return soup_build(&s, true);
}

/* --- forms ----------------------------------------------------------------------------------------------------- */

static cm_hull *hull_of_points(const cm_vec3 *points, uint32_t count) {
    cm_hull_desc desc = {.points = &points[0].x, .point_count = count};
    cm_hull *hull = NULL;
    if (cm_hull_build(&desc, NULL, &hull, NULL) != CM_OK) fail_msg("the hull cannot be built");
    return hull;
}

static void halves_box(form *f, cm_vec3 half, rng *r) {
    int axis = (int)rng_below(r, 3);
    cm_compound_child child[2];
    memset(child, 0, sizeof child);
    cm_real h = get_axis(half, axis) / 2;
    set_axis(&half, axis, h);
    for (int i = 0; i < 2; i++) {
        child[i].shape = cm_make_box(half);
        child[i].pose = cm_pose_identity();
        set_axis(&child[i].pose.position, axis, i ? h : -h);
    }
    cm_compound_desc desc = {child, 2};
    if (cm_compound_build(&desc, NULL, &f->compound, NULL) != CM_OK) fail_msg("the compound cannot be built");
    f->shape = cm_make_compound(f->compound);
}

void form_box(form *f, form_kind kind, cm_vec3 half, rng *r) {
    memset(f, 0, sizeof *f);
    f->kind = kind;
    cm_vec3 corner[8];
    switch (kind) {
    case FORM_BOX:
        f->shape = cm_make_box(half);
        break;
    case FORM_HULL:
        for (int i = 0; i < 8; i++)
            corner[i] = cm_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        f->hull = hull_of_points(corner, 8);
        f->shape = cm_make_hull(f->hull);
        break;
    case FORM_HALVES:
        halves_box(f, half, r);
        break;
    case FORM_FANS:
        f->mesh = fans_box(half, r);
        break;
    case FORM_WALLS:
        f->mesh = walls_box(half, r);
        break;
    default: {
        soup s = {0};
        soup_add_box(&s, cm_neg(half), half, kind == FORM_MESH_192 ? 4 : 1, rng_below(r, 2), false);
        f->mesh = soup_build(&s, kind != FORM_SURFACE);
    }
    }
    if (f->mesh) f->shape = cm_make_mesh(f->mesh);
}

void form_free(form *f) {
    cm_hull_destroy(f->hull, NULL);
    cm_mesh_destroy(f->mesh, NULL);
    cm_compound_destroy(f->compound, NULL);
}

bool form_is_convex(form_kind kind) { return kind == FORM_BOX || kind == FORM_HULL; }

/* --- bodies ---------------------------------------------------------------------------------------------------- */

static void add_foot(stander *s, double x, double y) {
    s->foot[s->feet][0] = x;
    s->foot[s->feet++][1] = y;
}
static void rectangle_foot(stander *s, double x, double y) {
    for (int i = 0; i < 4; i++) add_foot(s, i & 1 ? x : -x, i & 2 ? y : -y);
    add_foot(s, 0, 0);
}
static void disc_foot(stander *s, double radius) {
    for (int i = 0; i < 7; i++) add_foot(s, 0.99 * radius * cos(0.9 * i), 0.99 * radius * sin(0.9 * i));
    add_foot(s, 0, 0);
}

static cm_vec3 rotated_half(cm_quat q, cm_vec3 half) {
    cm_vec3 x = cm_rotate(q, cm_v(half.x, 0, 0)), y = cm_rotate(q, cm_v(0, half.y, 0)),
            z = cm_rotate(q, cm_v(0, 0, half.z));
    /* one of the three is along each axis, but for rounding: take that one's length */
    const cm_vec3 row[3] = {cm_v(x.x, y.x, z.x), cm_v(x.y, y.y, z.y), cm_v(x.z, y.z, z.z)};
    cm_real out[3];
    for (int i = 0; i < 3; i++) {
        cm_vec3 a = cm_vec3_abs(row[i]);
        out[i] = a.x >= half.x / 2 && a.x > 0 ? half.x : a.y >= half.y / 2 && a.y > 0 ? half.y : half.z;
    }
    return cm_v(out[0], out[1], out[2]);
}

/* A prism over a polygon of 5 to 8 corners on a circle, its base at z = -half height. */
static void make_prism(stander *s, double radius, double h, rng *r) {
    cm_vec3 p[16];
    int n = 5 + (int)rng_below(r, 4);
    for (int i = 0; i < n; i++) {
        double a = 6.283185307179586 * i / n, x = radius * cos(a), y = radius * sin(a);
        p[2 * i] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(-h));
        p[2 * i + 1] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(h));
        add_foot(s, x, y);
    }
    s->hull = hull_of_points(p, (uint32_t)(2 * n));
    s->shape = cm_make_hull(s->hull);
}

static void make_box(stander *s, cm_vec3 half, rng *r) {
    static const form_kind forms[] = {FORM_BOX, FORM_HULL, FORM_MESH_12, FORM_HALVES};
    form_kind kind = forms[s->kind];
    if (kind == FORM_MESH_12 && rng_below(r, 2)) kind = rng_below(r, 2) ? FORM_FANS : FORM_MESH_192;
    form_box(&s->form, kind, half, r);
    s->shape = s->form.shape;
    s->upright = cube_rotation(rng_below(r, 24));
    s->half = rotated_half(s->upright, half);
    s->bottom = (double)s->half.z;
    rectangle_foot(s, (double)s->half.x, (double)s->half.y);
}

static void make_flat_triangle(stander *s, double x, double y) {
    cm_vec3 a = cm_v(CM_REAL(-x), CM_REAL(-y), 0), b = cm_v(CM_REAL(x), CM_REAL(-y), 0), c = cm_v(0, CM_REAL(y), 0);
    s->shape = cm_make_triangle(a, b, c);
    add_foot(s, -x, -y), add_foot(s, x, -y), add_foot(s, 0, y), add_foot(s, 0, 0);
    s->bottom = 0;
}

void stander_make(stander *s, stander_kind kind, double scale, rng *r) {
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->upright = cm_quat_identity();
    double x = (double)CM_REAL(nice_size(r) * scale), y = (double)CM_REAL(nice_size(r) * scale);
    double z = (double)CM_REAL(nice_size(r) * scale);
    s->half = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z));
    s->bottom = z;
    switch (kind) {
    case STANDER_PRISM:
        make_prism(s, x, z, r);
        break;
    case STANDER_CYLINDER:
        s->shape = cm_make_cylinder(CM_REAL(x), CM_REAL(z));
        disc_foot(s, x);
        break;
    case STANDER_CONE:
        s->shape = cm_make_cone(CM_REAL(x), CM_REAL(z));
        disc_foot(s, x);
        break;
    case STANDER_ROUNDED_BOX:
        s->shape = cm_make_rounded_box(s->half, CM_REAL(z / 4));
        s->bottom = (double)s->half.z + (double)s->shape.radius;
        s->bend = (double)s->shape.radius;
        rectangle_foot(s, x, y);
        break;
    case STANDER_TRIANGLE:
        make_flat_triangle(s, x, y);
        break;
    case STANDER_SPHERE:
        s->shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(z));
        s->bend = z, s->rolls = true;
        add_foot(s, 0, 0);
        break;
    case STANDER_CAPSULE:
        s->shape = cm_make_capsule(cm_v(0, 0, CM_REAL(-x)), cm_v(0, 0, CM_REAL(x)), CM_REAL(z));
        s->bend = z, s->bottom = x + z;
        add_foot(s, 0, 0);
        break;
    case STANDER_LOG:
        s->shape = cm_make_capsule(cm_v(CM_REAL(-x), 0, 0), cm_v(CM_REAL(x), 0, 0), CM_REAL(z));
        s->bend = z, s->rolls = true;
        add_foot(s, -x, 0), add_foot(s, 0, 0), add_foot(s, x, 0);
        break;
    case STANDER_ROLLER: /* axis z of the shape along x of the stand */
        s->shape = cm_make_cylinder(CM_REAL(z), CM_REAL(x));
        cm_quat_from_axis_angle(cm_v(0, 1, 0), CM_REAL(1.5707963267948966), &s->upright);
        s->bend = z, s->rolls = true;
        add_foot(s, -0.99 * x, 0), add_foot(s, 0, 0), add_foot(s, 0.99 * x, 0);
        break;
    case STANDER_ELLIPSOID:
        s->shape = cm_make_ellipsoid(s->half);
        s->bend = fmin(x, y) * fmin(x, y) / z;
        add_foot(s, 0, 0);
        break;
    default:
        make_box(s, s->half, r);
    }
    s->reach = 0;
    cm_aabb box;
    cm_pose home = cm_pose_identity();
    cm_shape_bounds(&s->shape, &home, &box);
    for (int i = 0; i < 8; i++) {
        cm_vec3 p = cm_v(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
        s->reach = fmax(s->reach, (double)cm_length(p));
    }
}

void stander_free(stander *s) {
    cm_hull_destroy(s->hull, NULL);
    form_free(&s->form);
}
bool stander_is_box(const stander *s) { return s->kind <= STANDER_BOX_HALVES; }
bool stander_is_convex(const stander *s) { return s->kind != STANDER_BOX_MESH && s->kind != STANDER_BOX_HALVES; }
