/* What is written of a finding, in one table: its fields in JSON, which the report page has too, and its columns in
 * CSV. docs/guide/json-schema.md describes each; cli/page/report/fields.js says how the page shows it. */
#ifndef CLI_FINDING_FIELDS_H
#define CLI_FINDING_FIELDS_H

#include "check/findings.h"

typedef enum finding_type {
    FINDING_TEXT,     /* of `text` */
    FINDING_PART,     /* a number in JSON, the part's name in CSV */
    FINDING_LENGTH,   /* null where it was not measured */
    FINDING_POINT,    /* three columns in CSV */
    FINDING_TRIANGLE, /* null where there is none */
    FINDING_COUNT,    /* */
    FINDING_FLAG,     /* */
    FINDING_BOX,      /* null where it is empty */
    FINDING_ID,       /* 16 hexadecimal digits */
    FINDING_VOLUME    /* cubic metres; left away, and empty in CSV, where it was not asked for or is not defined */
} finding_type;

typedef struct finding_field {
    const char *name;
    const char *column; /* in CSV; of a point without its axis; NULL: none */
    finding_type type;
    size_t offset; /* in cm_finding */
    const char *(*text)(const findings *f, size_t number);
} finding_field;

extern const finding_field finding_fields[];
extern const size_t finding_field_count;

/* Is there nothing to be written of it? Empty texts, volumes that are not known. */
bool finding_field_is_empty(const findings *all, size_t number, const finding_field *field);

struct json_t;
/* All fields of a finding that are not empty. */
struct json_t *finding_json(const findings *all, size_t number);

#endif
