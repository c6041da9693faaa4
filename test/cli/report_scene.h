/* A scene with one finding of every kind, made by hand: cubes of 0.1 m, one of 0.3 m, two fine balls of radius 0.2 m.
 * Names are as hostile as a file can make them. */
#ifndef REPORT_SCENE_H
#define REPORT_SCENE_H

#include "check/rules.h"
#include "page/report.h"
#include "support/support.h"

#include <math.h>

#define HOSTILE_A "</script><img src=x onerror=window.hit=1>"
#define HOSTILE_B "<!--<script>/\xff\"'&amp;\\u003c"
#define RINGS     100

enum { CROSSING, INSIDE, IDENTICAL, TOUCHING, CLEARANCE, ALLOWED, BALLS, FINDINGS };
enum { PARTS = 13 };

typedef struct report_case {
    scene model;
    findings found;
    rules rules;
    rules_origin origin;
    cm_check_exception exception;
    scene_file file;
    scene_mesh meshes[3];
    scene_part parts[PARTS];
    cm_finding list[FINDINGS];
    cm_vec3 hexagon[12], corner[12], circle[128];
} report_case;

static void build_solid(scene_mesh *out, const cm_vec3 *points, uint32_t point_count, const uint32_t *corners,
                        uint32_t triangle_count) {
    cm_mesh_desc desc = {.points = &points[0].x,
                         .point_count = point_count,
                         .indices = corners,
                         .triangle_count = triangle_count,
                         .solid = true};
    cm_error error = {0};
    cm_status status = cm_mesh_build(&desc, NULL, &out->mesh, &error);
    check_that(status == CM_OK, "%s %s %u", cm_status_text(status), error.field ? error.field : "", error.index);
    cm_mesh_get_info(out->mesh, &out->info);
}

static void build_cube(scene_mesh *out, cm_real half) {
    static const uint32_t corners[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    cm_vec3 points[8];
    for (int i = 0; i < 8; i++) points[i] = cm_v(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
    build_solid(out, points, 8, corners, 12);
}

/* RINGS x RINGS quads around, so many triangles that parts of one mesh are drawn as instances. */
static void build_ball(scene_mesh *out, cm_real radius) {
    enum { POINTS = RINGS * (RINGS - 1) + 2, TRIANGLES = 2 * RINGS * (RINGS - 1) };
    cm_vec3 *points = malloc(POINTS * sizeof *points);
    uint32_t *corners = malloc(3 * TRIANGLES * sizeof *corners), n = 0;
    for (uint32_t ring = 1; ring < RINGS; ring++)
        for (uint32_t i = 0; i < RINGS; i++) {
            double theta = 3.141592653589793 * ring / RINGS, phi = 6.283185307179586 * i / RINGS;
            points[(ring - 1) * RINGS + i] = cm_scale(
                cm_v((cm_real)(sin(theta) * cos(phi)), (cm_real)(sin(theta) * sin(phi)), (cm_real)cos(theta)), radius);
        }
    uint32_t top = POINTS - 2, bottom = POINTS - 1;
    points[top] = cm_v(0, 0, radius), points[bottom] = cm_v(0, 0, -radius);
    for (uint32_t i = 0; i < RINGS; i++) {
        uint32_t j = (i + 1) % RINGS, last = (RINGS - 2) * RINGS;
        const uint32_t caps[6] = {top, i, j, bottom, last + j, last + i};
        memcpy(corners + n, caps, sizeof caps), n += 6;
        for (uint32_t ring = 0; ring + 2 < RINGS; ring++) {
            uint32_t a = ring * RINGS + i, b = ring * RINGS + j;
            const uint32_t quad[6] = {a, a + RINGS, b + RINGS, a, b + RINGS, b};
            memcpy(corners + n, quad, sizeof quad), n += 6;
        }
    }
    build_solid(out, points, POINTS, corners, n / 3);
    free(points);
    free(corners);
}

static void give_outline(cm_finding *f, cm_vec3 *outline, size_t segments, cm_vec3 by) {
    f->outline = outline;
    f->outline_segments = segments;
    f->outline_box = cm_aabb_empty();
    for (size_t i = 0; i < 2 * segments; i++) {
        outline[i] = cm_add(outline[i], by);
        f->outline_box = cm_aabb_add_point(f->outline_box, outline[i]);
    }
}

/* The six edges in which the faces of [-.05,.05]^3 and of the same cube moved by (.08,.03,.02) cross. */
static void hexagon(cm_vec3 *out) {
    const double low[3] = {.03, -.02, -.03}, high = .05;
    static const int bits[7] = {1, 3, 2, 6, 4, 5, 1}; /* corners of the common box, around */
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 2; k++) {
            int c = bits[i + k];
            out[2 * i + k] = cm_v((cm_real)(c & 1 ? high : low[0]), (cm_real)(c & 2 ? high : low[1]),
                                  (cm_real)(c & 4 ? high : low[2]));
        }
}

/* The whole, moved by `by`. */
static void report_case_make(report_case *c, cm_vec3 by) {
    static char *notes[] = {"2 triangles without area dropped from <b>x</b>"};
    static const struct {
        const char *name;
        uint32_t mesh;
        double x, y, z;
    } parts[PARTS] = {
        {"rig/plate/left", 0, 0, 0, 0},  {"rig/plate/right", 0, .08, .03, .02}, {"rig/shell/outer", 1, 1, 0, 0},
        {"rig/shell/inner", 0, 1, 0, 0}, {"rig/" HOSTILE_A, 0, 0, 0, 1},        {"rig/" HOSTILE_B, 0, 0, 0, 1},
        {"rig/row/one", 0, 0, 1, 0},     {"rig/row/two", 0, .1, 1, 0},          {"rig/row/three", 0, .203, 1, 0},
        {"rig/pair/one", 0, 0, 0, -1},   {"rig/pair/two", 0, .08, .03, -.98},   {"rig/ball/one", 2, 0, -1, 0},
        {"rig/ball/two", 2, .35, -1, 0}};
    memset(c, 0, sizeof *c);
    build_cube(&c->meshes[0], CM_REAL(.05));
    build_cube(&c->meshes[1], CM_REAL(.15));
    build_ball(&c->meshes[2], CM_REAL(.2));
    for (int i = 0; i < PARTS; i++) {
        c->parts[i].name = strdup(parts[i].name);
        c->parts[i].mesh = parts[i].mesh;
        c->parts[i].pose = cm_pose_identity();
        c->parts[i].pose.position = cm_add(by, cm_v((cm_real)parts[i].x, (cm_real)parts[i].y, (cm_real)parts[i].z));
        const cm_shape shape = cm_make_mesh(c->meshes[parts[i].mesh].mesh);
        cm_shape_bounds(&shape, &c->parts[i].pose, &c->parts[i].box);
    }
    static const struct {
        uint32_t a, b;
        cm_relation relation;
        double distance, pa[3], pb[3];
        uint64_t crossings;
    } found[] = {{0, 1, CM_RELATION_CROSSING, -.02, {.05, -.02, -.03}, {.03, -.02, -.03}, 18},
                 {2, 3, CM_RELATION_B_IN_A, -.15, {1.15, .05, .05}, {1.05, .05, .05}, 0},
                 {4, 5, CM_RELATION_IDENTICAL, 0, {.05, .05, 1.05}, {.05, .05, 1.05}, 44},
                 {6, 7, CM_RELATION_TOUCHING, 0, {.05, 1.05, .05}, {.05, 1.05, .05}, 8},
                 {7, 8, CM_RELATION_SEPARATED, .003, {.15, 1, 0}, {.153, 1, 0}, 0},
                 {9, 10, CM_RELATION_CROSSING, -.02, {.05, -.02, -1.03}, {.03, -.02, -1.03}, 18},
                 {11, 12, CM_RELATION_CROSSING, -.05, {.2, -1, 0}, {.15, -1, 0}, 420}};
    for (int i = 0; i < FINDINGS; i++) {
        static const cm_finding_kind kinds[FINDINGS] = {CM_FINDING_CROSSING, CM_FINDING_INSIDE,    CM_FINDING_IDENTICAL,
                                                        CM_FINDING_TOUCHING, CM_FINDING_CLEARANCE, CM_FINDING_CROSSING,
                                                        CM_FINDING_CROSSING};
        cm_finding *f = &c->list[i];
        f->kind = kinds[i], f->allowed = CM_NONE, f->id = 0xabcdef0123456780u + (uint64_t)i;
        f->part_a = found[i].a, f->part_b = found[i].b;
        f->result.relation = found[i].relation;
        f->result.distance = (cm_real)found[i].distance;
        f->result.tolerance = CM_REAL(1e-6);
        f->result.crossings = found[i].crossings;
        f->result.point_a = cm_add(by, cm_v((cm_real)found[i].pa[0], (cm_real)found[i].pa[1], (cm_real)found[i].pa[2]));
        f->result.point_b = cm_add(by, cm_v((cm_real)found[i].pb[0], (cm_real)found[i].pb[1], (cm_real)found[i].pb[2]));
        f->outline_box = cm_aabb_empty();
    }
    c->list[ALLOWED].allowed = 0;
    c->list[BALLS].result.surface_b = true;
    c->list[BALLS].result.thin_a = true;
    hexagon(c->hexagon);
    give_outline(&c->list[CROSSING], c->hexagon, 6, by);
    hexagon(c->corner);
    give_outline(&c->list[ALLOWED], c->corner, 6, cm_add(by, cm_v(0, 0, -1)));
    for (int i = 0; i < 128; i++) { /* where the balls' surfaces cross: a circle of radius sqrt(.2^2 - .175^2) */
        double turn = 6.283185307179586 * ((i + 1) / 2) / 64, r = sqrt(.04 - .175 * .175);
        c->circle[i] = cm_v(CM_REAL(.175), (cm_real)(r * cos(turn) - 1), (cm_real)(r * sin(turn)));
    }
    give_outline(&c->list[BALLS], c->circle, 64, by);
    c->file = (scene_file){
        .path = "models/rig<1>.glb", .unit = 1, .unit_assumed = true, .up = 'z', .notes = notes, .note_count = 1};
    c->model = (scene){.files = &c->file,
                       .file_count = 1,
                       .meshes = c->meshes,
                       .mesh_count = 3,
                       .parts = c->parts,
                       .part_count = PARTS,
                       .up = 'z'};
    c->origin = (rules_origin){
        .where = "list.txt:3", .what = "pair", .reason = "</script> & why", .author = "A. M.", .date = "2025-03-14"};
    c->exception = (cm_check_exception){.depth = .025};
    c->rules = (rules){.origins = &c->origin, .exceptions = &c->exception};
    c->found = (findings){.clearance = .005, .seconds_pairs = 1, .rules = &c->rules};
    c->found.list =
        (cm_check_result){.findings = c->list, .count = FINDINGS, .pairs_total = 78, .pairs_near = 9, .failing = 4};
}

static void report_case_free(report_case *c) {
    for (int i = 0; i < PARTS; i++) free(c->parts[i].name);
    for (int i = 0; i < 3; i++) cm_mesh_destroy(c->meshes[i].mesh, NULL);
}

/* A path in the folder for scratch files; valid until the next call. */
static const char *scratch_path(const char *name) {
    static char path[512];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/carom-test-%s", folder && *folder ? folder : "/tmp", name);
    return path;
}

#endif
