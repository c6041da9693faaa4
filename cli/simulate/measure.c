/* Gaps and boxes over time: see measure.h. Between the ends of steps nothing is measured. */
#include "simulate/measure.h"

#include "common/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the gap between two classes ---------------------------------------------------------------------------------- */

typedef struct gap_side {
    uint32_t object;
    const cm_shape *shape;
    cm_pose pose;
    cm_aabb box;
} gap_side;

/* The objects of a class that are still there. */
static gap_side *gap_side_of(const stage *s, const cm_world *world, const uint32_t *ids, uint32_t class_number,
                             size_t *count) {
    gap_side *list = allocate(s->object_count + 1u, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        gap_side *one = &list[*count];
        if (s->objects[i].class_number != class_number || cm_world_get_pose(world, ids[i], &one->pose) != CM_OK)
            continue;
        one->object = i, one->shape = &s->shapes[s->objects[i].shape].shape;
        cm_shape_bounds(one->shape, &one->pose, &one->box);
        ++*count;
    }
    return list;
}

/* No gap between what the boxes hold is smaller. */
static double gap_of_boxes(const cm_aabb *a, const cm_aabb *b) {
    cm_vec3 gap = cm_vec3_max(cm_v(0, 0, 0), cm_vec3_max(cm_sub(a->min, b->max), cm_sub(b->min, a->max)));
    return cm_length(gap) * (1 - 1e-12);
}

/* The earlier object comes first in the question, so that the answer does not depend on the order of the classes. */
static void gap_of_pair(const gap_side *a, const gap_side *b, double most, gap_sample *best) {
    const gap_side *first = a->object < b->object ? a : b, *second = first == a ? b : a;
    cm_witness w;
    cm_real gap = cm_distance(first->shape, &first->pose, second->shape, &second->pose, most > 0 ? most : 0, &w);
    if (!(gap < best->distance)) return;
    bool same = first == a;
    best->distance = gap, best->a = a->object, best->b = b->object;
    best->point_a = same ? w.point_a : w.point_b, best->point_b = same ? w.point_b : w.point_a;
    best->normal = same ? w.normal : cm_neg(w.normal);
}

static void take_gap(measures *m, const stage *s, const cm_world *world, const uint32_t *ids, double time) {
    size_t count_a, count_b;
    gap_side *a = gap_side_of(s, world, ids, s->clearance[0], &count_a);
    gap_side *b = gap_side_of(s, world, ids, s->clearance[1], &count_b);
    bool one_class = s->clearance[0] == s->clearance[1];
    gap_sample best = {.time = time, .distance = CM_REAL_MAX, .a = STAGE_NONE, .b = STAGE_NONE};
    for (size_t i = 0; i < count_a; i++)
        for (size_t k = one_class ? i + 1 : 0; k < count_b; k++) {
            double most = best.distance < s->clearance_limit ? best.distance : s->clearance_limit;
            if (gap_of_boxes(&a[i].box, &b[k].box) <= most || most < 0) gap_of_pair(&a[i], &b[k], most, &best);
        }
    free(a);
    free(b);
    m->gaps = grow(m->gaps, m->gap_count, &m->gap_capacity, sizeof *m->gaps);
    m->gaps[m->gap_count++] = best;
    if (best.distance < m->gaps[m->gap_least].distance) m->gap_least = m->gap_count - 1;
}

/* --- the box of one object ---------------------------------------------------------------------------------------- */

static void take_box(measures *m, const stage *s, const cm_world *world, const uint32_t *ids, double time) {
    box_sample one = {.time = time};
    cm_pose pose;
    if (cm_world_get_pose(world, ids[s->boxed], &pose) != CM_OK) return;
    cm_shape_bounds(&s->shapes[s->objects[s->boxed].shape].shape, &pose, &one.box);
    m->boxes = grow(m->boxes, m->box_count, &m->box_capacity, sizeof *m->boxes);
    m->boxes[m->box_count++] = one;
}

static double volume_of_box(const cm_aabb *box) {
    cm_vec3 size = cm_sub(box->max, box->min);
    return size.x * size.y * size.z;
}

/* The edge of the cube around the ball in which the shape stays however it turns about its middle: the box that need
 * never adapt. The ball reaches to the farthest corner of the shape's own box; for a box that is exact. */
static double edge_for_all_turns(const cm_shape *shape) {
    cm_pose still = cm_pose_identity();
    cm_aabb box;
    cm_shape_bounds(shape, &still, &box);
    return cm_length(cm_sub(box.max, box.min));
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

void measures_take(measures *m, const stage *s, const cm_world *world, const uint32_t *ids, double time) {
    if (s->clearance[0] != STAGE_NONE) take_gap(m, s, world, ids, time);
    if (s->boxed != STAGE_NONE) take_box(m, s, world, ids, time);
}

void trace_name(FILE *file, const char *name) {
    fputs(is_formula(name) ? "\"'" : "\"", file);
    for (; *name; name++) {
        if (*name == '"') fputc('"', file);
        fputc(*name, file);
    }
    fputs("\",", file);
}

void trace_vec3(FILE *file, cm_vec3 v) { fprintf(file, "%.17g,%.17g,%.17g,", v.x + 0.0, v.y + 0.0, v.z + 0.0); }

void measures_trace(const measures *m, const stage *s, uint32_t step, FILE *trace) {
    if (m->gap_count > 0 && m->gaps[m->gap_count - 1].distance < CM_REAL_MAX) {
        const gap_sample *g = &m->gaps[m->gap_count - 1];
        fprintf(trace, "%u,%.17g,clearance,", step, g->time);
        trace_name(trace, s->objects[g->a].name);
        trace_name(trace, s->objects[g->b].name);
        trace_vec3(trace, g->point_a);
        trace_vec3(trace, g->normal);
        fprintf(trace, "%.17g\n", 0 - g->distance);
    }
    if (m->box_count > 0) {
        const box_sample *b = &m->boxes[m->box_count - 1];
        fprintf(trace, "%u,%.17g,box,", step, b->time);
        trace_name(trace, s->objects[s->boxed].name);
        fputs("\"\",", trace);
        trace_vec3(trace, b->box.min);
        trace_vec3(trace, b->box.max);
        fputc('\n', trace);
    }
}

static void print_gap(const measures *m, const stage *s) {
    const gap_sample *g = &m->gaps[m->gap_least];
    const char *first = s->classes[s->clearance[0]], *second = s->classes[s->clearance[1]];
    if (g->distance < CM_REAL_MAX)
        printf("clearance %.9g between %s and %s, at %g s: %s to %s\n", g->distance, first, second, g->time,
               s->objects[g->a].name, s->objects[g->b].name);
    else if (s->clearance_limit < CM_COORD_MAX)
        printf("clearance more than %g between %s and %s\n", s->clearance_limit, first, second);
    else
        printf("clearance none: no two objects of %s and %s\n", first, second);
}

static void print_box(const measures *m, const stage *s) {
    double least = HUGE_VAL, most = 0, sum = 0, edge = edge_for_all_turns(&s->shapes[s->objects[s->boxed].shape].shape);
    for (size_t i = 0; i < m->box_count; i++) {
        double volume = volume_of_box(&m->boxes[i].box);
        least = fmin(least, volume), most = fmax(most, volume), sum += volume;
    }
    double mean = sum / (double)m->box_count, fixed = edge * edge * edge;
    printf("box       of %s, adapted each step: volume %.6g to %.6g, mean %.6g\n", s->objects[s->boxed].name, least,
           most, mean);
    printf("          one that holds it however it turns: %.6g, %.3g times the mean\n", fixed, fixed / mean);
}

void measures_print(const measures *m, const stage *s) {
    if (m->gap_count > 0) print_gap(m, s);
    if (m->box_count > 0) print_box(m, s);
}

void measures_free(measures *m) {
    free(m->gaps);
    free(m->boxes);
    *m = (measures){0};
}
