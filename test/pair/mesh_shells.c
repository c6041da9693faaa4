/* Shells that cross, open or closed, surfaces or solids, one in the other or beside it: overlap, distance and contact
 * agree, and the deepest contact is no longer deeper than nothing where the pair is. */
#include "carom/pair.h"
#include "support/meshes.h"
#include "support/support.h"

#include <math.h>

enum { MOST_AROUND = 14, MOST_DOWN = 9 };

/* A ball of `around` times `down` faces; without those above, if open. */
static cm_mesh *shell(uint32_t around, uint32_t down, double radius, double phase, bool open, bool solid) {
    cm_vec3 point[MOST_AROUND * MOST_DOWN + 2];
    uint32_t corner[6 * MOST_AROUND * MOST_DOWN], count = 0, points = (down - 1) * around;
    for (uint32_t j = 1; j < down; j++)
        for (uint32_t i = 0; i < around; i++) {
            const double slope = 3.14159265358979 * j / down, angle = phase + 6.283185307179586 * i / around;
            point[(j - 1) * around + i] = cm_v(CM_REAL(radius * sin(slope) * cos(angle)),
                                               CM_REAL(radius * sin(slope) * sin(angle)), CM_REAL(radius * cos(slope)));
        }
    point[points] = cm_v(0, 0, CM_REAL(radius)), point[points + 1] = cm_v(0, 0, CM_REAL(-radius));
    for (uint32_t j = 0; j <= down - 1; j++)
        for (uint32_t i = 0; i < around && !(open && j < 1 + down / 3); i++) {
            const uint32_t next = (i + 1) % around, above = (j - 1) * around, below = j * around;
            const uint32_t a = j > 0 ? above + i : points, b = j > 0 ? above + next : points;
            const uint32_t c = j < down - 1 ? below + i : points + 1, d = j < down - 1 ? below + next : points + 1;
            if (a != b) corner[count++] = a, corner[count++] = c, corner[count++] = b;
            if (c != d) corner[count++] = b, corner[count++] = c, corner[count++] = d;
        }
    const cm_mesh_desc desc = {.points = &point[0].x,
                               .point_count = points + 2,
                               .indices = corner,
                               .triangle_count = count / 3,
                               .solid = solid};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

static void ask_shells(uint32_t number) {
    rng r = {number * UINT64_C(0x632be59bd9b4e019)};
    const bool open = rng_below(&r, 2), solid = !open && rng_below(&r, 2);
    const uint32_t around = 4 + rng_below(&r, 10), down = 3 + rng_below(&r, 6);
    cm_mesh *first = shell(around, down, 1, 0, open, solid);
    cm_mesh *second =
        shell(around, down, rng_below(&r, 2) ? 1 : rng_range(&r, 0.5, 1.05), rng_range(&r, 0, 1), open, solid);
    const cm_shape a = cm_make_mesh(first), b = cm_make_mesh(second);
    cm_pose pa = cm_pose_identity(), pb = pa;
    pb.position = cm_scale(rng_direction(&r), CM_REAL(rng_log_range(&r, 1e-5, 1.5)));
    if (rng_below(&r, 2)) pb.rotation = rng_rotation(&r);
    cm_witness w;
    cm_manifold m[64];
    const bool overlap = cm_overlap(&a, &pa, &b, &pb);
    const double distance = (double)cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
    const int count = cm_contact(&a, &pa, &b, &pb, 0, m, 64);
    check_that(overlap == (distance <= 0) && overlap == (count > 0), "%u: overlap %d, distance %g, %d contacts", number,
               overlap, distance, count);
    double depth = -HUGE_VAL;
    for (int i = 0; i < count && i < 64; i++)
        for (int k = 0; k < m[i].count; k++) depth = fmax(depth, (double)m[i].points[k].depth);
    if (overlap && distance < -1e-4)
        check_that(depth > -1e-4 * distance, "%u: of %d contacts the deepest is %g, the pair %g", number, count, depth,
                   -distance);
    cm_mesh_destroy(first, NULL), cm_mesh_destroy(second, NULL);
}

static void contacts_of_shells_that_cross_are_no_less_than_deep(void **state) {
    (void)state;
    static const uint32_t once_wrong[] = {1432, 1906, 5734, 8914};
    const uint32_t count = (uint32_t)samples(150, 4000), first = 1000 * (uint32_t)(rng_start("shells", 1).state % 1000);
    for (size_t i = 0; i < sizeof once_wrong / sizeof once_wrong[0]; i++) ask_shells(once_wrong[i]);
    for (uint32_t i = 0; i < count; i++) ask_shells(first + i);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_of_shells_that_cross_are_no_less_than_deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
