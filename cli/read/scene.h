/* What was read from the files: parts placed in one world, sharing meshes. All lengths are metres. */
#ifndef CLI_SCENE_H
#define CLI_SCENE_H

#include "read/import.h"

#include <carom/carom.h>

typedef struct scene_mesh {
    cm_mesh *mesh;
    cm_mesh_info info;
    uint32_t source_triangles; /* the mesh has these first, then what T-junctions cut off them */
    uint32_t closed_junctions; /* corners at which triangles were cut: read/junctions.h */
    double deviation;          /* of the triangles from the true surface, metres; < 0 where not known */
} scene_mesh;

typedef struct scene_part {
    char *name;    /* path of its node in the file, "engine/crank/pin"; file name first where several files are read */
    uint32_t file; /* index of its file */
    uint32_t mesh;
    cm_pose pose;
    cm_aabb box;                             /* around it where it stands */
    uint32_t first_property, property_count; /* in its file's properties */
    uint32_t node, parent;                   /* of the file's tree; IMPORT_NONE = none */
} scene_part;

typedef struct scene_file {
    char *path;
    char *format;                               /* the importer's name for it */
    double unit;                                /* metres of one of the file's units */
    bool unit_assumed;                          /* neither the file nor --unit told */
    char up;                                    /* 'x', 'y' or 'z': of the file; the world has that of the first file */
    bool up_assumed;                            /* neither the file nor --up told */
    uint32_t dropped_triangles, dropped_points; /* not usable: see notes */
    char **notes;                               /* what was dropped or repaired, one line each */
    uint32_t note_count;
    uint32_t part_count;               /* before --ignore */
    uint32_t mesh_count;               /* its own, one after the other in the scene */
    bool unit_stated, up_stated;       /* by the file */
    bool single_points, single_places; /* see import_data */
    double farthest;                   /* metres: the largest coordinate that is single precision; 0: none is */
    import_facts facts;                /* what is left out without what --ignore matches */
    cm_check_property *properties;     /* those of the facts, as selectors read them */
    uint32_t gone, partly;             /* parts of left_out: IMPORT_GONE, IMPORT_PARTLY */
    uint32_t broken;                   /* of left_out: what is wrong with the file and no part's own */
} scene_file;

typedef struct scene {
    scene_file *files;
    uint32_t file_count;
    scene_mesh *meshes;
    uint32_t mesh_count;
    scene_part *parts;
    uint32_t part_count;
    char up;                /* of the world */
    uint32_t ignored_parts; /* left out by --ignore */
    uint32_t left_out;      /* parts besides that read_options.left_out matches */
} scene;

/* Meshes of a scene where not all of them are in memory at once: `each` calls take(user, first, end) until each mesh
 * was in one such range, in order. Those of the range have their `mesh` then. To be asked once. */
typedef struct mesh_stream {
    void (*each)(struct mesh_stream *stream, void (*take)(void *user, uint32_t first, uint32_t end), void *user);
} mesh_stream;

/* What the file says of a part under a key ("id", "class", "Pset_WallCommon.IsExternal"), or NULL. */
const char *part_property(const scene *s, const scene_part *part, const char *key);

#endif
