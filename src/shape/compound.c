/* A compound as a shape: the union of its children. */
#include "shape/compound.h"
#include "base/error.h"
#include "math/round.h"
#include "math/wide.h"
#include "shape/shape.h"

static cm_status compound_check(const cm_shape *shape, cm_error *error) {
    if (shape->u.compound) return CM_OK;
    return cm__refuse(error, CM_INVALID, "compound", CM_NONE);
}

/* Around the children's own boxes: as tight as theirs. */
static void compound_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    const cm_compound *c = shape->u.compound;
    const cm_compound_child *children = compound_children(c);
    cm_aabb all = cm_aabb_empty(), one;
    for (uint32_t i = 0; i < c->info.children; i++) {
        cm_pose placed = cm_pose_mul(pose, &children[i].pose);
        cm_shape_bounds(&children[i].shape, &placed, &one);
        all = cm_aabb_union(all, one);
    }
    *out = cm_aabb_grow(all, 2 * cm__pose_error(pose, c->reach)); /* the rounding of `placed` */
}

/* One child, as far as `until`. Where the ray ends there within the child, it is asked again, all of it: for the exit.
 */
static bool compound_child_raycast(const cm_ray *ray, cm_real until, const cm_compound_child *child, cm_ray_hit *out) {
    cm_ray cut = *ray;
    cut.max = cm_min(until, ray->max);
    if (!cm_raycast(&cut, &child->shape, &child->pose, out)) return false;
    if (out->exit < cut.max || cut.max == ray->max) return true;
    return cm_raycast(ray, &child->shape, &child->pose, out);
}

/* The first child on the ray; of equally near ones the lowest number. `exit` is where the ray leaves that child. */
static bool compound_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    const cm_compound *c = shape->u.compound;
    const cm_compound_child *children = compound_children(c);
    cm__bvh tree = compound_tree(c);
    cm__bvh_ray_query q;
    cm__bvh_leaf leaf;
    bool found = false;
    cm_real until = CM_REAL_MAX; /* what begins later is not the first; with room for the rounding of its time */
    /* boxes hold their children with room for the rounding of a pose; the ray's way into a child rounds once more */
    cm__bvh_ray_start(&q, &tree, ray->origin, ray->direction,
                      16 * CM_REAL_EPSILON * (c->reach + cm_largest(ray->origin)));
    while (cm__bvh_ray_next(&q, cm_min(until, ray->max * (1 + 4 * CM_REAL_EPSILON)), &leaf)) {
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; i++) {
            cm_ray_hit hit;
            uint32_t number = tree.items[i];
            if (!compound_child_raycast(ray, until, &children[number], &hit)) continue;
            if (found && !(hit.t < out->t || (hit.t == out->t && number < out->part))) continue;
            found = true;
            hit.part = number;
            *out = hit;
            until = hit.t * (1 + 4 * CM_REAL_EPSILON) + CM_REAL_MIN;
        }
    }
    return found;
}

/* The children's, added up: where they overlap, twice. */
static cm_status compound_mass(const cm_shape *shape, cm__mass_sum *out) {
    const cm_compound *c = shape->u.compound;
    const cm_compound_child *children = compound_children(c);
    cm_mass total = {0, 0, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, part;
    for (uint32_t i = 0; i < c->info.children; i++) {
        cm_status status = cm_shape_mass(&children[i].shape, 1, &part);
        if (status != CM_OK) return status;
        cm_mass_add(&total, &part, &children[i].pose);
    }
    const cm_mat3 *t = &total.inertia;
    const cm_real tensor[6] = {t->x.x, t->y.y, t->z.z, t->y.z, t->z.x, t->x.y};
    out->unit = 1;
    out->volume = (double)total.volume;
    out->center = cm__point_of(total.center);
    for (int k = 0; k < 6; k++) out->inertia[k] = (double)tensor[k];
    return CM_OK;
}

/* --- its children as parts --------------------------------------------------------------------------------------- */

static void compound_parts_box(const cm_shape *shape, cm_aabb *out) { *out = shape->u.compound->info.bounds; }

static void compound_parts_open(cm__parts *q, const cm_shape *shape, const cm_aabb *box) {
    q->shape = shape;
    q->box = *box;
    q->at = q->end = 0;
}

static void compound_part_of(const cm_compound *c, uint32_t number, cm__part *out) {
    const cm_compound_child *child = &compound_children(c)[number];
    out->shape = child->shape;
    out->pose = child->pose;
    out->identity = false;
    out->number = number;
}

static void compound_parts_start(cm__parts *q, const cm_shape *shape, const cm_aabb *box) {
    cm__bvh tree = compound_tree(shape->u.compound);
    compound_parts_open(q, shape, box);
    cm__bvh_box_near_start(&q->walk, &tree, box);
}

static bool compound_parts_next(cm__parts *q, cm_real bound, cm__part *out) {
    const cm_compound *c = q->shape->u.compound;
    while (q->at >= q->end) {
        cm__bvh_leaf leaf;
        if (!cm__bvh_box_near_next(&q->walk, bound, &leaf)) return false;
        q->at = leaf.first, q->end = leaf.first + leaf.count;
    }
    compound_part_of(c, compound_items(c)[q->at++], out);
    return true;
}

static void compound_parts_cast_start(cm__parts *q, const cm_shape *shape, const cm_aabb *box, cm_vec3 move) {
    cm__bvh tree = compound_tree(shape->u.compound);
    compound_parts_open(q, shape, box);
    q->move = move;
    cm__bvh_cast_start(&q->walk, &tree, box, move);
}

static bool compound_parts_cast_next(cm__parts *q, cm_real limit, cm__part *out) {
    const cm_compound *c = q->shape->u.compound;
    while (q->at >= q->end) {
        cm__bvh_leaf leaf;
        if (!cm__bvh_cast_next(&q->walk, limit, &leaf)) return false;
        q->at = leaf.first, q->end = leaf.first + leaf.count;
    }
    compound_part_of(c, compound_items(c)[q->at++], out);
    return true;
}

static uint32_t compound_tree_root(const cm_shape *shape, uint64_t *out) {
    *out = 0;
    return shape->u.compound->in_tree;
}

static int compound_tree_open(const cm_shape *shape, uint64_t node, uint64_t out[CM__TREE_FAN]) {
    const cm__bvh tree = compound_tree(shape->u.compound);
    return tree_open(&tree, node, out);
}

static uint32_t compound_tree_child(const cm_shape *shape, uint64_t node) {
    return compound_items(shape->u.compound)[node & ~CM__TREE_PART];
}

static void compound_tree_box(const cm_shape *shape, uint64_t node, cm__point *center, cm__point *half) {
    const cm_compound *c = shape->u.compound;
    if (node & CM__TREE_PART) {
        const cm_aabb *box = (const cm_aabb *)compound_at(c, c->boxes) + (node & ~CM__TREE_PART);
        tree_box_of(box->min, box->max, center, half);
        return;
    }
    const cm__bvh tree = compound_tree(c);
    tree_box(&tree, node, center, half);
}

static void compound_tree_part(const cm_shape *shape, uint64_t node, cm__part *out) {
    compound_part_of(shape->u.compound, compound_tree_child(shape, node), out);
}

static const cm__parts_ops compound_parts = {
    .box = compound_parts_box,
    .start = compound_parts_start,
    .next = compound_parts_next,
    .cast_start = compound_parts_cast_start,
    .cast_next = compound_parts_cast_next,
    .children = true,
    .tree = {compound_tree_root, compound_tree_open, compound_tree_box, compound_tree_part}};

static void compound_picture(cm__picture *p, const cm_shape *shape) {
    const cm_compound *c = shape->u.compound;
    for (uint32_t i = 0; i < c->info.children; i++) {
        const cm_compound_child *child = &compound_children(c)[i];
        p->pose = &child->pose;
        cm__picture_shape(p, &child->shape);
    }
    p->pose = NULL;
}

static const cm_field compound_fields[] = {CM__FIELD("compound", POINTER, compound)};

static bool compound_curved(const cm_shape *shape) { return shape->u.compound->curved; }

const cm__shape_ops cm__shape_compound = {.name = "compound",
                                          .shape_class = CM__COMPOSITE,
                                          .curved = compound_curved,
                                          .check = compound_check,
                                          .bounds = compound_bounds,
                                          .raycast = compound_raycast,
                                          .parts = &compound_parts,
                                          .mass = compound_mass,
                                          .picture = compound_picture,
                                          CM__FIELDS(compound_fields)};
