/* Findings gathered by where they are: see places.h. Each cut leaves at most three quarters of the longest side on
 * either hand, so their depth is bounded whatever the input. cli/page/report/groups.js does the same. */
#include "check/places.h"

#include "common/text.h"
#include "read/read.h"

#include <math.h>
#include <stdlib.h>

enum { PLACE_SHARE = 12 };

cm_vec3 finding_place(const scene *s, const cm_finding *f) {
    switch (f->result.relation) {
    case CM_RELATION_IDENTICAL:
    case CM_RELATION_A_IN_B:
        return cm_aabb_center(&s->parts[f->part_a].box);
    case CM_RELATION_B_IN_A:
        return cm_aabb_center(&s->parts[f->part_b].box);
    default:
        break;
    }
    if (f->outline_box.min.x <= f->outline_box.max.x) return cm_aabb_center(&f->outline_box);
    return cm_lerp(f->result.point_a, f->result.point_b, 0.5);
}

typedef struct placed_finding {
    cm_vec3 at;
    double along; /* the axis that is cut */
    uint32_t number;
} placed_finding;

static int compare_along(const void *left, const void *right) {
    const placed_finding *a = left, *b = right;
    if (a->along != b->along) return a->along < b->along ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* How many come before the cut of a sorted list: in the widest gap whose middle lies in the middle half, of equal ones
 * that nearest to the middle. */
static uint32_t find_cut(const placed_finding *list, uint32_t count) {
    const double low = list[0].along, size = list[count - 1].along - low;
    double widest = -1, nearest = 0;
    uint32_t cut = count / 2;
    for (uint32_t i = 1; i < count; i++) {
        const double gap = list[i].along - list[i - 1].along;
        const double off = fabs((list[i].along + list[i - 1].along) / 2 - low - size / 2);
        if (off > size / 4 || gap < widest || (gap == widest && off >= nearest)) continue;
        widest = gap, nearest = off, cut = i;
    }
    return cut;
}

static cm_aabb box_around(const placed_finding *list, uint32_t count) {
    cm_aabb box = cm_aabb_empty();
    for (uint32_t i = 0; i < count; i++) box = cm_aabb_add_point(box, list[i].at);
    return box;
}

uint32_t find_places(const scene *s, const cm_check_result *found, uint32_t *of, cm_vec3 **middles) {
    typedef struct range {
        uint32_t first, count;
    } range;
    placed_finding *list = allocate(found->count, sizeof *list);
    uint32_t count = 0, places = 0;
    for (uint32_t i = 0; i < (uint32_t)found->count; i++) {
        of[i] = CM_NONE;
        if (found->findings[i].allowed == CM_NONE)
            list[count++] = (placed_finding){finding_place(s, &found->findings[i]), 0, i};
    }
    range *open = allocate(count, sizeof *open);
    *middles = allocate(count, sizeof **middles);
    uint32_t waiting = 0;
    cm_aabb box;
    const double most = scene_bounds(s, &box) / PLACE_SHARE;
    if (count > 0) open[waiting++] = (range){0, count};
    while (waiting > 0) {
        const range r = open[--waiting];
        placed_finding *here = &list[r.first];
        box = box_around(here, r.count);
        const cm_vec3 size = cm_sub(box.max, box.min);
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        if (!(cm_largest(size) > most)) {
            for (uint32_t i = 0; i < r.count; i++) of[here[i].number] = places;
            (*middles)[places++] = cm_aabb_center(&box);
            continue;
        }
        for (uint32_t i = 0; i < r.count; i++)
            here[i].along = axis == 0 ? here[i].at.x : axis == 1 ? here[i].at.y : here[i].at.z;
        qsort(here, r.count, sizeof *here, compare_along);
        const uint32_t cut = find_cut(here, r.count);
        open[waiting++] = (range){r.first + cut, r.count - cut};
        open[waiting++] = (range){r.first, cut};
    }
    free(open);
    free(list);
    return places;
}
