/* bench_structures [COUNT [FRAMES]]: what the options of the structures do, on one workload: octrees and quadtrees,
 * loose and clipped, by threshold, looseness and depth; sort and sweep along one axis and along three. COUNT cubes
 * (10,000) in a unit cube, of edges that make the number of pairs stay in proportion; all of them move in each frame,
 * or one in a hundred. Printed: tests of the last frame, nodes, bytes, and milliseconds of the best of FRAMES (12)
 * frames: move, update, list of all pairs. The numbers of pairs are compared in every frame. */
#include <carom/carom.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct row {
    const char *name;
    cm_broad_desc desc;
} row;

static const row rows[] = {
    {"octree, loose (12 to a cell, looseness 2)", {.kind = CM_BROAD_OCTREE}},
    {"octree, loose, 2 to a cell", {.kind = CM_BROAD_OCTREE, .split = 2}},
    {"octree, loose, 6 to a cell", {.kind = CM_BROAD_OCTREE, .split = 6}},
    {"octree, loose, 30 to a cell", {.kind = CM_BROAD_OCTREE, .split = 30}},
    {"octree, loose, 100 to a cell", {.kind = CM_BROAD_OCTREE, .split = 100}},
    {"octree, loose, looseness 1.25", {.kind = CM_BROAD_OCTREE, .loose = CM_REAL(1.25)}},
    {"octree, loose, looseness 1.5", {.kind = CM_BROAD_OCTREE, .loose = CM_REAL(1.5)}},
    {"octree, loose, looseness 3", {.kind = CM_BROAD_OCTREE, .loose = 3}},
    {"octree, loose, looseness 8", {.kind = CM_BROAD_OCTREE, .loose = 8}},
    {"octree, loose, 3 levels", {.kind = CM_BROAD_OCTREE, .levels = 3}},
    {"octree, loose, 5 levels", {.kind = CM_BROAD_OCTREE, .levels = 5}},
    {"octree, clipped (12 to a cell, looseness 2)", {.kind = CM_BROAD_OCTREE, .clipped = true}},
    {"octree, clipped, 6 to a cell", {.kind = CM_BROAD_OCTREE, .clipped = true, .split = 6}},
    {"octree, clipped, 30 to a cell", {.kind = CM_BROAD_OCTREE, .clipped = true, .split = 30}},
    {"octree, clipped, 100 to a cell", {.kind = CM_BROAD_OCTREE, .clipped = true, .split = 100}},
    {"octree, clipped, looseness 1.25", {.kind = CM_BROAD_OCTREE, .clipped = true, .loose = CM_REAL(1.25)}},
    {"octree, clipped, looseness 1.5", {.kind = CM_BROAD_OCTREE, .clipped = true, .loose = CM_REAL(1.5)}},
    {"octree, clipped, looseness 3", {.kind = CM_BROAD_OCTREE, .clipped = true, .loose = 3}},
    {"quadtree, loose", {.kind = CM_BROAD_QUADTREE}},
    {"quadtree, clipped", {.kind = CM_BROAD_QUADTREE, .clipped = true}},
    {"quadtree, clipped, looseness 1.25", {.kind = CM_BROAD_QUADTREE, .clipped = true, .loose = CM_REAL(1.25)}},
    {"sort and sweep, one axis", {.kind = CM_BROAD_SWEEP}},
    {"sort and sweep, three axes", {.kind = CM_BROAD_SWEEP3}},
    {"k-d tree", {.kind = CM_BROAD_BSP}},
    {"tree of boxes", {.kind = CM_BROAD_BVH}},
    {"grid", {.kind = CM_BROAD_GRID}},
};
enum { ROWS = sizeof rows / sizeof *rows };

static uint64_t state;
static double uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * (1.0 / 9007199254740992.0);
}

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "bench_structures: %s\n", what);
    exit(1);
}

/* The pairs of the last frame; prints the row. */
static size_t run(const row *r, uint32_t count, int frames, uint32_t every, double edge) {
    cm_aabb *boxes = malloc(count * sizeof *boxes);
    uint32_t *ids = malloc(count * sizeof *ids), moved = 0;
    uint32_t *moved_ids = malloc(count * sizeof *ids);
    cm_aabb *moved_boxes = malloc(count * sizeof *boxes);
    cm_broad *b = NULL;
    cm_broad_pair_view pairs = {NULL, 0};
    double best = 1e30;
    state = 71;
    for (uint32_t i = 0; i < count; ++i) {
        const cm_real half = (cm_real)(edge * (0.5 + uniform()) / 2);
        const cm_vec3 c = cm_v((cm_real)uniform(), (cm_real)uniform(), (cm_real)uniform());
        boxes[i].min = cm_sub(c, cm_v(half, half, half)), boxes[i].max = cm_add(c, cm_v(half, half, half));
    }
    if (cm_broad_create(&r->desc, &b, NULL) != CM_OK || cm_broad_add_many(b, boxes, 0, count, NULL, ids) != CM_OK ||
        cm_broad_find_pairs(b, 0, &pairs) != CM_OK) {
        fail("cannot be made");
    }
    for (int f = 0; f < frames; ++f) {
        moved = 0;
        for (uint32_t i = (uint32_t)f % every; i < count; i += every) {
            const double most = edge / 12;
            const cm_vec3 by = cm_v((cm_real)((2 * uniform() - 1) * most), (cm_real)((2 * uniform() - 1) * most),
                                    (cm_real)((2 * uniform() - 1) * most));
            boxes[i].min = cm_add(boxes[i].min, by), boxes[i].max = cm_add(boxes[i].max, by);
            moved_ids[moved] = ids[i], moved_boxes[moved++] = boxes[i];
        }
        const double start = milliseconds();
        if (cm_broad_move_many(b, moved_ids, moved_boxes, 0, moved) != CM_OK || cm_broad_update(b) != CM_OK ||
            cm_broad_find_pairs(b, 0, &pairs) != CM_OK) {
            fail("cannot be updated");
        }
        const double ms = milliseconds() - start;
        if (ms < best) best = ms;
    }
    cm_broad_stats stats;
    cm_broad_get_stats(b, &stats);
    printf("| %s | %llu | %u | %zu | %.3g |\n", r->name, (unsigned long long)stats.tests, stats.nodes, stats.bytes,
           best);
    cm_broad_destroy(b);
    free(boxes), free(ids), free(moved_ids), free(moved_boxes);
    return pairs.count;
}

int main(int argc, char **argv) {
    const uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 10000;
    const int frames = argc > 2 ? atoi(argv[2]) : 12;
    if (count < 1 || frames < 1) {
        fprintf(stderr, "usage: bench_structures [COUNT [FRAMES]]\n");
        return 2;
    }
    for (int sparse = 0; sparse < 2; ++sparse) {
        const double edge = (sparse ? 0.02 : 0.06) * pow(10000.0 / count, 1.0 / 3);
        for (uint32_t every = 1; every <= 100; every *= 100) {
            size_t expected = 0;
            printf("\n%u cubes of edge %.3g to %.3g, one in %u moves\n\n", count, edge / 2, 3 * edge / 2, every);
            printf("| | tests | nodes | bytes | ms a frame |\n|---|---|---|---|---|\n");
            for (int i = 0; i < ROWS; ++i) {
                const size_t found = run(&rows[i], count, frames, every, edge);
                if (i == 0) expected = found;
                if (found != expected) fail("the structures disagree");
            }
            printf("\n%zu pairs\n", expected);
        }
    }
    return 0;
}
