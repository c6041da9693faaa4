/* The volume that the parts of findings have in common. */
#include "check/site.h"

#include <math.h>

static void findings_of_solids_have_the_volume_that_is_common(void **state) {
    (void)state;
    static const struct {
        const char *first;
        double volume;
    } want[] = {{"deeper/a", 3}, {"cross/a", 2}, {"in/small", 0.125}, {"same/a", 8}, {"touch/a", 0}, {"near/a", 0}};
    site s;
    cm_check_desc desc;
    cm_check_result found;
    site_of_kinds(&s);
    describe(&desc, &s);
    desc.clearance = CM_REAL(0.2);
    for (int asked = 0; asked < 2; asked++) {
        desc.volumes = asked > 0;
        assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
        assert_int_equal(found.count, 6);
        for (size_t i = 0; i < 6; i++) {
            const cm_finding *f = &found.findings[i];
            assert_string_equal(s.parts[f->part_a].name, want[i].first);
            assert_int_equal(f->common_known, asked);
            check_that(!asked || fabs(f->common.volume - want[i].volume) <= f->common.error, "%s: %.17g, expected %g",
                       want[i].first, f->common.volume, want[i].volume);
            check_that(f->common.error < 1e-9, "%s: off by %g", want[i].first, f->common.error);
        }
        cm_check_result_destroy(&found, NULL);
    }
    site_free(&s);
}

/* Two shells that share a cube of 1, and a box over that and a part of one of them: of the 2 that are common 1 counts
 * twice, which the error has to hold. An open part has no volume. */
static void shells_that_overlap_are_in_the_error(void **state) {
    (void)state;
    const cm_aabb shells[2] = {{cm_v(0, 0, 0), cm_v(2, 2, 2)}, {cm_v(1, 1, 1), cm_v(3, 3, 3)}};
    site s = {.count = 0};
    s.meshes[s.mesh_count++] = mesh_boxes(shells, NULL, 2, true);
    s.meshes[s.mesh_count++] = mesh_box(cm_v(1, 1, 0), cm_v(2, 2, 2), true);
    s.meshes[s.mesh_count++] = mesh_box(cm_v(-1, -1, -1), cm_v(1, 1, 1), false);
    for (int i = 0; i < 3; i++) site_add(&s, i == 0 ? "shells" : i == 1 ? "solid" : "surface", i, cm_v(0, 0, 0));
    cm_check_desc desc;
    cm_check_result found;
    describe(&desc, &s);
    desc.volumes = true;
    assert_int_equal(cm_check_parts(&desc, NULL, &found, NULL), CM_OK);
    bool seen = false;
    for (size_t i = 0; i < found.count; i++) {
        const cm_finding *f = &found.findings[i];
        assert_int_equal(f->common_known, f->part_b < 2);
        if (!f->common_known) continue;
        seen = true;
        check_that(fabs(f->common.volume - 2) <= f->common.error, "%g, off by %g", f->common.volume, f->common.error);
        check_that(f->common.error > 0.9 && f->common.error < 2.1, "off by %g", f->common.error);
    }
    assert_true(seen);
    cm_check_result_destroy(&found, NULL);
    site_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_of_solids_have_the_volume_that_is_common),
        cmocka_unit_test(shells_that_overlap_are_in_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
