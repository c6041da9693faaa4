/* SARIF 2.1.0: see handover.h. Models have no lines; the first stands for the whole file, as readers of SARIF want one.
 * What is resolved is not in it: some readers would take a result that is "absent" for one that is there. */
#include "check/handover.h"

#include "check/baseline.h"
#include "check/rules.h"
#include "common/text.h"
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

/* A path as a URI: relative as it is given, or file://. free() it. */
static char *uri_of_path(const char *path) {
    text_buffer t = {0};
    text_add(&t, "%s", *path == '/' ? "file://" : "");
    for (const char *at = path; *at; at++) {
        const bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                           strchr("-._~/", *at);
        text_add(&t, plain ? "%c" : "%%%02X", (unsigned char)*at);
    }
    return t.bytes;
}

static json_t *location_json(const scene *s, uint32_t number) {
    const scene_part *part = &s->parts[number];
    char *uri = uri_of_path(s->files[part->file].path);
    json_t *out = json_pack("{s:{s:{s:s}, s:{s:i}}, s:[{s:o, s:s}]}", "physicalLocation", "artifactLocation", "uri",
                            uri, "region", "startLine", 1, "logicalLocations", "fullyQualifiedName",
                            page_text(part->name), "kind", "object");
    free(uri);
    return out;
}

/* The same relation at the same distance, to what the pair's tolerance tells apart. */
static const char *state_of(const findings *f, size_t number) {
    const cm_finding *now = &f->list.findings[number];
    const uint32_t before = f->before->before_of[number];
    if (before == CM_NONE) return "new";
    const cm_finding *then = &f->before->findings[before];
    const double change = fabs(now->result.distance - then->result.distance);
    return now->kind == then->kind && change <= now->result.tolerance ? "unchanged" : "updated";
}

/* What does not fail is a note, unless its test says that it is graver. */
static const char *level_of(const findings *f, size_t number) {
    const char *severity = rules_severity(f, number);
    if (f->list.findings[number].fails) return "error";
    return strcmp(severity, "warning") == 0 ? severity : "note";
}

static json_t *result_json(const scene *s, const findings *f, size_t number) {
    const cm_finding *one = &f->list.findings[number];
    char *sentence = finding_sentence(s, one), id[20], line[24];
    snprintf(id, sizeof id, "%016llx", (unsigned long long)one->id);
    snprintf(line, sizeof line, "%s:1", id);
    const bool tests = rules_are_tests(f);
    json_t *related = location_json(s, one->part_b);
    json_object_set_new(related, "id", json_integer(1));
    json_t *out =
        json_pack("{s:o, s:i, s:s, s:{s:o}, s:[o], s:[o], s:{s:s, s:s}}", "ruleId",
                  tests ? page_text(rules_test_name(f, number)) : json_string(cm_finding_kind_text(one->kind)),
                  "ruleIndex", tests ? (int)one->test : (int)one->kind, "level", level_of(f, number), "message", "text",
                  page_text(sentence), "locations", location_json(s, one->part_a), "relatedLocations", related,
                  "partialFingerprints", "caromFinding/v1", id, "primaryLocationLineHash", line);
    if (one->allowed != CM_NONE) {
        char *by = rules_accepted_by(f, one);
        json_object_set_new(out, "suppressions",
                            json_pack("[{s:s, s:o}]", "kind", "external", "justification", page_text(by)));
        free(by);
    }
    if (f->before) json_object_set_new(out, "baselineState", json_string(state_of(f, number)));
    free(sentence);
    return out;
}

static json_t *tests_json(const findings *f) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->rules->test_count; i++) {
        const char *name = f->rules->tests[i].name, *text = f->rules->descriptions[i];
        json_array_append_new(list, json_pack("{s:o, s:{s:o}}", "id", page_text(name), "shortDescription", "text",
                                              page_text(*text ? text : name)));
    }
    return list;
}

static json_t *kinds_json(void) {
    static const char *const texts[CM_FINDING_KIND_COUNT] = {
        "Two parts cross by more than the tolerance.", "One part lies in the other.",
        "Two parts are identical, each within the tolerance of the other.",
        "Two parts touch, and overlap by no more than the tolerance.", "Two parts are nearer than the clearance."};
    json_t *list = json_array();
    for (int kind = 0; kind < CM_FINDING_KIND_COUNT; kind++)
        json_array_append_new(list, json_pack("{s:s, s:{s:s}}", "id", cm_finding_kind_text((cm_finding_kind)kind),
                                              "shortDescription", "text", texts[kind]));
    return list;
}

bool sarif_write(const char *path, const scene *s, const findings *f, char *message, size_t size) {
    static const page_frame frame = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
    page out;
    page_open(&out, path, &frame);
    page_put_text(&out, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                        "sarif-schema-2.1.0.json\",\n\"version\":\"2.1.0\",\n"
                        "\"runs\":[{\"tool\":");
    page_put_json(&out, json_pack("{s:{s:s, s:s, s:o}}", "driver", "name", "carom", "version", cm_version(), "rules",
                                  rules_are_tests(f) ? tests_json(f) : kinds_json()));
    page_put_text(&out, ",\n\"columnKind\":\"utf16CodeUnits\",\n");
    page_open_array(&out, "results");
    for (size_t i = 0; i < f->list.count && !out.error; i++) {
        page_put_text(&out, i ? ",\n" : "\n");
        page_put_json(&out, result_json(s, f, i));
    }
    page_put_text(&out, "]}]}\n");
    return page_close(&out, path, message, size);
}
