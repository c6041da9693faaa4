/* Reading a model file, whatever is in it.
 *
 * The reader of a format (Assimp, or a program of its own: readers.h) runs in a child process under limits on memory
 * and time, because a broken file can crash it or make it hang or swell. The child sends back a flat description, the
 * stream of docs/reader.md; nothing in it is believed before it was checked. */
#ifndef CLI_IMPORT_H
#define CLI_IMPORT_H

#include "common/overwrite.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMPORT_NONE UINT32_MAX

/* Coordinates beyond this, in the file's unit, are refused. */
#define IMPORT_COORD_MAX 1e15

typedef struct import_limits {
    double memory;  /* bytes; 0 = 768 MiB and 50 times the size of the file */
    double seconds; /* 0 = 300 */
} import_limits;

/* What is asked of a reader. */
typedef struct import_options {
    import_limits limits;
    bool skip_bad;      /* leave out triangles with bad indices or points instead of refusing the file */
    const char *cache;  /* the folder where answers of readers are kept, or NULL */
    double chord;       /* metres that a tessellated curve may be off; 0 = the reader's default */
    double unit;        /* metres of the unit that a file is to have which states none; 0 = the reader's default */
    bool override_unit; /* that is the unit of all files, whatever they state */
} import_options;

/* Triangles as the file has them, in its unit and axes. */
typedef struct import_mesh {
    char *name;              /* clean text; may be empty */
    double *points;          /* x y z ..., finite and within IMPORT_COORD_MAX where a triangle uses them */
    uint32_t point_count;    /* */
    uint32_t *indices;       /* three a triangle, each < point_count */
    uint32_t triangle_count; /* */
    uint32_t polygons;       /* faces with more than three corners, before they were cut into triangles */
    uint32_t lines, dots;    /* left out */
    uint32_t lost;           /* triangles that were lost when polygons were cut */
    uint32_t bad_indices;    /* faces left out because of an index that is out of range */
    uint32_t bad_points;     /* triangles left out because of a point that is no number, or beyond the limit */
    double deviation;        /* of the triangles from the true surface, in the file's unit; < 0 where not known */
} import_mesh;

typedef struct import_node {
    char *name;                      /* clean text; may be empty */
    uint32_t parent;                 /* an earlier node, IMPORT_NONE for the root */
    double local[12];                /* rows of the 3 x 4 matrix to the parent's coordinates; finite */
    uint32_t first_mesh, mesh_count; /* in mesh_refs */
    uint32_t first_property, property_count;
} import_node;

/* What a file says of a node. "id", "class", "type", "storey", "layer", "long_name" are the reader's own keys; those of
 * property sets are "Set.Property". Both are clean text. */
typedef struct import_property {
    char *key, *value;
} import_property;

/* What is in the file and not among the parts. */
typedef enum import_fate {
    IMPORT_APART, /* no body by nature: a space, an opening, a grid, an annotation, curves */
    IMPORT_GONE,  /* has a body, and nothing of it could be read */
    IMPORT_PARTLY /* has a body, and some of it could not be read */
} import_fate;
typedef struct import_left_out {
    import_fate fate;
    char *id, *kind, *name, *reason; /* clean text; all but the reason may be empty; `name` is a path as parts have */
} import_left_out;

/* Where the file's origin lies on the map; scale 0 where the file does not say. */
typedef struct import_place {
    double east, north, height; /* metres */
    double axis[2];             /* the file's x axis on the map: east, north */
    double scale;
    char *system; /* the name of the coordinate system; clean text */
} import_place;

/* What a file says beside its parts. */
typedef struct import_facts {
    import_property *properties;
    uint32_t property_count;
    import_left_out *left_out;
    uint32_t left_out_count;
    import_place place;
} import_facts;

/* A file that the importer opened: the model itself, and what it refers to (buffers, materials). */
typedef struct import_source {
    char *path; /* clean text */
    file_identity identity;
} import_source;

typedef struct import_data {
    char *format;     /* the importer's name for it */
    double unit;      /* metres of the file's unit; 0 where the file does not say */
    char up;          /* 'x', 'y', 'z'; 0 where the file does not say */
    double unit_bias; /* what to assume where the file does not say */
    char up_bias;
    bool single_points, single_places; /* single precision is all that the reader knows: of points, of matrices */
    import_mesh *meshes;
    uint32_t mesh_count;
    import_node *nodes;
    uint32_t node_count;
    uint32_t *mesh_refs;
    uint32_t mesh_ref_count;
    char **notes; /* what the importer said that may matter for geometry, one line each */
    uint32_t note_count;
    import_source *sources;
    uint32_t source_count;
    import_facts facts;
    bool importers_names; /* some names may be Assimp's own, "<STL_BINARY>" */
} import_data;

/* Reads a file. Returns 0, or the exit code after saying what is wrong; `out` is then empty. */
int import_file(const char *path, const import_options *options, import_data *out);
void import_free(import_data *data);
/* Of what it says beside its parts, which may have been taken over from it: then it is zero. */
void import_free_facts(import_facts *facts);
void import_clear_left_out(import_left_out *thing); /* its texts */

/* --- between the two processes ------------------------------------------------------------------------------- */

/* The child's stream (docs/reader.md): a magic number, then records of a tag, a size and so many bytes, in the
 * machine's byte order. */
#define IMPORT_MAGIC UINT64_C(0x324d415254534d43)
#define NOTE_WARNING "warning: "
enum import_tag {
    IMPORT_META = 1, /* f64 unit, unit_bias; u8 up, up_bias, single; text format */
    IMPORT_MESH,   /* u32 points, triangles, polygons, lines, dots, lost, bad_indices, name bytes; f64 deviation; name;
                      f64; u32 */
    IMPORT_NODE,   /* u32 parent, meshes, name bytes; f64 local[12]; name; u32 meshes */
    IMPORT_NOTE,   /* text; one that begins with NOTE_WARNING is said by every command */
    IMPORT_SOURCE, /* u64 device, number; text path; 0, 0: there was no such file */
    IMPORT_FAIL,   /* text: the importer refuses the file, and why */
    IMPORT_END,    /* nothing */
    IMPORT_PROPERTY, /* of the latest node: u32 key bytes; key; value */
    IMPORT_LEFT_OUT, /* u32 fate, id, kind, name bytes; id; kind; name; reason */
    IMPORT_PLACE     /* f64 east, north, height, axis[2], scale; text system */
};
enum { IMPORT_SINGLE_POINTS = 1, IMPORT_SINGLE_PLACES = 2 }; /* bits of `single` */

/* Runs in the child: imports `path`, writes the stream to `fd`. Returns the child's exit status, 0 where the stream is
 * whole (it may hold an IMPORT_FAIL). */
int import_child(const char *path, int fd);

/* Reads a stream. False with a static reason where it is damaged or incomplete; then `out` is to be freed as it is.
 * `refused` gets the text of an IMPORT_FAIL (to be freed), or NULL. */
bool import_parse(const unsigned char *bytes, size_t size, import_data *out, char **refused, const char **wrong);
/* Checks indices and coordinates and drops what is bad, counting it. */
void import_vet(import_data *data);
/* Refuses a vetted file with bad geometry, naming the first mesh that has some, and one without triangles. Returns 0,
 * or EXIT_INPUT after saying what is wrong. */
int import_check(const char *path, const import_data *data, bool skip_bad);
/* Did Assimp say that it dropped faces, which it does by itself? */
bool import_dropped_faces(const import_data *data);

#endif
