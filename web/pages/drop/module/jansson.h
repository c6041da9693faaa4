/* The part of Jansson (https://github.com/akheron/jansson) that the command's writers and its reader of glTF use, so
 * that they compile where that library is not: same names, same bytes. jansson.c implements it. */
#ifndef JANSSON_H
#define JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct json_t json_t;
typedef long long json_int_t;

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *text); /* NULL where it is not UTF-8 */
json_t *json_sprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
json_t *json_integer(json_int_t value);
json_t *json_real(double value); /* NULL where it is no number, or infinite */
json_t *json_boolean(bool value);
json_t *json_null(void);
/* "{s:o, s:i}", "[fff]": objects, arrays, and of values s (text), i (int), I (json_int_t), f, b and o (taken over). */
json_t *json_pack(const char *format, ...);
/* Both take `value` over, and return -1 where one is NULL. */
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_array_append_new(json_t *array, json_t *value);
void json_decref(json_t *json);

/* All of these take NULL, and a value of another kind: there is nothing then. */
json_t *json_object_get(const json_t *object, const char *key);
size_t json_array_size(const json_t *array);
json_t *json_array_get(const json_t *array, size_t index);
const char *json_string_value(const json_t *string);
double json_number_value(const json_t *number);
bool json_is_object(const json_t *json);
bool json_is_array(const json_t *json);
bool json_is_string(const json_t *json);
bool json_is_number(const json_t *json);
bool json_is_true(const json_t *json);
bool json_is_false(const json_t *json);

/* Reads one value, an object or array. Numbers are double, a text with a zero in it ends there: both flags are taken
 * for given. The error has Jansson's place, and few words of its own. */
#define JSON_DECODE_INT_AS_REAL ((size_t)0x10)
#define JSON_ALLOW_NUL          ((size_t)0x8)
typedef enum json_error_code { json_error_invalid_syntax, json_error_invalid_utf8 } json_error_code_t;
typedef struct json_error_t {
    json_error_code_t code;
    int line, column;
    const char *text;
} json_error_t;
json_t *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error);
json_error_code_t json_error_code(const json_error_t *error);

/* Flags of the two dumps. JSON_INDENT(0) is one line. */
#define JSON_INDENT(n)         ((size_t)(n))
#define JSON_COMPACT           ((size_t)0x20) /* no blank after , and : */
#define JSON_ENSURE_ASCII      ((size_t)0x40)
#define JSON_ENCODE_ANY        ((size_t)0x200) /* here always */
#define JSON_REAL_PRECISION(n) ((size_t)(n) << 11)

int json_dumpf(const json_t *json, FILE *output, size_t flags);
int json_dump_callback(const json_t *json, int (*callback)(const char *text, size_t size, void *user), void *user,
                       size_t flags);

#endif
