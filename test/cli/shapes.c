#define _DEFAULT_SOURCE
#include "cli/shapes.h"

#include <math.h>
#include <stdarg.h>

static void add(obj *o, const char *format, ...) {
    if (o->capacity - o->used < 256) {
        o->capacity = 2 * o->capacity + 4096;
        o->text = realloc(o->text, o->capacity);
    }
    va_list arguments;
    va_start(arguments, format);
    o->used += (size_t)vsnprintf(o->text + o->used, o->capacity - o->used, format, arguments);
    va_end(arguments);
}

/* Corner i has the high x, y, z where bit 0, 1, 2 of i is set; faces counter-clockwise from outside. */
static const int box_faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void box_corners(double corners[8][3], const double low[3], const double high[3]) {
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) corners[i][k] = i >> k & 1 ? high[k] : low[k];
}

void obj_box(obj *o, const char *name, double x0, double y0, double z0, double x1, double y1, double z1) {
    double corners[8][3], low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
    box_corners(corners, low, high);
    add(o, "o %s\n", name);
    for (int i = 0; i < 8; i++) add(o, "v %.9g %.9g %.9g\n", corners[i][0], corners[i][1], corners[i][2]);
    for (int i = 0; i < 12; i++)
        add(o, "f %d %d %d\n", o->points + box_faces[i][0] + 1, o->points + box_faces[i][1] + 1,
            o->points + box_faces[i][2] + 1);
    o->points += 8;
}

/* One face of the octahedron as a triangular grid of n rows; neighbours repeat points, which welding joins: the
 * numbers printed are equal because they are computed from equal integers. */
void obj_sphere(obj *o, const char *name, double x, double y, double z, double radius, int levels) {
    int n = 1 << levels;
    add(o, "o %s\n", name);
    for (int face = 0; face < 8; face++) {
        int sx = face & 1 ? -1 : 1, sy = face & 2 ? -1 : 1, sz = face & 4 ? -1 : 1, first = o->points;
        for (int i = 0; i <= n; i++)
            for (int k = 0; k <= n - i; k++) {
                int a = i, b = k, c = n - i - k;
                double length = sqrt((double)(a * a + b * b + c * c));
                add(o, "v %.9g %.9g %.9g\n", x + radius * sx * a / length, y + radius * sy * b / length,
                    z + radius * sz * c / length);
                o->points++;
            }
        bool turned =
            sx * sy * sz > 0; /* rows run along x, columns along y: clockwise from outside where no axis is turned */
        for (int i = 0, row = first; i < n; row += n - i + 1, i++)
            for (int k = 0; k < n - i; k++) {
                int p = row + k + 1, q = row + k + 2, r = row + (n - i + 1) + k + 1;
                add(o, "f %d %d %d\n", p, turned ? q : r, turned ? r : q);
                if (k + 1 < n - i) add(o, "f %d %d %d\n", q, turned ? r + 1 : r, turned ? r : r + 1);
            }
    }
}

void obj_cone(obj *o, const char *name, double radius, double z0, double z1, int sides) {
    add(o, "o %s\nv 0 0 %.9g\nv 0 0 %.9g\n", name, z0, z1);
    int base = o->points + 1, apex = base + 1, ring = base + 2;
    for (int i = 0; i < sides; i++) {
        double angle = 2 * 3.14159265358979323846 * i / sides;
        add(o, "v %.9g %.9g %.9g\n", radius * cos(angle), radius * sin(angle), z0);
    }
    for (int i = 0; i < sides; i++) {
        int p = ring + i, q = ring + (i + 1) % sides;
        add(o, "f %d %d %d\nf %d %d %d\n", base, q, p, apex, p, q);
    }
    o->points += sides + 2;
}

const char *obj_write(obj *o, const char *name) {
    const char *path = write_bytes(name, o->text, o->used);
    free(o->text);
    *o = (obj){0};
    return path;
}

const char *stl_box_write(const char *name, bool binary, double x0, double y0, double z0, double x1, double y1,
                          double z1) {
    double corners[8][3], low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
    box_corners(corners, low, high);
    if (binary) {
        unsigned char bytes[84 + 12 * 50] = {0};
        uint32_t count = 12;
        memcpy(bytes + 80, &count, 4);
        for (int i = 0; i < 12; i++)
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++) {
                    float value = (float)corners[box_faces[i][c]][k];
                    memcpy(bytes + 84 + 50 * i + 12 + 12 * c + 4 * k, &value, 4);
                }
        return write_bytes(name, bytes, sizeof bytes);
    }
    obj text = {0};
    add(&text, "solid box\n");
    for (int i = 0; i < 12; i++) {
        add(&text, "facet normal 0 0 0\nouter loop\n");
        for (int c = 0; c < 3; c++) {
            const double *p = corners[box_faces[i][c]];
            add(&text, "vertex %.9g %.9g %.9g\n", p[0], p[1], p[2]);
        }
        add(&text, "endloop\nendfacet\n");
    }
    add(&text, "endsolid box\n");
    return obj_write(&text, name);
}

const char *ply_box_write(const char *name, double x0, double y0, double z0, double x1, double y1, double z1) {
    double corners[8][3], low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
    box_corners(corners, low, high);
    obj text = {0};
    add(&text, "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
               "element face 12\nproperty list uchar int vertex_indices\nend_header\n");
    for (int i = 0; i < 8; i++) add(&text, "%.9g %.9g %.9g\n", corners[i][0], corners[i][1], corners[i][2]);
    for (int i = 0; i < 12; i++) add(&text, "3 %d %d %d\n", box_faces[i][0], box_faces[i][1], box_faces[i][2]);
    return obj_write(&text, name);
}
