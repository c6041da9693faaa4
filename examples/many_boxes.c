/* Ten thousand boxes on the move: which pairs overlap, which began and which ended since the last frame?
 *     cc many_boxes.c $(pkg-config --cflags --libs carom) -o many_boxes */
#include <carom/carom.h>

#include <stdint.h>
#include <stdio.h>

enum { COUNT = 10000 };
static cm_aabb boxes[COUNT];
static cm_vec3 speed[COUNT];
static uint32_t ids[COUNT];

static cm_real number(void) { /* the same numbers everywhere */
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (cm_real)(state >> 8) / (cm_real)(1 << 24);
}

int main(void) {
    for (int i = 0; i < COUNT; ++i) {
        cm_vec3 at = cm_v(number() * 60, number() * 60, number() * 60);
        boxes[i].min = at;
        boxes[i].max = cm_add(at, cm_v(1, 1, 1));
        speed[i] = cm_v(number() - CM_REAL(0.5), number() - CM_REAL(0.5), number() - CM_REAL(0.5));
    }
    cm_broad_desc desc = {0}; /* the kind picks itself */
    desc.changes = true;
    cm_broad *broad = NULL;
    if (cm_broad_create(&desc, &broad, NULL) != CM_OK) return 1;
    if (cm_broad_add_many(broad, boxes, 0, COUNT, NULL, ids) != CM_OK) return 1;
    for (int frame = 0; frame < 4; ++frame) {
        cm_broad_pair_view pairs;
        cm_broad_changes changes;
        if (cm_broad_update(broad) != CM_OK || cm_broad_find_pairs(broad, 0, &pairs) != CM_OK) return 1;
        cm_broad_get_changes(broad, &changes);
        printf("frame %d: %zu pairs, %zu began, %zu ended\n", frame, pairs.count, changes.began.count,
               changes.ended.count);
        for (int i = 0; i < COUNT; ++i) {
            boxes[i].min = cm_add(boxes[i].min, speed[i]);
            boxes[i].max = cm_add(boxes[i].max, speed[i]);
        }
        cm_broad_move_many(broad, ids, boxes, 0, COUNT);
    }
    cm_broad_stats stats;
    cm_broad_get_stats(broad, &stats);
    printf("by %s\n", cm_broad_kind_text(stats.kind));
    cm_broad_destroy(broad);
    return 0;
}
