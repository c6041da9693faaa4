/* The table of a finding's fields: see finding_fields.h. */
#include "check/finding_fields.h"

#include "check/baseline.h"
#include "check/output.h"
#include "check/rules.h"
#include "page/page.h"

#include <stddef.h>

const char *baseline_status(const findings *f, size_t number) {
    if (!f->before) return "";
    return f->before->before_of[number] == CM_NONE ? "new" : "persisting";
}

static const char *relation_field(const findings *f, size_t number) {
    return cm_finding_text(&f->list.findings[number]);
}
static const char *allowed_field(const findings *f, size_t number) {
    return f->list.findings[number].allowed != CM_NONE ? "true" : "";
}

#define AT(member) offsetof(cm_finding, member), NULL

const finding_field finding_fields[] = {
    {"relation", "relation", FINDING_TEXT, 0, relation_field},
    {"part_a", "part_a", FINDING_PART, AT(part_a)},
    {"part_b", "part_b", FINDING_PART, AT(part_b)},
    {"distance", "distance_m", FINDING_LENGTH, AT(result.distance)},
    {"tolerance", "tolerance_m", FINDING_LENGTH, AT(result.tolerance)},
    {"point_a", "point_a", FINDING_POINT, AT(result.point_a)},
    {"point_b", "point_b", FINDING_POINT, AT(result.point_b)},
    {"triangle_a", NULL, FINDING_TRIANGLE, AT(result.triangle_a)},
    {"triangle_b", NULL, FINDING_TRIANGLE, AT(result.triangle_b)},
    {"crossings", "crossings", FINDING_COUNT, AT(result.crossings)},
    {"outline_box", NULL, FINDING_BOX, AT(outline_box)},
    {"surface_a", "surface_a", FINDING_FLAG, AT(result.surface_a)},
    {"surface_b", "surface_b", FINDING_FLAG, AT(result.surface_b)},
    {"thin_a", "thin_a", FINDING_FLAG, AT(result.thin_a)},
    {"thin_b", "thin_b", FINDING_FLAG, AT(result.thin_b)},
    {"allowed", "allowed", FINDING_FLAG, 0, allowed_field},
    {"fails", "fails", FINDING_FLAG, AT(fails)},
    {"id", "id", FINDING_ID, AT(id)},
    {"id_a", NULL, FINDING_ID, AT(id_a)},
    {"id_b", NULL, FINDING_ID, AT(id_b)},
    {"status", "status", FINDING_TEXT, 0, baseline_status},
    {"test", "test", FINDING_TEXT, 0, rules_test_name},
    {"severity", "severity", FINDING_TEXT, 0, rules_severity},
    {"reason", "reason", FINDING_TEXT, 0, rules_reason},
    {"crossing_length", "crossing_length_m", FINDING_LENGTH, AT(crossing_length)},
    {"crossing_extent", "crossing_extent_m", FINDING_LENGTH, AT(crossing_extent)},
    {"volume", "volume_m3", FINDING_VOLUME, AT(common.volume)},
    {"volume_error", "volume_error_m3", FINDING_VOLUME, AT(common.error)},
};
const size_t finding_field_count = sizeof finding_fields / sizeof finding_fields[0];

bool finding_field_is_empty(const findings *all, size_t number, const finding_field *field) {
    if (field->type == FINDING_VOLUME) return !all->list.findings[number].common_known;
    return field->type == FINDING_TEXT && !*field->text(all, number);
}

static json_t *json_triangle(uint32_t triangle) { return triangle == CM_NONE ? json_null() : json_integer(triangle); }

static json_t *json_field(const findings *all, size_t number, const finding_field *field) {
    const void *at = (const char *)&all->list.findings[number] + field->offset;
    switch (field->type) {
    case FINDING_TEXT:
        return page_text(field->text(all, number));
    case FINDING_PART:
        return json_integer(*(const uint32_t *)at);
    case FINDING_LENGTH:
        return json_length(*(const cm_real *)at);
    case FINDING_POINT:
        return json_point(*(const cm_vec3 *)at);
    case FINDING_TRIANGLE:
        return json_triangle(*(const uint32_t *)at);
    case FINDING_COUNT:
        return json_integer((json_int_t)(*(const uint64_t *)at));
    case FINDING_FLAG:
        return json_boolean(field->text ? *field->text(all, number) != 0 : *(const bool *)at);
    case FINDING_BOX:
        return json_box(at);
    case FINDING_ID:
        return json_sprintf("%016llx", (unsigned long long)*(const uint64_t *)at);
    case FINDING_VOLUME:
        return json_real(*(const double *)at);
    }
    return json_null();
}

json_t *finding_json(const findings *all, size_t number) {
    json_t *out = json_object();
    for (size_t i = 0; i < finding_field_count; i++) {
        const finding_field *field = &finding_fields[i];
        if (finding_field_is_empty(all, number, field)) continue;
        json_object_set_new(out, field->name, json_field(all, number, field));
    }
    return out;
}
