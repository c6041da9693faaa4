/* Several tests in one check: each finds what it would find alone; and what is left out, skipped, tolerated, accepted.
 */
#include "support/meshes.h"

enum { MOST = 40, TESTS = 4 };

/* Boxes along a row and across it, some turned, with properties, ids and places in a tree. */
typedef struct site {
    cm_mesh *meshes[3];
    cm_check_part parts[MOST];
    cm_check_property says[MOST];
    char names[MOST][24], ids[MOST][16];
    uint32_t count;
} site;

static void site_build(site *s) {
    static const double halves[3][3] = {{0.5, 0.5, 0.5}, {1, 0.2, 0.3}, {0.3, 0.9, 0.2}};
    *s = (site){.count = 0};
    for (int i = 0; i < 3; i++) {
        const cm_vec3 half = cm_v((cm_real)halves[i][0], (cm_real)halves[i][1], (cm_real)halves[i][2]);
        s->meshes[i] = mesh_box(cm_neg(half), half, true);
    }
}

static cm_check_part *site_add(site *s, int mesh, cm_vec3 at, const char *class) {
    const uint32_t i = s->count++;
    cm_check_part *part = &s->parts[i];
    snprintf(s->names[i], sizeof s->names[i], "%s_%u", class, i);
    snprintf(s->ids[i], sizeof s->ids[i], "id%u", i / 2);
    s->says[i] = (cm_check_property){"class", class};
    *part = (cm_check_part){.shape = cm_make_mesh(s->meshes[mesh]),
                            .pose = cm_pose_at(at),
                            .name = s->names[i],
                            .id = s->ids[i],
                            .file = "a.ifc",
                            .rounding = (double)CM_REAL_EPSILON,
                            .properties = &s->says[i],
                            .property_count = 1};
    return part;
}

static const char *const classes[] = {"pipe", "wall", "slab", "space"};

static void site_random(site *s, rng *r) {
    site_build(s);
    const uint32_t count = 5 + rng_below(r, 30);
    for (uint32_t i = 0; i < count; i++) {
        cm_check_part *part = site_add(s, (int)rng_below(r, 3), rng_vec3(r, 2), classes[rng_below(r, 4)]);
        if (i % 2) part->pose.rotation = rng_rotation(r);
        part->node = 1 + i, part->parent = i > 0 ? 1 + rng_below(r, i) : 0;
        if (i % 4 == 1) part->node = i, part->parent = s->parts[i - 1].parent; /* two pieces of one node */
        part->deviation = i % 5 ? 0 : rng_log_range(r, 1e-4, 0.1);
    }
}

static void site_free(site *s) {
    for (int i = 0; i < 3; i++) cm_mesh_destroy(s->meshes[i], NULL);
}

/* --- each test by itself ----------------------------------------------------------------------------------------- */

static void random_tests(cm_check_test tests[TESTS], rng *r) {
    static const char *const selectors[] = {NULL, "class=pipe", "class=wall | slab*", "!class=space"};
    static const char *const names[TESTS] = {"one", "two", NULL, "four"};
    for (int i = 0; i < TESTS; i++) {
        tests[i] = (cm_check_test){.name = names[i],
                                   .a = selectors[rng_below(r, 4)],
                                   .b = selectors[rng_below(r, 4)],
                                   .kind = (cm_check_test_kind)rng_below(r, CM_TEST_KIND_COUNT),
                                   .severity = (cm_check_severity)rng_below(r, CM_SEVERITY_COUNT)};
        if (rng_below(r, 2)) tests[i].tolerance = CM_REAL(0.05);
        if (rng_below(r, 2) || tests[i].kind == CM_TEST_CLEARANCE) tests[i].clearance = (cm_real)rng_range(r, 0.1, 1);
    }
}

/* By the words of the header: does a test of the kind find the relation? */
static bool is_found(const cm_check_test *test, const cm_relation_result *r) {
    switch (r->relation) {
    case CM_RELATION_NONE:
        return false;
    case CM_RELATION_SEPARATED:
        return (test->kind == CM_TEST_ANY || test->kind == CM_TEST_CLEARANCE) && r->distance < test->clearance;
    case CM_RELATION_TOUCHING:
        return test->kind != CM_TEST_HARD && test->kind != CM_TEST_DUPLICATE;
    case CM_RELATION_IDENTICAL:
        return true;
    case CM_RELATION_CROSSING:
    case CM_RELATION_A_IN_B:
    case CM_RELATION_B_IN_A:
        return test->kind != CM_TEST_DUPLICATE;
    }
    return false;
}

/* ANY without a level fails from its clearance on, where it has one; the others fail with all that they find. */
static bool is_failure(const cm_check_test *test, cm_finding_kind kind) {
    if (test->severity != CM_SEVERITY_ERROR) return false;
    if (test->kind != CM_TEST_ANY || test->clearance > 0) return true;
    return kind != CM_FINDING_TOUCHING && kind != CM_FINDING_CLEARANCE;
}

static bool has_side(const char *selector, const cm_check_part *part) {
    return !selector || cm_check_selects(selector, part);
}

static bool is_skipped(const cm_check_desc *desc, const cm_check_part *a, const cm_check_part *b) {
    if ((desc->skip & CM_CHECK_SKIP_PRODUCT) && strcmp(a->id, b->id) == 0 && a->node == b->node) return true;
    return (desc->skip & CM_CHECK_SKIP_PARENT) && (a->node == b->parent || b->node == a->parent);
}

static cm_real expected_tolerance(const cm_check_desc *desc, const cm_check_test *test, const cm_check_part *a,
                                  const cm_check_part *b) {
    for (uint32_t i = 0; i < desc->tolerance_count; i++) {
        const cm_check_pair_tolerance *t = &desc->tolerances[i];
        if ((cm_check_selects(t->first, a) && cm_check_selects(t->second, b)) ||
            (cm_check_selects(t->first, b) && cm_check_selects(t->second, a)))
            return t->tolerance;
    }
    return test->tolerance > 0 ? test->tolerance : cm_check_tolerance(a, b);
}

/* All findings that the tests have, one by one; returns how many. */
static size_t expect_each(const cm_check_desc *desc, const cm_check_result *found) {
    size_t seen = 0;
    for (uint32_t t = 0; t < desc->test_count; t++)
        for (uint32_t i = 0; i < desc->part_count; i++)
            for (uint32_t k = i + 1; k < desc->part_count; k++) {
                const cm_check_test *test = &desc->tests[t];
                const cm_check_part *a = &desc->parts[i], *b = &desc->parts[k];
                const bool asked =
                    (has_side(test->a, a) && has_side(test->b, b)) || (has_side(test->a, b) && has_side(test->b, a));
                if (!asked || is_skipped(desc, a, b) || cm_check_selects(desc->left_out, a) ||
                    cm_check_selects(desc->left_out, b))
                    continue;
                cm_relation_result r;
                assert_int_equal(cm_mesh_relation(&a->shape, &a->pose, &b->shape, &b->pose,
                                                  expected_tolerance(desc, test, a, b), CM_REAL_MAX, &r),
                                 CM_OK);
                if (!is_found(test, &r)) continue;
                const cm_finding *f = NULL;
                for (size_t n = 0; n < found->count && !f; n++)
                    if (found->findings[n].part_a == i && found->findings[n].part_b == k &&
                        found->findings[n].test == t)
                        f = &found->findings[n];
                check_that(f != NULL, "test %u, %u and %u: %s", t, i, k, cm_relation_text(r.relation));
                assert_int_equal(f->result.relation, r.relation);
                check_that(f->result.distance == r.distance && f->result.tolerance == r.tolerance, "%g, %g",
                           (double)f->result.distance, (double)r.distance);
                assert_int_equal(f->fails, is_failure(test, f->kind));
                seen++;
            }
    return seen;
}

static void each_test_finds_what_it_would_alone(void **state) {
    (void)state;
    static const cm_check_pair_tolerance tolerances[] = {
        {.first = "class=pipe", .second = "class=wall", .tolerance = CM_REAL(0.3)},
        {.first = "pipe*", .second = "wall* | slab*", .tolerance = CM_REAL(0.01)}};
    rng r = rng_start("several tests", 5);
    cm_pool *pool = NULL;
    cm_tasks tasks;
    size_t findings = 0, skipped = 0;
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    for (int i = 0; i < samples(15, 2500); i++) {
        site s;
        cm_check_test tests[TESTS];
        cm_check_result found, again;
        site_random(&s, &r);
        random_tests(tests, &r);
        cm_check_desc desc = {.parts = s.parts, .part_count = s.count, .tests = tests, .test_count = TESTS};
        if (i % 2) desc.tolerances = tolerances, desc.tolerance_count = 2;
        if (i % 3) desc.left_out = "class=space";
        desc.skip = rng_below(&r, 4);
        assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
        assert_int_equal(expect_each(&desc, &found), found.count);
        size_t total = 0, failing = 0;
        for (uint32_t t = 0; t < TESTS; t++) total += found.tests[t].findings, failing += found.tests[t].failing;
        assert_int_equal(found.test_count, TESTS);
        assert_int_equal(total, found.count);
        assert_int_equal(failing, found.failing);
        desc.tasks = &tasks;
        assert_int_equal(cm_check_parts(&desc, NULL, &again, NULL), CM_OK);
        assert_int_equal(again.count, found.count);
        for (size_t k = 0; k < found.count; k++) {
            const cm_finding *f = &found.findings[k], *g = &again.findings[k], *last = k > 0 ? f - 1 : NULL;
            check_that(f->part_a == g->part_a && f->part_b == g->part_b && f->test == g->test && f->id == g->id,
                       "finding %zu", k);
            const bool same_pair = last && last->part_a == f->part_a && last->part_b == f->part_b;
            if (same_pair && last->kind == f->kind && last->result.distance == f->result.distance)
                assert_true(last->test < f->test);
        }
        findings += found.count, skipped += found.skipped_parent + found.skipped_product;
        cm_check_result_destroy(&found, NULL);
        cm_check_result_destroy(&again, NULL);
        site_free(&s);
    }
    cm_pool_destroy(pool);
    check_that(findings > 20 && skipped > 0, "only %zu findings, %zu skipped", findings, skipped);
}

/* --- what is said of pairs --------------------------------------------------------------------------------------- */

/* Cubes of a metre in a row, each 0.1 in the next. */
static void site_of_cubes(site *s, uint32_t count) {
    site_build(s);
    for (uint32_t i = 0; i < count; i++) site_add(s, 0, cm_v(CM_REAL(0.9) * (cm_real)i, 0, 0), classes[i % 3]);
}

static void the_name_of_a_test_is_part_of_an_id(void **state) {
    (void)state;
    const cm_check_test tests[] = {{.name = "x"}, {.name = "y"}, {.name = NULL}, {.name = ""}};
    site s;
    site_of_cubes(&s, 2);
    cm_check_result found, plain;
    cm_check_desc desc = {.parts = s.parts, .part_count = 2};
    assert_int_equal(cm_check_parts(&desc, NULL, &plain, NULL), CM_OK);
    desc.tests = tests, desc.test_count = 4;
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_int_equal(plain.count, 1);
    assert_int_equal(found.count, 4);
    assert_true(found.findings[0].id != found.findings[1].id && found.findings[0].id != plain.findings[0].id);
    assert_true(found.findings[2].id == plain.findings[0].id && found.findings[3].id == plain.findings[0].id);
    cm_check_result_destroy(&found, NULL);
    cm_check_result_destroy(&plain, NULL);
    site_free(&s);
}

static void an_exception_may_be_of_a_finding_a_test_or_a_depth(void **state) {
    (void)state;
    const cm_check_test tests[] = {{.name = "x"}, {.name = "y"}};
    site s;
    site_of_cubes(&s, 3); /* pipe 0, wall 1, slab 2; 0-1 and 1-2 cross by 0.1 */
    cm_check_result found;
    cm_check_desc desc = {.parts = s.parts, .part_count = 3, .tests = tests, .test_count = 2};
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_int_equal(found.count, 4);
    const cm_finding first = found.findings[0];
    cm_check_result_destroy(&found, NULL);
    const struct {
        cm_check_exception exception;
        size_t allowed;
    } cases[] = {{{.id = first.id}, 1},
                 {{.id = first.id, .test = first.test == 0 ? "y" : "x"}, 0},
                 {{.test = "y"}, 2},
                 {{.first = "pipe*", .second = "class=wall"}, 2},
                 {{.first = "class=wall", .second = "pipe*", .test = "x"}, 1},
                 {{.first = "**", .second = "**", .depth = CM_REAL(0.11)}, 4},
                 {{.first = "**", .second = "**", .depth = CM_REAL(0.09)}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        desc.exceptions = &cases[i].exception, desc.exception_count = 1;
        assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
        check_that(found.allowed == cases[i].allowed && found.uses[0] == cases[i].allowed, "%zu: %zu, %zu", i,
                   found.allowed, cases[i].allowed);
        assert_int_equal(found.failing, 4 - cases[i].allowed);
        assert_int_equal(found.tests[0].allowed + found.tests[1].allowed, found.allowed);
        cm_check_result_destroy(&found, NULL);
    }
    site_free(&s);
}

/* Two cubes 0.1 in one another: parts that may be 0.06 off each touch, at 0.04 they cross. */
static void deviations_of_both_are_tolerated(void **state) {
    (void)state;
    site s;
    site_of_cubes(&s, 2);
    cm_check_result found;
    const cm_check_desc desc = {.parts = s.parts, .part_count = 2};
    for (int i = 0; i < 2; i++) {
        s.parts[0].deviation = s.parts[1].deviation = i ? 0.06 : 0.04;
        assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
        assert_int_equal(found.count, 1);
        assert_int_equal(found.findings[0].kind, i ? CM_FINDING_TOUCHING : CM_FINDING_CROSSING);
        cm_check_result_destroy(&found, NULL);
    }
    s.parts[1].pose.position.x = CM_REAL(1.1); /* as far apart as they may be off: near enough to be looked at */
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.findings[0].kind, CM_FINDING_TOUCHING);
    cm_check_result_destroy(&found, NULL);
    site_free(&s);
}

/* --- refusals and memory ----------------------------------------------------------------------------------------- */

static void expect_refused(cm_check_desc desc, cm_status status, const char *field, uint32_t index) {
    cm_check_result found = {.count = 77};
    cm_error error = {CM_OK, NULL, 0};
    check_that(cm_check_parts(&desc, NULL, &found, &error) == status, "%s", field);
    assert_string_equal(error.field, field);
    assert_int_equal(error.index, index);
    assert_int_equal(found.count, 77);
}

static void what_is_wrong_with_a_test_is_named(void **state) {
    (void)state;
    site s;
    site_of_cubes(&s, 2);
    cm_check_test tests[2] = {{.name = "x"}, {.name = "y"}};
    const uint8_t sides[2] = {3, 3};
    const cm_check_exception says_nothing = {.depth = 1}, half = {.second = "x"};
    cm_check_pair_tolerance tolerance = {.first = "a", .second = "b"};
    const cm_check_desc desc = {.parts = s.parts, .part_count = 2, .tests = tests, .test_count = 2};
    cm_check_desc bad = desc;
    bad.tests = NULL;
    expect_refused(bad, CM_INVALID, "tests", CM_NONE);
    bad = desc, bad.sides = sides;
    expect_refused(bad, CM_INVALID, "sides", CM_NONE);
    bad = desc, bad.fail_on = (cm_check_fail_on)(CM_FAIL_CLEARANCE + 1);
    expect_refused(bad, CM_INVALID, "fail_on", CM_NONE);
    bad = desc, bad.exceptions = &says_nothing, bad.exception_count = 1;
    expect_refused(bad, CM_INVALID, "exceptions", 0);
    bad.exceptions = &half;
    expect_refused(bad, CM_INVALID, "exceptions", 0);
    bad = desc, bad.tolerances = &tolerance, bad.tolerance_count = 1;
    expect_refused(bad, CM_INVALID, "tolerances", 0);
    tolerance = (cm_check_pair_tolerance){.first = "a", .tolerance = 1};
    expect_refused(bad, CM_INVALID, "tolerances", 0);
    tests[1].kind = CM_TEST_CLEARANCE;
    expect_refused(desc, CM_INVALID, "clearance", 1);
    tests[1].kind = CM_TEST_KIND_COUNT;
    expect_refused(desc, CM_INVALID, "kind", 1);
    tests[1] = (cm_check_test){.severity = CM_SEVERITY_COUNT};
    expect_refused(desc, CM_INVALID, "severity", 1);
    tests[1] = (cm_check_test){.tolerance = -1};
    expect_refused(desc, CM_INVALID, "tolerance", 1);
    tests[1] = (cm_check_test){.name = "y"};
    s.parts[1].deviation = -1;
    expect_refused(desc, CM_INVALID, "deviation", 1);
    s.parts[1].deviation = 0, s.parts[1].properties = NULL;
    expect_refused(desc, CM_INVALID, "properties", 1);
    assert_string_equal(cm_check_test_kind_text(CM_TEST_KIND_COUNT), "unknown");
    assert_string_equal(cm_check_severity_text(CM_SEVERITY_COUNT), "unknown");
    site_free(&s);
}

static void every_failing_allocation_leaves_nothing(void **state) {
    (void)state;
    const cm_check_test tests[] = {{.name = "x"}, {.name = "y", .kind = CM_TEST_CLEARANCE, .clearance = 1}};
    const cm_check_pair_tolerance tolerance = {.first = "pipe*", .second = "wall*", .tolerance = CM_REAL(0.01)};
    site s;
    site_of_cubes(&s, 6);
    const cm_check_desc desc = {.parts = s.parts,
                                .part_count = s.count,
                                .tests = tests,
                                .test_count = 2,
                                .tolerances = &tolerance,
                                .tolerance_count = 1,
                                .outlines = true};
    for (size_t fail_at = 1;; fail_at++) {
        counting_allocator c;
        counting_allocator_start(&c, fail_at);
        cm_check_result found;
        const cm_status status = cm_check_parts(&desc, &c.mem, &found, NULL);
        if (status == CM_OK) cm_check_result_destroy(&found, &c.mem);
        assert_int_equal(c.live_blocks, 0);
        if (status == CM_OK) break;
        assert_int_equal(status, CM_NO_MEMORY);
    }
    site_free(&s);
}

/* A copy that kept its id stands at a node of its own: they are two products. Pieces of one node are one. */
static void copies_with_one_id_are_two_products(void **state) {
    (void)state;
    static site s;
    site_build(&s);
    cm_check_part *one = site_add(&s, 0, cm_v(0, 0, 0), "wall"), *other = site_add(&s, 0, cm_v(0, 0, 0), "wall");
    assert_string_equal(one->id, other->id);
    const uint64_t nodes[3][2] = {{1, 2}, {1, 1}, {0, 0}};
    for (int i = 0; i < 3; i++) {
        one->node = nodes[i][0], other->node = nodes[i][1];
        const cm_check_desc desc = {.parts = s.parts, .part_count = 2, .skip = CM_CHECK_SKIP_PRODUCT};
        cm_check_result found;
        assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
        assert_int_equal(found.count, i == 0);
        assert_int_equal(found.skipped_product, i > 0);
        cm_check_result_destroy(&found, NULL);
    }
    site_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_test_finds_what_it_would_alone),
        cmocka_unit_test(the_name_of_a_test_is_part_of_an_id),
        cmocka_unit_test(an_exception_may_be_of_a_finding_a_test_or_a_depth),
        cmocka_unit_test(deviations_of_both_are_tolerated),
        cmocka_unit_test(copies_with_one_id_are_two_products),
        cmocka_unit_test(what_is_wrong_with_a_test_is_named),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
