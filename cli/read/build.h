/* The meshes of one file, built: each distinct set of source meshes under each distinct stretch once. */
#ifndef CLI_BUILD_H
#define CLI_BUILD_H

#include "read/affine.h"
#include "read/import.h"
#include "read/scene.h"

/* One shape of a part: which of the file's meshes, stretched how. */
typedef struct geometry {
    uint32_t *sources;
    uint32_t source_count;
    double stretch[9]; /* to metres */
    bool mirrored;
    uint32_t next;                   /* with the same hash; IMPORT_NONE ends */
    uint32_t first_mesh, mesh_count; /* what became of it, in the scene */
} geometry;

typedef struct geometry_list {
    geometry *list;
    uint32_t count;
    size_t capacity;
    uint32_t *heads; /* by hash */
    size_t head_count;
} geometry_list;

/* The number of this geometry in the list, where it is added if it is new. Copies `sources`. */
uint32_t geometry_add(geometry_list *all, const uint32_t *sources, uint32_t source_count, const double stretch[9],
                      bool mirrored);
void geometry_free(geometry_list *all);

typedef struct build_options {
    double weld;     /* metres */
    bool components; /* one mesh for each connected piece */
    int threads;     /* 0 = one a CPU */
} build_options;

/* Builds the mesh of each geometry, solid where it is closed, and appends it to the scene, in the order of the list.
 * What is used by one geometry only the data have no more then: a large mesh is not to be in memory twice. Returns 0 or
 * the exit code after saying what is wrong. */
int geometry_build(geometry_list *all, import_data *data, const char *path, const build_options *options, scene *s);

#endif
