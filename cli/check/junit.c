/* JUnit's XML: see handover.h. Names are clean text already; here they are escaped. No times are in it: equal inputs
 * give equal bytes. */
#include "check/handover.h"

#include "check/baseline.h"
#include "check/rules.h"
#include "common/text.h"
#include "page/page.h"

#include <stdlib.h>

static void put_escaped_xml(page *out, const char *text) {
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            page_put_text(out, entity);
        else
            page_put(out, text, 1);
    }
}

static void put_count(page *out, const char *name, size_t count) {
    char text[64];
    snprintf(text, sizeof text, " %s=\"%zu\"", name, count);
    page_put_text(out, text);
}

/* A suite is a test where there are any with names, else a kind of finding that was looked for. */
static int suite_total(const findings *f) {
    return rules_are_tests(f) ? (int)f->rules->test_count : CM_FINDING_KIND_COUNT;
}
static int suite_of(const findings *f, const cm_finding *one) {
    return rules_are_tests(f) ? (int)one->test : (int)one->kind;
}
static const char *suite_name(const findings *f, int suite) {
    return rules_are_tests(f) ? f->rules->tests[suite].name : cm_finding_kind_text((cm_finding_kind)suite);
}
static bool was_looked_for(const findings *f, int suite) {
    return rules_are_tests(f) || suite != CM_FINDING_CLEARANCE || f->clearance > 0;
}

/* A named test whose selectors leave no pair. */
static bool compared_nothing(const findings *f, int suite) {
    return rules_are_tests(f) && f->list.tests[suite].pairs == 0;
}

static void put_case(page *out, const scene *s, const findings *all, size_t number) {
    const cm_finding *f = &all->list.findings[number];
    const char *status = baseline_status(all, number);
    char *sentence = finding_sentence(s, f), id[20];
    snprintf(id, sizeof id, "%016llx", (unsigned long long)f->id);
    page_put_text(out, "    <testcase classname=\"carom.");
    put_escaped_xml(out, suite_name(all, suite_of(all, f)));
    page_put_text(out, "\" name=\"");
    put_escaped_xml(out, s->parts[f->part_a].name);
    page_put_text(out, " and ");
    put_escaped_xml(out, s->parts[f->part_b].name);
    page_put_text(out, "\">\n");
    if (f->fails) {
        page_put_text(out, "      <failure type=\"");
        page_put_text(out, cm_finding_text(f));
        page_put_text(out, "\" message=\"");
        put_escaped_xml(out, sentence);
        page_put_text(out, "\"/>\n");
    } else if (f->allowed != CM_NONE) {
        char *by = rules_accepted_by(all, f);
        page_put_text(out, "      <skipped message=\"");
        put_escaped_xml(out, by);
        page_put_text(out, "\"/>\n");
        free(by);
    }
    page_put_text(out, "      <system-out>");
    put_escaped_xml(out, sentence);
    page_put_text(out, "; id ");
    page_put_text(out, id);
    if (*status) page_put_text(out, "; "), page_put_text(out, status);
    if (rules_are_tests(all)) page_put_text(out, "; "), page_put_text(out, rules_severity(all, number));
    page_put_text(out, "</system-out>\n    </testcase>\n");
    free(sentence);
}

typedef struct suite_counts {
    size_t tests, failures, skipped;
} suite_counts;

static suite_counts count_suite(const findings *f, int suite) {
    suite_counts c = {0};
    for (size_t i = 0; i < f->list.count; i++) {
        const cm_finding *one = &f->list.findings[i];
        if (suite_of(f, one) != suite) continue;
        c.tests++;
        c.failures += one->fails;
        c.skipped += one->allowed != CM_NONE;
    }
    if (c.tests == 0) c.tests = 1, c.skipped = compared_nothing(f, suite); /* the one that says so */
    return c;
}

static void put_suite(page *out, const scene *s, const findings *f, int suite) {
    const suite_counts c = count_suite(f, suite);
    const char *name = suite_name(f, suite);
    bool any = false;
    page_put_text(out, "  <testsuite name=\"");
    put_escaped_xml(out, name);
    page_put_text(out, "\"");
    put_count(out, "tests", c.tests), put_count(out, "failures", c.failures), put_count(out, "errors", 0);
    put_count(out, "skipped", c.skipped);
    page_put_text(out, ">\n");
    for (size_t i = 0; i < f->list.count; i++) {
        if (suite_of(f, &f->list.findings[i]) != suite) continue;
        put_case(out, s, f, i);
        any = true;
    }
    if (!any) {
        page_put_text(out, "    <testcase classname=\"carom.");
        put_escaped_xml(out, name);
        page_put_text(out, compared_nothing(f, suite)
                               ? "\" name=\"nothing to compare\">\n      <skipped/>\n    </testcase>\n"
                               : "\" name=\"none found\"/>\n");
    }
    page_put_text(out, "  </testsuite>\n");
}

bool junit_write(const char *path, const scene *s, const findings *f, char *message, size_t size) {
    static const page_frame frame = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
    page out;
    suite_counts all = {0};
    for (int suite = 0; suite < suite_total(f); suite++) {
        if (!was_looked_for(f, suite)) continue;
        const suite_counts c = count_suite(f, suite);
        all.tests += c.tests, all.failures += c.failures;
    }
    page_open(&out, path, &frame);
    page_put_text(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"carom check\"");
    put_count(&out, "tests", all.tests), put_count(&out, "failures", all.failures), put_count(&out, "errors", 0);
    page_put_text(&out, ">\n"); /* Jenkins' schema has what is skipped at the suites alone */
    for (int suite = 0; suite < suite_total(f); suite++)
        if (was_looked_for(f, suite)) put_suite(&out, s, f, suite);
    page_put_text(&out, "</testsuites>\n");
    return page_close(&out, path, message, size);
}
