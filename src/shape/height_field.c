/* A height field as a shape: its triangles are its parts. */
#include "mesh/height_field.h"
#include "base/error.h"
#include "math/round.h"
#include "shape/shape.h"

static cm_status field_check(const cm_shape *shape, cm_error *error) {
    if (shape->u.height_field) return CM_OK;
    return cm__refuse(error, CM_INVALID, "height_field", CM_NONE);
}

/* --- bounds ------------------------------------------------------------------------------------------------------ */

/* How far the field reaches along a direction, in the arithmetic of cm_mat3_mul: as rounding is monotone, the corner
 * of a node's box that lies farthest bounds what any of its points is computed as. */
typedef struct field_reach {
    cm_real along[3]; /* columns, rows, upwards: `axis` gives the order in which the terms are added */
    const int32_t *axis;
    cm_real best;
} field_reach;

static cm_real field_reach_at(const field_reach *r, const cm_real at[3]) {
    cm_real term[3];
    for (int k = 0; k < 3; ++k) term[r->axis[k]] = r->along[k] * at[k];
    return term[0] + term[1] + term[2];
}

static double field_reach_key(const void *query, const cm_real low[3], const cm_real high[3]) {
    const field_reach *r = (const field_reach *)query;
    cm_real at[3];
    for (int k = 0; k < 3; ++k) at[k] = r->along[k] > 0 ? high[k] : low[k];
    cm_real most = field_reach_at(r, at);
    return most > r->best ? -(double)most : HUGE_VAL;
}

static cm_real field_reach_of(const cm_height_field *f, cm_vec3 direction) {
    const cm_real d[3] = {direction.x, direction.y, direction.z};
    field_reach r;
    for (int k = 0; k < 3; ++k) r.along[k] = d[f->axis[k]];
    r.axis = f->axis;
    r.best = -CM_REAL_MAX;
    cm__field_walk walk;
    uint32_t cell, width = cm__field_cells(f, 0);
    cm__field_walk_start(&walk, f);
    walk.stack[0].key = -HUGE_VAL;
    while (cm__field_walk_next(&walk, f, field_reach_key, &r, -(double)r.best, &cell)) {
        for (uint32_t k = 0; k < 4; ++k) {
            uint32_t column = cell % width + k % 2, row = cell / width + k / 2;
            const cm_real at[3] = {cm__field_ground(f, 0, column), cm__field_ground(f, 1, row),
                                   cm__field_height(f, column, row)};
            r.best = cm_max(r.best, field_reach_at(&r, at));
        }
    }
    return r.best;
}

/* The smallest box, as that of a mesh; cost: about the number of cells along the horizon. */
static void field_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    const cm_height_field *f = shape->u.height_field;
    *out = cm_aabb_empty();
    if (f->info.holes == f->info.cells) return;
    cm_mat3 turn = cm_mat3_from_quat(cm_quat_normalize(pose->rotation));
    const cm_vec3 row[3] = {cm_v(turn.x.x, turn.y.x, turn.z.x), cm_v(turn.x.y, turn.y.y, turn.z.y),
                            cm_v(turn.x.z, turn.y.z, turn.z.z)};
    cm_real low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = -field_reach_of(f, cm_neg(row[k]));
        high[k] = field_reach_of(f, row[k]);
    }
    cm_aabb box;
    box.min = cm_add(cm_v(low[0], low[1], low[2]), pose->position);
    box.max = cm_add(cm_v(high[0], high[1], high[2]), pose->position);
    *out = cm_aabb_grow(box, cm__pose_error(pose, f->point_reach));
}

/* --- rays -------------------------------------------------------------------------------------------------------- */

/* The first triangle on the ray, from above or below. */
static bool field_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    const cm_height_field *f = shape->u.height_field;
    cm__mesh_hit hit;
    if (!cm__field_ray(f, ray->origin, ray->direction, ray->max, &hit)) return false;
    cm_vec3 c[3];
    cm__field_triangle(f, hit.triangle, c);
    cm_vec3 normal =
        cm_normalize(cm_cross(cm_sub(c[1], c[0]), cm_sub(c[2], c[0])), cm_normalize(ray->direction, cm_v(0, 0, 1)));
    out->t = out->exit = (cm_real)hit.t;
    out->inside = false;
    out->normal = hit.side >= 0 ? normal : cm_neg(normal);
    out->part = hit.triangle;
    return true;
}

/* --- its triangles as parts -------------------------------------------------------------------------------------- */

static void field_parts_box(const cm_shape *shape, cm_aabb *out) { *out = shape->u.height_field->info.bounds; }

/* `at` and `end` are the numbers of what is left of the last cell. */
static void field_parts_open(cm__parts *q, const cm_shape *shape, const cm_aabb *box, cm_vec3 move) {
    q->shape = shape;
    q->box = *box;
    q->move = move;
    q->at = q->end = 0;
    cm__field_walk_box(&q->field, shape->u.height_field, box, move);
}

static void field_part_of(const cm_vec3 c[3], uint32_t number, cm__part *out) {
    out->shape = cm_make_triangle(c[0], c[1], c[2]);
    out->pose = cm_pose_identity();
    out->identity = true;
    out->number = number;
}

static void field_parts_start(cm__parts *q, const cm_shape *shape, const cm_aabb *box) {
    field_parts_open(q, shape, box, cm_v(0, 0, 0));
}

static bool field_parts_next(cm__parts *q, cm_real bound, cm__part *out) {
    const cm_height_field *f = q->shape->u.height_field;
    if (!(bound >= 0)) return false;
    double limit = (double)bound * (double)bound * (1 + 0x1p-48) + DBL_MIN; /* of squares, rounded up */
    for (;;) {
        while (q->at < q->end) {
            uint32_t number = q->at++;
            cm_vec3 c[3];
            cm__field_triangle(f, number, c);
            if (!parts_near(c, &q->box, bound)) continue;
            field_part_of(c, number, out);
            return true;
        }
        uint32_t cell;
        if (!cm__field_walk_next(&q->field, f, cm__field_gap, &q->field.query, limit, &cell)) return false;
        q->at = 2 * cell, q->end = 2 * cell + 2;
    }
}

static bool field_parts_cast_next(cm__parts *q, cm_real limit, cm__part *out) {
    const cm_height_field *f = q->shape->u.height_field;
    if (!(limit >= 0)) return false;
    double last = (double)limit * (1 + 0x1p-48) + DBL_MIN;
    for (;;) {
        while (q->at < q->end) {
            uint32_t number = q->at++;
            cm_vec3 c[3];
            cm__field_triangle(f, number, c);
            if (!parts_met(c, &q->box, q->move, limit)) continue;
            field_part_of(c, number, out);
            return true;
        }
        uint32_t cell;
        if (!cm__field_walk_next(&q->field, f, cm__field_enter, &q->field.query, last, &cell)) return false;
        q->at = 2 * cell, q->end = 2 * cell + 2;
    }
}

static uint32_t field_across(const cm_shape *shape, uint32_t half_edge, cm_vec3 *third) {
    return cm__field_across(shape->u.height_field, half_edge, third);
}

static bool field_solid(const cm_shape *shape) {
    (void)shape;
    return false;
}

static const cm__surface_ops field_surface = {.across = field_across, .solid = field_solid};

/* Nodes: level, column and row of the implicit tree; parts: triangle numbers. */
#define FIELD_NODE(level, x, y) ((uint64_t)(level) << 58 | (uint64_t)(x) << 29 | (y))
#define FIELD_MASK              ((UINT64_C(1) << 29) - 1)

static uint32_t field_tree_root(const cm_shape *shape, uint64_t *out) {
    const cm_height_field *f = shape->u.height_field;
    *out = FIELD_NODE(f->levels - 1, 0, 0);
    return 2 * (f->info.cells - f->info.holes);
}

static int field_tree_open(const cm_shape *shape, uint64_t node, uint64_t out[CM__TREE_FAN]) {
    const cm_height_field *f = shape->u.height_field;
    const int level = (int)(node >> 58);
    const uint32_t x = (uint32_t)(node >> 29 & FIELD_MASK), y = (uint32_t)(node & FIELD_MASK);
    int count = 0;
    if (level == 0) {
        const uint64_t cell = (uint64_t)y * cm__field_cells(f, 0) + x;
        for (uint32_t i = 0; i < 2; ++i) out[count++] = CM__TREE_PART | (2 * cell + i);
        return count;
    }
    const uint32_t columns = cm__field_width(f, level - 1, 0), rows = cm__field_width(f, level - 1, 1);
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t a = 2 * x + i % 2, b = 2 * y + i / 2;
        if (!(a < columns && b < rows)) continue;
        const cm__field_range heights = cm__field_range_of(f, level - 1, a, b);
        if (heights.low <= heights.high) out[count++] = FIELD_NODE(level - 1, a, b);
    }
    return count;
}

static void field_tree_box(const cm_shape *shape, uint64_t node, cm__point *center, cm__point *half) {
    const cm_height_field *f = shape->u.height_field;
    if (node & CM__TREE_PART) {
        cm_vec3 c[3];
        cm__field_triangle(f, (uint32_t)(node & ~CM__TREE_PART), c);
        tree_box_of_face(c, center, half);
        return;
    }
    const int level = (int)(node >> 58);
    const uint32_t at[2] = {(uint32_t)(node >> 29 & FIELD_MASK), (uint32_t)(node & FIELD_MASK)};
    const cm__field_range heights = cm__field_range_of(f, level, at[0], at[1]);
    cm_real ground[2][2];
    for (int k = 0; k < 2; ++k) {
        const uint64_t end = ((uint64_t)at[k] + 1) << level, cells = cm__field_cells(f, k);
        ground[k][0] = cm__field_ground(f, k, at[k] << level);
        ground[k][1] = cm__field_ground(f, k, (uint32_t)(end < cells ? end : cells));
    }
    const cm_vec3 a = cm__field_point(f, ground[0][0], ground[1][0], heights.low);
    const cm_vec3 b = cm__field_point(f, ground[0][1], ground[1][1], heights.high);
    tree_box_of(cm_vec3_min(a, b), cm_vec3_max(a, b), center, half);
}

static void field_tree_part(const cm_shape *shape, uint64_t node, cm__part *out) {
    const uint32_t number = (uint32_t)(node & ~CM__TREE_PART);
    cm_vec3 c[3];
    cm__field_triangle(shape->u.height_field, number, c);
    field_part_of(c, number, out);
}

static const cm__parts_ops field_parts = {.box = field_parts_box,
                                          .start = field_parts_start,
                                          .next = field_parts_next,
                                          .cast_start = field_parts_open,
                                          .cast_next = field_parts_cast_next,
                                          .surface = &field_surface,
                                          .tree = {field_tree_root, field_tree_open, field_tree_box, field_tree_part}};

static cm_status field_mass(const cm_shape *shape, cm__mass_sum *out) {
    (void)shape, (void)out;
    return CM_NOT_SOLID;
}

/* Points by sample, those of holes too. */
static void field_picture(cm__picture *p, const cm_shape *shape) {
    const cm_height_field *f = shape->u.height_field;
    uint32_t base = (uint32_t)p->point_count, columns = f->info.columns;
    for (uint32_t row = 0; row < f->info.rows; row++)
        for (uint32_t column = 0; column < columns; column++) cm__picture_point(p, cm__field_corner(f, column, row));
    for (uint32_t i = 0; i < f->info.triangles; i++) {
        uint32_t corner[3];
        if (cm__field_is_hole(f, i / 2)) continue;
        cm__field_samples(f, i, corner);
        cm__picture_triangle(p, base + corner[0], base + corner[1], base + corner[2]);
    }
}

static const cm_field height_field_fields[] = {CM__FIELD("height_field", POINTER, height_field)};

const cm__shape_ops cm__shape_height_field = {.name = "height_field",
                                              .shape_class = CM__COMPOSITE,
                                              .check = field_check,
                                              .bounds = field_bounds,
                                              .raycast = field_raycast,
                                              .parts = &field_parts,
                                              .mass = field_mass,
                                              .picture = field_picture,
                                              CM__FIELDS(height_field_fields)};
