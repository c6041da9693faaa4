/* From files to a scene: imports each, decides unit and axes, cuts it into parts and builds their meshes. */
#ifndef CLI_READ_H
#define CLI_READ_H

#include "read/import.h"
#include "read/scene.h"

typedef enum part_kind {
    PART_NODE,     /* a node with all its meshes */
    PART_MESH,     /* each mesh of a node */
    PART_COMPONENT /* each connected piece, after welding */
} part_kind;

typedef struct read_options {
    double unit;        /* metres, for files that do not state it; 0 = the format's habit */
    char up;            /* likewise; 0 = the format's habit */
    bool override_unit; /* take the unit for all files, whatever they state */
    part_kind part;
    double weld; /* metres: points within are joined; 0 = equal points only */
    import_options import;
    const char **ignore; /* patterns */
    uint32_t ignore_count;
    const char *left_out;  /* a selector of what is left out besides, unless it is asked for; NULL = nothing */
    const char **sought;   /* selectors, which are asked whether they match what `left_out` leaves out */
    bool *sought_left_out; /* one each: set where it does */
    uint32_t sought_count;
    bool *ignore_used;           /* one a pattern: set where it matched a part; may be NULL */
    int threads;                 /* for building; 0 = one a CPU */
    bool one_file;               /* names need no file in front (there is but one) */
    bool as_it_stands;           /* no file is turned to another's axes: files that belong to no common world */
    char world_up;               /* 'x', 'y', 'z': the world's axes; 0 = those of the first file */
    const output_files *outputs; /* none of them may be a file that is read; may be NULL */
} read_options;

/* Reads the files into one scene. Returns 0, or the exit code after saying what is wrong (the scene is then empty).
 * `seconds` gets the time spent on importing and on building. */
int read_scene(const char *const *paths, uint32_t count, const read_options *options, scene *out, double seconds[2]);
void free_scene(scene *s);
/* The properties of a file as selectors read them; they stay the facts'. free() the list. */
cm_check_property *list_properties(const import_facts *facts);

/* What one of several processes reads: some of the files. */
typedef struct read_share {
    const bool *mine; /* one a file */
    /* Which axis points up in the world, which the first file decides: called once before anything is placed, by the
     * process that reads the first file with that file's axis, else with 0. Its answer 0 ends the reading. */
    char (*up)(void *user, char own);
    void *user;
    uint32_t failed; /* the file that could not be read, where the answer is not 0 */
} read_share;
/* As read_scene, but only the files of the share, whose parts have the names that they have among those of all files;
 * and without the warnings that need all files. */
int read_share_of_scene(const char *const *paths, uint32_t count, const read_options *options, read_share *share,
                        scene *out, double seconds[2]);
/* Warns of files that stand far apart, or where single precision is too coarse for them. */
void warn_of_places(const scene *s);

/* The diagonal of the box around all parts, and the box. */
double scene_bounds(const scene *s, cm_aabb *out);

#endif
