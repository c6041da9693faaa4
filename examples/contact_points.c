/* A crate stands on another, a little turned: the points that carry it, and the way to push it out.
 *     cc contact_points.c $(pkg-config --cflags --libs carom) -o contact_points */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    cm_shape crate = cm_make_box(cm_v(1, 1, 1));
    cm_pose low = cm_pose_identity(), high = low;
    high.position = cm_v(CM_REAL(0.5), 0, CM_REAL(1.95)); /* 0.05 into the lower one */
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(0.4), &high.rotation);
    cm_manifold m;
    if (cm_contact(&crate, &low, &crate, &high, 0, &m, 1) == 0) return 1;
    printf("normal (%.1f %.1f %.1f)\n", (double)m.normal.x, (double)m.normal.y, (double)m.normal.z);
    cm_real deepest = 0;
    for (int i = 0; i < m.count; ++i) {
        const cm_contact_point *p = &m.points[i];
        printf("point (%5.2f %5.2f %5.2f), %.3f deep, features %08x %08x\n", (double)p->point_a.x, (double)p->point_a.y,
               (double)p->point_a.z, (double)p->depth, (unsigned)p->feature_a, (unsigned)p->feature_b);
        if (p->depth > deepest) deepest = p->depth;
    }
    high.position = cm_mul_add(high.position, deepest, m.normal);
    printf("pushed out by %.3f along the normal: distance %.1g\n", (double)deepest,
           (double)cm_distance(&crate, &low, &crate, &high, CM_REAL_MAX, NULL));
    return 0;
}
