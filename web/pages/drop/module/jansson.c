/* A tree of JSON values, how it is read and written: see jansson.h. No value has two owners. */
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

/* --- what there is ----------------------------------------------------------------------------------------------- */

bool json_is_object(const json_t *json) { return json && json->kind == KIND_OBJECT; }
bool json_is_array(const json_t *json) { return json && json->kind == KIND_ARRAY; }
bool json_is_string(const json_t *json) { return json && json->kind == KIND_STRING; }
bool json_is_number(const json_t *json) { return json && (json->kind == KIND_INTEGER || json->kind == KIND_REAL); }
bool json_is_true(const json_t *json) { return json && json->kind == KIND_WORD && strcmp(json->text, "true") == 0; }
bool json_is_false(const json_t *json) { return json && json->kind == KIND_WORD && strcmp(json->text, "false") == 0; }

json_t *json_object_get(const json_t *object, const char *key) {
    for (size_t i = 0; json_is_object(object) && i < object->count; i++)
        if (strcmp(object->keys[i], key) == 0) return object->items[i];
    return NULL;
}
size_t json_array_size(const json_t *array) { return json_is_array(array) ? array->count : 0; }
json_t *json_array_get(const json_t *array, size_t index) {
    return index < json_array_size(array) ? array->items[index] : NULL;
}
const char *json_string_value(const json_t *string) { return json_is_string(string) ? string->text : NULL; }
double json_number_value(const json_t *number) {
    if (!json_is_number(number)) return 0;
    return number->kind == KIND_REAL ? number->real : (double)number->integer;
}
json_error_code_t json_error_code(const json_error_t *error) { return error->code; }

/* --- reading ----------------------------------------------------------------------------------------------------- */

enum { DEEPEST = 2048 };

typedef struct parser {
    const char *start, *at, *end;
    json_error_t *error;
    size_t depth;
} parser;

static json_t *fail_at(parser *p, json_error_code_t code, const char *text) {
    if (p->error->text) return NULL; /* the first counts */
    *p->error = (json_error_t){.code = code, .line = 1, .text = text};
    for (const char *at = p->start; at < p->at; at++) {
        p->error->column = *at == '\n' ? 0 : p->error->column + 1;
        p->error->line += *at == '\n';
    }
    return NULL;
}
static json_t *fail_syntax(parser *p, const char *text) { return fail_at(p, json_error_invalid_syntax, text); }

/* What comes next, 0 at the end. */
static char peek(const parser *p) { return p->at < p->end ? *p->at : 0; }
static bool take(parser *p, char wanted) {
    while (p->at < p->end && *p->at && strchr(" \t\n\r", *p->at)) p->at++;
    if (p->at == p->end || *p->at != wanted) return false;
    p->at++;
    return true;
}

/* The four digits of \u; negative where they are none. */
static int32_t read_unit(parser *p) {
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef0123456789ABCDEF";
        const char c = peek(p), *digit = c ? strchr(digits, c) : NULL;
        if (!digit) return -1;
        unit = unit << 4 | (int32_t)((digit - digits) & 15);
        p->at++;
    }
    return unit;
}

static bool read_escaped(parser *p, text_buffer *out) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char c = peek(p), *name = c ? strchr(names, c) : NULL;
    p->at++;
    if (name) {
        text_add(out, "%c", meant[name - names]);
        return true;
    }
    if (c != 'u') return false;
    int32_t unit = read_unit(p);
    if (unit >= 0xd800 && unit < 0xdc00) { /* a pair */
        if (p->end - p->at < 2 || p->at[0] != '\\' || p->at[1] != 'u') return false;
        p->at += 2;
        const int32_t low = read_unit(p);
        if (low < 0xdc00 || low > 0xdfff) return false;
        unit = 0x10000 + (unit - 0xd800) * 0x400 + (low - 0xdc00);
    } else if (unit < 0 || (unit >= 0xdc00 && unit < 0xe000)) {
        return false;
    }
    if (unit < 0x80)
        text_add(out, "%c", unit);
    else if (unit < 0x800)
        text_add(out, "%c%c", 0xc0 | unit >> 6, 0x80 | (unit & 63));
    else if (unit < 0x10000)
        text_add(out, "%c%c%c", 0xe0 | unit >> 12, 0x80 | (unit >> 6 & 63), 0x80 | (unit & 63));
    else
        text_add(out, "%c%c%c%c", 0xf0 | unit >> 18, 0x80 | (unit >> 12 & 63), 0x80 | (unit >> 6 & 63),
                 0x80 | (unit & 63));
    return true;
}

/* After the opening quote; to be freed. */
static char *read_text(parser *p) {
    text_buffer out = {0};
    text_add(&out, "%s", "");
    while (peek(p) != '"') {
        const char *from = p->at;
        uint32_t c = 0;
        while (p->at < p->end && *p->at != '"' && *p->at != '\\' && (unsigned char)*p->at >= 0x20) {
            const unsigned char first = (unsigned char)*p->at;
            size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
            if ((size_t)(p->end - p->at) >= length)
                length = decode((const unsigned char *)p->at, &c);
            else
                length = 0;
            if (length == 0) {
                fail_at(p, json_error_invalid_utf8, "a text is not UTF-8");
                free(out.bytes);
                return NULL;
            }
            p->at += length;
        }
        if (p->at > from) text_add(&out, "%.*s", (int)(p->at - from), from);
        if (peek(p) == '"') break;
        if (peek(p) != '\\' || (p->at++, !read_escaped(p, &out))) {
            fail_syntax(p, "a text does not end, or has a wrong escape");
            free(out.bytes);
            return NULL;
        }
    }
    p->at++;
    return out.bytes;
}

static bool skip_digits(parser *p) {
    const char *from = p->at;
    while (peek(p) >= '0' && peek(p) <= '9') p->at++;
    return p->at > from;
}
static json_t *read_number(parser *p) {
    char digits[64], *all = digits;
    const char *from = p->at;
    bool right;
    if (peek(p) == '-') p->at++;
    if (peek(p) == '0') {
        p->at++;
        right = true;
    } else {
        right = skip_digits(p);
    }
    if (right && peek(p) == '.') right = (p->at++, skip_digits(p));
    if (right && (peek(p) == 'e' || peek(p) == 'E')) {
        p->at++;
        if (peek(p) == '+' || peek(p) == '-') p->at++;
        right = skip_digits(p);
    }
    if (!right) return fail_syntax(p, "there is no value");
    const size_t length = (size_t)(p->at - from); /* what follows is no part of it: the text may end here */
    if (length >= sizeof digits) all = allocate(length + 1, 1);
    memcpy(all, from, length);
    all[length] = 0;
    json_t *json = json_real(strtod(all, NULL));
    if (all != digits) free(all);
    return json ? json : fail_syntax(p, "a number is too large");
}

static json_t *read_value(parser *p);
static json_t *read_items(parser *p, json_t *out) {
    const bool object = out->kind == KIND_OBJECT;
    if (take(p, object ? '}' : ']')) return out;
    do {
        char *key = NULL;
        if (object && (!take(p, '"') || !(key = read_text(p)) || !take(p, ':'))) {
            free(key);
            return fail_syntax(p, "a name and a colon are missing");
        }
        json_t *value = read_value(p);
        if (value && object) json_object_set_new(out, key, value);
        if (value && !object) json_array_append_new(out, value);
        free(key);
        if (!value) return NULL;
    } while (take(p, ','));
    return take(p, object ? '}' : ']') ? out : fail_syntax(p, object ? "'}' is missing" : "']' is missing");
}

static json_t *read_value(parser *p) {
    static const char *const words[] = {"true", "false", "null"};
    if (p->depth == DEEPEST) return fail_syntax(p, "it is too deep");
    const bool object = take(p, '{'); /* skips blanks, too */
    if (object || take(p, '[')) {
        json_t *out = object ? json_object() : json_array();
        p->depth++;
        json_t *whole = read_items(p, out);
        p->depth--;
        if (!whole) json_decref(out);
        return whole;
    }
    if (take(p, '"')) {
        char *text = read_text(p);
        json_t *json = text ? make_text(KIND_STRING, text) : NULL;
        free(text);
        return json;
    }
    for (size_t i = 0; i < 3; i++) {
        const size_t length = strlen(words[i]);
        if ((size_t)(p->end - p->at) < length || memcmp(p->at, words[i], length) != 0) continue;
        p->at += length;
        return make_text(KIND_WORD, words[i]);
    }
    return read_number(p);
}

json_t *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error) {
    (void)flags;
    *error = (json_error_t){.text = NULL};
    parser p = {.start = text, .at = text, .end = text + size, .error = error};
    json_t *json = read_value(&p);
    if (json && json->kind != KIND_OBJECT && json->kind != KIND_ARRAY) {
        json_decref(json);
        return fail_syntax(&p, "it is no object");
    }
    if (!json) return NULL;
    take(&p, 0); /* blanks */
    if (p.at == p.end) return json;
    json_decref(json);
    return fail_syntax(&p, "something follows its end");
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
