/* One of every kind, of nice sizes, and how two of them stand to each other. See standing.h. */
#include "support/standing.h"

#include <math.h>

static void box_support(const void *user, const double direction[3], double point[3]) {
    const cm_vec3 *half = user;
    point[0] = direction[0] < 0 ? -(double)half->x : (double)half->x;
    point[1] = direction[1] < 0 ? -(double)half->y : (double)half->y;
    point[2] = direction[2] < 0 ? -(double)half->z : (double)half->z;
}

/* Three samples by three, of steps of a nice height; every fourth flat. */
static void make_field(nice_thing *t, double x, double y, double z, rng *r) {
    enum { SIDE = 3 };
    cm_real heights[SIDE * SIDE];
    bool flat = rng_below(r, 4) == 0;
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = flat ? 0 : CM_REAL(z) * (cm_real)rng_below(r, 3) / 2;
    cm_height_field_desc desc = {.heights = heights,
                                 .columns = SIDE,
                                 .rows = SIDE,
                                 .column_spacing = CM_REAL(x),
                                 .row_spacing = CM_REAL(y),
                                 .origin = cm_v(CM_REAL(-x), CM_REAL(-y), 0),
                                 .other_diagonal = rng_below(r, 2)};
    if (cm_height_field_build(&desc, NULL, &t->field, NULL) != CM_OK) fail_msg("the field cannot be built");
    t->shape = cm_make_height_field(t->field);
}

static cm_shape make_core(nice_thing *t, double x, double y, double z, rng *r) {
    cm_real a = CM_REAL(x), b = CM_REAL(y), c = CM_REAL(z);
    static const form_kind solids[] = {FORM_MESH_12, FORM_MESH_192, FORM_FANS, FORM_WALLS};
    switch (t->kind) {
    case SPECIMEN_POINT:
    case SPECIMEN_SPHERE:
        return cm_make_point(rng_below(r, 2) ? cm_v(0, 0, 0) : cm_v(a, 0, -b));
    case SPECIMEN_SEGMENT:
    case SPECIMEN_CAPSULE:
        return cm_make_segment(cm_v(-a, 0, 0), cm_v(a, 0, 0));
    case SPECIMEN_TRIANGLE:
    case SPECIMEN_ROUNDED_TRIANGLE:
        return cm_make_triangle(cm_v(-a, -b, 0), cm_v(a, -b, 0), cm_v(rng_below(r, 2) ? 0 : -a, b, 0));
    case SPECIMEN_CYLINDER:
    case SPECIMEN_ROUNDED_CYLINDER:
        return cm_make_cylinder(a, c);
    case SPECIMEN_CONE:
    case SPECIMEN_ROUNDED_CONE:
        return cm_make_cone(a, c);
    case SPECIMEN_ELLIPSOID:
    case SPECIMEN_ROUNDED_ELLIPSOID:
        return cm_make_ellipsoid(cm_v(a, b, c));
    case SPECIMEN_HULL:
    case SPECIMEN_ROUNDED_HULL:
        form_box(&t->form, FORM_HULL, cm_v(a, b, c), r);
        return t->form.shape;
    case SPECIMEN_CUSTOM:
    case SPECIMEN_ROUNDED_CUSTOM:
        t->half = cm_v(a, b, c);
        return cm_make_custom(box_support, &t->half, cm_v(0, 0, 0), cm_length(t->half) * (1 + 8 * CM_REAL_EPSILON));
    case SPECIMEN_HALFSPACE:
    case SPECIMEN_ROUNDED_HALFSPACE:
        return cm_make_halfspace(cm_v(0, 0, 1), -c);
    case SPECIMEN_MESH:
        form_box(&t->form, FORM_SURFACE, cm_v(a, b, c), r);
        return t->form.shape;
    case SPECIMEN_SOLID_MESH:
        form_box(&t->form, solids[rng_below(r, 4)], cm_v(a, b, c), r);
        return t->form.shape;
    case SPECIMEN_COMPOUND:
        form_box(&t->form, FORM_HALVES, cm_v(a, b, c), r);
        return t->form.shape;
    default:
        return cm_make_box(cm_v(a, b, c));
    }
}

static bool is_rounded(specimen_kind kind) {
    return kind == SPECIMEN_SPHERE || kind == SPECIMEN_CAPSULE || strncmp(specimen_names[kind], "rounded", 7) == 0;
}

void nice_thing_make(nice_thing *t, specimen_kind kind, double scale, rng *r) {
    memset(t, 0, sizeof *t);
    t->kind = kind;
    double x = nice_size(r) * scale, y = nice_size(r) * scale, z = nice_size(r) * scale;
    double radius = nice_size(r) * scale / 4;
    if (kind == SPECIMEN_HEIGHT_FIELD) {
        make_field(t, x, y, z, r);
    } else {
        t->shape = make_core(t, x, y, z, r);
    }
    if (is_rounded(kind)) t->shape.radius = CM_REAL(radius);
}

void nice_thing_free(nice_thing *t) {
    form_free(&t->form);
    cm_height_field_destroy(t->field, NULL);
}

/* Center and half of its box when turned; of a half-space its plane, with a nice width. */
static void turned_box(const nice_thing *t, cm_quat turn, double scale, double center[3], double half[3]) {
    cm_pose p = {cm_v(0, 0, 0), turn};
    cm_aabb box;
    if (t->shape.kind == CM_SHAPE_HALFSPACE) {
        cm_vec3 on = cm_rotate(turn, cm_v(0, 0, -t->shape.u.halfspace.d + t->shape.radius));
        box.min = cm_sub(on, cm_v(CM_REAL(scale), CM_REAL(scale), CM_REAL(scale)));
        box.max = on;
    } else {
        cm_shape_bounds(&t->shape, &p, &box);
    }
    const cm_real lo[3] = {box.min.x, box.min.y, box.min.z}, hi[3] = {box.max.x, box.max.y, box.max.z};
    for (int i = 0; i < 3; i++) {
        center[i] = ((double)lo[i] + (double)hi[i]) / 2;
        half[i] = ((double)hi[i] - (double)lo[i]) / 2;
    }
}

void nice_poses(const nice_thing *a, const nice_thing *b, double scale, rng *r, cm_pose *pose_a, cm_pose *pose_b) {
    cm_quat turn_a = cube_rotation(rng_below(r, 24)), turn_b = cube_rotation(rng_below(r, 24)), yaw;
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(nice_angle(r)), &yaw);
    if (rng_below(r, 2)) turn_b = cm_quat_normalize(cm_quat_mul(yaw, turn_b));
    double ca[3], ha[3], cb[3], hb[3], at[3];
    turned_box(a, turn_a, scale, ca, ha);
    turned_box(b, turn_b, scale, cb, hb);
    for (int i = 0; i < 3; i++) at[i] = ca[i] - cb[i] + plan_offset(ha[i], hb[i], r);
    if (rng_below(r, 2)) at[2] = ca[2] - cb[2] + ha[2] + hb[2] + nice_height(scale, r);
    cm_pose pa = {cm_v(0, 0, 0), turn_a}, pb = {cm_v(0, 0, 0), turn_b};
    pb.position.x = nice_ulps(CM_REAL(at[0]), r);
    pb.position.y = nice_ulps(CM_REAL(at[1]), r);
    pb.position.z = nice_ulps(CM_REAL(at[2]), r);
    cm_pose frame = nice_frame(scale, r);
    *pose_a = cm_pose_mul(&frame, &pa);
    *pose_b = cm_pose_mul(&frame, &pb);
}

void nice_thing_print(const char *name, const nice_thing *t, const cm_pose *pose) {
    cm_aabb box = cm_aabb_empty();
    cm_pose home = cm_pose_identity();
    cm_shape_bounds(&t->shape, &home, &box);
    print_error("    %s: %s, radius " REAL_FORMAT ", its box from " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT
                " to " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT "\n",
                name, specimen_names[t->kind], (double)t->shape.radius, (double)box.min.x, (double)box.min.y,
                (double)box.min.z, (double)box.max.x, (double)box.max.y, (double)box.max.z);
    pose_print(name, pose);
}
