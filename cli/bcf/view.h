/* From where findings are looked at: a camera before the place where parts cross, on the side from which most of it is
 * seen. */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include "bcf/picture.h"
#include "check/findings.h"

typedef struct view {
    camera from;            /* in the scene's axes, as all of it */
    bool cut;               /* other parts stand before it, and are to be cut away by a plane: */
    cm_vec3 cut_at, cut_to; /* a point of the plane, and the direction of what is not to be seen */
} view;

/* What is looked at: findings, and the parts that they are about, by their numbers. */
typedef struct view_subject {
    const scene *model;
    const findings *found;
    const uint32_t *numbers;
    uint32_t count;
    const uint32_t *parts; /* ascending */
    uint32_t part_count;
} view_subject;

/* In degrees, of the camera. */
#define VIEW_VERTICAL   45.0
#define VIEW_HORIZONTAL 57.822 /* of the same at 4:3 */

view view_choose(const view_subject *subject);

#endif
