/* Cameras for findings: see view.h.
 *
 * The frame is wide enough for the place where parts cross and narrow enough that it does not get lost in them: its
 * radius is half as much again as the geometric mean of the place's and the smaller part's, and more than the place's.
 * The camera stands in one of some directions; in each it is asked, by rays, how many points of the place are seen. */
#include "bcf/view.h"

#include "common/text.h"
#include "read/affine.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_POINTS = 24, DIRECTIONS = 24 };

/* A place, as points and a ball around them. */
typedef struct place {
    cm_vec3 points[MOST_POINTS];
    uint32_t count;
    cm_vec3 middle;
    double radius, frame; /* of the ball; of what is to be seen */
} place;

static double radius_of(const cm_aabb *box) { return cm_length(cm_aabb_half(box)); }

/* --- the place --------------------------------------------------------------------------------------------------- */

static cm_aabb box_around(const scene *s, const cm_finding *f) {
    if (f->kind == CM_FINDING_IDENTICAL) return s->parts[f->part_a].box;
    if (f->kind == CM_FINDING_INSIDE)
        return s->parts[f->result.relation == CM_RELATION_A_IN_B ? f->part_a : f->part_b].box;
    cm_aabb box = cm_aabb_add_point(cm_aabb_add_point(cm_aabb_empty(), f->result.point_a), f->result.point_b);
    return f->outline_segments > 0 ? cm_aabb_union(box, f->outline_box) : box;
}

/* Points of all findings in turn: of their outlines, else the two behind the number. */
static void take_points(const view_subject *v, place *out) {
    const uint32_t findings_taken = v->count < MOST_POINTS ? v->count : MOST_POINTS;
    const uint32_t each = MOST_POINTS / (findings_taken > 0 ? findings_taken : 1);
    for (uint32_t i = 0; i < findings_taken; i++) {
        const cm_finding *f = &v->found->list.findings[v->numbers[i]];
        if (f->outline_segments == 0) out->points[out->count++] = f->result.point_a;
        for (uint32_t k = 0; k < each && f->outline_segments > 0; k++)
            out->points[out->count++] = f->outline[2 * (f->outline_segments * k / each)];
    }
}

static place find_place(const view_subject *v) {
    place out = {.count = 0};
    cm_aabb box = cm_aabb_empty();
    double smaller = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const cm_finding *f = &v->found->list.findings[v->numbers[i]];
        box = cm_aabb_union(box, box_around(v->model, f));
        smaller =
            fmax(smaller, fmin(radius_of(&v->model->parts[f->part_a].box), radius_of(&v->model->parts[f->part_b].box)));
    }
    take_points(v, &out);
    out.middle = cm_aabb_center(&box);
    out.radius = fmax(radius_of(&box), smaller / 50);
    out.frame = fmax(1.2 * out.radius, 1.5 * sqrt(out.radius * smaller));
    if (!(out.frame > 0)) out.frame = 1; /* parts that are points */
    return out;
}

/* --- directions -------------------------------------------------------------------------------------------------- */

/* From the place to the camera, in axes with z up: eight around, from above, from below, and steeply from above. */
static cm_vec3 direction_of(int number) {
    static const double heights[DIRECTIONS / 8] = {30, -20, 65};
    const double degree = atan(1) / 45, around = (number % 8 * 45 - 60) * degree, height = heights[number / 8] * degree;
    return cm_v(cos(height) * cos(around), cos(height) * sin(around), sin(height));
}

static camera camera_at(const scene *s, const place *at, int direction) {
    const affine turn = affine_turn_up('z', s->up ? s->up : 'z');
    const cm_vec3 d = direction_of(direction);
    const cm_vec3 to =
        cm_v(turn.m[0] * d.x + turn.m[1] * d.y + turn.m[2] * d.z, turn.m[3] * d.x + turn.m[4] * d.y + turn.m[5] * d.z,
             turn.m[6] * d.x + turn.m[7] * d.y + turn.m[8] * d.z);
    const cm_vec3 top = cm_v(turn.m[2], turn.m[5], turn.m[8]);
    const double half = VIEW_VERTICAL / 2 * atan(1) / 45, distance = at->frame / sin(half);
    camera out = {.at = cm_mul_add(at->middle, distance, to),
                  .forward = cm_neg(to),
                  .slope = tan(half),
                  .nearest = distance / 1000};
    out.right = cm_normalize(cm_cross(out.forward, top), cm_v(1, 0, 0));
    out.up = cm_cross(out.right, out.forward);
    return out;
}

/* --- what is seen ------------------------------------------------------------------------------------------------ */

/* Other parts that may stand between a camera and the place: those near enough. */
static uint32_t *find_others(const view_subject *v, const place *at, uint32_t *count) {
    const double reach = at->frame / sin(VIEW_VERTICAL / 2 * atan(1) / 45);
    const cm_aabb box = cm_aabb_from_center(at->middle, cm_v(reach, reach, reach));
    uint32_t *others = allocate(v->model->part_count, sizeof *others), own = 0;
    *count = 0;
    for (uint32_t i = 0; i < v->model->part_count; i++) {
        while (own < v->part_count && v->parts[own] < i) own++;
        const bool is_own = own < v->part_count && v->parts[own] == i;
        if (!is_own && cm_overlap_aabb_aabb(&v->model->parts[i].box, &box)) others[(*count)++] = i;
    }
    return others;
}

static bool hides(const scene *s, const uint32_t *parts, uint32_t count, cm_vec3 from, cm_vec3 point) {
    const cm_ray ray = {from, cm_sub(point, from), 0.999}; /* the point lies on surfaces itself */
    const cm_aabb way = cm_aabb_add_point(cm_aabb_add_point(cm_aabb_empty(), from), point);
    for (uint32_t i = 0; i < count; i++) {
        const scene_part *part = &s->parts[parts[i]];
        if (!cm_overlap_aabb_aabb(&part->box, &way)) continue;
        const cm_shape shape = cm_make_mesh(s->meshes[part->mesh].mesh);
        if (cm_raycast(&ray, &shape, &part->pose, NULL)) return true;
    }
    return false;
}

static uint32_t count_seen(const scene *s, const place *at, const uint32_t *parts, uint32_t count, cm_vec3 from) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < at->count; i++) seen += !hides(s, parts, count, from, at->points[i]);
    return seen;
}

view view_choose(const view_subject *v) {
    const place at = find_place(v);
    uint32_t other_count, best = 0;
    uint32_t *others = find_others(v, &at, &other_count);
    view out = {.from = camera_at(v->model, &at, 0)};
    for (int i = 0; i < DIRECTIONS; i++) {
        const camera c = camera_at(v->model, &at, i);
        const uint32_t seen = count_seen(v->model, &at, v->parts, v->part_count, c.at);
        const uint32_t free = count_seen(v->model, &at, others, other_count, c.at);
        const uint32_t score = 1 + 2 * seen + free; /* what others hide can be cut free, what the parts hide cannot */
        if (score <= best) continue;
        best = score;
        out = (view){.from = c, .cut = 4 * free < 3 * at.count};
        if (seen == at.count && free == at.count) break;
    }
    free(others);
    out.cut_to = cm_neg(out.from.forward);
    out.cut_at = cm_mul_add(at.middle, at.radius * 1.25, out.cut_to);
    return out;
}
