/* Every broad phase on the boxes of one scene: see compare_broad.h.
 *
 * The kinds take turns within each step, and the first of them is another one each step, so that what else the machine
 * does falls on all of them. Timed are what a frame costs: the new boxes, the update and the list of pairs. The lists
 * are then sorted, untimed, and compared one by one with that of the first kind. */
#include "compare_broad.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct broad_side {
    cm_broad *broad;
    uint32_t *ids; /* of the objects; 0 = not there */
    double *seconds;
    size_t capacity;
    uint64_t tests;
} broad_side;

struct broad_comparison {
    broad_side sides[CM_BROAD_KIND_COUNT];
    cm_aabb *boxes; /* of those that moved, with their ids in the kind that is at it */
    uint32_t *objects, *moved;
    uint32_t count;
    size_t steps;
    uint64_t pairs;
};

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

broad_comparison *broad_comparison_start(uint32_t count) {
    broad_comparison *c = allocate(1, sizeof *c);
    c->count = count;
    c->boxes = allocate(count + 1u, sizeof *c->boxes);
    c->objects = allocate(count + 1u, sizeof *c->objects);
    c->moved = allocate(count + 1u, sizeof *c->moved);
    for (int i = 0; i < CM_BROAD_KIND_COUNT; i++) c->sides[i].ids = allocate(count + 1u, sizeof *c->sides[i].ids);
    return c;
}

/* --- a step --------------------------------------------------------------------------------------------------------
 */

/* Objects that are new to a kind, or gone. Like the world's own: layers and masks, and fixed ones never pair. */
static cm_status follow(broad_comparison *c, broad_side *side, const cm_world *world, const uint32_t *ids) {
    for (uint32_t i = 0; i < c->count; i++) {
        cm_world_object_desc object;
        cm_aabb box;
        bool there = cm_world_get(world, ids[i], &object) == CM_OK && cm_world_get_box(world, ids[i], &box) == CM_OK;
        if (!there && side->ids[i]) {
            cm_broad_remove(side->broad, side->ids[i]);
            side->ids[i] = 0;
        } else if (there && !side->ids[i]) {
            cm_broad_object_desc desc = {.box = box, .layer = object.layer, .mask = object.mask, .user = i};
            desc.fixed = object.fixed;
            cm_status status = cm_broad_add(side->broad, &desc, &side->ids[i]);
            if (status != CM_OK) return status;
        }
    }
    return CM_OK;
}

static cm_status frame_of_kind(broad_comparison *c, broad_side *side, uint32_t moved) {
    cm_broad_pair_view pairs;
    for (uint32_t i = 0; i < moved; i++) c->moved[i] = side->ids[c->objects[i]];
    double start = seconds_now();
    cm_status status = cm_broad_move_many(side->broad, c->moved, c->boxes, 0, moved);
    if (status == CM_OK) status = cm_broad_update(side->broad);
    if (status == CM_OK) status = cm_broad_find_pairs(side->broad, 0, &pairs);
    double end = seconds_now();
    cm_broad_stats stats;
    cm_broad_get_stats(side->broad, &stats);
    side->seconds = grow(side->seconds, c->steps, &side->capacity, sizeof *side->seconds);
    side->seconds[c->steps] = end - start, side->tests += stats.tests;
    return status;
}

static const char *name_of_kind(int kind) { return cm_broad_kind_text((cm_broad_kind)kind); }

/* Ids of the kinds are equal, as all were told the same in the same order. */
static int compare_pairs_of(broad_comparison *c) {
    cm_broad_pair_view first, other;
    if (cm_broad_find_pairs(c->sides[CM_BROAD_BRUTE].broad, CM_BROAD_SORTED, &first) != CM_OK)
        return complain(EXIT_INTERNAL, "out of memory");
    c->pairs += first.count;
    for (int i = 0; i < CM_BROAD_KIND_COUNT; i++) {
        if (i == CM_BROAD_BRUTE) continue;
        if (cm_broad_find_pairs(c->sides[i].broad, CM_BROAD_SORTED, &other) != CM_OK)
            return complain(EXIT_INTERNAL, "out of memory");
        bool same = other.count == first.count;
        if (!same || (first.count && memcmp(first.pairs, other.pairs, first.count * sizeof *first.pairs) != 0))
            return complain(EXIT_INTERNAL, "the broad phases disagree: step %zu, %s finds %zu pairs, %s %zu",
                            c->steps + 1, name_of_kind(CM_BROAD_BRUTE), first.count, name_of_kind(i), other.count);
    }
    return 0;
}

int broad_comparison_step(broad_comparison *c, const cm_world *world, const uint32_t *ids) {
    cm_status status = CM_OK;
    uint32_t moved = 0;
    for (int i = 0; i < CM_BROAD_KIND_COUNT && status == CM_OK; i++) {
        cm_broad_desc desc = {.kind = (cm_broad_kind)i, .capacity = c->count};
        if (!c->sides[i].broad) status = cm_broad_create(&desc, &c->sides[i].broad, NULL);
        if (status == CM_OK) status = follow(c, &c->sides[i], world, ids);
    }
    for (uint32_t i = 0; i < c->count && status == CM_OK; i++) {
        cm_broad_object_desc known;
        uint32_t id = c->sides[CM_BROAD_BRUTE].ids[i];
        if (!id || cm_broad_get(c->sides[CM_BROAD_BRUTE].broad, id, &known) != CM_OK || known.fixed) continue;
        if (cm_world_get_box(world, ids[i], &c->boxes[moved]) == CM_OK) c->objects[moved++] = i;
    }
    for (int i = 0; i < CM_BROAD_KIND_COUNT && status == CM_OK; i++)
        status = frame_of_kind(c, &c->sides[((size_t)i + c->steps) % CM_BROAD_KIND_COUNT], moved);
    if (status == CM_NO_MEMORY) return complain(EXIT_INTERNAL, "out of memory");
    if (status != CM_OK) return complain(EXIT_INTERNAL, "the broad phase: %s", cm_status_text(status));
    int code = compare_pairs_of(c);
    c->steps++;
    return code;
}

/* --- the answer ----------------------------------------------------------------------------------------------------
 */

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

void broad_comparison_print(const broad_comparison *c) {
    if (c->steps == 0) return;
    printf("%-16s %12s %14s %12s %10s\n", "broad phase", "pairs/step", "tests/step", "bytes", "ms/step");
    for (int i = 0; i < CM_BROAD_KIND_COUNT; i++) {
        const broad_side *side = &c->sides[i];
        cm_broad_stats stats;
        char name[64];
        cm_broad_get_stats(side->broad, &stats);
        snprintf(name, sizeof name, stats.kind == (cm_broad_kind)i ? "%s" : "%s (%s)", name_of_kind(i),
                 cm_broad_kind_text(stats.kind));
        qsort(side->seconds, c->steps, sizeof *side->seconds, by_size);
        printf("%-16s %12.1f %14.1f %12zu %10.3f\n", name, (double)c->pairs / (double)c->steps,
               (double)side->tests / (double)c->steps, stats.bytes, 1e3 * side->seconds[c->steps / 2]);
    }
    printf("(the time is the median of the steps: new boxes, update, list of pairs; %u objects)\n", c->count);
}

void broad_comparison_free(broad_comparison *c) {
    if (!c) return;
    for (int i = 0; i < CM_BROAD_KIND_COUNT; i++) {
        cm_broad_destroy(c->sides[i].broad);
        free(c->sides[i].ids);
        free(c->sides[i].seconds);
    }
    free(c->boxes);
    free(c->objects);
    free(c->moved);
    free(c);
}
