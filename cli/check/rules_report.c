/* What rules say of findings, and what came of them: see rules.h. */
#include "check/rules.h"

#include "check/findings.h"
#include "check/handover.h"
#include "common/text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

const char *const rules_default_names[RULES_DEFAULTS] = {"spaces", "same-product", "parent-child"};

/* --- of a finding ------------------------------------------------------------------------------------------------ */

/* The test that found it; NULL where there are none. */
static const cm_check_test *test_of(const findings *f, size_t number) {
    return f->rules->test_count > 0 ? &f->rules->tests[f->list.findings[number].test] : NULL;
}

bool rules_are_tests(const findings *f) { return f->rules->test_count > 0 && f->rules->tests[0].name; }
bool rules_look_for(const findings *f, cm_finding_kind kind) {
    if (kind != CM_FINDING_TOUCHING) return true;
    if (f->rules->of_a_file && f->rules->test_count > 0) return true; /* of a test whose kind has it */
    return f->fail_on == CM_FAIL_TOUCHING || f->fail_on == CM_FAIL_CLEARANCE;
}

const char *rules_test_name(const findings *f, size_t number) {
    const cm_check_test *test = test_of(f, number);
    return test && test->name ? test->name : "";
}

const char *rules_severity(const findings *f, size_t number) {
    const cm_check_test *test = test_of(f, number);
    return cm_check_severity_text(test ? test->severity : CM_SEVERITY_ERROR);
}

double rules_clearance(const findings *f, size_t number) {
    const cm_check_test *test = test_of(f, number);
    return test && test->clearance > 0 ? test->clearance : f->clearance;
}

const rules_origin *rules_origin_of(const findings *f, const cm_finding *one) {
    return one->allowed == CM_NONE ? NULL : &f->rules->origins[one->allowed];
}

const char *rules_reason(const findings *f, size_t number) {
    const rules_origin *origin = rules_origin_of(f, &f->list.findings[number]);
    return origin ? origin->reason : "";
}

char *rules_accepted_by(const findings *f, const cm_finding *one) {
    const rules_origin *origin = rules_origin_of(f, one);
    text_buffer t = {0};
    text_add(&t, "%s", origin->where);
    if (*origin->reason) text_add(&t, ": %s", origin->reason);
    if (*origin->author) text_add(&t, " (%s, %s)", origin->author, origin->date);
    return t.bytes;
}

/* --- of the whole ------------------------------------------------------------------------------------------------ */

static json_t *text_or_null(const char *text) { return text && *text ? json_string(text) : json_null(); }

json_t *rules_tests_json(const findings *f) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->rules->test_count; i++) {
        const cm_check_test *test = &f->rules->tests[i];
        const cm_check_test_result *r = &f->list.tests[i];
        json_array_append_new(
            list,
            json_pack("{s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I}", "name",
                      text_or_null(test->name), "description", text_or_null(f->rules->descriptions[i]), "kind",
                      cm_check_test_kind_text(test->kind), "severity", cm_check_severity_text(test->severity), "a",
                      text_or_null(test->a), "b", text_or_null(test->b), "tolerance",
                      test->tolerance > 0 ? json_real(test->tolerance) : json_null(), "clearance",
                      test->clearance > 0 ? json_real(test->clearance) : json_null(), "parts_a", (json_int_t)r->parts_a,
                      "parts_b", (json_int_t)r->parts_b, "pairs", (json_int_t)r->pairs, "findings",
                      (json_int_t)r->findings, "allowed", (json_int_t)r->allowed, "failing", (json_int_t)r->failing));
    }
    return list;
}

/* How many parts or near pairs a default left out. */
static uint64_t left_out_by(const findings *f, unsigned which) {
    if (which == RULES_SPACES) return f->spaces_left_out;
    return which == RULES_SAME_PRODUCT ? f->list.skipped_product : f->list.skipped_parent;
}

json_t *rules_defaults_json(const findings *f) {
    json_t *out = json_object();
    for (unsigned i = 0; i < RULES_DEFAULTS; i++)
        json_object_set_new(out, rules_default_names[i],
                            json_pack("{s:b, s:I}", "left_out", !(f->rules->also & 1u << i),
                                      1u << i == RULES_SPACES ? "parts" : "near_pairs",
                                      (json_int_t)left_out_by(f, 1u << i)));
    return out;
}

json_t *rules_spaces_json(unsigned also, const scene *s) {
    return json_pack("{s:{s:b, s:I}}", rules_default_names[0], "left_out", !(also & RULES_SPACES), "parts",
                     (json_int_t)s->left_out);
}

json_t *rules_accepted_json(const findings *f) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->rules->exception_count; i++) {
        const rules_origin *origin = &f->rules->origins[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o, s:o, s:o, s:I}", "where", origin->where, "what", origin->what,
                                        "reason", text_or_null(origin->reason), "author", text_or_null(origin->author),
                                        "date", text_or_null(origin->date), "findings", (json_int_t)f->list.uses[i]));
    }
    return list;
}

static int compare_note_ids(const void *a, const void *b) {
    const rules_note *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

const rules_note *rules_note_by_id(const rules *r, uint64_t id) {
    const rules_note key = {.id = id};
    return r->note_count > 0 ? bsearch(&key, r->notes, r->note_count, sizeof key, compare_note_ids) : NULL;
}

const rules_note *rules_note_of(const findings *f, const cm_finding *one) {
    return one->allowed == CM_NONE ? rules_note_by_id(f->rules, one->id) : NULL;
}

json_t *rules_notes_json(const findings *f) {
    json_t *list = json_array();
    for (size_t i = 0; i < f->list.count; i++) {
        const rules_note *note = rules_note_of(f, &f->list.findings[i]);
        if (!note) continue;
        const rules_origin *said = &note->said;
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "where", said->where, "id", said->what,
                                        "status", note->fix ? "fix" : "open", "comment", text_or_null(said->reason),
                                        "author", text_or_null(said->author), "date", text_or_null(said->date)));
    }
    return list;
}

/* "pipes through walls: hard, 12 x 40 parts: 3 findings, 1 allowed." */
static void print_tests(const findings *f) {
    for (uint32_t i = 0; i < f->rules->test_count; i++) {
        const cm_check_test *test = &f->rules->tests[i];
        const cm_check_test_result *r = &f->list.tests[i];
        if (!test->name) continue;
        printf("%s: ", test->name);
        if (f->rules->of_a_file)
            printf("%s, %s, ", cm_check_test_kind_text(test->kind), cm_check_severity_text(test->severity));
        printf("%u x %u parts, %llu pair%s: %zu finding%s", r->parts_a, r->parts_b, (unsigned long long)r->pairs,
               plural(r->pairs), r->findings, plural(r->findings));
        if (r->allowed > 0) printf(", %zu allowed", r->allowed);
        printf("%s.\n", r->pairs == 0 ? "; nothing was compared" : "");
    }
}

const char *rules_spaces_words(uint64_t count) { return count == 1 ? "space or opening" : "spaces and openings"; }

static void print_defaults(const findings *f) {
    static const char *const of[] = {NULL, "of one product", "of parent and child"}; /* near pairs */
    bool any = false;
    for (unsigned i = 0; i < RULES_DEFAULTS; i++) {
        const uint64_t count = left_out_by(f, 1u << i);
        if (count == 0) continue;
        printf("%s%llu ", any ? ", " : "Not compared by default: ", (unsigned long long)count);
        if (of[i])
            printf("near pair%s %s", plural(count), of[i]);
        else
            printf("%s", rules_spaces_words(count));
        printf(" (--also %s)", rules_default_names[i]);
        any = true;
    }
    if (any) printf(".\n");
}

void rules_print_spaces(const char *what, const scene *s) {
    if (s->left_out > 0)
        printf("Not %s by default: %u %s (--also spaces).\n", what, s->left_out, rules_spaces_words(s->left_out));
}

static bool is_said(const findings *f, uint32_t i) {
    const rules_origin *origin = &f->rules->origins[i];
    return f->list.uses[i] > 0 && (*origin->reason || origin->approved);
}

static bool says_the_same(const rules_origin *a, const rules_origin *b) {
    return a->approved && b->approved && strcmp(a->reason, b->reason) == 0 && strcmp(a->author, b->author) == 0 &&
           strcmp(a->date, b->date) == 0;
}

/* A line an entry; entries of a list that follow one another and say the same are one. */
static void print_accepted(const findings *f) {
    for (uint32_t i = 0, next; i < f->rules->exception_count; i = next) {
        const rules_origin *origin = &f->rules->origins[i];
        next = i + 1;
        if (!is_said(f, i)) continue;
        uint32_t count = f->list.uses[i], more = 0;
        for (; next < f->rules->exception_count && says_the_same(origin, &f->rules->origins[next]); next++)
            if (is_said(f, next)) count += f->list.uses[next], more++;
        printf("Allowed by %s", origin->where);
        if (more > 0) printf(" and %u more", more);
        printf(", %u finding%s: %s", count, plural(count), origin->reason);
        if (*origin->author) printf(" (%s, %s)", origin->author, origin->date);
        printf(".\n");
    }
}

/* A line for each of the first findings of which something is said: the order is that of the table. */
static void print_notes(const scene *s, const findings *f) {
    enum { MOST = 20 };
    size_t count = 0;
    for (size_t i = 0; i < f->list.count; i++) {
        const rules_note *note = rules_note_of(f, &f->list.findings[i]);
        if (!note || ++count > MOST) continue;
        char *sentence = finding_sentence(s, &f->list.findings[i]);
        printf("%s by %s, %s: %s", note->fix ? "To fix" : "Open", note->said.where, sentence, note->said.reason);
        if (*note->said.author) printf(" (%s, %s)", note->said.author, note->said.date);
        printf(".\n");
        free(sentence);
    }
    if (count > MOST) printf("Of %zu more findings something is said (JSON and the page tell all).\n", count - MOST);
}

void rules_print(const scene *s, const findings *f) {
    print_tests(f);
    print_accepted(f);
    print_notes(s, f);
    print_defaults(f);
}
