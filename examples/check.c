/* Many parts: which of them clash, touch, or leave less room than they should.
 *     cc check.c $(pkg-config --cflags --libs carom) -o check */
#include <carom/carom.h>

#include <stdio.h>

/* A block as a closed mesh. */
static cm_mesh *block(cm_real x, cm_real y, cm_real z) {
    const cm_shape box = cm_make_box(cm_v(x / 2, y / 2, z / 2));
    cm_tessellation t = {0};
    cm_mesh *mesh = NULL;
    if (cm_shape_tessellate(&box, NULL, NULL, &t) != CM_OK) return NULL;
    cm_mesh_desc desc = {.points = &t.points[0].x, .indices = t.indices, .solid = true};
    desc.point_count = t.point_count, desc.triangle_count = t.triangle_count;
    cm_mesh_build(&desc, NULL, &mesh, NULL);
    cm_tessellation_destroy(&t, NULL);
    return mesh;
}

static cm_check_part part_at(const char *name, const cm_mesh *mesh, cm_real x, cm_real y, cm_real z) {
    cm_check_part part = {.shape = cm_make_mesh(mesh), .pose = cm_pose_identity(), .name = name};
    part.pose.position = cm_v(x, y, z);
    return part;
}

int main(void) {
    /* a table of metres: a top on two legs, a shelf 30 mm too far to the right, a lamp 2 mm above the top */
    cm_mesh *top = block(CM_REAL(1.2), CM_REAL(0.6), CM_REAL(0.03)),
            *leg = block(CM_REAL(0.05), CM_REAL(0.5), CM_REAL(0.7));
    cm_mesh *shelf = block(CM_REAL(0.9), CM_REAL(0.4), CM_REAL(0.02)),
            *lamp = block(CM_REAL(0.1), CM_REAL(0.1), CM_REAL(0.3));
    if (!top || !leg || !shelf || !lamp) return 1;
    const cm_check_part parts[] = {
        part_at("table/top", top, 0, 0, CM_REAL(0.715)),
        part_at("table/leg_left", leg, CM_REAL(-0.5), 0, CM_REAL(0.35)),
        part_at("table/leg_right", leg, CM_REAL(0.5), 0, CM_REAL(0.35)),
        part_at("table/shelf", shelf, CM_REAL(0.03), 0, CM_REAL(0.3)),
        part_at("lamp", lamp, CM_REAL(0.3), 0, CM_REAL(0.882)),
    };
    const cm_check_exception fixed[] = {{.first = "table/top", .second = "leg_*"}}; /* the legs are glued to the top */

    const cm_check_test tests[] = {
        {.name = "joints", .a = "table", .b = "table", .kind = CM_TEST_TOUCHING},
        {.name = "room for the lamp",
         .a = "lamp",
         .b = "!lamp",
         .kind = CM_TEST_CLEARANCE,
         .clearance = CM_REAL(0.003)},
    };

    cm_check_desc desc = {.parts = parts, .part_count = sizeof parts / sizeof parts[0]};
    desc.tests = tests, desc.test_count = sizeof tests / sizeof tests[0];
    desc.exceptions = fixed, desc.exception_count = 1;
    cm_check_result found;
    cm_error error;
    if (cm_check_parts(&desc, NULL, &found, &error) != CM_OK) {
        fprintf(stderr, "%s: %s %u\n", cm_status_text(error.status), error.field ? error.field : "",
                (unsigned)error.index);
        return 1;
    }
    for (size_t i = 0; i < found.count; i++) {
        const cm_finding *f = &found.findings[i];
        printf("%s: %s %+.4f, %s and %s%s\n", tests[f->test].name, cm_finding_text(f), (double)f->result.distance,
               parts[f->part_a].name, parts[f->part_b].name, f->allowed != CM_NONE ? " (allowed)" : "");
    }
    printf("%u of %u findings fail\n", (unsigned)found.failing, (unsigned)found.count);

    uint8_t sides[sizeof parts / sizeof parts[0]] = {0}; /* how near does the lamp come to the table? */
    cm_finding nearest;
    cm_check_choose(parts, desc.part_count, "lamp", CM_CHECK_A, sides);
    cm_check_choose(parts, desc.part_count, "table", CM_CHECK_B, sides);
    desc.sides = sides, desc.test_count = 0;
    if (cm_check_nearest(&desc, NULL, &nearest, NULL) == CM_OK)
        printf("lamp and table: %.4f, at %s\n", (double)nearest.result.distance, parts[nearest.part_b].name);

    cm_check_result_destroy(&found, NULL);
    cm_mesh_destroy(top, NULL), cm_mesh_destroy(leg, NULL), cm_mesh_destroy(shelf, NULL), cm_mesh_destroy(lamp, NULL);
    return 0;
}
