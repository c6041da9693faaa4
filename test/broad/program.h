/* Random programs for the broad phase, and an oracle that knows nothing but boxes and two nested loops. */
#ifndef TEST_BROAD_PROGRAM_H
#define TEST_BROAD_PROGRAM_H

#include "support/support.h"

enum { PROGRAM_MOST = 160 };

typedef struct model_object {
    bool live, fixed;
    uint32_t id, layer, mask;
    cm_aabb box;
} model_object;

typedef struct model {
    model_object objects[PROGRAM_MOST]; /* live ones anywhere */
    cm_broad_pair before[PROGRAM_MOST * PROGRAM_MOST], now[PROGRAM_MOST * PROGRAM_MOST];
    size_t before_count, now_count;
} model;

/* How boxes are drawn. */
typedef enum scene {
    SCENE_CROWD,    /* each overlaps a few others */
    SCENE_ONE_SPOT, /* all in one place */
    SCENE_LINE,     /* all along an axis */
    SCENE_GIANT,    /* one giant among dust */
    SCENE_POINTS,   /* zero size, many coincide */
    SCENE_LATTICE,  /* integer boxes that touch */
    SCENE_INFINITE, /* some reach to infinity */
    SCENE_EQUAL,    /* only four different boxes */
    SCENE_TINY,     /* around 1e-6 */
    SCENE_HUGE,     /* around 1e6, far from the origin */
    SCENE_DECADES,  /* sizes over eight decades */
    SCENE_COUNT
} scene;
const char *scene_name(scene s);
cm_aabb scene_box(rng *r, scene s);

void model_find_pairs(model *m); /* into now, sorted */
void check_pairs(const model *m, cm_broad *b, const char *what);
void check_changes(const model *m, cm_broad *b, const char *what);
void check_queries(const model *m, const cm_broad *b, rng *r, scene s, const char *what);
int compare_pairs(const void *a, const void *b);

#endif
