/* Boxes, spheres, cones and sheets as triangles. */
#include "support/solids.h"

#include <math.h>

void soup_add(soup *s, cm_vec3 a, cm_vec3 b, cm_vec3 c) {
    if (s->triangles == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->numbers = realloc(s->numbers, s->room * 9 * sizeof(cm_real));
    }
    cm_real *n = s->numbers + 9 * (size_t)s->triangles++;
    n[0] = a.x, n[1] = a.y, n[2] = a.z, n[3] = b.x, n[4] = b.y, n[5] = b.z, n[6] = c.x, n[7] = c.y, n[8] = c.z;
}

void soup_move(soup *s, const cm_pose *pose) {
    for (size_t i = 0; i < 9 * (size_t)s->triangles; i += 3) {
        cm_vec3 p = cm_pose_apply(pose, cm_v(s->numbers[i], s->numbers[i + 1], s->numbers[i + 2]));
        s->numbers[i] = p.x, s->numbers[i + 1] = p.y, s->numbers[i + 2] = p.z;
    }
}

void soup_add_quad(soup *s, cm_vec3 a, cm_vec3 b, cm_vec3 c, cm_vec3 d, bool turn) {
    if (turn) {
        soup_add(s, b, c, d);
        soup_add(s, b, d, a);
    } else {
        soup_add(s, a, b, c);
        soup_add(s, a, c, d);
    }
}

static void soup_add_cut(soup *s, cm_vec3 a, cm_vec3 b, cm_vec3 c, int cuts) {
    if (cuts == 0) {
        soup_add(s, a, b, c);
        return;
    }
    const cm_vec3 ab = cm_scale(cm_add(a, b), CM_REAL(0.5)), bc = cm_scale(cm_add(b, c), CM_REAL(0.5)),
                  ca = cm_scale(cm_add(c, a), CM_REAL(0.5));
    soup_add_cut(s, a, ab, ca, cuts - 1), soup_add_cut(s, ab, b, bc, cuts - 1);
    soup_add_cut(s, ca, bc, c, cuts - 1), soup_add_cut(s, ab, bc, ca, cuts - 1);
}

void soup_add_hull(soup *s, const cm_hull *hull, int cuts) {
    const cm_vec3 *p = cm_hull_vertices(hull);
    for (uint32_t f = 0; f < cm_hull_face_count(hull); f++) {
        cm_hull_face face;
        cm_hull_get_face(hull, f, &face);
        for (uint32_t k = 2; k < face.count; k++)
            soup_add_cut(s, p[face.vertices[0]], p[face.vertices[k - 1]], p[face.vertices[k]], cuts);
    }
}

/* The point u, v in [0, 1] of the face where axis k is at its end; exactly lo or hi at 0 and 1. */
static cm_vec3 face_point(cm_vec3 lo, cm_vec3 hi, int axis, bool top, double u, double v) {
    double at[3];
    at[axis] = top;
    at[(axis + 1) % 3] = u;
    at[(axis + 2) % 3] = v;
    cm_real x = CM_REAL(at[0]), y = CM_REAL(at[1]), z = CM_REAL(at[2]);
    return cm_v(lo.x * (1 - x) + hi.x * x, lo.y * (1 - y) + hi.y * y, lo.z * (1 - z) + hi.z * z);
}

void soup_add_box(soup *s, cm_vec3 lo, cm_vec3 hi, int cells, bool turn, bool inward) {
    for (int axis = 0; axis < 3; ++axis) {
        for (int top = 0; top < 2; ++top) {
            for (int i = 0; i < cells; ++i) {
                for (int k = 0; k < cells; ++k) {
                    double u0 = (double)i / cells, u1 = (double)(i + 1) / cells;
                    double v0 = (double)k / cells, v1 = (double)(k + 1) / cells;
                    cm_vec3 a = face_point(lo, hi, axis, top, u0, v0), b = face_point(lo, hi, axis, top, u1, v0);
                    cm_vec3 c = face_point(lo, hi, axis, top, u1, v1), d = face_point(lo, hi, axis, top, u0, v1);
                    if ((top != 0) != inward) {
                        soup_add_quad(s, a, b, c, d, turn);
                    } else {
                        soup_add_quad(s, a, d, c, b, turn);
                    }
                }
            }
        }
    }
}

void soup_add_sheet(soup *s, cm_real hx, cm_real hy, int cells) {
    cm_vec3 lo = cm_v(-hx, -hy, 0), hi = cm_v(hx, hy, 0);
    for (int i = 0; i < cells; ++i) {
        for (int k = 0; k < cells; ++k) {
            double u0 = (double)i / cells, u1 = (double)(i + 1) / cells;
            double v0 = (double)k / cells, v1 = (double)(k + 1) / cells;
            soup_add_quad(s, face_point(lo, hi, 2, true, u0, v0), face_point(lo, hi, 2, true, u1, v0),
                          face_point(lo, hi, 2, true, u1, v1), face_point(lo, hi, 2, true, u0, v1), false);
        }
    }
}

cm_mesh *soup_build(soup *s, bool solid) {
    cm_mesh_desc desc = {0};
    desc.points = s->numbers;
    desc.point_count = 3 * s->triangles;
    desc.solid = solid;
    cm_mesh *mesh = NULL;
    cm_error error = {CM_OK, NULL, CM_NONE};
    cm_status status = cm_mesh_build(&desc, NULL, &mesh, &error);
    if (status != CM_OK)
        fail_msg("mesh build: %s, field %s, index %u", cm_status_text(status), error.field ? error.field : "-",
                 error.index);
    free(s->numbers);
    memset(s, 0, sizeof *s);
    return mesh;
}

cm_mesh *solid_box(cm_real hx, cm_real hy, cm_real hz, int cells, bool turn) {
    soup s = {0};
    soup_add_box(&s, cm_v(-hx, -hy, -hz), cm_v(hx, hy, hz), cells, turn, false);
    return soup_build(&s, true);
}

static cm_vec3 sphere_point(cm_real radius, int ring, int rings, int segment, int segments) {
    if (ring == 0) return cm_v(0, 0, -radius);
    if (ring == rings) return cm_v(0, 0, radius);
    double theta = 3.14159265358979324 * ring / rings, phi = 2 * 3.14159265358979324 * (segment % segments) / segments;
    double r = (double)radius;
    return cm_v(CM_REAL(r * sin(theta) * cos(phi)), CM_REAL(r * sin(theta) * sin(phi)), CM_REAL(-r * cos(theta)));
}

cm_mesh *solid_sphere(cm_real radius, int rings, int segments) {
    soup s = {0};
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < segments; ++k) {
            cm_vec3 a = sphere_point(radius, i, rings, k, segments),
                    b = sphere_point(radius, i, rings, k + 1, segments);
            cm_vec3 c = sphere_point(radius, i + 1, rings, k + 1, segments);
            cm_vec3 d = sphere_point(radius, i + 1, rings, k, segments);
            if (i > 0) soup_add(&s, a, b, c);
            if (i < rings - 1) soup_add(&s, a, c, d);
        }
    }
    return soup_build(&s, true);
}

cm_mesh *solid_cone(cm_real radius, cm_real height, int segments) {
    soup s = {0};
    cm_vec3 tip = cm_v(0, 0, height / 2), base = cm_v(0, 0, -height / 2);
    for (int k = 0; k < segments; ++k) {
        double p = 2 * 3.14159265358979324 * k / segments,
               q = 2 * 3.14159265358979324 * ((k + 1) % segments) / segments;
        double r = (double)radius;
        cm_vec3 a = cm_v(CM_REAL(r * cos(p)), CM_REAL(r * sin(p)), base.z);
        cm_vec3 b = cm_v(CM_REAL(r * cos(q)), CM_REAL(r * sin(q)), base.z);
        soup_add(&s, a, b, tip);
        soup_add(&s, b, a, base);
    }
    return soup_build(&s, true);
}

cm_mesh *surface_sheet(cm_real hx, cm_real hy, int cells) {
    soup s = {0};
    soup_add_sheet(&s, hx, hy, cells);
    return soup_build(&s, false);
}
