/* Impulses of clusters (cluster.c) are kept from step to step: what rests needs nearly the same again, and a tall stack
 * or a wall takes as many rounds as it has when it was put up, and next to none later (warm start). They are part of
 * the state that is saved. */
#include "base/memory.h"
#include "base/sort.h"
#include "dynamics/cluster.h"
#include "dynamics/cluster_solve.h"

#include <float.h>

static int cluster_compare_pairs(uint32_t a, uint32_t b, const cm__dynamics_kept *k) {
    return a != k->a ? (a < k->a ? -1 : 1) : b != k->b ? (b < k->b ? -1 : 1) : 0;
}
static int cluster_compare_kept(const void *p, const void *q) {
    const cm__dynamics_kept *i = p, *k = q;
    const int pairs = cluster_compare_pairs(i->a, i->b, k);
    return pairs ? pairs : i->place < k->place ? -1 : i->place > k->place;
}

/* The first of these two objects. */
static size_t cluster_find_kept(const cm_dynamics *d, uint32_t a, uint32_t b) {
    size_t low = 0, high = d->kept_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (cluster_compare_pairs(a, b, &d->kept[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Gives an impulse to the nearest point of these parts, all of the same two, that it pushes apart. */
static void cluster_take_kept(cm_dynamics *d, const cm__dynamics_part *part, const cm__dynamics_part *end,
                              const cm__dynamics_kept *kept) {
    double nearest = DBL_MAX;
    cm__impact_point *best = NULL;
    for (; part < end; part++) {
        if (!(cm__point_dot(kept->impulse, part->impact.normal) > 0)) continue;
        for (int k = 0; k < part->impact.count; k++) {
            const cm__point off = cm__point_sub(part->impact.at[k], kept->at);
            const double square = cm__point_dot(off, off);
            if (!(square < nearest)) continue;
            nearest = square, best = &d->points[part->first + (size_t)k];
        }
    }
    for (int n = 0; best && n < CM__IMPACT_ROWS; n++)
        best->rows[n].pushed += cm__point_dot(kept->impulse, best->rows[n].along);
}

/* Begins with the impulses of the step before: what rests needs nearly the same again. */
void cm__cluster_begin(cm_dynamics *d) {
    for (size_t i = 0, end; i < d->part_count; i = end) {
        const uint32_t a = d->parts[i].a, b = d->parts[i].b;
        for (end = i + 1; end < d->part_count && d->parts[end].a == a && d->parts[end].b == b;) end++;
        if (d->parts[i].struck) continue;
        for (size_t k = cluster_find_kept(d, a, b); k < d->kept_count && !cluster_compare_pairs(a, b, &d->kept[k]); k++)
            cluster_take_kept(d, &d->parts[i], &d->parts[end], &d->kept[k]);
        for (size_t n = i; n < end; n++) {
            const cm__dynamics_part *part = &d->parts[n];
            bool any = false;
            for (int k = 0; k < part->impact.count; k++)
                any |= cm__impact_begin(&part->on[0]->now, &part->on[1]->now, &d->points[part->first + (size_t)k]);
            if (any) cm__cluster_note_change(part);
        }
    }
}

/* Keeps the impulses for the next step. False: no memory. */
bool cm__cluster_keep(cm_dynamics *d) {
    void *items = d->kept;
    d->kept_count = 0;
    if (!cm__reserve(cm__dynamics_memory(d), &items, &d->kept_capacity, d->point_count, sizeof *d->kept)) return false;
    d->kept = items;
    for (size_t i = 0; i < d->part_count; i++) {
        const cm__dynamics_part *part = &d->parts[i];
        cm__dynamics_body *a = cm__body_of(d, part->a), *b = cm__body_of(d, part->b);
        bool bears = false;
        for (int k = 0; k < part->impact.count; k++) bears |= d->points[part->first + (size_t)k].rows[0].pushed > 0;
        if (a) a->rests |= bears;
        if (b) b->rests |= bears;
        for (int k = 0; k < part->impact.count; k++) {
            const cm__point found = cm__impact_impulse(&d->points[part->first + (size_t)k]);
            const bool finite = cm__point_dot(found, found) <= DBL_MAX; /* else beyond the range of numbers: none */
            d->kept[d->kept_count] = (cm__dynamics_kept){part->a, part->b, (uint32_t)d->kept_count, part->impact.at[k],
                                                         finite ? found : cm__p(0, 0, 0)};
            d->kept_count++;
        }
    }
    cm__sort(d->kept, d->kept_count, sizeof *d->kept, cluster_compare_kept);
    return true;
}

bool cm__cluster_has(const cm_dynamics *d, uint32_t a, uint32_t b) {
    const size_t i = cluster_find_kept(d, a, b);
    return i < d->kept_count && !cluster_compare_pairs(a, b, &d->kept[i]);
}
