/* How far is a cylinder from a box? GJK, step by step: two bounds that close on the answer.
 *     cc observe.c $(pkg-config --cflags --libs carom) -o observe */
#include <carom/carom.h>

#include <stdio.h>

static void show(void *user, const cm_step *step) {
    (void)user;
    printf("%u.%02u %-8s", (unsigned)step->search, (unsigned)step->index, cm_step_kind_text(step->kind));
    if (step->kind == CM_STEP_SIMPLEX)
        printf(" %d points, support (%6.3f %6.3f %6.3f)", step->vertex_count,
               (double)(step->support.b.x - step->support.a.x), (double)(step->support.b.y - step->support.a.y),
               (double)(step->support.b.z - step->support.a.z));
    if (step->upper < CM_REAL_MAX)
        printf(" %.9f <= distance <= %.9f\n", (double)step->lower, (double)step->upper);
    else
        printf(" %.9f <= distance\n", (double)step->lower);
}

int main(void) {
    cm_shape box = cm_make_box(cm_v(1, 1, 1)), cylinder = cm_make_cylinder(CM_REAL(0.7), 1);
    cm_pose at = cm_pose_identity(), there = at;
    there.position = cm_v(3, 1, CM_REAL(0.5));
    cm_quat_from_axis_angle(cm_v(1, 2, 0), CM_REAL(0.6), &there.rotation);
    cm_real distance = cm_distance_observed(&box, &at, &cylinder, &there, CM_REAL_MAX, show, NULL, NULL);
    printf("distance %.9f, as without: %s\n", (double)distance,
           distance == cm_distance(&box, &at, &cylinder, &there, CM_REAL_MAX, NULL) ? "yes" : "no");
    return 0;
}
