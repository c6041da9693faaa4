/* Writes the report: the page made by cmake/embed.cmake (head and tail), between them the data. All lengths are metres.
 *
 *   <script type="application/json" id="report">
 *   { "format": "carom-report", "version": 3, "carom": "0.1.0", "up": "y",
 *     "unit": 0.001,                  to show lengths in
 *     "origin": [x, y, z],            the scene's origin: places and outlines in the blocks are relative to it
 *     "clearance": c, "tolerance": t, as asked for; tolerance 0 = the default of each pair
 *     "tests": how many have names, and so their own of both, "volumes": they were asked for,
 *     "group": { "by", "labels" },    as --group asked for, or null; "gathered" of a finding is the number of a label
 *     "pairs_total": n, "pairs_near": n, "failing": n, "ignored_parts": n, "meshes": how many,
 *     "files": [{ "path", "unit", "unit_assumed", "up", "up_assumed", "dropped_triangles", "dropped_points",
 *                 "notes": [text] }] }
 *   </script>
 *   <script type="application/x-carom-packed"> base64 of zlib </script> …
 *
 * The blocks are numbered in order. The last but one is JSON:
 *   { "list": the text of the list that --approved gave, or null,
 *     "parts": [{ "name", "file", "mesh", "class", "type", "storey" where known; "space": true of those }],
 *     "findings": [{ the fields of cli/check/finding_fields.c, as in the JSON of carom check, and besides
 *        "clearance" only for "clearance"; "gathered";
 *        "accepted": { "where", "what", "reason", "author", "date", "depth": no deeper than, or null }, only for those;
 *        "outline": { "block", "at", "segments" }, absent where there is none }],
 *     "resolved": [{ "id", "relation", "name_a", "name_b", "distance", "point_a", "point_b" }],
 *     "bounds": [{ "mesh": its number, -1 = around all; "model": its volume, null where not closed;
 *        "sphere": [x, y, z, r], "box": [center, half, rotation: ten numbers], "capsule": [a, b, r],
 *        "volumes" of sphere, axis-aligned box, box, capsule and hull; of the hull "points", "triangles", "block", "at"
 * }] } The last is a little-endian table: of each part float64 x, y, z of its place, then of each float32 x, y, z, w of
 * its rotation; then of each mesh nine words: points, triangles, block, at, float32 half the size of its box along each
 * axis, 1 where it is closed, and the exponent e.
 *
 * All others hold, at byte `at` of the unpacked block:
 *   - meshes: of each point three numbers, the differences to the point before in steps of 2^e, relative to the middle
 * of the mesh's box, to which the places of its parts are moved; of each corner the difference to the least number that
 *     no corner before had. Such numbers are written as page_bytes_signed does. A step is at most 2^-20 of the longest
 * side, so that no point is off by more than half the default tolerance of the mesh with itself;
 *   - outlines: float32 x, y, z of two points a segment; hulls: float32 x, y, z of points, then uint32 corners.
 * A block ends after the first of these that makes it longer than BLOCK_BYTES. The page unpacks one when it needs it.
 */
#include "page/report.h"

#include "check/baseline.h"
#include "check/bounding.h"
#include "check/commands.h"
#include "check/finding_fields.h"
#include "check/groups.h"
#include "check/output.h"
#include "check/rules.h"
#include "page/page.h"
#include "common/parallel.h"
#include "read/read.h"
#include "common/text.h"
#include "common/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char report_page_head[], report_page_tail[];
extern const size_t report_page_head_size, report_page_tail_size;

#define BLOCK_BYTES (1u << 18)
enum { MOST_BOUNDS = 2000 }; /* so many meshes have bounding volumes: those of findings first */

typedef struct place_in_block {
    uint32_t block, at;
} place_in_block;

typedef struct hull_in_block {
    place_in_block at;
    uint32_t points, triangles; /* 0: there is none */
} hull_in_block;

typedef struct report_page {
    page out;
    page_bytes open;   /* the block that is being filled */
    uint32_t blocks;   /* before it */
    page_bytes table;  /* the last block */
    uint32_t *bounded; /* meshes that have bounds, and the number of meshes for the whole */
    size_t bound_count;
    const scene *model;
    const findings *found;
    uint32_t *group_of; /* for each finding its group, or CM_NONE; NULL: none are asked for */
    cm_vec3 *middles;   /* of the boxes of the meshes */
    cm_vec3 origin;
    bounding *bounds;     /* of the meshes, and of the whole; without hulls once these are in blocks */
    hull_in_block *hulls; /* of the bounds */
    place_in_block *outlines;
    bounding_all around;         /* all parts whose meshes have come */
    size_t bounds_put;           /* of `bounded`, in turn */
    cm_tessellation *open_hulls; /* of those behind them */
    int threads;
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

/* --- blocks ------------------------------------------------------------------------------------------------------ */

static place_in_block next_place(const report_page *p) { return (place_in_block){p->blocks, (uint32_t)p->open.size}; }

static void end_item(report_page *p) {
    if (p->open.size < BLOCK_BYTES) return;
    page_put_packed(&p->out, &p->open);
    p->blocks++;
}

static void put_points(page_bytes *to, const cm_vec3 *points, size_t count, cm_vec3 from) {
    for (size_t i = 0; i < count; i++) {
        const cm_vec3 d = cm_sub(points[i], from);
        page_bytes_float(to, d.x), page_bytes_float(to, d.y), page_bytes_float(to, d.z);
    }
}

/* The exponent of the step in which a mesh of this size is written. */
static int step_exponent(cm_vec3 half) {
    int exponent = 0;
    frexp(2 * fmax(half.x, fmax(half.y, half.z)), &exponent); /* below 2^exponent */
    return exponent - 21;
}

static void put_mesh(report_page *p, uint32_t number) {
    const scene_mesh *mesh = &p->model->meshes[number];
    const cm_vec3 *points = cm_mesh_points(mesh->mesh);
    const uint32_t point_count = cm_mesh_point_count(mesh->mesh), triangles = cm_mesh_triangle_count(mesh->mesh);
    const cm_vec3 half = cm_scale(cm_sub(mesh->info.bounds.max, mesh->info.bounds.min), CM_REAL(0.5));
    const int exponent = step_exponent(half);
    const place_in_block at = next_place(p);
    int32_t before[3] = {0, 0, 0};
    for (uint32_t i = 0; i < point_count; i++) {
        const cm_vec3 d = cm_sub(points[i], p->middles[number]);
        const double along[3] = {d.x, d.y, d.z};
        for (int k = 0; k < 3; k++) {
            const int32_t now = (int32_t)lround(ldexp(along[k], -exponent));
            page_bytes_signed(&p->open, now - before[k]);
            before[k] = now;
        }
    }
    uint32_t least = 0; /* that no corner had */
    for (uint32_t i = 0; i < triangles; i++) {
        uint32_t corners[3];
        cm_mesh_corners(mesh->mesh, i, corners);
        for (int c = 0; c < 3; c++) {
            page_bytes_signed(&p->open, (int32_t)(least - corners[c]));
            if (corners[c] >= least) least = corners[c] + 1;
        }
    }
    const uint32_t words[4] = {point_count, triangles, at.block, at.at};
    for (int k = 0; k < 4; k++) page_bytes_u32(&p->table, words[k]);
    page_bytes_float(&p->table, half.x), page_bytes_float(&p->table, half.y), page_bytes_float(&p->table, half.z);
    page_bytes_u32(&p->table, mesh->info.solid);
    page_bytes_u32(&p->table, (uint32_t)exponent);
    end_item(p);
}

/* Where the parts stand. */
static void put_places(report_page *p) {
    const scene *model = p->model;
    for (uint32_t i = 0; i < model->part_count; i++) {
        const scene_part *part = &model->parts[i];
        const cm_vec3 at = cm_sub(cm_pose_apply(&part->pose, p->middles[part->mesh]), p->origin);
        page_bytes_double(&p->table, at.x), page_bytes_double(&p->table, at.y), page_bytes_double(&p->table, at.z);
    }
    for (uint32_t i = 0; i < model->part_count; i++) {
        const cm_quat q = model->parts[i].pose.rotation;
        page_bytes_float(&p->table, q.x), page_bytes_float(&p->table, q.y);
        page_bytes_float(&p->table, q.z), page_bytes_float(&p->table, q.w);
    }
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *part_json(const report_page *p, const scene_part *part, bool space) {
    json_t *out = json_pack("{s:o,s:I,s:I}", "name", page_text(part->name), "file", (json_int_t)part->file, "mesh",
                            (json_int_t)part->mesh);
    static const char *const keys[] = {"class", "type", "storey"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = part_property(p->model, part, keys[i]);
        if (text && *text) json_object_set_new(out, keys[i], page_text(text));
    }
    if (space) json_object_set_new(out, "space", json_boolean(true));
    return out;
}

/* A finding of the baseline that is there no more; its parts need not be either. */
static json_t *resolved_json(const baseline *b, uint32_t number) {
    const cm_finding *f = &b->findings[number];
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "id", json_sprintf("%016llx", (unsigned long long)f->id),
                     "relation", cm_finding_text(f), "name_a", page_text(b->names[f->part_a]), "name_b",
                     page_text(b->names[f->part_b]), "distance", page_real(f->result.distance), "point_a",
                     page_point(f->result.point_a), "point_b", page_point(f->result.point_b));
}

/* Why a finding is accepted: where that is said, of what, and by whom. */
static json_t *accepted_json(const findings *f, const cm_finding *one) {
    const rules_origin *origin = rules_origin_of(f, one);
    const double depth = f->rules->exceptions[one->allowed].depth;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "where", page_text(origin->where), "what",
                     page_text(origin->what), "reason", page_text(origin->reason), "author", page_text(origin->author),
                     "date", page_text(origin->date), "depth", depth > 0 ? json_real(depth) : json_null());
}

/* The fields that the table has, and what only the page needs. */
static json_t *page_finding_json(const report_page *p, size_t number) {
    const cm_finding *f = &p->found->list.findings[number];
    json_t *out = finding_json(p->found, number);
    if (out && f->kind == CM_FINDING_CLEARANCE)
        json_object_set_new(out, "clearance", page_real(rules_clearance(p->found, number)));
    if (out && f->allowed != CM_NONE) json_object_set_new(out, "accepted", accepted_json(p->found, f));
    if (out && p->group_of && p->group_of[number] != CM_NONE)
        json_object_set_new(out, "gathered", json_integer(p->group_of[number]));
    if (out && f->outline_segments) {
        const place_in_block at = p->outlines[number];
        json_object_set_new(out, "outline",
                            json_pack("{s:I,s:I,s:I}", "block", (json_int_t)at.block, "at", (json_int_t)at.at,
                                      "segments", (json_int_t)f->outline_segments));
    }
    return out;
}

/* What the places of a bounding volume are relative to. */
static cm_vec3 origin_of_bounds(const report_page *p, uint32_t i) {
    return i < p->model->mesh_count ? p->middles[i] : p->origin;
}

static json_t *bounds_json(const report_page *p, size_t i) {
    const bounding *b = &p->bounds[i];
    const bool whole = p->bounded[i] == p->model->mesh_count;
    const hull_in_block *hull = &p->hulls[i];
    if (hull->points == 0) return NULL;
    cm_vec3 from = origin_of_bounds(p, p->bounded[i]), sphere = cm_sub(b->sphere.center, from);
    cm_vec3 box = cm_sub(b->obb.center, from), half = b->obb.half, first = cm_sub(b->capsule.a, from);
    cm_vec3 second = cm_sub(b->capsule.b, from);
    cm_quat q = b->obb.rotation;
    json_t *out = json_pack("{s:I, s:o, s:[ffff], s:[ffffffffff], s:[fffffff], s:I, s:I, s:I, s:I}", "mesh",
                            whole ? (json_int_t)-1 : (json_int_t)p->bounded[i], "model",
                            b->model < 0 ? json_null() : json_real(b->model), "sphere", sphere.x, sphere.y, sphere.z,
                            b->sphere.radius, "box", box.x, box.y, box.z, half.x, half.y, half.z, q.x, q.y, q.z, q.w,
                            "capsule", first.x, first.y, first.z, second.x, second.y, second.z, b->capsule.radius,
                            "points", (json_int_t)hull->points, "triangles", (json_int_t)hull->triangles, "block",
                            (json_int_t)hull->at.block, "at", (json_int_t)hull->at.at);
    json_t *volumes = json_array();
    for (int kind = 0; kind < BOUNDING_KINDS; kind++) json_array_append_new(volumes, page_real(b->volumes[kind]));
    json_object_set_new(out, "volumes", volumes);
    return out;
}

/* What findings are gathered by, and what the groups are called: in the page's own words where both sides are one. */
static json_t *group_json(const report_page *p) {
    const groups *g = p->found->groups;
    json_t *labels = json_array();
    char **names = short_names(p->model);
    for (uint32_t i = 0; i < g->list.count; i++) {
        char *a = group_side_a(g, &g->list.groups[i], names);
        char *b = group_side_b(g, &g->list.groups[i], &p->found->list, names);
        char *label = !*b || strcmp(a, b) == 0 ? copy_text(a) : format_text("%s × %s", a, b);
        json_array_append_new(labels, page_text(label));
        free(label), free(a), free(b);
    }
    for (uint32_t i = 0; i < p->model->part_count; i++) free(names[i]);
    free(names);
    return json_pack("{s:o, s:o}", "by", page_text(g->by), "labels", labels);
}

static void find_groups(report_page *p) {
    const groups *g = p->found->groups;
    if (!g) return;
    p->group_of = allocate(p->found->list.count, sizeof *p->group_of);
    for (size_t i = 0; i < p->found->list.count; i++) p->group_of[i] = CM_NONE;
    for (uint32_t i = 0; i < g->list.count; i++)
        for (uint32_t k = 0; k < g->list.groups[i].count; k++)
            p->group_of[g->list.members[g->list.groups[i].first + k]] = i;
}

/* Of a rules file, or of several --between: each has its own tolerance and clearance. */
static uint32_t named_tests(const rules *r) {
    uint32_t named = 0;
    for (uint32_t i = 0; r && i < r->test_count; i++) named += r->tests[i].name != NULL;
    return named;
}

static void put_header(report_page *p) {
    const scene *model = p->model;
    const findings *found = p->found;
    const char up[2] = {model->up ? model->up : 'z', 0};
    cm_aabb box;
    page_put_text(&p->out, "<script type=\"application/json\" id=\"report\">\n{");
    page_put_field(&p->out, "format", json_string("carom-report"));
    page_put_field(&p->out, "version", json_integer(3));
    page_put_field(&p->out, "carom", json_string(cm_version()));
    page_put_field(&p->out, "up", json_string(up));
    page_put_field(&p->out, "unit", json_real(unit_to_show(scene_bounds(model, &box)).metres));
    page_put_field(&p->out, "origin", page_point(p->origin));
    page_put_field(&p->out, "clearance", json_real(found->clearance));
    page_put_field(&p->out, "tolerance", json_real(found->tolerance));
    page_put_field(&p->out, "tests", json_integer(named_tests(found->rules)));
    page_put_field(&p->out, "volumes", json_boolean(found->volumes));
    page_put_field(&p->out, "group", found->groups ? group_json(p) : json_null());
    page_put_field(&p->out, "pairs_total", json_integer((json_int_t)found->list.pairs_total));
    page_put_field(&p->out, "pairs_near", json_integer((json_int_t)found->list.pairs_near));
    page_put_field(&p->out, "failing", json_integer((json_int_t)found->list.failing));
    page_put_field(&p->out, "ignored_parts", json_integer((json_int_t)model->ignored_parts));
    page_put_field(&p->out, "meshes", json_integer((json_int_t)model->mesh_count));
    page_open_array(&p->out, "files");
    for (uint32_t i = 0; i < model->file_count; i++) {
        page_put_text(&p->out, i ? ",\n" : "\n");
        page_put_json(&p->out, file_json(&model->files[i]));
    }
    page_put_text(&p->out, "]}\n</script>\n");
}

/* One object of a list; NULL: nothing. */
static void put_item(page *to, json_t *item, bool *any) {
    if (!item) return;
    page_put_text(to, *any ? ",\n" : "\n");
    page_put_json(to, item);
    *any = true;
}

/* The lists; what they refer to is in blocks that were put before. */
static void put_lists(report_page *p) {
    const scene *model = p->model;
    const findings *found = p->found;
    page *to = &p->out;
    bool any = false;
    page_put_text(to, "{");
    page_put_field(to, "list", found->rules && found->rules->list ? page_text(found->rules->list) : json_null());
    page_open_array(to, "parts");
    cm_check_part *parts = check_parts_of(model);
    for (uint32_t i = 0; i < model->part_count && !to->error; i++)
        put_item(to, part_json(p, &model->parts[i], cm_check_selects(rules_spaces, &parts[i])), &any);
    free(parts);
    page_put_text(to, "],\n");
    page_open_array(to, "findings");
    any = false;
    for (size_t i = 0; i < found->list.count && !to->error; i++) put_item(to, page_finding_json(p, i), &any);
    page_put_text(to, "],\n");
    page_open_array(to, "resolved");
    any = false;
    for (uint32_t i = 0; found->before && i < found->before->count; i++)
        if (!found->before->persists[i]) put_item(to, resolved_json(found->before, i), &any);
    page_put_text(to, "],\n");
    page_open_array(to, "bounds");
    any = false;
    for (size_t i = 0; i < p->bound_count; i++) put_item(to, bounds_json(p, i), &any);
    page_put_text(to, "]}");
}

/* --- what the lists refer to ------------------------------------------------------------------------------------- */

static void put_outlines(report_page *p) {
    const cm_check_result *found = &p->found->list;
    p->outlines = allocate(found->count, sizeof *p->outlines);
    for (size_t i = 0; i < found->count && !p->out.error; i++) {
        const cm_finding *f = &found->findings[i];
        if (f->outline_segments == 0) continue;
        p->outlines[i] = next_place(p);
        put_points(&p->open, f->outline, 2 * f->outline_segments, p->origin);
        end_item(p);
    }
}

static void find_hull(const bounding *b, cm_tessellation *out) {
    *out = (cm_tessellation){0};
    if (!b->hull) return;
    const cm_shape hull = cm_make_hull(b->hull);
    if (cm_shape_tessellate(&hull, NULL, NULL, out) == CM_OK) return;
    complain(EXIT_INTERNAL, "out of memory");
    exit(EXIT_INTERNAL);
}

/* The hull of bounds, which are then without. */
static void put_hull(report_page *p, size_t i, cm_tessellation *hull) {
    if (p->bounds[i].hull)
        p->hulls[i] = (hull_in_block){next_place(p), (uint32_t)hull->point_count, (uint32_t)hull->triangle_count};
    put_points(&p->open, hull->points, hull->point_count, origin_of_bounds(p, p->bounded[i]));
    for (size_t k = 0; k < 3 * (size_t)hull->triangle_count; k++) page_bytes_u32(&p->open, hull->indices[k]);
    end_item(p);
    cm_hull_destroy(p->bounds[i].hull, NULL);
    p->bounds[i].hull = NULL;
    cm_tessellation_destroy(hull, NULL);
}

static void find_bounds_of(void *argument, int index, int worker) {
    (void)worker;
    report_page *p = argument;
    bounding *b = &p->bounds[p->bounds_put + (size_t)index];
    *b = bounding_of_mesh(&p->model->meshes[p->bounded[p->bounds_put + (size_t)index]]);
    find_hull(b, &p->open_hulls[index]);
}

/* Of meshes that are there as many as have few bounds to be found at once: each into a block, and then its hull.
 * Returns where the next begin. */
enum { MOST_HULLS = 64, MOST_TRIANGLES = 1 << 14 };
static uint32_t put_some_meshes(report_page *p, uint32_t first, uint32_t end) {
    cm_tessellation hulls[MOST_HULLS];
    size_t count = 0, done = 0;
    uint64_t triangles = 0;
    while (p->bounds_put + count + 1 < p->bound_count && p->bounded[p->bounds_put + count] < end) {
        const uint32_t mesh = p->bounded[p->bounds_put + count++];
        triangles += p->model->meshes[mesh].source_triangles;
        if (count == MOST_HULLS || triangles > MOST_TRIANGLES) end = mesh + 1;
    }
    p->open_hulls = hulls;
    run_in_parallel(p->threads, count, find_bounds_of, p);
    for (uint32_t i = first; i < end; i++) {
        bounding_all_add(&p->around, i);
        put_mesh(p, i);
        if (done == count || p->bounded[p->bounds_put] != i) continue;
        put_hull(p, p->bounds_put++, &hulls[done++]);
    }
    return end;
}

static void take_meshes(void *user, uint32_t first, uint32_t end) {
    report_page *p = user;
    while (first < end && !p->out.error) first = put_some_meshes(p, first, end);
}

/* The last of the bounds is around all. */
static void put_meshes(report_page *p, mesh_stream *meshes) {
    const size_t last = p->bound_count - 1;
    cm_tessellation hull;
    bounding_all_start(&p->around, p->model);
    if (meshes)
        meshes->each(meshes, take_meshes, p);
    else
        take_meshes(p, 0, p->model->mesh_count);
    p->bounds[last] = bounding_all_end(&p->around);
    find_hull(&p->bounds[last], &hull);
    put_hull(p, last, &hull);
}

static void put_blocks(report_page *p, mesh_stream *meshes) {
    put_places(p);
    put_meshes(p, meshes);
    put_outlines(p);
    if (p->open.size > 0) page_put_packed(&p->out, &p->open);
    page_open_packed(&p->out);
    put_lists(p);
    page_close_packed(&p->out);
    page_put_packed(&p->out, &p->table);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static cm_vec3 middle_of(const cm_aabb *box) {
    cm_vec3 none = cm_v(0, 0, 0);
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z)) return none;
    return cm_aabb_center(box);
}

/* The middles of the meshes, and the origin: the middle of the box around the middles of all parts. */
static void find_middles(report_page *p) {
    const scene *model = p->model;
    p->middles = allocate(model->mesh_count, sizeof *p->middles);
    for (uint32_t i = 0; i < model->mesh_count; i++) p->middles[i] = middle_of(&model->meshes[i].info.bounds);
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < model->part_count; i++) {
        const scene_part *part = &model->parts[i];
        box = cm_aabb_add_point(box, cm_pose_apply(&part->pose, p->middles[part->mesh]));
    }
    p->origin = middle_of(&box);
}

/* Which meshes get bounding volumes: all, or, where they are many, first those of findings. Ascending; then the whole.
 */
static void choose_bounded(report_page *p) {
    const scene *model = p->model;
    const cm_check_result *found = &p->found->list;
    bool *chosen = allocate(model->mesh_count, sizeof *chosen);
    uint32_t count = 0;
    for (size_t i = 0; i < found->count; i++) {
        const uint32_t parts[2] = {found->findings[i].part_a, found->findings[i].part_b};
        for (int k = 0; k < 2; k++) {
            bool *one = &chosen[model->parts[parts[k]].mesh];
            if (*one || count >= MOST_BOUNDS) continue;
            *one = true, count++;
        }
    }
    for (uint32_t i = 0; i < model->mesh_count && count < MOST_BOUNDS; i++) count += !chosen[i], chosen[i] = true;
    p->bounded = allocate(count + 1u, sizeof *p->bounded);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (chosen[i]) p->bounded[p->bound_count++] = i;
    p->bounded[p->bound_count++] = model->mesh_count;
    p->bounds = allocate(p->bound_count, sizeof *p->bounds), p->hulls = allocate(p->bound_count, sizeof *p->hulls);
    free(chosen);
}

static void free_page(report_page *p) {
    free(p->group_of);
    free(p->bounds);
    free(p->hulls);
    free(p->bounded);
    free(p->outlines);
    free(p->open.bytes);
    free(p->table.bytes);
    free(p->middles);
}

bool report_can_write(const char *path, char *message, size_t size) { return page_can_write(path, message, size); }

bool report_write(const char *path, const scene *model, mesh_stream *meshes, const findings *found, int threads,
                  char *message, size_t size) {
    const page_frame frame = {report_page_head, report_page_tail, report_page_head_size, report_page_tail_size};
    report_page p = {.model = model, .found = found, .threads = threads};
    page_open(&p.out, path, &frame);
    find_middles(&p);
    choose_bounded(&p);
    find_groups(&p);
    put_header(&p);
    put_blocks(&p, meshes);
    free_page(&p);
    return page_close(&p.out, path, message, size);
}
