/* Shapes of a scene file. A kind's numbers are read by the names that the library has for them (cm_shape_fields), so
 * that a kind made of numbers needs no line here; what a shape borrows is built in stage_build.c. */
#include "simulate/stage_shape.h"

#include "common/suggest.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

/* --- words -------------------------------------------------------------------------------------------------------- */

/* Round shapes that have a name of their own: a core and a radius. */
static const struct preset {
    const char *name;
    cm_kind kind;
} presets[] = {{"sphere", CM_SHAPE_POINT}, {"capsule", CM_SHAPE_SEGMENT}};
enum { PRESETS = sizeof presets / sizeof presets[0], WORDS = CM_SHAPE_KINDS + PRESETS };

/* Other words for a field, whatever kind has it. */
static const struct spelling {
    const char *written, *field;
    double factor;
} spellings[] = {{"radius", "core_radius", 1}, {"size", "half", 0.5}, {"center", "point", 1}};
enum { SPELLINGS = sizeof spellings / sizeof spellings[0] };

/* What is being read. */
typedef struct shape_reading {
    fields *f;
    const json_t *value;
    const cm_field *list; /* of the kind */
    int count;
    const char *round; /* the word for its radius */
} shape_reading;

/* The word that the shape has for a field; the field's own where it has none. */
static const char *word_of(const shape_reading *r, const char *field) {
    for (int i = 0; i < SPELLINGS; i++)
        if (strcmp(spellings[i].field, field) == 0 && json_object_get(r->value, spellings[i].written))
            return spellings[i].written;
    return field;
}
static double factor_of(const char *word) {
    for (int i = 0; i < SPELLINGS; i++)
        if (strcmp(spellings[i].written, word) == 0) return spellings[i].factor;
    return 1;
}
/* The word that people would use, for complaints. */
static const char *usual_word(const char *field) {
    for (int i = 0; i < SPELLINGS; i++)
        if (strcmp(spellings[i].field, field) == 0) return spellings[i].written;
    return field;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static void *place_of(cm_shape *shape, const cm_field *field) { return (char *)shape + field->offset; }

/* A direction; any length but 0 is fine. */
static void read_normal(const shape_reading *r, cm_vec3 *normal) {
    *normal = cm_normalize(*normal, cm_v(0, 0, 0));
    if (cm_length(*normal) > 0 || r->f->code) return;
    fields_enter(r->f, "normal");
    fields_bad(r->f, "has no direction");
    fields_leave(r->f);
}

/* A plane is told by a point "through" which it goes, or by its "d"; through the origin where neither is written. */
static void read_offset(const shape_reading *r, cm_vec3 normal, cm_real *d) {
    cm_vec3 through = cm_v(0, 0, 0);
    double number = 0;
    fields_either(r->f, r->value, "through", "d");
    fields_number(r->f, r->value, "d", -CM_COORD_MAX, CM_COORD_MAX, &number);
    *d = number;
    if (fields_vector(r->f, r->value, "through", &through)) *d = -cm_dot(normal, through);
}

static void read_number(const shape_reading *r, const cm_field *field, cm_shape *out) {
    const char *word = word_of(r, field->name);
    bool found = false;
    if (word != field->name) fields_either(r->f, r->value, word, field->name);
    if (field->type == CM_FIELD_VEC3) {
        cm_vec3 v = cm_v(0, 0, 0);
        found = fields_vector(r->f, r->value, word, &v);
        v = cm_scale(v, factor_of(word));
        if (found && strcmp(field->name, "normal") == 0) read_normal(r, &v);
        memcpy(place_of(out, field), &v, sizeof v);
        found |= strcmp(field->name, "point") == 0; /* the origin, where it is not written */
    } else {
        double number = 0;
        found = fields_number(r->f, r->value, word, -CM_COORD_MAX, CM_COORD_MAX, &number);
        cm_real real = number * factor_of(word);
        memcpy(place_of(out, field), &real, sizeof real);
    }
    if (!found) fields_bad(r->f, "\"%s\" is missing", usual_word(field->name));
}

static void read_numbers(const shape_reading *r, const stage *s, stage_shape *out) {
    for (int i = 0; i < r->count && !r->f->code; i++) {
        const cm_field *field = &r->list[i];
        const stage_builder *builder = field->type == CM_FIELD_POINTER ? stage_builder_of(field->name) : NULL;
        if (builder)
            builder->build(r->f, s, r->value, out);
        else if (strcmp(field->name, "d") == 0)
            read_offset(r, out->shape.u.halfspace.normal, place_of(&out->shape, field));
        else
            read_number(r, field, &out->shape);
    }
    double radius = 0;
    bool found = fields_number(r->f, r->value, r->round, 0, CM_COORD_MAX, &radius);
    if (!found && strcmp(r->round, "radius") == 0) fields_bad(r->f, "\"radius\" is missing");
    out->shape.radius = radius;
}

/* --- members ------------------------------------------------------------------------------------------------------ */

/* Refuses what the kind does not have, and kinds that only code can fill. */
static void check_members(const shape_reading *r) {
    text_buffer known = {0};
    text_add(&known, "kind %s", r->round);
    for (int i = 0; i < r->count && !r->f->code; i++) {
        const char *name = r->list[i].name;
        if (r->list[i].type != CM_FIELD_POINTER) {
            text_add(&known, " %s", name);
            for (int k = 0; k < SPELLINGS; k++)
                if (strcmp(spellings[k].field, name) == 0) text_add(&known, " %s", spellings[k].written);
            if (strcmp(name, "d") == 0) text_add(&known, " through");
        } else if (stage_builder_of(name)) {
            text_add(&known, " %s", stage_builder_of(name)->members);
        } else {
            fields_enter(r->f, "kind");
            fields_bad(r->f, "such a shape is made by a program, not by a scene");
            fields_leave(r->f);
        }
    }
    if (!r->f->code) fields_known(r->f, r->value, known.bytes);
    free(known.bytes);
}

/* The library's word on the whole. */
static void check_shape(const shape_reading *r, const cm_shape *shape) {
    cm_error error = {0};
    if (r->f->code || cm_shape_check(shape, &error) == CM_OK) return;
    const char *word = strcmp(error.field, "radius") == 0 ? r->round : word_of(r, error.field);
    fields_enter(r->f, word);
    fields_bad(r->f, "no valid shape: %s", cm_status_text(error.status));
    fields_leave(r->f);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* The kind by its name, and the word for its radius; CM_SHAPE_KINDS after complaining. */
static cm_kind kind_of(fields *f, const json_t *value, const char **round) {
    const char *name = NULL, *words[WORDS];
    char hint[80];
    if (!json_is_object(value)) {
        fields_bad(f, "is not a shape {\"kind\": ...}");
        return CM_SHAPE_KINDS;
    }
    if (!fields_text(f, value, "kind", &name)) {
        fields_bad(f, "\"kind\" is missing");
        return CM_SHAPE_KINDS;
    }
    *round = "radius";
    for (int i = 0; i < PRESETS; i++)
        if (strcmp(presets[i].name, name) == 0) return presets[i].kind;
    *round = "round";
    for (int i = 0; i < CM_SHAPE_KINDS; i++)
        if (strcmp(cm_kind_name((cm_kind)i), name) == 0) return (cm_kind)i;
    for (int i = 0; i < WORDS; i++)
        words[i] = i < CM_SHAPE_KINDS ? cm_kind_name((cm_kind)i) : presets[i - CM_SHAPE_KINDS].name;
    fields_enter(f, "kind");
    fields_bad(f, "'%s' is no kind of shape%s", name, suggest(name, words, WORDS, hint, sizeof hint));
    fields_leave(f);
    return CM_SHAPE_KINDS;
}

void stage_shape_read(fields *f, const stage *s, const json_t *value, stage_shape *out) {
    shape_reading r = {.f = f, .value = value};
    cm_kind kind = kind_of(f, value, &r.round);
    r.list = cm_shape_fields(kind, &r.count);
    if (!f->code) check_members(&r);
    if (f->code) return;
    memset(&out->shape, 0, sizeof out->shape);
    out->shape.kind = kind;
    read_numbers(&r, s, out);
    check_shape(&r, &out->shape);
    cm_mass mass;
    out->solid = !f->code && cm_shape_mass(&out->shape, 1, &mass) == CM_OK && mass.mass > 0;
}

void stage_child_read(fields *f, const stage *s, const json_t *value, stage_shape *out) {
    const char *name = json_string_value(value), *round;
    const stage_shape *found = name ? stage_shape_named(f, s, name) : NULL;
    cm_kind kind = found ? found->shape.kind : name ? CM_SHAPE_KINDS : kind_of(f, value, &round);
    if (kind == CM_SHAPE_COMPOUND)
        fields_bad(f, "is a compound itself: put its children here");
    else if (found)
        out->shape = found->shape;
    else if (!name)
        stage_shape_read(f, s, value, out);
}

const stage_shape *stage_shape_named(fields *f, const stage *s, const char *name) {
    for (uint32_t i = 0; i < s->shape_count; i++)
        if (*s->shapes[i].name && strcmp(s->shapes[i].name, name) == 0) return &s->shapes[i];
    const char **names = allocate(s->shape_count + 1u, sizeof *names);
    char hint[80];
    for (uint32_t i = 0; i < s->shape_count; i++) names[i] = s->shapes[i].name;
    fields_bad(f, "no shape is called '%s'%s", name, suggest(name, names, s->shape_count, hint, sizeof hint));
    free(names);
    return NULL;
}

void stage_shape_free(stage_shape *shape) {
    if (shape->owned) shape->destroy(shape->owned);
    for (uint32_t i = 0; i < shape->child_count; i++) /* no compounds: it ends here */
        if (shape->children[i].owned) shape->children[i].destroy(shape->children[i].owned);
    free(shape->children);
    free(shape->name);
}
