/* Small models with known answers, written as the formats that people use. Lengths are metres. */
#ifndef TEST_CLI_SHAPES_H
#define TEST_CLI_SHAPES_H

#include "cli/command.h"

/* A growing OBJ of named parts. */
typedef struct obj {
    char *text;
    size_t used, capacity;
    int points;
} obj;

void obj_box(obj *o, const char *name, double x0, double y0, double z0, double x1, double y1, double z1);
/* Octahedron subdivided `levels` times and put on the sphere: every point lies on it. */
void obj_sphere(obj *o, const char *name, double x, double y, double z, double radius, int levels);
/* Around the z axis, base at z0, apex at z1. */
void obj_cone(obj *o, const char *name, double radius, double z0, double z1, int sides);
/* Writes it to the scratch folder and empties it; returns the path. */
const char *obj_write(obj *o, const char *name);

/* A box alone, as another format. */
const char *stl_box_write(const char *name, bool binary, double x0, double y0, double z0, double x1, double y1,
                          double z1);
const char *ply_box_write(const char *name, double x0, double y0, double z0, double x1, double y1, double z1);

#endif
