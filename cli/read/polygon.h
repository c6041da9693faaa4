/* A polygon of a model file as triangles. */
#ifndef CLI_POLYGON_H
#define CLI_POLYGON_H

#include <stdbool.h>
#include <stdint.h>

typedef struct polygon_node {
    double at[2];
    uint32_t corner;
} polygon_node;

/* Memory for the polygons of a file, grown as needed; zero it first. */
typedef struct polygon_room {
    double (*flat)[2];
    polygon_node *tree;
    uint32_t *next, *before, *place, *waiting;
    uint32_t capacity;
    double low[2], high[2]; /* of the polygon, seen flat */
} polygon_room;

/* Cuts the polygon with the `count` corners at points[3 * corners[i]], four or more, into count - 2 triangles, of which
 * `out` gets the corners, in the order of the polygon. False where it crosses itself: `out` holds nothing then. */
bool polygon_cut(polygon_room *room, const float *points, const uint32_t *corners, uint32_t count, uint32_t *out);
void polygon_room_free(polygon_room *room);

#endif
