/* The same bits everywhere, where shapes meet in more than one way at once: aligned, flush, touching, over an edge or a
 * corner, within one plane, around one axis, at one place, a little deep or a little apart. See golden.h.
 *
 * Sizes and offsets are halves and quarters, and most turns those of a cube that move axes exactly onto axes, so that
 * what is equal is equal in every bit: a < for a <= anywhere in src/pair changes an answer here. That the answers are
 * right is what test/pair asks; that none of them changes unseen is asked here. */
#ifndef GOLDEN_TOUCHING_H
#define GOLDEN_TOUCHING_H

#include "golden.h"

#include <math.h>

/* --- one of every kind, and those without size ------------------------------------------------------------------- */

enum { FORMS_MOST = 48, BORROWED_MOST = 12 };
typedef struct forms {
    cm_shape shapes[FORMS_MOST];
    int count, composites; /* from there on */
    cm_hull *hulls[BORROWED_MOST];
    cm_mesh *meshes[BORROWED_MOST];
    cm_height_field *fields[BORROWED_MOST];
    cm_compound *compounds[BORROWED_MOST];
    int hull_count, mesh_count, field_count, compound_count;
} forms;

static const cm_real quarter = CM_REAL(0.25), half = CM_REAL(0.5);

static inline void add_shape(forms *f, cm_shape shape) { f->shapes[f->count++] = shape; }
static inline void add_mesh(forms *f, cm_mesh *mesh) {
    f->meshes[f->mesh_count++] = mesh;
    add_shape(f, cm_make_mesh(mesh));
}
static const cm_hull *add_hull(forms *f, const cm_vec3 *points, uint32_t count) {
    cm_hull_desc desc = {.points = &points[0].x, .point_count = count};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    f->hulls[f->hull_count++] = hull;
    add_shape(f, cm_make_hull(hull));
    return hull;
}
static inline void add_field(forms *f, const cm_real *heights, bool other_diagonal) {
    cm_height_field_desc desc = {.heights = heights, .columns = 4, .rows = 3, .other_diagonal = other_diagonal};
    desc.column_spacing = half, desc.row_spacing = 1;
    desc.origin = cm_v(CM_REAL(-0.75), -1, 0);
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    f->fields[f->field_count++] = field;
    add_shape(f, cm_make_height_field(field));
}
static inline void add_compound(forms *f, const cm_compound_child *children, uint32_t count) {
    cm_compound_desc desc = {.children = children, .count = count};
    cm_compound *compound = NULL;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    f->compounds[f->compound_count++] = compound;
    add_shape(f, cm_make_compound(compound));
}

static inline void add_convex(forms *f) {
    const cm_vec3 none = cm_v(0, 0, 0), brick = cm_v(1, half, quarter);
    const cm_vec3 left = cm_v(-1, 0, 0), right = cm_v(1, 0, 0), up = cm_v(0, 0, 1);
    add_shape(f, cm_make_point(none));
    add_shape(f, cm_make_sphere(none, half));
    add_shape(f, cm_make_sphere(right, quarter));
    add_shape(f, cm_make_segment(left, right));
    add_shape(f, cm_make_segment(none, none));
    add_shape(f, cm_make_capsule(left, right, quarter));
    add_shape(f, cm_make_capsule(none, up, half));
    add_shape(f, cm_make_capsule(none, none, half));
    add_shape(f, cm_make_triangle(left, right, cm_v(0, 1, 0)));
    add_shape(f, cm_make_triangle(left, right, none));
    cm_shape rounded = cm_make_triangle(none, right, cm_v(0, 1, 0));
    rounded.radius = quarter;
    add_shape(f, rounded);
    add_shape(f, cm_make_box(brick));
    add_shape(f, cm_make_box(cm_v(half, half, half)));
    add_shape(f, cm_make_box(cm_v(1, half, 0)));
    add_shape(f, cm_make_box(none));
    add_shape(f, cm_make_rounded_box(brick, quarter));
    add_shape(f, cm_make_cylinder(half, 1));
    add_shape(f, cm_make_cylinder(half, 0));
    add_shape(f, cm_make_cone(half, 1));
    add_shape(f, cm_make_cone(1, 0));
    add_shape(f, cm_make_ellipsoid(brick));
    add_shape(f, cm_make_ellipsoid(cm_v(half, half, half)));
    add_shape(f, cm_make_custom(octahedron_support, NULL, none, 1));
    cm_vec3 corner[8];
    for (int i = 0; i < 8; ++i)
        corner[i] = cm_v(i & 1 ? brick.x : -brick.x, i & 2 ? brick.y : -brick.y, i & 4 ? brick.z : -brick.z);
    rounded = cm_make_hull(add_hull(f, corner, 8));
    rounded.radius = quarter;
    add_shape(f, rounded);
    for (int i = 0; i < 8; ++i)
        corner[i] = i & 4 ? up : corner[i]; /* a pyramid: five corners, one of them four times */
    add_hull(f, corner, 8);
    corner[4] = cm_v(0, half, 1); /* another of as many corners */
    add_hull(f, corner, 5);
    add_shape(f, cm_make_halfspace(up, 0));
    add_shape(f, cm_make_halfspace(cm_v(0, CM_REAL(0.6), CM_REAL(0.8)), half));
}

static inline void add_composites(forms *f) {
    static const cm_real flat[12] = {0}, steps[12] = {0, 0, half, half, 0, 0, half, half, 0, -half, quarter, 1};
    const cm_vec3 one = cm_v(1, half, half);
    f->composites = f->count;
    add_mesh(f, surface_sheet(1, 1, 2));
    add_mesh(f, solid_box(1, half, quarter, 1, true));
    add_mesh(f, solid_box(1, half, quarter, 1, false)); /* cut along the other diagonals */
    add_mesh(f, solid_box(half, half, half, 2, false));
    soup hollow = {0};
    soup_add_box(&hollow, cm_v(-1, -1, -1), cm_v(1, 1, 1), 1, false, false);
    soup_add_box(&hollow, cm_v(-half, -half, -half), cm_v(half, half, half), 1, false, true);
    add_mesh(f, soup_build(&hollow, true));
    soup two = {0}; /* solids that meet in a face */
    soup_add_box(&two, cm_v(-1, -half, -half), cm_v(0, half, half), 1, false, false);
    soup_add_box(&two, cm_v(0, -half, -half), one, 2, true, false);
    add_mesh(f, soup_build(&two, true));
    const cm_real eighth = CM_REAL(0.125);
    add_mesh(f, solid_box(eighth, eighth, eighth, 1, false)); /* fits into others */
    soup apart = {0};                                         /* two such: one may lie in a solid, and one beside it */
    soup_add_box(&apart, cm_v(-1, -eighth, -eighth), cm_v(CM_REAL(-0.75), eighth, eighth), 1, false, false);
    soup_add_box(&apart, cm_v(0, -eighth, -eighth), cm_v(quarter, eighth, eighth), 1, false, false);
    add_mesh(f, soup_build(&apart, true));
    soup folds = {0}; /* an open edge, a fold, a ridge, and triangles without area */
    soup_add_sheet(&folds, 1, half, 1);
    soup_add(&folds, cm_v(1, -half, 0), cm_v(1, half, 0), cm_v(half, 0, 1));
    soup_add(&folds, cm_v(-1, -half, 0), cm_v(0, 0, 0), cm_v(1, half, 0));
    soup_add(&folds, cm_v(-1, half, 0), cm_v(-1, half, 0), cm_v(-1, half, half));
    soup_add(&folds, cm_v(-1, half, 0), cm_v(-1, -half, 0), cm_v(-1, 0, -1));
    add_mesh(f, soup_build(&folds, false));
    add_field(f, flat, false);
    add_field(f, steps, true);
    cm_compound_child child[4];
    memset(child, 0, sizeof child);
    for (int i = 0; i < 4; ++i) child[i].pose = cm_pose_identity();
    child[0].shape = cm_make_box(cm_v(half, half, half)), child[0].pose.position = cm_v(-half, 0, 0);
    child[1].shape = cm_make_box(cm_v(half, half, half)), child[1].pose.position = cm_v(half, 0, 0);
    add_compound(f, child, 2);
    child[1].shape = cm_make_hull(f->hulls[1]); /* another of as many children */
    add_compound(f, child, 2);
    child[0].shape = cm_make_mesh(f->meshes[1]);
    child[1].shape = cm_make_sphere(cm_v(0, 0, 0), half);
    child[2].shape = cm_make_mesh(f->meshes[0]), child[2].pose.position = cm_v(0, 0, half);
    child[3].shape = cm_make_height_field(f->fields[1]), child[3].pose.position = cm_v(0, 1, 0);
    add_compound(f, child, 4);
}

static inline void forms_build(forms *f) {
    memset(f, 0, sizeof *f);
    add_convex(f);
    add_composites(f);
}
static inline void forms_free(forms *f) {
    for (int i = 0; i < f->hull_count; ++i) cm_hull_destroy(f->hulls[i], NULL);
    for (int i = 0; i < f->mesh_count; ++i) cm_mesh_destroy(f->meshes[i], NULL);
    for (int i = 0; i < f->field_count; ++i) cm_height_field_destroy(f->fields[i], NULL);
    for (int i = 0; i < f->compound_count; ++i) cm_compound_destroy(f->compounds[i], NULL);
}

/* --- poses ------------------------------------------------------------------------------------------------------- */

/* Mostly none, half turns and third turns, which are exact; also quarter turns, and one by a right triangle of sides
 * 3, 4, 5 about an axis. */
static inline cm_quat straight_rotation(rng *r) {
    cm_quat q = cm_quat_identity();
    cm_real *part[4] = {&q.x, &q.y, &q.z, &q.w};
    uint32_t what = rng_below(r, 16), which = rng_below(r, 8), sign = rng_below(r, 2);
    if (what < 4) return q;
    if (what < 8) {
        q.w = 0, *part[which % 3] = 1;
    } else if (what < 12) {
        q.x = which & 1 ? -half : half, q.y = which & 2 ? -half : half, q.z = which & 4 ? -half : half, q.w = half;
    } else if (what < 14) {
        *part[which % 3] = sign ? 1 : -1;
    } else if (what < 15) {
        *part[which % 3] = half;
    } else {
        q.x = sign ? 1 : -1, q.y = 1, q.z = half;
    }
    return cm_quat_normalize(q);
}

/* Center and half of the box around a turned shape; of a half-space one below its plane. */
static inline void box_of(const cm_shape *s, cm_quat turn, cm_real center[3], cm_real size[3]) {
    cm_pose p = {cm_v(0, 0, 0), turn};
    cm_aabb box;
    cm_shape_bounds(s, &p, &box);
    if (s->kind == CM_SHAPE_HALFSPACE) {
        box.max = cm_rotate(turn, cm_scale(s->u.halfspace.normal, -s->u.halfspace.d));
        box.min = cm_sub(box.max, cm_v(1, 1, 1));
    }
    const cm_real lo[3] = {box.min.x, box.min.y, box.min.z}, hi[3] = {box.max.x, box.max.y, box.max.z};
    for (int i = 0; i < 3; ++i) center[i] = (lo[i] + hi[i]) / 2, size[i] = (hi[i] - lo[i]) / 2;
}

/* How far apart two centers may be along an axis. */
static inline cm_real offset_of(cm_real a, cm_real b, rng *r) {
    const cm_real all[12] = {0, 0, a + b, a + b, a + b, a - b, a, b, (a + b) / 2, a + b / 2, a + b + quarter, quarter};
    const cm_real offset = all[rng_below(r, 12)];
    return rng_below(r, 2) ? offset : -offset;
}

static inline void straight_poses(const cm_shape *a, const cm_shape *b, rng *r, cm_pose *pa, cm_pose *pb) {
    static const double off[16] = {0,    0,     0,    0,     0,          0,           0,         0,
                                   1e-7, -1e-7, 1e-5, -1e-5, 1 / 1024.0, -1 / 1024.0, 1 / 128.0, -1 / 128.0};
    cm_real ca[3], ha[3], cb[3], hb[3], at[3];
    pa->position = pb->position = cm_v(0, 0, 0);
    pa->rotation = straight_rotation(r);
    pb->rotation = straight_rotation(r);
    if (rng_below(r, 3) == 0) pb->rotation = pa->rotation;
    box_of(a, pa->rotation, ca, ha);
    box_of(b, pb->rotation, cb, hb);
    for (int i = 0; i < 3; ++i) {
        at[i] = ca[i] - cb[i] + offset_of(ha[i], hb[i], r);
        at[i] += CM_REAL(off[rng_below(r, 16)]);
    }
    const uint32_t axis = rng_below(r, 3), step = rng_below(r, 8); /* one step of rounding aside */
    if (step < 2) at[axis] *= step ? 1 + CM_REAL_EPSILON : 1 - CM_REAL_EPSILON;
    pb->position = cm_v(at[0], at[1], at[2]);
    const uint32_t what = rng_below(r, 8);
    if (what == 2) *pb = *pa;
    if (what > 1) return;
    cm_pose frame = what ? plain_pose(r, 1) : cm_pose_identity();
    if (!what) frame.position = cm_v(half, -2, quarter), frame.rotation = straight_rotation(r);
    *pa = cm_pose_mul(&frame, pa);
    *pb = cm_pose_mul(&frame, pb);
}

/* --- what is asked ----------------------------------------------------------------------------------------------- */

static inline void hash_witness(uint64_t *h, cm_real d, const cm_witness *w) {
    hash_real(h, d);
    if (!(cm_abs(d) < CM_REAL_MAX)) return;
    hash_vec3(h, w->point_a), hash_vec3(h, w->point_b), hash_vec3(h, w->normal);
    hash_number(h, w->part_a), hash_number(h, w->part_b), hash_number(h, w->flags);
}
static inline void hash_manifolds(uint64_t *h, int found, const cm_manifold *parts, int capacity) {
    hash_number(h, (uint64_t)found);
    for (int k = 0; k < found && k < capacity; ++k) hash_manifold(h, &parts[k]);
}

typedef void ask_function(uint64_t *h, rng *r, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                          const cm_pose *pb);
enum { PARTS = 64 };
static cm_manifold parts[PARTS];

static inline void ask_distance(uint64_t *h, rng *r, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                                const cm_pose *pb) {
    (void)r;
    cm_witness w, near;
    hash_number(h, cm_overlap(a, pa, b, pb));
    cm_real d = cm_distance(a, pa, b, pb, CM_REAL_MAX, &w);
    hash_witness(h, d, &w);
    if (!(d < CM_REAL_MAX)) return;
    const cm_real limits[3] = {0, d, d * (1 - CM_REAL_EPSILON)}; /* gaps: found up to the limit, itself included */
    for (int k = d > 0 ? 0 : 3; k < 3; ++k) {
        cm_real again = cm_distance(a, pa, b, pb, limits[k], &near);
        hash_witness(h, again, &near);
    }
}

static inline void ask_contact(uint64_t *h, rng *r, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                               const cm_pose *pb) {
    (void)r;
    const cm_real margins[3] = {0, CM_REAL(0.0625), quarter};
    for (int k = 0; k < 3; ++k) {
        int found = cm_contact(a, pa, b, pb, margins[k], parts, PARTS);
        hash_manifolds(h, found, parts, PARTS);
        if (k > 0 || found == 0) continue;
        const int fewer = found > PARTS ? PARTS : found - 1, room = (int)(rng_below(r, 8) + 1);
        hash_number(h, (uint64_t)cm_contact(a, pa, b, pb, 0, NULL, 0));
        hash_number(h, (uint64_t)cm_contact(a, pa, b, pb, 0, parts, fewer));
        for (int i = 0; i < fewer; ++i) {
            cm_manifold_reduce(&parts[i], room);
            hash_manifold(h, &parts[i]);
        }
    }
    const cm_real d = cm_distance(a, pa, b, pb, 1, NULL);
    if (!(d > 0 && d < 1)) return;
    int found = cm_contact(a, pa, b, pb, d, parts, PARTS); /* the margin is the distance */
    hash_manifolds(h, found, parts, PARTS);
    hash_number(h, (uint64_t)cm_contact(a, pa, b, pb, d * (1 - CM_REAL_EPSILON), NULL, 0));
}

/* Something wrong, or as large as is allowed, or a rotation that is no unit quaternion but near enough. */
static inline void ask_spoiled(uint64_t *h, rng *r, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                               const cm_pose *pb) {
    const cm_real infinite = (cm_real)INFINITY;
    const cm_real wrong[8] = {(cm_real)NAN, -1, infinite, -infinite, CM_COORD_MAX, -CM_COORD_MAX, 2 * CM_COORD_MAX, 0};
    cm_shape shape = *b;
    cm_pose p = *pa, q = *pb;
    cm_real margin = 0, limit = CM_REAL_MAX, bad = wrong[rng_below(r, 8)];
    int capacity = PARTS;
    const uint32_t what = rng_below(r, 12);
    if (what == 0) p.position.y = bad;
    if (what == 1) q.position.z = bad;
    if (what == 2) p.position.x = q.position.x = bad;
    if (what == 3) q.rotation.w = bad;
    if (what == 4) margin = bad;
    if (what == 5) limit = bad;
    if (what == 6) shape.radius = bad;
    if (what == 7) capacity = -1;
    if (what >= 8) {
        static const double stretch[4] = {1.0004, 0.9996, 1.002, 0.998};
        const cm_real by = CM_REAL(stretch[what - 8]);
        cm_quat *turn = rng_below(r, 2) ? &p.rotation : &q.rotation;
        turn->x *= by, turn->y *= by, turn->z *= by, turn->w *= by;
    }
    cm_witness w;
    hash_number(h, cm_overlap(a, &p, &shape, &q));
    cm_real d = cm_distance(a, &p, &shape, &q, limit, &w);
    hash_witness(h, d, &w);
    int found = cm_contact(a, &p, &shape, &q, margin, parts, capacity);
    hash_manifolds(h, found, parts, capacity);
    const cm_pose *none = NULL;
    const cm_shape *empty = NULL;
    const uint32_t missing = rng_below(r, 4);
    const cm_shape *one = missing == 0 ? empty : a, *two = missing == 1 ? empty : b;
    const cm_pose *at_one = missing == 2 ? none : pa, *at_two = missing == 3 ? none : pb;
    hash_number(h, cm_overlap(one, at_one, two, at_two));
    hash_real(h, cm_distance(one, at_one, two, at_two, limit, NULL));
    hash_number(h, (uint64_t)cm_contact(one, at_one, two, at_two, 0, parts, PARTS));
    hash_number(h, (uint64_t)cm_contact(a, pa, b, pb, 0, NULL, 1));
}

typedef enum among { AMONG_CONVEX, WITH_SEGMENTS, WITH_COMPOSITES, AMONG_MESHES } among;

static inline bool is_among(among which, const cm_shape *a, const cm_shape *b) {
    if (which == WITH_SEGMENTS) return a->kind == CM_SHAPE_SEGMENT || b->kind == CM_SHAPE_SEGMENT;
    return which != AMONG_MESHES || (a->kind == CM_SHAPE_MESH && b->kind == CM_SHAPE_MESH);
}

/* Every convex shape, or every composite, with every shape before it and itself, in one or the other order; or those
 * pairs of them that are named. */
static inline uint64_t hash_of(ask_function *ask, among which, int times, uint64_t seed) {
    forms f;
    forms_build(&f);
    rng r = {seed};
    uint64_t h = HASH_START;
    const bool convex = which == AMONG_CONVEX || which == WITH_SEGMENTS;
    const int from = convex ? 0 : f.composites, to = convex ? f.composites : f.count;
    for (int i = from; i < to; ++i) {
        for (int j = 0; j <= i; ++j) {
            const cm_shape *a = &f.shapes[i], *b = &f.shapes[j];
            if (!is_among(which, a, b)) continue;
            for (int k = 0; k < times; ++k) {
                cm_pose pa, pb;
                straight_poses(a, b, &r, &pa, &pb);
                if (k % 2)
                    ask(&h, &r, a, &pa, b, &pb);
                else
                    ask(&h, &r, b, &pb, a, &pa);
            }
        }
    }
    forms_free(&f);
    return h;
}

#endif
