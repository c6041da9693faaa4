/* A check in tiles is the check: whatever the cut, the parts and the order of the tiles. */
#include "support/meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, TILES = 64, KINDS = 6 };

typedef struct site {
    cm_mesh *meshes[3];
    cm_check_part parts[MOST];
    uint8_t sides[MOST];
    char names[MOST][24], ids[MOST][8];
    uint32_t count;
} site;

static void site_start(site *s) {
    static const double halves[3][3] = {{1, 1, 1}, {0.25, 0.25, 0.25}, {6, 6, 0.125}};
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 3; i++) {
        const cm_vec3 half = cm_v((cm_real)halves[i][0], (cm_real)halves[i][1], (cm_real)halves[i][2]);
        s->meshes[i] = mesh_box(cm_neg(half), half, true);
    }
}

static void site_end(site *s) {
    for (int i = 0; i < 3; i++) cm_mesh_destroy(s->meshes[i], NULL);
}

static const cm_check_property classes[4] = {{"class", "c0"}, {"class", "c1"}, {"class", "c2"}, {"class", "c3"}};

static cm_check_part *site_add(site *s, int mesh, cm_vec3 at) {
    const uint32_t i = s->count++;
    snprintf(s->names[i], sizeof s->names[i], "p%u/%u", i % 5, i / 7); /* some twice */
    snprintf(s->ids[i], sizeof s->ids[i], "id%u", i % 50);             /* some shared, which are none */
    s->parts[i] = (cm_check_part){.shape = cm_make_mesh(s->meshes[mesh]), .pose = cm_pose_identity()};
    s->parts[i].pose.position = at;
    s->parts[i].name = s->names[i], s->parts[i].id = s->ids[i];
    s->parts[i].properties = &classes[i % 4], s->parts[i].property_count = 1;
    s->parts[i].node = 1 + i, s->parts[i].parent = i / 2;
    if (i % 7 == 0) s->parts[i].deviation = 0.2;
    s->sides[i] = (uint8_t)(i % 4);
    return &s->parts[i];
}

/* Anywhere and turned; on a grid, so that boxes begin where others end; all in one place; one slab below all; a stray
 * far away; two heaps. */
static void random_site(site *s, rng *r, int kind, uint32_t count) {
    site_start(s);
    for (uint32_t i = 0; i < count; i++) {
        const int mesh = kind == 3 && i == 0 ? 2 : kind == 1 ? 0 : (int)rng_below(r, 2);
        cm_vec3 at = rng_vec3(r, kind == 0 ? 5 : 3);
        if (kind == 1) at = cm_v(2 * (cm_real)(i % 4), 2 * (cm_real)(i / 4 % 4), 2 * (cm_real)(i / 16));
        if (kind == 2) at = cm_v(1, 2, 3);
        if (kind == 3) at.z = 0;
        if (kind == 4 && i == 0) at = cm_v(CM_REAL(1e6), 0, 0);
        if (kind == 5) at = cm_add(cm_scale(at, CM_REAL(0.3)), cm_v(i % 2 ? 50 : 0, 0, 0));
        cm_check_part *part = site_add(s, mesh, at);
        if (kind == 0) part->pose.rotation = rng_rotation(r);
        if (i % 3 == 0) part->rounding = i % 2 ? 1e-12 : 1e-3;
    }
}

/* --- in tiles ---------------------------------------------------------------------------------------------------- */

static void expect_same(const cm_check_result *a, const cm_check_result *b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->pairs_total, b->pairs_total);
    check_that(a->pairs_near == b->pairs_near, "%llu of %llu near pairs", (unsigned long long)a->pairs_near,
               (unsigned long long)b->pairs_near);
    assert_memory_equal(a->kinds, b->kinds, sizeof a->kinds);
    assert_int_equal(a->allowed, b->allowed);
    assert_int_equal(a->failing, b->failing);
    assert_int_equal(a->skipped_parent, b->skipped_parent);
    assert_int_equal(a->parts_left_out, b->parts_left_out);
    assert_int_equal(a->test_count, b->test_count);
    assert_memory_equal(a->tests, b->tests, a->test_count * sizeof *a->tests);
    assert_int_equal(a->exception_count, b->exception_count);
    if (a->exception_count > 0) assert_memory_equal(a->uses, b->uses, a->exception_count * sizeof *a->uses);
    assert_int_equal(a->outline_points, b->outline_points);
    if (a->outline_points > 0) assert_memory_equal(a->outlines, b->outlines, a->outline_points * sizeof *a->outlines);
    for (size_t i = 0; i < a->count; i++) {
        const cm_finding *f = &a->findings[i], *g = &b->findings[i];
        const cm_relation_result *p = &f->result, *q = &g->result;
        assert_true(f->part_a == g->part_a && f->part_b == g->part_b && f->test == g->test);
        assert_true(f->id == g->id && f->id_a == g->id_a && f->id_b == g->id_b);
        assert_true(f->kind == g->kind && f->allowed == g->allowed && f->fails == g->fails);
        assert_memory_equal(&f->outline_box, &g->outline_box, sizeof f->outline_box);
        assert_int_equal(f->outline_segments, g->outline_segments);
        if (f->outline_segments > 0) assert_int_equal(f->outline - a->outlines, g->outline - b->outlines);
        assert_true(p->relation == q->relation && p->crossings == q->crossings && p->surface_a == q->surface_a &&
                    p->surface_b == q->surface_b && p->thin_a == q->thin_a && p->thin_b == q->thin_b &&
                    p->triangle_a == q->triangle_a && p->triangle_b == q->triangle_b);
        assert_memory_equal(&p->distance, &q->distance, sizeof p->distance);
        assert_memory_equal(&p->tolerance, &q->tolerance, sizeof p->tolerance);
        assert_memory_equal(&p->point_a, &q->point_a, sizeof p->point_a);
        assert_memory_equal(&p->point_b, &q->point_b, sizeof p->point_b);
    }
}

static cm_real margin_of(const cm_check_desc *desc, uint32_t pieces) {
    cm_check_extent all, one;
    cm_check_extent_of(NULL, 0, &all);
    for (uint32_t i = 0; i < pieces; i++) {
        const uint32_t from = desc->part_count * i / pieces, to = desc->part_count * (i + 1) / pieces;
        cm_check_extent_of(desc->parts + from, to - from, &one);
        cm_check_extent_join(&all, &one);
    }
    return cm_check_margin(desc, &all);
}

static cm_aabb grown(const cm_check_part *part, cm_real margin) {
    cm_aabb box;
    cm_shape_bounds(&part->shape, &part->pose, &box);
    return cm_aabb_grow(box, margin);
}

/* The findings of a tile from the parts that it needs alone, which have no texts there. */
static void do_tile(const cm_check_desc *desc, cm_check_tile tile, cm_check_result *out) {
    cm_check_part parts[MOST];
    uint8_t sides[MOST];
    uint32_t numbers[MOST], count = 0;
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const cm_aabb box = grown(&desc->parts[i], tile.margin);
        if (!cm_aabb_overlaps(&box, &tile.box)) continue;
        numbers[count] = i, sides[count] = desc->sides ? desc->sides[i] : 0;
        parts[count] = desc->parts[i];
        parts[count].name = parts[count].id = NULL;
        count++;
    }
    cm_check_desc own = *desc;
    own.parts = parts, own.part_count = count, own.sides = desc->sides ? sides : NULL;
    own.exceptions = NULL, own.exception_count = 0;
    tile.numbers = numbers;
    assert_int_equal(cm_check_tile_parts(&own, &tile, NULL, out, NULL), CM_OK);
}

/* Does the tiles in a random order; returns how many of them found something. */
static int do_tiles(const cm_check_desc *desc, const cm_check_tile *tiles, uint32_t count, rng *r,
                    cm_check_result *out) {
    static cm_check_result found[TILES + 4];
    const cm_real margin = margin_of(desc, 1 + rng_below(r, 4));
    int busy = 0;
    for (uint32_t i = 0; i < count; i++) {
        cm_check_tile tile = tiles[i];
        tile.margin = margin;
        do_tile(desc, tile, &found[i]);
        busy += found[i].count > 0;
    }
    for (uint32_t i = count; i-- > 1;) {
        const uint32_t k = rng_below(r, i + 1);
        const cm_check_result swap = found[i];
        found[i] = found[k], found[k] = swap;
    }
    assert_int_equal(cm_check_merge(desc, found, count, NULL, out, NULL), CM_OK);
    for (uint32_t i = 0; i < count; i++) cm_check_result_destroy(&found[i], NULL);
    return busy;
}

static const cm_check_exception accepted[2] = {{.first = "p1", .second = "p2"}, {.first = "p1", .second = "*"}};
static const cm_check_test asked[3] = {
    {.name = "x", .a = "class=c0", .kind = CM_TEST_TOUCHING, .tolerance = CM_REAL(0.3)},
    {.name = "y", .clearance = CM_REAL(0.7), .severity = CM_SEVERITY_NOTE},
    {.name = "z", .a = "class=c1", .b = "!class=c1", .kind = CM_TEST_HARD}};
static const cm_check_pair_tolerance tolerance = {.first = "class=c1", .second = "class=c2", .tolerance = CM_REAL(0.1)};

static void describe(cm_check_desc *desc, const site *s, int form) {
    *desc = (cm_check_desc){.parts = s->parts, .part_count = s->count, .exceptions = accepted, .exception_count = 2};
    if (form & 1) desc->clearance = CM_REAL(0.4);
    if (form & 2) desc->outlines = true;
    if (form & 4) desc->sides = s->sides;
    if (form & 8) desc->tolerance = CM_REAL(0.01);
    if (form & 16) {
        desc->sides = NULL, desc->tests = asked, desc->test_count = 3;
        desc->tolerances = &tolerance, desc->tolerance_count = 1;
        desc->left_out = "class=c3", desc->skip = CM_CHECK_SKIP_PARENT;
    }
}

static void tiles_together_find_what_one_call_finds(void **state) {
    (void)state;
    static const uint32_t tile_counts[] = {1, 2, 3, 5, 16, TILES};
    rng r = rng_start("tiles", 1);
    const size_t runs = (size_t)samples(72, 7200);
    size_t found = 0, shared = 0;
    for (size_t i = 0; i < runs; i++) {
        site s;
        cm_check_desc desc;
        cm_check_result whole, merged;
        cm_check_tile tiles[TILES];
        cm_vec3 places[MOST];
        double costs[MOST];
        const uint32_t count = tile_counts[i / KINDS % 6];
        random_site(&s, &r, (int)(i % KINDS), 2 + rng_below(&r, i % 2 ? 12 : 47));
        describe(&desc, &s, (int)rng_below(&r, 32));
        for (uint32_t k = 0; k < s.count; k++)
            places[k] = grown(&s.parts[k], 0).min, costs[k] = rng_log_range(&r, 1e-3, 1e3);
        assert_int_equal(cm_check_cut(places, i % 5 ? costs : NULL, s.count, count, NULL, tiles), CM_OK);
        assert_int_equal(cm_check_parts(&desc, NULL, &whole, NULL), CM_OK);
        const int busy = do_tiles(&desc, tiles, count, &r, &merged);
        expect_same(&merged, &whole);
        found += whole.count, shared += busy > 1;
        cm_check_result_destroy(&whole, NULL);
        cm_check_result_destroy(&merged, NULL);
        site_end(&s);
    }
    check_that(found > 10 * runs && shared > runs / 4, "%zu findings, %zu cases with more than one busy tile", found,
               shared);
}

static cm_real next_to(cm_real x, cm_real to) {
#ifdef CAROM_F64
    return nextafter(x, to);
#else
    return nextafterf(x, to);
#endif
}

/* The place of a pair on the border between tiles, and an ulp to either side of it. */
static void a_pair_at_the_border_is_of_one_tile(void **state) {
    (void)state;
    rng r = rng_start("borders", 2);
    site s;
    cm_check_desc desc;
    cm_check_result whole;
    random_site(&s, &r, 1, 48);
    describe(&desc, &s, 2);
    assert_int_equal(cm_check_parts(&desc, NULL, &whole, NULL), CM_OK);
    const cm_real margin = margin_of(&desc, 1), far = CM_REAL_MAX;
    assert_true(whole.count > 90); /* 3 x 4 x 3 + 4 x 3 x 3 + 4 x 4 x 2 faces, and what meets at edges and corners */
    int low_side = 0;
    for (uint32_t i = 0; i < s.count; i += 5)
        for (int axis = 0; axis < 3; axis++)
            for (int ulp = -1; ulp <= 1; ulp++) {
                cm_check_tile tiles[2] = {{.box = {cm_v(-far, -far, -far), cm_v(far, far, far)}}};
                cm_check_result merged;
                tiles[1] = tiles[0];
                const cm_vec3 corner = grown(&s.parts[i], margin).min;
                cm_real at = ((cm_real *)&corner)[axis];
                if (ulp != 0) at = next_to(at, ulp > 0 ? CM_REAL_MAX : -CM_REAL_MAX);
                ((cm_real *)&tiles[0].box.max)[axis] = ((cm_real *)&tiles[1].box.min)[axis] = at;
                low_side += do_tiles(&desc, tiles, 2, &r, &merged) == 2;
                expect_same(&merged, &whole);
                cm_check_result_destroy(&merged, NULL);
            }
    check_that(low_side > 20, "%d cuts with findings on both sides", low_side);
    cm_check_result_destroy(&whole, NULL);
    site_end(&s);
}

/* --- the cut ----------------------------------------------------------------------------------------------------- */

static bool holds(const cm_aabb *box, cm_vec3 p) {
    return p.x >= box->min.x && p.x < box->max.x && p.y >= box->min.y && p.y < box->max.y && p.z >= box->min.z &&
           p.z < box->max.z;
}

/* Of tiles with one box, each share is there once: asked with pairs at the places. */
static void each_place_is_in_one_tile(void **state) {
    (void)state;
    rng r = rng_start("places", 3);
    for (int i = 0; i < samples(200, 20000); i++) {
        cm_vec3 places[200];
        cm_check_tile tiles[TILES];
        const uint32_t count = rng_below(&r, 200), tile_count = 1 + rng_below(&r, TILES);
        const double grid = i % 3 == 0 ? 1 : i % 3 == 1 ? 0.25 : 0; /* many equal coordinates, or none */
        for (uint32_t k = 0; k < count; k++) {
            places[k] = rng_vec3(&r, 1);
            if (grid > 0) {
                const double g = grid;
                places[k] =
                    cm_v((cm_real)(g * floor((double)places[k].x / g)), (cm_real)(g * floor((double)places[k].y / g)),
                         (cm_real)(g * floor((double)places[k].z / g)));
            }
        }
        assert_int_equal(cm_check_cut(places, NULL, count, tile_count, NULL, tiles), CM_OK);
        for (uint32_t k = 0; k < 200; k++) {
            const cm_vec3 p = k < count ? places[k] : rng_vec3(&r, k % 2 ? 2 : 1e6);
            const cm_aabb box = {p, p};
            const uint32_t a = rng_below(&r, 1000), b = rng_below(&r, 1000);
            int owners = 0, boxes = 0, shares = 0;
            for (uint32_t t = 0; t < tile_count; t++) {
                owners += cm_check_owns(&tiles[t], &box, &box, a, b);
                assert_int_equal(cm_check_owns(&tiles[t], &box, &box, a, b),
                                 cm_check_owns(&tiles[t], &box, &box, b, a));
                if (!holds(&tiles[t].box, p)) continue;
                boxes++;
                shares = tiles[t].shares > 1 ? (int)tiles[t].shares : 1;
            }
            assert_int_equal(owners, 1);
            check_that(boxes == shares, "%d tiles here, each a share of %d", boxes, shares);
        }
    }
}

/* The most of any tile in terms of the mean: 10,000 places in 16, 3, 7 and 12 tiles, of equal and of unequal cost, flat
 * and with a stray. A tile misses its share by a place or two at each of four cuts. */
static void tiles_cost_about_the_same(void **state) {
    (void)state;
    enum { PLACES = 10000 };
    static const uint32_t tile_counts[4] = {16, 3, 7, 12};
    rng r = rng_start("costs", 4);
    for (int form = 0; form < 4; form++) {
        cm_vec3 *places = malloc(PLACES * sizeof *places);
        double *costs = malloc(PLACES * sizeof *costs), all = 0, most = 0;
        cm_check_tile tiles[TILES];
        const uint32_t count = tile_counts[form];
        for (uint32_t k = 0; k < PLACES; k++) {
            places[k] = rng_vec3(&r, 1), costs[k] = form == 1 ? rng_log_range(&r, 1, 100) : 1;
            if (form == 2) places[k].z = 0;
            if (form == 3 && k == 0) places[k].x = CM_REAL(1e12);
            all += costs[k];
        }
        assert_int_equal(cm_check_cut(places, costs, PLACES, count, NULL, tiles), CM_OK);
        for (uint32_t t = 0; t < count; t++) {
            double own = 0;
            for (uint32_t k = 0; k < PLACES; k++)
                if (holds(&tiles[t].box, places[k])) own += costs[k];
            assert_true(tiles[t].shares <= 1);
            most = fmax(most, own);
        }
        check_that(most <= 1.05 * all / count, "form %d: %g times the mean", form, most / (all / count));
        free(places);
        free(costs);
    }
}

/* --- what is wrong ----------------------------------------------------------------------------------------------- */

static void what_is_wrong_with_tiles_is_named(void **state) {
    (void)state;
    rng r = rng_start("wrong", 5);
    site s;
    cm_check_desc desc;
    cm_check_tile tile;
    cm_check_result found = {0}, merged;
    cm_error error;
    const uint32_t twice[3] = {0, 1, 1};
    const cm_vec3 nowhere = cm_v((cm_real)NAN, 0, 0), somewhere = cm_v(0, 0, 0);
    const double negative = -1;
    random_site(&s, &r, 2, 3);
    describe(&desc, &s, 0);
    assert_int_equal(cm_check_cut(NULL, NULL, 0, 1, NULL, &tile), CM_OK);
    assert_int_equal(cm_check_cut(NULL, NULL, 0, 0, NULL, &tile), CM_INVALID);
    assert_int_equal(cm_check_cut(NULL, NULL, 1, 1, NULL, &tile), CM_INVALID);
    assert_int_equal(cm_check_cut(&nowhere, NULL, 1, 1, NULL, &tile), CM_NOT_FINITE);
    assert_int_equal(cm_check_cut(&somewhere, &negative, 1, 1, NULL, &tile), CM_INVALID);
    assert_int_equal(cm_check_tile_parts(&desc, NULL, NULL, &found, &error), CM_INVALID);
    assert_string_equal(error.field, "tile");
    tile.margin = (cm_real)NAN;
    assert_int_equal(cm_check_tile_parts(&desc, &tile, NULL, &found, &error), CM_INVALID);
    assert_string_equal(error.field, "margin");
    tile.margin = 1, tile.numbers = twice;
    assert_int_equal(cm_check_tile_parts(&desc, &tile, NULL, &found, &error), CM_INVALID);
    assert_string_equal(error.field, "numbers");
    assert_int_equal(error.index, 2);
    tile.numbers = NULL;
    assert_int_equal(cm_check_tile_parts(&desc, &tile, NULL, &found, &error), CM_OK);
    assert_true(found.count > 0);
    const cm_check_result both[2] = {found, found};
    assert_int_equal(cm_check_merge(&desc, both, 2, NULL, &merged, &error), CM_INVALID); /* the same tile twice */
    assert_string_equal(error.field, "tiles");
    desc.part_count = 2;
    assert_int_equal(cm_check_merge(&desc, &found, 1, NULL, &merged, &error), CM_OUT_OF_RANGE);
    assert_string_equal(error.field, "tiles");
    assert_int_equal(cm_check_merge(NULL, &found, 1, NULL, &merged, &error), CM_INVALID);
    desc.part_count = 3;
    const cm_finding_kind kind = found.findings[0].kind;
    found.findings[0].kind = CM_FINDING_KIND_COUNT; /* as of a result that was damaged on its way: counts end there */
    assert_int_equal(cm_check_merge(&desc, &found, 1, NULL, &merged, &error), CM_OUT_OF_RANGE);
    assert_string_equal(error.field, "tiles");
    found.findings[0].kind = kind;
    assert_int_equal(cm_check_merge(&desc, NULL, 1, NULL, &merged, &error), CM_INVALID);
    assert_int_equal(cm_check_merge(&desc, &found, 1, NULL, NULL, &error), CM_INVALID);
    cm_check_result_destroy(&found, NULL);
    site_end(&s);
}

static void every_failing_allocation_of_a_tile_leaves_nothing(void **state) {
    (void)state;
    rng r = rng_start("memory", 6);
    site s;
    cm_check_desc desc;
    random_site(&s, &r, 5, 12);
    describe(&desc, &s, 3);
    for (int merge = 0; merge < 2; merge++)
        for (size_t fail_at = 1;; fail_at++) {
            counting_allocator c;
            cm_check_tile tile;
            cm_check_result found = {0}, merged = {0};
            assert_int_equal(cm_check_cut(NULL, NULL, 0, 1, NULL, &tile), CM_OK);
            tile.margin = margin_of(&desc, 1);
            if (merge) assert_int_equal(cm_check_tile_parts(&desc, &tile, NULL, &found, NULL), CM_OK);
            counting_allocator_start(&c, fail_at);
            const cm_status status = merge ? cm_check_merge(&desc, &found, 1, &c.mem, &merged, NULL)
                                           : cm_check_tile_parts(&desc, &tile, &c.mem, &found, NULL);
            if (status == CM_OK) cm_check_result_destroy(merge ? &merged : &found, &c.mem);
            if (merge) cm_check_result_destroy(&found, NULL);
            assert_int_equal(c.live_blocks, 0);
            if (status == CM_OK) {
                check_that(fail_at > 4, "%zu allocations", fail_at - 1);
                break;
            }
            assert_int_equal(status, CM_NO_MEMORY);
        }
    site_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_together_find_what_one_call_finds),
        cmocka_unit_test(a_pair_at_the_border_is_of_one_tile),
        cmocka_unit_test(each_place_is_in_one_tile),
        cmocka_unit_test(tiles_cost_about_the_same),
        cmocka_unit_test(what_is_wrong_with_tiles_is_named),
        cmocka_unit_test(every_failing_allocation_of_a_tile_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
