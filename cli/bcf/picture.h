/* Pictures of a few meshes, in two colors, with lines, as PNG: what a topic shows beside its title. Triangles are
 * filled with a depth buffer and shaded by their normals, four samples a pixel. This is all that a snapshot needs; it
 * is no renderer. The same input gives the same bytes. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <carom/carom.h>

enum { PICTURE_WIDTH = 640, PICTURE_HEIGHT = 480 };

/* Where it is seen from. The axes are unit and square to one another, right x up is backwards. */
typedef struct camera {
    cm_vec3 at, right, up, forward;
    double slope;   /* the tangent of half the vertical field of view */
    double nearest; /* along `forward`, above 0: what is nearer is cut away */
} camera;

/* Of two sides, as the report colors them. */
typedef enum picture_side { PICTURE_A, PICTURE_B, PICTURE_SIDES } picture_side;
/* "F28C28": the color of a side, as it is written in hexadecimal. */
extern const char *const picture_colors[PICTURE_SIDES];

typedef struct picture picture;
picture *picture_begin(const camera *seen_from);
void picture_mesh(picture *p, const cm_mesh *mesh, const cm_pose *pose, picture_side side);
/* White with a red rim; fainter where it is behind a mesh. Of no length: a dot. Meshes come before lines. */
void picture_line(picture *p, cm_vec3 from, cm_vec3 to);
/* A file, the caller's to free. `glass`: a side through which the other is seen; PICTURE_SIDES: neither is. Frees the
 * picture. */
unsigned char *picture_end(picture *p, picture_side glass, size_t *size);

#endif
