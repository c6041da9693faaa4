/* Bounding volumes as meshes in a file: see proxy.h.
 *
 * What is round is drawn with its corners on the surface, so its faces cut off a part of it: the mesh is scaled about
 * its middle until the planes of its faces hold the model. The corners are then rounded to what the file can write, and
 * the hull of what was rounded is the mesh. It holds the model exactly if the model's corners add no vertex to it: the
 * hull's signs are exact. Where they do, volume and scale are made larger by a pad, first of one single precision ulp,
 * then twice that, and so on. Bound: PADS tries, up to a pad of the size of the model's coordinates. */
#include "check/proxy.h"

#include "common/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PADS = 25 };

/* --- corners ------------------------------------------------------------------------------------------------------ */

static cm_shape shape_of(const bounding *b, bounding_kind kind, double pad, cm_pose *pose) {
    *pose = cm_pose_identity();
    cm_vec3 grown = cm_v(pad, pad, pad);
    switch (kind) {
    case BOUNDING_SPHERE:
        return cm_make_sphere(b->sphere.center, b->sphere.radius + pad);
    case BOUNDING_CAPSULE:
        return cm_make_capsule(b->capsule.a, b->capsule.b, b->capsule.radius + pad);
    case BOUNDING_AABB:
        pose->position = cm_aabb_center(&b->aabb);
        return cm_make_box(cm_add(cm_scale(cm_sub(b->aabb.max, b->aabb.min), CM_REAL(0.5)), grown));
    case BOUNDING_OBB:
        pose->position = b->obb.center, pose->rotation = b->obb.rotation;
        return cm_make_box(cm_add(b->obb.half, grown));
    default:
        return cm_make_hull(b->hull);
    }
}

/* The hull with few vertices, or all of it. */
static cm_hull *simple_hull(const cm_hull *hull, uint32_t max_vertices) {
    cm_hull_desc desc = {.points = &cm_hull_vertices(hull)[0].x, .point_count = cm_hull_vertex_count(hull)};
    desc.max_vertices = max_vertices;
    cm_hull *out = NULL;
    return cm_hull_build(&desc, NULL, &out, NULL) == CM_OK ? out : NULL;
}

/* The hull of the volume's corners. NULL: it has no triangles. */
static cm_hull *draw(const bounding *b, bounding_kind kind, const proxy_options *o, double pad) {
    if (kind == BOUNDING_HULL) return simple_hull(b->hull, o->max_vertices);
    cm_pose pose;
    cm_shape shape = shape_of(b, kind, pad, &pose);
    cm_tessellate_desc how = {.segments = o->segments};
    cm_tessellation t = {0};
    if (cm_shape_tessellate(&shape, &how, NULL, &t) != CM_OK || t.point_count == 0) return NULL;
    for (uint32_t i = 0; i < t.point_count; i++) t.points[i] = cm_pose_apply(&pose, t.points[i]);
    cm_hull *hull = hull_of_points(t.points, t.point_count);
    cm_tessellation_destroy(&t, NULL);
    return hull;
}

/* By how much the mesh must be scaled about `middle`, which is inside it, for the planes of its faces to hold all. */
static double scale_to_hold(const cm_hull *mesh, cm_vec3 middle, const cm_hull *model) {
    double scale = 1;
    for (uint32_t i = 0; i < cm_hull_face_count(mesh); i++) {
        cm_hull_face face;
        cm_hull_get_face(mesh, i, &face);
        cm_vec3 far = cm_hull_vertices(model)[cm_hull_support(model, face.normal)];
        double reach = cm_dot(face.normal, cm_sub(far, middle)), room = -(cm_dot(face.normal, middle) + face.d);
        if (room > 0 && reach > room * scale) scale = reach / room;
    }
    return scale;
}

/* --- rounding ----------------------------------------------------------------------------------------------------- */

/* What a reader of the file gets. Volatile, because gcc 12 drops (double)(float)x where it takes two neighbors at once.
 */
static double rounded(double metres, double unit) {
    volatile float written = (float)(metres / unit);
    return (double)written * unit;
}

static bool is_written_finite(cm_vec3 p, double unit) {
    double most = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) / unit;
    return most < (double)FLT_MAX;
}

/* No vertex of the hull of both is the model's alone. */
static bool holds(const cm_hull *mesh, const cm_hull *model) {
    uint32_t n = cm_hull_vertex_count(mesh), m = cm_hull_vertex_count(model);
    cm_vec3 *both = allocate((size_t)n + m, sizeof *both);
    memcpy(both, cm_hull_vertices(mesh), n * sizeof *both);
    memcpy(both + n, cm_hull_vertices(model), m * sizeof *both);
    cm_hull *joint = hull_of_points(both, n + m);
    free(both);
    bool same = cm_hull_vertex_count(joint) == n; /* vertices are in the order of their coordinates */
    for (uint32_t i = 0; i < n && same; i++)
        same =
            memcmp(&cm_hull_vertices(joint)[i], &cm_hull_vertices(mesh)[i], sizeof(cm_vec3)) == 0; /* -0 is 0 there */
    cm_hull_destroy(joint, NULL);
    return same;
}

/* The mesh scaled about its middle, then rounded. NULL beyond single precision. */
static cm_hull *round_mesh(const cm_hull *mesh, cm_vec3 middle, double scale, double unit) {
    uint32_t n = cm_hull_vertex_count(mesh);
    cm_vec3 *points = allocate(n, sizeof *points);
    bool finite = true;
    for (uint32_t i = 0; i < n; i++) {
        cm_vec3 p = cm_hull_vertices(mesh)[i];
        if (scale != 1) p = cm_add(middle, cm_scale(cm_sub(p, middle), scale));
        finite &= is_written_finite(p, unit);
        if (finite) points[i] = cm_v(rounded(p.x, unit), rounded(p.y, unit), rounded(p.z, unit));
    }
    cm_hull *out = finite ? hull_of_points(points, n) : NULL;
    free(points);
    return out;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* One try. NULL where it does not hold the model. */
static cm_hull *try_pad(const bounding *b, bounding_kind kind, const proxy_options *o, double pad, const char **wrong) {
    cm_hull *drawn = draw(b, kind, o, pad), *out = NULL;
    *wrong = "is too flat for single precision";
    if (!drawn) return NULL;
    cm_hull_info info;
    cm_hull_get_info(drawn, &info);
    double scale = scale_to_hold(drawn, info.center, b->hull), size = cm_length(cm_sub(b->aabb.max, b->aabb.min));
    if (size > 0) scale *= 1 + pad / size;
    if (info.dimension == 3) {
        out = round_mesh(drawn, info.center, scale, o->unit);
        if (!out) *wrong = "lies beyond the range of single precision";
    }
    cm_hull_destroy(drawn, NULL);
    if (out) {
        cm_hull_get_info(out, &info);
        if (info.dimension == 3 && holds(out, b->hull)) return out;
        cm_hull_destroy(out, NULL);
    }
    return NULL;
}

cm_hull *proxy_make(const bounding *b, bounding_kind kind, const proxy_options *options, const char **wrong) {
    cm_hull_info info;
    cm_hull_get_info(b->hull, &info);
    if (kind == BOUNDING_HULL && info.dimension < 3) {
        *wrong = "is flat: its hull encloses nothing";
        return NULL;
    }
    cm_vec3 far = cm_vec3_max(cm_vec3_abs(b->aabb.min), cm_vec3_abs(b->aabb.max));
    double reach = fmax(far.x, fmax(far.y, far.z)), ulp = reach * (double)FLT_EPSILON;
    if (!(ulp > 0)) ulp = options->unit * (double)FLT_EPSILON; /* a point at the origin */
    double pad = 0;
    for (int i = 0; i < PADS; i++) {
        cm_hull *out = try_pad(b, kind, options, pad, wrong);
        if (out) return out;
        pad = pad > 0 ? 2 * pad : ulp;
    }
    return NULL;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

proxy_format proxy_format_of(const char *path) {
    size_t n = strlen(path);
    if (n > 4 && strcasecmp(path + n - 4, ".obj") == 0) return PROXY_OBJ;
    if (n > 4 && strcasecmp(path + n - 4, ".stl") == 0) return PROXY_STL;
    return PROXY_FORMATS;
}

static void put_words(page *p, const uint32_t *words, int count) {
    for (int i = 0; i < count; i++)
        for (int shift = 0; shift < 32; shift += 8) page_put(p, &(uint8_t){(uint8_t)(words[i] >> shift)}, 1);
}

void proxy_open(proxy_file *f, const char *path, double unit, uint64_t triangles) {
    static const page_frame bare = {(const unsigned char *)"", (const unsigned char *)"", 0, 0};
    *f = (proxy_file){.format = proxy_format_of(path), .unit = unit};
    page_open(&f->out, path, &bare);
    if (f->format == PROXY_OBJ) {
        char *line = format_text("# carom %s: bounding volumes; one unit is %.9g m\n", cm_version(), unit);
        page_put_text(&f->out, line);
        free(line);
    } else {
        const char header[80] = "carom: bounding volumes";
        page_put(&f->out, header, sizeof header);
        put_words(&f->out, &(uint32_t){(uint32_t)triangles}, 1);
    }
}

/* A name that an OBJ can hold: one word. */
static char *word_of_name(const char *name) {
    char *out = copy_text(name);
    for (char *c = out; *c; c++)
        if (*c == ' ' || *c == '\\' || *c == '#') *c = '_';
    return out;
}

/* In as few digits as give the very number back, to readers in single and in double precision. */
static void add_number(text_buffer *out, float number) {
    char text[32];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)number + 0.0);
        if (strtod(text, NULL) == (double)number) break;
    }
    text_add(out, " %s", text);
}

static void put_obj(proxy_file *f, const char *name, const cm_tessellation *t) {
    char *word = word_of_name(name);
    text_buffer out = {0};
    text_add(&out, "o %s\n", word);
    for (uint32_t i = 0; i < t->point_count; i++) {
        cm_vec3 p = t->points[i];
        text_add(&out, "v");
        add_number(&out, (float)(p.x / f->unit)), add_number(&out, (float)(p.y / f->unit));
        add_number(&out, (float)(p.z / f->unit));
        text_add(&out, "\n");
    }
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        const uint32_t *c = t->indices + 3 * (size_t)i;
        text_add(&out, "f %u %u %u\n", f->points + c[0] + 1, f->points + c[1] + 1, f->points + c[2] + 1);
    }
    f->points += t->point_count;
    page_put_text(&f->out, out.bytes);
    free(out.bytes);
    free(word);
}

static void put_stl(proxy_file *f, const cm_tessellation *t) {
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        const uint32_t *c = t->indices + 3 * (size_t)i;
        cm_vec3 a = t->points[c[0]], b = t->points[c[1]], d = t->points[c[2]];
        cm_vec3 normal = cm_normalize(cm_cross(cm_sub(b, a), cm_sub(d, a)), cm_v(0, 0, 0));
        float numbers[12] = {(float)normal.x, (float)normal.y, (float)normal.z};
        uint32_t words[12];
        for (int k = 0; k < 3; k++) {
            cm_vec3 p = t->points[c[k]];
            numbers[3 * k + 3] = (float)(p.x / f->unit), numbers[3 * k + 4] = (float)(p.y / f->unit);
            numbers[3 * k + 5] = (float)(p.z / f->unit);
        }
        memcpy(words, numbers, sizeof words);
        put_words(&f->out, words, 12);
        page_put(&f->out, "\0\0", 2);
    }
}

void proxy_add(proxy_file *f, const char *name, const cm_hull *proxy) {
    cm_shape shape = cm_make_hull(proxy);
    cm_tessellation t = {0};
    if (cm_shape_tessellate(&shape, NULL, NULL, &t) != CM_OK) {
        complain(EXIT_INTERNAL, "out of memory");
        exit(EXIT_INTERNAL);
    }
    if (f->format == PROXY_OBJ)
        put_obj(f, name, &t);
    else
        put_stl(f, &t);
    cm_tessellation_destroy(&t, NULL);
}

bool proxy_close(proxy_file *f, const char *path, char *message, size_t size) {
    return page_close(&f->out, path, message, size);
}
