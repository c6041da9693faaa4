/* The same bits everywhere, of the textbooks' tests on plain volumes that meet in more than one way at once. See
 * touching.h. */
#include "touching.h"

/* --- the textbook's ---------------------------------------------------------------------------------------------- */

static cm_vec3 grid_point(rng *r) { /* of a small grid of halves */
    cm_real n[3];
    for (int i = 0; i < 3; ++i) n[i] = ((cm_real)rng_below(r, 7) - 3) / 2;
    return cm_v(n[0], n[1], n[2]);
}
static cm_real grid_size(rng *r) { return (cm_real)rng_below(r, 5) / 4; }
static cm_vec3 grid_sizes(rng *r) {
    cm_real n[3];
    for (int i = 0; i < 3; ++i) n[i] = grid_size(r);
    return cm_v(n[0], n[1], n[2]);
}
static cm_plane grid_plane(rng *r) {
    static const cm_real long_side = CM_REAL(0.8), short_side = CM_REAL(0.6);
    cm_plane p;
    cm_real sign = rng_below(r, 2) ? 1 : -1;
    uint32_t what = rng_below(r, 4);
    p.normal = what == 0   ? cm_v(sign, 0, 0)
               : what == 1 ? cm_v(0, sign, 0)
               : what == 2 ? cm_v(0, 0, sign)
                           : cm_v(sign * short_side, 0, long_side);
    p.d = ((cm_real)rng_below(r, 9) - 4) / 4;
    return p;
}

/* Plain volumes of each kind on one small grid. */
typedef struct volumes {
    cm_vec3 point;
    cm_segment segment;
    cm_triangle triangle;
    cm_sphere sphere;
    cm_capsule capsule;
    cm_aabb box;
    cm_obb turned;
    cm_plane plane;
    cm_frustum frustum;
} volumes;
static void volumes_make(volumes *v, rng *r) {
    v->point = grid_point(r);
    v->segment.a = grid_point(r);
    v->segment.b = grid_point(r);
    v->triangle.a = grid_point(r);
    v->triangle.b = grid_point(r);
    v->triangle.c = grid_point(r);
    v->sphere.center = grid_point(r);
    v->sphere.radius = grid_size(r);
    v->capsule.a = grid_point(r);
    v->capsule.b = grid_point(r);
    v->capsule.radius = grid_size(r);
    v->turned.center = grid_point(r);
    v->turned.half = grid_sizes(r);
    v->turned.rotation = straight_rotation(r);
    v->plane = grid_plane(r);
    cm_vec3 center = grid_point(r), size = grid_sizes(r);
    v->box.min = cm_sub(center, size), v->box.max = cm_add(center, size);
    for (int i = 0; i < 6; ++i) {
        v->frustum.planes[i] = grid_plane(r);
        v->frustum.planes[i].d -= 1;
    }
}
/* A sphere and a box of numbers that are not round. */
static void volumes_unround(volumes *a, volumes *b) {
    const cm_real third = CM_REAL(1) / 3;
    a->sphere.center = cm_scale(a->sphere.center, third), a->sphere.radius *= third;
    b->box.min = cm_scale(b->box.min, third), b->box.max = cm_scale(b->box.max, third);
}
/* One of its numbers is none, or beyond the range, or is negative where it may not be. */
static void volumes_spoil(volumes *v, rng *r) {
    const cm_real wrong[4] = {(cm_real)NAN, -1, 2 * CM_COORD_MAX, (cm_real)-INFINITY};
    cm_real numbers[sizeof(volumes) / sizeof(cm_real)];
    memcpy(numbers, v, sizeof numbers);
    const uint32_t which = rng_below(r, sizeof numbers / sizeof *numbers);
    numbers[which] = wrong[rng_below(r, 4)];
    memcpy(v, numbers, sizeof numbers);
}
static void hash_closest(uint64_t *h, cm_real distance, cm_vec3 closest) {
    hash_real(h, distance), hash_vec3(h, closest);
}
static void hash_points(uint64_t *h, const volumes *a, const volumes *b) {
    cm_vec3 c = cm_v(0, 0, 0);
    cm_real d = cm_distance_point_segment(a->point, &b->segment, &c);
    hash_closest(h, d, c);
    d = cm_distance_point_triangle(a->point, &b->triangle, &c);
    hash_closest(h, d, c);
    d = cm_distance_point_aabb(a->point, &b->box, &c);
    hash_closest(h, d, c);
    d = cm_distance_point_obb(a->point, &b->turned, &c);
    hash_closest(h, d, c);
    hash_number(h, cm_overlap_point_sphere(a->point, &b->sphere));
    hash_number(h, cm_overlap_point_obb(a->point, &b->turned));
    hash_number(h, cm_overlap_point_capsule(a->point, &b->capsule));
    hash_number(h, cm_overlap_point_triangle(a->point, &b->triangle));
}
static void hash_planes(uint64_t *h, const volumes *a, const volumes *b) {
    hash_number(h, (uint64_t)(1 + cm_side_sphere_plane(&a->sphere, &b->plane)));
    hash_number(h, (uint64_t)(1 + cm_side_aabb_plane(&a->box, &b->plane)));
    hash_number(h, (uint64_t)(1 + cm_side_obb_plane(&a->turned, &b->plane)));
    hash_number(h, (uint64_t)(1 + cm_side_triangle_plane(&a->triangle, &b->plane)));
    hash_number(h, (uint64_t)cm_cull_sphere_frustum(&a->sphere, &b->frustum));
    hash_number(h, (uint64_t)cm_cull_aabb_frustum(&a->box, &b->frustum));
    hash_number(h, (uint64_t)cm_cull_obb_frustum(&a->turned, &b->frustum));
    hash_number(h, cm_overlap_sphere_plane(&a->sphere, &b->plane));
    hash_number(h, cm_overlap_sphere_halfspace(&a->sphere, &b->plane));
    hash_number(h, cm_overlap_aabb_plane(&a->box, &b->plane));
    hash_number(h, cm_overlap_obb_plane(&a->turned, &b->plane));
}
static void hash_contacts(uint64_t *h, const volumes *a, const volumes *b) {
    cm_manifold m[9];
    const bool met[9] = {cm_contact_sphere_sphere(&a->sphere, &b->sphere, &m[0]),
                         cm_contact_sphere_plane(&a->sphere, &b->plane, &m[1]),
                         cm_contact_sphere_halfspace(&a->sphere, &b->plane, &m[2]),
                         cm_contact_sphere_aabb(&a->sphere, &b->box, &m[3]),
                         cm_contact_sphere_obb(&a->sphere, &b->turned, &m[4]),
                         cm_contact_aabb_aabb(&a->box, &b->box, &m[5]),
                         cm_contact_sphere_triangle(&a->sphere, &b->triangle, &m[6]),
                         cm_contact_capsule_capsule(&a->capsule, &b->capsule, &m[7]),
                         cm_contact_obb_obb(&a->turned, &b->turned, &m[8])};
    for (int i = 0; i < 9; ++i) hash_manifolds(h, met[i], &m[i], 1);
}
static void hash_volumes(uint64_t *h, const volumes *a, const volumes *b) {
    cm_vec3 axis = cm_v(0, 0, 0);
    hash_number(h, cm_overlap_sphere_sphere(&a->sphere, &b->sphere));
    hash_number(h, cm_overlap_sphere_aabb(&a->sphere, &b->box));
    hash_number(h, cm_overlap_sphere_obb(&a->sphere, &b->turned));
    hash_number(h, cm_overlap_sphere_capsule(&a->sphere, &b->capsule));
    hash_number(h, cm_overlap_sphere_triangle(&a->sphere, &b->triangle));
    hash_number(h, cm_overlap_capsule_capsule(&a->capsule, &b->capsule));
    hash_number(h, cm_overlap_obb_obb(&a->turned, &b->turned));
    hash_number(h, cm_separate_obb_obb(&a->turned, &b->turned, &axis));
    hash_vec3(h, axis);
    hash_number(h, cm_overlap_triangle_triangle(&a->triangle, &b->triangle));
    hash_number(h, cm_overlap_triangle_aabb(&a->triangle, &b->box));
}

static void answers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    rng r = {8};
    uint64_t h = HASH_START;
    for (int i = 0; i < 6000; ++i) {
        volumes a, b;
        volumes_make(&a, &r);
        volumes_make(&b, &r);
        if (i % 4 == 1) volumes_unround(&a, &b);
        if (i % 3 == 0) volumes_spoil(i % 2 ? &a : &b, &r);
        hash_points(&h, &a, &b), hash_planes(&h, &a, &b), hash_volumes(&h, &a, &b);
        hash_contacts(&h, &a, &b);
    }
    check_hash(h, GOLDEN(0xfb0a92963903c980, 0x7fec0404e06e6558));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
