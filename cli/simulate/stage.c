/* Reads a scene file: see stage.h. */
#include "simulate/stage.h"

#include "common/fields.h"
#include "simulate/stage_shape.h"
#include "common/suggest.h"
#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct stage_reader {
    fields f;
    stage *s;
    size_t shape_capacity, object_capacity, rule_capacity;
    uint64_t random;
    uint32_t scattered;       /* objects that are to be scattered in all; 0: as the scene says */
    uint64_t counted, counts; /* of the scene's own: those of the scatters so far, and of all */
} stage_reader;

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Names are kept cleaned, as they will be shown; so must be what is compared with them. Free it. */
static char *clean_name(const char *name) { return clean_text(name, strlen(name)); }

static uint32_t find_class(const stage *s, const char *name) {
    char *clean = clean_name(name);
    uint32_t found = 0;
    while (found < s->class_count && strcmp(s->classes[found], clean) != 0) found++;
    free(clean);
    return found;
}

/* The number of a class, which becomes known by being used. */
static uint32_t class_of(stage_reader *r, const char *name) {
    stage *s = r->s;
    uint32_t found = find_class(s, name);
    if (found < s->class_count) return found;
    if (s->class_count == STAGE_CLASSES) {
        fields_enter(&r->f, "class");
        fields_bad(&r->f, "more than %d classes", STAGE_CLASSES);
        fields_leave(&r->f);
        return 0;
    }
    s->classes[s->class_count] = clean_name(name);
    return s->class_count++;
}

/* Of a class that some object has. */
static uint32_t known_class(stage_reader *r, const char *name) {
    stage *s = r->s;
    char hint[80];
    uint32_t found = find_class(s, name);
    if (found < s->class_count) return found;
    fields_bad(&r->f, "no object is of class '%s'%s", name,
               suggest(name, (const char *const *)s->classes, s->class_count, hint, sizeof hint));
    return 0;
}

/* The first object of that name, or STAGE_NONE. */
static uint32_t find_object(const stage *s, const char *name) {
    char *clean = clean_name(name);
    uint32_t found = 0;
    while (found < s->object_count && strcmp(s->objects[found].name, clean) != 0) found++;
    free(clean);
    return found < s->object_count ? found : STAGE_NONE;
}

static void add_response(stage_reader *r, const json_t *value, uint32_t *out) {
    const char *name = json_string_value(value);
    uint32_t one = 0;
    if (!name)
        fields_bad(&r->f, "is not the name of a response");
    else if (cm_response_from_name(name, &one))
        *out |= one;
    else
        fields_bad(&r->f, "'%s' is not one of report, halt, vanish, bounce, slide, push_apart", name);
}

/* "response": one name, or several. */
static bool read_response(stage_reader *r, const json_t *object, uint32_t *out) {
    json_t *value = json_object_get(object, "response");
    if (!value || r->f.code) return false;
    *out = 0;
    fields_enter(&r->f, "response");
    if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); i++) {
            fields_enter_index(&r->f, i);
            add_response(r, json_array_get(value, i), out);
            fields_leave(&r->f);
        }
    } else {
        add_response(r, value, out);
    }
    fields_leave(&r->f);
    return true;
}

/* Names of `low` to `high` classes. Returns how many. */
static uint32_t read_classes(stage_reader *r, const json_t *object, const char *key, uint32_t low, uint32_t high,
                             uint32_t *out) {
    json_t *list = fields_array(&r->f, object, key);
    size_t count = json_array_size(list);
    fields_enter(&r->f, key);
    if (count < low || count > high) {
        if (low == high)
            fields_bad(&r->f, "is not the names of %u classes", low);
        else
            fields_bad(&r->f, "is not the names of %u to %u classes", low, high);
    }
    for (size_t i = 0; i < count && !r->f.code; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        fields_enter_index(&r->f, i);
        if (!name)
            fields_bad(&r->f, "is not a text");
        else
            out[i] = known_class(r, name);
        fields_leave(&r->f);
    }
    fields_leave(&r->f);
    return (uint32_t)count;
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

static uint32_t add_shape(stage_reader *r, const char *name, const json_t *value) {
    stage *s = r->s;
    stage_shape one = {.name = copy_text(name)};
    stage_shape_read(&r->f, s, value, &one);
    s->shapes = grow(s->shapes, s->shape_count, &r->shape_capacity, sizeof one);
    s->shapes[s->shape_count] = one;
    return s->shape_count++;
}

/* A name, or a shape written out, as the member "shape". */
static uint32_t read_shape_of(stage_reader *r, const json_t *object) {
    stage *s = r->s;
    json_t *value = json_object_get(object, "shape");
    uint32_t found = 0;
    if (!value) fields_bad(&r->f, "\"shape\" is missing");
    if (r->f.code) return 0;
    fields_enter(&r->f, "shape");
    if (json_is_string(value)) {
        const stage_shape *named = stage_shape_named(&r->f, s, json_string_value(value));
        if (named) found = (uint32_t)(named - s->shapes);
    } else {
        found = add_shape(r, "", value);
    }
    fields_leave(&r->f);
    return found;
}

/* "visual": what is looked at in place of the shape, and where it stands beside it. */
static void read_visual(stage_reader *r, const json_t *object, stage_object *out) {
    json_t *value = fields_object(&r->f, object, "visual");
    out->visual = STAGE_NONE;
    if (!value || r->f.code) return;
    fields_enter(&r->f, "visual");
    fields_known(&r->f, value, "shape at turn rotation");
    uint32_t shape = read_shape_of(r, value);
    fields_pose(&r->f, value, &out->visual_pose);
    if (!r->f.code && r->s->shapes[shape].shape.kind == CM_SHAPE_HALFSPACE)
        fields_bad(&r->f, "a half-space has no end: it cannot stand for another shape");
    fields_leave(&r->f);
    out->visual = shape;
}

static void read_shapes(stage_reader *r, const json_t *root) {
    json_t *shapes = fields_object(&r->f, root, "shapes"), *value;
    const char *key;
    fields_enter(&r->f, "shapes");
    json_object_foreach(shapes, key, value) {
        if (r->f.code) break;
        fields_enter(&r->f, key);
        add_shape(r, key, value);
        fields_leave(&r->f);
    }
    fields_leave(&r->f);
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

static void read_path(stage_reader *r, const json_t *object, stage_object *out) {
    json_t *path = fields_array(&r->f, object, "path");
    if (!path) return;
    out->body = STAGE_PATH;
    out->keys = allocate(json_array_size(path) + 1, sizeof *out->keys);
    fields_enter(&r->f, "path");
    if (!json_array_size(path)) fields_bad(&r->f, "is empty");
    for (size_t i = 0; i < json_array_size(path) && !r->f.code; i++) {
        json_t *key = json_array_get(path, i);
        stage_key *one = &out->keys[i];
        fields_enter_index(&r->f, i);
        if (!json_is_object(key)) fields_bad(&r->f, "is not an object {...}");
        fields_known(&r->f, key, "time at degrees");
        if (i > 0) *one = out->keys[i - 1];
        fields_number(&r->f, key, "time", 0, 1e9, &one->time);
        fields_vector(&r->f, key, "at", &one->at);
        fields_number(&r->f, key, "degrees", -1e6, 1e6, &one->degrees);
        if (i > 0 && !(one->time > out->keys[i - 1].time)) fields_bad(&r->f, "\"time\" does not grow");
        fields_leave(&r->f);
        out->key_count++;
    }
    fields_leave(&r->f);
}

static void read_walk(stage_reader *r, const json_t *object, stage_object *out) {
    json_t *walk = fields_array(&r->f, object, "walk");
    if (!walk) return;
    out->body = STAGE_WALK;
    out->strides = allocate(json_array_size(walk) + 1, sizeof *out->strides);
    fields_enter(&r->f, "walk");
    if (json_object_get(object, "path") || json_object_get(object, "parent"))
        fields_bad(&r->f, "has no meaning beside a path or a parent");
    for (size_t i = 0; i < json_array_size(walk) && !r->f.code; i++) {
        json_t *stride = json_array_get(walk, i);
        stage_stride *one = &out->strides[i];
        fields_enter_index(&r->f, i);
        if (!json_is_object(stride)) fields_bad(&r->f, "is not an object {...}");
        fields_known(&r->f, stride, "time velocity jump");
        if (i > 0) one->velocity = out->strides[i - 1].velocity;
        fields_number(&r->f, stride, "time", 0, 1e9, &one->time);
        fields_vector(&r->f, stride, "velocity", &one->velocity);
        fields_number(&r->f, stride, "jump", 0, 1e9, &one->jump);
        if (i > 0 && !(one->time > out->strides[i - 1].time)) fields_bad(&r->f, "\"time\" does not grow");
        fields_leave(&r->f);
        out->stride_count++;
    }
    fields_leave(&r->f);
}

/* What moves freely has no place that is known beforehand. A child of what stands still stands still too, or follows
 * its path, in the world's frame. */
static void read_parent(stage_reader *r, const json_t *object, stage_object *out) {
    const char *name = NULL;
    out->parent = STAGE_NONE;
    if (!fields_text(&r->f, object, "parent", &name)) return;
    out->parent = find_object(r->s, name);
    const stage_object *parent = out->parent == STAGE_NONE ? NULL : &r->s->objects[out->parent];
    fields_enter(&r->f, "parent");
    if (!parent)
        fields_bad(&r->f, "no earlier object is called '%s'", name);
    else if (parent->body == STAGE_FREE)
        fields_bad(&r->f, "'%s' moves freely: only what stands still or follows a path has children", name);
    else if (parent->depth >= STAGE_DEPTH)
        fields_bad(&r->f, "has more than %d parents, one above the other", STAGE_DEPTH);
    fields_leave(&r->f);
    if (r->f.code) return;
    out->depth = parent->body == STAGE_FIXED ? 0 : parent->depth + 1;
    if (parent->body == STAGE_FIXED) {
        out->pose = cm_pose_mul(&parent->pose, &out->pose);
        out->pose.rotation = cm_quat_normalize(out->pose.rotation);
        out->parent = STAGE_NONE;
    } else if (out->body != STAGE_PATH) { /* stands still on its parent */
        out->body = STAGE_PATH;
        out->keys = allocate(1, sizeof *out->keys);
        out->key_count = 1;
    }
}

/* "path", "axis", "parent" and "walk", none of which a body that moves freely has. Of its numbers the mass has a
 * meaning for one that walks: it pushes with it. */
static void read_way(stage_reader *r, const json_t *object, stage_object *out) {
    static const char *const of_free_bodies[] = {"velocity", "spin", "mass", "density"};
    static const char *const leading[] = {"path", "parent", "walk"};
    const char *leads = NULL;
    for (int i = 2; i >= 0; i--)
        if (json_object_get(object, leading[i])) leads = leading[i];
    for (size_t i = 0; leads && i < sizeof of_free_bodies / sizeof *of_free_bodies; i++) {
        if (!json_object_get(object, of_free_bodies[i])) continue;
        if (leads == leading[2] && strcmp(of_free_bodies[i], "mass") == 0) continue;
        fields_enter(&r->f, of_free_bodies[i]);
        fields_bad(&r->f, "has no meaning beside \"%s\", which tells where the object goes", leads);
        fields_leave(&r->f);
    }
    if (fields_vector(&r->f, object, "axis", &out->axis) && !(cm_length(out->axis) > 0)) {
        fields_enter(&r->f, "axis");
        fields_bad(&r->f, "has no direction");
        fields_leave(&r->f);
    }
    read_path(r, object, out);
    read_walk(r, object, out);
    read_parent(r, object, out);
}

static void read_filter(stage_reader *r, const json_t *object, stage_object *out) {
    double group = 0;
    fields_count(&r->f, object, "layers", 1, UINT32_MAX, &out->layers);
    fields_count(&r->f, object, "mask", 1, UINT32_MAX, &out->mask);
    if (fields_number(&r->f, object, "group", -1e6, 1e6, &group)) out->group = (int)group;
    fields_bool(&r->f, object, "trigger", &out->trigger);
}

static double random_unit(stage_reader *r) { /* splitmix64 */
    uint64_t z = (r->random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static cm_vec3 random_within(stage_reader *r, cm_vec3 low, cm_vec3 high) {
    double x = random_unit(r), y = random_unit(r), z = random_unit(r);
    return cm_v(low.x + x * (high.x - low.x), low.y + y * (high.y - low.y), low.z + z * (high.z - low.z));
}

static stage_object *push_object(stage_reader *r, const stage_object *one) {
    stage *s = r->s;
    s->objects = grow(s->objects, s->object_count, &r->object_capacity, sizeof *s->objects);
    s->objects[s->object_count] = *one;
    return &s->objects[s->object_count++];
}

/* So many instead of `count`, in proportion, and as densely: along the axes along which they are scattered. */
static void scale_scatter(stage_reader *r, uint32_t *count, cm_vec3 *low, cm_vec3 *high) {
    const uint64_t first = r->counted * r->scattered / r->counts;
    r->counted += *count;
    const double factor = (double)r->scattered / (double)r->counts;
    *count = (uint32_t)(r->counted * r->scattered / r->counts - first);
    const cm_vec3 half = cm_scale(cm_sub(*high, *low), 0.5), middle = cm_scale(cm_add(*low, *high), 0.5);
    const int axes = (half.x != 0) + (half.y != 0) + (half.z != 0);
    const cm_vec3 reach = cm_scale(half, axes ? pow(factor, 1.0 / axes) : 1);
    *low = cm_sub(middle, reach), *high = cm_add(middle, reach);
}

/* "scatter": many of one description, at random places. */
static void scatter(stage_reader *r, const json_t *how, const stage_object *one) {
    uint32_t count = 1, seed = 1;
    double speed = 0, spin = 0;
    cm_vec3 low = cm_v(0, 0, 0), high = cm_v(0, 0, 0);
    fields_enter(&r->f, "scatter");
    fields_known(&r->f, how, "count seed low high speed spin");
    fields_count(&r->f, how, "count", 1, 1000000, &count);
    fields_count(&r->f, how, "seed", 0, UINT32_MAX, &seed);
    fields_vector(&r->f, how, "low", &low);
    fields_vector(&r->f, how, "high", &high);
    fields_number(&r->f, how, "speed", 0, 1e9, &speed);
    fields_number(&r->f, how, "spin", 0, 1e6, &spin);
    fields_leave(&r->f);
    if (r->scattered && !r->f.code) scale_scatter(r, &count, &low, &high);
    r->random = seed;
    cm_vec3 unit = cm_v(1, 1, 1);
    for (uint32_t i = 0; i < count && !r->f.code; i++) {
        stage_object copy = *one;
        copy.name = format_text("%s/%u", one->name, i + 1);
        copy.pose.position = cm_add(one->pose.position, random_within(r, low, high));
        cm_vec3 axis = random_within(r, cm_neg(unit), unit);
        copy.pose.rotation = rotation_about(axis, spin > 0 ? 360 * random_unit(r) : 0);
        copy.velocity =
            cm_add(one->velocity, random_within(r, cm_v(-speed, -speed, -speed), cm_v(speed, speed, speed)));
        copy.spin = cm_add(one->spin, random_within(r, cm_v(-spin, -spin, -spin), cm_v(spin, spin, spin)));
        push_object(r, &copy);
    }
}

static void read_body(stage_reader *r, const json_t *object, stage_object *out) {
    bool moves = fields_vector(&r->f, object, "velocity", &out->velocity);
    cm_vec3 degrees = cm_v(0, 0, 0);
    moves |= fields_vector(&r->f, object, "spin", &degrees);
    out->spin = cm_scale(degrees, 3.14159265358979323846 / 180);
    fields_either(&r->f, object, "density", "mass");
    moves |= fields_number(&r->f, object, "mass", 1e-12, 1e12, &out->mass);
    moves |= fields_number(&r->f, object, "density", 1e-12, 1e12, &out->density);
    moves |= json_object_get(object, "scatter") != NULL;
    fields_number(&r->f, object, "restitution", 0, 1, &out->restitution);
    fields_number(&r->f, object, "friction", 0, 1e3, &out->friction);
    fields_number(&r->f, object, "damping", 0, 1e6, &out->damping);
    fields_number(&r->f, object, "spin_damping", 0, 1e6, &out->spin_damping);
    fields_number(&r->f, object, "gravity_scale", -1e6, 1e6, &out->gravity_scale);
    bool weightless = false;
    fields_bool(&r->f, object, "weightless", &weightless);
    if (weightless) out->gravity_scale = 0;
    bool sweep = true;
    fields_bool(&r->f, object, "sweep", &sweep);
    out->unswept = !sweep;
    if (moves) out->body = STAGE_FREE;
    if (out->body == STAGE_FREE && !(out->mass > 0) && !r->s->shapes[out->shape].solid)
        fields_bad(&r->f, "the shape is no solid, so a \"mass\" is needed");
}

static void read_object(stage_reader *r, const json_t *value, size_t index) {
    stage_object one = {.density = 1, .gravity_scale = 1, .layers = 0, .mask = 0, .axis = {0, 0, 1}};
    const char *name = NULL, *class_name = "";
    if (!json_is_object(value)) {
        fields_bad(&r->f, "is not an object {...}");
        return;
    }
    fields_known(
        &r->f, value,
        "name class shape visual at turn rotation velocity spin mass density restitution friction damping spin_damping "
        "gravity_scale weightless sweep "
        "layers mask group trigger response parent axis path walk scatter");
    one.shape = read_shape_of(r, value);
    read_visual(r, value, &one);
    if (r->f.code) return;
    fields_pose(&r->f, value, &one.pose);
    read_body(r, value, &one);
    read_filter(r, value, &one);
    read_response(r, value, &one.response);
    fields_text(&r->f, value, "class", &class_name);
    if (!r->f.code) one.class_number = class_of(r, class_name);
    read_way(r, value, &one);
    fields_text(&r->f, value, "name", &name);
    one.name =
        name ? clean_text(name, strlen(name)) : format_text("%s %zu", *class_name ? class_name : "object", index + 1);
    json_t *many = fields_object(&r->f, value, "scatter");
    if (many && (one.key_count > 0 || one.strides || json_object_get(value, "parent"))) {
        fields_enter(&r->f, "scatter");
        fields_bad(&r->f, "what is scattered has neither path nor parent, and does not walk");
        fields_leave(&r->f);
    }
    if (many && !r->f.code) {
        scatter(r, many, &one);
        free(one.name);
        free(one.keys);
        free(one.strides);
    } else {
        push_object(r, &one);
    }
}

/* An object of the file and what it is called. */
typedef struct named_place {
    char *name;
    size_t index;
} named_place;

static int compare_object_names(const void *left, const void *right) {
    const named_place *a = left, *b = right;
    const int order = strcmp(a->name, b->name);
    return order != 0 ? order : a->index < b->index ? -1 : a->index > b->index;
}

/* Reports, traces and what refers to an object know it by its name alone: two of one name would be taken for another.
 */
static void check_object_names(stage_reader *r, const json_t *list) {
    const size_t count = json_array_size(list);
    named_place *places = allocate(count, sizeof *places);
    size_t first = count, second = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, i), "name"));
        places[i] = (named_place){name ? clean_name(name) : format_text("%s", ""), i};
    }
    qsort(places, count, sizeof *places, compare_object_names);
    for (size_t i = 1; i < count; i++) {
        if (!*places[i].name || strcmp(places[i - 1].name, places[i].name) != 0 || places[i].index >= second) continue;
        first = places[i - 1].index, second = places[i].index;
    }
    if (second < count) {
        fields_enter_index(&r->f, first);
        char *where = fields_where(&r->f);
        fields_leave(&r->f);
        fields_enter_index(&r->f, second);
        fields_enter(&r->f, "name");
        fields_bad(&r->f, "another object has that name: %s", where);
        fields_leave(&r->f);
        fields_leave(&r->f);
        free(where);
    }
    for (size_t i = 0; i < count; i++) free(places[i].name);
    free(places);
}

static void read_objects(stage_reader *r, const json_t *root) {
    json_t *list = fields_array(&r->f, root, "objects");
    if (!list) fields_bad(&r->f, "\"objects\" is missing");
    fields_enter(&r->f, "objects");
    for (size_t i = 0; i < json_array_size(list) && !r->f.code; i++) {
        fields_enter_index(&r->f, i);
        read_object(r, json_array_get(list, i), i);
        fields_leave(&r->f);
    }
    if (!r->f.code) check_object_names(r, list);
    fields_leave(&r->f);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void read_rules(stage_reader *r, const json_t *root) {
    json_t *list = fields_array(&r->f, root, "responses");
    fields_enter(&r->f, "responses");
    for (size_t i = 0; i < json_array_size(list) && !r->f.code; i++) {
        json_t *value = json_array_get(list, i);
        stage_rule rule = {0};
        uint32_t classes[2] = {0, 0};
        fields_enter_index(&r->f, i);
        fields_known(&r->f, value, "between response");
        read_classes(r, value, "between", 2, 2, classes);
        if (!read_response(r, value, &rule.response)) fields_bad(&r->f, "\"response\" is missing");
        rule.first = classes[0], rule.second = classes[1];
        r->s->rules = grow(r->s->rules, r->s->rule_count, &r->rule_capacity, sizeof rule);
        r->s->rules[r->s->rule_count++] = rule;
        fields_leave(&r->f);
    }
    fields_leave(&r->f);
}

static uint32_t read_object_name(stage_reader *r, const json_t *object, const char *key) {
    const char *name = NULL;
    if (!fields_text(&r->f, object, key, &name)) return STAGE_NONE;
    uint32_t found = find_object(r->s, name);
    if (found != STAGE_NONE) return found;
    fields_enter(&r->f, key);
    fields_bad(&r->f, "no object is called '%s'", name);
    fields_leave(&r->f);
    return STAGE_NONE;
}

static void read_report(stage_reader *r, const json_t *root) {
    stage *s = r->s;
    json_t *report = fields_object(&r->f, root, "report");
    if (!report) return;
    fields_enter(&r->f, "report");
    fields_known(&r->f, report, "energy clearance clearance_limit box side_by_side");
    fields_bool(&r->f, report, "energy", &s->energy);
    fields_number(&r->f, report, "clearance_limit", 0, CM_COORD_MAX, &s->clearance_limit);
    if (json_object_get(report, "clearance")) read_classes(r, report, "clearance", 2, 2, s->clearance);
    s->boxed = read_object_name(r, report, "box");
    if (json_object_get(report, "side_by_side")) {
        s->columns = allocate(STAGE_COLUMNS, sizeof *s->columns);
        s->column_count = read_classes(r, report, "side_by_side", 2, STAGE_COLUMNS, s->columns);
    }
    fields_leave(&r->f);
}

static void read_settings(stage_reader *r, const json_t *root) {
    stage *s = r->s;
    const char *title = "", *about = "", *up = "z", *broad = "auto", *schema = NULL;
    if (!fields_text(&r->f, root, "schema", &schema)) fields_bad(&r->f, "\"schema\": \"carom-scene-1\" is missing");
    if (schema && strcmp(schema, "carom-scene-1") != 0) {
        fields_enter(&r->f, "schema");
        fields_bad(&r->f, "'%s' is not carom-scene-1", schema);
        fields_leave(&r->f);
    }
    fields_text(&r->f, root, "title", &title);
    fields_text(&r->f, root, "about", &about);
    s->title = clean_text(title, strlen(title));
    s->about = clean_text(about, strlen(about));
    fields_text(&r->f, root, "up", &up);
    if (strlen(up) != 1 || !strchr("xyz", *up)) {
        fields_enter(&r->f, "up");
        fields_bad(&r->f, "'%s' is not one of x, y, z", up);
        fields_leave(&r->f);
    }
    s->up = *up;
    fields_number(&r->f, root, "dt", 1e-9, 1e6, &s->dt);
    fields_count(&r->f, root, "steps", 1, 10000000, &s->steps);
    fields_vector(&r->f, root, "gravity", &s->gravity);
    fields_number(&r->f, root, "margin", 0, CM_COORD_MAX, &s->margin);
    fields_text(&r->f, root, "broad", &broad);
    int kind = 0;
    while (kind < CM_BROAD_KIND_COUNT && strcmp(broad, cm_broad_kind_text((cm_broad_kind)kind)) != 0) kind++;
    if (kind == CM_BROAD_KIND_COUNT) {
        fields_enter(&r->f, "broad");
        fields_bad(&r->f, "'%s' is not one of auto, brute, sweep, sweep3, grid, octree, quadtree, bsp, bvh", broad);
        fields_leave(&r->f);
    }
    s->broad = (cm_broad_kind)kind;
}

/* How many objects the scene scatters; the numbers are checked where they are read. */
static uint64_t count_scattered(const json_t *root) {
    const json_t *list = json_object_get(root, "objects");
    uint64_t sum = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *how = json_object_get(json_array_get(list, i), "scatter"), *n = json_object_get(how, "count");
        if (json_is_object(how)) sum += n && json_integer_value(n) > 0 ? (uint64_t)json_integer_value(n) : 1;
    }
    return sum;
}

int stage_read(const char *path, const output_files *outputs, stage *out) {
    return stage_read_scaled(path, outputs, 0, out);
}

int stage_read_scaled(const char *path, const output_files *outputs, uint32_t scattered, stage *out) {
    stage_reader r = {.s = out, .scattered = scattered};
    *out = (stage){.up = 'z', .dt = 1.0 / 60, .steps = 300, .clearance_limit = CM_COORD_MAX, .outputs = outputs};
    out->clearance[0] = out->clearance[1] = out->boxed = STAGE_NONE;
    json_t *root = fields_open(path, &r.f);
    if (root && !json_is_object(root)) fields_bad(&r.f, "is not an object {...}");
    if (root && !r.f.code) {
        fields_known(&r.f, root, "schema title about up dt steps gravity margin broad shapes objects responses report");
        r.counts = count_scattered(root);
        if (scattered && !r.counts) fields_bad(&r.f, "scatters nothing, so that --objects has nothing to count");
        read_settings(&r, root);
        read_shapes(&r, root);
        read_objects(&r, root);
        read_rules(&r, root);
        read_report(&r, root);
    }
    json_decref(root);
    fields_free(&r.f);
    if (r.f.code) stage_free(out);
    return r.f.code;
}

void stage_free(stage *s) {
    for (uint32_t i = 0; i < s->shape_count; i++) stage_shape_free(&s->shapes[i]);
    for (uint32_t i = 0; i < s->object_count; i++) {
        free(s->objects[i].name);
        free(s->objects[i].keys);
        free(s->objects[i].strides);
    }
    for (uint32_t i = 0; i < s->class_count; i++) free(s->classes[i]);
    free(s->shapes);
    free(s->objects);
    free(s->rules);
    free(s->columns);
    free(s->title);
    free(s->about);
    *s = (stage){0};
}

/* Between two places of a path the way is eased: it starts and ends at rest. */
static void joint_at(const stage_object *o, double time, cm_pose *out) {
    uint32_t next = 0;
    while (next < o->key_count && o->keys[next].time <= time) next++;
    const stage_key *b = &o->keys[next < o->key_count ? next : o->key_count - 1],
                    *a = &o->keys[next > 0 ? next - 1 : 0];
    double u = b->time > a->time ? (time - a->time) / (b->time - a->time) : 1;
    u = u < 0 ? 0 : u > 1 ? 1 : u;
    u = u * u * (3 - 2 * u);
    cm_pose way = {cm_lerp(a->at, b->at, u), rotation_about(o->axis, a->degrees + u * (b->degrees - a->degrees))};
    *out = cm_pose_mul(&o->pose, &way);
}

void stage_pose_at(const stage *s, uint32_t object, double time, cm_pose *out) {
    *out = cm_pose_identity();
    for (uint32_t i = object; i != STAGE_NONE; i = s->objects[i].parent) { /* parents are earlier: it ends */
        cm_pose joint = s->objects[i].pose;
        if (s->objects[i].key_count) joint_at(&s->objects[i], time, &joint);
        *out = cm_pose_mul(&joint, out);
    }
    out->rotation = cm_quat_normalize(out->rotation);
}
