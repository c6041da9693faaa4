/* carom distance: the gap between two sets of parts, or how deep they cross. */
#include "check/commands.h"
#include "check/left_out.h"
#include "check/output.h"
#include "check/rules.h"
#include "common/terminal.h"
#include "common/text.h"
#include "common/units.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* --- output ------------------------------------------------------------------------------------------------------- */

static void write_distance_table(const scene *s, const cm_finding *answer) {
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
    rules_print_spaces("measured", s);
}

int write_distance(const scene *s, const options *o, const cm_finding *answer) {
    const cm_relation_result *r = &answer->result;
    if (o->format == FORMAT_TABLE) {
        write_distance_table(s, answer);
    } else {
        json_print(json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:f, s:o, s:o, s:b, s:b, s:o, s:o}", "schema",
                             "carom-distance-1", "carom", cm_version(), "unit", "m", "relation",
                             cm_relation_text(r->relation), "distance", json_length(r->distance), "part_a",
                             s->parts[answer->part_a].name, "part_b", s->parts[answer->part_b].name, "tolerance",
                             r->tolerance, "point_a", json_point(r->point_a), "point_b", json_point(r->point_b),
                             "surface_a", r->surface_a, "surface_b", r->surface_b, "defaults",
                             rules_spaces_json(o->also, s), "files", json_files(s)));
    }
    return finish_output();
}

/* The two sides of --between; else the first file, and the second. */
static int find_sides(const scene *s, const options *o, const cm_check_part *parts, uint8_t *sides) {
    if (o->between_count == 0) {
        for (uint32_t i = 0; i < s->part_count; i++) sides[i] = s->parts[i].file == 0 ? CM_CHECK_A : CM_CHECK_B;
        return 0;
    }
    const char *const chosen[] = {o->between[0].first, o->between[0].second};
    for (int i = 0; i < 2; i++)
        if (cm_check_choose(parts, s->part_count, chosen[i], i == 0 ? CM_CHECK_A : CM_CHECK_B, sides) == 0)
            return complain(EXIT_INPUT, "--between: '%s' matches no part and no file%s", chosen[i],
                            options_left_out_hint(o, chosen[i]));
    return 0;
}

int run_distance(options *o) {
    if (o->format == FORMAT_CSV) return complain(EXIT_INPUT, "distance writes a table or JSON, no CSV");
    if (o->between_count > 1) return complain(EXIT_INPUT, "distance takes one --between: it has one answer");
    if (o->between_count > 0 ? o->path_count == 0 : o->path_count != 2)
        return complain(EXIT_INPUT, "distance needs two files, or files and --between (see carom help distance)");
    scene s;
    double seconds[2];
    warn_named_twice(o->paths, o->path_count);
    if (o->between_count > 0) options_seek(o, o->between[0].first), options_seek(o, o->between[0].second);
    int code = options_read_scene(o, &s, seconds);
    if (code != 0) return code;
    cm_check_part *parts = check_parts_of(&s);
    uint8_t *sides = allocate(s.part_count, sizeof *sides);
    cm_finding answer;
    code = find_sides(&s, o, parts, sides);
    const cm_check_desc desc = {.parts = parts, .part_count = s.part_count, .sides = sides, .tolerance = o->tolerance};
    if (code == 0) code = complain_of_check(cm_check_nearest(&desc, NULL, &answer, NULL));
    if (code == 0 && answer.part_a == CM_NONE) code = complain(EXIT_INPUT, "there is no pair of parts to measure");
    if (code == 0) code = left_out_code(&s, o, write_distance(&s, o, &answer));
    free(parts);
    free(sides);
    free_scene(&s);
    return code;
}
