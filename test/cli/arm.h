/* A six axis arm with two fingers that a test makes, and its truth: kinematics by matrices, and every body of one link
 * against every body of the other. */
#ifndef TEST_CLI_ARM_H
#define TEST_CLI_ARM_H

#include "cli/shapes.h"

typedef struct matrix {
    double m[3][4];
} matrix;

enum { LINKS = 9, JOINTS = 8 };

typedef struct test_joint {
    const char *type;
    int parent;
    double at[3], rpy[3], axis[3], lower, upper;
} test_joint;

/* Joint i moves link i + 1. Six axes, a finger that slides, and one that follows it, by the factor and the offset. */
extern const test_joint arm[JOINTS];
extern const double follow_factor, follow_offset;

typedef struct arm_truth {
    cm_shape shapes[LINKS][2];
    cm_pose poses[LINKS][2]; /* in the link */
    int bodies[LINKS];
    cm_mesh *mesh;
    const char *path; /* of the URDF, in which joints stand from the last to the first */
} arm_truth;

/* Links are meshes of an ellipsoid and most a box, cylinder or capsule too. Destroy its mesh. */
void make_arm(arm_truth *truth);
/* The frames of the links for the values of joints 0 ... 7. */
void place_arm(const double *values, matrix frames[LINKS]);
/* The distance of two links where no larger than `most`: minus the depth where they overlap. */
double truth_distance(const arm_truth *truth, const matrix frames[LINKS], int a, int b, double most);
bool truth_collides(const arm_truth *truth, const matrix frames[LINKS], int a, int b);

/* A closed mesh of a ball, squeezed along y, as an OBJ of the scratch folder. */
void write_ball(const char *name, double radius, double squeeze);

#endif
