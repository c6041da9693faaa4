/* Rules of the command line and of files: see rules.h. docs/guide/rules.md describes the file, and
 * docs/guide/rules.schema.json is its schema. */
#include "check/rules.h"

#include "check/findings.h"
#include "common/fields.h"
#include "common/selector.h"
#include "common/suggest.h"
#include "common/text.h"
#include "common/units.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

const char *const rules_members[RULES_OBJECTS] = {
    [RULES_FILE] = "$schema schema also tests tolerances exceptions",
    [RULES_TEST] = "name description a b kind severity tolerance clearance exceptions",
    [RULES_TOLERANCE] = "a b tolerance reason",
    [RULES_EXCEPTION] = "a b depth reason"};

/* --- collecting -------------------------------------------------------------------------------------------------- */

const char *rules_keep(rules *r, char *text) {
    r->texts = grow(r->texts, r->text_count, &r->rooms[4], sizeof *r->texts);
    return r->texts[r->text_count++] = text;
}

void rules_free_origin(rules_origin *o) {
    free(o->where), free(o->what), free(o->reason), free(o->author), free(o->date);
}

void rules_add_note(rules *r, rules_note note) {
    r->notes = grow(r->notes, r->note_count, &r->rooms[5], sizeof *r->notes);
    r->notes[r->note_count++] = note;
}

static int compare_notes(const void *a, const void *b) {
    const rules_note *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

void rules_sort_notes(rules *r) {
    uint32_t kept = 0;
    if (r->note_count > 1) qsort(r->notes, r->note_count, sizeof *r->notes, compare_notes);
    for (uint32_t i = 0; i < r->note_count; i++) {
        if (i + 1 < r->note_count && r->notes[i + 1].id == r->notes[i].id)
            rules_free_origin(&r->notes[i].said);
        else
            r->notes[kept++] = r->notes[i];
    }
    r->note_count = kept;
}

void rules_add_exception(rules *r, cm_check_exception exception, rules_origin origin) {
    size_t room = r->rooms[2];
    r->exceptions = grow(r->exceptions, r->exception_count, &room, sizeof *r->exceptions);
    r->origins = grow(r->origins, r->exception_count, &r->rooms[2], sizeof *r->origins);
    r->exceptions[r->exception_count] = exception;
    r->origins[r->exception_count++] = origin;
}

/* Takes over `where`. */
static void add_selector(rules *r, char *where, const char *text, bool needed) {
    r->selectors = grow(r->selectors, r->selector_count, &r->rooms[3], sizeof *r->selectors);
    r->selectors[r->selector_count++] = (rules_selector){where, copy_text(text), needed};
}

/* Takes over `description`. */
static void add_test(rules *r, cm_check_test test, char *description) {
    size_t room = r->rooms[0];
    r->tests = grow(r->tests, r->test_count, &room, sizeof *r->tests);
    r->descriptions = grow(r->descriptions, r->test_count, &r->rooms[0], sizeof *r->descriptions);
    r->tests[r->test_count] = test;
    r->descriptions[r->test_count++] = description;
}

/* --- values of the file ------------------------------------------------------------------------------------------ */

/* The member as one of the names; false where it is absent or wrong. */
static bool read_word(fields *f, const json_t *object, const char *key, const char *const *names, int count, int *out) {
    const char *text = NULL;
    char hint[80];
    if (!fields_text(f, object, key, &text)) return false;
    for (int i = 0; i < count; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *out = i;
        return true;
    }
    fields_enter(f, key);
    fields_bad(f, "'%.100s' is not known here%s", text, suggest(text, names, (size_t)count, hint, sizeof hint));
    fields_leave(f);
    return false;
}

static bool read_length(fields *f, const json_t *object, const char *key, cm_real *out) {
    const char *text = NULL, *wrong;
    double metres = 0;
    if (!fields_text(f, object, key, &text)) return false;
    fields_enter(f, key);
    if (!length_from_text(text, &metres, &wrong))
        fields_bad(f, "'%.100s' %s", text, wrong);
    else if (!(metres > 0))
        fields_bad(f, "'%.100s' is not above zero: leave it away for the default", text);
    fields_leave(f);
    *out = metres;
    return !f->code;
}

/* One text of a selector, which is remembered. */
static void read_selector_text(fields *f, const json_t *value, rules *r, text_buffer *all) {
    const char *text = json_string_value(value);
    if (!text || !*text) {
        fields_bad(f, text ? "is an empty selector" : "is not a text");
        return;
    }
    const char *fault = selector_fault(text);
    if (fault) {
        fields_bad(f, "'%.100s' %s", text, fault);
        return;
    }
    add_selector(r, fields_where(f), text, false);
    text_add(all, "%s%s", all->used > 0 ? " | " : "", text);
}

/* A text, or an array of them, of which any may choose a part. NULL where the member is absent or wrong. */
static const char *read_selector(fields *f, const json_t *object, const char *key, rules *r) {
    const json_t *value = f->code ? NULL : json_object_get(object, key);
    if (!value) return NULL;
    text_buffer all = {0};
    fields_enter(f, key);
    if (!json_is_array(value)) {
        if (json_is_string(value))
            read_selector_text(f, value, r, &all);
        else
            fields_bad(f, "is neither a text nor an array of texts");
    } else if (json_array_size(value) == 0) {
        fields_bad(f, "is empty: nothing would be chosen");
    }
    for (size_t i = 0; i < json_array_size(value) && !f->code; i++) {
        fields_enter_index(f, i);
        read_selector_text(f, json_array_get(value, i), r, &all);
        fields_leave(f);
    }
    fields_leave(f);
    return all.bytes ? rules_keep(r, all.bytes) : NULL;
}

/* "a" and "b", which both must be there. */
static void read_pair(fields *f, const json_t *object, rules *r, const char **a, const char **b) {
    *a = read_selector(f, object, "a", r);
    *b = read_selector(f, object, "b", r);
    if (!*a || !*b) fields_bad(f, "has no \"%s\"", *a ? "b" : "a");
}

static char *read_copy(fields *f, const json_t *object, const char *key) {
    const char *text = "";
    fields_text(f, object, key, &text);
    return clean_text(text, strlen(text));
}

/* Calls `read` for each object of the array. */
typedef void (*item_reader)(fields *f, const json_t *object, rules *r, const char *test);
static void read_items(fields *f, const json_t *object, const char *key, rules_object kind, item_reader read, rules *r,
                       const char *test) {
    const json_t *list = fields_array(f, object, key);
    fields_enter(f, key);
    for (size_t i = 0; i < json_array_size(list) && !f->code; i++) {
        const json_t *item = json_array_get(list, i);
        fields_enter_index(f, i);
        if (!json_is_object(item)) fields_bad(f, "is not an object {...}");
        if (!f->code) fields_known(f, item, rules_members[kind]);
        if (!f->code) read(f, item, r, test);
        fields_leave(f);
    }
    fields_leave(f);
}

/* --- the file ---------------------------------------------------------------------------------------------------- */

static void read_exception(fields *f, const json_t *object, rules *r, const char *test) {
    cm_check_exception e = {.test = test};
    read_pair(f, object, r, &e.first, &e.second);
    read_length(f, object, "depth", &e.depth);
    char *reason = read_copy(f, object, "reason");
    if (f->code) {
        free(reason);
        return;
    }
    rules_add_exception(r, e,
                        (rules_origin){.where = fields_where(f),
                                       .what = format_text("%s:%s", e.first, e.second),
                                       .reason = reason,
                                       .author = copy_text(""),
                                       .date = copy_text("")});
}

static void read_tolerance(fields *f, const json_t *object, rules *r, const char *test) {
    (void)test;
    cm_check_pair_tolerance t = {.first = NULL};
    const char *reason = "";
    read_pair(f, object, r, &t.first, &t.second);
    if (!read_length(f, object, "tolerance", &t.tolerance)) fields_bad(f, "has no \"tolerance\"");
    fields_text(f, object, "reason", &reason);
    if (f->code) return;
    r->tolerances = grow(r->tolerances, r->tolerance_count, &r->rooms[1], sizeof *r->tolerances);
    r->tolerances[r->tolerance_count++] = t;
}

/* What the test is called, once. */
static void read_name(fields *f, const json_t *object, rules *r, cm_check_test *test) {
    char *name = read_copy(f, object, "name");
    if (!*name) fields_bad(f, "has no \"name\"");
    for (uint32_t i = 0; i < r->test_count && !f->code; i++) {
        if (strcmp(r->tests[i].name, name) != 0) continue;
        fields_enter(f, "name");
        fields_bad(f, "'%.100s' is the name of test %u too", name, i);
        fields_leave(f);
    }
    test->name = rules_keep(r, name);
}

static void read_test(fields *f, const json_t *object, rules *r, const char *unused) {
    (void)unused;
    static const char *const kinds[] = {"hard", "touching", "clearance", "duplicate"};
    static const char *const severities[] = {"error", "warning", "note"};
    int kind = -1, severity = CM_SEVERITY_ERROR;
    cm_check_test test = {.name = NULL};
    read_name(f, object, r, &test);
    test.a = read_selector(f, object, "a", r);
    test.b = read_selector(f, object, "b", r);
    read_word(f, object, "kind", kinds, 4, &kind);
    read_word(f, object, "severity", severities, CM_SEVERITY_COUNT, &severity);
    read_length(f, object, "tolerance", &test.tolerance);
    const bool has_clearance = read_length(f, object, "clearance", &test.clearance);
    if (kind < 0 && has_clearance) kind = 2;
    test.kind = kind < 0 ? CM_TEST_HARD : (cm_check_test_kind)(CM_TEST_HARD + kind);
    test.severity = (cm_check_severity)severity;
    if (test.kind == CM_TEST_CLEARANCE && !has_clearance)
        fields_bad(f, "is of kind clearance and has no \"clearance\"");
    if (test.kind != CM_TEST_CLEARANCE && has_clearance)
        fields_bad(f, "has a \"clearance\" and is of kind %s", cm_check_test_kind_text(test.kind));
    read_items(f, object, "exceptions", RULES_EXCEPTION, read_exception, r, test.name);
    if (!f->code) add_test(r, test, read_copy(f, object, "description"));
}

static void read_also(fields *f, const json_t *root, rules *r) {
    const json_t *list = fields_array(f, root, "also");
    fields_enter(f, "also");
    for (size_t i = 0; i < json_array_size(list) && !f->code; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        int which = 0;
        fields_enter_index(f, i);
        while (text && which < RULES_DEFAULTS && strcmp(rules_default_names[which], text) != 0) which++;
        if (!text || which == RULES_DEFAULTS)
            fields_bad(f, "is not spaces, same-product or parent-child");
        else
            r->also |= 1u << which;
        fields_leave(f);
    }
    fields_leave(f);
}

static int read_file(const char *path, rules *r) {
    fields f;
    const char *schema = "", *editors = "";
    json_t *root = fields_open(path, &f);
    if (root && !json_is_object(root)) fields_bad(&f, "is not an object {...}");
    if (!f.code) fields_text(&f, root, "schema", &schema);
    if (!f.code && strcmp(schema, "carom-rules-1") != 0)
        fields_bad(&f, "is no rules file: \"schema\" is not \"carom-rules-1\"");
    if (!f.code) fields_known(&f, root, rules_members[RULES_FILE]);
    if (!f.code) fields_text(&f, root, "$schema", &editors);
    if (!f.code) read_also(&f, root, r);
    if (!f.code) read_items(&f, root, "tests", RULES_TEST, read_test, r, NULL);
    if (!f.code) read_items(&f, root, "tolerances", RULES_TOLERANCE, read_tolerance, r, NULL);
    if (!f.code) read_items(&f, root, "exceptions", RULES_EXCEPTION, read_exception, r, NULL);
    r->of_a_file = r->test_count > 0;
    json_decref(root);
    fields_free(&f);
    return f.code;
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* --between and --allow. A single --between is a test without a name, as its findings keep their ids then. */
static void take_arguments(const options *o, rules *r) {
    for (uint32_t i = 0; i < o->between_count; i++) {
        const char *a = o->between[i].first, *b = o->between[i].second;
        cm_check_test test = {.a = a, .b = b};
        if (o->between_count > 1) test.name = rules_keep(r, format_text("%s:%s", a, b));
        add_test(r, test, copy_text(""));
        add_selector(r, copy_text("--between"), a, true);
        add_selector(r, copy_text("--between"), b, true);
    }
    for (uint32_t i = 0; i < o->allow_count; i++) {
        char *what = format_text("%s:%s", o->allow[i].first, o->allow[i].second);
        rules_add_exception(r, o->allow[i],
                            (rules_origin){.where = copy_text("--allow"),
                                           .what = what,
                                           .reason = copy_text(""),
                                           .author = copy_text(""),
                                           .date = copy_text("")});
    }
}

static int refuse_both(const options *o) {
    if (o->between_count > 0) return complain(EXIT_INPUT, "--between: the tests are those of %s", o->rules);
    if (o->clearance >= 0) return complain(EXIT_INPUT, "--clearance: the tests are those of %s", o->rules);
    if (o->fail_level_given)
        return complain(EXIT_INPUT, "--fail-on: which findings fail is said in %s; none and new are for all", o->rules);
    return 0;
}

int rules_read(const options *o, rules *out) {
    *out = (rules){.also = o->also};
    int code = o->rules ? read_file(o->rules, out) : 0;
    if (code == 0 && out->of_a_file) code = refuse_both(o);
    if (code == 0) take_arguments(o, out);
    if (code == 0 && o->approved) code = approved_read(o->approved, out);
    return code;
}

void rules_free(rules *r) {
    for (uint32_t i = 0; i < r->exception_count; i++) rules_free_origin(&r->origins[i]);
    for (uint32_t i = 0; i < r->note_count; i++) rules_free_origin(&r->notes[i].said);
    for (uint32_t i = 0; i < r->selector_count; i++) free(r->selectors[i].where), free(r->selectors[i].text);
    for (uint32_t i = 0; i < r->text_count; i++) free(r->texts[i]);
    for (uint32_t i = 0; i < r->test_count; i++) free(r->descriptions[i]);
    free(r->tests), free(r->descriptions), free(r->tolerances), free(r->exceptions), free(r->origins);
    free(r->selectors), free(r->texts), free(r->list), free(r->notes);
    *r = (rules){.test_count = 0};
}

/* --- messages ---------------------------------------------------------------------------------------------------- */

const char rules_spaces_hint[] = " (spaces and openings are left out: --also spaces)";

void rules_seek(const rules *r, options *o) {
    for (uint32_t i = 0; i < r->selector_count; i++) options_seek(o, r->selectors[i].text);
    for (uint32_t i = 0; i < r->test_count; i++) {
        if (r->tests[i].a) options_seek(o, r->tests[i].a);
        if (r->tests[i].b) options_seek(o, r->tests[i].b);
    }
}

int rules_warn_unchosen(const rules *r, const options *o, const cm_check_part *parts, const scene *read) {
    const uint32_t count = read->part_count;
    uint8_t *sides = allocate(count, sizeof *sides);
    int code = 0;
    for (uint32_t i = 0; i < r->selector_count && code == 0; i++) {
        const rules_selector *s = &r->selectors[i];
        if (cm_check_choose(parts, count, s->text, 1, sides) > 0) continue;
        const char *hint = options_left_out_hint(o, s->text);
        if (s->needed)
            code = complain(EXIT_INPUT, "%s: '%s' matches no part and no file%s", s->where, s->text, hint);
        else
            warn("%s: '%s' chooses no part%s", s->where, s->text, hint);
    }
    free(sides);
    return code;
}

enum { UNUSED_MOST = 20 }; /* said one by one */

/* Why the test may have nothing to compare. */
static const char *test_hint(const options *o, const cm_check_test *test) {
    const char *hint = test->a ? options_left_out_hint(o, test->a) : "";
    return !*hint && test->b ? options_left_out_hint(o, test->b) : hint;
}

void rules_warn_unused(const rules *r, const options *o, const findings *f) {
    const cm_check_result *found = &f->list;
    uint32_t unused = 0;
    for (uint32_t i = 0; i < r->exception_count; i++) {
        if (found->uses[i] > 0 || ++unused > UNUSED_MOST) continue;
        const double depth = 1000 * (double)r->exceptions[i].depth;
        char *limit = depth > 0 ? format_text(" of at most %g mm", depth) : copy_text("");
        warn("%s%s '%s' matches no finding%s", r->origins[i].where, r->origins[i].where[0] == '-' ? "" : ":",
             r->origins[i].what, limit);
        free(limit);
    }
    if (unused > UNUSED_MOST)
        warn("%u more entries match no finding: 'accepted' of --format json has them all, with 'findings': 0",
             unused - UNUSED_MOST);
    for (uint32_t i = 0; i < r->test_count; i++)
        if (r->tests[i].name && found->tests[i].pairs == 0)
            warn("test '%s' has nothing to compare%s", r->tests[i].name, test_hint(o, &r->tests[i]));
}
