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
 * "surface_b", "thin_a", "thin_b", "allowed", "outline": { "at", "segments", "bounds": [low, high] }   absent where
 * there is none }] }
 *   </script>
 *   <script type="application/x-carom-buffer"> base64 </script> …
 *
 * The buffers are to be joined in order and are little-endian: for each mesh float32 x, y, z of its points relative to
 * the middle of its box (to which the poses of its parts are moved), then uint32 corners of its triangles; for each
 * finding with an outline float32 x, y, z of two points a segment. Subtracting the middles keeps float32 exact enough
 * where a model lies far from its origin.
 *
 * Nothing of a file's text can leave its block: in JSON every <, > and & is written as \u00xx, and all else that is not
 * ASCII as well. Text that is not UTF-8 is repaired. */
#include "report.h"

#include "output.h"
#include "read.h"
#include "units.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

extern const unsigned char report_page_head[], report_page_tail[];
extern const size_t report_page_head_size, report_page_tail_size;

#define BLOCK_BYTES                                                                                                    \
    (3u << 20) /* of binary a script element: a multiple of 3, small enough for any browser's parser                   \
                */
#define OPEN_BLOCK  "<script type=\"application/x-carom-buffer\">"
#define CLOSE_BLOCK "</script>\n"

typedef struct page {
    FILE *file;
    const scene *model;
    const findings *found;
    cm_vec3 *middles; /* of the boxes of the meshes */
    cm_vec3 origin;
    uint64_t at;  /* bytes of binary so far, while offsets are given away */
    size_t block; /* bytes of binary in the open block */
    int error;    /* errno of the first failure, 0 while all is well */
    uint8_t bytes[3];
    unsigned byte_count;
} page;

/* --- bytes ----------------------------------------------------------------------------------------------------- */

static void put(page *p, const void *bytes, size_t size) {
    if (p->error || !size) return;
    errno = 0;
    if (fwrite(bytes, 1, size, p->file) != size) p->error = errno ? errno : EIO;
}

static void put_text(page *p, const char *text) { put(p, text, strlen(text)); }

static void flush_base64(page *p) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!p->byte_count) return;
    for (unsigned i = p->byte_count; i < 3; i++) p->bytes[i] = 0;
    uint32_t bits = (uint32_t)p->bytes[0] << 16 | (uint32_t)p->bytes[1] << 8 | p->bytes[2];
    char out[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63], digits[bits & 63]};
    for (unsigned i = p->byte_count; i < 3; i++) out[i + 1] = '=';
    put(p, out, 4);
    p->byte_count = 0;
}

static void put_u32(page *p, uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
        if (!p->block && !p->byte_count) put_text(p, OPEN_BLOCK);
        p->bytes[p->byte_count++] = (uint8_t)(value >> shift);
        p->block++;
        if (p->byte_count == 3) flush_base64(p);
        if (p->block == BLOCK_BYTES) {
            put_text(p, CLOSE_BLOCK);
            p->block = 0;
        }
    }
}

static void close_blocks(page *p) {
    if (!p->block) return;
    flush_base64(p);
    put_text(p, CLOSE_BLOCK);
    p->block = 0;
}

/* A coordinate as float32; beyond its range the nearest that is in it. */
static void put_float(page *p, cm_real value) {
    const double most = (double)FLT_MAX;
    float narrow = (float)(value > most ? most : value < -most ? -most : value);
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_u32(p, bits);
}

static void put_point(page *p, cm_vec3 point, cm_vec3 from) {
    cm_vec3 d = cm_sub(point, from);
    put_float(p, d.x), put_float(p, d.y), put_float(p, d.z);
}

/* --- JSON ------------------------------------------------------------------------------------------------------ */

/* Length of the UTF-8 sequence at `s`, 0 where there is none. */
static size_t utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    size_t n = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
    if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
    return n;
}

/* Text for JSON; each byte that is no UTF-8 becomes the replacement character. */
static json_t *text_json(const char *text) {
    static const char replacement[] = "\xef\xbf\xbd";
    json_t *direct = json_string(text);
    if (direct) return direct;
    char *repaired = malloc(3 * strlen(text) + 1), *out = repaired;
    if (!repaired) return NULL;
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = utf8_length(s);
        memcpy(out, n ? (const void *)s : (const void *)replacement, n ? n : 3);
        out += n ? n : 3;
        s += n ? n : 1;
    }
    *out = 0;
    direct = json_string(repaired);
    free(repaired);
    return direct;
}

static json_t *real_json(double value) { return fabs(value) < CM_REAL_MAX ? json_real(value) : json_null(); }

static json_t *point_json(cm_vec3 v) { return json_pack("[o,o,o]", real_json(v.x), real_json(v.y), real_json(v.z)); }

static int put_escaped(const char *text, size_t size, void *user) {
    page *p = user;
    for (size_t from = 0, to; from < size; from = to) {
        for (to = from; to < size && text[to] != '<' && text[to] != '>' && text[to] != '&'; to++) {
        }
        put(p, text + from, to - from);
        if (to == size) break;
        put_text(p, text[to] == '<' ? "\\u003c" : text[to] == '>' ? "\\u003e" : "\\u0026");
        to++;
    }
    return p->error ? -1 : 0;
}

/* Writes the value and lets it go; NULL (no memory) is a failure of the page. */
static void put_json(page *p, json_t *value) {
    if (!value) {
        if (!p->error) p->error = ENOMEM;
        return;
    }
    if (!p->error && json_dump_callback(value, put_escaped, p, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY) &&
        !p->error)
        p->error = ENOMEM;
    json_decref(value);
}

static void put_field(page *p, const char *name, json_t *value) {
    put_text(p, "\"");
    put_text(p, name);
    put_text(p, "\":");
    put_json(p, value);
    put_text(p, ",\n");
}

static json_t *file_json(const scene_file *file) {
    json_t *notes = json_array();
    for (uint32_t i = 0; i < file->note_count; i++) json_array_append_new(notes, text_json(file->notes[i]));
    char up[2] = {file->up, 0};
    return json_pack("{s:o,s:f,s:b,s:o,s:b,s:I,s:I,s:o}", "path", text_json(file->path), "unit", file->unit,
                     "unit_assumed", file->unit_assumed, "up", text_json(up), "up_assumed", file->up_assumed,
                     "dropped_triangles", (json_int_t)file->dropped_triangles, "dropped_points",
                     (json_int_t)file->dropped_points, "notes", notes);
}

static json_t *mesh_json(page *p, const scene_mesh *mesh) {
    json_int_t points = cm_mesh_point_count(mesh->mesh), triangles = cm_mesh_triangle_count(mesh->mesh);
    json_int_t points_at = (json_int_t)p->at, corners_at = points_at + 12 * points;
    p->at = (uint64_t)(corners_at + 12 * triangles);
    return json_pack("{s:I,s:I,s:I,s:I,s:b}", "points", points, "triangles", triangles, "points_at", points_at,
                     "corners_at", corners_at, "solid", mesh->info.solid);
}

static json_t *part_json(const page *p, const scene_part *part) {
    cm_vec3 at = cm_sub(cm_pose_apply(&part->pose, p->middles[part->mesh]), p->origin);
    cm_quat q = part->pose.rotation;
    return json_pack("{s:o,s:I,s:I,s:[o,o,o,o,o,o,o]}", "name", text_json(part->name), "file", (json_int_t)part->file,
                     "mesh", (json_int_t)part->mesh, "pose", real_json(at.x), real_json(at.y), real_json(at.z),
                     real_json(q.x), real_json(q.y), real_json(q.z), real_json(q.w));
}

static const char *relation_word(const finding *f) {
    switch (f->result.relation) {
    case CM_RELATION_CROSSING:
        return "crossing";
    case CM_RELATION_A_IN_B:
    case CM_RELATION_B_IN_A:
        return "inside";
    case CM_RELATION_IDENTICAL:
        return "identical";
    case CM_RELATION_TOUCHING:
        return "touching";
    case CM_RELATION_SEPARATED:
    case CM_RELATION_NONE:
        break;
    }
    return "clearance";
}

static json_t *finding_json(page *p, const finding *f) {
    const cm_relation_result *r = &f->result;
    json_t *out = json_pack("{s:I,s:I,s:s,s:o,s:o,s:o,s:o,s:I,s:b,s:b,s:b,s:b,s:b}", "a", (json_int_t)f->part_a, "b",
                            (json_int_t)f->part_b, "relation", relation_word(f), "distance", real_json(r->distance),
                            "tolerance", real_json(r->tolerance), "point_a", point_json(r->point_a), "point_b",
                            point_json(r->point_b), "crossings", (json_int_t)r->crossings, "surface_a", r->surface_a,
                            "surface_b", r->surface_b, "thin_a", r->thin_a, "thin_b", r->thin_b, "allowed", f->allowed);
    if (out && (r->relation == CM_RELATION_A_IN_B || r->relation == CM_RELATION_B_IN_A))
        json_object_set_new(out, "inner", json_string(r->relation == CM_RELATION_A_IN_B ? "a" : "b"));
    if (out && f->outline_segments) {
        json_object_set_new(out, "outline",
                            json_pack("{s:I,s:I,s:[o,o]}", "at", (json_int_t)p->at, "segments",
                                      (json_int_t)f->outline_segments, "bounds", point_json(f->outline_bounds.min),
                                      point_json(f->outline_bounds.max)));
        p->at += 24 * (uint64_t)f->outline_segments;
    }
    return out;
}

/* Opens an array field; the items follow, each on its own line. */
static void open_array(page *p, const char *name) {
    put_text(p, "\"");
    put_text(p, name);
    put_text(p, "\":[");
}

static void put_metadata(page *p) {
    const scene *model = p->model;
    const findings *found = p->found;
    const char up[2] = {model->up ? model->up : 'z', 0};
    cm_aabb box;
    put_text(p, "<script type=\"application/json\" id=\"report\">\n{");
    put_field(p, "format", json_string("carom-report"));
    put_field(p, "version", json_integer(1));
    put_field(p, "carom", json_string(cm_version()));
    put_field(p, "up", json_string(up));
    put_field(p, "unit", json_real(unit_to_show(scene_bounds(model, &box)).metres));
    put_field(p, "origin", point_json(p->origin));
    put_field(p, "clearance", json_real(found->clearance));
    put_field(p, "tolerance", json_real(found->tolerance));
    put_field(p, "pairs_total", json_integer((json_int_t)found->pairs_total));
    put_field(p, "pairs_near", json_integer((json_int_t)found->pairs_near));
    put_field(p, "failing", json_integer((json_int_t)found->failing));
    put_field(p, "ignored_parts", json_integer((json_int_t)model->ignored_parts));
    open_array(p, "files");
    for (uint32_t i = 0; i < model->file_count; i++) {
        put_text(p, i ? ",\n" : "\n");
        put_json(p, file_json(&model->files[i]));
    }
    put_text(p, "],\n");
    open_array(p, "meshes");
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        put_text(p, i ? ",\n" : "\n");
        put_json(p, mesh_json(p, &model->meshes[i]));
    }
    put_text(p, "],\n");
    open_array(p, "parts");
    for (uint32_t i = 0; i < model->part_count; i++) {
        put_text(p, i ? ",\n" : "\n");
        put_json(p, part_json(p, &model->parts[i]));
    }
    put_text(p, "],\n");
    open_array(p, "findings");
    for (size_t i = 0; i < found->count && !p->error; i++) {
        put_text(p, i ? ",\n" : "\n");
        put_json(p, finding_json(p, &found->list[i]));
    }
    put_text(p, "],\n\"bytes\":");
    put_json(p, json_integer((json_int_t)p->at));
    put_text(p, "}\n</script>\n");
}

/* --- the buffers, in the order in which the metadata gave away their offsets ------------------------------------- */

static void put_buffers(page *p) {
    for (uint32_t i = 0; i < p->model->mesh_count && !p->error; i++) {
        const cm_mesh *mesh = p->model->meshes[i].mesh;
        const cm_vec3 *points = cm_mesh_points(mesh);
        uint32_t point_count = cm_mesh_point_count(mesh), triangle_count = cm_mesh_triangle_count(mesh);
        for (uint32_t k = 0; k < point_count; k++) put_point(p, points[k], p->middles[i]);
        for (uint32_t k = 0; k < triangle_count && !p->error; k++) {
            uint32_t corners[3];
            cm_mesh_corners(mesh, k, corners);
            for (int c = 0; c < 3; c++) put_u32(p, corners[c]);
        }
    }
    for (size_t i = 0; i < p->found->count && !p->error; i++) {
        const finding *f = &p->found->list[i];
        for (size_t k = 0; k < 2 * f->outline_segments; k++) put_point(p, f->outline[k], p->origin);
    }
    close_blocks(p);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static cm_vec3 middle_of(const cm_aabb *box) {
    cm_vec3 none = cm_v(0, 0, 0);
    if (!(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z)) return none;
    return cm_aabb_center(box);
}

/* The middles of the meshes, and the origin: the middle of the box around the middles of all parts. */
static bool find_middles(page *p) {
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

static void say(char *message, size_t size, const char *path, int error) {
    snprintf(message, size, "%s: cannot write the report: %s", path, strerror(error));
}

bool report_can_write(const char *path, char *message, size_t size) {
    struct stat there;
    bool existed = stat(path, &there) == 0;
    errno = 0;
    FILE *file = fopen(path, "ab");
    if (!file) {
        say(message, size, path, errno);
        return false;
    }
    fclose(file);
    if (!existed) remove(path);
    return true;
}

bool report_write(const char *path, const scene *model, const findings *found, char *message, size_t size) {
    page p = {.model = model, .found = found};
    if (!find_middles(&p)) {
        say(message, size, path, ENOMEM);
        return false;
    }
    errno = 0;
    p.file = fopen(path, "wb");
    if (!p.file) {
        say(message, size, path, errno);
        free(p.middles);
        return false;
    }
    setvbuf(p.file, NULL, _IOFBF, 1 << 18);
    put(&p, report_page_head, report_page_head_size);
    put_metadata(&p);
    put_buffers(&p);
    put(&p, report_page_tail, report_page_tail_size);
    free(p.middles);
    errno = 0;
    if (fclose(p.file) && !p.error) p.error = errno ? errno : EIO; /* a full disk may show only here */
    if (!p.error) return true;
    struct stat made;
    if (stat(path, &made) == 0 && S_ISREG(made.st_mode)) remove(path); /* devices and pipes stay */
    say(message, size, path, p.error);
    return false;
}
