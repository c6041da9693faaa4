/* A tree of JSON values and how it is written: see jansson.h. No value has two owners. */
#include "jansson.h"

#include "common/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PRECISION = 17 }; /* digits where the flags say none */

typedef enum json_kind { KIND_OBJECT, KIND_ARRAY, KIND_STRING, KIND_INTEGER, KIND_REAL, KIND_WORD } json_kind;

struct json_t {
    json_kind kind;
    char *text; /* of a string, "true", "false", "null" */
    json_int_t integer;
    double real;
    json_t **items; /* of an array or object */
    char **keys;
    size_t count, item_room, key_room;
};

/* --- values ------------------------------------------------------------------------------------------------------ */

static json_t *make(json_kind kind) {
    json_t *json = allocate(1, sizeof *json);
    json->kind = kind;
    return json;
}
static json_t *make_text(json_kind kind, const char *text) {
    json_t *json = make(kind);
    json->text = copy_text(text);
    return json;
}

/* One character of UTF-8 at `at`; its length, 0 where there is none. */
static size_t decode(const unsigned char *at, uint32_t *character) {
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t c = at[0];
    const size_t length = c < 0x80                ? 1
                          : c >= 0xf0 && c < 0xf8 ? 4
                          : c >= 0xe0 && c < 0xf0 ? 3
                          : c >= 0xc0 && c < 0xe0 ? 2
                                                  : 0;
    if (length > 1) c &= 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0; /* the zero at the end, too */
        c = c << 6 | (at[i] & 0x3fu);
    }
    *character = c;
    return length > 0 && (c < smallest[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) ? 0 : length;
}

json_t *json_object(void) { return make(KIND_OBJECT); }
json_t *json_array(void) { return make(KIND_ARRAY); }
json_t *json_boolean(bool value) { return make_text(KIND_WORD, value ? "true" : "false"); }
json_t *json_null(void) { return make_text(KIND_WORD, "null"); }

json_t *json_string(const char *text) {
    uint32_t character;
    if (!text) return NULL;
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const size_t length = decode(at, &character);
        if (length == 0) return NULL;
        at += length;
    }
    return make_text(KIND_STRING, text);
}

json_t *json_sprintf(const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return length >= 0 && (size_t)length < sizeof text ? json_string(text) : NULL;
}

json_t *json_integer(json_int_t value) {
    json_t *json = make(KIND_INTEGER);
    json->integer = value;
    return json;
}

json_t *json_real(double value) {
    if (!isfinite(value)) return NULL;
    json_t *json = make(KIND_REAL);
    json->real = value;
    return json;
}

int json_array_append_new(json_t *array, json_t *value) {
    if (!array || !value) return -1;
    array->items = grow(array->items, array->count, &array->item_room, sizeof *array->items);
    array->items[array->count++] = value;
    return 0;
}

int json_object_set_new(json_t *object, const char *key, json_t *value) {
    if (!object || !value) return -1;
    for (size_t i = 0; i < object->count; i++) {
        if (strcmp(object->keys[i], key) != 0) continue;
        json_decref(object->items[i]);
        object->items[i] = value;
        return 0;
    }
    object->keys = grow(object->keys, object->count, &object->key_room, sizeof *object->keys);
    object->keys[object->count] = copy_text(key);
    return json_array_append_new(object, value);
}

void json_decref(json_t *json) {
    if (!json) return;
    for (size_t i = 0; i < json->count; i++) {
        json_decref(json->items[i]);
        if (json->keys) free(json->keys[i]);
    }
    free(json->items), free(json->keys), free(json->text);
    free(json);
}

/* --- json_pack --------------------------------------------------------------------------------------------------- */

typedef struct packer {
    const char *at;
    va_list arguments;
    bool wrong;
} packer;

static char next(packer *p) {
    p->at += strspn(p->at, " ,:");
    return *p->at ? *p->at++ : 0;
}

static json_t *pack_value(packer *p, char what) {
    json_t *out = NULL, *item;
    char inner;
    switch (what) {
    case '{':
    case '[':
        out = what == '{' ? json_object() : json_array();
        while ((inner = next(p)) != 0 && inner != '}' && inner != ']') {
            const char *key = what == '{' ? va_arg(p->arguments, const char *) : "";
            item = pack_value(p, what == '{' ? next(p) : inner);
            p->wrong |= (what == '{' ? json_object_set_new(out, key, item) : json_array_append_new(out, item)) != 0;
        }
        break;
    case 's':
        out = json_string(va_arg(p->arguments, const char *));
        break;
    case 'i':
        out = json_integer(va_arg(p->arguments, int));
        break;
    case 'I':
        out = json_integer(va_arg(p->arguments, json_int_t));
        break;
    case 'f':
        out = json_real(va_arg(p->arguments, double));
        break;
    case 'b':
        out = json_boolean(va_arg(p->arguments, int) != 0);
        break;
    case 'o':
        out = va_arg(p->arguments, json_t *);
        break;
    default:
        break;
    }
    p->wrong |= !out;
    return out;
}

json_t *json_pack(const char *format, ...) {
    packer p = {.at = format};
    va_start(p.arguments, format);
    json_t *out = pack_value(&p, next(&p));
    va_end(p.arguments);
    if (!p.wrong) return out;
    json_decref(out);
    return NULL;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static void write_text(text_buffer *out, const char *text, size_t flags) {
    text_add(out, "\"");
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        static const char named[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
        uint32_t c = 0;
        const size_t length = decode(at, &c);
        const char *special = c < 0x80 ? strchr(named, (int)c) : NULL;
        if (special)
            text_add(out, "\\%c", names[special - named]);
        else if (c < 0x20 || (c > 0x7f && c < 0x10000 && flags & JSON_ENSURE_ASCII))
            text_add(out, "\\u%04X", (unsigned)c);
        else if (c >= 0x10000 && flags & JSON_ENSURE_ASCII)
            text_add(out, "\\u%04X\\u%04X", (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
                     (unsigned)(0xdc00 + (c & 0x3ff)));
        else
            text_add(out, "%.*s", (int)length, (const char *)at);
        at += length;
    }
    text_add(out, "\"");
}

/* 1 is 1.0, 1e+07 is 1e7: a real stays one, and an exponent has no sign or zeros that it does not need. */
static void write_real(text_buffer *out, double value, size_t flags) {
    char text[64];
    const int digits = (int)(flags >> 11 & 0x1f);
    snprintf(text, sizeof text, "%.*g", digits > 0 ? digits : PRECISION, value);
    char *exponent = strchr(text, 'e');
    if (exponent) {
        char *from = exponent + 1, *to = from;
        if (*from == '-') to++;
        if (*from == '-' || *from == '+') from++;
        while (*from == '0') from++;
        memmove(to, from, strlen(from) + 1);
    }
    text_add(out, "%s%s", text, exponent || strchr(text, '.') ? "" : ".0");
}

static void new_line(text_buffer *out, size_t indent, size_t depth) {
    if (indent > 0) text_add(out, "\n%*s", (int)(indent * depth), "");
}

static void write_value(text_buffer *out, const json_t *json, size_t flags, size_t depth) {
    const size_t indent = flags & 0x1f;
    switch (json->kind) {
    case KIND_STRING:
        write_text(out, json->text, flags);
        return;
    case KIND_INTEGER:
        text_add(out, "%lld", json->integer);
        return;
    case KIND_REAL:
        write_real(out, json->real, flags);
        return;
    case KIND_WORD:
        text_add(out, "%s", json->text);
        return;
    case KIND_OBJECT:
    case KIND_ARRAY:
        break;
    }
    const bool object = json->kind == KIND_OBJECT;
    text_add(out, object ? "{" : "[");
    for (size_t i = 0; i < json->count; i++) {
        if (i > 0) text_add(out, indent > 0 || flags & JSON_COMPACT ? "," : ", ");
        new_line(out, indent, depth + 1);
        if (object) {
            write_text(out, json->keys[i], flags);
            text_add(out, flags & JSON_COMPACT ? ":" : ": ");
        }
        write_value(out, json->items[i], flags, depth + 1);
    }
    if (json->count > 0) new_line(out, indent, depth);
    text_add(out, object ? "}" : "]");
}

int json_dump_callback(const json_t *json, int (*callback)(const char *text, size_t size, void *user), void *user,
                       size_t flags) {
    if (!json) return -1;
    text_buffer out = {0};
    write_value(&out, json, flags, 0);
    const int code = callback(out.bytes, out.used, user);
    free(out.bytes);
    return code;
}

static int put(const char *text, size_t size, void *user) { return fwrite(text, 1, size, user) == size ? 0 : -1; }

int json_dumpf(const json_t *json, FILE *output, size_t flags) { return json_dump_callback(json, put, output, flags); }
