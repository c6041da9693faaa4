/* Decides which of two shapes is solved as the first. Rounding depends on it, and the verdict must not depend on which
 * shape the caller calls A.
 *
 * Different kinds go by the list of shapes. Equal kinds go by their poses, then by their numbers, last by what they
 * borrow; never by an address. Poses are compared first by their positions along a fixed oblique direction (pair.h).
 * That decides nearly all pairs in one comparison. It also keeps the order, and with it the feature numbers of
 * contacts, of bodies at rest on or beside each other while they move by rounding. Two that are equal in all of this
 * are the same body twice, whose order makes no difference. Cost beyond that comparison: a few more; O(parts) for equal
 * copies of large data at one pose. */
#include "pair/pair.h"
#include "pair/surface.h"

#include <string.h>

/* < 0, 0, > 0 as the first of n numbers that differ says. */
static int order_of_reals(const cm_real *x, const cm_real *y, int count) {
    for (int i = 0; i < count; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static int order_of_numbers(const cm_shape *a, const cm_shape *b) {
    if (a->radius != b->radius) return a->radius < b->radius ? -1 : 1;
    const cm__shape_ops *ops = cm__ops(a->kind);
    for (int i = 0; i < ops->field_count; i++) {
        const cm_field *f = &ops->fields[i];
        const void *x = (const char *)a + f->offset, *y = (const char *)b + f->offset;
        if (f->type == CM_FIELD_POINTER) continue;
        int order = order_of_reals(x, y, f->type == CM_FIELD_VEC3 ? 3 : 1);
        if (order) return order;
    }
    return 0;
}

static int order_of_poses(const cm_pose *a, const cm_pose *b) {
    int order = order_of_reals(&a->position.x, &b->position.x, 3);
    return order ? order : order_of_reals(&a->rotation.x, &b->rotation.x, 4);
}

static int order_of_points(cm__point a, cm__point b) {
    if (a.x != b.x) return a.x < b.x ? -1 : 1;
    if (a.y != b.y) return a.y < b.y ? -1 : 1;
    return a.z != b.z ? (a.z < b.z ? -1 : 1) : 0;
}

/* By all corners; or, where there is only a support function, by the support points along a few directions. Of one kind
 * either both have corners or neither has. */
static int order_of_cores(const cm_shape *a, const cm_shape *b) {
    static const double some[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-0.3, -0.5, -0.8}};
    cm__core ca, cb;
    uint32_t id_a = 0, id_b = 0;
    int order = 0;
    cm__ops(a->kind)->core(a, &ca);
    cm__ops(b->kind)->core(b, &cb);
    if (ca.count != cb.count) return ca.count < cb.count ? -1 : 1;
    bool corners = ca.ops->corner && cb.ops->corner;
    for (uint32_t i = 0; i < (corners ? ca.count : 4) && !order; i++) {
        cm__point d = corners ? cm__p(0, 0, 0) : cm__p(some[i][0], some[i][1], some[i][2]);
        order = corners ? order_of_points(ca.ops->corner(&ca, i), cb.ops->corner(&cb, i))
                        : order_of_points(ca.ops->support(&ca, d, &id_a), cb.ops->support(&cb, d, &id_b));
    }
    return order;
}

static int order_of_content(const cm_shape *a, const cm_shape *b);

/* Composites part by part, as a query for everything offers them: triangles, or the children of a compound. What is
 * solid differs from a surface of the same triangles, and what numbers its parts otherwise from both. */
static int order_of_parts(const cm_shape *a, const cm_shape *b) {
    const cm__parts_ops *ops = cm__ops(a->kind)->parts;
    const cm_vec3 far = cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX);
    const cm_aabb all = {cm_neg(far), far};
    const bool solid_b = surface_is_solid(b);
    cm__parts qa, qb;
    cm__part pa, pb;
    int order = 0, by_number = 0;
    if (surface_is_solid(a) != solid_b) return solid_b ? -1 : 1;
    ops->start(&qa, a, &all);
    ops->start(&qb, b, &all);
    while (!order) {
        bool more_a = ops->next(&qa, CM_REAL_MAX, &pa), more_b = ops->next(&qb, CM_REAL_MAX, &pb);
        if (more_a != more_b) return more_b ? -1 : 1;
        if (!more_a) return by_number;
        order = pa.shape.kind != pb.shape.kind ? (pa.shape.kind < pb.shape.kind ? -1 : 1)
                                               : order_of_numbers(&pa.shape, &pb.shape);
        if (!order) order = order_of_poses(&pa.pose, &pb.pose);
        if (!order && ops->children) order = order_of_content(&pa.shape, &pb.shape);
        if (!by_number && pa.number != pb.number) by_number = pa.number < pb.number ? -1 : 1;
    }
    return order;
}

static bool borrows_the_same(const cm_shape *a, const cm_shape *b) {
    const cm__shape_ops *ops = cm__ops(a->kind);
    bool same = true;
    for (int i = 0; i < ops->field_count; i++) {
        const cm_field *f = &ops->fields[i];
        if (f->type != CM_FIELD_POINTER) continue;
        same = same && memcmp((const char *)a + f->offset, (const char *)b + f->offset, sizeof(void *)) == 0;
    }
    return same;
}

/* For equal kinds with equal numbers. Recursion goes only from a compound to its children, which are no compounds. */
static int order_of_content(const cm_shape *a, const cm_shape *b) {
    if (borrows_the_same(a, b)) return 0;
    if (cm__ops(a->kind)->core) return order_of_cores(a, b);
    return cm__ops(a->kind)->parts ? order_of_parts(a, b) : 0;
}

bool cm__pair_equal_swapped(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b) {
    int order = order_of_poses(pose_a, pose_b);
    if (!order) order = order_of_numbers(a, b);
    if (!order) order = order_of_content(a, b);
    return order > 0;
}
