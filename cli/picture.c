#include "picture.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

void picture_make(const cm_shape *shape, picture *out) {
    static const uint32_t corners[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    *out = (picture){0};
    if (shape->kind == CM_SHAPE_HALFSPACE) return;
    cm_pose still = cm_pose_identity();
    cm_aabb box;
    cm_shape_bounds(shape, &still, &box);
    out->points = allocate(8, sizeof *out->points), out->corners = allocate(36, sizeof *out->corners);
    out->point_count = 8, out->triangle_count = 12;
    for (int i = 0; i < 8; i++)
        out->points[i] =
            cm_v(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
    memcpy(out->corners, corners, sizeof corners);
}

void picture_free(picture *p) {
    free(p->points);
    free(p->corners);
    *p = (picture){0};
}
