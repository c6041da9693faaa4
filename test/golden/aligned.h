/* Bodies, places and motions of round numbers, as people have them and random ones never are: aligned, flush, touching
 * exactly or an ulp beside it, one in the middle of the other, along faces and edges. A comparison that takes < for <=
 * changes one of the answers here. See golden.h. */
#ifndef GOLDEN_ALIGNED_H
#define GOLDEN_ALIGNED_H

#include "golden.h"

#include <math.h>

enum { ALIGNED = 24 };
typedef struct aligned {
    cm_shape shapes[ALIGNED]; /* convex ones first; each about two units large */
    int count, convex;
    cm_hull *cube, *roof;
    cm_mesh *sheet, *block;
    cm_height_field *field;
    cm_compound *halves;
} aligned;

static inline cm_real aligned_beside(cm_real x, int ulps) {
    for (; ulps != 0; ulps -= ulps > 0 ? 1 : -1) {
        const cm_real to = ulps > 0 ? CM_REAL_MAX : -CM_REAL_MAX;
#if defined(CAROM_F64)
        x = nextafter(x, to);
#else
        x = nextafterf(x, to);
#endif
    }
    return x;
}

static inline cm_hull *aligned_hull(const cm_vec3 *points, uint32_t count) {
    cm_hull_desc desc = {.points = &points[0].x, .point_count = count};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    return hull;
}

/* Flat, with a step of one unit in the middle. */
static inline cm_height_field *aligned_field(void) {
    enum { SIDE = 5 };
    cm_real heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) heights[i] = i % SIDE < 3 ? 0 : 1;
    cm_height_field_desc desc = {.heights = heights, .columns = SIDE, .rows = SIDE};
    desc.column_spacing = desc.row_spacing = CM_REAL(0.5);
    desc.origin = cm_v(-1, -1, 0);
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    return field;
}

/* A box of two halves that meet in a face. */
static inline cm_compound *aligned_halves(void) {
    cm_compound_child children[2];
    memset(children, 0, sizeof children);
    for (int i = 0; i < 2; ++i) {
        children[i].shape = cm_make_box(cm_v(CM_REAL(0.5), 1, 1));
        children[i].pose.position.x = CM_REAL(i - 0.5);
    }
    cm_compound_desc desc = {.children = children, .count = 2};
    cm_compound *compound = NULL;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    return compound;
}

static inline void aligned_build(aligned *z) {
    const cm_real half = CM_REAL(0.5);
    const cm_vec3 o = cm_v(0, 0, 0);
    cm_vec3 cube[8];
    for (int i = 0; i < 8; ++i)
        cube[i] = cm_v(i & 1 ? CM_REAL(1) : -1, i & 2 ? CM_REAL(1) : -1, i & 4 ? CM_REAL(1) : -1);
    const cm_vec3 roof[] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, 0, 1}, {1, 0, 1}};
    memset(z, 0, sizeof *z);
    z->cube = aligned_hull(cube, 8);
    z->roof = aligned_hull(roof, 6);
    z->sheet = surface_sheet(1, 1, 2);
    z->block = solid_box(1, 1, 1, 1, true);
    z->field = aligned_field();
    z->halves = aligned_halves();
    const cm_shape all[] = {cm_make_point(o),
                            cm_make_sphere(o, 1),
                            cm_make_segment(cm_v(-1, 0, 0), cm_v(1, 0, 0)),
                            cm_make_segment(cm_v(half, 0, 0), cm_v(half, 0, 0)), /* of no length */
                            cm_make_capsule(cm_v(0, 0, -half), cm_v(0, 0, half), half),
                            cm_make_triangle(cm_v(-1, -1, 0), cm_v(1, -1, 0), cm_v(0, 1, 0)),
                            cm_make_triangle(cm_v(-1, 0, 0), cm_v(1, 0, 0), o), /* of no area */
                            cm_make_box(cm_v(1, 1, 1)),
                            cm_make_box(cm_v(1, half, 0)), /* flat */
                            cm_make_rounded_box(cm_v(half, half, half), half),
                            cm_make_cylinder(1, 1),
                            cm_make_cone(1, 1),
                            cm_make_ellipsoid(cm_v(1, half, 1)),
                            cm_make_hull(z->cube),
                            cm_make_hull(z->roof),
                            cm_make_custom(octahedron_support, NULL, o, 1),
                            cm_make_halfspace(cm_v(0, 0, 1), 0),
                            cm_make_mesh(z->sheet),
                            cm_make_mesh(z->block),
                            cm_make_height_field(z->field),
                            cm_make_compound(z->halves)};
    z->count = (int)(sizeof all / sizeof *all);
    z->convex = z->count - 5;
    memcpy(z->shapes, all, sizeof all);
}

static inline void aligned_free(aligned *z) {
    cm_hull_destroy(z->cube, NULL), cm_hull_destroy(z->roof, NULL);
    cm_mesh_destroy(z->sheet, NULL), cm_mesh_destroy(z->block, NULL);
    cm_height_field_destroy(z->field, NULL);
    cm_compound_destroy(z->halves, NULL);
}

/* One of six: none, quarter turns about z and x, half a turn about x, an eighth about z, a third about the diagonal. */
static inline cm_quat aligned_rotation(int which) {
    const cm_quat all[6] = {
        {0, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, CM_REAL(0.41421356237309505), 1}, {1, 1, 1, 1}};
    return which == 0 || which == 3 ? all[which] : cm_quat_normalize(all[which]);
}

static inline cm_vec3 aligned_axis(int axis, cm_real length) {
    return cm_v(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

/* --- sweeps ------------------------------------------------------------------------------------------------------ */

static inline void hash_hit(uint64_t *h, bool met, const cm_sweep_hit *hit) {
    hash_number(h, met);
    if (!met) return;
    hash_real(h, hit->first), hash_real(h, hit->last), hash_vec3(h, hit->point), hash_vec3(h, hit->normal);
    hash_number(h, (uint64_t)hit->start), hash_number(h, hit->blocking), hash_number(h, (uint64_t)hit->proof);
    hash_number(h, (uint64_t)hit->part_a << 32 | hit->part_b), hash_real(h, hit->free_until);
}

typedef struct aligned_play {
    uint64_t hash;
    int asked, met, stride; /* every stride-th is asked */
    int turn;               /* how they turn */
} aligned_play;

static inline void aligned_ask(aligned_play *p, const cm_shape *a, const cm_motion *ma, const cm_shape *b,
                               const cm_motion *mb) {
    cm_sweep_hit hit;
    cm_real last;
    if (p->asked++ % p->stride != 0) return;
    const bool met = cm_sweep(a, ma, b, mb, &hit);
    hash_hit(&p->hash, met, &hit);
    p->met += met;
    if (!cm_sweep_last(a, ma, b, mb, &last)) last = -1;
    hash_real(&p->hash, last);
}

#endif
