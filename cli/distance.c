/* carom distance: the gap between two sets of parts, or how deep they cross.
 *
 * Pairs are taken in the order of their boxes' distances, and none is looked at whose boxes are farther apart than the
 * nearest parts found. Where some overlap, all that may are looked at, and the deepest is the answer. */
#include "check.h"
#include "left_out.h"
#include "output.h"
#include "text.h"
#include "units.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

typedef struct near_pair {
    uint32_t a, b;
    double at_least; /* no closer than this: their boxes' distance */
} near_pair;

static double box_gap(const cm_aabb *a, const cm_aabb *b) {
    cm_vec3 gap = cm_vec3_max(cm_v(0, 0, 0), cm_vec3_max(cm_sub(a->min, b->max), cm_sub(b->min, a->max)));
    return cm_length(gap) * (1 - 1e-12);
}

static int compare_pairs(const void *left, const void *right) {
    const near_pair *p = left, *q = right;
    if (p->at_least != q->at_least) return p->at_least < q->at_least ? -1 : 1;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static near_pair *list_pairs(const scene *s, const options *o, size_t *count) {
    cm_aabb *boxes = allocate(s->part_count, sizeof *boxes);
    int *sides = allocate(s->part_count, sizeof *sides);
    near_pair *list = NULL;
    size_t capacity = 0;
    *count = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        cm_shape shape = cm_make_mesh(s->meshes[s->parts[i].mesh].mesh);
        cm_shape_bounds(&shape, &s->parts[i].pose, &boxes[i]);
        sides[i] = o->between[0] ? between_sides(s, o, i) : 1 << s->parts[i].file; /* the first file, the second */
    }
    for (uint32_t a = 0; a < s->part_count; a++)
        for (uint32_t b = 0; b < s->part_count; b++) {
            if (a == b || !(sides[a] & 1) || !(sides[b] & 2)) continue;
            list = grow(list, *count, &capacity, sizeof *list);
            list[(*count)++] = (near_pair){a, b, box_gap(&boxes[a], &boxes[b])};
        }
    free(boxes);
    free(sides);
    if (*count > 1) qsort(list, *count, sizeof *list, compare_pairs);
    return list;
}

static bool is_closer(const cm_relation_result *now, const distance_answer *best) {
    return best->part_a == CM_NONE || now->distance < best->result.distance;
}

static int find_distance(const scene *s, const options *o, const near_pair *list, size_t count, distance_answer *best) {
    *best = (distance_answer){.part_a = CM_NONE, .part_b = CM_NONE};
    best->result.distance = CM_REAL_MAX;
    for (size_t i = 0; i < count; i++) {
        if (list[i].at_least > best->result.distance && list[i].at_least > 0) break;
        const scene_part *a = &s->parts[list[i].a], *b = &s->parts[list[i].b];
        cm_shape shape_a = cm_make_mesh(s->meshes[a->mesh].mesh), shape_b = cm_make_mesh(s->meshes[b->mesh].mesh);
        cm_relation_result now;
        double max_gap = best->result.distance > 0 ? best->result.distance : 0;
        cm_status status =
            cm_mesh_relation(&shape_a, &a->pose, &shape_b, &b->pose, pair_tolerance(s, o, a, b), max_gap, &now);
        if (status != CM_OK)
            return complain(EXIT_INTERNAL, "%s against %s: %s", a->name, b->name, cm_status_text(status));
        if (is_closer(&now, best)) *best = (distance_answer){list[i].a, list[i].b, now};
    }
    return 0;
}

/* --- output ------------------------------------------------------------------------------------------------------- */

static void write_distance_table(const scene *s, const distance_answer *answer) {
    const cm_relation_result *r = &answer->result;
    const scene_part *a = &s->parts[answer->part_a], *b = &s->parts[answer->part_b];
    cm_aabb box;
    show_unit unit = unit_to_show(scene_bounds(s, &box));
    double shown = (double)r->distance / unit.metres;
    cm_vec3 pa = cm_scale(r->point_a, 1 / unit.metres), pb = cm_scale(r->point_b, 1 / unit.metres);
    switch (r->relation) {
    case CM_RELATION_SEPARATED:
        printf("gap %.9g %s\n", shown, unit.name);
        break;
    case CM_RELATION_TOUCHING:
        printf("touching (within %.3g %s)\n", (double)r->tolerance / unit.metres, unit.name);
        break;
    case CM_RELATION_IDENTICAL:
        printf("identical (within %.3g %s)\n", (double)r->tolerance / unit.metres, unit.name);
        break;
    case CM_RELATION_A_IN_B:
        printf("A lies inside B, depth %.9g %s\n", -shown, unit.name);
        break;
    case CM_RELATION_B_IN_A:
        printf("B lies inside A, depth %.9g %s\n", -shown, unit.name);
        break;
    case CM_RELATION_CROSSING:
    case CM_RELATION_NONE:
        printf("crossing, depth %.9g %s\n", fabs(shown), unit.name);
        break;
    }
    printf("A  %.9g %.9g %.9g  %s%s\n", pa.x + 0.0, pa.y + 0.0, pa.z + 0.0, a->name, r->surface_a ? " (surface)" : "");
    printf("B  %.9g %.9g %.9g  %s%s\n", pb.x + 0.0, pb.y + 0.0, pb.z + 0.0, b->name, r->surface_b ? " (surface)" : "");
}

int write_distance(const scene *s, const options *o, const distance_answer *answer) {
    const cm_relation_result *r = &answer->result;
    if (o->format == FORMAT_TABLE) {
        write_distance_table(s, answer);
    } else {
        json_print(json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:f, s:o, s:o, s:b, s:b, s:o}", "schema",
                             "carom-distance-1", "carom", cm_version(), "unit", "m", "relation",
                             cm_relation_text(r->relation), "distance", json_length(r->distance), "part_a",
                             s->parts[answer->part_a].name, "part_b", s->parts[answer->part_b].name, "tolerance",
                             r->tolerance, "point_a", json_point(r->point_a), "point_b", json_point(r->point_b),
                             "surface_a", r->surface_a, "surface_b", r->surface_b, "files", json_files(s)));
    }
    return finish_output();
}

int run_distance(options *o) {
    if (o->format == FORMAT_CSV) return complain(EXIT_INPUT, "distance writes a table or JSON, no CSV");
    if (o->between[0] ? o->path_count == 0 : o->path_count != 2)
        return complain(EXIT_INPUT, "distance needs two files, or files and --between (see carom help distance)");
    scene s;
    double seconds[2];
    int code = options_read_scene(o, &s, seconds);
    if (code != 0) return code;
    size_t count = 0;
    near_pair *list = NULL;
    distance_answer answer;
    code = between_check(&s, o);
    if (code == 0) list = list_pairs(&s, o, &count);
    if (code == 0 && count == 0) code = complain(EXIT_INPUT, "there is no pair of parts to measure");
    if (code == 0) code = find_distance(&s, o, list, count, &answer);
    if (code == 0) code = left_out_code(&s, o, write_distance(&s, o, &answer));
    free(list);
    free_scene(&s);
    return code;
}
