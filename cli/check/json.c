/* JSON: what programs read. docs/guide/json-schema.md describes every field; a change that could break a reader gets a
 * new number in "schema". No times are in it: equal inputs give equal bytes. */
#include "check/baseline.h"
#include "check/finding_fields.h"
#include "check/groups.h"
#include "check/left_out.h"
#include "check/output.h"
#include "check/rules.h"

#include "common/text.h"

#include <jansson.h>

#include <stdlib.h>

/* Numbers with 17 digits: exactly the doubles that were computed. */
void json_print(json_t *root) {
    if (!root || json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) != 0) {
        complain(EXIT_INTERNAL, ferror(stdout) ? "the output cannot be written" : "the JSON cannot be made");
        exit(EXIT_INTERNAL);
    }
    putchar('\n');
    json_decref(root);
}

json_t *json_length(double metres) { return metres < CM_REAL_MAX ? json_real(metres + 0.0) : json_null(); }

json_t *json_point(cm_vec3 p) { return json_pack("[fff]", p.x + 0.0, p.y + 0.0, p.z + 0.0); }

json_t *json_box(const cm_aabb *box) {
    if (!(box->min.x <= box->max.x)) return json_null();
    return json_pack("{s:o, s:o}", "min", json_point(box->min), "max", json_point(box->max));
}

json_t *json_bounding(const bounding *b, bounding_kind kind) {
    cm_hull_info info;
    cm_quat q = b->obb.rotation;
    json_t *out = NULL;
    switch (kind) {
    case BOUNDING_SPHERE:
        out = json_pack("{s:o, s:f}", "center", json_point(b->sphere.center), "radius", b->sphere.radius);
        break;
    case BOUNDING_AABB:
        out = json_box(&b->aabb);
        break;
    case BOUNDING_OBB:
        out = json_pack("{s:o, s:o, s:[ffff]}", "center", json_point(b->obb.center), "half", json_point(b->obb.half),
                        "rotation", q.x + 0.0, q.y + 0.0, q.z + 0.0, q.w);
        break;
    case BOUNDING_CAPSULE:
        out = json_pack("{s:o, s:o, s:f}", "a", json_point(b->capsule.a), "b", json_point(b->capsule.b), "radius",
                        b->capsule.radius);
        break;
    case BOUNDING_HULL:
    case BOUNDING_KINDS:
        cm_hull_get_info(b->hull, &info);
        out = json_pack("{s:I, s:I}", "vertices", (json_int_t)info.vertices, "faces", (json_int_t)info.faces);
        break;
    }
    double empty = bounding_empty(b, kind);
    json_object_set_new(out, "volume", json_real(b->volumes[kind]));
    json_object_set_new(out, "empty", empty < 0 ? json_null() : json_real(empty));
    return out;
}

json_t *json_files(const scene *s) {
    json_t *files = json_array();
    for (uint32_t i = 0; i < s->file_count; i++) {
        const scene_file *file = &s->files[i];
        char up[2] = {file->up, 0};
        json_t *notes = json_array();
        for (uint32_t k = 0; k < file->note_count; k++) json_array_append_new(notes, json_string(file->notes[k]));
        json_array_append_new(
            files, json_pack("{s:s, s:s, s:f, s:b, s:s, s:b, s:i, s:i, s:i, s:o, s:o}", "path", file->path, "format",
                             file->format, "unit_metres", file->unit, "unit_assumed", file->unit_assumed, "up", up,
                             "up_assumed", file->up_assumed, "parts", (int)file->part_count, "dropped_triangles",
                             (int)file->dropped_triangles, "dropped_points_and_lines", (int)file->dropped_points,
                             "notes", notes, "left_out", left_out_json(file)));
    }
    return files;
}

static json_t *json_parts(const scene *s) {
    json_t *parts = json_array();
    for (uint32_t i = 0; i < s->part_count; i++) {
        const scene_part *part = &s->parts[i];
        const scene_mesh *mesh = &s->meshes[part->mesh];
        json_t *one = json_pack("{s:s, s:i, s:i, s:i, s:b, s:i}", "name", part->name, "file", (int)part->file, "mesh",
                                (int)part->mesh, "triangles", (int)mesh->source_triangles, "solid", mesh->info.solid,
                                "closed_t_junctions", (int)mesh->closed_junctions);
        const char *id = part_property(s, part, "id"), *kind = part_property(s, part, "class");
        if (id) json_object_set_new(one, "id", json_string(id));
        if (kind) json_object_set_new(one, "class", json_string(kind));
        json_array_append_new(parts, one);
    }
    return parts;
}

static json_t *json_id(uint64_t id) { return json_sprintf("%016llx", (unsigned long long)id); }

static json_t *json_resolved(const baseline *b) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < b->count; i++) {
        const cm_finding *f = &b->findings[i];
        if (b->persists[i]) continue;
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:s, s:s, s:o, s:o, s:o}", "id", json_id(f->id), "relation",
                                        cm_finding_text(f), "part_a", b->names[f->part_a], "part_b",
                                        b->names[f->part_b], "distance", json_length(f->result.distance), "point_a",
                                        json_point(f->result.point_a), "point_b", json_point(f->result.point_b)));
    }
    return list;
}

/* What is new since the baseline, and what is not any more. */
static json_t *json_baseline(const char *path, const baseline *b, bool fail_on_new) {
    return json_pack("{s:o, s:b, s:I, s:I, s:I, s:o}", "path", json_string(path), "fail_on_new", fail_on_new, "new",
                     (json_int_t)b->fresh, "persisting", (json_int_t)b->persisting, "resolved", (json_int_t)b->resolved,
                     "resolved_findings", json_resolved(b));
}

static json_t *json_options(const options *o, const findings *f) {
    static const char *const levels[] = {"", "none", "crossing", "touching", "clearance"};
    json_t *between = o->between_count == 1
                          ? json_pack("[oo]", json_string(o->between[0].first), json_string(o->between[0].second))
                          : json_null();
    return json_pack("{s:o, s:o, s:s, s:o, s:i}", "tolerance", f->tolerance > 0 ? json_real(f->tolerance) : json_null(),
                     "clearance", f->clearance > 0 ? json_real(f->clearance) : json_null(), "fail_on",
                     f->rules->of_a_file && f->fail_on != CM_FAIL_NEVER ? "rules" : levels[f->fail_on], "between",
                     between ? between : json_null(), "ignore_patterns", (int)o->read.ignore_count);
}

static json_t *json_counts(const scene *s, const findings *f) {
    return json_pack("{s:i, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "parts", (int)s->part_count,
                     "ignored_parts", (int)s->ignored_parts, "pairs", (json_int_t)f->list.pairs_total, "near_pairs",
                     (json_int_t)f->list.pairs_near, "crossing", (json_int_t)f->list.kinds[CM_FINDING_CROSSING],
                     "inside", (json_int_t)f->list.kinds[CM_FINDING_INSIDE], "identical",
                     (json_int_t)f->list.kinds[CM_FINDING_IDENTICAL], "touching",
                     (json_int_t)f->list.kinds[CM_FINDING_TOUCHING], "clearance",
                     (json_int_t)f->list.kinds[CM_FINDING_CLEARANCE], "allowed", (json_int_t)f->list.allowed, "failing",
                     (json_int_t)f->list.failing);
}

void write_check_json(const scene *s, const options *o, const findings *f) {
    json_t *list = json_array();
    for (size_t i = 0; i < f->list.count; i++) json_array_append_new(list, finding_json(f, i));
    char up[2] = {s->up, 0};
    json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "schema", "carom-check-1", "carom",
                             cm_version(), "unit", "m", "up", up, "files", json_files(s), "options", json_options(o, f),
                             "counts", json_counts(s, f), "parts", json_parts(s), "findings", list);
    json_object_set_new(root, "tests", rules_tests_json(f));
    json_object_set_new(root, "defaults", rules_defaults_json(f));
    json_object_set_new(root, "accepted", rules_accepted_json(f));
    json_object_set_new(root, "notes", rules_notes_json(f));
    if (f->before) json_object_set_new(root, "baseline", json_baseline(o->baseline, f->before, o->fail_on_new));
    if (f->groups) json_object_set_new(root, "groups", groups_json(s, f->groups));
    json_print(root);
}
