/* Reading a JSON file field by field: every complaint names the file, the line and the path into it. */
#ifndef CLI_FIELDS_H
#define CLI_FIELDS_H

#include <carom/carom.h>

#include <jansson.h>

enum { FIELD_DEPTH = 32 };

/* Where the reading is. The first complaint is said, and ends it: `code` is then not 0 and all else does nothing. */
typedef struct fields {
    const char *path; /* of the file */
    char *text;
    size_t size;
    const char *keys[FIELD_DEPTH]; /* NULL: an index */
    size_t indices[FIELD_DEPTH];
    int depth;
    int code;
} fields;

/* Reads and parses the file. NULL after saying what is wrong; json_decref the value and call fields_free. */
json_t *fields_open(const char *path, fields *out);
void fields_free(fields *f);

/* Into a member or an element, and back. */
void fields_enter(fields *f, const char *key);
void fields_enter_index(fields *f, size_t index);
void fields_leave(fields *f);
/* The place: "scene.json:12: /objects/3/mass". free() it. */
char *fields_where(const fields *f);
/* "carom: scene.json:12: /objects/3/mass: ..." */
void fields_bad(fields *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Refuses members that are not among `names` (separated by blanks), with a hint at the nearest. */
void fields_known(fields *f, const json_t *object, const char *names);
/* Refuses `key` where `other` says the same already: one of them would not count. */
void fields_either(fields *f, const json_t *object, const char *key, const char *other);
/* The member, which must be an object or an array if it is there; NULL where it is not. */
json_t *fields_object(fields *f, const json_t *object, const char *key);
json_t *fields_array(fields *f, const json_t *object, const char *key);
/* Each leaves `out` as it was where the member is absent, and returns whether it was there and right. */
bool fields_number(fields *f, const json_t *object, const char *key, double low, double high, double *out);
bool fields_count(fields *f, const json_t *object, const char *key, uint32_t low, uint32_t high, uint32_t *out);
bool fields_bool(fields *f, const json_t *object, const char *key, bool *out);
bool fields_text(fields *f, const json_t *object, const char *key, const char **out);
bool fields_vector(fields *f, const json_t *object, const char *key, cm_vec3 *out);
/* A value itself: the place must have been entered. */
bool field_is_vector(fields *f, const json_t *value, cm_vec3 *out);
bool field_is_number(fields *f, const json_t *value, double low, double high, double *out);
/* "at": [x, y, z], "turn": [ax, ay, az, degrees] or "rotation": [x, y, z, w]. */
void fields_pose(fields *f, const json_t *object, cm_pose *out);
/* The rotation by so many degrees about an axis; the axis need not be of length 1 but must not be 0. */
cm_quat rotation_about(cm_vec3 axis, double degrees);

#endif
