/* A shape as triangles, for pictures. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <carom/carom.h>

typedef struct picture {
    cm_vec3 *points;
    uint32_t *corners; /* three a triangle */
    uint32_t point_count, triangle_count;
} picture;

/* Half-spaces have none. Ends the command where there is no memory. */
void picture_make(const cm_shape *shape, picture *out);
void picture_free(picture *p);

#endif
