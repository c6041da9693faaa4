/* A robot as its URDF describes it: links, the joints between them, and every <collision>. What is not understood and
 * could be geometry or motion refuses the file; other things are left out, and noted. Lengths are metres, angles
 * radians, as the format has them. */
#ifndef CLI_URDF_H
#define CLI_URDF_H

#include <carom/carom.h>

#define ROBOT_NONE UINT32_MAX

typedef enum joint_kind {
    JOINT_FIXED,
    JOINT_REVOLUTE,
    JOINT_CONTINUOUS, /* without limits */
    JOINT_PRISMATIC,
    JOINT_FLOATING, /* stays at zero, as do the next two */
    JOINT_PLANAR,
    JOINT_SPHERICAL, /* Bullet's */
    JOINT_KINDS
} joint_kind;

typedef struct robot_link {
    char *name;
    uint32_t joint; /* to its parent; ROBOT_NONE: the root */
    uint32_t first_collision, collision_count;
    bool visual;
} robot_link;

typedef struct robot_joint {
    char *name;
    joint_kind kind;
    uint32_t parent, child; /* links */
    cm_pose origin;         /* the child's frame at zero, in the parent's */
    cm_vec3 axis;           /* unit, in the child's frame */
    double lower, upper;    /* of a continuous joint -pi and pi */
    uint32_t leader;        /* the joint whose value it follows, by factor and offset; itself where it follows none */
    double factor, offset;
} robot_joint;

/* One <collision>: a shape of its own, or a mesh file. */
typedef struct robot_collision {
    uint32_t link;
    long line;
    cm_pose pose;   /* in the link */
    cm_shape shape; /* where `mesh` is NULL */
    char *mesh;     /* what the file calls it */
    cm_vec3 scale;  /* of the mesh */
} robot_collision;

typedef struct robot {
    char *name;
    robot_link *links;
    uint32_t link_count;
    robot_joint *joints;
    uint32_t joint_count;
    robot_collision *collisions; /* by link */
    uint32_t collision_count;
    uint32_t *order; /* of links: parents first */
    char **notes;    /* what was left out, or assumed */
    uint32_t note_count;
} robot;

/* Reads a file. Returns 0, or EXIT_INPUT after saying what is wrong; free with robot_free in any case. */
int robot_read(const char *path, robot *out);
void robot_free(robot *r);
/* Takes over the text, which is kept once. */
void robot_note(robot *r, char *text);

/* <origin xyz rpy>: roll about x, then pitch about y, then yaw about z, all of the fixed axes. */
cm_pose robot_origin(const double xyz[3], const double rpy[3]);
/* ROBOT_NONE where there is none of that name. */
uint32_t robot_find_link(const robot *r, const char *name);
uint32_t robot_find_joint(const robot *r, const char *name);
/* A hint at the link, or the joint, whose name is most like this one (suggest.h). */
const char *robot_suggest_link(const robot *r, const char *name, char *buffer, size_t size);
const char *robot_suggest_joint(const robot *r, const char *name, char *buffer, size_t size);
/* Revolute, continuous or prismatic. */
bool joint_moves(const robot_joint *joint);
/* "revolute". */
const char *joint_kind_text(joint_kind kind);

#endif
