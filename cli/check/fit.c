/* carom fit: a bounding volume around the whole or around each part, as numbers and as a mesh in a file. */
#include "check/commands.h"
#include "check/left_out.h"
#include "check/output.h"
#include "check/proxy.h"
#include "check/rules.h"
#include "common/terminal.h"
#include "common/text.h"
#include "common/units.h"

#include <jansson.h>

#include <math.h>
#include <stdlib.h>

/* One proxy. */
typedef struct fitted {
    const char *name; /* the part's; NULL: around all of them */
    bounding around;
    cm_hull *mesh; /* what is written; NULL where nothing is */
} fitted;

typedef struct fitting {
    const scene *s;
    const options *o;
    fitted *list;
    uint32_t count;
    double unit; /* metres of the output file's */
} fitting;

/* --- the volumes -------------------------------------------------------------------------------------------------- */

static int fit_all(fitting *f) {
    const options *o = f->o;
    const proxy_options how = {f->unit, o->segments, o->max_vertices};
    f->list = allocate(o->each ? f->s->part_count : 1, sizeof *f->list);
    uint32_t count = o->each ? f->s->part_count : 1;
    for (uint32_t i = 0; i < count; i++) {
        fitted *one = &f->list[f->count];
        one->around = o->each ? bounding_of_part(f->s, i) : bounding_of_scene(f->s);
        one->name = o->each ? f->s->parts[i].name : NULL;
        f->count++;
        const char *wrong = NULL;
        if (o->output) one->mesh = proxy_make(&one->around, (bounding_kind)o->fit_as, &how, &wrong);
        if (o->output && !one->mesh) {
            const char *name = one->name ? one->name : f->s->part_count == 1 ? f->s->parts[0].name : "the model";
            return complain(EXIT_INPUT, "%s %s: no %s can be written for it%s", name, wrong, bounding_names[o->fit_as],
                            o->fit_as == BOUNDING_HULL ? " (--as box can)" : "");
        }
    }
    return 0;
}

static int write_proxies(const fitting *f) {
    char message[1024];
    proxy_file file;
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        cm_hull_info info;
        cm_hull_get_info(f->list[i].mesh, &info);
        triangles += 2 * info.edges - 2 * (uint64_t)info.faces; /* a face of n edges is n - 2 triangles */
    }
    proxy_open(&file, f->o->output, f->unit, triangles);
    for (uint32_t i = 0; i < f->count; i++)
        proxy_add(&file, f->list[i].name ? f->list[i].name : bounding_names[f->o->fit_as], f->list[i].mesh);
    return proxy_close(&file, f->o->output, message, sizeof message) ? 0 : complain(EXIT_INPUT, "%s", message);
}

/* --- table -------------------------------------------------------------------------------------------------------- */

static void print_vec3(const char *label, cm_vec3 v, double unit) {
    printf("  %-9s %.9g %.9g %.9g\n", label, v.x / unit + 0.0, v.y / unit + 0.0, v.z / unit + 0.0);
}

static void print_shape(const bounding *b, bounding_kind kind, double unit) {
    cm_hull_info info;
    switch (kind) {
    case BOUNDING_SPHERE:
        print_vec3("center", b->sphere.center, unit);
        printf("  %-9s %.9g\n", "radius", b->sphere.radius / unit);
        break;
    case BOUNDING_AABB:
        print_vec3("from", b->aabb.min, unit);
        print_vec3("to", b->aabb.max, unit);
        break;
    case BOUNDING_OBB:
        print_vec3("center", b->obb.center, unit);
        print_vec3("size", cm_scale(b->obb.half, 2), unit);
        printf("  %-9s %.9g %.9g %.9g %.9g  (quaternion x y z w)\n", "rotation", b->obb.rotation.x + 0.0,
               b->obb.rotation.y + 0.0, b->obb.rotation.z + 0.0, b->obb.rotation.w + 0.0);
        break;
    case BOUNDING_CAPSULE:
        print_vec3("a", b->capsule.a, unit);
        print_vec3("b", b->capsule.b, unit);
        printf("  %-9s %.9g\n", "radius", b->capsule.radius / unit);
        break;
    case BOUNDING_HULL:
    case BOUNDING_KINDS:
        cm_hull_get_info(b->hull, &info);
        printf("  %-9s %u vertices, %u faces\n", "hull", info.vertices, info.faces);
        break;
    }
}

static void print_fitted(const fitted *one, const fitting *f, show_unit unit) {
    bounding_kind kind = (bounding_kind)f->o->fit_as;
    double cube = pow(unit.metres, 3), empty = bounding_empty(&one->around, kind);
    if (one->name)
        printf("%s around %s, %s\n", bounding_names[kind], one->name, unit.name);
    else
        printf("%s around %u part%s, %s\n", bounding_names[kind], f->s->part_count, plural(f->s->part_count),
               unit.name);
    print_shape(&one->around, kind, unit.metres);
    printf("  %-9s %.6g %s3", "volume", one->around.volumes[kind] / cube, unit.name);
    if (empty >= 0)
        printf(", the model's own %.6g: %.3g %% empty\n", one->around.model / cube, 100 * empty);
    else
        puts(one->around.model < 0 ? ", the model is not closed and has none" : "");
    if (!one->mesh) return;
    cm_hull_info info;
    cm_hull_get_info(one->mesh, &info);
    printf("  %-9s %u vertices, %u triangles, volume %.6g %s3; holds every vertex of the model\n", "written",
           info.vertices, 2 * (info.edges - info.faces), info.volume / cube, unit.name);
}

static void write_fit_table(const fitting *f) {
    cm_aabb box;
    show_unit unit = unit_to_show(scene_bounds(f->s, &box));
    for (uint32_t i = 0; i < f->count; i++) print_fitted(&f->list[i], f, unit);
    const char *name = unit_name(f->unit);
    if (f->o->output && name) printf("%s: lengths in %s\n", f->o->output, name);
    if (f->o->output && !name) printf("%s: one unit is %.9g m\n", f->o->output, f->unit);
    rules_print_spaces("fitted", f->s);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

/* The half extents about the box's rounded center that hold all of it. */
static cm_vec3 half_around(const cm_aabb *box) {
    cm_vec3 c = cm_aabb_center(box), h = cm_vec3_max(cm_sub(box->max, c), cm_sub(c, box->min));
    return cm_v(nextafter(h.x, HUGE_VAL), nextafter(h.y, HUGE_VAL), nextafter(h.z, HUGE_VAL));
}

/* The volume as an object of a scene has it: "shape", and "at" and "rotation" where it has them. */
static json_t *json_object_of(const bounding *b, bounding_kind kind) {
    cm_quat q = b->obb.rotation;
    json_t *points;
    switch (kind) {
    case BOUNDING_SPHERE:
        return json_pack("{s:{s:s, s:o, s:f}}", "shape", "kind", "sphere", "center", json_point(b->sphere.center),
                         "radius", b->sphere.radius);
    case BOUNDING_AABB:
        return json_pack("{s:{s:s, s:o}, s:o}", "shape", "kind", "box", "half", json_point(half_around(&b->aabb)), "at",
                         json_point(cm_aabb_center(&b->aabb)));
    case BOUNDING_OBB:
        return json_pack("{s:{s:s, s:o}, s:o, s:[ffff]}", "shape", "kind", "box", "half", json_point(b->obb.half), "at",
                         json_point(b->obb.center), "rotation", q.x + 0.0, q.y + 0.0, q.z + 0.0, q.w);
    case BOUNDING_CAPSULE:
        return json_pack("{s:{s:s, s:o, s:o, s:f}}", "shape", "kind", "capsule", "a", json_point(b->capsule.a), "b",
                         json_point(b->capsule.b), "radius", b->capsule.radius);
    default:
        points = json_array();
        for (uint32_t i = 0; i < cm_hull_vertex_count(b->hull); i++)
            json_array_append_new(points, json_point(cm_hull_vertices(b->hull)[i]));
        return json_pack("{s:{s:s, s:o}}", "shape", "kind", "hull", "points", points);
    }
}

static json_t *json_written(const cm_hull *mesh) {
    if (!mesh) return json_null();
    cm_hull_info info;
    cm_hull_get_info(mesh, &info);
    return json_pack("{s:I, s:I, s:f}", "vertices", (json_int_t)info.vertices, "triangles",
                     2 * ((json_int_t)info.edges - (json_int_t)info.faces), "volume", info.volume);
}

static void write_fit_json(const fitting *f) {
    bounding_kind kind = (bounding_kind)f->o->fit_as;
    json_t *list = json_array();
    for (uint32_t i = 0; i < f->count; i++) {
        const fitted *one = &f->list[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o, s:o}", "part",
                                              one->name ? json_string(one->name) : json_null(), "model_volume",
                                              one->around.model < 0 ? json_null() : json_real(one->around.model),
                                              bounding_names[kind], json_bounding(&one->around, kind), "object",
                                              json_object_of(&one->around, kind), "written", json_written(one->mesh)));
    }
    char up[2] = {f->s->up, 0};
    json_t *output = f->o->output ? json_pack("{s:s, s:f}", "path", f->o->output, "unit_metres", f->unit) : json_null();
    json_print(json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:I, s:o, s:o, s:o}", "schema", "carom-fit-1", "carom",
                         cm_version(), "unit", "m", "up", up, "files", json_files(f->s), "as", bounding_names[kind],
                         "parts", (json_int_t)f->s->part_count, "proxies", list, "output", output, "defaults",
                         rules_spaces_json(f->o->also, f->s)));
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static int check_request(const options *o) {
    char message[1024];
    if (o->path_count == 0) return complain(EXIT_INPUT, "fit needs a file (see carom help fit)");
    if (o->fit_as < 0) return complain(EXIT_INPUT, "fit needs --as sphere, aabb, box, capsule or hull");
    if (o->format == FORMAT_CSV) return complain(EXIT_INPUT, "fit writes a table or JSON, no CSV");
    if (o->max_vertices && o->fit_as != BOUNDING_HULL) return complain(EXIT_INPUT, "--vertices goes with --as hull");
    if (o->segments && o->fit_as != BOUNDING_SPHERE && o->fit_as != BOUNDING_CAPSULE)
        return complain(EXIT_INPUT, "--segments goes with --as sphere or capsule");
    const char *needs = o->max_vertices      ? "--vertices"
                        : o->segments        ? "--segments"
                        : o->output_unit > 0 ? "--output-unit"
                                             : NULL;
    if (needs && !o->output) return complain(EXIT_INPUT, "%s is of the file that --output names", needs);
    if (!o->output) return 0;
    if (proxy_format_of(o->output) == PROXY_FORMATS)
        return complain(EXIT_INPUT, "--output: '%s' ends in neither .obj nor .stl", o->output);
    if (!page_can_write(o->output, message, sizeof message)) return complain(EXIT_INPUT, "%s", message);
    return 0;
}

int run_fit(options *o) {
    int code = check_request(o);
    if (code != 0) return code;
    scene s;
    double seconds[2];
    code = options_read_scene(o, &s, seconds);
    if (code != 0) return code;
    fitting f = {.s = &s, .o = o};
    if (s.part_count == 0) {
        code = complain(EXIT_INPUT, "there is no part to fit a volume around");
    } else {
        f.unit = o->output_unit > 0 ? o->output_unit : s.files[0].unit;
        code = fit_all(&f);
    }
    if (code == 0 && o->output) code = write_proxies(&f);
    if (code == 0) {
        if (o->format == FORMAT_JSON)
            write_fit_json(&f);
        else
            write_fit_table(&f);
        code = left_out_code(&s, o, finish_output());
    }
    for (uint32_t i = 0; i < f.count; i++) {
        bounding_free(&f.list[i].around);
        cm_hull_destroy(f.list[i].mesh, NULL);
    }
    free(f.list);
    free_scene(&s);
    return code;
}
