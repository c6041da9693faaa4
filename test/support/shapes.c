/* Random convex shapes; bumpy sheets; boxes near triangles and on their way to them. */
#include "support/shapes.h"
#include "support/solids.h"

#define CONVEX_NAME(name, text) text,
const char *const convex_names[CONVEX_KINDS] = {CONVEX_LIST(CONVEX_NAME)};
#undef CONVEX_NAME

cm_shape convex_random(int kind, double size, const cm_hull *hull, rng *r) {
    cm_vec3 half = cm_v(CM_REAL(size * rng_range(r, 0.1, 1)), CM_REAL(size * rng_range(r, 0.1, 1)),
                        CM_REAL(size * rng_range(r, 0.1, 1)));
    switch (kind) {
    case CONVEX_BALL:
        return cm_make_sphere(rng_vec3(r, size), half.x);
    case CONVEX_POINT:
        return cm_make_point(rng_vec3(r, size));
    case CONVEX_SEGMENT:
        return cm_make_segment(rng_vec3(r, size), rng_vec3(r, size));
    case CONVEX_CAPSULE:
        return cm_make_capsule(rng_vec3(r, size), rng_vec3(r, size), half.x / 2);
    case CONVEX_TRIANGLE:
        return cm_make_triangle(rng_vec3(r, size), rng_vec3(r, size), rng_vec3(r, size));
    case CONVEX_BOX:
        return cm_make_box(half);
    case CONVEX_ROUNDED:
        return cm_make_rounded_box(half, half.z / 3);
    case CONVEX_CYLINDER:
        return cm_make_cylinder(half.x, half.y);
    case CONVEX_CONE:
        return cm_make_cone(half.x, half.y);
    case CONVEX_ELLIPSOID:
        return cm_make_ellipsoid(half);
    default:
        return cm_make_hull(hull);
    }
}

cm_shape textbook_random(rng *r, int kind, double size) {
    const double middle = rng_below(r, 3) == 0 ? size : 0;
    const cm_vec3 p = rng_vec3(r, kind ? size : middle);
    cm_shape s = cm_make_point(p);
    if (kind == 1 || kind == 2) {
        const cm_vec3 q = rng_vec3(r, size);
        s = kind == 1 ? cm_make_segment(p, q) : cm_make_triangle(p, q, rng_vec3(r, size));
    }
    if (kind == 3) s = cm_make_box(cm_vec3_abs(p));
    if (kind == 1 && rng_below(r, 4) == 0) s.u.segment.a = cm_v(0, -1, 0), s.u.segment.b = cm_v(0, 1, 0);
    if (kind == 2 && rng_below(r, 8) == 0) s.u.triangle.c = s.u.triangle.b; /* no area */
    if (kind < 2 || rng_below(r, 3) == 0) s.radius = CM_REAL(rng_range(r, 0, size));
    if (rng_below(r, 16) == 0) s.radius = 0;
    return s;
}

cm_hull *hull_random(uint32_t count, double half, rng *r) {
    cm_vec3 points[64];
    assert_true(count <= 64);
    for (uint32_t i = 0; i < count; i++) points[i] = rng_vec3(r, half);
    return hull_of(points, count);
}

cm_mesh *surface_bumps(int cells, cm_real height, rng *r) {
    soup s = {NULL, 0, 0};
    cm_real z[32][32];
    for (int i = 0; i <= cells; i++)
        for (int k = 0; k <= cells; k++) z[i][k] = height * CM_REAL(rng_range(r, -1, 1));
    for (int i = 0; i < cells; i++) {
        for (int k = 0; k < cells; k++) {
            cm_real x = CM_REAL(i) - CM_REAL(cells) / 2, y = CM_REAL(k) - CM_REAL(cells) / 2;
            soup_add_quad(&s, cm_v(x, y, z[i][k]), cm_v(x + 1, y, z[i + 1][k]), cm_v(x + 1, y + 1, z[i + 1][k + 1]),
                          cm_v(x, y + 1, z[i][k + 1]), rng_below(r, 2) == 0);
        }
    }
    return soup_build(&s, false);
}

cm_shape mesh_triangle(const cm_mesh *mesh, uint32_t t) {
    uint32_t c[3];
    const cm_vec3 *p = cm_mesh_points(mesh);
    cm_mesh_corners(mesh, t, c);
    return cm_make_triangle(p[c[0]], p[c[1]], p[c[2]]);
}

double box_gap(const cm_aabb *box, const cm_triangle *c) {
    const cm_real low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    const cm_real at[3][3] = {{c->a.x, c->b.x, c->c.x}, {c->a.y, c->b.y, c->c.y}, {c->a.z, c->b.z, c->c.z}};
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double lo = (double)cm_min(at[k][0], cm_min(at[k][1], at[k][2]));
        double hi = (double)cm_max(at[k][0], cm_max(at[k][1], at[k][2]));
        double gap = lo - (double)high[k] > (double)low[k] - hi ? lo - (double)high[k] : (double)low[k] - hi;
        if (gap > 0) sum += gap * gap;
    }
    return sum;
}

bool box_meets(const cm_aabb *box, cm_vec3 move, double limit, const cm_triangle *c) {
    const cm_real low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    const cm_real at[3][3] = {{c->a.x, c->b.x, c->c.x}, {c->a.y, c->b.y, c->c.y}, {c->a.z, c->b.z, c->c.z}};
    const cm_real along[3] = {move.x, move.y, move.z};
    double first = 0, last = limit;
    for (int k = 0; k < 3; ++k) {
        double lo = (double)cm_min(at[k][0], cm_min(at[k][1], at[k][2]));
        double hi = (double)cm_max(at[k][0], cm_max(at[k][1], at[k][2]));
        double a = lo - (double)high[k], b = hi - (double)low[k], v = (double)along[k];
        if (v == 0) {
            if (a > 0 || b < 0) return false;
            continue;
        }
        double t0 = v > 0 ? a / v : b / v, t1 = v > 0 ? b / v : a / v;
        first = t0 > first ? t0 : first, last = t1 < last ? t1 : last;
    }
    return first <= last;
}
