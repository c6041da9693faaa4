/* Writes the report: the page made by cmake/embed.cmake (head and tail), between them the data.
 *
 * The data are one JSON block and, after it, binary buffers in base64. All lengths are metres.
 *
 *   <script type="application/json" id="report">
 *   { "format": "carom-report", "version": 1, "carom": "0.1.0", "up": "y",
 *     "unit": 0.001,                  to show lengths in, metres
 *     "origin": [x, y, z],            the scene's origin: poses, outlines in the buffer are relative to it
 *     "clearance": c, "tolerance": t, as asked for; tolerance 0 = the default of each pair
 *     "pairs_total": n, "pairs_near": n, "failing": n, "ignored_parts": n,
 *     "bytes": n,                     size of the buffers joined
 *     "files": [{ "path", "unit", "unit_assumed", "up", "up_assumed", "dropped_triangles", "dropped_points", "notes":
 * [text] }], "meshes": [{ "points", "triangles", "points_at", "corners_at", "solid" }], "parts": [{ "name", "file",
 * "mesh", "pose": [x, y, z, qx, qy, qz, qw] }], "findings": [{ "a", "b",        parts "relation": "crossing" | "inside"
 * | "identical" | "touching" | "clearance", "inner": "a" | "b",          only for "inside" "distance", > 0 gap, <= 0
 * minus the depth; null where not measured "tolerance", "point_a": [x, y, z], "point_b", "crossings", "surface_a",
 * "surface_b", "thin_a", "thin_b", "allowed", "allowed_by": why, only for those; "clearance" only for "clearance";
 * "test", "severity" where there are tests; "outline": { "at", "segments", "bounds": [low, high] }   absent where there
 * is none }] } "bounds": [null | { "model", its volume, null where not closed; "sphere": [x, y, z, r], "box": [center,
 * half, rotation: ten numbers], "capsule": [a, b, r], "volumes" of sphere, axis-aligned box, box, capsule and hull; the
 * hull's "points", "triangles", "points_at", "corners_at" }]   one a mesh, about the middle of its box, then one around
 * all
 *   </script>
 *   <script type="application/x-carom-buffer"> base64 </script> …
 *
 * The buffers are to be joined in order and are little-endian: for each mesh float32 x, y, z of its points relative to
 * the middle of its box (to which the poses of its parts are moved), then uint32 corners of its triangles; for each
 * finding with an outline float32 x, y, z of two points a segment; for each of the bounds the hull's points and
 * corners. Subtracting the middles keeps float32 exact enough where a model lies far from its origin. */
#include "page/report.h"

#include "check/baseline.h"
#include "check/bounding.h"
#include "check/output.h"
#include "check/rules.h"
#include "page/page.h"
#include "common/parallel.h"
#include "read/read.h"
#include "common/text.h"
#include "common/units.h"

#include <errno.h>
#include <stdlib.h>

extern const unsigned char report_page_head[], report_page_tail[];
extern const size_t report_page_head_size, report_page_tail_size;

typedef struct report_page {
    page out;
    const scene *model;
    const findings *found;
    cm_vec3 *middles; /* of the boxes of the meshes */
    cm_vec3 origin;
    bounding *bounds;       /* of the meshes, and of the whole */
    cm_tessellation *hulls; /* of the bounds */
} report_page;

static json_t *file_json(const scene_file *file) {
    json_t *notes = json_array();
    for (uint32_t i = 0; i < file->note_count; i++) json_array_append_new(notes, page_text(file->notes[i]));
    char up[2] = {file->up, 0};
    return json_pack("{s:o,s:f,s:b,s:o,s:b,s:I,s:I,s:o}", "path", page_text(file->path), "unit", file->unit,
                     "unit_assumed", file->unit_assumed, "up", page_text(up), "up_assumed", file->up_assumed,
                     "dropped_triangles", (json_int_t)file->dropped_triangles, "dropped_points",
                     (json_int_t)file->dropped_points, "notes", notes);
}

static json_t *mesh_json(report_page *p, const scene_mesh *mesh) {
    json_int_t points = cm_mesh_point_count(mesh->mesh), triangles = cm_mesh_triangle_count(mesh->mesh);
    json_int_t points_at = (json_int_t)p->out.at, corners_at = points_at + 12 * points;
    p->out.at = (uint64_t)(corners_at + 12 * triangles);
    return json_pack("{s:I,s:I,s:I,s:I,s:b}", "points", points, "triangles", triangles, "points_at", points_at,
                     "corners_at", corners_at, "solid", mesh->info.solid);
}

static json_t *part_json(const report_page *p, const scene_part *part) {
    cm_vec3 at = cm_sub(cm_pose_apply(&part->pose, p->middles[part->mesh]), p->origin);
    cm_quat q = part->pose.rotation;
    json_t *out =
        json_pack("{s:o,s:I,s:I,s:[o,o,o,o,o,o,o]}", "name", page_text(part->name), "file", (json_int_t)part->file,
                  "mesh", (json_int_t)part->mesh, "pose", page_real(at.x), page_real(at.y), page_real(at.z),
                  page_real(q.x), page_real(q.y), page_real(q.z), page_real(q.w));
    static const char *const keys[] = {"class", "type", "storey"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = part_property(p->model, part, keys[i]);
        if (text && *text) json_object_set_new(out, keys[i], page_text(text));
    }
    return out;
}

/* Which lies in the other. */
static void put_inner(json_t *out, const cm_finding *f) {
    const cm_relation r = f->result.relation;
    if (out && (r == CM_RELATION_A_IN_B || r == CM_RELATION_B_IN_A))
        json_object_set_new(out, "inner", json_string(r == CM_RELATION_A_IN_B ? "a" : "b"));
}

/* A finding of the baseline that is there no more; its parts need not be either. */
static json_t *resolved_json(const baseline *b, uint32_t number) {
    const cm_finding *f = &b->findings[number];
    json_t *out =
        json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "id", json_sprintf("%016llx", (unsigned long long)f->id),
                  "relation", cm_finding_kind_text(f->kind), "name_a", page_text(b->names[f->part_a]), "name_b",
                  page_text(b->names[f->part_b]), "distance", page_real(f->result.distance), "point_a",
                  page_point(f->result.point_a), "point_b", page_point(f->result.point_b));
    put_inner(out, f);
    return out;
}

static json_t *finding_json(report_page *p, size_t number) {
    const cm_finding *f = &p->found->list.findings[number];
    const cm_relation_result *r = &f->result;
    json_t *out =
        json_pack("{s:I,s:I,s:s,s:o,s:o,s:o,s:o,s:I,s:b,s:b,s:b,s:b,s:b}", "a", (json_int_t)f->part_a, "b",
                  (json_int_t)f->part_b, "relation", cm_finding_kind_text(f->kind), "distance", page_real(r->distance),
                  "tolerance", page_real(r->tolerance), "point_a", page_point(r->point_a), "point_b",
                  page_point(r->point_b), "crossings", (json_int_t)r->crossings, "surface_a", r->surface_a, "surface_b",
                  r->surface_b, "thin_a", r->thin_a, "thin_b", r->thin_b, "allowed", f->allowed != CM_NONE);
    if (out) json_object_set_new(out, "id", json_sprintf("%016llx", (unsigned long long)f->id));
    if (out && *baseline_status(p->found, number))
        json_object_set_new(out, "status", json_string(baseline_status(p->found, number)));
    put_inner(out, f);
    if (out && rules_are_tests(p->found)) {
        json_object_set_new(out, "test", page_text(rules_test_name(p->found, number)));
        json_object_set_new(out, "severity", json_string(rules_severity(p->found, number)));
    }
    if (out && f->kind == CM_FINDING_CLEARANCE)
        json_object_set_new(out, "clearance", page_real(rules_clearance(p->found, number)));
    if (out && f->allowed != CM_NONE) {
        char *by = rules_accepted_by(p->found, f);
        json_object_set_new(out, "allowed_by", page_text(by));
        free(by);
    }
    if (out && f->outline_segments) {
        json_object_set_new(out, "outline",
                            json_pack("{s:I,s:I,s:[o,o]}", "at", (json_int_t)p->out.at, "segments",
                                      (json_int_t)f->outline_segments, "bounds", page_point(f->outline_box.min),
                                      page_point(f->outline_box.max)));
        p->out.at += 24 * (uint64_t)f->outline_segments;
    }
    return out;
}

/* What the places of a bounding volume are relative to. */
static cm_vec3 origin_of_bounds(const report_page *p, uint32_t i) {
    return i < p->model->mesh_count ? p->middles[i] : p->origin;
}

static json_t *bounds_json(report_page *p, uint32_t i) {
    const bounding *b = &p->bounds[i];
    if (!b->hull) return json_null();
    cm_vec3 from = origin_of_bounds(p, i), sphere = cm_sub(b->sphere.center, from), box = cm_sub(b->obb.center, from);
    cm_vec3 half = b->obb.half, first = cm_sub(b->capsule.a, from), second = cm_sub(b->capsule.b, from);
    cm_quat q = b->obb.rotation;
    json_int_t points = p->hulls[i].point_count, triangles = p->hulls[i].triangle_count;
    json_int_t points_at = (json_int_t)p->out.at, corners_at = points_at + 12 * points;
    p->out.at = (uint64_t)(corners_at + 12 * triangles);
    json_t *out = json_pack("{s:o, s:[ffff], s:[ffffffffff], s:[fffffff], s:I, s:I, s:I, s:I}", "model",
                            b->model < 0 ? json_null() : json_real(b->model), "sphere", sphere.x, sphere.y, sphere.z,
                            b->sphere.radius, "box", box.x, box.y, box.z, half.x, half.y, half.z, q.x, q.y, q.z, q.w,
                            "capsule", first.x, first.y, first.z, second.x, second.y, second.z, b->capsule.radius,
                            "points", points, "triangles", triangles, "points_at", points_at, "corners_at", corners_at);
    json_t *volumes = json_array();
    for (int kind = 0; kind < BOUNDING_KINDS; kind++) json_array_append_new(volumes, page_real(b->volumes[kind]));
    json_object_set_new(out, "volumes", volumes);
    return out;
}

static void put_metadata(report_page *p) {
    const scene *model = p->model;
    const findings *found = p->found;
    const char up[2] = {model->up ? model->up : 'z', 0};
    cm_aabb box;
    page_put_text(&p->out, "<script type=\"application/json\" id=\"report\">\n{");
    page_put_field(&p->out, "format", json_string("carom-report"));
    page_put_field(&p->out, "version", json_integer(1));
    page_put_field(&p->out, "carom", json_string(cm_version()));
    page_put_field(&p->out, "up", json_string(up));
    page_put_field(&p->out, "unit", json_real(unit_to_show(scene_bounds(model, &box)).metres));
    page_put_field(&p->out, "origin", page_point(p->origin));
    page_put_field(&p->out, "clearance", json_real(found->clearance));
    page_put_field(&p->out, "tolerance", json_real(found->tolerance));
    page_put_field(&p->out, "pairs_total", json_integer((json_int_t)found->list.pairs_total));
    page_put_field(&p->out, "pairs_near", json_integer((json_int_t)found->list.pairs_near));
    page_put_field(&p->out, "failing", json_integer((json_int_t)found->list.failing));
    page_put_field(&p->out, "ignored_parts", json_integer((json_int_t)model->ignored_parts));
    page_open_array(&p->out, "files");
    for (uint32_t i = 0; i < model->file_count; i++) {
        page_put_text(&p->out, i ? ",\n" : "\n");
        page_put_json(&p->out, file_json(&model->files[i]));
    }
    page_put_text(&p->out, "],\n");
    page_open_array(&p->out, "meshes");
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        page_put_text(&p->out, i ? ",\n" : "\n");
        page_put_json(&p->out, mesh_json(p, &model->meshes[i]));
    }
    page_put_text(&p->out, "],\n");
    page_open_array(&p->out, "parts");
    for (uint32_t i = 0; i < model->part_count; i++) {
        page_put_text(&p->out, i ? ",\n" : "\n");
        page_put_json(&p->out, part_json(p, &model->parts[i]));
    }
    page_put_text(&p->out, "],\n");
    page_open_array(&p->out, "findings");
    for (size_t i = 0; i < found->list.count && !p->out.error; i++) {
        page_put_text(&p->out, i ? ",\n" : "\n");
        page_put_json(&p->out, finding_json(p, i));
    }
    page_put_text(&p->out, "],\n");
    page_open_array(&p->out, "resolved");
    for (uint32_t i = 0, any = 0; found->before && i < found->before->count; i++) {
        if (found->before->persists[i]) continue;
        page_put_text(&p->out, any++ ? ",\n" : "\n");
        page_put_json(&p->out, resolved_json(found->before, i));
    }
    page_put_text(&p->out, "],\n");
    page_open_array(&p->out, "bounds");
    for (uint32_t i = 0; i <= model->mesh_count; i++) {
        page_put_text(&p->out, i ? ",\n" : "\n");
        page_put_json(&p->out, bounds_json(p, i));
    }
    page_put_text(&p->out, "],\n\"bytes\":");
    page_put_json(&p->out, json_integer((json_int_t)p->out.at));
    page_put_text(&p->out, "}\n</script>\n");
}

/* --- the buffers, in the order in which the metadata gave away their offsets ------------------------------------- */

static void put_buffers(report_page *p) {
    for (uint32_t i = 0; i < p->model->mesh_count && !p->out.error; i++) {
        const cm_mesh *mesh = p->model->meshes[i].mesh;
        const cm_vec3 *points = cm_mesh_points(mesh);
        uint32_t point_count = cm_mesh_point_count(mesh), triangle_count = cm_mesh_triangle_count(mesh);
        for (uint32_t k = 0; k < point_count; k++) page_put_from(&p->out, points[k], p->middles[i]);
        for (uint32_t k = 0; k < triangle_count && !p->out.error; k++) {
            uint32_t corners[3];
            cm_mesh_corners(mesh, k, corners);
            for (int c = 0; c < 3; c++) page_put_u32(&p->out, corners[c]);
        }
    }
    for (size_t i = 0; i < p->found->list.count && !p->out.error; i++) {
        const cm_finding *f = &p->found->list.findings[i];
        for (size_t k = 0; k < 2 * f->outline_segments; k++) page_put_from(&p->out, f->outline[k], p->origin);
    }
    for (uint32_t i = 0; i <= p->model->mesh_count && !p->out.error; i++) {
        const cm_tessellation *hull = &p->hulls[i];
        cm_vec3 from = origin_of_bounds(p, i);
        for (uint32_t k = 0; k < hull->point_count; k++) page_put_from(&p->out, hull->points[k], from);
        for (size_t k = 0; k < 3 * (size_t)hull->triangle_count; k++) page_put_u32(&p->out, hull->indices[k]);
    }
    page_close_blocks(&p->out);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static cm_vec3 middle_of(const cm_aabb *box) {
    cm_vec3 none = cm_v(0, 0, 0);
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z)) return none;
    return cm_aabb_center(box);
}

/* The middles of the meshes, and the origin: the middle of the box around the middles of all parts. */
static bool find_middles(report_page *p) {
    const scene *model = p->model;
    p->middles = malloc((model->mesh_count ? model->mesh_count : 1) * sizeof *p->middles);
    if (!p->middles) return false;
    for (uint32_t i = 0; i < model->mesh_count; i++) p->middles[i] = middle_of(&model->meshes[i].info.bounds);
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < model->part_count; i++) {
        const scene_part *part = &model->parts[i];
        box = cm_aabb_add_point(box, cm_pose_apply(&part->pose, p->middles[part->mesh]));
    }
    p->origin = middle_of(&box);
    return true;
}

static void find_bounds_of(void *argument, int index, int worker) {
    (void)worker;
    report_page *p = argument;
    uint32_t i = (uint32_t)index;
    p->bounds[i] = i < p->model->mesh_count ? bounding_of_mesh(&p->model->meshes[i]) : bounding_of_scene(p->model);
    if (!p->bounds[i].hull) return;
    cm_shape hull = cm_make_hull(p->bounds[i].hull);
    if (cm_shape_tessellate(&hull, NULL, NULL, &p->hulls[i]) == CM_OK) return;
    complain(EXIT_INTERNAL, "out of memory");
    exit(EXIT_INTERNAL);
}

static void find_bounds(report_page *p, int threads) {
    size_t count = p->model->mesh_count + 1u;
    p->bounds = allocate(count, sizeof *p->bounds), p->hulls = allocate(count, sizeof *p->hulls);
    run_in_parallel(threads, count, find_bounds_of, p);
}

static void free_bounds(report_page *p) {
    for (uint32_t i = 0; i <= p->model->mesh_count && p->bounds; i++) {
        bounding_free(&p->bounds[i]);
        cm_tessellation_destroy(&p->hulls[i], NULL);
    }
    free(p->bounds);
    free(p->hulls);
}

bool report_can_write(const char *path, char *message, size_t size) { return page_can_write(path, message, size); }

bool report_write(const char *path, const scene *model, const findings *found, int threads, char *message,
                  size_t size) {
    const page_frame frame = {report_page_head, report_page_tail, report_page_head_size, report_page_tail_size};
    report_page p = {.model = model, .found = found};
    page_open(&p.out, path, &frame);
    if (!p.out.error && !find_middles(&p)) p.out.error = ENOMEM;
    if (!p.out.error) {
        find_bounds(&p, threads);
        put_metadata(&p);
        put_buffers(&p);
    }
    free_bounds(&p);
    free(p.middles);
    return page_close(&p.out, path, message, size);
}
