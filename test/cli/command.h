/* Runs the command as a user does, and makes files for it to read. */
#ifndef TEST_CLI_COMMAND_H
#define TEST_CLI_COMMAND_H

#include "support/support.h"

#include <jansson.h>

typedef struct run {
    int code; /* exit code; 128 + n where a signal n ended it */
    char *out, *err;
} run;

/* Runs CAROM_COMMAND with the arguments (up to the first NULL) in the scratch folder. Free with run_free. */
run run_command(const char *const *arguments);
#define RUN(...) run_command((const char *const[]){__VA_ARGS__, NULL})
void run_free(run *r);

/* Runs, checks the exit code and that stderr holds `text` (NULL: anything), prints both otherwise. */
void expect(int code, const char *text, const char *const *arguments);
#define EXPECT(code, text, ...) expect(code, text, (const char *const[]){__VA_ARGS__, NULL})

/* Runs with --format json appended, expects the code, gives the answer. json_decref it. */
json_t *run_json(int code, const char *const *arguments);
#define RUN_JSON(code, ...) run_json(code, (const char *const[]){__VA_ARGS__, NULL})
/* A member of it: the text, NULL where that is none; the number, then 0. */
static inline const char *text_at(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}
static inline double number_at(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

/* A scratch folder for the tests of this program: made at the first use, removed at its end. */
const char *scratch(void);
/* The path of a file in it; valid for the next 16 calls. */
const char *scratch_path(const char *name);
/* Writes a file there; returns its path. */
const char *write_bytes(const char *name, const void *bytes, size_t size);
const char *write_text(const char *name, const char *text);

/* A model of the assimp-testmodels package, or NULL (said loudly) where it is not installed: then skip(). */
const char *test_model(const char *relative);

/* Node.js and the reader of IFC beside the command; false (said loudly) where they are not there: then skip(). */
bool has_ifc_reader(void);

#endif
