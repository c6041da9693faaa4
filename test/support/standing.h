/* Poses as people have them: a body that stands on a table, flush, over an edge or a corner, touching, hovering or a
 * little deep, at nice numbers give or take some ulps; and the forms in which one and the same box may be given. What
 * is true of such a pose is known in closed form, in long double, without the library: see stand_gap and stand_way.
 */
#ifndef SUPPORT_STANDING_H
#define SUPPORT_STANDING_H

#include "support/specimen.h"

/* --- nice numbers ---------------------------------------------------------------------------------------------- */

/* A size from a small set, such as 0.3 or 2. */
double nice_size(rng *r);
/* An offset: 0, one of a small set or the sum or difference of two, of either sign. */
double nice_offset(rng *r);
/* x, or some ulps beside it. */
cm_real nice_ulps(cm_real x, rng *r);
/* One of the 24 rotations of a cube. */
cm_quat cube_rotation(uint32_t number);
/* Angle of a turn about a shared axis: mostly quarter turns and steps of 15 degrees, else any. */
double nice_angle(rng *r);
/* How much a body hovers (> 0) or how deep it is (< 0), for things of about `size`: 0, some ulps, 1e-7 to 1e-2. */
double nice_height(double size, rng *r);
/* The identity, a cube's rotation, a nice place, or any pose. */
cm_pose nice_frame(double size, rng *r);

/* --- forms of one box ------------------------------------------------------------------------------------------ */

/* Name, text. */
#define FORM_LIST(X)                                                                                                   \
    X(BOX, "box")                                                                                                      \
    X(HULL, "hull")                                                                                                    \
    X(MESH_12, "mesh 12")                                                                                              \
    X(MESH_192, "mesh 192")                                                                                            \
    X(FANS, "fans")       /* solid mesh, irregular fans around points in the faces, edges cut by chance */             \
    X(WALLS, "walls")     /* solid mesh, the walls cut into strips, the top into a fan */                              \
    X(SURFACE, "surface") /* 12 triangles, not solid */                                                                \
    X(HALVES, "halves")   /* a compound of two boxes */

typedef enum form_kind {
#define FORM_ENUM(name, text) FORM_##name,
    FORM_LIST(FORM_ENUM)
#undef FORM_ENUM
        FORM_KINDS
} form_kind;
extern const char *const form_names[FORM_KINDS];

typedef struct form {
    form_kind kind;
    cm_shape shape;
    cm_hull *hull;
    cm_mesh *mesh;
    cm_compound *compound;
} form;

/* The box of these halves, centered on the origin, in its own frame. */
void form_box(form *f, form_kind kind, cm_vec3 half, rng *r);
void form_free(form *f);
bool form_is_convex(form_kind kind);

/* --- bodies that stand ----------------------------------------------------------------------------------------- */

/* Name, text. Boxes first: those for which is_box holds. */
#define STANDER_LIST(X)                                                                                                \
    X(BOX, "box")                                                                                                      \
    X(BOX_HULL, "box as hull")                                                                                         \
    X(BOX_MESH, "box as mesh")                                                                                         \
    X(BOX_HALVES, "box of two halves")                                                                                 \
    X(PRISM, "prism, hull")                                                                                            \
    X(CYLINDER, "cylinder")                                                                                            \
    X(CONE, "cone")                                                                                                    \
    X(ROUNDED_BOX, "rounded box")                                                                                      \
    X(TRIANGLE, "flat triangle")                                                                                       \
    X(SPHERE, "sphere")                                                                                                \
    X(CAPSULE, "capsule, upright")                                                                                     \
    X(LOG, "capsule, lying")                                                                                           \
    X(ROLLER, "cylinder, lying")                                                                                       \
    X(ELLIPSOID, "ellipsoid")

typedef enum stander_kind {
#define STANDER_ENUM(name, text) STANDER_##name,
    STANDER_LIST(STANDER_ENUM)
#undef STANDER_ENUM
        STANDER_KINDS
} stander_kind;
extern const char *const stander_names[STANDER_KINDS];

/* A body as it stands: turned by `upright` its foot is at z = -bottom, and up is +z. */
typedef struct stander {
    stander_kind kind;
    form form; /* of boxes */
    cm_shape shape;
    cm_hull *hull;
    cm_quat upright;
    cm_vec3 half;      /* upright; of the box around it */
    double bottom;     /* how far the foot lies below the origin */
    double bend;       /* radius of its surface around the foot where that is a ball or a roll, at least; 0: flat */
    double reach;      /* no point is farther from the origin */
    int feet;          /* points of the foot: */
    double foot[8][2]; /* */
    bool rolls;        /* may turn about its own x axis without its foot leaving the plane */
} stander;

void stander_make(stander *s, stander_kind kind, double scale, rng *r);
void stander_free(stander *s);
bool stander_is_box(const stander *s);
bool stander_is_convex(const stander *s);

/* --- poses ----------------------------------------------------------------------------------------------------- */

/* A table and a body that stands on its top, or nearly. In the stand's own frame the table's top is z = top, its plan
 * the rectangle [-plan, plan], and up is +z; `frame` takes that into the world. */
typedef struct stand {
    cm_pose frame;
    cm_pose table, body; /* in the world */
    cm_vec3 up;          /* of the frame, in the world */
    cm_vec3 table_half;  /* in the stand's frame */
    double plan[2], top;
    double at[3], yaw; /* the body's origin and turn, stand's frame */
    double height;     /* of its foot over the top: the gap where it stands */
    double hold;       /* how far some foot point is within the plan; < 0: none is */
    double scale;      /* the largest coordinate, reach included */
} stand;

/* Places the body: on the table, over an edge or corner, flush, concentric, beside it. */
void stand_make(stand *s, cm_vec3 table_half, const stander *body, rng *r);
/* The same on a table that is turned so: for tables that have but one top. */
void stand_make_turned(stand *s, cm_vec3 table_half, cm_quat turn, const stander *body, rng *r);
/* Is the way up the way out, every other one ten times as long? Then the signed distance is `height`. */
bool stand_holds(const stand *s, const stander *body);
/* Signed distance of the two at rest, for bodies that are boxes. */
double stand_gap(const stand *s, const stander *body);
/* No depth along any axis but the deepest one is less than this; < 0 none. For bodies that are boxes: the least
 * separating axis and the next. `axis`: 0 up, else beside. */
void stand_axes(const stand *s, const stander *body, double sep[5]);

/* A vector of the stand's frame in the world. */
cm_vec3 stand_world(const stand *s, double x, double y, double z);

/* Where the center of `body` may be along an axis, both given by their halves, the table's center being 0: concentric,
 * over the edge, flush with it, beside it, or anywhere. */
double plan_offset(double table, double body, rng *r);

/* What rounding of poses may do to lengths. */
double stand_noise(const stand *s);

/* Times at which a box that moves straight by `move` (stand's frame) has all separations below `limit`: false where
 * never in [0, 1]. *closing: the speed along the axis on which that begins. */
bool stand_enters(const stand *s, const stander *body, const double move[3], double limit, double *from, double *to,
                  double *closing);

/* The gap that a sweep may leave, as sweep.h promises it. */
double promised_gap(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb);

/* Prints it all. */
void stand_print(const stand *s, const stander *body, const char *table);
void pose_print(const char *what, const cm_pose *p);
void motion_print(const char *whose, const cm_motion *m);

/* --- rough ground ---------------------------------------------------------------------------------------------- */

/* A random closed mesh, a random surface or a height field whose highest part is a flat rectangle, cut by chance:
 * `half.z` high and as wide as `half` tells; all else lies lower by `drop` and more. Of its own frame z is up. */
typedef struct rough_ground {
    cm_vec3 half;
    double drop;
    cm_shape shape;
    cm_mesh *mesh;
    cm_height_field *field;
    const char *name;
    bool solid;
} rough_ground;

void rough_ground_make(rough_ground *g, double scale, rng *r);
/* Of a contact with one of its triangles: is that left along the contact's normal by its depth, about, and the whole
 * piece of ground that the body overlaps there by `deep`, the depth of the stand, being all off the top? Then that is a
 * way out of the piece, whatever the top's is. A piece hangs together where the body is in by more than 1e-6 `deep`. */
bool rough_ground_left_beside(const rough_ground *g, const cm_pose *at, uint32_t triangle, const cm_shape *body,
                              const cm_pose *pose, cm_vec3 normal, double depth, double deep);
void rough_ground_free(rough_ground *g);

/* --- every kind ------------------------------------------------------------------------------------------------ */

/* One of every kind of SPECIMEN_LIST, of nice sizes: flat triangles, boxes as hulls, meshes, fields and compounds. */
typedef struct nice_thing {
    specimen_kind kind;
    cm_shape shape;
    cm_hull *hull;
    cm_height_field *field;
    form form;    /* meshes, compounds */
    cm_vec3 half; /* of a custom shape */
} nice_thing;

void nice_thing_make(nice_thing *t, specimen_kind kind, double scale, rng *r);
void nice_thing_free(nice_thing *t);
/* Poses for two: in the same frame, turned by a cube's rotations and about a shared axis, their boxes flush, touching,
 * over each other's sides, concentric, or a little deep, axis by axis. */
void nice_poses(const nice_thing *a, const nice_thing *b, double scale, rng *r, cm_pose *pose_a, cm_pose *pose_b);
void nice_thing_print(const char *name, const nice_thing *t, const cm_pose *pose);

/* --- tallies --------------------------------------------------------------------------------------------------- */

#define TALLY_ROWS    16
#define TALLY_COLUMNS 32

/* Counts of faults, a row a fact, a column a form. */
typedef struct tally_table {
    const char *const *rows;
    const char *const *columns;
    int row_count, column_count;
    long asked[TALLY_ROWS][TALLY_COLUMNS], faults[TALLY_ROWS][TALLY_COLUMNS];
    bool shown[TALLY_ROWS][TALLY_COLUMNS];
} tally_table;

/* Counts one; true where it is the first fault of this row and column, which the caller then prints; of all faults
 * where the environment has CAROM_ALL. */
bool tally_note(tally_table *t, int row, int column, bool fine);
/* Fails the test, and prints the row, where the row has faults or was asked less than `least` times a column. `other`,
 * the same questions by other columns, is printed besides, if it is not NULL. */
void tally_check(const tally_table *t, const tally_table *other, int row, long least);
/* The number in CAROM_POSE, or -1: that sample alone. */
long sample_wanted(void);
/* A sample of another CAROM_SEED that was wrong once. */
typedef struct sample_once {
    int seed;
    long number;
} sample_once;
/* Asks samples 0 to count - 1 of the seed that rng_start tells for `name` and `key`, or the one in CAROM_POSE alone,
 * and then those that were wrong once. `seed` is set before, for sample_rng and for what is printed. */
void sample_all(const char *name, uint64_t key, long count, const sample_once *wrong, size_t wrong_count,
                uint64_t *seed, void (*ask)(long number));
/* The same where the numbers are so many cases: each once, or `rounds` times in ./check --deep. They are asked far from
 * one another, so that with CAROM_SHARE=n those of an n-th are of all kinds. */
void sample_cases(const char *name, uint64_t key, long cases, int rounds, uint64_t *seed, void (*ask)(long number));
/* The generator of sample number i of a test. */
rng sample_rng(uint64_t seed, long i);

#endif
