/* What is tested, and what is accepted: of the command line, of a rules file (--rules, docs/guide/rules.md) and of a
 * list of what was approved (--approved), as the library takes it. */
#ifndef CLI_RULES_H
#define CLI_RULES_H

#include "read/scene.h"

struct options;
struct findings;

/* What is left out by default, and can be had by --also. */
typedef enum rules_default {
    RULES_SPACES = 1,       /* spaces and openings with anything */
    RULES_SAME_PRODUCT = 2, /* pieces of one product with each other */
    RULES_PARENT_CHILD = 4  /* a part with one that hangs from it */
} rules_default;
enum { RULES_DEFAULTS = 3 };
/* "spaces", "same-product", "parent-child". */
extern const char *const rules_default_names[RULES_DEFAULTS];
/* Spaces and openings, as a selector. */
extern const char rules_spaces[];

/* The members that a rules file may have, separated by blanks: those of docs/guide/rules.schema.json. */
typedef enum rules_object { RULES_FILE, RULES_TEST, RULES_TOLERANCE, RULES_EXCEPTION, RULES_OBJECTS } rules_object;
extern const char *const rules_members[RULES_OBJECTS];

/* Where an exception comes from. Texts are "" where it does not say. */
typedef struct rules_origin {
    char *where; /* "--allow 'a:b'", "carom.json:12: /exceptions/0", "approved.txt:7" */
    char *what;  /* "a:b", or an id */
    char *reason, *author, *date;
    bool approved; /* stands in the list of --approved */
} rules_origin;

/* What is said of a finding that is not accepted: a comment in the list of --approved, "# open: ID; ..." or "# fix:
 * ...". */
typedef struct rules_note {
    uint64_t id;
    unsigned line;
    bool fix; /* to be fixed, else open */
    rules_origin said;
} rules_note;

/* A selector of a rules file, to be asked whether it chooses anything. */
typedef struct rules_selector {
    char *where, *text;
    bool needed; /* it must choose something: of --between */
} rules_selector;

typedef struct rules {
    cm_check_test *tests; /* none: one without a name, of the command line */
    char **descriptions;  /* one a test */
    uint32_t test_count;
    cm_check_pair_tolerance *tolerances;
    uint32_t tolerance_count;
    cm_check_exception *exceptions;
    rules_origin *origins; /* one an exception */
    uint32_t exception_count;
    rules_note *notes; /* by id; of one id the last of the list alone, once all is read */
    uint32_t note_count;
    rules_selector *selectors;
    uint32_t selector_count;
    char *list;     /* the lines of --approved as they stand there, but for bytes that are no text; NULL: none */
    unsigned also;  /* bits of rules_default */
    bool of_a_file; /* the tests are those of --rules */
    char **texts;   /* that the above borrow */
    uint32_t text_count;
    size_t rooms[6]; /* tests, tolerances, exceptions, selectors, texts, notes */
} rules;

/* Collects them. Returns 0, or EXIT_INPUT after saying what is wrong. Free with rules_free in either case. */
int rules_read(const struct options *o, rules *out);
void rules_free(rules *r);
/* Lets the options ask, as files are read, which of the selectors match what is left out by default. */
void rules_seek(const rules *r, struct options *o);
/* Says which selectors choose no part of the scene. Returns EXIT_INPUT where one must. */
int rules_warn_unchosen(const rules *r, const struct options *o, const cm_check_part *parts, const scene *s);
/* Says which exceptions matched no finding, and which tests had nothing to compare. */
void rules_warn_unused(const rules *r, const struct options *o, const struct findings *f);

/* Borrowed by the rest: a copy that lives as long as the rules do. */
const char *rules_keep(rules *r, char *text);
/* Adds an exception and its origin, whose texts it takes over. */
void rules_add_exception(rules *r, cm_check_exception exception, rules_origin origin);
/* Adds what is said of a finding, whose texts it takes over; then, of all that is said, keeps the last of each. */
void rules_add_note(rules *r, rules_note note);
void rules_sort_notes(rules *r);
const rules_note *rules_note_by_id(const rules *r, uint64_t id); /* NULL: there is none */
/* What it holds. */
void rules_free_origin(rules_origin *o);
/* Reads the list of what was approved, and what it says of other findings. */
int approved_read(const char *path, rules *out);
/* A line of it: "what; reason; author; date", as approved_read takes it. free() it. */
char *approved_line(const char *what, const char *reason, const char *author, const char *date);

/* Of a finding: the name of its test and its severity, "" and "error" where there are no tests; why it is accepted, ""
 * where it is not or nobody said. */
bool rules_are_tests(const struct findings *f); /* there are tests with names */
/* Whether findings of this kind were asked for: touching ones are where tests of a file or --fail-on ask. */
bool rules_look_for(const struct findings *f, cm_finding_kind kind);
const char *rules_test_name(const struct findings *f, size_t number);
const char *rules_severity(const struct findings *f, size_t number);
const char *rules_reason(const struct findings *f, size_t number);
double rules_clearance(const struct findings *f, size_t number);                      /* of its test; 0 = none */
const rules_origin *rules_origin_of(const struct findings *f, const cm_finding *one); /* NULL: it is not accepted */
const rules_note *rules_note_of(const struct findings *f, const cm_finding *one); /* NULL: none, or it is accepted */
/* "approved.txt:7: cast in (A. Meyer, 2025-03-14)": of a finding that is accepted. free() it. */
char *rules_accepted_by(const struct findings *f, const cm_finding *one);

struct json_t;
/* What was asked and came of it: tests; what is left out by default; what was approved; what is said of others. */
struct json_t *rules_tests_json(const struct findings *f);
struct json_t *rules_defaults_json(const struct findings *f);
struct json_t *rules_accepted_json(const struct findings *f);
struct json_t *rules_notes_json(const struct findings *f);
/* The same for people, on stdout. */
void rules_print(const scene *s, const struct findings *f);
/* Of commands without tests: the default that there is, and how many parts it left out, which stand in `what`, e.g.
 * "measured". */
struct json_t *rules_spaces_json(unsigned also, const scene *s);
void rules_print_spaces(const char *what, const scene *s);
/* "space or opening" of one, else "spaces and openings". */
const char *rules_spaces_words(uint64_t count);
/* What to say to who asked for something that is not there, where it is because of the default. */
extern const char rules_spaces_hint[];

#endif
