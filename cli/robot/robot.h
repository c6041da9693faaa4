/* carom check of a robot: what is asked for, and the command. */
#ifndef CLI_ROBOT_H
#define CLI_ROBOT_H

#include <stdbool.h>
#include <stdint.h>

struct options;

/* --package NAME=FOLDER */
typedef struct robot_package {
    char *name, *folder; /* one block, which the name begins */
} robot_package;

/* --attach FILE@LINK,TOUCHED,... */
typedef struct robot_attached {
    char *file, *link; /* one block, which the file begins */
    char *touched;     /* links that it may touch, with commas between them; "" for none but its own */
    double place[6];   /* --attach-at: x y z roll pitch yaw, as in a URDF's <origin> */
    bool placed;
} robot_attached;

/* --padding LENGTH or LINK=LENGTH, --link-scale FACTOR or LINK=FACTOR */
typedef struct link_value {
    char *links; /* which, a selector; NULL: all that no other one names */
    double value;
} link_value;

typedef struct link_values {
    link_value *list;
    uint32_t count;
} link_values;

typedef struct robot_options {
    const char *srdf, *trajectory, *write_srdf, *planning_group; /* NULL where not given */
    const char **cells;
    uint32_t cell_count;
    robot_package *packages;
    uint32_t package_count;
    robot_attached *attached;
    uint32_t attached_count;
    uint32_t configurations;
    uint32_t worst; /* configurations that the page plays; 0: as many as are usual */
    uint64_t seed;
    link_values padding, scale; /* metres; factors */
    bool padding_for_cell;      /* links are padded against their cell alone */
    bool adjacent;
    char any[24]; /* the first option that only a robot takes, or "" */
} robot_options;

/* Reads an option of a robot. Returns 0, or EXIT_INPUT after saying what is wrong. */
int robot_option(robot_options *out, const char *name, char **values);
void robot_options_free(robot_options *o);

/* Is it a file that run_robot reads? */
bool robot_is_urdf(const char *path);
/* carom check with a URDF among the files. Returns the exit code. */
int run_robot(struct options *o);

#endif
