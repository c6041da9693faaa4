/* Many parts: what is found among them, in which order, and what becomes of it when it cannot be done. */
#include "check/site.h"

#include <math.h>

static void every_kind_has_its_name_and_the_gravest_come_first(void **state) {
    (void)state;
    static const struct {
        const char *first, *text, *kind;
        double distance;
    } want[] = {{"deeper/a", "crossing", "crossing", -0.75}, {"cross/a", "crossing", "crossing", -0.5},
                {"in/small", "a_inside_b", "inside", -1},    {"same/a", "identical", "identical", 0},
                {"touch/a", "touching", "touching", 0},      {"near/a", "clearance", "clearance", 0.125}};
    site s;
    cm_check_desc desc;
    cm_check_result found;
    site_of_kinds(&s);
    describe(&desc, &s);
    desc.clearance = CM_REAL(0.2);
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_int_equal(found.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const cm_finding *f = &found.findings[i];
        assert_string_equal(s.parts[f->part_a].name, want[i].first);
        assert_int_equal(f->part_b, f->part_a + 1);
        assert_string_equal(cm_finding_text(f), want[i].text);
        assert_string_equal(cm_finding_kind_text(f->kind), want[i].kind);
        if (f->kind != CM_FINDING_INSIDE && f->kind != CM_FINDING_IDENTICAL)
            check_that(fabs((double)f->result.distance - want[i].distance) < 1e-5, "%s: %g", want[i].first,
                       (double)f->result.distance);
    }
    assert_int_equal(found.kinds[CM_FINDING_CROSSING], 2);
    for (int k = CM_FINDING_INSIDE; k < CM_FINDING_KIND_COUNT; k++) assert_int_equal(found.kinds[k], 1);
    assert_int_equal(found.pairs_total, 12 * 11 / 2);
    assert_int_equal(found.pairs_near, 6);
    assert_string_equal(cm_finding_kind_text(CM_FINDING_KIND_COUNT), "unknown");
    cm_check_result_destroy(&found, NULL);

    desc.clearance = CM_REAL(0.125); /* as far apart as the clearance is not nearer than that */
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_int_equal(found.count, 5);
    cm_check_result_destroy(&found, NULL);
    assert_null(found.findings);
    cm_check_result_destroy(&found, NULL); /* all zero is fine */
    cm_check_result_destroy(NULL, NULL);
    site_free(&s);
}

static void each_level_includes_the_ones_before(void **state) {
    (void)state;
    static const struct {
        cm_check_fail_on level;
        double clearance;
        size_t failing;
    } want[] = {{CM_FAIL_DEFAULT, 0, 4},    {CM_FAIL_DEFAULT, 0.2, 6},  {CM_FAIL_NEVER, 0.2, 0},
                {CM_FAIL_CROSSING, 0.2, 4}, {CM_FAIL_TOUCHING, 0.2, 5}, {CM_FAIL_CLEARANCE, 0.2, 6}};
    site s;
    cm_check_desc desc;
    cm_check_result found;
    site_of_kinds(&s);
    describe(&desc, &s);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        desc.fail_on = want[i].level, desc.clearance = (cm_real)want[i].clearance;
        assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
        check_that(found.failing == want[i].failing, "%d: %zu of %zu", (int)want[i].level, found.failing,
                   want[i].failing);
        size_t fails = 0;
        for (size_t k = 0; k < found.count; k++) fails += found.findings[k].fails;
        assert_int_equal(fails, found.failing);
        cm_check_result_destroy(&found, NULL);
    }
    site_free(&s);
}

static void what_is_allowed_is_listed_and_does_not_count(void **state) {
    (void)state;
    static const cm_check_exception exceptions[] = {{.first = "nothing", .second = "**"},
                                                    {.first = "b", .second = "cross/*"},
                                                    {.first = "cross", .second = "cross"},
                                                    {.first = "deeper", .second = "cross"}};
    site s;
    cm_check_desc desc;
    cm_check_result found;
    site_of_kinds(&s);
    describe(&desc, &s);
    desc.exceptions = exceptions, desc.exception_count = 4;
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_int_equal(found.count, 5);
    for (size_t i = 0; i < found.count; i++) {
        const cm_finding *f = &found.findings[i];
        const bool crosses = strncmp(s.parts[f->part_a].name, "cross", 5) == 0;
        assert_int_equal(f->allowed, crosses ? 1 : CM_NONE); /* the first that accepts it; either order of the two */
        assert_int_equal(f->fails, !crosses && f->kind != CM_FINDING_TOUCHING);
    }
    assert_int_equal(found.exception_count, 4);
    assert_int_equal(found.uses[0], 0);
    assert_int_equal(found.uses[1], 1);
    assert_int_equal(found.uses[2], 1); /* it matches, though another came before */
    assert_int_equal(found.uses[3], 0);
    assert_int_equal(found.allowed, 1);
    assert_int_equal(found.kinds[CM_FINDING_CROSSING], 1);
    assert_int_equal(found.failing, 3);
    cm_check_result_destroy(&found, NULL);
    site_free(&s);
}

/* --- against all pairs, one by one -------------------------------------------------------------------------------- */

static void random_site(site *s, rng *r, uint32_t count) {
    *s = (site){.count = 0};
    for (int i = 0; i < 4; i++)
        site_add_mesh(s,
                      cm_v((cm_real)rng_range(r, 0.2, 1), (cm_real)rng_range(r, 0.2, 1), (cm_real)rng_range(r, 0.2, 1)),
                      i < 3);
    for (uint32_t i = 0; i < count; i++) {
        const cm_vec3 any = rng_vec3(r, 2), even = cm_v((cm_real)floor((double)any.x), (cm_real)floor((double)any.y),
                                                        (cm_real)floor((double)any.z));
        cm_check_part *part = site_add(s, i % 3 ? "set/one" : "other", (int)rng_below(r, 4), i % 2 ? any : even);
        if (i % 2) part->pose.rotation = rng_rotation(r);
        part->rounding = i % 5 ? (double)CM_REAL_EPSILON : 0;
    }
}

static void expect_same(const cm_finding *a, const cm_finding *b) {
    assert_int_equal(a->part_a, b->part_a);
    assert_int_equal(a->part_b, b->part_b);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->result.relation, b->result.relation);
    check_that(a->result.distance == b->result.distance && a->result.tolerance == b->result.tolerance &&
                   a->result.point_a.x == b->result.point_a.x && a->result.point_b.z == b->result.point_b.z,
               "%u, %u: %g and %g", a->part_a, a->part_b, (double)a->result.distance, (double)b->result.distance);
    assert_int_equal(a->result.crossings, b->result.crossings);
    check_that(a->common.volume == b->common.volume && a->common.error == b->common.error, "%.17g and %.17g",
               a->common.volume, b->common.volume);
    assert_memory_equal(&a->common.bounds, &b->common.bounds, sizeof a->common.bounds);
    assert_memory_equal(&a->common.center, &b->common.center, sizeof a->common.center);
    assert_int_equal(a->common_known, b->common_known);
    check_that(a->crossing_length == b->crossing_length && a->crossing_extent == b->crossing_extent, "%g and %g",
               (double)a->crossing_length, (double)b->crossing_length);
    assert_int_equal(a->outline_segments, b->outline_segments);
    assert_memory_equal(&a->outline_box, &b->outline_box, sizeof a->outline_box);
    if (a->outline_segments > 0)
        assert_memory_equal(a->outline, b->outline, 2 * a->outline_segments * sizeof *a->outline);
}

static void expect_in_order(const cm_check_result *found) {
    for (size_t i = 1; i < found->count; i++) {
        const cm_finding *a = &found->findings[i - 1], *b = &found->findings[i];
        const bool flat_a = a->kind == CM_FINDING_CROSSING && a->result.surface_a && a->result.surface_b;
        const bool flat_b = b->kind == CM_FINDING_CROSSING && b->result.surface_a && b->result.surface_b;
        const double of_a = flat_a ? -(double)a->crossing_length : (double)a->result.distance;
        const double of_b = flat_b ? -(double)b->crossing_length : (double)b->result.distance;
        bool in_order = a->kind < b->kind;
        if (a->kind == b->kind) in_order = flat_a != flat_b ? flat_b : of_a < of_b;
        if (a->kind == b->kind && flat_a == flat_b && of_a == of_b)
            in_order = a->part_a < b->part_a || (a->part_a == b->part_a && a->part_b < b->part_b);
        check_that(in_order, "finding %zu: %g after %g", i, (double)b->result.distance, (double)a->result.distance);
    }
}

/* Sides as a caller may set them; NULL for every part against every other. */
static bool are_asked_for(const uint8_t *sides, uint32_t a, uint32_t b) {
    return !sides || ((sides[a] & 1) && (sides[b] & 2)) || ((sides[a] & 2) && (sides[b] & 1));
}

static uint64_t expect_all_pairs(const cm_check_desc *desc, const cm_check_result *found) {
    uint64_t asked = 0;
    size_t seen = 0;
    for (uint32_t a = 0; a < desc->part_count; a++)
        for (uint32_t b = a + 1; b < desc->part_count; b++) {
            if (!are_asked_for(desc->sides, a, b)) continue;
            const cm_check_part *pa = &desc->parts[a], *pb = &desc->parts[b];
            const cm_real tolerance = desc->tolerance > 0 ? desc->tolerance : cm_check_tolerance(pa, pb);
            cm_relation_result r;
            assert_int_equal(cm_mesh_relation(&pa->shape, &pa->pose, &pb->shape, &pb->pose, tolerance, CM_REAL_MAX, &r),
                             CM_OK);
            asked++;
            if (r.relation == CM_RELATION_SEPARATED && !(r.distance < desc->clearance)) continue;
            const cm_finding *f = NULL;
            for (size_t i = 0; i < found->count && !f; i++)
                if (found->findings[i].part_a == a && found->findings[i].part_b == b) f = &found->findings[i];
            check_that(f != NULL, "%u and %u: %s, %g", a, b, cm_relation_text(r.relation), (double)r.distance);
            assert_int_equal(f->result.relation, r.relation);
            check_that(f->result.distance == r.distance, "%g and %g", (double)f->result.distance, (double)r.distance);
            seen++;
        }
    assert_int_equal(seen, found->count);
    return asked;
}

static void the_findings_are_those_of_all_pairs(void **state) {
    (void)state;
    rng r = rng_start("check against all pairs", 2);
    cm_pool *pool = NULL;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    size_t findings = 0, crossings = 0;
    for (int i = 0; i < samples(40, 4000); i++) {
        site s;
        cm_check_desc desc;
        cm_check_result serial, parallel;
        uint8_t sides[MOST];
        random_site(&s, &r, 2 + rng_below(&r, 30));
        describe(&desc, &s);
        for (uint32_t k = 0; k < s.count; k++) sides[k] = (uint8_t)rng_below(&r, 4);
        if (i % 3 == 1) desc.sides = sides;
        if (i % 4 == 1) desc.tolerance = CM_REAL(0.01);
        desc.clearance = (cm_real)(i % 2 ? rng_log_range(&r, 1e-4, 1) : 0);
        desc.outlines = i % 2 == 0, desc.volumes = i % 3 == 0;
        assert_int_equal(cm_check_parts(&desc, NULL, &serial, NULL), CM_OK);
        assert_int_equal(expect_all_pairs(&desc, &serial), serial.pairs_total);
        expect_in_order(&serial);
        desc.tasks = &tasks;
        assert_int_equal(cm_check_parts(&desc, NULL, &parallel, NULL), CM_OK);
        assert_int_equal(parallel.count, serial.count);
        for (size_t k = 0; k < serial.count; k++) {
            expect_same(&serial.findings[k], &parallel.findings[k]);
            crossings += serial.findings[k].outline_segments;
        }
        findings += serial.count;
        cm_check_result_destroy(&serial, NULL);
        cm_check_result_destroy(&parallel, NULL);
        site_free(&s);
    }
    cm_pool_destroy(pool);
    check_that(findings > 50 && crossings > 500, "only %zu findings, %zu crossings", findings, crossings);
}

/* --- crossings ----------------------------------------------------------------------------------------------- */

/* Two sheets that cross along 1.5 and pierce each other by 1/8, and two along 1 that do by 1/4; solids 1/16 deep stand
 * first all the same, then the longer crossing. */
static void surfaces_that_cross_stand_behind_depths_by_the_length_of_their_crossing(void **state) {
    (void)state;
    site s = {.count = 0};
    site_add_mesh(&s, cm_v(1, 1, 1), true);
    const cm_real sheets[4][9] = {
        {CM_REAL(-1.5), 0, CM_REAL(-0.125), CM_REAL(1.5), 0, CM_REAL(-0.125), 0, 0, CM_REAL(0.125)},
        {-5, -5, 0, 5, -5, 0, 0, 5, 0},
        {0, 0, -5, 0, 0, 5, 0, -5, 0},
        {0, -1, 0, CM_REAL(0.25), 1, 0, CM_REAL(-0.25), 1, 0}};
    cm_mesh *sheet[4];
    for (int i = 0; i < 4; i++) sheet[i] = mesh_of(sheets[i], 3, NULL, 1, false);
    site_add(&s, "solid/a", 0, cm_v(0, 0, 0));
    site_add(&s, "solid/b", 0, cm_v(CM_REAL(1.9375), 0, 0));
    for (int i = 0; i < 4; i++) {
        cm_check_part *part = site_add(&s, "sheet", 0, cm_v(20 + 20 * (cm_real)(i / 2), 0, 0));
        part->shape = cm_make_mesh(sheet[i]);
    }
    cm_check_desc desc;
    cm_check_result found;
    describe(&desc, &s);
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_int_equal(found.count, 3);
    const cm_finding *f = found.findings;
    assert_int_equal(f[0].part_a, 0);
    for (int i = 1; i < 3; i++) {
        assert_true(f[i].result.surface_a && f[i].result.surface_b);
        assert_int_equal(f[i].kind, CM_FINDING_CROSSING);
        const double length = (double)f[i].crossing_length, extent = (double)f[i].crossing_extent;
        check_that(fabs(length - extent) < 1e-6, "one segment of %g has an extent of %g", length, extent);
    }
    check_that(f[1].crossing_length > f[2].crossing_length, "%g before %g", (double)f[1].crossing_length,
               (double)f[2].crossing_length);
    check_that(f[1].result.distance > f[2].result.distance, "no trap: %g and %g", (double)f[1].result.distance,
               (double)f[2].result.distance);
    cm_check_result_destroy(&found, NULL);
    for (int i = 0; i < 4; i++) cm_mesh_destroy(sheet[i], NULL);
    site_free(&s);
}

typedef struct outline_check {
    const cm_finding *f;
    size_t at;
} outline_check;

static bool is_in_outline(void *user, const cm_crossing *crossing) {
    outline_check *c = user;
    const cm_vec3 *point = &c->f->outline[2 * c->at++];
    const cm_aabb *box = &c->f->outline_box;
    assert_memory_equal(&point[0], &crossing->start, sizeof *point);
    assert_memory_equal(&point[1], &crossing->end, sizeof *point);
    for (int i = 0; i < 2; i++)
        assert_true(point[i].x >= box->min.x && point[i].y >= box->min.y && point[i].z >= box->min.z &&
                    point[i].x <= box->max.x && point[i].y <= box->max.y && point[i].z <= box->max.z);
    return true;
}

static void outlines_are_the_crossings(void **state) {
    (void)state;
    site s;
    cm_check_desc desc;
    cm_check_result found;
    site_of_kinds(&s);
    describe(&desc, &s);
    desc.outlines = true;
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    for (size_t i = 0; i < found.count; i++) {
        const cm_finding *f = &found.findings[i];
        const cm_check_part *a = &s.parts[f->part_a], *b = &s.parts[f->part_b];
        outline_check c = {f, 0};
        assert_int_equal(cm_mesh_crossings(&a->shape, &a->pose, &b->shape, &b->pose, is_in_outline, &c),
                         f->outline_segments);
        assert_int_equal(f->kind == CM_FINDING_INSIDE, f->outline_segments == 0);
    }
    cm_check_result_destroy(&found, NULL);
    desc.outlines = false;
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_null(found.outlines);
    check_that(found.findings[0].outline_box.max.x == 1, "%g", (double)found.findings[0].outline_box.max.x);
    cm_check_result_destroy(&found, NULL);
    site_free(&s);
}

/* --- tolerances --------------------------------------------------------------------------------------------------- */

static void the_tolerance_is_what_the_coordinates_resolve(void **state) {
    (void)state;
    site s = {.count = 0};
    site_add_mesh(&s, cm_v(1, 1, 1), true);
    cm_check_part *a = site_add(&s, "a", 0, cm_v(0, 0, 0)), *b = site_add(&s, "b", 0, cm_v(2, 0, 0));
    check_that(cm_check_tolerance(a, b) == 0, "%g", (double)cm_check_tolerance(a, b)); /* not known */
    a->rounding = DBL_EPSILON;
    check_that(cm_check_tolerance(a, b) == 0, "%g", (double)cm_check_tolerance(a, b)); /* of one */
    a->deviation = 0.25;
    check_that(fabs((double)cm_check_tolerance(a, b) - 0.25) < 1e-6, "%g", (double)cm_check_tolerance(a, b));
    a->pose.position.x = b->pose.position.x = 1e8;
    double of_place = 4e8 * (double)FLT_EPSILON;
    check_that(fabs((double)cm_check_tolerance(a, b) - of_place) < 1e-4 * of_place, "%g of %g",
               (double)cm_check_tolerance(a, b), of_place);
    a->pose.position.x = 0, b->pose.position.x = 2, a->deviation = 0;
    b->rounding = DBL_EPSILON;
    /* 4 x 2 x 2 together: a millionth of sqrt(24), unless single precision of the place is coarser */
    double want = 1e-6 * sqrt(24), got = (double)cm_check_tolerance(a, b);
    check_that(fabs(got - fmax(want, 12 * (double)CM_REAL_EPSILON)) < 1e-4 * want, "%g of %g", got, want);
    b->rounding = 1e-3; /* points that are known to three digits, of coordinates up to 1 */
    got = (double)cm_check_tolerance(a, b);
    check_that(fabs(got - 4e-3) < 1e-7, "%g", got);
    a->pose.position.x = b->pose.position.x = 1e8; /* at 100,000 km places are known to 4 ulps of cm_real */
    b->rounding = DBL_EPSILON;
    want = fmax(1e-6 * sqrt(12), 4e8 * (double)CM_REAL_EPSILON), got = (double)cm_check_tolerance(a, b);
    check_that(fabs(got - want) < 1e-4 * want, "%g of %g", got, want);
    site_free(&s);
}

/* --- progress and failure ----------------------------------------------------------------------------------------- */

typedef struct counter {
    size_t calls, end_at, total;
} counter;

static bool count_pairs(void *user, size_t done, size_t total) {
    counter *c = user;
    assert_int_equal(done, ++c->calls); /* serial: in order */
    c->total = total;
    return c->calls != c->end_at;
}

static void the_caller_hears_of_each_pair_and_may_end_it(void **state) {
    (void)state;
    site s;
    cm_check_desc desc;
    cm_check_result found;
    site_of_kinds(&s);
    describe(&desc, &s);
    counter c = {0};
    desc.progress = count_pairs, desc.user = &c;
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_int_equal(c.calls, found.pairs_near);
    assert_int_equal(c.total, found.pairs_near);
    const size_t near_pairs = found.pairs_near;
    cm_check_result_destroy(&found, NULL);
    for (size_t end = 1; end <= near_pairs; end++) {
        counting_allocator mem;
        counting_allocator_start(&mem, 0);
        c = (counter){.end_at = end};
        cm_check_result untouched = {.count = 77};
        cm_error error = {CM_OK, NULL, 0};
        assert_int_equal(cm_check_parts(&desc, &mem.mem, &untouched, &error), CM_LIMIT);
        assert_string_equal(error.field, "progress");
        assert_int_equal(c.calls, end); /* the rest is not looked at */
        assert_int_equal(untouched.count, 77);
        assert_int_equal(mem.live_blocks, 0);
    }
    site_free(&s);
}

static void every_failing_allocation_is_a_status_and_leaves_nothing(void **state) {
    (void)state;
    site s;
    cm_check_desc desc;
    site_of_kinds(&s);
    describe(&desc, &s);
    const cm_check_exception exception = {.first = "a", .second = "b"};
    desc.outlines = desc.volumes = true, desc.exceptions = &exception, desc.exception_count = 1;
    for (int nearest = 0; nearest < 2; nearest++)
        for (size_t fail_at = 1;; fail_at++) {
            counting_allocator c;
            counting_allocator_start(&c, fail_at);
            cm_check_result found = {.count = 77};
            cm_finding one = {.part_a = 77};
            cm_error error = {CM_OK, NULL, 0};
            const cm_status status =
                nearest ? cm_check_nearest(&desc, &c.mem, &one, &error) : cm_check_parts(&desc, &c.mem, &found, &error);
            if (status == CM_OK) {
                check_that(fail_at > (nearest ? 2 : 7), "%zu allocations", fail_at - 1);
                check_that(c.calls < fail_at, "one of %zu failed, and it is not told", c.calls);
                assert_int_equal(nearest ? 6 : found.count, nearest ? 6 : 5);
                if (!nearest) cm_check_result_destroy(&found, &c.mem);
                assert_int_equal(c.live_blocks, 0);
                break;
            }
            assert_int_equal(status, CM_NO_MEMORY);
            assert_int_equal(error.status, CM_NO_MEMORY);
            assert_int_equal(found.count, 77);
            assert_int_equal(one.part_a, 77);
            assert_int_equal(c.live_blocks, 0);
        }
    site_free(&s);
}

static void expect_refused(const cm_check_desc *desc, cm_status status, const char *field, uint32_t index) {
    cm_error error = {CM_OK, NULL, 0};
    cm_check_result found;
    cm_finding one;
    for (int nearest = 0; nearest < 2; nearest++) {
        assert_int_equal(
            nearest ? cm_check_nearest(desc, NULL, &one, &error) : cm_check_parts(desc, NULL, &found, &error), status);
        assert_int_equal(error.status, status);
        if (field) assert_string_equal(error.field, field);
        assert_int_equal(error.index, index);
    }
}

static void what_is_wrong_is_named(void **state) {
    (void)state;
    site s;
    cm_check_desc desc;
    const cm_check_exception half[2] = {{.first = "a", .second = "b"}, {.first = "a"}};
    site_of_kinds(&s);
    expect_refused(NULL, CM_INVALID, NULL, CM_NONE);
    describe(&desc, &s);
    desc.parts = NULL;
    expect_refused(&desc, CM_INVALID, "parts", CM_NONE);
    describe(&desc, &s);
    desc.tolerance = -1;
    expect_refused(&desc, CM_INVALID, "tolerance", CM_NONE);
    describe(&desc, &s);
    desc.clearance = (cm_real)NAN;
    expect_refused(&desc, CM_INVALID, "clearance", CM_NONE);
    describe(&desc, &s);
    desc.exceptions = half, desc.exception_count = 2;
    expect_refused(&desc, CM_INVALID, "exceptions", 1);
    describe(&desc, &s);
    s.parts[3].pose.position.y = (cm_real)NAN;
    expect_refused(&desc, CM_NOT_FINITE, "pose", 3);
    s.parts[3].pose.position.y = 0, s.parts[4].shape = cm_make_sphere(cm_v(0, 0, 0), 1);
    expect_refused(&desc, CM_UNSUPPORTED, "shape", 4);
    s.parts[4].shape = cm_make_mesh(NULL);
    expect_refused(&desc, CM_INVALID, "shape", 4);
    s.parts[4].shape = s.parts[3].shape, s.parts[5].rounding = -1;
    expect_refused(&desc, CM_INVALID, "rounding", 5);
    site_free(&s);
}

static void no_parts_have_no_findings(void **state) {
    (void)state;
    const cm_check_desc none = {0};
    cm_check_result found;
    cm_finding nearest;
    assert_int_equal(cm_check_parts(&none, NULL, &found, NULL), CM_OK);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.pairs_total, 0);
    cm_check_result_destroy(&found, NULL);
    assert_int_equal(cm_check_nearest(&none, NULL, &nearest, NULL), CM_OK);
    assert_int_equal(nearest.part_a, CM_NONE);
    assert_int_equal(nearest.part_b, CM_NONE);
}

/* --- the nearest -------------------------------------------------------------------------------------------------- */

static void the_nearest_is_that_of_all_pairs(void **state) {
    (void)state;
    rng r = rng_start("nearest parts", 3);
    int apart = 0, deep = 0;
    for (int i = 0; i < samples(60, 6000); i++) {
        site s;
        cm_check_desc desc;
        cm_finding nearest;
        uint8_t sides[MOST] = {0};
        random_site(&s, &r, 2 + rng_below(&r, 12));
        describe(&desc, &s);
        for (uint32_t k = 0; k < s.count; k++) {
            sides[k] = (uint8_t)(1 + rng_below(&r, 2));
            if (i % 2 && sides[k] == 1) s.parts[k].pose.position.x += 9; /* the two sets apart */
        }
        sides[0] = CM_CHECK_A, sides[1] = CM_CHECK_B, desc.sides = sides;
        assert_int_equal(cm_check_nearest(&desc, NULL, &nearest, NULL), CM_OK);
        cm_real least = CM_REAL_MAX;
        for (uint32_t a = 0; a < s.count; a++)
            for (uint32_t b = 0; b < s.count; b++) {
                const cm_check_part *pa = &s.parts[a], *pb = &s.parts[b];
                cm_relation_result now;
                if (!(sides[a] & CM_CHECK_A) || !(sides[b] & CM_CHECK_B)) continue;
                assert_int_equal(cm_mesh_relation(&pa->shape, &pa->pose, &pb->shape, &pb->pose,
                                                  cm_check_tolerance(pa, pb), CM_REAL_MAX, &now),
                                 CM_OK);
                least = cm_min(least, now.distance);
            }
        check_that(nearest.result.distance == least, "%g of %g", (double)nearest.result.distance, (double)least);
        assert_true((sides[nearest.part_a] & CM_CHECK_A) && (sides[nearest.part_b] & CM_CHECK_B));
        apart += least > 0, deep += least < 0;
        assert_int_equal(nearest.kind == CM_FINDING_CLEARANCE, nearest.result.relation == CM_RELATION_SEPARATED);
        site_free(&s);
    }
    check_that(apart > 0 && deep > 0, "%d apart, %d deep", apart, deep);
}

/* A row of cubes, each in the next: the findings, which are most of what a check takes, are held once. */
static void findings_are_held_once(void **state) {
    (void)state;
    enum { ROW = 2000 };
    site s = {.count = 0};
    cm_check_part *parts = calloc(ROW, sizeof *parts);
    cm_check_result found;
    counting_allocator mem;
    site_add_mesh(&s, cm_v(1, 1, 1), true);
    for (int i = 0; i < ROW; i++) {
        parts[i] = (cm_check_part){.shape = cm_make_mesh(s.meshes[0]), .pose = cm_pose_identity(), .name = "cube"};
        parts[i].pose.position.x = CM_REAL(1.5) * (cm_real)i;
    }
    const cm_check_desc desc = {.parts = parts, .part_count = ROW};
    counting_allocator_start(&mem, 0);
    assert_int_equal(cm_check_parts(&desc, &mem.mem, &found, NULL), CM_OK);
    assert_int_equal(found.count, ROW - 1);
    const size_t findings = found.count * sizeof *found.findings;
    check_that(mem.peak_bytes < findings / 2 * 3, "%zu bytes, findings %zu", mem.peak_bytes, findings);
    cm_check_result_destroy(&found, &mem.mem);
    assert_int_equal(mem.live_blocks, 0);
    site_free(&s);
    free(parts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_its_name_and_the_gravest_come_first),
        cmocka_unit_test(each_level_includes_the_ones_before),
        cmocka_unit_test(what_is_allowed_is_listed_and_does_not_count),
        cmocka_unit_test(the_findings_are_those_of_all_pairs),
        cmocka_unit_test(surfaces_that_cross_stand_behind_depths_by_the_length_of_their_crossing),
        cmocka_unit_test(outlines_are_the_crossings),
        cmocka_unit_test(the_tolerance_is_what_the_coordinates_resolve),
        cmocka_unit_test(the_caller_hears_of_each_pair_and_may_end_it),
        cmocka_unit_test(every_failing_allocation_is_a_status_and_leaves_nothing),
        cmocka_unit_test(findings_are_held_once),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(no_parts_have_no_findings),
        cmocka_unit_test(the_nearest_is_that_of_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
