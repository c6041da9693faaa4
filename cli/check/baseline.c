/* An earlier answer of carom check: see baseline.h. What it takes of the file is what tells findings apart. */
#include "check/baseline.h"

#include "check/commands.h"
#include "common/fields.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

/* --- reading ----------------------------------------------------------------------------------------------------- */

static void read_id(fields *f, const json_t *finding, const char *key, uint64_t *out) {
    const char *text = NULL;
    if (!fields_text(f, finding, key, &text)) {
        if (!f->code) fields_bad(f, "has no \"%s\"", key);
        return;
    }
    char *end = NULL;
    *out = strtoull(text, &end, 16);
    fields_enter(f, key);
    if (strlen(text) != 16 || *end || strspn(text, "0123456789abcdef") != 16)
        fields_bad(f, "is not 16 hexadecimal digits");
    fields_leave(f);
}

static void read_relation(fields *f, const json_t *finding, cm_finding *out) {
    static const struct {
        cm_relation relation;
        cm_finding_kind kind;
    } known[] = {{CM_RELATION_CROSSING, CM_FINDING_CROSSING}, {CM_RELATION_A_IN_B, CM_FINDING_INSIDE},
                 {CM_RELATION_B_IN_A, CM_FINDING_INSIDE},     {CM_RELATION_IDENTICAL, CM_FINDING_IDENTICAL},
                 {CM_RELATION_TOUCHING, CM_FINDING_TOUCHING}, {CM_RELATION_SEPARATED, CM_FINDING_CLEARANCE}};
    const char *text = "";
    fields_text(f, finding, "relation", &text);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        out->result.relation = known[i].relation, out->kind = known[i].kind;
        if (strcmp(cm_finding_text(out), text) == 0) return;
    }
    fields_enter(f, "relation");
    fields_bad(f, "'%s' is no relation", text);
    fields_leave(f);
}

static void read_part(fields *f, const json_t *finding, const char *key, uint32_t name_count, uint32_t *out) {
    if (!fields_count(f, finding, key, 0, name_count > 0 ? name_count - 1 : 0, out) || name_count == 0)
        fields_bad(f, "has no part \"%s\"", key);
}

static void read_box(fields *f, const json_t *finding, cm_aabb *out) {
    const json_t *box = fields_object(f, finding, "outline_box");
    if (!box) return;
    fields_enter(f, "outline_box");
    if (!fields_vector(f, box, "min", &out->min) || !fields_vector(f, box, "max", &out->max) ||
        !(out->min.x <= out->max.x && out->min.y <= out->max.y && out->min.z <= out->max.z))
        fields_bad(f, "is no box");
    fields_leave(f);
}

static void read_finding(fields *f, const json_t *value, uint32_t name_count, cm_finding *out) {
    const double most = (double)CM_COORD_MAX;
    double distance = (double)CM_REAL_MAX, tolerance = 0;
    *out = (cm_finding){.allowed = CM_NONE, .outline_box = cm_aabb_empty()};
    if (!json_is_object(value)) {
        fields_bad(f, "is not an object {...}");
        return;
    }
    read_relation(f, value, out);
    read_part(f, value, "part_a", name_count, &out->part_a);
    read_part(f, value, "part_b", name_count, &out->part_b);
    read_id(f, value, "id", &out->id);
    read_id(f, value, "id_a", &out->id_a);
    read_id(f, value, "id_b", &out->id_b);
    if (!json_is_null(json_object_get(value, "distance"))) fields_number(f, value, "distance", -most, most, &distance);
    fields_number(f, value, "tolerance", 0, most, &tolerance);
    if (!fields_vector(f, value, "point_a", &out->result.point_a) ||
        !fields_vector(f, value, "point_b", &out->result.point_b))
        fields_bad(f, "has no points");
    if (!json_is_null(json_object_get(value, "outline_box"))) read_box(f, value, &out->outline_box);
    out->result.distance = distance, out->result.tolerance = tolerance;
}

static void read_names(fields *f, const json_t *parts, baseline *out) {
    out->names = allocate(json_array_size(parts), sizeof *out->names);
    fields_enter(f, "parts");
    for (size_t i = 0; i < json_array_size(parts) && !f->code; i++) {
        const char *name = NULL;
        fields_enter_index(f, i);
        if (!fields_text(f, json_array_get(parts, i), "name", &name)) fields_bad(f, "has no \"name\"");
        fields_leave(f);
        if (name) out->names[out->name_count++] = clean_text(name, strlen(name));
    }
    fields_leave(f);
}

int baseline_read(const char *path, baseline *out) {
    fields f;
    *out = (baseline){.count = 0};
    json_t *root = fields_open(path, &f);
    const char *schema = "";
    if (root) fields_text(&f, root, "schema", &schema);
    if (!f.code && strcmp(schema, "carom-check-1") != 0)
        f.code = complain(EXIT_INPUT, "%s: is no answer of carom check --format json", path);
    const json_t *parts = root ? fields_array(&f, root, "parts") : NULL;
    const json_t *list = root ? fields_array(&f, root, "findings") : NULL;
    if (!f.code && (!parts || !list || json_array_size(list) >= UINT32_MAX))
        fields_bad(&f, "has no parts and findings");
    if (!f.code) read_names(&f, parts, out);
    if (!f.code) {
        out->findings = allocate(json_array_size(list), sizeof *out->findings);
        fields_enter(&f, "findings");
        for (size_t i = 0; i < json_array_size(list) && !f.code; i++) {
            fields_enter_index(&f, i);
            read_finding(&f, json_array_get(list, i), out->name_count, &out->findings[out->count++]);
            fields_leave(&f);
        }
        fields_leave(&f);
    }
    json_decref(root);
    fields_free(&f);
    return f.code;
}

/* --- comparing --------------------------------------------------------------------------------------------------- */

int baseline_compare(baseline *b, cm_check_result *now, bool fail_on_new) {
    b->before_of = allocate(now->count, sizeof *b->before_of);
    b->persists = allocate(b->count, sizeof *b->persists);
    const cm_status status = now->count < UINT32_MAX ? cm_check_compare(b->findings, b->count, now->findings,
                                                                        (uint32_t)now->count, NULL, b->before_of)
                                                     : CM_LIMIT;
    if (status != CM_OK) return complain(EXIT_INTERNAL, "comparing findings: %s", cm_status_text(status));
    for (size_t i = 0; i < now->count; i++) {
        cm_finding *f = &now->findings[i];
        if (b->before_of[i] == CM_NONE) {
            b->fresh++;
            continue;
        }
        b->persisting++;
        b->persists[b->before_of[i]] = true;
        if (!fail_on_new || !f->fails) continue;
        f->fails = false;
        now->failing--;
    }
    b->resolved = b->count - b->persisting;
    return 0;
}

void baseline_free(baseline *b) {
    for (uint32_t i = 0; i < b->name_count; i++) free(b->names[i]);
    free(b->names);
    free(b->findings);
    free(b->persists);
    free(b->before_of);
    *b = (baseline){.count = 0};
}
