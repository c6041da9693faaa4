/* A thousand boxes at once: the broad phase finds pairs of their bounds, a batch tells which really overlap.
 *     cc batch.c $(pkg-config --cflags --libs carom) -o batch */
#include <carom/carom.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000 };
static cm_shape shape;
static cm_pose poses[COUNT];
static uint32_t shape_of[COUNT]; /* all have shape 0 */
static cm_aabb bounds[COUNT];

static cm_real number(void) { /* the same numbers everywhere */
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (cm_real)(state >> 8) / (cm_real)(1 << 24);
}

int main(void) {
    shape = cm_make_box(cm_v(1, CM_REAL(0.5), CM_REAL(0.25)));
    for (int i = 0; i < COUNT; ++i) {
        poses[i].position = cm_v(number() * 20, number() * 20, number() * 20);
        poses[i].rotation = cm_quat_normalize((cm_quat){number(), number(), number(), 1});
        cm_shape_bounds(&shape, &poses[i], &bounds[i]);
    }
    cm_broad_pair_list near = {0};
    if (cm_broad_pairs(bounds, COUNT, NULL, &near) != CM_OK) return 1;
    bool *touch = malloc(near.count * sizeof *touch);
    cm_batch batch = {.shapes = &shape,
                      .shape_count = 1,
                      .shape_of = shape_of,
                      .poses = poses,
                      .pose_count = COUNT,
                      .pairs = near.pairs,
                      .pair_count = near.count};
    cm_error error;
    if (!touch || cm_overlap_many(&batch, touch, &error) != CM_OK) return 1;
    size_t touching = 0;
    for (size_t i = 0; i < near.count; ++i) touching += touch[i];
    printf("%zu pairs of bounds, %zu of boxes\n", near.count, touching);
    free(touch);
    cm_broad_pair_list_free(&near, NULL);
    return 0;
}
