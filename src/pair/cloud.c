/* The support function of cloud.h. Frame: the triangles'. Cost: all corners, each time. */
#include "pair/cloud.h"
#include "math/closest.h"
#include "math/wide.h"

#include <string.h>

static cm__point cloud_support(const cm__core *core, cm__point direction, uint32_t *id) {
    const cm__cloud *cloud = (const cm__cloud *)core->data;
    int best = 0;
    double most = -DBL_MAX;
    for (int i = 0; i < 3 * cloud->count; i++) {
        double level = cm__point_dot(direction, cm__point_sub(cloud->point[i], core->center));
        if (level > most) most = level, best = i;
    }
    *id = CM_NONE;
    return cloud->point[best];
}

bool cm__cloud_supports(const cm__point c[3], cm__point direction, cm__point p, double slack, cm__point *at) {
    const cm__point far = cloud_farthest(c, direction);
    cm__point corner[3];
    cm__closest_on_triangle on;
    if (!(cm__point_dot(direction, cm__point_sub(far, p)) >= -slack)) return false;
    for (int k = 0; k < 3; k++) /* what reaches less far shrinks to the farthest corner */
        corner[k] = cm__point_dot(direction, cm__point_sub(c[k], p)) >= -slack ? c[k] : far;
    cm__closest_point_triangle(p, corner[0], corner[1], corner[2], &on);
    *at = on.point;
    return true;
}

void cm__cloud_core(const cm__cloud *cloud, cm__core *out) {
    static const cm__core_ops ops = {.support = cloud_support};
    const int count = 3 * cloud->count;
    memset(out, 0, sizeof *out);
    out->ops = &ops, out->data = cloud;
    for (int i = 0; i < count; i++) out->center = cm__point_mul_add(out->center, 1.0 / count, cloud->point[i]);
    for (int i = 0; i < count; i++)
        out->size = wide_max(out->size, cm__point_length(cm__point_sub(cloud->point[i], out->center)));
}
