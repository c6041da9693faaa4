/* Findings of two exports of a model, side by side. */
#include "support/meshes.h"

#include <math.h>

enum { MOST = 40 };

/* Cubes in a row, each a tenth deep in the next: so many findings but one, along x. */
typedef struct row {
    cm_mesh *mesh;
    cm_check_part parts[MOST];
    char names[MOST][24], ids[MOST][24];
    uint32_t count;
    cm_check_result found;
} row;

static cm_mesh *cube(cm_real half) { return mesh_box(cm_v(-half, -half, -half), cm_v(half, half, half), true); }

static void row_make(row *r, uint32_t count, bool with_ids) {
    memset(r, 0, sizeof *r);
    r->mesh = cube(CM_REAL(0.5));
    r->count = count;
    for (uint32_t i = 0; i < count; i++) {
        snprintf(r->names[i], sizeof r->names[i], "row/cube_%u", (unsigned)i);
        snprintf(r->ids[i], sizeof r->ids[i], "id %u", (unsigned)i);
        r->parts[i] = (cm_check_part){.shape = cm_make_mesh(r->mesh), .pose = cm_pose_identity(), .name = r->names[i]};
        if (with_ids) r->parts[i].id = r->ids[i];
        r->parts[i].pose.position = cm_v(CM_REAL(0.9) * (cm_real)i, 0, 0);
    }
}
static void row_check(row *r) {
    const cm_check_desc desc = {.parts = r->parts, .part_count = r->count};
    assert_int_equal(cm_check_parts(&desc, NULL, &r->found, NULL), CM_OK);
}
static void row_free(row *r) {
    cm_check_result_destroy(&r->found, NULL);
    cm_mesh_destroy(r->mesh, NULL);
}

/* How many of `now` are new; the others are each the one of `before` at the same x. */
static int count_new(const row *before, const row *now, cm_real shift) {
    uint32_t of[MOST];
    bool taken[MOST] = {false};
    int fresh = 0;
    assert_int_equal(cm_check_compare(before->found.findings, (uint32_t)before->found.count, now->found.findings,
                                      (uint32_t)now->found.count, NULL, of),
                     CM_OK);
    for (size_t i = 0; i < now->found.count; i++) {
        if (of[i] == CM_NONE) {
            fresh++;
            continue;
        }
        assert_false(taken[of[i]]);
        taken[of[i]] = true;
        const cm_aabb *was = &before->found.findings[of[i]].outline_box, *is = &now->found.findings[i].outline_box;
        check_that(cm_abs(is->min.x - was->min.x - shift) < CM_REAL(1e-3), "at %g, was at %g", (double)is->min.x,
                   (double)was->min.x);
    }
    return fresh;
}

static void the_same_model_has_the_same_ids(void **state) {
    (void)state;
    row a, b;
    for (int with_ids = 0; with_ids < 2; with_ids++) {
        row_make(&a, 12, with_ids), row_make(&b, 12, with_ids);
        row_check(&a), row_check(&b);
        assert_int_equal(a.found.count, 11);
        for (size_t i = 0; i < 11; i++) {
            assert_true(a.found.findings[i].id == b.found.findings[i].id);
            for (size_t k = 0; k < i; k++) assert_true(a.found.findings[i].id != a.found.findings[k].id);
        }
        assert_int_equal(count_new(&a, &b, 0), 0);
        row_free(&a), row_free(&b);
    }
}

static void reordered_parts_are_the_same(void **state) {
    (void)state;
    rng r = rng_start("reordered parts", 4);
    row a, b;
    row_make(&a, 12, false), row_make(&b, 12, false);
    for (uint32_t i = 11; i > 0; i--) {
        const uint32_t k = rng_below(&r, i + 1);
        const cm_check_part kept = b.parts[i];
        b.parts[i] = b.parts[k], b.parts[k] = kept;
    }
    row_check(&a), row_check(&b);
    assert_int_equal(count_new(&a, &b, 0), 0);
    for (size_t i = 0; i < 11; i++) { /* by id, whichever part is A */
        int same = 0;
        for (size_t k = 0; k < 11; k++) same += a.found.findings[i].id == b.found.findings[k].id;
        assert_int_equal(same, 1);
    }
    row_free(&a), row_free(&b);
}

static void parts_with_ids_may_be_renamed_and_moved(void **state) {
    (void)state;
    row a, b;
    row_make(&a, 12, true), row_make(&b, 12, true);
    for (uint32_t i = 0; i < 12; i++) {
        snprintf(b.names[i], sizeof b.names[i], "other/%u", (unsigned)(100 - i));
        b.parts[i].pose.position.x += 3; /* far beyond where they were */
    }
    row_check(&a), row_check(&b);
    assert_int_equal(count_new(&a, &b, 3), 0);
    row_free(&a), row_free(&b);
}

static void without_ids_a_renamed_part_is_known_by_its_place(void **state) {
    (void)state;
    row a, b;
    row_make(&a, 12, false), row_make(&b, 12, false);
    snprintf(b.names[5], sizeof b.names[5], "row/new");                            /* one of two */
    for (uint32_t i = 0; i < 12; i++) b.parts[i].pose.position.x += CM_REAL(0.02); /* and a small shift */
    row_check(&a), row_check(&b);
    assert_int_equal(count_new(&a, &b, CM_REAL(0.02)), 0);
    row_free(&b);

    row_make(&b, 12, false); /* all of them, where they were */
    for (uint32_t i = 0; i < 12; i++) snprintf(b.names[i], sizeof b.names[i], "cube %u", (unsigned)(50 - i));
    row_check(&b);
    assert_int_equal(count_new(&a, &b, 0), 0);
    row_free(&b);

    row_make(&b, 12, false); /* all of them, and elsewhere: nothing says that they are the same */
    for (uint32_t i = 0; i < 12; i++) {
        snprintf(b.names[i], sizeof b.names[i], "cube %u", (unsigned)(50 - i));
        b.parts[i].pose.position.y += CM_REAL(0.2);
    }
    row_check(&b);
    assert_int_equal(count_new(&a, &b, 0), 11);
    row_free(&a), row_free(&b);
}

static void an_id_that_two_parts_have_is_none(void **state) {
    (void)state;
    row a, b;
    row_make(&a, 12, true), row_make(&b, 12, true);
    memcpy(b.ids[7], b.ids[3], sizeof b.ids[7]); /* copied, and its id with it */
    row_check(&a), row_check(&b);
    assert_int_equal(count_new(&a, &b, 0), 0); /* by name or by place */
    for (size_t i = 0; i < b.found.count; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_equal(b.found.findings[i].id_a == b.found.findings[k].id_a, /* identities tell parts apart */
                             b.found.findings[i].part_a == b.found.findings[k].part_a);
    row_free(&a), row_free(&b);
}

static void a_split_part_leaves_one_finding_and_a_new_one(void **state) {
    (void)state;
    row a, b;
    row_make(&a, 2, true), row_make(&b, 2, true); /* cube 0 from -0.5 to 0.5, cube 1 from 0.4 to 1.4 */
    cm_mesh *small = cube(CM_REAL(0.25));
    for (uint32_t i = 2; i < 4; i++) { /* cube 1 becomes two, each as deep in cube 0 as it was */
        snprintf(b.names[i - 1], sizeof b.names[0], "piece %u", (unsigned)i);
        snprintf(b.ids[i - 1], sizeof b.ids[0], "id of piece %u", (unsigned)i);
        b.parts[i - 1] = (cm_check_part){.shape = cm_make_mesh(small), .pose = cm_pose_identity()};
        b.parts[i - 1].pose.position = cm_v(CM_REAL(0.65), i == 2 ? CM_REAL(-0.25) : CM_REAL(0.2501), 0);
        b.parts[i - 1].name = b.names[i - 1], b.parts[i - 1].id = b.ids[i - 1];
    }
    b.count = 3;
    row_check(&a), row_check(&b);
    assert_int_equal(a.found.count, 1);
    uint32_t of[MOST];
    int fresh = 0, hard = 0;
    assert_int_equal(cm_check_compare(a.found.findings, 1, b.found.findings, (uint32_t)b.found.count, NULL, of), CM_OK);
    for (size_t i = 0; i < b.found.count; i++)
        if (b.found.findings[i].kind == CM_FINDING_CROSSING) fresh += of[i] == CM_NONE, hard++;
    assert_int_equal(hard, 2);
    assert_int_equal(fresh, 1);
    row_free(&a), row_free(&b);
    cm_mesh_destroy(small, NULL);
}

static void what_is_gone_and_what_is_new(void **state) {
    (void)state;
    row a, b;
    row_make(&a, 12, false), row_make(&b, 12, false);
    a.parts[3].pose.position.y = 5; /* before: free of its neighbors; now clashing with both */
    b.parts[8].pose.position.y = 5; /* now free */
    row_check(&a), row_check(&b);
    assert_int_equal(a.found.count, 9);
    assert_int_equal(b.found.count, 9);
    assert_int_equal(count_new(&a, &b, 0), 2);
    uint32_t of[MOST];
    assert_int_equal(cm_check_compare(NULL, 0, b.found.findings, 9, NULL, of), CM_OK);
    for (int i = 0; i < 9; i++) assert_int_equal(of[i], CM_NONE);
    assert_int_equal(cm_check_compare(a.found.findings, 9, NULL, 0, NULL, NULL), CM_OK);
    assert_int_equal(cm_check_compare(NULL, 1, NULL, 0, NULL, of), CM_INVALID);
    row_free(&a), row_free(&b);
}

/* Also where the ids alone would tell which is which, and whichever of the lists it stands in. */
static void findings_without_a_place_are_refused(void **state) {
    (void)state;
    row a;
    row_make(&a, 3, false);
    a.parts[1].pose.position.x = a.parts[2].pose.position.x = a.parts[0].pose.position.x;
    row_check(&a);
    assert_true(a.found.count >= 2);
    const uint32_t count = (uint32_t)a.found.count;
    cm_finding *f = &a.found.findings[1];
    const cm_finding was = *f;
    const cm_real nan = (cm_real)NAN;
    uint32_t of[MOST];
    for (int i = 0; i < 6; i++) {
        *f = was;
        if (i == 0) f->result.point_a.y = nan;
        if (i == 1) f->result.point_b.z = 2 * CM_COORD_MAX;
        if (i == 2) f->outline_box = (cm_aabb){{nan, 0, 0}, {1, 1, 1}};
        if (i == 3) f->outline_box = (cm_aabb){{0, 0, 0}, {1, nan, 1}};
        if (i == 4) f->outline_box = (cm_aabb){{0, 1, 0}, {1, 0, 1}};
        if (i == 5) f->outline_box = (cm_aabb){{0, 0, 1}, {1, 1, 0}};
        const cm_status want = i < 4 ? CM_NOT_FINITE : CM_INVALID;
        assert_int_equal(cm_check_compare(a.found.findings, count, &was, 1, NULL, of), want);
        assert_int_equal(cm_check_compare(&was, 1, a.found.findings, count, NULL, of), want);
    }
    *f = was;
    f->outline_box = (cm_aabb){{1, 0, 0}, {0, 1, 1}}; /* there is none */
    assert_int_equal(cm_check_compare(a.found.findings, count, &was, 1, NULL, of), CM_OK);
    *f = was;
    row_free(&a);
}

static void a_finding_that_gets_graver_is_the_same(void **state) {
    (void)state;
    row a, b;
    row_make(&a, 2, false), row_make(&b, 2, false);
    a.parts[1].pose.position.x = 1; /* touching */
    row_check(&a), row_check(&b);
    uint32_t of;
    assert_int_equal(a.found.findings[0].kind, CM_FINDING_TOUCHING);
    assert_int_equal(cm_check_compare(a.found.findings, 1, b.found.findings, 1, NULL, &of), CM_OK);
    assert_int_equal(of, 0);
    row_free(&b);
    row_make(&b, 2, false); /* by its id, that is: by place it is not */
    snprintf(b.names[1], sizeof b.names[1], "row/new");
    row_check(&b);
    assert_int_equal(cm_check_compare(a.found.findings, 1, b.found.findings, 1, NULL, &of), CM_OK);
    assert_int_equal(of, CM_NONE);
    row_free(&a), row_free(&b);
}

static void every_failing_allocation_leaves_nothing(void **state) {
    (void)state;
    row a, b;
    row_make(&a, 12, false), row_make(&b, 12, false);
    for (uint32_t i = 0; i < 12; i++) snprintf(b.names[i], sizeof b.names[i], "cube %u", (unsigned)(50 - i));
    row_check(&a), row_check(&b);
    for (size_t fail_at = 1;; fail_at++) {
        counting_allocator c;
        counting_allocator_start(&c, fail_at);
        uint32_t of[MOST] = {77};
        const cm_status status = cm_check_compare(a.found.findings, 11, b.found.findings, 11, &c.mem, of);
        assert_int_equal(c.live_blocks, 0);
        if (status == CM_OK) {
            assert_true(c.calls < fail_at && fail_at > 8);
            break;
        }
        assert_int_equal(status, CM_NO_MEMORY);
        assert_int_equal(of[0], 77);
    }
    row_free(&a), row_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_model_has_the_same_ids),
        cmocka_unit_test(reordered_parts_are_the_same),
        cmocka_unit_test(parts_with_ids_may_be_renamed_and_moved),
        cmocka_unit_test(without_ids_a_renamed_part_is_known_by_its_place),
        cmocka_unit_test(an_id_that_two_parts_have_is_none),
        cmocka_unit_test(a_split_part_leaves_one_finding_and_a_new_one),
        cmocka_unit_test(what_is_gone_and_what_is_new),
        cmocka_unit_test(a_finding_that_gets_graver_is_the_same),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
        cmocka_unit_test(findings_without_a_place_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
