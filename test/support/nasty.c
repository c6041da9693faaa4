/* See nasty.h. */
#include "support/nasty.h"

#include <math.h>
#include <time.h>

void nasty_turn(nasty *n) {
    static const double scales[] = {1e-38, 1e-44, 1e-37, 1e-30, 1e-20, 1e-12, 1e-4, 1, 1, 1, 100, 1e5, 1e8, 1e12, 0, 0};
    uint32_t i = rng_below(&n->r, 16);
    n->scale = scales[i];
    if (i == 14) n->scale = (double)CM_COORD_MAX / 4;
    if (i == 15) n->scale = (double)CM_COORD_MAX;
    n->abyss = false;
    n->mixed = rng_below(&n->r, 4) == 0;
    if (sizeof(cm_real) == sizeof(double) && i < 2) {
        n->scale = i ? 0x1p-1074 : 1e-310;
        n->abyss = true;
    }
    n->wild = rng_below(&n->r, 3) == 0 ? 1 + rng_below(&n->r, 30) : 0;
}

static cm_real wild_real(nasty *n) {
    static const double wild[] = {HUGE_VAL, -HUGE_VAL, (double)CM_REAL_MAX, -(double)CM_REAL_MAX, 1e38, -1e16,
                                  -1,       -0.0};
    uint32_t i = rng_below(&n->r, 10);
    return i < 8 ? CM_REAL(wild[i]) : (cm_real)NAN;
}

cm_real nasty_real(nasty *n) {
    rng *r = &n->r;
    if (n->wild && rng_below(r, 1000) < n->wild) return wild_real(n);
    double s = n->scale, sign = rng_below(r, 2) ? 1 : -1;
    switch (rng_below(r, 16)) {
    case 0:
    case 1:
        return 0;
    case 2:
        return CM_REAL(-0.0);
    case 3:
    case 4:
        return CM_REAL(s * sign);
    case 5:
        return cm_min(CM_REAL(s * sign) * (1 + CM_REAL_EPSILON), CM_COORD_MAX);
    case 6:
        return CM_REAL(s * sign) * (1 - CM_REAL_EPSILON / 2);
    case 7:
        return CM_REAL(s * sign * rng_unit(r) * (double)CM_REAL_EPSILON);
    case 8: /* of any size */
        if (!n->mixed) return CM_REAL(rng_range(r, -s, s));
        return CM_REAL(sign * rng_log_range(r, fmax((double)CM_REAL_MIN, 1e-60), (double)CM_COORD_MAX));
    case 9: /* smaller than the others by a lot, not by all */
        return CM_REAL(s * sign * rng_log_range(r, 1e-12, 1));
    case 10:
        return CM_REAL(sign * (double)rng_below(r, 5) * s / 4);
    default:
        return CM_REAL(rng_range(r, -s, s));
    }
}

cm_real nasty_size(nasty *n) {
    cm_real x = nasty_real(n);
    return n->wild ? x : cm_abs(x);
}
cm_vec3 nasty_vec3(nasty *n) {
    cm_real x = nasty_real(n), y = nasty_real(n), z = nasty_real(n);
    return cm_v(x, y, z);
}
cm_vec3 nasty_sizes(nasty *n) {
    cm_real x = nasty_size(n), y = nasty_size(n), z = nasty_size(n);
    return cm_v(x, y, z);
}

cm_quat nasty_quat(nasty *n) {
    rng *r = &n->r;
    cm_quat q = cm_quat_identity();
    uint32_t kind = rng_below(r, 10);
    if (n->wild && rng_below(r, 200) < n->wild) {
        q.x = nasty_real(n), q.y = wild_real(n), q.z = nasty_real(n), q.w = nasty_real(n);
        return q;
    }
    if (kind < 3) return q;
    if (kind < 5) { /* exact halves and quarters of a turn */
        const cm_real h = CM_REAL(0.70710678118654752440), half = CM_REAL(0.5);
        const cm_real t[5][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {h, 0, 0, h}, {0, -h, 0, h}, {half, half, -half, half}};
        const cm_real *c = t[rng_below(r, 5)];
        q.x = c[0], q.y = c[1], q.z = c[2], q.w = c[3];
        return q;
    }
    if (kind == 5) { /* nearly none */
        q.x = CM_REAL(rng_log_range(r, 1e-30, 1e-3));
        return cm_quat_normalize(q);
    }
    q = rng_rotation(r);
    if (kind == 6 && rng_below(r, 4) == 0) { /* as far from unit as is still allowed */
        cm_real s = CM_REAL(rng_range(r, 0.9992, 1.0008));
        q.x *= s, q.y *= s, q.z *= s, q.w *= s;
    }
    return q;
}

cm_pose nasty_pose(nasty *n) {
    cm_pose p;
    p.position = rng_below(&n->r, 4) ? nasty_vec3(n) : cm_v(0, 0, 0);
    p.rotation = nasty_quat(n);
    return p;
}

cm_vec3 nasty_direction(nasty *n) {
    rng *r = &n->r;
    if (n->wild && rng_below(r, 200) < n->wild) return nasty_vec3(n);
    uint32_t kind = rng_below(r, 6);
    cm_real sign = rng_below(r, 2) ? 1 : -1;
    if (kind < 3) return cm_v(kind == 0 ? sign : 0, kind == 1 ? sign : 0, kind == 2 ? sign : 0);
    if (kind == 3) return cm_normalize(cm_v(sign, CM_REAL(rng_log_range(r, 1e-40, 1e-3)), 0), cm_v(1, 0, 0));
    return rng_direction(r);
}

bool nasty_is_finite(cm_vec3 v) { return cm_largest(v) <= CM_REAL_MAX && v.x == v.x && v.y == v.y && v.z == v.z; }
bool nasty_is_unit(cm_vec3 v) { return cm_abs(cm_length(v) - 1) <= CM_REAL(2e-3); }

/* --- shapes ---------------------------------------------------------------------------------------------------- */

static void fill_points(cm_vec3 *points, uint32_t count, nasty *n) {
    uint32_t kind = rng_below(&n->r, 6);
    cm_vec3 a = nasty_vec3(n), b = nasty_vec3(n), c = nasty_vec3(n);
    for (uint32_t i = 0; i < count; i++) {
        points[i] = nasty_vec3(n);
        if (kind == 0) points[i] = cm_lerp(a, b, CM_REAL(rng_unit(&n->r)));     /* a line */
        if (kind == 1) points[i].z = a.z;                                       /* flat */
        if (kind == 2) points[i] = cm_lerp(a, c, (cm_real)rng_below(&n->r, 2)); /* two points */
        if (kind == 3 && i > 0 && rng_below(&n->r, 2)) points[i] = points[rng_below(&n->r, i)];
        if (kind == 4) points[i] = cm_mul_add(a, CM_REAL_EPSILON, points[i]); /* close together, far away */
    }
}

static cm_hull *build_hull(nasty *n) {
    cm_vec3 points[24];
    cm_hull *hull = NULL;
    uint32_t count = 1 + rng_below(&n->r, 24);
    fill_points(points, count, n);
    cm_hull_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &points[0].x;
    desc.point_count = count;
    if (rng_below(&n->r, 4) == 0) desc.max_vertices = 4 + rng_below(&n->r, 8);
    if (rng_below(&n->r, 4) == 0) desc.merge = nasty_real(n);
    if (rng_below(&n->r, 4) == 0) desc.scale = nasty_vec3(n);
    cm_hull_build(&desc, NULL, &hull, NULL);
    return hull;
}

static cm_mesh *build_mesh(nasty *n) {
    cm_vec3 points[24];
    uint16_t indices[3 * 40];
    cm_mesh *mesh = NULL;
    uint32_t count = 3 + rng_below(&n->r, 21), triangles = 1 + rng_below(&n->r, 40);
    fill_points(points, count, n);
    for (uint32_t i = 0; i < 3 * triangles; i++) indices[i] = (uint16_t)rng_below(&n->r, count);
    cm_mesh_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &points[0].x;
    desc.point_count = count;
    desc.indices = indices;
    desc.index_size = 2;
    desc.triangle_count = triangles;
    if (rng_below(&n->r, 2)) { /* closed: a box in some shape */
        static const uint16_t box[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
        for (uint32_t i = 0; i < 8 && rng_below(&n->r, 4); i++)
            points[i] =
                cm_v(i & 1 ? CM_REAL(n->scale) : 0, i & 2 ? CM_REAL(n->scale) : 0, i & 4 ? CM_REAL(n->scale) : 0);
        for (uint32_t i = count; i < 8; i++) points[i] = nasty_vec3(n);
        memcpy(indices, box, sizeof box);
        desc.point_count = count > 8 ? count : 8;
        desc.triangle_count = 12;
        desc.solid = true;
    }
    if (rng_below(&n->r, 4) == 0) desc.weld = nasty_real(n);
    if (rng_below(&n->r, 4) == 0) desc.scale = nasty_vec3(n);
    desc.flip = rng_below(&n->r, 4) == 0;
    cm_mesh_build(&desc, NULL, &mesh, NULL);
    return mesh;
}

static cm_height_field *build_field(nasty *n) {
    cm_real heights[64];
    uint8_t holes[49];
    cm_height_field *field = NULL;
    cm_height_field_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.heights = heights;
    desc.columns = 2 + rng_below(&n->r, 7);
    desc.rows = 2 + rng_below(&n->r, 7);
    for (int i = 0; i < 64; i++) heights[i] = nasty_real(n);
    for (int i = 0; i < 49; i++) holes[i] = rng_below(&n->r, 3) == 0;
    if (rng_below(&n->r, 3) == 0) desc.holes = holes;
    desc.column_spacing = nasty_size(n);
    desc.row_spacing = rng_below(&n->r, 3) ? CM_REAL(n->scale / 4) : nasty_size(n);
    if (rng_below(&n->r, 3)) desc.column_spacing = CM_REAL(n->scale / 4);
    if (rng_below(&n->r, 4) == 0) desc.scale = nasty_real(n);
    if (rng_below(&n->r, 2)) desc.origin = nasty_vec3(n);
    desc.ground = (cm_ground)rng_below(&n->r, 6);
    desc.other_diagonal = rng_below(&n->r, 2);
    cm_height_field_build(&desc, NULL, &field, NULL);
    return field;
}

/* A support function that keeps to its contract, or lies: it is pure, and that is all. */
static void told_support(const void *user, const double direction[3], double point[3]) {
    int kind = *(const int *)user;
    double l = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    for (int k = 0; k < 3; k++) point[k] = l > 0 ? direction[k] / l : 0;
    if (kind == 1) memset(point, 0, 3 * sizeof *point);
    if (kind == 2) point[0] = direction[0] > direction[1] ? HUGE_VAL - HUGE_VAL : 0.5;
    if (kind == 3) point[0] = -point[0], point[1] = point[1] * point[2]; /* not convex */
}
static const int told_kinds[4] = {0, 1, 2, 3};

static cm_shape child_shape(nasty_shape *s, nasty *n) {
    cm_vec3 a = nasty_vec3(n), b = nasty_vec3(n), c = nasty_vec3(n);
    switch (rng_below(&n->r, 8)) {
    case 0:
        return cm_make_sphere(a, nasty_size(n));
    case 1:
        return cm_make_capsule(a, b, nasty_size(n));
    case 2:
        return cm_make_triangle(a, b, c);
    case 3:
        return cm_make_rounded_box(nasty_sizes(n), nasty_size(n));
    case 4:
        return cm_make_ellipsoid(nasty_sizes(n));
    case 5:
        if (!s->child_hull) s->child_hull = build_hull(n);
        if (s->child_hull) return cm_make_hull(s->child_hull);
        return cm_make_cone(nasty_size(n), nasty_size(n));
    case 6:
        if (!s->child_mesh) s->child_mesh = build_mesh(n);
        if (s->child_mesh) return cm_make_mesh(s->child_mesh);
        return cm_make_point(a);
    default:
        return cm_make_cylinder(nasty_size(n), nasty_size(n));
    }
}

static cm_compound *build_compound(nasty_shape *s, nasty *n) {
    cm_compound_child children[6];
    cm_compound *compound = NULL;
    memset(children, 0, sizeof children);
    uint32_t count = 1 + rng_below(&n->r, 6);
    for (uint32_t i = 0; i < count; i++) {
        children[i].shape = child_shape(s, n);
        children[i].pose = nasty_pose(n);
    }
    cm_compound_desc desc = {.children = children, .count = count};
    cm_compound_build(&desc, NULL, &compound, NULL);
    return compound;
}

void nasty_shape_of(nasty_shape *s, cm_kind kind, nasty *n) {
    memset(s, 0, sizeof *s);
    cm_vec3 a = nasty_vec3(n), b = nasty_vec3(n), c = nasty_vec3(n);
    cm_shape *shape = &s->shape;
    int told;
    switch ((int)kind) {
    case CM_SHAPE_POINT:
        *shape = cm_make_point(a);
        break;
    case CM_SHAPE_SEGMENT:
        *shape = cm_make_segment(a, rng_below(&n->r, 5) ? b : a);
        break;
    case CM_SHAPE_TRIANGLE: /* every third a needle */
        if (rng_below(&n->r, 3) == 0) c = cm_mul_add(a, CM_REAL(rng_unit(&n->r)), cm_sub(b, a));
        *shape = cm_make_triangle(a, b, c);
        break;
    case CM_SHAPE_BOX:
        *shape = cm_make_box(nasty_sizes(n));
        break;
    case CM_SHAPE_CYLINDER:
        *shape = cm_make_cylinder(nasty_size(n), nasty_size(n));
        break;
    case CM_SHAPE_CONE:
        *shape = cm_make_cone(nasty_size(n), nasty_size(n));
        break;
    case CM_SHAPE_ELLIPSOID:
        *shape = cm_make_ellipsoid(nasty_sizes(n));
        break;
    case CM_SHAPE_HULL:
        *shape = cm_make_hull(s->hull = build_hull(n));
        break;
    case CM_SHAPE_CUSTOM:
        told = rng_below(&n->r, 2) ? 0 : (int)rng_below(&n->r, 4);
        *shape = cm_make_custom(told_support, &told_kinds[told], rng_below(&n->r, 2) ? cm_v(0, 0, 0) : a,
                                rng_below(&n->r, 2) ? 2 : nasty_size(n));
        /* the ball of radius 1 around the origin, in part beyond the stated size */
        s->lies = told > 1 || !(cm_length(shape->u.custom.center) + !told <= shape->u.custom.size);
        break;
    case CM_SHAPE_HALFSPACE:
        *shape = cm_make_halfspace(nasty_direction(n), nasty_real(n));
        break;
    case CM_SHAPE_MESH:
        *shape = cm_make_mesh(s->mesh = build_mesh(n));
        break;
    case CM_SHAPE_HEIGHT_FIELD:
        *shape = cm_make_height_field(s->field = build_field(n));
        break;
    case CM_SHAPE_COMPOUND:
        *shape = cm_make_compound(s->compound = build_compound(s, n));
        break;
    default: /* no kind at all */
        *shape = cm_make_point(a);
        shape->kind = kind;
        break;
    }
    bool convex = kind < CM_SHAPE_MESH;
    if (convex && rng_below(&n->r, 3) == 0) shape->radius = nasty_size(n);
}

void nasty_shape_random(nasty_shape *s, nasty *n) {
    uint32_t kind = rng_below(&n->r, CM_SHAPE_KINDS);
    if (n->wild && rng_below(&n->r, 1000) < n->wild) kind = CM_SHAPE_KINDS + rng_below(&n->r, 3);
    nasty_shape_of(s, (cm_kind)kind, n);
}

void nasty_shape_free(nasty_shape *s) {
    cm_compound_destroy(s->compound, NULL);
    cm_hull_destroy(s->hull, NULL);
    cm_hull_destroy(s->child_hull, NULL);
    cm_mesh_destroy(s->mesh, NULL);
    cm_mesh_destroy(s->child_mesh, NULL);
    cm_height_field_destroy(s->field, NULL);
}

/* --- the rest -------------------------------------------------------------------------------------------------- */

bool nasty_untouched(const void *out, size_t size) {
    for (const unsigned char *at = out, *end = at + size; at < end; at++)
        if (*at != NASTY_FILL) return false;
    return true;
}

double nasty_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_vec3(const char *what, cm_vec3 v) {
    print_error(" %s {%a, %a, %a}", what, (double)v.x, (double)v.y, (double)v.z);
}

void nasty_print_pose(const char *what, const cm_pose *p) {
    print_error("%s:", what);
    print_vec3("position", p->position);
    print_error(" rotation {%a, %a, %a, %a}\n", (double)p->rotation.x, (double)p->rotation.y, (double)p->rotation.z,
                (double)p->rotation.w);
}

void nasty_print_shape(const char *what, const cm_shape *s) {
    const char *name = cm_kind_name(s->kind);
    print_error("%s: %s radius %a", what, name ? name : "no kind", (double)s->radius);
    int count = 0;
    const cm_field *fields = cm_shape_fields(s->kind, &count);
    for (int i = 0; i < count; i++) {
        const char *at = (const char *)s + fields[i].offset;
        cm_vec3 v;
        cm_real x;
        if (fields[i].type == CM_FIELD_VEC3) memcpy(&v, at, sizeof v), print_vec3(fields[i].name, v);
        if (fields[i].type == CM_FIELD_REAL) memcpy(&x, at, sizeof x), print_error(" %s %a", fields[i].name, (double)x);
    }
    if (s->kind == CM_SHAPE_HULL && s->u.hull)
        for (uint32_t i = 0; i < cm_hull_vertex_count(s->u.hull); i++) print_vec3("", cm_hull_vertices(s->u.hull)[i]);
    if (s->kind == CM_SHAPE_MESH && s->u.mesh) {
        for (uint32_t i = 0; i < cm_mesh_point_count(s->u.mesh); i++) print_vec3("", cm_mesh_points(s->u.mesh)[i]);
        for (uint32_t i = 0, c[3]; i < cm_mesh_triangle_count(s->u.mesh); i++) {
            cm_mesh_corners(s->u.mesh, i, c);
            print_error(" (%u %u %u)", c[0], c[1], c[2]);
        }
    }
    if (s->kind == CM_SHAPE_HEIGHT_FIELD && s->u.height_field) {
        cm_height_field_info info;
        cm_triangle t;
        cm_height_field_get_info(s->u.height_field, &info);
        for (uint32_t i = 0; i < info.triangles; i++) {
            if (!cm_height_field_triangle(s->u.height_field, i, &t)) continue;
            print_vec3("| a", t.a), print_vec3("b", t.b), print_vec3("c", t.c);
        }
    }
    print_error("\n");
    if (s->kind == CM_SHAPE_COMPOUND && s->u.compound) {
        cm_compound_info info;
        cm_compound_get_info(s->u.compound, &info);
        for (uint32_t i = 0; i < info.children; i++) {
            nasty_print_shape("  child", &cm_compound_children(s->u.compound)[i].shape);
            nasty_print_pose("  at", &cm_compound_children(s->u.compound)[i].pose);
        }
    }
}
