/* Shapes of a scene file: one line of the table and one function a kind. */
#include "stage_shape.h"

#include "options.h"
#include "read.h"
#include "text.h"
#include "units.h"

#include <stdlib.h>
#include <string.h>

typedef void (*shape_reader)(fields *f, const json_t *value, stage_shape *out);

/* --- members that several have ------------------------------------------------------------------------------------ */

static double needed(fields *f, const json_t *value, const char *key) {
    double number = 0;
    if (!fields_number(f, value, key, 0, CM_COORD_MAX, &number)) fields_bad(f, "\"%s\" is missing", key);
    return number;
}
static cm_vec3 needed_vector(fields *f, const json_t *value, const char *key) {
    cm_vec3 v = cm_v(0, 0, 0);
    if (!fields_vector(f, value, key, &v)) fields_bad(f, "\"%s\" is missing", key);
    return v;
}

/* "half" or "size". */
static cm_vec3 half_of(fields *f, const json_t *value) {
    cm_vec3 v;
    if (fields_vector(f, value, "half", &v)) return v;
    return cm_scale(needed_vector(f, value, "size"), 0.5);
}

/* --- kinds ---------------------------------------------------------------------------------------------------------
 */

static void read_point(fields *f, const json_t *value, stage_shape *out) {
    cm_vec3 at = cm_v(0, 0, 0);
    fields_vector(f, value, "center", &at);
    out->shape = cm_make_point(at);
    out->solid = false;
}
static void read_sphere(fields *f, const json_t *value, stage_shape *out) {
    cm_vec3 at = cm_v(0, 0, 0);
    fields_vector(f, value, "center", &at);
    out->shape = cm_make_sphere(at, needed(f, value, "radius"));
}
static void read_segment(fields *f, const json_t *value, stage_shape *out) {
    out->shape = cm_make_segment(needed_vector(f, value, "a"), needed_vector(f, value, "b"));
    out->solid = false;
}
static void read_capsule(fields *f, const json_t *value, stage_shape *out) {
    out->shape =
        cm_make_capsule(needed_vector(f, value, "a"), needed_vector(f, value, "b"), needed(f, value, "radius"));
}
static void read_triangle(fields *f, const json_t *value, stage_shape *out) {
    out->shape =
        cm_make_triangle(needed_vector(f, value, "a"), needed_vector(f, value, "b"), needed_vector(f, value, "c"));
    out->solid = false;
}
static void read_box(fields *f, const json_t *value, stage_shape *out) { out->shape = cm_make_box(half_of(f, value)); }
static void read_cylinder(fields *f, const json_t *value, stage_shape *out) {
    out->shape = cm_make_cylinder(needed(f, value, "radius"), needed(f, value, "half_height"));
}
static void read_cone(fields *f, const json_t *value, stage_shape *out) {
    out->shape = cm_make_cone(needed(f, value, "radius"), needed(f, value, "half_height"));
}
static void read_ellipsoid(fields *f, const json_t *value, stage_shape *out) {
    out->shape = cm_make_ellipsoid(half_of(f, value));
}
static void read_halfspace(fields *f, const json_t *value, stage_shape *out) {
    cm_vec3 through = cm_v(0, 0, 0), normal = cm_normalize(needed_vector(f, value, "normal"), cm_v(0, 0, 0));
    if (!(cm_length(normal) > 0)) fields_bad(f, "\"normal\" has no direction");
    fields_vector(f, value, "through", &through);
    out->shape = cm_make_halfspace(normal, -cm_dot(normal, through));
    out->solid = false;
}

/* --- from points and files -----------------------------------------------------------------------------------------
 */

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
static void read_model(fields *f, const json_t *value, const char *file, cm_vec3 **points, uint32_t *point_count,
                       uint32_t **corners, uint32_t *triangle_count) {
    const char *slash = strrchr(f->path, '/'), *unit = "m";
    fields_text(f, value, "unit", &unit);
    read_options how = {.unit = unit_from_name(unit, strlen(unit)), .one_file = true};
    if (!(how.unit > 0)) fields_bad(f, "\"unit\": '%s' is not a unit: known are " UNIT_NAMES, unit);
    if (f->code) return;
    char *path =
        *file == '/' || !slash ? copy_text(file) : format_text("%.*s/%s", (int)(slash - f->path), f->path, file);
    const char *one = path;
    scene s;
    double seconds[2];
    int code = read_scene(&one, 1, &how, &s, seconds);
    free(path);
    if (code) {
        fields_bad(f, "the file '%s' cannot be used", file);
        return;
    }
    uint32_t n = 0, t = 0;
    for (uint32_t i = 0; i < s.part_count; i++) {
        const cm_mesh *mesh = s.meshes[s.parts[i].mesh].mesh;
        n += cm_mesh_point_count(mesh), t += cm_mesh_triangle_count(mesh);
    }
    *points = allocate(n + 1u, sizeof **points), *corners = allocate(3 * (size_t)t + 1, sizeof **corners);
    *point_count = n, *triangle_count = t;
    for (uint32_t i = n = t = 0; i < s.part_count; i++) {
        const cm_mesh *mesh = s.meshes[s.parts[i].mesh].mesh;
        for (uint32_t k = 0; k < cm_mesh_triangle_count(mesh); k++, t++) {
            cm_mesh_corners(mesh, k, *corners + 3 * (size_t)t);
            for (int c = 0; c < 3; c++) (*corners)[3 * (size_t)t + (size_t)c] += n;
        }
        for (uint32_t k = 0; k < cm_mesh_point_count(mesh); k++)
            (*points)[n++] = cm_pose_apply(&s.parts[i].pose, cm_mesh_points(mesh)[k]);
    }
    free_scene(&s);
    if (!*triangle_count) fields_bad(f, "the file '%s' has no triangles", file);
}

/* Points, and triangles where asked for: from a file or as written; scaled. */
static void read_geometry(fields *f, const json_t *value, cm_vec3 **points, uint32_t *point_count, uint32_t **corners,
                          uint32_t *triangle_count) {
    const char *file = NULL;
    double scale = 1;
    *points = NULL, *corners = NULL, *point_count = *triangle_count = 0;
    fields_number(f, value, "scale", 1e-12, 1e12, &scale);
    if (fields_text(f, value, "file", &file)) {
        read_model(f, value, file, points, point_count, corners, triangle_count);
    } else {
        *points = points_of(f, value, point_count);
        *corners = triangles_of(f, value, *point_count, triangle_count);
        if (!*points) fields_bad(f, "\"file\" or \"points\" is missing");
    }
    for (uint32_t i = 0; i < *point_count; i++) (*points)[i] = cm_scale((*points)[i], scale);
}

static void read_hull(fields *f, const json_t *value, stage_shape *out) {
    cm_vec3 *points;
    uint32_t *corners, point_count, triangle_count;
    read_geometry(f, value, &points, &point_count, &corners, &triangle_count);
    if (!f->code) {
        cm_hull_desc desc = {.points = &points[0].x, .point_count = point_count};
        cm_error error = {0};
        if (cm_hull_build(&desc, NULL, &out->hull, &error) != CM_OK)
            fields_bad(f, "no hull of these points: %s", cm_status_text(error.status));
        else
            out->shape = cm_make_hull(out->hull);
    }
    free(points);
    free(corners);
}

static void read_mesh(fields *f, const json_t *value, stage_shape *out) {
    cm_vec3 *points;
    uint32_t *corners, point_count, triangle_count;
    bool solid = true, asked = fields_bool(f, value, "solid", &solid);
    read_geometry(f, value, &points, &point_count, &corners, &triangle_count);
    if (!f->code) {
        cm_mesh_desc desc = {.points = &points[0].x, .point_count = point_count, .indices = corners};
        desc.triangle_count = triangle_count, desc.solid = solid;
        cm_error error = {0};
        cm_status status = cm_mesh_build(&desc, NULL, &out->mesh, &error);
        if (status == CM_NOT_SOLID && !asked) { /* solid where it can be */
            desc.solid = false;
            status = cm_mesh_build(&desc, NULL, &out->mesh, &error);
        }
        out->solid = desc.solid;
        if (status != CM_OK)
            fields_bad(f, "no mesh of these triangles: %s", cm_status_text(status));
        else
            out->shape = cm_make_mesh(out->mesh);
    }
    free(points);
    free(corners);
}

/* --- the table ------------------------------------------------------------------------------------------------------
 */

static const struct kind_rule {
    const char *name;
    shape_reader read;
    const char *members;
    bool may_round;
} kinds[] = {
    {"point", read_point, "kind center round", true},
    {"sphere", read_sphere, "kind center radius", false},
    {"segment", read_segment, "kind a b round", true},
    {"capsule", read_capsule, "kind a b radius", false},
    {"triangle", read_triangle, "kind a b c round", true},
    {"box", read_box, "kind half size round", true},
    {"cylinder", read_cylinder, "kind radius half_height round", true},
    {"cone", read_cone, "kind radius half_height round", true},
    {"ellipsoid", read_ellipsoid, "kind half size round", true},
    {"hull", read_hull, "kind file unit scale points round", true},
    {"halfspace", read_halfspace, "kind normal through", false},
    {"mesh", read_mesh, "kind file unit scale points triangles solid", false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

void stage_shape_read(fields *f, const json_t *value, stage_shape *out) {
    const char *kind = NULL;
    out->solid = true;
    if (!json_is_object(value)) {
        fields_bad(f, "is not a shape {\"kind\": ...}");
        return;
    }
    if (!fields_text(f, value, "kind", &kind)) {
        fields_bad(f, "\"kind\" is missing");
        return;
    }
    const char *names[KINDS];
    char hint[80];
    for (int i = 0; i < KINDS; i++) names[i] = kinds[i].name;
    for (int i = 0; i < KINDS && !f->code; i++) {
        if (strcmp(kind, kinds[i].name) != 0) continue;
        fields_known(f, value, kinds[i].members);
        kinds[i].read(f, value, out);
        double round = 0;
        if (kinds[i].may_round && fields_number(f, value, "round", 0, CM_COORD_MAX, &round)) out->shape.radius = round;
        cm_error error = {0};
        if (!f->code && cm_shape_check(&out->shape, &error) != CM_OK)
            fields_bad(f, "no valid shape: %s%s%s", cm_status_text(error.status), error.field ? ", " : "",
                       error.field ? error.field : "");
        return;
    }
    fields_enter(f, "kind");
    fields_bad(f, "'%s' is no kind of shape%s", kind, suggest(kind, names, KINDS, hint, sizeof hint));
    fields_leave(f);
}

void stage_shape_free(stage_shape *s) {
    cm_mesh_destroy(s->mesh, NULL);
    cm_hull_destroy(s->hull, NULL);
    free(s->name);
}
