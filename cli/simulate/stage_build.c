/* What shapes of a scene borrow, from files and from what is written: hulls, meshes, height fields, compounds. One line
 * of the table and one function each. */
#include "simulate/stage_shape.h"

#include "check/rules.h"
#include "read/read.h"
#include "common/text.h"
#include "common/units.h"

#include <stdlib.h>
#include <string.h>

/* --- points and triangles ----------------------------------------------------------------------------------------- */

/* An array of vectors; NULL where it is absent or bad. */
static cm_vec3 *points_of(fields *f, const json_t *value, uint32_t *count) {
    json_t *list = fields_array(f, value, "points");
    *count = (uint32_t)json_array_size(list);
    cm_vec3 *points = list ? allocate(*count + 1u, sizeof *points) : NULL;
    fields_enter(f, "points");
    for (uint32_t i = 0; i < *count && !f->code; i++) {
        fields_enter_index(f, i);
        field_is_vector(f, json_array_get(list, i), &points[i]);
        fields_leave(f);
    }
    fields_leave(f);
    return points;
}

static uint32_t *triangles_of(fields *f, const json_t *value, uint32_t point_count, uint32_t *count) {
    json_t *list = fields_array(f, value, "triangles");
    *count = (uint32_t)json_array_size(list);
    uint32_t *corners = list ? allocate(3 * (size_t)*count + 1, sizeof *corners) : NULL;
    fields_enter(f, "triangles");
    for (uint32_t i = 0; i < *count && !f->code; i++) {
        cm_vec3 three;
        fields_enter_index(f, i);
        if (field_is_vector(f, json_array_get(list, i), &three)) {
            const double corner[3] = {three.x, three.y, three.z};
            for (int k = 0; k < 3 && !f->code; k++) {
                if (!(corner[k] >= 0 && corner[k] < point_count && corner[k] == (double)(uint32_t)corner[k]))
                    fields_bad(f, "corner %d is not the number of a point", k);
                else
                    corners[3 * (size_t)i + (size_t)k] = (uint32_t)corner[k];
            }
        }
        fields_leave(f);
    }
    fields_leave(f);
    return corners;
}

/* All parts of a model file as one list of points and triangles. */
static void read_model(fields *f, const stage *s, const json_t *value, const char *file, cm_vec3 **points,
                       uint32_t *point_count, uint32_t **corners, uint32_t *triangle_count) {
    const char *slash = strrchr(f->path, '/'), *unit = "m";
    fields_text(f, value, "unit", &unit);
    read_options how = {
        .unit = unit_from_name(unit, strlen(unit)), .one_file = true, .outputs = s->outputs, .left_out = rules_spaces};
    if (!(how.unit > 0)) fields_bad(f, "\"unit\": '%s' is not a unit: known are " UNIT_NAMES, unit);
    if (f->code) return;
    char *path =
        *file == '/' || !slash ? copy_text(file) : format_text("%.*s/%s", (int)(slash - f->path), f->path, file);
    const char *one = path;
    scene model;
    double seconds[2];
    int code = read_scene(&one, 1, &how, &model, seconds);
    free(path);
    if (code) {
        fields_bad(f, "the file '%s' cannot be used", file);
        return;
    }
    uint32_t n = 0, t = 0;
    for (uint32_t i = 0; i < model.part_count; i++) {
        const cm_mesh *mesh = model.meshes[model.parts[i].mesh].mesh;
        n += cm_mesh_point_count(mesh), t += cm_mesh_triangle_count(mesh);
    }
    *points = allocate(n + 1u, sizeof **points), *corners = allocate(3 * (size_t)t + 1, sizeof **corners);
    *point_count = n, *triangle_count = t;
    for (uint32_t i = n = t = 0; i < model.part_count; i++) {
        const cm_mesh *mesh = model.meshes[model.parts[i].mesh].mesh;
        for (uint32_t k = 0; k < cm_mesh_triangle_count(mesh); k++, t++) {
            cm_mesh_corners(mesh, k, *corners + 3 * (size_t)t);
            for (int c = 0; c < 3; c++) (*corners)[3 * (size_t)t + (size_t)c] += n;
        }
        for (uint32_t k = 0; k < cm_mesh_point_count(mesh); k++)
            (*points)[n++] = cm_pose_apply(&model.parts[i].pose, cm_mesh_points(mesh)[k]);
    }
    free_scene(&model);
    if (!*triangle_count) fields_bad(f, "the file '%s' has no triangles", file);
}

/* Points, and triangles where asked for: from a file or as written; scaled. */
static void read_geometry(fields *f, const stage *s, const json_t *value, cm_vec3 **points, uint32_t *point_count,
                          uint32_t **corners, uint32_t *triangle_count) {
    const char *file = NULL;
    double scale = 1;
    *points = NULL, *corners = NULL, *point_count = *triangle_count = 0;
    fields_number(f, value, "scale", 1e-12, 1e12, &scale);
    if (fields_text(f, value, "file", &file)) {
        read_model(f, s, value, file, points, point_count, corners, triangle_count);
    } else {
        *points = points_of(f, value, point_count);
        *corners = triangles_of(f, value, *point_count, triangle_count);
        if (!*points) fields_bad(f, "\"file\" or \"points\" is missing");
    }
    for (uint32_t i = 0; i < *point_count; i++) (*points)[i] = cm_scale((*points)[i], scale);
}

/* --- hulls and meshes --------------------------------------------------------------------------------------------- */

static void destroy_hull(void *hull) { cm_hull_destroy(hull, NULL); }
static void destroy_mesh(void *mesh) { cm_mesh_destroy(mesh, NULL); }

static void build_hull(fields *f, const stage *s, const json_t *value, stage_shape *out) {
    cm_vec3 *points;
    uint32_t *corners, point_count, triangle_count;
    read_geometry(f, s, value, &points, &point_count, &corners, &triangle_count);
    if (!f->code) {
        cm_hull_desc desc = {.points = &points[0].x, .point_count = point_count};
        cm_error error = {0};
        cm_hull *hull = NULL;
        if (cm_hull_build(&desc, NULL, &hull, &error) != CM_OK)
            fields_bad(f, "no hull of these points: %s", cm_status_text(error.status));
        out->owned = hull, out->destroy = destroy_hull;
        out->shape = cm_make_hull(hull);
    }
    free(points);
    free(corners);
}

static void build_mesh(fields *f, const stage *s, const json_t *value, stage_shape *out) {
    cm_vec3 *points;
    uint32_t *corners, point_count, triangle_count;
    bool solid = true, asked = fields_bool(f, value, "solid", &solid);
    read_geometry(f, s, value, &points, &point_count, &corners, &triangle_count);
    if (!f->code) {
        cm_mesh_desc desc = {.points = &points[0].x, .point_count = point_count, .indices = corners};
        desc.triangle_count = triangle_count, desc.solid = solid;
        cm_error error = {0};
        cm_mesh *mesh = NULL;
        cm_status status = cm_mesh_build(&desc, NULL, &mesh, &error);
        if (status == CM_NOT_SOLID && !asked) { /* solid where it can be */
            desc.solid = false;
            status = cm_mesh_build(&desc, NULL, &mesh, &error);
        }
        if (status != CM_OK) fields_bad(f, "no mesh of these triangles: %s", cm_status_text(status));
        out->owned = mesh, out->destroy = destroy_mesh;
        out->shape = cm_make_mesh(mesh);
    }
    free(points);
    free(corners);
}

/* --- height fields ------------------------------------------------------------------------------------------------ */

static void destroy_height_field(void *field) { cm_height_field_destroy(field, NULL); }

/* "xy" ...: the axes of columns and rows, in the order of cm_ground. */
static cm_ground ground_of(fields *f, const json_t *value) {
    static const char *const names[] = {"xy", "yz", "zx", "yx", "zy", "xz"};
    const char *name = "xy";
    fields_text(f, value, "ground", &name);
    for (int i = 0; i < 6; i++)
        if (strcmp(names[i], name) == 0) return (cm_ground)i;
    fields_enter(f, "ground");
    fields_bad(f, "'%s' is not one of xy, yz, zx, yx, zy, xz", name);
    fields_leave(f);
    return CM_GROUND_XY;
}

/* The rows of "heights" or "holes", each of as many entries as the first. NULL where the member is absent or bad. */
static double *table_of(fields *f, const json_t *value, const char *key, uint32_t *columns, uint32_t *rows) {
    json_t *list = fields_array(f, value, key);
    if (!list) return NULL;
    size_t across = json_array_size(json_array_get(list, 0)), down = json_array_size(list);
    double *out = allocate(across * down + 1, sizeof *out);
    fields_enter(f, key);
    for (size_t row = 0; row < down && !f->code; row++) {
        json_t *line = json_array_get(list, row);
        fields_enter_index(f, row);
        if (!json_is_array(line))
            fields_bad(f, "is not a row of numbers [...]");
        else if (json_array_size(line) != across)
            fields_bad(f, "has %zu numbers, the first row has %zu", json_array_size(line), across);
        for (size_t column = 0; column < across && !f->code; column++) {
            fields_enter_index(f, column);
            field_is_number(f, json_array_get(line, column), -CM_COORD_MAX, CM_COORD_MAX, &out[row * across + column]);
            fields_leave(f);
        }
        fields_leave(f);
    }
    fields_leave(f);
    *columns = (uint32_t)across, *rows = (uint32_t)down;
    return out;
}

/* A number a cell: not 0 = no triangles there. */
static uint8_t *holes_of(fields *f, const json_t *value, uint32_t columns, uint32_t rows) {
    uint32_t across = 0, down = 0;
    double *numbers = table_of(f, value, "holes", &across, &down);
    uint8_t *holes = numbers ? allocate((size_t)across * down + 1, 1) : NULL;
    for (size_t i = 0; numbers && i < (size_t)across * down; i++) holes[i] = numbers[i] != 0;
    free(numbers);
    if (holes && !f->code && (across + 1 != columns || down + 1 != rows)) {
        fields_enter(f, "holes");
        fields_bad(f, "has %u x %u cells, the heights have %u x %u", across, down, columns - 1, rows - 1);
        fields_leave(f);
    }
    return holes;
}

static void build_height_field(fields *f, const stage *s, const json_t *value, stage_shape *out) {
    cm_height_field_desc desc = {.column_spacing = 1, .row_spacing = 1};
    (void)s;
    double *heights = table_of(f, value, "heights", &desc.columns, &desc.rows);
    if (!heights) fields_bad(f, "\"heights\" is missing");
    uint8_t *holes = holes_of(f, value, desc.columns, desc.rows);
    desc.heights = heights, desc.holes = holes, desc.ground = ground_of(f, value);
    fields_number(f, value, "column_spacing", 0, CM_COORD_MAX, &desc.column_spacing);
    fields_number(f, value, "row_spacing", 0, CM_COORD_MAX, &desc.row_spacing);
    fields_number(f, value, "scale", -CM_COORD_MAX, CM_COORD_MAX, &desc.scale);
    fields_vector(f, value, "origin", &desc.origin);
    fields_bool(f, value, "other_diagonal", &desc.other_diagonal);
    cm_error error = {0};
    cm_height_field *field = NULL;
    if (!f->code && cm_height_field_build(&desc, NULL, &field, &error) != CM_OK) {
        const char *member = error.field && json_object_get(value, error.field) ? error.field : "heights";
        fields_enter(f, member);
        fields_bad(f, "no height field: %s%s%s", cm_status_text(error.status), error.field ? ", " : "",
                   error.field ? error.field : "");
        fields_leave(f);
    }
    if (field) out->owned = field, out->destroy = destroy_height_field, out->shape = cm_make_height_field(field);
    free(heights);
    free(holes);
}

/* --- compounds ---------------------------------------------------------------------------------------------------- */

static void destroy_compound(void *compound) { cm_compound_destroy(compound, NULL); }

static void build_compound(fields *f, const stage *s, const json_t *value, stage_shape *out) {
    json_t *list = fields_array(f, value, "children");
    uint32_t count = (uint32_t)json_array_size(list);
    if (!count) fields_bad(f, "\"children\" are missing");
    if (f->code) return;
    cm_compound_child *children = allocate(count, sizeof *children);
    out->children = allocate(count, sizeof *out->children), out->child_count = count;
    fields_enter(f, "children");
    for (uint32_t i = 0; i < count && !f->code; i++) {
        json_t *child = json_array_get(list, i), *shape = json_object_get(child, "shape");
        fields_enter_index(f, i);
        if (!json_is_object(child)) fields_bad(f, "is not an object {...}");
        fields_known(f, child, "shape at turn rotation");
        if (!shape) fields_bad(f, "\"shape\" is missing");
        fields_enter(f, "shape");
        if (!f->code) stage_child_read(f, s, shape, &out->children[i]);
        fields_leave(f);
        fields_pose(f, child, &children[i].pose);
        children[i].shape = out->children[i].shape;
        fields_leave(f);
    }
    cm_compound_desc desc = {.children = children, .count = count};
    cm_error error = {0};
    cm_compound *compound = NULL;
    if (!f->code && cm_compound_build(&desc, NULL, &compound, &error) != CM_OK) {
        if (error.index < count) fields_enter_index(f, error.index);
        fields_bad(f, "no child of a compound: %s", cm_status_text(error.status));
        if (error.index < count) fields_leave(f);
    }
    fields_leave(f);
    if (compound) out->owned = compound, out->destroy = destroy_compound, out->shape = cm_make_compound(compound);
    free(children);
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

const stage_builder *stage_builder_of(const char *field) {
    static const stage_builder builders[] = {
        {"hull", "file unit scale points", build_hull},
        {"mesh", "file unit scale points triangles solid", build_mesh},
        {"height_field", "heights holes column_spacing row_spacing scale origin ground other_diagonal",
         build_height_field},
        {"compound", "children", build_compound},
    };
    for (size_t i = 0; i < sizeof builders / sizeof builders[0]; i++)
        if (strcmp(builders[i].field, field) == 0) return &builders[i];
    return NULL;
}
