/* What golden tests share: a hash over numbers, bodies of every kind, and the expected values.
 *
 * A golden hash covers every number that the library returns for seeded input. A change of it is a change of answers,
 * and belongs into the changelog; a compiler, a flag, a CPU, its instruction set or the number of threads must never
 * change it. Only square roots and the basic operations go into the input, so that no maths library has a say; and the
 * seeds stay what they are whatever CAROM_SEED says. */
#ifndef GOLDEN_H
#define GOLDEN_H

#include "support/solids.h"

/* The value in float and in double. A test that fails prints what to write here. */
#if defined(CAROM_F64)
#define GOLDEN(single, wide) UINT64_C(wide)
#else
#define GOLDEN(single, wide) UINT64_C(single)
#endif
#define check_hash(hash, expected) check_that((hash) == (expected), "the hash is 0x%016llx", (unsigned long long)(hash))

/* FNV-1a, by value bits. */
#define HASH_START UINT64_C(0xcbf29ce484222325)
static inline void hash_number(uint64_t *h, uint64_t n) {
    for (int i = 0; i < 8; ++i) *h = (*h ^ (n >> 8 * i & 255)) * UINT64_C(0x100000001b3);
}
static inline void hash_real(uint64_t *h, cm_real x) {
    double d = x == 0 ? 0 : (double)x; /* -0 is 0 */
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    hash_number(h, bits);
}
static inline void hash_vec3(uint64_t *h, cm_vec3 v) { hash_real(h, v.x), hash_real(h, v.y), hash_real(h, v.z); }
static inline void hash_pose(uint64_t *h, const cm_pose *p) {
    hash_vec3(h, p->position);
    hash_real(h, p->rotation.x), hash_real(h, p->rotation.y), hash_real(h, p->rotation.z), hash_real(h, p->rotation.w);
}

/* A manifold with all its points. */
static inline void hash_manifold(uint64_t *h, const cm_manifold *m) {
    hash_vec3(h, m->normal), hash_number(h, m->part_a), hash_number(h, m->part_b);
    hash_number(h, (uint64_t)m->count);
    for (int k = 0; k < m->count; ++k) {
        const cm_contact_point *p = &m->points[k];
        hash_vec3(h, p->point_a), hash_vec3(h, p->point_b), hash_real(h, p->depth);
        hash_number(h, p->feature_a), hash_number(h, p->feature_b);
    }
}

/* One of -1000 … 1000 thousandths. */
static inline cm_real small_number(rng *r) { return CM_REAL((int)rng_below(r, 2001) - 1000) / 1000; }
static inline cm_vec3 small_vec3(rng *r, cm_real size) {
    cm_real n[3]; /* in order: the arguments of one call may be evaluated in any */
    for (int i = 0; i < 3; ++i) n[i] = small_number(r) * size;
    return cm_v(n[0], n[1], n[2]);
}
static inline cm_pose plain_pose(rng *r, cm_real reach) {
    cm_pose p;
    p.position = small_vec3(r, reach);
    cm_vec3 axis = small_vec3(r, 1);
    p.rotation.x = axis.x, p.rotation.y = axis.y, p.rotation.z = axis.z;
    p.rotation.w = small_number(r) + CM_REAL(0.001);
    p.rotation = cm_quat_normalize(p.rotation);
    return p;
}

/* --- bodies of every kind, about one unit large -------------------------------------------------------------- */

enum { ZOO_MOST = 20 };
typedef struct zoo {
    cm_shape shapes[ZOO_MOST];
    int count, composites; /* the last ones are composites */
    cm_hull *hull;
    cm_mesh *surface, *solid;
    cm_height_field *field;
    cm_compound *compound;
} zoo;

static inline cm_hull *zoo_hull(rng *r, uint32_t count) {
    cm_vec3 points[64];
    for (uint32_t i = 0; i < count; ++i) points[i] = small_vec3(r, 1);
    cm_hull_desc desc = {.points = &points[0].x, .point_count = count};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    return hull;
}

static inline cm_height_field *zoo_field(rng *r) {
    enum { SIDE = 5 };
    cm_real heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) heights[i] = small_number(r) / 4;
    cm_height_field_desc desc = {.heights = heights, .columns = SIDE, .rows = SIDE};
    desc.column_spacing = desc.row_spacing = CM_REAL(0.5);
    desc.origin = cm_v(-1, -1, 0);
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    return field;
}

/* A T of two boxes that meet in a face, and a ball on it. */
static inline cm_compound *zoo_compound(void) {
    cm_compound_child children[3];
    memset(children, 0, sizeof children);
    children[0].shape = cm_make_box(cm_v(1, CM_REAL(0.5), CM_REAL(0.25)));
    children[1].shape = cm_make_box(cm_v(CM_REAL(0.25), CM_REAL(0.5), CM_REAL(0.5)));
    children[1].pose.position = cm_v(0, 0, CM_REAL(-0.75));
    children[2].shape = cm_make_sphere(cm_v(CM_REAL(0.5), 0, CM_REAL(0.5)), CM_REAL(0.375));
    cm_compound_desc desc = {.children = children, .count = 3};
    cm_compound *compound = NULL;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    return compound;
}

/* The farthest point of an octahedron: known by its support function only. */
static inline void octahedron_support(const void *user, const double direction[3], double point[3]) {
    (void)user;
    int most = 0;
    for (int k = 0; k < 3; ++k) {
        point[k] = 0;
        if (direction[k] * direction[k] > direction[most] * direction[most]) most = k;
    }
    point[most] = direction[most] < 0 ? -1 : 1;
}

static inline void zoo_build(zoo *z) {
    rng r = {4711};
    const cm_real third = CM_REAL(0.3), half = CM_REAL(0.5), most = CM_REAL(0.7);
    const cm_vec3 none = cm_v(0, 0, 0);
    memset(z, 0, sizeof *z);
    z->hull = zoo_hull(&r, 24);
    z->surface = surface_sheet(1, 1, 3);
    z->solid = solid_box(1, half, CM_REAL(0.25), 2, true);
    z->field = zoo_field(&r);
    z->compound = zoo_compound();
    const cm_shape all[] = {cm_make_point(none),
                            cm_make_sphere(none, most),
                            cm_make_segment(cm_v(0, -1, 0), cm_v(half, 1, 0)),
                            cm_make_capsule(cm_v(0, -1, 0), cm_v(0, 1, 0), third),
                            cm_make_triangle(none, cm_v(1, 0, 0), cm_v(0, 1, third)),
                            cm_make_box(cm_v(1, half, most)),
                            cm_make_rounded_box(cm_v(1, third, most), third),
                            cm_make_cylinder(half, 1),
                            cm_make_cone(most, 1),
                            cm_make_ellipsoid(cm_v(1, third, most)),
                            cm_make_hull(z->hull),
                            cm_make_custom(octahedron_support, NULL, none, 1),
                            cm_make_halfspace(cm_v(0, 0, 1), third),
                            cm_make_mesh(z->surface),
                            cm_make_mesh(z->solid),
                            cm_make_height_field(z->field),
                            cm_make_compound(z->compound)};
    z->count = (int)(sizeof all / sizeof *all);
    z->composites = 4;
    memcpy(z->shapes, all, sizeof all);
}

static inline void zoo_free(zoo *z) {
    cm_hull_destroy(z->hull, NULL);
    cm_mesh_destroy(z->surface, NULL);
    cm_mesh_destroy(z->solid, NULL);
    cm_height_field_destroy(z->field, NULL);
    cm_compound_destroy(z->compound, NULL);
}

#endif
