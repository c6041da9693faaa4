/* Reading JSON field by field: see fields.h. The parser keeps no places, so a complaint walks the text again. */
#include "common/fields.h"

#include "common/encoding.h"
#include "common/suggest.h"
#include "common/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- places ------------------------------------------------------------------------------------------------------ */

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
    return at;
}

/* Past a string, or past any value; the text is known to be valid. */
static const char *skip_string(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}
static const char *skip_value(const char *at) {
    int depth = 0;
    at = skip_blanks(at);
    do {
        if (*at == '"') {
            at = skip_string(at);
            if (!depth) return at;
            continue;
        }
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') {
            if (!depth) return at;
            if (!--depth) return at + 1;
        }
        if (*at == ',' && !depth) return at;
        if (*at) at++;
    } while (*at);
    return at;
}

/* The value at the place that `f` is at; the innermost one found, where the rest of the path is not there. */
static const char *find_place(const fields *f) {
    const char *at = skip_blanks(f->text);
    for (int level = 0; level < f->depth; level++) {
        if (*at != '{' && *at != '[') return at;
        const char *item = skip_blanks(at + 1), *found = NULL;
        for (size_t i = 0; *item && *item != '}' && *item != ']' && !found; i++) {
            if (f->keys[level]) {
                const char *name = item + 1;
                size_t length = strlen(f->keys[level]);
                item = skip_string(item);
                bool same = (size_t)(item - name) == length + 1 && strncmp(name, f->keys[level], length) == 0;
                item = skip_blanks(skip_blanks(item) + 1); /* past the colon */
                if (same) found = item;
            } else if (i == f->indices[level]) {
                found = item;
            }
            if (found) break;
            item = skip_blanks(skip_value(item));
            if (*item == ',') item = skip_blanks(item + 1);
        }
        if (!found) return at;
        at = found;
    }
    return at;
}

char *fields_where(const fields *f) {
    text_buffer where = {0};
    int line = 1;
    for (const char *at = f->text, *place = find_place(f); at < place; at++) line += *at == '\n';
    text_add(&where, "%s:%d: %s", f->path, line, f->depth ? "" : "/");
    for (int i = 0; i < f->depth; i++) {
        if (f->keys[i])
            text_add(&where, "/%s", f->keys[i]);
        else
            text_add(&where, "/%zu", f->indices[i]);
    }
    return where.bytes;
}

void fields_bad(fields *f, const char *format, ...) {
    if (f->code) return;
    char what[400];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    char *where = fields_where(f);
    f->code = complain(EXIT_INPUT, "%s: %s", where, what);
    free(where);
}

void fields_enter(fields *f, const char *key) {
    if (f->depth < FIELD_DEPTH) f->keys[f->depth] = key;
    f->depth++;
}
void fields_enter_index(fields *f, size_t index) {
    if (f->depth < FIELD_DEPTH) f->keys[f->depth] = NULL, f->indices[f->depth] = index;
    f->depth++;
}
void fields_leave(fields *f) { f->depth--; }

/* --- the file ---------------------------------------------------------------------------------------------------- */

/* The whole of a file, zero terminated; NULL with errno where it cannot be read. */
static char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *bytes = NULL;
    size_t used = 0, capacity = 0;
    for (;;) {
        if (used + 1 >= capacity) bytes = grow(bytes, capacity, &capacity, 1);
        size_t got = fread(bytes + used, 1, capacity - used - 1, file);
        used += got;
        if (!got) break;
        if (used > (size_t)1 << 28) {
            errno = EFBIG;
            break;
        }
    }
    int bad = ferror(file) ? (errno ? errno : EIO) : used > (size_t)1 << 28 ? EFBIG : 0;
    fclose(file);
    if (bad) {
        free(bytes);
        errno = bad;
        return NULL;
    }
    bytes[used] = 0;
    *size = used;
    return bytes;
}

/* What people most often mean by what stands where the JSON ends to be one. */
static const char *advice_for(const json_error_t *error) {
    static const char *const advice[][2] = {{"near '/'", " (JSON has no comments)"},
                                            {"near '#'", " (JSON has no comments)"},
                                            {"near '}'", " (is there a comma too many before it?)"},
                                            {"near ']'", " (is there a comma too many before it?)"},
                                            {"near '''", " (texts stand between \" and \")"},
                                            {"near '\xe2\x80\x9c'", " (texts stand between \" and \")"}};
    for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++)
        if (strstr(error->text, advice[i][0])) return advice[i][1];
    return "";
}

json_t *fields_open(const char *path, fields *out) {
    *out = (fields){.path = path};
    errno = 0;
    out->text = read_whole(path, &out->size);
    if (!out->text) {
        out->code = complain(EXIT_INPUT, "%s: cannot be read: %s", path, strerror(errno ? errno : EIO));
        return NULL;
    }
    json_error_t error;
    text_to_utf8(&out->text, &out->size);
    json_t *root = json_loadb(out->text, out->size, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        out->code = complain(EXIT_INPUT, "%s:%d: no JSON: %s%s", path, error.line, error.text, advice_for(&error));
    return root;
}

void fields_free(fields *f) {
    free(f->text);
    f->text = NULL;
}

/* --- members ----------------------------------------------------------------------------------------------------- */

void fields_known(fields *f, const json_t *object, const char *names) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        const char *list[40];
        char copy[600], hint[80];
        size_t count = 0;
        snprintf(copy, sizeof copy, "%s", names);
        for (char *word = strtok(copy, " "); word && count < 40; word = strtok(NULL, " ")) list[count++] = word;
        bool known = false;
        for (size_t i = 0; i < count; i++) known |= strcmp(list[i], key) == 0;
        if (known) continue;
        fields_enter(f, key);
        fields_bad(f, "is not known here%s", suggest(key, list, count, hint, sizeof hint));
        fields_leave(f);
        return;
    }
}

/* The member at `key`, entered; NULL (and not entered) where it is absent or reading has ended. */
static json_t *member(fields *f, const json_t *object, const char *key) {
    json_t *value = f->code ? NULL : json_object_get(object, key);
    if (value) fields_enter(f, key);
    return value;
}

json_t *fields_object(fields *f, const json_t *object, const char *key) {
    json_t *value = member(f, object, key);
    if (!value) return NULL;
    if (!json_is_object(value)) fields_bad(f, "is not an object {...}");
    fields_leave(f);
    return f->code ? NULL : value;
}
json_t *fields_array(fields *f, const json_t *object, const char *key) {
    json_t *value = member(f, object, key);
    if (!value) return NULL;
    if (!json_is_array(value)) fields_bad(f, "is not an array [...]");
    fields_leave(f);
    return f->code ? NULL : value;
}

bool field_is_number(fields *f, const json_t *value, double low, double high, double *out) {
    double number = json_number_value(value);
    if (!json_is_number(value))
        fields_bad(f, "is not a number");
    else if (!(number >= low && number <= high))
        fields_bad(f, "%g is not from %g to %g", number, low, high);
    else
        *out = number;
    return !f->code;
}
bool fields_number(fields *f, const json_t *object, const char *key, double low, double high, double *out) {
    json_t *value = member(f, object, key);
    if (!value) return false;
    field_is_number(f, value, low, high, out);
    fields_leave(f);
    return !f->code;
}
bool fields_count(fields *f, const json_t *object, const char *key, uint32_t low, uint32_t high, uint32_t *out) {
    json_t *value = member(f, object, key);
    if (!value) return false;
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value))
        fields_bad(f, "is not a whole number");
    else if (number < (json_int_t)low || number > (json_int_t)high)
        fields_bad(f, "%lld is not from %u to %u", (long long)number, low, high);
    else
        *out = (uint32_t)number;
    fields_leave(f);
    return !f->code;
}
bool fields_bool(fields *f, const json_t *object, const char *key, bool *out) {
    json_t *value = member(f, object, key);
    if (!value) return false;
    if (!json_is_boolean(value)) fields_bad(f, "is neither true nor false");
    *out = json_is_true(value);
    fields_leave(f);
    return !f->code;
}
bool fields_text(fields *f, const json_t *object, const char *key, const char **out) {
    json_t *value = member(f, object, key);
    if (!value) return false;
    if (!json_is_string(value))
        fields_bad(f, "is not a text");
    else
        *out = json_string_value(value);
    fields_leave(f);
    return !f->code;
}

bool field_is_vector(fields *f, const json_t *value, cm_vec3 *out) {
    double numbers[3] = {0, 0, 0};
    if (!json_is_array(value) || json_array_size(value) != 3) {
        fields_bad(f, "is not three numbers [x, y, z]");
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        fields_enter_index(f, i);
        field_is_number(f, json_array_get(value, i), -CM_COORD_MAX, CM_COORD_MAX, &numbers[i]);
        fields_leave(f);
    }
    if (!f->code) *out = cm_v(numbers[0], numbers[1], numbers[2]);
    return !f->code;
}
bool fields_vector(fields *f, const json_t *object, const char *key, cm_vec3 *out) {
    json_t *value = member(f, object, key);
    if (!value) return false;
    field_is_vector(f, value, out);
    fields_leave(f);
    return !f->code;
}

cm_quat rotation_about(cm_vec3 axis, double degrees) {
    double half = degrees * (3.14159265358979323846 / 360), sine = sin(half);
    cm_vec3 unit = cm_normalize(axis, cm_v(0, 0, 1));
    return cm_quat_normalize((cm_quat){unit.x * sine, unit.y * sine, unit.z * sine, cos(half)});
}

static bool four_numbers(fields *f, const json_t *object, const char *key, const char *what, double out[4]) {
    json_t *value = member(f, object, key);
    if (!value) return false;
    if (!json_is_array(value) || json_array_size(value) != 4) fields_bad(f, "is not four numbers: %s", what);
    for (size_t i = 0; i < 4 && !f->code; i++) {
        fields_enter_index(f, i);
        field_is_number(f, json_array_get(value, i), -CM_COORD_MAX, CM_COORD_MAX, &out[i]);
        fields_leave(f);
    }
    bool zero = out[0] == 0 && out[1] == 0 && out[2] == 0;
    if (!f->code && zero && (key[0] == 't' || out[3] == 0)) fields_bad(f, "has no direction");
    fields_leave(f);
    return !f->code;
}

void fields_either(fields *f, const json_t *object, const char *key, const char *other) {
    if (f->code || !json_object_get(object, key) || !json_object_get(object, other)) return;
    fields_enter(f, key);
    fields_bad(f, "has no meaning beside \"%s\"", other);
    fields_leave(f);
}

void fields_pose(fields *f, const json_t *object, cm_pose *out) {
    double four[4] = {0, 0, 0, 0};
    *out = cm_pose_identity();
    fields_either(f, object, "turn", "rotation");
    fields_vector(f, object, "at", &out->position);
    if (four_numbers(f, object, "turn", "an axis and degrees [x, y, z, degrees]", four))
        out->rotation = rotation_about(cm_v(four[0], four[1], four[2]), four[3]);
    if (four_numbers(f, object, "rotation", "a quaternion [x, y, z, w]", four))
        out->rotation = cm_quat_normalize((cm_quat){four[0], four[1], four[2], four[3]});
}
