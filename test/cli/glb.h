/* Small glTF files for tests: JSON and a binary chunk. */
#ifndef TEST_CLI_GLB_H
#define TEST_CLI_GLB_H

#include "cli/command.h"
#include "cli/totals.h"

/* A file being made. Each view is a piece of the one buffer. */
typedef struct glb {
    unsigned char bytes[1 << 15];
    size_t used;
    char views[4096];     /* JSON of the bufferViews */
    char accessors[8192]; /* JSON of the accessors */
    int view_count, accessor_count;
} glb;

/* Adds bytes as a view; returns its number. `more`: further members, or "". */
int glb_view(glb *g, const void *bytes, size_t size, const char *more);
/* Adds an accessor; returns its number. view < 0: none. */
int glb_accessor(glb *g, int view, int component, int count, const char *type, const char *more);
/* The corners of the unit cube and its triangles, as 32 bit floats and 16 bit indices: accessors 0 and 1. */
void glb_cube(glb *g);
extern const float cube_corners[8][3];
extern const uint16_t cube_triangles[36];
/* Writes name.glb with the members at the top, formatted ("nodes", "meshes" ...); returns its path. */
const char *glb_write(const glb *g, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reads a file that must be readable; the number of its parts, of which up to `capacity` are described. `notes` gets
 * all notes, and what was left out, in one text (to be freed), or is NULL. */
int read_parts(const char *path, part_totals *out, int capacity, char **notes);
/* Is there a part with such bounds, to 1e-12 of their size? Prints the part otherwise. */
void check_box(const part_totals *p, double x0, double y0, double z0, double x1, double y1, double z1);

/* A cube in the scene, by node 0. */
#define CUBE_SCENE "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"cube\",\"mesh\":0}]"
#define CUBE_MESH  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]"

#endif
