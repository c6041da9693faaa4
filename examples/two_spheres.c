/* Do two spheres touch, and where?
 *     cc two_spheres.c $(pkg-config --cflags --libs carom) -o two_spheres */
#include <carom/carom.h>

#include <stdio.h>

int main(void) {
    cm_sphere a = {{0, 0, 0}, 1};
    for (int step = 0; step <= 3; ++step) {
        cm_sphere b = {{CM_REAL(2.5) - CM_REAL(step) / 4, 0, 0}, 1};
        cm_manifold m;
        if (cm_contact_sphere_sphere(&a, &b, &m))
            printf("center at %.2f: they touch at x = %.3f, %.3f deep\n", (double)b.center.x,
                   (double)m.points[0].point_a.x, (double)m.points[0].depth);
        else
            printf("center at %.2f: apart\n", (double)b.center.x);
    }
    return 0;
}
