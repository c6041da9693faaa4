/* The same bytes whatever the number of threads and the instruction set; the recorded cloth; pictures of the structure.
 */
#include "support/support.h"

#include <math.h>

enum { MANY = 60000 };

static void make_boxes(cm_aabb *boxes, uint32_t n, uint64_t seed, bool clusters) {
    rng r = {seed};
    for (uint32_t i = 0; i < n; ++i) {
        cm_vec3 c = rng_vec3(&r, 20);
        double size = clusters ? rng_log_range(&r, 1e-3, 1) : 0.4;
        if (clusters && i % 4) c = cm_scale(c, CM_REAL(0.1));
        cm_vec3 h = cm_scale(cm_v((cm_real)rng_unit(&r), (cm_real)rng_unit(&r), (cm_real)rng_unit(&r)), (cm_real)size);
        boxes[i].min = cm_sub(c, h), boxes[i].max = cm_add(c, h);
    }
}

/* Pairs as they come, with some static, some filtered, over three frames of motion, all behind one another. */
static cm_broad_pair *run_story(const cm_broad_desc *desc, const cm_aabb *start, uint32_t n, size_t *count) {
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(desc, &b, NULL), CM_OK);
    cm_aabb *boxes = malloc(n * sizeof *boxes);
    uint32_t *ids = malloc(n * sizeof *ids);
    memcpy(boxes, start, n * sizeof *boxes);
    cm_broad_object_desc fixed = {.fixed = true};
    assert_int_equal(cm_broad_add_many(b, boxes, 0, n / 2, NULL, ids), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes + n / 2, 0, n - n / 2, &fixed, ids + n / 2), CM_OK);
    cm_broad_pair *all = NULL;
    *count = 0;
    for (int frame = 0; frame < 3; ++frame) {
        cm_broad_pair_view view;
        cm_broad_changes changes;
        assert_int_equal(cm_broad_update(b), CM_OK);
        assert_int_equal(cm_broad_get_changes(b, &changes), CM_OK);
        cm_broad_pair_view began = changes.began, ended = changes.ended;
        all = realloc(all, (*count + began.count + ended.count + 1) * sizeof *all);
        if (began.count) memcpy(all + *count, began.pairs, began.count * sizeof *all);
        *count += began.count;
        if (ended.count) memcpy(all + *count, ended.pairs, ended.count * sizeof *all);
        *count += ended.count;
        assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
        all = realloc(all, (*count + view.count + 1) * sizeof *all);
        memcpy(all + *count, view.pairs, view.count * sizeof *all);
        *count += view.count;
        for (uint32_t i = 0; i < n / 2; ++i) {
            cm_vec3 by = cm_scale(cm_sub(boxes[i].max, boxes[i].min), CM_REAL(0.25));
            boxes[i].min = cm_add(boxes[i].min, by), boxes[i].max = cm_add(boxes[i].max, by);
        }
        assert_int_equal(cm_broad_move_many(b, ids, boxes, 0, n / 2), CM_OK);
        assert_int_equal(cm_broad_set_filter(b, ids[frame], 2, 2), CM_OK);
    }
    cm_broad_destroy(b);
    free(boxes), free(ids);
    return all;
}

static void check_stories(const cm_broad_desc *one, const cm_broad_desc *other, const char *isa, bool clusters,
                          const char *what) {
    static cm_aabb boxes[MANY];
    const uint32_t many = (uint32_t)samples(MANY, MANY);
    make_boxes(boxes, many, 31, clusters);
    size_t count, others;
    unsetenv("CAROM_ISA");
    cm_broad_pair *expected = run_story(one, boxes, many, &count);
    if (isa) setenv("CAROM_ISA", isa, 1);
    cm_broad_pair *is = run_story(other, boxes, many, &others);
    unsetenv("CAROM_ISA");
    check_that(count > many / 6, "%zu pairs of %u boxes", count, many);
    check_that(count == others, "%s: %zu pairs, expected %zu", what, others, count);
    check_that(memcmp(expected, is, count * sizeof *is) == 0, "%s: another order", what);
    free(expected), free(is);
}

static void pairs_are_the_same_bytes_for_any_number_of_threads(void **state) {
    (void)state;
    for (int workers = 2; workers <= 5; workers += 3) {
        cm_pool *pool = NULL;
        assert_int_equal(cm_pool_create(workers, NULL, &pool), CM_OK);
        cm_tasks tasks;
        cm_pool_tasks(pool, &tasks);
        for (int clusters = 0; clusters < 2; ++clusters) {
            cm_broad_desc serial = {.kind = CM_BROAD_GRID, .changes = true}, threaded = serial;
            threaded.tasks = &tasks;
            char what[60];
            snprintf(what, sizeof what, "%d workers, clusters %d", workers, clusters);
            check_stories(&serial, &threaded, NULL, clusters != 0, what);
        }
        cm_pool_destroy(pool);
    }
}

static void pairs_are_the_same_bytes_for_any_instruction_set(void **state) {
    (void)state;
    const char *sets[] = {"sse2", "avx2", "avx512"};
    for (int i = 0; i < 3; ++i) {
        for (int kind = CM_BROAD_SWEEP; kind <= CM_BROAD_GRID; ++kind) {
            cm_broad_desc desc = {.kind = (cm_broad_kind)kind, .changes = true};
            check_stories(&desc, &desc, sets[i], kind == CM_BROAD_GRID, sets[i]);
        }
    }
}

/* --- recorded cloth ------------------------------------------------------------------------------------------ */

typedef struct cloth {
    double *points[2]; /* two frames */
    int32_t (*faces)[3];
    uint32_t vertices, face_count, edges;
    uint32_t (*edge)[2];
} cloth;

static void load_frame(const char *path, cloth *c, int frame) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char line[200];
    while (fgets(line, sizeof line, file) && strncmp(line, "end_header", 10) != 0) {
        unsigned n;
        if (sscanf(line, "element vertex %u", &n) == 1) c->vertices = n;
        if (sscanf(line, "element face %u", &n) == 1) c->face_count = n;
    }
    c->points[frame] = malloc(3 * c->vertices * sizeof(double));
    assert_int_equal(fread(c->points[frame], 3 * sizeof(double), c->vertices, file), c->vertices);
    if (!c->faces) c->faces = malloc(c->face_count * sizeof *c->faces);
    for (uint32_t f = 0; f < c->face_count; ++f) {
        assert_int_equal(fgetc(file), 3);
        assert_int_equal(fread(c->faces[f], sizeof *c->faces, 1, file), 1);
    }
    fclose(file);
}

static int compare_edges(const void *a, const void *b) {
    const uint32_t *p = a, *q = b; /* by the larger vertex, then the smaller */
    if (p[1] != q[1]) return p[1] < q[1] ? -1 : 1;
    return p[0] < q[0] ? -1 : p[0] > q[0];
}

static void find_edges(cloth *c) {
    c->edge = malloc(3 * c->face_count * sizeof *c->edge);
    uint32_t n = 0;
    for (uint32_t f = 0; f < c->face_count; ++f) {
        for (int k = 0; k < 3; ++k) {
            uint32_t p = (uint32_t)c->faces[f][k], q = (uint32_t)c->faces[f][(k + 1) % 3];
            c->edge[n][0] = p < q ? p : q;
            c->edge[n++][1] = p < q ? q : p;
        }
    }
    qsort(c->edge, n, sizeof *c->edge, compare_edges);
    for (uint32_t i = 0; i < n; ++i) {
        if (i == 0 || compare_edges(c->edge[i], c->edge[c->edges - 1]) != 0) {
            c->edge[c->edges][0] = c->edge[i][0];
            c->edge[c->edges++][1] = c->edge[i][1];
        }
    }
}

static void swept_vertex(const cloth *c, uint32_t v, cm_aabb *box) {
    for (int frame = 0; frame < 2; ++frame) {
        const double *p = c->points[frame] + 3 * v;
        *box = cm_aabb_add_point(*box, cm_v((cm_real)p[0], (cm_real)p[1], (cm_real)p[2]));
    }
}

static int by_pair(const void *a, const void *b) {
    const cm_broad_pair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static void the_recorded_candidates_of_a_cloth_are_found(void **state) {
    (void)state;
    cloth c = {0};
    for (int frame = 0; frame < 2; ++frame) {
        const char *path = data_path(frame ? "ccd/cloth-funnel/frames/228.ply" : "ccd/cloth-funnel/frames/227.ply");
        if (!path) skip();
        load_frame(path, &c, frame);
    }
    find_edges(&c);
    uint32_t n = c.vertices + c.edges + c.face_count;
    cm_aabb *boxes = malloc(n * sizeof *boxes);
    for (uint32_t i = 0; i < n; ++i) {
        boxes[i] = cm_aabb_empty();
        if (i < c.vertices)
            swept_vertex(&c, i, &boxes[i]);
        else if (i < c.vertices + c.edges) {
            for (int k = 0; k < 2; ++k) swept_vertex(&c, c.edge[i - c.vertices][k], &boxes[i]);
        } else {
            for (int k = 0; k < 3; ++k) swept_vertex(&c, (uint32_t)c.faces[i - c.vertices - c.edges][k], &boxes[i]);
        }
    }
    cm_broad_pair_list list = {0}, other = {0};
    cm_broad_pairs_desc desc = {.flags = CM_BROAD_SORTED};
    assert_int_equal(cm_broad_pairs(boxes, n, &desc, &list), CM_OK);
    for (int kind = CM_BROAD_SWEEP; kind < CM_BROAD_KIND_COUNT; ++kind) {
        desc.kind = (cm_broad_kind)kind;
        assert_int_equal(cm_broad_pairs(boxes, n, &desc, &other), CM_OK);
        check_that(other.count == list.count, "%s: %zu pairs, expected %zu", cm_broad_kind_text(desc.kind), other.count,
                   list.count);
        assert_memory_equal(other.pairs, list.pairs, list.count * sizeof *list.pairs);
    }
    const char *names[] = {"ccd/cloth-funnel/boxes/227ee.json", "ccd/cloth-funnel/boxes/227vf.json"};
    for (int f = 0; f < 2; ++f) {
        FILE *file = fopen(data_path(names[f]), "r");
        assert_non_null(file);
        unsigned p, q, found = 0;
        int ch;
        while ((ch = fgetc(file)) != EOF) {
            if (ch != '[' && ch != ',') continue;
            if (fscanf(file, " [%u,%u]", &p, &q) != 2 && fscanf(file, "%u,%u]", &p, &q) != 2) continue;
            cm_broad_pair pair = {p < q ? p : q, p < q ? q : p};
            check_that(bsearch(&pair, list.pairs, list.count, sizeof pair, by_pair) != NULL, "%s: %u %u", names[f], p,
                       q);
            ++found;
        }
        assert_int_equal(found, f ? 92 : 263);
        fclose(file);
    }
    cm_broad_pair_list_free(&list, NULL);
    cm_broad_pair_list_free(&other, NULL);
    free(boxes), free(c.points[0]), free(c.points[1]), free(c.faces), free(c.edge);
}

/* --- pictures ------------------------------------------------------------------------------------------------ */

typedef struct picture {
    cm_aabb all;
    uint32_t boxes, objects, stop_at;
    int last;
} picture;

static bool see_box(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    picture *p = context;
    if (p->boxes == 0) p->all = *box;
    assert_true(p->boxes > 0 || depth == 0);
    assert_true(depth <= p->last + 1); /* parents come before children */
    assert_true(box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z);
    p->last = depth;
    p->objects += objects;
    return ++p->boxes != p->stop_at;
}

static void the_walk_shows_boxes_around_all_objects_parents_first(void **state) {
    (void)state;
    static cm_aabb boxes[2000];
    make_boxes(boxes, 2000, 33, true);
    cm_aabb all = cm_aabb_empty();
    for (int i = 0; i < 2000; ++i) all = cm_aabb_union(all, boxes[i]);
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; ++kind) {
        cm_broad_desc desc = {.kind = (cm_broad_kind)kind};
        cm_broad *b = NULL;
        picture p = {.last = -1};
        assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
        cm_broad_walk(b, see_box, &p);
        assert_int_equal(p.boxes, 0);
        assert_int_equal(cm_broad_add_many(b, boxes, 0, 2000, NULL, NULL), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        cm_broad_walk(b, see_box, &p);
        assert_memory_equal(&p.all, &all, sizeof all);
        assert_true(p.objects >= 2000);
        cm_broad_stats stats;
        cm_broad_get_stats(b, &stats);
        assert_true(kind == CM_BROAD_AUTO || stats.kind == (cm_broad_kind)kind);
        check_that(kind <= CM_BROAD_GRID || p.boxes > 50, "%s: %u boxes", cm_broad_kind_text(desc.kind), p.boxes);
        assert_true(p.boxes <= stats.nodes + 1);
        if (p.boxes > 3) {
            picture q = {.last = -1, .stop_at = 3};
            cm_broad_walk(b, see_box, &q);
            assert_int_equal(q.boxes, 3);
        }
        cm_broad_destroy(b);
    }
}

/* --- the default kind -------------------------------------------------------------------------------------------- */

static cm_broad_kind kind_of(const cm_broad *b) {
    cm_broad_stats stats;
    cm_broad_get_stats(b, &stats);
    return stats.kind;
}

static void auto_changes_its_mind_with_the_scene(void **state) {
    (void)state;
    static cm_aabb boxes[3000];
    static uint32_t ids[3000];
    make_boxes(boxes, 3000, 35, false);
    cm_broad_desc desc = {.changes = true};
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    const uint32_t steps[] = {0, 50, 3000};
    const cm_broad_kind kinds[] = {CM_BROAD_BRUTE, CM_BROAD_GRID};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(cm_broad_add_many(b, boxes + steps[i], 0, steps[i + 1] - steps[i], NULL, ids + steps[i]),
                         CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        assert_int_equal(kind_of(b), kinds[i]);
    }
    for (int frame = 0; frame < 10; ++frame) { /* little moves, and nobody asks for all pairs */
        assert_int_equal(cm_broad_move(b, ids[7], &boxes[frame]), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
    }
    assert_int_equal(kind_of(b), CM_BROAD_BVH);
    cm_broad_pair_view view;
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    assert_int_equal(cm_broad_move_many(b, ids, boxes, 0, 3000), CM_OK);
    assert_int_equal(cm_broad_update(b), CM_OK);
    assert_int_equal(kind_of(b), CM_BROAD_GRID);
    for (int i = 0; i < 2950; ++i) assert_int_equal(cm_broad_remove(b, ids[i]), CM_OK);
    assert_int_equal(cm_broad_update(b), CM_OK);
    assert_int_equal(kind_of(b), CM_BROAD_BRUTE);
    cm_broad_destroy(b);
}

enum { ASKED_BOXES = 3000, ASKED_FRAMES = 120 };

typedef struct asked_story {
    cm_broad *b;
    uint32_t kinds[ASKED_FRAMES]; /* after each update */
} asked_story;

static cm_real ask_hit(void *context, uint32_t id, cm_real t) {
    (void)context, (void)id;
    return t;
}
static void ask_rays(void *arg, int index, int worker) {
    const cm_broad *b = arg;
    rng r = {(uint64_t)index};
    (void)worker;
    for (int i = 0; i < 25; ++i) cm_broad_raycast(b, cm_v(0, 0, 0), rng_vec3(&r, 1), 1000, 0, ask_hit, NULL);
}

/* A tenth of the boxes moves each frame. In frames 40 to 79 rays are cast. */
static asked_story asked_run(bool changes, const cm_tasks *tasks) {
    static cm_aabb boxes[ASKED_BOXES];
    static uint32_t ids[ASKED_BOXES];
    asked_story s = {NULL, {0}};
    rng r = {77};
    cm_broad_desc desc = {.changes = changes};
    assert_int_equal(cm_broad_create(&desc, &s.b, NULL), CM_OK);
    for (int i = 0; i < ASKED_BOXES; ++i) {
        boxes[i].min = rng_vec3(&r, 20);
        boxes[i].max = cm_add(boxes[i].min, cm_v(1, 1, 1));
    }
    assert_int_equal(cm_broad_add_many(s.b, boxes, 0, ASKED_BOXES, NULL, ids), CM_OK);
    for (int frame = 0; frame < ASKED_FRAMES; ++frame) {
        for (int i = frame % 10; i < ASKED_BOXES; i += 10) {
            const cm_vec3 by = rng_vec3(&r, 0.1);
            boxes[i].min = cm_add(boxes[i].min, by), boxes[i].max = cm_add(boxes[i].max, by);
            assert_int_equal(cm_broad_move(s.b, ids[i], &boxes[i]), CM_OK);
        }
        assert_int_equal(cm_broad_update(s.b), CM_OK);
        s.kinds[frame] = (uint32_t)kind_of(s.b);
        if (frame < 40 || frame >= 80) continue;
        if (tasks)
            tasks->run(tasks->user, 8, ask_rays, s.b);
        else
            for (int i = 8; i-- > 0;) ask_rays(s.b, i, 0);
    }
    cm_broad_destroy(s.b);
    return s;
}

/* Columns while nobody asks; the tree soon after rays begin (two hundred a frame look at several times as much as
 * mending the tree costs), until they end; and columns again once the tree has cost what building them costs. In
 * whatever order threads ask. */
static void auto_takes_a_tree_while_queries_ask_for_it(void **state) {
    (void)state;
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    for (int changes = 0; changes < 2; ++changes) {
        const asked_story s = asked_run(changes, NULL), t = asked_run(changes, &tasks);
        for (int frame = 0; frame < ASKED_FRAMES; ++frame) {
            const bool asked = frame >= 44 && frame <= 80, rests = frame <= 40 || frame >= 95;
            const char *name = cm_broad_kind_text((cm_broad_kind)s.kinds[frame]);
            check_that(!asked || s.kinds[frame] == CM_BROAD_BVH, "changes %d, frame %d: %s", changes, frame, name);
            check_that(!rests || s.kinds[frame] == CM_BROAD_GRID, "changes %d, frame %d: %s", changes, frame, name);
            assert_int_equal(s.kinds[frame], t.kinds[frame]);
        }
    }
    cm_pool_destroy(pool);
}

/* Where nothing ever moves, updates look at what was asked all the same. */
static void auto_sees_queries_of_a_world_at_rest(void **state) {
    (void)state;
    static cm_aabb boxes[ASKED_BOXES];
    cm_broad *b = NULL;
    rng r = {78};
    for (int i = 0; i < ASKED_BOXES; ++i) {
        boxes[i].min = rng_vec3(&r, 20);
        boxes[i].max = cm_add(boxes[i].min, cm_v(1, 1, 1));
    }
    assert_int_equal(cm_broad_create(NULL, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, ASKED_BOXES, NULL, NULL), CM_OK);
    for (int frame = 0; frame < 20; ++frame) {
        assert_int_equal(cm_broad_update(b), CM_OK);
        check_that(frame > 0 || kind_of(b) == CM_BROAD_GRID, "%d", (int)kind_of(b));
        check_that(frame < 4 || kind_of(b) == CM_BROAD_BVH, "frame %d: %d", frame, (int)kind_of(b));
        for (int i = 0; i < 8; ++i) ask_rays(b, i, 0);
    }
    cm_broad_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(pairs_are_the_same_bytes_for_any_instruction_set),
        cmocka_unit_test(the_recorded_candidates_of_a_cloth_are_found),
        cmocka_unit_test(auto_changes_its_mind_with_the_scene),
        cmocka_unit_test(auto_takes_a_tree_while_queries_ask_for_it),
        cmocka_unit_test(auto_sees_queries_of_a_world_at_rest),
        cmocka_unit_test(the_walk_shows_boxes_around_all_objects_parents_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
